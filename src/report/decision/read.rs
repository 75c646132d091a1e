//! A decision file read again: refused where it says what this version does not know, rather than half understood.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::analysis::decision::{Data, Decision, DecisionValue, Judged};

use super::{KIND, SCHEMA};

/// What the file says of itself; the rest is looked at only where this is understood.
#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "kind")]
    _kind: String,
    program: String,
    made_at: Option<String>,
    chosen: Option<String>,
    data: Data,
    #[serde(default)]
    settings: BTreeMap<String, DecisionValue>,
    #[serde(default)]
    candidates: Vec<Judged>,
}

/// The decision in a text, or why it is none in half a sentence.
pub fn parse(text: &str) -> Result<Decision, String> {
    // What the parser says of one character may quote the line, with whatever stands in it.
    let broken = |e: toml::de::Error| {
        let line = e.span().map_or(1, |at| {
            let before = text.get(..at.start).unwrap_or_default();
            before.matches('\n').count() + 1
        });
        format!("is not a decision file at line {line}: {}", e.message())
    };
    let head: Head = toml::from_str(text).map_err(broken)?;
    if head.kind.as_deref() != Some(KIND) {
        return Err(format!("is not a decision file: it has no kind = \"{KIND}\""));
    }
    match head.schema {
        Some(SCHEMA) => {}
        Some(other) => {
            return Err(format!(
                "is a decision of form {other}, and this version knows form {SCHEMA} only"
            ));
        }
        None => return Err("is not a decision file: it has no schema".to_owned()),
    }
    let file: File = toml::from_str(text).map_err(broken)?;
    Ok(Decision {
        made_at: file.made_at,
        program: file.program,
        chosen: file.chosen,
        data: file.data,
        settings: file.settings,
        candidates: file.candidates,
    })
}
