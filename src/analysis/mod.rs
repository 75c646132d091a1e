//! What follows from a capture: pure functions from values to values that cannot fail.

pub mod arrange;
pub mod candidate;
pub mod ceiling;
pub mod columns;
pub mod detail;
pub mod diagnosis;
pub mod diff;
pub mod distribution;
pub mod filter;
mod filter_row;
pub mod findings;
pub mod growth;
pub mod heat;
pub mod key_row;
pub mod key_ru;
pub mod kql;
mod lanes;
pub mod mask;
mod outlook;
pub mod overview;
pub mod paths;
pub mod placement;
pub mod places;
pub mod prefix;
pub mod routing;
pub mod rows;
pub mod select;
pub mod skew;
pub mod suffix;
pub mod summary;
mod tally;
#[cfg(test)]
pub(crate) mod testing;
pub mod throttling;
pub mod tree;
pub mod trial;
mod usage;
