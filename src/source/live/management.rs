//! The management plane: what the account is set to and what its metrics say. GETs, and the one question that is none.

mod account_id;
mod find;
mod metric_batches;
mod metrics;
mod note;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use azure_core::http::Url;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::azure_trouble::{self as trouble, About};
use super::clock;
use super::pipeline::{Client, Read, Reply};
use super::services::Hosts;
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle, Trouble};

pub use account_id::AccountId;
pub use metric_batches::counts;
pub use metrics::{METRICS, Metric, THROTTLED};

/// The versions of the interfaces that are asked, by what is asked.
mod api {
    pub(super) const SUBSCRIPTIONS: &str = "2022-12-01";
    /// Accounts and throughput settings: only previews report capacity mode, priorities and buckets.
    pub(super) const PREVIEW: &str = "2025-11-01-preview";
    /// The same for clouds without the preview, and the older usages.
    pub(super) const ACCOUNT: &str = "2024-11-15";
    /// RU/s by physical partition are a preview.
    pub(super) const DISTRIBUTION: &str = "2024-12-01-preview";
    pub(super) const METRICS: &str = "2021-05-01";
}

/// Times the time of one operation, which make that minute.
const MINUTE: u32 = 6;
/// The id by which the service means all physical partitions.
const ALL_PARTITIONS: &str = "-1";

/// Containers of which something is noted; an account has far fewer.
const MAX_NOTED: usize = 20_000;

/// What is known of the account's id: not asked yet, found, or not to be found.
type AccountLookup = Option<Result<AccountId, Trouble>>;

/// The management plane of one account. Copies share what was found and the tokens.
#[derive(Clone, Debug)]
pub struct Management {
    client: Arc<Client>,
    endpoint: String,
    account: Arc<Mutex<AccountLookup>>,
    /// By (database, container).
    noted: Arc<RwLock<HashMap<(String, String), Noted>>>,
    /// The cloud does not offer the preview version.
    has_no_preview: Arc<AtomicBool>,
}

/// What the data plane says of a container that questions here need.
#[derive(Clone, Default, Debug)]
struct Noted {
    /// `DATABASE/CONTAINER`, by resource id.
    rids: Option<String>,
    ranges: usize,
}

impl Management {
    /// Nothing is sent yet. Fails where nobody is signed in whom the management plane knows, or the id is none.
    pub fn new(
        sign_in: &SignIn,
        target: &Target,
        hosts: Hosts,
        pace: Pace,
    ) -> Result<Self, Trouble> {
        let client = Client::new(sign_in, target, hosts, pace)?;
        let known = target.resource_id.as_deref().map(AccountId::parse);
        Ok(Self {
            client: Arc::new(client),
            endpoint: target.endpoint.clone(),
            account: Arc::new(Mutex::new(known.transpose()?.map(Ok))),
            noted: Arc::default(),
            has_no_preview: Arc::default(),
        })
    }

    /// Takes from an answer of the data plane what questions here need: resource ids of a container, the number of its
    /// physical partitions. Other answers say nothing.
    pub fn note(&self, answer: &Answer) {
        let Some(name) = names(&answer.inquiry) else {
            return;
        };
        let (rids, ranges) = match answer.inquiry.kind {
            Kind::Container => (note::rids(&answer.body), None),
            Kind::Ranges => (None, note::ranges(&answer.body)),
            _ => return,
        };
        let mut all = self.noted.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_NOTED && !all.contains_key(&name) {
            return;
        }
        let noted = all.entry(name).or_default();
        noted.rids = rids.or(noted.rids.take());
        noted.ranges = ranges.unwrap_or(noted.ranges);
    }

    fn noted(&self, inquiry: &Inquiry) -> Noted {
        let all = self.noted.read().unwrap_or_else(PoisonError::into_inner);
        let found = names(inquiry).and_then(|name| all.get(&name));
        found.cloned().unwrap_or_default()
    }

    /// Physical partitions of a database's containers, or of all.
    fn noted_in(&self, database: Option<&str>) -> usize {
        let all = self.noted.read().unwrap_or_else(PoisonError::into_inner);
        let here = all.iter().filter(|((of, _), _)| database.is_none_or(|database| database == of));
        here.map(|(_, noted)| noted.ranges).sum()
    }

    /// Looks for the account whose endpoint this is among those that the identity may see; remembers what came of it.
    pub async fn find(&self, endpoint: &str) -> Result<String, Trouble> {
        let mut account = self.account.lock().await;
        let found = find::account(&self.client, endpoint).await;
        *account = Some(found.clone());
        found.map(|id| id.to_string())
    }

    /// Asks, and tells what came. Kinds of other services are not asked here.
    pub async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let came = self.answer(inquiry).await;
        let came = came.map(|reply| (reply.body.into(), None));
        Observation::of(inquiry, clock::now(), came)
    }

    /// The id where it is known. What was looked for in vain is looked for again only where somebody asks for the account
    /// itself, which is once a round.
    async fn account(&self, kind: Kind) -> Result<AccountId, Trouble> {
        let mut account = self.account.lock().await;
        match &*account {
            Some(Err(_)) if kind == Kind::ManagedAccount => {}
            Some(known) => return known.clone(),
            None => {}
        }
        let found = find::account(&self.client, &self.endpoint).await;
        *account = Some(found.clone());
        found
    }

    async fn answer(&self, inquiry: &Inquiry) -> Result<Reply, Trouble> {
        let id = self.account(inquiry.kind).await?;
        match inquiry.kind {
            Kind::ManagedAccount => self.object(About::ACCOUNT, &id.path()).await,
            Kind::ManagedThroughput => self.throughput(inquiry, &id).await,
            Kind::Distribution => self.distribution(inquiry, &id).await,
            Kind::Usages => self.usages(inquiry, &id).await,
            Kind::Metrics => self.metric(inquiry, &id).await,
            _ => Err(Trouble::new(
                Obstacle::Unsupported,
                "the management plane does not answer this",
                "another service has it",
            )),
        }
    }

    async fn object(&self, about: About, path: &[&str]) -> Result<Reply, Trouble> {
        let ask = async |version| {
            let query = [("api-version", version)];
            let read = Read::get(self.client.hosts(), about, path, &query);
            self.client.reply(&read.ok_or_else(unnameable)?).await
        };
        if about != About::USAGES && !self.has_no_preview.load(Ordering::Relaxed) {
            let reply = ask(api::PREVIEW).await?;
            let is_of_version = |text: &str| text.to_lowercase().contains("version");
            let is_refused = matches!(reply.status, 400 | 404);
            if !is_refused || !is_of_version(&String::from_utf8_lossy(&reply.body)) {
                return self.client.valid_reply(about, reply);
            }
            self.has_no_preview.store(true, Ordering::Relaxed);
        }
        self.client.valid_reply(about, ask(api::ACCOUNT).await?)
    }

    /// Of a container or of a database. Of a container without settings of its own those of its database, whose `id` says
    /// whose they are.
    async fn throughput(&self, inquiry: &Inquiry, id: &AccountId) -> Result<Reply, Trouble> {
        let database = inquiry.database.as_deref().ok_or_else(unnamed)?;
        let own = settings(id, database, inquiry.container.as_deref());
        match self.object(About::THROUGHPUT, &own).await {
            Err(trouble)
                if trouble.obstacle == Obstacle::NotFound && inquiry.container.is_some() =>
            {
                let of_database = settings(id, database, None);
                self.object(About::THROUGHPUT, &of_database).await
            }
            other => other,
        }
    }

    /// This question knows a container by resource ids only: of `part`, else of what was noted.
    async fn usages(&self, inquiry: &Inquiry, id: &AccountId) -> Result<Reply, Trouble> {
        let noted = self.noted(inquiry).rids;
        let rids = inquiry.part.clone().or(noted).unwrap_or_default();
        let (database, container) = rids.split_once('/').ok_or_else(not_read_yet)?;
        let mut path = id.path().to_vec();
        path.extend(["databases", database, "collections", container]);
        path.extend(["partitions", "usages"]);
        self.object(About::USAGES, &path).await
    }

    async fn metric(&self, inquiry: &Inquiry, id: &AccountId) -> Result<Reply, Trouble> {
        let metric = inquiry.part.as_deref().and_then(Metric::named);
        let metric = metric.ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                "this metric is not read",
                "cosmoscope help roles lists what is read",
            )
        })?;
        let mut path = id.path().to_vec();
        path.extend(["providers", "microsoft.insights", "metrics"]);
        let names = (inquiry.database.as_deref(), inquiry.container.as_deref());
        let is_wide = inquiry.container.is_none();
        // The most throttled containers suffice.
        let is_ranking = metric == THROTTLED;
        let ranges = match inquiry.container {
            _ if is_ranking => 0,
            None => self.noted_in(inquiry.database.as_deref()),
            Some(_) => self.noted(inquiry).ranges,
        };
        if is_wide {
            metric_batches::is_possible(ranges)?;
        }
        let query = metric.query(names, ranges, clock::now());
        let mut query: Vec<(&str, &str)> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
        query.push(("api-version", api::METRICS));
        let read = Read::get(self.client.hosts(), About::METRICS, &path, &query);
        let came = self.client.object(&read.ok_or_else(unnameable)?).await;
        if !is_wide && metric.alone.is_empty() {
            return came;
        }
        let reply = came.map_err(metric_batches::refused)?;
        if is_wide && !is_ranking {
            metric_batches::judge(&reply.body, metrics::series(ranges))?;
        }
        Ok(reply)
    }

    /// RU/s of the partitions that `part` lists, else of all. The service may take its time and says where to look.
    async fn distribution(&self, inquiry: &Inquiry, id: &AccountId) -> Result<Reply, Trouble> {
        let database = inquiry.database.as_deref().ok_or_else(unnamed)?;
        let settings = settings(id, database, inquiry.container.as_deref());
        let ids = inquiry.part.as_deref().unwrap_or(ALL_PARTITIONS).split(',');
        let ids: Vec<_> = ids.map(|id| serde_json::json!({ "id": id })).collect();
        let body =
            serde_json::json!({ "properties": { "resource": { "physicalPartitionIds": ids } } });
        let hosts = self.client.hosts();
        let read = Read::distribution(hosts, &settings, api::DISTRIBUTION, body.to_string());
        let read = read.ok_or_else(unnameable)?;
        let pace = self.client.pace();
        let deadline = Instant::now() + pace.operation * MINUTE;
        let mut reply = self.client.reply(&read).await?;
        let mut operation = reply.operation.clone();
        let (mut result, mut is_over) = (reply.location.clone(), false);
        // The service does not say how long it takes: it is looked at more and more seldom.
        let mut pause = pace.retry_after[1];
        loop {
            let stands = state(&reply);
            let next = match stands {
                OperationState::Running => operation.clone().or_else(|| result.clone()),
                // The status of an operation says that it is over, and the result stands elsewhere.
                OperationState::Succeeded if is_over => None,
                OperationState::Succeeded => {
                    (is_over, operation) = (true, None);
                    result.clone()
                }
                OperationState::Failed => return Err(trouble::failed(About::DISTRIBUTION, &reply)),
                OperationState::Answered => None,
            };
            let Some(next) = next.filter(|link| Url::parse(link).is_ok()) else {
                // A status without a result, and nowhere to look for it, is no answer.
                return match stands {
                    OperationState::Succeeded | OperationState::Running => Err(not_in_time()),
                    _ => self.client.valid_reply(read.about(), reply),
                };
            };
            if stands == OperationState::Running {
                let wait = reply.retry_after.unwrap_or(pause).max(pause);
                if Instant::now() + wait >= deadline {
                    break;
                }
                sleep(wait).await;
                pause = (pause * 2).min(pace.operation);
            }
            reply = self.client.reply(&Read::link(hosts, read.about(), &next)?).await?;
            if reply.location.is_some() {
                result.clone_from(&reply.location);
            }
        }
        Err(not_in_time())
    }
}

fn names(inquiry: &Inquiry) -> Option<(String, String)> {
    Some((inquiry.database.clone()?, inquiry.container.clone()?))
}

/// Where an operation stands that the service takes its time for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OperationState {
    Running,
    Succeeded,
    Failed,
    /// It is the answer itself.
    Answered,
}

/// An operation that failed is answered with a good status, and says so in its body.
fn state(reply: &Reply) -> OperationState {
    #[derive(serde::Deserialize)]
    struct Operation {
        status: Option<String>,
    }
    let operation: Option<Operation> = serde_json::from_slice(&reply.body).ok();
    let status = operation.and_then(|of| of.status).unwrap_or_default().to_lowercase();
    match (reply.status, status.as_str()) {
        (_, "failed" | "canceled" | "cancelled") => OperationState::Failed,
        (202, _) => OperationState::Running,
        (200, "inprogress" | "running" | "accepted" | "enqueued" | "dequeued") => {
            OperationState::Running
        }
        (200, "succeeded") => OperationState::Succeeded,
        _ => OperationState::Answered,
    }
}

/// The address of throughput settings: of a container, or of a database.
fn settings<'a>(id: &'a AccountId, database: &'a str, container: Option<&'a str>) -> Vec<&'a str> {
    let mut path = id.path().to_vec();
    path.extend(["sqlDatabases", database]);
    path.extend(container.into_iter().flat_map(|name| ["containers", name]));
    path.extend(["throughputSettings", "default"]);
    path
}

fn not_read_yet() -> Trouble {
    Trouble::new(
        Obstacle::Held,
        "storage by physical partition needs the container's resource id, which was not read yet",
        "it is read once the container was read",
    )
}

fn unnamed() -> Trouble {
    Trouble::new(Obstacle::Unsupported, "the question names no container", "choose one")
}

fn unnameable() -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        "this name cannot stand in an address of the management plane",
        "everything else of the account can be read",
    )
}

fn not_in_time() -> Trouble {
    Trouble::new(
        Obstacle::TimedOut,
        "RU/s by physical partition: no answer in time",
        "the ranges' shares of throughput are used; it is tried again later",
    )
}

#[cfg(test)]
mod tests;
