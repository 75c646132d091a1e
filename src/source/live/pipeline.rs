//! Requests to the management plane and to Log Analytics. A request that is no read cannot be made of these types, and
//! a token of a service goes to the host of that service and nowhere else.

use std::sync::Arc;
use std::time::Duration;

use azure_core::credentials::{AccessToken, TokenCredential};
use azure_core::http::Url;
use reqwest::header::HeaderMap;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::azure_trouble::{self as trouble, About};
use super::clock;
use super::credential::trouble_of;
use super::exchange::Exchanges;
use super::fault::Fault;
use super::services::{Hosts, Service};
use super::sign_in::SignIn;
use super::target::{Pace, Side, Target};
use super::trouble::{QuestionContext, missing_answer, no_certificates};
use super::wire;
use crate::model::units::rounded_text;
use crate::source::answers::{Obstacle, Trouble};

/// A minute of metrics of 10,000 partitions is 2 MB; what is longer than this is no answer to a question of ours.
const MAX_BODY_BYTES: usize = 64 << 20;
const MOST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);
/// The first and one more.
const MAX_TRIES: u32 = 2;
/// A query over a month of logs takes longer than a read: the service itself gives up after three minutes.
const LOGS_FACTOR: u32 = 6;

/// One read. The verbs are private: what is made here is all that can be sent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Read {
    about: About,
    url: Url,
    body: Option<String>,
}

impl Read {
    /// GET of a path of the management plane. None for a path that could not be told from another one.
    pub(super) fn get(
        hosts: &Hosts,
        about: About,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Option<Self> {
        let mut url = address(hosts, Service::Management, path)?;
        url.query_pairs_mut().extend_pairs(query);
        Some(Self { about, url, body: None })
    }

    /// POST of the one question of the management plane that is no GET: RU/s of the physical partitions of a container.
    pub(super) fn distribution(
        hosts: &Hosts,
        settings: &[&str],
        api: &str,
        body: String,
    ) -> Option<Self> {
        let mut path = settings.to_vec();
        path.push("retrieveThroughputDistribution");
        let mut url = address(hosts, Service::Management, &path)?;
        url.query_pairs_mut().append_pair("api-version", api);
        Some(Self { about: About::DISTRIBUTION, url, body: Some(body) })
    }

    /// POST of a query to a workspace of Log Analytics.
    pub(super) fn logs(hosts: &Hosts, workspace: &str, body: String) -> Option<Self> {
        let path = ["v1", "workspaces", workspace, "query"];
        Some(Self {
            about: About::LOGS,
            url: address(hosts, Service::Logs, &path)?,
            body: Some(body),
        })
    }

    /// GET of an address that an answer of the management plane named: only on its own host.
    pub(super) fn link(hosts: &Hosts, about: About, link: &str) -> Result<Self, Trouble> {
        let url = Url::parse(link).ok();
        let url = url.filter(|url| hosts.owns(Service::Management, url));
        let url = url.ok_or_else(|| {
            Trouble::new(
                Obstacle::Unbelievable,
                "Azure Resource Manager names an address elsewhere, which is not followed",
                "look for a proxy in between",
            )
        })?;
        Ok(Self { about, url, body: None })
    }

    pub(super) fn about(&self) -> About {
        self.about
    }

    fn method(&self) -> &'static str {
        if self.body.is_some() { "POST" } else { "GET" }
    }
}

/// The address of a path, each name encoded as one segment of it.
fn address(hosts: &Hosts, service: Service, path: &[&str]) -> Option<Url> {
    let mut url = hosts.base(service).clone();
    // Such a segment would be left out, and the address be that of something else.
    if path.iter().any(|name| matches!(*name, "" | "." | "..")) {
        return None;
    }
    url.path_segments_mut().ok()?.clear().extend(path);
    Some(url)
}

/// What came back, whatever its status.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
    pub retry_after: Option<Duration>,
    /// Where the answer of a question is that takes longer.
    pub location: Option<String>,
    pub operation: Option<String>,
    pub date: Option<String>,
    pub request_id: Option<String>,
}

/// The one client of both services.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    credential: Arc<dyn TokenCredential>,
    hosts: Hosts,
    pace: Pace,
    exchanges: Exchanges,
}

impl Client {
    /// Nothing is sent. With an account key there is nobody whom these services know.
    pub(super) fn new(
        sign_in: &SignIn,
        target: &Target,
        hosts: Hosts,
        pace: Pace,
    ) -> Result<Self, Trouble> {
        let SignIn::Token(credential) = sign_in else {
            return Err(trouble::signed_in_by_key());
        };
        Ok(Self {
            http: http(target, &hosts, pace)?,
            credential: Arc::clone(credential),
            hosts,
            pace,
            exchanges: target.exchanges.clone(),
        })
    }

    pub(super) fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    pub(super) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// A good answer: the text of one JSON object.
    pub(super) async fn object(&self, read: &Read) -> Result<Reply, Trouble> {
        let reply = self.reply(read).await?;
        self.valid_reply(read.about, reply)
    }

    /// Whatever came back, after at most two tries within the time of one operation.
    pub(super) async fn reply(&self, read: &Read) -> Result<Reply, Trouble> {
        let service = read.about.service;
        let limit = match service {
            Service::Management => self.pace.operation,
            Service::Logs => self.pace.operation * LOGS_FACTOR,
        };
        let token = self.token(service).await?;
        let deadline = Instant::now() + limit;
        let mut tries = 0;
        loop {
            tries += 1;
            let sent = timeout_at(deadline, self.once(read, &token)).await;
            let sent = sent.unwrap_or(Err(Fault::TimedOut(limit))).map_err(|fault| {
                self.exchanges.failed(read.method(), &read.url, &fault);
                self.missing_answer(read.about, &fault)
            });
            let wait = match &sent {
                Ok(reply) if is_passing(reply.status) => reply.retry_after,
                Err(trouble) if trouble.obstacle == Obstacle::Service => None,
                _ => return sent,
            };
            let wait = wait.unwrap_or(self.pace.retry_after[0]);
            // What comes too late for this question is left to the next round, with its time.
            if tries >= MAX_TRIES || Instant::now() + wait >= deadline {
                return sent;
            }
            sleep(wait).await;
        }
    }

    async fn once(&self, read: &Read, token: &AccessToken) -> Result<Reply, Fault> {
        let request = match &read.body {
            None => self.http.get(read.url.clone()),
            Some(body) => {
                let post = self.http.post(read.url.clone()).body(body.clone());
                post.header("content-type", "application/json")
            }
        };
        let request = request.header("accept", "application/json");
        let began = Instant::now();
        let response = request.bearer_auth(token.token.secret()).send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = wire::body(response, MAX_BODY_BYTES).await?;
        let body = body.ok_or(Fault::TooLong(MAX_BODY_BYTES))?;
        let came = (status, &headers);
        self.exchanges.add((read.method(), &read.url), came, &body, began.elapsed());
        Ok(reply(status, &headers, body))
    }

    /// Returns a valid answer, or why it is not valid.
    pub(super) fn valid_reply(&self, about: About, reply: Reply) -> Result<Reply, Trouble> {
        if !(200..300).contains(&reply.status) {
            return Err(trouble::of_reply(about, &reply, clock::now()));
        }
        let body = wire::believed(reply.body);
        let body = body.map_err(|fault| self.missing_answer(about, &fault))?.into_bytes();
        Ok(Reply { body, ..reply })
    }

    fn missing_answer(&self, about: About, fault: &Fault) -> Trouble {
        let host = self.hosts.base(about.service).host_str().unwrap_or_default();
        let (subject, service, waited) = (about.what, about.service.name(), self.pace.operation);
        missing_answer(fault, QuestionContext { host, subject, service, waited })
    }

    /// The token of a service. The credential remembers it.
    async fn token(&self, service: Service) -> Result<AccessToken, Trouble> {
        let scopes = [self.hosts.scope(service)];
        // A credential has a limit of its own and better words for it; this is for one that has none.
        let limit = self.pace.sign_in * wire::TOKEN_FACTOR;
        let asked = timeout(limit, self.credential.get_token(&scopes, None)).await;
        let late = || format!("none came within {} s", rounded_text(limit.as_secs_f64().ceil()));
        asked.map_err(|_| trouble::no_token(service, &late()))?.map_err(|error| {
            let reported = trouble_of(&error);
            reported.unwrap_or_else(|| trouble::no_token(service, &error.to_string()))
        })
    }
}

/// Statuses that may be over a moment later.
fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529)
}

fn reply(status: u16, headers: &HeaderMap, body: Vec<u8>) -> Reply {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
    let in_millis = number("x-ms-retry-after-ms").map(Duration::from_millis);
    Reply {
        status,
        body,
        // A pause beyond a day says nothing, and would be no time that can be added to one.
        retry_after: in_millis
            .or(number("retry-after").map(Duration::from_secs))
            .map(|pause| pause.min(MOST_PAUSE)),
        location: text("location"),
        operation: text("azure-asyncoperation"),
        date: text("date"),
        request_id: text("x-ms-request-id"),
    }
}

/// What stands in on this machine speaks plain HTTP/1.1, without a proxy.
fn http(target: &Target, hosts: &Hosts, pace: Pace) -> Result<reqwest::Client, Trouble> {
    let is_local = hosts.are_local();
    let target = Target {
        side: if is_local { Side::Emulator } else { Side::Azure },
        proxy: target.proxy && !is_local,
        http1: target.http1 || is_local,
        ..target.clone()
    };
    wire::client(&target, pace).map_err(|_| no_certificates())
}

#[cfg(test)]
mod tests;
