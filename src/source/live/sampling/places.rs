//! Places in a partition's hash range at which reading begins, drawn from a seed: the first keys alone are no sample.

use super::strata::{self, Stratum};
use crate::model::epk::{self, Epk};
use crate::model::units::real;
use crate::source::sampled::{KEY, STRETCH, WHOLE_PARTITION};
use crate::source::scenario::random::Random;

/// Bytes of one hash of version 2.
const LEVEL_BYTES: usize = 16;
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

/// Part of a hash range; its end is not included.
#[derive(Clone, PartialEq, Debug)]
struct Bounds {
    start: Epk,
    end: Epk,
    name: String,
}

/// A part of a partition's hash range, read from its start on.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Place {
    /// None where the partition is read as a whole.
    bounds: Option<Bounds>,
    pub reads: Reads,
    /// The part of the partition's documents that it is taken to hold.
    pub share: f64,
    /// It holds one key, of which the share is known: no more is read of it.
    pub is_key: bool,
    /// Only documents of these seconds are read, the end not included.
    pub seconds: Option<[i64; 2]>,
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
        Self { bounds, share: 1.0, ..Self::default() }
    }

    /// The same place, not read yet.
    pub(super) fn anew(&self, reads: Reads) -> Self {
        let Self { share, is_key, seconds, .. } = *self;
        Self { reads, share, is_key, seconds, ..Self::of(self.bounds.clone()) }
    }

    /// The same of a stretch of time, by which it is named first; of one key the name does not tell which.
    pub(super) fn over(&self, seconds: [i64; 2], number: usize, share: f64) -> Self {
        let mut bounds = self.bounds.clone();
        if let Some(bounds) = &mut bounds {
            let of = if self.is_key { format!("{KEY}{number}") } else { bounds.name.clone() };
            bounds.name = format!("{STRETCH}{:010}-{of}", seconds[0]);
        }
        Self { reads: self.reads, share, seconds: Some(seconds), ..Self::of(bounds) }
    }

    /// Both as one, where the other follows and neither was begun.
    pub(super) fn with(&self, next: &Self) -> Option<Self> {
        let is_plain = |place: &Self| !place.is_key && !place.is_begun();
        let (own, beyond) = self.bounds.as_ref().zip(next.bounds.as_ref())?;
        let follows = own.end == beyond.start && self.reads == next.reads;
        (follows && is_plain(self) && is_plain(next)).then(|| {
            let bounds = Some(Bounds { end: beyond.end.clone(), ..own.clone() });
            Self { reads: self.reads, share: self.share + next.share, ..Self::of(bounds) }
        })
    }

    /// For requests. Never an empty start, which gateways refuse.
    pub(super) fn window(&self) -> Option<(String, String)> {
        self.bounds.as_ref().map(|bounds| (bounds.start.to_string(), bounds.end.to_string()))
    }

    /// The leading digits of where it begins: it tells places of a partition apart, also after a split.
    pub(super) fn name(&self) -> &str {
        self.bounds.as_ref().map_or(WHOLE_PARTITION, |bounds| &bounds.name)
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

/// A hash range as numbers: of a hierarchical key the hashes of the first level that differs within the range.
struct Space {
    hashing: Hashing,
    /// The hashes of the levels before, which all its keys have in common.
    prefix: Vec<u8>,
    min: u128,
    max: u128,
    /// How the partition itself writes its bounds.
    ends: [Epk; 2],
}

impl Space {
    fn of(stratum: &Stratum, hashing: Hashing) -> Option<Self> {
        let (min, max) = stratum.bounds()?;
        let mut prefix = Vec::new();
        let (low, high) = match hashing {
            Hashing::V2 => {
                while let (Some(a), Some(b)) =
                    (level(&min, prefix.len()), level(&max, prefix.len()))
                    && a == b
                {
                    prefix.extend_from_slice(a);
                }
                // It may end inside a level, of which the hash alone is looked at here.
                let beyond = max.as_bytes().iter().skip(prefix.len() + LEVEL_BYTES);
                let beyond = u128::from(beyond.copied().any(|byte| byte != 0));
                let high = number(&max, prefix.len()).saturating_add(beyond);
                (number(&min, prefix.len()), high.min(END_V2))
            }
            Hashing::V1 => {
                let end = if max == Epk::MAX { END_V1 } else { epk::hash_v1_at(&max)?.into() };
                (epk::hash_v1_at(&min)?.into(), end)
            }
        };
        (low < high).then_some(Self { hashing, prefix, min: low, max: high, ends: [min, max] })
    }

    /// Where a key lies and where the next one could. None where it is of another partition.
    fn span(&self, key: &Epk) -> Option<(Epk, Epk)> {
        let (start, end) = match self.hashing {
            Hashing::V2 => (key.clone(), following(key)?),
            Hashing::V1 => {
                let hash = epk::hash_v1_at(key)?;
                let end = hash.checked_add(1).map(epk::start_of_hash_v1);
                (epk::start_of_hash_v1(hash), end.unwrap_or(Epk::MAX))
            }
        };
        let [min, max] = &self.ends;
        // Of two that are equal the key's: a window has no empty start.
        let start = if *min > start { min.clone() } else { start };
        let end = end.min(max.clone());
        (start < end).then_some((start, end))
    }

    fn bound(&self, at: u128) -> Epk {
        let [min, max] = &self.ends;
        if at == self.max {
            return max.clone();
        }
        if at == self.min && !min.as_bytes().is_empty() {
            return min.clone();
        }
        match (self.hashing, u32::try_from(at)) {
            (Hashing::V2, _) => {
                let mut bytes = self.prefix.clone();
                bytes.extend_from_slice(&at.to_be_bytes());
                bytes.into()
            }
            (Hashing::V1, Ok(hash)) => epk::start_of_hash_v1(hash),
            (Hashing::V1, Err(_)) => Epk::MAX,
        }
    }

    fn place(&self, start: u128, end: u128) -> Place {
        let leading = match self.hashing {
            Hashing::V2 => start >> 96,
            Hashing::V1 => start,
        };
        named(format!("{leading:08X}"), self.bound(start), self.bound(end))
    }
}

fn named(name: String, start: Epk, end: Epk) -> Place {
    Place::of(Some(Bounds { start, end, name }))
}

/// The hash of one level.
fn level(epk: &Epk, from: usize) -> Option<&[u8]> {
    epk.as_bytes().get(from..from + LEVEL_BYTES)
}

/// The place behind a key, and behind all keys that begin with it.
fn following(key: &Epk) -> Option<Epk> {
    let mut bytes = key.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        let (next, is_full) = byte.overflowing_add(1);
        *byte = next;
        if !is_full {
            return Some(bytes.into());
        }
    }
    None
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
    let spans = keys.iter().filter_map(|key| {
        let (start, end) = space.span(&key.epk)?;
        let (share, reads) = (key.share, key.reads);
        Some(SampleStart { start, end, share, reads })
    });
    let cuts = joined(spans.collect());
    let mut apart = Vec::new();
    for place in places {
        let Some(bounds) = &place.bounds else {
            continue;
        };
        let inside = cuts.iter().filter(|cut| cut.start < bounds.end && bounds.start < cut.end);
        let ends = inside.map(|cut| (&cut.start, &cut.end));
        let mut start = &bounds.start;
        for (number, (end, next)) in (0..).zip(ends.chain([(&bounds.end, &bounds.end)])) {
            if start < end {
                // A name of its own for each, which does not tell the hash of the key before it.
                let name = match number {
                    0 => bounds.name.clone(),
                    number => format!("{}-{number}", bounds.name),
                };
                apart.push(Place { reads: place.reads, ..named(name, start.clone(), end.clone()) });
            }
            start = start.max(next);
        }
    }
    let others = apart.len();
    let of_keys: f64 = cuts.iter().map(|cut| cut.share).sum();
    let of_each = (1.0 - of_keys).max(0.0) / real(others.max(1) as u64);
    for place in &mut apart {
        place.share = of_each;
    }
    apart.extend(cuts.into_iter().map(|cut| Place {
        share: cut.share,
        is_key: true,
        reads: cut.reads,
        ..named(format!("{KEY}{}", cut.start), cut.start, cut.end)
    }));
    apart
}

/// Where a large key lies.
struct SampleStart {
    start: Epk,
    end: Epk,
    share: f64,
    reads: Reads,
}

/// Those that lie within one another are one.
fn joined(mut cuts: Vec<SampleStart>) -> Vec<SampleStart> {
    cuts.sort_by(|a, b| a.start.cmp(&b.start));
    let mut joined: Vec<SampleStart> = Vec::new();
    for cut in cuts {
        match joined.last_mut() {
            Some(last) if cut.start < last.end => {
                last.share += cut.share;
                last.end = std::cmp::max(last.end.clone(), cut.end);
            }
            _ => joined.push(cut),
        }
    }
    joined
}

/// A partition in parts that together are all of it: of each of `wanted` equal slices the rest from a place on that is
/// drawn, up to the place drawn in the next slice; what lies before the first place comes last.
pub(super) fn of(stratum: &Stratum, wanted: u64, hashing: Hashing, seed: u64) -> Vec<Place> {
    let Some(space) = Space::of(stratum, hashing) else {
        return vec![Place::whole()];
    };
    let mut random = random_of(stratum, seed);
    let wanted = u128::from(wanted.max(1));
    let slice = (space.max - space.min) / wanted;
    if slice == 0 {
        return vec![Place::whole()];
    }
    let starts: Vec<u128> =
        (0..wanted).map(|at| space.min + slice * at + within(&mut random, slice)).collect();
    let ends = starts.iter().skip(1).copied().chain([space.max]);
    let mut places: Vec<Place> =
        starts.iter().copied().zip(ends).map(|(start, end)| space.place(start, end)).collect();
    if let Some(first) = starts.first().filter(|first| **first > space.min) {
        let mut before = space.place(space.min, *first);
        if let Some(bounds) = &mut before.bounds {
            bounds.name.push_str("-before");
        }
        places.push(before);
    }
    places
}

/// The chance of a partition.
pub(super) fn random_of(stratum: &Stratum, seed: u64) -> Random {
    let join = |all: u64, byte: u8| all.wrapping_mul(31).wrapping_add(u64::from(byte));
    Random::new(seed, stratum.id.bytes().fold(0, join))
}

/// Some of the places read whole documents, evenly among the others.
pub(super) fn share_out(places: &mut [Place], whole: u64, narrow: u64) {
    let all = (whole + narrow).max(1);
    for (at, place) in (0..).zip(places) {
        let is_whole = (at + 1) * whole / all > at * whole / all;
        place.reads = if is_whole && at < all { Reads::Whole } else { Reads::Narrow };
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

/// The bytes of one level as a number.
fn number(epk: &Epk, from: usize) -> u128 {
    let bytes = epk.as_bytes().iter().copied().skip(from);
    bytes
        .chain(std::iter::repeat(0))
        .take(LEVEL_BYTES)
        .fold(0, |all, byte| all << 8 | u128::from(byte))
}
