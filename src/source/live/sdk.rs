//! The read of a container through Microsoft's public client, with every setting that matters made by us: what it would do
//! by itself is written where it is undone. It is asked only for what our own request did not understand, and only with a
//! key: the client follows redirects with what it signed and gives no switch against it.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use azure_core::http::headers::{HeaderName, HeaderValue};
use azure_data_cosmos::options::{
    AvailabilityStrategy, BinaryEncodingOptions, ConnectionPoolOptions, ContainerClientOptions,
    EndToEndOperationLatencyPolicy, OperationOptions, OperationOptionsBuilder,
    PartitionFailoverOptions, PartitionTopologyCacheMode, PriorityLevel, ReadContainerOptions,
    ServerCertificateValidation, ThrottlingRetryOptions, ThrottlingRetryOptionsBuilder,
    ThroughputControlOptionsBuilder, UserAgentSuffix,
};
use azure_data_cosmos::{
    AccountEndpoint, AccountReference, CosmosClient, CosmosError, CosmosRuntime, RoutingStrategy,
};
use reqwest::Url;

use super::fault::Fault;
use super::sign_in::SignIn;
use super::target::{Pace, Side, Target};
use super::wire::{self, Reply, Wire};

/// What the service's logs call us, after the name of the SDK.
const USER_AGENT_SUFFIX: &str = "cosmoscope";
/// The SDK gives its priority to documents only; containers are asked for as quietly.
const LOW_PRIORITY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-ms-cosmos-priority-level"), HeaderValue::from_static("Low"));
/// Tries after a 429: none that nobody sees.
const THROTTLE_RETRIES: u32 = 0;
/// Tries in another region, and of sessions that are behind.
const OTHER_RETRIES: u32 = 1;
/// Bounds that the SDK puts on its own settings.
const CONNECT_BOUNDS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(6));
const REQUEST_BOUNDS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(65));
/// The client.
pub(super) struct Sdk {
    client: CosmosClient,
    options: OperationOptions,
    limit: Duration,
}

impl fmt::Debug for Sdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sdk")
    }
}

impl Sdk {
    /// Signs in at the address that `wire` leads to. The client reads the account there once more by itself, and goes to
    /// whatever region that answer names.
    pub(super) async fn open(
        target: &Target,
        wire: &Wire,
        http2: bool,
        pace: Pace,
    ) -> Result<Self, Fault> {
        let account = account(wire.endpoint().clone(), wire.sign_in());
        let options = operation(target, pace);
        let built = async {
            let runtime = CosmosRuntime::builder()
                .with_connection_pool(pool(target, http2, pace)?)
                .with_default_operation_options(options.clone());
            let runtime = match UserAgentSuffix::try_from(USER_AGENT_SUFFIX) {
                Ok(suffix) => runtime.with_user_agent_suffix(suffix),
                Err(_) => runtime,
            };
            let failover = PartitionFailoverOptions::builder()
                .with_partition_topology_cache_mode(PartitionTopologyCacheMode::Lazy)
                .build()?;
            CosmosClient::builder()
                .with_runtime(runtime.build().await?)
                .with_default_operation_options(options.clone())
                .with_partition_failover_options(failover)
                .build(account, RoutingStrategy::PreferredRegions(Vec::new()))
                .await
        };
        let limit = with_slack(pace.operation);
        // It is large, and every question would carry it.
        let client = Box::pin(within(limit, built)).await?;
        Ok(Self { client, options, limit })
    }

    /// A container. Its client is made anew each time: the name may belong to another container by now.
    pub(super) async fn read(
        &self,
        database: &str,
        container: &str,
        headers: &[(&'static str, &'static str)],
    ) -> Result<Reply, Fault> {
        let mut options = ContainerClientOptions::default();
        options.operation = self.options.clone();
        let of = self.client.database_client(database.to_owned());
        let made = of.container_client(container.to_owned(), Some(options));
        let client = within(self.limit, Box::pin(made)).await?;
        let mut options = self.options.clone();
        let named = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        options.custom_headers.get_or_insert_default().extend(named);
        let options = ReadContainerOptions::default().with_operation_options(options);
        let page = within(self.limit, Box::pin(client.read(Some(options)))).await?;
        let headers = page.headers();
        let ru = headers.request_charge().map(|charge| charge.value());
        let usage = [headers.resource_usage(), headers.resource_quota()];
        let usage = usage.map(|text| text.map(str::to_owned));
        let body = page.into_body().single();
        let body = body.map_err(|error| Fault::from(&error))?;
        Ok(Reply {
            text: wire::believed(body.into())?,
            ru: wire::charge(ru)?,
            continuation: None,
            usage,
            http2: false,
        })
    }
}

fn account(endpoint: Url, sign_in: &SignIn) -> AccountReference {
    let endpoint = AccountEndpoint::from(endpoint);
    match sign_in {
        SignIn::Key(key) => AccountReference::with_authentication_key(endpoint, key.clone()),
        SignIn::Token(token) => AccountReference::with_credential(endpoint, token.clone()),
    }
}

async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, CosmosError>>,
) -> Result<T, Fault> {
    let done = tokio::time::timeout(limit, work).await;
    let done = done.map_err(|_| Fault::TimedOut(limit))?;
    done.map_err(|error| Fault::from(&error))
}

/// The longest that a request of the SDK may take beside its own limit.
fn with_slack(limit: Duration) -> Duration {
    limit + limit / 10
}

/// Certificates are looked at whatever the environment says; the host list of a second gateway is not asked.
fn pool(target: &Target, http2: bool, pace: Pace) -> Result<ConnectionPoolOptions, CosmosError> {
    let within = |time: Duration, (least, most): (Duration, Duration)| time.clamp(least, most);
    // A little longer than the limit of the whole operation, so that one clock decides and not whichever is first.
    let request = within(pace.operation + pace.operation / 20, REQUEST_BOUNDS);
    ConnectionPoolOptions::builder()
        .with_server_certificate_validation(match target.side {
            Side::Azure => ServerCertificateValidation::Required,
            Side::Emulator => ServerCertificateValidation::RequiredUnlessEmulator,
        })
        .with_proxy_allowed(target.proxy)
        .with_is_http2_allowed(http2 && !target.http1)
        .with_gateway_v2_disabled(true)
        .with_max_connect_timeout(within(pace.connect, CONNECT_BOUNDS))
        .with_max_dataplane_request_timeout(request)
        .with_max_metadata_request_timeout(request)
        .build()
}

/// The same for every request: low priority, no second copy of a slow read, few tries, one limit for all of them together.
fn operation(target: &Target, pace: Pace) -> OperationOptions {
    let throughput =
        ThroughputControlOptionsBuilder::new().with_priority_level(PriorityLevel::Low).build();
    let mut builder = OperationOptionsBuilder::new()
        .with_throughput_control(throughput)
        .with_throttling_retry_options(throttling(pace))
        .with_hedging_enabled(false)
        .with_availability_strategy(AvailabilityStrategy::Disabled)
        .with_max_failover_retry_count(OTHER_RETRIES)
        .with_max_session_retry_count(OTHER_RETRIES)
        .with_custom_headers(HashMap::from([LOW_PRIORITY]))
        .with_end_to_end_latency_policy(EndToEndOperationLatencyPolicy::new(pace.operation));
    if target.side == Side::Emulator {
        builder = builder.with_binary_encoding(BinaryEncodingOptions::new().with_enabled(false));
    }
    builder.build()
}

fn throttling(pace: Pace) -> ThrottlingRetryOptions {
    ThrottlingRetryOptionsBuilder::new()
        .with_max_retry_count(THROTTLE_RETRIES)
        .with_max_retry_wait_time(pace.operation / 2)
        .build()
}
