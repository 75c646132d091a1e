//! The note has five lines whatever stands in names.

use super::*;
use crate::analysis::diagnosis::testing::verdict;
use crate::analysis::mask::Masker;

const NOW: i64 = 1_782_100_000;

fn note_text(container: &ContainerName, names: NameForm, masker: Option<&Masker>) -> String {
    let json = |json: &str| masker.map_or_else(|| json.to_owned(), |m| m.key(json).into());
    let shown = |key: Option<&str>| key.map_or_else(|| "no key".to_owned(), json);
    let naming = Naming { names, container, group: None, shown: &shown, json: &json };
    note(&verdict(), &naming, Stamp::from_seconds(NOW))
}

fn orders() -> ContainerName {
    ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"))
}

#[test]
fn five_lines_say_what_where_when_and_from_what() {
    let note = note_text(&orders(), NameForm::Real, None);
    let lines: Vec<&str> = note.lines().collect();
    assert_eq!(
        lines,
        [
            "HOT KEY (alarm) · northpier-prod / shop / orders · West Europe · data to 2026-06-22 02:05:00 UTC, 101 min old",
            "[\"tenant-0001\"]  98 % of partition 3  since 02:00 (9 s)",
            "p99: 100 %; in it [\"tenant-0001\"]: 5,872.5 RU/s; from metric NormalizedRUConsumption, RU log",
            "scale up: no effect; split: helps, not enough; redistribute RU/s: fixes; change key: fixes",
            "next: nothing to do",
        ]
    );
}

#[test]
fn a_masked_note_tells_no_name() {
    let masker = Masker::new(b"salt");
    let note = note_text(&masker.container(&orders()), NameForm::Invented, Some(&masker));
    for name in ["northpier", "shop", "orders", "tenant-0001"] {
        assert!(!note.contains(name), "{note}");
    }
    assert!(note.contains("key-"), "{note}");
    assert_eq!(note.lines().count(), 5);
}

#[test]
fn hostile_names_make_no_sixth_line() {
    let hostile = ContainerName::new(Some("a\nb"), Some("c\u{1b}[31m"), Some("d\r\ne\u{2028}f"));
    let note = note_text(&hostile, NameForm::Real, None);
    assert_eq!(note.split(['\n', '\r', '\u{2028}']).count(), 5, "{note:?}");
    assert!(!note.contains('\u{1b}'));
}

#[test]
fn a_key_has_the_same_name_in_the_note_as_on_the_screen() {
    let container = orders();
    let shown = |_: Option<&str>| visible("x\u{1b}y\u{202e}").into_owned();
    let json = |json: &str| json.to_owned();
    let naming = Naming {
        names: NameForm::Real,
        container: &container,
        group: None,
        shown: &shown,
        json: &json,
    };
    let note = note(&verdict(), &naming, Stamp::from_seconds(NOW));
    assert!(note.contains(r"x␛y\u{202e}  98 % of partition 3"), "{note}");
}
