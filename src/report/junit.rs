//! The findings of `check` as `JUnit` XML: one suite for each container or candidate, one case for each finding.
//!
//! ```xml
//! <testsuites name="cosmoscope check" tests="2" failures="1" errors="0">
//!   <testsuite name="/month" tests="2" failures="1" errors="0">
//!     <testcase classname="/month" name="hot-now"><failure type="alarm" message="…">…</failure></testcase>
//!     <testcase classname="/month" name="time-only"><system-out>warn: …</system-out></testcase>
//! ```
//!
//! What is below `--fail-on` passes and is told in its case's output. Partial data is an error: what is missing was not
//! judged.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::analysis::findings::{GateFinding, Severity};
use crate::model::visible::{shorten, visible};

use super::Style;
use super::check::{CheckReport, PARTIAL, headline, place, subject};
use super::escape::escape;

/// A name of a case; longer keys are cut in the middle.
const NAME_COLUMNS: usize = 120;
const WHOLE: &str = "all data could be used";

/// A suite with its cases.
struct Suite {
    name: String,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    failures: usize,
    errors: usize,
    /// What the element holds.
    body: String,
}

pub(super) fn write(checked: &CheckReport<'_>, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let suites = suites(checked);
    let all = counts(suites.iter().flat_map(|suite| &suite.cases));
    let name = attribute("name", "cosmoscope check");
    writeln!(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(to, "<testsuites{name}{all}>")?;
    for suite in &suites {
        let (name, counts) = (attribute("name", &suite.name), counts(&suite.cases));
        writeln!(to, "  <testsuite{name}{counts}>")?;
        let class = attribute("classname", &suite.name);
        for case in &suite.cases {
            let (name, body) = (attribute("name", &case.name), &case.body);
            writeln!(to, "    <testcase{class}{name}>{body}</testcase>")?;
        }
        writeln!(to, "  </testsuite>")?;
    }
    writeln!(to, "</testsuites>")
}

/// The inputs first, then every candidate, then containers by their worst finding.
fn suites(checked: &CheckReport<'_>) -> Vec<Suite> {
    let mut whole = passed(WHOLE);
    if checked.is_partial {
        whole.errors = 1;
        whole.body = fault("error", "partial", PARTIAL);
    }
    let suite = |name: &str, cases: Vec<Case>| Suite { name: name.to_owned(), cases };
    let mut suites = vec![suite("inputs", vec![whole])];
    let candidates = checked.candidates.iter();
    suites.extend(candidates.map(|text| suite(text, Vec::new())));
    for finding in checked.findings {
        let name = match &finding.candidate {
            Some(candidate) => candidate.to_string(),
            None => place(finding).unwrap_or_default(),
        };
        let case = case(finding, checked.fail_on);
        match suites.iter_mut().find(|s| s.name == name) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(suite(&name, vec![case])),
        }
    }
    for suite in &mut suites {
        if suite.cases.is_empty() {
            suite.cases.push(passed("nothing speaks against it"));
        }
        tell_apart(&mut suite.cases);
    }
    if checked.findings.is_empty() && checked.exports.is_some() {
        suites.push(suite("exports", vec![passed(&headline(checked))]));
    }
    suites
}

fn passed(name: &str) -> Case {
    Case { name: name.to_owned(), failures: 0, errors: 0, body: String::new() }
}

fn case(of: &GateFinding, fail_on: Severity) -> Case {
    let finding = &of.finding;
    let subject = match of.candidate {
        Some(_) => None,
        None => subject(of),
    };
    let name = match subject {
        Some(subject) => format!("{}: {}", finding.rule.name(), shorten(&subject, NAME_COLUMNS)),
        None => finding.rule.name().to_owned(),
    };
    let (word, message) = (finding.severity.word(), &finding.sentence);
    let fails = finding.severity >= fail_on;
    let body = if fails {
        fault("failure", word, message)
    } else {
        let said = escaped(&format!("{word}: {message}"));
        format!("<system-out>{said}</system-out>")
    };
    let mut case = passed(&name);
    (case.failures, case.body) = (usize::from(fails), body);
    case
}

/// Readers of this format keep one case for each name.
fn tell_apart(cases: &mut [Case]) {
    let mut seen = BTreeSet::new();
    for case in cases {
        let name = case.name.clone();
        let mut number = 1_u32;
        while !seen.insert(case.name.clone()) {
            number += 1;
            case.name = format!("{name} ({number})");
        }
    }
}

fn counts<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
    let [mut tests, mut failures, mut errors] = [0_usize; 3];
    for case in cases {
        tests += 1;
        failures += case.failures;
        errors += case.errors;
    }
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\"")
}

fn fault(element: &str, kind: &str, text: &str) -> String {
    let (message, text) = (attribute("message", text), escaped(text));
    format!("<{element} type=\"{kind}\"{message}>{text}</{element}>")
}

fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escaped(value))
}

/// What XML has no way to write is a code in visible text.
fn escaped(text: &str) -> String {
    escape(&visible(text))
}
