//! Where a key comes from: a file that others cannot read, the environment, or somebody at the terminal.

use std::io::Read;
use std::path::Path;

use crate::error::Error;
use crate::source::input;
use crate::source::live::endpoint;
use crate::source::live::secret::{CONNECTION_VARIABLE, KEY_VARIABLE, KeyCredential, MAX_BYTES};
use crate::source::live::target::{Auth, Side, Target};

use super::prompt;
#[cfg(unix)]
use super::usage;

/// The key, if one is given, and what is given and does nothing.
pub fn find(
    file: Option<&Path>,
    target: &Target,
) -> Result<(Option<KeyCredential>, Vec<String>), Error> {
    let (given, mut notes) = first(file, target)?;
    if given.is_some() && !target.credential.is_empty() {
        notes.push("an account key is given: the program of the context is not run".to_owned());
    }
    Ok((given, notes))
}

/// The first that there is: file, environment; for `--auth key` also a question at the terminal.
fn first(
    file: Option<&Path>,
    target: &Target,
) -> Result<(Option<KeyCredential>, Vec<String>), Error> {
    let mut notes = not_used(target);
    if !matches!(target.auth, Auth::Auto | Auth::Key) {
        return Ok((None, notes));
    }
    if let Some(path) = file {
        let from = if is_standard_input(path) { "standard input" } else { "the key file" };
        return Ok((Some(KeyCredential::read(&in_file(path)?, from)?), notes));
    }
    if let Some(text) = variable(KEY_VARIABLE) {
        let given = KeyCredential::read(&text, "the variable COSMOSCOPE_KEY")?;
        return Ok((Some(given), notes));
    }
    if let Some(text) = variable(CONNECTION_VARIABLE) {
        let given = KeyCredential::read(&text, "the variable AZURE_COSMOS_CONNECTION_STRING")?;
        // That variable is for other programs too: it may be about another account.
        if given.endpoint().is_some_and(|named| endpoint::is_same(&target.endpoint, named)) {
            return Ok((Some(given), notes));
        }
        notes.push(format!("{CONNECTION_VARIABLE} is about another account and is not used"));
    }
    if target.auth == Auth::Key
        && let Some(text) = prompt::ask(target.side)?
    {
        return Ok((Some(KeyCredential::read(&text, "what was typed")?), notes));
    }
    Ok((None, notes))
}

/// What is set in the environment, and does nothing as the options are.
fn not_used(target: &Target) -> Vec<String> {
    let is_key = matches!(target.auth, Auth::Auto | Auth::Key);
    let note = |name: &str, is_used: bool, why: &str| {
        let is_set = !is_used && variable(name).is_some();
        is_set.then(|| format!("{name} is set and not used: {why}"))
    };
    let proxies = ["HTTPS_PROXY", "https_proxy"];
    let proxy = proxies.iter().find_map(|name| {
        note(name, target.proxy || target.side == Side::Emulator, "--proxy goes through it")
    });
    let of_key = [KEY_VARIABLE, CONNECTION_VARIABLE];
    let keys =
        of_key.iter().filter_map(|name| note(name, is_key, "--auth says to sign in without a key"));
    let certificate = note(
        "AZURE_CLIENT_CERTIFICATE_PATH",
        false,
        "az login --service-principal takes a certificate",
    );
    proxy.into_iter().chain(keys).chain(certificate).collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "keys are taken from the environment, never from arguments"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.trim().is_empty())
}

#[expect(clippy::disallowed_methods, reason = "this is where a key file is read")]
fn in_file(path: &Path) -> Result<String, Error> {
    if is_standard_input(path) {
        return text(&mut std::io::stdin().lock());
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if found.is_dir() {
        return Err(refused("is a folder".to_owned()));
    }
    others_cannot_read(&found)?;
    text(&mut { file })
}

/// Whether the key comes by standard input, where nobody else can read it and no shell keeps it.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn refused(why: String) -> Error {
    let next = "give --key-file a file with the key or connection string alone, which only you can read, or - and write it to standard input";
    Error::refused("the key file", why, next)
}

#[expect(clippy::needless_pass_by_value, reason = "the one argument of map_err")]
fn unreadable(e: std::io::Error) -> Error {
    refused(format!("cannot be read: {}", input::reason(&e)))
}

/// What is there, as far as a key can be long.
fn text(from: &mut dyn Read) -> Result<String, Error> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("is too long for a key".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| refused("is not text".to_owned()))
}

#[cfg(unix)]
fn others_cannot_read(found: &std::fs::Metadata) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    /// What the group and all others may do.
    const OTHERS: u32 = 0o077;
    if found.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    Err(usage(
        "the key file can be read by others on this machine",
        "take that from them with chmod 600, and make a new key (rotate it) if others may have read it",
    ))
}

#[cfg(not(unix))]
fn others_cannot_read(_: &std::fs::Metadata) -> Result<(), Error> {
    Ok(())
}
