//! What must hold for any text and any condition: nothing stops the reader, and no document found is routed past.

use proptest::prelude::*;

use crate::analysis::candidate::{self, Draws};
use crate::analysis::routing::matching_keys::keys_of;
use crate::analysis::routing::workload::Workload;
use crate::model::key::{Number, Part};

use super::*;

const KEYS: [&str; 10] = [
    "/a",
    "/a > /b",
    "/b > /a > /t",
    "/a + \"-\" + month(/t)",
    "day(/t)",
    "lower(/a) + bucket(/b, 3)",
    "/a + \".\" + random(2)",
    "prefix(/a, 1)",
    "year(/t) > /a + /b",
    "bucket(/a, 2) > lower(/b)",
];

#[derive(Clone, Debug)]
enum Condition {
    Compare(&'static str, &'static str, &'static str),
    In(&'static str, Vec<&'static str>),
    Starts(&'static str, &'static str),
    Between(&'static str, &'static str, &'static str),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

const TEXTS: [&str; 5] = ["'x'", "'xy'", "'Xy'", "''", "'y'"];
const VALUES: [&str; 8] = ["'x'", "'xy'", "'Xy'", "'y'", "0", "1", "null", "true"];
const TIMES: [&str; 6] = [
    "'2025-12-31'",
    "'2026-01-01'",
    "'2026-01-31T23:59:59Z'",
    "'2026-02-01T00:00:00Z'",
    "'2026-02-14'",
    "'2027-01-01'",
];
const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

fn leaf() -> impl Strategy<Value = Condition> {
    let plain = || prop::sample::select(vec!["a", "b"]);
    let sign = || prop::sample::select(SIGNS.to_vec());
    let value = || prop::sample::select(VALUES.to_vec());
    let time = || prop::sample::select(TIMES.to_vec());
    prop_oneof![
        4 => (plain(), value()).prop_map(|(field, value)| Condition::Compare(field, "=", value)),
        2 => (plain(), sign(), value()).prop_map(|(f, s, v)| Condition::Compare(f, s, v)),
        2 => (plain(), prop::collection::vec(value(), 0..4)).prop_map(|(f, all)| Condition::In(f, all)),
        1 => (plain(), prop::sample::select(TEXTS.to_vec())).prop_map(|(f, v)| Condition::Starts(f, v)),
        2 => (sign(), time()).prop_map(|(s, v)| Condition::Compare("t", s, v)),
        2 => (time(), time()).prop_map(|(low, high)| Condition::Between("t", low, high)),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::And),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::Or),
            1 => inner.prop_map(|inner| Condition::Not(Box::new(inner))),
        ]
    })
}

fn written(condition: &Condition) -> String {
    let several = |parts: &[Condition], word: &str| {
        let parts: Vec<String> = parts.iter().map(written).collect();
        format!("({})", parts.join(word))
    };
    match condition {
        Condition::Compare(field, sign, value) => format!("c.{field} {sign} {value}"),
        Condition::In(field, values) => format!("c.{field} IN ({})", values.join(", ")),
        Condition::Starts(field, text) => format!("STARTSWITH(c.{field}, {text})"),
        Condition::Between(field, low, high) => format!("c.{field} BETWEEN {low} AND {high}"),
        Condition::And(parts) => several(parts, " AND "),
        Condition::Or(parts) => several(parts, " OR "),
        Condition::Not(inner) => format!("NOT ({})", written(inner)),
    }
}

fn part(value: &str) -> Part {
    match value {
        "null" => Part::Null,
        "true" => Part::Bool(true),
        quoted if quoted.starts_with('\'') => Part::Text(quoted.trim_matches('\'').into()),
        number => Part::Number(Number::from_text(number).unwrap()),
    }
}

#[derive(Clone, Debug)]
struct Document {
    a: Part,
    b: Part,
    t: Part,
}

impl Document {
    fn at(&self, name: &str) -> &Part {
        match name {
            "a" => &self.a,
            "b" => &self.b,
            _ => &self.t,
        }
    }
}

/// As the service decides: `None` is undefined, which neither a condition nor its opposite finds.
fn found(condition: &Condition, document: &Document) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let compared = |field: &str, sign: &str, value: &str| {
        let (held, value) = (document.at(field), part(value));
        if std::mem::discriminant(held) != std::mem::discriminant(&value) {
            return None;
        }
        let order = held.cmp(&value);
        Some(match sign {
            "=" => order == Equal,
            "!=" => order != Equal,
            "<" => order == Less,
            "<=" => order != Greater,
            ">" => order == Greater,
            _ => order != Less,
        })
    };
    match condition {
        Condition::Compare(field, sign, value) => compared(field, sign, value),
        Condition::In(field, values) => {
            Some(values.iter().any(|value| compared(field, "=", value) == Some(true)))
        }
        Condition::Starts(field, text) => match (document.at(field), part(text)) {
            (Part::Text(held), Part::Text(text)) => Some(held.starts_with(&*text)),
            _ => None,
        },
        Condition::Between(field, low, high) => {
            let (low, high) = (compared(field, ">=", low)?, compared(field, "<=", high)?);
            Some(low && high)
        }
        Condition::And(parts) => all(parts.iter().map(|part| found(part, document))),
        Condition::Or(parts) => {
            let turned = parts.iter().map(|part| found(part, document).map(|truth| !truth));
            all(turned).map(|truth| !truth)
        }
        Condition::Not(inner) => found(inner, document).map(|truth| !truth),
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let parts: Vec<Option<bool>> = parts.collect();
    if parts.contains(&Some(false)) {
        return Some(false);
    }
    (!parts.contains(&None)).then_some(true)
}

fn document() -> impl Strategy<Value = Document> {
    let value = || {
        prop_oneof![
            8 => prop::sample::select(VALUES.to_vec()).prop_map(part),
            1 => Just(Part::Undefined),
        ]
    };
    let time = prop_oneof![
        8 => prop::sample::select(TIMES.to_vec()).prop_map(part),
        1 => Just(Part::Undefined),
    ];
    (value(), value(), time).prop_map(|(a, b, t)| Document { a, b, t })
}

/// Whether a query with this condition would be sent where the document is.
fn reaches(query: &Query, candidate: &Candidate, document: &Document, number: u64) -> bool {
    let paths = candidate.paths().into_iter().collect();
    let Ok(alternatives) = query.alternatives(&query.parameters, Some(&paths)) else {
        return true;
    };
    let value = |path: &Path| document.at(path.top_name().unwrap()).clone();
    let key = candidate.key(&value, &mut Draws::of(1, number));
    alternatives.iter().any(|alternative| match keys_of(candidate, alternative) {
        Err(_) => true,
        Ok(keys) => keys.known.is_none_or(|known| {
            let prefix = key.parts().get(..keys.levels).unwrap();
            known.iter().any(|asked| asked == prefix)
        }),
    })
}

/// A document without a bucket's property is in no bucket.
fn has_buckets(candidate: &Candidate, document: &Document) -> bool {
    candidate.parts().all(|part| match part {
        candidate::LevelPart::Bucket { path, .. } => {
            let value = document.at(path.top_name().unwrap());
            part.of(value).is_ok()
        }
        _ => true,
    })
}

proptest! {
    #[test]
    fn no_document_found_is_routed_past(
        condition in condition(),
        documents in prop::collection::vec(document(), 1..12),
    ) {
        let sql = format!("SELECT * FROM c WHERE {}", written(&condition));
        let query = Query::parse(&sql).map_err(|fault| TestCaseError::fail(fault.sentence(&sql)))?;
        for text in KEYS {
            let candidate = key(text);
            for (number, document) in (0..).zip(&documents) {
                if found(&condition, document) == Some(true) && has_buckets(&candidate, document) {
                    prop_assert!(
                        reaches(&query, &candidate, document, number),
                        "{sql} misses {document:?} with {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn blanks_comments_and_letter_case_mean_nothing(condition in condition()) {
        let sql = format!("SELECT * FROM c WHERE {}", written(&condition));
        let spread = sql.replace(' ', " /* ' */\n-- \"\n\t");
        let small = sql.replace("AND", "and").replace("OR", "oR").replace("NOT", "not").replace(" IN ", " In ");
        let read = Query::parse(&sql);
        prop_assert!(read.is_ok());
        prop_assert_eq!(&read, &Query::parse(&spread));
        prop_assert_eq!(&read, &Query::parse(&small));
    }

    #[test]
    fn a_route_stays_inside_the_layout(condition in condition(), partitions in 1_u32..50) {
        let sql = format!("SELECT * FROM c WHERE {}", written(&condition));
        let layout = RoutedLayout::even(partitions);
        for text in KEYS {
            let route = routed(&sql, &key(text), &layout);
            if let Some(visits) = route.visits() {
                prop_assert!(visits > 0.0 && visits <= f64::from(partitions), "{visits} of {partitions}");
                let price = price(&route, 2.5, Some(1.0)).unwrap();
                prop_assert!(price.ru_each >= 2.5 && price.most_per_s <= 4_000.0);
            }
        }
    }

    #[test]
    fn no_text_stops_the_reader(
        sql in "\\PC{0,60}",
        soup in prop::collection::vec(
            prop::sample::select(vec![
                "SELECT", "FROM", "WHERE", "c", "c.a", ".", "*", "=", "'x'", "(", ")", "[", "]", "{", "}",
                "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "ESCAPE", "JOIN", "AS", "@p", "1", "-", "?", ":",
                "??", ",", "EXISTS", "ARRAY_CONTAINS", "STARTSWITH", "udf", "null", ";", "--", "/*", "\n", "\"",
            ]),
            0..40,
        ),
    ) {
        let soup = soup.join(" ");
        for text in [
            sql.clone(),
            format!("SELECT * FROM c WHERE {sql}"),
            soup.clone(),
            format!("SELECT * FROM c WHERE {soup}"),
            format!("SELECT * FROM {soup}"),
        ] {
            match Query::parse(&text) {
                Ok(query) => {
                    let _ = route(&query, &key("/a > /b"), &RoutedLayout::even(3));
                }
                Err(fault) => prop_assert!(fault.at <= text.len() && !fault.sentence(&text).is_empty()),
            }
            let _ = Workload::parse(&text);
            let _ = Workload::parse(&format!("[{text}]"));
            let _ = Workload::parse(&format!("-- rate: {text}\n-- @x: {text}\n{text}"));
        }
    }
}
