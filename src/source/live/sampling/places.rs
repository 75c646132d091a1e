//! Places in a partition's hash range at which reading begins, drawn from a seed: the first keys alone are no sample.

use super::strata::Stratum;
use crate::model::epk::{self, Epk};
use crate::source::sampled::WHOLE_PARTITION;
use crate::source::scenario::random::Random;

/// Hexadecimal digits of a bound: 16 bytes, the width of one hash of version 2.
const WIDTH: usize = 32;
/// Where the hash space of version 2 ends: the two highest bits are clear.
const END_V2: u128 = 1 << epk::HASH_V2_BITS;
/// Where that of version 1 ends: hashes have 32 bits.
const END_V1: u128 = 1 << u32::BITS;

/// How keys are hashed: by it hash ranges are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hashing {
    V1,
    #[default]
    V2,
}

/// What is read at a place: one query, for a continuation goes on with the query that it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Reads {
    #[default]
    Whole,
    Narrow,
}

/// Part of a hash range: numbers to compare, and what requests say.
#[derive(Clone, PartialEq, Debug)]
struct Bounds {
    start: u128,
    end: u128,
    window: (String, String),
    name: String,
}

/// A part of a partition's hash range, read from its start on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    /// None where the partition is read as a whole.
    bounds: Option<Bounds>,
    pub reads: Reads,
    pub continuation: Option<String>,
    pub pages: u32,
    pub entries: u64,
    pub is_exhausted: bool,
    /// What its first page began with.
    pub first: Option<u64>,
}

impl Place {
    pub(super) fn whole() -> Self {
        Self::of(None)
    }

    fn of(bounds: Option<Bounds>) -> Self {
        Self {
            bounds,
            reads: Reads::Whole,
            continuation: None,
            pages: 0,
            entries: 0,
            is_exhausted: false,
            first: None,
        }
    }

    /// The same place, not read yet.
    pub(super) fn anew(&self, reads: Reads) -> Self {
        Self {
            reads,
            ..Self::of(self.bounds.clone())
        }
    }

    /// For requests. Never an empty start, which gateways refuse.
    pub(super) fn window(&self) -> Option<(String, String)> {
        self.bounds.as_ref().map(|bounds| bounds.window.clone())
    }

    /// The leading digits of where it begins: it tells places of a partition apart, also after a split.
    pub(super) fn name(&self) -> &str {
        self.bounds
            .as_ref()
            .map_or(WHOLE_PARTITION, |bounds| &bounds.name)
    }

    pub(super) fn is_begun(&self) -> bool {
        self.pages > 0
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match (&self.bounds, &other.bounds) {
            (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
            _ => true,
        }
    }
}

/// A hash range as numbers.
struct Space {
    hashing: Hashing,
    min: u128,
    max: u128,
    /// How the partition itself writes its bounds.
    texts: [String; 2],
}

impl Space {
    fn of(stratum: &Stratum, hashing: Hashing) -> Option<Self> {
        let (min, max) = stratum.bounds()?;
        let (low, high) = match hashing {
            Hashing::V2 => (number(&min), number(&max).min(END_V2)),
            Hashing::V1 => {
                let end = if max == Epk::MAX {
                    END_V1
                } else {
                    epk::hash_v1_at(&max)?.into()
                };
                (epk::hash_v1_at(&min)?.into(), end)
            }
        };
        (low < high).then(|| Self {
            hashing,
            min: low,
            max: high,
            texts: [min.to_string(), max.to_string()],
        })
    }

    fn text(&self, at: u128) -> String {
        match self.hashing {
            Hashing::V2 => format!("{at:032X}"),
            Hashing::V1 => {
                let [min, max] = &self.texts;
                match u32::try_from(at) {
                    _ if at == self.max => max.clone(),
                    _ if at == self.min && !min.is_empty() => min.clone(),
                    Ok(hash) => epk::start_of_hash_v1(hash).to_string(),
                    Err(_) => Epk::MAX.to_string(),
                }
            }
        }
    }

    fn place(&self, start: u128, end: u128) -> Place {
        let leading = match self.hashing {
            Hashing::V2 => start >> 96,
            Hashing::V1 => start,
        };
        Place::of(Some(Bounds {
            start,
            end,
            window: (self.text(start), self.text(end)),
            name: format!("{leading:08X}"),
        }))
    }
}

/// A partition in parts that together are all of it: of each of `wanted` equal slices the rest from a place on that is
/// drawn, up to the place drawn in the next slice; what lies before the first place comes last.
pub(super) fn of(stratum: &Stratum, wanted: u64, hashing: Hashing, seed: u64) -> Vec<Place> {
    let Some(space) = Space::of(stratum, hashing) else {
        return vec![Place::whole()];
    };
    let stream = stratum.id.bytes().fold(0_u64, |all, byte| {
        all.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random::new(seed, stream);
    let wanted = u128::from(wanted.max(1));
    let slice = (space.max - space.min) / wanted;
    if slice == 0 {
        return vec![Place::whole()];
    }
    let starts: Vec<u128> = (0..wanted)
        .map(|at| space.min + slice * at + within(&mut random, slice))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([space.max]);
    let mut places: Vec<Place> = starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| space.place(start, end))
        .collect();
    if let Some(first) = starts.first().filter(|first| **first > space.min) {
        places.push(space.place(space.min, *first));
    }
    places
}

/// Some of the places read whole documents, evenly among the others.
pub(super) fn share_out(places: &mut [Place], whole: u64, narrow: u64) {
    let all = (whole + narrow).max(1);
    for (at, place) in (0..).zip(places) {
        let is_whole = (at + 1) * whole / all > at * whole / all;
        place.reads = if is_whole && at < all {
            Reads::Whole
        } else {
            Reads::Narrow
        };
    }
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
