//! The panel below a view: the sentence of the step, its question, and the place on the screen that stands out.

use std::cell::RefCell;
use std::ops::Range;

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::LessonProgress;
use super::figures::{KNOWN_BEFORE, figure};
use crate::model::lesson::with_figures;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::{Cx, Veil};
use crate::ui::kit::input::Chord;
use crate::ui::kit::keymap::key_cap;
use crate::ui::kit::text;
use crate::ui::view::Views;

/// Rows that the view keeps at least.
const LEAST_VIEW: u16 = 9;
/// Longer lines are hard to read from the last row of a room.
const WIDEST: u16 = 110;
/// Shorter figures stand everywhere by chance.
const LEAST_COVERED: usize = 3;

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
    /// Figures that only the answer says, until it is shown.
    pub covered: Vec<String>,
}

impl StepTexts {
    pub fn of(progress: &LessonProgress, cx: &Cx, views: &Views) -> Self {
        let Some(step) = progress.step() else {
            return Self::default();
        };
        let (mut unknown, figures) = (Vec::new(), RefCell::new(Vec::new()));
        // Figures of the step before are none of this one.
        let is_shown = progress.is_ready() && progress.has_data(cx);
        let mut filled = |text: &str| {
            with_figures(text, |name, of| {
                let found = figure(cx, views, name, of).filter(|_| is_shown);
                let is_measured = !KNOWN_BEFORE.contains(&name);
                figures.borrow_mut().extend(found.clone().filter(|_| is_measured));
                unknown.extend((is_shown && found.is_none()).then(|| name.to_owned()));
                found.unwrap_or_else(|| "…".to_owned())
            })
        };
        let question = step.question.as_ref();
        let answer = question.map(|question| filled(&question.answer));
        let mut covered = figures.take();
        let (say, mark) = (filled(&step.say), step.mark.as_deref().map(&mut filled));
        let ask = question.map(|question| filled(&question.ask));
        let note = step.note.as_deref().map(&mut filled);
        let asked = format!("{say}\n{}", ask.as_deref().unwrap_or_default());
        let is_hidden = |figure: &String| {
            figure.chars().count() >= LEAST_COVERED && !asked.contains(figure.as_str())
        };
        covered.retain(|figure| !progress.is_revealed && is_hidden(figure));
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
            covered,
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
        self.cover(buffer, cx.body());
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

    /// Hides what only the answer says, wherever an area shows it.
    fn cover(&self, buffer: &mut Buffer, area: Rect) {
        for figure in &self.texts.covered {
            let cells = lines(buffer, area).flat_map(|(line, cells)| {
                let spans = [figure.clone(), in_columns(figure)].map(|form| whole(&line, &form));
                let spans = spans.concat();
                let is_in = move |at: &usize| spans.iter().any(|span| span.contains(at));
                cells.into_iter().filter(move |(at, _)| is_in(at))
            });
            let cells: Vec<_> = cells.collect();
            for (_, at) in cells {
                if let Some(cell) = buffer.cell_mut(at) {
                    cell.set_symbol(Veil::SIGN);
                }
            }
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

/// What a sentence parts by commas, columns part by blanks.
fn in_columns(text: &str) -> String {
    text.replace(", ", "  ")
}

/// The rows of an area as text, each with where its cells begin in it.
fn lines(buffer: &Buffer, area: Rect) -> impl Iterator<Item = (String, Vec<(usize, Position)>)> {
    (area.top()..area.bottom()).map(move |y| {
        let (mut line, mut cells) = (String::new(), Vec::new());
        let mut x = area.left();
        while let Some(cell) = buffer.cell((x, y)).filter(|_| x < area.right()) {
            cells.push((line.len(), Position::new(x, y)));
            line.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        (line, cells)
    })
}

/// Where a text stands in the rows of an area.
fn found(buffer: &Buffer, area: Rect, wanted: &str) -> Option<Vec<Position>> {
    lines(buffer, area).find_map(|(line, cells)| {
        let place = |text: &str| line.find(text).map(|start| start..start + text.len());
        let span = place(wanted).or_else(|| place(&in_columns(wanted)))?;
        let inside = cells.into_iter().filter(|(at, _)| span.contains(at));
        Some(inside.map(|(_, at)| at).collect())
    })
}

/// Where a figure stands in a line, and is no part of a longer one.
fn whole(line: &str, figure: &str) -> Vec<Range<usize>> {
    let goes_on = |(first, second): (Option<char>, Option<char>)| match first {
        Some('.' | ',') => second.is_some_and(|second| second.is_ascii_digit()),
        first => first.is_some_and(char::is_alphanumeric),
    };
    let is_whole = |span: &Range<usize>| {
        let mut before = line[..span.start].chars().rev();
        let mut after = line[span.end..].chars();
        let ends = [(before.next(), before.next()), (after.next(), after.next())];
        !ends.into_iter().any(goes_on)
    };
    let spans = line.match_indices(figure).map(|(at, _)| at..at + figure.len());
    spans.filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line, a figure, and where it stands.
    type Case<'a> = (&'a str, &'a str, &'a [(usize, usize)]);

    #[test]
    fn a_figure_is_found_whole_and_not_in_a_longer_one() {
        let cases: [Case<'_>; 4] = [
            ("12,000 RU/s, 112,000, 12,000.5 and 12,000.", "12,000", &[(0, 6), (35, 41)]),
            ("41 %  141 % (41 %)", "41 %", &[(0, 4), (13, 17)]),
            ("goods are good", "good", &[(10, 14)]),
            ("▶ 23:24–23:25", "23:24", &[(4, 9)]),
        ];
        for (line, figure, expected) in cases {
            let found = whole(line, figure).into_iter().map(|at| (at.start, at.end));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{line}");
        }
    }
}
