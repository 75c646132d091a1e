//! What somebody signs in with that nobody else may see: account keys and connection strings, how they are read, and how
//! they are kept out of everything that leaves the program.

mod scrub;

#[cfg(test)]
mod tests;

use std::fmt;

use azure_core::base64;
use azure_core::credentials::Secret;

use crate::error::{Error, usage};

pub use scrub::{REDACTED, hold, hold_token, scrub, scrub_bytes};

/// The variable that holds a key or a connection string for this program.
pub const KEY_VARIABLE: &str = "COSMOSCOPE_KEY";
/// The variable that holds a connection string for several programs.
pub const CONNECTION_VARIABLE: &str = "AZURE_COSMOS_CONNECTION_STRING";
/// What programs that this one starts are not given.
pub const OWN_VARIABLES: [&str; 2] = [KEY_VARIABLE, CONNECTION_VARIABLE];

/// Longer than any connection string; a longer text is another file.
pub const MAX_BYTES: u64 = 16 << 10;
/// Account keys are 64 bytes; other servers have shorter ones.
const LEAST_KEY_BYTES: usize = 16;

const FORM: &str = "the portal shows both under Keys: the primary or secondary key (a read-only one suffices), and the \
     connection string, which is taken whole";

/// A key, and the endpoint where a connection string names one.
#[derive(Clone)]
pub struct KeyCredential {
    key: Secret,
    endpoint: Option<String>,
    from: &'static str,
}

impl fmt::Debug for KeyCredential {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("Given")
    }
}

/// Two of the same account are no new opening; that keys are compared tells nobody anything.
impl PartialEq for KeyCredential {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.endpoint == other.endpoint
    }
}

impl Eq for KeyCredential {}

impl KeyCredential {
    /// Reads what was found in `from`, such as `the variable COSMOSCOPE_KEY`. No error repeats any of it.
    pub fn read(text: &str, from: &'static str) -> Result<Self, Error> {
        let text = text.trim();
        let is_connection = text.contains(';') || field(text, "AccountEndpoint").is_some();
        if !is_connection {
            // Before anything can go wrong: what is refused may be a secret all the same.
            hold(text);
        }
        let refused = |what: &str| usage(format!("{from} {what}"), FORM);
        if text.is_empty() {
            return Err(refused("is empty"));
        }
        let (endpoint, key) = if is_connection {
            let endpoint = field(text, "AccountEndpoint");
            let endpoint = endpoint.ok_or_else(|| refused("has no AccountEndpoint"))?;
            let key = field(text, "AccountKey").ok_or_else(|| refused("has no AccountKey"))?;
            (Some(endpoint.to_owned()), key)
        } else {
            (None, text)
        };
        hold(key);
        let is_key = base64::decode(key).is_ok_and(|bytes| bytes.len() >= LEAST_KEY_BYTES);
        if !is_key {
            return Err(refused("holds no account key: keys are base64"));
        }
        let key = Secret::new(key.to_owned());
        Ok(Self { key, endpoint, from })
    }

    pub fn key(&self) -> Secret {
        self.key.clone()
    }

    /// The endpoint that the connection string names, unchecked.
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// Where it was found, in words.
    pub fn from(&self) -> &'static str {
        self.from
    }
}

/// A field of a connection string, whatever the case of its name.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = text.split(';').filter_map(|part| part.split_once('='));
    let found = fields.find(|(found, _)| found.trim().eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

/// What only secrets hold, in small letters.
const MARKS: [&str; 10] = [
    "accountkey",
    "accountendpoint=",
    "sharedaccesskey",
    "sig=",
    "sig%3d",
    "type=master",
    "type=resource",
    "type=aad",
    "bearer ",
    "password=",
];
/// Names of hosts have no part as long; paths begin with a slash.
const LONG_RUN: usize = 64;
/// Keys of other services, in hexadecimal.
const HEX_RUN: usize = 32;

/// Whether a text that somebody gave where no secret belongs is or holds one, by its looks. Too often rather than too
/// seldom: whoever asks leaves the text out of a sentence.
pub fn looks_secret(text: &str) -> bool {
    let small = text.to_ascii_lowercase();
    if MARKS.iter().any(|mark| small.contains(mark)) {
        return true;
    }
    let is_coded = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '_' | '-' | '=');
    let is_hex = |run: &str| run.len() >= HEX_RUN && run.bytes().all(|b| b.is_ascii_hexdigit());
    let is_mixed = |run: &str| {
        let has = |kind: fn(&char) -> bool| run.chars().any(|c| kind(&c));
        has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit)
    };
    text.split(|c| !is_coded(c)).any(|run| {
        let is_long = run.len() >= LONG_RUN && !run.starts_with('/') && is_mixed(run);
        let is_padded = run.len() >= 24 && run.ends_with('=');
        is_long || is_padded || is_hex(run) || (run.starts_with("eyJ") && run.len() > 20)
    })
}
