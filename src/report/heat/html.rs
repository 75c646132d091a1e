//! The heat of partitions as one HTML page that stands alone: no script, nothing from elsewhere, fit to be printed.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::diagnosis::Verdict;
use crate::model::units::count_text;

use super::md::{cells, key_cells};
use super::steps::{Step, Told};
use super::svg::FONTS;
use super::svg_map::{INK, MARGIN, WIDTH, push_map, short};
use super::words::{
    REMEDY_COLUMNS, answers, column_notes, facts, headline, in_region, phrase, remedy, summary,
    thresholds,
};
use super::{ContainerHeatRows, HeatMap, HeatReport, PartitionKeys};
use crate::report::Style;
use crate::report::escape::{escape, outside};
use crate::report::layout::{sentence, title, visible_once};
use crate::report::page::{self, push_list, push_table};

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
    let mut out = page::head("Heat of physical partitions", &summary(report));
    if let Some(as_of) = report.as_of {
        let _ = writeln!(
            out,
            "<p class=\"faint\">As of {} UTC</p>",
            as_of.minute_text()
        );
    }
    to.write_all(out.as_bytes())?;
    let mut told = Told::new(report.price.as_ref());
    for (id, container) in report.containers.iter().enumerate() {
        let mut out = String::new();
        push_container(container, id, &mut told, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("<h2>Notes</h2>\n");
    let thresholds = thresholds(report).into_iter();
    let notes = thresholds.chain(report.notes.iter().map(sentence));
    push_list("ul", notes, &mut out);
    out.push_str(page::END);
    to.write_all(out.as_bytes())
}

fn push_container(container: &ContainerHeatRows, id: usize, told: &mut Told<'_>, out: &mut String) {
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
        format!("{question}: {says}{why}")
    });
    push_list("ul", answers, out);
    out.push_str("</div>\n");
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, told: &mut Told<'_>, out: &mut String) {
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
    if !verdict.remedies.is_empty() {
        let rows = verdict.remedies.iter().map(|row| remedy(row, told.price));
        push_table("words", &REMEDY_COLUMNS, rows, out);
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
