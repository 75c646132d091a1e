//! What the panels share: a line of heading and the room below it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use crate::analysis::trial::Trial;
use crate::model::visible::visible;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;

/// The room below the heading; the column right of it is free for the sign of where a list stands.
pub fn inside(area: Rect) -> Rect {
    let heading = area.height.min(1);
    Rect {
        y: area.y.saturating_add(heading),
        height: area.height - heading,
        width: area.width.saturating_sub(1),
        ..area
    }
}

/// The rows of a room with the column right of it.
pub fn with_side(rows: Rect) -> Rect {
    Rect { width: rows.width.saturating_add(1), ..rows }
}

/// The place in a list under the pointer: its rows lie in a room, the row `first` uppermost.
pub fn place_at(rows: Rect, first: usize, count: usize, pointer: Position) -> Option<usize> {
    let below = pointer.y.checked_sub(rows.y)?;
    let place = first.saturating_add(usize::from(below));
    (rows.contains(pointer) && place < count).then_some(place)
}

/// Draws the heading and returns the room below it; both texts are visible already.
///
/// ```text
/// ─ sizes of /deviceId ──────────────── largest 3.97 GiB, 19.9 % ─
/// ```
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (title, aside): (&str, &str),
    focus: Focus,
    theme: &Theme,
) -> Rect {
    let line = text::row(area, 0);
    let signs = theme.glyphs.signs();
    let (frame, border, style) = match focus {
        Focus::Here => (&signs.frame_focused, theme.border_focused, theme.accent),
        Focus::Away => (&signs.frame, theme.border, theme.title),
    };
    let rule = frame.horizontal.repeat(line.intersection(buffer.area).width.into());
    text::left(buffer, line, &[Span::styled(rule, border)], theme);
    let room = text::column(line, 1, line.width.saturating_sub(2));
    let title = text::shorten(title, room.width.saturating_sub(2).into(), theme.glyphs);
    let after = if title.is_empty() { "" } else { " " };
    let title = [Span::raw(after), Span::styled(title, style), Span::raw(after)];
    let before = if aside.is_empty() { "" } else { " " };
    let aside = [Span::raw(before), Span::styled(aside, theme.dim), Span::raw(before)];
    let taken: usize = aside.iter().map(|s| text::width(&s.content, theme.glyphs)).sum();
    let used = text::left(buffer, room, &title, theme);
    if usize::from(room.width.saturating_sub(used)) > taken + 2 {
        text::right(buffer, room, &aside, theme);
    }
    inside(area).intersection(buffer.area)
}

/// A candidate as headings name it.
pub fn name(trial: &Trial) -> String {
    visible(&trial.candidate.to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

    #[test]
    fn a_heading_tells_the_focus_without_colour() {
        let area = Rect::new(0, 0, 30, 5);
        let heading = |focus, theme: &Theme| {
            let mut buffer = Buffer::empty(area);
            let room = draw(&mut buffer, area, ("sizes", "of 20 GB"), focus, theme);
            assert_eq!(room, Rect::new(0, 1, 29, 4));
            lines(&buffer).swap_remove(0)
        };
        assert_eq!(heading(Focus::Away, &theme()), "─ sizes ─────────── of 20 GB ─");
        for theme in [theme(), theme_ascii()] {
            assert_ne!(heading(Focus::Away, &theme), heading(Focus::Here, &theme));
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        for theme in [theme(), theme_ascii()] {
            assert_stays_inside(|buffer, area| {
                let room = draw(buffer, area, ("a title", "aside"), Focus::Away, &theme);
                assert_eq!(room.intersection(area), room);
            });
        }
    }
}
