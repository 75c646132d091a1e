//! Every rule where it strikes and where it must not.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cost;
mod load;
mod regions;
mod shape;
mod storage;
mod unjudged;
mod usable;
mod what_now;

use super::testing::{DiagnosisFixture, START};

#[test]
fn what_is_worse_comes_first() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage.requested("D", 12_000.0).requested("B", 500.0).stores("A", &[19.0]);
    assert_eq!(stage.diagnosis().rules(), ["HOT KEY", "KEY NEAR 20 GB", "LOW-CARDINALITY"]);
}

#[test]
fn hot_from_the_first_moment_is_hot_since_then_or_earlier() {
    let since = |key: &str, calm_s: i64| {
        let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
        let at = stage.owner(key);
        for second in START + calm_s..START + 300 {
            stage.logged_at(key, "Create", at, second, 12_000.0);
        }
        stage.logged_at("other", "Create", (at + 1) % 3, START, 1.0);
        let found = stage.diagnosis();
        let text = found.verdict("HOT KEY").headline_text();
        text.rsplit("  ").next().map(str::to_owned)
    };
    assert_eq!(since("D", 0).as_deref(), Some("since ≤02:00"));
    assert_eq!(since("D", 120).as_deref(), Some("since 02:02 (3 min)"));
}

#[test]
fn what_is_over_says_until_when() {
    let since = |calm_after: i64| {
        let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 1_200);
        let at = stage.owner("D");
        for second in START + 60..START + 1_200 - calm_after {
            stage.logged_at("D", "Create", at, second, 12_000.0);
        }
        for second in START..START + 1_200 {
            stage.logged_at("other", "Create", (at + 1) % 3, second, 1.0);
        }
        let found = stage.diagnosis();
        let verdict = found.verdict("HOT KEY");
        let text = verdict.headline_text();
        let until = verdict.until.map(|until| until.seconds() - START);
        (text.rsplit("  ").next().map(str::to_owned), until)
    };
    let (text, until) = since(600);
    assert_eq!(text.as_deref(), Some("since 02:01 until 02:10 (9 min)"));
    assert_eq!(until, Some(600));
    // A pause as short as that may be none.
    let (text, until) = since(240);
    assert_eq!(text.as_deref(), Some("since 02:01 (19 min)"));
    assert_eq!(until, None);
}
