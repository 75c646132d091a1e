//! Chance that is the same for the same seed.

use crate::model::random::SplitMix64;

#[derive(Clone, Debug)]
pub(super) struct Chance(SplitMix64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0.share()
    }

    /// What the variance of so many free values is found to be where it is 1, by Wilson and Hilferty.
    pub fn spread(&mut self, free: f64) -> f64 {
        let part = 2.0 / (9.0 * free.max(1.0));
        let root = 1.0 - part + self.normal() * part.sqrt();
        root.max(0.2).powi(3)
    }

    /// Box and Muller's.
    pub fn normal(&mut self) -> f64 {
        let (radius, turn) = (1.0 - self.unit(), self.unit());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
    }
}
