//! The partitions of one or two keys side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Bar, PlacesPanel, Row, Side};
use crate::analysis::ceiling::Mark;
use crate::model::units::rounded_text;
use crate::ui::kit::bar::{bar, plain_bar};
use crate::ui::kit::panel::Focus;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};
use crate::ui::view::trial::pane;

/// Between two sides.
const GAP: u16 = 3;
/// A row of partitions stays, whatever else goes.
const LEAST_ROWS: u16 = 1;
const MOST_BELOW: u16 = 4;

/// Rows of a side, from the top.
#[derive(Clone, Copy, Debug)]
struct Parts {
    name: Rect,
    headings: Rect,
    rows: Rect,
    below: Rect,
}

fn parts(room: Rect) -> Parts {
    let height = room.height;
    let when = |least: u16| u16::from(height >= least);
    let name = when(2);
    let headings = when(6);
    let below = when(3) + (height / 5).min(MOST_BELOW - 1);
    let below = below.min(height.saturating_sub(name + headings + LEAST_ROWS));
    let rows = height - name - headings - below;
    let [name, headings, rows, below] = pane::rows(room, [name, headings, rows, below]);
    Parts {
        name,
        headings,
        rows,
        below,
    }
}

/// How many rows a panel has for partitions.
pub fn rows(area: Rect) -> usize {
    parts(pane::inside(area)).rows.height.into()
}

/// The columns of one side: label, stored, its number, load, its number, refused.
///
/// ```text
///  3 ▇▇▇▇▇▇│▇░│░  38.10 GiB ▇▇▇▇▇▇▇▇▇▶    12,500 ! 20.0 %
/// ```
fn widths(width: u16, label: u16) -> [u16; 6] {
    let label = label.saturating_add(1).min(width / 3);
    let size = pane::from(width, 40, 11);
    let load = pane::from(width, 17, 8);
    let refused = if width >= 58 {
        10
    } else {
        pane::from(width, 14, 2)
    };
    let rest = width.saturating_sub(label + size + load + refused);
    let stored = if width >= 28 { rest / 2 } else { 0 };
    [label, stored, size, rest - stored, load, refused]
}

/// ```text
/// ─ 10 physical partitions ──────────────────────────────── by hash range ─
/// current /month         very uneven   /deviceId                   even
/// 0 ░░░░░░░░░░  0 KiB ░░░░░░░     0    0 ▇▇░░░░ 9.80 GiB ▇▇▇▇▇▇░  5,210
/// 1 ▇▇▇▇▇▇▇▇▇▶ 98 GiB ▇▇▇▇▇▇▶ 52,000!  1 ▇▇░░░░ 9.71 GiB ▇▇▇▇▇▇░  5,190
/// S 10.00 bytes, 10.00 RU, refused …   S 1.02 bytes, 1.03 RU, refused 0
/// ```
pub fn draw(buffer: &mut Buffer, area: Rect, made: &PlacesPanel, focus: Focus, theme: &Theme) {
    let inner = pane::draw(buffer, area, (&made.title, &made.aside), focus, theme);
    let count = u16::try_from(made.sides.len()).unwrap_or(1).max(1);
    let width = inner.width.saturating_sub(GAP * (count - 1)) / count;
    for (side, at) in made.sides.iter().zip(0..) {
        let room = text::column(inner, at * (width + GAP), width);
        draw_side(buffer, room, made, side, theme);
    }
}

fn draw_side(buffer: &mut Buffer, room: Rect, made: &PlacesPanel, side: &Side, theme: &Theme) {
    let parts = parts(room);
    let (word, mark) = side.evenness;
    let words = [
        sign::mark_sign(mark, theme),
        Span::raw(" "),
        Span::styled(word, theme.mark(mark)),
    ];
    let taken = text::right(buffer, parts.name, &words, theme);
    let name = text::column(parts.name, 0, room.width.saturating_sub(taken + 1));
    text::middle(buffer, name, &side.name, theme.title, theme);
    let widest = side.rows.iter().map(|row| row.label.len()).max();
    let label = u16::try_from(widest.unwrap_or(0)).unwrap_or(u16::MAX);
    let widths = widths(room.width, label);
    headings(buffer, parts.headings, made, widths, theme);
    for (row, index) in side.rows.iter().zip(0..parts.rows.height) {
        draw_row(
            buffer,
            text::row(parts.rows, index),
            made,
            row,
            widths,
            theme,
        );
    }
    // Right below the partitions, where these leave rows free.
    let free = parts
        .rows
        .height
        .saturating_sub(u16::try_from(side.rows.len()).unwrap_or(u16::MAX));
    let room = Rect {
        y: parts.below.y.saturating_sub(free),
        height: parts.below.height + free,
        ..parts.below
    };
    below(buffer, room, &side.below, theme);
}

/// The first line is the shortest one that says it all; where there is room the others follow.
fn below(buffer: &mut Buffer, room: Rect, lines: &[String], theme: &Theme) {
    let mut taken = 0;
    for line in lines {
        if taken >= room.height {
            break;
        }
        let rest = Rect {
            y: room.y.saturating_add(taken),
            height: room.height - taken,
            ..room
        };
        taken += text::paragraph(buffer, rest, line, theme.text, theme);
    }
}

fn headings(buffer: &mut Buffer, line: Rect, made: &PlacesPanel, widths: [u16; 6], theme: &Theme) {
    let [label, stored, size, load, number, _] = widths;
    let storage = text::column(line, label, stored + size);
    if stored > 0 {
        pane::left(buffer, storage, &made.storage_of, theme.dim, theme);
    }
    let room = text::column(
        line,
        label + stored + size + 1,
        (load + number).saturating_sub(1),
    );
    let is_long = text::width(&made.load_of, theme.glyphs) > room.width.into();
    let words = if is_long {
        made.load_of_short
    } else {
        &made.load_of
    };
    pane::left(buffer, room, words, theme.dim, theme);
}

fn draw_row(
    buffer: &mut Buffer,
    line: Rect,
    made: &PlacesPanel,
    row: &Row,
    widths: [u16; 6],
    theme: &Theme,
) {
    let [label, stored, size, load, number, refused] = pane::columns(line, widths);
    let words = text::column(label, 0, label.width.saturating_sub(1));
    pane::right(buffer, words, &row.label, theme.dim, theme);
    let marks = |has: bool| if has { Marks::Shown } else { Marks::None };
    draw_bar(
        buffer,
        stored,
        &row.storage,
        marks(made.storage_has_marks),
        theme,
    );
    pane::right(buffer, size, &row.storage.text, theme.text, theme);
    let load = if stored.width > 0 {
        text::column(load, 1, load.width.saturating_sub(1))
    } else {
        load
    };
    draw_bar(buffer, load, &row.load, marks(made.has_marks), theme);
    let style = row.load.mark.map_or(theme.text, |mark| theme.mark(mark));
    pane::right(buffer, number, &row.load.text, style, theme);
    if let Some(share) = row.refused {
        let sign = sign::mark_sign(Mark::Full, theme);
        let short = Span::styled(sign.content, theme.alarm);
        let long = format!("429 {:>3} %", rounded_text(share * 100.0));
        let words = if usize::from(refused.width) > long.len() {
            Span::styled(long, theme.alarm)
        } else {
            short
        };
        text::right(buffer, refused, &[words], theme);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Marks {
    Shown,
    None,
}

fn draw_bar(buffer: &mut Buffer, room: Rect, of: &Bar, marks: Marks, theme: &Theme) {
    if marks == Marks::Shown {
        bar(buffer, room, of.part, theme);
        return;
    }
    let track = [Span::styled(
        theme.glyphs.signs().bar_track.repeat(room.width.into()),
        theme.bar_track,
    )];
    text::left(buffer, room, &track, theme);
    let style = of.mark.map_or(theme.sparkline, |mark| theme.fill(mark));
    plain_bar(buffer, room, of.part, style, theme);
}
