//! Names of containers and regions as numbers, remembered by each worker so that it rarely asks for the lock.

use super::columns::{Field, LogRow, text};
use crate::model::capture::{CaptureBuilder, placed_by_resource_id};
use crate::model::names::{ContainerName, is_same};

/// Places of the index at first, a power of two: a small one stays in the nearest memory.
const PLACES: usize = 1 << 8;
/// Containers remembered, each with its regions.
const MAX_KNOWN: usize = 1 << 13;
/// What names a row's container, and its region.
const PARTS: usize = 5;

type Parts<'a> = [Option<&'a [u8]>; PARTS];

/// A row's names as they stood in the log, one after the other.
#[derive(Clone, Debug)]
struct NameParts {
    parts: Box<[u8]>,
    /// The bytes of each part; a missing one is told from an empty one by `MISSING`.
    lengths: [u32; PARTS],
    container: u32,
    region: u16,
}

const MISSING: u32 = u32::MAX;

/// What one worker has met.
pub struct KnownNames<'b> {
    builder: &'b CaptureBuilder,
    known: Vec<NameParts>,
    /// hash << 16 | index into `known` + 1, 0 = free.
    places: Vec<u64>,
}

impl<'b> KnownNames<'b> {
    pub fn new(builder: &'b CaptureBuilder) -> Self {
        Self { builder, known: Vec::new(), places: vec![0; PLACES] }
    }

    /// The numbers of a row's container and region; None where there are more than one import can hold.
    pub fn numbers(&mut self, row: &LogRow<'_>) -> Option<(u32, u16)> {
        let account = row.filled(Field::Account);
        let resource = match account {
            Some(_) => None,
            None => row.filled(Field::ResourceId).or(row.filled(Field::Resource)),
        };
        let parts = [
            account,
            resource,
            row.filled(Field::Database),
            row.filled(Field::Container),
            row.filled(Field::Region),
        ];
        let lengths = lengths(parts);
        let hash = cheap_hash(parts) << 16;
        let mut place = self.home(hash);
        loop {
            let held = self.places.get(place).copied().unwrap_or(0);
            if held == 0 {
                break;
            }
            let index = usize::try_from(held & 0xFFFF).unwrap_or(0).wrapping_sub(1);
            if held & !0xFFFF == hash
                && let Some(known) = self.known.get(index)
                && known.lengths == lengths
                && known.is(parts)
            {
                return Some((known.container, known.region));
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        let (container, region) = self.new_numbers(row, parts)?;
        if self.known.len() < MAX_KNOWN
            && let Some(free) = self.places.get_mut(place)
        {
            self.known.push(NameParts {
                parts: parts.into_iter().flatten().flatten().copied().collect(),
                lengths,
                container,
                region,
            });
            *free = hash | self.known.len() as u64;
            self.make_room();
        }
        Some((container, region))
    }

    fn home(&self, held: u64) -> usize {
        usize::try_from(held >> 40).unwrap_or(0) & (self.places.len() - 1)
    }

    /// At half the places a search stays short.
    fn make_room(&mut self) {
        if self.known.len() * 2 < self.places.len() {
            return;
        }
        let places = vec![0; self.places.len() * 2];
        for held in std::mem::replace(&mut self.places, places) {
            let mut place = self.home(held);
            while self.places.get(place).is_some_and(|other| *other != 0) {
                place = (place + 1) & (self.places.len() - 1);
            }
            if let Some(free) = self.places.get_mut(place) {
                *free = held;
            }
        }
    }

    fn new_numbers(&self, row: &LogRow<'_>, parts: Parts<'_>) -> Option<(u32, u16)> {
        let [account, resource, database, container, region] = parts.map(|part| part.map(text));
        let from_resource = resource
            .map(|r| r.trim_end_matches('/').rsplit('/').next().unwrap_or(r).to_lowercase());
        let name = ContainerName::new(account.or(from_resource.as_deref()), database, container);
        let number = self.builder.container(&name)?;
        let id = row.text(Field::ResourceId);
        if let Some(placed) = id.and_then(placed_by_resource_id) {
            self.builder.place_account(placed);
        }
        Some((number, self.builder.region(region.unwrap_or_default())?))
    }
}

fn lengths(parts: Parts<'_>) -> [u32; PARTS] {
    parts.map(|part| part.map_or(MISSING, |p| u32::try_from(p.len()).unwrap_or(MISSING)))
}

impl NameParts {
    /// Whether it holds these parts, whose lengths are those of its own.
    fn is(&self, parts: Parts<'_>) -> bool {
        let mut rest = &*self.parts;
        parts.into_iter().flatten().all(|part| {
            let Some((held, behind)) = rest.split_at_checked(part.len()) else {
                return false;
            };
            rest = behind;
            is_same(held, part)
        })
    }
}

/// Only spreads names over the places: the last bytes of each part, where names of one account differ.
fn cheap_hash(parts: Parts<'_>) -> u64 {
    /// Odd numbers without a pattern, so that equal parts of different kinds do not meet.
    const FACTORS: [u64; PARTS] = [
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
        0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5,
    ];
    let mut hash = 0_u64;
    for (part, factor) in parts.into_iter().zip(FACTORS) {
        let bytes = part.unwrap_or_default();
        let half = |chunk: Option<&[u8; 4]>| chunk.map_or(0, |c| u64::from(u32::from_le_bytes(*c)));
        let tail = match bytes.last_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None if bytes.len() >= 4 => half(bytes.first_chunk()) | half(bytes.last_chunk()) << 32,
            None => bytes.iter().fold(0, |n, b| (n << 8) | u64::from(*b)),
        };
        let product = (tail ^ (bytes.len() as u64)).wrapping_mul(factor);
        hash = hash.wrapping_add(product ^ (product >> 32));
    }
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_part_and_an_empty_one_differ() {
        let of = |parts: [Option<&'static str>; PARTS]| parts.map(|part| part.map(str::as_bytes));
        let parts = of([Some("a"), None, Some(""), Some("bc"), Some("north")]);
        let known = NameParts {
            parts: parts.into_iter().flatten().flatten().copied().collect(),
            lengths: lengths(parts),
            container: 7,
            region: 1,
        };
        let is = |other| known.lengths == lengths(other) && known.is(other);
        assert!(is(parts));
        for other in [
            [Some("a"), Some(""), Some(""), Some("bc"), Some("north")],
            [Some("a"), None, None, Some("bc"), Some("north")],
            [Some("a"), None, Some("b"), Some("c"), Some("north")],
            [None, Some("a"), Some(""), Some("bc"), Some("north")],
            [Some("a"), None, Some(""), Some("bc"), Some("south")],
            [Some("a"), None, Some(""), Some("bc"), None],
        ] {
            assert!(!is(of(other)), "{other:?}");
        }
    }

    #[test]
    fn many_names_stay_known_apart() {
        let builder = CaptureBuilder::new(1);
        let mut known = KnownNames::new(&builder);
        let texts: Vec<String> = (0..3_000).map(|n| format!("container-{n}")).collect();
        let mut numbers = || -> Vec<_> {
            let number = |text: &String| {
                let mut row = LogRow::default();
                row.put(Field::Account, b"shop");
                row.put(Field::Container, text.as_bytes());
                known.numbers(&row)
            };
            texts.iter().map(number).collect()
        };
        let first = numbers();
        let different: std::collections::BTreeSet<_> = first.iter().flatten().collect();
        assert_eq!(different.len(), texts.len());
        assert_eq!(numbers(), first);
    }
}
