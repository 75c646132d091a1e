//! The parts of an address, strictly: what is not plainly a scheme, a host and a port is refused, not interpreted.

/// A name of the domain system and one part of it at most.
const MAX_HOST_CHARS: usize = 253;
const MAX_LABEL_CHARS: usize = 63;

/// An address, in small letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostParts {
    pub scheme: Option<&'static str>,
    pub host: String,
    pub port: Option<u16>,
}

impl HostParts {
    pub fn is_http(&self) -> bool {
        self.scheme == Some("http")
    }
}

/// Why an address is none. Nothing of the address is in it.
pub type HostRefusal = &'static str;

const CHARACTERS: HostRefusal = "the endpoint holds characters that no address has";
const LOOK_ALIKE: HostRefusal =
    "the host's name has letters beyond a to z, which can look like another name";
const PORT: HostRefusal = "the port of the endpoint must be between 1 and 65535";
const NUMBER: HostRefusal =
    "the endpoint is a number instead of a name, which no certificate vouches for";
const NO_NAME: HostRefusal = "the host's name is not valid";

/// Takes an address apart. The host is not looked at yet, but for what no host has.
pub fn split(text: &str) -> Result<HostParts, HostRefusal> {
    // First of all, since what stands before it may be a password.
    if text.contains('@') {
        return Err(
            "the endpoint holds an @: user names and passwords have no place in it, and it is not repeated here",
        );
    }
    if !text.is_ascii() {
        return Err(LOOK_ALIKE);
    }
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme_of(scheme)?), rest),
        None => (None, text),
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.contains(['/', '?', '#']) {
        return Err("the endpoint has something behind the host: a path, a query or a fragment");
    }
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if rest.is_empty() || !rest.chars().all(is_known) {
        return Err(CHARACTERS);
    }
    let (host, port) = match rest.strip_prefix('[') {
        Some(inner) => {
            let (inside, behind) = inner.split_once(']').ok_or(CHARACTERS)?;
            (format!("[{inside}]"), behind.strip_prefix(':').or(behind.is_empty().then_some("")))
        }
        None => match rest.split_once(':') {
            Some((host, port)) => (host.to_owned(), Some(port).filter(|port| !port.is_empty())),
            None => (rest.to_owned(), Some("")),
        },
    };
    let port = match port.ok_or(PORT)? {
        "" => None,
        digits => Some(port_of(digits)?),
    };
    Ok(HostParts { scheme, host: host.to_ascii_lowercase(), port })
}

fn scheme_of(text: &str) -> Result<&'static str, HostRefusal> {
    if text.eq_ignore_ascii_case("https") {
        Ok("https")
    } else if text.eq_ignore_ascii_case("http") {
        Ok("http")
    } else {
        Err("the endpoint does not begin with https://")
    }
}

fn port_of(digits: &str) -> Result<u16, HostRefusal> {
    if digits.len() > 5 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(PORT);
    }
    digits.parse().ok().filter(|port| *port > 0).ok_or(PORT)
}

/// A host by name, in small letters, that no other name can be mistaken for.
pub fn plain_host(text: &str) -> Result<String, HostRefusal> {
    if !text.is_ascii() {
        return Err(LOOK_ALIKE);
    }
    let host = text.to_ascii_lowercase();
    if host.starts_with('[') {
        return Err(NUMBER);
    }
    if host.ends_with('.') {
        return Err("the host's name ends in a dot");
    }
    if host.is_empty() || host.len() > MAX_HOST_CHARS {
        return Err(NO_NAME);
    }
    let is_one = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    for label in host.split('.') {
        if label.starts_with("xn--") {
            return Err(LOOK_ALIKE);
        }
        let fits = (1..=MAX_LABEL_CHARS).contains(&label.len())
            && label.chars().all(is_one)
            && !label.starts_with('-')
            && !label.ends_with('-');
        if !fits {
            return Err(NO_NAME);
        }
    }
    // Systems read 127.1, 0x7f.1 and 2130706433 as addresses: a name's last part is never a number.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_hex =
        last.strip_prefix("0x").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
    if is_hex || last.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NUMBER);
    }
    Ok(host)
}
