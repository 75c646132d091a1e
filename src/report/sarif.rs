//! The findings of `check` as SARIF 2.1.0, for the code scanning of repositories.
//!
//! `{"$schema","version":"2.1.0","runs":[{"tool":{"driver":{"name","rules":[{"id","shortDescription"}]}},"artifacts",
//! "invocations":[{"executionSuccessful","toolExecutionNotifications"}],"results":[{"ruleId","ruleIndex","level","message",
//! "locations","partialFingerprints","properties"}]}]}`. A result names the file only where one file was read: of several it is
//! not known which one told a key.

use std::fmt::Write as _;
use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::analysis::findings::{GateFinding, Severity};
use crate::analysis::mask::hex;
use crate::analysis::rows::UNKNOWN_CONTAINER;
use crate::analysis::rules::Rule;
use crate::model::visible::{shorten, unvisible, visible};

use super::Style;
use super::check::{CheckReport, PARTIAL, place, subject};
use super::write_json::{Json, as_found, lines, object};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name under which others keep a fingerprint; another way to make it gets another name.
const FINGERPRINT: &str = "cosmoscope/v1";
const FINGERPRINT_DIGITS: usize = 32;
/// In a message; longer ones are cut in the middle.
const SUBJECT_COLUMNS: usize = 120;
/// What stands as it is in a part of a URI.
const UNRESERVED: &[u8] = b"-._~/";
const STANDARD_INPUT: &str = "standard input";

pub(super) fn write(checked: &CheckReport<'_>, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<Rule> = checked.findings.iter().map(|f| f.finding.rule).collect();
    rules.sort_unstable_by_key(|rule| rule.name());
    rules.dedup();
    let files: Vec<String> = checked.inputs.iter().filter_map(|i| uri(i)).collect();
    let file = match files.as_slice() {
        [only] if checked.inputs.len() == 1 => Some(only.as_str()),
        _ => None,
    };
    let rule = |rule: &Rule| {
        object().with("id", rule.name()).with("shortDescription", message(rule.meaning()))
    };
    let results = checked.findings.iter();
    let results = results.map(|finding| result(finding, &rules, file));
    let driver = object()
        .with("name", "cosmoscope")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("rules", lines(rules.iter().map(rule)));
    let artifact = |file: &String| object().with("location", object().with("uri", file));
    let run = object()
        .with("tool", object().with("driver", driver))
        .with("\ncolumnKind", "unicodeCodePoints")
        .with("artifacts", lines(files.iter().map(artifact)))
        .with("\ninvocations", [invocation(checked.is_partial)])
        .with("\nresults", lines(results));
    object().with("$schema", SCHEMA).with("version", "2.1.0").with("runs", [run]).write(to)
}

fn invocation(is_partial: bool) -> Json {
    let partial =
        is_partial.then(|| [object().with("level", "warning").with("message", message(PARTIAL))]);
    object().with("executionSuccessful", true).with_known("toolExecutionNotifications", partial)
}

fn result(of: &GateFinding, rules: &[Rule], file: Option<&str>) -> Json {
    let finding = &of.finding;
    let index = rules.iter().position(|rule| *rule == finding.rule);
    let subject = subject(of).map(|subject| shorten(&subject, SUBJECT_COLUMNS));
    let text = visible(&finding.sentence);
    let said = match subject.or_else(|| place(of)) {
        Some(about) => format!("{about}: {text}"),
        None => text.into_owned(),
    };
    let physical = file.map(|file| {
        let artifact = object().with("uri", file).with("index", 0);
        object().with("artifactLocation", artifact)
    });
    let name = object().with("fullyQualifiedName", logical(of));
    let location =
        object().with_known("physicalLocation", physical).with("logicalLocations", [name]);
    let properties = object()
        .with("severity", finding.severity.word())
        .with("key", as_found(of.key.as_deref()))
        .with("candidate", of.candidate.as_deref())
        .with("value", finding.measured.map(|m| m.value))
        .with("threshold", finding.measured.map(|m| m.threshold));
    object()
        .with("ruleId", finding.rule.name())
        .with("ruleIndex", index)
        .with("level", level(finding.severity))
        .with("message", message(&said))
        .with("\n locations", [location])
        .with("\n partialFingerprints", object().with(FINGERPRINT, fingerprint(of)))
        .with("properties", properties)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warn => "warning",
        Severity::Alarm => "error",
    }
}

/// A message in plain text, in which `[text](place)` would be a link: nothing from a log is to be one.
fn message(text: &str) -> Json {
    object().with("text", text.replace("](", "] ("))
}

/// Account, database, container, and the key or the candidate.
fn logical(finding: &GateFinding) -> String {
    let name = &finding.name;
    let known = [&name.account, &name.database].into_iter().flatten();
    let mut parts: Vec<&str> = known.map(AsRef::as_ref).collect();
    match &finding.candidate {
        Some(_) => parts.extend(name.container.as_deref()),
        None => parts.push(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER)),
    }
    parts.extend(finding.candidate.as_deref().or(finding.key.as_deref()));
    visible(&parts.join(" / ")).into_owned()
}

/// The same for the same rule at the same place, whatever the numbers of the day. What is seen from the form of a key may be
/// seen at two places of it, which the letters of the message tell apart.
fn fingerprint(finding: &GateFinding) -> String {
    let name = &finding.name;
    let names = [&name.account, &name.database, &name.container];
    let names = names.map(|n| n.as_deref());
    let letters = |c: &char| c.is_alphabetic() || *c == '/';
    let message: Option<String> = match finding.finding.measured {
        None => Some(finding.finding.sentence.chars().filter(letters).collect()),
        Some(_) => None,
    };
    let parts = names.into_iter().chain([
        Some(finding.finding.rule.name()),
        finding.key.as_deref(),
        finding.candidate.as_deref(),
        message.as_deref(),
    ]);
    let mut hash = Sha256::new();
    for part in parts {
        // The length parts neighbours, and an absent one from an empty one.
        let length = part.map_or(u64::MAX, |p| p.len() as u64);
        hash.update(length.to_le_bytes());
        hash.update(part.unwrap_or_default());
    }
    hex(hash, FINGERPRINT_DIGITS)
}

/// The input as a URI, relative where the path is; standard input has none.
fn uri(shown: &str) -> Option<String> {
    if shown == STANDARD_INPUT {
        return None;
    }
    let path = unvisible(shown).unwrap_or_else(|| shown.to_owned());
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path };
    let mut out = match path.as_bytes() {
        [b'/', ..] => "file://".to_owned(),
        [drive, b':', b'/', ..] if cfg!(windows) && drive.is_ascii_alphabetic() => {
            "file:///".to_owned()
        }
        _ => String::new(),
    };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || UNRESERVED.contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Some(out)
}
