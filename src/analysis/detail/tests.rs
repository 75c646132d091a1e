//! One key of the imaginary account, and that no key of a random capture says other than its row.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::super::ceiling::Ceiling;
use super::super::columns::Columns;
use super::super::columns::tests::{capture, readings};
use super::super::filter::FilterRow;
use super::super::testing::{CARTS, GIB, Log, NEWEST, ORDERS, WEEK, northpier, seconds};
use super::*;
use crate::model::capture::Grade;

fn find(capture: &Capture, canonical: &str) -> Detail {
    let lookups = Lookups::of(capture, Ceiling::BINARY);
    let mut found = capture.sizes.iter().filter(|(_, v)| v.canonical() == canonical);
    detail(capture, &lookups, found.next().unwrap().0).unwrap()
}

#[test]
fn a_key_tells_its_regions_and_what_its_growth_rests_on() {
    let capture = northpier();
    let found = find(&capture, r#"["tenant-0001"]"#);
    assert_eq!(found.json.as_deref(), Some(r#"["tenant-0001"]"#));
    assert_eq!((found.parts[0].type_name, found.parts[0].text.as_str()), ("string", "tenant-0001"));
    let names: Vec<_> = found.regions.iter().map(|r| r.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["West Europe", "North Europe"]);
    let west = &found.regions[0];
    assert_eq!((west.readings, west.samples.len()), (4, 4));
    assert!(west.samples.is_sorted_by_key(|s| s.when.order()));
    assert_eq!(west.latest_at, Some(seconds(NEWEST)));
    let source = west.source.as_ref().unwrap();
    assert_eq!(
        (source.path.as_str(), source.grade),
        ("exports/northpier-prod.csv", Some(Grade::Logged))
    );
    assert_eq!(found.growth_basis.readings, 4);
    assert_eq!(found.growth_basis.from, Some(seconds(NEWEST - 3 * WEEK)));
    assert_eq!(found.band_from, BandFrom::Assumed);
    assert_eq!((found.epk, found.owner, found.ru, found.ru_share), (None, None, None, None));
}

#[test]
fn hash_ranges_tell_place_and_band() {
    let log = Log::new("log.csv");
    log.reading(ORDERS, "[\"a\"]", "", None, 5.0 * GIB);
    log.reading(CARTS, "[\"a\"]", "", None, GIB);
    log.facts(ORDERS, &["/tenantId"], &[10.0 * GIB]);
    log.facts(CARTS, &["/tenantId", "/userId"], &[9.0 * GIB]);
    log.ranges(ORDERS, &[("0", "", "FF")], &[]);
    let capture = log.capture();
    let details: Vec<Detail> = capture
        .sizes
        .ids()
        .map(|id| detail(&capture, &Lookups::of(&capture, Ceiling::BINARY), id).unwrap())
        .collect();
    let of = |kib: f64| details.iter().find(|d| d.size_kib.total_cmp(&kib).is_eq()).unwrap();
    let order = of(5.0 * GIB);
    let owner = order.owner.as_ref().unwrap();
    assert_eq!((owner.partition.id.as_str(), owner.how_known), ("0", HowKnown::Computed));
    assert_eq!(owner.partition.max_exclusive.as_deref(), Some("FF"));
    assert_eq!((&order.band_from, order.epk.is_some()), (&BandFrom::Owner, true));
    let cart = of(GIB);
    assert_eq!((&cart.band_from, cart.size_of), (&BandFrom::LargestPartition, SizeOf::Prefix));
    assert_eq!(cart.owner, None);
}

#[test]
fn a_long_series_tells_how_many_readings_there_were() {
    let log = Log::new("log.csv");
    for day in 0..40_u32 {
        let at = seconds(NEWEST + i64::from(day) * 86_400);
        log.reading(ORDERS, "[1]", "", Some(at), f64::from(40 - day));
    }
    let found = find(&log.capture(), "[1]");
    let region = &found.regions[0];
    assert_eq!((region.readings, found.growth_basis.readings), (40, 40));
    assert!(region.samples.len() < 40);
    assert_eq!(found.growth_basis.from, Some(seconds(NEWEST)));
    let (first, largest) = region.first_and_largest.unwrap();
    assert_eq!((first, largest.kib.to_bits()), (largest, 40.0_f64.to_bits()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_detail_says_what_its_row_says(given in readings()) {
        let capture = capture(&given);
        let lookups = Lookups::of(&capture, Ceiling::BINARY);
        let columns = Columns::of(&capture, Ceiling::BINARY);
        for (id, view) in capture.sizes.iter() {
            let (found, row) = (detail(&capture, &lookups, id).unwrap(), lookups.key_row(&capture, id).unwrap().0);
            prop_assert_eq!(&found.json, &row.key);
            prop_assert_eq!((found.growth, found.limit_date), (row.growth, row.limit_date));
            prop_assert_eq!((found.size_kib, found.band_kib, found.size_of), (row.size_kib, row.band_kib, row.size_of));
            prop_assert_eq!(found.regions[0].name.as_deref(), row.region.as_deref());
            let columns = columns.container(&capture, view.container()).unwrap();
            let flat = columns.row(columns.find(id).unwrap()).unwrap();
            prop_assert_eq!(found.owner.as_ref().map(|o| o.partition.id.as_str()), flat.partition());
            prop_assert_eq!(found.ru, flat.ru());
        }
    }
}
