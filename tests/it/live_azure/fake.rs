//! The management plane and Log Analytics on this machine: two HTTP/1.1 servers that answer with the samples, write down
//! what they were asked, and fail the test on anything that is not a read or comes with another service's token.

use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cosmoscope::source::live::services::{Hosts, Service};

use crate::http::{Listener, Request, answer, lines};

/// A test that asks more than this is in a loop.
const MAX_REQUESTS: usize = 200;

/// What tokens look like here: each service has its own.
pub fn token_for(scope: &str) -> String {
    format!("token-for-{scope}")
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
        Self { status, headers: Vec::new(), body: body.into(), missing: 0, silence: Duration::ZERO }
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
}

pub struct Fake {
    shared: Arc<Shared>,
    /// Of the management plane, and of the logs.
    servers: [Listener; 2],
}

impl Fake {
    pub fn start(script: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            script: Box::new(script),
            requests: Mutex::default(),
            violations: Mutex::default(),
        });
        let servers = [Service::Management, Service::Logs].map(|service| {
            let shared = Arc::clone(&shared);
            Listener::start(move |stream, _| shared.serve(stream, service))
        });
        Self { shared, servers }
    }

    pub fn hosts(&self) -> Hosts {
        let [management, logs] = &self.servers;
        Hosts::on_loopback(&management.endpoint, &logs.endpoint).unwrap()
    }

    pub fn address(&self, service: Service) -> &str {
        let [management, logs] = &self.servers;
        match service {
            Service::Management => &management.endpoint,
            Service::Logs => &logs.endpoint,
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
        self.servers.iter().for_each(Listener::end);
        let violations = self.violations();
        if !std::thread::panicking() {
            assert!(violations.is_empty(), "{}", violations.join("\n"));
        }
    }
}

impl Shared {
    /// One request and its answer.
    fn serve(&self, mut stream: TcpStream, service: Service) {
        let Some(request) = Request::read(&mut BufReader::new(&stream)) else {
            return;
        };
        let count = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len()
        };
        let loops = (count > MAX_REQUESTS).then(|| format!("more than {MAX_REQUESTS} requests"));
        let violations = violation(service, &request).into_iter().chain(loops);
        self.violations.lock().unwrap().extend(violations);
        if count > MAX_REQUESTS {
            return;
        }
        let response = (self.script)(&request);
        std::thread::sleep(response.silence);
        let headers = format!("{}connection: close\r\n", lines(&response.headers));
        let (status, missing) = (response.status, response.missing);
        let _ = stream.write_all(&answer(status, &headers, &response.body, missing));
    }
}

/// Why a request must not have been made.
fn violation(service: Service, request: &Request) -> Option<String> {
    let shown = format!("{} {}", request.method, request.path);
    let segments: Vec<&str> = request.path.split('/').collect();
    let fine = match (service, request.method.as_str()) {
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
    let scope = match service {
        Service::Management => "https://management.azure.com/.default",
        Service::Logs => "https://api.loganalytics.io/.default",
    };
    let wanted = format!("Bearer {}", token_for(scope));
    let given = request.headers.get("authorization").cloned();
    (given.as_deref() != Some(wanted.as_str()))
        .then(|| format!("{shown} came with {given:?} instead of {wanted}"))
}
