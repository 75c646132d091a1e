//! Operations on one document by its id: they need its whole key.

use super::super::candidate::{Candidate, LevelPart};
use super::layout::RoutedLayout;
use super::matching_keys::expected_visits;
use super::route::{Route, Routing};
use crate::model::units::real;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointOperation {
    Create,
    Read,
    Replace,
    Upsert,
    Delete,
    /// At most 100 operations on documents of one key, all or none.
    Batch,
    /// A stored procedure, which sees the documents of one key.
    Procedure,
}

impl PointOperation {
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "create" | "insert" => Self::Create,
            "read" | "readitem" => Self::Read,
            "replace" | "update" | "patch" => Self::Replace,
            "upsert" => Self::Upsert,
            "delete" => Self::Delete,
            "batch" => Self::Batch,
            "execute" | "procedure" => Self::Procedure,
            _ => return None,
        })
    }
}

/// A document's key can be computed from the document, unless a part of it was drawn: then each draw must be tried.
pub fn route_point(
    operation: PointOperation,
    candidate: &Candidate,
    layout: &RoutedLayout,
) -> Route {
    let drawn = drawn(candidate);
    if drawn <= 1 || operation == PointOperation::Create {
        let what = match operation {
            PointOperation::Create | PointOperation::Replace | PointOperation::Upsert => {
                "the document is sent whole, its key with it"
            }
            PointOperation::Read | PointOperation::Delete => "the id and the whole key are sent",
            PointOperation::Batch | PointOperation::Procedure => {
                "the whole key is sent: atomic for documents of that key"
            }
        };
        return Route::new(Routing::Single, Some(1.0), format!("{what}: one physical partition"));
    }
    let of = layout.partitions();
    let keys = real(drawn);
    let visits = expected_visits(f64::from(of), keys, 1.0);
    let more = match operation {
        PointOperation::Upsert => ", and an upsert under another one would make a second document",
        _ => "",
    };
    let why = format!(
        "the random part was drawn when the document was made: unless it is remembered, up to {drawn} keys must be tried{more}"
    );
    Route::new(Routing::Targeted { visits, of }, Some(keys), why)
}

/// How many values a document's key may have by chance.
fn drawn(candidate: &Candidate) -> u64 {
    let drawn = candidate.parts().map(|part| match part {
        LevelPart::Random { buckets } => u64::from(buckets.get()),
        _ => 1,
    });
    drawn.fold(1, u64::saturating_mul)
}
