//! Sample documents of every kind, and documents that are none.
#![expect(clippy::disallowed_methods, reason = "samples are small")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "the figures are exact")]

mod doubled;
mod handed_on;
mod measures;

use proptest::prelude::*;

use crate::model::capture::{Capture, CaptureBuilder, Container, RowFault};
use crate::model::key::{KeyKind, KeyVersion};
use crate::model::physical::Throughput;
use crate::source::json::fault::Ending;

use super::json_document::{LogRecords, read_document};
use crate::source::import::ImportOutcome;

#[derive(Default)]
struct SeenDocument {
    records: Vec<(String, u64)>,
    columns: Vec<String>,
    rows: Vec<(String, u64)>,
    bad: Vec<(u64, RowFault, String)>,
}

impl LogRecords for SeenDocument {
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
    outcome: ImportOutcome,
    seen: SeenDocument,
    capture: Capture,
}

impl Read {
    /// What it was, how many rows were taken and how many left out.
    fn counts(&self) -> (&'static str, u64, u64) {
        let ImportOutcome { shape, tally, .. } = &self.outcome;
        (shape, self.outcome.other_rows, tally.skipped)
    }

    fn container(&self) -> &Container {
        &self.capture.containers[0]
    }
}

fn read(files: &[(&str, &str)]) -> Result<Read, Ending> {
    let builder = CaptureBuilder::new(1);
    let (mut seen, mut outcome) = (SeenDocument::default(), ImportOutcome::default());
    for (name, text) in files {
        outcome = read_document(&mut text.as_bytes(), name, 0, &builder, &mut seen, &|| true)
            .map_err(|f| f.why)?;
    }
    builder.settle(None);
    Ok(Read { outcome, seen, capture: builder.finish() })
}

fn sample(path: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/it/data/samples/{path}", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
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
fn resource_ids_tell_the_resource_group() {
    let id = "/subscriptions/1/resourceGroups/RG-1/providers/Microsoft.DocumentDB/databaseAccounts/north";
    let container = format!("{id}/sqlDatabases/shop/containers/orders");
    let named = format!(
        r#"{{"id":"{container}","properties":{{"resource":{{"id":"orders","partitionKey":{{"paths":["/id"]}}}}}}}}"#
    );
    let elsewhere = named.replace("RG-1", "rg-2");
    let other = format!(r#"{{"id":"{id}","type":"Microsoft.DocumentDB/databaseAccounts"}}"#);
    for (texts, group) in [
        (vec![named.as_str()], Some("rg-1")),
        (vec![&named, &other], Some("rg-1")),
        (vec![&elsewhere, &other], None),
    ] {
        let files: Vec<_> = texts.into_iter().map(|text| ("x.json", text)).collect();
        let read = read(&files).unwrap();
        assert_eq!(read.container().resource_group.as_deref(), group);
    }
}

#[test]
fn what_the_headers_of_a_container_read_said_comes_with_it() {
    let orders = "stats/container-read/shop.orders.data-plane.json";
    let reported = |header: &str| {
        let text = sample(orders);
        let end = text.rfind('}').unwrap();
        let header = serde_json::to_string(header).unwrap();
        let with = format!(r#"{},"_cosmoscope":{{"resourceUsage":{header}}}}}"#, &text[..end]);
        let read = of(&with);
        assert_eq!(read.counts(), ("container read", 10, 0));
        assert_eq!(read.container().partitions.len(), 4);
        read.container().usage
    };
    let usage =
        reported("documentSize=0;documentsSize=9;documentsCount=7;collectionSize=12;").unwrap();
    assert_eq!((usage.documents, usage.kib), (Some(7), Some(12.0)));
    assert_eq!(reported("\u{1b}[2J"), None);
    assert_eq!(of_sample(orders).container().usage, None);
}

#[test]
fn container_reads_of_both_kinds_tell_the_same() {
    for (container, listed, multi) in [
        ("shop.orders", Some(10), false),
        ("shop.carts", Some(10), false),
        ("telemetry.readings", None, true),
    ] {
        let of = |end: &str| of_sample(&format!("stats/container-read/{container}.{end}.json"));
        let (cli, plain) = (of("az-container-show"), of("data-plane"));
        let rows = listed.unwrap_or(plain.outcome.other_rows);
        assert_eq!(cli.counts(), ("container read", rows, 0));
        assert_eq!(plain.outcome.other_rows, rows);
        let (a, b) = (cli.container(), plain.container());
        assert_eq!((&a.partitions, &a.definition), (&b.partitions, &b.definition));
        let definition = a.definition.as_ref().unwrap();
        assert_eq!(definition.kind == KeyKind::MultiHash, multi);
        assert_eq!(definition.version, KeyVersion::V2);
        let title = format!("northpier-prod / {}", container.replace('.', " / "));
        assert_eq!(a.name.title(), title);
        assert_eq!((&a.name.rid, &b.name.account), (&b.name.rid, &None));
    }
    let orders = of_sample("stats/container-read/shop.orders.data-plane.json");
    assert_eq!(orders.container().partitions.len(), 4);
    let carts = of_sample("stats/container-read/shop.carts.data-plane.json");
    let second = &carts.container().partitions[1];
    let listed = [("[{}]", 9_856_614.0), ("[9007199254740992]", 1_216_348.0)];
    assert_eq!(second.listed, listed.map(|(key, kib)| (key.to_owned(), kib)));
    assert_eq!(second.documents, Some(5_661_481));
}

#[test]
fn a_key_without_version_is_of_the_first_and_bad_keys_are_counted() {
    let read = of(
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"],\"kind\":\"Hash\"},\"statistics\":[{\"id\":\"0\",\"sizeInKB\":1,\
        \"partitionKeys\":[{\"partitionKey\":[ 42.0 , 9007199254740993],\"sizeInKB\":5},{\"partitionKey\":[1],\"sizeInKB\":-5},\
        {\"partitionKey\":\"x\",\"sizeInKB\":1},7]},{\"sizeInKB\":1}]}",
    );
    assert_eq!(read.counts(), ("container read", 1, 4));
    assert_eq!(read.outcome.tally.errors.len(), 4);
    let definition = read.container().definition.as_ref().unwrap();
    assert_eq!(definition.version, KeyVersion::V1);
    assert_eq!(
        read.container().partitions[0].listed,
        [("[42.0,9007199254740993]".to_owned(), 5.0)]
    );
    let bare = of("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]}}");
    assert_eq!(bare.counts(), ("container read", 0, 0));
    assert_eq!(bare.outcome.notes.len(), 1);
}

#[test]
fn ranges_join_a_container_by_its_resource_id() {
    let text = |end: &str| sample(&format!("stats/container-read/shop.orders.{end}.json"));
    let (ranges, cli) = (text("pkranges"), text("az-container-show"));
    let read = read(&[("a.json", &cli), ("b.json", &ranges)]).unwrap();
    assert_eq!(read.counts(), ("partition key ranges", 4, 0));
    assert_eq!(read.capture.containers.len(), 1);
    let partitions = &read.container().partitions;
    let ids: Vec<&str> = partitions.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(ids, ["0", "1", "3", "4"]);
    for p in partitions {
        assert!(p.throughput_fraction == Some(0.25) && p.kib.is_some());
    }
    assert_eq!(partitions[2].parents, ["2"]);
    assert_eq!(partitions[0].min_inclusive.as_deref(), Some(""));
    assert_eq!(partitions[3].max_exclusive.as_deref(), Some("FF"));
}

#[test]
fn storage_and_throughput_of_partitions() {
    let usages = of_sample("arm/partitions-usages.orders.json");
    assert_eq!(usages.counts(), ("storage of physical partitions", 4, 0));
    let first = &usages.container().partitions[0];
    assert_eq!(first.kib, Some(31_185_816_576.0 / 1024.0));
    let guid = "0000a000-0000-4000-8000-00000000a000";
    assert_eq!(first.guid.as_deref(), Some(guid));
    let spread = of_sample("arm/retrieve-throughput-distribution.orders.json");
    assert_eq!(spread.counts(), ("throughput of physical partitions", 4, 0));
    for p in &spread.container().partitions {
        assert_eq!(p.ru_per_second, Some(6000.0));
    }
}

#[test]
fn what_a_merge_would_give_is_kept_apart() {
    let merge = of_sample("arm/partition-merge-dry-run.carts.json");
    assert_eq!(merge.counts(), ("dry run of a merge", 1, 0));
    let carts = merge.container();
    assert!(carts.partitions.is_empty());
    let preview = &carts.merge_preview[0];
    assert_eq!((&*preview.id, preview.kib), ("4", Some(26_819_627.0)));
}

#[test]
fn throughput_is_manual_or_scaled() {
    let manual = of_sample("arm/throughput-settings.orders.json");
    assert_eq!(manual.counts(), ("throughput settings", 1, 0));
    let settings = manual.container().throughput.unwrap();
    let ru_per_second = 24_000.0;
    assert_eq!(settings.throughput, Throughput::Manual { ru_per_second });
    assert_eq!(settings.minimum, Some(400.0));
    assert_eq!(settings.partitions(), Some(4.0));
    let title = manual.container().name.title();
    assert_eq!(title, "northpier-prod / shop / orders");
    let scaled = of_sample("arm/throughput-settings.readings-autoscale.json");
    let settings = scaled.container().throughput.unwrap();
    let (maximum, now) = (9000.0, Some(900.0));
    assert_eq!(settings.throughput, Throughput::Autoscale { maximum, now });
    assert_eq!(settings.minimum, Some(1000.0));
    assert_eq!((settings.instant_maximum, settings.key_cap), (Some(30_000.0), None));
}

/// As Microsoft's explorer writes it; no page documents it.
#[test]
fn a_cap_on_keys_is_read_with_the_throughput() {
    let document = r#"{"id":"/x/sqlDatabases/shop/containers/orders/throughputSettings/default","properties":{"resource":{"throughput":400,
        "hotPartitionKeyRateLimitingPolicy":{"maximumPerPartitionKeyThroughputUtilizationPercent":60}}}}"#;
    assert_eq!(of(document).container().throughput.unwrap().key_cap, Some(0.6));
}

#[test]
fn usages_of_other_kinds_are_left_out() {
    let read = of(
        "{\"value\":[{\"unit\":\"CountPerSecond\",\"currentValue\":5,\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Max RUs Per Second\"}},\
        {\"unit\":\"Bytes\",\"currentValue\":2048,\"partitionId\":\"AB\",\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Partition Storage\"}}]}",
    );
    assert_eq!(read.counts(), ("storage of physical partitions", 1, 0));
    assert_eq!(read.outcome.notes.len(), 1);
    assert_eq!(read.container().partitions[0].kib, Some(2.0));
}

#[test]
fn of_two_different_values_none_is_taken_in_silence() {
    let text = "{\"id\":\"/x/throughputSettings/default\",\"properties\":{\"resource\":{\"throughput\":400,\"minimumThroughput\":\"400\",\
        \"MinimumThroughput\":\"500\"}}}";
    let read = of(text);
    assert_eq!(read.container().throughput.unwrap().minimum, None);
    assert_eq!(
        read.outcome.notes,
        ["`minimumthroughput` is there twice with different values: none was taken"]
    );
    let read = of(
        "{\"physicalPartitionStorageInfoCollection\":[{\"id\":\"0\",\"storageInKB\":1,\"storageInKB\":2},{\"id\":\"1\",\"storageInKB\":1}]}",
    );
    assert_eq!((read.outcome.other_rows, read.outcome.tally.skipped), (1, 1));
}

const SAMPLES: [&str; 8] = [
    "stats/container-read/telemetry.readings.az-container-show.json",
    "stats/container-read/shop.carts.data-plane.json",
    "stats/container-read/shop.orders.pkranges.json",
    "metrics/normalized-ru-by-range.json",
    "arm/partitions-usages.orders.json",
    "arm/partition-merge-dry-run.carts.json",
    "arm/throughput-settings.readings-autoscale.json",
    "stats/log-analytics/query-api.partial-error.json",
];

proptest! {
    /// Damaged documents are read or refused with a sentence, and their figures stay figures.
    #[test]
    fn damage_is_taken_or_told(
        sample_at in 0..SAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"\"{}[],:-9e.nt\\ \x1b\xff"[..]), any::<bool>()), 1..4),
    ) {
        let mut bytes = sample(SAMPLES[sample_at]).into_bytes();
        for (place, byte, insert) in changes {
            let at = place.index(bytes.len());
            if insert { bytes.insert(at, byte) } else { bytes[at] = byte }
        }
        let builder = CaptureBuilder::new(1);
        match read_document(&mut bytes.as_slice(), "x", 0, &builder, &mut SeenDocument::default(), &|| true) {
            Err(fault) => {
                prop_assert!(!fault.to_string().chars().any(char::is_control));
                prop_assert!(builder.finish().load.metrics.is_empty());
            }
            Ok(outcome) => {
                prop_assert!(outcome.tally.skipped >= outcome.tally.errors.len() as u64);
                builder.settle(None);
                let capture = builder.finish();
                prop_assert!(capture.load.metrics.values().flatten().all(|p| p.1.is_finite()));
                let partitions = capture.containers.iter().flat_map(|c| c.partitions.iter().chain(&c.merge_preview));
                for p in partitions {
                    prop_assert!([p.kib, p.ru_per_second, p.throughput_fraction].into_iter().flatten().all(|n| n.is_finite() && n >= 0.0));
                    prop_assert!(p.listed.iter().all(|(_, kib)| kib.is_finite() && *kib >= 0.0));
                }
            }
        }
    }
}

#[test]
fn a_fault_at_the_end_takes_everything_back() {
    let builder = CaptureBuilder::new(1);
    let text = sample("metrics/container-usage.json") + "Done.";
    let mut bytes = text.as_bytes();
    let fault = read_document(&mut bytes, "x", 0, &builder, &mut SeenDocument::default(), &|| true);
    let fault = fault.unwrap_err().to_string();
    let start = "not valid JSON: an unexpected \"D\" at line ";
    assert!(fault.starts_with(start), "{fault}");
    assert!(builder.finish().load.metrics.is_empty());
}
