//! Which programs send the requests, by the user agents that request logs name.

use std::fmt;

use super::units::whole_u64;

/// How often most SDKs repeat a request after a 429.
pub const SDK_RETRIES: u8 = 9;
/// The Rust SDK does it more often.
const RUST_RETRIES: u8 = 18;
/// Longest name of a program without a known SDK.
const MAX_NAME: usize = 60;

words! {
    /// Kits for Azure Cosmos DB for `NoSQL`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Sdk {
        DotNet = ".NET",
        /// Of version 2, under the name that the service had before.
        DotNet2 = ".NET 2",
        Java = "Java",
        JavaScript = "JavaScript",
        Python = "Python",
        Go = "Go",
        Rust = "Rust",
        Spark = "Spark",
    }
    fn name
}

/// How user agents begin; longer ones first where one begins another.
const BEGINNINGS: [(&str, Sdk); 14] = [
    ("azsdk-java-cosmos-spark", Sdk::Spark),
    ("azsdk-java-cosmos", Sdk::Java),
    ("cosmos-netstandard-sdk", Sdk::DotNet),
    ("documentdb-netcore-sdk", Sdk::DotNet2),
    ("documentdb-dotnet-sdk", Sdk::DotNet2),
    ("azure-cosmos-js", Sdk::JavaScript),
    ("azsdk-js-cosmos", Sdk::JavaScript),
    ("azure-cosmos-python", Sdk::Python),
    ("azsdk-python-cosmos", Sdk::Python),
    ("azure-cosmos-java", Sdk::Java),
    ("azsdk-go-azcosmos", Sdk::Go),
    ("azsdk-go-cosmos", Sdk::Go),
    ("azsdk-rust-cosmos", Sdk::Rust),
    ("azsdk-rust-azure_data_cosmos", Sdk::Rust),
];

impl Sdk {
    /// The first version that knows hierarchical keys, where the documentation names one.
    pub fn first_with_levels(self) -> Option<ClientVersion> {
        Some(ClientVersion(match self {
            Self::DotNet => [3, 33, 0],
            Self::Java => [4, 42, 0],
            Self::JavaScript => [4, 0, 0],
            Self::Python => [4, 6, 0],
            Self::DotNet2 | Self::Go | Self::Rust | Self::Spark => return None,
        }))
    }
}

/// How often clients repeat a request after a 429.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Retries {
    pub times: f64,
    /// Set, or the capture's own; else the default of an SDK, which a program may change.
    pub is_certain: bool,
}

impl Retries {
    pub fn certain(times: f64) -> Self {
        Self { times, is_certain: true }
    }

    /// No simulation follows more.
    pub fn whole_times(&self) -> u8 {
        u8::try_from(whole_u64(self.times)).unwrap_or(u8::MAX)
    }

    /// As the SDK of this client does by default; the Spark connector has no end.
    pub fn of(client: Option<&Client>) -> Self {
        let times = match client {
            Some(Client::Sdk { sdk: Sdk::Spark, .. }) => f64::INFINITY,
            Some(Client::Sdk { sdk: Sdk::Rust, .. }) => f64::from(RUST_RETRIES),
            _ => f64::from(SDK_RETRIES),
        };
        Self { times, is_certain: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientVersion(pub [u32; 3]);

impl ClientVersion {
    /// The numbers at the beginning of a text such as `3.31.2` or `4.0.0-beta.1`.
    fn parse(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let mut numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
        let first = numbers.next()?.parse().ok()?;
        let mut next = || numbers.next().and_then(|n| n.parse().ok()).unwrap_or(0);
        Some(Self([first, next(), next()]))
    }
}

impl fmt::Display for ClientVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// A program that sends requests, without what differs from machine to machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Client {
    Sdk {
        sdk: Sdk,
        version: Option<ClientVersion>,
        /// What the application adds, where it does.
        application: Option<Box<str>>,
    },
    /// The first word of another user agent.
    Other(Box<str>),
}

/// What a client sent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ClientSum {
    pub requests: u64,
    pub ru: f64,
    /// Requests of which the log shows how they signed in.
    pub signed_in: u64,
    /// Requests with a resource token among them.
    pub by_resource_token: u64,
}

impl ClientSum {
    pub fn add(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.signed_in = self.signed_in.saturating_add(other.signed_in);
        self.by_resource_token = self.by_resource_token.saturating_add(other.by_resource_token);
        self.ru += other.ru;
    }
}

impl Client {
    /// None of an empty user agent.
    pub fn parse(user_agent: &str) -> Option<Self> {
        let user_agent = user_agent.trim();
        let lower = user_agent.to_ascii_lowercase();
        for (beginning, sdk) in BEGINNINGS {
            let Some(at) = lower.find(beginning) else {
                continue;
            };
            // Go puts the application before, all others behind.
            let rest = user_agent.get(at + beginning.len()..)?;
            let version = rest.trim_start_matches(['/', 'v']);
            let before = user_agent.get(..at).unwrap_or_default();
            return Some(Self::Sdk {
                sdk,
                version: ClientVersion::parse(version),
                application: application(before, rest),
            });
        }
        let word = user_agent.split_whitespace().next()?;
        Some(Self::Other(word.chars().take(MAX_NAME).collect()))
    }

    /// Without what an application is called.
    pub fn hide_name(&mut self) {
        match self {
            Self::Sdk { application, .. } => *application = None,
            Self::Other(word) => *word = "another program".into(),
        }
    }

    /// Whether it can use hierarchical keys; None where its version or the first one that can is not known.
    pub fn knows_levels(&self) -> Option<bool> {
        let Self::Sdk { sdk, version, .. } = self else {
            return None;
        };
        if *sdk == Sdk::DotNet2 {
            return Some(false);
        }
        Some((*version)? >= sdk.first_with_levels()?)
    }
}

/// The words before the kit, and of .NET what follows the last `|` that is not one of its own.
fn application(before: &str, rest: &str) -> Option<Box<str>> {
    let behind = rest.split('|').nth(7).unwrap_or_default();
    let java = || rest.rsplit_once("JRE/")?.1.split_once(' ');
    let found = [before, behind, java().map_or("", |(_, name)| name)];
    let found = found.into_iter().map(str::trim).find(|s| !s.is_empty())?;
    Some(found.chars().take(MAX_NAME).collect())
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(word) => f.write_str(word),
            Self::Sdk { sdk, version, application } => {
                f.write_str(sdk.name())?;
                if let Some(version) = version {
                    write!(f, " {version}")?;
                }
                match application {
                    Some(name) => write!(f, " ({name})"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn user_agents_name_kit_version_and_application() {
        for (text, shown, knows_levels) in [
            (
                "cosmos-netstandard-sdk/3.31.2|1|X64|Microsoft Windows 10.0.22635|.NET 6.0.9|N|F 00000111|shop-api|",
                ".NET 3.31.2 (shop-api)",
                Some(false),
            ),
            ("cosmos-netstandard-sdk/3.33.0|1|X64|Linux|.NET 8|N|F 0|", ".NET 3.33.0", Some(true)),
            ("documentdb-netcore-sdk/2.10.0", ".NET 2 2.10.0", Some(false)),
            (
                "azsdk-java-cosmos/4.41.0 Linux/5.4.0 JRE/17.0.2 billing",
                "Java 4.41.0 (billing)",
                Some(false),
            ),
            ("azsdk-java-cosmos-spark/4.30.0 Linux", "Spark 4.30.0", None),
            ("azsdk-js-cosmos/4.0.0-beta.2 (Node)", "JavaScript 4.0.0", Some(true)),
            ("azure-cosmos-js/3.17.3 Node/18", "JavaScript 3.17.3", Some(false)),
            ("azsdk-python-cosmos/4.6 Python/3.11", "Python 4.6.0", Some(true)),
            ("loader azsdk-go-azcosmos/v1.0.2 (go1.22; linux)", "Go 1.0.2 (loader)", None),
            ("Mozilla/5.0 (X11)", "Mozilla/5.0", None),
        ] {
            let client = Client::parse(text).unwrap();
            assert_eq!(client.to_string(), shown, "{text}");
            assert_eq!(client.knows_levels(), knows_levels, "{text}");
        }
        assert_eq!(Client::parse(" "), None);
    }

    #[test]
    fn clients_repeat_as_their_sdk_does() {
        for (text, times) in [
            ("cosmos-netstandard-sdk/3.33.0|1|X64|", 9.0),
            ("azsdk-rust-cosmos/0.20.0", 18.0),
            ("azsdk-java-cosmos-spark/4.30.0 Linux", f64::INFINITY),
            ("Mozilla/5.0 (X11)", 9.0),
        ] {
            let found = Retries::of(Client::parse(text).as_ref());
            assert_eq!(found, Retries { times, is_certain: false }, "{text}");
        }
        assert_eq!(Retries::of(None).whole_times(), SDK_RETRIES);
    }
}
