//! What changed between two reports. A key that is no longer reported is not gone: statistics list large keys only.

use std::collections::{HashMap, HashSet};

use crate::model::key::Key;
use crate::model::names::ContainerName;
use crate::model::sample::{Sample, SampleTime, Trust};

use super::ceiling::Mark;
use super::growth::{Growth, LimitDate, trend};
use super::rows::{ContainerRows, KeyRow, Report, name_order};

words! {
    /// What became of a key.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ChangeKind {
        /// It grew past a mark.
        OverMark = "over_mark",
        Grew = "grew",
        Shrank = "shrank",
        New = "new",
        NotReported = "not_reported",
    }
    /// As scripts read it.
    fn word
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
    /// How much the sizes may be off, where they differ by no more.
    pub within_kib: Option<f64>,
    /// As the later report has them, else by the two sizes; none of what ends with a month or day.
    pub growth: Option<Growth>,
    pub limit_date: LimitDate,
    /// No container is in both reports.
    pub is_apart: bool,
}

impl KeyChange {
    /// As people read it: what is within the error has not grown or shrunk.
    pub fn phrase(&self) -> &'static str {
        self.ranked().1
    }

    /// Worst first; what stays the same is the least news, unless it passes a mark.
    fn ranked(&self) -> (u8, &'static str) {
        match (self.kind, self.within_kib.is_some()) {
            (ChangeKind::OverMark, false) => (0, "grew over a mark"),
            (ChangeKind::OverMark, true) => (1, "over a mark within the error"),
            (_, true) => (6, "same within the error"),
            (ChangeKind::Grew, false) => (2, "grew"),
            (ChangeKind::Shrank, false) => (3, "shrank"),
            (ChangeKind::New, false) => (4, "not listed before"),
            (ChangeKind::NotReported, false) => (5, "no longer reported"),
        }
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

fn rows(report: &Report) -> impl Iterator<Item = (&ContainerName, &KeyRow)> {
    (report.containers.iter()).flat_map(|c| c.keys.iter().map(move |row| (&c.name, row)))
}

/// Every key whose reported sizes differ, however little, and those reported only once.
pub fn diff(before: &Report, after: &Report) -> Vec<KeyChange> {
    let mut held: HashMap<Identity, (&ContainerName, &KeyRow)> =
        rows(before).map(|(name, row)| (identity(name, row), (name, row))).collect();
    let name = |container: &ContainerRows| container.name.identity();
    let [old, new]: [HashSet<_>; 2] =
        [before, after].map(|report| report.containers.iter().map(name).collect());
    let is_apart = old.is_disjoint(&new);
    let mut changes = Vec::new();
    for (name, row) in rows(after) {
        let old = held.remove(&identity(name, row)).map(|(_, old)| old);
        changes.extend(change(name, old, row, after).map(|c| KeyChange { is_apart, ..c }));
    }
    changes.extend(held.into_values().map(|(name, row)| KeyChange {
        name: name.clone(),
        key: row.key.clone(),
        kind: ChangeKind::NotReported,
        before_kib: Some(row.size_kib),
        after_kib: None,
        mark: None,
        within_kib: None,
        growth: None,
        limit_date: LimitDate::Unknown,
        is_apart,
    }));
    let size = |c: &KeyChange| (c.after_kib.unwrap_or(0.0) - c.before_kib.unwrap_or(0.0)).abs();
    changes.sort_by(|a, b| {
        let by_rank = a.ranked().cmp(&b.ranked());
        let by_mark = b.mark.unwrap_or(0.0).total_cmp(&a.mark.unwrap_or(0.0));
        let by_size = size(b).total_cmp(&size(a));
        let by_key = || a.key.cmp(&b.key).then_with(|| name_order(&a.name, &b.name));
        by_rank.then(by_mark).then(by_size).then_with(by_key)
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
    let band = old.map_or(0.0, |old| old.band_kib.max(new.band_kib));
    let is_within = |old: &&KeyRow| (new.size_kib - old.size_kib).abs() <= band;
    let within = old.filter(is_within).map(|_| band);
    let is_told = new.growth.is_some() || new.period_end.is_some() || new.forbidden > 0;
    let is_sure = |old: &KeyRow| ![old.trust, new.trust].contains(&Trust::Assumed);
    let pair = old.filter(|old| !is_told && old.sampled_at < new.sampled_at && is_sure(old));
    let found = pair.and_then(|old| {
        let reading = |row: &KeyRow| Sample {
            when: SampleTime::new(row.sampled_at, Trust::Exact),
            kib: row.size_kib,
        };
        trend(&[reading(old), reading(new)], None, Trust::Exact, band)
    });
    Some(KeyChange {
        name: name.clone(),
        key: new.key.clone(),
        kind,
        before_kib: old.map(|o| o.size_kib),
        after_kib: Some(new.size_kib),
        mark,
        within_kib: within,
        growth: new.growth.or(found.map(|found| found.growth)),
        limit_date: found
            .map_or(new.limit_date, |found| found.limit_date(new.size_kib, after.ceiling.kib())),
        is_apart: false,
    })
}

#[cfg(test)]
mod tests;
