//! Dates of a near-unique column from its seconds: its texts were not kept.

use crate::model::key::Part as KeyPart;
use crate::model::time::Stamp;

use super::super::candidate::{DateUnit, Gap, LevelPart};
use super::pieces::{Interned, Nulls, Pieces, Texts, gap_of_hash};

/// Periods that are written down whether a document has them or not: one for so many documents.
const ROWS_A_PERIOD: usize = 16;

/// What each document's second gives, looked up by the period in which it lies.
#[derive(Debug)]
pub(super) struct PeriodTable<'a> {
    hashes: &'a [u64],
    seconds: &'a [u32],
    first: u32,
    step: u32,
    /// Of each period from the first on one more than the piece; 0 where there is none: memory that nobody wrote to costs
    /// nothing.
    pieces: Vec<u32>,
}

impl PeriodTable<'_> {
    pub fn digit(&self, row: usize) -> Result<u64, Gap> {
        let second = self.seconds.get(row).copied().unwrap_or(u32::MAX);
        if second == u32::MAX {
            let hash = self.hashes.get(row).copied().unwrap_or_default();
            return Err(gap_of_hash(hash, Nulls::Gaps).unwrap_or(Gap::NoTime));
        }
        let at = (second / self.step).saturating_sub(self.first) as usize;
        let piece = self.pieces.get(at).and_then(|piece| piece.checked_sub(1));
        piece.map(u64::from).ok_or(Gap::NoTime)
    }
}

pub(super) fn dates<'a>(
    part: &LevelPart,
    unit: DateUnit,
    hashes: &'a [u64],
    seconds: &'a [u32],
    range: Option<[u32; 2]>,
) -> Pieces<'a> {
    let step = match unit {
        DateUnit::Minute => 60,
        DateUnit::Hour => 3_600,
        DateUnit::Day | DateUnit::Month | DateUnit::Year => 86_400,
    };
    let [first, last] = range.unwrap_or_default().map(|second| second / step);
    let mut made = Interned::default();
    let mut piece = |period: u32| {
        let start = i64::from(period) * i64::from(step);
        let stamp = Stamp::from_seconds(start).map(Stamp::rfc3339);
        let key = KeyPart::Text(stamp.unwrap_or_default().into());
        made.piece(part.of(&key))
    };
    let count = last.saturating_sub(first) as usize + 1;
    let mut pieces = vec![0; count];
    let mut meet = |period: u32| {
        let slot = pieces.get_mut(period.saturating_sub(first) as usize);
        if let Some(slot) = slot.filter(|piece| **piece == 0) {
            *slot = piece(period).wrapping_add(1);
        }
    };
    if count.saturating_mul(ROWS_A_PERIOD) <= seconds.len() {
        (first..=last).for_each(meet);
    } else {
        let known = seconds.iter().filter(|second| **second != u32::MAX);
        known.for_each(|second| meet(second / step));
    }
    Pieces::Dated {
        dated: PeriodTable { hashes, seconds, first, step, pieces },
        texts: Texts::Made(made.texts),
    }
}
