//! Where tokens go: servers that take down every request, and answers that send elsewhere. Each test counts what carries a
//! token on both sides.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use cosmoscope::source::answers::{Inquiry, Kind, Obstacle};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::door::Door;
use cosmoscope::source::live::pages::PageAsk;
use cosmoscope::source::live::session::{Opens, Samples};
use cosmoscope::source::live::target::{Auth, Pace, Target};

use super::stage::{answered, failed, key, of, run, target, token};
use crate::account_server::account;
use crate::http::{self, Request, reply};

/// One request, as far as it matters here.
#[derive(Clone, Debug)]
struct TokenRequest {
    path: String,
    is_sdk: bool,
    has_token: bool,
    headers: BTreeSet<String>,
}

struct Recorder {
    endpoint: String,
    came: Arc<Mutex<Vec<TokenRequest>>>,
}

impl Recorder {
    /// Given the request and the address of the server itself, `answers` tells status, headers and body.
    fn start(
        answers: impl Fn(&TokenRequest, &str) -> (u16, String, String) + Send + Sync + 'static,
    ) -> Self {
        let came: Arc<Mutex<Vec<TokenRequest>>> = Arc::default();
        let kept = Arc::clone(&came);
        let endpoint = http::start(move |request: Request, stream, own| {
            let came = TokenRequest {
                is_sdk: request.header("user-agent").starts_with("azsdk"),
                has_token: request.headers.contains_key("authorization"),
                headers: request.headers.keys().cloned().collect(),
                path: request.path,
            };
            let (status, header, body) = answers(&came, own);
            kept.lock().unwrap().push(came);
            reply(stream, status, &header, &body);
        });
        Self { endpoint, came }
    }

    /// Requests with a token: those of our own, and those of the SDK.
    fn tokens(&self) -> (usize, usize) {
        let came = self.came.lock().unwrap();
        let of = |is_sdk| {
            let of = came.iter().filter(|came| came.is_sdk == is_sdk);
            of.filter(|came| came.has_token).count()
        };
        (of(false), of(true))
    }

    fn paths(&self) -> Vec<String> {
        let came = self.came.lock().unwrap();
        came.iter().map(|came| came.path.clone()).collect()
    }
}

fn well(body: &str) -> (u16, String, String) {
    (200, "x-ms-request-charge: 1\r\n".to_owned(), body.to_owned())
}

fn sent_to(place: &str) -> (u16, String, String) {
    (307, format!("location: {place}\r\n"), String::new())
}

/// An account with one container, every answer as it should be.
fn fine(came: &TokenRequest, own: &str) -> (u16, String, String) {
    well(&match came.path.trim_end_matches('/') {
        "" => account(own),
        "/dbs" => r#"{"Databases":[{"id":"shop"}]}"#.to_owned(),
        "/dbs/shop/colls" => r#"{"DocumentCollections":[{"id":"orders"}]}"#.to_owned(),
        "/dbs/shop/colls/orders/pkranges" => {
            r#"{"PartitionKeyRanges":[{"id":"0","minInclusive":"","maxExclusive":"FF"}]}"#.to_owned()
        }
        "/dbs/shop/colls/orders/docs" => r#"{"Documents":[{"id":"1"}]}"#.to_owned(),
        "/offers" => r#"{"Offers":[{"content":{"offerThroughput":400}}]}"#.to_owned(),
        _ => r#"{"id":"orders","_rid":"ehszALxRRgA=","partitionKey":{"paths":["/t"]},"statistics":[{"id":"0"}]}"#
            .to_owned(),
    })
}

/// All questions of the data plane, and how many requests each is.
fn questions() -> [Inquiry; 5] {
    [
        Inquiry::account(Kind::Databases),
        Inquiry::database(Kind::Containers, "shop"),
        of(Kind::Container, "orders"),
        of(Kind::Ranges, "orders"),
        of(Kind::Offer, "orders"),
    ]
}

fn page(kind: Kind) -> PageAsk {
    PageAsk {
        inquiry: of(kind, "orders").part("0/00000"),
        range: "0".to_owned(),
        window: None,
        query: "SELECT * FROM c".into(),
        most: 5,
        continuation: None,
        stratum: 0,
        place: 0,
    }
}

async fn open(server: &Recorder) -> AccountReader {
    let opened = AccountReader::open(&target(&server.endpoint), token(), Pace::default()).await;
    opened.unwrap()
}

#[test]
fn the_host_of_the_account_gets_every_token_and_nobody_else_one() {
    let other = Recorder::start(fine);
    let server = Recorder::start(fine);
    run(async {
        let account = open(&server).await;
        for round in 0..2 {
            for inquiry in questions() {
                answered(account.ask(&inquiry).await);
            }
            answered(account.page(&page(Kind::Documents)).await.seen);
            assert_eq!(server.tokens(), (1 + 6 * (round + 1), 0), "{:?}", server.paths());
        }
    });
    assert_eq!(other.paths(), [""; 0]);
}

#[test]
fn nothing_that_is_asked_follows_a_redirect() {
    let other = Recorder::start(fine);
    let place = other.endpoint.clone();
    let server = Recorder::start(move |came, own| match came.path.as_str() {
        "/" => fine(came, own),
        path => sent_to(&format!("{place}{path}")),
    });
    run(async {
        let account = open(&server).await;
        let mut troubles = Vec::new();
        for inquiry in questions() {
            troubles.push(failed(account.ask(&inquiry).await));
        }
        for kind in [Kind::Documents, Kind::Counts] {
            troubles.push(failed(account.page(&page(kind)).await.seen));
        }
        for trouble in troubles {
            assert_eq!(trouble.obstacle, Obstacle::Unbelievable, "{trouble:?}");
            assert!(trouble.what.contains("redirects"), "{trouble:?}");
        }
    });
    // The account and seven questions: the SDK is not even opened.
    assert_eq!(server.tokens(), (8, 0), "{:?}", server.paths());
    assert_eq!(other.paths(), [""; 0]);
}

/// An answer that is not understood may be by Microsoft's client: where a key signs, which is good for this one read, and
/// never with a token, which would be good for all. Servers that send this client elsewhere: in two hops, without TLS, to a
/// region that is named to it alone.
#[test]
fn the_sdk_reads_what_was_not_understood_and_never_has_a_token() {
    let other = Recorder::start(|came, own| match came.path.strip_prefix("/hop") {
        Some(_) => fine(came, own),
        None => sent_to(&format!("{own}/hop{}", came.path)),
    });
    let (place, named) = (other.endpoint.clone(), other.endpoint.clone());
    let strange = |came: &TokenRequest| !came.is_sdk && came.path.ends_with("/colls/orders");
    let server = Recorder::start(move |came, own| match came.path.as_str() {
        _ if strange(came) => well("<html>sign in</html>"),
        path if came.is_sdk && path != "/" => sent_to(&format!("{place}{path}")),
        _ => fine(came, own),
    });
    let naming = Recorder::start(move |came, own| match came.path.as_str() {
        _ if strange(came) => well("<html>sign in</html>"),
        "/" if came.is_sdk => well(&account(&named)),
        _ => fine(came, own),
    });
    let honest = Recorder::start(move |came, own| match came.path.as_str() {
        _ if strange(came) => well("<html>sign in</html>"),
        _ => fine(came, own),
    });
    let container = of(Kind::Container, "orders");
    run(async {
        for server in [&server, &naming, &honest] {
            let trouble = failed(open(server).await.ask(&container).await);
            assert_eq!(trouble.obstacle, Obstacle::Unbelievable, "{trouble:?}");
            assert_eq!(server.tokens().1, 0, "{:?}", server.paths());
        }
        assert_eq!(other.paths(), [""; 0]);
        let opened = AccountReader::open(&target(&honest.endpoint), key(), Pace::default()).await;
        let (read, _) = answered(opened.unwrap().ask(&container).await);
        assert_eq!(read["id"], "orders");
    });
}

/// An account names its region by another host, which this machine cannot look up: the global host goes on.
#[test]
fn a_region_that_cannot_be_reached_closes_nothing() {
    let server = Recorder::start(|came, own| match came.path.as_str() {
        "/" => well(&account("http://localhost:1")),
        _ => fine(came, own),
    });
    run(async {
        let account = open(&server).await;
        for inquiry in questions() {
            answered(account.ask(&inquiry).await);
        }
    });
    assert_eq!(server.tokens(), (6, 0), "{:?}", server.paths());
}

/// A role on one container does not read the account.
#[test]
fn a_role_on_one_container_is_enough_for_it() {
    let server = Recorder::start(|came, own| match came.path.as_str() {
        "/" | "/dbs" | "/dbs/shop/colls" => {
            let refusal = r#"{"code":"Forbidden","message":"Request is blocked because principal [aaaaaaaa-0000-4000-8000-00000000000a] does not have required RBAC permissions to perform action [Microsoft.DocumentDB/databaseAccounts/readMetadata] on resource [/]."}"#;
            (403, "x-ms-substatus: 5301\r\n".to_owned(), refusal.to_owned())
        }
        _ => fine(came, own),
    });
    let wanted = |container: Option<&str>| Target {
        database: Some("shop".to_owned()),
        container: container.map(str::to_owned),
        ..target(&server.endpoint)
    };
    run(async {
        let all = AccountReader::open(&wanted(None), token(), Pace::default()).await.unwrap_err();
        let next = all.next.unwrap();
        assert!(next.contains("--principal-id 'aaaaaaaa-0000-4000-8000-00000000000a'"), "{next}");
        let one = wanted(Some("orders"));
        let account = AccountReader::open(&one, token(), Pace::default()).await.unwrap();
        let refused = failed(account.ask(&Inquiry::account(Kind::Account)).await);
        assert_eq!(refused.obstacle, Obstacle::Forbidden, "{refused:?}");
        answered(account.ask(&of(Kind::Container, "orders")).await);
    });
}

/// Headers that Microsoft's client sends with the read of a container and we do not, and why not.
const LEFT_OUT: [(&str, &str); 6] = [
    ("cache-control", "no cache stands between"),
    ("content-type", "a GET has no body"),
    ("x-ms-activity-id", "the service makes one itself and tells it"),
    ("x-ms-client-id", "it tells processes of one client apart"),
    (
        "x-ms-cosmos-intended-collection-rid",
        "a container that was made anew under its name is read as it is now",
    ),
    ("x-ms-noretry-449", "only writes are answered so"),
];

#[test]
fn our_requests_have_the_headers_of_the_sdk_but_for_some() {
    let server = Recorder::start(|came, own| {
        let is_strange = !came.is_sdk && came.path.ends_with("/colls/orders");
        if is_strange { well("<html>sign in</html>") } else { fine(came, own) }
    });
    run(async {
        let opened = AccountReader::open(&target(&server.endpoint), key(), Pace::default()).await;
        answered(opened.unwrap().ask(&of(Kind::Container, "orders")).await);
    });
    let came = server.came.lock().unwrap();
    let headers = |is_sdk: bool| {
        let mut of = came.iter().filter(|came| came.path.ends_with("/colls/orders"));
        of.rfind(|came| came.is_sdk == is_sdk).unwrap().headers.clone()
    };
    let (ours, theirs) = (headers(false), headers(true));
    let missing: Vec<&str> = theirs.difference(&ours).map(String::as_str).collect();
    assert_eq!(missing, LEFT_OUT.map(|(name, _)| name), "ours: {ours:?}");
    assert!(ours.contains("x-ms-cosmos-sdk-supportedcapabilities"), "{ours:?}");
}

/// Signing in runs a program, which here writes a line each time.
#[cfg(unix)]
#[tokio::test]
async fn an_account_that_is_away_is_signed_in_to_once_and_a_token_that_is_refused_again() {
    let folder = tempfile::tempdir().unwrap();
    let (log, told) = (folder.path().join("log"), Arc::new(Mutex::new(503)));
    let status = Arc::clone(&told);
    let recorder =
        Recorder::start(move |_, _| (*status.lock().unwrap(), String::new(), String::new()));
    let words = ["sh", "-c", r#"echo once >> "$0"; echo t.o.k"#, log.to_str().unwrap()];
    let credential = words.map(str::to_owned).to_vec();
    let target = Target { auth: Auth::Command, credential, ..target(&recorder.endpoint) };
    let door = Door::new(None, Pace::default().quicker(20));
    let opened = async |times: usize, sign_ins: usize| {
        for _ in 0..times {
            assert!(door.open(&target).await.is_err());
        }
        assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), sign_ins);
    };
    opened(3, 1).await;
    *told.lock().unwrap() = 401;
    opened(1, 2).await;
    *told.lock().unwrap() = 503;
    opened(2, 2).await;
}

#[tokio::test]
async fn a_region_answers_where_the_global_host_is_away() {
    let region = Recorder::start(fine);
    let named = account(&region.endpoint);
    let global = http::Listener::start(move |stream, _| {
        let asked = Request::read(&mut std::io::BufReader::new(&stream));
        assert!(asked.is_some());
        reply(stream, 200, "x-ms-request-charge: 1\r\n", &named);
    });
    let pace = Pace::default().quicker(20);
    let opened = AccountReader::open(&target(&global.endpoint), token(), pace).await.unwrap();
    answered(opened.ask(&Inquiry::account(Kind::Account)).await);
    assert_eq!(region.tokens(), (0, 0), "the global host answers");
    global.end();
    answered(opened.ask(&Inquiry::account(Kind::Databases)).await);
    assert_eq!(region.tokens(), (1, 0));
}
