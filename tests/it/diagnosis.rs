//! What is diagnosed of the built-in scenarios and of the samples, against what they are there to show.

use std::path::PathBuf;
use std::sync::Arc;

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::analysis::columns::Lookups;
use cosmoscope::analysis::design::query_visits;
use cosmoscope::analysis::diagnosis::note::{NameForm, Naming, note};
use cosmoscope::analysis::diagnosis::queries;
use cosmoscope::analysis::diagnosis::thresholds::Thresholds;
use cosmoscope::analysis::diagnosis::{Diagnoses, Diagnosis, Verdict};
use cosmoscope::analysis::findings::Severity;
use cosmoscope::analysis::heat::Heat;
use cosmoscope::analysis::mask::Masker;
use cosmoscope::analysis::rules::Rule;
use cosmoscope::analysis::trial::verdict::{Acceptance, RoutedTrial, verdicts};
use cosmoscope::analysis::trial::{KeyLog, Settings, Today};
use cosmoscope::model::capture::{Capture, CaptureBuilder};
use cosmoscope::source::import::{ImportOptions, import};
use cosmoscope::source::input::find;
use cosmoscope::source::scenario;
use cosmoscope::source::watch::Watch;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");

struct Diagnosed {
    capture: Capture,
    heat: Heat,
    all: Diagnoses,
}

impl Diagnosed {
    fn new(capture: Capture) -> Self {
        let heat = Heat::of(&capture);
        let lookups = Lookups::of(&capture, Ceiling::BINARY);
        let all = Diagnoses::of(&capture, &heat, &lookups, &Thresholds::default());
        assert_eq!(all.containers.len(), capture.containers.len());
        Self { capture, heat, all }
    }

    fn scenario(name: &str) -> Self {
        let builder = CaptureBuilder::new(1);
        scenario::load(name, query_visits, &builder).unwrap();
        Self::new(builder.finish())
    }

    fn samples(paths: &[&str]) -> Self {
        let paths = paths.iter().map(|p| PathBuf::from(SAMPLES).join(p));
        Self::read(&paths.collect::<Vec<_>>())
    }

    fn read(paths: &[PathBuf]) -> Self {
        let inputs = find(paths, &|| true).unwrap();
        let (options, watch) = (ImportOptions::default(), Watch::default());
        Self::new(import(&inputs, &options, &watch, &mut |_| Ok(())).unwrap())
    }

    fn number(&self, container: &str) -> usize {
        let mut all = self.capture.containers.iter();
        all.position(|c| c.name.container.as_deref() == Some(container)).unwrap()
    }

    fn container(&self, name: &str) -> &Diagnosis {
        &self.all.containers[self.number(name)]
    }

    /// The rule and the answers of the worst verdict.
    fn worst(&self, container: &str) -> (&'static str, [&'static str; 4]) {
        let worst = self.container(container).worst().unwrap();
        (worst.rule.name(), says(worst))
    }

    fn verdict(&self, container: &str, rule: &str) -> &Verdict {
        let mut verdicts = self.container(container).verdicts.iter();
        verdicts.find(|v| v.rule.name() == rule).unwrap()
    }
}

fn says(verdict: &Verdict) -> [&'static str; 4] {
    let answers = &verdict.answers;
    [&answers.more_ru, &answers.split, &answers.redistribute, &answers.new_key]
        .map(|a| a.effect.word())
}

fn line(verdict: &Verdict) -> String {
    let said = [&verdict.detail, &verdict.headline];
    let said = said.into_iter().find(|phrase| !phrase.is_empty()).unwrap();
    said.text(|key| key.unwrap_or("no key").to_owned())
}

fn refused(verdict: &Verdict, case: &str) -> f64 {
    let mut cases = verdict.remedies.iter();
    let row = cases.find(|w| w.name == case).unwrap();
    row.throttled.unwrap().point
}

/// A remedy cures up to this throttled share; more rejects a key on uneven partitions, and this on even ones.
const CURED: f64 = 0.01;
const REJECTED: f64 = 0.05;

/// The heat view, the first row of the remedies and the trial's column of today's key say the same, byte for byte.
fn tells_one_story(found: &Diagnosed) -> usize {
    let mut compared = 0;
    for (number, diagnosis) in (0_u32..).zip(&found.all.containers) {
        let name = found.capture.containers[number as usize].name.title();
        let Some(now) = diagnosis.now.as_ref().filter(|now| now.is_known) else {
            continue;
        };
        for verdict in &diagnosis.verdicts {
            if let Some(row) = verdict.remedies.iter().find(|r| r.name == "now") {
                assert_eq!(row.throttled, now.outcome.throttled_share, "{name}");
            }
        }
        let Some(logged) = KeyLog::of(&found.capture, number, Some(Arc::clone(now))) else {
            continue;
        };
        let today = Today::of(&found.capture, number, Some(Arc::clone(now))).unwrap();
        let settings = Settings {
            partitions: now.partitions.len(),
            ru_per_second: today.ru_per_second,
            load_ru_per_second: today.demand(),
            today: Some(Arc::new(today)),
            ..Settings::default()
        };
        let tried = logged.trial_with_routes(&logged.current, &settings);
        let trial = tried.unwrap().0;
        let text = |outcome| serde_json::to_string(outcome).unwrap();
        let outcome = text(trial.outcome.as_ref().unwrap());
        assert_eq!(outcome, text(&now.outcome), "{name}");
        let ids = now.outcome.partitions.iter().map(|p| p.id.as_str());
        let ids: Vec<&str> = ids.collect();
        assert_eq!(trial.placement.ids, ids, "{name}");
        let tried = RoutedTrial { trial: &trial, routed: &[] };
        let verdict = &verdicts(&[tried], &settings)[0];
        let share = now.outcome.throttled_share.unwrap().point;
        let says_throttled = verdict
            .reasons
            .iter()
            .any(|r| r.severity == Severity::Alarm && r.rule == Rule::ThrottledWrites);
        let is_rejected = share > REJECTED;
        assert_eq!(says_throttled, is_rejected, "{name}: {share}");
        if is_rejected {
            assert_eq!(verdict.standing, Acceptance::Reject, "{name}");
            let worst = diagnosis.worst().unwrap();
            assert_eq!(worst.severity, Severity::Alarm, "{name}");
        }
        let hot = [
            Rule::HotKey,
            Rule::HotRange,
            Rule::FanOut,
            Rule::UnderProvisioned,
            Rule::HotPartition,
        ];
        let is_hot = diagnosis.verdicts.iter().any(|v| hot.contains(&v.rule));
        assert!(is_hot || share <= CURED, "{name}: {share}");
        compared += 1;
    }
    compared
}

#[test]
fn heat_remedies_and_trial_share_one_outcome() {
    let scenarios: Vec<_> = scenario::list().iter().map(|s| s.name).collect();
    assert_eq!(scenarios.len(), 14);
    for name in scenarios {
        let compared = tells_one_story(&Diagnosed::scenario(name));
        assert!(compared > 0, "{name}");
    }
    assert!(tells_one_story(&Diagnosed::samples(&["."])) > 0);
    assert!(tells_one_story(&Diagnosed::samples(&EXPORTS)) > 0);
}

/// The same of a recording.
pub fn assert_one_story(recording: PathBuf) {
    assert!(tells_one_story(&Diagnosed::read(&[recording])) > 0);
}

#[test]
fn the_tenant_of_night_is_rejected_wherever_it_is_shown() {
    let found = Diagnosed::scenario("night");
    let verdict = found.verdict("orders", "HOT KEY");
    assert_eq!(verdict.key.as_deref(), Some("[\"contoso\"]"));
    assert_eq!(says(verdict), ["helps, not enough", "makes it worse", "no effect", "fixes"]);
    let key = found.container("orders").now.as_ref().unwrap();
    let key = key.outcome.hottest_key.as_ref().unwrap();
    assert!(key.key.contains("contoso") && key.peak > 10_000.0, "{key:?}");
    let mut all = scenario::list().into_iter();
    let look_at = all.find(|s| s.name == "night").unwrap().look_at;
    assert!(look_at.contains("Scaling up helps, not enough"), "{look_at}");
}

/// The command moves RU/s to the partitions that need what the row gives, and takes them from those that it gives less.
#[test]
fn the_redistribution_to_copy_is_the_one_that_was_judged() {
    let mut count = 0;
    for name in ["food", "burst", "launch"] {
        let found = Diagnosed::scenario(name);
        for diagnosis in &found.all.containers {
            let rows = diagnosis.verdicts.iter().flat_map(|verdict| &verdict.remedies);
            let Some(row) = rows.into_iter().find(|row| row.name == "redistribute") else {
                continue;
            };
            let Some(command) = row.how.first() else { continue };
            let (before, sources) = command.split_once("--source-partition-info").unwrap();
            let partitions = &diagnosis.now.as_ref().unwrap().outcome.partitions;
            assert_eq!(partitions.len(), row.given.len());
            for (partition, given) in partitions.iter().zip(&row.given) {
                let more = given - partition.capacity.unwrap();
                let target = format!("{}={}", partition.id, given.floor());
                let is_target = more > 1.0 && partition.peak > partition.capacity.unwrap();
                assert_eq!(before.contains(&target), is_target, "{name} {target}: {command}");
                let is_source =
                    sources.split_whitespace().any(|id| id.trim_matches('\'') == partition.id);
                assert_eq!(is_source, more < -1.0, "{name}: {command}");
                count += 1;
            }
        }
    }
    assert!(count >= 7, "{count}");
}

#[test]
fn six_tenants() {
    let found = Diagnosed::scenario("tenants");
    assert_eq!(
        found.worst("tickets"),
        ("HOT KEY", ["helps, not enough", "no effect", "no effect", "fixes"])
    );
    let verdict = found.container("tickets").worst().unwrap();
    assert_eq!(verdict.key.as_deref(), Some("[\"D\"]"));
    assert!((refused(verdict, "now") - 0.294_118).abs() < 1e-6);
    let ratio = verdict.remedies[0].imbalance.unwrap();
    assert!((ratio - 2.647_059).abs() < 1e-6);
    assert!(
        verdict
            .answers
            .more_ru
            .why
            .ends_with("12 % stay throttled at any RU/s: one key cannot use more than 10,000 RU/s")
    );
    // In a new container of 5 partitions; ten suffixes, as in the training material, fit on its 3 partitions.
    assert!(refused(verdict, "suffixes-50") < 1e-9);
    let limit_date = found.verdict("tickets", "KEY NEAR 20 GB");
    assert_eq!(limit_date.key.as_deref(), Some("[\"A\"]"));
}

#[test]
fn food_groups() {
    let found = Diagnosed::scenario("food");
    assert_eq!(found.worst("foods"), ("HOT RANGE", ["fixes", "makes it worse", "fixes", "fixes"]));
    let verdict = found.container("foods").worst().unwrap();
    let line = line(verdict);
    assert!(
        line.contains("partition 1") && line.contains("[\"Soups, Sauces, and Gravies\"] 14 %"),
        "{line}"
    );
    // At the same RU/s a split makes it worse: three partitions of 6,000 become six of 3,000.
    assert!(refused(verdict, "split-all") > 0.2 && refused(verdict, "redistribute") < 1e-9);
}

#[test]
fn the_connected_car() {
    let found = Diagnosed::scenario("car");
    assert_eq!(found.worst("by-model").0, "KEY OVER 20 GB");
    let full = found.verdict("by-model", "KEY OVER 20 GB");
    assert!(line(full).contains("19.8 GiB reported  403s: 28/s  since ≤23:55"));
    assert_eq!(found.worst("by-month").0, "HOT KEY");
    assert!(line(found.verdict("by-month", "HOT KEY")).contains("others idle"));
    assert_eq!(found.worst("by-device").0, "KEY NEAR 20 GB");
    let hourly = found.verdict("by-device", "KEY NEAR 20 GB");
    assert!(hourly.key.as_ref().unwrap().contains("hourly-"));
    assert_eq!(found.worst("by-device-and-month").0, "HEALTHY");
}

#[test]
fn fifteen_plants() {
    let found = Diagnosed::scenario("plants");
    assert_eq!(
        found.worst("by-plant"),
        ("KEY OVER 20 GB", ["no effect", "no effect", "no effect", "fixes"])
    );
    let limit_date = found.verdict("by-plant", "KEY OVER 20 GB");
    assert!(
        line(limit_date).contains("[\"PLANT-1\"]") && line(limit_date).contains("403"),
        "{}",
        line(limit_date)
    );
    // At 17.5 GiB a day 100 suffixes are full in 113 days.
    let why = &limit_date.answers.new_key.why;
    assert_eq!(why, "add the level /id: each document its own key; 100 suffixes last 4 mo");
    // PLANT-1 of today asks for a little more than its partition gives: 1,012 of 901 RU/s.
    assert_eq!(found.worst("by-plant-and-date").0, "HOT KEY");
    let size = found.verdict("by-plant-and-date", "KEY NEAR 20 GB");
    assert_eq!(size.severity, Severity::Warn);
    let at_end = "87 % of 20 GB  87 % at its end on 2026-07-01  17.4 GiB";
    assert!(line(size).ends_with(at_end), "{}", line(size));
    assert_eq!(
        found.worst("by-plant-and-epoch"),
        ("HOT KEY", ["helps, not enough", "makes it worse", "no effect", "fixes"])
    );
    let epoch = found.container("by-plant-and-epoch").worst().unwrap();
    assert!(
        line(epoch).contains(" at its peak; the partition can serve ")
            && line(epoch).contains("), another key the next"),
        "{}",
        line(epoch)
    );
    assert_eq!(found.worst("by-uuid").0, "HEALTHY");
}

#[test]
fn events_and_customers() {
    let found = Diagnosed::scenario("events");
    assert_eq!(found.worst("events").0, "KEY NEAR 20 GB");
    let limit_date = found.container("events").worst().unwrap();
    assert_eq!(
        (limit_date.severity, limit_date.key.as_deref()),
        (Severity::Warn, Some(r#"["Contoso","gateway","always-on"]"#))
    );
    let found = Diagnosed::scenario("customers");
    assert_eq!(found.worst("customers"), ("HEALTHY", ["not needed"; 4]));
    let rules = found.container("customers").verdicts.iter().map(|v| v.rule);
    assert_eq!(rules.collect::<Vec<_>>(), [Rule::Healthy]);
}

#[test]
fn suffixes_and_users() {
    let found = Diagnosed::scenario("suffix");
    // The logs end at midnight: the next date lies on another partition than RU/s are redistributed to.
    let says = ["fixes", "makes it worse", "no effect", "fixes"];
    assert_eq!(found.worst("by-date"), ("HOT KEY", says));
    let verdict = found.container("by-date").worst().unwrap();
    assert!(refused(verdict, "now") > 0.5, "more than half are refused");
    assert_eq!(found.worst("by-date-and-suffix").0, "HEALTHY");
    let found = Diagnosed::scenario("users");
    assert_eq!(found.worst("by-username").0, "HEALTHY");
    assert_eq!(found.worst("by-favorite-color").0, "HOT RANGE");
    let verdict = found.container("by-favorite-color").worst().unwrap();
    assert!(line(verdict).contains("[\"blue\"] 61 %"), "{}", line(verdict));
}

#[test]
fn ten_thousand_queries() {
    let found = Diagnosed::scenario("fanout");
    assert_eq!(
        found.worst("without-key"),
        ("FAN-OUT", ["no effect", "makes it worse", "no effect", "fixes"])
    );
    let verdict = found.container("without-key").worst().unwrap();
    assert!(line(verdict).contains("25,000 RU/s on each"), "{}", line(verdict));
    assert!((refused(verdict, "now") - 0.6).abs() < 1e-9);
    assert!((refused(verdict, "scale-up") - 0.6).abs() < 2e-3, "more partitions would not help");
    assert_eq!(found.worst("with-key").0, "HEALTHY");
}

/// What an on-call engineer exports: metrics, ranges, the RU log and totals of requests.
const EXPORTS: [&str; 5] = [
    "ru/partition-key-ru-consumption.portal-us.csv",
    "ru/data-plane-requests-5m.portal-us.csv",
    "metrics",
    "arm",
    "stats/container-read",
];

#[test]
fn the_samples_tell_the_hot_key() {
    let found = Diagnosed::samples(&EXPORTS);
    let verdict = found.container("orders").worst().unwrap();
    assert_eq!((verdict.rule.name(), verdict.severity), ("HOT KEY", Severity::Alarm));
    assert_eq!(verdict.key.as_deref(), Some("[\"tenant-0001\"]"));
    assert_eq!(
        line(verdict),
        "partition 3 at 100 % (p99, 5 min), others ≤ 24 % · [\"tenant-0001\"] needs 7,065 RU/s at its peak; the partition can serve 6,000 (99.8 % of its RU while hot)"
    );
    assert_eq!(verdict.region.as_deref(), Some("West Europe"));
    // Served at most 5,872.5 RU/s while 18 % of the attempts were 429s: at most 7,065 were requested.
    assert_eq!(says(verdict), ["fixes", "makes it worse", "fixes", "fixes"]);
    let estimated =
        verdict.evidence.iter().find(|f| f.from.contains("with 429s by partition")).unwrap();
    assert!(estimated.from.contains("18 %"), "{}", estimated.from);
    let limit_date = found.verdict("orders", "KEY OVER 20 GB");
    assert_eq!(limit_date.key.as_deref(), Some("[\"tenant-0002\"]"));
    assert!(line(limit_date).contains("21.6 GiB  403s: 12  since ≤02:00"));
}

#[test]
fn what_refuses_nothing_needs_nothing_and_says_so_in_whole_sentences() {
    let found = Diagnosed::samples(&[EXPORTS[0], "arm", "stats/container-read"]);
    let verdict = found.verdict("orders", "HOT KEY");
    assert_eq!(says(verdict), ["not needed"; 4]);
    assert_eq!(
        verdict.answers.new_key.why,
        "0 % of the RU throttled; partition 3 reaches 98 % of its RU/s"
    );
}

#[test]
fn the_whole_folder_tells_both() {
    let found = Diagnosed::samples(&["."]);
    let rules: Vec<_> = found
        .container("orders")
        .verdicts
        .iter()
        .map(|v| (v.rule.name(), v.key.as_deref().unwrap()))
        .take(2)
        .collect();
    assert_eq!(rules, [("HOT KEY", "[\"tenant-0001\"]"), ("KEY OVER 20 GB", "[\"tenant-0002\"]")]);
    let carts = found.container("carts").worst().unwrap();
    assert_eq!(carts.rule, Rule::NullKey);
    // The older table tells of five of the same seconds: it does not count, and the headline says so.
    let hot = found.container("orders").worst().unwrap();
    assert_eq!(
        line(hot),
        "partition 3 at 100 % (p99, 5 min), others ≤ 24 % · [\"tenant-0001\"] needs 7,065 RU/s at its peak; the partition can serve 6,000 (99.8 % of its RU while hot) · judged by CDBPartitionKeyRUConsumption (29,543 RU); AzureDiagnostics has 27,550 RU of the same seconds"
    );
    let alone = Diagnosed::samples(&EXPORTS);
    let alone = alone.container("orders").now.as_ref().unwrap();
    let whole = found.container("orders").now.as_ref().unwrap();
    assert_eq!(alone.outcome, whole.outcome);
    for (container, diagnosis) in found.capture.containers.iter().zip(&found.all.containers) {
        assert!(diagnosis.worst().is_some(), "{}", container.name.title());
    }
}

#[test]
fn metrics_alone_name_suspects_only() {
    let found = Diagnosed::samples(&["metrics", "arm", "stats/container-read"]);
    let verdict = found.container("orders").worst().unwrap();
    assert_eq!(verdict.rule, Rule::HotPartition);
    assert!(
        line(verdict).contains("suspect by size alone: [\"tenant-0001\"]"),
        "{}",
        line(verdict)
    );
}

#[test]
fn a_masked_note_and_its_queries_tell_no_name() {
    let found = Diagnosed::samples(&EXPORTS);
    let masker = Masker::new(b"salt");
    let number = found.number("orders");
    let container = &found.capture.containers[number];
    let json = |json: &str| masker.key(json).into();
    let naming = Naming {
        names: NameForm::Invented,
        container: &masker.container(&container.name),
        group: None,
        shown: &|key: Option<&str>| key.map_or_else(String::new, json),
        json: &json,
    };
    for verdict in &found.all.containers[number].verdicts {
        let note = note(verdict, &naming, None);
        assert_eq!(note.lines().count(), 5, "{note}");
        // What is to be run stays whole.
        let mut lines = note.lines().skip(2).take(2);
        assert!(lines.all(|l| l.chars().count() <= 200), "{note}");
        let queries = queries::text(verdict, &found.heat.containers[number], container, &naming);
        let steps: String = verdict.steps.iter().map(|s| s.text(naming.shown)).collect();
        for name in ["northpier", "orders", "tenant-"] {
            for text in [&note, &queries, &steps] {
                assert!(!text.contains(name), "{name} in {text}");
            }
        }
    }
}
