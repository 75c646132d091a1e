//! Every rule where it strikes and where it must not.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cost;
mod load;
mod regions;
mod shape;
mod storage;
mod usable;

use super::testing::DiagnosisFixture;

#[test]
fn what_is_worse_comes_first() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage
        .requested("D", 12_000.0)
        .requested("B", 500.0)
        .stores("A", &[19.0]);
    assert_eq!(
        stage.diagnosis().rules(),
        ["HOT KEY", "KEY NEAR 20 GB", "LOW-CARDINALITY"]
    );
}
