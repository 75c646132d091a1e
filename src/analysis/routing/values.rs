//! Which values of one level of a key an alternative of the filter asks for.

use crate::model::key::Part as Value;
use crate::model::moment;
use crate::model::path::Path;
use crate::model::time::Stamp;

use super::super::candidate::{DateUnit, Level, LevelPart};
use super::constraint::{Alternative, Constraint, Operand, Range};
use super::periods::{periods, periods_of_prefix};
use crate::model::units::as_number;

/// Keys beyond this are counted, not placed one by one.
pub(super) const MAX_KEYS: usize = 10_000;

/// The values that a level can have.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Values {
    Known(Vec<Value>),
    /// This many at most; which ones is known only when the query runs.
    Count(f64),
}

/// Why values cannot be told.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Doubt {
    /// Any value is asked for, and why.
    Free(String),
    /// How many is not known, and why.
    Unclear(String),
}

impl Values {
    pub fn count(&self) -> f64 {
        match self {
            Self::Known(known) => as_number(known.len()),
            Self::Count(count) => *count,
        }
    }
}

pub(super) fn level_values(level: &Level, alternative: &Alternative) -> Result<Values, Doubt> {
    if let Some(path) = level.path() {
        return listed(path, alternative, |value| Some(value.clone()));
    }
    let empty = Ok(Values::Known(vec![Value::Text("".into())]));
    level.parts.iter().map(|part| part_values(part, alternative)).fold(empty, beside)
}

/// Each value of the left with each of the right; what is free or unclear decides.
fn beside(left: Result<Values, Doubt>, right: Result<Values, Doubt>) -> Result<Values, Doubt> {
    match (left, right) {
        (free @ Err(Doubt::Free(_)), _) | (_, free @ Err(Doubt::Free(_))) => free,
        (unclear @ Err(_), _) | (_, unclear @ Err(_)) => unclear,
        (Ok(Values::Known(left)), Ok(Values::Known(right))) => Ok(concatenated(&left, &right)),
        (Ok(left), Ok(right)) => Ok(Values::Count(left.count() * right.count())),
    }
}

fn concatenated(left: &[Value], right: &[Value]) -> Values {
    if left.len().saturating_mul(right.len()) > MAX_KEYS {
        return Values::Count(as_number(left.len()) * as_number(right.len()));
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
fn part_values(part: &LevelPart, alternative: &Alternative) -> Result<Values, Doubt> {
    let listed = |path: &Path| listed(path, alternative, |value| part_text(part, value));
    let range = |path: &Path| match alternative.get(path) {
        Some(Constraint::Range(range)) => Some(range),
        Some(Constraint::OneOf(_)) | None => None,
    };
    match part {
        LevelPart::Literal(text) => Ok(Values::Known(vec![Value::Text(text.clone())])),
        LevelPart::Random { buckets } => Ok(suffixes(buckets.get())),
        LevelPart::Bucket { path, buckets } => Ok(match listed(path) {
            Err(_) => suffixes(buckets.get()),
            Ok(Values::Count(values)) => Values::Count(values.min(f64::from(buckets.get()))),
            Ok(known) => known,
        }),
        LevelPart::Date { path, unit } => match range(path) {
            Some(range) => range_values(path, *unit, range),
            None => listed(path),
        },
        LevelPart::Prefix { path, characters } => {
            let wanted = usize::try_from(characters.get()).unwrap_or(usize::MAX);
            let prefix = range(path).and_then(|range| range.prefix.as_deref());
            match prefix.filter(|prefix| prefix.chars().count() >= wanted) {
                Some(prefix) => Ok(texts(vec![prefix.chars().take(wanted).collect()])),
                None => listed(path),
            }
        }
        LevelPart::Path(path) | LevelPart::Lower(path) => listed(path),
    }
}

/// The text that a part makes of a value; none where the level then has no value at all.
fn part_text(part: &LevelPart, value: &Value) -> Option<Value> {
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
    turn: impl Fn(&Value) -> Option<Value>,
) -> Result<Values, Doubt> {
    let set = match alternative.get(path) {
        Some(Constraint::OneOf(set)) => set,
        Some(Constraint::Range(_)) => {
            return Err(Doubt::Free(format!("{path} is compared with a range only")));
        }
        None => return Err(Doubt::Free(format!("no filter on {path}"))),
    };
    let turned: Option<Vec<Value>> =
        set.known().and_then(|known| known.into_iter().map(turn).collect());
    match turned {
        Some(mut parts) => {
            parts.sort();
            parts.dedup();
            Ok(Values::Known(parts))
        }
        None => match set.lists.first() {
            Some(list) => {
                Err(Doubt::Unclear(format!("how many values the list @{list} has is not given")))
            }
            None => Ok(Values::Count(as_number(set.values.len()))),
        },
    }
}

/// The dates that a range of moments touches.
fn range_values(path: &Path, unit: DateUnit, range: &Range) -> Result<Values, Doubt> {
    if let Some(prefix) = &range.prefix
        && let Some(found) = periods_of_prefix(prefix, unit)
    {
        return Ok(texts(found));
    }
    let (Some(low), Some(high)) = (&range.low, &range.high) else {
        return Err(Doubt::Free(format!("the range of {path} is open at one end")));
    };
    let at = |operand: &Operand| operand.known().and_then(moment::of);
    let (Some(from), Some(to)) = (at(low), at(high)) else {
        return Err(Doubt::Unclear(format!(
            "how many {}s the range of {path} touches depends on values that are not given",
            unit.word()
        )));
    };
    let last = if range.below {
        Stamp::from_ticks(to.ticks().saturating_sub(1)).unwrap_or(to)
    } else {
        to
    };
    match periods(from, last, unit) {
        Some(found) => Ok(texts(found)),
        None => Err(Doubt::Free(format!(
            "the range of {path} touches more than {MAX_PERIODS_TEXT} {}s",
            unit.word()
        ))),
    }
}

const MAX_PERIODS_TEXT: &str = "10,000";

fn texts(found: Vec<String>) -> Values {
    Values::Known(found.into_iter().map(|text| Value::Text(text.into())).collect())
}
