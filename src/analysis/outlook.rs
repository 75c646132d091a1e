//! What a key's readings tell: which region counts, how large it is there, how it grows and when it meets the ceiling.

use std::cmp::Ordering;

use crate::model::key::Key;
use crate::model::logical::{KeyView, SeriesView};
use crate::model::names::Names;
use crate::model::sample::{Sample, SampleTime, Trust, latest};
use crate::model::time::Stamp;

use super::ceiling::Ceiling;
use super::growth::{Growth, LimitDate, band_kib, has_dated, trend};
use super::routing::periods::{CENTURY, named_in_key};

/// Everything computed from one key's readings; the same for a report's row, a column and the detail of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook<'a> {
    pub now: Current<'a>,
    /// The region whose growth counts: the one that reaches the limit first.
    pub followed: SeriesView<'a>,
    /// What its writes add; of a full key what they added before.
    pub growth: Option<Growth>,
    /// What its size gained, also while it was full.
    pub gained: Option<Growth>,
    /// Since which reading it is full, if it is.
    pub full_since: Option<Stamp>,
    pub limit_date: LimitDate,
    /// Where the month or day ends that the key names.
    pub period_end: Option<Stamp>,
    /// How far the size may be off.
    pub band_kib: f64,
}

/// `partition_kib` is the size of the physical partition that may hold the key.
pub(super) fn outlook<'a>(
    view: &KeyView<'a>,
    now: Current<'a>,
    partition_kib: Option<f64>,
    ceiling: Ceiling,
    is_full: bool,
) -> Outlook<'a> {
    let band_kib = band_kib(partition_kib);
    let trust = trust(view);
    let of_region = |followed: SeriesView<'a>| {
        let thinned = followed.thinned();
        let trend = trend(followed.samples, thinned.as_ref(), trust, band_kib);
        let gained = trend.map(|trend| trend.growth);
        let full_since = full_since(followed.samples, band_kib).filter(|_| is_full);
        let period_end = period_end(view.canonical(), followed.samples, trust, band_kib);
        let limit_date = match (latest(followed.samples), &trend) {
            _ if is_full => LimitDate::Over,
            (Some(latest), _) if period_end <= latest.when.at() && period_end.is_some() => {
                LimitDate::Never
            }
            (Some(latest), Some(trend)) => {
                let limit_date = trend.limit_date(latest.kib, ceiling.kib());
                match (limit_date, period_end) {
                    (LimitDate::Date { at, .. }, Some(end)) if end < at => LimitDate::Never,
                    _ => limit_date,
                }
            }
            _ => LimitDate::Unknown,
        };
        Outlook {
            now,
            followed,
            growth: match full_since {
                Some(since) => until_full(followed.samples, since, trust, band_kib),
                None => gained,
            },
            gained,
            full_since,
            limit_date,
            period_end,
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

/// The first of the newest readings that are alike: of a full key, whose writes get 403 since then, they show no growth. Where
/// each of them is larger than the one before, sizes do not stand yet: it is full since the newest.
fn full_since(samples: &[Sample], band_kib: f64) -> Option<Stamp> {
    let newest = latest(samples)?;
    let mut dated: Vec<_> = samples.iter().filter_map(|s| Some((s.when.at()?, s.kib))).collect();
    dated.sort_by_key(|(at, _)| *at);
    let is_alike = |(_, kib): &&(Stamp, f64)| (newest.kib - kib).abs() <= 2.0 * band_kib;
    let alike = || dated.iter().rev().take_while(is_alike);
    let rises = alike().zip(alike().skip(1)).all(|(newer, older)| newer.1 > older.1);
    let first = if rises { alike().next() } else { alike().last() };
    first.map(|(at, _)| *at)
}

/// Growth before a key was full, from its size of now.
fn until_full(samples: &[Sample], since: Stamp, trust: Trust, band_kib: f64) -> Option<Growth> {
    let is_before = |s: &&Sample| s.when.at().is_some_and(|at| at < since);
    let before: Vec<Sample> = samples.iter().filter(is_before).copied().collect();
    let newest = latest(samples)?;
    Some(Growth {
        newest_at: newest.when.at()?,
        newest_kib: newest.kib,
        ..trend(&before, None, trust, band_kib)?.growth
    })
}

/// Where the month or day ends that a key names, as `2026-06` or `PLANT-1-2026-06-30`: it is not written after that. None of a key
/// that grows after it: the date is of something else, such as a birthday.
fn period_end(canonical: &str, samples: &[Sample], trust: Trust, band_kib: f64) -> Option<Stamp> {
    // Nearly all keys have no date: no need to read them.
    let is_year = |at: usize| canonical.get(at..).is_some_and(|rest| rest.starts_with(CENTURY));
    let mut dashes = canonical.match_indices('-');
    dashes.find(|(at, _)| at.checked_sub(4).is_some_and(is_year))?;
    let newest = latest(samples)?.when.at()?;
    let key = Key::from_canonical(canonical)?;
    let begun = named_in_key(&key).filter(|(_, (_, from, _))| *from <= newest);
    let ends = begun.map(|(_, (.., end))| end);
    let (goes_on, over): (Vec<_>, Vec<_>) = ends.partition(|end| newest <= *end);
    if let Some(end) = goes_on.into_iter().min() {
        return Some(end);
    }
    let end = over.into_iter().max()?;
    let after = samples.iter().filter(|s| s.when.at().is_some_and(|at| at >= end));
    let after: Vec<Sample> = after.copied().collect();
    let grows = trend(&after, None, trust, band_kib).is_some_and(|t| t.growth.lowest > 0.0);
    (!grows).then_some(end)
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
    let is_exact = |s: SeriesView<'_>| {
        let was_exact = || s.thinned().is_some_and(|all| all.exact.n > 0.0);
        has_dated(s.samples, Trust::Exact) || was_exact()
    };
    if view.series().any(is_exact) { Trust::Exact } else { Trust::Weak }
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
        let found = Current { series, latest, newest: latest.when, repeated };
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
                Current { newest, repeated, ..counts }
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
    use crate::analysis::routing::periods::named_in;

    fn on(day: &str) -> Stamp {
        named_in(day).unwrap().1
    }

    #[test]
    fn a_key_that_reaches_its_limit_keeps_the_growth_that_its_sizes_show() {
        const FULL: f64 = 20_971_520.0;
        let daily = |kib: fn(f64) -> f64| -> Vec<Sample> {
            let sample = |day: i32| {
                let at = Stamp::from_seconds(on("2026-06-01").seconds() + i64::from(day) * 86_400);
                let kib = kib(f64::from(day));
                Sample { when: SampleTime::new(Some(at.unwrap()), Trust::Exact), kib }
            };
            (0..22).map(sample).collect()
        };
        // What it gains a day, until when, and what it gains of that for one that stands since.
        for (kib, since, growth) in [
            (
                (|day| FULL - (21.0 - day) * 60_000.0) as fn(f64) -> f64,
                "2026-06-22",
                Some(60_000.0),
            ),
            (|day| FULL - (21.0 - day) * 3_000.0, "2026-06-22", Some(3_000.0)),
            (|day| (FULL - (12.0 - day) * 900_000.0).min(FULL), "2026-06-12", Some(900_000.0)),
            (|_| FULL, "2026-06-01", None),
        ] {
            let samples = daily(kib);
            let found = full_since(&samples, 524_288.0);
            assert_eq!(found, Some(on(since)), "{growth:?}");
            let before = until_full(&samples, on(since), Trust::Exact, 524_288.0);
            let before = before.map(|growth| growth.kib_per_day.round());
            assert_eq!(before, growth, "{since}");
        }
    }

    #[test]
    fn a_key_of_a_month_or_day_is_not_written_after_its_end() {
        // A reading each week up to a day, of a key that grows all the time, up to a day or not at all.
        let weekly = |to: &str, kib: fn(f64) -> f64| -> Vec<Sample> {
            let back = (0..8_i32).rev();
            back.map(|week| {
                let days = week * 7;
                let at = on(to).seconds() - i64::from(days) * 86_400;
                let at = Stamp::from_seconds(at).unwrap();
                let kib = kib(-f64::from(days));
                Sample { when: SampleTime::new(Some(at), Trust::Exact), kib }
            })
            .collect()
        };
        let (grows, stands) =
            ((|day: f64| 1e7 + day * 1e5) as fn(f64) -> f64, (|_| 1e7) as fn(f64) -> f64);
        let cases = [
            ("[\"2026-06\"]", "2026-06-20", grows, Some("2026-07-01")),
            ("[\"2026-06\"]", "2026-07-01", grows, Some("2026-07-01")),
            ("[\"2026-05\"]", "2026-07-20", stands, Some("2026-06-01")),
            ("[\"PLANT-1-2026-06-30\"]", "2026-06-30", grows, Some("2026-07-01")),
            ("[\"2026-06.2\"]", "2026-06-20", grows, Some("2026-07-01")),
            ("[\"2026-06-car-7\"]", "2026-06-20", grows, Some("2026-07-01")),
            ("[\"car-7\",\"2026-12-31\"]", "2026-12-31", grows, Some("2027-01-01")),
            // It goes on to be written: the date is of something else, such as a birthday.
            ("[\"2006-05-17\"]", "2026-06-20", grows, None),
            ("[\"2027-05-17\"]", "2026-06-20", grows, None),
            ("[\"2026-06-2\"]", "2026-06-20", grows, None),
            ("[\"12026-06\"]", "2026-06-20", stands, None),
            ("[\"978-1234-05\"]", "2026-06-20", stands, None),
            ("[\"2026\"]", "2026-06-20", stands, None),
        ];
        for (key, newest, kib, expected) in cases {
            let found = period_end(key, &weekly(newest, kib), Trust::Exact, 1e4);
            assert_eq!(found, expected.map(on), "{key} {newest}");
        }
    }
}
