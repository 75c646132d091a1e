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
use super::words::{
    answers, clock, column_notes, facts, headline, key_words, number, optional, phrase,
    place_words, saturated_minutes, size_words, summary, thresholds,
};
use super::{ContainerHeatRows, HeatMap, HeatReport, PartitionKeys, PartitionRow};
use crate::report::layout::{gib, left, right, sentence, title, visible_once, wrap};
use crate::report::{Colour, Style};

const INDENT: &str = "  ";
const DEEP: &str = "    ";
/// A name of a partition in a table; ids are numbers of a few digits, GUIDs are cut in the middle.
const LABEL: usize = 10;
/// How text to run begins.
const COMMAND: &str = "az ";
const NOTES_SHOWN: usize = 20;
/// Columns of a key's row beside the key.
const BESIDE_KEY: usize = 2 + 5 * 9 + 8;
const NARROWEST_KEY: usize = 12;

pub(super) fn write(report: &HeatReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(wrap(&summary(report), style.width, "", "").as_bytes())?;
    for container in &report.containers {
        let mut out = String::from("\n");
        push_container(container, style, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("\n");
    if let Some(thresholds) = thresholds(report) {
        out.push_str(&wrap(&thresholds, style.width, "· ", INDENT));
    }
    for note in report.notes.iter().take(NOTES_SHOWN) {
        out.push_str(&wrap(&sentence(note), style.width, "· ", INDENT));
    }
    if let Some(more) = report
        .notes
        .len()
        .checked_sub(NOTES_SHOWN)
        .filter(|n| *n > 0)
    {
        let _ = writeln!(
            out,
            "· … {more} more notes; --format json holds all of them"
        );
    }
    to.write_all(out.as_bytes())
}

fn push_container(container: &ContainerHeatRows, style: Style, out: &mut String) {
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
        push_why(&row.verdict, style, out);
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
        line(&format!("{question}? {says}{why}"), "         ");
    }
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, style: Style, out: &mut String) {
    let _ = writeln!(out, "\n{INDENT}why {}, and what to do", verdict.rule);
    let mut line = |text: &str, first: &str| {
        out.push_str(&wrap(text, style.width, first, "      "));
    };
    for fact in &verdict.evidence {
        let (what, value) = (phrase(&fact.what), visible_once(&fact.value));
        let from = visible_once(&fact.from);
        line(&format!("{what}: {value} ({from})"), "    · ");
    }
    for what_if in &verdict.what_if {
        let refused = optional(what_if.refused, percent_text);
        let ratio = optional(what_if.load_ratio, |r| format!("{r:.2}"));
        let words = visible_once(&what_if.words).into_owned();
        line(
            &format!("{words}: {refused} refused, load ratio {ratio}"),
            "    = ",
        );
    }
    for step in &verdict.steps {
        let step = phrase(step);
        if step.starts_with(COMMAND) {
            // Torn into lines it could not be copied.
            let _ = writeln!(out, "    > {step}");
        } else {
            out.push_str(&wrap(&step, style.width, "    > ", "      "));
        }
    }
}

fn push_map(map: &HeatMap, style: Style, out: &mut String) {
    let mut head = map.track.title();
    for note in map.notes() {
        let _ = write!(head, "; {note}");
    }
    out.push_str(&wrap(&head, style.width, INDENT, INDENT));
    let labels: Vec<String> = map.rows.iter().map(|r| cut(&r.label())).collect();
    let wide = labels.iter().map(|l| display_width(l)).max().unwrap_or(1);
    let (first, last) = (map.window.from, map.window.to());
    let (start, end) = (clock(first), clock(last));
    let _ = writeln!(
        out,
        "{INDENT}{} {}{}    p99",
        left("", wide),
        start,
        right(
            &end,
            map.window
                .columns
                .saturating_sub(start.len())
                .max(end.len() + 1)
        ),
    );
    for (row, label) in map.rows.iter().zip(&labels) {
        let _ = write!(out, "{INDENT}{} ", left(label, wide));
        push_cells(map, &row.cells, style.colour, out);
        let p99 = optional(row.p99, |v| map.value(v));
        let _ = writeln!(out, " {}", right(&p99, 8));
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
    let _ = write!(out, "{INDENT}{}", left("partition", LABEL));
    for (head, width) in heads.iter().zip(WIDTHS) {
        let _ = write!(out, " {}", right(head, width));
    }
    out.push('\n');
    for row in &container.partitions {
        let _ = write!(
            out,
            "{INDENT}{}",
            left(&cut(&super::words::label(&row.named)), LABEL)
        );
        for (cell, width) in cells(container, row).iter().zip(WIDTHS) {
            let _ = write!(out, " {}", right(cell, width));
        }
        out.push('\n');
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

const WIDTHS: [usize; 8] = [7, 7, 8, 8, 8, 6, 7, 9];

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
    let region = keys
        .region
        .as_deref()
        .map(|r| format!(" in {}", visible(r)))
        .unwrap_or_default();
    let head = format!("keys of partition {}{region}", cut(&keys.partition));
    out.push_str(&wrap(&head, style.width, INDENT, DEEP));
    let room = style.width.saturating_sub(BESIDE_KEY).max(NARROWEST_KEY);
    let _ = writeln!(
        out,
        "{INDENT}{} {:>8} {:>7} {:>8} {:>8} {:>8} of 20 GB",
        left("key", room),
        "RU",
        "share",
        "peak/s",
        "since",
        "at"
    );
    for key in &keys.keys {
        let load = &key.load;
        let at = |second: Option<i64>| second.map_or_else(|| "–".to_owned(), clock);
        let [_, share] = size_words(key);
        let _ = writeln!(
            out,
            "{INDENT}{} {:>8} {:>7} {:>8} {:>8} {:>8} {}",
            left(&shorten(&key_words(&key.key), room), room),
            number(load.ru),
            percent_text(load.share),
            number(load.peak_ru_per_second),
            at(load.since),
            at(load.peak_at),
            right(&share, 8)
        );
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
