//! What is asked of each partition, second by second: from RU logs, else from shares of RU/s.

use std::collections::{BTreeMap, HashMap};

use crate::analysis::heat::ContainerHeat;
use crate::analysis::placement::Layout;
use crate::analysis::places::Places;
use crate::analysis::throttling::{Ask, Asker};
use crate::model::capture::{Capture, Container};
use crate::model::epk::Epk;
use crate::model::load::RuKey;

use super::refusals::Refusals;

/// A partition that refused nearly everything would be thought endlessly busy.
const MAX_REFUSED: f64 = 0.95;
/// A log rounds its charges: a load this little above what a partition gives is still one that was served.
const SERVED_SLACK: f64 = 1.005;

/// A key that is named in the log.
#[derive(Clone, Debug)]
pub struct DemandKey {
    pub canonical: String,
    pub epk: Option<Epk>,
}

/// How what was asked for is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HowAsked {
    /// As logged: nothing was refused, or the log holds more than the partitions can give.
    Logged,
    /// Served RU divided by what was not refused, this share at most.
    Estimated { most_refused: f64 },
    /// Shares of RU/s, from a metric: no keys.
    Shares,
}

/// Whom requests without a key reach after a split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyless {
    /// A fan-out: every partition gets every request.
    Everywhere,
    /// They spread like the keys.
    Divided,
    /// Nothing is known of their keys.
    Unknown,
}

/// RU asked for, as arithmetic takes it.
#[derive(Clone, Debug)]
pub struct Demand {
    pub keys: Vec<DemandKey>,
    /// In the order of seconds, then partitions; partitions are numbered as in `Physical`.
    pub asks: Vec<Ask>,
    pub how: HowAsked,
    pub keyless: Keyless,
    /// Seconds of a step: values are means over it.
    pub width_s: u32,
    /// `[from, to)` of the steps taken.
    pub span: (i64, i64),
    /// RU of records whose partition the log does not name.
    pub unplaced_ru: f64,
}

/// The partitions that exist, of those that load speaks of.
#[derive(Clone, Debug, Default)]
pub struct Physical {
    /// Their numbers among the partitions of `ContainerHeat`.
    pub numbers: Vec<u32>,
    by_number: HashMap<u32, u32>,
    /// RU/s of each, where all are known.
    pub capacities: Option<Vec<f64>>,
    /// Their hash ranges, numbered as here, where all are known.
    pub layout: Option<Layout>,
}

impl Physical {
    pub fn of(container: &Container, heat: &ContainerHeat) -> Self {
        let numbers: Vec<u32> = heat.physical().collect();
        let partitions = || {
            let of = |number: &u32| Some((*number, heat.partitions.get(*number as usize)?));
            numbers.iter().filter_map(of)
        };
        let by_number = numbers
            .iter()
            .zip(0_u32..)
            .map(|(n, at)| (*n, at))
            .collect();
        let capacities: Option<Vec<f64>> = partitions()
            .map(|(_, p)| p.capacity.map(|c| c.ru_per_second).filter(|ru| *ru > 0.0))
            .collect();
        let range = |(at, (_, p)): (usize, (u32, &crate::analysis::heat::Partition))| {
            let known = container.partitions.get(p.known?)?;
            let min = Epk::from_hex(known.min_inclusive.as_deref()?)?;
            let max = Epk::from_hex(known.max_exclusive.as_deref()?)?;
            Some((at, min, max))
        };
        let ranges: Option<Vec<_>> = partitions().enumerate().map(range).collect();
        Self {
            by_number,
            capacities: capacities.filter(|c| !c.is_empty()),
            layout: ranges.and_then(Layout::of),
            numbers,
        }
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The place of a partition of `ContainerHeat` among those that exist.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    pub fn number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied()
    }

    pub fn capacity(&self, place: u32) -> Option<f64> {
        self.capacities.as_ref()?.get(place as usize).copied()
    }
}

/// Which records to take.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub region: Option<u16>,
    pub window: Option<(i64, i64)>,
}

impl Demand {
    /// From the RU log; None where it holds nothing of them, or nothing with a time.
    pub fn logged(
        capture: &Capture,
        number: u32,
        heat: &ContainerHeat,
        physical: &Physical,
        places: &Places,
        taken: Taken,
    ) -> Option<Self> {
        let width_s = heat.keys.width_s.max(1);
        let is_in = |second: i64| {
            taken
                .window
                .is_none_or(|(from, to)| from <= second && second < to)
        };
        let cells = heat.keys.cells().iter().filter(|cell| {
            taken.region.is_none_or(|region| region == cell.region)
                && cell.second.is_some_and(is_in)
        });
        let mut dense: HashMap<RuKey, u32> = HashMap::new();
        let mut keys = Vec::new();
        let mut sums: BTreeMap<(i64, u32, Asker), f64> = BTreeMap::new();
        let mut unplaced_ru = 0.0;
        for cell in cells {
            let (Some(second), true) = (cell.second, cell.ru > 0.0) else {
                continue;
            };
            let Some(place) = physical.place(cell.partition) else {
                unplaced_ru += cell.ru;
                continue;
            };
            let asker = match cell.key {
                RuKey::Named(name) => Asker::Key(*dense.entry(cell.key).or_insert_with(|| {
                    let canonical = capture.load.keys.text(name).to_owned();
                    let epk = places.epk(number, &canonical);
                    keys.push(DemandKey { canonical, epk });
                    u32::try_from(keys.len() - 1).unwrap_or(u32::MAX)
                })),
                RuKey::NotReported | RuKey::Other => Asker::Loose,
            };
            *sums.entry((second, place, asker)).or_default() += cell.ru / f64::from(width_s);
        }
        let first = sums.first_key_value()?.0.0;
        let last = sums.last_key_value()?.0.0;
        let asks = sums
            .into_iter()
            .map(|((second, partition, asker), ru_per_second)| Ask {
                second,
                asker,
                partition,
                ru_per_second,
            });
        Some(Self {
            keys,
            asks: asks.collect(),
            how: HowAsked::Logged,
            keyless: Keyless::Divided,
            width_s,
            span: (first, last.saturating_add(i64::from(width_s))),
            unplaced_ru,
        })
    }

    /// From shares of RU/s by place and second: what was served.
    pub fn of_shares(
        points: Vec<(i64, u32, f64)>,
        physical: &Physical,
        width_s: u32,
        keyless: Keyless,
    ) -> Option<Self> {
        let ask = |(second, partition, share): (i64, u32, f64)| {
            Some(Ask {
                second,
                asker: Asker::Loose,
                partition,
                ru_per_second: share * physical.capacity(partition)?,
            })
        };
        let mut asks: Vec<Ask> = points.into_iter().filter_map(ask).collect();
        asks.sort_by_key(|a| (a.second, a.partition));
        let (first, last) = (asks.first()?.second, asks.last()?.second);
        Some(Self {
            keys: Vec::new(),
            asks,
            how: HowAsked::Shares,
            keyless,
            width_s,
            span: (first, last.saturating_add(i64::from(width_s))),
            unplaced_ru: 0.0,
        })
    }

    /// Adds what was refused to what was served, where the load itself does not exceed what its partition gives.
    pub fn with_refusals(&mut self, physical: &Physical, refusals: &Refusals) {
        let highest = self.highest_by_place(physical.len());
        let mut most_refused = 0.0_f64;
        let factors: Vec<f64> = (0_u32..)
            .zip(&highest)
            .map(|(place, highest)| {
                let refused = physical.number(place).and_then(|n| refusals.share_on(n));
                let capacity = physical.capacity(place);
                match (refused, capacity) {
                    (Some(refused), Some(capacity)) if *highest <= capacity * SERVED_SLACK => {
                        let refused = refused.clamp(0.0, MAX_REFUSED);
                        most_refused = most_refused.max(refused);
                        (1.0 - refused).recip()
                    }
                    _ => 1.0,
                }
            })
            .collect();
        if most_refused <= 0.0 {
            return;
        }
        for ask in &mut self.asks {
            ask.ru_per_second *= factors.get(ask.partition as usize).copied().unwrap_or(1.0);
        }
        self.how = HowAsked::Estimated { most_refused };
    }

    /// The highest load of each partition in any step.
    pub fn highest_by_place(&self, partitions: usize) -> Vec<f64> {
        let mut highest = vec![0.0_f64; partitions];
        for step in self.steps() {
            let load: f64 = step.iter().map(|a| a.ru_per_second).sum();
            let place = step.first().map_or(0, |a| a.partition);
            if let Some(held) = highest.get_mut(place as usize) {
                *held = held.max(load);
            }
        }
        highest
    }

    /// What is asked of one partition in one step, for each.
    pub fn steps(&self) -> impl Iterator<Item = &[Ask]> {
        self.asks
            .chunk_by(|a, b| (a.second, a.partition) == (b.second, b.partition))
    }

    pub fn ru(&self) -> f64 {
        self.asks.iter().map(|a| a.ru_per_second).sum::<f64>() * f64::from(self.width_s)
    }

    /// The part of it without a key.
    pub fn keyless_share(&self) -> f64 {
        let loose = self.asks.iter().filter(|a| a.asker == Asker::Loose);
        let total: f64 = self.asks.iter().map(|a| a.ru_per_second).sum();
        if total > 0.0 {
            loose.map(|a| a.ru_per_second).sum::<f64>() / total
        } else {
            0.0
        }
    }

    /// RU by key, most first.
    pub fn ru_by_key(&self) -> Vec<(usize, f64)> {
        let mut sums = vec![0.0; self.keys.len()];
        for ask in &self.asks {
            if let Asker::Key(key) = ask.asker
                && let Some(sum) = sums.get_mut(key as usize)
            {
                *sum += ask.ru_per_second * f64::from(self.width_s);
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums.into_iter().enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }
}
