//! Whether an input holds documents at all: what is an export of logs, statistics or metrics is told by its names.

use crate::source::columns::field_of;
use crate::source::format::delimited::suffices;
use crate::source::json::elements::is_answer;
use crate::source::json::scan::{Scanner, Token};
use crate::source::sniff::{Refusal, WHAT_TO_EXPORT};

/// Lines at the start of a file that tell whether it holds one document a line.
const LOOKED_AT: usize = 16;
const DOCUMENTS: &str =
    "give documents: one JSON object a line, a JSON list of them, CSV with a header, or Parquet";
const EXPORT: &str = "cosmoscope open FILE shows it and cosmoscope report FILE prints it; a trial of keys needs documents";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonForm {
    /// One document a line.
    Lines,
    /// A list, an answer that holds one, or objects over many lines.
    Whole,
}

/// A refusal of the sniffing as it is to be read where documents were expected.
pub fn not_documents(refusal: Refusal) -> Refusal {
    match refusal.next.as_deref() {
        Some(WHAT_TO_EXPORT) => Refusal::new(&refusal.what, DOCUMENTS),
        _ => refusal,
    }
}

pub fn nothing_found(what: &str) -> Refusal {
    Refusal::new(what, DOCUMENTS)
}

pub fn json_form(head: &[u8], complete: bool) -> JsonForm {
    let mut lines: Vec<&[u8]> = head.split(|b| *b == b'\n').collect();
    if !complete {
        // The last line of the head is a part of one.
        lines.pop();
    }
    let mut filled = lines.iter().map(|l| l.trim_ascii()).filter(|l| !l.is_empty());
    let first = filled.clone().next().unwrap_or_default();
    let is_list = first.starts_with(b"[");
    let is_answer = std::str::from_utf8(first).is_ok_and(is_answer);
    let whole = |line: &[u8]| {
        line.starts_with(b"{") && Scanner::new(line).is_ok_and(|mut s| s.finish().is_ok())
    };
    let has_whole = filled.by_ref().take(LOOKED_AT).any(whole);
    if !is_list && !is_answer && has_whole { JsonForm::Lines } else { JsonForm::Whole }
}

/// Refuses a file whose first objects are those of an export.
pub fn check_json(head: &[u8]) -> Result<(), Refusal> {
    let text = String::from_utf8_lossy(head);
    let start =
        text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '[' || c == '\u{feff}');
    let Some(what) = export(start) else {
        return Ok(());
    };
    Err(Refusal::new(&format!("these are not documents but {what}"), EXPORT))
}

/// What the object at the start of a text is, if it is one that the other commands read.
fn export(text: &str) -> Option<&'static str> {
    let mut scanner = Scanner::of(text);
    if !matches!(scanner.next_token(), Ok(Some(Token::ObjectStart))) {
        return None;
    }
    let (mut names, mut lists) = (Vec::new(), Vec::new());
    let mut azure = false;
    while let Ok(Some(Token::Key(name))) = scanner.next_token() {
        let name = name.raw().to_ascii_lowercase();
        let mut ahead = scanner.clone();
        if let Ok(Some(Token::ArrayStart)) = ahead.next_token() {
            lists.push(name.clone());
        }
        names.push(name);
        let Ok(value) = scanner.skip_value() else {
            break;
        };
        let value = value.to_ascii_lowercase();
        azure |=
            value.starts_with("\"/subscriptions/") || value.starts_with("\"microsoft.documentdb/");
    }
    let has = |name: &str| names.iter().any(|n| n == name);
    let lists = |name: &str| lists.iter().any(|n| n == name);
    let only = |name: &str| names.len() == 1 && has(name);
    if has("category") && (has("resourceid") || azure) || lists("records") && is_envelope(&names) {
        return Some("records of a diagnostic log");
    }
    if lists("tables") && names.len() <= 3 {
        return Some("an answer of Log Analytics");
    }
    if has("partitionkey") && (has("sizekb") || has("sizeinkb")) {
        return Some("statistics of partition keys");
    }
    if lists("statistics") && has("partitionkey") {
        return Some("a container as the service describes it");
    }
    if lists("partitionkeyranges") {
        return Some("the partition key ranges of a container");
    }
    if only("error") {
        return Some("the error message of a service");
    }
    let physical = names.iter().any(|n| n.starts_with("physicalpartition"));
    if only("properties") || physical && names.len() == 1 {
        return Some("an answer of Azure's management");
    }
    if azure && (has("properties") || has("resource"))
        || lists("value") && (names.len() <= 2 || has("namespace"))
    {
        return Some("an answer of Azure's management");
    }
    None
}

pub fn export_table() -> Refusal {
    let what = "these are not documents but a log or statistics of partition keys";
    Refusal::new(what, EXPORT)
}

/// Refuses a table whose columns are those of an export.
pub fn check_names(names: &[String]) -> Result<(), Refusal> {
    let fields: Vec<_> = names.iter().map(|n| field_of(n)).collect();
    if suffices(&fields) {
        return Err(export_table());
    }
    if names.len() < 2 {
        return Err(nothing_found("this is text without columns"));
    }
    Ok(())
}

/// What carries log records beside them, as event streams write it.
fn is_envelope(names: &[String]) -> bool {
    let known = ["records", "eventprocessedutctime", "eventenqueuedutctime", "partitionid"];
    names.iter().all(|n| known.contains(&n.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_whole_lines() {
        use JsonForm::{Lines, Whole};
        for (text, form) in [
            ("{\"a\":1}\n{\"a\":2}\n", Lines),
            ("{\"a\":1}", Lines),
            ("{\"a\":\n{\"a\":2}\n", Lines),
            ("{\n \"a\":1\n}\n", Whole),
            ("[{\"a\":1},\n{\"a\":2}]", Whole),
            ("[\n{\"a\":1}\n]", Whole),
            ("{\"_rid\":\"x\",\"Documents\":[{}],\"_count\":1}", Whole),
            ("{\"_rid\":\"x\",\"id\":\"1\"}\n", Lines),
        ] {
            assert_eq!(json_form(text.as_bytes(), true), form, "{text}");
        }
        assert_eq!(json_form(b"{\"a\":1}\n{\"a", false), Lines);
        assert_eq!(json_form(b"{\"a\":1,", false), Whole);
    }

    #[test]
    fn exports_are_not_taken_for_documents() {
        for text in [
            "{\"time\":\"x\",\"resourceId\":\"/SUB\",\"category\":\"PartitionKeyStatistics\",\"properties\":{}}",
            "{\"records\":[{\"time\":1}]}",
            "[{\"PartitionKey\":\"[1]\",\"SizeKb\":12}]",
            "{\"tables\":[{\"name\":\"PrimaryResult\"}]}",
            "{\"value\":[],\"nextLink\":null}",
            "{\"id\":\"/subscriptions/1\",\"properties\":{}}",
        ] {
            assert!(check_json(text.as_bytes()).is_err(), "{text}");
        }
        for text in [
            "{\"id\":\"1\",\"category\":\"shoes\",\"properties\":{\"size\":1}}",
            "[{\"id\":\"1\",\"records\":[1]}]",
            "{\"value\":[1],\"id\":\"1\",\"unit\":\"C\"}",
            "{\"partitionKey\":\"a\",\"id\":\"1\"}",
            "",
        ] {
            assert!(check_json(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
