//! One row for each container: what the overview says of it, made once when data arrives.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::verdicts;
use crate::analysis::ceiling::{MARK_FULL, Mark, MarkCounts};
use crate::analysis::findings::{Severity, WALL_WARN_DAYS};
use crate::analysis::growth::{Growth, Wall};
use crate::analysis::overview::{OverviewRow, SentenceSubject};
use crate::analysis::rows::{KeyRow, UNKNOWN_CONTAINER};
use crate::analysis::skew::WholeOf;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::{shorten_column, visible};
use crate::report::key_text::key_text;
use crate::report::wall_text;
use crate::ui::kit::masking::Mask;
use crate::work::data::Dataset;

/// A key in a sentence: its ends tell which one it is.
const KEY_COLUMNS: usize = 40;

/// What is shown of a container; names and keys are masked where masks are on, and visible.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// In the capture.
    pub number: u32,
    /// In the report, where it has keys or facts.
    pub at: Option<usize>,
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
    pub largest: Option<KeyRow>,
    pub fastest: Option<KeyRow>,
    /// The first key below the limit that reaches it.
    pub next: Option<KeyRow>,
    /// Of the key that grows fastest.
    pub growth: Option<Growth>,
    /// The earliest one.
    pub wall: Wall,
    pub newest: Option<Stamp>,
    /// The most urgent first, never empty.
    pub findings: Vec<Finding>,
}

/// One thing to know of a container, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub about: Subject,
    pub mark: Mark,
    /// As short as a row needs it.
    pub text: String,
    /// With all its numbers, as other commands say it.
    pub full: String,
    /// Why more RU/s help or do not.
    pub why: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Subject {
    Sizes,
    Load,
}

/// The rows of a dataset, the worst first.
pub(super) fn rows(data: &Dataset, mask: &Mask) -> Vec<Row> {
    let reported = data.report.containers.iter().enumerate();
    let places: HashMap<ContainerName, usize> =
        reported.map(|(at, c)| (c.name.identity(), at)).collect();
    let common = common(data);
    let rows = data.overview.rows.iter();
    rows.map(|told| row(told, &places, common, data, mask))
        .collect()
}

/// What of the names goes without saying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Common {
    Nothing,
    Account,
    Database,
}

fn common(data: &Dataset) -> Common {
    let same = |of: fn(&ContainerName) -> Option<std::sync::Arc<str>>| {
        let mut values = data
            .overview
            .rows
            .iter()
            .map(|row| of(&row.name.identity()));
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
pub(super) fn common_name(data: &Dataset, mask: &Mask) -> String {
    let Some(first) = data.overview.rows.first() else {
        return String::new();
    };
    let name = mask.container(&first.name);
    let parts = match common(data) {
        Common::Nothing => [None, None],
        Common::Account => [name.account.as_deref(), None],
        Common::Database => [name.account.as_deref(), name.database.as_deref()],
    };
    let parts: Vec<_> = parts.into_iter().flatten().map(visible).collect();
    parts.join(" ▸ ")
}

fn row(
    told: &OverviewRow,
    places: &HashMap<ContainerName, usize>,
    common: Common,
    data: &Dataset,
    mask: &Mask,
) -> Row {
    let identity = told.name.identity();
    let shown = mask.container(&told.name);
    let standing = &told.standing;
    let (largest, next) = (&standing.largest, &standing.next_wall);
    let share = largest.as_ref().map_or(0.0, |largest| largest.share);
    let wall = match (next, largest) {
        _ if share >= MARK_FULL => Wall::Over,
        (Some(key), _) | (None, Some(key)) => key.wall,
        (None, None) => Wall::Unknown,
    };
    let size_finding = FindingInputs {
        row: told,
        largest: largest.as_ref(),
        next: next.as_ref(),
        as_of: data.report.as_of,
        names: mask,
    }
    .finding();
    let deleted = if is_deleted(data, &told.name) {
        " (deleted)"
    } else {
        ""
    };
    Row {
        number: told.number,
        at: places.get(&identity).copied(),
        identity,
        name: title(&shown, common) + deleted,
        title: title(&shown, Common::Nothing) + deleted,
        keys: told.keys_total,
        largest_kib: largest.as_ref().map_or(0.0, |key| key.size_kib),
        share,
        marks: told.marks,
        size_kib: (told.size_kib > 0.0).then_some(told.size_kib),
        size_of: told.whole_of,
        growth: standing.fastest.as_ref().and_then(|key| key.growth),
        fastest: standing.fastest.clone(),
        wall,
        newest: standing.newest,
        findings: findings(data, told, mask, size_finding),
        largest: largest.clone(),
        next: next.clone(),
    }
}

/// Whether the account has no such container any more.
fn is_deleted(data: &Dataset, name: &ContainerName) -> bool {
    let named = name.database.as_deref().zip(name.container.as_deref());
    let gone = data.watched.iter().flat_map(|watched| &watched.deleted);
    named.is_some_and(|named| {
        gone.into_iter()
            .any(|(db, c)| (db.as_str(), c.as_str()) == named)
    })
}

/// What is wrong with the load, then with the sizes; sizes alone where nothing else is.
fn findings(data: &Dataset, told: &OverviewRow, mask: &Mask, mut sizes: Finding) -> Vec<Finding> {
    let mut all = verdicts::findings(data, told.number, mask);
    if let Some(rule) = verdicts::about_size(data, told.number) {
        sizes.text = format!("{}: {}", rule.name(), sizes.text);
    }
    if all.is_empty() || sizes.mark > Mark::Below {
        all.push(sizes);
    }
    all.sort_by_key(|finding| Reverse(finding.mark.min(Mark::Alarm)));
    all
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

/// The text of a key as it may be shown.
pub(super) fn shown_key(key: Option<&str>, mask: &Mask) -> String {
    key_text(key.map(|json| mask.key(json)).as_deref())
}

/// What a finding is told from.
struct FindingInputs<'a> {
    row: &'a OverviewRow,
    largest: Option<&'a KeyRow>,
    next: Option<&'a KeyRow>,
    as_of: Option<Stamp>,
    names: &'a Mask,
}

impl FindingInputs<'_> {
    fn finding(&self) -> Finding {
        let share = self.row.standing.largest.as_ref().map_or(0.0, |l| l.share);
        let severity = match self.row.finding.severity {
            Some(Severity::Alarm) => Mark::Alarm,
            Some(Severity::Warn) => Mark::Warn,
            Some(Severity::Note) | None => Mark::Below,
        };
        let mark = severity.max(Mark::of(share));
        let full = self.full();
        let text = match self.largest {
            None => full.clone(),
            Some(largest) if mark == Mark::Full => self.over(largest),
            Some(largest) => match self.nearing(largest, mark) {
                Some(text) => text,
                None => self.resting(largest, mark),
            },
        };
        Finding {
            about: Subject::Sizes,
            mark,
            text,
            full,
            why: None,
        }
    }

    /// The sentence of the analysis, with the key it is about.
    fn full(&self) -> String {
        let sentence = &self.row.finding;
        let text = self.names.text(&sentence.text);
        match &sentence.about {
            SentenceSubject::Container => text,
            SentenceSubject::Key(json) => {
                let key = shown_key(json.as_deref(), self.names);
                let starts_with_size = text.starts_with(|c: char| c.is_ascii_digit());
                let between = if starts_with_size { ":" } else { "" };
                format!("{key}{between} {text}")
            }
        }
    }

    /// Never like the other key that the same sentence may name.
    fn name(&self, key: &KeyRow) -> String {
        let keys = [Some(key), self.largest, self.next].into_iter().flatten();
        let keys = keys.map(|key| shown_key(key.key.as_deref(), self.names));
        let cells = shorten_column(&keys.collect::<Vec<_>>(), KEY_COLUMNS);
        cells.into_iter().next().unwrap_or_default()
    }

    fn over(&self, largest: &KeyRow) -> String {
        let others = match self.row.marks.full {
            0 | 1 => String::new(),
            2 => ", 1 more key is full".to_owned(),
            n => format!(", {} more keys are full", count_text(n - 1)),
        };
        let state = if largest.share > MARK_FULL {
            "is over the limit"
        } else {
            "has reached the limit"
        };
        let key = self.name(largest);
        let next = match (self.next, self.is_near()) {
            (Some(next), true) => format!(
                "; next is {}, {}",
                self.name(next),
                wall_text(&next.wall, self.as_of)
            ),
            _ => String::new(),
        };
        format!("{key} {state}: writes that grow it are refused{others}{next}")
    }

    /// Whether the next key may reach the limit soon: then that is the first thing to say, since migrating takes weeks.
    fn is_near(&self) -> bool {
        match (self.next.map(|key| key.wall), self.as_of) {
            (Some(Wall::Date { earliest, .. }), Some(as_of)) => {
                earliest.days_since(as_of) <= WALL_WARN_DAYS
            }
            _ => false,
        }
    }

    /// The first key that reaches the limit, where that is near or the largest is far up already.
    fn nearing(&self, largest: &KeyRow, mark: Mark) -> Option<String> {
        let next = self.next?;
        if !self.is_near() && mark == Mark::Below {
            return None;
        }
        let larger = if next.key == largest.key {
            String::new()
        } else {
            format!("; {} is larger", self.name(largest))
        };
        Some(format!(
            "{} reaches the limit on {}, now at {}{larger}",
            self.name(next),
            wall_text(&next.wall, self.as_of),
            percent_text(next.share)
        ))
    }

    fn resting(&self, largest: &KeyRow, mark: Mark) -> String {
        let (key, share) = (self.name(largest), percent_text(largest.share));
        if mark == Mark::Below {
            return format!("nothing near the limit: the largest, {key}, is at {share}");
        }
        let growth = match largest.wall {
            Wall::Never => "and does not grow",
            Wall::Over | Wall::Date { .. } => "and grows",
            Wall::Unknown => "its growth is not known",
        };
        format!("{key} is at {share} of the limit, {growth}")
    }
}

impl Row {
    /// What is to be said of it, each in a line, the most urgent first; behind what is wrong with the load why more RU/s
    /// would help or not, which is the first thing that anybody tries.
    pub fn lines(&self) -> Vec<(Option<Mark>, &str)> {
        let lines = self.findings.iter().flat_map(|finding| {
            let why = finding.why.as_deref().map(|why| (None, why));
            [Some((Some(finding.mark), finding.text.as_str())), why]
        });
        lines.flatten().collect()
    }

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
