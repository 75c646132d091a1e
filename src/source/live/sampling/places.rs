//! Places in a partition's hash range at which reading begins, drawn from a seed: the first keys alone are no sample.

use super::strata::Stratum;
use crate::model::epk::Epk;
use crate::source::scenario::random::Random;

/// Hexadecimal digits of a bound: 16 bytes, the width of one hash of version 2.
const WIDTH: usize = 32;
/// Where the hash space of version 2 ends: the two highest bits are clear.
const END_V2: u128 = 1 << 126;

/// How keys are hashed: of version 1 hashes lie close together behind two leading bytes, and no places are drawn in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hashing {
    V1,
    #[default]
    V2,
}

/// A part of a partition's hash range, read from its start on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    /// Start and end; none where the partition is read as a whole.
    bounds: Option<(u128, u128)>,
    pub continuation: Option<String>,
    pub pages: u32,
    pub is_exhausted: bool,
    /// What its first page began with.
    pub first: Option<u64>,
}

impl Place {
    pub(super) fn whole() -> Self {
        Self::of(None)
    }

    fn of(bounds: Option<(u128, u128)>) -> Self {
        Self {
            bounds,
            continuation: None,
            pages: 0,
            is_exhausted: false,
            first: None,
        }
    }

    /// For requests. Never an empty start, which gateways refuse.
    pub(super) fn window(&self) -> Option<(String, String)> {
        let (start, end) = self.bounds?;
        Some((format!("{start:032X}"), format!("{end:032X}")))
    }

    /// The leading digits of where it begins: it tells places of a partition apart, also after a split.
    pub(super) fn name(&self) -> String {
        let digits = self.bounds.map(|(start, _)| format!("{:08X}", start >> 96));
        digits.unwrap_or_else(|| "whole".to_owned())
    }

    pub(super) fn is_begun(&self) -> bool {
        self.pages > 0
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match (self.bounds, other.bounds) {
            (Some((a, b)), Some((c, d))) => a < d && c < b,
            _ => true,
        }
    }
}

/// A partition in parts that together are all of it: of each of `wanted` equal slices the rest from a place on that is
/// drawn, up to the place drawn in the next slice; what lies before the first place comes last.
pub(super) fn of(stratum: &Stratum, wanted: u64, hashing: Hashing, seed: u64) -> Vec<Place> {
    let bounds = stratum.bounds().filter(|_| hashing == Hashing::V2);
    let numbers = bounds.map(|(min, max)| (number(&min), number(&max).min(END_V2)));
    let Some((min, max)) = numbers.filter(|(min, max)| min < max) else {
        return vec![Place::whole()];
    };
    let stream = stratum.id.bytes().fold(0_u64, |all, byte| {
        all.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random::new(seed, stream);
    let wanted = u128::from(wanted.max(1));
    let slice = (max - min) / wanted;
    if slice == 0 {
        return vec![Place::whole()];
    }
    let starts: Vec<u128> = (0..wanted)
        .map(|at| min + slice * at + within(&mut random, slice))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([max]);
    let mut places: Vec<Place> = starts
        .iter()
        .copied()
        .zip(ends)
        .map(|bounds| Place::of(Some(bounds)))
        .collect();
    if let Some(first) = starts.first().filter(|first| **first > min) {
        places.push(Place::of(Some((min, *first))));
    }
    places
}

/// From 0 up to but without `count`, in steps of what 64 bits tell.
fn within(random: &mut Random, count: u128) -> u128 {
    let word = u128::from(random.word());
    match count >> 64 {
        0 => u128::from(random.below(u64::try_from(count).unwrap_or(u64::MAX))),
        high => (word * high).min(count - 1),
    }
}

/// The first 16 bytes as a number.
fn number(epk: &Epk) -> u128 {
    let bytes = epk.as_bytes().iter().copied().chain(std::iter::repeat(0));
    bytes
        .take(WIDTH / 2)
        .fold(0, |all, byte| all << 8 | u128::from(byte))
}
