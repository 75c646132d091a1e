//! Log records as JSON objects: one a line, in `records` lists, or as rows of a query answer.

use std::collections::HashMap;

use super::chunks::lines;
use super::columns::{Field, LogRow, field_of};
use super::json::fault::{JsonError, JsonFault};
use super::json::scan::{Scanner, Token, has_control, push_unescaped};
use super::near::is_plain;
use super::records::RecordTaker;
use super::rewritten::Rewritten;
use super::tally::{not_utf8, shown};
use super::template::Template;
use crate::model::capture::RowFault;

/// Names remembered in a row of records; logs repeat the same two dozen.
const MAX_REMEMBERED: usize = 256;
/// Structures remembered; a log of several kinds alternates between a few.
const MAX_TEMPLATES: usize = 4;
/// After so many structures without use no more are learnt.
const LEARNED_AT_LEAST: u64 = 1000;

/// What one worker remembers from record to record.
#[derive(Debug, Default)]
pub struct Reader {
    /// The names of the last record in their order: nearly always those of the next one.
    expected: Vec<(Box<str>, Meaning)>,
    known: HashMap<Box<str>, Meaning>,
    templates: Vec<Template>,
    /// Records that a template took, and records from which one was made.
    known_records: u64,
    learned_records: u64,
    aside: Rewritten,
    name: String,
    repaired: String,
}

/// What a member's name says about its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Cell(Field),
    /// The object that holds the cells proper.
    Properties,
    /// A list of records around this one's place.
    Records,
    Nothing,
}

fn meaning_of(name: &str) -> Meaning {
    match name {
        _ if name.eq_ignore_ascii_case("properties") => Meaning::Properties,
        _ if name.eq_ignore_ascii_case("records") => Meaning::Records,
        _ => field_of(name).map_or(Meaning::Nothing, Meaning::Cell),
    }
}

impl Reader {
    /// Takes all records of a chunk of lines.
    pub fn take_lines(&mut self, bytes: &[u8], first: u64, records: &mut RecordTaker<'_>) {
        for (line, bytes) in lines(bytes, first) {
            let text = bytes.trim_ascii();
            // Most lines are ASCII, of which one look says that a structure met before may be theirs.
            if (is_plain(text) || is_text(text)) && self.take_known(text, line, records) {
                continue;
            }
            match std::str::from_utf8(bytes) {
                Ok(text) => self.take_line(text.trim_ascii(), line, records),
                Err(e) => records.tally.leave_out(line, not_utf8(e)),
            }
        }
    }

    fn take_line(&mut self, text: &str, line: u64, records: &mut RecordTaker<'_>) {
        let mut rest = text;
        while !rest.is_empty() {
            match self.take_value(rest, line, records) {
                Ok(()) => {
                    self.learn(rest);
                    return;
                }
                // Several values on one line, with nothing between them.
                Err(JsonFault { offset, why: JsonError::TextAfter })
                    if rest.as_bytes().get(offset) == Some(&b'{') =>
                {
                    rest = rest.get(offset..).unwrap_or_default();
                }
                Err(fault) => {
                    // What stands behind a record is no reason to read the record once more.
                    if fault.why == JsonError::TextAfter || !self.take_repaired(rest, line, records)
                    {
                        bad(records, line, fault, rest);
                    }
                    return;
                }
            }
        }
    }

    /// A record of a structure that was met before, in UTF-8 and without control bytes.
    fn take_known(&mut self, text: &[u8], line: u64, records: &mut RecordTaker<'_>) -> bool {
        for (i, template) in self.templates.iter().enumerate() {
            let mut row = LogRow::default();
            self.aside.clear();
            if template.take(text, &mut row, &mut self.aside) {
                self.aside.put_into(&mut row);
                records.take(&row, line);
                self.templates.swap(0, i);
                self.known_records += 1;
                return true;
            }
        }
        false
    }

    /// Remembers a structure, instead of the one that was of no use for the longest time.
    fn learn(&mut self, text: &str) {
        // Records that are all of different structure are not worth the comparison.
        if self.learned_records > LEARNED_AT_LEAST && self.known_records < self.learned_records {
            self.templates.clear();
            return;
        }
        self.learned_records += 1;
        if let Some(template) = Template::of(text) {
            if self.templates.len() >= MAX_TEMPLATES {
                self.templates.pop();
            }
            self.templates.insert(0, template);
        }
    }

    /// One value, which should be a record or an object with a list of them. A fault behind its end is reported after
    /// the record was taken, unless it is a bracket too many.
    pub fn take_value(
        &mut self,
        text: &str,
        line: u64,
        records: &mut RecordTaker<'_>,
    ) -> Result<(), JsonFault> {
        let mut scanner = Scanner::of(text);
        if scanner.next_token()? != Some(Token::ObjectStart) {
            scanner.finish()?;
            records.tally.skip(line, RowFault::MissingColumns, || {
                format!("`{}` is not a record", shown(text))
            });
            return Ok(());
        }
        let mut aside = std::mem::take(&mut self.aside);
        aside.clear();
        let mut row = LogRow::default();
        // A list of records in the object makes it a wrapper, no record itself.
        let mut lists: Vec<&str> = Vec::new();
        let found = self.members(&mut scanner, (&mut row, &mut aside), &mut lists);
        aside.put_into(&mut row);
        let taken = found.and_then(|()| {
            let end = scanner.finish();
            // A bracket too many: nobody knows what the record was a part of, nor where one was to end.
            let is_closed_again =
                |f: JsonFault| matches!(text.as_bytes().get(f.offset), Some(b'}' | b']'));
            if end.is_err_and(|f| f.why != JsonError::TextAfter || is_closed_again(f)) {
                return end;
            }
            if lists.is_empty() {
                records.take(&row, line);
            } else {
                self.take_lists(&lists, line, records);
            }
            end
        });
        self.aside = aside;
        taken
    }

    fn take_lists(&mut self, lists: &[&str], line: u64, records: &mut RecordTaker<'_>) {
        for list in lists {
            let elements = super::json::read::elements(list).ok().flatten();
            let Some(elements) = elements else {
                let detail = || format!("`records` is `{}`, expected a list", shown(list));
                records.tally.skip(line, RowFault::MissingColumns, detail);
                continue;
            };
            for element in elements {
                // The text was checked as a whole; a list inside a list is no record.
                let _ = self.take_value(element, line, records);
            }
        }
    }

    fn members<'a>(
        &mut self,
        scanner: &mut Scanner<'a>,
        (row, aside): (&mut LogRow<'a>, &mut Rewritten),
        lists: &mut Vec<&'a str>,
    ) -> Result<(), JsonFault> {
        let mut place = 0;
        let inside = scanner.depth();
        loop {
            match scanner.next_token()? {
                Some(Token::Key(name)) => {
                    let meaning = self.meaning(place, name.raw());
                    place += 1;
                    match meaning {
                        Meaning::Cell(field) => Self::cell(field, scanner, row, aside)?,
                        Meaning::Records if scanner.depth() == 1 => {
                            lists.push(scanner.skip_value()?);
                        }
                        Meaning::Properties if scanner.depth() == 1 => {
                            // An object: its members follow as if they stood here. Anything else has none.
                            if scanner.next_token()? == Some(Token::ArrayStart) {
                                while scanner.depth() > 1 {
                                    scanner.next_token()?;
                                }
                            }
                        }
                        Meaning::Records | Meaning::Properties | Meaning::Nothing => {
                            scanner.skip_value()?;
                        }
                    }
                }
                Some(Token::ObjectEnd) if scanner.depth() < inside => return Ok(()),
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }

    fn cell<'a>(
        field: Field,
        scanner: &mut Scanner<'a>,
        row: &mut LogRow<'a>,
        aside: &mut Rewritten,
    ) -> Result<(), JsonFault> {
        let depth = scanner.depth();
        let mut ahead = scanner.clone();
        let (raw, is_escaped) = match ahead.next_token()? {
            Some(Token::String(text)) => (text.raw(), text.is_escaped()),
            Some(Token::Null) => ("", false),
            Some(Token::Number(text)) => (text, false),
            _ => {
                ahead = scanner.clone();
                (ahead.skip_value()?, false)
            }
        };
        debug_assert_eq!(depth, ahead.depth());
        *scanner = ahead;
        aside.put(row, field, (raw.as_bytes(), raw.len(), is_escaped));
        Ok(())
    }

    fn meaning(&mut self, place: usize, raw: &str) -> Meaning {
        if let Some((name, meaning)) = self.expected.get(place)
            && **name == *raw
        {
            return *meaning;
        }
        let meaning = if let Some(meaning) = self.known.get(raw) {
            *meaning
        } else {
            self.name.clear();
            push_unescaped(raw, &mut self.name);
            let meaning = meaning_of(&self.name);
            if self.known.len() < MAX_REMEMBERED {
                self.known.insert(raw.into(), meaning);
            }
            meaning
        };
        if let Some(slot) = self.expected.get_mut(place) {
            *slot = (raw.into(), meaning);
        } else if place < MAX_REMEMBERED && place == self.expected.len() {
            self.expected.push((raw.into(), meaning));
        }
        meaning
    }

    /// Older documentation prints the key's inner quotes without escapes, and people paste it.
    fn take_repaired(&mut self, text: &str, line: u64, records: &mut RecordTaker<'_>) -> bool {
        let mut repaired = std::mem::take(&mut self.repaired);
        let taken =
            repair(text, &mut repaired) && self.take_value(&repaired, line, records).is_ok();
        self.repaired = repaired;
        taken
    }
}

/// Whether a line is UTF-8 without controls.
#[cold]
fn is_text(line: &[u8]) -> bool {
    !has_control(line) && std::str::from_utf8(line).is_ok()
}

/// Escapes the quotes inside `"partitionkey": "["…"]"`; false where there is nothing of the kind.
fn repair(text: &str, out: &mut String) -> bool {
    const NAME: &str = "partitionkey\"";
    let lower = text.to_ascii_lowercase();
    let value = lower.find(NAME).and_then(|at| {
        let rest = lower.get(at + NAME.len()..)?;
        let colon =
            rest.strip_prefix(':').or_else(|| rest.trim_start().strip_prefix(':'))?.trim_start();
        colon.strip_prefix("\"[").map(|inside| lower.len() - inside.len() - 1)
    });
    let Some(start) = value else { return false };
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.match_indices("]\"").map(|(at, _)| at + 1).find(|end| {
        let behind = rest.get(end + 1..).unwrap_or_default().trim_start();
        behind.starts_with('}')
            || behind.strip_prefix(',').is_some_and(|b| b.trim_start().starts_with('"'))
    });
    let Some(end) = end else { return false };
    out.clear();
    out.push_str(text.get(..start).unwrap_or_default());
    for c in rest.get(..end).unwrap_or_default().chars() {
        if c == '"' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push_str(rest.get(end..).unwrap_or_default());
    true
}

fn bad(records: &mut RecordTaker<'_>, line: u64, fault: JsonFault, text: &str) {
    let kind = match fault.why {
        JsonError::LoneSurrogate | JsonError::InvalidUtf8 => RowFault::InvalidUnicode,
        _ => RowFault::BrokenJson,
    };
    let near = text
        .get(fault.offset.saturating_sub(8)..)
        .or_else(|| text.get(fault.offset..))
        .unwrap_or_default();
    let detail = || format!("{} near `{}`", fault.why, shown(near));
    records.tally.skip(line, kind, detail);
}

#[cfg(test)]
mod tests;
