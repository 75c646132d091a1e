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
/// Widths of percent, largest key, total and number of keys, with a blank before each.
const NUMBERS: [u16; 4] = [9, 9, 12, 10];
const BAR: u16 = 13;
const KEY_LEAST: u16 = 14;

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

/// The key's width, whether there is room for a bar, and how many of the numbers fit.
fn columns(width: u16) -> (u16, u16, usize) {
    let mut room = width.saturating_sub(LEAD + KEY_LEAST);
    let mut taken = 0;
    // The total is what the tree is for: it goes last when room is scarce, so numbers are kept from the right.
    let mut kept = 0;
    for columns in NUMBERS.iter().rev() {
        if *columns > room {
            break;
        }
        room -= columns;
        taken += columns;
        kept += 1;
    }
    let bar = if room >= BAR && kept == NUMBERS.len() {
        (BAR + (room - BAR) / 3).min(21)
    } else {
        0
    };
    let key = width.saturating_sub(LEAD + taken + bar);
    (key, bar, kept)
}

/// Makes the rows of the window if they are not made yet.
pub fn settle_rows(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
    let room = areas.list();
    let places = state
        .cursor
        .window(state.tree.len(), usize::from(room.height));
    let made_of = TreeInputs {
        version: state.tree.version,
        places: places.clone(),
        key_columns: columns(room.width).0,
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
    let whole: Vec<String> = leads
        .iter()
        .zip(&*rows)
        .map(|(lead, row)| format!("{lead}{}", row.key))
        .collect();
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
        let total = if node.whole_key {
            gib(node.kib)
        } else {
            at_least(node.kib)
        };
        let row = Row {
            id,
            key: shown,
            share: Some(share),
            numbers: [
                percent_text(share),
                gib(node.largest_kib),
                total,
                count_text(node.keys),
            ],
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
    let numbers = rest.map(|rest| {
        [
            String::new(),
            String::new(),
            at_least(rest.kib),
            count_text(rest.keys),
        ]
    });
    let row = Row {
        id: None,
        key: words,
        share: None,
        numbers: numbers.unwrap_or_default(),
    };
    (format!("{indent}  "), row)
}

/// Draws headings and rows into the room of the table.
pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, inner: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (key, bar_columns, kept) = columns(inner.width);
    let headings = text::row(inner, 0);
    let style = theme.title;
    let words = [Span::styled("key, level by level", style)];
    text::left(buffer, text::column(headings, LEAD, key), &words, theme);
    let words = [Span::styled("largest key", style)];
    let bar_room = text::column(headings, LEAD + key + 1, bar_columns.saturating_sub(1));
    text::left(buffer, bar_room, &words, theme);
    let names = ["%", "GiB", "total GiB", "keys"];
    for (room, name) in number_rooms(headings, kept).into_iter().zip(names) {
        text::right(buffer, room, &[Span::styled(name, style)], theme);
    }
    let list = areas.list();
    for (row, index) in state.tree.window.rows.iter().zip(0..list.height) {
        let place = state.cursor.first + usize::from(index);
        let area = text::row(list, index);
        let bar_room = text::column(area, LEAD + key + 1, bar_columns.saturating_sub(1));
        if let Some(share) = row.share {
            bar(buffer, bar_room, share, theme);
        }
        draw_row(state, cx, row, place, area, (key, kept), buffer);
    }
}

/// The cells of the numbers that are kept; those that are not are empty.
fn number_rooms(row: Rect, kept: usize) -> [Rect; 4] {
    let mut end = row.width;
    let mut rooms = [Rect { width: 0, ..row }; 4];
    let numbers = NUMBERS.iter().zip(rooms.iter_mut()).rev();
    for (columns, room) in numbers.take(kept) {
        let start = end.saturating_sub(*columns);
        *room = text::column(row, start + 1, columns - 1);
        end = start;
    }
    rooms
}

fn draw_row(
    state: &KeysState,
    cx: &Cx,
    row: &Row,
    place: usize,
    area: Rect,
    (key, kept): (u16, usize),
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
    let room = text::column(area, LEAD, key);
    text::left(buffer, room, &coded(&row.key, style, theme), theme);
    let mark = theme.mark(row.share.map_or(Mark::Below, Mark::of));
    let styles = [mark, theme.text, theme.text, theme.dim];
    let rooms = number_rooms(area, kept).into_iter();
    for ((room, words), style) in rooms.zip(&row.numbers).zip(styles) {
        text::right(buffer, room, &[Span::styled(words.as_str(), style)], theme);
    }
    if is_chosen && state.pane == KeysPane::Table {
        lay_chosen(buffer, area, theme.cursor_row);
    }
}
