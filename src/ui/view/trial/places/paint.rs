//! The partitions of one or two keys side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::{Bar, PlacesPanel, Row, Side};
use crate::model::units::percent_text;
use crate::ui::kit::bar::{bar, plain_bar};
use crate::ui::kit::panel::Focus;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit, headings};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};
use crate::ui::view::trial::pane;

/// Between two sides.
const GAP: u16 = 3;
/// A row of partitions stays, whatever else goes.
const LEAST_ROWS: u16 = 1;
const MOST_BELOW: u16 = 4;
/// Where there is room a partition has bars of some lines and a gap.
const MOST_LINES: u16 = 4;
const NAMES: u16 = 3;
/// What the throttled part of a partition is a part of.
const OF_REFUSED: &str = "of its RU";

/// For as many partitions: these come before what is said around them.
fn parts(room: Rect, partitions: usize) -> [Rect; 4] {
    let height = room.height;
    let wanted = u16::try_from(partitions).unwrap_or(u16::MAX).max(LEAST_ROWS);
    let name = u16::from(height >= 2);
    let left = height - name;
    let is_merged = left < wanted;
    let spare = left - wanted.min(left);
    let (headings, below) = match (is_merged, spare) {
        (true, _) => (u16::from(height >= 6), u16::from(height >= 3)),
        (false, 0) => (0, 0),
        // Units come before what `uneven` says already.
        (false, _) => (1, (spare - 1).min((height / 5).clamp(1, MOST_BELOW))),
    };
    let [name, headings, rows, below] = Layout::vertical([
        Constraint::Length(name),
        Constraint::Length(headings),
        Constraint::Fill(1),
        Constraint::Length(below),
    ])
    .areas(room);
    [name, headings, rows, below]
}

/// How many rows a panel has for so many partitions.
pub fn rows(area: Rect, partitions: usize) -> usize {
    let [_, _, rows, _] = parts(pane::inside(area), partitions);
    rows.height.into()
}

/// Rows that the panel of so many partitions fills at most.
pub fn most_rows(partitions: usize) -> u16 {
    let rows = u16::try_from(partitions).unwrap_or(u16::MAX);
    rows.saturating_mul(MOST_LINES).saturating_add(NAMES + MOST_BELOW)
}

/// Lines for each of so many rows: all the room is theirs.
fn lines_each(room: u16, rows: usize) -> u16 {
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(1);
    (room / rows).clamp(1, MOST_LINES)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Label,
    Stored,
    Size,
    Load,
    Number,
    Refused,
}

/// The columns of one side; both bars grow alike.
///
/// ```text
///  3 ▇▇▇▇▇▇│▇░│░  38.10 GiB ▇▇▇▇▇▇▇▇▇▶    12,500 ! 20.0 %
/// ```
fn columns(width: u16, label: u16) -> Vec<TableColumn<Column>> {
    let label = label.min(width / 3);
    let bar = width.saturating_sub(label + 30) / 2;
    let bar = bar.max(5);
    let specs = [
        ColumnSpec::new(Column::Label, "", label, label, 0, Align::Right),
        ColumnSpec::new(Column::Stored, "", 5, bar, 5, Align::Left),
        ColumnSpec::new(Column::Size, "", 9, 9, 4, Align::Right),
        ColumnSpec::new(Column::Load, "", 5, bar, 2, Align::Left),
        ColumnSpec::new(Column::Number, "", 7, 7, 1, Align::Right),
        ColumnSpec::new(Column::Refused, "", 1, 9, 3, Align::Right),
    ];
    fit(&specs, 0, width)
}

/// ```text
/// ─ 10 physical partitions ──────────────────────────────── by hash range ─
/// current /month         very uneven   /deviceId                   even
/// 0 ░░░░░░░░░░  0 KiB ░░░░░░░     0    0 ▇▇░░░░ 9.80 GiB ▇▇▇▇▇▇░  5,210
/// 1 ▇▇▇▇▇▇▇▇▇▶ 98 GiB ▇▇▇▇▇▇▶ 52,000!  1 ▇▇░░░░ 9.71 GiB ▇▇▇▇▇▇░  5,190
/// imbalance ×10.00 storage, ×10.00 …   imbalance ×1.02 storage, ×1.03 RU/s
/// ```
pub fn draw(buffer: &mut Buffer, area: Rect, made: &PlacesPanel, focus: Focus, theme: &Theme) {
    // Both sides have their rows side by side.
    let rows = made.sides.iter().map(|side| side.rows.len());
    let most = rows.max().unwrap_or(0);
    let [_, heads, ..] = parts(pane::inside(area), most);
    let load = match made.sides.as_slice() {
        [side] => &*side.load_of,
        _ => made.load_of_short,
    };
    // Units stand above the bars, or here.
    let units = format!(": {}, {load}", made.storage_of);
    let title = made.title.clone() + if heads.height > 0 { "" } else { &units };
    let inner = pane::draw(buffer, area, (&title, &made.aside), focus, theme);
    let count = u16::try_from(made.sides.len()).unwrap_or(1).max(1);
    let width = inner.width.saturating_sub(GAP * (count - 1)) / count;
    for (side, at) in made.sides.iter().zip(0..) {
        let room = text::column(inner, at * (width + GAP), width);
        draw_side(buffer, room, made, (side, most), theme);
    }
}

fn draw_side(
    buffer: &mut Buffer,
    room: Rect,
    made: &PlacesPanel,
    (side, most): (&Side, usize),
    theme: &Theme,
) {
    let [title, head, list, foot] = parts(room, most);
    let (word, mark) = side.evenness;
    let words =
        [sign::mark_sign(mark, theme), Span::raw(" "), Span::styled(word, theme.mark(mark))];
    let taken = text::right(buffer, title, &words, theme);
    let name = text::column(title, 0, room.width.saturating_sub(taken + 1));
    text::middle(buffer, name, &side.name, theme.title, theme);
    let widest = side.rows.iter().map(|row| row.label.len()).max();
    let label = u16::try_from(widest.unwrap_or(0)).unwrap_or(u16::MAX);
    let columns = columns(room.width, label);
    names(buffer, head, (made, side), &columns, theme);
    let each = lines_each(list.height, most);
    let mut taken = 0;
    for row in &side.rows {
        // The lines after the first repeat the bars alone.
        for line in 0..each.clamp(1, MOST_LINES - 1) {
            let at = text::row(list, taken + line);
            for column in &columns {
                draw_cell(buffer, at, made, row, (column, line), theme);
            }
        }
        taken += each;
    }
    // Right below the partitions, where these leave rows free.
    let free = list.height.saturating_sub(taken);
    let room = Rect { y: foot.y.saturating_sub(free), height: foot.height + free, ..foot };
    below(buffer, room, &side.below, theme);
}

/// The first line is the shortest one that says it all; where there is room the others follow.
fn below(buffer: &mut Buffer, room: Rect, lines: &[String], theme: &Theme) {
    let mut taken = 0;
    for line in lines {
        if taken >= room.height {
            break;
        }
        let rest = Rect { y: room.y.saturating_add(taken), height: room.height - taken, ..room };
        taken += text::paragraph(buffer, rest, line, theme.text, theme);
    }
}

/// What the bars are measured against, above them or, where they are short, above their numbers.
fn names(
    buffer: &mut Buffer,
    line: Rect,
    (made, side): (&PlacesPanel, &Side),
    columns: &[TableColumn<Column>],
    theme: &Theme,
) {
    let holds = |id: Column, words: &str| {
        let of = columns.iter().find(|column| column.id == id);
        of.is_some_and(|of| usize::from(of.width) >= text::width(words, theme.glyphs))
    };
    let [stored, load, short] = [&*made.storage_of, &side.load_of, made.load_of_short]
        .map(|words| theme.glyphs.sentence(words).into_owned());
    let is_throttled = side.rows.iter().any(|row| row.throttled.is_some());
    let name = |column: &TableColumn<Column>| match column.id {
        Column::Stored if holds(column.id, &stored) => &stored,
        Column::Size if !holds(Column::Stored, &stored) => &stored,
        Column::Load if holds(column.id, &load) => &load,
        Column::Number if !holds(Column::Load, &load) => &short,
        Column::Refused if is_throttled && holds(column.id, OF_REFUSED) => OF_REFUSED,
        _ => "",
    };
    headings(buffer, line, columns, name, None, theme);
}

/// The lines after the first repeat the bars alone.
fn draw_cell(
    buffer: &mut Buffer,
    line: Rect,
    made: &PlacesPanel,
    row: &Row,
    (column, index): (&TableColumn<Column>, u16),
    theme: &Theme,
) {
    let marks = |has: bool| if has { Marks::Shown } else { Marks::None };
    let (words, style) = match column.id {
        Column::Stored => {
            let marks = marks(made.storage_has_marks);
            return draw_bar(buffer, column.area(line), &row.storage, marks, theme);
        }
        Column::Load => {
            let marks = marks(made.has_marks);
            return draw_bar(buffer, column.area(line), &row.load, marks, theme);
        }
        _ if index > 0 => return,
        Column::Label => (row.label.clone(), theme.dim),
        Column::Size => (row.storage.text.clone(), theme.text),
        Column::Number => {
            let style = row.load.mark.map_or(theme.text, |mark| theme.mark(mark));
            (row.load.text.clone(), style)
        }
        Column::Refused => {
            let Some(share) = row.throttled.map(percent_text) else {
                return;
            };
            let words = [format!("429 {share}"), format!("! {share}"), "!".to_owned()];
            let mut words = words.into_iter();
            let fits = |words: &String| words.len() <= column.width.into();
            (words.find(fits).unwrap_or_default(), theme.alarm)
        }
    };
    column.words(buffer, line, &words, style, theme);
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
    let track =
        [Span::styled(theme.glyphs.signs().bar_track.repeat(room.width.into()), theme.bar_track)];
    text::left(buffer, room, &track, theme);
    let style = of.mark.map_or(theme.sparkline, |mark| theme.fill(mark));
    plain_bar(buffer, room, of.part, style, theme);
}
