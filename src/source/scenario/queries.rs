//! What applications ask of a container, kind by kind, as its load carries it.

use super::document_spec::QueryLine;
use super::spec::Operation;

/// One kind of request.
#[derive(Clone, PartialEq, Debug)]
pub struct QuerySpec {
    pub name: String,
    pub access: Access,
    /// Paths that it compares for equality. A write sends the whole document, so that any key routes it to one partition;
    /// the paths of a write are those of the container's key.
    pub equal_paths: Vec<String>,
    /// Paths that it compares with a range.
    pub range_paths: Vec<String>,
    pub per_second: f64,
    /// On each physical partition that it visits.
    pub ru_per_visit: f64,
    /// One line; of a write a comment, since no SQL sends one.
    pub sql: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

impl QuerySpec {
    pub(super) fn new(line: &QueryLine) -> Self {
        let access = match line.operation {
            Operation::Create | Operation::Replace => Access::Write,
            Operation::Read | Operation::Query => Access::Read,
        };
        Self {
            name: line.name.clone(),
            access,
            equal_paths: line.equal.clone(),
            range_paths: line.range.clone(),
            per_second: line.per_second,
            ru_per_visit: line.ru_each,
            sql: line.sql.clone(),
        }
    }
}
