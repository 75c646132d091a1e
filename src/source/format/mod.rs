//! One file per shape of input.

pub mod arm;
mod collect;
pub mod container_read;
pub mod delimited;
pub mod document;
mod fields;
pub mod json_document;
#[cfg(test)]
mod json_document_tests;
pub mod metrics;
pub mod parquet;
pub mod pkranges;
mod refusal;
mod settle;
