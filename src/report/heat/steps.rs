//! What to do, each step once in a report: commands apart from words, so that they can be copied.

use std::collections::HashSet;

use crate::analysis::billing::Price;
use crate::analysis::diagnosis::Verdict;

use super::words::phrase;

/// How text to run begins.
const COMMAND: &str = "az ";

/// Visible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Do(String),
    Run {
        command: String,
        /// Empty where nothing is said of it.
        about: String,
    },
    /// So many steps stand above already.
    Above(usize),
}

/// Steps that a report has told, and what its RU/s cost.
pub(super) struct Told<'a> {
    steps: HashSet<String>,
    pub price: Option<&'a Price>,
}

impl<'a> Told<'a> {
    pub fn new(price: Option<&'a Price>) -> Self {
        Self {
            steps: HashSet::new(),
            price,
        }
    }

    /// The steps of a verdict that are new.
    pub fn steps(&mut self, verdict: &Verdict) -> Vec<Step> {
        let mut above = 0;
        let mut steps = Vec::new();
        for text in verdict.steps.iter().map(phrase) {
            if self.steps.insert(text.clone()) {
                steps.push(step(text));
            } else {
                above += 1;
            }
        }
        if above > 0 {
            steps.push(Step::Above(above));
        }
        steps
    }
}

fn step(text: String) -> Step {
    if !text.starts_with(COMMAND) {
        return Step::Do(text);
    }
    let inner = text.strip_suffix(')');
    match inner.and_then(|t| t.rsplit_once(" (")) {
        Some((command, about)) => Step::Run {
            command: command.to_owned(),
            about: about.to_owned(),
        },
        None => Step::Run {
            command: text,
            about: String::new(),
        },
    }
}

pub(super) fn above_words(steps: usize) -> String {
    match steps {
        1 => "1 more step, which stands above already".to_owned(),
        n => format!("{n} more steps, which stand above already"),
    }
}

impl Step {
    /// In one sentence.
    pub fn text(&self) -> String {
        match self {
            Self::Do(text) => text.clone(),
            Self::Run { command, about } if about.is_empty() => command.clone(),
            Self::Run { command, about } => format!("{command} ({about})"),
            Self::Above(steps) => above_words(*steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_command_is_no_part_of_it() {
        let run = |command: &str, about: &str| Step::Run {
            command: command.to_owned(),
            about: about.to_owned(),
        };
        for (text, wanted) in [
            (
                "az show --id \"$(az list)\"",
                run("az show --id \"$(az list)\"", ""),
            ),
            ("az show (preview)", run("az show", "preview")),
            ("look (there)", Step::Do("look (there)".to_owned())),
        ] {
            assert_eq!(step(text.to_owned()), wanted);
            assert_eq!(wanted.text(), text);
        }
    }
}
