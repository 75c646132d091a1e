//! A server with a few containers, and an account opened on it.

use std::sync::Arc;

use azure_core::credentials::{AccessToken, Secret, TokenCredential, TokenRequestOptions};
use azure_core::time::OffsetDateTime;
use cosmoscope::source::answers::{Answer, Inquiry, Kind, Observation, Trouble};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::sign_in::SignIn;
use cosmoscope::source::live::target::{Pace, Side, Target};
use serde_json::Value;

use crate::emulator::filling::ContainerPlan;
use crate::emulator::{Server, Settings};

/// Of no account: base64 of a sentence.
pub const KEY: &str = "VGhpcyBpcyBubyBrZXkgb2YgYW55IGFjY291bnQgYW55d2hlcmUu";
pub const TOKEN: &str = "no-token-of-any-account";
pub const DATABASE: &str = "shop";

pub const ORDERS: ContainerPlan = ContainerPlan {
    name: "orders",
    paths: &["/tenantId"],
    partitions: 4,
    ru_per_second: Some(4_000),
    from: ("", ""),
};
pub const CARTS: ContainerPlan = ContainerPlan {
    name: "carts",
    paths: &["/tenantId", "/userId"],
    partitions: 2,
    ru_per_second: None,
    from: ("", ""),
};

/// Signs in with a token that is always at hand.
#[derive(Debug)]
pub struct Ready;

#[async_trait::async_trait]
impl TokenCredential for Ready {
    async fn get_token(
        &self,
        scopes: &[&str],
        _: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        assert_eq!(scopes, ["https://cosmos.azure.com/.default"]);
        let until = OffsetDateTime::now_utc() + azure_core::time::Duration::hours(1);
        Ok(AccessToken::new(TOKEN, until))
    }
}

pub fn token() -> SignIn {
    SignIn::Token(Arc::new(Ready))
}

pub fn key() -> SignIn {
    SignIn::Key(Secret::new(KEY))
}

pub fn target(endpoint: &str) -> Target {
    Target { endpoint: endpoint.to_owned(), side: Side::Emulator, ..Target::default() }
}

/// Forty documents of ten tenants in one container, and the same in one of two levels.
pub fn server() -> Server {
    let server = Server::start(Settings::default());
    server.create_database(DATABASE);
    server.create_database("empty");
    for plan in [ORDERS, CARTS] {
        server.create_container(DATABASE, &plan);
        let name = plan.name;
        server.insert_all(DATABASE, name, (0..40).map(document));
    }
    server
}

fn document(number: u32) -> String {
    let (tenant, user) = (number % 10, number % 4);
    format!(r#"{{"id":"{number}","tenantId":"tenant-{tenant}","userId":"user-{user}"}}"#)
}

/// Runs a future on a runtime of its own.
pub fn run<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap().block_on(work)
}

pub async fn open(server: &Server, sign_in: SignIn) -> AccountReader {
    AccountReader::open(&target(&server.endpoint), sign_in, Pace::default()).await.unwrap()
}

#[track_caller]
pub fn answered(seen: Observation) -> (Value, Answer) {
    match seen {
        Observation::Answer(answer) => (serde_json::from_slice(&answer.body).unwrap(), answer),
        Observation::Failure(failure) => panic!("{failure:?}"),
    }
}

#[track_caller]
pub fn failed(seen: Observation) -> Trouble {
    match seen {
        Observation::Failure(failure) => failure.trouble,
        Observation::Answer(answer) => panic!("{answer:?}"),
    }
}

pub fn of(kind: Kind, container: &str) -> Inquiry {
    Inquiry::container(kind, DATABASE, container)
}
