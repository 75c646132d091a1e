//! The management plane and Log Analytics on this machine: two HTTP/1.1 servers that answer with the samples, write down
//! what they were asked, and fail the test on anything that is not a read or comes with another service's token.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use cosmoscope::source::live::services::{Hosts, Service};

/// A test that asks more than this is in a loop.
const MAX_REQUESTS: usize = 200;
const MAX_BODY: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(20);

/// What tokens look like here: each service has its own.
pub fn token_for(scope: &str) -> String {
    format!("token-for-{scope}")
}

#[derive(Clone, Debug)]
pub struct Request {
    pub service: Service,
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Decoded.
    pub query: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Request {
    /// Its number of path segments says nothing: what it ends with does.
    pub fn is(&self, end: &str) -> bool {
        self.path.ends_with(end)
    }
}

#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// Bytes that are promised and never come.
    pub missing: usize,
    /// How long nothing is said.
    pub silence: Duration,
}

impl Response {
    pub fn of(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            missing: 0,
            silence: Duration::ZERO,
        }
    }

    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200, body)
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

type Script = dyn Fn(&Request) -> Response + Send + Sync;

struct Shared {
    script: Box<Script>,
    requests: Mutex<Vec<Request>>,
    violations: Mutex<Vec<String>>,
    over: AtomicBool,
}

pub struct Fake {
    shared: Arc<Shared>,
    addresses: [String; 2],
    threads: Vec<JoinHandle<()>>,
}

impl Fake {
    pub fn start(script: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            script: Box::new(script),
            requests: Mutex::default(),
            violations: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let mut threads = Vec::new();
        let addresses = [Service::Management, Service::Logs].map(|service| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = format!("http://{}", listener.local_addr().unwrap());
            let shared = Arc::clone(&shared);
            threads.push(std::thread::spawn(move || {
                serve(&listener, service, &shared)
            }));
            address
        });
        Self {
            shared,
            addresses,
            threads,
        }
    }

    pub fn hosts(&self) -> Hosts {
        let [management, logs] = &self.addresses;
        Hosts::on_loopback(management, logs).unwrap()
    }

    pub fn address(&self, service: Service) -> &str {
        let [management, logs] = &self.addresses;
        match service {
            Service::Management => management,
            Service::Logs => logs,
        }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.shared.requests.lock().unwrap().len()
    }

    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.violations.lock().unwrap())
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        for address in &self.addresses {
            let place = address.trim_start_matches("http://");
            drop(TcpStream::connect(place));
        }
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
        let violations = self.violations();
        if !std::thread::panicking() {
            assert!(violations.is_empty(), "{}", violations.join("\n"));
        }
    }
}

fn serve(listener: &TcpListener, service: Service, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.over.load(Ordering::SeqCst) {
            return;
        }
        let shared = Arc::clone(shared);
        let Ok(stream) = stream else { continue };
        // One that is silent must not keep the next one waiting.
        std::thread::spawn(move || drop(answer(stream, service, &shared)));
    }
}

fn answer(stream: TcpStream, service: Service, shared: &Shared) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut reader, service)? else {
        return Ok(());
    };
    if let Some(violation) = violation(&request) {
        shared.violations.lock().unwrap().push(violation);
    }
    let response = {
        let mut requests = shared.requests.lock().unwrap();
        requests.push(request.clone());
        if requests.len() > MAX_REQUESTS {
            let loops = format!("more than {MAX_REQUESTS} requests");
            shared.violations.lock().unwrap().push(loops);
            return Ok(());
        }
        drop(requests);
        (shared.script)(&request)
    };
    std::thread::sleep(response.silence);
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {} Said\r\n", response.status)?;
    write!(
        stream,
        "content-length: {}\r\n",
        response.body.len() + response.missing
    )?;
    for (name, value) in &response.headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"content-type: application/json\r\nconnection: close\r\n\r\n")?;
    stream.write_all(&response.body)
}

fn read(reader: &mut impl BufRead, service: Service) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |n| n.parse().unwrap());
    assert!(length <= MAX_BODY, "a read of {length} bytes");
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let url = reqwest::Url::parse(&format!("http://x{target}")).unwrap();
    Ok(Some(Request {
        service,
        method,
        path: url.path().to_owned(),
        query: url.query_pairs().into_owned().collect(),
        headers,
        body: String::from_utf8(body).unwrap(),
    }))
}

/// Why a request must not have been made.
fn violation(request: &Request) -> Option<String> {
    let shown = format!("{} {}", request.method, request.path);
    let segments: Vec<&str> = request.path.split('/').collect();
    let fine = match (request.service, request.method.as_str()) {
        (Service::Management, "GET") => true,
        (Service::Management, "POST") => request.is("/retrieveThroughputDistribution"),
        (Service::Logs, "POST") => {
            matches!(segments.as_slice(), ["", "v1", "workspaces", _, "query"])
        }
        _ => false,
    };
    if !fine {
        return Some(format!("no read: {shown}"));
    }
    let scope = match request.service {
        Service::Management => "https://management.azure.com/.default",
        Service::Logs => "https://api.loganalytics.io/.default",
    };
    let wanted = format!("Bearer {}", token_for(scope));
    let given = request.headers.get("authorization").cloned();
    (given.as_deref() != Some(wanted.as_str()))
        .then(|| format!("{shown} came with {given:?} instead of {wanted}"))
}
