//! The map drawn in SVG: rectangles and text only, each run of one colour with its read-out.
//!
//! ```text
//! highest of all   ▁▂▇▇▇▂▁            up to 100.0 %    <- the line over the map
//!      3           ███████▒▒////███   p99 100.0 %      <- a row: colours, gaps hatched, a bar under what was refused
//!      0           ░░░░░░░░░░░░░░░░   p99 28.0 %
//! UTC              02:00   02:05   02:10
//! ▢ 0 ▢ 35 % ▢ from 70 % …                      <- the legend
//! ```

use std::fmt::Write as _;

use crate::analysis::heat::Unit;
use crate::model::units::{
    as_number, counted, percent_text, real_seconds, trimmed_text, whole_u64,
};
use crate::model::visible::visible;

use super::HeatMap;
use super::map::MapRow;
use super::svg::FONTS;
use super::words::{clock, duration, moment, optional, span, value_text};
use crate::report::escape::escape;
use crate::report::layout::wrap;

pub(super) const WIDTH: f64 = 1000.0;
pub(super) const MARGIN: f64 = 16.0;
/// From the left edge to the cells, and their width; the rest belongs to the p99.
const LEFT: f64 = 136.0;
const PLOT: f64 = 760.0;
const LABEL_COLUMNS: usize = 16;
/// Rows are this high while there is room, and never lower than a readable letter.
const ROW: f64 = 22.0;
const LOWEST_ROW: f64 = 10.0;
const ROOM: f64 = 880.0;
const LINE: f64 = 17.0;
const TOGETHER: f64 = 28.0;
pub(super) const TEXT_COLUMNS: usize = 140;
const TICKS: i64 = 8;
/// Seconds between ticks that people count in.
const TICK_STEPS: [i64; 24] = [
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    10_800,
    21_600,
    43_200,
    86_400,
    604_800,
    2_419_200,
    7_862_400,
    15_724_800,
    31_449_600,
    157_248_000,
];
pub(super) const INK: &str = "#1b1f24";
pub(super) const FAINT: &str = "#57606a";
const THROTTLED: &str = "#111111";

/// The map as part of a page.
pub fn figure(map: &HeatMap, id: usize) -> String {
    let mut body = String::new();
    let height = push_map(map, MARGIN, id, &mut body) + 2.0 * MARGIN;
    let (width, height) = (trimmed_text(WIDTH), trimmed_text(height));
    let title = escape(&map.track.title());
    format!(
        "<figure><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\" \
         font-size=\"12\" fill=\"{INK}\">\n<title>Map of {title}</title>\n{body}</svg></figure>\n"
    )
}

/// Lines of text below each other; the distance they take is given back.
pub(super) fn push_lines(text: &str, top: f64, manner: &str, out: &mut String) -> f64 {
    let mut y = top;
    for line in wrap(text, TEXT_COLUMNS, "", "").lines() {
        y += LINE;
        let (y, line) = (trimmed_text(y - 4.0), escape(line));
        let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\"{manner}>{line}</text>");
    }
    y - top
}

/// Draws the map below `top`; `id` keeps the names inside apart where a page holds several. Gives its height.
pub(super) fn push_map(map: &HeatMap, top: f64, id: usize, out: &mut String) -> f64 {
    let mut y = top;
    let head = format!(
        "{} · {} · {}",
        map.track.title(),
        span(map.window.from, map.window.to()),
        map.notes().join("; ")
    );
    y += push_lines(&head, y, &format!(" fill=\"{FAINT}\""), out) + 4.0;
    let _ = writeln!(
        out,
        "<defs><pattern id=\"gap-{id}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#ffffff\"/><path d=\"M0 6L6 0\" stroke=\"#b6bcc4\"/></pattern></defs>"
    );
    y += push_together(map, y, out);
    let height = (ROOM / as_number(map.rows.len().max(1))).clamp(LOWEST_ROW, ROW);
    for row in &map.rows {
        push_row(map, row, (y, height), id, out);
        y += height;
    }
    y += push_axis(map, y, out);
    y += push_legend(map, y, id, out);
    y - top
}

fn x_of(map: &HeatMap, column: usize) -> f64 {
    let share = as_number(column) / as_number(map.window.columns.max(1));
    LEFT + PLOT * share
}

fn push_rect(out: &mut String, [x, y, width, height]: [f64; 4], manner: &str, title: &str) {
    let [x, y, width, height] = [x, y, width, height].map(trimmed_text);
    let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {manner}");
    if title.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = writeln!(out, "><title>{}</title></rect>", escape(title));
    }
}

fn push_label(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let (x, y, text) = (trimmed_text(x), trimmed_text(y), escape(text));
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
}

/// All partitions as one low chart in the columns of the map.
fn push_together(map: &HeatMap, top: f64, out: &mut String) -> f64 {
    let highest = map.highest_together();
    if highest.is_nan() || highest <= 0.0 {
        return 0.0;
    }
    let bottom = top + TOGETHER;
    push_label(out, LEFT - 8.0, bottom - 8.0, "end", map.together_words());
    let up_to = format!("up to {}", map.value(highest));
    push_label(out, LEFT + PLOT + 8.0, bottom - 8.0, "start", &up_to);
    let mut path = String::new();
    for (column, value) in map.together.iter().enumerate() {
        let share = f64::from(*value) / highest;
        if share.is_finite() && share > 0.0 {
            let (x, next) = (x_of(map, column), x_of(map, column + 1));
            let y = bottom - 4.0 - share.min(1.0) * (TOGETHER - 6.0);
            let [x, next, y, foot] = [x, next, y, bottom - 4.0].map(trimmed_text);
            let _ = write!(path, "M{x} {foot}V{y}H{next}V{foot}Z");
        }
    }
    let _ = writeln!(out, "<path d=\"{path}\" fill=\"#6e7781\"/>");
    TOGETHER
}

fn push_row(map: &HeatMap, row: &MapRow, (top, height): (f64, f64), id: usize, out: &mut String) {
    let middle = top + height / 2.0 + 4.0;
    let label = row.label_in(LABEL_COLUMNS);
    out.push_str("<g>\n");
    push_label(out, LEFT - 8.0, middle, "end", &label);
    let inner = height - 1.0;
    let mut column = 0;
    let colour = |v: &f32| map.scale.colour(f64::from(*v));
    for run in row.cells.chunk_by(|a, b| colour(a) == colour(b)) {
        let (x, next) = (x_of(map, column), x_of(map, column + run.len()));
        let title = read_out(map, row, column, run);
        let manner = match run.first().and_then(colour) {
            Some(colour) => format!("fill=\"{colour}\""),
            None => format!("fill=\"url(#gap-{id})\""),
        };
        push_rect(out, [x, top, next - x, inner], &manner, &title);
        column += run.len();
    }
    let mut column = 0;
    for run in row.throttled.chunk_by(|a, b| (*a > 0.0) == (*b > 0.0)) {
        if run.first().is_some_and(|v| *v > 0.0) {
            let (x, next) = (x_of(map, column), x_of(map, column + run.len()));
            let most = f64::from(run.iter().copied().fold(f32::NAN, f32::max));
            let place = place(map, row, column, run.len());
            let most = throttled_text(most, map.throttled_step_s);
            let title = format!("{place}: throttled (429), up to {most}");
            let manner = format!("fill=\"{THROTTLED}\" class=\"throttled\"");
            push_rect(out, [x, top + inner - 3.0, next - x, 3.0], &manner, &title);
        }
        column += run.len();
    }
    let p99 = format!("p99 {}", optional(row.p99, |v| map.value(v)));
    push_label(out, LEFT + PLOT + 8.0, middle, "start", &p99);
    out.push_str("</g>\n");
}

/// `289/s in a cell`; below one per second `6 requests in 5 min`.
fn throttled_text(most: f64, step_s: Option<u32>) -> String {
    match step_s {
        Some(step) if most < 1.0 => {
            let requests = whole_u64((most * f64::from(step)).round()).max(1);
            format!("{} in {}", counted(requests, "request", "requests"), duration(step.into()))
        }
        Some(_) => format!("{} in a cell", value_text(Unit::PerSecond, most)),
        None => format!("{} in a cell", percent_text(most)),
    }
}

/// `partition 3, 2026-06-22 02:00 to 02:05 UTC`.
fn place(map: &HeatMap, row: &MapRow, column: usize, cells: usize) -> String {
    let (from, to) = map.stretch(column, cells);
    format!("{}, {}", visible(&row.words()), span(from, to))
}

fn read_out(map: &HeatMap, row: &MapRow, column: usize, run: &[f32]) -> String {
    let place = place(map, row, column, run.len());
    // Of equals the first: that is when it began.
    let most = run.iter().enumerate();
    let most = most.reduce(|a, b| if b.1 > a.1 { b } else { a });
    match most {
        Some((at, value)) if !value.is_nan() => {
            let when = if run.len() > 1 {
                format!(", at {}", moment(map.window.cell(column + at).0))
            } else {
                String::new()
            };
            format!("{place}: {} at most{when}", map.value(f64::from(*value)))
        }
        _ => format!("{place}: no value"),
    }
}

fn push_axis(map: &HeatMap, top: f64, out: &mut String) -> f64 {
    let (from, to) = (map.window.from, map.window.to());
    let length = to.saturating_sub(from).max(1);
    let mut steps = TICK_STEPS.into_iter();
    let step = steps.find(|s| length / s <= TICKS).unwrap_or(length).max(1);
    let x_at = |second: i64| {
        let share = real_seconds(second - from) / real_seconds(length);
        LEFT + PLOT * share
    };
    let mut second = from.saturating_add((-from).rem_euclid(step));
    let mut day = String::new();
    while second <= to {
        let x = x_at(second);
        let [across, down] = [x, top].map(trimmed_text);
        let _ = writeln!(out, "<path d=\"M{across} {down}v6\" stroke=\"{FAINT}\"/>");
        let whole = moment(second);
        let date = whole.get(..10).unwrap_or_default().to_owned();
        push_label(out, x, top + 18.0, "middle", &clock(second));
        if date != day {
            push_label(out, x, top + 32.0, "middle", &date);
            day = date;
        }
        let Some(next) = second.checked_add(step) else {
            break;
        };
        second = next;
    }
    push_label(out, MARGIN, top + 18.0, "start", "UTC");
    40.0
}

fn push_legend(map: &HeatMap, top: f64, id: usize, out: &mut String) -> f64 {
    let mut x = LEFT;
    let mut entry = |manner: &str, text: &str, out: &mut String| {
        let frame = format!("{manner} stroke=\"#8c959f\"");
        push_rect(out, [x, top + 4.0, 18.0, 12.0], &frame, "");
        push_label(out, x + 24.0, top + 14.0, "start", text);
        let words = as_number(text.chars().count());
        x += 40.0 + words * 7.0;
    };
    for (colour, text) in map.scale.legend() {
        entry(&format!("fill=\"{colour}\""), &text, out);
    }
    entry(&format!("fill=\"url(#gap-{id})\""), "no value", out);
    if map.has_refused() {
        entry(&format!("fill=\"{THROTTLED}\""), "throttled (429)", out);
    }
    28.0
}
