//! What can stand at the cursor of a key expression, and the table that explains its grammar.

use crate::model::path::Path;

use super::super::grammar::{self, Completion, Help, Offer, completions, help, starts};
use super::MAX_LEVELS;
use super::parse::{FUNCTIONS, Function, KeyReader, KeySlot};

/// Every piece of the grammar; each example is a key.
pub const HELP: [Help; 13] = help! {
    "/path", "/device-data/type", "a property as it stands; quotes around names with blanks";
    "\"text\"", "/vin + \"-\" + month(/time)", "as it stands, between parts";
    "+", "/tenantId + \"-\" + /userId", "joined to one text";
    ">", "/tenantId > /userId > /id", "the next level of a hierarchical key, at most three";
    "year", "/vin + \"-\" + year(/time)", "2026: a time cut to its year, in UTC";
    "month", "/vin + \"-\" + month(/time)", "2026-06";
    "day", "/vin + \"-\" + day(/time)", "2026-06-22";
    "hour", "/vin + \"-\" + hour(/time)", "2026-06-22T14";
    "minute", "/vin + \"-\" + minute(/time)", "2026-06-22T14:05";
    "prefix", "prefix(/postcode, 3)", "the first characters of a value";
    "lower", "lower(/country)", "a value in lower case";
    "random", "/date + \".\" + random(400)", "a suffix from 1 on, drawn for each document; reads ask all of them";
    "bucket", "/date + \".\" + bucket(/vin, 400)", "a suffix from 1 on that the application computes from a value";
};

/// A path of the loaded documents, to be offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPath {
    pub path: Path,
    pub kind: PathKind,
}

words! {
    /// What stands at a path.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum PathKind {
        Text = "text",
        Number = "number",
        Bool = "true or false",
        /// Texts or numbers that are moments.
        Time = "time",
        Mixed = "values of several types",
        /// Lists and objects, which no key can hold: never offered.
        Unusable = "lists or objects, which no key can hold",
    }
    fn meaning
}

/// What fits at the cursor, which stands behind that many characters.
pub fn complete(text: &str, cursor: usize, known: &[KnownPath]) -> Vec<Completion> {
    completions(text, cursor, |before| {
        let mut place = KeyReader::new(before);
        _ = place.candidate();
        let begun = before.get(place.start..).unwrap_or_default();
        let has_path = matches!(place.slot, KeySlot::Part | KeySlot::Path(_));
        // Nothing inside quotes, and behind what is no key.
        let is_here =
            begun.is_empty() || place.open == before.len() || (has_path && begun.starts_with('/'));
        is_here.then(|| (place.start, offers(&place, begun, before, known)))
    })
}

fn instead(text: impl Into<String>, meaning: &'static str) -> Offer {
    (0, text.into(), meaning)
}

/// Stands behind what was begun, not in its place.
fn behind(text: impl Into<String>, meaning: &'static str) -> Offer {
    (usize::MAX, text.into(), meaning)
}

fn offers(place: &KeyReader<'_>, begun: &str, before: &str, known: &[KnownPath]) -> Vec<Offer> {
    let is_whole =
        |begun: &str| Path::parse(begun).is_ok_and(|p| known.iter().any(|k| k.path == p));
    match place.slot {
        KeySlot::Part => {
            let mut offers = functions(begun);
            offers.extend(paths(begun, known, None));
            if is_whole(begun) {
                offers.extend(joints(place, before));
            }
            offers
        }
        KeySlot::Path(function) => {
            let mut offers: Vec<Offer> = paths(begun, known, Some(function)).collect();
            if is_whole(begun) {
                offers.extend(after_path(function));
            }
            offers
        }
        KeySlot::Opening(function) => {
            let opening = FUNCTIONS.iter().find(|(_, f)| *f == function);
            let opening = opening.map(|(name, _)| behind("(", meaning(name)));
            opening.into_iter().collect()
        }
        KeySlot::Comma(function) => after_path(function),
        KeySlot::Number(function) if begun.is_empty() => numbers(function),
        KeySlot::Number(_) | KeySlot::Closing => vec![behind(")", "")],
        KeySlot::Joint => joints(place, before),
    }
}

fn meaning(name: &str) -> &'static str {
    grammar::meaning(&HELP, name)
}

fn functions(begun: &str) -> Vec<Offer> {
    let fitting = FUNCTIONS.iter().filter(|(name, _)| starts(name, begun));
    fitting.map(|(name, _)| instead(format!("{name}("), meaning(name))).collect()
}

/// Paths that begin so first, then those that hold it; a date function has its times before both.
fn paths<'k>(
    begun: &str,
    known: &'k [KnownPath],
    function: Option<Function>,
) -> impl Iterator<Item = Offer> + use<'k> {
    let is_date = matches!(function, Some(Function::Date(_)));
    let begun = begun.to_lowercase();
    let inner = begun.trim_start_matches(['/', '"']);
    let mut fitting: Vec<(bool, bool, &KnownPath, String)> = known
        .iter()
        .filter(|known| known.kind != PathKind::Unusable)
        .filter_map(|known| {
            let text = known.path.to_string();
            let lower = text.to_lowercase();
            let begins = lower.starts_with(&begun);
            let comes_late = is_date && known.kind != PathKind::Time;
            (begins || lower.contains(inner)).then_some((comes_late, !begins, known, text))
        })
        .collect();
    fitting.sort_by_key(|(comes_late, holds, ..)| (*comes_late, *holds));
    fitting.into_iter().map(|(_, _, known, text)| instead(text, known.kind.meaning()))
}

fn after_path(function: Function) -> Vec<Offer> {
    match function {
        Function::Prefix => vec![behind(", ", "number of characters")],
        Function::Bucket => vec![behind(", ", "number of buckets")],
        _ => vec![behind(")", "")],
    }
}

fn numbers(function: Function) -> Vec<Offer> {
    let (choices, meaning) = match function {
        Function::Prefix => (["2", "3", "4"], "characters"),
        _ => (["10", "100", "400"], "different suffixes"),
    };
    let offer = |number| behind(format!("{number})"), meaning);
    choices.map(offer).into()
}

fn joints(place: &KeyReader<'_>, before: &str) -> Vec<Offer> {
    let blank = if before.ends_with(char::is_whitespace) { "" } else { " " };
    let mut offers = vec![behind(format!("{blank}+ "), meaning("+"))];
    if place.levels + 1 < MAX_LEVELS {
        offers.push(behind(format!("{blank}> "), meaning(">")));
    }
    offers
}
