//! Which hosts an account may name as its regions: those of its own domain, because tokens and signatures go there too.

use reqwest::Url;

use super::fault::Fault;
use super::target::Side;
use crate::source::json::read;

/// Domains of Cosmos DB for `NoSQL`: the public cloud and the two sovereign ones.
pub(super) const DOMAINS: [&str; 3] = [
    "documents.azure.com",
    "documents.azure.cn",
    "documents.azure.us",
];

/// The lists of an account answer that name hosts.
const LISTS: [&str; 4] = [
    "readablelocations",
    "writablelocations",
    "thinclientreadablelocations",
    "thinclientwritablelocations",
];

/// Refuses an account answer that names a host of another domain than the endpoint's.
pub(super) fn check(account: &str, endpoint: &Url, side: Side) -> Result<(), Fault> {
    let members = read::members(account)
        .map_err(|fault| Fault::NotCosmos(fault.why.to_string()))?
        .ok_or_else(|| Fault::NotCosmos("no account".to_owned()))?;
    if read::member(&members, "readablelocations").is_none() {
        return Err(Fault::NotCosmos("it names no region".to_owned()));
    }
    for list in LISTS {
        for named in addresses(read::member(&members, list)) {
            if !may_be_asked(&named, endpoint, side) {
                return Err(Fault::ElsewhereNamed(named));
            }
        }
    }
    Ok(())
}

fn addresses(list: Option<&str>) -> Vec<String> {
    let entries = list.and_then(|raw| read::elements(raw).ok().flatten());
    let of_entry = |raw: &str| {
        let members = read::members(raw).ok()??;
        read::text(read::member(&members, "databaseaccountendpoint")?)
    };
    let entries = entries.unwrap_or_default();
    entries.into_iter().filter_map(of_entry).collect()
}

fn may_be_asked(address: &str, endpoint: &Url, side: Side) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let Some(host) = url.host_str() else {
        return false;
    };
    let bare = url.username().is_empty() && url.password().is_none();
    match side {
        Side::Emulator => bare && is_loopback(host),
        Side::Azure => {
            let own = endpoint.host_str().and_then(domain);
            let named = domain(host);
            let known = named.is_some_and(|domain| DOMAINS.contains(&domain));
            bare && url.scheme() == "https" && named.is_some() && (known || named == own)
        }
    }
}

/// What follows the first label.
fn domain(host: &str) -> Option<&str> {
    let (first, rest) = host.split_once('.')?;
    (!first.is_empty() && rest.contains('.')).then_some(rest)
}

/// Whether a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost"
        || bare
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn account(address: &str) -> String {
        format!(
            r#"{{"id":"a","writableLocations":[],"readableLocations":[
                {{"name":"West Europe","databaseAccountEndpoint":"https://a-westeurope.documents.azure.com:443/"}},
                {{"name":"North Europe","databaseAccountEndpoint":"{address}"}}]}}"#
        )
    }

    #[test]
    fn regions_of_another_domain_are_refused() {
        let endpoint = Url::parse("https://a.documents.azure.com/").unwrap();
        let asked = |address: &str| check(&account(address), &endpoint, Side::Azure);
        for fine in [
            "https://a-northeurope.documents.azure.com:443/",
            "https://A-NORTHEUROPE.DOCUMENTS.AZURE.COM/",
            "https://a.documents.azure.cn/",
        ] {
            asked(fine).unwrap();
        }
        for odd in [
            "http://a-northeurope.documents.azure.com/",
            "https://documents.azure.com/",
            "https://a.documents.azure.com.evil.test/",
            "https://evil.test/",
            "https://169.254.169.254/",
            "https://127.0.0.1:8081/",
            "https://u@a.documents.azure.com/",
            "https://a.documents.azure.com@evil.test/",
            "nonsense",
            "",
        ] {
            assert_eq!(
                asked(odd),
                Err(Fault::ElsewhereNamed(odd.to_owned())),
                "{odd}"
            );
        }
    }

    #[test]
    fn a_domain_that_was_allowed_names_its_own_regions() {
        let endpoint = Url::parse("https://a.cosmos.corp.test/").unwrap();
        let asked = |address: &str| check(&account(address), &endpoint, Side::Azure);
        asked("https://a-north.cosmos.corp.test/").unwrap();
        assert!(asked("https://a-north.other.corp.test/").is_err());
    }

    #[test]
    fn an_emulator_is_on_this_machine() {
        let endpoint = Url::parse("http://127.0.0.1:8081/").unwrap();
        let named = |address: &str| {
            let body =
                format!(r#"{{"readableLocations":[{{"databaseAccountEndpoint":"{address}"}}]}}"#);
            check(&body, &endpoint, Side::Emulator)
        };
        named("http://127.0.0.1:8081/").unwrap();
        named("https://localhost:8081/").unwrap();
        named("http://[::1]:8081/").unwrap();
        assert!(named("https://172.17.0.2:8081/").is_err());
    }

    #[test]
    fn what_names_no_region_is_no_account() {
        let endpoint = Url::parse("https://a.documents.azure.com/").unwrap();
        for body in ["{}", "[]", "<html>", "", r#"{"readableLocations":null}"#] {
            let fault = check(body, &endpoint, Side::Azure).unwrap_err();
            assert!(matches!(fault, Fault::NotCosmos(_)), "{body}: {fault:?}");
        }
    }
}
