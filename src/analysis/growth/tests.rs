//! Staircases, gaps, pairs and mixtures: what growth may say of them and what not.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test may panic, and the bands are exact"
)]

mod simulated;

use proptest::prelude::*;

use super::*;
use crate::model::sample::SampleTime;

const GIB: f64 = 1_048_576.0;
const START: i64 = 1_780_279_823;
const DAY: i64 = 86_400;
const BAND: f64 = 524_288.0;

fn at(day: f64) -> Option<Stamp> {
    Stamp::from_seconds(START).unwrap().plus_seconds(day * 86_400.0)
}

fn exact(day: f64, kib: f64) -> Sample {
    let when = SampleTime::new(at(day), Trust::Exact);
    Sample { when, kib }
}

fn weak(day: f64, kib: f64) -> Sample {
    let when = SampleTime::new(at(day), Trust::Weak);
    Sample { when, kib }
}

fn rate(samples: &[Sample]) -> Option<f64> {
    trend(samples, None, Trust::Exact, BAND).map(|t| t.growth.kib_per_day)
}

fn limit_date_of(samples: &[Sample]) -> LimitDate {
    let found = trend(samples, None, Trust::Exact, BAND);
    found.map_or(LimitDate::Unknown, |found| {
        found.limit_date(samples.last().unwrap().kib, 20.0 * GIB)
    })
}

#[test]
fn one_and_a_half_gib_a_week_reaches_the_limit_in_nine_days_and_eight_hours() {
    let newest = Stamp::from_seconds(1_782_094_241).unwrap();
    assert_eq!(newest.rfc3339(), "2026-06-22T02:10:41Z");
    let week = |n: i64, kib| {
        let when =
            SampleTime::new(Stamp::from_seconds(newest.seconds() - 7 * DAY * n), Trust::Exact);
        Sample { when, kib }
    };
    let samples =
        [week(3, 13.5 * GIB), week(2, 15.0 * GIB), week(1, 16.5 * GIB), week(0, 18.0 * GIB)];
    let grown = trend(&samples, None, Trust::Exact, BAND).unwrap().growth;
    assert!((grown.kib_per_day * 7.0 - 1.5 * GIB).abs() < 1e-6);
    // Both ends may be off by the band.
    assert!((grown.highest - grown.kib_per_day - 2.0 * BAND / 21.0).abs() < 1e-6);
    let LimitDate::Date { at, earliest, latest } = limit_date_of(&samples) else {
        panic!("no date")
    };
    assert_eq!(at.rfc3339()[..16], *"2026-07-01T10:10");
    assert!(earliest > newest && earliest < at && latest.unwrap() > at);
}

#[test]
fn a_staircase_is_no_cliff() {
    // True growth of 0.05 GiB a day, reported in steps of half a GiB: the last two readings jump by a whole step.
    let steps = |days: i32| -> Vec<Sample> {
        let size = |d: i32| (f64::from(d) * 0.05 / 0.5).floor() * 0.5 * GIB + 10.0 * GIB;
        (0..days).map(|d| exact(f64::from(d), size(d))).collect()
    };
    let long = trend(&steps(91), None, Trust::Exact, BAND).unwrap().growth;
    assert!((long.kib_per_day - 0.05 * GIB).abs() < 0.005 * GIB);
    assert!(long.lowest > 0.0 && long.lowest < 0.05 * GIB && long.highest > 0.05 * GIB);
    // Eleven days with one step at the end are no proof of any date.
    assert_eq!(limit_date_of(&steps(11)), LimitDate::Unknown);
}

#[test]
fn two_readings_tell_a_rate_only_beyond_the_band() {
    assert_eq!(rate(&[exact(0.0, 10.0 * GIB), exact(7.0, 10.4 * GIB)]), None);
    assert_eq!(
        limit_date_of(&[exact(0.0, 10.0 * GIB), exact(7.0, 10.4 * GIB)]),
        LimitDate::Unknown
    );
    // Both readings may be off by half a GiB.
    assert_eq!(rate(&[exact(0.0, 10.0 * GIB), exact(7.0, 10.9 * GIB)]), None);
    let pair = [exact(0.0, 10.0 * GIB), exact(7.0, 11.4 * GIB)];
    assert!((rate(&pair).unwrap() - 0.2 * GIB).abs() < 1.0);
    let far = [exact(0.0, 10.0 * GIB), exact(7.0, 14.0 * GIB)];
    assert!(matches!(limit_date_of(&far), LimitDate::Date { .. }));
    assert_eq!(rate(&[exact(0.0, 1.0)]), None);
    assert_eq!(rate(&[]), None);
}

#[test]
fn readings_of_one_hour_tell_nothing_unless_they_stand_out() {
    let hour = [exact(0.0, 10.0 * GIB), exact(0.02, 10.1 * GIB), exact(0.04, 10.2 * GIB)];
    assert_eq!(rate(&hour), None);
    let rush = [exact(0.0, 10.0 * GIB), exact(0.02, 12.0 * GIB), exact(0.04, 14.0 * GIB)];
    assert!(rate(&rush).is_some());
}

#[test]
fn shrinking_and_standing_keys_never_reach_the_limit() {
    let weeks = [7_340_032.0, 6_815_744.0, 6_553_600.0, 6_291_456.0];
    let shrinking: Vec<Sample> =
        (0_i32..).zip(weeks).map(|(w, kib)| exact(f64::from(w) * 7.0, kib)).collect();
    assert!(rate(&shrinking).unwrap() < 0.0);
    assert_eq!(limit_date_of(&shrinking), LimitDate::Never);
    let standing =
        |days: i32| -> Vec<Sample> { (0..days).map(|d| exact(f64::from(d), GIB)).collect() };
    assert_eq!(rate(&standing(90)), Some(0.0));
    assert_eq!(limit_date_of(&standing(90)), LimitDate::Never);
    // Half a GiB in two days may hide in the error: it would fill the key within a year.
    assert_eq!(limit_date_of(&standing(5)), LimitDate::Unknown);
}

#[test]
fn readings_tell_a_hundred_times_their_span_ahead() {
    let minute = 1.0 / 1440.0;
    let pair = |minutes: f64| [exact(0.0, 0.0), exact(minutes * minute, 5_000.0)];
    let of = |minutes: f64, limit: f64| {
        trend(&pair(minutes), None, Trust::Exact, 50.0)
            .map(|found| found.limit_date(5_000.0, limit))
    };
    // However far it stands out: a minute says nothing of a day.
    assert_eq!(of(1.0, 20.0 * GIB), None);
    assert_eq!(of(20.0, 20.0 * GIB), Some(LimitDate::Unknown));
    assert!(matches!(of(20.0, 400_000.0), Some(LimitDate::Date { .. })));
}

#[test]
fn a_clean_up_ends_what_was_before_it() {
    let size = |d: i32| {
        let deleted = if d < 40 { 0.0 } else { 8.0 };
        exact(f64::from(d), (4.0 + 0.2 * f64::from(d) - deleted) * GIB)
    };
    let series: Vec<Sample> = (0..70).map(size).collect();
    let LimitDate::Date { at, earliest, latest } = limit_date_of(&series) else {
        panic!("no date")
    };
    let days = |at: Stamp| at.days_since(series[69].when.at().unwrap());
    assert!((days(at) - 51.0).abs() < 1e-6, "{}", days(at));
    assert!(days(earliest) < 51.0 && days(latest.unwrap()) > 51.0);
    // One reading behind it tells no rate.
    assert_eq!(limit_date_of(&series[..41]), LimitDate::Unknown);
}

#[test]
fn a_change_of_rate_never_takes_a_date_away() {
    let size = |d: i32| {
        let more = 0.6 * f64::from((d - 60).max(0));
        exact(f64::from(d), (2.0 + 0.1 * f64::from(d) + more) * GIB)
    };
    let series: Vec<Sample> = (0..75).map(size).collect();
    for n in 60..=75 {
        assert!(matches!(limit_date_of(&series[..n]), LimitDate::Date { .. }), "{n}");
    }
    let LimitDate::Date { at, .. } = limit_date_of(&series[..72]) else { panic!("no date") };
    assert!((at.days_since(series[71].when.at().unwrap()) - 6.14).abs() < 0.2);
}

#[test]
fn weak_and_undated_readings_do_not_bend_the_line() {
    let undated = Sample { when: SampleTime::new(None, Trust::Exact), kib: 90.0 * GIB };
    let mixture = [
        weak(-20.0, 0.0),
        undated,
        exact(0.0, 10.0 * GIB),
        exact(7.0, 11.0 * GIB),
        exact(14.0, 12.0 * GIB),
        weak(15.0, 20.0 * GIB),
    ];
    assert!((rate(&mixture).unwrap() * 7.0 - GIB).abs() < 1e-6);
    let by_weak = trend(&mixture, None, Trust::Weak, BAND).unwrap().growth;
    assert!(by_weak.kib_per_day > 0.5 * GIB);
    assert!(has_dated(&mixture, Trust::Exact));
    assert!(!has_dated(&[undated], Trust::Exact));
}

#[test]
fn a_gap_weighs_by_time_and_not_by_readings() {
    let mut samples: Vec<Sample> = (0_i32..10)
        .map(|d| exact(f64::from(d) / 2.0, 10.0 * GIB + f64::from(d) * 0.05 * GIB))
        .collect();
    samples.push(exact(100.0, 20.0 * GIB - 1.0));
    assert!((rate(&samples).unwrap() - 0.1 * GIB).abs() < 0.001 * GIB);
}

#[test]
fn a_full_key_is_over_whatever_it_does() {
    assert_eq!(limit_date(20.0 * GIB, None, 20.0 * GIB), LimitDate::Over);
    assert_eq!(limit_date(f64::MAX, None, 20.0 * GIB), LimitDate::Over);
}

#[test]
fn dates_beyond_the_calendar_are_none() {
    let slow = Growth {
        kib_per_day: 1e-3,
        lowest: 1e-9,
        highest: 1.0,
        newest_at: at(0.0).unwrap(),
        newest_kib: GIB,
        band_kib: 1.0,
        doubles_in_days: None,
    };
    assert_eq!(limit_date(GIB, Some(&slow), 20.0 * GIB), LimitDate::Unknown);
    let brisk = Growth { kib_per_day: 1e3, ..slow };
    assert!(matches!(
        limit_date(GIB, Some(&brisk), 20.0 * GIB),
        LimitDate::Date { latest: None, .. }
    ));
}

#[test]
fn the_band_is_a_hundredth_of_the_partition_that_holds_the_key() {
    assert_eq!(band_kib(None), BAND);
    assert_eq!(band_kib(Some(1000.0)), 10.0);
    assert_eq!(band_kib(Some(0.0)), BAND);
    assert_eq!(band_kib(Some(f64::NAN)), BAND);
}

proptest! {
    #[test]
    fn sums_say_what_the_readings_say_and_never_more(
        points in prop::collection::vec((0.0..400.0_f64, 0.0..2e7_f64), 3..40),
    ) {
        let samples: Vec<Sample> = points.iter().map(|(day, kib)| exact(*day, *kib)).collect();
        let thinned = SeriesSummary::of(&samples);
        let (a, b) = (
            trend(&samples, None, Trust::Exact, BAND).map(|t| t.growth),
            trend(&samples, Some(&thinned), Trust::Exact, BAND).map(|t| t.growth),
        );
        if let (Some(a), Some(b)) = (a, b) {
            prop_assert!((a.kib_per_day - b.kib_per_day).abs() <= 1e-6 * (1.0 + a.kib_per_day.abs()));
            prop_assert!(b.lowest <= a.lowest + 1e-3 && b.highest >= a.highest - 1e-3);
        }
    }

    #[test]
    fn no_readings_give_a_number_that_is_none(
        points in prop::collection::vec((-1e5..2e6_f64, 0.0..1e300_f64), 0..12),
    ) {
        let samples: Vec<Sample> = points.iter().map(|(day, kib)| exact(*day, *kib)).collect();
        if let Some(Trend { growth: g, .. }) = trend(&samples, None, Trust::Exact, BAND) {
            prop_assert!(g.lowest.is_finite() && g.highest.is_finite() && g.lowest <= g.highest);
        }
    }

    #[test]
    fn errors_within_the_band_never_leave_the_interval(
        errors in prop::collection::vec(-1.0..1.0_f64, 3..SCATTERED),
        slope in -1e5..1e5_f64,
    ) {
        let samples: Vec<Sample> = (0_i32..)
            .zip(&errors)
            .map(|(d, e)| exact(f64::from(d), 1e7 + slope * f64::from(d) + e * BAND))
            .collect();
        let found = trend(&samples, None, Trust::Exact, BAND);
        // A fall may be a clean-up: then it is open what goes on.
        prop_assert!(found.is_some() || slope < 0.0);
        let Some(Trend { growth: g, .. }) = found else {
            return Ok(());
        };
        prop_assert!(g.lowest - 1e-3 <= slope && slope <= g.highest + 1e-3);
    }
}
