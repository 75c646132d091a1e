//! Reads one planned input with all cores: a shared reader hands out chunks, each worker parses its own.

use std::sync::{Mutex, PoisonError};

use super::chunks::{Buffer, Chunks, Framing, ReadFault, on_threads};
use super::decode::TextReader;
use super::delimited::{self, Quotes, Scratch, TableLayout};
use super::import::{ImportOutcome, MIN_TABLE_BYTES};
use super::input::OpenInput;
use super::log_json;
use super::plan::{self, InputBody, Plan};
use super::records::{EmptyCell, Pass, RecordTaker};
use super::sniff::Refusal;
use super::tally::{Tally, too_long};
use super::watch::Watch;
use crate::model::capture::CaptureBuilder;

/// What a worker collects before it merges: less would lock the parts of the table for a row or two each; more measured
/// no faster, and counts against nobody's budget. Bytes, not rows: a key may be a MiB long.
const FLUSH_BYTES: usize = 512 << 10;

/// Why reading an input ended without a result.
#[derive(Debug)]
pub enum Stopped {
    Interrupted,
    Refused(Refusal),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// One input and everything its workers share.
pub struct ReadJob<'a> {
    pub opened: &'a OpenInput,
    pub plan: &'a Plan,
    pub file_name: &'a str,
    pub source: u16,
    pub pass: Pass,
    pub builder: &'a CaptureBuilder,
    pub watch: &'a Watch,
    pub threads: usize,
    /// What the table of keys may take before parts of it are given up for a later pass.
    pub table_bytes: usize,
    /// What the load may take: reading stops where it takes more.
    pub load_bytes: usize,
}

/// What a worker makes of a chunk.
enum Parser<'a> {
    Table(&'a TableLayout, Box<Scratch>),
    Lines(Box<log_json::Reader>),
}

impl Parser<'_> {
    fn take(&mut self, bytes: &[u8], line: u64, records: &mut RecordTaker<'_>) {
        match self {
            Self::Table(layout, scratch) => {
                delimited::take_chunk(layout, bytes, line, scratch, records);
            }
            Self::Lines(reader) => reader.take_lines(bytes, line, records),
        }
    }
}

impl ReadJob<'_> {
    pub fn run(&self) -> Result<ImportOutcome, Stopped> {
        match &self.plan.body {
            InputBody::Table(table) => {
                let framing = match table.layout.quotes {
                    Quotes::Doubled => Framing::Quoted,
                    Quotes::Literal => Framing::Lines,
                };
                let chunks = Chunks::new(self.reader(table.skip_bytes)?, framing, table.first_line);
                let parser = || Parser::Table(&table.layout, Box::default());
                self.in_parallel(&chunks, table.empty, &parser)
            }
            InputBody::JsonLines => {
                let chunks = Chunks::new(self.reader(0)?, Framing::Lines, 1);
                let parser = || Parser::Lines(Box::default());
                self.in_parallel(&chunks, EmptyCell::Blank, &parser)
            }
            InputBody::JsonDocument => super::format::document::read(self),
            InputBody::Parquet => super::format::parquet::read(self),
        }
    }

    pub fn reader(&self, skip_bytes: usize) -> Result<TextReader, Stopped> {
        let raw = self.opened.reader(&self.watch.done_bytes);
        Ok(plan::text(raw, self.plan.sniffed.decoding, skip_bytes)?)
    }

    pub fn records(&self, empty: EmptyCell) -> RecordTaker<'_> {
        let dialect = &self.plan.dialect;
        RecordTaker::new(self.builder, dialect, self.source, self.pass, empty)
    }

    /// Merges what a worker collected once it is worth it, and shows how far the table has come to whoever asked.
    pub fn flush(&self, records: &mut RecordTaker<'_>) {
        if records.waiting_bytes() >= FLUSH_BYTES {
            self.merge(records);
        }
        if self.builder.load(|load| load.bytes()) > self.load_bytes {
            self.watch.stop();
        }
        self.watch.offer_glimpse(self.builder);
    }

    /// Merges what a worker collected, and gives up part of the table where it outgrew its budget.
    pub fn merge(&self, records: &mut RecordTaker<'_>) {
        records.flush();
        let load = self.builder.load(|load| load.bytes());
        let left = self.table_bytes.saturating_sub(load).max(MIN_TABLE_BYTES);
        self.builder.sizes().shrink_to(left);
    }

    fn in_parallel<'p>(
        &self,
        chunks: &Chunks<TextReader>,
        empty: EmptyCell,
        parser: &(dyn Fn() -> Parser<'p> + Sync),
    ) -> Result<ImportOutcome, Stopped> {
        let total = Mutex::new((Tally::default(), None));
        // A small file is read before a second thread has started.
        let threads = if self.plan.sniffed.complete { 1 } else { self.threads };
        on_threads(threads, || self.work(chunks, empty, parser(), &total));
        let (tally, fault) = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(fault) = fault {
            return Err(fault);
        }
        let cut_short = chunks.ended_without_line_end();
        Ok(ImportOutcome { tally, cut_short, ..ImportOutcome::default() })
    }

    fn work(
        &self,
        chunks: &Chunks<TextReader>,
        empty: EmptyCell,
        mut parser: Parser<'_>,
        total: &Mutex<(Tally, Option<Stopped>)>,
    ) {
        let mut records = self.records(empty);
        let mut buffer = Buffer::default();
        let mut fault = None;
        let mut reported = 0;
        loop {
            if !self.watch.keep_going() {
                fault = Some(Stopped::Interrupted);
                break;
            }
            match chunks.next(&mut buffer) {
                Ok(None) => break,
                Ok(Some(piece)) if piece.is_too_long => {
                    records.tally.leave_out(piece.line, too_long());
                }
                Ok(Some(piece)) => parser.take(buffer.filled(), piece.line, &mut records),
                Err(e) => {
                    fault = Some(Stopped::Refused(read_fault(e)));
                    break;
                }
            }
            self.flush(&mut records);
            self.watch.count_rows(records.tally.records(), &mut reported);
        }
        self.merge(&mut records);
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.0.add(records.tally);
        total.1 = total.1.take().or(fault);
    }
}

fn read_fault(fault: ReadFault) -> Refusal {
    match fault {
        ReadFault::Barren => plan::barren(),
        ReadFault::Io(e) => Refusal::new(
            &format!("cannot be read to its end: {}", super::input::reason(&e)),
            "nothing of it was used",
        ),
    }
}
