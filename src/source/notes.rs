//! What is told about an input beside its records: everything left out, guessed or rounded, in sentences.

use super::dialect::{BY_FORM, Dialect, Zone};
use super::import::ImportOutcome;
use super::input::FileChange;
use super::sniff::{OR_DOCUMENTS, Refusal, WHAT_TO_EXPORT};
use super::times::DateOrder;
use crate::model::capture::{AMBIGUOUS_DATES, SourceInfo};
use crate::model::throttle::REASONS;
use crate::model::units::count_text;

/// Why an input gave nothing at all, if it did.
pub fn nothing_taken(outcome: &ImportOutcome) -> Option<Refusal> {
    let tally = &outcome.tally;
    if tally.records() + outcome.other_rows > 0 {
        return None;
    }
    if !tally.other_kinds.is_empty() {
        let kinds: Vec<String> =
            tally.other_kinds.iter().map(|(name, n)| format!("{name} ({n})")).collect();
        let what =
            format!("no partition statistics in this file: its records are {}", kinds.join(", "));
        return Some(Refusal::new(&what, WHAT_TO_EXPORT));
    }
    if tally.skipped > 0 {
        let first = tally
            .errors
            .first()
            .map(|e| format!(" (line {}: {})", e.line, e.detail))
            .unwrap_or_default();
        let what = format!("none of the {} records can be used{first}", count_text(tally.skipped));
        let next = format!("{WHAT_TO_EXPORT}; {OR_DOCUMENTS}");
        return Some(Refusal::new(&what, &next));
    }
    None
}

/// Says what happened to a file while it was read, if something did.
pub fn tell_change(change: Option<FileChange>, outcome: &mut ImportOutcome) {
    outcome.incomplete |= change == Some(FileChange::CutShort);
    outcome.notes.extend(change.map(change_text));
}

/// As a sentence.
pub fn change_text(change: FileChange) -> String {
    match change {
        FileChange::CutShort => "the file was cut short while it was read: records are missing",
        FileChange::Written => {
            "the file was written to while it was read: read it again for all of it"
        }
    }
    .to_owned()
}

/// Writes the numbers and notes of an input.
pub fn describe(info: &mut SourceInfo, outcome: &ImportOutcome, dialect: &Dialect) {
    let tally = &outcome.tally;
    // A file with sizes counts its size records as rows; its load records are told in a note.
    let load = tally.ru + tally.requests + tally.queries;
    info.rows = outcome.other_rows + if tally.sizes > 0 { tally.sizes } else { load };
    info.incomplete = outcome.incomplete;
    info.skipped = tally.skipped;
    info.repeated = tally.repeated_load;
    info.other_kinds = tally.other_kinds.values().sum();
    info.row_errors.clone_from(&tally.errors);
    info.notes.extend(outcome.notes.iter().cloned());
    for (n, text) in counted(outcome, dialect) {
        if n > 0 {
            let text = text.replace("{}", &count_text(n));
            info.notes.push(plural(n, &text));
        }
    }
    let assumed = (tally.assumed_times > 0).then_some(BY_FORM);
    if let Some(why) = dialect.guess.map(|(why, _)| why).or(assumed) {
        let (order, turn) = match dialect.order {
            Some(DateOrder::DayFirst) => ("day first", "--date-order mdy reads month first"),
            Some(DateOrder::MonthFirst) => ("month first", "--date-order dmy reads day first"),
            None => ("each by itself", "--date-order dmy or mdy decides"),
        };
        info.notes.push(format!("{AMBIGUOUS_DATES}: read {order}, {why}; {turn}"));
    }
    for (reason, n) in REASONS.iter().zip(tally.throttled).filter(|(_, n)| *n > 0) {
        let (n, code) = (count_text(n), reason.sub_status);
        info.notes.push(format!("429s with {code}: {n}; {}: {}", reason.cause, reason.next));
    }
    if info.other_kinds > 0 {
        let kinds: Vec<&str> = tally.other_kinds.keys().map(String::as_str).collect();
        info.notes.push(format!("the other kinds are {}", kinds.join(", ")));
    }
    if tally.records() + outcome.other_rows == 0 && outcome.notes.is_empty() {
        info.notes.push("no records: no key large enough was reported in this time".to_owned());
    }
}

/// What is told where it happened at all: the count and its sentence. `{}` is the count; of `[one|many]` the word that
/// goes with it stays.
fn counted(outcome: &ImportOutcome, dialect: &Dialect) -> Vec<(u64, &'static str)> {
    let tally = &outcome.tally;
    let only_if = |condition: bool, n: u64| if condition { n } else { 0 };
    let is_certain = matches!(dialect.zone, Zone::Named(_)) && dialect.guess.is_none();
    let beside_sizes = |n| only_if(tally.sizes > 0, n);
    vec![
        (tally.skipped, "{} [row|rows] skipped"),
        (
            u64::from(outcome.cut_short && tally.skipped > 0),
            "the last line is incomplete: the download may have stopped there",
        ),
        (beside_sizes(tally.ru), "{} [record|records] of request units [was|were] taken too"),
        (beside_sizes(tally.requests), "{} [record|records] of requests [was|were] taken too"),
        (beside_sizes(tally.queries), "{} query [text|texts] [was|were] taken too"),
        (tally.other_kinds.values().sum(), "{} [record|records] of other kinds left out"),
        (
            only_if(dialect.zone == Zone::Guess, tally.local_times),
            "{} [time is|times are] local and the zone is unknown: read as UTC; --time-zone names the zone",
        ),
        (
            only_if(is_certain, tally.local_times),
            "{} local [time lies|times lie] in an hour that a change of clocks repeats or skips: the earlier reading was taken",
        ),
        (
            tally.unreadable_times,
            "{} [time|times] could not be read; [that record counts|those records count] without a time",
        ),
        (tally.rounded, "{} [value was|values were] rounded by a spreadsheet"),
        (
            tally.undecided_numbers,
            "in {} [size|sizes] the sign may group thousands or begin a fraction: the file does not show which",
        ),
        (
            tally.as_windows_1252,
            "{} [line is not UTF-8 and was|lines are not UTF-8 and were] read as Windows-1252",
        ),
        (
            tally.repeated_headers,
            "the header is repeated {} [time|times] in the file: exports pasted together",
        ),
        (
            tally.long_spans,
            "{} [total stands|totals stand] for more than an hour: counted as of one hour",
        ),
        (
            tally.beyond_limits,
            "{} [record was|records were] beyond the limits of what is held and left out",
        ),
    ]
}

/// Of each `[one|many]` in a sentence the part that fits the count.
fn plural(n: u64, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('[') {
        let Some((choice, after)) = inside.split_once(']') else {
            break;
        };
        let (one, many) = choice.split_once('|').unwrap_or((choice, choice));
        out.push_str(before);
        out.push_str(if n == 1 { one } else { many });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn sentences_agree_with_their_count() {
        let text = "{} [row|rows] skipped";
        assert_eq!(plural(1, text), "{} row skipped");
        assert_eq!(plural(2, text), "{} rows skipped");
        assert_eq!(plural(2, "no choice [here"), "no choice [here");
    }
}
