//! Log records into the capture: which kind a row is, what its cells are worth, and what is wrong with it if not.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use super::columns::{ALL_FIELDS, Field, Row, field_of};
use super::dialect::{Dialect, When};
use crate::model::capture::{CaptureBuilder, RowError, RowFault};
use crate::model::key::{KeyForm, canonicalise};
use crate::model::load::{RequestRecord, RuRecord, Taken};
use crate::model::logical::SizeBatch;
use crate::model::names::ContainerName;
use crate::model::sample::{self, Sample, Trust};
use crate::model::time::Stamp;
use crate::model::visible::visible;

/// Bad rows that are listed; all are counted.
pub const LISTED_ERRORS: usize = 20;
/// Names of foreign log kinds that are listed.
const LISTED_KINDS: usize = 8;
/// Characters of a bad value that are shown.
const SHOWN_VALUE: usize = 40;

/// What became of the records of one input; workers keep their own and add them up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    pub sizes: u64,
    pub ru: u64,
    pub requests: u64,
    pub skipped: u64,
    pub other_kinds: BTreeMap<String, u64>,
    pub errors: Vec<RowError>,
    pub repeated_load: u64,
    pub beyond_limits: u64,
    pub local_times: u64,
    pub undecided_times: u64,
    pub unreadable_times: u64,
    pub rounded: u64,
    pub undecided_numbers: u64,
    pub as_windows_1252: u64,
    pub repeated_headers: u64,
}

impl Tally {
    pub fn skip(&mut self, line: u64, fault: RowFault, detail: impl FnOnce() -> String) {
        self.skipped += 1;
        // A worker sees its lines in order, so its first ones are its lowest.
        if self.errors.len() < LISTED_ERRORS {
            self.errors.push(RowError {
                line,
                fault,
                detail: detail(),
            });
        }
    }

    fn other_kind(&mut self, name: &str) {
        if let Some(n) = self.other_kinds.get_mut(name) {
            *n += 1;
            return;
        }
        let name = if self.other_kinds.len() < LISTED_KINDS {
            shown(name)
        } else {
            "others".to_owned()
        };
        *self.other_kinds.entry(name).or_default() += 1;
    }

    pub fn add(&mut self, other: Self) {
        self.sizes += other.sizes;
        self.ru += other.ru;
        self.requests += other.requests;
        self.skipped += other.skipped;
        for (name, n) in other.other_kinds {
            *self.other_kinds.entry(name).or_default() += n;
        }
        self.errors.extend(other.errors);
        self.errors.sort();
        self.errors.truncate(LISTED_ERRORS);
        self.repeated_load += other.repeated_load;
        self.beyond_limits += other.beyond_limits;
        self.local_times += other.local_times;
        self.undecided_times += other.undecided_times;
        self.unreadable_times += other.unreadable_times;
        self.rounded += other.rounded;
        self.undecided_numbers += other.undecided_numbers;
        self.as_windows_1252 += other.as_windows_1252;
        self.repeated_headers += other.repeated_headers;
    }

    pub fn records(&self) -> u64 {
        self.sizes + self.ru + self.requests
    }
}

/// A value from outside as it may stand in a sentence.
pub fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_VALUE).collect();
    let mut out = visible(&short).into_owned();
    if short.len() < text.len() {
        out.push('…');
    }
    out
}

/// The kinds of records that logs hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind<'a> {
    Size,
    Ru,
    Requests {
        span_s: u32,
    },
    Other(&'a str),
    /// No field says what it is.
    Nothing,
}

fn kind_of<'a>(row: &Row<'a>) -> Kind<'a> {
    if let Some(provider) = row.filled(Field::Provider)
        && !provider.eq_ignore_ascii_case("microsoft.documentdb")
    {
        return Kind::Other(row.filled(Field::Category).unwrap_or(provider));
    }
    let table = || row.filled(Field::Table).and_then(|t| t.strip_prefix("CDB"));
    if let Some(category) = row.filled(Field::Category).or_else(table) {
        let is = |name: &str| category.eq_ignore_ascii_case(name);
        return match () {
            () if is("PartitionKeyStatistics") => Kind::Size,
            () if is("PartitionKeyRUConsumption") => Kind::Ru,
            () if is("DataPlaneRequests") => Kind::Requests { span_s: 0 },
            () if is("DataPlaneRequests5M") => Kind::Requests { span_s: 300 },
            () if is("DataPlaneRequests15M") => Kind::Requests { span_s: 900 },
            () => Kind::Other(category),
        };
    }
    let has = |field| row.cell(field).is_some();
    match () {
        () if has(Field::Key) && (has(Field::Size) || has(Field::Additional)) => Kind::Size,
        () if has(Field::Charge) && (has(Field::Key) || has(Field::Range)) => Kind::Ru,
        () if has(Field::Status) && has(Field::Partition) => Kind::Requests {
            span_s: if has(Field::Count) { 300 } else { 0 },
        },
        () => Kind::Nothing,
    }
}

/// Takes the records of one worker. Size rows are collected and merged chunk by chunk with `flush`.
pub struct Records<'b> {
    builder: &'b CaptureBuilder,
    dialect: &'b Dialect,
    source: u16,
    /// Values such as the word `None` that a command line printed for "no value".
    none_is_empty: bool,
    /// In later passes over the inputs only the table is filled; everything else was counted the first time.
    first_pass: bool,
    batch: SizeBatch,
    containers: Vec<Option<KnownContainer>>,
    regions: HashMap<String, u16, foldhash::fast::RandomState>,
    key: Vec<u8>,
    pub tally: Tally,
}

/// Whether an input is read for the first time or once more for a part of its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    First,
    Again,
}

/// What stands in a cell without a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmptyCell {
    Blank,
    /// `None`, as the Azure CLI prints it.
    NoneWord,
}

impl<'b> Records<'b> {
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
            first_pass: pass == Pass::First,
            batch: builder.sizes().batch(),
            containers: vec![None; CONTAINER_SLOTS],
            regions: HashMap::default(),
            key: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Merges the collected size rows into the table.
    pub fn flush(&mut self) {
        if !self.batch.is_empty() {
            self.builder.sizes().apply(&mut self.batch, self.source);
        }
    }

    pub fn take(&mut self, row: &Row<'_>, line: u64) {
        if self.none_is_empty || row.filled(Field::Additional).is_some() {
            self.take_mended(row, line);
        } else {
            self.take_plain(row, line);
        }
    }

    /// Rows whose cells need a second look: the word `None`, or values hidden in `AdditionalFields`.
    fn take_mended(&mut self, row: &Row<'_>, line: u64) {
        let hidden = row
            .filled(Field::Additional)
            .map(additional)
            .unwrap_or_default();
        let mut mended = Row::default();
        for field in ALL_FIELDS {
            if let Some(cell) = row.cell(field) {
                mended.put(
                    field,
                    if self.none_is_empty && cell == "None" {
                        ""
                    } else {
                        cell
                    },
                );
            }
        }
        mended.two_sizes = row.two_sizes;
        for (field, value) in &hidden {
            mended.put(*field, value);
        }
        self.take_plain(&mended, line);
    }

    fn take_plain(&mut self, row: &Row<'_>, line: u64) {
        match kind_of(row) {
            Kind::Size => self.size(row, line),
            _ if !self.first_pass => {}
            Kind::Ru => self.ru(row, line),
            Kind::Requests { span_s } => self.requests(row, line, span_s),
            Kind::Other(name) => self.tally.other_kind(name),
            Kind::Nothing => {
                let missing = "neither a size, nor request units, nor a request";
                self.tally
                    .skip(line, RowFault::MissingColumns, || missing.to_owned());
            }
        }
    }

    /// A header that stands again in the middle of a file is no record and no fault.
    fn is_header(row: &Row<'_>) -> bool {
        let names_itself = |field| {
            row.filled(field)
                .is_some_and(|c| field_of(c) == Some(field))
        };
        names_itself(Field::Key) && (names_itself(Field::Size) || names_itself(Field::Charge))
    }

    fn size(&mut self, row: &Row<'_>, line: u64) {
        if let Some((one, two)) = row.two_sizes {
            let detail = || {
                format!(
                    "two sizes in one record, `{}` and `{}`",
                    shown(one),
                    shown(two)
                )
            };
            self.skip(line, RowFault::Cast, detail);
            return;
        }
        let Some(cell) = row.filled(Field::Size) else {
            let fault = if row.cell(Field::Size).is_some() {
                RowFault::Cast
            } else {
                RowFault::MissingColumns
            };
            self.skip(line, fault, || "no size".to_owned());
            return;
        };
        let Some((kib, size_trust)) = self.dialect.amount(cell) else {
            if Self::is_header(row) {
                self.tally.repeated_headers += 1;
            } else {
                let detail = || {
                    format!(
                        "`sizeKb` is `{}`, expected a size in KB of at least 0",
                        shown(cell)
                    )
                };
                self.skip(line, RowFault::Cast, detail);
            }
            return;
        };
        let Some(key_cell) = row.cell(Field::Key) else {
            self.skip(line, RowFault::MissingColumns, || {
                "no partition key".to_owned()
            });
            return;
        };
        let (Some(container), Some(region)) = (self.container(row), self.region(row)) else {
            self.skip(line, RowFault::Cast, || {
                "more containers or regions than one import can hold".to_owned()
            });
            return;
        };
        let (at, time_trust) = self.time(row);
        let trust = if size_trust == Trust::Weak {
            Trust::Weak
        } else {
            time_trust
        };
        if size_trust == Trust::Weak && self.first_pass {
            let undecided = !self.dialect.form_decided && super::numbers::is_ambiguous(cell);
            *(if undecided {
                &mut self.tally.undecided_numbers
            } else {
                &mut self.tally.rounded
            }) += 1;
        }
        let sample = Sample {
            when: sample::When::new(at, trust),
            kib,
        };
        let key_at = self.batch.key_buffer().len();
        let respelled = match canonicalise(key_cell, self.batch.key_buffer()) {
            KeyForm::Respelled(text) => Some(text),
            KeyForm::Plain | KeyForm::NotReported => None,
        };
        self.batch
            .push(container, region, key_at, respelled, sample);
        self.tally.sizes += 1;
    }

    fn skip(&mut self, line: u64, fault: RowFault, detail: impl FnOnce() -> String) {
        self.tally.skip(line, fault, detail);
    }

    fn ru(&mut self, row: &Row<'_>, line: u64) {
        let cell = row.filled(Field::Charge).unwrap_or_default();
        let Some((ru, _)) = self.dialect.amount(cell) else {
            if Self::is_header(row) {
                self.tally.repeated_headers += 1;
            } else {
                self.skip(line, RowFault::Cast, || {
                    format!(
                        "`requestCharge` is `{}`, expected request units",
                        shown(cell)
                    )
                });
            }
            return;
        };
        let (Some(container), Some(region)) = (self.container(row), self.region(row)) else {
            self.skip(line, RowFault::Cast, || {
                "more containers or regions than one import can hold".to_owned()
            });
            return;
        };
        let (at, _) = self.time(row);
        self.key.clear();
        if let Some(cell) = row.filled(Field::Key) {
            canonicalise(cell, &mut self.key);
        }
        let key = std::str::from_utf8(&self.key).unwrap_or_default();
        let record = RuRecord {
            container,
            region,
            range: row.filled(Field::Range).unwrap_or_default(),
            key,
            operation: operation(row),
            at,
            ru,
            mark: row.filled(Field::Activity).map(|activity| {
                let mut hasher = FixedState::default().build_hasher();
                hasher.write(activity.as_bytes());
                hasher.write(key.as_bytes());
                mark(hasher, container, region, at, ru)
            }),
        };
        let taken = self.builder.load(|load| load.add_ru(&record));
        self.tally.ru += 1;
        self.count_taken(taken);
    }

    fn requests(&mut self, row: &Row<'_>, line: u64, span_s: u32) {
        let cell = row.filled(Field::Status).unwrap_or_default();
        let Ok(status) = cell.parse::<u16>() else {
            if field_of(cell) == Some(Field::Status) {
                self.tally.repeated_headers += 1;
            } else {
                self.skip(line, RowFault::Cast, || {
                    format!("`statusCode` is `{}`, expected an HTTP status", shown(cell))
                });
            }
            return;
        };
        let (Some(container), Some(region)) = (self.container(row), self.region(row)) else {
            self.skip(line, RowFault::Cast, || {
                "more containers or regions than one import can hold".to_owned()
            });
            return;
        };
        let number = |field| {
            row.filled(field)
                .and_then(|c| self.dialect.amount(c))
                .map(|(n, _)| n)
        };
        let requests = match row.filled(Field::Count) {
            None => 1,
            Some(text) => match text.parse::<u64>() {
                Ok(n) => n,
                Err(_) => {
                    self.skip(line, RowFault::Cast, || {
                        format!("`RequestCount` is `{}`, expected a count", shown(text))
                    });
                    return;
                }
            },
        };
        let (ru, duration_ms) = (
            number(Field::Charge).unwrap_or(0.0),
            number(Field::Duration).unwrap_or(0.0),
        );
        let (at, _) = self.time(row);
        let partition = row.filled(Field::Partition).unwrap_or_default();
        let operation = operation(row);
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(partition.as_bytes());
        hasher.write(operation.as_bytes());
        hasher.write_u16(status);
        hasher.write_u64(requests);
        let activity = row.filled(Field::Activity);
        hasher.write(activity.unwrap_or_default().as_bytes());
        // A single request without an activity id cannot be told from another one; a five-minute total can.
        let known =
            (activity.is_some() || span_s > 0).then(|| mark(hasher, container, region, at, ru));
        let record = RequestRecord {
            container,
            region,
            partition,
            operation,
            status,
            span_s,
            at,
            requests,
            ru,
            duration_ms,
            mark: known,
        };
        let taken = self.builder.load(|load| load.add_request(&record));
        self.tally.requests += 1;
        self.count_taken(taken);
    }

    fn count_taken(&mut self, taken: Taken) {
        match taken {
            Taken::New => {}
            Taken::Repeat => self.tally.repeated_load += 1,
            Taken::BeyondLimit => self.tally.beyond_limits += 1,
        }
    }

    fn time(&mut self, row: &Row<'_>) -> (Option<Stamp>, Trust) {
        match self.dialect.when(row.cell(Field::Time)) {
            When::At(stamp, trust) => {
                self.tally.local_times += u64::from(trust == Trust::Weak);
                (Some(stamp), trust)
            }
            When::Missing => (None, Trust::Exact),
            When::Undecided => {
                self.tally.undecided_times += 1;
                (None, Trust::Weak)
            }
            When::Unreadable => {
                self.tally.unreadable_times += 1;
                (None, Trust::Weak)
            }
        }
    }

    fn container(&mut self, row: &Row<'_>) -> Option<u32> {
        let account = row.filled(Field::Account);
        let resource = if account.is_some() {
            None
        } else {
            row.filled(Field::ResourceId)
                .or(row.filled(Field::Resource))
        };
        let parts = [
            account,
            resource,
            row.filled(Field::Database),
            row.filled(Field::Container),
        ];
        let slot = self
            .containers
            .get_mut(cheap_hash(parts) % CONTAINER_SLOTS)?;
        if let Some(known) = slot
            && known
                .parts
                .iter()
                .zip(parts)
                .all(|(held, part)| held.as_deref() == part)
        {
            return Some(known.number);
        }
        let from_resource = resource.map(|r| {
            r.trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or(r)
                .to_lowercase()
        });
        let name = ContainerName::new(account.or(from_resource.as_deref()), parts[2], parts[3]);
        let number = self.builder.container(&name)?;
        *slot = Some(KnownContainer {
            parts: parts.map(|p| p.map(Box::from)),
            number,
        });
        Some(number)
    }

    fn region(&mut self, row: &Row<'_>) -> Option<u16> {
        let text = row.filled(Field::Region).unwrap_or_default();
        if let Some(number) = self.regions.get(text) {
            return Some(*number);
        }
        let number = self.builder.region(text)?;
        self.regions.insert(text.to_owned(), number);
        Some(number)
    }
}

/// Containers a worker finds again without asking for the lock.
const CONTAINER_SLOTS: usize = 1024;

#[derive(Clone, Debug)]
struct KnownContainer {
    parts: [Option<Box<str>>; 4],
    number: u32,
}

/// Only spreads names over the slots: the last bytes of each part, where names of one account differ.
fn cheap_hash(parts: [Option<&str>; 4]) -> usize {
    let mut hash = 0_u64;
    for part in parts {
        let bytes = part.unwrap_or_default().as_bytes();
        let tail = bytes.last_chunk::<8>().map_or_else(
            || bytes.iter().fold(0, |n, b| (n << 8) | u64::from(*b)),
            |chunk| u64::from_le_bytes(*chunk),
        );
        hash = (hash ^ tail ^ (bytes.len() as u64))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    usize::try_from(hash >> 40).unwrap_or(0)
}

fn operation<'a>(row: &Row<'a>) -> &'a str {
    row.filled(Field::OperationType)
        .or(row.filled(Field::Operation))
        .unwrap_or_default()
}

fn mark(mut hasher: impl Hasher, container: u32, region: u16, at: Option<Stamp>, ru: f64) -> u64 {
    hasher.write_u32(container);
    hasher.write_u16(region);
    // Two exports of one record agree to the millisecond.
    hasher.write_i64(at.map_or(i64::MIN, Stamp::millis));
    hasher.write_u64(ru.to_bits());
    hasher.finish()
}

/// The known fields inside an `AdditionalFields` cell.
fn additional(cell: &str) -> Vec<(Field, String)> {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_str(cell) else {
        return Vec::new();
    };
    let text = |value: serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    map.into_iter()
        .filter_map(|(name, value)| Some((field_of(&name)?, text(value))))
        .collect()
}
