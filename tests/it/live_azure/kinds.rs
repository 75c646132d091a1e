//! Every kind of question of the management plane: the request, and the facts that importers make of the answer.

use std::sync::Arc;

use cosmoscope::model::physical::Throughput;
use cosmoscope::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle};
use cosmoscope::source::live::clock;
use cosmoscope::source::live::credential::Keeper;
use cosmoscope::source::live::management::{METRICS, Management};
use cosmoscope::source::live::sign_in::SignIn;
use cosmoscope::source::live::target::Target;

use super::fake::{Fake, Response};
use super::{
    ACCOUNT, Tokens, answer, capture, log_analytics, management, orders, pace, sample, samples,
    sign_in, target, trouble,
};
use crate::http::Request;

#[tokio::test]
async fn settings_distribution_and_usages_become_facts_of_the_container() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let mut seen = Vec::new();
    for kind in [Kind::ManagedThroughput, Kind::Distribution] {
        seen.push(Observation::Answer(answer(management.ask(&orders(kind)).await)));
    }
    let usages = orders(Kind::Usages).part("rgIYAA==/rgIYAK3-Abc=");
    seen.push(Observation::Answer(answer(management.ask(&usages).await)));
    let capture = capture(seen);
    let container = &capture.containers[0];
    assert_eq!(container.name.container.as_deref(), Some("orders"));
    let throughput = container.throughput.unwrap();
    assert_eq!(throughput.throughput, Throughput::Manual { ru_per_second: 24_000.0 });
    let reported: Vec<_> = container
        .partitions
        .iter()
        .map(|p| (p.id.as_str(), p.ru_per_second, p.kib.is_some(), p.guid.is_some()))
        .collect();
    let wanted = ["0", "1", "3", "4"].map(|id| (id, Some(6000.0), true, true));
    assert_eq!(reported, wanted);
    let requests = fake.requests();
    let of_container =
        format!("{ACCOUNT}/sqlDatabases/shop/containers/orders/throughputSettings/default");
    let paths: Vec<&str> = requests.iter().map(|r| r.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            of_container.as_str(),
            &format!("{of_container}/retrieveThroughputDistribution"),
            &format!("{ACCOUNT}/databases/rgIYAA==/collections/rgIYAK3-Abc=/partitions/usages"),
        ]
    );
    assert_eq!(
        requests[1].body,
        r#"{"properties":{"resource":{"physicalPartitionIds":[{"id":"-1"}]}}}"#
    );
    assert!(requests.iter().all(|r| r.query.contains_key("api-version")));
}

#[tokio::test]
async fn metrics_become_series_of_the_container() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let mut seen = Vec::new();
    for metric in METRICS {
        let inquiry = orders(Kind::Metrics).part(metric.name);
        seen.push(Observation::Answer(answer(management.ask(&inquiry).await)));
    }
    let capture = capture(seen);
    let points = |metric: &str| {
        let of = capture.load.metrics.iter().filter(|(name, _)| name.metric == metric);
        of.map(|(_, points)| points.len()).sum::<usize>()
    };
    assert_eq!(points("NormalizedRUConsumption"), 19);
    assert_eq!(points("TotalRequests"), 20);
    assert!(points("PhysicalPartitionSizeInfo") >= 4);
    assert!(points("PhysicalPartitionThroughputInfo") >= 4);
    for request in fake.requests() {
        assert_eq!(request.path, format!("{ACCOUNT}/providers/microsoft.insights/metrics"));
        let filter = &request.query["$filter"];
        assert!(filter.starts_with("DatabaseName eq 'shop' and CollectionName eq 'orders'"));
        assert_eq!(request.query["top"], "1000");
    }
}

#[tokio::test]
async fn hostile_names_are_names_everywhere() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let hostile = ["a/../../b", "x' or '1' eq '1", "?api-version=1&$filter=", "\u{202e}ü#"];
    for name in hostile {
        let inquiry = Inquiry::container(Kind::ManagedThroughput, name, name);
        answer(management.ask(&inquiry).await);
        let inquiry = Inquiry::container(Kind::Metrics, name, name).part("TotalRequests");
        answer(management.ask(&inquiry).await);
    }
    for (pair, name) in fake.requests().chunks(2).zip(hostile) {
        let [settings, metrics] = pair else { panic!("{pair:?}") };
        assert_eq!(settings.path.split('/').count(), 15, "{}", settings.path);
        assert!(settings.path.ends_with("/throughputSettings/default"));
        assert_eq!(settings.query.len(), 1, "{:?}", settings.query);
        let quoted = name.replace('\'', "''");
        let filter = format!(
            "DatabaseName eq '{quoted}' and CollectionName eq '{quoted}' and StatusCode eq '*'"
        );
        assert_eq!(metrics.query["$filter"], filter);
    }
    let dots = Inquiry::container(Kind::ManagedThroughput, "..", "c");
    assert_eq!(trouble(management.ask(&dots).await).obstacle, Obstacle::Unsupported);
}

#[tokio::test]
async fn each_service_gets_its_own_token_and_asks_for_it_once() {
    let fake = Fake::start(samples);
    let tokens = Arc::new(Tokens::default());
    let keeper = Keeper::new(tokens.clone(), "a test", pace());
    let sign_in = SignIn::Token(Arc::new(keeper));
    let management = Management::new(&sign_in, &target(), fake.hosts(), pace()).unwrap();
    for _ in 0..3 {
        answer(management.ask(&Inquiry::account(Kind::ManagedAccount)).await);
        answer(management.clone().ask(&orders(Kind::ManagedThroughput)).await);
    }
    answer(log_analytics(&fake).ask(&orders(Kind::LoggedSizes)).await);
    assert_eq!(*tokens.scopes.lock().unwrap(), ["https://management.azure.com/.default"]);
    // That a token of the other service came nowhere is for the server to see.
    let requests = fake.requests();
    assert_eq!(requests.len(), 7);
    assert!(requests[6].is("/query"), "{requests:?}");
}

#[tokio::test]
async fn resource_ids_are_noted_from_the_data_plane() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let early = trouble(management.ask(&orders(Kind::Usages)).await);
    assert_eq!((early.obstacle, fake.count()), (Obstacle::Held, 0));
    let reported = |kind, body: &[u8]| Answer {
        at: clock::now(),
        inquiry: orders(kind),
        body: body.into(),
        ru: None,
    };
    management
        .note(&reported(Kind::Container, br#"{"id":"orders","_self":"dbs/aa==/colls/bb=/"}"#));
    let many = vec![r#"{"id":"0"}"#; 900].join(",");
    let feed = format!(r#"{{"PartitionKeyRanges":[{many}]}}"#);
    management.note(&reported(Kind::Ranges, feed.as_bytes()));
    answer(management.ask(&orders(Kind::Usages)).await);
    answer(management.ask(&orders(Kind::Metrics).part("NormalizedRUConsumption")).await);
    let requests = fake.requests();
    assert!(requests[0].is("/databases/aa==/collections/bb=/partitions/usages"));
    assert_eq!(requests[1].query["top"], "3600");
}

fn list(request: &Request) -> Response {
    let closed = "22222222-2222-3333-4444-555555555555";
    let open = "11111111-2222-3333-4444-555555555555";
    if request.path == "/subscriptions" && !request.query.contains_key("page") {
        let next = format!("http://{}/subscriptions?page=2", request.headers["host"]);
        let body = format!(r#"{{"value":[{{"subscriptionId":"{closed}"}}],"nextLink":"{next}"}}"#);
        return Response::ok(body);
    }
    if request.path == "/subscriptions" {
        return Response::ok(format!(r#"{{"value":[{{"subscriptionId":"{open}"}},{{}}]}}"#));
    }
    if request.path.contains(closed) {
        return Response::of(403, "{}");
    }
    let other = ACCOUNT.replace("northpier-prod", "northpier-test");
    Response::ok(format!(
        r#"{{"value":[
            {{"id":"{other}","properties":{{"documentEndpoint":"https://northpier-test.documents.azure.com:443/"}}}},
            {{"id":"{ACCOUNT}","properties":{{"documentEndpoint":"https://NORTHPIER-PROD.documents.azure.com:443/",
              "readLocations":[{{"documentEndpoint":"https://northpier-prod-northeurope.documents.azure.com:443/"}}]}}}}]}}"#
    ))
}

#[tokio::test]
async fn an_account_is_found_by_its_endpoint_or_a_region_of_it() {
    let fake = Fake::start(list);
    let target = Target { resource_id: None, ..target() };
    let management = Management::new(&sign_in(), &target, fake.hosts(), pace()).unwrap();
    for endpoint in [
        "https://northpier-prod.documents.azure.com/",
        "https://northpier-prod-northeurope.documents.azure.com:443/",
    ] {
        assert_eq!(management.find(endpoint).await.as_deref(), Ok(ACCOUNT));
    }
    assert_eq!(fake.count(), 8);
    let absent = management.find("https://nobody.documents.azure.com/").await.unwrap_err();
    assert_eq!(absent.obstacle, Obstacle::NotFound);
    let sentence = "nobody.documents.azure.com is in none of the 2 subscriptions that this sign-in sees (1 of them closed to it)";
    assert_eq!(absent.what, sentence);
    // What was looked for in vain is not looked for with every question.
    let before = fake.count();
    for _ in 0..3 {
        let reported = trouble(management.ask(&orders(Kind::ManagedThroughput)).await);
        assert_eq!(reported.what, sentence);
    }
    assert_eq!(fake.count(), before);
}

#[tokio::test]
async fn a_distribution_that_takes_its_time_is_looked_for() {
    let fake = Fake::start(|request| {
        let here = format!("http://{}/operations/1", request.headers["host"]);
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", _) => Response::of(202, "").with("location", here).with("retry-after", "0"),
            (_, "/operations/1") if request.headers.contains_key("x-seen") => Response::of(500, ""),
            _ => Response::ok(sample("arm/retrieve-throughput-distribution.orders.json")),
        }
    });
    let reported = answer(management(&fake).ask(&orders(Kind::Distribution)).await);
    assert_eq!(*reported.body, *sample("arm/retrieve-throughput-distribution.orders.json"));
    assert_eq!(fake.count(), 2);
}

/// As the service was recorded: the status of the operation without a result, then the result at another address; and an
/// operation that failed with a good status.
#[tokio::test]
async fn the_result_of_an_operation_stands_at_its_location() {
    let fake = Fake::start(|request| {
        let at = |path: &str| format!("http://{}{path}", request.headers["host"]);
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", _) => Response::of(202, r#"{"status":"Enqueued"}"#)
                .with("location", at("/results/1"))
                .with("azure-asyncoperation", at("/operations/1"))
                .with("retry-after", "0"),
            (_, "/operations/1") => Response::of(200, r#"{"status":"Succeeded"}"#),
            _ => Response::ok(sample("arm/retrieve-throughput-distribution.orders.json")),
        }
    });
    let reported = answer(management(&fake).ask(&orders(Kind::Distribution)).await);
    assert_eq!(*reported.body, *sample("arm/retrieve-throughput-distribution.orders.json"));
    assert_eq!(fake.count(), 3);
    let fake = Fake::start(|_| {
        let body = r#"{"status":"Failed","error":{"code":"BadRequest","message":"Not now."}}"#;
        Response::of(200, body)
    });
    let reported = trouble(management(&fake).ask(&orders(Kind::Distribution)).await);
    assert!(reported.what.contains("Not now."), "{reported:?}");
}

#[tokio::test]
async fn a_version_that_is_not_taken_is_told_of_each_question_by_itself() {
    let refusal = r#"{"error":{"code":"InvalidApiVersionParameter","message":"The api-version '2024-12-01-preview' is invalid."}}"#;
    let fake = Fake::start(move |_| Response::of(400, refusal));
    let management = management(&fake);
    let usages = orders(Kind::Usages).part("rgIYAA==/rgIYAK3-Abc=");
    let questions = [
        (Inquiry::account(Kind::ManagedAccount), "the account in the management plane"),
        (orders(Kind::ManagedThroughput), "the throughput settings"),
        (orders(Kind::Distribution), "RU/s by physical partition"),
        (usages, "storage by physical partition"),
        (orders(Kind::Metrics).part("TotalRequests"), "metrics of the account"),
    ];
    // The newest version, and the one before it, are tried once.
    for (number, (inquiry, about)) in (2..).zip(questions) {
        let reported = trouble(management.ask(&inquiry).await);
        assert_eq!(reported.obstacle, Obstacle::Unsupported, "{reported:?}");
        assert!(reported.what.contains(about), "{reported:?}");
        assert!(reported.what.contains("api-version"), "{reported:?}");
        let next = reported.next.unwrap();
        assert!(next.contains("what else was read stays"), "{next}");
        assert_eq!(fake.count(), number, "asked once");
    }
}
