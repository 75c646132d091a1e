//! What a ledger holds, forgets and tells, from bodies as the service writes them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "small whole numbers")]

use super::*;
use crate::model::logical::KeyView;
use crate::model::physical::Throughput;
use crate::model::sample::{self, Sample};
use crate::source::answers::{Obstacle, Trouble};

fn at(seconds: i64) -> Stamp {
    Stamp::from_seconds(1_780_000_000 + seconds).unwrap()
}

fn answer(inquiry: Inquiry, seconds: i64, body: &str) -> Observation {
    Observation::Answer(Answer {
        at: at(seconds),
        inquiry,
        body: body.as_bytes().into(),
        ru: Some(2.0),
    })
}

fn failure(inquiry: Inquiry, seconds: i64, obstacle: Obstacle) -> Observation {
    Observation::Failure(Failure {
        at: at(seconds),
        inquiry,
        trouble: Trouble::new(obstacle, "no", "wait"),
        ru: None,
    })
}

fn container(seconds: i64, kib: u64) -> Observation {
    container_of("a", seconds, kib)
}

fn container_of(rid: &str, seconds: i64, kib: u64) -> Observation {
    let body = format!(
        r#"{{"id":"orders","_rid":"{rid}","partitionKey":{{"paths":["/tenantId"],"kind":"Hash","version":2}},
        "statistics":[{{"id":"0","sizeInKB":{},"documentCount":10,"partitionKeys":[{{"partitionKey":["contoso"],"sizeInKB":{kib}}}]}}]}}"#,
        kib * 2
    );
    answer(Inquiry::container(Kind::Container, "shop", "orders"), seconds, &body)
}

fn ranges(seconds: i64, feed: &str) -> Observation {
    let body = format!(r#"{{"PartitionKeyRanges":[{feed}]}}"#);
    answer(Inquiry::container(Kind::Ranges, "shop", "orders"), seconds, &body)
}

fn capture(ledger: &Ledger) -> Capture {
    ledger.capture(&ImportOptions::default(), &Watch::default()).unwrap()
}

fn latest(view: KeyView<'_>) -> Sample {
    sample::latest(view.series().next().unwrap().samples).unwrap()
}

const ONE: &str = r#"{"id":"0","minInclusive":"","maxExclusive":"FF"}"#;
const TWO: &str = r#"{"id":"1","minInclusive":"","maxExclusive":"20","parents":["0"]},{"id":"2","minInclusive":"20","maxExclusive":"FF","parents":["0"]}"#;

#[test]
fn a_container_created_again_keeps_nothing_of_the_one_before() {
    let mut ledger = Ledger::new("north");
    ledger.add(container(0, 1_000));
    ledger.add(container(60, 2_000));
    ledger.add(ranges(61, TWO));
    let spent = ledger.spent_ru();
    ledger.add(container_of("b", 120, 10));
    let happened = ledger.events().last().map(|event| &event.happened);
    assert_eq!(happened, Some(&EventKind::Recreated));
    let found = capture(&ledger);
    let readings: Vec<u64> = found
        .sizes
        .iter()
        .flat_map(|(_, view)| view.series().map(|series| series.count()).collect::<Vec<_>>())
        .collect();
    assert_eq!(readings, [1]);
    assert!(ledger.spent_ru() > spent);
    let ranges_of = Inquiry::container(Kind::Ranges, "shop", "orders");
    assert_eq!(ledger.asked_at(&ranges_of), None);
}

#[test]
fn a_container_that_is_gone_is_marked_until_it_answers_again() {
    let of = || Inquiry::container(Kind::Container, "shop", "orders");
    let mut ledger = Ledger::new("north");
    ledger.add(failure(of(), 0, Obstacle::NotFound));
    assert!(ledger.deleted().is_empty());
    ledger.add(container(60, 1_000));
    ledger.add(failure(of(), 120, Obstacle::NotFound));
    assert_eq!(
        ledger.deleted().into_iter().collect::<Vec<_>>(),
        [("shop".into(), "orders".into())]
    );
    ledger.add(container_of("b", 180, 10));
    assert!(ledger.deleted().is_empty());
}

#[test]
fn answers_become_what_files_of_the_same_content_would() {
    let mut ledger = Ledger::new("north");
    ledger.add(container(0, 1_000));
    ledger.add(ranges(1, ONE));
    let capture = capture(&ledger);
    let found = capture.containers.first().unwrap();
    assert_eq!(found.name.title(), "north / shop / orders");
    assert_eq!(found.partitions.len(), 1);
    assert_eq!(found.partitions[0].kib, Some(2_000.0));
    assert_eq!(capture.sizes.len(), 1);
    let view = capture.sizes.iter().next().unwrap().1;
    assert_eq!(latest(view).when.at(), Some(at(0)));
}

#[test]
fn older_answers_tell_of_growth_and_of_nothing_else() {
    let mut ledger = Ledger::new("north");
    for day in 0..5 {
        ledger.add(container(day * 86_400, 1_000 + u64::try_from(day).unwrap()));
    }
    let capture = capture(&ledger);
    let view = capture.sizes.iter().next().unwrap().1;
    assert_eq!(latest(view).kib, 1_004.0);
    assert_eq!(view.series().next().unwrap().samples.len(), 5);
    assert_eq!(capture.containers[0].partitions[0].kib, Some(2_008.0));
    assert_eq!(capture.sources.len(), 1, "{:?}", capture.sources);
    assert_eq!(capture.sources[0].rows, 5);
}

#[test]
fn a_split_is_an_event_and_statistics_of_the_old_partition_are_forgotten() {
    let mut ledger = Ledger::new("north");
    ledger.add(container(0, 1_000));
    ledger.add(ranges(1, ONE));
    assert!(ledger.events().is_empty());
    ledger.add(ranges(60, TWO));
    let into = vec!["1".to_owned(), "2".to_owned()];
    let from = "0".to_owned();
    assert_eq!(ledger.events()[0].happened, EventKind::Split { from, into });
    let capture = capture(&ledger);
    let ids: Vec<&str> = capture.containers[0].partitions.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
}

#[test]
fn a_failure_keeps_what_was_there_and_is_told_until_an_answer_comes() {
    let inquiry = Inquiry::container(Kind::Container, "shop", "orders");
    let mut ledger = Ledger::new("north");
    ledger.add(container(0, 1_000));
    for seconds in [60, 120] {
        ledger.add(failure(inquiry.clone(), seconds, Obstacle::TimedOut));
    }
    assert!(ledger.answer(&inquiry).is_some());
    assert_eq!(ledger.asked_at(&inquiry), Some(at(120)));
    let access = ledger.access();
    assert_eq!((access[0].answered, access[0].failing), (1, 1));
    assert_eq!(capture(&ledger).sizes.len(), 1);
    ledger.add(container(180, 1_000));
    assert!(ledger.failure(&inquiry).is_none());
    let happened: Vec<&EventKind> = ledger.events().iter().map(|e| &e.happened).collect();
    assert_eq!(happened, [&EventKind::Failed(Obstacle::TimedOut), &EventKind::Recovered]);
    assert_eq!(ledger.spent_ru(), 4.0);
}

#[test]
fn containers_without_an_answer_are_known_by_name() {
    let mut ledger = Ledger::new("north");
    let feed = r#"{"Databases":[{"id":"shop"},{"id":7}]}"#;
    ledger.add(answer(Inquiry::account(Kind::Databases), 0, feed));
    assert_eq!(ledger.databases(), ["shop"]);
    let feed = r#"{"DocumentCollections":[{"id":"orders"},{"id":"carts"}]}"#;
    ledger.add(answer(Inquiry::database(Kind::Containers, "shop"), 0, feed));
    assert_eq!(capture(&ledger).containers.len(), 2);
    ledger.add(failure(
        Inquiry::container(Kind::Container, "shop", "carts"),
        1,
        Obstacle::Forbidden,
    ));
    assert_eq!(capture(&ledger).containers.len(), 2);
}

#[test]
fn past_answers_are_bounded_and_span_the_whole_time() {
    let mut ledger = Ledger::new("north");
    let count = i64::try_from(MAX_PAST_ANSWERS).unwrap() * 5;
    for minute in 0..count {
        ledger.add(container(minute * 60, 1_000 + u64::try_from(minute).unwrap()));
    }
    let inquiry = Inquiry::container(Kind::Container, "shop", "orders");
    let page = &ledger.pages[&inquiry];
    assert!(page.answers.len() <= MAX_PAST_ANSWERS);
    assert_eq!(page.answers[0].at, at(0));
    assert_eq!(page.newest().unwrap().at, at((count - 1) * 60));
}

#[test]
fn what_is_no_json_is_said_and_harms_nothing() {
    let mut ledger = Ledger::new("north");
    ledger.add(answer(Inquiry::container(Kind::Container, "shop", "orders"), 0, "<html>"));
    let capture = capture(&ledger);
    assert_eq!(capture.containers.len(), 1);
    assert!(capture.notes[0].contains("no answer"), "{:?}", capture.notes);
}

#[test]
fn an_offer_is_the_throughput_of_its_container() {
    let mut ledger = Ledger::new("north");
    ledger.add(container(0, 1_000));
    let offer = r#"{"offerType":"Invalid","id":"QkFj","_rid":"QkFj","content":{"offerThroughput":40000,"offerIsRUPerMinuteThroughputEnabled":false},"offerVersion":"V2","offerResourceId":"AAAA"}"#;
    let inquiry = Inquiry::container(Kind::Offer, "shop", "orders");
    ledger.add(answer(inquiry, 1, offer));
    let found = capture(&ledger);
    assert_eq!(found.containers.len(), 1, "{:?}", found.containers);
    let throughput = found.containers[0].throughput.map(|t| t.throughput);
    let manual = Throughput::Manual { ru_per_second: 40_000.0 };
    assert_eq!(throughput, Some(manual));
}

#[test]
fn samples_that_are_let_go_of_leave_what_they_cost() {
    let page = |container: &str, part: &str, second| {
        let of = Inquiry::container(Kind::Documents, "shop", container);
        answer(of.part(part), second, r#"{"Documents":[{"id":"1"}]}"#)
    };
    let mut ledger = Ledger::new("north");
    for (container, second) in [("b", 10), ("a", 20), ("c", 30), ("d", 0)] {
        ledger.add(page(container, "0/whole/00000", second));
        ledger.add(page(container, "1/whole/00000", second + 5));
    }
    let bytes = ledger.documents("shop", "a").map(|a| a.body.len() as u64);
    let two_samples = bytes.sum::<u64>() * 2;
    ledger.let_go_of_samples(&("shop".to_owned(), "d".to_owned()), two_samples);
    let held: Vec<String> = ledger.sampled().into_keys().map(|(_, c)| c).collect();
    assert_eq!(held, ["a", "c", "d"]);
    let access = ledger.access();
    let documents = access.iter().find(|of| of.kind == Kind::Documents).unwrap();
    assert_eq!((documents.answered, documents.ru), (6, 16.0));
}

#[test]
fn counts_leave_only_what_they_cost() {
    let mut ledger = Ledger::new("north");
    let of = Inquiry::container(Kind::Counts, "shop", "orders").part("0/tenantId/00000");
    ledger.add(answer(of.clone(), 0, r#"{"Documents":[{"k0":"contoso","n":5}]}"#));
    assert!(ledger.answer(&of).unwrap().body.is_empty());
    assert_eq!(ledger.spent_ru(), 2.0);
}
