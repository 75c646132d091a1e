//! What must be said of one container beside its numbers.

use crate::analysis::heat::{ContainerHeat, Track};
use crate::analysis::rows::Note;

use super::ContainerHeatRows;
use super::build::HeatSelection;
use super::words::span;

pub(super) fn notes(
    heat: &ContainerHeat,
    rows: &ContainerHeatRows,
    wanted: &HeatSelection,
) -> Vec<Note> {
    let mut notes = Vec::new();
    let is_narrowed = wanted.from.or(wanted.to).is_some();
    let reported = heat.tracks.iter().filter_map(Track::span);
    let reported = reported.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    match reported {
        Some((from, to)) if is_narrowed && rows.span.is_none() => notes.push(Note::new(format!(
            "no load lies in the time given: the inputs have {}",
            span(from, to)
        ))),
        _ if rows.sources.load.is_none() => {
            notes.push(Note::new("no load over time by physical partition is in these inputs"));
        }
        _ => {}
    }
    if is_narrowed && !rows.verdicts.is_empty() {
        notes.push(Note::new(
            "--from and --to narrow the map and the tables, not the verdicts: those rest on all of the load",
        ));
    }
    notes.extend(heat.unpaired_words().map(Note::new));
    notes
}
