//! Requests to the management plane and to Log Analytics. A request that is no read cannot be made of these types, and
//! a token of a service goes to the host of that service and nowhere else.

use std::sync::Arc;
use std::time::Duration;

use azure_core::Bytes;
use azure_core::credentials::{AccessToken, TokenCredential};
use azure_core::http::headers::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, Headers, RETRY_AFTER,
};
use azure_core::http::{
    ClientOptions, Context, Method, Pipeline, PipelineStreamOptions, Request, RetryOptions,
    Transport, Url,
};
use azure_core::time::OffsetDateTime;
use futures::StreamExt as _;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::azure_trouble::{self as trouble, About};
use super::clock;
use super::credential::trouble_of;
use super::services::{Hosts, Service};
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::source::answers::{Obstacle, Trouble};

/// A minute of metrics of 10,000 partitions is 2 MB; what is longer than this is no answer to a question of ours.
const MAX_BODY_BYTES: usize = 64 << 20;
/// The first and one more.
const MAX_TRIES: u32 = 2;
/// A query over a month of logs takes longer than a read: the service itself gives up after three minutes.
const LOGS_FACTOR: u32 = 6;
/// A token that ends within this is asked for anew.
const TOKEN_MARGIN_S: i64 = 300;

const X_MS_RETRY_AFTER_MS: HeaderName = HeaderName::from_static("x-ms-retry-after-ms");
const X_MS_REQUEST_ID: HeaderName = HeaderName::from_static("x-ms-request-id");
const LOCATION: HeaderName = HeaderName::from_static("location");
const ASYNC_OPERATION: HeaderName = HeaderName::from_static("azure-asyncoperation");
const DATE: HeaderName = HeaderName::from_static("date");

/// One read. The verbs are private: what is made here is all that can be sent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Read {
    about: About,
    url: Url,
    body: Option<Bytes>,
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
        Some(Self {
            about,
            url,
            body: None,
        })
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
        Some(Self {
            about: About::Distribution,
            url,
            body: Some(body.into()),
        })
    }

    /// POST of a query to a workspace of Log Analytics.
    pub(super) fn logs(hosts: &Hosts, workspace: &str, body: String) -> Option<Self> {
        let path = ["v1", "workspaces", workspace, "query"];
        Some(Self {
            about: About::Logs,
            url: address(hosts, Service::Logs, &path)?,
            body: Some(body.into()),
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
        Ok(Self {
            about,
            url,
            body: None,
        })
    }

    pub(super) fn about(&self) -> About {
        self.about
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
    pub body: Bytes,
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
    pipeline: Pipeline,
    credential: Arc<dyn TokenCredential>,
    hosts: Hosts,
    pace: Pace,
    /// By service; a credential of the developer's tools starts a program for each token.
    tokens: [Mutex<Option<AccessToken>>; 2],
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
        let options = ClientOptions {
            retry: RetryOptions::none(),
            transport: Some(transport(target, &hosts, pace)?),
            ..ClientOptions::default()
        };
        let version = Some(env!("CARGO_PKG_VERSION"));
        let name = Some(env!("CARGO_PKG_NAME"));
        Ok(Self {
            pipeline: Pipeline::new(name, version, options, vec![], vec![], None),
            credential: Arc::clone(credential),
            hosts,
            pace,
            tokens: [const { Mutex::const_new(None) }; 2],
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
        self.judged(read.about, reply)
    }

    /// A good answer, or why it is none.
    pub(super) fn judged(&self, about: About, reply: Reply) -> Result<Reply, Trouble> {
        if !(200..300).contains(&reply.status) {
            return Err(trouble::of_reply(about, &reply, clock::now()));
        }
        match trouble::of_body(about, &reply.body) {
            Some(trouble) => Err(trouble),
            None => Ok(reply),
        }
    }

    /// Whatever came back, after at most two tries within the time of one operation.
    pub(super) async fn reply(&self, read: &Read) -> Result<Reply, Trouble> {
        let service = read.about.service();
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
            let sent = sent.map_err(|_| trouble::timed_out(service, limit))?;
            let wait = match &sent {
                Ok(reply) if reply.status == 401 => {
                    self.forget_token(service).await;
                    return sent;
                }
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

    async fn once(&self, read: &Read, token: &AccessToken) -> Result<Reply, Trouble> {
        let service = read.about.service();
        let base = self.hosts.base(service);
        let method = match &read.body {
            None => Method::Get,
            Some(_) => Method::Post,
        };
        let mut request = Request::new(read.url.clone(), method);
        request.insert_header(ACCEPT, "application/json");
        request.insert_header(AUTHORIZATION, format!("Bearer {}", token.token.secret()));
        if let Some(body) = &read.body {
            request.insert_header(CONTENT_TYPE, "application/json");
            request.set_body(body.clone());
        }
        let options = PipelineStreamOptions {
            skip_checks: true,
            ..PipelineStreamOptions::default()
        };
        let failed = |error: azure_core::Error| trouble::of_transport(service, base, &error);
        let context = Context::new();
        let sent = self.pipeline.stream(&context, &mut request, Some(options));
        let (status, headers, mut stream) = sent.await.map_err(failed)?.deconstruct();
        let mut body = Vec::new();
        while let Some(part) = stream.next().await {
            let part = part.map_err(failed)?;
            if body.len() + part.len() > MAX_BODY_BYTES {
                return Err(too_long(service));
            }
            body.extend_from_slice(&part);
        }
        Ok(reply(u16::from(status), &headers, body))
    }

    /// The token of a service, kept until shortly before its end.
    async fn token(&self, service: Service) -> Result<AccessToken, Trouble> {
        let mut held = self.held(service).lock().await;
        let soon = OffsetDateTime::now_utc().unix_timestamp() + TOKEN_MARGIN_S;
        if let Some(token) = held
            .as_ref()
            .filter(|t| t.expires_on.unix_timestamp() > soon)
        {
            return Ok(token.clone());
        }
        let scopes = [self.hosts.scope(service)];
        // A credential has a limit of its own and better words for it; this is for one that has none.
        let limit = self.pace.sign_in * 2;
        let asked = timeout(limit, self.credential.get_token(&scopes, None)).await;
        let late = || format!("none came within {:.0} s", limit.as_secs_f64().ceil());
        let token = asked
            .map_err(|_| trouble::no_token(service, &late()))?
            .map_err(|error| {
                let told = trouble_of(&error);
                told.unwrap_or_else(|| trouble::no_token(service, &error.to_string()))
            })?;
        *held = Some(token.clone());
        Ok(token)
    }

    async fn forget_token(&self, service: Service) {
        *self.held(service).lock().await = None;
    }

    fn held(&self, service: Service) -> &Mutex<Option<AccessToken>> {
        let [management, logs] = &self.tokens;
        match service {
            Service::Management => management,
            Service::Logs => logs,
        }
    }
}

/// Statuses that may be over a moment later.
fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529)
}

fn reply(status: u16, headers: &Headers, body: Vec<u8>) -> Reply {
    let text = |name: HeaderName| headers.get_optional_str(&name).map(str::to_owned);
    let number = |name: HeaderName| text(name)?.trim().parse::<u64>().ok();
    let in_millis = number(X_MS_RETRY_AFTER_MS).map(Duration::from_millis);
    Reply {
        status,
        body: body.into(),
        retry_after: in_millis.or(number(RETRY_AFTER).map(Duration::from_secs)),
        location: text(LOCATION),
        operation: text(ASYNC_OPERATION),
        date: text(DATE),
        request_id: text(X_MS_REQUEST_ID),
    }
}

fn too_long(service: Service) -> Trouble {
    Trouble::new(
        Obstacle::Unbelievable,
        format!(
            "the answer of {} is longer than {} MiB",
            service.name(),
            MAX_BODY_BYTES >> 20
        ),
        "ask for one container or a shorter time",
    )
}

/// No redirect is followed, no certificate is believed that the system does not trust, and a proxy only where asked for.
fn transport(target: &Target, hosts: &Hosts, pace: Pace) -> Result<Transport, Trouble> {
    let local = hosts.are_local();
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .https_only(!local)
        .connect_timeout(pace.connect);
    if local || !target.proxy {
        builder = builder.no_proxy();
    }
    if local || target.http1 {
        builder = builder.http1_only();
    }
    let client = builder.build().map_err(|_| {
        Trouble::new(
            Obstacle::Untrusted,
            "this system's certificates cannot be read",
            "install the package with the system's CA certificates",
        )
    })?;
    Ok(Transport::new(Arc::new(client)))
}

#[cfg(test)]
mod tests;
