//! Keys with a date in them: they get writes for one period, then the key of the next one does.

use std::collections::HashMap;

use super::super::StartKey;
use super::{Change, DAY_S, KeyChange, SizeLine, Storage, StoredKey, as_number, whole_seconds};
use crate::analysis::demand::Demand;
use crate::analysis::demand::outcome::LoadRoute;
use crate::analysis::routing::periods::{named_in, next};
use crate::model::key::{Key, Part};
use crate::model::units::real_seconds;

/// A later key that comes to less of a key's limit is not followed by itself.
const SMALL: f64 = 0.01;

/// The key so many periods later: `2026-08` for `2026-06` and two; `a+2` for `a`, of which the date is not read.
fn later(canonical: &str, level: usize, periods: u32) -> Option<Key> {
    let key = Key::from_canonical(canonical)?;
    let mut parts = key.parts().to_vec();
    let part = parts.get_mut(level)?;
    let text = part.bare_text();
    let dated = named_in(&text).and_then(|(unit, from, _)| {
        let later = (0..periods).try_fold(from, |at, _| next(at, unit))?;
        Some(text.replace(&unit.period(from), &unit.period(later)))
    });
    *part = Part::Text(dated.unwrap_or_else(|| format!("{text}+{periods}")).into());
    Some(Key::from(parts))
}

impl Storage<'_> {
    /// A key gets writes no more.
    pub(super) fn end_period(&mut self, at_s: i64, number: u32) {
        let Some(key) = self.keys.get_mut(number as usize) else {
            return;
        };
        let lost = std::mem::take(&mut key.lost_per_s);
        let writes = std::mem::take(&mut key.writes_per_s);
        key.ends_s = None;
        let ended = key.clone();
        if lost > 0.0 {
            let before = self.rejected.at(at_s);
            let per_s = (self.rejected.per_s - lost).max(0.0);
            self.rejected.turn(at_s, before, per_s);
        }
        if writes > 0.0 && ended.period.is_some() {
            self.empty(at_s, number, (writes, lost > 0.0));
            self.follow(at_s, &ended, writes);
        }
    }

    /// Documents of a key that gets no more are deleted as they were written.
    fn empty(&mut self, at_s: i64, number: u32, (writes, was_full): (f64, bool)) {
        let (Some(kept), Some(key)) = (self.retention, self.keys.get_mut(number as usize)) else {
            return;
        };
        let written_s = whole_seconds(key.line.kib / writes);
        let newest_s = if was_full { key.begun_s.saturating_add(written_s) } else { at_s };
        let kept_s = whole_seconds(kept.days * DAY_S);
        let until = newest_s.saturating_add(kept_s);
        let from = until.saturating_sub(written_s).max(at_s);
        let until = until.max(from + 1);
        key.ends_s = Some(until);
        self.push(from, Change::Key(number, KeyChange::Shrinks));
        self.push(until, Change::Key(number, KeyChange::Empty));
    }

    /// What a key of an earlier period holds is deleted within the time that documents are kept.
    pub(super) fn empty_past(&mut self, number: u32, key: &StartKey, is_past: bool) {
        if let Some(kept) = self.retention.filter(|_| is_past && key.kib > 0.0) {
            let until = whole_seconds(kept.days * DAY_S).max(1);
            if let Some(held) = self.keys.get_mut(number as usize) {
                held.ends_s = Some(until);
            }
            self.push(0, Change::Key(number, KeyChange::Shrinks));
            self.push(until, Change::Key(number, KeyChange::Empty));
        }
    }

    /// A key shrinks until it is empty.
    pub(super) fn shrink(&mut self, at_s: i64, number: u32) {
        let key = self.keys.get(number as usize);
        let Some((kib, until)) = key.and_then(|key| Some((key.line.at(at_s), key.ends_s?))) else {
            return;
        };
        let seconds = real_seconds(until.saturating_sub(at_s)).max(1.0);
        self.turn_key(at_s, number, -kib / seconds);
    }

    /// The key of the next period takes the writes; of small ones the data of the partitions does.
    fn follow(&mut self, at_s: i64, ended: &StoredKey, writes: f64) {
        let (Some(period), Some(start)) = (ended.period, self.start) else {
            return;
        };
        let Some(ends_s) = period.end_s(start, at_s) else {
            return;
        };
        let seconds = real_seconds(ends_s.saturating_sub(at_s));
        self.is_changed = true;
        if writes * seconds < SMALL * self.asked.ceiling.kib() {
            return self.follow_small(at_s, ended, writes);
        }
        let (first, periods) = (ended.first, ended.periods + 1);
        let text = self.keys.get(first as usize).and_then(|key| {
            let canonical = key.canonical.as_deref()?;
            later(canonical, period.level, periods)
        });
        // Further levels do not decide where a new container keeps a key.
        let (epk, slot) = match &text {
            Some(key) if period.level == 0 => self.place_of(key),
            _ => (ended.epk.clone(), ended.slot),
        };
        let number = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.heirs.insert(first, Some(number));
        self.add_key(StoredKey {
            canonical: text.map(|key| key.canonical().into()),
            epk,
            slot,
            line: SizeLine { at_s, kib: 0.0, per_s: writes },
            writes_per_s: writes,
            begun_s: at_s,
            ends_s: Some(ends_s),
            period: ended.period,
            first,
            periods,
            chain: (number, 1),
            ..StoredKey::default()
        });
        if let Some(slot) = slot {
            self.watch(slot);
        }
    }

    /// The key that gets now what a key of the load got, where that is told apart.
    pub fn heir_of(&self, canonical: &str) -> Option<&str> {
        let name = |number: u32| self.keys.get(number as usize)?.canonical.as_deref();
        let mut heirs = self.heirs.iter();
        let (_, heir) = heirs.find(|(first, _)| name(**first) == Some(canonical))?;
        name((*heir)?)
    }

    /// Requests of keys whose period is over go where their writes go.
    pub fn route_heirs(&self, demand: &Demand, route: &mut LoadRoute) {
        if self.heirs.is_empty() {
            return;
        }
        let numbered = (0..).zip(&demand.keys[..]);
        let number: HashMap<&str, usize> =
            numbered.map(|(at, key)| (key.canonical.as_str(), at)).collect();
        let widths = self.widths();
        for (first, heir) in &self.heirs {
            let key = self.keys.get(*first as usize);
            let at = key.and_then(|key| number.get(key.canonical.as_deref()?));
            let Some(targets) = at.and_then(|at| route.keys.get_mut(*at)) else {
                continue;
            };
            let heir = heir.and_then(|heir| self.keys.get(heir as usize)?.slot);
            let place = heir.and_then(|slot| self.slots.iter().position(|held| *held == slot));
            *targets = match place.and_then(|place| u32::try_from(place).ok()) {
                Some(place) => vec![(place, 1.0)],
                None => (0..).zip(widths.iter().copied()).collect(),
            };
        }
    }

    /// Later keys of few documents lie anywhere, or where their first level does: none of them is told apart.
    fn follow_small(&mut self, at_s: i64, ended: &StoredKey, writes: f64) {
        let slots = if ended.period.is_some_and(|period| period.level == 0) {
            self.heirs.insert(ended.first, None);
            self.slots.iter().copied().zip(self.widths()).collect()
        } else {
            self.heirs.remove(&ended.first);
            ended.slot.map(|slot| vec![(slot, 1.0)]).unwrap_or_default()
        };
        for (slot, part) in slots {
            self.add_key(StoredKey {
                slot: Some(slot),
                line: SizeLine { at_s, kib: 0.0, per_s: writes * part },
                ..StoredKey::default()
            });
            self.watch(slot);
        }
    }

    /// The part of new keys that falls on each partition: that of the hash space which it holds.
    fn widths(&self) -> Vec<f64> {
        match (&self.layout, self.definition) {
            (Some(layout), Some(key)) => {
                layout.spans().iter().map(|span| span.width(key.version)).collect()
            }
            _ => vec![as_number(self.slots.len()).recip(); self.slots.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::later;

    #[test]
    fn a_later_key_has_its_number_at_the_level_of_the_date() {
        let text = |canonical, level| later(canonical, level, 2).map(|key| key.json());
        assert_eq!(text(r#"["a-2026-11"]"#, 0).as_deref(), Some(r#"["a-2027-01"]"#));
        assert_eq!(text(r#"["a","20260630"]"#, 1).as_deref(), Some(r#"["a","20260630+2"]"#));
        assert_eq!(text(r#"["a"]"#, 1), None);
    }
}
