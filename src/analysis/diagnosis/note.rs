//! The incident note: five lines of plain text.

use std::fmt::Write as _;

use crate::analysis::demand::remedies::RemedyEffect;
use crate::model::names::{ContainerName, is_resource};
use crate::model::time::Stamp;
use crate::model::visible::{display_width, visible};

use super::card::RemedyLine;
use super::next_steps::{NextStep, is_urgent, remedies as remedies_of};
use super::steps::RESOURCE_GROUP;
use super::text::{age_text, second_text};
use super::{Phrase, Verdict};

/// Facts told in the note; the evidence holds the rest.
const FACTS: usize = 5;

/// Columns of a line of numbers or answers: a chat or a ticket shows no more without folding.
const WIDTH: usize = 200;

/// Whether names are those of the account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameForm {
    Real,
    /// Pseudonyms: queries with them have to be filled in before they run.
    Invented,
}

/// How whoever copies a note or a query names things; with masking on the names and closures give pseudonyms.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    pub names: NameForm,
    pub container: &'a ContainerName,
    pub group: Option<&'a str>,
    /// A key for people, from its JSON text; None where the log named none.
    pub shown: &'a dyn Fn(Option<&str>) -> String,
    /// A key's JSON text for queries, from its JSON text.
    pub json: &'a dyn Fn(&str) -> String,
}

impl Naming<'_> {
    pub(super) fn filled(&self, step: &Phrase) -> String {
        filled(step, self.container, self.group, self.shown)
    }
}

/// Exactly five lines: what, where and how old, the verdict, its numbers, the remedies, what to do next. `now` is when it is
/// written.
pub fn note(verdict: &Verdict, naming: &Naming<'_>, now: Option<Stamp>) -> String {
    let lines = [
        place_and_time(verdict, naming, now),
        verdict.headline.text(naming.shown),
        numbers(verdict, naming),
        remedies(verdict),
        next(verdict, naming),
    ];
    // What comes from outside is visible text in each of them. Made visible once more it would be the name of another key.
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    lines.map(|line| line.replace(is_break, " ")).join("\n")
}

fn place_and_time(verdict: &Verdict, naming: &Naming<'_>, now: Option<Stamp>) -> String {
    let (rule, severity) = (verdict.rule.name(), verdict.severity.word());
    let title = naming.container.title();
    let region = verdict.region.as_ref().map(|region| format!(" · {}", visible(region)));
    let place = visible(&title) + region.as_deref().unwrap_or_default();
    format!("{rule} ({severity}) · {place} · {}", age(verdict, now))
}

/// The first facts that a line holds, and which inputs they are from.
fn numbers(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let mut from: Vec<&str> = Vec::new();
    let mut line = String::new();
    for fact in verdict.evidence.iter().take(FACTS) {
        let number = format!("{}: {}; ", fact.what.text(naming.shown), fact.value);
        // Behind the input's name stand spans and ways to read it, which the evidence tells.
        let input = fact.from.split([',', ';', ':']).next().unwrap_or_default();
        let inputs = display_width(&from.join(", ")) + display_width(input) + 7;
        let width = display_width(&line) + display_width(&number) + inputs;
        if width > WIDTH && !line.is_empty() {
            break;
        }
        line.push_str(&number);
        if !from.contains(&input) {
            from.push(input);
        }
    }
    match from.join(", ").as_str() {
        "" => "from no input".to_owned(),
        inputs => format!("{line}from {inputs}"),
    }
}

/// The remedies with their verdicts, as many as a line holds, and the throttled share after each.
fn remedies(verdict: &Verdict) -> String {
    let mut line = String::new();
    for text in verdict.remedy_lines().iter().map(RemedyLine::text) {
        if display_width(&line) + display_width(&text) + 2 > WIDTH {
            break;
        }
        if !line.is_empty() {
            line.push_str("; ");
        }
        line.push_str(&text);
    }
    if line.is_empty() {
        let answer = &verdict.answers.more_ru;
        line = format!("remedies: {}", answer.effect.word());
        if answer.effect == RemedyEffect::Unknown {
            let _ = write!(line, ", {}", answer.why);
        }
    }
    line
}

/// What is done first, as in the steps; where that is not what helps most, then that.
fn next(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let mut steps = remedies_of(verdict, naming);
    let best = steps.iter().find(|step| step.effect.is_some()).cloned();
    if is_urgent(verdict) {
        steps.sort_by_key(|step| step.time);
    }
    let told = |step: &NextStep| {
        let how = step.lines.first().map(String::as_str).unwrap_or_default();
        let Some(effect) = step.effect else {
            return how.to_owned();
        };
        let [.., takes] = &step.cells;
        let takes = if takes.is_empty() { "" } else { ", " }.to_owned() + takes;
        format!("{} ({}{takes}): {how}", step.title, effect.word())
    };
    match (steps.first(), best) {
        (None, _) => "next: nothing to do".to_owned(),
        (Some(first), Some(best)) if *first != best => {
            format!("next: {}; then {}", told(first), told(&best))
        }
        (Some(first), _) => format!("next: {}", told(first)),
    }
}

/// A step with names in place of `<resource-group>`, `<account>`, `<database>` and `<container>`; what a shell could read as
/// more than a name stays to be filled in by hand.
pub fn filled(
    step: &Phrase,
    name: &ContainerName,
    group: Option<&str>,
    shown: impl Fn(Option<&str>) -> String,
) -> String {
    let mut text = step.text(shown);
    let [account, database, container] = name.service_names();
    let names = [
        (RESOURCE_GROUP, group.filter(|group| is_resource(group))),
        ("<account>", account),
        ("<database>", database),
        ("<container>", container),
    ];
    for (place, name) in names {
        if let Some(name) = name.filter(|name| is_plain(name)) {
            text = text.replace(place, name);
        }
    }
    text
}

/// Whether a name stands in a command as it is.
pub fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn age(verdict: &Verdict, now: Option<Stamp>) -> String {
    let Some(as_of) = verdict.as_of.map(Stamp::seconds) else {
        return "data without a time: age unknown".to_owned();
    };
    let age = now.map(|now| match now.seconds().saturating_sub(as_of) {
        ..0 => ", later than this note".to_owned(),
        age => format!(", {} old", age_text(age)),
    });
    format!("data to {}{}", second_text(as_of), age.unwrap_or_default())
}

#[cfg(test)]
mod tests;
