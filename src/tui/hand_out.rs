//! A lesson played from its first step to its last, without a terminal.

use super::headless::Screen;
use super::{Mouse, Start, WorkContext};
use crate::model::lesson::Lesson;
use crate::report::lesson::{DrawnScreen, HandOut, HandOutPage};
use crate::source::scenario;
use crate::source::watch::Watch;
use crate::ui::app::AppSettings;
use crate::ui::app::lesson::mark;
use crate::ui::kit::action::Action;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::input::Size;
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::picture;
use crate::ui::kit::theme::{Colours, Theme};
use crate::work::sample::Allowance;
use crate::work::shared::Shared;

/// Wide enough for charts, and still read on paper.
const WINDOW: Size = Size { width: 100, height: 30 };

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
    window: Size,
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
            queries: None,
            every_ms: None,
            allowance: Allowance::default(),
        },
        work: work.clone(),
        mouse: Mouse::Off,
    };
    Some(Screen::open(start, window))
}

fn page(screen: &Screen) -> Option<HandOutPage> {
    let shown = screen.app.lesson.as_ref()?;
    let texts = shown.panel.texts.clone();
    let frame = screen.frame();
    let drawn = DrawnScreen {
        svg: picture::svg(&frame, &texts.title, screen.app.cx.theme.paper),
        text: picture::plain(&frame),
    };
    Some(HandOutPage {
        say: texts.say,
        picture: drawn,
        ask: texts.ask,
        answer: texts.answer,
        note: texts.note,
    })
}

/// What steps do not show as they say in a window of this size, by their place.
pub fn faults(lesson: &Shared<Lesson>, work: &WorkContext, window: Size) -> Vec<(usize, String)> {
    let Some(mut screen) = step_screen(lesson, 0, work, window) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for place in 0..lesson.steps.len() {
        let Some(shown) = &screen.app.lesson else {
            break;
        };
        let texts = shown.panel.texts.clone();
        let mut of_step = shown.faults.clone();
        if !shown.is_ready() {
            of_step.push("it is never ready".to_owned());
        }
        let unknown = texts.unknown.iter();
        of_step.extend(unknown.map(|name| format!("nothing is known of the figure {name}")));
        let mut is_marked = mark(&screen.app, &mut screen.frame());
        if !is_marked && texts.ask.is_some() {
            // What is hidden until the answer is there is marked with it.
            screen.perform(Action::Reveal);
            is_marked = mark(&screen.app, &mut screen.frame());
        }
        if !is_marked {
            let Size { width, height } = window;
            let marked = texts.mark.unwrap_or_default();
            of_step.push(format!("\"{marked}\" is not on the screen at {width}x{height}"));
        }
        found.extend(of_step.into_iter().map(|what| (place, what)));
        screen.perform(Action::NextStep);
    }
    found
}
