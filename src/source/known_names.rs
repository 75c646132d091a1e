//! Names of containers and regions as numbers, remembered by each worker so that it rarely asks for the lock.

use std::collections::HashMap;

use super::columns::{Field, Row};
use crate::model::capture::CaptureBuilder;
use crate::model::names::ContainerName;

/// Containers a worker finds again without asking for the lock.
const CONTAINER_SLOTS: usize = 1024;

#[derive(Clone, Debug)]
struct KnownContainer {
    parts: [Option<Box<str>>; 4],
    number: u32,
}

/// What one worker has met.
pub struct KnownNames<'b> {
    builder: &'b CaptureBuilder,
    containers: Vec<Option<KnownContainer>>,
    regions: HashMap<String, u16, foldhash::fast::RandomState>,
}

impl<'b> KnownNames<'b> {
    pub fn new(builder: &'b CaptureBuilder) -> Self {
        Self {
            builder,
            containers: vec![None; CONTAINER_SLOTS],
            regions: HashMap::default(),
        }
    }

    /// The numbers of a row's container and region; None where there are more than one import can hold.
    pub fn numbers(&mut self, row: &Row<'_>) -> Option<(u32, u16)> {
        Some((self.container(row)?, self.region(row)?))
    }

    fn container(&mut self, row: &Row<'_>) -> Option<u32> {
        let account = row.filled(Field::Account);
        let resource = if account.is_some() {
            None
        } else {
            row.filled(Field::ResourceId)
                .or(row.filled(Field::Resource))
        };
        let parts = [
            account,
            resource,
            row.filled(Field::Database),
            row.filled(Field::Container),
        ];
        let slot = self
            .containers
            .get_mut(cheap_hash(parts) % CONTAINER_SLOTS)?;
        if let Some(known) = slot
            && known
                .parts
                .iter()
                .zip(parts)
                .all(|(held, part)| held.as_deref() == part)
        {
            return Some(known.number);
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
        *slot = Some(KnownContainer {
            parts: parts.map(|p| p.map(Box::from)),
            number,
        });
        Some(number)
    }

    fn region(&mut self, row: &Row<'_>) -> Option<u16> {
        let text = row.filled(Field::Region).unwrap_or_default();
        if let Some(number) = self.regions.get(text) {
            return Some(*number);
        }
        let number = self.builder.region(text)?;
        self.regions.insert(text.to_owned(), number);
        Some(number)
    }
}

/// Only spreads names over the slots: the last bytes of each part, where names of one account differ.
fn cheap_hash(parts: [Option<&str>; 4]) -> usize {
    let mut hash = 0_u64;
    for part in parts {
        let bytes = part.unwrap_or_default().as_bytes();
        let tail = bytes.last_chunk::<8>().map_or_else(
            || bytes.iter().fold(0, |n, b| (n << 8) | u64::from(*b)),
            |chunk| u64::from_le_bytes(*chunk),
        );
        hash = (hash ^ tail ^ (bytes.len() as u64))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    usize::try_from(hash >> 40).unwrap_or(0)
}
