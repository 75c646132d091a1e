//! Workloads as people write them: queries with comments above.

use std::fmt;

use crate::model::key::Part;
use crate::model::query_text::coded;

use super::super::filter::{ParameterValue, Parameters};
use super::super::point::PointOperation;
use super::json::given;
use super::{Request, Workload, amount, per_second};

/// Words that begin a request: in a new line they end the one before, unless that has a bracket open.
const BEGINNINGS: &[&str] = &[
    "SELECT", "CREATE", "INSERT", "READ", "REPLACE", "UPDATE", "PATCH", "UPSERT", "DELETE",
    "BATCH", "EXECUTE",
];

pub(super) fn read(text: &str, workload: &mut Workload) {
    let mut draft = Draft::default();
    let mut quotes = Quotes::default();
    let mut blank_before = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let trimmed = line.trim();
        if trimmed.is_empty() {
            blank_before = true;
            if !quotes.are_open() {
                continue;
            }
        }
        let is_over = (blank_before && draft.is_begun()) || draft.is_whole();
        let ends = is_over && !quotes.are_open() && begins(trimmed);
        if ends || (trimmed.starts_with("--") && draft.is_closed_by_heading(trimmed, &quotes)) {
            draft.finish(workload);
        }
        blank_before = false;
        if trimmed.starts_with("--") && !quotes.are_open() {
            draft.heading(trimmed, number, workload);
            continue;
        }
        for piece in quotes.split(line) {
            match piece {
                Piece::Text(text) => draft.push(text, number),
                Piece::End => draft.finish(workload),
            }
        }
        draft.push("\n", number);
    }
    draft.finish(workload);
}

/// A request as files of queries have it; what its parts hold from outside ends no line.
#[derive(Clone, Copy, Default, Debug)]
pub struct WrittenRequest<'r> {
    pub name: Option<&'r str>,
    pub per_second: Option<f64>,
    pub ru: Option<f64>,
    /// Names with the `@`, values as JSON text.
    pub parameters: &'r [(String, String)],
    /// The query, or the word of an operation.
    pub statement: &'r str,
}

impl fmt::Display for WrittenRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        if let Some(name) = self.name {
            writeln!(f, "-- name: {}", one_line(name))?;
        }
        if let Some(rate) = self.per_second {
            writeln!(f, "-- rate: {rate}/s")?;
        }
        if let Some(ru) = self.ru {
            writeln!(f, "-- ru: {ru}")?;
        }
        for (name, value) in self.parameters {
            writeln!(f, "-- {}: {}", one_line(name), one_line(value))?;
        }
        writeln!(f, "{};", coded(self.statement.trim_end_matches(';')))
    }
}

/// What comes from outside ends no comment and acts on no terminal.
pub fn one_line(text: &str) -> String {
    coded(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The operation that a comment or a statement begins with: `-- create: the whole document is sent`.
pub(super) fn operation_of(text: &str) -> Option<PointOperation> {
    let text = text.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
    let end = text.find(|c: char| !c.is_alphabetic());
    PointOperation::parse(text.get(..end.unwrap_or(text.len()))?)
}

fn begins(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_alphabetic()).next();
    BEGINNINGS.iter().any(|beginning| word.is_some_and(|word| word.eq_ignore_ascii_case(beginning)))
}

/// Whether a `;` stands in a text or a comment, where it ends nothing.
#[derive(Default)]
struct Quotes {
    open: Option<char>,
    in_comment: bool,
}

enum Piece<'a> {
    Text(&'a str),
    End,
}

impl Quotes {
    fn are_open(&self) -> bool {
        self.open.is_some() || self.in_comment
    }

    fn split<'a>(&mut self, line: &'a str) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut characters = line.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            match (self.open, character) {
                _ if self.in_comment => {
                    self.in_comment = !(character == '*' && next == Some('/'));
                }
                (Some(_), '\\') => {
                    characters.next();
                }
                (Some(quote), _) if character == quote => self.open = None,
                (None, '"' | '\'') => self.open = Some(character),
                (None, '/') if next == Some('*') => {
                    characters.next();
                    self.in_comment = true;
                }
                (None, '-') if next == Some('-') => break,
                (None, ';') => {
                    pieces.extend(line.get(start..at).map(Piece::Text));
                    pieces.push(Piece::End);
                    start = at + 1;
                }
                (Some(_) | None, _) => {}
            }
        }
        pieces.extend(line.get(start..).map(Piece::Text));
        // A quote that is never closed spoils its own line, not the whole file.
        self.open = None;
        pieces
    }
}

/// A request as far as it has been read.
#[derive(Default)]
struct Draft {
    name: String,
    per_second: Option<f64>,
    ru: Option<f64>,
    parameters: Parameters,
    /// What a comment alone says: scenarios write their writes so.
    operation: Option<PointOperation>,
    sql: String,
    line: usize,
    has_heading: bool,
}

impl Draft {
    fn push(&mut self, text: &str, line: usize) {
        if self.sql.trim().is_empty() {
            self.sql.clear();
            self.line = line;
        }
        self.sql.push_str(text);
    }

    fn is_begun(&self) -> bool {
        self.operation.is_some() || !self.sql.trim().is_empty()
    }

    /// Whether there is a statement, with all of its brackets closed.
    fn is_whole(&self) -> bool {
        let count = |bracket| self.sql.matches(bracket).count();
        !self.sql.trim().is_empty() && count('(') <= count(')')
    }

    /// A comment that names the next request ends this one, even without a blank line.
    fn is_closed_by_heading(&self, comment: &str, quotes: &Quotes) -> bool {
        !quotes.are_open() && self.is_begun() && field(comment).is_some()
    }

    fn heading(&mut self, comment: &str, line: usize, workload: &mut Workload) {
        let Some((key, value)) = field(comment) else {
            return;
        };
        self.line = line;
        if let Some(parameter) = key.strip_prefix('@') {
            // Without quotes it is taken as a text.
            let value = serde_json::from_str(value).map_or_else(
                |_| ParameterValue::One(Part::Text(value.into())),
                |read| given(&read),
            );
            self.parameters.insert(parameter.into(), value);
            self.has_heading = true;
            return;
        }
        let read = match key.to_ascii_lowercase().as_str() {
            "name" => {
                value.clone_into(&mut self.name);
                true
            }
            "rate" | "per_second" => {
                self.per_second = per_second(value);
                self.per_second.is_some()
            }
            "ru" => {
                self.ru = amount(value.trim_end_matches(|c: char| c.is_alphabetic()));
                self.ru.is_some()
            }
            word => {
                let operation = PointOperation::parse(word);
                self.operation = self.operation.or(operation);
                if operation.is_none() {
                    return;
                }
                true
            }
        };
        self.has_heading = true;
        if !read {
            workload.note(line, format!("{key}: {value} is not a number up to 1,000,000,000"));
        }
    }

    fn finish(&mut self, workload: &mut Workload) {
        let draft = std::mem::take(self);
        let sql = draft.sql.trim();
        let operation = match sql.split_whitespace().count() {
            0 => draft.operation,
            1 => operation_of(sql),
            _ => None,
        };
        let request = match operation {
            Some(operation) => Request::point(draft.name, operation),
            None if sql.is_empty() => {
                if draft.has_heading && !draft.name.is_empty() {
                    workload.note(draft.line, format!("{} has no query", draft.name));
                }
                return;
            }
            None => Request::query(draft.name, sql).with_parameters(draft.parameters),
        };
        workload.add(draft.line, request.at(draft.per_second, draft.ru));
    }
}

/// The name and the value of `-- name: value`.
fn field(comment: &str) -> Option<(&str, &str)> {
    let (key, value) = comment.trim_start_matches('-').split_once([':', '='])?;
    let key = key.trim();
    let known = key.starts_with('@')
        || ["name", "rate", "per_second", "ru"].iter().any(|name| key.eq_ignore_ascii_case(name))
        || PointOperation::parse(key).is_some();
    known.then_some((key, value.trim()))
}
