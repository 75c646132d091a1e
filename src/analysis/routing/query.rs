//! A query as routing sees it: its condition and what its parameters were given as.

use std::collections::BTreeSet;

use crate::model::path::Path;

use super::constraint::{Alternative, Constraint};
use super::expression::Expression;
use super::filter::{Parameters, PathSelection, Read, alternatives};
use super::parser;

/// Where a text stops being a query, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryFault {
    /// Bytes before it.
    pub at: usize,
    pub what: &'static str,
}

impl QueryFault {
    pub(super) fn new(at: usize, what: &'static str) -> Self {
        Self { at, what }
    }

    /// A sentence with the line and the character at which it is, both counted from 1.
    pub fn sentence(&self, sql: &str) -> String {
        let before = sql.get(..self.at).unwrap_or(sql);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        let what = self.what;
        if sql.trim_end().contains('\n') {
            format!("not understood at line {line}, character {column}: {what}")
        } else {
            format!("not understood at character {column}: {what}")
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    /// None asks for every document.
    condition: Option<Expression>,
    pub parameters: Parameters,
}

impl Query {
    pub fn parse(sql: &str) -> Result<Self, QueryFault> {
        Ok(Self { condition: parser::filter(sql)?, parameters: Parameters::new() })
    }

    /// What a document must meet at least one of; none at all means that no document can.
    pub(super) fn alternatives(&self, given: &Parameters, wanted: PathSelection<'_>) -> Read {
        match &self.condition {
            Some(condition) => alternatives(condition, given, wanted),
            None => Ok(vec![Alternative::new()]),
        }
    }

    /// The properties that every document found has one of a few known values of: those that a key could be made of.
    pub fn equal_paths(&self) -> BTreeSet<Path> {
        let all = self.alternatives(&self.parameters, None).unwrap_or_default();
        let mut found = all.iter().map(|alternative| {
            let is_equal = |constraint: &Constraint| matches!(constraint, Constraint::OneOf(_));
            let paths = alternative.iter().filter(|(_, held)| is_equal(held));
            paths.map(|(path, _)| path.clone()).collect()
        });
        let first: BTreeSet<Path> = found.next().unwrap_or_default();
        found.fold(first, |held, next| held.intersection(&next).cloned().collect())
    }

    /// Every property that its condition names; None where a part of it is not understood.
    pub fn filtered_paths(&self) -> Option<BTreeSet<Path>> {
        let mut found = BTreeSet::new();
        let condition = self.condition.as_ref();
        condition.is_none_or(|condition| condition.name_paths(&mut found)).then_some(found)
    }
}
