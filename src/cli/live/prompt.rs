//! Asks for a key at the terminal without showing it.

use std::io::{self, IsTerminal, Write};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use crate::error::Error;
use crate::source::live::secret::MAX_BYTES;
use crate::source::live::target::Side;

use super::usage;

/// What was typed or pasted; None for the key that is published for emulators. The terminal is given back however it ends.
pub fn ask(side: Side) -> Result<Option<String>, Error> {
    let ends = match side {
        Side::Azure => "Enter ends",
        Side::Emulator => "Enter alone takes the key that is published for emulators",
    };
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return match side {
            Side::Emulator => Ok(None),
            Side::Azure => Err(usage(
                "there is no account key, and no terminal for a prompt",
                "put a key or connection string into COSMOSCOPE_KEY, or give --key-file FILE",
            )),
        };
    }
    let typed =
        typed(&format!("Account key or connection string (not shown; {ends}, Esc gives up): "));
    let _ = writeln!(io::stderr());
    let is_published = |text: &String| side == Side::Emulator && text.is_empty();
    Ok(Some(typed?).filter(|text| !is_published(text)))
}

/// Takes raw mode back when it goes.
struct Raw;

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

fn typed(question: &str) -> Result<String, Error> {
    let failed = |_| usage("this terminal cannot read a key", "give --key-file FILE instead");
    enable_raw_mode().map_err(failed)?;
    let _raw = Raw;
    // Only now: what is typed before would be shown.
    let _ = write!(io::stderr(), "{question}").and_then(|()| io::stderr().flush());
    let mut text = String::new();
    loop {
        match read().map_err(failed)? {
            Event::Paste(pasted) => text.push_str(&pasted),
            Event::Key(key) if key.kind != KeyEventKind::Release => match answer(key, &mut text) {
                Answer::More => {}
                Answer::Done => return Ok(text),
                Answer::GivenUp => return Err(Error::Interrupted),
            },
            _ => {}
        }
        if text.len() as u64 > MAX_BYTES {
            return Err(usage(
                "what was typed is too long for a key",
                "paste the key or connection string alone",
            ));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    More,
    Done,
    GivenUp,
}

fn answer(key: KeyEvent, text: &mut String) -> Answer {
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => return Answer::Done,
        KeyCode::Esc => return Answer::GivenUp,
        KeyCode::Char('c' | 'd') if with_control => return Answer::GivenUp,
        KeyCode::Char('j' | 'm') if with_control => return Answer::Done,
        KeyCode::Char('u') if with_control => text.clear(),
        KeyCode::Char(c) if !with_control => text.push(c),
        KeyCode::Backspace => {
            text.pop();
        }
        _ => {}
    }
    Answer::More
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_make_a_text() {
        let mut text = String::new();
        for c in "abc".chars() {
            assert_eq!(answer(KeyEvent::from(KeyCode::Char(c)), &mut text), Answer::More);
        }
        answer(KeyEvent::from(KeyCode::Backspace), &mut text);
        assert_eq!(text, "ab");
        answer(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL), &mut text);
        assert_eq!(text, "");
        for (key, expected) in [
            (KeyEvent::from(KeyCode::Enter), Answer::Done),
            (KeyEvent::from(KeyCode::Esc), Answer::GivenUp),
            (KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), Answer::GivenUp),
        ] {
            assert_eq!(answer(key, &mut text), expected);
        }
    }
}
