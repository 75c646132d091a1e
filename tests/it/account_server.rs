//! A small account on this machine that answers as it should until a fault begins, counts what meets the fault and what it
//! charged, and takes down every request that is no read.

use std::collections::BTreeSet;
use std::io::{BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::http::{Listener, Request, answer, lines};

/// No row of the matrix lasts longer.
const HANG: Duration = Duration::from_secs(40);
/// What each byte of a slow answer waits for.
const DRIP: Duration = Duration::from_millis(100);
/// What answers cost: a page of documents more than the rest.
const PAGE_RU: f64 = 3.0;
const OTHER_RU: f64 = 1.0;

/// What is done in place of an answer.
#[derive(Clone, Debug)]
pub enum Play {
    /// A status with headers and a body.
    Says(u16, Vec<(&'static str, String)>, String),
    /// Fewer bytes than were promised.
    Cut,
    /// The connection ends without a word.
    Drop,
    /// Nothing, and the connection stays.
    Hang,
    /// The answer as it should be, a byte at a time.
    Drip,
    /// Connections from before end with the next request; new ones are answered.
    Stale,
    /// Nobody listens any more.
    Gone,
}

/// Which requests meet it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    Everything,
    Account,
    /// All but the account.
    Data,
    /// One container and all below it.
    Container,
    Ranges,
    /// The answer for throughput; the container is read as it should be.
    Offers,
}

impl At {
    fn is_met_by(self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Account => path == "/",
            Self::Data => path != "/",
            Self::Ranges => path.ends_with("/pkranges"),
            Self::Container => path.contains("/colls/orders"),
            Self::Offers => path == "/offers",
        }
    }
}

impl Play {
    /// As tables of faults have it: `hang`, or a status with what comes with it, such as `403/5300`, `429 after 50` or
    /// `200 with <html>`.
    pub fn read(text: &str) -> Self {
        let (head, body) = text.split_once(" with ").unwrap_or((text, ""));
        let mut words = head.split(' ');
        let code = words.next().unwrap();
        let (status, sub) = code.split_once('/').unwrap_or((code, ""));
        let status = match status {
            "cut" => return Self::Cut,
            "drop" => return Self::Drop,
            "hang" => return Self::Hang,
            "drip" => return Self::Drip,
            "stale" => return Self::Stale,
            "gone" => return Self::Gone,
            number => number.parse().unwrap(),
        };
        let (mut headers, mut body) = (Vec::new(), named_body(body));
        if !sub.is_empty() {
            headers.push(("x-ms-substatus", sub.to_owned()));
            if body.is_empty() {
                r#"{"code":"X","message":"Something.\r\nActivityId: 1"}"#.clone_into(&mut body);
            }
        }
        while let Some(word) = words.next() {
            headers.push(match word {
                "after" => ("x-ms-retry-after-ms", words.next().unwrap().to_owned()),
                "dated" => ("date", "Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
                other => panic!("{other} in {text}"),
            });
        }
        Self::Says(status, headers, body)
    }
}

/// Bodies that tables of faults call by a name; any other is what it says.
fn named_body(name: &str) -> String {
    match name {
        "FIREWALL" => r#"{"code":"Forbidden","message":"Request originated from IP 10.1.2.3 through public internet. This is blocked by your Cosmos DB account firewall settings."}"#.to_owned(),
        // So the service says it to a signature of another hour.
        "LATE" => r#"{"code":"Forbidden","message":"The authorization token is not valid at the current time."}"#.to_owned(),
        "HOSTILE" => format!("{{\"message\":\"a\\u001b[31mb\\u202ec{}\"}}", "x".repeat(10_000)),
        "DEEP" => format!("{{\"a\":{}", "[".repeat(100_000)),
        "ELSEWHERE" => account("https://evil.test"),
        body => body.to_owned(),
    }
}

#[derive(Default)]
struct State {
    fault: Option<(At, Play)>,
    /// Connections that there had been when it began.
    before: usize,
    /// Requests that met the fault.
    met: Vec<String>,
    charged: f64,
    charged_in_all: f64,
    requests: usize,
    writes: Vec<String>,
    /// What requests were signed with.
    signed: BTreeSet<String>,
    open: Vec<TcpStream>,
}

struct Shared {
    /// The address of its region, where that is not its own.
    region: Option<String>,
    answers: Answers,
    connections: AtomicUsize,
    state: Mutex<State>,
}

pub struct Server {
    pub endpoint: String,
    listener: Listener,
    shared: Arc<Shared>,
}

impl Server {
    /// An account that names itself as its only region.
    pub fn start() -> Self {
        Self::answering(fine, None)
    }

    /// An account that names its region so: what stands before it has another name.
    #[cfg(target_os = "linux")]
    pub fn naming(region: &str) -> Self {
        Self::answering(fine, Some(region))
    }

    pub fn answering(answers: Answers, region: Option<&str>) -> Self {
        let shared = Arc::new(Shared {
            region: region.map(str::to_owned),
            answers,
            connections: AtomicUsize::new(0),
            state: Mutex::default(),
        });
        let all = Arc::clone(&shared);
        let listener = Listener::start(move |stream, own| all.serve(&stream, own));
        Self { endpoint: listener.endpoint.clone(), listener, shared }
    }

    /// An account that meets this from the start.
    pub fn meeting(at: At, play: &Play) -> Self {
        let server = Self::start();
        server.begin(at, play);
        server
    }

    /// From now on these requests meet this.
    pub fn begin(&self, at: At, play: &Play) {
        let is_gone = matches!(play, Play::Gone);
        let mut state = self.shared.state();
        state.met.clear();
        state.charged = 0.0;
        state.fault = Some((at, play.clone()));
        state.before = self.shared.connections.load(Ordering::SeqCst);
        if is_gone {
            for stream in state.open.drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
        drop(state);
        if is_gone {
            self.listener.end();
        }
    }

    /// Requests that met the fault.
    pub fn questions(&self) -> Vec<String> {
        self.shared.state().met.clone()
    }

    /// RU of what was answered well since the fault began.
    pub fn charged(&self) -> f64 {
        self.shared.state().charged
    }

    /// All requests there were.
    pub fn requests(&self) -> usize {
        self.shared.state().requests
    }

    pub fn charged_in_all(&self) -> f64 {
        self.shared.state().charged_in_all
    }

    #[track_caller]
    pub fn assert_only_read(&self) {
        let state = self.shared.state();
        assert!(state.writes.is_empty(), "{:?}", state.writes);
    }

    /// Requests came with these and nothing else.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn assert_signed_by(&self, authorizations: &[&str]) {
        let signed: Vec<String> = self.shared.state().signed.iter().cloned().collect();
        assert_eq!(signed, authorizations);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listener.end();
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: &TcpStream, own: &str) {
        let Ok(kept) = stream.try_clone() else { return };
        self.state().open.push(kept);
        let Ok(reading) = stream.try_clone() else {
            return;
        };
        let mut reader = BufReader::new(reading);
        let number = self.connections.fetch_add(1, Ordering::SeqCst);
        while let Some(request) = Request::read(&mut reader) {
            let own = self.region.as_deref().unwrap_or(own);
            let fine = (self.answers)(own, &request);
            if self.answer(stream, &request, &fine, number).is_none() {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
    }

    /// None: the connection ends.
    fn answer(
        &self,
        mut stream: &TcpStream,
        request: &Request,
        fine: &Fine,
        number: usize,
    ) -> Option<()> {
        let played = {
            let mut state = self.state();
            let path = request.path.clone();
            let is_query = request.header("x-ms-documentdb-isquery") == "True";
            if request.method != "GET" && (request.method != "POST" || !is_query) {
                state.writes.push(format!("{} {path}", request.method));
            }
            state.requests += 1;
            let signed = request.header("authorization");
            state.signed.insert(signed.to_owned());
            let played = match &state.fault {
                Some((_, Play::Stale)) if number >= state.before => None,
                Some((at, play)) if at.is_met_by(&path) => Some(play.clone()),
                _ => None,
            };
            if played.is_some() {
                state.met.push(path);
            } else {
                state.charged += fine.ru;
                state.charged_in_all += fine.ru;
            }
            played
        };
        match played {
            None => stream.write_all(&fine.text()).ok(),
            Some(Play::Says(status, headers, body)) => {
                let said = answer(status, &lines(&headers), body.as_bytes(), 0);
                stream.write_all(&said).ok()
            }
            Some(Play::Cut) => {
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{\"id\":");
                None
            }
            Some(Play::Drop | Play::Stale | Play::Gone) => None,
            Some(Play::Hang) => {
                thread::sleep(HANG);
                None
            }
            Some(Play::Drip) => {
                for byte in fine.text() {
                    stream.write_all(&[byte]).ok()?;
                    thread::sleep(DRIP);
                }
                Some(())
            }
        }
    }
}

/// What is answered where nothing goes wrong, given what the account calls itself.
pub type Answers = fn(&str, &Request) -> Fine;

pub struct Fine {
    pub status: u16,
    pub body: String,
    /// Zero: nothing is said of it.
    pub ru: f64,
}

impl Fine {
    fn text(&self) -> Vec<u8> {
        let charge = (self.ru > 0.0).then(|| ("x-ms-request-charge", self.ru.to_string()));
        let headers = lines(charge.as_slice());
        answer(self.status, &headers, self.body.as_bytes(), 0)
    }
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples/stats");
    std::fs::read_to_string(folder.join("container-read").join(name)).unwrap()
}

/// One database with one container, as the samples tell it.
pub fn fine(own: &str, request: &Request) -> Fine {
    let path = request.path.trim_matches('/');
    let ru = if path.ends_with("/docs") { PAGE_RU } else { OTHER_RU };
    let body = match path {
        "" => account(own),
        "dbs" => {
            r#"{"_rid":"","Databases":[{"id":"shop","_rid":"NPr0AA=="}],"_count":1}"#.to_owned()
        }
        "dbs/shop" => r#"{"id":"shop","_rid":"NPr0AA=="}"#.to_owned(),
        "dbs/shop/colls" => format!(
            r#"{{"_rid":"NPr0AA==","DocumentCollections":[{}],"_count":1}}"#,
            sample("shop.orders.data-plane.json")
        ),
        "dbs/shop/colls/orders" => sample("shop.orders.data-plane.json"),
        "dbs/shop/colls/orders/pkranges" => sample("shop.orders.pkranges.json"),
        "dbs/shop/colls/orders/docs" => documents(),
        "offers" => json!({"_rid": "", "Offers": [{
            "id": "o", "_rid": "o", "offerVersion": "V2", "offerType": "Invalid",
            "resource": "dbs/NPr0AA==/colls/NPr0AKLm0Q8=/", "offerResourceId": "NPr0AKLm0Q8=",
            "content": {"offerThroughput": 24_000},
        }], "_count": 1})
        .to_string(),
        _ => {
            let body = r#"{"code":"NotFound","message":"nothing is there"}"#.to_owned();
            return Fine { status: 404, body, ru: 0.0 };
        }
    };
    Fine { status: 200, body, ru }
}

fn documents() -> String {
    let all: Vec<_> = (0..20)
        .map(|n| json!({"_rid": format!("NPr0AKLm0Q8{n:02}"), "id": n.to_string(), "tenantId": format!("tenant-{n}"), "userId": n % 3}))
        .collect();
    json!({"_rid": "NPr0AKLm0Q8=", "Documents": all, "_count": 20}).to_string()
}

/// An account of one region, at this address.
pub fn account(region: &str) -> String {
    let region = json!([{"name": "West Europe", "databaseAccountEndpoint": format!("{region}/")}]);
    json!({
        "_self": "", "id": "faulty", "_rid": "", "writableLocations": region, "readableLocations": region,
        "enableMultipleWriteLocations": false,
        "userReplicationPolicy": {"minReplicaSetSize": 3, "maxReplicasetSize": 4},
        "userConsistencyPolicy": {"defaultConsistencyLevel": "Session"},
        "systemReplicationPolicy": {"minReplicaSetSize": 3, "maxReplicasetSize": 4},
        "readPolicy": {"primaryReadCoefficient": 1, "secondaryReadCoefficient": 1},
        "queryEngineConfiguration": "{}"
    })
    .to_string()
}
