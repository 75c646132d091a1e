//! Management answers: storage of physical partitions, how throughput is spread, what a merge would give, throughput settings.

use crate::model::names::ContainerName;
use crate::model::physical::{PhysicalPartition, Throughput, ThroughputSettings, WithoutOwn};
use crate::source::json::read;

use super::entry::Entry;
use super::fields::{Fields, named_by_resource_id};
use crate::source::tally::Fault;

/// What an entry of a usages answer is.
pub(super) enum Usage {
    Storage(Box<PhysicalPartition>),
    /// A usage of something else, such as request units, under its name.
    Other(String),
}

/// An entry of `partitions/usages`. Its `limit` is never read: published answers hold outdated ones.
pub(super) fn usage(raw: &str) -> Result<Usage, Fault> {
    let entry = Entry::read(raw)?;
    let name = entry.raw("name").filter(|name| name.starts_with('{'));
    let name = name.map(Entry::read).transpose()?;
    let name = name.and_then(|name| name.text("value")).unwrap_or_default();
    let in_bytes = entry.text("unit").is_none_or(|u| u.eq_ignore_ascii_case("Bytes"));
    if !in_bytes || !(name.is_empty() || name.to_ascii_lowercase().contains("storage")) {
        return Ok(Usage::Other(name));
    }
    let mut partition = PhysicalPartition::new(&entry.needed("partitionKeyRangeId")?);
    partition.guid = entry.text("partitionid").map(|g| g.to_lowercase());
    partition.kib = Some(entry.amount("currentvalue")? / 1024.0);
    Ok(Usage::Storage(Box::new(partition)))
}

/// An entry of `physicalPartitionThroughputInfo`. Without a figure the partition is known all the same.
pub(super) fn distribution(raw: &str) -> Result<PhysicalPartition, Fault> {
    let entry = Entry::read(raw)?;
    let mut partition = PhysicalPartition::new(&entry.needed("id")?);
    if entry.raw("throughput").is_some() {
        partition.ru_per_second = Some(entry.amount("throughput")?);
    }
    Ok(partition)
}

/// An entry of `physicalPartitionStorageInfoCollection`.
pub(super) fn merged(raw: &str) -> Result<PhysicalPartition, Fault> {
    let entry = Entry::read(raw)?;
    let mut partition = PhysicalPartition::new(&entry.needed("id")?);
    partition.kib = Some(entry.amount("storageinkb")?);
    Ok(partition)
}

/// Where throughput settings lie, and what they are called there: management answers, and offers of the data plane.
const SETTINGS: [(&str, &str, &str); 3] = [
    ("properties.resource.", "throughput", "autoscalesettings.maxthroughput"),
    ("resource.", "throughput", "autoscalesettings.maxthroughput"),
    ("content.", "offerthroughput", "offerautopilotsettings.maxthroughput"),
];

/// As Microsoft's own explorer writes it; no page documents it.
const KEY_CAP: &str =
    "hotpartitionkeyratelimitingpolicy.maximumperpartitionkeythroughpututilizationpercent";

/// Throughput settings, if the document holds any; numbers may be written as text.
pub(super) fn throughput(fields: &Fields) -> Option<ThroughputSettings> {
    SETTINGS.into_iter().find_map(|(place, now, maximum)| {
        let number = |name: &str| fields.number(&format!("{place}{name}")).filter(|n| *n >= 0.0);
        // Of autoscale without its maximum what is there now would be all that there is.
        if fields.is_twice(&format!("{place}{maximum}")) {
            return None;
        }
        let throughput = match (number(maximum), number(now)) {
            (Some(maximum), now) => Throughput::Autoscale { maximum, now },
            (None, Some(ru_per_second)) => Throughput::Manual { ru_per_second },
            (None, None) => return None,
        };
        Some(ThroughputSettings {
            throughput,
            minimum: number("minimumthroughput"),
            instant_maximum: number("instantmaximumthroughput"),
            key_cap: number(KEY_CAP).map(|percent| percent / 100.0),
        })
    })
}

/// Settings that are a database's, and a list of offers that has none: what a container lives on without its own.
pub(super) fn without_own(
    fields: &Fields,
    settings: Option<ThroughputSettings>,
) -> Option<WithoutOwn> {
    let Some(settings) = settings else {
        let none = fields.raw("offers").is_some_and(|list| read::compact(list) == "[]");
        return none.then_some(WithoutOwn::Nowhere);
    };
    // An offer says whose it is by resource ids, as dbs/DATABASE/colls/CONTAINER/.
    let offer = fields.text("resource").unwrap_or_default();
    let is_database = offer.starts_with("dbs/") && !offer.contains("/colls/");
    let named = database(fields);
    (is_database || named.database.is_some()).then_some(WithoutOwn::Shared(settings))
}

/// The database that settings are of, where they are of no container.
pub(super) fn database(fields: &Fields) -> ContainerName {
    let id = fields.text("id").unwrap_or_default();
    let name = named_by_resource_id(&id);
    if name.container.is_some() {
        return ContainerName::default();
    }
    name
}
