//! Trials for the tests of the panels: of scenario documents, and of hostile ones.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::analysis::candidate::Candidate;
use crate::analysis::routing::workload::Workload;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{PreparedDocuments, Settings, Trial, Trials};
use crate::model::documents::{NearUnique, Scalar, Table, TableLimits, WantedPaths};
use crate::report::trial::{CandidateReport, KeyRole, TrialReport};
use crate::source::documents::{DocumentOptions, of_scenario};
use crate::source::watch::Watch;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::picture;
use crate::ui::kit::theme::Theme;
use crate::work::salt::Salt;

const DOCUMENTS: u64 = 4_000;

/// Six hundred GiB on ten partitions that are asked for two thirds of their RU/s.
pub fn settings() -> Settings {
    Settings {
        partitions: 10,
        ru_per_second: Some(60_000.0),
        load_ru_per_second: Some(40_000.0),
        stored_bytes: Some(300.0 * 1024.0 * 1024.0 * 1024.0),
        ..Settings::default()
    }
}

/// Documents of the connected cars.
pub fn cars() -> Arc<PreparedDocuments> {
    static GROUND: OnceLock<Arc<PreparedDocuments>> = OnceLock::new();
    let made = || {
        let watch = Watch::default();
        let loaded = of_scenario("car", "by-month", DOCUMENTS, &DocumentOptions::every(), &watch);
        Arc::new(PreparedDocuments::new(loaded.unwrap().documents, None))
    };
    GROUND.get_or_init(made).clone()
}

/// Values that would drive a terminal, wide ones, and long ones.
pub fn hostile() -> Arc<PreparedDocuments> {
    let mut table = Table::new(
        &TableLimits { near_unique: NearUnique::AtLimit, ..TableLimits::default() },
        &WantedPaths::Every,
    );
    let mut worker = table.rows();
    let column = worker.add_column(["na\u{1b}me \u{202e}東京"].into_iter().collect());
    let other = worker.add_column(["list"].into_iter().collect());
    let long = "x".repeat(3_000);
    let values = ["\u{1b}]0;owned\u{7}", "東京\u{202e}都", "a\nb\tc", "plain", long.as_str()];
    for (number, value) in (0..).zip(values.iter().cycle().take(25)) {
        worker.begin(number);
        worker.put(column, Scalar::Text(value));
        worker.put(other, Scalar::Array);
        worker.end(1_024);
    }
    table.append(&mut worker);
    Arc::new(PreparedDocuments::new(table.finish(), None))
}

pub fn trial(prepared: &Arc<PreparedDocuments>, key: &str, settings: &Settings) -> Trial {
    let candidate = Candidate::parse(key).unwrap();
    Trials::new(prepared.clone(), settings.clone()).trial(&candidate)
}

pub fn requests(
    prepared: &Arc<PreparedDocuments>,
    key: &str,
    settings: &Settings,
    text: &str,
) -> Vec<Routed> {
    let candidate = Candidate::parse(key).unwrap();
    let workload = Arc::new(Workload::parse(text));
    let settings = Settings { workload, ..settings.clone() };
    let trials = Trials::new(prepared.clone(), settings);
    trials.trial_with_routes(&candidate).1
}

pub fn masked() -> Mask {
    Mask::on(&Salt(b"salt".as_slice().into()))
}

/// A key with its verdict and requests, as reports have it.
pub fn candidate(
    prepared: &Arc<PreparedDocuments>,
    key: &str,
    settings: &Settings,
    text: &str,
) -> CandidateReport {
    let trial = trial(prepared, key, settings);
    let routed = requests(prepared, key, settings, text);
    let trials = vec![(trial.clone(), KeyRole::Candidate, routed)];
    let report = TrialReport::of(settings.clone(), trial.whole, trials, Vec::new());
    report.candidates.into_iter().next().unwrap()
}

/// What a panel draws in a room.
pub fn drawn(size: (u16, u16), mut draw: impl FnMut(&mut Buffer, Rect)) -> Buffer {
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    draw(&mut buffer, area);
    buffer
}

/// The text of a panel.
pub fn shown(size: (u16, u16), draw: impl FnMut(&mut Buffer, Rect)) -> String {
    picture::plain(&drawn(size, draw))
}

/// Compares a panel with its picture, colours included, in every room and without colour.
pub fn check(name: &str, sizes: &[(u16, u16)], mut draw: impl FnMut(&mut Buffer, Rect, &Theme)) {
    let colours = crate::ui::view::testing::theme();
    let plain = crate::ui::view::testing::theme_ascii();
    let mut all = String::new();
    for size in sizes {
        let buffer = drawn(*size, |buffer, area| draw(buffer, area, &colours));
        let _ = writeln!(all, "{}x{}\n{}", size.0, size.1, picture::styled(&buffer));
    }
    let buffer = drawn((80, 16), |buffer, area| draw(buffer, area, &plain));
    assert!(buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
    let _ = writeln!(all, "80x16 plain\n{}", picture::styled(&buffer));
    insta::with_settings!({
        snapshot_path => "../../../../tests/it/snapshots/panels",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, all);
    });
}

/// No control character reaches the screen, and nothing lies outside the room.
pub fn assert_harmless(mut draw: impl FnMut(&mut Buffer, Rect, &Theme)) {
    for theme in [crate::ui::view::testing::theme(), crate::ui::view::testing::theme_ascii()] {
        crate::ui::view::testing::assert_stays_inside(|buffer, area| draw(buffer, area, &theme));
        for size in [(40, 5), (80, 12), (120, 30), (200, 60)] {
            let text = shown(size, |buffer, area| draw(buffer, area, &theme));
            let is_harmless = |c: char| !c.is_control() || c == '\n';
            assert!(text.chars().all(|c| is_harmless(c) && c != '\u{202e}'), "{text}");
        }
    }
}
