//! Collects what documents hold while they stream by.

use std::collections::BTreeSet;

use crate::model::account::Account;
use crate::model::capture::{RowFault, placed_by_resource_id};
use crate::model::physical::{ContainerFacts, PhysicalPartition};
use crate::source::columns::{Field, field_of};
use crate::source::import::ImportOutcome;
use crate::source::json::fault::Ending;
use crate::source::json::split::{JsonEvent, ListPlace};
use crate::source::json::{read, scan};
use crate::source::managed_account;
use crate::source::tally::{Fault, quoted, too_long};

use super::fields::{Fields, bad_record, twice};
use super::json_document::{ACCOUNT, LogRecords, USAGES};
use super::metrics::Metrics;
use super::refusal::{self, MAX_NAMES};
use super::{FORMATS, arm};

/// Text of physical partitions kept over all documents: room for 50,000, more than the largest account has.
const MAX_PARTITION_BYTES: usize = 32 * 1024 * 1024;
/// Characters of a column name that matter.
const MAX_COLUMN_CHARS: usize = 256;
/// A list of a subscription's has at most 1,000.
const MAX_ACCOUNTS: usize = 1_000;
/// More than any table of the service has: 500 is the limit there.
const MAX_COLUMNS: usize = 2000;

/// A list that tells what a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum List {
    Records,
    Tables,
    Value,
    Series,
    Accounts,
    /// Of physical partitions: the shape that has it.
    Partitions(&'static str),
}

/// One document while it is read.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) names: Vec<String>,
    pub(super) fields: Fields,
    pub(super) lists: Vec<List>,
    pub(super) partitions: Vec<PhysicalPartition>,
    pub(super) columns: Vec<String>,
    /// Whether a table is one of load, not of sizes.
    pub(super) of_load: bool,
    /// Whether the columns of the current table were handed on.
    pub(super) table_reported: bool,
    /// Log records handed on, good or bad.
    pub(super) rows: u64,
}

impl Document {
    /// Whether it says that something went wrong.
    pub(super) fn failed(&self) -> bool {
        self.fields.any_below("error") || self.fields.raw("error").is_some()
    }

    fn has(&mut self, list: List) {
        if !self.lists.contains(&list) {
            self.lists.push(list);
        }
    }
}

/// What was seen at the top, where no object was taken apart.
#[derive(Debug, Default)]
pub(super) struct Top {
    pub(super) list: bool,
    pub(super) objects: u64,
    /// What else there was, the first in words.
    pub(super) other: Option<String>,
    pub(super) scalar: Option<String>,
    pub(super) like_a_record: bool,
    pub(super) names: Vec<String>,
}

pub(super) struct Documents<'a> {
    pub(super) sink: &'a mut dyn LogRecords,
    pub(super) now: Document,
    /// The members of the current metric.
    pub(super) metric: Fields,
    pub(super) top: Top,
    pub(super) metrics: Metrics,
    pub(super) facts: Vec<ContainerFacts>,
    pub(super) accounts: Vec<Account>,
    /// Accounts and their resource groups.
    pub(super) placed: BTreeSet<[String; 2]>,
    pub(super) outcome: ImportOutcome,
    kept_bytes: usize,
    pub(super) shape: Option<&'static str>,
    pub(super) refused: Option<Ending>,
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
            accounts: Vec::new(),
            placed: BTreeSet::new(),
            outcome: ImportOutcome::default(),
            kept_bytes: 0,
            shape: None,
            refused: None,
        }
    }

    pub(super) fn take(&mut self, place: ListPlace<'_>, event: JsonEvent<'_>) {
        let ListPlace { path, name, line } = place;
        if !path.is_empty()
            && !path.contains(['.', '['])
            && matches!(event, JsonEvent::Open | JsonEvent::ListOpen | JsonEvent::Value(_))
        {
            self.name_seen(name);
        }
        if let (JsonEvent::Value(raw), "id" | "value[].id") = (&event, path) {
            self.place(raw);
        }
        match event {
            JsonEvent::Open | JsonEvent::ListClose => {}
            JsonEvent::Close => self.close(path, line),
            JsonEvent::ListOpen => self.list(path),
            JsonEvent::Item(raw) => self.item(path, raw, line),
            JsonEvent::Value(raw) if path.is_empty() => {
                self.top.scalar = Some(raw.chars().take(20).collect());
            }
            JsonEvent::Value(raw) if path.starts_with("value[].") => self.metric.push(path, raw),
            JsonEvent::Value(raw) => self.now.fields.push(path, raw),
            JsonEvent::TooLong => self.bad(path, line, too_long()),
            JsonEvent::Bad(why) => self.bad(path, line, bad_record(why)),
        }
    }

    fn place(&mut self, raw: &str) {
        let id = read::text(raw).filter(|_| self.placed.len() < MAX_ACCOUNTS);
        self.placed.extend(id.as_deref().and_then(placed_by_resource_id));
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
            _ => self.outcome.tally.leave_out(line, fault),
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
            _ => {
                let name = path.rsplit('.').next();
                let Some(format) = FORMATS.iter().find(|f| name == Some(f.list)) else {
                    return;
                };
                List::Partitions(format.shape)
            }
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
                let name = read::members(raw).ok().flatten();
                let name = name.and_then(|m| read::member(&m, "name").and_then(read::text));
                let name = name.or_else(|| read::text(raw)).unwrap_or_default();
                self.now.of_load |= field_of(&name) == Some(Field::Charge);
                self.now.columns.push(name.chars().take(MAX_COLUMN_CHARS).collect());
            }
            "tables[].rows[]" => self.table_row(raw, line),
            "value[]" => self.usage(raw, line),
            "value[].timeseries[].metadatavalues[]" => {
                let done = self.metrics.dimension(raw);
                self.count(line, done);
            }
            "value[].timeseries[].data[]" => {
                let done = self.metrics.point(raw, &mut self.outcome);
                self.count(line, done);
            }
            _ => self.partition(path.rsplit('.').next().unwrap_or_default(), raw, line),
        }
    }

    fn count(&mut self, line: u64, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.outcome.tally.leave_out(line, fault);
        }
    }

    fn partition(&mut self, list: &str, raw: &str, line: u64) {
        let name = list.strip_suffix("[]");
        if let Some(format) = FORMATS.iter().find(|f| name == Some(f.list)) {
            let found = (format.entry)(raw, line, &mut self.outcome);
            self.keep(raw, line, found);
        }
    }

    /// Takes a document for what it is, if it is an account.
    fn is_account(&mut self, raw: &str, line: u64) -> bool {
        let account = managed_account::may_be(raw).then(|| managed_account::read(raw));
        let Some(account) = account.flatten() else {
            return false;
        };
        match account {
            Ok(account) => {
                let members = read::members(raw).ok().flatten().unwrap_or_default();
                self.place(read::member(&members, "id").unwrap_or_default());
                if self.accounts.len() < MAX_ACCOUNTS {
                    self.accounts.push(account);
                }
                self.outcome.other_rows += 1;
            }
            Err(name) => self.outcome.tally.leave_out(line, (RowFault::Cast, twice(&name))),
        }
        true
    }

    fn usage(&mut self, raw: &str, line: u64) {
        if self.is_account(raw, line) {
            return self.now.has(List::Accounts);
        }
        let error = read::members(raw)
            .ok()
            .flatten()
            .and_then(|m| read::member(&m, "errorcode").and_then(read::text));
        if let Some(code) = error {
            self.now.has(List::Series);
            self.outcome.note(format!("a metric came without series: {}", quoted(&code)));
            return;
        }
        match arm::usage(raw) {
            Ok(arm::Usage::Storage(partition)) => {
                self.now.has(List::Partitions(USAGES));
                self.keep(raw, line, Ok(*partition));
            }
            Ok(arm::Usage::Other(name)) => {
                self.now.has(List::Partitions(USAGES));
                self.outcome
                    .note(format!("usages other than storage were left out: {}", quoted(&name)));
            }
            Err(fault) => {
                // What says something twice or unreadably is a usage all the same.
                if fault.0 == RowFault::Cast {
                    self.now.has(List::Partitions(USAGES));
                }
                self.outcome.tally.leave_out(line, fault);
            }
        }
    }

    fn keep(&mut self, raw: &str, line: u64, found: Result<PhysicalPartition, Fault>) {
        self.kept_bytes = self.kept_bytes.saturating_add(raw.len());
        match found {
            Ok(_) if self.kept_bytes > MAX_PARTITION_BYTES => {
                let detail = "more physical partitions than any container has".to_owned();
                let fault = (RowFault::LineOverMaximum, detail);
                self.outcome.tally.leave_out(line, fault);
            }
            Ok(partition) => self.now.partitions.push(partition),
            Err(fault) => self.outcome.tally.leave_out(line, fault),
        }
    }

    /// A whole object, or an element of the list at the top.
    fn loose(&mut self, raw: &str, line: u64) {
        if self.is_account(raw, line) {
            self.shape.get_or_insert(ACCOUNT);
            return;
        }
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
            self.top.other.get_or_insert_with(|| quoted(raw));
        }
        self.record(raw, line);
    }

    fn record(&mut self, raw: &str, line: u64) {
        if raw.starts_with('{') {
            self.sink.record(raw.as_bytes(), line);
        } else {
            self.sink.bad(line, RowFault::MissingColumns, format!("no record: {}", quoted(raw)));
        }
    }

    fn table_row(&mut self, raw: &str, line: u64) {
        if self.now.columns.is_empty() {
            let what = "the table has rows but no column names";
            self.refused.get_or_insert_with(|| refusal::refused(what));
            return;
        }
        if !self.now.table_reported {
            self.now.table_reported = true;
            self.sink.table(&self.now.columns);
        }
        self.now.rows += 1;
        self.sink.table_row(raw.as_bytes(), line);
    }

    fn close(&mut self, path: &str, line: u64) {
        match path {
            "" => {
                let document = std::mem::take(&mut self.now);
                self.settle(document);
            }
            "tables[]" => {
                self.now.columns.clear();
                self.now.table_reported = false;
            }
            "value[].timeseries[]" => self.metrics.close_series(),
            "value[]" => {
                let fields = std::mem::take(&mut self.metric);
                let done = self.metrics.close_metric(&fields, &mut self.outcome);
                self.count(line, done);
            }
            // An object where a list belongs.
            "records" => {
                self.refused.get_or_insert_with(refusal::records_no_list);
            }
            _ => {}
        }
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
    [
        "category",
        "timegenerated",
        "sizekb",
        "partitionkey",
        "collectionname",
        "databasename",
        "requestcharge",
        "_resourceid",
        "resourceid",
    ]
    .iter()
    .any(|known| name.starts_with(known))
}
