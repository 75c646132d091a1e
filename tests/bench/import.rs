//! The hot parts of an import: parsing, the table of keys, canonical keys and hashing.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench writes its own files and may panic"
)]

mod inputs;

use std::hint::black_box;
use std::io::Write as _;

use cosmoscope::model::epk::epk;
use cosmoscope::model::key::{Key, KeyDefinition, KeyKind, KeyVersion, canonicalise};
use cosmoscope::model::visible::visible;
use cosmoscope::source::watch::Watch;
use cosmoscope::source::{import, input};
use inputs::{csv, json_lines, key};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const ROWS: u64 = 100_000;
const KEYS: u64 = 10_000;

fn imports(c: &mut Criterion) {
    let mut group = c.benchmark_group("import");
    group.sample_size(10);
    for (name, bytes) in [("csv", csv(ROWS, KEYS)), ("json-lines", json_lines(ROWS, KEYS))] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let inputs = input::find(&[file.path().to_owned()], &|| true).unwrap();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |b| {
            b.iter_batched(
                Watch::default,
                |watch| {
                    import::import(&inputs, &import::ImportOptions::default(), &watch, &mut |_| {
                        Ok(())
                    })
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
                black_box(canonicalise(cell.as_bytes(), &mut out));
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
        ("epk multihash", definition(KeyKind::MultiHash, KeyVersion::V2)),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| parsed.iter().filter_map(|k| epk(k.parts(), &definition)).count());
        });
    }
    group.bench_function("visible", |b| {
        b.iter(|| cells.iter().map(|c| visible(black_box(c)).len()).sum::<usize>());
    });
}

criterion_group!(benches, imports, keys);
criterion_main!(benches);
