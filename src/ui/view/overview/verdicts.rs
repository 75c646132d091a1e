//! Verdicts on the load of a container, as the overview says them: in a line for the list, in full beside it.

use super::rows::{Finding, Subject, shown_key};
use crate::analysis::ceiling::Mark;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::{RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::rules::Rule;
use crate::model::visible::{shorten_column, visible};
use crate::ui::kit::masking::Mask;
use crate::work::data::Dataset;

/// A key in a line: its ends tell which one it is.
const KEY_COLUMNS: usize = 24;
/// The rules about sizes; the list says it in the words of sizes, with the next key that reaches the limit.
const ABOUT_SIZE: [Rule; 2] = [Rule::KeyOverLimit, Rule::KeyNearLimit];

/// Verdicts that find something wrong with the load, worst first.
pub(super) fn findings(data: &Dataset, container: u32, mask: &Mask) -> Vec<Finding> {
    let struck = verdicts(data, container).iter();
    let struck = struck.filter(|v| v.severity > Severity::Note && !ABOUT_SIZE.contains(&v.rule));
    let struck: Vec<&Verdict> = struck.collect();
    let keys = struck.iter().map(|verdict| {
        let key = verdict.key.as_deref();
        key.map_or_else(String::new, |json| shown_key(Some(json), mask))
    });
    let keys = shorten_column(&keys.collect::<Vec<_>>(), KEY_COLUMNS);
    let struck = struck.into_iter().zip(&keys);
    struck
        .map(|(verdict, key)| finding(data, container, verdict, key, mask))
        .collect()
}

/// The rule about sizes that struck.
pub(super) fn about_size(data: &Dataset, container: u32) -> Option<Rule> {
    let mut rules = verdicts(data, container).iter().map(|v| v.rule);
    rules.find(|rule| ABOUT_SIZE.contains(rule))
}

pub(super) fn verdicts(data: &Dataset, container: u32) -> &[Verdict] {
    let diagnosis = data.diagnoses.container(container);
    diagnosis.map_or(&[], |d| d.verdicts.as_slice())
}

fn finding(data: &Dataset, container: u32, verdict: &Verdict, key: &str, mask: &Mask) -> Finding {
    let mut text = verdict.rule.name().to_owned();
    if !key.is_empty() {
        text.push(' ');
        text.push_str(key);
    }
    let heat = data.heat.container(container);
    let partition = heat.zip(verdict.partition);
    let partition = partition.and_then(|(heat, at)| heat.partitions.get(at as usize));
    if let Some(partition) = partition {
        text.push_str(" on partition ");
        text.push_str(&visible(partition.named.text()));
    }
    text.push_str(&help(verdict));
    Finding {
        about: Subject::Load,
        mark: mark(verdict.severity),
        text,
        full: full(verdict, mask),
        why: Some(format!("scale up: {}", verdict.answers.more_ru.why)),
    }
}

/// ` · fixes: change key · no effect: scale up, split`: what helps comes first, for lines are cut at their end.
fn help(verdict: &Verdict) -> String {
    let groups = [
        (RemedyEffect::Fixes, "fixes"),
        (RemedyEffect::Helps, "helps, not enough"),
        (RemedyEffect::None, "no effect"),
        (RemedyEffect::Worse, "makes it worse"),
        (RemedyEffect::Unknown, "unknown"),
    ];
    let mut text = String::new();
    for (says, word) in groups {
        let of_it = named_answers(verdict).filter(|(_, answer)| answer.effect == says);
        let questions: Vec<&str> = of_it.map(|(question, _)| question).collect();
        if !questions.is_empty() {
            text.push_str(" · ");
            text.push_str(word);
            text.push_str(": ");
            text.push_str(&questions.join(", "));
        }
    }
    text
}

/// The whole headline behind the name of the rule.
pub(super) fn full(verdict: &Verdict, mask: &Mask) -> String {
    let headline = verdict.headline.text(|json| shown_key(json, mask));
    format!("{}: {headline}", verdict.rule.name())
}

/// The questions that everybody asks, with their answers.
pub(super) fn named_answers(
    verdict: &Verdict,
) -> impl Iterator<Item = (&'static str, &RemedyAnswer)> {
    verdict.answers.named().into_iter()
}

fn mark(severity: Severity) -> Mark {
    match severity {
        Severity::Alarm => Mark::Alarm,
        Severity::Warn => Mark::Warn,
        Severity::Note => Mark::Below,
    }
}
