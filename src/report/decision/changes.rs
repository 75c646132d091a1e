//! What differs between two decisions, for people and for scripts.

use std::io::{self, Write};

use crate::analysis::decision::{ChangeSubject, Decision, DecisionValue, Difference};
use crate::analysis::trial::verdict::Acceptance;
use crate::model::units::{counted, ratio_text};
use crate::model::units::{kib_text, percent_text, whole_text};
use crate::model::visible::{shorten, visible};
use crate::report::Style;
use crate::report::doc::Doc;
use crate::report::write_json::{Json, lines, object, single};

/// A hash or a list of files; longer ones are cut in the middle.
const TEXT_COLUMNS: usize = 48;

/// How a number is told.
#[derive(Clone, Copy)]
enum Unit {
    Count,
    Bytes,
    Kib,
    Share,
    Ratio,
}

/// Names in outputs, what people call them, and their units.
const NAMES: [(&str, &str, Unit); 25] = [
    ("documents", "documents", Unit::Count),
    ("bytes", "size", Unit::Bytes),
    ("looked_at", "documents read", Unit::Count),
    ("partitions", "physical partitions", Unit::Count),
    ("ru_per_second", "RU/s provisioned", Unit::Count),
    ("load_ru_per_second", "RU/s of demand", Unit::Count),
    ("storage_factor", "storage factor", Unit::Ratio),
    ("stored_bytes", "stored in all", Unit::Bytes),
    ("stored_documents", "documents in all", Unit::Count),
    ("ceiling_kib", "limit of a key", Unit::Kib),
    ("seed", "seed", Unit::Count),
    ("growth_bytes_per_day", "growth in a day", Unit::Bytes),
    ("kept_days", "days kept", Unit::Ratio),
    ("distinct", "distinct keys", Unit::Count),
    ("distinct_most", "distinct keys at most", Unit::Count),
    ("largest_bytes", "largest key", Unit::Bytes),
    ("largest_share_of_ceiling", "largest key of the limit", Unit::Share),
    ("top_share", "largest share", Unit::Share),
    ("k_eff", "effective keys", Unit::Ratio),
    ("hot_hour_share", "hottest key, newest", Unit::Share),
    ("load_ratio_storage", "imbalance, storage", Unit::Ratio),
    ("load_ratio_ru", "imbalance, RU/s", Unit::Ratio),
    ("throttled_share", "throttled", Unit::Share),
    ("id_collisions", "id collisions", Unit::Count),
    ("hash", "sizes of the documents", Unit::Count),
];

/// What differs in a sentence each: `/deviceId: largest key 1.20 GiB, before 1.00 GiB`; visible.
pub fn sentences(differences: &[Difference]) -> Vec<String> {
    let sentence = |difference: &Difference| {
        let subject = match &difference.about {
            ChangeSubject::Data => "documents".to_owned(),
            ChangeSubject::Setting => "setting".to_owned(),
            ChangeSubject::Candidate(key) => visible(key).into_owned(),
            ChangeSubject::Choice => "decision".to_owned(),
        };
        format!("{subject}: {}", words(difference))
    };
    differences.iter().map(sentence).collect()
}

fn words(difference: &Difference) -> String {
    let known = NAMES.iter().find(|(name, ..)| *name == difference.name);
    let label = known.map_or_else(
        || visible(&difference.name).into_owned(),
        |(_, label, _)| (*label).to_owned(),
    );
    let unit = known.map_or(Unit::Ratio, |(_, _, unit)| *unit);
    let said = |value: &DecisionValue| value_text(value, unit);
    match (&difference.before, &difference.after) {
        (Some(before), Some(after)) => {
            let (before, after) = (said(before), said(after));
            if before == after {
                format!("{label} {after}, before nearly the same")
            } else {
                format!("{label} {after}, before {before}")
            }
        }
        (Some(before), None) => format!("{label} no longer known, before {}", said(before)),
        (None, Some(after)) => format!("{label} {}, before unknown", said(after)),
        (None, None) => label,
    }
}

fn value_text(value: &DecisionValue, unit: Unit) -> String {
    let number = match value {
        DecisionValue::Text(text) => {
            let verdict = Acceptance::named(text).map(Acceptance::word);
            return verdict.map_or_else(|| shorten(&visible(text), TEXT_COLUMNS), str::to_owned);
        }
        DecisionValue::Number(number) => *number,
    };
    match unit {
        Unit::Count => whole_text(number),
        Unit::Bytes => kib_text(number / 1024.0),
        Unit::Kib => kib_text(number),
        Unit::Share => percent_text(number),
        Unit::Ratio if number.fract() == 0.0 => whole_text(number),
        Unit::Ratio => ratio_text(number),
    }
}

/// `the decision of 2026-06-28T12:00:00Z for /deviceId`, visible.
pub fn title(decision: &Decision) -> String {
    let when = decision.made_at.as_deref().map(visible);
    let when = when.map_or_else(String::new, |at| format!(" of {at}"));
    match &decision.chosen {
        Some(key) => format!("the decision{when} for {}", visible(key)),
        None => format!("the trial{when} without a decision"),
    }
}

pub fn text(
    pair: (&Decision, &Decision),
    differences: &[Difference],
    style: Style,
    to: &mut dyn Write,
) -> io::Result<()> {
    let head = match differences.len() {
        0 => "Nothing differs".to_owned(),
        n => counted(n as u64, "difference", "differences"),
    };
    let head = format!("{head} between {} and {}.", title(pair.0), title(pair.1));
    let mut doc = Doc::text(style);
    doc.line(&head, "", "");
    for alike in differences.chunk_by(|a, b| a.about == b.about) {
        let head = match alike.first().map(|difference| &difference.about) {
            Some(ChangeSubject::Setting) => "settings".to_owned(),
            Some(ChangeSubject::Choice) => "choice".to_owned(),
            Some(ChangeSubject::Candidate(key)) => visible(key).into_owned(),
            Some(ChangeSubject::Data) | None => "documents".to_owned(),
        };
        doc.gap();
        doc.line(&head, "", "  ");
        for difference in alike {
            doc.line(&words(difference), "  ", "    ");
        }
    }
    doc.end(to)
}

pub fn json(
    pair: (&Decision, &Decision),
    differences: &[Difference],
    to: &mut dyn Write,
) -> io::Result<()> {
    let decision = |decision: &Decision| {
        object()
            .with("made_at", decision.made_at.as_deref())
            .with("chosen", decision.chosen.as_deref())
    };
    let change = |difference: &Difference| {
        let (about, candidate) = match &difference.about {
            ChangeSubject::Data => ("data", None),
            ChangeSubject::Setting => ("setting", None),
            ChangeSubject::Candidate(key) => ("candidate", Some(key)),
            ChangeSubject::Choice => ("choice", None),
        };
        object()
            .with("about", about)
            .with("candidate", candidate)
            .with("name", &difference.name)
            .with("before", difference.before.as_ref().map(value))
            .with("after", difference.after.as_ref().map(value))
    };
    object()
        .with("schema", 1)
        .with("before", decision(pair.0))
        .with("after", decision(pair.1))
        .with("changes", lines(differences.iter().map(change)))
        .write(to)
}

fn value(value: &DecisionValue) -> Json {
    match value {
        DecisionValue::Number(number) => single(number),
        DecisionValue::Text(text) => single(text),
    }
}
