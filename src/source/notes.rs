//! What is told about an input beside its records: everything left out, guessed or rounded, in sentences.

use super::dialect::{Dialect, Zone};
use super::import::Outcome;
use super::sniff::{Refusal, WHAT_TO_EXPORT};
use crate::model::capture::SourceInfo;
use crate::model::units::count_text;

/// Why an input gave nothing at all, if it did.
pub fn nothing_taken(outcome: &Outcome) -> Option<Refusal> {
    let tally = &outcome.tally;
    if tally.records() + outcome.other_rows > 0 {
        return None;
    }
    if !tally.other_kinds.is_empty() {
        let kinds: Vec<String> = tally
            .other_kinds
            .iter()
            .map(|(name, n)| format!("{name} ({n})"))
            .collect();
        let what = format!(
            "no partition statistics in this file: its records are {}",
            kinds.join(", ")
        );
        return Some(Refusal::new(&what, WHAT_TO_EXPORT));
    }
    if tally.skipped > 0 {
        let first = tally
            .errors
            .first()
            .map(|e| format!(" (line {}: {})", e.line, e.detail))
            .unwrap_or_default();
        let what = format!(
            "none of the {} records can be used{first}",
            count_text(tally.skipped)
        );
        return Some(Refusal::new(&what, WHAT_TO_EXPORT));
    }
    None
}

/// Writes the numbers and notes of an input.
pub fn describe(info: &mut SourceInfo, outcome: &Outcome, dialect: &Dialect) {
    let tally = &outcome.tally;
    // A file with sizes counts its size records as rows; its load records are told in a note.
    let load = tally.ru + tally.requests;
    info.rows = outcome.other_rows + if tally.sizes > 0 { tally.sizes } else { load };
    info.skipped = tally.skipped;
    info.repeated = tally.repeated_load;
    info.other_kinds = tally.other_kinds.values().sum();
    info.row_errors.clone_from(&tally.errors);
    info.notes.extend(outcome.notes.iter().cloned());
    let mut note = |n: u64, text: &str| {
        if n > 0 {
            info.notes.push(text.replace("{}", &count_text(n)));
        }
    };
    note(tally.skipped, "{} skipped: see the list of rows");
    if outcome.cut_short && tally.skipped > 0 {
        note(
            1,
            "the last line is incomplete: the download may have stopped there",
        );
    }
    if tally.sizes > 0 {
        note(tally.ru, "{} records of request units were taken too");
        note(tally.requests, "{} records of requests were taken too");
    }
    let kinds: Vec<&str> = tally.other_kinds.keys().map(String::as_str).collect();
    note(
        info.other_kinds,
        &format!(
            "{{}} records of other kinds were left out: {}",
            kinds.join(", ")
        ),
    );
    if dialect.zone == Zone::Guess {
        note(
            tally.local_times,
            "{} times are local and the zone is unknown: read as UTC; --time-zone names the zone",
        );
    }
    note(
        tally.undecided_times,
        "in {} dates day and month cannot be told apart: no time and no growth from them",
    );
    note(
        tally.unreadable_times,
        "{} times could not be read; those records count without a time",
    );
    note(tally.rounded, "{} values were rounded by a spreadsheet");
    note(
        tally.undecided_numbers,
        "in {} sizes the sign may group thousands or begin a fraction: nothing in the file tells",
    );
    note(
        tally.as_windows_1252,
        "{} lines are not UTF-8 and were read as Windows-1252",
    );
    note(
        tally.repeated_headers,
        "the header stands {} more times in the file: exports pasted together",
    );
    note(
        tally.beyond_limits,
        "{} records were beyond the limits of what is held and are left out",
    );
    if tally.records() + outcome.other_rows == 0 && outcome.notes.is_empty() {
        info.notes
            .push("no records: no key large enough was reported in this time".to_owned());
    }
}
