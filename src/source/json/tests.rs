//! The scanner against `serde_json`, and against bytes of every kind.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::fault::JsonError;
use super::scan::{MAX_DEPTH, Scanner, Token};

enum Open {
    List(Vec<Value>),
    Object(Map<String, Value>, Option<String>),
}

/// The value that the tokens tell, without recursion.
fn value_of(bytes: &[u8]) -> Result<Value, super::fault::JsonFault> {
    let mut scanner = Scanner::new(bytes)?;
    let mut stack: Vec<Open> = Vec::new();
    let mut root = None;
    let mut scratch = String::new();
    while let Some(token) = scanner.next_token()? {
        let done = match token {
            Token::ObjectStart => {
                stack.push(Open::Object(Map::new(), None));
                continue;
            }
            Token::ArrayStart => {
                stack.push(Open::List(Vec::new()));
                continue;
            }
            Token::Key(text) => {
                let Some(Open::Object(_, key)) = stack.last_mut() else { unreachable!() };
                *key = Some(text.read(&mut scratch).to_owned());
                continue;
            }
            Token::ObjectEnd | Token::ArrayEnd => match stack.pop().unwrap() {
                Open::List(list) => Value::Array(list),
                Open::Object(map, _) => Value::Object(map),
            },
            Token::String(text) => Value::String(text.read(&mut scratch).to_owned()),
            Token::Number(text) => {
                Value::String(format!("number {:?}", text.parse::<f64>().unwrap()))
            }
            Token::True => Value::Bool(true),
            Token::False => Value::Bool(false),
            Token::Null => Value::Null,
        };
        match stack.last_mut() {
            None => root = Some(done),
            Some(Open::List(list)) => list.push(done),
            Some(Open::Object(map, key)) => {
                map.insert(key.take().unwrap(), done);
            }
        }
    }
    Ok(root.unwrap())
}

fn with_numbers_as_text(value: Value) -> Value {
    match value {
        Value::Number(n) => Value::String(format!("number {:?}", n.as_f64().unwrap())),
        Value::Array(list) => list.into_iter().map(with_numbers_as_text).collect(),
        Value::Object(map) => map.into_iter().map(|(k, v)| (k, with_numbers_as_text(v))).collect(),
        other => other,
    }
}

fn agree(bytes: &[u8]) -> Result<(), TestCaseError> {
    match (value_of(bytes), serde_json::from_slice::<Value>(bytes)) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, with_numbers_as_text(theirs)),
        (Ok(_), Err(e)) => prop_assert!(e.to_string().contains("number out of range"), "{e}"),
        (Err(fault), Ok(_)) => prop_assert_eq!(fault.why, JsonError::TooDeep),
        (Err(fault), Err(_)) => prop_assert!(fault.offset <= bytes.len()),
    }
    Ok(())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\"\\\\\u{8}\n\r\t/a-z]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn json_reads_as_it_was_written(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert!(value_of(text.as_bytes()).is_ok());
        agree(text.as_bytes())?;
    }

    #[test]
    fn damaged_json_is_judged_alike(
        value in json(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..4),
    ) {
        let mut bytes = serde_json::to_vec(&value).unwrap();
        for (place, byte, kind) in changes {
            let at = place.index(bytes.len().max(1));
            match kind {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at),
            }
        }
        agree(&bytes)?;
    }

    #[test]
    fn bytes_of_any_kind_are_judged_alike(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        agree(&bytes)?;
    }

    #[test]
    fn pieces_of_json_in_any_order_are_judged_alike(pieces in prop::collection::vec(pieces(), 0..14)) {
        agree(pieces.concat().as_bytes())?;
    }

    #[test]
    fn values_passed_over_are_the_values(list in prop::collection::vec(json(), 0..6)) {
        let text = serde_json::to_string_pretty(&list).unwrap();
        let mut scanner = Scanner::of(&text);
        scanner.next_token().unwrap();
        let mut seen = Vec::new();
        while let Some(raw) = scanner.next_raw().unwrap() {
            seen.push(serde_json::from_str::<Value>(raw).unwrap());
        }
        prop_assert_eq!(seen, serde_json::from_str::<Vec<Value>>(&text).unwrap());
        prop_assert_eq!(scanner.next_token().unwrap(), None);
    }
}

fn pieces() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PIECES.split('|').collect::<Vec<_>>())
}

/// Parted by `|`.
const PIECES: &str = "{|}|[|]|,|:| |\n|\"|\"a\"|\"b\":|\\|\\n|\\u0041|\"\\ud83c\\udf55\"|\"\\ud800\"|\
    \"\\udc00\"|0|1|-|-0.5e+7|1e400|01|.5|1.|true|fals|null|NaN|\u{7f}|é|\u{feff}";

#[test]
fn faults_name_their_place() {
    let fault = |text: &str| value_of(text.as_bytes()).unwrap_err();
    for (text, offset, why) in [
        ("", 0, JsonError::CutShort),
        ("[1,]", 3, JsonError::Unexpected(b']')),
        ("{\"a\":1,}", 7, JsonError::Unexpected(b'}')),
        ("[1}", 2, JsonError::Unexpected(b'}')),
        ("[01]", 2, JsonError::Unexpected(b'1')),
        ("[1e]", 3, JsonError::BadNumber),
        ("NaN", 0, JsonError::Unexpected(b'N')),
        ("[\"a\u{1}\"]", 3, JsonError::ControlByte),
        ("[\"\\x\"]", 2, JsonError::BadEscape),
        ("[\"\\ud800x\"]", 2, JsonError::LoneSurrogate),
        ("{} {}", 3, JsonError::TextAfter),
        ("{\"a\" 1}", 5, JsonError::Unexpected(b'1')),
        ("[\"abc", 5, JsonError::CutShort),
    ] {
        let found = fault(text);
        assert_eq!((found.offset, found.why), (offset, why), "{text:?}");
    }
    assert_eq!(value_of(b"[\"\xff\"]").unwrap_err().why, JsonError::InvalidUtf8);
}

#[test]
fn the_last_level_is_read_and_one_more_is_not() {
    let levels = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let limit = MAX_DEPTH as usize;
    assert!(value_of(levels(limit).as_bytes()).is_ok());
    assert_eq!(value_of(levels(limit + 1).as_bytes()).unwrap_err().why, JsonError::TooDeep);
    assert_eq!(value_of("[".repeat(100_000).as_bytes()).unwrap_err().why, JsonError::TooDeep);
}

#[test]
fn quotes_are_found_at_every_distance() {
    for distance in 0..200 {
        for end in ["\"", "\\\"\""] {
            let text = format!("\"{}{end}", "x".repeat(distance));
            let Some(Token::String(found)) = Scanner::of(&text).next_token().unwrap() else {
                unreachable!()
            };
            assert_eq!(found.raw().len(), distance + end.len() - 1);
            assert_eq!(found.is_escaped(), end.len() > 1);
        }
    }
}
