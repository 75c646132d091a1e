//! Rules of size.

use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};
use crate::analysis::findings::{Limits, Severity, findings};
use crate::analysis::overview::Standouts;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::report;
use crate::model::load::Limited;

const GIB: f64 = 1_048_576.0;

#[test]
fn a_key_over_20_gb_has_the_name_for_it() {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
    stage.stores("tenant-0001", &[13.5, 15.0, 16.5, 18.0]).stores("tenant-0002", &[21.6]);
    let found = stage.diagnosis();
    let verdict = found.verdict("KEY OVER 20 GB");
    assert_eq!(verdict.severity, Severity::Alarm);
    assert_eq!(verdict.key.as_deref(), Some("[\"tenant-0002\"]"));
    assert!(verdict.line().contains("108 %"), "{}", verdict.line());
    assert!(
        verdict.line().contains("writes get 403  21.6 GiB  1 more near 20 GB"),
        "{}",
        verdict.line()
    );
    assert_eq!(verdict.says(), ["no effect", "no effect", "no effect", "fixes"]);
    assert!(verdict.answers.new_key.why.contains("10 suffixes: 2.16 GiB each"));
    let values: Vec<&str> = verdict.evidence.iter().map(|f| f.value.as_str()).collect();
    assert!(values.iter().any(|v| v.contains("reaches 20 GB on 2026-07-0")), "{values:?}");
}

#[test]
fn other_keys_are_near_by_their_size_or_reach_20_gb_by_a_date() {
    let filling: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    for (others, said) in [
        (vec![vec![14.0], vec![15.0]], "21.6 GiB  2 more near 20 GB"),
        (vec![filling.to_vec()], "21.6 GiB  1 more full by 2026-10-12"),
        (
            vec![vec![14.0], filling.to_vec(), filling.to_vec()],
            "21.6 GiB  1 more near 20 GB  2 more full by 2026-10-12",
        ),
    ] {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
        stage.stores("tenant-0001", &[21.6]);
        for (sizes, name) in others.iter().zip(["a", "b", "c"]) {
            stage.stores(name, sizes);
        }
        let found = stage.diagnosis();
        let line = found.verdict("KEY OVER 20 GB").line();
        assert!(line.ends_with(said), "{line}");
    }
}

#[test]
fn marks_and_dates_decide_how_bad_it_is() {
    let severity = |gib: &[f64]| {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
        let found = stage.stores("tenant-0001", gib).diagnosis();
        let struck = found.verdicts.iter().find(|v| v.rule.name() == "KEY NEAR 20 GB");
        struck.map(|v| v.severity)
    };
    assert_eq!(severity(&[13.9]), None);
    assert_eq!(severity(&[14.0]), Some(Severity::Warn));
    assert_eq!(severity(&[18.0]), Some(Severity::Alarm));
    // Half full, and full in a month and a half, or in 36 days at the earliest.
    assert_eq!(severity(&[5.5, 7.0, 8.5, 10.0]), Some(Severity::Warn));
    assert_eq!(severity(&[1.0, 4.0, 7.0, 10.0]), Some(Severity::Alarm));
    assert_eq!(severity(&[13.0, 12.0, 11.0, 10.0]), None);
}

fn of_key(key: &str, gib_by_week: &[f64]) -> Verdict {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
    let found = stage.stores(key, gib_by_week).diagnosis();
    let mut of_key = found.verdicts.into_iter();
    of_key.find(|v| v.rule.name().ends_with("20 GB")).unwrap()
}

#[test]
fn suffixes_are_sized_for_a_year_of_growth_and_are_the_first_step() {
    let cases: [(&[f64], &str, &str); 4] = [
        (
            &[21.6],
            "fixes: change key, 2 suffixes: 10.8 GiB each today; growth unknown",
            "bucket(/id, 2)",
        ),
        (
            &[14.5, 14.5, 14.5, 14.5],
            "fixes: change key, 2 suffixes: 7.25 GiB each in a year, 36 % of the limit",
            "bucket(/id, 2)",
        ),
        (
            &[13.5, 15.0, 16.5, 18.0],
            "fixes: change key, 10 suffixes: 9.62 GiB each in a year, 48 % of the limit",
            "bucket(/id, 10)",
        ),
        (
            &[0.0, 30.0, 60.0, 90.0],
            "fixes: change key, add the level /id: each document its own key; 100 suffixes last 15 mo",
            "'/tenantId > /id' --suggest",
        ),
    ];
    for (gib, summary, part) in cases {
        let verdict = of_key("tenant-0001", gib);
        assert_eq!(verdict.remedy_summaries(), [summary]);
        let first = &verdict.doable_remedies()[0];
        assert_eq!(first.remedy, "change key");
        assert!(first.how[0].contains(part), "{:?}", first.how);
        let steps: Vec<String> = verdict.steps.iter().map(|s| s.text(|_| String::new())).collect();
        assert_eq!(steps[..first.how.len()], first.how);
        assert!(
            steps[first.how.len()..].iter().all(
                |s| s.starts_with("delete documents") || s.starts_with("open a support ticket")
            )
        );
    }
}

#[test]
fn growth_of_a_full_key_is_that_of_before() {
    let cases: [(&[f64], Option<&str>, &str); 4] = [
        // It stands at its limit for weeks, or came to it now.
        (
            &[8.0, 12.0, 16.0, 20.0, 20.0, 20.1, 20.0, 20.0],
            Some("+585 MiB a day"),
            "each in a year",
        ),
        (&[8.0, 12.0, 16.0, 20.0], Some("+585 MiB a day"), "in a year"),
        // One size of before shows no growth.
        (&[18.6, 20.0, 20.0, 20.0, 20.0], None, "growth unknown"),
        (&[20.0; 8], None, "growth unknown"),
    ];
    for (gib, growth, lasts) in cases {
        let verdict = of_key("tenant-0001", gib);
        let size = &verdict.evidence[0].value;
        let said = size.split(", ").find(|part| part.ends_with(" a day"));
        assert_eq!(said, growth, "{gib:?}");
        let why = &verdict.answers.new_key.why;
        assert!(why.contains(lasts), "{why}");
    }
}

#[test]
fn creates_that_get_403_show_what_a_full_key_would_gain() {
    let mut stage = with_403s("tenant-0002", 20.0, false);
    for at in 0..4 {
        stage.partition(at, |p| {
            (p.kib, p.documents) = (Some(40.0 * GIB), Some(10 << 20));
        });
    }
    // 27.8/s of 4 KiB.
    let of = |stage: &mut DiagnosisFixture| {
        let found = stage.diagnosis();
        let verdict = found.verdict("KEY OVER 20 GB");
        (verdict.evidence[1].value.clone(), verdict.answers.new_key.why.clone())
    };
    let (size, why) = of(&mut stage);
    assert!(size.contains("≈+9.16 GiB a day by creates"), "{size}");
    assert_eq!(why, "add the level /id: each document its own key; 100 suffixes last ≈7 mo");
    // Whose they are is not known where two full keys lie on the partition.
    let place = stage.owner("tenant-0002");
    let mut names = (3..).map(|n| format!("tenant-{n:04}"));
    let other = names.find(|name| stage.owner(name) == place).unwrap();
    stage.stores(&other, &[20.0]);
    assert!(of(&mut stage).1.ends_with("today; growth unknown"));
}

#[test]
fn a_size_that_no_number_of_suffixes_holds_is_said_so() {
    let few: [&[f64]; 4] = [&[1_500.0], &[3_000.0], &[1e12], &[2_900.0, 3_000.0, 3_100.0, 3_200.0]];
    for gib in few {
        let found = of_key("tenant-0001", gib).answers.new_key;
        let why =
            "add the level /id: each document its own key; this key needs more than 100 suffixes";
        assert_eq!((found.effect, found.why.as_str()), (RemedyEffect::Fixes, why), "{gib:?}");
    }
}

#[test]
fn a_key_of_a_month_is_judged_by_its_size_at_the_end() {
    let cases: [(&str, &[f64], Severity, &str); 4] = [
        ("2026-06", &[4.0, 8.0, 12.0], Severity::Warn, "85 % at its end on 2026-07-01"),
        ("2026-05", &[15.7; 4], Severity::Note, "its period is over"),
        ("PLANT-1-2026-06-20", &[19.0], Severity::Note, "its period is over"),
        ("2026-05", &[20.5; 4], Severity::Alarm, "writes get 403"),
    ];
    for (key, gib, severity, state) in cases {
        let verdict = of_key(key, gib);
        assert_eq!(verdict.severity, severity, "{key}");
        assert!(verdict.line().contains(state), "{}", verdict.line());
        assert_eq!(verdict.best_remedy().is_some(), severity > Severity::Note);
    }
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
    stage.stores("2026-05", &[15.7; 4]).metric(&[40.0; 4]);
    assert_eq!(stage.diagnosis().rules(), ["HEALTHY", "KEY NEAR 20 GB"]);
}

#[test]
fn a_partition_near_50_gb_will_be_split() {
    let filled = |gib: f64, load: f64| {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
        stage.partition(1, |p| p.kib = Some(gib * GIB)).metric(&[load; 4]);
        stage.diagnosis()
    };
    let found = filled(47.0, 80.0);
    let verdict = found.verdict("PARTITION FILLING");
    assert_eq!((verdict.severity, verdict.partition), (Severity::Warn, Some(1)));
    assert_eq!(verdict.says(), ["not needed", "fixes", "not needed", "not needed"]);
    assert_eq!(filled(47.0, 10.0).verdict("PARTITION FILLING").severity, Severity::Note);
    assert_eq!(filled(34.0, 80.0).rules(), ["HEALTHY"]);
}

/// 403s in the second five minutes of a log, on the partition of a key or on another one.
fn with_403s(key: &str, gib: f64, is_elsewhere: bool) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 600);
    let at = (stage.owner(key) + usize::from(is_elsewhere)) % 4;
    stage.stores(key, &[gib]);
    stage.requests_at(at, "Create", (START, 300), 1_000, 0, 5_000.0);
    stage.requests_at(at, "Create", (START + 300, 300), 1_000, 0, 5_000.0);
    stage.answered(at, "Create", (START + 300, 300), 403, (8_342, 0.0));
    stage
}

#[test]
fn a_full_key_says_how_many_403s_there_are_since_when() {
    let line = |gib: f64, is_elsewhere: bool| {
        let found = with_403s("tenant-0002", gib, is_elsewhere).diagnosis();
        let sized = found.verdicts.iter().find(|v| v.key.is_some()).unwrap();
        format!("{}  {}", sized.rule.name(), sized.line())
    };
    let count = "403s: 28/s  since 02:05–02:10";
    let key = "[\"tenant-0002\"]";
    assert_eq!(line(21.6, false), format!("KEY OVER 20 GB  {key}  21.6 GiB  {count}"));
    // An estimate a little below the limit is at it where writes get 403.
    assert_eq!(line(19.8, false), format!("KEY OVER 20 GB  {key}  19.8 GiB reported  {count}"));
    let found = with_403s("tenant-0002", 19.8, false).diagnosis();
    let facts = &found.verdict("KEY OVER 20 GB").evidence;
    assert_eq!(
        facts[2].value,
        "8,342 × 5 RU in 5 min = 139 RU/s, not in the demand: they are served again with another key"
    );
    assert!(line(19.8, true).starts_with("KEY NEAR 20 GB"));
    assert!(line(17.0, false).starts_with("KEY NEAR 20 GB"));
}

#[test]
fn a_key_that_is_full_by_its_403s_is_full_in_counts_dates_and_checks() {
    let of = |is_elsewhere: bool, limited: Limited| {
        let mut stage = with_403s("tenant-0002", 19.8, is_elsewhere);
        stage.limited(limited);
        let capture = stage.capture();
        let report = report(&capture, SummaryOptions::default());
        let standing = Standouts::of(&capture, 0, Ceiling::BINARY).unwrap();
        let limits = Limits::of(&report, Limits::DEFAULT_MAX_LOGICAL);
        let checked = findings(&report, &limits).remove(0).finding.sentence;
        (
            report.containers[0].marks.full,
            standing.first_at_limit().unwrap().1.state(),
            checked.rsplit_once(' ').unwrap().1.to_owned(),
        )
    };
    let unknown = Limited::default();
    let permission = Limited { of_other_403: 8_342, ..unknown };
    assert_eq!(of(false, unknown), (1, "over", "8,342)".to_owned()));
    let is_below = (0, "unknown", "%".to_owned());
    assert_eq!(of(true, unknown), is_below);
    assert_eq!(of(false, permission), is_below);
}

#[test]
fn what_403s_mean_depends_on_their_sub_status() {
    let found = |gib: f64, is_elsewhere: bool, limited: Limited| {
        let mut stage = with_403s("tenant-0002", gib, is_elsewhere);
        let found = stage.limited(limited).diagnosis();
        let mut verdicts = found.verdicts.into_iter();
        verdicts
            .find(|v| v.key.is_none() && v.headline_text().contains("403s: 28/s"))
            .map(|v| (v.rule.name(), v.severity, v.line()))
    };
    let unknown = Limited::default();
    let size = Limited { of_full_keys: 8_342, ..unknown };
    let other = Limited { of_other_403: 8_342, ..unknown };
    let cases = [
        (1.0, unknown, "403 FORBIDDEN", Severity::Warn, "sub-status unknown"),
        (1.0, size, "KEY OVER 20 GB", Severity::Alarm, "sub-status 1014"),
        (1.0, other, "403 FORBIDDEN", Severity::Note, "no sub-status 1014"),
    ];
    for (gib, limited, rule, severity, detail) in cases {
        let (name, is, line) = found(gib, false, limited).unwrap();
        assert_eq!((name, is), (rule, severity));
        assert!(line.starts_with(detail), "{line}");
    }
    // A full key explains those of its partition, and no others.
    assert_eq!(found(21.6, false, unknown), None);
    assert!(found(21.6, true, unknown).is_some());
    let both = Limited { of_full_keys: 12, ..other };
    let beside = found(21.6, true, both).map(|found| found.0);
    assert_eq!(beside, Some("403 FORBIDDEN"));
}

#[test]
fn metrics_count_403s_of_the_container() {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 120);
    for (status, requests) in [("201", 500.0), ("403", 12.0)] {
        stage.total_requests(&[("statuscode", status)], 0, requests);
        stage.total_requests(&[("statuscode", status)], 1, requests);
    }
    let found = stage.diagnosis();
    let verdict = found.verdict("403 FORBIDDEN");
    assert_eq!(verdict.headline_text(), "the container  403s: 24  since ≤02:00");
    // For the day before the clock, where that is long ago.
    assert!(verdict.since.is_some());
}

/// A new key is made once: its suffixes serve the load of one key and the size of another.
#[test]
fn one_number_of_suffixes_serves_load_and_size() {
    let cases: [(&[f64], &str, &str); 2] = [
        (&[19.4], "50 suffixes", "50 suffixes: 397 MiB each today"),
        (&[1.0, 17.0, 33.0, 49.0], "100 suffixes", "100 suffixes: "),
    ];
    for (gib, for_load, for_size) in cases {
        let mut stage = super::load::tenants();
        let found = stage.stores("A", gib).diagnosis();
        let best = found.verdict("HOT KEY").best_remedy().unwrap();
        assert_eq!(best.remedy, for_load);
        let mut verdicts = found.verdicts.iter();
        let size = verdicts.find(|v| v.rule.name().ends_with("20 GB")).unwrap();
        let why = &size.answers.new_key.why;
        assert!(why.starts_with(for_size), "{why}");
        let how = &size.answers.new_key.how;
        assert_eq!(*how, best.how);
    }
}
