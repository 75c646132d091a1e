//! Log records of load: request units per key, and requests by status.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use super::columns::{Field, Row};
use super::records::{Fault, Records};
use super::tally::shown;
use crate::model::capture::RowFault;
use crate::model::key::canonicalise;
use crate::model::load::{RequestRecord, RuLog, RuRecord, RuSummed, Taken};
use crate::model::time::Stamp;

impl Records<'_> {
    pub(super) fn ru(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let cell = row.filled(Field::Charge).unwrap_or_default();
        let Some((ru, _)) = self.dialect.amount(cell) else {
            let detail = || {
                format!(
                    "`requestCharge` is `{}`, expected request units",
                    shown(cell)
                )
            };
            return self.header_or_fault(row, detail);
        };
        let (container, region) = self.names.numbers(row).ok_or_else(Fault::too_many_names)?;
        let (at, _) = self.time(row);
        self.key.clear();
        if let Some(cell) = row.filled(Field::Key) {
            canonicalise(cell, &mut self.key);
        }
        let key = std::str::from_utf8(&self.key).unwrap_or_default();
        let summed = summed(row);
        let mark = row.filled(Field::Activity).map(|activity| {
            let mut hasher = FixedState::default().build_hasher();
            hasher.write(activity.as_bytes());
            hasher.write(key.as_bytes());
            mark(hasher, container, region, at, ru)
        });
        let range = row.filled(Field::Range).unwrap_or_default();
        let record = RuRecord {
            container,
            log: log(row),
            region,
            range,
            key,
            operation: operation(row),
            at,
            ru,
            mark,
        };
        let taken = self
            .builder
            .load(|load| load.add_summed_ru(&record, summed));
        self.tally.ru += 1;
        self.count_taken(taken);
        Ok(())
    }

    pub(super) fn requests(&mut self, row: &Row<'_>, span_s: u32) -> Result<(), Fault> {
        let cell = row.filled(Field::Status).unwrap_or_default();
        let Ok(status) = cell.parse::<u16>() else {
            let detail = || format!("`statusCode` is `{}`, expected an HTTP status", shown(cell));
            return self.header_or_fault(row, detail);
        };
        let (container, region) = self.names.numbers(row).ok_or_else(Fault::too_many_names)?;
        let span_s = seconds(row).unwrap_or(span_s);
        let requests = match row.filled(Field::Count) {
            None => 1,
            Some(text) => text.parse::<u64>().map_err(|_| {
                Fault::new(
                    RowFault::Cast,
                    format!("`RequestCount` is `{}`, expected a count", shown(text)),
                )
            })?,
        };
        let number = |field| {
            row.filled(field)
                .and_then(|c| self.dialect.amount(c))
                .map(|(n, _)| n)
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
        let told = activity.is_some() || span_s > 0;
        let mark = told.then(|| mark(hasher, container, region, at, ru));
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
            mark,
        };
        let taken = self.builder.load(|load| load.add_request(&record));
        self.tally.requests += 1;
        self.count_taken(taken);
        Ok(())
    }

    fn count_taken(&mut self, taken: Taken) {
        match taken {
            Taken::New => {}
            Taken::Repeat => self.tally.repeated_load += 1,
            Taken::BeyondLimit => self.tally.beyond_limits += 1,
        }
    }
}

/// The time that a record stands for where a service summed up.
fn seconds(row: &Row<'_>) -> Option<u32> {
    row.filled(Field::Span).and_then(|cell| cell.parse().ok())
}

/// The shared table names itself, the tables of their own do too; archives name a category alone.
fn log(row: &Row<'_>) -> RuLog {
    match (row.filled(Field::Table), row.filled(Field::Category)) {
        (Some(table), _) if table.eq_ignore_ascii_case("AzureDiagnostics") => RuLog::SharedTable,
        (None, Some(_)) => RuLog::Archive,
        _ => RuLog::OwnTable,
    }
}

fn summed(row: &Row<'_>) -> RuSummed {
    let Some(span_s) = seconds(row) else {
        return RuSummed::SINGLE;
    };
    let count = row.filled(Field::Count).and_then(|cell| cell.parse().ok());
    RuSummed {
        span_s,
        records: count.unwrap_or(1),
        of_others: row.filled(Field::OtherKeys).is_some_and(|n| n != "0"),
    }
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
