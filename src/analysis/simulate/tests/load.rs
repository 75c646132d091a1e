//! Load on partitions in time.

use super::super::load::{LoadReplay, LoadTerms};
use super::*;
use crate::analysis::demand::outcome::LoadRoute;
use crate::analysis::demand::{DemandKey, DemandLoad, Evidence, Keyless, Requester};
use crate::model::work::{Work, done};

/// RU/s of partitions without keys, by second.
fn demand(seconds: &[&[f64]]) -> Demand {
    let mut loads = Vec::new();
    for (second, of) in (0_i64..).zip(seconds) {
        let partitions = (0_u32..).zip(*of);
        loads.extend(
            partitions.map(|(at, ru)| DemandLoad::served(second, Requester::Keyless, at, *ru)),
        );
    }
    Demand {
        keys: [].into(),
        loads,
        evidence: Evidence::RuLog,
        keyless: Keyless::Divided,
        step_s: 1,
        span: (0, i64::try_from(seconds.len()).unwrap()),
        unplaced_ru: 0.0,
        charge: None,
        ru_of_429: 0.0,
        retries: None,
    }
}

/// One partition that serves 1,000 RU/s.
fn small(load: Demand) -> LapseStart {
    let mut start = container(1, &[]);
    start.partitions[0].ru_per_second = Some(1_000.0);
    start.demand = Some(load);
    start
}

fn load_of(start: &LapseStart, asked: &SimulateQuestion) -> LoadTotals {
    TimeLapse::of(start, asked).totals.load.unwrap()
}

#[test]
fn a_third_too_much_is_throttled_and_repeated_as_in_the_closed_form() {
    let start = small(demand(&[&[1_500.0]]));
    for retries in [0, 9] {
        let asked = SimulateQuestion { retries: Some(retries), ..question(1) };
        let load = load_of(&start, &asked);
        assert!((load.throttled_share() - 1.0 / 3.0).abs() < 1e-9);
        // Of n + 1 attempts all fail: p to the power of n + 1 is a third.
        let p = (1.0_f64 / 3.0).powf(1.0 / f64::from(retries + 1));
        let found = load.attempts_throttled_share();
        assert!((found - p).abs() < 1e-3, "{retries}: {found} {p}");
        assert!((load.failed_share() - 1.0 / 3.0).abs() < 1e-3);
    }
    // A busy second in four is served in the next ones.
    let start = small(demand(&[&[1_500.0], &[0.0], &[900.0], &[900.0]]));
    let load = load_of(&start, &question(1));
    assert!(load.failed < 1e-9 && load.throttled_share() > 0.1, "{load:?}");
}

#[test]
fn steps_of_a_day_come_to_what_seconds_do() {
    let seconds: Vec<[f64; 1]> =
        (0..1_000_i32).map(|n| [400.0 + f64::from(n % 97) * 12.0]).collect();
    let seconds: Vec<&[f64]> = seconds.iter().map(<[f64; 1]>::as_slice).collect();
    for charge in [None, Some(8.0)] {
        let start = small(Demand { charge, ..demand(&seconds) });
        let [exact, mean] =
            [1, DAY_S].map(|step_s| load_of(&start, &SimulateQuestion { step_s, ..question(2) }));
        let shares = |load: &LoadTotals| {
            [load.throttled_share(), load.attempts_throttled_share(), load.failed_share()]
        };
        for (exact, mean) in shares(&exact).into_iter().zip(shares(&mean)) {
            assert!((exact - mean).abs() < 1e-3, "{exact} {mean}");
        }
        assert!(exact.throttled_share() > 0.05);
    }
}

#[test]
fn a_full_bucket_puts_429s_off() {
    // 300 s of 1,000 RU are saved, and 500 of them are used a second.
    let mut start = small(demand(&[&[1_500.0]]));
    start.is_burst = true;
    let lapse = TimeLapse::of(&start, &question(1));
    let first: Vec<(&str, i64)> =
        lapse.events.iter().map(|event| (event.kind.word(), event.at_s)).collect();
    // Unused RU of a second is saved again: 500 of the 2,000 that a burst takes.
    assert_eq!(first, [("burst-used", 600), ("429", 600)]);
    start.is_burst = false;
    let asked = SimulateQuestion { stop_at: Some(LapseEventKind::Throttled), ..question(1) };
    let lapse = TimeLapse::of(&start, &asked);
    assert_eq!((kinds(&lapse), lapse.seconds), (vec!["429"], 1));
}

#[test]
fn a_frame_shows_the_load_that_follows_its_moment() {
    // Nothing for an hour, then a third too much: by second, the film begins and stops at the change.
    let mut seconds: Vec<&[f64]> = vec![&[0.0]; 3_600];
    seconds.resize(7_200, &[1_500.0]);
    let start = small(demand(&seconds));
    let asked = SimulateQuestion { stop_at: Some(LapseEventKind::Throttled), ..question(1) };
    let lapse = TimeLapse::of(&start, &asked);
    let load = |frame: &LapseFrame| {
        (frame.partitions[0].demand.unwrap(), frame.partitions[0].throttled_share.unwrap())
    };
    assert_eq!(load(&lapse.frames[0]), (0.0, 0.0));
    assert_eq!(lapse.frames.last().unwrap().at_s, lapse.events[0].at_s + 1);
    let (requested, throttled) = load(lapse.frames.last().unwrap());
    assert!((requested - 1_500.0).abs() < 1e-9, "{requested}");
    assert!((throttled - 1.0 / 3.0).abs() < 1e-9, "{throttled}");
    // What is looked at beyond the end counts nowhere.
    assert!((lapse.totals.load.unwrap().requested - 1_500.0).abs() < 1e-9);
    // Of an event at the start, in steps of a day, and of partitions that a split leaves.
    let mut start = growing();
    start.demand = Some(keyed(&start, &[("tenant-3".to_owned(), 12_000.0)]));
    let lapse = TimeLapse::of(&start, &SimulateQuestion { step_s: DAY_S, ..question(200) });
    assert!(lapse.totals.splits > 0);
    for event in &lapse.events {
        let at = lapse.frames.partition_point(|frame| frame.at_s < event.at_s);
        let all: f64 = lapse.frames[at].partitions.iter().map(|p| p.demand.unwrap()).sum();
        assert!((all - 12_000.0).abs() < 1e-6, "{event:?}: {all}");
    }
}

#[test]
fn autoscale_is_billed_by_the_busiest_partition_of_each_hour() {
    let mut start = container(2, &[]);
    start.autoscale = Some(20_000.0);
    for (busiest, billed) in [(5_000.0, 10_000.0), (100.0, 2_000.0), (15_000.0, 20_000.0)] {
        start.demand = Some(demand(&[&[busiest, 50.0]]));
        for step_s in [1, 3_600] {
            let lapse = TimeLapse::of(&start, &SimulateQuestion { step_s, ..question(1) });
            let found = lapse.totals.billed_ru_per_second.unwrap();
            assert!((found - billed).abs() < 1e-6, "{busiest}: {found}");
        }
    }
}

/// Requests of keys, each second, where their hashes lie.
fn keyed(start: &LapseStart, keys: &[(String, f64)]) -> Demand {
    let layout = start.layout.as_ref().unwrap();
    let key = |(name, _): &(String, f64)| DemandKey {
        canonical: json(name).into(),
        epk: Some(hash(name)),
    };
    let load = |(n, (name, ru)): (u32, &(String, f64))| {
        let partition = u32::try_from(layout.owner(&hash(name)).unwrap()).unwrap();
        DemandLoad::served(0, Requester::Key(n), partition, *ru)
    };
    let mut loads: Vec<DemandLoad> = (0..).zip(keys).map(load).collect();
    loads.sort_by_key(|load| load.partition);
    Demand { keys: keys.iter().map(key).collect(), loads, ..demand(&[&[]]) }
}

#[test]
fn six_tenants_are_throttled_and_ten_values_of_the_hot_one_are_not() {
    let mut start = container(3, &[]);
    let others = [("A", 2_000.0), ("B", 500.0), ("C", 1_500.0), ("E", 300.0), ("F", 700.0)];
    let others = others.map(|(name, ru)| (name.to_owned(), ru));
    let whole = vec![("D".to_owned(), 12_000.0)];
    let spread = (1..=10).map(|n| (format!("D.{n}"), 1_200.0)).collect();
    for (hot, share) in [(whole, 5_000.0 / 17_000.0), (spread, 0.0)] {
        start.demand = Some(keyed(&start, &[&others[..], &hot].concat()));
        let found = load_of(&start, &question(1)).throttled_share();
        assert!((found - share).abs() < 1e-9, "{found}");
    }
}

#[test]
fn load_follows_its_key_into_the_child_that_has_it() {
    let mut start = growing();
    let hot = start.keys[3].clone();
    start.demand = Some(keyed(&start, &[("tenant-3".to_owned(), 6_000.0)]));
    let lapse = TimeLapse::of(&start, &SimulateQuestion { step_s: DAY_S, ..question(200) });
    let last = lapse.frames.last().unwrap();
    let busy: Vec<_> = last.partitions.iter().filter(|p| p.demand.unwrap() > 0.0).collect();
    assert_eq!(busy.len(), 1);
    assert_eq!((busy[0].demand, busy[0].ru_per_second), (Some(6_000.0), Some(2_500.0)));
    // It fitted before the split halved the RU/s, and does not after.
    let throttled = lapse.first(LapseEventKind::Throttled).unwrap();
    let splits = lapse.events.iter().filter(|e| e.kind == LapseEventKind::SplitEnds);
    assert!(splits.map(|split| split.at_s).any(|at_s| at_s == throttled.at_s));
    assert_eq!(throttled.key, Some(hot.canonical));
}

#[test]
fn load_follows_the_key_of_the_month() {
    let mut start = with_key("2026-06", 5_000.0);
    let period = KeyPeriod { unit: DateUnit::Month, level: 0 };
    let at = start.at.unwrap();
    start.keys[0].period = Some(period);
    start.keys[0].ends_s = period.end_s(at, 0);
    let asked = SimulateQuestion { step_s: DAY_S, ..question(95) };
    let lapse = TimeLapse::of(&start, &asked);
    let mut places = Vec::new();
    for frame in &lapse.frames[1..] {
        let busy = frame.partitions.iter().position(|p| p.demand.unwrap() > 2_500.0);
        if places.last() != busy.as_ref() {
            places.extend(busy);
        }
    }
    let hashes = ["2026-06", "2026-07", "2026-08", "2026-09"].map(hash);
    let layout = start.layout.unwrap();
    let mut expected: Vec<usize> = hashes.iter().filter_map(|e| layout.owner(e)).collect();
    expected.dedup();
    assert_eq!(places, expected);
    assert!(places.len() > 1, "{places:?}");
}

/// A key that asks for so many RU/s on one of two partitions.
fn with_key(name: &str, ru_per_second: f64) -> LapseStart {
    let mut start = container(2, &[(name, 0.0, KIB_PER_GIB)]);
    let mut load = demand(&[&[ru_per_second]]);
    load.loads[0].requester = Requester::Key(0);
    load.loads[0].partition = start.keys[0].partition.unwrap();
    let key = DemandKey { canonical: json(name).into(), epk: start.keys[0].epk.clone() };
    load.keys = [key].into();
    start.demand = Some(load);
    start
}

#[test]
fn load_that_doubles_in_a_month_comes_to_the_limit_in_a_month() {
    let start = with_key("a", 5_000.0);
    for (step_s, growth, days) in
        [(1, 1.0, 30..=31), (DAY_S, 1.0, 30..=31), (DAY_S, 0.1, 221..=225)]
    {
        let asked = SimulateQuestion { step_s, load_growth: Some(growth), ..question(230) };
        let asked = SimulateQuestion {
            until_s: if step_s == 1 { 32 * DAY_S } else { asked.until_s },
            ..asked
        };
        let lapse = TimeLapse::of(&start, &asked);
        for kind in [LapseEventKind::Throttled, LapseEventKind::KeyRu] {
            let event = lapse.first(kind).unwrap();
            assert!(days.contains(&(event.at_s / DAY_S)), "{step_s}: {event:?}");
        }
    }
}

#[test]
fn more_ru_are_there_at_once_or_after_rounds_of_splits() {
    let capacities = |frame: &LapseFrame| -> Vec<f64> {
        let of = frame.partitions.iter();
        of.map(|partition| partition.ru_per_second.unwrap()).collect()
    };
    let start = with_key("a", 5_000.0);
    let small = LapseStart {
        partitions: start
            .partitions
            .iter()
            .map(|p| StartPartition { ru_per_second: Some(2_000.0), ..p.clone() })
            .collect(),
        ..start
    };
    // RU/s, partitions at least; what each can serve at once and after two days.
    for (ru, least, at_once, later) in [
        (None, None, vec![2_000.0; 2], vec![2_000.0; 2]),
        (Some(9_000.0), None, vec![4_500.0; 2], vec![4_500.0; 2]),
        (Some(21_000.0), None, vec![10_000.0; 2], vec![7_000.0; 3]),
        (Some(21_000.0), Some(4), vec![10_000.0; 2], vec![5_250.0; 4]),
        (Some(80_000.0), None, vec![10_000.0; 2], vec![10_000.0; 8]),
        (Some(9_000.0), Some(3), vec![4_500.0; 2], vec![3_000.0; 3]),
        (None, Some(3), vec![2_000.0; 2], vec![2_000.0, 1_000.0, 1_000.0]),
    ] {
        let asked = SimulateQuestion { ru_per_second: ru, partitions: least, ..question(2) };
        let lapse = TimeLapse::of(&small, &asked);
        assert_eq!(capacities(&lapse.frames[0]), at_once, "{ru:?} {least:?}");
        let mut end = capacities(lapse.frames.last().unwrap());
        end.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(end, later, "{ru:?} {least:?}");
        let rounds = lapse.events.iter().filter(|e| e.kind == LapseEventKind::SplitEnds);
        assert_eq!(rounds.count(), later.len() - 2);
    }
}

#[test]
fn only_partitions_with_another_load_are_followed_again() {
    let seconds: Vec<Vec<f64>> = (0..7_300_i32)
        .map(|n| vec![400.0 + f64::from(n % 97) * 12.0, 900.0, f64::from(n % 11) * 150.0])
        .collect();
    let seconds: Vec<&[f64]> = seconds.iter().map(Vec::as_slice).collect();
    let demand = demand(&seconds);
    let terms = LoadTerms {
        factor: 1.0,
        retries: 9,
        is_burst: true,
        is_exact: false,
        stops_at_throttled: false,
    };
    let split = LoadRoute {
        keys: Vec::new(),
        keyless: vec![Vec::new(), vec![(1, 0.25), (3, 0.75)], Vec::new()],
    };
    let servers = [(0, 1_000.0), (7, 500.0), (2, 1_000.0), (8, 500.0)];
    let mut replay = LoadReplay::new(&demand, terms, &[(0, 1_000.0), (1, 1_000.0), (2, 1_000.0)]);
    assert_eq!(replay.with_other_load(&split, &servers), [false, true, false, true]);
    replay.place(0, split.clone(), &servers);
    let mut other = LoadReplay::new(&demand, terms, &[]);
    other.place(0, split, &servers);
    let day = |replay: &mut LoadReplay<'_>| {
        let mut moments = Vec::new();
        replay.advance(0, DAY_S, &mut moments);
        moments.sort_by_key(|moment| (moment.at_s, moment.slot));
        (replay.totals(), replay.billed_part(DAY_S), moments)
    };
    assert_eq!(day(&mut replay), day(&mut other));
}

#[test]
fn a_new_container_has_all_data_growth_and_load_of_today() {
    let mut start = growing();
    let mut load = demand(&[&[900.0, 300.0], &[0.0, 1_200.0]]);
    load.loads[0].requester = Requester::Key(0);
    load.keys = [DemandKey {
        canonical: start.keys[3].canonical.to_string(),
        epk: start.keys[3].epk.clone(),
    }]
    .into();
    start.demand = Some(load);
    start.provisioned = Some(20_000.0);
    let moved = start.with_suffixes(7, Ceiling::BINARY).unwrap();
    let sums = |of: &LapseStart| {
        let all = |value: fn(&StartPartition) -> Option<f64>| -> f64 {
            of.partitions.iter().map(|p| value(p).unwrap()).sum()
        };
        [all(|p| p.kib), all(|p| p.kib_per_day)]
    };
    for (new, old) in sums(&moved).into_iter().zip(sums(&start)) {
        assert!((new / old - 1.0).abs() < 1e-9, "{new} {old}");
    }
    let by_second = |of: &LapseStart| -> Vec<f64> {
        let steps = of.demand.as_ref().unwrap().loads.chunk_by(|a, b| a.second == b.second);
        steps.map(|step| step.iter().map(|load| load.ru_per_second).sum()).collect()
    };
    for (new, old) in by_second(&moved).into_iter().zip(by_second(&start)) {
        assert!((new - old).abs() < 1e-6, "{new} {old}");
    }
    // The seven suffixes of the key that has load lie where their hashes say.
    let layout = moved.layout.as_ref().unwrap();
    for load in &moved.demand.as_ref().unwrap().loads {
        let Requester::Key(key) = load.requester else {
            continue;
        };
        let epk = moved.demand.as_ref().unwrap().keys[key as usize].epk.clone().unwrap();
        assert_eq!(layout.owner(&epk), Some(load.partition as usize));
    }
}

#[test]
fn small_keys_of_a_month_stay_with_their_first_level_or_spread_and_are_deleted() {
    for (level, busiest) in [(0, 2_500.0), (1, 5_000.0)] {
        // 1 GiB a year: a month is less than a hundredth of 20 GiB.
        let rate = KIB_PER_GIB / 365.0;
        let mut start = with_key("2026-06", 5_000.0);
        let place = start.keys[0].partition.unwrap() as usize;
        let period = KeyPeriod { unit: DateUnit::Month, level };
        start.keys[0].kib_per_day = Some(rate);
        for partition in &mut start.partitions {
            partition.kib = Some(0.0);
        }
        start.keys[0].period = Some(period);
        start.keys[0].ends_s = period.end_s(start.at.unwrap(), 0);
        start.retention = Some(Retention { days: 60.0, is_default: false });
        let asked = SimulateQuestion { step_s: DAY_S, ..question(365) };
        let lapse = TimeLapse::of(&start, &asked);
        let last = lapse.frames.last().unwrap();
        let demand = last.partitions[place].demand.unwrap();
        assert!((demand - busiest).abs() < 1.0, "{level}: {demand}");
        let kib = stored(&lapse);
        assert!((kib / (60.0 * rate) - 1.0).abs() < 0.01, "{level}: {kib}");
        let place = last.partitions[place].kib.unwrap() / kib;
        assert!((place - busiest / 5_000.0).abs() < 0.01, "{level}: {place}");
    }
}

const HOUR_S: i64 = 3_600;
/// The hour of a cycle of three days in which a key needs 12,000 RU/s.
const HOT_HOUR: i64 = 60;

/// A key with one hot hour in three days.
fn hot_hour() -> LapseStart {
    let mut start = with_key("a", 100.0);
    let mut load = start.demand.take().unwrap();
    let mut hours = vec![load.loads[0]; 72];
    for (hour, load) in (0_i64..).zip(&mut hours) {
        load.second = hour * HOUR_S;
        load.ru_per_second = if hour == HOT_HOUR { 12_000.0 } else { 100.0 };
    }
    (load.loads, load.step_s, load.span) = (hours, 3_600, (0, 3 * DAY_S));
    start.demand = Some(load);
    start
}

#[test]
fn the_mean_of_a_cycle_has_the_events_of_its_seconds_and_stops_at_them() {
    let start = hot_hour();
    for (days, stop_at) in [(9, None), (9, Some(LapseEventKind::Throttled)), (2, None)] {
        let [exact, mean] = [1, DAY_S].map(|step_s| {
            TimeLapse::of(&start, &SimulateQuestion { step_s, stop_at, ..question(days) })
        });
        assert_eq!(exact.events, mean.events, "{days} {stop_at:?}");
        let found: Vec<_> = mean.events.iter().map(|e| (e.kind.word(), e.at_s / HOUR_S)).collect();
        let wanted = [("429", HOT_HOUR), ("key-ru", HOT_HOUR)];
        assert_eq!(found, if days == 9 { &wanted[..] } else { &[] });
        assert!(mean.events.iter().all(|event| event.key == Some(json("a"))));
        let is_throttled = mean.throttled_share().unwrap() > 0.0;
        assert_eq!(is_throttled, days == 9);
        if stop_at.is_some() {
            assert_eq!((exact.seconds, mean.seconds), [HOT_HOUR * HOUR_S + 1; 2].into());
        }
    }
}

#[test]
fn what_grows_comes_to_its_limits_in_the_hot_hour_of_a_later_cycle() {
    let mut start = hot_hour();
    for load in &mut start.demand.as_mut().unwrap().loads {
        load.ru_per_second /= 2.0;
    }
    let load_growth = Some(1.0);
    for step_s in [1, DAY_S] {
        let asked = SimulateQuestion { step_s, load_growth, ..question(40) };
        let lapse = TimeLapse::of(&start, &asked);
        for kind in [LapseEventKind::Throttled, LapseEventKind::KeyRu] {
            let at_s = lapse.first(kind).unwrap().at_s;
            assert_eq!(at_s.rem_euclid(3 * DAY_S) / HOUR_S, HOT_HOUR, "{step_s} {kind:?}");
            // 6,000 RU/s come to 10,000 in three quarters of a month.
            assert!((20..=27).contains(&(at_s / DAY_S)), "{step_s} {kind:?} {at_s}");
        }
    }
}

#[test]
fn seconds_that_are_alike_are_followed_once() {
    let mut start = hot_hour();
    start.is_burst = true;
    let before = done(Work::SecondFollowed);
    TimeLapse::of(&start, &question(30));
    // Two partitions and 720 hours; some seconds of each until buckets and queues stand still.
    let followed = done(Work::SecondFollowed) - before;
    assert!((1_440..60_000).contains(&followed), "{followed}");
}

#[test]
fn a_route_looks_for_each_key_once_however_many_loads_it_has() {
    let start = container(5, &[]);
    let mut demand = keyed(&start, &["A", "B", "C"].map(|name| (name.to_owned(), 10.0)));
    demand.loads = demand.loads.repeat(1_000);
    let layout = start.layout.unwrap();
    let before = done(Work::OwnerFound);
    assert!(demand.route(&layout, 5).is_some());
    assert_eq!(done(Work::OwnerFound) - before, 3);
}
