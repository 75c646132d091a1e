//! Visible text cut to its room: both ends and whole codes stay, and in one column no two different texts look alike.

use std::collections::{HashMap, HashSet};

use super::{Class, character_width, classify, code_len, display_width};
use crate::model::murmur;

const ELLIPSIS: &str = "…";
/// Each try takes another hash, with one digit more up to the most.
const TRIES: u64 = 12;
const LEAST_DIGITS: u64 = 4;
const MOST_DIGITS: u64 = 8;

/// Cuts the middle out of already visible text so that it fits; codes and marked characters stay whole.
pub fn shorten(shown: &str, width_columns: usize) -> String {
    shorten_marked(shown, width_columns, ELLIPSIS, "")
}

/// With this ellipsis where it is cut, and if a hash is given one on each side of it.
pub fn shorten_marked(shown: &str, width_columns: usize, ellipsis: &str, hash: &str) -> String {
    if display_width(shown) <= width_columns {
        return shown.to_owned();
    }
    let sign = match hash {
        "" => ellipsis.to_owned(),
        hash => format!("{ellipsis}{hash}{ellipsis}"),
    };
    let Some(budget) = width_columns.checked_sub(display_width(&sign)) else {
        return sign.chars().take(width_columns).collect();
    };
    let tokens = tokens(shown);
    // The end tells long keys apart more often than the start: it gets the odd column, and room for one whole code.
    let last = tokens.last().map_or(0, |token| token.columns);
    let half = budget - budget / 2;
    let tail = fitting(tokens.iter().rev(), if last <= budget { half.max(last) } else { half });
    let head = fitting(tokens.iter(), budget - tail.columns);
    let start = shown.get(..head.bytes).unwrap_or_default();
    let end = shown.get(shown.len() - tail.bytes..).unwrap_or_default();
    format!("{start}{sign}{end}")
}

/// Visible texts of one column, each in at most so many columns.
pub fn shorten_column<T: AsRef<str>>(texts: &[T], width_columns: usize) -> Vec<String> {
    distinct_cells(texts, |_, text, hash| shorten_marked(text, width_columns, ELLIPSIS, hash))
}

/// The cells of one column, of which those of different texts differ if they have 12 columns or more.
///
/// `cell` gets a text with its place and shortens it, with the hash in place of what is cut, if there is one. Only texts
/// that would look like another one are given a hash: of the text alone, so that a key keeps it from view to view.
pub fn distinct_cells<T: AsRef<str>>(
    texts: &[T],
    cell: impl Fn(usize, &str, &str) -> String,
) -> Vec<String> {
    let all = texts.iter().map(AsRef::as_ref).enumerate();
    let mut cells: Vec<String> = all.clone().map(|(at, text)| cell(at, text, "")).collect();
    for again in 0..TRIES {
        let ambiguous = ambiguous(texts, &cells);
        if ambiguous.is_empty() {
            break;
        }
        for ((at, text), made) in all.clone().zip(&mut cells) {
            if ambiguous.contains(made) {
                *made = cell(at, text, &hash(text, again));
            }
        }
    }
    cells
}

/// The cells that stand for more than one text.
fn ambiguous<T: AsRef<str>>(texts: &[T], cells: &[String]) -> HashSet<String> {
    let mut text_of = HashMap::with_capacity(cells.len());
    let mut found = HashSet::new();
    for (cell, text) in cells.iter().zip(texts) {
        if *text_of.entry(cell).or_insert(text.as_ref()) != text.as_ref() {
            found.insert(cell.clone());
        }
    }
    found
}

fn hash(text: &str, again: u64) -> String {
    let (first, second) = murmur::x64_128(text.as_bytes());
    let digits = (LEAST_DIGITS + again).min(MOST_DIGITS);
    let bits = first.wrapping_add(second.wrapping_mul(again)) >> (64 - 4 * digits);
    let width = usize::try_from(digits).unwrap_or_default();
    format!("#{bits:0width$x}")
}

/// A run of visible text that must not be cut.
#[derive(Clone, Copy, Default)]
struct Extent {
    bytes: usize,
    columns: usize,
}

fn tokens(shown: &str) -> Vec<Extent> {
    let mut tokens: Vec<Extent> = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(character) = rest.chars().next() {
        let code = code_len(rest);
        let bytes = code.unwrap_or(character.len_utf8());
        let columns = code.unwrap_or_else(|| character_width(character));
        match tokens.last_mut() {
            Some(base) if classify(character) == Class::Mark => {
                base.bytes += bytes;
                base.columns += columns;
            }
            _ => tokens.push(Extent { bytes, columns }),
        }
        rest = rest.get(bytes..).unwrap_or_default();
    }
    tokens
}

/// As many whole tokens as fit into `columns`.
fn fitting<'a>(tokens: impl Iterator<Item = &'a Extent>, columns: usize) -> Extent {
    let mut sum = Extent::default();
    for token in tokens {
        if sum.columns + token.columns > columns {
            break;
        }
        sum.bytes += token.bytes;
        sum.columns += token.columns;
    }
    sum
}
