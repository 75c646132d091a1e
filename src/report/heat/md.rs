//! The heat of partitions as Markdown, with everything from outside escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::diagnosis::Verdict;
use crate::model::units::{PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text};
use crate::model::visible::visible;

use super::steps::{Step, Told};
use super::words::{
    REMEDY_COLUMNS, answers, column_notes, facts, headline, in_region, key_words, label, moment,
    number, optional, phrase, place_words, remedy, saturated_minutes, size_words, summary,
    thresholds, value_text,
};
use super::{ContainerHeatRows, HeatMap, HeatReport, PartitionKeys, PartitionRow};
use crate::report::Style;
use crate::report::layout::{sentence, title, visible_once};
use crate::report::md::escape;

const PARTITIONS: &str = "| partition | p99 | highest | at (UTC) | saturated min | RU | requests | 429 | 429 share | size | of 50 GB | RU/s | hash range | parents | gaps |\n|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|---:|\n";
const KEYS: &str = "| key | RU | share | peak RU/s | peak at (UTC) | since (UTC) | size | of 20 GB | belongs to |\n|---|---:|---:|---:|---|---|---:|---:|---|\n";

pub(super) fn write(report: &HeatReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let head = format!(
        "# Heat of physical partitions\n\n{}\n",
        escape(&summary(report))
    );
    to.write_all(head.as_bytes())?;
    let mut told = Told::new(report.price.as_ref());
    for container in &report.containers {
        let mut out = format!(
            "\n## {}\n\n{}\n",
            escape(&title(&container.name)),
            escape(&facts(container))
        );
        for row in &container.verdicts {
            push_verdict(&row.verdict, &mut out);
        }
        if let Some(map) = &container.map {
            push_map(map, &mut out);
        }
        push_partitions(container, &mut out);
        for keys in &container.keys {
            push_keys(keys, &mut out);
        }
        for row in &container.verdicts {
            push_why(&row.verdict, &mut told, &mut out);
        }
        let notes: Vec<String> = column_notes(container)
            .into_iter()
            .chain(container.notes.iter().map(sentence))
            .collect();
        if !notes.is_empty() {
            out.push('\n');
        }
        for note in notes {
            let _ = writeln!(out, "- {}", escape(&note));
        }
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("\n## Notes\n\n");
    if let Some(thresholds) = thresholds(report) {
        let _ = writeln!(out, "- {}", escape(&thresholds));
    }
    for note in &report.notes {
        let _ = writeln!(out, "- {}", escape(&sentence(note)));
    }
    to.write_all(out.as_bytes())
}

fn push_verdict(verdict: &Verdict, out: &mut String) {
    let _ = writeln!(
        out,
        "\n**{}: {}**\n",
        verdict.severity.word(),
        escape(&headline(verdict))
    );
    for (question, says, why) in answers(verdict) {
        let _ = writeln!(out, "- {question}: **{says}**: {}", escape(&why));
    }
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, told: &mut Told<'_>, out: &mut String) {
    let _ = writeln!(out, "\n### Why {}, and what to do\n", escape(verdict.rule));
    for fact in &verdict.evidence {
        let what = escape(&phrase(&fact.what));
        let (value, from) = (visible_once(&fact.value), visible_once(&fact.from));
        let _ = writeln!(out, "- {what}: {} ({})", escape(&value), escape(&from));
    }
    if !verdict.remedies.is_empty() {
        let _ = writeln!(
            out,
            "\n| {} |\n|---|--:|--:|---|---|",
            REMEDY_COLUMNS.join(" | ")
        );
    }
    for row in &verdict.remedies {
        let cells = remedy(row, told.price).map(|cell| escape(&cell));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    if !verdict.steps.is_empty() {
        out.push('\n');
    }
    for (number, step) in (1..).zip(told.steps(verdict)) {
        match step {
            Step::Run { command, about } if is_code(&command) => {
                let about = if about.is_empty() { "run" } else { &about };
                let about = escape(about);
                let _ = writeln!(
                    out,
                    "{number}. {about}:\n\n   ```sh\n   {command}\n   ```\n"
                );
            }
            other => {
                let _ = writeln!(out, "{number}. {}", escape(&other.text()));
            }
        }
    }
}

/// Whether it holds nothing that a careless reader of Markdown takes for markup, but for `<names>` to fill in.
fn is_code(command: &str) -> bool {
    let is_name = |rest: &str| {
        let name = rest.split_once('>').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    };
    !command.contains('`') && command.split('<').skip(1).all(is_name)
}

/// In a code block nothing is markup, nor can be made harmless: signs that could be are replaced in names.
fn push_map(map: &HeatMap, out: &mut String) {
    let _ = writeln!(
        out,
        "\n{}: {}",
        escape(&map.track.title()),
        map.notes().join("; ")
    );
    let labels: Vec<String> = map
        .rows
        .iter()
        .map(|r| visible(&r.label()).replace(['`', '<', '>', '&'], "'"))
        .collect();
    let wide = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let _ = writeln!(
        out,
        "\n```text\n{}",
        super::words::span(map.window.from, map.window.to())
    );
    for (row, label) in map.rows.iter().zip(&labels) {
        let glyph = |v: &f32| map.scale.glyph(f64::from(*v));
        let cells: String = row.cells.iter().map(glyph).collect();
        let p99 = optional(row.p99, |v| map.value(v));
        let _ = writeln!(out, "{label:wide$} {cells} {p99}");
        if row.refused.iter().any(|v| *v > 0.0) {
            let mark = |v: &f32| if *v > 0.0 { '!' } else { ' ' };
            let marks: String = row.refused.iter().map(mark).collect();
            let _ = writeln!(out, "{:wide$} {}", "", marks.trim_end());
        }
    }
    let _ = writeln!(
        out,
        "```\n\n{}; ! refused with 429",
        map.scale.glyph_legend()
    );
}

fn push_partitions(container: &ContainerHeatRows, out: &mut String) {
    if container.partitions.is_empty() {
        return;
    }
    out.push('\n');
    out.push_str(PARTITIONS);
    for row in &container.partitions {
        out.push('|');
        for cell in cells(container, row) {
            let _ = write!(out, " {} |", escape(&cell));
        }
        out.push('\n');
    }
    let hidden = container
        .partitions_total
        .saturating_sub(container.partitions.len());
    if hidden > 0 {
        let _ = writeln!(
            out,
            "\n{} more partitions, not shown.",
            count_text(hidden as u64)
        );
    }
}

/// The columns of [`PARTITIONS`], visible; HTML has the same.
pub(super) fn cells(container: &ContainerHeatRows, row: &PartitionRow) -> [String; 15] {
    let load = container.track(container.sources.load);
    let value = |v: f64| load.map_or_else(String::new, |t| value_text(t.measure.unit(), v));
    let standing = row.standing;
    let text = |text: Option<&str>| visible(text.unwrap_or("–")).into_owned();
    let range = match (&row.min_inclusive, &row.max_exclusive) {
        (None, None) => "–".to_owned(),
        (min, max) => format!("{} to {}", edge(min.as_deref()), edge(max.as_deref())),
    };
    let parents = row.parents.join(" ");
    [
        text(Some(&label(&row.named))),
        optional(standing.map(|s| s.p99), value),
        optional(standing.map(|s| s.highest), value),
        standing.map_or_else(|| "–".to_owned(), |s| moment(s.highest_at)),
        saturated_minutes(row),
        optional(row.ru, number),
        optional(row.requests, number),
        optional(row.refused, number),
        optional(row.refused_share(), percent_text),
        optional(row.kib, kib_text),
        optional(row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB), percent_text),
        optional(row.capacity.map(|c| c.ru_per_second), number),
        range,
        text(Some(parents.as_str()).filter(|p| !p.is_empty())),
        row.gaps.map_or_else(|| "–".to_owned(), count_text),
    ]
}

/// The first digits of a bound tell partitions apart; the whole stands in JSON.
fn edge(bound: Option<&str>) -> String {
    const DIGITS: usize = 8;
    match bound {
        None => "?".to_owned(),
        Some("") => "00".to_owned(),
        Some(hex) => visible(&hex.chars().take(DIGITS).collect::<String>()).into_owned(),
    }
}

fn push_keys(keys: &PartitionKeys, out: &mut String) {
    let region = in_region(keys);
    let _ = writeln!(
        out,
        "\n### Keys of partition {}{}\n",
        escape(&visible(&keys.partition)),
        escape(&region)
    );
    out.push_str(KEYS);
    for key in &keys.keys {
        out.push('|');
        for cell in key_cells(key) {
            let _ = write!(out, " {} |", escape(&cell));
        }
        out.push('\n');
    }
    let hidden = keys.keys_total.saturating_sub(keys.keys.len());
    if hidden > 0 {
        let _ = writeln!(out, "\n{} more, not shown.", count_text(hidden as u64));
    }
}

/// The columns of [`KEYS`], visible; HTML has the same.
pub(super) fn key_cells(key: &super::KeyHeat) -> [String; 9] {
    let at = |second: Option<i64>| second.map_or_else(|| "–".to_owned(), moment);
    let load = &key.load;
    let [size, of_ceiling] = size_words(key);
    [
        key_words(&key.key),
        number(load.ru),
        percent_text(load.share),
        number(load.peak_ru_per_second),
        at(load.peak_at),
        at(load.since),
        size,
        of_ceiling,
        place_words(key.place.as_ref()),
    ]
}
