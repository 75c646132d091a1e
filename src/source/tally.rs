//! What became of the records of one input, counted; workers keep their own and add them up.

use std::collections::BTreeMap;
use std::str::Utf8Error;

use super::chunks::MAX_RECORD_BYTES;
use crate::model::capture::{RowError, RowFault};
use crate::model::throttle::REASONS;
use crate::model::visible::visible;

/// Bad rows that are listed; all are counted.
pub const LISTED_ERRORS: usize = 20;
/// Names of foreign log kinds that are listed.
const LISTED_KINDS: usize = 8;
/// Characters of a bad value that are shown.
const SHOWN_VALUE: usize = 40;

/// Why a record cannot be used.
pub type Fault = (RowFault, String);

/// What became of the records of one input; workers keep their own and add them up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    pub sizes: u64,
    pub ru: u64,
    pub requests: u64,
    pub queries: u64,
    pub skipped: u64,
    pub other_kinds: BTreeMap<String, u64>,
    pub errors: Vec<RowError>,
    pub repeated_load: u64,
    pub beyond_limits: u64,
    pub local_times: u64,
    pub assumed_times: u64,
    pub unreadable_times: u64,
    pub rounded: u64,
    pub undecided_numbers: u64,
    pub as_windows_1252: u64,
    pub repeated_headers: u64,
    pub long_spans: u64,
    /// 429s by their reason, in the order of the table.
    pub throttled: [u64; REASONS.len()],
}

impl Tally {
    pub fn skip(&mut self, line: u64, fault: RowFault, detail: impl FnOnce() -> String) {
        self.skipped += 1;
        // A worker sees its lines in order, so its first ones are its lowest.
        if self.errors.len() < LISTED_ERRORS {
            self.errors.push(RowError { line, fault, detail: detail() });
        }
    }

    /// As `skip`, where the sentence is there already.
    pub fn leave_out(&mut self, line: u64, (kind, detail): Fault) {
        self.skip(line, kind, || detail);
    }

    pub fn other_kind(&mut self, name: &str) {
        self.add_kind(quoted(name), 1);
    }

    /// Beyond what is listed a kind counts among the others.
    fn add_kind(&mut self, name: String, n: u64) {
        let is_listed =
            self.other_kinds.len() < LISTED_KINDS || self.other_kinds.contains_key(&name);
        let name = if is_listed { name } else { "others".to_owned() };
        *self.other_kinds.entry(name).or_default() += n;
    }

    pub fn add(&mut self, other: Self) {
        self.sizes += other.sizes;
        self.ru += other.ru;
        self.requests += other.requests;
        self.queries += other.queries;
        self.skipped += other.skipped;
        for (name, n) in other.other_kinds {
            self.add_kind(name, n);
        }
        self.errors.extend(other.errors);
        self.errors.sort();
        self.errors.truncate(LISTED_ERRORS);
        self.repeated_load += other.repeated_load;
        self.beyond_limits += other.beyond_limits;
        self.local_times += other.local_times;
        self.assumed_times += other.assumed_times;
        self.unreadable_times += other.unreadable_times;
        self.rounded += other.rounded;
        self.undecided_numbers += other.undecided_numbers;
        self.as_windows_1252 += other.as_windows_1252;
        self.repeated_headers += other.repeated_headers;
        self.long_spans += other.long_spans;
        for (all, n) in self.throttled.iter_mut().zip(other.throttled) {
            *all = all.saturating_add(n);
        }
    }

    /// What most records are of; a file of several kinds is named by its sizes.
    pub fn of_what(&self) -> Option<&'static str> {
        match (self.sizes, self.ru, self.requests, self.queries) {
            (1.., _, _, _) => Some("key sizes"),
            (0, 1.., _, _) => Some("request units"),
            (0, 0, 1.., _) => Some("requests"),
            (0, 0, 0, 1..) => Some("query texts"),
            _ => None,
        }
    }

    pub fn records(&self) -> u64 {
        self.sizes + self.ru + self.requests + self.queries
    }
}

/// What is said of a record that is longer than what is read.
pub fn too_long() -> Fault {
    let detail = format!("a record of more than {} MiB", MAX_RECORD_BYTES >> 20);
    (RowFault::LineOverMaximum, detail)
}

/// What is said of a line with bytes that are no text.
pub fn not_utf8(fault: Utf8Error) -> Fault {
    let place = fault.valid_up_to() + 1;
    let detail = format!("byte {place} of the line is not UTF-8");
    (RowFault::InvalidUnicode, detail)
}

/// A value from outside as it may stand in a sentence.
pub fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_VALUE).collect();
    let mut out = unquoted(&visible(&short));
    if short.len() < text.len() {
        out.push('…');
    }
    out
}

/// A value from outside between the marks by which masking finds it.
pub fn quoted(text: &str) -> String {
    format!("`{}`", shown(text))
}

/// Already visible text that may stand between backticks: one of its own would end it early.
pub fn unquoted(shown: &str) -> String {
    shown.replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_kind_is_counted_by_its_name_whatever_came_between() {
        let kinds = || (0..12).map(|n| format!("Kind`{n}"));
        let mut tally = Tally::default();
        for name in kinds().chain(kinds()) {
            tally.other_kind(&name);
        }
        let first = tally.other_kinds.get("`Kind'0`");
        assert_eq!((first, tally.other_kinds.get("others")), (Some(&2), Some(&8)));
        tally.add(tally.clone());
        assert_eq!(tally.other_kinds.len(), 9);
        assert_eq!(tally.other_kinds.values().sum::<u64>(), 48);
    }
}
