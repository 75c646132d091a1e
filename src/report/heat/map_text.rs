//! The map of a report in letters: a glyph for each cell, and below a row where requests were refused.

use crate::model::visible::{display_width, visible};

use super::doc::LABEL;
use super::scale::Band;
use super::words::{clock, optional, span};
use super::{HeatMap, MapRow};
use crate::report::Colour;
use crate::report::doc::Doc;
use crate::report::layout::{left, right};
use crate::report::md::escape;

const INDENT: &str = "  ";
/// Digits of most values.
const FEWEST_VALUE: usize = 8;

pub(super) fn push_text(map: &HeatMap, doc: &mut Doc) {
    let notes = map.notes().into_iter();
    let head: Vec<String> = std::iter::once(map.track.title()).chain(notes).collect();
    doc.line(&head.join("; "), INDENT, INDENT);
    let labels: Vec<String> = map.rows.iter().map(|r| r.label_in(LABEL)).collect();
    let wide = labels.iter().map(|l| display_width(l)).max().unwrap_or(1);
    let values: Vec<String> = map.rows.iter().map(|row| p99(map, row)).collect();
    let value_wide = values.iter().map(|v| display_width(v)).max();
    let value_wide = value_wide.unwrap_or(0).max(FEWEST_VALUE);
    let (start, end) = (clock(map.window.from), clock(map.window.to()));
    let room = map.window.columns.saturating_sub(start.len());
    doc.raw(format!(
        "{INDENT}{} {start}{} {}\n",
        left("", wide),
        right(&end, room.max(end.len() + 1)),
        right("p99", value_wide),
    ));
    for ((row, label), value) in map.rows.iter().zip(&labels).zip(&values) {
        let cells = painted(map, &row.cells, doc.style.colour);
        let value = right(value, value_wide);
        doc.raw(format!("{INDENT}{} {cells} {value}\n", left(label, wide)));
        if let Some(marks) = marks(row) {
            doc.raw(format!("{INDENT}{} {marks}\n", left("", wide)));
        }
    }
    let mut legend = map.scale.glyph_legend();
    if map.has_refused() {
        legend.push_str(" · ! throttled (429)");
    }
    doc.line(&legend, INDENT, INDENT);
}

/// In a code block nothing is markup, nor can be made harmless: signs that could be are replaced in names.
pub(super) fn push_md(map: &HeatMap, doc: &mut Doc) {
    let (title, notes) = (escape(&map.track.title()), map.notes().join("; "));
    let time = span(map.window.from, map.window.to());
    doc.raw(format!("\n{title}: {notes}\n\n```text\n{time}\n"));
    let label = |row: &MapRow| visible(&row.label()).replace(['`', '<', '>', '&'], "'");
    let labels: Vec<String> = map.rows.iter().map(label).collect();
    let wide = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    for (row, label) in map.rows.iter().zip(&labels) {
        let cells = painted(map, &row.cells, Colour::Off);
        doc.raw(format!("{label:wide$} {cells} {}\n", p99(map, row)));
        if let Some(marks) = marks(row) {
            doc.raw(format!("{:wide$} {marks}\n", ""));
        }
    }
    let legend = map.scale.glyph_legend();
    doc.raw(format!("```\n\n{legend}; ! throttled (429)\n"));
}

fn p99(map: &HeatMap, row: &MapRow) -> String {
    optional(row.p99, |v| map.value(v))
}

/// Under the cells in which requests were refused.
fn marks(row: &MapRow) -> Option<String> {
    let mark = |v: &f32| if *v > 0.0 { '!' } else { ' ' };
    let marks: String = row.throttled.iter().map(mark).collect();
    Some(marks.trim_end().to_owned()).filter(|marks| !marks.is_empty())
}

fn painted(map: &HeatMap, cells: &[f32], colour: Colour) -> String {
    let band = |v: &f32| map.scale.band(f64::from(*v));
    let mut out = String::new();
    for run in cells.chunk_by(|a, b| band(a) == band(b)) {
        let paint = match (colour, run.first().map(band)) {
            (Colour::On, Some(Band::Warn)) => "\x1b[33m",
            (Colour::On, Some(Band::Alarm)) => "\x1b[31m",
            (Colour::On, Some(Band::Full)) => "\x1b[1;31m",
            _ => "",
        };
        out.push_str(paint);
        out.extend(run.iter().map(|v| map.scale.glyph(f64::from(*v))));
        out.push_str(if paint.is_empty() { "" } else { "\x1b[0m" });
    }
    out
}
