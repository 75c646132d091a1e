//! This program against another one, `BASE=path`: whole processes in turn on the same files, each round a ratio, and how
//! sure the median of the ratios is. A change that makes it slower is seen before it lands.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench runs programs, prints, and may panic"
)]

mod inputs;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROWS: u64 = 300_000;
const KEYS: u64 = 30_000;
const ROUNDS: usize = 21;
/// Samples drawn from the rounds for the interval.
const DRAWN: usize = 2_000;

/// What is run: a name, the file's ending, the file, and what stands before and behind its path.
struct Work {
    name: &'static str,
    file: tempfile::NamedTempFile,
    command: &'static str,
    options: &'static [&'static str],
}

impl Work {
    fn new(
        name: &'static str,
        ending: &str,
        bytes: &[u8],
        command: &'static str,
        options: &'static [&'static str],
    ) -> Self {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Self { name, file, command, options }
    }

    /// Seconds of one run.
    fn seconds(&self, program: &Path) -> f64 {
        let start = Instant::now();
        let status = Command::new(program)
            .arg(self.command)
            .arg(self.file.path())
            .args(self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{} {}", program.display(), self.name);
        start.elapsed().as_secs_f64()
    }
}

fn works() -> [Work; 4] {
    let report = ["--top", "100", "--format", "csv"].as_slice();
    let one = ["--key", "/device", "--format", "json"].as_slice();
    let three = [
        "--key",
        "/device",
        "--key",
        "/plant + \"-\" + day(/time)",
        "--key",
        "/plant > /device > /id",
        "--format",
        "json",
    ]
    .as_slice();
    let documents = documents();
    [
        Work::new("import CSV", ".csv", &inputs::csv(ROWS, KEYS), "report", report),
        Work::new("import JSON lines", ".json", &inputs::json_lines(ROWS, KEYS), "report", report),
        Work::new("trial, one key", ".json", &documents, "trial", one),
        Work::new("trial, three keys", ".json", &documents, "trial", three),
    ]
}

fn documents() -> Vec<u8> {
    let mut out = Vec::new();
    for row in 0..ROWS {
        let device = row.wrapping_mul(2_654_435_761) % KEYS;
        let (plant, day, second) = (device % 15, 1 + row * 28 / ROWS, row % 60);
        writeln!(
            out,
            "{{\"id\":\"doc-{row:010}\",\"device\":\"device-{device:06}\",\"plant\":\"plant-{plant}\",\
             \"time\":\"2026-06-{day:02}T02:10:{second:02}.0000000Z\",\"place\":{{\"latitude\":\"45.389\",\"longitude\":\"-95.52\"}},\
             \"value\":{row}.25,\"unit\":\"%\"}}"
        )
        .unwrap();
    }
    out
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Between these the median of 95 of 100 series drawn from the rounds lies.
fn interval(ratios: &[f64]) -> [f64; 2] {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut medians: Vec<f64> = (0..DRAWN)
        .map(|_| {
            let draw = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ratios[usize::try_from(state >> 33).unwrap() % ratios.len()]
            };
            median(&mut (0..ratios.len()).map(draw).collect::<Vec<f64>>())
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    [DRAWN / 40, DRAWN - 1 - DRAWN / 40].map(|at| medians[at])
}

fn main() {
    let Some(base) = std::env::var_os("BASE") else {
        println!("BASE=/path/to/another/cosmoscope compares this program with that one");
        return;
    };
    let (ours, base) = (Path::new(env!("CARGO_BIN_EXE_cosmoscope")), Path::new(&base));
    println!("{:20} {:>7} {:>7} {:>6}  95 %", "work", "base s", "this s", "ratio");
    for work in works() {
        let _warm = [work.seconds(base), work.seconds(ours)];
        let rounds: Vec<[f64; 2]> =
            (0..ROUNDS).map(|_| [work.seconds(base), work.seconds(ours)]).collect();
        let of = |at: usize| median(&mut rounds.iter().map(|r| r[at]).collect::<Vec<f64>>());
        let mut ratios: Vec<f64> = rounds.iter().map(|[base, ours]| ours / base).collect();
        let [low, high] = interval(&ratios);
        println!(
            "{:20} {:7.3} {:7.3} {:6.2}  {low:.2} to {high:.2}",
            work.name,
            of(0),
            of(1),
            median(&mut ratios)
        );
    }
}
