//! Which values of one level of a key an alternative of the filter asks for.

use crate::model::key::Part;
use crate::model::moment;
use crate::model::path::Path;

use super::Settings;
use super::constraint::{Alternative, Constraint, OneOf, Operand, Range};
use super::periods::{period, periods, periods_of_prefix};
use super::shape::{Piece, Unit};

/// Keys beyond this are counted, not placed one by one.
pub(super) const MAX_KEYS: usize = 10_000;

/// The values that a level can have.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Values {
    Known(Vec<Part>),
    /// This many at most; which ones is known only when the query runs.
    Count(f64),
    /// Any value, and why.
    Free(String),
    /// How many is not known, and why.
    Unclear(String),
}

pub(super) fn level_values(
    pieces: &[Piece],
    alternative: &Alternative,
    settings: &Settings,
) -> Values {
    if let [Piece::Path(path)] = pieces {
        return listed(path, alternative, settings, |part| Some(part.clone()));
    }
    let mut joined = Values::Known(vec![Part::Text("".into())]);
    for piece in pieces {
        joined = beside(joined, piece_values(piece, alternative, settings));
    }
    joined
}

/// How many there are, if that is known.
pub(super) fn count_of(values: &Values) -> Option<f64> {
    match values {
        Values::Known(known) => Some(count(known.len())),
        Values::Count(count) => Some(*count),
        Values::Free(_) | Values::Unclear(_) => None,
    }
}

/// Each value of the left with each of the right; what is free or unclear decides.
fn beside(left: Values, right: Values) -> Values {
    match (left, right) {
        (free @ Values::Free(_), _) | (_, free @ Values::Free(_)) => free,
        (unclear @ Values::Unclear(_), _) | (_, unclear @ Values::Unclear(_)) => unclear,
        (Values::Known(left), Values::Known(right)) => concatenated(&left, &right),
        (left, right) => {
            let product = count_of(&left).zip(count_of(&right)).map(|(a, b)| a * b);
            Values::Count(product.unwrap_or(f64::MAX))
        }
    }
}

fn concatenated(left: &[Part], right: &[Part]) -> Values {
    if left.len().saturating_mul(right.len()) > MAX_KEYS {
        return Values::Count(count(left.len()) * count(right.len()));
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for start in left {
        for end in right {
            let (Some(start), Some(end)) = (text_of(start), text_of(end)) else {
                return Values::Count(count(left.len()) * count(right.len()));
            };
            all.push(Part::Text(format!("{start}{end}").into()));
        }
    }
    Values::Known(all)
}

/// How a value is written inside a longer key.
fn text_of(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Number(number) => Some(number.text()),
        Part::Bool(true) => Some("true"),
        Part::Bool(false) => Some("false"),
        Part::Undefined | Part::Null | Part::Other(_) => None,
    }
}

fn piece_values(piece: &Piece, alternative: &Alternative, settings: &Settings) -> Values {
    match piece {
        Piece::Literal(text) => Values::Known(vec![Part::Text(text.clone())]),
        Piece::Path(path) => listed(path, alternative, settings, |part| Some(part.clone())),
        Piece::Lower(path) => listed(path, alternative, settings, |part| match part {
            Part::Text(text) => Some(Part::Text(text.to_lowercase().into())),
            _ => None,
        }),
        Piece::Prefix(path, length) => prefix_values(path, *length, alternative, settings),
        Piece::Date(path, unit) => date_values(path, *unit, alternative, settings),
        Piece::Random(suffixes) => {
            let suffixes = (*suffixes).max(1);
            if usize::try_from(suffixes).map_or(true, |n| n > MAX_KEYS) {
                return Values::Count(f64::from(suffixes));
            }
            let texts = (1..=suffixes).map(|n| Part::Text(n.to_string().into()));
            Values::Known(texts.collect())
        }
        Piece::Bucket(path, buckets) => {
            let buckets = f64::from((*buckets).max(1));
            match listed(path, alternative, settings, |_| None) {
                Values::Count(values) => Values::Count(values.min(buckets)),
                _ => Values::Count(buckets),
            }
        }
    }
}

/// The values that an equality or an IN gives, each turned into what the key has; `None` turns all into a count.
fn listed(
    path: &Path,
    alternative: &Alternative,
    settings: &Settings,
    turn: impl Fn(&Part) -> Option<Part>,
) -> Values {
    let set = match alternative.get(path) {
        Some(Constraint::OneOf(set)) => set,
        Some(Constraint::Range(_)) => {
            return Values::Free(format!("{path} is compared with a range only"));
        }
        None => return Values::Free(format!("no filter on {path}")),
    };
    let turned: Option<Vec<Part>> = set
        .known()
        .and_then(|known| known.into_iter().map(turn).collect());
    match turned {
        Some(mut parts) => {
            parts.sort();
            parts.dedup();
            Values::Known(parts)
        }
        None => length(set, settings),
    }
}

fn length(set: &OneOf, settings: &Settings) -> Values {
    let given = count(set.values.len());
    let Some(list) = set.lists.first() else {
        return Values::Count(given);
    };
    match settings.list_values {
        Some(each) => Values::Count(given + f64::from(each) * count(set.lists.len())),
        None => Values::Unclear(format!("how many values the list @{list} has is not given")),
    }
}

fn prefix_values(
    path: &Path,
    length: u32,
    alternative: &Alternative,
    settings: &Settings,
) -> Values {
    let wanted = usize::try_from(length).unwrap_or(usize::MAX);
    if let Some(Constraint::Range(range)) = alternative.get(path)
        && let Some(prefix) = &range.prefix
        && prefix.chars().count() >= wanted
    {
        return Values::Known(vec![Part::Text(first_characters(prefix, wanted))]);
    }
    listed(path, alternative, settings, |part| match part {
        Part::Text(text) => Some(Part::Text(first_characters(text, wanted))),
        _ => None,
    })
}

fn first_characters(text: &str, count: usize) -> Box<str> {
    text.chars().take(count).collect::<String>().into()
}

fn date_values(path: &Path, unit: Unit, alternative: &Alternative, settings: &Settings) -> Values {
    let Some(Constraint::Range(range)) = alternative.get(path) else {
        return listed(path, alternative, settings, |part| {
            let at = moment::of(part)?;
            Some(Part::Text(period(at, unit).into()))
        });
    };
    if let Some(prefix) = &range.prefix
        && let Some(found) = periods_of_prefix(prefix, unit)
    {
        return texts(found);
    }
    range_values(path, unit, range)
}

fn range_values(path: &Path, unit: Unit, range: &Range) -> Values {
    let (Some(low), Some(high)) = (&range.low, &range.high) else {
        return Values::Free(format!("the range of {path} is open at one end"));
    };
    let at = |operand: &Operand| operand.known().and_then(moment::of);
    let (Some(from), Some(to)) = (at(low), at(high)) else {
        return Values::Unclear(format!(
            "how many {}s the range of {path} touches depends on values that are not given",
            unit.word()
        ));
    };
    match periods(from, to, unit) {
        Some(found) => texts(found),
        None => Values::Free(format!(
            "the range of {path} touches more than {MAX_PERIODS_TEXT} {}s",
            unit.word()
        )),
    }
}

const MAX_PERIODS_TEXT: &str = "10,000";

fn texts(found: Vec<String>) -> Values {
    Values::Known(
        found
            .into_iter()
            .map(|text| Part::Text(text.into()))
            .collect(),
    )
}

#[expect(clippy::cast_precision_loss, reason = "counts of keys, far below 2^53")]
pub(super) fn count(n: usize) -> f64 {
    n as f64
}
