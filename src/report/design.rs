//! A design: its figures with their working, and keys side by side, in five formats.

use std::io::{self, Write};

use crate::analysis::ceiling::Ceiling;
use crate::analysis::design::{
    DesignFigure, DesignedKey, FigureGroup, FillTime, figures, share_text, small_text, time_text,
};
use crate::analysis::routing::Routing;
use crate::analysis::routing::workload::RequestAccess;
use crate::analysis::rows::Note;
use crate::analysis::trial::routes::Routed;
use crate::model::design::Design;
use crate::model::units::{PARTITION_RU_PER_SECOND, count_text, kib_text, six_digits, whole_text};
use crate::model::visible::visible;

use super::csv::Line;
use super::doc::{Doc, Markup, Point, WORDS};
use super::key_text::key_text;
use super::layout::{NONE, left};
use super::trial::{
    CandidateReport, KeyRole, TrialReport, distinct, ratio, routing_text, verdicts,
};
use super::write_json::{Json, object};
use super::{Style, Writer, writer};

/// A design with what its documents show.
#[derive(Clone, PartialEq, Debug)]
pub struct DesignReport {
    pub design: Design,
    pub ceiling: Ceiling,
    /// Of documents that were drawn from it; the key of the design comes first.
    pub trial: TrialReport,
    pub notes: Vec<Note>,
}

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<DesignReport>> {
    writer(name, page, &[("json", json), ("csv", csv)])
}

/// A key by the design where that tells it, else by the documents.
struct KeyCells<'a> {
    found: &'a CandidateReport,
    exact: Option<DesignedKey>,
    full: Option<FillTime>,
    largest_share: f64,
    hottest: f64,
}

impl<'a> KeyCells<'a> {
    fn of(report: &DesignReport, found: &'a CandidateReport) -> Self {
        let trial = &found.trial;
        let exact = DesignedKey::of(&report.design, &trial.candidate);
        let full = exact.map(|key| key.fill_time(&report.design, key.largest, report.ceiling));
        let per_day = trial.ahead.bytes_per_day.map(|[_, likely, _]| likely);
        let by_documents = per_day.filter(|rate| *rate > 0.0).map(|rate| {
            match trial.ahead.most_bytes.filter(|most| *most < report.ceiling.bytes()) {
                Some(most) => FillTime::Level(most),
                None => FillTime::Days(report.ceiling.bytes() / rate),
            }
        });
        Self {
            full: full.or(by_documents),
            largest_share: exact.map_or(trial.top_share.share, |key| key.largest),
            hottest: exact.map_or(trial.hottest_share, |key| key.largest) * keyed_ru(found, exact),
            exact,
            found,
        }
    }

    fn name(&self) -> String {
        let key = self.found.trial.candidate.to_string();
        let now = if self.found.standing == KeyRole::Current { " (key)" } else { "" };
        format!("{}{now}", visible(&key))
    }

    fn about(&self) -> &'static str {
        if self.exact.is_some() { "" } else { "≈ " }
    }

    fn cells(&self) -> [String; 8] {
        let trial = &self.found.trial;
        let keys = match self.exact {
            Some(DesignedKey { distinct: Some(n), period_days: Some(_), .. }) => {
                format!("{} at a time", whole_text(n))
            }
            Some(DesignedKey { distinct: Some(n), .. }) => whole_text(n),
            Some(_) => "one each".to_owned(),
            None => format!("≈ {}", distinct(trial)),
        };
        let full = match self.full {
            Some(FillTime::Days(days)) => format!("{}{}", self.about(), time_text(days)),
            Some(FillTime::Level(0.0)) => "never".to_owned(),
            Some(FillTime::Level(bytes)) => {
                format!("never: {}{}", self.about(), kib_text(bytes / 1024.0))
            }
            None => "–".to_owned(),
        };
        [
            self.name(),
            self.found.verdict.word().to_owned(),
            keys,
            format!("{}{}", self.about(), share_text(self.largest_share)),
            full,
            format!("{}{}", self.about(), small_text(self.hottest)),
            ratio(trial.placement.load_ratio_ru),
            self.routes(),
        ]
    }

    /// `2 single, 1 cross`
    fn routes(&self) -> String {
        let reads = self.found.routed.iter().filter(|r| r.access == RequestAccess::Read);
        let counts = Routing::counts(reads.map(|r| r.route.routing)).into_iter();
        let counts = counts.zip(["single", "targeted", "cross", "unknown"]);
        let there = counts.filter(|(n, _)| *n > 0);
        let words: Vec<String> =
            there.map(|(n, word)| format!("{} {word}", count_text(n))).collect();
        if words.is_empty() { "–".to_owned() } else { words.join(", ") }
    }

    fn why(&self) -> String {
        self.found.why(|key| key_text(Some(key)).into())
    }
}

/// RU/s of requests that go to one key each; of a key with a period those of new documents, which are in the newest.
fn keyed_ru(found: &CandidateReport, exact: Option<DesignedKey>) -> f64 {
    let is_dated = exact.is_some_and(|key| key.period_days.is_some());
    let is_keyed = |routed: &&Routed| {
        let is_fan_out = matches!(routed.route.routing, Routing::FanOut { .. });
        !is_fan_out && (!is_dated || routed.access == RequestAccess::Write)
    };
    let keyed = found.routed.iter().filter(is_keyed);
    keyed.map(|r| r.per_second.unwrap_or(0.0) * r.ru).sum()
}

const HEADS: [&str; 8] =
    ["key", "verdict", "keys", "largest", "20 GB in", "hottest RU/s", "imbalance", "reads"];

fn keys(report: &DesignReport) -> Vec<KeyCells<'_>> {
    let candidates = report.trial.candidates.iter();
    candidates.map(|found| KeyCells::of(report, found)).collect()
}

fn page(mut doc: Doc, report: &DesignReport, to: &mut dyn Write) -> io::Result<()> {
    let design = &report.design;
    let page = format!("{}: {}", visible(&design.container), verdicts(&report.trial));
    doc.title("Design", &page, &summary(design));
    for FigureGroup { name, figures } in figures(design, report.ceiling) {
        doc.part(name);
        push_figures(&mut doc, &figures);
        doc.part_end();
    }
    let keys = keys(report);
    doc.part("Keys");
    if doc.is(Markup::Text) {
        for key in &keys {
            push_key(&mut doc, key);
        }
    } else {
        doc.table(WORDS, HEADS, keys.iter().map(KeyCells::cells));
        let why = keys.iter().map(|k| Point::Said([String::new(), k.name(), k.why()]));
        doc.list(("ul", "", "  "), why);
    }
    doc.part_end();
    doc.gap();
    doc.notes(None, &report.notes);
    doc.end(to)
}

fn summary(design: &Design) -> String {
    let title = if design.title.is_empty() { &design.container } else { &design.title };
    let key: Vec<String> = design.key.iter().map(ToString::to_string).collect();
    let key = key.join(" > ");
    let [title, container, key] = [title, &design.container, &key].map(|name| visible(name));
    format!("{title}: container {container} with the key {key}.")
}

/// The working below each figure, so that no line is too long.
fn push_figures(doc: &mut Doc, figures: &[DesignFigure]) {
    let name = |f: &DesignFigure| visible(&f.name).into_owned();
    if !doc.is(Markup::Text) {
        let row = |f: &DesignFigure| [name(f), f.text.clone(), f.how.clone()];
        doc.table(WORDS, ["figure", "value", "how"], figures.iter().map(row));
        return;
    }
    let widest = figures.iter().map(|f| name(f).chars().count()).max();
    for figure in figures {
        let name = left(&name(figure), widest.unwrap_or(0));
        doc.line(&figure.text, &format!("  {name}  "), "    ");
        doc.line(&figure.how, "      = ", "        ");
    }
}

fn push_key(doc: &mut Doc, key: &KeyCells<'_>) {
    let [name, verdict, ..] = key.cells();
    let why = Some(key.why()).filter(|why| why != NONE);
    let why = why.map_or(String::new(), |why| format!("; {why}"));
    doc.line(&format!("{name}: {verdict}{why}"), "  ", "      ");
    let cells = key.cells();
    let pairs: Vec<String> = (HEADS.iter().zip(&cells).skip(2))
        .map(|(head, cell)| match cell.strip_prefix("never: ") {
            Some(level) => format!("20 GB never, at most {level}"),
            None if cell == "never" => "20 GB never".to_owned(),
            None => format!("{head} {cell}"),
        })
        .collect();
    doc.line(&pairs.join(" · "), "      ", "      ");
}

fn json(report: &DesignReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let finite = |value: f64| Some(six_digits(value)).filter(|v| v.is_finite());
    let groups = figures(&report.design, report.ceiling);
    let figure = |(group, f): (&str, &DesignFigure)| {
        object()
            .with("group", group)
            .with("name", &f.name)
            .with("value", finite(f.value))
            .with("unit", f.unit)
            .with("text", &f.text)
            .with("how", &f.how)
    };
    let all = groups.iter().flat_map(|g| g.figures.iter().map(move |f| (g.name, f)));
    let figures: Vec<Json> = all.map(figure).collect();
    let key = |key: &KeyCells<'_>| {
        let trial = &key.found.trial;
        let exact = key.exact;
        let routes = key.found.routed.iter().map(|routed| {
            object().with("name", &routed.name).with("route", routing_text(routed.route.routing))
        });
        object()
            .with("key", trial.candidate.to_string())
            .with("current", key.found.standing == KeyRole::Current)
            .with("verdict", key.found.verdict.word())
            .with("why", key.why())
            .with("from_design", exact.is_some())
            .with("distinct", exact.and_then(|k| k.distinct).or(trial.distinct.range.map(|r| r[1])))
            .with("largest_share", six_digits(key.largest_share))
            .with("full_after_days", key.full.and_then(FillTime::days).and_then(finite))
            .with("hottest_ru_per_s", six_digits(key.hottest))
            .with("limit_ru_per_s", PARTITION_RU_PER_SECOND)
            .with("imbalance", trial.placement.load_ratio_ru.map(six_digits))
            .with("requests", routes.collect::<Vec<Json>>())
    };
    let keys: Vec<Json> = keys(report).iter().map(key).collect();
    object()
        .with("schema", 1)
        .with("title", &report.design.title)
        .with("container", &report.design.container)
        .with("figures", figures)
        .with("keys", keys)
        .notes("notes", &report.notes)
        .write(to)
}

fn csv(report: &DesignReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below("group,figure,value,unit,text,how\n", style, to)?;
    for group in figures(&report.design, report.ceiling) {
        for f in &group.figures {
            line.text(Some(group.name))
                .text(Some(&f.name))
                .number(Some(six_digits(f.value)).filter(|v| v.is_finite()))
                .text(Some(f.unit))
                .text(Some(&f.text))
                .text(Some(&f.how))
                .end(to)?;
        }
    }
    Ok(())
}
