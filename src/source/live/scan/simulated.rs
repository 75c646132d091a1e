//! A service for tests: documents at places of the hash space, pages that cost something, refusals when they are told to
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

//! come, a clock of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::{BudgetedScan, Meter, Scan, ScanEnd, Step};
use crate::model::time::Stamp;
use crate::source::answers::{Answer, Failure, Observation, Obstacle, Trouble};
use crate::source::live::pages::{FeedPage, PageAsk};
use crate::source::live::sampling::Stratum;

/// One document: where its key lies, and its key.
#[derive(Clone, Debug)]
pub struct StoredDocument {
    pub place: u128,
    pub key: u32,
}

#[derive(Clone, Debug, Default)]
pub struct SimulatedService {
    pub documents: Vec<StoredDocument>,
    /// Ranges by id.
    pub ranges: BTreeMap<String, (u128, u128)>,
    /// RU of a page, and of each document on it.
    pub charge: f64,
    pub document_charge: f64,
    /// Numbers of requests that are refused.
    pub refuses: Vec<u64>,
    pub wait_ms: Option<u64>,
    pub takes_no_windows: bool,
    /// Gives all of a partition whatever part of it was asked for.
    pub ignores_windows: bool,
    pub requests: u64,
    pub charged: f64,
    /// Range, place in the list of documents.
    pub given: Vec<(String, usize)>,
    /// The same of those that were asked for whole.
    pub whole: Vec<(String, usize)>,
    /// What was asked, and how many entries came of it.
    pub queries: Vec<(Arc<str>, u64)>,
    pub counts_groups: bool,
}

/// One request as it was seen: when, of which range, whether it was refused.
#[derive(Clone, PartialEq, Debug)]
pub struct SeenRequest {
    pub at: f64,
    pub range: String,
    pub refused: bool,
    pub meter: Meter,
}

pub const END: u128 = 1 << 126;

impl SimulatedService {
    /// Documents that lie evenly in ranges which are given by their shares of all of them.
    pub fn of(shares: &[u64], charge: f64) -> Self {
        let count = shares.len() as u128;
        let mut service = Self { charge, ..Self::default() };
        for (at, documents) in (0_u128..).zip(shares) {
            let (min, max) = (END / count * at, END / count * (at + 1));
            service.ranges.insert(at.to_string(), (min, max));
            for number in 0..u128::from(*documents) {
                let place = min + (max - min) / u128::from(*documents) * number;
                let key = u32::try_from(number % 7).unwrap_or_default();
                service.documents.push(StoredDocument { place, key });
            }
        }
        service
    }

    pub fn strata(&self) -> Vec<Stratum> {
        let strata = self.ranges.iter().map(|(id, (min, max))| Stratum {
            id: id.clone(),
            min: format!("{min:032X}"),
            max: format!("{max:032X}"),
            documents: Some(
                self.documents.iter().filter(|h| h.place >= *min && h.place < *max).count() as u64,
            ),
            kib: None,
            keys: Vec::new(),
            heat: None,
        });
        strata.collect()
    }

    pub fn split(&mut self, id: &str, into: [&str; 2]) {
        let (min, max) = self.ranges.remove(id).unwrap();
        let middle = min + (max - min) / 2;
        self.ranges.insert(into[0].to_owned(), (min, middle));
        self.ranges.insert(into[1].to_owned(), (middle, max));
    }

    pub fn page(&mut self, ask: &PageAsk) -> FeedPage {
        let number = self.requests;
        self.requests += 1;
        let fails = |obstacle, retry_after_ms| FeedPage {
            continuation: None,
            seen: Observation::Failure(Failure {
                at: Stamp::EPOCH,
                inquiry: ask.inquiry.clone(),
                trouble: Trouble { retry_after_ms, ..Trouble::new(obstacle, "no", "wait") },
                ru: None,
            }),
        };
        if self.refuses.contains(&number) {
            return fails(Obstacle::Throttled, self.wait_ms);
        }
        if self.takes_no_windows && ask.window.is_some() {
            return fails(Obstacle::Unsupported, None);
        }
        let Some((min, max)) = self.ranges.get(&ask.range).copied() else {
            return fails(Obstacle::Moved, None);
        };
        let hex = |text: &str| u128::from_str_radix(text, 16).unwrap();
        let (min, max) = match &ask.window {
            Some(_) if self.ignores_windows => (min, max),
            Some((start, end)) => (min.max(hex(start)), max.min(hex(end))),
            None => (min, max),
        };
        let from: usize = ask.continuation.as_ref().map_or(0, |token| token.parse().unwrap());
        let inside = |h: &&StoredDocument| h.place >= min && h.place < max;
        let (entries, rest) = if self.counts_groups {
            self.groups(inside, from)
        } else {
            self.documents(inside, from, ask)
        };
        let given = entries.matches("_rid").count();
        let charge = self.charge + self.document_charge * f64::from(u32::try_from(given).unwrap());
        self.charged += charge;
        FeedPage {
            continuation: rest.map(|next| next.to_string()),
            seen: Observation::Answer(Answer {
                at: Stamp::EPOCH,
                inquiry: ask.inquiry.clone(),
                body: format!("{{\"Documents\":[{entries}]}}").into_bytes().into(),
                ru: Some(charge),
            }),
        }
    }

    fn documents(
        &mut self,
        inside: impl Fn(&&StoredDocument) -> bool,
        from: usize,
        ask: &PageAsk,
    ) -> (String, Option<usize>) {
        let all: Vec<usize> =
            (0..self.documents.len()).filter(|at| inside(&&self.documents[*at])).collect();
        let most = usize::try_from(ask.most).unwrap();
        let page: Vec<usize> = all.iter().copied().skip(from).take(most).collect();
        self.given.extend(page.iter().map(|at| (ask.range.clone(), *at)));
        if ask.query.contains('*') {
            let whole = page.iter().map(|at| (ask.range.clone(), *at));
            self.whole.extend(whole);
        }
        self.queries.push((Arc::clone(&ask.query), page.len() as u64));
        let entries: Vec<String> =
            page.iter().map(|at| format!("{{\"_rid\":\"{at}\",\"id\":\"{at}\"}}")).collect();
        let next = from + page.len();
        (entries.join(","), (next < all.len()).then_some(next))
    }

    /// Two groups a page.
    fn groups(
        &self,
        inside: impl Fn(&&StoredDocument) -> bool,
        from: usize,
    ) -> (String, Option<usize>) {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for held in self.documents.iter().filter(inside) {
            *counts.entry(held.key).or_default() += 1;
        }
        let mut text = String::new();
        for (at, (key, count)) in counts.iter().enumerate().skip(from).take(2) {
            let comma = if at > from { "," } else { "" };
            let key = match key {
                0 => String::new(),
                1 => "\"k0\":null,".to_owned(),
                2 => "\"k0\":\"2\",".to_owned(),
                n => format!("\"k0\":{n},"),
            };
            write!(text, "{comma}{{{key}\"n\":{count}}}").unwrap();
        }
        (text, (from + 2 < counts.len()).then_some(from + 2))
    }
}

/// Runs a scan against it: every answer takes `latency` seconds.
pub fn run<S: Scan>(
    budgeted: &mut BudgetedScan<S>,
    service: &mut SimulatedService,
    latency: f64,
) -> (ScanEnd, Vec<SeenRequest>, f64) {
    let mut now = 0.0;
    let mut in_flight: Vec<(f64, PageAsk)> = Vec::new();
    let mut seen = Vec::new();
    for _ in 0..100_000 {
        match budgeted.step(now) {
            Step::Ask(ask) => {
                assert!(
                    in_flight.iter().all(|(_, held)| held.range != ask.range),
                    "two of one partition"
                );
                in_flight.push((now + latency, *ask));
            }
            Step::Over(over) => return (over, seen, now),
            Step::Wait(pause) => {
                let next = in_flight.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
                now = match pause {
                    None => next,
                    Some(at) => at.min(next).max(now),
                };
                while let Some(at) = in_flight.iter().position(|(at, _)| *at <= now) {
                    let (_, ask) = in_flight.swap_remove(at);
                    let page = service.page(&ask);
                    budgeted.seen(now, &ask, &page);
                    let refused = matches!(&page.seen, Observation::Failure(f) if f.trouble.obstacle == Obstacle::Throttled);
                    let range = ask.range.clone();
                    let meter = budgeted.meter(now);
                    seen.push(SeenRequest { at: now, range, refused, meter });
                }
            }
        }
    }
    panic!("it does not end");
}
