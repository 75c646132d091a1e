//! The rows of the list of keys.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::entries::{self, EntryKey, ListedKey};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::placement::{self, PlaceDisagreement};
use crate::model::units::{figure_text, percent_text};
use crate::report::{gib, wall_text};
use crate::ui::kit::bar::bar;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{key, sign, text, wall};
use crate::ui::view::heat::HeatState;
use crate::ui::view::heat::layout::{HeatAreas, HeatPane};
use crate::ui::view::heat::names;
use crate::ui::view::heat::names::Precision;
use crate::ui::view::heat::readout;
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
    of_ceiling: Option<f64>,
    percent: String,
    wall: String,
    since: String,
    /// The partition that its hash belongs to, where that is not the one that was logged.
    elsewhere: Option<String>,
}

impl KeyListRow {
    /// For the clipboard.
    pub fn line(&self) -> String {
        let labelled = |label: &str, text: &str| {
            let known = !text.is_empty() && text != "–";
            known.then(|| format!("{label}{text}"))
        };
        let facts = [
            Some(self.shown.clone()),
            labelled("RU/s ", &self.ru),
            labelled("share of RU ", &self.share),
            labelled("GiB ", &self.size),
            labelled("of 20 GB ", &self.percent),
            labelled("wall ", &self.wall),
            labelled("since ", &self.since),
            labelled(
                "hash belongs to ",
                self.elsewhere.as_deref().unwrap_or_default(),
            ),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        facts.join("  ")
    }
}

pub fn rows(state: &HeatState, cx: &Cx, seen: Range<usize>) -> Vec<KeyListRow> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let entries = state.list.entries.get(seen).unwrap_or_default();
    entries
        .iter()
        .map(|entry| row(state, cx, scope, entry))
        .collect()
}

fn row(state: &HeatState, cx: &Cx, scope: &HeatScope, entry: &ListedKey) -> KeyListRow {
    let unknown = || cx.theme.glyphs.signs().unknown.to_owned();
    let mut row = KeyListRow {
        json: entry.json(scope).map(|json| cx.mask.key(&json)),
        shown: entries::shown(cx, scope, entry),
        is_key: entry.who != EntryKey::Logged(crate::model::load::RuKey::Other),
        ru: unknown(),
        share: unknown(),
        since: unknown(),
        size: unknown(),
        wall: unknown(),
        ..KeyListRow::default()
    };
    if let Some(load) = &entry.load {
        row.ru = figure_text(load.peak_ru_per_second);
        row.share = percent_text(load.share);
        if let Some(first) = load.since.or(load.first) {
            let span = scope.span.map_or(0, |(from, to)| to.saturating_sub(from));
            row.since = names::clock(first, Precision::of(60, span));
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
        let id = columns.row(entry.row?)?.id()?;
        data.lookups.key_row(&data.capture, id)
    })();
    if let Some((key, _)) = found {
        row.size = gib(key.size_kib);
        row.of_ceiling = Some(key.share);
        row.percent = percent_text(key.share);
        row.wall = wall_text(&key.wall, data.report.as_of);
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
    let partitions = [(state.chosen()?, load.ru)];
    let (capture, places) = (&scope.data.capture, &scope.data.lookups.places);
    placement::disagreement(
        scope.heat()?,
        scope.container,
        key,
        &partitions,
        capture,
        places,
    )
}

/// The partition of the key's hash, if the logs name another one.
fn elsewhere(state: &HeatState, scope: &HeatScope, entry: &ListedKey) -> Option<String> {
    let found = disagreement(state, scope, entry)?;
    let partition = scope.partition(found.owner)?;
    Some(names::label(&partition.named))
}

/// Columns right of the key, for a width.
#[derive(Clone, Copy)]
struct Widths {
    key: u16,
    ru: u16,
    share: u16,
    size: u16,
    bar: u16,
    percent: u16,
    wall: u16,
    since: u16,
}

const MARKER: u16 = 2;
const HEADINGS: [&str; 7] = ["RU/s", "share", "GiB", "of 20 GB", "", "wall", "since"];

impl Widths {
    fn of(width: u16, glyphs: crate::ui::kit::glyphs::Glyphs) -> Self {
        let when = |least: u16, columns: u16| if width >= least { columns } else { 0 };
        let mut widths = Self {
            key: 0,
            ru: when(30, 9),
            share: when(38, 9),
            size: when(46, 8),
            bar: when(84, 11) + when(140, 10),
            percent: when(54, 9),
            wall: when(72, wall::columns(glyphs) + 1),
            since: when(100, 14),
        };
        let rest = widths.beside().into_iter().sum::<u16>();
        widths.key = width.saturating_sub(MARKER + rest);
        widths
    }

    fn beside(self) -> [u16; 7] {
        [
            self.ru,
            self.share,
            self.size,
            self.bar,
            self.percent,
            self.wall,
            self.since,
        ]
    }

    fn rooms(self, row: Rect) -> (Rect, [Rect; 7]) {
        let mut at = MARKER + self.key;
        let rooms = self.beside().map(|columns| {
            let room = text::column(row, at, columns);
            at += columns;
            room
        });
        (text::column(row, MARKER, self.key), rooms)
    }
}

/// ```text
/// keys of partition 3           RU/s    share     GiB  of 20 GB            wall
/// ▶ tenant-0001                9,120   97.9 %   15.20  ▇▇▇▇▇▇▇▇▁▁  76 %  2026-12-11 ± 6 d
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let area = areas.keys;
    if area.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let widths = Widths::of(area.width.saturating_sub(1), theme.glyphs);
    heading(state, cx, text::row(area, 0), widths, buffer);
    let list = &state.list;
    let rows = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    if list.entries.is_empty() {
        let words = emptiness(state);
        text::paragraph(buffer, rows, &words, theme.dim, theme);
        return;
    }
    let keys = list.rows.iter();
    let keys = keys.map(|row| (row.json.as_deref(), key_columns(row, widths, theme)));
    let keys = key::column(keys, theme.text, theme);
    let listed = list.rows.iter().zip(&keys).zip(0..rows.height);
    for (at, ((row, key), index)) in listed.enumerate() {
        let line = text::row(rows, index);
        let is_chosen = list.cursor.first + at == list.cursor.chosen;
        draw_row(cx, row, key, line, widths, buffer);
        if is_chosen && state.pane == HeatPane::Keys {
            let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
            text::left(buffer, text::column(line, 0, 1), &sign, theme);
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
    sign::scroll(buffer, rows, list.cursor.first, list.entries.len(), theme);
}

fn heading(state: &HeatState, cx: &Cx, row: Rect, widths: Widths, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let style = match state.pane {
        HeatPane::Keys => theme.accent,
        HeatPane::Map => theme.title,
    };
    let (_, rooms) = widths.rooms(row);
    // Numbers of the first column are narrower than its room; so is its heading.
    let heading = u16::try_from(HEADINGS[0].len() + 1).unwrap_or(u16::MAX);
    let room = MARKER + widths.key + widths.ru.saturating_sub(heading);
    let room = text::column(row, 0, room);
    let fits = |words: &&String| text::width(words, theme.glyphs) <= room.width.into();
    let scopes = super::scopes(state);
    let words = scopes.iter().find(fits).or(scopes.last());
    let words = words.map_or("", String::as_str);
    let words = text::shorten(
        &theme.glyphs.sentence(words),
        room.width.into(),
        theme.glyphs,
    );
    text::left(buffer, room, &[Span::styled(words, style)], theme);
    for (room, words) in rooms.into_iter().zip(HEADINGS) {
        let words = if room.width > 8 && words.is_empty() && widths.bar == 0 {
            "of 20 GB"
        } else {
            words
        };
        text::right(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
}

/// What stands right of a key whose hash belongs to another partition.
fn elsewhere_words(row: &KeyListRow, theme: &Theme) -> Option<String> {
    let other = row.elsewhere.as_ref()?;
    Some(theme.glyphs.sentence(&format!(" ≠ {other}")).into_owned())
}

/// The columns that the key has.
fn key_columns(row: &KeyListRow, widths: Widths, theme: &Theme) -> u16 {
    let taken =
        elsewhere_words(row, theme).map_or(0, |words| text::width(&words, theme.glyphs) + 1);
    widths
        .key
        .saturating_sub(u16::try_from(taken).unwrap_or(u16::MAX))
}

fn draw_row(
    cx: &Cx,
    row: &KeyListRow,
    key: &[Span],
    line: Rect,
    widths: Widths,
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let (mut room, [ru, share, size, of_ceiling, percent, wall_room, since]) = widths.rooms(line);
    if let Some(words) = elsewhere_words(row, theme) {
        text::right(buffer, room, &[Span::styled(words, theme.warning)], theme);
        room.width = key_columns(row, widths, theme);
    }
    if row.is_key {
        text::left(buffer, room, key, theme);
    } else {
        text::middle(buffer, room, &row.shown, theme.dim, theme);
    }
    let mark = row.of_ceiling.map(Mark::of);
    let marked = mark.map_or(theme.text, |mark| theme.mark(mark));
    let right = |buffer: &mut Buffer, room: Rect, words: &str, style| {
        let words = theme.glyphs.sentence(words).into_owned();
        text::right(buffer, room, &[Span::styled(words, style)], theme);
    };
    right(buffer, ru, &row.ru, theme.text);
    right(buffer, share, &row.share, theme.text);
    right(buffer, size, &row.size, theme.text);
    if let Some(share) = row.of_ceiling {
        let room = text::column(of_ceiling, 1, of_ceiling.width.saturating_sub(1));
        bar(buffer, room, share, theme);
    }
    right(buffer, percent, &row.percent, marked);
    let fitting = wall::fitting(
        &row.wall,
        wall_room.width.saturating_sub(1).into(),
        theme.glyphs,
    );
    right(buffer, wall_room, fitting, theme.text);
    right(buffer, since, &row.since, theme.dim);
}

/// Why no key is listed.
fn emptiness(state: &HeatState) -> String {
    let Some(scope) = &state.scope else {
        return "Nothing is open.".to_owned();
    };
    if !state.list.filter.is_empty() {
        return "No key of this partition has that text.".to_owned();
    }
    let Some(chosen) = state.chosen() else {
        return "No physical partition is known. The inputs name none: ranges come from az cosmosdb or a container \
            read, load from metrics and logs."
            .to_owned();
    };
    if super::super::time::chosen_span(state).is_some() {
        return "No record of this partition lies in the chosen span of time.".to_owned();
    }
    let has_logs = scope
        .heat()
        .is_some_and(|heat| !heat.keys.cells().is_empty());
    let has_range = readout::physical_partition(scope, chosen).is_some();
    match (has_logs, has_range) {
        (true, _) => "No key of this partition is logged or listed. Other keys: smaller, not reported.".to_owned(),
        (false, true) => "No log names the keys of this partition. Switch on the diagnostic log \
            PartitionKeyRUConsumption to see who uses its RU/s, and PartitionKeyStatistics for sizes."
            .to_owned(),
        (false, false) => "No log names the keys of this partition, and its hash range is not known: keys cannot be \
            placed in it."
            .to_owned(),
    }
}
