//! Values of any Parquet type as the text cells that records are made of.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, DataType, Int96};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::ColumnDescriptor;

use super::gate::{Pages, damaged};
use crate::model::time::{SECONDS_PER_DAY, Stamp, TICKS_PER_SECOND};
use crate::source::columns::Field;

/// Days from the start of the Julian period, in which INT96 counts, to 1970.
const JULIAN_DAY_1970: i64 = 2_440_588;
/// Digits that a decimal can have.
const MAX_SCALE: u32 = 38;

/// What the values of a column mean beyond their physical type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ColumnMeaning {
    Plain,
    Unsigned,
    Date,
    /// Parts of a second since 1970: so many of them are a second.
    Time(i64),
    Decimal(u32),
    Uuid,
}

/// A column that means something, with the batch of values that was read last.
pub struct ParquetColumn {
    pub field: Field,
    reader: ColumnReader,
    meaning: ColumnMeaning,
    max_level: i16,
    levels: Vec<i16>,
    values: Values,
    /// The next value of the batch to be handed out.
    next: usize,
}

/// What the text of a cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    Text,
    Number,
    Bool,
}

enum Values {
    /// Shared with the page or dictionary they came from, so that a long value is not copied for each row.
    Bytes(Vec<parquet::data_type::ByteArray>),
    Text(Vec<String>),
}

impl ParquetColumn {
    pub fn new(field: Field, chunk: &ColumnChunkMetaData, pages: Pages) -> Self {
        let about = chunk.column_descr();
        Self {
            field,
            reader: get_column_reader(chunk.column_descr_ptr(), Box::new(pages)),
            meaning: meaning_of(about),
            max_level: about.max_def_level(),
            levels: Vec::new(),
            values: Values::Text(Vec::new()),
            next: 0,
        }
    }

    /// Reads the next so many rows.
    pub fn read(&mut self, rows: usize) -> Result<()> {
        self.levels.clear();
        self.next = 0;
        let levels = &mut self.levels;
        let meaning = self.meaning;
        self.values = match &mut self.reader {
            ColumnReader::BoolColumnReader(r) => texts(r, rows, levels, ToString::to_string)?,
            ColumnReader::Int32ColumnReader(r) => texts(r, rows, levels, |v| match meaning {
                ColumnMeaning::Unsigned => v.cast_unsigned().to_string(),
                _ => integer(i64::from(*v), meaning),
            })?,
            ColumnReader::Int64ColumnReader(r) => texts(r, rows, levels, |v| match meaning {
                ColumnMeaning::Unsigned => v.cast_unsigned().to_string(),
                _ => integer(*v, meaning),
            })?,
            ColumnReader::Int96ColumnReader(r) => texts(r, rows, levels, old_time)?,
            ColumnReader::FloatColumnReader(r) => texts(r, rows, levels, ToString::to_string)?,
            ColumnReader::DoubleColumnReader(r) => texts(r, rows, levels, ToString::to_string)?,
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                if let Some(text) = bytes_meaning(meaning) {
                    texts(r, rows, levels, |v| text(v.as_bytes(), meaning))?
                } else {
                    let fixed = batch(r, rows, levels)?;
                    Values::Bytes(fixed.into_iter().map(Into::into).collect())
                }
            }
            ColumnReader::ByteArrayColumnReader(r) => match bytes_meaning(meaning) {
                Some(text) => texts(r, rows, levels, |v| text(v.as_bytes(), meaning))?,
                None => Values::Bytes(batch(r, rows, levels)?),
            },
        };
        Ok(())
    }

    pub fn matter(&self) -> CellKind {
        let is_number = matches!(
            self.meaning,
            ColumnMeaning::Plain | ColumnMeaning::Unsigned | ColumnMeaning::Decimal(_)
        );
        match &self.reader {
            ColumnReader::BoolColumnReader(_) => CellKind::Bool,
            ColumnReader::Int32ColumnReader(_) | ColumnReader::Int64ColumnReader(_)
                if is_number =>
            {
                CellKind::Number
            }
            ColumnReader::FloatColumnReader(_) | ColumnReader::DoubleColumnReader(_) => {
                CellKind::Number
            }
            ColumnReader::FixedLenByteArrayColumnReader(_)
            | ColumnReader::ByteArrayColumnReader(_)
                if matches!(self.meaning, ColumnMeaning::Decimal(_)) =>
            {
                CellKind::Number
            }
            _ => CellKind::Text,
        }
    }

    /// Whether a row of the batch has no value here.
    pub fn is_null(&self, row: usize) -> bool {
        self.max_level > 0 && self.levels.get(row).is_none_or(|l| *l < self.max_level)
    }

    /// The cell of a row of the batch; rows are asked for in order. Nothing is an empty cell, and `None` is no text.
    pub fn cell(&mut self, row: usize) -> Option<&str> {
        if self.is_null(row) {
            return Some("");
        }
        let at = self.next;
        self.next += 1;
        match &self.values {
            Values::Text(texts) => texts.get(at).map(String::as_str),
            Values::Bytes(bytes) => std::str::from_utf8(bytes.get(at)?.data()).ok(),
        }
    }
}

/// Reads one batch whole: all columns of a row group have the same number of rows.
fn batch<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: &mut Vec<i16>,
) -> Result<Vec<T::T>> {
    let mut values = Vec::new();
    let (n, _, _) = reader.read_records(rows, Some(levels), None, &mut values)?;
    if n != rows {
        return Err(damaged("a column has fewer rows than the table"));
    }
    Ok(values)
}

fn texts<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: &mut Vec<i16>,
    text: impl Fn(&T::T) -> String,
) -> Result<Values> {
    let values = batch(reader, rows, levels)?;
    Ok(Values::Text(values.iter().map(text).collect()))
}

fn meaning_of(about: &ColumnDescriptor) -> ColumnMeaning {
    let scale = || ColumnMeaning::Decimal(u32::try_from(about.type_scale()).unwrap_or(0));
    match about.logical_type_ref() {
        Some(LogicalType::Timestamp(t)) => ColumnMeaning::Time(match t.unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        }),
        Some(LogicalType::Date) => ColumnMeaning::Date,
        Some(LogicalType::Uuid) => ColumnMeaning::Uuid,
        Some(LogicalType::Decimal(_)) => scale(),
        Some(LogicalType::Integer(i)) if !i.is_signed => ColumnMeaning::Unsigned,
        Some(_) => ColumnMeaning::Plain,
        // How older writers say the same.
        None => match about.converted_type() {
            ConvertedType::TIMESTAMP_MILLIS => ColumnMeaning::Time(1_000),
            ConvertedType::TIMESTAMP_MICROS => ColumnMeaning::Time(1_000_000),
            ConvertedType::DATE => ColumnMeaning::Date,
            ConvertedType::DECIMAL => scale(),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => ColumnMeaning::Unsigned,
            _ => ColumnMeaning::Plain,
        },
    }
}

fn integer(value: i64, meaning: ColumnMeaning) -> String {
    let stamp = match meaning {
        ColumnMeaning::Decimal(scale) => return decimal(i128::from(value), scale),
        ColumnMeaning::Plain | ColumnMeaning::Unsigned | ColumnMeaning::Uuid => {
            return value.to_string();
        }
        ColumnMeaning::Date => value.checked_mul(SECONDS_PER_DAY).and_then(Stamp::from_seconds),
        ColumnMeaning::Time(per_second) => {
            let ticks = i128::from(value) * i128::from(TICKS_PER_SECOND);
            i64::try_from(ticks.div_euclid(i128::from(per_second))).ok().and_then(Stamp::from_ticks)
        }
    };
    // A moment outside the calendar stays a number, which then counts as a time that cannot be read.
    stamp.map_or_else(|| value.to_string(), Stamp::rfc3339)
}

/// Nanoseconds of a day, and the Julian day.
fn old_time(value: &Int96) -> String {
    let &[low, high, day] = value.data() else {
        return String::new();
    };
    let ticks = (i64::from(high) << 32 | i64::from(low)) / 100;
    (i64::from(day) - JULIAN_DAY_1970)
        .checked_mul(SECONDS_PER_DAY * TICKS_PER_SECOND)
        .and_then(|t| Stamp::from_ticks(t.checked_add(ticks)?))
        .map_or_else(|| format!("day {day}"), Stamp::rfc3339)
}

fn bytes_meaning(meaning: ColumnMeaning) -> Option<fn(&[u8], ColumnMeaning) -> String> {
    match meaning {
        ColumnMeaning::Decimal(_) => Some(|bytes, meaning| match (meaning, wide(bytes)) {
            (ColumnMeaning::Decimal(scale), Some(value)) => decimal(value, scale),
            _ => "a number of more than 38 digits".to_owned(),
        }),
        ColumnMeaning::Uuid => Some(|bytes, _| uuid(bytes)),
        _ => None,
    }
}

/// Two's complement, most significant byte first.
fn wide(bytes: &[u8]) -> Option<i128> {
    let first = bytes.first()?;
    let mut whole = if *first < 0x80 { [0; 16] } else { [0xff; 16] };
    let start = whole.len().checked_sub(bytes.len())?;
    whole.get_mut(start..)?.copy_from_slice(bytes);
    Some(i128::from_be_bytes(whole))
}

fn decimal(value: i128, scale: u32) -> String {
    if scale == 0 || scale > MAX_SCALE {
        return value.to_string();
    }
    let sign = if value < 0 { "-" } else { "" };
    let one = 10_u128.pow(scale);
    let magnitude = value.unsigned_abs();
    let fraction = format!("{:0width$}", magnitude % one, width = scale as usize);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", magnitude / one)
}

fn uuid(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut out = String::new();
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        out.extend([byte >> 4, byte & 0x0f].map(|half| DIGITS[usize::from(half)]));
    }
    out
}
