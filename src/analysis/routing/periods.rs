//! The years, months, days, hours or minutes that a range of moments touches.

use crate::model::key::{Key, Part};
use crate::model::moment;
use crate::model::time::Stamp;

use super::super::candidate::DateUnit;

/// A key asked for in more periods than this is as good as asked for everywhere.
pub(super) const MAX_PERIODS: usize = 10_000;
/// Years in which keys of the service begin.
pub(in crate::analysis) const CENTURY: &str = "20";

/// The periods from one moment to another, both included; `None` if there are too many.
pub(super) fn periods(from: Stamp, to: Stamp, unit: DateUnit) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut at = first_of(from, unit);
    while let Some(start) = at
        && start <= to
    {
        if found.len() >= MAX_PERIODS {
            return None;
        }
        found.push(unit.period(start));
        at = next(start, unit);
    }
    Some(found)
}

/// The periods of all moments whose text begins so; `None` if that is no beginning of a moment.
pub(super) fn periods_of_prefix(prefix: &str, unit: DateUnit) -> Option<Vec<String>> {
    if let Some(text) = prefix.get(..unit.width()) {
        return begin(text).map(|at| vec![unit.period(at)]);
    }
    let whole = DateUnit::ALL.into_iter().find(|unit| unit.width() == prefix.len())?;
    let from = begin(prefix)?;
    let last_tick = Stamp::from_ticks(next(from, whole)?.ticks().checked_sub(1)?)?;
    periods(from, last_tick, unit)
}

/// The first moment of a period by its text; `2026-06-22T14` is no time by itself.
fn begin(period: &str) -> Option<Stamp> {
    moment::of_text(period).or_else(|| moment::of_text(&format!("{period}:00")))
}

/// The start of the period that a moment lies in.
pub(in crate::analysis) fn first_of(at: Stamp, unit: DateUnit) -> Option<Stamp> {
    begin(&unit.period(at))
}

/// The start of the period after one that starts here.
pub(in crate::analysis) fn next(start: Stamp, unit: DateUnit) -> Option<Stamp> {
    let seconds = match unit {
        DateUnit::Minute => 60.0,
        DateUnit::Hour => 3_600.0,
        DateUnit::Day => 86_400.0,
        DateUnit::Month | DateUnit::Year => {
            let mut civil = start.civil();
            if unit == DateUnit::Month && civil.month < 12 {
                civil.month += 1;
            } else {
                civil.month = 1;
                civil.year += 1;
            }
            return Stamp::from_civil(civil);
        }
    };
    start.plus_seconds(seconds)
}

/// The levels of a key whose text names a month or day, with what [`named_in`] finds there.
pub(in crate::analysis) fn named_in_key(
    key: &Key,
) -> impl Iterator<Item = (usize, (DateUnit, Stamp, Stamp))> + '_ {
    let levels = key.parts().iter().enumerate();
    levels.filter_map(|(level, part)| match part {
        Part::Text(text) => Some((level, named_in(text)?)),
        _ => None,
    })
}

/// `2026-06`, `2026-06-30`, `car-7-2026-06` or `2026-06.2`: which month or day it names, from where to where.
pub(in crate::analysis) fn named_in(text: &str) -> Option<(DateUnit, Stamp, Stamp)> {
    [DateUnit::Day, DateUnit::Month].into_iter().find_map(|unit| {
        let width = unit.width();
        let (before, last) = text.split_at_checked(text.len().checked_sub(width)?)?;
        let (first, after) = text.split_at_checked(width)?;
        let is_first = !after.starts_with(char::is_alphanumeric)
            // What goes on is another date or number.
            && !after.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_last = !before.ends_with(char::is_alphanumeric);
        let found = [is_last.then_some(last), is_first.then_some(first)];
        let period = |text: &str| {
            let from = moment::of_text(text)?;
            let is_it = text.starts_with(CENTURY) && unit.period(from) == text;
            is_it.then_some((unit, from, next(from, unit)?))
        };
        found.into_iter().flatten().find_map(period)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn between(from: &str, to: &str, unit: DateUnit) -> Vec<String> {
        let at = |text: &str| moment::of_text(text).unwrap();
        periods(at(from), at(to), unit).unwrap()
    }

    #[test]
    fn a_range_touches_whole_periods() {
        assert_eq!(
            between("2025-11-30T23:00", "2026-02-01", DateUnit::Month),
            ["2025-11", "2025-12", "2026-01", "2026-02"]
        );
        assert_eq!(
            between("2024-02-28", "2024-03-01T05:00", DateUnit::Day),
            ["2024-02-28", "2024-02-29", "2024-03-01"]
        );
        assert_eq!(
            between("2026-06-22T13:59", "2026-06-22T14:00", DateUnit::Hour),
            ["2026-06-22T13", "2026-06-22T14"]
        );
        assert_eq!(between("2026-06-22", "2026-06-21", DateUnit::Year), ["2026"]);
        assert!(between("2026-06-22", "2026-06-21", DateUnit::Day).is_empty());
        assert_eq!(between("9999-12-31", "9999-12-31T23:59", DateUnit::Year), ["9999"]);
    }

    #[test]
    fn too_many_periods_are_not_listed() {
        let at = |text: &str| moment::of_text(text).unwrap();
        assert_eq!(periods(at("1970"), at("2026"), DateUnit::Minute), None);
    }

    #[test]
    fn a_beginning_of_a_moment_is_its_periods() {
        assert_eq!(periods_of_prefix("2026-06-22T14:05:1", DateUnit::Month).unwrap(), ["2026-06"]);
        assert_eq!(
            periods_of_prefix("2026-06-22T14:05", DateUnit::Hour).unwrap(),
            ["2026-06-22T14"]
        );
        assert_eq!(periods_of_prefix("2026-02", DateUnit::Day).unwrap().len(), 28);
        assert_eq!(periods_of_prefix("2026-02-03T09", DateUnit::Minute).unwrap().len(), 60);
        for prefix in ["202", "2026-0", "plant-", "ä", ""] {
            assert_eq!(periods_of_prefix(prefix, DateUnit::Day), None, "{prefix}");
        }
    }
}
