//! What the service may take amiss without anybody missing anything: it is asked again without.

use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use cosmoscope::source::answers::Kind;
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::target::Pace;

use super::stage::{answered, of, run, target, token};
use crate::account_server::account;
use crate::http::{self, Request, reply};

/// Answers reads of containers only where that header is not among the request's; gives what was asked.
fn server(amiss: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let endpoint = http::start(move |request, stream, own| {
        answer(&request, stream, &kept, own, amiss);
    });
    (endpoint, seen)
}

fn answer(request: &Request, stream: TcpStream, seen: &Mutex<Vec<String>>, own: &str, amiss: &str) {
    let path = request.path.as_str();
    let is_amiss = request.headers.contains_key(amiss);
    let (status, body) = if path == "/" {
        (200, account(own))
    } else if is_amiss {
        (400, r#"{"code":"BadRequest","message":"a header is not known"}"#.to_owned())
    } else {
        let container = r#"{"id":"orders","_rid":"ehszALxRRgA=","partitionKey":{"paths":["/t"]},"statistics":[{"id":"0"}]}"#;
        (200, container.to_owned())
    };
    if path != "/" {
        seen.lock().unwrap().push(format!("{status} {path}"));
    }
    reply(stream, status, "", &body);
}

#[test]
fn a_hint_that_is_taken_amiss_is_left_out_from_then_on() {
    let (endpoint, seen) = server("x-ms-cosmos-internal-get-all-partition-key-stats");
    run(async {
        let account = AccountReader::open(&target(&endpoint), token(), Pace::default()).await;
        let account = account.unwrap();
        for _ in 0..2 {
            let (container, _) = answered(account.ask(&of(Kind::Container, "orders")).await);
            assert_eq!(container["statistics"][0]["id"], "0", "{container}");
        }
    });
    let path = "/dbs/shop/colls/orders";
    let expected = [400, 200, 200].map(|status| format!("{status} {path}"));
    let seen = seen.lock().unwrap();
    let seen: Vec<&str> = seen.iter().map(|line| line.trim_end_matches('/')).collect();
    assert_eq!(seen, expected);
}
