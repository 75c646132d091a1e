//! What to do, each step once in a report: commands apart from words, so that they can be copied.

use std::collections::HashSet;

use crate::analysis::billing::Price;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::steps::command;

use super::ContainerHeatRows;
use super::words::visible_parts;
use crate::model::units::counted;
use crate::report::doc::Point;
use crate::report::layout::key_in_sentence;

/// Steps that a report has told, and what its RU/s cost.
pub(super) struct StepLog<'a> {
    steps: HashSet<String>,
    pub price: Option<&'a Price>,
}

impl<'a> StepLog<'a> {
    pub fn new(price: Option<&'a Price>) -> Self {
        Self {
            steps: HashSet::new(),
            price,
        }
    }

    /// The steps of a verdict that are new, with the container's names in the commands.
    pub fn steps(&mut self, verdict: &Verdict, of: &ContainerHeatRows) -> Vec<Point> {
        let mut above = 0;
        let mut steps = Vec::new();
        for step in &verdict.steps {
            let text = visible_parts(&of.filled(step, key_in_sentence));
            if self.steps.insert(text.clone()) {
                steps.push(point(text));
            } else {
                above += 1;
            }
        }
        if above > 0 {
            let [one, several] = ["more step, which stands", "more steps, which stand"];
            let said = format!("{} above already", counted(above, one, several));
            steps.push(Point::Step(said));
        }
        steps
    }
}

fn point(text: String) -> Point {
    match command(&text) {
        Some((command, about)) => Point::Run(command.to_owned(), about.to_owned()),
        None => Point::Step(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_command_is_no_part_of_it() {
        for (text, wanted) in [
            (
                "az show --id \"$(az list)\"",
                Some(("az show --id \"$(az list)\"", "")),
            ),
            ("az show (preview)", Some(("az show", "preview"))),
            ("look (there)", None),
        ] {
            let step = point(text.to_owned());
            assert_eq!(step.text(), text);
            let run = match &step {
                Point::Run(command, about) => Some((command.as_str(), about.as_str())),
                _ => None,
            };
            assert_eq!(run, wanted);
        }
    }
}
