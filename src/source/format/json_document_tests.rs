//! Sample documents of every kind, and documents that are none.
#![expect(clippy::disallowed_methods, reason = "samples are small")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "the figures are exact")]

mod doubled;
mod handed_on;
mod measures;

use proptest::prelude::*;

use crate::model::capture::{Capture, CaptureBuilder, RowFault};
use crate::model::key::{KeyKind, KeyVersion};
use crate::model::physical::Throughput;
use crate::source::json::fault::Ending;

use super::json_document::{LogRecords, read_document};
use crate::source::import::Outcome;

#[derive(Default)]
struct Seen {
    records: Vec<(String, u64)>,
    columns: Vec<String>,
    rows: Vec<(String, u64)>,
    bad: Vec<(u64, RowFault, String)>,
}

impl LogRecords for Seen {
    fn record(&mut self, raw: &[u8], line: u64) {
        self.records
            .push((String::from_utf8(raw.to_vec()).unwrap(), line));
    }

    fn table(&mut self, columns: &[String]) {
        self.columns = columns.to_vec();
    }

    fn table_row(&mut self, raw: &[u8], line: u64) {
        self.rows
            .push((String::from_utf8(raw.to_vec()).unwrap(), line));
    }

    fn bad(&mut self, line: u64, fault: RowFault, detail: String) {
        self.bad.push((line, fault, detail));
    }
}

struct Read {
    outcome: Outcome,
    seen: Seen,
    capture: Capture,
}

fn read(files: &[(&str, &str)]) -> Result<Read, Ending> {
    let builder = CaptureBuilder::new(1);
    let (mut seen, mut outcome) = (Seen::default(), Outcome::default());
    for (name, text) in files {
        outcome = read_document(&mut text.as_bytes(), name, 0, &builder, &mut seen, &|| true)
            .map_err(|f| f.why)?;
    }
    builder.settle(None);
    Ok(Read {
        outcome,
        seen,
        capture: builder.finish(),
    })
}

fn sample(path: &str) -> String {
    std::fs::read_to_string(format!(
        "{}/tests/it/data/samples/{path}",
        env!("CARGO_MANIFEST_DIR")
    ))
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
fn what_the_headers_of_a_container_read_said_comes_with_it() {
    let told = |header: &str| {
        let text = sample("stats/container-read/shop.orders.data-plane.json");
        let end = text.rfind('}').unwrap();
        let header = serde_json::to_string(header).unwrap();
        let with = format!(
            r#"{},"_cosmoscope":{{"resourceUsage":{header}}}}}"#,
            &text[..end]
        );
        let read = of(&with);
        assert_eq!(read.outcome.other_rows, 10);
        assert_eq!(read.capture.containers[0].partitions.len(), 4);
        read.capture.containers[0].usage
    };
    let usage = told("documentSize=0;documentsSize=9;documentsCount=7;collectionSize=12;").unwrap();
    assert_eq!((usage.documents, usage.kib), (Some(7), Some(12.0)));
    assert_eq!(told("\u{1b}[2J"), None);
    let plain = of_sample("stats/container-read/shop.orders.data-plane.json");
    assert_eq!(plain.capture.containers[0].usage, None);
}

#[test]
fn container_reads_of_both_kinds_tell_the_same() {
    for (container, listed, multi) in [
        ("shop.orders", None, false),
        ("shop.carts", Some(10), false),
        ("telemetry.readings", None, true),
    ] {
        let cli = of_sample(&format!(
            "stats/container-read/{container}.az-container-show.json"
        ));
        let plain = of_sample(&format!("stats/container-read/{container}.data-plane.json"));
        assert_eq!(
            (cli.outcome.shape, cli.outcome.tally.skipped),
            ("container read", 0)
        );
        assert_eq!(cli.outcome.other_rows, plain.outcome.other_rows);
        assert_eq!(
            cli.outcome.other_rows,
            listed.unwrap_or(cli.outcome.other_rows)
        );
        let (a, b) = (&cli.capture.containers[0], &plain.capture.containers[0]);
        assert_eq!(
            (&a.partitions, &a.definition),
            (&b.partitions, &b.definition)
        );
        let definition = a.definition.as_ref().unwrap();
        assert_eq!(definition.kind == KeyKind::MultiHash, multi);
        assert_eq!(definition.version, KeyVersion::V2);
        assert_eq!(
            a.name.title(),
            format!("northpier-prod / {}", container.replace('.', " / "))
        );
        assert_eq!(
            (a.name.rid.as_ref(), b.name.account.as_ref()),
            (b.name.rid.as_ref(), None)
        );
    }
    let orders = of_sample("stats/container-read/shop.orders.data-plane.json");
    assert_eq!(orders.outcome.other_rows, 10);
    assert_eq!(orders.capture.containers[0].partitions.len(), 4);
    let carts = of_sample("stats/container-read/shop.carts.data-plane.json");
    let listed = &carts.capture.containers[0].partitions[1].listed;
    assert_eq!(
        *listed,
        [
            ("[{}]".to_owned(), 9_856_614.0),
            ("[9007199254740992]".to_owned(), 1_216_348.0)
        ]
    );
    assert_eq!(
        carts.capture.containers[0].partitions[1].documents,
        Some(5_661_481)
    );
}

#[test]
fn a_key_without_version_is_of_the_first_and_bad_keys_are_counted() {
    let read = of(
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"],\"kind\":\"Hash\"},\"statistics\":[{\"id\":\"0\",\"sizeInKB\":1,\
        \"partitionKeys\":[{\"partitionKey\":[ 42.0 , 9007199254740993],\"sizeInKB\":5},{\"partitionKey\":[1],\"sizeInKB\":-5},\
        {\"partitionKey\":\"x\",\"sizeInKB\":1},7]},{\"sizeInKB\":1}]}",
    );
    assert_eq!(
        (
            read.outcome.other_rows,
            read.outcome.tally.skipped,
            read.outcome.tally.errors.len()
        ),
        (1, 4, 4)
    );
    let container = &read.capture.containers[0];
    assert_eq!(
        container.definition.as_ref().unwrap().version,
        KeyVersion::V1
    );
    assert_eq!(
        container.partitions[0].listed,
        [("[42.0,9007199254740993]".to_owned(), 5.0)]
    );
    let bare = of("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]}}");
    assert_eq!((bare.outcome.other_rows, bare.outcome.notes.len()), (0, 1));
}

#[test]
fn ranges_join_a_container_by_its_resource_id() {
    let name = |end: &str| format!("stats/container-read/shop.orders.{end}.json");
    let (ranges, cli) = (
        sample(&name("pkranges")),
        sample(&name("az-container-show")),
    );
    let read = read(&[("a.json", &cli), ("b.json", &ranges)]).unwrap();
    assert_eq!(
        (read.outcome.shape, read.outcome.other_rows),
        ("partition key ranges", 4)
    );
    let [orders] = read.capture.containers.as_slice() else {
        unreachable!()
    };
    assert_eq!(
        orders
            .partitions
            .iter()
            .map(|p| p.id.as_str())
            .collect::<Vec<_>>(),
        ["0", "1", "3", "4"]
    );
    assert!(
        orders
            .partitions
            .iter()
            .all(|p| p.throughput_fraction == Some(0.25) && p.kib.is_some())
    );
    assert_eq!(orders.partitions[2].parents, ["2"]);
    assert_eq!(orders.partitions[0].min_inclusive.as_deref(), Some(""));
    assert_eq!(orders.partitions[3].max_exclusive.as_deref(), Some("FF"));
}

#[test]
fn storage_and_throughput_of_partitions() {
    let usages = of_sample("arm/partitions-usages.orders.json");
    assert_eq!(
        (usages.outcome.shape, usages.outcome.other_rows),
        ("storage of physical partitions", 4)
    );
    let first = &usages.capture.containers[0].partitions[0];
    assert_eq!(
        (first.kib, first.guid.as_deref()),
        (
            Some(31_185_816_576.0 / 1024.0),
            Some("0000a000-0000-4000-8000-00000000a000")
        )
    );
    let spread = of_sample("arm/retrieve-throughput-distribution.orders.json");
    assert_eq!(
        (spread.outcome.shape, spread.outcome.other_rows),
        ("throughput of physical partitions", 4)
    );
    assert!(
        spread.capture.containers[0]
            .partitions
            .iter()
            .all(|p| p.ru_per_second == Some(6000.0))
    );
}

#[test]
fn what_a_merge_would_give_is_kept_apart() {
    let merge = of_sample("arm/partition-merge-dry-run.carts.json");
    assert_eq!(
        (merge.outcome.shape, merge.outcome.other_rows),
        ("dry run of a merge", 1)
    );
    let carts = &merge.capture.containers[0];
    assert_eq!(
        (
            carts.partitions.len(),
            carts.merge_preview[0].id.as_str(),
            carts.merge_preview[0].kib
        ),
        (0, "4", Some(26_819_627.0))
    );
}

#[test]
fn throughput_is_manual_or_scaled() {
    let manual = of_sample("arm/throughput-settings.orders.json");
    let settings = manual.capture.containers[0].throughput.unwrap();
    assert_eq!(
        (manual.outcome.shape, manual.outcome.other_rows),
        ("throughput settings", 1)
    );
    assert_eq!(
        (settings.throughput, settings.minimum),
        (
            Throughput::Manual {
                ru_per_second: 24_000.0
            },
            Some(400.0)
        )
    );
    assert_eq!(settings.partitions(), Some(4.0));
    assert_eq!(
        manual.capture.containers[0].name.title(),
        "northpier-prod / shop / orders"
    );
    let scaled = of_sample("arm/throughput-settings.readings-autoscale.json")
        .capture
        .containers[0]
        .throughput
        .unwrap();
    assert_eq!(
        scaled.throughput,
        Throughput::Autoscale {
            maximum: 9000.0,
            now: Some(900.0)
        }
    );
    assert_eq!(
        (scaled.minimum, scaled.instant_maximum),
        (Some(1000.0), Some(30_000.0))
    );
}

#[test]
fn usages_of_other_kinds_are_left_out() {
    let read = of(
        "{\"value\":[{\"unit\":\"CountPerSecond\",\"currentValue\":5,\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Max RUs Per Second\"}},\
        {\"unit\":\"Bytes\",\"currentValue\":2048,\"partitionId\":\"AB\",\"partitionKeyRangeId\":\"0\",\"name\":{\"value\":\"Partition Storage\"}}]}",
    );
    assert_eq!(
        (
            read.outcome.other_rows,
            read.outcome.tally.skipped,
            read.outcome.notes.len()
        ),
        (1, 0, 1)
    );
    assert_eq!(read.capture.containers[0].partitions[0].kib, Some(2.0));
}

#[test]
fn of_two_different_values_none_is_taken_in_silence() {
    let text = "{\"id\":\"/x/throughputSettings/default\",\"properties\":{\"resource\":{\"throughput\":400,\"minimumThroughput\":\"400\",\
        \"MinimumThroughput\":\"500\"}}}";
    let read = of(text);
    assert_eq!(read.capture.containers[0].throughput.unwrap().minimum, None);
    assert_eq!(
        read.outcome.notes,
        ["`minimumthroughput` is there twice with different values: none was taken"]
    );
    let read = of(
        "{\"physicalPartitionStorageInfoCollection\":[{\"id\":\"0\",\"storageInKB\":1,\"storageInKB\":2},{\"id\":\"1\",\"storageInKB\":1}]}",
    );
    assert_eq!(
        (read.outcome.other_rows, read.outcome.tally.skipped),
        (1, 1)
    );
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
        match read_document(&mut bytes.as_slice(), "x", 0, &builder, &mut Seen::default(), &|| true) {
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
    let fault = read_document(
        &mut text.as_bytes(),
        "x",
        0,
        &builder,
        &mut Seen::default(),
        &|| true,
    )
    .unwrap_err();
    assert!(
        fault
            .to_string()
            .starts_with("not valid JSON: an unexpected \"D\" at line "),
        "{fault}"
    );
    assert!(builder.finish().load.metrics.is_empty());
}
