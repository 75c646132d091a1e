//! What to do now, over any view: what helps with its commands filled in, the queries that check the verdict, the incident note.
//! Enter copies one of them.
//!
//! ```text
//! ┏ what now: contoso ▸ shop ▸ orders ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 9 ┓
//! ┃ ● HOT KEY  contoso  93 % of partition 0  429s: 288/s  since 23:24 (36 min)┃
//! ┃ ▶ 2 suffixes  fixes  11 % → 0 % throttled, 40,000 RU/s, new container     ┃
//! ┃     create a container with the new key …                                 ┃
//! ┗ Enter copies, y copies the incident note, Esc closes ━━━━━━━━━━━━━━━━━━━━━┛
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::next_steps::{NextStep, VerdictSteps, next_steps};
use crate::analysis::diagnosis::note::{NameForm, Naming};
use crate::analysis::findings::Severity;
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};

use super::text_pages;

/// Blanks before the text of a step.
const INDENT: usize = 4;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WhatNowState {
    title: String,
    lists: Vec<VerdictSteps>,
    /// Among the steps of all verdicts.
    chosen: usize,
    first: usize,
    drawn_for: Option<(usize, Glyphs, usize)>,
    rows: Vec<WhatNowLine>,
}

/// A line of the overlay.
#[derive(Clone, PartialEq, Debug)]
enum WhatNowLine {
    Verdict(Severity, String),
    /// A step by its number, with as much of its title as fits.
    Step(usize, String),
    /// Of the chosen one, or what did not fit above.
    Text(String),
}

/// What there is to do about a container, in the names that are shown; None where nothing is known of it.
pub fn of_container(cx: &Cx, container: u32) -> Option<WhatNowState> {
    let data = cx.data.as_ref()?;
    let found = data.diagnoses.container(container)?;
    let held = data.capture.container(container)?;
    let lists = with_naming(cx, container, |naming| {
        next_steps(found, data.heat.container(container), held, naming, cx.now)
    })?;
    let name = cx.mask.container(&held.name).title();
    Some(WhatNowState {
        title: format!("what now: {}", visible(&name)),
        lists,
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
    Some(with(&Naming {
        names: if mask.is_on() {
            NameForm::Invented
        } else {
            NameForm::Real
        },
        container: &mask.container(&held.name),
        shown: &shown,
        json: &|json| mask.key(json).into(),
    }))
}

impl WhatNowState {
    fn steps(&self) -> impl Iterator<Item = &NextStep> {
        self.lists.iter().flat_map(|list| &list.steps)
    }

    /// The incident note is the last step of the worst verdict.
    fn note(&self) -> Option<&NextStep> {
        self.lists.first()?.steps.last()
    }

    /// Every step has its title; the chosen one is open, so that all titles are seen at once.
    fn rows_in(&self, width: usize, glyphs: Glyphs) -> Vec<WhatNowLine> {
        let mut rows = Vec::new();
        let mut number = 0;
        let room = width.saturating_sub(INDENT).max(1);
        let broken = |words: &str| text_pages::broken(words, room, glyphs).into_iter();
        for list in &self.lists {
            let mut headline = broken(&format!("{}  {}", list.rule, list.headline));
            rows.extend(
                headline
                    .next()
                    .map(|line| WhatNowLine::Verdict(list.severity, line)),
            );
            rows.extend(headline.map(WhatNowLine::Text));
            for step in &list.steps {
                let mut title = broken(&step.title);
                rows.extend(title.next().map(|line| WhatNowLine::Step(number, line)));
                rows.extend(title.map(WhatNowLine::Text));
                if !step.figures.is_empty() && !fits(step, width, glyphs) {
                    rows.extend(broken(&step.figures).map(WhatNowLine::Text));
                }
                // Where the title says all, it is not said twice.
                let is_open = |line: &&String| number == self.chosen && **line != step.title;
                for line in step.lines.iter().filter(is_open) {
                    rows.extend(broken(line).map(WhatNowLine::Text));
                }
                number += 1;
            }
        }
        rows
    }

    /// The chosen step stays in the window, its title before all of its text.
    fn follow(&mut self, height: usize) {
        let is_title =
            |row: &WhatNowLine| matches!(row, WhatNowLine::Step(at, _) if *at == self.chosen);
        let Some(title) = self.rows.iter().position(is_title) else {
            return;
        };
        let rest = self.rows.iter().skip(title + 1);
        let open = rest.take_while(|row| matches!(row, WhatNowLine::Text(_)));
        let end = title + 1 + open.count();
        // The verdict above the first of its steps is shown with it.
        let above = title.checked_sub(1).and_then(|at| self.rows.get(at));
        let start = title - usize::from(matches!(above, Some(WhatNowLine::Verdict(..))));
        let first = self.first.max(end.saturating_sub(height)).min(start);
        self.first = first.min(self.rows.len().saturating_sub(height));
    }
}

pub fn settle(state: &mut WhatNowState, cx: &Cx, body: Rect) {
    let glyphs = cx.theme.glyphs;
    let room = text_pages::room(body);
    let width = usize::from(room.width);
    let drawn_for = Some((width, glyphs, state.chosen));
    if state.drawn_for != drawn_for {
        state.drawn_for = drawn_for;
        state.rows = state.rows_in(width, glyphs);
    }
    state.follow(room.height.into());
}

/// What an action means while the steps lie over the view; None if it means something else.
pub fn act(state: &mut WhatNowState, action: Action, body: Rect) -> Option<Vec<Effect>> {
    let copied = |step: Option<&NextStep>| {
        let step = step.map(|step| vec![Effect::Copy(Clipboard::Lines(step.script()))]);
        Some(step.unwrap_or_default())
    };
    match action {
        Action::Enter => return copied(state.steps().nth(state.chosen)),
        Action::Copy => return copied(state.note()),
        _ => {}
    }
    let count = state.steps().count();
    let height = usize::from(text_pages::room(body).height);
    if let Some(to) = action.moved(state.chosen, count, height) {
        state.chosen = to.min(count.saturating_sub(1));
        return Some(Vec::new());
    }
    action.is_of_rows().then(Vec::new)
}

pub fn draw(state: &WhatNowState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let area = text_pages::area(body);
    text::clear(buffer, area);
    let room = text_pages::room(body);
    let ways = [
        (Action::Enter, "copies it"),
        (Action::Copy, "copies the incident note"),
        (Action::Back, "closes"),
    ];
    let ways = ways
        .iter()
        .filter_map(|(action, does)| Some(format!("{} {does}", cx.keymap.shown(*action)?)));
    let ways: Vec<String> = ways.collect();
    let place = format!("{} of {}", state.chosen + 1, state.steps().count());
    let panel = Panel::new(state.title.as_str()).aside(place);
    panel
        .footer(ways.join(", "))
        .focus(Focus::Here)
        .draw(buffer, area, theme);
    let steps: Vec<&NextStep> = state.steps().collect();
    for (row, index) in state.rows.iter().skip(state.first).zip(0..room.height) {
        let line = text::row(room, index);
        match row {
            WhatNowLine::Verdict(severity, headline) => {
                let style = theme.severity(*severity);
                let dot = Span::styled(sign::severity(*severity), style);
                let words = text::coded(headline, theme.title, theme);
                let spans: Vec<Span> = [dot, Span::raw(" ")].into_iter().chain(words).collect();
                text::left(buffer, line, &spans, theme);
            }
            WhatNowLine::Step(number, title) => {
                if let Some(step) = steps.get(*number) {
                    let is_chosen = *number == state.chosen;
                    draw_step(step, title, is_chosen, line, buffer, theme);
                }
            }
            WhatNowLine::Text(words) => {
                let start = u16::try_from(INDENT).unwrap_or(0);
                let room = text::column(line, start, line.width);
                text::left(buffer, room, &text::coded(words, theme.text, theme), theme);
            }
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

/// Whether the figures of a step stand next to its title.
fn fits(step: &NextStep, width: usize, glyphs: Glyphs) -> bool {
    let effect = step.effect.map_or("", |(_, words)| words);
    let words = [step.title.as_str(), effect, step.figures.as_str()];
    words
        .map(|words| text::width(words, glyphs) + 2)
        .iter()
        .sum::<usize>()
        <= width
}

/// `▶ 2 suffixes  fixes  11 % → 0 % throttled, 40,000 RU/s, new container`; figures that do not fit follow below.
fn draw_step(
    step: &NextStep,
    title: &str,
    is_chosen: bool,
    line: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let cursor = if is_chosen {
        theme.glyphs.signs().cursor
    } else {
        " "
    };
    let mut spans = vec![
        Span::styled(cursor, theme.accent),
        Span::raw(" "),
        Span::styled(title, theme.accent),
    ];
    if let Some((effect, words)) = step.effect {
        let style = match effect {
            RemedyEffect::Fixes => theme.good,
            _ => theme.warning,
        };
        spans.push(Span::styled(format!("  {words}"), style));
    }
    if fits(step, line.width.into(), theme.glyphs) {
        spans.push(Span::styled(format!("  {}", step.figures), theme.text));
    }
    text::left(buffer, line, &spans, theme);
    if is_chosen {
        text::lay(buffer, line, theme.cursor_row);
    }
}
