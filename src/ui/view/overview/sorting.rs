//! The order of the containers, and which of them a filter lets through.

use std::cmp::Ordering;

use super::layout::Column;
use super::rows::Row;
use crate::analysis::growth::LimitDate;
use crate::model::units::{real, real_seconds};
use crate::ui::kit::list::Orders;

/// What containers are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum SortColumn {
    /// What is wrong with them.
    #[default]
    Worst,
    Name,
    Keys,
    Largest,
    Over,
    Size,
    Growth,
    Date,
    Hottest,
    Age,
}

pub(super) const ORDERS: Orders<SortColumn> = Orders {
    all: &[
        SortColumn::Worst,
        SortColumn::Name,
        SortColumn::Keys,
        SortColumn::Largest,
        SortColumn::Over,
        SortColumn::Size,
        SortColumn::Growth,
        SortColumn::Date,
        SortColumn::Hottest,
        SortColumn::Age,
    ],
    names: &[
        "worst", "name", "keys", "largest", "over", "size", "growth", "date", "hottest", "age",
    ],
};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Direction {
    /// What is looked for comes first: the largest, the soonest, A before Z.
    #[default]
    First,
    Turned,
}

impl Direction {
    pub(super) fn other(self) -> Self {
        match self {
            Self::First => Self::Turned,
            Self::Turned => Self::First,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sort {
    pub by: SortColumn,
    pub direction: Direction,
}

impl SortColumn {
    pub(super) fn column(self) -> Column {
        match self {
            Self::Worst => Column::Finding,
            Self::Name => Column::Name,
            Self::Keys => Column::Keys,
            Self::Largest => Column::Percent,
            Self::Over => Column::Marks,
            Self::Size => Column::Size,
            Self::Growth => Column::Growth,
            Self::Date => Column::Date,
            Self::Hottest => Column::Hottest,
            Self::Age => Column::Age,
        }
    }

    /// What a click on a heading sorts by.
    pub(super) fn of(column: Column) -> Self {
        let mut all = ORDERS.all.iter();
        let found = all.find(|by| by.column() == column);
        found.copied().unwrap_or(match column {
            Column::Bar | Column::Largest => Self::Largest,
            _ => Self::Worst,
        })
    }

    /// What is compared, smallest first; None where it is not known.
    fn value(self, row: &Row) -> Option<f64> {
        let number = |n: u64| -real(n);
        match self {
            Self::Worst | Self::Name => Some(0.0),
            Self::Keys => Some(number(row.keys)),
            Self::Largest => (row.keys > 0).then_some(-row.largest_kib),
            // Thousands of keys at 70 % are not as bad as one that is full.
            Self::Over => Some(
                number(row.marks.full) * 1e12
                    + number(row.marks.alarm) * 1e6
                    + number(row.marks.warn),
            ),
            Self::Size => row.size_kib.map(|kib| -kib),
            Self::Growth => row.growth.map(|growth| -growth.kib_per_day),
            Self::Date => soonest(&row.limit_date),
            Self::Hottest => row.hottest.as_ref().map(|(_, share, _)| -share),
            // The oldest first: that is the one to read again.
            Self::Age => row.newest.map(|at| real_seconds(at.seconds())),
        }
    }
}

/// The sooner a limit is reached, the less; what is over it is the least.
pub(super) fn soonest(date: &LimitDate) -> Option<f64> {
    match date {
        LimitDate::Over => Some(f64::NEG_INFINITY),
        LimitDate::Date { at, .. } => Some(real_seconds(at.seconds())),
        LimitDate::Never => Some(f64::INFINITY),
        LimitDate::Unknown => None,
    }
}

fn turned(ordering: Ordering, direction: Direction) -> Ordering {
    match direction {
        Direction::First => ordering,
        Direction::Turned => ordering.reverse(),
    }
}

/// Containers whose name holds every word, in order; what is not known comes last either way. `rows` are the worst first.
pub(super) fn order(rows: &[Row], filter: &str, sort: Sort) -> Vec<usize> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let holds = |row: &Row| {
        let title = row.title.to_lowercase();
        words.iter().all(|word| title.contains(word))
    };
    let mut kept: Vec<(usize, &Row)> = rows.iter().enumerate().filter(|(_, r)| holds(r)).collect();
    let by = |a: &(usize, &Row), b: &(usize, &Row)| match sort.by {
        SortColumn::Worst => turned(a.0.cmp(&b.0), sort.direction),
        SortColumn::Name => turned(a.1.title.cmp(&b.1.title), sort.direction).then(a.0.cmp(&b.0)),
        by => match (by.value(a.1), by.value(b.1)) {
            (Some(x), Some(y)) => turned(x.total_cmp(&y), sort.direction).then(a.0.cmp(&b.0)),
            (x, y) => y.is_some().cmp(&x.is_some()).then(a.0.cmp(&b.0)),
        },
    };
    kept.sort_by(by);
    kept.into_iter().map(|(at, _)| at).collect()
}
