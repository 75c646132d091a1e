//! How many documents a sample brings from partitions that would give any number: those that its dialog spoke of.

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cosmoscope::model::path::Path;
use cosmoscope::source::answers::Kind;
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::budget::Budget;
use cosmoscope::source::live::sampling::{
    Choice, Hashing, SampleRequest, Sampling, Stratum, estimate, strata_of,
};
use cosmoscope::source::live::scan::{BudgetedScan, Scan, ScanEnd, run as run_scan};
use cosmoscope::source::live::target::Pace;
use serde_json::json;
use tokio::time::Instant;

use super::stage::{DATABASE, answered, of, run, target, token};
use crate::account_server::account;
use crate::http::{self, Request, reply};

/// Documents of each partition, as its statistics say.
const HELD: u32 = 50_000_000;

/// A container of so many physical partitions, each with as many documents as anybody asks for; gives how many it gave.
fn server(partitions: u64) -> (String, Arc<AtomicU64>) {
    let given: Arc<AtomicU64> = Arc::default();
    let counted = Arc::clone(&given);
    let endpoint = http::start(move |request, stream, own| {
        serve(&request, stream, &counted, own, partitions);
    });
    (endpoint, given)
}

fn serve(request: &Request, stream: TcpStream, given: &AtomicU64, own: &str, partitions: u64) {
    let mut more = "";
    let body = match request.path.trim_end_matches('/') {
        "" => account(own),
        "/dbs/shop/colls/orders/docs" => {
            let most: u64 = request.header("x-ms-max-item-count").parse().unwrap();
            let first = given.fetch_add(most, Ordering::SeqCst);
            more = "x-ms-continuation: more\r\n";
            let documents = first..first + most;
            let documents: Vec<_> =
                documents.map(|n| json!({"_rid": n.to_string(), "id": n})).collect();
            json!({"_rid": "", "Documents": documents, "_count": most}).to_string()
        }
        _ => ranges(partitions),
    };
    let headers = format!("x-ms-request-charge: 3\r\n{more}");
    reply(stream, 200, &headers, &body);
}

/// Hash ranges of one length each.
fn ranges(partitions: u64) -> String {
    let bound = |n: u64| match n {
        0 => String::new(),
        n if n == partitions => "FF".to_owned(),
        n => format!("{:032X}", (1_u128 << 126) / u128::from(partitions) * u128::from(n)),
    };
    let range = |n: u64| json!({"id": n.to_string(), "minInclusive": bound(n), "maxExclusive": bound(n + 1)});
    let ranges: Vec<_> = (0..partitions).map(range).collect();
    json!({"PartitionKeyRanges": ranges}).to_string()
}

/// How many documents came, and how many the server gave.
fn sampled((partitions, documents, whole, kib): (u64, u64, u64, f64)) -> (u64, u64) {
    let (endpoint, given) = server(partitions);
    let came = run(async {
        let account = AccountReader::open(&target(&endpoint), token(), Pace::default()).await;
        let account = account.unwrap();
        let (_, answer) = answered(account.ask(&of(Kind::Ranges, "orders")).await);
        let large = |stratum| Stratum {
            documents: Some(HELD.into()),
            kib: Some(kib * f64::from(HELD)),
            ..stratum
        };
        let strata: Vec<Stratum> = strata_of(&answer.body, &[]).into_iter().map(large).collect();
        assert_eq!(strata.len() as u64, partitions);
        assert_eq!(estimate(&strata, documents, 5.0).documents, documents);
        let paths = ["/id"].iter().filter(|_| whole < documents);
        let paths = paths.map(|path| Path::parse(path).unwrap()).collect();
        let wanted = SampleRequest {
            database: DATABASE.to_owned(),
            container: "orders".to_owned(),
            documents,
            choice: Choice { whole, paths },
            hashing: Hashing::V2,
            seed: 7,
        };
        let budget = Budget::new(1e9, 1e9, 60.0);
        let mut profile = BudgetedScan::new(Sampling::new(wanted, strata), budget);
        let over = run_scan(&mut profile, Instant::now(), &account, &|| true, &mut |_| {}).await;
        assert_eq!(over, ScanEnd::Whole);
        profile.scan.entries()
    });
    (came, given.load(Ordering::SeqCst))
}

/// Partitions, documents, those of them that are whole, and what one weighs.
const CASES: [(u64, u64, u64, f64); 7] = [
    (1, 100, 100, 1.0),
    (4, 100, 100, 1.0),
    (60, 100, 100, 0.05),
    (60, 100, 100, 40.0),
    (300, 100, 100, 1.0),
    (300, 1_000, 1_000, 1.0),
    (300, 1_000, 200, 1.0),
];

#[test]
fn a_sample_brings_about_as_many_documents_as_its_dialog_says() {
    for case in CASES {
        let (_, documents, ..) = case;
        let (came, given) = sampled(case);
        assert_eq!(came, given, "{case:?}");
        let about = documents..=documents * 5 / 4;
        assert!(about.contains(&came), "{case:?}: {came}");
    }
}
