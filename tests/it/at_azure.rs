//! Faults that only a host with a name has: certificates, tokens that end, a machine that slept. The real program over
//! verified TLS, each time a new one.
#![cfg(target_os = "linux")]

use std::fs;
use std::panic::catch_unwind;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use vt100::Screen;

use crate::account_server::Server;
use crate::faults::ways::words;
use crate::front::{Front, Shows};
use crate::pty::terminal::Terminal;
use crate::whole_account::{HOST, connect};

const WINDOW: (u16, u16) = (120, 40);
const UNTRUSTED: &str =
    "the certificate of northpier-prod.documents.azure.com is not trusted by this system";
const NOBODY: &str = "the Azure CLI (az) is not logged in";
const LOG_IN: &str = "ERROR: Please run 'az login' to setup account.";
/// A token of this many seconds is used for the few above half a minute.
const SHORT_LIFE: &str = "35";
const UNTIL_IT_ENDED: Duration = Duration::from_secs(7);

struct Place {
    server: Server,
    front: Front,
    terminal: Terminal,
}

impl Place {
    fn new() -> Self {
        let server = Server::naming(&format!("https://{HOST}"));
        let front = Front::start(&[(HOST, &server.endpoint)]);
        Self { server, front, terminal: Terminal::of(WINDOW.0, WINDOW.1) }
    }

    /// With variables that switch certificates off for others who use the same SDK.
    fn start(&mut self) {
        // Nobody stands in for the management plane here.
        let id = crate::live_azure::ACCOUNT;
        let mut command = connect(&self.terminal, &self.front, &["--resource-id", id]);
        command.env("AZURE_COSMOS_EMULATOR_SERVER_CERT_VALIDATION_DISABLED", "true");
        command.env("AZURE_COSMOS_EMULATOR_HOST", HOST);
        self.terminal.start(command);
    }

    /// The account read well.
    fn opened(mut self) -> Self {
        self.start();
        self.waits("the account", |screen| {
            let text = screen.contents();
            text.contains("tenant-0002") && text.contains(" live") && !text.contains("asking")
        });
        self
    }

    fn waits(&self, what: &str, is_there: impl Fn(&Screen) -> bool) {
        self.terminal.wait_for(what, is_there);
    }

    fn says(&self, sentence: &str) {
        self.waits(sentence, |screen| words(screen).contains(sentence));
    }

    fn is_lost(&self) {
        self.waits("no answer", |screen| {
            title(screen).ends_with("no answer") && screen.contents().contains("tenant-0002")
        });
    }

    fn is_well(&self) {
        self.waits("live", |screen| {
            title(screen).contains(" live") && !screen.contents().contains("asking")
        });
    }

    fn asks_for_a_sample(&mut self) {
        self.terminal.types("4");
        self.says("Enter begins");
    }

    /// What `az` does from now on.
    fn az(&self, file: &str, content: &str) {
        fs::write(self.terminal.home().join(file), content).unwrap();
    }

    fn az_recovers(&self) {
        fs::remove_file(self.terminal.home().join("az-fails")).unwrap();
    }

    fn tokens(&self) -> usize {
        let asked = fs::read_to_string(self.terminal.home().join("scopes.txt")).unwrap();
        asked.lines().filter(|scope| scope.contains("cosmos")).count()
    }

    fn sends(&self, signal: &str) {
        let id = self.terminal.id().to_string();
        let done = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(done.success());
    }

    fn leaves(mut self) {
        self.terminal.types("q");
        assert_eq!(self.terminal.code(), 0);
        self.terminal.assert_given_back();
        self.server.assert_only_read();
    }
}

fn title(screen: &Screen) -> String {
    let title = screen.rows(0, WINDOW.0).next().unwrap_or_default();
    title.trim_end().to_owned()
}

fn a_certificate_that_nobody_signed_at_the_start() {
    let mut place = Place::new();
    place.front.show(Shows::SelfSigned);
    place.start();
    place.says(UNTRUSTED);
    // Neither a token nor a question went there.
    assert_eq!(place.server.requests(), 0);
    place.server.assert_signed_by(&[]);
    place.leaves();
}

fn a_certificate_that_nobody_signed_with_a_refresh() {
    let mut place = Place::new().opened();
    place.front.show(Shows::SelfSigned);
    let before = place.server.requests();
    place.terminal.types("r");
    place.says(UNTRUSTED);
    place.is_lost();
    assert_eq!(place.server.requests(), before);
    place.front.show(Shows::Trusted);
    place.terminal.types("r");
    place.is_well();
    place.leaves();
}

fn a_certificate_that_nobody_signed_in_a_dialog() {
    let mut place = Place::new().opened();
    place.asks_for_a_sample();
    place.front.show(Shows::SelfSigned);
    let before = place.server.requests();
    place.terminal.types("\r");
    place.says(UNTRUSTED);
    assert_eq!(place.server.requests(), before);
    place.leaves();
}

fn nobody_is_logged_in_at_the_start() {
    let mut place = Place::new();
    place.az("az-fails", LOG_IN);
    place.start();
    place.says(NOBODY);
    place.server.assert_signed_by(&[]);
    place.leaves();
}

fn a_token_that_ends_with_a_refresh() {
    let place = Place::new();
    place.az("az-life", SHORT_LIFE);
    let mut place = place.opened();
    place.az("az-fails", LOG_IN);
    std::thread::sleep(UNTIL_IT_ENDED);
    place.terminal.types("r");
    place.says(NOBODY);
    place.is_lost();
    place.az_recovers();
    // A log-in that failed is tried again two seconds later.
    std::thread::sleep(Duration::from_millis(2_500));
    place.terminal.types("r");
    place.is_well();
    place.leaves();
}

fn a_token_that_ends_in_a_dialog() {
    let place = Place::new();
    place.az("az-life", SHORT_LIFE);
    let mut place = place.opened();
    place.asks_for_a_sample();
    place.az("az-fails", LOG_IN);
    std::thread::sleep(UNTIL_IT_ENDED);
    place.terminal.types("\r");
    place.says(NOBODY);
    place.leaves();
}

/// The token has ended, and every connection is gone: with the next round all of it is made anew, and nobody is told.
fn a_machine_that_slept() {
    let place = Place::new();
    place.az("az-life", SHORT_LIFE);
    let mut place = place.opened();
    let tokens = place.tokens();
    place.sends("-STOP");
    std::thread::sleep(UNTIL_IT_ENDED);
    place.front.show(Shows::Trusted);
    place.az("az-life", "3600");
    place.sends("-CONT");
    let before = place.server.charged_in_all();
    place.terminal.types("r");
    place.is_well();
    place.waits("the round", |_| place.server.charged_in_all() >= before + 5.0);
    place.is_well();
    assert!(place.tokens() > tokens);
    let text = place.terminal.look(words);
    assert!(!text.contains('✗') && !text.contains("no answer"), "{text}");
    place.leaves();
}

/// `.invalid` is nobody's by agreement.
fn a_name_that_leads_nowhere() {
    let mut terminal = Terminal::of(WINDOW.0, WINDOW.1);
    let args = [
        "connect",
        "https://account.cosmos.invalid",
        "--allow-host",
        "cosmos.invalid",
        "--auth",
        "key",
    ];
    let mut command = terminal.command(&args);
    command.env("COSMOSCOPE_KEY", "VGhpcyBpcyBubyBrZXkgb2YgYW55IGFjY291bnQgYW55d2hlcmUu");
    command.env("RES_OPTIONS", "timeout:1 attempts:1");
    terminal.start(command);
    terminal.wait_for("no such name", |screen| {
        words(screen).contains("host name not found: account.cosmos.invalid")
    });
    terminal.types("q");
    assert_eq!(terminal.code(), 0);
    terminal.assert_given_back();
}

#[test]
fn certificates_tokens_and_sleep_are_told_or_got_over() {
    let rows: [(&str, fn()); 8] = [
        ("sleep", a_machine_that_slept),
        ("token, refresh", a_token_that_ends_with_a_refresh),
        ("token, dialog", a_token_that_ends_in_a_dialog),
        ("name", a_name_that_leads_nowhere),
        ("log-in, start", nobody_is_logged_in_at_the_start),
        ("certificate, start", a_certificate_that_nobody_signed_at_the_start),
        ("certificate, refresh", a_certificate_that_nobody_signed_with_a_refresh),
        ("certificate, dialog", a_certificate_that_nobody_signed_in_a_dialog),
    ];
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (name, meet) in rows {
            let failed = &failed;
            scope.spawn(move || {
                if catch_unwind(meet).is_err() {
                    failed.lock().unwrap().push(name);
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:?}");
}
