//! Requests of our own to the data plane: one signed GET or query, one answer, nothing hidden. The account and its ranges
//! are read this way, because the SDK follows redirects there and loses the cause of a refusal; pages of documents and
//! counts, because every try that costs something must be seen.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url, Version};

use super::clock;
use super::fault::{self, Fault, Refusal};
use super::hosts;
use super::sign_in::SignIn;
use super::signing::{self, Resource, Verb};
use super::target::{Pace, Side, Target};
use crate::source::json::read;

/// The version of the protocol that is spoken.
const API_VERSION: &str = "2020-07-15";
/// Bytes of one answer that are held: statistics of 1,000 partitions with 100 keys each are about 10 MiB.
pub(super) const MAX_BODY_BYTES: usize = 64 << 20;
/// Who asks, for the logs of the service.
const USER_AGENT: &str = concat!("cosmoscope/", env!("CARGO_PKG_VERSION"));

/// A way to one account.
#[derive(Debug)]
pub(super) struct Wire {
    client: Client,
    endpoint: Url,
    sign_in: SignIn,
    pace: Pace,
}

/// A page of a query in one physical partition.
#[derive(Debug)]
pub(super) struct Query<'q> {
    pub database: &'q str,
    pub container: &'q str,
    pub text: &'q str,
    /// The partition key range that is asked.
    pub range: &'q str,
    /// Start and end of the part of its hash range, in hexadecimal digits.
    pub window: Option<(&'q str, &'q str)>,
    /// Entries at most.
    pub most: u32,
    pub continuation: Option<&'q str>,
}

impl<'q> Query<'q> {
    fn headers(&self) -> Vec<(&'static str, &'q str)> {
        let mut headers = vec![
            ("content-type", "application/query+json"),
            ("x-ms-documentdb-isquery", "True"),
            ("x-ms-documentdb-query-enablecrosspartition", "True"),
            ("x-ms-documentdb-partitionkeyrangeid", self.range),
        ];
        if let Some((start, end)) = self.window {
            headers.extend([
                ("x-ms-start-epk", start),
                ("x-ms-end-epk", end),
                ("x-ms-read-key-type", "EffectivePartitionKeyRange"),
            ]);
        }
        headers.extend(self.continuation.map(|token| ("x-ms-continuation", token)));
        headers
    }
}

/// What came back, whole and believed.
#[derive(Debug)]
pub(super) struct Reply {
    pub text: String,
    pub ru: Option<f64>,
    pub continuation: Option<String>,
    /// Whether the other side speaks HTTP/2.
    pub http2: bool,
}

impl Wire {
    pub(super) fn new(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Self, Fault> {
        let endpoint = Url::parse(&target.endpoint)
            .map_err(|why| Fault::Other(format!("the endpoint is no address: {why}")))?;
        let host = endpoint.host_str().unwrap_or_default();
        let safe = endpoint.scheme() == "https"
            || (target.side == Side::Emulator && hosts::is_loopback(host));
        if !safe {
            return Err(Fault::Other("the endpoint is not https".to_owned()));
        }
        Ok(Self {
            client: client(target, pace)?,
            endpoint,
            sign_in,
            pace,
        })
    }

    pub(super) fn endpoint(&self) -> &Url {
        &self.endpoint
    }

    /// Host and port as somebody would type them.
    pub(super) fn host(&self) -> String {
        let host = self.endpoint.host_str().unwrap_or_default();
        match self.endpoint.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// One GET. `path` are the names that lead there, not encoded.
    pub(super) async fn get(
        &self,
        resource: &Resource,
        path: &[&str],
        continuation: Option<&str>,
    ) -> Result<Reply, Fault> {
        let date = clock::http_date();
        let signed =
            signing::authorization(&self.sign_in, Verb::Get, resource, &date, self.pace.sign_in)
                .await?;
        let mut headers = headers(&date, &signed, "-1")?;
        if let Some(token) = continuation {
            headers.insert("x-ms-continuation", value(token)?);
        }
        let asked = self.client.get(self.at(path)).headers(headers).send();
        let answered = async { received(asked.await?).await };
        tokio::time::timeout(self.pace.operation, answered)
            .await
            .map_err(|_| Fault::TimedOut(self.pace.operation))?
    }

    /// One query, asked once: what it costs and whether it is refused is for the caller to see.
    pub(super) async fn query(&self, query: &Query<'_>) -> Result<Reply, Fault> {
        let date = clock::http_date();
        let resource = Resource {
            kind: "docs",
            link: format!("dbs/{}/colls/{}", query.database, query.container),
        };
        let within = self.pace.sign_in;
        let signed =
            signing::authorization(&self.sign_in, Verb::Query, &resource, &date, within).await?;
        let mut headers = headers(&date, &signed, &query.most.to_string())?;
        for (name, text) in query.headers() {
            headers.insert(HeaderName::from_static(name), value(text)?);
        }
        let path = ["dbs", query.database, "colls", query.container, "docs"];
        let body = serde_json::json!({ "query": query.text, "parameters": [] });
        let asked = self
            .client
            .post(self.at(&path))
            .headers(headers)
            .body(body.to_string())
            .send();
        let answered = async { received(asked.await?).await };
        tokio::time::timeout(self.pace.operation, answered)
            .await
            .map_err(|_| Fault::TimedOut(self.pace.operation))?
    }

    /// As `get`, and once or twice more where that is harmless and may help.
    pub(super) async fn get_patiently(
        &self,
        resource: &Resource,
        path: &[&str],
    ) -> Result<Reply, Fault> {
        let tries = async {
            for pause in self.pace.retry_after {
                match self.get(resource, path, None).await {
                    Err(fault) if fault.is_passing() => tokio::time::sleep(pause).await,
                    done => return done,
                }
            }
            self.get(resource, path, None).await
        };
        tokio::time::timeout(self.pace.operation, tries)
            .await
            .map_err(|_| Fault::TimedOut(self.pace.operation))?
    }

    fn at(&self, path: &[&str]) -> Url {
        let mut url = self.endpoint.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(path);
        }
        url
    }
}

/// Neither redirects nor, unless asked for, proxies are followed; certificates are looked at but for an emulator's.
pub(super) fn client(target: &Target, pace: Pace) -> Result<Client, Fault> {
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(pace.connect)
        .user_agent(USER_AGENT)
        .tls_backend_rustls();
    if !target.proxy {
        builder = builder.no_proxy();
    }
    if target.http1 {
        builder = builder.http1_only();
    }
    builder = match target.side {
        Side::Azure => builder.https_only(true),
        Side::Emulator => builder.tls_danger_accept_invalid_certs(true),
    };
    builder.build().map_err(Fault::from)
}

fn headers(date: &str, signed: &str, most: &str) -> Result<HeaderMap, Fault> {
    let mut authorization = value(signed)?;
    authorization.set_sensitive(true);
    let named = [
        ("accept", HeaderValue::from_static("application/json")),
        ("authorization", authorization),
        ("x-ms-date", value(date)?),
        ("x-ms-version", HeaderValue::from_static(API_VERSION)),
        (
            "x-ms-cosmos-priority-level",
            HeaderValue::from_static("Low"),
        ),
        ("x-ms-max-item-count", value(most)?),
    ];
    let named = named.map(|(name, value)| (HeaderName::from_static(name), value));
    Ok(named.into_iter().collect())
}

fn value(text: &str) -> Result<HeaderValue, Fault> {
    HeaderValue::from_str(text)
        .map_err(|_| Fault::Other("a header would hold a control character".to_owned()))
}

async fn received(response: Response) -> Result<Reply, Fault> {
    let status = response.status();
    let headers = response.headers().clone();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let http2 = response.version() == Version::HTTP_2;
    if status.is_redirection() {
        let place = text("location").unwrap_or("nowhere");
        return Err(Fault::Redirected(place.to_owned()));
    }
    let body = body(response).await?;
    if status != StatusCode::OK {
        return Err(Fault::Refused(Box::new(Refusal {
            status: status.as_u16(),
            sub_status: text("x-ms-substatus")
                .and_then(|sub| sub.trim().parse().ok())
                .unwrap_or(0),
            message: fault::message(&body),
            retry_after_ms: text("x-ms-retry-after-ms").and_then(|ms| ms.trim().parse().ok()),
            activity: text("x-ms-activity-id").map(str::to_owned),
            date: Refusal::date(text("date")),
        })));
    }
    Ok(Reply {
        text: believed(body)?,
        ru: text("x-ms-request-charge").and_then(charge),
        continuation: text("x-ms-continuation").map(str::to_owned),
        http2,
    })
}

fn charge(text: &str) -> Option<f64> {
    let ru: f64 = text.trim().parse().ok()?;
    (ru.is_finite() && ru >= 0.0).then_some(ru)
}

async fn body(mut response: Response) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(Fault::TooLong(MAX_BODY_BYTES));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
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
        Ok(None) => Err(Fault::NotCosmos("it is no JSON object".to_owned())),
        Err(fault) => Err(Fault::NotCosmos(format!(
            "its JSON is broken: {}",
            fault.why
        ))),
    }
}

/// The longest that a request of the SDK may take beside its own limit.
pub(super) fn with_slack(limit: Duration) -> Duration {
    limit + limit / 10
}
