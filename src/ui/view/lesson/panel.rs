//! The panel below a view: the sentence of the step, its question, and the place on the screen that stands out.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::{LessonProgress, figure};
use crate::model::lesson::with_figures;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Chord;
use crate::ui::kit::keymap::key_cap;
use crate::ui::kit::text;
use crate::ui::view::Views;

/// Rows that the view keeps at least.
const LEAST_VIEW: u16 = 9;
/// Longer lines are hard to read from the last row of a room.
const WIDEST: u16 = 110;

/// What a step says, its figures filled in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepTexts {
    pub title: String,
    pub say: String,
    pub mark: Option<String>,
    pub ask: Option<String>,
    pub answer: Option<String>,
    /// For the presenter alone.
    pub note: Option<String>,
    /// Keys that may be tried, with what they do.
    pub knob: Option<String>,
    /// Figures that nothing is known of.
    pub unknown: Vec<String>,
}

impl StepTexts {
    pub fn of(progress: &LessonProgress, cx: &Cx, views: &Views) -> Self {
        let Some(step) = progress.step() else {
            return Self::default();
        };
        let mut unknown = Vec::new();
        // Figures of the step before are none of this one.
        let is_shown = progress.is_ready() && progress.has_data(cx);
        let mut filled = |text: &str| {
            with_figures(text, |name, of| {
                if !is_shown {
                    return "…".to_owned();
                }
                figure(cx, views, name, of).unwrap_or_else(|| {
                    unknown.push(name.to_owned());
                    "…".to_owned()
                })
            })
        };
        let question = step.question.as_ref();
        let (say, mark) = (filled(&step.say), step.mark.as_deref().map(&mut filled));
        let ask = question.map(|question| filled(&question.ask));
        let answer = question.map(|question| filled(&question.answer));
        let note = step.note.as_deref().map(&mut filled);
        let steps = progress.lesson.steps.len();
        Self {
            title: format!("lesson {} · {} of {steps}", progress.lesson.name, progress.place + 1),
            say,
            mark,
            ask,
            answer,
            note,
            knob: knob(&step.knob, cx),
            unknown,
        }
    }
}

/// `+ one more · - one less`.
fn knob(names: &[String], cx: &Cx) -> Option<String> {
    let tried = names.iter().filter_map(|name| Action::named(name));
    let tried = tried.map(|about| {
        let own = |chord: &&Chord| cx.keymap.action(&[Context::Lesson], **chord).is_none();
        let key = cx.keymap.chords(about.action).iter().find(own);
        let key = key.map_or_else(|| format!(":{}", about.name), |chord| key_cap(*chord));
        format!("{key} {}", about.hint)
    });
    let words = tried.collect::<Vec<_>>().join(" · ");
    (!words.is_empty()).then(|| format!("Try it: {words}"))
}

/// The texts as they are drawn in a window.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LessonPanel {
    pub texts: StepTexts,
    lines: Vec<(Voice, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Voice {
    Says,
    Asks,
    Answers,
    Hints,
}

impl LessonPanel {
    pub fn of(progress: &LessonProgress, cx: &Cx, views: &Views) -> Self {
        let texts = StepTexts::of(progress, cx, views);
        let width = usize::from(cx.size.width.min(WIDEST));
        let reveal = cx.keymap.shown(Action::Reveal).unwrap_or_default();
        let answer = match &texts.answer {
            Some(answer) if progress.is_revealed => Some((Voice::Answers, answer.clone())),
            Some(_) => Some((Voice::Hints, format!("{reveal} shows the answer"))),
            None => None,
        };
        let pieces = [
            Some((Voice::Says, texts.say.clone())),
            texts.ask.clone().map(|ask| (Voice::Asks, ask)),
            answer,
            texts.knob.clone().map(|knob| (Voice::Hints, knob)),
        ];
        let lines = pieces.into_iter().flatten().flat_map(|(voice, words)| {
            let lines = text::wrapped(&words, width, cx.theme.glyphs);
            lines.into_iter().map(move |line| (voice, line))
        });
        let lines = lines.collect();
        Self { texts, lines }
    }

    /// Rows that the panel wants in a window of this height.
    pub fn rows(&self, height: u16) -> u16 {
        let wanted = u16::try_from(self.lines.len() + 1).unwrap_or(u16::MAX);
        wanted.min(height.saturating_sub(LEAST_VIEW + 3))
    }

    pub fn draw(&self, cx: &Cx, area: Rect, buffer: &mut Buffer) {
        let theme = &cx.theme;
        let ways = [Action::PreviousStep, Action::NextStep];
        let [back, next] = ways.map(|way| cx.keymap.shown(way).unwrap_or_default());
        let ways = format!("{next} next, {back} back");
        text::rule(buffer, area, &self.texts.title, &ways, theme);
        for ((voice, line), index) in self.lines.iter().zip(1..area.height) {
            let style = match voice {
                Voice::Says => theme.title,
                Voice::Asks => theme.accent,
                Voice::Answers => theme.good,
                Voice::Hints => theme.hint,
            };
            let row = text::row(area, index);
            text::left(buffer, row, &[Span::styled(line.as_str(), style)], theme);
        }
    }

    /// Turns the marked text around, where the screen has it first; false where it has it nowhere.
    pub fn mark(&self, buffer: &mut Buffer, area: Rect) -> bool {
        let Some(wanted) = self.texts.mark.as_deref().filter(|mark| !mark.is_empty()) else {
            return true;
        };
        let Some(cells) = found(buffer, area, wanted) else {
            return false;
        };
        for at in cells {
            if let Some(cell) = buffer.cell_mut(at) {
                cell.modifier.insert(Modifier::REVERSED | Modifier::BOLD);
            }
        }
        true
    }
}

/// Where a text stands in the rows of an area.
fn found(buffer: &Buffer, area: Rect, wanted: &str) -> Option<Vec<Position>> {
    for y in area.top()..area.bottom() {
        let (mut line, mut cells) = (String::new(), Vec::new());
        let mut x = area.left();
        while let Some(cell) = buffer.cell((x, y)).filter(|_| x < area.right()) {
            cells.push((line.len(), Position::new(x, y)));
            line.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        let place = |text: &str| line.find(text).map(|start| start..start + text.len());
        // What columns part, a sentence has commas between.
        let span = place(wanted).or_else(|| place(&wanted.replace(", ", "  ")));
        if let Some(span) = span {
            let inside = cells.into_iter().filter(|(at, _)| span.contains(at));
            return Some(inside.map(|(_, at)| at).collect());
        }
    }
    None
}
