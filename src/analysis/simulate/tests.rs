//! Time lapses against closed forms.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]

mod load;

use super::*;
use crate::analysis::diagnosis::testing::definition;
use crate::model::layout::tests::hash;
use crate::model::units::{KIB_PER_GIB, LOGICAL_CEILING_KIB, PHYSICAL_CEILING_KIB, as_number};

const DAY_S: i64 = 86_400;
/// 1 KB each second for six hours a day.
const DRIVER_KIB: f64 = 21_600.0;

fn question(days: i64) -> SimulateQuestion {
    SimulateQuestion {
        ceiling: Ceiling::BINARY,
        until_s: days * DAY_S,
        step_s: 1,
        load_factor: 1.0,
        load_growth: None,
        ru_per_second: None,
        partitions: None,
        growth_factor: 1.0,
        kept_days: None,
        retries: None,
        overflow: OverflowPolicy::Stop,
        stop_at: None,
        seed: 1,
    }
}

fn json(name: &str) -> Box<str> {
    format!("[\"{name}\"]").into()
}

/// Keys of this KiB and KiB a day on even partitions of 10,000 RU/s.
fn container(partitions: usize, keys: &[(&str, f64, f64)]) -> LapseStart {
    let layout = Layout::even(partitions, &definition());
    let key = |(name, kib, kib_per_day): &(&str, f64, f64)| StartKey {
        canonical: json(name),
        epk: Some(hash(name)),
        partition: u32::try_from(layout.owner(&hash(name)).unwrap()).ok(),
        kib: *kib,
        kib_per_day: Some(*kib_per_day),
        ..StartKey::default()
    };
    LapseStart {
        at: Stamp::from_seconds(1_782_604_800),
        definition: Some(definition()),
        keys: keys.iter().map(key).collect(),
        partitions: (0..partitions)
            .map(|n| StartPartition {
                id: n.to_string(),
                ru_per_second: Some(10_000.0),
                ..StartPartition::default()
            })
            .collect(),
        layout: Some(layout),
        ..LapseStart::default()
    }
}

fn stored(lapse: &TimeLapse) -> f64 {
    let last = lapse.frames.last().unwrap();
    last.partitions.iter().map(|p| p.kib.unwrap()).sum()
}

fn kinds(lapse: &TimeLapse) -> Vec<&'static str> {
    lapse.events.iter().map(|event| event.kind.word()).collect()
}

#[test]
fn the_key_of_each_month_fills_up_and_the_next_one_takes_over() {
    let mut start = container(2, &[("2026-06", 0.0, KIB_PER_GIB)]);
    let period = KeyPeriod { unit: DateUnit::Month, level: 0 };
    start.keys[0].period = Some(period);
    start.keys[0].ends_s = period.end_s(start.at.unwrap(), 0);
    // 95 days: to 1 October. 20 GiB a month are taken, and of June 3.
    for (kept_days, stored_gib) in [(None, 63.0), (Some(60.0), 19.0 + 20.0)] {
        let start = LapseStart {
            retention: kept_days.map(|days| Retention { days, is_default: false }),
            ..start.clone()
        };
        let lapse = TimeLapse::of(&start, &question(95));
        let full = lapse.events.iter().filter(|e| e.kind == LapseEventKind::Forbidden);
        let full: Vec<(i64, Option<Box<str>>)> =
            full.map(|e| (e.at_s / DAY_S, e.key.clone())).collect();
        let expected = [(23, "2026-07"), (54, "2026-08"), (85, "2026-09")];
        assert_eq!(full, expected.map(|(day, key)| (day, Some(json(key)))));
        let gib = stored(&lapse) / KIB_PER_GIB;
        assert!((gib - stored_gib).abs() < 0.01, "{kept_days:?}: {gib}");
        let lost = lapse.totals.rejected_kib / KIB_PER_GIB;
        assert!((lost - 32.0).abs() < 0.01, "{kept_days:?}: {lost}");
    }
}

#[test]
fn a_driver_of_ten_years_fills_four_keys_of_a_chain() {
    let start = container(1, &[("driver", 0.0, DRIVER_KIB)]);
    let asked = SimulateQuestion { overflow: OverflowPolicy::LinkedList, ..question(3_650) };
    let lapse = TimeLapse::of(&start, &asked);
    let switches = lapse.events.iter().filter(|e| e.kind == LapseEventKind::SuffixSwitched);
    let found: Vec<(f64, Box<str>)> = switches
        .map(|event| {
            let EventCause::Suffix { key, .. } = &event.cause else {
                panic!("{event:?}");
            };
            let years = crate::model::units::real_seconds(event.at_s) / 31_536_000.0;
            ((years * 100.0).round() / 100.0, key.clone())
        })
        .collect();
    let expected = [(2.66, "driver.2"), (5.32, "driver.3"), (7.98, "driver.4")];
    assert_eq!(found, expected.map(|(years, key)| (years, json(key))));
    let gib = stored(&lapse) / KIB_PER_GIB;
    assert!((gib - 75.2).abs() < 0.05, "{gib}");
    assert!(lapse.totals.rejected_kib.abs() < 1e-9);
    // Keys of 20 GB stay whole, and no more than two share a partition in the end.
    let last = lapse.frames.last().unwrap();
    assert_eq!(last.partitions.len() as u64, lapse.totals.splits + 1);
    assert!(last.partitions.iter().all(|p| p.kib.unwrap() < PHYSICAL_CEILING_KIB));
}

#[test]
fn a_circular_buffer_keeps_the_last_971_days() {
    let start = LapseStart { item_kib: Some(1.0), ..container(1, &[("driver", 0.0, DRIVER_KIB)]) };
    let asked = SimulateQuestion { overflow: OverflowPolicy::CircularBuffer, ..question(3_650) };
    let lapse = TimeLapse::of(&start, &asked);
    assert_eq!(kinds(&lapse), ["buffer-restarts"]);
    let EventCause::Buffer { slots, days } = lapse.events[0].cause else {
        panic!("{:?}", lapse.events);
    };
    assert_eq!((slots, days.unwrap().round()), (Some(20_971_520.0), 971.0));
    assert!((stored(&lapse) - LOGICAL_CEILING_KIB).abs() < 1.0);
}

#[test]
fn a_full_key_loses_what_is_written_from_then_on() {
    let start = LapseStart {
        item_kib: Some(2.0),
        ..container(1, &[("driver", LOGICAL_CEILING_KIB - DRIVER_KIB, DRIVER_KIB)])
    };
    let lapse = TimeLapse::of(&start, &question(11));
    assert_eq!(kinds(&lapse), ["403"]);
    assert_eq!(lapse.events[0].at_s, DAY_S);
    let writes = lapse.totals.rejected_writes.unwrap();
    assert!((writes - 10.0 * DRIVER_KIB / 2.0).abs() < 1.0, "{writes}");
    let stopped = SimulateQuestion { stop_at: Some(LapseEventKind::Forbidden), ..question(11) };
    let lapse = TimeLapse::of(&start, &stopped);
    assert_eq!(lapse.seconds, DAY_S);
    // What is deleted makes room: a tenth of what is written is lost.
    let kept = |days: f64, is_default: bool| {
        let kept = LapseStart { retention: Some(Retention { days, is_default }), ..start.clone() };
        TimeLapse::of(&kept, &question(11))
    };
    let lapse = kept(LOGICAL_CEILING_KIB / DRIVER_KIB / 0.9, false);
    let part = lapse.totals.rejected_kib / (10.0 * DRIVER_KIB);
    assert!((part - 0.1).abs() < 1e-4, "{part}");
    let lapse = kept(900.0, false);
    assert_eq!(kinds(&lapse), ["levels-off"]);
    // Growth measured beyond the level of the container's own time to live has deletions in it: it goes on.
    assert_eq!(kinds(&kept(900.0, true)), ["403"]);
}

/// Twelve keys that fill two partitions within a year.
fn growing() -> LapseStart {
    let names: Vec<String> = (0..12).map(|n| format!("tenant-{n}")).collect();
    let keys: Vec<(&str, f64, f64)> = names
        .iter()
        .enumerate()
        .map(|(n, name)| (name.as_str(), 3e6, 20_000.0 + 1_000.0 * as_number(n)))
        .collect();
    let mut start = container(2, &keys);
    for partition in &mut start.partitions {
        // What is not reported grows, too.
        partition.kib = Some(40e6);
        partition.kib_per_day = Some(400_000.0);
    }
    start
}

#[test]
fn splits_keep_every_byte_and_key() {
    let start = growing();
    let lapse = TimeLapse::of(&start, &question(200));
    assert!(lapse.totals.splits >= 2, "{:?}", lapse.events);
    let all: f64 = 2.0 * 40e6 + 200.0 * 2.0 * 400_000.0;
    assert!((stored(&lapse) / all - 1.0).abs() < 1e-6, "{}", stored(&lapse));
    let mut ids: Vec<String> = ["0", "1"].map(str::to_owned).to_vec();
    let mut ru_by_id: std::collections::BTreeMap<String, f64> =
        ids.iter().map(|id| (id.clone(), 10_000.0)).collect();
    for event in &lapse.events {
        let EventCause::Children(children) = &event.cause else {
            continue;
        };
        let parent = event.partition.clone().unwrap();
        assert!(ids.contains(&parent));
        ids.retain(|id| *id != parent);
        ids.extend(children.iter().map(|child| child.id.clone()));
        let ru = ru_by_id[&parent] / 2.0;
        for child in children {
            assert_eq!(child.ru_per_second, Some(ru));
            ru_by_id.insert(child.id.clone(), ru);
        }
        let kib: f64 = children.iter().map(|child| child.kib).sum();
        assert!((PHYSICAL_CEILING_KIB..PHYSICAL_CEILING_KIB + 110_000.0).contains(&kib), "{kib}");
        // Cut at the median, with whole keys: neither side is far from half.
        assert!(children.iter().all(|child| child.kib > 0.35 * kib), "{children:?}");
    }
    let last: Vec<String> =
        lapse.frames.last().unwrap().partitions.iter().map(|p| p.id.clone()).collect();
    ids.sort();
    let mut last = last;
    last.sort();
    assert_eq!(ids, last);
    let keys: u64 = lapse
        .events
        .iter()
        .filter_map(|event| match &event.cause {
            EventCause::Children([a, b]) => Some(a.keys + b.keys),
            _ => None,
        })
        .take(2)
        .sum();
    assert_eq!(keys, 12);
}

#[test]
fn splits_take_four_to_six_hours_and_a_seed_decides() {
    let start = growing();
    let lapse = TimeLapse::of(&start, &question(200));
    assert_eq!(lapse, TimeLapse::of(&start, &question(200)));
    let other = TimeLapse::of(&start, &SimulateQuestion { seed: 2, ..question(200) });
    assert_ne!(lapse.events, other.events);
    for lapse in [&lapse, &other] {
        let mut splitting = Vec::new();
        for event in &lapse.events {
            match event.kind {
                LapseEventKind::SplitBegins => {
                    splitting.push((event.partition.clone(), event.at_s));
                }
                LapseEventKind::SplitEnds => {
                    let begin = splitting.iter().find(|(id, _)| *id == event.partition).unwrap().1;
                    let seconds = event.at_s - begin;
                    assert!((4 * 3_600..=6 * 3_600).contains(&seconds), "{seconds}");
                }
                _ => {}
            }
        }
        assert!(!splitting.is_empty());
    }
}

#[test]
fn one_key_is_never_split_and_unknown_ranges_are_not_followed() {
    let mut start = container(1, &[("giant", 52e6, 100_000.0)]);
    let asked =
        SimulateQuestion { ceiling: Ceiling::given_in(100e6, 1_024.0).unwrap(), ..question(30) };
    let lapse = TimeLapse::of(&start, &asked);
    assert_eq!(kinds(&lapse), ["split-impossible"]);
    start = growing();
    start.layout = None;
    let lapse = TimeLapse::of(&start, &question(200));
    assert_eq!(kinds(&lapse), ["split-begins", "split-begins"]);
    assert!(matches!(lapse.events[0].cause, EventCause::Split { hours: None, .. }));
}
