//! Small heads of files, what they are taken for, and what is said of those that are none.
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::disallowed_methods, reason = "samples are small files")]

use std::io::Write as _;

use super::super::decode::Content;
use super::super::format::delimited::{self, DelimitedTable};
use super::super::numbers::NumberForm;
use super::super::records::EmptyCell;
use super::*;
use crate::source::columns::Field;
use crate::source::delimited::Quotes;
use crate::source::dialect::Zone;
use crate::source::input::Version;

fn sniffed(bytes: &[u8]) -> Result<Sniff, Refusal> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    sniff(&OpenInput {
        content: Content::File(Arc::new(file)),
        bytes: bytes.len() as u64,
        written: None,
        version: Version::default(),
    })
}

fn table(text: &str) -> Result<DelimitedTable, Refusal> {
    delimited::plan(&sniffed(text.as_bytes())?, None)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn the_first_bytes_tell_the_shape() {
    let record = r#"{"time":"2026-06-22T02:10:41Z","category":"PartitionKeyStatistics"}"#;
    let one_a_line = format!("{record}\n{record}\n");
    let pretty = "{\n  \"records\": [\n    {}\n  ]\n}\n";
    for (text, shape) in [
        ("PartitionKey,SizeKb\n", FileShape::Delimited),
        ("\"PartitionKey\",\"SizeKb\"\n", FileShape::Delimited),
        ("anything", FileShape::Delimited),
        (record, FileShape::JsonLines),
        (&one_a_line, FileShape::JsonLines),
        (&format!("\n\n  {record}\n"), FileShape::JsonLines),
        (&format!("{{\"records\":[{record}]}}\n"), FileShape::JsonLines),
        (&format!("[{record}]"), FileShape::JsonDocument),
        (&format!("[\n{record},\n{record}\n]"), FileShape::JsonDocument),
        (pretty, FileShape::JsonDocument),
        ("{", FileShape::JsonDocument),
        (r#"{"tables":[{"name":"PrimaryResult"}]}"#, FileShape::JsonDocument),
        (r#"{"value":[{"name":{"value":"PhysicalPartitionSizeInfo"}}]}"#, FileShape::JsonDocument),
        (r#"{"PartitionKeyRanges":[],"_rid":"r"}"#, FileShape::JsonDocument),
        (r#"{"id":"orders","_rid":"r","statistics":[]}"#, FileShape::JsonDocument),
    ] {
        for (mark, what) in [("", "bare"), ("\u{feff}", "marked")] {
            let found = sniffed(format!("{mark}{text}").as_bytes()).unwrap();
            assert_eq!(found.shape, shape, "{what}: {text}");
            assert!(found.complete && found.encoding == Encoding::Utf8);
            assert_eq!(found.head, text.as_bytes(), "{what}: a mark is no text");
        }
        let found = sniffed(&gzip(text.as_bytes())).unwrap();
        assert_eq!((found.shape, found.decoding.packing), (shape, Packing::Gzip), "{text}");
    }
    assert_eq!(sniffed(b"PAR1....").unwrap().shape, FileShape::Parquet);
}

#[test]
fn other_encodings_are_read_as_the_same_text() {
    let text = "PartitionKey,SizeKb\n[1],5\n";
    for (bytes, kind) in [
        (utf16(text, u16::to_le_bytes), TextForm::Utf16Le),
        (utf16(text, u16::to_be_bytes), TextForm::Utf16Be),
        (utf16(&format!("\u{feff}{text}"), u16::to_le_bytes), TextForm::Utf16Le),
        (utf16(&format!("\u{feff}{text}"), u16::to_be_bytes), TextForm::Utf16Be),
        (format!("\u{feff}\u{feff}{text}").into_bytes(), TextForm::Utf8),
    ] {
        let found = sniffed(&bytes).unwrap();
        assert_eq!((found.decoding.text, found.shape), (kind, FileShape::Delimited));
        assert_eq!(found.head, text.as_bytes());
    }
    let western = |text: &[u8]| sniffed(text).unwrap().encoding;
    assert_eq!(western(b"PartitionKey,SizeKb\ncaf\xe9,5\n"), Encoding::Windows1252);
    assert_eq!(western("PartitionKey,SizeKb\ncafé,5\n".as_bytes()), Encoding::Utf8);
    // One damaged line in a file that elsewhere is UTF-8 is damage.
    assert_eq!(western("é\ncaf".as_bytes()), Encoding::Utf8);
    assert_eq!(western(b"PartitionKey,SizeKb\n\xc3\xa9,5\ncaf\xe9,5\n"), Encoding::Utf8);
    let returns = sniffed(b"PartitionKey,SizeKb\r[1],5\r[2],6\r").unwrap();
    assert_eq!(returns.decoding.line_ends, LineEnds::Returns);
    assert_eq!(returns.head, b"PartitionKey,SizeKb\n[1],5\n[2],6\n");
    // A return inside quotes is part of a key.
    let quoted = sniffed(b"PartitionKey,SizeKb\r\n\"a\rb\",5\r\n").unwrap();
    assert_eq!(quoted.decoding.line_ends, LineEnds::Feeds);
}

#[test]
fn what_is_no_export_is_refused_with_its_name() {
    let twice = gzip(&gzip(b"PartitionKey,SizeKb\n"));
    let nothing = gzip(b"");
    let binary: Vec<u8> = (0..600_u32).map(|i| (i % 32).to_le_bytes()[0]).collect();
    for (bytes, what) in [
        (&b""[..], "the file is empty"),
        (b" \r\n\t\n", "the file holds nothing but blanks"),
        (b"\xef\xbb\xbf", "the file holds nothing but blanks"),
        (b"PK\x03\x04rest", "this is a ZIP archive or an Excel workbook"),
        (b"\x89PNG\r\n", "this is an image"),
        (b"\xff\xd8\xff\xe0", "this is an image"),
        (b"%PDF-1.7", "this is a PDF"),
        (b"\xd0\xcf\x11\xe0", "this is an old Excel workbook"),
        (b"\x28\xb5\x2f\xfd", "this is packed with zstd"),
        (b"BZh9", "this is packed with bzip2"),
        (&twice, "this is packed twice with gzip"),
        (&nothing, "the packed file holds nothing"),
        (b"\x1f\x8b\x08", "the packed file is damaged at its start"),
        (&binary, "this is not text: not a known format"),
        (
            b"\n<html>",
            "this is a web page or XML, perhaps a sign-in page saved instead of the export",
        ),
    ] {
        let refusal = sniffed(bytes).unwrap_err();
        assert_eq!(refusal.what, what);
        assert!(refusal.next.is_some(), "{what}: says what to do");
    }
}

#[test]
fn a_table_is_found_under_what_stands_before_it() {
    let columns = [Some(Field::Key), Some(Field::Size)];
    for (before, delimiter) in [
        ("", ','),
        ("\n\r\n\n", ','),
        ("sep=,\r\n", ','),
        ("sep=;\n", ';'),
        ("sep=\t\r\n", '\t'),
        ("#TYPE System.Object\r\n", '|'),
        ("\n#TYPE a\nsep=|\n\n", '|'),
    ] {
        let header = format!("PartitionKey{delimiter}\"SizeKb\"{delimiter}Note\r\n");
        let head = format!("{before}{header}");
        let text = format!("{head}[1]{delimiter}5{delimiter}\r\n");
        let found = table(&text).unwrap();
        assert_eq!(char::from(found.layout.delimiter), delimiter, "{text:?}");
        // Columns behind the last one that matters are only counted.
        assert_eq!((&found.layout.columns[..], found.layout.width), (&columns[..], 3));
        assert_eq!(found.skip_bytes, head.len(), "{text:?}");
        assert_eq!(found.first_line, head.matches('\n').count() as u64 + 1, "{text:?}");
        let form = if delimiter == ';' { NumberForm::Comma } else { NumberForm::Point };
        assert_eq!((found.default_form, found.empty), (form, EmptyCell::Blank));
    }
}

#[test]
fn headers_tell_what_a_table_is_good_for() {
    for good in [
        "PartitionKey,SizeKb",
        "partitionKey_s,sizeKb_d,TimeGenerated [UTC]",
        "PartitionKey,AdditionalFields",
        "PartitionKey,RequestCharge",
        "PartitionKeyRangeId,RequestCharge",
        "StatusCode,PartitionId",
        "Note,\"a\nb\",SizeKb,PartitionKey",
    ] {
        assert!(table(&format!("{good}\n")).is_ok(), "{good}");
    }
    let columns = |names: &str| {
        format!(
            "no partition statistics in this file: columns found are {names}; needed are `PartitionKey` and `SizeKb`"
        )
    };
    let many: Vec<String> = (0..14).map(|n| format!("c{n}")).collect();
    let listed: Vec<String> = many[..12].iter().map(|n| format!("`{n}`")).collect();
    let alone = "not a known format: this is text without columns".to_owned();
    for (bad, what) in [
        ("Dear all\nhow are you\n", alone.clone()),
        ("sep=;\nPartitionKey,SizeKb\n", alone),
        ("PartitionKey,Size\n", columns("`PartitionKey`, `Size`")),
        ("SizeKb,Time\n1,2\n", columns("`SizeKb`, `Time`")),
        ("a\u{1b}[31m,b\n", columns("`a\u{241b}[31m`, `b`")),
        (&format!("{}\n", many.join(",")), columns(&format!("{}, …", listed.join(", ")))),
    ] {
        assert_eq!(table(bad).unwrap_err().what, what);
    }
    let endless = "x".repeat(HEAD_BYTES + 10);
    let refusal = table(&endless).unwrap_err();
    assert_eq!(refusal.what, "this is one endless line without columns: not a known format");
}

#[test]
fn a_time_column_tells_its_zone() {
    let zone = |name: &str| table(&format!("{name},PartitionKey,SizeKb\n")).unwrap().zone;
    assert_eq!(zone("TimeGenerated"), Zone::Utc);
    assert_eq!(zone("TimeGenerated [UTC]"), Zone::Utc);
    assert_eq!(zone("TimeGenerated [Local Time]"), Zone::Guess);
    assert_eq!(zone("Note"), Zone::Utc);
}

#[test]
fn a_table_without_header_is_told_by_its_cells() {
    let text = "acct\torders\tshop\t[\"a\"]\tWest Europe\t5\t2026-06-22T02:10:41Z\tCDBPartitionKeyStatistics\n\
        None\torders\tshop\tNone\tWest Europe\t7.5\tNone\tCDBPartitionKeyStatistics\n";
    let found = table(text).unwrap();
    let want = [
        Field::Account,
        Field::Container,
        Field::Database,
        Field::Key,
        Field::Region,
        Field::Size,
        Field::Time,
        Field::Table,
    ];
    assert_eq!(found.layout.columns, want.map(Some));
    assert_eq!(found.layout.quotes, Quotes::Literal);
    assert_eq!((found.skip_bytes, found.first_line), (0, 1));
    assert_eq!(found.empty, EmptyCell::NoneWord);
    for none in ["[1]\t5\n", "a\tb\tc\n", "a\t[1]\tx\n"] {
        assert!(table(none).is_err(), "{none:?}");
    }
}
