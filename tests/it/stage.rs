//! The screens without a terminal: messages go in, effects are done at once, frames come out of the real drawing.

use std::collections::VecDeque;

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::model::lesson::Lesson;
use cosmoscope::model::time::Stamp;
use cosmoscope::source::scenario;
use cosmoscope::source::watch::Watch;
use cosmoscope::tui::WorkContext;
use cosmoscope::ui::app;
use cosmoscope::ui::app::update::{open, update};
use cosmoscope::ui::app::{App, AppSettings};
use cosmoscope::ui::kit::glyphs::Glyphs;
use cosmoscope::ui::kit::input::{Chord, InputEvent, MouseAct, Pointer, Size};
use cosmoscope::ui::kit::keymap::Keymap;
use cosmoscope::ui::kit::msg::{Effect, Msg};
use cosmoscope::ui::kit::picture;
use cosmoscope::ui::kit::theme::{Colours, Theme};
use cosmoscope::work::data::Origin;
use cosmoscope::work::load::Loader;
use cosmoscope::work::recent::Recent;
use cosmoscope::work::salt::Salt;
use cosmoscope::work::search::SearchGoal;
use cosmoscope::work::shared::Shared;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The salt of every masked test.
const SALT: &[u8] = b"a salt for tests of thirty-two b";
/// Enough that keys differ, few enough to be drawn for each picture.
const DRAWN_DOCUMENTS: u64 = 2_000;
/// Messages that one message may bring about; more would be a circle.
const MAX_CONSEQUENCES: usize = 10_000;

pub struct Stage {
    pub app: App,
    work: WorkContext,
    /// Effects that only a terminal can do, since the last look at them.
    pub outside: Vec<Effect>,
}

impl Stage {
    pub fn new(size: (u16, u16), theme: &str, colours: Colours, glyphs: Glyphs) -> Self {
        let settings = AppSettings {
            keymap: Keymap::built_in(),
            theme: Theme::named(theme, colours, glyphs).unwrap(),
            theme_name: theme.to_owned(),
            ceiling: Ceiling::BINARY,
            scenarios: scenario::list(),
            salt: None,
            origin: None,
            lesson: None,
            view: cosmoscope::ui::kit::msg::ViewId::Start,
            documents: Vec::new(),
            queries: None,
            every_ms: None,
            allowance: cosmoscope::work::sample::Allowance::default(),
        };
        let (app, _) = App::new(settings);
        let work = WorkContext {
            loader: Loader { drawn_documents: Some(DRAWN_DOCUMENTS), ..Loader::default() },
            recent: Recent::Off,
            salt: Some(Salt(SALT.to_vec())),
            live: None,
            typing_pause: std::time::Duration::ZERO,
        };
        let mut stage = Self { app, work, outside: Vec::new() };
        // A fixed clock: what is drawn may tell how old data is.
        stage.send(Msg::Clock(Stamp::from_seconds(1_784_000_000).unwrap()));
        stage.resize(size);
        stage
    }

    pub fn dark(size: (u16, u16)) -> Self {
        Self::new(size, "dark", Colours::TrueColour, Glyphs::Unicode)
    }

    /// With another limit of a key.
    pub fn limited(mut self, ceiling: Ceiling) -> Self {
        self.app.cx.ceiling = ceiling;
        self.work.loader.summary.ceiling = ceiling;
        self
    }

    pub fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.app, msg);
        self.done(effects);
    }

    /// Does what is wanted outside, and all that follows from it.
    pub fn perform(&mut self, effects: Vec<Effect>) {
        self.done(effects);
    }

    /// Does one thing that is wanted outside; what follows from it is left to be done.
    pub fn once(&mut self, effect: Effect) -> Vec<Effect> {
        let mut reported = Vec::new();
        self.work.perform(effect, &Watch::default(), &mut |msg| reported.push(msg));
        reported.into_iter().flat_map(|msg| update(&mut self.app, msg)).collect()
    }

    fn done(&mut self, effects: Vec<Effect>) {
        let mut waiting: VecDeque<Effect> = effects.into();
        let mut steps = 0;
        while let Some(effect) = waiting.pop_front() {
            steps += 1;
            assert!(steps < MAX_CONSEQUENCES, "effects without end: {effect:?}");
            if matches!(
                effect,
                Effect::Copy(_)
                    | Effect::Export(..)
                    | Effect::Redraw
                    | Effect::Suspend
                    | Effect::Quit
                    | Effect::StopLoading
            ) {
                self.outside.push(effect);
                continue;
            }
            let mut reported = Vec::new();
            let watch = Watch::default();
            if matches!(&effect, Effect::Search(_, ask) if ask.search == SearchGoal::Keys) {
                // Hundreds of trials: what is found at once is enough here.
                watch.stop();
            }
            self.work.perform(effect, &watch, &mut |msg| reported.push(msg));
            for msg in reported {
                waiting.extend(update(&mut self.app, msg));
            }
        }
    }

    pub fn open(&mut self, origin: Origin) {
        let effects = open(&mut self.app, origin);
        self.done(effects);
    }

    pub fn lesson(&mut self, lesson: Lesson) {
        let effects = app::lesson::begin(&mut self.app, Shared::new(lesson), 0);
        self.done(effects);
    }

    pub fn resize(&mut self, (width, height): (u16, u16)) {
        self.send(Msg::Did(InputEvent::Resized(Size::clamped(width, height))));
    }

    /// Chords as `keys.toml` writes them, with blanks between; `"text"` without blanks is typed letter by letter.
    pub fn keys(&mut self, script: &str) {
        for word in script.split_whitespace() {
            let quoted = word.strip_prefix('"').and_then(|w| w.strip_suffix('"'));
            match quoted {
                Some(text) => {
                    for c in text.chars() {
                        self.key(&c.to_string());
                    }
                }
                None => self.key(word),
            }
        }
    }

    fn key(&mut self, chord: &str) {
        let chord = Chord::parse(chord).unwrap_or_else(|| panic!("{chord} is no chord"));
        self.send(Msg::Did(InputEvent::Key(chord)));
    }

    pub fn click(&mut self, column: u16, row: u16) {
        let pointer = Pointer { column, row, did: MouseAct::Click };
        self.send(Msg::Did(InputEvent::Pointer(pointer)));
    }

    pub fn frame(&self) -> Buffer {
        let size = self.app.cx.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.width, size.height));
        app::draw(&self.app, &mut buffer);
        buffer
    }

    /// The frame as lines of text.
    pub fn text(&self) -> String {
        picture::plain(&self.frame())
    }
}
