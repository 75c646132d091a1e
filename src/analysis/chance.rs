//! Chance that is the same for the same seed.

use crate::model::units::real;

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub(super) struct Chance(pub u64);

impl Chance {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        real((bits ^ (bits >> 31)) >> 11) / real(1 << 53)
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
