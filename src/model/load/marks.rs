//! By what records are known that come again, as where two exports hold the same log.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::memory::map_bytes;
use crate::model::time::Stamp;

/// Record marks held to recognise repeats; 10 bytes each.
pub const MAX_MARKS: usize = 4_000_000;
/// Records of one source that are alike in everything and still told apart from those of another.
const MAX_ALIKE: u64 = 256;
/// By what a record is known where it comes again, as in an export of the same log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordMark {
    /// Nothing else is like it, as the total of a time.
    Whole(u64),
    /// By its activity id, and by its time only if the time is sure in both.
    Activity { record: u64, is_sure: bool },
    /// By all that is reported of it, for want of an activity id. Others of its source may be alike: each counts once.
    Alike { record: u64, source: u16 },
}

/// Marks with the moment or the source that was noted with each, and whether earlier ones ran out.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(HashMap<[u8; 8], u16>, bool);

impl Marks {
    pub(super) fn are_full(&self) -> bool {
        self.1 || self.0.len() >= MAX_MARKS
    }

    pub(super) fn bytes(&self) -> usize {
        map_bytes(&self.0)
    }

    pub(super) fn forget(&mut self) {
        *self = Self(HashMap::new(), self.are_full());
    }

    /// Whether the same record was there before.
    pub(super) fn seen(&mut self, mark: Option<RecordMark>, at: Option<Stamp>) -> bool {
        match mark {
            None => false,
            Some(RecordMark::Whole(record)) => self.noted(record, 0).is_some(),
            Some(RecordMark::Activity { record, is_sure }) => {
                let when = moment(at, is_sure);
                match self.noted(record, when) {
                    None => false,
                    // Times of which one is a guess tell nothing apart.
                    Some(held) if held == when || held % 2 != when % 2 => true,
                    Some(_) => {
                        let another = record.wrapping_add(u64::from(when).wrapping_mul(STEP));
                        self.noted(another, when).is_some()
                    }
                }
            }
            Some(RecordMark::Alike { record, source }) => (0..MAX_ALIKE)
                .find_map(|n| {
                    let number = record.wrapping_add(n.wrapping_mul(STEP));
                    let before = self.noted(number, source);
                    if before == Some(source) {
                        return None;
                    }
                    self.0.entry(number.to_ne_bytes()).and_modify(|held| *held = source);
                    Some(before.is_some())
                })
                .unwrap_or(false),
        }
    }

    /// What was noted with a mark before; else notes it.
    fn noted(&mut self, mark: u64, what: u16) -> Option<u16> {
        let has_room = self.0.len() < MAX_MARKS;
        match self.0.entry(mark.to_ne_bytes()) {
            Entry::Occupied(held) => Some(*held.get()),
            Entry::Vacant(free) => {
                if has_room {
                    free.insert(what);
                }
                None
            }
        }
    }
}

/// Odd, so that its multiples are all different.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Prime: moments that differ by a whole number of seconds, minutes or hours stay different.
const MOMENTS: i64 = 32_749;

/// A moment in few bits, even where it is sure. Two exports of one record agree to the millisecond.
fn moment(at: Option<Stamp>, is_sure: bool) -> u16 {
    let millis = at.map_or(-1, Stamp::millis).rem_euclid(MOMENTS);
    u16::try_from(millis).unwrap_or(0) * 2 + u16::from(!is_sure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_known_by_activity_or_by_everything() {
        let mut marks = Marks::default();
        let mut by_activity = |second, record, is_sure| {
            let mark = RecordMark::Activity { record, is_sure };
            marks.seen(Some(mark), Stamp::from_seconds(second))
        };
        // Two pages of one query, then the same from an export whose dates are a guess, and once more.
        for (second, is_sure, is_repeat) in [
            (100, true, false),
            (107, true, false),
            (100, true, true),
            (3_700, false, true),
            (3_707, false, true),
            (107, true, true),
        ] {
            assert_eq!(by_activity(second, 1, is_sure), is_repeat, "{second}");
        }
        assert!(!by_activity(100, 2, true));
        // Without activity ids a source may hold two that are alike; another one that holds three tells of one more.
        let mut by_all = |source| marks.seen(Some(RecordMark::Alike { record: 3, source }), None);
        let mut repeats = |source, n| (0..n).map(|_| by_all(source)).collect::<Vec<bool>>();
        assert_eq!(repeats(1, 2), [false, false]);
        assert_eq!(repeats(2, 3), [true, true, false]);
        assert_eq!(repeats(1, 3), [true, true, true]);
    }
}
