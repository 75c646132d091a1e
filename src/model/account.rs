//! What an account is set to, as far as it changes what its figures mean or what can be read.

use std::sync::Arc;

/// A setting that a person should know of before reading figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Setting {
    Serverless,
    /// Physical partitions may be merged: only listed SDKs are served.
    MergeEnabled,
    Burst,
    /// RU/s scale by themselves for each region and physical partition.
    PartitionAutoscale,
    /// Nobody signs in with a key.
    NoKeys,
    /// Requests may be told to wait behind others.
    Priorities,
    SeveralWriteRegions,
    /// Closed to the public internet.
    PrivateOnly,
    PeriodicBackup,
    /// The service may throttle one key below the RU/s of its partition: a preview that no page documents.
    KeyThrottling,
    /// Not an account for `NoSQL`.
    OtherApi,
}

impl Setting {
    /// Whether figures of containers mean something else with it.
    pub fn is_about_figures(self) -> bool {
        matches!(
            self,
            Self::Serverless
                | Self::Burst
                | Self::PartitionAutoscale
                | Self::SeveralWriteRegions
                | Self::KeyThrottling
                | Self::OtherApi
        )
    }

    /// What it is, and what follows from it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serverless => (
                "serverless",
                "no RU/s are provisioned: a physical partition gives up to 5,000 RU/s, and shares of RU/s are left out",
            ),
            Self::MergeEnabled => (
                "merging of physical partitions is switched on",
                "the service then answers only clients that say they read merged partitions, as this one does",
            ),
            Self::Burst => (
                "burst capacity is on",
                "partitions below 3,000 RU/s may go beyond their share for a while: over 100 % is no fault then",
            ),
            Self::PartitionAutoscale => (
                "autoscale works by region and physical partition (the default since 2024-09-25)",
                "a hot partition scales alone: RU/s of partitions differ at any one time",
            ),
            Self::KeyThrottling => (
                "hot-key throttling is on (a preview)",
                "one key may use a part of its partition's RU/s only (75 % unless it is set): it gets 429s below 100 % of the partition",
            ),
            Self::NoKeys => (
                "keys are switched off (local authentication is disabled)",
                "sign in with Microsoft Entra ID; older pages say that container copy jobs do not work with it, newer ones do not",
            ),
            Self::Priorities => (
                "priority-based execution is on",
                "requests of this program say that they may wait",
            ),
            Self::SeveralWriteRegions => (
                "several regions take writes",
                "each region has RU/s of its own: the worst region is shown",
            ),
            Self::PrivateOnly => (
                "closed to the public internet",
                "the data plane answers in its private network only",
            ),
            Self::PeriodicBackup => {
                ("backup is periodic", "online container copy jobs need continuous backup")
            }
            Self::OtherApi => ("not an account for NoSQL", "only its sizes and metrics are known"),
        }
    }
}

/// One account, as the management plane or an export of it tells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Account {
    pub name: Option<Arc<str>>,
    /// In the order in which they are to be told; what is not in here nobody told.
    settings: Vec<(Setting, bool)>,
    /// In the order of fail-over.
    pub regions: Vec<String>,
}

impl Account {
    pub fn new(name: Option<&str>, reported: Vec<(Setting, bool)>, regions: Vec<String>) -> Self {
        Self { name: name.map(Arc::from), settings: reported, regions }
    }

    /// Whether it is set so; None where nobody told.
    pub fn is(&self, setting: Setting) -> Option<bool> {
        let reported = self.settings.iter().find(|(other, _)| *other == setting);
        reported.map(|(_, is)| *is)
    }

    /// What it is set to.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        let set = self.settings.iter().filter(|(_, is)| *is);
        set.map(|(setting, _)| *setting)
    }

    /// Whether it is the account of that name; letter case means nothing.
    pub fn is_named(&self, name: &str) -> bool {
        let own = self.name.as_deref();
        own.is_some_and(|own| own.eq_ignore_ascii_case(name))
    }
}
