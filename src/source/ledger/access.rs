//! What each kind of question gave: when last, for how much, and what stands in the way.

use std::collections::BTreeMap;

use super::Page;
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Trouble};

/// One kind of question.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    pub kind: Kind,
    /// Questions that have an answer.
    pub answered: u64,
    pub newest: Option<Stamp>,
    /// Questions whose last try failed.
    pub failing: u64,
    /// The newest of what stands in the way.
    pub trouble: Option<(Stamp, Trouble)>,
    pub ru: f64,
}

pub(super) fn of<'p>(pages: impl Iterator<Item = (&'p Inquiry, &'p Page)>) -> Vec<Access> {
    let mut kinds: BTreeMap<Kind, Access> = BTreeMap::new();
    for (inquiry, page) in pages {
        let access = kinds.entry(inquiry.kind).or_insert_with(|| Access {
            kind: inquiry.kind,
            answered: 0,
            newest: None,
            failing: 0,
            trouble: None,
            ru: 0.0,
        });
        access.ru += page.ru;
        if let Some(answer) = page.newest() {
            access.answered += 1;
            access.newest = access.newest.max(Some(answer.at));
        }
        if let Some(failure) = page.failure.as_ref().filter(|f| f.is_missed()) {
            access.failing += 1;
            if access.trouble.as_ref().is_none_or(|(at, _)| *at <= failure.at) {
                access.trouble = Some((failure.at, failure.trouble.clone()));
            }
        }
    }
    kinds.into_values().collect()
}
