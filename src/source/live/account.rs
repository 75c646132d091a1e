//! The data plane of one account: what it is asked, and how. There is no method here that writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;

use super::clock;
use super::fault::Fault;
use super::feed::Feed;
use super::gate::{Bill, Gate};
use super::offer;
use super::sdk::Sdk;
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use super::trouble::trouble;
use super::wire::{Reply, Request, Wire};
use crate::source::answers::{Inquiry, Kind, Observation, Trouble};
use crate::source::json::read;
use crate::source::ledger::MAX_CONTAINERS;

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
    first: Mutex<Option<(Result<String, Fault>, Bill)>>,
    /// Microsoft's client, once a container needed it.
    sdk: OnceCell<Sdk>,
    /// Whether the hint has not been taken amiss.
    hints: AtomicBool,
    /// Resource ids by database and container.
    rids: Mutex<BTreeMap<(String, String), String>>,
}

impl AccountReader {
    /// Reads the account and looks at the hosts that it names. A role on one container may not read the account: then the
    /// account is open, and the refusal is its first answer.
    pub async fn open(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Self, Trouble> {
        let mut host = target.endpoint.clone();
        let opened = async {
            let wire = Wire::new(target, sign_in, pace)?;
            host = wire.host();
            let (gate, mut bill) = (Gate::new(&pace), Bill::default());
            let reply = ask(&gate, &pace, &wire, &Request::account(), &mut bill).await;
            let is_named = target.database.is_some() && target.container.is_some();
            let (first, http2) = match reply {
                Err(Fault::Refused(refusal)) if refusal.status == 403 && is_named => {
                    (Err(Fault::Refused(refusal)), false)
                }
                reply => {
                    let reply = reply?;
                    wire.learn_regions(&reply.text)?;
                    (Ok(reply.text), reply.http2)
                }
            };
            Ok(Self(Arc::new(Inner {
                wire,
                target: target.clone(),
                http2,
                pace,
                gate,
                first: Mutex::new(Some((first, bill))),
                sdk: OnceCell::new(),
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
        let came = wire.send(request, left).await;
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
        if let Some((answer, cost)) = first {
            bill.add(cost.0);
            return answer;
        }
        let reply = self.ask(&Request::account(), bill).await?;
        self.wire.learn_regions(&reply.text)?;
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

    /// A container with the statistics of its partitions, and what it uses as the service tells in headers. Our own request
    /// is complete, so the SDK reads only what was not understood, and only with a key: what it signs is this one read,
    /// while a token that follows a redirect would be good for all.
    async fn container(
        &self,
        database: &str,
        container: &str,
        bill: &mut Bill,
    ) -> Result<String, Fault> {
        let mut headers = STATISTICS_HEADERS.to_vec();
        let hints = self.hints.load(Ordering::Relaxed);
        headers.extend(hints.then_some(HINT_HEADER));
        let request = Request::container(database, container);
        let mut read = self.ask(&request.clone().with(headers.iter().copied()), bill).await;
        if hints && matches!(&read, Err(Fault::Refused(refusal)) if refusal.status == 400) {
            headers.truncate(STATISTICS_HEADERS.len());
            read = self.ask(&request.with(headers.iter().copied()), bill).await;
            self.hints.fetch_and(read.is_err(), Ordering::Relaxed);
        }
        let read = match read {
            Err(fault) if fault.is_misunderstood() && self.wire.sign_in().is_key() => {
                let read = self.by_sdk((database, container), &headers, bill).await;
                read.map_err(|_| fault)?
            }
            read => read?,
        };
        self.remember(database, container, &read.text)?;
        let [usage, quota] = read.usage;
        let usage = [("resourceUsage", usage), ("resourceQuota", quota)];
        Ok(offer::with_usage(read.text, usage))
    }

    /// The same by the SDK, which reads the account and the container once by itself before: nothing tells what that costs.
    async fn by_sdk(
        &self,
        (database, container): (&str, &str),
        headers: &[(&'static str, &'static str)],
        bill: &mut Bill,
    ) -> Result<Reply, Fault> {
        let permit = self.gate.permit().await?;
        let read = async {
            let opened = Sdk::open(&self.target, &self.wire, self.http2, self.pace);
            let sdk = self.sdk.get_or_try_init(|| opened).await?;
            sdk.read(database, container, headers).await
        };
        let read = read.await;
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
