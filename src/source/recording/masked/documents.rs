//! Documents of a sample without anybody's values: names of properties that documents share, times, and how large each was.
//!
//! A name stays where it is a plain word and at least half of the documents of the page in which it is first seen have it:
//! what only some have may be data. The container's own key and properties that somebody chose stay, too.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use super::{MAX_SPELLINGS, MaskedRole, Masking};
use crate::model::iso::iso;
use crate::model::path::Path;
use crate::source::answers::Answer;
use crate::source::json::read;
use crate::source::live::pages;
use crate::source::sampled::{KEY, PageName, SIZES};

/// Longer names, and such with more digits, are data.
const MAX_NAME: usize = 40;
const MAX_DIGITS: usize = 4;
/// The moment of the last change, which the service sets: by it documents are dated.
const CHANGED: &str = "_ts";

/// Which names of properties are shown, by their path.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<Vec<String>, bool>);

impl Names {
    fn keep(&mut self, path: &Path) {
        let names: Vec<String> = path.names().map(str::to_owned).collect();
        for end in 1..=names.len() {
            if self.0.len() < MAX_SPELLINGS {
                self.0.insert(names.get(..end).unwrap_or_default().to_vec(), true);
            }
        }
    }

    /// Decides on names that were not seen before.
    fn learn(&mut self, documents: &[Value]) {
        let mut counts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for document in documents {
            count(document, &mut Vec::new(), &mut counts);
        }
        for (path, n) in counts {
            let is_plain = path.last().is_some_and(|name| is_plain(name));
            let is_shared = n * 2 >= documents.len();
            if self.0.len() < MAX_SPELLINGS {
                self.0.entry(path).or_insert(is_plain && is_shared);
            }
        }
    }

    fn is_kept(&self, path: &[String]) -> bool {
        self.0.get(path).copied().unwrap_or(false)
    }
}

fn count(value: &Value, at: &mut Vec<String>, counts: &mut BTreeMap<Vec<String>, usize>) {
    let Value::Object(members) = value else {
        return;
    };
    for (name, value) in members {
        at.push(name.clone());
        *counts.entry(at.clone()).or_default() += 1;
        count(value, at, counts);
        at.pop();
    }
}

fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    starts && name.len() <= MAX_NAME && digits <= MAX_DIGITS && name.bytes().all(is_letter)
}

impl Masking {
    /// The key of a container is what this is all about.
    pub(super) fn learn_key(&mut self, body: &Value) {
        let paths = body.pointer("/partitionKey/paths").and_then(Value::as_array);
        for path in paths.into_iter().flatten().filter_map(Value::as_str) {
            if let Ok(path) = Path::parse(path) {
                self.names.keep(&path);
            }
        }
    }

    /// The part of a question for a page: its properties by the names that they have here.
    pub(super) fn page(&mut self, name: &str) -> Option<String> {
        let mut page = PageName::parse(name)?;
        for path in page.paths.iter_mut().flatten() {
            self.names.keep(path);
        }
        // Whoever can guess a key can tell it by its hash.
        if page.is_key() {
            page.place = format!("{KEY}{}", (self.mask)(MaskedRole::Text, &page.place));
        }
        // Ids of ranges and other places in the hash space are nobody's.
        let is_word = super::is_word(&page.range) && super::is_word(&page.place);
        is_word.then(|| {
            let paths = page.paths.take();
            page.paths = paths.map(|paths| paths.iter().map(|path| self.path(path)).collect());
            page.name()
        })
    }

    fn path(&self, path: &Path) -> Path {
        let names = path.names();
        names.map(|name| self.property(name, true)).collect()
    }

    fn property(&self, name: &str, is_kept: bool) -> String {
        if is_kept && is_plain(name) {
            return name.to_owned();
        }
        (self.mask)(MaskedRole::Text, name)
    }

    /// The page without values; None where it is none.
    pub(super) fn documents(&mut self, answer: &Answer) -> Option<Vec<u8>> {
        let texts = pages::entries(&answer.body)?;
        let sizes: Vec<usize> = texts.iter().map(|text| read::compact(text).len()).collect();
        let read = |text: &&str| serde_json::from_str::<Value>(text).ok();
        let documents: Vec<Value> = texts.iter().map(read).collect::<Option<_>>()?;
        self.names.learn(&documents);
        let masked: Vec<Value> =
            documents.iter().map(|document| self.document(document, &mut Vec::new())).collect();
        let count = masked.len();
        let body = json!({"Documents": masked, "_count": count, SIZES: sizes});
        Some(body.to_string().into_bytes())
    }

    fn document(&self, value: &Value, at: &mut Vec<String>) -> Value {
        match value {
            Value::Object(members) => {
                let mut made = Map::new();
                for (name, value) in members {
                    at.push(name.clone());
                    let shown = self.property(name, self.names.is_kept(at));
                    made.insert(shown, self.document(value, at));
                    at.pop();
                }
                Value::Object(made)
            }
            // No key is made of a list.
            Value::Array(_) => Value::Array(Vec::new()),
            Value::Null | Value::Bool(_) => value.clone(),
            Value::String(text) if text.is_empty() || iso(text.as_bytes()).is_some() => {
                value.clone()
            }
            Value::Number(_) if at.len() == 1 && at.iter().all(|name| name == CHANGED) => {
                value.clone()
            }
            Value::String(_) | Value::Number(_) => {
                let key = self.key_part(value);
                key.unwrap_or(Value::Null)
            }
        }
    }

    /// As it would be called where it is the key: so documents and statistics have the same names.
    fn key_part(&self, value: &Value) -> Option<Value> {
        let masked = (self.mask)(MaskedRole::Key, &json!([value]).to_string());
        let list: Value = serde_json::from_str(&masked).ok()?;
        list.get(0).cloned()
    }
}
