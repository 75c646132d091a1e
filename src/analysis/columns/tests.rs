//! Columns against the rows of a report.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::filter::FilterRow;
use super::super::growth::LimitDay;
use super::super::testing::{CARTS, GIB, Log, NEWEST, ORDERS, seconds};
use super::*;
use crate::model::load::{RuLog, RuRecord};
use crate::model::sample::Trust;

const KEYS: [&str; 12] = [
    "",
    "[]",
    "[42.0]",
    "[42]",
    "[\"42\"]",
    "[\"tenant-0001\"]",
    "[\"tenant-0002\"]",
    "[\"tenant-0002-with-a-long-tail-a\"]",
    "[\"tenant-0002-with-a-long-tail-b\"]",
    "[\"\u{202e}x\"]",
    "[\"東京\",{}]",
    "plain",
];
const REGIONS: [&str; 3] = ["", "West Europe", "North Europe"];

#[derive(Clone, Debug)]
pub(in crate::analysis) struct Reading {
    container: bool,
    key: usize,
    region: usize,
    day: Option<i64>,
    /// In hundredths of a GiB.
    size: u32,
    is_weak: bool,
}

pub(in crate::analysis) fn readings() -> impl Strategy<Value = Vec<Reading>> {
    let one = (
        any::<bool>(),
        0..KEYS.len(),
        0..REGIONS.len(),
        prop_oneof![5 => (0_i64..60).prop_map(Some), 1 => Just(None)],
        prop_oneof![3 => 0_u32..2200, 1 => Just(900_u32)],
        prop::bool::weighted(0.2),
    );
    let one = one.prop_map(|(container, key, region, day, size, is_weak)| Reading {
        container,
        key,
        region,
        day,
        size,
        is_weak,
    });
    prop::collection::vec(one, 0..60)
}

/// The readings as a capture of two containers, one of them with hash ranges, and RU of some keys.
pub(in crate::analysis) fn capture(readings: &[Reading]) -> Capture {
    let log = Log::new("log.csv");
    for r in readings {
        let name = if r.container { ORDERS } else { CARTS };
        let at = r.day.map(|day| seconds(NEWEST - day * 86_400));
        let trust = if r.is_weak { Trust::Weak } else { Trust::Exact };
        let kib = f64::from(r.size) * GIB / 100.0;
        log.trusted(name, KEYS[r.key], REGIONS[r.region], at, kib, trust);
    }
    let middle = "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";
    log.facts(ORDERS, &["/tenantId"], &[10.0 * GIB, 30.0 * GIB]);
    log.ranges(ORDERS, &[("0", "", middle), ("1", middle, "FF")], &[("1", "[\"tenant-0001\"]")]);
    let mut capture = log.capture();
    for (key, ru) in [("[\"tenant-0001\"]", 12.5), ("[42]", 3.0), ("", 4.0)] {
        capture.load.add_ru(&RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "0",
            key,
            operation: "Read",
            at: None,
            ru,
            mark: None,
        });
    }
    capture
}

fn joined(capture: &Capture, parts: usize) -> Columns {
    let lookups = Lookups::of(capture, Ceiling::BINARY);
    let parts = (0..parts).map(|p| ColumnsPart::of(capture, &lookups, p, parts, &|| true).unwrap());
    join(parts.collect(), capture, Ceiling::BINARY)
}

/// What a row says, by key.
fn cell_texts(columns: &Columns, capture: &Capture, container: u32) -> BTreeMap<String, String> {
    let columns = columns.container(capture, container).unwrap();
    let rows = (0..columns.len()).map(|n| {
        let row = columns.row(n).unwrap();
        let view = row.view().unwrap();
        assert_eq!(view.container(), container);
        assert_eq!(columns.find(row.key.id), Some(n));
        assert_eq!(columns.find_text(view.canonical()), Some(n));
        let values = (row.size_kib(), row.share(), row.growth_kib_per_day());
        let names = (row.region(), row.samples(), row.limit_date());
        (view.canonical().to_owned(), format!("{values:?} {names:?}"))
    });
    let out: BTreeMap<String, String> = rows.collect();
    assert_eq!(out.len(), columns.keys.len());
    out
}

fn expected(capture: &Capture, container: u32) -> BTreeMap<String, String> {
    let lookups = Lookups::of(capture, Ceiling::BINARY);
    let keys = capture.sizes.iter();
    keys.filter(|(_, view)| view.container() == container)
        .map(|(id, view)| {
            let (row, _) = lookups.key_row(capture, id).unwrap();
            let growth = row.growth.map(|g| g.kib_per_day);
            let values = (row.size_kib, row.share, growth);
            let names = (row.region.as_deref(), row.samples, LimitDay::of(&row.limit_date));
            (view.canonical().to_owned(), format!("{values:?} {names:?}"))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn columns_say_what_a_report_says(given in readings(), parts in 1_usize..9) {
        let capture = capture(&given);
        let one = Columns::of(&capture, Ceiling::BINARY);
        let several = joined(&capture, parts);
        prop_assert_eq!(format!("{one:?}"), format!("{several:?}"));
        prop_assert_eq!(one.key_count(), capture.sizes.len());
        for container in 0..u32::try_from(capture.containers.len()).unwrap() {
            prop_assert_eq!(cell_texts(&several, &capture, container), expected(&capture, container));
        }
        let beyond = u32::try_from(capture.containers.len()).unwrap();
        prop_assert!(one.container(&capture, beyond).is_none());
    }
}

#[test]
fn owners_and_request_units_are_those_of_the_key() {
    let day =
        |key| Reading { container: true, key, region: 1, day: Some(3), size: 100, is_weak: false };
    let capture = capture(&[day(5), day(6), day(3), day(0)]);
    let columns = Columns::of(&capture, Ceiling::BINARY);
    let columns = columns.container(&capture, 0).unwrap();
    let row = |text: &str| columns.row(columns.find_text(text).unwrap()).unwrap();
    let listed = row("[\"tenant-0001\"]");
    assert_eq!((listed.partition(), listed.ru()), (Some("1"), Some(12.5)));
    assert_eq!(listed.newest(), Some(seconds(NEWEST - 3 * 86_400)));
    assert!(row("[\"tenant-0002\"]").partition().is_some());
    assert_eq!(row("[\"tenant-0002\"]").ru(), None);
    assert_eq!((row("").partition(), row("").ru()), (None, Some(4.0)));
}

#[test]
fn limit_dates_are_packed_in_their_order() {
    let limit_dates = [
        LimitDay::Over,
        LimitDay::Day(-134_774),
        LimitDay::Day(0),
        LimitDay::Day(2_932_896),
        LimitDay::Never,
        LimitDay::Unknown,
    ];
    assert!(limit_dates.is_sorted_by_key(|w| w.pack()));
    assert!(limit_dates.iter().all(|w| LimitDay::unpack(w.pack()) == *w));
}

#[test]
fn stopping_gives_nothing() {
    let capture = capture(&[Reading {
        container: true,
        key: 1,
        region: 0,
        day: None,
        size: 1,
        is_weak: false,
    }]);
    let lookups = Lookups::of(&capture, Ceiling::BINARY);
    assert!(ColumnsPart::of(&capture, &lookups, 0, 1, &|| false).is_none());
}
