//! What a scan may cost: so many RU a second and so many in all, waiting as told at a refusal, resting after two in a row.
//! Time comes as seconds from any beginning, so that tests need no clock.

use std::collections::VecDeque;

/// Of the provisioned RU/s, by default.
const SHARE: f64 = 0.01;
/// RU/s at least, also where nothing is known of what is provisioned, and at most.
pub const LEAST_RATE: f64 = 5.0;
pub const MOST_RATE: f64 = 100.0;
/// RU before somebody is asked again.
pub const LIMIT: f64 = 1_000.0;
/// Refusals in a row after which nothing is asked for a while.
const REFUSALS: u32 = 2;
/// The rate holds in each stretch of so many seconds.
const STRETCH: f64 = 1.0;
/// Charges of a stretch that are told apart.
const MAX_CHARGES: usize = 100;
/// Seconds after which it is looked again whether an answer came.
const LOOKS_AGAIN: f64 = 0.02;
/// What is expected of the next answer falls so with each that costs less.
pub(super) const FADES: f64 = 0.8;
/// Seconds to wait where the service refuses and does not say how long.
const UNKNOWN_WAIT: f64 = 1.0;

/// Whether the next request may go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RequestPermit {
    Now,
    /// What was spent is paid for at this time.
    At(f64),
    /// The service wants a pause until this time.
    Reported(f64),
    /// Refused twice in a row: not before this time, and everybody is told.
    Resting(f64),
    /// What was allowed would not suffice for another like the costliest so far.
    Spent,
}

/// The meter of one scan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Budget {
    pub(super) rate: f64,
    pub(super) limit: f64,
    /// How long it rests after refusals.
    rest: f64,
    pub spent: f64,
    /// The costliest answer of its kind.
    pub(super) largest: f64,
    /// What the next answer may cost, from those before.
    expected: f64,
    /// When something was spent, and how much, within the last stretch.
    charges: VecDeque<(f64, f64)>,
    in_flight: u32,
    /// What was spent is paid for by then, at the rate.
    paid_at: f64,
    refusals: u32,
    not_before: f64,
    is_resting: bool,
}

/// The rate for a container with so many RU/s.
pub fn rate_for(provisioned: Option<f64>) -> f64 {
    provisioned.map_or(LEAST_RATE, |ru| (ru * SHARE).clamp(LEAST_RATE, MOST_RATE))
}

impl Budget {
    pub fn new(rate: f64, limit: f64, rest_seconds: f64) -> Self {
        Self {
            rate: rate.max(f64::MIN_POSITIVE),
            limit,
            rest: rest_seconds,
            paid_at: f64::NEG_INFINITY,
            not_before: f64::NEG_INFINITY,
            ..Self::default()
        }
    }

    /// Somebody allows more.
    pub fn allow(&mut self, more: f64) {
        self.limit += more.max(0.0);
    }

    /// Whether one more may go at this time, beside those that are on their way.
    pub fn permit(&self, now: f64) -> RequestPermit {
        let reserved = f64::from(self.in_flight + 1) * self.largest;
        if self.spent + reserved > self.limit || self.spent >= self.limit {
            return RequestPermit::Spent;
        }
        if now < self.not_before {
            return if self.is_resting {
                RequestPermit::Resting(self.not_before)
            } else {
                RequestPermit::Reported(self.not_before)
            };
        }
        let due = self.due(now);
        if now < due { RequestPermit::At(due) } else { RequestPermit::Now }
    }

    /// When the charges of one stretch leave room for another answer. One that costs more than a stretch may has a stretch
    /// of its own, and is paid for before the next goes.
    fn due(&self, now: f64) -> f64 {
        let room = self.rate * STRETCH - f64::from(self.in_flight + 1) * self.expected;
        let mut sum: f64 = self.charges.iter().map(|(_, charge)| charge).sum();
        let mut due = match (room < 0.0, self.in_flight) {
            (false, _) => now,
            (true, 0) => self.paid_at,
            // What is on its way may cost a stretch by itself: its answer comes first.
            (true, _) => now + LOOKS_AGAIN,
        };
        for (at, charge) in &self.charges {
            if sum <= room.max(0.0) {
                break;
            }
            due = due.max(at + STRETCH);
            sum -= charge;
        }
        due
    }

    /// Takes down what was spent.
    fn spend(&mut self, now: f64, charge: f64) {
        self.spent += charge;
        self.paid_at = self.paid_at.max(now) + charge / self.rate;
        let is_over = |(at, _): &(f64, f64)| at + STRETCH <= now;
        while self.charges.front().is_some_and(is_over) {
            self.charges.pop_front();
        }
        let is_full = self.charges.len() >= MAX_CHARGES;
        match self.charges.back_mut() {
            // Taken for later than it was, so that the rate holds all the same.
            Some(last) if is_full => *last = (now, last.1 + charge),
            _ => self.charges.push_back((now, charge)),
        }
    }

    pub fn started(&mut self) {
        self.in_flight += 1;
    }

    /// An answer; one that does not say what it cost counts as the costliest so far.
    pub fn answered(&mut self, now: f64, charge: Option<f64>) {
        self.in_flight = self.in_flight.saturating_sub(1);
        let charge = believed(charge).unwrap_or(self.largest);
        self.largest = self.largest.max(charge);
        self.expected = charge.max(self.expected * FADES);
        self.spend(now, charge);
        self.refusals = 0;
    }

    /// A refusal for want of RU/s: whoever else uses the container comes first.
    pub fn refused(&mut self, now: f64, charge: Option<f64>, wait_seconds: Option<f64>) {
        self.failed(now, charge);
        self.refusals += 1;
        let rests = self.refusals >= REFUSALS;
        // What was on its way when the rest began neither ends nor prolongs it.
        self.is_resting = rests || (self.is_resting && now < self.not_before);
        let wait = if rests {
            self.refusals = 0;
            self.rest
        } else {
            wait_seconds.unwrap_or(UNKNOWN_WAIT).min(self.rest)
        };
        self.not_before = self.not_before.max(now + wait);
    }

    /// Something else than a refusal went wrong, or it was given up.
    pub fn gave_up(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// The same of an answer that says what it cost.
    pub fn failed(&mut self, now: f64, charge: Option<f64>) {
        self.gave_up();
        self.spend(now, believed(charge).unwrap_or(0.0));
    }
}

fn believed(charge: Option<f64>) -> Option<f64> {
    charge.filter(|ru| ru.is_finite() && *ru >= 0.0)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "sums of small whole numbers")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rate_is_a_hundredth_within_its_bounds() {
        let cases =
            [(None, 5.0), (Some(400.0), 5.0), (Some(2_000.0), 20.0), (Some(40_000.0), 100.0)];
        for (provisioned, rate) in cases {
            assert_eq!(rate_for(provisioned), rate);
        }
    }

    #[test]
    fn what_is_spent_is_paid_for_before_the_next_goes() {
        let mut budget = Budget::new(10.0, 1_000.0, 60.0);
        assert_eq!(budget.permit(0.0), RequestPermit::Now);
        budget.started();
        budget.answered(0.0, Some(50.0));
        // 50 RU at 10 RU/s are five seconds.
        assert_eq!(budget.permit(0.0), RequestPermit::At(5.0));
        assert_eq!(budget.permit(5.0), RequestPermit::Now);
    }

    #[test]
    fn nothing_starts_that_the_limit_may_not_hold() {
        let mut budget = Budget::new(1e9, 120.0, 60.0);
        budget.started();
        budget.answered(0.0, Some(50.0));
        budget.started();
        assert_eq!(budget.permit(1.0), RequestPermit::Spent, "50 spent, 50 on its way, 50 wanted");
        budget.answered(1.0, Some(50.0));
        assert_eq!(budget.permit(1.0), RequestPermit::Spent);
        budget.allow(100.0);
        assert_eq!(budget.permit(1.0), RequestPermit::Now);
    }

    #[test]
    fn one_refusal_waits_as_told_and_two_in_a_row_rest() {
        let mut budget = Budget::new(1e9, 1_000.0, 60.0);
        budget.started();
        budget.refused(0.0, None, Some(0.25));
        assert_eq!(budget.permit(0.0), RequestPermit::Reported(0.25));
        budget.started();
        budget.refused(1.0, None, Some(0.25));
        assert_eq!(budget.permit(1.0), RequestPermit::Resting(61.0));
        assert_eq!(budget.permit(61.0), RequestPermit::Now);
        budget.started();
        budget.refused(61.0, None, Some(600.0));
        assert_eq!(
            budget.permit(61.0),
            RequestPermit::Reported(121.0),
            "a hint is never longer than the rest"
        );
    }

    proptest! {
        /// In no second more is spent than the rate, whatever answers cost and however long they take, but for what an
        /// answer costs more than those before it.
        #[test]
        fn the_rate_holds_in_every_second(
            answers in proptest::collection::vec((1.0..6.0_f64, 0.0..0.5_f64), 1..80),
            at_once in 1_usize..4,
        ) {
            let rate = 20.0;
            let mut budget = Budget::new(rate, 1e12, 60.0);
            let mut answers = answers.into_iter();
            let mut now = 0.0;
            // What is on its way: when it is answered, and what it costs, spent at any time until then.
            let mut in_flight: Vec<(f64, f64)> = Vec::new();
            let mut spent: Vec<(f64, f64)> = Vec::new();
            let mut is_over = false;
            while !is_over || !in_flight.is_empty() {
                let may = if spent.is_empty() { 1 } else { at_once };
                if !is_over && in_flight.len() < may && budget.permit(now) == RequestPermit::Now {
                    match answers.next() {
                        Some((charge, takes)) => {
                            budget.started();
                            in_flight.push((now + takes, charge));
                        }
                        None => is_over = true,
                    }
                    continue;
                }
                now += 0.01;
                let (done, still) = in_flight.into_iter().partition(|(at, _)| *at <= now);
                in_flight = still;
                for (_, charge) in done {
                    budget.answered(now, Some(charge));
                    spent.push((now, charge));
                }
            }
            for (from, _) in &spent {
                let second = spent.iter().filter(|(at, _)| (*from..from + STRETCH).contains(at));
                let sum: f64 = second.map(|(_, charge)| charge).sum();
                // Each of those on their way may cost up to five more than was expected.
                #[expect(clippy::cast_precision_loss, reason = "a handful")]
                let bound = rate + 5.0 * at_once as f64;
                prop_assert!(sum <= bound, "{sum} RU from {from}");
            }
        }

        /// Answers that cost the same keep to the rate exactly.
        #[test]
        fn equal_answers_never_pass_the_rate(charge in 0.5..40.0_f64, takes in 0.0..0.4_f64) {
            let rate = 20.0;
            let mut budget = Budget::new(rate, 1e12, 60.0);
            let mut now = 0.0;
            let mut spent: Vec<f64> = Vec::new();
            for _ in 0..60 {
                while budget.permit(now) != RequestPermit::Now {
                    now += 0.005;
                }
                budget.started();
                now += takes;
                budget.answered(now, Some(charge));
                spent.push(now);
            }
            for from in &spent {
                let second = spent.iter().filter(|at| (*from..from + STRETCH).contains(at));
                #[expect(clippy::cast_precision_loss, reason = "a handful")]
                let sum = charge * second.count() as f64;
                prop_assert!(sum <= rate.max(charge) + 1e-9, "{sum} RU from {from}");
            }
        }

        /// Spent never passes the limit by more than one answer for each request that was on its way.
        #[test]
        fn overshoot_is_bounded(charges in proptest::collection::vec(0.0..100.0_f64, 1..60), at_once in 1_usize..5) {
            let mut budget = Budget::new(1e12, 500.0, 60.0);
            let most = charges.iter().copied().fold(0.0, f64::max);
            let mut charges = charges.into_iter();
            let mut now = 0.0;
            loop {
                let mut in_flight = 0;
                while in_flight < at_once && budget.permit(now) == RequestPermit::Now {
                    budget.started();
                    in_flight += 1;
                }
                if in_flight == 0 {
                    break;
                }
                for _ in 0..in_flight {
                    let Some(charge) = charges.next() else { return Ok(()) };
                    budget.answered(now, Some(charge));
                }
                now += 1.0;
            }
            #[expect(clippy::cast_precision_loss, reason = "a handful")]
            let bound = 500.0 + most * at_once as f64;
            prop_assert!(budget.spent <= bound);
        }
    }
}
