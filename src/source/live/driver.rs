//! Microsoft's driver with every setting that matters made by us: what it would do by itself is written where it is undone.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use azure_core::http::headers::{HeaderName, HeaderValue};
use azure_data_cosmos_driver::models::AccountReference;
use azure_data_cosmos_driver::options::{
    AvailabilityStrategy, BinaryEncodingOptions, ConnectionPoolOptions, DriverOptions,
    EndToEndOperationLatencyPolicy, OperationOptions, OperationOptionsBuilder,
    PartitionFailoverOptions, PartitionTopologyCacheMode, PriorityLevel,
    ServerCertificateValidation, ThrottlingRetryOptions, ThrottlingRetryOptionsBuilder,
    ThroughputControlOptionsBuilder, UserAgentSuffix,
};
use azure_data_cosmos_driver::{
    CosmosDriver, CosmosDriverRuntime, CosmosDriverRuntimeBuilder, CosmosError,
};
use reqwest::Url;

use super::fault::Fault;
use super::sign_in::SignIn;
use super::target::{Pace, Side, Target};
use super::wire::with_slack;

/// What the service's logs call us, after the name of the SDK.
const USER_AGENT_SUFFIX: &str = "cosmoscope";
/// The SDK gives its priority to documents only; lists and containers are asked for as quietly.
const LOW_PRIORITY: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-ms-cosmos-priority-level"),
    HeaderValue::from_static("Low"),
);
/// Tries after a 429: with the first, three requests.
const THROTTLE_RETRIES: u32 = 2;
/// Tries in another region, and of sessions that are behind.
const OTHER_RETRIES: u32 = 1;
/// Bounds that the SDK puts on its own settings.
const CONNECT_BOUNDS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(6));
const REQUEST_BOUNDS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(65));

/// A driver and the surroundings that clients of the SDK may share.
#[derive(Clone, Debug)]
pub(super) struct Driver {
    pub driver: Arc<CosmosDriver>,
    pub account: AccountReference,
}

/// What the other side can do, learned from the first answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Speaks {
    pub http2: bool,
}

impl Driver {
    pub(super) async fn open(
        target: &Target,
        endpoint: &Url,
        sign_in: SignIn,
        speaks: Speaks,
        pace: Pace,
    ) -> Result<Self, Fault> {
        let account = match sign_in {
            SignIn::Key(key) => AccountReference::with_account_key(endpoint.clone(), key),
            SignIn::Token(token) => AccountReference::with_credential(endpoint.clone(), token),
        };
        let built = async {
            let runtime = runtime(target, speaks, pace)?.build().await?;
            create(&runtime, account.clone(), target, pace).await
        };
        let driver = tokio::time::timeout(with_slack(pace.operation), built)
            .await
            .map_err(|_| Fault::TimedOut(pace.operation))?
            .map_err(|error| Fault::from(&error))?;
        Ok(Self { driver, account })
    }
}

async fn create(
    runtime: &Arc<CosmosDriverRuntime>,
    account: AccountReference,
    target: &Target,
    pace: Pace,
) -> Result<Arc<CosmosDriver>, CosmosError> {
    let failover = PartitionFailoverOptions::builder()
        .with_partition_topology_cache_mode(PartitionTopologyCacheMode::Lazy)
        .build()?;
    let options = DriverOptions::builder(account)
        .with_operation_options(operation(target, pace))
        .with_partition_failover_options(failover)
        .build();
    runtime.create_driver(options).await
}

/// A runtime of the SDK as this program wants it.
pub(super) fn runtime(
    target: &Target,
    speaks: Speaks,
    pace: Pace,
) -> Result<CosmosDriverRuntimeBuilder, CosmosError> {
    let mut builder = CosmosDriverRuntimeBuilder::new()
        .with_connection_pool(pool(target, speaks, pace)?)
        .with_default_operation_options(operation(target, pace));
    if let Ok(suffix) = UserAgentSuffix::try_from(USER_AGENT_SUFFIX) {
        builder = builder.with_user_agent_suffix(suffix);
    }
    Ok(builder)
}

/// Certificates are looked at whatever the environment says; the host list of a second gateway is not asked.
fn pool(target: &Target, speaks: Speaks, pace: Pace) -> Result<ConnectionPoolOptions, CosmosError> {
    let within = |time: Duration, (least, most): (Duration, Duration)| time.clamp(least, most);
    // A little longer than the limit of the whole operation, so that one clock decides and not whichever is first.
    let request = within(pace.operation + pace.operation / 20, REQUEST_BOUNDS);
    ConnectionPoolOptions::builder()
        .with_server_certificate_validation(match target.side {
            Side::Azure => ServerCertificateValidation::Required,
            Side::Emulator => ServerCertificateValidation::RequiredUnlessEmulator,
        })
        .with_proxy_allowed(target.proxy)
        .with_is_http2_allowed(speaks.http2 && !target.http1)
        .with_gateway_v2_disabled(true)
        .with_max_connect_timeout(within(pace.connect, CONNECT_BOUNDS))
        .with_max_dataplane_request_timeout(request)
        .with_max_metadata_request_timeout(request)
        .build()
}

/// The same for every request: low priority, no second copy of a slow read, few tries, one limit for all of them together.
pub(super) fn operation(target: &Target, pace: Pace) -> OperationOptions {
    let throughput = ThroughputControlOptionsBuilder::new()
        .with_priority_level(PriorityLevel::Low)
        .build();
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
