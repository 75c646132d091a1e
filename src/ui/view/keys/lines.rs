//! Lines of a pane that is read from top to bottom: made once, then only scrolled and painted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::model::visible::display_width;
use crate::ui::kit::action::Action;
use crate::ui::kit::chart::{sparkline, stretched};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;

/// What a piece of text is, from which follows how it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineRole {
    Text,
    Dim,
    /// Text from outside, whose codes stand out.
    Outside,
    Mark(crate::analysis::ceiling::Mark),
    /// Of a chart.
    Series,
}

impl LineRole {
    fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Text | Self::Outside => theme.text,
            Self::Dim => theme.dim,
            Self::Mark(mark) => theme.mark(mark),
            Self::Series => theme.sparkline,
        }
    }
}

/// One row of a pane.
#[derive(Clone, PartialEq, Debug)]
pub enum PaneLine {
    Pieces(Vec<(LineRole, String)>),
    /// A series after a label, over the empty lines below it, too, where it has more than one row.
    Series {
        label: &'static str,
        values: Vec<Option<f64>>,
        top: f64,
        rows: u16,
    },
    /// A part of a whole after a label, with its number behind; the label and the number have their columns' width.
    Bucket {
        label: String,
        part: f64,
        mark: crate::analysis::ceiling::Mark,
        count: String,
    },
}

impl PaneLine {
    pub fn of(role: LineRole, text: impl Into<String>) -> Self {
        Self::Pieces(vec![(role, text.into())])
    }

    pub fn blank() -> Self {
        Self::Pieces(Vec::new())
    }
}

/// Columns of the words before facts.
pub const LABEL: usize = 11;

/// `label      text`, further lines below the text.
pub fn fact(label: &str, role: LineRole, text: &str, width: usize) -> Vec<PaneLine> {
    let room = width.saturating_sub(LABEL).max(1);
    let mut label = label;
    let lines = wrapped(text, room).into_iter().map(|piece| {
        let head = format!("{:<LABEL$}", std::mem::take(&mut label));
        PaneLine::Pieces(vec![(LineRole::Dim, head), (role, piece)])
    });
    lines.collect()
}

/// The lines of a sentence, never none.
pub fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let text = crate::report::wrap(sentence, width.max(1), "", "");
    text.lines().flat_map(|line| broken(line, width)).collect()
}

/// Visible text cut wherever a line is full; marks stay with their base.
pub fn broken(shown: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for c in shown.chars() {
        let columns = display_width(c.encode_utf8(&mut [0; 4]));
        if columns > 0 && used + columns > width.max(2) {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        line.push(c);
        used += columns;
    }
    lines.push(line);
    lines
}

/// What was made for a pane, of what, and how far it is scrolled.
#[derive(Clone, PartialEq, Debug)]
pub struct ScrolledLines<K> {
    made_of: Option<K>,
    lines: Vec<PaneLine>,
    scroll: Scroll,
}

impl<K> Default for ScrolledLines<K> {
    fn default() -> Self {
        Self { made_of: None, lines: Vec::new(), scroll: Scroll::default() }
    }
}

impl<K: PartialEq> ScrolledLines<K> {
    /// Makes the lines anew if what they are of has changed.
    pub fn settle(&mut self, made_of: K, height: usize, make: impl FnOnce() -> Vec<PaneLine>) {
        if self.made_of.as_ref() != Some(&made_of) {
            self.lines = make();
            self.made_of = Some(made_of);
        }
        self.scroll.settle(self.lines.len(), height);
    }

    pub fn clear(&mut self) {
        self.made_of = None;
        self.lines.clear();
    }

    /// Back to the first line.
    pub fn rewind(&mut self) {
        self.scroll = Scroll::default();
    }

    pub fn made_of(&self) -> Option<&K> {
        self.made_of.as_ref()
    }

    pub fn act(&mut self, action: Action, height: usize) {
        self.scroll.act(action, self.lines.len(), height);
    }

    /// How far it is scrolled, and how many lines there are.
    pub fn extent(&self) -> (usize, usize) {
        (self.scroll.first, self.lines.len())
    }

    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let lines = self.lines.iter().skip(self.scroll.first);
        for (line, index) in lines.zip(0..area.height) {
            draw_line(line, text::rows(area, index, area.height), buffer, theme);
        }
    }
}

/// At the top of its area; only a series uses more of it than the first row.
fn draw_line(line: &PaneLine, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let row = text::row(area, 0);
    match line {
        PaneLine::Pieces(pieces) => {
            let spans = pieces.iter().flat_map(|(role, text)| match role {
                LineRole::Outside => text::coded(text, role.style(theme), theme),
                _ => vec![Span::styled(text.as_str(), role.style(theme))],
            });
            text::left(buffer, row, &spans.collect::<Vec<Span>>(), theme);
        }
        PaneLine::Series { label, values, top, rows } => {
            let head = [Span::styled(format!("{label:<LABEL$}"), theme.dim)];
            let taken = text::left(buffer, row, &head, theme);
            if *rows > 1 {
                let columns = row.width.saturating_sub(taken).into();
                let chart = stretched(values, columns, (*rows).into(), *top, theme);
                for (spans, index) in chart.iter().zip(0..area.height) {
                    let room = text::column(text::row(area, index), taken, row.width);
                    text::left(buffer, room, spans, theme);
                }
                return;
            }
            let most = u16::try_from(values.len()).unwrap_or(u16::MAX).max(12);
            let room = text::column(row, taken, row.width.saturating_sub(taken).min(most));
            sparkline(buffer, room, values, *top, theme);
        }
        PaneLine::Bucket { label, part, mark, count } => {
            let label = [Span::styled(label.as_str(), theme.text)];
            let count = [Span::styled(count.as_str(), theme.mark(*mark))];
            let start = text::left(buffer, row, &label, theme) + 1;
            let taken = start + 1 + text::right(buffer, row, &count, theme);
            let bar = text::column(row, start, row.width.saturating_sub(taken));
            crate::ui::kit::bar::plain_bar(buffer, bar, *part, theme.fill(*mark), theme);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_where_a_line_is_full_and_marks_stay() {
        assert_eq!(broken("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(broken("東京都", 4), ["東京", "都"]);
        assert_eq!(broken("abce\u{301}f", 4), ["abce\u{301}", "f"]);
        assert_eq!(broken("", 4), [""]);
        assert_eq!(broken("東", 0), ["東"]);
        assert_eq!(wrapped("one unbreakable", 5), ["one", "unbre", "akabl", "e"]);
    }
}
