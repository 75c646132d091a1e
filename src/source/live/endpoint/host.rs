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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostRefusal {
    UserInfo,
    Path,
    Characters,
    LookAlike,
    Scheme,
    Port,
    Address,
    TrailingDot,
    Name,
}

impl HostRefusal {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::UserInfo => {
                "the endpoint holds an @: user names and passwords have no place in it, and it is not repeated here"
            }
            Self::Path => {
                "the endpoint has something behind the host: a path, a query or a fragment"
            }
            Self::Characters => "the endpoint holds characters that no address has",
            Self::LookAlike => {
                "the host's name has letters beyond a to z, which can look like another name"
            }
            Self::Scheme => "the endpoint does not begin with https://",
            Self::Port => "the port of the endpoint is no number from 1 to 65535",
            Self::Address => {
                "the endpoint is a number instead of a name, which no certificate vouches for"
            }
            Self::TrailingDot => "the host's name ends in a dot",
            Self::Name => "the host's name is none",
        }
    }
}

/// Takes an address apart. The host is not looked at yet, but for what no host has.
pub fn split(text: &str) -> Result<HostParts, HostRefusal> {
    // First of all, since what stands before it may be a password.
    if text.contains('@') {
        return Err(HostRefusal::UserInfo);
    }
    if !text.is_ascii() {
        return Err(HostRefusal::LookAlike);
    }
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme_of(scheme)?), rest),
        None => (None, text),
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.contains(['/', '?', '#']) {
        return Err(HostRefusal::Path);
    }
    let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if rest.is_empty() || !rest.chars().all(is_known) {
        return Err(HostRefusal::Characters);
    }
    let (host, port) = match rest.strip_prefix('[') {
        Some(inner) => {
            let (inside, behind) = inner.split_once(']').ok_or(HostRefusal::Characters)?;
            (
                format!("[{inside}]"),
                behind.strip_prefix(':').or(behind.is_empty().then_some("")),
            )
        }
        None => match rest.split_once(':') {
            Some((host, port)) => (host.to_owned(), Some(port).filter(|port| !port.is_empty())),
            None => (rest.to_owned(), Some("")),
        },
    };
    let port = match port.ok_or(HostRefusal::Port)? {
        "" => None,
        digits => Some(port_of(digits)?),
    };
    Ok(HostParts {
        scheme,
        host: host.to_ascii_lowercase(),
        port,
    })
}

fn scheme_of(text: &str) -> Result<&'static str, HostRefusal> {
    if text.eq_ignore_ascii_case("https") {
        Ok("https")
    } else if text.eq_ignore_ascii_case("http") {
        Ok("http")
    } else {
        Err(HostRefusal::Scheme)
    }
}

fn port_of(digits: &str) -> Result<u16, HostRefusal> {
    if digits.len() > 5 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(HostRefusal::Port);
    }
    let port = digits.parse().map_err(|_| HostRefusal::Port)?;
    if port == 0 {
        Err(HostRefusal::Port)
    } else {
        Ok(port)
    }
}

/// A host by name, in small letters, that no other name can be mistaken for.
pub fn plain_host(text: &str) -> Result<String, HostRefusal> {
    if !text.is_ascii() {
        return Err(HostRefusal::LookAlike);
    }
    let host = text.to_ascii_lowercase();
    if host.starts_with('[') {
        return Err(HostRefusal::Address);
    }
    if host.ends_with('.') {
        return Err(HostRefusal::TrailingDot);
    }
    if host.is_empty() || host.len() > MAX_HOST_CHARS {
        return Err(HostRefusal::Name);
    }
    let is_one = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    for label in host.split('.') {
        if label.starts_with("xn--") {
            return Err(HostRefusal::LookAlike);
        }
        let fits = (1..=MAX_LABEL_CHARS).contains(&label.len())
            && label.chars().all(is_one)
            && !label.starts_with('-')
            && !label.ends_with('-');
        if !fits {
            return Err(HostRefusal::Name);
        }
    }
    // Systems read 127.1, 0x7f.1 and 2130706433 as addresses: a name's last part is never a number.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_hex = last
        .strip_prefix("0x")
        .is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
    if is_hex || last.bytes().all(|b| b.is_ascii_digit()) {
        return Err(HostRefusal::Address);
    }
    Ok(host)
}
