//! One row for each container: what the overview says of it, made once when data arrives.

use std::collections::HashMap;

use crate::analysis::ceiling::{Ceiling, Mark, MarkCounts};
use crate::analysis::growth::{Growth, Wall};
use crate::analysis::rows::{ContainerRows, KeyRow, Report, UNKNOWN_CONTAINER};
use crate::analysis::skew::WholeOf;
use crate::app::data::Dataset;
use crate::app::masking::Mask;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::{shorten, visible};
use crate::report::key_text::key_text;
use crate::report::wall_text;

/// A wall this near is the first thing to say of a container: migrating one takes weeks.
const NEAR_DAYS: f64 = 90.0;
/// A key in a sentence: its ends tell which one it is.
const KEY_COLUMNS: usize = 40;

/// What is shown of a container; names and keys are masked where masks are on, and visible.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// In the capture.
    pub number: u32,
    /// In the report.
    pub at: usize,
    pub identity: ContainerName,
    /// Without what all containers share.
    pub name: String,
    pub title: String,
    pub keys: u64,
    pub largest_kib: f64,
    pub share: f64,
    pub marks: MarkCounts,
    pub size_kib: Option<f64>,
    pub size_of: WholeOf,
    /// Of the key that grows fastest.
    pub growth: Option<Growth>,
    /// The earliest one.
    pub wall: Wall,
    pub newest: Option<Stamp>,
    pub finding: Finding,
}

/// The one thing to know of a container, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub mark: Mark,
    pub text: String,
}

/// The rows of a dataset, the worst first.
pub(super) fn rows(data: &Dataset, mask: &Mask) -> Vec<Row> {
    let named = (0_u32..).zip(&data.capture.containers);
    let numbers: HashMap<ContainerName, u32> = named
        .map(|(number, c)| (c.name.identity(), number))
        .collect();
    let common = common(&data.report);
    let containers = data.report.containers.iter().enumerate();
    let mut rows: Vec<Row> = containers
        .map(|(at, container)| {
            let identity = container.name.identity();
            let number = numbers.get(&identity).copied().unwrap_or(u32::MAX);
            row(number, at, container, identity, common, data, mask)
        })
        .collect();
    // The report has them by their largest key already, and this order keeps what is equal.
    rows.sort_by_key(|row| std::cmp::Reverse(row.finding.mark));
    rows
}

/// What of the names goes without saying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Common {
    Nothing,
    Account,
    Database,
}

fn common(report: &Report) -> Common {
    let same = |of: fn(&ContainerName) -> Option<std::sync::Arc<str>>| {
        let mut values = report.containers.iter().map(|c| of(&c.name.identity()));
        let first = values.next();
        values.all(|value| Some(value) == first)
    };
    if !same(|name| name.account.clone()) {
        Common::Nothing
    } else if same(|name| name.database.clone()) {
        Common::Database
    } else {
        Common::Account
    }
}

/// What all names begin with, as it is shown; empty where they differ from the start.
pub(super) fn common_name(report: &Report, mask: &Mask) -> String {
    let Some(first) = report.containers.first() else {
        return String::new();
    };
    let name = mask.container(&first.name);
    let parts = match common(report) {
        Common::Nothing => [None, None],
        Common::Account => [name.account.as_deref(), None],
        Common::Database => [name.account.as_deref(), name.database.as_deref()],
    };
    let parts: Vec<_> = parts.into_iter().flatten().map(visible).collect();
    parts.join(" ▸ ")
}

fn row(
    number: u32,
    at: usize,
    container: &ContainerRows,
    identity: ContainerName,
    common: Common,
    data: &Dataset,
    mask: &Mask,
) -> Row {
    let shown = mask.container(&container.name);
    let title = title(&shown, Common::Nothing);
    let growths = container.keys.iter().filter_map(|key| key.growth);
    let size_kib = (container.skew.total_kib > 0.0).then_some(container.skew.total_kib);
    let report = &data.report;
    Row {
        number,
        at,
        identity,
        name: self::title(&shown, common),
        title,
        keys: container.keys_total,
        largest_kib: container.largest_kib,
        share: report.ceiling.share(container.largest_kib),
        marks: container.marks,
        size_kib,
        size_of: container.skew.whole_of,
        growth: growths.max_by(|a, b| a.kib_per_day.total_cmp(&b.kib_per_day)),
        wall: earliest(container.keys.iter()).map_or(Wall::Unknown, |key| key.wall),
        newest: container.keys.iter().filter_map(|key| key.sampled_at).max(),
        finding: finding(container, report.ceiling, report.as_of, mask),
    }
}

fn title(name: &ContainerName, common: Common) -> String {
    let (account, database) = (name.account.as_deref(), name.database.as_deref());
    let container = Some(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER));
    let parts = match common {
        Common::Nothing => [account, database, container],
        Common::Account => [None, database, container],
        Common::Database => [None, None, container],
    };
    let parts: Vec<_> = parts.into_iter().flatten().map(visible).collect();
    parts.join(" ▸ ")
}

/// The key that stands first at the wall: over, then by date, then those of which it is not known.
pub(super) fn earliest<'k>(keys: impl Iterator<Item = &'k KeyRow>) -> Option<&'k KeyRow> {
    let rank = |key: &KeyRow| match key.wall {
        Wall::Over => (0, 0),
        Wall::Date { at, .. } => (1, at.ticks()),
        Wall::Unknown => (2, 0),
        Wall::Never => (3, 0),
    };
    keys.min_by_key(|key| rank(key))
}

/// The text of a key as it may be shown.
pub(super) fn shown_key(key: Option<&str>, mask: &Mask) -> String {
    key_text(key.map(|json| mask.key(json)).as_deref())
}

/// What a finding is told from.
struct Told<'a> {
    container: &'a ContainerRows,
    share: f64,
    as_of: Option<Stamp>,
    mask: &'a Mask,
}

fn finding(
    container: &ContainerRows,
    ceiling: Ceiling,
    as_of: Option<Stamp>,
    mask: &Mask,
) -> Finding {
    let share = ceiling.share(container.largest_kib);
    let told = Told {
        container,
        share,
        as_of,
        mask,
    };
    let mark = Mark::of(share);
    let Some(largest) = container.keys.iter().min_by(|a, b| a.order(b)) else {
        return Finding {
            mark,
            text: match container.keys_total {
                0 => "no key size was reported: none is large enough, or statistics were not part of the inputs".to_owned(),
                _ => format!("the largest key is at {} of the limit", percent_text(share)),
            },
        };
    };
    let standing = match mark {
        Mark::Full => return told.full(largest),
        _ => told.nearing(largest, mark),
    };
    standing.unwrap_or_else(|| told.resting(largest, mark))
}

impl Told<'_> {
    fn name(&self, key: &KeyRow) -> String {
        shorten(&shown_key(key.key.as_deref(), self.mask), KEY_COLUMNS)
    }

    fn full(&self, largest: &KeyRow) -> Finding {
        let others = match self.container.marks.full {
            0 | 1 => String::new(),
            2 => ", 1 more key is full".to_owned(),
            n => format!(", {} more keys are full", count_text(n - 1)),
        };
        let state = if self.share > 1.0 {
            "is over the limit"
        } else {
            "has reached the limit"
        };
        Finding {
            mark: Mark::Full,
            text: format!(
                "{} {state}: writes that grow it are refused{others}{}",
                self.name(largest),
                self.next()
            ),
        }
    }

    /// The key that comes after those over the limit, where it comes soon.
    fn next(&self) -> String {
        let is_dated = |key: &&KeyRow| matches!(key.wall, Wall::Date { .. });
        let next = earliest(self.container.keys.iter().filter(is_dated));
        let (Some(key), Some(as_of)) = (next, self.as_of) else {
            return String::new();
        };
        match key.wall {
            Wall::Date { at, .. } if at.days_since(as_of) <= NEAR_DAYS => {
                let when = wall_text(&key.wall, Some(as_of));
                format!("; next is {}, {when}", self.name(key))
            }
            _ => String::new(),
        }
    }

    /// The first key that reaches the limit, where that is near or the largest is far up already.
    fn nearing(&self, largest: &KeyRow, mark: Mark) -> Option<Finding> {
        let first = earliest(self.container.keys.iter())?;
        let Wall::Date { at, .. } = first.wall else {
            return None;
        };
        let is_near = at.days_since(self.as_of?) <= NEAR_DAYS;
        if !is_near && mark == Mark::Below {
            return None;
        }
        let larger = if std::ptr::eq(first, largest) {
            String::new()
        } else {
            format!("; {} is larger", self.name(largest))
        };
        Some(Finding {
            mark: if is_near { mark.max(Mark::Warn) } else { mark },
            text: format!(
                "{} reaches the limit on {}, now at {}{larger}",
                self.name(first),
                wall_text(&first.wall, self.as_of),
                percent_text(first.share)
            ),
        })
    }

    fn resting(&self, largest: &KeyRow, mark: Mark) -> Finding {
        let (key, share) = (self.name(largest), percent_text(self.share));
        let text = if mark == Mark::Below {
            format!("nothing near the limit: the largest, {key}, is at {share}")
        } else {
            let growth = match largest.wall {
                Wall::Never => "and does not grow",
                Wall::Over | Wall::Date { .. } => "and grows",
                Wall::Unknown => "its growth is not known",
            };
            format!("{key} is at {share} of the limit, {growth}")
        };
        Finding { mark, text }
    }
}

impl Row {
    /// What a size is of, in words.
    pub fn size_words(&self) -> String {
        match (self.size_kib, self.size_of) {
            (None, _) => "size not known".to_owned(),
            (Some(kib), WholeOf::Container) => format!("{} in all", kib_text(kib)),
            (Some(kib), WholeOf::ReportedKeys) => {
                format!("at least {}: the reported keys", kib_text(kib))
            }
        }
    }
}
