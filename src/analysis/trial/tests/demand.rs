//! What is demanded under a key: unknown, given, or by the rates of requests.

use crate::analysis::rules::Rule;
use crate::model::throughput::initial_partitions;
use std::sync::Arc;

use super::super::super::billing::Price;
use super::super::super::demand::buy::Shortfall;
use super::super::super::findings::Severity;
use super::super::super::routing::workload::Workload;
use super::super::verdict::{Acceptance, RoutedTrial, THROTTLED_ALARM, verdicts};
use super::*;
use crate::model::units::whole_text;

/// 2,000 documents of 200 tenants.
fn orders() -> Documents {
    let row =
        |n: i32| (vec![Cell::Text(format!("t{}", n % 200)), Cell::Text(format!("o{n}"))], 1_000);
    let rows: Vec<_> = (0..2_000).map(row).collect();
    documents(&["tenant", "id"], &rows, &coded())
}

fn with(requests: &str, load: Option<f64>) -> Settings {
    Settings {
        ru_per_second: Some(60_000.0),
        least_partitions: 10,
        load_ru_per_second: load,
        workload: Arc::new(Workload::parse(requests)),
        ..Settings::default()
    }
}

const RATED: &str = "-- rate: 100/s\n-- ru: 10\ncreate;\n\n-- name: of a tenant\n-- rate: 400/s\n-- ru: 5\n\
    SELECT * FROM c WHERE c.tenant = @t";

fn demands(trial: &Trial) -> Vec<f64> {
    let partitions = trial.placement.partitions.iter();
    partitions.filter_map(|p| p.ru_per_second).collect()
}

#[test]
fn provisioned_ru_are_no_demand() {
    for requests in ["", "-- rate: 5/s\ncreate;\n\nSELECT * FROM c"] {
        let settings = with(requests, None);
        let trial = trials(&orders(), settings.clone()).trial(&parsed("/tenant"));
        assert_eq!(trial.demand, None);
        assert_eq!(trial.placement.throttled_share, None);
        assert_eq!(trial.beyond_any_ru, None);
        assert!(demands(&trial).is_empty());
        // What needs no demand is there: imbalance, and when the hottest key meets its limit.
        assert!(trial.placement.load_ratio_ru.unwrap() > 1.0);
        assert!((trial.demand_at_key_limit.unwrap() - 2e6).abs() < 1e-3);
        let ifs: Vec<f64> = trial.to_buy.iter().map(|buy| buy.demand).collect();
        assert_eq!(ifs, [6_000.0, 60_000.0, 600_000.0]);
        let tried = RoutedTrial { trial: &trial, routed: &[] };
        let verdict = &verdicts(&[tried], &settings)[0];
        let said = |rule: &str| verdict.reasons.iter().find(|r| r.rule.name() == rule);
        assert!(said("refused").is_none());
        let sentence = &said("demand-unknown").unwrap().sentence;
        assert!(sentence.contains("of the provisioned RU/s"), "{sentence}");
        assert!(verdict.standing < Acceptance::Reject);
    }
}

#[test]
fn reads_are_load_and_cross_partition_ones_on_every_partition() {
    let documents = orders();
    let trials = trials(&documents, with(RATED, None));
    let bound = trials.trial(&parsed("/tenant"));
    // 100 × 10 + 400 × 5.
    assert!((demands(&bound).iter().sum::<f64>() - 3_000.0).abs() < 1e-6);
    assert_eq!(bound.demand, Some(3_000.0));
    let cross = trials.trial(&parsed("/id"));
    let demanded = demands(&cross);
    // 400 × 2.5 on each of ten, and what is found beyond a visit: 400 × 2.5.
    assert!((demanded.iter().sum::<f64>() - 12_000.0).abs() < 1e-6);
    assert!(demanded.iter().all(|ru| *ru > 1_100.0), "{demanded:?}");
    let ru = |trial: &Trial| trial.to_buy[0].ru.unwrap().point;
    assert!(ru(&bound) < 4_200.0, "{}", ru(&bound));
    assert!(ru(&bound) < ru(&cross));
}

#[test]
fn ru_to_buy_cost_money_where_a_price_is_set() {
    for (price, wanted) in [(None, ""), (Some(0.01), " EUR a month")] {
        let price =
            price.map(|per_100_ru_hour| Price { per_100_ru_hour, currency: "EUR".to_owned() });
        let settings = Settings { price, ..with(RATED, None) };
        let trial = trials(&orders(), settings).trial(&parsed("/tenant"));
        let buy = &trial.to_buy[0];
        let money = buy.money();
        assert!(money.ends_with(wanted) && money.is_empty() == wanted.is_empty(), "{money}");
    }
}

#[test]
fn a_load_scales_all_rates_alike() {
    let trials = trials(&orders(), with(RATED, Some(30_000.0)));
    let bound = trials.trial(&parsed("/tenant"));
    assert!((bound.demand.unwrap() - 30_000.0).abs() < 1e-6);
    // Ten times the rates: each partition gets 10,000 RU/s of visits.
    let cross = trials.trial(&parsed("/id"));
    assert!((cross.demand.unwrap() - 120_000.0).abs() < 1e-6);
    assert!(cross.placement.throttled_share.unwrap() > 0.4);
}

#[test]
fn too_few_ru_are_no_fault_of_a_key_where_more_can_be_bought() {
    let settings = Settings { ru_per_second: Some(20_000.0), ..with(RATED, Some(30_000.0)) };
    let trial = trials(&orders(), settings.clone()).trial(&parsed("/tenant"));
    assert!(trial.placement.throttled_share.unwrap() > THROTTLED_ALARM);
    let needed = whole_text(trial.to_buy[0].ru.unwrap().point);
    let tried = RoutedTrial { trial: &trial, routed: &[] };
    let verdict = &verdicts(&[tried], &settings)[0];
    assert_eq!(verdict.standing, Acceptance::Good);
    let wanted = format!("{needed} RU/s needed, 20,000 provisioned: ");
    let mut sentences = verdict.reasons.iter().map(|reason| &reason.sentence);
    let said = sentences.find(|said| said.starts_with(&wanted)).unwrap();
    assert!(said.ends_with(" A new container can have enough."), "{said}");
    // Three tenants have no more than three of ten partitions, whatever is paid for.
    let few = Settings { ru_per_second: Some(1_000.0), ..with("", Some(2_000.0)) };
    let row = |n: i32| (vec![Cell::Text(format!("t{}", n % 3))], 1_000);
    let rows: Vec<_> = (0..300).map(row).collect();
    let documents = documents(&["tenant"], &rows, &coded());
    let trial = trials(&documents, few.clone()).trial(&parsed("/tenant"));
    assert!(trial.to_buy[0].ru.unwrap().point > 4_000.0);
    let tried = RoutedTrial { trial: &trial, routed: &[] };
    let verdict = &verdicts(&[tried], &few)[0];
    let dear = verdict.reasons.iter().find(|r| r.rule == Rule::RuToBuy);
    assert_eq!(dear.unwrap().severity, Severity::Alarm);
}

#[test]
fn a_constant_puts_its_reads_on_one_key() {
    let hot = "-- rate: 10000/s\nSELECT * FROM c WHERE c.tenant = 't7'";
    let settings = with(hot, None);
    let trial = trials(&orders(), settings.clone()).trial(&parsed("/tenant"));
    let demanded = demands(&trial);
    assert!(demanded.iter().filter(|ru| **ru > 0.0).count() == 1, "{demanded:?}");
    assert_eq!(trial.beyond_any_ru, Some(15_000.0));
    assert_eq!(trial.to_buy[0].ru, Err(Shortfall::Key(25_000.0)));
    let tried = RoutedTrial { trial: &trial, routed: &[] };
    let verdict = &verdicts(&[tried], &settings)[0];
    assert_eq!(verdict.standing, Acceptance::Reject);
    assert!(verdict.reasons.iter().any(|r| r.rule == Rule::BeyondAnyKey));
}

/// Fifteen plants that write by turns, a sample of an hour.
#[test]
fn a_key_of_plant_and_second_has_as_many_active_keys_as_plants() {
    let row = |n: i32| {
        let second = 1_767_225_600 + n * 3 / 2;
        (vec![Cell::Text(format!("plant-{}", n % 15)), Cell::Number(second)], 1_000)
    };
    let rows: Vec<_> = (0..2_400).map(row).collect();
    let documents = documents(&["plant", "time"], &rows, &coded());
    let settings = Settings { stored_documents: Some(2_400_000.0), ..with("", Some(30_000.0)) };
    let settings = Settings { ru_per_second: Some(40_000.0), ..settings };
    let trials_of = |settings: Settings| trials(&documents, settings);
    let keys = ["/plant", "/plant + \"-\" + /time"].map(parsed);
    let tried = trials_of(settings.clone());
    let [plain, joined] = keys.each_ref().map(|key| tried.trial(key));
    let active = |trial: &Trial| trial.writes.as_ref().unwrap().active.unwrap().mean;
    assert!((active(&plain) - 15.0).abs() < 0.1, "{}", active(&plain));
    assert!((active(&joined) - 15.0).abs() < 0.1, "{}", active(&joined));
    // Fifteen keys on ten partitions, wherever they lie: over a tenth is throttled.
    let throttled = joined.placement.throttled_share.unwrap();
    assert!(throttled >= 0.13, "{throttled}");
    // Those of the joined key lie elsewhere every second: what is bought is to be enough on average, not for one of them.
    let ru = [plain, joined].map(|trial| trial.to_buy[0].ru.unwrap());
    assert!(ru[0].point <= ru[1].point, "{ru:?}");
    for (key, ru) in keys.iter().zip(ru) {
        let bought = trials_of(Settings {
            ru_per_second: Some(ru.point),
            partitions: initial_partitions(ru.point, settings.throughput_mode),
            ..settings.clone()
        });
        let share = bought.trial(key).placement.throttled_share.unwrap();
        assert!(share <= 0.01 + 1e-9, "{key}: {share} at {ru:?}");
    }
}

#[test]
fn a_few_documents_of_now_reject_no_key_of_its_own_for_each() {
    let row = |n: i32| {
        (
            vec![
                Cell::Text(format!("{:032x}", i64::from(n) * 0x9e37_79b9)),
                Cell::Number(1_767_225_600 + n * 30),
            ],
            1_000,
        )
    };
    let rows: Vec<_> = (0..119).map(row).collect();
    let documents = documents(&["id", "time"], &rows, &coded());
    let settings = Settings { stored_documents: Some(1e6), ..with("", Some(55_000.0)) };
    let trial = trials(&documents, settings.clone()).trial(&parsed("/id"));
    let tried = RoutedTrial { trial: &trial, routed: &[] };
    let verdict = &verdicts(&[tried], &settings)[0];
    let mut throttled = verdict.reasons.iter().filter(|r| r.rule == Rule::ThrottledWrites);
    assert!(throttled.all(|r| r.severity == Severity::Note), "{:?}", verdict.reasons);
    assert!(verdict.standing < Acceptance::Reject, "{:?}", verdict.reasons);
}
