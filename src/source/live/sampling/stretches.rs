//! Stretches of time, where pages come in the order of time: the first ones would all be of the oldest documents.
//!
//! Of every place a stretch is read to its end, each as long and drawn alike from all of the time, so that each document is
//! as likely to be read as any other, whatever the order within.

use super::MOST_PLACES;
use super::part::Part;
use super::places::{self, Place};
use crate::model::units::{real, whole_u64};
use crate::source::json::read;
use crate::source::live::pages::{PageBody, entries};

/// Pairs of neighbours by which the order of pages is known, and the share of them that goes one way.
const PAIRS: f64 = 12.0;
const ONE_WAY: f64 = 0.8;
/// Stretches of each place that are drawn: the later ones only where more is wanted.
const ROUNDS: u64 = 8;
/// Stretches by which one knows whether documents are spread over the time, and the least part that they are to give.
const ENOUGH: u64 = 8;
const LEAST_GIVEN: f64 = 0.25;
/// A stretch that holds so many times what was expected is cut there.
const MOST_OVER: f64 = 4.0;

/// What neighbours in pages tell of the order in which they come: by hash or by chance, times rise and fall.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageOrder {
    rises: f64,
    falls: f64,
}

impl PageOrder {
    pub fn learn(&mut self, answer: &[u8]) {
        if self.rises + self.falls >= PAIRS {
            return;
        }
        let seconds = entries(answer).unwrap_or_default();
        let seconds: Vec<i64> = seconds.into_iter().filter_map(second).collect();
        for pair in seconds.windows(2) {
            self.rises += f64::from(u8::from(pair[0] < pair[1]));
            self.falls += f64::from(u8::from(pair[0] > pair[1]));
        }
    }

    /// That of time, or of insertion.
    pub fn is_by_time(&self) -> bool {
        let pairs = self.rises + self.falls;
        pairs >= PAIRS && self.rises.max(self.falls) >= ONE_WAY * pairs
    }
}

/// When a document was last written.
fn second(document: &str) -> Option<i64> {
    read::field(document, "_ts")?.trim().parse().ok()
}

/// When the documents of a partition were written.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    oldest: Option<i64>,
    newest: Option<i64>,
    /// Its places as they are without stretches.
    plain: Vec<Place>,
    is_given_up: bool,
}

impl Times {
    /// What is to be asked next of a partition in which stretches are to be read. An index tells it.
    pub(super) fn query(&self) -> Option<&'static str> {
        match (self.oldest, self.newest) {
            _ if self.is_given_up => None,
            (None, _) => Some("SELECT TOP 1 c._ts FROM c ORDER BY c._ts ASC"),
            (_, None) => Some("SELECT TOP 1 c._ts FROM c ORDER BY c._ts DESC"),
            _ => None,
        }
    }
}

impl Part {
    /// What was asked when the first or last document was written.
    pub(super) fn learn_times(&mut self, body: &PageBody, page: u32, seed: u64) {
        let found = entries(&body.answer).unwrap_or_default();
        let Some(found) = found.first().and_then(|one| second(one)) else {
            return self.give_up_times();
        };
        let times = &mut self.times;
        let end = if times.oldest.is_none() { &mut times.oldest } else { &mut times.newest };
        *end = Some(found);
        self.stretch(page, seed);
    }

    /// Takes stretches of all places that were not begun, in turns and at times that go with neither their hash nor each
    /// other.
    fn stretch(&mut self, page: u32, seed: u64) {
        let Times { oldest: Some(oldest), newest: Some(newest), is_given_up: false, .. } =
            self.times
        else {
            return;
        };
        let quota = real(self.quota);
        let cells = self.stratum.documents.unwrap_or(0) / self.quota.max(1);
        let seconds = u64::try_from(newest.saturating_sub(oldest)).unwrap_or(0);
        let may_go = |place: &Place| !place.is_begun() && place.window().is_some();
        let parts = |place: &Place| {
            let pages = place.share * quota / f64::from(page);
            whole_u64(pages.round()).clamp(1, MOST_PLACES)
        };
        let mut plain: Vec<Place> = self.places.iter().filter(|p| may_go(p)).cloned().collect();
        let most = plain.iter().map(parts).max().unwrap_or(1);
        if cells < 2 || seconds / cells < most {
            self.times.is_given_up = true;
            return;
        }
        let mut random = places::random_of(&self.stratum, !seed);
        plain.sort_by_cached_key(|_| random.word());
        let rounds = ROUNDS.min(cells);
        let mut stretches = Vec::new();
        for (at, place) in plain.iter().enumerate() {
            let (wanted, turn) = (parts(place), random.word());
            for part in 0..wanted {
                // Of those that have but one each has a time of its own.
                let within = match wanted {
                    1 => (real(at as u64) + random.share()) / real(plain.len() as u64),
                    _ => random.share(),
                };
                let first = whole_u64(within * real(cells)).min(cells - 1);
                for round in 0..rounds {
                    let cell = part * cells + (first + round * cells / rounds) % cells;
                    let share = real(seconds + 1) / real(cells * wanted);
                    let bound = |n| oldest.saturating_add_unsigned(whole_u64(real(n) * share));
                    let bounds = [bound(cell), bound(cell + 1)];
                    stretches
                        .push(((round, turn), place.over(bounds, at, place.share / real(wanted))));
                }
            }
        }
        stretches.sort_by_key(|(turn, _)| *turn);
        self.places.retain(|place| !may_go(place));
        self.places.extend(stretches.into_iter().map(|(_, place)| place));
        self.times.plain = plain;
    }

    /// Reads what is left from its start on, as if no time were known.
    pub(super) fn give_up_times(&mut self) {
        self.times.is_given_up = true;
        self.unstretch();
    }

    fn unstretch(&mut self) {
        self.places.retain(|place| place.seconds.is_none() || place.is_begun());
        let mut plain = std::mem::take(&mut self.times.plain);
        let is_read = |held: &&Place| held.seconds.is_none() || held.entries > 0;
        plain.retain(|place| !self.places.iter().filter(is_read).any(|held| held.overlaps(place)));
        self.places.extend(plain);
    }

    /// After a page: a stretch ends where it holds far more than was expected, and stretches do where nearly all hold nothing,
    /// as where all documents were written at once.
    pub(super) fn judge_stretch(&mut self, at: usize) {
        let quota = real(self.quota);
        let expected = |place: &Place| place.share * quota;
        let Some(place) = self.places.get_mut(at).filter(|place| place.seconds.is_some()) else {
            return;
        };
        place.is_exhausted |= real(place.entries) >= MOST_OVER * expected(place).max(1.0);
        let begun = self.places.iter().filter(|place| place.seconds.is_some() && place.is_begun());
        let (begun, given, expected) = begun.fold((0, 0, 0.0), |(n, given, sum), place| {
            (n + 1, given + place.entries, sum + expected(place))
        });
        if begun >= ENOUGH && !self.times.is_given_up && real(given) < LEAST_GIVEN * expected {
            self.give_up_times();
        }
    }

    /// A stretch that was begun: it is read to its end before another.
    pub(super) fn unfinished(&self) -> Option<usize> {
        let is_open = |p: &Place| p.seconds.is_some() && p.is_begun() && !p.is_exhausted;
        self.places.iter().position(is_open)
    }

    /// Fewer and larger places of what was not begun.
    pub(super) fn widen(&mut self, by: u32, page: u32, seed: u64) {
        self.unstretch();
        self.places.sort_by_key(Place::window);
        let mut joined: Vec<(u32, Place)> = Vec::new();
        for place in std::mem::take(&mut self.places) {
            let last = joined.last_mut().filter(|(count, _)| *count < by);
            match last.and_then(|last| Some((last.1.with(&place)?, last))) {
                Some((both, last)) => *last = (last.0 + 1, both),
                None => joined.push((1, place)),
            }
        }
        self.places = joined.into_iter().map(|(_, place)| place).collect();
        self.stretch(page, seed);
    }
}
