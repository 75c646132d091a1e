//! What every key does, made from the table of actions and the keys in force, and what the signs on the screen mean.

mod legend;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::papers;
use crate::analysis::filter;
use crate::ui::kit::action::{ACTIONS, Action, ActionWords, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::keymap::{Keymap, key_cap};
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::sign;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;

/// From this width on the name of each action, as the palette knows it, stands beside its sentence.
const WIDTH_FOR_NAMES: usize = 92;
const NAME_COLUMNS: usize = 20;
/// Keys never take more than this; what needs more is cut.
const MOST_KEY_COLUMNS: usize = 22;
const GAP: usize = 2;

type Row = Vec<Span<'static>>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HelpState {
    pub scroll: Scroll,
    rows: Vec<Row>,
}

fn room(body: Rect) -> Rect {
    let inner = Panel::inner(body);
    text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner)
}

/// Two columns of a table, the second one wrapped.
struct Table<'t> {
    theme: &'t Theme,
    width: usize,
    left: usize,
    rows: Vec<Row>,
}

impl Table<'_> {
    fn heading(&mut self, words: &str) {
        if !self.rows.is_empty() {
            self.rows.push(Row::new());
        }
        let words = self.theme.glyphs.sentence(words).into_owned();
        self.rows.push(vec![Span::styled(words, self.theme.title)]);
    }

    /// A row whose first column is already styled; `name` stands in a third one where there is room for it.
    fn row(&mut self, first: Row, meaning: &str, name: &str) {
        let glyphs = self.theme.glyphs;
        let names = if self.width >= WIDTH_FOR_NAMES {
            NAME_COLUMNS + GAP
        } else {
            0
        };
        let room = self.width.saturating_sub(self.left + GAP + names).max(1);
        let used: usize = first.iter().map(|s| text::width(&s.content, glyphs)).sum();
        let mut first = Some(first);
        for (at, line) in text::wrapped(meaning, room, glyphs).into_iter().enumerate() {
            let mut row = first.take().unwrap_or_default();
            let taken = if at == 0 { used } else { 0 };
            row.push(Span::raw(
                " ".repeat((self.left + GAP).saturating_sub(taken)),
            ));
            let pad = room.saturating_sub(text::width(&line, glyphs)) + GAP;
            row.push(Span::styled(line, self.theme.text));
            if at == 0 && names > 0 && !name.is_empty() {
                row.push(Span::raw(" ".repeat(pad)));
                row.push(Span::styled(format!(":{name}"), self.theme.dim));
            }
            self.rows.push(row);
        }
    }
}

fn chords(keymap: &Keymap, action: Action) -> String {
    let caps: Vec<String> = keymap.chords(action).iter().map(|c| key_cap(*c)).collect();
    caps.join(", ")
}

/// Everything the help says, for a width.
fn rows(cx: &Cx, width: usize) -> Vec<Row> {
    let theme = &cx.theme;
    let keys = |about: &ActionWords| text::width(&chords(&cx.keymap, about.action), theme.glyphs);
    let widest = ACTIONS.iter().map(keys).max().unwrap_or_default();
    let mut table = Table {
        theme,
        width,
        left: widest.min(MOST_KEY_COLUMNS).min(width / 2),
        rows: Vec::new(),
    };
    for context in Context::ALL {
        table.heading(context.title());
        for about in ACTIONS.iter().filter(|about| about.context == context) {
            let keys = match chords(&cx.keymap, about.action) {
                none if none.is_empty() && context != Context::Prompt => format!(":{}", about.name),
                keys => keys,
            };
            let keys = text::shorten(&keys, table.left, theme.glyphs);
            let first = vec![Span::styled(keys, theme.key_hint)];
            let name = match context {
                Context::Prompt => "",
                _ => about.name,
            };
            table.row(first, about.help, name);
        }
    }
    table.heading("Filters of keys");
    for piece in filter::HELP {
        let first = vec![Span::styled(piece.example, theme.input)];
        table.row(first, piece.meaning, "");
    }
    legend::write(&mut table);
    table.rows
}

pub fn settle(state: &mut HelpState, cx: &Cx, body: Rect) {
    let room = room(body);
    state.rows = rows(cx, room.width.into());
    state.scroll.settle(state.rows.len(), room.height.into());
}

/// What an action means while the help lies over the view; None if it means something else.
pub fn act(state: &mut HelpState, action: Action, body: Rect) -> Option<Vec<Effect>> {
    if action == Action::Copy {
        let line = |row: &Row| row.iter().map(|span| &*span.content).collect::<String>();
        let lines: Vec<String> = state.rows.iter().map(line).collect();
        return Some(vec![Effect::Copy(Clipboard::Lines(lines))]);
    }
    let height = usize::from(room(body).height);
    let moved = state.scroll.act(action, state.rows.len(), height);
    (moved || action.is_of_rows()).then(Vec::new)
}

/// ```text
/// ┏ help ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1-19 of 96 ┓
/// ┃ Everywhere                                     █
/// ┃ ?, f1     What every key does …      :help     ┃
/// ┗ : runs any command by its name ━━━━━━━━━━━━━━━━┛
/// ```
pub fn draw(state: &HelpState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    text::clear(buffer, body);
    let room = room(body);
    let place = state.scroll.place(state.rows.len(), room.height.into());
    let palette = cx.keymap.shown(Action::Palette);
    let foot = palette.map(|key| format!("{key} runs any command by its name"));
    let panel = Panel::new("help").aside(place).focus(Focus::Here);
    panel
        .footer(foot.unwrap_or_default())
        .draw(buffer, body, theme);
    let shown = state.rows.iter().skip(state.scroll.first);
    for (row, index) in shown.zip(0..room.height) {
        text::left(buffer, text::row(room, index), row, theme);
    }
    sign::scroll(
        buffer,
        papers::side(body),
        state.scroll.first,
        state.rows.len(),
        theme,
    );
}
