//! The rows of the list of keys.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::KeyOrder;
use super::entries::{self, EntryKey, ListedKey};
use super::{emptiness, stretch};
use crate::analysis::ceiling::{Ceiling, Mark};
use crate::analysis::diagnosis::steps::KEYLESS;
use crate::analysis::heat::placement::{self, PlaceDisagreement};
use crate::model::units::{figure_text, percent_text};
use crate::report::{gib, limit_date_text};
use crate::ui::kit::bar::bar;
use crate::ui::kit::chart::towers;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::table::{Align, ColumnSpec, SortMark, TableColumn, fit, headings};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{key, limit_date, sign, text};
use crate::ui::view::heat::HeatState;
use crate::ui::view::heat::layout::{HeatAreas, HeatPane, MARKER};
use crate::ui::view::heat::names;
use crate::ui::view::heat::scope::HeatScope;

/// One row, ready to be painted; all of it is visible text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyListRow {
    json: Option<Box<str>>,
    shown: String,
    /// Whether it is one key, drawn as keys are.
    is_key: bool,
    ru: String,
    share: String,
    size: String,
    ceiling: Ceiling,
    of_ceiling: Option<f64>,
    percent: String,
    limit_date: String,
    since: String,
    /// The share of the RU since then, where that is a part of the time alone.
    share_since: Option<f64>,
    /// The partition that its hash belongs to, where that is not the one that was logged.
    elsewhere: Option<String>,
    /// RU a second for each column of the map; none where no record names the key.
    over_time: Vec<Option<f64>>,
}

impl KeyListRow {
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn since(&self) -> &str {
        &self.since
    }

    pub fn share_since(&self) -> Option<f64> {
        self.share_since
    }

    /// The name and what is known.
    pub fn facts(&self) -> Vec<String> {
        let labelled = |label: &str, text: &str| {
            let known = !text.is_empty() && text != "–";
            known.then(|| format!("{label}{text}"))
        };
        let facts = [
            Some(self.shown.clone()),
            labelled("RU/s ", &self.ru),
            labelled("share of RU ", &self.share),
            labelled("GiB ", &self.size),
            labelled(&format!("{} ", self.ceiling.heading("of 20 GB")), &self.percent),
            labelled(&format!("{} ", self.ceiling.heading("20 GB on")), &self.limit_date),
            labelled("since ", &self.since),
            labelled("hash belongs to ", self.elsewhere.as_deref().unwrap_or_default()),
        ];
        facts.into_iter().flatten().collect()
    }
}

pub fn rows(state: &HeatState, cx: &Cx, seen: Range<usize>) -> Vec<KeyListRow> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let entries = state.list.entries.get(seen).unwrap_or_default();
    let rows = entries.iter().map(|entry| row(state, cx, scope, entry));
    let mut rows: Vec<KeyListRow> = rows.collect();
    if state.map.columns.has_key_lines {
        over_time(state, scope, entries, &mut rows);
    }
    rows
}

/// The RU of each key in the columns of the map.
fn over_time(state: &HeatState, scope: &HeatScope, entries: &[ListedKey], rows: &mut [KeyListRow]) {
    let (map, list) = (&state.map, &state.list);
    let found = scope.heat().zip(map.window).zip(list.records());
    let Some(((heat, window), which)) = found else {
        return;
    };
    let logged = entries.iter().zip(rows).filter_map(|(entry, row)| {
        let EntryKey::Logged(key) = entry.who else {
            return None;
        };
        Some((key, row))
    });
    let (keys, rows): (Vec<_>, Vec<_>) = logged.unzip();
    for (row, cells) in rows.into_iter().zip(heat.keys.over_time(which, &keys, window)) {
        let highest = |column| {
            let under = cells.get(map.under(column)).unwrap_or_default();
            under.iter().copied().flatten().reduce(f64::max)
        };
        row.over_time = (0..map.width()).map(highest).collect();
    }
}

fn row(state: &HeatState, cx: &Cx, scope: &HeatScope, entry: &ListedKey) -> KeyListRow {
    let unknown = || cx.theme.glyphs.signs().unknown.to_owned();
    let mut row = KeyListRow {
        json: entry.json(scope).map(|json| cx.mask.key(&json)),
        shown: entries::shown(cx, scope, entry),
        is_key: entry.canonical(scope).is_some(),
        ru: unknown(),
        share: unknown(),
        since: unknown(),
        size: unknown(),
        percent: unknown(),
        limit_date: unknown(),
        ..KeyListRow::default()
    };
    if let Some(load) = &entry.load {
        row.ru = figure_text(load.peak_ru_per_second);
        row.share = percent_text(load.share);
        (row.since, row.share_since) = stretch::since(state, scope, load);
        if row.since.is_empty() {
            row.since = unknown();
        }
    }
    sizes(scope, entry, &mut row);
    row.elsewhere = elsewhere(state, scope, entry);
    row
}

fn sizes(scope: &HeatScope, entry: &ListedKey, row: &mut KeyListRow) {
    let data = &scope.data;
    let found = (|| {
        let columns = data.columns.container(&data.capture, scope.container)?;
        data.lookups.key_row(&data.capture, columns.key(entry.row?)?.id)
    })();
    if let Some((key, _)) = found {
        row.size = gib(key.size_kib);
        row.of_ceiling = Some(key.share);
        row.percent = percent_text(key.share);
        row.ceiling = data.report.ceiling;
        row.limit_date = limit_date_text(&key.limit_date, data.report.as_of);
    }
}

/// How the log and the key's hash disagree about its partition.
pub fn disagreement(
    state: &HeatState,
    scope: &HeatScope,
    entry: &ListedKey,
) -> Option<PlaceDisagreement> {
    let EntryKey::Logged(key) = entry.who else {
        return None;
    };
    let load = entry.load.as_ref()?;
    let partition = state.list.made_of.as_ref()?.partition?;
    let partitions = [(partition, load.ru)];
    let (capture, places) = (&scope.data.capture, &scope.data.lookups.places);
    placement::disagreement(scope.heat()?, scope.container, key, &partitions, capture, places)
}

/// The partition of the key's hash, if the logs name another one.
fn elsewhere(state: &HeatState, scope: &HeatScope, entry: &ListedKey) -> Option<String> {
    let found = disagreement(state, scope, entry)?;
    let partition = scope.partition(found.owner)?;
    Some(names::label(&partition.named))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyColumn {
    Key,
    Ru,
    Share,
    Size,
    Bar,
    Percent,
    FullOn,
    Since,
}

/// Columns of `peak RU/s`.
const PEAK: u16 = 9;

/// `never`, `2026-09-19`; a date leaves its doubt out.
const DATE: u16 = 10;

/// The columns right of the marker, or right of the cells of the map where keys have lines below these.
fn columns(state: &HeatState, width: u16, glyphs: Glyphs) -> Vec<TableColumn<KeyColumn>> {
    let spec = |id, heading, least, most, need| {
        ColumnSpec::new(id, heading, least, most, need, Align::Right)
    };
    // What is listed stands there.
    let key = ColumnSpec::new(KeyColumn::Key, "", 12, u16::MAX, 0, Align::Left);
    let others = [
        spec(KeyColumn::Ru, "peak", 6, PEAK, 1),
        spec(KeyColumn::Share, "of RU", 6, 6, 4),
        spec(KeyColumn::Size, "GiB", 6, 7, 5),
        spec(KeyColumn::Bar, "", 10, 20, 6),
        // With the mark of the order.
        spec(KeyColumn::Percent, "of 20 GB", 9, 9, 2),
        spec(KeyColumn::FullOn, "20 GB on", DATE, limit_date::columns(glyphs), 3),
        spec(KeyColumn::Since, "since", 11, 12, 7),
    ];
    let map = state.map.columns;
    if map.has_key_lines {
        // Rows of several lines have it below the name.
        let is_below = state.list.lines > 1;
        let others = if is_below { &others[..6] } else { &others[..] };
        return fit(others, map.cells_at + map.cells + 1, width);
    }
    let all: Vec<_> = [key].into_iter().chain(others).collect();
    fit(&all, MARKER, width)
}

/// ```text
/// keys of partition 3                           peak RU/s of RU↓ of 20 GB 20 GB on
/// ▶ tenant-0001  ▁▁▁▁▁▁▁▁▁▂▇█████████████████████   9,120   98 %     76 % 2026-12-11
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let area = areas.keys;
    if area.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let columns = columns(state, area.width.saturating_sub(1), theme.glyphs);
    heading(state, cx, text::row(area, 0), &columns, buffer);
    let list = &state.list;
    let rows = text::rows(area, 1, area.height.saturating_sub(list.other_lines()));
    if list.entries.is_empty() {
        let words = emptiness::words(state);
        text::paragraph(buffer, rows, &words, theme.dim, theme);
        return;
    }
    let names = key_column(state, &columns);
    let keys = list.rows.iter();
    let keys = keys
        .map(|row| (row.json.as_deref(), names.1.saturating_sub(elsewhere_columns(row, theme))));
    let keys = key::column(keys, theme.text, theme);
    for (at, (row, key)) in list.rows.iter().zip(&keys).enumerate() {
        let lines = list.lines_of(rows, at);
        let line = text::row(lines, 0);
        let is_chosen = list.cursor.first + at == list.cursor.chosen;
        draw_key(cx, row, key, text::column(line, names.0, names.1), buffer);
        draw_numbers(cx, row, line, &columns, buffer);
        if state.map.columns.has_key_lines {
            draw_line(state, cx, row, lines, buffer);
            draw_since(cx, row, lines, names, &columns, buffer);
        }
        if is_chosen {
            let has_focus = state.pane == HeatPane::Keys;
            let style = if has_focus { theme.accent } else { theme.dim };
            let sign = [Span::styled(theme.glyphs.signs().cursor, style)];
            text::left(buffer, text::column(line, 0, 1), &sign, theme);
            if has_focus {
                lay_chosen(buffer, line, theme.cursor_row);
            }
        }
    }
    sign::scroll(buffer, rows, list.cursor.first, list.entries.len(), theme);
    if let Some(words) = list.blamed.as_ref().filter(|_| !cx.veil.is_drawn()) {
        let rows_seen = u16::try_from(list.rows.len()).unwrap_or(u16::MAX);
        let used = list.lines.saturating_mul(rows_seen);
        let room = text::column(text::row(rows, used), MARKER, rows.width);
        let words = theme.glyphs.sentence(words).into_owned();
        text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
    if let Some(share) = list.keyless {
        let short = format!("{} of RU without a key", percent_text(share));
        let whole = format!("{short}: {KEYLESS}");
        let is_room = text::width(&whole, theme.glyphs) <= area.width.into();
        let words = if is_room { whole } else { short };
        let foot = text::row(area, area.height.saturating_sub(1));
        text::left(buffer, foot, &[Span::styled(words, theme.warn)], theme);
    }
}

/// Where names begin, and their columns.
fn key_column(state: &HeatState, columns: &[TableColumn<KeyColumn>]) -> (u16, u16) {
    if state.map.columns.has_key_lines {
        return (MARKER, state.map.columns.label);
    }
    let key = columns.iter().find(|column| column.id == KeyColumn::Key);
    key.map_or((MARKER, 0), |key| (key.start, key.width))
}

fn heading(
    state: &HeatState,
    cx: &Cx,
    row: Rect,
    columns: &[TableColumn<KeyColumn>],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let has = |id| columns.iter().any(|column| column.id == id);
    let by = match state.list.by() {
        KeyOrder::Ru if has(KeyColumn::Share) => KeyColumn::Share,
        KeyOrder::Ru => KeyColumn::Ru,
        KeyOrder::Size if has(KeyColumn::Size) => KeyColumn::Size,
        KeyOrder::Size => KeyColumn::Percent,
        KeyOrder::Since => KeyColumn::Since,
        KeyOrder::Key => KeyColumn::Key,
    };
    let mark = match state.list.by() {
        KeyOrder::Ru | KeyOrder::Size => SortMark::Descending,
        KeyOrder::Since | KeyOrder::Key => SortMark::Ascending,
    };
    let is_roomy = |c: &TableColumn<KeyColumn>| c.id == KeyColumn::Ru && c.width >= PEAK;
    let name = |column: &TableColumn<KeyColumn>| match column.id {
        KeyColumn::Ru if by != column.id && columns.iter().any(is_roomy) => "peak RU/s",
        // The mark takes two columns there.
        KeyColumn::Share if by == column.id && theme.glyphs == Glyphs::Ascii => "RU %",
        _ => cx.ceiling.heading(column.heading),
    };
    headings(buffer, row, columns, name, Some((by, mark)), theme);
    let style = match state.pane {
        HeatPane::Keys => theme.accent,
        HeatPane::Map => theme.title,
    };
    let numbers = columns.iter().filter(|column| column.id != KeyColumn::Key);
    let room = numbers.map(|column| column.start).min();
    let room = text::column(row, 0, room.unwrap_or(row.width).saturating_sub(1));
    let fits = |words: &&String| text::width(words, theme.glyphs) <= room.width.into();
    let scopes = super::scopes(state);
    let words = scopes.iter().find(fits).or(scopes.last());
    let words = words.map_or("", String::as_str);
    let words = theme.glyphs.sentence(words);
    let taken = text::left(buffer, room, &[Span::styled(words, style)], theme);
    let over_time = text::column(room, taken + 2, room.width);
    let words = over_time_words(state);
    if text::width(&words, theme.glyphs) <= over_time.width.into() {
        text::left(buffer, over_time, &[Span::styled(words, theme.dim)], theme);
    }
}

/// What the lines of the keys show, or that there are none.
fn over_time_words(state: &HeatState) -> String {
    let scope = state.scope.as_ref();
    let is_logged = scope.is_some_and(|scope| scope.has_key_loads);
    match is_logged {
        true if state.map.columns.has_key_lines && state.list.most_ru > 0.0 => {
            format!("RU/s over time, 0 to {}", figure_text(state.list.most_ru))
        }
        true => String::new(),
        false => "no RU per key over time".to_owned(),
    }
}

/// What stands right of a key whose hash belongs to another partition.
fn elsewhere_words(row: &KeyListRow, theme: &Theme) -> Option<String> {
    let other = row.elsewhere.as_ref()?;
    Some(theme.glyphs.sentence(&format!(" ≠ {other}")).into_owned())
}

fn elsewhere_columns(row: &KeyListRow, theme: &Theme) -> u16 {
    let taken =
        elsewhere_words(row, theme).map_or(0, |words| text::width(&words, theme.glyphs) + 1);
    u16::try_from(taken).unwrap_or(u16::MAX)
}

fn draw_key(cx: &Cx, row: &KeyListRow, key: &[Span], mut room: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    if let Some(words) = elsewhere_words(row, theme) {
        text::right(buffer, room, &[Span::styled(words, theme.warning)], theme);
        room.width = room.width.saturating_sub(elsewhere_columns(row, theme));
    }
    if row.is_key {
        text::left(buffer, room, key, theme);
    } else {
        text::middle(buffer, room, &row.shown, theme.dim, theme);
    }
}

/// `since 23:24` below the name, and below the share that of the time since then.
fn draw_since(
    cx: &Cx,
    row: &KeyListRow,
    lines: Rect,
    names: (u16, u16),
    columns: &[TableColumn<KeyColumn>],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let below = text::row(lines, 1);
    if row.over_time.is_empty() || below.is_empty() || cx.veil.is_drawn() {
        return;
    }
    let room = text::column(below, names.0, names.1);
    let words = theme.glyphs.sentence(&row.since).into_owned();
    let whole = format!("since {words}");
    let is_room = text::width(&whole, theme.glyphs) <= usize::from(room.width);
    let words = if is_room { whole } else { words };
    text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
    let share = columns.iter().find(|column| column.id == KeyColumn::Share);
    if let Some((column, share)) = share.zip(row.share_since) {
        let words = [Span::styled(percent_text(share), theme.dim)];
        column.cell(buffer, below, &words, theme);
    }
}

/// The RU of the key over the time of the map, below its cells.
fn draw_line(state: &HeatState, cx: &Cx, row: &KeyListRow, lines: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let room = state.map.columns.cells(lines);
    if row.over_time.is_empty() {
        let words = [Span::styled("no RU logged", theme.dim)];
        text::left(buffer, room, &words, theme);
        return;
    }
    towers(buffer, room, &row.over_time, state.list.most_ru, theme);
}

fn draw_numbers(
    cx: &Cx,
    row: &KeyListRow,
    line: Rect,
    columns: &[TableColumn<KeyColumn>],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let mark = row.of_ceiling.map(Mark::of);
    let marked = mark.map_or(theme.text, |mark| theme.mark(mark));
    for column in columns {
        let (words, style) = match column.id {
            KeyColumn::Key => continue,
            KeyColumn::Bar => {
                if let Some(share) = row.of_ceiling {
                    bar(buffer, column.area(line), share, theme);
                }
                continue;
            }
            KeyColumn::Ru => (cx.veil.over(&row.ru), theme.text),
            KeyColumn::Share => (cx.veil.over(&row.share), theme.text),
            KeyColumn::Size => (row.size.as_str(), theme.text),
            KeyColumn::Percent => (row.percent.as_str(), marked),
            KeyColumn::FullOn => {
                let room = column.width.into();
                (limit_date::fitting(&row.limit_date, room, theme.glyphs), theme.text)
            }
            KeyColumn::Since => (cx.veil.over(&row.since), theme.dim),
        };
        let words = theme.glyphs.sentence(words).into_owned();
        column.cell(buffer, line, &[Span::styled(words, style)], theme);
    }
}
