//! The heat of partitions for people at a terminal.
//!
//! ```text
//! HOT KEY · partition 3 at 100 % … · in account / database / container
//!
//! account / database / container
//!   key /tenantId · 4 physical partitions · 18,000 RU/s · 2026-06-22 02:00 to 02:15 UTC
//!   alarm  HOT KEY · …
//!     more RU/s? no: …
//!     split? no: …
//!     redistribute? partly: …
//!     another key? yes: …
//!   RU % of partition (…), a cell is 1 min
//!   3  ▁▁▇█████████·····████████  100.0 %
//!   partition   p99  highest at       sat. min      RU  requests   429  429 %   GiB  of 50
//!   keys of partition 3          RU   share  …
//!   why HOT KEY, and what to do
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::diagnosis::Verdict;
use crate::analysis::findings::Severity;
use crate::model::units::{PHYSICAL_CEILING_KIB, count_text, percent_text};
use crate::model::visible::{display_width, shorten, visible};

use super::scale::Band;
use super::steps::{Step, Told};
use super::words::{
    answers, clock, column_notes, facts, headline, in_region, key_words, number, optional,
    per_month, phrase, place_words, remedy, saturated_minutes, size_words, summary, thresholds,
};
use super::{ContainerHeatRows, HeatMap, HeatReport, PartitionKeys, PartitionRow};
use crate::report::layout::{gib, left, push_notes, right, sentence, title, visible_once, wrap};
use crate::report::{Colour, Style};

const INDENT: &str = "  ";
const DEEP: &str = "    ";
/// A name of a partition in a table; ids are numbers of a few digits, GUIDs are cut in the middle.
const LABEL: usize = 10;
/// Digits of most values.
const FEWEST_VALUE: usize = 8;
const NARROWEST_KEY: usize = 12;

pub(super) fn write(report: &HeatReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(wrap(&summary(report), style.width, "", "").as_bytes())?;
    let mut told = Told::new(report.price.as_ref());
    for container in &report.containers {
        let mut out = String::from("\n");
        push_container(container, &mut told, style, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("\n");
    if let Some(thresholds) = thresholds(report) {
        out.push_str(&wrap(&thresholds, style.width, "· ", INDENT));
    }
    push_notes(&report.notes, style.width, &mut out);
    to.write_all(out.as_bytes())
}

fn push_container(
    container: &ContainerHeatRows,
    told: &mut Told<'_>,
    style: Style,
    out: &mut String,
) {
    let name = shorten(&title(&container.name), style.width.max(LABEL));
    match style.colour {
        Colour::Off => out.push_str(&name),
        Colour::On => {
            let _ = write!(out, "\x1b[1m{name}\x1b[0m");
        }
    }
    out.push('\n');
    out.push_str(&wrap(&facts(container), style.width, INDENT, INDENT));
    for row in &container.verdicts {
        push_verdict(&row.verdict, style, out);
    }
    if let Some(map) = &container.map {
        out.push('\n');
        push_map(map, style, out);
    }
    if !container.partitions.is_empty() {
        out.push('\n');
        push_partitions(container, style, out);
    }
    for keys in &container.keys {
        out.push('\n');
        push_keys(keys, style, out);
    }
    for row in &container.verdicts {
        push_why(&row.verdict, told, style, out);
    }
    if !container.notes.is_empty() || !container.partitions.is_empty() {
        out.push('\n');
    }
    for note in column_notes(container)
        .into_iter()
        .chain(container.notes.iter().map(sentence))
    {
        out.push_str(&wrap(&note, style.width, INDENT, DEEP));
    }
}

fn push_verdict(verdict: &Verdict, style: Style, out: &mut String) {
    let word = left(verdict.severity.word(), 5);
    let lines = wrap(
        &headline(verdict),
        style.width,
        &format!("{INDENT}{word}  "),
        "         ",
    );
    let paint = match verdict.severity {
        Severity::Alarm => "\x1b[1;31m",
        Severity::Warn => "\x1b[33m",
        Severity::Note => "\x1b[36m",
    };
    match (style.colour, lines.strip_prefix(&format!("{INDENT}{word}"))) {
        (Colour::On, Some(rest)) => {
            let _ = write!(out, "{INDENT}{paint}{word}\x1b[0m{rest}");
        }
        _ => out.push_str(&lines),
    }
    let mut line = |text: &str, first: &str| {
        out.push_str(&wrap(text, style.width, first, "           "));
    };
    for (question, says, why) in answers(verdict) {
        let why = if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        line(&format!("{question}: {says}{why}"), "         ");
    }
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, told: &mut Told<'_>, style: Style, out: &mut String) {
    let _ = writeln!(out, "\n{INDENT}why {}, and what to do", verdict.rule);
    let mut line = |text: &str, first: &str| {
        out.push_str(&wrap(text, style.width, first, "      "));
    };
    for fact in &verdict.evidence {
        let (what, value) = (phrase(&fact.what), visible_once(&fact.value));
        let from = visible_once(&fact.from);
        line(&format!("{what}: {value} ({from})"), "    · ");
    }
    for row in &verdict.remedies {
        let [words, throttled, _, takes, effect] = remedy(row, None);
        let mut text = format!("{words}: {throttled} throttled");
        if row.name != "now" {
            let _ = write!(text, ", {takes}, {effect}");
        }
        if let Some(money) = per_month(row, told.price) {
            let _ = write!(text, ", {money}");
        }
        line(&text, "    = ");
    }
    for step in told.steps(verdict) {
        match step {
            Step::Run { command, about } => {
                // Torn into lines it could not be copied.
                let _ = writeln!(out, "    > {command}");
                if !about.is_empty() {
                    out.push_str(&wrap(
                        &format!("({about})"),
                        style.width,
                        "      ",
                        "      ",
                    ));
                }
            }
            other => out.push_str(&wrap(&other.text(), style.width, "    > ", "      ")),
        }
    }
}

fn push_map(map: &HeatMap, style: Style, out: &mut String) {
    let mut head = map.track.title();
    for note in map.notes() {
        let _ = write!(head, "; {note}");
    }
    out.push_str(&wrap(&head, style.width, INDENT, INDENT));
    let labels: Vec<String> = map.rows.iter().map(|r| r.label_in(LABEL)).collect();
    let wide = labels.iter().map(|l| display_width(l)).max().unwrap_or(1);
    let p99 = |row: &super::MapRow| optional(row.p99, |v| map.value(v));
    let values: Vec<String> = map.rows.iter().map(p99).collect();
    let value_wide = widest("p99", values.iter()).max(FEWEST_VALUE);
    let (first, last) = (map.window.from, map.window.to());
    let (start, end) = (clock(first), clock(last));
    let _ = writeln!(
        out,
        "{INDENT}{} {}{} {}",
        left("", wide),
        start,
        right(
            &end,
            map.window
                .columns
                .saturating_sub(start.len())
                .max(end.len() + 1)
        ),
        right("p99", value_wide),
    );
    for ((row, label), value) in map.rows.iter().zip(&labels).zip(&values) {
        let _ = write!(out, "{INDENT}{} ", left(label, wide));
        push_cells(map, &row.cells, style.colour, out);
        let _ = writeln!(out, " {}", right(value, value_wide));
        if row.refused.iter().any(|v| *v > 0.0) {
            let mark = |v: &f32| if *v > 0.0 { '!' } else { ' ' };
            let marks: String = row.refused.iter().map(mark).collect();
            let _ = writeln!(out, "{INDENT}{} {}", left("", wide), marks.trim_end());
        }
    }
    let mut legend = map.scale.glyph_legend();
    if map.has_refused() {
        legend.push_str(" · ! refused with 429");
    }
    out.push_str(&wrap(&legend, style.width, INDENT, INDENT));
}

fn push_cells(map: &HeatMap, cells: &[f32], colour: Colour, out: &mut String) {
    let band = |v: &f32| map.scale.band(f64::from(*v));
    for run in cells.chunk_by(|a, b| band(a) == band(b)) {
        let paint = match (colour, run.first().map(band)) {
            (Colour::On, Some(Band::Warn)) => "\x1b[33m",
            (Colour::On, Some(Band::Alarm)) => "\x1b[31m",
            (Colour::On, Some(Band::Full)) => "\x1b[1;31m",
            _ => "",
        };
        out.push_str(paint);
        out.extend(run.iter().map(|v| map.scale.glyph(f64::from(*v))));
        if !paint.is_empty() {
            out.push_str("\x1b[0m");
        }
    }
}

fn cut(label: &str) -> String {
    shorten(&visible(label), LABEL)
}

fn push_partitions(container: &ContainerHeatRows, style: Style, out: &mut String) {
    let heads = [
        "p99",
        "highest",
        "at",
        "sat. min",
        "RU",
        "429",
        "429 %",
        "GiB of 50",
    ];
    let rows: Vec<[String; 8]> = container
        .partitions
        .iter()
        .map(|row| cells(container, row))
        .collect();
    let label = |row: &PartitionRow| cut(&super::words::label(&row.named));
    let labels: Vec<String> = container.partitions.iter().map(label).collect();
    let wide = widest("partition", labels.iter());
    let widths = widths(&heads, &rows);
    push_row("partition", wide, &heads, &widths, out);
    for (label, row) in labels.iter().zip(&rows) {
        push_row(label, wide, row, &widths, out);
    }
    let hidden = container
        .partitions_total
        .saturating_sub(container.partitions.len());
    if hidden > 0 {
        let more = format!(
            "… {} more partitions; --format json holds all of them",
            count_text(hidden as u64)
        );
        out.push_str(&wrap(&more, style.width, INDENT, INDENT));
    }
}

fn widest<'a>(head: &str, cells: impl Iterator<Item = &'a String>) -> usize {
    let widths = cells.map(|cell| display_width(cell));
    widths.max().unwrap_or(0).max(display_width(head))
}

/// Of columns that no number breaks.
fn widths<const N: usize>(heads: &[&str; N], rows: &[[String; N]]) -> [usize; N] {
    std::array::from_fn(|column| {
        let head = heads.get(column).copied().unwrap_or_default();
        widest(head, rows.iter().filter_map(|row| row.get(column)))
    })
}

fn push_row(
    label: &str,
    wide: usize,
    cells: &[impl AsRef<str>],
    widths: &[usize],
    out: &mut String,
) {
    let _ = write!(out, "{INDENT}{}", left(label, wide));
    for (cell, width) in cells.iter().zip(widths) {
        let _ = write!(out, " {}", right(cell.as_ref(), *width));
    }
    out.push('\n');
}

fn cells(container: &ContainerHeatRows, row: &PartitionRow) -> [String; 8] {
    let load = container.track(container.sources.load);
    let value = |v: f64| {
        load.map_or_else(String::new, |t| {
            short(&super::words::value_text(t.measure.unit(), v))
        })
    };
    let standing = row.standing;
    [
        optional(standing.map(|s| s.p99), value),
        optional(standing.map(|s| s.highest), value),
        standing.map_or_else(|| "–".to_owned(), |s| clock(s.highest_at)),
        saturated_minutes(row),
        optional(row.ru, number),
        optional(row.refused, number),
        optional(row.refused_share(), percent_text),
        optional(row.kib, |kib| {
            let share = kib / PHYSICAL_CEILING_KIB;
            format!("{} {:.0}%", gib(kib), share * 100.0)
        }),
    ]
}

/// The unit stands in the note on the column.
fn short(text: &str) -> String {
    text.strip_suffix(" RU/s").unwrap_or(text).to_owned()
}

fn push_keys(keys: &PartitionKeys, style: Style, out: &mut String) {
    let region = in_region(keys);
    let head = format!("keys of partition {}{region}", cut(&keys.partition));
    out.push_str(&wrap(&head, style.width, INDENT, DEEP));
    let heads = ["RU", "share", "peak/s", "since", "at", "of 20 GB"];
    let rows: Vec<[String; 6]> = keys.keys.iter().map(key_cells).collect();
    let widths = widths(&heads, &rows);
    let beside: usize = widths.iter().map(|width| width + 1).sum();
    let room = style.width.saturating_sub(beside + INDENT.len());
    let room = room.max(NARROWEST_KEY);
    push_row("key", room, &heads, &widths, out);
    for (key, row) in keys.keys.iter().zip(&rows) {
        let name = shorten(&key_words(&key.key), room);
        push_row(&name, room, row, &widths, out);
        if let Some(place) = &key.place
            && place.agreement == super::Agreement::Differs
        {
            let text = format!("belongs to partition {}", place_words(Some(place)));
            out.push_str(&wrap(&text, style.width, DEEP, DEEP));
        }
    }
    let hidden = keys.keys_total.saturating_sub(keys.keys.len());
    if hidden > 0 {
        let _ = writeln!(
            out,
            "{DEEP}… {} more; --top N shows more",
            count_text(hidden as u64)
        );
    }
}

fn key_cells(key: &super::KeyHeat) -> [String; 6] {
    let load = &key.load;
    let at = |second: Option<i64>| second.map_or_else(|| "–".to_owned(), clock);
    let [_, share] = size_words(key);
    [
        number(load.ru),
        percent_text(load.share),
        number(load.peak_ru_per_second),
        at(load.since),
        at(load.peak_at),
        share,
    ]
}
