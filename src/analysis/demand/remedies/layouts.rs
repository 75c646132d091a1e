//! Other hash ranges and other keys: splits, and keys spread by suffixes.

use super::{
    Case, NEW_CONTAINER, Question, Remedy, SPLIT_HOURS, capacities, partitions_text, ru_text,
};
use crate::analysis::demand::least::is_cured;
use crate::analysis::demand::outcome::{LoadRoute, StepLoad, routed};
use crate::analysis::demand::{CurrentLoad, DemandKey, Keyless, Requester};
use crate::analysis::placement::{Layout, PlacedWeight, SplitPoint};
use crate::model::epk::epk;
use crate::model::key::{Key, KeyDefinition, Part};

/// Suffixes tried for a key, the least that fixes it is shown.
pub const SUFFIXES: [u32; 6] = [2, 5, 10, 20, 50, 100];
/// Between a key and its suffix, as in `tenant.7`.
pub const SEPARATOR: char = '.';
/// Beyond this part of the RU, requests whose keys are unknown leave open what a split would do.
const UNKNOWN_SHARE: f64 = 0.05;

impl CurrentLoad {
    /// RU by the place of each key.
    pub(in crate::analysis::demand) fn weights(&self) -> Vec<PlacedWeight> {
        let keys = self.demand.ru_by_key().into_iter();
        let weight = |(key, ru): (usize, f64)| Some((self.demand.keys.get(key)?.epk.clone()?, ru));
        keys.filter_map(weight).collect()
    }

    /// Where load goes in a layout made from the present one; None where too much of it has no known key.
    pub(super) fn route(&self, layout: &Layout) -> Option<LoadRoute> {
        if !self.can_follow(layout) {
            return None;
        }
        let mut children: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.partitions.len()];
        for (at, span) in (0_u32..).zip(layout.spans()) {
            let part = match self.demand.keyless {
                Keyless::Everywhere => 1.0,
                Keyless::Divided | Keyless::Unknown => span.part(),
            };
            if let Some(list) = children.get_mut(span.from) {
                list.push((at, part));
            }
        }
        let owner = |key: &DemandKey| {
            let owner = key.epk.as_ref().and_then(|epk| layout.owner(epk));
            owner.and_then(|at| Some(vec![(u32::try_from(at).ok()?, 1.0)]))
        };
        let keys = self.demand.keys.iter();
        Some(LoadRoute {
            keys: keys.map(|k| owner(k).unwrap_or_default()).collect(),
            keyless: children,
        })
    }

    fn can_follow(&self, layout: &Layout) -> bool {
        let loads = self.demand.loads.iter();
        let total: f64 = loads.clone().map(|l| l.ru_per_second).sum();
        let lost = loads.filter(|load| match load.requester {
            Requester::Key(key) => {
                let key = self.demand.keys.get(key as usize);
                let epk = key.and_then(|k| k.epk.as_ref());
                epk.is_none_or(|epk| layout.owner(epk).is_none())
            }
            Requester::Keyless => self.demand.keyless == Keyless::Unknown,
        });
        lost.map(|l| l.ru_per_second).sum::<f64>() <= total * UNKNOWN_SHARE
    }
}

impl Question<'_> {
    /// The hot partition split, and all of them.
    pub(super) fn splits(&self) -> [Remedy; 2] {
        let count = self.now.partitions.len();
        let weights = self.now.weights();
        let hot = self
            .hot
            .map_or_else(|| self.fullest(), |place| place as usize);
        let split = |layout: &Layout, definition: &KeyDefinition| {
            layout.split(hot, &weights, definition, SplitPoint::Data)
        };
        let doubled = |layout: &Layout, definition: &KeyDefinition| {
            layout.doubled(&weights, definition, SplitPoint::Data)
        };
        [
            self.split_row("split-hot", "the hot partition split", count + 1, split),
            self.split_row("split-all", "every partition split", count * 2, doubled),
        ]
    }

    fn fullest(&self) -> usize {
        let loads = super::highest(&self.now.loads, self.now.partitions.len());
        let loads = loads.iter().enumerate();
        let highest = loads.reduce(|held, found| if found.1 > held.1 { found } else { held });
        highest.map_or(0, |(place, _)| place)
    }

    fn split_row(
        &self,
        name: &str,
        what: &str,
        count: usize,
        change: impl Fn(&Layout, &KeyDefinition) -> Layout,
    ) -> Remedy {
        let ru = self.now.partitions.provisioned;
        let changed = self.changed(change);
        let words = format!(
            "{what}, {} on {}",
            ru.map_or_else(|| "the same RU/s".to_owned(), ru_text),
            partitions_text(count)
        );
        let given = changed.as_ref().map(|(layout, loads)| {
            let given = capacities(self.now, ru.unwrap_or(0.0), layout.len());
            (loads, given)
        });
        let case = given
            .as_ref()
            .map(|(loads, capacities)| Case { loads, capacities });
        self.row(name, words, case, ru, SPLIT_HOURS)
    }

    fn changed(
        &self,
        change: impl Fn(&Layout, &KeyDefinition) -> Layout,
    ) -> Option<(Layout, Vec<StepLoad>)> {
        let partitions = &self.now.partitions;
        let layout = change(partitions.layout.as_ref()?, partitions.definition.as_ref()?);
        let route = self.now.route(&layout)?;
        let loads = routed(&self.now.demand.loads, &route, layout.len());
        Some((layout, loads))
    }

    /// The least number of suffixes that fixes it, else the best; what is left of the layout and its RU/s stays.
    pub(super) fn suffixes(&self, capacities: &[f64]) -> Option<Remedy> {
        let mut best: Option<Remedy> = None;
        for count in SUFFIXES {
            let route = self.suffix_route(count)?;
            let loads = routed(&self.now.demand.loads, &route, capacities.len());
            let found = self.suffix_row(count, &loads, capacities);
            let high = |row: &Remedy| row.throttled.map_or(1.0, |t| t.high);
            let is_fixed = is_cured(high(&found), self.cured);
            if best.as_ref().is_none_or(|held| high(&found) < high(held)) {
                best = Some(found);
            }
            if is_fixed {
                break;
            }
        }
        best
    }

    fn suffix_row(&self, count: u32, loads: &[StepLoad], capacities: &[f64]) -> Remedy {
        let whose = match self.blamed {
            [_] => "the key".to_owned(),
            several => format!("each of the {} keys to blame", several.len()),
        };
        let words = format!("{whose} with {count} suffixes, such as key{SEPARATOR}{count}");
        let case = Case { loads, capacities };
        let ru = self.now.partitions.provisioned;
        self.row(
            format!("suffixes-{count}"),
            words,
            Some(case),
            ru,
            NEW_CONTAINER,
        )
    }

    /// Where the keys to blame go with so many suffixes; None without one, or where their places are not known.
    pub(super) fn suffix_route(&self, count: u32) -> Option<LoadRoute> {
        let partitions = &self.now.partitions;
        let (layout, definition) = (partitions.layout.as_ref()?, partitions.definition.as_ref()?);
        if self.blamed.is_empty() {
            return None;
        }
        let mut keys = vec![Vec::new(); self.now.demand.keys.len()];
        for key in self.blamed {
            let canonical = &self.now.demand.keys.get(*key)?.canonical;
            let targets: &mut Vec<(u32, f64)> = keys.get_mut(*key)?;
            for number in 1..=count {
                let place = place_of(&suffixed(canonical, number)?, layout, definition)?;
                let part = f64::from(count).recip();
                match targets.iter_mut().find(|(at, _)| *at == place) {
                    Some(held) => held.1 += part,
                    None => targets.push((place, part)),
                }
            }
        }
        Some(LoadRoute {
            keys,
            keyless: Vec::new(),
        })
    }
}

/// The partition of a key.
fn place_of(key: &Key, layout: &Layout, definition: &KeyDefinition) -> Option<u32> {
    let at = layout.owner(&epk(key.parts(), definition)?)?;
    u32::try_from(layout.spans().get(at)?.from).ok()
}

/// `tenant` and 7: `tenant.7`. Of a hierarchical key the first part, since it decides where the key lies.
fn suffixed(canonical: &str, number: u32) -> Option<Key> {
    let key = Key::from_canonical(canonical)?;
    let (first, rest) = key.parts().split_first()?;
    let text = match first {
        Part::Text(text) => text.to_string(),
        Part::Undefined => String::new(),
        Part::Null | Part::Bool(_) | Part::Number(_) | Part::Other(_) => {
            let alone = Key::from(vec![first.clone()]).canonical();
            alone.trim_matches(['[', ']']).to_owned()
        }
    };
    let mut parts = vec![Part::Text(format!("{text}{SEPARATOR}{number}").into())];
    parts.extend(rest.iter().cloned());
    Some(Key::from(parts))
}
