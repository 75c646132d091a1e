//! The configuration: one TOML text, all settings optional, unknown ones refused.

use serde::Deserialize;

use crate::model::visible::visible;

/// The file with every default and a comment, as `--print-config` prints it.
pub const DEFAULTS: &str = include_str!("../assets/config.toml");

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CeilingReading {
    #[default]
    Binary,
    Decimal,
}

/// How many colours the screens use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub enum Colours {
    /// As many as the terminal is known to show.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "true")]
    True,
    #[serde(rename = "256")]
    Indexed256,
    #[serde(rename = "16")]
    Basic16,
    #[serde(rename = "none")]
    None,
}

/// The theme that follows the terminal.
pub const AUTO_THEME: &str = "auto";

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub ceiling: CeilingReading,
    pub memory: String,
    pub time_zone: String,
    pub theme: String,
    pub colours: Colours,
    pub mouse: bool,
    pub recent: bool,
    /// Thresholds of verdicts, each as `name=value`.
    pub thresholds: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ceiling: CeilingReading::Binary,
            memory: "2GiB".to_owned(),
            time_zone: String::new(),
            theme: AUTO_THEME.to_owned(),
            colours: Colours::Auto,
            mouse: true,
            recent: true,
            thresholds: Vec::new(),
        }
    }
}

/// Reads a configuration's text; an error says what is wrong and where.
pub fn parse(text: &str) -> Result<Config, String> {
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
        assert!(parse("colours = \"8\"").is_err());
    }

    #[test]
    fn the_screens_have_settings_too() {
        let text = "theme = \"light\"\ncolours = \"256\"\nmouse = false\nrecent = false\nthresholds = [\"hot=85%\"]\n";
        let config = parse(text);
        let expected = Config {
            theme: "light".to_owned(),
            colours: Colours::Indexed256,
            mouse: false,
            recent: false,
            thresholds: vec!["hot=85%".to_owned()],
            ..Config::default()
        };
        assert_eq!(config, Ok(expected));
    }
}
