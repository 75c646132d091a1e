//! Documents counted exactly by key: each physical partition counts its own, and the partial counts are added up here,
//! because the SDK refuses to.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pages::{self, PageAsk, PageBody, Setback};
use super::sampling::{Estimate, Stratum, property};
use super::scan::Scan;
use crate::model::key::Key;
use crate::model::path::Path;
use crate::model::units::real;
use crate::source::answers::{Inquiry, Kind};
use crate::source::json::read;

/// Groups a page.
const PAGE: u32 = 1_000;
/// RU for a thousand documents that are counted, and for a partition that is asked: rough, as the first pages tell.
const RU_PER_THOUSAND: f64 = 20.0;
const RU_PER_PARTITION: f64 = 3.0;
/// Keys that are held, summed over the partitions: about 200 MB. A property with more values than that is nearly unique, and
/// no list of its values is read by anybody.
pub const MOST_KEYS: usize = 1_000_000;
/// Levels of a key.
pub const MOST_PATHS: usize = 3;
const NAMES: [&str; MOST_PATHS] = ["k0", "k1", "k2"];

/// What is counted.
#[derive(Clone, PartialEq, Debug)]
pub struct CountRequest {
    pub database: String,
    pub container: String,
    /// One to three; further ones are left out.
    pub paths: Vec<Path>,
}

/// One physical partition.
#[derive(Clone, Debug, Default)]
struct Part {
    stratum: Stratum,
    counts: BTreeMap<Key, u64>,
    continuation: Option<String>,
    pages: u32,
    is_done: bool,
    is_in_flight: bool,
}

impl Part {
    fn new(stratum: Stratum) -> Self {
        Self { stratum, ..Self::default() }
    }
}

/// A count under way.
#[derive(Clone, Debug)]
pub struct Counting {
    request: CountRequest,
    query: Arc<str>,
    parts: Vec<Part>,
    most_keys: usize,
}

/// Documents by key, the most first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CountResult {
    pub keys: Vec<(Key, u64)>,
    pub documents: u64,
}

impl Counting {
    pub fn new(wanted: CountRequest, strata: Vec<Stratum>) -> Self {
        Self {
            query: Arc::from(query(&wanted.paths)),
            request: wanted,
            parts: strata.into_iter().map(Part::new).collect(),
            most_keys: MOST_KEYS,
        }
    }

    /// With another limit of keys.
    #[cfg(test)]
    #[must_use]
    pub fn holding(self, most_keys: usize) -> Self {
        Self { most_keys, ..self }
    }

    /// What is there. Exact once the scan is over; less before.
    pub fn counted(&self) -> CountResult {
        let mut sums: BTreeMap<&Key, u64> = BTreeMap::new();
        for (key, count) in self.parts.iter().flat_map(|part| &part.counts) {
            *sums.entry(key).or_default() += count;
        }
        let mut keys: Vec<(Key, u64)> = sums.into_iter().map(|(key, n)| (key.clone(), n)).collect();
        // The keys are in order already: those with the same count stay so.
        keys.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        CountResult { documents: keys.iter().map(|(_, count)| count).sum(), keys }
    }

    fn part(&mut self, ask: &PageAsk) -> Option<&mut Part> {
        self.parts.iter_mut().find(|part| part.stratum.id == ask.range)
    }
}

impl Scan for Counting {
    fn next(&mut self) -> Option<PageAsk> {
        if self.is_full() {
            return None;
        }
        let of = Inquiry::container(Kind::Counts, &self.request.database, &self.request.container);
        let paths: String = self.request.paths.iter().map(ToString::to_string).collect();
        let query = Arc::clone(&self.query);
        let mut parts = self.parts.iter_mut().enumerate();
        let (stratum, part) = parts.find(|(_, part)| !part.is_done && !part.is_in_flight)?;
        part.is_in_flight = true;
        Some(PageAsk {
            inquiry: of.part(&format!("{}{paths}/{:05}", part.stratum.id, part.pages)),
            range: part.stratum.id.clone(),
            window: None,
            query,
            most: PAGE,
            continuation: part.continuation.clone(),
            stratum,
            place: 0,
        })
    }

    fn took(&mut self, ask: &PageAsk, body: &PageBody, continuation: Option<String>) {
        let groups = groups(&body.answer, self.request.paths.len());
        let Some(part) = self.part(ask) else { return };
        part.is_in_flight = false;
        part.pages += 1;
        for (key, count) in groups {
            *part.counts.entry(key).or_default() += count;
        }
        part.is_done = continuation.is_none();
        part.continuation = continuation;
    }

    fn set_back(&mut self, ask: &PageAsk, _setback: Setback) {
        if let Some(part) = self.part(ask) {
            part.is_in_flight = false;
        }
    }

    fn is_over(&self) -> bool {
        let is_full = self.is_full();
        let is_over = |part: &Part| (part.is_done || is_full) && !part.is_in_flight;
        self.parts.iter().all(is_over)
    }

    fn is_full(&self) -> bool {
        let keys: usize = self.parts.iter().map(|part| part.counts.len()).sum();
        // What was counted to its end is all there is.
        keys >= self.most_keys && self.parts.iter().any(|part| !part.is_done)
    }

    fn names(&self) -> (&str, &str) {
        (&self.request.database, &self.request.container)
    }

    fn strata(&self) -> Vec<Stratum> {
        self.parts.iter().map(|part| part.stratum.clone()).collect()
    }

    /// What was counted to its end stays; a partition that was not is counted anew in what took its place.
    fn relay(&mut self, strata: Vec<Stratum>) {
        let mut parts: Vec<Part> = std::mem::take(&mut self.parts);
        parts.retain(|part| part.is_done || strata.iter().any(|s| s.is_same(&part.stratum)));
        for stratum in strata {
            let is_held = |part: &Part| part.stratum.is_same(&stratum);
            let is_counted = |part: &Part| part.is_done && part.stratum.contains(&stratum);
            if parts.iter().any(|part| is_held(part) || is_counted(part)) {
                continue;
            }
            // A merge took in what was counted.
            parts.retain(|part| !part.stratum.overlaps(&stratum));
            parts.push(Part::new(stratum));
        }
        for part in &mut parts {
            part.is_in_flight = false;
        }
        self.parts = parts;
    }

    /// Documents counted so far.
    fn entries(&self) -> u64 {
        self.parts.iter().flat_map(|part| part.counts.values()).sum()
    }

    /// Documents that statistics tell of.
    fn documents_total(&self) -> u64 {
        self.parts.iter().filter_map(|part| part.stratum.documents).sum()
    }
}

/// `SELECT c.a AS k0, COUNT(1) AS n FROM c GROUP BY c.a`.
fn query(paths: &[Path]) -> String {
    let properties: Vec<String> = paths.iter().take(MOST_PATHS).map(property).collect();
    let named =
        properties.iter().zip(NAMES).map(|(property, name)| format!("{property} AS {name}, "));
    format!(
        "SELECT {}COUNT(1) AS n FROM c GROUP BY {}",
        named.collect::<String>(),
        properties.join(", ")
    )
}

/// The groups of a page. What has no such property has no member for it, which is another key than `null`.
fn groups(answer: &[u8], levels: usize) -> Vec<(Key, u64)> {
    let entries = pages::entries(answer).unwrap_or_default();
    entries.into_iter().filter_map(|entry| group(entry, levels)).collect()
}

fn group(entry: &str, levels: usize) -> Option<(Key, u64)> {
    let members = read::members(entry).ok()??;
    let count = count(read::member(&members, "n")?)?;
    // Not by `member`, to which null is as good as nothing.
    let part = |name: &&str| {
        let found = members.iter().find(|(held, _)| held == name);
        found.map_or("{}", |(_, raw)| *raw)
    };
    let parts: Vec<&str> = NAMES.iter().take(levels).map(part).collect();
    Some((Key::from_canonical(&format!("[{}]", parts.join(",")))?, count))
}

/// `5`, or `{"item":5}` as a partial count may be written.
fn count(raw: &str) -> Option<u64> {
    let number = |raw: &str| raw.trim().parse::<u64>().ok();
    number(raw).or_else(|| number(read::field(raw, "item")?))
}

/// What counting would cost at about, from the number of documents where it is known.
pub fn estimate(strata: &[Stratum], ru_per_second: f64) -> Estimate {
    let known = strata.iter().filter_map(|s| s.documents);
    let documents = known.fold(0, u64::saturating_add);
    let partitions = strata.len();
    let ru =
        real(documents) / 1_000.0 * RU_PER_THOUSAND + real(partitions as u64) * RU_PER_PARTITION;
    Estimate {
        documents,
        partitions,
        ru,
        ru_per_second,
        seconds: ru / ru_per_second.max(f64::MIN_POSITIVE),
    }
}
