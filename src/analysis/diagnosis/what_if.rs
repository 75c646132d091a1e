//! What would be refused under other circumstances, computed from the logged load.

use crate::analysis::placement::{Cut, Layout, Weight, partitions_at};
use crate::analysis::throttling::{
    Asker, Outcome, Route, equal_share, floor, needed_ru, outcome, redistributed,
};
use crate::model::epk::epk;
use crate::model::key::{Key, KeyDefinition, Part};

use super::demand::{Demand, Keyless, Physical};
use super::text::{ru_text, share_text};
use super::thresholds::Thresholds;

/// Into how many values a key is thought to be spread, the least that cures is told.
pub const SPREADS: [u32; 6] = [2, 5, 10, 20, 50, 100];
/// Between a key and the number that spreads it, as in `tenant.7`.
const SEPARATOR: char = '.';
/// Beyond this part of the RU, requests whose keys are unknown leave open what a split would do.
const UNKNOWN_SHARE: f64 = 0.05;

/// One circumstance and what it would refuse.
#[derive(Clone, PartialEq, Debug)]
pub struct WhatIf {
    /// `now`, `2x-ru`, `split-hot`, `2x-partitions`, `redistributed`, `spread-10`: for JSON.
    pub name: String,
    /// `at 60,000 RU/s on 6 partitions`; behind a share.
    pub words: String,
    /// Share of the RU asked for that would be refused; None where it cannot be computed.
    pub refused: Option<f64>,
    /// Largest over mean load of partitions.
    pub load_ratio: Option<f64>,
}

/// One circumstance, its words and what comes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub name: String,
    pub words: String,
    pub outcome: Option<Outcome>,
}

impl Case {
    pub fn refused(&self) -> Option<f64> {
        self.outcome.map(|o| o.refused_share)
    }

    pub fn what_if(&self) -> WhatIf {
        WhatIf {
            name: self.name.clone(),
            words: self.words.clone(),
            refused: self.refused(),
            load_ratio: self.outcome.map(|o| o.load_ratio).filter(|r| *r > 0.0),
        }
    }
}

/// All of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Remedies {
    pub now: Case,
    pub double_ru: Case,
    /// The hottest partition split, RU/s as they are.
    pub split_hot: Case,
    /// Every partition split, RU/s as they are.
    pub double_partitions: Case,
    pub redistributed: Case,
    /// The least number of values that cures, else the best; None where no key is to blame.
    pub spread: Option<Case>,
    /// Refused at any RU/s: keys that ask for more than a partition gives.
    pub floor: f64,
    /// RU/s of the container now, and those that this layout needs.
    pub ru_per_second: f64,
    pub needed_ru: Option<f64>,
}

impl Remedies {
    pub fn what_if(&self) -> Vec<WhatIf> {
        let cases = [
            &self.now,
            &self.double_ru,
            &self.split_hot,
            &self.double_partitions,
            &self.redistributed,
        ];
        let cases = cases.into_iter().chain(&self.spread);
        cases.map(Case::what_if).collect()
    }
}

/// What is needed to compute them.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub demand: &'a Demand,
    pub physical: &'a Physical,
    pub definition: Option<&'a KeyDefinition>,
    pub ru_per_second: f64,
    /// The place of the partition to split; None for the one asked for most.
    pub hot: Option<u32>,
    /// Keys to blame, among `Demand::keys`.
    pub blamed: &'a [usize],
    pub limits: &'a Thresholds,
}

/// None where it is not known what partitions can give.
pub fn remedies(question: &Question<'_>) -> Option<Remedies> {
    let capacities = question.physical.capacities.as_ref()?;
    let demand = question.demand;
    let now = outcome(&demand.asks, &Route::default(), capacities);
    let count = capacities.len();
    Some(Remedies {
        now: Case {
            name: "now".to_owned(),
            words: format!(
                "now, {} on {}",
                ru_text(question.ru_per_second),
                partitions_text(count)
            ),
            outcome: Some(now),
        },
        double_ru: question.double_ru(count),
        split_hot: question.split_hot(count),
        double_partitions: question.double_partitions(count),
        redistributed: question.redistributed(capacities),
        spread: question.spread(capacities),
        floor: floor(&demand.asks),
        ru_per_second: question.ru_per_second,
        needed_ru: needed_ru(count, now.highest),
    })
}

pub fn partitions_text(count: usize) -> String {
    let noun = if count == 1 {
        "partition"
    } else {
        "partitions"
    };
    format!("{count} {noun}")
}

impl Question<'_> {
    fn weights(&self) -> Vec<Weight> {
        let keys = self.demand.ru_by_key().into_iter();
        let weight = |(key, ru): (usize, f64)| Some((self.demand.keys.get(key)?.epk.clone()?, ru));
        keys.filter_map(weight).collect()
    }

    fn double_ru(&self, count: usize) -> Case {
        let ru = self.ru_per_second * 2.0;
        let after = partitions_at(count, ru);
        let capacities = vec![equal_share(ru, after); after];
        let outcome = if after == count {
            Some(outcome(&self.demand.asks, &Route::default(), &capacities))
        } else {
            let grown = |layout: &Layout, definition: &KeyDefinition| {
                layout.grown(after, &self.weights(), definition, Cut::Data)
            };
            self.in_layout(grown, ru)
        };
        let splits = match after - count {
            0 => String::new(),
            n => format!(", {n} of them new by splits that take 4 to 6 hours"),
        };
        Case {
            name: "2x-ru".to_owned(),
            words: format!("at {} on {}{splits}", ru_text(ru), partitions_text(after)),
            outcome,
        }
    }

    fn split_hot(&self, count: usize) -> Case {
        let ru = self.ru_per_second;
        let loads = self.demand.highest_by_place(count);
        let busiest = || {
            let loads = loads.iter().enumerate();
            let highest = loads.reduce(|held, found| if found.1 > held.1 { found } else { held });
            highest.map_or(0, |(place, _)| place)
        };
        let hot = self.hot.map_or_else(busiest, |place| place as usize);
        let split = |layout: &Layout, definition: &KeyDefinition| {
            layout.split(hot, &self.weights(), definition, Cut::Data)
        };
        Case {
            name: "split-hot".to_owned(),
            words: format!(
                "with the hot partition split, {} on {}",
                ru_text(ru),
                partitions_text(count + 1)
            ),
            outcome: self.in_layout(split, ru),
        }
    }

    fn double_partitions(&self, count: usize) -> Case {
        let ru = self.ru_per_second;
        let doubled = |layout: &Layout, definition: &KeyDefinition| {
            layout.doubled(&self.weights(), definition, Cut::Data)
        };
        Case {
            name: "2x-partitions".to_owned(),
            words: format!(
                "with every partition split, {} on {}",
                ru_text(ru),
                partitions_text(count * 2)
            ),
            outcome: self.in_layout(doubled, ru),
        }
    }

    fn redistributed(&self, capacities: &[f64]) -> Case {
        let loads = self.demand.highest_by_place(capacities.len());
        // What partitions give in all stays as it is, also where it is not what the container's setting says.
        let all: f64 = capacities.iter().sum();
        let given = redistributed(all, &loads, self.limits.least_partition_ru);
        Case {
            name: "redistributed".to_owned(),
            words: format!(
                "with {} handed out after the load, {} at most and {} at least",
                ru_text(all),
                ru_text(given.iter().copied().fold(0.0, f64::max)),
                ru_text(given.iter().copied().fold(f64::INFINITY, f64::min).min(all)),
            ),
            outcome: Some(outcome(&self.demand.asks, &Route::default(), &given)),
        }
    }

    /// What comes of it in a layout made from the present one, its RU/s shared equally.
    fn in_layout(
        &self,
        change: impl Fn(&Layout, &KeyDefinition) -> Layout,
        ru_per_second: f64,
    ) -> Option<Outcome> {
        let layout = change(self.physical.layout.as_ref()?, self.definition?);
        if !self.can_follow(&layout) {
            return None;
        }
        let mut children: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.physical.len()];
        for (at, span) in (0_u32..).zip(layout.spans()) {
            let part = match self.demand.keyless {
                Keyless::Everywhere => 1.0,
                Keyless::Divided | Keyless::Unknown => span.part(),
            };
            if let Some(list) = children.get_mut(span.from) {
                list.push((at, part));
            }
        }
        let owner = |key: &super::demand::DemandKey| {
            let owner = key.epk.as_ref().and_then(|epk| layout.owner(epk));
            owner.and_then(|at| Some(vec![(u32::try_from(at).ok()?, 1.0)]))
        };
        let route = Route {
            keys: self
                .demand
                .keys
                .iter()
                .map(|k| owner(k).unwrap_or_default())
                .collect(),
            loose: children,
        };
        let capacities = vec![equal_share(ru_per_second, layout.len()); layout.len()];
        Some(outcome(&self.demand.asks, &route, &capacities))
    }

    /// Whether it is known where nearly all of the RU goes once partitions are split.
    fn can_follow(&self, layout: &Layout) -> bool {
        let total: f64 = self.demand.asks.iter().map(|a| a.ru_per_second).sum();
        let lost = self.demand.asks.iter().filter(|ask| match ask.asker {
            Asker::Key(key) => {
                let key = self.demand.keys.get(key as usize);
                let epk = key.and_then(|k| k.epk.as_ref());
                epk.is_none_or(|epk| layout.owner(epk).is_none())
            }
            Asker::Loose => self.demand.keyless == Keyless::Unknown,
        });
        lost.map(|a| a.ru_per_second).sum::<f64>() <= total * UNKNOWN_SHARE
    }

    /// The keys to blame under so many values each; what is left of the layout and its RU/s stays.
    fn spread(&self, capacities: &[f64]) -> Option<Case> {
        if self.blamed.is_empty() {
            return None;
        }
        let mut best: Option<Case> = None;
        for count in SPREADS {
            let found = self.spread_over(count, capacities)?;
            let refused = found.refused().unwrap_or(1.0);
            let is_cure = refused <= self.limits.cured_refused;
            let is_better = best
                .as_ref()
                .and_then(Case::refused)
                .is_none_or(|held| refused < held);
            if is_better {
                best = Some(found);
            }
            if is_cure {
                break;
            }
        }
        best
    }

    fn spread_over(&self, count: u32, capacities: &[f64]) -> Option<Case> {
        let (layout, definition) = (self.physical.layout.as_ref()?, self.definition?);
        let mut route = Route {
            keys: vec![Vec::new(); self.demand.keys.len()],
            loose: Vec::new(),
        };
        for key in self.blamed {
            let canonical = &self.demand.keys.get(*key)?.canonical;
            let targets = route.keys.get_mut(*key)?;
            for number in 1..=count {
                let place = place_of(&suffixed(canonical, number)?, layout, definition)?;
                let part = f64::from(count).recip();
                match targets.iter_mut().find(|(at, _)| *at == place) {
                    Some(held) => held.1 += part,
                    None => targets.push((place, part)),
                }
            }
        }
        let found = outcome(&self.demand.asks, &route, capacities);
        let whom = match self.blamed {
            [_] => "the key".to_owned(),
            several => format!("each of the {} keys to blame", several.len()),
        };
        Some(Case {
            name: format!("spread-{count}"),
            words: format!("with {whom} spread over {count} values, such as key{SEPARATOR}{count}"),
            outcome: Some(found),
        })
    }
}

/// The partition of a key, as numbered in `Physical`.
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

/// `29.4 % refused now, 11.8 % at 60,000 RU/s on 6 partitions`.
pub fn compared(now: &Case, then: &Case) -> String {
    let share = |case: &Case| {
        case.refused()
            .map_or_else(|| "unknown".to_owned(), share_text)
    };
    format!("{} refused now, {} {}", share(now), share(then), then.words)
}
