//! Work that several threads share, done by one.

use super::arrange::{Arranged, Ask};
use super::data::{Dataset, Origin, Stage};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::columns::{ColumnsPart, Lookups};
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::rows::Report;
use crate::model::capture::Capture;

/// The tables of a capture; None when `keep_going` said no.
pub fn dataset(
    origin: Origin,
    stage: Stage,
    capture: Capture,
    report: Report,
    ceiling: Ceiling,
    keep_going: &dyn Fn() -> bool,
) -> Option<Dataset> {
    let lookups = Lookups::of(&capture, ceiling);
    let part = ColumnsPart::of(&capture, &lookups, 0, 1, keep_going)?;
    let thresholds = Thresholds::default();
    Some(Dataset::joined(origin, stage, capture, report, lookups, vec![part], thresholds))
}

/// The whole answer; None when `keep_going` said no.
pub fn arrange(ask: &Ask, keep_going: &dyn Fn() -> bool) -> Option<Arranged> {
    let order = ask.order(keep_going)?;
    let ranges = ask.ranges(1).into_iter();
    let bits = ranges.map(|range| ask.pass(range, keep_going));
    ask.answer(order, bits.collect::<Option<Vec<_>>>()?, keep_going)
}
