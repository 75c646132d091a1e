//! Least RU/s for demands whose answer is known.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn measured(ru_per_second: f64) -> Flow {
    Flow { ru_per_second, squares: 0.0 }
}

fn existing(least: usize) -> ThroughputTerms {
    ThroughputTerms {
        throughput_mode: ThroughputMode::Manual,
        least,
        ru_of_one: 10_000.0,
        from: 400.0,
    }
}

fn even(keys: usize) -> KeyShares {
    let share = 1.0 / as_number(keys);
    KeyShares::steady(vec![share; keys], 0.0, share)
}

fn demand(ru_per_second: f64, shares: &KeyShares) -> KeyDemand<'_> {
    KeyDemand { by_key: measured(ru_per_second), shares, bound: &[], each: Flow::default() }
}

#[test]
fn an_even_demand_needs_a_little_less_than_itself_and_steps_are_kept() {
    let even = |n: usize| PartitionFlows::from(vec![measured(15_000.0 / as_number(n)); n]);
    assert_eq!(least_ru(&existing(3), even), Some(14_900.0));
    // Data may need more partitions than 1,000,000 RU/s make.
    assert_eq!(least_ru(&existing(642), even), Some(14_900.0));
    let autoscale = ThroughputTerms {
        throughput_mode: ThroughputMode::AutoscaleOrShared,
        from: 1_000.0,
        ..existing(3)
    };
    assert_eq!(least_ru(&autoscale, even), Some(15_000.0));
    let alone = |n: usize| vec![measured(2_000.0 / as_number(n)); n].into();
    assert_eq!(least_ru(&existing(1), alone), Some(2_000.0));
    // 400 RU/s at 80 % throttled are the same demand.
    let share = PartitionFlows::from(vec![measured(2_000.0)]);
    let share = share.throttled_share(400.0).unwrap();
    assert!((share - 0.8).abs() < 1e-12);
    assert_eq!(least_ru(&existing(1), |n| vec![measured(1.0); n].into()), Some(400.0));
}

#[test]
fn the_least_is_found_although_a_split_may_throttle_more() {
    // Two partitions of 9,000 RU/s are enough; on three of them one gets 9,000 and needs 27,000 in all.
    let parts = |n: usize| match n {
        2 => vec![measured(9_000.0), measured(9_000.0)].into(),
        n => {
            let mut parts = vec![measured(9_000.0 / as_number(n - 1)); n];
            parts[0] = measured(9_000.0);
            parts.into()
        }
    };
    assert_eq!(least_ru(&existing(2), parts), Some(17_900.0));
    let found = least_ru(&existing(3), parts).unwrap();
    assert!((26_000.0..27_000.0).contains(&found), "{found}");
}

#[test]
fn no_ru_are_enough_for_a_key_above_its_limit() {
    let shares = even(2);
    let found = ru_to_buy(&demand(30_000.0, &shares), ThroughputMode::Manual, 1);
    assert_eq!(found, Err(Shortfall::Key(15_000.0)));
    let found = ru_to_buy(&demand(18_000.0, &shares), ThroughputMode::Manual, 1);
    // Created small and raised later a partition gives 9,000 RU/s.
    assert!(found.unwrap().point >= 17_900.0);
    let bound = [measured(25_000.0)];
    let many = even(1_000);
    let found = KeyDemand { bound: &bound, ..demand(1_000.0, &many) };
    assert_eq!(ru_to_buy(&found, ThroughputMode::Manual, 1), Err(Shortfall::Key(25_000.0)));
}

#[test]
fn few_keys_cost_more_than_many_and_cross_partition_reads_more_than_bound_ones() {
    let shares = [even(50), even(500), KeyShares::steady(Vec::new(), 0.0, 0.0)];
    let points = shares.each_ref().map(|shares| {
        let found = ru_to_buy(&demand(20_000.0, shares), ThroughputMode::Manual, 10).unwrap();
        assert!(found.low <= found.point && found.point <= found.high);
        found.point
    });
    assert!(points[0] > points[1] && points[1] > points[2], "{points:?}");
    assert!((points[2] - 19_800.0).abs() < 1e-6);
    let reads = KeyDemand { each: measured(300.0), ..demand(20_000.0, &shares[2]) };
    let found = ru_to_buy(&reads, ThroughputMode::Manual, 10).unwrap().point;
    assert!((22_700.0..=23_000.0).contains(&found), "{found}");
}

#[test]
fn requests_that_arrive_by_chance_need_room() {
    let shares = KeyShares::steady(Vec::new(), 0.0, 0.0);
    let smooth = demand(3_000.0, &shares);
    let noisy = KeyDemand { by_key: Flow { squares: 3_000.0 * 100.0, ..smooth.by_key }, ..smooth };
    let [smooth, noisy] =
        [smooth, noisy].map(|demand| ru_to_buy(&demand, ThroughputMode::Manual, 10).unwrap().point);
    assert!(noisy > 1.2 * smooth, "{smooth} {noisy}");
}

#[test]
fn partitions_follow_the_ru_of_the_training_material() {
    for (id, now) in [("scale-45000", 3), ("scale-even-split", 5)] {
        let reported = crate::model::layout::tests::example(id);
        let number = |of: &str, name: &str| reported[of][name].as_f64();
        let target = number("expected", "first_set_ru").or_else(|| number("inputs", "target_ru"));
        let target = target.unwrap();
        let spread = |n| {
            Some(Even {
                demand: vec![measured(target / as_number(n)); n].into(),
                ru_of_one: 10_000.0,
            })
        };
        let found = existing(now).least(0.0, spread).ok().unwrap();
        assert!((found.ru_per_second - target).abs() < 1e-6);
        let after = number("expected", "partitions_after").unwrap();
        assert!((as_number(found.on.demand.partitions) - after).abs() < 1e-6);
    }
}

/// All of it in one minute of five, for each of many keys.
#[test]
fn a_batch_needs_what_its_minute_needs() {
    let shares = |steps: Vec<f64>| KeyShares {
        profiles: Arc::new(LoadProfiles {
            keys: vec!["[\"batch\"]".to_owned()],
            steps: vec![steps.clone(), vec![1.0; steps.len()]],
            ru_each: Some(0.0),
        }),
        heavy: [0.01, 0.0].repeat(100),
        rest: vec![0.0; 2],
        rest_squares: 0.0,
        hottest: vec![0.01, 0.0],
        ..KeyShares::default()
    };
    let point = |shares: &KeyShares| {
        let found = ru_to_buy(&demand(5_000.0, shares), ThroughputMode::Manual, 1);
        found.unwrap().point
    };
    let steady = point(&shares(vec![1.0; 5]));
    let batch = point(&shares(vec![5.0, 0.0, 0.0, 0.0, 0.0]));
    assert!((4_900.0..6_000.0).contains(&steady), "{steady}");
    assert!((4.5..6.5).contains(&(batch / steady)), "{batch} {steady}");
    // A key that needs 12,500 RU/s for a minute cannot have them.
    let mut one = shares(vec![5.0, 0.0, 0.0, 0.0, 0.0]);
    (one.heavy, one.hottest) = (vec![0.5, 0.0], vec![0.5, 0.0]);
    one.rest = vec![0.0, 0.5];
    let found = ru_to_buy(&demand(5_000.0, &one), ThroughputMode::Manual, 1);
    assert!(matches!(found, Err(Shortfall::Key(_))), "{found:?}");
}

#[test]
fn a_hot_first_level_is_divided_by_splits() {
    // One tenant has 70 % of 20,000 RU/s and a quarter of the data, in many keys.
    let hot = |inside: Vec<HeavyPrefix>| KeyShares {
        inside,
        heavy_bytes: vec![0.25],
        ..KeyShares::steady(vec![0.7], 0.0, 0.001)
    };
    let whole = ru_to_buy(&demand(20_000.0, &hot(Vec::new())), ThroughputMode::Manual, 2);
    assert_eq!(whole, Err(Shortfall::Partition));
    let smooth = HeavyPrefix { row: 0, keys: Vec::new() };
    let found = ru_to_buy(&demand(20_000.0, &hot(vec![smooth.clone()])), ThroughputMode::Manual, 2);
    let found = found.unwrap();
    // More than an even key needs, and no more than a few splits.
    assert!((20_000.0..60_000.0).contains(&found.point), "{found:?}");
    // A key inside that is too hot by itself is not divided.
    let one = HeavyPrefix { keys: vec![0.6], ..smooth };
    let found = ru_to_buy(&demand(20_000.0, &hot(vec![one])), ThroughputMode::Manual, 2);
    assert_eq!(found, Err(Shortfall::Partition));
    // Nothing is lost or made by splits.
    let shares = hot(vec![HeavyPrefix { row: 0, keys: vec![0.2, 0.1] }]);
    for seed in 0..8 {
        let means = demand(20_000.0, &shares).divided(5, 2, seed).means();
        assert!((means.iter().sum::<f64>() - 20_000.0).abs() < 1e-6, "{means:?}");
        let highest = means.iter().copied().fold(0.0, f64::max);
        assert!(highest < 14_000.0, "{means:?}");
    }
}
