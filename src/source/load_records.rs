//! Log records of load: request units per key, and requests by status.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use super::columns::{Field, LogRow, text};
use super::records::{RecordTaker, too_many_names};
use super::tally::{Fault, shown};
use crate::model::capture::RowFault;
use crate::model::client::ClientSum;
use crate::model::key::canonicalise;
use crate::model::load::{
    BAD_REQUEST, ChargeSum, FORBIDDEN, Intake, Limited, QueryRecord, RecordMark, RequestRecord,
    RuLog, RuRecord, RuSummed, TOO_MANY_REQUESTS,
};
use crate::model::query_shape::QueryShape;
use crate::model::sample::Trust;
use crate::model::throttle;
use crate::model::time::Stamp;

/// The widest time that logs are summed up to; totals of more would make one step of all of it.
const MAX_SPAN_S: u32 = 3_600;
/// Of a 400: the partition key that the client gives is not the document's.
const OTHER_KEY_SUB_STATUS: &str = "1001";
/// Requests on these are on data.
pub(super) const DATA_RESOURCES: [&str; 3] = ["Document", "Attachment", "Conflict"];
/// Procedures run on data; all other requests to them are about their text.
pub(super) const EXECUTES: &str = "Execute";
/// What logs call requests with a query text.
const QUERIES: [&str; 3] = ["Query", "SqlQuery", "ExecuteQuery"];
/// In the type of a token that is no key of the account and none of Microsoft Entra ID.
const RESOURCE_TOKEN: &str = "resource";
/// Of a 403: the logical partition has reached its maximum size.
const FULL_KEY_SUB_STATUS: &str = "1014";

impl RecordTaker<'_> {
    pub(super) fn ru(&mut self, row: &LogRow<'_>) -> Result<(), Fault> {
        let cell = row.filled(Field::Charge).unwrap_or_default();
        let Some((ru, _)) = self.dialect.amount(cell) else {
            let detail =
                || format!("`requestCharge` is `{}`, expected request units", shown(text(cell)));
            return self.header_or_fault(row, detail);
        };
        let (container, region) = self.names.numbers(row).ok_or_else(too_many_names)?;
        let (at, trust) = self.time(row);
        self.key.clear();
        if let Some(cell) = row.filled(Field::Key) {
            canonicalise(cell, &mut self.key);
        }
        let key = std::str::from_utf8(&self.key).unwrap_or_default();
        let span_s = seconds(row, &mut self.tally.long_spans);
        let summed = span_s.map_or(RuSummed::SINGLE, |span_s| summed(row, span_s));
        let range = row.text(Field::Range).unwrap_or_default();
        let mut hasher = hasher(container, region, ru);
        hasher.write(key.as_bytes());
        let activity = row.filled(Field::Activity);
        let mark = mark(hasher, activity, (at, trust), self.source);
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
        let taken = self.builder.load(|load| load.add_summed_ru(&record, summed));
        self.tally.ru += 1;
        self.count_taken(taken);
        Ok(())
    }

    pub(super) fn requests(&mut self, row: &LogRow<'_>, span_s: u32) -> Result<(), Fault> {
        let cell = row.text(Field::Status).unwrap_or_default();
        let Ok(status) = cell.parse::<u16>() else {
            let detail = || format!("`statusCode` is `{}`, expected an HTTP status", shown(cell));
            return self.header_or_fault(row, detail);
        };
        let operation = operation(row);
        if let Some(resource) = row.text(Field::ResourceType)
            && !DATA_RESOURCES.iter().any(|data| data.eq_ignore_ascii_case(resource))
            && !operation.starts_with(EXECUTES)
        {
            self.tally.other_kind(&format!("requests to {resource}"));
            return Ok(());
        }
        let (container, region) = self.names.numbers(row).ok_or_else(too_many_names)?;
        let span_s = seconds(row, &mut self.tally.long_spans).unwrap_or(span_s);
        let requests = match row.text(Field::Count) {
            None => 1,
            Some(text) => text.parse::<u64>().map_err(|_| {
                let detail = format!("`RequestCount` is `{}`, expected a count", shown(text));
                (RowFault::Cast, detail)
            })?,
        };
        let number = |field| row.filled(field).and_then(|c| self.dialect.amount(c)).map(|(n, _)| n);
        let (ru, duration_ms) =
            (number(Field::Charge).unwrap_or(0.0), number(Field::Duration).unwrap_or(0.0));
        let (at, trust) = self.time(row);
        let partition = row.text(Field::Partition).unwrap_or_default();
        let mut hasher = hasher(container, region, ru);
        hasher.write(partition.as_bytes());
        hasher.write(operation.as_bytes());
        hasher.write_u16(status);
        hasher.write_u64(requests);
        let activity = row.filled(Field::Activity);
        let mark = if activity.is_none() && span_s > 0 {
            hasher.write_i64(at.map_or(i64::MIN, Stamp::millis));
            Some(RecordMark::Whole(hasher.finish()))
        } else {
            hasher.write_u64(duration_ms.to_bits());
            mark(hasher, activity, (at, trust), self.source)
        };
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
        if taken == Intake::New {
            let sent = (requests, ru, duration_ms);
            self.sent(row, (container, operation), sent);
            if [TOO_MANY_REQUESTS, FORBIDDEN, BAD_REQUEST].contains(&status) {
                self.limited(row, container, status, requests);
            }
        }
        self.tally.requests += 1;
        self.count_taken(taken);
        Ok(())
    }

    /// Who sent the requests, and what a query cost whose text another log may hold.
    fn sent(
        &mut self,
        row: &LogRow<'_>,
        (container, operation): (u32, &str),
        (requests, ru, duration_ms): (u64, f64, f64),
    ) {
        if let Some(user_agent) = row.filled(Field::UserAgent) {
            let token = row.text(Field::TokenType).map(str::to_ascii_lowercase);
            let by_token = token.as_ref().is_some_and(|token| token.contains(RESOURCE_TOKEN));
            let sent = ClientSum {
                requests,
                ru,
                signed_in: if token.is_some() { requests } else { 0 },
                by_resource_token: if by_token { requests } else { 0 },
            };
            self.clients.add(self.builder, container, user_agent, sent);
        }
        let is_query = QUERIES.iter().any(|name| operation.eq_ignore_ascii_case(name));
        if let Some(activity) = row.filled(Field::Activity).filter(|_| is_query) {
            let charge = ChargeSum { requests, ru, duration_ms };
            let activity = activity_hash(activity);
            self.builder.load(|load| load.queries.add_charge(activity, charge));
        }
    }

    /// A query's text, without its values.
    pub(super) fn query(&mut self, row: &LogRow<'_>) -> Result<(), Fault> {
        let (container, region) = self.names.numbers(row).ok_or_else(too_many_names)?;
        let Some(shape) = row.text(Field::QueryText).and_then(query_shape) else {
            return Err((RowFault::Cast, "no query text".to_owned()));
        };
        let (at, trust) = self.time(row);
        let number = |field| row.filled(field).and_then(|c| self.dialect.amount(c));
        let charge = number(Field::Charge).map(|(ru, _)| ChargeSum {
            requests: 1,
            ru,
            duration_ms: number(Field::Duration).map_or(0.0, |(ms, _)| ms),
        });
        let activity = row.filled(Field::Activity);
        let mut hasher = hasher(container, region, 0.0);
        hasher.write(shape.text.as_bytes());
        hasher.write(row.filled(Field::Range).unwrap_or_default());
        let mark = mark(hasher, activity, (at, trust), self.source);
        let record =
            QueryRecord { container, activity: activity.map(activity_hash), at, shape, charge };
        let taken = self.builder.load(|load| load.add_query(record, mark));
        self.tally.queries += 1;
        self.count_taken(taken);
        Ok(())
    }

    /// Why requests were throttled, forbidden or rejected, where the log has a column for it.
    fn limited(&mut self, row: &LogRow<'_>, container: u32, status: u16, requests: u64) {
        let (sub_status, bucket) = (row.text(Field::SubStatus), row.text(Field::Bucket));
        let is_low = row.text(Field::Priority).is_some_and(|cell| cell.eq_ignore_ascii_case("low"));
        let code = sub_status.and_then(|cell| cell.parse::<u16>().ok());
        let is_number = |cell: &str| cell.parse::<u32>().is_ok_and(|bucket| bucket > 0);
        let in_bucket = match sub_status {
            Some(_) => code == Some(throttle::BUCKET),
            None => bucket.is_some_and(is_number),
        };
        let mut found = Limited::default();
        match (status, sub_status) {
            (TOO_MANY_REQUESTS, _) if in_bucket => found.in_buckets = requests,
            (TOO_MANY_REQUESTS, _) if is_low => found.of_low_priority = requests,
            (TOO_MANY_REQUESTS, Some(_)) => found.of_neither = requests,
            (_, Some(FULL_KEY_SUB_STATUS)) => found.of_full_keys = requests,
            (_, Some(OTHER_KEY_SUB_STATUS)) => found.of_other_key = requests,
            (FORBIDDEN, Some(_)) => found.of_other_403 = requests,
            _ => return,
        }
        let mut counted = throttle::REASONS.iter().zip(&mut self.tally.throttled);
        if status == TOO_MANY_REQUESTS
            && let Some((_, count)) = counted.find(|(of, _)| code == Some(of.sub_status))
        {
            *count = count.saturating_add(requests);
        }
        self.builder.load(|load| load.add_limited(container, found));
    }

    fn count_taken(&mut self, taken: Intake) {
        match taken {
            Intake::New => {}
            Intake::Repeat => self.tally.repeated_load += 1,
            Intake::BeyondLimit => self.tally.beyond_limits += 1,
        }
    }
}

/// Logs hold the text as it is, or an object with it and its parameters.
fn query_shape(cell: &str) -> Option<QueryShape> {
    let Ok(whole) = serde_json::from_str::<serde_json::Value>(cell) else {
        return Some(QueryShape::of(cell)).filter(|shape| !shape.text.is_empty());
    };
    let mut shape = QueryShape::of(whole.get("query")?.as_str()?);
    let sent = whole.get("parameters").and_then(|list| list.as_array());
    for parameter in sent.into_iter().flatten() {
        if let (Some(name), Some(value)) = (parameter.get("name"), parameter.get("value")) {
            let name = name.as_str().unwrap_or_default().to_owned();
            shape.parameters.push((name, value.to_string()));
        }
    }
    Some(shape)
}

fn activity_hash(activity: &[u8]) -> u64 {
    FixedState::default().hash_one(activity.to_ascii_lowercase())
}

/// The time that a record stands for where a service summed up.
fn seconds(row: &LogRow<'_>, too_long: &mut u64) -> Option<u32> {
    let span_s: u32 = row.text(Field::Span)?.parse().ok()?;
    *too_long += u64::from(span_s > MAX_SPAN_S);
    Some(span_s.min(MAX_SPAN_S))
}

/// The shared table names itself, the tables of their own do too; archives name a category alone.
fn log(row: &LogRow<'_>) -> RuLog {
    match (row.filled(Field::Table), row.filled(Field::Category)) {
        (Some(table), _) if table.eq_ignore_ascii_case(b"AzureDiagnostics") => RuLog::SharedTable,
        (None, Some(_)) => RuLog::Archive,
        _ => RuLog::OwnTable,
    }
}

fn summed(row: &LogRow<'_>, span_s: u32) -> RuSummed {
    let count = row.text(Field::Count).and_then(|cell| cell.parse().ok());
    RuSummed {
        span_s,
        records: count.unwrap_or(1),
        of_others: row.filled(Field::OtherKeys).is_some_and(|n| n != b"0"),
    }
}

fn operation<'a>(row: &LogRow<'a>) -> &'a str {
    row.text(Field::OperationType).or(row.text(Field::Operation)).unwrap_or_default()
}

fn hasher(container: u32, region: u16, ru: f64) -> impl Hasher {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write_u32(container);
    hasher.write_u16(region);
    hasher.write_u64(ru.to_bits());
    hasher
}

/// Of a single record. Without an activity id and without a time nothing tells it from another one.
fn mark(
    mut hasher: impl Hasher,
    activity: Option<&[u8]>,
    (at, trust): (Option<Stamp>, Trust),
    source: u16,
) -> Option<RecordMark> {
    if let Some(activity) = activity {
        hasher.write(activity);
        // A spreadsheet cuts times to seconds or minutes.
        let is_whole = at.is_none_or(|at| at.millis() % 1_000 == 0);
        return Some(RecordMark::Activity {
            record: hasher.finish(),
            is_sure: trust == Trust::Exact && !is_whole,
        });
    }
    hasher.write_i64(at?.millis());
    Some(RecordMark::Alike { record: hasher.finish(), source })
}
