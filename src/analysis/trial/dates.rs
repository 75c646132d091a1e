//! Dates of a near-unique column from its seconds: its texts were not kept.

use std::borrow::Cow;

use crate::model::key::Part as KeyPart;
use crate::model::time::Stamp;

use super::super::candidate::{DateUnit, Gap, LevelPart};
use super::pieces::{Interned, Nulls, Pieces, Texts, gap_of, gap_of_hash, marked};

/// Periods that are written down whether a document has them or not: one for so many documents.
const ROWS_A_PERIOD: usize = 16;

/// What each document's second gives, looked up by the period in which it lies.
#[derive(Debug)]
pub(super) struct PeriodTable<'a> {
    hashes: &'a [u64],
    seconds: &'a [u32],
    first: u32,
    step: u32,
    /// Of each period from the first on.
    pieces: Vec<u32>,
}

impl PeriodTable<'_> {
    /// The piece of each of a few documents; a gap where there is none.
    pub fn pieces_of(&self, start: usize, length: usize, put: impl FnMut(usize, u32)) {
        // Numbers known beforehand are divided by much faster.
        match self.step {
            60 => self.pieces_by(start, length, |second| second / 60, put),
            3_600 => self.pieces_by(start, length, |second| second / 3_600, put),
            86_400 => self.pieces_by(start, length, |second| second / 86_400, put),
            step => self.pieces_by(start, length, |second| second / step.max(1), put),
        }
    }

    fn pieces_by(
        &self,
        start: usize,
        length: usize,
        period: impl Fn(u32) -> u32,
        mut put: impl FnMut(usize, u32),
    ) {
        let seconds = self.seconds.get(start..start + length).unwrap_or_default();
        let none = marked(Gap::NoTime);
        for (at, second) in seconds.iter().enumerate() {
            let period = period(*second).wrapping_sub(self.first) as usize;
            let piece = self.pieces.get(period).copied();
            let piece = piece.filter(|_| *second != u32::MAX);
            put(at, piece.unwrap_or(none));
        }
    }

    pub fn digit(&self, row: usize) -> Result<u64, Gap> {
        let second = self.seconds.get(row).copied().unwrap_or(u32::MAX);
        if second == u32::MAX {
            let hash = self.hashes.get(row).copied().unwrap_or_default();
            return Err(gap_of_hash(hash, Nulls::Gaps).unwrap_or(Gap::NoTime));
        }
        let at = (second / self.step).saturating_sub(self.first) as usize;
        let piece = self.pieces.get(at).copied();
        let piece = piece.unwrap_or_else(|| marked(Gap::NoTime));
        gap_of(piece).map_or(Ok(u64::from(piece)), Err)
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
    let periods = last.saturating_sub(first).saturating_add(1);
    let mut made = Interned::default();
    let mut piece = |period: u32| {
        let start = i64::from(period) * i64::from(step);
        let stamp = Stamp::from_seconds(start).map(Stamp::rfc3339);
        let key = KeyPart::Text(stamp.unwrap_or_default().into());
        made.piece(part.of(&key))
    };
    if (periods as usize).saturating_mul(ROWS_A_PERIOD) <= seconds.len() {
        let periods = first..first.saturating_add(periods);
        let pieces = periods.map(&mut piece).collect();
        return Pieces::Dated {
            dated: PeriodTable { hashes, seconds, first, step, pieces },
            texts: Texts::Made(made.into_texts()),
        };
    }
    // The first codes say why there is no date.
    let mut table: Vec<u32> = [Gap::NoValue, Gap::NoTime].map(marked).into();
    let mut numbers = vec![0_u32; periods as usize];
    let mut code_of = |hash: &u64, second: u32| {
        if second == u32::MAX {
            return u32::from(gap_of_hash(*hash, Nulls::Gaps).is_none());
        }
        let at = second / step;
        let Some(number) = numbers.get_mut(at.saturating_sub(first) as usize) else {
            return 1;
        };
        if *number == 0 {
            *number = u32::try_from(table.len()).unwrap_or(0);
            table.push(piece(at));
        }
        *number
    };
    let seconds = seconds.iter().copied().chain(std::iter::repeat(u32::MAX));
    let codes = hashes.iter().zip(seconds).map(|(h, s)| code_of(h, s));
    let codes: Vec<u32> = codes.collect();
    Pieces::Coded { codes: Cow::Owned(codes), table, texts: Texts::Made(made.into_texts()) }
}
