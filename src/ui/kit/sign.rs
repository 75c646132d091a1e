//! Small signs beside content: where a list stands, what passed a mark, a word in a box.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::glyphs::Glyphs;
use super::text;
use super::theme::Theme;
use crate::analysis::ceiling::Mark;
use crate::analysis::findings::Severity;

/// Draws at the right edge where the visible rows stand in a list of `total` rows that is scrolled to its row `first`.
///
/// It may lie over the right side of a frame; nothing is drawn where all rows fit.
pub fn scroll(buffer: &mut Buffer, area: Rect, first: usize, total: usize, theme: &Theme) {
    let area = area.intersection(buffer.area);
    let rows = usize::from(area.height);
    if rows == 0 || area.width == 0 || total <= rows {
        return;
    }
    let sign = [Span::styled(theme.glyphs.signs().scroll_thumb, theme.border_focused)];
    let (start, length) = thumb(first, total, rows);
    for index in 0..area.height {
        if (start..start + length).contains(&usize::from(index)) {
            let last = text::column(text::row(area, index), area.width - 1, 1);
            text::left(buffer, last, &sign, theme);
        }
    }
}

/// Where the thumb starts and how long it is; it touches an end only when the list does.
fn thumb(first: usize, total: usize, rows: usize) -> (usize, usize) {
    let product = |a: usize, b: usize| a as u128 * b as u128;
    let narrow = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
    let length = narrow(product(rows, rows) / total.max(1) as u128).clamp(1, rows);
    let last = total.saturating_sub(rows).max(1);
    let room = rows - length;
    let start = narrow(product(first.min(last), room) / last as u128);
    let start = match first {
        0 => 0,
        _ if first >= last => room,
        _ if room >= 2 => start.clamp(1, room - 1),
        _ => start,
    };
    (start, length)
}

/// The sign of a severity, which tells it without colour: an alarm, a warning, a note.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Alarm => "●",
        Severity::Warn => "○",
        Severity::Note => "·",
    }
}

/// The sign of a mark, which tells it without colour; one column wide, blank below every mark.
pub fn mark_sign(mark: Mark, theme: &Theme) -> Span<'static> {
    let sign = match (theme.glyphs, mark) {
        (_, Mark::Below) => " ",
        (Glyphs::Unicode, Mark::Warn) => "△",
        (_, Mark::Alarm) => theme.glyphs.signs().alarm,
        (Glyphs::Unicode, Mark::Full) => "■",
        (Glyphs::Ascii, Mark::Warn) => "-",
        (Glyphs::Ascii, Mark::Full) => "X",
    };
    Span::styled(sign, theme.mark(mark))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ui::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

    fn scrolled(first: usize, total: usize) -> String {
        let area = Rect::new(0, 0, 3, 5);
        let mut buffer = Buffer::empty(area);
        scroll(&mut buffer, area, first, total, &theme());
        let lines = lines(&buffer);
        lines.iter().filter_map(|line| line.chars().nth(2)).collect()
    }

    #[test]
    fn the_thumb_stands_where_the_list_does() {
        assert_eq!(scrolled(0, 5), "     ");
        assert_eq!(scrolled(0, 10), "██   ");
        assert_eq!(scrolled(5, 10), "   ██");
        assert_eq!(scrolled(1, 1_000_000), " █   ");
        assert_eq!(scrolled(999_994, 1_000_000), "   █ ");
        assert_eq!(scrolled(usize::MAX, usize::MAX), "    █");
    }

    #[test]
    fn marks_are_told_without_colour() {
        let marks = [Mark::Below, Mark::Warn, Mark::Alarm, Mark::Full];
        for theme in [theme(), theme_ascii()] {
            let signs = marks.map(|mark| mark_sign(mark, &theme).content);
            let unlike: std::collections::HashSet<_> = signs.iter().collect();
            assert_eq!(unlike.len(), 4);
            assert!(signs.iter().all(|sign| text::width(sign, theme.glyphs) == 1));
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        assert_stays_inside(|buffer, area| {
            scroll(buffer, area, 3, 1000, &theme());
            scroll(buffer, area, usize::MAX, usize::MAX, &theme_ascii());
        });
    }

    proptest! {
        #[test]
        fn the_thumb_stays_on_its_track(first: usize, total: usize, rows in 1_usize..600) {
            let (start, length) = thumb(first, total, rows);
            prop_assert!(length >= 1 && start + length <= rows);
        }
    }
}
