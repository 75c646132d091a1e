//! Which key each document has: for searches that take keys further apart without a whole trial of each step.

use crate::model::key::{Key, KeyDefinition, Part};
use crate::model::path::Path;

use super::super::candidate::Candidate;
use super::super::candidate::legality::PathStats;
use super::fold::{FoldContext, Groups};
use super::keys::even;
use super::{KeepGoing, Trials, Weight};
use crate::model::epk::epk;
use crate::model::units::real;

/// Documents by key, and what the keys have.
#[derive(Clone, Debug, Default)]
pub struct DocumentKeys {
    /// The number of each document's key.
    pub of_row: Vec<u32>,
    /// By the number of the key, as for all of the container.
    pub bytes: Vec<f64>,
    pub documents: Vec<u32>,
    /// The first and the last second of its documents since 1970; none where nothing tells the time.
    pub seconds: Vec<Option<[u32; 2]>>,
    /// What each has of the load: of logged RU where they are the weight, else of the documents of the last hours, else
    /// of all.
    pub load_share: Vec<f64>,
    /// Keys whose last level has no value: what is joined to it changes nothing.
    pub without_value: Vec<bool>,
    /// The key with most of the load.
    pub hottest: Option<Key>,
}

/// Where the suffixed keys of one key lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SuffixSpread {
    /// Physical partitions that hold any of them.
    pub visits: usize,
    /// Largest over mean number of them.
    pub load_ratio: f64,
}

impl Trials {
    pub fn document_keys(&self, candidate: &Candidate) -> DocumentKeys {
        // Whoever is never told to stop comes to the end.
        self.document_keys_while(candidate, &|| true).unwrap_or_default()
    }

    /// The same, as long as it is wanted.
    pub fn document_keys_while(
        &self,
        candidate: &Candidate,
        keep_going: &KeepGoing<'_>,
    ) -> Option<DocumentKeys> {
        let by = FoldContext { workers: self.workers, keep_going };
        let documents = self.prepared.documents();
        let groups = Groups::of(documents, candidate, self.settings.seed, by)?;
        let (of_row, kept) = as_they_come(&groups.of_row, groups.len());
        let (counts, bytes): (Vec<u64>, Vec<u64>) =
            kept.iter().map(|group| groups.sizes.of(*group).into()).unzip();
        let newest = self.prepared.newest.as_ref();
        let newest = newest.map(|newest| newest.counts(&of_row));
        let load_share = if self.weight() == Weight::Logged {
            // What logs name is the load itself.
            let weights = self.weighing.of_groups(&groups);
            let weights = kept.iter().map(|group| weights.of(*group));
            let all = weights.clone().sum::<f64>().max(f64::MIN_POSITIVE);
            weights.map(|weight| weight / all).collect()
        } else {
            shares(&counts, newest.as_deref())
        };
        let hottest = kept
            .iter()
            .zip(&load_share)
            .reduce(|most, next| if next.1 > most.1 { next } else { most })
            .map(|(group, _)| groups.key(*group));
        let last = groups.depths.last();
        let value = |group: &u32| last.map_or(0, |pairs| pairs.of(*group).1);
        keep_going().then(|| DocumentKeys {
            seconds: self.seconds(&of_row, counts.len()),
            without_value: kept.iter().map(|group| value(group) == 0).collect(),
            bytes: bytes.iter().map(|b| real(*b) * self.whole.bytes_scale).collect(),
            documents: counts.iter().map(|n| u32::try_from(*n).unwrap_or(u32::MAX)).collect(),
            of_row,
            load_share,
            hottest,
        })
    }

    /// The first and the last second of each group.
    fn seconds(&self, of_row: &[u32], groups: usize) -> Vec<Option<[u32; 2]>> {
        let mut found = vec![None; groups];
        let Some(clock) = &self.prepared.clock else {
            return found;
        };
        for (group, second) in of_row.iter().zip(clock.seconds.iter().copied()) {
            if second == u32::MAX {
                continue;
            }
            if let Some(range) = found.get_mut(*group as usize) {
                let [first, last] = range.unwrap_or([second; 2]);
                *range = Some([first.min(second), last.max(second)]);
            }
        }
        found
    }

    pub fn path_stats(&self, path: &Path) -> PathStats {
        let changes = self.settings.changes.iter();
        let change = changes.rev().find(|change| change.path == *path);
        PathStats {
            changed: change.map(|change| (change.changed, change.compared)),
            ..self.prepared.path_stats(path)
        }
    }

    /// Where the keys lie that a number from 1 to `n` joined to a key makes; none where the key is not known as text.
    pub fn suffix_spread(&self, key: &Key, n: u32, partitions: usize) -> Option<SuffixSpread> {
        let (last, before) = key.parts().split_last()?;
        let Part::Text(text) = last else { return None };
        let levels = key.parts().len();
        let layout = even(partitions, levels);
        let definition = KeyDefinition::of_levels(levels);
        let mut parts = before.to_vec();
        let mut counts = vec![0_u32; layout.len()];
        for suffix in 1..=n {
            parts.push(Part::Text(format!("{text}{suffix}").into()));
            let place = layout.owner(&epk(&parts, &definition)?)?;
            parts.truncate(before.len());
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        }
        let most = counts.iter().max().copied().unwrap_or(0);
        let mean = f64::from(n) / real(counts.len() as u64);
        Some(SuffixSpread {
            visits: counts.iter().filter(|count| **count > 0).count(),
            load_ratio: f64::from(most) / mean,
        })
    }
}

/// Groups numbered as documents meet them, and which group each number stands for.
fn as_they_come(of_row: &[u32], groups: usize) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = vec![u32::MAX; groups];
    let mut kept = Vec::new();
    let number = |group: &u32| {
        let Some(number) = numbers.get_mut(*group as usize) else {
            return 0;
        };
        if *number == u32::MAX {
            *number = u32::try_from(kept.len()).unwrap_or(u32::MAX);
            kept.push(*group);
        }
        *number
    };
    (of_row.iter().map(number).collect(), kept)
}

fn shares(counts: &[u64], newest: Option<&[(u32, u64)]>) -> Vec<f64> {
    let all = |total: u64| real(total.max(1));
    let Some(newest) = newest else {
        let total = all(counts.iter().sum());
        return counts.iter().map(|n| real(*n) / total).collect();
    };
    let mut shares = vec![0.0; counts.len()];
    let total = all(newest.iter().map(|(_, n)| n).sum());
    for (group, count) in newest {
        if let Some(share) = shares.get_mut(*group as usize) {
            *share = real(*count) / total;
        }
    }
    shares
}
