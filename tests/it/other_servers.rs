//! Servers that speak the same protocol with oddities of their own: range ids as numbers, nothing said of RU, no offers, no
//! statistics, an address of theirs that they do not serve. Played here, and once by a server that others wrote.
#![cfg(unix)]

mod npm;

use crate::account_server::{Fine, Server, fine};
use crate::faults::ways::words;
use crate::http::Request;
use crate::pty::terminal::{PROGRAM, Terminal};
use std::process::Command;

/// As that server answers, without any sizes.
fn odd(own: &str, request: &Request) -> Fine {
    let (status, body) = match request.path.trim_matches('/') {
        "offers" => (400, r#"{"message":"no route"}"#),
        "dbs/shop/colls/orders/pkranges" => (
            200,
            r#"{"PartitionKeyRanges":[{"id":0,"minInclusive":"","maxExclusive":"FF","ridPrefix":0,"throughputFraction":1,"status":"online","parents":[],"_rid":"NPr0AKLm0Q8BAAAAAAAAUA=="}],"_count":1}"#,
        ),
        "dbs/shop/colls/orders" => (
            200,
            r#"{"geospatialConfig":{},"id":"orders","partitionKey":{"paths":["/tenantId"],"kind":"Hash","Version":2},"_rid":"NPr0AKLm0Q8=","_self":"/dbs/NPr0AA==/colls/NPr0AKLm0Q8="}"#,
        ),
        _ => {
            return Fine { ru: 0.0, ..fine(own, request) };
        }
    };
    Fine { status, body: body.to_owned(), ru: 0.0 }
}

/// The code, and what was told on one line.
fn doctor(endpoint: &str) -> (Option<i32>, String) {
    let home = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let reported = Command::new(PROGRAM)
        .args(["doctor", endpoint, "--emulator"])
        .env("HOME", home.path())
        .env("XDG_CONFIG_HOME", home.path())
        .env_remove("COSMOSCOPE_KEY")
        .env_remove("AZURE_COSMOS_CONNECTION_STRING")
        .output()
        .unwrap();
    let text = String::from_utf8(reported.stdout).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    (reported.status.code(), words.join(" "))
}

/// Opens it, looks at its partition, reads a sample, and leaves.
fn is_looked_at(endpoint: &str, cost: &str, documents: &str) {
    let mut terminal = Terminal::of(120, 40);
    let mut command = terminal.command(&["connect", endpoint, "--emulator"]);
    for name in ["COSMOSCOPE_KEY", "AZURE_COSMOS_CONNECTION_STRING"] {
        command.env_remove(name);
    }
    terminal.start(command);
    terminal.wait_for("the account", |screen| {
        let text = screen.contents();
        text.contains("orders") && text.contains(" live") && !text.contains("asking")
    });
    terminal.types(":connect\r");
    terminal.wait_for("the paper", |screen| words(screen).contains("RU/s: data plane missing"));
    let reported = terminal.look(words);
    for sentence in
        [cost, "this server does not report RU/s (400): no route", "partitions: ranges there"]
    {
        assert!(reported.contains(sentence), "{sentence}: {reported}");
    }
    assert!(!reported.contains("with gaps"), "{reported}");
    terminal.types("\x1b");
    terminal.wait_for("the view", |screen| !words(screen).contains("RU so far"));
    terminal.types("4");
    terminal.wait_for("the dialog", |screen| words(screen).contains("from 1 physical partition"));
    terminal.types("\r");
    terminal.wait_for("a sample", |screen| words(screen).contains(documents));
    terminal.types("q");
    assert_eq!(terminal.code(), 0);
    terminal.assert_given_back();
}

#[test]
fn a_server_with_oddities_is_looked_at_as_far_as_it_tells() {
    let server = Server::answering(odd, None);
    let (code, text) = doctor(&server.endpoint);
    // Statistics are missing, which is no failure of the account.
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("1 physical partition"), "{text}");
    assert!(!text.contains("failed"), "{text}");
    is_looked_at(
        &server.endpoint,
        "answers cost 0.0 RU so far, as far as they say",
        "20 documents for 0 RU are there",
    );
    server.assert_only_read();
}
