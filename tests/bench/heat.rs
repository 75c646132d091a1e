//! The heat map: cells of a window after every zoom, all cells binned anew, what so many steps take, and a full log.

use std::time::{Duration, Instant};

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::analysis::columns::{ColumnsPart, Lookups};
use cosmoscope::analysis::diagnosis::thresholds::Thresholds;
use cosmoscope::analysis::heat::grid::{Window, grid};
use cosmoscope::analysis::heat::keys::RecordFilter;
use cosmoscope::analysis::heat::series::Series;
use cosmoscope::analysis::heat::{ContainerHeat, Heat, Measure, Partition, RangeName, Track};
use cosmoscope::analysis::summary::{Summary, SummaryOptions};
use cosmoscope::model::capture::CaptureBuilder;
use cosmoscope::model::load::{MAX_CELLS, RuLog, RuRecord};
use cosmoscope::model::names::ContainerName;
use cosmoscope::model::time::Stamp;
use cosmoscope::ui::app::update::open;
use cosmoscope::ui::kit::msg::{Effect, Msg};
use cosmoscope::work::data::{Dataset, Origin, Stage};
use cosmoscope::work::shared::Shared;

use super::{Screens, print_against, time_keys};

const STEPS: i64 = 10_000;
const COLUMNS: usize = 200;
/// Half-block cells: two rows of the map in each line of a screen of 60.
const ROWS: usize = 120;
/// 2026-06-22T02:00:00Z.
const START: i64 = 1_782_093_600;

/// Loads by the second that look like nothing in particular, every hundredth told of by a gap.
fn track(partitions: u32) -> Track {
    let mut state = 7_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut points: Vec<(i64, f64)> = Vec::new();
    let series = (0..partitions).map(|_| {
        points.clear();
        for step in 0..STEPS {
            let random = next();
            if !random.is_multiple_of(100) {
                let share = f64::from(u32::try_from(random >> 40).unwrap()) / f64::from(1 << 24);
                points.push((START + step, share));
            }
        }
        Series::of(&points, 1)
    });
    let series = series.collect();
    let from = "RU log, 1 s".to_owned();
    Track::new(Measure::LoggedShare, None, 1, series, from)
}

/// In and out again, the focus elsewhere each time.
fn zooms(whole: Window, times: usize) -> Vec<Window> {
    let end = START + STEPS;
    let mut windows = Vec::new();
    for (turn, step) in (0..times).zip((0_i64..).map(|n| n * 7919 % STEPS)) {
        let halvings = if turn % 14 < 7 { turn % 14 + 1 } else { 13 - turn % 14 };
        let from = START + step;
        windows.push(Window::around(from, end.min(from + (STEPS >> halvings)), whole.columns, 1));
    }
    windows
}

fn time(windows: &[Window], mut work: impl FnMut(Window)) -> Vec<Duration> {
    let timed = windows.iter().map(|window| {
        let begun = Instant::now();
        work(*window);
        begun.elapsed()
    });
    timed.collect()
}

/// As many records as a log may hold without being summed to coarser steps.
fn full_log(fixed: Duration) {
    let builder = CaptureBuilder::new(7);
    let name = ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    let region = builder.region("West Europe").unwrap();
    let cells = u32::try_from(MAX_CELLS).unwrap();
    for cell in 0..cells {
        let key = cell.wrapping_mul(2_654_435_761) % 20_000;
        builder.load(|load| {
            load.add_ru(&RuRecord {
                log: RuLog::OwnTable,
                container,
                region,
                range: &(key % 100).to_string(),
                key: &format!("[\"tenant-{key}\"]"),
                operation: "Read",
                at: Stamp::from_seconds(START + i64::from(cell / 50)),
                ru: 5.0,
                mark: None,
            });
        });
    }
    let capture = builder.finish();
    let mut made = Vec::new();
    let mut heat = Heat::default();
    for _ in 0..5 {
        let begun = Instant::now();
        heat = Heat::of(&capture);
        made.push(begun.elapsed());
    }
    print_against("heat of an RU log of 500,000 cells", &made, fixed, "");
    let container = heat.container(container).unwrap();
    let ranked = |which: RecordFilter| {
        let begun = Instant::now();
        std::hint::black_box(container.keys.ranked(which, &capture.load.keys));
        begun.elapsed()
    };
    let whole: Vec<Duration> = (0..20).map(|_| ranked(RecordFilter::default())).collect();
    print_against("  keys of the whole container ranked", &whole, fixed, "");
    let of_one = (0..100).map(|partition| {
        ranked(RecordFilter { region: Some(region), partition: Some(partition), span: None })
    });
    let of_one: Vec<Duration> = of_one.collect();
    print_against("  keys of one partition ranked", &of_one, fixed, "");
}

/// So many partitions, as cells of 200x120.
fn map(partitions: u32, times: usize, [must_zoom, must_bin]: [&str; 2], fixed: Duration) {
    let begun = Instant::now();
    let track = track(partitions);
    let built = begun.elapsed().as_secs_f64();
    let bytes: usize = track.series.iter().map(Series::bytes).sum();
    println!(
        "heat, {partitions} partitions x {STEPS} steps: made in {built:.2} s ({:.2} of the fixed work), {} MiB",
        built / fixed.as_secs_f64(),
        bytes / (1 << 20)
    );
    let all: Vec<u32> = (0..partitions).collect();
    let merged = all.len().div_ceil(ROWS);
    let whole = Window::around(START, START + STEPS, COLUMNS, 1);
    let windows = zooms(whole, times);
    let some = all.get(..ROWS).unwrap_or_default();
    let one_each = time(&windows, |window| {
        std::hint::black_box(grid(&track, some, 1, window));
    });
    let name = "  200x120 cells after a zoom, one each";
    print_against(name, &one_each, fixed, must_zoom);
    let all_of_it = |window| {
        std::hint::black_box(grid(&track, &all, merged, window));
    };
    let name = "  200x120 cells after a zoom, all merged";
    print_against(name, &time(&windows, all_of_it), fixed, must_zoom);
    // No coarser level fits these widths: every value is read.
    for (width_s, name) in [
        (2, "  every step binned anew, two to a cell"),
        (5, "  every step binned anew, five to a cell"),
    ] {
        let columns = usize::try_from(STEPS / i64::from(width_s)).unwrap();
        let window = Window { width_s, columns, ..whole };
        print_against(name, &time(&[window; 30], all_of_it), fixed, must_bin);
    }
}

/// The heat view of so many partitions: keys that zoom and move, each with its frame.
fn frames(partitions: u32, times: usize, must: &str, fixed: Duration) {
    let builder = CaptureBuilder::new(7);
    let name = ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"));
    builder.container(&name).unwrap();
    let capture = builder.finish();
    let mut summary = Summary::new(SummaryOptions::default());
    summary.absorb(&capture);
    let origin = Origin::Paths(vec!["exports".into()]);
    let report = summary.finish();
    let ceiling = Ceiling::BINARY;
    let whole = Stage::Whole;
    let lookups = Lookups::of(&capture, ceiling);
    let parts = vec![ColumnsPart::of(&capture, &lookups, 0, 1, &|| true).unwrap()];
    let limits = Thresholds::default();
    let mut data = Dataset::joined(origin.clone(), whole, capture, report, lookups, parts, limits);
    let named = |id: u32| Partition {
        known: None,
        named: RangeName::Range(id.to_string()),
        capacity: None,
        kib: None,
    };
    data.heat.containers = vec![ContainerHeat {
        partitions: (0..partitions).map(named).collect(),
        tracks: vec![track(partitions)],
        ..ContainerHeat::default()
    }];
    let mut screens = Screens::new();
    let opened = open(&mut screens.app, origin);
    let turn = opened.iter().find_map(|effect| match effect {
        Effect::Load(turn, _) => Some(*turn),
        _ => None,
    });
    screens.send(Msg::Loaded(turn.unwrap(), Shared::new(data)));
    screens.key("3");
    for (name, keys) in [
        ("zoom and frame", &["+", "+", "+", "-", "+", "-", "-", "-"][..]),
        ("move and frame", &["j", "l", "page-down", "l", "G", "h", "g"][..]),
        ("order and frame", &["o"][..]),
    ] {
        let times = time_keys(&mut screens, keys, times);
        print_against(&format!("  {name}, 200x60, {partitions} partitions"), &times, fixed, must);
    }
    screens.key("d");
    let merged = time_keys(&mut screens, &["+", "+", "-", "-"], times / 10);
    print_against("  the same with all partitions merged", &merged, fixed, "");
}

pub fn run(fixed: Duration) {
    frames(1_000, 2_000, "must 4 ms p99", fixed);
    frames(10_000, 500, "", fixed);
    full_log(fixed);
    let must = ["must 4 ms p99 with the frame", "must 30 ms"];
    map(1_000, 2_000, must, fixed);
    map(10_000, 500, ["", ""], fixed);
}
