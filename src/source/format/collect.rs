//! Collects what documents hold while they stream by, and decides at their end what they were.

use crate::model::capture::RowFault;
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, PhysicalPartition};
use crate::source::json::fault::Ending;
use crate::source::json::split::{Event, Place};
use crate::source::json::{read, scan};

use super::container_read::{self, Fault};
use super::json_document::{
    CONTAINER_READ, DISTRIBUTION, LogRecords, MERGE, MESSAGES, METRICS, QUERY_RESULT, RANGES, RECORDS, THROUGHPUT, USAGES,
};
use super::fields::{Fields, Tally, bad_record, shown, too_long};
use super::metrics::Metrics;
use super::refusal::{self, MAX_NAMES};
use super::{arm, pkranges};

/// More than the largest container has.
const MAX_PARTITIONS: usize = 100_000;
/// More than any table of the service has: 500 is the limit there.
const MAX_COLUMNS: usize = 2000;

/// A list that tells what a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum List {
    Records,
    Tables,
    Value,
    Series,
    Usages,
    Statistics,
    Ranges,
    Distribution,
    Merge,
}

/// One document while it is read.
#[derive(Debug, Default)]
struct Document {
    names: Vec<String>,
    fields: Fields,
    lists: Vec<List>,
    partitions: Vec<PhysicalPartition>,
    columns: Vec<String>,
    /// Whether the columns of the current table were handed on.
    table_told: bool,
    /// Log records handed on, good or bad.
    rows: u64,
}

impl Document {
    fn has(&mut self, list: List) {
        if !self.lists.contains(&list) {
            self.lists.push(list);
        }
    }
}

/// What was seen at the top, where no object was taken apart.
#[derive(Debug, Default)]
struct Top {
    list: bool,
    objects: u64,
    /// What else there was, the first in words.
    other: Option<String>,
    scalar: Option<String>,
    like_a_record: bool,
    names: Vec<String>,
}

pub(super) struct Documents<'a> {
    sink: &'a mut dyn LogRecords,
    now: Document,
    /// The members of the current metric.
    metric: Fields,
    top: Top,
    pub(super) metrics: Metrics,
    pub(super) facts: Vec<ContainerFacts>,
    pub(super) tally: Tally,
    pub(super) shape: Option<&'static str>,
    refused: Option<Ending>,
}

impl<'a> Documents<'a> {
    pub(super) fn new(sink: &'a mut dyn LogRecords) -> Self {
        Self {
            sink,
            now: Document::default(),
            metric: Fields::default(),
            top: Top::default(),
            metrics: Metrics::default(),
            facts: Vec::new(),
            tally: Tally::default(),
            shape: None,
            refused: None,
        }
    }

    pub(super) fn take(&mut self, place: Place<'_>, event: Event<'_>) {
        let Place { path, name, line } = place;
        if !path.is_empty() && !path.contains(['.', '[']) && matches!(event, Event::Open | Event::ListOpen | Event::Value(_)) {
            self.name_seen(name);
        }
        match event {
            Event::Open | Event::ListClose => {}
            Event::Close => self.close(path),
            Event::ListOpen => self.list(path),
            Event::Item(raw) => self.item(path, raw, line),
            Event::Value(raw) if path.is_empty() => self.top.scalar = Some(raw.chars().take(20).collect()),
            Event::Value(raw) if path.starts_with("value[].") => self.metric.push(path, raw),
            Event::Value(raw) => self.now.fields.push(path, raw),
            Event::TooLong => self.bad(path, line, too_long()),
            Event::Bad(why) => self.bad(path, line, bad_record(why)),
        }
    }

    fn name_seen(&mut self, name: &str) {
        if self.now.names.len() <= MAX_NAMES {
            self.now.names.push(name.to_owned());
        }
    }

    fn bad(&mut self, path: &str, line: u64, fault: Fault) {
        if path.is_empty() {
            self.top.other.get_or_insert_with(|| fault.1.clone());
        }
        match path {
            "" | "records[]" | "tables[].rows[]" => {
                self.now.rows += u64::from(!path.is_empty());
                self.sink.bad(line, fault.0, fault.1);
            }
            _ => self.tally.skip(line, fault),
        }
    }

    fn list(&mut self, path: &str) {
        let list = match path {
            "" => {
                self.top.list = true;
                return;
            }
            "records" => List::Records,
            "tables" => List::Tables,
            "value" => List::Value,
            "value[].timeseries" => List::Series,
            _ => match path.rsplit('.').next().unwrap_or_default() {
                "statistics" => List::Statistics,
                "partitionkeyranges" => List::Ranges,
                "physicalpartitionthroughputinfo" => List::Distribution,
                "physicalpartitionstorageinfocollection" | "physicalpartitionstorageinfo" => List::Merge,
                _ => return,
            },
        };
        self.now.has(list);
    }

    fn item(&mut self, path: &str, raw: &str, line: u64) {
        match path {
            "" => self.loose(raw, line),
            "records[]" => {
                self.now.rows += 1;
                self.record(raw, line);
            }
            "tables[].columns[]" if self.now.columns.len() < MAX_COLUMNS => {
                let name = read::members(raw).ok().flatten().and_then(|m| read::member(&m, "name").and_then(read::text));
                self.now.columns.push(name.or_else(|| read::text(raw)).unwrap_or_default());
            }
            "tables[].rows[]" => self.table_row(raw, line),
            "value[]" => self.usage(raw, line),
            "value[].timeseries[].metadatavalues[]" => {
                let done = self.metrics.dimension(raw);
                self.count(line, done);
            }
            "value[].timeseries[].data[]" => {
                let done = self.metrics.point(raw, &mut self.tally);
                self.count(line, done);
            }
            _ => self.partition(path.rsplit('.').next().unwrap_or_default(), raw, line),
        }
    }

    fn count(&mut self, line: u64, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.tally.skip(line, fault);
        }
    }

    fn partition(&mut self, list: &str, raw: &str, line: u64) {
        let found = match list {
            "statistics[]" => container_read::statistics(raw, line, &mut self.tally),
            "partitionkeyranges[]" => pkranges::range(raw),
            "physicalpartitionthroughputinfo[]" => arm::distribution(raw),
            "physicalpartitionstorageinfocollection[]" | "physicalpartitionstorageinfo[]" => arm::merged(raw),
            _ => return,
        };
        self.keep(line, found);
    }

    fn usage(&mut self, raw: &str, line: u64) {
        let error = read::members(raw).ok().flatten().and_then(|m| read::member(&m, "errorcode").and_then(read::text));
        if let Some(code) = error {
            self.now.has(List::Series);
            self.tally.note(format!("a metric came without series: {}", shown(&code)));
            return;
        }
        match arm::usage(raw) {
            Ok(arm::Usage::Storage(partition)) => {
                self.now.has(List::Usages);
                self.keep(line, Ok(*partition));
            }
            Ok(arm::Usage::Other(name)) => {
                self.now.has(List::Usages);
                self.tally.note(format!("usages other than storage were left out: {}", shown(&name)));
            }
            Err(fault) => self.tally.skip(line, fault),
        }
    }

    fn keep(&mut self, line: u64, found: Result<PhysicalPartition, Fault>) {
        match found {
            Ok(_) if self.now.partitions.len() >= MAX_PARTITIONS => {
                self.tally.skip(line, (RowFault::TooManyColumns, format!("more than {MAX_PARTITIONS} physical partitions")));
            }
            Ok(partition) => self.now.partitions.push(partition),
            Err(fault) => self.tally.skip(line, fault),
        }
    }

    /// A whole object, or an element of the list at the top.
    fn loose(&mut self, raw: &str, line: u64) {
        if raw.starts_with('{') {
            self.top.objects += 1;
            if !self.top.like_a_record {
                let names = names_of(raw);
                self.top.like_a_record = names.iter().any(|n| is_name_of_records(n));
                if self.top.names.is_empty() {
                    self.top.names = names;
                }
            }
        } else {
            self.top.other.get_or_insert_with(|| shown(raw));
        }
        self.record(raw, line);
    }

    fn record(&mut self, raw: &str, line: u64) {
        if raw.starts_with('{') {
            self.sink.record(raw.as_bytes(), line);
        } else {
            self.sink.bad(line, RowFault::MissingColumns, format!("no record: {}", shown(raw)));
        }
    }

    fn table_row(&mut self, raw: &str, line: u64) {
        if self.now.columns.is_empty() {
            self.refused.get_or_insert_with(refusal::no_columns);
            return;
        }
        if !self.now.table_told {
            self.now.table_told = true;
            self.sink.table(&self.now.columns);
        }
        self.now.rows += 1;
        self.sink.table_row(raw.as_bytes(), line);
    }

    fn close(&mut self, path: &str) {
        match path {
            "" => {
                let document = std::mem::take(&mut self.now);
                self.settle(document);
            }
            "tables[]" => {
                self.now.columns.clear();
                self.now.table_told = false;
            }
            "value[].timeseries[]" => self.metrics.close_series(),
            "value[]" => {
                let fields = std::mem::take(&mut self.metric);
                self.metrics.close_metric(&fields, &mut self.tally);
            }
            // An object where a list belongs.
            "records" => {
                self.refused.get_or_insert_with(refusal::records_no_list);
            }
            _ => {}
        }
    }

    /// Decides at its end what a document was.
    fn settle(&mut self, document: Document) {
        let Document { names, fields, lists, partitions, rows, .. } = document;
        let failed = fields.any_below("error") || fields.raw("error").is_some();
        if lists.contains(&List::Tables) {
            if rows == 0 && self.refused.is_some() {
                return;
            }
            if rows == 0 {
                self.tally.note("no rows in this result");
            }
            if failed {
                let (code, message) = refusal::message(&fields);
                self.tally.note(format!("the result is incomplete ({code}): {message}"));
            }
            return self.is(QUERY_RESULT);
        }
        if lists.contains(&List::Records) {
            if rows == 0 {
                self.tally.note("an empty list of records");
            }
            return self.is(MESSAGES);
        }
        if lists.contains(&List::Series) {
            return self.is(METRICS);
        }
        let definition = container_read::definition(&fields);
        let throughput = arm::throughput(&fields);
        let shape = if lists.contains(&List::Statistics) || definition.is_some() {
            CONTAINER_READ
        } else if lists.contains(&List::Ranges) {
            RANGES
        } else if lists.contains(&List::Usages) {
            USAGES
        } else if lists.contains(&List::Merge) {
            MERGE
        } else if lists.contains(&List::Distribution) {
            DISTRIBUTION
        } else if throughput.is_some() {
            THROUGHPUT
        } else {
            return self.settle_empty(&names, &fields, &lists, failed);
        };
        let listed: usize = partitions.iter().map(|p| p.listed.len()).sum();
        if shape == CONTAINER_READ && partitions.is_empty() {
            self.tally.note("this container read holds no statistics");
        }
        self.tally.rows += match shape {
            CONTAINER_READ => listed as u64,
            THROUGHPUT => 1,
            _ => partitions.len() as u64,
        };
        let name = match shape {
            // These answers name no container.
            USAGES | MERGE => ContainerName::default(),
            _ => container_read::name(&fields),
        };
        let (partitions, merge_preview) = if shape == MERGE { (Vec::new(), partitions) } else { (partitions, Vec::new()) };
        self.facts.push(ContainerFacts { name, definition, throughput, partitions, merge_preview, at: None });
        self.is(shape);
    }

    /// A document that holds nothing known: empty, an error, or something else.
    fn settle_empty(&mut self, names: &[String], fields: &Fields, lists: &[List], failed: bool) {
        if failed {
            self.refused.get_or_insert_with(|| refusal::error(fields));
        } else if lists.contains(&List::Value) && (fields.raw("timespan").is_some() || fields.raw("namespace").is_some()) {
            self.tally.note("no data in this period");
            self.is(METRICS);
        } else if lists.contains(&List::Value) && names.len() == 1 && self.tally.skipped == 0 {
            self.tally.note("an empty list");
            self.is(USAGES);
        } else if names.iter().any(|n| n.eq_ignore_ascii_case("records")) {
            self.refused.get_or_insert_with(refusal::records_no_list);
        } else {
            self.refused.get_or_insert_with(|| refusal::unknown(names));
        }
    }

    fn is(&mut self, shape: &'static str) {
        self.shape.get_or_insert(shape);
    }

    /// Why all of it is refused, if it is; otherwise what is wrong with parts of it becomes a note.
    pub(super) fn refusal(&mut self) -> Option<Ending> {
        let top = std::mem::take(&mut self.top);
        let loose = top.objects > 0 && top.like_a_record;
        if loose {
            self.is(RECORDS);
        }
        let refused = self.refused.take();
        if self.shape.is_some() {
            if let Some(Ending::Refused { what, .. }) = refused {
                self.tally.note(what);
            }
            return None;
        }
        if refused.is_some() {
            return refused;
        }
        if top.objects > 0 {
            return Some(refusal::unknown(&top.names));
        }
        if let Some(raw) = top.scalar {
            return Some(refusal::scalar(&raw));
        }
        if let Some(first) = top.other {
            return Some(refusal::no_records(&first));
        }
        if !top.list {
            return Some(refusal::nothing());
        }
        self.tally.note("an empty list: no records");
        None
    }
}

/// The first names of an object.
fn names_of(raw: &str) -> Vec<String> {
    let mut scanner = scan::Scanner::of(raw);
    let mut names = Vec::new();
    while let Ok(Some(token)) = scanner.next_token() {
        if let scan::Token::Key(name) = token
            && scanner.depth() == 1
        {
            names.push(name.read(&mut String::new()).to_owned());
        }
    }
    names
}

/// Names that records of every log kind begin with.
fn is_name_of_records(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["category", "timegenerated", "sizekb", "partitionkey", "collectionname", "databasename", "requestcharge", "_resourceid", "resourceid"]
        .iter()
        .any(|known| name.starts_with(known))
}
