//! Which values of one level of a key an alternative of the filter asks for.

use crate::model::key::Part as Value;
use crate::model::moment;
use crate::model::path::Path;
use crate::model::time::Stamp;

use super::super::candidate::{DateUnit, Level, Part};
use super::Settings;
use super::constraint::{Alternative, Constraint, OneOf, Operand, Range};
use super::periods::{periods, periods_of_prefix};

/// Keys beyond this are counted, not placed one by one.
pub(super) const MAX_KEYS: usize = 10_000;

/// The values that a level can have.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Values {
    Known(Vec<Value>),
    /// This many at most; which ones is known only when the query runs.
    Count(f64),
    /// Any value, and why.
    Free(String),
    /// How many is not known, and why.
    Unclear(String),
}

pub(super) fn level_values(
    level: &Level,
    alternative: &Alternative,
    settings: &Settings,
) -> Values {
    if let Some(path) = level.path() {
        return listed(path, alternative, settings, |value| Some(value.clone()));
    }
    let mut joined = Values::Known(vec![Value::Text("".into())]);
    for part in &level.parts {
        joined = beside(joined, part_values(part, alternative, settings));
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

fn concatenated(left: &[Value], right: &[Value]) -> Values {
    if left.len().saturating_mul(right.len()) > MAX_KEYS {
        return Values::Count(count(left.len()) * count(right.len()));
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for start in left {
        for end in right {
            if let (Value::Text(start), Value::Text(end)) = (start, end) {
                all.push(Value::Text(format!("{start}{end}").into()));
            }
        }
    }
    Values::Known(all)
}

/// What one part of a level can be.
fn part_values(part: &Part, alternative: &Alternative, settings: &Settings) -> Values {
    match part {
        Part::Literal(text) => Values::Known(vec![Value::Text(text.clone())]),
        Part::Random { buckets } => suffixes(buckets.get()),
        Part::Bucket { path, buckets } => {
            match listed(path, alternative, settings, |value| made(part, value)) {
                Values::Free(_) | Values::Unclear(_) => suffixes(buckets.get()),
                Values::Count(values) => Values::Count(values.min(f64::from(buckets.get()))),
                known @ Values::Known(_) => known,
            }
        }
        Part::Date { path, unit } => date_values(part, path, *unit, alternative, settings),
        Part::Prefix { path, characters } => {
            prefix_values(part, path, characters.get(), alternative, settings)
        }
        Part::Path(path) | Part::Lower(path) => {
            listed(path, alternative, settings, |value| made(part, value))
        }
    }
}

/// The text that a part makes of a value; none where the level then has no value at all.
fn made(part: &Part, value: &Value) -> Option<Value> {
    part.of(value).ok().map(|text| Value::Text(text.into()))
}

/// 1 to `last`, as random suffixes and buckets are numbered.
fn suffixes(last: u32) -> Values {
    if usize::try_from(last).map_or(true, |n| n > MAX_KEYS) {
        return Values::Count(f64::from(last));
    }
    let texts = (1..=last).map(|n| Value::Text(n.to_string().into()));
    Values::Known(texts.collect())
}

/// The values that an equality or an IN gives, each turned into what the key has; `None` turns all into a count.
fn listed(
    path: &Path,
    alternative: &Alternative,
    settings: &Settings,
    turn: impl Fn(&Value) -> Option<Value>,
) -> Values {
    let set = match alternative.get(path) {
        Some(Constraint::OneOf(set)) => set,
        Some(Constraint::Range(_)) => {
            return Values::Free(format!("{path} is compared with a range only"));
        }
        None => return Values::Free(format!("no filter on {path}")),
    };
    let turned: Option<Vec<Value>> = set
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
    part: &Part,
    path: &Path,
    characters: u32,
    alternative: &Alternative,
    settings: &Settings,
) -> Values {
    let wanted = usize::try_from(characters).unwrap_or(usize::MAX);
    if let Some(Constraint::Range(range)) = alternative.get(path)
        && let Some(prefix) = &range.prefix
        && prefix.chars().count() >= wanted
    {
        return Values::Known(vec![Value::Text(prefix.chars().take(wanted).collect())]);
    }
    listed(path, alternative, settings, |value| made(part, value))
}

fn date_values(
    part: &Part,
    path: &Path,
    unit: DateUnit,
    alternative: &Alternative,
    settings: &Settings,
) -> Values {
    let Some(Constraint::Range(range)) = alternative.get(path) else {
        return listed(path, alternative, settings, |value| made(part, value));
    };
    if let Some(prefix) = &range.prefix
        && let Some(found) = periods_of_prefix(prefix, unit)
    {
        return texts(found);
    }
    range_values(path, unit, range)
}

fn range_values(path: &Path, unit: DateUnit, range: &Range) -> Values {
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
    let last = if range.below {
        Stamp::from_ticks(to.ticks().saturating_sub(1)).unwrap_or(to)
    } else {
        to
    };
    match periods(from, last, unit) {
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
            .map(|text| Value::Text(text.into()))
            .collect(),
    )
}

#[expect(clippy::cast_precision_loss, reason = "counts of keys, far below 2^53")]
pub(super) fn count(n: usize) -> f64 {
    n as f64
}
