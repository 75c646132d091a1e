//! Finds and reads the configuration file in the system's configuration folder.

use std::path::Path;

use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::config::{self, Config};
use crate::error::{Error, usage};
use crate::model::visible::visible;

/// A configuration is a page of text; anything longer is another file.
const MAX_BYTES: u64 = 1 << 20;
const HOW_TO_START: &str = "cosmoscope --print-config prints a file with every setting";

/// Reads the named file, which must exist, or the usual one, which need not.
pub fn load(named: Option<&Path>) -> Result<Config, Error> {
    let Some(path) =
        named.map(Path::to_owned).or_else(|| config::folder().map(|f| f.join("config.toml")))
    else {
        return Ok(Config::default());
    };
    let refused = |why| Error::refused(visible(&path.to_string_lossy()), why, HOW_TO_START);
    match text(&path, MAX_BYTES).map_err(refused)? {
        Some(text) => config::parse(&text).map_err(refused),
        None if named.is_none() => Ok(Config::default()),
        None => Err(refused("cannot be read: there is no such file".to_owned())),
    }
}

/// What verdicts measure against.
pub fn thresholds(config: &Config) -> Result<Thresholds, Error> {
    let mut thresholds = Thresholds { price: config.price.clone(), ..Thresholds::default() };
    for text in &config.thresholds {
        let refused =
            |why: String| usage(format!("the setting thresholds: {}", visible(&why)), HOW_TO_START);
        thresholds.set(text).map_err(refused)?;
    }
    Ok(thresholds)
}

/// A file of settings as text, if there is one; an error says why it is not used.
#[expect(clippy::disallowed_methods, reason = "this is where settings are read")]
pub fn text(path: &Path, max_bytes: u64) -> Result<Option<String>, String> {
    match std::fs::metadata(path) {
        Ok(m) if m.len() > max_bytes => Err("it is too long for a configuration".to_owned()),
        Err(e) if is_absent(e.kind()) => Ok(None),
        Ok(_) | Err(_) => std::fs::read_to_string(path)
            .map(Some)
            .map_err(|e| format!("cannot be read: {}", crate::source::input::reason(&e))),
    }
}

fn is_absent(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(kind, NotFound | NotADirectory)
}
