//! Small datasets and typed keys for the tests of the screens.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::update::update;
use super::{App, AppSettings};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::design::query_visits;
use crate::analysis::summary::{Summary, SummaryOptions};
use crate::model::capture::{Capture, CaptureBuilder};
use crate::source::ledger::Ledger;
use crate::source::scenario;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::input::{Chord, InputEvent, Size};
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::line::Typing;
use crate::ui::kit::msg::{Destination, Effect, Generation, Msg, OnScreen, ViewId};
use crate::ui::kit::theme::{Colours, Theme};
use crate::work::data::{Dataset, Origin, Stage, Watched};
use crate::work::replay::ReplayPosition;
use crate::work::shared::Shared;
use crate::work::whole_file::IfExists;

pub fn settings() -> AppSettings {
    AppSettings {
        keymap: Keymap::built_in(),
        theme: Theme::named("dark", Colours::TrueColour, Glyphs::Unicode).unwrap(),
        theme_name: "dark".to_owned(),
        ceiling: Ceiling::BINARY,
        scenarios: scenario::list(),
        salt: None,
        origin: None,
        lesson: None,
        view: ViewId::Start,
        documents: Vec::new(),
        queries: None,
        every_ms: None,
        allowance: crate::work::sample::Allowance::default(),
    }
}

/// A scenario as it is shown.
pub fn dataset(name: &'static str, stage: Stage) -> Shared<Dataset> {
    dataset_at(name, Origin::Scenario(name), stage)
}

/// The numbers of a scenario as if they had come from elsewhere.
pub fn dataset_from(name: &'static str, origin: Origin) -> Shared<Dataset> {
    dataset_at(name, origin, Stage::Whole)
}

fn dataset_at(name: &'static str, origin: Origin, stage: Stage) -> Shared<Dataset> {
    let builder = CaptureBuilder::new(1);
    scenario::load(name, query_visits, &builder).unwrap();
    shown(builder.finish(), origin, stage)
}

/// The numbers of a scenario as if they were a moment of a recording.
pub fn dataset_replayed(
    name: &'static str,
    origin: Origin,
    replayed: ReplayPosition,
) -> Shared<Dataset> {
    let builder = CaptureBuilder::new(1);
    scenario::load(name, query_visits, &builder).unwrap();
    let mut data = tables(builder.finish(), origin, Stage::Whole);
    data.replayed = Some(replayed);
    Shared::new(data)
}

/// A capture as if an account had told it, with what it was asked.
pub fn dataset_watched(capture: Capture, origin: Origin, ledger: &Ledger) -> Shared<Dataset> {
    let mut data = tables(capture, origin, Stage::Whole);
    data.watched = Some(Watched::of(ledger));
    Shared::new(data)
}

fn shown(capture: Capture, origin: Origin, stage: Stage) -> Shared<Dataset> {
    Shared::new(tables(capture, origin, stage))
}

fn tables(capture: Capture, origin: Origin, stage: Stage) -> Dataset {
    let mut summary = Summary::new(SummaryOptions::default());
    summary.absorb(&capture);
    let report = summary.finish();
    let ceiling = Ceiling::BINARY;
    crate::work::testing::dataset(origin, stage, capture, report, ceiling, &|| true).unwrap()
}

/// The screens in a window of 80×24, with nothing open.
pub fn app() -> App {
    let (mut app, _) = App::new(settings());
    let size = Size::clamped(80, 24);
    update(&mut app, Msg::Did(InputEvent::Resized(size)));
    app
}

/// The screens with a scenario open.
pub fn app_with(name: &'static str) -> App {
    let mut app = app();
    let effects = super::update::open(&mut app, Origin::Scenario(name));
    let generation = generation_of(&effects);
    update(&mut app, Msg::Loaded(generation, dataset(name, Stage::Whole)));
    app
}

/// The screens with a capture open as if it had come from files.
pub fn app_showing(capture: Capture) -> App {
    let mut app = app();
    let origin = Origin::Paths(vec!["exports".into()]);
    let generation = generation_of(&super::update::open(&mut app, origin.clone()));
    let data = shown(capture, origin, Stage::Whole);
    update(&mut app, Msg::Loaded(generation, data));
    app
}

/// Gives the window another size.
pub fn resize(app: &mut App, width: u16, height: u16) {
    update(app, Msg::Did(InputEvent::Resized(Size::clamped(width, height))));
}

/// The turn of the newest opening.
pub fn generation_of(effects: &[Effect]) -> Generation {
    effects
        .iter()
        .find_map(|e| match e {
            Effect::Load(generation, _) | Effect::Visit(generation, ..) => Some(*generation),
            _ => None,
        })
        .unwrap()
}

/// Presses keys, given as `keys.toml` writes them with blanks between.
pub fn press(app: &mut App, chords: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for chord in chords.split_whitespace() {
        let chord = Chord::parse(chord).unwrap();
        effects.extend(update(app, Msg::Did(InputEvent::Key(chord))));
    }
    effects
}

/// The text that went to the clipboard.
pub fn copied(effects: &[Effect]) -> String {
    let text = effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone().into_text()),
        _ => None,
    });
    text.unwrap()
}

/// Takes a filter as it stands.
pub fn set_filter(app: &mut App, text: &str) -> Vec<Effect> {
    super::screens::set_filter(app, text, Typing::Over)
}

/// Sorts the view that is shown.
pub fn sort_by(app: &mut App, column: &str) -> Vec<Effect> {
    app.with_shown(|view, cx| view.sort_by(cx, column))
}

/// Writes the view that is shown to a file.
pub fn export(app: &mut App, path: &str, existing: IfExists) -> Vec<Effect> {
    super::screens::export(app, path, existing)
}

/// Goes to a container in another view.
pub fn go_to(app: &mut App, view: ViewId, container: u32) -> Vec<Effect> {
    let key = None;
    app.with(|_, _| OnScreen::Go(Destination { view, container, key }).alone())
}

/// Types a text, letter by letter.
pub fn type_in(app: &mut App, text: &str) -> Vec<Effect> {
    let chord = |c: char| match c {
        ' ' => "space".to_owned(),
        c => c.to_string(),
    };
    text.chars().flat_map(|c| press(app, &chord(c))).collect()
}
