//! The list of paths, and below or beside it what is known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::PathsState;
use super::path_table::{PathTable, PathText};
use crate::analysis::ceiling::Mark;
use crate::analysis::paths::Fitness;
use crate::ui::kit::bar::plain_bar;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};
use crate::ui::view::trial::pane;

/// From here on the chosen path stands beside the list instead of below it.
const BESIDE_COLUMNS: u16 = 118;
/// Lower rooms hold the list alone.
const BOTH_ROWS: u16 = 10;
/// The cursor and the sign of fitness.
const SIGNS: u16 = 4;

/// Where the list and what is told of the chosen path lie.
#[derive(Clone, Copy, Debug)]
struct Parts {
    headings: Rect,
    list: Rect,
    about: Rect,
}

fn parts(inner: Rect) -> Parts {
    let (left, about) = if inner.width >= BESIDE_COLUMNS {
        let columns = inner.width * 3 / 5;
        let beside = text::column(inner, columns + 2, inner.width);
        (text::column(inner, 0, columns), beside)
    } else if inner.height >= BOTH_ROWS {
        let rows = inner.height / 2;
        let below = Rect {
            y: inner.y.saturating_add(rows + 1),
            height: inner.height - rows - 1,
            ..inner
        };
        (
            Rect {
                height: rows,
                ..inner
            },
            below,
        )
    } else {
        (inner, Rect::ZERO)
    };
    let headings = u16::from(left.height >= 3);
    Parts {
        headings: Rect {
            height: headings,
            ..left
        },
        list: Rect {
            y: left.y.saturating_add(headings),
            height: left.height - headings,
            ..left
        },
        about,
    }
}

/// The room of the rows.
pub fn list(area: Rect) -> Rect {
    parts(pane::inside(area)).list
}

/// The columns of a row: signs, path, kinds, distinct, missing, commonest, example.
fn widths(width: u16) -> [u16; 7] {
    let signs = SIGNS.min(width);
    let distinct = if width >= 64 {
        22
    } else {
        pane::from(width, 26, 10)
    };
    let missing = pane::from(width, 34, 9);
    let kinds = if width >= 76 {
        26
    } else {
        pane::from(width, 50, 14)
    };
    let commonest = pane::from(width, 86, 9);
    let rest = width.saturating_sub(signs + distinct + missing + kinds + commonest);
    let example = if rest >= 44 { rest / 2 } else { 0 };
    [
        signs,
        rest - example,
        kinds,
        distinct,
        missing,
        commonest,
        example,
    ]
}

/// ```text
/// ─ paths ─────────────────────────────────────────── 100,000 documents ─
///    path                 types                    distinct   missing
/// ▶✓ /deviceId            text                          210     0.0 %
///  △ /status              text 98.0 % · null 2.0 %        4     1.0 %
///
/// warn  /status looks like a state that documents pass through: …
/// open      ████████████████████████████████       61.0 %  61,000
/// ```
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    made: &PathTable,
    state: &PathsState,
    focus: Focus,
    theme: &Theme,
) {
    let title = match (state.filter(), state.len()) {
        ("", _) => "paths".to_owned(),
        (_, n) => format!("paths, filtered: {n} of {}", made.rows.len()),
    };
    let inner = pane::draw(buffer, area, (&title, &made.documents), focus, theme);
    let parts = parts(inner);
    if state.is_empty() {
        let words = if made.rows.is_empty() {
            "The documents have no property that a key could be made of."
        } else {
            "No path has that text."
        };
        text::paragraph(buffer, parts.list, words, theme.dim, theme);
        return;
    }
    headings(buffer, parts.headings, theme);
    for ((place, row), index) in state.seen(parts.list.height).zip(0..) {
        let line = text::row(parts.list, index);
        let Some(row) = made.rows.get(row) else {
            continue;
        };
        draw_row(buffer, line, row, theme);
        if place == state.cursor.chosen {
            if focus == Focus::Here {
                let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
                text::left(buffer, text::column(line, 0, 1), &sign, theme);
            }
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
    let side = pane::with_side(parts.list).intersection(area);
    sign::scroll(buffer, side, state.cursor.first, state.len(), theme);
    if let Some(row) = state.chosen().and_then(|row| made.rows.get(row)) {
        about(buffer, parts.about, row, theme);
    }
}

fn headings(buffer: &mut Buffer, line: Rect, theme: &Theme) {
    let [_, path, kinds, distinct, missing, commonest, example] =
        pane::columns(line, widths(line.width));
    let after = |room: Rect| text::column(room, 1, room.width.saturating_sub(1));
    pane::left(buffer, path, "path", theme.dim, theme);
    pane::left(buffer, after(kinds), "types", theme.dim, theme);
    pane::right(buffer, distinct, "distinct", theme.dim, theme);
    pane::right(buffer, missing, "missing", theme.dim, theme);
    pane::right(buffer, commonest, "top", theme.dim, theme);
    pane::left(
        buffer,
        text::column(example, 2, example.width),
        "example",
        theme.dim,
        theme,
    );
}

fn draw_row(buffer: &mut Buffer, line: Rect, row: &PathText, theme: &Theme) {
    let [signs, path, kinds, distinct, missing, commonest, example] =
        pane::columns(line, widths(line.width));
    let fitness = [fitness_sign(row.fitness, theme)];
    text::left(buffer, text::column(signs, 2, 1), &fitness, theme);
    let outside = |buffer: &mut Buffer, room: Rect, words: &str, style: Style| {
        let shown = theme.glyphs.shown(words);
        let shown = text::shorten(&shown, room.width.into(), theme.glyphs);
        text::left(buffer, room, &text::coded(&shown, style, theme), theme);
    };
    let style = match row.fitness {
        Fitness::Unfit => theme.dim,
        Fitness::Fit | Fitness::WithCare => theme.text,
    };
    outside(
        buffer,
        text::column(path, 0, path.width.saturating_sub(1)),
        &row.path,
        style,
    );
    let after = |room: Rect, columns: u16| text::column(room, columns, room.width);
    pane::left(buffer, after(kinds, 1), &row.kinds, theme.text, theme);
    let room = after(distinct, 1);
    let words = theme.glyphs.sentence(&row.distinct);
    let words = text::shorten(&words, room.width.into(), theme.glyphs);
    pane::right(buffer, room, &words, theme.text, theme);
    let style = if row.is_missing {
        theme.warning
    } else {
        theme.dim
    };
    pane::right(buffer, missing, &row.missing, style, theme);
    pane::right(buffer, commonest, &row.commonest, theme.text, theme);
    outside(buffer, after(example, 2), &row.example, theme.dim);
}

/// Told without colour.
fn fitness_sign(fitness: Fitness, theme: &Theme) -> Span<'static> {
    match fitness {
        Fitness::Fit => Span::styled(theme.glyphs.signs().tick, theme.good),
        Fitness::WithCare => sign::mark_sign(Mark::Warn, theme),
        Fitness::Unfit => Span::styled(theme.glyphs.signs().cross, theme.alarm),
    }
}

/// What is told of the chosen path: what speaks against it, then its commonest values.
fn about(buffer: &mut Buffer, room: Rect, row: &PathText, theme: &Theme) {
    let mut taken = 0;
    let rest = |taken: u16| Rect {
        y: room.y.saturating_add(taken),
        height: room.height.saturating_sub(taken),
        ..room
    };
    let name = theme.glyphs.shown(&row.path);
    taken += text::middle(buffer, rest(0), &name, theme.title, theme).min(1);
    // Some values are shown even where much is to be said.
    let values = u16::try_from(row.values.len()).unwrap_or(u16::MAX);
    let most = room.height.saturating_sub(values.min(room.height / 2));
    for (severity, line) in &row.about {
        if taken >= most {
            break;
        }
        let (words, style) = match severity {
            Some(severity) => (
                format!("{}  {line}", severity.word()),
                theme.severity(*severity),
            ),
            None => (line.clone(), theme.dim),
        };
        let place = Rect {
            height: most - taken,
            ..rest(taken)
        };
        taken += text::paragraph(buffer, place, &words, style, theme);
    }
    for (value, index) in row.values.iter().zip(taken..room.height) {
        let line = text::row(room, index);
        let words = pane::from(line.width, 30, 20);
        let name = (line.width.saturating_sub(words) / 2).min(40);
        let shown = theme.glyphs.shown(&value.text);
        let shown = text::shorten(&shown, name.saturating_sub(1).into(), theme.glyphs);
        let [left, bar, right] =
            pane::columns(line, [name, line.width.saturating_sub(name + words), words]);
        text::left(buffer, left, &text::coded(&shown, theme.text, theme), theme);
        plain_bar(buffer, bar, value.share, theme.sparkline, theme);
        pane::right(buffer, right, &value.words, theme.text, theme);
    }
}
