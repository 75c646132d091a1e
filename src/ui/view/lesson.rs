//! Lessons: the list of them, and the panel below a view in which a lesson says what to see there.
//!
//! ```text
//! the view, as it always is, one place of it marked
//! ── sharding · 3 of 12 ──────────────────────────────────────
//! One sentence with the figures of the view.
//! A question? . shows the answer
//! ```

mod figures;
mod panel;

use std::collections::VecDeque;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::{Hit, View};
use crate::model::lesson::{Lesson, LessonStep};
use crate::source::lesson::LESSONS;
use crate::source::small_file::field;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{self, Cursor};
use crate::ui::kit::msg::{Effect, Generation, OnScreen};
use crate::ui::kit::text;
use crate::work::data::{Dataset, Exported, Origin};
use crate::work::shared::Shared;

pub use figures::figure;
pub use panel::LessonPanel;

/// Whether a lesson says what is on the screen, or waits while somebody looks around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guidance {
    Guides,
    Waits,
}

/// A lesson that was begun.
#[derive(Clone, Debug)]
pub struct LessonProgress {
    pub lesson: Shared<Lesson>,
    pub place: usize,
    pub guidance: Guidance,
    pub is_revealed: bool,
    /// The container of the step, until it is chosen.
    pub container: Option<String>,
    /// Commands that wait for what the ones before asked for.
    pub waiting: VecDeque<String>,
    /// Something else was done since the step began.
    pub is_changed: bool,
    /// Commands of the step that did not do what they say.
    pub faults: Vec<String>,
    pub panel: LessonPanel,
    /// The screen as it was before the step, until the step is whole.
    pub held: Option<Buffer>,
    /// The scenario of the next step, read while this one is shown.
    pub ahead: Option<ReadAhead>,
}

/// A scenario that will be wanted.
#[derive(Clone, Debug)]
pub struct ReadAhead {
    pub origin: Origin,
    /// While it is read.
    pub reading: Option<Generation>,
    pub data: Option<Shared<Dataset>>,
}

impl LessonProgress {
    pub fn new(lesson: Shared<Lesson>) -> Self {
        Self {
            lesson,
            place: 0,
            // Until its first step is entered.
            guidance: Guidance::Waits,
            is_revealed: false,
            container: None,
            waiting: VecDeque::new(),
            is_changed: true,
            faults: Vec::new(),
            panel: LessonPanel::default(),
            held: None,
            ahead: None,
        }
    }

    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson.steps.get(self.place)
    }

    /// Whether the screens have the scenario of the step.
    pub fn has_data(&self, cx: &Cx) -> bool {
        let held = cx.data.as_ref().map(|data| &data.origin);
        let wanted = self.step().map(|step| Origin::Scenario(step.scenario));
        held == wanted.as_ref()
    }

    /// Whether everything that the step shows is there.
    pub fn is_ready(&self) -> bool {
        self.waiting.is_empty() && self.container.is_none()
    }
}

/// Columns of the names.
const NAMES: u16 = 14;
/// Rows below the list.
const BELOW: u16 = 4;

/// The list of the lessons.
#[derive(Debug, Default)]
pub struct LessonsState {
    cursor: Cursor,
    /// Name, title and what one knows after it.
    rows: Vec<[String; 3]>,
    /// The lesson that goes on, in words.
    goes_on: Option<String>,
}

impl LessonsState {
    /// The lesson that one comes from: it is the chosen one.
    pub fn leave(&mut self, progress: &LessonProgress) {
        let (name, steps) = (&progress.lesson.name, progress.lesson.steps.len());
        let place = progress.place + 1;
        self.goes_on = Some(format!("goes on with {name}, step {place} of {steps}"));
        let row = LESSONS.iter().position(|(known, _)| known == name);
        self.cursor.chosen = row.unwrap_or(self.cursor.chosen);
    }

    fn areas(body: Rect) -> [Rect; 3] {
        let rows = [
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(BELOW.min(body.height / 3)),
        ];
        Layout::vertical(rows).areas(body)
    }
}

impl View for LessonsState {
    fn settle(&mut self, _cx: &Cx, body: Rect) -> Vec<Effect> {
        if self.rows.is_empty() {
            let row = |(name, text): &(&str, &str)| {
                [(*name).to_owned(), field(text, "title"), field(text, "about")]
            };
            self.rows = LESSONS.iter().map(row).collect();
        }
        let [_, list, _] = Self::areas(body);
        self.cursor.settle(self.rows.len(), list.height.into());
        Vec::new()
    }

    /// ```text
    /// 12 lessons: each step is one of the screens, and a sentence. cosmoscope lesson FILE opens your own
    /// ▶ sharding      Where a document goes
    /// ── sharding ──
    /// what one knows after it
    /// ```
    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        let theme = &cx.theme;
        let [head, area, below] = Self::areas(body);
        let count = self.rows.len();
        let key = cx.keymap.shown(Action::ShowLesson).unwrap_or_default();
        let words = match &self.goes_on {
            Some(goes_on) => format!("{key} {goes_on}"),
            None => format!(
                "{count} lessons on the real screens; :lesson FILE opens your own, cosmoscope lesson --new writes one"
            ),
        };
        text::left(buffer, head, &[Span::styled(words, theme.title)], theme);
        let window = self.cursor.window(count, area.height.into());
        let shown = self.rows.iter().enumerate().skip(window.start);
        for ((at, [name, title, _]), index) in shown.zip(0..area.height) {
            let row = text::row(area, index);
            let is_chosen = at == self.cursor.chosen;
            let sign = if is_chosen { theme.glyphs.signs().cursor } else { " " };
            let first = [
                Span::styled(format!("{sign} "), theme.accent),
                Span::styled(name.as_str(), theme.key_hint),
            ];
            text::left(buffer, row, &first, theme);
            let rest = text::column(row, NAMES + 2, row.width);
            let title = [Span::styled(title.as_str(), theme.text)];
            text::left(buffer, rest.intersection(row), &title, theme);
            if is_chosen {
                list::lay_chosen(buffer, row, theme.selected);
            }
        }
        let Some([name, _, about]) = self.rows.get(self.cursor.chosen) else {
            return;
        };
        let enter = cx.keymap.shown(Action::Enter).unwrap_or_default();
        text::rule(buffer, below, name, &format!("{enter} begins"), theme);
        let room = text::rows(below, 1, below.height);
        text::paragraph(buffer, room.intersection(below), about, theme.text, theme);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        if action == Action::Enter {
            let row = self.rows.get(self.cursor.chosen);
            return row.map_or_else(Vec::new, |[name, ..]| OnScreen::Learn(name.clone()).alone());
        }
        let [_, list, _] = Self::areas(cx.body());
        self.cursor.act(action, self.rows.len(), list.height.into());
        Vec::new()
    }

    fn hit(&self, _cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let [_, list, _] = Self::areas(body);
        let is_in = list.contains((column, row).into());
        let first = self.cursor.window(self.rows.len(), list.height.into()).start;
        is_in.then(|| Hit::Row(first + usize::from(row - list.y)))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }

    fn exported(&self, _cx: &Cx) -> Result<Exported, &'static str> {
        Err("open a lesson first: its hand-out can be written")
    }
}
