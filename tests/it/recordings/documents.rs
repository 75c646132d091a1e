//! Documents that were sampled while a recording was made: on the screens of a replay, and for `trial`.

use std::path::Path;
use std::sync::Arc;

use cosmoscope::analysis::mask::Masker;
use cosmoscope::source::recording::{MaskedRole, RecordingMask, RecordingOptions};
use cosmoscope::work::data::Origin;
use serde_json::Value;

use super::rounds::{NARROW, WHOLE, write, write_with_documents};
use crate::cli::Place;
use crate::stage::Stage;

fn stage(path: &Path, size: (u16, u16)) -> Stage {
    let mut stage = Stage::dark(size);
    stage.open(Origin::Recording(path.to_owned()));
    stage
}

#[test]
fn a_replay_has_the_documents_of_its_moment() {
    let place = Place::new();
    let path = write_with_documents(&place.data(), "a.rec", RecordingOptions::default());
    let mut stage = stage(&path, (200, 60));
    stage.keys("4");
    // Ninety, for as many as the statistics count.
    assert!(stage.text().contains("90 of "), "{}", stage.text());
    let whole = "Tried on the 30 whole documents only: /city was not read of the 60";
    assert!(!stage.text().contains(whole), "{}", stage.text());
    stage.keys("t / c i t y enter");
    let tried = stage.text();
    assert!(tried.contains("whole only"), "{tried}");
    stage.keys("c");
    assert!(stage.text().contains(whole), "{}", stage.text());
    stage.keys("x");
    assert!(stage.text().contains("30 were looked at"), "{}", stage.text());
    // The container's own key was read of all: what they weigh is told by the whole ones.
    stage.keys("esc h h x");
    let said = "sizes of 60 documents are estimates, the mean of 30 that were read whole";
    assert!(stage.text().contains(said), "{}", stage.text());
    stage.keys("esc");
    // Before the sample was drawn there were none; after it they are the same.
    stage.keys("[ [");
    assert!(!stage.text().contains("90 of "), "{}", stage.text());
    assert!(stage.text().contains("documents [none: 10 logged keys]"), "{}", stage.text());
    stage.keys("]");
    assert!(stage.text().contains("90 of "), "{}", stage.text());
    stage.keys("]");
    assert!(stage.text().contains("90 of "), "{}", stage.text());
}

#[test]
fn a_replay_without_documents_says_so() {
    let place = Place::new();
    let path = write(&place.data(), "a.rec", 2, RecordingOptions::default());
    let mut stage = stage(&path, (100, 30));
    stage.keys("4");
    assert!(stage.text().contains("documents [none: 10 logged keys]"), "{}", stage.text());
    let answer = place.run(&["trial", path.to_str().unwrap(), "--key", "/id"]);
    let answer = answer.ends_with(2);
    assert!(answer.err.contains("has no documents"), "{}", answer.err);
}

#[test]
fn trial_takes_the_documents_of_a_recording() {
    let place = Place::new();
    let path = write_with_documents(&place.data(), "a.rec", RecordingOptions::default());
    let path = path.to_str().unwrap();
    let run = |options: &[&str]| -> Value {
        let all = [&["trial", path, "--format", "json"], options].concat();
        place.run(&all).ends_with(0).json()
    };
    let notes = |of: &Value| of["notes"].to_string();
    let all = run(&["--key", "/tenantId"]);
    assert_eq!(all["documents"], WHOLE + NARROW);
    assert_eq!(all["weighed"], WHOLE);
    assert!(
        notes(&all).contains("sizes are estimates: 30 of 90")
            && notes(&all).contains("read page by page at"),
        "{all}"
    );
    let few = run(&["--key", "/city"]);
    assert_eq!(few["documents"], WHOLE);
    assert!(notes(&few).contains("only whole documents are looked at: /city"), "{few}");
    // With what the recording tells of the container beside it.
    let with = run(&["--key", "/city", "--logs", path]);
    assert_eq!(with["candidates"][0]["key"], "/tenantId");
    let other = ["trial", path, "--key", "/city", "--container", "nowhere"];
    let refused = place.run(&other).ends_with(2);
    assert!(refused.err.contains("but of shop/orders"), "{}", refused.err);
}

fn mask() -> RecordingMask {
    let masker = Masker::new(b"a salt for tests of thirty-two b");
    Arc::new(move |role, name| match role {
        MaskedRole::Key => masker.key(name).into_string(),
        _ => masker.name(cosmoscope::analysis::mask::NameKind::Text, name),
    })
}

#[test]
fn a_masked_recording_has_documents_without_values() {
    let place = Place::new();
    let options = RecordingOptions { mask: Some(mask()), ..RecordingOptions::default() };
    let plain = write_with_documents(&place.data(), "plain.rec", RecordingOptions::default());
    let path = write_with_documents(&place.data(), "a.rec", options);
    let text = std::fs::read_to_string(&path).unwrap();
    for word in ["tenant-00", "city-", "xxxx", "shop", "orders"] {
        assert!(!text.contains(word), "{word}");
    }
    let run = |path: &Path, key: &str| -> Value {
        let path = path.to_str().unwrap();
        let args = ["trial", path, "--key", key, "--format", "json"];
        place.run(&args).ends_with(0).json()
    };
    // As many documents, of the same sizes, with as many values, written in the same hours.
    for key in ["/tenantId", "/city", "hour(/_ts)"] {
        let (one, other) = (run(&plain, key), run(&path, key));
        for name in ["documents", "bytes"] {
            assert_eq!(one[name], other[name], "{name} {key}");
        }
        let (one, other) = (&one["candidates"][0], &other["candidates"][0]);
        for name in ["distinct", "largest_bytes", "k_eff", "hot_hour_share"] {
            assert_eq!(one[name], other[name], "{name} {key}");
        }
    }
    let mut stage = stage(&path, (200, 60));
    stage.keys("4");
    assert!(stage.text().contains("90 of "), "{}", stage.text());
}
