//! Documents from a Parquet file.

use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::{Options, every, file, paths, table};

#[test]
fn a_parquet_file_gives_typed_and_nested_documents() {
    let bytes = parquet_file();
    let loaded = file(&bytes).read(&every(2));
    let found = table(&loaded.documents);
    assert_eq!(found["/id"], ["ta", "tb"]);
    assert_eq!(found["/n"], ["n7.0", ""]);
    assert_eq!(found["/at"], ["t2026-01-01T00:00:00Z", ""]);
    assert_eq!(found["/o/f"], ["n1.5", ""]);
    assert!(!found.contains_key("/l/list/element"), "{found:?}");
    // {"id":"a","n":7,"at":"2026-01-01T00:00:00Z","o":{"f":1.5}} but for a comma or two
    assert!((56..62).contains(&loaded.documents.bytes()[0]));
    let notes = &loaded.sources[0].notes;
    assert!(
        notes.iter().any(|n| n.contains("inside lists")),
        "{notes:?}"
    );
    for cut in [10, bytes.len() / 2, bytes.len() - 3] {
        let said = file(&bytes[..cut]).refused();
        assert!(said.contains("Parquet"), "{said}");
    }
}

/// Two rows: one full, one with nothing but its id.
fn parquet_file() -> Vec<u8> {
    let schema = "message m { required binary id (UTF8); optional int64 n; \
        optional int64 at (TIMESTAMP(MILLIS,true)); optional group o { optional double f; } \
        optional group l (LIST) { repeated group list { optional binary element (UTF8); } } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let texts = [ByteArray::from("a"), ByteArray::from("b")];
    let mut column = group.next_column().unwrap().unwrap();
    let typed = column.typed::<ByteArrayType>();
    typed.write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    for value in [7, 1_767_225_600_000] {
        let mut column = group.next_column().unwrap().unwrap();
        let typed = column.typed::<Int64Type>();
        typed.write_batch(&[value], Some(&[1, 0]), None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    let typed = column.typed::<DoubleType>();
    typed.write_batch(&[1.5], Some(&[2, 0]), None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let typed = column.typed::<ByteArrayType>();
    typed
        .write_batch(&[], Some(&[0, 0]), Some(&[0, 0]))
        .unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// One row, each column of which holds its number.
fn texts(columns: &str) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {columns} }}")).unwrap());
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut number = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        let text = ByteArray::from(number.to_string().as_str());
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&[text], None, None).unwrap();
        column.close().unwrap();
        number += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn two_columns_of_one_name_are_refused_where_they_are_read() {
    let text = |name: &str| format!("required binary {name} (UTF8);");
    let top = ["id", "x", "X", "x"].map(text).concat();
    let said = file(&texts(&top)).refused();
    assert!(said.contains("two columns are named `/x`"), "{said}");
    let inside = ["f", "g", "f"].map(text).concat();
    let nested = format!("{} required group o {{ {inside} }}", text("id"));
    let said = file(&texts(&nested)).refused();
    assert!(said.contains("two columns are named `/o/f`"), "{said}");
    let unread = file(&texts(&top)).read(&Options::named(paths(&["/id", "/X"])));
    assert_eq!(table(&unread.documents)["/X"], ["t2"]);
}
