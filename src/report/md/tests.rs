//! Tables, and markup from outside that stays text.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::distribution::Distribution;
use crate::analysis::rows::Report;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;
use crate::report::Style;
use crate::report::doc::Doc;

fn written(report: &Report) -> String {
    let mut out = Vec::new();
    crate::report::text::write_to(report, Doc::md(Style::default()), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn keys_stand_in_a_table() {
    let text = written(&report(&northpier(), SummaryOptions::default()));
    let row =
        "| tenant-0001 | 90 % | 18.00 | +1.50 | 2026-07-01 ±6 d | West Europe | 2026-06-22 02:10 |";
    assert!(text.contains(row), "{text}");
    assert!(text.contains("\n## northpier-prod / shop / orders\n"), "{text}");
    assert!(text.contains("- the 20 GB limit is read as 20 GiB: 20,971,520 KiB"), "{text}");
}

#[test]
fn markup_in_keys_is_text() {
    let keys = [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](http://127.0.0.1/p.png)",
        "| a | b |",
        "`code`",
        "# heading",
        "&lt;b&gt;",
        "www.example.test",
        "*bold* _it_ ~~no~~",
        "a@example.test",
    ];
    let log = Log::new("a");
    for key in keys {
        log.reading([key; 3], &serde_json::to_string(&[key]).unwrap(), key, None, 5.0);
    }
    let text = written(&report(&log.capture(), SummaryOptions::default()));
    for row in text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| key")) {
        assert_eq!(row.matches('|').count(), 8, "{row}");
        let found = ["<", ">", "`", "*", "[", "http:", "www.", "@", "_", "~", "!"]
            .into_iter()
            .find(|m| row.contains(m));
        assert_eq!(found, None, "{row}");
    }
}

#[test]
fn ordinary_names_stay_readable() {
    assert_eq!(
        escape("tenant-0001 / 2026-06-22T10:00, a.b"),
        "tenant-0001 / 2026-06-22T10:00, a.b"
    );
    assert_eq!(escape("a|b"), "a&#124;b");
}

#[test]
fn quantiles_take_one_line() {
    let mut report = report(&northpier(), SummaryOptions::default());
    report.containers[0].distribution = Some(Distribution::of([1.0, 5.0, 2048.0], None));
    report.containers[1].distribution = Some(Distribution::of([1.0], None));
    let text = written(&report);
    let line = "\n\nsizes of the reported keys: p50 5 KiB · p90 2.00 MiB · p99 2.00 MiB · largest 2.00 MiB\n";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.matches("p50").count(), 1, "{text}");
}
