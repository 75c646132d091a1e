//! Chance that is the same each time.

use crate::model::units::real;

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// From 0 to less than 1.
    pub fn unit(&mut self) -> f64 {
        real(self.bits() >> 11) / real(1 << 53)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Each factor is as likely as any other.
    pub fn between_by_factor(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// How many arrive where so many are expected.
    pub fn poisson(&mut self, mean: f64) -> u32 {
        let (mut left, mut count) = (mean, 0);
        while left > 0.0 {
            // A part at a time: the exponential of a large one is zero.
            let part = left.min(16.0);
            let limit = (-part).exp();
            let mut product = self.unit();
            while product > limit {
                count += 1;
                product *= self.unit();
            }
            left -= part;
        }
        count
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "less than the length of the items"
            )]
            let other = (self.bits() % (at as u64 + 1)) as usize;
            items.swap(at, other);
        }
    }
}
