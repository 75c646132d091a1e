//! Sums equal those of the load; files of queries are read back as they were written.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::routing::workload::{RequestAccess, Workload};
use crate::model::capture::CaptureBuilder;
use crate::model::load::{ChargeSum, Limited, QueryRecord, RequestRecord, RuLog, RuRecord};
use crate::model::query_shape::QueryShape;
use crate::model::visible::needs_code;
use crate::model::work::{Work, done};

const READ: RequestRecord<'_> = RequestRecord {
    container: 0,
    region: 0,
    partition: "p",
    operation: "Read",
    status: 200,
    span_s: 0,
    at: None,
    requests: 1,
    ru: 1.0,
    duration_ms: 1.0,
    mark: None,
};
const TWO_HOURS: i64 = 7_200;

fn builder() -> CaptureBuilder {
    let builder = CaptureBuilder::new(1);
    builder.container(&ContainerName::new(None, Some("shop"), Some("orders")));
    builder
}

fn request(
    builder: &CaptureBuilder,
    operation: &str,
    status: u16,
    at: i64,
    requests: u64,
    ru: f64,
) {
    builder.load(|load| {
        let (at, duration_ms) = (Stamp::from_seconds(at), 2.0 * real(requests));
        load.add_request(&RequestRecord {
            operation,
            status,
            at,
            requests,
            ru,
            duration_ms,
            ..READ
        })
    });
}

/// 10 reads in each second of the first hour, 1,000 writes in one second; 50 queries of two values.
fn logged() -> LoggedWorkload {
    let builder = builder();
    for second in 0..3_600 {
        request(&builder, "Read", 200, second, 10, 10.0);
    }
    request(&builder, "Create", 201, TWO_HOURS - 1, 1_000, 8_000.0);
    request(&builder, "Create", 429, TWO_HOURS - 1, 200, 80.0);
    request(&builder, "Query", 200, 10, 50, 500.0);
    for activity in 0..50 {
        let sql = format!("SELECT * FROM c WHERE c.city = 'city {}';", activity % 2);
        for _ in 0..4 {
            let record = QueryRecord {
                container: 0,
                activity: Some(activity),
                at: Stamp::from_seconds(10),
                shape: QueryShape::of(&sql),
                charge: None,
            };
            builder.load(|load| load.add_query(record, None));
        }
        let charge = ChargeSum { requests: 1, ru: 10.0, duration_ms: 4.0 };
        builder.load(|load| load.queries.add_charge(activity, charge));
    }
    LoggedWorkload::of(&builder.finish(), 0).unwrap()
}

#[test]
fn rates_are_of_the_time_that_is_logged() {
    let found = logged();
    assert_eq!((found.requests, found.counted_by), (37_250, CountedBy::RequestLog));
    assert!((found.ru - 44_580.0).abs() < 1e-6);
    // 36,000 reads and 50 queries in two hours, none in the second one.
    assert!((found.reads.per_second.unwrap() - 36_050.0 / 7_200.0).abs() < 1e-9);
    assert_eq!(found.reads.p99, Some(10.0));
    assert!((found.reads.by_hour[0].unwrap() - 36_050.0 / 3_600.0).abs() < 1e-9);
    assert_eq!((found.reads.by_hour[1], found.reads.by_hour[2]), (Some(0.0), None));
    assert_eq!(found.writes.p99, Some(0.0));
    let create = found.of_kind(OperationKind::Write).next().unwrap();
    assert_eq!((create.requests, create.throttled, create.ru_each), (1_200, Some(200), Some(8.0)));
    assert_eq!(found.mix().map(|(kind, _)| kind), Some(MixKind::ReadHeavy));
}

#[test]
fn a_query_file_reads_back_with_rates_and_charges() {
    let found = logged();
    let query = found.queries.first().unwrap();
    assert_eq!((query.requests, query.partitions, query.ru_each), (50, 4.0, Some(10.0)));
    let workload = Workload::parse(&found.query_file());
    assert_eq!(workload.notes, []);
    let read: Vec<_> = workload.requests.iter().map(|r| (r.access(), r.per_second, r.ru)).collect();
    let a_second = |n: f64| Some(crate::model::units::six_digits(n / 7_200.0));
    assert_eq!(
        read,
        [
            // Four partitions answered: three visits of 2.5 RU are theirs.
            (RequestAccess::Read, a_second(50.0), Some(2.5)),
            (RequestAccess::Read, a_second(36_000.0), Some(1.0)),
            (RequestAccess::Write, a_second(1_000.0), Some(8.0)),
        ]
    );
    let advice = found.advice(None).join("\n");
    for said in [
        "A write takes 8 RU; about 4 RU of them without any index. Queries filter by /city: exclude paths",
        "goes to 4 partitions: one after another takes 4 times as long",
        "is slower than its p99 is 3.9 %",
    ] {
        assert!(advice.contains(said), "{said}: {advice}");
    }
    assert!(found.query_file().contains("-- @value1: \"city 0\"\n"));
}

/// A prefix that is only an SDK option costs like a cross-partition query: 73.16 RU against 4.63.
#[test]
fn one_text_at_two_prices_is_said() {
    let note = |price: fn(u64) -> f64| {
        let builder = builder();
        request(&builder, "Query", 200, 10, 100, 1_000.0);
        for activity in 0..100 {
            let record = QueryRecord {
                container: 0,
                activity: Some(activity),
                at: None,
                shape: QueryShape::of("SELECT * FROM c WHERE c.type = 'a'"),
                charge: Some(ChargeSum { requests: 1, ru: price(activity), duration_ms: 1.0 }),
            };
            builder.load(|load| load.add_query(record, None));
        }
        let found = LoggedWorkload::of(&builder.finish(), 0).unwrap();
        let note = found.notes.iter().find(|note| note.text.contains("its requests"));
        note.map(|note| note.text.clone())
    };
    let two = note(|n| if n < 60 { 4.63 } else { 73.16 }).unwrap();
    assert!(two.contains("costs 73.2 RU in 40 % of its requests, 4.6 in the others"), "{two}");
    // Results of all sizes, and one large one.
    assert_eq!(note(|n| 4.0 + real(n)), None);
    assert_eq!(note(|n| if n < 99 { 4.63 } else { 73.16 }), None);
}

#[test]
fn names_of_a_log_cannot_add_requests() {
    let builder = builder();
    request(&builder, "Create\n\ndelete\n", 201, 0, 1, 5.0);
    request(&builder, "Create;delete", 201, 0, 1, 5.0);
    let found = LoggedWorkload::of(&builder.finish(), 0).unwrap();
    assert_eq!(Workload::parse(&found.query_file()).requests.len(), 2);
}

#[test]
fn a_query_file_has_no_character_that_acts_on_a_terminal() {
    let acting = "a\0b\u{1b}[31m\u{202e}";
    let builder = builder();
    request(&builder, acting, 201, 0, 1, 5.0);
    let mut found = LoggedWorkload::of(&builder.finish(), 0).unwrap();
    found.queries.push(QueryUse {
        sql: format!("SELECT c[\"{acting}\"]\nFROM c"),
        values: vec![(format!("@{acting}"), "1".to_owned())],
        requests: 1,
        per_second: None,
        partitions: 1.0,
        ru_each: None,
        two_prices: None,
        ms_each: None,
    });
    let file = found.query_file();
    assert!(!file.contains(|c: char| c != '\n' && needs_code(c)), "{file:?}");
    assert!(file.contains(r#"SELECT c["a\u0000b\u001b[31m\u202e"]"#), "{file}");
}

#[test]
fn without_a_request_log_records_are_no_requests() {
    let builder = builder();
    for (operation, key, ru) in
        [("Create", "[\"a\"]", 30.0), ("Read", "[\"a\"]", 10.0), ("Read", "[\"b\"]", 60.0)]
    {
        let record = RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "0",
            key,
            operation,
            at: Stamp::from_seconds(9),
            ru,
            mark: None,
        };
        builder.load(|load| load.add_ru(&record));
    }
    let found = LoggedWorkload::of(&builder.finish(), 0).unwrap();
    assert_eq!((found.counted_by, found.ru), (CountedBy::RuLog, 100.0));
    assert_eq!((found.reads.per_second, found.reads.ru_per_second), (None, Some(70.0)));
    assert!(found.operations.iter().all(|used| used.ru_each.is_none() && used.throttled.is_none()));
    let keys: Vec<_> =
        found.keys.iter().map(|k| (k.key.as_str(), k.share, k.write_share)).collect();
    assert_eq!(keys, [("[\"b\"]", 0.6, 0.0), ("[\"a\"]", 0.4, 0.75)]);
}

#[test]
fn two_logs_that_differ_are_pointed_out() {
    let notes = |ru: f64, throttled: u64| {
        let builder = builder();
        request(&builder, "Create", 201, 9, 10, 100.0);
        request(&builder, "Create", 429, 9, throttled, 0.0);
        let record = RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "0",
            key: "[\"a\"]",
            operation: "Create",
            at: Stamp::from_seconds(9),
            ru,
            mark: None,
        };
        builder.load(|load| load.add_ru(&record));
        LoggedWorkload::of(&builder.finish(), 0).unwrap().notes
    };
    assert_eq!(notes(104.0, 0), []);
    let said = notes(150.0, 0).remove(0).text;
    assert!(said.contains("150 RU, the request log 100"), "{said}");
    for (throttled, is_why) in [(5, true), (2, false)] {
        let said = notes(150.0, throttled).remove(0).text;
        let found = said.ends_with("has those of throttled requests, too");
        assert_eq!(found, is_why, "{said}");
    }
}

#[test]
fn operations_are_known_by_their_names() {
    use OperationKind as K;
    for (name, kind) in [
        ("Create", K::Write),
        ("UpsertItem", K::Write),
        ("Patch", K::Write),
        ("SqlQuery", K::Query),
        ("ReadFeed", K::Feed),
        ("ReadMany", K::Feed),
        ("Read", K::PointRead),
        ("Batch", K::Batch),
        ("ExecuteJavaScript", K::Procedure),
        ("Head", K::Other),
    ] {
        assert_eq!(K::of(name), kind, "{name}");
    }
}

#[test]
fn one_of_many_pages_is_slow_more_often() {
    for (pages, percent) in [(1.0, 1.0), (3.0, 3.0), (50.0, 39.0)] {
        assert!((slow_share(pages) * 100.0 - percent).abs() < 0.6, "{pages}");
    }
}

#[test]
fn the_load_is_put_in_order_once_for_all_containers() {
    let builder = builder();
    for n in 1..5_u64 {
        let name = ContainerName::new(None, Some("shop"), Some(&format!("c{n}")));
        let container = builder.container(&name).unwrap();
        builder.load(|load| load.add_request(&RequestRecord { container, requests: n, ..READ }));
    }
    let capture = builder.finish();
    let before = done(Work::LoadSorted);
    let found = LoggedWorkload::of_all(&capture, &[]);
    assert_eq!((found.len(), done(Work::LoadSorted) - before), (4, 1));
    for workload in found {
        let number = capture.containers.iter().position(|c| c.name == workload.name).unwrap();
        let alone = LoggedWorkload::of(&capture, u32::try_from(number).unwrap());
        assert_eq!(alone, Some(workload));
    }
}

#[test]
fn rejected_requests_are_counted_by_operation() {
    let builder = builder();
    request(&builder, "Create", 400, 1_780_000_000, 4, 0.0);
    request(&builder, "Read", 400, 1_780_000_001, 1, 0.0);
    request(&builder, "Read", 200, 1_780_000_002, 9, 9.0);
    let mismatch = Limited { of_other_key: 3, ..Limited::default() };
    builder.load(|load| load.add_limited(0, mismatch));
    let found = LoggedWorkload::of(&builder.finish(), 0).unwrap();
    let told = found.notes.iter().find(|note| note.text.contains("400"));
    assert_eq!(
        told.map(|note| note.text.as_str()),
        Some(
            "5 requests got 400: 4 of Create, 1 of Read; 3 with sub-status 1001: the key that the client gives is not the document's"
        )
    );
}

#[test]
fn a_flat_load_has_no_busiest_hour() {
    let busiest = |of: fn(i64) -> u64| {
        let builder = builder();
        for minute in 0..2_880 {
            request(&builder, "Read", 200, minute * 60, of(minute / 60 % 24), 1.0);
        }
        LoggedWorkload::of(&builder.finish(), 0).unwrap().reads.busiest_hour()
    };
    assert_eq!(busiest(|_| 60), None);
    assert_eq!(busiest(|hour| 60 + u64::from(hour == 9)), None);
    assert_eq!(busiest(|hour| if hour == 9 { 120 } else { 60 }), Some((9, 2.0)));
}
