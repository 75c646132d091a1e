//! Demand measured by the key of today, brought to other keys second by second.

use crate::analysis::rules::Rule;
use std::sync::Arc;

use super::super::super::demand::outcome::{Outcome, PartitionOutcome};
use super::super::super::demand::partitions::Partitions;
use super::super::super::demand::{
    CurrentLoad, Demand, DemandKey, DemandLoad, Evidence, Keyless, OutcomeInputs, Requester,
};
use super::super::key_placement::{PartitionLoad, Placement};
use super::super::today::LoggedRu;
use super::super::verdict::{RoutedTrial, verdicts};
use super::*;

/// Two partitions of 5,000 RU/s.
fn partitions() -> Partitions {
    let mut found = Partitions::default();
    found.numbers = vec![0, 1];
    found.ids = vec!["0".to_owned(), "1".to_owned()];
    found.capacities = Some(vec![5_000.0; 2]);
    found.provisioned = Some(10_000.0);
    found
}

/// RU/s of ten tenants in five minutes.
pub(super) fn settings(ru_of: impl Fn(i64, u32) -> f64) -> Settings {
    let minutes = (0..5).flat_map(|minute| (0..10_u32).map(move |key| (minute, key)));
    let load = |(minute, key): (i64, u32)| {
        DemandLoad::served(minute * 60, Requester::Key(key), key % 2, ru_of(minute, key))
    };
    let mut loads: Vec<DemandLoad> = minutes.map(load).collect();
    loads.sort_by_key(|load| (load.second, load.partition));
    let key = |n: usize| DemandKey { canonical: format!("[\"t{n}\"]"), epk: None };
    let demand = Demand {
        keys: (0..10).map(key).collect(),
        loads,
        evidence: Evidence::RuLog,
        keyless: Keyless::Unknown,
        step_s: 60,
        span: (0, 300),
        unplaced_ru: 0.0,
        charge: None,
        ru_of_429: 0.0,
        retries: None,
    };
    let now = CurrentLoad::of(&OutcomeInputs {
        repeats: None,
        partitions: partitions(),
        demand: &demand,
        region: None,
        knows_throttled: true,
        cured: 0.01,
    });
    let by_key = demand.ru_by_key().into_iter();
    let logged = LoggedRu {
        by_key: by_key.map(|(key, ru)| (demand.keys[key].canonical.as_str().into(), ru)).collect(),
        keyless: 0.0,
    };
    let today = Today {
        key: Some(parsed("/tenant")),
        ru_per_second: Some(10_000.0),
        logged,
        now: Some(Arc::new(now)),
        ..Today::default()
    };
    Settings {
        partitions: 2,
        ru_per_second: today.ru_per_second,
        load_ru_per_second: today.demand(),
        today: Some(Arc::new(today)),
        ..Settings::default()
    }
}

/// 4,000 documents of ten tenants; the older half of other users than the newer one.
fn orders(has_tenant: impl Fn(i32) -> bool) -> Documents {
    let row = |n: i32| {
        let tenant = Cell::Text(format!("t{}", n % 10));
        let user = if n < 2_000 { format!("u{}", n % 100) } else { format!("new-{}", n % 10) };
        let cells = vec![
            if has_tenant(n) { tenant } else { Cell::Missing },
            Cell::Text(user),
            Cell::Text(format!("o{n}")),
            Cell::Number(1_767_225_600 + n * 30),
        ];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..4_000).map(row).collect();
    documents(&["tenant", "user", "id", "time"], &rows, &coded())
}

#[test]
fn a_batch_of_one_minute_is_not_its_mean_under_another_key_either() {
    let documents = orders(|_| true);
    let ru = |ru_of: &dyn Fn(i64, u32) -> f64| {
        let trials = trials(&documents, settings(ru_of));
        let trial = trials.trial(&parsed("/id"));
        assert!((trial.demand.unwrap() - 5_000.0).abs() < 1e-6);
        trial.to_buy[0].ru.unwrap().point
    };
    let steady = ru(&|_, _| 500.0);
    let batch = ru(&|minute, _| if minute == 3 { 2_500.0 } else { 0.0 });
    let ratio = batch / steady;
    assert!((4.5..5.5).contains(&ratio), "{batch} {steady}");
    // One tenant's batch while the others go on: its minute decides.
    let one = ru(&|minute, key| match (minute, key) {
        (3, 0) => 12_500.0,
        (_, 0) => 0.0,
        _ => 2_500.0 / 9.0,
    });
    assert!((14_000.0..16_000.0).contains(&one), "{one}");
}

#[test]
fn the_key_of_today_shows_what_was_measured() {
    let settings = settings(|minute, key| f64::from(key) * if minute == 1 { 900.0 } else { 50.0 });
    let trial = trials(&orders(|_| true), settings.clone()).trial(&parsed("/tenant"));
    let now = &settings.today.as_ref().unwrap().now.as_ref().unwrap().outcome;
    assert_eq!(trial.outcome.as_ref(), Some(now));
    assert_eq!(trial.placement.throttled_share, now.throttled_share.map(|t| t.point));
    // Nothing of the documents of the last hours is shown beside it.
    assert!(trial.writes.is_none() && trial.hot_hour_share.is_some());
    let tried = RoutedTrial { trial: &trial, routed: &[] };
    let verdict = &verdicts(&[tried], &settings)[0];
    let said = |rule: &str| verdict.reasons.iter().any(|r| r.rule.name() == rule);
    assert!(!said("hot-now") && !said("time-unknown") && !said("active-keys"));
}

#[test]
fn the_newest_documents_say_where_requests_go() {
    // Tenant 0 has all of it, and wrote to the user new-0 of late.
    let settings = settings(|_, key| if key == 0 { 5_000.0 } else { 0.0 });
    let trial = trials(&orders(|_| true), settings).trial(&parsed("/user"));
    assert!((trial.hottest_share - 1.0).abs() < 1e-6);
    assert!((trial.beyond_any_ru.unwrap()).abs() < 1e-6);
}

#[test]
fn a_key_that_most_documents_lack_says_nothing_of_others() {
    let settings = settings(|_, key| if key == 0 { 4_550.0 } else { 50.0 });
    let cannot = |trial: &Trial| trial.findings.iter().any(|f| f.rule == Rule::CannotMap);
    let some = trials(&orders(|n| n % 5 < 3), settings.clone());
    let trial = some.trial(&parsed("/user"));
    assert!(!cannot(&trial) && trial.writes.is_none());
    let few = trials(&orders(|n| n % 5 < 2), settings);
    let trial = few.trial(&parsed("/user"));
    assert!(cannot(&trial) && trial.writes.is_some());
    assert!(
        matches!(few.mapped(), DemandMapping::Cannot { without } if (without - 0.6).abs() < 1e-9)
    );
    assert!(!cannot(&few.trial(&parsed("/tenant"))));
    // By the documents alone: half of them are of the new users.
    assert!(trial.hottest_share < 0.2, "{}", trial.hottest_share);
}

#[test]
fn a_hot_first_level_is_split_where_ru_are_raised() {
    // One tenant has 12,000 of 13,000 RU/s and half of the data, in 100 users.
    let row = |n: i32| {
        let tenant = if n % 2 == 0 { 0 } else { n % 10 };
        let cells =
            vec![Cell::Text(format!("t{tenant}")), Cell::Text(format!("u{}", n / 10 % 100))];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..8_000).map(row).collect();
    let documents = documents(&["tenant", "user"], &rows, &coded());
    let settings = Settings {
        ru_per_second: Some(40_000.0),
        ..settings(|_, key| if key == 0 { 12_000.0 } else { 111.0 })
    };
    let trials = trials(&documents, settings);
    let levels = trials.trial(&parsed("/tenant > /user"));
    let placement = &levels.placement;
    assert_eq!(placement.layout, LayoutFrom::CreationSplit { from: 1 });
    assert_eq!(placement.partitions.len(), 4);
    assert!(placement.throttled_share.unwrap() < 0.01, "{placement:?}");
    assert!(levels.to_buy[0].ru.unwrap().point < 60_000.0);
    // Nothing to split where no first level is hot, and where the key has one level.
    let users = trials.trial(&parsed("/user > /tenant")).placement;
    assert_eq!(users.layout, LayoutFrom::Creation);
    let plain = trials.trial(&parsed("/tenant + \".\" + /user"));
    assert_eq!(plain.placement.layout, LayoutFrom::Creation);
}

#[test]
fn measured_load_stands_at_the_partition_of_its_id() {
    let of_id = |(id, mean): (&str, f64)| PartitionOutcome {
        id: id.to_owned(),
        capacity: Some(5_000.0),
        mean,
        p99: mean,
        peak: mean,
        served: None,
        throttled_share: None,
    };
    let outcome = Outcome {
        partitions: [("0", 10.0), ("1", 20.0), ("2", 30.0)].map(of_id).to_vec(),
        ..Outcome::default()
    };
    // After a split the ranges are in another order than the ids.
    for (ids, expected) in [
        (&["0", "2", "1"][..], [("0", 10.0), ("2", 30.0), ("1", 20.0)]),
        (&[], [("0", 10.0), ("1", 20.0), ("2", 30.0)]),
        (&["7", "8", "9"], [("0", 10.0), ("1", 20.0), ("2", 30.0)]),
    ] {
        let mut placement = Placement {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            partitions: vec![PartitionLoad::default(); 3],
            ..Placement::default()
        };
        placement.measured(&outcome);
        let loads = placement.partitions.iter().enumerate();
        let found: Vec<_> =
            loads.map(|(at, load)| (placement.id(at), load.ru_per_second.unwrap())).collect();
        let expected = expected.map(|(id, ru)| (id.to_owned(), ru));
        assert_eq!(found, expected);
    }
}
