//! What an application does with a container, by its logs: operations, queries, programs and keys, with rates and charges.

mod advice;
mod queries;
mod rates;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::heat::cells::{Cells, ContainerCells, RuEntry};
use super::mask::Masker;
use super::rows::Note;
use super::summary::ContainerFilter;
use crate::model::capture::Capture;
use crate::model::client::{Client, ClientSum};
use crate::model::load::{BAD_REQUEST, Load, RequestSum, RuKey, TOO_MANY_REQUESTS};
use crate::model::names::ContainerName;
use crate::model::order::keep_first;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{count_text, counted, percent_text, real, real_seconds, whole_text};
use crate::model::visible::visible;

pub use advice::{MixKind, slow_share};
pub use queries::QueryUse;
pub use rates::AccessRate;

/// Keys and programs that are listed.
const LISTED: usize = 10;
/// Logs of the same requests that differ by more have a reason.
const DIFFERENT: f64 = 0.05;

/// Parts of the names of writes, and what a workload file calls them.
const WRITES: [(&str, &str); 7] = [
    ("create", "create"),
    ("insert", "create"),
    ("upsert", "upsert"),
    ("replace", "replace"),
    ("update", "replace"),
    ("patch", "patch"),
    ("delete", "delete"),
];

words! {
    /// What an operation of a log does.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum OperationKind {
        PointRead = "point read",
        Query = "query",
        /// Documents in the order of their change, or all of a key.
        Feed = "feed",
        Write = "write",
        Batch = "batch",
        /// Stored procedures: whether they read or write is not logged.
        Procedure = "procedure",
        /// Of containers and databases, not of documents.
        Other = "other",
    }
    fn word
}

impl OperationKind {
    /// By the name that logs give it.
    pub fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        match () {
            () if name.contains("query") => Self::Query,
            () if name.contains("batch") => Self::Batch,
            () if name.contains("execute") => Self::Procedure,
            () if name.contains("feed") || name.contains("readmany") => Self::Feed,
            () if name.contains("read") => Self::PointRead,
            () if WRITES.iter().any(|(part, _)| name.contains(part)) => Self::Write,
            () => Self::Other,
        }
    }

    pub fn is_read(self) -> bool {
        matches!(self, Self::PointRead | Self::Query | Self::Feed)
    }

    /// A batch may hold reads, and mostly writes.
    pub fn is_write(self) -> bool {
        matches!(self, Self::Write | Self::Batch)
    }
}

/// From which log requests are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedBy {
    RequestLog,
    /// Its records are counted; one may stand for several requests.
    RuLog,
}

/// One operation.
#[derive(Clone, PartialEq, Debug)]
pub struct OperationUse {
    pub name: String,
    pub kind: OperationKind,
    pub requests: u64,
    /// Of these, 429s; None where the log has no status.
    pub throttled: Option<u64>,
    pub per_second: Option<f64>,
    pub ru: f64,
    /// Of one that was not throttled.
    pub ru_each: Option<f64>,
    pub ms_each: Option<f64>,
}

/// A program, and its share of the requests.
#[derive(Clone, PartialEq, Debug)]
pub struct ClientUse {
    pub client: Client,
    pub requests: u64,
    pub share: f64,
    pub per_day: Option<f64>,
}

/// A key of the RU log.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyUse {
    /// As JSON.
    pub key: String,
    pub ru: f64,
    pub share: f64,
    /// Of its RU.
    pub write_share: f64,
}

/// Of one container.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedWorkload {
    pub name: ContainerName,
    pub counted_by: CountedBy,
    pub from: Option<Stamp>,
    pub to: Option<Stamp>,
    /// The time that is logged.
    pub seconds: f64,
    pub reads: AccessRate,
    pub writes: AccessRate,
    /// All RU of the log that requests are counted by.
    pub ru: f64,
    /// Records, where the RU log counts.
    pub requests: u64,
    pub operations: Vec<OperationUse>,
    pub queries: Vec<QueryUse>,
    pub clients: Vec<ClientUse>,
    pub keys: Vec<KeyUse>,
    /// All RU of the RU log, where there is one.
    pub key_log_ru: Option<f64>,
    pub notes: Vec<Note>,
}

/// One step of a log.
#[derive(Clone, Copy)]
struct LoggedStep {
    second: Option<i64>,
    operation: u32,
    is_throttled: bool,
    sum: RequestSum,
}

impl LoggedWorkload {
    /// Of each container whose requests are logged.
    pub fn of_all(capture: &Capture, filters: &[ContainerFilter]) -> Vec<Self> {
        let numbered = (0_u32..).zip(&capture.containers);
        let wanted =
            numbered.filter(|(_, container)| ContainerFilter::any_fits(filters, &container.name));
        let cells = Cells::of(&capture.load);
        let of = |number| Self::of_cells(capture, number, cells.container(number));
        let mut found: Vec<Self> = wanted.filter_map(|(number, _)| of(number)).collect();
        found.sort_by(|a, b| b.ru.total_cmp(&a.ru));
        found
    }

    /// None where no log has a request of the container.
    pub fn of(capture: &Capture, container: u32) -> Option<Self> {
        Self::of_cells(capture, container, Cells::of(&capture.load).container(container))
    }

    fn of_cells(capture: &Capture, container: u32, cells: ContainerCells<'_, '_>) -> Option<Self> {
        let load = &capture.load;
        let (counted_by, steps, width) = steps(load, cells)?;
        let span = span(&steps, width);
        let seconds = span.map_or(0.0, |(from, to)| real_seconds(to - from));
        let kinds: BTreeMap<u32, OperationKind> = (steps.iter().map(|step| step.operation))
            .map(|operation| (operation, OperationKind::of(load.names.text(operation))))
            .collect();
        let rate = |is_it: fn(OperationKind) -> bool| {
            let of =
                steps.iter().filter(|step| kinds.get(&step.operation).copied().is_some_and(is_it));
            let rate = AccessRate::of(of, span, width);
            match counted_by {
                CountedBy::RequestLog => rate,
                CountedBy::RuLog => rate.uncounted(),
            }
        };
        let sum = |of: fn(&RequestSum) -> f64| steps.iter().map(|step| of(&step.sum)).sum::<f64>();
        let (keys, key_log_ru) = keys(load, cells.ru);
        let mut found = Self {
            name: capture.container(container)?.name.clone(),
            counted_by,
            from: span.and_then(|(from, _)| Stamp::from_seconds(from)),
            to: span.and_then(|(_, to)| Stamp::from_seconds(to)),
            seconds,
            reads: rate(OperationKind::is_read),
            writes: rate(OperationKind::is_write),
            ru: sum(|sum| sum.ru),
            requests: steps.iter().map(|step| step.sum.requests).sum(),
            operations: operations(load, counted_by, &steps, seconds),
            queries: QueryUse::of(&load.queries, container, seconds),
            clients: clients(load, container, seconds),
            keys,
            key_log_ru,
            notes: Vec::new(),
        };
        found.notes = found.remarks();
        let definition = capture.container(container)?.definition.as_ref();
        let is_hierarchical = definition.is_some_and(|definition| definition.paths.len() > 1);
        found.notes.extend(found.two_prices_sentence(is_hierarchical).map(Note::new));
        found.notes.extend(rejected(load, container, cells));
        Some(found)
    }

    /// Replaces every name and value.
    pub fn mask(&mut self, masker: &Masker) {
        self.name = masker.container(&self.name);
        for key in &mut self.keys {
            key.key = masker.key(&key.key).into();
        }
        for query in &mut self.queries {
            query.values.clear();
        }
        for used in &mut self.clients {
            used.client.hide_name();
        }
    }

    pub fn of_kind(&self, kind: OperationKind) -> impl Iterator<Item = &OperationUse> {
        self.operations.iter().filter(move |used| used.kind == kind)
    }

    fn remarks(&self) -> Vec<Note> {
        let mut said = Vec::new();
        if self.counted_by == CountedBy::RuLog {
            said.push("no request log: records of the RU log are counted; requests, 429s, latency and programs are unknown".to_owned());
        }
        let logged: u64 = self.of_kind(OperationKind::Query).map(|o| o.requests).sum();
        let texts: u64 = self.queries.iter().map(|q| q.requests).sum();
        if logged > 0 && texts == 0 {
            said.push("query texts are not logged: turn on QueryRuntimeStatistics with full-text query, or give --queries to trial".to_owned());
        } else if logged > 0 && self.counted_by == CountedBy::RequestLog {
            let share = real(texts) / real(logged);
            if !(0.95..=1.05).contains(&share) {
                let share = percent_text(share);
                said.push(format!("the text is logged of {share} of the query requests"));
            }
        }
        if logged > 0 && self.counted_by == CountedBy::RequestLog {
            said.push(
                "a query counts once for each page on each physical partition that it visits"
                    .to_owned(),
            );
        }
        let other = (self.key_log_ru).filter(|ru| (ru / self.ru - 1.0).abs() > DIFFERENT);
        let throttled = self.operations.iter().filter_map(|used| {
            let requests = used.throttled.filter(|throttled| *throttled > 0)?;
            Some(real(requests) * used.ru_each?)
        });
        let requested = self.ru + throttled.sum::<f64>();
        said.extend(other.map(|ru| {
            let why = if (ru / requested - 1.0).abs() > DIFFERENT {
                "they are of other times, or one of them is not whole"
            } else {
                "the RU log has those of throttled requests, too"
            };
            let [ru, served] = [ru, self.ru].map(whole_text);
            format!("the RU log has {ru} RU, the request log {served}: {why}")
        }));
        said.into_iter().map(Note::new).collect()
    }
}

/// Requests with a 400, by operation: no RU/s and no other key cure them.
fn rejected(load: &Load, container: u32, cells: ContainerCells<'_, '_>) -> Option<Note> {
    let mut by: BTreeMap<&str, u64> = BTreeMap::new();
    for (cell, sum) in cells.requests.iter().filter(|(cell, _)| cell.status == BAD_REQUEST) {
        *by.entry(load.names.text(cell.operation)).or_default() += sum.requests;
    }
    let of =
        |(name, requests): (&&str, &u64)| format!("{} of {}", count_text(*requests), visible(name));
    let parts: Vec<String> = by.iter().map(of).collect();
    let all = counted(by.values().sum(), "request got", "requests got");
    let other_key = load.limited.get(&container).map_or(0, |reasons| reasons.of_other_key);
    let why = match other_key {
        0 => String::new(),
        n => format!(
            "; {} with sub-status 1001: the key that the client gives is not the document's",
            count_text(n)
        ),
    };
    (!parts.is_empty()).then(|| Note::new(format!("{all} 400: {}{why}", parts.join(", "))))
}

/// The steps of the log that requests are counted by, and how wide they are.
fn steps(load: &Load, cells: ContainerCells<'_, '_>) -> Option<(CountedBy, Vec<LoggedStep>, u32)> {
    let mut width = load.requests_width_s;
    let mut steps: Vec<LoggedStep> = (cells.requests.iter())
        .map(|(cell, sum)| {
            width = width.max(cell.span_s);
            LoggedStep {
                second: cell.second,
                operation: cell.operation,
                is_throttled: cell.status == TOO_MANY_REQUESTS,
                sum: **sum,
            }
        })
        .collect();
    let counted_by = if steps.is_empty() {
        width = load.ru_width_s;
        steps.extend(cells.ru.iter().map(|(cell, sum)| LoggedStep {
            second: cell.second,
            operation: cell.operation,
            is_throttled: false,
            sum: RequestSum {
                requests: sum.records,
                ru: sum.ru,
                duration_ms: 0.0,
                records: sum.records,
            },
        }));
        CountedBy::RuLog
    } else {
        CountedBy::RequestLog
    };
    // Sums depend on their order.
    steps.sort_by(|a, b| {
        let key =
            |step: &LoggedStep| (step.second, step.operation, step.is_throttled, step.sum.requests);
        key(a).cmp(&key(b)).then(a.sum.ru.total_cmp(&b.sum.ru))
    });
    (!steps.is_empty()).then_some((counted_by, steps, width.max(1)))
}

/// First second and the one after the last.
fn span(steps: &[LoggedStep], width: u32) -> Option<(i64, i64)> {
    let seconds = || steps.iter().filter_map(|step| step.second);
    Some((seconds().min()?, seconds().max()? + i64::from(width)))
}

fn operations(
    load: &Load,
    counted_by: CountedBy,
    steps: &[LoggedStep],
    seconds: f64,
) -> Vec<OperationUse> {
    // All of each operation, and what was throttled of it.
    let mut sums: BTreeMap<u32, [RequestSum; 2]> = BTreeMap::new();
    for step in steps {
        let [all, throttled] = sums.entry(step.operation).or_default();
        all.add(step.sum);
        if step.is_throttled {
            throttled.add(step.sum);
        }
    }
    let has_status = counted_by == CountedBy::RequestLog;
    let mut found: Vec<OperationUse> = (sums.iter())
        .map(|(operation, [sum, lost])| {
            let name = load.names.text(*operation).to_owned();
            let done = sum.requests - lost.requests;
            let each = |all: f64, lost: f64| (done > 0).then(|| (all - lost) / real(done));
            OperationUse {
                kind: OperationKind::of(&name),
                name,
                requests: sum.requests,
                throttled: has_status.then_some(lost.requests),
                per_second: (has_status && seconds > 0.0).then(|| real(sum.requests) / seconds),
                ru: sum.ru,
                ru_each: each(sum.ru, lost.ru).filter(|_| has_status),
                ms_each: each(sum.duration_ms, lost.duration_ms)
                    .filter(|ms| has_status && *ms > 0.0),
            }
        })
        .collect();
    found.sort_by(|a, b| b.requests.cmp(&a.requests).then_with(|| a.name.cmp(&b.name)));
    found
}

fn clients(load: &Load, container: u32, seconds: f64) -> Vec<ClientUse> {
    let sent = load.clients_of(container);
    let all: u64 = sent.iter().map(|(_, sum)| sum.requests).sum();
    let used = |(client, sum): (&Client, ClientSum)| ClientUse {
        client: client.clone(),
        requests: sum.requests,
        share: real(sum.requests) / real(all.max(1)),
        per_day: (seconds > 0.0).then(|| real(sum.requests) / seconds * DAY_S),
    };
    sent.into_iter().map(used).collect()
}

/// The busiest keys of the RU log, and the RU of all of it.
fn keys(load: &Load, cells: &[RuEntry<'_>]) -> (Vec<KeyUse>, Option<f64>) {
    let mut sums: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
    let all: f64 = cells.iter().map(|(_, sum)| sum.ru).sum();
    for (cell, sum) in cells {
        let RuKey::Named(key) = cell.key else { continue };
        let [ru, written] = sums.entry(key).or_default();
        *ru += sum.ru;
        if OperationKind::of(load.names.text(cell.operation)).is_write() {
            *written += sum.ru;
        }
    }
    let mut found: Vec<KeyUse> = (sums.into_iter())
        .filter(|(_, [ru, _])| *ru > 0.0)
        .map(|(key, [ru, written])| KeyUse {
            key: load.keys.text(key).to_owned(),
            ru,
            share: ru / all,
            write_share: written / ru,
        })
        .collect();
    keep_first(&mut found, LISTED, |a, b| b.ru.total_cmp(&a.ru).then_with(|| a.key.cmp(&b.key)));
    (found, (all > 0.0).then_some(all))
}
