//! Partitions against the 50 GB that one can hold, with the known logical partitions as segments inside.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::index::NAMED;
use super::keylist::{self, EntryKey, ListedKey};
use super::layout::HeatAreas;
use super::map::{self, of_row};
use super::readout::{ReadoutPiece, ReadoutRole};
use super::scope::HeatScope;
use super::{Chart, names, paint};
use crate::analysis::ceiling::{MARK_ALARM, MARK_WARN, Mark};
use crate::model::units::{PHYSICAL_CEILING_KIB, kib_text, percent_text, whole_u64};
use crate::model::visible::display_width;
use crate::report::gib;
use crate::ui::kit::bar;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::{sign, text};
use crate::ui::view::heat::HeatState;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// Columns of a name where several share a line that is too short for all.
const NAME_COLUMNS: usize = 28;
/// Columns of the sign before a name, or what parts it from another, and of the size behind it.
const BESIDE_NAME: usize = 9;
/// The same of a name that has its line alone.
const BESIDE_ALONE: usize = 8;
/// Narrower bars have no segments: most keys would have none.
const LEAST_SEGMENTED: u16 = 12;

/// The known keys of a row: their sizes as shares of 50 GB, the largest first, and names for the lines below its bar.
#[derive(Clone, PartialEq, Debug, Default)]
struct BarKeys {
    shares: Vec<f64>,
    lines: Vec<NameLine>,
}

/// A name with the place of its segment; what is left over has none.
#[derive(Clone, PartialEq, Debug)]
struct NameLine {
    segment: Option<usize>,
    words: String,
}

#[derive(Clone, PartialEq, Debug)]
struct StorageInputs {
    data: Shared<Dataset>,
    container: u32,
    rows: Vec<u32>,
    names: u64,
    /// Lines and columns for names.
    room: (usize, usize),
}

#[derive(Debug, Default)]
pub struct StorageBars {
    made_of: Option<StorageInputs>,
    bars: Vec<BarKeys>,
}

pub fn settle(state: &mut HeatState, cx: &Cx, areas: &HeatAreas) {
    let Some(scope) = state.scope.as_ref().filter(|_| state.map.group <= 1) else {
        state.storage = StorageBars::default();
        return;
    };
    let seen = state.cursor.window(map::rows(state), areas.map_rows());
    let columns = state.map.columns;
    let lines = usize::from(areas.lines.saturating_sub(1));
    let room = match state.chart {
        Chart::Storage => (lines.min(1), columns.cells.into()),
        Chart::Time | Chart::Ranges => (lines, columns.names(areas.map).width.into()),
    };
    let made_of = StorageInputs {
        data: scope.data.clone(),
        container: scope.container,
        rows: scope.rows.get(seen).unwrap_or_default().to_vec(),
        names: state.names,
        room,
    };
    if state.storage.made_of.as_ref() == Some(&made_of) {
        return;
    }
    let rows = made_of.rows.iter();
    let bars = rows.map(|partition| bar_keys(state, cx, scope, *partition, room));
    state.storage = StorageBars { bars: bars.collect(), made_of: Some(made_of) };
}

/// The largest keys that the partition is known to hold: rows of the columns and shares of 50 GB.
fn keys(state: &HeatState, scope: &HeatScope, partition: u32) -> Vec<(u32, f64)> {
    let known = scope.partition(partition).and_then(|p| p.known);
    let data = &scope.data;
    let Some(columns) = data.columns.container(&data.capture, scope.container) else {
        return Vec::new();
    };
    let rows = state.index.largest(known).iter();
    let share = |row: u32| Some((row, columns.key(row)?.size_kib / PHYSICAL_CEILING_KIB));
    rows.filter_map(|row| share(*row)).collect()
}

fn bar_keys(
    state: &HeatState,
    cx: &Cx,
    scope: &HeatScope,
    partition: u32,
    room: (usize, usize),
) -> BarKeys {
    let keys = keys(state, scope, partition);
    let named = keys.iter().take(if room.0 > 0 { NAMED } else { 0 });
    let mut named: Vec<(String, f64)> = named
        .map(|(row, share)| {
            let entry = ListedKey { who: EntryKey::Sized(*row), load: None, row: Some(*row) };
            let name = keylist::shown(cx, scope, &entry);
            (name, share * PHYSICAL_CEILING_KIB)
        })
        .collect();
    let is_alone = room.0 > 1;
    let beside = if is_alone { BESIDE_ALONE } else { BESIDE_NAME };
    let most = room.1.saturating_sub(beside);
    // The longest names give way, down to where each still says something.
    let taken = |most: usize| {
        let widths = named.iter().map(|(name, _)| display_width(name).min(most));
        widths.map(|w| w + BESIDE_NAME).sum::<usize>()
    };
    let mut fitting = (NAME_COLUMNS..=most).rev();
    let columns = match room.0 {
        ..=1 => fitting.find(|columns| taken(*columns) <= room.1),
        _ => None,
    };
    let least = if room.0 > 1 { most } else { most.min(NAME_COLUMNS) };
    let columns = columns.unwrap_or(least);
    for (name, _) in &mut named {
        *name = text::shorten(name, columns, cx.theme.glyphs);
    }
    let listed = keys.iter().map(|(_, share)| share).sum::<f64>() * PHYSICAL_CEILING_KIB;
    let whole = scope.partition(partition).and_then(|p| p.kib);
    BarKeys {
        shares: keys.into_iter().map(|(_, share)| share).collect(),
        lines: name_lines(&named, whole.unwrap_or(listed).max(listed), room),
    }
}

/// One name a line, and on the last line as many as fit; what is left over is a sum.
fn name_lines(
    named: &[(String, f64)],
    whole: f64,
    (lines, columns): (usize, usize),
) -> Vec<NameLine> {
    let words = |(name, kib): &(String, f64)| format!("{name} {}", gib(*kib));
    let other = |shown: usize| {
        let sum: f64 = named.iter().take(shown).map(|(_, kib)| kib).sum();
        // Sizes are sums of numbers that were rounded.
        let left = (whole - sum).max(0.0);
        (left > whole / 1000.0).then(|| format!("other {}", gib(left)))
    };
    if named.is_empty() || lines == 0 {
        return Vec::new();
    }
    let alone = named.len().min(lines - 1);
    let first = named.iter().take(alone).enumerate();
    let mut made: Vec<NameLine> =
        first.map(|(at, key)| NameLine { segment: Some(at), words: words(key) }).collect();
    let joined = |end: usize| {
        let keys = named.get(alone..end).unwrap_or_default();
        let mut parts: Vec<String> = keys.iter().map(words).collect();
        parts.extend(other(end));
        parts.join(" · ")
    };
    let mut fitting = (alone..=named.len()).rev().map(|end| (end, joined(end)));
    let fits = |(_, line): &(usize, String)| display_width(line) + 2 <= columns;
    // Of a single line that is too short the largest key says most.
    let last = fitting.find(fits).filter(|(end, _)| *end > 0);
    let last = last.or_else(|| Some((alone + 1, named.get(alone).map(words)?)));
    made.extend(
        last.filter(|(_, line)| !line.is_empty())
            .map(|(end, line)| NameLine { segment: (end > alone).then_some(alone), words: line }),
    );
    made
}

/// Signs of a known key, of the next one, and of what no input lists.
fn signs(glyphs: Glyphs) -> [&'static str; 3] {
    match glyphs {
        Glyphs::Unicode => ["█", "▓", "▒"],
        Glyphs::Ascii => ["#", "=", "%"],
    }
}

/// ```text
///     0                          35 GB      45 GB  50 GB
/// ▶ 3 ██████████▓▓▓▓▓▒▒▒▒▒▒▒▒▒░░░░│░░░░░░░░░░│░░░░      76 %  38.10
///     █ contoso 15.11 · vanarsdel 3.72 · other 3.07
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    axis(state, cx, areas.axis, buffer);
    let theme = &cx.theme;
    let columns = state.map.columns;
    for (at, row) in state.map.rows.iter().enumerate().take(areas.map_rows()) {
        let lines = areas.lines_of(at);
        let is_chosen = state.cursor.first + at == state.cursor.chosen;
        let line = text::row(lines, 0);
        paint::head_of_row(state, cx, row, line, is_chosen, buffer);
        if let Some(share) = row.storage {
            let [_, _, room, _] = columns.beside(line);
            let style = theme.mark(Mark::of(share));
            let words = [Span::styled(percent_text(share), style)];
            text::right(buffer, room, &words, theme);
        }
        for index in 0..areas.lines.saturating_sub(1).max(1) {
            let room = columns.cells(text::row(lines, index));
            segments(state, cx, at, room, buffer);
        }
        let names = text::rows(lines, areas.lines.saturating_sub(1).max(1), 1);
        name_rows(state, cx, at, columns.cells(names), buffer);
        if is_chosen {
            let words = text::column(lines, 0, columns.cells_at);
            lay_chosen(buffer, words, theme.cursor_row);
        }
    }
    let rows = map::rows(state);
    sign::scroll(buffer, areas.map, state.cursor.first, rows, theme);
}

/// The bar of a row of the map with its keys as segments, and their names below it.
pub fn draw_names(state: &HeatState, cx: &Cx, at: usize, lines: Rect, buffer: &mut Buffer) {
    let columns = state.map.columns;
    let [_, _, room, _] = columns.beside(text::row(lines, 0));
    let room = text::column(room, 1, room.width.saturating_sub(1));
    segments(state, cx, at, room, buffer);
    let below = text::rows(lines, 1, lines.height);
    name_rows(state, cx, at, columns.names(below), buffer);
}

fn name_rows(state: &HeatState, cx: &Cx, at: usize, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let [key, next, rest] = signs(theme.glyphs);
    let lines = state.storage.bars.get(at).map_or(&[][..], |bar| &bar.lines);
    for (line, index) in lines.iter().zip(0..area.height) {
        let sign = match line.segment {
            Some(at) if at % 2 == 0 => key,
            Some(_) => next,
            None => rest,
        };
        let words = theme.glyphs.sentence(&line.words).into_owned();
        let spans =
            [Span::styled(sign, theme.dim), Span::raw(" "), Span::styled(words, theme.text)];
        text::left(buffer, text::row(area, index), &spans, theme);
    }
}

fn column_at(share: f64, width: u16) -> u16 {
    let columns = share.clamp(0.0, 1.0) * f64::from(width);
    u16::try_from(whole_u64(columns.round())).unwrap_or(u16::MAX)
}

fn segments(state: &HeatState, cx: &Cx, at: usize, room: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let [key, next, rest] = signs(theme.glyphs);
    let held = state.map.rows.get(at).and_then(|row| row.storage);
    let keys = state.storage.bars.get(at);
    let keys = keys.map_or(&[][..], |bar| &bar.shares);
    if keys.is_empty() && held.is_none() {
        return;
    }
    let whole = held.unwrap_or_else(|| keys.iter().sum());
    if keys.is_empty() || room.width < LEAST_SEGMENTED {
        bar::bar(buffer, room, whole, theme);
        return;
    }
    let style = theme.fill(Mark::of(whole));
    let mut spans: Vec<Span> = Vec::new();
    let mut share = 0.0;
    let mut from = 0;
    let mut put = |to: u16, sign: &'static str, style: Style| {
        if to > from {
            spans.push(Span::styled(sign.repeat((to - from).into()), style));
            from = to;
        }
    };
    for (nth, size) in keys.iter().enumerate() {
        share += size;
        let sign = if nth % 2 == 0 { key } else { next };
        put(column_at(share, room.width), sign, style);
    }
    if held.is_some() {
        put(column_at(whole, room.width), rest, theme.dim);
    }
    let track = theme.glyphs.signs().bar_track;
    put(room.width, track, theme.bar_track);
    text::left(buffer, room, &spans, theme);
    for mark in [MARK_WARN, MARK_ALARM] {
        let column = column_at(mark, room.width);
        if column >= column_at(whole, room.width) {
            let sign = [Span::styled(theme.glyphs.signs().bar_mark, theme.bar_mark)];
            text::left(buffer, text::column(room, column, 1), &sign, theme);
        }
    }
}

fn axis(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let cells = state.map.columns.cells(area);
    for (share, words) in [(0.0, "0"), (MARK_WARN, "35 GB"), (MARK_ALARM, "45 GB")] {
        let columns = u16::try_from(words.len()).unwrap_or(u16::MAX);
        let start = column_at(share, cells.width).min(cells.width.saturating_sub(columns));
        let room = text::column(cells, start, columns);
        text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
    let [_, _, bar, size] = state.map.columns.beside(area);
    for (room, words) in [(bar, "of 50 GB"), (size, "GiB")] {
        text::right(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
}

pub fn legend(cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let [key, next, rest] = signs(theme.glyphs);
    let words = |words: &'static str| Span::styled(words, theme.dim);
    vec![
        Span::styled(format!("{key}{key}{next}{next}"), theme.text),
        words(" known keys by size  "),
        Span::styled(rest.repeat(2), theme.dim),
        words(" other keys: smaller, not reported  "),
        Span::styled(theme.glyphs.signs().bar_mark, theme.bar_mark),
        words(" 70, 90 %"),
    ]
}

pub fn readout(state: &HeatState) -> Vec<ReadoutPiece> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let Some(partition) = of_row(scope, state.cursor.chosen, 1).first().copied() else {
        let words = "no physical partition is known: the inputs list none";
        return vec![ReadoutPiece::new(ReadoutRole::Dim, words.to_owned())];
    };
    let text = |words: String| ReadoutPiece::new(ReadoutRole::Text, words);
    let named = scope.partition(partition).map(|p| &p.named);
    let mut pieces = vec![text(named.map(names::sentence).unwrap_or_default())];
    let kib = scope.partition(partition).and_then(|p| p.kib);
    pieces.push(match kib {
        Some(kib) => {
            let share = kib / PHYSICAL_CEILING_KIB;
            let words = format!("{}, {} of 50 GB", kib_text(kib), percent_text(share));
            ReadoutPiece::new(ReadoutRole::Value(Some(Mark::of(share))), words)
        }
        None => ReadoutPiece::new(ReadoutRole::Dim, "its size is unknown"),
    });
    let keys = keys(state, scope, partition);
    let sum: f64 = keys.iter().map(|(_, share)| share).sum();
    let sum = sum * PHYSICAL_CEILING_KIB;
    let words = match keys.len() {
        0 => "no key of it is reported".to_owned(),
        1 => format!("1 known key, {}", kib_text(sum)),
        n => format!("{n} known keys, {}", kib_text(sum)),
    };
    pieces.push(text(words));
    pieces
}

#[cfg(test)]
mod tests {
    use super::name_lines;

    #[test]
    fn largest_keys_are_named_as_far_as_there_is_room() {
        const GIB: f64 = 1_048_576.0;
        let named = [("contoso", 15.11), ("vanarsdel", 3.72), ("proseware", 2.63)];
        let named = named.map(|(name, gib)| (name.to_owned(), gib * GIB));
        let of = |lines, columns| {
            let lines = name_lines(&named, 21.9 * GIB, (lines, columns)).into_iter();
            lines.map(|l| (l.segment, l.words)).collect::<Vec<_>>()
        };
        let all = |lines: &[(Option<usize>, &str)]| {
            let lines = lines.iter();
            lines.map(|(at, words)| (*at, (*words).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(of(0, 99), []);
        assert_eq!(
            of(1, 62),
            all(&[(Some(0), "contoso 15.11 · vanarsdel 3.72 · proseware 2.63 · other 0.44")])
        );
        assert_eq!(of(1, 30), all(&[(Some(0), "contoso 15.11 · other 6.79")]));
        assert_eq!(of(1, 17), all(&[(Some(0), "contoso 15.11")]));
        assert_eq!(
            of(2, 48),
            all(&[
                (Some(0), "contoso 15.11"),
                (Some(1), "vanarsdel 3.72 · proseware 2.63 · other 0.44")
            ])
        );
        assert_eq!(
            of(5, 48),
            all(&[
                (Some(0), "contoso 15.11"),
                (Some(1), "vanarsdel 3.72"),
                (Some(2), "proseware 2.63"),
                (None, "other 0.44")
            ])
        );
    }
}
