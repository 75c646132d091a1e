//! Numbers that look random and are the same on every machine: the `SplitMix64` generator.

use super::units::real;

/// 2^64 divided by the golden ratio: steps of it visit every state.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finishing steps of the generator.
pub fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[derive(Clone, Copy, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mixed(self.0)
    }

    /// From 0 up to but without 1.
    pub fn share(&mut self) -> f64 {
        real(self.word() >> 11) / real(1 << 53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_of_seed_zero() {
        let mut random = SplitMix64(0);
        assert_eq!([random.word(), random.word()], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }
}
