//! What follows from a capture: pure functions from values to values that cannot fail.

pub mod ceiling;
pub mod diff;
pub mod distribution;
pub mod filter;
pub mod findings;
pub mod growth;
pub mod mask;
pub mod prefix;
pub mod rows;
pub mod select;
pub mod skew;
pub mod summary;
mod tally;
#[cfg(test)]
pub(crate) mod testing;
pub mod tree;
mod usage;
