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
use super::throttled::{counts, forbidden};
use super::{Chart, HeatState, head, keylist, names, storage, strip};
use crate::analysis::ceiling::Mark;
use crate::analysis::diagnosis::since::throttled_text;
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

/// A fact of the line, which stands whole, shortened or not at all.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadoutPiece {
    role: ReadoutRole,
    words: String,
    /// The same in fewer columns.
    short: Option<String>,
}

impl ReadoutPiece {
    pub fn new(role: ReadoutRole, words: impl Into<String>) -> Self {
        Self { role, words: words.into(), short: None }
    }

    fn or(self, short: Option<String>) -> Self {
        Self { short, ..self }
    }
}

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
    /// Which these are, where one step holds the whole cell.
    pub span: Option<(i64, i64)>,
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
        let end = begin.saturating_add(step);
        let reading = series.read(begin, to.max(end))?;
        Some(ThrottledRate {
            a_second: reading.highest,
            region: track.region.clone(),
            step_s: track.step_s,
            span: (to <= end).then_some((begin, end)),
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
    // The end of the data stands above, with its day.
    let clocks = format!("{} UTC", names::clocks(cell.from, cell.to));
    let span = names::span(cell.from, cell.to);
    pieces.push(ReadoutPiece::new(ReadoutRole::Text, span).or(Some(clocks)));
    let named = scope.partition(cell.partition).map(|p| &p.named);
    let short = named.map(names::short_sentence);
    let named = named.map(names::sentence).unwrap_or_default();
    pieces.push(ReadoutPiece::new(ReadoutRole::Text, named).or(short));
    if cell.merged > 1 {
        let first = state.cursor.chosen * state.map.group + 1;
        let last = first + cell.merged - 1;
        let words = format!("highest of {} merged, rows {first} to {last}", cell.merged);
        pieces.push(ReadoutPiece::new(ReadoutRole::Text, words));
    }
    throttled_pieces(state, scope, &cell, &mut pieces);
    let heat = scope.heat();
    // Whatever the time of the cell is.
    let partitions = of_row(scope, state.cursor.chosen, state.map.group);
    let forbidden = heat.and_then(|heat| forbidden(heat, partitions));
    pieces.extend(forbidden.map(|[rate, mean]| {
        ReadoutPiece::new(ReadoutRole::Value(Some(Mark::Alarm)), mean).or(Some(rate))
    }));
    let bursts = heat.map_or(0.0, |heat| heat.burst_ru(cell.from, cell.to));
    if bursts > 0.0 {
        let words = format!("burst served {} RU", figure_text(bursts));
        pieces.push(ReadoutPiece::new(ReadoutRole::Text, words));
    }
    pieces.extend(pinned(scope, &cell, state.pin.as_ref()));
    if cell.gaps > 0 && cell.steps > 0 {
        let words = format!("{} of {} steps without data", cell.gaps, cell.gaps + cell.steps);
        pieces.push(ReadoutPiece::new(ReadoutRole::Dim, words));
    }
    let range = physical_partition(scope, cell.partition).and_then(names::range);
    pieces.extend(range.map(|range| ReadoutPiece::new(ReadoutRole::Dim, range)));
    pieces
}

/// `429s: 58/s (mean 23:20–23:25)`, what they come from, and their region where the track has none.
fn throttled_pieces(
    state: &HeatState,
    scope: &HeatScope,
    cell: &ChosenCell,
    pieces: &mut Vec<ReadoutPiece>,
) {
    let Some(throttled) = &cell.throttled else {
        return;
    };
    let role = ReadoutRole::Value(Some(Mark::Alarm));
    let of_cell = || counts(scope, &[cell.partition], cell.from, cell.to);
    let rate = format!("429s: {}", throttled_text(Some(throttled.a_second), of_cell));
    let is_count = throttled.a_second < 1.0;
    let [of, mean] = if is_count { ["in", ""] } else { ["mean of", "mean "] };
    pieces.push(match throttled.step_s {
        // Within its time there were more at times: the rate is nothing without it.
        step if step > 60 && (throttled.span.is_some() || !is_count) => {
            let short = format!("{rate} ({of} {})", names::length(step.into()));
            match throttled.span {
                Some((from, to)) => {
                    let words = format!("{rate} ({mean}{})", names::clocks(from, to));
                    ReadoutPiece::new(role, words).or(Some(short))
                }
                None => ReadoutPiece::new(role, short),
            }
        }
        _ => ReadoutPiece::new(role, rate),
    });
    let verdicts = head::diagnosis(state).map_or(&[][..], |found| &found.verdicts);
    if verdicts.iter().any(|verdict| verdict.rule == Rule::FanOut) {
        let words = "cause: cross-partition queries";
        pieces.push(ReadoutPiece::new(ReadoutRole::Dim, words));
    }
    let of_track = scope.track().and_then(|track| track.region.as_deref());
    let region = throttled.region.as_deref().filter(|r| !r.is_empty());
    let region = region.filter(|region| Some(*region) != of_track);
    pieces.extend(region.map(|region| ReadoutPiece::new(ReadoutRole::Dim, visible(region))));
}

fn value(scope: &HeatScope, cell: &ChosenCell) -> ReadoutPiece {
    let (Some(value), Some(unit)) = (cell.value, scope.unit()) else {
        return ReadoutPiece::new(ReadoutRole::Dim, "no data, which is not zero");
    };
    let full = scope.full(cell.partition);
    let role = ReadoutRole::Value(full.map(|full| Mark::of(value / full)));
    let words = names::value(value, unit);
    match full.filter(|full| (*full - 1.0).abs() > f64::EPSILON) {
        Some(full) => {
            let short = format!("{words}, {}", percent_text(value / full));
            let whole = format!("{short} of {}", names::value(full, unit));
            ReadoutPiece::new(role, whole).or(Some(short))
        }
        None => ReadoutPiece::new(role, words),
    }
}

fn pinned(scope: &HeatScope, cell: &ChosenCell, pin: Option<&Pin>) -> Option<ReadoutPiece> {
    let pin = pin?;
    let unit = pin.measure.unit();
    let kept = names::value(pin.value, unit);
    if scope.measure() != Some(pin.measure) {
        let words = format!("pinned {kept} of {}", pin.measure.title());
        return Some(ReadoutPiece::new(ReadoutRole::Dim, words));
    }
    let difference = cell.value.map(|value| value - pin.value);
    let words = match difference {
        Some(difference) if difference.abs() < SAME => format!("same as pinned {kept}"),
        Some(difference) => {
            let sign = if difference > 0.0 { "+" } else { "" };
            format!("{sign}{} from pinned {kept}", names::value(difference, unit))
        }
        None => format!("pinned {kept}"),
    };
    Some(ReadoutPiece::new(ReadoutRole::Text, words))
}

/// What the inputs tell of a partition.
pub fn physical_partition(scope: &HeatScope, partition: u32) -> Option<&PhysicalPartition> {
    let known = scope.partition(partition)?.known?;
    scope.capture_container()?.partitions.get(known)
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
        Some((names::range(partition)?, format!("hash range {} to {}", visible(from), visible(to))))
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
    let words = state.readout.iter().map(|piece| piece.words.as_str());
    words.collect::<Vec<_>>().join("  ")
}

/// The chosen key where the keys have the cursor: its column may cut its name.
fn of_key(state: &HeatState) -> Option<Vec<ReadoutPiece>> {
    let row = Some(state).filter(|state| state.pane == HeatPane::Keys);
    let facts = row.and_then(keylist::chosen_facts)?.into_iter();
    let roles = iter::once(ReadoutRole::Value(None)).chain(iter::repeat(ReadoutRole::Dim));
    let pieces = roles.zip(facts);
    let pieces = pieces.map(|(role, words)| ReadoutPiece::new(role, words));
    Some(pieces.collect())
}

/// Columns between two pieces.
const BETWEEN: usize = 2;

/// The pieces that a line has room for, each whole: first those that say most, shortened, then as long as they may be, then
/// the others. The clipboard has the whole line.
fn fitting(
    pieces: &[ReadoutPiece],
    room: usize,
    width: impl Fn(&str) -> usize,
) -> Vec<(ReadoutRole, &str)> {
    let mut left = room + BETWEEN;
    let mut kept: Vec<Option<&str>> = vec![None; pieces.len()];
    let taken = |words: &str| width(words) + BETWEEN;
    let need = |at: usize, piece: &ReadoutPiece| match piece.role {
        _ if at == 0 => 0,
        ReadoutRole::Value(_) => 1,
        ReadoutRole::Text => 2,
        ReadoutRole::Dim => 3,
    };
    let both = || pieces.iter().enumerate();
    for now in 0..=3 {
        for (at, piece) in both().filter(|(at, piece)| need(*at, piece) == now) {
            let words = piece.short.as_deref().unwrap_or(&piece.words);
            // A line that is too short for anything begins with what is most.
            if taken(words) <= left || at == 0 {
                left = left.saturating_sub(taken(words));
                kept[at] = Some(words);
            }
        }
        if now < 2 {
            continue;
        }
        for (at, piece) in both() {
            let long = kept[at].filter(|words| taken(&piece.words) <= left + taken(words));
            if let Some(words) = long {
                left = (left + taken(words)).saturating_sub(taken(&piece.words));
                kept[at] = Some(&piece.words);
            }
        }
    }
    let kept = pieces.iter().zip(kept);
    kept.filter_map(|(piece, words)| Some((piece.role, words?))).collect()
}

pub fn draw(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    // What the chosen cell holds is to be read from the map.
    if cx.veil.is_drawn() {
        return;
    }
    let theme = &cx.theme;
    let mut spans = Vec::new();
    let of_key = of_key(state);
    let pieces = of_key.as_ref().unwrap_or(&state.readout);
    let width = |words: &str| text::width(&theme.glyphs.sentence(words), theme.glyphs);
    for (role, words) in fitting(pieces, area.width.into(), width) {
        let style = match role {
            ReadoutRole::Value(Some(mark)) => theme.mark(mark),
            ReadoutRole::Value(None) => theme.title,
            ReadoutRole::Text => theme.text,
            ReadoutRole::Dim => theme.dim,
        };
        let gap = if spans.is_empty() { "" } else { "  " };
        let words = theme.glyphs.sentence(words).into_owned();
        spans.extend([Span::raw(gap), Span::styled(words, style)]);
    }
    text::left(buffer, area, &spans, theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_line_leaves_out_whole_facts_the_least_needed_first() {
        let piece = |role, words: &str| ReadoutPiece::new(role, words);
        let pieces = [
            piece(ReadoutRole::Value(None), "100 %"),
            piece(ReadoutRole::Text, "2026-06-28 23:24–23:25 UTC")
                .or(Some("23:24–23:25 UTC".into())),
            piece(ReadoutRole::Text, "partition 0"),
            piece(ReadoutRole::Value(Some(Mark::Alarm)), "429s: 57.5/s (mean 23:20–23:25)")
                .or(Some("429s: 57.5/s (mean of 5 min)".into())),
            piece(ReadoutRole::Dim, "West Europe"),
            piece(ReadoutRole::Dim, "hash range 00 to 0FFFFF…"),
        ];
        let of = |room| {
            let kept = fitting(&pieces, room, |words| words.chars().count());
            let kept: Vec<&str> = kept.into_iter().map(|(_, words)| words).collect();
            kept.join("  ")
        };
        let whole =
            "100 %  2026-06-28 23:24–23:25 UTC  partition 0  429s: 57.5/s (mean 23:20–23:25)";
        assert_eq!(of(80), whole);
        assert_eq!(of(100), format!("{whole}  West Europe"));
        assert_eq!(of(118), format!("{whole}  West Europe  hash range 00 to 0FFFFF…"));
        assert_eq!(
            of(78),
            "100 %  2026-06-28 23:24–23:25 UTC  partition 0  429s: 57.5/s (mean of 5 min)"
        );
        assert_eq!(of(66), "100 %  23:24–23:25 UTC  partition 0  429s: 57.5/s (mean of 5 min)");
        assert_eq!(of(60), "100 %  23:24–23:25 UTC  429s: 57.5/s (mean 23:20–23:25)");
        assert_eq!(of(30), "100 %  23:24–23:25 UTC");
        assert_eq!(of(3), "100 %");
    }
}
