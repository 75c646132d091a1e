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
use crate::source::import::{ImportOptions, import};
use crate::source::input::find;
use crate::source::watch::Watch;

const SAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/data/samples/stats/log-analytics/export-job.parquet"
);

fn open(path: &Path) -> Result<Capture, Error> {
    let inputs = find(&[path.to_owned()], &|| true)?;
    import(&inputs, &ImportOptions::default(), &Watch::default(), &mut |_| Ok(()))
}

fn open_bytes(bytes: &[u8]) -> Result<Capture, Error> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    open(file.path())
}

fn refused(bytes: &[u8]) -> String {
    let opened = open_bytes(bytes).map(|c| c.sources);
    opened.unwrap_err().to_string()
}

pub(crate) type Group<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut Vec<u8>>;

/// A file of one row group that `fill` writes the columns of.
pub(crate) fn plain(columns: &str, fill: impl FnOnce(&mut Group<'_, '_>)) -> Vec<u8> {
    written(columns, |p| p, fill)
}

fn written(
    columns: &str,
    change: impl FnOnce(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
    fill: impl FnOnce(&mut Group<'_, '_>),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = format!("message t {{ {columns} }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let properties = Arc::new(change(WriterProperties::builder()).build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    fill(&mut group);
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

pub(crate) fn column<T: DataType>(
    group: &mut Group<'_, '_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    let typed = column.typed::<T>();
    typed.write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

/// A column of keys, each with its number.
fn numbered_keys(count: usize) -> Vec<ByteArray> {
    let key = |i| ByteArray::from(format!("[\"key {i}\"]").as_str());
    (0..count).map(key).collect()
}

pub(crate) fn texts(of: &[&str]) -> Vec<ByteArray> {
    of.iter().map(|t| ByteArray::from(*t)).collect()
}

/// `key = size @ time`, in the order of keys.
fn keys(capture: &Capture) -> Vec<String> {
    let mut out = Vec::new();
    for (_, key) in capture.sizes.iter() {
        for sample in key.series().flat_map(|s| s.samples) {
            let at = sample.when.at();
            let at = at.map_or("never".to_owned(), Stamp::rfc3339);
            out.push(format!("{} = {} @ {at}", key.canonical(), sample.kib));
        }
    }
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

const KEY_AND_SIZE: &str = "required BINARY PartitionKey (UTF8); required INT32 SizeKb;";
const ISO: &str = "2026-06-22T02:10:41.418Z";

#[test]
fn times_of_every_type_are_moments() {
    fn with<T: DataType>(time: &str, value: T::T) -> Vec<String> {
        let rest = "required BINARY PartitionKey (UTF8); required INT64 SizeKb;";
        let bytes = plain(&format!("required {time}; {rest}"), |group| {
            column::<T>(group, &[value], None);
            column::<ByteArrayType>(group, &texts(&["[\"a\"]"]), None);
            column::<Int64Type>(group, &[7], None);
        });
        keys(&open_bytes(&bytes).unwrap())
    }
    let is = |time: &str| vec![format!("[\"a\"] = 7 @ {time}")];
    let millis = 1_782_094_241_418_i64;
    for (kind, value) in [
        ("TIMESTAMP(MILLIS,true)", millis),
        ("TIMESTAMP(MICROS,false)", millis * 1_000),
        ("TIMESTAMP(NANOS,true)", millis * 1_000_000),
        ("TIMESTAMP_MILLIS", millis),
    ] {
        let time = format!("INT64 TimeGenerated ({kind})");
        assert_eq!(with::<Int64Type>(&time, value), is(ISO), "{kind}");
    }
    let date = with::<Int32Type>("INT32 TimeGenerated (DATE)", 20_626);
    assert_eq!(date, is("2026-06-22T00:00:00Z"));
    let nanos = (millis % 86_400_000) * 1_000_000;
    let halves = [nanos & 0xffff_ffff, nanos >> 32].map(|n| u32::try_from(n).unwrap());
    let mut old = Int96::new();
    old.set_data(halves[0], halves[1], 2_440_588 + 20_626);
    assert_eq!(with::<Int96Type>("INT96 TimeGenerated", old), is(ISO));
    // A time outside the calendar is no time.
    let far = with::<Int64Type>("INT64 TimeGenerated (TIMESTAMP(MILLIS,true))", i64::MAX);
    assert_eq!(far, is("never"));
}

#[test]
fn sizes_of_every_type_are_numbers() {
    fn size<T: DataType>(size: &str, value: T::T, shown: &str) {
        let columns = format!("required BINARY PartitionKey; required {size};");
        let bytes = plain(&columns, |group| {
            column::<ByteArrayType>(group, &texts(&["[\"a\"]"]), None);
            column::<T>(group, &[value], None);
        });
        let found = keys(&open_bytes(&bytes).unwrap());
        assert_eq!(found, [format!("[\"a\"] = {shown} @ never")], "{size}");
    }
    size::<Int32Type>("INT32 SizeKb", 22_650_880, "22650880");
    size::<Int32Type>("INT32 SizeKb (UINT_32)", -1, "4294967295");
    size::<Int32Type>("INT32 SizeKb (DECIMAL(9,2))", 1_250, "12.5");
    size::<Int64Type>("INT64 sizeKb_d", 18_874_368, "18874368");
    size::<FloatType>("FLOAT SizeKb", 0.5, "0.5");
    size::<DoubleType>("DOUBLE SizeKb", 22_650.125, "22650.125");
    size::<ByteArrayType>("BINARY SizeKb (UTF8)", "12".into(), "12");
    let wide = ByteArray::from(vec![1, 0]);
    let decimal = "BINARY SizeKb (DECIMAL(20,1))";
    size::<ByteArrayType>(decimal, wide.clone(), "25.6");
    let fixed = "FIXED_LEN_BYTE_ARRAY(2) SizeKb (DECIMAL(4,0))";
    size::<FixedLenByteArrayType>(fixed, wide.into(), "256");
}

#[test]
fn nulls_are_empty_and_bad_rows_are_named() {
    let schema = "optional BINARY PartitionKey (UTF8); optional DOUBLE SizeKb;
        optional BOOLEAN Other; optional group Nested { optional BINARY RegionName (UTF8); }";
    let bytes = plain(schema, |group| {
        let mut cells = texts(&["[\"a\"]", "[\"c\"]", "[\"d\"]"]);
        cells.push(ByteArray::from(vec![0xff]));
        column::<ByteArrayType>(group, &cells, Some(&[1, 0, 1, 1, 1]));
        column::<DoubleType>(group, &[1.0, 2.0, -3.0, 4.0], Some(&[1, 1, 0, 1, 1]));
        column::<BoolType>(group, &[], Some(&[0; 5]));
        column::<ByteArrayType>(group, &texts(&["x"]), Some(&[2, 1, 1, 0, 0]));
    });
    let capture = open_bytes(&bytes).unwrap();
    // The second row has no key, which is a key too: none was reported.
    assert_eq!(keys(&capture), [" = 2 @ never", "[\"a\"] = 1 @ never"]);
    let errors = capture.sources[0].row_errors.iter();
    assert_eq!(errors.map(|e| e.line).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(capture.regions.len(), 1);
}

#[test]
fn every_packing_and_encoding_that_is_read_gives_the_same() {
    let names = numbered_keys(10_000);
    let sizes: Vec<i32> = (0..10_000).collect();
    let file = |change: &dyn Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder| {
        written(KEY_AND_SIZE, change, |group| {
            column::<ByteArrayType>(group, &names, None);
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
    let bare = |p: WriterPropertiesBuilder| p.set_dictionary_enabled(false);
    let delta = |encoding| move |p| bare(p).set_column_encoding("PartitionKey".into(), encoding);
    let capture = open_bytes(&file(&delta(Encoding::DELTA_LENGTH_BYTE_ARRAY))).unwrap();
    assert_eq!(capture.sizes.len(), 10_000);
    let why = refused(&file(&delta(Encoding::DELTA_BYTE_ARRAY)));
    assert!(why.contains("DELTA_BYTE_ARRAY"), "{why}");
}

#[test]
fn a_table_of_something_else_is_refused_with_its_columns() {
    let bytes = plain("required INT32 Caller; required INT32 Level;", |group| {
        column::<Int32Type>(group, &[1], None);
        column::<Int32Type>(group, &[1], None);
    });
    let why = refused(&bytes);
    let columns = "columns found are `Caller`, `Level`; needed are `PartitionKey`";
    assert!(why.contains(columns), "{why}");
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

    let schema = "optional BINARY PartitionKey (UTF8); required INT64 SizeKb;";
    let names = numbered_keys(40);
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
            column::<ByteArrayType>(group, &names, Some(&[1; 40]));
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
    let names = numbered_keys(20_000);
    let sizes: Vec<i32> = (0..20_000).collect();
    let change = |p: WriterPropertiesBuilder| p.set_dictionary_enabled(false);
    let mut bytes = written(KEY_AND_SIZE, change, |group| {
        column::<ByteArrayType>(group, &names, None);
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
    let sizes = "required INT64 SizeKb; required INT64 sizeKb_d;";
    let schema = format!("required binary PartitionKey (UTF8); {sizes}");
    let bytes = plain(&schema, |group| {
        column::<ByteArrayType>(group, &texts(&["[\"a\"]", "[\"b\"]"]), None);
        column::<Int64Type>(group, &[1, 2], None);
        column::<Int64Type>(group, &[1, 3], None);
    });
    let capture = open_bytes(&bytes).unwrap();
    assert_eq!(keys(&capture), ["[\"a\"] = 1 @ never"]);
    let [error] = &capture.sources[0].row_errors[..] else { unreachable!() };
    assert_eq!(error.line, 2);
    assert_eq!(error.detail, "two sizes in one record, `2` and `3`");
}
