//! The heat of partitions as one HTML page that stands alone: no script, nothing from elsewhere, fit to be printed.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::diagnosis::Verdict;
use crate::model::units::{count_text, percent_text};

use super::escape::{escape, outside};
use super::md::{cells, key_cells};
use super::steps::{Step, Told};
use super::svg::FONTS;
use super::svg_map::{INK, MARGIN, WIDTH, push_map, short};
use super::words::{
    answers, column_notes, facts, headline, in_region, optional, phrase, summary, thresholds,
};
use super::{ContainerHeatRows, HeatMap, HeatReport, PartitionKeys};
use crate::report::Style;
use crate::report::layout::{sentence, title, visible_once};

/// Nothing is loaded and nothing runs, whatever stands in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
const STYLES: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #57606a; --line: #d0d7de; --bad: #a50f15; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #16191d; --faint: #9da7b1; --line: #3d444d; --bad: #ff8a80; --warn: #f3c15f; } }
body { margin: 0 auto; max-width: 1240px; padding: 1rem; font: 14px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; } h3 { font-size: 1rem; }
.faint { color: var(--faint); }
.verdict { border-left: 6px solid var(--line); padding: 0 0 0 .8rem; margin: .8rem 0; }
.alarm { border-color: var(--bad); } .warn { border-color: var(--warn); }
.verdict h3 { margin: 0; } .alarm h3 { color: var(--bad); } .warn h3 { color: var(--warn); }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; background: #ffffff; border-radius: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .6rem .15rem 0; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 7rem; max-width: 34rem; overflow-wrap: break-word; }
.words th, .words td { text-align: left; white-space: normal; vertical-align: top; overflow-wrap: break-word; }
ul, ol { margin: .3rem 0; padding-left: 1.4rem; overflow-wrap: anywhere; }
@media print { :root { --ink: #000000; --paper: #ffffff; --faint: #444444; --line: #bbbbbb; --bad: #a50f15; --warn: #8a5a00; } body { max-width: none; } h2, .verdict, figure, tr { break-inside: avoid; } }
";
const PARTITIONS: [&str; 15] = [
    "partition",
    "p99",
    "highest",
    "at (UTC)",
    "saturated min",
    "RU",
    "requests",
    "429",
    "429 share",
    "size",
    "of 50 GB",
    "RU/s",
    "hash range",
    "parents",
    "gaps",
];
const KEYS: [&str; 9] = [
    "key",
    "RU",
    "share",
    "peak RU/s",
    "peak at (UTC)",
    "since (UTC)",
    "size",
    "of 20 GB",
    "belongs to",
];

pub(super) fn write(report: &HeatReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let summary = escape(&summary(report));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Heat of physical partitions</title>\n<style>\n{STYLES}</style>\n</head>\n<body>\n\
         <h1>Heat of physical partitions</h1>\n<p><strong><bdi>{summary}</bdi></strong></p>\n"
    );
    if let Some(as_of) = report.as_of {
        let _ = writeln!(
            out,
            "<p class=\"faint\">As of {} UTC</p>",
            as_of.minute_text()
        );
    }
    to.write_all(out.as_bytes())?;
    let mut told = Told::default();
    for (id, container) in report.containers.iter().enumerate() {
        let mut out = String::new();
        push_container(container, id, &mut told, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("<h2>Notes</h2>\n");
    let thresholds = thresholds(report).into_iter();
    let notes = thresholds.chain(report.notes.iter().map(sentence));
    push_list("ul", notes, &mut out);
    out.push_str("</body>\n</html>\n");
    to.write_all(out.as_bytes())
}

fn push_container(container: &ContainerHeatRows, id: usize, told: &mut Told, out: &mut String) {
    let _ = writeln!(
        out,
        "<section>\n<h2><bdi>{}</bdi></h2>\n<p class=\"faint\">{}</p>",
        escape(&title(&container.name)),
        escape(&facts(container))
    );
    for row in &container.verdicts {
        push_verdict(&row.verdict, out);
    }
    if let Some(map) = &container.map {
        push_figure(map, id, out);
    }
    if !container.partitions.is_empty() {
        out.push_str("<h3>Physical partitions</h3>\n");
        let rows = container.partitions.iter();
        push_table(
            "numbers",
            &PARTITIONS,
            rows.map(|row| cells(container, row)),
            out,
        );
        let hidden = container
            .partitions_total
            .saturating_sub(container.partitions.len());
        push_hidden(hidden, out);
    }
    for keys in &container.keys {
        push_keys(keys, out);
    }
    for row in &container.verdicts {
        push_why(&row.verdict, told, out);
    }
    let notes = column_notes(container).into_iter();
    push_list("ul", notes.chain(container.notes.iter().map(sentence)), out);
    out.push_str("</section>\n");
}

fn push_verdict(verdict: &Verdict, out: &mut String) {
    let severity = verdict.severity.word();
    let _ = writeln!(
        out,
        "<div class=\"verdict {severity}\">\n<h3>{severity}: <bdi>{}</bdi></h3>",
        escape(&headline(verdict))
    );
    let answers = answers(verdict).into_iter().map(|(question, says, why)| {
        let why = if why.is_empty() {
            why
        } else {
            format!(": {why}")
        };
        format!("{question}? {says}{why}")
    });
    push_list("ul", answers, out);
    out.push_str("</div>\n");
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, told: &mut Told, out: &mut String) {
    let _ = writeln!(out, "<h3>Why {}, and what to do</h3>", escape(verdict.rule));
    if !verdict.evidence.is_empty() {
        let facts = verdict.evidence.iter().map(|fact| {
            [
                phrase(&fact.what),
                visible_once(&fact.value).into_owned(),
                visible_once(&fact.from).into_owned(),
            ]
        });
        push_table("words", &["evidence", "value", "from"], facts, out);
    }
    if !verdict.what_if.is_empty() {
        let rows = verdict.what_if.iter().map(|what_if| {
            [
                visible_once(&what_if.words).into_owned(),
                optional(what_if.refused, percent_text),
                optional(what_if.load_ratio, |r| format!("{r:.2}")),
            ]
        });
        push_table("words", &["what if", "refused", "load ratio"], rows, out);
    }
    let steps = told.steps(verdict);
    push_list("ol", steps.iter().map(Step::text), out);
}

fn push_figure(map: &HeatMap, id: usize, out: &mut String) {
    let mut body = String::new();
    let height = push_map(map, MARGIN, id, &mut body) + 2.0 * MARGIN;
    let (width, height) = (short(WIDTH), short(height));
    let _ = writeln!(
        out,
        "<figure><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\" \
         font-size=\"12\" fill=\"{INK}\">\n<title>Map of {}</title>\n{body}</svg></figure>",
        escape(&map.track.title())
    );
}

fn push_keys(keys: &PartitionKeys, out: &mut String) {
    let region = in_region(keys);
    let _ = writeln!(
        out,
        "<h3>Keys of partition <bdi>{}</bdi>{}</h3>",
        outside(&keys.partition),
        escape(&region)
    );
    push_table("numbers", &KEYS, keys.keys.iter().map(key_cells), out);
    push_hidden(keys.keys_total.saturating_sub(keys.keys.len()), out);
}

fn push_hidden(rows: usize, out: &mut String) {
    if rows > 0 {
        let rows = count_text(rows as u64);
        let _ = writeln!(out, "<p class=\"faint\">{rows} more, not shown.</p>");
    }
}

/// Visible cells under their heads; text of either direction stays in its cell.
fn push_table<const N: usize>(
    kind: &str,
    heads: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
    out: &mut String,
) {
    let _ = write!(
        out,
        "<div class=\"scroll\"><table class=\"{kind}\">\n<thead><tr>"
    );
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td><bdi>{}</bdi></td>", escape(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn push_list(kind: &str, lines: impl Iterator<Item = String>, out: &mut String) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "<{kind}>");
    for line in lines {
        let _ = writeln!(out, "<li><bdi>{}</bdi></li>", escape(&line));
    }
    let _ = writeln!(out, "</{kind}>");
}
