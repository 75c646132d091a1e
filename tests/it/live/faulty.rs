//! A server on this machine that answers the account as it should be, and everything else with one fault.

use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::server::{self, Request, reply};

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
    pub fn start(at: At, fault: Fault) -> Self {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&seen);
        let endpoint = server::start(move |Request { path, .. }, stream, own| {
            let fine = fine(&path, own);
            let met = if at.is_hit(&path) { &fault } else { &fine };
            kept.lock().unwrap().push(path);
            meet(stream, met);
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

fn meet(mut stream: TcpStream, fault: &Fault) {
    match fault {
        Fault::Status(status, headers, body) => {
            let named = headers.iter().fold(String::new(), |named, (n, v)| {
                named + &format!("{n}: {v}\r\n")
            });
            reply(stream, status, &named, body);
        }
        Fault::CutBody => {
            let cut = b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{\"Databases\":[";
            let _ = stream.write_all(cut);
        }
        Fault::Drop => {}
        Fault::Hang => thread::sleep(HANG),
    }
}
