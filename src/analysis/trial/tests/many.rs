//! Columns of many values: groups then get their numbers in other ways, which must not show.

use proptest::prelude::*;

use super::*;
use crate::analysis::parallelism;

const NAMES: [&str; 4] = ["plant", "device", "t", "id"];
const ROWS: u32 = 1_500;

/// How often a device is met at another plant, of so many documents.
#[derive(Clone, Copy, Debug)]
enum Strays {
    None,
    Few,
    Many,
}

fn mixed(n: u32, seed: u32) -> u32 {
    let bits = (n ^ seed.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35) >> 8
}

fn rows(seed: u32, strays: Strays, gap_of: u32, twin_of: u32) -> Vec<(Vec<Cell>, u32)> {
    let text = |name: &str, n: u32| Cell::Text(format!("{name}-{n}"));
    let of = |row: u32| {
        let chance = mixed(row, seed);
        let device = chance % 900;
        let strays = match strays {
            Strays::None => false,
            Strays::Few => chance.is_multiple_of(97),
            Strays::Many => chance.is_multiple_of(3),
        };
        let plant = if strays { chance / 7 % 120 } else { mixed(device, 1) % 120 };
        let device = if row % gap_of == 1 { Cell::Missing } else { text("d", device) };
        let id = if row.is_multiple_of(twin_of) { 0 } else { row };
        let day = Cell::Text(format!("2026-03-{:02}T10:00:00Z", 1 + chance % 28));
        let cells = vec![text("p", plant), device, day, text("i", id)];
        (cells, 100 + chance % 5_000)
    };
    (0..ROWS).map(of).collect()
}

/// Documents and bytes of every key, the keys themselves left out: of some only hashes are kept.
fn found(documents: &Documents, key: &str, workers: usize) -> (Trial, Vec<(u64, u64)>) {
    let settings = Settings { top: usize::MAX, ..Settings::default() };
    let trials =
        trials(documents, settings).with_parallelism(parallelism::testing::parallelism(workers));
    let trial = trials.trial(&parsed(key));
    let whole = |n: f64| format!("{n}").parse().unwrap();
    let mut sizes: Vec<(u64, u64)> =
        trial.top.iter().map(|t| (whole(t.documents), whole(t.bytes))).collect();
    sizes.sort_unstable();
    (trial, sizes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn groups_are_those_of_each_document_however_they_are_numbered(
        seed in 0_u32..1_000,
        strays in prop::sample::select(vec![Strays::None, Strays::Few, Strays::Many]),
        gap_of in prop::sample::select(vec![2, 200, 1_000_000]),
        twin_of in prop::sample::select(vec![50, 1_000_000]),
        near_unique in prop::sample::select(vec![false, true]),
        key in prop::sample::select(vec![
            "/device",
            "/plant > /device",
            "/device > /plant",
            "/plant > /device > /id",
            "/plant > /id",
            "/id",
            "/id > /device",
            "/device + \"-\" + random(200)",
            "/device > random(300)",
            "/plant + \"-\" + day(/t) > /device",
            "/device + /plant",
            "bucket(/device, 40) > /device > /id",
        ]),
    ) {
        let rows = rows(seed, strays, gap_of, twin_of);
        let limits = if near_unique { TableLimits { values: 300, ..TableLimits::default() } } else { coded() };
        let documents = documents(&NAMES, &rows, &limits);
        let candidate = parsed(key);
        let mut wanted: Vec<(u64, u64)> =
            plain(&NAMES, &rows, &candidate, 1).into_values().collect();
        wanted.sort_unstable();
        let (one, sizes) = found(&documents, key, 1);
        // Buckets of texts that were not kept are by chance.
        if !(near_unique && key.contains("bucket")) {
            prop_assert_eq!(&sizes, &wanted, "{}", key);
        }
        prop_assert_eq!(one.distinct.seen, sizes.len() as u64);
        for depth in 1..candidate.levels.len() {
            let shorter = Candidate { levels: candidate.levels[..depth].to_vec() };
            let groups = plain(&NAMES, &rows, &shorter, 1);
            let level = &one.levels[depth - 1];
            if !(near_unique && key.contains("bucket")) {
                prop_assert_eq!(level.distinct, groups.len() as u64, "{} {}", key, depth);
            }
        }
        let (other, _) = found(&documents, key, 3);
        prop_assert_eq!(one, other, "{}", key);
    }
}
