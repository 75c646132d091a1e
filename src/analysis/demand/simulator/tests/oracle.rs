//! How far predictions are from the truth.

use super::{Workload, whole, window};
use crate::analysis::demand::Now;
use crate::analysis::demand::outcome::Between;
use crate::analysis::demand::remedies::{
    Question, Remedies, capacities, partitions_text, remedies,
};
use crate::analysis::placement::as_number;
use crate::analysis::throttling::redistributed;

/// Points of a percent.
const POINT: f64 = 0.01;
const RETRIES: u8 = 9;

/// A workload, as predicted from its logs and as it was.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "a failed test prints the seed")]
struct Compared {
    seed: u64,
    truth: f64,
    stated: Between,
    /// Of each partition with load, how far its mean demand is off.
    partitions: Vec<f64>,
    /// RU/s: stated, true and served.
    demand: [f64; 3],
    remedies: Vec<Remedied>,
}

/// What is throttled after a remedy.
#[derive(Clone, Copy, Debug)]
struct Remedied {
    name: &'static str,
    stated: f64,
    truth: f64,
}

impl Compared {
    fn of(seed: u64, retries: u8, with_remedies: bool) -> Self {
        let workload = Workload::of(seed, retries);
        let simulation = workload.simulation();
        let now = workload.now(&simulation);
        let (from, to) = window(&now);
        let truth = simulation.truth(from, to);
        let seconds = f64::from(to - from);
        let served: f64 = now.demand.loads.iter().map(|l| l.served).sum();
        Self {
            seed,
            truth: truth.throttled_share(),
            stated: now.throttled().unwrap(),
            partitions: errors(&now, &truth.by_partition, seconds),
            demand: [
                now.outcome.demand_ru_per_second,
                truth.requested / seconds,
                served / seconds,
            ],
            remedies: if with_remedies {
                remedied(&workload, &now)
            } else {
                Vec::new()
            },
        }
    }

    fn error(&self) -> f64 {
        (self.stated.point - self.truth).abs()
    }

    /// Whether the true demand lies between what was served and what is stated. What waits at an end of the window is served
    /// in another.
    fn demand_holds(&self) -> bool {
        let [stated, truth, served] = self.demand;
        served <= truth * 1.005 && truth <= stated * 1.005
    }
}

fn errors(now: &Now, truth: &[f64], seconds: f64) -> Vec<f64> {
    let of = now.outcome.partitions.iter().zip(truth);
    let of = of.filter(|(_, truth)| **truth > 0.0);
    of.map(|(p, truth)| (p.mean * seconds / truth - 1.0).abs())
        .collect()
}

/// The same traffic once the RU/s are others.
fn remedied(workload: &Workload, now: &Now) -> Vec<Remedied> {
    let question = Question {
        now,
        hot: None,
        blamed: &[],
        cured: 0.01,
        least_partition_ru: 100.0,
        is_pooled: false,
    };
    let of = remedies(&question).unwrap();
    let (from, to) = window(now);
    let changed = changed(now, &of).into_iter();
    let one = |(name, capacities)| {
        let mut service = workload.service.clone();
        service.capacities = capacities;
        let after = service.simulate(&workload.traffic).truth(from, to);
        Remedied {
            name,
            stated: of.row(name).unwrap().throttled.unwrap().point,
            truth: after.throttled_share(),
        }
    };
    changed.map(one).collect()
}

/// RU/s of partitions after scaling up without a split, and after redistribution.
fn changed(now: &Now, of: &Remedies) -> Vec<(&'static str, Vec<f64>)> {
    let mut found = Vec::new();
    let count = now.partitions.len();
    let scaled = of.row("scale-up").unwrap();
    if scaled
        .words
        .contains(&format!(" on {}", partitions_text(count)))
    {
        let ru = scaled.ru_per_second.unwrap();
        found.push(("scale-up", capacities(now, ru, count)));
    }
    let mut highest = vec![0.0_f64; count];
    for load in &now.loads {
        let held = &mut highest[load.partition as usize];
        *held = held.max(load.ru_per_second);
    }
    let all = now.partitions.capacities.iter().flatten().sum();
    found.push(("redistribute", redistributed(all, &highest, 100.0)));
    found
}

/// The value that this part stays at or below.
fn quantile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = whole((as_number(values.len()) - 1.0).max(0.0) * part);
    values.get(at).copied().unwrap_or(0.0)
}

fn share(of: &[Compared], is_it: impl Fn(&&Compared) -> bool) -> f64 {
    as_number(of.iter().filter(is_it).count()) / as_number(of.len())
}

#[track_caller]
fn assert_each(all: &[Compared], holds: impl Fn(&Compared) -> bool) {
    let wrong: Vec<&Compared> = all.iter().filter(|c| !holds(c)).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:#?}",
        wrong.len(),
        all.len()
    );
}

fn is_predicted(c: &Compared) -> bool {
    c.error() <= 1.5 * POINT && c.partitions.iter().all(|error| *error <= 0.03)
}

fn remedies_hold(c: &Compared) -> bool {
    let mut of = c.remedies.iter();
    of.all(|r| (r.stated - r.truth).abs() <= 2.0 * POINT)
}

fn compared(seeds: std::ops::Range<u64>, retries: u8, with_remedies: bool) -> Vec<Compared> {
    let of = |seed| Compared::of(seed, retries, with_remedies);
    seeds.map(of).collect()
}

#[test]
fn throttled_share_and_demand_are_those_of_the_simulator() {
    assert_each(&compared(0..30, 0, false), is_predicted);
}

#[test]
fn repeated_requests_leave_the_demand_within_its_interval() {
    assert_each(&compared(0..10, RETRIES, false), Compared::demand_holds);
}

#[test]
fn remedies_do_what_they_state() {
    assert_each(&compared(0..10, 0, true), remedies_hold);
}

#[test]
#[ignore = "slow: 200 workloads with and without retries"]
fn two_hundred_workloads() {
    let all = compared(0..200, 0, true);
    let repeated = compared(0..200, RETRIES, false);
    println!("{}", table(&all));
    println!(
        "true demand within served and stated, 9 retries: {:.1} %",
        100.0 * share(&repeated, |c| c.demand_holds())
    );
    let is_throttled = |c: &&Compared| (0.02..=0.5).contains(&c.truth);
    assert!(all.iter().filter(is_throttled).count() >= 100);
    // Of a few workloads with large charges on few RU/s chance alone is more than 1.5 points.
    assert!(share(&all, |c| is_predicted(c)) >= 0.98);
    assert!(all.iter().all(|c| c.error() <= 3.0 * POINT));
    assert!(share(&all, |c| remedies_hold(c)) >= 0.9);
    assert_each(&repeated, Compared::demand_holds);
}

fn table(all: &[Compared]) -> String {
    let percent = |of: f64| format!("{:.2}", 100.0 * of);
    let is_throttled = |c: &&Compared| (0.02..=0.5).contains(&c.truth);
    let throttled: Vec<Compared> = all.iter().filter(is_throttled).cloned().collect();
    let partitions = || all.iter().flat_map(|c| c.partitions.iter().copied());
    let remedies = |name: &'static str| {
        let of = all
            .iter()
            .flat_map(|c| &c.remedies)
            .filter(move |r| r.name == name);
        of.map(|r| (r.stated - r.truth).abs())
    };
    let is_inside = |c: &&Compared| c.stated.low <= c.truth && c.truth <= c.stated.high;
    let is_near = |c: &&Compared| c.truth <= c.stated.high + 0.1 * POINT;
    let half = |c: &Compared| (c.stated.high - c.stated.low) / 2.0;
    let rows = [
        ("workloads", all.len().to_string()),
        ("of these 2 to 50 % throttled", throttled.len().to_string()),
        (
            "T within 1.5 points, %",
            percent(share(all, |c| c.error() <= 1.5 * POINT)),
        ),
        (
            "worst error of T, points",
            percent(quantile(all.iter().map(Compared::error), 1.0)),
        ),
        (
            "partition demand p95 error, %",
            percent(quantile(partitions(), 0.95)),
        ),
        (
            "partition demand worst error, %",
            percent(quantile(partitions(), 1.0)),
        ),
        (
            "truth inside interval, %",
            percent(share(&throttled, is_inside)),
        ),
        (
            "truth inside or 0.1 points above, %",
            percent(share(&throttled, is_near)),
        ),
        (
            "median half-width, points",
            percent(quantile(throttled.iter().map(half), 0.5)),
        ),
        (
            "scale up, p95 error, points",
            percent(quantile(remedies("scale-up"), 0.95)),
        ),
        (
            "scale up, worst error, points",
            percent(quantile(remedies("scale-up"), 1.0)),
        ),
        (
            "redistribute, p95 error, points",
            percent(quantile(remedies("redistribute"), 0.95)),
        ),
        (
            "redistribute, worst error, points",
            percent(quantile(remedies("redistribute"), 1.0)),
        ),
    ];
    rows.map(|(what, value)| format!("{what:36} {value:>8}"))
        .join("\n")
}
