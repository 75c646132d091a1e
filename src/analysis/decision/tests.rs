//! What counts as a difference, and by what documents are known again.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::model::documents::{Documents, Scalar, Table, TableLimits, WantedPaths};
use crate::model::path::Path;

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// Documents of one property.
fn documents(values: &[&str]) -> Documents {
    let wanted = WantedPaths::Named(vec![path("/t")]);
    let mut table = Table::new(&TableLimits::default(), &wanted);
    let mut rows = table.rows();
    let column = rows.add_column(path("/t"));
    for (number, value) in (0_u64..).zip(values) {
        rows.begin(number);
        rows.put(column, Scalar::Text(value));
        rows.end(20 + value.len());
    }
    table.append(&mut rows);
    table.finish()
}

fn data(values: &[&str]) -> Data {
    let paths = [path("/t"), path("/absent")];
    Data::of(&documents(values), vec!["d.jsonl".to_owned()], &paths)
}

fn judged(key: &str, largest: f64) -> Judged {
    Judged {
        key: key.to_owned(),
        verdict: "holds".to_owned(),
        numbers: BTreeMap::from([("largest_bytes".to_owned(), largest.into())]),
        ..Judged::default()
    }
}

fn decision(keys: &[(&str, f64)]) -> Decision {
    Decision {
        data: data(&["a", "b", "a", "a"]),
        candidates: keys.iter().map(|(key, n)| judged(key, *n)).collect(),
        ..Decision::default()
    }
}

fn names(found: &[Difference]) -> Vec<&str> {
    found.iter().map(|d| d.name.as_str()).collect()
}

#[test]
fn the_same_is_no_difference() {
    let one = decision(&[("/t", 100.0)]);
    assert_eq!(diff(&one, &one.clone()), []);
    // The last digits are those of another order of sums.
    let near = decision(&[("/t", 100.0 * (1.0 + 1e-12))]);
    assert_eq!(diff(&one, &near), []);
    assert_eq!(diff(&Decision::default(), &Decision::default()), []);
}

#[test]
fn every_number_verdict_and_choice_is_compared() {
    let (before, mut after) = (decision(&[("/t", 100.0)]), decision(&[("/t", 101.0)]));
    assert_eq!(
        diff(&before, &after),
        [Difference {
            about: ChangeSubject::Candidate("/t".to_owned()),
            name: "largest_bytes".to_owned(),
            before: Some(100.0.into()),
            after: Some(101.0.into()),
        }]
    );
    after.chosen = Some("/t".to_owned());
    after.candidates[0].verdict = "does not hold".to_owned();
    let reason = ("hot-now".to_owned(), "alarm".into());
    after.candidates[0].reasons.extend([reason]);
    after.settings.insert("partitions".to_owned(), 4.0.into());
    let found = diff(&before, &after);
    let expected = ["partitions", "verdict", "largest_bytes", "hot-now", "chosen"];
    assert_eq!(names(&found), expected);
    assert_eq!(found[0].before, None);
}

#[test]
fn a_key_that_one_side_did_not_try_is_one_difference() {
    let (before, after) = (decision(&[("/t", 1.0)]), decision(&[("/u", 2.0), ("/t", 1.0)]));
    let found = diff(&before, &after);
    assert_eq!(names(&found), ["verdict"]);
    assert_eq!(found[0].about, ChangeSubject::Candidate("/u".to_owned()));
    assert_eq!((&found[0].before, &found[0].after), (&None, &Some("holds".into())));
}

#[test]
fn documents_are_known_again_by_sizes_and_by_values() {
    let one = data(&["a", "b", "a", "a"]);
    assert_eq!(one.columns.len(), 1);
    assert_eq!((one.documents.to_bits(), one.hash.len()), (4.0_f64.to_bits(), 32));
    assert_eq!(one, data(&["a", "b", "a", "a"]));
    // Another value of the same length is seen in the column alone, and so is another order.
    for other in [&["a", "b", "a", "c"], &["b", "a", "a", "a"]] {
        let other = data(other);
        assert_eq!(other.hash, one.hash);
        assert_ne!(other.columns, one.columns);
    }
    assert_ne!(data(&["a", "b", "a", "aa"]).hash, one.hash);
    let with = |data: Data| Decision { data, ..Decision::default() };
    let found = diff(&with(one.clone()), &with(data(&["a", "b", "a", "c"])));
    assert_eq!(names(&found), ["/t"]);
    // A column that only one side knows tells nothing.
    let mut bare = one.clone();
    bare.columns.clear();
    assert_eq!(diff(&with(one), &with(bare)), []);
}

#[test]
fn inputs_are_kept_and_masks_leave_their_names_out() {
    let inputs = DecisionInputs {
        time: Some("/at".to_owned()),
        queries: Some("q.sql".to_owned()),
        logs: vec!["logs, old".to_owned(), "read.json".to_owned()],
        container: Some("shop/orders".to_owned()),
    };
    let kept = |inputs: DecisionInputs| {
        let mut decision = Decision::default();
        decision.keep_inputs(inputs);
        decision.inputs()
    };
    assert_eq!(kept(inputs.clone()), inputs);
    let time_alone = DecisionInputs { time: inputs.time.clone(), ..DecisionInputs::default() };
    assert_eq!(kept(inputs.clone().masked(true)), time_alone);
    // Documents alone have no container.
    let without_logs = DecisionInputs { logs: Vec::new(), ..inputs.clone() };
    assert_eq!(kept(without_logs.clone()), DecisionInputs { container: None, ..without_logs });
    let mut invented = Decision::default();
    invented.keep_inputs(inputs);
    invented.mask(&Masker::new(b"s"));
    let names = format!("{:?}", invented.settings);
    assert!(!["q.sql", "logs, old", "orders"].iter().any(|name| names.contains(name)), "{names}");
}
