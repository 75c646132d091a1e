//! The secret of this installation from which invented names are made, so that they stay the same from day to day.

use std::io;
use std::path::Path;

use crate::config;
use crate::error::{Error, usage};
use crate::source::input;
use crate::source::private::{self, PrivatePlace};

const SALT_BYTES: usize = 32;
/// One that somebody wrote by hand may be longer.
const MAX_BYTES: u64 = 1024;
const FILE: &str = "mask-salt";

/// The secret from which invented names are made. It shows in no debug text.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt(pub Vec<u8>);

impl std::fmt::Debug for Salt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Salt")
    }
}

/// The salt of this installation, made where there is none.
pub fn installed() -> Result<Vec<u8>, Error> {
    let folder =
        config::folder().ok_or_else(|| failed(&io::Error::other("there is no home folder")))?;
    load_or_create(&folder).map_err(|e| failed(&e))
}

fn failed(e: &io::Error) -> Error {
    usage(
        format!("the salt for invented names cannot be kept: {}", without_path(e)),
        "give one with --mask-salt TEXT",
    )
}

/// What went wrong without where: the path to a home tells whose it is.
fn without_path(e: &io::Error) -> String {
    let text = input::reason(e);
    let end = text.find(" at path ").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}

/// Reads the salt or makes one, readable by its owner only.
#[expect(clippy::disallowed_methods, reason = "the one place a salt is drawn")]
fn load_or_create(folder: &Path) -> io::Result<Vec<u8>> {
    let path = folder.join(FILE);
    if let Some(salt) = read_salt(&path)? {
        return Ok(salt);
    }
    let mut salt = vec![0; SALT_BYTES];
    getrandom::fill(&mut salt).map_err(|e| io::Error::other(e.to_string()))?;
    match private::write(&path, &salt, PrivatePlace::Free) {
        Ok(()) => Ok(salt),
        // Two processes may start at once: each writes its own file, and only the first one gets the name.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => read_salt(&path)?.ok_or(e),
        Err(e) => Err(e),
    }
}

/// The salt that is there; None where there is none.
fn read_salt(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match private::read(path, MAX_BYTES) {
        Ok(salt) if salt.len() < SALT_BYTES => {
            Err(io::Error::other(format!("{FILE} is damaged: remove it")))
        }
        Ok(salt) => Ok(Some(salt)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// A number that keeps crafted keys from meeting in one place of a table; any will do where the system gives none.
#[expect(clippy::disallowed_methods, reason = "the one place a seed is drawn")]
pub fn seed() -> u64 {
    let mut bytes = [0; 8];
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads files and may panic"
)]
mod tests {
    use super::*;

    #[test]
    fn the_salt_is_made_once_and_private() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("config");
        let first = load_or_create(&folder).unwrap();
        assert_eq!(load_or_create(&folder).unwrap(), first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                std::fs::metadata(folder.join(FILE)).unwrap().permissions().mode() & 0o777,
                0o600
            );
            assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_refused_and_its_target_unchanged() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("target");
        std::fs::write(&target, "precious").unwrap();
        std::os::unix::fs::symlink(&target, home.path().join(FILE)).unwrap();
        assert!(load_or_create(home.path()).is_err());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    }
}
