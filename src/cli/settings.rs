//! Finds and reads the configuration file in the system's configuration folder.

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use crate::config::{self, Config};
use crate::error::Error;
use crate::model::visible::visible;

/// A configuration is a page of text; anything longer is another file.
const MAX_BYTES: u64 = 1 << 20;
const HOW_TO_START: &str = "cosmoscope --print-config prints a file with every setting";

/// The folder for this program's own files.
pub fn folder() -> Option<PathBuf> {
    choose_base_strategy()
        .ok()
        .map(|s| s.config_dir().join("cosmoscope"))
}

/// Reads the named file, which must exist, or the usual one, which need not.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where the configuration is read"
)]
pub fn load(named: Option<&Path>) -> Result<Config, Error> {
    let Some(path) = named
        .map(Path::to_owned)
        .or_else(|| folder().map(|f| f.join("config.toml")))
    else {
        return Ok(Config::default());
    };
    let shown = visible(&path.to_string_lossy()).into_owned();
    let text = match std::fs::metadata(&path) {
        Ok(m) if m.len() > MAX_BYTES => {
            return Err(Error::refused(
                shown,
                "it is too long for a configuration",
                HOW_TO_START,
            ));
        }
        Ok(_) => std::fs::read_to_string(&path),
        Err(_) if named.is_none() => return Ok(Config::default()),
        Err(e) => Err(e),
    };
    let text = text.map_err(|e| {
        let why = format!("cannot be read: {}", crate::source::input::reason(&e));
        Error::refused(&shown, why, HOW_TO_START)
    })?;
    config::parse(&text).map_err(|why| Error::refused(shown, why, HOW_TO_START))
}
