//! What the management plane says an account is set to, as far as it changes what its figures mean or what can be read.

use serde::Deserialize;

/// Regions of one account that are kept; there are about a hundred in the world.
const MAX_REGIONS: usize = 200;

/// A setting that a person should know of before reading figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    Serverless,
    /// Physical partitions may be merged: only listed SDKs are served.
    MergeEnabled,
    Burst,
    /// RU/s scale by themselves for each region and physical partition.
    PartitionAutoscale,
    /// Nobody signs in with a key.
    NoKeys,
    /// Requests may be told to wait behind others.
    Priorities,
    SeveralWriteRegions,
    /// Closed to the public internet.
    PrivateOnly,
    /// Not an account for `NoSQL`.
    OtherApi,
}

impl State {
    /// What it is, and what follows from it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Serverless => (
                "a serverless account",
                "no RU/s are provisioned: a physical partition gives up to 5,000 RU/s, and shares of RU/s are left out",
            ),
            Self::MergeEnabled => (
                "merging of physical partitions is switched on",
                "the service then answers listed SDKs only, of which this one is none: questions to the data plane may be refused",
            ),
            Self::Burst => (
                "burst capacity is on",
                "partitions below 3,000 RU/s may go beyond their share for a while: over 100 % is no fault then",
            ),
            Self::PartitionAutoscale => (
                "autoscale works by region and physical partition",
                "a hot partition scales alone: RU/s of partitions differ at any one time",
            ),
            Self::NoKeys => (
                "keys are switched off (local authentication is disabled)",
                "sign in with Microsoft Entra ID; container copy jobs do not work with it",
            ),
            Self::Priorities => (
                "priority-based execution is on",
                "requests of this program say that they may wait",
            ),
            Self::SeveralWriteRegions => (
                "several regions take writes",
                "each region has RU/s of its own: the worst region is shown",
            ),
            Self::PrivateOnly => (
                "closed to the public internet",
                "the data plane answers in its private network only",
            ),
            Self::OtherApi => (
                "not an account for NoSQL",
                "only sizes and metrics can be told of it",
            ),
        }
    }
}

/// Settings of an account.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ManagedAccount {
    pub states: Vec<State>,
    /// In the order of fail-over.
    pub regions: Vec<String>,
}

#[derive(Deserialize)]
struct Answer {
    kind: Option<String>,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Properties {
    capabilities: Vec<Named>,
    enable_partition_merge: Option<bool>,
    enable_burst_capacity: Option<bool>,
    enable_per_region_per_partition_autoscale: Option<bool>,
    disable_local_auth: Option<bool>,
    enable_priority_based_execution: Option<bool>,
    enable_multiple_write_locations: Option<bool>,
    public_network_access: Option<String>,
    locations: Vec<Location>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Named {
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Location {
    location_name: String,
    failover_priority: u32,
}

impl ManagedAccount {
    /// None for what is no answer of that kind.
    pub fn read(body: &[u8]) -> Option<Self> {
        let answer: Answer = serde_json::from_slice(body).ok()?;
        let of = answer.properties;
        let capable = |name: &str| {
            let mut names = of.capabilities.iter();
            names.any(|capability| capability.name.eq_ignore_ascii_case(name))
        };
        let other_kind = answer
            .kind
            .as_deref()
            .is_some_and(|kind| kind != "GlobalDocumentDB");
        let other_api = [
            "EnableCassandra",
            "EnableTable",
            "EnableGremlin",
            "EnableMongo",
        ];
        let closed = of.public_network_access.as_deref();
        let told = [
            (
                State::OtherApi,
                other_kind || other_api.into_iter().any(capable),
            ),
            (State::Serverless, capable("EnableServerless")),
            (State::MergeEnabled, of.enable_partition_merge == Some(true)),
            (State::NoKeys, of.disable_local_auth == Some(true)),
            (State::PrivateOnly, closed == Some("Disabled")),
            (State::Burst, of.enable_burst_capacity == Some(true)),
            (
                State::PartitionAutoscale,
                of.enable_per_region_per_partition_autoscale == Some(true),
            ),
            (
                State::Priorities,
                of.enable_priority_based_execution == Some(true),
            ),
            (
                State::SeveralWriteRegions,
                of.enable_multiple_write_locations == Some(true),
            ),
        ];
        let states = told
            .into_iter()
            .filter_map(|(state, is)| is.then_some(state));
        let states = states.collect();
        let mut regions = of.locations;
        regions.sort_by_key(|region| region.failover_priority);
        regions.truncate(MAX_REGIONS);
        let regions = regions.into_iter().map(|region| region.location_name);
        Some(Self {
            states,
            regions: regions.collect(),
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn settings_become_states_and_what_is_not_told_is_none() {
        let body = br#"{"kind":"GlobalDocumentDB","properties":{"capabilities":[{"name":"EnableServerless"}],
            "enablePartitionMerge":true,"enableBurstCapacity":false,"disableLocalAuth":true,
            "publicNetworkAccess":"Enabled","enablePerRegionPerPartitionAutoscale":null,
            "locations":[{"locationName":"North Europe","failoverPriority":1},{"locationName":"West Europe","failoverPriority":0}]}}"#;
        let read = ManagedAccount::read(body).unwrap();
        assert_eq!(
            read.states,
            [State::Serverless, State::MergeEnabled, State::NoKeys]
        );
        assert_eq!(read.regions, ["West Europe", "North Europe"]);
        let empty = ManagedAccount::default();
        assert_eq!(ManagedAccount::read(br#"{"properties":{}}"#), Some(empty));
        assert_eq!(ManagedAccount::read(b"[]"), None);
        assert_eq!(ManagedAccount::read(b"<html>"), None);
    }

    #[test]
    fn an_account_of_another_kind_is_told() {
        for body in [
            r#"{"kind":"MongoDB","properties":{}}"#,
            r#"{"kind":"GlobalDocumentDB","properties":{"capabilities":[{"name":"EnableCassandra"}]}}"#,
        ] {
            let read = ManagedAccount::read(body.as_bytes()).unwrap();
            assert_eq!(read.states, [State::OtherApi], "{body}");
        }
    }
}
