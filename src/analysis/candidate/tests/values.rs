//! What keys make of documents.

use super::*;
use std::num::NonZeroU32;

fn number(text: &str) -> Value {
    Value::Number(Number::from_text(text).unwrap())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

/// The key of a document in which every path has this value.
#[track_caller]
fn key_of(key: &str, value: &Value) -> Key {
    read(key).key(&|_| value.clone(), &mut Draws::of(1, 0))
}

#[track_caller]
fn assert_key(key: &str, value: &Value, json: &str) {
    assert_eq!(key_of(key, value).json(), json, "{key} {value:?}");
}

#[test]
fn a_path_alone_keeps_its_type() {
    assert_key("/a", &number("42"), "[42]");
    assert_key("/a", &number("42.0"), "[42.0]");
    assert_key("/a", &text("42"), "[\"42\"]");
    assert_key("/a", &Value::Bool(true), "[true]");
    assert_key("/a", &Value::Null, "[null]");
    assert_key("/a", &Value::Undefined, "[{}]");
    assert_key("/a", &Value::Other("[1]".into()), "[{}]");
    assert_key("/a > /a", &number("1"), "[1,1]");
}

#[test]
fn what_is_joined_is_text() {
    assert_key("/a + \"-\" + /a", &number("42.0"), "[\"42-42\"]");
    assert_key("/a + \"\"", &number("1e21"), "[\"1e21\"]");
    assert_key("/a + \"x\"", &number("9007199254740993"), "[\"9007199254740992x\"]");
    assert_key("/a + \"x\"", &Value::Bool(false), "[\"falsex\"]");
    for gap in [Value::Null, Value::Undefined, Value::Other("{\"a\":1}".into())] {
        assert_key("\"x\" + /a > \"y\"", &gap, "[{},\"y\"]");
        assert_key("bucket(/a, 4)", &gap, "[{}]");
    }
}

#[test]
fn levels_say_why_they_have_no_value() {
    let gap = |key: &str, value: &Value| {
        let level = read(key).levels.remove(0);
        level.value(&|_| value.clone(), &mut Draws::of(1, 0)).err()
    };
    assert_eq!(gap("/a", &Value::Undefined), Some(Gap::NoValue));
    assert_eq!(gap("/a", &Value::Null), None);
    assert_eq!(gap("lower(/a)", &Value::Null), Some(Gap::NoValue));
    assert_eq!(gap("/a", &Value::Other("[]".into())), Some(Gap::NoValue));
    assert_eq!(gap("day(/a)", &text("soon")), Some(Gap::NoTime));
    assert_eq!(gap("day(/a)", &Value::Bool(true)), Some(Gap::NoTime));
    assert_eq!(gap("day(/a)", &Value::Null), Some(Gap::NoValue));
    let mut gaps = Gaps::default();
    for reason in [Gap::NoValue, Gap::NoTime] {
        gaps.add(reason, 2);
    }
    assert_eq!((gaps.no_time, gaps.total()), (2, 4));
}

#[test]
fn times_are_cut_in_utc() {
    let late = text("2026-06-22T23:05:59-01:00");
    for (key, json) in [
        ("year(/t)", "[\"2026\"]"),
        ("month(/t)", "[\"2026-06\"]"),
        ("day(/t)", "[\"2026-06-23\"]"),
        ("hour(/t)", "[\"2026-06-23T00\"]"),
        ("minute(/t)", "[\"2026-06-23T00:05\"]"),
    ] {
        assert_key(key, &late, json);
        assert_key(key, &number("1782173159"), json);
        assert_key(key, &number("1782173159000"), json);
        assert_key(key, &number("639177699590000000"), json);
    }
}

#[test]
fn prefixes_count_characters_not_bytes() {
    assert_key("prefix(/a, 3)", &text("Ärzte"), "[\"Ärz\"]");
    assert_key("prefix(/a, 2)", &text("🚗🚕🚙"), "[\"🚗🚕\"]");
    assert_key("prefix(/a, 9)", &text("ab"), "[\"ab\"]");
    assert_key("prefix(/a, 2)", &number("12345"), "[\"12\"]");
    assert_key("lower(/a)", &text("ÄB-Ω"), "[\"äb-ω\"]");
}

#[test]
fn suffixes_begin_at_one() {
    let buckets = NonZeroU32::new(400).unwrap();
    let mut draws = Draws::of(7, 3);
    let mut seen = [0_u32; 401];
    for _ in 0..40_000 {
        let suffix = usize::try_from(draws.draw(buckets)).unwrap();
        seen[suffix] += 1;
    }
    assert_eq!(seen[0], 0);
    // 100 are expected, with a deviation of 10.
    assert!(seen.iter().skip(1).all(|count| (50..160).contains(count)));
    assert_eq!(Draws::of(7, 3).draw(NonZeroU32::MIN), 1);
}

#[test]
fn a_document_draws_the_same_for_the_same_seed() {
    let key = read("random(1000000) > random(1000000)");
    let canonical = |seed, document| {
        let key = key.key(&|_| Value::Undefined, &mut Draws::of(seed, document));
        key.canonical()
    };
    assert_eq!(canonical(1, 5), canonical(1, 5));
    assert_ne!(canonical(1, 5), canonical(1, 6));
    assert_ne!(canonical(1, 5), canonical(2, 5));
    let both = key.key(&|_| Value::Undefined, &mut Draws::of(1, 5));
    assert_ne!(both.parts().first(), both.parts().last());
}

#[test]
fn buckets_are_even_for_names_in_a_row_and_far_apart() {
    let names: [fn(u32) -> String; 4] = [
        |i| format!("device-{i:06}"),
        |i| (i * 16).to_string(),
        |i| format!("{:08X}", i * 4096),
        |i| format!("Ä{}", i * 3),
    ];
    for name in names {
        for buckets in [2_u32, 16, 100, 256, 400] {
            let mut counts = vec![0_f64; buckets as usize];
            for i in 0..20_000 {
                let bucket = bucket::bucket(&name(i), buckets);
                counts[bucket as usize - 1] += 1.0;
            }
            let mean = 20_000.0 / f64::from(buckets);
            let chi: f64 = counts.iter().map(|c| (c - mean).powi(2) / mean).sum();
            let free = f64::from(buckets - 1);
            let deviation = (chi - free) / (2.0 * free).sqrt();
            assert!(deviation < 5.0, "{} {buckets}: {deviation}", name(1));
        }
    }
}
