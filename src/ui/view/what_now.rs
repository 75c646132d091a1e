//! What to do now, over any view: what helps, by when it does, with its commands filled in; the queries that check the verdict;
//! the incident note. Enter copies one of them. Where all commands fit, all are shown, else those of the chosen step.
//!
//! ```text
//! ┏ what now: contoso ▸ shop ▸ orders ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 9 ┓
//! ┃ ● HOT KEY  contoso  93 % of partition 0  429s: 288/s  since 23:24 (36 min)┃
//! ┃ now (minutes)      throttled     RU/s    takes                            ┃
//! ┃ ▶ 1 redistribute   13 % → 0 %    24,000  minutes  fixes                   ┃
//! ┃     az cosmosdb sql container redistribute-partition-throughput …         ┃
//! ┃ later (new container)                                                     ┃
//! ┃   2 2 suffixes     13 % → 0 %    24,000  new container  fixes             ┃
//! ┗ Enter copies step 1, y copies the incident note, Esc closes ━━━━━━━━━━━━━━┛
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::next_steps::{
    NextStep, NextSteps, STEP_COLUMNS, StepTime, next_steps,
};
use crate::analysis::diagnosis::note::{NameForm, Naming};
use crate::analysis::diagnosis::steps::command;
use crate::analysis::findings::Severity;
use crate::analysis::mask::NameKind;
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{card, sign, text};

use super::text_pages;

/// Columns before the text of a step: cursor, number.
const INDENT: usize = 5;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WhatNowState {
    title: String,
    found: NextSteps,
    chosen: usize,
    first: usize,
    drawn_for: Option<(usize, usize, Glyphs, usize)>,
    rows: Vec<WhatNowLine>,
    /// Next to the steps in a wide window: what Enter and `y` copy.
    copies: Vec<WhatNowLine>,
}

/// A line of the overlay.
#[derive(Clone, PartialEq, Debug)]
enum WhatNowLine {
    Verdict(Severity, String),
    Heading(String),
    /// A step by its number, what it is and what it does; and its verdict in words.
    Step(usize, String, Option<(RemedyEffect, &'static str)>),
    /// Of the step above, or what did not fit above.
    Text(String),
}

/// What there is to do about a container, in the names that are shown; None where nothing is known of it.
pub fn of_container(cx: &Cx, container: u32) -> Option<WhatNowState> {
    let data = cx.data.as_ref()?;
    let found = data.diagnoses.container(container)?;
    let held = data.capture.container(container)?;
    let mut found = with_naming(cx, container, |naming| {
        let heat = data.heat.container(container);
        next_steps(found, cx.other_key(container), heat, held, naming, cx.now)
    })?;
    for verdict in &mut found.verdicts {
        let words = std::mem::take(&mut verdict.headline);
        verdict.headline = card::dated(cx, verdict.since, words);
    }
    let name = cx.mask.container(&held.name).title();
    Some(WhatNowState {
        title: format!("what now: {}", visible(&name)),
        found,
        ..WhatNowState::default()
    })
}

/// Lets `with` write about a container in the names that are shown.
pub fn with_naming<T>(cx: &Cx, container: u32, with: impl FnOnce(&Naming<'_>) -> T) -> Option<T> {
    let held = cx.data.as_ref()?.capture.container(container)?;
    let mask = &cx.mask;
    let shown = |json: Option<&str>| {
        let json = json.map(|json| mask.key(json));
        key_text(json.as_deref())
    };
    let group = held.resource_group.as_deref();
    let group = group.map(|group| mask.name(NameKind::ResourceGroup, group));
    Some(with(&Naming {
        names: if mask.is_on() {
            NameForm::Invented
        } else {
            NameForm::Real
        },
        container: &mask.container(&held.name),
        group: group.as_deref(),
        shown: &shown,
        json: &|json| mask.key(json).into(),
    }))
}

impl WhatNowState {
    fn steps(&self) -> &[NextStep] {
        &self.found.steps
    }

    /// The incident note is the last step.
    fn note(&self) -> Option<&NextStep> {
        self.steps().last()
    }

    /// By groups of time. As many of the first steps are open as `height` has room for, and the chosen one; not the note where
    /// it stands at the side.
    fn rows_in(&self, width: usize, height: usize, glyphs: Glyphs, side: bool) -> Vec<WhatNowLine> {
        let open = |first: usize| {
            self.rows_with(width, glyphs, |number, step| {
                number < first && (!side || self.note() != Some(step))
            })
        };
        let mut longest = (1..=self.steps().len()).rev().map(open);
        let found = longest.find(|rows| rows.len() <= height);
        found.unwrap_or_else(|| open(0))
    }

    fn rows_with(
        &self,
        width: usize,
        glyphs: Glyphs,
        is_open: impl Fn(usize, &NextStep) -> bool,
    ) -> Vec<WhatNowLine> {
        let mut rows = Vec::new();
        for of in &self.found.verdicts {
            let line = format!("{}  {}", of.rule, of.headline);
            let mut lines = broken(&line, width.saturating_sub(2), glyphs).into_iter();
            let first = lines.next().unwrap_or_default();
            rows.push(WhatNowLine::Verdict(of.severity, first));
            rows.extend(lines.map(WhatNowLine::Text));
        }
        let widths = self.widths(glyphs);
        let (mut time, mut is_headed) = (None, false);
        let worst = self.found.verdicts.first().map(|of| of.severity);
        let first = self.steps().first().map(|step| step.time);
        if worst == Some(Severity::Alarm) && first > Some(StepTime::Client) {
            let words = format!("{}: nothing known helps", StepTime::Now.heading());
            rows.push(WhatNowLine::Heading(words));
        }
        for (number, step) in self.steps().iter().enumerate() {
            if time != Some(step.time) {
                time = Some(step.time);
                let is_table = !step.cells[0].is_empty() && !is_headed;
                is_headed |= is_table;
                rows.push(WhatNowLine::Heading(heading(step.time, is_table, widths)));
            }
            rows.extend(lines_of(step, number, widths, width, glyphs));
            // Where the title says all, it is not said twice.
            let is_open = number == self.chosen || is_open(number, step);
            for line in step.lines.iter().filter(|l| is_open && **l != step.title) {
                let line = match command(line) {
                    Some((command, "")) => format!("$ {command}"),
                    Some((command, about)) => format!("$ {command}  # {about}"),
                    None => line.clone(),
                };
                let lines = broken(&line, width.saturating_sub(INDENT), glyphs);
                rows.extend(lines.into_iter().map(WhatNowLine::Text));
            }
        }
        rows
    }

    /// Of the titles and the cells of remedies of load.
    fn widths(&self, glyphs: Glyphs) -> [usize; 4] {
        let of_load = self.steps().iter().filter(|step| !step.cells[0].is_empty());
        of_load.fold([0; 4], |mut widths, step| {
            let cells = [&step.title, &step.cells[0], &step.cells[1], &step.cells[2]];
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = text::width(cell, glyphs).max(*width);
            }
            widths
        })
    }

    /// `copies step 1 (text)`.
    fn copies_text(&self) -> String {
        let form = self.steps().get(self.chosen).map_or("text", NextStep::form);
        format!("copies step {} ({form})", self.chosen + 1)
    }

    /// What Enter copies, and the note.
    fn copies_in(&self, width: usize, glyphs: Glyphs) -> Vec<WhatNowLine> {
        let chosen = self.steps().get(self.chosen);
        let title = format!("Enter {}", self.copies_text());
        let note = ("y copies the incident note".to_owned(), self.note());
        let mut rows = Vec::new();
        for (title, step) in [(title, chosen), note] {
            rows.push(WhatNowLine::Heading(title));
            for line in step.map(NextStep::script).unwrap_or_default() {
                let lines = broken(&line, width, glyphs);
                rows.extend(lines.into_iter().map(WhatNowLine::Text));
            }
            rows.push(WhatNowLine::Text(String::new()));
        }
        rows
    }

    /// The chosen step stays in the window, its title before all of its text.
    fn follow(&mut self, height: usize) {
        let is_title =
            |row: &WhatNowLine| matches!(row, WhatNowLine::Step(at, ..) if *at == self.chosen);
        let Some(title) = self.rows.iter().position(is_title) else {
            return;
        };
        let rest = self.rows.iter().skip(title + 1);
        let open = rest.take_while(|row| matches!(row, WhatNowLine::Text(_)));
        let end = title + 1 + open.count();
        // Headings above the first of their steps are shown with it.
        let above = self.rows.get(..title).unwrap_or_default().iter().rev();
        let of_step =
            |row: &&WhatNowLine| !matches!(row, WhatNowLine::Step(..) | WhatNowLine::Text(_));
        // Above the first step stands what it is about.
        let start = match title - above.take_while(of_step).count() {
            _ if self.chosen == 0 && title < height => 0,
            start => start,
        };
        let first = self.first.max(end.saturating_sub(height)).min(start);
        self.first = first.min(self.rows.len().saturating_sub(height));
    }
}

/// The frame: in the middle, or all of a wide window with what is copied on the right.
fn areas(cx: &Cx, body: Rect) -> (Rect, Rect, Option<Rect>) {
    if cx.layout() != WindowLayout::Wide {
        return (text_pages::area(body), text_pages::room(body), None);
    }
    let inner = Panel::inner(body);
    let half = inner.width / 2;
    let left = text::column(inner, 1, half.saturating_sub(2));
    let right = text::column(inner, half + 1, inner.width.saturating_sub(half + 2));
    (body, left, Some(right))
}

pub fn settle(state: &mut WhatNowState, cx: &Cx, body: Rect) {
    let glyphs = cx.theme.glyphs;
    let (_, room, side) = areas(cx, body);
    let (width, height) = (usize::from(room.width), usize::from(room.height));
    let drawn_for = Some((width, height, glyphs, state.chosen));
    if state.drawn_for != drawn_for {
        state.drawn_for = drawn_for;
        state.rows = state.rows_in(width, height, glyphs, side.is_some());
        let copies = side.map(|side| state.copies_in(side.width.into(), glyphs));
        state.copies = copies.unwrap_or_default();
    }
    state.follow(height);
}

/// What an action means while the steps lie over the view; None if it means something else.
pub fn act(state: &mut WhatNowState, action: Action, body: Rect) -> Option<Vec<Effect>> {
    let copied = |step: Option<&NextStep>| {
        let step = step.map(|step| vec![Effect::Copy(Clipboard::Lines(step.script()))]);
        Some(step.unwrap_or_default())
    };
    match action {
        Action::Enter => return copied(state.steps().get(state.chosen)),
        Action::Copy => return copied(state.note()),
        _ => {}
    }
    let count = state.steps().len();
    let height = usize::from(text_pages::room(body).height);
    if let Some(to) = action.moved(state.chosen, count, height) {
        state.chosen = to.min(count.saturating_sub(1));
        return Some(Vec::new());
    }
    action.is_of_rows().then(Vec::new)
}

pub fn draw(state: &WhatNowState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (area, room, side) = areas(cx, body);
    text::clear(buffer, area);
    let copies = state.copies_text();
    let ways = [
        (Action::Enter, copies.as_str()),
        (Action::Copy, "copies the incident note"),
        (Action::Back, "closes"),
    ];
    let ways = ways
        .iter()
        .filter_map(|(action, does)| Some(format!("{} {does}", cx.keymap.shown(*action)?)));
    let ways: Vec<String> = ways.collect();
    let place = format!("{} of {}", state.chosen + 1, state.steps().len());
    let panel = Panel::new(state.title.as_str()).aside(place);
    panel
        .footer(ways.join(", "))
        .focus(Focus::Here)
        .draw(buffer, area, theme);
    for (row, index) in state.rows.iter().skip(state.first).zip(0..room.height) {
        let line = text::row(room, index);
        draw_line(row, state.chosen, line, INDENT, buffer, theme);
    }
    if let Some(side) = side {
        for (row, index) in state.copies.iter().zip(0..side.height) {
            draw_line(row, state.chosen, text::row(side, index), 0, buffer, theme);
        }
    }
    sign::scroll(
        buffer,
        text_pages::side(area),
        state.first,
        state.rows.len(),
        theme,
    );
}

fn draw_line(
    row: &WhatNowLine,
    chosen: usize,
    line: Rect,
    indent: usize,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let spans: Vec<Span<'_>> = match row {
        WhatNowLine::Verdict(severity, headline) => {
            let dot = Span::styled(sign::severity(*severity), theme.severity(*severity));
            let words = text::coded(headline, theme.title, theme);
            [dot, Span::raw(" ")].into_iter().chain(words).collect()
        }
        WhatNowLine::Heading(words) => vec![Span::styled(words.as_str(), theme.title)],
        WhatNowLine::Step(number, words, effect) => {
            let signs = theme.glyphs.signs();
            let cursor = if *number == chosen { signs.cursor } else { " " };
            let lead = format!("{cursor} {:<2} ", number + 1);
            let (style, verdict) = verdict(*effect, theme);
            vec![
                Span::styled(lead, theme.accent),
                Span::styled(words.as_str(), theme.accent),
                Span::styled(verdict, style),
            ]
        }
        WhatNowLine::Text(words) => {
            let start = u16::try_from(indent).unwrap_or(0);
            let room = text::column(line, start, line.width);
            text::left(buffer, room, &text::coded(words, theme.text, theme), theme);
            return;
        }
    };
    text::left(buffer, line, &spans, theme);
    if matches!(row, WhatNowLine::Step(number, ..) if *number == chosen) {
        text::lay(buffer, line, theme.cursor_row);
    }
}

fn verdict(effect: Option<(RemedyEffect, &'static str)>, theme: &Theme) -> (Style, &'static str) {
    match effect {
        Some((RemedyEffect::Fixes, words)) => (theme.good, words),
        Some((_, words)) => (theme.warning, words),
        None => (theme.text, ""),
    }
}

fn broken(words: &str, width: usize, glyphs: Glyphs) -> Vec<String> {
    text_pages::broken(words, width.max(1), glyphs)
}

/// `now (minutes)`, once with what the cells are.
fn heading(time: StepTime, is_table: bool, widths: [usize; 4]) -> String {
    let [title, throttled, ru, _] = widths;
    let words = time.heading();
    if !is_table {
        return words.to_owned();
    }
    let [a, b, c] = STEP_COLUMNS;
    let title = title + INDENT;
    let (throttled, ru) = (throttled.max(a.len()), ru.max(b.len()));
    format!("{words:<title$}  {a:<throttled$}  {b:>ru$}  {c}")
}

/// A step in one line, or where that is too narrow in several.
fn lines_of(
    step: &NextStep,
    number: usize,
    widths: [usize; 4],
    width: usize,
    glyphs: Glyphs,
) -> Vec<WhatNowLine> {
    let room = width.saturating_sub(INDENT);
    let about = match step.about.as_str() {
        "" => String::new(),
        rule => format!("  ({rule})"),
    };
    let [a, b, c] = &step.cells;
    let [title, throttled, ru, takes] = widths;
    let (throttled, ru) = (
        throttled.max(STEP_COLUMNS[0].len()),
        ru.max(STEP_COLUMNS[1].len()),
    );
    let figures = match a.as_str() {
        "" if step.why.is_empty() => String::new(),
        "" => format!("  {}", step.why),
        _ => format!("  {a:<throttled$}  {b:>ru$}  {c:<takes$}"),
    };
    let name = if a.is_empty() { 0 } else { title };
    let whole = format!("{:<name$}{figures}{about}", step.title);
    let verdict = step.effect.map_or(0, |(_, words)| words.len() + 2);
    let gap = if verdict > 0 { "  " } else { "" };
    if text::width(&whole, glyphs) + verdict <= room {
        return vec![WhatNowLine::Step(number, whole + gap, step.effect)];
    }
    let row = format!("{:<name$}{figures}", step.title);
    if !a.is_empty() && !about.is_empty() && text::width(&row, glyphs) + verdict <= room {
        let row = WhatNowLine::Step(number, row + gap, step.effect);
        return vec![row, WhatNowLine::Text(about.trim().to_owned())];
    }
    let first = format!("{}{about}", step.title);
    let mut lines = broken(&first, room.saturating_sub(verdict), glyphs).into_iter();
    let first = lines.next().unwrap_or_default();
    let mut rows = vec![WhatNowLine::Step(number, first + gap, step.effect)];
    rows.extend(lines.map(WhatNowLine::Text));
    let figures = figures.trim();
    if !figures.is_empty() {
        rows.extend(
            broken(figures, room, glyphs)
                .into_iter()
                .map(WhatNowLine::Text),
        );
    }
    rows
}
