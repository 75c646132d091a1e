//! What to do now about a container: remedies with their commands, the queries that check a verdict, and the incident note,
//! each as text to copy.

use crate::analysis::demand::remedies::{
    AT_ONCE, MINUTES, NEW_CLIENT, NEW_CONTAINER, Remedy, RemedyEffect, SPLIT_HOURS, SPLIT_ROUNDS,
};
use crate::analysis::findings::Severity;
use crate::analysis::heat::ContainerHeat;
use crate::analysis::rules::Rule;
use crate::model::capture::Container;
use crate::model::time::Stamp;

use super::card::{GAP, LIMITS, RemedyLine};
use super::note::{Naming, note};
use super::text::json_of;
use super::{Diagnosis, Phrase, Verdict, queries, steps};

/// How a remedy is called that is another key.
const CHANGE_KEY: &str = "change key";
/// A longer key stands below its step only.
const LONGEST_KEY: usize = 24;

words! {
    /// When a step helps; steps stand in this order.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub enum StepTime {
        #[default]
        Now = "now (minutes)",
        /// As soon as clients have changed.
        Client = "now (client change)",
        Tonight = "tonight (hours)",
        Later = "later (new container)",
        /// Of a verdict that is less severe than the worst one.
        NotUrgent = "not urgent",
        Check = "check and report",
    }
    fn heading
}

impl StepTime {
    /// By how long a remedy takes; another key without a time needs a new container.
    pub(super) fn of_remedy(takes: &str) -> Self {
        match takes {
            AT_ONCE | MINUTES => Self::Now,
            NEW_CLIENT => Self::Client,
            SPLIT_HOURS | SPLIT_ROUNDS => Self::Tonight,
            _ => Self::Later,
        }
    }
}

/// One thing to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NextStep {
    pub time: StepTime,
    /// The rule and the key of its verdict where that is not the worst one.
    pub about: String,
    /// `2 suffixes`, `RU by key`, `incident note`.
    pub title: String,
    /// Throttled before and after, RU/s and how long it takes, by [`STEP_COLUMNS`]; empty where a verdict is not of load.
    pub cells: [String; 3],
    /// The numbers in words, where there are no cells.
    pub why: String,
    /// What it does.
    pub effect: Option<RemedyEffect>,
    /// What is copied, and shown below the title.
    pub lines: Vec<String>,
}

/// What heads the cells of a step.
pub const STEP_COLUMNS: [&str; 3] = ["throttled", "RU/s", "takes"];

/// What a verdict says: who, where, how much and since when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerdictLine {
    pub rule: &'static str,
    pub severity: Severity,
    pub since: Option<Stamp>,
    pub headline: String,
}

/// All there is to do about a container.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NextSteps {
    /// The worst, and those that are as severe unless they are notes.
    pub verdicts: Vec<VerdictLine>,
    /// By when they help; at each time those of the worst verdict first, and of these what helps most. The note is the last.
    pub steps: Vec<NextStep>,
}

/// Queries and the note are of the worst verdict; `other_key` is one that was tried in place of today's.
pub fn next_steps(
    found: &Diagnosis,
    other_key: Option<&Remedy>,
    heat: Option<&ContainerHeat>,
    container: &Container,
    naming: &Naming<'_>,
    now: Option<Stamp>,
) -> NextSteps {
    let Some(worst) = found.verdicts.first() else {
        return NextSteps::default();
    };
    let mut steps: Vec<NextStep> = Vec::new();
    // What could be better some day is no step of an incident.
    let told = found.verdicts.iter().enumerate();
    let told = told.filter(|(_, v)| v.severity > Severity::Note || v.severity == worst.severity);
    // That there are few keys is mended by the suffixes that another verdict advises.
    let suffixes = found.suffixes().is_some();
    let told = told.filter(|(at, v)| *at == 0 || !suffixes || v.rule != Rule::LowCardinality);
    for (at, verdict) in told {
        let other_key = other_key.filter(|_| at == 0);
        let with_key = other_key.map(|row| verdict.with_key(row));
        let key = other_key.and_then(|row| row.detail.as_deref());
        let key = key.filter(|key| key.len() <= LONGEST_KEY);
        for mut step in remedies(with_key.as_ref().unwrap_or(verdict), naming) {
            if steps.iter().any(|held| held.lines == step.lines) {
                continue;
            }
            if let Some(key) = key.filter(|_| step.title == CHANGE_KEY) {
                step.title = format!("{CHANGE_KEY} to {key}");
            }
            if at > 0 {
                step.about = named(verdict, naming);
            }
            if verdict.severity < worst.severity || !is_urgent(verdict) {
                step.time = StepTime::NotUrgent;
            }
            steps.push(step);
        }
    }
    say_what_else_is_cured(&mut steps, found, naming);
    let checks = heat.map(|heat| queries::queries(worst, heat, container, naming));
    let checks = checks.unwrap_or_default();
    // Before a client can be limited it has to be found, which takes logs.
    let has_client = steps.iter().any(|step| step.time == StepTime::Client);
    let has_client = has_client && worst.rule != Rule::HotPartition;
    // Of the time that is judged rather than of the last hour.
    steps.retain(|step| !checks.iter().any(|query| query.what == step.title));
    steps.extend(checks.into_iter().map(|query| {
        let is_first = has_client && query.what.starts_with(queries::WHO);
        let time = [StepTime::Check, StepTime::Client][usize::from(is_first)];
        NextStep::plain(time, query.what.to_owned(), lines(&query.text))
    }));
    steps.sort_by_key(|step| step.time);
    let note = lines(&note(worst, naming, now));
    let title = "incident note".to_owned();
    steps.push(NextStep::plain(StepTime::Check, title, note));
    let named = found.verdicts.iter().enumerate();
    let named = named
        .filter(|(at, v)| *at == 0 || v.severity == worst.severity && v.severity > Severity::Note);
    let verdicts = named.map(|(_, verdict)| VerdictLine {
        rule: verdict.rule.name(),
        severity: verdict.severity,
        since: verdict.since,
        headline: verdict.headline.text(naming.shown),
    });
    NextSteps { verdicts: verdicts.collect(), steps }
}

/// Another key for the load is one for the size of keys, too.
fn say_what_else_is_cured(steps: &mut [NextStep], found: &Diagnosis, naming: &Naming<'_>) {
    let sizes = found.verdicts.iter().skip(1);
    let sizes = sizes.filter(|v| v.is_of_size() && v.severity > Severity::Note);
    let sizes: Vec<String> = sizes.map(|size| named(size, naming)).collect();
    for step in steps {
        let is_fixed = step.effect == Some(RemedyEffect::Fixes);
        if is_fixed && step.cells[2] == NEW_CONTAINER && !sizes.is_empty() {
            step.about = format!("also fixes {}", sizes.join(", "));
        }
    }
}

/// A size that only nears its limit has time, and what is no more than noted has all the time there is.
pub(super) fn is_urgent(verdict: &Verdict) -> bool {
    let is_of_load = verdict.remedies.len() > 1;
    verdict.severity == Severity::Alarm || verdict.severity == Severity::Warn && is_of_load
}

impl NextStep {
    fn plain(time: StepTime, title: String, lines: Vec<String>) -> Self {
        Self { time, title, lines, ..Self::default() }
    }

    /// To be pasted into a shell: its commands alone, since not every shell knows comments at its prompt. Else all lines.
    pub fn script(&self) -> Vec<String> {
        let command = |line: &String| Some(steps::command(line)?.0.to_owned());
        let commands: Vec<String> = self.lines.iter().filter_map(command).collect();
        if commands.is_empty() { self.lines.clone() } else { commands }
    }

    /// What it is that is copied.
    pub fn form(&self) -> &'static str {
        let is_command = |line: &String| steps::command(line).is_some();
        match self.lines.first() {
            _ if self.lines.iter().any(is_command) => "command",
            Some(line) if line.starts_with("CDB") => "KQL",
            _ => "text",
        }
    }
}

/// What helps, the best first, then the steps that are of none of these.
pub fn remedies(verdict: &Verdict, naming: &Naming<'_>) -> Vec<NextStep> {
    let all = verdict.remedy_lines();
    let key = verdict.key.as_deref().and_then(json_of);
    let now = all.iter().find(|line| line.is_now);
    let ranked = verdict.doable_remedies();
    let remedy = |line: &RemedyLine| {
        let how = line.how.iter();
        let how = how.flat_map(|text| sentences(&steps::about_key(text, key.as_deref()), naming));
        let time = StepTime::of_remedy(line.takes);
        let step = NextStep {
            effect: Some(line.effect),
            ..NextStep::plain(time, line.remedy.clone(), how.collect())
        };
        match now {
            None => NextStep { why: line.why.clone(), ..step },
            Some(now) => NextStep {
                cells: [
                    format!("{} → {}", now.throttled, line.throttled),
                    line.ru.clone(),
                    line.takes.to_owned(),
                ],
                ..step
            },
        }
    };
    let mut found: Vec<NextStep> = ranked.iter().map(remedy).collect();
    for lines in verdict.steps.iter().map(|step| sentences(step, naming)) {
        let first = &lines[0];
        if found.iter().any(|step| step.lines.contains(first)) {
            continue;
        }
        let is_note = steps::NOTES.iter().any(|begin| first.starts_with(begin));
        if let Some(step) = found.last_mut().filter(|_| is_note) {
            step.lines.extend(lines);
        } else {
            let (time, title) = (steps::time(first), steps::title(first));
            found.push(NextStep::plain(time, title, lines));
        }
    }
    found
}

/// The lines of a step with its names filled in: a command is one.
fn sentences(step: &Phrase, naming: &Naming<'_>) -> Vec<String> {
    let key = step.first_key();
    let text = step.text(|_| "<key>".to_owned());
    // A dot in quotes ends no sentence.
    if steps::command(&text).is_some() || text.contains('"') {
        return vec![naming.filled(step)];
    }
    let line = |sentence| naming.filled(&steps::about_key(sentence, key));
    text.split(". ").map(line).collect()
}

/// `KEY NEAR 20 GB contoso on 2026-09-19`.
fn named(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let key = verdict.key.as_deref().and_then(json_of);
    let key = key.map(|key| (naming.shown)(Some(&key)));
    let headline = verdict.headline.text(naming.shown);
    let mut parts = headline.split(GAP);
    let date = parts.find_map(|part| LIMITS.iter().find_map(|limit| part.strip_prefix(limit)));
    let rule = std::iter::once(verdict.rule.name().to_owned());
    let words: Vec<String> = rule.chain(key).chain(date.map(str::to_owned)).collect();
    words.join(" ")
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::outcome::Interval;
    use crate::analysis::demand::remedies::Remedy;
    use crate::analysis::diagnosis::Phrase;
    use crate::analysis::diagnosis::note::NameForm;
    use crate::analysis::diagnosis::testing::verdict;
    use crate::analysis::rules::Rule;
    use crate::model::names::ContainerName;

    fn row(name: &str, effect: RemedyEffect, takes: &'static str, how: &[&str]) -> Remedy {
        Remedy {
            name: name.to_owned(),
            throttled: Some(Interval::exact(0.01)),
            ru_per_second: Some(40_000.0),
            takes,
            effect,
            how: how.iter().map(|text| (*text).to_owned()).collect(),
            ..Remedy::default()
        }
    }

    #[test]
    fn what_is_copied_can_be_pasted_into_a_shell() {
        let lines = ["cosmoscope trial D (first)", "switch over", "az cosmosdb show"];
        let lines = lines.map(str::to_owned).to_vec();
        let with = |effect, lines: &[String]| NextStep {
            effect,
            ..NextStep::plain(StepTime::Later, "10 suffixes".to_owned(), lines.to_vec())
        };
        let step = |effect| with(effect, &lines);
        let remedy = step(Some(RemedyEffect::Fixes));
        let expected = ["cosmoscope trial D", "az cosmosdb show"];
        assert_eq!(remedy.script(), expected);
        assert_eq!(step(None).script(), expected);
        // Sentences alone are for people.
        let told = with(Some(RemedyEffect::Fixes), &lines[1..2]);
        assert_eq!(told.script(), ["switch over"]);
        let forms = [remedy.form(), told.form(), with(None, &lines[2..]).form()];
        assert_eq!(forms, ["command", "text", "command"]);
    }

    #[test]
    fn steps_stand_by_when_they_help_and_the_note_is_the_last() {
        use RemedyEffect::{Fixes, Helps, None};
        let said = |rule, severity, step: &'static str| Verdict {
            rule,
            severity,
            steps: vec![Phrase::plain(step)],
            ..verdict()
        };
        let worst = Verdict {
            remedies: vec![
                row("now", None, MINUTES, &[]),
                row("suffixes-2", Fixes, NEW_CONTAINER, &["write"]),
                row("scale-up", Helps, SPLIT_HOURS, &["az scale"]),
                row("redistribute", Fixes, MINUTES, &["az move"]),
            ],
            ..said(Rule::HotKey, Severity::Alarm, "name the partition key")
        };
        let found = Diagnosis {
            verdicts: vec![
                worst,
                said(Rule::KeyNearLimit, Severity::Warn, "delete documents"),
                said(Rule::MergeCandidates, Severity::Note, "merging"),
            ],
            ..Diagnosis::default()
        };
        let naming = Naming {
            names: NameForm::Real,
            container: &ContainerName::default(),
            group: Option::None,
            shown: &|key| key.unwrap_or_default().to_owned(),
            json: &|json| json.to_owned(),
        };
        let found = next_steps(
            &found,
            Option::None,
            Option::None,
            &Container::default(),
            &naming,
            Option::None,
        );
        let steps: Vec<_> = found.steps.iter().map(|s| (s.time, s.title.as_str())).collect();
        let expected = [
            (StepTime::Now, "redistribute"),
            (StepTime::Tonight, "scale up"),
            (StepTime::Tonight, "name the partition key"),
            (StepTime::Later, "2 suffixes"),
            (StepTime::NotUrgent, "delete documents"),
            (StepTime::Check, "incident note"),
        ];
        assert_eq!(steps, expected);
        assert_eq!(found.steps[0].cells, ["1.0 % → 1.0 %", "40,000", "minutes"]);
        assert_eq!(found.steps[4].about, "KEY NEAR 20 GB [\"tenant-0001\"]");
        assert_eq!(found.verdicts.len(), 1);
    }

    #[test]
    fn what_fixes_it_comes_first_with_the_names_filled_in_and_what_does_nothing_is_left_out() {
        let mut verdict = verdict();
        verdict.remedies = vec![
            row("now", RemedyEffect::None, MINUTES, &[]),
            row("redistribute", RemedyEffect::Helps, MINUTES, &["az --account-name <account>"]),
            row("split-hot", RemedyEffect::Worse, MINUTES, &[]),
            row("suffixes-2", RemedyEffect::Fixes, NEW_CONTAINER, &["write", "copy"]),
        ];
        let container = ContainerName {
            account: Some("contoso".into()),
            database: Some("shop".into()),
            container: Some("orders".into()),
            rid: None,
        };
        let naming = Naming {
            names: NameForm::Real,
            container: &container,
            group: None,
            shown: &|_| String::new(),
            json: &|json| json.to_owned(),
        };
        let steps = remedies(&verdict, &naming);
        let titles: Vec<&str> = steps.iter().map(|step| step.title.as_str()).collect();
        assert_eq!(titles, ["2 suffixes", "redistribute"]);
        assert_eq!(steps[0].lines, ["write", "copy"]);
        assert_eq!(steps[1].lines, ["az --account-name contoso"]);
        verdict.remedies.clear();
        assert!(remedies(&verdict, &naming).iter().all(|step| step.effect.is_none()));
    }
}
