//! What holds for every key and every table.

use proptest::prelude::*;

use super::*;
use crate::analysis::parallelism;
use crate::model::epk::{Epk, epk, even_boundaries};
use crate::model::units::real;

const NAMES: [&str; 4] = ["a", "b", "t", "id"];
const KEYS: [&str; 24] = [
    "/a",
    "/b",
    "/nowhere",
    "/a > /b",
    "/a > /b > /id",
    "/t > /a",
    "/a + /b",
    "/a + \"-\" + /b",
    "/a + /b > /t",
    "day(/t)",
    "month(/t) + /a",
    "/a + minute(/t) + /b",
    "year(/t) > hour(/t) > /id",
    "prefix(/b, 1)",
    "prefix(/b, 1) + /a + prefix(/b, 2)",
    "lower(/b)",
    "lower(/a) > lower(/b)",
    "/a + \".\" + random(3)",
    "random(12) + /a + random(12)",
    "/a + random(2) > random(3) > /b + random(2)",
    "bucket(/id, 4)",
    "bucket(/b, 2) > /a",
    "\"x\"",
    "\"x\" + /nowhere",
];

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        1 => Just(Cell::Missing),
        1 => Just(Cell::Null),
        1 => any::<bool>().prop_map(Cell::Bool),
        3 => (0..30).prop_map(Cell::Number),
        6 => "[aAB12é-]{0,3}|true|12".prop_map(Cell::Text),
        1 => Just(Cell::List),
    ]
}

fn time() -> impl Strategy<Value = Cell> {
    prop_oneof![
        8 => (0_u32..400, 0_u32..1440).prop_map(|(d, m)| {
            let (month, day) = (1 + d / 28 % 12, 1 + d % 28);
            Cell::Text(format!("2026-{month:02}-{day:02}T{:02}:{:02}:30Z", m / 60, m % 60))
        }),
        2 => (1_700_000_000..1_700_900_000).prop_map(Cell::Number),
        1 => cell(),
    ]
}

fn table() -> impl Strategy<Value = Vec<(Vec<Cell>, u32)>> {
    let id = "[a-f]{2}".prop_map(Cell::Text);
    let row = (cell(), cell(), time(), id).prop_map(|(a, b, t, id)| vec![a, b, t, id]);
    prop::collection::vec((row, 1_u32..5_000), 0..60)
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(KEYS.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn groups_are_those_of_each_document_by_itself(rows in table(), key in key(), seed in 0_u64..9) {
        let documents = documents(&NAMES, &rows, &coded());
        let candidate = parsed(key);
        let wanted = plain(&NAMES, &rows, &candidate, seed);
        prop_assert_eq!(of_groups(&documents, &candidate, seed), wanted, "{}", key);
    }

    #[test]
    fn sizes_add_up_and_a_seed_gives_the_same(rows in table(), key in key(), seed in 0_u64..9) {
        let documents = documents(&NAMES, &rows, &coded());
        let settings = Settings { seed, load_ru_per_second: Some(20_000.0), partitions: 7, top: 1_000, ..Settings::default() };
        let trials = trials(&documents, settings.clone());
        let one = trials.trial(&parsed(key));
        let total = real(documents.kept_bytes());
        prop_assert!((one.top.iter().map(|t| t.bytes).sum::<f64>() - total).abs() < 1e-6);
        prop_assert!((one.placement.partitions.iter().map(|p| p.bytes).sum::<f64>() - total).abs() < 1e-6);
        let asked: f64 = one.placement.partitions.iter().filter_map(|p| p.ru_per_second).sum();
        prop_assert!(rows.is_empty() || (asked - 20_000.0).abs() < 1e-6, "{}", asked);
        prop_assert_eq!(one.distinct.seen, one.top.len() as u64);
        prop_assert_eq!(super::trials(&documents, settings).trial(&parsed(key)), one);
    }

    #[test]
    fn any_number_of_hands_finds_the_same(
        rows in table(),
        key in key(),
        seed in 0_u64..9,
        workers in 2_usize..6,
        values in prop::sample::select(vec![3, 1_000]),
        weight in prop::sample::select(vec![Weight::Documents, Weight::Bytes]),
        stored_bytes in prop::sample::select(vec![None, Some(1e9)]),
    ) {
        let limits = TableLimits { values, ..TableLimits::default() };
        let documents = documents(&NAMES, &rows, &limits);
        let settings = Settings { seed, weight, stored_bytes, partitions: 7, ..Settings::default() };
        let alone = trials(&documents, settings);
        let together = alone.clone().with_parallelism(parallelism::testing::parallelism(workers));
        let candidate = parsed(key);
        prop_assert_eq!(
            together.trial_with_routes(&candidate),
            alone.trial_with_routes(&candidate)
        );
        let (one, other) = (together.document_keys(&candidate), alone.document_keys(&candidate));
        prop_assert_eq!((one.of_row, one.load_share, one.seconds), (other.of_row, other.load_share, other.seconds));
    }

    #[test]
    fn a_finer_key_has_no_larger_group(
        rows in table(),
        coarse in prop::sample::select(vec!["/a", "month(/t)", "prefix(/b, 2)", "/a > /b", "\"x\""]),
        finer in prop::sample::select(vec!["/b", "/id", "day(/t)", "/id + random(3)"]),
    ) {
        let documents = documents(&NAMES, &rows, &coded());
        let trials = trials(&documents, Settings::default());
        let largest = |key: &str| trials.trial(&parsed(key)).largest_bytes;
        let refined = format!("{coarse} > {finer}");
        prop_assert!(largest(&refined) <= largest(coarse), "{refined}");
    }

    #[test]
    fn partitions_are_those_that_the_hash_gives(rows in table(), key in key(), n in 1_u32..30) {
        let documents = documents(&NAMES, &rows, &coded());
        let candidate = parsed(key);
        let settings = Settings { partitions: n as usize, ..Settings::default() };
        let found = trials(&documents, settings).trial(&candidate).placement;
        let definition = crate::model::key::KeyDefinition::of_levels(candidate.levels.len());
        let inner = even_boundaries(n, &definition);
        let starts: Vec<Epk> = std::iter::once(Epk::MIN).chain(inner.iter().cloned()).collect();
        let ends: Vec<Epk> = inner.into_iter().chain([Epk::MAX]).collect();
        let mut wanted = vec![0.0; n as usize];
        for (key, (_, bytes)) in plain(&NAMES, &rows, &candidate, 1) {
            let place = epk(key.parts(), &definition).unwrap();
            let at = starts.iter().zip(&ends).position(|(min, max)| *min <= place && place < *max);
            let at = at.unwrap();
            wanted[at] += real(bytes);
        }
        let bytes: Vec<f64> = found.partitions.iter().map(|p| p.bytes).collect();
        prop_assert_eq!(bytes, wanted);
    }

    #[test]
    fn hashes_in_place_of_texts_change_no_group(
        rows in table(),
        key in prop::sample::select(vec!["/b", "/a > /b", "/id > /a", "day(/t)", "/a > month(/t) > /id", "/id + \"-\" + day(/t)"]),
    ) {
        // Of a column of other things no seconds are kept beside the hashes.
        let dated = |(at, (mut cells, bytes)): (usize, (Vec<Cell>, u32))| {
            cells[2] = Cell::Text(format!("2026-03-{:02}T10:{:02}:00Z", 1 + at % 9, at % 60));
            (cells, bytes)
        };
        let rows: Vec<_> = rows.into_iter().enumerate().map(dated).collect();
        let few = TableLimits { values: 3, ..TableLimits::default() };
        let (whole, hashed) = (documents(&NAMES, &rows, &coded()), documents(&NAMES, &rows, &few));
        let sizes = |documents: &Documents| {
            let settings = Settings { top: 1_000, ..Settings::default() };
            let trial = trials(documents, settings).trial(&parsed(key));
            let top: Vec<(f64, f64)> = trial.top.iter().map(|t| (t.bytes, t.documents)).collect();
            (top, trial.distinct, trial.collisions.map(|c| (c.pairs, c.documents)))
        };
        prop_assert_eq!(sizes(&whole), sizes(&hashed));
    }

    #[test]
    fn documents_meet_as_counting_pairs_says(rows in table(), key in key()) {
        let documents = documents(&NAMES, &rows, &coded());
        let candidate = parsed(key);
        let mut pairs: BTreeMap<(Key, KeyPart), u64> = BTreeMap::new();
        for (number, row) in (0..).zip(&rows) {
            let value = |path: &Path| {
                let at = NAMES.iter().position(|n| path.top_name() == Some(n));
                at.map_or(KeyPart::Undefined, |at| row.0[at].part())
            };
            let key = candidate.key(&value, &mut Draws::of(1, number));
            *pairs.entry((key, row.0[3].part())).or_default() += 1;
        }
        let shared: Vec<u64> = pairs.into_values().filter(|n| *n > 1).collect();
        let found = trials(&documents, Settings::default()).trial(&candidate).collisions;
        let found = found.unwrap_or_default();
        prop_assert_eq!((found.pairs, found.documents), (shared.len() as u64, shared.iter().sum::<u64>()));
        prop_assert!(found.examples.iter().all(|e| e.documents > 1));
    }
}
