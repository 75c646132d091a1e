//! The largest keys of a table that is still being filled, or of an import that came in parts: bounded, all series kept.

use std::cmp::Reverse;

use super::capture::Capture;
use super::logical::{LogicalPartitions, SizeTable, locked};
use super::shard::{Shard, count};

/// What is known while an import goes on.
#[derive(Debug, Default)]
pub struct Glimpse {
    /// The largest keys so far; no load. Facts are not settled yet: hash ranges come with the finished capture.
    pub capture: Capture,
    /// Keys found so far by container number. In an import that reads in parts those of the part at hand.
    pub keys_so_far: Vec<u64>,
}

/// A key by its size: larger sizes sort first, keys of one size by their place.
type Ranked = (Reverse<u64>, u32, u32);

/// The N largest of a stream of keys. Which of several keys of the very size at the edge stay is left open.
#[derive(Debug)]
struct Ranking {
    limit: usize,
    ranked: Vec<Ranked>,
}

impl Ranking {
    fn new(limit: usize) -> Self {
        Self { limit, ranked: Vec::new() }
    }

    fn offer(&mut self, shard: u32, entry: u32, kib: f64) {
        // Of sizes that are not negative, bits and numbers have one order.
        let bits = if kib > 0.0 { kib.to_bits() } else { 0 };
        self.ranked.push((Reverse(bits), shard, entry));
        // Twice the limit: each key is moved once or twice on average, and memory stays bounded.
        if self.ranked.len() > self.limit.saturating_mul(2).saturating_add(1024) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.limit == 0 {
            self.ranked.clear();
        } else if self.ranked.len() > self.limit {
            self.ranked.select_nth_unstable(self.limit - 1);
            self.ranked.truncate(self.limit);
        }
    }

    /// The entries that stay, by shard, in storage order.
    fn finish(mut self, shards: usize) -> Vec<Vec<u32>> {
        self.prune();
        self.ranked.sort_unstable_by_key(|(_, shard, entry)| (*shard, *entry));
        let mut by_shard = vec![Vec::new(); shards];
        for (_, shard, entry) in self.ranked {
            if let Some(entries) = by_shard.get_mut(shard as usize) {
                entries.push(entry);
            }
        }
        by_shard
    }
}

/// The `limit` largest keys of a table that others may be filling, and how many keys there are by container. Shards are
/// locked one at a time and twice each: to rank, and to copy what ranks high.
pub(super) fn largest_so_far(table: &SizeTable, limit: usize) -> (LogicalPartitions, Vec<u64>) {
    let mut ranking = Ranking::new(limit);
    let mut counts = Vec::new();
    for (number, shard) in (0_u32..).zip(&table.shards) {
        locked(shard).each_size(|entry, container, kib| {
            count(&mut counts, container as usize);
            ranking.offer(number, entry, kib);
        });
    }
    let chosen = ranking.finish(table.shards.len());
    let mut copies = Vec::new();
    for (shard, entries) in table.shards.iter().zip(chosen) {
        if !entries.is_empty() {
            copies.push(locked(shard).copy_of(&entries));
        }
    }
    (LogicalPartitions::new(copies), counts)
}

/// Keeps the largest keys over the parts of one import, whose numbers of containers, regions and sources are the same.
#[derive(Debug)]
pub struct LargestKeys {
    limit: usize,
    partitions: LogicalPartitions,
    keys_seen: Vec<u64>,
}

impl LargestKeys {
    pub fn new(limit: usize) -> Self {
        Self { limit, partitions: LogicalPartitions::default(), keys_seen: Vec::new() }
    }

    /// Takes a part; parts hold different keys. Costs the memory of the keys kept beside the part itself.
    pub fn absorb(&mut self, part: &LogicalPartitions) {
        let mut ranking = Ranking::new(self.limit);
        let held = std::mem::take(&mut self.partitions);
        let both = held.shards.iter().chain(&part.shards);
        for (number, shard) in (0_u32..).zip(both) {
            shard.each_size(|entry, _, kib| ranking.offer(number, entry, kib));
        }
        for shard in &part.shards {
            shard.each_size(|_, container, _| count(&mut self.keys_seen, container as usize));
        }
        let mut chosen = ranking.finish(held.shards.len() + part.shards.len()).into_iter();
        // Most of the time the largest stay what they are.
        let held = held.shards.into_iter().zip(chosen.by_ref()).map(|(shard, entries)| {
            if entries.len() == shard.keys() { shard } else { shard.copy_of(&entries) }
        });
        let mut kept: Vec<Shard> = held.collect();
        kept.extend(part.shards.iter().zip(chosen).map(|(shard, entries)| shard.copy_of(&entries)));
        kept.retain(|shard| shard.keys() > 0);
        self.partitions = LogicalPartitions::new(kept);
    }

    /// All keys seen, kept or not, by container number.
    pub fn keys_seen(&self) -> &[u64] {
        &self.keys_seen
    }

    /// The keys kept. Counts of repeats and conflicts stay with the parts.
    pub fn finish(self) -> LogicalPartitions {
        self.partitions
    }
}

#[cfg(test)]
mod tests;
