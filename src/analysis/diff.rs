//! What changed between two reports. A key that is no longer reported is not gone: statistics list large keys only.

use std::collections::HashMap;

use crate::model::key::Key;
use crate::model::names::ContainerName;

use super::ceiling::Mark;
use super::rows::{KeyRow, Report, name_order};

/// What became of a key. The order is that of a report: worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChangeKind {
    /// It grew past a mark.
    OverMark,
    Grew,
    Shrank,
    New,
    NotReported,
}

impl ChangeKind {
    /// As scripts read it.
    pub fn word(self) -> &'static str {
        match self {
            Self::OverMark => "over_mark",
            Self::Grew => "grew",
            Self::Shrank => "shrank",
            Self::New => "new",
            Self::NotReported => "not_reported",
        }
    }

    /// As people read it.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::OverMark => "grew over a mark",
            Self::Grew => "grew",
            Self::Shrank => "shrank",
            Self::New => "not listed before",
            Self::NotReported => "no longer reported",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct KeyChange {
    pub name: ContainerName,
    pub key: Option<Box<str>>,
    pub kind: ChangeKind,
    pub before_kib: Option<f64>,
    pub after_kib: Option<f64>,
    /// The highest mark that the key newly stands at or above, as a share of the ceiling.
    pub mark: Option<f64>,
    /// The sizes differ by no more than they may be off.
    pub is_within_band: bool,
}

impl KeyChange {
    fn distance(&self) -> f64 {
        (self.after_kib.unwrap_or(0.0) - self.before_kib.unwrap_or(0.0)).abs()
    }

    /// None where only one of the two sizes is reported.
    pub fn delta_kib(&self) -> Option<f64> {
        Some(self.after_kib? - self.before_kib?)
    }

    /// Of the size before.
    pub fn delta_share(&self) -> Option<f64> {
        let before = self.before_kib.filter(|kib| *kib > 0.0)?;
        Some(self.delta_kib()? / before)
    }
}

type Identity = (ContainerName, String);

/// Keys are the same by type and value, however their numbers were written.
fn identity(name: &ContainerName, row: &KeyRow) -> Identity {
    let key = row
        .key
        .as_deref()
        .map(|json| Key::from_canonical(json).map_or_else(|| json.to_owned(), |k| k.canonical()));
    (name.identity(), key.unwrap_or_default())
}

/// Every key whose reported sizes differ, however little, and those reported only once.
pub fn diff(before: &Report, after: &Report) -> Vec<KeyChange> {
    let mut held: HashMap<Identity, (&ContainerName, &KeyRow)> = HashMap::new();
    for container in &before.containers {
        for row in &container.keys {
            held.insert(identity(&container.name, row), (&container.name, row));
        }
    }
    let mut changes = Vec::new();
    for container in &after.containers {
        for row in &container.keys {
            let old = held
                .remove(&identity(&container.name, row))
                .map(|(_, old)| old);
            changes.extend(change(&container.name, old, row, after));
        }
    }
    changes.extend(held.into_values().map(|(name, row)| KeyChange {
        name: name.clone(),
        key: row.key.clone(),
        kind: ChangeKind::NotReported,
        before_kib: Some(row.size_kib),
        after_kib: None,
        mark: None,
        is_within_band: false,
    }));
    changes.sort_by(|a, b| {
        let by_kind = a.kind.cmp(&b.kind);
        let by_mark = b.mark.unwrap_or(0.0).total_cmp(&a.mark.unwrap_or(0.0));
        let by_size = b.distance().total_cmp(&a.distance());
        let by_key = || a.key.cmp(&b.key).then_with(|| name_order(&a.name, &b.name));
        by_kind.then(by_mark).then(by_size).then_with(by_key)
    });
    changes
}

fn change(
    name: &ContainerName,
    old: Option<&KeyRow>,
    new: &KeyRow,
    after: &Report,
) -> Option<KeyChange> {
    let reached = Mark::of(after.ceiling.share(new.size_kib));
    let (kind, mark) = match old {
        None => (ChangeKind::New, reached.share()),
        // Both against one ceiling: the two reports may have been made with different ones.
        Some(old) if reached > Mark::of(after.ceiling.share(old.size_kib)) => {
            (ChangeKind::OverMark, reached.share())
        }
        Some(old) if new.size_kib > old.size_kib => (ChangeKind::Grew, None),
        Some(old) if new.size_kib < old.size_kib => (ChangeKind::Shrank, None),
        Some(_) => return None,
    };
    let is_within_band =
        |old: &KeyRow| (new.size_kib - old.size_kib).abs() <= old.band_kib.max(new.band_kib);
    Some(KeyChange {
        name: name.clone(),
        key: new.key.clone(),
        kind,
        before_kib: old.map(|o| o.size_kib),
        after_kib: Some(new.size_kib),
        mark,
        is_within_band: old.is_some_and(is_within_band),
    })
}

#[cfg(test)]
mod tests;
