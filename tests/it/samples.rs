//! Every sample file through the library, against the facts that the samples' own description states.
#![expect(clippy::panic, reason = "a test says what is wrong")]

mod load;
mod recorded;
mod sizes;

use std::path::{Path, PathBuf};

use cosmoscope::error::Error;
use cosmoscope::model::capture::{Capture, Container};
use cosmoscope::model::logical::KeyView;
use cosmoscope::model::sample;
use cosmoscope::source::import::{ImportOptions, import};
use cosmoscope::source::input::find;
use cosmoscope::source::watch::Watch;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");

fn try_open(paths: &[&str]) -> Result<Capture, Error> {
    let paths: Vec<PathBuf> = paths.iter().map(|p| Path::new(SAMPLES).join(p)).collect();
    let inputs = find(&paths, &|| true)?;
    import(&inputs, &ImportOptions::default(), &Watch::default(), &mut |_| Ok(()))
}

fn open(paths: &[&str]) -> Capture {
    try_open(paths).unwrap_or_else(|e| panic!("{paths:?}: {e}"))
}

/// The size that counts for a key: the newest of each region, and of these the largest.
fn size_of(key: KeyView<'_>) -> f64 {
    key.series().filter_map(|s| sample::latest(s.samples)).map(|s| s.kib).fold(0.0, f64::max)
}

fn container_of<'c>(capture: &'c Capture, key: KeyView<'_>) -> &'c Container {
    capture.container(key.container()).unwrap()
}

/// The largest key as container, canonical text and size in KB.
fn largest(capture: &Capture) -> Option<(String, String, f64)> {
    capture.sizes.iter().map(|(_, key)| (key, size_of(key))).max_by(|a, b| a.1.total_cmp(&b.1)).map(
        |(key, kib)| {
            let name = &container_of(capture, key).name;
            let container = name.container.as_deref().unwrap_or_default().to_owned();
            (container, key.canonical().to_owned(), kib)
        },
    )
}

fn container<'c>(capture: &'c Capture, name: &str) -> &'c Container {
    let named = |c: &&Container| c.name.container.as_deref() == Some(name);
    capture.containers.iter().find(named).unwrap()
}

/// Equal but for the last digits, as sums of fractions are.
#[track_caller]
fn assert_close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
}
