//! Which keys a report shows: all, the largest, or those worth a finding; the largest of millions in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::logical::KeyId;

/// Which keys are kept.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Selection {
    #[default]
    All,
    /// The largest over all containers.
    Top(usize),
    /// Those at or above this share of the ceiling, and those whose limit date has a date.
    Worth(f64),
}

/// A key that may be among those kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub size_kib: f64,
    pub id: KeyId,
    /// Number of the container in the summary.
    pub container: usize,
}

/// Room for keys of the very size at the edge before their texts decide.
const SLACK: usize = 4096;

/// The N largest of a stream of sizes; keys of the size at the edge are all held until their texts are compared.
#[derive(Debug)]
pub(super) struct Largest {
    limit: usize,
    /// The N largest sizes as bits: of sizes that are not negative, bits and numbers have one order.
    sizes: BinaryHeap<Reverse<u64>>,
    pub candidates: Vec<Candidate>,
}

impl Largest {
    pub fn new(limit: usize) -> Self {
        Self { limit, sizes: BinaryHeap::new(), candidates: Vec::new() }
    }

    /// A size that is already among the kept rows.
    pub fn occupy(&mut self, size_kib: f64) {
        self.rank(bits(size_kib));
    }

    /// `compare` decides between keys of one size.
    pub fn offer<K: Ord>(&mut self, candidate: Candidate, text: impl Fn(&Candidate) -> K) {
        if !self.rank(bits(candidate.size_kib)) {
            return;
        }
        self.candidates.push(candidate);
        if self.candidates.len() > self.limit.saturating_mul(2).saturating_add(SLACK) {
            self.prune();
            if self.candidates.len() > self.limit.saturating_add(SLACK) {
                self.candidates.sort_by_cached_key(|c| (Reverse(bits(c.size_kib)), text(c)));
                self.candidates.truncate(self.limit);
            }
        }
    }

    /// Drops what the sizes seen since have pushed out.
    pub fn prune(&mut self) {
        let edge = self.edge();
        self.candidates.retain(|c| edge.is_none_or(|edge| bits(c.size_kib) >= edge));
    }

    fn edge(&self) -> Option<u64> {
        let full = self.sizes.len() >= self.limit;
        if full { self.sizes.peek().map(|Reverse(size)| *size) } else { None }
    }

    fn rank(&mut self, size: u64) -> bool {
        match self.edge() {
            None if self.limit == 0 => return false,
            Some(edge) if size < edge => return false,
            Some(edge) if size == edge => return true,
            Some(_) => {
                self.sizes.pop();
            }
            None => {}
        }
        self.sizes.push(Reverse(size));
        true
    }
}

/// Of numbers that are not negative, bits have the same order.
pub(super) fn bits(size_kib: f64) -> u64 {
    if size_kib > 0.0 { size_kib.to_bits() } else { 0 }
}
