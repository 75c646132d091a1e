//! What would be refused under other circumstances, computed from the logged load.

/// One circumstance and what it would refuse.
#[derive(Clone, PartialEq, Debug)]
pub struct WhatIf {
    /// `now`, `2x-ru`, `2x-partitions`, `redistributed`, `spread-10`: for JSON.
    pub name: String,
    /// `at 60,000 RU/s on 6 partitions`.
    pub words: String,
    /// Share of the RU asked for that would be refused; None where it cannot be computed.
    pub refused: Option<f64>,
    /// Largest over mean load of partitions.
    pub load_ratio: Option<f64>,
}
