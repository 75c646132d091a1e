//! Decision files: written the same each time, read back exactly, and refused where they are not understood.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;
use crate::analysis::decision::diff;
use crate::report::Style;

fn text_of(decision: &Decision) -> String {
    let mut out = Vec::new();
    write(decision, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn sample(name: &str, number: f64) -> Decision {
    let numbers = BTreeMap::from([(name.to_owned(), DecisionValue::Number(number))]);
    let texts = BTreeMap::from([(name.to_owned(), DecisionValue::Text(name.to_owned()))]);
    Decision {
        made_at: Some("2026-06-28T12:00:00Z".to_owned()),
        program: "0.1.0".to_owned(),
        chosen: Some(name.to_owned()),
        data: Data {
            documents: 3.0,
            bytes: 90.0,
            looked_at: 3.0,
            hash: "ab".to_owned(),
            columns: BTreeMap::from([(name.to_owned(), "cd".to_owned())]),
            sources: vec![name.to_owned(), "b".to_owned()],
        },
        settings: texts.clone(),
        candidates: vec![
            Judged {
                key: name.to_owned(),
                is_current: true,
                verdict: "holds".to_owned(),
                numbers: numbers.clone(),
                visits: numbers,
                reasons: texts,
            },
            Judged {
                key: "/b".to_owned(),
                verdict: "does not hold".to_owned(),
                ..Judged::default()
            },
        ],
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(name in any::<String>(), number in any::<f64>()) {
        let number = if number.is_finite() { number } else { 0.5 };
        let decision = sample(&name, number);
        let text = text_of(&decision);
        prop_assert_eq!(parse(&text), Ok(decision.clone()));
        prop_assert!(is_decision(&text));
        prop_assert_eq!(diff(&decision, &parse(&text).unwrap()), []);
        prop_assert!(!text.contains(|c: char| c != '\n' && needs_code(c)), "{}", text);
    }
}

#[test]
fn numbers_stay_exact() {
    for number in [0.1, 1.0 / 3.0, 1e300, 5e-324, 2.0_f64.powi(60), -0.0, 21_474_836_480.0] {
        let text = text_of(&sample("n", number));
        let read = parse(&text).unwrap();
        assert_eq!(read.candidates[0].numbers["n"], DecisionValue::Number(number + 0.0), "{text}");
    }
}

#[test]
fn what_is_not_understood_is_refused() {
    let good = text_of(&sample("n", 1.0));
    assert!(parse(&good).is_ok());
    let throttled = |text: &str| parse(text).unwrap_err();
    assert!(throttled("").contains("no kind"));
    assert!(throttled("a = 1").contains("no kind"));
    let later = good.replace("schema = 1", "schema = 2");
    assert_eq!(throttled(&later), "is a decision of form 2, and this version knows form 1 only");
    assert!(throttled(&good.replace("schema = 1\n", "")).contains("no schema"));
    let unknown = good.replace("verdict = \"holds\"", "verdict = \"holds\"\nvrdict = 1");
    let why = throttled(&unknown);
    assert!(why.contains("line 2") && why.contains("vrdict"), "{why}");
    assert!(throttled(&good.replace("[data]", "[dta]")).contains("line"));
    assert!(throttled("\u{1b}[31m = ]").contains("line 1"));
    assert!(throttled(&good.replace("documents = 3", "documents = \"3\"")).contains("line"));
}

#[test]
fn changes_are_told_in_words_and_in_json() {
    let (before, mut after) = (sample("/a", 1.0), sample("/a", 1.0));
    let largest = |bytes: f64| ("largest_bytes".to_owned(), DecisionValue::Number(bytes));
    after.candidates[0].numbers.extend([largest(2.0 * 1024.0 * 1024.0)]);
    after.candidates[1].verdict = "holds".to_owned();
    after.chosen = None;
    let found = diff(&before, &after);
    assert_eq!(
        changes::sentences(&found),
        [
            "/a: largest key 2.00 MiB, before unknown",
            "/b: verdict good, before reject",
            "decision: chosen no longer known, before /a",
        ]
    );
    let mut out = Vec::new();
    changes::text((&before, &after), &found, Style::default(), &mut out).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert!(
        said.starts_with(
            "3 differences between the decision of 2026-06-28T12:00:00Z for /a and the trial"
        ),
        "{said}"
    );
    let mut out = Vec::new();
    changes::json((&before, &after), &found, &mut out).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["changes"][1]["after"], "holds");
    assert_eq!(json["after"]["chosen"], serde_json::Value::Null);
}
