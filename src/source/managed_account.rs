//! What the management plane says an account is set to: its answer, a list of such, and the same as the Azure CLI shows it.

use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

use crate::model::account::{Account, Setting};
use crate::source::json::read::twice_within;

/// Regions of one account that are kept; there are about a hundred in the world.
const MAX_REGIONS: usize = 200;
/// What such a document says of itself; the CLI shows it, too.
const KIND: &str = "Microsoft.DocumentDB/databaseAccounts";

#[derive(Deserialize)]
struct Document {
    name: Option<String>,
    #[serde(rename = "type")]
    is: String,
    kind: Option<String>,
    properties: Option<Properties>,
    #[serde(rename = "systemData")]
    system: Option<SystemData>,
    /// Here the CLI shows what answers have inside `properties`.
    #[serde(flatten)]
    flat: Properties,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Properties {
    capabilities: Option<Vec<NamedEntry>>,
    /// Of newer interfaces, where a serverless account has no capability that says so.
    capacity_mode: Option<String>,
    enable_partition_merge: Option<bool>,
    enable_burst_capacity: Option<bool>,
    enable_per_region_per_partition_autoscale: Option<bool>,
    disable_local_auth: Option<bool>,
    enable_priority_based_execution: Option<bool>,
    enable_multiple_write_locations: Option<bool>,
    public_network_access: Option<String>,
    backup_policy: Option<NamedEntry>,
    locations: Option<Vec<Location>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct SystemData {
    created_at: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct NamedEntry {
    #[serde(alias = "type")]
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Location {
    location_name: String,
    failover_priority: u32,
}

/// Accounts that were made on this day or later scale partitions by themselves, as far as is known.
const PARTITION_AUTOSCALE_SINCE: &str = "2024-09-25";
/// APIs beside that for `NoSQL`, each a capability.
const OTHER_APIS: [&str; 4] = ["EnableCassandra", "EnableTable", "EnableGremlin", "EnableMongo"];

/// Whether a document may be one: what says so stands in it, whatever else does. Far cheaper than reading it.
pub fn may_be(document: &str) -> bool {
    memmem::find(document.as_bytes(), KIND.as_bytes()).is_some()
}

/// None for what is not an account. An error is the name of a setting that is there twice with different values.
pub fn read(document: &str) -> Option<Result<Account, String>> {
    let (read, twice): (Document, _) = if let Ok(read) = serde_json::from_str(document) {
        (read, None)
    } else {
        // Of names that stand twice this takes the last.
        let settled: Value = serde_json::from_str(document).ok()?;
        let read = serde_json::from_value(settled).ok()?;
        (read, twice_within(document))
    };
    if !read.is.eq_ignore_ascii_case(KIND) {
        return None;
    }
    if let Some(name) = twice {
        return Some(Err(name));
    }
    let of = read.properties.unwrap_or(read.flat);
    let created = read.system.and_then(|system| system.created_at);
    let reported = settings(read.kind.as_deref(), created.as_deref(), &of);
    let mut regions = of.locations.unwrap_or_default();
    regions.sort_by_key(|region| region.failover_priority);
    regions.truncate(MAX_REGIONS);
    let regions = regions.into_iter().map(|region| region.location_name);
    let name = read.name.as_deref();
    Some(Ok(Account::new(name, reported, regions.collect())))
}

fn settings(kind: Option<&str>, created: Option<&str>, of: &Properties) -> Vec<(Setting, bool)> {
    let capable = |name: &str| {
        let all = of.capabilities.as_ref()?;
        let mut names = all.iter();
        Some(names.any(|capability| capability.name.eq_ignore_ascii_case(name)))
    };
    let other_kind = kind.map(|kind| kind != "GlobalDocumentDB");
    let mut other_apis = OTHER_APIS.into_iter();
    let other_api = other_apis.any(|api| capable(api) == Some(true));
    let mode = of.capacity_mode.as_deref();
    let closed = of.public_network_access.as_deref();
    let backup = of.backup_policy.as_ref().filter(|backup| !backup.name.is_empty());
    let is_recent =
        created.is_some_and(|day| day.starts_with("20") && day >= PARTITION_AUTOSCALE_SINCE);
    let reported = [
        (Setting::OtherApi, other_kind.map(|is| is || other_api)),
        (
            Setting::Serverless,
            mode.map(|mode| mode == "Serverless").or(capable("EnableServerless")),
        ),
        (Setting::MergeEnabled, of.enable_partition_merge),
        (Setting::NoKeys, of.disable_local_auth),
        (Setting::PrivateOnly, closed.map(|to| to == "Disabled")),
        (Setting::PeriodicBackup, backup.map(|backup| backup.name == "Periodic")),
        (Setting::Burst, of.enable_burst_capacity),
        (
            Setting::PartitionAutoscale,
            of.enable_per_region_per_partition_autoscale.or(is_recent.then_some(true)),
        ),
        (Setting::Priorities, of.enable_priority_based_execution),
        (Setting::SeveralWriteRegions, of.enable_multiple_write_locations),
        (Setting::KeyThrottling, capable("EnableHotPartitionKeyThrottling")),
    ];
    let reported = reported.into_iter();
    reported.filter_map(|(setting, is)| Some((setting, is?))).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn settings(document: &str) -> Vec<Setting> {
        assert!(may_be(document), "{document}");
        read(document).unwrap().unwrap().settings().collect()
    }

    #[test]
    fn settings_become_states_and_what_is_not_told_is_not_known() {
        let document = r#"{"name":"northpier-prod","type":"Microsoft.DocumentDB/databaseAccounts","kind":"GlobalDocumentDB",
            "properties":{"capabilities":[{"name":"EnableServerless"}],
            "enablePartitionMerge":true,"enableBurstCapacity":false,"disableLocalAuth":true,
            "publicNetworkAccess":"Enabled","enablePerRegionPerPartitionAutoscale":null,
            "locations":[{"locationName":"North Europe","failoverPriority":1},{"locationName":"West Europe","failoverPriority":0}]}}"#;
        let account = read(document).unwrap().unwrap();
        assert_eq!(
            settings(document),
            [Setting::Serverless, Setting::MergeEnabled, Setting::NoKeys]
        );
        assert!(account.is_named("NorthPier-Prod") && !account.is_named("north"));
        assert_eq!(account.is(Setting::Burst), Some(false));
        assert_eq!(account.is(Setting::PartitionAutoscale), None);
        assert_eq!(account.regions, ["West Europe", "North Europe"]);
    }

    #[test]
    fn the_command_line_shows_the_same_without_properties() {
        let document = r#"{"capabilities":null,"cors":[],"disableLocalAuth":true,"kind":"GlobalDocumentDB","locations":null,
            "name":"a","type":"Microsoft.DocumentDB/databaseAccounts"}"#;
        assert_eq!(settings(document), [Setting::NoKeys]);
        assert_eq!(read(document).unwrap().unwrap().is(Setting::Serverless), None);
    }

    /// A serverless account as the service was recorded, and after its change to provisioned RU/s.
    #[test]
    fn the_capacity_mode_says_what_capabilities_do_not() {
        let of = |inside: &str| {
            let document = format!(
                r#"{{"type":"Microsoft.DocumentDB/databaseAccounts","properties":{{{inside}}}}}"#
            );
            read(&document).unwrap().unwrap()
        };
        for (inside, wanted) in [
            (r#""capabilities":[],"capacityMode":"Serverless""#, Some(true)),
            (
                r#""capabilities":[{"name":"EnableServerless"}],"capacityMode":"Provisioned""#,
                Some(false),
            ),
            (r#""capabilities":[]"#, Some(false)),
            (r#""capacityMode":null"#, None),
        ] {
            assert_eq!(of(inside).is(Setting::Serverless), wanted, "{inside}");
        }
        for (system, wanted) in [
            (r#"{"createdAt":"2024-09-25T00:00:00.1Z"}"#, Some(true)),
            (r#"{"createdAt":"2024-09-24T23:59:59Z"}"#, None),
            ("null", None),
            (r#"{"createdAt":"unknown"}"#, None),
        ] {
            let document = format!(
                r#"{{"type":"Microsoft.DocumentDB/databaseAccounts","systemData":{system}}}"#
            );
            let read = read(&document).unwrap().unwrap();
            assert_eq!(read.is(Setting::PartitionAutoscale), wanted, "{system}");
        }
        let capped = of(r#""capabilities":[{"name":"EnableHotPartitionKeyThrottling"}]"#);
        assert_eq!(capped.is(Setting::KeyThrottling), Some(true));
    }

    #[test]
    fn backup_is_periodic_continuous_or_unknown() {
        for (policy, wanted) in [
            (r#","backupPolicy":{"type":"Periodic","periodicModeProperties":{}}"#, Some(true)),
            (r#","backupPolicy":{"type":"Continuous","continuousModeProperties":{}}"#, Some(false)),
            (r#","backupPolicy":{}"#, None),
            (r#","backupPolicy":null"#, None),
            ("", None),
        ] {
            let kind = r#""type":"Microsoft.DocumentDB/databaseAccounts""#;
            for document in [
                format!(r#"{{{kind},"properties":{{"capabilities":null{policy}}}}}"#),
                format!(r#"{{{kind},"capabilities":null{policy}}}"#),
            ] {
                let account = read(&document).unwrap().unwrap();
                assert_eq!(account.is(Setting::PeriodicBackup), wanted, "{document}");
            }
        }
    }

    #[test]
    fn an_account_of_another_kind_is_told() {
        for of in [
            r#""kind":"MongoDB","properties":{}"#,
            r#""kind":"GlobalDocumentDB","properties":{"capabilities":[{"name":"EnableCassandra"}]}"#,
        ] {
            let document = format!(r#"{{"type":"Microsoft.DocumentDB/databaseAccounts",{of}}}"#);
            assert_eq!(settings(&document), [Setting::OtherApi], "{document}");
        }
    }

    #[test]
    fn what_is_no_account_is_none() {
        for odd in [
            r#"{"properties":{}}"#,
            r#"{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases","properties":{}}"#,
            r#"{"type":"Microsoft.DocumentDB/databaseAccounts","properties":7}"#,
            "[]",
            "<html>",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
        assert!(!may_be(r#"{"category":"DataPlaneRequests"}"#));
    }
}
