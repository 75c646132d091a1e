//! Counts against a service that is split meanwhile.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::source::live::budget::Budget;
use crate::source::live::scan::simulated::{SimulatedService, run};
use crate::source::live::scan::{BudgetedScan, ScanEnd};

fn count_request() -> CountRequest {
    CountRequest {
        database: "shop".to_owned(),
        container: "orders".to_owned(),
        paths: vec![Path::parse("/customer").unwrap()],
    }
}

fn truth() -> Vec<(String, u64)> {
    // Keys by turns of seven in three partitions of 700, 70 and 7.
    ["[{}]", "[null]", "[3]", "[4]", "[5]", "[6]", "[\"2\"]"]
        .map(|key| (key.to_owned(), 111))
        .to_vec()
}

fn counts(counting: &Counting) -> Vec<(String, u64)> {
    let counted = counting.counted();
    counted.keys.iter().map(|(key, count)| (key.canonical(), *count)).collect()
}

fn service() -> SimulatedService {
    SimulatedService { counts_groups: true, ..SimulatedService::of(&[700, 70, 7], 3.0) }
}

#[test]
fn partial_counts_add_up_and_kinds_of_nothing_stay_apart() {
    let mut service = service();
    let mut budgeted = BudgetedScan::new(
        Counting::new(count_request(), service.strata()),
        Budget::new(1e9, 1e9, 60.0),
    );
    assert_eq!(run(&mut budgeted, &mut service, 0.01).0, ScanEnd::Whole);
    assert_eq!(counts(&budgeted.scan), truth());
    assert_eq!(budgeted.scan.counted().documents, 777);
}

#[test]
fn what_was_begun_before_a_split_is_counted_anew() {
    let mut service = service();
    let mut budgeted = BudgetedScan::new(
        Counting::new(count_request(), service.strata()),
        Budget::new(1e9, 9.0, 60.0),
    );
    assert_eq!(run(&mut budgeted, &mut service, 0.01).0, ScanEnd::Spent);
    service.split("0", ["3", "4"]);
    budgeted.budget.allow(1e9);
    assert_eq!(run(&mut budgeted, &mut service, 0.01).0, ScanEnd::Moved);
    budgeted.scan.relay(service.strata());
    budgeted.resume();
    assert_eq!(run(&mut budgeted, &mut service, 0.01).0, ScanEnd::Whole);
    assert_eq!(counts(&budgeted.scan), truth());
}

#[test]
fn names_are_quoted_and_partial_counts_are_read() {
    let paths = ["/a b", "/c/d"].map(|p| Path::parse(p).unwrap());
    assert_eq!(
        query(&paths),
        r#"SELECT c["a b"] AS k0, c.c.d AS k1, COUNT(1) AS n FROM c GROUP BY c["a b"], c.c.d"#
    );
    let page =
        br#"{"Documents":[{"k1":"x","n":{"item":4}},{"k0":1.0,"k1":null,"n":2}],"_count":2}"#;
    let reported: Vec<(String, u64)> =
        groups(page, 2).into_iter().map(|(key, n)| (key.canonical(), n)).collect();
    assert_eq!(reported, [("[{},\"x\"]".to_owned(), 4), ("[1,null]".to_owned(), 2)]);
}

#[test]
fn it_ends_where_no_more_keys_are_held() {
    let mut service = service();
    let counting = Counting::new(count_request(), service.strata()).holding(4);
    let mut budgeted = BudgetedScan::new(counting, Budget::new(1e9, 1e9, 60.0));
    let (over, was, _) = run(&mut budgeted, &mut service, 0.01);
    assert_eq!(over, ScanEnd::Whole);
    assert!(was.last().unwrap().meter.is_full);
    // Two groups a page: two pages fill it, and one more may be on its way.
    assert!(was.len() <= 3, "{}", was.len());
    let mut budgeted = BudgetedScan::new(
        Counting::new(count_request(), service.strata()),
        Budget::new(1e9, 1e9, 60.0),
    );
    let (_, was, _) = run(&mut budgeted, &mut service, 0.01);
    assert!(!was.last().unwrap().meter.is_full);
}
