//! The screens without a terminal: for pictures, for linear text, for hand-outs.

use std::collections::VecDeque;

use ratatui::buffer::Buffer;

use super::{Start, WorkContext};
use crate::source::watch::Watch;
use crate::ui::app::{self, App, update};
use crate::ui::kit::action::Action;
use crate::ui::kit::input::{Chord, Code, InputEvent, Size};
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::work::recent::Recent;

/// Everything that is asked for is done at once.
pub struct Screen {
    pub app: App,
    work: WorkContext,
}

/// The pause after which the next moment of a recording is due, in milliseconds.
type Pause = (Generation, u64);

impl Screen {
    pub fn open(start: Start, size: Size) -> Self {
        let work = WorkContext {
            // What was opened on this machine is nobody's documentation.
            recent: Recent::Off,
            ..start.work
        };
        let (app, effects) = App::new(start.settings);
        let mut screen = Self { app, work };
        screen.apply(Msg::Did(InputEvent::Resized(size)));
        screen.run(effects);
        screen
    }

    /// What a frame shows is made after a message: an action alone brings none.
    pub fn perform(&mut self, action: Action) -> Option<Pause> {
        let effects = update::perform(&mut self.app, action);
        let pause = self.run(effects);
        self.apply(Msg::Did(InputEvent::Resumed)).or(pause)
    }

    pub fn type_keys(&mut self, keys: Option<&str>) {
        for chord in keys.iter().flat_map(|keys| keys.split(' ')) {
            for chord in chords(chord) {
                self.apply(Msg::Did(InputEvent::Key(chord)));
            }
        }
    }

    pub fn frame(&self) -> Buffer {
        let mut buffer = Buffer::empty(self.app.cx.area());
        app::draw(&self.app, &mut buffer);
        buffer
    }

    pub fn apply(&mut self, msg: Msg) -> Option<Pause> {
        let effects = update::update(&mut self.app, msg);
        self.run(effects)
    }

    fn run(&mut self, effects: Vec<Effect>) -> Option<Pause> {
        let mut pause = None;
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            if let Effect::Wait(generation, pause_ms) = effect {
                pause = Some((generation, pause_ms));
                continue;
            }
            if let Effect::ReadDates(order) = effect {
                self.work.loader.import.date_order = Some(order);
            }
            let mut reported = Vec::new();
            self.work.perform(effect, &Watch::default(), &mut |msg| reported.push(msg));
            for msg in reported {
                waiting.extend(update::update(&mut self.app, msg));
            }
        }
        pause
    }
}

/// A chord by its name; any other word is typed letter by letter.
fn chords(word: &str) -> Vec<Chord> {
    match Chord::parse(word) {
        Some(chord) => vec![chord],
        None => word.chars().map(|c| Chord::plain(Code::Char(c))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_chords_or_typed() {
        let written = |word| chords(word).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(written("ctrl-r"), ["ctrl-r"]);
        assert_eq!(written("enter"), ["enter"]);
        assert_eq!(written("a>1"), ["a", ">", "1"]);
        assert!(written("").is_empty());
    }
}
