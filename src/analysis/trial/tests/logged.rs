//! Keys that are made of the current one, from logged sizes alone.

use super::super::super::ceiling::Ceiling;
use super::super::super::growth::LimitDate;
use super::super::super::overview::Standouts;
use super::super::super::skew::WholeOf;
use super::super::super::testing::{GIB, Log, NEWEST, ORDERS, seconds};
use super::super::forecast::ForecastReason;
use super::*;
use crate::analysis::routing::Routing;
use crate::analysis::routing::workload::Workload;
use crate::analysis::rules::Rule;
use crate::model::capture::Capture;
use crate::model::time::Stamp;

impl KeyLog {
    fn trial(&self, candidate: &Candidate, settings: &Settings) -> Result<Trial, CannotTell> {
        Ok(self.trial_with_routes(candidate, settings)?.0)
    }
}

/// One key with one size of 1 GiB.
fn measured_once() -> Log {
    let log = Log::new("stats.csv");
    let at = Some(seconds(NEWEST));
    log.reading(ORDERS, r#"["big"]"#, "West Europe", at, GIB);
    log
}

/// Two keys that grow by 1 and 0.1 GiB a week, one without history; 60 GiB in two partitions.
fn orders() -> Capture {
    let log = Log::new("stats.csv");
    let weeks =
        |largest: f64, by: f64| [3.0, 2.0, 1.0, 0.0].map(|back| (largest - back * by) * GIB);
    log.weeks(ORDERS, r#"["big"]"#, "West Europe", &weeks(16.0, 1.0))
        .weeks(ORDERS, r#"["small"]"#, "West Europe", &weeks(2.0, 0.1))
        .reading(ORDERS, r#"["still"]"#, "West Europe", Some(seconds(NEWEST)), GIB)
        .facts(ORDERS, &["/tenant"], &[40.0 * GIB, 20.0 * GIB]);
    log.capture()
}

fn logged() -> KeyLog {
    KeyLog::of(&orders(), 0, None).unwrap()
}

fn gib(bytes: f64) -> f64 {
    bytes / 1024.0 / GIB
}

fn settings() -> Settings {
    Settings { partitions: 4, ..Settings::default() }
}

fn trial_of(key: &str) -> Trial {
    logged().trial(&parsed(key), &settings()).unwrap()
}

#[test]
fn the_current_key_is_what_the_logs_report() {
    let trial = trial_of("/tenant");
    let of = WholeOf::Container;
    assert_eq!(trial.basis, TrialBasis::Statistics { keys: 3, of });
    assert!((gib(trial.largest_bytes) - 16.0).abs() < 1e-9);
    assert!((gib(trial.whole.bytes) - 60.0).abs() < 1e-9);
    assert_eq!((trial.k_eff, trial.writes.is_some()), (None, false));
    let LimitDate::Date { at, .. } = trial.ahead.limit_date else {
        unreachable!("{:?}", trial.ahead.limit_date)
    };
    // 4 GiB are missing, a week brings one.
    assert!((at.days_since(seconds(NEWEST)) - 28.0).abs() < 0.01);
    let placed: f64 = trial.placement.partitions.iter().map(|p| p.bytes).sum();
    assert!((gib(placed) - 60.0).abs() < 1e-9);
    assert!(trial.findings.iter().any(|f| f.rule == Rule::StatisticsOnly));
}

#[test]
fn a_suffix_divides_each_key_and_its_growth() {
    let trial = trial_of("/tenant + \".\" + random(8)");
    assert!((gib(trial.largest_bytes) - 2.0).abs() < 1e-9);
    assert_eq!(trial.distinct.seen, 24);
    let LimitDate::Date { at, .. } = trial.ahead.limit_date else {
        unreachable!("{:?}", trial.ahead.limit_date)
    };
    // 18 GiB at an eighth of a GiB a week.
    assert!((at.days_since(seconds(NEWEST)) - 18.0 * 8.0 * 7.0).abs() < 0.1);
    let key: Key = vec![KeyPart::Text("big.3".into())].into();
    assert!(trial.placement.load_ratio_storage < trial_of("/tenant").placement.load_ratio_storage);
    let all = Settings { top: 100, ..settings() };
    let all = logged().trial(&parsed("/tenant + \".\" + random(8)"), &all).unwrap();
    assert!(all.top.iter().any(|top| top.key == key));
}

#[test]
fn a_date_divides_by_what_is_known_of_growth() {
    let trial = trial_of("/tenant + \"-\" + month(/time)");
    // A month of the fastest key: 30 or 31 days of a seventh of a GiB.
    let most = gib(trial.ahead.most_bytes.unwrap());
    assert!((4.2..4.5).contains(&most), "{most}");
    assert_eq!(trial.ahead.limit_date, LimitDate::Never);
    assert!(trial.findings.iter().any(|f| f.rule == Rule::GrowthNotLogged));
    assert!(gib(trial.largest_bytes) < 5.0);
}

#[test]
fn the_id_below_leaves_no_key_larger_than_a_document() {
    let trial = trial_of("/tenant > /id");
    assert!((trial.largest_bytes - 2_097_152.0).abs() < 1e-9);
    assert_eq!(trial.ahead.limit_date, LimitDate::Never);
    let [first, both] = trial.levels.as_slice() else { unreachable!("{:?}", trial.levels) };
    // The tenant stays as large as it is; of documents none has more than its 2 MB.
    assert_eq!((first.distinct, both.distinct), (3, 3));
    assert!((first.largest_share - 16.0 / 60.0).abs() < 1e-9);
    assert!((both.largest_share - 2.0 / 1024.0 / 60.0).abs() < 1e-9);
}

#[test]
fn no_document_is_taken_to_be_larger_than_the_largest_key() {
    let log = Log::new("stats.csv");
    for (key, kib) in [(r#"["a"]"#, 500.0), (r#"["b"]"#, 300.0)] {
        log.reading(ORDERS, key, "West Europe", Some(seconds(NEWEST)), kib);
    }
    log.facts(ORDERS, &["/tenant"], &[900.0]);
    let logged = KeyLog::of(&log.capture(), 0, None).unwrap();
    let trial = logged.trial(&parsed("/tenant > /id"), &settings()).unwrap();
    assert!((trial.largest_bytes - 500.0 * 1024.0).abs() < 1e-6, "{}", trial.largest_bytes);
    assert!((trial.top_share.share - 500.0 / 900.0).abs() < 1e-9);
}

#[test]
fn the_trial_takes_the_growth_of_a_full_key_that_the_overview_shows() {
    let forecast = |gib: &[f64]| {
        let log = Log::new("stats.csv");
        let kib: Vec<f64> = gib.iter().map(|gib| gib * GIB).collect();
        log.weeks(ORDERS, r#"["big"]"#, "West Europe", &kib);
        log.facts(ORDERS, &["/tenant"], &[30.0 * GIB]);
        let logged = KeyLog::of(&log.capture(), 0, None).unwrap();
        let suffixed = parsed("/tenant + \"-\" + bucket(/id, 10)");
        let trial = logged.trial(&suffixed, &settings()).unwrap();
        (trial.ahead.limit_date.state(), trial.ahead.because)
    };
    // 0.4 GiB a week for each of ten, whether it stands at its limit since or not.
    for gib in [&[8.0, 12.0, 16.0, 20.0][..], &[8.0, 12.0, 16.0, 20.0, 20.0, 20.0]] {
        assert_eq!(forecast(gib), ("date", ForecastReason::Grows), "{gib:?}");
    }
    let held = [18.6, 20.0, 20.0, 20.0];
    assert_eq!(forecast(&held), ("unknown", ForecastReason::NotLogged));
}

#[test]
fn each_level_of_a_hierarchical_key_is_told_by_itself() {
    let log = Log::new("stats.csv");
    for (key, gib) in [(r#"["a","x"]"#, 5.0), (r#"["a","y"]"#, 4.0), (r#"["b","x"]"#, 6.0)] {
        log.reading(ORDERS, key, "West Europe", Some(seconds(NEWEST)), gib * GIB);
    }
    log.facts(ORDERS, &["/tenant", "/user"], &[30.0 * GIB]);
    let logged = KeyLog::of(&log.capture(), 0, None).unwrap();
    let trial = logged.trial(&parsed("/tenant > /user"), &settings()).unwrap();
    let reported: Vec<(u64, f64)> = trial
        .levels
        .iter()
        .map(|level| (level.distinct, (level.largest_share * 30.0).round()))
        .collect();
    assert_eq!(reported, [(2, 9.0), (3, 6.0)]);
}

#[test]
fn what_the_logs_know_nothing_of_is_refused_with_what_documents_would_add() {
    for key in [
        "/device",
        "/tenant > /device",
        "/tenant + \"-\" + /device",
        "lower(/tenant)",
        "month(/time)",
    ] {
        let throttled = logged().trial(&parsed(key), &settings()).unwrap_err();
        let sentence = throttled.sentence;
        assert!(sentence.starts_with(&parsed(key).to_string()), "{sentence}");
        assert!(sentence.contains("without documents"), "{sentence}");
    }
}

#[test]
fn without_the_size_of_the_container_no_ratio_is_told() {
    let log = measured_once();
    log.facts(ORDERS, &["/tenant"], &[]);
    let logged = KeyLog::of(&log.capture(), 0, None).unwrap();
    let trial = logged.trial(&parsed("/tenant"), &settings()).unwrap();
    let of = WholeOf::ReportedKeys;
    assert_eq!(trial.basis, TrialBasis::Statistics { keys: 1, of });
    assert_eq!(trial.placement.load_ratio_storage, None);
    assert_eq!(
        (trial.ahead.limit_date, trial.ahead.because),
        (LimitDate::Unknown, ForecastReason::NotLogged)
    );
    assert_eq!(KeyLog::of(&Capture::default(), 0, None), None);
}

#[test]
fn of_the_current_key_every_source_shows_the_measured_size_and_date() {
    let capture = orders();
    let mut today = Today::of(&capture, 0, None).unwrap();
    let found = Standouts::of(&capture, 0, Ceiling::default()).unwrap();
    today.measured = Some(found.clone());
    let settings =
        Settings { stored_bytes: today.stored_bytes, today: Some(today.into()), ..settings() };
    let row = |key: &str| (vec![Cell::Text(key.into())], 1_000);
    let documents = documents(&["tenant"], &[row("big"), row("small")], &coded());
    let current = parsed("/tenant");
    let by_documents = trials(&documents, settings.clone()).trial(&current);
    let by_logs = logged().trial(&current, &settings).unwrap();
    let (row, date) = found.first_at_limit().unwrap();
    for trial in [by_documents, by_logs] {
        assert!((gib(trial.largest_bytes) - 16.0).abs() < 1e-9);
        assert_eq!(trial.ahead.limit_date, date);
        assert_eq!(trial.ahead.rate, Rate::Logged);
        let key = trial.ahead.key.map(|key| key.canonical().into_boxed_str());
        assert_eq!(key, row.key);
    }
    // A growth that is given counts before samples, and the size is that of the samples.
    let given = Settings { growth_bytes_per_day: Some(1024.0 * GIB), ..settings };
    let trial = trials(&documents, given).trial(&current);
    assert!((gib(trial.largest_bytes) - 16.0).abs() < 1e-9);
    assert_eq!(trial.ahead.rate, Rate::Given);
}

#[test]
fn what_is_measured_below_the_limit_is_not_over_it_and_its_growth_is_shared_by_candidates() {
    // One size of a day tells no growth: documents that would fill the key say nothing then.
    let log = measured_once();
    log.facts(ORDERS, &["/tenant"], &[30.0 * GIB]);
    let row = |n: i32, key: &str| {
        let seconds = 1_780_000_000 + i64::from(n) * 3_600;
        let time = Stamp::from_seconds(seconds).unwrap().rfc3339();
        let cells = [key.to_owned(), time, format!("d{}", n % 2), n.to_string()];
        (cells.map(Cell::Text).into(), 1_000)
    };
    let of = |capture: &Capture, rows: &[(Vec<Cell>, u32)], key: &str| {
        let today = Today {
            measured: Standouts::of(capture, 0, Ceiling::default()),
            ..Today::of(capture, 0, None).unwrap()
        };
        let settings = Settings {
            stored_bytes: today.stored_bytes,
            today: Some(Arc::new(today)),
            ..settings()
        };
        let documents = documents(&["tenant", "time", "half", "id"], rows, &coded());
        trials(&documents, settings).trial(&parsed(key))
    };
    let rows: Vec<_> = (0..400).map(|n| row(n, "big")).collect();
    let full = of(&log.capture(), &rows, "/tenant");
    assert!((gib(full.largest_bytes) - 1.0).abs() < 1e-9);
    assert_eq!(full.ahead.limit_date, LimitDate::Unknown);
    // Both keys are measured: 1.1 GiB a week in all, whatever the documents' times tell.
    let log = Log::new("stats.csv");
    let weeks =
        |largest: f64, by: f64| [3.0, 2.0, 1.0, 0.0].map(|back| (largest - back * by) * GIB);
    log.weeks(ORDERS, r#"["big"]"#, "West Europe", &weeks(16.0, 1.0))
        .weeks(ORDERS, r#"["small"]"#, "West Europe", &weeks(2.0, 0.1))
        .facts(ORDERS, &["/tenant"], &[18.0 * GIB]);
    let rows: Vec<_> = (0..900).map(|n| row(n, if n % 9 == 0 { "small" } else { "big" })).collect();
    let grown = log.capture();
    for (key, date) in [("/half", true), ("/tenant", true), ("/id", false)] {
        let trial = of(&grown, &rows, key);
        let all = gib(trial.ahead.all_bytes_per_day.unwrap()) * 7.0;
        assert!((all - 1.1).abs() < 0.05, "{key} {all}");
        assert_eq!(trial.ahead.rate, Rate::Logged, "{key}");
        let by_times = trial.ahead.of_documents_per_day.map(|of| gib(of) * 7.0);
        assert!(by_times.is_some_and(|of| of > 3.0), "{key} {by_times:?}");
        let is_date = matches!(trial.ahead.limit_date, LimitDate::Date { .. });
        assert_eq!(is_date, date, "{key} {:?}", trial.ahead.limit_date);
        let is_never = trial.ahead.limit_date == LimitDate::Never;
        assert_eq!(is_never, key == "/id");
    }
}

#[test]
fn growth_of_some_keys_is_told_and_that_of_all_where_the_overview_knows_it() {
    let logged_growth = trial_of("/tenant").ahead.logged.unwrap();
    assert_eq!((logged_growth.keys, logged_growth.of), (2, 3));
    // 1.1 GiB a week.
    assert!((gib(logged_growth.bytes_per_day) - 1.1 / 7.0).abs() < 1e-6);
    let given = Settings { growth_bytes_per_day: Some(1.0), ..settings() };
    let ahead = logged().trial(&parsed("/tenant"), &given).unwrap().ahead;
    assert_eq!((ahead.logged, ahead.all_bytes_per_day), (None, Some(1.0)));
}

#[test]
fn queries_are_routed_without_documents_by_every_key() {
    let queries = "SELECT * FROM c WHERE c.tenant = @t; SELECT * FROM c WHERE c.city = @c";
    let settings = Settings { workload: Arc::new(Workload::parse(queries)), ..settings() };
    let routing = |key: &str| {
        let found = logged().trial_with_routes(&parsed(key), &settings);
        let routed = found.map_or_else(|cannot| cannot.routed, |(_, routed)| routed);
        routed.iter().map(|one| one.route.routing).collect::<Vec<_>>()
    };
    let all = Routing::FanOut { of: 4 };
    assert_eq!(routing("/tenant")[0], Routing::Single);
    assert_eq!(routing("/city"), [all, Routing::Single]);
    // The logged keys show on how many partitions what is below one of them lies.
    let Routing::Targeted { visits, of: 4 } = routing("/tenant > /id")[0] else {
        unreachable!("{:?}", routing("/tenant > /id"))
    };
    assert!((visits - 1.0).abs() < 1e-9);
}

/// The large key has 12,000 of 13,000 RU/s: with the id below, splits divide what it has, and throttled share and RU/s to buy are
/// of the same partitions.
#[test]
fn a_hot_key_with_the_id_below_is_split_where_ru_are_raised() {
    let mut logged = logged();
    logged.today.logged.by_key = [("[\"big\"]", 12_000.0), ("[\"small\"]", 1_000.0)]
        .map(|(key, ru)| (key.into(), ru))
        .into();
    for key in &mut logged.keys {
        let ru = logged.today.logged.by_key.get(key.key.canonical().as_str());
        key.ru = ru.copied().unwrap_or(0.0);
    }
    let settings = Settings {
        ru_per_second: Some(40_000.0),
        load_ru_per_second: Some(13_000.0),
        stored_bytes: Some(60.0 * GIB * 1024.0),
        ..settings()
    };
    let by_id = logged.trial(&parsed("/tenant > /id"), &settings).unwrap();
    let placement = &by_id.placement;
    assert_eq!(placement.layout, LayoutFrom::CreationSplit { from: 2 });
    assert!(placement.throttled_share.unwrap() < 0.01, "{placement:?}");
    assert!(by_id.to_buy[0].ru.unwrap().point <= 40_000.0, "{:?}", by_id.to_buy);
    let plain = logged.trial(&parsed("/tenant"), &settings).unwrap();
    assert!(plain.to_buy[0].ru.is_err());
    // What is bought is enough once it is provisioned, where keys lie by their hashes.
    let ranges = Some(keys::even(2, 1));
    let today: Arc<Today> = Today { ranges, ..logged.today.clone() }.into();
    for key in ["/tenant > /id", "/tenant + \".\" + random(5)"] {
        let trial = |ru| {
            let on = Settings {
                ru_per_second: Some(ru),
                today: Some(Arc::clone(&today)),
                ..settings.clone()
            };
            logged.trial(&parsed(key), &on).unwrap()
        };
        let point = trial(40_000.0).to_buy[0].ru.unwrap().point;
        let share = trial(point).placement.throttled_share.unwrap();
        assert!(share <= 0.01 + 1e-9, "{key}: {share} at {point}");
    }
}
