//! The data plane of one account: what it is asked, and how. There is no method here that writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Url;
use tokio::sync::OnceCell;

use super::clock;
use super::fault::Fault;
use super::feed::Feed;
use super::gate::{Bill, Gate};
use super::hosts;
use super::offer;
use super::sdk::{MAX_CONTAINERS, Sdk};
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use super::trouble::trouble;
use super::wire::{Reply, Request, Wire};
use crate::source::answers::{Inquiry, Kind, Observation, Trouble};
use crate::source::json::read;

/// The SDK takes about twelve times the bytes of a container to read it. Five hundred partitions with their largest keys are
/// far below this.
const MAX_SDK_BYTES: usize = 4 << 20;

/// Sizes and largest keys of each partition with the read of a container.
const STATISTICS_HEADERS: [(&str, &str); 2] = [
    ("x-ms-documentdb-populatepartitionstatistics", "true"),
    ("x-ms-documentdb-populatequotainfo", "true"),
];
/// More keys of each partition, perhaps: a header of the service's own, which it may ignore or take amiss.
const HINT_HEADER: (&str, &str) = ("x-ms-cosmos-internal-get-all-partition-key-stats", "true");
/// Requests for one question where the service refuses for want of RU/s or wants to be asked again. Without the account there
/// is nothing, so that is asked once more.
const MOST_TRIES: usize = 2;
const MOST_TRIES_OF_ACCOUNT: usize = 3;

/// An account that was signed in to. Cheap to copy.
#[derive(Clone, Debug)]
pub struct AccountReader(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) wire: Wire,
    target: Target,
    /// Whether the other side speaks it, as its first answer showed.
    http2: bool,
    pub(super) pace: Pace,
    gate: Gate,
    /// What the account answered when it was opened, and what that cost; given out once, as the first answer.
    first: Mutex<Option<(String, Bill)>>,
    /// The addresses that this answer names.
    named: Vec<Url>,
    /// How containers are read, once one was asked for.
    way: OnceCell<ContainerReader>,
    /// Whether the hint has not been taken amiss.
    hints: AtomicBool,
    /// Resource ids by database and container.
    rids: Mutex<BTreeMap<(String, String), String>>,
}

/// How containers are read.
#[derive(Debug)]
struct ContainerReader {
    wire: Wire,
    /// Only where the account names one address alone: the client goes to whatever others are named when it asks.
    has_sdk: bool,
    sdk: OnceCell<Sdk>,
}

impl ContainerReader {
    fn new(wire: Wire, has_sdk: bool) -> Self {
        Self { wire, has_sdk, sdk: OnceCell::new() }
    }
}

impl AccountReader {
    /// Reads the account, looks at the hosts that it names, and only then lets the SDK sign requests to them.
    pub async fn open(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Self, Trouble> {
        let mut host = target.endpoint.clone();
        let opened = async {
            let wire = Wire::new(target, sign_in, pace)?;
            host = wire.host();
            let (gate, mut bill) = (Gate::new(&pace), Bill::default());
            let reply = ask(&gate, &pace, &wire, &Request::account(), &mut bill).await?;
            let named = hosts::check(&reply.text, wire.endpoint().as_str())?;
            Ok(Self(Arc::new(Inner {
                wire,
                target: target.clone(),
                http2: reply.http2,
                pace,
                gate,
                first: Mutex::new(Some((reply.text, bill))),
                named,
                way: OnceCell::new(),
                hints: AtomicBool::new(true),
                rids: Mutex::default(),
            })))
        };
        let opened: Result<Self, Fault> = opened.await;
        opened.map_err(|fault| {
            let inquiry = Inquiry::account(Kind::Account);
            trouble(&fault, &inquiry, &host, pace.operation)
        })
    }

    /// Host and port of the account.
    pub fn host(&self) -> String {
        self.0.wire.host()
    }

    /// Asks one question; whatever happens is an answer or a failure in words. Dropping the future ends the request.
    pub async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let mut bill = Bill::default();
        let answered = self.0.answer(inquiry, &mut bill).await;
        let came = answered.map(|body| (body.into_bytes().into(), None));
        Observation::of(inquiry, clock::now(), came).charged(bill.0)
    }
}

/// Sends a request in its turn, and once or twice more where that is harmless and may help. All that it costs is on the
/// bill, also where nothing comes of it.
async fn ask(
    gate: &Gate,
    pace: &Pace,
    wire: &Wire,
    request: &Request<'_>,
    bill: &mut Bill,
) -> Result<Reply, Fault> {
    let mut left = pace.operation;
    let mut pauses = pace.retry_after.into_iter();
    let mut refused = None;
    let most = if request.is_account() { MOST_TRIES_OF_ACCOUNT } else { MOST_TRIES };
    for number in 1.. {
        let permit = match gate.permit().await {
            Ok(permit) => permit,
            // What the service itself said tells more than that it is not asked again.
            Err(held) => return Err(refused.unwrap_or(held)),
        };
        let began = tokio::time::Instant::now();
        let came = tokio::time::timeout(left, wire.send(request)).await;
        let came = came.unwrap_or(Err(Fault::TimedOut(pace.operation)));
        let ru = came.as_ref().map_or_else(Fault::ru, |reply| reply.ru);
        bill.add(ru);
        permit.settle(&came, ru);
        let pause = match &came {
            _ if number >= most => return came,
            // The gate waits as the service wants it.
            Err(fault) if fault.is_throttled() => Duration::ZERO,
            Err(fault) if fault.is_passing() => pauses.next().unwrap_or_default(),
            _ => return came,
        };
        left = left.saturating_sub(began.elapsed() + pause);
        if left.is_zero() {
            return came;
        }
        refused = came.err();
        tokio::time::sleep(pause).await;
    }
    Err(Fault::Empty)
}

impl Inner {
    async fn answer(&self, inquiry: &Inquiry, bill: &mut Bill) -> Result<String, Trouble> {
        let read = self.read(inquiry, bill).await;
        read.map_err(|fault| trouble(&fault, inquiry, &self.wire.host(), self.pace.operation))
    }

    async fn read(&self, inquiry: &Inquiry, bill: &mut Bill) -> Result<String, Fault> {
        let database = || named(inquiry.database.as_deref(), "database");
        let container = || named(inquiry.container.as_deref(), "container");
        match inquiry.kind {
            Kind::Account => self.account(bill).await,
            Kind::Databases => self.list(&["dbs"], "Databases", bill).await,
            Kind::Containers => {
                let path = ["dbs", database()?, "colls"];
                self.list(&path, "DocumentCollections", bill).await
            }
            Kind::Ranges => {
                let path = ["dbs", database()?, "colls", container()?, "pkranges"];
                self.list(&path, "PartitionKeyRanges", bill).await
            }
            Kind::Container => Box::pin(self.container(database()?, container()?, bill)).await,
            Kind::Offer => self.offer(database()?, container()?, bill).await,
            other => Err(Fault::Other(format!("the data plane has no request for {other:?}"))),
        }
    }

    async fn ask(&self, request: &Request<'_>, bill: &mut Bill) -> Result<Reply, Fault> {
        ask(&self.gate, &self.pace, &self.wire, request, bill).await
    }

    async fn account(&self, bill: &mut Bill) -> Result<String, Fault> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((body, cost)) = first {
            bill.add(cost.0);
            return Ok(body);
        }
        let reply = self.ask(&Request::account(), bill).await?;
        hosts::check(&reply.text, self.wire.endpoint().as_str())?;
        Ok(reply.text)
    }

    /// All pages of a list.
    async fn list(
        &self,
        path: &[&str],
        member: &'static str,
        bill: &mut Bill,
    ) -> Result<String, Fault> {
        let mut feed = Feed::new(member);
        let mut next: Option<String> = None;
        loop {
            let request = Request::get(path).after(next.as_deref());
            let page = self.ask(&request, bill).await?;
            next = page.continuation.filter(|token| !token.is_empty());
            feed.add(page.text)?;
            if next.is_none() || feed.is_full() {
                return Ok(feed.finish(next.is_some()));
            }
        }
    }

    /// How containers are read: the SDK is let to an address only where our own requests saw no other named, neither by
    /// the account as it was opened nor by that address itself.
    async fn way(&self, bill: &mut Bill) -> Result<&ContainerReader, Fault> {
        let made = async {
            let wire = self.wire.clone();
            let Some(only) = hosts::only(&self.named, wire.endpoint()) else {
                return Ok(ContainerReader::new(wire, false));
            };
            if hosts::is_at(only, wire.endpoint()) {
                return Ok(ContainerReader::new(wire, true));
            }
            let there = wire.at(only.clone());
            let account = Request::account();
            let reply = ask(&self.gate, &self.pace, &there, &account, bill).await?;
            let named = hosts::check(&reply.text, only.as_str())?;
            Ok(match hosts::only(&named, only) {
                Some(named) if hosts::is_at(named, only) => ContainerReader::new(there, true),
                _ => ContainerReader::new(wire, false),
            })
        };
        self.way.get_or_try_init(|| made).await
    }

    /// A container with the statistics of its partitions, and what it uses as the service tells in headers. Our own request
    /// comes first: where it is sent elsewhere or refused, the SDK is not let there; a long answer to it stands by itself.
    async fn container(
        &self,
        database: &str,
        container: &str,
        bill: &mut Bill,
    ) -> Result<String, Fault> {
        let way = self.way(bill).await?;
        let mut headers = STATISTICS_HEADERS.to_vec();
        let hints = self.hints.load(Ordering::Relaxed);
        headers.extend(hints.then_some(HINT_HEADER));
        let request = Request::container(database, container);
        let with_all = request.clone().with(headers.iter().copied());
        let read = ask(&self.gate, &self.pace, &way.wire, &with_all, bill).await;
        let read = match read {
            Err(Fault::Refused(refusal)) if hints && refusal.status == 400 => {
                headers.truncate(STATISTICS_HEADERS.len());
                let without = request.with(headers.iter().copied());
                let read = ask(&self.gate, &self.pace, &way.wire, &without, bill).await?;
                self.hints.store(false, Ordering::Relaxed);
                read
            }
            read => read?,
        };
        self.remember(database, container, &read.text)?;
        let read = if way.has_sdk && read.text.len() <= MAX_SDK_BYTES {
            let ru = read.ru;
            drop(read);
            self.by_sdk(way, (database, container), &headers, ru, bill).await?
        } else {
            read
        };
        let [usage, quota] = read.usage;
        let usage = [("resourceUsage", usage), ("resourceQuota", quota)];
        Ok(offer::with_usage(read.text, usage))
    }

    /// The same by the SDK. What its first look at a container costs it does not tell: as much as our own read did.
    async fn by_sdk(
        &self,
        way: &ContainerReader,
        (database, container): (&str, &str),
        headers: &[(&'static str, &'static str)],
        ru: Option<f64>,
        bill: &mut Bill,
    ) -> Result<Reply, Fault> {
        let opened = async {
            let permit = self.gate.permit().await?;
            let sdk = Sdk::open(&self.target, &way.wire, self.http2, self.pace).await;
            permit.settle(&sdk, None);
            sdk
        };
        let sdk = way.sdk.get_or_try_init(|| opened).await?;
        if !sdk.knows(database, container) {
            let permit = self.gate.permit().await?;
            let learned = sdk.learn(database, container).await;
            bill.add(ru);
            permit.settle(&learned, ru);
            learned?;
        }
        let permit = self.gate.permit().await?;
        let read = sdk.read(database, container, headers).await;
        let ru = read.as_ref().map_or_else(Fault::ru, |reply| reply.ru);
        bill.add(ru);
        permit.settle(&read, ru);
        read
    }

    /// The offer of a container. Where it has none of its own: that of its database, else the list that has none, as it came.
    async fn offer(
        &self,
        database: &str,
        container: &str,
        bill: &mut Bill,
    ) -> Result<String, Fault> {
        let key = (database.to_owned(), container.to_owned());
        let known = self.rids().get(&key).cloned();
        let rid = if let Some(rid) = known {
            rid
        } else {
            let request = Request::container(database, container);
            let read = self.ask(&request, bill).await?;
            self.remember(database, container, &read.text)?
        };
        let (own, listed) = self.offers_of(&rid, bill).await?;
        if let Some(offer) = own {
            return Ok(offer);
        }
        let Some(rid) = offer::database_rid(&rid) else {
            return Ok(listed);
        };
        let (shared, of_database) = self.offers_of(&rid, bill).await?;
        Ok(shared.unwrap_or(of_database))
    }

    /// The first offer of a resource, and the whole list.
    async fn offers_of(
        &self,
        rid: &str,
        bill: &mut Bill,
    ) -> Result<(Option<String>, String), Fault> {
        let page = self.ask(&Request::offers(rid), bill).await?;
        Ok((offer::first(&page.text)?, page.text))
    }

    fn rids(&self) -> MutexGuard<'_, BTreeMap<(String, String), String>> {
        self.rids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the resource id that a container's answer tells.
    fn remember(&self, database: &str, container: &str, body: &str) -> Result<String, Fault> {
        let rid = read::field(body, "_rid").and_then(read::text);
        let rid = rid.ok_or_else(|| Fault::NotCosmos("it is not a container".to_owned()))?;
        let mut rids = self.rids();
        if rids.len() >= MAX_CONTAINERS {
            rids.clear();
        }
        rids.insert((database.to_owned(), container.to_owned()), rid.clone());
        Ok(rid)
    }
}

fn named<'a>(name: Option<&'a str>, what: &str) -> Result<&'a str, Fault> {
    name.ok_or_else(|| Fault::Other(format!("no {what} was named")))
}
