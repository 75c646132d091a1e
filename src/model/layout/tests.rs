//! Layouts and splits against real hashes and the numbers of the training material.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]

use crate::model::throughput::{ThroughputMode, initial_partitions, partitions_for_storage};
use crate::model::units::as_number;
use proptest::prelude::*;

use super::*;
use crate::model::epk::epk;
use crate::model::key::{KeyKind, KeyVersion, Part};

pub(crate) fn by_one_path() -> KeyDefinition {
    KeyDefinition {
        paths: vec!["/tenantId".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V2,
    }
}

pub(crate) fn hash(text: &str) -> Epk {
    epk(&[Part::Text(text.into())], &by_one_path()).unwrap()
}

fn weights(of: &[(&str, f64)]) -> Vec<PlacedWeight> {
    of.iter().map(|(key, w)| (hash(key), *w)).collect()
}

fn tenants() -> Vec<PlacedWeight> {
    weights(&[
        ("A", 2000.0),
        ("B", 500.0),
        ("C", 1500.0),
        ("D", 12_000.0),
        ("E", 300.0),
        ("F", 700.0),
    ])
}

fn loads(layout: &Layout, weights: &[PlacedWeight]) -> Vec<f64> {
    let mut loads = vec![0.0; layout.len()];
    for (epk, weight) in weights {
        loads[layout.owner(epk).unwrap()] += weight;
    }
    loads
}

#[test]
fn six_tenants_lie_on_two_of_three_partitions() {
    let layout = Layout::even(3, &by_one_path());
    assert_eq!(loads(&layout, &tenants()), [15_000.0, 2000.0, 0.0]);
}

#[test]
fn a_split_cuts_beside_a_key_that_outweighs_the_rest() {
    let definition = by_one_path();
    let layout = Layout::even(3, &definition);
    let grown = layout.grown(
        4,
        SplitFirst::Heaviest,
        SplitBy::new(&tenants(), &definition, SplitPoint::Data),
    );
    assert_eq!(grown.len(), 4);
    let loads = loads(&grown, &tenants());
    assert_eq!(loads.iter().sum::<f64>(), 17_000.0);
    let with_d = grown.owner(&hash("D")).unwrap();
    assert!((12_000.0..15_000.0).contains(&loads[with_d]), "{loads:?}");
    let span = &grown.spans()[with_d];
    assert_eq!((span.from, span.splits, span.part()), (0, 1, 0.5));
    let doubled =
        layout.split_where(|_| true, SplitBy::new(&tenants(), &definition, SplitPoint::Data));
    assert_eq!(doubled.len(), 6);
}

#[test]
fn several_keys_are_shared_out_by_their_weight() {
    let definition = by_one_path();
    let names: Vec<String> = (0..200).map(|n| format!("key-{n}")).collect();
    let weights: Vec<PlacedWeight> = names.iter().map(|n| (hash(n), 1.0)).collect();
    let layout = Layout::even(1, &definition).grown(
        2,
        SplitFirst::Heaviest,
        SplitBy::new(&weights, &definition, SplitPoint::Data),
    );
    assert_eq!(loads(&layout, &weights), [100.0, 100.0]);
    let midpoint = Layout::even(1, &definition).grown(
        2,
        SplitFirst::Heaviest,
        SplitBy::new(&weights, &definition, SplitPoint::Midpoint),
    );
    assert_eq!(midpoint.spans()[0].max, even_boundaries(2, &definition)[0]);
}

#[test]
fn nothing_but_ranges_that_cover_the_space_are_a_layout() {
    let half = even_boundaries(2, &by_one_path()).remove(0);
    let whole = vec![(1, half.clone(), Epk::MAX), (0, Epk::MIN, half.clone())];
    let layout = Layout::from_ranges(whole).unwrap();
    assert_eq!(layout.spans()[0].from, 0);
    assert_eq!(Layout::from_ranges(vec![(0, Epk::MIN, half.clone())]), None);
    assert_eq!(Layout::from_ranges(Vec::new()), None);
    let overlap = vec![(0, Epk::MIN, Epk::MAX), (1, half, Epk::MAX)];
    assert_eq!(Layout::from_ranges(overlap), None);
}

#[test]
fn partitions_without_load_are_halved() {
    let definition = by_one_path();
    let layout = Layout::even(2, &definition)
        .split_where(|_| true, SplitBy::new(&[], &definition, SplitPoint::Data));
    assert_eq!(layout.len(), 4);
    assert_eq!(layout.spans()[2].min, even_boundaries(2, &definition)[0]);
}

pub fn example(id: &str) -> serde_json::Value {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut found = all["worked_examples"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap().clone()
}

fn claim(id: &str) -> f64 {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut found = all["claims"].as_array().unwrap().iter();
    let claim = found.find(|e| e["id"] == id).unwrap();
    claim["expected"].as_f64().unwrap()
}

#[test]
fn the_documented_numbers_of_partitions() {
    let initial = example("initial-partitions");
    let ru = initial["inputs"]["ru"].as_f64().unwrap();
    let reported = |n: usize| serde_json::Value::from(n);
    let (manual, other) = (ThroughputMode::Manual, ThroughputMode::AutoscaleOrShared);
    assert_eq!(reported(initial_partitions(ru, manual)), initial["expected"]["manual"]);
    assert_eq!(reported(initial_partitions(ru, other)), initial["expected"]["autoscale"]);
    assert_eq!(as_number(initial_partitions(30_000.0, manual)), claim("ru-30000-initial-manual"));

    assert_eq!(initial_partitions(400.0, manual), 1);
}

#[test]
fn partitions_for_what_is_stored() {
    let gib = 1_048_576.0;
    assert_eq!(as_number(partitions_for_storage(2100.0 * gib)), claim("blog-partitions-storage"));
}

#[test]
fn one_of_two_partitions_split_leaves_the_keys_uneven() {
    let reported = example("scale-uneven");
    let definition = by_one_path();
    let layout = Layout::even(2, &definition);
    // Twice as many: each once, though one half of all weight is in the first.
    let heavy: Vec<PlacedWeight> = tenants()
        .into_iter()
        .map(|(epk, weight)| {
            let first = layout.owner(&epk) == Some(0);
            (epk, if first { weight * 100.0 } else { weight })
        })
        .collect();
    let doubled = layout.grown(
        2 * layout.len(),
        SplitFirst::Heaviest,
        SplitBy::new(&heavy, &definition, SplitPoint::Data),
    );
    assert!(doubled.spans().iter().all(|span| span.splits == 1));
    let grown =
        layout.grown(3, SplitFirst::Heaviest, SplitBy::new(&[], &definition, SplitPoint::Data));
    let mut parts: Vec<f64> = grown.spans().iter().map(|s| s.part() / 2.0).collect();
    parts.sort_by(|a, b| b.total_cmp(a));
    let expected = reported["expected"]["share_of_data"].as_array().unwrap();
    assert_eq!(parts, expected.iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>());
    let ratio = parts[0] * as_number(parts.len());
    assert_eq!(Some(ratio), reported["expected"]["largest_over_mean"].as_f64());
}

#[test]
fn keys_of_the_claims_fall_where_they_say() {
    let definition = by_one_path();
    for (count, id) in
        [(5, "suffix-balance-5"), (10, "suffix-balance-10"), (20, "suffix-balance-20")]
    {
        let keys: Vec<PlacedWeight> =
            (1..=400).map(|n| (hash(&format!("2018-08-09.{n}")), 1.0)).collect();
        let loads = loads(&Layout::even(count, &definition), &keys);
        let most = loads.into_iter().fold(0.0, f64::max);
        assert_eq!(most * as_number(count) / 400.0, claim(id));
    }
}

proptest! {
    #[test]
    fn splits_keep_every_key_and_cover_the_space(
        keys in prop::collection::vec(("[a-z]{1,4}", 0.0..1e4_f64), 0..40),
        start in 1_usize..6,
        count in 1_usize..30,
    ) {
        let definition = by_one_path();
        let weights: Vec<PlacedWeight> = keys.iter().map(|(k, w)| (hash(k), *w)).collect();
        for how in [SplitPoint::Data, SplitPoint::Midpoint] {
            let grown = Layout::even(start, &definition).grown(count, SplitFirst::Heaviest, SplitBy::new(&weights, &definition, how));
            prop_assert_eq!(grown.len(), count.max(start));
            let ranges = grown.spans().iter().enumerate();
            let again = ranges.map(|(at, s)| (at, s.min.clone(), s.max.clone())).collect();
            prop_assert!(Layout::from_ranges(again).is_some());
            let total: f64 = weights.iter().map(|w| w.1).sum();
            prop_assert!((loads(&grown, &weights).iter().sum::<f64>() - total).abs() < 1e-6);
        }
    }
}
