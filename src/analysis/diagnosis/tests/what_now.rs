//! What can be done at once about load, and for how long it helps.

use super::load::{even, tenants};
use crate::analysis::diagnosis::next_steps::{StepTime, remedies};
use crate::analysis::diagnosis::note::{NameForm, Naming};
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

/// `["D"]` without what JSON adds.
fn key_text(json: Option<&str>) -> String {
    json.unwrap_or_default().replace(['[', '"', ']'], "")
}

#[test]
fn rus_that_are_moved_to_a_dated_key_help_until_its_end() {
    let today = Stamp::from_seconds(START).unwrap().date_text();
    let cases = [(today.as_str(), true), ("D", false), ("2001-02-03", false)];
    for (key, is_dated) in cases {
        let mut stage = DiagnosisFixture::new(Some(10_000.0), 4, 120);
        let found = stage.requested(key, 4000.0).requested("B", 100.0).diagnosis();
        let rows = &found.verdict("HOT KEY").remedies;
        let row = rows.iter().find(|row| row.name == "redistribute").unwrap();
        let word = if is_dated { "helps in part" } else { "fixes" };
        assert_eq!(row.effect.word(), word, "{key}");
        let is_said = row.how.iter().any(|line| line.contains(": only until "));
        assert_eq!(is_said, is_dated, "{:?}", row.how);
    }
}

#[test]
fn whatever_is_throttled_has_a_step_for_now_and_the_key_to_limit_is_named() {
    let mut unknown = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    unknown.metric(&[100.0, 10.0, 10.0]);
    // The log counts no 429s.
    let mut served = DiagnosisFixture::new(None, 3, 120);
    served.requested("D", 10_000.0).metric(&[100.0, 10.0, 10.0]);
    let cases = [
        (tenants(), "HOT KEY", "limit D to "),
        (served, "HOT KEY", "limit the client of D: "),
        (even(12_500.0, "Query", 2.5), "FAN-OUT", "limit the client: "),
        (unknown, "HOT PARTITION", "limit the client: "),
    ];
    for (mut stage, rule, begin) in cases {
        let found = stage.diagnosis();
        let steps = &found.verdict(rule).steps;
        let steps: Vec<String> = steps.iter().map(|s| s.text(key_text)).collect();
        assert!(steps.iter().any(|step| step.starts_with(begin)), "{steps:?}");
    }
}

#[test]
fn steps_are_short_sentences_and_deleting_takes_hours() {
    let mut full = DiagnosisFixture::new(Some(24_000.0), 4, 60);
    full.stores("A. B", &[20.5]).metric(&[40.0; 4]);
    let mut unknown = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    unknown.metric(&[100.0, 10.0, 10.0]);
    let naming = Naming {
        names: NameForm::Real,
        container: &ContainerName::default(),
        group: None,
        shown: &key_text,
        json: &|json| json.to_owned(),
    };
    let cases = [
        (tenants(), "HOT KEY", "limit client", StepTime::Client),
        (unknown, "HOT PARTITION", "limit the client: ", StepTime::Client),
        (full, "KEY OVER 20 GB", "delete documents of the key: ", StepTime::Tonight),
    ];
    for (mut stage, rule, begin, time) in cases {
        let found = stage.diagnosis();
        let steps = remedies(found.verdict(rule), &naming);
        let step = steps.iter().find(|step| step.title.starts_with(begin)).unwrap();
        assert_eq!(step.time, time, "{rule}");
        assert!(step.lines.len() > 2, "{:?}", step.lines);
        let lines = steps.iter().flat_map(|step| &step.lines);
        for line in lines.filter(|line| steps::command(line).is_none()) {
            assert!(line.split_whitespace().count() <= 20, "{line}");
        }
    }
}
