//! The hot parts of an import: parsing, the table of keys, canonical keys and hashing.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench writes its own files and may panic"
)]

use std::hint::black_box;
use std::io::Write as _;

use cosmoscope::model::epk::epk;
use cosmoscope::model::key::{Key, KeyDefinition, KeyKind, KeyVersion, canonicalise};
use cosmoscope::model::visible::visible;
use cosmoscope::source::watch::Watch;
use cosmoscope::source::{import, input};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const ROWS: u64 = 100_000;
const KEYS: u64 = 10_000;

fn key(n: u64) -> String {
    match n % 4 {
        0 => format!("[{n}]"),
        1 => format!("[\"tenant-{}\",\"user-{n:06}\"]", n % 97),
        _ => format!("[\"PLANT-{}-{n}\"]", n % 31),
    }
}

fn csv() -> Vec<u8> {
    let mut out =
        b"TimeGenerated,AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName\n"
            .to_vec();
    for row in 0..ROWS {
        let cell = key(row.wrapping_mul(2_654_435_761) % KEYS).replace('"', "\"\"");
        let (day, second, size) = (1 + row % 28, row % 60, 1_000_000 + row);
        writeln!(out, "2026-06-{day:02}T02:10:{second:02}.0000000Z,bench,shop,orders,\"{cell}\",{size},West Europe").unwrap();
    }
    out
}

fn json_lines() -> Vec<u8> {
    let mut out = Vec::new();
    for row in 0..ROWS {
        let cell = key(row.wrapping_mul(2_654_435_761) % KEYS).replace('"', "\\\"");
        let (day, second, size) = (1 + row % 28, row % 60, 1_000_000 + row);
        writeln!(
            out,
            "{{\"time\":\"2026-06-{day:02}T02:10:{second:02}.0000000Z\",\"resourceId\":\"/SUBSCRIPTIONS/S/DATABASEACCOUNTS/BENCH\",\
             \"category\":\"PartitionKeyStatistics\",\"properties\":{{\"regionName\":\"West Europe\",\"databaseName\":\"shop\",\
             \"collectionName\":\"orders\",\"partitionKey\":\"{cell}\",\"sizeKb\":{size}}}}}"
        )
        .unwrap();
    }
    out
}

fn imports(c: &mut Criterion) {
    let mut group = c.benchmark_group("import");
    group.sample_size(10);
    for (name, bytes) in [("csv", csv()), ("json-lines", json_lines())] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let inputs = input::find(&[file.path().to_owned()], &|| true).unwrap();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |b| {
            b.iter_batched(
                Watch::default,
                |watch| {
                    import::import(
                        &inputs,
                        &import::ImportOptions::default(),
                        &watch,
                        &mut |_| Ok(()),
                    )
                    .unwrap()
                },
                BatchSize::LargeInput,
            );
        });
    }
}

fn keys(c: &mut Criterion) {
    let cells: Vec<String> = (0..1000).map(key).collect();
    let mut group = c.benchmark_group("keys");
    group.throughput(Throughput::Elements(cells.len() as u64));
    let mut out = Vec::new();
    group.bench_function("canonicalise", |b| {
        b.iter(|| {
            out.clear();
            for cell in &cells {
                black_box(canonicalise(cell, &mut out));
            }
        });
    });
    let definition = |kind, version| KeyDefinition {
        paths: vec!["/a".to_owned(), "/b".to_owned()],
        kind,
        version,
    };
    let parsed: Vec<Key> = cells.iter().filter_map(|c| Key::from_cell(c)).collect();
    for (name, definition) in [
        ("epk v1", definition(KeyKind::Hash, KeyVersion::V1)),
        ("epk v2", definition(KeyKind::Hash, KeyVersion::V2)),
        (
            "epk multihash",
            definition(KeyKind::MultiHash, KeyVersion::V2),
        ),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                parsed
                    .iter()
                    .filter_map(|k| epk(k.parts(), &definition))
                    .count()
            });
        });
    }
    group.bench_function("visible", |b| {
        b.iter(|| {
            cells
                .iter()
                .map(|c| visible(black_box(c)).len())
                .sum::<usize>()
        });
    });
}

criterion_group!(benches, imports, keys);
criterion_main!(benches);
