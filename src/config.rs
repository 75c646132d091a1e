//! The configuration: one TOML text, all settings optional, unknown ones refused.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etcetera::{BaseStrategy, choose_base_strategy};
use serde::Deserialize;

use crate::analysis::billing::Price;
use crate::model::visible::visible;
use crate::source::live::secret::looks_secret;

/// The folder for this program's own files.
pub fn folder() -> Option<PathBuf> {
    choose_base_strategy().ok().map(|s| s.config_dir().join("cosmoscope"))
}

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
pub enum ColourSetting {
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

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub ceiling: CeilingReading,
    pub memory: String,
    pub time_zone: String,
    pub theme: String,
    pub colours: ColourSetting,
    pub mouse: bool,
    pub recent: bool,
    /// Thresholds of verdicts, each as `name=value`.
    pub thresholds: Vec<String>,
    /// What RU/s cost; None shows RU/s only.
    pub price: Option<Price>,
    /// Accounts by a name of one's own.
    pub contexts: BTreeMap<String, ConfigContext>,
}

/// An account and what of it is looked at. There is no place for a secret here, and none is taken.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ConfigContext {
    pub endpoint: String,
    pub database: Option<String>,
    pub container: Option<String>,
    pub auth: Option<String>,
    pub tenant: Option<String>,
    /// A program that prints a token, and its arguments.
    pub credential: Vec<String>,
    pub resource_id: Option<String>,
    pub workspace: Option<String>,
}

impl ConfigContext {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let named = [&self.database, &self.container, &self.resource_id, &self.workspace];
        let optional = named.into_iter().chain([&self.auth, &self.tenant]).flatten();
        let texts = std::iter::once(&self.endpoint).chain(optional).chain(&self.credential);
        texts.map(String::as_str)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ceiling: CeilingReading::Binary,
            memory: "2GiB".to_owned(),
            time_zone: String::new(),
            theme: AUTO_THEME.to_owned(),
            colours: ColourSetting::Auto,
            mouse: true,
            recent: true,
            thresholds: Vec::new(),
            price: None,
            contexts: BTreeMap::new(),
        }
    }
}

const NO_SECRETS: &str = "keys and other secrets do not belong into this file: make a new key (rotate it), and give it in \
     COSMOSCOPE_KEY or by --key-file";

/// Reads a configuration's text; an error says what is wrong and where, and repeats no secret.
pub fn parse(text: &str) -> Result<Config, String> {
    let config: Config = toml::from_str(text).map_err(|e| {
        let start = e.span().map(|span| span.start);
        let line = start.map(|start| text.get(..start).unwrap_or_default().matches('\n').count());
        let of_line = line.and_then(|line| text.lines().nth(line)).unwrap_or_default();
        let message = if is_for_secret(of_line) || looks_secret(of_line) {
            NO_SECRETS.to_owned()
        } else {
            visible(e.message()).into_owned()
        };
        line.map_or(message.clone(), |line| format!("line {}: {message}", line + 1))
    })?;
    if let Some(price) = &config.price {
        check_price(price)?;
    }
    for (name, context) in &config.contexts {
        if looks_secret(name) {
            return Err(format!("contexts: {NO_SECRETS}"));
        }
        if context.texts().any(looks_secret) {
            return Err(format!("contexts.{}: {NO_SECRETS}", visible(name)));
        }
    }
    Ok(config)
}

fn check_price(price: &Price) -> Result<(), String> {
    if !price.per_100_ru_hour.is_finite() || price.per_100_ru_hour < 0.0 {
        return Err("price.per_100_ru_hour must be 0 or more".to_owned());
    }
    if looks_secret(&price.currency) {
        return Err(format!("price.currency: {NO_SECRETS}"));
    }
    Ok(())
}

/// Whether a line sets what only a secret is called.
fn is_for_secret(line: &str) -> bool {
    const WORDS: [&str; 7] =
        ["key", "secret", "password", "token", "connection", "credential", "sas"];
    let Some((name, _)) = line.split_once('=') else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| WORDS.iter().any(|secret| word.ends_with(secret)))
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
            wrong.as_ref().is_err_and(|w| w.contains("line 2") && w.contains("colour")),
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
            colours: ColourSetting::Indexed256,
            mouse: false,
            recent: false,
            thresholds: vec!["hot=85%".to_owned()],
            ..Config::default()
        };
        assert_eq!(config, Ok(expected));
    }

    #[test]
    fn a_price_is_a_number_with_a_currency() {
        let price = |text: &str| parse(text).map(|config| config.price);
        let text = "[price]\nper_100_ru_hour = 0.008\ncurrency = \"EUR\"\n";
        let expected = Price { per_100_ru_hour: 0.008, currency: "EUR".to_owned() };
        assert_eq!(price(text), Ok(Some(expected)));
        assert_eq!(price(""), Ok(None));
        for wrong in ["-0.1", "nan", "inf", "\"free\""] {
            let text = format!("[price]\nper_100_ru_hour = {wrong}\n");
            assert!(price(&text).is_err(), "{wrong}");
        }
        assert!(price("[price]\ncurrency = \"EUR\"\n").is_err());
    }

    #[test]
    fn a_context_names_an_account_and_no_secret() {
        let text = "[contexts.prod]\nendpoint = \"https://contoso.documents.azure.com\"\ndatabase = \"shop\"\n\
            auth = \"managed-identity\"\nresource-id = \"/subscriptions/0f8fad5b-d9cb-469f-a165-70867728950e/resourceGroups/Rg1/providers/Microsoft.DocumentDB/databaseAccounts/contoso\"\n";
        let config = parse(text).unwrap_or_default();
        let context = config.contexts.get("prod").cloned().unwrap_or_default();
        assert_eq!(context.endpoint, "https://contoso.documents.azure.com");
        assert_eq!(context.database.as_deref(), Some("shop"));
        let key = "sentinelSENTINEL0123456789sentinelSENTINEL0123456789sentinelSENTINEL01234567890sentinel==";
        for wrong in [
            format!("key = \"{key}\""),
            "account-key = \"sentinel\"".to_owned(),
            "accountKey = \"sentinel\"".to_owned(),
            "connection-string = \"sentinel\"".to_owned(),
            format!("auth = \"{key}\""),
            format!("endpoint = \"AccountEndpoint=https://a/;AccountKey={key}\""),
            format!("database = {key}"),
            format!("endpoint = \"https://contoso.documents.azure.com/?sig={key}\""),
        ] {
            let told = parse(&format!("[contexts.prod]\n{wrong}\n"));
            let told = told.err().unwrap_or_default();
            assert!(told.contains("rotate it") && !told.contains("sentinel"), "{wrong}: {told}");
        }
    }
}
