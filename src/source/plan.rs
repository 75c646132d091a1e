//! How one input is to be read: its shape, its columns, and how it writes times and numbers. Decided before any row is used.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use jiff::tz::TimeZone;

use super::chunks::{Buffer, Chunks, Framing};
use super::decode::{self, Decoding, Packing, Positioned, TextReader};
use super::dialect::{Dialect, DialectEvidence};
use super::format::delimited::{self, DelimitedTable};
use super::input::OpenInput;
use super::sniff::{self, FileShape, Refusal, Sniff};
use super::watch::Watch;

#[derive(Clone, Debug)]
pub struct Plan {
    pub sniffed: Sniff,
    pub body: InputBody,
    pub dialect: Dialect,
}

#[derive(Clone, Debug)]
pub enum InputBody {
    Table(DelimitedTable),
    JsonLines,
    JsonDocument,
    Parquet,
}

impl InputBody {
    pub fn shape_name(&self) -> &'static str {
        match self {
            Self::Table(table) => table.shape,
            Self::JsonLines => "JSON lines",
            Self::JsonDocument => "JSON document",
            Self::Parquet => "Parquet",
        }
    }
}

pub fn plan(
    opened: &OpenInput,
    time_zone: Option<&TimeZone>,
    watch: &Watch,
) -> Result<Plan, Refusal> {
    let sniffed = sniff::sniff(opened)?;
    if sniffed.decoding.packing == Packing::Gzip {
        verify(opened, &sniffed, watch)?;
    }
    let body = match sniffed.shape {
        FileShape::Delimited => InputBody::Table(delimited::plan(&sniffed, time_zone)?),
        FileShape::JsonLines => InputBody::JsonLines,
        FileShape::JsonDocument => InputBody::JsonDocument,
        FileShape::Parquet => InputBody::Parquet,
    };
    let dialect = match &body {
        InputBody::Table(table) => dialect_of(opened, &sniffed, table, watch)?,
        _ => Dialect::default(),
    };
    // The head has served; a hundred thousand planned files should not hold theirs.
    Ok(Plan { sniffed: Sniff { head: Vec::new(), ..sniffed }, body, dialect })
}

/// Unpacks once without using anything: a packed file that ends early or fails its check sum is refused as a whole.
pub fn verify(opened: &OpenInput, sniffed: &Sniff, watch: &Watch) -> Result<(), Refusal> {
    let raw = opened.reader(&Arc::new(AtomicU64::new(0)));
    let mut unpacked = decode::unpacked(raw, Packing::Gzip);
    let mut buffer = vec![0; 1 << 20];
    let mut since_line = 0_u64;
    loop {
        let n = match unpacked.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => n,
            Err(e) => {
                let what = format!("the packed file is damaged: {}", super::input::reason(&e));
                return Err(Refusal::new(&what, "download it again; nothing of it was used"));
            }
        };
        since_line = match memchr::memrchr(b'\n', buffer.get(..n).unwrap_or_default()) {
            Some(p) => (n - p) as u64,
            None => since_line + n as u64,
        };
        if sniffed.shape != FileShape::JsonDocument && since_line > super::chunks::MAX_BARREN_BYTES
        {
            return Err(barren());
        }
        if !watch.keep_going() {
            return Ok(());
        }
    }
}

pub fn barren() -> Refusal {
    Refusal::new(
        "stopped after 64 MiB without a record: this is not an export",
        sniff::WHAT_TO_EXPORT,
    )
}

/// Reads as much of the table as it takes to know how it writes dates and numbers; nearly always the head is enough.
fn dialect_of(
    opened: &OpenInput,
    sniffed: &Sniff,
    table: &DelimitedTable,
    watch: &Watch,
) -> Result<Dialect, Refusal> {
    let mut evidence = DialectEvidence::default();
    let head = sniffed.head.get(table.skip_bytes..).unwrap_or_default();
    delimited::gather(&table.layout, &String::from_utf8_lossy(head), &mut evidence);
    if evidence.is_open() && !sniffed.complete {
        let raw = opened.reader(&Arc::new(AtomicU64::new(0)));
        let reader = text(raw, sniffed.decoding, table.skip_bytes)?;
        let chunks = Chunks::new(reader, Framing::Quoted, 1);
        let mut buffer = Buffer::default();
        while evidence.is_open()
            && watch.keep_going()
            && matches!(chunks.next(&mut buffer), Ok(Some(_)))
        {
            delimited::gather(
                &table.layout,
                &String::from_utf8_lossy(buffer.filled()),
                &mut evidence,
            );
        }
    }
    Ok(evidence.decide(table.zone.clone(), table.default_form))
}

/// The text of an input, from its first record on.
pub fn text(raw: Positioned, decoding: Decoding, skip_bytes: usize) -> Result<TextReader, Refusal> {
    let mut reader = decode::reader(raw, decoding).map_err(sniff::unreadable)?;
    let mut before = reader.by_ref().take(skip_bytes as u64);
    std::io::copy(&mut before, &mut std::io::sink()).map_err(sniff::unreadable)?;
    Ok(reader)
}
