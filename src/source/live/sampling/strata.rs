//! Physical partitions as the strata of a sample: how many documents from each, and which is asked last.

use crate::model::epk::Epk;
use crate::model::units::{real, whole_u64};
use crate::source::json::read;

/// The part of a partition that is taken not to be of its large keys, at least.
const LEAST_REST: f64 = 0.01;
/// Keys of a partition that are read by themselves.
const MOST_KEYS: usize = 32;

/// A physical partition as far as a sample needs to know it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stratum {
    /// The partition key range id.
    pub id: String,
    /// Its hash range in hexadecimal digits; the end is not included.
    pub min: String,
    pub max: String,
    pub documents: Option<u64>,
    pub kib: Option<f64>,
    /// Its largest keys as far as statistics list them: where they lie, and their KiB.
    pub keys: Vec<(Epk, f64)>,
    /// How busy it is, in any measure that all partitions share.
    pub heat: Option<f64>,
}

impl Stratum {
    /// Whether all of another one's hash range lies in its own.
    pub(in crate::source::live) fn contains(&self, other: &Self) -> bool {
        match (self.bounds(), other.bounds()) {
            (Some((a, b)), Some((c, d))) => a <= c && d <= b,
            _ => false,
        }
    }

    pub(super) fn bounds(&self) -> Option<(Epk, Epk)> {
        Some((Epk::from_hex(&self.min)?, Epk::from_hex(&self.max)?))
    }

    /// Keys of which a sample of so many documents holds some: where they lie, and their share of the partition, the largest
    /// first. By their KiB, for how many documents a key has no statistics tell.
    pub(super) fn large_keys(&self, documents: u64) -> Vec<(&Epk, f64)> {
        let least = f64::from(super::LEAST_A_PAGE) / real(documents.max(1));
        let all = self.kib.filter(|kib| *kib > 0.0);
        let share = |kib: f64| all.map_or(0.0, |all| (kib / all).min(1.0));
        let keys = self.keys.iter().map(|(epk, kib)| (epk, share(*kib)));
        let mut large: Vec<(&Epk, f64)> = keys.filter(|(_, share)| *share >= least).collect();
        large.sort_by(|a, b| b.1.total_cmp(&a.1));
        large.truncate(MOST_KEYS);
        large
    }

    /// What a partition held goes with its large keys, the rest of it evenly with its parts.
    fn inherit(&mut self, parent: &Self, parts: u64) {
        let listed = |keys: &[(Epk, f64)]| keys.iter().map(|(_, kib)| kib).sum::<f64>();
        // Sizes of keys and of the partition may be of different times: something is left in any case.
        let rest = |kib: f64| (kib - listed(&parent.keys)).max(kib * LEAST_REST) / real(parts);
        self.kib = parent.kib.map(|kib| rest(kib) + listed(&self.keys));
        let even = 1.0 / real(parts);
        let share = match (self.kib, parent.kib) {
            (Some(own), Some(all)) if all > 0.0 => (own / all).min(1.0),
            _ => even,
        };
        self.documents = parent.documents.map(|n| part_of(n, share));
    }

    pub(in crate::source::live) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && self.min == other.min && self.max == other.max
    }

    pub(in crate::source::live) fn overlaps(&self, other: &Self) -> bool {
        match (self.bounds(), other.bounds()) {
            (Some((a, b)), Some((c, d))) => a < d && c < b,
            _ => true,
        }
    }
}

/// Documents to be drawn from each partition: in proportion to what it holds, equally where that is not known of every one,
/// at least a page from each that is not known to be empty, as far as that takes no more than a quarter of all, and never
/// more than there are.
pub fn quotas(strata: &[Stratum], documents: u64, page: u64) -> Vec<u64> {
    let known: Option<Vec<u64>> = strata.iter().map(|s| s.documents).collect();
    let weights = known.clone().filter(|w| w.iter().any(|w| *w > 0));
    let weights = weights.unwrap_or_else(|| vec![1; strata.len()]);
    let proportional = largest_remainder(&weights, documents);
    let page = page.min(documents / (4 * strata.len().max(1) as u64));
    let least = proportional.into_iter().enumerate().map(|(at, quota)| {
        let held = known.as_ref().and_then(|known| known.get(at).copied());
        // Counts of the service are some minutes old: an empty partition is looked into all the same.
        quota.max(held.map_or(page, |held| held.max(1).min(page)))
    });
    least.collect()
}

/// Whole numbers in proportion to weights whose sum is `total`: what is left goes to the largest remainders.
fn largest_remainder(weights: &[u64], total: u64) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let exact = |w: u64| u128::from(w) * u128::from(total);
    let mut shares: Vec<u64> =
        weights.iter().map(|w| u64::try_from(exact(*w) / sum).unwrap_or(total)).collect();
    let given: u64 = shares.iter().sum();
    let left = usize::try_from(total - given.min(total)).unwrap_or(usize::MAX);
    let mut order: Vec<usize> = (0..weights.len()).collect();
    let remainder = |at: usize| weights.get(at).map_or(0, |w| exact(*w) % sum);
    order.sort_by_key(|at| (std::cmp::Reverse(remainder(*at)), *at));
    for at in order.into_iter().take(left) {
        if let Some(share) = shares.get_mut(at) {
            *share += 1;
        }
    }
    shares
}

/// Of so many documents a share, rounded.
pub(super) fn part_of(documents: u64, share: f64) -> u64 {
    whole_u64((real(documents) * share.max(0.0)).round())
}

/// The partition that is busiest by itself; none where nothing is known or all are alike.
pub(super) fn hottest(strata: &[Stratum]) -> Option<usize> {
    let heats: Vec<f64> = strata.iter().map(|s| s.heat.unwrap_or(0.0)).collect();
    let (at, most) = heats.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let least = heats.iter().copied().fold(f64::INFINITY, f64::min);
    (most > least).then_some(at)
}

/// The mean size of a document in KiB, from partitions of which size and count are known.
pub(super) fn mean_kib(strata: &[Stratum]) -> Option<f64> {
    let mut sums = (0.0, 0.0);
    for stratum in strata {
        if let (Some(kib), Some(documents)) = (stratum.kib, stratum.documents) {
            sums.0 += kib;
            sums.1 += real(documents);
        }
    }
    (sums.0 > 0.0 && sums.1 > 0.0).then(|| sums.0 / sums.1)
}

/// The partitions that a list of ranges names. Of those that were known before, what was known; of parts of one, their
/// share of it. Nothing where the list cannot be read.
pub fn strata_of(ranges: &[u8], before: &[Stratum]) -> Vec<Stratum> {
    let text = std::str::from_utf8(ranges).unwrap_or_default();
    let listed = read::list(text, "partitionkeyranges").unwrap_or_default();
    let mut strata: Vec<Stratum> = listed.into_iter().filter_map(stratum).collect();
    let whole = strata.clone();
    for stratum in &mut strata {
        if let Some(same) = before.iter().find(|held| held.is_same(stratum)) {
            *stratum = same.clone();
        } else if let Some(parent) = before.iter().find(|held| held.contains(stratum)) {
            let parts = whole.iter().filter(|part| parent.contains(part)).count().max(1);
            stratum.heat = parent.heat;
            let bounds = stratum.bounds();
            let is_in =
                |epk: &Epk| bounds.as_ref().is_some_and(|(min, max)| min <= epk && epk < max);
            let keys = parent.keys.iter().filter(|(epk, _)| is_in(epk));
            stratum.keys = keys.cloned().collect();
            stratum.inherit(parent, parts as u64);
        }
    }
    strata
}

fn stratum(range: &str) -> Option<Stratum> {
    let members = read::members(range).ok()??;
    let text = |name| read::text(read::member(&members, name)?);
    Some(Stratum {
        id: text("id")?,
        min: text("mininclusive")?,
        max: text("maxexclusive")?,
        ..Stratum::default()
    })
}
