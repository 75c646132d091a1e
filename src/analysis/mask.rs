//! Stable invented names for everything that tells whose data it is, from a secret salt.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::model::key::{Key, Part};
use crate::model::names::{ContainerName, is_guid};

use super::rows::{Note, Report};

/// Hexadecimal digits after a name's kind: enough for the containers of an account.
const NAME_DIGITS: usize = 6;
/// The same for keys, of which there are millions.
const KEY_DIGITS: usize = 12;
/// Shorter names are replaced in sentences only where they stand as words.
const SHORT_NAME: usize = 3;
/// Keys whose texts are looked for in sentences.
const MAX_KEYS_IN_TEXT: usize = 1000;
/// Characters of a GUID, by which subscriptions and tenants are named.
const GUID_LEN: usize = 36;

/// What our own sentences name in backticks: nobody's, and needed to understand the sentence.
const OWN_WORDS: [&str; 16] = [
    "AdditionalFields",
    "CDBPartitionKeyStatistics",
    "PartitionKey",
    "PartitionKeyStatistics",
    "RequestCount",
    "SizeKb",
    "binary",
    "ceiling",
    "decimal",
    "memory",
    "partitionKey",
    "records",
    "requestCharge",
    "sizeKb",
    "statusCode",
    "time_zone",
];

words! {
    /// What a pseudonym stands for; it is part of what is hashed and of what is shown.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NameKind {
        Account = "account",
        Subscription = "subscription",
        ResourceGroup = "group",
        Database = "database",
        Container = "container",
        Key = "key",
        Number = "number",
        Object = "object",
        File = "file",
        Text = "text",
    }
    fn word
}

impl NameKind {
    fn digits(self) -> usize {
        match self {
            Self::Key | Self::Number | Self::Object | Self::Text => KEY_DIGITS,
            _ => NAME_DIGITS,
        }
    }
}

/// The same salt, kind and name always give the same pseudonym.
pub fn pseudonym(salt: &[u8], kind: NameKind, name: &str) -> String {
    // The length ends the salt, the zero byte the kind: no two inputs run into one.
    let hash = Sha256::new()
        .chain_update((salt.len() as u64).to_le_bytes())
        .chain_update(salt)
        .chain_update(kind.word())
        .chain_update([0])
        .chain_update(name);
    format!("{}-{}", kind.word(), hex(hash, kind.digits()))
}

/// The first hexadecimal digits of a hash.
pub fn hex(hash: Sha256, digits: usize) -> String {
    let mut out = String::new();
    for byte in hash.finalize() {
        let _ = write!(out, "{byte:02x}");
    }
    out.truncate(digits);
    out
}

/// Replaces names in reports; knows a name in a sentence once it has seen it in a report.
#[derive(Clone)]
pub struct Masker {
    salt: Vec<u8>,
    /// Known names in lower case with their pseudonyms, by first byte, longest first.
    known: BTreeMap<u8, BTreeSet<(std::cmp::Reverse<usize>, String, String)>>,
    /// Paths as sentences name them, in backticks.
    files: BTreeSet<String>,
}

/// Neither the salt nor the names: both would tell what is masked.
impl std::fmt::Debug for Masker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Masker")
    }
}

impl Masker {
    pub fn new(salt: &[u8]) -> Self {
        Self { salt: salt.to_vec(), known: BTreeMap::new(), files: BTreeSet::new() }
    }

    /// A path that sentences may name in backticks.
    pub fn learn_file(&mut self, path: &str) {
        self.files.insert(path.to_owned());
    }

    pub fn name(&self, kind: NameKind, name: &str) -> String {
        // Accounts compare without letter case.
        if matches!(kind, NameKind::Account | NameKind::Subscription) {
            return pseudonym(&self.salt, kind, &name.to_lowercase());
        }
        pseudonym(&self.salt, kind, name)
    }

    pub fn container(&self, name: &ContainerName) -> ContainerName {
        let mask = |kind, name: &Option<Arc<str>>| name.as_ref().map(|n| self.name(kind, n).into());
        ContainerName {
            account: mask(NameKind::Account, &name.account),
            database: mask(NameKind::Database, &name.database),
            container: mask(NameKind::Container, &name.container),
            rid: None,
        }
    }

    /// A key's compact JSON text with every telling part replaced; null, true, false and "no value" tell nothing.
    pub fn key(&self, json: &str) -> Box<str> {
        let Some(key) = Key::from_canonical(json) else {
            return format!("[\"{}\"]", self.name(NameKind::Key, json)).into();
        };
        let parts = key.parts().iter().map(|part| self.part(part));
        Key::from(parts.collect::<Vec<Part>>()).json().into()
    }

    fn part(&self, part: &Part) -> Part {
        let value = || Key::from(vec![part.clone()]).canonical();
        match part {
            Part::Undefined | Part::Null | Part::Bool(_) => part.clone(),
            Part::Text(text) => Part::Text(self.name(NameKind::Key, text).into()),
            Part::Number(_) => Part::Text(self.name(NameKind::Number, &value()).into()),
            Part::Other(_) => Part::Text(self.name(NameKind::Object, &value()).into()),
        }
    }

    /// Replaces every name in a report, also those inside its notes.
    pub fn report(&mut self, report: &mut Report) {
        self.learn(report);
        for container in &mut report.containers {
            container.name = self.container(&container.name);
            for row in &mut container.keys {
                row.key = row.key.as_deref().map(|key| self.key(key));
                // The hash of a key tells whoever has a guess at it.
                row.epk = None;
            }
            for prefix in &mut container.prefixes {
                prefix.key = self.key(&prefix.key);
            }
            container.notes.iter_mut().for_each(|note| self.note(note));
        }
        report.notes.iter_mut().for_each(|note| self.note(note));
    }

    fn note(&self, note: &mut Note) {
        note.source = note.source.as_ref().map(|path| self.name(NameKind::File, path));
        note.text = self.text(&note.text);
    }

    /// A sentence without any known name, subscription or quoted text.
    pub fn text(&self, text: &str) -> String {
        Self::replaced(text, |rest, before| {
            self.quoted(rest)
                .or_else(|| self.path(rest, before))
                .or_else(|| self.guid(rest))
                .or_else(|| self.known_name(rest, before))
        })
    }

    /// The text with what `find` finds at the start of a rest, given the character before it, replaced.
    fn replaced(text: &str, find: impl Fn(&str, char) -> Option<(usize, String)>) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut before = ' ';
        while let Some(rest) = text.get(at..)
            && let Some(next) = rest.chars().next()
        {
            let found = find(rest, before);
            let len = if let Some((len, replacement)) = found {
                out.push_str(&replacement);
                len
            } else {
                out.push(next);
                next.len_utf8()
            };
            before = rest.get(..len).and_then(|taken| taken.chars().next_back()).unwrap_or(next);
            at += len;
        }
        out
    }

    /// A sentence of our own, which holds nothing of others but names: `RU/s` is no path in it, and a GUID a partition.
    pub fn own_sentence(&self, text: &str) -> String {
        Self::replaced(text, |rest, before| self.known_name(rest, before))
    }

    fn quoted(&self, rest: &str) -> Option<(usize, String)> {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '`'))?;
        let inside = rest.get(1..)?;
        let end = inside.find(quote)?;
        let inside = inside.get(..end)?;
        let masked = if let Some((_, pseudonym)) =
            self.known_name(inside, ' ').filter(|(len, _)| *len == inside.len())
        {
            pseudonym
        } else if OWN_WORDS.contains(&inside) {
            inside.to_owned()
        } else if self.files.contains(inside) {
            self.name(NameKind::File, inside)
        } else {
            self.name(NameKind::Text, inside)
        };
        Some((end + 2, format!("{quote}{masked}{quote}")))
    }

    /// A word with a slash inside is a path or a resource id, which names groups and people besides.
    fn path(&self, rest: &str, before: char) -> Option<(usize, String)> {
        if before.is_alphanumeric() {
            return None;
        }
        let word = rest.split(char::is_whitespace).next()?;
        let word = word.trim_end_matches([':', ',', ';', '.', ')', '"', '`']);
        let is_path = word.len() > 1 && word.contains(['/', '\\']) && word != "RU/s";
        is_path.then(|| (word.len(), self.name(NameKind::File, word)))
    }

    fn guid(&self, rest: &str) -> Option<(usize, String)> {
        let guid = rest.get(..GUID_LEN)?;
        is_guid(guid).then(|| (GUID_LEN, self.name(NameKind::Subscription, guid)))
    }

    fn known_name(&self, rest: &str, before: char) -> Option<(usize, String)> {
        let first = rest.as_bytes().first()?.to_ascii_lowercase();
        let named = self.known.get(&first)?.iter().find(|(_, name, _)| {
            let len = name.len();
            let is_here = rest.get(..len).is_some_and(|r| r.eq_ignore_ascii_case(name));
            let after = rest.get(len..).and_then(|r| r.chars().next()).unwrap_or(' ');
            is_here && (len >= SHORT_NAME || !(before.is_alphanumeric() || after.is_alphanumeric()))
        });
        named.map(|(_, name, pseudonym)| (name.len(), pseudonym.clone()))
    }

    /// The names of one container.
    pub fn learn_name(&mut self, name: &ContainerName) {
        let named = [
            (NameKind::Account, &name.account),
            (NameKind::Database, &name.database),
            (NameKind::Container, &name.container),
        ];
        for (kind, name) in named {
            if let Some(name) = name {
                self.know(kind, name);
            }
        }
    }

    fn know(&mut self, kind: NameKind, name: &str) {
        let Some(first) = name.as_bytes().first() else { return };
        let entry =
            (std::cmp::Reverse(name.len()), name.to_ascii_lowercase(), self.name(kind, name));
        let first = first.to_ascii_lowercase();
        self.known.entry(first).or_default().insert(entry);
    }

    pub fn learn(&mut self, report: &Report) {
        for container in &report.containers {
            self.learn_name(&container.name);
        }
        for path in report.notes.iter().filter_map(|n| n.source.as_ref()) {
            self.know(NameKind::File, path);
            self.know(NameKind::File, path.rsplit(['/', '\\']).next().unwrap_or_default());
        }
        for (_, row) in report.keys().into_iter().take(MAX_KEYS_IN_TEXT) {
            let key = row.key.as_deref().and_then(Key::from_canonical);
            for part in key.iter().flat_map(Key::parts) {
                if let Part::Text(text) = part {
                    self.know(NameKind::Key, text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
