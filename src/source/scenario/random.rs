//! What scenarios draw at random, and arithmetic that rounds alike everywhere.

use crate::model::random::SplitMix64;

#[derive(Clone, Copy, Debug)]
pub(in crate::source) struct Random(SplitMix64);

impl Random {
    /// A stream of its own for every pair of numbers.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(SplitMix64(seed ^ SplitMix64(stream).word()))
    }

    pub fn word(&mut self) -> u64 {
        self.0.word()
    }

    /// From 0 up to but without 1.
    pub fn share(&mut self) -> f64 {
        self.0.share()
    }

    /// From 0 up to but without `count`; 0 where that is none.
    pub fn below(&mut self, count: u64) -> u64 {
        let wide = u128::from(self.word()) * u128::from(count);
        u64::try_from(wide >> 64).unwrap_or_default()
    }

    /// One of some ASCII letters.
    pub fn pick(&mut self, letters: &[u8]) -> char {
        let place = self.below(u64::try_from(letters.len()).unwrap_or_default());
        let letter = usize::try_from(place).ok().and_then(|p| letters.get(p));
        letter.copied().map_or('?', char::from)
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let (a, b) = (self.word(), self.word());
        let (first, second, third) = (a >> 32, (a >> 16) & 0xFFFF, a & 0xFFF);
        let (fourth, fifth) = ((b >> 48) & 0x3FFF | 0x8000, b & 0xFFFF_FFFF_FFFF);
        format!("{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{fifth:012x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_count_and_reach_all() {
        let mut random = Random::new(7, 2);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            let number = usize::try_from(random.below(5)).unwrap_or(usize::MAX);
            if let Some(seen) = seen.get_mut(number) {
                *seen += 1;
            }
        }
        assert_eq!(seen.iter().sum::<i32>(), 1000);
        assert!(seen.iter().all(|n| (150..250).contains(n)), "{seen:?}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
        assert_eq!(random.pick(b"x"), 'x');
        assert_eq!(random.pick(b""), '?');
    }

    #[test]
    fn a_uuid_says_its_version_and_variant() {
        let mut random = Random::new(7, 1);
        for _ in 0..100 {
            let uuid = random.uuid();
            assert_eq!(uuid.len(), 36);
            assert_eq!(uuid.get(14..15), Some("4"));
            assert!(matches!(uuid.get(19..20), Some("8" | "9" | "a" | "b")), "{uuid}");
        }
    }
}
