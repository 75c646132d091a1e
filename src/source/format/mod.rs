//! One file per shape of input; a list of physical partitions is a row of [`FORMATS`].

pub mod arm;
mod collect;
pub mod container_read;
pub mod delimited;
pub mod document;
mod entry;
mod fields;
pub mod json_document;
#[cfg(test)]
mod json_document_tests;
pub mod metrics;
pub mod parquet;
pub mod pkranges;
mod refusal;
mod settle;

use crate::model::physical::PhysicalPartition;
use crate::source::import::ImportOutcome;
use crate::source::tally::Fault;
use json_document::{CONTAINER_READ, DISTRIBUTION, MERGE, RANGES};

/// A list of physical partitions that documents hold.
struct Format {
    /// Its name in lower case.
    list: &'static str,
    shape: &'static str,
    /// Reads an entry, with its line and what became of the entries so far.
    entry: fn(&str, u64, &mut ImportOutcome) -> Result<PhysicalPartition, Fault>,
}

const FORMATS: [Format; 5] = [
    Format { list: "statistics", shape: CONTAINER_READ, entry: container_read::statistics },
    Format { list: "partitionkeyranges", shape: RANGES, entry: |raw, _, _| pkranges::range(raw) },
    Format {
        list: "physicalpartitionthroughputinfo",
        shape: DISTRIBUTION,
        entry: |raw, _, _| arm::distribution(raw),
    },
    Format {
        list: "physicalpartitionstorageinfocollection",
        shape: MERGE,
        entry: |raw, _, _| arm::merged(raw),
    },
    Format {
        list: "physicalpartitionstorageinfo",
        shape: MERGE,
        entry: |raw, _, _| arm::merged(raw),
    },
];
