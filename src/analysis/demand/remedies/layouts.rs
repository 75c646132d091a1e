//! Other hash ranges and other keys: splits, and keys spread by suffixes.

use super::{
    Case, NEW_CONTAINER, Question, Remedy, SPLIT_HOURS, capacities, partitions_text, ru_text,
};
use crate::analysis::candidate::JOINT;
use crate::analysis::demand::least::{DemandSpread, ThroughputTerms, is_cured};
use crate::analysis::demand::outcome::{LoadRoute, StepLoad, most_throttled, routed};
use crate::analysis::demand::{CurrentLoad, Demand, DemandKey, DemandLoad, Keyless, Requester};
use crate::analysis::throttling::equal_share;
use crate::model::epk::epk;
use crate::model::key::{Key, KeyDefinition, Part};
use crate::model::layout::{Layout, PlacedWeight, SplitBy, SplitPoint};
use crate::model::throughput::{creation_ru, partitions_for_storage};
use crate::model::units::as_number;

/// Suffixes tried for a key, the least that fixes it is shown.
pub const SUFFIXES: [u32; 6] = [2, 5, 10, 20, 50, 100];
/// Suffixes of a date are judged by the mean over so many dates: each lies elsewhere.
const DATES: u32 = 32;
/// Partitions split at 50 GB, and none is as full as the next: of a new container with more than this in each, many do.
const FILLED: f64 = 0.7;
/// Beyond this part of the RU, requests whose keys are unknown leave open what a split would do.
const UNKNOWN_SHARE: f64 = 0.05;

impl CurrentLoad {
    /// RU by the place of each key.
    pub(in crate::analysis::demand) fn weights(&self) -> Vec<PlacedWeight> {
        let keys = self.demand.ru_by_key().into_iter();
        let weight = |(key, ru): (usize, f64)| Some((self.demand.keys.get(key)?.epk.clone()?, ru));
        keys.filter_map(weight).collect()
    }

    pub(super) fn route(&self, layout: &Layout) -> Option<LoadRoute> {
        self.demand.route(layout, self.partitions.len())
    }

    /// The demand on a new container with the key of today; None where too much of it has no known key.
    pub(super) fn in_new(&self, partitions: usize) -> Option<NewContainer> {
        let layout = Layout::even(partitions, self.partitions.definition.as_ref()?);
        if !self.demand.can_follow() {
            return None;
        }
        let owner = |key: &DemandKey| u32::try_from(layout.owner(key.epk.as_ref()?)?).ok();
        let keys: Vec<_> = self.demand.keys.iter().map(owner).collect();
        let even = as_number(partitions).recip();
        // What every partition gets of a query, each new one gets, too.
        let times = match self.demand.keyless {
            Keyless::Everywhere => as_number(partitions) / as_number(self.partitions.len()),
            Keyless::Divided | Keyless::Unknown => 1.0,
        };
        let mut loads = Vec::with_capacity(self.demand.loads.len());
        for step in self.demand.loads.chunk_by(|a, b| a.second == b.second) {
            let mut spread: Option<DemandLoad> = None;
            for load in step {
                let times = match load.requester {
                    Requester::Key(key) if keys.get(key as usize).is_some_and(Option::is_some) => {
                        loads.push(*load);
                        continue;
                    }
                    Requester::Key(_) => 1.0,
                    Requester::Keyless => times,
                };
                let sum = spread.get_or_insert(DemandLoad {
                    requester: Requester::Keyless,
                    partition: 0,
                    ru_per_second: 0.0,
                    served: 0.0,
                    burst: 0.0,
                    ..*load
                });
                sum.ru_per_second += load.ru_per_second * times;
                sum.served += load.served * times;
                sum.burst += load.burst * times;
            }
            loads.extend(spread);
        }
        let places = 0..u32::try_from(partitions).ok()?;
        Some(NewContainer {
            route: LoadRoute {
                keys: keys
                    .into_iter()
                    .map(|at| at.map(|at| (at, 1.0)).into_iter().collect())
                    .collect(),
                keyless: vec![places.map(|at| (at, even)).collect()],
            },
            layout,
            loads,
        })
    }
}

impl Demand {
    /// Where load goes in a layout made from the present one; None where too much of it has no known key.
    pub(in crate::analysis) fn route(
        &self,
        layout: &Layout,
        partitions: usize,
    ) -> Option<LoadRoute> {
        self.can_follow().then(|| self.route_on(layout, partitions))
    }

    /// The same where load can follow.
    pub(in crate::analysis) fn route_on(&self, layout: &Layout, partitions: usize) -> LoadRoute {
        let mut children: Vec<Vec<(u32, f64)>> = vec![Vec::new(); partitions];
        for (at, span) in (0_u32..).zip(layout.spans()) {
            let part = match self.keyless {
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
        let keys = self.keys.iter();
        LoadRoute { keys: keys.map(|k| owner(k).unwrap_or_default()).collect(), keyless: children }
    }

    /// Each hash lies in one range of any layout.
    pub(in crate::analysis) fn can_follow(&self) -> bool {
        let lost = self.loads.iter().filter(|load| match load.requester {
            Requester::Key(key) => self.keys.get(key as usize).is_none_or(|k| k.epk.is_none()),
            Requester::Keyless => self.keyless == Keyless::Unknown,
        });
        let total: f64 = self.loads.iter().map(|l| l.ru_per_second).sum();
        lost.map(|l| l.ru_per_second).sum::<f64>() <= total * UNKNOWN_SHARE
    }
}

impl Question<'_> {
    /// The hot partition split, and all of them.
    pub(super) fn splits(&self) -> [Remedy; 2] {
        let count = self.now.partitions.len();
        let weights = self.now.weights();
        let hot = self.hot.map_or_else(|| self.fullest(), |place| place as usize);
        let split = |layout: &Layout, definition: &KeyDefinition| {
            let by = SplitBy::new(&weights, definition, SplitPoint::Data);
            layout.split_where(|span| span.from == hot, by)
        };
        let doubled = |layout: &Layout, definition: &KeyDefinition| {
            layout.split_where(|_| true, SplitBy::new(&weights, definition, SplitPoint::Data))
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
        let case = given.as_ref().map(|(loads, capacities)| Case { loads, capacities });
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

    /// The least number of suffixes that fixes it at the RU/s of today, else the best.
    pub(super) fn suffixes(&self) -> Option<Remedy> {
        let ru = self.now.partitions.provisioned?;
        let container = self.now.in_new(new_terms(self.now).partitions(ru))?;
        let mut best: Option<Remedy> = None;
        for count in self.suffix_counts() {
            let found = self.suffix_row(count, ru, &self.suffixed(count, &container)?);
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

    pub(super) fn suffix_counts(&self) -> impl Iterator<Item = u32> {
        let least = self.least_suffixes;
        SUFFIXES.into_iter().filter(move |count| *count >= least)
    }

    pub(super) fn suffix_row(&self, count: u32, ru: f64, on: &SuffixedKeys<'_>) -> Remedy {
        let whose = match self.blamed {
            [_] => "the key",
            _ => "each key",
        };
        let words = format!(
            "{whose} with {count} suffixes (key{JOINT}1 to key{JOINT}{count}), {} on {}",
            ru_text(ru),
            partitions_text(on.partitions)
        );
        let capacities = on.capacities(ru);
        let cases = on.placed.iter().map(|loads| Case { loads, capacities: &capacities });
        let name = format!("suffixes-{count}");
        self.row_of_all(name, words, cases, Some(ru), NEW_CONTAINER)
    }

    /// The key to blame with so many suffixes; None without such a key, or where its places are not known.
    pub(super) fn suffixed(
        &self,
        count: u32,
        container: &NewContainer,
    ) -> Option<SuffixedKeys<'_>> {
        let definition = self.now.partitions.definition.as_ref()?;
        let layout = &container.layout;
        let part = f64::from(count).recip();
        let placed = |date: u32| {
            let mut route = container.route.clone();
            let mut spread = |key: usize| {
                let canonical = &self.now.demand.keys.get(key)?.canonical;
                let place = |number| {
                    let value = suffixed(canonical, date, number)?;
                    let owner = layout.owner(&epk(value.parts(), definition)?)?;
                    Some((u32::try_from(owner).ok()?, part))
                };
                *route.keys.get_mut(key)? = (1..=count).map(place).collect::<Option<_>>()?;
                Some(())
            };
            match self.blamed {
                [] => return None,
                [key] => spread(*key)?,
                // Another key is hot at each moment, and the next one is unknown.
                _ => (0..self.now.demand.keys.len()).try_for_each(spread)?,
            }
            Some(routed(&container.loads, &route, layout.len()))
        };
        let dates = self.next_key_at.map_or(1, |_| DATES);
        Some(SuffixedKeys {
            now: self.now,
            placed: (0..dates).map(placed).collect::<Option<_>>()?,
            partitions: layout.len(),
        })
    }
}

/// A new container, and where the load of today goes in it.
pub(super) struct NewContainer {
    layout: Layout,
    /// What has no known key is joined, and goes everywhere alike.
    loads: Vec<DemandLoad>,
    route: LoadRoute,
}

/// The demand of today in a new container, its hot keys with suffixes.
pub(super) struct SuffixedKeys<'a> {
    now: &'a CurrentLoad,
    /// Where the suffixes lie: of a date those of the next dates, too.
    placed: Vec<Vec<StepLoad>>,
    partitions: usize,
}

impl SuffixedKeys<'_> {
    fn capacities(&self, ru_per_second: f64) -> Vec<f64> {
        vec![equal_share(ru_per_second, self.partitions); self.partitions]
    }
}

impl DemandSpread for SuffixedKeys<'_> {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        let capacities = self.capacities(ru_per_second);
        let shares = self.placed.iter();
        let shares = shares.map(|loads| most_throttled(loads, &capacities, &self.now.demand));
        shares.sum::<f64>() / as_number(self.placed.len())
    }

    fn next(&self) -> Option<usize> {
        Some(self.partitions + 1 + self.partitions / 8)
    }
}

/// How a new container is divided, and how its RU/s are sold.
pub(super) fn new_terms(now: &CurrentLoad) -> ThroughputTerms {
    let throughput_mode = now.partitions.throughput_mode;
    let stored = now.partitions.stored_kib.unwrap_or(0.0);
    ThroughputTerms {
        throughput_mode,
        least: partitions_for_storage(stored / FILLED),
        ru_of_one: creation_ru(throughput_mode),
        from: throughput_mode.minimum(stored),
    }
}

/// `tenant` and 7: `tenant.7`. Of a hierarchical key the first part, since it decides where the key lies. Dates behind the first
/// are others that lie by chance, too.
pub(in crate::analysis) fn suffixed(canonical: &str, date: u32, number: u32) -> Option<Key> {
    let key = Key::from_canonical(canonical)?;
    let (first, rest) = key.parts().split_first()?;
    let text = match first {
        Part::Undefined => String::new(),
        first => first.bare_text(),
    };
    let later = match date {
        0 => String::new(),
        _ => format!("+{date}"),
    };
    let text = format!("{text}{later}{JOINT}{number}");
    let mut parts = vec![Part::Text(text.into())];
    parts.extend(rest.iter().cloned());
    Some(Key::from(parts))
}
