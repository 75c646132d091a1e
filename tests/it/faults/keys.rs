//! How soon keys are answered while an account is silent, slow or refuses. The figures are printed; a busy machine is no
//! failure, a screen that stands still is.

use std::time::{Duration, Instant};

use super::ways::{ready, words};
use crate::account_server::{At, Play, Server};
use crate::pty::terminal::Terminal;

/// Key presses in each fault.
const PRESSES: usize = 25;
/// Far more than anybody waits for.
const LIMIT: Duration = Duration::from_secs(5);
const HELP: &str = "This view: ";

fn is_helped(screen: &vt100::Screen) -> bool {
    words(screen).contains(HELP)
}

/// From a key to the picture that it asks for.
fn takes(terminal: &mut Terminal, keys: &str, shows: impl Fn(&vt100::Screen) -> bool) -> Duration {
    let begun = Instant::now();
    terminal.types(keys);
    terminal.wait_for("the answer to a key", shows);
    begun.elapsed()
}

#[expect(clippy::print_stdout, reason = "a measurement is told")]
fn tell(what: &str, mut took: Vec<Duration>) {
    took.sort_unstable();
    let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    let (half, most, all) = (at(50), at(99), at(100));
    println!("{what}: p50 {half:.1} ms, p99 {most:.1} ms, longest {all:.1} ms");
    assert!(took.iter().all(|took| *took < LIMIT), "{what}: {took:?}");
}

fn presses(terminal: &mut Terminal) -> Vec<Duration> {
    let both = |_| {
        let opens = takes(terminal, "?", is_helped);
        [opens, takes(terminal, "\x1b", |screen| !is_helped(screen))]
    };
    (0..PRESSES).flat_map(both).collect()
}

#[test]
fn keys_are_answered_while_an_account_is_not() {
    let plays = [("silence", Play::Hang), ("slow body", Play::Drip)];
    for (name, play) in plays {
        let server = Server::start();
        let mut terminal = ready(&server);
        server.begin(At::Everything, &play);
        terminal.types("r");
        terminal.wait_for("the round", |screen| screen.contents().contains("asking"));
        tell(&format!("refresh, {name}, keys"), presses(&mut terminal));
        terminal.types("r");
        terminal.wait_for("the round", |screen| screen.contents().contains("asking"));
        let ended = takes(&mut terminal, "\x1b", |screen| !screen.contents().contains("asking"));
        tell(&format!("refresh, {name}, Esc"), vec![ended]);
    }
    let plays = [("silence", Play::Hang), ("slow body", Play::Drip), ("429", Play::read("429"))];
    for (name, play) in plays {
        let server = Server::start();
        let mut terminal = ready(&server);
        terminal.types("4");
        terminal.wait_for("the dialog", |screen| words(screen).contains("Enter begins"));
        server.begin(At::Everything, &play);
        terminal.types("\r");
        terminal.wait_for("the sample", |screen| words(screen).contains("sampling:"));
        tell(&format!("sample, {name}, keys"), presses(&mut terminal));
        let ended =
            takes(&mut terminal, "\x1b", |screen| words(screen).contains("reading was stopped"));
        tell(&format!("sample, {name}, Esc"), vec![ended]);
    }
}
