//! What goes wrong with the management plane: the right obstacle, a sentence, and not one request more than needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cosmoscope::source::answers::{Inquiry, Kind, Obstacle, Trouble};
use cosmoscope::source::live::management::Management;
use cosmoscope::source::live::services::{Hosts, Service};
use cosmoscope::source::live::target::Pace;

use super::fake::{Fake, Response};
use super::{answer, management, orders, pace, samples, sign_in, target, trouble};

/// The account, asked of a server that always says the same.
async fn trouble_of(response: Response) -> (Trouble, usize) {
    let fake = Fake::start(move |_| response.clone());
    let seen = management(&fake).ask(&Inquiry::account(Kind::ManagedAccount)).await;
    (trouble(seen), fake.count())
}

#[tokio::test]
async fn every_refusal_has_its_obstacle_and_is_tried_twice_at_most() {
    let truncated = Response { missing: 100, ..Response::ok(r#"{"value":["#) };
    let rows = [
        (Response::of(401, ""), Obstacle::SignIn, 1),
        (Response::of(403, "{}"), Obstacle::Forbidden, 1),
        (Response::of(404, "{}"), Obstacle::NotFound, 1),
        (Response::of(400, r#"{"code":"BadRequest","message":"m"}"#), Obstacle::Unsupported, 1),
        (Response::of(429, ""), Obstacle::Throttled, 2),
        (Response::of(529, "").with("retry-after", "0"), Obstacle::Throttled, 2),
        (Response::of(429, "").with("retry-after", "600"), Obstacle::Throttled, 1),
        (Response::of(500, "<html>"), Obstacle::Service, 2),
        (Response::of(503, ""), Obstacle::Service, 2),
        (truncated, Obstacle::Service, 2),
        (Response::ok(""), Obstacle::Unbelievable, 1),
        (Response::ok("<!DOCTYPE html><html>sign in</html>"), Obstacle::Unbelievable, 1),
        (Response::ok(r#"{"id":"#), Obstacle::Unbelievable, 1),
        (Response::of(302, "").with("location", "https://evil.test/"), Obstacle::Unbelievable, 1),
        (Response::of(307, "").with("location", "/other"), Obstacle::Unbelievable, 1),
    ];
    for (response, obstacle, requests) in rows {
        let row = format!("{response:?}");
        let (trouble, count) = trouble_of(response).await;
        assert_eq!((trouble.obstacle, count), (obstacle, requests), "{row}: {trouble:?}");
        assert!(trouble.next.is_some(), "{trouble:?}");
    }
    let late = trouble_of(Response::of(529, "").with("x-ms-retry-after-ms", "600000")).await.0;
    assert_eq!(late.retry_after_ms, Some(600_000));
}

#[tokio::test]
async fn what_passes_is_over_with_the_second_try() {
    let first = AtomicBool::new(true);
    let fake = Fake::start(move |request| {
        if first.swap(false, Ordering::SeqCst) {
            Response::of(529, "").with("retry-after", "0")
        } else {
            samples(request)
        }
    });
    answer(management(&fake).ask(&Inquiry::account(Kind::ManagedAccount)).await);
    assert_eq!(fake.count(), 2);
}

#[tokio::test]
async fn a_server_that_is_silent_or_absent_is_named_in_time() {
    let silent = Response { silence: Duration::from_secs(3), ..Response::ok("{}") };
    let fake = Fake::start(move |_| silent.clone());
    let quick = Pace { operation: Duration::from_millis(300), ..pace() };
    let management = Management::new(&sign_in(), &target(), fake.hosts(), quick).unwrap();
    let inquiry = Inquiry::account(Kind::ManagedAccount);
    let started = Instant::now();
    assert_eq!(trouble(management.ask(&inquiry).await).obstacle, Obstacle::TimedOut);
    assert!(started.elapsed() < Duration::from_millis(2500));
    let nobody = Hosts::on_loopback("http://127.0.0.1:1", "http://127.0.0.1:1").unwrap();
    let management = Management::new(&sign_in(), &target(), nobody, pace()).unwrap();
    let reported = trouble(management.ask(&inquiry).await);
    assert_eq!(
        (reported.obstacle, reported.what.as_str()),
        (Obstacle::Unreachable, "nothing answers at 127.0.0.1")
    );
}

#[tokio::test]
async fn a_question_that_is_given_up_is_over_at_once() {
    let silent = Response { silence: Duration::from_secs(3), ..Response::ok("{}") };
    let fake = Fake::start(move |_| silent.clone());
    let management = management(&fake);
    let inquiry = orders(Kind::ManagedThroughput);
    let started = Instant::now();
    let given_up = tokio::time::timeout(Duration::from_millis(200), management.ask(&inquiry)).await;
    assert!(given_up.is_err());
    assert!(started.elapsed() < Duration::from_millis(1500));
    assert!(fake.count() <= 1);
}

/// A minute of polling is a second.
fn hurried(fake: &Fake) -> Management {
    let quick = Pace { operation: Duration::from_millis(160), ..pace() };
    Management::new(&sign_in(), &target(), fake.hosts(), quick).unwrap()
}

#[tokio::test]
async fn a_distribution_that_never_comes_is_looked_for_a_few_times() {
    let fake = Fake::start(|request| {
        let here = format!("http://{}/operations/1", request.headers["host"]);
        Response::of(202, "").with("location", here).with("retry-after", "0")
    });
    let reported = trouble(hurried(&fake).ask(&orders(Kind::Distribution)).await);
    assert_eq!(reported.obstacle, Obstacle::TimedOut);
    assert!((4..12).contains(&fake.count()), "{}", fake.count());
    let fake = Fake::start(|_| {
        Response::of(202, "").with("location", "https://evil.test/1").with("retry-after", "0")
    });
    let reported = trouble(hurried(&fake).ask(&orders(Kind::Distribution)).await);
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::Unbelievable, 1));
    assert!(reported.what.contains("not followed"), "{reported:?}");
}

/// Pauses that no service asks for: nothing panics, and nobody waits for them.
#[tokio::test]
async fn odd_pauses_hold_nobody_up() {
    for odd in ["18446744073709551615", "-1", "x", "1e9", ""] {
        for status in [202, 429, 503] {
            let fake = Fake::start(move |request| {
                let here = format!("http://{}/operations/1", request.headers["host"]);
                Response::of(status, "").with("location", here).with("retry-after", odd)
            });
            let reported = trouble(hurried(&fake).ask(&orders(Kind::Distribution)).await);
            assert!(reported.next.is_some(), "{odd}: {reported:?}");
        }
    }
}

#[tokio::test]
async fn a_list_that_never_ends_is_left() {
    let fake = Fake::start(|request| {
        let next = format!("http://{}/subscriptions?again=1", request.headers["host"]);
        Response::ok(format!(r#"{{"value":[],"nextLink":"{next}"}}"#))
    });
    let reported = management(&fake).find("https://a.documents.azure.com/").await.unwrap_err();
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::NotFound, 10));
    let fake = Fake::start(|_| Response::ok(r#"{"value":[],"nextLink":"https://evil.test/"}"#));
    let reported = management(&fake).find("https://a.documents.azure.com/").await.unwrap_err();
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::Unbelievable, 1));
}

/// The server must notice what it is there to notice.
#[test]
fn the_server_catches_what_is_no_read() {
    use std::io::{Read as _, Write as _};
    let fake = Fake::start(|_| Response::ok("{}"));
    for (service, line) in [
        (Service::Management, "PUT /a"),
        (Service::Management, "POST /a/redistributeThroughput"),
        (Service::Management, "GET /a"),
        (Service::Logs, "GET /v1/workspaces/a/query"),
        (Service::Logs, "POST /v1/workspaces/a/purge"),
    ] {
        let place = fake.address(service).trim_start_matches("http://").to_owned();
        let mut stream = std::net::TcpStream::connect(place).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer other\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
    }
    assert_eq!(fake.violations().len(), 5);
}
