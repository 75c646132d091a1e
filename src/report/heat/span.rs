//! Which time a report is about: all columns of a partition tell of the same one, its map of that of its track.

use crate::analysis::heat::{ContainerHeat, Track};

use super::Sources;
use super::build::HeatSelection;

/// Seconds `[from, to)` that were asked for, open where an end was not; None = all there is, and what has no time too.
pub(super) fn wanted_span(wanted: &HeatSelection) -> Option<(i64, i64)> {
    wanted.from.or(wanted.to)?;
    let open = (i64::MIN, i64::MAX);
    Some((wanted.from.unwrap_or(open.0), wanted.to.unwrap_or(open.1)))
}

fn within(whole: (i64, i64), wanted: &HeatSelection) -> Option<(i64, i64)> {
    let (from, to) = wanted_span(wanted).unwrap_or(whole);
    let span = (whole.0.max(from), whole.1.min(to));
    (span.0 < span.1).then_some(span)
}

/// From the first to the last that the shown tracks tell of, within what was asked for.
pub(super) fn of_columns(
    heat: &ContainerHeat,
    sources: Sources,
    wanted: &HeatSelection,
) -> Option<(i64, i64)> {
    let joined = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
    let shown = [sources.load, sources.ru, sources.requests, sources.throttled];
    let spans = shown.into_iter().filter_map(|index| heat.tracks.get(index?)?.span());
    let all = || heat.tracks.iter().filter_map(Track::span).reduce(joined);
    within(spans.reduce(joined).or_else(all)?, wanted)
}

/// Of one track, within what was asked for.
pub(super) fn of_track(track: &Track, wanted: &HeatSelection) -> Option<(i64, i64)> {
    within(track.span()?, wanted)
}
