//! The description of a scenario as its file gives it.

use serde::{Deserialize, Deserializer};
use toml::value::Datetime;

use super::ScenarioInfo;
use super::document_spec::{ContainerDocuments, DocumentsSpec, Draw};
use super::queries::QuerySpec;
use crate::model::physical::Throughput;
use crate::model::time::{Civil, Stamp};

/// A whole scenario. It ends at midnight of a date of its own; no clock is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    pub title: String,
    pub look_at: String,
    pub seed: u64,
    pub account: String,
    pub database: String,
    pub region: String,
    /// The day after the last one.
    pub ends: Datetime,
    /// Requests are known for the last minutes before the end; five-minute totals want a multiple of five.
    pub load_minutes: u32,
    /// How often its clients repeat a throttled request.
    pub retries: u8,
    pub documents: DocumentsSpec,
    pub containers: Vec<ContainerSpec>,
    #[serde(skip)]
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContainerSpec {
    pub name: String,
    pub paths: Vec<String>,
    #[serde(deserialize_with = "throughput")]
    pub throughput: Throughput,
    /// Physical partitions the container began with, its hash space divided evenly among them; full ones were split since.
    pub partitions: u32,
    pub readings: Readings,
    /// Data under keys too small to be listed one by one, spread evenly.
    #[serde(default)]
    pub unlisted_gib: f64,
    /// The share that these gained between the first reading and the end; where it is given, so are sizes of partitions.
    pub unlisted_gained: Option<f64>,
    pub keys: Vec<KeyGroup>,
    #[serde(default)]
    pub without_key: Vec<KeylessLoad>,
    /// Partitions save the RU that they do not use, as the account's burst capacity lets them.
    #[serde(default)]
    pub is_burst: bool,
    /// What requests in the throughput bucket may use of its RU/s.
    pub bucket_share: Option<f64>,
    /// How far the requests of a key sway around their mean, as a share.
    #[serde(default)]
    pub sway: f64,
    pub documents: ContainerDocuments,
    /// Some have a time to live of their own.
    #[serde(default)]
    pub is_expiring: bool,
    pub queries: Vec<QuerySpec>,
    /// Keys worth trying in place of its own, in the order in which they teach something.
    #[serde(default)]
    pub try_keys: Vec<String>,
}

/// When sizes were read, back from the end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Readings {
    pub count: u32,
    pub every_hours: u32,
    pub shown: SizePrecision,
}

/// How a size is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SizePrecision {
    Exact,
    /// As the service estimates: whole hundredths of the physical partition, rounded down; what is smaller is left out.
    Staircase,
}

/// Keys made from one pattern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyGroup {
    /// A pattern for each path; `{name}` stands for the value of an axis, `{uuid}` for a random one.
    pub key: Vec<String>,
    /// Every combination is a key; the last axis turns fastest.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Size at the end.
    pub gib: Amount,
    #[serde(default)]
    pub spread: Spread,
    /// The share of its size that a key gained, evenly, between the first reading and the end.
    #[serde(default)]
    pub gained: f64,
    /// So many times its size was written to it: a full key takes no more.
    #[serde(default = "once")]
    pub written: f64,
    #[serde(default)]
    pub load: Vec<KeyLoad>,
    /// Values that the documents of these keys have, as if they were axes.
    #[serde(default)]
    pub draws: Vec<Draw>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Axis {
    pub name: String,
    pub over: ValueRange,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ValueRange {
    Values(Vec<String>),
    /// 1 up to and with this number.
    Numbers(u32),
    /// The last days, months or seconds before the end; a key of a period is written only during it.
    Days(u32),
    Months(u32),
    Seconds(u32),
}

impl ValueRange {
    pub fn count(&self) -> f64 {
        match self {
            Self::Values(values) => values.iter().map(|_| 1.0).sum(),
            Self::Numbers(n) | Self::Days(n) | Self::Months(n) | Self::Seconds(n) => f64::from(*n),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Amount {
    /// The mean of a key.
    Each(f64),
    Total(f64),
}

/// Who gets how much of a total.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Spread {
    #[default]
    Even,
    /// By the values of the first axis.
    Weights(Vec<f64>),
    /// The second key half of the first, the third a third.
    Zipf,
    /// By chance, from half to one and a half.
    Ragged,
}

/// Requests of one kind that name their key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyLoad {
    pub operation: Operation,
    /// Over all keys that are written at one time.
    pub ru_per_s: f64,
    pub ru_each: f64,
    pub ms_each: f64,
    #[serde(default)]
    pub spread: Spread,
    /// Only from one minute of the logged time up to another.
    #[serde(default)]
    pub minutes: Option<(u32, u32)>,
    #[serde(default)]
    pub is_in_bucket: bool,
}

/// Requests whose key is not told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeylessLoad {
    pub operation: Operation,
    pub reach: Reach,
    pub requests_per_s: f64,
    /// On each partition it reaches.
    pub ru_each: f64,
    pub ms_each: f64,
    #[serde(default)]
    pub minutes: Option<(u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reach {
    /// A fan-out: every physical partition gets every request.
    EveryPartition,
    /// Each request goes to one partition, evenly.
    OnePartition,
}

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
    pub enum Operation {
        Create = "Create",
        Read = "Read",
        Replace = "Replace",
        Query = "Query",
    }
    fn word
}

impl Operation {
    pub fn done_status(self) -> u16 {
        match self {
            Self::Create => 201,
            Self::Read | Self::Replace | Self::Query => 200,
        }
    }

    pub fn adds_data(self) -> bool {
        matches!(self, Self::Create | Self::Replace)
    }
}

impl Spec {
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|e| e.message().to_owned())
    }

    pub fn info(&self, name: &'static str) -> ScenarioInfo {
        ScenarioInfo { name, title: self.title.clone(), look_at: self.look_at.clone() }
    }

    pub fn ends(&self) -> Option<Stamp> {
        let date = self.ends.date?;
        Stamp::from_civil(Civil::midnight(date.year.into(), date.month, date.day))
    }

    /// Each container has one of its own.
    pub fn seed_of(&self, container: usize) -> u64 {
        self.seed.wrapping_add(container as u64)
    }

    pub fn load_seconds(&self) -> i64 {
        i64::from(self.load_minutes) * 60
    }
}

fn once() -> f64 {
    1.0
}

fn throughput<'de, D: Deserializer<'de>>(from: D) -> Result<Throughput, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum SpecThroughput {
        Manual(f64),
        Autoscale(f64),
    }
    Ok(match SpecThroughput::deserialize(from)? {
        SpecThroughput::Manual(ru_per_second) => Throughput::Manual { ru_per_second },
        SpecThroughput::Autoscale(maximum) => Throughput::Autoscale { maximum, now: None },
    })
}
