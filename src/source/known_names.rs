//! Names of containers and regions as numbers, remembered by each worker so that it rarely asks for the lock.

use std::collections::HashMap;

use super::columns::{Field, LogRow};
use crate::model::capture::{CaptureBuilder, placed_by_resource_id};
use crate::model::names::{ContainerName, is_same};

/// Places of the index; a power of two.
const PLACES: usize = 1 << 13;
/// Containers remembered: at half the places a search stays short.
const MAX_KNOWN: usize = PLACES / 2;

/// A container's parts as they stood in the log, one after the other.
#[derive(Clone, Debug)]
struct NameParts {
    parts: Box<str>,
    /// Where each part ends; a missing one is told from an empty one by `u32::MAX`.
    ends: [u32; 4],
    number: u32,
}

const MISSING: u32 = u32::MAX;

/// What one worker has met.
pub struct KnownNames<'b> {
    builder: &'b CaptureBuilder,
    known: Vec<NameParts>,
    /// hash << 16 | index into `known` + 1, 0 = free.
    places: Vec<u64>,
    regions: HashMap<String, u16, foldhash::fast::RandomState>,
}

impl<'b> KnownNames<'b> {
    pub fn new(builder: &'b CaptureBuilder) -> Self {
        let (known, places) = (Vec::new(), vec![0; PLACES]);
        Self {
            builder,
            known,
            places,
            regions: HashMap::default(),
        }
    }

    /// The numbers of a row's container and region; None where there are more than one import can hold.
    pub fn numbers(&mut self, row: &LogRow<'_>) -> Option<(u32, u16)> {
        Some((self.container(row)?, self.region(row)?))
    }

    fn container(&mut self, row: &LogRow<'_>) -> Option<u32> {
        let account = row.filled(Field::Account);
        let resource = match account {
            Some(_) => None,
            None => row
                .filled(Field::ResourceId)
                .or(row.filled(Field::Resource)),
        };
        let parts = [
            account,
            resource,
            row.filled(Field::Database),
            row.filled(Field::Container),
        ];
        let hash = cheap_hash(parts) << 16;
        let mut place = usize::try_from(hash >> 40).unwrap_or(0) % PLACES;
        loop {
            let held = self.places.get(place).copied().unwrap_or(0);
            if held == 0 {
                break;
            }
            let index = usize::try_from(held & 0xFFFF).unwrap_or(0).wrapping_sub(1);
            if held & !0xFFFF == hash
                && let Some(known) = self.known.get(index)
                && known.is(parts)
            {
                return Some(known.number);
            }
            place = (place + 1) % PLACES;
        }
        let from_resource = resource.map(|r| {
            r.trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or(r)
                .to_lowercase()
        });
        let name = ContainerName::new(account.or(from_resource.as_deref()), parts[2], parts[3]);
        let number = self.builder.container(&name)?;
        let id = row.filled(Field::ResourceId);
        if let Some(placed) = id.and_then(placed_by_resource_id) {
            self.builder.place_account(placed);
        }
        if self.known.len() < MAX_KNOWN
            && let Some(free) = self.places.get_mut(place)
        {
            self.known.push(NameParts::new(parts, number));
            *free = hash | self.known.len() as u64;
        }
        Some(number)
    }

    fn region(&mut self, row: &LogRow<'_>) -> Option<u16> {
        let text = row.filled(Field::Region).unwrap_or_default();
        if let Some(number) = self.regions.get(text) {
            return Some(*number);
        }
        let number = self.builder.region(text)?;
        self.regions.insert(text.to_owned(), number);
        Some(number)
    }
}

impl NameParts {
    fn new(parts: [Option<&str>; 4], number: u32) -> Self {
        let mut text = String::new();
        let ends = parts.map(|part| {
            text.push_str(part.unwrap_or_default());
            part.map_or(MISSING, |_| u32::try_from(text.len()).unwrap_or(MISSING))
        });
        Self {
            parts: text.into(),
            ends,
            number,
        }
    }

    fn holds(&self, from: usize, end: u32, part: &str) -> bool {
        let held = self.parts.as_bytes().get(from..end as usize);
        held.is_some_and(|held| is_same(held, part.as_bytes()))
    }

    fn is(&self, parts: [Option<&str>; 4]) -> bool {
        let mut from = 0;
        for (part, end) in parts.into_iter().zip(self.ends) {
            match part {
                None if end == MISSING => {}
                Some(part) if end != MISSING && self.holds(from, end, part) => from = end as usize,
                _ => return false,
            }
        }
        true
    }
}

/// Only spreads names over the places: the last bytes of each part, where names of one account differ.
fn cheap_hash(parts: [Option<&str>; 4]) -> u64 {
    let mut hash = 0_u64;
    for part in parts {
        let bytes = part.unwrap_or_default().as_bytes();
        let half = |chunk: Option<&[u8; 4]>| chunk.map_or(0, |c| u64::from(u32::from_le_bytes(*c)));
        let tail = match bytes.last_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None if bytes.len() >= 4 => half(bytes.first_chunk()) | half(bytes.last_chunk()) << 32,
            None => bytes.iter().fold(0, |n, b| (n << 8) | u64::from(*b)),
        };
        hash = (hash ^ tail ^ (bytes.len() as u64))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_part_and_an_empty_one_differ() {
        let known = NameParts::new([Some("a"), None, Some(""), Some("bc")], 7);
        assert!(known.is([Some("a"), None, Some(""), Some("bc")]));
        for other in [
            [Some("a"), Some(""), Some(""), Some("bc")],
            [Some("a"), None, None, Some("bc")],
            [Some("a"), None, Some("b"), Some("c")],
            [None, Some("a"), Some(""), Some("bc")],
        ] {
            assert!(!known.is(other), "{other:?}");
        }
    }
}
