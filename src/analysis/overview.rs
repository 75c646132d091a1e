//! One row for each container, worst first, with one finding in words and what is not known of it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::model::capture::{Capture, Container};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::model::order::keep_first;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};

use super::best::Best;
use super::ceiling::{Ceiling, Mark, MarkCounts};
use super::columns::{Columns, ContainerColumns, KeyRecord, Lookups};
use super::diagnosis::Diagnoses;
use super::filter::FilterRow;
use super::findings::{self, Limits, Severity};
use super::growth::{LimitDate, LimitDay, NEARLY_ALL, limit_date_words};
use super::rows::{ContainerRows, KeyRow, Report, name_order};
use super::rules::Rule;
use super::select::bits;
use super::skew::WholeOf;
use super::usage::stored_kib;

/// Keys that an overview shows of one container at most.
const LARGEST_KEYS: usize = 40;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Overview {
    /// Worst first: by severity, by how many verdicts are of it, then by the largest share, then by name.
    pub rows: Vec<OverviewRow>,
    pub totals: Totals,
}

#[derive(Clone, PartialEq, Debug)]
pub struct OverviewRow {
    /// The container's number in the capture.
    pub number: u32,
    pub name: ContainerName,
    /// Reported keys.
    pub keys_total: u64,
    pub size_kib: f64,
    pub whole_of: WholeOf,
    pub marks: MarkCounts,
    pub standing: Standouts,
    pub finding: Sentence,
    /// The worst of the finding and of the verdicts on its load; None where nothing struck.
    pub severity: Option<Severity>,
    /// Verdicts of that severity.
    pub struck: usize,
    pub missing: Vec<Missing>,
}

/// The keys of a container that stand out, each as its report row would be.
#[derive(Clone, PartialEq, Debug)]
pub struct Standouts {
    pub largest: Option<Arc<KeyRow>>,
    /// The largest of those that are full.
    pub full: Option<Arc<KeyRow>>,
    /// Its growth is known.
    pub fastest: Option<Arc<KeyRow>>,
    /// The first that reaches the ceiling of those still below it: its limit date is a date.
    pub next_limit_date: Option<Arc<KeyRow>>,
    /// The first that can reach it, if it grows as fast as its samples allow.
    pub soonest: Option<Arc<KeyRow>>,
    /// The largest keys, the largest first.
    pub largest_keys: Vec<KeyId>,
    pub newest: Option<Stamp>,
    /// Of all keys together; None unless it is known of nearly all of what they hold.
    pub growth_kib_per_day: Option<f64>,
}

impl Standouts {
    /// Those of one container by themselves; None where there is no such container.
    pub fn of(capture: &Capture, number: u32, ceiling: Ceiling) -> Option<Self> {
        let columns = Columns::of(capture, ceiling);
        let lookups = Lookups::of(capture, ceiling);
        Some(standing(&columns.container(capture, number)?, &lookups))
    }

    /// The key that reaches the limit first, and when: the one date of a container on every screen.
    pub fn first_at_limit(&self) -> Option<(&KeyRow, LimitDate)> {
        let by_date = self.next_limit_date.as_ref();
        let first = self.full.as_ref().or(by_date).or(self.largest.as_ref())?;
        Some((first, first.limit_date))
    }
}

/// A finding in words; the key it is about stands apart, so that whoever shows it can mask it and make it visible.
#[derive(Clone, PartialEq, Debug)]
pub struct Sentence {
    /// None where nothing struck.
    pub severity: Option<Severity>,
    pub about: SentenceSubject,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentenceSubject {
    Container,
    /// The key's JSON text; None where the log named no key.
    Key(Option<Box<str>>),
}

words! {
    /// What no input told.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Missing {
        Statistics = "no partition key statistics: sizes of keys unknown",
        RequestUnits = "no RU logs: heat unknown",
        Ranges = "no hash ranges: partitions of keys unknown",
        Definition = "no key definition: hashes of keys unknown",
    }
    fn words, ALL
}

impl Missing {
    /// What gives it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Statistics => {
                "switch on the log category PartitionKeyStatistics in the account's diagnostic settings and open its export"
            }
            Self::RequestUnits => {
                "switch on the log category PartitionKeyRUConsumption in the account's diagnostic settings and open its export"
            }
            Self::Ranges => {
                "open the container's partition key ranges, the answer of GET .../pkranges"
            }
            Self::Definition => {
                "open the container as JSON, the answer of az cosmosdb sql container show"
            }
        }
    }
}

/// Over all containers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    pub containers: u64,
    pub keys_total: u64,
    pub marks: MarkCounts,
    pub newest: Option<Stamp>,
    /// Containers that lack it.
    pub missing: BTreeMap<Missing, u64>,
}

/// The report gives what is exact over all keys, also over those that an import in parts no longer holds; the columns
/// give the keys that stand out. `max_logical` is the share that raises an alarm.
pub fn overview(
    report: &Report,
    capture: &Capture,
    columns: &Columns,
    lookups: &Lookups,
    diagnoses: &Diagnoses,
    max_logical: f64,
) -> Overview {
    let reported: HashMap<ContainerName, &ContainerRows> =
        report.containers.iter().map(|rows| (rows.name.identity(), rows)).collect();
    let loaded = with_load(capture);
    let mut rows = Vec::with_capacity(capture.containers.len());
    for (number, container) in (0_u32..).zip(&capture.containers) {
        let Some(columns) = columns.container(capture, number) else { continue };
        let reported = reported.get(&container.name.identity()).copied();
        let is_read = reported.is_some()
            || !columns.is_empty()
            || loaded.contains(&number)
            || container.throughput.is_some()
            || !container.is_only_listed();
        if is_read || container.name.container.is_some() {
            let mut row = row(reported, &columns, report, lookups, max_logical);
            if !is_read {
                row.missing.clear();
                "this container is listed, and nothing of it was read"
                    .clone_into(&mut row.finding.text);
            }
            let verdicts = diagnoses.container(number).map_or(&[][..], |found| &found.verdicts);
            let severities = || verdicts.iter().map(|verdict| verdict.severity);
            // A note is no finding.
            let worst = severities().max().filter(|worst| *worst > Severity::Note);
            row.severity = row.severity.max(worst);
            row.struck = severities().filter(|one| Some(*one) == row.severity).count();
            rows.push(row);
        }
    }
    rows.sort_by(worst_first);
    let totals = totals(&rows);
    Overview { rows, totals }
}

fn with_load(capture: &Capture) -> HashSet<u32> {
    let load = &capture.load;
    let ru = load.ru.keys().map(|cell| cell.container);
    let requests = load.requests.keys().map(|cell| cell.container);
    let metrics = load.metrics.keys().map(|series| series.container);
    ru.chain(requests).chain(metrics).collect()
}

fn worst_first(a: &OverviewRow, b: &OverviewRow) -> Ordering {
    let share = |row: &OverviewRow| row.standing.largest.as_ref().map_or(-1.0, |l| l.share);
    (b.severity.cmp(&a.severity))
        .then(b.struck.cmp(&a.struck))
        .then(share(b).total_cmp(&share(a)))
        .then_with(|| name_order(&a.name, &b.name))
}

fn row(
    reported: Option<&ContainerRows>,
    columns: &ContainerColumns<'_>,
    report: &Report,
    lookups: &Lookups,
    max_logical: f64,
) -> OverviewRow {
    let standing = standing(columns, lookups);
    let limits = Limits {
        max_logical,
        as_of: report.as_of,
        newest: standing.newest,
        ceiling: report.ceiling,
    };
    let marks = reported.map(|t| t.marks).unwrap_or_default();
    let finding = finding(&standing, marks, &limits);
    OverviewRow {
        number: columns.number,
        name: columns.container.name.clone(),
        keys_total: reported.map_or(0, |t| t.keys_total),
        size_kib: reported.map_or(0.0, |t| t.skew.total_kib),
        whole_of: reported.map_or(WholeOf::ReportedKeys, |t| t.skew.whole_of),
        marks,
        severity: finding.severity,
        struck: 0,
        finding,
        missing: missing(columns, lookups),
        standing,
    }
}

/// Of equal rows the first by JSON text, as in the report.
fn standing(columns: &ContainerColumns<'_>, lookups: &Lookups) -> Standouts {
    let (mut largest, mut full) = (Best::default(), Best::default());
    let mut fastest = Best::default();
    let keys = &columns.capture.sizes;
    let (mut newest, mut is_known) = (None, true);
    for row in (0..columns.len()).filter_map(|n| columns.row(n)) {
        let (id, size) = (row.key.id, bits(row.size_kib()));
        largest.offer(size, id, keys);
        if let Some(growth) = row.growth_kib_per_day().filter(|g| *g > 0.0) {
            fastest.offer((bits(growth), size), id, keys);
        }
        if row.limit_date() == LimitDay::Over {
            full.offer(size, id, keys);
            is_known &= row.growth_kib_per_day().is_some();
        }
        newest = newest.max(row.newest());
    }
    let row = |id: Option<KeyId>| Some(Arc::new(lookups.key_row(columns.capture, id?)?.0));
    Standouts {
        largest: row(largest.key()),
        full: row(full.key()),
        fastest: row(fastest.key()),
        next_limit_date: row(columns.next_limit_date),
        soonest: row(columns.soonest),
        largest_keys: largest_keys(columns),
        newest,
        // Of what is written to a full key no size has anything.
        growth_kib_per_day: growth(columns).filter(|_| is_known),
    }
}

fn growth(columns: &ContainerColumns<'_>) -> Option<f64> {
    let stored = stored_kib(columns.capture, columns.number).unwrap_or(0.0);
    // Keys come in another order each time: sums of whole bytes are the same in any.
    let whole = |kib: f64| (kib * 1024.0).round();
    let sums = columns.keys.iter().fold([0.0; 3], |[all, grown, growth], key| {
        let (size, a_day) = (whole(key.size_kib), key.growth_kib_per_day);
        if a_day.is_finite() {
            [all + size, grown + size, growth + whole(a_day)]
        } else {
            [all + size, grown, growth]
        }
    });
    let [all, grown, growth] = sums.map(|bytes| bytes / 1024.0);
    (growth > 0.0 && grown >= NEARLY_ALL * stored.max(all)).then_some(growth)
}

fn largest_keys(columns: &ContainerColumns<'_>) -> Vec<KeyId> {
    let mut keys: Vec<&KeyRecord> = columns.keys.iter().collect();
    let sizes = &columns.capture.sizes;
    let larger = |a: &&KeyRecord, b: &&KeyRecord| {
        b.size_kib.total_cmp(&a.size_kib).then_with(|| sizes.text_order(a.id, b.id))
    };
    keep_first(&mut keys, LARGEST_KEYS, larger);
    keys.into_iter().map(|key| key.id).collect()
}

fn finding(standing: &Standouts, marks: MarkCounts, limits: &Limits) -> Sentence {
    let mut worst: Option<Sentence> = None;
    // By one of these a container is judged as by all of its keys: one rule looks at the size, the other at the earliest day.
    let judged = [&standing.full, &standing.largest, &standing.next_limit_date, &standing.soonest];
    for row in judged.into_iter().flatten() {
        for finding in findings::of_key(row, limits) {
            let severity = Some(finding.severity);
            // Of equals the first: a size is certain, a date is not.
            if worst.as_ref().is_some_and(|w| w.severity >= severity) {
                continue;
            }
            let mut text = finding.sentence;
            if finding.rule == Rule::MaxLogical {
                text.push_str(&others(row.mark(), marks));
            }
            worst = Some(Sentence { severity, about: SentenceSubject::Key(row.key.clone()), text });
        }
    }
    worst.unwrap_or_else(|| calm(standing))
}

/// How many further keys passed the same mark.
fn others(mark: Mark, marks: MarkCounts) -> String {
    let count = match mark {
        Mark::Below => 0,
        Mark::Warn => marks.warn,
        Mark::Alarm => marks.alarm,
        Mark::Full => marks.full,
    };
    let share = mark.share().map_or_else(String::new, percent_text);
    match count.saturating_sub(1) {
        0 => String::new(),
        1 => format!("; 1 further key is at {share} or above"),
        n => format!("; {} further keys are at {share} or above", count_text(n)),
    }
}

fn calm(standing: &Standouts) -> Sentence {
    let (row, text) = if let Some(row) = &standing.next_limit_date
        && let date @ LimitDate::Date { .. } = &row.limit_date
    {
        let words = limit_date_words(date, standing.newest);
        (Some(row), format!("reaches the ceiling first, {words}"))
    } else if let Some(row) = &standing.largest {
        let (size, share) = (kib_text(row.size_kib), percent_text(row.share));
        (Some(row), format!("is the largest: {size}, {share} of the limit"))
    } else {
        let text = "no key was reported: none is large enough, or the statistics were not part of the inputs";
        (None, text.to_owned())
    };
    let about = row.map_or(SentenceSubject::Container, |row| SentenceSubject::Key(row.key.clone()));
    Sentence { severity: None, about, text }
}

fn missing(columns: &ContainerColumns<'_>, lookups: &Lookups) -> Vec<Missing> {
    let container: &Container = columns.container;
    let has_range =
        container.partitions.iter().any(|p| p.min_inclusive.is_some() && p.max_exclusive.is_some());
    let lacks = |what: &Missing| match what {
        Missing::Statistics => columns.is_empty(),
        Missing::RequestUnits => lookups.ru.of_container(columns.number).is_none(),
        Missing::Ranges => !has_range,
        Missing::Definition => container.definition.is_none(),
    };
    Missing::ALL.into_iter().filter(lacks).collect()
}

fn totals(rows: &[OverviewRow]) -> Totals {
    let mut out = Totals::default();
    for row in rows {
        out.containers += 1;
        out.keys_total += row.keys_total;
        out.marks.warn += row.marks.warn;
        out.marks.alarm += row.marks.alarm;
        out.marks.full += row.marks.full;
        out.newest = out.newest.max(row.standing.newest);
        for what in &row.missing {
            *out.missing.entry(*what).or_default() += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests;
