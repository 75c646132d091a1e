//! Pseudonyms that stay the same, and reports in which no name is left.

use super::*;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

const SALT: &[u8] = b"salt";

#[test]
fn pseudonyms_are_stable_and_depend_on_salt_and_kind() {
    let name = pseudonym(SALT, NameKind::Container, "orders");
    assert_eq!(name, pseudonym(SALT, NameKind::Container, "orders"));
    assert_eq!(name.len(), "container-".len() + NAME_DIGITS);
    let others = [
        pseudonym(b"pepper", NameKind::Container, "orders"),
        pseudonym(SALT, NameKind::Container, "Orders"),
        pseudonym(SALT, NameKind::Database, "orders"),
    ];
    assert!(!others.contains(&name));
    let masker = Masker::new(SALT);
    assert_eq!(masker.name(NameKind::Account, "NORTH"), masker.name(NameKind::Account, "north"));
}

#[test]
fn debug_text_tells_neither_the_salt_nor_a_name() {
    let mut masker = Masker::new(SALT);
    masker.learn_file("secret.csv");
    assert_eq!(format!("{masker:?}"), "Masker");
}

#[test]
fn keys_keep_their_shape_and_lose_their_texts() {
    let masker = Masker::new(SALT);
    let invented = masker.key(r#"["plant-1",7,true,null,{}]"#);
    assert!(
        invented.starts_with("[\"key-") && invented.ends_with("\",true,null,{}]"),
        "{invented}"
    );
    assert!(invented.contains(",\"number-"), "{invented}");
    assert_eq!(masker.key("[42]"), masker.key("[42.0]"));
    assert_ne!(masker.key("[42]"), masker.key(r#"["42"]"#));
}

#[test]
fn a_sentence_keeps_our_own_words_and_loses_every_other_quoted_one() {
    let mut masker = Masker::new(SALT);
    masker.learn_file("a b.csv");
    let text = masker.text("`SizeKb` is `many`, `a b.csv` has `sizekb` and \"PartitionKey\"");
    let file = masker.name(NameKind::File, "a b.csv");
    let start = "`SizeKb` is `text-";
    let end = " and \"PartitionKey\"";
    assert!(text.starts_with(start) && text.ends_with(end), "{text}");
    assert!(text.contains(&format!("`{file}` has `text-")), "{text}");
    // Whose container has such a name is not to be told from it.
    let log = Log::new("a.csv");
    log.reading(["a", "b", "PartitionKey"], "[1]", "West Europe", None, 5.0);
    masker.report(&mut report(&log.capture(), SummaryOptions::default()));
    assert!(!masker.text("`PartitionKey`").contains("PartitionKey"));
    let limit = "the limit is the same at any RU/s; RU/s do not change it";
    assert_eq!(masker.text(limit), limit);
}

#[test]
fn no_name_is_left_anywhere_in_a_report() {
    let log = Log::new("exports/northpier-prod.csv");
    log.reading(ORDERS, r#"["tenant-0002"]"#, "West Europe", None, 5.0);
    log.source(|s| {
        s.notes = vec![
            "taken for NorthPier-Prod / shop / orders because of the file name".into(),
            "line 3: sizeKb is `contoso`, and \"fabrikam\" is no size; tenant-0002 stays".into(),
            "joined with /exports/RG-NorthPier/x.json, and more".into(),
            "of subscription 11111111-2222-3333-4444-555555555555".into(),
        ];
    });
    let mut report = report(&log.capture(), SummaryOptions::default());
    report.containers[0].keys[0].epk = Some("05C1DFC5".into());
    report.containers[0].keys[0].partition = Some("3".into());
    Masker::new(SALT).report(&mut report);
    let row = &report.containers[0].keys[0];
    assert_eq!((row.epk.as_deref(), row.partition.as_deref()), (None, Some("3")));
    let text = format!("{report:?}").to_lowercase();
    for name in
        ["northpier", "shop", "orders", "tenant-0002", "contoso", "fabrikam", "11111111-2222"]
    {
        assert!(!text.contains(name), "{name}: {text}");
    }
    let notes: Vec<String> = report.notes.iter().map(Note::sentence).collect();
    assert!(notes[0].starts_with("the 20 GB limit"), "{notes:?}");
    assert!(notes[1].starts_with("file-"), "{notes:?}");
    assert!(notes[2].contains("line 3: sizeKb is `text-"), "{notes:?}");
}

#[test]
fn short_names_are_replaced_as_words_only() {
    let log = Log::new("x");
    log.reading(["a", "b", "c"], "[1]", "W", None, 5.0);
    log.source(|s| s.notes = vec!["a cab in b".into()]);
    let mut report = report(&log.capture(), SummaryOptions::default());
    let mut masker = Masker::new(SALT);
    masker.report(&mut report);
    let expected = format!(
        "{} cab in {}",
        masker.name(NameKind::Account, "a"),
        masker.name(NameKind::Database, "b")
    );
    assert_eq!(report.notes[1].text, expected);
}
