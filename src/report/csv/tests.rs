//! Columns that scripts know, and cells that no spreadsheet runs.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

/// Keys and names that a spreadsheet runs, or turns into numbers and dates.
const SHEET_KEYS: [&str; 30] = [
    "=1+1",
    "=cmd|'/c calc'!A0",
    "=HYPERLINK(\"http://127.0.0.1/?\"&A1,\"x\")",
    "+1",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "\u{ff1d}1+1",
    "'=1+1",
    "\"=1+1",
    ";=1+1",
    ",=1+1",
    "|=1",
    "%=1",
    "00123",
    "1E5",
    "2026-01-02",
    "3-4",
    "TRUE",
    "1234567890123456789",
    "#N/A",
    "-",
    "=",
    "\0=1+1",
    "{=1}",
    "=IMPORTXML(\"http://127.0.0.1\",\"//a\")",
    "DDE(\"cmd\";\"/c calc\")",
];

fn written(report: &Report, cells: CsvCells) -> String {
    let style = Style { cells, ..Style::default() };
    let mut out = Vec::new();
    write(report, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn table(text: &str) -> Vec<Vec<String>> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

fn named(name: &str) -> Report {
    let log = Log::new("a");
    let key = serde_json::to_string(&[name]).unwrap();
    log.reading([name; 3], &key, name, Some(seconds(NEWEST)), 5.0);
    report(&log.capture(), SummaryOptions::default())
}

fn is_risky(cell: &str) -> bool {
    let first =
        cell.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"')).chars().next();
    cell.starts_with(['\t', '\r', '\n', '\0'])
        || first.is_some_and(|c| "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(c))
}

#[test]
fn columns_are_those_that_scripts_know() {
    let text = written(&report(&northpier(), SummaryOptions::default()), CsvCells::Safe);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "account,database,container,key,size_kib,share_of_ceiling,region,sampled_at,growth_kib_per_day,wall"
    );
    assert_eq!(
        lines[2],
        "northpier-prod,shop,orders,\"[\"\"tenant-0001\"\"]\",18874368,0.9,West Europe,2026-06-22T02:10:41Z,224695,2026-07-01T10:10:41Z"
    );
    let sizes: Vec<f64> = table(&text).iter().map(|row| row[4].parse().unwrap()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(sizes.len(), 9);
}

#[test]
fn no_text_cell_runs_in_a_spreadsheet() {
    for name in SHEET_KEYS {
        for row in table(&written(&named(name), CsvCells::Safe)) {
            for text in [0, 1, 2, 3, 6] {
                assert!(!is_risky(&row[text]), "{name:?}: {row:?}");
            }
            let key: Vec<String> = serde_json::from_str(&row[3]).unwrap();
            assert_eq!(key, [name]);
        }
    }
}

#[test]
fn shrinking_keys_keep_a_number_for_their_growth() {
    let text = written(&report(&northpier(), SummaryOptions::default()), CsvCells::Safe);
    let shrinking = table(&text).into_iter().find(|row| row[3].contains("tenant-0007")).unwrap();
    assert!(shrinking[8].parse::<f64>().unwrap() < 0.0, "{shrinking:?}");
}

#[test]
fn exact_cells_are_the_data() {
    for name in SHEET_KEYS {
        assert_eq!(table(&written(&named(name), CsvCells::Exact))[0][1], name);
    }
}

proptest! {
    #[test]
    fn any_name_stays_one_harmless_cell(name in ".{0,12}") {
        let text = written(&named(&name), CsvCells::Safe);
        prop_assert_eq!(text.lines().count(), 2, "{}", text);
        prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
        let rows = table(&text);
        prop_assert_eq!(rows[0].len(), 10);
        prop_assert!([0, 1, 2, 3, 6].iter().all(|i| !is_risky(&rows[0][*i])), "{:?}", rows);
    }
}
