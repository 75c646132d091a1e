//! What a container read tells of partitions when it is asked to, which the emulator does not: computed from what is stored.

use std::collections::BTreeMap;

use cosmoscope::model::epk::{self, Epk};
use cosmoscope::model::key::{Key, KeyDefinition};
use serde_json::{Value, json};

/// The service lists the largest keys only.
const LISTED_KEYS: usize = 100;

/// What was stored, by database and container.
#[derive(Debug, Default)]
pub struct StoredPartition(BTreeMap<(String, String), Book>);

#[derive(Debug)]
struct Book {
    definition: KeyDefinition,
    /// By the JSON text of the key.
    keys: BTreeMap<String, StoredKey>,
}

#[derive(Debug)]
struct StoredKey {
    epk: Epk,
    bytes: u64,
    documents: u64,
}

/// A range of hashes that a partition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub id: String,
    min: Epk,
    max: Epk,
}

pub fn read_ranges(feed: &[u8]) -> Vec<Range> {
    let feed: Value = serde_json::from_slice(feed).unwrap();
    let ranges = feed["PartitionKeyRanges"].as_array().unwrap().iter();
    let text = |range: &Value, name: &str| range[name].as_str().unwrap().to_owned();
    ranges
        .map(|range| Range {
            id: text(range, "id"),
            min: Epk::from_hex(&text(range, "minInclusive")).unwrap(),
            max: Epk::from_hex(&text(range, "maxExclusive")).unwrap(),
        })
        .collect()
}

impl StoredPartition {
    pub fn define(&mut self, database: &str, container: &str, definition: &KeyDefinition) {
        let book = Book { definition: definition.clone(), keys: BTreeMap::new() };
        self.0.insert((database.to_owned(), container.to_owned()), book);
    }

    /// Notes a document, and gives its key as the header of its request has it.
    pub fn add(&mut self, database: &str, container: &str, document: &str) -> String {
        let at = (database.to_owned(), container.to_owned());
        let book = self.0.get_mut(&at).expect("the container was created here");
        let value: Value = serde_json::from_str(document).unwrap();
        let parts: Vec<Value> =
            book.definition.paths.iter().map(|path| part(&value, path)).collect();
        let key = Value::from(parts).to_string();
        let parsed = Key::from_cell(&key).unwrap();
        let epk = epk::epk(parsed.parts(), &book.definition).expect("a key that can be hashed");
        let held =
            book.keys.entry(key.clone()).or_insert(StoredKey { epk, bytes: 0, documents: 0 });
        held.bytes += document.len() as u64;
        held.documents += 1;
        key
    }

    /// Adds `statistics` to the answer of a container read.
    pub fn add_statistics(
        &self,
        database: &str,
        container: &str,
        ranges: &[Range],
        times: u32,
        answer: &mut Vec<u8>,
    ) {
        let Some(book) = self.0.get(&(database.to_owned(), container.to_owned())) else {
            return;
        };
        let mut body: Value = serde_json::from_slice(answer).unwrap();
        // The service lists them in no order.
        let ranges = ranges.iter().rev();
        body["statistics"] = ranges.map(|range| book.statistics(range, u64::from(times))).collect();
        *answer = body.to_string().into_bytes();
    }
}

impl Book {
    fn statistics(&self, range: &Range, times: u64) -> Value {
        let inside = |held: &&StoredKey| range.min <= held.epk && held.epk < range.max;
        let mut keys: Vec<(&String, &StoredKey)> =
            self.keys.iter().filter(|(_, held)| inside(held)).collect();
        keys.sort_by(|(a, x), (b, y)| y.bytes.cmp(&x.bytes).then(a.cmp(b)));
        let kib = |bytes: u64| (bytes * times).div_ceil(1024);
        let listed: Vec<Value> = keys
            .iter()
            .take(LISTED_KEYS)
            .map(|(key, held)| {
                let key: Value = serde_json::from_str(key).unwrap();
                json!({"partitionKey": key, "sizeInKB": kib(held.bytes)})
            })
            .collect();
        json!({
            "id": range.id,
            "sizeInKB": kib(keys.iter().map(|(_, held)| held.bytes).sum()),
            "documentCount": keys.iter().map(|(_, held)| held.documents * times).sum::<u64>(),
            "sampledDistinctPartitionKeyCount": keys.len(),
            "partitionKeys": listed,
        })
    }
}

/// What a document holds at a path; nothing is written as the service writes it.
fn part(document: &Value, path: &str) -> Value {
    let mut at = document;
    for name in path.trim_start_matches('/').split('/') {
        match at.get(name) {
            Some(inner) => at = inner,
            None => return json!({}),
        }
    }
    at.clone()
}
