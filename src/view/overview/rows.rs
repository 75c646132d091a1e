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
    rows.sort_by(|a, b| b.finding.mark.cmp(&a.finding.mark));
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

fn finding(
    container: &ContainerRows,
    ceiling: Ceiling,
    as_of: Option<Stamp>,
    mask: &Mask,
) -> Finding {
    let say = |mark, text| Finding { mark, text };
    let largest = container.keys.iter().min_by(|a, b| a.order(b));
    let share = ceiling.share(container.largest_kib);
    let mark = Mark::of(share);
    let Some(largest) = largest else {
        let text = match container.keys_total {
            0 => "no key size was reported: none is large enough, or statistics were not part of the inputs".to_owned(),
            _ => format!("the largest key is at {} of the limit", percent_text(share)),
        };
        return say(mark, text);
    };
    let name = |key: &KeyRow| shorten(&shown_key(key.key.as_deref(), mask), KEY_COLUMNS);
    let key = name(largest);
    if mark == Mark::Full {
        let others = match container.marks.full {
            0 | 1 => String::new(),
            2 => ", 1 more key is over it".to_owned(),
            n => format!(", {} more keys are over it", count_text(n - 1)),
        };
        return say(
            mark,
            format!(
                "{key} {}: writes that grow it are refused{others}{}",
                if share > 1.0 {
                    "is over the limit"
                } else {
                    "has reached the limit"
                },
                next(container, as_of, mask)
            ),
        );
    }
    let first = earliest(container.keys.iter()).unwrap_or(largest);
    if let (Wall::Date { at, .. }, Some(as_of)) = (first.wall, as_of) {
        let days = at.days_since(as_of);
        let near = if days <= NEAR_DAYS {
            mark.max(Mark::Warn)
        } else {
            mark
        };
        if days <= NEAR_DAYS || mark > Mark::Below {
            let first_name = name(first);
            let also = if std::ptr::eq(first, largest) {
                format!("now at {}", percent_text(share))
            } else {
                format!("now at {}; {key} is larger", percent_text(first.share))
            };
            let when = wall_text(&first.wall, Some(as_of));
            return say(
                near,
                format!("{first_name} reaches the limit on {when}, {also}"),
            );
        }
    }
    match mark {
        Mark::Below => say(
            mark,
            format!(
                "nothing near the limit: the largest, {key}, is at {}",
                percent_text(share)
            ),
        ),
        _ => say(
            mark,
            format!(
                "{key} is at {} of the limit, {}",
                percent_text(share),
                standing(largest)
            ),
        ),
    }
}

/// The key that comes after those over the limit, where it comes soon.
fn next(container: &ContainerRows, as_of: Option<Stamp>, mask: &Mask) -> String {
    let is_dated = |key: &&KeyRow| matches!(key.wall, Wall::Date { .. });
    let next = earliest(container.keys.iter().filter(is_dated));
    let (Some(key), Some(as_of)) = (next, as_of) else {
        return String::new();
    };
    match key.wall {
        Wall::Date { at, .. } if at.days_since(as_of) <= NEAR_DAYS => {
            let name = shorten(&shown_key(key.key.as_deref(), mask), KEY_COLUMNS);
            format!("; next is {name}, {}", wall_text(&key.wall, Some(as_of)))
        }
        _ => String::new(),
    }
}

fn standing(key: &KeyRow) -> &'static str {
    match key.wall {
        Wall::Never => "and does not grow",
        Wall::Over | Wall::Date { .. } => "and grows",
        Wall::Unknown => "its growth is not known",
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
