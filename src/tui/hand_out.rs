//! A lesson played from its first step to its last, without a terminal.

use super::headless::Screen;
use super::{Mouse, Start, WorkContext};
use crate::model::lesson::Lesson;
use crate::report::lesson::{DrawnScreen, HandOut, HandOutPage};
use crate::source::scenario;
use crate::source::watch::Watch;
use crate::ui::app::AppSettings;
use crate::ui::app::lesson::{mark, played};
use crate::ui::kit::action::Action;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::input::{InputEvent, Size};
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::msg::{Msg, ViewId};
use crate::ui::kit::picture;
use crate::ui::kit::theme::{Colours, Theme};
use crate::work::sample::Allowance;
use crate::work::shared::Shared;

/// Wide enough for charts, and still read on paper.
const WINDOW: (u16, u16) = (100, 30);

/// The lesson with its pictures; None where nobody wants it any more.
pub fn hand_out(lesson: &Shared<Lesson>, work: &WorkContext, watch: &Watch) -> Option<HandOut> {
    let mut screen = step_screen(lesson, 0, work, WINDOW)?;
    let mut pages = Vec::new();
    for _ in &lesson.steps {
        if !watch.keep_going() {
            return None;
        }
        pages.push(page(&screen)?);
        screen.perform(Action::NextStep);
    }
    Some(HandOut {
        title: lesson.title.clone(),
        about: lesson.about.clone(),
        pages,
        is_for_presenter: false,
    })
}

/// A step as it is shown, in a window of its own.
pub fn step_screen(
    lesson: &Shared<Lesson>,
    place: usize,
    work: &WorkContext,
    (width, height): (u16, u16),
) -> Option<Screen> {
    let start = Start {
        settings: AppSettings {
            keymap: Keymap::built_in(),
            theme: Theme::named("dark", Colours::TrueColour, Glyphs::Unicode)?,
            theme_name: "dark".to_owned(),
            ceiling: work.loader.summary.ceiling,
            scenarios: scenario::list(),
            lesson: Some((lesson.clone(), place)),
            view: ViewId::Start,
            salt: None,
            origin: None,
            documents: Vec::new(),
            every_ms: None,
            allowance: Allowance::default(),
        },
        work: work.clone(),
        mouse: Mouse::Off,
    };
    Some(Screen::open(start, Size::clamped(width, height)))
}

fn page(screen: &Screen) -> Option<HandOutPage> {
    let shown = played(&screen.app)?;
    let (texts, step) = (shown.panel.texts.clone(), shown.step()?);
    let frame = screen.frame();
    let view = screen.app.cx.view.about().name;
    let drawn = DrawnScreen {
        svg: picture::svg(&frame, &texts.title, screen.app.cx.theme.paper),
        text: picture::plain(&frame),
    };
    Some(HandOutPage {
        say: texts.say,
        screen: format!("{view}, scenario {}", step.scenario),
        picture: Some(drawn),
        ask: texts.ask,
        answer: texts.answer,
        note: texts.note,
    })
}

/// What steps do not show as they say in a window of this size, by their place.
pub fn faults(
    lesson: &Shared<Lesson>,
    work: &WorkContext,
    (width, height): (u16, u16),
) -> Vec<(usize, String)> {
    let Some(mut screen) = step_screen(lesson, 0, work, (width, height)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for place in 0..lesson.steps.len() {
        let Some(shown) = played(&screen.app) else {
            break;
        };
        let mut of_step = shown.faults.clone();
        if !shown.is_ready() {
            of_step.push("it is never ready".to_owned());
        }
        let texts = &shown.panel.texts;
        let unknown = texts.unknown.iter();
        of_step.extend(unknown.map(|name| format!("nothing is known of the figure {name}")));
        let texts = texts.clone();
        // What is hidden until the answer is there is marked with it.
        let mut is_marked = mark(&screen.app, &mut screen.frame());
        if !is_marked && texts.ask.is_some() {
            screen.perform(Action::Reveal);
            screen.apply(Msg::Did(InputEvent::Resumed));
            is_marked = mark(&screen.app, &mut screen.frame());
        }
        if !is_marked {
            let marked = texts.mark.as_deref().unwrap_or_default();
            of_step.push(format!(
                "\"{marked}\" is not on the screen at {width}x{height}"
            ));
        }
        found.extend(of_step.into_iter().map(|what| (place, what)));
        screen.perform(Action::NextStep);
    }
    found
}
