//! Demand on partitions against the numbers of the training material and the documentation.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]

use super::outcome::{JudgedSteps, LoadRoute, Overload, beyond_one_key, overload, routed};
use super::remedies::RemedyEffect;
use super::{DemandLoad, Requester};
use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};
use crate::analysis::throttling::equal_share;
use crate::model::layout::Layout;
use crate::model::layout::tests::{by_one_path, hash};

fn examples() -> serde_json::Value {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    serde_json::from_str(text).unwrap()
}

fn example(id: &str) -> serde_json::Value {
    let all = examples();
    let mut found = all["worked_examples"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap().clone()
}

fn claim(id: &str) -> serde_json::Value {
    let all = examples();
    let mut found = all["claims"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap()["expected"].clone()
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

/// The loads of an example, each key on the partition that its real hash gives.
fn loads(example: &serde_json::Value) -> Vec<DemandLoad> {
    let count = usize::try_from(example["inputs"]["partitions"].as_u64().unwrap()).unwrap();
    let layout = Layout::even(count, &by_one_path());
    let demand = example["inputs"]["demand_ru_per_s"].as_object().unwrap();
    (0..)
        .zip(demand)
        .map(|(key, (name, ru))| {
            let partition = u32::try_from(layout.owner(&hash(name)).unwrap()).unwrap();
            load(0, key, partition, number(ru))
        })
        .collect()
}

fn load(second: i64, key: u32, partition: u32, ru_per_second: f64) -> DemandLoad {
    DemandLoad::served(second, Requester::Key(key), partition, ru_per_second)
}

fn keyless(partition: u32, ru_per_second: f64) -> DemandLoad {
    DemandLoad { requester: Requester::Keyless, ..load(0, 0, partition, ru_per_second) }
}

fn on(loads: &[DemandLoad], route: &LoadRoute, capacities: &[f64]) -> Overload {
    let loads = routed(loads, route, capacities.len());
    overload(&loads, capacities, JudgedSteps::default(), |l| l.ru_per_second)
}

fn close(found: f64, wanted: &serde_json::Value) {
    let wanted = number(wanted);
    assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
}

#[test]
fn six_tenants_at_30_000_ru() {
    let reported = example("throttle-six-tenants");
    let loads = loads(&reported);
    let ru = number(&reported["inputs"]["ru"]);
    let capacities = vec![equal_share(ru, 3); 3];
    let found = on(&loads, &LoadRoute::default(), &capacities);
    let expected = &reported["expected"];
    let mut sums = [0.0; 3];
    for load in &loads {
        sums[load.partition as usize] += load.ru_per_second;
    }
    for (load, wanted) in sums.iter().zip(expected["load_per_partition"].as_array().unwrap()) {
        close(*load, wanted);
    }
    close(found.excess, &expected["throttled_ru_per_s"]);
    close(found.share, &expected["throttled_share"]);
    close(found.demand / ru, &expected["overall_utilisation_asked"]);
    close(found.imbalance, &expected["largest_over_mean"]);
    close(beyond_one_key(&loads), &expected["share_no_ru_can_save"]);
    // The layout would need 45,000 RU/s, of which it can give no partition 15,000.
    close(found.peak * 3.0, &expected["ru_needed_at_this_layout"]);
    assert!(found.peak > 10_000.0);
}

#[test]
fn six_tenants_with_ten_suffixes() {
    let reported = example("throttle-six-tenants-suffix10");
    let loads = loads(&reported);
    let found = on(&loads, &LoadRoute::default(), &[10_000.0; 3]);
    let expected = &reported["expected"];
    close(found.excess, &expected["throttled_ru_per_s"]);
    close(found.share, &expected["throttled_share"]);
    close(found.imbalance, &expected["largest_over_mean"]);
    assert_eq!(found.peak, 9200.0);
    assert_eq!(beyond_one_key(&loads), 0.0);
}

#[test]
fn seconds_are_throttled_one_by_one() {
    let loads = [load(0, 0, 0, 150.0), load(0, 1, 1, 50.0), load(1, 0, 0, 50.0)];
    let found = on(&loads, &LoadRoute::default(), &[100.0, 100.0]);
    assert_eq!((found.demand, found.excess), (250.0, 50.0));
    assert_eq!(found.imbalance, (150.0 + 50.0) * 2.0 / 250.0);
    let nothing = on(&[], &LoadRoute::default(), &[100.0]);
    assert_eq!(nothing, Overload::default());
}

#[test]
fn routes_move_and_divide_demand() {
    let loads = [load(0, 0, 0, 100.0), keyless(1, 40.0)];
    let route = LoadRoute {
        keys: vec![vec![(0, 0.5), (2, 0.5)]],
        keyless: vec![Vec::new(), vec![(1, 1.0), (2, 1.0)]],
    };
    let found = on(&loads, &route, &[60.0; 3]);
    // A cross-partition query costs on each partition.
    assert_eq!(found.demand, 180.0);
    assert_eq!((found.peak, found.excess), (90.0, 30.0));
}

#[test]
fn one_busy_partition_and_queries_on_every_one() {
    // One busy partition of three, at its cap: what is served of what was bought.
    let busy = [load(0, 0, 0, 20_000.0)];
    let found = on(&busy, &LoadRoute::default(), &[10_000.0; 3]);
    close((found.demand - found.excess) / 30_000.0, &claim("hot-tenant-idle"));
    // 10,000 queries a second reach every partition, however many there are.
    for (ru_each, id) in [(1.0, "fanout-10000qps-deck"), (2.5, "fanout-10000qps-docs")] {
        let queries: Vec<DemandLoad> =
            (0..10).map(|partition| keyless(partition, 10_000.0 * ru_each)).collect();
        let found = on(&queries, &LoadRoute::default(), &[10_000.0; 10]);
        close(found.peak, &claim(id));
        // A second partition for each takes nothing from the first.
        let route = LoadRoute {
            keys: Vec::new(),
            keyless: (0..10).map(|p| vec![(p, 1.0), (p + 10, 1.0)]).collect(),
        };
        close(on(&queries, &route, &[10_000.0; 20]).peak, &claim(id));
    }
}

#[test]
fn effects_go_by_what_is_left() {
    let of = |now, after| RemedyEffect::of(now, after, 0.01).word();
    assert_eq!(of(0.005, 0.0), "not needed");
    assert_eq!(of(0.3, 0.01), "fixes");
    assert_eq!(of(0.291, 0.086), "helps, not enough");
    assert_eq!(of(0.088, 0.088), "no effect");
    assert_eq!(of(0.088, 0.16), "makes it worse");
}

/// Even demand of 15,000 RU/s on three partitions of 1,000 RU/s each, as a log of what was served and 80 % of 429s tells.
#[test]
fn even_demand_is_fixed_by_scaling_up_on_the_same_partitions() {
    let mut stage = DiagnosisFixture::new(Some(3000.0), 3, 300);
    for at in 0..3 {
        stage.logged("", "Read", at, 1000.0);
        // Charges so small that chance adds nothing.
        stage.requests(at, "Read", 500_000_000, 400_000_000, 300_000.0);
    }
    let found = stage.diagnosis();
    let verdict = found.verdict("UNDER-PROVISIONED");
    assert_eq!(verdict.says(), ["fixes", "no effect", "no effect", "no effect"]);
    let now = &found.now.as_ref().unwrap().outcome;
    assert!((now.demand_ru_per_second - 15_000.0).abs() < 1.0);
    assert_eq!(now.ru_to_buy, Some(14_900.0));
    assert!(verdict.answers.more_ru.why.contains("14,900 RU/s on 3 partitions"));
}

/// One partition of three serves half as much again from its bucket.
fn bursting() -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(3000.0), 3, 300);
    stage.logged("", "Read", 0, 1_500.0).logged("", "Read", 1, 200.0).logged("", "Read", 2, 200.0);
    stage
}

#[test]
fn a_second_in_which_nothing_was_refused_was_served() {
    let mut refused = bursting();
    refused.requests(0, "Read", 450_000, 150_000, 450_000.0);
    let mut served = bursting();
    for (at, ru) in [450_000.0, 60_000.0, 60_000.0].into_iter().enumerate() {
        served.requests(at, "Read", 50_000, 0, ru);
    }
    // The log holds more than the partition can serve: of what was refused, too.
    for (mut stage, share) in [(refused, 500.0 / 1_900.0), (served, 0.0)] {
        let now = stage.diagnosis().now.unwrap().outcome.clone();
        let found = now.throttled_share.unwrap();
        assert!((found.point - share).abs() < 1e-9, "{found:?}");
        assert!((now.demand_ru_per_second - 1_900.0).abs() < 1e-9);
        assert_eq!(now.partitions[0].peak, 1_500.0);
        assert_eq!(now.ru_to_buy.is_some_and(|ru| ru <= 3_000.0), share == 0.0, "{now:?}");
    }
}

#[test]
fn a_log_of_full_partitions_alone_does_not_tell_what_was_throttled() {
    let mut stage = DiagnosisFixture::new(Some(3000.0), 3, 300);
    for at in 0..3 {
        // A log rounds its charges.
        stage.logged("", "Read", at, 1_000.0 + f64::from(u8::try_from(at).unwrap()));
    }
    let found = stage.metric(&[100.0; 3]).diagnosis();
    assert!(!found.now.as_ref().unwrap().is_known);
    assert!(found.verdicts.iter().all(|v| v.answers.more_ru.effect != RemedyEffect::NotNeeded));
}

#[test]
fn one_partition_at_80_percent_throttled_needs_five_times_the_ru() {
    let mut stage = DiagnosisFixture::new(Some(400.0), 1, 300);
    stage.logged("", "Read", 0, 400.0);
    stage.requests(0, "Read", 50_000_000, 40_000_000, 120_000.0);
    let found = stage.diagnosis();
    let now = &found.now.as_ref().unwrap().outcome;
    assert_eq!(now.ru_to_buy, Some(2_000.0));
    let says = found.verdicts[0].says();
    assert_eq!(says[0], "fixes", "{says:?} {:?}", found.rules());
}

/// Shares of 1,000, 4,000 and 1,000 of 6,000 RU/s: at 12,000 they are 2,000, 8,000 and 2,000, at 24,000 one of them meets
/// what a partition can serve, and 18,000 of 24,000 are usable.
#[test]
fn fractions_persist_when_ru_are_raised() {
    let mut stage = DiagnosisFixture::new(Some(6000.0), 3, 60);
    for (at, ru) in [1000.0, 4000.0, 1000.0].into_iter().enumerate() {
        stage.partition(at, |p| p.ru_per_second = Some(ru));
        stage.logged("", "Read", at, 100.0);
    }
    let found = stage.diagnosis();
    let now = found.now.as_ref().unwrap();
    let at = |ru| super::remedies::capacities(now, ru, 3);
    assert_eq!(at(12_000.0), [2000.0, 8000.0, 2000.0]);
    assert_eq!(at(24_000.0), [4000.0, 10_000.0, 4000.0]);
    assert_eq!(at(24_000.0).iter().sum::<f64>(), 18_000.0);
    // Four partitions share alike.
    assert_eq!(super::remedies::capacities(now, 32_000.0, 4), [8000.0; 4]);
}

/// A log that is capped as the service caps it, and totals by a GUID that nothing joins: 33.3 % of its requests were
/// throttled, so 5,000 RU/s are missing, and they lie on the partition at its limit.
#[test]
fn unjoined_429s_lie_where_partitions_are_full() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    for at in 0..3 {
        stage.partition(at, |p| p.guid = None);
    }
    let share = 10_000.0 / 15_000.0;
    for (key, ru) in [("A", 2000.0), ("D", 12_000.0), ("E", 300.0), ("F", 700.0)] {
        stage.requested(key, ru * share);
    }
    stage.requested("B", 500.0).requested("C", 1500.0);
    stage.requests(0, "Create", 450_000, 150_000, 3_000_000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    let now = verdict.throttled("now");
    assert!((now - 5.0 / 17.0).abs() < 1e-6, "{now}");
    assert_eq!(verdict.key.as_deref(), Some("[\"D\"]"));
    assert_eq!(verdict.says()[0], "helps, not enough");
}

/// A quiet hour does not average five bad minutes away.
#[test]
fn the_worst_five_minutes_decide() {
    let mut stage = DiagnosisFixture::new(Some(400.0), 1, 3600);
    stage.logged("", "Read", 0, 100.0);
    for second in START + 1000..START + 1300 {
        stage.logged_at("", "Read", 0, second, 700.0);
    }
    let found = stage.diagnosis();
    let now = &found.now.as_ref().unwrap().outcome;
    assert_eq!((now.from, now.to), (START + 1000, START + 1300));
    assert_eq!(now.throttled_share.unwrap().point, 0.5);
    assert_eq!(now.ru_to_buy, Some(800.0));
}

/// How often clients repeat a request decides how much of the demand the 429s were.
#[test]
fn retries_give_an_interval() {
    use crate::analysis::diagnosis::thresholds::Thresholds;
    let at = |retries: f64| {
        let mut stage = DiagnosisFixture::new(Some(400.0), 1, 300);
        stage.logged("", "Read", 0, 400.0);
        stage.requests(0, "Read", 50_000, 40_000, 120_000.0);
        let limits = Thresholds { retries, ..Thresholds::default() };
        let found = stage.with(&limits);
        found.now.as_ref().unwrap().outcome.throttled_share.unwrap()
    };
    let unknown = at(f64::INFINITY);
    // As the SDKs do: what is lost after nine retries is the least.
    assert!(
        (unknown.point - 0.8).abs() < 1e-6 && (unknown.low - 0.1207).abs() < 1e-3,
        "{unknown:?}"
    );
    let none = at(0.0);
    assert!((none.point - 0.8).abs() < 1e-6 && none.high == unknown.high);
    // Of 40,000 throttled requests chance leaves less than a point.
    assert!(none.low > 0.795 && none.high < 0.805, "{none:?}");
    let repeated = at(9.0);
    assert!(repeated.low > 0.09 && repeated.high < 0.14, "{repeated:?}");
    // 400 ÷ (1 − 0.8^10) is 448 RU/s; a little more, since in the first seconds few requests are repeated yet.
    assert!((repeated.point - 0.1207).abs() < 1e-3, "{repeated:?}");
}

/// While few requests are 429s, clients repeat them and lose nothing; of many it stays open what was requested, and how many
/// RU/s are enough.
#[test]
fn many_429s_leave_a_range_of_ru_to_buy_and_few_need_none() {
    let of = |throttled: u64| {
        let mut stage = DiagnosisFixture::new(Some(400.0), 1, 300);
        stage.logged("", "Read", 0, 400.0);
        stage.requests(0, "Read", 50_000, throttled, 120_000.0);
        let found = stage.diagnosis();
        let now = found.now.as_ref().unwrap().outcome.clone();
        let repeated = now.repeated.unwrap();
        (now.throttled_share.unwrap().point, repeated, now.ru_to_buy)
    };
    let (share, repeated, ru) = of(2_000);
    assert!(repeated.retries == 9.0 && (repeated.share_of_requests - 0.04).abs() < 1e-6);
    assert!(share < 1e-9 && repeated.lost_share < 1e-9, "{share} {repeated:?}");
    assert_eq!((repeated.ru_to_buy, ru), (Some(400.0), Some(400.0)));
    let (share, repeated, ru) = of(40_000);
    assert!((share - 0.8).abs() < 1e-6 && (repeated.lost_share - 0.1207).abs() < 1e-3);
    // 400 ÷ (1 − 0.8^10) and 400 ÷ (1 − 0.8), with what chance adds.
    assert!(repeated.ru_to_buy == Some(500.0) && ru >= Some(2_000.0), "{ru:?}");
}

/// The last request of a second may use more than is left of it; the next second has so much less. That is no log of what
/// was requested, and its 429s count.
#[test]
fn overdrawn_seconds_keep_their_429s() {
    let mut stage = DiagnosisFixture::new(Some(400.0), 1, 0);
    for second in START..START + 300 {
        let ru = if second % 2 == 0 { 430.0 } else { 370.0 };
        stage.logged_at("", "Read", 0, second, ru);
    }
    stage.requests(0, "Read", 4_000, 2_000, 120_000.0);
    let found = stage.diagnosis();
    let now = &found.now.as_ref().unwrap().outcome;
    assert!((now.throttled_share.unwrap().point - 0.5).abs() < 1e-6);
    assert!((now.demand_ru_per_second - 800.0).abs() < 1e-3);
    // Seconds in which chance brings more than the mean are throttled at it.
    assert!(now.ru_to_buy.unwrap() > 800.0);
}

/// A total of five minutes does not tell when its 429s were: they lie where the partition served all it could.
#[test]
fn requests_are_throttled_in_full_seconds() {
    let mut stage = DiagnosisFixture::new(Some(400.0), 1, 0);
    for second in START..START + 300 {
        let ru = if second < START + 150 { 400.0 } else { 100.0 };
        stage.logged_at("", "Read", 0, second, ru);
    }
    stage.requests(0, "Read", 100_000, 25_000, 75_000.0);
    let found = stage.diagnosis();
    let now = &found.now.as_ref().unwrap().outcome;
    assert!((now.throttled_share.unwrap().point - 0.25).abs() < 1e-6);
}
