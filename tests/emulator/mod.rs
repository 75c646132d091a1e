//! Microsoft's in-memory emulator of Cosmos DB behind a server on this machine: several partitions, hierarchical keys, splits
//! and 429, for the tests and for trying the program without an account.

pub mod filling;
pub mod server;
mod statistics;

pub use filling::PLANS;
pub use server::{Server, Settings};
