//! The maps of a report as one SVG file: no script, nothing from elsewhere, its own light paper.

use std::io::{self, Write};

use super::svg_map::{FAINT, INK, MARGIN, WIDTH, push_lines, push_map};
use super::words::{facts, headline, summary};
use super::{HeatMap, HeatReport};
use crate::analysis::rows::Note;
use crate::model::units::trimmed_text;
use crate::report::Style;
use crate::report::escape::escape;
use crate::report::layout::{sentence, title, visible_once};

pub(super) const FONTS: &str = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

pub(super) fn write(report: &HeatReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut body = String::new();
    let mut y = MARGIN;
    let faint = format!(" fill=\"{FAINT}\"");
    let bold = " font-weight=\"bold\"";
    let shown = report.containers.iter().filter(|c| c.map.is_some());
    for (id, container) in shown.enumerate() {
        let mut lines = vec![
            (title(&container.name), " font-size=\"15\" font-weight=\"bold\""),
            (facts(container), faint.as_str()),
        ];
        for row in &container.verdicts {
            let severity = row.verdict.severity.word();
            lines.push((format!("{severity}: {}", headline(&row.verdict)), bold));
            let remedies = row.verdict.remedy_lines().into_iter();
            let remedies: Vec<_> = remedies.map(|line| line.text()).collect();
            lines.push((visible_once(&remedies.join(" · ")).into_owned(), ""));
        }
        for (line, manner) in lines {
            y += push_lines(&line, y, manner, &mut body);
        }
        y += 6.0;
        if let Some(map) = &container.map {
            y += push_map(map, y, id, &mut body);
        }
        y += MARGIN;
    }
    let left_out = report.containers.iter().filter(|c| c.map.is_none()).count();
    if left_out > 0 || report.containers.is_empty() {
        let line = match left_out {
            0 => "No container in these inputs.".to_owned(),
            1 => "1 container without a map; the text and JSON reports tell of it.".to_owned(),
            n => format!("{n} containers without a map; the text and JSON reports tell of them."),
        };
        y += push_lines(&line, y, &faint, &mut body) + MARGIN;
    }
    let notes: Vec<String> = report.notes.iter().map(of_file).collect();
    let out = framed((&summary(report), &notes.join(" ")), y, &body);
    to.write_all(out.as_bytes())
}

/// Pictures below each other, each with a name and lines above it.
pub fn page(title: &str, parts: &[(String, Vec<String>, Option<HeatMap>)]) -> String {
    let mut body = String::new();
    let mut y = MARGIN;
    for (id, (name, lines, map)) in parts.iter().enumerate() {
        y += push_lines(name, y, " font-size=\"15\" font-weight=\"bold\"", &mut body);
        for line in lines {
            y += push_lines(line, y, "", &mut body);
        }
        y += 6.0;
        if let Some(map) = map {
            y += push_map(map, y, id, &mut body);
        }
        y += MARGIN;
    }
    framed((title, ""), y, &body)
}

fn framed((title, about): (&str, &str), height: f64, body: &str) -> String {
    let (width, height) = (trimmed_text(WIDTH), trimmed_text(height));
    let (title, about) = (escape(title), escape(about));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"{FONTS}\" font-size=\"12\" fill=\"{INK}\">\n<title>{title}</title>\n\
         <desc>{about}</desc>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// A picture is passed on: it names the file, not where it lies.
fn of_file(note: &Note) -> String {
    let name = |path: &String| {
        let name = path.rsplit(['/', '\\']).next();
        name.unwrap_or(path).to_owned()
    };
    sentence(&Note { source: note.source.as_ref().map(name), text: note.text.clone() })
}
