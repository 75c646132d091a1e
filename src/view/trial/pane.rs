//! What the panels share: a frame or, in low rooms, a line of heading; columns from left to right; words of numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::analysis::trial::Trial;
use crate::model::visible::visible;
use crate::view::panel::{Focus, Panel};
use crate::view::text;
use crate::view::theme::Theme;

/// Lower or narrower rooms would lose too much to the lines of a frame.
const FRAMED_ROWS: u16 = 9;
const FRAMED_COLUMNS: u16 = 44;

fn is_framed(area: Rect) -> bool {
    area.height >= FRAMED_ROWS && area.width >= FRAMED_COLUMNS
}

/// The room below the heading.
pub fn inside(area: Rect) -> Rect {
    if is_framed(area) {
        let inner = Panel::inner(area);
        return text::column(inner, 1, inner.width.saturating_sub(2));
    }
    let heading = area.height.min(1);
    Rect {
        y: area.y.saturating_add(heading),
        height: area.height - heading,
        width: area.width.saturating_sub(1),
        ..area
    }
}

/// The rows of a room with the column right of it, which is free for the sign of where a list stands.
pub fn with_side(rows: Rect) -> Rect {
    Rect {
        width: rows.width.saturating_add(1),
        ..rows
    }
}

/// Draws the heading and returns the room below it; both texts are visible already.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (title, aside): (&str, &str),
    focus: Focus,
    theme: &Theme,
) -> Rect {
    if is_framed(area) {
        let style = match focus {
            Focus::Here => theme.accent,
            Focus::Away => theme.title,
        };
        let room = usize::from(area.width.saturating_sub(6));
        let title = text::shorten(title, room, theme.glyphs);
        let panel = Panel::new(Span::styled(title, style)).aside(aside);
        panel.focus(focus).draw(buffer, area, theme);
        return inside(area).intersection(buffer.area);
    }
    let line = text::row(area, 0);
    let style = match focus {
        Focus::Here => theme.accent,
        Focus::Away => theme.title,
    };
    let title = text::shorten(title, area.width.into(), theme.glyphs);
    let (title, aside) = (
        [Span::styled(title, style)],
        [Span::styled(aside, theme.dim)],
    );
    text::ends(buffer, line, &title, &aside, theme);
    inside(area).intersection(buffer.area)
}

/// Rooms of these widths side by side in the first row of an area.
pub fn columns<const N: usize>(row: Rect, widths: [u16; N]) -> [Rect; N] {
    let mut at = 0;
    widths.map(|columns| {
        let room = text::column(row, at, columns);
        at = at.saturating_add(columns);
        room
    })
}

/// A column that is there from a width of the whole on.
pub fn from(width: u16, least: u16, columns: u16) -> u16 {
    if width >= least { columns } else { 0 }
}

/// Draws our own words up to the right edge.
pub fn right(buffer: &mut Buffer, room: Rect, words: &str, style: Style, theme: &Theme) {
    let words = theme.glyphs.own(words);
    text::right(buffer, room, &[Span::styled(&*words, style)], theme);
}

/// Draws our own words from the left edge.
pub fn left(buffer: &mut Buffer, room: Rect, words: &str, style: Style, theme: &Theme) {
    let words = theme.glyphs.own(words);
    text::left(buffer, room, &[Span::styled(&*words, style)], theme);
}

/// A candidate as headings name it.
pub fn name(trial: &Trial) -> String {
    visible(&trial.candidate.to_string()).into_owned()
}

/// `1 key`, `1,234 keys`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        n => format!("{} {many}", crate::model::units::count_text(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

    #[test]
    fn low_rooms_have_a_line_and_high_ones_a_frame() {
        for (height, first, inner) in [
            (5, "sizes", Rect::new(0, 1, 43, 4)),
            (9, "┏ sizes", Rect::new(2, 1, 40, 7)),
        ] {
            let area = Rect::new(0, 0, 44, height);
            let mut buffer = Buffer::empty(area);
            let room = draw(
                &mut buffer,
                area,
                ("sizes", "of 20 GB"),
                Focus::Here,
                &theme(),
            );
            assert_eq!(room, inner);
            assert!(lines(&buffer).concat().starts_with(first));
            assert!(
                lines(&buffer)
                    .first()
                    .is_some_and(|l| l.contains("of 20 GB"))
            );
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        for theme in [theme(), theme_ascii()] {
            assert_stays_inside(|buffer, area| {
                let room = draw(buffer, area, ("a title", "aside"), Focus::Away, &theme);
                assert_eq!(room.intersection(area), room);
                left(buffer, room, "± left", theme.text, &theme);
                right(buffer, room, "right ±", theme.text, &theme);
            });
        }
    }
}
