//! Trials of one more key on documents that are in memory, and keys placed on physical partitions.
//!
//! Times on a shared machine prove little by themselves: each is also given as a part of a fixed piece of work.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cosmoscope::analysis::candidate::Candidate;
use cosmoscope::analysis::trial::{PreparedDocuments, Settings, Trials};
use cosmoscope::model::documents::{Documents, Scalar, Table, TableLimits, WantedPaths};
use cosmoscope::work::threads::parallelism;

use super::print_against;

const DEVICES: u64 = 200_000;
const PLANTS: u64 = 15;
/// 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600;
/// A month.
const SECONDS: u64 = 2_592_000;
const ROUNDS: usize = 5;

fn mixed(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Readings of devices, a few of which send much more than the others.
fn documents(rows: u64) -> Documents {
    let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
    let mut worker = table.rows();
    let columns = ["id", "deviceId", "plantId", "time"]
        .map(|name| worker.add_column([name].into_iter().collect()));
    for row in 0..rows {
        let chance = mixed(row);
        // Of three equal chances the least: small numbers are the commonest.
        let device = (chance % DEVICES).min(mixed(chance) % DEVICES);
        let second = START + row * SECONDS / rows;
        let texts = [
            format!("{:016x}-{row:08x}", mixed(chance ^ 1)),
            format!("{:016x}-device", mixed(device)),
            format!("PLANT-{}", mixed(device) % PLANTS),
            (second * 1_000 + chance % 1_000).to_string(),
        ];
        worker.begin(row);
        for (column, text) in columns.iter().zip(&texts).take(3) {
            worker.put(*column, Scalar::Text(text));
        }
        let value = texts[3].parse().unwrap();
        let text = &texts[3];
        worker.put(columns[3], Scalar::Number { text, value });
        worker.end(usize::try_from(450 + chance % 150).unwrap());
        if row % 2_048 == 0 {
            table.append(&mut worker);
        }
    }
    table.append(&mut worker);
    table.finish()
}

fn time(rounds: usize, mut work: impl FnMut()) -> Vec<Duration> {
    let timed = (0..rounds).map(|_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    });
    timed.collect()
}

fn trials(rows: u64, must: &str, fixed: Duration) {
    let begun = Instant::now();
    let documents = documents(rows);
    println!("trials, {rows} documents: made in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let prepared = Arc::new(PreparedDocuments::new(documents, None));
    let made = begun.elapsed();
    print_against("  documents made ready for trials", &[made], fixed, "");
    let trials = Trials::new(prepared, Settings::default());
    println!("  by one thread, then by all:");
    for key in [
        "/deviceId",
        "/plantId + \"-\" + day(/time)",
        "/plantId + \"-\" + day(/time) + \"-\" + bucket(/deviceId, 400)",
        "/plantId",
        "/plantId + \"-\" + random(400)",
        "/plantId > /deviceId",
        "/plantId > /deviceId > /id",
        "/deviceId + \"-\" + random(10)",
    ] {
        let candidate = Candidate::parse(key).unwrap();
        // The first trial of a key also makes what later ones find.
        for trials in [trials.clone(), trials.clone().with_parallelism(parallelism())] {
            let times = time(ROUNDS, || {
                std::hint::black_box(trials.trial_while(&candidate, &|| true));
            });
            let name = format!("  {key} ({})", trials.parallelism().workers());
            print_against(&name, &times, fixed, must);
        }
    }
}

/// Keys with one document each, so that placing them is nearly all that a trial does.
fn placement(fixed: Duration) {
    let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
    let mut worker = table.rows();
    let column = worker.add_column(["deviceId"].into_iter().collect());
    for device in 0..DEVICES {
        worker.begin(device);
        let text = format!("{:016x}-device", mixed(device));
        worker.put(column, Scalar::Text(&text));
        // Texts of fewer values are kept: each device has two documents.
        worker.end(500);
        worker.begin(DEVICES + device);
        worker.put(column, Scalar::Text(&text));
        worker.end(500);
    }
    table.append(&mut worker);
    let prepared = Arc::new(PreparedDocuments::new(table.finish(), None));
    let candidate = Candidate::parse("/deviceId").unwrap();
    for partitions in [10, 100, 1_000] {
        let settings = Settings { partitions, ..Settings::default() };
        let trials = Trials::new(Arc::clone(&prepared), settings).with_parallelism(parallelism());
        let times = time(20, || {
            std::hint::black_box(trials.trial_while(&candidate, &|| true));
        });
        let name = format!("  a trial of {DEVICES} keys on {partitions} partitions");
        print_against(&name, &times, fixed, "must 20 ms, the trial included");
    }
}

pub fn run(fixed: Duration) {
    placement(fixed);
    trials(1_000_000, "must 16 ms", fixed);
    trials(5_000_000, "must 100 ms", fixed);
}
