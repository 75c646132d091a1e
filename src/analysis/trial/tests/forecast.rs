//! Growth, the date of the limit date, keys within a second, and times that disagree.

use super::super::super::candidate::DateUnit;
use super::super::super::ceiling::Ceiling;
use super::super::super::findings::Severity;
use super::super::super::growth::LimitDate;
use super::super::super::routing::workload::Workload;
use super::super::super::rules::Rule;
use super::super::forecast::{ForecastReason, Rate};
use super::super::verdict::{RoutedTrial, created_otherwise, verdicts};
use super::*;
use crate::model::time::Stamp;

const GIB: f64 = (1 << 30) as f64;
/// 2026-06-20T00:00:00Z.
const START: i64 = 1_781_913_600;

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn time(second: i64) -> Cell {
    text(Stamp::from_seconds(second).unwrap().rfc3339())
}

/// A document a minute for three days: of four one is the first plant's.
fn plants() -> Documents {
    let row = |n: i64| {
        let plant = if n % 4 == 0 { 0 } else { 1 + n % 14 };
        let cells = vec![text(format!("plant-{plant}")), time(START + n * 60)];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..3 * 1_440).map(row).collect();
    documents(&["plant", "time"], &rows, &coded())
}

fn growing(bytes_per_day: f64) -> Settings {
    Settings { growth_bytes_per_day: Some(bytes_per_day), ..Settings::default() }
}

fn near(found: f64, wanted: f64, part: f64) -> bool {
    (found / wanted - 1.0).abs() < part
}

#[test]
fn requests_that_create_documents_at_another_rate_are_told() {
    let documents = plants();
    // A document of 1,000 bytes a minute; a load that is given scales the rates.
    for (a_second, load, is_told) in [
        (0.016, None, false),
        (1.0, None, true),
        (0.005, None, true),
        (1.0, Some(0.016 * 5.0), false),
    ] {
        let sql = format!("-- name: write\n-- rate: {a_second}/s\ncreate;");
        let settings = Settings {
            workload: Arc::new(Workload::parse(&sql)),
            load_ru_per_second: load,
            ..growing(1_440_000.0)
        };
        let trials = trials(&documents, settings.clone());
        let (trial, routed) = trials.trial_while(&parsed("/plant"), &|| true).unwrap();
        let said = created_otherwise(&trial, &routed, &settings);
        assert_eq!(said.is_some(), is_told, "{a_second}: {said:?}");
    }
}

#[test]
fn plant_and_date_hold_a_quarter_of_a_day() {
    let documents = plants();
    let key = parsed("/plant + \"-\" + day(/time)");
    let ahead = trials(&documents, growing(70.0 * GIB)).trial(&key).ahead;
    assert_eq!(ahead.turn, Some(KeyTurn::Unit(DateUnit::Day)));
    assert!(near(ahead.most_bytes.unwrap(), 17.5 * GIB, 1e-9));
    assert_eq!((ahead.limit_date, ahead.because), (LimitDate::Never, ForecastReason::PeriodEnds));
    // At the stated rate a day of the largest plant is 216 GiB: full 20 / 216 of a day after midnight.
    let ahead = trials(&documents, growing(864.0 * GIB)).trial(&key).ahead;
    assert!(near(ahead.most_bytes.unwrap(), 216.0 * GIB, 1e-9));
    let LimitDate::Date { at, earliest, latest } = ahead.limit_date else {
        unreachable!("{:?}", ahead.limit_date)
    };
    let midnight = START + 3 * 86_400;
    assert!((at.seconds() - midnight - 8_000).abs() <= 1, "{at:?}");
    assert!(earliest < at && latest.unwrap() > at);
}

#[test]
fn documents_grow_alike_under_every_key() {
    // Each day has a hundred documents more than the one before; no device has enough to tell a rate of its own.
    let row = |n: i64| {
        let day = (1..20).find(|day| n < 50 * day * (day + 1)).unwrap_or(20);
        let cells = vec![
            text(format!("plant-{}", n % 3)),
            text(format!("device-{}", n % 2_000)),
            time(START + day * 86_400 + n % 80_000),
        ];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..10_000).map(row).collect();
    let documents = documents(&["plant", "device", "time"], &rows, &coded());
    let trials = trials(&documents, whole());
    let keys = ["/plant", "/device", "/device > /id", "/plant + \"-\" + hour(/time)"];
    let rates = keys.map(|key| {
        let ahead = trials.trial(&parsed(key)).ahead;
        (ahead.all_bytes_per_day, ahead.rate)
    });
    assert!(rates[0].0.is_some());
    assert!(rates.iter().all(|rate| *rate == rates[0]), "{rates:?}");
}

#[test]
fn a_plant_alone_goes_on_growing() {
    let ahead = trials(&plants(), growing(70.0 * GIB)).trial(&parsed("/plant")).ahead;
    assert_eq!((ahead.turn, ahead.most_bytes), (None, None));
    let LimitDate::Date { at, .. } = ahead.limit_date else {
        unreachable!("{:?}", ahead.limit_date)
    };
    let days = at.days_since(ahead.as_of.unwrap());
    // 1,080 documents of 1,000 bytes are there already.
    assert!(near(days, 20.0 / 17.5, 1e-3), "{days}");
    assert_eq!(ahead.rate, Rate::Given);
}

#[test]
fn vehicle_and_month_stay_far_below_the_limit() {
    // 1 KB a second for 360 minutes a day.
    let daily = 21.093_75 * 1_048_576.0;
    let row = |n: i64| (vec![text("car-1"), time(START + n * 3_600)], 1_000);
    let rows: Vec<_> = (0..60 * 24).map(row).collect();
    let documents = documents(&["vin", "time"], &rows, &coded());
    let trials = trials(&documents, growing(daily));
    let by_month = trials.trial(&parsed("/vin + \"-\" + month(/time)")).ahead;
    // The material counts 30.5 days a month, August has 31.
    assert!(near(by_month.most_bytes.unwrap(), 0.628_28 * GIB, 0.02));
    assert_eq!(by_month.because, ForecastReason::PeriodEnds);
    let LimitDate::Date { at, .. } = trials.trial(&parsed("/vin")).ahead.limit_date else {
        unreachable!()
    };
    let years = at.days_since(Stamp::from_seconds(START + 60 * 86_400).unwrap()) / 365.0;
    assert!(near(years, 2.66, 0.01), "{years}");
}

/// A document of 1,000 bytes an hour for a hundred days: of key A for the first half, then of key B.
fn halves() -> Documents {
    let row = |n: i64| {
        let cells = vec![
            text(if n < 1_300 { "A" } else { "B" }),
            time(START + n * 3_600),
            Cell::Number(i32::try_from(n).unwrap()),
        ];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..2_400).map(row).collect();
    documents(&["k", "time", "id"], &rows, &coded())
}

/// The documents at hand are all of the container.
fn whole() -> Settings {
    Settings { stored_documents: Some(1.0), ..Settings::default() }
}

fn small(kib: f64) -> Settings {
    Settings { ceiling: Ceiling::given(kib).unwrap(), ..whole() }
}

#[test]
fn a_rate_is_that_of_the_last_days_and_of_the_key_that_grows() {
    let trial = trials(&halves(), small(2_000.0)).trial(&parsed("/k"));
    let ahead = &trial.ahead;
    assert_eq!(ahead.key, Some(vec![KeyPart::Text("B".into())].into()));
    let [low, likely, high] = ahead.bytes_per_day.unwrap();
    assert!(near(likely, 24_000.0, 1e-3) && low <= likely && likely <= high);
    assert!(matches!(ahead.rate, Rate::Documents { days } if near(days, 25.0, 1e-2)));
    let LimitDate::Date { at, .. } = ahead.limit_date else {
        unreachable!("{:?}", ahead.limit_date)
    };
    // 1,100 documents are there.
    let wanted = (2_000.0 * 1_024.0 - 1_100_000.0) / 24_000.0;
    assert!(near(at.days_since(ahead.as_of.unwrap()), wanted, 1e-2));
    let later = Settings { as_of: Stamp::from_seconds(START + 200 * 86_400), ..small(2_000.0) };
    let LimitDate::Date { at: moved, .. } =
        trials(&halves(), later).trial(&parsed("/k")).ahead.limit_date
    else {
        unreachable!()
    };
    assert!((moved.days_since(at) - 100.0).abs() < 0.1);
}

#[test]
fn deleted_documents_bound_a_key() {
    let kept = |days| Settings { kept_days: Some(days), ..small(2_000.0) };
    let bounded = trials(&halves(), kept(30.0)).trial(&parsed("/k")).ahead;
    assert_eq!((bounded.limit_date, bounded.because), (LimitDate::Never, ForecastReason::Deleted));
    assert!(near(bounded.most_bytes.unwrap(), 720_000.0, 1e-3));
    // 100 days of 24,000 bytes are more than the limit.
    let open = trials(&halves(), kept(100.0)).trial(&parsed("/k")).ahead;
    assert_eq!(open.because, ForecastReason::Grows);
}

#[test]
fn what_cannot_grow_or_be_told_says_so() {
    let found =
        |key: &str, settings: Settings| trials(&halves(), settings).trial(&parsed(key)).ahead;
    let each = found("/id", Settings::default());
    assert_eq!((each.limit_date, each.because), (LimitDate::Never, ForecastReason::OneEach));
    let full = found("/k", small(1_000.0));
    assert_eq!((full.limit_date, full.because), (LimitDate::Over, ForecastReason::Full));
    let undated = documents(&["k"], &[(vec![text("A")], 10), (vec![text("A")], 10)], &coded());
    let ahead = trials(&undated, Settings::default()).trial(&parsed("/k")).ahead;
    assert_eq!((ahead.limit_date, ahead.because), (LimitDate::Unknown, ForecastReason::NoTime));
    let rows: Vec<_> = (0..50).map(|n| (vec![text("A"), time(START + n)], 10)).collect();
    let brief = documents(&["k", "time"], &rows, &coded());
    let ahead = trials(&brief, whole()).trial(&parsed("/k")).ahead;
    assert_eq!((ahead.limit_date, ahead.because), (LimitDate::Unknown, ForecastReason::TooShort));
    // Of a container of unknown size the documents may be any part.
    for settings in [Settings::default(), small(2_000.0)] {
        let is_open = settings.stored_documents.is_none();
        let ahead = trials(&halves(), settings).trial(&parsed("/k")).ahead;
        assert_eq!(ahead.because == ForecastReason::SizeUnknown, is_open);
        assert_eq!(ahead.all_bytes_per_day.is_none(), is_open);
    }
}

#[test]
fn a_stored_month_is_known_as_the_date_of_writing_and_a_birthday_is_not() {
    let row = |n: i64| {
        let second = START + n * 7_200;
        let written = Stamp::from_seconds(second).unwrap().date_text();
        let born = format!("19{:02}-03-{:02}", 50 + n % 40, 1 + n % 28);
        let month = written.get(..7).unwrap();
        let of_city = [month, &format!("20{:02}-03-01", n % 20)];
        let [city_month, city_born] = of_city.map(|date| text(format!("city-{}-{date}", n % 3)));
        let cells = vec![text(month), text(born), city_month, city_born, time(second)];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..1_000).map(row).collect();
    let names = ["month", "born", "cityMonth", "cityBorn", "time"];
    let documents = documents(&names, &rows, &coded());
    let trials = trials(&documents, Settings::default());
    let period = |key: &str| match trials.trial(&parsed(key)).ahead.turn {
        Some(KeyTurn::Unit(unit)) => Some(unit),
        Some(KeyTurn::Values { .. }) | None => None,
    };
    assert_eq!(period("/month"), Some(DateUnit::Month));
    assert_eq!(period("prefix(/time, 10)"), Some(DateUnit::Day));
    assert_eq!(period("/born"), None);
    // A date inside a text, alone and with suffixes; `born` is none of writing.
    assert_eq!(period("/cityMonth"), Some(DateUnit::Month));
    assert_eq!(period("/cityMonth + \".\" + bucket(/born, 2)"), Some(DateUnit::Month));
    assert_eq!(period("/cityBorn"), None);
    assert_eq!(period("year(/time) + \"-\" + /born"), Some(DateUnit::Year));
}

/// A key of a channel and its bucket of ten days holds ten days; what moves on once may stay as it is now.
#[test]
fn values_that_follow_each_other_end_their_keys() {
    const DAYS: i64 = 30;
    let row = |n: i64| {
        let of = |parts: i64| text((n * parts / 6_000).to_string());
        let channel = text(format!("channel-{}", n % 7));
        let cells = vec![of(3), of(2), channel, time(START + n * DAYS * 86_400 / 6_000)];
        (cells, 1_000)
    };
    let rows: Vec<_> = (0..6_000).map(row).collect();
    let documents = documents(&["bucket", "version", "channel", "time"], &rows, &coded());
    let trials = trials(&documents, growing(70.0 * GIB));
    let ahead = |key: &str| trials.trial(&parsed(key)).ahead;
    let joined = ahead("/channel + \"-\" + /bucket");
    assert!(matches!(joined.turn, Some(KeyTurn::Values { .. })), "{joined:?}");
    assert!(near(joined.most_bytes.unwrap(), 100.0 * GIB, 0.02), "{:?}", joined.most_bytes);
    for key in ["/channel + \"-\" + /version", "/channel"] {
        assert_eq!((ahead(key).turn, ahead(key).most_bytes), (None, None), "{key}");
    }
}

#[test]
fn writes_of_a_month_lie_on_the_partitions_that_hold_it() {
    let row = |n: i64| {
        let second = START + n * 1_200;
        let written = Stamp::from_seconds(second).unwrap().date_text();
        let month = text(written.get(..7).unwrap());
        (vec![month, text(format!("user-{n}")), time(second)], 1_000)
    };
    // 90 days, of which the last 18 are of September: 600 GiB.
    let rows: Vec<_> = (0..6_480).map(row).collect();
    let documents = documents(&["month", "user", "time"], &rows, &coded());
    let settings = Settings {
        stored_bytes: Some(600.0 * GIB),
        ru_per_second: Some(60_000.0),
        load_ru_per_second: Some(30_000.0),
        partitions: 12,
        ..Settings::default()
    };
    let key = parsed("/month > /user");
    let trial = trials(&documents, settings).trial(&key);
    let partitions = trial.placement.partitions.iter();
    let held = partitions.clone().filter(|p| p.documents > 0.0).count();
    let busy = partitions.filter(|p| p.ru_per_second.unwrap() > 1.0).count();
    let all = trial.placement.partitions.len();
    assert!(busy > 1 && 2 * busy < held && held < all, "{busy} {held} {all}");
    assert!(trial.placement.load_ratio_ru.unwrap() > 2.0);
}

#[test]
fn measured_sizes_that_stand_say_why_where_that_is_known() {
    let named = |has_time_to_live: bool| {
        let today = Today { has_time_to_live, ..Today::default() };
        let settings = Settings { today: Some(Arc::new(today)), ..Settings::default() };
        let mut trial = trials(&plants(), growing(GIB)).trial(&parsed("/plant"));
        trial.ahead.limit_date = LimitDate::Never;
        trial.ahead.because = ForecastReason::Idle;
        let mut of = |rate: Rate| {
            trial.ahead.rate = rate;
            let one = RoutedTrial { trial: &trial, routed: &[] };
            let verdict = verdicts(&[one], &settings).remove(0);
            let reasons = verdict.reasons.into_iter();
            let mut of_growth = reasons.filter(|r| r.rule == Rule::LimitDateNear);
            of_growth.next().unwrap().sentence
        };
        [of(Rate::Logged), of(Rate::Given)]
    };
    let given = "No key gets documents any more: none grows.";
    assert_eq!(named(false), ["No measured key grows.", given]);
    let expire =
        "No measured key grows: documents expire as new ones arrive (1.00 GiB/day in all).";
    assert_eq!(named(true), [expire, given]);
}

#[test]
fn keys_within_a_second_are_counted() {
    let row = |n: i64| {
        let cells = vec![text(format!("k{}", n % 10)), time(START + n / 5)];
        (cells, 100)
    };
    let rows: Vec<_> = (0..3_000).map(row).collect();
    let documents = documents(&["k", "time"], &rows, &coded());
    let trials = trials(&documents, Settings::default());
    let active = |key: &str| trials.trial(&parsed(key)).writes.unwrap().active.unwrap();
    let by_key = active("/k");
    assert_eq!((by_key.mean, by_key.seconds, by_key.at_least), (5.0, 600, false));
    assert_eq!(by_key.interval, Some([5.0, 5.0]));
    assert!((by_key.documents - 5.0).abs() < 1e-9);
    assert!((active("day(/time)").mean - 1.0).abs() < 1e-9);
}

#[test]
fn what_a_sample_shows_at_least_is_never_called_fewer() {
    // Ten documents a second of ten keys, of which every hundredth is in the sample.
    let row = |n: i64| {
        let cells = vec![text(format!("k{}", n % 10)), time(START + n * 10)];
        (cells, 100)
    };
    let rows: Vec<_> = (0..3_000).map(row).collect();
    let documents = documents(&["k", "time"], &rows, &coded());
    let stored_documents = Some(300_000.0);
    let settings = Settings { stored_documents, partitions: 10, ..Settings::default() };
    let trial = trials(&documents, settings.clone()).trial(&parsed("/k"));
    let active = trial.writes.as_ref().unwrap().active.unwrap();
    assert!(active.at_least && active.mean < 10.0 && active.documents >= 10.0, "{active:?}");
    let one = RoutedTrial { trial: &trial, routed: &[] };
    let reasons = verdicts(&[one], &settings).remove(0).reasons;
    let reason = reasons.iter().find(|r| r.rule == Rule::ActiveKeys).unwrap();
    assert_eq!(reason.severity, Severity::Warn);
    let said = &reason.sentence;
    assert!(said.contains("at least") && !said.contains("fewer"), "{said}");
}

#[test]
fn times_that_disagree_are_pointed_out() {
    let row = |n: i64| {
        let cells = vec![
            time(START + n * 60),
            time(START + n * 60 + 5),
            time(START + (n * 7_919 % 1_000) * 60),
        ];
        (cells, 100)
    };
    let rows: Vec<_> = (0..1_000).map(row).collect();
    let documents = documents(&["time", "savedTime", "dueDate"], &rows, &coded());
    let prepared = PreparedDocuments::new(documents, None);
    let found = prepared.disagreements();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].other.to_string(), "/dueDate");
    assert!((0.3..0.7).contains(&found[0].share));
}

#[test]
fn one_moment_in_several_forms_is_pointed_out_where_they_are_apart() {
    const TICKS_OF_1970: i64 = 62_135_596_800;
    let notes = |hours: i64, years: i64| {
        let row = |n: i64| {
            let at = START + n * 60;
            let ticks = (at + TICKS_OF_1970 + years * 365 * 86_400) * 10_000_000;
            let cells =
                vec![time(at), text(ticks.to_string()), text((at + hours * 3_600).to_string())];
            (cells, 100)
        };
        let rows: Vec<_> = (0..3).map(row).collect();
        let documents = documents(&["time", "ticks", "epoch"], &rows, &coded());
        let settings = Settings::default();
        let trials = trials(&documents, settings);
        let trial = trials.trial(&parsed("/time"));
        let notes = trials.notes(&[&trial]);
        notes.into_iter().find(|note| note.contains("disagree"))
    };
    assert_eq!(notes(0, 0), None);
    let found = notes(3, -8).unwrap();
    let readings = ["/time 2", "/ticks 2", "/epoch 2"];
    assert!(readings.iter().all(|part| found.contains(part)), "{found}");
}

#[test]
fn a_dated_key_writes_to_the_keys_of_one_date_at_a_time() {
    let row = |n: i64| {
        let cells = vec![
            text(format!("city-{}", n % 8)),
            text(format!("device-{}", n % 500)),
            time(START + n * 50),
        ];
        (cells, 100)
    };
    let rows: Vec<_> = (0..50_000).map(row).collect();
    let documents = documents(&["city", "device", "time"], &rows, &coded());
    let few = |key: &str, partitions: usize| {
        let settings = Settings { partitions, ..Settings::default() };
        let trial = trials(&documents, settings.clone()).trial(&parsed(key));
        let one = RoutedTrial { trial: &trial, routed: &[] };
        let verdict = verdicts(&[one], &settings).remove(0);
        let reason = verdict.reasons.into_iter().next().unwrap();
        let is_few = reason.rule == Rule::ActiveKeys;
        (trial.keys_at_a_time, is_few.then_some(reason.severity))
    };
    let dated = "/city + \"-\" + hour(/time)";
    assert_eq!(few(dated, 10), (Some(8), Some(Severity::Warn)));
    // A document of the present hour goes to one key of that hour.
    assert_eq!(few("hour(/time)", 10).0, Some(1));
    // One partition serves whatever is written; many keys spread.
    assert_eq!(few(dated, 1), (Some(8), None));
    assert_eq!(few("/device + \"-\" + hour(/time)", 10), (Some(500), None));
    assert_eq!(few("/device", 10), (None, None));
}
