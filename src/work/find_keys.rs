//! Keys of all containers that a filter lets through: the largest of them, and how many there are.

use std::thread;

use super::data::Dataset;
use crate::analysis::arrange::shares;
use crate::analysis::filter::Filter;
use crate::model::logical::KeyId;
use crate::work::arrange::KEYS_PER_ASKING;
use crate::work::shared::Shared;

/// Keys that are listed; whoever sees so many types another letter.
pub const MOST_HITS: usize = 200;
const PARTS: u32 = 2;

#[derive(Clone, PartialEq, Debug)]
pub struct KeySearch {
    pub data: Shared<Dataset>,
    pub filter: Filter,
}

#[derive(Debug, Default)]
pub struct KeyHits {
    /// The container and the key, the largest first; at most [`MOST_HITS`].
    pub hits: Vec<(u32, KeyId)>,
    /// How many passed.
    pub total: u64,
}

/// What one part of the keys holds.
#[derive(Default)]
struct Largest {
    hits: Vec<(f64, u32, KeyId)>,
    total: u64,
}

impl Largest {
    fn push(&mut self, hit: (f64, u32, KeyId)) {
        self.total += 1;
        self.hits.push(hit);
        if self.hits.len() > 2 * MOST_HITS {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.hits.sort_unstable_by(|a, b| {
            let larger = b.0.total_cmp(&a.0);
            larger.then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        self.hits.truncate(MOST_HITS);
    }
}

impl KeySearch {
    /// By two threads; None when `keep_going` said no.
    pub fn answer(&self, keep_going: &(dyn Fn() -> bool + Sync)) -> Option<KeyHits> {
        thread::scope(|scope| {
            let second = scope.spawn(|| self.part(1, keep_going));
            let mut all = self.part(0, keep_going)?;
            let other = second.join().ok().flatten()?;
            all.total += other.total;
            all.hits.extend(other.hits);
            all.cut();
            Some(KeyHits {
                hits: all.hits.into_iter().map(|(_, container, id)| (container, id)).collect(),
                total: all.total,
            })
        })
    }

    fn part(&self, part: usize, keep_going: &dyn Fn() -> bool) -> Option<Largest> {
        let mut out = Largest::default();
        let capture = &self.data.capture;
        for number in (0_u32..).take(capture.containers.len()) {
            let Some(columns) = self.data.columns.container(capture, number) else {
                continue;
            };
            let rows = shares(columns.len(), PARTS).into_iter().nth(part);
            for row in rows.into_iter().flatten() {
                if (row as usize).is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                    return None;
                }
                if let Some(row) = columns.row(row).filter(|row| self.filter.passes(row)) {
                    out.push((row.key.size_kib, number, row.key.id));
                }
            }
        }
        Some(out)
    }
}
