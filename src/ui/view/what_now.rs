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

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::next_steps::{
    NextStep, NextSteps, STEP_COLUMNS, StepTime, next_steps,
};
use crate::analysis::diagnosis::note::{NameForm, Naming};
use crate::analysis::diagnosis::steps::{RESOURCE_GROUP, command};
use crate::analysis::findings::Severity;
use crate::analysis::mask::NameKind;
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::line::{Prompt, PromptPurpose};
use crate::ui::kit::msg::{Clipboard, Effect, OnScreen};
use crate::ui::kit::panel::Panel;
use crate::ui::kit::{card, text};

use super::choices::{self, ChoiceLine, Choices, INDENT, Tone};
use super::text_pages;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WhatNowState {
    title: String,
    found: NextSteps,
    list: Choices,
    drawn_for: Option<(usize, usize, Glyphs, usize)>,
    /// Next to the steps in a wide window: the incident note.
    copies: Vec<ChoiceLine>,
}

/// What there is to do about a container, in the names that are shown, at a step counted from 0; None where nothing is
/// known of it.
pub fn of_container(cx: &Cx, container: u32, chosen: usize) -> Option<WhatNowState> {
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
        list: Choices { chosen, ..Choices::default() },
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
    let typed = || cx.groups.get(&held.name.identity().account).map(String::as_str);
    let group = held.resource_group.as_deref().or_else(typed);
    let group = group.map(|group| mask.name(NameKind::ResourceGroup, group));
    Some(with(&Naming {
        names: if mask.is_on() { NameForm::Invented } else { NameForm::Real },
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

    fn chosen(&self) -> Option<&NextStep> {
        self.steps().get(self.list.chosen)
    }

    /// Copies the chosen step.
    pub fn copied(&self) -> Option<Effect> {
        self.chosen().map(copied)
    }

    /// Whether what is copied of the chosen step lacks the resource group.
    fn lacks_group(&self) -> bool {
        let lines = self.chosen().map(NextStep::script).unwrap_or_default();
        lines.iter().any(|line| line.contains(RESOURCE_GROUP))
    }

    /// The incident note is the last step.
    fn note(&self) -> Option<&NextStep> {
        self.steps().last()
    }

    /// By groups of time.
    fn rows_with(
        &self,
        width: usize,
        glyphs: Glyphs,
        is_open: impl Fn(usize, &NextStep) -> bool,
    ) -> Vec<ChoiceLine> {
        let mut rows = Vec::new();
        for of in &self.found.verdicts {
            let line = format!("{}  {}", of.rule, of.headline);
            let mut lines = broken(&line, width.saturating_sub(2), glyphs).into_iter();
            let first = lines.next().unwrap_or_default();
            rows.push(ChoiceLine::Verdict(of.severity, first));
            rows.extend(lines.map(ChoiceLine::Text));
        }
        let widths = self.widths(glyphs);
        let (mut time, mut is_headed) = (None, false);
        let worst = self.found.verdicts.first().map(|of| of.severity);
        let first = self.steps().first().map(|step| step.time);
        if worst == Some(Severity::Alarm) && first > Some(StepTime::Client) {
            let words = format!("{}: nothing known helps", StepTime::Now.heading());
            rows.push(ChoiceLine::Heading(words));
        }
        for (number, step) in self.steps().iter().enumerate() {
            if time != Some(step.time) {
                time = Some(step.time);
                let is_table = !step.cells[0].is_empty() && !is_headed;
                is_headed |= is_table;
                rows.push(ChoiceLine::Heading(heading(step.time, is_table, widths)));
            }
            rows.extend(lines_of(step, number, widths, width, glyphs));
            // Where the title says all, it is not said twice.
            let is_open = is_open(number, step);
            for line in step.lines.iter().filter(|l| is_open && **l != step.title) {
                let command = command(line);
                let shown = command.map_or(line.clone(), |(command, _)| format!("$ {command}"));
                rows.extend(choices::texts(&shown, width, glyphs));
                let about = command.filter(|(_, about)| !about.is_empty());
                rows.extend(about.into_iter().flat_map(|(_, a)| choices::texts(a, width, glyphs)));
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
        let form = self.chosen().map_or("text", NextStep::form);
        format!("copies step {} ({form})", self.list.chosen + 1)
    }

    /// What `y` copies.
    fn copies_in(&self, width: usize, glyphs: Glyphs) -> Vec<ChoiceLine> {
        let mut rows = vec![ChoiceLine::Heading("y copies the incident note".to_owned())];
        for line in self.note().map(NextStep::script).unwrap_or_default() {
            let lines = broken(&line, width, glyphs);
            rows.extend(lines.into_iter().map(ChoiceLine::Text));
        }
        rows
    }
}

/// The frame: in the middle, or all of a wide window with the note on the right.
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
    let drawn_for = Some((width, height, glyphs, state.list.chosen));
    if state.drawn_for != drawn_for {
        state.drawn_for = drawn_for;
        // Not the note where it stands at the side.
        state.list.rows = choices::rows(state.steps().len(), height, |first| {
            state.rows_with(width, glyphs, |number, step| {
                let is_open = number < first || number == state.list.chosen;
                is_open && (side.is_none() || state.note() != Some(step))
            })
        });
        let copies = side.map(|side| state.copies_in(side.width.into(), glyphs));
        state.copies = copies.unwrap_or_default();
    }
    state.list.follow(height);
}

fn copied(step: &NextStep) -> Effect {
    Effect::Copy(Clipboard::Lines(step.script()))
}

/// What an action means while the steps lie over the view; None if it means something else.
pub fn act(state: &mut WhatNowState, cx: &Cx, action: Action) -> Option<Vec<Effect>> {
    match action {
        // With invented names no command runs.
        Action::Enter if state.lacks_group() && !cx.mask.is_on() => {
            let purpose = PromptPurpose::ResourceGroup(state.list.chosen);
            return Some(OnScreen::Type(Box::new(Prompt::new(purpose, ""))).alone());
        }
        Action::Enter => return Some(state.copied().into_iter().collect()),
        Action::Copy => return Some(state.note().map(copied).into_iter().collect()),
        _ => {}
    }
    let count = state.steps().len();
    let height = usize::from(text_pages::room(cx.body()).height);
    let moved = state.list.act(action, count, height);
    (moved || action.is_of_rows()).then(Vec::new)
}

pub fn draw(state: &WhatNowState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let (area, room, side) = areas(cx, body);
    let copies = state.copies_text();
    let ways = text_pages::ways(
        cx,
        &[
            (Action::Enter, copies.as_str()),
            (Action::Copy, "copies the incident note"),
            (Action::Back, "closes"),
        ],
    );
    let place = format!("{} of {}", state.list.chosen + 1, state.steps().len());
    let frame = (state.title.as_str(), place, ways);
    state.list.draw(frame, (area, room), cx, buffer);
    if let Some(side) = side {
        for (row, index) in state.copies.iter().zip(0..side.height) {
            let line = text::row(side, index);
            choices::draw_line(row, usize::MAX, line, 0, buffer, &cx.theme);
        }
    }
}

fn verdict(effect: RemedyEffect) -> (Tone, String) {
    let tone = match effect {
        RemedyEffect::Fixes => Tone::Good,
        _ => Tone::Warning,
    };
    (tone, effect.word().to_owned())
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
) -> Vec<ChoiceLine> {
    let room = width.saturating_sub(INDENT);
    let about = match step.about.as_str() {
        "" => String::new(),
        rule => format!("  ({rule})"),
    };
    let [a, b, c] = &step.cells;
    let [title, throttled, ru, takes] = widths;
    let (throttled, ru) = (throttled.max(STEP_COLUMNS[0].len()), ru.max(STEP_COLUMNS[1].len()));
    let figures = match a.as_str() {
        "" if step.why.is_empty() => String::new(),
        "" => format!("  {}", step.why),
        _ => format!("  {a:<throttled$}  {b:>ru$}  {c:<takes$}"),
    };
    let name = if a.is_empty() { 0 } else { title };
    let whole = format!("{:<name$}{figures}{about}", step.title);
    let of_verdict = step.effect.map_or(0, |effect| effect.word().len() + 2);
    let gap = if of_verdict > 0 { "  " } else { "" };
    if text::width(&whole, glyphs) + of_verdict <= room {
        return vec![ChoiceLine::Entry(number, whole + gap, step.effect.map(verdict))];
    }
    let row = format!("{:<name$}{figures}", step.title);
    if !a.is_empty() && !about.is_empty() && text::width(&row, glyphs) + of_verdict <= room {
        let row = ChoiceLine::Entry(number, row + gap, step.effect.map(verdict));
        return vec![row, ChoiceLine::Text(about.trim().to_owned())];
    }
    let first = format!("{}{about}", step.title);
    let mut lines = broken(&first, room.saturating_sub(of_verdict), glyphs).into_iter();
    let first = lines.next().unwrap_or_default();
    let mut rows = vec![ChoiceLine::Entry(number, first + gap, step.effect.map(verdict))];
    rows.extend(lines.map(ChoiceLine::Text));
    let figures = figures.trim();
    if !figures.is_empty() {
        rows.extend(choices::texts(figures, width, glyphs));
    }
    rows
}
