//! The partitions of one or two keys side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::{Bar, PlacesPanel, Row, Side};
use crate::model::units::percent_text;
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
/// Where there is room a partition has bars of two lines and a gap.
const MOST_LINES: u16 = 3;
const NAMES: u16 = 3;

/// Rows of a side, from the top.
#[derive(Clone, Copy, Debug)]
struct Parts {
    name: Rect,
    headings: Rect,
    rows: Rect,
    below: Rect,
}

/// For as many partitions: these come before what is said around them.
fn parts(room: Rect, partitions: usize) -> Parts {
    let height = room.height;
    let wanted = u16::try_from(partitions)
        .unwrap_or(u16::MAX)
        .max(LEAST_ROWS);
    let name = u16::from(height >= 2);
    let left = height - name;
    let is_merged = left < wanted;
    let spare = left - wanted.min(left);
    let (headings, below) = match (is_merged, spare) {
        (true, _) => (u16::from(height >= 6), u16::from(height >= 3)),
        (false, 0 | 1) => (0, spare),
        (false, _) => (1, (spare - 1).min((height / 5).clamp(1, MOST_BELOW))),
    };
    let [name, headings, rows, below] = Layout::vertical([
        Constraint::Length(name),
        Constraint::Length(headings),
        Constraint::Fill(1),
        Constraint::Length(below),
    ])
    .areas(room);
    Parts {
        name,
        headings,
        rows,
        below,
    }
}

/// How many rows a panel has for so many partitions.
pub fn rows(area: Rect, partitions: usize) -> usize {
    parts(pane::inside(area), partitions).rows.height.into()
}

/// Rows that the panel of so many partitions fills at most.
pub fn most_rows(partitions: usize) -> u16 {
    let rows = u16::try_from(partitions).unwrap_or(u16::MAX);
    rows.saturating_mul(MOST_LINES)
        .saturating_add(NAMES + MOST_BELOW)
}

/// Lines for each of so many rows: all the room is theirs.
fn lines_each(room: u16, rows: usize) -> u16 {
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(1);
    (room / rows).clamp(1, MOST_LINES)
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
    let refused = match width {
        58.. => 10,
        34.. => 7,
        _ => pane::from(width, 14, 2),
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
/// imbalance ×10.00 storage, ×10.00 …   imbalance ×1.02 storage, ×1.03 RU/s
/// ```
pub fn draw(buffer: &mut Buffer, area: Rect, made: &PlacesPanel, focus: Focus, theme: &Theme) {
    let inner = pane::draw(buffer, area, (&made.title, &made.aside), focus, theme);
    let count = u16::try_from(made.sides.len()).unwrap_or(1).max(1);
    let width = inner.width.saturating_sub(GAP * (count - 1)) / count;
    // Both sides have their rows side by side.
    let most = made.sides.iter().map(|side| side.rows.len()).max();
    for (side, at) in made.sides.iter().zip(0..) {
        let room = text::column(inner, at * (width + GAP), width);
        draw_side(buffer, room, made, (side, most.unwrap_or(0)), theme);
    }
}

fn draw_side(
    buffer: &mut Buffer,
    room: Rect,
    made: &PlacesPanel,
    (side, most): (&Side, usize),
    theme: &Theme,
) {
    let parts = parts(room, most);
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
    headings(buffer, parts.headings, (made, side), widths, theme);
    let each = lines_each(parts.rows.height, most);
    let mut taken = 0;
    for row in &side.rows {
        // The lines after the first repeat the bars alone.
        for line in 0..each.clamp(1, MOST_LINES - 1) {
            let at = text::row(parts.rows, taken + line);
            draw_row(buffer, at, made, row, (widths, line), theme);
        }
        taken += each;
    }
    // Right below the partitions, where these leave rows free.
    let free = parts.rows.height.saturating_sub(taken);
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

fn headings(
    buffer: &mut Buffer,
    line: Rect,
    (made, side): (&PlacesPanel, &Side),
    widths: [u16; 6],
    theme: &Theme,
) {
    let [label, stored, number_of_stored, load, number, _] = widths;
    let storage = text::column(line, label, stored + number_of_stored);
    if stored > 0 {
        pane::left(buffer, storage, &made.storage_of, theme.dim, theme);
    }
    let room = text::column(
        line,
        label + stored + number_of_stored + 1,
        (load + number).saturating_sub(1),
    );
    let is_long = text::width(&side.load_of, theme.glyphs) > room.width.into();
    let words = if is_long {
        made.load_of_short
    } else {
        &side.load_of
    };
    pane::left(buffer, room, words, theme.dim, theme);
}

fn draw_row(
    buffer: &mut Buffer,
    line: Rect,
    made: &PlacesPanel,
    row: &Row,
    (widths, index): ([u16; 6], u16),
    theme: &Theme,
) {
    let [label, stored, size, load, number, refused] = pane::columns(line, widths);
    let marks = |has: bool| if has { Marks::Shown } else { Marks::None };
    draw_bar(
        buffer,
        stored,
        &row.storage,
        marks(made.storage_has_marks),
        theme,
    );
    let load = if stored.width > 0 {
        text::column(load, 1, load.width.saturating_sub(1))
    } else {
        load
    };
    draw_bar(buffer, load, &row.load, marks(made.has_marks), theme);
    if index > 0 {
        return;
    }
    let words = text::column(label, 0, label.width.saturating_sub(1));
    pane::right(buffer, words, &row.label, theme.dim, theme);
    pane::right(buffer, size, &row.storage.text, theme.text, theme);
    let style = row.load.mark.map_or(theme.text, |mark| theme.mark(mark));
    pane::right(buffer, number, &row.load.text, style, theme);
    if let Some(share) = row.refused {
        let share = percent_text(share);
        let words = [format!("429 {share}"), format!("! {share}"), "!".to_owned()];
        let fits = |words: &&String| words.len() < refused.width.into();
        let words = words.iter().find(fits).map_or("!", String::as_str);
        text::right(buffer, refused, &[Span::styled(words, theme.alarm)], theme);
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
