//! Keys of which a sample holds one document each.
#![expect(clippy::float_cmp, reason = "whole numbers")]

use super::*;
use crate::analysis::rules::Rule;

#[test]
fn a_key_seen_once_is_one_document_and_no_finding() {
    // 80 documents of a KiB with an id of their own, of 2 TiB.
    let rows: Vec<_> = (0..80).map(|n| (vec![Cell::Text(format!("{n:032x}"))], 1_024)).collect();
    let sample = documents(&["id"], &rows, &coded());
    let settings = Settings {
        stored_bytes: Some(2.0 * f64::from(1 << 20) * f64::from(1 << 20)),
        ..Settings::default()
    };
    let trial = trials(&sample, settings.clone()).trial(&parsed("/id"));
    assert_eq!(trial.largest_bytes.round(), 1_024.0);
    assert!(trial.top.iter().all(|top| top.documents == 1.0 && top.bytes.round() == 1_024.0));
    assert!(trial.sizes.iter().all(|class| class.from_kib <= 1.0));
    assert!(trial.largest_share_of_ceiling < 1e-6 && trial.hottest_share < 1e-6);
    let [low, high] = trial.largest_range.unwrap();
    assert!(low <= trial.largest_bytes && high < trial.whole.bytes / 10.0);
    assert!(trial.largest_text().starts_with("≤ "));
    let tried = verdict::RoutedTrial { trial: &trial, routed: &[] };
    let verdict = verdict::verdicts(&[tried], &settings);
    let size = verdict[0].reasons.iter().find(|r| r.rule == Rule::LargestKey);
    assert_eq!(size.unwrap().severity, crate::analysis::findings::Severity::Note);
}
