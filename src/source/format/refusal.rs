//! Why a document is refused, in one sentence, and what to do about it.

use crate::source::json::fault::{AGAIN, Ending};
use crate::source::sniff::OR_DOCUMENTS;
use crate::source::tally::{quoted, unquoted};

use super::fields::{self, Fields};

/// Names listed of a document that nobody knows.
pub(super) const MAX_NAMES: usize = 12;

const EXPORT: &str = "export the partition key statistics from Log Analytics, or read the container with its statistics";

/// What a list of containers has at its top, of the management plane and of the data plane.
const LISTS: [&str; 2] = ["value", "DocumentCollections"];
const A_LIST: &str = "a list of containers has no sizes: save what az cosmosdb sql container show prints for each of them";

/// A document of no known kind, by the names at its top.
pub(super) fn unknown(names: &[String]) -> Ending {
    let found: Vec<String> = names.iter().take(MAX_NAMES).map(|n| quoted(n)).collect();
    let what = if found.is_empty() {
        "not a known kind of JSON document: an object without members".to_owned()
    } else {
        format!("not a known kind of JSON document; it has {}", found.join(", "))
    };
    let is_list = names.iter().any(|name| LISTS.contains(&name.as_str()));
    let next = if is_list { A_LIST } else { EXPORT };
    Ending::Refused { what, next: Some(format!("{next}; {OR_DOCUMENTS}")) }
}

/// What the document is lies in something that it says twice.
pub(super) fn twice(name: &str) -> Ending {
    Ending::Refused { what: fields::twice(name), next: Some(AGAIN.to_owned()) }
}

/// A value at the top that is no object and no list.
pub(super) fn scalar(raw: &str) -> Ending {
    let kind = match raw.as_bytes().first() {
        Some(b'"') => "a text",
        Some(b'n') => "null",
        Some(b't' | b'f') => "a truth value",
        _ => "a number",
    };
    refused(&format!("the document is {kind}, not a list of records"))
}

pub(super) fn records_no_list() -> Ending {
    refused("`records` is not a list: no records in this document")
}

/// A document without records.
pub(super) fn refused(what: &str) -> Ending {
    Ending::Refused { what: what.to_owned(), next: Some(EXPORT.to_owned()) }
}

/// The message of an `error` object, with its code.
pub(super) fn message(fields: &Fields) -> (String, String) {
    let code = fields.text("error.code").unwrap_or_default();
    let message = fields.text("error.message").unwrap_or_default();
    let message: String = message.chars().take(400).collect();
    let message = if message.is_empty() {
        "no message".to_owned()
    } else {
        format!("`{}`", unquoted(&crate::model::visible::visible(&message)))
    };
    (code, message)
}

/// An answer that is nothing but an error.
pub(super) fn error(fields: &Fields) -> Ending {
    let (code, message) = message(fields);
    let next = match code.as_str() {
        "InsufficientAccessError" => {
            "request the role Log Analytics Reader on the workspace; a new role can take an hour to work"
        }
        "AuthorizationFailed" => {
            "request the role Monitoring Reader or Cosmos DB Account Reader on the account"
        }
        "BadArgumentError" | "SyntaxError" | "SemanticError" => {
            "correct the query and save its answer again"
        }
        "PathNotFoundError" | "WorkspaceNotFoundError" | "ResourceNotFound" => {
            "check the id in the request and save its answer again"
        }
        "InvalidAuthenticationTokenAudience"
        | "InvalidAuthenticationToken"
        | "InvalidTokenError"
        | "ExpiredAuthenticationToken" => {
            "sign in to the service that answered and save its answer again"
        }
        _ => "repeat the request and save its answer",
    };
    let code = if code.is_empty() { String::new() } else { format!(" ({})", quoted(&code)) };
    Ending::Refused {
        what: format!("the answer is an error{code}: {message}"),
        next: Some(next.to_owned()),
    }
}
