//! One key in many spellings, and that the short and the long way to its identity agree.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn key(cell: &str) -> Key {
    Key::from_cell(cell).unwrap()
}

fn text_key(text: &str) -> Key {
    Key::from(vec![Part::Text(text.into())])
}

fn canonical_bytes(cell: &str) -> (String, KeyForm) {
    let mut out = b"before".to_vec();
    let form = canonicalise(cell.as_bytes(), &mut out);
    (String::from_utf8(out).unwrap().strip_prefix("before").unwrap().to_owned(), form)
}

#[test]
fn one_value_in_many_spellings_is_one_key() {
    for (a, b) in [
        ("[42]", "[ 42.0 ]"),
        ("[42]", "[4.2e1]"),
        ("[0]", "[-0.0]"),
        ("[9007199254740993]", "[9007199254740992]"),
        ("[\"caf\u{e9}\"]", "\t[\"caf\\u00E9\"]\r\n"),
        ("[\"\u{1f355}\"]", r#"["\ud83c\uDF55"]"#),
        (r#"["a/b\n"]"#, r#"["a\/b\u000a"]"#),
        ("[{}]", "[ { } ]"),
        (r#"[{"a":[1,2.0]}]"#, r#"[ {"\u0061" : [1.0 ,2]} ]"#),
        (r#"["tenant"]"#, "tenant"),
    ] {
        assert_eq!(key(a), key(b), "{a} {b}");
        assert_eq!(key(a).canonical(), key(b).canonical());
        assert_eq!(HashSet::from([key(a), key(b)]).len(), 1, "{a} {b}");
    }
}

#[test]
fn different_values_are_different_keys() {
    let cells = [
        "[]",
        "[{}]",
        "[null]",
        r#"[""]"#,
        "[false]",
        "[true]",
        "[0]",
        "[42]",
        r#"["42"]"#,
        r#"["null"]"#,
        r#"["{}"]"#,
        r#"["[]"]"#,
        "[[]]",
        r#"[{"a":1}]"#,
        r#"["a","b"]"#,
        r#"["a\",\"b"]"#,
        r#"["a,b"]"#,
        r#"["[\"a\"]"]"#,
        r#"["a"]"#,
        "[9007199254740991]",
        "[9007199254740993]",
        "[1e308]",
        "[5e-324]",
        r#"["a",null,{}]"#,
        "[0.1]",
        r#"["caf\u00e9"]"#,
        r#"["cafe\u0301"]"#,
        " ",
    ];
    let keys: HashSet<Key> = cells.iter().map(|cell| key(cell)).collect();
    let texts: HashSet<String> = keys.iter().map(Key::canonical).collect();
    let shown: HashSet<String> = keys.iter().map(Key::json).collect();
    assert_eq!((keys.len(), texts.len(), shown.len()), (cells.len(), cells.len(), cells.len()));
}

#[test]
fn an_empty_cell_reports_no_key() {
    assert_eq!(Key::from_cell(""), None);
    assert_eq!(canonical_bytes(""), (String::new(), KeyForm::NotReported));
    assert_eq!(key("[]").parts(), &[]);
}

#[test]
fn what_is_no_readable_list_stays_text() {
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    let bomb = "[".repeat(100_000);
    for cell in [
        "tenant",
        "\"tenant\"",
        "42",
        "{}",
        "null",
        " ",
        "[",
        "]",
        r#"["a""#,
        r#"["tenant-00"#,
        r#"["a",]"#,
        "[,]",
        r#"["a"] x"#,
        r#"["a"]["b"]"#,
        r#"["\ud800"]"#,
        r#"["\udc00"]"#,
        r#"["\ud800\u0041"]"#,
        r#"["\ud83c x"]"#,
        "[1e400]",
        "[-1e400]",
        r#"[{"a":1e400}]"#,
        "[NaN]",
        "[01]",
        "['a']",
        "[\"a\nb\"]",
        r#"["\x41"]"#,
        r#"["\u00g1"]"#,
        r#"[["\ud800"]]"#,
        "[nulll]",
        "[\u{a0}1]",
        &deep,
        &bomb,
    ] {
        assert_eq!(key(cell), text_key(cell));
    }
    let allowed = format!("{}{}", "[".repeat(64), "]".repeat(64));
    assert!(matches!(key(&allowed).parts(), [Part::Other(_)]));
}

#[test]
fn outputs_keep_numbers_as_found() {
    for (cell, json) in [
        ("[ 9007199254740993 ]", "[9007199254740993]"),
        ("[123456789012345680000]", "[123456789012345680000]"),
        ("[42.0, 1E5]", "[42.0,1E5]"),
        (r#"[ { "a" : [ 1.0 ] } , {} ]"#, r#"[{"a":[1.0]},{}]"#),
    ] {
        assert_eq!(key(cell).json(), json);
        assert_eq!(
            canonical_bytes(cell).1 == KeyForm::Respelled(json.into()),
            key(cell).canonical() != json,
            "{cell}"
        );
    }
    assert_eq!(canonical_bytes("[42.0]"), ("[42]".into(), KeyForm::Respelled("[42.0]".into())));
    assert_eq!(canonical_bytes("[ 42 ]"), ("[42]".into(), KeyForm::Plain));
}

#[test]
fn outputs_are_harmless() {
    for (text, json) in [
        ("a\u{1b}[2J\u{9b}\u{7f}\n", r#"["a\u001b[2J\u009b\u007f\u000a"]"#),
        ("user\u{202e}txt", r#"["user\u202etxt"]"#),
        ("\u{e0041}", r#"["\udb40\udc41"]"#),
        ("\u{301}q\u{301}", "[\"\\u0301q\u{301}\"]"),
        (r#"a"b\c"#, r#"["a\"b\\c"]"#),
        (" a  b ", r#"[" a  b "]"#),
        ("東京", "[\"東京\"]"),
    ] {
        assert_eq!(text_key(text).json(), json);
    }
    assert_eq!(key("[{\"\u{202e}\":\"\u{7f}\"}]").json(), r#"[{"\u202e":"\u007f"}]"#);
}

#[test]
fn parts_sort_by_type_then_value() {
    let mut keys =
        ["[\"a\"]", "[2]", "[10]", "[true]", "[false]", "[null]", "[{}]", "[[]]", "[-1]"].map(key);
    keys.sort();
    let order = keys.map(|key| key.canonical());
    assert_eq!(
        order,
        ["[{}]", "[null]", "[false]", "[true]", "[-1]", "[2]", "[10]", "[\"a\"]", "[[]]"]
    );
}

/// Any text, weighted towards characters that are spelled in several ways.
fn any_text() -> impl Strategy<Value = String> {
    let common = prop::sample::select(vec![
        'a', '"', '\\', '/', '\n', '\u{1f}', ' ', 'é', '🍕', '\u{202e}', '\u{301}', '{',
    ]);
    let character = prop_oneof![3 => common, 1 => any::<char>(), 2 => prop::char::range(' ', '~')];
    prop::collection::vec(character, 0..24).prop_map(String::from_iter)
}

fn any_number() -> impl Strategy<Value = f64> {
    let whole = (-20_i32..20).prop_map(f64::from);
    let large = any::<i64>().prop_map(|n| format!("{n}").parse().unwrap());
    let decimal =
        (any::<i32>(), 0_i32..12).prop_map(|(n, scale)| f64::from(n) / 10_f64.powi(scale));
    let bits =
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite());
    prop_oneof![whole, large, decimal, bits]
}

fn any_part() -> impl Strategy<Value = Part> {
    prop_oneof![
        1 => Just(Part::Undefined),
        1 => Just(Part::Null),
        1 => any::<bool>().prop_map(Part::Bool),
        3 => any_number().prop_map(|value| Part::Number(Number::new(value).unwrap())),
        4 => any_text().prop_map(|text| Part::Text(text.into())),
        1 => (any_text(), any_number()).prop_map(|(text, value)| {
            let text = serde_json::to_string(&text).unwrap();
            let list = format!("[{{{text}:[{text},{}]}}]", canonical_number(value));
            read_list(&list).unwrap().remove(0)
        }),
    ]
}

/// One of several texts of the same double, and blanks or escapes chosen by `style`.
fn spell_number(value: f64, style: u8) -> String {
    match style % 4 {
        0 => format!("{value}"),
        1 => format!("{value:e}"),
        2 => format!("{value:?}"),
        _ => format!("{value:E}").replace('E', if value.abs() < 1.0 { "E" } else { "E+0" }),
    }
}

fn spell_text(text: &str, style: u8) -> String {
    match style % 3 {
        0 => serde_json::to_string(text).unwrap(),
        1 => {
            let units: Vec<String> =
                text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
            format!("\"{}\"", units.concat())
        }
        _ => {
            let mut out = String::new();
            push_string(text, &mut out);
            out
        }
    }
}

fn spell(key: &Key, styles: &[u8]) -> String {
    let style = |index: usize| styles.get(index % styles.len().max(1)).copied().unwrap_or_default();
    let blank = |index: usize| {
        ["", "", " ", "\t", "\r\n "].get(usize::from(style(index)) % 5).copied().unwrap()
    };
    let parts = key.parts().iter().enumerate().map(|(index, part)| {
        let body = match part {
            Part::Number(number) => spell_number(number.value(), style(index)),
            Part::Text(text) => spell_text(text, style(index)),
            Part::Undefined => format!("{{{}}}", blank(index + 1)),
            _ => Key::from(vec![part.clone()]).canonical().trim_matches(['[', ']']).to_owned(),
        };
        // An object or list part keeps its own brackets.
        let body = if let Part::Other(json) = part { json.to_string() } else { body };
        format!("{}{body}{}", blank(index), blank(index + 2))
    });
    format!("{}[{}]{}", blank(3), parts.collect::<Vec<_>>().join(","), blank(4))
}

fn any_key() -> impl Strategy<Value = Key> {
    prop::collection::vec(any_part(), 0..4).prop_map(Key::from)
}

fn check_cell(cell: &str) -> Result<(), TestCaseError> {
    let (bytes, form) = canonical_bytes(cell);
    let Some(key) = Key::from_cell(cell) else {
        prop_assert_eq!((bytes, form), (String::new(), KeyForm::NotReported));
        return Ok(());
    };
    prop_assert_eq!(&bytes, &key.canonical());
    prop_assert_eq!(Key::from_canonical(&bytes), Some(key.clone()));
    // The canonical text is a fixed point, and so is what outputs say.
    prop_assert_eq!(canonical_bytes(&bytes), (bytes.clone(), KeyForm::Plain));
    prop_assert_eq!(Key::from_cell(&key.json()).unwrap(), key.clone());
    if let KeyForm::Respelled(text) = form {
        prop_assert_eq!(&*text, key.json());
    } else {
        prop_assert_eq!(Key::from_canonical(&bytes).unwrap().json(), key.json());
    }
    Ok(())
}

/// The values of a key as another JSON reader sees them, in order.
fn values(json: &str) -> Vec<serde_json::Value> {
    serde_json::from_str(json).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cell_has_one_canonical_text(cell in any::<String>()) {
        check_cell(&cell)?;
    }

    #[test]
    fn near_lists_have_one_canonical_text(cell in r#"\[?(["\\,\[\]{}:0-9.eE+\- a-fu/\n]|null|true|\\u[0-9a-f]{4}){0,12}\]?"#) {
        check_cell(&cell)?;
    }

    #[test]
    fn any_spelling_of_a_key_is_that_key(key in any_key(), styles in prop::collection::vec(any::<u8>(), 1..8)) {
        let cell = spell(&key, &styles);
        check_cell(&cell)?;
        prop_assert_eq!(Key::from_cell(&cell), Some(key.clone()));
        prop_assert_eq!(canonical_bytes(&cell).0, key.canonical());
    }

    #[test]
    fn keys_are_equal_exactly_if_their_bytes_are(a in any_key(), b in any_key()) {
        prop_assert_eq!(a == b, a.canonical() == b.canonical());
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
    }

    #[test]
    fn near_numbers_are_equal_exactly_if_their_bytes_are(value in any_number(), step in 0_u64..3) {
        let near = Number::new(f64::from_bits(value.to_bits() ^ step));
        if let (Some(a), Some(b)) = (Number::new(value), near) {
            prop_assert_eq!(a == b, canonical_number(a.value()) == canonical_number(b.value()));
            let text: f64 = canonical_number(a.value()).parse().unwrap();
            prop_assert_eq!(text.to_bits(), a.value().to_bits());
        }
    }

    #[test]
    fn outputs_read_back_exactly(key in any_key()) {
        let json = key.json();
        prop_assert_eq!(values(&json).len(), key.parts().len());
        for (value, part) in values(&json).iter().zip(key.parts()) {
            match part {
                Part::Undefined => prop_assert_eq!(value, &serde_json::json!({})),
                Part::Null => prop_assert!(value.is_null()),
                Part::Bool(flag) => prop_assert_eq!(value.as_bool(), Some(*flag)),
                Part::Number(number) => prop_assert_eq!(value.as_f64(), Some(number.value())),
                Part::Text(text) => prop_assert_eq!(value.as_str(), Some(&**text)),
                Part::Other(other) => prop_assert_eq!(value, &serde_json::from_str::<serde_json::Value>(other).unwrap()),
            }
        }
        prop_assert!(!json.chars().any(crate::model::visible::needs_code));
    }
}
