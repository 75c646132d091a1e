//! What names of properties say of their values: some seem to change, which a document's key cannot, so a change means delete and
//! insert; by others things are told apart.

use crate::model::path::Path;

/// What changes, and last words of names that say so.
const LAST_WORDS: [(&str, &[&str]); 5] = [
    (
        STATE,
        &[
            "status", "state", "stage", "phase", "step", "progress", "active", "enabled",
            "disabled", "deleted", "archived", "locked",
        ],
    ),
    (
        FIGURE,
        &[
            "score", "rank", "rating", "points", "balance", "quantity", "stock", "count", "total",
            "price", "priority",
        ],
    ),
    (VERSION, &["version", "revision", "etag"]),
    (TIME, &["updated", "modified", "changed", "accessed", "seen"]),
    (PERSON, &["assignee", "owner", "email", "phone", "username"]),
];

/// The same of first words; some mark the newest of something.
const FIRST_WORDS: [(&str, &[&str]); 4] = [
    (TIME, &["updated", "modified", "changed"]),
    (NEWEST, &["last", "latest", "current"]),
    (PERSON, &["assigned"]),
    (STATE, &["is", "has"]),
];

/// Last words of names by which things are told apart.
const IDENTITIES: [&str; 10] =
    ["id", "key", "code", "number", "no", "vin", "guid", "uid", "uuid", "sku"];

/// Inside these a `state` is a part of a country.
const PLACES: [&str; 5] = ["address", "location", "billing", "shipping", "place"];

const STATE: &str = "a state that documents pass through";
const FIGURE: &str = "a figure that is counted up and down";
const VERSION: &str = "a mark that every change renews";
const TIME: &str = "the time of the last change";
const NEWEST: &str = "the newest of a series";
const PERSON: &str = "what people change";

/// What changes at a path, if its name says so.
pub(in crate::analysis) fn changes(path: &Path) -> Option<&'static str> {
    let names: Vec<&str> = path.names().collect();
    let (name, outer) = names.split_last()?;
    let words = words(name);
    let (first, last) = (words.first()?, words.last()?);
    let is_place = |name: &&str| PLACES.contains(&name.to_lowercase().as_str());
    if last == "state" && outer.last().is_some_and(is_place) {
        return None;
    }
    let found = |table: &[(&'static str, &[&str])], word: &str| {
        let row = table.iter().find(|(_, words)| words.contains(&word));
        row.map(|(why, _)| *why)
    };
    // `lastName` is no newest name.
    if words.len() > 1 && !(first == "last" && last == "name") {
        found(&FIRST_WORDS, first).or_else(|| found(&LAST_WORDS, last))
    } else {
        found(&LAST_WORDS, last)
    }
}

/// Whether its name says that things are told apart by it.
pub(in crate::analysis) fn is_identity(path: &Path) -> bool {
    let name = path.names().last().unwrap_or_default();
    IDENTITIES.iter().any(|word| {
        let at = name.len().saturating_sub(word.len());
        let (before, last) = name.split_at_checked(at).unwrap_or_default();
        // `deviceId`, `device_id` and `id`, but not `humid`.
        let starts_word = before.is_empty()
            || before.ends_with(|c: char| !c.is_alphanumeric())
            || last.starts_with(char::is_uppercase);
        starts_word && last.eq_ignore_ascii_case(word)
    })
}

/// `lastUpdatedAt`, `last_updated_at` and `last-updated-at` are the same words.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_by_their_words() {
        let path = |text: &str| Path::parse(text).ok().and_then(|path| changes(&path));
        for text in [
            "/status",
            "/orderStatus",
            "/order_status",
            "/state",
            "/address/status",
            "/updatedAt",
            "/lastSeen",
            "/last-login",
            "/_etag",
            "/isActive",
            "/user/email",
            "/Version",
            "/score",
        ] {
            assert!(path(text).is_some(), "{text}");
        }
        for text in [
            "/tenantId",
            "/realEstate",
            "/address/state",
            "/lastName",
            "/createdAt",
            "/statusless",
            "/island",
            "/history",
            "/\"\"",
            "/discount",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
    }
}
