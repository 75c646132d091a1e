//! A seeded monkey at the screens: keys, pastes, clicks, windows of every size and broken files, in any order.

use std::env;
use std::fs;
use std::path::PathBuf;

use cosmoscope::model::visible::needs_code;
use cosmoscope::source::scenario;
use cosmoscope::ui::kit::action::ACTIONS;
use cosmoscope::ui::kit::input::{Chord, Code, InputEvent, Modifier, MouseAct, Pointer, Size};
use cosmoscope::ui::kit::keymap::Keymap;
use cosmoscope::ui::kit::msg::{Clipboard, Effect, Generation, Msg};
use cosmoscope::work::data::Origin;
use cosmoscope::work::fault::WorkFault;

use super::hostile;
use super::random::Random;
use super::stage::Stage;

/// Events in the suite; `.ci/run` asks for more through the environment.
const EVENTS: u64 = 3_000;
/// Every frame is drawn in a short run; a long one draws every tenth.
const LONG_RUN: u64 = 10_000;

const TEXTS: &[&str] = &[
    "q",
    ":quit\n",
    "size>14GiB or (share>=70%",
    "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}",
    "\u{202e}live\u{2066}",
    "🍕-東京-e\u{301}\u{301}\u{301}",
    "scenario car",
    "sort growth",
    "\"",
    "open ~/\\\" \"",
    "export /nowhere/at/all.csv",
    "size>",
    "date<2026-12-01",
    "not (",
];

const EXTREMES: &[(u16, u16)] =
    &[(0, 0), (1, 1), (1, 500), (1000, 1), (1000, 500), (39, 9), (40, 10), (65535, 65535)];

struct Monkey {
    random: Random,
    chords: Vec<Chord>,
    files: Vec<PathBuf>,
}

impl Monkey {
    fn chord(&mut self) -> Chord {
        if self.random.below(4) > 0 {
            return *self.random.one_of(&self.chords);
        }
        let codes = [
            Code::Char('a'),
            Code::Char('é'),
            Code::Char('\u{202e}'),
            Code::F(5),
            Code::Insert,
            Code::Char('>'),
        ];
        let held =
            [Modifier::Nothing, Modifier::Ctrl, Modifier::Alt, Modifier::Shift, Modifier::CtrlAlt];
        Chord::new(*self.random.one_of(&codes), *self.random.one_of(&held))
    }

    fn size(&mut self) -> Size {
        if self.random.below(50) == 0 {
            let (width, height) = *self.random.one_of(EXTREMES);
            return Size::clamped(width, height);
        }
        if self.random.below(10) == 0 {
            return Size::clamped(self.random.up_to(1000), self.random.up_to(500));
        }
        Size::clamped(self.random.up_to(120), self.random.up_to(40))
    }

    fn input(&mut self) -> InputEvent {
        match self.random.below(100) {
            0..74 => InputEvent::Key(self.chord()),
            74..80 => InputEvent::Paste((*self.random.one_of(TEXTS)).to_owned()),
            80..92 => {
                let did = [
                    MouseAct::Click,
                    MouseAct::Click,
                    MouseAct::Drag,
                    MouseAct::Release,
                    MouseAct::WheelUp,
                    MouseAct::WheelDown,
                    MouseAct::ZoomIn,
                    MouseAct::ZoomOut,
                ];
                InputEvent::Pointer(Pointer {
                    column: self.random.up_to(130),
                    row: self.random.up_to(45),
                    did: *self.random.one_of(&did),
                })
            }
            92..99 => InputEvent::Resized(self.size()),
            _ => InputEvent::Resumed,
        }
    }

    /// What the monkey does next; most of it is input, some of it is data that comes or fails.
    fn step(&mut self, stage: &mut Stage) {
        match self.random.below(200) {
            0 => {
                let names = scenario::list();
                stage.open(Origin::Scenario(self.random.one_of(&names).name));
            }
            1..4 if !self.files.is_empty() => {
                let file = self.random.one_of(&self.files).clone();
                stage.open(Origin::Paths(vec![file]));
                // Seldom enough would all keys of a file be marked and copied by chance.
                if self.random.below(2) == 0 {
                    stage.keys("esc esc 2 ctrl-a y");
                }
            }
            4 => {
                let fault = WorkFault { is_passing: false, what: "late".to_owned(), next: None };
                stage.send(Msg::LoadFailed(Generation(self.random.next() % 50), fault));
            }
            _ => {
                let input = self.input();
                stage.send(Msg::Did(input));
            }
        }
    }
}

/// Of lines for the clipboard none is broken, acts or hides, whatever the keys were; a value that was asked for exactly is what
/// it is. How many lines there were.
fn check_copied(effect: &Effect) -> usize {
    let Effect::Copy(Clipboard::Lines(lines)) = effect else {
        return 0;
    };
    // The pictures that stand for controls and blanks are codes themselves.
    let is_picture = |c| ('\u{2400}'..='\u{2421}').contains(&c);
    let hides = |c: char| c.is_control() || needs_code(c) && !is_picture(c);
    for line in lines {
        assert!(!line.contains(hides), "{line:?} was copied");
    }
    lines.len()
}

fn events() -> u64 {
    let given = env::var("COSMOSCOPE_MONKEY_EVENTS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(EVENTS)
}

fn seed() -> u64 {
    let given = env::var("COSMOSCOPE_MONKEY_SEED").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(20_260_622)
}

#[expect(clippy::print_stdout, reason = "the seed repeats a run")]
#[test]
fn nothing_that_is_typed_clicked_or_opened_ends_the_program() {
    let (events, seed) = (events(), seed());
    println!("monkey: {events} events, seed {seed}");
    let folder = hostile::files();
    let mut files: Vec<PathBuf> = folder
        .iter()
        .flat_map(|folder| fs::read_dir(folder.path()).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let map = Keymap::built_in();
    let chords = ACTIONS.iter().flat_map(|a| map.chords(a.action)).copied().collect();
    let mut monkey = Monkey { random: Random(seed), chords, files };
    let mut stage = Stage::dark((80, 24));
    let mut copied = 0;
    for event in 0..events {
        monkey.step(&mut stage);
        copied += stage.outside.drain(..).map(|e| check_copied(&e)).sum::<usize>();
        if events < LONG_RUN || event % 10 == 0 {
            let frame = stage.frame();
            for cell in frame.content() {
                assert!(
                    !cell.symbol().chars().any(char::is_control),
                    "event {event} of seed {seed} drew a control character"
                );
            }
        }
    }
    println!("copied {copied}");
    assert!(copied > 0, "nothing was copied with seed {seed}");
}
