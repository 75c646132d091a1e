//! Copies against the finished table they were taken from.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::capture::CaptureBuilder;
use super::super::key::{KeyDefinition, KeyKind, KeyVersion};
use super::super::logical::SizeBatch;
use super::super::names::ContainerName;
use super::super::physical::ContainerFacts;
use super::super::sample::{Sample, SampleTime, Trust};
use super::super::time::Stamp;
use super::*;

#[derive(Clone, Debug)]
struct Reading {
    container: u32,
    key: u32,
    region: u16,
    second: Option<i64>,
    kib: u32,
}

fn readings() -> impl Strategy<Value = Vec<Reading>> {
    let one = (
        0_u32..3,
        0_u32..60,
        0_u16..3,
        prop_oneof![4 => (0_i64..90).prop_map(Some), 1 => Just(None)],
        0_u32..5000,
    );
    let one = one.prop_map(|(container, key, region, second, kib)| Reading {
        container,
        key,
        region,
        second,
        kib,
    });
    prop::collection::vec(one, 0..700)
}

fn push(batch: &mut SizeBatch, r: &Reading) {
    // Every third key is spelt in a way of its own.
    let cell = match r.key % 3 {
        0 => format!("[{}.0]", r.key),
        _ => format!("[\"key-{}\"]", r.key),
    };
    let when = SampleTime::new(r.second.and_then(Stamp::from_seconds), Trust::Exact);
    let kib = f64::from(r.kib);
    batch.push_cell(r.container, r.region, cell.as_bytes(), Sample { when, kib });
}

fn table<'a>(readings: impl IntoIterator<Item = &'a Reading>) -> SizeTable {
    let table = SizeTable::new(3);
    let mut batch = table.batch();
    for reading in readings {
        push(&mut batch, reading);
        if batch.len() == 7 {
            table.apply(&mut batch, 1);
        }
    }
    table.apply(&mut batch, 1);
    table
}

/// Everything told of each key, and its size as it ranks.
fn dump(partitions: &LogicalPartitions) -> BTreeMap<(u32, String), (u64, String)> {
    let mut out = BTreeMap::new();
    for (_, view) in partitions.iter() {
        let newest = view.series().map(|s| {
            let size = super::super::sample::latest(s.samples).unwrap();
            (size.when.order() > 0, size.kib.to_bits())
        });
        let size = newest.max().unwrap().1;
        let mut series: Vec<String> = view.series().map(|s| format!("{s:?}")).collect();
        series.sort();
        let reported = format!("{:?} {series:?}", view.as_found());
        out.insert((view.container(), view.canonical().to_owned()), (size, reported));
    }
    out
}

fn check(kept: &LogicalPartitions, all: &LogicalPartitions, limit: usize) {
    let (kept, all) = (dump(kept), dump(all));
    assert_eq!(kept.len(), limit.min(all.len()));
    let mut sizes: Vec<u64> = all.values().map(|v| v.0).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.truncate(limit);
    let mut kept_sizes: Vec<u64> = kept.values().map(|v| v.0).collect();
    kept_sizes.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(kept_sizes, sizes);
    assert!(kept.iter().all(|(key, reported)| all.get(key) == Some(reported)));
}

fn counts(partitions: &LogicalPartitions) -> Vec<u64> {
    let mut out = vec![0; 3];
    for (_, view) in partitions.iter() {
        out[view.container() as usize] += 1;
    }
    out
}

proptest! {
    // Each case makes tables of 64 shards.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_glimpse_holds_what_the_finished_table_holds(given in readings(), limit in 0_usize..120) {
        let table = table(&given);
        let (kept, mut seen) = largest_so_far(&table, limit);
        let all = table.finish();
        check(&kept, &all, limit);
        seen.resize(3, 0);
        prop_assert_eq!(seen, counts(&all));
    }

    #[test]
    fn the_largest_of_parts_are_the_largest_of_all(given in readings(), limit in 0_usize..120) {
        let mut largest = LargestKeys::new(limit);
        for part in 0..4 {
            let of_part = given.iter().filter(|r| r.key % 4 == part);
            largest.absorb(&table(of_part).finish());
        }
        let all = table(&given).finish();
        let mut seen = largest.keys_seen().to_vec();
        seen.resize(3, 0);
        prop_assert_eq!(seen, counts(&all));
        check(&largest.finish(), &all, limit);
    }

    #[test]
    fn shares_one_after_another_are_all_keys(given in readings(), parts in 0_usize..70) {
        let all = table(&given).finish();
        let ids: Vec<_> = all.ids().collect();
        let shares: Vec<_> = (0..parts.max(1)).flat_map(|p| all.ids_of_part(p, parts)).collect();
        prop_assert!(ids.is_sorted());
        prop_assert_eq!(ids, shares);
    }
}

#[test]
fn keys_given_up_for_a_later_pass_are_not_in_sight() {
    let reading = |key| Reading { container: 0, key, region: 0, second: Some(1), kib: key };
    let given: Vec<Reading> = (0..500).map(reading).collect();
    let table = table(&given);
    assert!(table.drop_half());
    let (kept, seen) = largest_so_far(&table, 1000);
    assert_eq!(kept.len() as u64, seen[0]);
    assert!((100..400).contains(&kept.len()), "{}", kept.len());
}

#[test]
fn a_glimpse_knows_names_and_definitions() {
    let builder = CaptureBuilder::new(1);
    let name = ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    builder.container(&ContainerName::default()).unwrap();
    let region = builder.region("West Europe").unwrap();
    let definition = KeyDefinition {
        paths: vec!["/tenantId".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V2,
    };
    let facts =
        ContainerFacts { name, definition: Some(definition.clone()), ..ContainerFacts::default() };
    builder.facts(facts, "container.json", 0);
    let mut batch = builder.sizes().batch();
    let sample = Sample { when: SampleTime::new(Stamp::from_seconds(60), Trust::Exact), kib: 12.0 };
    batch.push_cell(container, region, b"[\"tenant-0001\"]", sample);
    builder.sizes().apply(&mut batch, 0);
    let glimpse = builder.glimpse(5);
    assert_eq!(glimpse.keys_so_far, [1, 0]);
    let held = glimpse.capture.container(container).unwrap();
    assert_eq!(held.definition, Some(definition));
    assert_eq!(glimpse.capture.regions.text(u32::from(region)), "West Europe");
    // The import goes on as if nobody had looked.
    builder.settle(None);
    assert_eq!(dump(&builder.finish().sizes), dump(&glimpse.capture.sizes));
}
