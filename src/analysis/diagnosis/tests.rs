//! Every rule where it strikes and where it must not.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cost;
mod load;
mod regions;
mod shape;
mod storage;
mod usable;

use super::rules::RULES;
use super::testing::DiagnosisFixture;
use super::thresholds::TABLE;

#[test]
fn every_rule_has_a_name_of_its_own_and_measures_what_can_be_set() {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        assert!(!rule.meaning.is_empty());
        for name in rule.measures {
            assert!(TABLE.iter().any(|row| row.name == *name), "{name}");
        }
    }
}

#[test]
fn what_is_worse_comes_first() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage
        .requested("D", 12_000.0)
        .requested("B", 500.0)
        .stores("A", &[19.0]);
    assert_eq!(
        stage.diagnosis().rules(),
        ["HOT KEY", "STORAGE WALL", "LOW-CARDINALITY"]
    );
}
