//! The screens in a real terminal: what they show, and that the terminal is given back however they end.

#![cfg(unix)]

pub(crate) mod terminal;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use portable_pty::CommandBuilder;
use terminal::{PROGRAM, Terminal};

/// The container of the scenario `tenants`.
const CONTAINER: &str = "tickets";
/// A sentence that only the help says.
const HELP: &str = "type to search";

/// Typed where a key is asked for, and what is said of it.
const SENTINEL_LINE: &str = "SENTINEL-that-is-no-key\r";
const NO_KEY: &str = "what was typed holds no account key";

const PROMPT: &str = "ready> ";

fn demo(terminal: &Terminal) -> CommandBuilder {
    terminal.command(&["demo", "tenants"])
}

#[test]
fn a_session_draws_follows_keys_and_the_window_and_leaves_no_trace() {
    let mut terminal = Terminal::new();
    let command = demo(&terminal);
    terminal.start(command);
    terminal.wait_for("the overview", |screen| screen.contents().contains(CONTAINER));
    assert!(terminal.is_taken());
    terminal.types("?");
    terminal.wait_for("the help", |screen| screen.contents().contains(HELP));
    terminal.types("\x1b");
    terminal.wait_for("the overview again", |screen| {
        !screen.contents().contains(HELP) && screen.contents().contains(CONTAINER)
    });
    // What is pasted runs nothing: neither the q nor the line end.
    terminal.types("\x1b[200~q\r\x1b[201~");
    terminal.wait_for("a word on what was pasted", |screen| screen.contents().contains("pasted"));
    terminal.resize(120, 40);
    terminal.wait_for("the last row of the larger window", |screen| {
        !screen.rows(0, 120).nth(39).unwrap_or_default().trim().is_empty()
    });
    // Faster than anything is drawn, and shorter than anything is drawn in.
    for step in 0..300 {
        terminal.resize(1 + step % 150, 1 + step % 50);
    }
    terminal.resize(80, 24);
    terminal.wait_for("the last row of the window as it was", |screen| {
        screen.contents().contains(CONTAINER)
            && !screen.rows(0, 80).nth(23).unwrap_or_default().trim().is_empty()
    });
    // Mouse reports with a zero, which no terminal counts from, as a paste could bring them along.
    terminal.types("\x1b[<0;0;0M\x1b[M   \x1b[0;0R");
    terminal.types("?");
    terminal
        .wait_for("the help after reports of nowhere", |screen| screen.contents().contains(HELP));
    // In the help letters search; Ctrl-c ends the program everywhere.
    terminal.types("\x03");
    assert_eq!(terminal.code(), 0);
    terminal.assert_given_back();
}

#[test]
fn bytes_that_are_no_key_keep_no_size_of_the_window_back() {
    for bytes in [&b"\xff"[..], b"\x1b[", b"\x1b[99~"] {
        let mut terminal = Terminal::new();
        let command = demo(&terminal);
        terminal.start(command);
        terminal.wait_for("the overview", |screen| screen.contents().contains(CONTAINER));
        terminal.types(bytes);
        // The first one may come before the bytes are read.
        for (width, height) in [(100, 30), (120, 40), (90, 35)] {
            terminal.resize(width, height);
            terminal.wait_for("the last row of the other window", |screen| {
                let last = screen.rows(0, width).nth(usize::from(height) - 1);
                last.unwrap_or_default().contains("overview")
            });
        }
        // Here ends what was begun; then keys are keys again. On a busy machine a key may be read as its end, too.
        terminal.types("~");
        let is_help = |screen: &vt100::Screen| screen.contents().contains(HELP);
        let tries = (0..10).filter(|_| {
            terminal.types("?");
            terminal.comes(Duration::from_secs(5), is_help)
        });
        assert!({ tries }.next().is_some(), "keys are keys no more");
    }
}

/// Faster than anything is read: only one of them is made at a time, and those that were given up are not made at all.
#[cfg(target_os = "linux")]
#[test]
fn reading_again_and_again_takes_the_memory_of_reading_once_more() {
    use super::resident::most_resident_kib;

    const MOST_KIB: u64 = 64 << 10;
    let mut terminal = Terminal::new();
    let command = terminal.command(&["demo", "night"]);
    terminal.start(command);
    let is_read = |screen: &vt100::Screen| {
        let shown = screen.contents();
        shown.contains("overview") && !shown.contains("reading") && !shown.contains(HELP)
    };
    terminal.wait_for("the scenario", is_read);
    let most_kib = |terminal: &Terminal| most_resident_kib(terminal.id()).unwrap();
    let before = most_kib(&terminal);
    terminal.types("r".repeat(200) + "?");
    terminal.wait_for("the help", |screen| screen.contents().contains(HELP));
    terminal.types("\x1b");
    terminal.wait_for("the scenario again", is_read);
    let taken = most_kib(&terminal) - before;
    assert!(taken < MOST_KIB, "{taken} KiB more than {before} KiB");
}

#[test]
fn signals_end_it_with_their_code_and_the_terminal_is_given_back() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let mut terminal = Terminal::new();
        let command = demo(&terminal);
        terminal.start(command);
        terminal.wait_for(signal, |screen| screen.contents().contains(CONTAINER));
        let id = terminal.id();
        send(signal, id);
        assert_eq!(terminal.code(), code, "{signal}");
        terminal.assert_given_back();
    }
}

#[test]
fn stopped_it_gives_the_terminal_to_the_shell_and_continued_it_takes_it_again() {
    let mut terminal = Terminal::new();
    let mut shell = CommandBuilder::new("sh");
    shell.args(["-i"]);
    terminal.settle(&mut shell);
    shell.env("PS1", PROMPT);
    terminal.start(shell);
    terminal.wait_for("the shell", has_shell);
    terminal.types(format!("sh -c 'echo id=$$.; exec \"{PROGRAM}\" demo tenants'\r"));
    terminal.wait_for("the overview", |screen| {
        screen.alternate_screen() && screen.contents().contains(CONTAINER)
    });
    let id = terminal.number_after("id=");
    let stops: [&dyn Fn(&mut Terminal); 2] =
        [&|terminal| terminal.types("\x1a"), &|_| send("TSTP", id)];
    for (time, stop) in stops.into_iter().enumerate() {
        stop(&mut terminal);
        terminal.wait_for("the shell", has_shell);
        // While a shell waits for a line it has modes of its own; what it runs sees those that it was given back.
        terminal.types(format!("stty -a > modes; echo back-$(({time} + 7))\r"));
        terminal.wait_for("the shell's answer", |screen| {
            screen.contents().contains(&format!("back-{}", time + 7))
        });
        let modes = fs::read_to_string(terminal.home().join("modes")).unwrap();
        let on = |mode: &str| modes.split([' ', '\n']).any(|word| word == mode);
        assert!(on("icanon") && on("echo") && on("isig"), "{modes}");
        terminal.types("fg\r");
        terminal.wait_for("the overview again", |screen| {
            screen.alternate_screen() && screen.contents().contains(CONTAINER)
        });
        assert!(terminal.is_taken());
    }
    terminal.types("q");
    terminal.wait_for("the shell after all", has_shell);
    terminal.types("exit\r");
    assert_eq!(terminal.code(), 0);
    terminal.assert_given_back();
}

#[cfg(debug_assertions)]
#[test]
fn an_internal_error_gives_the_terminal_back_and_tells_no_data() {
    for place in ["main", "worker", "draw"] {
        let mut terminal = Terminal::new();
        let mut command = demo(&terminal);
        command.env("COSMOSCOPE_TEST_PANIC", place);
        terminal.start(command);
        terminal.wait_for(place, |screen| screen.contents().contains(CONTAINER));
        terminal.types("j");
        assert_eq!(terminal.code(), 70, "{place}");
        terminal.assert_given_back();
        let shown = terminal.contents();
        assert!(shown.contains("error: internal error at src"), "{place}: {shown}");
        let written = fs::read_to_string(terminal.state().join("crash.txt")).unwrap();
        assert!(written.contains("terminal 80x24"), "{place}: {written}");
        let all = String::from_utf8_lossy(&terminal.bytes()).into_owned() + &written;
        assert!(!all.contains("payload"), "{place}: {all}");
        // Nothing is drawn over the shell.
        let bytes = terminal.bytes();
        let left = b"\x1b[?1049l";
        let at = bytes.windows(left.len()).rposition(|w| w == left).unwrap();
        assert!(!bytes[at + left.len()..].contains(&0x1b), "{place}");
    }
}

/// What takes the sentences is full and read late; the file comes after them.
#[cfg(all(debug_assertions, target_os = "linux"))]
#[test]
fn an_internal_error_of_a_worker_is_written_before_the_program_ends() {
    let mut terminal = Terminal::new();
    let mut shell = CommandBuilder::new("sh");
    shell.arg("-c");
    shell.arg(format!(
        "exec 3>&1; {{ head -c 65536 /dev/zero >&2; exec '{PROGRAM}' demo tenants; }} 2>&1 >&3 |
        {{ until [ -e typed ]; do sleep 0.1; done; sleep 2; cat >/dev/null; }}"
    ));
    terminal.settle(&mut shell);
    shell.env("COSMOSCOPE_TEST_PANIC", "worker");
    terminal.start(shell);
    terminal.wait_for("the overview", |screen| screen.contents().contains(CONTAINER));
    terminal.types("j");
    fs::write(terminal.home().join("typed"), "").unwrap();
    assert_eq!(terminal.code(), 0);
    assert!(terminal.state().join("crash.txt").exists());
}

#[test]
fn without_a_usable_terminal_there_is_one_sentence_and_no_escape_byte() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples/hard/object-keys.csv");
    let mut terminal = Terminal::new();
    let mut command = terminal.command(&["open", sample]);
    command.env("TERM", "dumb");
    terminal.start(command);
    assert_eq!(terminal.code(), 2);
    let reported = terminal.bytes();
    assert!(!reported.contains(&0x1b));
    let reported = String::from_utf8(reported).unwrap();
    assert!(
        reported.starts_with("error: the screens need a terminal, and TERM is `dumb`"),
        "{reported}"
    );
    for args in [&[][..], &["open", sample], &["connect"]] {
        let done = Command::new(PROGRAM)
            .args(args)
            .env("HOME", terminal.home())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(done.stdout.is_empty(), "{args:?}");
        let reported = String::from_utf8(done.stderr).unwrap();
        assert!(reported.starts_with("error: ") && !reported.contains('\x1b'), "{reported}");
        assert_eq!(reported.matches("error: ").count(), 1, "{reported}");
    }
}

/// Whether the shell waits for a line.
fn has_shell(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen() && screen.contents().trim_end().ends_with(PROMPT.trim_end())
}

fn send(signal: &str, id: u32) {
    let done = Command::new("kill").args([&format!("-{signal}"), &id.to_string()]).status();
    assert!(done.unwrap().success());
}

#[test]
fn a_picture_of_a_screen_needs_no_terminal() {
    let terminal = Terminal::new();
    let printed = |args: &[&str]| {
        let done = Command::new(PROGRAM)
            .args(["demo", "tenants", "--print", "overview"])
            .args(args)
            .env("HOME", terminal.home())
            .env("XDG_CONFIG_HOME", terminal.home().join("config"))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0), "{args:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let text = printed(&["--size", "70x20"]);
    assert_eq!(text.lines().count(), 20);
    assert!(text.contains(CONTAINER) && !text.contains('\x1b'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 70), "{text}");
    let help = printed(&["--size", "100x40", "--type", "?"]);
    assert!(help.contains(HELP), "{help}");
    let svg = printed(&["--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.contains(CONTAINER), "{svg}");
    let page = printed(&["--format", "html"]);
    let title = "<title>Cosmoscope: overview of the scenario tenants</title>";
    assert!(page.contains(title) && page.contains(&svg), "{page}");
    assert!(!page.contains("<script") && !page.contains("href"), "{page}");
}

#[test]
fn a_key_that_is_asked_for_is_not_shown() {
    // Nothing answers at the discard port.
    let emulator = ["doctor", "http://127.0.0.1:9", "--emulator"];
    for (args, typed, code, reported) in [
        (&["connect", "contoso"][..], SENTINEL_LINE, 2, NO_KEY),
        (&["connect", "contoso"], "SENTINEL\x1b", 130, ""),
        (&["connect", "contoso"], "SENTINEL\x03", 130, ""),
        (&["connect", "contoso"], "\r", 2, "what was typed is empty"),
        (&emulator, SENTINEL_LINE, 2, NO_KEY),
        (&emulator, "SENTINEL\x1b", 130, ""),
        (&emulator, "\r", 3, "the key that is published for emulators"),
    ] {
        let mut terminal = Terminal::new();
        let mut command = terminal.command(args);
        command.args(["--auth", "key"]);
        command.env_remove("COSMOSCOPE_KEY");
        command.env_remove("AZURE_COSMOS_CONNECTION_STRING");
        terminal.start(command);
        terminal.wait_for("the question", |screen| {
            screen.contents().contains("Account key or connection string")
        });
        terminal.types(typed);
        assert_eq!(terminal.code(), code, "{args:?} {typed:?}");
        let bytes = String::from_utf8(terminal.bytes()).unwrap();
        assert!(!bytes.contains("SENTINEL") && bytes.contains(reported), "{bytes}");
        terminal.assert_given_back();
    }
}
