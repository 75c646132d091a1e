//! Documents of an account, asked for a page at a time as far as somebody allowed it; what comes back goes into the ledger.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use super::{LiveWork, now, stopped};
use crate::source::answers::{Inquiry, Kind, Observation, Obstacle, Trouble};
use crate::source::live::budget::Budget;
use crate::source::live::sampling::{MOST_BYTES, SampleRequest, Sampling, strata_of};
use crate::source::live::scan::{BudgetedScan, Scan, ScanEnd, ScanEvent, run};
use crate::source::live::session::{Reads, Samples};
use crate::source::live::target::Target;
use crate::source::watch::Watch;
use crate::work::sample::{Meter, ScanAsk, ScanResult};

/// Splits of partitions that one scan goes on after.
const MOST_MOVES: u32 = 8;
/// Documents that are held of all containers together: of this sample and of those before it. Whoever comes back to one that
/// was let go of is asked again.
const MOST_HELD_BYTES: u64 = 2 * MOST_BYTES;

/// A sample that was begun; whoever runs it holds it.
type SharedScan = Arc<Mutex<Option<BudgetedScan<Sampling>>>>;

/// Samples that were begun, by database and container.
#[derive(Debug, Default)]
pub struct Scans {
    scans: BTreeMap<(String, String), SharedScan>,
    /// The moment that times of budgets count from.
    began: Option<Instant>,
}

impl LiveWork {
    /// Asks for documents until all are there, what was allowed is spent, or nobody wants more. A sample that was begun
    /// goes on; one that still runs was stopped by whoever asks now, and what it spent is known once it has let go.
    pub fn sample(&self, ask: &ScanAsk, watch: &Watch, tell: &mut dyn FnMut(Meter)) -> ScanResult {
        let target = &ask.field.target;
        let of = (ask.field.database.clone(), ask.field.container.clone());
        let (shared, began) = {
            let scans = &mut self.held_of(target).scans;
            let began = *scans.began.get_or_insert_with(Instant::now);
            (Arc::clone(scans.scans.entry(of.clone()).or_default()), began)
        };
        let mut held = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let others = MOST_HELD_BYTES - MOST_BYTES;
        self.lock().ledger.let_go_of_samples(&of, others);
        let budgeted = match held.take() {
            Some(budgeted) if self.holds(&budgeted) => further(budgeted, ask),
            before => self.anew(before, ask),
        };
        let budgeted = held.insert(budgeted);
        let scanned = self.scan(budgeted, began, target, watch, no_samples, tell);
        if let Some(records) = &mut self.lock().records {
            records.round_ends();
        }
        scanned
    }

    /// Whether what came of a sample is still there.
    fn holds(&self, budgeted: &BudgetedScan<Sampling>) -> bool {
        let (database, container) = budgeted.scan.names();
        let is_there = || self.lock().ledger.documents(database, container).next().is_some();
        budgeted.scan.entries() == 0 || is_there()
    }

    /// A sample from its beginning; what one before it cost stays spent.
    fn anew(
        &self,
        before: Option<BudgetedScan<Sampling>>,
        ask: &ScanAsk,
    ) -> BudgetedScan<Sampling> {
        let field = &ask.field;
        let wanted = SampleRequest {
            database: field.database.clone(),
            container: field.container.clone(),
            documents: ask.documents,
            choice: ask.choice.clone(),
            hashing: field.hashing,
            // Every sample begins at other places of the hash ranges.
            seed: now().ticks().unsigned_abs(),
        };
        let first = || Budget::new(ask.ru_per_second, 0.0, self.0.pace.rest.as_secs_f64());
        let mut budget = before.map_or_else(first, |budgeted| budgeted.budget);
        budget.allow(ask.more_ru);
        BudgetedScan::new(Sampling::new(wanted, field.strata.clone()), budget)
    }

    /// Opens the account where it is not open, and runs a scan to its end; `none` says why nobody reads documents there.
    pub(super) fn scan<S: Scan>(
        &self,
        budgeted: &mut BudgetedScan<S>,
        began: Instant,
        target: &Target,
        watch: &Watch,
        none: fn() -> Trouble,
        tell: &mut dyn FnMut(Meter),
    ) -> ScanResult {
        let inquiry = async {
            let opened = async {
                let session = self.session(target).await?;
                let samples = session.samples().ok_or_else(none)?;
                Ok::<_, Trouble>((session, samples))
            };
            let opened = tokio::select! {
                biased;
                () = stopped(watch) => return ScanEnd::Stopped,
                opened = opened => opened,
            };
            match opened {
                Ok((session, samples)) => {
                    let ways = (&*session, &*samples);
                    self.through_splits(budgeted, began, ways, watch, tell).await
                }
                Err(trouble) => ScanEnd::Failed(trouble),
            }
        };
        let over = self.0.block_on(inquiry).unwrap_or(ScanEnd::Stopped);
        ScanResult { over, meter: budgeted.meter(began.elapsed().as_secs_f64()) }
    }

    /// Runs a scan to its end, through splits of partitions.
    async fn through_splits<S: Scan>(
        &self,
        budgeted: &mut BudgetedScan<S>,
        began: Instant,
        (session, samples): (&dyn Reads, &dyn Samples),
        watch: &Watch,
        tell: &mut dyn FnMut(Meter),
    ) -> ScanEnd {
        for _ in 0..MOST_MOVES {
            let wanted = || watch.keep_going();
            let mut takes = |reported: ScanEvent<'_>| match reported {
                ScanEvent::Seen(seen) => self.add(seen.clone()),
                ScanEvent::Meter(meter) => tell(meter),
            };
            let over = run(budgeted, began, samples, &wanted, &mut takes).await;
            if over != ScanEnd::Moved {
                return over;
            }
            let (database, container) = budgeted.scan.names();
            let inquiry = Inquiry::container(Kind::Ranges, database, container);
            let seen = tokio::select! {
                biased;
                () = stopped(watch) => return ScanEnd::Stopped,
                seen = session.ask(&inquiry) => seen,
            };
            self.add(seen.clone());
            match seen {
                Observation::Answer(answer) => {
                    let strata = strata_of(&answer.body, &budgeted.scan.strata());
                    budgeted.scan.relay(strata);
                    budgeted.resume();
                }
                Observation::Failure(failure) => return ScanEnd::Failed(failure.trouble),
            }
        }
        ScanEnd::Moved
    }
}

fn further(mut budgeted: BudgetedScan<Sampling>, ask: &ScanAsk) -> BudgetedScan<Sampling> {
    let more = ask.documents.saturating_sub(budgeted.scan.request().documents);
    budgeted.scan.choose(ask.choice.clone());
    budgeted.scan.extend(more);
    budgeted.budget.allow(ask.more_ru);
    budgeted.resume();
    budgeted
}

fn no_samples() -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        "documents cannot be read here",
        "open the account itself: cosmoscope connect ENDPOINT",
    )
}
