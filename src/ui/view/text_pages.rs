//! Texts to be read over the view: where numbers come from, what was read, how to connect.

mod account;
mod connect;
mod settings;
mod sources;
#[cfg(test)]
mod tests;
mod workload;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::visible::display_width;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::input::Chord;
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::sign;
use crate::ui::kit::text;

pub use account::{account, happened};
pub use connect::connect;
pub use sources::sources;
pub use workload::workload;

/// Longer lines are hard to read.
const WIDEST: u16 = 104;
/// Letters of a search; no line is longer.
pub(super) const MOST_LETTERS: usize = 40;
/// Blanks between the frame and the text.
const MARGIN: u16 = 1;
/// Columns of a window from which on a text that is longer than the window stands in two columns, and those between them.
const WIDE: u16 = 160;
const BETWEEN: u16 = 3;
/// Rows of a window from which on a text leaves free what it does not need.
const HIGH: u16 = 44;

/// One text: its lines are visible text already. A line whose next one stands further in is a heading; in a report, whose
/// lists have hanging lines, one that begins at the edge with a word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextPageState {
    pub title: String,
    pub lines: Vec<String>,
    is_report: bool,
    pub scroll: Scroll,
    pub wrapped: WrappedText,
    /// What is searched for, once `/` began it: only lines with it are shown, below their headings.
    pub search: Option<String>,
}

impl TextPageState {
    pub fn new(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self { title: title.into(), lines, ..Self::default() }
    }

    pub fn report(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self { is_report: true, ..Self::new(title, lines) }
    }
}

/// The lines as they are drawn in a window.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrappedText {
    of: Option<(Rect, Glyphs)>,
    search: Option<String>,
    rows: Vec<(Role, String)>,
    frame: Rect,
    /// Rows in sight.
    height: usize,
    /// Where the rows stand, from left to right.
    columns: Vec<Rect>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Heading,
    Text,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The lines with what is searched for, and the headings above them.
fn found<'l>(lines: &'l [String], search: Option<&str>) -> Vec<&'l String> {
    let Some(wanted) = search.filter(|wanted| !wanted.is_empty()) else {
        return lines.iter().collect();
    };
    let wanted = wanted.to_lowercase();
    let (mut above, mut found): (Vec<&String>, Vec<&String>) = Default::default();
    for line in lines {
        above.retain(|heading| indent(heading) < indent(line));
        above.push(line);
        if line.to_lowercase().contains(&wanted) {
            found.append(&mut above);
        }
    }
    found
}

/// Where a text is read on when a search in it ends.
fn hit(rows: &[(Role, String)], wanted: &str) -> Option<usize> {
    let wanted = Some(wanted.to_lowercase()).filter(|wanted| !wanted.is_empty())?;
    rows.iter().position(|(_, row)| row.to_lowercase().contains(&wanted))
}

/// Breaks lines at blanks, and words that are longer than a line where they reach its end.
fn wrap(lines: &[&String], is_report: bool, width: usize, glyphs: Glyphs) -> Vec<(Role, String)> {
    let mut rows = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let inside = indent(line);
        let next = lines.get(at + 1).filter(|next| !next.trim().is_empty());
        let may_head = !is_report || line.starts_with(char::is_alphanumeric);
        let role = match next {
            Some(next) if may_head && indent(next) > inside => Role::Heading,
            _ => Role::Text,
        };
        let lead = " ".repeat(inside.min(width / 2));
        let room = width.saturating_sub(lead.len()).max(1);
        for piece in broken(line.trim_start_matches(' '), room, glyphs) {
            rows.push((role, format!("{lead}{piece}")));
        }
    }
    rows
}

/// A line broken at blanks, and inside words that are longer than a row; an empty line is a row.
pub(super) fn broken(line: &str, room: usize, glyphs: Glyphs) -> Vec<String> {
    let mut broken = text::wrapped(line, room, glyphs);
    if broken.is_empty() {
        broken.push(String::new());
    }
    broken.iter().flat_map(|piece| split(piece, room)).collect()
}

/// A line in pieces none of which is wider than `room`.
fn split(line: &str, room: usize) -> Vec<String> {
    if display_width(line) <= room {
        return vec![line.to_owned()];
    }
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for character in line.chars() {
        piece.push(character);
        if display_width(&piece) > room && piece.chars().count() > 1 {
            piece.pop();
            pieces.push(std::mem::take(&mut piece));
            piece.push(character);
        }
    }
    pieces.push(piece);
    pieces
}

/// The frame of a paper: in the middle of wide windows.
pub(super) fn area(body: Rect) -> Rect {
    let width = body.width.min(WIDEST);
    text::column(body, (body.width - width) / 2, width)
}

pub(super) fn room(body: Rect) -> Rect {
    let inner = Panel::inner(area(body));
    let width = inner.width.saturating_sub(2 * MARGIN);
    text::column(inner, MARGIN, width).intersection(inner)
}

/// Columns of a text that no page breaks, whether it stands in one column or in two.
pub fn columns(body: Rect) -> u16 {
    let one = room(body).width;
    if body.width >= WIDE { one.min(column_width(body, 2)) } else { one }
}

/// The rows of a frame beside its text, the frame's right side among them.
pub(super) fn side(area: Rect) -> Rect {
    Rect { width: area.width, x: area.x, ..Panel::inner(area) }
}

/// `Enter copies, Esc closes`.
pub(super) fn ways(cx: &Cx, ways: &[(Action, &str)]) -> String {
    let ways = ways.iter();
    let ways = ways.filter_map(|(action, does)| {
        let key = cx.keymap.shown(*action)?;
        Some(format!("{key} {does}"))
    });
    ways.collect::<Vec<_>>().join(", ")
}

fn column_width(frame: Rect, count: u16) -> u16 {
    let inner = Panel::inner(frame).width;
    inner.saturating_sub(2 * MARGIN + (count - 1) * BETWEEN) / count
}

/// The frame of a text and its columns: in a high window as high as it needs, at the foot, so that what it is about stays
/// in sight above it.
fn place(area: Rect, rows: usize, count: u16) -> (Rect, Vec<Rect>) {
    let wanted = u16::try_from(rows.div_ceil(count.into()) + 2).unwrap_or(u16::MAX);
    let free = area.height.saturating_sub(wanted);
    let free = if area.height < HIGH { 0 } else { free };
    let frame = text::rows(area, free, area.height);
    let inner = Panel::inner(frame);
    let width = column_width(area, count);
    let starts = (0..count).map(|at| MARGIN + at * (width + BETWEEN));
    let columns = starts.map(|start| text::column(inner, start, width).intersection(inner));
    (frame, columns.collect())
}

pub fn settle(state: &mut TextPageState, cx: &Cx, body: Rect) {
    let glyphs = cx.theme.glyphs;
    if state.wrapped.of != Some((body, glyphs)) || state.wrapped.search != state.search {
        let lines = found(&state.lines, state.search.as_deref());
        let unmet = state.search.as_deref().filter(|_| lines.is_empty());
        let none = unmet.map(|search| {
            let words = format!("no match for \"{}\"", glyphs.outside(search));
            [words, format!("  {}", search_ways(cx))]
        });
        let lines = none.as_ref().map_or(lines, |none| none.iter().collect());
        let mut rows = wrap(&lines, state.is_report, room(body).width.into(), glyphs);
        let (mut frame, mut columns) = place(area(body), rows.len(), 1);
        if body.width >= WIDE && rows.len() > Panel::inner(body).height.into() {
            rows = wrap(&lines, state.is_report, column_width(body, 2).into(), glyphs);
            (frame, columns) = place(body, rows.len(), 2);
        }
        let ended = state.wrapped.search.as_deref().filter(|_| state.search.is_none());
        if let Some(hit) = ended.and_then(|wanted| hit(&rows, wanted)) {
            state.scroll.first = hit;
        }
        state.wrapped = WrappedText {
            of: Some((body, glyphs)),
            search: state.search.clone(),
            height: columns.len() * usize::from(Panel::inner(frame).height),
            rows,
            frame,
            columns,
        };
    }
    let wrapped = &state.wrapped;
    state.scroll.settle(wrapped.rows.len(), wrapped.height);
}

/// What ends or widens a search.
fn search_ways(cx: &Cx) -> String {
    let back = (Action::DeleteBack, "deletes a letter");
    ways(cx, &[back, (Action::Back, "ends the search")])
}

/// Whether a key belongs to the search.
pub fn on_chord(state: &mut TextPageState, keymap: &Keymap, chord: Chord) -> bool {
    let Some(search) = &mut state.search else {
        return false;
    };
    if let Some(letter) = chord.typed() {
        if search.chars().count() < MOST_LETTERS {
            search.push(letter);
            state.scroll = Scroll::default();
        }
        return true;
    }
    let action = keymap.action(&[Context::Prompt], chord);
    if action == Some(Action::DeleteBack) && search.pop().is_none() {
        state.search = None;
    }
    // Enter closes a text; it also ends what is typed elsewhere, so here it keeps what is found.
    matches!(action, Some(Action::DeleteBack | Action::Accept))
}

/// What an action means while a paper lies over the view; None if it means something else.
pub fn act(state: &mut TextPageState, action: Action) -> Option<Vec<Effect>> {
    if action == Action::Copy {
        return Some(vec![Effect::Copy(Clipboard::Lines(state.lines.clone()))]);
    }
    if action == Action::Filter {
        state.search.get_or_insert_default();
        return Some(Vec::new());
    }
    if action == Action::Back && state.search.take().is_some() {
        return Some(Vec::new());
    }
    let wrapped = &state.wrapped;
    let moved = (state.scroll).act(action, wrapped.rows.len(), wrapped.height);
    (moved || action.is_of_rows()).then(Vec::new)
}

/// ```text
/// ┏ sources ━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1-20 of 34 ┓
/// ┃ northpier-prod.csv                              █
/// ┃   45 records taken …                            ┃
/// ┗ Esc closes, y copies, / searches ━━━━━━━━━━━━━━━┛
/// ```
pub fn draw(state: &TextPageState, cx: &Cx, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let area = state.wrapped.frame.intersection(buffer.area);
    text::clear(buffer, area);
    let rows = &state.wrapped.rows;
    let place = state.scroll.place(rows.len(), state.wrapped.height);
    let reading =
        [(Action::Back, "closes"), (Action::Copy, "copies"), (Action::Filter, "searches")];
    let ways = match &state.search {
        Some(_) => search_ways(cx),
        None => ways(cx, &reading),
    };
    let title = match &state.search {
        Some(search) => format!("{}, search: {search}", state.title),
        None => state.title.clone(),
    };
    let panel = Panel::new(title.as_str()).aside(place);
    let panel = panel.footer(ways).focus(Focus::Here);
    panel.draw(buffer, area, theme);
    let columns = state.wrapped.columns.iter();
    let places = columns.flat_map(|column| (0..column.height).map(|at| text::row(*column, at)));
    for ((role, line), place) in rows.iter().skip(state.scroll.first).zip(places) {
        let style = match role {
            Role::Heading => theme.title,
            Role::Text => theme.text,
        };
        text::left(buffer, place, &text::coded(line, style, theme), theme);
    }
    let of = state.wrapped.columns.len().max(1);
    let (first, rows) = (state.scroll.first / of, rows.len().div_ceil(of));
    sign::scroll(buffer, side(area), first, rows, theme);
}
