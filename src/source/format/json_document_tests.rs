#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "the figures are exact")]
//! Sample documents of every kind, and documents that are none.

use crate::model::capture::{Capture, CaptureBuilder, RowFault};
use crate::model::key::{KeyKind, KeyVersion};
use crate::model::physical::Throughput;
use crate::source::json::fault::Ending;

use super::json_document::{DocumentOutcome, LogRecords, read_document};

#[derive(Default)]
struct Seen {
    records: Vec<(String, u64)>,
    columns: Vec<String>,
    rows: Vec<(String, u64)>,
    bad: Vec<(u64, RowFault, String)>,
}

impl LogRecords for Seen {
    fn record(&mut self, raw: &[u8], line: u64) {
        self.records.push((String::from_utf8(raw.to_vec()).unwrap(), line));
    }

    fn table(&mut self, columns: &[String]) {
        self.columns = columns.to_vec();
    }

    fn table_row(&mut self, raw: &[u8], line: u64) {
        self.rows.push((String::from_utf8(raw.to_vec()).unwrap(), line));
    }

    fn bad(&mut self, line: u64, fault: RowFault, detail: String) {
        self.bad.push((line, fault, detail));
    }
}

struct Read {
    outcome: DocumentOutcome,
    seen: Seen,
    capture: Capture,
}

fn read(files: &[(&str, &str)]) -> Result<Read, Ending> {
    let builder = CaptureBuilder::new(1);
    let (mut seen, mut outcome) = (Seen::default(), DocumentOutcome::default());
    for (name, text) in files {
        outcome = read_document(&mut text.as_bytes(), name, 0, &builder, &mut seen, &|| true).map_err(|f| f.why)?;
    }
    builder.settle(None);
    Ok(Read { outcome, seen, capture: builder.finish() })
}

fn sample(path: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/it/data/samples/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn of_sample(path: &str) -> Read {
    read(&[(path.rsplit('/').next().unwrap(), &sample(path))]).unwrap()
}

fn of(text: &str) -> Read {
    read(&[("x.json", text)]).unwrap()
}

fn refused(text: &str) -> (String, String) {
    match read(&[("x.json", text)]).err().unwrap() {
        Ending::Refused { what, next } => (what, next.unwrap()),
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn container_reads_of_both_kinds_tell_the_same() {
    for (container, listed, multi) in [("shop.orders", None, false), ("shop.carts", Some(10), false), ("telemetry.readings", None, true)] {
        let cli = of_sample(&format!("stats/container-read/{container}.az-container-show.json"));
        let plain = of_sample(&format!("stats/container-read/{container}.data-plane.json"));
        assert_eq!((cli.outcome.shape, cli.outcome.skipped), ("container read", 0));
        assert_eq!(cli.outcome.rows, plain.outcome.rows);
        assert_eq!(cli.outcome.rows, listed.unwrap_or(cli.outcome.rows));
        let (a, b) = (&cli.capture.containers[0], &plain.capture.containers[0]);
        assert_eq!((&a.partitions, &a.definition), (&b.partitions, &b.definition));
        let definition = a.definition.as_ref().unwrap();
        assert_eq!(definition.kind == KeyKind::MultiHash, multi);
        assert_eq!(definition.version, KeyVersion::V2);
        assert_eq!(a.name.title(), format!("northpier-prod / {}", container.replace('.', " / ")));
        assert_eq!((a.name.rid.as_ref(), b.name.account.as_ref()), (b.name.rid.as_ref(), None));
    }
    let orders = of_sample("stats/container-read/shop.orders.data-plane.json");
    assert_eq!(orders.outcome.rows, 10);
    assert_eq!(orders.capture.containers[0].partitions.len(), 4);
    let carts = of_sample("stats/container-read/shop.carts.data-plane.json");
    let listed = &carts.capture.containers[0].partitions[1].listed;
    assert_eq!(*listed, [("[{}]".to_owned(), 9_856_614.0), ("[9007199254740992]".to_owned(), 1_216_348.0)]);
    assert_eq!(carts.capture.containers[0].partitions[1].documents, Some(5_661_481));
}

#[test]
fn a_key_without_version_is_of_the_first_and_bad_keys_are_counted() {
    let read = of("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"],\"kind\":\"Hash\"},\"statistics\":[{\"id\":\"0\",\"sizeInKB\":1,\
        \"partitionKeys\":[{\"partitionKey\":[ 42.0 , 9007199254740993],\"sizeInKB\":5},{\"partitionKey\":[1],\"sizeInKB\":-5},\
        {\"partitionKey\":\"x\",\"sizeInKB\":1},7]},{\"sizeInKB\":1}]}");
    assert_eq!((read.outcome.rows, read.outcome.skipped, read.outcome.row_errors.len()), (1, 4, 4));
    let container = &read.capture.containers[0];
    assert_eq!(container.definition.as_ref().unwrap().version, KeyVersion::V1);
    assert_eq!(container.partitions[0].listed, [("[42.0,9007199254740993]".to_owned(), 5.0)]);
    let bare = of("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]}}");
    assert_eq!((bare.outcome.rows, bare.outcome.notes.len()), (0, 1));
}

#[test]
fn ranges_join_a_container_by_its_resource_id() {
    let name = |end: &str| format!("stats/container-read/shop.orders.{end}.json");
    let (ranges, cli) = (sample(&name("pkranges")), sample(&name("az-container-show")));
    let read = read(&[("a.json", &cli), ("b.json", &ranges)]).unwrap();
    assert_eq!((read.outcome.shape, read.outcome.rows), ("partition key ranges", 4));
    let [orders] = read.capture.containers.as_slice() else { unreachable!() };
    assert_eq!(orders.partitions.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["0", "1", "3", "4"]);
    assert!(orders.partitions.iter().all(|p| p.throughput_fraction == Some(0.25) && p.kib.is_some()));
    assert_eq!(orders.partitions[2].parents, ["2"]);
    assert_eq!(orders.partitions[0].min_inclusive.as_deref(), Some(""));
    assert_eq!(orders.partitions[3].max_exclusive.as_deref(), Some("FF"));
}

fn points(read: &Read, dimension: (&str, &str)) -> Vec<f64> {
    let series = read.capture.load.metrics.iter().filter(|(name, _)| name.dimension(dimension.0) == Some(dimension.1));
    series.flat_map(|(_, points)| points.iter().map(|p| p.1)).collect()
}

#[test]
fn metrics_hold_the_points_that_have_a_value() {
    let shares = of_sample("metrics/normalized-ru-by-range.json");
    assert_eq!((shares.outcome.shape, shares.outcome.rows, shares.outcome.skipped), ("metrics", 19, 0));
    assert_eq!(shares.outcome.notes, ["1 points without a value"]);
    assert_eq!(shares.capture.load.metrics.len(), 4);
    let largest = |range| points(&shares, ("partitionkeyrangeid", range)).into_iter().fold(0.0, f64::max);
    assert!((largest("3") - 100.0).abs() < 1e-9);
    assert!(["0", "1", "4"].into_iter().all(|range| largest(range) <= 24.0));
    let name = shares.capture.load.metrics.keys().next().unwrap();
    assert_eq!((name.metric.as_str(), name.unit.as_str(), name.aggregation.as_str()), ("NormalizedRUConsumption", "Percent", "maximum"));
    assert_eq!(shares.capture.container(name.container).unwrap().name.title(), "northpier-prod / shop / orders");
    for (file, series) in [("physical-partition-size", 11), ("physical-partition-throughput", 11), ("container-usage", 9)] {
        let read = of_sample(&format!("metrics/{file}.json"));
        assert_eq!((read.outcome.rows, read.capture.load.metrics.len(), read.capture.containers.len()), (series as u64, series, 3), "{file}");
    }
    let requests = of_sample("metrics/total-requests-by-status.json");
    let all: f64 = requests.capture.load.metrics.values().flatten().map(|p| p.1).sum();
    let throttled: f64 = points(&requests, ("statuscode", "429")).iter().sum();
    assert_eq!((requests.outcome.rows, all.round(), throttled.round()), (20, 288_662.0, 41_350.0));
}

#[test]
fn bytes_of_data_and_index_add_up_for_each_container() {
    let read = of_sample("metrics/container-usage.json");
    let total = |container: &str| {
        let of_it = |c: u32| read.capture.container(c).is_some_and(|c| c.name.container.as_deref() == Some(container));
        let metrics = &read.capture.load.metrics;
        let bytes = metrics.iter().filter(|(n, _)| of_it(n.container) && n.unit == "Bytes");
        bytes.flat_map(|(_, p)| p).map(|p| p.1).sum::<f64>().round()
    };
    assert_eq!([total("orders"), total("carts"), total("readings")], [73_157_734_400.0, 27_463_298_048.0, 22_541_375_488.0]);
}

#[test]
fn what_follows_the_series_counts_and_values_without_end_do_not() {
    let text = "{\"value\":[{\"timeseries\":[{\"data\":[{\"timeStamp\":\"2026-06-22T02:01:00Z\",\"maximum\":2},\
        {\"timeStamp\":\"2026-06-22T02:00:00Z\",\"maximum\":1,\"average\":0.5},{\"timeStamp\":\"2026-06-22T02:02:00Z\",\"maximum\":1e400},\
        {\"timeStamp\":\"2026-06-22T02:03:00Z\",\"maximum\":\"NaN\"},{\"timeStamp\":\"never\",\"maximum\":1},\
        {\"timeStamp\":\"2026-06-22T02:00:00Z\",\"maximum\":9}],\"metadatavalues\":[{\"name\":{\"value\":\"Region\"},\"value\":\"West\"}]}],\
        \"errorCode\":\"Throttled\",\"unit\":\"Count\",\"name\":{\"value\":\"M\"},\"id\":\"/databaseAccounts/NORTH/x\"}],\"timespan\":\"x\"}";
    let read = of(text);
    assert_eq!((read.outcome.rows, read.outcome.skipped, read.outcome.repeated), (3, 3, 1));
    assert_eq!(read.outcome.notes, ["the metric M came with Throttled"]);
    assert_eq!(points(&read, ("region", "West")).len(), 3);
    assert!(read.capture.load.metrics.keys().all(|n| n.metric == "M" && n.unit == "Count"));
    assert_eq!(read.capture.containers[0].name.account.as_deref(), Some("north"));
}

#[test]
fn management_answers() {
    let usages = of_sample("arm/partitions-usages.orders.json");
    assert_eq!((usages.outcome.shape, usages.outcome.rows), ("storage of physical partitions", 4));
    let first = &usages.capture.containers[0].partitions[0];
    assert_eq!((first.kib, first.guid.as_deref()), (Some(31_185_816_576.0 / 1024.0), Some("0000a000-0000-4000-8000-00000000a000")));
    let spread = of_sample("arm/retrieve-throughput-distribution.orders.json");
    assert_eq!((spread.outcome.shape, spread.outcome.rows), ("throughput of physical partitions", 4));
    assert!(spread.capture.containers[0].partitions.iter().all(|p| p.ru_per_second == Some(6000.0)));
    let merge = of_sample("arm/partition-merge-dry-run.carts.json");
    assert_eq!((merge.outcome.shape, merge.outcome.rows), ("dry run of a merge", 1));
    let carts = &merge.capture.containers[0];
    assert_eq!((carts.partitions.len(), carts.merge_preview[0].id.as_str(), carts.merge_preview[0].kib), (0, "4", Some(26_819_627.0)));
    let manual = of_sample("arm/throughput-settings.orders.json");
    let settings = manual.capture.containers[0].throughput.unwrap();
    assert_eq!((manual.outcome.shape, manual.outcome.rows), ("throughput settings", 1));
    assert_eq!((settings.throughput, settings.minimum), (Throughput::Manual { ru_per_second: 24_000.0 }, Some(400.0)));
    assert_eq!(settings.partitions(), Some(4.0));
    assert_eq!(manual.capture.containers[0].name.title(), "northpier-prod / shop / orders");
    let scaled = of_sample("arm/throughput-settings.readings-autoscale.json").capture.containers[0].throughput.unwrap();
    assert_eq!(scaled.throughput, Throughput::Autoscale { maximum: 9000.0, now: Some(900.0) });
    assert_eq!((scaled.minimum, scaled.instant_maximum), (Some(1000.0), Some(30_000.0)));
}

#[test]
fn usages_of_other_kinds_are_left_out() {
    let read = of("{\"value\":[{\"unit\":\"CountPerSecond\",\"currentValue\":5,\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Max RUs Per Second\"}},\
        {\"unit\":\"Bytes\",\"currentValue\":2048,\"partitionId\":\"AB\",\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Partition Storage\"}}]}");
    assert_eq!((read.outcome.rows, read.outcome.skipped, read.outcome.notes.len()), (1, 0, 1));
    assert_eq!(read.capture.containers[0].partitions[0].kib, Some(2.0));
}

#[test]
fn log_records_are_handed_on_from_every_wrapping() {
    for (path, shape, records) in [
        ("stats/log-analytics/az-query.json", "log records as JSON", 45),
        ("stats/event-hubs/one-message.json", "event messages with log records", 45),
        ("stats/event-hubs/stream-analytics.json", "event messages with log records", 45),
    ] {
        let read = of_sample(path);
        assert_eq!((read.outcome.shape, read.seen.records.len(), read.seen.bad.len()), (shape, records, 0), "{path}");
        assert!(read.outcome.notes.is_empty(), "{path}");
    }
    let mixed = of("[{\"PartitionKey\":1},null,\n7,\"x\",[],{},{\"SizeKb\":6}]");
    assert_eq!((mixed.seen.records.len(), mixed.seen.bad.len()), (3, 4));
    assert_eq!(mixed.seen.bad[1], (2, RowFault::MissingColumns, "no record: 7".to_owned()));
    assert_eq!(of("{\"time\":1,\"category\":\"x\"}{\"time\":2,\"category\":\"x\"}").seen.records.len(), 2);
}

#[test]
fn query_results_have_columns_before_rows() {
    let full = of_sample("stats/log-analytics/query-api.json");
    assert_eq!((full.outcome.shape, full.seen.rows.len(), full.seen.columns.len()), ("Log Analytics query result", 45, 11));
    assert_eq!(full.seen.columns[6], "PartitionKey");
    assert!(full.outcome.notes.is_empty());
    let partial = of_sample("stats/log-analytics/query-api.partial-error.json");
    assert!(!partial.seen.rows.is_empty());
    assert_eq!(partial.outcome.notes, ["the result is incomplete (PartialError): There were some errors when processing your query."]);
    let none = of_sample("stats/log-analytics/query-api.no-rows.json");
    assert_eq!((none.seen.rows.len(), none.outcome.notes.as_slice()), (0, ["no rows in this result".to_owned()].as_slice()));
    assert!(refused("{\"tables\":[{\"name\":\"x\",\"rows\":[[1,2]]}]}").0.contains("no column names"));
}

#[test]
fn empty_answers_are_good() {
    let nothing = of_sample("metrics/no-data.json");
    assert_eq!((nothing.outcome.shape, nothing.outcome.rows), ("metrics", 0));
    assert_eq!(nothing.outcome.notes, ["no data in this period: NormalizedRUConsumption"]);
    assert_eq!(of("[]").outcome.notes, ["an empty list: no records"]);
    assert_eq!(of("{\"records\":[]}").outcome.notes, ["an empty list of records"]);
    assert_eq!(of("{\"value\":[],\"timespan\":\"x\"}").outcome.notes, ["no data in this period"]);
}

#[test]
fn what_is_nothing_known_is_refused_in_a_sentence() {
    let (what, next) = match read(&[("x", &sample("stats/log-analytics/query-api.error.json"))]).err().unwrap() {
        Ending::Refused { what, next } => (what, next.unwrap()),
        other => unreachable!("{other:?}"),
    };
    assert!(what.contains("insufficient access") && next.contains("Log Analytics Reader"), "{what} {next}");
    for (text, part) in [
        ("\"hello\"", "a text"),
        ("12", "a number"),
        ("null", "null"),
        ("{\"records\":null}", "not a list"),
        ("{\"records\":{\"a\":1}}", "not a list"),
        ("{\"Alpha\":1,\"beta\":{\"c\":2}}", "Alpha, beta"),
        ("[{\"id\":\"1\",\"tenant\":\"x\"}]", "id, tenant"),
        ("{}", "an object without members"),
        ("[1,2]", "1"),
        (" \n", "nothing"),
        ("{\"value\":[{\"a\":1}],\"b\":1}", "value, b"),
    ] {
        assert!(refused(text).0.contains(part), "{text}: {}", refused(text).0);
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(&deep).0.contains("64 levels"));
    assert!(read(&[("x", &"{\"a\":".repeat(200_000))]).is_err());
    let joined = of("{\"records\":[]}{\"x\":1}");
    assert_eq!(joined.outcome.shape, "event messages with log records");
}

#[test]
fn a_fault_at_the_end_takes_everything_back() {
    let builder = CaptureBuilder::new(1);
    let text = sample("metrics/container-usage.json") + "Done.";
    let fault = read_document(&mut text.as_bytes(), "x", 0, &builder, &mut Seen::default(), &|| true).unwrap_err();
    assert!(fault.to_string().starts_with("not valid JSON: an unexpected \"D\" at line "), "{fault}");
    assert!(builder.finish().load.metrics.is_empty());
}
