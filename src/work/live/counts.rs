//! Documents of an account counted by key, for a command: what it would cost first, then the counts.

use tokio::time::Instant;

use super::LiveWork;
use crate::source::answers::{Obstacle, Trouble};
use crate::source::live::budget::Budget;
use crate::source::live::counting::{CountRequest, CountResult, Counting};
use crate::source::live::scan::BudgetedScan;
use crate::source::watch::Watch;
use crate::work::sample::{Allowance, Meter, SampleContainer, ScanResult};

/// A count that can be gone on with.
#[derive(Debug)]
pub struct OpenCount {
    budgeted: BudgetedScan<Counting>,
    began: Instant,
}

impl OpenCount {
    pub fn new(
        field: &SampleContainer,
        wanted: CountRequest,
        allowance: &Allowance,
        rest_seconds: f64,
    ) -> Self {
        let budget = Budget::new(field.rate(allowance), allowance.budget_ru, rest_seconds);
        Self {
            budgeted: BudgetedScan::new(Counting::new(wanted, field.strata.clone()), budget),
            began: Instant::now(),
        }
    }

    pub fn counted(&self) -> CountResult {
        self.budgeted.scan.counted()
    }

    /// Somebody allows so many RU more.
    pub fn allow(&mut self, ru: f64) {
        self.budgeted.budget.allow(ru);
        self.budgeted.resume();
    }
}

impl LiveWork {
    /// Counts until everything is counted, what was allowed is spent, or nobody wants more.
    pub fn count(
        &self,
        field: &SampleContainer,
        count: &mut OpenCount,
        watch: &Watch,
        tell: &mut dyn FnMut(Meter),
    ) -> ScanResult {
        let (budgeted, began) = (&mut count.budgeted, count.began);
        self.scan(budgeted, began, &field.target, watch, no_counts, tell)
    }
}

fn no_counts() -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        "documents cannot be counted here",
        "name the account itself",
    )
}
