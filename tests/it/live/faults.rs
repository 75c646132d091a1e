//! Everything that can go wrong on the way to an account: the right sentence, the right obstacle, few requests, in time.
//! Each account has surroundings of the SDK of its own, so that nothing is remembered from one fault to the next.

use std::time::{Duration, Instant};

use cosmoscope::source::answers::{Inquiry, Kind, Obstacle, Trouble};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::target::Pace;

use super::stage::{failed, key, of, run, target};
use crate::account_server::{At, Play, Server};

/// A fifth of what is waited for real: the machine may be slow.
const QUICKER: u32 = 5;
/// Beside the time limit of one operation.
const SLACK: Duration = Duration::from_secs(8);

/// What is met, what stands in the way then, what is said of it, and requests at most.
struct Case {
    play: Play,
    obstacle: &'static str,
    says: &'static str,
    requests: usize,
}

fn cases(table: &'static str) -> impl Iterator<Item = Case> {
    let lines = table.lines().filter(|line| !line.is_empty());
    lines.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [play, obstacle, says, requests] = cells[..] else {
            panic!("{line}");
        };
        Case { play: Play::read(play), obstacle, says, requests: requests.parse().unwrap() }
    })
}

#[track_caller]
fn opened(endpoint: &str) -> Trouble {
    let pace = Pace::default().quicker(QUICKER);
    run(AccountReader::open(&target(endpoint), key(), pace)).unwrap_err()
}

fn check(case: &Case, at: At, inquiry: Option<&Inquiry>) {
    let server = Server::meeting(at, &case.play);
    let pace = Pace::default().quicker(QUICKER);
    let begun = Instant::now();
    let trouble = match inquiry {
        None => opened(&server.endpoint),
        Some(inquiry) => run(async {
            let account =
                AccountReader::open(&target(&server.endpoint), key(), pace).await.unwrap();
            failed(account.ask(inquiry).await)
        }),
    };
    let what = format!("{:?} {inquiry:?}: {trouble:?}", case.play);
    let obstacle = format!("{:?}", trouble.obstacle);
    assert_eq!(obstacle, case.obstacle, "{what}");
    assert!(trouble.what.contains(case.says), "{what}");
    assert!(trouble.next.is_some(), "{what}");
    assert!(trouble.what.chars().all(|c| !c.is_control()), "{what}");
    let requests = server.questions().len();
    assert!((1..=case.requests).contains(&requests), "{requests} requests: {what}");
    assert!(begun.elapsed() < pace.operation + SLACK, "{:?}: {what}", begun.elapsed());
}

/// What the account itself may answer instead of itself: refusals, and what is no answer.
const ACCOUNT: &str = r#"
401/0               | SignIn       | credentials not accepted (401)         | 1
401 dated           | SignIn       | ahead of the clock of the service      | 1
403 dated with LATE | SignIn       | ahead of the clock of the service      | 1
403 with FIREWALL   | Forbidden    | 10.1.2.3                               | 1
403/5300            | Forbidden    | may not read the account (403/5300)    | 1
404/0               | NotFound     | there is no account at 127.0.0.1       | 1
429/3200            | Throttled    | 429/3200                               | 2
503/0               | Service      | the service failed (503)               | 3
cut                 | Service      | middle of the answer                   | 3
drop                | Service      | middle of the answer                   | 3
hang                | TimedOut     | did not answer within 2 s              | 1
200 with <!DOCTYPE html><p>Sign in | Unbelievable | not from Cosmos DB      | 1
200                 | Unbelievable | empty answer                           | 3
200 with {"id":     | Unbelievable | not from Cosmos DB                     | 1
200 with DEEP       | Unbelievable | not from Cosmos DB                     | 1
200 with {"id":"a"} | Unbelievable | names no region                        | 1
200 with ELSEWHERE  | Untrusted    | evil.test                              | 1
"#;

const CONTAINERS: &str = r#"
401/0               | SignIn       | credentials not accepted (401)         | 2
403/5300            | Forbidden    | containers of database shop (403/5300) | 2
404/0               | NotFound     | no such database shop                  | 2
429 after 50        | Throttled    | 429                                    | 3
429 after 600000    | Throttled    | 429                                    | 3
500/0               | Service      | (500)                                  | 4
503/0               | Service      | (503)                                  | 4
400 with HOSTILE    | Unbelievable | ␛[31mb                                 | 2
200 with <html>     | Unbelievable | not from Cosmos DB                     | 1
200                 | Unbelievable | empty answer                           | 3
200 with {"DocumentCollections":[ | Unbelievable | not from Cosmos DB       | 1
200 with {}         | Unbelievable | lists no DocumentCollections           | 1
hang                | TimedOut     | did not answer within 2 s              | 4
"#;

const RANGES: &str = r#"
403/5300            | Forbidden    | partitions of container shop/orders    | 1
404/0               | NotFound     | no such container shop/orders          | 1
404/1002            | Service      | is behind                              | 1
410/1002            | Moved        | split, merged or moved (410/1002)      | 3
429/3200            | Throttled    | 429/3200                               | 2
449/0               | Service      | (449)                                  | 3
408/0               | TimedOut     | (408)                                  | 3
200 with {"PartitionKeyRanges":7} | Unbelievable | lists no PartitionKeyRanges | 1
"#;

const OFFERS: &str = "403/5300 | Forbidden | may not read throughput (403/5300) | 2";

#[test]
fn an_account_that_does_not_answer_as_it_should_is_not_opened() {
    for case in cases(ACCOUNT) {
        check(&case, At::Account, None);
    }
}

#[test]
fn where_nothing_listens_nothing_answers() {
    let trouble = opened("http://127.0.0.1:1");
    assert_eq!(trouble.obstacle, Obstacle::Unreachable, "{trouble:?}");
    assert!(trouble.what.contains("nothing answers at 127.0.0.1:1"), "{trouble:?}");
}

#[test]
fn no_redirect_is_followed() {
    let elsewhere = Server::start();
    let place = elsewhere.endpoint.clone();
    for code in [301, 302, 307, 308] {
        let sends = Play::Says(code, vec![("location", place.clone())], String::new());
        let server = Server::meeting(At::Account, &sends);
        let trouble = opened(&server.endpoint);
        assert_eq!(trouble.obstacle, Obstacle::Unbelievable, "{trouble:?}");
        assert!(trouble.what.contains("redirects"), "{trouble:?}");
    }
    assert_eq!(elsewhere.requests(), 0);
}

#[test]
fn what_cannot_be_read_of_an_account_says_why() {
    let containers = Inquiry::database(Kind::Containers, "shop");
    for (at, table, inquiry) in [
        (At::Data, CONTAINERS, containers),
        (At::Data, RANGES, of(Kind::Ranges, "orders")),
        (At::Offers, OFFERS, of(Kind::Offer, "orders")),
    ] {
        for case in cases(table) {
            check(&case, at, Some(&inquiry));
        }
    }
}
