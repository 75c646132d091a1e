//! What to do, each step once in a report: commands apart from words, so that they can be copied.

use std::collections::HashSet;

use crate::analysis::billing::Price;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::next_steps::{NextStep, StepTime, remedies};
use crate::analysis::diagnosis::note::{NameForm, Naming};
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
        Self { steps: HashSet::new(), price }
    }

    /// The steps of a verdict that are new, with the container's names in the commands.
    pub fn steps(&mut self, verdict: &Verdict, of: &ContainerHeatRows) -> Vec<Point> {
        let naming = Naming {
            names: NameForm::Real,
            container: &of.name,
            group: of.resource_group.as_deref(),
            shown: &key_in_sentence,
            json: &str::to_owned,
        };
        let mut found = remedies(verdict, &naming);
        found.sort_by_key(|step| step.time);
        let mut above = 0;
        let mut points = Vec::new();
        for step in found {
            if self.steps.insert(step.lines.join("\n")) {
                points.extend(step_points(&step));
            } else {
                above += 1;
            }
        }
        if above > 0 {
            let [one, several] = ["more step, which stands", "more steps, which stand"];
            let said = format!("{} above already", counted(above, one, several));
            points.push(Point::Step(said));
        }
        points
    }
}

/// When and what, then how.
fn step_points(step: &NextStep) -> Vec<Point> {
    let when = match step.time {
        StepTime::Check => "check",
        time => time.heading(),
    };
    let effect = step.effect.map_or_else(String::new, |effect| {
        let [throttled, ..] = &step.cells;
        let parts = [throttled.as_str(), effect.word()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!(": {}", parts.join(", "))
    });
    let title = visible_parts(&step.title);
    let head = Point::Step(format!("{when}: {title}{effect}"));
    let lines = step.lines.iter().filter(|line| **line != step.title);
    let lines = lines.map(|line| point(visible_parts(line)));
    std::iter::once(head).chain(lines).collect()
}

fn point(text: String) -> Point {
    match command(&text) {
        Some((command, about)) => Point::Run(command.to_owned(), about.to_owned()),
        None => Point::Below(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_command_is_no_part_of_it() {
        for (text, wanted) in [
            ("az show --id \"$(az list)\"", Some(("az show --id \"$(az list)\"", ""))),
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
