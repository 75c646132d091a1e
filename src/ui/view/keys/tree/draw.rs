//! The rows of the tree as they are painted.
//!
//! ```text
//!    key                  largest key           %      GiB total GiB     keys
//! ▶  ▾ plant-1            ██████│░░│░      60.0 %    12.00   ≥ 18.00        3
//!      ▸ dev-1            ███░░░│░░│░      35.0 %     7.00   ≥ 12.00        2
//!        2026-06-21       ███░░░│░░│░      35.0 %     7.00      7.00        1
//! ```

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{KeyTree, TreeEntry, Twig};
use crate::analysis::ceiling::{Ceiling, Mark};
use crate::model::logical::KeyId;
use crate::model::units::{count_text, percent_text};
use crate::model::visible::distinct_cells;
use crate::report::{gib, key_text::key_text};
use crate::ui::kit::bar::bar;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit, headings};
use crate::ui::kit::text;
use crate::ui::kit::text::coded;
use crate::ui::kit::theme::Theme;
use crate::ui::view::keys::KeysState;
use crate::ui::view::keys::layout::{KeysAreas, KeysPane};

/// Cursor sign, mark sign and a blank.
const LEAD: u16 = 3;
const INDENT: usize = 2;
/// Deeper levels than a key has are drawn no further in.
const MOST_INDENTS: usize = 8;
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Key,
    Bar,
    Percent,
    Largest,
    Total,
    Keys,
}

/// The total is what the tree is for: what stands left of it goes first where room is scarce.
const COLUMNS: [ColumnSpec<Column>; 6] = [
    ColumnSpec::new(Column::Key, "key, level by level", 14, 64, 0, Align::Left),
    ColumnSpec::new(Column::Bar, "largest key", 12, 20, 5, Align::Left),
    ColumnSpec::new(Column::Percent, "%", 8, 8, 4, Align::Right),
    ColumnSpec::new(Column::Largest, "GiB", 8, 8, 3, Align::Right),
    ColumnSpec::new(Column::Total, "total GiB", 11, 11, 2, Align::Right),
    ColumnSpec::new(Column::Keys, "keys", 9, 9, 1, Align::Right),
];

/// One row, ready to be painted.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    id: Option<KeyId>,
    key: String,
    share: Option<f64>,
    /// Percent, largest key, total, keys.
    numbers: [String; 4],
}

#[derive(Clone, PartialEq, Debug)]
struct TreeInputs {
    version: u64,
    places: Range<usize>,
    key_columns: u16,
    names: u64,
    glyphs: Glyphs,
}

#[derive(Debug, Default)]
pub struct TreeWindow {
    made_of: Option<TreeInputs>,
    rows: Vec<Row>,
}

fn columns(width: u16) -> Vec<TableColumn<Column>> {
    fit(&COLUMNS, LEAD, width)
}

/// Makes the rows of the window if they are not made yet.
pub fn settle_rows(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
    let room = areas.list();
    let places = state.cursor.window(state.tree.len(), usize::from(room.height));
    let made_of = TreeInputs {
        version: state.tree.version,
        places: places.clone(),
        key_columns: columns(room.width).first().map_or(0, |key| key.width),
        names: state.names,
        glyphs: cx.theme.glyphs,
    };
    if state.tree.window.made_of.as_ref() == Some(&made_of) {
        return;
    }
    let Some(list) = state.list.clone() else {
        return;
    };
    let ceiling = list.data.report.ceiling;
    let twigs = state.tree.twigs.get(places.clone()).unwrap_or_default();
    let rows = twigs.iter().zip(places);
    let rows = rows.map(|(twig, place)| {
        let id = state.tree.id(place, &list.data);
        row(&state.tree, twig, id, made_of.glyphs, ceiling, &cx.mask)
    });
    let (leads, mut rows): (Vec<String>, Vec<Row>) = rows.unzip();
    shorten_keys(&leads, &mut rows, &made_of);
    state.tree.window.rows = rows;
    state.tree.window.made_of = Some(made_of);
}

/// Puts before each key what leads it, and shortens the key to the room that is left.
fn shorten_keys(leads: &[String], rows: &mut [Row], made_of: &TreeInputs) {
    let glyphs = made_of.glyphs;
    let whole: Vec<String> =
        leads.iter().zip(&*rows).map(|(lead, row)| format!("{lead}{}", row.key)).collect();
    let cells = distinct_cells(&whole, |at, whole, hash| {
        let lead = leads.get(at).map_or("", String::as_str);
        let room = usize::from(made_of.key_columns).saturating_sub(text::width(lead, glyphs));
        let key = whole.get(lead.len()..).unwrap_or_default();
        format!("{lead}{}", text::shorten_marked(key, room, hash, glyphs))
    });
    for (row, cell) in rows.iter_mut().zip(cells) {
        row.key = cell;
    }
}

/// What leads the key, and the row with its key as it is.
fn row(
    tree: &KeyTree,
    twig: &Twig,
    id: Option<KeyId>,
    glyphs: Glyphs,
    ceiling: Ceiling,
    mask: &Mask,
) -> (String, Row) {
    let signs = glyphs.signs();
    let indent = " ".repeat(INDENT * twig.depth.min(MOST_INDENTS));
    let level = tree.levels.get(&twig.under).map(|grown| &grown.level);
    let at_least = |kib: f64| format!("{} {}", glyphs.sentence("≥"), gib(kib));
    if let Some(node) = tree.node(twig) {
        let sign = match (node.whole_key, tree.is_open(node)) {
            (true, _) => " ",
            (false, true) => signs.open,
            (false, false) => signs.closed,
        };
        let lead = format!("{indent}{sign} ");
        let shown = key_text(Some(&mask.key(&node.part)));
        let share = ceiling.share(node.largest_kib);
        let total = if node.whole_key { gib(node.kib) } else { at_least(node.kib) };
        let row = Row {
            id,
            key: shown,
            share: Some(share),
            numbers: [percent_text(share), gib(node.largest_kib), total, count_text(node.keys)],
        };
        return (lead, row);
    }
    let (words, rest) = match twig.what {
        TreeEntry::Smaller => {
            let rest = level.map(|l| l.smaller).unwrap_or_default();
            let words = format!("{} more, none larger", count_text(rest.nodes));
            (words, Some(rest))
        }
        TreeEntry::Unnamed => {
            let rest = level.map(|l| l.unnamed).unwrap_or_default();
            (key_text(None), Some(rest))
        }
        TreeEntry::Waiting | TreeEntry::Node(_) => (glyphs.ellipsis().to_owned(), None),
    };
    let numbers =
        rest.map(|rest| [String::new(), String::new(), at_least(rest.kib), count_text(rest.keys)]);
    let row = Row { id: None, key: words, share: None, numbers: numbers.unwrap_or_default() };
    (format!("{indent}  "), row)
}

/// Draws headings and rows into the room of the table.
pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    let columns = columns(areas.list().width);
    headings(buffer, areas.headings(), &columns, |column| column.heading, None, &cx.theme);
    let list = areas.list();
    for (row, index) in state.tree.window.rows.iter().zip(0..list.height) {
        let place = state.cursor.first + usize::from(index);
        draw_row(state, cx, row, place, text::row(list, index), &columns, buffer);
    }
}

fn draw_row(
    state: &KeysState,
    cx: &Cx,
    row: &Row,
    place: usize,
    area: Rect,
    columns: &[TableColumn<Column>],
    buffer: &mut Buffer,
) {
    let theme: &Theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let is_marked = row.id.is_some_and(|id| state.marks.contains(id));
    let is_chosen = place == state.cursor.chosen;
    let lead = [
        Span::styled(if is_chosen { signs.cursor } else { " " }, theme.accent),
        Span::styled(if is_marked { signs.marked } else { " " }, theme.marked_row),
    ];
    text::left(buffer, text::column(area, 0, LEAD - 1), &lead, theme);
    let style = match (is_marked, row.share) {
        (true, _) => theme.marked_row,
        (false, Some(_)) => theme.text,
        (false, None) => theme.dim,
    };
    let mark = theme.mark(row.share.map_or(Mark::Below, Mark::of));
    let [percent, largest, total, keys] = &row.numbers;
    for column in columns {
        let (words, style) = match column.id {
            Column::Key => {
                column.cell(buffer, area, &coded(&row.key, style, theme), theme);
                continue;
            }
            Column::Bar => {
                if let Some(share) = row.share {
                    bar(buffer, column.area(area), share, theme);
                }
                continue;
            }
            Column::Percent => (percent, mark),
            Column::Largest => (largest, theme.text),
            Column::Total => (total, theme.text),
            Column::Keys => (keys, theme.dim),
        };
        column.cell(buffer, area, &[Span::styled(words.as_str(), style)], theme);
    }
    if is_chosen && state.pane == KeysPane::Table {
        lay_chosen(buffer, area, theme.cursor_row);
    }
}
