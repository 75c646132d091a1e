//! Scans against a service with a clock of its own.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod large;

use proptest::prelude::*;

use super::simulated::{SimulatedService, run};
use super::*;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::source::live::sampling::{self, Choice, Hashing, SampleRequest, Sampling};

fn sample_request(documents: u64, seed: u64) -> SampleRequest {
    SampleRequest {
        database: "shop".to_owned(),
        container: "orders".to_owned(),
        documents,
        choice: Choice::default(),
        hashing: Hashing::V2,
        seed,
    }
}

fn budgeted(
    service: &SimulatedService,
    documents: u64,
    rate: f64,
    limit: f64,
) -> BudgetedScan<Sampling> {
    BudgetedScan::new(
        Sampling::new(sample_request(documents, 1), service.strata()),
        Budget::new(rate, limit, 60.0),
    )
}

#[test]
fn a_sample_takes_as_much_of_each_partition_as_it_holds() {
    let mut service = SimulatedService::of(&[8_000, 4_000, 4_000], 10.0);
    let mut budgeted = budgeted(&service, 800, 1e9, 1e9);
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    let of = |id: &str| service.given.iter().filter(|(range, _)| range == id).count();
    assert_eq!([of("0"), of("1"), of("2")], [400, 200, 200]);
    let mut places: Vec<usize> = service.given.iter().map(|(_, at)| *at).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 800, "no document twice");
    assert!(places.iter().any(|at| *at > 6_000 && *at < 8_000), "not the first keys only");
}

/// Documents of 1 KiB, charged as the estimate takes them to be.
#[test]
fn a_sample_costs_no_more_than_its_estimate_and_passes_its_budget_by_one_answer() {
    for rate in [5.0, 7.0, 10.0, 24.0, 100.0] {
        for documents in [100, 1_000] {
            let mut service = SimulatedService::of(&[4_000, 3_000, 9_000], 2.5);
            service.document_charge = 1.0;
            let estimate = sampling::estimate(&service.strata(), documents, rate);
            let mut whole = budgeted(&service, documents, rate, 1e9);
            let (over, _, _) = run(&mut whole, &mut service, 0.01);
            let (spent, most) = (service.charged, estimate.ru);
            assert_eq!((over, whole.scan.entries()), (ScanEnd::Whole, documents));
            assert!(spent <= most && spent > most * 0.6, "{rate}: {spent} of {most}");
            let mut service = SimulatedService::of(&[4_000, 3_000, 9_000], 2.5);
            service.document_charge = 1.0;
            let limit = spent / 2.0;
            let mut half = budgeted(&service, documents, rate, limit);
            let (over, _, _) = run(&mut half, &mut service, 0.01);
            assert_eq!(over, ScanEnd::Spent);
            assert!(service.charged <= limit + half.budget.largest, "{rate}: {}", service.charged);
        }
    }
}

#[test]
fn a_service_that_ignores_parts_is_not_asked_for_each_of_them() {
    let mut service = SimulatedService::of(&[5_000], 10.0);
    service.ignores_windows = true;
    let mut budgeted = budgeted(&service, 1_000, 1e9, 1e9);
    let (over, was, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!((over, budgeted.scan.entries()), (ScanEnd::Whole, 1_000));
    // A page holds twelve: 84 of them, and the one that told.
    assert!(was.len() <= 87, "{}", was.len());
}

#[test]
fn what_is_paid_for_slowly_is_asked_slowly() {
    let mut service = SimulatedService::of(&[10_000], 20.0);
    let mut budgeted = budgeted(&service, 500, 10.0, 1_000.0);
    let (_, was, ended) = run(&mut budgeted, &mut service, 0.01);
    // Every page but the first and one second's worth waits for the one before to be paid for.
    let pages = was.len();
    assert!(pages >= 5, "{pages}");
    let paid = f64::from(u32::try_from(pages - 1).unwrap()) * 2.0;
    assert!((ended - paid).abs() <= 3.0, "{pages} pages in {ended} s");
}

#[test]
fn two_refusals_in_a_row_make_it_rest() {
    let mut service = SimulatedService::of(&[1_000, 1_000, 1_000, 1_000], 5.0);
    service.refuses = vec![3, 4, 5];
    service.wait_ms = Some(200);
    let mut budgeted = budgeted(&service, 1_500, 1e9, 1e9);
    let (over, was, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    let refused: Vec<f64> = was.iter().filter(|w| w.refused).map(|w| w.at).collect();
    assert_eq!(refused.len(), 3);
    let rests = was.iter().find(|w| w.meter.resting_seconds.is_some()).unwrap();
    let next =
        was.iter().filter(|w| w.at > rests.at + 0.02).map(|w| w.at).fold(f64::INFINITY, f64::min);
    assert!(next - rests.at >= 59.9, "{} then {next}", rests.at);
}

#[test]
fn a_budget_that_is_spent_can_be_added_to() {
    let mut service = SimulatedService::of(&[5_000], 50.0);
    let mut budgeted = budgeted(&service, 2_000, 1e9, 220.0);
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Spent);
    assert!(service.charged <= 220.0, "{}", service.charged);
    let before = service.given.len();
    budgeted.budget.allow(200.0);
    budgeted.resume();
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Spent);
    assert!(service.given.len() > before);
    let mut places: Vec<usize> = service.given.iter().map(|(_, at)| *at).collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count, "it went on where it was");
}

#[test]
fn without_parts_of_hash_ranges_partitions_are_read_from_their_start() {
    let mut service = SimulatedService::of(&[2_000, 2_000], 5.0);
    service.takes_no_windows = true;
    let mut budgeted = budgeted(&service, 400, 1e9, 1e9);
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    assert!(budgeted.scan.is_unwindowed());
    assert_eq!(service.given.len(), 400);
}

#[test]
fn a_split_is_gone_on_with_in_the_new_ranges() {
    let mut service = SimulatedService::of(&[4_000, 4_000], 5.0);
    let mut budgeted = budgeted(&service, 2_000, 1e9, 300.0);
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Spent);
    service.split("0", ["2", "3"]);
    budgeted.budget.allow(1e9);
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Moved);
    budgeted.scan.relay(service.strata());
    budgeted.resume();
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    let mut places: Vec<usize> = service.given.iter().map(|(_, at)| *at).collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count, "no document twice");
    assert!(budgeted.scan.entries() >= 1_000);
}

#[test]
fn the_hottest_partition_comes_last() {
    let mut service = SimulatedService::of(&[1_000, 1_000, 1_000], 5.0);
    let mut strata = service.strata();
    for (stratum, heat) in strata.iter_mut().zip([0.2, 0.9, 0.3]) {
        stratum.heat = Some(heat);
    }
    let mut budgeted = BudgetedScan::new(
        Sampling::new(sample_request(300, 1), strata),
        Budget::new(1e9, 1e9, 60.0),
    );
    let (_, was, _) = run(&mut budgeted, &mut service, 0.01);
    let first = was.iter().position(|w| w.range == "1").unwrap();
    assert!(was.iter().skip(first).all(|w| w.range == "1"));
}

fn narrow(whole: u64, paths: &[&str]) -> Choice {
    Choice { whole, paths: paths.iter().map(|p| Path::parse(p).unwrap()).collect() }
}

fn chosen(service: &SimulatedService, documents: u64, choice: Choice) -> BudgetedScan<Sampling> {
    let wanted = SampleRequest { choice, ..sample_request(documents, 1) };
    BudgetedScan::new(Sampling::new(wanted, service.strata()), Budget::new(1e9, 1e9, 60.0))
}

/// Documents that came of each query.
fn by_query(service: &SimulatedService) -> (u64, u64) {
    let of = |is_whole: bool| {
        let asked = service.queries.iter();
        let asked = asked.filter(|(query, _)| query.contains('*') == is_whole);
        asked.map(|(_, entries)| *entries).sum()
    };
    (of(true), of(false))
}

fn assert_none_twice(service: &SimulatedService) {
    let mut places: Vec<usize> = service.given.iter().map(|(_, at)| *at).collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count, "a document came twice");
}

#[test]
fn some_documents_are_whole_and_of_the_others_a_few_properties_are_read() {
    let mut service = SimulatedService::of(&[8_000, 4_000, 4_000], 10.0);
    let mut budgeted = chosen(&service, 1_600, narrow(160, &["/id", "/_ts"]));
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    assert_eq!(by_query(&service), (160, 1_440));
    assert_none_twice(&service);
    let narrow = service.queries.iter().find(|(query, _)| !query.contains('*'));
    assert!(narrow.unwrap().0.contains(r#"{"_rid": c._rid, "_ts": c._ts, "id": c.id}"#));
    // Whole ones are from every partition.
    for id in ["0", "1", "2"] {
        let mut whole = service.whole.iter().filter(|(range, _)| range == id);
        assert!(whole.next().is_some(), "{id}");
    }
}

#[test]
fn other_properties_are_asked_anew_and_whole_documents_stay() {
    let mut service = SimulatedService::of(&[4_000, 4_000], 10.0);
    let mut budgeted = chosen(&service, 800, narrow(100, &["/id", "/a"]));
    run(&mut budgeted, &mut service, 0.01);
    assert_eq!(by_query(&service), (100, 700));
    // Fewer of the same properties are there already.
    budgeted.scan.choose(narrow(100, &["/a"]));
    budgeted.resume();
    run(&mut budgeted, &mut service, 0.01);
    assert_eq!(by_query(&service), (100, 700));
    budgeted.scan.choose(narrow(100, &["/b"]));
    budgeted.resume();
    assert_eq!(budgeted.scan.entries(), 100);
    run(&mut budgeted, &mut service, 0.01);
    assert_eq!(by_query(&service), (100, 1_400));
    assert_eq!(budgeted.scan.entries(), 800);
    // All of them whole.
    budgeted.scan.choose(Choice::default());
    budgeted.resume();
    run(&mut budgeted, &mut service, 0.01);
    assert_eq!(by_query(&service), (800, 1_400));
}

#[test]
fn a_sample_of_nearly_everything_takes_more_whole_ones_where_the_others_are_at_their_end() {
    let mut service = SimulatedService::of(&[300, 200], 10.0);
    let mut budgeted = chosen(&service, 100_000, narrow(20, &["/id"]));
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    let (whole, rows) = by_query(&service);
    assert_eq!(whole + rows, 500);
    assert!(whole >= 20 && rows > 200, "{whole} {rows}");
    assert_none_twice(&service);
}

#[test]
fn without_parts_of_hash_ranges_every_document_is_whole() {
    let mut service = SimulatedService::of(&[2_000, 2_000], 5.0);
    service.takes_no_windows = true;
    let mut budgeted = chosen(&service, 400, narrow(40, &["/id"]));
    let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    assert_eq!(by_query(&service), (400, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However much is whole, through a split: no document comes twice, and as many come as are wanted.
    #[test]
    fn no_document_comes_twice(
        shares in proptest::collection::vec(50_u64..900, 1..5),
        documents in 50_u64..1_500,
        whole in 1_u64..300,
        limit in 20.0..400.0_f64,
        more in 0_u64..2_000,
    ) {
        let mut service = SimulatedService::of(&shares, 5.0);
        let mut budgeted = chosen(&service, documents, narrow(whole, &["/id"]));
        budgeted.budget = Budget::new(1e9, limit, 60.0);
        run(&mut budgeted, &mut service, 0.01);
        service.split("0", ["8", "9"]);
        budgeted.budget.allow(1e9);
        budgeted.resume();
        if run(&mut budgeted, &mut service, 0.01).0 == ScanEnd::Moved {
            budgeted.scan.relay(service.strata());
            budgeted.scan.extend(0);
            budgeted.resume();
            run(&mut budgeted, &mut service, 0.01);
        }
        budgeted.scan.extend(more);
        budgeted.resume();
        run(&mut budgeted, &mut service, 0.01);
        assert_none_twice(&service);
        let all: u64 = shares.iter().sum();
        prop_assert!(budgeted.scan.entries() <= all);
        let (whole, rows) = by_query(&service);
        prop_assert_eq!(whole + rows, budgeted.scan.entries());
    }

    /// Nothing starts that the budget may not hold; what passes it is what was on its way.
    #[test]
    fn no_scan_passes_its_budget(
        shares in proptest::collection::vec(0_u64..600, 1..6),
        charge in 0.5..80.0_f64,
        limit in 1.0..2_000.0_f64,
        refuses in proptest::collection::vec(0_u64..60, 0..12),
        rate in 1.0..1e6_f64,
    ) {
        let mut service = SimulatedService::of(&shares, charge);
        service.refuses = refuses;
        let mut budgeted = budgeted(&service, 500, rate, limit);
        let (_, was, _) = run(&mut budgeted, &mut service, 0.05);
        #[expect(clippy::cast_precision_loss, reason = "two")]
        let bound = limit + charge * IN_FLIGHT as f64;
        prop_assert!(service.charged <= bound, "{} of {limit}", service.charged);
        // While it rests nothing is asked: only what was on its way comes back.
        for rest in was.iter().filter(|w| w.meter.resting_seconds.is_some_and(|left| left > 59.5)) {
            let during = was.iter().filter(|w| w.at > rest.at + 0.051 && w.at < rest.at + 59.9).count();
            prop_assert_eq!(during, 0);
        }
    }

    /// The same seed, the same documents.
    #[test]
    fn a_seed_gives_the_same_sample(shares in proptest::collection::vec(1_u64..400, 1..5), seed: u64) {
        let mut given = Vec::new();
        for _ in 0..2 {
            let mut service = SimulatedService::of(&shares, 3.0);
            let mut budgeted = BudgetedScan::new(Sampling::new(sample_request(200, seed), service.strata()), Budget::new(1e9, 1e9, 60.0));
            run(&mut budgeted, &mut service, 0.01);
            given.push(service.given);
        }
        prop_assert_eq!(&given[0], &given[1]);
    }
}

#[test]
fn what_is_silent_is_not_waited_for_a_second_time() {
    let service = SimulatedService::of(&[100], 1.0);
    // Each request fails so many seconds after it was asked: at once it is tried three times, after a time limit once.
    for (after, requests) in [(0.1, FAILURES), (10.0, 1)] {
        let mut budgeted = budgeted(&service, 50, 1e9, 1e9);
        let (mut now, mut asked) = (0.0, 0);
        let over = loop {
            match budgeted.step(now) {
                Step::Ask(ask) => {
                    asked += 1;
                    now += after;
                    let trouble = Trouble::new(Obstacle::TimedOut, "silence", "wait");
                    let seen = Observation::of(&ask.inquiry, Stamp::EPOCH, Err(trouble));
                    let page = FeedPage { continuation: None, seen };
                    budgeted.seen(now, &ask, &page);
                }
                Step::Wait(pause) => panic!("{pause:?}"),
                Step::Over(over) => break over,
            }
        };
        assert!(matches!(over, ScanEnd::Failed(_)), "{over:?}");
        assert_eq!(asked, requests);
    }
}

#[test]
fn a_service_that_gives_all_for_each_part_gives_no_document_twice() {
    let mut service = SimulatedService::of(&[100, 40], 1.0);
    service.ignores_windows = true;
    let mut budgeted = budgeted(&service, 10_000, 1e9, 1e9);
    let (over, ..) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    assert_eq!(budgeted.scan.entries(), 140);
    assert!(budgeted.scan.is_unwindowed());
}
