//! Reads one input of documents: finds out what it is, and has it parsed by all cores where it can be cut into pieces.

use std::sync::{Mutex, PoisonError};

use super::judge::{self, JsonForm};
use super::parse::JsonParser;
use super::table::{self, TableParser};
use super::tree::NameRule;
use super::turns::{OrderedTable, Pending};
use crate::model::capture::{Grade, SourceInfo};
use crate::model::documents::Rows;
use crate::source::chunks::{Buffer, Chunks, Framing, ReadFault, on_threads};
use crate::source::decode::{Packing, TextReader};
use crate::source::input::{OpenInput, reason};
use crate::source::json::elements::{Element, elements};
use crate::source::json::fault::{DocumentFault, Ending};
use crate::source::plan;
use crate::source::sniff::{self, FileShape, Refusal, Sniff};
use crate::source::tally::{Tally, too_long};
use crate::source::watch::Watch;

/// Documents of a list between two hand-overs.
const PIECE_BYTES: usize = 1 << 20;

/// Pieces that a worker holds before it waits for one that another still reads: a worker that the machine lets rest for a
/// moment does not hold up the others.
const MAX_PENDING: usize = 4;

/// How reading one input came to its end.
#[derive(Debug)]
pub enum ReadEnd {
    /// Perhaps before the end of the input; its description says so.
    Read(Box<SourceInfo>),
    /// Nobody wants it any more.
    Stopped,
}

/// One input, and what all of its readers share.
pub struct DocumentJob<'a> {
    pub opened: &'a OpenInput,
    /// Its number among the inputs.
    pub file: usize,
    pub unlisted: NameRule,
    pub threads: usize,
    pub turns: &'a OrderedTable,
    pub watch: &'a Watch,
}

/// Why the rest of an input could not be read, as a sentence.
type Fault = String;

enum Parser<'p> {
    Json(Box<JsonParser>),
    Table(Box<TableParser<'p>>),
}

impl Parser<'_> {
    fn take(&mut self, bytes: &[u8], line: u64) {
        match self {
            Self::Json(parser) => parser.take_lines(bytes, line),
            Self::Table(parser) => parser.take_piece(bytes, line),
        }
    }

    fn parts(&mut self) -> (&mut Rows, &mut Tally) {
        match self {
            Self::Json(parser) => (&mut parser.rows, &mut parser.tally),
            Self::Table(parser) => (&mut parser.rows, &mut parser.tally),
        }
    }

    fn renew(&mut self) {
        if let Self::Json(parser) = self {
            parser.renew();
        }
    }
}

/// A worker that ends by a panic must not leave the others waiting for its piece.
struct LetGo<'a>(&'a OrderedTable);

impl Drop for LetGo<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// What the workers found together.
#[derive(Default)]
struct Total {
    tally: Tally,
    fault: Option<Fault>,
    stopped: bool,
}

impl DocumentJob<'_> {
    pub fn run(&self) -> Result<ReadEnd, Refusal> {
        let sniffed = sniff::sniff(self.opened)?;
        if sniffed.decoding.packing == Packing::Gzip && self.watch.is_whole() {
            plan::verify(self.opened, &sniffed, self.watch)?;
            if !self.watch.keep_going() {
                return Ok(ReadEnd::Stopped);
            }
        }
        self.turns.begin();
        match sniffed.shape {
            FileShape::Parquet => super::parquet::read(self),
            FileShape::Delimited => {
                let plan = table::plan(&sniffed)?;
                let reader = self.reader(&sniffed, plan.skip_bytes)?;
                let chunks = Chunks::new(reader, Framing::Quoted, plan.first_line);
                let parser = || {
                    let rows = self.turns.rows();
                    let made = TableParser::new(rows, &plan, self.unlisted, self.file);
                    Parser::Table(Box::new(made))
                };
                let total = self.in_parallel(&chunks, &sniffed, &parser);
                let mut ended = ended("documents as a table", total);
                if let ReadEnd::Read(info) = &mut ended {
                    let note = "sizes are those of the rows: as JSON the documents are larger";
                    info.notes.push(note.to_owned());
                }
                Ok(ended)
            }
            FileShape::JsonLines | FileShape::JsonDocument => self.read_json(&sniffed),
        }
    }

    fn read_json(&self, sniffed: &Sniff) -> Result<ReadEnd, Refusal> {
        judge::check_json(&sniffed.head)?;
        let reader = self.reader(sniffed, 0)?;
        match judge::json_form(&sniffed.head, sniffed.complete) {
            JsonForm::Lines => {
                let chunks = Chunks::new(reader, Framing::Lines, 1);
                let total = self.in_parallel(&chunks, sniffed, &|| self.json_parser());
                checked(ended("documents as JSON lines", total))
            }
            JsonForm::Whole => {
                let total = self.one_by_one(reader);
                checked(ended("documents as JSON", total))
            }
        }
    }

    fn reader(&self, sniffed: &Sniff, skip_bytes: usize) -> Result<TextReader, Refusal> {
        let raw = self.opened.reader(&self.watch.done_bytes);
        plan::text(raw, sniffed.decoding, skip_bytes)
    }

    fn json_parser(&self) -> Parser<'static> {
        let parser = JsonParser::new(self.turns.rows(), self.unlisted, self.file);
        Parser::Json(Box::new(parser))
    }

    fn in_parallel<'p>(
        &self,
        chunks: &Chunks<TextReader>,
        sniffed: &Sniff,
        parser: &(dyn Fn() -> Parser<'p> + Sync),
    ) -> Total {
        // A small file is read before a second thread has started.
        let threads = if sniffed.complete { 1 } else { self.threads };
        let total = Mutex::new(Total::default());
        on_threads(threads, || self.work(chunks, parser(), &total));
        total.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, chunks: &Chunks<TextReader>, mut parser: Parser<'_>, total: &Mutex<Total>) {
        let _guard = LetGo(self.turns);
        let mut buffer = Buffer::default();
        let mut pending = Pending::default();
        let (mut fault, mut reported) = (None, 0);
        while self.watch.keep_going() {
            let piece = match chunks.next(&mut buffer) {
                Ok(None) => break,
                Ok(Some(piece)) => piece,
                Err(e) => {
                    fault = Some(read_fault(&e));
                    break;
                }
            };
            if piece.is_too_long {
                parser.parts().1.leave_out(piece.line, too_long());
            } else {
                parser.take(buffer.filled(), piece.line);
            }
            let rows = parser.parts().0;
            pending.push(piece.number, rows);
            if !self.turns.hand_over(&mut pending, MAX_PENDING, rows) {
                break;
            }
            if pending.is_empty() {
                parser.renew();
            }
            self.watch.count_rows(parser.parts().1.sizes, &mut reported);
        }
        if !self.watch.keep_going() {
            self.turns.stop();
        }
        let (rows, tally) = parser.parts();
        // Where it was stopped there is no order to keep.
        self.turns.hand_over(&mut pending, 0, rows);
        self.turns.append(rows);
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.tally.add(std::mem::take(tally));
        total.fault = total.fault.take().or(fault);
        total.stopped |= !self.watch.keep_going();
    }

    /// The documents of a list or of an answer: their ends are known only when they are reached.
    fn one_by_one(&self, mut reader: TextReader) -> Total {
        let mut parser = JsonParser::new(self.turns.rows(), self.unlisted, self.file);
        let (mut place, mut held, mut reported) = (0, 0, 0);
        let keep_going = || self.watch.keep_going();
        let ended = elements(&mut reader, &keep_going, &mut |line, element| {
            place += 1;
            match element {
                Element::Raw(raw) => {
                    parser.take(std::str::from_utf8(raw), line, place);
                    held += raw.len();
                }
                Element::TooLong => parser.tally.leave_out(line, too_long()),
            }
            if held > PIECE_BYTES {
                held = 0;
                self.turns.append(&mut parser.rows);
                parser.renew();
                self.watch.count_rows(parser.tally.sizes, &mut reported);
            }
        });
        self.turns.append(&mut parser.rows);
        self.watch.count_rows(parser.tally.sizes, &mut reported);
        Total {
            tally: parser.tally,
            stopped: !self.watch.keep_going(),
            fault: ended.err().map(|e| document_fault(&e)),
        }
    }
}

fn read_fault(fault: &ReadFault) -> Fault {
    match fault {
        ReadFault::Barren => "stopped after 64 MiB without one document".to_owned(),
        ReadFault::Io(e) => format!("cannot be read to its end: {}", reason(e)),
    }
}

fn document_fault(fault: &DocumentFault) -> Fault {
    match &fault.why {
        Ending::Io(e) => format!("cannot be read to its end: {}", reason(e)),
        _ => fault.to_string(),
    }
}

fn ended(shape: &str, total: Total) -> ReadEnd {
    if total.stopped {
        return ReadEnd::Stopped;
    }
    let mut info = info_of(shape, total.tally);
    if let Some(fault) = total.fault {
        info.incomplete = true;
        info.notes.push(format!("{fault}; what comes before it is used"));
    }
    ReadEnd::Read(Box::new(info))
}

/// JSON without one sound document is something else.
fn checked(ended: ReadEnd) -> Result<ReadEnd, Refusal> {
    match &ended {
        ReadEnd::Read(info) if info.rows == 0 && (info.skipped > 0 || info.incomplete) => {
            let first = info.row_errors.first();
            let why = match (first, info.notes.first()) {
                (Some(error), _) => format!("line {}: {}", error.line, error.detail),
                (None, note) => note.cloned().unwrap_or_default(),
            };
            let what = format!("it has no valid document: {why}");
            Err(judge::nothing_found(&what))
        }
        _ => Ok(ended),
    }
}

/// The description of an input by what became of its records.
pub fn info_of(shape: &str, tally: Tally) -> SourceInfo {
    let mut info = SourceInfo {
        shape: shape.to_owned(),
        grade: Some(Grade::Measured),
        rows: tally.sizes,
        skipped: tally.skipped,
        row_errors: tally.errors,
        ..SourceInfo::default()
    };
    if tally.as_windows_1252 > 0 {
        let note =
            format!("{} lines are not UTF-8 and were read as Windows-1252", tally.as_windows_1252);
        info.notes.push(note);
    }
    info
}
