//! The three ways in which somebody meets a fault: at the start, with a refresh, in the dialog of a sample.

use std::time::{Duration, Instant};

use vt100::Screen;

use super::rows::{Expected, Left, Row, Step};
use crate::account_server::{At, Play, Server};
use crate::pty::terminal::Terminal;

/// What one operation may take, and what a busy machine takes beside it.
const LIMIT: Duration = Duration::from_secs(10 + 10);
const WINDOW: (u16, u16) = (120, 40);
/// What a sample may spend; a page costs 3.
const BUDGET_RU: f64 = 20.0;
/// Questions of one round about this account.
const ROUND_RU: f64 = 6.0;
/// Nothing is to be told: so long is looked whether it is.
const QUIET: Duration = Duration::from_millis(700);

/// What was seen of one row.
#[derive(Debug)]
pub struct Outcome {
    pub took: Duration,
    pub requests: usize,
    pub ru: f64,
}

pub fn open(server: &Server) -> Terminal {
    let mut terminal = Terminal::of(WINDOW.0, WINDOW.1);
    let budget = BUDGET_RU.to_string();
    let endpoint = server.endpoint.as_str();
    let args = ["connect", endpoint, "--emulator", "--ru-budget", &budget];
    let mut command = terminal.command(&args);
    for name in ["COSMOSCOPE_KEY", "AZURE_COSMOS_CONNECTION_STRING"] {
        command.env_remove(name);
    }
    terminal.start(command);
    terminal
}

/// An account that was read well.
pub fn ready(server: &Server) -> Terminal {
    let terminal = open(server);
    terminal.wait_for("the account", |screen| {
        let text = screen.contents();
        text.contains("tenant-0002") && text.contains("live") && !text.contains("asking")
    });
    terminal
}

/// What stands on the screen as one line, without frames.
pub fn words(screen: &Screen) -> String {
    let text = screen.contents();
    let is_frame = |c: &char| ('\u{2500}'..'\u{2600}').contains(c) || *c == '✗';
    let kept = text.chars().map(|c| if is_frame(&c) { ' ' } else { c });
    let kept: String = kept.collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the account is taken for what it should be.
fn is_left(screen: &Screen, left: Left) -> bool {
    let title = screen.rows(0, WINDOW.0).next().unwrap_or_default();
    let title = title.trim_end();
    match left {
        Left::Well => title.ends_with(" live"),
        Left::Gaps => title.ends_with(" live, with gaps"),
        Left::Lost => title.ends_with(" no answer"),
    }
}

/// `as of 08:53:49 UTC`, and how it is coloured.
fn as_of(screen: &Screen) -> (String, String) {
    let title = screen.rows(0, WINDOW.0).next().unwrap_or_default();
    let at = title.find("as of ").expect("its time stands in the title");
    let text = title[at..].chars().take("as of 08:53:49 UTC".len()).collect();
    let column = u16::try_from(title[..at].chars().count()).unwrap();
    let cell = screen.cell(0, column).unwrap();
    (text, format!("{:?} {}", cell.fgcolor(), cell.dim()))
}

/// Waits for the sentence, and looks at the bounds.
fn meets(
    terminal: &Terminal,
    server: &Server,
    row: &Row,
    expected: &Expected,
    most_ru: f64,
) -> Outcome {
    let begun = Instant::now();
    if expected.says.is_empty() {
        std::thread::sleep(QUIET);
    }
    terminal.wait_for(&format!("{}: {}", row.name, expected.says), |screen| {
        words(screen).contains(expected.says)
    });
    let took = begun.elapsed();
    assert!(took < LIMIT, "{}: {took:?}", row.name);
    // What is said of work that begins may stand there before its first request.
    let is_silent = matches!(row.play, Play::Gone | Play::Stale);
    while !is_silent && server.questions().is_empty() {
        assert!(begun.elapsed() < LIMIT, "{}: nobody asked", row.name);
        std::thread::sleep(Duration::from_millis(20));
    }
    server.assert_only_read();
    let met = server.questions();
    let most = expected.requests;
    assert!(met.len() <= most, "{}: {met:?}", row.name);
    let ru = server.charged();
    assert!(ru <= most_ru, "{}: {ru} RU", row.name);
    Outcome { took, requests: met.len(), ru }
}

/// The cost that is shown is no more than what was charged, and the program still follows keys.
fn tells_its_cost(terminal: &mut Terminal, server: &Server) {
    terminal.types(":connect\r");
    terminal.wait_for("what it cost", |screen| words(screen).contains("RU so far"));
    let text = terminal.look(words);
    let before = text.split(" RU so far").next().unwrap();
    let shown: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    let charged = server.charged_in_all();
    assert!(shown > 0.0 && shown <= charged, "{shown} of {charged} RU");
    assert!(text.contains("EMULATOR: a server on this machine"), "{text}");
}

#[track_caller]
fn leaves(terminal: &mut Terminal, code: u32) {
    // Whatever lies over the view.
    terminal.types("\x03");
    assert_eq!(terminal.code(), code);
    terminal.assert_given_back();
}

pub fn start(row: &Row) -> Outcome {
    let server = Server::meeting(row.at, &row.play);
    let mut terminal = open(&server);
    let outcome = meets(&terminal, &server, row, &row.start, ROUND_RU);
    if row.start.left != Left::Lost && row.at != At::Account {
        terminal.wait_for(&format!("{}: its state", row.name), |screen| {
            is_left(screen, row.start.left)
        });
        tells_its_cost(&mut terminal, &server);
        terminal.types("\x1b");
        terminal.wait_for("the view", |screen| !words(screen).contains("RU so far"));
    }
    leaves(&mut terminal, 0);
    outcome
}

pub fn refresh(row: &Row) -> Outcome {
    let server = Server::start();
    let mut terminal = ready(&server);
    let (time, colour) = terminal.look(as_of);
    // A second later, so that what is told of the time can differ.
    std::thread::sleep(Duration::from_millis(1_100));
    server.begin(row.at, &row.play);
    terminal.types("r");
    let outcome = meets(&terminal, &server, row, &row.refresh, ROUND_RU);
    terminal
        .wait_for(&format!("{}: its state", row.name), |screen| is_left(screen, row.refresh.left));
    // What was read before stays, with its own time where nothing newer came.
    let (now, shade) = terminal.look(as_of);
    assert!(terminal.contents().contains("tenant-0002"), "{}", row.name);
    if row.refresh.left == Left::Lost {
        assert_eq!(now, time, "{}: {}", row.name, terminal.contents());
        assert_ne!(shade, colour, "{}: not grey", row.name);
    }
    tells_its_cost(&mut terminal, &server);
    leaves(&mut terminal, 0);
    outcome
}

pub fn dialog(row: &Row) -> Outcome {
    let server = Server::start();
    let mut terminal = ready(&server);
    terminal.types("4");
    let is_open = |screen: &Screen| screen.contents().contains("sample of documents");
    terminal.wait_for("the dialog", is_open);
    server.begin(row.at, &row.play);
    let (keys, most_ru) = match row.does {
        Step::Begins => ("\r", BUDGET_RU),
        Step::Refreshes => ("r", ROUND_RU),
    };
    terminal.types(keys);
    let outcome = meets(&terminal, &server, row, &row.dialog, most_ru);
    if row.does == Step::Refreshes {
        assert!(terminal.look(is_open), "{}: {}", row.name, terminal.contents());
        terminal.types("\x1b");
        terminal.wait_for("the view", |screen| !is_open(screen));
    }
    tells_its_cost(&mut terminal, &server);
    leaves(&mut terminal, 0);
    outcome
}
