//! A share of a ceiling as a bar, and work done so far as a line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;
use crate::analysis::ceiling::{MARK_ALARM, MARK_WARN, Mark};
use crate::model::units::whole_usize;

/// A bar of one cell would say neither full nor empty.
const LEAST_CELLS: u16 = 2;
const EIGHTHS: f64 = 8.0;

/// How much of a bar is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Filled {
    cells: u16,
    eighths: usize,
}

/// Draws a share of the ceiling over the whole width of the first row, `████▌░░│░│░`; nothing below two cells.
///
/// The marks at 70 % and 90 % stay to be seen until they are reached. More than the whole ends in an arrow.
pub fn bar(buffer: &mut Buffer, area: Rect, share: f64, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if area.width < LEAST_CELLS {
        return;
    }
    let signs = theme.glyphs.signs();
    let fill = theme.fill(Mark::of(share));
    let marks = [MARK_WARN, MARK_ALARM].map(|mark| filled(mark, area.width).cells);
    let mut spans = fill_spans(share, area.width, fill, theme);
    let taken = filled(share, area.width);
    let mut from = taken.cells + u16::from(taken.eighths > 0);
    for to in marks.into_iter().chain([area.width]) {
        if to < from {
            continue;
        }
        let track = signs.bar_track.repeat((to - from).into());
        spans.push(Span::styled(track, theme.bar_track));
        if to < area.width {
            spans.push(Span::styled(signs.bar_mark, theme.bar_mark));
        }
        from = to + 1;
    }
    text::left(buffer, area, &spans, theme);
    if share > 1.0 {
        let over = [Span::styled(signs.bar_over, theme.full)];
        text::left(buffer, text::column(area, area.width - 1, 1), &over, theme);
    }
}

/// Draws a part of a whole that is no ceiling, in one style and without marks.
pub fn plain_bar(buffer: &mut Buffer, area: Rect, part: f64, style: Style, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if area.width < LEAST_CELLS {
        return;
    }
    let spans = fill_spans(part, area.width, style, theme);
    text::left(buffer, area, &spans, theme);
}

fn fill_spans(share: f64, width: u16, style: Style, theme: &Theme) -> Vec<Span<'static>> {
    let signs = theme.glyphs.signs();
    let filled = filled(share, width);
    let mut spans = vec![Span::styled(signs.bar_full.repeat(filled.cells.into()), style)];
    let part = filled.eighths.checked_sub(1);
    if let Some(sign) = part.and_then(|at| signs.bar_part.get(at)) {
        spans.push(Span::styled(*sign, style));
    }
    spans
}

/// Never full before the whole is reached, and never empty where there is something.
fn filled(share: f64, width: u16) -> Filled {
    if share >= 1.0 {
        return Filled { cells: width, eighths: 0 };
    }
    if share.is_nan() {
        return filled(0.0, width);
    }
    let most = f64::from(width) * EIGHTHS - 1.0;
    // Shares such as 0.7 lie a hair below their cell.
    let wanted = (share * f64::from(width) * EIGHTHS + 1e-9).floor();
    let least = if share > 0.0 { 1.0 } else { 0.0 };
    let eighths = whole_usize(wanted.min(most).max(least));
    Filled { cells: u16::try_from(eighths / 8).unwrap_or(width), eighths: eighths % 8 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ui::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

    const ODD: [f64; 10] =
        [0.0, 0.001, 0.7, 0.999_999, 1.0, 1.05, 50.0, -1.0, f64::NAN, f64::INFINITY];

    fn drawn(width: u16, draw: impl FnOnce(&mut Buffer, Rect)) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area);
        lines(&buffer).concat()
    }

    fn bar_text(width: u16, share: f64, theme: &Theme) -> String {
        drawn(width, |buffer, area| bar(buffer, area, share, theme))
    }

    #[test]
    fn bars_fill_by_eighths_and_keep_their_marks() {
        let of = |share| bar_text(10, share, &theme());
        assert_eq!(of(0.0), "░░░░░░░│░│");
        assert_eq!(of(0.000_1), "▏░░░░░░│░│");
        assert_eq!(of(0.45), "████▌░░│░│");
        assert_eq!(of(0.7), "███████│░│");
        assert_eq!(of(0.9), "█████████│");
        assert_eq!(of(0.999_999), "█████████▉");
        assert_eq!(of(1.0), "██████████");
        for share in [1.05, 50.0, f64::INFINITY] {
            assert_eq!(of(share), "█████████▶");
        }
        for share in [f64::NAN, -1.0, f64::NEG_INFINITY] {
            assert_eq!(of(share), of(0.0));
        }
        assert_eq!(bar_text(1, 0.5, &theme()), " ");
        assert_eq!(bar_text(2, 0.5, &theme()), "█│");
        assert_eq!(bar_text(10, 0.45, &theme_ascii()), "####=..|.|");
        assert_eq!(bar_text(10, 1.05, &theme_ascii()), "#########>");
    }

    #[test]
    fn a_bar_carries_the_colour_of_its_mark() {
        let theme = theme();
        for share in ODD {
            let area = Rect::new(0, 0, 10, 1);
            let mut buffer = Buffer::empty(area);
            bar(&mut buffer, area, share, &theme);
            let filled = share > 0.0;
            let expected = theme.fill(Mark::of(share)).fg;
            assert_eq!(expected == Some(buffer.content[0].fg), filled, "{share}");
        }
    }

    #[test]
    fn nothing_is_drawn_outside() {
        for theme in [theme(), theme_ascii()] {
            for share in ODD {
                assert_stays_inside(|buffer, area| {
                    bar(buffer, area, share, &theme);
                    plain_bar(buffer, area, share, Style::new(), &theme);
                });
            }
        }
    }

    proptest! {
        #[test]
        fn every_share_fills_its_room(share in any::<f64>(), width in 2_u16..200) {
            let text = bar_text(width, share, &theme());
            prop_assert_eq!(text.chars().count(), usize::from(width));
            prop_assert!(!text.contains(' '));
            let is_full = text.chars().all(|c| matches!(c, '█' | '▶'));
            prop_assert_eq!(is_full, share >= 1.0);
        }
    }
}
