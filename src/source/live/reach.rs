//! How far one gets to an account without being anybody: its name, a connection, an answer and the clock of whoever gave it.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::clock;
use super::endpoint;
use super::fault::Fault;
use super::target::{Pace, Side, Target};
use super::trouble::trouble;
use super::wire;
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Obstacle, Trouble};

/// Addresses of one name that are tried.
const MAX_ADDRESSES: usize = 4;

/// How far it went; what comes after a failure was not tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// The number of addresses that the name leads to.
    pub name: Result<usize, Trouble>,
    pub connection: Option<Result<(), Trouble>>,
    /// The status of an answer to a question that nobody signed, over a connection whose certificate is trusted.
    pub answer: Option<Result<u16, Trouble>>,
    /// The clock of the service when it answered, and ours then.
    pub clocks: Option<(Stamp, Stamp)>,
}

impl Reached {
    /// Seconds that our clock is ahead of the service's.
    pub fn ahead_seconds(&self) -> Option<i64> {
        let (theirs, ours) = self.clocks?;
        Some(ours.seconds() - theirs.seconds())
    }
}

/// Goes as far as it can, each step within its time.
pub async fn reach(target: &Target, pace: &Pace) -> Reached {
    let mut reached = Reached { name: Ok(0), connection: None, answer: None, clocks: None };
    // Behind a proxy, names and connections are the proxy's business.
    if !target.proxy {
        let addresses = match addresses(target, pace.connect).await {
            Ok(addresses) => addresses,
            Err(trouble) => {
                reached.name = Err(trouble);
                return reached;
            }
        };
        reached.name = Ok(addresses.len());
        let connected = connected(target, addresses, pace.connect).await;
        let is_up = connected.is_ok();
        reached.connection = Some(connected);
        if !is_up {
            return reached;
        }
    }
    // An emulator answers on this machine, whose clock is ours.
    if target.side == Side::Azure {
        let answered = answered(target, pace).await;
        reached.answer = Some(answered.map(|(status, theirs)| {
            reached.clocks = theirs.map(|theirs| (theirs, clock::now()));
            status
        }));
    }
    reached
}

/// Host and port as the system takes them.
fn host_and_port(target: &Target) -> String {
    let rest = target.endpoint.split_once("://").map_or("", |(_, rest)| rest);
    rest.trim_end_matches('/').to_owned()
}

async fn addresses(target: &Target, limit: Duration) -> Result<Vec<SocketAddr>, Trouble> {
    let place = host_and_port(target);
    let found =
        apart(limit, move || place.to_socket_addrs().map(|all| all.take(MAX_ADDRESSES).collect()))
            .await;
    match found {
        Some(Ok(addresses)) => Ok(addresses),
        Some(Err(_)) => Err(reach_trouble(target, &Fault::NoName)),
        None => Err(Trouble::new(
            Obstacle::TimedOut,
            format!("the name server gave no answer for {}", endpoint::host(&target.endpoint)),
            "check the network and VPN of this machine",
        )),
    }
}

async fn connected(
    target: &Target,
    addresses: Vec<SocketAddr>,
    limit: Duration,
) -> Result<(), Trouble> {
    let each = limit / u32::try_from(addresses.len().max(1)).unwrap_or(1);
    let tried = apart(limit, move || {
        addresses.iter().any(|address| TcpStream::connect_timeout(address, each).is_ok())
    });
    if tried.await == Some(true) { Ok(()) } else { Err(reach_trouble(target, &Fault::NoAnswer)) }
}

/// What the system does without coming back in time is left to itself.
async fn apart<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (send, receive) = oneshot::channel();
    let started = std::thread::Builder::new().name("reach".to_owned()).spawn(move || {
        let _ = send.send(work());
    });
    started.ok()?;
    timeout(limit, receive).await.ok()?.ok()
}

/// One question without any signature: whatever the service says, it says when.
async fn answered(target: &Target, pace: &Pace) -> Result<(u16, Option<Stamp>), Trouble> {
    let inquiry = async {
        let client = wire::client(target, *pace)?;
        let answer = client.get(&target.endpoint).send().await?;
        let date = answer.headers().get("date").and_then(|date| date.to_str().ok());
        Ok((answer.status().as_u16(), date.and_then(clock::read_http_date)))
    };
    let done = timeout(pace.operation, inquiry).await;
    let done: Result<_, Fault> = done.unwrap_or(Err(Fault::TimedOut(pace.operation)));
    done.map_err(|fault| reach_trouble(target, &fault))
}

fn reach_trouble(target: &Target, fault: &Fault) -> Trouble {
    let inquiry = Inquiry::account(Kind::Account);
    trouble(fault, &inquiry, &host_and_port(target), Duration::ZERO)
}
