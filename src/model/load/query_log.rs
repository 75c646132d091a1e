//! Queries whose texts are logged, by their shapes, with what the requests of the same activity ids cost.

use std::collections::{BTreeMap, HashMap};

use super::super::names::Names;
use super::super::query_shape::{MAX_SHAPE_BYTES, QueryShape};
use super::super::time::Stamp;
use super::super::units::{real, whole_u64};
use super::memory::map_bytes;
use super::{Intake, Load, RecordMark};

/// Shapes over all containers.
const MAX_SHAPES: usize = 2_000;
/// Activity ids of query texts that are remembered, and requests that wait for their text.
const MAX_ACTIVITIES: usize = 400_000;
/// Charges are counted by powers of two.
const OCTAVES: usize = 24;
/// Octaves without a charge between two prices: the dear one is at least four times the cheap one.
const EMPTY_OCTAVES: usize = 2;

/// What is logged of the queries of one shape.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct QuerySum {
    /// Different activity ids; beyond those that are remembered as their records come to.
    pub requests: u64,
    /// Records: one for each physical partition that was queried.
    pub records: u64,
    /// Of these, the ones of requests that are remembered.
    counted: u64,
    pub charged: ChargeSum,
    by_octave: [ChargeSum; OCTAVES],
}

/// What requests cost of which that is known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChargeSum {
    pub requests: u64,
    pub ru: f64,
    pub duration_ms: f64,
}

impl ChargeSum {
    pub fn add(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.ru += other.ru;
        self.duration_ms += other.duration_ms;
    }

    /// Mean RU of a request.
    pub fn ru_each(self) -> Option<f64> {
        (self.requests > 0).then(|| self.ru / real(self.requests))
    }
}

impl QuerySum {
    fn charge(&mut self, charge: ChargeSum) {
        self.charged.add(charge);
        let octave = whole_u64(charge.ru / real(charge.requests.max(1))).max(1).ilog2() as usize;
        if let Some(sum) = self.by_octave.get_mut(octave.min(OCTAVES - 1)) {
            sum.add(charge);
        }
    }

    /// The cheap requests and the dear ones, each at least a tenth of all, where none cost anything between.
    pub fn two_prices(&self) -> Option<[ChargeSum; 2]> {
        (1..OCTAVES - EMPTY_OCTAVES).find_map(|at| {
            let (cheap, others) = self.by_octave.split_at(at);
            let (between, dear) = others.split_at(EMPTY_OCTAVES);
            let [cheap, between, dear] = [cheap, between, dear].map(|sums| {
                let mut all = ChargeSum::default();
                for sum in sums {
                    all.add(*sum);
                }
                all
            });
            let is_rare = cheap.requests.min(dear.requests) * 10 < self.charged.requests.max(10);
            (between.requests == 0 && !is_rare).then_some([cheap, dear])
        })
    }

    /// Of requests that are not remembered there are as many to a record as of the others.
    fn reckoned(self) -> Self {
        let requests = match self.counted {
            0 => u128::from(self.records),
            counted => u128::from(self.requests) * u128::from(self.records) / u128::from(counted),
        };
        Self { requests: u64::try_from(requests).unwrap_or(u64::MAX), ..self }
    }
}

/// A shape with the values of its first text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoggedShape<'l> {
    pub text: &'l str,
    pub values: &'l [(String, String)],
    pub sum: QuerySum,
}

/// A container and a shape.
type ShapeOf = (u32, u32);

#[derive(Clone, Debug, Default)]
pub struct QueryLog {
    shapes: Names,
    sums: BTreeMap<ShapeOf, QuerySum>,
    /// Of each shape the values of the first text.
    values: HashMap<u32, Vec<(String, String)>>,
    by_activity: HashMap<u64, ShapeOf>,
    /// Requests without a text so far.
    waiting: HashMap<u64, ChargeSum>,
}

/// One record of the query log.
#[derive(Clone, Debug)]
pub struct QueryRecord {
    pub container: u32,
    pub activity: Option<u64>,
    pub at: Option<Stamp>,
    pub shape: QueryShape,
    /// Where the record itself says it.
    pub charge: Option<ChargeSum>,
}

impl QueryLog {
    /// False where the text is too long or of too many shapes.
    #[must_use]
    pub fn add(&mut self, record: QueryRecord) -> bool {
        if record.shape.text.len() > MAX_SHAPE_BYTES {
            return false;
        }
        let Some(shape) = self.shapes.number(&record.shape.text, MAX_SHAPES) else { return false };
        self.values.entry(shape).or_insert(record.shape.parameters);
        let of = (record.container, shape);
        let sum = self.sums.entry(of).or_default();
        sum.records += 1;
        let has_room = self.by_activity.len() < MAX_ACTIVITIES;
        let is_known = (record.activity).is_some_and(|id| self.by_activity.contains_key(&id));
        if let Some(activity) = record.activity.filter(|_| has_room) {
            self.by_activity.entry(activity).or_insert(of);
        }
        let is_counted = has_room || is_known || record.activity.is_none();
        sum.requests += u64::from(is_counted && !is_known);
        sum.counted += u64::from(is_counted);
        let waiting = record.activity.and_then(|a| self.waiting.remove(&a));
        for charge in [record.charge, waiting].into_iter().flatten() {
            sum.charge(charge);
        }
        true
    }

    /// What a query cost whose text may be logged elsewhere.
    pub fn add_charge(&mut self, activity: u64, charge: ChargeSum) {
        if let Some(of) = self.by_activity.get(&activity) {
            self.sums.entry(*of).or_default().charge(charge);
        } else if self.waiting.len() < MAX_ACTIVITIES {
            self.waiting.entry(activity).or_default().add(charge);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        map_bytes(&self.by_activity) + map_bytes(&self.waiting)
    }

    /// Nothing more comes.
    pub fn close(&mut self) {
        self.waiting = HashMap::new();
        self.by_activity = HashMap::new();
    }

    /// The shapes of a container, most requests first.
    pub fn of_container(&self, container: u32) -> Vec<LoggedShape<'_>> {
        let all = self.sums.range((container, 0)..=(container, u32::MAX));
        let mut found: Vec<_> = all
            .map(|((_, shape), sum)| {
                let values = self.values.get(shape).map_or(&[][..], Vec::as_slice);
                LoggedShape { text: self.shapes.text(*shape), values, sum: sum.reckoned() }
            })
            .collect();
        let order =
            |one: &LoggedShape<'_>| (std::cmp::Reverse(one.sum.requests), one.text.to_owned());
        found.sort_by_cached_key(order);
        found
    }
}

impl Load {
    pub fn add_query(&mut self, record: QueryRecord, mark: Option<RecordMark>) -> Intake {
        if self.marks.seen(mark, record.at) {
            return Intake::Repeat;
        }
        if self.queries.add(record) { Intake::New } else { Intake::BeyondLimit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(activity: u64, sql: &str) -> QueryRecord {
        QueryRecord {
            container: 0,
            activity: Some(activity),
            at: Stamp::from_seconds(10),
            shape: QueryShape::of(sql),
            charge: None,
        }
    }

    #[test]
    fn charges_find_their_text_whichever_comes_first() {
        let charge = ChargeSum { requests: 1, ru: 3.0, duration_ms: 5.0 };
        let texts = |log: &mut QueryLog| {
            for (activity, sql) in
                [(1, "SELECT 'a'"), (1, "SELECT 'a'"), (2, "SELECT 'b'"), (3, "SELECT c.x")]
            {
                assert!(log.add(record(activity, sql)));
            }
        };
        let charges = |log: &mut QueryLog| (1..=4).for_each(|a| log.add_charge(a, charge));
        for is_first in [true, false] {
            let mut log = QueryLog::default();
            if is_first {
                texts(&mut log);
            }
            charges(&mut log);
            if !is_first {
                texts(&mut log);
            }
            let found = log.of_container(0);
            let figures: Vec<_> = found
                .iter()
                .map(|LoggedShape { text, values, sum }| {
                    (*text, values.len(), sum.requests, sum.records, sum.charged.requests)
                })
                .collect();
            assert_eq!(figures, [("SELECT @value1", 1, 2, 3, 2), ("SELECT c.x", 0, 1, 1, 1)]);
            assert!(log.of_container(1).is_empty());
        }
        let long = format!("SELECT {}", "x".repeat(MAX_SHAPE_BYTES));
        assert!(!QueryLog::default().add(record(1, &long)));
    }

    /// Three records of a request, of more requests than are remembered.
    #[test]
    fn requests_beyond_those_that_are_remembered_are_reckoned_from_their_records() {
        let mut log = QueryLog::default();
        let all = MAX_ACTIVITIES as u64 + 100_000;
        let shape = QueryShape::of("SELECT c.x");
        for activity in 0..all {
            for _ in 0..3 {
                let shape = shape.clone();
                assert!(log.add(QueryRecord { shape, ..record(activity, "") }));
            }
        }
        let found = log.of_container(0);
        assert_eq!((found[0].sum.requests, found[0].sum.records), (all, 3 * all));
    }
}
