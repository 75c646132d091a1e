//! Cosmoscope, the library: see, explain and fix partition problems in Azure Cosmos DB from a terminal.

pub mod analysis;
pub mod cli;
pub mod config;
pub mod error;
pub mod model;
pub mod report;
pub mod source;
