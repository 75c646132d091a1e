//! Loads of keys, small enough to add up by hand.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these sums are exact"
)]

use super::*;

fn cell(region: u16, partition: u32, second: i64, key: u32, operation: u32, ru: f64) -> KeyCell {
    KeyCell {
        region,
        partition,
        second: (second >= 0).then_some(second),
        key: if key == 9 { RuKey::NotReported } else { RuKey::Named(key) },
        operation,
        ru,
        records: 1,
    }
}

fn loads() -> KeyLoads {
    KeyLoads::new(
        vec![
            cell(0, 3, 20, 1, 0, 100.0),
            cell(0, 3, 10, 1, 0, 400.0),
            cell(0, 3, 10, 1, 1, 50.0),
            cell(1, 3, 10, 1, 0, 300.0),
            cell(0, 4, 10, 2, 0, 80.0),
            cell(0, 3, -1, 2, 0, 5.0),
            cell(0, 3, 10, 9, 0, 65.0),
        ],
        10,
    )
}

#[test]
fn keys_are_ranked_and_their_peak_is_of_one_region() {
    let ranked = loads().ranked(RecordFilter::default(), &Names::default());
    let keys: Vec<RuKey> = ranked.iter().map(|k| k.key).collect();
    assert_eq!(keys, [RuKey::Named(1), RuKey::Named(2), RuKey::NotReported]);
    assert_eq!((ranked[0].ru, ranked[0].share), (850.0, 0.85));
    // 450 RU in 10 s over both operations, not 750 over both regions.
    assert_eq!((ranked[0].peak_ru_per_second, ranked[0].peak_at), (45.0, Some(10)));
    assert_eq!((ranked[0].first, ranked[0].last), (Some(10), Some(20)));
    assert_eq!(ranked[0].since, Some(10));
}

#[test]
fn a_key_over_time_is_its_busiest_step_in_each_cell() {
    let loads = loads();
    let window = |from, width_s, columns| Window { from, width_s, columns };
    let which = RecordFilter { partition: Some(3), ..RecordFilter::default() };
    let keys = [RuKey::Named(1), RuKey::NotReported, RuKey::Named(7)];
    let of = |window| loads.over_time(which, &keys, window);
    assert_eq!(
        of(window(0, 10, 3)),
        [vec![None, Some(45.0), Some(10.0)], vec![None, Some(6.5), None], vec![None; 3]]
    );
    // A step that is longer than a cell fills each of its cells, also from before the first one.
    assert_eq!(of(window(15, 5, 2))[0], [Some(45.0), Some(10.0)]);
    assert_eq!(of(window(0, 20, 2))[0], [Some(45.0), Some(10.0)]);
    assert_eq!(of(window(0, 10, 0))[0], [None; 0]);
}

#[test]
fn a_selection_counts_only_what_it_means() {
    let loads = loads();
    let which = RecordFilter { region: Some(0), partition: Some(3), span: None };
    let keys: Vec<(RuKey, f64)> =
        loads.ranked(which, &Names::default()).iter().map(|k| (k.key, k.ru)).collect();
    assert_eq!(
        keys,
        [(RuKey::Named(1), 550.0), (RuKey::NotReported, 65.0), (RuKey::Named(2), 5.0)]
    );
    let which = RecordFilter { span: Some((10, 20)), ..which };
    // Without a time it is in no stretch of time.
    assert_eq!(loads.ranked(which, &Names::default()).len(), 2);
    let total = loads.total(which);
    assert_eq!((total.ru, total.records), (515.0, 3));
    assert_eq!(loads.total_of(RuKey::NotReported, which).ru, 65.0);
    assert!(
        loads.ranked(RecordFilter { partition: Some(7), ..which }, &Names::default()).is_empty()
    );
}

#[test]
fn a_story_has_operations_partitions_and_the_busiest_region() {
    let loads = loads();
    let story = loads.story(RuKey::Named(1)).unwrap();
    assert_eq!((story.ru, story.records, story.region), (850.0, 4, Some(0)));
    assert_eq!(story.over_time, [(10, 45.0), (20, 10.0)]);
    let sum = |ru, records| RuSum { ru, records };
    assert_eq!(story.operations, [(0, sum(800.0, 3)), (1, sum(50.0, 1))]);
    assert_eq!(story.partitions, [(3, sum(850.0, 4))]);
    let story = loads.story(RuKey::Named(2)).unwrap();
    let partitions: Vec<_> = story.partitions.iter().map(|(at, sum)| (*at, sum.ru)).collect();
    assert_eq!(partitions, [(4, 80.0), (3, 5.0)]);
    assert_eq!(story.over_time, [(10, 8.0)]);
    assert_eq!(loads.story(RuKey::Named(5)), None);
    assert!(KeyLoads::default().ranked(RecordFilter::default(), &Names::default()).is_empty());
}

#[test]
fn keys_of_one_load_stand_in_the_order_of_their_text() {
    let mut names = Names::default();
    for name in ["b", "c", "a"] {
        names.number(name, 9);
    }
    let cells = (0..3).map(|key| cell(0, 0, 1, key, 0, 5.0)).collect();
    let ranked = KeyLoads::new(cells, 1).ranked(RecordFilter::default(), &names);
    let keys: Vec<RuKey> = ranked.iter().map(|share| share.key).collect();
    assert_eq!(keys, [2, 0, 1].map(RuKey::Named));
}
