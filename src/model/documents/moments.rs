//! Which columns are times, and how sure that is.

use super::column::Column;
use super::dictionary::Dictionary;
use super::rows::NO_SECOND;
use super::value::{FIRST_VALUE, Scalar, Value};
use crate::model::moment;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::real;

/// 2000-01-01 and 2100-01-01 in seconds since 1970: a number outside is more likely no time than one of another century.
const PLAUSIBLE_SECONDS: std::ops::Range<i64> = 946_684_800..4_102_444_800;
/// From which share of readable values on a column is a time for sure, and from which it may be one.
const LIKELY_SHARE: f64 = 0.95;
const POSSIBLE_SHARE: f64 = 0.5;
/// Words in names of properties that hold a time, in lower case.
const NAME_HINTS: [&str; 10] =
    ["time", "date", "epoch", "ticks", "created", "modified", "occurred", "_ts", "when", "expire"];

/// How a column writes its times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TimeForm {
    /// ISO 8601, or another text that means one moment.
    Text,
    Seconds,
    Millis,
    Micros,
    /// 100 ns since the year 1.
    Ticks,
    Nanos,
}

/// How sure it is that a column holds times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sureness {
    /// Some values read as times.
    Possible,
    /// Nearly all values do, but numbers without a telling name could mean anything.
    Likely,
    Certain,
}

/// A column that can serve as the time of its documents.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeColumn {
    /// Its place among the columns.
    pub column: usize,
    pub form: TimeForm,
    pub sureness: Sureness,
    /// Documents with a value, of all.
    pub present: f64,
}

/// The second of a value since 1970, where it means a moment from then until 2106.
pub(super) fn second_of(scalar: Scalar<'_>) -> u32 {
    let stamp = match scalar {
        Scalar::Number { value, .. } => moment::of_number(value),
        Scalar::Text(text) => moment::of_text(text),
        _ => None,
    };
    seconds(stamp)
}

pub(super) fn seconds(stamp: Option<Stamp>) -> u32 {
    let second = stamp.and_then(|s| u32::try_from(s.seconds()).ok());
    second.unwrap_or(NO_SECOND)
}

/// The same of each code.
pub(super) fn seconds_of(codes: &[u32], dictionary: &Dictionary) -> Vec<u32> {
    let of_value = |(_, value)| seconds(moment_of(value));
    let table: Vec<u32> = dictionary.values().map(of_value).collect();
    let of_code = |code: &u32| table.get(code.wrapping_sub(FIRST_VALUE) as usize).copied();
    codes.iter().map(|code| of_code(code).unwrap_or(NO_SECOND)).collect()
}

/// The moment a value means, whatever its form.
pub fn moment_of(value: Value<'_>) -> Option<Stamp> {
    match value {
        Value::Number(text) => moment::of_number(text.parse().ok()?),
        Value::Text(text) => moment::of_text(text),
        _ => None,
    }
}

/// The form of a value that is plausible as the time of a document.
pub(super) fn form_of(value: Value<'_>) -> Option<TimeForm> {
    let stamp = moment_of(value)?;
    let plausible = PLAUSIBLE_SECONDS.contains(&stamp.seconds());
    let digits = match value {
        Value::Number(text) => text,
        Value::Text(text) if text.parse::<f64>().is_ok() => text,
        // A text that reads as a date is one, whatever its year; a year alone could be anything.
        Value::Text(text) => return (text.len() >= 7).then_some(TimeForm::Text),
        _ => return None,
    };
    let size: f64 = digits.parse().ok()?;
    if size.fract() != 0.0 && size < 1e9 {
        return None;
    }
    // The bounds by which `moment` tells forms apart.
    let form = match size.abs() {
        s if s < 1e9 => return (plausible && digits.len() == 8).then_some(TimeForm::Text),
        s if s < 1e11 => TimeForm::Seconds,
        s if s < 1e14 => TimeForm::Millis,
        s if s < 1e17 => TimeForm::Micros,
        s if s < 1e18 => TimeForm::Ticks,
        _ => TimeForm::Nanos,
    };
    plausible.then_some(form)
}

/// How sure a column is, by its name and by how many of its values read as times of which form.
pub(super) fn judge(path: &Path, form: TimeForm, readable: f64) -> Option<Sureness> {
    let name = path.0.last().map_or("", AsRef::as_ref);
    let lower = name.to_lowercase();
    let hinted = NAME_HINTS.iter().any(|hint| lower.contains(hint));
    Some(match (form, readable) {
        (_, r) if r < POSSIBLE_SHARE => return None,
        (_, r) if r < LIKELY_SHARE => Sureness::Possible,
        (TimeForm::Seconds, _) if name == "_ts" => Sureness::Certain,
        (TimeForm::Text, _) => Sureness::Certain,
        _ if hinted => Sureness::Certain,
        _ => Sureness::Likely,
    })
}

/// Columns of times, the best first: the surest, then the service's own `_ts`, then the one most documents have.
pub(super) fn of_columns(columns: &[Column], rows: usize) -> Vec<TimeColumn> {
    let mut found: Vec<TimeColumn> = columns
        .iter()
        .enumerate()
        .filter_map(|(number, column)| {
            let (form, readable, present) = column.time_form()?;
            let of = |part: u64, whole: u64| real(part) / real(whole.max(1));
            Some(TimeColumn {
                column: number,
                form,
                sureness: judge(column.path(), form, of(readable, present))?,
                present: of(present, rows as u64),
            })
        })
        .collect();
    let own = |t: &TimeColumn| {
        let path = columns.get(t.column).map(Column::path);
        path.and_then(Path::top_name) == Some("_ts")
    };
    found.sort_by(|a, b| {
        let order = b.sureness.cmp(&a.sureness).then(own(b).cmp(&own(a)));
        order.then(b.present.total_cmp(&a.present)).then(a.column.cmp(&b.column))
    });
    found
}
