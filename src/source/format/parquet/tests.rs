//! Sound, odd, damaged and hostile Parquet files.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes files and may panic"
)]

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::error::Error;
use crate::model::capture::Capture;
use crate::model::time::Stamp;
use crate::source::import::{Options, import};
use crate::source::input::find;
use crate::source::watch::Watch;

const SAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/data/samples/stats/log-analytics/export-job.parquet"
);

fn open(path: &Path) -> Result<Capture, Error> {
    let inputs = find(&[path.to_owned()], &|| true)?;
    import(&inputs, &Options::default(), &Watch::default(), &mut |_| {
        Ok(())
    })
}

fn open_bytes(bytes: &[u8]) -> Result<Capture, Error> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    open(file.path())
}

fn refused(bytes: &[u8]) -> String {
    open_bytes(bytes)
        .map(|c| c.sources)
        .unwrap_err()
        .to_string()
}

/// A file of one row group that `fill` writes the columns of.
fn written(
    schema: &str,
    change: impl FnOnce(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
    fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(change(WriterProperties::builder()).build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    fill(&mut group);
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
    levels: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    column
        .typed::<T>()
        .write_batch(values, levels, None)
        .unwrap();
    column.close().unwrap();
}

fn texts(of: &[&str]) -> Vec<ByteArray> {
    of.iter().map(|t| ByteArray::from(*t)).collect()
}

/// `key = size @ time`, in the order of keys.
fn keys(capture: &Capture) -> Vec<String> {
    let mut out: Vec<String> = capture
        .sizes
        .iter()
        .flat_map(|(_, key)| {
            key.series()
                .map(move |s| (key.canonical(), s.samples.to_vec()))
        })
        .flat_map(|(key, samples)| samples.into_iter().map(move |s| (key, s)))
        .map(|(key, s)| {
            let at = s.when.at().map_or("never".to_owned(), Stamp::rfc3339);
            format!("{key} = {} @ {at}", s.kib)
        })
        .collect();
    out.sort();
    out
}

#[test]
fn the_sample_holds_the_standard_set() {
    let capture = open(Path::new(SAMPLE)).unwrap();
    let source = &capture.sources[0];
    assert_eq!((source.rows, source.skipped), (45, 0));
    assert_eq!(source.shape, "Parquet of key sizes");
    assert_eq!(capture.sizes.len(), 27);
}

const ISO: &str = "2026-06-22T02:10:41.418Z";

#[test]
fn times_of_every_type_are_moments() {
    let millis = 1_782_094_241_418_i64;
    let times: [(&str, i64); 4] = [
        ("INT64 TimeGenerated (TIMESTAMP(MILLIS,true))", millis),
        (
            "INT64 TimeGenerated (TIMESTAMP(MICROS,false))",
            millis * 1_000,
        ),
        (
            "INT64 TimeGenerated (TIMESTAMP(NANOS,true))",
            millis * 1_000_000,
        ),
        ("INT64 TimeGenerated (TIMESTAMP_MILLIS)", millis),
    ];
    let table = |time: &str| {
        format!(
            "message t {{ required {time}; required BINARY PartitionKey (UTF8); required INT64 SizeKb; }}"
        )
    };
    let rest = |group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>| {
        column::<ByteArrayType>(group, &texts(&["[\"a\"]"]), None);
        column::<Int64Type>(group, &[7], None);
    };
    for (time, value) in times {
        let bytes = written(
            &table(time),
            |p| p,
            |group| {
                column::<Int64Type>(group, &[value], None);
                rest(group);
            },
        );
        let capture = open_bytes(&bytes).unwrap();
        assert_eq!(keys(&capture), [format!("[\"a\"] = 7 @ {ISO}")], "{time}");
    }
    let date = written(
        &table("INT32 TimeGenerated (DATE)"),
        |p| p,
        |group| {
            column::<Int32Type>(group, &[20_626], None);
            rest(group);
        },
    );
    assert_eq!(
        keys(&open_bytes(&date).unwrap()),
        ["[\"a\"] = 7 @ 2026-06-22T00:00:00Z"]
    );
    let old = written(
        &table("INT96 TimeGenerated"),
        |p| p,
        |group| {
            let nanos = (millis % 86_400_000) * 1_000_000;
            let mut value = Int96::new();
            let halves = [nanos & 0xffff_ffff, nanos >> 32].map(|n| u32::try_from(n).unwrap());
            value.set_data(halves[0], halves[1], 2_440_588 + 20_626);
            column::<Int96Type>(group, &[value], None);
            rest(group);
        },
    );
    assert_eq!(
        keys(&open_bytes(&old).unwrap()),
        [format!("[\"a\"] = 7 @ {ISO}")]
    );
}

#[test]
fn a_time_outside_the_calendar_is_no_time() {
    let schema = "message t { required INT64 TimeGenerated (TIMESTAMP(MILLIS,true));
        required BINARY PartitionKey (UTF8); required INT64 SizeKb; }";
    let bytes = written(
        schema,
        |p| p,
        |group| {
            column::<Int64Type>(group, &[i64::MAX], None);
            column::<ByteArrayType>(group, &texts(&["[\"a\"]"]), None);
            column::<Int64Type>(group, &[7], None);
        },
    );
    assert_eq!(keys(&open_bytes(&bytes).unwrap()), ["[\"a\"] = 7 @ never"]);
}

#[test]
fn sizes_of_every_type_are_numbers() {
    fn with<T: DataType>(size: &str, value: T::T) -> Vec<String> {
        let schema = format!("message t {{ required BINARY PartitionKey; required {size}; }}");
        let bytes = written(
            &schema,
            |p| p,
            |group| {
                column::<ByteArrayType>(group, &texts(&["[\"a\"]"]), None);
                column::<T>(group, &[value], None);
            },
        );
        keys(&open_bytes(&bytes).unwrap())
    }
    let is = |text: &str| vec![format!("[\"a\"] = {text} @ never")];
    assert_eq!(
        with::<Int32Type>("INT32 SizeKb", 22_650_880),
        is("22650880")
    );
    assert_eq!(
        with::<Int32Type>("INT32 SizeKb (UINT_32)", -1),
        is("4294967295")
    );
    assert_eq!(
        with::<Int32Type>("INT32 SizeKb (DECIMAL(9,2))", 1_250),
        is("12.5")
    );
    assert_eq!(
        with::<Int64Type>("INT64 sizeKb_d", 18_874_368),
        is("18874368")
    );
    assert_eq!(with::<FloatType>("FLOAT SizeKb", 0.5), is("0.5"));
    assert_eq!(
        with::<DoubleType>("DOUBLE SizeKb", 22_650.125),
        is("22650.125")
    );
    assert_eq!(
        with::<ByteArrayType>("BINARY SizeKb (UTF8)", "12".into()),
        is("12")
    );
    let wide = ByteArray::from(vec![1, 0]);
    assert_eq!(
        with::<ByteArrayType>("BINARY SizeKb (DECIMAL(20,1))", wide.clone()),
        is("25.6")
    );
    let fixed = "FIXED_LEN_BYTE_ARRAY(2) SizeKb (DECIMAL(4,0))";
    assert_eq!(with::<FixedLenByteArrayType>(fixed, wide.into()), is("256"));
}

#[test]
fn nulls_are_empty_and_bad_rows_are_named() {
    let schema = "message t { optional BINARY PartitionKey (UTF8); optional DOUBLE SizeKb;
        optional BOOLEAN Other; optional group Nested { optional BINARY RegionName (UTF8); } }";
    let bytes = written(
        schema,
        |p| p,
        |group| {
            let mut cells = texts(&["[\"a\"]", "[\"c\"]", "[\"d\"]"]);
            cells.push(ByteArray::from(vec![0xff]));
            column::<ByteArrayType>(group, &cells, Some(&[1, 0, 1, 1, 1]));
            column::<DoubleType>(group, &[1.0, 2.0, -3.0, 4.0], Some(&[1, 1, 0, 1, 1]));
            column::<BoolType>(group, &[], Some(&[0; 5]));
            column::<ByteArrayType>(group, &texts(&["x"]), Some(&[2, 1, 1, 0, 0]));
        },
    );
    let capture = open_bytes(&bytes).unwrap();
    // The second row has no key, which is a key too: none was reported.
    assert_eq!(keys(&capture), [" = 2 @ never", "[\"a\"] = 1 @ never"]);
    let lines: Vec<u64> = capture.sources[0]
        .row_errors
        .iter()
        .map(|e| e.line)
        .collect();
    assert_eq!(lines, [3, 4, 5]);
    assert_eq!(capture.regions.len(), 1);
}

#[test]
fn every_packing_and_encoding_that_is_read_gives_the_same() {
    let schema = "message t { required BINARY PartitionKey (UTF8); required INT32 SizeKb; }";
    let names: Vec<String> = (0..10_000).map(|i| format!("[\"key {i}\"]")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sizes: Vec<i32> = (0..10_000).collect();
    let file = |change: &dyn Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder| {
        written(schema, change, |group| {
            column::<ByteArrayType>(group, &texts(&names), None);
            column::<Int32Type>(group, &sizes, None);
        })
    };
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
    ] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let bytes = file(&|p| {
                p.set_compression(compression)
                    .set_writer_version(version)
                    .set_encoding(Encoding::PLAIN)
            });
            let capture = open_bytes(&bytes).unwrap();
            assert_eq!(capture.sizes.len(), 10_000, "{compression:?} {version:?}");
        }
    }
    let plain = |p: WriterPropertiesBuilder| p.set_dictionary_enabled(false);
    let delta = |encoding| move |p| plain(p).set_column_encoding("PartitionKey".into(), encoding);
    let capture = open_bytes(&file(&delta(Encoding::DELTA_LENGTH_BYTE_ARRAY))).unwrap();
    assert_eq!(capture.sizes.len(), 10_000);
    let why = refused(&file(&delta(Encoding::DELTA_BYTE_ARRAY)));
    assert!(why.contains("DELTA_BYTE_ARRAY"), "{why}");
}

#[test]
fn a_table_of_something_else_is_refused_with_its_columns() {
    let bytes = written(
        "message t { required INT32 Caller; required INT32 Level; }",
        |p| p,
        |group| {
            column::<Int32Type>(group, &[1], None);
            column::<Int32Type>(group, &[1], None);
        },
    );
    let why = refused(&bytes);
    assert!(
        why.contains("columns found are `Caller`, `Level`; needed are `PartitionKey`"),
        "{why}"
    );
}

#[test]
fn a_cut_file_is_refused_wherever_it_is_cut() {
    let bytes = std::fs::read(SAMPLE).unwrap();
    for length in (8..bytes.len()).step_by(61) {
        let why = refused(&bytes[..length]);
        assert!(why.contains("damaged or cut short"), "{length}: {why}");
    }
}

/// How many of so many damaged copies are read all the same; every one must get an answer.
fn read_though_damaged(sound: &[u8], copies: usize) -> usize {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).unwrap()
    };
    let damaged = (0..copies).filter(|_| {
        let mut bytes = sound.to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            bytes[at] ^= u8::try_from(random(255) + 1).unwrap();
        }
        match open_bytes(&bytes) {
            Ok(capture) => {
                assert!(capture.sources[0].rows <= 45);
                true
            }
            Err(Error::Refused { .. }) => false,
            Err(other) => unreachable!("{other}"),
        }
    });
    damaged.count()
}

#[test]
fn damaged_files_are_answered_not_followed() {
    let sample = std::fs::read(SAMPLE).unwrap();
    let read = read_though_damaged(&sample, 1_000);
    assert!((50..950).contains(&read), "{read} of 1000");

    let schema = "message t { optional BINARY PartitionKey (UTF8); required INT64 SizeKb; }";
    let names: Vec<String> = (0..40).map(|i| format!("[\"key {i}\"]")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sizes: Vec<i64> = (0..40).map(|i| i * i).collect();
    for (compression, encoding) in [
        (Compression::UNCOMPRESSED, Encoding::DELTA_LENGTH_BYTE_ARRAY),
        (Compression::GZIP(GzipLevel::default()), Encoding::PLAIN),
        (Compression::ZSTD(ZstdLevel::default()), Encoding::PLAIN),
        (Compression::LZ4, Encoding::DELTA_LENGTH_BYTE_ARRAY),
    ] {
        let change = |p: WriterPropertiesBuilder| {
            p.set_compression(compression)
                .set_writer_version(WriterVersion::PARQUET_2_0)
                .set_dictionary_enabled(false)
                .set_column_encoding("PartitionKey".into(), encoding)
        };
        let sound = written(schema, change, |group| {
            column::<ByteArrayType>(group, &texts(&names), Some(&[1; 40]));
            column::<Int64Type>(group, &sizes, None);
        });
        let read = read_though_damaged(&sound, 250);
        assert!(read < 250, "{compression:?}: nothing was damaged");
    }
}

/// A schema as a chain of groups, each with one child, or with a count that no file could hold.
#[test]
fn descriptions_that_would_exhaust_memory_or_stack_are_refused() {
    let element = |children: u8| [0x48, 1, b'g', 0x15, children * 2, 0].to_vec();
    let framed = |metadata: &[u8]| {
        let length = u32::try_from(metadata.len()).unwrap().to_le_bytes();
        [b"PAR1", metadata, &length, b"PAR1"].concat()
    };
    let head = |count: &[u8]| [&[0x15, 2, 0x19, 0xfc], count].concat();
    let mut deep = head(&[0xd0, 0x0f]);
    for _ in 0..2_000 {
        deep.extend(element(1));
    }
    let mut many = head(&[1]);
    many.extend(element(0));
    // Two thousand million row groups.
    many.extend([0x16, 0, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7, 0, 0]);
    for metadata in [deep, many, head(&[0xff, 0xff, 0xff, 0xff, 7])] {
        let why = refused(&framed(&metadata));
        assert!(why.contains("its description of itself is broken"), "{why}");
    }
}

#[test]
fn damage_at_the_end_leaves_no_rows_of_the_beginning() {
    let schema = "message t { required BINARY PartitionKey (UTF8); required INT32 SizeKb; }";
    let names: Vec<String> = (0..20_000).map(|i| format!("[\"key {i}\"]")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sizes: Vec<i32> = (0..20_000).collect();
    let plain = |p: WriterPropertiesBuilder| p.set_dictionary_enabled(false);
    let mut bytes = written(schema, plain, |group| {
        column::<ByteArrayType>(group, &texts(&names), None);
        column::<Int32Type>(group, &sizes, None);
    });
    // The highest byte of the length before the last key.
    let last = memchr::memmem::find(&bytes, br#"["key 19999"]"#).unwrap();
    bytes[last - 1] = 0x7f;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.parquet"), &bytes).unwrap();
    std::fs::copy(SAMPLE, folder.path().join("b.parquet")).unwrap();
    let capture = open(folder.path()).unwrap();
    assert!(capture.sources[0].refused.is_some());
    assert_eq!((capture.sizes.len(), capture.sources[1].rows), (27, 45));
}

#[test]
fn two_different_sizes_of_a_row_cost_the_row() {
    let bytes = written(
        "message t { required binary PartitionKey (UTF8); required INT64 SizeKb; required INT64 sizeKb_d; }",
        |p| p,
        |group| {
            column::<ByteArrayType>(group, &texts(&["[\"a\"]", "[\"b\"]"]), None);
            column::<Int64Type>(group, &[1, 2], None);
            column::<Int64Type>(group, &[1, 3], None);
        },
    );
    let capture = open_bytes(&bytes).unwrap();
    assert_eq!(keys(&capture), ["[\"a\"] = 1 @ never"]);
    let [error] = &capture.sources[0].row_errors[..] else {
        unreachable!()
    };
    assert_eq!(error.line, 2);
    assert_eq!(error.detail, "two sizes in one record, `2` and `3`");
}
