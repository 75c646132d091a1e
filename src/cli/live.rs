//! What `connect` and `doctor` are asked: the account, how somebody signs in, what may be spent. No option takes a secret,
//! and nothing that was given in the wrong place is repeated, since it may be one.

mod contexts;
mod key_sources;
mod prompt;
pub mod restart;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Masking, TextOrJson, option_values};
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::limits::SPENT_RU;
use crate::source::live::endpoint;
use crate::source::live::exchange::Exchanges;
use crate::source::live::secret::{KeyCredential, looks_secret};
use crate::source::live::services::CloudName;
use crate::source::live::target::{Auth, Side, Target};
use crate::source::recording::Existing;
pub use crate::work::sample::Allowance;

/// RU that may be spent before the user confirms more.
const USUAL_BUDGET_RU: f64 = 1000.0;
const USUAL_EVERY: Duration = Duration::from_secs(60);
/// Metrics have a point a minute: reading more often than this brings nothing new.
const LEAST_EVERY: Duration = Duration::from_secs(10);
const LEAST_EVERY_EMULATOR: Duration = Duration::from_secs(1);
const MOST_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Names of databases and containers are at most 255 characters.
const MOST_NAME_CHARS: usize = 255;

/// Which account is asked, and how.
#[expect(clippy::doc_markdown, reason = "this is the help text, where backticks would show")]
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Data")]
pub struct AccountArguments {
    /// The account's endpoint, such as https://contoso.documents.azure.com, its name alone, or a context of the
    /// configuration
    #[arg(value_name = "ENDPOINT|CONTEXT", help_heading = "Arguments")]
    pub endpoint: String,

    /// Only this database
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,

    /// Only this container; needs a database
    #[arg(long, value_name = "NAME")]
    pub container: Option<String>,

    /// How to sign in; auto takes a key from the environment or --key-file, else the program of the context, else what the environment is set up for, else az
    #[arg(long, value_name = "HOW", value_enum)]
    pub auth: Option<SignInMethod>,

    /// The directory (tenant) of the account, where it is not the one that az is logged in to
    #[arg(long, value_name = "ID")]
    pub tenant: Option<String>,

    /// The cloud of the account, where its endpoint does not say [default: public]
    #[arg(long, value_name = "CLOUD", value_parser = CloudName::ALL.map(CloudName::word))]
    pub cloud: Option<String>,

    /// Sign in with the account key or connection string in this file, which others may not read, or - for standard input,
    /// where the command needs no screens; without it the variables COSMOSCOPE_KEY and AZURE_COSMOS_CONNECTION_STRING are looked at
    #[expect(clippy::doc_markdown, reason = "this is the help text, where backticks would show")]
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,

    /// The endpoint is an emulator on this machine: plain http is fine and certificates are not checked
    #[arg(long)]
    pub emulator: bool,

    /// Also sign in to hosts whose names end so; whatever answers there gets a token for your accounts
    #[arg(long, value_name = "SUFFIX")]
    pub allow_host: Vec<String>,

    /// The account in Azure Resource Manager, for throughput and metrics: /subscriptions/…/databaseAccounts/NAME
    #[arg(long, value_name = "ID")]
    pub resource_id: Option<String>,

    /// The Log Analytics workspace with the account's logs, by its id
    #[arg(long, value_name = "ID")]
    pub workspace: Option<String>,

    /// Speak HTTP/1.1 only, for proxies that know no other
    #[arg(long)]
    pub http1: bool,

    /// Go through the proxy that the environment names
    #[arg(long)]
    pub proxy: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Connect {
    #[command(flatten)]
    pub account: AccountArguments,

    /// How often metrics are read again; sizes of partitions at most once a minute [default: 60s]
    #[arg(long, value_name = "TIME", help_heading = "Data")]
    pub every: Option<String>,

    /// Write all that is seen to this file, for replay; an earlier recording of this account is gone on with
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,

    /// Replace the file of --record if there is one
    #[arg(long, requires = "record", help_heading = "Output")]
    pub force: bool,

    #[command(flatten)]
    pub masking: Masking,

    /// RU that may be spent before it pauses for your answer [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub ru_budget: Option<String>,

    /// RU/s that reading documents may use [default: 1 % of what is provisioned, 5 to 100]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub ru_rate: Option<String>,
}

#[derive(Args, Debug, Clone)]
pub struct DoctorArguments {
    #[command(flatten)]
    pub account: AccountArguments,
    #[arg(long, value_enum, default_value_t = TextOrJson::Text, help_heading = "Output")]
    pub format: TextOrJson,

    /// Also write a JSON file for a report of a fault: statuses, header names, shapes and timings, no names and no values
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub bundle: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct CountArguments {
    #[command(flatten)]
    pub account: AccountArguments,

    /// The property to count by, such as /tenantId; up to three, for hierarchical keys
    #[arg(long, value_name = "PATH", required = true, help_heading = "Data")]
    pub path: Vec<String>,

    /// Only the N keys with the most documents
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub top: Option<usize>,

    #[arg(long, value_enum, default_value_t = TextOrJson::Text, help_heading = "Output")]
    pub format: TextOrJson,

    /// Begin without asking, within --ru-budget
    #[arg(long, help_heading = "Limits")]
    pub yes: bool,

    /// RU that may be spent before it pauses for your answer [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub ru_budget: Option<String>,

    /// RU/s that counting may use [default: 1 % of what is provisioned, 5 to 100]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub ru_rate: Option<String>,

    #[command(flatten)]
    pub output: super::Output,
}

/// What was said of RU.
pub fn allowance(budget: Option<&str>, rate: Option<&str>) -> Result<Allowance, Error> {
    Ok(Allowance {
        budget_ru: budget.map_or(Ok(USUAL_BUDGET_RU), |text| ru("--ru-budget", text))?,
        rate_ru: rate.map(|text| ru("--ru-rate", text)).transpose()?,
    })
}

/// How to sign in.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInMethod {
    Auto,
    /// The log-in of az or azd
    Developer,
    WorkloadIdentity,
    ManagedIdentity,
    /// An application, by `AZURE_TENANT_ID`, `AZURE_CLIENT_ID` and `AZURE_CLIENT_SECRET`
    ClientSecret,
    /// An account key or connection string: from the environment, a file, or a prompt that shows nothing
    Key,
}

impl SignInMethod {
    fn auth(self) -> Auth {
        match self {
            Self::Auto => Auth::Auto,
            Self::Developer => Auth::Developer,
            Self::WorkloadIdentity => Auth::WorkloadIdentity,
            Self::ManagedIdentity => Auth::ManagedIdentity,
            Self::ClientSecret => Auth::ClientSecret,
            Self::Key => Auth::Key,
        }
    }
}

/// Where what is seen is written to.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub path: PathBuf,
    pub existing: Existing,
}

/// All that `connect` begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct Connection {
    pub target: Target,
    /// A key, if one was found; sign-in decides whether it is used.
    pub given: Option<KeyCredential>,
    pub every: Duration,
    pub record: Option<Record>,
    /// Of screens and recording.
    pub masking: Masking,
    pub allowance: Allowance,
    /// What the user should know before anything is sent, already visible.
    pub notes: Vec<String>,
}

/// Everything but the secrets, which are read last.
pub fn live(c: &Connect, config: &Config) -> Result<Connection, Error> {
    if c.account.key_file.as_deref().is_some_and(key_sources::is_standard_input) {
        return Err(usage(
            "the screens take keys of the keyboard from standard input and cannot read an account key from it",
            "put it into COSMOSCOPE_KEY or a file for --key-file, or type it at the prompt of --auth key",
        ));
    }
    let (target, notes) = target(&c.account, config)?;
    let least = match target.side {
        Side::Azure => LEAST_EVERY,
        Side::Emulator => LEAST_EVERY_EMULATOR,
    };
    let live = Connection {
        every: c.every.as_deref().map_or(Ok(USUAL_EVERY), |text| every(text, least))?,
        record: c.record.clone().map(|path| Record {
            path,
            existing: if c.force { Existing::Replace } else { Existing::Continue },
        }),
        allowance: allowance(c.ru_budget.as_deref(), c.ru_rate.as_deref())?,
        masking: c.masking.clone(),
        target,
        given: None,
        notes,
    };
    Ok(live)
}

/// The key that was given, if any, and what to say of it. Prompts at the terminal only for `--auth key`.
pub fn given(
    account: &AccountArguments,
    target: &Target,
) -> Result<(Option<KeyCredential>, Vec<String>), Error> {
    key_sources::find(account.key_file.as_deref(), target)
}

/// Which account is meant, and what to say of it.
pub fn target(account: &AccountArguments, config: &Config) -> Result<(Target, Vec<String>), Error> {
    let context = contexts::named(&account.endpoint, config)?;
    let endpoint = context.map_or(account.endpoint.as_str(), |c| c.endpoint.as_str());
    let side = if account.emulator { Side::Emulator } else { Side::Azure };
    let allowed: Result<Vec<String>, Error> =
        account.allow_host.iter().map(|s| endpoint::allowed(s)).collect();
    let cloud = |name: &CloudName| Some(name.word()) == account.cloud.as_deref();
    let cloud = CloudName::ALL.into_iter().find(cloud);
    let mut read = endpoint::read(endpoint, side, cloud.unwrap_or_default(), &allowed?)?;
    let or = |given: &Option<String>,
              kept: fn(&crate::config::ConfigContext) -> &Option<String>| {
        given.clone().or_else(|| kept(context?).clone())
    };
    let auth = match (account.auth, context) {
        (Some(how), _) => how.auth(),
        (None, Some(context)) => contexts::auth(context)?,
        (None, None) => Auth::Auto,
    };
    let target = Target {
        endpoint: read.url,
        side,
        auth,
        cloud: CloudName::of_host(&read.host).or(cloud).unwrap_or_default(),
        credential: context.map(|context| context.credential.clone()).unwrap_or_default(),
        tenant: tenant(or(&account.tenant, |c| &c.tenant))?,
        database: name("--database", or(&account.database, |c| &c.database))?,
        container: name("--container", or(&account.container, |c| &c.container))?,
        resource_id: resource_id(or(&account.resource_id, |c| &c.resource_id))?,
        workspace: workspace(or(&account.workspace, |c| &c.workspace))?,
        http1: account.http1,
        proxy: account.proxy,
        exchanges: Exchanges::default(),
    };
    if target.cloud != CloudName::Public && matches!(auth, Auth::Auto | Auth::Developer) {
        let name = target.cloud.az_name();
        read.notes.push(format!("az signs in to this cloud after: az cloud set --name {name}"));
    }
    if target.container.is_some() && target.database.is_none() {
        return Err(usage(
            "--container needs --database",
            "names of containers repeat from database to database",
        ));
    }
    if account.key_file.is_some() && !matches!(target.auth, Auth::Auto | Auth::Key) {
        return Err(usage(
            "--key-file gives a key, and --auth says to sign in without one",
            "leave one of the two out",
        ));
    }
    Ok((target, read.notes))
}

const NO_SECRET: &str = "if a key slipped in there, make a new one (rotate it); keys belong in COSMOSCOPE_KEY or --key-file";

fn name(option: &str, text: Option<String>) -> Result<Option<String>, Error> {
    let fits = |text: &String| {
        !text.is_empty()
            && text.chars().count() <= MOST_NAME_CHARS
            && !text.contains(['/', '\\', '?', '#'])
            && !text.to_ascii_lowercase().contains("accountkey=")
    };
    match text {
        Some(text) if !fits(&text) => Err(usage(
            format!("{option} is not a name that a database or container can have"),
            NO_SECRET,
        )),
        text => Ok(text),
    }
}

/// The number of a directory, or its domain.
fn tenant(text: Option<String>) -> Result<Option<String>, Error> {
    let fits = |text: &String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        (1..=MOST_NAME_CHARS).contains(&text.len()) && text.chars().all(plain)
    };
    match text {
        Some(text) if !fits(&text) => {
            Err(usage("--tenant is neither the id of a directory nor its domain", NO_SECRET))
        }
        text => Ok(text),
    }
}

/// `/subscriptions/…/resourceGroups/…/providers/Microsoft.DocumentDB/databaseAccounts/NAME`, whatever the case.
fn resource_id(text: Option<String>) -> Result<Option<String>, Error> {
    const SHAPE: [Option<&str>; 8] = [
        Some("subscriptions"),
        None,
        Some("resourcegroups"),
        None,
        Some("providers"),
        Some("microsoft.documentdb"),
        Some("databaseaccounts"),
        None,
    ];
    let Some(text) = text else { return Ok(None) };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '(' | ')');
    let parts: Vec<&str> = text.trim_end_matches('/').split('/').skip(1).collect();
    let fits = text.starts_with('/')
        && parts.len() == SHAPE.len()
        && parts.iter().zip(SHAPE).all(|(part, wanted)| {
            let is_name =
                !part.is_empty() && *part != "." && *part != ".." && part.chars().all(is_plain);
            is_name && wanted.is_none_or(|wanted| part.eq_ignore_ascii_case(wanted))
        });
    if !fits {
        return Err(usage(
            "--resource-id is not the id of an Azure Cosmos DB account",
            "the portal shows it under Properties: /subscriptions/…/resourceGroups/…/providers/Microsoft.DocumentDB/databaseAccounts/NAME",
        ));
    }
    Ok(Some(format!("/{}", parts.join("/"))))
}

/// The id of a workspace: 32 hexadecimal digits in five groups.
fn workspace(text: Option<String>) -> Result<Option<String>, Error> {
    let Some(text) = text else { return Ok(None) };
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    let fits =
        groups == [8, 4, 4, 4, 12] && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    if fits {
        return Ok(Some(text.to_ascii_lowercase()));
    }
    Err(usage(
        "--workspace is not the id of a Log Analytics workspace",
        "the portal shows it on the workspace's Overview: five groups of hexadecimal digits with hyphens between",
    ))
}

/// `60s`, `5m`, `1h`; a number alone is seconds.
fn every(text: &str, least: Duration) -> Result<Duration, Error> {
    let text = text.trim();
    let (digits, factor) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3600),
        _ => (text, 1),
    };
    let is_number =
        !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|b| b.is_ascii_digit());
    let seconds = digits.parse::<u64>().ok().filter(|_| is_number);
    let found = seconds.map(|n| Duration::from_secs(n * factor));
    found.filter(|found| (least..=MOST_EVERY).contains(found)).ok_or_else(|| {
        usage(
            format!("--every must be between {}s and 1d", least.as_secs()),
            "examples: 60s, 5m, 1h",
        )
    })
}

fn ru(option: &str, text: &str) -> Result<f64, Error> {
    option_values::number(option, text.parse().unwrap_or(f64::NAN), SPENT_RU)
}

/// Whether any of these texts may be a secret.
pub(super) fn any_secret<'a>(texts: impl IntoIterator<Item = &'a str>) -> bool {
    texts.into_iter().any(looks_secret)
}
