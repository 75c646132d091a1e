//! The simulator by itself.

use super::{Random, ServiceModel, Stream, Traffic, definition, key};
use crate::model::layout::Layout;

fn traffic(ru_per_second: f64, seconds: u32) -> Traffic {
    let stream = Stream {
        key: Some(0),
        operation: "Read",
        ru_each: 5.0,
        per_second: ru_per_second / 5.0,
        during: (0, seconds),
    };
    let (keys, streams) = (vec![key(0)], vec![stream]);
    Traffic { keys, streams, seconds, course: Vec::new(), seed: 7, limited: None }
}

fn service(capacity: f64) -> ServiceModel {
    ServiceModel {
        layout: Layout::even(1, &definition()),
        capacities: vec![capacity],
        is_burst: false,
        retries: 0,
    }
}

fn served(service: &ServiceModel, traffic: &Traffic) -> Vec<f64> {
    let log = service.simulate(traffic).ru_log();
    log.iter().map(|r| r.ru).collect()
}

#[test]
fn a_partition_serves_its_ru_and_no_more() {
    let traffic = traffic(2_000.0, 100);
    let found = served(&service(1_002.0), &traffic);
    // A request may overdraw a second, and the next second lacks it.
    assert!(found.iter().all(|ru| *ru <= 1_005.0));
    let all: f64 = found.iter().sum();
    assert!((100_200.0..=100_205.0).contains(&all), "{all}");
    let simulation = service(1_002.0).simulate(&traffic);
    let truth = simulation.truth(0, 100);
    assert!((truth.requested - truth.throttled - all).abs() < 1e-6);
    assert!((truth.by_key[0] - truth.by_partition[0]).abs() < 1e-6);
    assert!(simulation.normalized().values().all(|share| *share >= 1.0));
}

#[test]
fn unused_ru_are_lost_unless_bursts_are_on() {
    let mut traffic = traffic(1_500.0, 200);
    traffic.streams[0].during = (100, 200);
    let mut service = service(1_000.0);
    assert!(service.simulate(&traffic).truth(0, 200).throttled_share() > 0.3);
    service.is_burst = true;
    assert!(service.simulate(&traffic).truth(0, 200).throttled_share() < 1e-9);
    // A full bucket of 300,000 RU is used up after 187 seconds.
    traffic.streams[0].during = (0, 200);
    traffic.streams[0].per_second = 2_600.0 / 5.0;
    let simulation = service.simulate(&traffic);
    assert!(simulation.truth(0, 180).throttled_share() < 1e-3);
    assert!(simulation.truth(190, 200).throttled_share() > 0.5);
}

#[test]
fn a_key_is_served_10_000_ru_at_most() {
    let traffic = traffic(20_000.0, 10);
    let all: f64 = served(&service(15_000.0), &traffic).iter().sum();
    assert!((100_000.0..=100_005.0).contains(&all), "{all}");
}

#[test]
fn repeated_requests_are_served_later() {
    let mut traffic = traffic(1_200.0, 20);
    traffic.streams[0].during = (0, 5);
    let mut service = service(1_000.0);
    service.retries = 9;
    let simulation = service.simulate(&traffic);
    let all: f64 = simulation.ru_log().iter().map(|r| r.ru).sum();
    let truth = simulation.truth(0, 20);
    assert!((all - truth.requested).abs() < 1e-6);
    assert!(truth.throttled > 0.1 * truth.requested);
    let totals = simulation.requests(300);
    let total = totals.values().next().unwrap();
    assert!(total.throttled > 100 && totals.len() == 1);
    assert_eq!(service.simulate(&traffic), simulation);
}

#[test]
fn arrivals_vary_as_chance_has_it() {
    let mut chance = Random::of(1);
    for mean in [0.3, 4.0, 70.0] {
        let found: Vec<f64> = (0..4_000).map(|_| f64::from(chance.poisson(mean))).collect();
        let average = found.iter().sum::<f64>() / 4_000.0;
        let squares = found.iter().map(|n| (n - average).powi(2));
        let variance = squares.sum::<f64>() / 4_000.0;
        assert!((average / mean - 1.0).abs() < 0.07, "{mean}: {average}");
        assert!((variance / mean - 1.0).abs() < 0.12, "{mean}: {variance}");
    }
}
