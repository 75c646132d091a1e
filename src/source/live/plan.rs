//! Which questions are due: worked out from what has been told so far and from nothing else, so that a round can be stopped
//! and gone on with at any place.

use std::time::Duration;

use super::management::{METRICS, Metric};
use super::target::{Pace, Target};
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Obstacle};
use crate::source::ledger::Ledger;

/// What seldom changes is asked for this many times more seldom than metrics.
const SELDOM: u32 = 5;
/// What was refused for good reason is asked for again after this many times the pause of metrics, or by hand.
const REFUSED: u32 = 10;

/// What had no answer is asked for again after this part of the pause of metrics.
const TROUBLED_PART: u32 = 4;
/// Questions for RU/s by physical partition: of 1,200 writes that the subscription has in an hour, and in a round, which
/// waits for them.
const DISTRIBUTIONS_AN_HOUR: u32 = 200;
const DISTRIBUTIONS_A_ROUND: usize = 6;
/// Far more containers than are asked about: a pause of so many is still a time.
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
}

impl Round<'_> {
    /// What is to be asked next; nothing once the round is over.
    pub fn due(&self, ledger: &Ledger) -> Vec<Inquiry> {
        let mut inquiry = vec![Inquiry::account(Kind::Account)];
        if self.ways.management {
            inquiry.push(Inquiry::account(Kind::ManagedAccount));
        }
        let (database, container) = (&self.target.database, &self.target.container);
        match (database, container) {
            (Some(database), Some(container)) => {
                self.of_container(ledger, database, container, &mut inquiry);
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
        inquiry
    }

    /// The management plane counts these as writes of the whole subscription, and each takes its time: they come last, a few
    /// a round, each so seldom that all of them stay below so many an hour; what was never asked goes first. The ledger is
    /// gone through here and not for each of them.
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
        inquiry.sort_by_cached_key(|inquiry| is_slow(inquiry).then(|| ledger.asked_at(inquiry)));
        inquiry.retain(|inquiry| {
            let fits = !is_slow(inquiry) || left > 0 && is_rested(inquiry);
            left -= usize::from(fits && is_slow(inquiry));
            fits
        });
    }

    fn of_lists(&self, ledger: &Ledger, inquiry: &mut Vec<Inquiry>) {
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
        for (database, container) in &containers {
            self.of_container(ledger, database, container, inquiry);
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
            for (database, container) in containers.iter().filter(|of| is_known(ledger, of)) {
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
        if self.ways.management && is_known(ledger, &of_it) {
            inquiry.extend([Kind::ManagedThroughput, Kind::Distribution, Kind::Usages].map(of));
        }
    }

    fn is_due(&self, ledger: &Ledger, inquiry: &Inquiry) -> bool {
        let Some(last) = ledger.asked_at(inquiry) else {
            return true;
        };
        let by_hand = self.urgency == Urgency::ByHand;
        let metrics = self.pace.metrics_every;
        let refused = ledger.failure(inquiry).map(|failure| failure.trouble.obstacle);
        let wait = match (inquiry.kind, refused) {
            (Kind::Container, None) => self.pace.statistics_every,
            (_, Some(Obstacle::RequestedOtherwise)) => metrics * REFUSED,
            (_, Some(Obstacle::Forbidden | Obstacle::Unsupported | Obstacle::NotFound))
                if !by_hand =>
            {
                metrics * REFUSED
            }
            _ if by_hand => return last < self.started,
            (kind, Some(obstacle)) if obstacle.is_passing() && !kind.is_elsewhere() => {
                metrics / TROUBLED_PART
            }
            (Kind::Metrics, None) if is_slow(inquiry) => metrics * SELDOM,
            (Kind::Ranges | Kind::Metrics, _) | (_, Some(_)) => metrics,
            _ => metrics * SELDOM,
        };
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
mod tests {
    use super::*;
    use crate::source::answers::{Answer, Failure, Observation, Trouble};

    fn at(seconds: i64) -> Stamp {
        Stamp::from_seconds(1_780_000_000 + seconds).unwrap()
    }

    fn answer(ledger: &mut Ledger, inquiry: &Inquiry, seconds: i64) {
        let body: &[u8] = match inquiry.kind {
            Kind::Databases => br#"{"Databases":[{"id":"shop"}]}"#,
            Kind::Containers => br#"{"DocumentCollections":[{"id":"orders"},{"id":"carts"}]}"#,
            _ => b"{}",
        };
        ledger.add(Observation::Answer(Answer {
            at: at(seconds),
            inquiry: inquiry.clone(),
            body: body.into(),
            ru: None,
        }));
    }

    fn rounds(
        target: &Target,
        ways: Ways,
        started: i64,
        urgency: Urgency,
    ) -> impl FnMut(&mut Ledger) -> Vec<Inquiry> {
        let pace = Pace::default();
        move |ledger| {
            let round = Round { target, ways, pace: &pace, started: at(started), urgency };
            let mut all = Vec::new();
            loop {
                let due = round.due(ledger);
                if due.is_empty() {
                    return all;
                }
                for inquiry in due {
                    answer(ledger, &inquiry, started);
                    all.push(inquiry);
                }
            }
        }
    }

    fn kinds(inquiry: &[Inquiry]) -> Vec<Kind> {
        inquiry.iter().map(|inquiry| inquiry.kind).collect()
    }

    #[test]
    fn a_first_round_goes_from_the_account_to_every_container() {
        use Kind::{Account, Container, Containers, Databases, Offer, Ranges};
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        let inquiry = rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        let each = [Container, Ranges];
        let lists = [Account, Databases, Containers];
        // The read of a container tells what leads to its offer.
        assert_eq!(kinds(&inquiry), [&lists[..], &each, &each, &[Offer, Offer]].concat());
        assert!(inquiry.iter().any(|a| a.container.as_deref() == Some("carts")));
    }

    /// Of forty containers, in rounds a minute apart.
    #[test]
    fn distributions_are_a_few_a_round_and_two_hundred_an_hour() {
        let pace = Pace::default();
        let target = Target { database: Some("shop".to_owned()), ..Target::default() };
        let mut ledger = Ledger::new("north");
        let names: Vec<String> = (0..40).map(|n| format!(r#"{{"id":"c{n}"}}"#)).collect();
        let list = format!(r#"{{"DocumentCollections":[{}]}}"#, names.join(","));
        let ways = Ways { management: true, logs: false };
        let mut each_round = Vec::new();
        for minute in 0..120 {
            let (started, urgency) = (at(minute * 60), Urgency::ByHand);
            let round = Round { target: &target, ways, pace: &pace, started, urgency };
            let mut slow = 0;
            loop {
                let due = round.due(&ledger);
                if due.is_empty() {
                    break;
                }
                for inquiry in due {
                    slow += u32::from(inquiry.kind == Kind::Distribution);
                    let body = if inquiry.kind == Kind::Containers { list.as_str() } else { "{}" };
                    let came = Ok((body.as_bytes().into(), None));
                    ledger.add(Observation::of(&inquiry, started, came));
                }
            }
            each_round.push(slow);
        }
        assert_eq!(each_round.iter().max(), Some(&6));
        for hour in each_round.windows(60) {
            let sum: u32 = hour.iter().sum();
            assert!((100..=200).contains(&sum), "{sum}: {each_round:?}");
        }
    }

    #[test]
    fn a_named_container_needs_no_list() {
        let mut ledger = Ledger::new("north");
        let target = Target {
            database: Some("shop".to_owned()),
            container: Some("orders".to_owned()),
            ..Target::default()
        };
        let ways = Ways { management: true, logs: true };
        let inquiry = rounds(&target, ways, 0, Urgency::Due)(&mut ledger);
        assert!(!kinds(&inquiry).contains(&Kind::Databases));
        let metrics = inquiry.iter().filter(|a| a.kind == Kind::Metrics).count();
        assert_eq!(metrics, METRICS.len());
        assert!(kinds(&inquiry).contains(&Kind::LoggedRu));
    }

    #[test]
    fn statistics_are_not_asked_for_twice_a_minute_not_even_by_hand() {
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        assert_eq!(rounds(&target, Ways::default(), 30, Urgency::Due)(&mut ledger), []);
        let by_hand = rounds(&target, Ways::default(), 31, Urgency::ByHand)(&mut ledger);
        assert!(kinds(&by_hand).contains(&Kind::Ranges));
        assert!(!kinds(&by_hand).contains(&Kind::Container));
        let later = rounds(&target, Ways::default(), 100, Urgency::Due)(&mut ledger);
        assert!(kinds(&later).contains(&Kind::Container) && kinds(&later).contains(&Kind::Ranges));
        assert!(!kinds(&later).contains(&Kind::Databases), "lists seldom change");
    }

    const MANAGED: Ways = Ways { management: true, logs: false };

    /// Answers everything but what is not told as it is asked.
    fn metrics_asked(
        ledger: &mut Ledger,
        target: &Target,
        started: i64,
        refuses: impl Fn(&Inquiry) -> bool,
    ) -> Vec<Inquiry> {
        let pace = Pace::default();
        let round = Round {
            target,
            ways: MANAGED,
            pace: &pace,
            started: at(started),
            urgency: Urgency::Due,
        };
        let mut metrics = Vec::new();
        for _ in 0..20 {
            let due = round.due(ledger);
            for inquiry in &due {
                if inquiry.kind == Kind::Metrics && refuses(inquiry) {
                    ledger.add(Observation::Failure(Failure {
                        at: at(started),
                        inquiry: inquiry.clone(),
                        trouble: Trouble::new(Obstacle::RequestedOtherwise, "no", "so"),
                        ru: None,
                    }));
                } else {
                    answer(ledger, inquiry, started);
                }
            }
            metrics.extend(due.into_iter().filter(|inquiry| inquiry.kind == Kind::Metrics));
        }
        metrics
    }

    #[test]
    fn metrics_of_all_containers_are_asked_for_together() {
        let mut ledger = Ledger::new("north");
        let inquiry = metrics_asked(&mut ledger, &Target::default(), 0, |_| false);
        assert_eq!(inquiry.len(), METRICS.len());
        assert!(inquiry.iter().all(|inquiry| inquiry.database.is_none()));
        let minute = metrics_asked(&mut ledger, &Target::default(), 60, |_| false);
        assert_eq!(minute.len(), 3, "others have values of five minutes and more");
        let database = Target { database: Some("shop".to_owned()), ..Target::default() };
        let inquiry = metrics_asked(&mut Ledger::new("north"), &database, 0, |_| false);
        assert_eq!(inquiry.len(), METRICS.len());
        let wide = |inquiry: &Inquiry| inquiry.database.is_some() && inquiry.container.is_none();
        assert!(inquiry.iter().all(wide), "{inquiry:?}");
    }

    #[test]
    fn what_is_not_told_together_is_asked_for_one_by_one() {
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        let is_wide = |inquiry: &Inquiry| inquiry.container.is_none();
        let inquiry = metrics_asked(&mut ledger, &target, 0, is_wide);
        // All together, then each for each of two containers.
        assert_eq!(inquiry.len(), 3 * METRICS.len());
        let inquiry = metrics_asked(&mut ledger, &target, 300, is_wide);
        assert_eq!(inquiry.len(), 2 * METRICS.len(), "each is refused once");
        let metrics = |ledger: &Ledger| {
            let access = ledger.access();
            let of = access.into_iter().find(|a| a.kind == Kind::Metrics).unwrap();
            (of.failing, ledger.events().len())
        };
        assert_eq!(metrics(&ledger), (0, 0), "nothing is missing");
        let later = metrics_asked(&mut ledger, &target, 700, |_| false);
        assert_eq!(later.len(), METRICS.len(), "tried again now and then");
        // Where not even several metrics are told together, each is asked for by itself.
        let narrow =
            |inquiry: &Inquiry| is_wide(inquiry) || inquiry.part.as_deref() == Some("Usage");
        let inquiry = metrics_asked(&mut Ledger::new("north"), &target, 0, narrow);
        let alone = inquiry.iter().filter(|a| a.part.as_deref() == Some("IndexUsage"));
        assert_eq!(alone.count(), 2);
    }

    #[test]
    fn what_is_not_allowed_is_left_alone_until_somebody_asks() {
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        let offer = Inquiry::container(Kind::Offer, "shop", "orders");
        ledger.add(Observation::Failure(Failure {
            at: at(1),
            inquiry: offer.clone(),
            trouble: Trouble::new(Obstacle::Forbidden, "no", "ask"),
            ru: None,
        }));
        assert!(!rounds(&target, Ways::default(), 300, Urgency::Due)(&mut ledger).contains(&offer));
        assert!(
            rounds(&target, Ways::default(), 301, Urgency::ByHand)(&mut ledger).contains(&offer)
        );
    }
}
