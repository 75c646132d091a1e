//! Request units by key over time: who loads a partition, since when, and what a key does.

use std::collections::HashMap;

use crate::model::load::{RuKey, RuSum};
use crate::model::names::Names;

use super::grid::Window;
use super::since::since;

/// RU records of one container, in the order of region, partition and time.
#[derive(Debug, Default)]
pub struct KeyLoads {
    cells: Vec<KeyCell>,
    /// Seconds that a cell covers.
    pub width_s: u32,
}

/// RU of one key by one operation on one partition in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeyCell {
    pub region: u16,
    /// Index into the container's partitions.
    pub partition: u32,
    pub second: Option<i64>,
    pub key: RuKey,
    pub operation: u32,
    pub ru: f64,
    pub records: u64,
}

/// Which records are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordFilter {
    pub region: Option<u16>,
    pub partition: Option<u32>,
    /// `[from, to)`; records without a time count only where it is None.
    pub span: Option<(i64, i64)>,
}

/// A key among the others of a partition.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyShare {
    pub key: RuKey,
    pub ru: f64,
    pub records: u64,
    /// Of the RU of all records meant, those without a key included.
    pub share: f64,
    /// The busiest step of one region as RU a second, over all operations, and when.
    pub peak_ru_per_second: f64,
    pub peak_at: Option<i64>,
    /// First and last record.
    pub first: Option<i64>,
    pub last: Option<i64>,
    /// Start of the latest stretch in which it is busy, in the region of its peak: minutes with at least half the RU of
    /// its busiest minute, with at most one minute between two of them.
    pub since: Option<i64>,
}

/// Everything a key did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyStory {
    pub ru: f64,
    pub records: u64,
    /// The region of `over_time`: where it has its busiest step.
    pub region: Option<u16>,
    /// (second, RU a second) in time order, regions apart: the region where it is busiest.
    pub over_time: Vec<(i64, f64)>,
    /// By name numbers of `Load::names`, most RU first.
    pub operations: Vec<(u32, RuSum)>,
    /// Of the partitions it was logged on, most RU first.
    pub partitions: Vec<(u32, RuSum)>,
    pub since: Option<i64>,
}

impl KeyLoads {
    pub fn new(mut cells: Vec<KeyCell>, width_s: u32) -> Self {
        cells.sort_unstable_by_key(|c| (c.region, c.partition, c.second, c.key, c.operation));
        Self { cells, width_s }
    }

    pub fn cells(&self) -> &[KeyCell] {
        &self.cells
    }

    /// The records meant; quick where region and partition are named.
    pub fn of(&self, which: RecordFilter) -> impl Iterator<Item = &KeyCell> {
        let cells = match which {
            RecordFilter { region: Some(region), partition: Some(partition), .. } => {
                let place = |c: &KeyCell| (c.region, c.partition);
                let from = self.cells.partition_point(|c| place(c) < (region, partition));
                let rest = self.cells.get(from..).unwrap_or_default();
                let len = rest.partition_point(|c| place(c) == (region, partition));
                rest.get(..len).unwrap_or_default()
            }
            _ => &self.cells,
        };
        cells.iter().filter(move |c| which.holds(c))
    }

    /// Whether any record is of a partition; quick.
    pub fn has_partition(&self, partition: u32) -> bool {
        let regions = self.cells.first().zip(self.cells.last());
        let mut regions = regions.into_iter().flat_map(|(a, b)| a.region..=b.region);
        let place = |cell: &KeyCell| (cell.region, cell.partition);
        regions.any(|region| {
            let found = self.cells.binary_search_by_key(&(region, partition), place);
            found.is_ok()
        })
    }

    /// RU and records of all that is meant.
    pub fn total(&self, which: RecordFilter) -> RuSum {
        total(self.of(which))
    }

    /// RU and records of a key among the records meant; `RuKey::NotReported` are those that name no key.
    pub fn total_of(&self, key: RuKey, which: RecordFilter) -> RuSum {
        total(self.of(which).filter(|c| c.key == key))
    }

    /// The keys of the records meant, most RU first.
    pub fn ranked(&self, which: RecordFilter, names: &Names) -> Vec<KeyShare> {
        let mut cells: Vec<&KeyCell> = self.of(which).collect();
        // Partitions apart only in the end: a step's RU of a key are those of its region.
        cells.sort_unstable_by_key(|c| (c.key, c.region, c.second, c.partition, c.operation));
        let all: f64 = cells.iter().map(|c| c.ru).sum();
        let mut shares: Vec<KeyShare> = cells
            .chunk_by(|a, b| a.key == b.key)
            .filter_map(|of_key| self.share(of_key, all))
            .collect();
        let text = |of: &KeyShare| match of.key {
            RuKey::Named(number) => Some(names.text(number)),
            RuKey::NotReported | RuKey::Other => None,
        };
        shares.sort_by(|a, b| {
            let by_text = || text(a).cmp(&text(b));
            b.ru.total_cmp(&a.ru).then_with(by_text).then(a.key.cmp(&b.key))
        });
        shares
    }

    /// RU a second of some keys in the cells of a window, key by key: the busiest step of one region in each.
    pub fn over_time(
        &self,
        which: RecordFilter,
        keys: &[RuKey],
        window: Window,
    ) -> Vec<Vec<Option<f64>>> {
        let places: HashMap<RuKey, usize> = keys.iter().copied().zip(0..).collect();
        let width = i64::from(self.width_s.max(1));
        let span = Some((window.from.saturating_sub(width - 1), window.to()));
        let records = self.of(RecordFilter { span, ..which });
        let known = |c: &KeyCell| Some((*places.get(&c.key)?, c.region, c.second?, c.ru));
        let mut steps: Vec<(usize, u16, i64, f64)> = records.filter_map(known).collect();
        steps.sort_unstable_by_key(|(at, region, second, _)| (*at, *region, *second));
        let mut lines = vec![vec![None; window.columns]; keys.len()];
        for step in steps.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let Some((at, _, second, _)) = step.first().copied() else {
                continue;
            };
            let ru = step.iter().map(|(_, _, _, ru)| ru).sum::<f64>() / self.width();
            let first = window.column(second.max(window.from));
            let end = second.saturating_add(width).min(window.to());
            let last = window.column(end.saturating_sub(1));
            let (Some(line), Some((first, last))) = (lines.get_mut(at), first.zip(last)) else {
                continue;
            };
            for cell in line.get_mut(first..=last).into_iter().flatten() {
                *cell = Some(cell.map_or(ru, |held: f64| held.max(ru)));
            }
        }
        lines
    }

    /// `of_key` are the cells of one key by region and time.
    fn share(&self, of_key: &[&KeyCell], all: f64) -> Option<KeyShare> {
        let key = of_key.first()?.key;
        let sum = total(of_key.iter().copied());
        let busiest = busiest_region(of_key);
        let timed = || of_key.iter().filter_map(|c| c.second);
        Some(KeyShare {
            key,
            ru: sum.ru,
            records: sum.records,
            share: if all > 0.0 { sum.ru / all } else { 0.0 },
            peak_ru_per_second: busiest.peak.map_or(0.0, |(_, ru)| ru / self.width()),
            peak_at: busiest.peak.map(|(at, _)| at),
            first: timed().min(),
            last: timed().max(),
            since: since(&busiest.steps, self.width_s),
        })
    }

    /// None for a key of which nothing is logged.
    pub fn story(&self, key: RuKey) -> Option<KeyStory> {
        let mut cells: Vec<&KeyCell> = self.cells.iter().filter(|c| c.key == key).collect();
        cells.sort_unstable_by_key(|c| (c.region, c.second, c.partition, c.operation));
        cells.first()?;
        let sum = total(cells.iter().copied());
        let busiest = busiest_region(&cells);
        let steps = busiest.steps.iter();
        Some(KeyStory {
            ru: sum.ru,
            records: sum.records,
            region: busiest.region,
            since: since(&busiest.steps, self.width_s),
            over_time: steps.map(|(at, ru)| (*at, ru / self.width())).collect(),
            operations: ranked_by(&cells, |cell| cell.operation),
            partitions: ranked_by(&cells, |cell| cell.partition),
        })
    }

    fn width(&self) -> f64 {
        f64::from(self.width_s.max(1))
    }
}

/// What the cells of each number sum up to, most RU first.
fn ranked_by(cells: &[&KeyCell], number: impl Fn(&KeyCell) -> u32) -> Vec<(u32, RuSum)> {
    let mut sums: HashMap<u32, RuSum> = HashMap::new();
    for cell in cells {
        sums.entry(number(cell)).or_default().add(cell.sum());
    }
    let mut ranked: Vec<(u32, RuSum)> = sums.into_iter().collect();
    ranked.sort_by(|a, b| b.1.ru.total_cmp(&a.1.ru).then(a.0.cmp(&b.0)));
    ranked
}

/// The region in which a key has its busiest step.
#[derive(Default)]
struct Busiest {
    region: Option<u16>,
    /// When, and the RU of the step.
    peak: Option<(i64, f64)>,
    /// (second, RU) in time order.
    steps: Vec<(i64, f64)>,
}

/// `cells` are those of one key by region and time.
fn busiest_region(cells: &[&KeyCell]) -> Busiest {
    let mut best = Busiest::default();
    for of_region in cells.chunk_by(|a, b| a.region == b.region) {
        let mut steps: Vec<(i64, f64)> = Vec::new();
        for (second, ru) in of_region.iter().filter_map(|c| Some((c.second?, c.ru))) {
            match steps.last_mut() {
                Some((held, sum)) if *held == second => *sum += ru,
                _ => steps.push((second, ru)),
            }
        }
        // Of equal steps the first.
        let higher = |held: Option<(i64, f64)>, step: &(i64, f64)| match held {
            Some(held) if held.1 >= step.1 => Some(held),
            _ => Some(*step),
        };
        let peak = steps.iter().fold(None, higher);
        if peak.map(|(_, ru)| ru) > best.peak.map(|(_, ru)| ru) {
            let region = of_region.first().map(|c| c.region);
            best = Busiest { region, peak, steps };
        }
    }
    best
}

impl RecordFilter {
    fn holds(&self, cell: &KeyCell) -> bool {
        self.region.is_none_or(|region| region == cell.region)
            && self.partition.is_none_or(|p| p == cell.partition)
            && self.span.is_none_or(|(from, to)| {
                cell.second.is_some_and(|second| (from..to).contains(&second))
            })
    }
}

impl KeyCell {
    fn sum(&self) -> RuSum {
        RuSum { ru: self.ru, records: self.records }
    }
}

fn total<'a>(cells: impl Iterator<Item = &'a KeyCell>) -> RuSum {
    let mut sum = RuSum::default();
    cells.for_each(|cell| sum.add(cell.sum()));
    sum
}

#[cfg(test)]
mod tests;
