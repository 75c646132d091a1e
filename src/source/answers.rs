//! What a live account was asked and what came back, word for word, with the time. Screens, recordings and replays are all
//! made of these and of nothing else.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::live::secret::scrub;
use crate::error::Error;
use crate::model::time::Stamp;

/// What is asked of an account, by where it is asked. A new kind is a row here and an arm where it is read.
/// Those of the management plane, of metrics and logs stand together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The account itself: its regions and what it is capable of.
    Account,
    /// The list of databases: `{"Databases":[{"id":…}]}`.
    Databases,
    /// The containers of a database: `{"DocumentCollections":[{"id":…}]}`.
    Containers,
    /// One container with its key definition and the statistics of its partitions.
    Container,
    /// The physical partitions of a container: `{"PartitionKeyRanges":[…]}`.
    Ranges,
    /// The offer of a container or of its database.
    Offer,
    /// What the management plane says of the account.
    ManagedAccount,
    ManagedThroughput,
    /// RU/s of each physical partition.
    Distribution,
    /// Storage by physical partition, with the two names each has.
    Usages,
    Metrics,
    /// Sizes of keys that were logged, largest and newest by key.
    LoggedSizes,
    /// RU by key, partition and minute, summed up by the service.
    LoggedRu,
    /// Requests by status, partition and minute, summed up by the service.
    LoggedRequests,
    /// A page of the sample of documents.
    Documents,
    /// Documents counted by key in one physical partition.
    Counts,
}

impl Kind {
    /// Whether it is asked somewhere else than the account itself: what fails there leaves the rest as it is.
    pub fn is_elsewhere(self) -> bool {
        (Self::ManagedAccount..=Self::LoggedRequests).contains(&self)
    }
}

/// One question.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Inquiry {
    pub kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub database: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub container: Option<String>,
    /// What tells apart several answers of a kind for one container: a metric, a range.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<String>,
}

impl Inquiry {
    pub fn account(kind: Kind) -> Self {
        Self { kind, database: None, container: None, part: None }
    }

    pub fn database(kind: Kind, database: &str) -> Self {
        Self { database: Some(database.to_owned()), ..Self::account(kind) }
    }

    pub fn container(kind: Kind, database: &str, container: &str) -> Self {
        Self { container: Some(container.to_owned()), ..Self::database(kind, database) }
    }

    #[must_use]
    pub fn part(self, part: &str) -> Self {
        Self { part: Some(part.to_owned()), ..self }
    }

    /// Whether it is this question or one of its parts.
    pub fn is_part_of(&self, whole: &Self) -> bool {
        (self.kind, &self.database, &self.container)
            == (whole.kind, &whole.database, &whole.container)
    }
}

/// What came back.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub at: Stamp,
    pub inquiry: Inquiry,
    /// The body as it came: the text of one JSON value.
    pub body: Arc<[u8]>,
    /// What it cost; not every answer says.
    pub ru: Option<f64>,
}

/// What stands in the way, as far as it makes a difference what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// No name, no route, nothing that listens.
    Unreachable,
    /// The certificate is not trusted.
    Untrusted,
    /// Nobody is signed in, or what was given is not accepted.
    SignIn,
    /// Signed in, and not allowed: a role or a firewall.
    Forbidden,
    NotFound,
    Throttled,
    /// A partition is splitting or has split.
    Moved,
    TimedOut,
    /// The service failed.
    Service,
    /// What answers is not what was asked for.
    Unbelievable,
    /// Asking was not allowed by the budget or by an earlier refusal.
    Held,
    /// Not there for this account: serverless, shared throughput, no setting.
    Unsupported,
    /// Not told as it was asked, and asked for in another way: nothing that anybody misses.
    RequestedOtherwise,
}

impl Obstacle {
    /// Whether it may be over a moment later, without anybody doing anything here.
    pub fn is_passing(self) -> bool {
        matches!(self, Self::Unreachable | Self::TimedOut | Self::Service | Self::Throttled)
    }
}

/// Why nothing came back, in words: what happened, and what to do. Both are already made visible, and hold no secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trouble {
    pub obstacle: Obstacle,
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<String>,
    /// When to ask again at the earliest, where the service told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after_ms: Option<u64>,
}

/// How what was not even sent begins: others were refused, and wait.
pub const HELD: &str = "the service throttles requests (429): none is sent for";

impl Trouble {
    /// Whether nothing was sent: another question was refused before.
    pub fn is_held(&self) -> bool {
        self.what.starts_with(HELD)
    }

    /// Whatever a service or a program put into the sentences, no secret of this run is in them.
    pub fn new(obstacle: Obstacle, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            obstacle,
            what: scrub(&what.into()).into_owned(),
            next: Some(scrub(&next.into()).into_owned()),
            retry_after_ms: None,
        }
    }

    /// The same, to be tried again only then.
    #[must_use]
    pub fn after(self, retry_after_ms: Option<u64>) -> Self {
        Self { retry_after_ms, ..self }
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        Self::Live { what: trouble.what, next: trouble.next }
    }
}

/// A question without an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub at: Stamp,
    pub inquiry: Inquiry,
    pub trouble: Trouble,
    /// What was charged all the same.
    pub ru: Option<f64>,
}

impl Failure {
    /// Whether something is missing because of it.
    pub fn is_missed(&self) -> bool {
        self.trouble.obstacle != Obstacle::RequestedOtherwise
    }
}

/// One thing that was seen.
#[derive(Clone, PartialEq, Debug)]
pub enum Observation {
    Answer(Answer),
    Failure(Failure),
}

impl Observation {
    /// What came of a question: a body with what it cost, or what stands in the way.
    pub fn of(
        inquiry: &Inquiry,
        at: Stamp,
        came: Result<(Arc<[u8]>, Option<f64>), Trouble>,
    ) -> Self {
        let inquiry = inquiry.clone();
        match came {
            Ok((body, ru)) => Self::Answer(Answer { at, inquiry, body, ru }),
            Err(trouble) => Self::Failure(Failure { at, inquiry, trouble, ru: None }),
        }
    }

    /// The same with what all requests for it cost together.
    #[must_use]
    pub fn charged(mut self, charged: Option<f64>) -> Self {
        let (Self::Answer(Answer { ru, .. }) | Self::Failure(Failure { ru, .. })) = &mut self;
        *ru = charged;
        self
    }

    /// What it cost, where that was said.
    pub fn ru(&self) -> Option<f64> {
        match self {
            Self::Answer(answer) => answer.ru,
            Self::Failure(failure) => failure.ru,
        }
    }

    pub fn at(&self) -> Stamp {
        match self {
            Self::Answer(answer) => answer.at,
            Self::Failure(failure) => failure.at,
        }
    }

    pub fn inquiry(&self) -> &Inquiry {
        match self {
            Self::Answer(answer) => &answer.inquiry,
            Self::Failure(failure) => &failure.inquiry,
        }
    }
}
