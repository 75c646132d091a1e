//! The keys that load a partition, joined with their sizes and with where they ought to lie.

use std::collections::HashMap;

use crate::analysis::heat::keys::KeyShare;
use crate::analysis::heat::placement::disagreement;
use crate::model::key::Key;
use crate::model::load::RuKey;

use super::build::HeatInputs;
use super::{HashPlace, KeyHeat, KeyOf};

/// Sizes and texts by container and canonical text, looked up in one pass over all keys.
pub(super) type Sizes<'a> = HashMap<(u32, &'a str), (Box<str>, f64, f64)>;

/// The key's JSON text as far as the RU log alone tells it.
pub(super) fn key_of(from: HeatInputs<'_>, key: RuKey) -> KeyOf {
    match key {
        RuKey::Named(number) => {
            let canonical = from.capture.load.keys.text(number);
            let key = Key::from_canonical(canonical).or_else(|| Key::from_cell(canonical));
            key.map_or(KeyOf::NotReported, |key| KeyOf::Named(key.json().into()))
        }
        RuKey::NotReported => KeyOf::NotReported,
        RuKey::Other => KeyOf::Others,
    }
}

pub(super) fn canonical(from: HeatInputs<'_>, key: RuKey) -> Option<&str> {
    match key {
        RuKey::Named(number) => Some(from.capture.load.keys.text(number)),
        RuKey::NotReported | RuKey::Other => None,
    }
}

/// Sizes of the keys wanted; a key that the statistics do not report is not among them.
pub(super) fn find_sizes<'a>(from: HeatInputs<'a>, wanted: &mut Sizes<'a>) {
    let mut left = wanted.len();
    for (id, view) in from.capture.sizes.iter() {
        if left == 0 {
            break;
        }
        let place = (view.container(), view.canonical());
        if let Some(held) = wanted.get_mut(&place)
            && let Some((row, _)) = from.lookups.key_row(from.capture, id)
        {
            *held = (row.key.unwrap_or_default(), row.size_kib, row.share);
            left -= 1;
        }
    }
    wanted.retain(|_, (json, ..)| !json.is_empty());
}

/// Where a key ought to lie, and whether that is where it was logged.
fn place(from: HeatInputs<'_>, number: u32, load: &KeyShare, logged_on: u32) -> Option<HashPlace> {
    let places = &from.lookups.places;
    let (owner, how) = places.owner(number, canonical(from, load.key)?)?;
    let heat = from.heat.container(number)?;
    let partition = heat.partitions.iter().find(|p| p.known == Some(owner));
    let known = from.capture.container(number)?.partitions.get(owner)?;
    let logged = [(logged_on, load.ru)];
    let odd = disagreement(heat, number, load.key, &logged, from.capture, places);
    Some(HashPlace {
        partition: partition.map_or(&*known.id, |p| p.named.text()).to_owned(),
        how: how.words(),
        agrees: odd.is_none(),
    })
}

/// A key with all that is known of it.
pub(super) fn key_heat(
    from: HeatInputs<'_>,
    number: u32,
    load: KeyShare,
    sizes: &Sizes<'_>,
    logged_on: u32,
) -> KeyHeat {
    let canonical = canonical(from, load.key);
    let found = canonical.and_then(|c| sizes.get(&(number, c)));
    KeyHeat {
        key: match found {
            // Its numbers as they were found in the statistics, as the other reports have them.
            Some((json, ..)) => KeyOf::Named(json.clone()),
            None => key_of(from, load.key),
        },
        size: found.map(|(_, kib, share)| (*kib, *share)),
        place: place(from, number, &load, logged_on),
        load,
    }
}
