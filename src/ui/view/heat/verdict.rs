//! The verdict in as many lines as there is room for: what is wrong, what would help, what else is wrong.

use super::head::{self, HeadLine, HeadRole, columns};
use crate::analysis::diagnosis::{Answers, Diagnosis, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::rules::Rule;
use crate::model::visible::shorten;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::text;
use crate::work::data::Stage;

/// Struck where inputs are missing, which they are as long as they are read.
/// Where the first thought of a headline ends.
const ENDS: [&str; 4] = [" of the ", ": ", " · ", " ("];
/// Between two pieces of a line.
const GAP: usize = 2;

/// A row: what begins it and what ends it.
pub type RemedyRow = (HeadLine, HeadLine);

#[derive(Clone, PartialEq, Debug, Default)]
pub struct VerdictLines {
    /// The worst verdict, wrapped.
    headline: Vec<HeadLine>,
    answers: Vec<HeadLine>,
    /// What else is wrong, in a line.
    also: HeadLine,
    is_also_alarm: bool,
    /// The same in full.
    others: Vec<HeadLine>,
    width: usize,
}

/// Whether what else is wrong has a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherVerdicts {
    Told,
    LeftOut,
}

impl VerdictLines {
    pub fn of(cx: &Cx, found: &Diagnosis, width: usize) -> Self {
        let mut made = Self {
            width,
            ..Self::default()
        };
        let mut shown = found.verdicts.iter().filter(|v| !is_early(cx, v));
        let Some(worst) = shown.next() else {
            if !found.verdicts.is_empty() {
                let words = "no verdict yet: the inputs are still being read";
                made.headline.push(vec![(HeadRole::Dim, words.to_owned())]);
            }
            return made;
        };
        made.headline = wrapped(cx, worst, width);
        made.answers = answers(&worst.answers, width);
        let others: Vec<&Verdict> = shown.collect();
        made.is_also_alarm = others.iter().any(|v| v.severity == Severity::Alarm);
        made.also = also(cx, &others, width);
        made.others = others
            .iter()
            .flat_map(|other| wrapped(cx, other, width))
            .collect();
        made
    }

    pub fn is_empty(&self) -> bool {
        self.headline.is_empty()
    }

    /// Rows without which the verdict says less than it must.
    pub fn least(&self) -> u16 {
        let also = if self.is_also_alarm {
            OtherVerdicts::Told
        } else {
            OtherVerdicts::LeftOut
        };
        rows(self.composed(1, also).len())
    }

    /// Rows of the worst verdict with the names of the others.
    pub fn worst(&self) -> u16 {
        rows(
            self.composed(self.headline.len(), OtherVerdicts::Told)
                .len(),
        )
    }

    /// Rows of all verdicts.
    pub fn all(&self) -> u16 {
        rows(self.whole().len())
    }

    fn whole(&self) -> Vec<RemedyRow> {
        let mut rows = self.composed(self.headline.len(), OtherVerdicts::LeftOut);
        rows.extend(
            self.others
                .iter()
                .map(|line| (line.clone(), HeadLine::new())),
        );
        rows
    }

    /// The rows that fit: further verdicts go first, then the end of the headline, and the answers last.
    pub fn fitted(&self, height: usize) -> Vec<RemedyRow> {
        let fits = |rows: &Vec<RemedyRow>| rows.len() <= height;
        if let Some(rows) = Some(self.whole()).filter(fits) {
            return rows;
        }
        let lengths = (1..=self.headline.len()).rev();
        let of = |also| move |lines| self.composed(lines, also);
        let found = if self.is_also_alarm {
            let with = lengths.clone().map(of(OtherVerdicts::Told)).find(fits);
            with.or_else(|| lengths.map(of(OtherVerdicts::LeftOut)).find(fits))
        } else {
            let with = Some(self.composed(self.headline.len(), OtherVerdicts::Told)).filter(fits);
            with.or_else(|| lengths.map(of(OtherVerdicts::LeftOut)).find(fits))
        };
        if let Some(rows) = found {
            return rows;
        }
        // Beside the name of the rule, or instead of it.
        let rule = self.headline.first().and_then(|line| line.first());
        let mut rows: Vec<RemedyRow> = self.answers.iter().map(ended).collect();
        if let (Some(rule), Some((start, end))) = (rule, rows.first_mut())
            && columns(end) + columns(std::slice::from_ref(rule)) + GAP <= self.width
        {
            start.push(rule.clone());
        }
        rows
    }

    fn composed(&self, lines: usize, also: OtherVerdicts) -> Vec<RemedyRow> {
        let mut rows: Vec<RemedyRow> = Vec::new();
        for line in self.headline.iter().take(lines) {
            rows.push((line.clone(), HeadLine::new()));
        }
        if let Some((line, _)) = rows.last_mut()
            && lines < self.headline.len()
            && columns(line) + GAP <= self.width
        {
            line.push((HeadRole::Dim, " …".to_owned()));
        }
        let mut told = match also {
            OtherVerdicts::Told if !self.also.is_empty() => Some(self.also.clone()),
            OtherVerdicts::Told | OtherVerdicts::LeftOut => None,
        };
        let has_room =
            |line: &HeadLine, end: &HeadLine| columns(line) + columns(end) + GAP <= self.width;
        match (self.answers.as_slice(), rows.last_mut()) {
            ([], _) => {}
            ([answers], Some((line, end)))
                if self.headline.len() > 1 && has_room(line, answers) =>
            {
                end.clone_from(answers);
            }
            ([answers], _) => {
                let beside = told.take_if(|line| has_room(line, answers));
                rows.push((beside.unwrap_or_default(), answers.clone()));
            }
            (answers, _) => rows.extend(answers.iter().map(ended)),
        }
        rows.extend(told.map(|line| (line, HeadLine::new())));
        rows
    }
}

fn ended(line: &HeadLine) -> RemedyRow {
    (HeadLine::new(), line.clone())
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

/// A rule and its headline.
fn wrapped(cx: &Cx, verdict: &Verdict, width: usize) -> Vec<HeadLine> {
    let room = width.saturating_sub(2).max(1);
    let headline = head::phrase(&verdict.headline, &cx.mask);
    let whole = format!("{}  {headline}", verdict.rule.name());
    let lines = text::wrapped(&whole, room, Glyphs::Unicode).into_iter();
    let line = |(nth, words): (usize, String)| {
        let rule = words.strip_prefix(verdict.rule.name()).filter(|_| nth == 0);
        match rule {
            Some(rest) => vec![
                (
                    HeadRole::Rule(verdict.severity),
                    format!("● {}", verdict.rule.name()),
                ),
                (HeadRole::Text, rest.to_owned()),
            ],
            None => vec![(HeadRole::Text, format!("  {words}"))],
        }
    };
    lines.enumerate().map(line).collect()
}

/// `also STORAGE WALL A holds 19.39 GiB, 96.9 %, LOW-CARDINALITY`: of an alarm its first thought too.
fn also(cx: &Cx, others: &[&Verdict], width: usize) -> HeadLine {
    if others.is_empty() {
        return HeadLine::new();
    }
    let named = |verdict: &&Verdict| {
        if verdict.severity != Severity::Alarm {
            return verdict.rule.name().to_owned();
        }
        let headline = head::phrase(&verdict.headline, &cx.mask);
        let end = ENDS.iter().filter_map(|end| headline.find(end)).min();
        let thought = end.and_then(|end| headline.get(..end));
        format!("{} {}", verdict.rule.name(), thought.unwrap_or(&headline))
    };
    let all: Vec<String> = others.iter().map(named).collect();
    let words = format!("  also {}", all.join(", "));
    vec![(HeadRole::Dim, shorten(&words, width))]
}

/// All answers in a line; narrow windows have shorter words, and then more lines.
fn answers(answers: &Answers, width: usize) -> Vec<HeadLine> {
    const SHORT: [&str; 4] = ["scale", "split", "share", "key"];
    let answered = answers.named();
    let says = answered.map(|(_, answer)| answer.effect);
    let [first, rest @ ..] = says;
    let pairs: Vec<(String, _)> = if rest.iter().all(|says| *says == first) {
        vec![(answered.map(|(name, _)| name).join(", "), first)]
    } else {
        let words = |names: [&str; 4]| -> Vec<(String, _)> {
            let names = names.into_iter().map(str::to_owned);
            names.zip(says).collect()
        };
        let long = words(answered.map(|(name, _)| name));
        let columns = |pair: &(String, crate::analysis::demand::remedies::RemedyEffect)| {
            pair.0.len() + pair.1.word().len() + GAP + GAP
        };
        if long.iter().map(columns).sum::<usize>() <= width + GAP {
            long
        } else {
            words(SHORT)
        }
    };
    let mut lines = vec![HeadLine::new()];
    for (words, says) in pairs {
        let pair = [
            (HeadRole::Dim, format!("{words}: ")),
            (HeadRole::Says(says), says.word().to_owned()),
        ];
        let begun = lines.last().map_or(0, |line| columns(line));
        if begun > 0 && begun + GAP + columns(&pair) > width {
            lines.push(HeadLine::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push((HeadRole::Dim, "  ".to_owned()));
            }
            line.extend(pair);
        }
    }
    lines
}
