//! Which hosts an account may name as its regions: those of its own domain, because tokens and signatures go there too.

use reqwest::Url;

use super::endpoint::regional;
use super::fault::Fault;
use crate::source::json::read;

/// Regions that are tried where the account's own host is away.
const MOST_REGIONS: usize = 3;
/// The lists of an account answer that name hosts.
const LISTS: [&str; 4] = [
    "readablelocations",
    "writablelocations",
    "thinclientreadablelocations",
    "thinclientwritablelocations",
];

/// Returns the hosts of the readable regions. Fails if the account answer names a host outside the endpoint's domain.
pub(super) fn check(account: &str, endpoint: &str) -> Result<Vec<Url>, Fault> {
    let members = read::members(account)
        .map_err(|fault| Fault::NotCosmos(fault.why.to_string()))?
        .ok_or_else(|| Fault::NotCosmos("no account".to_owned()))?;
    if read::member(&members, "readablelocations").is_none() {
        return Err(Fault::NotCosmos("it names no region".to_owned()));
    }
    let named = LISTS.iter().flat_map(|list| addresses(read::member(&members, list)));
    let mut others = named.filter(|named| !regional(endpoint, named));
    if let Some(named) = others.next() {
        return Err(Fault::ElsewhereNamed(named));
    }
    let readable = addresses(read::member(&members, LISTS[0]));
    let own = Url::parse(endpoint).ok();
    let name = own.as_ref().and_then(|own| own.host_str()?.split('.').next()).unwrap_or_default();
    // A region's host is named after the account.
    let is_of_account = |host: &Url| {
        let rest = host.host_str().and_then(|host| host.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(['-', '.'])) && own.as_ref() != Some(host)
    };
    let readable = readable.iter().filter_map(|named| Url::parse(named).ok());
    Ok(readable.filter(is_of_account).take(MOST_REGIONS).collect())
}

fn addresses(list: Option<&str>) -> Vec<String> {
    let entries = list.and_then(|raw| read::elements(raw).ok().flatten());
    let of_entry = |raw: &str| read::text(read::field(raw, "databaseaccountendpoint")?);
    let entries = entries.unwrap_or_default();
    entries.into_iter().filter_map(of_entry).collect()
}

/// Whether a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost"
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
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
        let endpoint = "https://a.documents.azure.com/";
        let asked = |address: &str| check(&account(address), endpoint);
        for fine in [
            "https://a-northeurope.documents.azure.com:443/",
            "https://A-NORTHEUROPE.DOCUMENTS.AZURE.COM/",
        ] {
            assert_eq!(asked(fine).unwrap().len(), 2);
        }
        for odd in [
            "https://a.documents.azure.cn/",
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
            assert_eq!(asked(odd), Err(Fault::ElsewhereNamed(odd.to_owned())), "{odd}");
        }
    }

    #[test]
    fn a_domain_that_was_allowed_names_its_own_regions() {
        let endpoint = "https://a.cosmos.corp.test/";
        let asked = |address: &str| check(&account(address), endpoint);
        asked("https://a-north.cosmos.corp.test/").unwrap();
        assert!(asked("https://a-north.other.corp.test/").is_err());
    }

    #[test]
    fn an_emulator_is_on_this_machine() {
        let endpoint = "http://127.0.0.1:8081/";
        let named = |address: &str| {
            let body =
                format!(r#"{{"readableLocations":[{{"databaseAccountEndpoint":"{address}"}}]}}"#);
            check(&body, endpoint)
        };
        named("http://127.0.0.1:8081/").unwrap();
        named("https://localhost:8081/").unwrap();
        named("http://[::1]:8081/").unwrap();
        assert!(named("https://172.17.0.2:8081/").is_err());
    }

    #[test]
    fn what_names_no_region_is_no_account() {
        let endpoint = "https://a.documents.azure.com/";
        for body in ["{}", "[]", "<html>", "", r#"{"readableLocations":null}"#] {
            let fault = check(body, endpoint).unwrap_err();
            assert!(matches!(fault, Fault::NotCosmos(_)), "{body}: {fault:?}");
        }
    }
}
