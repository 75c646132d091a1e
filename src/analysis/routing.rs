//! Where queries go: which physical partitions a query has to ask if a container has a certain key.
//!
//! A query text is read as far as its filter tells something of single properties; the filter is turned into
//! alternatives, and each alternative into the keys that it asks for. What cannot be told is said, with the reason.

mod condition;
pub mod constraint;
mod expression;
pub mod filter;
mod layout;
mod lexer;
mod matching_keys;
mod parser;
pub(super) mod periods;
mod point;
mod price;
mod query;
mod route;
mod secondary;
mod values;
pub mod workload;

#[cfg(test)]
mod tests;

pub use layout::{PrefixSpread, RoutedLayout};
pub use point::{PointOperation, route_point};
pub use price::{Cap, RequestPrice, price};
pub use query::{Query, QueryFault};
pub use route::{Route, Routing, route};
pub use secondary::{SecondaryIndex, cost_text, secondary_index};

pub use crate::model::units::RU_PER_VISIT;
