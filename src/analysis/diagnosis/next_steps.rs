//! What to do now about a container: remedies with their commands, the queries that check a verdict, and the incident note,
//! each as text to copy.

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::findings::Severity;
use crate::analysis::heat::ContainerHeat;
use crate::model::capture::Container;
use crate::model::time::Stamp;

use super::card::RemedyLine;
use super::note::{Naming, filled, note};
use super::{Diagnosis, Phrase, Verdict, queries, steps};

/// One thing to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NextStep {
    /// `2 suffixes`, `check: RU by key`, `incident note`.
    pub title: String,
    /// `11 % → 0 % throttled, 40,000 RU/s, new container`.
    pub figures: String,
    /// What it does, and the same in words.
    pub effect: Option<(RemedyEffect, &'static str)>,
    /// What is copied, and shown below the title.
    pub lines: Vec<String>,
}

/// What one verdict leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerdictSteps {
    pub rule: &'static str,
    pub severity: Severity,
    /// Who, where, how much and since when.
    pub headline: String,
    pub steps: Vec<NextStep>,
}

/// The worst verdict first, as the card shows them. Queries and the note are of the worst one.
pub fn next_steps(
    found: &Diagnosis,
    heat: Option<&ContainerHeat>,
    container: &Container,
    naming: &Naming<'_>,
    now: Option<Stamp>,
) -> Vec<VerdictSteps> {
    let mut lists = Vec::new();
    for (at, verdict) in found.verdicts.iter().enumerate() {
        let mut steps = remedies(verdict, naming);
        if at == 0 {
            let checks = heat.map(|heat| queries::queries(verdict, heat, container, naming));
            steps.extend(checks.into_iter().flatten().map(|query| NextStep {
                title: format!("check: {}", query.what),
                figures: String::new(),
                effect: None,
                lines: lines(&query.text),
            }));
            steps.push(NextStep {
                title: "incident note".to_owned(),
                figures: String::new(),
                effect: None,
                lines: lines(&note(verdict, naming, now)),
            });
        }
        lists.push(VerdictSteps {
            rule: verdict.rule.name(),
            severity: verdict.severity,
            headline: verdict.headline.text(naming.shown),
            steps,
        });
    }
    lists
}

impl NextStep {
    /// To be pasted into a shell: the sentences of a remedy, and what is said of a command, are comments there.
    pub fn script(&self) -> Vec<String> {
        let line = |line: &String| match steps::command(line) {
            Some((command, about)) if !about.is_empty() => format!("{command}  # {about}"),
            None if self.effect.is_some() => format!("# {line}"),
            _ => line.clone(),
        };
        self.lines.iter().map(line).collect()
    }
}

/// What helps, the best first, then the steps that are of none of these.
fn remedies(verdict: &Verdict, naming: &Naming<'_>) -> Vec<NextStep> {
    let all = verdict.remedy_lines();
    let now = all.iter().find(|line| line.is_now);
    let ranked = verdict.doable_remedies();
    let remedy = |line: &RemedyLine| NextStep {
        title: line.remedy.clone(),
        figures: now.map_or_else(
            || line.why.clone(),
            |now| {
                format!(
                    "{} → {} throttled, {} RU/s, {}",
                    now.throttled, line.throttled, line.ru, line.takes
                )
            },
        ),
        effect: Some((line.effect, line.verdict)),
        lines: line
            .how
            .iter()
            .map(|text| filled(&Phrase::plain(text.as_str()), naming))
            .collect(),
    };
    let mut steps: Vec<NextStep> = ranked.iter().map(remedy).collect();
    for text in verdict.steps.iter().map(|step| filled(step, naming)) {
        if !steps.iter().any(|step| step.lines.contains(&text)) {
            steps.push(NextStep {
                title: text.clone(),
                figures: String::new(),
                effect: None,
                lines: vec![text],
            });
        }
    }
    steps
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::outcome::Interval;
    use crate::analysis::demand::remedies::{MINUTES, NEW_CONTAINER, Remedy};
    use crate::analysis::diagnosis::note::NameForm;
    use crate::analysis::diagnosis::testing::verdict;
    use crate::model::names::ContainerName;

    fn row(name: &str, effect: RemedyEffect, takes: &'static str, how: &[&str]) -> Remedy {
        Remedy {
            name: name.to_owned(),
            words: String::new(),
            throttled: Some(Interval::exact(0.01)),
            imbalance: None,
            ru_per_second: Some(40_000.0),
            takes,
            effect,
            how: how.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn what_is_copied_can_be_pasted_into_a_shell() {
        let lines = [
            "cosmoscope trial D (first)",
            "switch over",
            "az cosmosdb show",
        ];
        let step = |effect| NextStep {
            title: "10 suffixes".to_owned(),
            figures: String::new(),
            effect,
            lines: lines.map(str::to_owned).to_vec(),
        };
        let remedy = step(Some((RemedyEffect::Fixes, "fixes")));
        let expected = [
            "cosmoscope trial D  # first",
            "# switch over",
            "az cosmosdb show",
        ];
        assert_eq!(remedy.script(), expected);
        let others = [
            "cosmoscope trial D  # first",
            "switch over",
            "az cosmosdb show",
        ];
        assert_eq!(step(None).script(), others);
    }

    #[test]
    fn what_fixes_it_comes_first_with_the_names_filled_in_and_what_does_nothing_is_left_out() {
        let mut verdict = verdict();
        verdict.remedies = vec![
            row("now", RemedyEffect::None, MINUTES, &[]),
            row(
                "redistribute",
                RemedyEffect::Helps,
                MINUTES,
                &["az --account-name <account>"],
            ),
            row("split-hot", RemedyEffect::Worse, MINUTES, &[]),
            row(
                "suffixes-2",
                RemedyEffect::Fixes,
                NEW_CONTAINER,
                &["write", "copy"],
            ),
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
            shown: &|_| String::new(),
            json: &|json| json.to_owned(),
        };
        let steps = remedies(&verdict, &naming);
        let titles: Vec<&str> = steps.iter().map(|step| step.title.as_str()).collect();
        assert_eq!(titles, ["2 suffixes", "redistribute"]);
        assert_eq!(steps[0].lines, ["write", "copy"]);
        assert_eq!(steps[1].lines, ["az --account-name contoso"]);
        verdict.remedies.clear();
        assert!(
            remedies(&verdict, &naming)
                .iter()
                .all(|step| step.effect.is_none())
        );
    }
}
