//! A scan under way: pages within a budget, at most one of each physical partition at a time, resting after refusals. What
//! goes next is worked out from what came back and the time; asking is left to whoever runs it.

#[cfg(test)]
pub(super) mod simulated;
#[cfg(test)]
mod tests;

use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::time::Instant;

use super::budget::{Budget, FADES, RequestPermit};
use super::pages::{FeedPage, NO_PLACE, PageAsk, PageBody, Setback};
use super::sampling::Stratum;
use super::session::Samples;
use crate::model::units::{real, whole_u64};
use crate::source::answers::{Observation, Obstacle, Trouble};

/// Pages asked at the same time, whatever the number of partitions: when the service begins to refuse, few are on their way.
const IN_FLIGHT: usize = 2;
/// Failures in a row, other than refusals for want of RU/s, after which it ends.
const FAILURES: u32 = 3;
/// Seconds without an answer after which it ends, however few failures that were.
const PATIENCE: f64 = 8.0;
/// Longer waits are reported, in seconds.
const PAYS_LONG: f64 = 3.0;
/// How often the meter is told, and how soon somebody who wants no more of it is heard.
const REPORT_EVERY: f64 = 0.1;

/// What is scanned: which page goes next and what is there.
pub trait Scan {
    /// The next page that may go; its partition is busy until it is given back by `took` or `set_back`.
    fn next(&mut self) -> Option<PageAsk>;
    fn took(&mut self, ask: &PageAsk, body: &PageBody, continuation: Option<String>);
    fn set_back(&mut self, ask: &PageAsk, setback: Setback);
    /// Whether a page begins as one of another part of its partition did, so that parts mean nothing to the service.
    fn repeats(&self, _ask: &PageAsk, _body: &PageBody) -> bool {
        false
    }
    /// Takes in what came back for no place.
    fn learned(&mut self, _ask: &PageAsk, _body: &PageBody) {}
    /// Whether there is nothing left to ask, also nothing on its way.
    fn is_over(&self) -> bool;
    /// The container that is read.
    fn names(&self) -> (&str, &str);
    fn strata(&self) -> Vec<Stratum>;
    /// Goes on with other partitions after a split or merge.
    fn relay(&mut self, strata: Vec<Stratum>);
    /// Whether it holds as much as it may.
    fn is_full(&self) -> bool;
    /// Whether partitions are read from their start on, because the service reads no parts of their hash ranges.
    fn is_unwindowed(&self) -> bool {
        false
    }
    /// How many times what was planned parts of hash ranges cost, where that is far too much.
    fn costs_times(&self) -> Option<f64> {
        None
    }
    /// Entries of a page at first, where fewer entries cost less.
    fn first_page(&self) -> Option<u32> {
        None
    }
    /// Entries that are there and that there will be.
    fn entries(&self) -> u64;
    fn documents_total(&self) -> u64;
}

/// What becomes of what came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageNews {
    Kept,
    /// It was there already, or is no document: nobody is told of it.
    Repeated,
}

/// How a scan ended.
#[derive(Clone, PartialEq, Debug)]
pub enum ScanEnd {
    Whole,
    /// What was allowed would not suffice for another page.
    Spent,
    /// Somebody wanted no more of it.
    Stopped,
    /// A partition has split or moved: it goes on once the ranges were read again.
    Moved,
    Failed(Trouble),
}

/// What is to be done now.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Ask(Box<PageAsk>),
    /// Until something comes that is on its way, or until this time if there is one.
    Wait(Option<f64>),
    Over(ScanEnd),
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Meter {
    pub spent_ru: f64,
    pub budget_ru: f64,
    pub ru_per_second: f64,
    pub entries: u64,
    pub documents_total: u64,
    /// Whole seconds that it still rests after two refusals.
    pub resting_seconds: Option<f64>,
    /// Whole seconds until the rate allows the next page, where that is long.
    pub paying_seconds: Option<f64>,
    /// Refusals for want of RU/s so far.
    pub refusals: u64,
    /// No more is held, so no more is asked.
    pub is_full: bool,
    /// Partitions are read from their start on: the service reads no parts of their hash ranges.
    pub is_unwindowed: bool,
    /// How many times what was planned parts of hash ranges cost: fewer and larger ones are read since.
    pub costs_times: Option<f64>,
}

/// A scan with its budget.
#[derive(Clone, Debug)]
pub struct BudgetedScan<S> {
    pub scan: S,
    pub budget: Budget,
    in_flight: usize,
    failures: u32,
    /// When the first of those was asked that have no answer yet.
    waits_since: Option<f64>,
    refusals: u64,
    /// What an entry cost lately, at most.
    entry_ru: Option<f64>,
    ends: Option<ScanEnd>,
}

impl<S: Scan> BudgetedScan<S> {
    pub fn new(scan: S, budget: Budget) -> Self {
        Self {
            scan,
            budget,
            in_flight: 0,
            failures: 0,
            waits_since: None,
            refusals: 0,
            entry_ru: None,
            ends: None,
        }
    }

    /// Goes on with what ended, after more was allowed or the ranges were read again.
    pub fn resume(&mut self) {
        self.ends = None;
        self.failures = 0;
        self.waits_since = None;
    }

    pub fn step(&mut self, now: f64) -> Step {
        if self.ends.is_none() && self.scan.is_over() {
            self.ends = Some(ScanEnd::Whole);
        }
        if let Some(over) = &self.ends {
            return match self.in_flight {
                0 => Step::Over(over.clone()),
                _ => Step::Wait(None),
            };
        }
        match self.budget.permit(now) {
            RequestPermit::Spent if self.in_flight == 0 => return Step::Over(ScanEnd::Spent),
            RequestPermit::Spent => return Step::Wait(None),
            RequestPermit::At(at) | RequestPermit::Reported(at) | RequestPermit::Resting(at) => {
                return Step::Wait(Some(at));
            }
            RequestPermit::Now => {}
        }
        if self.in_flight < self.may_fly()
            && let Some(mut ask) = self.scan.next()
        {
            ask.most = ask.most.min(self.page_within_rate());
            self.in_flight += 1;
            self.waits_since.get_or_insert(now);
            self.budget.started();
            return Step::Ask(Box::new(ask));
        }
        match self.in_flight {
            // It has nothing to ask and nothing to wait for.
            0 => Step::Over(ScanEnd::Whole),
            _ => Step::Wait(None),
        }
    }

    /// As many entries as a second pays for: a few until it is known what one costs.
    fn page_within_rate(&self) -> u32 {
        let Some(first) = self.scan.first_page() else {
            return u32::MAX;
        };
        let Some(entry_ru) = self.entry_ru else {
            return first;
        };
        u32::try_from(whole_u64((self.budget.rate / entry_ru).clamp(1.0, 1e6))).unwrap_or(u32::MAX)
    }

    /// One until it is known what a page costs, where a page takes longer to pay than a second, and once half of the budget
    /// is spent, so that what is on its way may pass it by one answer only.
    fn may_fly(&self) -> usize {
        let Budget { largest, rate, spent, limit, .. } = self.budget;
        let is_quick = largest > 0.0 && largest * 2.0 <= rate && spent * 2.0 <= limit;
        if is_quick { IN_FLIGHT } else { 1 }
    }

    /// Takes in what came back.
    pub fn seen(&mut self, now: f64, ask: &PageAsk, page: &FeedPage) -> PageNews {
        self.in_flight = self.in_flight.saturating_sub(1);
        let trouble = match &page.seen {
            Observation::Answer(answer) => {
                self.budget.answered(now, answer.ru);
                let Some(body) = PageBody::of(answer) else {
                    self.scan.set_back(ask, Setback::Again);
                    self.ends = Some(ScanEnd::Failed(no_page()));
                    return PageNews::Kept;
                };
                self.failures = 0;
                self.waits_since = (self.in_flight > 0).then_some(now);
                if ask.place == NO_PLACE {
                    self.scan.learned(ask, &body);
                    return PageNews::Repeated;
                }
                if let Some(ru) = answer.ru.filter(|_| body.entries > 0) {
                    let entry_ru = ru / real(body.entries);
                    let before = self.entry_ru.unwrap_or_default() * FADES;
                    self.entry_ru = Some(entry_ru.max(before));
                }
                if self.scan.repeats(ask, &body) {
                    self.scan.set_back(ask, Setback::Repeats);
                    return PageNews::Repeated;
                }
                self.scan.took(ask, &body, page.continuation.clone());
                return PageNews::Kept;
            }
            Observation::Failure(failure) => &failure.trouble,
        };
        self.failed(now, ask, trouble, page.seen.ru());
        PageNews::Kept
    }

    fn failed(&mut self, now: f64, ask: &PageAsk, trouble: &Trouble, ru: Option<f64>) {
        if trouble.obstacle == Obstacle::Throttled {
            self.refusals += 1;
            self.waits_since = None;
            let wait = trouble.retry_after_ms.map(|ms| real(ms) / 1_000.0);
            self.budget.refused(now, ru, wait);
            return self.scan.set_back(ask, Setback::Again);
        }
        self.budget.failed(now, ru);
        let setback = match trouble.obstacle {
            Obstacle::Unsupported if ask.window.is_some() => Setback::NoWindows,
            Obstacle::Moved => Setback::Moved,
            _ if ask.place == NO_PLACE => Setback::Untold,
            _ => Setback::Again,
        };
        self.scan.set_back(ask, setback);
        match (setback, trouble.obstacle) {
            (Setback::NoWindows | Setback::Repeats | Setback::Untold, _) => {}
            (Setback::Moved, _) => self.ends = Some(ScanEnd::Moved),
            (_, Obstacle::Service | Obstacle::TimedOut)
                if self.failures + 1 < FAILURES && !self.is_out_of_patience(now) =>
            {
                self.failures += 1;
            }
            _ => self.ends = Some(ScanEnd::Failed(trouble.clone())),
        }
    }

    fn is_out_of_patience(&self, now: f64) -> bool {
        self.waits_since.is_some_and(|since| now - since >= PATIENCE)
    }

    /// Gives up what is on its way.
    pub fn gave_up(&mut self, ask: &PageAsk) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.budget.gave_up();
        self.scan.set_back(ask, Setback::Again);
    }

    pub fn meter(&self, now: f64) -> Meter {
        let left = |until: f64| Some((until - now).max(0.0).ceil());
        let (resting, paying) = match self.budget.permit(now) {
            RequestPermit::Resting(until) => (left(until), None),
            RequestPermit::At(until) if until - now > PAYS_LONG => (None, left(until)),
            _ => (None, None),
        };
        Meter {
            spent_ru: self.budget.spent,
            budget_ru: self.budget.limit,
            ru_per_second: self.budget.rate,
            entries: self.scan.entries(),
            documents_total: self.scan.documents_total(),
            resting_seconds: resting,
            paying_seconds: paying,
            refusals: self.refusals,
            is_full: self.scan.is_full(),
            is_unwindowed: self.scan.is_unwindowed(),
            costs_times: self.scan.costs_times(),
        }
    }
}

fn no_page() -> Trouble {
    Trouble::new(
        Obstacle::Unbelievable,
        "the answer is not a page of documents",
        "check whether a proxy is in between",
    )
}

/// What was there already is not told again, nor what is no document, but what it cost is.
fn repeated(seen: &Observation) -> Observation {
    let what = "the service gave no new document";
    let trouble = Trouble::new(Obstacle::RequestedOtherwise, what, "nothing");
    Observation::of(seen.inquiry(), seen.at(), Err(trouble)).charged(seen.ru())
}

/// What is told while a scan runs.
#[derive(Debug)]
pub enum ScanEvent<'t> {
    Seen(&'t Observation),
    Meter(Meter),
}

/// Runs a scan to its end, or until `is_wanted` says no. Times are seconds since `began`.
pub async fn run<S: Scan>(
    budgeted: &mut BudgetedScan<S>,
    began: Instant,
    asks: &dyn Samples,
    is_wanted: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(ScanEvent<'_>),
) -> ScanEnd {
    let now = || began.elapsed().as_secs_f64();
    let mut in_flight = FuturesUnordered::new();
    let mut asked: Vec<PageAsk> = Vec::new();
    let mut reported = None;
    let over = loop {
        if !is_wanted() {
            break ScanEnd::Stopped;
        }
        let until = match budgeted.step(now()) {
            Step::Ask(ask) => {
                let ask = *ask;
                asked.push(ask.clone());
                in_flight.push(async move {
                    let page = asks.page(&ask).await;
                    (ask, page)
                });
                continue;
            }
            Step::Over(over) => break over,
            Step::Wait(until) => until,
        };
        let meter = budgeted.meter(now());
        if reported != Some(meter) {
            reported = Some(meter);
            tell(ScanEvent::Meter(meter));
        }
        let wait = until.map_or(REPORT_EVERY, |at| (at - now()).clamp(0.0, REPORT_EVERY));
        let waited =
            tokio::time::sleep(Duration::from_secs_f64(wait).max(Duration::from_millis(1)));
        tokio::select! {
            biased;
            Some((ask, page)) = in_flight.next() => {
                asked.retain(|held| *held != ask);
                match budgeted.seen(now(), &ask, &page) {
                    PageNews::Kept => tell(ScanEvent::Seen(&page.seen)),
                    PageNews::Repeated => tell(ScanEvent::Seen(&repeated(&page.seen))),
                }
            }
            () = waited => {}
        }
    };
    drop(in_flight);
    for ask in &asked {
        budgeted.gave_up(ask);
    }
    tell(ScanEvent::Meter(budgeted.meter(now())));
    over
}
