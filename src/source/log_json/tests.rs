//! Records in any order and spelling, against a reading by `serde_json`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::*;
use crate::model::capture::{Capture, CaptureBuilder};
use crate::model::names::ContainerName;
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::source::dialect::{self, Dialect};
use crate::source::records::{EmptyCell, Pass};

/// JSON with its members in order, twins and all.
#[derive(Clone, Debug)]
enum Json {
    Null,
    Text(String),
    Whole(u64),
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct AnyJson;
        impl<'de> Visitor<'de> for AnyJson {
            type Value = Json;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("JSON")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
                Ok(Json::Whole(number))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Json::Object(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = list.next_element()? {
                    elements.push(element);
                }
                Ok(Json::List(elements))
            }
        }
        from.deserialize_any(AnyJson)
    }
}

/// Writes JSON with blanks and escapes wherever they may stand, as `choices` say.
fn write(json: &Json, choices: &mut impl Iterator<Item = u8>, out: &mut String) {
    let blank = |choices: &mut dyn Iterator<Item = u8>, out: &mut String| {
        if let Some(b @ 0..4) = choices.next() {
            out.push([' ', '\t', '\r', ' '][usize::from(b)]);
        }
    };
    blank(choices, out);
    match json {
        Json::Null => out.push_str("null"),
        Json::Whole(n) => write!(out, "{n}").unwrap(),
        Json::Text(text) => write_text(text, choices, out),
        Json::Object(members) => {
            out.push('{');
            for (i, (name, value)) in members.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                blank(choices, out);
                write_text(name, choices, out);
                blank(choices, out);
                out.push(':');
                write(value, choices, out);
            }
            out.push('}');
        }
        Json::List(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write(element, choices, out);
            }
            out.push(']');
        }
    }
    blank(choices, out);
}

fn write_text(text: &str, choices: &mut impl Iterator<Item = u8>, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        let escape_all = choices.next().is_some_and(|b| b % 6 == 0);
        match c {
            _ if escape_all => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04X}").unwrap();
                }
            }
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).unwrap(),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The same structure with other values.
fn varied(json: &Json) -> Json {
    match json {
        Json::Whole(n) => Json::Whole(n * 7 + 1),
        Json::Text(text) if text.starts_with("2026") || text.starts_with("Partition") => {
            json.clone()
        }
        Json::Text(text) if text.parse::<u64>().is_ok() => Json::Text(format!("{text}5")),
        Json::Text(text) => Json::Text(text.replace('a', "\"b").replace('/', "")),
        Json::Object(members) => {
            let members = members.iter().map(|(n, v)| (n.clone(), varied(v)));
            Json::Object(members.collect())
        }
        Json::Null | Json::List(_) => json.clone(),
    }
}

/// The cells of a record: the first filled one of each kind, in `properties` as well.
fn cells(record: &Json) -> BTreeMap<Field, String> {
    fn put(name: &str, value: &Json, out: &mut BTreeMap<Field, String>) {
        let Some(field) = field_of(name) else { return };
        let text = match value {
            Json::Text(text) => text.clone(),
            Json::Whole(number) => number.to_string(),
            _ => String::new(),
        };
        let held = out.entry(field).or_default();
        if held.is_empty() {
            *held = text;
        }
    }
    let mut out = BTreeMap::new();
    let Json::Object(members) = record else {
        return out;
    };
    for (name, value) in members {
        match value {
            Json::Object(inner) if name.eq_ignore_ascii_case("properties") => {
                for (name, value) in inner {
                    put(name, value, &mut out);
                }
            }
            value => put(name, value, &mut out),
        }
    }
    out
}

/// The texts of a record by field, where a field decides whose the record is or what it says.
fn collect_cells(record: &Json, found: &mut BTreeMap<Field, Vec<String>>) {
    let Json::Object(members) = record else {
        return;
    };
    for (name, value) in members {
        let text = match value {
            Json::Object(_) if name.eq_ignore_ascii_case("properties") => {
                collect_cells(value, found);
                continue;
            }
            Json::Text(text) => text.clone(),
            Json::Whole(number) => number.to_string(),
            _ => continue,
        };
        let field = field_of(name).filter(|f| f.plural().is_some());
        if let Some(field) = field.filter(|_| !text.is_empty()) {
            found.entry(field).or_default().push(text);
        }
    }
}

/// Two values of one field are none.
fn is_told_twice(record: &Json) -> bool {
    let mut found = BTreeMap::new();
    collect_cells(record, &mut found);
    found.iter().any(|(field, texts)| {
        let same = |text: &String| *text == texts[0] || field.is_same(&texts[0], text);
        !texts.iter().all(same)
    })
}

/// Puts a record into a table the plain way; false where it has no key or no size, or two values of one field.
fn take(record: &Json, builder: &CaptureBuilder) -> bool {
    let cells = cells(record);
    let filled = |field| cells.get(&field).map(String::as_str).filter(|c| !c.is_empty());
    let (Some(key), Some(size)) = (cells.get(&Field::Key), filled(Field::Size)) else {
        return false;
    };
    if is_told_twice(record) {
        return false;
    }
    let name = ContainerName::new(
        filled(Field::Account),
        filled(Field::Database),
        filled(Field::Container),
    );
    let container = builder.container(&name).unwrap();
    let region = builder.region(filled(Field::Region).unwrap_or("")).unwrap();
    let when = match Dialect::default().when(filled(Field::Time).map(str::as_bytes)) {
        dialect::CellTime::At(stamp, trust) => SampleTime::new(Some(stamp), trust),
        dialect::CellTime::Missing => SampleTime::new(None, Trust::Exact),
        dialect::CellTime::Unreadable => SampleTime::new(None, Trust::Weak),
    };
    let kib = size.parse().unwrap();
    let mut batch = builder.sizes().batch();
    batch.push_cell(container, region, key.as_bytes(), Sample { when, kib });
    builder.sizes().apply(&mut batch, 0);
    true
}

/// Everything sorted, in words.
fn dump(capture: &Capture) -> Vec<String> {
    let mut out = Vec::new();
    for (_, view) in capture.sizes.iter() {
        let title = capture.container(view.container()).unwrap().name.title();
        for series in view.series() {
            let mut samples: Vec<String> =
                series.samples.iter().map(|s| format!("{s:?}")).collect();
            samples.sort();
            let region = capture.regions.text(series.region.into());
            let found = view.as_found();
            out.push(format!("{title} {region} {:?} {found:?} {samples:?}", view.canonical()));
        }
    }
    out.sort();
    out
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ab\"\\\\\n\t/é字😀]{0,4}",
        1 => Just(String::new()),
    ]
}

fn any_member() -> impl Strategy<Value = (String, Json)> {
    let named =
        |names: &'static [&'static str]| proptest::sample::select(names).prop_map(str::to_owned);
    let text = || any_text().prop_map(Json::Text);
    let key = prop_oneof![
        any_text().prop_map(|t| format!("[{}]", serde_json::to_string(&t).unwrap())),
        (0..20_u32).prop_map(|n| format!("[{n}.0, \"x\"]")),
        any_text(),
    ];
    let size = prop_oneof![
        (0..3_u64).prop_map(Json::Whole),
        (0..3_u64).prop_map(|n| Json::Text(n.to_string())),
    ];
    let time = (1..9_u8).prop_map(|d| Json::Text(format!("2026-06-0{d}T00:00:00Z")));
    let nothing = prop_oneof![
        Just(Json::Null),
        text(),
        Just(Json::List(vec![Json::Object(vec![("sizeKb".into(), Json::Whole(9))])])),
        Just(Json::Object(vec![("partitionKey".into(), Json::Text("[9]".into()))])),
    ];
    prop_oneof![
        4 => (named(&["partitionKey", "PartitionKey_s"]), key.prop_map(Json::Text)),
        4 => (named(&["sizeKb", "SIZEKB"]), size),
        2 => (named(&["collectionName", "databaseName", "accountName", "regionName"]), text()),
        1 => (named(&["collectionName", "databaseName", "partitionKey"]), Just(Json::Null)),
        2 => (named(&["time", "TimeGenerated"]), time),
        2 => (named(&["x", "", "Records2", "nested", "partition key"]), nothing),
    ]
}

fn any_record() -> impl Strategy<Value = Json> {
    let members = || proptest::collection::vec(any_member(), 0..6);
    (members(), members(), any::<proptest::sample::Index>()).prop_map(|(outer, inner, at)| {
        let mut all = outer;
        let category = Json::Text("PartitionKeyStatistics".into());
        all.push(("category".into(), category));
        let place = at.index(all.len());
        all.insert(place, ("Properties".into(), Json::Object(inner)));
        all.rotate_left(place / 2);
        Json::Object(all)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn records_are_read_as_by_a_plain_reader(
        all in proptest::collection::vec(any_record(), 1..8),
        choices in proptest::collection::vec(any::<u8>(), 1..200),
        wrapped in any::<bool>(),
        plain in any::<bool>(),
    ) {
        // Records of a structure met before are read in another way.
        let more: Vec<Json> = all.iter().flat_map(|r| [varied(r), r.clone(), varied(r)]).collect();
        let all = [all, more].concat();
        let choices = if plain { vec![1 + 6 * 40] } else { choices };
        let mut choices = choices.iter().copied().cycle();
        let mut lines = String::new();
        if wrapped {
            let list = Json::List(all.clone());
            write(&Json::Object(vec![("records".into(), list)]), &mut choices, &mut lines);
        } else {
            for record in &all {
                write(record, &mut choices, &mut lines);
                lines.push('\n');
            }
        }
        let naive = CaptureBuilder::new(1);
        let mut taken = 0;
        for line in lines.lines() {
            let read: Json = serde_json::from_str(line).unwrap();
            let records = match &read {
                Json::Object(m) if wrapped => match &m[0].1 {
                    Json::List(elements) => elements.clone(),
                    other => vec![other.clone()],
                },
                _ => vec![read],
            };
            taken += records.iter().filter(|r| take(r, &naive)).count();
        }
        let builder = CaptureBuilder::new(1);
        let dialect = Dialect::default();
        let mut records = RecordTaker::new(&builder, &dialect, 0, Pass::First, EmptyCell::Blank);
        Reader::default().take_lines(lines.as_bytes(), 1, &mut records);
        records.flush();
        let counted = (records.tally.sizes, records.tally.skipped);
        drop(records);
        prop_assert_eq!(counted, (taken as u64, (all.len() - taken) as u64), "{}", lines);
        prop_assert_eq!(dump(&builder.finish()), dump(&naive.finish()), "{}", lines);
    }
}

fn counted(text: &str) -> (u64, u64) {
    let builder = CaptureBuilder::new(1);
    let dialect = Dialect::default();
    let mut records = RecordTaker::new(&builder, &dialect, 0, Pass::First, EmptyCell::Blank);
    Reader::default().take_lines(text.as_bytes(), 1, &mut records);
    (records.tally.sizes, records.tally.skipped)
}

#[test]
fn what_follows_a_record_costs_no_record_and_gives_none() {
    let record = r#"{"category":"PartitionKeyStatistics","partitionKey":"[5]","sizeKb":"7"}"#;
    assert_eq!(counted(record), (1, 0));
    assert_eq!(counted(&format!("{record}{record}\n{record}")), (3, 0));
    assert_eq!(counted(&format!("{record} trailing")), (1, 1));
    assert_eq!(counted(&format!("{record},")), (1, 1));
    // Of a bracket too many nobody knows which one is.
    assert_eq!(counted(&format!("{record}}}\n{record} ]")), (0, 2));
    assert_eq!(counted(&format!("{{\"records\":[{record}]}}}}")), (0, 1));
    assert_eq!(counted(&format!("{{\"records\":[{record}]}} trailing")), (1, 1));
    assert_eq!(counted(&format!("{record}{{\"x\":")), (1, 1));

    let wrapper = record.replace('}', r#","records":{}}"#);
    assert_eq!(counted(&format!("{wrapper}\n{wrapper}")), (0, 2));
}

#[test]
fn the_form_of_older_documentation_is_repaired() {
    let line = r#"{ "properties": {"collectionname": "orders","partitionkey": "["a","b\"c"]","sizeKb": "5"}}"#;
    let mut out = String::new();
    assert!(repair(line, &mut out));
    assert!(out.contains(r#""partitionkey": "[\"a\",\"b\\"c\"]","sizeKb""#), "{out}");
    assert!(!repair("{\"time\":1}", &mut out));
}
