//! What the inputs do not tell, what that leaves unknown, and how to switch it on; and the totals of what they do tell.

use super::rows::Row;
use crate::analysis::ceiling::MarkCounts;
use crate::app::data::{Dataset, Stage};
use crate::model::time::Stamp;
use crate::model::units::count_text;

/// All containers together.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Totals {
    pub containers: u64,
    pub keys: u64,
    pub marks: MarkCounts,
    pub newest: Option<Stamp>,
}

pub(super) fn totals(rows: &[Row]) -> Totals {
    let mut sum = Totals {
        containers: rows.len() as u64,
        newest: rows.iter().filter_map(|row| row.newest).max(),
        ..Totals::default()
    };
    for row in rows {
        sum.keys = sum.keys.saturating_add(row.keys);
        sum.marks.warn = sum.marks.warn.saturating_add(row.marks.warn);
        sum.marks.alarm = sum.marks.alarm.saturating_add(row.marks.alarm);
        sum.marks.full = sum.marks.full.saturating_add(row.marks.full);
    }
    sum
}

/// One sentence for each thing that is missing, the one that hides most first.
pub(super) fn missing(data: &Dataset, rows: &[Row]) -> Vec<String> {
    // Of inputs that were read in part nobody knows what they lack.
    if matches!(data.stage, Stage::Reading { .. } | Stage::Stopped { .. }) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let without_keys = rows.iter().filter(|row| row.keys == 0).count();
    if without_keys > 0 {
        out.push(format!(
            "no key sizes of {}: switch on PartitionKeyStatistics in the account's diagnostic settings, or take az cosmosdb sql container show",
            containers(without_keys, rows.len())
        ));
    }
    let grows = rows.iter().any(|row| row.growth.is_some());
    if !grows && without_keys < rows.len() {
        out.push(
            "no growth and no dates: export PartitionKeyStatistics of several weeks".to_owned(),
        );
    }
    if data.capture.load.ru.is_empty() {
        out.push("no RU logs: heat unknown; switch on PartitionKeyRUConsumption in the account's diagnostic settings".to_owned());
    }
    if data.capture.load.requests.is_empty() {
        out.push(
            "no request logs: 429 and fan-out unknown; switch on DataPlaneRequests".to_owned(),
        );
    }
    let known = |row: &&Row| {
        let container = data.capture.container(row.number);
        container.is_some_and(|c| !c.partitions.is_empty())
    };
    let without_partitions = rows.len() - rows.iter().filter(known).count();
    if without_partitions > 0 {
        out.push(format!(
            "no physical partitions of {}: az cosmosdb sql container show tells them",
            containers(without_partitions, rows.len())
        ));
    }
    out
}

fn containers(some: usize, all: usize) -> String {
    match (some, all) {
        (_, 1) => "the container".to_owned(),
        (some, all) if some == all => "any container".to_owned(),
        (1, _) => "one container".to_owned(),
        (some, _) => format!("{} containers", count_text(some as u64)),
    }
}

/// Notes about the inputs that are worth a look.
pub(super) fn notes(data: &Dataset) -> u64 {
    let of_source = |s: &crate::model::capture::SourceInfo| {
        s.notes.len() as u64
            + u64::from(s.refused.is_some())
            + u64::from(s.skipped > 0)
            + u64::from(s.incomplete)
    };
    let all = data.capture.sources.iter().map(of_source);
    all.fold(data.capture.notes.len() as u64, u64::saturating_add)
}
