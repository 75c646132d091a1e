//! A small account on this machine that answers as it should until a fault begins, counts what meets the fault and what it
//! charged, and takes down every request that is no read.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;

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
}

impl At {
    fn is_met_by(self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Account => path == "/",
            Self::Data => path != "/",
            Self::Ranges => path.ends_with("/pkranges"),
            Self::Container => path.contains("/colls/orders"),
        }
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
    own: String,
    answers: Answers,
    connections: AtomicUsize,
    state: Mutex<State>,
    over: AtomicBool,
}

pub struct Server {
    pub endpoint: String,
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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            answers,
            own: region.unwrap_or(&endpoint).to_owned(),
            connections: AtomicUsize::new(0),
            state: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let all = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if all.over.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), shared) = (stream, Arc::clone(&all)) else {
                    continue;
                };
                thread::spawn(move || shared.serve(&stream));
            }
        });
        Self { endpoint, shared }
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
            self.leave();
        }
    }

    /// Requests that met the fault.
    pub fn met(&self) -> Vec<String> {
        self.shared.state().met.clone()
    }

    /// RU of what was answered well since the fault began.
    pub fn charged(&self) -> f64 {
        self.shared.state().charged
    }

    /// All requests there were.
    #[cfg(target_os = "linux")]
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

    /// Ends the listener: who comes next is refused.
    fn leave(&self) {
        self.shared.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(
            self.endpoint.trim_start_matches("http://"),
        ));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: &TcpStream) {
        let Ok(kept) = stream.try_clone() else { return };
        self.state().open.push(kept);
        let Ok(reading) = stream.try_clone() else {
            return;
        };
        let mut reader = BufReader::new(reading);
        let number = self.connections.fetch_add(1, Ordering::SeqCst);
        while let Some(request) = Request::read(&mut reader) {
            if self.answer(stream, &request, number).is_none() {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
    }

    /// None: the connection ends.
    fn answer(&self, stream: &TcpStream, request: &Request, number: usize) -> Option<()> {
        let fine = (self.answers)(&self.own, request);
        let played = {
            let mut state = self.state();
            let path = request.path.clone();
            if !request.only_reads() {
                state.writes.push(format!("{} {path}", request.method));
            }
            state.requests += 1;
            state.signed.insert(request.signed.clone());
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
        let mut stream = stream;
        match played {
            None => stream.write_all(&fine.text()).ok(),
            Some(Play::Says(status, headers, body)) => {
                stream.write_all(&said(status, &headers, &body)).ok()
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

pub struct Request {
    method: String,
    pub path: String,
    is_query: bool,
    signed: String,
}

impl Request {
    fn read(reader: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let mut words = line.split(' ').map(str::to_owned);
        let (method, path) = (words.next()?, words.next()?);
        let (mut length, mut is_query, mut signed) = (0, false, String::new());
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header).ok()? <= 2 {
                break;
            }
            let lower = header.to_lowercase();
            if let Some(text) = lower.strip_prefix("content-length:") {
                length = text.trim().parse().ok()?;
            }
            if let Some((name, value)) = header.split_once(':')
                && name.eq_ignore_ascii_case("authorization")
            {
                value.trim().clone_into(&mut signed);
            }
            is_query |= lower.starts_with("x-ms-documentdb-isquery: true");
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        Some(Self {
            method,
            path,
            is_query,
            signed,
        })
    }

    fn only_reads(&self) -> bool {
        self.method == "GET" || (self.method == "POST" && self.is_query)
    }
}

pub struct Fine {
    pub status: u16,
    pub body: String,
    /// Zero: nothing is said of it.
    pub ru: f64,
}

impl Fine {
    fn text(&self) -> Vec<u8> {
        let charge = (self.ru > 0.0).then(|| ("x-ms-request-charge", self.ru.to_string()));
        said(self.status, charge.as_slice(), &self.body)
    }
}

fn said(status: u16, headers: &[(&'static str, String)], body: &str) -> Vec<u8> {
    let length = body.len();
    let named: String = headers.iter().fold(String::new(), |named, (name, value)| {
        named + name + ": " + value + "\r\n"
    });
    format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{named}\r\n{body}"
    )
    .into_bytes()
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples/stats");
    std::fs::read_to_string(folder.join("container-read").join(name)).unwrap()
}

/// One database with one container, as the samples tell it.
pub fn fine(own: &str, request: &Request) -> Fine {
    let path = request.path.trim_matches('/');
    let ru = if path.ends_with("/docs") {
        PAGE_RU
    } else {
        OTHER_RU
    };
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
            return Fine {
                status: 404,
                body,
                ru: 0.0,
            };
        }
    };
    Fine {
        status: 200,
        body,
        ru,
    }
}

fn documents() -> String {
    let all: Vec<_> = (0..20)
        .map(|n| json!({"_rid": format!("NPr0AKLm0Q8{n:02}"), "id": n.to_string(), "tenantId": format!("tenant-{n}"), "userId": n % 3}))
        .collect();
    json!({"_rid": "NPr0AKLm0Q8=", "Documents": all, "_count": 20}).to_string()
}

fn account(region: &str) -> String {
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
