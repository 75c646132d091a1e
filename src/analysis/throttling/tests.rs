#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]

use proptest::prelude::*;

use super::*;
use crate::analysis::placement::Layout;
use crate::analysis::placement::tests::{by_one_path, hash};

fn example(id: &str) -> serde_json::Value {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut found = all["worked_examples"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap().clone()
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

/// The asks of an example, each key on the partition that its real hash gives.
fn asks(example: &serde_json::Value) -> Vec<Ask> {
    let count = usize::try_from(example["inputs"]["partitions"].as_u64().unwrap()).unwrap();
    let layout = Layout::even(count, &by_one_path());
    let demand = example["inputs"]["demand_ru_per_s"].as_object().unwrap();
    (0..)
        .zip(demand)
        .map(|(key, (name, ru))| Ask {
            second: 0,
            asker: Asker::Key(key),
            partition: u32::try_from(layout.owner(&hash(name)).unwrap()).unwrap(),
            ru_per_second: number(ru),
        })
        .collect()
}

fn close(found: f64, wanted: &serde_json::Value) {
    let wanted = number(wanted);
    assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
}

#[test]
fn six_tenants_at_30_000_ru() {
    let told = example("throttle-six-tenants");
    let asks = asks(&told);
    let ru = number(&told["inputs"]["ru"]);
    let capacities = vec![equal_share(ru, 3); 3];
    let found = outcome(&asks, &Route::default(), &capacities);
    let expected = &told["expected"];
    let mut loads = [0.0; 3];
    for ask in &asks {
        loads[ask.partition as usize] += ask.ru_per_second;
    }
    for (load, wanted) in loads
        .iter()
        .zip(expected["load_per_partition"].as_array().unwrap())
    {
        close(*load, wanted);
    }
    close(found.refused, &expected["throttled_ru_per_s"]);
    close(found.refused_share, &expected["throttled_share"]);
    close(found.asked / ru, &expected["overall_utilisation_asked"]);
    close(found.load_ratio, &expected["largest_over_mean"]);
    close(floor(&asks), &expected["share_no_ru_can_save"]);
    // The layout would need 45,000 RU/s, of which it can give no partition 15,000.
    close(found.highest * 3.0, &expected["ru_needed_at_this_layout"]);
    assert_eq!(needed_ru(3, found.highest), None);
}

#[test]
fn six_tenants_with_ten_suffixes() {
    let told = example("throttle-six-tenants-suffix10");
    let asks = asks(&told);
    let found = outcome(&asks, &Route::default(), &[10_000.0; 3]);
    let expected = &told["expected"];
    close(found.refused, &expected["throttled_ru_per_s"]);
    close(found.refused_share, &expected["throttled_share"]);
    close(found.load_ratio, &expected["largest_over_mean"]);
    assert_eq!(
        (found.highest, needed_ru(3, found.highest)),
        (9200.0, Some(27_600.0))
    );
    assert_eq!(floor(&asks), 0.0);
}

fn ask(second: i64, key: u32, partition: u32, ru_per_second: f64) -> Ask {
    Ask {
        second,
        asker: Asker::Key(key),
        partition,
        ru_per_second,
    }
}

#[test]
fn seconds_are_refused_one_by_one() {
    let asks = [ask(0, 0, 0, 150.0), ask(0, 1, 1, 50.0), ask(1, 0, 0, 50.0)];
    let found = outcome(&asks, &Route::default(), &[100.0, 100.0]);
    assert_eq!((found.asked, found.refused), (250.0, 50.0));
    assert_eq!(found.load_ratio, (150.0 + 50.0) * 2.0 / 250.0);
    let nothing = outcome(&[], &Route::default(), &[100.0]);
    assert_eq!(nothing, Outcome::default());
}

#[test]
fn routes_move_and_divide_what_is_asked() {
    let asks = [
        ask(0, 0, 0, 100.0),
        Ask {
            asker: Asker::Loose,
            ..ask(0, 0, 1, 40.0)
        },
    ];
    let route = Route {
        keys: vec![vec![(0, 0.5), (2, 0.5)]],
        loose: vec![Vec::new(), vec![(1, 1.0), (2, 1.0)]],
    };
    let found = outcome(&asks, &route, &[60.0; 3]);
    // A fan-out asks each partition for the whole.
    assert_eq!(found.asked, 180.0);
    assert_eq!((found.highest, found.refused), (90.0, 30.0));
}

#[test]
fn capacities_follow_the_loads_within_their_bounds() {
    let sum = |given: &[f64]| given.iter().sum::<f64>();
    let given = redistributed(18_000.0, &[2500.0, 6500.0, 3200.0], 100.0);
    assert!((sum(&given) - 18_000.0).abs() < 1e-6);
    assert!(
        given[1] > 6500.0 && given[0] > 2500.0 && given[2] > 3200.0,
        "{given:?}"
    );
    let given = redistributed(30_000.0, &[15_000.0, 2000.0, 0.0], 100.0);
    assert_eq!(given, [10_000.0, 10_000.0, 10_000.0]);
    let given = redistributed(6000.0, &[5000.0, 0.0, 0.0], 100.0);
    assert_eq!(given, [5800.0, 100.0, 100.0]);
    assert_eq!(redistributed(6000.0, &[0.0, 0.0], 100.0), [3000.0, 3000.0]);
    assert!(redistributed(6000.0, &[], 100.0).is_empty());
}

#[test]
fn chance_refuses_a_little_below_the_limit() {
    let at = |ru_each: f64| {
        let arrivals = Arrivals {
            per_second: 9000.0 / ru_each,
            ru_each,
        };
        expected_excess(&[arrivals], 10_000.0)
    };
    assert!(at(10.0) < 0.1, "{}", at(10.0));
    assert!((at(100.0) - 71.0).abs() < 1.0, "{}", at(100.0));
    assert_eq!(expected_excess(&[], 10_000.0), 0.0);
}

#[test]
fn effective_keys_and_bursts() {
    assert!((effective_keys([1.0; 15].into_iter()) - 15.0).abs() < 1e-9);
    assert_eq!(effective_keys([].into_iter()), 0.0);
    let told = example("burst-100");
    let found = burst(number(&told["inputs"]["ru_of_partition"])).unwrap();
    close(found.bucket_ru, &told["expected"]["bucket_ru"]);
    close(found.seconds, &told["expected"]["seconds_at_full_burst"]);
    assert_eq!(burst(3000.0), None);
}

proptest! {
    #[test]
    fn what_is_handed_out_stays_within_its_bounds(
        loads in prop::collection::vec(0.0..20_000.0_f64, 1..30),
        each in 50.0..10_000.0_f64,
    ) {
        let ru = each * as_number(loads.len());
        let given = redistributed(ru, &loads, 100.0);
        prop_assert_eq!(given.len(), loads.len());
        prop_assert!(given.iter().sum::<f64>() <= ru * 1.000_001);
        for one in &given {
            prop_assert!(*one >= 50.0 - 1e-9 && *one <= 10_000.0 + 1e-6, "{given:?}");
        }
    }
}
