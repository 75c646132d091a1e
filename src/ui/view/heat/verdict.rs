//! The verdict as a card in as many lines as there is room for: what is wrong, what would help, what else is wrong.
//!
//! ```text
//! ● HOT KEY  contoso  93 % of partition 0  429s: 289/s  since 23:24 (36 min)
//!   remedy          throttled        RU/s  takes          verdict
//!   now             11 %           40,000
//!   scale up        6.7 %          59,900  4-6 h          helps, not enough
//! ```

use super::head::{self, HeadLine, HeadRole};
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::card::{self, RemedyLine};
use crate::analysis::diagnosis::{Diagnosis, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::rules::Rule;
use crate::model::visible::{display_width, shorten, visible};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::text;
use crate::work::data::Stage;

/// Columns of a card whose remedies have no figures: those of RU/s are left out.
const WITHOUT_FIGURES: [&str; 3] = ["remedy", "verdict", "why"];
const GAP: usize = 2;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct VerdictLines {
    /// Who, where, how much and since when.
    headline: HeadLine,
    /// The remedy to try first.
    best: Option<HeadLine>,
    /// The sentence behind the headline.
    detail: Vec<HeadLine>,
    remedies: Vec<HeadLine>,
    /// What else is wrong, in a line.
    also: Option<HeadLine>,
    /// The same with a line for each.
    others: Vec<HeadLine>,
}

impl VerdictLines {
    pub fn of(cx: &Cx, found: &Diagnosis, width: usize) -> Self {
        let mut shown = found.verdicts.iter().filter(|v| !is_early(cx, v));
        let Some(worst) = shown.next() else {
            let words = "no verdict yet: the inputs are still being read";
            let early =
                (!found.verdicts.is_empty()).then(|| vec![(HeadRole::Dim, words.to_owned())]);
            return Self {
                headline: early.unwrap_or_default(),
                ..Self::default()
            };
        };
        let others: Vec<&Verdict> = shown.collect();
        Self {
            headline: headline(cx, worst, width),
            best: best(cx, worst),
            detail: detail(cx, worst, width),
            remedies: remedies(cx, worst),
            also: also(&others, width),
            others: others
                .iter()
                .map(|other| headline(cx, other, width))
                .collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.headline.is_empty()
    }

    /// What is shown, from the least to all of it.
    fn forms(&self) -> [Vec<HeadLine>; 4] {
        let short: Vec<HeadLine> = [Some(&self.headline), self.best.as_ref(), self.also.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let whole = |rest: &[HeadLine]| {
            let mut lines = vec![self.headline.clone()];
            lines.extend_from_slice(&self.remedies);
            lines.extend_from_slice(&self.detail);
            lines.extend_from_slice(rest);
            lines
        };
        let also: Vec<HeadLine> = self.also.iter().cloned().collect();
        let least = short.iter().take(2).cloned().collect();
        [least, short, whole(&also), whole(&self.others)]
    }

    /// Rows of who, what helps and what else is wrong.
    pub fn short(&self) -> u16 {
        rows(self.forms()[1].len())
    }

    /// Rows of all there is.
    pub fn all(&self) -> u16 {
        rows(self.forms()[3].len())
    }

    /// The lines that fit.
    pub fn fitted(&self, height: usize) -> Vec<HeadLine> {
        let forms = self.forms().into_iter().rev();
        let found = forms.into_iter().find(|lines| lines.len() <= height);
        found.unwrap_or_else(|| vec![self.headline.clone()])
    }
}

fn rows(lines: usize) -> u16 {
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// Whether a verdict says that inputs are missing while they are being read.
fn is_early(cx: &Cx, verdict: &Verdict) -> bool {
    let stage = cx.data.as_ref().map(|data| &data.stage);
    let is_reading = cx.loading.is_some() && matches!(stage, Some(Stage::Reading { .. }));
    is_reading && verdict.rule == Rule::NotEnoughData
}

/// `● HOT KEY  contoso  93 % of partition 0 …`; a line that is too long is cut at its end.
fn headline(cx: &Cx, verdict: &Verdict, width: usize) -> HeadLine {
    let rule = format!("● {}", verdict.rule.name());
    let room = width.saturating_sub(display_width(&rule) + GAP).max(1);
    let words = head::phrase(&verdict.headline, &cx.mask);
    let words = format!("  {}", shorten(&words, room));
    vec![
        (HeadRole::Rule(verdict.severity), rule),
        (HeadRole::Text, words),
    ]
}

fn best(cx: &Cx, verdict: &Verdict) -> Option<HeadLine> {
    let summary = visible(&cx.mask.text(&verdict.remedy_summary())).into_owned();
    if summary.is_empty() {
        return None;
    }
    let effect = verdict
        .best_remedy()
        .map_or(RemedyEffect::None, |b| b.effect);
    let (word, rest) = match summary.split_once(": ") {
        Some((word, rest)) => (word.to_owned(), format!(": {rest}")),
        None => (summary, String::new()),
    };
    Some(vec![
        (HeadRole::Text, "  ".to_owned()),
        (HeadRole::Says(effect), word),
        (HeadRole::Text, rest),
    ])
}

fn detail(cx: &Cx, verdict: &Verdict, width: usize) -> Vec<HeadLine> {
    if verdict.detail.is_empty() {
        return Vec::new();
    }
    let words = head::phrase(&verdict.detail, &cx.mask);
    let room = width.saturating_sub(GAP).max(1);
    let lines = text::wrapped(&words, room, Glyphs::Unicode).into_iter();
    lines
        .map(|line| vec![(HeadRole::Dim, format!("  {line}"))])
        .collect()
}

/// The table of remedies, its heading first.
fn remedies(cx: &Cx, verdict: &Verdict) -> Vec<HeadLine> {
    let lines = verdict.remedy_lines();
    if lines.is_empty() {
        return Vec::new();
    }
    let has_figures = lines.iter().any(|line| !line.throttled.is_empty());
    let why = |line: &RemedyLine| visible(&cx.mask.text(&line.why)).into_owned();
    let (heads, rows): (Vec<&str>, Vec<Vec<String>>) = if has_figures {
        let rows = lines.iter().map(|line| line.cells().to_vec());
        (card::COLUMNS.to_vec(), rows.collect())
    } else {
        let row =
            |line: &RemedyLine| vec![line.remedy.clone(), line.verdict().to_owned(), why(line)];
        (WITHOUT_FIGURES.to_vec(), lines.iter().map(row).collect())
    };
    let head = heads.iter().map(|head| (*head).to_owned()).collect();
    let widths = widths(&head, &rows);
    let verdict_column = heads.iter().position(|head| *head == "verdict");
    let line = |cells: &Vec<String>, effect: Option<RemedyEffect>| {
        let mut out = HeadLine::new();
        for (at, (cell, columns)) in cells.iter().zip(&widths).enumerate() {
            let is_right = heads.get(at) == Some(&"RU/s");
            let pad = columns.saturating_sub(display_width(cell));
            let (before, after) = if is_right { (pad, 0) } else { (0, pad) };
            let words = format!("  {}{cell}{}", " ".repeat(before), " ".repeat(after));
            let role = match effect {
                None => HeadRole::Dim,
                Some(effect) if verdict_column == Some(at) => HeadRole::Says(effect),
                Some(_) => HeadRole::Text,
            };
            out.push((role, words));
        }
        out
    };
    let effects = lines.iter().map(|line| Some(line.effect));
    let table = std::iter::once((&head, None)).chain(rows.iter().zip(effects));
    table.map(|(cells, effect)| line(cells, effect)).collect()
}

/// Columns of each column of a table.
fn widths(head: &Vec<String>, rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths = vec![0; head.len()];
    for cells in rows.iter().chain([head]) {
        for (widest, cell) in widths.iter_mut().zip(cells) {
            *widest = display_width(cell).max(*widest);
        }
    }
    widths
}

/// `also KEY NEAR 20 GB, LOW-CARDINALITY`.
fn also(others: &[&Verdict], width: usize) -> Option<HeadLine> {
    let names: Vec<&str> = others.iter().map(|v| v.rule.name()).collect();
    let worst = others.iter().map(|v| v.severity).max()?;
    let role = match worst {
        Severity::Note => HeadRole::Dim,
        worst => HeadRole::Rule(worst),
    };
    let words = shorten(&names.join(", "), width.saturating_sub(7).max(1));
    Some(vec![(HeadRole::Dim, "  also ".to_owned()), (role, words)])
}
