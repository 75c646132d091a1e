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

words! {
    /// Whether an obstacle is there.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Presence {
        Found = "found",
        NotFound = "not found",
        Unknown = "cannot tell",
    }
    fn word
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadinessCheck {
    /// A stable name for scripts.
    pub name: &'static str,
    pub obstacle: &'static str,
    pub presence: Presence,
    pub evidence: String,
}

/// What was looked at, in its order.
struct Checks(Vec<ReadinessCheck>);

impl Checks {
    fn push(&mut self, [name, obstacle]: [&'static str; 2], presence: Presence, evidence: &str) {
        self.0.push(ReadinessCheck { name, obstacle, presence, evidence: evidence.to_owned() });
    }

    /// With the evidence for an obstacle that is there, for one that is not, and for not knowing.
    fn either(&mut self, of: [&'static str; 2], known: Option<bool>, evidence: [&str; 3]) {
        let [found, not_found, unknown] = evidence;
        let (presence, evidence) = match known {
            Some(true) => (Presence::Found, found),
            Some(false) => (Presence::NotFound, not_found),
            None => (Presence::Unknown, unknown),
        };
        self.push(of, presence, evidence);
    }
}

pub fn readiness(migration: &Migration, trial: &Trial, facts: &PlanFacts) -> Vec<ReadinessCheck> {
    let mut checks = Checks(Vec::new());
    if migration.candidate.levels.len() > 1 {
        of_programs(facts, &mut checks);
        of_levels(facts, &mut checks);
    }
    of_account(facts, &mut checks);
    of_container(facts, &mut checks);
    of_documents(migration, trial, &mut checks);
    checks.0
}

/// Versions of SDKs.
fn of_programs(facts: &PlanFacts, checks: &mut Checks) {
    const OF: [&str; 2] = ["sdk-levels", "SDK without hierarchical keys"];
    if facts.clients.is_empty() {
        let least = [Sdk::DotNet, Sdk::Java, Sdk::JavaScript, Sdk::Python];
        let least = least.into_iter().filter_map(|sdk| {
            let first = sdk.first_with_levels()?;
            Some(format!("{} {first}", sdk.name()))
        });
        let least = least.collect::<Vec<_>>().join(", ");
        let evidence = format!("no request log names programs; needed: {least} or newer");
        checks.push(OF, Presence::Unknown, &evidence);
    }
    for (client, sum) in facts.clients.iter().take(MOST_CLIENTS) {
        let first = match client {
            Client::Sdk { sdk, .. } => sdk.first_with_levels(),
            Client::Other(_) => None,
        };
        let (upgrade, unnamed) = match first {
            Some(first) => (
                format!("upgrade to {first} or newer first"),
                format!("version not named; needed: {first} or newer"),
            ),
            None => (
                "move to .NET 3 first".to_owned(),
                "no version with hierarchical keys is documented; try it".to_owned(),
            ),
        };
        let evidence = [&upgrade, "new enough", &unnamed];
        let sent = sent(*sum, facts.logged_days);
        let evidence = evidence.map(|what| format!("{client}: {what}; {sent}"));
        let is_old = client.knows_levels().map(|knows| !knows);
        checks.either(OF, is_old, evidence.each_ref().map(String::as_str));
    }
    if let Some(more) = facts.clients.len().checked_sub(MOST_CLIENTS + 1) {
        let more = count_text(more as u64 + 1);
        let evidence = format!("{more} more programs, not listed");
        checks.push(OF, Presence::Unknown, &evidence);
    }
}

/// What else hierarchical keys need.
fn of_levels(facts: &PlanFacts, checks: &mut Checks) {
    checks.either(
        ["api", "API other than NoSQL"],
        facts.other_api,
        [
            "the account has another API: hierarchical keys are for NoSQL only",
            "the account is for NoSQL",
            "no account settings in the inputs; hierarchical keys are for NoSQL only",
        ],
    );
    checks.either(
        ["prefix-permissions", "permissions on first levels"],
        facts.resource_tokens,
        [
            "the log has requests with resource tokens, which cannot cover a prefix",
            "no request in the log uses a resource token",
            "resource tokens cannot cover a prefix; logs do not show who uses them",
        ],
    );
    let is_spark = |client: &Client| matches!(client, Client::Sdk { sdk: Sdk::Spark, .. });
    let spark = facts.clients.iter().find(|(client, _)| is_spark(client));
    let spark = spark.map(|(client, sum)| format!("{client}: {}", sent(*sum, facts.logged_days)));
    let others = if facts.clients.is_empty() {
        "no request log; check Spark, Data Factory, Kafka, Synapse Link"
    } else {
        "no Spark in the log; check Data Factory, Kafka, Synapse Link"
    };
    checks.either(
        ["connectors", "connectors, limited with levels"],
        spark.is_some().then_some(true),
        [spark.as_deref().unwrap_or_default(), "", others],
    );
    checks.push(
        ["emulator", "tests on an old emulator"],
        Presence::Unknown,
        "the Linux emulator rejects null in a level; run the tests there once",
    );
}

/// `1,200 requests a day`
fn sent(sum: ClientSum, days: Option<f64>) -> String {
    match days.filter(|days| *days >= SHORT_DAYS) {
        Some(days) => format!("{} requests a day", whole_text(real(sum.requests) / days)),
        None => format!("{} requests logged", count_text(sum.requests)),
    }
}

fn of_account(facts: &PlanFacts, checks: &mut Checks) {
    checks.either(
        ["merge", "partition merge"],
        facts.way.merge_enabled,
        [
            "on: copy jobs do not run, and only listed SDKs are served",
            "off, by the account's settings",
            "no account settings in the inputs; copy jobs do not run with it",
        ],
    );
    checks.either(
        ["key-sign-in", "sign-in by key switched off"],
        facts.way.local_auth_disabled,
        [
            "off: older pages name it as a blocker of copy jobs, newer ones do not",
            "keys work, by the account's settings",
            "no account settings in the inputs; older pages name it as a blocker of copy jobs",
        ],
    );
    checks.either(
        ["backup", "periodic backup"],
        facts.periodic_backup,
        [
            "on: the online copy job needs continuous backup",
            "backup is continuous, by the account's settings",
            "the inputs do not show it; the online copy job needs continuous backup",
        ],
    );
}

fn of_container(facts: &PlanFacts, checks: &mut Checks) {
    checks.either(
        ["unique-keys", "unique keys"],
        facts.way.unique_keys,
        [
            "they hold within one key only: check what they mean under the new one",
            "none, by the container read",
            "no container read; unique keys hold within one key only",
        ],
    );
    let set = match facts.way.lifetime {
        Some(TimeToLive::On { default_seconds: Some(s) }) => {
            format!("{} s; it starts again with each copied document", count_text(s))
        }
        _ => "set by documents; it starts again with each copied one".to_owned(),
    };
    checks.either(
        ["time-to-live", "time to live"],
        facts.way.lifetime.map(|set| set != TimeToLive::Off),
        [
            &set,
            "off, by the container read",
            "no container read; it starts again with each copied document",
        ],
    );
}

fn of_documents(migration: &Migration, trial: &Trial, checks: &mut Checks) {
    let collisions = count_text(migration.collisions.unwrap_or_default());
    let looked_at = count_text(trial.whole.looked_at);
    checks.either(
        ["id-collisions", "id collisions"],
        migration.collisions.map(|n| n > 0),
        [
            &format!("{collisions} documents would have the key and id of another"),
            &format!("none in the {looked_at} documents looked at"),
            "documents without ids",
        ],
    );
    let gaps = trial.levels.iter().map(|level| level.gaps.total());
    let gaps = gaps.max().unwrap_or(0);
    checks.either(
        ["no-value", "documents without a value"],
        Some(gaps > 0),
        [
            &format!("{} of the documents looked at lack one and share a key", count_text(gaps)),
            "each document looked at has a value",
            "",
        ],
    );
    let [parted, shared] = migration.scope.map_or([0; 2], |scope| [scope.parted, scope.shared]);
    let together = match shared {
        0 => "no two documents share a key now",
        _ => "documents that share a key stay together",
    };
    checks.either(
        ["transactions", "batches, stored procedures"],
        migration.scope.map(|_| shared > 0 && parted > 0),
        [
            &format!(
                "documents of {} of {} keys no longer share one; logs do not show who relies on it",
                count_text(parted),
                count_text(shared)
            ),
            together,
            "today's key is not known: give --current",
        ],
    );
}
