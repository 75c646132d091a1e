//! The text between the values of a log record. Records of one log differ in their values only, so after one of them was
//! read with all care the next ones are compared with it: equal text between the values means equal structure.

use super::columns::{Field, LogRow, field_of};
use super::json::scan::{Scanner, Token, plain_text_end};
use super::rewritten::Rewritten;

/// Values in a record; one with more is read with all care every time.
const MAX_VALUES: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Text,
    Number,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Value {
    /// What stands before it, with its opening quote.
    before: Box<[u8]>,
    kind: Kind,
    field: Option<Field>,
}

/// The structure of one kind of record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    values: Vec<Value>,
    /// Cells that are null, which is part of the structure.
    empty: Vec<Field>,
    after: Box<[u8]>,
}

impl Template {
    /// The template of a checked record; None where it holds lists, too many values, or a cell that is none of text,
    /// number and null.
    pub fn of(text: &str) -> Option<Self> {
        let mut scanner = Scanner::of(text);
        let (mut values, mut empty) = (Vec::new(), Vec::new());
        let mut from = 0;
        let mut name = String::new();
        let mut inside_properties = false;
        let mut scratch = String::new();
        while let Some(token) = scanner.next_token().ok()? {
            let start = scanner.token_offset();
            let depth = scanner.depth() - u32::from(token == Token::ObjectStart);
            let own = depth == 1 || (depth == 2 && inside_properties);
            let field = if own { field_of(&name) } else { None };
            let (kind, start, end) = match token {
                Token::Key(key) => {
                    key.read(&mut scratch).clone_into(&mut name);
                    // What has this member is no record but holds some.
                    if depth == 1 && name.eq_ignore_ascii_case("records") {
                        return None;
                    }
                    continue;
                }
                Token::ArrayStart | Token::ArrayEnd => return None,
                Token::ObjectStart | Token::True | Token::False if field.is_some() => return None,
                Token::ObjectStart => {
                    inside_properties |= depth == 1 && name.eq_ignore_ascii_case("properties");
                    continue;
                }
                Token::ObjectEnd => {
                    inside_properties &= depth > 1;
                    continue;
                }
                Token::Null => {
                    empty.extend(field);
                    continue;
                }
                Token::True | Token::False => continue,
                Token::String(_) => (Kind::Text, start + 1, scanner.offset() - 1),
                Token::Number(_) => (Kind::Number, start, scanner.offset()),
            };
            values.push(Value { before: text.as_bytes().get(from..start)?.into(), kind, field });
            from = end;
            if values.len() > MAX_VALUES {
                return None;
            }
        }
        Some(Self { values, empty, after: text.as_bytes().get(from..)?.into() })
    }

    /// Takes the cells of a record of this structure; false where anything at all differs. The bytes are UTF-8
    /// and hold no controls.
    pub fn take<'a>(&self, bytes: &'a [u8], row: &mut LogRow<'a>, aside: &mut Rewritten) -> bool {
        let mut at = 0;
        for value in &self.values {
            let Some(rest) = bytes.get(at..) else {
                return false;
            };
            if !rest.starts_with(&value.before) {
                return false;
            }
            at += value.before.len();
            let rest = bytes.get(at..).unwrap_or_default();
            let found = match value.kind {
                Kind::Text => plain_text_end(rest),
                Kind::Number => number_end(rest).map(|end| (end, false)),
            };
            let Some((len, escaped)) = found else {
                return false;
            };
            if let Some(field) = value.field {
                aside.put(row, field, (rest, len, escaped));
            }
            at += len;
        }
        // A null only says that the column exists, wherever it stands.
        for field in &self.empty {
            aside.put(row, *field, (b"", 0, false));
        }
        bytes.get(at..) == Some(&self.after)
    }
}

/// Whole numbers and plain fractions; anything else is left to the scanner.
fn number_end(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let whole = digits(0);
    if whole == 0 || (whole > 1 && bytes.first() == Some(&b'0')) {
        return None;
    }
    let end = match bytes.get(whole) {
        Some(b'.') => {
            let fraction = digits(whole + 1);
            if fraction == 0 {
                return None;
            }
            whole + 1 + fraction
        }
        _ => whole,
    };
    // What follows is compared with the template, so an exponent fails there.
    Some(end)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECORD: &str = r#"{ "time":"2026-06-22T02:10:23Z","ok":true,"category":"PartitionKeyStatistics","x":{"sizeKb":1},"properties":{"partitionKey":"[\"a\"]","sizeKb":22650880}}"#;

    fn takes(template: &Template, text: &str) -> bool {
        let (mut row, mut aside) = (LogRow::default(), Rewritten::default());
        template.take(text.as_bytes(), &mut row, &mut aside)
    }

    #[test]
    fn the_next_record_is_taken_by_its_structure() {
        let template = Template::of(RECORD).unwrap();
        let next = RECORD.replace("22650880", "7.5").replace("\\\"a\\\"", "42");
        for (text, size, key) in [(RECORD, "22650880", "[\"a\"]"), (&next, "7.5", "[42]")] {
            let (mut row, mut aside) = (LogRow::default(), Rewritten::default());
            assert!(template.take(text.as_bytes(), &mut row, &mut aside));
            aside.put_into(&mut row);
            assert_eq!(row.text(Field::Size), Some(size));
            assert_eq!(row.text(Field::Key), Some(key));
        }
    }

    #[test]
    fn anything_that_differs_is_left_to_the_scanner() {
        let template = Template::of(RECORD).unwrap();
        for (from, to) in [
            ("22650880", "022"),
            ("22650880", "1e5"),
            ("22650880", "-1"),
            ("22650880", "\"5\""),
            ("true", "false"),
            ("\\\"a\\\"", "\\u0041"),
            ("\\\"a\\\"", "\\x"),
            ("}}", "}"),
            ("}}", "}} "),
            ("sizeKb\":22", "sizekb\":22"),
        ] {
            assert!(!takes(&template, &RECORD.replace(from, to)), "{from} {to}");
        }
        assert_eq!(Template::of(r#"{"records":[1]}"#), None);
    }

    proptest! {
        /// What a template takes is what the scanner accepts, whatever was changed in the record.
        #[test]
        fn a_template_takes_only_valid_json(at in 0..RECORD.len(), with in "[ -~é]{0,3}", cut in 0_usize..4) {
            let template = Template::of(RECORD).unwrap();
            let end = (at + cut).min(RECORD.len());
            let changed = format!("{}{with}{}", &RECORD[..at], &RECORD[end..]);
            if takes(&template, &changed) {
                prop_assert!(Scanner::of(&changed).finish().is_ok(), "{}", changed);
            }
        }
    }
}
