//! Which account is asked, what of it, and how somebody signs in. No secret is in here.

use std::time::Duration;

use super::exchange::Exchanges;
use super::services::CloudName;

/// How somebody signs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Auth {
    /// A key or connection string from the environment if there is one, else what the environment is set up for (workload
    /// identity, managed identity, client secret), else the developer's tools.
    #[default]
    Auto,
    /// `az` or `azd` of whoever sits here.
    Developer,
    WorkloadIdentity,
    ManagedIdentity,
    ClientSecret,
    /// A program that the configuration names and that prints a token.
    Command,
    /// An account key or connection string: from the environment, a file or a prompt without echo.
    Key,
}

/// Whether the other side is a real account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    #[default]
    Azure,
    /// A server on this machine, where nothing is signed and certificates are not looked at.
    Emulator,
}

/// What is asked, as a person said it. Compared as a whole: another target is another opening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// Checked by `endpoint`: scheme, host and port, nothing else.
    pub endpoint: String,
    pub side: Side,
    pub auth: Auth,
    pub cloud: CloudName,
    /// The program that prints a token, and its arguments; none is none.
    pub credential: Vec<String>,
    /// The directory that is signed in to, where it is not the usual one.
    pub tenant: Option<String>,
    pub database: Option<String>,
    pub container: Option<String>,
    /// The account in the management plane, where it is known.
    pub resource_id: Option<String>,
    /// The workspace of Log Analytics that holds the account's logs.
    pub workspace: Option<String>,
    /// HTTP/1.1 only, for what stands in between and does not speak HTTP/2.
    pub http1: bool,
    /// Through the proxy that the environment names.
    pub proxy: bool,
    /// Where questions and answers are kept for a bundle.
    pub exchanges: Exchanges,
}

impl Target {
    /// The account's name as it is shown: the first part of the host, or host and port of an emulator.
    pub fn account(&self) -> &str {
        let host = self.endpoint.split("://").last().unwrap_or_default();
        let host = host.trim_end_matches('/');
        match self.side {
            Side::Emulator => host,
            Side::Azure => host.split(['.', ':']).next().unwrap_or(host),
        }
    }
}

/// How long things may take and how often they are tried. Tests use a twentieth of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// A token, whatever the credential.
    pub sign_in: Duration,
    /// One operation with all that the SDK tries inside.
    pub operation: Duration,
    pub connect: Duration,
    /// Between tries of what is harmless to repeat.
    pub retry_after: [Duration; 2],
    /// Sampling rests after two refusals in a row.
    pub rest: Duration,
    /// Statistics of partitions are not asked for more often.
    pub statistics_every: Duration,
    pub metrics_every: Duration,
    /// RU/s that lists, containers and throughput may cost: a quarter of what the account has for all who ask for these.
    pub metadata_ru_per_second: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            sign_in: Duration::from_secs(13),
            operation: Duration::from_secs(10),
            connect: Duration::from_secs(5),
            retry_after: [Duration::from_millis(500), Duration::from_secs(2)],
            rest: Duration::from_secs(60),
            statistics_every: Duration::from_secs(60),
            metrics_every: Duration::from_secs(60),
            metadata_ru_per_second: 60,
        }
    }
}

impl Pace {
    /// Everything shorter by a factor, for tests.
    #[must_use]
    pub fn quicker(self, factor: u32) -> Self {
        Self {
            sign_in: self.sign_in / factor,
            operation: self.operation / factor,
            connect: self.connect / factor,
            retry_after: self.retry_after.map(|after| after / factor),
            rest: self.rest / factor,
            statistics_every: self.statistics_every / factor,
            metrics_every: self.metrics_every / factor,
            metadata_ru_per_second: self.metadata_ru_per_second * factor,
        }
    }
}
