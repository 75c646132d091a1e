//! Today's ranges, splits, and what documents weigh.

use super::*;
use crate::model::epk::epk;
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::layout::{Layout, SplitPoint};

const GIB: f64 = (1 << 30) as f64;

/// `counts` documents of each tenant.
fn tenants(counts: &[(&str, u32)]) -> Documents {
    let mut rows = Vec::new();
    for (tenant, count) in counts {
        let row = |n: u32| {
            let user = Cell::Number(i32::try_from(n).unwrap());
            (vec![Cell::Text((*tenant).to_owned()), user], 500)
        };
        rows.extend((0..*count).map(row));
    }
    documents(&["tenant", "user"], &rows, &coded())
}

fn hashing(version: KeyVersion) -> KeyDefinition {
    KeyDefinition { paths: vec!["/tenant".to_owned()], kind: KeyKind::Hash, version }
}

fn today(version: KeyVersion, partitions: usize) -> Today {
    Today {
        key: Some(parsed("/tenant")),
        definition: Some(hashing(version)),
        ranges: Some(Layout::even(partitions, &hashing(version))),
        ..Today::default()
    }
}

fn settings(today: Today, partitions: usize) -> Settings {
    Settings { partitions, today: Some(Arc::new(today)), ..Settings::default() }
}

fn documents_of(trial: &Trial) -> Vec<f64> {
    let partitions = trial.placement.partitions.iter();
    partitions.map(|p| p.documents).collect()
}

const SIX: [(&str, u32); 6] = [("A", 20), ("B", 5), ("C", 15), ("D", 120), ("E", 3), ("F", 7)];

#[test]
fn the_current_key_lies_on_todays_ranges_and_another_on_new_ones() {
    let documents = tenants(&SIX);
    let trials = trials(&documents, settings(today(KeyVersion::V2, 3), 2));
    let current = trials.trial(&parsed("/tenant"));
    assert_eq!(current.placement.layout, LayoutFrom::Today);
    // The worked example's placement: A, D, E, F; B, C; none.
    assert_eq!(documents_of(&current), [150.0, 20.0, 0.0]);
    let other = trials.trial(&parsed("/user"));
    assert_eq!(other.placement.layout, LayoutFrom::Creation);
    assert_eq!(other.placement.partitions.len(), 2);
}

#[test]
fn more_partitions_come_of_splits_at_the_median_of_the_data_or_in_the_middle() {
    let documents = tenants(&SIX);
    let with = |cut| Settings { cut, ..settings(today(KeyVersion::V2, 3), 5) };
    let split = |cut| trials(&documents, with(cut)).trial(&parsed("/tenant"));
    let by_data = split(SplitPoint::Data);
    assert_eq!(by_data.placement.layout, LayoutFrom::TodaySplit { from: 3 });
    let loads = documents_of(&by_data);
    assert_eq!(loads.len(), 5);
    assert!((loads.iter().sum::<f64>() - 170.0).abs() < 1e-9);
    // The one large key is cut off from the others of its range.
    assert!(loads.contains(&120.0), "{loads:?}");
    let middle = split(SplitPoint::Midpoint);
    assert_eq!(middle.placement.partitions.len(), 5);
    assert_ne!(loads, documents_of(&middle));
}

#[test]
fn a_container_of_version_1_is_placed_by_its_own_hash() {
    let documents = tenants(&SIX);
    let trial = trials(&documents, settings(today(KeyVersion::V1, 4), 4)).trial(&parsed("/tenant"));
    let layout = Layout::even(4, &hashing(KeyVersion::V1));
    let mut wanted = vec![0.0; 4];
    for (tenant, count) in SIX {
        let place = epk(&[KeyPart::Text(tenant.into())], &hashing(KeyVersion::V1)).unwrap();
        wanted[layout.owner(&place).unwrap()] += f64::from(count);
    }
    assert_eq!(documents_of(&trial), wanted);
    assert_eq!(trial.placement.by_chance, 0);
}

#[test]
fn partitions_that_would_hold_too_much_are_split_until_they_do_not() {
    let documents = tenants(&SIX);
    let stored = Settings {
        partitions: 2,
        stored_bytes: Some(400.0 * GIB),
        ru_per_second: Some(20_000.0),
        load_ru_per_second: Some(20_000.0),
        ..Settings::default()
    };
    let trials = trials(&documents, stored);
    let spread = trials.trial(&parsed("/tenant + \"-\" + /user")).placement;
    // The data is copied before it serves: what is judged is what splits make of it.
    assert_eq!(spread.layout, LayoutFrom::StorageSplit { from: 2 });
    assert_eq!(spread.after_splits, None);
    assert!(spread.partitions.len() >= 8);
    assert!(spread.partitions.iter().all(|p| p.bytes <= 50.0 * GIB));
    let sum: f64 = spread.partitions.iter().map(|p| p.bytes).sum();
    assert!((sum / (400.0 * GIB) - 1.0).abs() < 1e-9);
    let ru: f64 = spread.partitions.iter().filter_map(|p| p.ru_per_second).sum();
    assert!((ru - 20_000.0).abs() < 1e-6);
    // Tenant D has 120 of 170 documents and cannot be divided: 282 GiB in one partition.
    let whole = trials.trial(&parsed("/tenant")).placement;
    let after = whole.after_splits.unwrap();
    assert_eq!(after.over, 1);
    assert!(after.partitions.len() < 8, "{}", after.partitions.len());
    // With the user below it splits fall inside the tenant.
    let levels = trials.trial(&parsed("/tenant > /user")).placement;
    assert_eq!(levels.after_splits, None);
    assert!(levels.partitions.iter().all(|p| p.bytes <= 50.0 * GIB));
}

#[test]
fn what_fits_needs_no_splits() {
    let trial = trials(&tenants(&SIX), Settings::default()).trial(&parsed("/tenant"));
    assert_eq!(trial.placement.after_splits, None);
    assert_eq!(trial.placement.layout, LayoutFrom::Creation);
}

#[test]
fn ru_follow_bytes_or_what_logs_name_for_the_current_keys() {
    let documents = tenants(&[("A", 10), ("B", 10), ("C", 20)]);
    let mut today = today(KeyVersion::V2, 3);
    today.logged.by_key.insert("[\"A\"]".into(), 700.0);
    today.logged.by_key.insert("[\"B\"]".into(), 100.0);
    today.logged.by_key.insert("[\"elsewhere\"]".into(), 150.0);
    today.logged.keyless = 50.0;
    let weighed = |weight| Settings {
        weight,
        load_ru_per_second: Some(30_000.0),
        ..settings(today.clone(), 3)
    };
    let logged = trials(&documents, weighed(Weight::Logged));
    let DemandMapping::By(spread) = logged.mapped() else { unreachable!("{:?}", logged.mapped()) };
    assert_eq!((spread.matched_keys, spread.logged_keys), (2, 3));
    assert!((spread.logged_ru - 1_000.0).abs() < 1e-6 && (spread.matched_ru - 800.0).abs() < 1e-6);
    assert_eq!(spread.unnamed_documents, 20);
    let trial = logged.trial(&parsed("/tenant"));
    assert!((trial.hottest_share - 0.7).abs() < 1e-6);
    // 21,000 of 30,000 RU/s are asked of one key.
    assert!((trial.beyond_any_ru.unwrap() - 11_000.0).abs() < 0.1);
    let share = |name: &str| {
        let wanted: Key = vec![KeyPart::Text(name.into())].into();
        trial.top.iter().find(|t| t.key == wanted).unwrap().share_of_ru
    };
    // C is named by no record: what is left goes to it.
    assert!((share("B") - 0.1).abs() < 1e-6 && (share("C") - 0.2).abs() < 1e-6);
    // Another key takes its documents' RU along.
    let by_user = logged.trial(&parsed("/tenant + \"-\" + /user"));
    assert!((by_user.hottest_share - 0.07).abs() < 1e-6);
    let plain = trials(&documents, weighed(Weight::Documents));
    assert_eq!(plain.mapped(), DemandMapping::No);
    assert!((plain.trial(&parsed("/tenant")).hottest_share - 0.5).abs() < 1e-9);
}

#[test]
fn without_logged_keys_documents_are_the_weight() {
    let asked = Settings { weight: Weight::Logged, ..settings(today(KeyVersion::V2, 3), 3) };
    let trials = trials(&tenants(&SIX), asked);
    assert_eq!((trials.weight(), trials.mapped()), (Weight::Documents, DemandMapping::No));
}
