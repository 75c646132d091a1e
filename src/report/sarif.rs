//! The findings of `check` as SARIF 2.1.0, for the code scanning of repositories.
//!
//! `{"$schema","version":"2.1.0","runs":[{"tool":{"driver":{"name","rules":[{"id","shortDescription"}]}},"artifacts",
//! "invocations":[{"executionSuccessful","toolExecutionNotifications"}],"results":[{"ruleId","ruleIndex","level","message",
//! "locations","partialFingerprints","properties"}]}]}`. A result names the file only where one file was read: of several it is
//! not known which one told a key.

use std::fmt::Write as _;
use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::analysis::findings::{Finding, Severity, rules};
use crate::analysis::rows::{Completeness, UNKNOWN_CONTAINER};
use crate::model::visible::{unvisible, visible};

use super::Style;
use super::check::{Checked, PARTIAL, place, subject};
use super::write_json::{push_number_or_null, push_text, push_text_or_null};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name under which others keep a fingerprint; another way to make it gets another name.
const FINGERPRINT: &str = "cosmoscope/v1";
/// In a message; longer ones are cut in the middle.
const SUBJECT_COLUMNS: usize = 120;
/// What stands as it is in a part of a URI.
const UNRESERVED: &[u8] = b"-._~/";
const STANDARD_INPUT: &str = "standard input";

pub(super) fn write(checked: &Checked<'_>, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<&str> = checked.findings.iter().map(|f| f.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let files: Vec<String> = checked.inputs.iter().filter_map(|i| uri(i)).collect();
    let mut out = String::from("{\"$schema\":");
    push_text(SCHEMA, &mut out);
    out.push_str(",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"cosmoscope\",\"version\":");
    push_text(env!("CARGO_PKG_VERSION"), &mut out);
    out.push_str(",\"rules\":[");
    for (i, rule) in rules.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_rule(rule, &mut out);
    }
    out.push_str("]}},\n\"columnKind\":\"unicodeCodePoints\",\"artifacts\":[");
    for (i, file) in files.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_artifact(file, &mut out);
    }
    out.push_str("],\n");
    push_invocation(checked.completeness, &mut out);
    out.push_str(",\n\"results\":[");
    let file = match files.as_slice() {
        [only] if checked.inputs.len() == 1 => Some(only.as_str()),
        _ => None,
    };
    for (i, finding) in checked.findings.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_result(finding, &rules, file, &mut out);
        to.write_all(out.as_bytes())?;
        out.clear();
    }
    out.push_str("]}]}\n");
    to.write_all(out.as_bytes())
}

fn push_rule(rule: &str, out: &mut String) {
    out.push_str("{\"id\":");
    push_text(rule, out);
    out.push_str(",\"shortDescription\":");
    push_message(rules::sentence(rule).unwrap_or(rule), out);
    out.push('}');
}

fn push_artifact(file: &str, out: &mut String) {
    out.push_str("{\"location\":{\"uri\":");
    push_text(file, out);
    out.push_str("}}");
}

fn push_invocation(completeness: Completeness, out: &mut String) {
    out.push_str("\"invocations\":[{\"executionSuccessful\":true");
    if completeness == Completeness::Partial {
        out.push_str(",\"toolExecutionNotifications\":[{\"level\":\"warning\",\"message\":");
        push_message(PARTIAL, out);
        out.push_str("}]");
    }
    out.push_str("}]");
}

fn push_result(finding: &Finding, rules: &[&str], file: Option<&str>, out: &mut String) {
    out.push_str("{\"ruleId\":");
    push_text(finding.rule, out);
    let index = rules.binary_search(&finding.rule).unwrap_or_default();
    let _ = write!(
        out,
        ",\"ruleIndex\":{index},\"level\":\"{}\",\"message\":",
        level(finding.severity)
    );
    let message = match (subject(finding, SUBJECT_COLUMNS), place(finding)) {
        (Some(subject), _) => format!("{subject}: {}", visible(&finding.message)),
        (None, Some(place)) => format!("{place}: {}", visible(&finding.message)),
        (None, None) => visible(&finding.message).into_owned(),
    };
    push_message(&message, out);
    out.push_str(",\n \"locations\":[{");
    if let Some(file) = file {
        out.push_str("\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        push_text(file, out);
        out.push_str(",\"index\":0}},");
    }
    out.push_str("\"logicalLocations\":[{\"fullyQualifiedName\":");
    push_text(&logical(finding), out);
    out.push_str("}]}],\n \"partialFingerprints\":{");
    push_text(FINGERPRINT, out);
    out.push(':');
    push_text(&fingerprint(finding), out);
    out.push_str("},\"properties\":{\"severity\":");
    push_text(finding.severity.word(), out);
    out.push_str(",\"key\":");
    out.push_str(finding.key.as_deref().unwrap_or("null"));
    out.push_str(",\"candidate\":");
    push_text_or_null(finding.candidate.as_deref(), out);
    out.push_str(",\"value\":");
    push_number_or_null(finding.value, out);
    out.push_str(",\"threshold\":");
    push_number_or_null(finding.threshold, out);
    out.push_str("}}");
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warn => "warning",
        Severity::Alarm => "error",
    }
}

/// A message in plain text, in which `[text](place)` would be a link: nothing from a log is to be one.
fn push_message(text: &str, out: &mut String) {
    out.push_str("{\"text\":");
    push_text(&text.replace("](", "] ("), out);
    out.push('}');
}

/// Account, database, container, and the key or the candidate.
fn logical(finding: &Finding) -> String {
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
fn fingerprint(finding: &Finding) -> String {
    let name = &finding.name;
    let names = [&name.account, &name.database, &name.container];
    let names = names.map(|n| n.as_deref());
    let letters = |c: &char| c.is_alphabetic() || *c == '/';
    let message: Option<String> = match finding.value {
        None => Some(finding.message.chars().filter(letters).collect()),
        Some(_) => None,
    };
    let parts = names.into_iter().chain([
        Some(finding.rule),
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
    let mut digits = String::new();
    for byte in hash.finalize().iter().take(16) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// The input as a URI, relative where the path is; standard input has none.
fn uri(shown: &str) -> Option<String> {
    if shown == STANDARD_INPUT {
        return None;
    }
    let path = unvisible(shown).unwrap_or_else(|| shown.to_owned());
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path
    };
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
