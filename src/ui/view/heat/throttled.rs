//! Requests refused with 429 in the cells of the map: how many a second, and totals that hold for several cells. Those
//! refused with 403, which have no time but that of the first, as a mean.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::MARKER;
use super::map::{HeatMapRow, Map, MapInputs};
use super::names;
use super::paint::put;
use super::scope::HeatScope;
use super::shade::THROTTLED;
use crate::analysis::demand::attempts::Counts;
use crate::analysis::diagnosis::since::{rate_text, throttled_text};
use crate::analysis::heat::grid::grid;
use crate::analysis::heat::requests::PartitionRequests;
use crate::analysis::heat::{ContainerHeat, Measure, Track};
use crate::model::units::{count_text, single};
use crate::ui::kit::chart::spark;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::heat::HeatState;

/// Refused requests of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark429 {
    a_second: f32,
    /// The second from which they are a total of this cell and others.
    total: Option<i64>,
}

/// `403s: 203/s` on partitions, and the same with `(mean 23:55–00:00)`; a count where no time is known.
pub fn forbidden(heat: &ContainerHeat, partitions: &[u32]) -> Option<[String; 2]> {
    let mut sum = PartitionRequests::default();
    for partition in partitions {
        sum.add(heat.requests.get(*partition as usize)?);
    }
    let ends = heat.track(Measure::Requests).and_then(Track::span);
    let ends = ends.map(|(_, end)| end);
    let rate = sum.forbidden_rate(ends).zip(sum.forbidden_from.zip(ends));
    let words = match rate {
        Some((rate, (from, end))) => {
            let rate = format!("403s: {}", rate_text(rate));
            [rate.clone(), format!("{rate} (mean {})", names::clocks(from, end))]
        }
        None => [(); 2].map(|()| format!("403s: {}", count_text(sum.forbidden))),
    };
    (sum.forbidden > 0).then_some(words)
}

/// Requests of partitions in the steps that reach into `[from, to)`; of several regions where most were throttled.
pub fn counts(scope: &HeatScope, partitions: &[u32], from: i64, to: i64) -> Counts {
    let sum = |track: &Track| -> f64 {
        let step = i64::from(track.step_s.max(1));
        let series = partitions.iter().filter_map(|p| track.series.get(*p as usize));
        let points =
            series.flat_map(|series| series.points(from.saturating_sub(from.rem_euclid(step)), to));
        points.map(|(_, rate)| f64::from(rate) * f64::from(track.step_s)).sum()
    };
    let all = |track: &Track| {
        let mut of = scope.heat()?.tracks.iter();
        of.find(|of| of.measure == Measure::Requests && of.region == track.region)
    };
    let counted = scope.throttled().map(|track| Counts {
        requests: all(track).map_or(0.0, sum),
        throttled: sum(track),
        ..Counts::default()
    });
    let most = counted.reduce(|a, b| if b.throttled > a.throttled { b } else { a });
    most.unwrap_or_default()
}

type LaneMarks = Vec<Option<Mark429>>;

/// One total of several cells.
#[derive(Clone, PartialEq, Debug)]
pub struct ThrottledTotal {
    pub cells: Range<usize>,
    pub a_second: f32,
    pub words: String,
}

/// What was refused, lane by lane and cell by cell; of several regions the one where most was.
pub fn of_lanes(scope: &HeatScope, of: &MapInputs) -> Vec<LaneMarks> {
    let each = scope.throttled().map(|track| of_track(track, of));
    let most = |a: Option<Mark429>, b: Option<Mark429>| match (a, b) {
        (Some(a), Some(b)) if b.a_second > a.a_second => Some(b),
        (a, b) => a.or(b),
    };
    let either = |a: Vec<LaneMarks>, b: Vec<LaneMarks>| {
        let lanes = a.into_iter().zip(b);
        let lane = |(a, b): (LaneMarks, LaneMarks)| {
            let cells = a.into_iter().zip(b);
            cells.map(|(a, b)| most(a, b)).collect()
        };
        lanes.map(lane).collect()
    };
    each.reduce(either).unwrap_or_default()
}

fn of_track(track: &Track, of: &MapInputs) -> Vec<LaneMarks> {
    let step = track.step_s.max(1);
    let mark = |a_second: f32, total| {
        let mark = Mark429 { a_second, total };
        (a_second > 0.0).then_some(mark)
    };
    if of.window.width_s.is_multiple_of(step) {
        let cells = grid(track, &of.rows, of.merged, of.window);
        let lanes = of.rows.len().div_ceil(of.merged.max(1));
        let lane = |lane| {
            let rates = cells.row(lane).iter();
            rates.map(|rate| mark(*rate, None)).collect()
        };
        return (0..lanes).map(lane).collect();
    }
    // A step that is longer than a cell counts in each of its cells.
    let step = i64::from(step);
    let lane = |partitions: &[u32]| {
        let cell = |column| {
            let (from, _) = of.window.cell(column);
            let from = from.saturating_sub(from.rem_euclid(step));
            let rates = partitions.iter().filter_map(|partition| {
                let series = track.series.get(*partition as usize)?;
                Some(series.read(from, from.saturating_add(step))?.highest)
            });
            mark(single(rates.fold(0.0, f64::max)), Some(from))
        };
        (0..of.window.columns).map(cell).collect()
    };
    of.rows.chunks(of.merged.max(1)).map(lane).collect()
}

/// The rates of a row from those of its lanes. `counts` gives the requests of some cells.
pub fn fill<'m>(
    row: &mut HeatMapRow,
    lanes: impl Iterator<Item = &'m LaneMarks>,
    counts: impl Fn(Range<usize>) -> Counts,
) {
    let mut starts: Vec<Option<i64>> = Vec::new();
    for marks in lanes {
        row.throttled.resize(marks.len(), 0.0);
        starts.resize(marks.len(), None);
        for ((held, start), mark) in row.throttled.iter_mut().zip(&mut starts).zip(marks) {
            if let Some(mark) = mark.filter(|mark| mark.a_second > *held) {
                *held = mark.a_second;
                *start = mark.total;
            }
        }
    }
    let words = |a_second: f32, cells: Range<usize>| {
        throttled_text(Some(a_second.into()), || counts(cells))
    };
    let mut from = 0;
    for together in starts.chunk_by(|a, b| a == b) {
        let cells = from..from + together.len();
        from = cells.end;
        let rates = row.throttled.get(cells.clone()).unwrap_or_default();
        if together.first().is_some_and(Option::is_some) {
            let a_second = rates.iter().copied().fold(0.0, f32::max);
            let words = words(a_second, cells.clone());
            row.throttled_totals.push(ThrottledTotal { cells, a_second, words });
        }
    }
    let most = row.throttled.iter().copied().fold(0.0, f32::max);
    if most > 0.0 {
        row.throttled_words = words(most, 0..row.throttled.len());
    }
}

/// The seconds of the totals that stand in the map; None where no rate holds for several cells.
pub fn total_step(state: &HeatState) -> Option<u32> {
    let totals = state.map.rows.iter().map(|row| &row.throttled_totals);
    let is_total = totals.into_iter().any(|totals| !totals.is_empty());
    let scope = state.scope.as_ref().filter(|_| is_total);
    scope.and_then(|scope| scope.throttled().map(|track| track.step_s).max())
}

/// Whether totals stand between brackets in the map; where some are too narrow for their number all are columns.
pub fn has_brackets(state: &HeatState) -> bool {
    let totals = state.map.rows.iter().map(|row| &row.throttled_totals);
    let mut totals = totals.filter(|totals| !totals.is_empty()).peekable();
    totals.peek().is_some() && totals.all(|totals| !bracketed_totals(&state.map, totals).is_empty())
}

/// Columns of a total that has room for its ends and something between them.
const LEAST_ENDED: usize = 4;

/// Whether totals have ends in rows of one line, where they have no numbers.
pub fn has_ends(map: &Map, totals: &[ThrottledTotal]) -> bool {
    let mut inner = inner(totals).iter();
    inner.all(|total| columns(map, total) >= LEAST_ENDED)
}

/// What is left of the rates of a row, from the longest to the shortest.
fn labels(state: &HeatState, row: &HeatMapRow) -> Vec<String> {
    let mut labels = Vec::new();
    if !state.map.columns.has_key_lines {
        labels.push(format!("{THROTTLED} {}", row.throttled_words));
    } else if let Some(step) = total_step(state) {
        let step = names::length(step.into());
        labels.push(format!("{THROTTLED} 429s, mean of {step}"));
        labels.push(format!("{THROTTLED} 429s, {step}"));
        labels.push(format!("429s, {step}"));
    }
    labels.extend([format!("{THROTTLED} 429s"), THROTTLED.to_owned()]);
    labels
}

/// How many were refused a second, column by column, and the most of them; totals that have room for it stand between
/// brackets over all the time they are of.
///
/// ```text
///   429s, 5 min   ▂▂▂█████        289/s
///   ! 429s, 5 min        [!! 58/s !!][  289/s  ]
/// ```
pub fn draw(state: &HeatState, cx: &Cx, row: &HeatMapRow, line: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let map = &state.map;
    if row.throttled_words.is_empty() {
        return;
    }
    let label = text::column(line, MARKER, map.columns.label);
    let labels = labels(state, row);
    let mut labels = labels.iter().map(|words| theme.glyphs.sentence(words));
    let words = labels.find(|words| text::width(words, theme.glyphs) <= label.width.into());
    let words = words.unwrap_or(THROTTLED.into());
    text::left(buffer, label, &[Span::styled(words, theme.alarm)], theme);
    let cells = map.columns.cells(line);
    let sign = |a_second: f32| {
        let part = f64::from(a_second) / f64::from(map.most_throttled);
        spark(part, theme)
    };
    let width = u16::try_from(map.width()).unwrap_or(u16::MAX);
    for column in 0..width.min(cells.width) {
        let under = row.throttled.get(map.under(column.into()));
        let rate = under.unwrap_or_default().iter().copied();
        let rate = rate.fold(0.0, f32::max);
        if rate > 0.0 {
            put(buffer, (cells.x + column, cells.y), sign(rate), theme.alarm);
        }
    }
    let totals = bracketed_totals(map, &row.throttled_totals);
    if totals.is_empty() && map.columns.has_key_lines {
        let [room, ..] = map.columns.beside(line);
        let words = theme.glyphs.sentence(&row.throttled_words);
        let is_whole = text::width(&words, theme.glyphs) <= room.width.into();
        // A number that is cut is another one.
        let words = if is_whole { words } else { "".into() };
        text::right(buffer, room, &[Span::styled(words, theme.alarm)], theme);
    }
    for total in totals {
        let column = |cell| u16::try_from(map.column(cell)).unwrap_or(u16::MAX);
        let from = column(total.cells.start);
        let room = text::column(cells, from, column(total.cells.end).saturating_sub(from));
        // What is cut at an end stays as columns.
        let words = bracketed(&total.words, room.width.into()).unwrap_or_default();
        text::left(buffer, room, &[Span::styled(words, theme.alarm)], theme);
    }
}

/// Totals that have no room for their number have no brackets. The ones at both ends may be cut.
fn bracketed_totals<'t>(map: &Map, totals: &'t [ThrottledTotal]) -> &'t [ThrottledTotal] {
    let has_room = |total: &ThrottledTotal| columns(map, total) >= total.words.len() + 2;
    if inner(totals).iter().all(has_room) { totals } else { &[] }
}

fn columns(map: &Map, total: &ThrottledTotal) -> usize {
    map.column(total.cells.end) - map.column(total.cells.start)
}

/// Without those that may be cut.
fn inner(totals: &[ThrottledTotal]) -> &[ThrottledTotal] {
    let inner = totals.get(1..totals.len().saturating_sub(1));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(totals)
}

/// `[!! 57.5/s !!]` in so many columns, where they have room for the number.
fn bracketed(words: &str, columns: usize) -> Option<String> {
    let inner = columns.checked_sub(2).filter(|inner| words.len() <= *inner)?;
    Some(if words.len() + 4 > inner {
        format!("[{words:^inner$}]")
    } else {
        format!("[{:!^inner$}]", format!(" {words} "))
    })
}

#[cfg(test)]
mod tests {
    use super::bracketed;

    #[test]
    fn a_total_has_brackets_only_around_its_number() {
        let of = |columns| bracketed("57.5/s", columns);
        let texts = [0, 2, 7, 8, 11, 12, 14].map(of);
        let texts = texts.each_ref().map(|text| text.as_deref().unwrap_or_default());
        assert_eq!(
            texts,
            ["", "", "", "[57.5/s]", "[ 57.5/s  ]", "[! 57.5/s !]", "[!! 57.5/s !!]"]
        );
    }
}
