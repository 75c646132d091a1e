//! One file per shape of input.

pub mod delimited;
pub mod document;
pub mod parquet;
