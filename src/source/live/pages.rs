//! Pages of queries: what is asked of one physical partition at a time, and what is read of an answer to go on.

use std::sync::Arc;

use crate::source::answers::{Answer, Asked, Seen};
use crate::source::json::read;

/// One page of a query in one physical partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PageAsk {
    /// What it is called in recordings: the part names range, place and number.
    pub asked: Asked,
    /// The partition key range.
    pub range: String,
    /// Part of its hash range: start and end in hexadecimal digits.
    pub window: Option<(String, String)>,
    pub query: Arc<str>,
    /// Entries at most.
    pub most: u32,
    pub continuation: Option<String>,
    /// Where it belongs, for whoever asks.
    pub stratum: usize,
    pub place: usize,
}

/// What came back. The token to go on with stands beside it, since it says nothing about the data.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    pub seen: Seen,
    pub continuation: Option<String>,
}

/// What is read of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    pub entries: u64,
    /// Of the texts of the entries, without blanks.
    pub bytes: u64,
    pub answer: Arc<[u8]>,
}

/// Why a page has to be asked for once more, or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setback {
    /// Later, as it is.
    Again,
    /// The service does not read parts of a hash range.
    NoWindows,
    /// It gives all of a partition whatever part of it was asked for.
    Repeats,
    /// The partition is there no more.
    Moved,
}

/// The entries of a page, as they stand there. None where it is no page.
pub fn entries(answer: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(answer).ok()?;
    let members = read::members(text).ok()??;
    read::elements(read::member(&members, "documents")?).ok()?
}

impl Body {
    pub fn of(answer: &Answer) -> Option<Self> {
        let entries = entries(&answer.body)?;
        let bytes: usize = entries.iter().map(|entry| read::compact(entry).len()).sum();
        Some(Self {
            entries: entries.len() as u64,
            bytes: bytes as u64,
            answer: Arc::clone(&answer.body),
        })
    }
}
