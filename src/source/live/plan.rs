//! Which questions are due: worked out from what has been told so far and from nothing else, so that a round can be stopped
//! and gone on with at any place.

use std::cmp::Reverse;
use std::time::Duration;

use super::management::{METRICS, Metric, THROTTLED, counts};
use super::target::{Pace, Target};
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Obstacle};
use crate::source::ledger::Ledger;

/// What seldom changes is asked for this many times more seldom than metrics.
const SELDOM: u32 = 5;
/// What was refused for good reason is asked for again after this many times the pause of metrics, or by hand.
const AFTER_REFUSAL: u32 = 10;

/// What had no answer is asked for again after this part of the pause of metrics.
const TROUBLED_PART: u32 = 4;
/// Questions for RU/s by physical partition, in an hour and in a round: a subscription has 1,200 writes an hour.
const DISTRIBUTIONS_AN_HOUR: u32 = 200;
const DISTRIBUTIONS_A_ROUND: usize = 6;
/// Containers that are read without being opened: at 60 RU/s that takes some minutes.
const MOST_READ: usize = 2_000;
/// Containers that the management plane is queried about by name, and one by one for metrics: a subscription has 12,000 reads
/// an hour.
const MOST_MANAGED: usize = 100;
const MOST_WITH_OWN_METRICS: usize = 20;
/// More than any round asks: the pause that follows from it is still a valid time.
const MOST_ASKED: u32 = 86_400;

/// Ways to an account that are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ways {
    pub management: bool,
    pub logs: bool,
}

/// Why a round is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Urgency {
    /// Time has passed.
    #[default]
    Due,
    /// Somebody asked for it: everything but the statistics of partitions, which are charged to a small budget.
    ByHand,
}

/// One round of questions.
#[derive(Clone, Copy, Debug)]
pub struct Round<'r> {
    pub target: &'r Target,
    pub ways: Ways,
    pub pace: &'r Pace,
    pub started: Stamp,
    pub urgency: Urgency,
    /// The container on the screen, by database and name: it is read before the others.
    pub on_screen: Option<&'r (String, String)>,
}

impl Round<'_> {
    /// What is to be asked next; nothing once the round is over. While questions of the container on the screen are
    /// due, they and the account come alone.
    pub fn due(&self, ledger: &Ledger) -> Vec<Inquiry> {
        let mut inquiry = vec![Inquiry::account(Kind::Account)];
        if self.ways.management {
            inquiry.push(Inquiry::account(Kind::ManagedAccount));
        }
        let (database, container) = (&self.target.database, &self.target.container);
        match (database, container) {
            (Some(database), Some(container)) => {
                self.of_container(ledger, database, container, true, &mut inquiry);
                let only = [(database.clone(), container.clone())];
                self.metrics(ledger, &only, &mut inquiry);
            }
            _ => self.of_lists(ledger, &mut inquiry),
        }
        if self.ways.logs {
            let logged = [Kind::LoggedSizes, Kind::LoggedRu, Kind::LoggedRequests];
            inquiry.extend(logged.map(|kind| match (database, container) {
                (Some(database), Some(container)) => Inquiry::container(kind, database, container),
                (Some(database), None) => Inquiry::database(kind, database),
                _ => Inquiry::account(kind),
            }));
        }
        inquiry.retain(|inquiry| self.is_due(ledger, inquiry));
        self.limit_distributions(ledger, &mut inquiry);
        let is_first = |of: &Inquiry| self.is_on_screen(of) && of.kind != Kind::Distribution;
        if inquiry.iter().any(is_first) {
            inquiry.retain(|of| is_first(of) || of.kind == Kind::Account);
        }
        inquiry
    }

    /// Limits the distributions: the management plane counts each as a write of the subscription. They come last, new ones
    /// first in the order of the containers, and each waits long enough that all of them stay below the limit of an hour.
    /// The ledger is searched once, not for each of them.
    fn limit_distributions(&self, ledger: &Ledger, inquiry: &mut Vec<Inquiry>) {
        let since = |moment| ledger.asked_since(Kind::Distribution, moment);
        let of_hour = (DISTRIBUTIONS_AN_HOUR as usize)
            .saturating_sub(since(self.started.plus_seconds(-3_600.0)));
        let mut left = DISTRIBUTIONS_A_ROUND.saturating_sub(since(Some(self.started))).min(of_hour);
        let asked = u32::try_from(since(None)).unwrap_or(u32::MAX).min(MOST_ASKED);
        let each = Duration::from_secs(3_600) / DISTRIBUTIONS_AN_HOUR;
        let gap = (self.pace.metrics_every * SELDOM).max(each * asked).as_secs_f64();
        let is_slow = |inquiry: &Inquiry| inquiry.kind == Kind::Distribution;
        let is_rested = |inquiry: &Inquiry| {
            let again = ledger.asked_at(inquiry).and_then(|last| last.plus_seconds(gap));
            again.is_none_or(|again| again <= self.started)
        };
        inquiry.sort_by_cached_key(|inquiry| {
            is_slow(inquiry).then(|| (!self.is_on_screen(inquiry), ledger.asked_at(inquiry)))
        });
        inquiry.retain(|inquiry| {
            let fits = !is_slow(inquiry) || left > 0 && is_rested(inquiry);
            left -= usize::from(fits && is_slow(inquiry));
            fits
        });
    }

    fn is_on_screen(&self, inquiry: &Inquiry) -> bool {
        let of = inquiry.database.as_ref().zip(inquiry.container.as_ref());
        self.on_screen.is_some_and(|(database, container)| of == Some((database, container)))
    }

    /// Sorts containers: the one on the screen, the throttled ones, those that were read before, the others by name. In a
    /// larger account the last ones wait until the user opens them.
    fn order(&self, ledger: &Ledger, containers: &mut Vec<(String, String)>) {
        let throttled = ledger.answer(&Inquiry::account(Kind::Metrics).part(THROTTLED.name));
        let throttled = throttled.map(|answer| counts(&answer.body)).unwrap_or_default();
        containers.sort_by_cached_key(|of| {
            let read = Inquiry::container(Kind::Container, &of.0, &of.1);
            let is_new = ledger.asked_at(&read).is_none();
            let rank = throttled.get(&(of.0.to_lowercase(), of.1.to_lowercase()));
            (self.on_screen != Some(of), Reverse(rank.copied()), is_new)
        });
        containers.truncate(MOST_READ);
    }

    fn of_lists(&self, ledger: &Ledger, inquiry: &mut Vec<Inquiry>) {
        if self.ways.management {
            inquiry.push(Inquiry::account(Kind::Metrics).part(THROTTLED.name));
        }
        let databases = if let Some(database) = &self.target.database {
            vec![database.clone()]
        } else {
            inquiry.push(Inquiry::account(Kind::Databases));
            ledger.databases()
        };
        for database in &databases {
            inquiry.push(Inquiry::database(Kind::Containers, database));
        }
        let wanted = self.target.container.as_ref();
        let mut containers = ledger.containers();
        containers.retain(|(database, container)| {
            wanted.is_none_or(|wanted| wanted == container) && databases.contains(database)
        });
        self.order(ledger, &mut containers);
        for (place, (database, container)) in containers.iter().enumerate() {
            let is_managed = place < MOST_MANAGED;
            self.of_container(ledger, database, container, is_managed, inquiry);
        }
        self.metrics(ledger, &containers, inquiry);
    }

    /// One question for each metric, about all containers together; where that is not told, each container by itself, and
    /// where that is not either, each metric. Nothing before the number of partitions is known.
    fn metrics(
        &self,
        ledger: &Ledger,
        containers: &[(String, String)],
        inquiry: &mut Vec<Inquiry>,
    ) {
        if !self.ways.management {
            return;
        }
        let together = match (&self.target.database, containers) {
            (_, [] | [_]) => None,
            (Some(database), _) => Some(Inquiry::database(Kind::Metrics, database)),
            (None, _) => Some(Inquiry::account(Kind::Metrics)),
        };
        let all_known = containers.iter().all(|of| is_known(ledger, of));
        for metric in &METRICS {
            let wide = together.as_ref().map(|of| of.clone().part(metric.name));
            if let Some(wide) = wide.filter(|wide| !self.is_asked_otherwise(ledger, wide)) {
                inquiry.extend(all_known.then_some(wide));
                continue;
            }
            let known = containers.iter().filter(|of| is_known(ledger, of));
            for (database, container) in known.take(MOST_WITH_OWN_METRICS) {
                let of = Inquiry::container(Kind::Metrics, database, container);
                let whole = of.clone().part(metric.name);
                if metric.alone.is_empty() || !self.is_asked_otherwise(ledger, &whole) {
                    inquiry.push(whole);
                } else {
                    inquiry.extend(metric.alone.iter().map(|name| of.clone().part(name)));
                }
            }
        }
    }

    /// Whether a question was not told as it was asked, not so long ago.
    fn is_asked_otherwise(&self, ledger: &Ledger, inquiry: &Inquiry) -> bool {
        let failure = ledger.failure(inquiry);
        failure.is_some_and(|failure| !failure.is_missed()) && !self.is_due(ledger, inquiry)
    }

    fn of_container(
        &self,
        ledger: &Ledger,
        database: &str,
        container: &str,
        is_managed: bool,
        inquiry: &mut Vec<Inquiry>,
    ) {
        let of = |kind| Inquiry::container(kind, database, container);
        inquiry.extend([Kind::Container, Kind::Ranges].map(of));
        // Its resource id leads to its offer: before it was read that would be a read of its own.
        if ledger.asked_at(&of(Kind::Container)).is_some() {
            inquiry.push(of(Kind::Offer));
        }
        // Questions to the management plane need resource ids.
        let of_it = (database.to_owned(), container.to_owned());
        if self.ways.management && is_managed && is_known(ledger, &of_it) {
            inquiry.extend([Kind::ManagedThroughput, Kind::Distribution, Kind::Usages].map(of));
        }
    }

    fn is_due(&self, ledger: &Ledger, inquiry: &Inquiry) -> bool {
        let Some(last) = ledger.asked_at(inquiry) else {
            return true;
        };
        let by_hand = self.urgency == Urgency::ByHand;
        let metrics = self.pace.metrics_every;
        let failure = ledger.failure(inquiry).map(|failure| &failure.trouble);
        let refused = failure.map(|trouble| trouble.obstacle);
        let told = Duration::from_millis(failure.and_then(|t| t.retry_after_ms).unwrap_or(0));
        let wait = match (inquiry.kind, refused) {
            (Kind::Container, None) => self.pace.statistics_every,
            (_, Some(Obstacle::RequestedOtherwise)) => metrics * AFTER_REFUSAL,
            (_, Some(Obstacle::Forbidden | Obstacle::Unsupported | Obstacle::NotFound))
                if !by_hand =>
            {
                metrics * AFTER_REFUSAL
            }
            _ if by_hand => return last < self.started,
            (kind, Some(obstacle)) if obstacle.is_passing() && !kind.is_elsewhere() => {
                metrics / TROUBLED_PART
            }
            (Kind::Metrics, None) if is_slow(inquiry) => metrics * SELDOM,
            (Kind::Ranges | Kind::Metrics, _) | (_, Some(_)) => metrics,
            _ => metrics * SELDOM,
        };
        let wait = wait.max(told.min(metrics * AFTER_REFUSAL));
        last.plus_seconds(wait.as_secs_f64()).is_none_or(|again| again <= self.started)
    }
}

/// A metric whose values are of more than a minute each.
fn is_slow(inquiry: &Inquiry) -> bool {
    let metric = inquiry.part.as_deref().and_then(Metric::named);
    metric.is_some_and(|metric| metric.is_slow())
}

/// Whether what questions about metrics need of a container was asked: how many partitions it has.
fn is_known(ledger: &Ledger, (database, container): &(String, String)) -> bool {
    let of = |kind| Inquiry::container(kind, database, container);
    let needed = [Kind::Container, Kind::Ranges].map(of);
    needed.iter().all(|inquiry| ledger.asked_at(inquiry).is_some())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
