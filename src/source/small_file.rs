//! Files that a person writes: a design, a lesson, and those of them that are built in.

use std::io::Read as _;
use std::path::Path;

use super::input;
use crate::error::Error;

/// More than anyone writes.
const MAX_BYTES: u64 = 1 << 20;

/// The text of such a file; what to do where it cannot be read, and where it is none of these.
pub(super) fn text(path: &Path, nexts: [&str; 2]) -> Result<String, Error> {
    text_within(path, (MAX_BYTES, "is larger than 1 MiB"), nexts)
}

/// Reads a text file up to a limit of bytes. `too_large` is the reason for a larger file.
#[expect(clippy::disallowed_methods, reason = "a person named the file")]
pub fn text_within(
    path: &Path,
    (most, too_large): (u64, &str),
    nexts: [&str; 2],
) -> Result<String, Error> {
    let refused = |why: &str, next: &str| Error::refused(input::shown(path), why, next);
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(|e| refused(&format!("cannot be read: {}", input::reason(&e)), nexts[0]))?;
    if bytes.len() as u64 > most {
        return Err(refused(too_large, nexts[1]));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| refused("is not text in UTF-8", nexts[1]))
}

/// What is wrong with TOML, and in which line.
pub(super) fn toml_fault(text: &str, e: &toml::de::Error) -> String {
    let before = e.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", e.message().trim().replace('\n', "; "))
}

/// A text of a file of our own by its name, from its first lines, without reading all of it.
pub fn field(text: &str, name: &str) -> String {
    let value = |line: &str| {
        let value = line.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    };
    text.lines().find_map(value).unwrap_or_default()
}
