//! Rows of small tables, each kind of value among them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use super::*;
use crate::model::documents::{NearUnique, Scalar, Table, TableLimits, WantedPaths};

fn documents(rows: &[&[(&str, Scalar<'_>)]], limits: &TableLimits) -> Documents {
    let mut table = Table::new(limits, &WantedPaths::Every);
    let mut worker = table.rows();
    let mut columns = HashMap::new();
    for (number, cells) in (0..).zip(rows) {
        worker.begin(number);
        for (name, scalar) in *cells {
            let column = columns
                .entry(*name)
                .or_insert_with(|| worker.add_column([*name].into_iter().collect()));
            worker.put(*column, *scalar);
        }
        worker.end(100);
    }
    table.append(&mut worker);
    table.finish()
}

fn coded() -> TableLimits {
    TableLimits { near_unique: NearUnique::AtLimit, ..TableLimits::default() }
}

fn of(name: &str, rows: &[PathRow]) -> PathRow {
    let path: Path = [name].into_iter().collect();
    rows.iter().find(|row| row.path == path).unwrap().clone()
}

#[test]
fn kinds_values_and_gaps_are_told_apart() {
    let half = Scalar::Number { text: "0.5", value: 0.5 };
    let found = documents(
        &[
            &[("a", Scalar::Text("x")), ("n", half), ("list", Scalar::Array)],
            &[("a", Scalar::Text("x")), ("n", half)],
            &[("a", Scalar::Null)],
            &[("status", Scalar::Bool(true)), ("a", Scalar::Text("\u{1b}"))],
        ],
        &coded(),
    );
    let rows = rows(&found, 2, &|| true).unwrap();
    let a = of("a", &rows);
    assert_eq!(a.kinds.mix(), [("text", 3), ("null", 1)]);
    assert_eq!((a.distinct.seen, a.distinct.once, a.documents), (3, 2, 4));
    let value = |text: &str| Some(Example::Value(Key::from_canonical(text).unwrap()));
    assert_eq!(a.top[0].value, value("[\"x\"]"));
    assert_eq!((a.top[0].documents, a.top.len()), (2, 2));
    assert_eq!(a.example, value("[\"x\"]"));
    let n = of("n", &rows);
    assert!((n.missing_share() - 0.5).abs() < 1e-12);
    assert_eq!(n.fitness, Fitness::Unfit);
    let rules: Vec<&str> = n.findings.iter().map(|f| f.rule.name()).collect();
    assert!(rules.contains(&"fractions") && rules.contains(&"missing"), "{rules:?}");
    let list = of("list", &rows);
    assert_eq!((list.example, list.fitness), (Some(Example::List), Fitness::Unfit));
    assert!(of("status", &rows).findings.iter().any(|f| f.rule.name() == "mutable-name"));
}

#[test]
fn of_a_sample_the_range_is_told_and_of_hashes_that_they_are() {
    let texts: Vec<String> = (0..5_000).map(|i| format!("value-{i:05}")).collect();
    let cells: Vec<[(&str, Scalar<'_>); 2]> = texts
        .iter()
        .map(|text| [("own", Scalar::Text(text)), ("one", Scalar::Text("same"))])
        .collect();
    let rows_in: Vec<&[(&str, Scalar<'_>)]> = cells.iter().map(|c| &c[..]).collect();
    let limits = TableLimits { values: 1_000, ..coded() };
    let found = documents(&rows_in, &limits);
    let rows = rows(&found, 3, &|| true).unwrap();
    let own = of("own", &rows);
    assert!(own.is_hashed && own.distinct.seen == 5_000);
    assert_eq!(own.top[0].value, None);
    let one = of("one", &rows);
    assert!(!one.is_hashed && one.distinct.seen == 1 && one.fitness == Fitness::WithCare);
    assert_eq!(super::rows(&found, 3, &|| false), None);
}

#[test]
fn times_are_recognised() {
    let found = documents(
        &[
            &[("time", Scalar::Text("2026-06-22T14:05:00Z"))],
            &[("time", Scalar::Text("2026-06-23T14:05:00Z"))],
        ],
        &coded(),
    );
    let rows = rows(&found, 3, &|| true).unwrap();
    let times = of("time", &rows).times.unwrap();
    assert_eq!((times.form, times.sureness), (TimeForm::Text, Sureness::Certain));
    assert_eq!(times.range.unwrap()[1].rfc3339(), "2026-06-23T14:05:00Z");
}

#[test]
fn few_values_are_too_coarse_for_a_key_alone() {
    // Documents, different values, documents of the first one in a hundred.
    let cases = [
        (200, 2, 50, Fitness::WithCare),
        (200, 19, 5, Fitness::WithCare),
        (200, 100, 50, Fitness::WithCare),
        (200, 100, 5, Fitness::Fit),
        (50, 2, 50, Fitness::Fit),
    ];
    for (documents_at_hand, values, first_percent, fitness) in cases {
        let value = |n: usize| match n % 100 {
            part if part < first_percent => "value-0".to_owned(),
            _ => format!("value-{}", n % values),
        };
        let texts: Vec<String> = (0..documents_at_hand).map(value).collect();
        let cells: Vec<_> = texts.iter().map(|t| [("city", Scalar::Text(t))]).collect();
        let rows: Vec<&[_]> = cells.iter().map(|cells| &cells[..]).collect();
        let found = super::rows(&documents(&rows, &coded()), 3, &|| true).unwrap();
        assert_eq!(of("city", &found).fitness, fitness, "{values} values");
    }
}

#[test]
fn keys_to_begin_with_are_neither_times_nor_measured_nor_coarse_and_the_id_comes_last() {
    let texts: Vec<[String; 5]> = (0..400)
        .map(|n| {
            [
                format!("id-{n}"),
                format!("device-{}", n % 60),
                format!("city-{}", n % 3),
                Stamp::from_seconds(1_781_913_600 + n * 60).unwrap().rfc3339(),
                format!("note number {n}"),
            ]
        })
        .collect();
    let numbers: Vec<String> = (0..400).map(|n| (n % 90).to_string()).collect();
    let cells: Vec<[(&str, Scalar<'_>); 6]> = texts
        .iter()
        .zip(&numbers)
        .map(|([id, device, city, time, note], number)| {
            let value = number.parse().unwrap();
            [
                ("id", Scalar::Text(id)),
                ("device", Scalar::Text(device)),
                ("city", Scalar::Text(city)),
                ("ts", Scalar::Text(time)),
                ("note", Scalar::Text(note)),
                ("watts", Scalar::Number { text: number, value }),
            ]
        })
        .collect();
    let rows: Vec<&[_]> = cells.iter().map(|cells| &cells[..]).collect();
    let rows = super::rows(&documents(&rows, &coded()), 3, &|| true).unwrap();
    let keys: Vec<String> = first_keys(&rows).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["/device", "/id"]);
    assert_eq!(of("ts", &rows).fitness, Fitness::WithCare);
}
