//! Places against a look through all ranges.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::super::testing::{Log, ORDERS};
use super::*;

fn partitions(bounds: &[(u8, u8)]) -> Vec<PhysicalPartition> {
    let bounds = bounds.iter().enumerate();
    bounds
        .map(|(id, (min, max))| {
            let mut partition = PhysicalPartition::new(&id.to_string());
            partition.min_inclusive = Some(format!("{min:02X}"));
            partition.max_exclusive = Some(format!("{max:02X}"));
            partition
        })
        .collect()
}

proptest! {
    #[test]
    fn the_first_range_that_holds_a_key_owns_it(bounds in prop::collection::vec((0_u8..40, 0_u8..40), 0..12)) {
        let ranges = Ranges::of(&partitions(&bounds));
        let hex = |n: &u8| Epk::from_hex(&format!("{n:02X}")).unwrap();
        let known: Vec<(Epk, Epk)> = bounds.iter().map(|(a, b)| (hex(a), hex(b))).collect();
        for at in 0..42_u8 {
            let place = hex(&at);
            let naive = known.iter().position(|(min, max)| *min <= place && place < *max);
            prop_assert_eq!(ranges.owner(&place), naive);
        }
    }
}

fn capture(paths: &[&str]) -> Capture {
    let log = Log::new("log.csv");
    log.reading(ORDERS, "[\"a\"]", "", None, 1.0);
    log.facts(ORDERS, paths, &[10.0, 40.0]).ranges(
        ORDERS,
        &[
            ("0", "", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
            ("1", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "FF"),
        ],
        &[("1", "[\"listed\"]")],
    );
    log.capture()
}

#[test]
fn listed_keys_lie_where_the_service_says_and_others_where_they_hash() {
    let places = Places::of(&capture(&["/tenantId"]));
    let listed = places.place(0, "[\"listed\"]");
    assert_eq!(listed.owner, Some((1, HowKnown::Listed)));
    assert_eq!(listed.partition_kib, Some(40.0));
    for n in 0..50 {
        let key = format!("[\"tenant-{n}\"]");
        let half = places.epk(0, &key).unwrap()
            >= Epk::from_hex("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF").unwrap();
        let place = places.place(0, &key);
        assert_eq!(place.owner, Some((usize::from(half), HowKnown::Computed)));
        assert_eq!(place.partition_kib, Some(if half { 40.0 } else { 10.0 }));
    }
    assert_eq!(places.owner(0, ""), None);
    assert_eq!(places.place(0, "").partition_kib, Some(40.0));
    assert_eq!(places.place(9, "[\"a\"]"), KeyRange::default());
    assert_eq!(places.epk(0, "[\"a\",\"b\"]"), None);
}

#[test]
fn a_prefix_lies_in_a_partition_only_as_a_whole() {
    let places = Places::of(&capture(&["/tenantId", "/userId"]));
    assert_eq!(places.owner(0, "[]"), None);
    assert!(matches!(places.owner(0, "[\"a\"]"), Some((_, HowKnown::Computed))));
    let prefix = places.epk(0, "[\"a\"]").unwrap();
    let cut = partitions(&[]);
    assert!(Ranges::of(&cut).is_empty());
    let mut halves = partitions(&[(0, 0), (0, 255)]);
    let inside = format!("{prefix}20");
    halves[0].max_exclusive = Some(inside.clone());
    halves[1].min_inclusive = Some(inside);
    let ranges = Ranges::of(&halves);
    let mut end = prefix.as_bytes().to_vec();
    end.push(0xFF);
    assert_eq!(ranges.owner(&prefix), Some(0));
    assert_eq!(ranges.holder(&prefix, &end.into()), None);
}
