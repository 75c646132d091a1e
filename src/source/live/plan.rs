//! Which questions are due: worked out from what has been told so far and from nothing else, so that a round can be stopped
//! and gone on with at any place.

use super::management::METRICS;
use super::target::{Pace, Target};
use crate::model::time::Stamp;
use crate::source::answers::{Asked, Kind, Obstacle};
use crate::source::ledger::Ledger;

/// What seldom changes is asked for this many times more seldom than metrics.
const SELDOM: u32 = 5;
/// What was refused for good reason is asked for again after this many times the pause of metrics, or by hand.
const REFUSED: u32 = 10;

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
    pub fn due(&self, ledger: &Ledger) -> Vec<Asked> {
        let mut asked = vec![Asked::account(Kind::Account)];
        if self.ways.management {
            asked.push(Asked::account(Kind::ManagedAccount));
        }
        let (database, container) = (&self.target.database, &self.target.container);
        match (database, container) {
            (Some(database), Some(container)) => {
                self.of_container(ledger, database, container, &mut asked);
            }
            _ => self.of_lists(ledger, &mut asked),
        }
        if self.ways.logs {
            let logged = [Kind::LoggedSizes, Kind::LoggedRu, Kind::LoggedRequests];
            asked.extend(logged.map(|kind| match (database, container) {
                (Some(database), Some(container)) => Asked::container(kind, database, container),
                (Some(database), None) => Asked::database(kind, database),
                _ => Asked::account(kind),
            }));
        }
        asked.retain(|asked| self.is_due(ledger, asked));
        asked
    }

    fn of_lists(&self, ledger: &Ledger, asked: &mut Vec<Asked>) {
        let databases = if let Some(database) = &self.target.database {
            vec![database.clone()]
        } else {
            asked.push(Asked::account(Kind::Databases));
            ledger.databases()
        };
        for database in &databases {
            asked.push(Asked::database(Kind::Containers, database));
        }
        let wanted = self.target.container.as_ref();
        for (database, container) in ledger.containers() {
            if wanted.is_none_or(|wanted| *wanted == container) && databases.contains(&database) {
                self.of_container(ledger, &database, &container, asked);
            }
        }
    }

    fn of_container(
        &self,
        ledger: &Ledger,
        database: &str,
        container: &str,
        asked: &mut Vec<Asked>,
    ) {
        let of = |kind| Asked::container(kind, database, container);
        let first = [Kind::Container, Kind::Ranges].map(of);
        // Questions to the management plane need resource ids and the number of partitions.
        let is_known = first.iter().all(|asked| ledger.asked_at(asked).is_some());
        asked.extend(first);
        asked.push(of(Kind::Offer));
        if self.ways.management && is_known {
            asked.extend([Kind::ManagedThroughput, Kind::Distribution, Kind::Usages].map(of));
            // Each by itself: one that an account does not have leaves the others alone.
            asked.extend(
                METRICS
                    .iter()
                    .map(|metric| of(Kind::Metrics).part(metric.name)),
            );
        }
    }

    fn is_due(&self, ledger: &Ledger, asked: &Asked) -> bool {
        let Some(last) = ledger.asked_at(asked) else {
            return true;
        };
        let by_hand = self.urgency == Urgency::ByHand;
        let metrics = self.pace.metrics_every;
        let refused = ledger
            .failure(asked)
            .map(|failure| failure.trouble.obstacle);
        let wait = match (asked.kind, refused) {
            (Kind::Container, None) => self.pace.statistics_every,
            (_, Some(Obstacle::Forbidden | Obstacle::Unsupported | Obstacle::NotFound))
                if !by_hand =>
            {
                metrics * REFUSED
            }
            _ if by_hand => return last < self.started,
            (Kind::Ranges | Kind::Metrics, _) | (_, Some(_)) => metrics,
            _ => metrics * SELDOM,
        };
        last.plus_seconds(wait.as_secs_f64())
            .is_none_or(|again| again <= self.started)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::source::answers::{Answer, Failure, Seen, Trouble};

    fn at(seconds: i64) -> Stamp {
        Stamp::from_seconds(1_780_000_000 + seconds).unwrap()
    }

    fn answer(ledger: &mut Ledger, asked: &Asked, seconds: i64) {
        let body: &[u8] = match asked.kind {
            Kind::Databases => br#"{"Databases":[{"id":"shop"}]}"#,
            Kind::Containers => br#"{"DocumentCollections":[{"id":"orders"},{"id":"carts"}]}"#,
            _ => b"{}",
        };
        ledger.add(Seen::Answer(Answer {
            at: at(seconds),
            asked: asked.clone(),
            body: body.into(),
            ru: None,
        }));
    }

    fn rounds(
        target: &Target,
        ways: Ways,
        started: i64,
        urgency: Urgency,
    ) -> impl FnMut(&mut Ledger) -> Vec<Asked> {
        let pace = Pace::default();
        move |ledger| {
            let round = Round {
                target,
                ways,
                pace: &pace,
                started: at(started),
                urgency,
            };
            let mut all = Vec::new();
            loop {
                let due = round.due(ledger);
                if due.is_empty() {
                    return all;
                }
                for asked in due {
                    answer(ledger, &asked, started);
                    all.push(asked);
                }
            }
        }
    }

    fn kinds(asked: &[Asked]) -> Vec<Kind> {
        asked.iter().map(|asked| asked.kind).collect()
    }

    #[test]
    fn a_first_round_goes_from_the_account_to_every_container() {
        use Kind::{Account, Container, Containers, Databases, Offer, Ranges};
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        let asked = rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        let each = [Container, Ranges, Offer];
        assert_eq!(
            kinds(&asked),
            [&[Account, Databases, Containers][..], &each, &each].concat()
        );
        assert!(
            asked
                .iter()
                .any(|a| a.container.as_deref() == Some("carts"))
        );
    }

    #[test]
    fn a_named_container_needs_no_list() {
        let mut ledger = Ledger::new("north");
        let target = Target {
            database: Some("shop".to_owned()),
            container: Some("orders".to_owned()),
            ..Target::default()
        };
        let ways = Ways {
            management: true,
            logs: true,
        };
        let asked = rounds(&target, ways, 0, Urgency::Due)(&mut ledger);
        assert!(!kinds(&asked).contains(&Kind::Databases));
        let metrics = asked.iter().filter(|a| a.kind == Kind::Metrics).count();
        assert_eq!(metrics, METRICS.len());
        assert!(kinds(&asked).contains(&Kind::LoggedRu));
    }

    #[test]
    fn statistics_are_not_asked_for_twice_a_minute_not_even_by_hand() {
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        assert_eq!(
            rounds(&target, Ways::default(), 30, Urgency::Due)(&mut ledger),
            []
        );
        let by_hand = rounds(&target, Ways::default(), 31, Urgency::ByHand)(&mut ledger);
        assert!(kinds(&by_hand).contains(&Kind::Ranges));
        assert!(!kinds(&by_hand).contains(&Kind::Container));
        let later = rounds(&target, Ways::default(), 100, Urgency::Due)(&mut ledger);
        assert!(kinds(&later).contains(&Kind::Container) && kinds(&later).contains(&Kind::Ranges));
        assert!(
            !kinds(&later).contains(&Kind::Databases),
            "lists seldom change"
        );
    }

    #[test]
    fn what_is_not_allowed_is_left_alone_until_somebody_asks() {
        let mut ledger = Ledger::new("north");
        let target = Target::default();
        rounds(&target, Ways::default(), 0, Urgency::Due)(&mut ledger);
        let offer = Asked::container(Kind::Offer, "shop", "orders");
        ledger.add(Seen::Failure(Failure {
            at: at(1),
            asked: offer.clone(),
            trouble: Trouble::new(Obstacle::Forbidden, "no", "ask"),
        }));
        assert!(!rounds(&target, Ways::default(), 300, Urgency::Due)(&mut ledger).contains(&offer));
        assert!(
            rounds(&target, Ways::default(), 301, Urgency::ByHand)(&mut ledger).contains(&offer)
        );
    }
}
