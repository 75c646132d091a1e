//! The space of hashes from 00 to FF: the ranges of the partitions, those they were split from, and where keys lie.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::layout::HeatAreas;
use super::readout::{self, ReadoutPiece, ReadoutRole};
use super::scope::HeatScope;
use super::shade::Palette;
use super::{head, legend, locating, names};
use crate::analysis::locate::Located;
use crate::model::epk::{Epk, even_boundaries};
use crate::model::key::{Key, KeyDefinition};
use crate::model::load::RuKey;
use crate::model::units::{percent_text, real, whole_u64};
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::heat::HeatState;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// Places told apart along the strip; more than a screen is wide.
const PLACES: u32 = 4096;
/// Keys whose places are looked for.
const MOST_KEYS: usize = 5000;
/// Generations of partitions that are drawn.
const MOST_LANES: usize = 6;

/// A range along the strip, in parts of the whole.
#[derive(Clone, PartialEq, Debug)]
struct Span01 {
    from: f64,
    to: f64,
    label: String,
    /// The partition, where it still is one.
    partition: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
struct KeyPlace {
    at: f64,
    name: Option<Box<str>>,
}

#[derive(Debug, Default)]
pub struct HashStrip {
    of: Option<(Shared<Dataset>, u32, u64, Vec<Key>)>,
    /// The oldest generation first; the last one is what is there now.
    lanes: Vec<Vec<Span01>>,
    keys: Vec<KeyPlace>,
    located: Option<Located>,
}

impl HashStrip {
    /// Lanes, the row of the keys, and those of the values that are looked for.
    pub fn rows(&self) -> u16 {
        let located = locating::rows(self.located.as_ref());
        u16::try_from(self.lanes.len() + 1 + located).unwrap_or(u16::MAX)
    }
}

pub fn settle(state: &mut HeatState, cx: &Cx) {
    let Some(scope) = &state.scope else {
        state.strips = HashStrip::default();
        return;
    };
    let located = state.located.clone();
    let made_of = Some((scope.data.clone(), scope.container, state.names, located));
    if state.strips.of == made_of {
        return;
    }
    let ruler = Ruler::of(scope);
    let made = HashStrip {
        lanes: lanes(scope, &ruler),
        keys: keys(state, scope, &ruler),
        located: locating::located(state, cx, scope.container),
        of: made_of,
    };
    state.strips = made;
}

/// Evenly spaced hashes, by which any other one finds its place.
struct Ruler(Vec<Epk>);

impl Ruler {
    fn of(scope: &HeatScope) -> Self {
        let definition = scope.capture_container().and_then(|held| held.definition.clone());
        let definition = definition.unwrap_or_else(|| KeyDefinition::of_levels(1));
        Self(even_boundaries(PLACES, &definition))
    }

    fn at(&self, epk: &Epk) -> f64 {
        let before = self.0.partition_point(|mark| mark <= epk);
        real(before as u64) / real(self.0.len().max(1) as u64)
    }

    fn of_hex(&self, text: Option<&str>) -> Option<f64> {
        let text = text?;
        match text {
            "" => Some(0.0),
            "FF" | "ff" => Some(1.0),
            text => Some(self.at(&Epk::from_hex(text)?)),
        }
    }
}

fn lanes(scope: &HeatScope, ruler: &Ruler) -> Vec<Vec<Span01>> {
    let Some(held) = scope.capture_container() else {
        return Vec::new();
    };
    let index_of = |known: usize| {
        let heat = scope.heat()?;
        let mut partitions = heat.partitions.iter();
        let at = partitions.position(|p| p.known == Some(known))?;
        u32::try_from(at).ok()
    };
    let mut now: Vec<(Span01, &[String])> = Vec::new();
    for (known, partition) in held.partitions.iter().enumerate() {
        let from = ruler.of_hex(partition.min_inclusive.as_deref());
        let to = ruler.of_hex(partition.max_exclusive.as_deref());
        if let Some((from, to)) = from.zip(to) {
            let span = Span01 {
                from,
                to,
                label: visible(&partition.id).into_owned(),
                partition: index_of(known),
            };
            now.push((span, &partition.parents));
        }
    }
    now.sort_by(|a, b| a.0.from.total_cmp(&b.0.from));
    let generations = now.iter().map(|(_, parents)| parents.len()).max();
    let generations = generations.unwrap_or(0).min(MOST_LANES - 1);
    let mut lanes: Vec<Vec<Span01>> = Vec::new();
    for generation in 0..generations {
        lanes.push(ancestors(&now, generation));
    }
    if !now.is_empty() {
        lanes.push(now.into_iter().map(|(span, _)| span).collect());
    }
    lanes
}

/// What partitions were part of, so many splits after the first: the oldest ancestor stands first.
fn ancestors(now: &[(Span01, &[String])], generation: usize) -> Vec<Span01> {
    let mut lane: Vec<Span01> = Vec::new();
    for (span, parents) in now {
        // Who has no ancestor that young was there already.
        let label = parents.get(generation).map(|id| visible(id).into_owned());
        let label = label.unwrap_or_else(|| span.label.clone());
        match lane.last_mut() {
            Some(last) if last.label == label => last.to = span.to,
            _ => lane.push(Span01 { label, partition: None, ..span.clone() }),
        }
    }
    lane
}

/// The places of the keys that are known by size or by load.
fn keys(state: &HeatState, scope: &HeatScope, ruler: &Ruler) -> Vec<KeyPlace> {
    let data = &scope.data;
    let places = &data.lookups.places;
    let mut found = Vec::new();
    let mut add = |canonical: &str| {
        if let Some(epk) = places.epk(scope.container, canonical) {
            found.push(KeyPlace { at: ruler.at(&epk), name: Some(canonical.into()) });
        }
    };
    let logged = scope.heat().map_or(&[][..], |heat| heat.keys.cells());
    let mut numbers: Vec<u32> = logged
        .iter()
        .filter_map(|cell| match cell.key {
            RuKey::Named(number) => Some(number),
            RuKey::NotReported | RuKey::Other => None,
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers.into_iter().take(MOST_KEYS) {
        add(data.capture.load.keys.text(number));
    }
    if let (Some(held), Some(columns)) =
        (scope.capture_container(), data.columns.container(&data.capture, scope.container))
    {
        for known in 0..held.partitions.len() {
            for row in state.index.largest(Some(known)) {
                if let Some(view) = columns.row(*row).and_then(|row| row.view()) {
                    add(view.canonical());
                }
            }
        }
    }
    found.sort_by(|a, b| a.at.total_cmp(&b.at).then_with(|| a.name.cmp(&b.name)));
    found.dedup();
    found.truncate(MOST_KEYS);
    found
}

pub(super) fn column(part: f64, width: u16) -> u16 {
    u16::try_from(whole_u64((part.clamp(0.0, 1.0) * f64::from(width)).floor())).unwrap_or(u16::MAX)
}

/// From range to range, so that the narrowest is reached too.
pub fn step(state: &mut HeatState, action: Action) {
    let Some(now) = state.strips.lanes.last() else {
        return;
    };
    let chosen = state.chosen();
    let is_it = |span: &Span01| span.partition.is_some() && span.partition == chosen;
    let at = now.iter().position(is_it);
    let next = match (action, at) {
        (_, None) => Some(0),
        (Action::Earlier, Some(at)) => at.checked_sub(1),
        (_, Some(at)) => Some(at + 1),
    };
    if let Some(partition) = next.and_then(|at| now.get(at)?.partition) {
        choose_partition(state, partition);
    }
}

fn choose_partition(state: &mut HeatState, partition: u32) {
    let mut rows = state.scope.iter().flat_map(|scope| &scope.rows);
    if let Some(row) = rows.position(|row| *row == partition) {
        state.cursor.chosen = row;
        super::chosen_by_hand(state);
    }
}

/// The partition whose range lies under a column.
pub fn choose(state: &mut HeatState, cx: &Cx, at: u16) {
    let width = super::areas(state, cx.body()).map.width.max(1);
    let part = (f64::from(at) + 0.5) / f64::from(width);
    let now = state.strips.lanes.last();
    let span = now.and_then(|lane| lane.iter().find(|s| s.from <= part && part < s.to));
    if let Some(partition) = span.and_then(|span| span.partition) {
        choose_partition(state, partition);
    }
}

/// ```text
/// 00                                                              FF
/// │0                              │1              │2              │     before the splits
/// │3              │4              │1              │5      │6      │     now, coloured as the chosen cell of time
///    1     2         ◆                  1      3                        known keys
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    text::ends(
        buffer,
        areas.axis,
        &[Span::styled("00", theme.dim)],
        &[Span::styled("FF", theme.dim)],
        theme,
    );
    let made = &state.strips;
    if made.lanes.is_empty() {
        let words = "No hash range is known. Ranges come from a container read that lists physical partitions \
            (az cosmosdb sql container show) or from the answer of pkranges: open one together with these files.";
        text::paragraph(buffer, areas.map, words, theme.text, theme);
        return;
    }
    let located = locating::rows(made.located.as_ref());
    let located = u16::try_from(located).unwrap_or(u16::MAX);
    let height = areas.map.height;
    // The lane of now and the keys stay, whatever else goes.
    let located = located.min(height.saturating_sub(2));
    let room = height.saturating_sub(1 + located).max(1);
    let skipped = made.lanes.len().saturating_sub(room.into());
    let lanes = made.lanes.iter().enumerate().skip(skipped);
    let mut below = 0;
    for ((at, lane), index) in lanes.zip(0..areas.map.height) {
        let row = text::row(areas.map, index);
        draw_lane(state, cx, lane, at + 1 == made.lanes.len(), row, buffer);
        below = index + 1;
    }
    draw_keys(state, cx, text::row(areas.map, below), buffer);
    if let Some(found) = &made.located {
        let area = text::rows(areas.map, below + 1, located);
        locating::draw(found, cx, area, buffer);
    }
}

fn draw_lane(
    state: &HeatState,
    cx: &Cx,
    lane: &[Span01],
    is_now: bool,
    row: Rect,
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let palette = Palette::of(theme, state.look, legend::scale(state));
    let chosen = state.chosen();
    for span in lane {
        let (from, to) = (column(span.from, row.width), column(span.to, row.width));
        let room = text::column(row, from, to.max(from + 1) - from);
        let mut style = if is_now { theme.text } else { theme.dim };
        if is_now && let Some(part) = span.partition.and_then(|p| part_now(state, p)) {
            style = palette.background(part);
        }
        let is_chosen = is_now && span.partition.is_some() && span.partition == chosen;
        if is_chosen {
            style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        }
        let sign =
            if is_chosen { theme.glyphs.signs().cursor } else { theme.glyphs.signs().bar_mark };
        let width = usize::from(room.width);
        let wanted = text::width(&span.label, theme.glyphs);
        let words = match wanted {
            wanted if wanted < width => format!("{sign}{}", span.label),
            wanted if wanted == width => span.label.clone(),
            _ => sign.to_owned(),
        };
        let filled = width.saturating_sub(text::width(&words, theme.glyphs));
        let words = format!("{words}{}", " ".repeat(filled));
        text::left(buffer, room, &[Span::styled(words, style)], theme);
    }
}

/// How hot a partition is in the chosen cell of time.
fn part_now(state: &HeatState, partition: u32) -> Option<f64> {
    let scope = state.scope.as_ref()?;
    let (from, to) = state.map.window?.cell(state.map.cursor?);
    let value = scope.series(partition)?.read(from, to)?.highest;
    let full = match legend::scale(state) {
        super::shade::ShadeScale::Absolute => scope.full(partition)?,
        super::shade::ShadeScale::Relative => scope.highest,
    };
    Some(if full > 0.0 { value / full } else { 0.0 })
}

/// How many known keys lie under each column, and where the key to blame does.
fn draw_keys(state: &HeatState, cx: &Cx, row: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let mut counts = vec![0_u32; row.width.into()];
    for key in &state.strips.keys {
        if let Some(count) = counts.get_mut(usize::from(column(key.at, row.width))) {
            *count += 1;
        }
    }
    let line: String = counts
        .iter()
        .map(|count| match count {
            0 => ' ',
            n => char::from_digit(*n, 10).unwrap_or('+'),
        })
        .collect();
    text::left(buffer, row, &[Span::styled(line, theme.accent)], theme);
    let blamed = head::worst(state).and_then(|verdict| verdict.key.as_deref());
    let is_blamed = |key: &&KeyPlace| key.name.is_some() && key.name.as_deref() == blamed;
    if let Some(key) = state.strips.keys.iter().find(is_blamed) {
        let sign = [Span::styled(theme.glyphs.signs().marked, theme.alarm)];
        let room = text::column(row, column(key.at, row.width), 1);
        text::left(buffer, room, &sign, theme);
    }
}

pub fn legend(cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let words = "lowest lane: now · above: before splits · digits: known keys · :locate VALUE";
    vec![Span::styled(theme.glyphs.sentence(words).into_owned(), theme.dim)]
}

pub fn readout(state: &HeatState) -> Vec<ReadoutPiece> {
    let found = state.scope.as_ref().zip(state.chosen());
    let Some((scope, partition)) = found else {
        return Vec::new();
    };
    let text = |words: String| ReadoutPiece::new(ReadoutRole::Text, words);
    let named = scope.partition(partition).map(|p| &p.named);
    let mut pieces = vec![text(named.map(names::sentence).unwrap_or_default())];
    let now = state.strips.lanes.last();
    let span = now.and_then(|lane| lane.iter().find(|s| s.partition == Some(partition)));
    if let Some(span) = span {
        let width = percent_text(span.to - span.from);
        pieces.push(text(format!("{width} of all hashes")));
        let inside = state.strips.keys.iter();
        let inside = inside.filter(|key| (span.from..span.to).contains(&key.at));
        pieces.push(text(format!("{} known keys", inside.count())));
    }
    if let Some(held) = readout::physical_partition(scope, partition) {
        if !held.parents.is_empty() {
            let parents: Vec<String> =
                held.parents.iter().map(|id| visible(id).into_owned()).collect();
            pieces.push(ReadoutPiece::new(
                ReadoutRole::Dim,
                format!("split from {}", parents.join(", then ")),
            ));
        }
        pieces.extend(names::range(held).map(|range| ReadoutPiece::new(ReadoutRole::Dim, range)));
    }
    pieces
}
