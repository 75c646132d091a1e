//! A server on this machine that answers the account as it should be, and everything else with one fault.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is answered.
#[derive(Clone, Debug)]
pub enum Fault {
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Fewer bytes than were promised.
    CutBody,
    /// Nothing, and the connection ends.
    Drop,
    /// Nothing, and the connection stays.
    Hang,
}

/// Where the fault is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    Account,
    Data,
    /// In the answer for throughput; the container is read as it should be.
    Offers,
}

#[derive(Debug)]
pub struct Faulty {
    pub endpoint: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl At {
    fn is_hit(self, path: &str) -> bool {
        match self {
            Self::Account => path == "/",
            Self::Data => path != "/",
            Self::Offers => path == "/offers",
        }
    }
}

/// What is answered where the fault is not.
fn fine(path: &str, own: &str) -> Fault {
    let container =
        r#"{"id":"orders","_rid":"ehszALxRRgA=","partitionKey":{"paths":["/tenantId"]}}"#;
    let body = if path == "/" {
        account(own)
    } else {
        container.to_owned()
    };
    Fault::Status(200, Vec::new(), body)
}

/// No client of a test waits longer.
const HANG: Duration = Duration::from_secs(20);

impl Faulty {
    /// The thread ends with the process: it holds nothing but a socket.
    pub fn start(at: At, fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let (kept, own) = (Arc::clone(&seen), endpoint.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, own, fault) = (Arc::clone(&kept), own.clone(), fault.clone());
                thread::spawn(move || serve(stream, &seen, &own, at, &fault));
            }
        });
        Self { endpoint, seen }
    }

    /// Requests that met the fault.
    pub fn requests(&self, at: At) -> usize {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|path| at.is_hit(path)).count()
    }
}

pub fn account(region: &str) -> String {
    let regions = format!(r#"[{{"name":"West Europe","databaseAccountEndpoint":"{region}/"}}]"#);
    format!(
        r#"{{"_self":"","id":"faulty","_rid":"","writableLocations":{regions},"readableLocations":{regions},
        "enableMultipleWriteLocations":false,"userReplicationPolicy":{{"minReplicaSetSize":3,"maxReplicasetSize":4}},
        "userConsistencyPolicy":{{"defaultConsistencyLevel":"Session"}},
        "systemReplicationPolicy":{{"minReplicaSetSize":3,"maxReplicasetSize":4}},
        "readPolicy":{{"primaryReadCoefficient":1,"secondaryReadCoefficient":1}},"queryEngineConfiguration":"{{}}"}}"#
    )
}

/// A request as it came: its path, and its headers in small letters.
pub struct Request {
    pub path: String,
    pub headers: Vec<String>,
}

/// Reads a request with its body; None where none came.
pub fn request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return None;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).unwrap_or(0) <= 2 {
            break;
        }
        headers.push(header.to_lowercase());
    }
    let mut lines = headers.iter();
    let length = lines.find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|text| text.trim().parse().ok());
    // A client that ends early gets no answer.
    let _ = reader.read_exact(&mut vec![0; length.unwrap_or(0)]);
    Some(Request { path, headers })
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<String>>, own: &str, at: At, fault: &Fault) {
    let Some(Request { path, .. }) = request(&stream) else {
        return;
    };
    let fine = fine(&path, own);
    let met = if at.is_hit(&path) { fault } else { &fine };
    seen.lock().unwrap().push(path);
    let answer = match met {
        Fault::Status(status, headers, body) => {
            let named = headers.iter().fold(String::new(), |named, (n, v)| {
                named + &format!("{n}: {v}\r\n")
            });
            let length = body.len();
            format!(
                "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{named}\r\n{body}"
            )
        }
        Fault::CutBody => {
            "HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{\"Databases\":[".to_owned()
        }
        Fault::Drop => String::new(),
        Fault::Hang => {
            thread::sleep(HANG);
            String::new()
        }
    };
    let _ = stream.write_all(answer.as_bytes());
}
