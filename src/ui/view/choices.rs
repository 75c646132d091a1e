//! A list over the view whose chosen entry is open: lines of it stand below its title, and stay in the window with it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::text_pages;
use crate::analysis::findings::Severity;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};

/// Columns before the text of an entry: cursor, number.
pub const INDENT: usize = 5;

/// What a verdict says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Good,
    Warning,
    Alarm,
}

/// A line of the list.
#[derive(Clone, PartialEq, Debug)]
pub enum ChoiceLine {
    Verdict(Severity, String),
    Heading(String),
    /// The title of an entry: its place in the list, what it is, its verdict in words.
    Entry(usize, String, Option<(Tone, String)>),
    /// An entry that is none of those that are counted: what the others rest on.
    Rest(usize, String),
    /// Of the entry above, or what did not fit above.
    Text(String),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choices {
    pub chosen: usize,
    pub first: usize,
    pub rows: Vec<ChoiceLine>,
}

impl Choices {
    /// The chosen entry stays in the window, its title before all of its text.
    pub fn follow(&mut self, height: usize) {
        let is_title = |row: &ChoiceLine| matches!(row, ChoiceLine::Entry(at, ..) | ChoiceLine::Rest(at, _) if *at == self.chosen);
        let Some(title) = self.rows.iter().position(is_title) else {
            return;
        };
        let rest = self.rows.iter().skip(title + 1);
        let open = rest.take_while(|row| matches!(row, ChoiceLine::Text(_)));
        let end = title + 1 + open.count();
        // Headings above the first of their entries are shown with it.
        let above = self.rows.get(..title).unwrap_or_default().iter().rev();
        let of_entry =
            |row: &&ChoiceLine| !matches!(row, ChoiceLine::Entry(..) | ChoiceLine::Text(_));
        // Above the first entry stands what the list is about.
        let start = match title - above.take_while(of_entry).count() {
            _ if self.chosen == 0 && title < height => 0,
            start => start,
        };
        let first = self.first.max(end.saturating_sub(height)).min(start);
        self.first = first.min(self.rows.len().saturating_sub(height));
    }

    /// Moves as an action asks in a list of so many entries; false if it asks for something else.
    pub fn act(&mut self, action: Action, count: usize, height: usize) -> bool {
        let to = action.moved(self.chosen, count, height);
        self.chosen = to.unwrap_or(self.chosen).min(count.saturating_sub(1));
        to.is_some()
    }

    /// The frame with its title and what keys do, and the lines in `room`.
    pub fn draw(
        &self,
        (title, place, ways): (&str, String, String),
        (area, room): (Rect, Rect),
        cx: &Cx,
        buffer: &mut Buffer,
    ) {
        let theme = &cx.theme;
        text::clear(buffer, area);
        let panel = Panel::new(title).aside(place).footer(ways);
        panel.focus(Focus::Here).draw(buffer, area, theme);
        for (row, index) in self.rows.iter().skip(self.first).zip(0..room.height) {
            draw_line(row, self.chosen, text::row(room, index), INDENT, buffer, theme);
        }
        let side = text_pages::side(area);
        sign::scroll(buffer, side, self.first, self.rows.len(), theme);
    }
}

pub fn draw_line(
    row: &ChoiceLine,
    chosen: usize,
    line: Rect,
    indent: usize,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let spans: Vec<Span<'_>> = match row {
        ChoiceLine::Verdict(severity, headline) => {
            let dot = Span::styled(sign::severity(*severity), theme.severity(*severity));
            let words = text::coded(headline, theme.title, theme);
            [dot, Span::raw(" ")].into_iter().chain(words).collect()
        }
        ChoiceLine::Heading(words) => vec![Span::styled(words.as_str(), theme.title)],
        ChoiceLine::Entry(at, words, verdict) => {
            let signs = theme.glyphs.signs();
            let cursor = if *at == chosen { signs.cursor } else { " " };
            let lead = format!("{cursor} {:<2} ", at + 1);
            let verdict = verdict.iter().map(|(tone, words)| {
                let style = match tone {
                    Tone::Good => theme.good,
                    Tone::Warning => theme.warning,
                    Tone::Alarm => theme.severity(Severity::Alarm),
                };
                Span::styled(words.as_str(), style)
            });
            let lead = Span::styled(lead, theme.accent);
            let words = Span::styled(words.as_str(), theme.accent);
            [lead, words].into_iter().chain(verdict).collect()
        }
        ChoiceLine::Rest(at, words) => {
            let cursor = if *at == chosen { theme.glyphs.signs().cursor } else { " " };
            let lead = Span::styled(format!("{cursor:<INDENT$}"), theme.accent);
            vec![lead, Span::styled(words.as_str(), theme.text)]
        }
        ChoiceLine::Text(words) => {
            let start = u16::try_from(indent).unwrap_or(0);
            let room = text::column(line, start, line.width);
            text::left(buffer, room, &text::coded(words, theme.text, theme), theme);
            return;
        }
    };
    text::left(buffer, line, &spans, theme);
    if matches!(row, ChoiceLine::Entry(at, ..) | ChoiceLine::Rest(at, _) if *at == chosen) {
        text::lay(buffer, line, theme.cursor_row);
    }
}

/// As many of the first entries are open as `height` has room for, and the chosen one: `rows` writes them.
pub fn rows(
    count: usize,
    height: usize,
    rows: impl Fn(usize) -> Vec<ChoiceLine>,
) -> Vec<ChoiceLine> {
    let mut longest = (1..=count).rev().map(&rows);
    let found = longest.find(|rows| rows.len() <= height);
    found.unwrap_or_else(|| rows(0))
}

/// Lines of an entry, broken where the window is narrow.
pub fn texts(line: &str, width: usize, glyphs: Glyphs) -> impl Iterator<Item = ChoiceLine> {
    let lines = text_pages::broken(line, width.saturating_sub(INDENT).max(1), glyphs);
    lines.into_iter().map(ChoiceLine::Text)
}
