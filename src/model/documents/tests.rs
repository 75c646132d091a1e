//! Tables filled in pieces of any size by any number of workers, and what is kept where memory ends.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::model::time::Stamp;

fn path(name: &str) -> Path {
    Path(vec![name.into()])
}

/// What a document of the test holds; none is a broken document.
type Document = Option<Vec<(usize, u16)>>;

/// One worker with the columns it met.
struct Worker {
    rows: Rows,
    columns: Vec<Option<u32>>,
}

impl Worker {
    fn new(table: &Table) -> Self {
        Self { rows: table.rows(), columns: vec![None; 8] }
    }

    /// Of a name that a document has twice the first value is taken, so that counts are those of properties.
    fn take(&mut self, number: u64, document: &Document) {
        self.rows.begin(number);
        let Some(values) = document else {
            let broken = self.column(0);
            self.rows.put(broken, Scalar::Text("of a broken document"));
            self.rows.abandon();
            return;
        };
        for (at, (name, value)) in values.iter().enumerate() {
            if values.iter().take(at).any(|(n, _)| n == name) {
                continue;
            }
            let column = self.column(*name);
            let text = format!("value {value}");
            self.rows.put(
                column,
                match value % 5 {
                    0 => Scalar::Null,
                    1 => Scalar::Number { text: "1.50", value: 1.5 },
                    _ => Scalar::Text(&text),
                },
            );
        }
        self.rows.end(10 + values.len());
    }

    fn column(&mut self, name: usize) -> u32 {
        let rows = &mut self.rows;
        *self.columns[name].get_or_insert_with(|| rows.add_column(path(&format!("p{name}"))))
    }
}

/// Hands documents over in pieces that end at the cuts, by as many workers as there are.
fn filled(
    documents: &[Document],
    limits: &TableLimits,
    workers: usize,
    cuts: &[usize],
) -> Documents {
    let mut table = Table::new(limits, &WantedPaths::Every);
    let mut all: Vec<Worker> = (0..workers).map(|_| Worker::new(&table)).collect();
    let mut from = 0;
    for (turn, to) in cuts.iter().chain([&documents.len()]).enumerate() {
        let worker = &mut all[turn * 7 % workers];
        let piece = documents.get(from..*to).unwrap_or_default();
        for (number, document) in (from as u64..).zip(piece) {
            worker.take(number, document);
        }
        table.append(&mut worker.rows);
        from = from.max(*to);
    }
    for worker in &mut all {
        table.append(&mut worker.rows);
    }
    table.finish()
}

fn all_of(documents: &Documents) -> String {
    let mut out = format!("{:?} {:?}", documents.bytes(), documents.seen());
    for column in documents.columns() {
        let _ = write!(out, "{} {:?}", column.path(), column.cells());
        let _ = write!(out, "{:?}", statistics(column, 3));
    }
    out
}

#[test]
fn a_broken_document_does_not_say_which_path_came_first() {
    // The third names a path and breaks off; the fourth names another one before it.
    let documents = [None, Some(vec![]), None, Some(vec![(1, 0), (0, 0)])];
    let limits = small(1, 1);
    let whole = filled(&documents, &limits, 1, &[]);
    assert_eq!(whole.columns()[0].path(), &path("p1"));
    assert_same(&filled(&documents, &limits, 1, &[2]), &whole);
}

/// As `filled`, but workers hold several pieces before the first of them is taken.
fn held_back(
    documents: &[Document],
    limits: &TableLimits,
    workers: usize,
    at_once: usize,
) -> Documents {
    let mut table = Table::new(limits, &WantedPaths::Every);
    let mut all: Vec<Worker> = (0..workers).map(|_| Worker::new(&table)).collect();
    let pieces: Vec<&[Document]> = documents.chunks(7).collect();
    for (group, together) in pieces.chunks(at_once).enumerate() {
        let mut ends = Vec::new();
        for (number, piece) in (group * at_once..).zip(together) {
            let worker = &mut all[number * 5 % workers];
            for (row, document) in (number as u64 * 7..).zip(*piece) {
                worker.take(row, document);
            }
            ends.push((number * 5 % workers, worker.rows.len()));
        }
        let mut gone = vec![0; workers];
        for (worker, end) in ends {
            let rows = &mut all[worker].rows;
            table.append_until(rows, end - gone[worker]);
            // Pieces without documents may come after.
            if rows.is_empty() {
                gone[worker] = end;
            }
        }
    }
    table.finish()
}

#[track_caller]
fn assert_same(one: &Documents, other: &Documents) {
    let (one, other) = (all_of(one), all_of(other));
    let differ = one.bytes().zip(other.bytes()).position(|(a, b)| a != b);
    let from = differ.unwrap_or_default().saturating_sub(100);
    let part = |text: &str| text.get(from..).map(|t| t.chars().take(200).collect::<String>());
    assert!(one == other, "{:?} and {:?}", part(&one), part(&other));
}

fn small(values: usize, paths: usize) -> TableLimits {
    TableLimits { values, paths, ..TableLimits::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn neither_pieces_nor_workers_show(
        documents in prop::collection::vec(
            prop::option::weighted(0.95, prop::collection::vec((0_usize..8, 0_u16..40), 0..5)),
            0..200,
        ),
        mut cuts in prop::collection::vec(0_usize..200, 0..12),
        workers in 1_usize..4,
        values in 1_usize..30,
        paths in 1_usize..9,
    ) {
        cuts.retain(|c| *c <= documents.len());
        cuts.sort_unstable();
        let limits = small(values, paths);
        let whole = filled(&documents, &limits, 1, &[]);
        let cut = filled(&documents, &limits, workers, &cuts);
        assert_same(&cut, &whole);
        assert_same(&held_back(&documents, &limits, workers, 1 + cuts.len()), &whole);
    }

    #[test]
    fn counts_add_up(
        documents in prop::collection::vec(
            prop::collection::vec((0_usize..4, 0_u16..40), 0..4).prop_map(Some),
            1..200,
        ),
        values in 1_usize..60,
    ) {
        let found = filled(&documents, &small(values, 8), 1, &[]);
        for column in found.columns() {
            let s = statistics(column, usize::MAX);
            let sum = s.kinds.missing + s.kinds.nulls + s.kinds.bools + s.kinds.numbers + s.kinds.texts;
            let sum = sum + s.kinds.arrays + s.kinds.objects + s.kinds.too_large;
            prop_assert_eq!(sum, documents.len() as u64);
            prop_assert_eq!(s.top.iter().map(|t| t.documents).sum::<u64>(), sum - s.kinds.missing);
            prop_assert_eq!(s.top.len() as u64, s.distinct);
            prop_assert!(s.once + s.twice <= s.distinct);
        }
    }
}

/// Documents of 64 values of one column each and one near-unique one.
fn sampled(count: u64, memory_mib: usize, seed: u64, piece: u64) -> Documents {
    let limits =
        TableLimits { memory_bytes: memory_mib << 20, sample_seed: seed, ..TableLimits::default() };
    let mut table = Table::new(&limits, &WantedPaths::Every);
    let mut rows = table.rows();
    let (group, id) = (rows.add_column(path("group")), rows.add_column(path("id")));
    for number in 0..count {
        rows.begin(number);
        rows.put(group, Scalar::Text(&(number % 64).to_string()));
        rows.put(id, Scalar::Text(&number.to_string()));
        rows.end(100);
        if number % piece == 0 {
            table.append(&mut rows);
        }
    }
    table.append(&mut rows);
    table.finish()
}

#[test]
fn a_sample_is_uniform_repeatable_and_within_its_memory() {
    let count = 120_000;
    let one = sampled(count, 98, 5, 1_000);
    assert!(one.is_sampled());
    assert_eq!(one.seen().documents, count);
    assert_eq!(one.seen().bytes, count * 100);
    // 2 MiB beside the base: eight bytes of each document and two columns of at least four.
    assert!((4_096..131_072).contains(&one.len()), "{}", one.len());
    assert_same(&one, &sampled(count, 98, 5, 777));
    assert!(all_of(&one) != all_of(&sampled(count, 98, 6, 1_000)));
    // Of 64 groups each has its share: chi-squared with 63 degrees of freedom stays below 120 but once in 40,000 times.
    let groups = statistics(one.column(&path("group")).unwrap(), 64);
    assert_eq!(groups.top.len(), 64);
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let squares = |all: f64| {
        let each = all / 64.0;
        let square = |n: u64| (n as f64 - each).powi(2) / each;
        groups.top.iter().map(|t| square(t.documents)).sum::<f64>()
    };
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let kept = one.len() as f64;
    assert!(squares(kept) < 120.0, "{}", squares(kept));
    assert!(!sampled(1_000, 256, 5, 100).is_sampled());
}

#[test]
fn near_unique_columns_keep_hashes_and_times() {
    let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
    let mut rows = table.rows();
    let columns = ["id", "_ts", "shared"].map(|name| rows.add_column(path(name)));
    for number in 0_u32..70_000 {
        rows.begin(u64::from(number));
        rows.put(columns[0], Scalar::Text(&format!("id {number}")));
        let second = 1_767_225_600 + number;
        rows.put(
            columns[1],
            Scalar::Number { text: &second.to_string(), value: f64::from(second) },
        );
        rows.put(columns[2], Scalar::Bool(number % 2 == 0));
        rows.end(50);
        if number % 500 == 0 {
            table.append(&mut rows);
        }
    }
    table.append(&mut rows);
    let found = table.finish();
    let [id, ts, shared] = ["id", "_ts", "shared"].map(|n| found.column(&path(n)).unwrap());
    assert!(matches!(id.cells(), ColumnCells::Hashes { seconds: None, .. }));
    assert!(matches!(ts.cells(), ColumnCells::Hashes { seconds: Some(_), .. }));
    assert!(matches!(shared.cells(), ColumnCells::Codes { .. }));
    assert_eq!(statistics(id, 1).distinct, 70_000);
    assert_eq!(id.longest_bytes(), 8);
    assert_eq!(ts.number_range(), Some([1_767_225_600.0, 1_767_295_599.0]));
    let stamp = |second| Stamp::from_seconds(second).unwrap();
    assert_eq!(ts.time_range(), Some([stamp(1_767_225_600), stamp(1_767_295_599)]));
    let times = found.time_columns();
    assert_eq!(times.len(), 1, "{times:?}");
    assert_eq!((times[0].column, times[0].form), (1, TimeForm::Seconds));
    assert_eq!(times[0].sureness, Sureness::Certain);
    assert_eq!(ts.seconds()[69_999], 1_767_295_599);
}

#[test]
fn long_texts_that_all_differ_are_let_go_early() {
    let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
    let mut rows = table.rows();
    let columns = ["own", "shared"].map(|name| rows.add_column(path(name)));
    let long = "x".repeat(2_000);
    for number in 0_u32..12_000 {
        rows.begin(u64::from(number));
        rows.put(columns[0], Scalar::Text(&format!("{number} {long}")));
        rows.put(columns[1], Scalar::Text(&format!("{} {long}", number % 100)));
        rows.end(4_000);
        if number % 500 == 0 {
            table.append(&mut rows);
        }
    }
    table.append(&mut rows);
    let found = table.finish();
    let [own, shared] = ["own", "shared"].map(|n| found.column(&path(n)).unwrap());
    assert!(matches!(own.cells(), ColumnCells::Hashes { .. }));
    assert!(matches!(shared.cells(), ColumnCells::Codes { .. }));
    assert_eq!(statistics(own, 1).distinct, 12_000);
}

#[test]
fn times_are_told_by_what_they_are_and_how_they_are_called() {
    use Sureness::{Certain, Likely, Possible};
    let column = |name: &str, values: &[&str]| {
        let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
        let mut rows = table.rows();
        let column = rows.add_column(path(name));
        for (number, text) in (0..).zip(values) {
            rows.begin(number);
            match text.parse() {
                Ok(value) => rows.put(column, Scalar::Number { text, value }),
                Err(_) => rows.put(column, Scalar::Text(text.trim_matches('\''))),
            }
            rows.end(1);
        }
        table.append(&mut rows);
        let found = table.finish();
        found.time_columns().first().map(|t| (t.form, t.sureness))
    };
    for (name, values, wanted) in [
        ("_ts", &["1767225600", "1767225601"][..], Some((TimeForm::Seconds, Certain))),
        ("reading", &["1767225600", "1767225601"], Some((TimeForm::Seconds, Likely))),
        ("createdAt", &["1767225600123"], Some((TimeForm::Millis, Certain))),
        ("x", &["639028224021174030"], Some((TimeForm::Ticks, Likely))),
        ("x", &["'1767225600123456'"], Some((TimeForm::Micros, Likely))),
        ("x", &["2026-06-22T02:10:41.4187442Z"], Some((TimeForm::Text, Certain))),
        ("x", &["2026-06-22", "soon"], Some((TimeForm::Text, Possible))),
        ("x", &["36.886551", "-86.250938"], None),
        ("x", &["'36.886551'", "'-86.250938'"], None),
        ("count", &["1", "2", "3000"], None),
        ("year", &["'2026'"], None),
    ] {
        assert_eq!(column(name, values), wanted, "{name} {values:?}");
    }
}
