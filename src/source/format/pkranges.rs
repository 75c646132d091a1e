//! The feed of partition key ranges: hash ranges of the physical partitions, their parents and share of throughput.

use crate::model::physical::PhysicalPartition;
use crate::source::json::read;

use super::entry::Entry;
use crate::source::tally::Fault;

/// An entry of `PartitionKeyRanges`.
pub(super) fn range(raw: &str) -> Result<PhysicalPartition, Fault> {
    let entry = Entry::read(raw)?;
    let id = entry.needed("id")?;
    let parents = entry.list("parents")?.into_iter();
    Ok(PhysicalPartition {
        min_inclusive: entry.text("mininclusive"),
        max_exclusive: entry.text("maxexclusive"),
        status: entry.text("status"),
        parents: parents.filter_map(read::text).collect(),
        throughput_fraction: entry.number("throughputfraction"),
        ..PhysicalPartition::new(&id)
    })
}
