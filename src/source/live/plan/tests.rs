//! What is due, round by round.

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
        let round =
            Round { target, ways, pace: &pace, started: at(started), urgency, on_screen: None };
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
    // A container read has the resource id that leads to its offer.
    assert_eq!(kinds(&inquiry), [&lists[..], &each, &each, &[Offer, Offer]].concat());
    assert!(inquiry.iter().any(|a| a.container.as_deref() == Some("carts")));
}

#[test]
fn the_container_on_the_screen_is_read_first_then_throttled_ones_then_some_of_the_others() {
    let target = Target { database: Some("shop".to_owned()), ..Target::default() };
    let mut ledger = Ledger::new("north");
    let mut tell = |of: Inquiry, body: String| {
        let came = Ok((body.into_bytes().into(), None));
        ledger.add(Observation::of(&of, at(0), came));
    };
    let names: Vec<String> = (0..2_500).map(|n| format!(r#"{{"id":"C{n:04}"}}"#)).collect();
    let list = format!(r#"{{"DocumentCollections":[{}]}}"#, names.join(","));
    tell(Inquiry::database(Kind::Containers, "shop"), list);
    let series = |name: &str, counts: &str| {
        format!(
            r#"{{"metadatavalues":[{{"name":{{"value":"databasename"}},"value":"shop"}},
            {{"name":{{"value":"collectionname"}},"value":"{name}"}}],"data":[{counts}]}}"#
        )
    };
    let few = series("c2200", r#"{"count":9},{"count":0},{"timeStamp":"2026-06-01"}"#);
    let many = series("c2100", r#"{"count":9},{"count":9}"#);
    let body = format!(r#"{{"value":[{{"timeseries":[{few},{many}]}}]}}"#);
    tell(Inquiry::account(Kind::Metrics).part(THROTTLED.name), body);
    let (pace, started, urgency) = (Pace::default(), at(0), Urgency::Due);
    let on_screen = ("shop".to_owned(), "C2300".to_owned());
    let round = |on_screen| Round {
        target: &target,
        ways: MANAGED,
        pace: &pace,
        started,
        urgency,
        on_screen,
    };
    let due = round(Some(&on_screen)).due(&ledger);
    assert_eq!(kinds(&due), [Kind::Account, Kind::Container, Kind::Ranges]);
    assert!(due.iter().skip(1).all(|of| of.container.as_deref() == Some("C2300")));
    let due = round(None).due(&ledger);
    let read: Vec<_> = due.iter().filter(|of| of.kind == Kind::Container).collect();
    let names: Vec<_> = read.iter().filter_map(|of| of.container.as_deref()).collect();
    assert_eq!(names[..4], ["C2100", "C2200", "C0000", "C0001"]);
    assert_eq!(names.len(), MOST_READ);
    // The management plane is queried about some of them.
    for of in &due {
        answer(&mut ledger, of, 0);
    }
    let due = round(None).due(&ledger);
    let of_kind = |kind| due.iter().filter(|of| of.kind == kind).count();
    assert_eq!(of_kind(Kind::Offer), MOST_READ);
    assert_eq!(of_kind(Kind::Usages), MOST_MANAGED);
    assert_eq!(of_kind(Kind::Distribution), DISTRIBUTIONS_A_ROUND);
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
        let round = Round { target: &target, ways, pace: &pace, started, urgency, on_screen: None };
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

/// Answers all questions that `refuses` does not refuse.
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
        on_screen: None,
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
        let is_shown = |of: &Inquiry| of.part.as_deref() != Some(THROTTLED.name);
        let due = due.into_iter().filter(|of| of.kind == Kind::Metrics && is_shown(of));
        metrics.extend(due);
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
    let narrow = |inquiry: &Inquiry| is_wide(inquiry) || inquiry.part.as_deref() == Some("Usage");
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
    assert!(rounds(&target, Ways::default(), 301, Urgency::ByHand)(&mut ledger).contains(&offer));
}
