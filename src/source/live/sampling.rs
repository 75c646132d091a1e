//! A sample of documents, drawn from every physical partition in proportion to what it holds: which page is asked next, and
//! what of it is there. The hottest partition comes last.

mod estimate;
mod part;
mod places;
mod projection;
mod strata;
pub mod stretches;
#[cfg(test)]
mod tests;

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use super::pages::{NO_PLACE, PageAsk, PageBody, Setback, entries};
use super::scan::Scan;
use crate::model::epk::Epk;
use crate::model::path::Path;
use crate::model::units::whole_u64;
use crate::source::answers::{Inquiry, Kind};
use crate::source::json::read;
use crate::source::sampled::PageName;

pub use estimate::{Estimate, estimate, suggested};
pub use places::Hashing;
use projection::RESOURCE_ID;
pub(super) use projection::property;
pub use strata::{Stratum, quotas, strata_of};

use estimate::WindowCosts;
use part::Part;
use places::{LargeKey, Place, Reads};
use stretches::PageOrder;

/// Bytes of documents that one page is to hold at about, and documents at most: small, so that what a page costs is small.
const PAGE_KIB: f64 = 12.0;
const MOST_A_PAGE: u32 = 100;
const LEAST_A_PAGE: u32 = 5;
/// Where nothing is known of the size of documents.
const UNKNOWN_KIB: f64 = 1.0;
/// Places of a partition's hash range at which reading begins, beside its large keys.
const MOST_PLACES: u64 = 64;
/// Parts of hash ranges that are one where they cost too much.
const JOINED: u32 = 4;
/// Texts of one sample that are held: documents of a KiB by the hundred thousand. Then it ends.
pub const MOST_BYTES: u64 = 128 << 20;

/// What is sampled, and how much of it.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleRequest {
    pub database: String,
    pub container: String,
    pub documents: u64,
    pub choice: Choice,
    pub hashing: Hashing,
    pub seed: u64,
}

/// What is read of the documents.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Whole ones, which tell what a document weighs and which properties there are.
    pub whole: u64,
    /// Of all others only these properties; where none is named, those are whole, too.
    pub paths: Vec<Path>,
}

impl Choice {
    /// Whether what was read for another choice is all that is wanted of it.
    fn is_in(&self, other: &Self) -> bool {
        if self.paths.is_empty() || other.paths.is_empty() {
            return self.paths == other.paths;
        }
        self.paths.iter().all(|path| other.paths.contains(path))
    }
}

/// A sample that is being drawn. It can be left at any time and gone on with.
#[derive(Clone, Debug)]
pub struct Sampling {
    request: SampleRequest,
    page: u32,
    parts: Vec<Part>,
    /// The partition that comes last.
    hottest: Option<usize>,
    whole: Arc<str>,
    narrow: Option<Arc<str>>,
    /// The service does not read parts of a hash range: every partition is read from its start on.
    is_unwindowed: bool,
    /// Documents of partitions that are there no more.
    settled: u64,
    /// Of all texts that came, also of those that a later choice does not need.
    bytes: u64,
    order: PageOrder,
    windows: WindowCosts,
}

impl Sampling {
    pub fn new(wanted: SampleRequest, strata: Vec<Stratum>) -> Self {
        let page = page_size(&strata);
        let hottest = strata::hottest(&strata);
        let windows = WindowCosts { kib: strata::mean_kib(&strata), ..WindowCosts::default() };
        let mut sampling = Self {
            request: wanted,
            page,
            parts: Vec::new(),
            hottest,
            whole: Arc::from(projection::WHOLE),
            narrow: None,
            is_unwindowed: false,
            settled: 0,
            bytes: 0,
            order: PageOrder::default(),
            windows,
        };
        sampling.narrow = sampling.projection();
        let quotas = sampling.quotas(&strata);
        for (stratum, quota) in strata.into_iter().zip(quotas) {
            let part = sampling.part(stratum, quota);
            sampling.parts.push(part);
        }
        sampling
    }

    fn projection(&self) -> Option<Arc<str>> {
        let paths = &self.request.choice.paths;
        (!paths.is_empty()).then(|| Arc::from(projection::narrow(paths)))
    }

    /// Documents of each partition, and how many of them are to be whole.
    fn quotas(&self, strata: &[Stratum]) -> Vec<(u64, u64)> {
        let all = quotas(strata, self.request.documents, u64::from(self.page));
        let whole = quotas(strata, self.request.choice.whole, u64::from(LEAST_A_PAGE));
        let pairs = all.into_iter().zip(whole);
        let is_narrow = self.narrow.is_some();
        pairs.map(|(all, whole)| (all, if is_narrow { whole.min(all) } else { all })).collect()
    }

    fn part(&self, stratum: Stratum, wanted: (u64, u64)) -> Part {
        let places =
            if self.is_unwindowed { vec![Place::whole()] } else { self.places(&stratum, wanted) };
        Part::new(stratum, wanted, places)
    }

    fn places(&self, stratum: &Stratum, (quota, whole): (u64, u64)) -> Vec<Place> {
        let (hashing, seed) = (self.request.hashing, self.request.seed);
        let keys = self.keys(stratum, quota, whole);
        let of_keys: f64 = keys.iter().map(|key| key.share).sum();
        let rest = strata::part_of(quota, (1.0 - of_keys).max(0.0));
        let given: u64 = keys.iter().map(|key| key.whole(quota)).sum();
        let whole_of_rest = whole.saturating_sub(given).min(rest);
        let pages = |documents: u64| documents.div_ceil(u64::from(self.page));
        let wanted = |documents: u64| pages(documents).clamp(1, MOST_PLACES);
        let narrow = rest - whole_of_rest;
        let narrow = self.narrow.as_ref().map_or(0, |_| wanted(narrow));
        let of_whole = wanted(whole_of_rest);
        let mut places = places::of(stratum, of_whole + narrow, hashing, seed);
        // A partition that is read as a whole has one query: whole documents tell everything.
        if narrow > 0 && places.len() > 1 {
            places::share_out(&mut places, of_whole, narrow);
        }
        places::set_apart(places, &keys, stratum, hashing)
    }

    /// Large keys of a partition, and which of them give whole documents: about as many as are wanted of them, for what a
    /// document weighs may go with its key. A key has one query, so that one that would give far more stays as it is.
    fn keys(&self, stratum: &Stratum, quota: u64, whole: u64) -> Vec<LargeKey> {
        let large = stratum.large_keys(quota);
        let of_keys: f64 = large.iter().map(|(_, share)| share).sum();
        let mut left = strata::part_of(whole, of_keys.min(1.0));
        let key = |(epk, share): (&Epk, f64)| {
            let gives = strata::part_of(quota, share);
            let is_whole = part::is_about(gives, left);
            left = left.saturating_sub(if is_whole { gives } else { 0 });
            let reads = match self.narrow {
                Some(_) if !is_whole => Reads::Narrow,
                _ => Reads::Whole,
            };
            LargeKey { epk: epk.clone(), share, reads }
        };
        large.into_iter().map(key).collect()
    }

    pub fn request(&self) -> &SampleRequest {
        &self.request
    }

    /// So many more documents, over all partitions in proportion.
    pub fn extend(&mut self, more: u64) {
        self.request.documents += more;
        let quotas = self.quotas(&self.strata());
        let mut parts = std::mem::take(&mut self.parts);
        for (part, (quota, whole)) in parts.iter_mut().zip(quotas) {
            // More documents come from more places, and of more large keys.
            if !part.is_in_flight && !part.is_begun() {
                let before = std::mem::take(&mut part.before);
                *part = self.part(part.stratum.clone(), (quota, whole));
                part.leave_out(before);
                continue;
            }
            part.quota = part.quota.max(strata::part_of(quota, part.left));
            part.whole = part.whole.max(whole.min(part.quota));
        }
        self.parts = parts;
    }

    /// Other properties from now on. Whole documents that are there stay; of places whose rows lack a property that is
    /// wanted now, all is asked anew.
    pub fn choose(&mut self, choice: Choice) {
        let is_held = choice.is_in(&self.request.choice);
        let paths = std::mem::take(&mut self.request.choice.paths);
        self.request.choice = choice;
        if is_held {
            self.request.choice.paths = paths;
            return self.extend(0);
        }
        self.narrow = self.projection();
        let reads = match self.narrow {
            Some(_) => Reads::Narrow,
            None => Reads::Whole,
        };
        for place in self.parts.iter_mut().flat_map(|part| &mut part.places) {
            let is_all = place.window().is_none();
            let is_given_up = self.is_unwindowed && !place.is_begun();
            if !is_all && !is_given_up && (place.reads == Reads::Narrow || !place.is_begun()) {
                *place = place.anew(reads);
            }
        }
        self.extend(0);
    }

    /// Gives up parts of hash ranges: from now on every partition is read from its start on.
    fn unwindow(&mut self, why: Setback) {
        self.is_unwindowed = true;
        for part in &mut self.parts {
            // What was read of it by parts stays; from the start on the same documents would come once more.
            if !part.is_begun() {
                part.places = vec![Place::whole()];
            }
            // Each of its other places would give what is there already, if windows are ignored.
            let others = part.places.iter_mut().filter(|place| !place.is_begun());
            let others = others.filter(|place| place.window().is_some());
            for place in others.filter(|_| why == Setback::Repeats) {
                place.is_exhausted = true;
            }
        }
    }

    /// The partition that goes next: the one that is furthest behind, the hottest once all others are done.
    fn due(&self) -> Option<usize> {
        if self.is_full() {
            return None;
        }
        let others_done = (0..self.parts.len())
            .filter(|at| Some(*at) != self.hottest)
            .all(|at| self.parts.get(at).is_none_or(Part::is_done));
        let due = self.parts.iter().enumerate().filter(|(at, part)| {
            !part.is_in_flight && !part.is_done() && (others_done || Some(*at) != self.hottest)
        });
        due.min_by(|(_, a), (_, b)| a.share().total_cmp(&b.share())).map(|(at, _)| at)
    }

    fn give_back(&mut self, ask: &PageAsk) {
        if let Some(part) = self.parts.get_mut(ask.stratum).filter(|p| p.stratum.id == ask.range) {
            part.is_in_flight = false;
        }
    }
}

impl Scan for Sampling {
    fn next(&mut self) -> Option<PageAsk> {
        let at = self.due()?;
        let (page, whole, narrow) = (self.page, Arc::clone(&self.whole), self.narrow.clone());
        let paths = &self.request.choice.paths;
        let of =
            Inquiry::container(Kind::Documents, &self.request.database, &self.request.container);
        let part = self.parts.get_mut(at)?;
        if self.windows.too_much.is_some() && !std::mem::replace(&mut part.is_wide, true) {
            part.widen(JOINED, page, self.request.seed);
        }
        if let Some(query) = part.times.query().filter(|_| self.order.is_by_time()) {
            part.is_in_flight = true;
            return Some(PageAsk {
                inquiry: of.part(&part.stratum.id),
                range: part.stratum.id.clone(),
                window: None,
                query: Arc::from(query),
                most: 1,
                continuation: None,
                stratum: at,
                place: NO_PLACE,
            });
        }
        let (chosen, left) = part.due()?;
        part.is_in_flight = true;
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        let place = part.places.get(chosen)?;
        let narrow = narrow.filter(|_| place.reads == Reads::Narrow);
        let named = PageName {
            range: part.stratum.id.clone(),
            place: place.name().to_owned(),
            number: place.pages,
            paths: narrow.as_ref().map(|_| paths.clone()),
        };
        let query = narrow.unwrap_or(whole);
        let within = |[start, end]: [i64; 2]| {
            Arc::from(format!("{query} WHERE c._ts >= {start} AND c._ts < {end}"))
        };
        let query = place.seconds.map_or_else(|| Arc::clone(&query), within);
        Some(PageAsk {
            inquiry: of.part(&named.name()),
            range: part.stratum.id.clone(),
            window: place.window(),
            query,
            most: page.min(left.max(1)),
            continuation: place.continuation.clone(),
            stratum: at,
            place: chosen,
        })
    }

    fn took(&mut self, ask: &PageAsk, body: &PageBody, continuation: Option<String>) {
        self.bytes += body.bytes;
        let Some(part) = self.parts.get_mut(ask.stratum).filter(|p| p.stratum.id == ask.range)
        else {
            return;
        };
        part.is_in_flight = false;
        if let Some(place) = part.places.get_mut(ask.place) {
            if place.pages == 0 {
                place.first = first_of(body);
            }
            place.pages += 1;
            place.entries += body.entries;
            place.is_exhausted = continuation.is_none();
            place.continuation = continuation;
            if place.seconds.is_none() {
                self.order.learn(&body.answer);
            }
        }
        part.judge_stretch(ask.place);
        if ask.window.is_some() && self.windows.are_too_much(body) {
            self.page *= JOINED;
        }
    }

    fn learned(&mut self, ask: &PageAsk, body: &PageBody) {
        self.give_back(ask);
        let (page, seed) = (self.page, self.request.seed);
        if let Some(part) = self.parts.get_mut(ask.stratum).filter(|p| p.stratum.id == ask.range) {
            part.learn_times(body, page, seed);
        }
    }

    fn repeats(&self, ask: &PageAsk, body: &PageBody) -> bool {
        let part = self.parts.get(ask.stratum);
        let Some(part) = part.filter(|part| part.stratum.id == ask.range) else {
            return false;
        };
        let is_first = part.places.get(ask.place).is_some_and(|p| !p.is_begun());
        // Asked for before it was known that the service reads no parts: all of the partition is read since.
        let held = part.places.get(ask.place);
        if self.is_unwindowed && ask.window.is_some() && held.is_none_or(|p| p.window().is_none()) {
            return true;
        }
        let first = first_of(body).filter(|_| ask.window.is_some() && is_first);
        first.is_some() && part.places.iter().any(|place| place.first == first)
    }

    fn set_back(&mut self, ask: &PageAsk, setback: Setback) {
        self.give_back(ask);
        if let Some(part) = self.parts.get_mut(ask.stratum) {
            let is_stretch = part.places.get(ask.place).is_some_and(|p| p.seconds.is_some());
            if setback == Setback::Untold || setback == Setback::NoWindows && is_stretch {
                return part.give_up_times();
            }
        }
        let part = self.parts.get(ask.stratum);
        // One window that is refused where others were read says nothing of the others.
        let is_one = part.is_some_and(Part::is_begun);
        match setback {
            Setback::Again | Setback::Moved | Setback::Untold => return,
            Setback::NoWindows if is_one => {}
            Setback::NoWindows | Setback::Repeats if !self.is_unwindowed => self.unwindow(setback),
            Setback::NoWindows | Setback::Repeats => {}
        }
        let part = self.parts.get_mut(ask.stratum);
        let place = part.and_then(|part| part.places.get_mut(ask.place));
        if let Some(place) = place.filter(|place| place.window().is_some()) {
            place.is_exhausted = true;
        }
    }

    fn is_over(&self) -> bool {
        let is_in_flight = self.parts.iter().any(|part| part.is_in_flight);
        self.is_full() && !is_in_flight || self.parts.iter().all(Part::is_done)
    }

    fn names(&self) -> (&str, &str) {
        (&self.request.database, &self.request.container)
    }

    fn strata(&self) -> Vec<Stratum> {
        self.parts.iter().map(|p| p.stratum.clone()).collect()
    }

    /// What was read of a partition that is gone stays; the rest of it is drawn anew from what took its place, but for hash
    /// ranges that were begun: they would give the same documents again.
    fn relay(&mut self, strata: Vec<Stratum>) {
        let mut old = std::mem::take(&mut self.parts);
        self.hottest = strata::hottest(&strata);
        let quotas = self.quotas(&strata);
        for (stratum, quota) in strata.into_iter().zip(quotas) {
            if let Some(at) = old.iter().position(|part| part.stratum.is_same(&stratum)) {
                let part = old.swap_remove(at);
                self.parts.push(Part { stratum, ..part });
                continue;
            }
            let before = old.iter().filter(|part| part.stratum.overlaps(&stratum));
            let begun = before.flat_map(|part| {
                let begun = part.places.iter().filter(|place| place.is_begun());
                begun.chain(&part.before)
            });
            let begun: Vec<Place> = begun.cloned().collect();
            let mut part = self.part(stratum, quota);
            part.leave_out(begun);
            self.parts.push(part);
        }
        self.settled += old.iter().map(Part::taken).sum::<u64>();
    }

    fn is_unwindowed(&self) -> bool {
        self.is_unwindowed
    }

    fn costs_times(&self) -> Option<f64> {
        self.windows.too_much
    }

    fn is_full(&self) -> bool {
        self.bytes >= MOST_BYTES
    }

    fn first_page(&self) -> Option<u32> {
        Some(LEAST_A_PAGE)
    }

    fn entries(&self) -> u64 {
        self.settled + self.parts.iter().map(Part::taken).sum::<u64>()
    }

    fn documents_total(&self) -> u64 {
        self.parts.iter().map(|part| part.quota.max(part.taken())).sum()
    }
}

/// What tells the first document of a page from all others: its resource id, as a number.
fn first_of(body: &PageBody) -> Option<u64> {
    let documents = entries(&body.answer)?;
    let mut hasher = std::hash::DefaultHasher::new();
    read::field(documents.first()?, RESOURCE_ID)?.hash(&mut hasher);
    Some(hasher.finish())
}

/// Documents a page, so that it holds about as much as costs little.
fn page_size(strata: &[Stratum]) -> u32 {
    let kib = strata::mean_kib(strata).unwrap_or(UNKNOWN_KIB);
    let fits =
        (PAGE_KIB / kib.max(f64::MIN_POSITIVE)).clamp(LEAST_A_PAGE.into(), MOST_A_PAGE.into());
    u32::try_from(whole_u64(fits)).unwrap_or(u32::MAX)
}
