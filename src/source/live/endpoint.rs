//! Where a token may be sent: which endpoints are taken, how they are read, and which hosts an account may name.
//!
//! A token for Azure Cosmos DB is good for every account that its owner reaches, so it goes to hosts of the service alone
//! and nowhere else unless somebody allows it by name. What is refused is repeated only where it can be no secret.

mod host;

#[cfg(test)]
mod tests;

use crate::error::{Error, usage};
use crate::model::names::is_account;
use crate::source::live::secret::looks_secret;
use crate::source::live::services::{CLOUDS, CloudName};
use crate::source::live::target::Side;

use host::{plain_host, split};

/// The service's own names.
const SUFFIXES: [&str; 3] = [CLOUDS[0].accounts, CLOUDS[1].accounts, CLOUDS[2].accounts];
/// The names of this machine that are taken; others could lead elsewhere.
const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const HTTPS_PORT: u16 = 443;
/// Longer than any endpoint.
const MAX_CHARS: usize = 512;

const FORM: &str = "give the endpoint as the portal shows it, such as https://contoso.documents.azure.com, or the account's name alone";
const ROTATE: &str = "what stands on a command line is seen by others and kept by shells: make a new key for the account \
     (rotate it), give the endpoint alone, and the key in COSMOSCOPE_KEY, by --key-file FILE or at the prompt";

/// An endpoint that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// Scheme, host and port, nothing else: `https://contoso.documents.azure.com:443/`.
    pub url: String,
    pub host: String,
    /// What somebody should know before a token is sent.
    pub notes: Vec<String>,
}

/// Reads an endpoint or the name of an account, which is taken for one of `cloud`. `allowed` are suffixes of hosts beside
/// the service's own.
pub fn read(
    text: &str,
    side: Side,
    cloud: CloudName,
    allowed: &[String],
) -> Result<Endpoint, Error> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if looks_secret(text) {
        return Err(usage(
            "the endpoint given is or holds a secret, which is not repeated here",
            ROTATE,
        ));
    }
    let refused = |why: host::HostRefusal| usage(why, FORM);
    if text.is_empty() {
        return Err(usage("no endpoint is given", FORM));
    }
    if text.chars().count() > MAX_CHARS {
        return Err(usage("the endpoint given is too long for one", FORM));
    }
    if let Some(account) = account_name(text, side)? {
        let host = format!("{account}.{}", cloud.cloud().accounts);
        let url = format!("https://{host}:{HTTPS_PORT}/");
        let notes = vec![format!("{account} is read as {url}")];
        return Ok(Endpoint { url, host, notes });
    }
    let parts = split(text).map_err(refused)?;
    if is_this_machine(&parts.host) {
        return on_this_machine(text, &parts, side);
    }
    if side == Side::Emulator {
        return Err(usage(
            "--emulator is for a server on this machine, and the endpoint is elsewhere",
            "leave --emulator out, or give http://127.0.0.1:PORT",
        ));
    }
    let host = plain_host(&parts.host).map_err(refused)?;
    if parts.is_http() {
        return Err(usage(
            format!("http:// would send the token to {host} for anybody to read"),
            format!("give https://{host}"),
        ));
    }
    let mut notes = Vec::new();
    if let Some(suffix) = SUFFIXES.iter().find(|suffix| is_under(&host, suffix)) {
        known_host(&host, suffix, parts.port)?;
    } else {
        let suffix = allowed_suffix(&host, allowed)?;
        notes.push(format!(
            "{host} is not a name of Azure Cosmos DB: the token or key will be used there, because --allow-host {suffix} says so"
        ));
    }
    let port = parts.port.unwrap_or(HTTPS_PORT);
    let url = format!("https://{host}:{port}/");
    if parts.scheme.is_none() {
        notes.push(format!("{host} is read as {url}"));
    }
    Ok(Endpoint { url, host, notes })
}

/// The host of an endpoint that was read before.
pub fn host(endpoint: &str) -> String {
    split(endpoint).map_or_else(|_| String::new(), |parts| parts.host)
}

/// Whether a host that the account's answer names belongs to the account at this endpoint, which was read before.
/// `named` is a host or an address such as `https://contoso-westeurope.documents.azure.com:443/`.
pub fn regional(endpoint: &str, named: &str) -> bool {
    let (Ok(ours), Ok(theirs)) = (split(endpoint), split(named)) else {
        return false;
    };
    if is_this_machine(&ours.host) {
        return is_this_machine(&theirs.host);
    }
    let (Ok(ours), Ok(host)) = (plain_host(&ours.host), plain_host(&theirs.host)) else {
        return false;
    };
    if theirs.is_http() {
        return false;
    }
    if host == ours {
        return true;
    }
    // Every region is one name under the domain of the account. Behind a name of one's own it may be one of the service.
    let domain = |host: &str| host.split_once('.').map(|(_, domain)| domain.to_owned());
    let is_service = |domain: &Option<String>| {
        domain.as_ref().is_some_and(|domain| SUFFIXES.contains(&domain.as_str()))
    };
    let (own, named) = (domain(&ours), domain(&host));
    let is_domain = named.as_ref().is_some_and(|named| named.contains('.'));
    is_domain && (own == named || (!is_service(&own) && is_service(&named)))
}

/// Whether an endpoint as somebody wrote it, such as that of a connection string, is the one that was read before.
pub fn is_same(endpoint: &str, written: &str) -> bool {
    let (Ok(ours), Ok(theirs)) = (split(endpoint), split(written.trim())) else {
        return false;
    };
    if is_this_machine(&ours.host) {
        return is_this_machine(&theirs.host) && ours.port == theirs.port;
    }
    let port = theirs.port.unwrap_or(HTTPS_PORT);
    !theirs.is_http() && ours.host == theirs.host && ours.port == Some(port)
}

/// A suffix that somebody allows: a name with a dot in it, so that no whole top level is allowed by a slip.
pub fn allowed(suffix: &str) -> Result<String, Error> {
    let suffix = suffix.strip_prefix('.').unwrap_or(suffix);
    let read = plain_host(suffix).ok().filter(|host| host.contains('.'));
    read.ok_or_else(|| {
        usage(
            "--allow-host takes the end of a host's name with at least one dot in it",
            "give it such as --allow-host cosmos.example.com",
        )
    })
}

pub(super) fn is_under(host: &str, suffix: &str) -> bool {
    host.strip_suffix(suffix).is_some_and(|front| front.len() > 1 && front.ends_with('.'))
}

fn is_this_machine(host: &str) -> bool {
    THIS_MACHINE.contains(&host)
}

/// The name of an account without the rest, if that is what was given.
fn account_name(text: &str, side: Side) -> Result<Option<String>, Error> {
    if text.contains(['.', ':', '/', '@', '?', '#', '\\', '[', '%']) || is_this_machine(text) {
        return Ok(None);
    }
    if !is_account(text) || text.contains(|c: char| c.is_ascii_uppercase()) {
        return Err(usage(
            "the endpoint given is neither an address nor the name of an account (3 to 44 small letters, digits and hyphens)",
            FORM,
        ));
    }
    if side == Side::Emulator {
        return Err(usage(
            "--emulator needs the address of a server on this machine, not the name of an account",
            "give http://127.0.0.1:PORT, or leave --emulator out",
        ));
    }
    Ok(Some(text.to_owned()))
}

fn on_this_machine(text: &str, parts: &host::HostParts, side: Side) -> Result<Endpoint, Error> {
    if side != Side::Emulator {
        return Err(usage(
            "the endpoint is on this machine, where certificates cannot be checked",
            "add --emulator if an emulator answers there",
        ));
    }
    let scheme = if parts.is_http() { "http" } else { "https" };
    let Some(port) = parts.port else {
        return Err(usage(
            "the endpoint of an emulator needs its port",
            "give it such as http://127.0.0.1:8081",
        ));
    };
    let url = format!("{scheme}://{}:{port}/", parts.host);
    let mut notes = Vec::new();
    if parts.scheme.is_none() {
        notes.push(format!("{text} is read as {url}"));
    }
    Ok(Endpoint { url, host: parts.host.clone(), notes })
}

/// What else can be wrong with a host of the service itself.
fn known_host(host: &str, suffix: &str, port: Option<u16>) -> Result<(), Error> {
    let front = host.strip_suffix(suffix).unwrap_or(host);
    if let Some(account) = front.strip_suffix(".privatelink.") {
        return Err(usage(
            format!(
                "{host} is the name behind a private endpoint, for which there is no certificate"
            ),
            format!(
                "give https://{account}.{suffix}: inside the network it leads to the private address"
            ),
        ));
    }
    match port {
        None | Some(HTTPS_PORT) => Ok(()),
        Some(port) => Err(usage(
            format!("port {port} is not the one where API for NoSQL answers"),
            format!("give https://{host}"),
        )),
    }
}

fn allowed_suffix<'a>(host: &str, allowed: &'a [String]) -> Result<&'a str, Error> {
    let fits = |suffix: &&String| host == suffix.as_str() || is_under(host, suffix);
    if let Some(suffix) = allowed.iter().find(fits) {
        return Ok(suffix);
    }
    let next = if host.ends_with("cosmos.fabric.microsoft.com") {
        "Cosmos DB in Microsoft Fabric is not read yet: which tokens it takes is not confirmed; its mirror in OneLake can be exported and opened"
    } else if host.ends_with("cosmos.azure.com") {
        "another API of Azure Cosmos DB has that name; the endpoint of API for NoSQL ends in .documents.azure.com"
    } else if !allowed.is_empty() {
        "check the name: it does not end as --allow-host says, either"
    } else {
        "check the name; if a proxy or gateway of your own answers there, allow it with --allow-host and the end of its name"
    };
    Err(usage(
        format!("{host} does not end in .{}, so no token is sent there", SUFFIXES.join(", .")),
        next,
    ))
}
