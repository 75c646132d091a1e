//! The server: HTTP/1.1 and HTTP/2 over a loopback socket, a list of what was asked, and no way to write from outside.

use std::borrow::Cow;
use std::convert::Infallible;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use azure_core::http::headers::{HeaderName, HeaderValue};
use azure_core::http::{Method, Request as Question, Url};
use azure_data_cosmos_driver::in_memory_emulator::{
    ContainerConfig, InMemoryEmulatorHttpClient, VirtualAccountConfig, VirtualRegion,
};
use azure_data_cosmos_driver::models::PartitionKeyDefinition;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::filling::ContainerPlan;
use super::statistics::StoredPartition;

/// Questions that are kept; a test asks far fewer.
const MAX_SEEN: usize = 100_000;
/// How long a partition refuses requests while it splits.
const SPLIT_LOCK: Duration = Duration::from_millis(50);

/// One request as it came.
#[derive(Clone, Debug)]
pub struct SeenRequests {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub status: u16,
}

impl SeenRequests {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether it can only read: a GET, or a POST that says that it is a query.
    pub fn reads(&self) -> bool {
        let is_true = |name| self.header(name).is_some_and(|v| v.eq_ignore_ascii_case("true"));
        let asks =
            is_true("x-ms-documentdb-isquery") || is_true("x-ms-cosmos-is-query-plan-request");
        self.method == "GET" || (self.method == "POST" && asks)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Zero takes any that is free.
    pub port: u16,
    /// Whether requests beyond a partition's share are refused.
    pub throttle: bool,
    /// What statistics tell is this many times what is stored.
    pub times: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { port: 0, throttle: false, times: 1 }
    }
}

/// A running server; it ends with the value.
#[derive(Debug)]
pub struct Server {
    pub endpoint: String,
    inner: Arc<Inner>,
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
struct Inner {
    emulator: InMemoryEmulatorHttpClient,
    base: Url,
    seen: Mutex<Vec<SeenRequests>>,
    stored: Mutex<StoredPartition>,
    writable: AtomicBool,
    times: u32,
}

impl Server {
    pub fn start(settings: Settings) -> Self {
        let (ready, started) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            let runtime = builder.enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::bind(("127.0.0.1", settings.port)).await;
                let listener = listener.expect("the port is free");
                let inner = Arc::new(Inner::new(listener.local_addr().unwrap().port(), settings));
                ready.send((Arc::clone(&inner), Handle::current())).unwrap();
                tokio::select! {
                    () = accept(listener, inner) => {}
                    _ = stopped => {}
                }
            });
        });
        let (inner, handle) = started.recv().expect("the server starts");
        Self {
            endpoint: inner.base.as_str().trim_end_matches('/').to_owned(),
            inner,
            handle,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Everything that was asked from outside, in order.
    pub fn seen(&self) -> Vec<SeenRequests> {
        self.inner.seen.lock().unwrap().clone()
    }

    pub fn forget_seen(&self) {
        self.inner.seen.lock().unwrap().clear();
    }

    /// Whether writes from outside are taken; else they are refused with 403.
    pub fn allow_writes(&self, allowed: bool) {
        self.inner.writable.store(allowed, Ordering::Relaxed);
    }

    pub fn create_database(&self, name: &str) {
        self.inner.emulator.store().create_database(name);
    }

    /// A container without RU/s of its own where `plan` gives none.
    pub fn create_container(&self, database: &str, plan: &ContainerPlan) {
        let paths = plan.paths.iter().map(|path| Cow::Borrowed(*path)).collect();
        let mut config = ContainerConfig::new().with_partition_count(plan.partitions);
        if let Some(ru) = plan.ru_per_second {
            config = config.with_throughput(ru);
        }
        self.inner.emulator.store().create_container_with_config(
            database,
            plan.name,
            PartitionKeyDefinition::new(paths),
            config.build().unwrap(),
        );
        self.inner.stored.lock().unwrap().define(database, plan.name, &plan.definition());
    }

    /// Stores a document in this process; its key is what its paths hold.
    pub fn insert(&self, database: &str, container: &str, document: &str) {
        let inner = Arc::clone(&self.inner);
        let (database, container) = (database.to_owned(), container.to_owned());
        let document = document.to_owned();
        self.run(async move { inner.insert(&database, &container, &document).await });
    }

    /// As `insert`, many at once.
    pub fn insert_all(
        &self,
        database: &str,
        container: &str,
        documents: impl Iterator<Item = String> + Send + 'static,
    ) {
        let inner = Arc::clone(&self.inner);
        let (database, container) = (database.to_owned(), container.to_owned());
        self.run(async move {
            for document in documents {
                inner.insert(&database, &container, &document).await;
            }
        });
    }

    /// The ids of the partitions, as the service lists them.
    pub fn partitions(&self, database: &str, container: &str) -> Vec<String> {
        let inner = Arc::clone(&self.inner);
        let path = format!("dbs/{database}/colls/{container}/pkranges");
        let ranges = self.run(async move { inner.ranges(&path).await });
        ranges.into_iter().map(|range| range.id).collect()
    }

    /// Splits a partition in the middle of its hashes and waits until its children are there.
    pub fn split(&self, database: &str, container: &str, partition: u32) {
        let store = self.inner.emulator.store();
        let (database, container) = (database.to_owned(), container.to_owned());
        self.run(async move {
            store.split_partition(&database, &container, partition, SPLIT_LOCK);
            store.wait_for_split(&database, &container, partition).await;
        });
    }

    /// Runs on the server's own thread, so that it may be called from anywhere.
    pub fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let (done, result) = mpsc::channel();
        self.handle.spawn(async move { done.send(work.await) });
        result.recv().expect("the server runs")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may have ended by itself.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, inner: Arc<Inner>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let inner = Arc::clone(&inner);
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let inner = Arc::clone(&inner);
                async move { Ok::<_, Infallible>(inner.answer(request).await) }
            });
            let connection = auto::Builder::new(TokioExecutor::new());
            // A client that goes away in the middle is its own affair.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

impl Inner {
    fn new(port: u16, settings: Settings) -> Self {
        let base = Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
        let region = VirtualRegion::new("West Europe", base.clone());
        let config = VirtualAccountConfig::new(vec![region]).unwrap();
        let config = config.with_throttling_enabled(settings.throttle);
        Self {
            emulator: InMemoryEmulatorHttpClient::new(config.with_account_id("emulator")),
            base,
            seen: Mutex::default(),
            stored: Mutex::default(),
            writable: AtomicBool::new(false),
            times: settings.times,
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let body =
            body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let headers = head.headers.iter().map(|(name, value)| {
            (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned())
        });
        let mut seen = SeenRequests {
            method: head.method.as_str().to_owned(),
            path: head.uri.path().to_owned(),
            headers: headers.collect(),
            status: 0,
        };
        let (status, headers, body) = if seen.reads() || self.writable.load(Ordering::Relaxed) {
            self.believe(&seen, body).await
        } else {
            refused()
        };
        seen.status = status;
        let mut list = self.seen.lock().unwrap();
        if list.len() < MAX_SEEN {
            list.push(seen);
        }
        let mut response = Response::builder().status(status);
        for (name, value) in &headers {
            response = response.header(name, value);
        }
        response.body(Full::new(Bytes::from(body))).unwrap()
    }

    async fn believe(&self, seen: &SeenRequests, body: Bytes) -> RawAnswer {
        let (status, headers, mut answer) =
            self.ask(&seen.method, &seen.path, &seen.headers, body).await;
        let names: Vec<&str> = seen.path.trim_matches('/').split('/').collect();
        if let ("GET", 200, ["dbs", database, "colls", container]) =
            (&*seen.method, status, &*names)
            && seen.header("x-ms-documentdb-populatepartitionstatistics").is_some()
        {
            let ranges = self.ranges(&format!("{}/pkranges", seen.path)).await;
            let stored = self.stored.lock().unwrap();
            stored.add_statistics(database, container, &ranges, self.times, &mut answer);
        }
        (status, headers, answer)
    }

    /// Asks the emulator itself.
    async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(String, String)],
        body: Bytes,
    ) -> RawAnswer {
        let mut url = self.base.clone();
        url.set_path(path.trim_end_matches('/'));
        let mut question = Question::new(url, read_method(method));
        for (name, value) in headers.iter().filter(|(name, _)| !name.starts_with(':')) {
            question
                .insert_header(HeaderName::from(name.clone()), HeaderValue::from(value.clone()));
        }
        question.set_body(body.to_vec());
        let answered = self.emulator.execute_request(&question).await;
        let answered = match answered {
            Ok(answered) => answered.try_into_raw_response().await.unwrap(),
            Err(error) => return (500, Vec::new(), error.to_string().into_bytes()),
        };
        let headers = answered
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.as_str().to_owned()));
        let headers: Vec<_> = headers.filter(|(name, _)| name != "content-length").collect();
        (u16::from(answered.status()), headers, answered.body().to_vec())
    }

    async fn insert(&self, database: &str, container: &str, document: &str) {
        let key = self.stored.lock().unwrap().add(database, container, document);
        let headers = [
            ("x-ms-documentdb-partitionkey".to_owned(), key),
            ("content-type".to_owned(), "application/json".to_owned()),
            ("prefer".to_owned(), "return=minimal".to_owned()),
        ];
        let path = format!("dbs/{database}/colls/{container}/docs");
        let body = Bytes::from(document.to_owned());
        let (status, _, answer) = self.ask("POST", &path, &headers, body).await;
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(status, 201, "{document} was not stored: {answer}");
    }

    async fn ranges(&self, path: &str) -> Vec<super::statistics::Range> {
        let (status, _, answer) = self.ask("GET", path, &[], Bytes::new()).await;
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&answer));
        super::statistics::read_ranges(&answer)
    }
}

type RawAnswer = (u16, Vec<(String, String)>, Vec<u8>);

fn refused() -> RawAnswer {
    let body = r#"{"code":"Forbidden","message":"this server takes no writes from outside"}"#;
    (403, Vec::new(), body.as_bytes().to_vec())
}

fn read_method(name: &str) -> Method {
    match name {
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        "HEAD" => Method::Head,
        _ => Method::Get,
    }
}
