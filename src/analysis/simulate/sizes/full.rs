//! What becomes of writes to a key at its limit.

use super::{DAY_S, SizeLine, Storage, StoredKey};
use crate::analysis::demand::remedies::suffixed;
use crate::analysis::simulate::{EventCause, LapseEventKind, OverflowPolicy};
use crate::model::epk::{Epk, epk};
use crate::model::key::{Key, shown_json};
use crate::model::units::real_seconds;

impl Storage<'_> {
    pub(super) fn size(&self, kib: f64, kib_per_day: Option<f64>) -> EventCause {
        EventCause::Size {
            kib,
            kib_per_day,
            writes_per_day: kib_per_day.zip(self.item_kib).map(|(kib, item)| kib / item),
        }
    }

    /// What becomes of writes to a key at its limit.
    pub(super) fn fill_up(
        &mut self,
        at_s: i64,
        number: u32,
        per_s: f64,
    ) -> (LapseEventKind, EventCause) {
        self.full_keys += 1;
        let ceiling = self.asked.ceiling.kib();
        let of = self.keys.get(number as usize);
        // The first second at its limit may lie a little beyond it.
        let kib = of
            .map_or(0.0, |key| if key.is_full { key.line.kib } else { key.line.kib.min(ceiling) });
        let grows = per_s > 0.0;
        if grows && self.asked.overflow == OverflowPolicy::CircularBuffer {
            let cause = EventCause::Buffer {
                slots: self.item_kib.map(|item| (kib / item).floor()),
                days: Some(kib / per_s / DAY_S),
            };
            return (LapseEventKind::BufferRestarts, cause);
        }
        if grows
            && self.asked.overflow == OverflowPolicy::LinkedList
            && let Some(next) = self.next_of_chain(at_s, number, per_s)
        {
            let cause = EventCause::Suffix {
                key: next.canonical.as_deref().map(shown_json).unwrap_or_default(),
                number: next.chain.1,
            };
            let slot = next.slot;
            self.add_key(next);
            if let Some(full) = self.keys.get_mut(number as usize) {
                full.writes_per_s = 0.0;
            }
            if let Some(slot) = slot {
                self.watch(slot);
            }
            return (LapseEventKind::SuffixSwitched, cause);
        }
        let lost = (per_s - self.deleted_per_s(number)).max(0.0);
        if grows && lost <= 0.0 {
            self.full_keys -= 1;
            return (LapseEventKind::LevelsOff, self.size(kib, None));
        }
        let before = self.rejected.at(at_s);
        self.rejected.turn(at_s, before, self.rejected.per_s + lost);
        if let Some(key) = self.keys.get_mut(number as usize) {
            key.lost_per_s = lost;
        }
        let a_day = grows.then_some(lost * DAY_S);
        (LapseEventKind::Forbidden, self.size(kib, a_day))
    }

    /// KiB/s that are deleted of a key at its limit, which makes room for as much.
    fn deleted_per_s(&self, number: u32) -> f64 {
        let kept = self.retention.zip(self.keys.get(number as usize));
        let deleted = kept.map(|(kept, key)| {
            let kept_s = kept.days * DAY_S;
            let written_s = key.ends_s.map(|end| real_seconds(end - key.begun_s));
            // The key of a period that is over before its first document is deleted.
            let is_over = key.period.is_some() && written_s.is_some_and(|s| s <= kept_s);
            // Growth that was measured has the deletions of the container's own time to live in it.
            let a_day = key.writes_per_s * DAY_S;
            let is_net = kept.level(key.line.kib, a_day).is_none();
            let part = if is_over || is_net { 0.0 } else { 1.0 };
            part * self.asked.ceiling.kib() / kept_s
        });
        deleted.unwrap_or(0.0)
    }

    /// The hash of a new key, and the partition that it lies on.
    pub(super) fn place_of(&self, key: &Key) -> (Option<Epk>, Option<u32>) {
        let epk = self.definition.and_then(|of| epk(key.parts(), of));
        let owner = epk.as_ref().and_then(|epk| self.layout.as_ref()?.owner(epk));
        let slot = owner.and_then(|at| self.slots.get(at).copied());
        (epk, slot)
    }

    /// The key that takes the writes of a full one.
    fn next_of_chain(&self, at_s: i64, number: u32, per_s: f64) -> Option<StoredKey> {
        let full = self.keys.get(number as usize)?;
        let (first, place) = full.chain;
        let first_key = self.keys.get(first as usize)?;
        let key = suffixed(first_key.canonical.as_deref()?, 0, place + 1)?;
        let (epk, slot) = self.place_of(&key);
        Some(StoredKey {
            canonical: Some(key.canonical().into()),
            epk,
            slot,
            line: SizeLine { at_s, kib: 0.0, per_s },
            writes_per_s: per_s,
            begun_s: at_s,
            ends_s: full.ends_s,
            period: full.period,
            first: full.first,
            periods: full.periods,
            chain: (first, place + 1),
            ..StoredKey::default()
        })
    }
}
