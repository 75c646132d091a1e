//! Documents against a plain reading of the same text, whatever the threads, pieces and limits.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test writes files and may panic"
)]

mod columnar;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

use super::*;
use crate::model::documents::{ColumnCells, Value, statistics};
use crate::source::input::{Inputs, find};

/// A file that lives as long as the test.
struct File(tempfile::NamedTempFile);

fn file(bytes: &[u8]) -> File {
    let mut made = tempfile::NamedTempFile::new().unwrap();
    made.write_all(bytes).unwrap();
    File(made)
}

impl File {
    fn inputs(&self) -> Inputs {
        find(&[self.0.path().to_owned()], &|| true).unwrap()
    }

    fn read(&self, options: &DocumentOptions) -> LoadedDocuments {
        read(&self.inputs(), options, &Watch::default()).unwrap()
    }

    fn refused(&self) -> String {
        match read(&self.inputs(), &DocumentOptions::every(), &Watch::default()) {
            Err(e) => format!("{e} / {}", e.hint().unwrap_or_default()),
            Ok(loaded) => panic!("taken: {:?}", loaded.sources),
        }
    }
}

fn every(threads: usize) -> DocumentOptions {
    DocumentOptions { threads, ..DocumentOptions::every() }
}

fn paths(texts: &[&str]) -> Vec<Path> {
    texts.iter().map(|t| Path::parse(t).unwrap()).collect()
}

/// A value as the test writes it: by kind and identity.
fn written(value: Value<'_>) -> String {
    match value {
        Value::Missing => String::new(),
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(text) => format!("n{:?}", text.parse::<f64>().unwrap() + 0.0),
        Value::Text(text) => format!("t{text}"),
        Value::Cut(text) => format!("c{}", text.len()),
        Value::Array => "[]".to_owned(),
        Value::Object => "{}".to_owned(),
        Value::TooLarge => "large".to_owned(),
    }
}

/// Every column as text by path, row by row.
fn table(documents: &Documents) -> BTreeMap<String, Vec<String>> {
    let column = |c: &crate::model::documents::Column| {
        let values = (0..documents.len()).map(|row| c.value(row).map_or("#".to_owned(), written));
        (c.path().to_string(), values.collect())
    };
    documents.columns().iter().map(column).collect()
}

/// The same by a plain reading of one object.
fn flatten(object: &Map<String, Json>, before: &[Box<str>], out: &mut BTreeMap<String, String>) {
    for (name, value) in object {
        let mut names = before.to_vec();
        names.push(name.as_str().into());
        let text = match value {
            Json::Null => "null".to_owned(),
            Json::Bool(b) => b.to_string(),
            Json::Number(n) => format!("n{:?}", n.as_f64().unwrap() + 0.0),
            Json::String(text) => format!("t{text}"),
            Json::Array(_) => "[]".to_owned(),
            Json::Object(inner) => {
                flatten(inner, &names, out);
                "{}".to_owned()
            }
        };
        out.insert(Path(names).to_string(), text);
    }
}

fn expected(documents: &[Json]) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (row, document) in documents.iter().enumerate() {
        let mut values = BTreeMap::new();
        flatten(document.as_object().unwrap(), &[], &mut values);
        for (path, value) in values {
            let column = out.entry(path).or_default();
            column.resize(row, String::new());
            column.push(value);
        }
    }
    for column in out.values_mut() {
        column.resize(documents.len(), String::new());
    }
    out
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof!["[abc]", "[abc]", "plant name", "a\"b\\\\", "é/", ""]
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-5_i64..5).prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>()
            .prop_filter_map("finite", |f| serde_json::Number::from_f64(f).map(Json::Number)),
        "[ab]{0,2}".prop_map(Json::String),
        "\\PC{0,6}".prop_map(Json::String),
        "[\"\\\\\n\u{1}é😀]{0,4}".prop_map(Json::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::Array),
            any_object(inner),
        ]
    })
}

fn any_object(inner: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    prop::collection::vec((any_name(), inner), 0..4)
        .prop_map(|members| Json::Object(members.into_iter().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn columns_are_what_a_plain_reading_finds(
        documents in prop::collection::vec(any_object(any_json()), 1..12),
        pretty in any::<bool>(),
    ) {
        let compact: Vec<String> = documents.iter().map(Json::to_string).collect();
        let list = if pretty {
            serde_json::to_string_pretty(&documents).unwrap()
        } else {
            format!("[{}]", compact.join(","))
        };
        for text in [compact.join("\n"), list] {
            let loaded = file(text.as_bytes()).read(&every(2));
            prop_assert_eq!(table(&loaded.documents), expected(&documents));
            let sizes: Vec<usize> = compact.iter().map(String::len).collect();
            let found: Vec<usize> = loaded.documents.bytes().iter().map(|b| *b as usize).collect();
            prop_assert_eq!(found, sizes);
        }
    }

    #[test]
    fn named_paths_hold_what_every_path_holds(
        documents in prop::collection::vec(any_object(any_json()), 1..12),
    ) {
        let lines: Vec<String> = documents.iter().map(Json::to_string).collect();
        let wanted = paths(&["/a", "/b/c", "/a/b", "/x"]);
        let loaded = file(lines.join("\n").as_bytes()).read(&DocumentOptions::named(wanted));
        let all = expected(&documents);
        let found = table(&loaded.documents);
        prop_assert_eq!(found.len(), 4);
        for (path, values) in found {
            let nothing = vec![String::new(); documents.len()];
            prop_assert_eq!(&values, all.get(&path).unwrap_or(&nothing), "{}", path);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&file(&bytes).inputs(), &every(2), &Watch::default());
    }

    #[test]
    fn damaged_documents_are_read_or_refused(
        documents in prop::collection::vec(any_object(any_json()), 1..4),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let lines: Vec<String> = documents.iter().map(Json::to_string).collect();
        let mut bytes = lines.join("\n").into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        // Each line is taken exactly where a strict reader takes it.
        let sound = |line: &&[u8]| {
            let text = std::str::from_utf8(line).unwrap_or_default();
            serde_json::from_str::<IgnoredAny>(text).is_ok() && text.trim_start().starts_with('{')
        };
        let lines = bytes.split(|b| *b == b'\n');
        let wanted = lines.filter(sound).count();
        match read(&file(&bytes).inputs(), &every(1), &Watch::default()) {
            Ok(loaded) if loaded.sources[0].shape == "documents as JSON lines" => {
                prop_assert_eq!(loaded.documents.len(), wanted);
            }
            _ => {}
        }
    }
}

fn many(count: usize) -> String {
    let line = |i: usize| {
        let extra = if i.is_multiple_of(7) { ",\"note\":null" } else { "" };
        format!(
            "{{\"id\":\"{i:08}\",\"k\":\"key {}\",\"t\":\"2026-01-{:02}T00:00:{:02}Z\",\"n\":{}{extra},\"path{}\":1}}\n",
            i * i % 97,
            1 + i / 10 % 28,
            i % 60,
            i % 11,
            i % 30,
        )
    };
    (0..count).map(line).collect()
}

/// All there is to compare of two readings.
fn fingerprint(loaded: &LoadedDocuments) -> String {
    let mut out =
        format!("{:?} {:?} {:?}", loaded.documents.bytes(), loaded.documents.seen(), loaded.notes);
    for column in loaded.documents.columns() {
        let statistics = statistics(column, 5);
        let _ = write!(out, "{} {statistics:?}", column.path());
        match column.cells() {
            ColumnCells::Codes { codes, dictionary } => {
                let values: Vec<_> = dictionary.values().collect();
                let _ = write!(out, "{codes:?} {values:?}");
            }
            ColumnCells::Hashes { hashes, seconds } => {
                let _ = write!(out, "{hashes:?} {seconds:?}");
            }
        }
    }
    out
}

#[test]
fn threads_change_nothing() {
    let file = file(many(20_000).as_bytes());
    for (memory_mib, values, limit) in [(256, 1 << 20, 1_024), (256, 5_000, 20), (97, 5_000, 1_024)]
    {
        let with = |threads: usize| {
            let mut options = every(threads);
            options.limits.values = values;
            options.limits.paths = limit;
            options.limits.memory_bytes = memory_mib << 20;
            let turns = OrderedTable::new(Table::new(&options.limits, &options.paths));
            let inputs = file.inputs();
            let opened = inputs.readable().next().unwrap().open().unwrap();
            let ended = read_one(&opened, 0, &options, &turns, &Watch::default()).unwrap();
            let ReadEnd::Read(info) = ended else { panic!() };
            let mut loaded = LoadedDocuments {
                weighed: None,
                documents: turns.finish(),
                sources: vec![*info],
                notes: Vec::new(),
            };
            loaded.describe();
            loaded
        };
        let one = with(1);
        assert_eq!(one.documents.seen().documents, 20_000);
        assert_eq!(one.documents.is_sampled(), memory_mib == 97);
        let first = fingerprint(&one);
        for threads in [2, 3, 5] {
            let other = fingerprint(&with(threads));
            let at = other.bytes().zip(first.bytes()).position(|(a, b)| a != b);
            let from = at.unwrap_or(0).saturating_sub(200);
            assert!(
                other == first,
                "{threads} threads, {memory_mib} MiB: {} instead of {}",
                &other[from..from + 300],
                &first[from..from + 300]
            );
        }
    }
}

#[test]
fn every_packing_and_form_gives_the_same_columns() {
    let lines = "{\"id\":\"1\",\"a\":{\"b\":1.50,\"c d\":null},\"l\":[1]}\r\n\r\n{ \"id\" : \"2\", \"a\": {\"b\":true}}";
    let plain = file(lines.as_bytes()).read(&every(2));
    assert_eq!(plain.documents.bytes(), [44, 25]);
    let list = format!("[{}]", lines.replace("\r\n\r\n", ","));
    let answer = format!("{{\"_rid\":\"x\",\"Documents\":{list},\"_count\":2}}");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(lines.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for bytes in [list.as_bytes(), answer.as_bytes(), &utf16] {
        for bytes in [bytes.to_vec(), packed(bytes)] {
            let loaded = file(&bytes).read(&every(2));
            assert_eq!(table(&loaded.documents), table(&plain.documents));
            assert_eq!(loaded.documents.bytes(), [44, 25]);
        }
    }
    let found = table(&plain.documents);
    assert_eq!(found["/a/b"], ["n1.5", "true"]);
    assert_eq!(found["/a/\"c d\""], ["null", ""]);
    assert_eq!(found["/l"], ["[]", ""]);
    assert_eq!(found["/a"], ["{}", "{}"]);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn rows_of_a_table_are_documents() {
    let text = "id,a.b,/c/d,e\r\n1,\"x \"\"y\"\"\",007,\r\n2,\"3\",1e2,\"\"\r\nbroken\r\n\"4\n\",null,true,é\r\n";
    let loaded = file(text.as_bytes()).read(&every(1));
    let found = table(&loaded.documents);
    assert_eq!(found["/id"], ["n1.0", "n2.0", "t4\n"]);
    assert_eq!(found["/a.b"], ["tx \"y\"", "t3", "null"]);
    assert_eq!(found["/c/d"], ["t007", "n100.0", "true"]);
    assert_eq!(found["/e"], ["", "t", "té"]);
    assert_eq!(loaded.sources[0].skipped, 1);
    assert_eq!(loaded.sources[0].row_errors[0].line, 4);
    assert_eq!(loaded.documents.bytes()[0], 16);
    let named = file(text.as_bytes()).read(&DocumentOptions::named(paths(&["/c/d", "/gone"])));
    assert_eq!(table(&named.documents)["/gone"], [""; 3]);
}

#[test]
fn broken_documents_are_counted_and_listed_with_their_reason() {
    let mut text = "{\"a\":1}\n".to_owned();
    let deep = format!("{}1{}", "{\"a\":".repeat(65), "}".repeat(65));
    for broken in ["{\"a\":2", "[1]", "7", "{\"a\":01}", "{\"a\":2}}", &deep] {
        text.push_str(broken);
        text.push('\n');
    }
    text.push_str(&"{\"a\":nul}\n".repeat(30));
    let _ = writeln!(text, "{{\"a\":\"{}\"}}", "x".repeat(2 << 20));
    text.push_str("{\"a\":3,\"big\":1e999}");
    for threads in [1, 3] {
        let loaded = file(text.as_bytes()).read(&every(threads));
        let source = &loaded.sources[0];
        assert_eq!(table(&loaded.documents)["/a"], ["n1.0", "n3.0"]);
        assert_eq!(table(&loaded.documents)["/big"], ["", "large"]);
        assert_eq!((source.rows, source.skipped), (2, 37));
        assert_eq!(source.row_errors.len(), 20);
        let said: Vec<&str> = source.row_errors.iter().map(|e| e.detail.as_str()).collect();
        assert_eq!(said[1], "a list where a document was expected");
        assert_eq!(said[2], "a single value where a document was expected");
        assert!(said[5].contains("64 levels"), "{said:?}");
    }
}

#[test]
fn what_is_no_document_is_refused_with_what_to_do() {
    let log = "{\"time\":\"2026-01-01\",\"resourceId\":\"/SUBSCRIPTIONS/X\",\"category\":\"PartitionKeyStatistics\",\"properties\":{}}\n";
    for (bytes, words) in [
        (log.as_bytes(), "cosmoscope report"),
        (b"PartitionKey,SizeKb\n\"[1]\",5\n", "cosmoscope report"),
        (b"{\"tables\":[{\"name\":\"PrimaryResult\",\"rows\":[]}]}", "cosmoscope report"),
        (b"just some words\n", "give documents"),
        (b"", "give documents"),
        (b"[1,2,3]", "a single value"),
        (b"{\"a\":", "no valid document"),
        (b"PK\x03\x04 zip", "ZIP"),
    ] {
        let said = file(bytes).refused();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_stands_before_a_fault_is_used_and_the_fault_said() {
    let loaded = file(b"[{\"a\":1},{\"a\":2},\n{\"a\":\"x]").read(&every(1));
    assert_eq!(loaded.documents.len(), 2);
    let source = &loaded.sources[0];
    assert!(source.incomplete);
    assert!(source.notes[0].contains("line 2"), "{:?}", source.notes);
}

#[test]
fn a_stop_is_heard() {
    let file = file(many(20_000).as_bytes());
    let watch = Watch::default();
    watch.stop();
    let stopped = read(&file.inputs(), &every(2), &watch);
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn several_inputs_are_one_set_of_documents() {
    let (one, two) = (file(b"{\"a\":1}\n"), file(b"a,b\n2,x\n"));
    let foreign = file(b"\x89PNG");
    let named = [&one, &two, &foreign].map(|f| f.0.path().to_owned());
    let inputs = find(&named, &|| true).unwrap();
    let watch = Watch::default();
    let loaded = read(&inputs, &every(2), &watch).unwrap();
    assert_eq!(table(&loaded.documents)["/a"], ["n1.0", "n2.0"]);
    assert_eq!(table(&loaded.documents)["/b"], ["", "tx"]);
    assert!(loaded.sources[2].refused.is_some());
    assert_eq!(watch.rows.load(Ordering::Relaxed), 2);
    let (done, total) = (&watch.done_bytes, &watch.total_bytes);
    assert!(done.load(Ordering::Relaxed) <= total.load(Ordering::Relaxed));
}

#[test]
fn a_scenario_gives_documents_with_a_time() {
    let loaded = of_scenario("car", "by-model", 3_000, &every(1), &Watch::default()).unwrap();
    assert_eq!(loaded.documents.len(), 3_000);
    assert_eq!(loaded.sources[0].skipped, 0);
    assert!(!loaded.documents.time_columns().is_empty());
}

#[test]
fn a_property_with_two_values_costs_its_document() {
    let lines = [
        r#"{"id":"1","x":1}"#,
        r#"{"id":"2","x":1,"x":2}"#,
        r#"{"id":"3","x":1, "x" : 1,"y":{"a":1},"y":{"a":1}}"#,
        r#"{"id":"4","y":{"a":1,"a":"1"}}"#,
        r#"{"id":"5","y":{"a":1},"y":{"b":1}}"#,
        r#"{"id":"6","l":[{"a":1},{"a":2}],"y":{"a":5}}"#,
    ];
    let loaded = file(lines.join("\n").as_bytes()).read(&every(1));
    assert_eq!(table(&loaded.documents)["/id"], ["t1", "t3", "t6"]);
    let [source] = &loaded.sources[..] else { panic!("{:?}", loaded.sources) };
    let errors = source.row_errors.iter().map(|e| e.line);
    assert_eq!(errors.collect::<Vec<_>>(), [2, 4, 5]);
    assert!(source.row_errors[0].detail.contains("given twice"));
    let rows = "id,x,/y,x\n1,5,a,5\n2,5,a,6\n3,,a,6\n";
    let loaded = file(rows.as_bytes()).read(&every(1));
    assert_eq!(table(&loaded.documents)["/x"], ["n5.0", "n6.0"]);
    assert_eq!(loaded.sources[0].row_errors[0].line, 3);
    assert!(loaded.sources[0].row_errors[0].detail.contains("two values"));
}

/// The first name is written with an escape; unescaped it reads as the start of the second document.
#[test]
fn a_name_full_of_quotes_is_not_taken_for_two() {
    let lines = [r#"{"x\":1,\"y":0,"z":1}"#, r#"{"x":1,"y":0,"z":2}"#, r#"{"x\":1,\"y":3,"z":3}"#];
    let documents: Vec<Json> = lines.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    let loaded = file(lines.join("\n").as_bytes()).read(&every(1));
    assert_eq!(table(&loaded.documents), expected(&documents));
}
