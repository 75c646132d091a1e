//! The cut-over in its order, the way back, and what else would help.

use super::super::migration::{Copy, Migration, rounded};
use super::super::trial::Trial;
use super::container::NewContainer;
use super::facts::{PlanFacts, ThroughputForm};
use super::routes::{MoveRoute, RouteKind};
use crate::model::units::{counted, kib_text, whole_text};

/// What there is to compare, before and after.
struct CheckFigures {
    documents: String,
    size: String,
}

impl CheckFigures {
    fn of(trial: &Trial) -> Self {
        let whole = trial.whole;
        Self {
            documents: if whole.is_sample {
                format!("about {}", rounded(whole.documents))
            } else {
                whole_text(whole.documents)
            },
            size: kib_text(whole.bytes / 1024.0),
        }
    }
}

/// What is done, in its order.
pub fn steps(
    route: &MoveRoute,
    (migration, container, copy_ru): (&Migration, &NewContainer, Option<f64>),
    trial: &Trial,
    source: SourceState,
) -> Vec<String> {
    let figures = CheckFigures::of(trial);
    let mut steps = vec![
        "Work through the readiness table; clear what is found, look up what cannot be seen."
            .to_owned(),
        "Change the application so that it reads and writes by the new key, behind a switch; test it."
            .to_owned(),
        creation(migration, container, copy_ru),
    ];
    steps.extend(match source {
        SourceState::Busy => Some(
            "Raise today's container for the copy: its load leaves no RU/s for reading it.",
        ),
        SourceState::Throttled => Some(
            "Limit the reader, or copy while there is little load: hot partitions have no RU/s left.",
        ),
        SourceState::Calm => None,
    }.map(str::to_owned));
    steps.extend(moving(route, migration, container, &figures));
    steps.push(format!(
        "Compare: SELECT VALUE COUNT(1) FROM c gives as much in both ({} today, {} stored); compare some documents of the largest keys.",
        figures.documents, figures.size
    ));
    steps.extend(switching(route.kind));
    steps.push(
        "Watch 429s, RU % by physical partition and 403s for a day; run cosmoscope report on the new container."
            .to_owned(),
    );
    steps.push(
        "Keep today's container, read-only, until a backup cycle is over; then delete it."
            .to_owned(),
    );
    steps
}

fn creation(migration: &Migration, container: &NewContainer, copy_ru: Option<f64>) -> String {
    let form = match container.throughput {
        Some(ThroughputForm::Autoscale) => " (autoscale maximum)",
        _ => "",
    };
    let with = match (container.throughput, container.created_ru) {
        (Some(ThroughputForm::Shared), _) => " in the database's shared RU/s".to_owned(),
        (Some(ThroughputForm::Serverless), _) => String::new(),
        (_, Some(ru)) => format!(" with {} RU/s{form}", whole_text(ru)),
        (_, None) => " with today's RU/s, which the inputs do not show".to_owned(),
    };
    let few = migration.created_with.map_or(String::new(), |n| {
        let n = counted(n as u64, "partition", "partitions");
        format!(": {n}, so that splits can divide the first levels")
    });
    let more = copy_ru.map_or(String::new(), |ru| {
        format!(", or {} RU/s until it is filled", whole_text(ru))
    });
    format!("Create the new container{with}{more}{few}; its definition is an artefact below.")
}

/// What today's container has left for a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceState {
    Calm,
    /// Some of its partitions reject requests.
    Throttled,
    /// As much is requested as provisioned, or more.
    Busy,
}

/// Until all documents are there.
fn moving(
    route: &MoveRoute,
    migration: &Migration,
    container: &NewContainer,
    figures: &CheckFigures,
) -> Vec<String> {
    let takes = match route.time {
        Some(_) => format!(" It takes {}.", route.time_text()),
        None => String::new(),
    };
    let key = match migration.copy {
        Copy::AsTheyAre | Copy::NothingToDo => "",
        Copy::Transformed => ", with the key computed by the key builder",
        Copy::Drawn => ", with the suffix drawn once and stored",
    };
    let raised = container.raised_ru.map(|ru| {
        let splits = match migration.created_with {
            Some(_) => "; it splits, which takes hours more",
            None => "",
        };
        let ru = whole_text(ru);
        format!("Raise the new container to {ru} RU/s before it takes the load{splits}.")
    });
    let stop = "Stop all writes to today's container.".to_owned();
    let documents = &figures.documents;
    let mut steps = match route.kind {
        RouteKind::CopyOffline => vec![
            stop,
            format!("Run the copy job (az cosmosdb copy create) until it is completed.{takes}"),
        ],
        RouteKind::CopyOnline => vec![
            "Enable continuous backup and online container copy on the account; wait 30 minutes."
                .to_owned(),
            format!(
                "Start the copy job with --mode Online until {documents} documents are processed. Writes are charged twice meanwhile."
            ),
        ],
        RouteKind::ChangeFeed => vec![format!(
            "Start a reader of the change feed from the beginning that upserts in bulk{key}, until {documents} documents are in."
        )],
        RouteKind::Export => vec![
            stop,
            format!("Run the job that reads all documents and writes them{key}.{takes}"),
        ],
        RouteKind::DualWrite => vec![
            format!(
                "Release the application that writes to both containers{key}, today's one first."
            ),
            format!("Backfill older documents by creating only, replacing nothing.{takes}"),
        ],
    };
    steps.extend(raised);
    steps.extend(match route.kind {
        RouteKind::CopyOnline => Some(format!(
            "Let it catch up until its processed and total counts meet.{takes}"
        )),
        RouteKind::ChangeFeed => Some(format!("Let it catch up until its lag is 0.{takes}")),
        _ => None,
    });
    steps
}

fn switching(kind: RouteKind) -> Vec<String> {
    let stop = "Stop writes.";
    let switch = "Switch reads and writes to the new container; let writes go on.";
    match kind {
        RouteKind::CopyOffline | RouteKind::Export => vec![switch.to_owned()],
        RouteKind::CopyOnline => vec![
            format!("{stop} Wait 10 minutes, then run az cosmosdb copy complete."),
            switch.to_owned(),
        ],
        RouteKind::ChangeFeed => vec![
            format!("{stop} Wait until the reader's lag is 0 again, then end it."),
            switch.to_owned(),
        ],
        RouteKind::DualWrite => vec![
            "Switch reads to the new container, then end the writes to today's one.".to_owned(),
        ],
    }
}

/// What is done where the new container does not do.
pub fn roll_back(kind: RouteKind) -> Vec<String> {
    let before =
        "Before the switch: end the copy and delete the new container; today's one is unchanged.";
    let after = match kind {
        RouteKind::DualWrite => {
            "After the switch, while both are written: switch reads back; nothing is lost."
        }
        _ => {
            "After the switch: stop writes, copy what was written since by its _ts to today's container, switch back."
        }
    };
    [
        before,
        after,
        "Prepare it: run a reader of the new container's change feed that writes to today's one for a day.",
        "Documents deleted since the switch are not in that feed: note their ids, or mark them instead.",
        "Decide by figures before: a throttled share, an error rate or a count at which the switch is taken back.",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// What a new container or account changes without a new key, and when that helps.
pub fn variants(facts: &PlanFacts) -> Vec<[String; 2]> {
    let merge = match facts.merge_enabled {
        Some(true) => "enabled on the account; helps",
        _ => "a preview; helps",
    };
    [
        [
            "another name or unique keys",
            "a new container with the same key, filled by the copy job; does not spread load",
        ],
        [
            "other throughput form",
            "manual and autoscale change in place; from or to shared RU/s needs the copy job",
        ],
        [
            "other account or region set",
            "the copy job also copies between accounts; the key can stay",
        ],
    ]
    .map(|pair| pair.map(str::to_owned))
    .into_iter()
    .chain([[
        "merge of partitions".to_owned(),
        format!("{merge} where many partitions have below 3,000 RU/s and 20 GB on average; not against a hot key"),
    ]])
    .collect()
}
