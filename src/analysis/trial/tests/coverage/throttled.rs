//! How often the interval of a throttled share holds the truth, over simulated draws with fixed seeds.

use super::*;

/// The throttled share of a demand that is known, from documents drawn one by one.
fn throttled(draws: u64) {
    let mut is_held = true;
    for container in Container::of_at_most(2_000) {
        let settings = Settings {
            stored_documents: Some(real(container.total())),
            partitions: 4,
            ru_per_second: Some(20_000.0),
            load_ru_per_second: Some(20_000.0),
            weight: Weight::Bytes,
            ..Settings::default()
        };
        let truth = container.whole("k", &settings).placement.throttled_share;
        let mut held = Coverage::default();
        for seed in 0..draws {
            let sample = container.drawn(2_000, &mut Dice(seed));
            let trial = trials(&sample, settings.clone()).trial(&parsed("/k"));
            let ends = trial.placement.throttled_share_interval.unwrap();
            held.add(ends.map(|share| 1.0 + share), 1.0 + truth.unwrap());
        }
        let points = 100.0 * held.width() * (1.0 + truth.unwrap()) / 2.0;
        let name = &container.name;
        println!(
            "{name}: {:.3} of {:.1} % throttled held, ± {points:.1} points",
            held.share(),
            100.0 * truth.unwrap()
        );
        let least = 0.93 - 0.6 / f64::from(held.draws).sqrt().max(7.0);
        is_held &= held.share() >= least && points <= 10.0;
    }
    assert!(is_held);
}

#[test]
fn the_throttled_share_of_a_sample_holds_the_truth() {
    throttled(30);
}

#[test]
#[ignore = "slow: 1,000 draws of each container"]
fn the_throttled_share_of_a_sample_holds_the_truth_in_93_of_100_draws() {
    throttled(1_000);
}
