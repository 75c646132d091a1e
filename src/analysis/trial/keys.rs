//! The key of a group: its parts for people, and its place in the hash space.

use crate::model::epk::{Epk, epk};
use crate::model::key::{Key, KeyDefinition, KeyVersion, Part};

use super::fold::Groups;
use crate::model::layout::Layout;

/// Two highest bits are not used by the hash of version 2.
const HASH_MASK: u128 = (1 << 126) - 1;
const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// A part of a group's key.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum KeyPart {
    Part(Part),
    /// Its text was not kept: only what tells it apart is known.
    Hash(u64),
}

impl KeyPart {
    fn shown(self) -> Part {
        match self {
            Self::Part(part) => part,
            Self::Hash(hash) => Part::Other(format!("{{\"hash\":\"{hash:016x}\"}}").into()),
        }
    }
}

impl Groups<'_> {
    /// The parts of a group of the first `depth` levels.
    pub fn known(&self, group: u32, depth: usize) -> Vec<KeyPart> {
        let mut at = group;
        let levels = self.levels.iter().zip(&self.depths).take(depth);
        let mut parts: Vec<KeyPart> = levels
            .rev()
            .map(|(level, pairs)| {
                let (before, value) = pairs.of(at);
                at = before;
                level.known(value)
            })
            .collect();
        parts.reverse();
        parts
    }

    pub fn key(&self, group: u32) -> Key {
        let parts = self.known(group, self.levels.len()).into_iter();
        parts.map(KeyPart::shown).collect::<Vec<Part>>().into()
    }

    /// Where a group of the first `depth` levels lies; false where that is by chance.
    pub fn place(&self, group: u32, depth: usize, definition: &KeyDefinition) -> (Epk, bool) {
        if definition.version == KeyVersion::V2 {
            return self.place_by_level(group, depth);
        }
        let mut is_computed = true;
        let part = |known: KeyPart| match known {
            KeyPart::Part(part) => part,
            KeyPart::Hash(hash) => {
                is_computed = false;
                Part::Text(format!("{hash:016x}").into())
            }
        };
        let parts: Vec<Part> = self.known(group, depth).into_iter().map(part).collect();
        match epk(&parts, definition) {
            Some(epk) => (epk, is_computed),
            None => (Epk::MIN, false),
        }
    }

    fn place_by_level(&self, group: u32, depth: usize) -> (Epk, bool) {
        // The hash of a level is that of a key of one level.
        let of_one = KeyDefinition::of_levels(1);
        let mut bytes = Vec::with_capacity(depth * 16);
        let mut is_computed = true;
        for part in self.known(group, depth) {
            let (hashed, hash) = match part {
                KeyPart::Part(part) => (epk(&[part], &of_one), 0),
                KeyPart::Hash(hash) => (None, hash),
            };
            if let Some(hashed) = hashed {
                bytes.extend_from_slice(hashed.as_bytes());
                continue;
            }
            is_computed = false;
            let spread = (u128::from(hash) << 64 | u128::from(hash)).wrapping_mul(SPREAD);
            bytes.extend_from_slice(&((spread ^ spread >> 61) & HASH_MASK).to_be_bytes());
        }
        (bytes.into(), is_computed)
    }
}

/// The layout of a new container.
pub(super) fn even(partitions: usize, levels: usize) -> Layout {
    Layout::even(partitions, &KeyDefinition::of_levels(levels))
}
