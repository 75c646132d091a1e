//! The management plane, metrics and Log Analytics against a server on this machine: what is asked, what is made of the
//! answers, and what is said where there is none.

pub(crate) mod fake;
mod faults;
mod kinds;
mod logs;
mod states;
mod together;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use azure_core::credentials::{AccessToken, TokenCredential, TokenRequestOptions};
use azure_core::time::OffsetDateTime;
use cosmoscope::model::capture::Capture;
use cosmoscope::source::answers::{Answer, Inquiry, Observation, Trouble};
use cosmoscope::source::import::ImportOptions;
use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::live::logs::LogsReader;
use cosmoscope::source::live::management::Management;
use cosmoscope::source::live::sign_in::SignIn;
use cosmoscope::source::live::target::{Pace, Target};
use cosmoscope::source::watch::Watch;

use crate::http::Request;
use fake::{Fake, Response, token_for};

pub(crate) const ACCOUNT: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-northpier/providers/Microsoft.DocumentDB/databaseAccounts/northpier-prod";
pub(crate) const WORKSPACE: &str = "99999999-8888-7777-6666-555555555555";

/// Gives each scope a token of its own, and writes down who asked.
#[derive(Debug, Default)]
struct Tokens {
    scopes: Mutex<Vec<String>>,
}

#[async_trait::async_trait]
impl TokenCredential for Tokens {
    async fn get_token(
        &self,
        scopes: &[&str],
        _: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        self.scopes.lock().unwrap().extend(scopes.iter().map(|s| (*s).to_owned()));
        let later = OffsetDateTime::now_utc() + Duration::from_secs(3600);
        Ok(AccessToken::new(token_for(&scopes.join(" ")), later))
    }
}

/// Pauses that a test need not wait for; limits that a busy machine does not reach.
fn pace() -> Pace {
    Pace {
        retry_after: [Duration::from_millis(10), Duration::from_millis(20)],
        operation: Duration::from_secs(10),
        ..Pace::default()
    }
}

fn target() -> Target {
    Target {
        endpoint: "https://northpier-prod.documents.azure.com:443/".to_owned(),
        resource_id: Some(ACCOUNT.to_owned()),
        workspace: Some(WORKSPACE.to_owned()),
        ..Target::default()
    }
}

fn sign_in() -> SignIn {
    SignIn::Token(Arc::new(Tokens::default()))
}

fn management(fake: &Fake) -> Management {
    Management::new(&sign_in(), &target(), fake.hosts(), pace()).unwrap()
}

fn log_analytics(fake: &Fake) -> LogsReader {
    LogsReader::new(&sign_in(), &target(), "northpier-prod", fake.hosts(), pace()).unwrap()
}

fn sample(path: &str) -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    std::fs::read(samples.join(path)).unwrap()
}

/// The answers of a working account.
pub(crate) fn samples(request: &Request) -> Response {
    let metric = request.query.get("metricnames").map(String::as_str);
    let path = match (request.path.rsplit('/').next().unwrap(), metric) {
        ("metrics", Some("NormalizedRUConsumption")) => "metrics/normalized-ru-by-range.json",
        ("metrics", Some("PhysicalPartitionSizeInfo")) => "metrics/physical-partition-size.json",
        ("metrics", Some("PhysicalPartitionThroughputInfo")) => {
            "metrics/physical-partition-throughput.json"
        }
        ("metrics", Some("TotalRequests")) => "metrics/total-requests-by-status.json",
        ("metrics", _) => "metrics/no-data.json",
        ("usages", _) => "arm/partitions-usages.orders.json",
        ("retrieveThroughputDistribution", _) => "arm/retrieve-throughput-distribution.orders.json",
        ("default", _) => "arm/throughput-settings.orders.json",
        ("query", _) => "stats/log-analytics/query-api.json",
        ("northpier-prod", _) => return Response::ok(states::ACCOUNT),
        _ => return Response::of(404, r#"{"error":{"code":"NotFound","message":"m"}}"#),
    };
    Response::ok(sample(path))
}

#[track_caller]
fn answer(seen: Observation) -> Answer {
    match seen {
        Observation::Answer(answer) => answer,
        Observation::Failure(failure) => panic!("{failure:?}"),
    }
}

#[track_caller]
fn trouble(seen: Observation) -> Trouble {
    match seen {
        Observation::Answer(answer) => panic!("an answer to {:?}", answer.inquiry),
        Observation::Failure(failure) => failure.trouble,
    }
}

/// What importers make of answers.
fn capture(seen: Vec<Observation>) -> Capture {
    let mut ledger = Ledger::new("northpier-prod");
    for one in seen {
        ledger.add(one);
    }
    ledger.capture(&ImportOptions::default(), &Watch::default()).unwrap()
}

fn orders(kind: cosmoscope::source::answers::Kind) -> Inquiry {
    Inquiry::container(kind, "shop", "orders")
}
