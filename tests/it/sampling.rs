//! Samples and exact counts of documents against Microsoft's emulator on this machine: whole, within the budget, through
//! splits, and nothing but queries on the wire.

mod orders;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use azure_core::credentials::Secret;
use cosmoscope::model::path::Path;
use cosmoscope::source::answers::{Inquiry, Kind, Observation, Obstacle};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::budget::Budget;
use cosmoscope::source::live::counting::{self, Counting};
use cosmoscope::source::live::pages;
use cosmoscope::source::live::sampling::{
    Choice, Hashing, SampleRequest, Sampling, Stratum, strata_of,
};
use cosmoscope::source::live::scan::{BudgetedScan, Scan, ScanEnd, ScanEvent, run};
use cosmoscope::source::live::sign_in::SignIn;
use cosmoscope::source::live::target::{Pace, Side, Target};
use cosmoscope::source::sampled::SampledPages;
use tokio::runtime::Runtime;
use tokio::time::Instant;

use crate::emulator::filling::ContainerPlan;
use crate::emulator::{Server, Settings};

/// Base64 of a sentence; the emulator looks at no signature.
const KEY: &str = "VGhpcyBpcyBubyBrZXkgb2YgYW55IGFjY291bnQgYW55d2hlcmUu";
const DATABASE: &str = "shop";
const ORDERS: ContainerPlan = ContainerPlan {
    name: "orders",
    paths: &["/tenantId"],
    partitions: 4,
    ru_per_second: Some(4_000),
    from: ("", ""),
};
const DOCUMENTS: u64 = 400;

struct Bench {
    server: Server,
    runtime: Runtime,
    account: AccountReader,
}

/// Four hundred documents of fifty tenants, a quarter of them without a city: it is `null` in one property and not there in
/// the other, since the emulator cannot tell the two apart where they meet in one partition.
fn bench() -> Bench {
    let server = Server::start(Settings::default());
    server.create_database(DATABASE);
    server.create_container(DATABASE, &ORDERS);
    let document = |n: u64| {
        let city = match n % 4 {
            0 => ",\"nulled\":null".to_owned(),
            1 => ",\"nulled\":true,\"absent\":true".to_owned(),
            2 => format!(",\"nulled\":{0},\"absent\":{0}", n % 3),
            _ => format!(",\"nulled\":\"{0}\",\"absent\":\"{0}\"", n % 3),
        };
        format!("{{\"id\":\"{n}\",\"tenantId\":\"t{}\"{city}}}", n % 50)
    };
    server.insert_all(DATABASE, ORDERS.name, (0..DOCUMENTS).map(document));
    let target =
        Target { endpoint: server.endpoint.clone(), side: Side::Emulator, ..Target::default() };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let sign_in = SignIn::Key(Secret::new(KEY));
    let opened = runtime.block_on(AccountReader::open(&target, sign_in, Pace::default()));
    let account = opened.unwrap();
    server.forget_seen();
    Bench { server, runtime, account }
}

impl Bench {
    fn strata(&self, before: &[Stratum]) -> Vec<Stratum> {
        let inquiry = Inquiry::container(Kind::Ranges, DATABASE, ORDERS.name);
        match self.runtime.block_on(self.account.ask(&inquiry)) {
            Observation::Answer(answer) => strata_of(&answer.body, before),
            Observation::Failure(failure) => panic!("{failure:?}"),
        }
    }

    /// Runs it; every page that came back is given to `tell`.
    fn run<S: Scan>(
        &self,
        profile: &mut BudgetedScan<S>,
        is_wanted: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&Observation),
    ) -> ScanEnd {
        let mut reported = |reported: ScanEvent<'_>| {
            if let ScanEvent::Seen(seen) = reported {
                tell(seen);
            }
        };
        let began = Instant::now();
        self.runtime.block_on(run(profile, began, &self.account, is_wanted, &mut reported))
    }

    fn sampling(&self, documents: u64) -> Sampling {
        let wanted = SampleRequest {
            database: DATABASE.to_owned(),
            container: ORDERS.name.to_owned(),
            documents,
            choice: Choice::default(),
            hashing: Hashing::V2,
            seed: 7,
        };
        Sampling::new(wanted, self.strata(&[]))
    }

    fn counting(&self, path: &str) -> Counting {
        let wanted = counting::CountRequest {
            database: DATABASE.to_owned(),
            container: ORDERS.name.to_owned(),
            paths: vec![Path::parse(path).unwrap()],
        };
        Counting::new(wanted, self.strata(&[]))
    }

    fn assert_only_queries(&self) {
        for seen in self.server.seen() {
            assert!(seen.reads(), "{seen:?}");
            if seen.method == "POST" {
                assert_eq!(seen.header("x-ms-cosmos-priority-level"), Some("Low"), "{seen:?}");
            }
        }
    }
}

fn generous() -> Budget {
    Budget::new(1e9, 1e9, 60.0)
}

#[test]
fn a_sample_of_everything_is_everything_once() {
    let bench = bench();
    let mut profile = BudgetedScan::new(bench.sampling(DOCUMENTS * 2), generous());
    let mut ids: Vec<String> = Vec::new();
    let over = bench.run(&mut profile, &|| true, &mut |seen| {
        let Observation::Answer(answer) = seen else { panic!("{seen:?}") };
        ids.extend(pages::entries(&answer.body).unwrap().into_iter().map(str::to_owned));
    });
    assert_eq!(over, ScanEnd::Whole);
    let count = ids.len() as u64;
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((count, ids.len() as u64), (DOCUMENTS, DOCUMENTS));
    bench.assert_only_queries();
}

/// A few are whole, of the others two properties are read: every document comes once, and no more of it than was asked for.
#[test]
fn narrow_rows_hold_what_was_asked_for() {
    let bench = bench();
    let wanted = SampleRequest {
        documents: DOCUMENTS * 2,
        choice: Choice {
            whole: 40,
            paths: ["/id", "/nulled"].map(|p| Path::parse(p).unwrap()).to_vec(),
        },
        ..bench.sampling(1).request().clone()
    };
    let mut profile = BudgetedScan::new(Sampling::new(wanted, bench.strata(&[])), generous());
    let mut answers = Vec::new();
    let over = bench.run(&mut profile, &|| true, &mut |seen| match seen {
        Observation::Answer(answer) => answers.push(answer.clone()),
        Observation::Failure(failure) => panic!("{failure:?}"),
    });
    assert_eq!(over, ScanEnd::Whole);
    let sampled = SampledPages::of(answers.iter());
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let names = |text: &str| -> Vec<String> {
        let document = read(text);
        document.as_object().unwrap().keys().cloned().collect()
    };
    let narrow: Vec<&str> = sampled.narrow().map(|(_, one)| one.text).collect();
    for text in &narrow {
        let names = names(text);
        assert!(names.iter().all(|n| ["_rid", "id", "nulled"].contains(&n.as_str())), "{text}");
    }
    let whole: Vec<&str> = sampled.whole().map(|(_, one)| one.text).collect();
    assert!(whole.len() >= 40 && !narrow.is_empty(), "{}", whole.len());
    assert!(names(whole[0]).iter().any(|n| n == "_etag"), "{}", whole[0]);
    let all = whole.iter().chain(&narrow);
    let ids: BTreeSet<String> = all.map(|text| read(text)["id"].to_string()).collect();
    assert_eq!(ids.len() as u64, DOCUMENTS);
    assert_eq!((whole.len() + narrow.len()) as u64, DOCUMENTS);
    assert_eq!(sampled.from_start, 0);
    assert!(sampled.places > sampled.partitions, "{}", sampled.places);
    bench.assert_only_queries();
}

#[test]
fn a_budget_is_held_and_gone_on_with() {
    let bench = bench();
    // A page costs 1 RU here.
    let mut profile = BudgetedScan::new(bench.sampling(DOCUMENTS * 2), Budget::new(1e9, 3.0, 60.0));
    let pages = AtomicU64::new(0);
    let mut count = |_: &Observation| {
        pages.fetch_add(1, Ordering::Relaxed);
    };
    assert_eq!(bench.run(&mut profile, &|| true, &mut count), ScanEnd::Spent);
    assert!(profile.budget.spent <= 3.0, "{}", profile.budget.spent);
    let there = profile.scan.entries();
    assert!(there > 0 && there < DOCUMENTS, "{there}");
    profile.budget.allow(1e9);
    profile.resume();
    assert_eq!(bench.run(&mut profile, &|| true, &mut count), ScanEnd::Whole);
    assert_eq!(profile.scan.entries(), DOCUMENTS);
}

/// Which places answer first is not known, and some of them are empty: it is stopped when the first documents are there.
#[test]
fn who_stops_keeps_what_is_there() {
    let bench = bench();
    let mut profile = BudgetedScan::new(bench.sampling(DOCUMENTS * 2), generous());
    let came = AtomicU64::new(0);
    let over = bench.run(&mut profile, &|| came.load(Ordering::Relaxed) == 0, &mut |seen| {
        let Observation::Answer(page) = seen else {
            return;
        };
        let documents = pages::entries(&page.body).map_or(0, |all| all.len());
        came.fetch_add(documents as u64, Ordering::Relaxed);
    });
    assert_eq!(over, ScanEnd::Stopped);
    let there = profile.scan.entries();
    assert!(there > 0 && there < DOCUMENTS, "{there}");
}

#[test]
fn counts_are_the_truth_before_and_after_a_split() {
    counts_are_the_truth("/nulled", "[null]");
    counts_are_the_truth("/absent", "[{}]");
}

#[track_caller]
fn counts_are_the_truth(path: &str, nothing: &str) {
    let bench = bench();
    let mut truth: BTreeMap<String, u64> = BTreeMap::new();
    for n in 0..DOCUMENTS {
        let key = match n % 4 {
            0 => nothing.to_owned(),
            1 => "[true]".to_owned(),
            2 => format!("[{}]", n % 3),
            _ => format!("[\"{}\"]", n % 3),
        };
        *truth.entry(key).or_default() += 1;
    }
    let reported = |counting: &Counting| -> BTreeMap<String, u64> {
        let counted = counting.counted();
        counted.keys.iter().map(|(key, n)| (key.canonical(), *n)).collect()
    };
    let mut profile = BudgetedScan::new(bench.counting(path), generous());
    assert_eq!(bench.run(&mut profile, &|| true, &mut |_| {}), ScanEnd::Whole);
    assert_eq!(reported(&profile.scan), truth);

    // One partition is counted, another splits before its turn comes.
    let mut profile = BudgetedScan::new(bench.counting(path), Budget::new(1e9, 1.5, 60.0));
    assert_eq!(bench.run(&mut profile, &|| true, &mut |_| {}), ScanEnd::Spent);
    bench.server.split(DATABASE, ORDERS.name, 3);
    profile.budget.allow(1e9);
    profile.resume();
    let mut moved = 0;
    loop {
        match bench.run(&mut profile, &|| true, &mut |_| {}) {
            ScanEnd::Whole => break,
            ScanEnd::Moved => {
                moved += 1;
                assert!(moved < 5);
                let strata = bench.strata(&profile.scan.strata());
                profile.scan.relay(strata);
                profile.resume();
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(moved > 0, "the split was noticed");
    assert_eq!(reported(&profile.scan), truth);
    bench.assert_only_queries();
}

#[test]
fn a_container_that_is_gone_ends_it_in_words() {
    let bench = bench();
    let mut wanted = bench.sampling(10).request().clone();
    wanted.container = "nowhere".to_owned();
    let mut profile = BudgetedScan::new(Sampling::new(wanted, bench.strata(&[])), generous());
    match bench.run(&mut profile, &|| true, &mut |_| {}) {
        ScanEnd::Failed(trouble) => assert_eq!(trouble.obstacle, Obstacle::NotFound, "{trouble:?}"),
        other => panic!("{other:?}"),
    }
}
