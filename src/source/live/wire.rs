//! Requests of our own to the data plane: one signed GET or query, one answer, nothing hidden. The SDK follows redirects
//! with the token, holds answers of any length, and hides what a try cost: it is asked only for a container whose read
//! this way was not understood, and never with a token.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use azure_core::http::Transport;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode, Url, Version};
use tokio::time::Instant;

use super::clock;
use super::exchange::Exchanges;
use super::fault::{self, Fault, Refusal};
use super::hosts;
use super::pages::PageAsk;
use super::sign_in::SignIn;
use super::signing;
use super::target::{Pace, Side, Target};
use crate::source::json::read;

/// The version of the protocol that is spoken.
const API_VERSION: &str = "2020-07-15";
/// Bytes of one answer that are held: statistics of 1,000 partitions with 100 keys each are about 10 MiB. An answer is held
/// twice while it is handed on, so that the whole program stays below 128 MiB.
const MAX_BODY_BYTES: usize = 32 << 20;
/// The same of the account, of a page of a list and of offers: 2,000 containers have about 4 MiB. Small entries take several
/// times their bytes while they are read.
pub(super) const MAX_SMALL_BYTES: usize = 8 << 20;
/// A charge above this is no charge of one answer: waiting for it would stop everything.
const MOST_CHARGE: f64 = 100_000.0;
/// Of what the service asks clients to say that they can: this one reads the list of partitions again after a merge.
const CAPABILITIES: &str = "1";
/// A credential has a limit of its own, which is longer for a program of the user's.
pub(super) const TOKEN_FACTOR: u32 = 3;
/// Who asks, for the logs of the service.
const USER_AGENT: &str = concat!("cosmoscope/", env!("CARGO_PKG_VERSION"));

/// A way to one account. Cheap to copy.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    client: Client,
    endpoint: Url,
    /// Hosts of the account's regions, once it named them.
    regions: Arc<RwLock<Vec<Url>>>,
    sign_in: SignIn,
    /// For whom tokens are made.
    scope: &'static str,
    pace: Pace,
    exchanges: Exchanges,
}

/// One request, before it is signed.
#[derive(Clone, Debug)]
pub(super) struct Request<'r> {
    /// The names that lead there, not encoded.
    path: Vec<&'r str>,
    headers: Vec<(&'static str, &'r str)>,
    /// Entries of a page at most; all that the service puts on one where it is not named.
    most: Option<u32>,
    /// The text of a query and its parameters; a GET where there is none.
    query: Option<serde_json::Value>,
    /// Bytes of the answer that are held.
    most_bytes: usize,
}

impl<'r> Request<'r> {
    /// A GET.
    pub(super) fn get(path: &[&'r str]) -> Self {
        Self {
            path: path.to_vec(),
            headers: Vec::new(),
            most: None,
            query: None,
            most_bytes: MAX_SMALL_BYTES,
        }
    }

    pub(super) fn account() -> Self {
        Self::get(&[])
    }

    pub(super) fn is_account(&self) -> bool {
        self.path.is_empty()
    }

    pub(super) fn container(database: &'r str, container: &'r str) -> Self {
        Self { most_bytes: MAX_BODY_BYTES, ..Self::get(&["dbs", database, "colls", container]) }
    }

    /// A query for the offer of one resource.
    pub(super) fn offers(rid: &str) -> Self {
        let query = serde_json::json!({
            "query": "SELECT * FROM c WHERE c.offerResourceId = @rid",
            "parameters": [{"name": "@rid", "value": rid}],
        });
        Self { headers: QUERY_HEADERS.to_vec(), query: Some(query), ..Self::get(&["offers"]) }
    }

    /// A page of a query in one physical partition.
    pub(super) fn page(ask: &'r PageAsk) -> Self {
        let database = ask.inquiry.database.as_deref().unwrap_or_default();
        let container = ask.inquiry.container.as_deref().unwrap_or_default();
        let mut headers = QUERY_HEADERS.to_vec();
        headers.extend([
            ("x-ms-documentdb-query-enablecrosspartition", "True"),
            ("x-ms-documentdb-partitionkeyrangeid", &ask.range),
        ]);
        if let Some((start, end)) = &ask.window {
            headers.extend([
                ("x-ms-start-epk", start.as_str()),
                ("x-ms-end-epk", end),
                ("x-ms-read-key-type", "EffectivePartitionKeyRange"),
            ]);
        }
        let request = Self {
            headers,
            most: Some(ask.most),
            query: Some(serde_json::json!({ "query": &*ask.query, "parameters": [] })),
            most_bytes: MAX_BODY_BYTES,
            ..Self::get(&["dbs", database, "colls", container, "docs"])
        };
        request.after(ask.continuation.as_deref())
    }

    fn method(&self) -> &'static str {
        if self.query.is_some() { "POST" } else { "GET" }
    }

    #[must_use]
    pub(super) fn with(
        mut self,
        headers: impl IntoIterator<Item = (&'static str, &'r str)>,
    ) -> Self {
        self.headers.extend(headers);
        self
    }

    /// The page behind this token.
    #[must_use]
    pub(super) fn after(self, continuation: Option<&'r str>) -> Self {
        self.with(continuation.map(|token| ("x-ms-continuation", token)))
    }
}

/// What makes a POST a query.
const QUERY_HEADERS: [(&str, &str); 2] =
    [("content-type", "application/query+json"), ("x-ms-documentdb-isquery", "True")];

/// What came back, whole and believed.
#[derive(Debug)]
pub(super) struct Reply {
    pub text: String,
    pub ru: Option<f64>,
    pub continuation: Option<String>,
    /// What a container uses and may use, where the service says so.
    pub usage: [Option<String>; 2],
    /// Whether the other side speaks HTTP/2.
    pub http2: bool,
}

impl Wire {
    pub(super) fn new(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Self, Fault> {
        let endpoint = Url::parse(&target.endpoint)
            .map_err(|why| Fault::Other(format!("the endpoint is not an address: {why}")))?;
        let host = endpoint.host_str().unwrap_or_default();
        let safe = endpoint.scheme() == "https"
            || (target.side == Side::Emulator && hosts::is_loopback(host));
        if !safe {
            return Err(Fault::Other("the endpoint is not https".to_owned()));
        }
        let scope = target.cloud.cloud().data;
        let exchanges = target.exchanges.clone();
        let (client, regions) = (client(target, pace)?, Arc::default());
        Ok(Self { client, endpoint, regions, sign_in, scope, pace, exchanges })
    }

    pub(super) fn endpoint(&self) -> &Url {
        &self.endpoint
    }

    pub(super) fn sign_in(&self) -> &SignIn {
        &self.sign_in
    }

    /// Reads the regions of an account answer; fails if it is not one.
    pub(super) fn learn_regions(&self, account: &str) -> Result<(), Fault> {
        let regions = hosts::check(account, self.endpoint.as_str())?;
        *self.regions.write().unwrap_or_else(PoisonError::into_inner) = regions;
        Ok(())
    }

    /// Host and port as somebody would type them.
    pub(super) fn host(&self) -> String {
        let host = self.endpoint.host_str().unwrap_or_default();
        match self.endpoint.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Sent once, and answered within this time: what it costs and whether it is refused is for the caller to see. A new
    /// token has a time of its own, in which somebody may be asked.
    pub(super) async fn send(
        &self,
        request: &Request<'_>,
        within: Duration,
    ) -> Result<Reply, Fault> {
        let date = clock::http_date();
        let verb = request.method().to_lowercase();
        let token = (self.scope, self.pace.sign_in * TOKEN_FACTOR);
        let signed =
            signing::authorization(&self.sign_in, &verb, &request.path, &date, token).await?;
        let regions = self.regions.read().unwrap_or_else(PoisonError::into_inner).clone();
        let began = Instant::now();
        let answered = async {
            let mut first = None;
            // The account's own host leads to one region, which may be away while others answer.
            for host in std::iter::once(&self.endpoint).chain(&regions) {
                let asked = self.unsent(request, host, &date, &signed)?.send();
                match asked.await.map_err(Fault::from) {
                    Err(fault @ (Fault::NoName | Fault::NoAnswer)) => first = first.or(Some(fault)),
                    Err(fault) => return Err(fault),
                    Ok(response) => return self.received(response, request, began).await,
                }
            }
            Err(first.unwrap_or(Fault::NoAnswer))
        };
        let answered = tokio::time::timeout(within, answered).await;
        let answered = answered.unwrap_or(Err(Fault::TimedOut(self.pace.operation)));
        match &answered {
            // The answer itself is kept.
            Ok(_) | Err(Fault::Refused(_) | Fault::NotCosmos(_) | Fault::Empty) => {}
            Err(fault) => self.exchanges.failed(request.method(), &self.endpoint, fault),
        }
        answered
    }

    async fn received(
        &self,
        response: Response,
        request: &Request<'_>,
        began: Instant,
    ) -> Result<Reply, Fault> {
        let status = response.status();
        let headers = response.headers().clone();
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let http2 = response.version() == Version::HTTP_2;
        if status.is_redirection() {
            let place = text("location").unwrap_or("nowhere");
            return Err(Fault::Redirected(place.to_owned()));
        }
        let url = response.url().clone();
        let body = body(response, request.most_bytes).await?;
        let body = body.ok_or(Fault::TooLong(request.most_bytes))?;
        let came = (status.as_u16(), &headers);
        self.exchanges.add((request.method(), &url), came, &body, began.elapsed());
        let ru = charge(text("x-ms-request-charge").and_then(|ru| ru.trim().parse().ok()))?;
        if status != StatusCode::OK {
            return Err(Fault::Refused(Box::new(Refusal {
                status: status.as_u16(),
                sub_status: text("x-ms-substatus")
                    .and_then(|sub| sub.trim().parse().ok())
                    .unwrap_or(0),
                message: fault::message(&body),
                retry_after_ms: text("x-ms-retry-after-ms").and_then(|ms| ms.trim().parse().ok()),
                ru,
                activity: text("x-ms-activity-id").map(str::to_owned),
                date: Refusal::date(text("date")),
            })));
        }
        Ok(Reply {
            text: believed(body)?,
            ru,
            continuation: text("x-ms-continuation").map(str::to_owned),
            usage: ["x-ms-resource-usage", "x-ms-resource-quota"]
                .map(|name| text(name).map(str::to_owned)),
            http2,
        })
    }

    fn unsent(
        &self,
        request: &Request<'_>,
        host: &Url,
        date: &str,
        signed: &str,
    ) -> Result<RequestBuilder, Fault> {
        let most = request.most.map(|most| most.to_string());
        let always = [
            ("accept", "application/json"),
            ("authorization", signed),
            ("x-ms-date", date),
            ("x-ms-version", API_VERSION),
            ("x-ms-cosmos-sdk-supportedcapabilities", CAPABILITIES),
            ("x-ms-cosmos-priority-level", "Low"),
            ("x-ms-max-item-count", most.as_deref().unwrap_or("-1")),
        ];
        let mut headers = HeaderMap::new();
        for (name, text) in always.iter().chain(&request.headers) {
            let mut value = HeaderValue::from_str(text)
                .map_err(|_| Fault::Other("a header would hold a control character".to_owned()))?;
            value.set_sensitive(*name == "authorization");
            headers.insert(HeaderName::from_static(name), value);
        }
        let mut url = host.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(&request.path);
        }
        Ok(match &request.query {
            Some(query) => self.client.post(url).body(query.to_string()),
            None => self.client.get(url),
        }
        .headers(headers))
    }
}

/// A client without redirects, and without a proxy unless the user wants one.
fn direct(proxy: bool, pace: Pace) -> ClientBuilder {
    let builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(pace.connect)
        .user_agent(USER_AGENT)
        .tls_backend_rustls();
    if proxy { builder } else { builder.no_proxy() }
}

/// The same for a sign-in.
pub(super) fn transport(proxy: bool, pace: Pace) -> Result<Transport, Fault> {
    Ok(Transport::new(Arc::new(direct(proxy, pace).build()?)))
}

/// The same for an account: only an emulator may have an untrusted certificate.
pub(super) fn client(target: &Target, pace: Pace) -> Result<Client, Fault> {
    let mut builder = direct(target.proxy, pace);
    if target.http1 {
        builder = builder.http1_only();
    }
    builder = match target.side {
        Side::Azure => builder.https_only(true),
        Side::Emulator => builder.tls_danger_accept_invalid_certs(true),
    };
    builder.build().map_err(Fault::from)
}

/// What an answer cost, as far as that can be believed.
pub(super) fn charge(ru: Option<f64>) -> Result<Option<f64>, Fault> {
    match ru.filter(|ru| ru.is_finite() && *ru >= 0.0) {
        Some(ru) if ru > MOST_CHARGE => Err(Fault::Overcharged(ru)),
        ru => Ok(ru),
    }
}

/// The whole body of an answer; None where it is longer.
pub(super) async fn body(
    mut response: Response,
    most_bytes: usize,
) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > most_bytes {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// A body is one JSON object, whole and not nested without end, or it is not from the service.
pub(super) fn believed(body: Vec<u8>) -> Result<String, Fault> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::Empty);
    }
    let text =
        String::from_utf8(body).map_err(|_| Fault::NotCosmos("it is not text".to_owned()))?;
    let start = text.trim_start();
    if start.starts_with('<') {
        return Err(Fault::NotCosmos("it is a web page".to_owned()));
    }
    match read::members(&text) {
        Ok(Some(_)) => Ok(text),
        Ok(None) => Err(Fault::NotCosmos("it is not a JSON object".to_owned())),
        Err(fault) => Err(Fault::NotCosmos(format!("its JSON is broken: {}", fault.why))),
    }
}
