//! Regions side by side, and bursts.

use super::load::close;
use crate::analysis::diagnosis::Fact;
use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};

#[test]
fn regions_are_judged_apart_and_the_worst_is_named() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    for region in ["West Europe", "North Europe"] {
        stage.logged_in(region, "D", 6000.0).logged_in(region, "B", 500.0);
    }
    // Twice 6,000 RU/s are no 12,000.
    assert!(!stage.diagnosis().rules().contains(&"HOT KEY"));
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    stage.logged_in("West Europe", "D", 6000.0).logged_in("North Europe", "D", 12_000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    assert_eq!(verdict.region.as_deref(), Some("North Europe"));
    close(verdict.throttled("now"), 2.0 / 12.0);
}

/// Partitions are at their limit in both: what is throttled tells which is worse, whatever else a region serves.
#[test]
fn of_two_full_regions_the_one_that_throttles_more_is_worst_and_the_other_is_listed() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    stage.logged_in("West Europe", "D", 11_000.0).logged_in("West Europe", "B", 9000.0).logged_in(
        "North Europe",
        "D",
        15_000.0,
    );
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    assert_eq!(verdict.region.as_deref(), Some("North Europe"));
    close(verdict.throttled("now"), 5.0 / 15.0);
    let outcome = &found.now.as_ref().unwrap().outcome;
    assert_eq!(outcome.region.as_deref(), Some("North Europe"));
    assert_eq!(outcome.other_regions.len(), 1);
    let other = outcome.other_regions.first().unwrap();
    assert_eq!(other.region.as_deref(), Some("West Europe"));
    close(other.demand_ru_per_second, 20_000.0);
    close(other.throttled_share.unwrap().point, 1.0 / 20.0);
    let says = |fact: &Fact| fact.value == "20,000 RU/s, 5.0 % throttled";
    assert!(verdict.evidence.iter().any(says), "{:?}", verdict.evidence);
}

/// Seconds decide how long a burst lasts, not their mean; a burst is told as what may be.
#[test]
fn bursts_are_stepped_through_the_seconds_of_the_window() {
    for (from, to, ru, wanted) in [
        (0, 300, 1_200.0, "429s begin after 150 s"),
        (0, 300, 700.0, "no 429s in the window"),
        (100, 160, 2_800.0, "429s begin after 150 s"),
        (200, 205, 3_400.0, "429s begin after 200 s"),
    ] {
        let mut stage = DiagnosisFixture::new(Some(400.0), 1, 300);
        stage.logged("D", "Read", 0, 100.0);
        for second in START + from..START + to {
            stage.logged_at("D", "Read", 0, second, ru - 100.0);
        }
        let found = stage.diagnosis();
        let evidence = found.verdicts.iter().flat_map(|v| &v.evidence);
        let of_burst = |fact: &&Fact| fact.what.text(|_| String::new()).starts_with("with burst");
        let fact = evidence.into_iter().find(of_burst).unwrap();
        assert_eq!(fact.value, wanted, "{ru}");
        assert!(fact.from.contains("not guaranteed"), "{}", fact.from);
        // The row says the same, and never that it fixes anything.
        let rows = &found.verdicts.first().unwrap().remedies;
        let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        let (row, now) = (row("burst"), row("now").throttled.unwrap().point);
        assert!(row.words.ends_with(wanted), "{}", row.words);
        let after = row.throttled.unwrap().point;
        assert!(after < now);
        assert_eq!(after > 0.0, wanted.contains("begin"), "{ru}: {after}");
        assert_ne!(row.effect.word(), "fixes");
    }
    // From 3,000 RU/s on a partition does not burst.
    let mut stage = DiagnosisFixture::new(Some(4_000.0), 1, 300);
    let found = stage.logged("D", "Read", 0, 5_000.0).diagnosis();
    assert_eq!(found.now.unwrap().burst(0), None);
}
