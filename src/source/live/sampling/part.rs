//! One partition of a sample: at which of its places the next page is read, and how many documents are wanted there.

use super::places::{Place, Reads};
use super::strata::{self, Stratum};
use super::stretches::Times;
use crate::model::units::real;

/// Whole documents of a partition that tell what one weighs; with fewer even a large key is read whole.
const ENOUGH_WHOLE: u64 = 20;

/// What is there of one physical partition.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub stratum: Stratum,
    pub quota: u64,
    /// Of these so many are to be whole.
    pub whole: u64,
    pub places: Vec<Place>,
    /// What was read of its hash range before it was split off, and the share of it that was not.
    pub before: Vec<Place>,
    pub left: f64,
    pub is_in_flight: bool,
    pub times: Times,
    /// Its parts were joined.
    pub is_wide: bool,
}

impl Part {
    pub(super) fn new(stratum: Stratum, (quota, whole): (u64, u64), places: Vec<Place>) -> Self {
        let (before, left, times, is_wide) = (Vec::new(), 1.0, Times::default(), false);
        Self { stratum, quota, whole, places, before, left, is_in_flight: false, times, is_wide }
    }

    pub(super) fn is_done(&self) -> bool {
        let is_full = self.taken() >= self.quota;
        !self.is_in_flight && (is_full || self.places.iter().all(|p| p.is_exhausted))
    }

    pub(super) fn is_begun(&self) -> bool {
        self.places.iter().any(Place::is_begun)
    }

    pub(super) fn taken(&self) -> u64 {
        self.places.iter().map(|place| place.entries).sum()
    }

    /// How far it is, so that the partition that is behind goes next.
    pub(super) fn share(&self) -> f64 {
        real(self.taken()) / real(self.quota.max(1))
    }

    /// The place that goes next, and how many documents are wanted there: whole documents first, then the others; where
    /// these are at their end, more whole ones. A key gives no more than its share while there is anything else.
    pub(super) fn due(&mut self) -> Option<(usize, u64)> {
        let left = self.quota.saturating_sub(self.taken());
        if let Some(at) = self.unfinished() {
            return Some((at, left));
        }
        let of_whole = self.places.iter().filter(|p| p.reads == Reads::Whole);
        let whole: u64 = of_whole.map(|place| place.entries).sum();
        let whole_left = self.whole.saturating_sub(whole).min(left);
        if whole_left > 0 && self.next(Reads::Whole).is_none() {
            self.turn_whole(whole, whole_left);
        }
        if whole_left > 0
            && let Some(at) = self.next(Reads::Whole)
        {
            let others = self.places.iter().any(|p| p.reads == Reads::Narrow);
            let wanted = if others { whole_left } else { left };
            return Some((at, self.room(at, wanted)));
        }
        if let Some(at) = self.next(Reads::Narrow).or_else(|| self.next(Reads::Whole)) {
            return Some((at, self.room(at, left)));
        }
        // Some hold less than one thought.
        let open = |place: &&Place| !place.is_exhausted;
        let at = self
            .furthest_behind(|place| open(&place) && !place.is_key && place.reads == Reads::Narrow)
            .or_else(|| self.furthest_behind(|place| open(&place) && !place.is_key))
            .or_else(|| self.furthest_behind(|place| open(&place)))?;
        Some((at, left))
    }

    fn next(&self, reads: Reads) -> Option<usize> {
        let rest = self.rest_left();
        self.furthest_behind(|place| {
            place.reads == reads && !place.is_exhausted && self.room_of(place, rest) > 0
        })
    }

    /// The place that is furthest behind its share.
    fn furthest_behind(&self, is_open: impl Fn(&Place) -> bool) -> Option<usize> {
        // A page without documents is a turn, too.
        let turns = |place: &Place| real(place.entries.max(place.pages.into()));
        let behind = |place: &Place| turns(place) / place.share.max(f64::MIN_POSITIVE);
        let open = self.places.iter().enumerate();
        let open = open.filter(|(_, place)| is_open(place));
        let next = open.min_by(|(_, a), (_, b)| behind(a).total_cmp(&behind(b)));
        next.map(|(at, _)| at)
    }

    fn quota_of(&self, key: &Place) -> u64 {
        strata::part_of(self.quota, key.share)
    }

    /// Documents that are still wanted of all that is no large key.
    fn rest_left(&self) -> u64 {
        let places = self.places.iter();
        let not_theirs =
            places.map(|place| if place.is_key { self.quota_of(place) } else { place.entries });
        self.quota.saturating_sub(not_theirs.sum())
    }

    /// Documents that a place may give as long as there are others.
    fn room_of(&self, place: &Place, rest: u64) -> u64 {
        if place.is_key { self.quota_of(place).saturating_sub(place.entries) } else { rest }
    }

    fn room(&self, at: usize, wanted: u64) -> u64 {
        let rest = self.rest_left();
        let place = self.places.get(at);
        wanted.min(place.map_or(wanted, |place| self.room_of(place, rest)))
    }

    /// Without what was read before: of those places no more documents are wanted.
    pub(super) fn leave_out(&mut self, begun: Vec<Place>) {
        let is_read = |place: &Place| begun.iter().any(|begun| begun.overlaps(place));
        let read: f64 = self.places.iter().filter(|p| is_read(p)).map(|p| p.share).sum();
        let gone = strata::part_of(self.quota, read.min(1.0));
        self.quota -= gone.min(self.quota);
        self.whole = self.whole.min(self.quota);
        self.places.retain(|place| !is_read(place));
        self.left = (1.0 - read).clamp(0.0, 1.0);
        for place in &mut self.places {
            place.share = (place.share / self.left.max(f64::MIN_POSITIVE)).min(1.0);
        }
        self.before = begun;
    }

    /// Parts of a hash range may hold fewer documents than one thought: others that were not begun are read whole, too. A
    /// large key is only where it gives no more than about what is missing, or where too few would be known by their size.
    fn turn_whole(&mut self, whole: u64, missing: u64) {
        let rest = self.rest_left();
        let is_unread = |place: &Place| {
            let is_open = !place.is_begun() && !place.is_exhausted;
            let room = self.room_of(place, rest);
            let is_much = place.is_key && !is_about(room, missing) && whole >= ENOUGH_WHOLE;
            place.reads == Reads::Narrow && is_open && room > 0 && !is_much
        };
        let places = self.places.iter().enumerate();
        let unread = places.filter(|(_, place)| is_unread(place));
        let share = |place: &Place| if place.is_key { place.share } else { 0.0 };
        let next = unread.min_by(|(_, a), (_, b)| {
            let keys = a.is_key.cmp(&b.is_key);
            keys.then(share(a).total_cmp(&share(b)))
        });
        let next = next.map(|(at, _)| at);
        if let Some(place) = next.and_then(|at| self.places.get_mut(at)) {
            place.reads = Reads::Whole;
        }
    }
}

/// Whether so many documents are not far more than are wanted.
pub(super) fn is_about(gives: u64, wanted: u64) -> bool {
    wanted > 0 && gives <= wanted.saturating_mul(2)
}
