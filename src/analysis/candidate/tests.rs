//! Keys that read back what they write, tell the column of a slip, and give documents the values they say.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::*;
use crate::model::key::{Key, Number, Part as Value};

mod completing;
mod random;
mod values;

#[track_caller]
fn read(text: &str) -> Candidate {
    match parse(text) {
        ParsedKey::Complete(candidate) => candidate,
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn assert_stops(text: &str, column: usize, what: &str) {
    let (is_open, found) = match parse(text) {
        ParsedKey::Complete(candidate) => panic!("{text}: {candidate:?}"),
        ParsedKey::Incomplete(expected) => (true, expected),
        ParsedKey::Wrong(expected) => (false, expected),
    };
    let shown = format!("{}{found}", if is_open { "… " } else { "" });
    let open = if is_open { "… " } else { "" };
    assert_eq!(shown, format!("{open}column {}: expected {what}", column + 1), "{text}");
}

#[track_caller]
fn assert_incomplete(text: &str, column: usize, what: &str) {
    assert!(matches!(parse(text), ParsedKey::Incomplete(_)), "{text}");
    assert_stops(text, column, what);
}

#[track_caller]
fn assert_wrong(text: &str, column: usize, what: &str) {
    assert!(matches!(parse(text), ParsedKey::Wrong(_)), "{text}");
    assert_stops(text, column, what);
}

fn path(names: &[&str]) -> Path {
    names.iter().copied().collect()
}

#[test]
fn every_form_is_read() {
    for text in [
        "/tenantId",
        "/\"plant name\"",
        "/device-data/type",
        "/vin + \"-\" + month(/time)",
        "/date + \".\" + random(400)",
        "/date + \".\" + bucket(/vin, 400)",
        "/tenantId > /userId > /id",
        "prefix(/\"a, b\"/c, 3) + lower(/d.e)",
        "year(/t) > month(/t) > minute(/t)",
        r#""say \"hi\" \\ \u0001\u202e" + /a"#,
        "random(1000000)",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
    for help in &HELP {
        assert_eq!(read(help.example).to_string(), help.example);
    }
    for (name, _) in parse::FUNCTIONS {
        assert!(HELP.iter().any(|help| help.name == name), "{name}");
    }
}

#[test]
fn blanks_and_capitals_do_not_matter() {
    let text = "  /a+\"-\"+Month( /t )>PREFIX(/b ,3)\t> bucket(/c,0400) ";
    assert_eq!(read(text).to_string(), "/a + \"-\" + month(/t) > prefix(/b, 3) > bucket(/c, 400)");
}

#[test]
fn a_slip_is_told_by_its_column() {
    let part = "a path such as /tenantId, a text in \"quotes\" or a function such as month(/time)";
    assert_incomplete("", 0, part);
    assert_incomplete("/ä + ", 5, part);
    assert_incomplete("/a >", 4, part);
    assert_wrong("tenantId", 0, &format!("{part}; a path begins with a /"));
    assert_incomplete("/a + mon", 5, &format!("{part}; a path begins with a /"));
    assert_wrong("/a + mon ", 5, &format!("{part}; a path begins with a /"));
    assert_wrong("/a + + /b", 5, part);
    assert_wrong("/a + 'x'", 5, "a text in double quotes");
    assert_wrong("/a /b", 3, "+ and another part, > and another level, or the end");
    assert_wrong("/a > /b > /c > /d", 13, "the end: a key has at most 3 levels");
    assert_incomplete("/", 1, "the name of a property after the /");
    assert_wrong("/ + /b", 1, "the name of a property after the /");
    assert_incomplete("/\"a b", 5, "the closing \"");
    assert_incomplete("/a + \"é", 7, "the closing \"");
    assert_wrong("\"\\q\"", 3, "a text in quotes as JSON writes it");
    assert_incomplete("month", 5, "( after month");
    assert_wrong("month /t", 6, "( after month");
    assert_incomplete("month(", 6, "a path such as /tenantId");
    assert_wrong("month(time)", 6, "a path such as /tenantId");
    assert_incomplete("month(/t", 8, "the closing )");
    assert_wrong("month(/t, 3)", 8, "the closing )");
    assert_incomplete("prefix(/t", 9, "a comma and the number of characters");
    assert_wrong("bucket(/t)", 9, "a comma and the number of buckets");
    assert_incomplete("random(", 7, "a whole number from 1 to 1,000,000");
    assert_wrong("random(0)", 7, "a whole number from 1 to 1,000,000");
    assert_wrong("random(99999999999)", 7, "a whole number from 1 to 1,000,000");
    assert_wrong("prefix(/a, 2049)", 11, "a whole number from 1 to 2,048");
    assert_wrong(
        "week(/t)",
        0,
        "one of year, month, day, hour, minute, prefix, lower, random, bucket before the (",
    );
    let many = vec!["/a"; 17].join("+");
    assert_wrong(&many, 47, "no more than 16 parts in a level");
}

#[test]
fn a_key_knows_its_paths() {
    let key = read("/a + month(/b) > bucket(/a, 4) + random(2)");
    assert_eq!(key.paths(), [&path(&["a"]), &path(&["b"])]);
    assert!(!key.is_stored());
    let stored = Candidate::of_paths([path(&["a b"]), path(&["c"])]);
    assert_eq!(stored.to_string(), "/\"a b\" > /c");
    assert!(stored.is_stored());
}

#[test]
fn the_code_for_applications_counts_as_this_does() {
    for (text, buckets, expected) in VECTORS {
        assert_eq!(bucket::bucket(text, buckets), expected, "{text} {buckets}");
    }
}

/// Keys of applications that are there already depend on these.
const VECTORS: [(&str, u32, u32); 11] = [
    ("", 400, 210),
    ("a", 1_000_000, 464_776),
    ("vin-1", 16, 7),
    ("2026-06-22", 400, 60),
    ("9007199254740992", 1_000_000, 565_731),
    ("true", 16, 13),
    ("-1.5", 400, 122),
    ("WVWZZZ1JZXW000001", 1_000_000, 858_104),
    ("Ärzte", 16, 16),
    ("漢字", 400, 261),
    ("🚗", 1_000_000, 814_154),
];
