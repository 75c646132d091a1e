//! Load over time: request units per key and partition, requests by status, metric series. Bounded, with exact sums.

mod choice;
mod clients;
mod heavy;
mod limited;
mod marks;
mod memory;
mod query_log;

use std::collections::{BTreeMap, HashMap};

use super::client::{Client, ClientSum};
use super::names::Names;
use super::time::Stamp;

pub use limited::Limited;
pub use marks::{MAX_MARKS, RecordMark};
pub use query_log::{ChargeSum, LoggedShape, QueryLog, QueryRecord, QuerySum};

use heavy::HeavyKeys;
use marks::Marks;

/// What the service answers to a request.
pub const BAD_REQUEST: u16 = 400;
/// A write to a logical partition that is full, among others.
pub const FORBIDDEN: u16 = 403;
pub const TOO_MANY_REQUESTS: u16 = 429;

/// Cells of RU or requests held at the finest width; beyond it the width grows, sums stay exact.
pub const MAX_CELLS: usize = 500_000;
/// Distinct keys of RU logs that are held; of more keys those with most of the RU are listed, see [`Load::listed_share`].
pub const MAX_RU_KEYS: usize = 200_000;
/// Names of ranges, regions and operations.
pub const MAX_NAMES: usize = 100_000;
/// Points held over all metric series.
pub const MAX_POINTS: usize = 4_000_000;
/// Widths in seconds a log may be summed to, finest first.
const WIDTHS: [u32; 6] = [1, 10, 60, 300, 900, 3600];

/// The key of an RU record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuKey {
    /// The log named no key.
    NotReported,
    /// A number in `Load::keys`.
    Named(u32),
    /// One of the keys that are not listed.
    Other,
}

words! {
    /// Through which log a record of request units came. The service writes the same requests into every log that is switched
    /// on, under activity ids of their own: two logs of the same seconds are never added.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum RuLog {
        /// The table of its own in Log Analytics, or a log whose table is not named.
        #[default]
        OwnTable = "CDBPartitionKeyRUConsumption",
        /// The older table that all services share.
        SharedTable = "AzureDiagnostics",
        /// Files in a storage account, or messages.
        Archive = "the diagnostics archive",
    }
    fn name
}

/// A log that tells of seconds of which a more complete one tells too: it does not count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeftOutLog {
    pub container: u32,
    pub region: u16,
    pub judged_by: RuLog,
    pub log: RuLog,
    /// What the log counts in these seconds, and what the one that is judged by counts.
    pub ru: f64,
    pub judged_ru: f64,
}

/// One record of request units as an importer hands it over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RuRecord<'a> {
    pub container: u32,
    pub log: RuLog,
    pub region: u16,
    /// Partition key range id; empty and `undefined` are kept as they are.
    pub range: &'a str,
    /// Canonical key text, empty where none is named.
    pub key: &'a str,
    pub operation: &'a str,
    pub at: Option<Stamp>,
    pub ru: f64,
    pub mark: Option<RecordMark>,
}

/// What a record of request units stands for where the service summed up single ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuSummed {
    /// Seconds from the record's time on; 0 for a single record.
    pub span_s: u32,
    pub records: u64,
    /// Keys beyond those that were asked for by name, together.
    pub of_others: bool,
}

impl RuSummed {
    /// Nothing was summed up.
    pub const SINGLE: Self = Self { span_s: 0, records: 1, of_others: false };
}

/// One record of requests: a single one, or a total over some minutes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RequestRecord<'a> {
    pub container: u32,
    pub region: u16,
    /// The GUID of the physical partition.
    pub partition: &'a str,
    pub operation: &'a str,
    pub status: u16,
    /// Seconds the record stands for: 0 for a single request, 300 or 900 for totals.
    pub span_s: u32,
    pub at: Option<Stamp>,
    pub requests: u64,
    pub ru: f64,
    pub duration_ms: f64,
    pub mark: Option<RecordMark>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuCell {
    pub container: u32,
    pub log: RuLog,
    pub region: u16,
    pub range: u32,
    pub key: RuKey,
    pub operation: u32,
    /// Start of the cell in seconds since 1970, None where the record had no time.
    pub second: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RuSum {
    pub ru: f64,
    pub records: u64,
}

impl RuSum {
    pub fn add(&mut self, other: Self) {
        self.ru += other.ru;
        self.records = self.records.saturating_add(other.records);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestCell {
    pub container: u32,
    pub region: u16,
    pub partition: u32,
    pub operation: u32,
    pub status: u16,
    pub span_s: u32,
    pub second: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RequestSum {
    pub requests: u64,
    pub ru: f64,
    pub duration_ms: f64,
    pub records: u64,
}

impl RequestSum {
    pub fn add(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.ru += other.ru;
        self.duration_ms += other.duration_ms;
        self.records = self.records.saturating_add(other.records);
    }
}

/// Which series a metric point belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SeriesName {
    /// The REST name, such as `NormalizedRUConsumption`.
    pub metric: String,
    pub unit: String,
    pub aggregation: String,
    pub container: u32,
    /// Dimensions as they were given, names in lower case, sorted.
    pub dimensions: Vec<(String, String)>,
}

impl SeriesName {
    pub fn dimension(&self, name: &str) -> Option<&str> {
        self.dimensions.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intake {
    New,
    /// The very same record was there before; it is not counted twice.
    Repeat,
    /// A named limit was reached; the record is left out.
    BeyondLimit,
}

/// Everything known of load.
#[derive(Clone, Debug)]
pub struct Load {
    pub ru: HashMap<RuCell, RuSum>,
    pub requests: HashMap<RequestCell, RequestSum>,
    pub metrics: HashMap<SeriesName, Vec<(Stamp, f64)>>,
    pub keys: Names,
    /// Range ids, GUIDs and operations.
    pub names: Names,
    /// Seconds a cell of `ru` covers.
    pub ru_width_s: u32,
    pub requests_width_s: u32,
    /// By container; only those whose log has one of the columns.
    pub limited: HashMap<u32, Limited>,
    /// Who sent the requests, by container; only where the request log has a user agent.
    pub clients: BTreeMap<(u32, Client), ClientSum>,
    /// How often clients repeat a throttled request, where the capture states it.
    pub retries: Option<u8>,
    pub queries: QueryLog,
    /// Logs of the same seconds that do not count.
    pub left_out: Vec<LeftOutLog>,
    points: usize,
    marks: Marks,
    /// Only where there are too many keys to hold each.
    heavy: Option<HeavyKeys>,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            ru: HashMap::new(),
            requests: HashMap::new(),
            metrics: HashMap::new(),
            keys: Names::default(),
            names: Names::default(),
            ru_width_s: WIDTHS[0],
            requests_width_s: WIDTHS[0],
            limited: HashMap::new(),
            clients: BTreeMap::new(),
            retries: None,
            queries: QueryLog::default(),
            left_out: Vec::new(),
            points: 0,
            marks: Marks::default(),
            heavy: None,
        }
    }
}

impl Load {
    pub fn add_ru(&mut self, r: &RuRecord<'_>) -> Intake {
        self.add_summed_ru(r, RuSummed::SINGLE)
    }

    /// A record that stands for many makes the cells as wide as its span: nothing is known within it.
    pub fn add_summed_ru(&mut self, r: &RuRecord<'_>, summed: RuSummed) -> Intake {
        if self.marks.seen(r.mark, r.at) {
            return Intake::Repeat;
        }
        let (Some(range), Some(operation)) =
            (self.names.number(r.range, MAX_NAMES), self.names.number(r.operation, MAX_NAMES))
        else {
            return Intake::BeyondLimit;
        };
        let key = if summed.of_others { RuKey::Other } else { self.ru_key(r.key, r.ru) };
        let within = WIDTHS.into_iter().find(|width| *width >= summed.span_s);
        self.widen_ru(within.unwrap_or(WIDTHS[WIDTHS.len() - 1]));
        let second = r.at.map(|at| floor_to(at.seconds(), self.ru_width_s));
        let cell = RuCell {
            container: r.container,
            log: r.log,
            region: r.region,
            range,
            key,
            operation,
            second,
        };
        self.ru.entry(cell).or_default().add(RuSum { ru: r.ru, records: summed.records });
        while self.ru.len() > MAX_CELLS {
            match wider(self.ru_width_s) {
                Some(width) => self.widen_ru(width),
                None if self.keys.is_empty() => break,
                None => self.list_fewer(),
            }
        }
        Intake::New
    }

    /// Nothing more comes: what only reading needs is freed.
    pub fn close(&mut self) {
        self.choose_logs();
        self.queries.close();
        self.marks.forget();
        if let Some(heavy) = &mut self.heavy {
            heavy.forget();
        }
    }

    fn widen_ru(&mut self, width: u32) {
        if width <= self.ru_width_s {
            return;
        }
        self.ru_width_s = width;
        self.regroup(|cell, _| cell.second = cell.second.map(|s| floor_to(s, width)));
    }

    fn regroup(&mut self, mut change: impl FnMut(&mut RuCell, RuSum)) {
        for (mut cell, sum) in std::mem::take(&mut self.ru) {
            change(&mut cell, sum);
            self.ru.entry(cell).or_default().add(sum);
        }
    }

    pub fn add_request(&mut self, r: &RequestRecord<'_>) -> Intake {
        if self.marks.seen(r.mark, r.at) {
            return Intake::Repeat;
        }
        let names =
            (self.names.number(r.partition, MAX_NAMES), self.names.number(r.operation, MAX_NAMES));
        let (Some(partition), Some(operation)) = names else {
            return Intake::BeyondLimit;
        };
        let second = r.at.map(|at| floor_to(at.seconds(), self.requests_width_s));
        let (container, region, status, span_s) = (r.container, r.region, r.status, r.span_s);
        let cell = RequestCell { container, region, partition, operation, status, span_s, second };
        self.requests.entry(cell).or_default().add(RequestSum {
            requests: r.requests,
            ru: r.ru,
            duration_ms: r.duration_ms,
            records: 1,
        });
        while self.requests.len() > MAX_CELLS
            && let Some(width) = wider(self.requests_width_s)
        {
            self.requests_width_s = width;
            let old = std::mem::take(&mut self.requests);
            for (mut cell, sum) in old {
                cell.second = cell.second.map(|s| floor_to(s, width));
                self.requests.entry(cell).or_default().add(sum);
            }
        }
        Intake::New
    }

    /// A second value for a moment replaces nothing: the first stays, and the repeat is told.
    pub fn add_point(&mut self, series: &SeriesName, at: Stamp, value: f64) -> Intake {
        let points = match self.metrics.get_mut(series) {
            Some(points) => points,
            None => self.metrics.entry(series.clone()).or_default(),
        };
        match points.binary_search_by_key(&at, |p| p.0) {
            Ok(_) => Intake::Repeat,
            Err(_) if self.points >= MAX_POINTS => Intake::BeyondLimit,
            Err(place) => {
                points.insert(place, (at, value));
                self.points += 1;
                Intake::New
            }
        }
    }

    /// Whether marks ran out, so that repeats are "at least".
    pub fn marks_full(&self) -> bool {
        self.marks.are_full()
    }
}

fn wider(width: u32) -> Option<u32> {
    WIDTHS.into_iter().find(|w| *w > width)
}

fn floor_to(second: i64, width: u32) -> i64 {
    second - second.rem_euclid(i64::from(width))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn record(key: &str, second: i64, ru: f64, mark: u64) -> RuRecord<'_> {
        let at = Stamp::from_seconds(second);
        RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "3",
            key,
            operation: "Create",
            at,
            ru,
            mark: Some(RecordMark::Whole(mark)),
        }
    }

    #[test]
    fn records_add_up_per_second_and_repeats_do_not() {
        let mut load = Load::default();
        assert_eq!(load.add_ru(&record("[\"a\"]", 100, 5.0, 1)), Intake::New);
        assert_eq!(load.add_ru(&record("[\"a\"]", 100, 2.5, 2)), Intake::New);
        assert_eq!(load.add_ru(&record("[\"a\"]", 100, 2.5, 2)), Intake::Repeat);
        assert_eq!(load.ru.len(), 1);
        assert!((load.ru.values().map(|s| s.ru).sum::<f64>() - 7.5).abs() < 1e-12);
    }

    #[test]
    fn a_long_log_widens_its_cells_and_keeps_its_sum() {
        let mut load = Load::default();
        let n = i64::try_from(MAX_CELLS).unwrap() + 10;
        for second in 0..n {
            // Without marks: it is the cells that are counted here.
            load.add_ru(&RuRecord { mark: None, ..record("[\"a\"]", second, 1.0, 0) });
        }
        assert_eq!(load.ru_width_s, 10);
        assert!(load.ru.len() <= MAX_CELLS);
        assert_eq!(load.ru.values().map(|s| s.records).sum::<u64>(), u64::try_from(n).unwrap());
    }

    #[test]
    fn what_was_summed_up_is_no_peak() {
        let mut load = Load::default();
        load.add_ru(&record("[\"a\"]", 61, 5.0, 1));
        let minute = RuSummed { span_s: 60, records: 90, of_others: false };
        let others = RuSummed { of_others: true, ..minute };
        load.add_summed_ru(&record("[\"a\"]", 60, 600.0, 2), minute);
        load.add_summed_ru(&record("", 60, 60.0, 3), others);
        assert_eq!((load.ru_width_s, load.ru.len()), (60, 2));
        let sum_of = |wanted: RuKey| {
            let mut found = load.ru.iter().filter(|(cell, _)| cell.key == wanted);
            found.next().map(|(_, sum)| (sum.ru, sum.records))
        };
        assert_eq!(sum_of(RuKey::Named(0)), Some((605.0, 91)));
        assert_eq!(sum_of(RuKey::Other), Some((60.0, 90)));
    }

    #[test]
    fn points_stay_in_time_order_and_gaps_stay_gaps() {
        let mut load = Load::default();
        let series = SeriesName { metric: "m".into(), ..SeriesName::default() };
        for second in [120, 0, 60] {
            assert_eq!(
                load.add_point(&series, Stamp::from_seconds(second).unwrap(), 1.0),
                Intake::New
            );
        }
        assert_eq!(load.add_point(&series, Stamp::from_seconds(60).unwrap(), 2.0), Intake::Repeat);
        let seconds: Vec<i64> =
            load.metrics.values().next().unwrap().iter().map(|p| p.0.seconds()).collect();
        assert_eq!(seconds, [0, 60, 120]);
    }
}
