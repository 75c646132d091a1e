//! Hierarchical keys after splits: a new container keeps a first level in one place, and where RU/s are raised its hottest
//! partition splits at the median of the data, also inside of one first level.

use super::super::super::chance::Chance;
use super::{KeyDemand, PLACEMENT_STREAM, PartitionFlows};
use crate::model::units::{as_number, whole_usize};

/// Parts that a smooth mass is cut into: a split falls between them.
const GRAINS: usize = 16;

/// What a heavy first level is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct HeavyPrefix {
    /// Which of the heavy rows it is.
    pub row: usize,
    /// The heavy keys in it, a row for each with its part of each course; what is left of it is smooth.
    pub keys: Vec<f64>,
}

/// What no split divides.
struct Atom {
    /// The whole number is the partition at creation.
    at: f64,
    bytes: f64,
    /// Of each course.
    row: Vec<f64>,
}

impl KeyDemand<'_> {
    /// The demand of each partition of a container that was created with fewer, whose hottest one was split until there are
    /// so many.
    pub fn divided(&self, partitions: usize, created: usize, seed: u64) -> PartitionFlows {
        let mut chance = Chance::new(seed.wrapping_mul(PLACEMENT_STREAM));
        let atoms = self.atoms(created, &mut chance);
        let load = |some: &[Atom]| some.iter().flat_map(|a| &a.row).sum::<f64>();
        let mut found: Vec<&[Atom]> =
            atoms.chunk_by(|a, b| whole_usize(a.at) == whole_usize(b.at)).collect();
        while found.len() < partitions {
            let splits = found.iter().enumerate().filter(|(_, some)| some.len() > 1);
            let Some((hottest, _)) = splits.max_by(|a, b| load(a.1).total_cmp(&load(b.1))) else {
                break;
            };
            let some = found.swap_remove(hottest);
            let (lower, upper) = some.split_at(median(some));
            found.extend([lower, upper]);
        }
        let profiles = self.shares.profiles.count().max(1);
        let mut parts = vec![0.0; partitions * profiles];
        for (to, some) in parts.chunks_mut(profiles).zip(&found) {
            for atom in *some {
                for (to, part) in to.iter_mut().zip(&atom.row) {
                    *to += part;
                }
            }
        }
        let beside = self.beside(partitions, &mut chance);
        PartitionFlows::of(self.by_key, &parts, &self.shares.profiles, &beside)
    }

    /// In the order of the hash space.
    fn atoms(&self, created: usize, chance: &mut Chance) -> Vec<Atom> {
        let n = as_number(created);
        let mut atoms = Vec::new();
        for (number, row) in self.shares.rows().enumerate() {
            let at = chance.unit() * n;
            let bytes = self.shares.heavy_bytes.get(number).copied().unwrap_or(0.0);
            let inside = self.shares.inside.iter().find(|inside| inside.row == number);
            let Some(inside) = inside else {
                let row = row.to_vec();
                atoms.push(Atom { at, bytes, row });
                continue;
            };
            // Of one first level all lie next to each other.
            let width = (at.floor() + 1.0 - at).min(1e-6);
            let all: f64 = row.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            let mut left = row.to_vec();
            for key in inside.keys.chunks(row.len().max(1)) {
                for (left, part) in left.iter_mut().zip(key) {
                    *left = (*left - part).max(0.0);
                }
                atoms.push(Atom {
                    at: at + width * chance.unit(),
                    bytes: bytes * key.iter().sum::<f64>() / all,
                    row: key.to_vec(),
                });
            }
            let rest = left.iter().sum::<f64>() / all;
            atoms.extend(grains(at, width, bytes * rest, &left));
        }
        let held: f64 = self.shares.heavy_bytes.iter().sum();
        for partition in 0..created {
            let bytes = (1.0 - held).max(0.0) / n;
            let rest: Vec<f64> = self.shares.rest.iter().map(|part| part / n).collect();
            atoms.extend(grains(as_number(partition), 1.0, bytes, &rest));
        }
        atoms.sort_by(|a, b| a.at.total_cmp(&b.at));
        atoms
    }
}

fn grains(at: f64, width: f64, bytes: f64, row: &[f64]) -> impl Iterator<Item = Atom> {
    let n = as_number(GRAINS);
    (0..GRAINS).map(move |grain| Atom {
        at: at + width * (as_number(grain) + 0.5) / n,
        bytes: bytes / n,
        row: row.iter().map(|part| part / n).collect(),
    })
}

/// Atoms before the split: it leaves about half of the data on each side, and something on both.
fn median(some: &[Atom]) -> usize {
    let half = some.iter().map(|a| a.bytes).sum::<f64>() / 2.0;
    let (mut before, mut at) = (0.0, 0);
    for (number, atom) in (0..).zip(some) {
        let after = before + atom.bytes;
        if after >= half {
            at = if half - before <= after - half { number } else { number + 1 };
            break;
        }
        before = after;
    }
    at.clamp(1, some.len().saturating_sub(1).max(1))
}
