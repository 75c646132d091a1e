//! The data plane of one account: what it is asked, and how. There is no method here that writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use azure_core::http::headers::{HeaderName, HeaderValue};
use azure_data_cosmos_driver::models::{CosmosOperation, CosmosResponse, DatabaseReference};
use azure_data_cosmos_driver::options::{OperationOptions, PlanOptions};

use super::clock;
use super::driver::{self, Driver, Speaks};
use super::fault::Fault;
use super::feed::{Feed, Room};
use super::hosts;
use super::offer;
use super::sign_in::SignIn;
use super::signing::Resource;
use super::target::{Pace, Target};
use super::trouble::{About, trouble};
use super::wire::{self, Wire, with_slack};
use crate::source::answers::{Asked, Kind, Seen, Trouble};
use crate::source::json::read;

/// Sizes and largest keys of each partition with the read of a container.
const STATISTICS_HEADERS: [(&str, &str); 2] = [
    ("x-ms-documentdb-populatepartitionstatistics", "true"),
    ("x-ms-documentdb-populatequotainfo", "true"),
];
/// More keys of each partition, perhaps: a header of the service's own, which it may ignore or take amiss.
const HINT_HEADER: (&str, &str) = ("x-ms-cosmos-internal-get-all-partition-key-stats", "true");
/// Containers whose resource ids are remembered, for their offers.
const MAX_REMEMBERED: usize = 1_000;

/// An account that was signed in to. Cheap to copy.
#[derive(Clone, Debug)]
pub struct Account(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) wire: Wire,
    driver: Driver,
    target: Target,
    pub(super) pace: Pace,
    /// What the account answered when it was opened; given out once, as the first answer.
    first: Mutex<Option<Body>>,
    /// Whether the hint has not been taken amiss.
    hints: AtomicBool,
    /// Resource ids by database and container.
    rids: Mutex<BTreeMap<(String, String), String>>,
}

/// A body that is believed, and what it cost.
pub(super) type Body = (String, Option<f64>);

impl Account {
    /// Reads the account, looks at the hosts that it names, and only then lets the SDK sign requests to them.
    pub async fn open(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Self, Trouble> {
        let asked = Asked::account(Kind::Account);
        let mut host = target.endpoint.clone();
        let opened = async {
            let wire = Wire::new(target, sign_in.clone(), pace)?;
            host = wire.host();
            let reply = wire.get_patiently(&account_resource(), &[]).await?;
            hosts::check(&reply.text, wire.endpoint().as_str())?;
            let speaks = Speaks { http2: reply.http2 };
            let driver = Driver::open(target, wire.endpoint(), sign_in, speaks, pace).await?;
            Ok(Self(Arc::new(Inner {
                wire,
                driver,
                target: target.clone(),
                pace,
                first: Mutex::new(Some((reply.text, reply.ru))),
                hints: AtomicBool::new(true),
                rids: Mutex::default(),
            })))
        };
        let opened: Result<Self, Fault> = opened.await;
        opened.map_err(|fault| {
            let about = About {
                asked: &asked,
                host: &host,
                waited: pace.operation,
            };
            trouble(&fault, about)
        })
    }

    /// Host and port of the account.
    pub fn host(&self) -> String {
        self.0.wire.host()
    }

    /// Asks one question; whatever happens is an answer or a failure in words. Dropping the future ends the request.
    pub async fn ask(&self, asked: &Asked) -> Seen {
        let answered = self.0.answer(asked).await;
        let came = answered.map(|(body, ru)| (body.into_bytes().into(), ru));
        Seen::of(asked, clock::now(), came)
    }
}

impl Inner {
    async fn answer(&self, asked: &Asked) -> Result<Body, Trouble> {
        let fault = match self.read(asked).await {
            Ok(body) => return Ok(body),
            Err(fault) => fault,
        };
        let host = self.wire.host();
        let about = About {
            asked,
            host: &host,
            waited: self.pace.operation,
        };
        Err(trouble(&fault, about))
    }

    async fn read(&self, asked: &Asked) -> Result<Body, Fault> {
        let database = || named(asked.database.as_deref(), "database");
        let container = || named(asked.container.as_deref(), "container");
        match asked.kind {
            Kind::Account => self.account().await,
            Kind::Databases => {
                let operation = CosmosOperation::read_all_databases(self.driver.account.clone());
                self.feed(operation, "Databases").await
            }
            Kind::Containers => {
                let operation = CosmosOperation::read_all_containers(self.database(database()?));
                self.feed(operation, "DocumentCollections").await
            }
            Kind::Container => self.container(database()?, container()?).await,
            Kind::Ranges => self.ranges(database()?, container()?).await,
            Kind::Offer => self.offer(database()?, container()?).await,
            other => Err(Fault::Other(format!(
                "the data plane is not asked for {other:?}"
            ))),
        }
    }

    async fn account(&self) -> Result<Body, Fault> {
        let first = self
            .first
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(body) = first {
            return Ok(body);
        }
        let reply = self.wire.get_patiently(&account_resource(), &[]).await?;
        hosts::check(&reply.text, self.wire.endpoint().as_str())?;
        Ok((reply.text, reply.ru))
    }

    fn database(&self, name: &str) -> DatabaseReference {
        DatabaseReference::from_name(self.driver.account.clone(), name.to_owned())
    }

    /// All pages of a list.
    async fn feed(&self, operation: CosmosOperation, member: &'static str) -> Result<Body, Fault> {
        let driver = &self.driver.driver;
        let options = driver::operation(&self.target, self.pace);
        let whole = PlanOptions::default();
        let planned = driver.plan_operation(operation, &options, None, &whole);
        let mut plan = planned.await.map_err(|error| Fault::from(&error))?;
        let mut feed = Feed::new(member);
        let mut cut = false;
        loop {
            let page = driver.execute_plan(&mut plan, None, options.clone());
            let page = tokio::time::timeout(with_slack(self.pace.operation), page)
                .await
                .map_err(|_| Fault::TimedOut(self.pace.operation))?
                .map_err(|error| Fault::from(&error))?;
            let Some(page) = page else { break };
            let ru = charge(&page);
            if feed.add(text(page)?, ru)? == Room::Full {
                cut = true;
                break;
            }
        }
        Ok(feed.finish(cut))
    }

    /// A container with the statistics of its partitions, and what it uses as the service tells in headers.
    async fn container(&self, database: &str, container: &str) -> Result<Body, Fault> {
        let hints = self.hints.load(Ordering::Relaxed);
        let hint = hints.then_some(HINT_HEADER);
        let page = match self.described(database, container, hint).await {
            Err(Fault::Refused(refusal)) if hints && refusal.status == 400 => {
                let page = self.described(database, container, None).await?;
                self.hints.store(false, Ordering::Relaxed);
                page
            }
            page => page?,
        };
        let usage = [
            ("resourceUsage", page.headers().resource_usage.clone()),
            ("resourceQuota", page.headers().resource_quota.clone()),
        ];
        let ru = charge(&page);
        let body = text(page)?;
        self.remember(database, container, &body)?;
        Ok((offer::with_usage(body, &usage), ru))
    }

    async fn described(
        &self,
        database: &str,
        container: &str,
        hint: Option<(&'static str, &'static str)>,
    ) -> Result<CosmosResponse, Fault> {
        let mut options = driver::operation(&self.target, self.pace);
        let headers = options.custom_headers.get_or_insert_default();
        let all = STATISTICS_HEADERS.into_iter().chain(hint);
        headers.extend(all.map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        }));
        let operation =
            CosmosOperation::read_container_by_name(self.database(database), container.to_owned());
        self.single(operation, options).await
    }

    async fn single(
        &self,
        operation: CosmosOperation,
        options: OperationOptions,
    ) -> Result<CosmosResponse, Fault> {
        let asked = self.driver.driver.execute_operation(operation, options);
        tokio::time::timeout(with_slack(self.pace.operation), asked)
            .await
            .map_err(|_| Fault::TimedOut(self.pace.operation))?
            .map_err(|error| Fault::from(&error))?
            .ok_or(Fault::Empty)
    }

    /// The physical partitions, with a request of our own: the SDK keeps neither their state nor the cause of a refusal.
    async fn ranges(&self, database: &str, container: &str) -> Result<Body, Fault> {
        let resource = Resource {
            kind: "pkranges",
            link: format!("dbs/{database}/colls/{container}"),
        };
        let path = ["dbs", database, "colls", container, "pkranges"];
        let mut feed = Feed::new("PartitionKeyRanges");
        let first = self.wire.get_patiently(&resource, &path).await?;
        let mut next = first.continuation;
        let mut room = feed.add(first.text, first.ru)?;
        while let (Room::More, Some(token)) = (room, &next) {
            let page = self.wire.get(&resource, &path, Some(token)).await?;
            next = page.continuation;
            room = feed.add(page.text, page.ru)?;
        }
        Ok(feed.finish(next.is_some()))
    }

    /// The offer of a container. Where it has none of its own: that of its database, else the list that has none, as it came.
    async fn offer(&self, database: &str, container: &str) -> Result<Body, Fault> {
        let key = (database.to_owned(), container.to_owned());
        let known = || {
            self.rids
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get(&key)
                .cloned()
        };
        if known().is_none() {
            let operation = CosmosOperation::read_container_by_name(
                self.database(database),
                container.to_owned(),
            );
            let options = driver::operation(&self.target, self.pace);
            let body = text(self.single(operation, options).await?)?;
            self.remember(database, container, &body)?;
        }
        let rid = known().ok_or(Fault::Empty)?;
        let (own, listed) = self.offers_of(&rid).await?;
        if let Some(offer) = own {
            return Ok((offer, listed.1));
        }
        let Some(rid) = offer::database_rid(&rid) else {
            return Ok(listed);
        };
        let (shared, of_database) = self.offers_of(&rid).await?;
        let ru = sum(listed.1, of_database.1);
        Ok((shared.unwrap_or(of_database.0), ru))
    }

    /// The first offer of a resource, and the whole list.
    async fn offers_of(&self, rid: &str) -> Result<(Option<String>, Body), Fault> {
        let operation = CosmosOperation::query_offers(self.driver.account.clone())
            .with_body(offer::query(rid).into_bytes());
        let options = driver::operation(&self.target, self.pace);
        let page = self.single(operation, options).await?;
        let ru = charge(&page);
        let body = text(page)?;
        Ok((offer::first(&body)?, (body, ru)))
    }

    fn remember(&self, database: &str, container: &str, body: &str) -> Result<(), Fault> {
        let members = read::members(body).ok().flatten().unwrap_or_default();
        let rid = read::member(&members, "_rid").and_then(read::text);
        let rid = rid.ok_or_else(|| Fault::NotCosmos("it is no container".to_owned()))?;
        let mut rids = self.rids.lock().unwrap_or_else(PoisonError::into_inner);
        if rids.len() >= MAX_REMEMBERED {
            rids.clear();
        }
        rids.insert((database.to_owned(), container.to_owned()), rid);
        Ok(())
    }
}

fn account_resource() -> Resource {
    Resource {
        kind: "",
        link: String::new(),
    }
}

fn named<'a>(name: Option<&'a str>, what: &str) -> Result<&'a str, Fault> {
    name.ok_or_else(|| Fault::Other(format!("no {what} was named")))
}

fn charge(page: &CosmosResponse) -> Option<f64> {
    let ru = page.headers().request_charge.as_ref()?.value();
    (ru.is_finite() && ru >= 0.0).then_some(ru)
}

fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

/// The body of an answer, believed.
fn text(page: CosmosResponse) -> Result<String, Fault> {
    let body = page
        .into_body()
        .single()
        .map_err(|error| Fault::from(&error))?;
    wire::believed(body.to_vec())
}
