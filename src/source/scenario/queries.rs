//! What applications ask of a container, kind by kind, as its load carries it.

use serde::Deserialize;

use super::spec::Operation;

/// One kind of request.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuerySpec {
    pub name: String,
    pub operation: Operation,
    /// Paths that it compares for equality: tests hold the SQL against these and the ranges. A write sends the whole document, so that any key routes it to one partition;
    /// the paths of a write are those of the container's key.
    #[serde(default, rename = "equal")]
    pub equal_paths: Vec<String>,
    /// Paths that it compares with a range.
    #[serde(default, rename = "range")]
    pub range_paths: Vec<String>,
    pub per_second: f64,
    /// On each physical partition that it visits.
    #[serde(rename = "ru_each")]
    pub ru_per_visit: f64,
    /// One line; of a write a comment, since no SQL sends one.
    pub sql: String,
}

impl QuerySpec {
    /// As files of queries have it: the SQL, or the word of an operation on one document.
    pub fn statement(&self) -> String {
        match self.sql.strip_prefix("-- ").and_then(|said| said.split_once(':')) {
            Some((word, _)) => word.to_owned(),
            None => self.sql.clone(),
        }
    }
}
