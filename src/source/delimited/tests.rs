//! Delimited text as the `csv` crate writes it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};

use csv::{QuoteStyle, Terminator, WriterBuilder};
use proptest::prelude::*;

use super::*;
use crate::model::capture::CaptureBuilder;
use crate::model::key::Key;
use crate::source::dialect::Dialect;
use crate::source::records::{EmptyCell, Pass};

/// The bits of sizes by container and key.
type Sizes = BTreeMap<(String, String), BTreeSet<u64>>;

#[derive(Clone, Copy, Debug)]
struct Style {
    delimiter: u8,
    crlf: bool,
    always: bool,
    last_line_end: bool,
}

fn any_style() -> impl Strategy<Value = Style> {
    let delimiter = proptest::sample::select(vec![b',', b';', b'\t', b'|']);
    (delimiter, any::<[bool; 3]>()).prop_map(|(delimiter, [crlf, always, last_line_end])| Style {
        delimiter,
        crlf,
        always,
        last_line_end,
    })
}

/// Cells full of what means something to a reader of tables.
fn any_cell() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[\",;\t|\r\n a0é字]{0,6}",
        1 => "\\PC{0,8}",
        1 => Just(String::new()),
    ]
}

fn any_table() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1_usize..6).prop_flat_map(|width| {
        let row = proptest::collection::vec(any_cell(), width);
        proptest::collection::vec(row, 1..12)
    })
}

fn written(style: Style, rows: &[Vec<String>]) -> String {
    let mut writer = WriterBuilder::new()
        .delimiter(style.delimiter)
        .terminator(if style.crlf { Terminator::CRLF } else { Terminator::Any(b'\n') })
        .quote_style(if style.always { QuoteStyle::Always } else { QuoteStyle::Necessary })
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    let mut text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    if !style.last_line_end {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

/// What was taken, and the lines of what was not.
fn taken(layout: &TableLayout, text: &str) -> (Sizes, Vec<(u64, RowFault)>) {
    let builder = CaptureBuilder::new(1);
    let dialect = Dialect::default();
    let mut records = RecordTaker::new(&builder, &dialect, 0, Pass::First, EmptyCell::Blank);
    take_chunk(layout, text.as_bytes(), 1, &mut Scratch::default(), &mut records);
    records.flush();
    let faults = records.tally.errors.iter();
    let faults = faults.map(|e| (e.line, e.fault)).collect();
    drop(records);
    let capture = builder.finish();
    let mut out = BTreeMap::new();
    for (_, view) in capture.sizes.iter() {
        let name = &capture.container(view.container()).unwrap().name;
        let container = name.container.as_deref().unwrap_or_default().to_owned();
        let samples = view.series().flat_map(|s| s.samples);
        let sizes = samples.map(|s| s.kib.to_bits()).collect();
        out.insert((container, view.canonical().to_owned()), sizes);
    }
    (out, faults)
}

fn layout(delimiter: u8, width: usize) -> TableLayout {
    TableLayout {
        delimiter,
        quotes: Quotes::Doubled,
        columns: vec![None, Some(Field::Container), Some(Field::Key), Some(Field::Size)],
        width,
        encoding: Encoding::Utf8,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_cell_comes_back(style in any_style(), rows in any_table()) {
        let text = written(style, &rows);
        let (mut at, mut found) = (0, Vec::new());
        while at < text.len() {
            let rest = &text[at..];
            let (cells, len) = split_record(rest, style.delimiter, Quotes::Doubled);
            prop_assert!(len > 0);
            found.push(cells);
            at += len;
        }
        prop_assert_eq!(found, rows, "{:?}", text);
    }

    #[test]
    fn keys_and_sizes_are_those_of_the_table(
        style in any_style(),
        rows in proptest::collection::vec((any_cell(), any_cell(), any_cell(), 0..30_u32, any_cell()), 1..30),
        blank_lines in any::<bool>(),
    ) {
        let table: Vec<Vec<String>> = rows
            .iter()
            .map(|(a, container, key, size, z)| {
                vec![a.clone(), container.clone(), key.clone(), size.to_string(), z.clone()]
            })
            .collect();
        let mut text = written(style, &table);
        if blank_lines {
            text.insert_str(0, "\r\n\n");
        }
        let mut want: Sizes = BTreeMap::new();
        for (_, container, key, size, _) in &rows {
            let key = Key::from_cell(key).map(|k| k.canonical()).unwrap_or_default();
            let sizes = want.entry((container.clone(), key)).or_default();
            sizes.insert(f64::from(*size).to_bits());
        }
        let (found, faults) = taken(&layout(style.delimiter, 5), &text);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(found, want, "{:?}", text);
    }

    #[test]
    fn a_broken_record_costs_its_line_alone(
        before in 0_usize..4,
        after in 0_usize..4,
        broken in prop_oneof![
            Just((",c,\"[1]\"x,5,", RowFault::UnquotedValue)),
            Just((",c,\"[1],5,", RowFault::UnquotedValue)),
            Just((",c,[1],5", RowFault::MissingColumns)),
            Just((",c,[1],5,,", RowFault::TooManyColumns)),
            Just((",c,[1],large,", RowFault::Cast)),
        ],
    ) {
        let good = |n: usize| format!(",c,[{n}],5,\n");
        let mut text: String = (0..before).map(good).collect();
        text.push_str(broken.0);
        text.push('\n');
        text.extend((before..before + after).map(good));
        let (found, faults) = taken(&layout(b',', 5), &text);
        prop_assert_eq!(faults, vec![(before as u64 + 1, broken.1)]);
        prop_assert_eq!(found.len(), before + after);
    }
}
