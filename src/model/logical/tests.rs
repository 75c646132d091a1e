//! The table against a list that is searched from front to back.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;

use super::super::sample::{LineSums, NEWEST_KEPT, SAMPLES_PER_SERIES, SampleTime, Trust, better};
use super::super::time::Stamp;
use super::*;

const START: i64 = 1_782_000_000;

#[derive(Clone, Debug)]
struct GivenReading {
    container: u32,
    key: String,
    region: u16,
    spelling: Option<Box<str>>,
    sample: Sample,
}

/// What is known of one key: how it is shown, and its readings by region.
type KeySeries = (Option<String>, BTreeMap<u16, Vec<Sample>>);
type Dump = BTreeMap<(u32, String), KeySeries>;

fn sorted(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_by(|a, b| {
        let key = |s: &Sample| (s.when.order(), s.when.trust() == Trust::Weak);
        key(a).cmp(&key(b)).then(a.kib.total_cmp(&b.kib))
    });
    samples
}

fn dump(partitions: &LogicalPartitions) -> Dump {
    let mut out = Dump::new();
    for (_, view) in partitions.iter() {
        let mut regions = BTreeMap::new();
        for series in view.series() {
            let twice = regions.insert(series.region, sorted(series.samples.to_vec()));
            assert_eq!(twice, None, "a region stands twice");
        }
        let key = (view.container(), view.canonical().to_owned());
        let twice = out.insert(key, (view.as_found().map(str::to_owned), regions));
        assert_eq!(twice, None, "a key stands twice");
    }
    out
}

#[derive(Default)]
struct Naive {
    readings: HashMap<(u32, String, u16), Vec<Sample>>,
    spellings: HashMap<(u32, String), Vec<Option<Box<str>>>>,
    repeats: [u64; 3],
    conflicts: [u64; 3],
}

impl Naive {
    fn take(&mut self, row: &GivenReading, source: u16) {
        let key = (row.container, row.key.clone());
        let spellings = self.spellings.entry(key).or_default();
        spellings.push(row.spelling.clone());
        let series = (row.container, row.key.clone(), row.region);
        let held = self.readings.entry(series).or_default();
        let dated = row.sample.when.at().is_some();
        #[expect(clippy::float_cmp, reason = "a repeat is the very same number")]
        let meets = |h: &&mut Sample| {
            h.when.same_moment(row.sample.when) && (dated || h.kib == row.sample.kib)
        };
        let Some(old) = held.iter_mut().find(meets) else {
            held.push(row.sample);
            return;
        };
        let counts = if old.kib.total_cmp(&row.sample.kib).is_eq() {
            &mut self.repeats
        } else {
            &mut self.conflicts
        };
        counts[usize::from(source)] += 1;
        *old = better(row.sample, *old);
    }

    fn dump(&self) -> Dump {
        let mut out = Dump::new();
        for ((container, key, region), samples) in &self.readings {
            let spellings = &self.spellings[&(*container, key.clone())];
            let all: Option<Vec<&str>> = spellings.iter().map(Option::as_deref).collect();
            let shown = all.and_then(|a| a.into_iter().min().map(str::to_owned));
            let place = out.entry((*container, key.clone())).or_default();
            place.0 = shown;
            place.1.insert(*region, sorted(samples.clone()));
        }
        out
    }
}

fn push(batch: &mut SizeBatch, row: &GivenReading) {
    let at = batch.keys.len();
    batch.keys.extend_from_slice(row.key.as_bytes());
    batch.push(row.container, row.region, at, row.spelling.clone(), row.sample);
}

fn apply(table: &SizeTable, rows: &[GivenReading], source: u16) {
    let mut batch = table.batch();
    for row in rows {
        push(&mut batch, row);
    }
    table.apply(&mut batch, source);
    assert!(batch.is_empty());
}

fn sample(ticks: Option<i64>, trust: Trust, kib: f64) -> Sample {
    let at = ticks.map(|t| Stamp::from_ticks(START * 10_000_000 + t).unwrap());
    Sample { when: SampleTime::new(at, trust), kib }
}

/// Few keys, moments and sizes, so that repeats and conflicts are common and no series is thinned.
fn any_row() -> impl Strategy<Value = GivenReading> {
    // Within a millisecond it is one moment.
    let moment = (0..8_i64, 0..2_i64).prop_map(|(ms, part)| ms * 10_000 + part * 7442);
    let moment = proptest::option::weighted(0.9, moment);
    let spelling = proptest::option::weighted(0.7, "[a-c]{1,2}");
    (0..2_u32, 0..9_u8, 0..3_u16, spelling, moment, any::<bool>(), 0..4_u8).prop_map(
        |(container, key, region, spelling, moment, weak, kib)| {
            let key = match key {
                0 => String::new(),
                n => format!("[\"{}\"]", "k".repeat(usize::from(n) * 3)),
            };
            let trust = if weak { Trust::Weak } else { Trust::Exact };
            GivenReading {
                container,
                key,
                region,
                spelling: spelling.map(Box::from),
                sample: sample(moment, trust, f64::from(kib)),
            }
        },
    )
}

fn any_batches() -> impl Strategy<Value = Vec<(Vec<GivenReading>, u16)>> {
    let batch = (proptest::collection::vec(any_row(), 1..60), 0..3_u16);
    proptest::collection::vec(batch, 1..8)
}

fn padded(counts: &[u64]) -> [u64; 3] {
    std::array::from_fn(|i| counts.get(i).copied().unwrap_or(0))
}

proptest! {
    #[test]
    fn the_table_holds_what_a_list_holds(batches in any_batches(), seed: u64) {
        let table = SizeTable::new(seed);
        let mut naive = Naive::default();
        for (rows, source) in &batches {
            apply(&table, rows, *source);
            for row in rows {
                naive.take(row, *source);
            }
        }
        let partitions = table.finish();
        prop_assert_eq!(partitions.len(), naive.spellings.len());
        prop_assert_eq!(padded(&partitions.repeats()), naive.repeats);
        prop_assert_eq!(padded(&partitions.conflicts()), naive.conflicts);
        prop_assert!(!partitions.any_thinned());
        prop_assert_eq!(dump(&partitions), naive.dump());
    }

    #[test]
    fn the_order_of_batches_and_rows_shows_in_nothing(
        mut batches in any_batches(),
        turn in 0_usize..50,
    ) {
        let read = |batches: &[(Vec<GivenReading>, u16)]| {
            let table = SizeTable::new(7);
            for (rows, source) in batches {
                apply(&table, rows, *source);
            }
            dump(&table.finish())
        };
        let before = read(&batches);
        batches.reverse();
        for (rows, _) in &mut batches {
            let middle = turn % rows.len();
            rows.rotate_left(middle);
            rows.reverse();
        }
        prop_assert_eq!(before, read(&batches));
    }

    #[test]
    fn passes_together_are_the_single_pass(
        batches in any_batches(),
        drops in proptest::collection::vec(0_usize..8, 0..7),
    ) {
        let single = SizeTable::new(3);
        for (rows, source) in &batches {
            apply(&single, rows, *source);
        }
        let single = single.finish();

        let table = SizeTable::new(3);
        let (mut seen, mut repeats, mut conflicts) = (Dump::new(), Vec::new(), Vec::new());
        let mut take = |part: &LogicalPartitions| {
            add_by_source(&mut repeats, &part.repeats());
            add_by_source(&mut conflicts, &part.conflicts());
            let part = dump(part);
            let keys = seen.len() + part.len();
            seen.extend(part);
            assert_eq!(seen.len(), keys, "a key came in two passes");
        };
        let mut passes = 1;
        loop {
            for (i, (rows, source)) in batches.iter().enumerate() {
                apply(&table, rows, *source);
                for _ in drops.iter().filter(|d| **d == i) {
                    table.drop_half();
                }
            }
            let Some(shards) = table.next_pass() else { break };
            take(&LogicalPartitions::new(shards));
            prop_assert_eq!(table.bytes(), 0, "nothing is held between two passes");
            passes += 1;
            prop_assert!(passes <= SHARDS);
        }
        take(&table.finish());
        prop_assert_eq!(seen, dump(&single));
        prop_assert_eq!(padded(&repeats), padded(&single.repeats()));
        prop_assert_eq!(padded(&conflicts), padded(&single.conflicts()));
    }

    #[test]
    fn a_long_series_keeps_its_figures(
        readings in (33_u8..200).prop_flat_map(|n| {
            let moments: Vec<i64> = (0..n.into()).collect();
            let sizes = proptest::collection::vec((0..1000_u32, any::<bool>()), usize::from(n));
            (Just(moments).prop_shuffle(), sizes)
        }),
    ) {
        let rows: Vec<GivenReading> = readings.0.iter().zip(&readings.1).map(|(day, (kib, weak))| GivenReading {
            container: 0,
            key: "[1]".to_owned(),
            region: 0,
            spelling: None,
            sample: sample(
                Some(day * 864_000_000_000),
                if *weak { Trust::Weak } else { Trust::Exact },
                f64::from(*kib),
            ),
        }).collect();
        let table = SizeTable::new(1);
        for batch in rows.chunks(17) {
            apply(&table, batch, 0);
        }
        let partitions = table.finish();
        let (_, view) = partitions.iter().next().unwrap();
        let series = view.series().next().unwrap();
        let all = sorted(rows.iter().map(|r| r.sample).collect());
        let thinned = series.thinned().unwrap();
        prop_assert!(partitions.any_thinned());
        prop_assert!(series.samples.len() <= SAMPLES_PER_SERIES);
        prop_assert_eq!(series.count(), all.len() as u64);
        prop_assert_eq!(thinned.first, all[0]);
        let largest = all.iter().map(|s| s.kib).fold(0.0, f64::max);
        prop_assert!(thinned.largest.kib.total_cmp(&largest).is_eq());
        prop_assert!(all.contains(&thinned.largest));
        let kept = sorted(series.samples.to_vec());
        let newest = |s: &[Sample]| s[s.len() - NEWEST_KEPT..].to_vec();
        prop_assert_eq!(newest(&kept), newest(&all));
        prop_assert!(kept.iter().all(|s| all.contains(s)));
        for (trust, sums) in [(Trust::Exact, thinned.exact), (Trust::Weak, thinned.weak)] {
            same_line(&all, trust, sums)?;
        }
    }
}

/// The sums about the first reading summed, added up the plain way.
fn same_line(all: &[Sample], trust: Trust, sums: LineSums) -> Result<(), TestCaseError> {
    let mut want = [0.0; 5];
    let origin = Stamp::from_ticks(sums.origin_ticks).unwrap();
    for s in all.iter().filter(|s| s.when.trust() == trust) {
        let t = s.when.at().unwrap().days_since(origin);
        for (sum, term) in want.iter_mut().zip([1.0, t, s.kib, t * t, t * s.kib]) {
            *sum += term;
        }
    }
    for (found, want) in [sums.n, sums.t, sums.s, sums.tt, sums.ts].iter().zip(want) {
        prop_assert!((found - want).abs() <= want.abs() * 1e-9 + 1e-6, "{found} {want}");
    }
    Ok(())
}

#[test]
fn a_figure_mended_late_is_mended_in_what_was_thinned() {
    let day = |day: i64, trust, kib| GivenReading {
        container: 0,
        key: "[1]".to_owned(),
        region: 0,
        spelling: None,
        sample: sample(Some(day * 864_000_000_000), trust, kib),
    };
    let table = SizeTable::new(1);
    let early: Vec<GivenReading> = (0..40).map(|d| day(d, Trust::Weak, 1.0)).collect();
    apply(&table, &early, 0);
    apply(&table, &[day(39, Trust::Exact, 7.0)], 0);
    let partitions = table.finish();
    let (_, view) = partitions.iter().next().unwrap();
    let thinned = view.series().next().unwrap().thinned().unwrap();
    assert_eq!((thinned.count, thinned.largest), (40, day(39, Trust::Exact, 7.0).sample));
    for (sums, n, kib) in [(thinned.exact, 1.0, 7.0), (thinned.weak, 39.0, 39.0)] {
        assert!((sums.n - n).abs() < 1e-9 && (sums.s - kib).abs() < 1e-9, "{sums:?}");
    }
}

#[test]
fn keys_of_every_length_are_kept_whole() {
    let table = SizeTable::new(3);
    let lengths = [0, 1, 253, 254, 255, 256, 257, 2_048, 16_383, 16_384, 70_000];
    let keys: Vec<String> = lengths.iter().map(|n| "k".repeat(*n)).collect();
    let rows = keys.iter().map(|key| GivenReading {
        container: 0,
        key: key.clone(),
        region: 0,
        spelling: None,
        sample: sample(Some(0), Trust::Exact, 1.0),
    });
    let rows: Vec<GivenReading> = rows.collect();
    apply(&table, &rows, 0);
    apply(&table, &rows, 1);
    let partitions = table.finish();
    assert_eq!(partitions.repeats(), [0, lengths.len() as u64]);
    let mut found: Vec<&str> = partitions.iter().map(|(_, v)| v.canonical()).collect();
    found.sort_unstable();
    assert_eq!(found, keys);
}

#[test]
fn tens_of_thousands_of_keys_are_found_again() {
    let table = SizeTable::new(11);
    let mut naive = Naive::default();
    let mut random = 12_345_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    };
    for source in (0..3).cycle().take(60) {
        let rows: Vec<GivenReading> = (0..1500)
            .map(|_| {
                let key = next(40_000);
                GivenReading {
                    container: u32::try_from(next(2)).unwrap(),
                    key: format!("[\"tenant-{key}\",{}]", key % 7),
                    region: u16::try_from(next(8) / 7).unwrap(),
                    spelling: None,
                    sample: sample(
                        Some(i64::try_from(next(4)).unwrap() * 10_000),
                        Trust::Exact,
                        f64::from(u32::try_from(next(3)).unwrap()),
                    ),
                }
            })
            .collect();
        apply(&table, &rows, source);
        for row in &rows {
            naive.take(row, source);
        }
    }
    let partitions = table.finish();
    assert!(partitions.len() > 30_000);
    assert_eq!(partitions.len(), naive.spellings.len());
    assert_eq!(padded(&partitions.repeats()), naive.repeats);
    assert_eq!(padded(&partitions.conflicts()), naive.conflicts);
    assert!(dump(&partitions) == naive.dump());
}

#[test]
fn respelled_texts_count_against_the_budget() {
    let table = SizeTable::new(7);
    let mut batch = table.batch();
    let spelling = |i: usize| format!("[{i}.0, \"{}\"]", "x".repeat(500));
    for i in 0..100 {
        let sample = Sample { when: SampleTime::new(None, Trust::Exact), kib: 1.0 };
        batch.push_cell(0, 0, spelling(i).as_bytes(), sample);
    }
    assert!(batch.bytes() > 100 * 1_000, "{}", batch.bytes());
    let plain = table.bytes();
    table.apply(&mut batch, 0);
    assert!(batch.bytes() == 0 && table.bytes() > plain + 100 * 1_000);
    assert!(table.finish().bytes() > 100 * 1_000);
}

#[test]
fn places_of_spellings_that_gave_way_still_count_against_the_budget() {
    let table = SizeTable::new(7);
    let mut batch = table.batch();
    let mut push = |spelling: fn(usize) -> String| {
        for i in 0..10_000 {
            let sample = Sample { when: SampleTime::new(None, Trust::Exact), kib: 1.0 };
            batch.push_cell(0, 0, spelling(i).as_bytes(), sample);
        }
        table.apply(&mut batch, 0);
        table.bytes()
    };
    let respelled = push(|i| format!("[{i}.0]"));
    let plain = push(|i| format!("[{i}]"));
    // Texts are given back, places are not.
    let texts = 10_000 * ("[9999.0]".len() + 24);
    assert!(plain >= respelled - texts, "{respelled} {plain}");
}
