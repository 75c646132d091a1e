//! Everything that can go wrong on the way to an account: the right sentence, the right obstacle, few requests, in time.
//! Each account has surroundings of the SDK of its own, so that nothing is remembered from one fault to the next.

use std::time::{Duration, Instant};

use cosmoscope::source::answers::{Asked, Kind, Obstacle, Trouble};
use cosmoscope::source::live::account::Account;
use cosmoscope::source::live::target::Pace;

use super::faulty::{At, Fault, Faulty, account};
use super::stage::{failed, key, of, run, target};

/// A fifth of what is waited for real: the machine may be slow.
const QUICKER: u32 = 5;
/// Beside the time limit of one operation.
const SLACK: Duration = Duration::from_secs(8);

fn status(status: u16, headers: &[(&'static str, &str)], body: &str) -> Fault {
    let headers = headers.iter().map(|(n, v)| (*n, (*v).to_owned()));
    Fault::Status(status, headers.collect(), body.to_owned())
}

fn refused(code: u16, sub: &str) -> Fault {
    let body = r#"{"code":"X","message":"Something.\r\nActivityId: 1"}"#;
    status(code, &[("x-ms-substatus", sub)], body)
}

struct Case {
    fault: Fault,
    obstacle: Obstacle,
    says: &'static str,
    /// Requests at most.
    requests: usize,
}

fn case(fault: Fault, obstacle: Obstacle, says: &'static str, requests: usize) -> Case {
    Case {
        fault,
        obstacle,
        says,
        requests,
    }
}

#[track_caller]
fn opened(endpoint: &str) -> Trouble {
    let pace = Pace::default().quicker(QUICKER);
    run(Account::open(&target(endpoint), key(), pace)).unwrap_err()
}

fn check(case: &Case, at: At, asked: Option<&Asked>) {
    let server = Faulty::start(at, case.fault.clone());
    let pace = Pace::default().quicker(QUICKER);
    let begun = Instant::now();
    let trouble = match asked {
        None => opened(&server.endpoint),
        Some(asked) => run(async {
            let account = Account::open(&target(&server.endpoint), key(), pace)
                .await
                .unwrap();
            failed(account.ask(asked).await)
        }),
    };
    let what = format!("{:?} {asked:?}: {trouble:?}", case.fault);
    assert_eq!(trouble.obstacle, case.obstacle, "{what}");
    assert!(trouble.what.contains(case.says), "{what}");
    assert!(trouble.next.is_some(), "{what}");
    assert!(trouble.what.chars().all(|c| !c.is_control()), "{what}");
    let requests = server.requests(at);
    assert!(
        (1..=case.requests).contains(&requests),
        "{requests} requests: {what}"
    );
    assert!(
        begun.elapsed() < pace.operation + SLACK,
        "{:?}: {what}",
        begun.elapsed()
    );
}

/// What the account itself may answer instead of itself: refusals.
fn refusals() -> Vec<Case> {
    let firewall = r#"{"code":"Forbidden","message":"Request originated from IP 10.1.2.3 through public internet. This is blocked by your Cosmos DB account firewall settings."}"#;
    vec![
        case(
            refused(401, "0"),
            Obstacle::SignIn,
            "credentials not accepted (401)",
            1,
        ),
        case(
            status(401, &[("date", "Sun, 06 Nov 1994 08:49:37 GMT")], ""),
            Obstacle::SignIn,
            "ahead of the clock of the service",
            1,
        ),
        case(
            status(
                403,
                &[("date", "Sun, 06 Nov 1994 08:49:37 GMT")],
                r#"{"message":"The authorization token is not valid at the current time."}"#,
            ),
            Obstacle::SignIn,
            "ahead of the clock of the service",
            1,
        ),
        case(
            status(403, &[], firewall),
            Obstacle::Forbidden,
            "10.1.2.3",
            1,
        ),
        case(
            refused(403, "5300"),
            Obstacle::Forbidden,
            "may not read the account (403/5300)",
            1,
        ),
        case(
            refused(404, "0"),
            Obstacle::NotFound,
            "there is no account at 127.0.0.1",
            1,
        ),
        case(refused(429, "3200"), Obstacle::Throttled, "429/3200", 2),
        case(
            refused(503, "0"),
            Obstacle::Service,
            "trouble of its own (503)",
            3,
        ),
        case(Fault::CutBody, Obstacle::Service, "middle of the answer", 3),
    ]
}

/// The same: what is no answer.
fn no_answers() -> Vec<Case> {
    let deep = "[".repeat(100_000);
    vec![
        case(Fault::Drop, Obstacle::Service, "middle of the answer", 3),
        case(
            Fault::Hang,
            Obstacle::TimedOut,
            "did not answer within 2 s",
            1,
        ),
        case(
            status(200, &[], "<!DOCTYPE html><p>Sign in"),
            Obstacle::Unbelievable,
            "not from Cosmos DB",
            1,
        ),
        case(
            status(200, &[], ""),
            Obstacle::Unbelievable,
            "empty answer",
            3,
        ),
        case(
            status(200, &[], "{\"id\":"),
            Obstacle::Unbelievable,
            "not from Cosmos DB",
            1,
        ),
        case(
            status(200, &[], &format!("{{\"a\":{deep}")),
            Obstacle::Unbelievable,
            "not from Cosmos DB",
            1,
        ),
        case(
            status(200, &[], r#"{"id":"a"}"#),
            Obstacle::Unbelievable,
            "names no region",
            1,
        ),
        case(
            status(200, &[], &account("https://evil.test")),
            Obstacle::Untrusted,
            "evil.test",
            1,
        ),
    ]
}

#[test]
fn an_account_that_does_not_answer_as_it_should_is_not_opened() {
    let cases = refusals().into_iter().chain(no_answers());
    for case in cases {
        check(&case, At::Account, None);
    }
}

#[test]
fn where_nothing_listens_nothing_answers() {
    let trouble = opened("http://127.0.0.1:1");
    assert_eq!(trouble.obstacle, Obstacle::Unreachable, "{trouble:?}");
    assert!(
        trouble.what.contains("nothing answers at 127.0.0.1:1"),
        "{trouble:?}"
    );
}

#[test]
fn no_redirect_is_followed() {
    let elsewhere = Faulty::start(At::Account, status(200, &[], &account("http://127.0.0.1")));
    let place = elsewhere.endpoint.clone();
    for code in [301, 302, 307, 308] {
        let server = Faulty::start(At::Account, status(code, &[("location", &place)], ""));
        let trouble = opened(&server.endpoint);
        assert_eq!(trouble.obstacle, Obstacle::Unbelievable, "{trouble:?}");
        assert!(trouble.what.contains("sends elsewhere"), "{trouble:?}");
    }
    assert_eq!(elsewhere.requests(At::Account), 0);
}

#[test]
fn a_list_that_cannot_be_read_says_why() {
    let hint = |ms: &str| status(429, &[("x-ms-retry-after-ms", ms)], "");
    let hostile = "{\"message\":\"a\\u001b[31mb\\u202ec\"}";
    let cases = [
        case(
            refused(401, "0"),
            Obstacle::SignIn,
            "credentials not accepted (401)",
            2,
        ),
        case(
            refused(403, "5300"),
            Obstacle::Forbidden,
            "containers of database shop (403/5300)",
            2,
        ),
        case(
            refused(404, "0"),
            Obstacle::NotFound,
            "no such database shop",
            2,
        ),
        case(hint("50"), Obstacle::Throttled, "429", 3),
        case(hint("600000"), Obstacle::Throttled, "429", 3),
        case(refused(500, "0"), Obstacle::Service, "(500)", 4),
        case(refused(503, "0"), Obstacle::Service, "(503)", 4),
        case(
            status(400, &[], hostile),
            Obstacle::Unbelievable,
            "␛[31mb",
            2,
        ),
        case(
            status(200, &[], "<html>"),
            Obstacle::Unbelievable,
            "not from Cosmos DB",
            1,
        ),
        case(
            status(200, &[], ""),
            Obstacle::Unbelievable,
            "empty answer",
            3,
        ),
        case(
            status(200, &[], "{\"DocumentCollections\":["),
            Obstacle::Unbelievable,
            "not from Cosmos DB",
            1,
        ),
        case(
            status(200, &[], "{}"),
            Obstacle::Unbelievable,
            "lists no DocumentCollections",
            1,
        ),
        case(
            Fault::Hang,
            Obstacle::TimedOut,
            "did not answer within 2 s",
            4,
        ),
    ];
    let asked = Asked::database(Kind::Containers, "shop");
    for case in &cases {
        check(case, At::Data, Some(&asked));
    }
}

#[test]
fn partitions_that_cannot_be_read_say_why() {
    let cases = [
        case(
            refused(403, "5300"),
            Obstacle::Forbidden,
            "partitions of container shop/orders",
            1,
        ),
        case(
            refused(404, "0"),
            Obstacle::NotFound,
            "no such container shop/orders",
            1,
        ),
        case(refused(404, "1002"), Obstacle::Service, "is behind", 1),
        case(
            refused(410, "1002"),
            Obstacle::Moved,
            "splitting or has moved (410/1002)",
            3,
        ),
        case(refused(429, "3200"), Obstacle::Throttled, "429/3200", 2),
        case(refused(449, "0"), Obstacle::Service, "(449)", 3),
        case(refused(408, "0"), Obstacle::TimedOut, "(408)", 3),
        case(
            status(200, &[], "{\"PartitionKeyRanges\":7}"),
            Obstacle::Unbelievable,
            "lists no PartitionKeyRanges",
            1,
        ),
    ];
    for case in &cases {
        check(case, At::Data, Some(&of(Kind::Ranges, "orders")));
    }
}

#[test]
fn throughput_that_may_not_be_read_can_be_typed() {
    let case = case(
        refused(403, "5300"),
        Obstacle::Forbidden,
        "may not read throughput (403/5300)",
        2,
    );
    check(&case, At::Offers, Some(&of(Kind::Offer, "orders")));
}
