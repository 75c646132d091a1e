//! One row for each container: what the overview says of it, made once when data arrives.

use std::collections::HashMap;
use std::sync::Arc;

use crate::analysis::ceiling::{Mark, MarkCounts};
use crate::analysis::diagnosis::Verdict;
use crate::analysis::findings::Severity;
use crate::analysis::growth::{Growth, LimitDate};
use crate::analysis::heat::{Measure, RangeName};
use crate::analysis::overview::{OverviewRow, SentenceSubject};
use crate::analysis::rows::{KeyRow, UNKNOWN_CONTAINER};
use crate::analysis::rules::Rule;
use crate::analysis::skew::WholeOf;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{kib_text, percent_text};
use crate::model::visible::{display_width, visible};
use crate::ui::kit::card;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::text;
use crate::work::data::Dataset;

/// Between the parts of a name.
pub(super) const BETWEEN: &str = " ▸ ";

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
    pub largest: Option<Arc<KeyRow>>,
    pub fastest: Option<Arc<KeyRow>>,
    /// The first key below the limit that reaches it.
    pub next: Option<Arc<KeyRow>>,
    /// Of the largest key.
    pub growth: Option<Growth>,
    /// The earliest one.
    pub limit_date: LimitDate,
    pub newest: Option<Stamp>,
    /// The worst of all that is wrong; None where nothing is.
    pub severity: Option<Severity>,
    pub finding: Finding,
    /// The hottest partition with how hot it was of what it can give, else what was throttled, else it alone.
    pub hottest: Option<(String, f64, Mark)>,
}

/// What is most wrong with a container, in words that a column has room for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Finding {
    rule: &'static str,
    key: String,
    /// `p3`
    partition: String,
}

impl Finding {
    /// `HOT KEY contoso p0`, or the longest form of it that fits; nothing in it is cut.
    pub fn text(&self, columns: usize) -> String {
        let [key, partition] = [&self.key, &self.partition].map(|part| match part.as_str() {
            "" => String::new(),
            part => format!(" {part}"),
        });
        let short = match self.rule.strip_prefix("KEY ") {
            Some(short) => short,
            None if self.rule == Rule::ThrottledByBucket.name() => "429 BY BUCKET",
            None => self.rule,
        };
        let mut forms = [
            format!("{}{key}{partition}", self.rule),
            format!("{short}{key}{partition}"),
            format!("{short}{key}"),
            format!("{}{partition}", self.rule),
            self.rule.to_owned(),
        ]
        .into_iter();
        let found = forms.find(|form| display_width(form) <= columns);
        found.unwrap_or_else(|| short.to_owned())
    }
}

/// The rows of a dataset, the worst first.
pub(super) fn rows(data: &Dataset, mask: &Mask) -> Vec<Row> {
    let reported = data.report.containers.iter().enumerate();
    let places: HashMap<ContainerName, usize> =
        reported.map(|(at, c)| (c.name.identity(), at)).collect();
    let common = common(data);
    let rows = data.overview.rows.iter();
    rows.map(|reported| row(reported, &places, common, data, mask)).collect()
}

/// Columns that the longest name and the longest finding take.
pub(super) fn longest(rows: &[Row], glyphs: Glyphs) -> [usize; 2] {
    let widest = |of: fn(&Row) -> String| {
        let widths = rows.iter().map(|row| text::width(&of(row), glyphs));
        widths.max().unwrap_or(0)
    };
    [widest(|row| row.name.clone()), widest(|row| row.finding.text(usize::MAX))]
}

/// What of the names goes without saying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Common {
    Nothing,
    Account,
    Database,
}

impl Common {
    pub fn of<'n>(mut names: impl Iterator<Item = &'n ContainerName>) -> Self {
        let Some(first) = names.next().map(ContainerName::identity) else {
            return Self::Database;
        };
        names.map(ContainerName::identity).fold(Self::Database, |common, name| {
            if name.account != first.account {
                Self::Nothing
            } else if name.database != first.database && common == Self::Database {
                Self::Account
            } else {
                common
            }
        })
    }
}

fn common(data: &Dataset) -> Common {
    Common::of(data.overview.rows.iter().map(|row| &row.name))
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
    parts.join(BETWEEN)
}

fn row(
    reported: &OverviewRow,
    places: &HashMap<ContainerName, usize>,
    common: Common,
    data: &Dataset,
    mask: &Mask,
) -> Row {
    let identity = reported.name.identity();
    let mut shown = mask.container(&reported.name);
    if common == Common::Nothing {
        // Next to the same name in an account it would look like that container listed twice.
        shown.account.get_or_insert_with(|| "account unknown".into());
    }
    let standing = &reported.standing;
    let (largest, next) = (&standing.largest, &standing.next_limit_date);
    let share = largest.as_ref().map_or(0.0, |largest| largest.share);
    let first = standing.first_at_limit();
    let limit_date = first.map_or(LimitDate::Unknown, |(_, at)| at);
    let deleted = if is_deleted(data, &reported.name) { " (deleted)" } else { "" };
    Row {
        number: reported.number,
        at: places.get(&identity).copied(),
        identity,
        name: title(&shown, common) + deleted,
        title: title(&shown, Common::Nothing) + deleted,
        keys: reported.keys_total,
        largest_kib: largest.as_ref().map_or(0.0, |key| key.size_kib),
        share,
        marks: reported.marks,
        size_kib: (reported.size_kib > 0.0).then_some(reported.size_kib),
        size_of: reported.whole_of,
        growth: largest.as_ref().and_then(|key| key.growth),
        fastest: standing.fastest.clone(),
        limit_date,
        newest: standing.newest.or_else(|| load_ends(data, reported.number)),
        severity: reported.severity,
        finding: finding(data, reported, mask),
        hottest: hottest(data, reported.number),
        largest: largest.clone(),
        next: next.clone(),
    }
}

/// Whether the account has no such container any more.
fn is_deleted(data: &Dataset, name: &ContainerName) -> bool {
    let named = name.database.as_deref().zip(name.container.as_deref());
    let gone = data.watched.iter().flat_map(|watched| &watched.deleted);
    named.is_some_and(|named| gone.into_iter().any(|(db, c)| (db.as_str(), c.as_str()) == named))
}

/// What is wrong, worst first: that all is well, or that nothing can be known, is no finding.
pub(super) fn struck(data: &Dataset, container: u32) -> impl Iterator<Item = &Verdict> {
    let found = data.diagnoses.container(container);
    let verdicts = found.into_iter().flat_map(|found| &found.verdicts);
    verdicts.filter(|verdict| verdict.severity > Severity::Note)
}

fn finding(data: &Dataset, reported: &OverviewRow, mask: &Mask) -> Finding {
    let of_verdict = |verdict: &Verdict| {
        let partition = || partition_text(data, reported.number, verdict.partition);
        let (key, partition) = match verdict.key.as_deref() {
            Some(json) => (mask.key_text(Some(json)), partition()),
            // One key after another is hot, and the partition with it.
            None if verdict.rule == Rule::HotKey => ("moves".to_owned(), String::new()),
            None => (String::new(), partition()),
        };
        Finding { rule: verdict.rule.name(), key, partition }
    };
    let worst = struck(data, reported.number).next().map(of_verdict);
    worst.unwrap_or_else(|| match (reported.finding.severity, &reported.finding.about) {
        (Some(_), SentenceSubject::Key(key)) => Finding {
            rule: if reported.marks.full > 0 { "KEY OVER 20 GB" } else { "KEY NEAR 20 GB" },
            key: mask.key_text(key.as_deref()),
            partition: String::new(),
        },
        _ => Finding::default(),
    })
}

fn partition_text(data: &Dataset, container: u32, partition: Option<u32>) -> String {
    let heat = data.heat.container(container).zip(partition);
    let partition = heat.and_then(|(heat, at)| heat.partitions.get(at as usize));
    partition.map_or_else(String::new, |partition| range_text(&partition.named))
}

/// `p3`; of a partition that only a GUID names the beginning of it.
pub(super) fn range_text(named: &RangeName) -> String {
    match named {
        RangeName::Range(id) => format!("p{}", visible(id)),
        RangeName::Guid(guid) => text::guid_start(guid),
        named => named.text().to_owned(),
    }
}

/// The end of its load, where no size has a time.
fn load_ends(data: &Dataset, container: u32) -> Option<Stamp> {
    let heat = data.heat.container(container)?;
    let ends = heat.tracks.iter().filter_map(|track| Some(track.span()?.1));
    ends.max().and_then(Stamp::from_seconds)
}

fn hottest(data: &Dataset, container: u32) -> Option<(String, f64, Mark)> {
    let track = data.heat.container(container)?.best_track()?;
    let (partition, statistics) = track.hottest()?;
    let partition = partition_text(data, container, Some(partition));
    Some(match track.measure {
        Measure::NormalizedRu | Measure::LoggedShare => {
            let share = statistics.highest;
            let words = format!("{partition} {}", percent_text(share));
            (words, share, Mark::of(share))
        }
        Measure::ThrottledShare => {
            let verdict = struck(data, container).find(|v| v.rule == Rule::HotPartition)?;
            let share = verdict.remedies.first()?.throttled?.point;
            (format!("429 {}", percent_text(share)), share, Mark::Alarm)
        }
        Measure::LoggedRu | Measure::RequestRu => (partition, 0.0, Mark::Below),
        _ => return None,
    })
}

/// All that is wrong with a container, each in a sentence with its numbers; else how its largest key stands.
pub(super) fn sentences(cx: &Cx, data: &Dataset, row: &Row) -> Vec<String> {
    let said = struck(data, row.number).map(|verdict| {
        let headline = card::headline_text(cx, verdict);
        format!("{}: {headline}", verdict.rule.name())
    });
    let said: Vec<String> = said.collect();
    if !said.is_empty() {
        return said;
    }
    let mut rows = data.overview.rows.iter();
    let reported = rows.find(|reported| reported.number == row.number);
    reported.map(|reported| size_sentence(reported, &cx.mask)).into_iter().collect()
}

fn size_sentence(reported: &OverviewRow, mask: &Mask) -> String {
    let sentence = &reported.finding;
    let text = mask.text(&sentence.text);
    match &sentence.about {
        SentenceSubject::Container => text,
        SentenceSubject::Key(json) => {
            let key = mask.key_text(json.as_deref());
            let starts_with_size = text.starts_with(|c: char| c.is_ascii_digit());
            let between = if starts_with_size { ":" } else { "" };
            format!("{key}{between} {text}")
        }
    }
}

pub(super) fn title(name: &ContainerName, common: Common) -> String {
    let (account, database) = (name.account.as_deref(), name.database.as_deref());
    let container = Some(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER));
    let parts = match common {
        Common::Nothing => [account, database, container],
        Common::Account => [None, database, container],
        Common::Database => [None, None, container],
    };
    let parts: Vec<_> = parts.into_iter().flatten().map(visible).collect();
    parts.join(BETWEEN)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_told_in_the_longest_form_that_fits() {
        let guid = "5b1f7c52-7d7e-4d5c-9f3f-0d3c7c5d1a2b";
        let rows = [
            ("HOT KEY", "contoso", "p0", 24, "HOT KEY contoso p0"),
            ("KEY NEAR 20 GB", "model-1", "p2", 24, "NEAR 20 GB model-1 p2"),
            ("KEY OVER 20 GB", "tenant-0042", "p12", 24, "OVER 20 GB tenant-0042"),
            ("KEY OVER 20 GB", guid, "p12", 20, "KEY OVER 20 GB p12"),
            ("HOT KEY", guid, "p0", 24, "HOT KEY p0"),
            ("HOT KEY", guid, "p0", 48, "HOT KEY 5b1f7c52-7d7e-4d5c-9f3f-0d3c7c5d1a2b p0"),
            ("THROTTLED BY BUCKET", "", "", 20, "THROTTLED BY BUCKET"),
            ("THROTTLED BY BUCKET", "", "", 18, "429 BY BUCKET"),
        ];
        for (rule, key, partition, columns, expected) in rows {
            let finding = Finding { rule, key: key.to_owned(), partition: partition.to_owned() };
            assert_eq!(finding.text(columns), expected);
        }
    }
}
