//! Documents from a Parquet file.

use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};

use super::{DocumentOptions, every, file, paths, table};
use crate::source::format::parquet::tests::{column, plain, texts};

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
    assert!(notes.iter().any(|n| n.contains("inside lists")), "{notes:?}");
    for cut in [10, bytes.len() / 2, bytes.len() - 3] {
        let said = file(&bytes[..cut]).refused();
        assert!(said.contains("Parquet"), "{said}");
    }
}

/// Two rows: one full, one with nothing but its id.
fn parquet_file() -> Vec<u8> {
    let columns = "required binary id (UTF8); optional int64 n; \
        optional int64 at (TIMESTAMP(MILLIS,true)); optional group o { optional double f; } \
        optional group l (LIST) { repeated group list { optional binary element (UTF8); } }";
    plain(columns, |group| {
        column::<ByteArrayType>(group, &texts(&["a", "b"]), None);
        for value in [7, 1_767_225_600_000] {
            column::<Int64Type>(group, &[value], Some(&[1, 0]));
        }
        column::<DoubleType>(group, &[1.5], Some(&[2, 0]));
        let mut list = group.next_column().unwrap().unwrap();
        let levels = Some(&[0, 0][..]);
        let typed = list.typed::<ByteArrayType>();
        typed.write_batch(&[], levels, levels).unwrap();
        list.close().unwrap();
    })
}

/// One row, each column of which holds its number.
fn numbers(columns: &str) -> Vec<u8> {
    plain(columns, |group| {
        for number in 0..columns.matches("binary").count() {
            column::<ByteArrayType>(group, &texts(&[&number.to_string()]), None);
        }
    })
}

#[test]
fn two_columns_of_one_name_are_refused_where_they_are_read() {
    let text = |name: &str| format!("required binary {name} (UTF8);");
    let top = ["id", "x", "X", "x"].map(text).concat();
    let said = file(&numbers(&top)).refused();
    assert!(said.contains("two columns are named `/x`"), "{said}");
    let inside = ["f", "g", "f"].map(text).concat();
    let nested = format!("{} required group o {{ {inside} }}", text("id"));
    let said = file(&numbers(&nested)).refused();
    assert!(said.contains("two columns are named `/o/f`"), "{said}");
    let unread = file(&numbers(&top)).read(&DocumentOptions::named(paths(&["/id", "/X"])));
    assert_eq!(table(&unread.documents)["/X"], ["t2"]);
}
