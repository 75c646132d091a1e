//! Request units by key over time: who loads a partition, since when, and what a key does.

use crate::model::load::RuKey;

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
pub struct Which {
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
    /// The busiest step as RU a second, and when.
    pub peak_ru_per_second: f64,
    pub peak_at: Option<i64>,
    /// First and last record.
    pub first: Option<i64>,
    pub last: Option<i64>,
}

/// Everything a key did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyStory {
    pub ru: f64,
    pub records: u64,
    /// (second, RU a second) in time order, regions apart: the region where it is busiest.
    pub over_time: Vec<(i64, f64)>,
    /// Name numbers of `Load::names` with RU and records, most RU first.
    pub operations: Vec<(u32, f64, u64)>,
    /// Partitions it was logged on, most RU first.
    pub partitions: Vec<(u32, f64)>,
}

impl KeyLoads {
    pub fn new(cells: Vec<KeyCell>, width_s: u32) -> Self {
        Self { cells, width_s }
    }

    pub fn cells(&self) -> &[KeyCell] {
        &self.cells
    }

    /// The keys of the records meant, most RU first.
    pub fn ranked(&self, _which: Which) -> Vec<KeyShare> {
        Vec::new()
    }

    pub fn story(&self, _key: RuKey) -> Option<KeyStory> {
        None
    }
}
