//! What a filter leaves possible for one property: a few values, a range, or anything.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::key::Part;
use crate::model::path::Path;

/// What a property is compared with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operand {
    Known(Part),
    /// Its value is not given; the name is without the `@`.
    Parameter(Box<str>),
    /// One value, computed when the query runs; the number tells one from another.
    Computed(u32),
}

impl Operand {
    pub fn known(&self) -> Option<&Part> {
        match self {
            Self::Known(part) => Some(part),
            Self::Parameter(_) | Self::Computed(_) => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    OneOf(OneOf),
    Range(Range),
}

/// One value is an equality, several are an IN.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OneOf {
    pub values: BTreeSet<Operand>,
    /// Parameters that are lists whose length is not known.
    pub lists: BTreeSet<Box<str>>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Range {
    pub low: Option<Operand>,
    pub high: Option<Operand>,
    /// Whether `high` itself is outside.
    pub below: bool,
    /// A text that begins with these characters.
    pub prefix: Option<Box<str>>,
}

/// What holds of a document together; a path that is missing may have any value.
pub type Alternative = BTreeMap<Path, Constraint>;

impl OneOf {
    pub fn one(value: Operand) -> Self {
        Self { values: [value].into(), lists: BTreeSet::new() }
    }

    /// The values, if all of them are known.
    pub fn known(&self) -> Option<Vec<&Part>> {
        if !self.lists.is_empty() {
            return None;
        }
        self.values.iter().map(Operand::known).collect()
    }

    /// What both allow; where a value is not known, the narrower of the two, which is still true.
    fn and(self, other: Self) -> Self {
        if self.known().is_some() && other.known().is_some() {
            let (few, many) =
                if self.values.len() <= other.values.len() { (self, other) } else { (other, self) };
            let values = few.values.into_iter();
            return Self {
                values: values.filter(|value| many.values.contains(value)).collect(),
                lists: BTreeSet::new(),
            };
        }
        let width = |set: &Self| (set.lists.len(), set.values.len(), set.known().is_none());
        if width(&self) <= width(&other) { self } else { other }
    }

    fn or(&mut self, other: &Self) {
        self.values.extend(other.values.iter().cloned());
        self.lists.extend(other.lists.iter().cloned());
    }
}

impl Range {
    fn and(self, other: Self) -> Self {
        let high = tighter(self.high.clone(), other.high.clone(), Ord::min);
        Self {
            low: tighter(self.low, other.low, Ord::max),
            below: (self.below && self.high == high) || (other.below && other.high == high),
            high,
            prefix: match (self.prefix, other.prefix) {
                (Some(a), Some(b)) => Some(if a.len() >= b.len() { a } else { b }),
                (a, b) => a.or(b),
            },
        }
    }
}

/// The narrower of two bounds; a known one before one that is not. Values of two types are never both met.
fn tighter(
    a: Option<Operand>,
    b: Option<Operand>,
    choose: fn(Operand, Operand) -> Operand,
) -> Option<Operand> {
    match (a, b) {
        (Some(a), Some(b)) => Some(match (a.known(), b.known()) {
            (Some(_), Some(_)) => choose(a, b),
            (None, Some(_)) => b,
            _ => a,
        }),
        (a, b) => a.or(b),
    }
}

impl Constraint {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::OneOf(a), Self::OneOf(b)) => Self::OneOf(a.and(b)),
            (Self::Range(a), Self::Range(b)) => Self::Range(a.and(b)),
            (values @ Self::OneOf(_), Self::Range(_))
            | (Self::Range(_), values @ Self::OneOf(_)) => values,
        }
    }
}

/// Narrows `held` by what else must hold; says whether a document can still meet it.
pub(super) fn narrow(held: &mut Alternative, further: Alternative) -> bool {
    for (path, constraint) in further {
        let both = match held.remove(&path) {
            Some(before) => before.and(constraint),
            None => constraint,
        };
        if matches!(&both, Constraint::OneOf(set) if set.values.is_empty() && set.lists.is_empty())
        {
            return false;
        }
        held.insert(path, both);
    }
    true
}

/// Takes `other` into `held` where one path tells them apart and both list its values; else gives it back.
pub(super) fn unite(held: &mut Alternative, other: Alternative) -> Result<(), Alternative> {
    if !held.keys().eq(other.keys()) {
        return Err(other);
    }
    let mut differing = held.values_mut().zip(other.values()).filter(|(a, b)| **a != **b);
    match (differing.next(), differing.next()) {
        (None, _) => Ok(()),
        (Some((Constraint::OneOf(set), Constraint::OneOf(more))), None) => {
            set.or(more);
            Ok(())
        }
        _ => Err(other),
    }
}
