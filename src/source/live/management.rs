//! The management plane: what the account is set to and what its metrics say. GETs, and the one question that is none.

mod account_id;
mod find;
mod metrics;

use std::sync::Arc;
use std::time::Duration;

use azure_core::http::Url;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::azure_trouble::About;
use super::clock;
use super::pipeline::{Client, Read, Reply};
use super::services::Hosts;
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::source::answers::{Answer, Asked, Failure, Kind, Obstacle, Seen, Trouble};

pub use account_id::AccountId;
pub(super) use account_id::is_guid;
pub use metrics::{METRICS, Metric, Span};

/// The versions of the interfaces that are asked, by what is asked.
mod api {
    pub(super) const SUBSCRIPTIONS: &str = "2022-12-01";
    /// Accounts, throughput settings and the older usages.
    pub(super) const ACCOUNT: &str = "2024-11-15";
    /// RU/s by physical partition are a preview.
    pub(super) const DISTRIBUTION: &str = "2024-12-01-preview";
    pub(super) const METRICS: &str = "2021-05-01";
}

/// A distribution that is not told after this many looks is given up.
const MAX_POLLS: u32 = 5;
/// The id by which the service means all physical partitions.
const ALL_PARTITIONS: &str = "-1";

/// What is known of the account's id: not asked yet, found, or not to be found.
type Found = Option<Result<AccountId, Trouble>>;

/// The management plane of one account. Copies share what was found and the tokens.
#[derive(Clone, Debug)]
pub struct Management {
    client: Arc<Client>,
    endpoint: String,
    account: Arc<Mutex<Found>>,
    span: Span,
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
            span: Span::default(),
        })
    }

    /// The same with another time for metrics.
    #[must_use]
    pub fn over(&self, span: Span) -> Self {
        Self {
            span,
            ..self.clone()
        }
    }

    /// Looks for the account whose endpoint this is among those that the identity may see; remembers what came of it.
    pub async fn find(&self, endpoint: &str) -> Result<String, Trouble> {
        let mut account = self.account.lock().await;
        let found = find::account(&self.client, endpoint).await;
        *account = Some(found.clone());
        found.map(|id| id.to_string())
    }

    /// Asks, and tells what came. Where a container has no throughput of its own the answer is its database's, and its
    /// `asked` names no container. Kinds of other services are not asked here.
    pub async fn ask(&self, asked: &Asked) -> Seen {
        match self.answer(asked).await {
            Ok((asked, reply)) => Seen::Answer(Answer {
                at: clock::now(),
                asked,
                body: Arc::from(&*reply.body),
                ru: None,
            }),
            Err(trouble) => Seen::Failure(Failure {
                at: clock::now(),
                asked: asked.clone(),
                trouble,
            }),
        }
    }

    /// The id where it is known; looked for at most once.
    async fn account(&self) -> Result<AccountId, Trouble> {
        let mut account = self.account.lock().await;
        if let Some(known) = &*account {
            return known.clone();
        }
        let found = find::account(&self.client, &self.endpoint).await;
        *account = Some(found.clone());
        found
    }

    async fn answer(&self, asked: &Asked) -> Result<(Asked, Reply), Trouble> {
        let id = self.account().await?;
        let here = asked.clone();
        match asked.kind {
            Kind::ManagedAccount => {
                let read = self.get(About::Account, &id.path(), &[("api-version", api::ACCOUNT)])?;
                Ok((here, self.client.object(&read).await?))
            }
            Kind::ManagedThroughput => self.throughput(asked, &id).await,
            Kind::Distribution => Ok((here, self.distribution(asked, &id).await?)),
            Kind::Usages => Ok((here, self.usages(asked, &id).await?)),
            Kind::Metrics => Ok((here, self.metric(asked, &id).await?)),
            _ => Err(Trouble::new(
                Obstacle::Unsupported,
                "the management plane does not answer this",
                "it is asked elsewhere",
            )),
        }
    }

    fn get(
        &self,
        about: About,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Read, Trouble> {
        Read::get(self.client.hosts(), about, path, query).ok_or_else(unnameable)
    }

    /// Of the container, else of its database, which its containers share.
    async fn throughput(&self, asked: &Asked, id: &AccountId) -> Result<(Asked, Reply), Trouble> {
        let database = asked.database.as_deref().ok_or_else(unnamed)?;
        if let Some(container) = asked.container.as_deref() {
            let settings = settings(id, database, Some(container));
            match self.settings(&settings).await {
                Err(trouble) if trouble.obstacle == Obstacle::NotFound => {}
                other => return other.map(|reply| (asked.clone(), reply)),
            }
        }
        let reply = self.settings(&settings(id, database, None)).await?;
        let shared = Asked {
            container: None,
            ..asked.clone()
        };
        Ok((shared, reply))
    }

    async fn settings(&self, path: &[&str]) -> Result<Reply, Trouble> {
        let read = self.get(About::Throughput, path, &[("api-version", api::ACCOUNT)])?;
        self.client.object(&read).await
    }

    async fn usages(&self, asked: &Asked, id: &AccountId) -> Result<Reply, Trouble> {
        let rids = asked.part.as_deref().and_then(|part| part.split_once('/'));
        let (database, container) = rids.ok_or_else(unnamed)?;
        let mut path = id.path().to_vec();
        path.extend(["databases", database, "collections", container]);
        path.extend(["partitions", "usages"]);
        let read = self.get(About::Usages, &path, &[("api-version", api::ACCOUNT)])?;
        self.client.object(&read).await
    }

    async fn metric(&self, asked: &Asked, id: &AccountId) -> Result<Reply, Trouble> {
        let metric = asked.part.as_deref().and_then(Metric::named).ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                "this metric is not asked for",
                "the metrics that are asked for are listed in the README",
            )
        })?;
        let mut path = id.path().to_vec();
        path.extend(["providers", "microsoft.insights", "metrics"]);
        let names = (asked.database.as_deref(), asked.container.as_deref());
        let query = metric.query(names, self.span, clock::now());
        let mut query: Vec<(&str, &str)> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
        query.push(("api-version", api::METRICS));
        let read = self.get(About::Metrics, &path, &query)?;
        self.client.object(&read).await
    }

    /// RU/s of the partitions that `part` lists, else of all. The service may take its time and says where to look.
    async fn distribution(&self, asked: &Asked, id: &AccountId) -> Result<Reply, Trouble> {
        let database = asked.database.as_deref().ok_or_else(unnamed)?;
        let settings = settings(id, database, asked.container.as_deref());
        let ids = asked.part.as_deref().unwrap_or(ALL_PARTITIONS).split(',');
        let ids: Vec<_> = ids.map(|id| serde_json::json!({ "id": id })).collect();
        let body = serde_json::json!({ "properties": { "resource": { "physicalPartitionIds": ids } } });
        let hosts = self.client.hosts();
        let read = Read::distribution(hosts, &settings, api::DISTRIBUTION, body.to_string());
        let read = read.ok_or_else(unnameable)?;
        let deadline = Instant::now() + self.client.pace().operation * MAX_POLLS;
        let mut reply = self.client.reply(&read).await?;
        for _ in 0..MAX_POLLS {
            let Some(next) = unfinished(&reply) else {
                return self.client.judged(read.about(), reply);
            };
            let wait = reply.retry_after.unwrap_or(self.client.pace().retry_after[1]);
            if Instant::now() + wait >= deadline {
                break;
            }
            sleep(wait).await;
            let look = Read::link(hosts, read.about(), &next)?;
            let looked = self.client.reply(&look).await?;
            // The second look goes where the first did unless the service says otherwise.
            reply = Reply {
                location: looked.location.clone().or(Some(next)),
                ..looked
            };
        }
        Err(not_in_time())
    }
}

/// Where to look next, as long as the service still works on it.
fn unfinished(reply: &Reply) -> Option<String> {
    let link = || reply.location.clone().or_else(|| reply.operation.clone());
    match reply.status {
        202 => link().filter(|link| Url::parse(link).is_ok()),
        // The status of an operation says itself whether it is over.
        200 if is_running(&reply.body) => link(),
        _ => None,
    }
}

fn is_running(body: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Operation {
        status: Option<String>,
    }
    let operation: Option<Operation> = serde_json::from_slice(body).ok();
    let status = operation.and_then(|o| o.status).unwrap_or_default();
    ["InProgress", "Running", "Accepted", "Enqueued", "Dequeued"]
        .iter()
        .any(|running| running.eq_ignore_ascii_case(&status))
}

/// The address of throughput settings: of a container, or of a database.
fn settings<'a>(id: &'a AccountId, database: &'a str, container: Option<&'a str>) -> Vec<&'a str> {
    let mut path = id.path().to_vec();
    path.extend(["sqlDatabases", database]);
    path.extend(container.into_iter().flat_map(|name| ["containers", name]));
    path.extend(["throughputSettings", "default"]);
    path
}

fn unnamed() -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        "the question names no container",
        "choose one",
    )
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
        "RU/s by physical partition were not told in time",
        "the ranges' shares of throughput are used; it is asked again later",
    )
}

#[cfg(test)]
mod tests;
