//! Things that happened while an account was looked at: partitions that split, containers that were deleted and created
//! again, questions that began to fail or answer again.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::Page;
use crate::model::time::Stamp;
use crate::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle};

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub at: Stamp,
    pub inquiry: Inquiry,
    pub happened: EventKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A physical partition became others; ids as the service gives them.
    Split { from: String, into: Vec<String> },
    /// Physical partitions went and others came, without telling which became which.
    Changed { before: usize, after: usize },
    /// The container was deleted and another one created under its name.
    Recreated,
    /// Questions of this kind have no answer from here on.
    Failed(Obstacle),
    /// They have one again.
    Recovered,
}

/// What an answer or its absence means beside the one before.
pub(super) fn of(seen: &Observation, before: Option<&Answer>, page: Option<&Page>) -> Vec<Event> {
    let failing = page.and_then(|page| page.failure.as_ref());
    let happened = match seen {
        Observation::Failure(failure) => {
            let obstacle = failure.trouble.obstacle;
            let known = failing.is_some_and(|held| held.trouble.obstacle == obstacle);
            if known || !failure.is_missed() {
                Vec::new()
            } else {
                vec![EventKind::Failed(obstacle)]
            }
        }
        Observation::Answer(answer) => {
            let mut happened = Vec::new();
            if failing.is_some() && before.is_some() {
                happened.push(EventKind::Recovered);
            }
            if answer.inquiry.kind == Kind::Ranges
                && let Some(before) = before
            {
                happened.extend(splits(&before.body, &answer.body));
            }
            if answer.inquiry.kind == Kind::Container
                && let Some(before) = before
                && is_other_resource(&before.body, &answer.body)
            {
                happened.push(EventKind::Recreated);
            }
            happened
        }
    };
    let event = |happened| Event { at: seen.at(), inquiry: seen.inquiry().clone(), happened };
    happened.into_iter().map(event).collect()
}

/// Whether both say which resource they are of, and it is not the same.
fn is_other_resource(before: &[u8], after: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Resource {
        #[serde(rename = "_rid")]
        rid: String,
    }
    let rid = |body: &[u8]| serde_json::from_slice(body).ok().map(|of: Resource| of.rid);
    before != after && rid(before).zip(rid(after)).is_some_and(|(before, after)| before != after)
}

/// Ids with their parents.
fn ranges(body: &[u8]) -> BTreeMap<String, Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let feed: Value = serde_json::from_slice(body).unwrap_or_default();
    let entries = feed.get("PartitionKeyRanges").and_then(Value::as_array);
    let entries = entries.into_iter().flatten().filter_map(|entry| {
        let parents = entry.get("parents").and_then(Value::as_array);
        let parents = parents.into_iter().flatten().filter_map(text).collect();
        Some((text(entry.get("id")?)?, parents))
    });
    entries.collect()
}

fn splits(before: &[u8], after: &[u8]) -> Vec<EventKind> {
    let (before, after) = (ranges(before), ranges(after));
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let mut happened = Vec::new();
    let mut explained = 0;
    for gone in before.keys().filter(|id| !after.contains_key(*id)) {
        let children = after
            .iter()
            .filter(|(id, parents)| !before.contains_key(*id) && parents.contains(gone));
        let into: Vec<String> = children.map(|(id, _)| id.clone()).collect();
        if into.len() > 1 {
            explained += into.len();
            happened.push(EventKind::Split { from: gone.clone(), into });
        }
    }
    let new = after.keys().filter(|id| !before.contains_key(*id)).count();
    if new > explained || (new == 0 && after.len() < before.len()) {
        happened.push(EventKind::Changed { before: before.len(), after: after.len() });
    }
    happened
}
