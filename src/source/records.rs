//! Log records into the capture: which kind a row is, what its cells are worth, and what is wrong with it if not.

use super::clients::ClientTally;
use super::columns::{Field, LogRow, field_of, is_request_log, text};
use super::dialect::{CellTime, Dialect};
use super::known_names::KnownNames;
use super::tally::{Fault, Tally, shown};
use crate::model::capture::{CaptureBuilder, RowFault};
use crate::model::logical::SizeBatch;
use crate::model::sample::{self, Sample, Trust};
use crate::model::time::Stamp;

pub(super) fn too_many_names() -> Fault {
    let detail = "more containers or regions than one import can hold";
    (RowFault::Cast, detail.to_owned())
}

/// The kinds of records that logs hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind<'a> {
    Size,
    Ru,
    Requests {
        span_s: u32,
    },
    Queries,
    Other(&'a str),
    /// No field says what it is.
    Nothing,
}

fn kind_of<'a>(row: &LogRow<'a>) -> Kind<'a> {
    if let Some(provider) = row.filled(Field::Provider)
        && !provider.eq_ignore_ascii_case(b"microsoft.documentdb")
    {
        return Kind::Other(row.text(Field::Category).unwrap_or(text(provider)));
    }
    let table = || row.filled(Field::Table)?.strip_prefix(b"CDB");
    if let Some(category) = row.filled(Field::Category).or_else(table) {
        let is = |name: &str| category.eq_ignore_ascii_case(name.as_bytes());
        return match () {
            () if is("PartitionKeyStatistics") => Kind::Size,
            () if is("PartitionKeyRUConsumption") => Kind::Ru,
            () if is("DataPlaneRequests") => Kind::Requests { span_s: 0 },
            () if is("DataPlaneRequests5M") => Kind::Requests { span_s: 300 },
            () if is("DataPlaneRequests15M") => Kind::Requests { span_s: 900 },
            () if is("QueryRuntimeStatistics") => Kind::Queries,
            () => Kind::Other(text(category)),
        };
    }
    let has = |field| row.cell(field).is_some();
    match () {
        () if has(Field::QueryText) => Kind::Queries,
        () if has(Field::Key) && (has(Field::Size) || has(Field::Additional)) => Kind::Size,
        () if has(Field::Charge) && (has(Field::Key) || has(Field::Range)) => Kind::Ru,
        () if is_request_log(has) => {
            Kind::Requests { span_s: if has(Field::Count) { 300 } else { 0 } }
        }
        () => Kind::Nothing,
    }
}

/// Takes the records of one worker. Size rows are collected and merged chunk by chunk with `flush`.
pub struct RecordTaker<'b> {
    pub(super) builder: &'b CaptureBuilder,
    pub(super) dialect: &'b Dialect,
    pub(super) source: u16,
    /// Values such as the word `None` that a command line printed for "no value".
    none_is_empty: bool,
    /// In later passes only sizes or RU are taken; everything else was counted the first time.
    pass: Pass,
    batch: SizeBatch,
    pub(super) names: KnownNames<'b>,
    pub(super) key: Vec<u8>,
    pub(super) clients: ClientTally,
    pub tally: Tally,
}

/// Whether an input is read for the first time or once more for a part of what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    First,
    /// For the sizes of other keys.
    Sizes,
    /// For the RU of the keys that are listed.
    Ru,
}

/// What stands in a cell without a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmptyCell {
    Blank,
    /// `None`, as the Azure CLI prints it.
    NoneWord,
}

impl<'b> RecordTaker<'b> {
    pub fn new(
        builder: &'b CaptureBuilder,
        dialect: &'b Dialect,
        source: u16,
        pass: Pass,
        empty: EmptyCell,
    ) -> Self {
        Self {
            builder,
            dialect,
            source,
            none_is_empty: empty == EmptyCell::NoneWord,
            pass,
            batch: builder.sizes().batch(),
            names: KnownNames::new(builder),
            key: Vec::new(),
            clients: ClientTally::default(),
            tally: Tally::default(),
        }
    }

    pub fn set_empty(&mut self, empty: EmptyCell) {
        self.none_is_empty = empty == EmptyCell::NoneWord;
    }

    /// The memory of size rows collected and not yet merged.
    pub fn waiting_bytes(&self) -> usize {
        self.batch.bytes()
    }

    /// Merges the collected size rows into the table.
    pub fn flush(&mut self) {
        self.clients.give(self.builder);
        if !self.batch.is_empty() {
            self.builder.sizes().apply(&mut self.batch, self.source);
        }
    }

    pub fn take(&mut self, row: &LogRow<'_>, line: u64) {
        if self.none_is_empty || row.filled(Field::Additional).is_some() {
            self.take_mended(row, line);
        } else {
            self.take_plain(row, line);
        }
    }

    /// Rows whose cells need a second look: the word `None`, or values hidden in `AdditionalFields`.
    fn take_mended(&mut self, row: &LogRow<'_>, line: u64) {
        let hidden = row.filled(Field::Additional);
        let hidden = hidden.map(additional).unwrap_or_default();
        let mut mended = if self.none_is_empty { row.without("None") } else { *row };
        for (field, value) in &hidden {
            mended.put(*field, value.as_bytes());
        }
        self.take_plain(&mended, line);
    }

    fn take_plain(&mut self, row: &LogRow<'_>, line: u64) {
        let kind = kind_of(row);
        let is_wanted = match self.pass {
            Pass::First => true,
            Pass::Sizes => kind == Kind::Size,
            Pass::Ru => kind == Kind::Ru,
        };
        if !is_wanted {
            return;
        }
        let taken = match kind {
            Kind::Size | Kind::Ru | Kind::Requests { .. } if row.twice.is_some() => one_value(row),
            Kind::Size => self.size(row),
            Kind::Ru if row.cell(Field::Charge).is_some() => self.ru(row),
            Kind::Requests { span_s } if row.cell(Field::Status).is_some() => {
                self.requests(row, span_s)
            }
            Kind::Queries if row.cell(Field::QueryText).is_some() => self.query(row),
            // What only bears the name of a known kind is of another kind.
            Kind::Ru | Kind::Requests { .. } | Kind::Queries => {
                self.tally.other_kind(row.text(Field::Category).unwrap_or("load"));
                return;
            }
            Kind::Other(name) => {
                self.tally.other_kind(name);
                return;
            }
            Kind::Nothing => {
                let missing = "neither a size, nor request units, nor a request";
                Err((RowFault::MissingColumns, missing.to_owned()))
            }
        };
        if let Err(fault) = taken {
            self.tally.leave_out(line, fault);
        }
    }

    fn size(&mut self, row: &LogRow<'_>) -> Result<(), Fault> {
        let missing = row.cell(Field::Size).map_or(RowFault::MissingColumns, |_| RowFault::Cast);
        let cell = row.filled(Field::Size).ok_or_else(|| (missing, "no size".to_owned()))?;
        let Some((kib, size_trust)) = self.dialect.amount(cell) else {
            return self.header_or_fault(row, || {
                format!("`sizeKb` is `{}`, expected a size in KB of at least 0", shown(text(cell)))
            });
        };
        let key_cell = row.cell(Field::Key);
        let key_cell =
            key_cell.ok_or_else(|| (RowFault::MissingColumns, "no partition key".to_owned()))?;
        let (container, region) = self.names.numbers(row).ok_or_else(too_many_names)?;
        let (at, time_trust) = self.time(row);
        let trust = if time_trust == Trust::Exact { size_trust } else { time_trust };
        if size_trust == Trust::Weak {
            let undecided = !self.dialect.form_decided && super::numbers::is_ambiguous(text(cell));
            let count =
                if undecided { &mut self.tally.undecided_numbers } else { &mut self.tally.rounded };
            *count += 1;
        }
        let sample = Sample { when: sample::SampleTime::new(at, trust), kib };
        self.batch.push_cell(container, region, key_cell, sample);
        self.tally.sizes += 1;
        Ok(())
    }

    /// A header that stands again in the middle of a file is no record and no fault.
    pub(super) fn header_or_fault(
        &mut self,
        row: &LogRow<'_>,
        detail: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        let names_itself = |field| row.text(field).is_some_and(|c| field_of(c) == Some(field));
        let known = [Field::Key, Field::Size, Field::Charge, Field::Status, Field::Partition];
        if known.into_iter().filter(|f| names_itself(*f)).count() < 2 {
            return Err((RowFault::Cast, detail()));
        }
        self.tally.repeated_headers += 1;
        Ok(())
    }

    pub(super) fn time(&mut self, row: &LogRow<'_>) -> (Option<Stamp>, Trust) {
        match self.dialect.when(row.cell(Field::Time)) {
            CellTime::At(stamp, trust) => {
                self.tally.local_times += u64::from(trust != Trust::Exact);
                self.tally.assumed_times += u64::from(trust == Trust::Assumed);
                (Some(stamp), trust)
            }
            CellTime::Missing => (None, Trust::Exact),
            CellTime::Unreadable => {
                self.tally.unreadable_times += 1;
                (None, Trust::Weak)
            }
        }
    }
}

/// Two values of one field are never settled in silence.
fn one_value(row: &LogRow<'_>) -> Result<(), Fault> {
    let Some(twice) = row.twice else {
        return Ok(());
    };
    let what = twice.field.plural().unwrap_or("values");
    let [first, second] = [twice.first, twice.second].map(|value| shown(text(value)));
    let detail = format!("two {what} in one record, `{first}` and `{second}`");
    Err((RowFault::Cast, detail))
}

/// The known fields inside an `AdditionalFields` cell.
fn additional(cell: &[u8]) -> Vec<(Field, String)> {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_slice(cell) else {
        return Vec::new();
    };
    let text = |value: serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    map.into_iter().filter_map(|(name, value)| Some((field_of(&name)?, text(value)))).collect()
}
