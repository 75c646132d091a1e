//! Questions and answers as a bundle for a report of a fault shows them: paths without names, headers by name, bodies by
//! their shape. What an answer says is not kept.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::{Map, Value};

use super::fault::Fault;
use crate::model::visible::visible;

/// Exchanges that are kept: `doctor` has about twenty.
const MOST: usize = 200;
/// A longer body has no shape: it takes many times its bytes to read it.
const MOST_BYTES: usize = 1 << 20;
/// Levels, and members of one object, of a shape.
const MOST_LEVELS: usize = 8;
const MOST_MEMBERS: usize = 100;
/// Headers whose values say how the service behaves and nothing of the account.
const SHOWN: [&str; 7] = [
    "content-type",
    "retry-after",
    "x-ms-request-charge",
    "x-ms-retry-after-ms",
    "x-ms-schemaversion",
    "x-ms-serviceversion",
    "x-ms-substatus",
];
/// Parts of paths that are of the interface; all others are names.
#[rustfmt::skip]
const KNOWN: [&str; 26] = [
    "collections", "colls", "containers", "databaseAccounts", "databases", "dbs", "default", "docs", "locations", "metrics",
    "microsoft.insights", "Microsoft.DocumentDB", "offers", "operationResults", "operationsStatus", "partitions", "pkranges",
    "providers", "query", "resourceGroups", "retrieveThroughputDistribution", "sqlDatabases", "subscriptions",
    "throughputSettings", "usages", "workspaces",
];
/// Members whose own names somebody chose.
const OF_SOMEBODY: [&str; 2] = ["tags", "identity"];

/// One question and its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    pub method: &'static str,
    pub path: String,
    pub status: u16,
    pub milliseconds: u64,
    pub bytes: usize,
    /// Names, and the few values that say nothing of the account.
    pub headers: Vec<(String, Value)>,
    /// Types in place of values; null for what is no JSON.
    pub shape: Value,
    /// What kind of fault it was, where no answer was taken.
    pub fault: Option<String>,
}

/// Where exchanges are kept, if they are. Two of these are alike: they say nothing of which account is meant.
#[derive(Clone, Default, Debug)]
pub struct Exchanges(Option<Arc<Mutex<Vec<Exchange>>>>);

impl PartialEq for Exchanges {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Exchanges {}

impl Exchanges {
    pub fn kept() -> Self {
        Self(Some(Arc::default()))
    }

    pub fn all(&self) -> Vec<Exchange> {
        let held = self.0.as_ref().map(|held| held.lock().unwrap_or_else(PoisonError::into_inner));
        held.map(|held| held.clone()).unwrap_or_default()
    }

    pub(super) fn add(
        &self,
        (method, url): (&'static str, &Url),
        (status, headers): (u16, &HeaderMap),
        body: &[u8],
        took: Duration,
    ) {
        let header =
            |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
                let value = value.to_str().ok().filter(|_| SHOWN.contains(&name.as_str()));
                (name.to_string(), value.map_or(Value::Null, |value| visible(value).into()))
            };
        self.keep(|| Exchange {
            method,
            path: path(url),
            status,
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            bytes: body.len(),
            headers: headers.iter().map(header).collect(),
            shape: Some(body)
                .filter(|body| body.len() <= MOST_BYTES)
                .and_then(|body| serde_json::from_slice(body).ok())
                .map_or(Value::Null, |body| shape(&body, MOST_LEVELS)),
            fault: None,
        });
    }

    /// A question that came to no answer, or to one that is not kept.
    pub(super) fn failed(&self, method: &'static str, url: &Url, fault: &Fault) {
        let kind = || {
            let all = format!("{fault:?}");
            all.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned)
        };
        self.keep(|| Exchange {
            method,
            path: path(url),
            status: 0,
            milliseconds: 0,
            bytes: 0,
            headers: Vec::new(),
            shape: Value::Null,
            fault: kind(),
        });
    }

    fn keep(&self, exchange: impl FnOnce() -> Exchange) {
        let Some(held) = &self.0 else { return };
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() < MOST {
            held.push(exchange());
        }
    }
}

fn path(url: &Url) -> String {
    let is_known =
        |part: &str| part.is_empty() || KNOWN.iter().any(|known| known.eq_ignore_ascii_case(part));
    let parts = url.path_segments().into_iter().flatten();
    let parts: Vec<&str> = parts.map(|part| if is_known(part) { part } else { "<name>" }).collect();
    format!("/{}", parts.join("/"))
}

/// Types for values, the first entry for a list.
fn shape(of: &Value, levels: usize) -> Value {
    let text = |text: &str| Value::from(text);
    match of {
        _ if levels == 0 => text("…"),
        Value::Null => text("null"),
        Value::Bool(_) => text("boolean"),
        Value::Number(_) => text("number"),
        Value::String(held) => text(if held.is_empty() { "empty text" } else { "text" }),
        Value::Array(list) => {
            let first = list.first().map(|first| shape(first, levels - 1));
            let entries = Value::from(list.len());
            Value::Object(Map::from_iter([
                ("entries".to_owned(), entries),
                ("first".to_owned(), first.unwrap_or(Value::Null)),
            ]))
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let is_theirs = OF_SOMEBODY.contains(&name.as_str());
                let shape = if is_theirs { text("object") } else { shape(value, levels - 1) };
                (visible(name).into_owned(), shape)
            };
            members.iter().take(MOST_MEMBERS).map(member).collect::<Map<_, _>>().into()
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_shows_shapes_and_no_value() {
        let kept = Exchanges::kept();
        let url = Url::parse("https://contoso.documents.azure.com/dbs/shop/colls/orders").unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("x-ms-request-charge", "2.5".parse().unwrap());
        headers.insert("x-ms-operation-identifier", "tenantId=secret".parse().unwrap());
        let body = br#"{"id":"orders","statistics":[{"sizeInKB":7,"partitionKeys":[{"partitionKey":["contoso"]}]}],"tags":{"owner":"x"}}"#;
        kept.add(("GET", &url), (200, &headers), body, Duration::ZERO);
        let all = kept.all();
        let told = format!("{all:?}");
        for name in ["contoso", "shop", "orders", "secret", "owner"] {
            assert!(!told.contains(name), "{name} in {told}");
        }
        let [one] = all.as_slice() else { unreachable!() };
        assert_eq!(one.path, "/dbs/<name>/colls/<name>");
        assert_eq!(one.shape["statistics"]["first"]["sizeInKB"], "number");
        assert!(one.headers.contains(&("x-ms-request-charge".to_owned(), "2.5".into())));
        assert_eq!(Exchanges::default().all(), []);
    }
}
