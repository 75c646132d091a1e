//! The feed of partition key ranges: hash ranges of the physical partitions, their parents and share of throughput.

use crate::model::physical::PhysicalPartition;
use crate::source::json::read;

use super::container_read::{Fault, broken, entry, missing};

/// An entry of `PartitionKeyRanges`.
pub(super) fn range(raw: &str) -> Result<PhysicalPartition, Fault> {
    let members = entry(raw)?;
    let text = |name: &str| read::member(&members, name).and_then(read::text);
    let id = text("id").ok_or_else(|| missing("id", raw))?;
    let parents = read::member(&members, "parents")
        .map(read::elements)
        .transpose()
        .map_err(broken)?;
    Ok(PhysicalPartition {
        min_inclusive: text("mininclusive"),
        max_exclusive: text("maxexclusive"),
        status: text("status"),
        parents: parents
            .flatten()
            .unwrap_or_default()
            .into_iter()
            .filter_map(read::text)
            .collect(),
        throughput_fraction: read::member(&members, "throughputfraction")
            .and_then(read::number)
            .filter(|n| *n >= 0.0),
        ..PhysicalPartition::new(&id)
    })
}
