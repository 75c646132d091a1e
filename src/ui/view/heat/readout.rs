//! The exact value of the chosen cell, and a cell that was pinned to compare it with.

use crate::model::units::{figure_text, percent_text};
use crate::ui::kit::msg::Effect;
use std::iter;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::HeatPane;
use super::map::of_row;
use super::scope::HeatScope;
use super::{Chart, HeatState, head, keylist, names, storage, strip};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::Measure;
use crate::analysis::rules::Rule;
use crate::model::physical::PhysicalPartition;
use crate::model::visible::visible;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;

/// How a piece of the line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadoutRole {
    Value(Option<Mark>),
    Text,
    Dim,
}

/// Smaller differences are none: values are kept as 32 bits.
const SAME: f64 = 1e-6;

pub type ReadoutPiece = (ReadoutRole, String);

/// A cell that is kept in sight.
#[derive(Clone, PartialEq, Debug)]
pub struct Pin {
    pub label: String,
    pub from: i64,
    pub to: i64,
    measure: Measure,
    value: f64,
}

/// What the chosen cell holds.
#[derive(Clone, PartialEq, Debug)]
pub struct ChosenCell {
    pub partition: u32,
    /// How many partitions it stands for.
    pub merged: usize,
    pub from: i64,
    pub to: i64,
    pub value: Option<f64>,
    pub steps: u64,
    pub gaps: u64,
    pub throttled: Option<ThrottledRate>,
}

/// Requests refused with 429, in the region where most were.
#[derive(Clone, PartialEq, Debug)]
pub struct ThrottledRate {
    pub a_second: f64,
    pub region: Option<Arc<str>>,
    /// The seconds that it is the mean of.
    pub step_s: u32,
}

/// The cell under the cursor; of merged partitions that of the highest.
pub fn chosen(state: &HeatState) -> Option<ChosenCell> {
    let scope = state.scope.as_ref()?;
    let (from, to) = state.map.window?.cell(state.map.cursor?);
    let partition = state.chosen()?;
    let reading = scope.series(partition).and_then(|s| s.read(from, to));
    let throttled = scope.throttled().filter_map(|track| {
        let step = i64::from(track.step_s.max(1));
        let begin = from.saturating_sub(from.rem_euclid(step));
        let series = track.series.get(partition as usize)?;
        let reading = series.read(begin, to.max(begin.saturating_add(step)))?;
        Some(ThrottledRate {
            a_second: reading.highest,
            region: track.region.clone(),
            step_s: track.step_s,
        })
    });
    let throttled = throttled.filter(|throttled| throttled.a_second > 0.0);
    let throttled = throttled.reduce(|a, b| if b.a_second > a.a_second { b } else { a });
    Some(ChosenCell {
        partition,
        merged: of_row(scope, state.cursor.chosen, state.map.group).len(),
        from,
        to,
        value: reading.map(|r| r.highest),
        steps: reading.map_or(0, |r| r.steps),
        gaps: reading.map_or(0, |r| r.gaps),
        throttled,
    })
}

pub fn settle(state: &mut HeatState) {
    let pieces = match state.chart {
        Chart::Time => of_cell(state),
        Chart::Storage => storage::readout(state),
        Chart::Ranges => strip::readout(state),
    };
    state.readout = pieces;
}

fn of_cell(state: &HeatState) -> Vec<ReadoutPiece> {
    let (Some(scope), Some(cell)) = (&state.scope, chosen(state)) else {
        return Vec::new();
    };
    let mut pieces = vec![value(scope, &cell)];
    pieces.push((ReadoutRole::Text, names::span(cell.from, cell.to)));
    let named = scope
        .partition(cell.partition)
        .map(|p| names::sentence(&p.named));
    pieces.push((ReadoutRole::Text, named.unwrap_or_default()));
    if cell.merged > 1 {
        let first = state.cursor.chosen * state.map.group + 1;
        let last = first + cell.merged - 1;
        let words = format!("highest of {} merged, rows {first} to {last}", cell.merged);
        pieces.push((ReadoutRole::Text, words));
    }
    if let Some(throttled) = &cell.throttled {
        let words = refused_text(scope, throttled);
        pieces.push((ReadoutRole::Value(Some(Mark::Alarm)), words));
        let verdicts = head::diagnosis(state).map_or(&[][..], |found| &found.verdicts);
        if verdicts.iter().any(|verdict| verdict.rule == Rule::FanOut) {
            let words = "cause: cross-partition queries".to_owned();
            pieces.push((ReadoutRole::Dim, words));
        }
    }
    let bursts = scope
        .heat()
        .map_or(0.0, |heat| heat.burst_ru(cell.from, cell.to));
    if bursts > 0.0 {
        let words = format!("burst served {} RU", figure_text(bursts));
        pieces.push((ReadoutRole::Text, words));
    }
    pieces.extend(pinned(scope, &cell, state.pin.as_ref()));
    if cell.gaps > 0 && cell.steps > 0 {
        let words = format!(
            "{} of {} steps without data",
            cell.gaps,
            cell.gaps + cell.steps
        );
        pieces.push((ReadoutRole::Dim, words));
    }
    pieces.extend(
        physical_partition(scope, cell.partition)
            .and_then(range)
            .map(|range| (ReadoutRole::Dim, range)),
    );
    pieces
}

/// The region is told where it is not that of the track, and in which time it is the mean: within it was more at times.
fn refused_text(scope: &HeatScope, throttled: &ThrottledRate) -> String {
    let mean = match throttled.step_s {
        ..=60 => String::new(),
        step => format!(" (mean of {})", names::length(step.into())),
    };
    let rate = format!("429s: {}/s{mean}", figure_text(throttled.a_second));
    let of_track = scope.track().and_then(|track| track.region.as_deref());
    match throttled.region.as_deref().filter(|r| !r.is_empty()) {
        Some(region) if Some(region) != of_track => format!("{rate}, {}", visible(region)),
        _ => rate,
    }
}

fn value(scope: &HeatScope, cell: &ChosenCell) -> ReadoutPiece {
    let (Some(value), Some(unit)) = (cell.value, scope.unit()) else {
        return (ReadoutRole::Dim, "no data, which is not zero".to_owned());
    };
    let full = scope.full(cell.partition);
    let mut words = names::value(value, unit);
    if let Some(full) = full.filter(|full| (*full - 1.0).abs() > f64::EPSILON) {
        let share = percent_text(value / full);
        words = format!("{words}, {share} of {}", names::value(full, unit));
    }
    (
        ReadoutRole::Value(full.map(|full| Mark::of(value / full))),
        words,
    )
}

fn pinned(scope: &HeatScope, cell: &ChosenCell, pin: Option<&Pin>) -> Option<ReadoutPiece> {
    let pin = pin?;
    let unit = pin.measure.unit();
    let kept = names::value(pin.value, unit);
    if scope.measure() != Some(pin.measure) {
        let words = format!("pinned {kept} of {}", pin.measure.title());
        return Some((ReadoutRole::Dim, words));
    }
    let difference = cell.value.map(|value| value - pin.value);
    let words = match difference {
        Some(difference) if difference.abs() < SAME => format!("same as pinned {kept}"),
        Some(difference) => {
            let sign = if difference > 0.0 { "+" } else { "" };
            format!(
                "{sign}{} from pinned {kept}",
                names::value(difference, unit)
            )
        }
        None => format!("pinned {kept}"),
    };
    Some((ReadoutRole::Text, words))
}

/// What the inputs tell of a partition.
pub fn physical_partition(scope: &HeatScope, partition: u32) -> Option<&PhysicalPartition> {
    let known = scope.partition(partition)?.known?;
    scope.capture_container()?.partitions.get(known)
}

/// `hash range 3FFFFF… to 7FFFFF…`.
pub fn range(partition: &PhysicalPartition) -> Option<String> {
    const DIGITS: usize = 6;
    let (from, to) = partition
        .min_inclusive
        .as_ref()
        .zip(partition.max_exclusive.as_ref())?;
    let short = |bound: &str| {
        let bound = visible(bound);
        let head: String = bound.chars().take(DIGITS).collect();
        match bound.chars().count() {
            0 => "00".to_owned(),
            1..=DIGITS => head,
            _ => format!("{head}…"),
        }
    };
    Some(format!("hash range {} to {}", short(from), short(to)))
}

/// Pins the chosen cell, or lets go of the pinned one if it is the same.
pub fn pin(state: &mut HeatState) -> Vec<Effect> {
    let found = (|| {
        let scope = state.scope.as_ref()?;
        let cell = chosen(state)?;
        let named = &scope.partition(cell.partition)?.named;
        Some(Pin {
            label: names::label(named),
            from: cell.from,
            to: cell.to,
            measure: scope.measure()?,
            value: cell.value?,
        })
    })();
    match found {
        None => {
            return Effect::fail("there is no value to pin in this cell", None);
        }
        Some(pin) if state.pin.as_ref() == Some(&pin) => state.pin = None,
        Some(pin) => state.pin = Some(pin),
    }
    Vec::new()
}

/// The line with all that the screen says around it, for the clipboard: container, measure, region, the whole hash range.
pub fn whole(state: &HeatState, cx: &Cx) -> Option<String> {
    let line = line(state);
    if line.is_empty() {
        return None;
    }
    let scope = state.scope.as_ref()?;
    let held = scope.capture_container()?;
    let name = cx.mask.container(&held.name);
    let parts = [&name.account, &name.database, &name.container];
    let parts = parts.into_iter().filter_map(|part| part.as_deref());
    let name: Vec<_> = parts.map(visible).collect();
    let mut facts = vec![name.join("/")];
    if state.chart == Chart::Time
        && let Some(track) = scope.track()
    {
        facts.push(track.measure.title().to_owned());
        let region = track.region.as_deref().filter(|r| !r.is_empty());
        facts.push(region.map_or("region unknown".to_owned(), |r| visible(r).into_owned()));
    }
    let of_partition = state.chosen().and_then(|at| physical_partition(scope, at));
    let range = of_partition.and_then(|partition| {
        let from = partition.min_inclusive.as_deref()?;
        let to = partition.max_exclusive.as_deref()?;
        let from = if from.is_empty() { "00" } else { from };
        Some((
            range(partition)?,
            format!("hash range {} to {}", visible(from), visible(to)),
        ))
    });
    facts.push(match range {
        // The line tells it shortened.
        Some((short, whole)) if line.contains(&short) => line.replace(&short, &whole),
        Some((_, whole)) => format!("{line}  {whole}"),
        None => line,
    });
    Some(facts.join("  "))
}

/// The line as plain text, for the clipboard.
pub fn line(state: &HeatState) -> String {
    let pieces: Vec<&str> = state
        .readout
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    pieces.join("  ")
}

/// The chosen key where the keys have the cursor: its column may cut its name.
fn of_key(state: &HeatState) -> Option<Vec<ReadoutPiece>> {
    let row = Some(state).filter(|state| state.pane == HeatPane::Keys);
    let facts = row.and_then(keylist::chosen_facts)?.into_iter();
    let roles = iter::once(ReadoutRole::Value(None)).chain(iter::repeat(ReadoutRole::Dim));
    Some(roles.zip(facts).collect())
}

/// What is less needed stands whole or not at all; the clipboard has the whole line.
pub fn draw(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let mut left = usize::from(area.width);
    let mut spans = Vec::new();
    let of_key = of_key(state);
    for (role, words) in of_key.as_ref().unwrap_or(&state.readout) {
        let style = match role {
            ReadoutRole::Value(Some(mark)) => theme.mark(*mark),
            ReadoutRole::Value(None) => theme.title,
            ReadoutRole::Text => theme.text,
            ReadoutRole::Dim => theme.dim,
        };
        let gap = if spans.is_empty() { "" } else { "  " };
        let words = theme.glyphs.sentence(words).into_owned();
        let taken = gap.len() + text::width(&words, theme.glyphs);
        if *role == ReadoutRole::Dim && taken > left {
            continue;
        }
        left = left.saturating_sub(taken);
        spans.extend([Span::raw(gap), Span::styled(words, style)]);
    }
    text::left(buffer, area, &spans, theme);
}
