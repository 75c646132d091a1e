//! From what a sample has of a key to what the container has of it.
//!
//! A key is found by one of its documents, which says nothing of how many others there are: these are told by the other
//! documents of the sample alone, of those that came in windows by those of other windows. So a key seen once is taken for
//! one document, and the largest of many keys that chance alone tells apart is no larger than the others.

use super::super::candidate::Level;
use super::estimates::{Distinct, Share, counted_share};
use super::settings::Whole;
use super::tally::Tally;
use super::window_samples::WindowSamples;
use super::{TopKey, Trial};
use crate::model::units::{kib_text, percent_text, real};

/// What one document may have: the largest that a key with the id can be.
pub(super) const DOCUMENT_BYTES: f64 = 2_097_152.0;

/// How documents of a key in a sample stand for all of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaling {
    /// None where every document was looked at: then what is there is scaled as it stands.
    sample: Option<SameKeyDocuments>,
    pub clumps: Option<WindowSamples>,
    looked_at: f64,
    documents: f64,
    bytes: f64,
}

/// The other documents of a document's key: their number is drawn towards the mean over all documents, by as much as
/// chance explains of how unlike they are (Bühlmann's credibility).
#[derive(Clone, Copy, Debug)]
struct SameKeyDocuments {
    /// What the mean adds, and the trust in a key's own number.
    of_mean: f64,
    trust: f64,
    /// Documents that each other document of the sample stands for.
    scale: f64,
}

impl Scaling {
    /// Of all that is there, as it stands.
    pub fn plain(whole: &Whole) -> Self {
        Self {
            sample: None,
            clumps: None,
            looked_at: real(whole.looked_at),
            documents: whole.documents_scale,
            bytes: whole.bytes_scale,
        }
    }

    /// Of a sample whose keys were counted.
    pub fn of(whole: &Whole, counted: &Tally, clumps: Option<WindowSamples>) -> Self {
        let n = real(whole.looked_at).max(1.0);
        let pairs = real(counted.pairs) / n;
        #[expect(clippy::cast_precision_loss, reason = "a sum of counts")]
        let triples = counted.triples as f64 / n;
        let others = clumps.as_ref().map(|clumps| clumps.others);
        let [mean, squares, chance] = others.unwrap_or([pairs, pairs + triples, pairs]);
        let beyond = (squares - mean * mean - chance).max(0.0);
        let trust = beyond / (beyond + chance).max(f64::MIN_POSITIVE);
        let together = clumps.as_ref().map_or(1.0, |clumps| clumps.of_all);
        let others = SameKeyDocuments {
            of_mean: mean * (1.0 - trust),
            trust,
            scale: (whole.documents - together) / (n - together).max(1.0),
        };
        Self { sample: Some(others), clumps, ..Self::plain(whole) }
    }

    /// Documents that a key with so many in the sample has in all.
    pub fn documents(&self, group: u32, count: u64) -> f64 {
        let Some(others) = self.sample.filter(|_| count > 0) else {
            return real(count) * self.documents;
        };
        let of_own = self.clumps.as_ref().and_then(|c| c.in_all.get(group as usize));
        if let Some(in_all) = of_own {
            return *in_all;
        }
        let inside = self.inside(group);
        inside + (others.of_mean + others.trust * (real(count) - inside)) * others.scale
    }

    /// Its documents that are together with any of them.
    fn inside(&self, group: u32) -> f64 {
        self.clumps.as_ref().map_or(1.0, |clumps| clumps.inside(group))
    }

    /// Bytes of it, with what indexes take.
    pub fn bytes(&self, group: u32, [count, bytes]: [u64; 2]) -> f64 {
        match self.sample {
            Some(_) if count > 0 => {
                let each = real(bytes) / real(count) * (self.bytes / self.documents);
                self.documents(group, count) * each
            }
            _ => real(bytes) * self.bytes,
        }
    }

    /// What is left of it where every document would stand for as many others.
    pub fn part(&self, group: u32, count: u64) -> f64 {
        match self.sample {
            Some(_) if count > 0 => self.documents(group, count) / (real(count) * self.documents),
            _ => 1.0,
        }
    }

    /// What no key's part is beyond.
    pub fn most_part(&self) -> f64 {
        let Some(others) = self.sample else {
            return 1.0;
        };
        let of_own = self.clumps.iter().flat_map(|clumps| &clumps.in_all);
        let most = of_own.copied().fold(1.0, f64::max);
        (most + (others.of_mean + others.trust) * others.scale) / self.documents
    }

    /// The share of the documents that a key has.
    pub fn share(&self, group: u32, count: u64) -> Share {
        let of_windows = |clumps: &WindowSamples| clumps.effect(group, real(count));
        let effect = self.clumps.as_ref().map_or(1.0, of_windows);
        let (seen, n) = (real(count) / effect, self.looked_at / effect);
        let found = counted_share(seen, n, self.sample.is_some());
        let all = self.looked_at * self.documents;
        if self.sample.is_none() || all <= 0.0 {
            return found;
        }
        let (least, share) = (real(count) / all, self.documents(group, count) / all);
        let [low, high] = found.interval;
        Share { share, interval: [low.max(least).min(share), high.max(share)] }
    }
}

/// `8.78 GiB`; `~8.78 GiB` of a sample.
fn size_text(bytes: f64, is_measured: bool) -> String {
    let about = if is_measured { "" } else { "~" };
    format!("{about}{}", kib_text(bytes / 1024.0))
}

impl TopKey {
    pub fn size_text(&self) -> String {
        size_text(self.bytes, self.is_measured)
    }
}

impl Trial {
    /// What the largest key holds; where a sample saw each key once, what it holds at most.
    pub fn largest_text(&self) -> String {
        match self.most_of_singles() {
            Some(most) => format!("≤ {}", kib_text(most / 1024.0)),
            None => size_text(self.largest_bytes, self.largest_range.is_none()),
        }
    }

    /// The same of the limit of a logical partition.
    pub fn largest_share_text(&self) -> String {
        let of_one = self.largest_share_of_ceiling / self.largest_bytes.max(f64::MIN_POSITIVE);
        match self.most_of_singles() {
            Some(most) => match percent_text(most * of_one) {
                // A bound already.
                least if least.starts_with('<') => least,
                most => format!("≤ {most}"),
            },
            None => percent_text(self.largest_share_of_ceiling),
        }
    }

    fn most_of_singles(&self) -> Option<f64> {
        let [_, most] = self.largest_range?;
        let has_id = self.candidate.levels.iter().any(Level::is_id);
        let most = if has_id { most.min(DOCUMENT_BYTES) } else { most };
        let Distinct { seen, once, by_hashes, .. } = self.distinct;
        (once == seen && !by_hashes).then_some(most)
    }
}
