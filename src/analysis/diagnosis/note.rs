//! The incident note: five lines of plain text.

use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::visible::{display_width, visible};

use super::Verdict;
use super::text::{age_text, second_text};

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
    // What comes from outside is visible text in each of them. Made visible once more it would be the name of another key.
    lines.map(|line| line.replace(is_break, " ")).join("\n")
}

fn is_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

fn place_and_time(verdict: &Verdict, naming: &Naming<'_>) -> String {
    let mut line = format!(
        "{} ({}) · {}",
        verdict.rule.name(),
        verdict.severity.word(),
        visible(&naming.container.title())
    );
    if let Some(region) = &verdict.region {
        line.push_str(" · ");
        line.push_str(&visible(region));
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
    let mut told = told.into_iter();
    let Some(mut line) = told.next() else {
        return "no numbers".to_owned();
    };
    for number in told {
        if display_width(&line) + display_width(&number) + 2 > WIDTH {
            break;
        }
        line.push_str("; ");
        line.push_str(&number);
    }
    line
}

/// With their reasons as far as these have room: all, else the first clause of each, else none.
fn answers(verdict: &Verdict) -> String {
    let named = verdict.answers.named();
    let line = |reason: fn(&str) -> &str| {
        let told = named.map(|(question, answer)| match reason(&answer.why) {
            "" => format!("{question}: {}", answer.effect.word()),
            why => format!("{question}: {} ({why})", answer.effect.word()),
        });
        told.join("; ")
    };
    let all = line(|why| why);
    let clauses = line(|why| why.split(';').next().unwrap_or_default());
    let words = line(|_| "");
    let mut lines = [all, clauses].into_iter();
    lines
        .find(|line| display_width(line) <= WIDTH)
        .unwrap_or(words)
}

fn source(verdict: &Verdict, now: Option<Stamp>) -> String {
    let mut from: Vec<&str> = Vec::new();
    for fact in verdict.evidence.iter().take(FACTS) {
        // Behind the input's name stand spans and ways to read it, which the evidence tells.
        let input = fact.from.split([',', ';', ':']).next().unwrap_or_default();
        if !from.contains(&input) {
            from.push(input);
        }
    }
    let age = match (verdict.as_of, now) {
        (Some(as_of), Some(now)) => {
            let age = now.seconds().saturating_sub(as_of.seconds());
            let age = if age < 0 {
                "later than this note".to_owned()
            } else {
                format!("{} old", age_text(age))
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
