//! Rules of load.

use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::findings::Severity;
use crate::model::account::Setting;
use crate::model::time::Stamp;

const TENANTS: [(&str, f64); 6] =
    [("A", 2000.0), ("B", 500.0), ("C", 1500.0), ("D", 12_000.0), ("E", 300.0), ("F", 700.0)];

pub(super) fn tenants() -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    for (key, ru) in TENANTS {
        stage.requested(key, ru);
    }
    stage
}

#[track_caller]
pub(super) fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
}

#[test]
fn one_key_too_large_for_any_partition() {
    let found = tenants().diagnosis();
    let verdict = found.verdict("HOT KEY");
    assert_eq!(verdict.key.as_deref(), Some("[\"D\"]"));
    assert_eq!((verdict.partition, verdict.severity), (Some(0), Severity::Alarm));
    assert_eq!(verdict.says(), ["helps, not enough", "no effect", "no effect", "fixes"]);
    close(verdict.throttled("now"), 5.0 / 17.0);
    // Six partitions of 9,983 RU/s.
    close(verdict.throttled("scale-up"), (12_000.0 - 59_900.0 / 6.0) / 17_000.0);
    close(verdict.throttled("redistribute"), 5.0 / 17.0);
    // A new container of 30,000 RU/s has 5 partitions of 6,000: by the hashes of D.1 to D.n 18 % are throttled with 2
    // suffixes, 6.5 % with 5, 14 % with 10 and 10 % with 20.
    close(verdict.throttled("suffixes-50"), 0.0);
    assert!(verdict.answers.more_ru.why.contains("12 % stay throttled at any RU/s"));
    let line = verdict.line();
    assert!(line.contains("partition 0 at 150 % (p99, 2 min), others ≤ 20 %"), "{line}");
    assert!(
        line.ends_with(
            "the partition can serve 10,000 (80 % of its RU while hot) · no RU/s fixes it: one key cannot use more than 10,000 RU/s"
        ),
        "{line}"
    );
    assert_eq!(verdict.since.map(Stamp::seconds), Some(START));
}

#[test]
fn a_key_that_is_half_of_a_calm_partition_is_none() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    stage.requested("D", 4000.0).requested("B", 500.0);
    let found = stage.diagnosis();
    assert!(!found.rules().contains(&"HOT KEY"), "{:?}", found.rules());
    let limits = Thresholds { hot_share: 0.4, ..Thresholds::default() };
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 120);
    stage.requested("D", 4000.0).requested("B", 500.0);
    assert!(stage.with(&limits).rules().contains(&"HOT KEY"));
}

#[test]
fn the_key_of_each_second_may_be_another() {
    let mut stage = DiagnosisFixture::new(Some(40_000.0), 4, 120);
    for second in START..START + 120 {
        let key = format!("plant-1-{second}");
        let at = stage.owner(&key);
        stage.logged_at(&key, "Create", at, second, 12_500.0);
        for plant in 2..20 {
            let key = format!("plant-{plant}-{second}");
            let at = stage.owner(&key);
            stage.logged_at(&key, "Create", at, second, 300.0);
        }
    }
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    assert!(verdict.line().contains("another key the next"), "{}", verdict.line());
    assert_eq!(verdict.says(), ["no effect", "makes it worse", "no effect", "fixes"]);
    assert_eq!(verdict.key, None);
    let headline = verdict.headline_text();
    let scope = "one key after another  4 partitions at ≥";
    assert!(headline.starts_with(scope), "{headline}");
    assert!(verdict.line().contains("plant-1-"), "{}", verdict.line());
}

/// Two keys of one partition, as food groups are.
fn two_keys(first: f64, second: f64) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(18_000.0), 3, 120);
    stage
        .requested("Beef Products", first)
        .requested("Soups, Sauces, and Gravies", second)
        .requested("Vegetable and Vegetable Products", 2500.0)
        .requested("Baked Products", 2000.0);
    stage
}

#[test]
fn several_keys_that_would_fit_apart() {
    let found = two_keys(5600.0, 900.0).diagnosis();
    let verdict = found.verdict("HOT RANGE");
    assert!(verdict.line().contains("[\"Beef Products\"] 86 %"), "{}", verdict.line());
    assert!(verdict.line().ends_with("each alone would fit"), "{}", verdict.line());
    assert_eq!(verdict.says(), ["fixes", "makes it worse", "fixes", "fixes"]);
    close(verdict.throttled("redistribute"), 0.0);
    assert!(verdict.throttled("split-all") > verdict.throttled("now"));
    // One of them too large for the partition by itself is a hot key.
    let found = two_keys(6100.0, 900.0).diagnosis();
    assert_eq!(found.verdicts.first().map(|v| v.rule.name()), Some("HOT KEY"));
    assert!(!found.rules().contains(&"HOT RANGE"));
}

/// No key of it is hot, all of one tenant are.
#[test]
fn the_hot_prefix_of_a_hierarchical_key_is_named() {
    let mut stage = DiagnosisFixture::new(Some(18_000.0), 3, 120);
    for user in 0..20 {
        stage.logged(&format!("[\"Contoso\",\"user-{user}\",\"s\"]"), "Read", 0, 270.0);
        stage.logged(&format!("[\"Fabrikam\",\"user-{user}\",\"s\"]"), "Read", 0, 20.0);
    }
    stage.logged("[\"Northwind\",\"user-1\",\"s\"]", "Read", 1, 1_500.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT RANGE");
    let headline = verdict.headline_text();
    assert!(headline.starts_with("partition 0 at 97 %  [\"Contoso\"] 93 %, 20 keys"), "{headline}");
    let line = verdict.line();
    assert!(line.ends_with("[\"Contoso\"] 93 %, 20 keys"), "{line}");
}

#[test]
fn a_key_is_limited_only_where_something_is_left_for_it() {
    for (others, expected) in [(900.0, 1), (6_500.0, 0)] {
        let found = two_keys(20_000.0, others).diagnosis();
        let remedies = &found.verdict("HOT KEY").remedies;
        let limited = remedies.iter().filter(|row| row.name == "limit-client");
        assert_eq!(limited.count(), expected, "{others}: {remedies:?}");
    }
}

#[test]
fn a_key_can_be_capped_where_the_account_caps_keys() {
    let found = two_keys(20_000.0, 900.0).account(Setting::KeyThrottling).diagnosis();
    let remedies = &found.verdict("HOT KEY").remedies;
    let row = remedies.iter().find(|row| row.name == "cap-key");
    let words = row.map(|row| row.words.as_str()).unwrap_or_default();
    assert!(words.starts_with("the key capped at "), "{remedies:?}");
    let found = two_keys(20_000.0, 900.0).diagnosis();
    assert!(found.verdict("HOT KEY").remedies.iter().all(|row| row.name != "cap-key"));
}

#[test]
fn a_partition_that_is_alone_is_not_all_of_several() {
    let mut stage = DiagnosisFixture::new(Some(5_000.0), 1, 300);
    for key in (0..100).map(|n| format!("customer-{n}")) {
        stage.logged(&key, "Create", 0, 60.0);
    }
    stage.requests(0, "Query", 1000, 300, 7000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("UNDER-PROVISIONED");
    let said = [verdict.headline_text(), verdict.line()];
    assert!(said.iter().all(|text| text.starts_with("the only partition ")), "{said:?}");
}

#[test]
fn a_metric_alone_names_no_key_but_suspects() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    let metric = [100.0, 20.0, 10.0];
    stage.metric(&metric).stores("D", &[9.0]).stores("B", &[9.5]);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT PARTITION");
    assert_eq!((verdict.partition, verdict.severity), (Some(0), Severity::Alarm));
    let line = verdict.line();
    assert!(line.contains("no log names the keys; suspect by size alone: [\"D\"]"), "{line}");
    assert_eq!(verdict.says(), ["unknown"; 4]);
    let steps = verdict.steps.first().unwrap().text(|_| String::new());
    assert!(steps.starts_with("az monitor diagnostic-settings create"), "{steps}");
    // With the RU log the key has a name.
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage.metric(&metric).requested("D", 9900.0);
    let found = stage.diagnosis();
    assert_eq!(found.verdicts.first().map(|v| v.rule.name()), Some("HOT KEY"));
}

#[test]
fn refusals_make_up_for_what_a_log_of_served_requests_lacks() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage.metric(&[100.0, 20.0, 10.0]).requested("D", 9900.0).requested("B", 500.0);
    let verdict = stage.diagnosis();
    // The partition gave all it could, and nothing tells what it refused.
    assert_eq!(verdict.verdict("HOT KEY").says(), ["unknown"; 4]);
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage.metric(&[100.0, 20.0, 10.0]).requested("D", 9000.0).requested("B", 500.0);
    stage.requests(0, "Create", 1000, 250, 9000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    // 9,000 served of which a quarter more was refused: 12,000 asked for.
    close(verdict.throttled("now"), 2000.0 / 12_500.0);
    let reported = verdict
        .evidence
        .iter()
        .any(|f| f.from.contains("with 429s by partition (25 % of the attempts at most)"));
    assert!(reported, "{:?}", verdict.evidence);
}

pub(super) fn even(ru_of_each: f64, keyless: &str, ru_each: f64) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(20_000.0), 4, 300);
    for at in 0..4 {
        if keyless.is_empty() {
            for key in (0..400).map(|n| format!("customer-{n}")) {
                if stage.owner(&key) == at {
                    stage.logged(&key, "Create", at, ru_of_each / 100.0);
                }
            }
        } else {
            stage.logged("", keyless, at, ru_of_each);
        }
        let throttled = if ru_of_each > 5000.0 { 300 } else { 0 };
        stage.requests(
            at,
            "Query",
            1000,
            throttled,
            ru_each * f64::from(1000 - u32::try_from(throttled).unwrap()),
        );
    }
    stage
}

#[test]
fn queries_without_the_key_visit_all() {
    let found = even(12_500.0, "Query", 2.5).diagnosis();
    let verdict = found.verdict("FAN-OUT");
    // 10,000 RU/s of each partition are not enough for 12,500, but better than 5,000.
    assert_eq!(verdict.says(), ["helps, not enough", "makes it worse", "no effect", "fixes"]);
    assert_eq!(verdict.partition, None);
    let says = |text: &str| {
        let mut steps = verdict.steps.iter().map(|step| step.text(|_| String::new()));
        steps.any(|step| step.contains(text))
    };
    assert!(
        says("global secondary index, which needs continuous backup") && !says("index (preview")
    );
    assert!(
        verdict.line().contains("queries without the key of 2.5 RU each"),
        "{}",
        verdict.line()
    );
    let index = verdict.evidence.iter().find(|fact| {
        let what = fact.what.text(|_| String::new());
        what.starts_with("global secondary index")
    });
    let costs = &index.unwrap().value;
    assert!(
        costs.starts_with("reads ") && costs.contains("; writes +0 RU/s on the index; net -"),
        "{costs}"
    );
    // Large queries, or writes without a key in the log, are no fan-out.
    for mut stage in [even(12_500.0, "Query", 50.0), even(12_500.0, "Create", 2.5)] {
        let found = stage.diagnosis();
        assert!(!found.rules().contains(&"FAN-OUT"), "{:?}", found.rules());
        assert!(found.rules().contains(&"UNDER-PROVISIONED"));
    }
    // Nor are queries of keys that are too small to be listed.
    let mut stage = DiagnosisFixture::new(Some(20_000.0), 4, 300);
    for at in 0..4 {
        stage.of_small_keys("Query", at, 12_500.0);
        stage.requests(at, "Query", 1000, 100, 2_250.0);
    }
    let found = stage.diagnosis();
    assert!(!found.rules().contains(&"FAN-OUT"), "{:?}", found.rules());
    let calm = even(1000.0, "Query", 2.5).diagnosis();
    assert_eq!(calm.rules(), ["HEALTHY"]);
}

#[test]
fn all_partitions_hot_want_more_ru() {
    let found = even(6000.0, "", 10.0).diagnosis();
    let verdict = found.verdict("UNDER-PROVISIONED");
    assert_eq!(verdict.says(), ["fixes", "no effect", "no effect", "no effect"], "{verdict:?}");
    assert!(verdict.throttled("now") > 0.1);
    assert!(verdict.answers.more_ru.why.contains("26,000 RU/s on 4 partitions"));
    assert!(!tenants().diagnosis().rules().contains(&"UNDER-PROVISIONED"));
}

#[test]
fn a_few_refusals_on_even_partitions_are_healthy() {
    let stage = |throttled: u64| {
        let mut stage = DiagnosisFixture::new(Some(20_000.0), 4, 300);
        stage.metric(&[100.0, 98.0, 100.0, 97.0]);
        for at in 0..4 {
            stage.requests(at, "Create", 1000, throttled, 9000.0);
        }
        stage.diagnosis()
    };
    let healthy = stage(30);
    assert_eq!(healthy.rules(), ["HEALTHY"]);
    let line = healthy.verdict("HEALTHY").line();
    assert!(line.contains("3.0 % of requests throttled (429); up to 5.0 % is healthy"), "{line}");
    assert_eq!(healthy.verdict("HEALTHY").says(), ["not needed"; 4]);
    let ill = stage(100);
    assert!(ill.rules().contains(&"UNDER-PROVISIONED"), "{:?}", ill.rules());
    assert!(!ill.rules().contains(&"HEALTHY"));
}

#[test]
fn without_load_it_is_said_what_to_switch_on() {
    let mut stage = DiagnosisFixture::new(Some(20_000.0), 4, 60);
    let found = stage.diagnosis();
    assert_eq!(found.rules(), ["NOT ENOUGH DATA"]);
    let steps: Vec<String> =
        found.verdicts[0].steps.iter().map(|s| s.text(|_| String::new())).collect();
    let reported = steps.join("\n");
    for part in [
        "az monitor metrics list",
        "PartitionKeyRUConsumption",
        "DataPlaneRequests5M",
        "billed by the GB",
    ] {
        assert!(reported.contains(part), "{part}");
    }
    // A second of load is no picture; a minute is.
    let mut second = DiagnosisFixture::new(Some(20_000.0), 4, 1);
    assert_eq!(second.requested("D", 10.0).diagnosis().rules(), ["NOT ENOUGH DATA"]);
    let mut minute = DiagnosisFixture::new(Some(20_000.0), 4, 60);
    assert!(!minute.metric(&[10.0; 4]).diagnosis().rules().contains(&"NOT ENOUGH DATA"));
}

#[test]
fn unknown_ru_leave_the_key_named_and_the_answers_open() {
    let mut stage = DiagnosisFixture::new(None, 3, 300);
    stage.metric(&[100.0, 20.0, 10.0]).requested("D", 9000.0).requested("B", 500.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    assert_eq!(verdict.key.as_deref(), Some("[\"D\"]"));
    assert_eq!(verdict.says(), ["unknown"; 4]);
    assert_eq!(verdict.answers.split.why, "no input has the RU/s of the partitions");
    stage.account(Setting::Serverless);
    stage.metric(&[100.0, 20.0, 10.0]).requested("D", 9000.0).requested("B", 500.0);
    let serverless = stage.diagnosis();
    let why = &serverless.verdict("HOT KEY").answers.split.why;
    assert_eq!(why, "the account is serverless: no RU/s are provisioned");
    assert!(verdict.line().ends_with("[\"D\"] is 100 % of its RU"), "{}", verdict.line());
}

#[test]
fn a_single_partition_can_still_have_a_hot_key() {
    let mut stage = DiagnosisFixture::new(Some(6000.0), 1, 120);
    stage.requested("D", 7000.0).requested("B", 500.0);
    let found = stage.diagnosis();
    // More RU/s split nothing yet: one partition gives up to 10,000.
    assert_eq!(
        found.verdict("HOT KEY").says(),
        ["fixes", "makes it worse", "no effect", "no effect"]
    );
}

#[test]
fn a_log_alone_names_its_key_and_leaves_open_whether_it_is_too_much() {
    let judged = |ru: f64| {
        let mut stage = DiagnosisFixture::new(None, 3, 10);
        stage.requested("D", ru).requested("B", 5.0).diagnosis()
    };
    let found = judged(5872.5);
    let verdict = found.verdict("HOT KEY");
    assert_eq!(found.worst().map(|v| v.rule.name()), Some("HOT KEY"));
    assert_eq!((verdict.severity, verdict.says()), (Severity::Warn, ["unknown"; 4]));
    assert!(verdict.line().contains("5,873 RU/s in its busiest second"), "{}", verdict.line());
    assert!(!judged(500.0).rules().contains(&"HOT KEY"));
}

#[test]
fn every_verdict_tells_what_it_was_measured_against() {
    let found = tenants().diagnosis();
    for verdict in &found.verdicts {
        let last = verdict.evidence.last().unwrap();
        assert_eq!(last.what.text(|_| String::new()), "measured against");
    }
    let hot = found.verdict("HOT KEY").evidence.last().unwrap();
    assert!(
        hot.value.contains("hot 90 %") && hot.value.contains("even 1.5 times"),
        "{}",
        hot.value
    );
}

#[test]
fn what_a_key_needs_is_its_own_busiest_second() {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    let at = stage.owner("D");
    stage.requested("D", 12_000.0);
    stage.logged_at("D", "Create", at, START + 10, 500.0);
    stage.logged_at("other", "Create", at, START + 20, 1_000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("HOT KEY");
    let needs = "needs 12,500 RU/s at its peak; the partition can serve 10,000";
    assert!(verdict.line().contains(needs), "{}", verdict.line());
    let busiest = verdict.evidence.iter().find(|f| f.value.starts_with("13,000 RU/s"));
    assert!(busiest.is_some());
}
