//! Export jobs as Parquet: known columns, read side by side in batches of rows.

mod cells;
mod gate;
#[cfg(test)]
pub(crate) mod tests;
mod thrift;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};

pub use self::cells::{CellKind, ParquetColumn};
pub use self::gate::is_decoding;
use self::gate::{Pages, damaged, guarded};
use super::delimited;
use crate::model::capture::RowFault;
use crate::model::visible::visible;
use crate::source::chunks::MAX_RECORD_BYTES;
use crate::source::columns::{Field, LogRow, field_of};
use crate::source::import::ImportOutcome;
use crate::source::input::OpenInput;
use crate::source::read::{ReadJob, Stopped};
use crate::source::records::{EmptyCell, Pass, RecordTaker};
use crate::source::sniff::Refusal;
use crate::source::tally::{too_long, unquoted};
use crate::source::watch::Watch;

/// Rows read at a time: enough that the calls between them do not count.
const BATCH_ROWS: usize = 4096;
/// Metadata of ten thousand row groups of an export take about this.
const MAX_METADATA_BYTES: usize = 16 << 20;
/// Runs of one value take next to nothing, but a table of records is not made of them alone.
const MAX_ROWS_PER_BYTE: u64 = 1024;
/// Text of rows after which they are merged, however few they are.
const MERGE_BYTES: usize = 8 << 20;
/// Characters of the decoder's own reason that are shown.
const SHOWN_REASON: usize = 160;
/// `PAR1` at both ends, and the length of the metadata.
const FRAME_BYTES: u64 = 12;

pub fn read(job: &ReadJob<'_>) -> std::result::Result<ImportOutcome, Stopped> {
    let table = ParquetTable::open(job.opened, |_, name| field_of(name))?;
    if !delimited::suffices(&table.fields) {
        return Err(delimited::other_columns(&table.names).into());
    }
    // Damage shows only where values are decoded: once without using anything, so that a damaged file leaves no rows.
    if job.pass == Pass::First {
        each_batch(job.opened, job.watch, &table, &mut |_, _, _| {})?;
    }
    let mut records = job.records(EmptyCell::Blank);
    let mut reported = 0;
    each_batch(job.opened, job.watch, &table, &mut |columns, rows, before| {
        take_batch(job, columns, rows, before, &mut records);
        job.flush(&mut records);
        job.watch.count_rows(records.tally.records(), &mut reported);
    })?;
    job.merge(&mut records);
    let bytes = job.opened.bytes;
    job.watch.done_bytes.fetch_add(bytes, Ordering::Relaxed);
    Ok(ImportOutcome { tally: records.tally, ..ImportOutcome::default() })
}

fn refusal(fault: &ParquetError) -> Refusal {
    let (what, next) = match fault {
        ParquetError::NYI(_) => ("this Parquet file cannot be read", "export it in another form"),
        _ => (
            "the Parquet file is damaged or cut short",
            "download it again; nothing of it was used",
        ),
    };
    let why = match fault {
        ParquetError::NYI(why) | ParquetError::General(why) | ParquetError::EOF(why) => why,
        ParquetError::External(e) => &e.to_string(),
        _ => "its pages do not fit together",
    };
    let short: String = why.chars().take(SHOWN_REASON).collect();
    Refusal::new(&format!("{what}: `{}`", unquoted(&visible(&short))), next)
}

/// What a file says of itself, and the columns that are read.
pub struct ParquetTable {
    metadata: ParquetMetaData,
    /// By column; what is nested or has no meaning is passed over.
    fields: Vec<Option<Field>>,
    pub names: Vec<String>,
}

impl ParquetTable {
    /// `field` chooses the columns that are read, by number and name; those of lists never are.
    pub fn open(
        opened: &OpenInput,
        field: impl Fn(usize, &str) -> Option<Field>,
    ) -> std::result::Result<Self, Refusal> {
        Self::read(opened, field).map_err(|e| refusal(&e))
    }

    fn read(opened: &OpenInput, field: impl Fn(usize, &str) -> Option<Field>) -> Result<Self> {
        let bytes = metadata_bytes(opened)?;
        thrift::check_metadata(&bytes)
            .ok_or_else(|| damaged("its description of itself is broken"))?;
        let metadata = guarded(|| ParquetMetaDataReader::decode_metadata(&bytes))?;
        let schema = metadata.file_metadata().schema_descr();
        let mut fields = Vec::new();
        let mut names = Vec::new();
        for (number, column) in schema.columns().iter().enumerate() {
            let is_list = column.max_rep_level() > 0;
            fields.push(field(number, &column.path().string()).filter(|_| !is_list));
            names.push(column.path().string());
        }
        let table = Self { metadata, fields, names };
        table.check_sizes(opened.bytes)?;
        Ok(table)
    }

    /// The names on the way to each column, and whether it is one of a list.
    pub fn places(&self) -> impl Iterator<Item = (&[String], bool)> {
        let columns = self.metadata.file_metadata().schema_descr().columns();
        columns.iter().map(|c| (c.path().parts(), c.max_rep_level() > 0))
    }

    /// What the file says of itself, against its length.
    fn check_sizes(&self, file_bytes: u64) -> Result<()> {
        let (mut rows, mut bytes) = (0_u64, 0_u64);
        for group in self.metadata.row_groups() {
            rows = rows.saturating_add(whole(group.num_rows())?);
            for (chunk, _) in group.columns().iter().zip(&self.fields).filter(|c| c.1.is_some()) {
                bytes = bytes.saturating_add(whole(chunk.compressed_size())?);
            }
        }
        if bytes > file_bytes {
            return Err(damaged("its columns are larger than the file"));
        }
        if rows > file_bytes.saturating_mul(MAX_ROWS_PER_BYTE) {
            return Err(damaged("it says to hold more rows than fit into it"));
        }
        Ok(())
    }

    fn columns(&self, opened: &OpenInput, group: &RowGroupMetaData) -> Result<Vec<ParquetColumn>> {
        let held = Arc::new(AtomicUsize::new(0));
        let rows = usize::try_from(group.num_rows())?;
        let mut columns = Vec::new();
        for (chunk, field) in group.columns().iter().zip(&self.fields) {
            if let Some(field) = field {
                let pages = Pages::new(opened, chunk, rows, &held)?;
                columns.push(ParquetColumn::new(*field, chunk, pages));
            }
        }
        Ok(columns)
    }
}

fn whole(n: i64) -> Result<u64> {
    u64::try_from(n).map_err(|_| damaged("a size is negative"))
}

/// The description at the end of the file.
fn metadata_bytes(opened: &OpenInput) -> Result<Vec<u8>> {
    let cut = || damaged("its end is missing");
    let before = opened.bytes.checked_sub(FRAME_BYTES).ok_or_else(cut)?;
    let tail = gate::read(opened, opened.bytes - 8, 8)?;
    let Some((length, mark)) = tail.split_first_chunk::<4>() else {
        return Err(cut());
    };
    if mark == b"PARE" {
        return Err(gate::unknown("it is encrypted"));
    }
    if mark != b"PAR1" {
        return Err(cut());
    }
    let length = u32::from_le_bytes(*length);
    if u64::from(length) > before {
        return Err(damaged("its description is longer than the file"));
    }
    if length as usize > MAX_METADATA_BYTES {
        return Err(damaged("its description is larger than 16 MiB"));
    }
    let start = opened.bytes - 8 - u64::from(length);
    Ok(gate::read(opened, start, u64::from(length))?)
}

/// Decodes all rows, and hands over each batch with how many rows came before it.
pub fn each_batch(
    opened: &OpenInput,
    watch: &Watch,
    table: &ParquetTable,
    take: &mut dyn FnMut(&mut [ParquetColumn], usize, u64),
) -> std::result::Result<(), Stopped> {
    let mut before = 0;
    for group in table.metadata.row_groups() {
        let columns = guarded(|| table.columns(opened, group));
        let mut columns = columns.map_err(|e| refusal(&e))?;
        let mut left = usize::try_from(group.num_rows()).unwrap_or(0);
        while left > 0 {
            if !watch.keep_going() {
                return Err(Stopped::Interrupted);
            }
            let rows = left.min(BATCH_ROWS);
            guarded(|| columns.iter_mut().try_for_each(|c| c.read(rows)))
                .map_err(|e| refusal(&e))?;
            take(&mut columns, rows, before);
            before += rows as u64;
            left -= rows;
        }
    }
    Ok(())
}

fn take_batch(
    job: &ReadJob<'_>,
    columns: &mut [ParquetColumn],
    rows: usize,
    before: u64,
    records: &mut RecordTaker<'_>,
) {
    let mut unmerged = 0;
    for (number, i) in (before + 1..).zip(0..rows) {
        let mut row = LogRow::default();
        let (mut bytes, mut is_text) = (0, true);
        for column in columns.iter_mut() {
            let field = column.field;
            match column.cell(i) {
                Some(cell) => {
                    bytes += cell.len();
                    row.put(field, cell.as_bytes());
                }
                None => is_text = false,
            }
        }
        if !is_text {
            let detail = || "a value is not UTF-8".to_owned();
            records.tally.skip(number, RowFault::InvalidUnicode, detail);
        } else if bytes > MAX_RECORD_BYTES {
            records.tally.leave_out(number, too_long());
        } else {
            records.take(&row, number);
            unmerged += bytes;
        }
        if unmerged > MERGE_BYTES {
            job.flush(records);
            unmerged = 0;
        }
    }
}
