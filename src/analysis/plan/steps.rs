//! The cut-over in its order, the way back, and what else would help.

use super::super::migration::{Copy, Migration, rounded};
use super::super::trial::Trial;
use super::container::NewContainer;
use super::facts::{PlanFacts, ThroughputForm};
use super::routes::{MoveRoute, RouteKind};
use crate::model::template::filled;
use crate::model::units::{counted, kib_text, whole_text};

const STEPS: &str = include_str!("../../../assets/plan/steps.txt");
const ROLL_BACK: &str = include_str!("../../../assets/plan/roll-back.txt");
const VARIANTS: &str = include_str!("../../../assets/plan/variants.txt");

/// What today's container has left for a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceState {
    Calm,
    /// Some of its partitions reject requests.
    Throttled,
    /// As much is requested as provisioned, or more.
    Busy,
}

/// What is done, in its order.
pub fn steps(
    route: &MoveRoute,
    (migration, container, copy_ru): (&Migration, &NewContainer, Option<f64>),
    trial: &Trial,
    source: SourceState,
) -> Vec<String> {
    let whole = trial.whole;
    let documents = if whole.is_sample {
        format!("about {}", rounded(whole.documents))
    } else {
        whole_text(whole.documents)
    };
    let takes = match route.time {
        Some(_) => format!(" It takes {}.", route.time_text()),
        None => String::new(),
    };
    let key = match migration.copy {
        Copy::AsTheyAre | Copy::NothingToDo => "",
        Copy::Transformed => ", with the key computed by the key builder",
        Copy::Drawn => ", with the suffix drawn once and stored",
    };
    let few = migration.created_with.map(|n| {
        let n = counted(n as u64, "partition", "partitions");
        format!(": {n}, so that splits can divide the first levels")
    });
    let splits = few.as_ref().map(|_| "; it splits, which takes hours more");
    let holes = [
        ("with", creation(container, copy_ru)),
        ("few", few.clone().unwrap_or_default()),
        ("takes", takes),
        ("documents", documents),
        ("key", key.to_owned()),
        ("raised", container.raised_ru.map_or(String::new(), whole_text)),
        ("splits", splits.unwrap_or_default().to_owned()),
        ("size", kib_text(whole.bytes / 1024.0)),
    ];
    let is_needed = |section: &str| match section {
        "busy" => source == SourceState::Busy,
        "throttled" => source == SourceState::Throttled,
        "raised" => container.raised_ru.is_some(),
        section => is_of(section, route.kind),
    };
    lines(&filled(STEPS, is_needed, &holes))
}

/// Whether a section is for this route.
fn is_of(section: &str, kind: RouteKind) -> bool {
    match section {
        "always" => true,
        "writes stop" => !kind.follows_writes(),
        "one writer" => kind != RouteKind::DualWrite,
        word => word == kind.word(),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The RU/s of the new container until it is filled.
fn creation(container: &NewContainer, copy_ru: Option<f64>) -> String {
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
    let more = copy_ru
        .map_or(String::new(), |ru| format!(", or {} RU/s until it is filled", whole_text(ru)));
    with + &more
}

/// What is done where the new container does not do.
pub fn roll_back(kind: RouteKind) -> Vec<String> {
    lines(&filled(ROLL_BACK, |section| is_of(section, kind), &[]))
}

/// What a new container or account changes without a new key, and when that helps.
pub fn variants(facts: &PlanFacts) -> Vec<[String; 2]> {
    let merge = match facts.way.merge_enabled {
        Some(true) => "enabled on the account",
        _ => "a preview",
    };
    let text = filled(VARIANTS, |_| true, &[("merge", merge.to_owned())]);
    let pairs = text.lines().filter_map(|line| line.split_once(": "));
    pairs.map(|(what, when)| [what, when].map(str::to_owned)).collect()
}
