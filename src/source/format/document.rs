//! JSON documents into the capture: their log records here, everything else through `json_document`.

use memchr::memmem;

use super::json_document::{LogRecords, read_document};
use crate::model::capture::RowFault;
use crate::source::columns::{Field, LogRow, field_of};
use crate::source::decode::Content;
use crate::source::delimited::wrong_width;
use crate::source::import::ImportOutcome;
use crate::source::json::fault::{AGAIN, DocumentFault, Ending};
use crate::source::json::{read, split};
use crate::source::log_json;
use crate::source::plan;
use crate::source::read::{ReadJob, Stopped};
use crate::source::records::{EmptyCell, Pass, RecordTaker};
use crate::source::sniff::Refusal;
use crate::source::tally::shown;

pub fn read(job: &ReadJob<'_>) -> Result<ImportOutcome, Stopped> {
    let keep_going = || job.watch.keep_going();
    // Answers of an account are in memory already, and no larger than was allowed when they came.
    let small = job.plan.sniffed.complete || matches!(job.opened.content, Content::Held(_));
    if !small && job.pass == Pass::First {
        // A document with a fault is refused whole, so a large one is checked before any of it is merged.
        let mut reader = job.reader(0)?;
        split::split(&mut reader, &keep_going, &mut |_, _| {}).map_err(stopped)?;
    }
    let mut reader = job.reader(0)?;
    let mut rows = Rows {
        job,
        records: job.records(EmptyCell::Blank),
        reader: log_json::Reader::default(),
        columns: Vec::new(),
        hold: small,
    };
    let result =
        read_document(&mut reader, job.file_name, job.source, job.builder, &mut rows, &keep_going);
    let mut outcome = result.map_err(stopped)?;
    job.merge(&mut rows.records);
    let mut tally = rows.records.tally;
    tally.skipped += outcome.tally.skipped;
    tally.errors.extend(outcome.tally.errors);
    tally.repeated_load += outcome.tally.repeated_load;
    // A container read or management answer comes from the service itself.
    outcome.measured = tally.records() == 0 && outcome.other_rows > 0;
    Ok(ImportOutcome { tally, ..outcome })
}

fn stopped(fault: DocumentFault) -> Stopped {
    let what = fault.to_string();
    match fault.why {
        Ending::Stopped => Stopped::Interrupted,
        Ending::NoRecord => plan::barren().into(),
        Ending::Refused { next, .. } => Refusal { what, next }.into(),
        Ending::Json(_) => Refusal::new(&what, AGAIN).into(),
        Ending::Io(_) => Refusal::new(&what, "nothing of it was used").into(),
    }
}

struct Rows<'j> {
    job: &'j ReadJob<'j>,
    records: RecordTaker<'j>,
    reader: log_json::Reader,
    columns: Vec<Option<Field>>,
    /// A small document is merged at its end only, when it is known to be good.
    hold: bool,
}

impl Rows<'_> {
    fn flush(&mut self) {
        if !self.hold {
            self.job.flush(&mut self.records);
        }
    }
}

impl LogRecords for Rows<'_> {
    fn record(&mut self, raw: &[u8], line: u64) {
        let Ok(text) = std::str::from_utf8(raw) else {
            return;
        };
        // The command line prints every value as text, and "no value" as the word None.
        let printed = memmem::find(raw, b"\"TableName\"").is_some();
        self.records.set_empty(if printed { EmptyCell::NoneWord } else { EmptyCell::Blank });
        // The splitter checked the text.
        let _ = self.reader.take_value(text, line, &mut self.records);
        self.flush();
    }

    fn table(&mut self, columns: &[String]) {
        self.columns = columns.iter().map(|c| field_of(c)).collect();
    }

    fn table_row(&mut self, raw: &[u8], line: u64) {
        let text = std::str::from_utf8(raw).unwrap_or_default();
        let tally = &mut self.records.tally;
        let Ok(Some(cells)) = read::elements(text) else {
            tally
                .skip(line, RowFault::MissingColumns, || format!("`{}` is not a row", shown(text)));
            return;
        };
        let (found, wanted) = (cells.len(), self.columns.len());
        if found != wanted {
            tally.leave_out(line, wrong_width(wanted, found));
            return;
        }
        let texts: Vec<String> = cells
            .iter()
            .map(|raw| {
                if *raw == "null" {
                    String::new()
                } else {
                    read::text(raw).unwrap_or_else(|| (*raw).to_owned())
                }
            })
            .collect();
        let mut row = LogRow::default();
        for (field, cell) in self.columns.iter().zip(&texts) {
            if let Some(field) = field {
                row.put(*field, cell.as_bytes());
            }
        }
        self.records.take(&row, line);
        self.flush();
    }

    fn bad(&mut self, line: u64, fault: RowFault, detail: String) {
        self.records.tally.skip(line, fault, || detail);
    }
}
