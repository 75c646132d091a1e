//! What every view may read: the data, the look of the screen, and what goes on around the view.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::input::Size;
use super::keymap::Keymap;
use super::masking::Mask;
use super::msg::{Generation, ViewId};
use super::theme::Theme;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::remedies::Remedy;
use crate::model::time::Stamp;
use crate::source::live::plan::Urgency;
use crate::source::scenario::ScenarioInfo;
use crate::work::data::{Dataset, Origin};
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::replay::Timeline;
use crate::work::sample::Allowance;
use crate::work::shared::Shared;

/// Smaller windows show one sentence: nothing of use fits into them.
pub const SMALLEST: (u16, u16) = (40, 10);

/// From this window on everything is shown that there is.
const WIDE: (u16, u16) = (160, 45);
/// Windows narrower or lower than this show what matters most.
const NORMAL: (u16, u16) = (100, 30);

/// The three layouts of every view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WindowLayout {
    Compact,
    Normal,
    Wide,
}

/// Lent to views by `ui::app`, which alone changes it.
#[derive(Debug)]
pub struct Cx {
    pub keymap: Keymap,
    pub theme: Theme,
    /// The theme's name among the built-in ones.
    pub theme_name: String,
    pub ceiling: Ceiling,
    pub scenarios: Vec<ScenarioInfo>,
    pub size: Size,
    pub now: Option<Stamp>,
    /// By the clock, also where a story has a time of its own.
    pub year: Option<i64>,
    pub data: Option<Shared<Dataset>>,
    pub loading: Option<Loading>,
    pub polling: Polling,
    pub playback: Option<Playback>,
    pub mask: Mask,
    pub view: ViewId,
    /// The views before this one, the last one last.
    pub trail: Vec<ViewId>,
    /// Whether something lies over the view.
    pub is_covered: bool,
    /// What the trial view found in place of the key of a container.
    pub change_key: Option<(u32, Remedy)>,
    /// Resource groups by account that were typed for commands; no file keeps them.
    pub groups: BTreeMap<Option<Arc<str>>, String>,
    pub turns: Turns,
    /// Rows below the view in which a lesson says what to see.
    pub lesson_rows: u16,
    pub veil: Veil,
}

impl Cx {
    /// What the trial view found in place of the key of this container.
    pub fn other_key(&self, container: u32) -> Option<&Remedy> {
        let found = self.change_key.as_ref();
        found.filter(|(of, _)| *of == container).map(|(_, key)| key)
    }
}

/// Whether verdicts, remedies, proposals and the figures that decide them wait for the answer of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Veil {
    #[default]
    Off,
    Drawn,
}

impl Veil {
    /// What stands in place of a verdict.
    pub const WORDS: &str = "hidden: guess first";
    /// What stands in place of a figure.
    pub const SIGN: &str = "?";

    pub fn is_drawn(self) -> bool {
        self == Self::Drawn
    }

    /// A figure, or the sign that hides it.
    pub fn over(self, figure: &str) -> &str {
        if self.is_drawn() { Self::SIGN } else { figure }
    }
}

/// Numbers for requests, each given once. The only thing that a view takes from here: it changes nothing that is shown.
#[derive(Debug, Default)]
pub struct Turns(Cell<Generation>);

impl Turns {
    pub fn next(&self) -> Generation {
        let next = Generation(self.0.get().0 + 1);
        self.0.set(next);
        next
    }
}

/// Reading that goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Loading {
    pub generation: Generation,
    pub origin: Origin,
    pub progress: WorkProgress,
    pub goal: ReadingGoal,
    /// Whether somebody waits for it.
    pub urgency: Urgency,
}

/// What a person wants of reading that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadingGoal {
    #[default]
    Whole,
    /// No more of it; the answer takes a moment.
    Stop,
}

/// What is known of the account that is asked again and again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Polling {
    /// The pause between rounds; none where it is only asked by hand.
    pub every_ms: Option<u64>,
    /// What reading documents may cost.
    pub allowance: Allowance,
    /// RU charged so far, where that is newer than the data.
    pub charged: Option<f64>,
    /// Rounds in a row that failed as a whole, and why the last one did.
    pub lost: Option<(u32, WorkFault)>,
}

/// A recording that is looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Playback {
    pub path: PathBuf,
    pub timeline: Shared<Timeline>,
    /// The moment that is asked for: what is shown comes after it.
    pub place: usize,
    pub going: PlayMode,
    pub speed: u32,
    /// The question or the pause that counts; older ones mean nothing.
    pub generation: Generation,
}

impl Playback {
    pub fn last(&self) -> usize {
        self.timeline.moments.len().saturating_sub(1)
    }

    pub fn at(&self) -> Option<Stamp> {
        self.timeline.moments.get(self.place).map(|m| m.at)
    }
}

/// Whether a recording goes on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlayMode {
    #[default]
    Paused,
    Playing,
}

/// The rows of a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    pub title: Rect,
    pub body: Rect,
    /// Where in time a recording stands; without height where none is shown.
    pub scrubber: Rect,
    /// What a lesson says; without height where none guides.
    pub lesson: Rect,
    pub status: Rect,
    pub footer: Rect,
}

impl Cx {
    /// The whole window.
    pub fn area(&self) -> Rect {
        Rect::new(0, 0, self.size.width, self.size.height)
    }

    /// The part of the window that views have.
    pub fn body(&self) -> Rect {
        self.parts(self.area()).body
    }

    /// Which layout the window has room for.
    pub fn layout(&self) -> WindowLayout {
        let holds = |least: (u16, u16)| self.size.width >= least.0 && self.size.height >= least.1;
        match () {
            () if holds(WIDE) => WindowLayout::Wide,
            () if holds(NORMAL) => WindowLayout::Normal,
            () => WindowLayout::Compact,
        }
    }

    /// Whether the window is too small for anything but a sentence.
    pub fn is_small(&self) -> bool {
        self.size.width < SMALLEST.0 || self.size.height < SMALLEST.1
    }

    pub fn parts(&self, area: Rect) -> Parts {
        let scrubber = u16::from(self.playback.is_some() && self.view != ViewId::Start);
        let row = |from_bottom: u16| {
            let y = area.bottom().saturating_sub(from_bottom).max(area.y);
            Rect::new(area.x, y, area.width, u16::from(area.height >= from_bottom))
        };
        let body = Rect::new(
            area.x,
            area.y.saturating_add(1).min(area.bottom()),
            area.width,
            area.height.saturating_sub(3 + scrubber + self.lesson_rows),
        );
        Parts {
            title: Rect::new(area.x, area.y, area.width, area.height.min(1)),
            body,
            scrubber: Rect { height: row(3).height.min(scrubber), ..row(3) },
            lesson: Rect { y: body.bottom(), height: self.lesson_rows, ..body },
            status: row(2),
            footer: row(1),
        }
    }
}
