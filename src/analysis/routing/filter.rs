//! Turns a condition into alternatives, of which a document meets at least one: what can be asked of a key.
//!
//! An alternative never says more than the condition: what is not understood leaves its property free.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::key::Part;
use crate::model::path::Path;

use super::super::grammar::Op;
use super::constraint::{Alternative, Constraint, OneOf, Operand, Range, narrow, unite};
use super::expression::Expression;

/// Beyond this a condition is no longer taken apart.
pub const MAX_ALTERNATIVES: usize = 64;

/// What a parameter was given as.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterValue {
    One(Part),
    List(Vec<Part>),
}

pub type Parameters = BTreeMap<Box<str>, ParameterValue>;

/// The condition has more alternatives than are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// Which properties matter, None for all; the others are left free, so that they make no alternatives.
pub type PathSelection<'a> = Option<&'a BTreeSet<&'a Path>>;

/// No alternative at all means that no document can meet the condition.
pub(super) fn alternatives(
    condition: &Expression,
    parameters: &Parameters,
    wanted: PathSelection<'_>,
) -> Read {
    let mut reader = Reader { parameters, wanted, computed: 0 };
    reader.read(condition, false)
}

struct Reader<'a> {
    parameters: &'a Parameters,
    wanted: PathSelection<'a>,
    computed: u32,
}

pub(super) type Read = Result<Vec<Alternative>, TooMany>;

fn free() -> Vec<Alternative> {
    vec![Alternative::new()]
}

impl Reader<'_> {
    /// As deep as the condition is nested, which reading it has bounded; `negated` where it stands under a NOT.
    fn read(&mut self, condition: &Expression, negated: bool) -> Read {
        match (condition, negated) {
            (Expression::And(parts), false) | (Expression::Or(parts), true) => {
                self.all(parts, negated)
            }
            (Expression::Or(parts), false) | (Expression::And(parts), true) => {
                self.any(parts, negated)
            }
            (Expression::Not(inner), _) => self.read(inner, !negated),
            (Expression::Value(Part::Bool(truth)), _) if *truth == negated => Ok(Vec::new()),
            _ => Ok(self.simple(condition, negated)),
        }
    }

    fn all(&mut self, parts: &[Expression], negated: bool) -> Read {
        let mut held = free();
        for part in parts {
            let read = self.read(part, negated)?;
            let mut crossed = Vec::new();
            if let [only] = read.as_slice() {
                // The common case, without copying what is already held.
                for mut one in held {
                    if narrow(&mut one, only.clone()) {
                        add(&mut crossed, one)?;
                    }
                }
            } else {
                for one in &held {
                    for other in &read {
                        let mut both = one.clone();
                        if narrow(&mut both, other.clone()) {
                            add(&mut crossed, both)?;
                        }
                    }
                }
            }
            held = crossed;
        }
        Ok(held)
    }

    fn any(&mut self, parts: &[Expression], negated: bool) -> Read {
        let mut held = Vec::new();
        for part in parts {
            for one in self.read(part, negated)? {
                add(&mut held, one)?;
            }
        }
        Ok(held)
    }

    fn simple(&mut self, condition: &Expression, negated: bool) -> Vec<Alternative> {
        let found = match condition {
            Expression::Compare(property, comparison, value) => {
                let comparison = if negated { comparison.negated() } else { *comparison };
                self.compared(property, comparison, value)
            }
            _ if negated => None,
            Expression::In(property, items) => self.listed(property, items),
            Expression::Between(property, low, high) => {
                let range =
                    Range { low: self.operand(low), high: self.operand(high), ..Range::default() };
                named(property, Constraint::Range(range))
            }
            Expression::StartsWith(path, text) => {
                let prefix = Some(text.clone());
                let range = Range { prefix, ..Range::default() };
                Some((path.clone(), Constraint::Range(range)))
            }
            Expression::InList(path, list) => {
                let mut set = OneOf::default();
                self.add_list(list, &mut set);
                Some((path.clone(), Constraint::OneOf(set)))
            }
            _ => None,
        };
        match found {
            Some((_, Constraint::OneOf(set))) if set == OneOf::default() => Vec::new(),
            Some((path, constraint)) if self.wanted.is_none_or(|wanted| wanted.contains(&path)) => {
                vec![[(path, constraint)].into()]
            }
            _ => free(),
        }
    }

    fn compared(
        &mut self,
        property: &Expression,
        comparison: Op,
        value: &Expression,
    ) -> Option<(Path, Constraint)> {
        let operand = self.operand(value)?;
        let range = |low, high| {
            Constraint::Range(Range { low, high, below: comparison == Op::Below, prefix: None })
        };
        let constraint = match comparison {
            Op::Equal => Constraint::OneOf(OneOf::one(operand)),
            Op::Unequal => return None,
            Op::Below | Op::AtMost => range(None, Some(operand)),
            Op::Above | Op::AtLeast => range(Some(operand), None),
        };
        named(property, constraint)
    }

    fn listed(
        &mut self,
        property: &Expression,
        items: &[Expression],
    ) -> Option<(Path, Constraint)> {
        let mut set = OneOf::default();
        for item in items {
            match item {
                // A list given for one value: what is meant is its members.
                Expression::Parameter(name)
                    if matches!(self.parameters.get(name), Some(ParameterValue::List(_))) =>
                {
                    self.add_list(name, &mut set);
                }
                _ => {
                    set.values.insert(self.operand(item)?);
                }
            }
        }
        named(property, Constraint::OneOf(set))
    }

    fn add_list(&self, name: &str, set: &mut OneOf) {
        match self.parameters.get(name) {
            Some(ParameterValue::List(values)) => {
                let values = values.iter().cloned().map(Operand::Known);
                set.values.extend(values);
            }
            // What is no list holds nothing.
            Some(ParameterValue::One(_)) => {}
            None => {
                set.lists.insert(name.into());
            }
        }
    }

    /// `None` where a comparison with it says nothing.
    fn operand(&mut self, value: &Expression) -> Option<Operand> {
        match value {
            Expression::Value(Part::Undefined) | Expression::List(_) => None,
            Expression::Value(part) => Some(Operand::Known(part.clone())),
            Expression::Parameter(name) => match self.parameters.get(name) {
                Some(
                    ParameterValue::One(Part::Undefined | Part::Other(_)) | ParameterValue::List(_),
                ) => None,
                Some(ParameterValue::One(part)) => Some(Operand::Known(part.clone())),
                None => Some(Operand::Parameter(name.clone())),
            },
            _ => {
                self.computed = self.computed.saturating_add(1);
                Some(Operand::Computed(self.computed))
            }
        }
    }
}

fn named(property: &Expression, constraint: Constraint) -> Option<(Path, Constraint)> {
    match property {
        Expression::Property(path) => Some((path.clone(), constraint)),
        _ => None,
    }
}

fn add(held: &mut Vec<Alternative>, one: Alternative) -> Result<(), TooMany> {
    if one.is_empty() {
        // Anything meets it, so the others tell nothing more.
        held.clear();
    }
    let mut left = one;
    for present in held.iter_mut() {
        if present.is_empty() {
            return Ok(());
        }
        match unite(present, left) {
            Ok(()) => return Ok(()),
            Err(back) => left = back,
        }
    }
    if held.len() >= MAX_ALTERNATIVES {
        return Err(TooMany);
    }
    held.push(left);
    Ok(())
}
