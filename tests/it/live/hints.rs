//! What the service may take amiss without anybody missing anything: it is asked again without.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use cosmoscope::source::answers::Kind;
use cosmoscope::source::live::account::Account;
use cosmoscope::source::live::target::Pace;

use super::faulty::account;
use super::stage::{answered, of, run, target, token};

/// Answers reads of containers only where that header is not among the request's; gives what was asked.
fn server(amiss: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let (kept, own) = (Arc::clone(&seen), endpoint.clone());
    // It ends with the process: it holds nothing but a socket.
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (kept, own) = (Arc::clone(&kept), own.clone());
            thread::spawn(move || answer(stream, &kept, &own, amiss));
        }
    });
    (endpoint, seen)
}

fn answer(mut stream: TcpStream, seen: &Mutex<Vec<String>>, own: &str, amiss: &str) {
    let reader = BufReader::new(stream.try_clone().unwrap());
    let lines = reader.lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let Some(first) = head.first() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default();
    let is_amiss = head
        .iter()
        .any(|line| line.to_lowercase().starts_with(amiss));
    let (status, body) = if path == "/" {
        (200, account(own))
    } else if is_amiss {
        (
            400,
            r#"{"code":"BadRequest","message":"a header is not known"}"#.to_owned(),
        )
    } else {
        let container = r#"{"id":"orders","_rid":"ehszALxRRgA=","partitionKey":{"paths":["/t"]},"statistics":[{"id":"0"}]}"#;
        (200, container.to_owned())
    };
    if path != "/" {
        seen.lock().unwrap().push(format!("{status} {path}"));
    }
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

#[test]
fn a_hint_that_is_taken_amiss_is_left_out_from_then_on() {
    let (endpoint, seen) = server("x-ms-cosmos-internal-get-all-partition-key-stats");
    run(async {
        let account = Account::open(&target(&endpoint), token(), Pace::default()).await;
        let account = account.unwrap();
        for _ in 0..2 {
            let (container, _) = answered(account.ask(&of(Kind::Container, "orders")).await);
            assert_eq!(container["statistics"][0]["id"], "0", "{container}");
        }
    });
    let path = "/dbs/shop/colls/orders";
    // Our own request first, then the SDK's, who reads a container once more when it meets it.
    let expected = [400, 200, 200, 200, 200, 200].map(|status| format!("{status} {path}"));
    let seen = seen.lock().unwrap();
    let seen: Vec<&str> = seen.iter().map(|line| line.trim_end_matches('/')).collect();
    assert_eq!(seen, expected);
}
