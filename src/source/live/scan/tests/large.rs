//! Samples of partitions in which a few keys hold nearly everything.

use std::collections::BTreeSet;

use super::super::simulated::StoredDocument;
use super::*;
use crate::model::epk::Epk;
use crate::source::live::sampling::{Stratum, strata_of};

/// A partition in which one key holds four of five documents, another one of ten, and very many keys the rest.
fn skewed() -> (SimulatedService, Vec<Stratum>) {
    let mut service = SimulatedService::of(&[1_000, 3_000], 10.0);
    let (min, max) = service.ranges["0"];
    let [large, next] = [min + (max - min) / 3, min + (max - min) / 7];
    let at = |place, count| (0..count).map(move |_| StoredDocument { place, key: 9 });
    service.documents.extend(at(large, 8_000).chain(at(next, 1_000)));
    service.documents.sort_by_key(|held| held.place);
    let mut strata = service.strata();
    let epk = |place: u128| Epk::from_hex(&format!("{place:032X}")).unwrap();
    strata[0].kib = Some(10_000.0);
    strata[0].keys = vec![(epk(next), 1_000.0), (epk(large), 8_000.0)];
    (service, strata)
}

#[test]
fn large_keys_that_statistics_list_have_their_share_of_a_sample() {
    for choice in [Choice::default(), narrow(100, &["/id"])] {
        let (mut service, strata) = skewed();
        let wanted = SampleRequest { choice, ..sample_request(1_300, 5) };
        let mut budgeted =
            BudgetedScan::new(Sampling::new(wanted, strata.clone()), Budget::new(1e9, 1e9, 60.0));
        let (over, _, _) = run(&mut budgeted, &mut service, 0.01);
        assert_eq!(over, ScanEnd::Whole);
        assert_none_twice(&service);
        let (min, max) = service.ranges["0"];
        let of_large = |held: &StoredDocument| held.place == min + (max - min) / 3;
        let drawn = |is: &dyn Fn(&StoredDocument) -> bool| {
            let given = service.given.iter().filter(|(range, _)| range == "0");
            given.filter(|(_, at)| is(&service.documents[*at])).count()
        };
        let (all, large) = (drawn(&|_| true), drawn(&of_large));
        let others = drawn(&|held| held.key != 9);
        assert_eq!((all, large, others), (1_000, 800, 100));
    }
}

#[test]
fn a_partition_of_one_key_gives_whole_documents_of_it() {
    let (mut service, mut strata) = skewed();
    strata[0].keys[1].1 = 9_990.0;
    let wanted = SampleRequest { choice: narrow(100, &["/id"]), ..sample_request(1_300, 5) };
    let mut budgeted =
        BudgetedScan::new(Sampling::new(wanted, strata), Budget::new(1e9, 1e9, 60.0));
    run(&mut budgeted, &mut service, 0.01);
    assert_eq!(budgeted.scan.entries(), 1_300);
    let whole = service.whole.iter().filter(|(range, _)| range == "0");
    assert!(whole.count() >= 77, "{}", service.whole.len());
    assert_none_twice(&service);
}

#[test]
fn no_key_is_read_whole_because_it_is_large() {
    let (mut service, strata) = skewed();
    let wanted = SampleRequest { choice: narrow(200, &["/id"]), ..sample_request(1_300, 5) };
    let mut budgeted =
        BudgetedScan::new(Sampling::new(wanted, strata), Budget::new(1e9, 1e9, 60.0));
    run(&mut budgeted, &mut service, 0.01);
    let whole = service.whole.iter().filter(|(range, _)| range == "0");
    // Of a thousand 154 are to be whole: those of the key with 100, and of the smaller ones.
    let whole = whole.count();
    assert!((120..=200).contains(&whole), "{whole}");
    // The smaller ones come from all over the hash range.
    let others: BTreeSet<u128> = service
        .given
        .iter()
        .filter(|(range, at)| range == "0" && service.documents[*at].key != 9)
        .map(|(_, at)| service.documents[*at].place >> 121)
        .collect();
    assert!(others.len() >= 7, "{others:?}");
}

#[test]
fn after_a_split_the_rest_of_a_hot_partition_is_read_too() {
    let (mut service, strata) = skewed();
    service.split("0", ["8", "9"]);
    let mut budgeted = BudgetedScan::new(
        Sampling::new(sample_request(1_300, 5), strata),
        Budget::new(1e9, 1e9, 60.0),
    );
    assert_eq!(run(&mut budgeted, &mut service, 0.01).0, ScanEnd::Moved);
    let list: Vec<String> = service
        .strata()
        .iter()
        .map(|s| {
            let (id, min, max) = (&s.id, &s.min, &s.max);
            format!(r#"{{"id":"{id}","minInclusive":"{min}","maxExclusive":"{max}"}}"#)
        })
        .collect();
    let ranges = format!(r#"{{"PartitionKeyRanges":[{}]}}"#, list.join(","));
    let before = budgeted.scan.strata();
    budgeted.scan.relay(strata_of(ranges.as_bytes(), &before));
    budgeted.resume();
    run(&mut budgeted, &mut service, 0.01);
    assert_none_twice(&service);
    // What is large stays large, and what is not is there as well.
    let hot: Vec<usize> = service
        .given
        .iter()
        .filter(|(range, _)| range == "8" || range == "9")
        .map(|(_, at)| *at)
        .collect();
    let of_large = hot.iter().filter(|at| service.documents[**at].key == 9).count();
    let others = hot.len() - of_large;
    assert!((80..=130).contains(&others), "{others} of {}", hot.len());
    assert!((850..=920).contains(&of_large), "{of_large} of {}", hot.len());
}
