//! What another key would do to the documents at hand: sizes, load, physical partitions, queries, and what speaks
//! against it.
//!
//! [`Ground`] looks at the documents once; each [`Trials::trial`] then costs a few steps a document. A sample stands for
//! all documents of the container: counts and sizes are scaled to them, and intervals say what the sample leaves open.

mod estimates;
mod fold;
mod hours;
mod keys;
mod measured;
mod numbering;
mod pieces;
mod placed;
pub mod routes;
pub mod size_classes;
mod twins;
pub mod verdict;
mod whose;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::documents::Documents;
use crate::model::key::{Key, KeyVersion, Part as KeyPart};
use crate::model::path::Path;

use super::candidate::legality::{self, Finding, IdCollisions, PathStats, Place, no_time};
use super::candidate::{Candidate, Gaps};
use super::ceiling::Ceiling;
use super::findings::Severity;

use estimates::{effective_keys, real};
use fold::Groups;
use hours::Hours;
use size_classes::SizeClasses;
use twins::Twins;

pub use estimates::{Distinct, Share, share};
pub use hours::Now;
pub use measured::stats as path_stats;
pub use placed::{PartitionLoad, Placement};
pub use whose::{SuffixSpread, Whose};

/// What a trial is measured against.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Physical partitions, with the ranges that a new container has.
    pub partitions: usize,
    /// RU/s that the container is given.
    pub ru_per_second: Option<f64>,
    /// RU/s that are asked of it; all that it is given unless this is known.
    pub load_ru_per_second: Option<f64>,
    /// What is stored for each byte of a document: its indexes count, too.
    pub storage_factor: f64,
    /// The true size of the container, with its indexes.
    pub stored_bytes: Option<f64>,
    pub ceiling: Ceiling,
    /// Largest keys that are kept.
    pub top: usize,
    /// For random suffixes and intervals.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            partitions: 10,
            ru_per_second: None,
            load_ru_per_second: None,
            storage_factor: 1.0,
            stored_bytes: None,
            ceiling: Ceiling::default(),
            top: 10,
            seed: 1,
        }
    }
}

/// How the documents at hand stand for all of the container.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Whole {
    /// All documents and bytes, indexes included.
    pub documents: f64,
    pub bytes: f64,
    /// Documents looked at.
    pub looked_at: u64,
    pub is_sample: bool,
    documents_scale: f64,
    bytes_scale: f64,
}

/// Documents made ready once for any number of trials.
#[derive(Debug)]
pub struct Ground {
    documents: Arc<Documents>,
    hours: Option<Hours>,
    twins: Twins,
}

/// Trials of keys on one ground, all measured against the same.
#[derive(Clone, Debug)]
pub struct Trials {
    ground: Arc<Ground>,
    settings: Settings,
    whole: Whole,
}

/// Whether a trial is still wanted.
pub type KeepGoing<'a> = dyn Fn() -> bool + Sync + 'a;

/// What one key does.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub candidate: Candidate,
    pub whole: Whole,
    pub distinct: Distinct,
    /// The largest logical partition in bytes, scaled to all documents.
    pub largest_bytes: f64,
    /// Whether it still gets documents in the last hours; true where nothing is known of times.
    pub largest_grows: bool,
    /// Of the limit of a logical partition.
    pub largest_share_of_ceiling: f64,
    /// The share of the documents that the commonest key has.
    pub top_share: Share,
    /// By bytes, the largest first.
    pub top: Vec<TopKey>,
    /// How many keys there are of each size.
    pub sizes: SizeClasses,
    /// Of how many equal keys these are worth; none where a sample saw no key twice.
    pub k_eff: Option<f64>,
    /// Of hierarchical keys each level's prefix, of others the key itself.
    pub levels: Vec<LevelSpread>,
    pub now: Option<Now>,
    /// None where documents have no ids.
    pub collisions: Option<IdCollisions>,
    pub placement: Placement,
    /// RU/s that the commonest key asks for beyond what any partition gives.
    pub beyond_any_ru: Option<f64>,
    /// Worst first.
    pub findings: Vec<Finding>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TopKey {
    pub key: Key,
    /// Scaled to all documents.
    pub documents: f64,
    pub bytes: f64,
}

/// The values of the first levels together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelSpread {
    pub distinct: u64,
    /// What the largest of them has of all bytes.
    pub largest_share: f64,
    /// Documents in which this level has no value, by reason.
    pub gaps: Gaps,
}

impl Ground {
    /// Documents are dated by the property named, else by the likeliest.
    pub fn new(documents: impl Into<Arc<Documents>>, time: Option<&Path>) -> Self {
        let documents = documents.into();
        Self {
            hours: Hours::of(&documents, time),
            twins: Twins::of(&documents),
            documents,
        }
    }

    pub fn documents(&self) -> &Arc<Documents> {
        &self.documents
    }

    /// The property by which documents are dated.
    pub fn time(&self) -> Option<&Path> {
        self.hours.as_ref().map(Hours::path)
    }
}

impl Trials {
    pub fn new(ground: Arc<Ground>, settings: Settings) -> Self {
        Self {
            whole: Whole::of(&ground.documents, &settings),
            ground,
            settings,
        }
    }

    pub fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn whole(&self) -> Whole {
        self.whole
    }

    pub fn trial(&self, candidate: &Candidate) -> Trial {
        self.trial_with_prefixes(candidate).0
    }

    /// With the prefixes of a hierarchical key, by which queries are routed.
    pub fn trial_with_prefixes(&self, candidate: &Candidate) -> (Trial, Vec<Vec<KeyPart>>) {
        loop {
            // Whoever is never told to stop comes to the end.
            if let Some(made) = self.trial_while(candidate, &|| true) {
                return made;
            }
        }
    }

    /// The same, with its prefixes, as long as it is wanted: asked every few milliseconds, by any thread. None where it was
    /// not wanted to the end.
    pub fn trial_while(
        &self,
        candidate: &Candidate,
        keep_going: &KeepGoing<'_>,
    ) -> Option<(Trial, Vec<Vec<KeyPart>>)> {
        let (trial, groups) = self.run(candidate, keep_going)?;
        Some((trial, routes::prefixes(&groups)))
    }

    fn run<'c>(
        &'c self,
        candidate: &'c Candidate,
        keep_going: &KeepGoing<'_>,
    ) -> Option<(Trial, Groups<'c>)> {
        let seed = self.settings.seed;
        let groups = Groups::of(&self.ground.documents, candidate, seed, keep_going)?;
        let (counts, bytes) = self.sums(&groups);
        let recent = self.ground.hours.as_ref();
        let recent = recent.map(|h| h.recent_counts(&groups.of_row, counts.len()));
        let now = self.ground.hours.as_ref().zip(recent.as_ref());
        let now = now.map(|(h, recent)| h.now(recent, &groups.of_row, counts.len()));
        let whole = self.whole;
        let n = whole.looked_at;
        let of = whole.is_sample.then_some(whole.documents);
        let largest = bytes
            .iter()
            .max()
            .map_or(0.0, |b| real(*b) * whole.bytes_scale);
        let commonest = counts.iter().max().copied().unwrap_or(0);
        let top_share = share(commonest, n);
        let placement = self.place(&groups, &counts, &bytes, recent.as_deref().unwrap_or(&[]));
        let collisions = self.ground.twins.are_known.then(|| {
            self.ground
                .twins
                .collisions(&self.ground.documents, &groups)
        });
        let load = self
            .settings
            .load_ru_per_second
            .or(self.settings.ru_per_second);
        let trial = Trial {
            candidate: candidate.clone(),
            whole,
            distinct: Distinct::new(&counts, n, of),
            largest_bytes: largest,
            largest_grows: grows(&bytes, recent.as_deref()),
            largest_share_of_ceiling: largest / 1024.0 / self.settings.ceiling.kib(),
            top_share,
            top: self.top(&groups, &counts, &bytes),
            sizes: SizeClasses::of(&counts, &bytes, whole.bytes_scale),
            k_eff: effective_keys(&counts, n, whole.is_sample),
            levels: levels(&groups, &bytes),
            now,
            findings: self.findings(candidate, &groups, collisions.as_ref()),
            collisions,
            placement,
            beyond_any_ru: load.map(|load| placed::beyond_any(top_share.share, load)),
        };
        keep_going().then_some((trial, groups))
    }

    fn sums(&self, groups: &Groups<'_>) -> (Vec<u64>, Vec<u64>) {
        let mut sums = vec![(0_u64, 0_u64); groups.len()];
        for (group, size) in groups.of_row.iter().zip(self.ground.documents.bytes()) {
            if let Some((count, bytes)) = sums.get_mut(*group as usize) {
                *count += 1;
                *bytes += u64::from(*size);
            }
        }
        sums.into_iter().unzip()
    }

    fn place(
        &self,
        groups: &Groups<'_>,
        counts: &[u64],
        bytes: &[u64],
        recent: &[(u32, u64)],
    ) -> Placement {
        let settings = &self.settings;
        let asked = placed::Asked {
            layout: &placed::even(settings.partitions, groups.levels.len()),
            counts,
            bytes,
            sizes: self.ground.documents.bytes(),
            recent,
            ru_per_second: settings.ru_per_second,
            load_ru_per_second: settings.load_ru_per_second,
            documents_scale: self.whole.documents_scale,
            bytes_scale: self.whole.bytes_scale,
            is_sample: self.whole.is_sample,
            seed: settings.seed,
        };
        placed::place(groups, &asked)
    }

    fn top(&self, groups: &Groups<'_>, counts: &[u64], bytes: &[u64]) -> Vec<TopKey> {
        let mut order: Vec<(u64, u64, u32)> = (0_u32..)
            .zip(bytes.iter().zip(counts))
            .map(|(group, (bytes, count))| (*bytes, *count, group))
            .collect();
        // Of equal ones that which came first.
        let larger = |a: &(u64, u64, u32), b: &(u64, u64, u32)| {
            b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2))
        };
        let top = self.settings.top;
        if order.len() > top && top > 0 {
            order.select_nth_unstable_by(top - 1, larger);
        }
        order.truncate(top);
        order.sort_by(larger);
        let key = |(bytes, count, group): &(u64, u64, u32)| TopKey {
            key: groups.key(*group),
            documents: real(*count) * self.whole.documents_scale,
            bytes: real(*bytes) * self.whole.bytes_scale,
        };
        order.iter().map(key).collect()
    }

    fn findings(
        &self,
        candidate: &Candidate,
        groups: &Groups<'_>,
        collisions: Option<&IdCollisions>,
    ) -> Vec<Finding> {
        let paths = candidate.paths().into_iter();
        let stats: BTreeMap<&Path, PathStats> = paths
            .map(|path| (path, measured::stats(&self.ground.documents, path)))
            .collect();
        let mut found = legality::findings(candidate, KeyVersion::V2, |path| stats.get(path));
        for (at, level) in groups.levels.iter().enumerate() {
            found.extend(no_time(at, &level.gaps, self.whole.looked_at));
            if level.by_chance {
                found.push(Finding {
                    rule: "by-chance",
                    severity: Severity::Note,
                    at: Place::Level(at),
                    sentence: "Nearly every document has a value of its own here, and texts of such values were not \
                               kept: what is made of them is by chance or cannot be told."
                        .to_owned(),
                });
            }
        }
        found.extend(collisions.and_then(IdCollisions::finding));
        found.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.at));
        found
    }
}

impl Whole {
    fn of(documents: &Documents, settings: &Settings) -> Self {
        let looked_at = documents.len() as u64;
        let (n, kept) = (real(looked_at), real(documents.kept_bytes()));
        let seen = documents.seen();
        let factor = settings.storage_factor;
        let scale = |all: f64, part: f64| if part > 0.0 { all / part } else { 1.0 };
        let (documents_scale, bytes_scale) = match settings.stored_bytes {
            Some(stored) => (scale(stored, kept * factor), scale(stored, kept)),
            None if documents.is_sampled() => (
                scale(real(seen.documents), n),
                scale(real(seen.bytes), kept) * factor,
            ),
            None => (1.0, factor),
        };
        Self {
            documents: n * documents_scale,
            bytes: kept * bytes_scale,
            looked_at,
            // Twice what is there need not be a sample, but cannot be told from one.
            is_sample: documents.is_sampled() || documents_scale > 1.000_001,
            documents_scale,
            bytes_scale,
        }
    }
}

/// Whether any of the largest groups is among those of the last hours.
fn grows(bytes: &[u64], recent: Option<&[(u32, u64)]>) -> bool {
    let most = bytes.iter().max();
    let of = |group: u32| bytes.get(group as usize);
    recent.is_none_or(|recent| recent.iter().any(|(group, _)| of(*group) == most))
}

fn levels(groups: &Groups<'_>, bytes: &[u64]) -> Vec<LevelSpread> {
    let total: u64 = bytes.iter().sum();
    let spread = |(depth, level): (usize, &fold::LevelFold<'_>)| {
        let count = groups.depths.get(depth).map_or(0, Vec::len);
        let mut sums = vec![0_u64; count];
        for (prefix, size) in groups.prefixes(depth + 1).iter().zip(bytes) {
            if let Some(sum) = sums.get_mut(*prefix as usize) {
                *sum += size;
            }
        }
        LevelSpread {
            distinct: count as u64,
            largest_share: real(sums.into_iter().max().unwrap_or(0)) / real(total.max(1)),
            gaps: level.gaps,
        }
    };
    groups.levels.iter().enumerate().map(spread).collect()
}
