//! Where keys were logged against where they lie: a disagreement is shown, not hidden.

use std::collections::BTreeMap;

use crate::model::capture::Capture;
use crate::model::load::RuKey;

use super::super::places::{HowKnown, Places};
use super::ContainerHeat;

/// A key that was logged on a partition in which it does not lie.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaceDisagreement {
    pub key: RuKey,
    /// Partitions it was logged on, most RU first; those that agree included.
    pub logged: Vec<u32>,
    /// Where it lies.
    pub owner: u32,
    pub how: HowKnown,
}

impl PlaceDisagreement {
    /// `logged on 3, hash says 4`.
    pub fn text(&self, heat: &ContainerHeat) -> String {
        let name = |index: &u32| {
            let partition = heat.partitions.get(*index as usize);
            partition.map_or("", |p| p.named.text())
        };
        let logged: Vec<&str> = self.logged.iter().map(name).collect();
        let says = match self.how {
            HowKnown::Computed => "hash says",
            HowKnown::Listed => "the service lists it in",
        };
        format!("logged on {}, {says} {}", logged.join(", "), name(&self.owner))
    }
}

/// The keys of a container that were logged elsewhere than where they lie, in the order of their numbers.
pub fn disagreements(
    heat: &ContainerHeat,
    container: u32,
    capture: &Capture,
    places: &Places,
) -> Vec<PlaceDisagreement> {
    let mut logged: BTreeMap<RuKey, BTreeMap<u32, f64>> = BTreeMap::new();
    for cell in heat.keys.cells() {
        let by_partition = logged.entry(cell.key).or_default();
        *by_partition.entry(cell.partition).or_default() += cell.ru;
    }
    let found = logged.into_iter().filter_map(|(key, by_partition)| {
        let mut partitions: Vec<(u32, f64)> = by_partition.into_iter().collect();
        partitions.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        disagreement(heat, container, key, &partitions, capture, places)
    });
    found.collect()
}

/// `partitions` are those on which the key was logged, as in [`super::keys::KeyStory`].
pub fn disagreement(
    heat: &ContainerHeat,
    container: u32,
    key: RuKey,
    partitions: &[(u32, f64)],
    capture: &Capture,
    places: &Places,
) -> Option<PlaceDisagreement> {
    let RuKey::Named(number) = key else {
        return None;
    };
    let described = &capture.container(container)?.partitions;
    let (owner, how) = places.owner(container, capture.load.keys.text(number))?;
    let parents = &described.get(owner)?.parents;
    let range = |index: &u32| heat.partitions.get(*index as usize)?.named.range();
    // A log from before a split names the partition that the key lay in then.
    let is_parent = |index: &u32| range(index).is_some_and(|id| parents.iter().any(|p| p == id));
    let indices = partitions.iter().map(|(index, _)| *index);
    let logged: Vec<u32> = indices.filter(|index| range(index).is_some()).collect();
    if logged.iter().all(|index| *index as usize == owner || is_parent(index)) {
        return None;
    }
    Some(PlaceDisagreement { key, logged, owner: u32::try_from(owner).ok()?, how })
}
