//! What rounds of questions cost and how fast they are, on the side of the server: every charge is told, a refusal is waited
//! for, and what was refused is asked again and nothing else.

use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cosmoscope::source::answers::{Inquiry, Kind, Observation, Obstacle};
use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::clock;
use cosmoscope::source::live::plan::{Round, Urgency, Ways};
use cosmoscope::source::live::target::Pace;

use super::stage::{failed, key, of, run, target, token};
use crate::account_server::account;
use crate::http::{self, Request, reply};

const CONTAINERS: usize = 40;

#[derive(Default)]
struct Meter {
    /// When each was answered, and what was charged.
    charges: Vec<(Instant, f64)>,
    paths: Vec<String>,
    /// So many questions from now on are refused.
    refuses: usize,
}

struct Metered {
    endpoint: String,
    meter: Arc<Mutex<Meter>>,
}

impl Metered {
    fn start() -> Self {
        let meter: Arc<Mutex<Meter>> = Arc::default();
        let kept = Arc::clone(&meter);
        let endpoint = http::start(move |request, stream, own| serve(&request, stream, &kept, own));
        Self { endpoint, meter }
    }

    fn charged(&self) -> f64 {
        let meter = self.meter.lock().unwrap();
        meter.charges.iter().map(|(_, ru)| ru).sum()
    }
}

fn serve(request: &Request, stream: TcpStream, meter: &Mutex<Meter>, own: &str) {
    let path = request.path.trim_end_matches('/').to_owned();
    let body = match path.as_str() {
        "" => account(own),
        "/dbs" => r#"{"Databases":[{"id":"shop"}]}"#.to_owned(),
        "/dbs/shop/colls" => {
            let ids = (0..CONTAINERS).map(|n| format!(r#"{{"id":"c{n}"}}"#));
            format!(r#"{{"DocumentCollections":[{}]}}"#, ids.collect::<Vec<_>>().join(","))
        }
        "/offers" => r#"{"Offers":[]}"#.to_owned(),
        path if path.ends_with("/pkranges") => r#"{"PartitionKeyRanges":[{"id":"0"}]}"#.to_owned(),
        path => {
            let id = path.rsplit('/').next().unwrap();
            format!(r#"{{"id":"{id}","_rid":"ehszALxRRgA=","partitionKey":{{"paths":["/t"]}}}}"#)
        }
    };
    let mut meter = meter.lock().unwrap();
    let is_refused = meter.refuses > 0 && !path.is_empty();
    meter.paths.push(path);
    let (status, wait, ru, body) = if is_refused {
        meter.refuses -= 1;
        (429, "x-ms-retry-after-ms: 20\r\n", 0.38, String::new())
    } else {
        (200, "", 1.25, body)
    };
    meter.charges.push((Instant::now(), ru));
    drop(meter);
    let headers = format!("{wait}x-ms-request-charge: {ru}\r\n");
    reply(stream, status, &headers, &body);
}

/// A round as the program makes it, three questions at a time.
async fn round(account: &AccountReader, ledger: &mut Ledger, pace: &Pace) {
    let target = target("http://127.0.0.1:1");
    let started = clock::now();
    loop {
        let (ways, urgency) = (Ways::default(), Urgency::Due);
        let round = Round { target: &target, ways, pace, started, urgency, on_screen: None };
        let due = round.due(ledger);
        if due.is_empty() {
            return;
        }
        for three in due.chunks(3) {
            let three = three.iter().map(|inquiry| account.ask(inquiry));
            for seen in futures::future::join_all(three).await {
                ledger.add(seen);
            }
        }
    }
}

fn all_kinds(ledger: &Ledger, answered: u64) {
    for access in ledger.access() {
        let most = match access.kind {
            Kind::Container | Kind::Ranges | Kind::Offer => answered,
            _ => 1,
        };
        assert_eq!((access.answered, access.failing), (most, 0), "{access:?}");
    }
}

#[test]
fn every_charge_of_a_round_is_told_and_no_second_costs_more_than_the_rate() {
    let server = Metered::start();
    let pace = Pace::default();
    let ledger = run(async {
        let account = AccountReader::open(&target(&server.endpoint), token(), pace).await;
        let mut ledger = Ledger::new("faulty");
        round(&account.unwrap(), &mut ledger, &pace).await;
        ledger
    });
    all_kinds(&ledger, CONTAINERS as u64);
    let meter = server.meter.lock().unwrap();
    let sum: f64 = meter.charges.iter().map(|(_, ru)| ru).sum();
    assert!((ledger.spent_ru() - sum).abs() < 1e-6, "{} of {sum}", ledger.spent_ru());
    // Each container once, its ranges, and two for an offer that is nowhere.
    let of = |path: &str| meter.paths.iter().filter(|held| *held == path).count();
    assert_eq!((of("/dbs/shop/colls/c7"), of("/dbs/shop/colls/c7/pkranges")), (1, 1));
    assert_eq!(of("/offers"), 2 * CONTAINERS);
    let rate = f64::from(pace.metadata_ru_per_second);
    for (from, _) in &meter.charges {
        let until = *from + Duration::from_secs(1);
        let second = meter.charges.iter().filter(|(at, _)| at >= from && *at < until);
        let sum: f64 = second.map(|(_, ru)| ru).sum();
        assert!(sum <= rate + 1.25, "{sum} RU in a second");
    }
}

#[test]
fn a_round_goes_on_where_it_was_refused() {
    let server = Metered::start();
    // All waits are shorter by a factor, and the rate is higher.
    let pace = Pace::default().quicker(20);
    run(async {
        let account = AccountReader::open(&target(&server.endpoint), token(), pace).await;
        let account = account.unwrap();
        let mut ledger = Ledger::new("faulty");
        round(&account, &mut ledger, &pace).await;
        all_kinds(&ledger, CONTAINERS as u64);

        // One refusal is waited for: nobody misses anything.
        server.meter.lock().unwrap().refuses = 1;
        let before = server.charged();
        let seen = account.ask(&of(Kind::Ranges, "c1")).await;
        assert!(matches!(seen, Observation::Answer(_)), "{seen:?}");
        assert!((seen.ru().unwrap() - (server.charged() - before)).abs() < 1e-9);

        // Two in a row: nothing more is sent, and what was charged is told all the same.
        server.meter.lock().unwrap().refuses = 2;
        let (before, sent) = (server.charged(), server.meter.lock().unwrap().paths.len());
        let mut reported = 0.0;
        for number in 0..5 {
            let seen = account.ask(&of(Kind::Ranges, &format!("c{number}"))).await;
            reported += seen.ru().unwrap_or_default();
            let trouble = failed(seen);
            assert_eq!(trouble.obstacle, Obstacle::Throttled, "{trouble:?}");
            assert!(trouble.what.contains("(429"), "{trouble:?}");
        }
        let paths = server.meter.lock().unwrap().paths.clone();
        assert_eq!(paths.len() - sent, 2, "{:?}", &paths[sent..]);
        assert!((reported - (server.charged() - before)).abs() < 1e-9, "{reported} RU");

        // Once the rest is over it is answered again.
        let inquiry = Inquiry::container(Kind::Ranges, "shop", "c1");
        let begun = Instant::now();
        while matches!(account.ask(&inquiry).await, Observation::Failure(_)) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no answer any more");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
}

/// Values of headers that no service sends: nothing panics, nothing waits without end, and what was not paid for is said.
#[test]
fn odd_charges_and_waits_end_nothing_and_hold_nobody_up() {
    let odd =
        ["1e22", "1e18", "1e400", "100001", "5000", "-1", "NaN", "inf", "", "x", "1,5", "\t7 "];
    let pace = Pace { operation: Duration::from_millis(400), ..Pace::default() };
    for charge in odd {
        for status in [200, 429, 503] {
            let headers = format!(
                "x-ms-request-charge: {charge}\r\nx-ms-retry-after-ms: {charge}\r\nlsn: {charge}\r\ndate: {charge}\r\netag: {charge}\r\n"
            );
            let endpoint = http::start(move |request, stream, own| {
                let is_account = request.path == "/";
                let body = match request.path.as_str() {
                    "/" => account(own),
                    "/dbs" => r#"{"Databases":[]}"#.to_owned(),
                    _ => r#"{"id":"orders","_rid":"ehszALxRRgA=","partitionKey":{"paths":["/t"]}}"#
                        .to_owned(),
                };
                reply(
                    stream,
                    if is_account { 200 } else { status },
                    if is_account { "" } else { &headers },
                    &body,
                );
            });
            let began = Instant::now();
            let (mut answers, mut troubles) = (0, Vec::new());
            run(async {
                let account = AccountReader::open(&target(&endpoint), key(), pace).await.unwrap();
                // No other client is asked for what is refused here.
                for _ in 0..2 {
                    account.ask(&of(Kind::Container, "orders")).await;
                }
                let opened = AccountReader::open(&target(&endpoint), token(), pace).await;
                let account = opened.unwrap();
                for _ in 0..3 {
                    match account.ask(&Inquiry::account(Kind::Databases)).await {
                        Observation::Answer(_) => answers += 1,
                        Observation::Failure(failure) => troubles.push(failure.trouble),
                    }
                }
            });
            // Three questions of two tries each, none longer than an operation.
            assert!(began.elapsed() < Duration::from_secs(20), "{charge} with {status}");
            let is_too_much = matches!(charge, "1e22" | "1e18" | "100001");
            if is_too_much {
                let (obstacle, what) = (troubles[0].obstacle, &troubles[0].what);
                assert_eq!((answers, obstacle), (0, Obstacle::Unbelievable), "{charge}: {what}");
                assert!(what.contains("a charge of"), "{what}");
            }
            if charge == "5000" && status == 200 {
                assert_eq!((answers, troubles.len()), (1, 2), "{troubles:?}");
                assert!(troubles[0].what.contains("the next question waits 60 s"), "{troubles:?}");
            }
        }
    }
}
