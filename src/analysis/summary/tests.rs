//! The imaginary account of the samples, and the largest keys against a full sort.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test may panic, and these sizes are exact"
)]

use proptest::prelude::*;

use super::*;
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::{SizeOf, name_order};
use crate::analysis::testing::*;
use crate::model::sample::Trust;

fn top(n: usize) -> SummaryOptions {
    SummaryOptions { selection: Selection::Top(n), ..SummaryOptions::default() }
}

fn keys(report: &Report) -> Vec<(&str, f64)> {
    report.keys().into_iter().map(|(_, row)| (row.key_json(), row.size_kib)).collect()
}

#[test]
fn the_imaginary_account_reads_as_its_description_says() {
    let report = report(&northpier(), SummaryOptions::default());
    assert_eq!(report.as_of, Some(seconds(NEWEST)));
    let names: Vec<&str> = report
        .containers
        .iter()
        .map(|held| held.name.container.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(names, ["orders", "carts", "readings"]);
    assert_eq!(
        keys(&report)[..3],
        [
            (r#"["tenant-0002"]"#, 22_650_880.0),
            (r#"["tenant-0001"]"#, 18_874_368.0),
            ("[{}]", 9_860_710.0)
        ]
    );
    let orders = &report.containers[0];
    assert_eq!(orders.keys_total, 4);
    assert_eq!((orders.marks.warn, orders.marks.alarm, orders.marks.full), (2, 2, 1));
    assert_eq!(orders.keys[3].key, None);
    assert_eq!(orders.keys[0].share, 1.080_078_125);
    assert_eq!(orders.keys[0].limit_date, LimitDate::Over);
    let LimitDate::Date { at, .. } = orders.keys[1].limit_date else { panic!("no date") };
    assert_eq!(at.minute_text(), "2026-07-01 10:10");
    assert_eq!(orders.keys[1].region.as_deref(), Some("West Europe"));
    assert_eq!(orders.keys[1].samples, 4);
    assert_eq!(orders.keys[2].limit_date, LimitDate::Never);
}

#[test]
fn the_largest_region_counts_and_is_never_added_to_another() {
    let report = report(&northpier(), SummaryOptions::default());
    let no_value = &report.containers[1].keys[0];
    assert_eq!(no_value.region.as_deref(), Some("North Europe"));
    assert_eq!((no_value.size_kib, no_value.samples), (9_860_710.0, 1));
    // West Europe has four readings of it, all of one step: growth there may hide in their error.
    assert!(no_value.growth.is_some_and(|growth| growth.lowest < 0.0));
    assert_eq!(no_value.limit_date, LimitDate::Unknown);
}

#[test]
fn one_larger_reading_of_another_region_hides_no_growth() {
    let log = Log::new("a");
    let newest = Some(seconds(NEWEST));
    log.weeks(ORDERS, r#"["a"]"#, "West", &[13.5 * GIB, 15.0 * GIB, 16.5 * GIB, 18.0 * GIB])
        .reading(ORDERS, r#"["a"]"#, "North", newest, 18.0 * GIB + 1.0);
    let report = report(&log.capture(), SummaryOptions::default());
    let row = &report.containers[0].keys[0];
    assert_eq!((row.region.as_deref(), row.size_kib), (Some("North"), 18.0 * GIB + 1.0));
    let LimitDate::Date { at, .. } = row.limit_date else { panic!("{:?}", row.limit_date) };
    assert_eq!(at.date_text(), "2026-07-01");
}

#[test]
fn of_two_regions_the_worst_date_counts() {
    let log = Log::new("a");
    log.weeks(ORDERS, r#"["a"]"#, "West", &[16.0 * GIB, 16.5 * GIB, 17.5 * GIB, 18.0 * GIB]).weeks(
        ORDERS,
        r#"["a"]"#,
        "North",
        &[11.0 * GIB, 13.0 * GIB, 15.0 * GIB, 17.0 * GIB],
    );
    let report = report(&log.capture(), SummaryOptions::default());
    let row = &report.containers[0].keys[0];
    assert_eq!(row.region.as_deref(), Some("West"));
    let weekly = row.growth.unwrap().kib_per_day * 7.0;
    assert!((weekly - 2.0 * GIB).abs() < 1.0, "{weekly}");
}

#[test]
fn of_equal_regions_the_newer_counts_and_no_guessed_time_beats_an_exact_one() {
    let hours = |hours: i64| Some(seconds(NEWEST + hours * 3600));
    let shown = |trust: Trust| {
        let log = Log::new("a");
        log.reading(ORDERS, r#"["a"]"#, "East", hours(0), GIB).trusted(
            ORDERS,
            r#"["a"]"#,
            "West",
            hours(1),
            GIB,
            trust,
        );
        let report = report(&log.capture(), SummaryOptions::default());
        let row = &report.containers[0].keys[0];
        (row.region.as_deref() == Some("West"), report.as_of == hours(1))
    };
    assert_eq!(shown(Trust::Exact), (true, true));
    assert_eq!(shown(Trust::Weak), (false, false));
}

#[test]
fn a_reading_without_a_time_counts_only_alone() {
    let log = Log::new("a");
    let at = Some(seconds(NEWEST));
    log.reading(ORDERS, r#"["a"]"#, "", None, 900.0).reading(ORDERS, r#"["a"]"#, "West", at, 500.0);
    log.reading(ORDERS, r#"["b"]"#, "", None, 700.0);
    let report = report(&log.capture(), SummaryOptions::default());
    assert_eq!(keys(&report), [(r#"["b"]"#, 700.0), (r#"["a"]"#, 500.0)]);
    assert_eq!(report.containers[0].keys[0].sampled_at, None);
    assert_eq!(report.containers[0].keys[0].region, None);
}

#[test]
fn guessed_times_never_bend_the_growth_of_a_key_with_exact_ones() {
    let log = Log::new("a");
    log.weeks(ORDERS, r#"["a"]"#, "West", &[10.0 * GIB, 11.0 * GIB, 12.0 * GIB]);
    let later = Some(seconds(NEWEST + 3600));
    log.trusted(ORDERS, r#"["a"]"#, "West", later, 12.0 * GIB, Trust::Weak);
    let guessed = log.trusted(ORDERS, r#"["b"]"#, "West", later, 4.0 * GIB, Trust::Weak);
    guessed.trusted(
        ORDERS,
        r#"["b"]"#,
        "West",
        Some(seconds(NEWEST - WEEK)),
        2.0 * GIB,
        Trust::Weak,
    );
    let report = report(&log.capture(), SummaryOptions::default());
    let rows = &report.containers[0].keys;
    assert!((rows[0].growth.unwrap().kib_per_day * 7.0 - GIB).abs() < 1e-6);
    assert_eq!(rows[0].growth.unwrap().newest_at, seconds(NEWEST));
    assert!(rows[1].growth.is_some());
}

#[test]
fn the_band_follows_the_physical_partitions_where_they_are_known() {
    let report = report(&northpier(), SummaryOptions::default());
    assert_eq!(report.containers[0].keys[0].band_kib, 524_288.0);
    assert_eq!(report.containers[2].keys[0].band_kib, 141_128.95);
}

#[test]
fn the_band_is_that_of_the_partition_that_owns_or_lists_the_key() {
    use crate::model::epk::even_boundaries;
    let hex = |bytes: &[u8]| -> String {
        let digits = bytes.iter().flat_map(|b| [b >> 4, b & 15]);
        digits.map(|d| char::from(b"0123456789ABCDEF"[usize::from(d)])).collect()
    };
    let log = Log::new("a");
    log.facts(ORDERS, &["/tenantId"], &[1000.0, 2000.0]);
    let definition = Log::definition(&["/tenantId"]);
    let middle = hex(even_boundaries(2, &definition)[0].as_bytes());
    let bounds = [("0", "", middle.as_str()), ("1", middle.as_str(), "FF")];
    log.ranges(ORDERS, &bounds, &[("1", r#"["listed"]"#)]);
    for i in 0..20 {
        log.reading(ORDERS, &format!("[\"t{i}\"]"), "W", None, 5.0);
    }
    log.reading(ORDERS, r#"["listed"]"#, "W", None, 9.0);
    let report = report(&log.capture(), SummaryOptions::default());
    let rows = &report.containers[0].keys;
    assert_eq!(rows[0].band_kib, 20.0);
    for band in [10.0, 20.0] {
        assert!(rows.iter().any(|r| r.band_kib == band), "{band}");
    }
}

#[test]
fn prefixes_of_hierarchical_keys_are_totalled_and_short_keys_are_totals() {
    let options = SummaryOptions { has_prefixes: true, ..SummaryOptions::default() };
    let log = Log::new("a");
    log.facts(READINGS, &["/a", "/b"], &[]).reading(READINGS, r#"["p"]"#, "W", None, 5.0);
    let short = report(&log.capture(), options.clone());
    assert_eq!(short.containers[0].keys[0].size_of, SizeOf::Prefix);
    let full = report(&northpier(), options);
    let readings =
        full.containers.iter().find(|c| c.name.container.as_deref() == Some("readings")).unwrap();
    assert_eq!(&*readings.prefixes[0].key, r#"["plant-1"]"#);
    assert_eq!((readings.prefixes[0].kib, readings.prefixes[0].keys), (5_355_443.0, 2));
    assert_eq!(readings.keys[0].size_of, SizeOf::Key);
    assert_eq!(full.containers[0].prefixes, []);
}

#[test]
fn containers_can_be_picked_by_name_or_with_their_database() {
    for (filter, expected) in [("carts", 1), ("shop/carts", 1), ("telemetry/carts", 0), ("cart", 0)]
    {
        let options = SummaryOptions {
            containers: vec![ContainerFilter::parse(filter)],
            ..SummaryOptions::default()
        };
        let report = report(&northpier(), options);
        assert_eq!(report.containers.len(), expected, "{filter}");
        let missed = report.notes.iter().any(|n| n.text.starts_with("no container"));
        assert_eq!(missed, expected == 0, "{filter}");
    }
}

#[test]
fn what_statistics_do_not_say_is_said() {
    let report = report(&northpier(), SummaryOptions::default());
    let notes: Vec<&str> =
        report.containers.iter().flat_map(|c| &c.notes).map(|n| n.text.as_str()).collect();
    assert_eq!(notes[0], "other keys: smaller, not reported");
    assert_eq!(
        notes[2],
        "other keys: smaller, not reported; the reported ones hold 5.11 GiB of 21.0 GiB"
    );
    assert_eq!(report.containers[0].skew.effective_keys_at_most, None);
    assert!(report.containers[2].skew.effective_keys_at_most.is_some());
}

#[test]
fn skipped_rows_make_the_data_partial() {
    let log = Log::new("a");
    log.reading(ORDERS, r#"["a"]"#, "W", None, 5.0);
    log.source(|s| s.skipped = 1);
    assert!(report(&log.capture(), top(5)).is_partial);
    assert!(!report(&northpier(), top(5)).is_partial);
}

#[test]
fn keys_worth_a_finding_are_the_large_ones_and_those_with_a_date() {
    let log = Log::new("a");
    log.weeks(ORDERS, r#"["grows"]"#, "W", &[1.0 * GIB, 3.0 * GIB, 5.0 * GIB, 7.0 * GIB]);
    log.weeks(ORDERS, r#"["stands"]"#, "W", &[7.5 * GIB, 7.5 * GIB]);
    log.weeks(ORDERS, r#"["large"]"#, "W", &[15.0 * GIB]);
    let options = SummaryOptions { selection: Selection::Worth(0.7), ..SummaryOptions::default() };
    let report = report(&log.capture(), options);
    let shown: Vec<&str> = keys(&report).iter().map(|k| k.0).collect();
    assert_eq!(shown, [r#"["large"]"#, r#"["grows"]"#]);
    assert_eq!(report.keys_total(), 3);
}

/// The keys of `cells` as two captures of one import, split like passes are.
fn captures(cells: &[(usize, u32, u32)]) -> Vec<Capture> {
    let part = |wanted: u32| {
        let log = Log::new("a");
        for (container, key, kib) in cells.iter().filter(|c| c.1 % 2 == wanted) {
            let name = [ORDERS, CARTS, READINGS][*container];
            log.reading(
                name,
                &format!("[\"k{key}\"]"),
                "W",
                Some(seconds(NEWEST)),
                f64::from(*kib),
            );
        }
        log.capture()
    };
    vec![part(0), part(1)]
}

fn shown(report: &Report) -> Vec<(String, String, f64)> {
    let all = report.keys().into_iter();
    all.map(|(c, row)| (c.name.title(), row.key_json().to_owned(), row.size_kib)).collect()
}

proptest! {
    #[test]
    fn the_largest_are_the_head_of_a_full_sort(
        cells in prop::collection::vec((0_usize..3, 0_u32..60, 0_u32..12), 0..120),
        n in 0_usize..40,
    ) {
        let all = captures(&cells);
        let summed = |options: SummaryOptions| {
            let mut summary = Summary::new(options);
            for capture in &all {
                summary.absorb(capture);
            }
            summary.finish()
        };
        let full = summed(SummaryOptions::default());
        let mut sorted: Vec<(&ContainerRows, &KeyRow)> =
            full.containers.iter().flat_map(|c| c.keys.iter().map(move |k| (c, k))).collect();
        sorted.sort_by(|(ac, a), (bc, b)| {
            b.size_kib
                .total_cmp(&a.size_kib)
                .then_with(|| a.key_json().as_bytes().cmp(b.key_json().as_bytes()))
                .then_with(|| name_order(&ac.name, &bc.name))
        });
        let head: Vec<_> = sorted
            .iter()
            .take(n)
            .map(|(c, row)| (c.name.title(), row.key_json().to_owned(), row.size_kib))
            .collect();
        let largest = summed(top(n));
        prop_assert_eq!(shown(&largest), head);
        prop_assert_eq!(largest.keys_total(), full.keys_total());
    }
}

#[test]
fn rows_beyond_the_room_are_counted_and_told() {
    let log = Log::new("a");
    for i in 0..1_000 {
        let size = f64::from(i);
        log.reading(ORDERS, &format!("[\"k{i:05}\"]"), "W", None, size);
    }
    let capture = log.capture();
    for selection in [Selection::All, Selection::Top(900), Selection::Worth(0.0)] {
        let options = || SummaryOptions { selection, ..SummaryOptions::default() };
        let wanted = if selection == Selection::Top(900) { 900 } else { 1_000 };
        let mut summary = Summary::new(options());
        let none = summary.absorb_within(&capture, 50_000).unwrap_err();
        assert_eq!(none.rows, wanted);
        assert!(summary.rows_bytes() < 51_000, "{}", summary.rows_bytes());
        assert!((100_000..1_000_000).contains(&none.bytes), "{}", none.bytes);
        let mut summary = Summary::new(options());
        assert_eq!(summary.absorb_within(&capture, none.bytes + 1_000), Ok(()));
        assert_eq!(summary.finish().keys_shown(), wanted);
    }
}

#[test]
fn many_keys_of_one_size_are_decided_by_their_text() {
    let log = Log::new("a");
    for i in 0..20_000 {
        log.reading(ORDERS, &format!("[\"k{i:05}\"]"), "W", None, 5.0);
    }
    let report = report(&log.capture(), top(3));
    assert_eq!(
        keys(&report),
        [(r#"["k00000"]"#, 5.0), (r#"["k00001"]"#, 5.0), (r#"["k00002"]"#, 5.0)]
    );
    assert_eq!(report.keys_total(), 20_000);
}
