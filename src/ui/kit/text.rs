//! Lines of text on the screen: cut to their room, aligned, wide characters whole, and never past an edge.
//!
//! Everything takes text that is visible already (`model::visible`, `report::key_text`, [`Glyphs::outside`]) and only
//! ever draws on the first row of its area. What slipped through as it was is still shown as a code. What is drawn
//! takes the place of what was there, its style included: [`lay`] the cursor over a row after its cells.

use std::borrow::Cow;

use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::glyphs::Glyphs;
use super::theme::Theme;
use crate::model::visible::{self, needs_code, visible};
use crate::report;

/// Enough to tell partitions apart that only a GUID names.
const GUID_CHARACTERS: usize = 8;
/// Columns between the two ends of a line.
const GAP: u16 = 2;

/// Columns that a text takes on this terminal.
pub fn width(text: &str, glyphs: Glyphs) -> usize {
    columns(&fit_to_show(text, glyphs))
}

/// The start of a GUID tells it from the others: `0000a003` of `0000a003-0000-4000-8000-00000000a003`.
pub fn guid_start(guid: &str) -> String {
    visible(guid).chars().take(GUID_CHARACTERS).collect()
}

/// Cuts the middle out of a text; the result never takes more than `width_columns`.
pub fn shorten(text: &str, width_columns: usize, glyphs: Glyphs) -> String {
    shorten_marked(text, width_columns, "", glyphs)
}

/// With a hash in place of what is cut, for [`visible::distinct_cells`].
pub fn shorten_marked(text: &str, width_columns: usize, hash: &str, glyphs: Glyphs) -> String {
    let text = fit_to_show(text, glyphs);
    if columns(&text) <= width_columns {
        return text.into_owned();
    }
    let mut room = width_columns;
    loop {
        let cut = visible::shorten_marked(&text, room, glyphs.ellipsis(), hash);
        // Some clusters are wider than the sum of their characters.
        if columns(&cut) <= width_columns || room == 0 {
            return cut;
        }
        room -= 1;
    }
}

/// Draws from the left edge, cut at the right one; returns the columns it took.
pub fn left(buffer: &mut Buffer, area: Rect, spans: &[Span], theme: &Theme) -> u16 {
    let area = area.intersection(buffer.area);
    let spans = cut(spans, area.width, theme);
    put(buffer, area, &spans)
}

/// Draws up to the right edge, cut at its end where it is too long; returns the columns it took.
pub fn right(buffer: &mut Buffer, area: Rect, spans: &[Span], theme: &Theme) -> u16 {
    let area = area.intersection(buffer.area);
    let spans = cut(spans, area.width, theme);
    let used = pieces_width(&spans);
    put(buffer, tail(area, used), &spans)
}

/// Draws one text from the left edge, shortened in its middle where it is too long.
pub fn middle(buffer: &mut Buffer, area: Rect, text: &str, style: Style, theme: &Theme) -> u16 {
    let area = area.intersection(buffer.area);
    let short = shorten(text, area.width.into(), theme.glyphs);
    put(buffer, area, &[Piece::fitted(short.into(), style)])
}

/// Draws both ends of a line; the right one keeps its room, and is left out where it would take more than half.
pub fn ends(buffer: &mut Buffer, area: Rect, start: &[Span], end: &[Span], theme: &Theme) {
    let area = area.intersection(buffer.area);
    let wanted: usize = end.iter().map(|s| width(&s.content, theme.glyphs)).sum();
    let start_wanted: usize = start.iter().map(|s| width(&s.content, theme.glyphs)).sum();
    let fits = start_wanted + wanted + usize::from(GAP) <= area.width.into();
    let mut room = area;
    if fits || wanted <= usize::from(area.width / 2) {
        let taken = right(buffer, area, end, theme);
        let gap = if taken == 0 { 0 } else { GAP };
        room.width = room.width.saturating_sub(taken + gap);
    }
    left(buffer, room, start, theme);
}

/// A line across the first row of an area, with a name at its start and what keys do at its end.
pub fn rule(buffer: &mut Buffer, area: Rect, name: &str, ways: &str, theme: &Theme) {
    let line = row(area, 0);
    let whole = theme.glyphs.signs().frame.horizontal.repeat(line.width.into());
    left(buffer, line, &[Span::styled(whole, theme.border)], theme);
    let inside = column(line, 2, line.width.saturating_sub(4));
    let start = [Span::styled(format!(" {name} "), theme.accent)];
    let end = [Span::styled(format!(" {ways} "), theme.hint)];
    ends(buffer, inside, &start, &end, theme);
}

/// Draws a sentence over several rows, broken at blanks and cut where the rows end; returns the rows it took.
pub fn paragraph(buffer: &mut Buffer, area: Rect, text: &str, style: Style, theme: &Theme) -> u16 {
    let area = area.intersection(buffer.area);
    let mut lines = wrapped(text, area.width.into(), theme.glyphs);
    let end = lines.len().min(area.height.saturating_sub(1).into());
    let rest = lines.split_off(end).join(" ");
    lines.extend((!rest.is_empty()).then_some(rest));
    let mut rows = 0;
    for (line, index) in lines.into_iter().zip(0..area.height) {
        left(buffer, row(area, index), &[Span::styled(line, style)], theme);
        rows = index + 1;
    }
    rows
}

/// The lines of a sentence, broken at blanks.
pub fn wrapped(text: &str, width_columns: usize, glyphs: Glyphs) -> Vec<String> {
    let text = fit_to_show(text, glyphs);
    let wrapped = report::wrap(&text, width_columns.max(1), "", "");
    wrapped.lines().map(str::to_owned).collect()
}

/// One row of an area, empty where the area has no such row.
pub fn row(area: Rect, index: u16) -> Rect {
    Rect { y: area.y.saturating_add(index), height: u16::from(index < area.height), ..area }
}

/// `rows` of an area's height, from `start` on; never past its lower edge.
pub fn rows(area: Rect, start: u16, rows: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(start.min(area.height)),
        height: rows.min(area.height.saturating_sub(start)),
        ..area
    }
}

/// `columns` of an area's width, from `start` on; never past its right edge.
pub fn column(area: Rect, start: u16, columns: u16) -> Rect {
    Rect {
        x: area.x.saturating_add(start.min(area.width)),
        width: columns.min(area.width.saturating_sub(start)),
        ..area
    }
}

/// Empties an area for what is to lie over it; a wide character that reaches in is taken away whole.
pub fn clear(buffer: &mut Buffer, area: Rect) {
    let area = area.intersection(buffer.area);
    for y in area.top()..area.bottom() {
        free_edges(buffer, area.left(), area.right(), y);
        reset(buffer, area.left(), area.right(), y);
    }
}

/// Lays a style over what is drawn already, as the cursor over its row.
pub fn lay(buffer: &mut Buffer, area: Rect, style: Style) {
    buffer.set_style(area.intersection(buffer.area), style);
}

/// Spans of visible text in which codes such as `␛` and `\u{202e}` stand out.
pub fn coded(text: &str, style: Style, theme: &Theme) -> Vec<Span<'static>> {
    let may_hold_code = text.contains("\\u{") || !text.is_ascii() && text.contains(is_picture);
    if !may_hold_code && !text.is_empty() {
        return vec![Span::styled(text.to_owned(), style)];
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let code = code_len(rest);
        let (piece, after) = rest.split_at(code.unwrap_or(character.len_utf8()));
        let style = if code.is_some() { style.patch(theme.code) } else { style };
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(piece),
            _ => spans.push(Span::styled(piece.to_owned(), style)),
        }
        rest = after;
    }
    spans
}

/// Text of the program's own screens, with codes for the characters that no screen draws: blanks stay blanks.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.contains(is_raw) { visible(text) } else { text.into() }
}

/// Whether a character never stands in visible text; the pictures of controls do.
fn is_raw(character: char) -> bool {
    needs_code(character) && !is_picture(character)
}

fn is_picture(character: char) -> bool {
    ('\u{2400}'..='\u{2421}').contains(&character)
}

/// The bytes of the code at the start of a visible text.
fn code_len(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if is_picture(first) {
        return Some(first.len_utf8());
    }
    let digits = text.strip_prefix("\\u{")?.split('}').next()?;
    let is_code = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let length = "\\u{}".len() + digits.len();
    (is_code && text.is_char_boundary(length)).then_some(length)
}

/// Whether a character takes one column whatever stands beside it, and never needs a code: nearly all that is drawn.
/// Such text needs neither tables nor clusters, which would take most of the time of a frame.
fn is_simple(character: char) -> bool {
    matches!(
        character,
        // Lines, bars and shades; arrows; the other signs.
        ' '..='~'
            | '\u{2500}'..='\u{259f}'
            | '\u{2190}'..='\u{2193}'
            | '▶' | '▸' | '▾' | '◆' | '●' | '▲' | '·' | '–' | '…' | '✓' | '✗' | '≥'
    )
}

/// The columns of a text of simple characters.
fn simple_columns(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Some(text.len());
    }
    let mut columns = 0;
    for character in text.chars() {
        if !is_simple(character) {
            return None;
        }
        columns += 1;
    }
    Some(columns)
}

/// Text of which every character may be drawn on this terminal.
fn fit_to_show(text: &str, glyphs: Glyphs) -> Cow<'_, str> {
    if simple_columns(text).is_some() && (glyphs == Glyphs::Unicode || text.is_ascii()) {
        return text.into();
    }
    let coded = if text.contains(is_raw) {
        Cow::Owned(text.chars().fold(String::new(), |mut out, character| {
            if is_raw(character) {
                out.push_str(&visible(character.encode_utf8(&mut [0; 4])));
            } else {
                out.push(character);
            }
            out
        }))
    } else {
        Cow::Borrowed(text)
    };
    match glyphs {
        Glyphs::Unicode => coded,
        Glyphs::Ascii => Cow::Owned(glyphs.sentence(&coded).into_owned()),
    }
}

/// As the buffer counts them: by clusters, not by characters.
fn columns(text: &str) -> usize {
    if let Some(columns) = simple_columns(text) {
        return columns;
    }
    let span = Span::raw(text);
    let graphemes = span.styled_graphemes(Style::new());
    graphemes.map(|g| usize::from(g.symbol.cell_width())).sum()
}

/// A span that is fit for the terminal, measured once.
struct Piece<'a> {
    text: Cow<'a, str>,
    style: Style,
    columns: usize,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One column a character.
    Simple,
    Clusters,
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, style: Style, glyphs: Glyphs) -> Self {
        let simple = simple_columns(text).filter(|_| glyphs == Glyphs::Unicode || text.is_ascii());
        if let Some(columns) = simple {
            return Self { text: text.into(), style, columns, form: Form::Simple };
        }
        Self::fitted(fit_to_show(text, glyphs), style)
    }

    fn fitted(text: Cow<'a, str>, style: Style) -> Self {
        let simple = simple_columns(&text);
        Self {
            columns: simple.unwrap_or_else(|| columns(&text)),
            form: simple.map_or(Form::Clusters, |_| Form::Simple),
            text,
            style,
        }
    }
}

fn pieces_width(pieces: &[Piece]) -> u16 {
    let sum: usize = pieces.iter().map(|piece| piece.columns).sum();
    u16::try_from(sum).unwrap_or(u16::MAX)
}

/// Spans fit for the terminal that take at most `width`; a cut shows as an ellipsis in the style of what was cut.
fn cut<'a>(spans: &'a [Span], width: u16, theme: &Theme) -> Vec<Piece<'a>> {
    let glyphs = theme.glyphs;
    let pieces: Vec<Piece> =
        spans.iter().map(|span| Piece::new(&span.content, span.style, glyphs)).collect();
    let sum: usize = pieces.iter().map(|piece| piece.columns).sum();
    if sum <= width.into() {
        return pieces;
    }
    let ellipsis: String = glyphs.ellipsis().chars().take(width.into()).collect();
    let mut room = usize::from(width).saturating_sub(columns(&ellipsis));
    let mut out = Vec::with_capacity(pieces.len() + 1);
    for piece in pieces {
        if piece.columns <= room {
            room -= piece.columns;
            out.push(piece);
            continue;
        }
        let mut head = fitting(&piece.text, room);
        head.push_str(&ellipsis);
        out.push(Piece::fitted(head.into(), piece.style));
        break;
    }
    out
}

/// The start of a text that fits; clusters and codes stay whole.
fn fitting(text: &str, mut room: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let span = Span::raw(rest);
        let cluster = || {
            let first = span.styled_graphemes(Style::new()).next();
            first.map_or(rest.len(), |g| g.symbol.len())
        };
        let length = code_len(rest).unwrap_or_else(cluster);
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let Some(left) = room.checked_sub(columns(piece)) else {
            break;
        };
        room = left;
        out.push_str(piece);
        rest = after;
    }
    out
}

fn tail(area: Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    Rect { x: area.right().saturating_sub(width), width, ..area }
}

/// Writes what fits already; the area must lie inside the buffer.
fn put(buffer: &mut Buffer, area: Rect, pieces: &[Piece]) -> u16 {
    if area.is_empty() {
        return 0;
    }
    let end = pieces_width(pieces).min(area.width) + area.x;
    free_edges(buffer, area.x, end, area.y);
    let mut x = area.x;
    for piece in pieces {
        let room = area.right().saturating_sub(x);
        if piece.form == Form::Simple {
            x += put_simple(cells(buffer, x, area.right(), area.y), piece);
            continue;
        }
        let columns = u16::try_from(piece.columns).unwrap_or(room).min(room);
        reset(buffer, x, x + columns, area.y);
        (x, _) = buffer.set_stringn(x, area.y, &piece.text, room.into(), piece.style);
    }
    x - area.x
}

/// Writes one character a cell; returns how many.
fn put_simple(cells: &mut [Cell], piece: &Piece) -> u16 {
    let mut blank = Cell::EMPTY;
    blank.set_style(piece.style);
    let mut drawn = blank.clone();
    let mut last = ' ';
    let mut taken = 0;
    for (cell, character) in cells.iter_mut().zip(piece.text.chars()) {
        if character == ' ' {
            cell.clone_from(&blank);
        } else {
            // Lines and bars are one sign over and over.
            if character != last {
                drawn.set_char(character);
                last = character;
            }
            cell.clone_from(&drawn);
        }
        taken += 1;
    }
    taken
}

/// The cells of a row from `start` to `end`; none where that lies outside.
fn cells(buffer: &mut Buffer, start: u16, end: u16, y: u16) -> &mut [Cell] {
    let area = buffer.area;
    let is_inside = y >= area.y && y < area.bottom() && start >= area.x && end <= area.right();
    let first = usize::from(y.saturating_sub(area.y)) * usize::from(area.width)
        + usize::from(start.saturating_sub(area.x));
    let length = usize::from(end.saturating_sub(start));
    let found = buffer.content.get_mut(first..first + length);
    found.filter(|_| is_inside).unwrap_or_default()
}

fn reset(buffer: &mut Buffer, start: u16, end: u16, y: u16) {
    for cell in cells(buffer, start, end, y) {
        cell.reset();
    }
}

/// Takes away wide characters of which one half is about to be drawn over.
fn free_edges(buffer: &mut Buffer, start: u16, end: u16, y: u16) {
    for edge in [start, end] {
        let before = edge.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)));
        if let Some(cell) = before.filter(|cell| is_wide(cell)) {
            cell.set_symbol(" ");
        }
    }
}

fn is_wide(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    symbol.len() > 1 && simple_columns(symbol).is_none() && cell.cell_width() > 1
}

#[cfg(test)]
mod tests;
