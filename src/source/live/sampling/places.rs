//! Places in a partition's hash range at which reading begins, drawn from a seed: the first keys alone are no sample.

use std::collections::BTreeMap;

use super::strata::{self, Stratum};
use crate::model::epk::{self, Epk};
use crate::model::units::real;
use crate::source::sampled::{KEY, WHOLE_PARTITION};
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
    /// The part of the partition's documents that it is taken to hold.
    pub share: f64,
    /// It holds one key, of which the share is known: no more is read of it.
    pub is_key: bool,
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
            share: 1.0,
            is_key: false,
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
            share: self.share,
            is_key: self.is_key,
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
            Hashing::V2 => {
                // It may end inside a first level, of which the hash alone is looked at here.
                let beyond = max.as_bytes().iter().skip(WIDTH / 2).any(|byte| *byte != 0);
                let high = number(&max).saturating_add(u128::from(beyond));
                (number(&min), high.min(END_V2))
            }
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

    /// Where a key lies; of a hierarchical one the place of its first level.
    fn at(&self, key: &Epk) -> Option<u128> {
        let at = match self.hashing {
            Hashing::V2 => number(key),
            Hashing::V1 => epk::hash_v1_at(key)?.into(),
        };
        (self.min..self.max).contains(&at).then_some(at)
    }

    fn text(&self, at: u128) -> String {
        match self.hashing {
            Hashing::V2 => match &self.texts {
                [_, max] if at == self.max => max.clone(),
                [min, _] if at == self.min && !min.is_empty() => min.clone(),
                _ => format!("{at:032X}"),
            },
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

    fn key(&self, at: u128, share: f64, reads: Reads) -> Place {
        Place {
            share,
            is_key: true,
            reads,
            ..self.named(format!("{KEY}{at:032X}"), at, at + 1)
        }
    }

    fn named(&self, name: String, start: u128, end: u128) -> Place {
        Place::of(Some(Bounds {
            start,
            end,
            window: (self.text(start), self.text(end)),
            name,
        }))
    }

    fn place(&self, start: u128, end: u128) -> Place {
        let leading = match self.hashing {
            Hashing::V2 => start >> 96,
            Hashing::V1 => start,
        };
        self.named(format!("{leading:08X}"), start, end)
    }
}

/// A key that is read by itself, and the part of its partition that it holds.
#[derive(Clone, Debug)]
pub(super) struct LargeKey {
    pub epk: Epk,
    pub share: f64,
    pub reads: Reads,
}

impl LargeKey {
    /// Whole documents that come of it in a sample of so many.
    pub(super) fn whole(&self, quota: u64) -> u64 {
        match self.reads {
            Reads::Whole => strata::part_of(quota, self.share),
            Reads::Narrow => 0,
        }
    }
}

/// Cuts large keys out of the places of their partition, each a place of its own. Without that a key of many documents
/// would give as many as any other part of the hash range, and far too few.
pub(super) fn set_apart(
    places: Vec<Place>,
    keys: &[LargeKey],
    stratum: &Stratum,
    hashing: Hashing,
) -> Vec<Place> {
    let space = Space::of(stratum, hashing);
    let is_cut = places.iter().all(|place| place.bounds.is_some());
    let Some(space) = space.filter(|_| is_cut) else {
        return places;
    };
    let mut shares: BTreeMap<u128, (f64, Reads)> = BTreeMap::new();
    for key in keys {
        if let Some(at) = space.at(&key.epk) {
            shares.entry(at).or_insert((0.0, key.reads)).0 += key.share;
        }
    }
    let mut apart = Vec::new();
    for place in places {
        let Some(bounds) = &place.bounds else {
            apart.push(place);
            continue;
        };
        // A name of its own for each, which does not tell the hash of the key before it.
        let piece = |number: usize, start, end| {
            let name = match number {
                0 => bounds.name.clone(),
                number => format!("{}-{number}", bounds.name),
            };
            Place {
                reads: place.reads,
                ..space.named(name, start, end)
            }
        };
        let cuts = shares.range(bounds.start..bounds.end).map(|(at, _)| *at);
        let mut start = bounds.start;
        for (number, cut) in (0..).zip(cuts.chain([bounds.end])) {
            apart.extend((start < cut).then(|| piece(number, start, cut)));
            start = cut.saturating_add(1);
        }
    }
    let others = apart.len();
    let of_keys: f64 = shares.values().map(|(share, _)| share).sum();
    let of_each = (1.0 - of_keys).max(0.0) / real(others.max(1) as u64);
    for place in &mut apart {
        place.share = of_each;
    }
    let keys = shares.into_iter();
    apart.extend(keys.map(|(at, (share, reads))| space.key(at, share, reads)));
    apart
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
        let before = space.place(space.min, *first);
        let name = format!("{}-before", before.name());
        places.push(space.named(name, space.min, *first));
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
