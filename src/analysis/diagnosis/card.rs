//! A verdict as a card: one line that says who, where, how much and since when, and a table of remedies. Every screen and
//! report shows the same rows.

use crate::analysis::demand::remedies::{MINUTES, Remedy, RemedyEffect};
use crate::analysis::rules::Rule;
use crate::analysis::select::bits;
use crate::model::units::{counted, percent_text, whole_text};

use super::next_steps::{StepTime, is_urgent};
use super::{Phrase, RemedyAnswer, Verdict, steps};

/// What separates the parts of the line.
pub const GAP: &str = "  ";
/// How the part of a headline begins that has the date of the limit: by its name, or of one that was given.
pub const LIMITS: [&str; 2] = ["20 GB ", "limit "];
/// What the shares of the rows are shares of, in words of the present one; behind it stands over which window.
pub(super) const PRESENT: &str = "now, of RU, ";

/// A row of the table: a remedy and what becomes of the load.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RemedyLine {
    pub remedy: String,
    /// The throttled share after it; empty where the verdict is not about load.
    pub throttled: String,
    /// RU/s provisioned after it.
    pub ru: String,
    pub takes: &'static str,
    pub effect: RemedyEffect,
    /// The numbers in words.
    pub why: String,
    pub is_now: bool,
    /// What is lost and what is repeated, of the present.
    pub repeated: Option<[String; 2]>,
    /// How it is done, as text to run or to read.
    pub how: Vec<String>,
    rank: Option<RemedyRank>,
}

/// Answers of which no table is made where there are no others.
const SAY_NOTHING: [RemedyEffect; 3] =
    [RemedyEffect::NotNeeded, RemedyEffect::Unknown, RemedyEffect::None];

/// The columns of the table, as every screen and report heads them.
pub const COLUMNS: [&str; 5] = ["remedy", "throttled", "RU/s", "takes", "verdict"];

impl RemedyLine {
    fn of(row: &Remedy) -> Self {
        let is_now = row.name == "now";
        Self {
            remedy: match row.words.as_str() {
                base if is_now && !base.is_empty() => base.to_owned(),
                _ => remedy_text(&row.name),
            },
            throttled: row
                .throttled
                .map_or_else(|| "unknown".to_owned(), |t| percent_text(t.point)),
            ru: row.ru_per_second.map_or_else(|| "unknown".to_owned(), whole_text),
            takes: if is_now { "" } else { row.takes },
            effect: row.effect,
            why: row.words.clone(),
            is_now,
            repeated: row.repeated.map(|of| of.words()),
            how: row.how.clone(),
            rank: row.rank().filter(|_| !is_now),
        }
    }

    /// In words; empty of the present.
    pub fn verdict(&self) -> &'static str {
        if self.is_now { "" } else { self.effect.word() }
    }

    /// By [`COLUMNS`].
    pub fn cells(&self) -> [String; 5] {
        let last = || [self.takes.to_owned(), self.verdict().to_owned()];
        let [takes, verdict] = self.repeated.clone().unwrap_or_else(last);
        [self.remedy.clone(), self.throttled.clone(), self.ru.clone(), takes, verdict]
    }

    /// The present first, then the remedy to try first; what makes it worse is the last.
    pub fn order(&self) -> impl Ord + use<> {
        let is_worse = self.effect == RemedyEffect::Worse;
        (!self.is_now, self.rank.is_none(), self.rank, is_worse)
    }

    /// `scale up → 0.5 % (fixes)`, where there is no room for a table.
    pub fn text(&self) -> String {
        match (self.is_now, self.throttled.as_str()) {
            (true, share) => {
                let repeated = self.repeated.iter().flatten().map(|words| format!(", {words}"));
                format!("{}: {share} throttled{}", self.remedy, repeated.collect::<String>())
            }
            (false, "") => format!("{}: {}", self.remedy, self.verdict()),
            (false, share) => format!("{} → {share} ({})", self.remedy, self.verdict()),
        }
    }
}

/// What decides which remedy is tried first: the least. What fixes it comes before what only helps; then what is done within
/// minutes, by a client, in hours, in a new container; then the fewest RU/s; then the soonest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RemedyRank {
    effect: usize,
    time: StepTime,
    ru: u64,
    soonest: usize,
}

impl RemedyRank {
    /// None where it neither fixes nor helps.
    pub fn of(effect: RemedyEffect, takes: &str, ru_per_second: Option<f64>) -> Option<Self> {
        let effects = [RemedyEffect::Fixes, RemedyEffect::InPart, RemedyEffect::Helps];
        Some(Self {
            // What is cured in part counts as help.
            effect: effects.iter().position(|known| *known == effect)?.min(1),
            time: StepTime::of_remedy(takes),
            ru: ru_per_second.map_or(u64::MAX, bits),
            soonest: usize::from(takes == MINUTES),
        })
    }
}

impl Remedy {
    pub(super) fn rank(&self) -> Option<RemedyRank> {
        RemedyRank::of(self.effect, self.takes, self.ru_per_second)
    }
}

/// `2 suffixes` of `suffixes-2`, `scale up + redistribute` of a pair.
pub fn remedy_text(name: &str) -> String {
    let single = |name: &str| match name.strip_prefix("suffixes-") {
        Some(count) => format!("{count} suffixes"),
        None => name.replace('-', " "),
    };
    let singles: Vec<String> = name.split('+').map(single).collect();
    singles.join(" + ")
}

impl Verdict {
    /// What each remedy does, the present first; of what RU/s have no part in, the four answers. Empty where nothing is
    /// wrong, or nothing can be computed.
    pub fn remedy_lines(&self) -> Vec<RemedyLine> {
        if self.remedies.len() > 1 {
            return self.remedies.iter().map(RemedyLine::of).collect();
        }
        let answers = self.answers.named();
        if answers.iter().all(|(_, answer)| SAY_NOTHING.contains(&answer.effect)) {
            return Vec::new();
        }
        let line = |(remedy, answer): (&str, &RemedyAnswer)| RemedyLine {
            remedy: remedy.to_owned(),
            effect: answer.effect,
            why: answer.why.clone(),
            how: answer.how.clone(),
            rank: RemedyRank::of(answer.effect, "", None),
            ..RemedyLine::default()
        };
        answers.map(line).into()
    }

    /// With a key that was found as one more remedy; what says to find one has no more to say.
    #[must_use]
    pub(super) fn with_key(&self, row: &Remedy) -> Self {
        let mut with = self.clone();
        let key = &mut with.answers.new_key;
        if with.remedies.len() > 1 {
            // Of what does the same the search puts it first.
            with.remedies.insert(1, row.clone());
        } else if RemedyRank::of(row.effect, row.takes, None).is_some() {
            let is_old = |step: &Phrase| key.how.contains(&step.text(|_| String::new()));
            with.steps.retain(|step| !is_old(step));
            *key = RemedyAnswer {
                how: row.how.clone(),
                ..RemedyAnswer::new(row.effect, row.words.clone())
            };
        }
        with.steps.retain(|step| *step != Phrase::plain(steps::TRY_KEYS));
        with
    }

    /// The suffixes that it needs, for load or for size.
    pub fn suffixes(&self) -> Option<u32> {
        self.suffixes_for_load().or(self.answers.new_key.suffixes)
    }

    /// Those that its load needs, where they fix it or help.
    pub(super) fn suffixes_for_load(&self) -> Option<u32> {
        let mut rows = self.remedies.iter().filter(|row| row.rank().is_some());
        rows.find_map(Remedy::suffixes)
    }

    /// Whether it is about a key at 20 GB or near it.
    pub fn is_of_size(&self) -> bool {
        matches!(self.rule, Rule::KeyNearLimit | Rule::KeyOverLimit)
    }

    /// What fixes it or helps, the remedy to try first before the others.
    fn ranked_remedies(&self) -> Vec<RemedyLine> {
        let mut lines = self.remedy_lines();
        lines.retain(|line| line.rank.is_some());
        lines.sort_by_key(|line| line.rank);
        lines
    }

    /// Those of them of which it is known how they are done.
    pub fn doable_remedies(&self) -> Vec<RemedyLine> {
        let mut lines = self.ranked_remedies();
        lines.retain(|line| !line.how.is_empty());
        lines
    }

    /// The remedy to try first.
    pub fn best_remedy(&self) -> Option<RemedyLine> {
        self.ranked_remedies().into_iter().next()
    }

    /// The best of what helps within minutes, where the remedy to try first takes longer.
    fn stopgap(&self) -> Option<RemedyLine> {
        let mut ranked = self.ranked_remedies().into_iter();
        let best = ranked.next()?;
        let is_now = |line: &RemedyLine| StepTime::of_remedy(line.takes) <= StepTime::Client;
        ranked.find(|line| is_now(line) && !is_now(&best))
    }

    /// Why it is not known what helps, where that is urgent and nothing could be tried.
    pub fn unknown_remedies(&self) -> Option<&str> {
        let answer = &self.answers.more_ru;
        let is_open = is_urgent(self) && answer.effect == RemedyEffect::Unknown;
        (is_open && self.remedy_lines().is_empty()).then_some(&*answer.why)
    }

    /// `fixes: 2 suffixes, 11 → 0 % of RU throttled, new container (worst 5 min) · now: limit client · 1 more remedy`, then in
    /// fewer columns; what nothing fixes is said too.
    pub fn remedy_summaries(&self) -> Vec<String> {
        let lines = self.remedy_lines();
        let Some(best) = self.best_remedy() else {
            if lines.is_empty() {
                let why = self.unknown_remedies().into_iter();
                return why.map(|why| format!("remedies unknown: {why}")).collect();
            }
            let texts = self.steps.iter();
            let texts = texts.map(|step| step.text(|_| "the key".to_owned()));
            // The first of what now.
            let next = texts.min_by_key(|text| is_urgent(self).then(|| steps::time(text)));
            let next = next.as_deref().and_then(|step| step.split(": ").next());
            let next = next.map_or_else(String::new, |step| format!("next: {step}, "));
            return vec![next + "no remedy tried here fixes it"];
        };
        let what = format!("{}: {}", best.verdict(), best.remedy);
        let Some(now) = lines.iter().find(|line| line.is_now) else {
            return vec![format!("{what}, {}", best.why)];
        };
        let share = format!("{} → {}", now.throttled.trim_end_matches(" %"), best.throttled);
        let ru = if best.ru == now.ru { String::new() } else { format!(", {} RU/s", best.ru) };
        let window = now.remedy.strip_prefix(PRESENT).unwrap_or(&now.remedy);
        let whole = format!("{what}, {share} of RU throttled{ru}, {} ({window})", best.takes);
        let stopgap = self.stopgap();
        let others = self.ranked_remedies().len() - 1 - usize::from(stopgap.is_some());
        let soon = stopgap.map_or_else(String::new, |s| format!(" · now: {}", s.remedy));
        let more = counted(others as u64, "more remedy", "more remedies");
        let brief = format!("{what} ({})", best.takes);
        // A verdict of seconds says so in fewer columns, too.
        let of_seconds = window.strip_suffix(" s").map(|_| format!(" in the {window}"));
        let of_seconds = of_seconds.unwrap_or_default();
        let forms = [whole, format!("{brief}, RU throttled {share}{of_seconds}"), brief];
        let [whole, share, brief] = forms.map(|form| form + &soon);
        if others == 0 {
            return vec![whole, share, brief];
        }
        let [a, b, c] = [&whole, &share, &brief].map(|form| format!("{form} · {more}"));
        vec![a, b, whole, share, c, brief]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::outcome::Interval;
    use crate::analysis::demand::remedies::{AT_ONCE, NEW_CLIENT, NEW_CONTAINER, SPLIT_HOURS};
    use crate::analysis::diagnosis::testing::verdict;
    use crate::analysis::findings::Severity;

    fn row(name: &str, throttled: f64, takes: &'static str, effect: RemedyEffect) -> Remedy {
        Remedy {
            name: name.to_owned(),
            throttled: Some(Interval::exact(throttled)),
            ru_per_second: Some(40_000.0),
            takes,
            effect,
            ..Remedy::default()
        }
    }

    #[test]
    fn remedies_have_names_for_people() {
        let names = ["now", "scale-up", "suffixes-2", "suffixes-5+scale-up"].map(remedy_text);
        let expected = ["now", "scale up", "2 suffixes", "5 suffixes + scale up"];
        assert_eq!(names, expected);
    }

    #[test]
    fn what_fixes_comes_first_then_what_is_quick_then_what_costs_no_more() {
        use RemedyEffect::{Fixes, Helps};
        let tried = [
            (Fixes, MINUTES, 40_000.0),
            (Fixes, AT_ONCE, 59_900.0),
            (Fixes, MINUTES, 60_000.0),
            (Fixes, NEW_CLIENT, 40_000.0),
            (Fixes, SPLIT_HOURS, 40_000.0),
            (Fixes, SPLIT_HOURS, 80_000.0),
            (Fixes, NEW_CONTAINER, 20_000.0),
            (Helps, AT_ONCE, 40_000.0),
            (Helps, MINUTES, 40_000.0),
            (Helps, AT_ONCE, 60_000.0),
            (Helps, NEW_CLIENT, 40_000.0),
            (Helps, NEW_CONTAINER, 40_000.0),
        ];
        let ranks = tried.map(|(effect, takes, ru)| RemedyRank::of(effect, takes, Some(ru)));
        assert!(ranks[0].is_some());
        for (at, pair) in ranks.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{:?} before {:?}", tried[at], tried[at + 1]);
        }
        for effect in [RemedyEffect::None, RemedyEffect::Worse, RemedyEffect::NotNeeded] {
            assert_eq!(RemedyRank::of(effect, AT_ONCE, None), None);
        }
    }

    #[test]
    fn in_order_the_present_comes_first_and_what_makes_it_worse_last() {
        let rows = [
            row("split-hot", 0.2, SPLIT_HOURS, RemedyEffect::Worse),
            row("scale-up", 0.067, SPLIT_HOURS, RemedyEffect::Helps),
            row("burst", 0.11, AT_ONCE, RemedyEffect::None),
            row("suffixes-2", 0.0, NEW_CONTAINER, RemedyEffect::Fixes),
            row("now", 0.11, AT_ONCE, RemedyEffect::None),
        ];
        let mut lines = Verdict { remedies: rows.to_vec(), ..verdict() }.remedy_lines();
        lines.sort_by_key(RemedyLine::order);
        let names: Vec<&str> = lines.iter().map(|line| line.remedy.as_str()).collect();
        assert_eq!(names, ["now", "2 suffixes", "scale up", "burst", "split hot"]);
    }

    #[test]
    fn the_remedy_to_try_first_fixes_it_soonest() {
        let mut rows = [
            row("now", 0.11, AT_ONCE, RemedyEffect::None),
            row("scale-up", 0.067, SPLIT_HOURS, RemedyEffect::Helps),
            row("suffixes-2", 0.0, NEW_CONTAINER, RemedyEffect::Fixes),
            row("split-hot", 0.0, SPLIT_HOURS, RemedyEffect::Fixes),
            row("redistribute", 0.11, MINUTES, RemedyEffect::None),
        ];
        rows[0].words = "now, of RU, worst 5 min".to_owned();
        rows[1].ru_per_second = Some(59_900.0);
        let summary = |rows: &[Remedy]| {
            let verdict = Verdict { remedies: rows.to_vec(), ..verdict() };
            verdict.remedy_summaries()
        };
        let forms = summary(&rows);
        let expected = [
            "fixes: split hot, 11 → 0 % of RU throttled, 4-6 h (worst 5 min) · 2 more remedies",
            "fixes: split hot (4-6 h), RU throttled 11 → 0 % · 2 more remedies",
            "fixes: split hot, 11 → 0 % of RU throttled, 4-6 h (worst 5 min)",
        ];
        assert_eq!(forms[..3], expected);
        assert_eq!(
            summary(&rows[..2])[0],
            "helps, not enough: scale up, 11 → 6.7 % of RU throttled, 59,900 RU/s, 4-6 h (worst 5 min)"
        );
        let unhelpful = [rows[0].clone(), rows[4].clone()];
        assert_eq!(summary(&unhelpful), ["no remedy tried here fixes it"]);
        // As in what now: what helps soonest comes first.
        let next = Verdict {
            severity: Severity::Alarm,
            remedies: unhelpful.to_vec(),
            steps: [steps::LOGS_ON, steps::LIMIT].map(Phrase::plain).to_vec(),
            ..verdict()
        };
        let expected = ["next: limit the client, no remedy tried here fixes it"];
        assert_eq!(next.remedy_summaries(), expected);
        let soon = row("limit-client", 0.0, NEW_CLIENT, RemedyEffect::Helps);
        assert_eq!(
            summary(&[rows[0].clone(), rows[3].clone(), soon]),
            [
                "fixes: split hot, 11 → 0 % of RU throttled, 4-6 h (worst 5 min) · now: limit client",
                "fixes: split hot (4-6 h), RU throttled 11 → 0 % · now: limit client",
                "fixes: split hot (4-6 h) · now: limit client",
            ]
        );
    }
}
