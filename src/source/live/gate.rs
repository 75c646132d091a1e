//! Questions about lists, containers and throughput are charged to one small budget of the whole account (240 RU/s), which
//! every client of it shares: so they leave one after the other at a rate, wait as told where they are refused, and rest
//! after two refusals in a row.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::budget::{Budget, RequestPermit};
use super::fault::Fault;
use super::target::Pace;

/// Seconds before it is looked again whether a turn has come.
const LEAST_WAIT: f64 = 0.001;
/// Seconds that the charge of one answer delays the next question at most.
const MOST_DEBT: f64 = 60.0;

/// What requests cost together, also those that were refused.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Bill(pub Option<f64>);

impl Bill {
    pub(super) fn add(&mut self, ru: Option<f64>) {
        if let Some(ru) = ru {
            *self.0.get_or_insert(0.0) += ru;
        }
    }
}

/// Lets requests out.
#[derive(Debug)]
pub(super) struct Gate {
    budget: Mutex<Budget>,
    began: Instant,
    /// A wait that is longer is left to the next round.
    patience: f64,
}

/// Leave to send one request. Dropped without a word it counts as given up.
#[derive(Debug)]
pub(super) struct Permit<'g> {
    gate: &'g Gate,
    is_settled: bool,
}

impl Gate {
    pub(super) fn new(pace: &Pace) -> Self {
        let rate = f64::from(pace.metadata_ru_per_second);
        Self {
            budget: Mutex::new(Budget::new(rate, f64::INFINITY, pace.rest.as_secs_f64())),
            began: Instant::now(),
            patience: pace.operation.as_secs_f64() / 2.0,
        }
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its turn. Where the service wants a longer pause nothing is sent.
    pub(super) async fn permit(&self) -> Result<Permit<'_>, Fault> {
        loop {
            let until = {
                let mut budget = self.budget();
                match budget.permit(self.now()) {
                    RequestPermit::Now => {
                        budget.started();
                        return Ok(Permit { gate: self, is_settled: false });
                    }
                    RequestPermit::At(at) | RequestPermit::Reported(at)
                        if at - self.now() <= self.patience =>
                    {
                        at
                    }
                    // What an answer cost is paid for at the rate, as long as that takes.
                    RequestPermit::At(at) => return Err(Fault::Unpaid(self.left(at))),
                    RequestPermit::Reported(at) | RequestPermit::Resting(at) => {
                        return Err(Fault::Held(self.left(at)));
                    }
                    // A limit of RU in all is for those who allow it; here there is none.
                    RequestPermit::Spent => return Err(Fault::Held(0.0)),
                }
            };
            let wait = (until - self.now()).max(LEAST_WAIT);
            tokio::time::sleep(Duration::from_secs_f64(wait)).await;
        }
    }

    fn left(&self, until: f64) -> f64 {
        (until - self.now()).max(0.0).ceil()
    }
}

impl Permit<'_> {
    /// What came of it, and what it cost.
    pub(super) fn settle<T>(mut self, came: &Result<T, Fault>, ru: Option<f64>) {
        let now = self.gate.now();
        let mut budget = self.gate.budget();
        let ru = ru.map(|ru| ru.min(budget.rate * MOST_DEBT));
        match came {
            Err(Fault::Refused(refusal)) if refusal.status == 429 => {
                #[expect(clippy::cast_precision_loss, reason = "a time to wait")]
                let wait = refusal.retry_after_ms.map(|ms| ms as f64 / 1_000.0);
                budget.refused(now, ru, wait);
            }
            Err(Fault::Refused(_)) | Ok(_) => budget.answered(now, ru),
            Err(_) => return,
        }
        self.is_settled = true;
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.gate.budget().gave_up();
        }
    }
}
