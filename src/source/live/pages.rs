//! Pages of queries: what is asked of one physical partition at a time, and what is read of an answer to go on.

use std::sync::Arc;

use crate::model::documents::ReadWindow;
use crate::model::epk::Epk;
use crate::source::answers::{Answer, Inquiry, Observation};
use crate::source::json::read;

/// The place of what is no page of documents, but tells of them.
pub const NO_PLACE: usize = usize::MAX;

/// One page of a query in one physical partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PageAsk {
    /// What it is called in recordings: the part names range, place and number.
    pub inquiry: Inquiry,
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
pub struct FeedPage {
    pub seen: Observation,
    pub continuation: Option<String>,
}

/// What is read of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct PageBody {
    pub entries: u64,
    /// Of the texts of the entries, without blanks.
    pub bytes: u64,
    pub answer: Arc<[u8]>,
    pub ru: Option<f64>,
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
    /// The service does not tell what was asked beside documents.
    Untold,
    /// The partition is there no more.
    Moved,
}

/// The entries of a page, as they stand there. None where it is no page.
pub fn entries(answer: &[u8]) -> Option<Vec<&str>> {
    read::list(std::str::from_utf8(answer).ok()?, "documents")
}

/// An answer with the window that it is of, and whether that ends with it: the answer itself does not tell.
pub fn with_window(answer: String, window: Option<&(String, String)>, is_last: bool) -> String {
    match (window, answer.trim_end().strip_suffix('}')) {
        (Some((start, end)), Some(members)) => format!(
            r#"{members},"_cosmoscope":{{"window":["{start}","{end}"],"last":{is_last}}}}}"#
        ),
        _ => answer,
    }
}

/// The window that an answer was noted to be of.
pub fn window_of(answer: &[u8]) -> Option<ReadWindow> {
    let noted = read::field(std::str::from_utf8(answer).ok()?, "_cosmoscope")?;
    let ends = read::list(noted, "window")?;
    let mut ends = ends.into_iter().map(|end| Epk::from_hex(&read::text(end)?));
    Some(ReadWindow {
        bounds: Some((ends.next()??, ends.next()??)),
        is_whole: read::field(noted, "last").is_some_and(|last| last.trim() == "true"),
        is_of_time: false,
    })
}

impl PageBody {
    pub fn of(answer: &Answer) -> Option<Self> {
        let entries = entries(&answer.body)?;
        let bytes: usize = entries.iter().map(|entry| read::compact(entry).len()).sum();
        Some(Self {
            entries: entries.len() as u64,
            bytes: bytes as u64,
            answer: Arc::clone(&answer.body),
            ru: answer.ru,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_its_window_once_that_is_noted() {
        let page = r#"{"_rid":"x","Documents":[{"id":"1"}],"_count":1}"#;
        let window = ("0A00".to_owned(), "0B".to_owned());
        let noted = with_window(page.to_owned(), Some(&window), true);
        assert_eq!(entries(noted.as_bytes()), entries(page.as_bytes()));
        let bounds = Epk::from_hex("0A").zip(Epk::from_hex("0B"));
        let is_whole = true;
        assert_eq!(
            window_of(noted.as_bytes()),
            Some(ReadWindow { bounds, is_whole, is_of_time: false })
        );
        assert_eq!(window_of(page.as_bytes()), None);
        assert_eq!(with_window(page.to_owned(), None, true), page);
    }
}
