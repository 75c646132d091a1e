//! The incident note: five lines of plain text.

use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::visible::visible;

use super::text::{second_text, span_text};
use super::{Answer, Verdict};

/// Facts told in the note; the evidence holds the rest.
const FACTS: usize = 5;

/// Whether names are those of the account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    Real,
    /// Pseudonyms: queries with them have to be filled in before they run.
    Invented,
}

/// How whoever copies a note or a query names things; with masking on the names and closures give pseudonyms.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    pub names: Names,
    pub container: &'a ContainerName,
    /// A key for people, from its JSON text; None where the log named none.
    pub shown: &'a dyn Fn(Option<&str>) -> String,
    /// A key's JSON text for queries, from its JSON text.
    pub json: &'a dyn Fn(&str) -> String,
}

/// Exactly five lines: what and where, the verdict, its numbers, the answers, source and age. `now` is when it is written.
pub fn note(verdict: &Verdict, naming: &Naming<'_>, now: Option<Stamp>) -> String {
    let lines = [
        place_and_time(verdict, naming),
        verdict.headline.text(naming.shown),
        numbers(verdict, naming),
        answers(verdict),
        source(verdict, now),
    ];
    // A line break from a name would make a sixth line.
    lines.map(|line| visible(&line).into_owned()).join("\n")
}

fn place_and_time(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let mut line = format!(
        "{} ({}) · {}",
        verdict.rule,
        verdict.severity.word(),
        naming.container.title()
    );
    if let Some(region) = &verdict.region {
        line.push_str(" · ");
        line.push_str(region);
    }
    if let Some(since) = verdict.since {
        line.push_str(" · since ");
        line.push_str(&second_text(since.seconds()));
    }
    line
}

fn numbers(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let told = verdict.evidence.iter().take(FACTS);
    let told: Vec<String> = told
        .map(|fact| format!("{}: {}", fact.what.text(naming.shown), fact.value))
        .collect();
    if told.is_empty() {
        "no numbers".to_owned()
    } else {
        told.join("; ")
    }
}

fn answers(verdict: &Verdict) -> String {
    let answers = &verdict.answers;
    let told = |question: &str, answer: &Answer| {
        format!("{question} {} ({})", answer.says.word(), answer.why)
    };
    [
        told("more RU/s?", &answers.more_ru),
        told("split?", &answers.split),
        told("redistribute?", &answers.redistribute),
        told("another key?", &answers.new_key),
    ]
    .join("; ")
}

fn source(verdict: &Verdict, now: Option<Stamp>) -> String {
    let mut from: Vec<&str> = Vec::new();
    for fact in verdict.evidence.iter().take(FACTS) {
        if !from.contains(&fact.from.as_str()) {
            from.push(&fact.from);
        }
    }
    let age = match (verdict.as_of, now) {
        (Some(as_of), Some(now)) => {
            let age = now.seconds().saturating_sub(as_of.seconds());
            let age = if age < 0 {
                "later than this note".to_owned()
            } else {
                format!("{} old", span_text(age))
            };
            format!(
                "data up to {}, {age} at {}",
                second_text(as_of.seconds()),
                second_text(now.seconds())
            )
        }
        (Some(as_of), None) => format!("data up to {}", second_text(as_of.seconds())),
        (None, _) => "data without a time: age unknown".to_owned(),
    };
    let from = if from.is_empty() {
        "no input".to_owned()
    } else {
        from.join("; ")
    };
    format!("source: {from} · {age}")
}

#[cfg(test)]
mod tests;
