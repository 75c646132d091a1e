//! What has to be looked at before: each obstacle, whether it is there, and by what that is known.

use super::super::migration::Migration;
use super::super::trial::Trial;
use super::facts::PlanFacts;
use crate::model::client::{Client, ClientSum, Sdk};
use crate::model::physical::TimeToLive;
use crate::model::units::{count_text, real, whole_text};

/// Programs that are listed one by one.
const MOST_CLIENTS: usize = 20;
/// Of fewer days a figure a day says little.
const SHORT_DAYS: f64 = 0.5;

/// Whether an obstacle is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    Found,
    NotFound,
    Unknown,
}

impl Presence {
    pub fn word(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not found",
            Self::Unknown => "cannot tell",
        }
    }

    fn of(known: Option<bool>) -> Self {
        match known {
            Some(true) => Self::Found,
            Some(false) => Self::NotFound,
            None => Self::Unknown,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadinessCheck {
    /// A stable name for scripts.
    pub name: &'static str,
    pub obstacle: &'static str,
    pub presence: Presence,
    pub evidence: String,
}

fn check(
    name: &'static str,
    obstacle: &'static str,
    presence: Presence,
    evidence: impl Into<String>,
) -> ReadinessCheck {
    ReadinessCheck {
        name,
        obstacle,
        presence,
        evidence: evidence.into(),
    }
}

pub fn readiness(migration: &Migration, trial: &Trial, facts: &PlanFacts) -> Vec<ReadinessCheck> {
    let mut found = Vec::new();
    if migration.candidate.levels.len() > 1 {
        of_levels(facts, &mut found);
    }
    of_account(facts, &mut found);
    of_container(facts, &mut found);
    of_documents(migration, trial, &mut found);
    found
}

/// Versions of SDKs.
fn of_programs(facts: &PlanFacts, found: &mut Vec<ReadinessCheck>) {
    const NAME: &str = "sdk-levels";
    const OBSTACLE: &str = "SDK without hierarchical keys";
    if facts.clients.is_empty() {
        let least = [Sdk::DotNet, Sdk::Java, Sdk::JavaScript, Sdk::Python];
        let least = least.into_iter().filter_map(|sdk| {
            let first = sdk.first_with_levels()?;
            Some(format!("{} {first}", sdk.name()))
        });
        let least = least.collect::<Vec<_>>().join(", ");
        let evidence = format!("no request log names programs; needed: {least} or newer");
        found.push(check(NAME, OBSTACLE, Presence::Unknown, evidence));
    }
    for (client, sum) in facts.clients.iter().take(MOST_CLIENTS) {
        let sent = sent(*sum, facts.logged_days);
        let first = match client {
            Client::Sdk { sdk, .. } => sdk.first_with_levels(),
            Client::Other(_) => None,
        };
        let (presence, what) = match (client.knows_levels(), first) {
            (Some(true), _) => (Presence::NotFound, "new enough".to_owned()),
            (Some(false), Some(first)) => {
                let what = format!("upgrade to {first} or newer first");
                (Presence::Found, what)
            }
            (Some(false), None) => (Presence::Found, "move to .NET 3 first".to_owned()),
            (None, Some(first)) => {
                let what = format!("version not named; needed: {first} or newer");
                (Presence::Unknown, what)
            }
            (None, None) => (
                Presence::Unknown,
                "no version with hierarchical keys is documented; try it".to_owned(),
            ),
        };
        let evidence = format!("{client}: {what}; {sent}");
        found.push(check(NAME, OBSTACLE, presence, evidence));
    }
    if let Some(more) = facts.clients.len().checked_sub(MOST_CLIENTS + 1) {
        let more = count_text(more as u64 + 1);
        let evidence = format!("{more} more programs, not listed");
        found.push(check(NAME, OBSTACLE, Presence::Unknown, evidence));
    }
}

/// What else hierarchical keys need.
fn of_levels(facts: &PlanFacts, found: &mut Vec<ReadinessCheck>) {
    of_programs(facts, found);
    let api = match facts.other_api {
        Some(true) => "the account has another API: hierarchical keys are for NoSQL only",
        Some(false) => "the account is for NoSQL",
        None => "no account settings in the inputs; hierarchical keys are for NoSQL only",
    };
    let presence = Presence::of(facts.other_api);
    found.push(check("api", "API other than NoSQL", presence, api));
    found.push(check(
        "prefix-permissions",
        "permissions on first levels",
        Presence::Unknown,
        "resource tokens cannot cover a prefix; logs do not show who uses them",
    ));
    let is_spark = |client: &Client| {
        matches!(
            client,
            Client::Sdk {
                sdk: Sdk::Spark,
                ..
            }
        )
    };
    let spark = facts.clients.iter().find(|(client, _)| is_spark(client));
    let (presence, evidence) = match spark {
        Some((client, sum)) => (
            Presence::Found,
            format!("{client}: {}", sent(*sum, facts.logged_days)),
        ),
        None if facts.clients.is_empty() => (
            Presence::Unknown,
            "no request log; check Spark, Data Factory, Kafka, Synapse Link".to_owned(),
        ),
        None => (
            Presence::Unknown,
            "no Spark in the log; check Data Factory, Kafka, Synapse Link".to_owned(),
        ),
    };
    let obstacle = "connectors, limited with levels";
    found.push(check("connectors", obstacle, presence, evidence));
    found.push(check(
        "emulator",
        "tests on an old emulator",
        Presence::Unknown,
        "the Linux emulator rejects null in a level; run the tests there once",
    ));
}

/// `1,200 requests a day`
fn sent(sum: ClientSum, days: Option<f64>) -> String {
    match days.filter(|days| *days >= SHORT_DAYS) {
        Some(days) => format!("{} requests a day", whole_text(real(sum.requests) / days)),
        None => format!("{} requests logged", count_text(sum.requests)),
    }
}

fn of_account(facts: &PlanFacts, found: &mut Vec<ReadinessCheck>) {
    let merge = match facts.merge_enabled {
        Some(true) => "on: copy jobs do not run, and only listed SDKs are served",
        Some(false) => "off, by the account's settings",
        None => "no account settings in the inputs; copy jobs do not run with it",
    };
    let presence = Presence::of(facts.merge_enabled);
    found.push(check("merge", "partition merge", presence, merge));
    let keys = match facts.local_auth_disabled {
        Some(true) => "off: older pages name it as a blocker of copy jobs, newer ones do not",
        Some(false) => "keys work, by the account's settings",
        None => "no account settings in the inputs; older pages name it as a blocker of copy jobs",
    };
    let presence = Presence::of(facts.local_auth_disabled);
    let obstacle = "sign-in by key switched off";
    found.push(check("key-sign-in", obstacle, presence, keys));
    found.push(check(
        "backup",
        "periodic backup",
        Presence::Unknown,
        "the inputs do not show it; the online copy job needs continuous backup",
    ));
}

fn of_container(facts: &PlanFacts, found: &mut Vec<ReadinessCheck>) {
    let unique = match facts.unique_keys {
        Some(true) => "they hold within one key only: check what they mean under the new one",
        Some(false) => "none, by the container read",
        None => "no container read; unique keys hold within one key only",
    };
    let presence = Presence::of(facts.unique_keys);
    found.push(check("unique-keys", "unique keys", presence, unique));
    let is_set = facts.lifetime.map(|set| set != TimeToLive::Off);
    let lifetime = match facts.lifetime {
        Some(TimeToLive::On {
            default_seconds: Some(s),
        }) => format!(
            "{} s; it starts again with each copied document",
            count_text(s)
        ),
        Some(TimeToLive::On {
            default_seconds: None,
        }) => "set by documents; it starts again with each copied one".to_owned(),
        Some(TimeToLive::Off) => "off, by the container read".to_owned(),
        None => "no container read; it starts again with each copied document".to_owned(),
    };
    let presence = Presence::of(is_set);
    found.push(check("time-to-live", "time to live", presence, lifetime));
}

fn of_documents(migration: &Migration, trial: &Trial, found: &mut Vec<ReadinessCheck>) {
    let (presence, evidence) = match migration.collisions {
        Some(0) => (
            Presence::NotFound,
            format!(
                "none in the {} documents looked at",
                count_text(trial.whole.looked_at)
            ),
        ),
        Some(n) => (
            Presence::Found,
            format!(
                "{} documents would have the key and id of another",
                count_text(n)
            ),
        ),
        None => (Presence::Unknown, "documents without ids".to_owned()),
    };
    let obstacle = "id collisions";
    found.push(check("id-collisions", obstacle, presence, evidence));
    let gaps = trial.levels.iter().map(|level| level.gaps.total());
    let gaps = gaps.max().unwrap_or(0);
    let (presence, evidence) = match gaps {
        0 => (
            Presence::NotFound,
            "each document looked at has a value".to_owned(),
        ),
        n => (
            Presence::Found,
            format!(
                "{} of the documents looked at lack one and share a key",
                count_text(n)
            ),
        ),
    };
    let obstacle = "documents without a value";
    found.push(check("no-value", obstacle, presence, evidence));
    let (presence, evidence) = match migration.scope {
        None => (
            Presence::Unknown,
            "today's key is not known: give --current".to_owned(),
        ),
        Some(scope) if scope.shared == 0 => (
            Presence::NotFound,
            "no two documents share a key now".to_owned(),
        ),
        Some(scope) if scope.parted == 0 => (
            Presence::NotFound,
            "documents that share a key stay together".to_owned(),
        ),
        Some(scope) => (
            Presence::Found,
            format!(
                "documents of {} of {} keys no longer share one; logs do not show who relies on it",
                count_text(scope.parted),
                count_text(scope.shared)
            ),
        ),
    };
    let obstacle = "batches, stored procedures";
    found.push(check("transactions", obstacle, presence, evidence));
}
