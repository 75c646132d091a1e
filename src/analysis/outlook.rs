//! What a key's readings tell: which region counts, how large it is there, how it grows and when it meets the ceiling.

use std::cmp::Ordering;

use crate::model::key::{Key, Part};
use crate::model::logical::{KeyView, SeriesView};
use crate::model::moment;
use crate::model::names::Names;
use crate::model::sample::{Sample, SampleTime, Trust, latest};
use crate::model::time::Stamp;

use super::candidate::DateUnit;
use super::ceiling::Ceiling;
use super::growth::{Growth, LimitDate, band_kib, has_dated, trend};
use super::routing::periods::{first_of, next};

/// Everything computed from one key's readings; the same for a report's row, a column and the detail of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook<'a> {
    pub now: Current<'a>,
    /// The region whose growth counts: the one that reaches the limit first.
    pub followed: SeriesView<'a>,
    pub growth: Option<Growth>,
    pub limit_date: LimitDate,
    /// How far the size may be off.
    pub band_kib: f64,
}

/// `partition_kib` is the size of the physical partition that may hold the key.
pub(super) fn outlook<'a>(
    view: &KeyView<'a>,
    now: Current<'a>,
    partition_kib: Option<f64>,
    ceiling: Ceiling,
) -> Outlook<'a> {
    let band_kib = band_kib(partition_kib);
    let trust = trust(view);
    let is_over = now.latest.kib >= ceiling.kib();
    let of_region = |followed: SeriesView<'a>| {
        let trend = trend(followed.samples, followed.thinned.as_ref(), trust, band_kib);
        let limit_date = match (latest(followed.samples), &trend) {
            _ if is_over => LimitDate::Over,
            (Some(latest), Some(trend)) => {
                let limit_date = trend.limit_date(latest.kib, ceiling.kib());
                within_period(limit_date, trend.growth.newest_at, view.canonical())
            }
            _ => LimitDate::Unknown,
        };
        Outlook {
            now,
            followed,
            growth: trend.map(|trend| trend.growth),
            limit_date,
            band_kib,
        }
    };
    let largest = of_region(now.series);
    let others = view.series().filter(|s| s.region != now.series.region);
    // Of equals the largest, which comes first.
    others.map(of_region).fold(largest, |worst, other| {
        let is_worse = urgency(&other) < urgency(&worst);
        if is_worse { other } else { worst }
    })
}

/// A key that names the month or day which goes on, as `2026-06` in June, is not written after its end.
fn within_period(limit_date: LimitDate, newest: Stamp, canonical: &str) -> LimitDate {
    let LimitDate::Date { at, .. } = limit_date else {
        return limit_date;
    };
    let key = Key::from_canonical(canonical);
    let parts = key.iter().flat_map(Key::parts);
    let ends = parts.filter_map(|part| match part {
        Part::Text(text) => period_of(text),
        _ => None,
    });
    let is_now = |(from, to): &(Stamp, Stamp)| (*from..=*to).contains(&newest);
    match ends.filter(is_now).map(|(_, to)| to).min() {
        Some(end) if end < at => LimitDate::Never,
        _ => limit_date,
    }
}

/// `2026-06` or `2026-06-30`: from where to where.
fn period_of(text: &str) -> Option<(Stamp, Stamp)> {
    let units = [DateUnit::Month, DateUnit::Day];
    let unit = units.into_iter().find(|unit| unit.width() == text.len())?;
    let from = first_of(moment::of_text(text)?, unit)?;
    (unit.period(from) == text).then_some((from, next(from, unit)?))
}

/// Lower is worse. A region without growth says nothing of the key; of those that have one, a date, then doubt.
fn urgency(of: &Outlook<'_>) -> (u8, Option<Stamp>) {
    match (of.limit_date, of.growth) {
        (LimitDate::Over | LimitDate::Unknown, None) => (4, None),
        (LimitDate::Over, _) => (0, None),
        (LimitDate::Date { at, .. }, _) => (1, Some(at)),
        (LimitDate::Unknown, Some(_)) => (2, None),
        (LimitDate::Never, _) => (3, None),
    }
}

/// Doubtful readings count only where no region of the key has exact ones.
pub(super) fn trust(view: &KeyView<'_>) -> Trust {
    let is_exact = |s: SeriesView<'_>| has_dated(s.samples, s.thinned.as_ref(), Trust::Exact);
    if view.series().any(is_exact) {
        Trust::Exact
    } else {
        Trust::Weak
    }
}

/// The series that counts for a key: the region where it is largest now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current<'a> {
    pub series: SeriesView<'a>,
    pub latest: Sample,
    /// The newest reading of the key in any region.
    pub newest: SampleTime,
    /// All series of the key together have more than one reading.
    pub repeated: bool,
}

/// None for a key without any reading.
pub(super) fn current<'a>(view: &KeyView<'a>, regions: &Names) -> Option<Current<'a>> {
    let mut best: Option<Current<'a>> = None;
    for series in view.series() {
        let Some(latest) = latest(series.samples) else {
            continue;
        };
        let repeated = series.samples.len() > 1;
        let found = Current {
            series,
            latest,
            newest: latest.when,
            repeated,
        };
        best = Some(match best {
            None => found,
            Some(held) => {
                let newest = if held.newest.earliest() < found.newest.earliest() {
                    found.newest
                } else {
                    held.newest
                };
                let repeated = held.repeated || found.repeated;
                let counts = if precedence(&found, &held, regions) == Ordering::Greater {
                    found
                } else {
                    held
                };
                Current {
                    newest,
                    repeated,
                    ..counts
                }
            }
        });
    }
    best
}

/// A reading without a time counts only where none has one. Ties prefer the newer, then what says more: a region, then
/// more readings; the name decides last, so that the choice never depends on which input came first.
fn precedence(a: &Current<'_>, b: &Current<'_>, regions: &Names) -> Ordering {
    let dated = |c: &Current<'_>| c.latest.when.order() > 0;
    let name = |c: &Current<'_>| regions.text(u32::from(c.series.region));
    dated(a)
        .cmp(&dated(b))
        .then(a.latest.kib.total_cmp(&b.latest.kib))
        .then(a.latest.when.earliest().cmp(&b.latest.when.earliest()))
        .then(name(b).is_empty().cmp(&name(a).is_empty()))
        .then(a.series.count().cmp(&b.series.count()))
        .then_with(|| name(b).cmp(name(a)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn on(day: &str) -> Stamp {
        period_of(day).unwrap().0
    }

    #[test]
    fn a_key_of_a_month_or_day_is_not_written_after_its_end() {
        let date = |day: &str| LimitDate::Date {
            at: on(day),
            earliest: on(day),
            latest: None,
        };
        let cases = [
            ("[\"2026-06\"]", "2026-07-09", "2026-06-20", true),
            ("[\"2026-06\"]", "2026-07-09", "2026-07-01", true),
            ("[\"2026-06\"]", "2026-06-28", "2026-06-20", false),
            (
                "[\"car-7\",\"2026-12-31\"]",
                "2027-01-02",
                "2026-12-31",
                true,
            ),
            // It goes on to be written: the date is of something else, such as a birthday.
            ("[\"1990-05-17\"]", "2026-07-09", "2026-06-20", false),
            ("[\"2026-06-2\"]", "2026-07-09", "2026-06-20", false),
            ("[\"2026\"]", "2027-07-09", "2026-06-20", false),
        ];
        for (key, at, newest, is_never) in cases {
            let found = within_period(date(at), on(newest), key);
            let expected = if is_never { LimitDate::Never } else { date(at) };
            assert_eq!(found, expected, "{key} {at}");
        }
    }
}
