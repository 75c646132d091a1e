//! What another key would do to the documents at hand: sizes, load, physical partitions, queries, and what speaks
//! against it.
//!
//! [`Ground`] looks at the documents once; each [`Trials::trial`] then costs a few steps a document. A sample stands for
//! all documents of the container: counts and sizes are scaled to them, and intervals say what the sample leaves open.

mod active;
mod ahead;
mod clock;
mod digits;
mod estimates;
mod fold;
mod hours;
mod keys;
mod level;
pub mod logged;
mod measured;
mod notes;
mod numbering;
mod pieces;
mod placed;
pub mod routes;
mod settings;
pub mod size_classes;
mod splits;
mod times;
pub mod today;
mod twins;
pub mod verdict;
mod weights;
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
use super::findings::Severity;

use crate::model::units::real;
use clock::Clock;
use estimates::effective_keys;
use fold::Groups;
use hours::Hours;
use size_classes::SizeClasses;
use twins::Twins;
use weights::Weighing;

pub use active::Active;
pub use ahead::{Ahead, Because, Rate};
pub use estimates::{Distinct, Share, share};
pub use hours::Now;
pub use logged::{Basis, CannotTell, Logged};
pub use measured::stats as path_stats;
pub use placed::{LayoutFrom, PartitionLoad, Placement};
pub use settings::{Settings, Weight, Whole};
pub use splits::Splits;
pub use times::Disagreement;
pub use today::Today;
pub use weights::Spread;
pub use whose::{SuffixSpread, Whose};

/// Documents made ready once for any number of trials.
#[derive(Debug)]
pub struct Ground {
    documents: Arc<Documents>,
    hours: Option<Hours>,
    clock: Option<Clock>,
    disagreements: Vec<Disagreement>,
    twins: Twins,
}

/// Trials of keys on one ground, all measured against the same.
#[derive(Clone, Debug)]
pub struct Trials {
    ground: Arc<Ground>,
    settings: Settings,
    whole: Whole,
    weighing: Arc<Weighing>,
    spread: Option<Spread>,
}

/// What each group has.
#[derive(Clone, Copy)]
struct Sums<'a> {
    counts: &'a [u64],
    bytes: &'a [u64],
    weights: &'a [f64],
}

/// Whether a trial is still wanted.
pub type KeepGoing<'a> = dyn Fn() -> bool + Sync + 'a;

/// What one key does.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub candidate: Candidate,
    pub basis: Basis,
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
    /// The share of the RU that the hottest key has, by the weight that is set.
    pub hottest_share: f64,
    /// By bytes, the largest first.
    pub top: Vec<TopKey>,
    /// How many keys there are of each size.
    pub sizes: SizeClasses,
    /// Of how many equal keys these are worth; none where a sample saw no key twice.
    pub k_eff: Option<f64>,
    /// Of hierarchical keys each level's prefix, of others the key itself.
    pub levels: Vec<LevelSpread>,
    pub now: Option<Now>,
    /// None where times do not tell seconds apart.
    pub active: Option<Active>,
    pub ahead: Ahead,
    /// None where documents have no ids.
    pub collisions: Option<IdCollisions>,
    pub placement: Placement,
    /// RU/s that the hottest key asks for beyond what any partition gives.
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
    /// Of the documents.
    pub share: Share,
    /// Of the RU, by the weight that is set.
    pub share_of_ru: f64,
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
        let best = time.is_none().then(|| times::best(&documents)).flatten();
        let hours = Hours::of(&documents, time.or(best.as_ref()));
        let used = hours.as_ref().map(Hours::path);
        Self {
            clock: used.and_then(|path| Clock::of(&documents, path)),
            disagreements: used
                .map_or_else(Vec::new, |path| times::disagreements(&documents, path)),
            hours,
            twins: Twins::of(&documents),
            documents,
        }
    }

    pub fn documents(&self) -> &Arc<Documents> {
        &self.documents
    }

    /// Other properties that look like the time of a document, and put documents into another order.
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
    }

    /// The property by which documents are dated.
    pub fn time(&self) -> Option<&Path> {
        self.hours.as_ref().map(Hours::path)
    }
}

impl Trials {
    pub fn new(ground: Arc<Ground>, settings: Settings) -> Self {
        let (weighing, spread) = Weighing::of(&ground.documents, &settings);
        Self {
            whole: Whole::of(&ground.documents, &settings),
            weighing: Arc::new(weighing),
            spread,
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

    /// The weight in use: that of documents where no logged RU can be spread over them.
    pub fn weight(&self) -> Weight {
        self.weighing.weight()
    }

    /// How logged RU were spread over the documents, where they are the weight.
    pub fn spread(&self) -> Option<Spread> {
        self.spread
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
        let weights = self.weighing.of_groups(&groups.of_row, &counts, &bytes);
        let all_weights: f64 = weights.iter().sum();
        let hottest = weights.iter().copied().fold(0.0, f64::max);
        let hottest_share = hottest / all_weights.max(f64::MIN_POSITIVE);
        let sums = Sums {
            counts: &counts,
            bytes: &bytes,
            weights: &weights,
        };
        let recent = recent.as_deref();
        let placement = self.place(candidate, &groups, sums, recent.unwrap_or(&[]));
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
            basis: Basis::Documents,
            whole,
            distinct: Distinct::new(&counts, n, of),
            largest_bytes: largest,
            largest_grows: grows(&bytes, recent),
            largest_share_of_ceiling: largest / 1024.0 / self.settings.ceiling.kib(),
            top_share,
            hottest_share,
            top: self.top(&groups, sums),
            sizes: SizeClasses::of(&counts, &bytes, whole.bytes_scale),
            k_eff: effective_keys(&counts, n, whole.is_sample),
            levels: levels(&groups, &bytes),
            active: now
                .as_ref()
                .zip(self.ground.clock.as_ref())
                .and_then(|(now, clock)| active::active(clock, &groups.of_row, now.hours, whole)),
            ahead: self.ahead(candidate, &groups, sums),
            now,
            findings: self.findings(candidate, &groups, collisions.as_ref()),
            collisions,
            placement,
            beyond_any_ru: load.map(|load| placed::beyond_any(hottest_share, load)),
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
        candidate: &Candidate,
        groups: &Groups<'_>,
        sums: Sums<'_>,
        recent: &[(u32, u64)],
    ) -> Placement {
        let settings = &self.settings;
        let today = settings.today.as_ref();
        let is_current = today.is_some_and(|today| today.is_current(candidate));
        let (layout, from, definition) =
            splits::layout(groups, sums.counts, sums.bytes, settings, is_current);
        let asked = placed::Asked {
            layout: &layout,
            from,
            definition: &definition,
            counts: sums.counts,
            bytes: sums.bytes,
            weights: sums.weights,
            weighing: &self.weighing,
            sizes: self.ground.documents.bytes(),
            recent,
            ru_per_second: settings.ru_per_second,
            load_ru_per_second: settings.load_ru_per_second,
            documents_scale: self.whole.documents_scale,
            bytes_scale: self.whole.bytes_scale,
            is_sample: self.whole.is_sample,
            seed: settings.seed,
        };
        let mut placement = placed::place(groups, &asked);
        placement.after_splits =
            splits::after_splits(groups, &asked, &placement.partitions, settings);
        placement
    }

    fn ahead(&self, candidate: &Candidate, groups: &Groups<'_>, sums: Sums<'_>) -> Ahead {
        ahead::ahead(&ahead::Asked {
            candidate,
            documents: &self.ground.documents,
            clock: self.ground.clock.as_ref(),
            groups,
            counts: sums.counts,
            bytes: sums.bytes,
            whole: self.whole,
            settings: &self.settings,
        })
    }

    fn top(&self, groups: &Groups<'_>, sums: Sums<'_>) -> Vec<TopKey> {
        // Of equal ones that which came first.
        let larger = |a: &(u64, u64, u32), b: &(u64, u64, u32)| {
            b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2))
        };
        let top = self.settings.top;
        let cut = |order: &mut Vec<(u64, u64, u32)>| {
            if order.len() > top && top > 0 {
                order.select_nth_unstable_by(top - 1, larger);
            }
            order.truncate(top);
        };
        let (mut order, mut least) = (Vec::new(), 0);
        let most = top.saturating_mul(4).max(1_024);
        for (group, (bytes, count)) in (0_u32..).zip(sums.bytes.iter().zip(sums.counts)) {
            if *bytes < least {
                continue;
            }
            order.push((*bytes, *count, group));
            if order.len() >= most {
                cut(&mut order);
                least = order.last().map_or(0, |o| o.0);
            }
        }
        cut(&mut order);
        order.sort_by(larger);
        let weights: f64 = sums.weights.iter().sum();
        let weight = |group: u32| sums.weights.get(group as usize).copied().unwrap_or(0.0);
        let key = |(bytes, count, group): &(u64, u64, u32)| TopKey {
            key: groups.key(*group),
            documents: real(*count) * self.whole.documents_scale,
            bytes: real(*bytes) * self.whole.bytes_scale,
            share: share(*count, self.whole.looked_at),
            share_of_ru: weight(*group) / weights.max(f64::MIN_POSITIVE),
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

/// Whether any of the largest groups is among those of the last hours.
fn grows(bytes: &[u64], recent: Option<&[(u32, u64)]>) -> bool {
    let most = bytes.iter().max();
    let of = |group: u32| bytes.get(group as usize);
    recent.is_none_or(|recent| recent.iter().any(|(group, _)| of(*group) == most))
}

fn levels(groups: &Groups<'_>, bytes: &[u64]) -> Vec<LevelSpread> {
    let total: u64 = bytes.iter().sum();
    let mut sums = bytes.to_vec();
    let levels = groups.levels.iter().zip(&groups.depths).enumerate().rev();
    let mut found: Vec<LevelSpread> = levels
        .map(|(depth, (level, pairs))| {
            let spread = LevelSpread {
                distinct: pairs.len() as u64,
                largest_share: real(sums.iter().max().copied().unwrap_or(0)) / real(total.max(1)),
                gaps: level.gaps,
            };
            // What each group has, its group of one level less has, too.
            let before = depth.checked_sub(1).and_then(|d| groups.depths.get(d));
            let mut wider = vec![0_u64; before.map_or(0, Vec::len)];
            for ((group, _), size) in pairs.iter().zip(&sums) {
                if let Some(sum) = wider.get_mut(*group as usize) {
                    *sum += size;
                }
            }
            sums = wider;
            spread
        })
        .collect();
    found.reverse();
    found
}
