//! The filter that is typed above a list of keys: texts and comparisons, with `or`, `not` and parentheses.
//!
//! ```text
//! any     = all { "or" all }
//! all     = one { ["and"] one }                      blanks mean "and"
//! one     = { "not" | "!" } ( "(" any ")" | text | comparison )
//! text    = word | "quoted, with \" and \\"
//! comparison = name operator value                   blanks around the operator may stand
//! ```
//!
//! A row whose value is not known passes no comparison, not even `!=`: absence is not zero.

mod complete;
mod narrow;
mod parse;
mod read;
mod scan;
mod text;
mod value;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use super::grammar;
use super::growth::LimitDay;

pub use complete::{HELP, complete};
pub use parse::{parse, wrong_piece};

use text::{Needle, quoted, quoted_if_needed};
use value::Comparison;

/// What a filter asks of one row of a list of keys.
pub trait FilterRow {
    /// The key as it is shown.
    fn text(&self) -> Cow<'_, str>;
    fn size_kib(&self) -> f64;
    /// Of the ceiling.
    fn share(&self) -> f64;
    fn growth_kib_per_day(&self) -> Option<f64>;
    fn limit_date(&self) -> LimitDay;
    /// RU of all its logged requests together.
    fn ru(&self) -> Option<f64>;
    /// The id of the physical partition.
    fn partition(&self) -> Option<&str>;
    fn region(&self) -> Option<&str>;
    fn samples(&self) -> u64;
}

/// What units and numbers of days in a filter are counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FilterBasis {
    /// Whether KB, MB, GB and TB are powers of ten; KiB, MiB, GiB and TiB are always binary.
    pub has_decimal_gb: bool,
    /// The day from which `date<30d` counts; without one no row passes it.
    pub as_of_day: Option<i32>,
}

/// What a text is as a filter.
pub type ParsedFilter = grammar::Parsed<Filter>;

/// A filter; its text is canonical and reads back as the same filter. The default passes every row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    root: Term,
}

impl Filter {
    pub fn passes(&self, row: &impl FilterRow) -> bool {
        self.root.passes(row, &OnceCell::new())
    }

    /// Whether it passes every row because nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.root == Term::default()
    }

    /// What it asks of the size of every row, each an operator of queries and the KB reported.
    pub fn sizes(&self) -> Vec<(&'static str, f64)> {
        let terms = match &self.root {
            Term::All(terms) => terms.as_slice(),
            term => std::slice::from_ref(term),
        };
        let size = |term: &Term| if let Term::Compare(one) = term { one.size() } else { None };
        terms.iter().filter_map(size).collect()
    }

    /// Whether every row that passes it surely passes `wider`, too; false where that is not evident.
    ///
    /// While it is true, the rows to look at are those that `wider` passed.
    pub fn extends(&self, wider: &Self) -> bool {
        narrow::implies(&self.root, &wider.root)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

/// Lists hold no list of their own kind and never just one term; nothing is negated twice.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    All(Vec<Term>),
    Any(Vec<Term>),
    Not(Box<Term>),
    Text(Needle),
    Compare(Comparison),
}

impl Default for Term {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

impl Term {
    fn all(terms: Vec<Self>) -> Self {
        let inner = |term| if let Self::All(inner) = term { inner } else { vec![term] };
        Self::alone(terms.into_iter().flat_map(inner).collect()).unwrap_or_else(Self::All)
    }

    fn any(terms: Vec<Self>) -> Self {
        let inner = |term| if let Self::Any(inner) = term { inner } else { vec![term] };
        Self::alone(terms.into_iter().flat_map(inner).collect()).unwrap_or_else(Self::Any)
    }

    fn alone(mut terms: Vec<Self>) -> Result<Self, Vec<Self>> {
        if terms.len() > 1 {
            return Err(terms);
        }
        terms.pop().ok_or(terms)
    }

    fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    fn comparison(&self) -> Option<&Comparison> {
        match self {
            Self::Compare(comparison) => Some(comparison),
            Self::Not(term) => term.comparison(),
            _ => None,
        }
    }

    /// `text` is the row's, made when the first term asks for it.
    fn passes<'r>(&self, row: &'r impl FilterRow, text: &OnceCell<Cow<'r, str>>) -> bool {
        match self {
            Self::All(terms) => terms.iter().all(|t| t.passes(row, text)),
            Self::Any(terms) => terms.iter().any(|t| t.passes(row, text)),
            Self::Not(term) => !term.passes(row, text),
            Self::Text(needle) => needle.is_in(text.get_or_init(|| row.text())),
            Self::Compare(comparison) => comparison.passes(row),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(terms) => {
                let mut before: Option<&Comparison> = None;
                for (i, term) in terms.iter().enumerate() {
                    let blank = if i > 0 { " " } else { "" };
                    match (before, term) {
                        (_, Self::Any(_)) => write!(f, "{blank}({term})")?,
                        (Some(number), Self::Text(needle)) if number.would_take(needle.text()) => {
                            write!(f, "{blank}{}", quoted(needle.text()))?;
                        }
                        _ => write!(f, "{blank}{term}")?,
                    }
                    before = term.comparison();
                }
                Ok(())
            }
            Self::Any(terms) => grammar::separated(f, terms, " or "),
            Self::Not(term) => match **term {
                Self::All(_) | Self::Any(_) => write!(f, "not ({term})"),
                _ => write!(f, "not {term}"),
            },
            Self::Text(needle) => f.write_str(&quoted_if_needed(needle.text())),
            Self::Compare(comparison) => f.write_str(comparison.text()),
        }
    }
}

#[cfg(test)]
mod tests;
