//! The configuration: one TOML file in the system's configuration folder, all settings optional, unknown ones refused.

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};
use serde::Deserialize;

use crate::error::Error;
use crate::model::visible::visible;

/// The file with every default and a comment, as `--print-config` prints it.
pub const DEFAULTS: &str = include_str!("../assets/config.toml");
/// A configuration is a page of text; anything longer is another file.
const MAX_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CeilingReading {
    #[default]
    Binary,
    Decimal,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub ceiling: CeilingReading,
    pub memory: String,
    pub time_zone: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ceiling: CeilingReading::Binary,
            memory: "2GiB".to_owned(),
            time_zone: String::new(),
        }
    }
}

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
            return Err(Error::usage(format!(
                "{shown} is too long for a configuration"
            )));
        }
        Ok(_) => std::fs::read_to_string(&path),
        Err(_) if named.is_none() => return Ok(Config::default()),
        Err(e) => Err(e),
    };
    let text = text.map_err(|e| Error::usage(format!("{shown} cannot be read: {e}")))?;
    parse(&text).map_err(|why| Error::Usage {
        what: format!("{shown}: {why}"),
        next: Some("cosmoscope --print-config prints a file with every setting".to_owned()),
    })
}

fn parse(text: &str) -> Result<Config, String> {
    toml::from_str(text).map_err(|e| {
        let line = e.span().map(|s| {
            text.get(..s.start)
                .unwrap_or_default()
                .matches('\n')
                .count()
                + 1
        });
        let message = visible(e.message()).into_owned();
        line.map_or(message.clone(), |l| format!("line {l}: {message}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_defaults_are_the_defaults() {
        assert_eq!(parse(DEFAULTS), Ok(Config::default()));
    }

    #[test]
    fn unknown_settings_are_refused_with_their_line() {
        let wrong = parse("ceiling = \"decimal\"\ncolour = 1\n");
        assert!(
            wrong
                .as_ref()
                .is_err_and(|w| w.contains("line 2") && w.contains("colour")),
            "{wrong:?}"
        );
        assert!(parse("ceiling = \"round\"").is_err());
    }
}
