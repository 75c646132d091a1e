//! The trial view: what another key would do to the documents at hand.

pub mod explain;
pub mod legend;
mod pane;
pub mod paths;
pub mod places;
pub mod queries;
pub mod sizes;

#[cfg(test)]
mod testing;
