//! Documents against a plain reading of the same text, whatever the threads, pieces and limits.

use std::collections::BTreeMap;
use std::io::Write;

use proptest::prelude::*;
use serde_json::{Map, Value as Json};

use super::*;
use crate::model::documents::{Cells, Value};
use crate::source::input::{Inputs, find};

/// A file that lives as long as the test.
struct File(tempfile::NamedTempFile);

#[expect(clippy::disallowed_methods, reason = "a test writes files")]
fn file(bytes: &[u8]) -> File {
    let mut made = tempfile::NamedTempFile::new().unwrap();
    made.write_all(bytes).unwrap();
    File(made)
}

impl File {
    fn inputs(&self) -> Inputs {
        find(&[self.0.path().to_owned()], &|| true).unwrap()
    }

    fn read(&self, options: &Options) -> Loaded {
        read(&self.inputs(), options, &Watch::default()).unwrap()
    }

    fn refused(&self) -> String {
        match read(&self.inputs(), &Options::every(), &Watch::default()) {
            Err(e) => format!("{e} / {}", e.hint().unwrap_or_default()),
            Ok(loaded) => panic!("taken: {:?}", loaded.sources),
        }
    }
}

fn every(threads: usize) -> Options {
    Options {
        threads,
        ..Options::every()
    }
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
        any::<f64>().prop_filter_map("finite", |f| serde_json::Number::from_f64(f)
            .map(Json::Number)),
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
        let loaded = file(lines.join("\n").as_bytes()).read(&Options::named(wanted));
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
        let sound = |line: &&[u8]| serde_json::from_slice::<Map<String, Json>>(line).is_ok();
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
        let extra = if i % 7 == 0 { ",\"note\":null" } else { "" };
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
fn fingerprint(loaded: &Loaded) -> String {
    let mut out = format!(
        "{:?} {:?} {:?}",
        loaded.documents.bytes(),
        loaded.documents.seen(),
        loaded.notes
    );
    for column in loaded.documents.columns() {
        let statistics = loaded.documents.statistics(column, 5);
        out.push_str(&format!("{} {statistics:?}", column.path()));
        match column.cells() {
            Cells::Codes { codes, dictionary } => {
                let values: Vec<_> = dictionary.values().collect();
                out.push_str(&format!("{codes:?} {values:?}"));
            }
            Cells::Hashes { hashes, seconds } => out.push_str(&format!("{hashes:?} {seconds:?}")),
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
            let turns = Turns::new(Table::new(&options.limits, &options.wanted));
            let inputs = file.inputs();
            let opened = inputs.inputs[0].open().unwrap();
            let ended = read_one(&opened, 0, &options, &turns, &Watch::default()).unwrap();
            let Ended::Read(info) = ended else { panic!() };
            let mut loaded = Loaded {
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
