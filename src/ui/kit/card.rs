//! The verdict on a container as a card in as many lines as there is room for: what is wrong, what would help, what else
//! is wrong.
//!
//! ```text
//! ● HOT KEY  contoso  93 % of partition 0  429s: 289/s  since 23:24 (36 min)
//!   remedy          throttled        RU/s  takes          verdict
//!   now             11 %           40,000
//!   scale up        6.7 %          59,900  4-6 h          helps, not enough
//! ```

use ratatui::text::Span;

use super::cx::{Cx, Veil};
use super::glyphs::Glyphs;
pub use super::headline::dated;
use super::masking::Mask;
use super::theme::Theme;
use super::{headline, sign, text};
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::card::{self, RemedyLine};
use crate::analysis::diagnosis::{Diagnosis, Fact, Phrase, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::rules::Rule;
use crate::model::units::count_text;
use crate::model::visible::{display_width, visible};
use crate::work::data::Stage;

/// Columns of a card whose remedies have no figures: those of RU/s are left out.
const WITHOUT_FIGURES: [&str; 3] = ["remedy", "verdict", "why"];
/// Columns left out in a narrow card, the least needed first.
const LEAST_NEEDED: [&str; 3] = ["takes", "RU/s", "throttled"];
/// A reason in less room has lines of its own, under its remedy.
const NARROWEST_WHY: usize = 30;
const GAP: usize = 2;
/// Behind names of which some do not fit.
const AND_OTHERS: &str = ", …";

/// How a piece of a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardRole {
    Text,
    Dim,
    Name,
    Rule(Severity),
    Says(RemedyEffect),
}

pub type CardLine = Vec<(CardRole, String)>;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Card {
    /// Who, where, how much and since when, in one row.
    headline: CardLine,
    /// The remedy to try first.
    best: Option<CardLine>,
    /// What else is wrong, in a line.
    more: Option<CardLine>,
    /// The worst verdict with its table, before its sentence.
    table: Vec<CardLine>,
    /// The same with its sentence.
    worst: Vec<CardLine>,
    /// The other ones, a headline each.
    others: Vec<CardLine>,
    /// The same with their tables.
    tables: Vec<CardLine>,
}

impl Card {
    pub fn of(cx: &Cx, found: &Diagnosis, width: usize) -> Self {
        if cx.veil.is_drawn() {
            let words = vec![(CardRole::Dim, Veil::WORDS.to_owned())];
            return Self {
                headline: words.clone(),
                table: vec![words.clone()],
                worst: vec![words],
                ..Self::default()
            };
        }
        let mut shown = found.verdicts.iter().filter(|v| !is_early(cx, v));
        let Some(worst) = shown.next() else {
            let words = "no verdict yet: the inputs are still being read";
            let early =
                (!found.verdicts.is_empty()).then(|| vec![(CardRole::Dim, words.to_owned())]);
            return Self { headline: early.unwrap_or_default(), ..Self::default() };
        };
        let others: Vec<&Verdict> = shown.collect();
        let headlines = others.iter().flat_map(|other| headline(cx, other, width));
        let tables = others.iter().flat_map(|other| {
            let gap = std::iter::once(CardLine::new());
            gap.chain(whole(cx, other, remedies(cx, other, width), width))
        });
        let remedies = remedies(cx, worst, width);
        let row = headline_row(cx, worst, width);
        let table = [vec![row.clone()], remedies.clone()].concat();
        Self {
            headline: row,
            best: best(cx, worst, width),
            more: more(cx, &others, width),
            table,
            worst: whole(cx, worst, remedies, width),
            others: headlines.collect(),
            tables: tables.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.headline.is_empty()
    }

    /// What is shown, from the least to all of it.
    fn forms(&self) -> [Vec<CardLine>; 6] {
        let short = [Some(&self.headline), self.best.as_ref(), self.more.as_ref()];
        let short: Vec<CardLine> = short.into_iter().flatten().cloned().collect();
        let with = |rest: &[CardLine]| [self.worst.as_slice(), rest].concat();
        let more: Vec<CardLine> = self.more.iter().cloned().collect();
        let least = short.iter().take(2).cloned().collect();
        let longer = [with(&more), with(&self.others), with(&self.tables)];
        let [worst, others, tables] = longer;
        let table = [self.table.as_slice(), &more].concat();
        [least, short, table, worst, others, tables]
    }

    /// Rows of who, what helps and what else is wrong.
    pub fn short(&self) -> u16 {
        rows(self.forms()[1].len())
    }

    /// Rows that it fills of so many: at most the worst verdict as a whole, and a headline of each other one.
    pub fn rows_of(&self, most: u16) -> u16 {
        let all = rows(self.forms()[4].len());
        rows(self.fitted(most.min(all).into()).len())
    }

    /// The lines that fit; where not even the shortest form does, the headline.
    pub fn fitted(&self, height: usize) -> Vec<CardLine> {
        let forms = self.forms().into_iter().rev();
        let found = forms.into_iter().find(|lines| lines.len() <= height);
        found.unwrap_or_else(|| vec![self.headline.clone()])
    }
}

/// A line as it is drawn.
pub fn spans(line: &CardLine, theme: &Theme) -> Vec<Span<'static>> {
    let spans = line.iter().flat_map(|(role, words)| {
        let style = match role {
            CardRole::Dim => theme.dim,
            CardRole::Name => theme.accent,
            CardRole::Rule(Severity::Alarm)
            | CardRole::Says(RemedyEffect::None | RemedyEffect::Worse) => theme.alarm,
            CardRole::Rule(Severity::Warn)
            | CardRole::Says(RemedyEffect::Helps | RemedyEffect::InPart) => theme.warn,
            CardRole::Rule(Severity::Note) | CardRole::Says(RemedyEffect::Fixes) => theme.good,
            CardRole::Text | CardRole::Says(RemedyEffect::NotNeeded | RemedyEffect::Unknown) => {
                theme.text
            }
        };
        text::coded(&theme.glyphs.sentence(words), style, theme)
    });
    spans.collect()
}

/// A phrase with its keys as they are shown, masked where names are.
pub fn phrase(phrase: &Phrase, mask: &Mask) -> String {
    phrase.text(|json| mask.key_text(json))
}

/// The headline of a verdict.
pub fn headline_text(cx: &Cx, verdict: &Verdict) -> String {
    dated(cx, verdict.since, phrase(&verdict.headline, &cx.mask))
}

/// A verdict and the numbers behind it, those of one source together under its name.
pub fn evidence(cx: &Cx, verdict: &Verdict) -> Vec<String> {
    let headline = headline_text(cx, verdict);
    let mut lines = vec![format!("{}: {headline}", verdict.rule.name())];
    let as_of = verdict.as_of;
    lines.extend(as_of.map(|at| format!("  as of {}", at.rfc3339())));
    let shown = |words: &str| visible(&cx.mask.text(words)).into_owned();
    for facts in verdict.evidence.chunk_by(|a, b| a.from == b.from) {
        let from = facts.first().map_or("", |fact| fact.from.as_str());
        lines.push(format!("  {}", shown(from)));
        let said = |fact: &Fact| (phrase(&fact.what, &cx.mask), shown(&fact.value));
        let facts = facts.iter().map(said);
        lines.extend(facts.map(|(what, value)| format!("      {what}: {value}")));
    }
    lines
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

/// A verdict with its table of remedies and its sentence.
fn whole(cx: &Cx, verdict: &Verdict, remedies: Vec<CardLine>, width: usize) -> Vec<CardLine> {
    let mut lines = headline(cx, verdict, width);
    lines.extend(remedies);
    lines.extend(detail(cx, verdict, width));
    lines
}

/// `● HOT KEY  contoso  93 % of partition 0 …` in one row.
pub fn headline_row(cx: &Cx, verdict: &Verdict, width: usize) -> CardLine {
    let rule = format!("{} {}", sign::severity(verdict.severity), verdict.rule.name());
    let room = width.saturating_sub(text::width(&rule, cx.theme.glyphs) + GAP);
    let words = headline::fitted(cx, verdict, room);
    vec![(CardRole::Rule(verdict.severity), rule), (CardRole::Text, format!("  {words}"))]
}

/// As many parts of a line as fit, each whole; of a label with nothing behind it as many words.
fn parts_or_words(whole: &str, room: usize, glyphs: Glyphs) -> String {
    let parts = headline::whole_parts(whole.to_owned(), room, glyphs);
    if parts.contains(": ") || !whole.contains(": ") {
        return parts;
    }
    let cut = glyphs.sentence("…");
    let left = room.saturating_sub(text::width(&cut, glyphs)).max(1);
    let first = text::wrapped(whole, left, glyphs).into_iter().next();
    first.unwrap_or_default() + &cut
}

/// The same, broken where it is too long for a line.
fn headline(cx: &Cx, verdict: &Verdict, width: usize) -> Vec<CardLine> {
    let words = headline_text(cx, verdict);
    let rule = verdict.rule.name();
    if display_width(rule) + display_width(&words) + 2 * GAP <= width {
        return vec![headline_row(cx, verdict, width)];
    }
    let rule = format!("{} {rule}", sign::severity(verdict.severity));
    let rule = (CardRole::Rule(verdict.severity), rule);
    let below = indented(&words, width, CardRole::Text);
    std::iter::once(vec![rule]).chain(below).collect()
}

fn indented(words: &str, width: usize, role: CardRole) -> Vec<CardLine> {
    let room = width.saturating_sub(GAP).max(1);
    let lines = text::wrapped(words, room, Glyphs::Unicode).into_iter();
    lines.map(|line| vec![(role, format!("  {line}"))]).collect()
}

fn best(cx: &Cx, verdict: &Verdict, width: usize) -> Option<CardLine> {
    let room = width.saturating_sub(GAP);
    let forms = verdict.remedy_summaries().into_iter();
    let mut forms = forms.map(|form| visible(&cx.mask.text(&form)).into_owned());
    let whole = forms.next()?;
    let fits = |form: &String| text::width(form, cx.theme.glyphs) <= room;
    let summary = std::iter::once(whole.clone()).chain(forms).find(fits);
    let summary = summary.unwrap_or_else(|| parts_or_words(&whole, room, cx.theme.glyphs));
    let effect = verdict.best_remedy().map_or(RemedyEffect::None, |b| b.effect);
    let (word, rest) = match summary.split_once(": ") {
        Some((word, rest)) => (word.to_owned(), format!(": {rest}")),
        None => (summary, String::new()),
    };
    Some(vec![
        (CardRole::Text, "  ".to_owned()),
        (CardRole::Says(effect), word),
        (CardRole::Text, rest),
    ])
}

fn detail(cx: &Cx, verdict: &Verdict, width: usize) -> Vec<CardLine> {
    if verdict.detail.is_empty() {
        return Vec::new();
    }
    indented(&phrase(&verdict.detail, &cx.mask), width, CardRole::Dim)
}

/// The table of remedies, its heading first; else why there is none.
fn remedies(cx: &Cx, verdict: &Verdict, width: usize) -> Vec<CardLine> {
    let remedies = verdict.remedy_lines();
    let has_figures = remedies.iter().any(|line| !line.throttled.is_empty());
    let why = |line: &RemedyLine| visible(&cx.mask.text(&line.why)).into_owned();
    let cells = |line: &RemedyLine| {
        if has_figures {
            line.cells().to_vec()
        } else {
            vec![line.remedy.clone(), line.verdict().to_owned(), why(line)]
        }
    };
    let mut heads = if has_figures { card::COLUMNS.to_vec() } else { WITHOUT_FIGURES.to_vec() };
    let mut rows: Vec<Vec<String>> = remedies.iter().map(cells).collect();
    if rows.is_empty() {
        return best(cx, verdict, width).into_iter().collect();
    }
    for least in LEAST_NEEDED {
        let columns: usize = widths(&heads, &rows).iter().map(|columns| columns + GAP).sum();
        if columns > width
            && let Some(at) = heads.iter().position(|head| *head == least)
        {
            heads.remove(at);
            for row in &mut rows {
                row.remove(at);
            }
        }
    }
    let effects = remedies.iter().map(|line| Some(line.effect));
    let titles = heads.iter().map(|head| (*head).to_owned()).collect();
    let table = std::iter::once((&titles, None)).chain(rows.iter().zip(effects));
    let lines = table.flat_map(|(cells, effect)| table_lines(&heads, &rows, cells, effect, width));
    lines.collect()
}

/// Columns of each column of a table.
fn widths(heads: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let widest = |at: usize| rows.iter().map(|row| display_width(&row[at])).max();
    let heads = heads.iter().enumerate();
    heads.map(|(at, head)| widest(at).unwrap_or(0).max(display_width(head))).collect()
}

/// A row of the table; a reason that is too long goes on in lines of its own.
fn table_lines(
    heads: &[&str],
    rows: &[Vec<String>],
    cells: &[String],
    effect: Option<RemedyEffect>,
    width: usize,
) -> Vec<CardLine> {
    let plain = if effect.is_some() { CardRole::Text } else { CardRole::Dim };
    let mut out = vec![CardLine::new()];
    let mut used = 0;
    for ((head, cell), columns) in heads.iter().zip(cells).zip(widths(heads, rows)) {
        if *head == "why" && used + GAP + columns > width {
            let is_beside = width >= used + NARROWEST_WHY;
            let start = if is_beside { used + GAP } else { 2 * GAP };
            if effect.is_none() && !is_beside {
                continue;
            }
            let room = width.saturating_sub(start).max(1);
            let lines = text::wrapped(cell, room, Glyphs::Unicode).into_iter();
            for (index, line) in lines.enumerate() {
                if index == 0 && is_beside {
                    out[0].push((plain, format!("  {line}")));
                } else {
                    out.push(vec![(plain, format!("{:start$}{line}", ""))]);
                }
            }
            continue;
        }
        let pad = columns.saturating_sub(display_width(cell));
        let (before, after) = if *head == "RU/s" { (pad, 0) } else { (0, pad) };
        let words = format!("  {:before$}{cell}{:after$}", "", "");
        let role = match effect {
            Some(effect) if *head == "verdict" => CardRole::Says(effect),
            _ => plain,
        };
        out[0].push((role, words));
        used += GAP + columns;
    }
    out
}

/// `+ 2 more: KEY NEAR 20 GB A 97 % of 20 GB, LOW-CARDINALITY`: an alarm with who and how much.
fn more(cx: &Cx, others: &[&Verdict], width: usize) -> Option<CardLine> {
    let about = |other: &&Verdict| {
        let headline = headline_text(cx, other);
        let parts = headline.split(card::GAP).take(2);
        let parts = parts.filter(|_| other.severity == Severity::Alarm);
        let words: Vec<&str> = std::iter::once(other.rule.name()).chain(parts).collect();
        words.join(" ")
    };
    let names: Vec<String> = others.iter().map(about).collect();
    let worst = others.iter().map(|v| v.severity).max()?;
    let role = match worst {
        Severity::Note => CardRole::Dim,
        worst => CardRole::Rule(worst),
    };
    let count = format!("  + {} more: ", count_text(others.len() as u64));
    let glyphs = cx.theme.glyphs;
    let room = width.saturating_sub(text::width(&count, glyphs));
    let mut names = names.join(", ");
    if text::width(&names, glyphs) > room {
        let room = room.saturating_sub(text::width(AND_OTHERS, glyphs));
        names = headline::whole_parts(names, room, glyphs) + AND_OTHERS;
    }
    Some(vec![(CardRole::Dim, count), (role, names)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_stands_alone() {
        let words = "next: switch on the log PartitionKeyRUConsumption of the account, or not";
        let of = |room| parts_or_words(words, room, Glyphs::Unicode);
        assert_eq!(of(70), "next: switch on the log PartitionKeyRUConsumption of the account");
        assert_eq!(of(40), "next: switch on the log…");
        assert_eq!(of(80), words);
    }
}
