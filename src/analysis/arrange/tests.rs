//! Orders against sorts of whole rows, and ranges against one scan.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::cmp::Ordering;

use proptest::prelude::*;

use super::super::ceiling::Ceiling;
use super::super::columns::Columns;
use super::super::columns::tests::{capture, readings};
use super::super::filter::FilterRow;
use super::super::growth::LimitDay;
use super::super::testing::{Log, NEWEST, ORDERS, seconds};
use super::*;
use crate::model::key::Key;

fn json(row: &RowRef<'_, '_>) -> String {
    let view = row.view().unwrap();
    let canonical = view.canonical();
    let key = Key::from_canonical(view.as_found().unwrap_or(canonical));
    let key = key.or_else(|| Key::from_cell(canonical));
    key.map_or_else(|| "null".to_owned(), |key| key.json())
}

/// What is known goes first; among it the direction decides.
fn known_first<T>(
    a: Option<T>,
    b: Option<T>,
    direction: Direction,
    compare: fn(&T, &T) -> Ordering,
) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) if direction == Direction::Ascending => compare(&a, &b),
        (Some(a), Some(b)) => compare(&b, &a),
    }
}

fn naive(a: &RowRef<'_, '_>, b: &RowRef<'_, '_>, sort: Sort) -> Ordering {
    let direction = sort.direction;
    let floats = |a, b| known_first(a, b, direction, f64::total_cmp);
    let limit_date =
        |row: &RowRef<'_, '_>| Some(row.limit_date()).filter(|w| *w != LimitDay::Unknown);
    let id = |row: &RowRef<'_, '_>| row.partition().map(|p| p.parse::<u32>().unwrap());
    let first = match sort.by {
        SortBy::Size | SortBy::Share => floats(Some(a.size_kib()), Some(b.size_kib())),
        SortBy::Growth => floats(a.growth_kib_per_day(), b.growth_kib_per_day()),
        SortBy::Ru => floats(a.ru(), b.ru()),
        SortBy::LimitDate => known_first(limit_date(a), limit_date(b), direction, LimitDay::cmp),
        SortBy::Key => return known_first(Some(json(a)), Some(json(b)), direction, String::cmp),
        SortBy::Region => known_first(a.region(), b.region(), direction, Ord::cmp),
        SortBy::Partition => known_first(id(a), id(b), direction, u32::cmp),
        SortBy::Newest => known_first(a.newest(), b.newest(), direction, Ord::cmp),
    };
    first.then_with(|| b.size_kib().total_cmp(&a.size_kib())).then_with(|| json(a).cmp(&json(b)))
}

fn check(columns: &ContainerColumns<'_>) {
    for by in SortBy::ALL {
        for direction in Direction::ALL {
            let sort = Sort { by, direction };
            let order = order(columns, sort, &|| true).unwrap();
            let mut rows: Vec<u32> = (0..columns.len()).collect();
            rows.sort_by(|a, b| naive(&columns.row(*a).unwrap(), &columns.row(*b).unwrap(), sort));
            assert_eq!(order, rows, "{sort:?}");
        }
    }
}

fn word(rows: Range<u32>, is_set: impl Fn(u32) -> bool) -> u64 {
    rows.zip(0..64).fold(0, |word, (row, n)| word | u64::from(is_set(row)) << n)
}

fn bits(rows: Range<u32>, is_set: impl Fn(u32) -> bool + Copy) -> Bits {
    let mut bits = Bits::default();
    rows.clone().step_by(64).for_each(|from| bits.push_word(word(from..rows.end, is_set)));
    bits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn orders_are_those_of_a_plain_sort(given in readings()) {
        let capture = capture(&given);
        let columns = Columns::of(&capture, Ceiling::BINARY);
        for container in 0..2 {
            columns.container(&capture, container).iter().for_each(check);
        }
    }

    #[test]
    fn ranges_joined_are_one_scan(rows in 0_u32..400, parts in 0_u32..9, modulus in 1_u32..7) {
        let ranges = shares(rows, parts);
        let passes = |row: u32| row.is_multiple_of(modulus);
        let bits = |range: Range<u32>| bits(range, passes);
        prop_assert_eq!(Bits::join(ranges.into_iter().map(bits)), bits(0..rows));
        let order: Vec<u32> = (0..rows).rev().collect();
        let narrowed = narrow(&order, &bits(0..rows));
        prop_assert_eq!(&narrowed, &order.iter().copied().filter(|r| passes(*r)).collect::<Vec<_>>());
    }
}

/// Enough keys with long common starts for texts to be looked at in steps.
#[test]
fn many_keys_of_one_size_stand_by_their_texts() {
    let log = Log::new("log.csv");
    for n in 0..600 {
        let tail = "x".repeat(n % 90);
        let key = match n % 5 {
            0 => format!("[\"\u{202e}{tail}{n}\"]"),
            1 => format!("[{n}.50]"),
            _ => format!("[\"tenant-{tail}\",{n}]"),
        };
        log.reading(ORDERS, &key, "", Some(seconds(NEWEST)), 5.0);
    }
    let capture = log.capture();
    let columns = Columns::of(&capture, Ceiling::BINARY);
    let columns = columns.container(&capture, 0).unwrap();
    check(&columns);
}

#[test]
fn a_filter_looks_at_its_range_and_at_what_passed_before() {
    let log = Log::new("log.csv");
    for n in 0..300_u32 {
        let key = format!("[\"tenant-{n:03}\"]");
        log.reading(ORDERS, &key, "", None, f64::from(n));
    }
    let capture = log.capture();
    let columns = Columns::of(&capture, Ceiling::BINARY);
    let columns = columns.container(&capture, 0).unwrap();
    let text = |row: &RowRef<'_, '_>| row.text().contains("-1");
    let go = || true;
    let whole = matching(&columns, 0..columns.len(), None, text, &go).unwrap();
    assert_eq!(whole.ones(), 100);
    let parts = shares(columns.len(), 2).into_iter();
    let parts = parts.map(|range| matching(&columns, range, None, text, &go).unwrap());
    assert_eq!(Bits::join(parts), whole);
    let among = matching(&columns, 0..300, Some(&whole), |r| r.size_kib() < 150.0, &go);
    assert_eq!(among.unwrap().ones(), 50);
    assert!(matching(&columns, 0..300, None, text, &|| false).is_none());
    assert!(order(&columns, Sort::default(), &|| false).is_none());
    assert!(order(&columns, Sort::by(SortBy::Key), &|| false).is_none());
}

#[test]
fn sorts_have_names_of_their_own() {
    for by in SortBy::ALL {
        assert_eq!(SortBy::parse(by.name()), Some(by));
        assert!(!by.label().is_empty());
    }
    assert_eq!(SortBy::parse("colour"), None);
    for direction in Direction::ALL {
        assert_eq!(Direction::parse(direction.name()), Some(direction));
        assert_ne!(direction.reversed(), direction);
    }
    assert_eq!(Sort::default(), Sort::by(SortBy::Size));
}

#[test]
fn words_of_bits_are_what_single_bits_are() {
    let is_set = |row: u32| row.is_multiple_of(3) || row % 7 == 1;
    for rows in [0, 1, 63, 64, 65, 127, 128, 200] {
        let bits = bits(0..rows, is_set);
        for from in (0..rows + 64).step_by(64) {
            assert_eq!(bits.word_from(from), word(from..rows, is_set), "{from} of {rows}");
        }
        for row in 0..rows + 64 {
            assert_eq!(bits.contains(row), row < rows && is_set(row), "{row} of {rows}");
        }
        let set = (0..rows).filter(|row| is_set(*row));
        assert_eq!(bits.ones() as usize, set.count());
    }
}
