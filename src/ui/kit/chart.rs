//! Small pictures of many values: a series in one row, and how values are spread.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::bar::plain_bar;
use super::glyphs::Glyphs;
use super::text;
use super::theme::Theme;
use crate::analysis::ceiling::Mark;
use crate::model::time::Stamp;
use crate::model::units::{as_number, count_text, real, whole_usize};

const NO_DATA: &str = "no data";
/// Draws a series along the first row, newest at the right edge, between nothing and `top`; where there is no value there is
/// a gap.
///
/// Of values that share a column the highest is shown.
pub fn sparkline(buffer: &mut Buffer, area: Rect, values: &[Option<f64>], top: f64, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if !values.iter().flatten().any(|value| !value.is_nan()) {
        let words = [Span::styled(NO_DATA, theme.dim)];
        if usize::from(area.width) >= NO_DATA.len() {
            text::left(buffer, area, &words, theme);
        }
        return;
    }
    let gap = (theme.glyphs.signs().spark_gap, theme.bar_track);
    let steps = merged(values, area.width.into())
        .map(|value| value.map_or(gap, |value| (spark(value / top, theme), theme.sparkline)));
    text::right(buffer, area, &joined(steps), theme);
}

/// Fewer rows than this leave none for the line at the top of a series.
const ROWS_WITH_TOP: usize = 3;

/// A series over exactly so many columns and rows, the highest row first, for lines of text: a series shorter than that
/// is stretched. Where rows are enough a line shows where `top` is.
pub fn stretched(
    values: &[Option<f64>],
    columns: usize,
    rows: usize,
    top: f64,
    theme: &Theme,
) -> Vec<Vec<Span<'static>>> {
    let one = |column: usize| values.get(column * values.len() / columns.max(1)).copied();
    let fitted: Vec<Option<f64>> = if values.len() >= columns {
        merged(values, columns).collect()
    } else {
        (0..columns).filter_map(one).collect()
    };
    let row = |row: usize| {
        let cells = fitted.iter().map(|value| {
            let part = value.map(|value| whole_of(value, top, rows));
            let is_top = rows >= ROWS_WITH_TOP && row + 1 == rows;
            let empty = if is_top { limit_sign(theme.glyphs) } else { " " };
            tower(part, row, theme).unwrap_or((empty, theme.bar_track))
        });
        joined(cells)
    };
    (0..rows).rev().map(row).collect()
}

/// Pieces of one style next to each other as one.
fn joined<'s>(cells: impl Iterator<Item = (&'s str, Style)>) -> Vec<Span<'static>> {
    let mut spans: Vec<Span> = Vec::new();
    for (sign, style) in cells {
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(sign),
            _ => spans.push(Span::styled(sign.to_owned(), style)),
        }
    }
    spans
}

/// The sign of a part of a whole, from its first eighth to all of it.
pub fn spark(part: f64, theme: &Theme) -> &'static str {
    const STEPS: f64 = 7.0;
    let part = if part.is_nan() { 0.0 } else { part };
    let step = whole_usize((part * STEPS).round().clamp(0.0, STEPS));
    let step = theme.glyphs.signs().spark.get(step);
    step.copied().unwrap_or_default()
}

/// Draws values as columns over all rows of an area, from its left edge; a full one is `top`.
///
/// ```text
///    ▃█
/// ·▂▅██▁
/// ```
pub fn towers(buffer: &mut Buffer, area: Rect, values: &[Option<f64>], top: f64, theme: &Theme) {
    let area = area.intersection(buffer.area);
    for (value, x) in values.iter().zip(area.left()..area.right()) {
        let part = value.map(|value| whole_of(value, top, area.height.into()));
        for (y, row) in (area.top()..area.bottom()).rev().zip(0..) {
            if let Some((sign, style)) = tower(part, row, theme)
                && let Some(cell) = buffer.cell_mut((x, y))
            {
                cell.set_symbol(sign).set_style(style);
            }
        }
    }
}

/// Of the line that a limit is.
fn limit_sign(glyphs: Glyphs) -> &'static str {
    match glyphs {
        Glyphs::Unicode => "╌",
        Glyphs::Ascii => "-",
    }
}

/// The rows that a value fills of so many, which all of them `top` does.
fn whole_of(value: f64, top: f64, rows: usize) -> f64 {
    if top > 0.0 { value / top * as_number(rows) } else { 0.0 }
}

/// What a column that fills so many rows shows in one of them, counted from the lowest; a known value shows there at least.
fn tower(part: Option<f64>, row: usize, theme: &Theme) -> Option<(&'static str, Style)> {
    let Some(part) = part else {
        let gap = (theme.glyphs.signs().spark_gap, theme.bar_track);
        return (row == 0).then_some(gap);
    };
    let inside = part - as_number(row);
    (row == 0 || inside > 1.0 / 16.0).then(|| (spark(inside, theme), theme.sparkline))
}

/// One value for each column, at most `columns` of them.
fn merged(values: &[Option<f64>], columns: usize) -> impl Iterator<Item = Option<f64>> {
    let count = values.len().min(columns);
    (0..count).map(move |column| {
        let at = |column: usize| column * values.len() / count.max(1);
        let shared = values.get(at(column)..at(column + 1)).unwrap_or_default();
        let known = shared.iter().filter_map(|value| value.filter(|v| !v.is_nan()));
        known.reduce(f64::max)
    })
}

/// A size over time and when it reaches a limit, as shares of that limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrowthChart<'a> {
    /// In the order of time.
    pub samples: &'a [(Stamp, f64)],
    /// When it is at the limit if it goes on like this.
    pub reaches: Option<Stamp>,
    pub limit: &'static str,
}

/// What a piece of such a chart is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChartPart {
    Frame,
    Sample,
    Projection,
}

/// Columns of the names of the axis, with the axis.
const AXIS: usize = 7;
/// A limit later than this many times the span of the samples would leave them no room.
const HORIZON: f64 = 4.0;

/// The rows of a chart, the highest first: samples as an area, the projection as dots up to the limit.
///
/// ```text
///  20 GB │╌╌╌╌╌╌╌╌╌╌╌╌╌╌·
///        │         · ·
///        │ ▂▄▅▆▇█·
///      0 └──────────────
///         2026-05-24  2026-09-19
/// ```
pub fn growth_chart(
    of: &GrowthChart<'_>,
    width: usize,
    height: usize,
    glyphs: Glyphs,
) -> Vec<Vec<(ChartPart, String)>> {
    let (columns, rows) = (width.saturating_sub(AXIS), height.saturating_sub(2));
    let ends = of.samples.first().zip(of.samples.last());
    let Some((first, last)) = ends.filter(|_| columns > 1 && rows > 0) else {
        return Vec::new();
    };
    let days = |at: Stamp| at.days_since(first.0);
    let newest = days(last.0);
    let is_near = |at: &Stamp| days(*at) > newest && days(*at) <= newest * (1.0 + HORIZON);
    let reaches = of.reaches.filter(is_near);
    let samples = of.samples.iter().map(|(at, share)| (days(*at), *share));
    let points: Vec<(f64, f64)> = samples.chain(reaches.map(|at| (days(at), 1.0))).collect();
    let highest = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let eighths = |share: f64| whole(share / highest * as_number(rows * 8)).max(1);
    let limit_row = (eighths(1.0) - 1) / 8;
    let heights = (0..columns).map(|column| {
        let part = as_number(column) / as_number(columns - 1);
        let day = reaches.map_or(newest, days) * part;
        (day <= newest, eighths(value_at(&points, day)))
    });
    let heights: Vec<(bool, usize)> = heights.collect();
    let signs = glyphs.signs();
    let line = limit_sign(glyphs);
    let dot = match glyphs {
        Glyphs::Unicode => "·",
        Glyphs::Ascii => ".",
    };
    let mut lines = Vec::new();
    for row in (0..rows).rev() {
        let (name, empty) = match row {
            _ if row == limit_row => (of.limit, line),
            _ => ("", " "),
        };
        let axis = format!("{name:>5} {}", signs.frame.vertical);
        let mut pieces = vec![(ChartPart::Frame, axis)];
        for (is_sample, height) in &heights {
            let filled = height.saturating_sub(row * 8).min(8).checked_sub(1);
            let (part, sign) = match filled.and_then(|at| signs.spark.get(at)) {
                Some(sign) if *is_sample => (ChartPart::Sample, *sign),
                Some(_) if (height - 1) / 8 == row => (ChartPart::Projection, dot),
                _ => (ChartPart::Frame, empty),
            };
            match pieces.last_mut() {
                Some((held, text)) if *held == part => text.push_str(sign),
                _ => pieces.push((part, sign.to_owned())),
            }
        }
        lines.push(pieces);
    }
    let axis = signs.frame.horizontal.repeat(columns);
    let axis = format!("{:>5} {}{axis}", 0, signs.frame.bottom_left);
    let (from, to) = (first.0.date_text(), reaches.unwrap_or(last.0).date_text());
    let room = columns.saturating_sub(from.len());
    let dates = format!("{:AXIS$}{from}{to:>room$}", "");
    lines.extend([axis, dates].map(|text| vec![(ChartPart::Frame, text)]));
    lines
}

fn whole(value: f64) -> usize {
    whole_usize(value.round())
}

/// The value at a day on the line through points in the order of their days.
pub fn value_at(points: &[(f64, f64)], day: f64) -> f64 {
    let after = points.partition_point(|point| point.0 < day);
    let Some(next) = points.get(after).or(points.last()) else {
        return 0.0;
    };
    let before = after.checked_sub(1).and_then(|at| points.get(at));
    match before {
        Some(before) if next.0 > before.0 => {
            let part = ((day - before.0) / (next.0 - before.0)).min(1.0);
            before.1 + part * (next.1 - before.1)
        }
        _ => next.1,
    }
}

/// One row of a histogram; the label is visible already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistogramRow<'a> {
    pub label: &'a str,
    pub count: u64,
    /// The mark that all values in it have passed.
    pub mark: Mark,
}

/// Draws one row a bucket; where the rows are too few, the last one says how many are left out.
///
/// ```text
/// 1–2 GiB ██████████▌ 12,345
/// 2–4 GiB ▏                3
/// ```
pub fn histogram(buffer: &mut Buffer, area: Rect, buckets: &[HistogramRow], theme: &Theme) {
    let area = area.intersection(buffer.area);
    let rows = usize::from(area.height);
    let shown = if buckets.len() > rows { rows.saturating_sub(1) } else { buckets.len() };
    let widest = |texts: &mut dyn Iterator<Item = usize>, most: u16| {
        u16::try_from(texts.max().unwrap_or_default()).map_or(most, |w| w.min(most))
    };
    let glyphs = theme.glyphs;
    let mut labels = buckets.iter().map(|b| text::width(b.label, glyphs));
    let label_columns = widest(&mut labels, area.width / 3);
    let mut counts = buckets.iter().map(|b| count_text(b.count).len());
    let count_columns = widest(&mut counts, area.width / 3);
    let most = buckets.iter().map(|b| b.count).max().unwrap_or_default();
    for (index, bucket) in (0..area.height).zip(buckets.iter().take(shown)) {
        let row = text::row(area, index);
        let label = [Span::styled(bucket.label, theme.text)];
        text::right(buffer, text::column(row, 0, label_columns), &label, theme);
        let left_over = row.width.saturating_sub(label_columns + count_columns + 2);
        let bar = text::column(row, label_columns + 1, left_over);
        plain_bar(buffer, bar, part_of(bucket.count, most), theme.fill(bucket.mark), theme);
        let style = if bucket.count == 0 { theme.dim } else { theme.mark(bucket.mark) };
        let count = [Span::styled(count_text(bucket.count), style)];
        let start = row.width.saturating_sub(count_columns);
        text::right(buffer, text::column(row, start, count_columns), &count, theme);
    }
    let left_out = buckets.len() - shown;
    if left_out > 0 {
        let words = format!("{} {} more", glyphs.ellipsis(), count_text(left_out as u64));
        let last = text::row(area, area.height.saturating_sub(1));
        text::left(buffer, last, &[Span::styled(words, Style::new().patch(theme.dim))], theme);
    }
}

fn part_of(count: u64, most: u64) -> f64 {
    real(count) / real(most.max(1))
}

#[cfg(test)]
mod tests;
