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
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::findings::{Finding, Severity};
use crate::analysis::rows::Completeness;
use crate::model::visible::visible;

use super::Style;
use super::check::{Checked, PARTIAL, headline, place, subject};

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
    outcome: Outcome,
}

enum Outcome {
    Passed,
    /// Below what fails.
    Told(String),
    Failed(Severity, String),
    Error(&'static str),
}

pub(super) fn write(checked: &Checked<'_>, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let suites = suites(checked);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    push_attribute("name", "cosmoscope check", &mut out);
    let all: Vec<&Case> = suites.iter().flat_map(|s| &s.cases).collect();
    push_counts(&all, &mut out);
    out.push_str(">\n");
    for suite in &suites {
        out.push_str("  <testsuite");
        push_attribute("name", &suite.name, &mut out);
        push_counts(&suite.cases.iter().collect::<Vec<_>>(), &mut out);
        out.push_str(">\n");
        for case in &suite.cases {
            push_case(&suite.name, case, &mut out);
        }
        out.push_str("  </testsuite>\n");
        to.write_all(out.as_bytes())?;
        out.clear();
    }
    out.push_str("</testsuites>\n");
    to.write_all(out.as_bytes())
}

/// The inputs first, then every candidate, then containers by their worst finding.
fn suites(checked: &Checked<'_>) -> Vec<Suite> {
    let whole = Case {
        name: WHOLE.to_owned(),
        outcome: match checked.completeness {
            Completeness::Whole => Outcome::Passed,
            Completeness::Partial => Outcome::Error(PARTIAL),
        },
    };
    let mut suites = vec![Suite {
        name: "inputs".to_owned(),
        cases: vec![whole],
    }];
    let candidates = checked.candidates.iter().map(|text| Suite {
        name: text.clone(),
        cases: Vec::new(),
    });
    suites.extend(candidates);
    for finding in checked.findings {
        let name = match &finding.candidate {
            Some(candidate) => candidate.to_string(),
            None => place(finding).unwrap_or_default(),
        };
        let case = case(finding, checked.fail_on);
        match suites.iter_mut().find(|s| s.name == name) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite {
                name,
                cases: vec![case],
            }),
        }
    }
    for suite in &mut suites {
        if suite.cases.is_empty() {
            suite.cases.push(nothing_found("nothing speaks against it"));
        }
        tell_apart(&mut suite.cases);
    }
    if checked.findings.is_empty() && checked.exports.is_some() {
        suites.push(Suite {
            name: "exports".to_owned(),
            cases: vec![nothing_found(&headline(checked))],
        });
    }
    suites
}

fn nothing_found(name: &str) -> Case {
    Case {
        name: name.to_owned(),
        outcome: Outcome::Passed,
    }
}

fn case(finding: &Finding, fail_on: Severity) -> Case {
    let subject = match finding.candidate {
        Some(_) => None,
        None => subject(finding, NAME_COLUMNS),
    };
    let name = match subject {
        Some(subject) => format!("{}: {subject}", finding.rule),
        None => finding.rule.to_owned(),
    };
    let outcome = if finding.severity >= fail_on {
        Outcome::Failed(finding.severity, finding.message.clone())
    } else {
        Outcome::Told(format!("{}: {}", finding.severity.word(), finding.message))
    };
    Case { name, outcome }
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

fn push_counts(cases: &[&Case], out: &mut String) {
    let count = |wanted: fn(&Outcome) -> bool| cases.iter().filter(|c| wanted(&c.outcome)).count();
    let _ = write!(
        out,
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"",
        count(|_| true),
        count(|o| matches!(o, Outcome::Failed(..))),
        count(|o| matches!(o, Outcome::Error(_))),
    );
}

fn push_case(suite: &str, case: &Case, out: &mut String) {
    out.push_str("    <testcase");
    push_attribute("classname", suite, out);
    push_attribute("name", &case.name, out);
    out.push('>');
    match &case.outcome {
        Outcome::Passed => {}
        Outcome::Told(text) => {
            out.push_str("<system-out>");
            push_escaped(text, out);
            out.push_str("</system-out>");
        }
        Outcome::Failed(severity, text) => push_fault("failure", severity.word(), text, out),
        Outcome::Error(text) => push_fault("error", "partial", text, out),
    }
    out.push_str("</testcase>\n");
}

fn push_fault(element: &str, kind: &str, text: &str, out: &mut String) {
    let _ = write!(out, "<{element} type=\"{kind}\"");
    push_attribute("message", text, out);
    out.push('>');
    push_escaped(text, out);
    let _ = write!(out, "</{element}>");
}

fn push_attribute(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, " {name}=\"");
    push_escaped(value, out);
    out.push('"');
}

/// Visible and escaped: what XML has no way to write never gets this far, for it is a code.
fn push_escaped(text: &str, out: &mut String) {
    for character in visible(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            other if is_xml(other) => out.push(other),
            other => out.extend(other.escape_unicode()),
        }
    }
}

/// The characters of XML 1.0.
fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
