//! A forecast as scripts and people get it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::Diagnoses;
use crate::analysis::forecast::{ContainerLevel, ForecastQuestion, Retention};
use crate::analysis::testing::*;

fn northpier_forecast(kept_days: Option<f64>) -> Forecast {
    let capture = northpier();
    let asked = ForecastQuestion { kept_days, top: Some(2), ..ForecastQuestion::default() };
    let lookups = Lookups::of(&capture, asked.ceiling);
    let mut made = Forecast::of(&capture, &lookups, &Diagnoses::default(), &asked);
    let now = (24_000.0, 4);
    let ladder = Ladder::of(ThroughputMode::Manual, now, None, Some(150_000.0));
    made.ladders = vec![(ContainerName::new(None, Some("shop"), Some("orders")), ladder)];
    made
}

fn written(name: &str, forecast: &Forecast) -> String {
    let mut out = Vec::new();
    format(name).unwrap()(forecast, Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn people_read_what_comes_next_and_what_is_not_listed() {
    let text = written("text", &northpier_forecast(None));
    let expected = "\
At a limit or over it now: 1. Next: key tenant-0001 in northpier-prod / shop /
orders reaches 20 GB on 2026-07-01 ±6 d.

  now  key tenant-0002 in northpier-prod / shop / orders: 21.6 GiB, 108 % of
    20 GB, +140 MiB a day; writes to it get 403
  on 2026-07-01 ±6 d  key tenant-0001 in northpier-prod / shop / orders:
    18.0 GiB, 90 % of 20 GB, +219 MiB a day; then writes to it get 403

RU/s of shop / orders
Now 24,000 RU/s, manual, on 4 partitions.
  up to   partitions     takes lowest RU/s afterwards
  40,000           4   at once                    400
  80,000           8  4 to 6 h                    800
  160,000         16 8 to 12 h                  1,600
For 150,000 RU/s on even partitions: set 160,000, wait until the splits are
done, then set 150,000. Set at once, 150,000 RU/s need 11 splits, of partitions
that the service chooses; the limits above hold for the worst choice.

";
    assert!(text.starts_with(expected), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "5 keys: no date, as growth is unknown or within the error (1 % of the partition).",
        "2 keys: never at the 20 GB limit as they grow now.",
    ] {
        assert!(flat.contains(said), "{said}\n{text}");
    }
    assert!(!text.contains("How RU/s grow"), "{text}");
}

#[test]
fn sizes_that_level_off_have_no_date() {
    let mut forecast = northpier_forecast(Some(30.0));
    forecast.limits.remove(0);
    forecast.reached = 0;
    let text = written("text", &forecast);
    assert!(text.starts_with("No limit has a date.\n"), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "never: levels off at 6.43 GiB key tenant-0001 in northpier-prod / shop / orders: 18.0 GiB, 90 % of 20 GB, +219 MiB a day";
    assert!(flat.contains(line), "{text}");
}

#[test]
fn scripts_get_every_figure() {
    let value: serde_json::Value =
        serde_json::from_str(&written("json", &northpier_forecast(None))).unwrap();
    let first = &value["limits"][1];
    assert_eq!(first["key"], serde_json::json!(["tenant-0001"]));
    assert_eq!(
        (first["date"].as_str(), first["earliest"].as_str(), first["latest"].as_str()),
        (Some("2026-07-01"), Some("2026-06-27"), Some("2026-07-07"))
    );
    assert_eq!(value["scaling"][0]["steps"][1]["hours"], serde_json::json!([4, 6]));
    assert_eq!(value["scaling"][0]["then_lower_to"], 150_000.0);
    let csv = written("csv", &northpier_forecast(None));
    let mut lines = csv.lines();
    let cells = |line: &str| line.split(',').count();
    let head = lines.next().unwrap();
    assert!(lines.all(|line| cells(line) == cells(head)), "{csv}");
    let page = written("md", &northpier_forecast(None));
    let table = page.lines().filter(|line| line.starts_with("| "));
    let bars: Vec<usize> = table.take(3).map(|line| line.matches('|').count()).collect();
    assert_eq!(bars, [9, 9, 9], "{page}");
    for format in ["md", "html"] {
        let page = written(format, &northpier_forecast(None));
        for expected in ["2026-07-01 ±6 d", "108 %", "+219 MiB", "8 to 12 h"] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
    }
}

#[test]
fn what_a_split_does_not_change_is_said() {
    let mut forecast = northpier_forecast(None);
    let limit = forecast.limits.last().unwrap().clone();
    forecast.limits = vec![NextLimit {
        subject: LimitSubject::Partition("7".to_owned()),
        kind: LimitKind::PartitionSize,
        largest_key: Some(LargestKey { key: Some(r#"["big, one"]"#.into()), share: 0.83 }),
        ..limit
    }];
    for (_, ladder) in &mut forecast.ladders {
        ladder.has_uneven_ru = true;
    }
    for format in ["text", "md", "html"] {
        let page = written(format, &forecast);
        let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("a split leaves key big, one whole: 83 % of it"), "{page}");
        assert!(flat.contains("the policy is Custom"), "{page}");
    }
    let csv = written("csv", &forecast);
    assert!(csv.ends_with(",\"[\"\"big, one\"\"]\",0.83\n"), "{csv}");
    let value: serde_json::Value = serde_json::from_str(&written("json", &forecast)).unwrap();
    let first = &value["limits"][0];
    assert_eq!(first["largest_key"], serde_json::json!(["big, one"]));
    assert_eq!(first["largest_key_share"], 0.83);
    assert_eq!(value["scaling"][0]["has_uneven_ru"], true);
}

#[test]
fn a_container_levels_off_in_every_format() {
    let mut forecast = northpier_forecast(None);
    let name = forecast.limits.first().unwrap().name.clone();
    forecast.levels = vec![ContainerLevel {
        name,
        now_kib: 900.0 * GIB,
        growth_a_day: 70.0 * GIB,
        retention: Retention { days: 30.0, is_default: true },
        level_kib: 2_100.0 * GIB,
        partitions: 42,
    }];
    for format in ["text", "md", "html"] {
        let page = written(format, &forecast);
        let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = "kept 30 d by its default time to live: levels off at 2,100 GiB (42 partitions)";
        assert!(flat.contains(end), "{page}");
    }
    let csv = written("csv", &forecast);
    let cells = |line: &str| line.split(',').count();
    let rows: Vec<usize> = csv.lines().map(cells).collect();
    assert!(rows.iter().all(|n| Some(n) == rows.first()), "{csv}");
    let value: serde_json::Value = serde_json::from_str(&written("json", &forecast)).unwrap();
    assert_eq!(value["containers"][0]["levels_off_at"], 2_202_010_000.0_f64);
    assert_eq!(value["containers"][0]["is_default_time_to_live"], true);
}
