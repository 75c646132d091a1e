//! Files that a person writes: a design, a lesson.

use std::io::Read as _;
use std::path::Path;

use super::input;
use crate::error::Error;

/// More than anyone writes.
const MAX_BYTES: u64 = 1 << 20;

/// The text of such a file; what to do where it cannot be read, and where it is none of these.
#[expect(clippy::disallowed_methods, reason = "a person named the file")]
pub(super) fn text(path: &Path, nexts: [&str; 2]) -> Result<String, Error> {
    let refused = |why: &str, next: &str| Error::refused(input::shown(path), why, next);
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|e| refused(&format!("cannot be read: {}", input::reason(&e)), nexts[0]))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("is larger than 1 MiB", nexts[1]));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| refused("is not text in UTF-8", nexts[1]))
}
