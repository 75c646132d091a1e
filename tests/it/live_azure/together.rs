//! Metrics of many containers with few questions, against a service that takes them and one that does not; and an account
//! that is looked for again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cosmoscope::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle};
use cosmoscope::source::import::ImportOptions;
use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::live::clock;
use cosmoscope::source::live::management::{METRICS, Management};
use cosmoscope::source::live::plan::{Round, Urgency, Ways};
use cosmoscope::source::live::target::{Pace, Target};
use cosmoscope::source::watch::Watch;

use super::fake::{Fake, Response};
use super::{ACCOUNT, answer, management, orders, pace, sample, samples, sign_in, target, trouble};
use crate::http::Request;

/// The lists and containers of the sample account.
fn answer_body(inquiry: &Inquiry) -> Option<Vec<u8>> {
    let database = inquiry.database.as_deref().unwrap_or_default();
    let container = inquiry.container.as_deref().unwrap_or_default();
    Some(match inquiry.kind {
        Kind::Account | Kind::Offer => b"{}".to_vec(),
        Kind::Databases => br#"{"Databases":[{"id":"shop"},{"id":"telemetry"}]}"#.to_vec(),
        Kind::Containers if database == "shop" => {
            br#"{"DocumentCollections":[{"id":"orders"},{"id":"carts"}]}"#.to_vec()
        }
        Kind::Containers => br#"{"DocumentCollections":[{"id":"readings"}]}"#.to_vec(),
        Kind::Container => {
            sample(&format!("stats/container-read/{database}.{container}.data-plane.json"))
        }
        Kind::Ranges => {
            sample(&format!("stats/container-read/{database}.{container}.pkranges.json"))
        }
        _ => return None,
    })
}

/// One round over the whole account; the ledger is what was told.
async fn round(management: &Management, ledger: &mut Ledger) {
    let target = Target { database: None, ..target() };
    let pace = Pace::default();
    let round = Round {
        target: &target,
        ways: Ways { management: true, logs: false },
        pace: &pace,
        started: clock::now(),
        urgency: Urgency::Due,
        on_screen: None,
    };
    for _ in 0..20 {
        for inquiry in round.due(ledger) {
            let seen = match answer_body(&inquiry) {
                Some(body) => Observation::of(&inquiry, clock::now(), Ok((body.into(), None))),
                None => management.ask(&inquiry).await,
            };
            if let Observation::Answer(answer) = &seen {
                management.note(answer);
            }
            ledger.add(seen);
        }
    }
    assert!(round.due(ledger).is_empty());
}

fn metrics(fake: &Fake) -> Vec<Request> {
    let requests = fake.requests().into_iter();
    requests.filter(|request| request.is("/metrics")).collect()
}

/// Values of each metric by container.
fn points(ledger: &Ledger) -> BTreeMap<String, usize> {
    let read = ledger.capture(&ImportOptions::default(), &Watch::default());
    let capture = read.unwrap();
    let mut points = BTreeMap::new();
    for (name, values) in &capture.load.metrics {
        let container = &capture.containers[name.container as usize].name;
        let container = container.container.as_deref().unwrap_or("none");
        let key = format!("{} of {container}", name.metric);
        *points.entry(key).or_default() += values.len();
    }
    points
}

#[tokio::test]
async fn one_question_for_each_metric_tells_of_every_container() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let mut ledger = Ledger::new("northpier-prod");
    round(&management, &mut ledger).await;
    let inquiry = metrics(&fake);
    // One more says which containers refused requests.
    assert_eq!(inquiry.len(), METRICS.len() + 1, "{inquiry:?}");
    for request in &inquiry {
        let filter = &request.query["$filter"];
        assert!(filter.starts_with("DatabaseName eq '*' and CollectionName eq '*'"));
    }
    let points = points(&ledger);
    let sizes = |container: &str| points[&format!("PhysicalPartitionSizeInfo of {container}")];
    assert_eq!((sizes("orders"), sizes("carts"), sizes("readings")), (4, 4, 3));
}

/// A service that takes neither a star for names nor several metrics at once.
fn narrow(request: &Request) -> Response {
    let no = r#"{"code":"BadRequest","message":"Detect invalid dimension value: *"}"#;
    let of_metrics = request.is("/metrics");
    let several = request.query.get("metricnames").is_some_and(|n| n.contains(','));
    let star = request.query.get("$filter").is_some_and(|f| f.contains("CollectionName eq '*'"));
    if of_metrics && (several || star) {
        return Response::of(400, no);
    }
    samples(request)
}

#[tokio::test]
async fn a_service_that_does_not_take_it_is_asked_one_by_one() {
    let fake = Fake::start(narrow);
    let management = management(&fake);
    let mut ledger = Ledger::new("northpier-prod");
    round(&management, &mut ledger).await;
    let inquiry = metrics(&fake);
    // All together, and what was refused; all for each of three; three of the usage for each of three.
    assert_eq!(inquiry.len(), 4 * METRICS.len() + 1 + 3 * 3);
    let access = ledger.access();
    let of_metrics = access.iter().find(|a| a.kind == Kind::Metrics).unwrap();
    assert_eq!(
        (of_metrics.failing, of_metrics.answered),
        (0, 3 * (METRICS.len() as u64 - 1) + 3 * 3)
    );
    assert!(ledger.events().is_empty(), "{:?}", ledger.events());
    let points = points(&ledger);
    assert_eq!(points["NormalizedRUConsumption of orders"], 19);
}

#[tokio::test]
async fn what_does_not_tell_containers_apart_is_not_taken() {
    // All containers in one series: the star was taken for nothing.
    let summed = r#"{"value":[{"name":{"value":"NormalizedRUConsumption"},"timeseries":[{"metadatavalues":[],"data":[{"timeStamp":"2026-06-22T02:00:00Z","maximum":9}]}]}]}"#;
    let fake = Fake::start(move |_| Response::ok(summed));
    let management = management(&fake);
    let inquiry = Inquiry::account(Kind::Metrics).part("NormalizedRUConsumption");
    let reported = trouble(management.ask(&inquiry).await);
    assert_eq!(reported.obstacle, Obstacle::RequestedOtherwise, "{reported:?}");
    let many = vec![r#"{"id":"0"}"#; 501].join(",");
    management.note(&Answer {
        at: clock::now(),
        inquiry: orders(Kind::Ranges),
        body: format!(r#"{{"PartitionKeyRanges":[{many}]}}"#).into_bytes().into(),
        ru: None,
    });
    let before = fake.count();
    let too_many = trouble(management.ask(&inquiry).await);
    assert_eq!(too_many.obstacle, Obstacle::RequestedOtherwise);
    assert_eq!(fake.count(), before, "nothing is sent for it");
}

#[tokio::test]
async fn an_account_that_was_not_found_is_looked_for_again() {
    let here = Arc::new(AtomicBool::new(false));
    let there = Arc::clone(&here);
    let fake = Fake::start(move |request| {
        let found = there.load(Ordering::SeqCst);
        if request.path == "/subscriptions" {
            let list = r#"{"value":[{"subscriptionId":"11111111-2222-3333-4444-555555555555"}]}"#;
            return Response::ok(if found { list } else { r#"{"value":[]}"# });
        }
        if request.is("/databaseAccounts") {
            return Response::ok(format!(
                r#"{{"value":[{{"id":"{ACCOUNT}","properties":{{"documentEndpoint":"https://northpier-prod.documents.azure.com/"}}}}]}}"#
            ));
        }
        samples(request)
    });
    let unnamed = Target { resource_id: None, ..target() };
    let management = Management::new(&sign_in(), &unnamed, fake.hosts(), pace()).unwrap();
    let account = Inquiry::account(Kind::ManagedAccount);
    assert_eq!(trouble(management.ask(&account).await).obstacle, Obstacle::NotFound);
    here.store(true, Ordering::SeqCst);
    // Questions about containers rest on what is known; the one about the account, once a round, looks again.
    let before = fake.count();
    trouble(management.ask(&orders(Kind::ManagedThroughput)).await);
    assert_eq!(fake.count(), before);
    answer(management.ask(&account).await);
    answer(management.ask(&orders(Kind::ManagedThroughput)).await);
    let lists = fake.requests();
    let lists = lists.iter().filter(|r| r.path == "/subscriptions").count();
    assert_eq!(lists, 2);
}
