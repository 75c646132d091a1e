//! What is said of the way to keys of each sort.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::super::suffix::tests::{documents, parsed, trials};
use super::super::trial::Settings;
use super::*;
use crate::model::units::{real, whole_text};

/// Forty users of four tenants with ten documents each; ids are unique within a tenant's user.
fn prepared(settings: Settings) -> Trials {
    let row = |n: usize| {
        let (user, id) = (n % 40, n / 40);
        let cells = vec![format!("t{}", user % 4), format!("u{user}"), id.to_string()];
        (cells, 4 * 1_024)
    };
    trials(documents(&["t", "u", "id"], (0..400).map(row)), settings)
}

fn way(key: &str, current: Option<&str>, facts: Facts) -> Migration {
    let trials =
        prepared(Settings { ru_per_second: Some(400.0), partitions: 1, ..Settings::default() });
    let current = current.map(parsed);
    let trial = trials.trial(&parsed(key));
    Migration::of(&trials, &trial, current.as_ref(), facts)
}

#[test]
fn only_keys_that_documents_hold_are_copied_as_they_are() {
    let copy = |key| way(key, Some("/t"), Facts::default()).copy;
    assert_eq!(copy("/u"), Copy::AsTheyAre);
    assert_eq!(copy("/t > /u > /id"), Copy::AsTheyAre);
    assert_eq!(copy("/t + \"-\" + /u"), Copy::Transformed);
    assert_eq!(copy("/t + \".\" + bucket(/u, 4)"), Copy::Transformed);
    assert_eq!(copy("/t + \".\" + random(4)"), Copy::Drawn);
    assert_eq!(copy("/t"), Copy::NothingToDo);
    let same = way("/t", Some("/t"), Facts::default());
    assert_eq!(same.sentences().len(), 1);
}

#[test]
fn what_is_not_known_is_to_be_checked_and_what_is_blocks() {
    let unknown = way("/u", Some("/t"), Facts::default());
    assert!(unknown.hurdles.len() == 2 && unknown.hurdles.iter().all(|h| !h.is_known));
    let said = unknown.sentences().join("\n");
    assert!(said.contains("Check: whether partition merge"), "{said}");
    let facts = Facts {
        merge_enabled: Some(true),
        local_auth_disabled: Some(false),
        lifetime: Some(TimeToLive::Off),
        unique_keys: Some(false),
    };
    let known = way("/u", Some("/t"), facts);
    let said = known.sentences().join("\n");
    assert!(known.hurdles.len() == 1 && said.contains("In the way: partition merge"));
    assert!(!said.contains("Check") && !said.contains("Time to live") && !said.contains("Unique"));
    let large = Settings {
        stored_bytes: Some(5e12),
        ru_per_second: Some(2e6),
        partitions: 200,
        ..Settings::default()
    };
    let trials = prepared(large);
    let trial = trials.trial(&parsed("/u"));
    let way = Migration::of(&trials, &trial, None, facts);
    assert_eq!(way.hurdles.iter().filter(|h| h.is_known).count(), 3);
    let said = way.sentences().join("\n");
    assert!(said.contains("4 TB or more are stored"), "{said}");
    assert!(said.contains("1,000,000 RU/s or more"), "{said}");
}

#[test]
fn the_online_job_is_named_with_what_it_needs() {
    let facts =
        Facts { merge_enabled: Some(false), local_auth_disabled: Some(true), ..Facts::default() };
    let way = way("/u", Some("/t"), facts);
    let said = way.sentences().join("\n");
    assert!(said.contains("The online job needs continuous backup, less than 4 TB"), "{said}");
    // Pages disagree on it: it is to be checked, not in the way.
    assert!(said.contains("Check: local authentication is disabled"), "{said}");
    assert!(said.contains("newer ones do not") && !said.contains("In the way"), "{said}");
}

#[test]
fn what_speaks_against_a_key_comes_first() {
    let said = way("/nowhere", Some("/t"), Facts::default()).sentences();
    let none = "No plan: No document has /nowhere";
    assert!(said.len() == 1 && said[0].starts_with(none), "{said:?}");
    let drawn = way("/t + \".\" + random(4)", Some("/t"), Facts::default()).sentences();
    let bucket = "Instead: /t + \".\" + bucket(/id, 4)";
    assert!(drawn[0].starts_with(bucket), "{drawn:?}");
    let trials = prepared(Settings {
        ru_per_second: Some(1_000.0),
        load_ru_per_second: Some(2_000.0),
        partitions: 1,
        ..Settings::default()
    });
    let trial = trials.trial(&parsed("/u"));
    let way = Migration::of(&trials, &trial, Some(&parsed("/t")), Facts::default());
    let ru = way.ru_to_buy.unwrap();
    let said = way.sentences();
    assert!(said[0].contains(&format!("it takes {} RU/s", whole_text(ru))), "{said:?}");
    // Copied with the RU/s that it is created with.
    assert!(said[1].contains("and 2,") && way.cost.ru_per_second == Some(ru), "{said:?}");
}

#[test]
fn the_cost_follows_its_formula() {
    let cost = way("/u", Some("/t"), Facts::default()).cost;
    // 400 documents of 4 KiB: twice what one of 1 KiB costs.
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(near(cost.read_ru, 800.0), "{cost:?}");
    assert!(near(cost.write_ru[0], 4_000.0) && near(cost.write_ru[1], 8_000.0));
    assert!(near(cost.hours.unwrap()[0], 10.0 / 3_600.0));
    let trials =
        prepared(Settings { stored_bytes: Some(400.0 * 4_096.0 * 1_000.0), ..Settings::default() });
    let trial = trials.trial(&parsed("/u"));
    let all = Migration::of(&trials, &trial, None, Facts::default()).cost;
    assert!(near(all.read_ru, 800_000.0) && all.hours.is_none());
}

#[test]
fn a_copy_takes_as_long_as_its_reading() {
    let trials = prepared(Settings {
        ru_per_second: Some(400.0),
        load_ru_per_second: Some(399.0),
        partitions: 1,
        ..Settings::default()
    });
    let trial = trials.trial(&parsed("/u"));
    let way = Migration::of(&trials, &trial, None, Facts::default());
    // 800 RU at 1 RU/s; writing takes 10 to 20 seconds.
    assert_eq!(way.cost.spare, Some(1.0));
    assert_eq!(way.cost.hours, Some([800.0 / 3_600.0; 2]));
    let said = way.sentences().join("\n");
    assert!(said.contains("Time: 13 minutes with all of 400 RU/s"), "{said}");
    assert!(said.contains("the 1 RU/s that today's load leaves for reading"), "{said}");
}

/// Four tenants of which the first has most of 5,000 documents, on four partitions.
pub fn busy_tenants() -> Trials {
    let row = |n: usize| {
        let tenant = if n % 10 < 8 { 0 } else { n % 4 };
        (vec![format!("t{tenant}"), format!("u{}", n % 500)], 4 * 1_024)
    };
    let settings = Settings {
        ru_per_second: Some(40_000.0),
        load_ru_per_second: Some(20_000.0),
        partitions: 4,
        ..Settings::default()
    };
    trials(documents(&["t", "u"], (0..5_000).map(row)), settings)
}

/// A new container has a partition for each 6,000 RU/s: with more the first level would lie on one of many.
#[test]
fn a_first_level_that_splits_divide_is_created_on_few_partitions() {
    let trials = busy_tenants();
    let trial = trials.trial(&parsed("/t > /u"));
    let way = Migration::of(&trials, &trial, Some(&parsed("/t")), Facts::default());
    let partitions = way.created_with.unwrap();
    let ru = real(partitions as u64) * 6_000.0;
    assert_eq!(way.cost.ru_per_second, Some(ru));
    let said = way.sentences().join("\n");
    assert!(said.contains(&format!("({}). Raise them to ", whole_text(ru))), "{said}");
}

#[test]
fn what_shares_a_key_is_counted() {
    let finer = way("/u", Some("/t"), Facts::default());
    let scope = finer.scope.unwrap();
    assert_eq!((scope.shared, scope.parted, scope.brought_together), (4, 4, 0));
    assert_eq!(finer.collisions, Some(0));
    let coarser = way("/t", Some("/u"), Facts::default());
    let scope = coarser.scope.unwrap();
    assert_eq!((scope.shared, scope.parted, scope.brought_together), (40, 0, 4));
    // Ten users of a tenant have the same ten ids.
    assert_eq!(coarser.collisions, Some(400));
    let said = coarser.sentences().join("\n");
    assert!(said.contains("400 documents would have"), "{said}");
    assert!(
        said.contains("all 40 keys that several share stay together; 4 of 4 new keys"),
        "{said}"
    );
    assert!(way("/u", None, Facts::default()).sentences().join("\n").contains("--current"));
}

#[test]
fn one_minute_is_not_several() {
    let texts = [1.0 / 60.0, 0.5, 2.5, 96.0].map(hours_text);
    assert_eq!(texts, ["1 minute", "30 minutes", "2.5 hours", "4 days"]);
}
