//! The small HTTP/1.1 servers of the tests: a listener on this machine, requests as they come, and answers as text.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// No request of the product is longer.
const MAX_BODY: usize = 1 << 20;

/// Takes connections until it is ended, or until the process ends: it holds nothing but a socket.
pub struct Listener {
    pub endpoint: String,
    is_over: Arc<AtomicBool>,
}

impl Listener {
    /// Gives each connection to `serve`, on a thread of its own, with the address of the server.
    pub fn start(serve: impl Fn(TcpStream, &str) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let is_over = Arc::new(AtomicBool::new(false));
        let (ends, shared) = (is_over.clone(), Arc::new((serve, endpoint.clone())));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&shared);
                // One that is silent must not keep the next one waiting.
                thread::spawn(move || (shared.0)(stream, &shared.1));
            }
        });
        Self { endpoint, is_over }
    }

    /// Whoever comes next is refused.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.endpoint.trim_start_matches("http://")));
    }
}

/// A server for connections of one request each; gives its address.
pub fn start(answer: impl Fn(Request, TcpStream, &str) + Send + Sync + 'static) -> String {
    let server = Listener::start(move |stream, own| {
        if let Some(request) = Request::read(&mut BufReader::new(&stream)) {
            answer(request, stream, own);
        }
    });
    server.endpoint
}

#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Decoded.
    pub query: BTreeMap<String, String>,
    /// By names in small letters.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Request {
    /// The next one of a connection; None where there is no whole one.
    pub fn read(reader: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length");
        let length = length.map_or(0, |length| length.parse().unwrap());
        assert!(length <= MAX_BODY, "a read of {length} bytes");
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let url = reqwest::Url::parse(&format!("http://x{target}")).unwrap();
        Some(Self {
            method,
            path: url.path().to_owned(),
            query: url.query_pairs().into_owned().collect(),
            headers,
            body: String::from_utf8(body).unwrap(),
        })
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Its number of path segments says nothing: what it ends with does.
    pub fn is(&self, end: &str) -> bool {
        self.path.ends_with(end)
    }
}

/// An answer of which `missing` bytes never come; each of its headers has its line end.
pub fn answer(status: u16, headers: &str, body: &[u8], missing: usize) -> Vec<u8> {
    let length = body.len() + missing;
    let head = format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Headers as they stand in an answer.
pub fn lines(headers: &[(&'static str, String)]) -> String {
    let line = |(name, value): &(&str, String)| format!("{name}: {value}\r\n");
    headers.iter().map(line).collect()
}

/// The last answer of a connection; whoever does not wait for it misses it.
pub fn reply(mut stream: TcpStream, status: u16, headers: &str, body: &str) {
    let headers = format!("{headers}connection: close\r\n");
    let _ = stream.write_all(&answer(status, &headers, body.as_bytes(), 0));
}
