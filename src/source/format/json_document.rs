//! Reads JSON documents that are no log lines: finds out what they are while they stream by, and takes what they hold.

use std::io::Read;

use crate::model::capture::{CaptureBuilder, RowFault};
use crate::source::import::ImportOutcome;
use crate::source::json::fault::DocumentFault;
use crate::source::json::split::split;

use super::collect::Documents;

pub const RECORDS: &str = "log records as JSON";
pub const MESSAGES: &str = "event messages with log records";
pub const QUERY_RESULT: &str = "Log Analytics query result";
pub const CONTAINER_READ: &str = "container read";
pub const RANGES: &str = "partition key ranges";
pub const METRICS: &str = "metrics";
pub const USAGES: &str = "storage of physical partitions";
pub const DISTRIBUTION: &str = "throughput of physical partitions";
pub const MERGE: &str = "dry run of a merge";
pub const THROUGHPUT: &str = "throughput settings";
pub const ACCOUNT: &str = "settings of an account";

/// Takes log records out of a document. What it counts is its own affair.
pub trait LogRecords {
    /// An object, checked; its line is the one it begins on.
    fn record(&mut self, raw: &[u8], line: u64);
    /// The columns of the rows that follow.
    fn table(&mut self, columns: &[String]);
    /// Any JSON value where a row was expected, checked.
    fn table_row(&mut self, raw: &[u8], line: u64);
    /// Something that cannot be a record.
    fn bad(&mut self, line: u64, fault: RowFault, detail: String);
}

/// Reads everything in `reader`; the tally is without what went to `rows`. On a fault nothing has reached `builder`, but records may have reached `rows`.
pub fn read_document(
    reader: &mut dyn Read,
    file_name: &str,
    source: u16,
    builder: &CaptureBuilder,
    rows: &mut dyn LogRecords,
    keep_going: &dyn Fn() -> bool,
) -> Result<ImportOutcome, DocumentFault> {
    let mut documents = Documents::new(rows);
    split(reader, keep_going, &mut |place, event| {
        documents.take(place, event);
    })?;
    let refusal = documents.refusal();
    if let Some(why) = refusal {
        return Err(DocumentFault { line: 1, column: 1, why });
    }
    let Documents { facts, accounts, placed, metrics, mut outcome, shape, .. } = documents;
    for account in accounts {
        builder.account(account, source);
    }
    for placed in placed {
        builder.place_account(placed);
    }
    outcome.tally.repeated_load = metrics.hand_over(builder, source, &mut outcome);
    for facts in facts {
        builder.facts(facts, file_name, source);
    }
    outcome.shape = shape.unwrap_or(RECORDS);
    Ok(outcome)
}
