//! Several keys in time beside each other.

use super::{TimeLapse, when};
use crate::analysis::simulate::{LapseEventKind, LapseTotals, PartitionFrame};
use crate::model::time::Stamp;
use crate::model::units::{PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text, whole_text};
use crate::model::visible::visible;
use crate::report::doc::{Doc, NUMBERS};
use crate::report::layout::{self, optional};

/// Whose lapse it is.
pub(super) fn title(lapse: &TimeLapse) -> String {
    let key = lapse.key.as_deref().map_or("unknown key".into(), visible);
    if lapse.is_moved { key.into_owned() } else { format!("{key} (today)") }
}

/// `2026-07-05`, or days after the start.
fn day(lapse: &TimeLapse, at_s: i64) -> String {
    let date = lapse.moment(at_s).map(Stamp::date_text);
    date.unwrap_or_else(|| when(lapse, at_s))
}

/// A row for each key.
pub(super) fn head(doc: &mut Doc, lapses: &[TimeLapse]) {
    const HEADS: [&str; 7] =
        ["key", "429s", "first 429", "403 writes", "first 403", "partitions", "fullest"];
    if let Some(first) = lapses.first() {
        let span = super::span(first);
        let finding = format!("{} keys in {span}", lapses.len());
        let page = layout::page_title([&first.name], &finding, first.start);
        doc.title("Simulation", &page, &format!("{}, {span}", layout::title(&first.name)));
    }
    doc.table(NUMBERS, HEADS, lapses.iter().map(row));
}

/// Writes that got 403, or their data where the size of a document is unknown; None where their number is unknown.
pub fn rejected_writes(totals: &LapseTotals) -> Option<String> {
    match (totals.rejected_writes, totals.rejected_kib) {
        (_, kib) if kib <= 0.0 && totals.full_of_unknown_growth > 0 => None,
        (_, kib) if kib <= 0.0 => Some("0".to_owned()),
        (Some(writes), _) => Some(format!("≈{}", whole_text(writes))),
        (None, kib) => Some(kib_text(kib)),
    }
}

fn row(lapse: &TimeLapse) -> [String; 7] {
    let first = |kind| lapse.first(kind).map(|event| day(lapse, event.at_s));
    let forbidden = first(LapseEventKind::Forbidden);
    let ends = [lapse.frames.first(), lapse.frames.last()];
    let counts = ends.map(|frame| frame.map_or(0, |frame| frame.partitions.len() as u64));
    let partitions = match counts {
        [from, to] if from == to => count_text(to),
        [from, to] => format!("{} → {}", count_text(from), count_text(to)),
    };
    let sizes = ends[1].iter().flat_map(|frame| &frame.partitions);
    let fullest = sizes.filter_map(|p: &PartitionFrame| p.kib).reduce(f64::max);
    let of_limit = |kib: f64| {
        let share = percent_text(kib / PHYSICAL_CEILING_KIB);
        format!("{} ({share})", kib_text(kib))
    };
    let none = || "none".to_owned();
    [
        title(lapse),
        optional(lapse.throttled_share(), percent_text),
        optional(lapse.throttled_share(), |_| {
            first(LapseEventKind::Throttled).unwrap_or_else(none)
        }),
        optional(rejected_writes(&lapse.totals), |writes| writes),
        forbidden.unwrap_or_else(none),
        partitions,
        optional(fullest, of_limit),
    ]
}
