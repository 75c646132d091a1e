//! The heat of physical partitions as a report: verdicts, partitions, the map, and who loads them; in six formats.
//!
//! Everything is in one plain [`HeatReport`], made by [`HeatReport::of`], masked as a whole, and written by
//! [`HeatFormat::write`]. Shares of RU/s stand for one region each; no value is nothing, never zero.

mod build;
mod container_notes;
mod csv;
mod doc;
mod json;
mod keys;
mod map;
mod map_text;
mod mask;
mod scale;
mod span;
mod steps;
mod svg;
mod svg_map;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod words;

pub use build::{HeatInputs, HeatSelection};
pub use map::{HeatMap, MapRow};
pub(super) use scale::MapScale;
pub(super) use svg::page as svg_page;
pub(super) use svg_map::figure as svg_figure;
pub(super) use words::key_words;

use std::io::{self, Write};
use std::sync::Arc;

use crate::analysis::billing::Price;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::outcome::Outcome;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::heat::grid::TrackStatistics;
use crate::analysis::heat::keys::KeyShare;
use crate::analysis::heat::requests::WholeLoad;
use crate::analysis::heat::{Capacity, Measure, RangeName};
use crate::analysis::rows::Note;
use crate::model::key::KeyDefinition;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

use super::Style;
use super::doc::Doc;

/// Everything a report of heat tells, whatever the format.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatReport {
    /// End of the newest load shown; without load the newest size.
    pub as_of: Option<Stamp>,
    pub ceiling: Ceiling,
    /// Worst verdict first.
    pub containers: Vec<ContainerHeatRows>,
    /// What the verdicts were measured against.
    pub thresholds: Vec<ThresholdRow>,
    /// What RU/s cost, where the configuration says it.
    pub price: Option<Price>,
    pub notes: Vec<Note>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ThresholdRow {
    pub name: &'static str,
    pub value: f64,
    /// With its unit.
    pub text: String,
}

/// One container.
#[derive(Clone, PartialEq, Debug)]
pub struct ContainerHeatRows {
    pub name: ContainerName,
    pub resource_group: Option<Arc<str>>,
    pub definition: Option<KeyDefinition>,
    pub ru_per_second: Option<f64>,
    /// What metrics tell of the container as a whole, whatever the time asked for.
    pub whole: WholeLoad,
    /// Today's partitions under today's demand, over the sizing window.
    pub now: Option<Outcome>,
    /// Worst first.
    pub verdicts: Vec<VerdictRow>,
    /// Seconds `[from, to)` that the numbers of partitions and keys are about, each column as far as its track reaches.
    pub span: Option<(i64, i64)>,
    /// All that is measured of it over time.
    pub tracks: Vec<TrackRow>,
    pub sources: Sources,
    /// In the order asked for.
    pub partitions: Vec<PartitionRow>,
    /// Shown or not.
    pub partitions_total: usize,
    /// Physical partitions among them: no two names for one, and none that is no partition. 0 = not known.
    pub physical: usize,
    pub map: Option<HeatMap>,
    pub keys: Vec<PartitionKeys>,
    pub notes: Vec<Note>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct VerdictRow {
    /// As [`RangeName::text`] names it.
    pub partition: Option<String>,
    pub verdict: Verdict,
}

/// A measure in a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackRow {
    pub measure: Measure,
    pub region: Option<Arc<str>>,
    pub step_s: u32,
    /// Where it comes from, in words.
    pub from: String,
    pub span: Option<(i64, i64)>,
}

/// Indices of the tracks from which the columns of partitions are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    pub load: Option<usize>,
    pub ru: Option<usize>,
    pub requests: Option<usize>,
    pub throttled: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PartitionRow {
    pub named: RangeName,
    pub guid: Option<String>,
    pub min_inclusive: Option<String>,
    pub max_exclusive: Option<String>,
    pub parents: Vec<String>,
    pub status: Option<String>,
    pub capacity: Option<Capacity>,
    pub kib: Option<f64>,
    /// On the load track.
    pub standing: Option<TrackStatistics>,
    /// Steps of the load track without a value.
    pub gaps: Option<u64>,
    pub ru: Option<f64>,
    pub requests: Option<f64>,
    /// Requests refused with 429.
    pub throttled: Option<f64>,
    /// Requests refused with 403 in all regions, at all times: a full logical partition, among others.
    pub forbidden: Option<u64>,
    /// Its busiest key and that key's share of its RU.
    pub busiest: Option<(KeyOf, f64)>,
}

/// The keys that load one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionKeys {
    pub partition: String,
    pub region: Option<Arc<str>>,
    pub keys: Vec<KeyHeat>,
    /// Shown or not.
    pub keys_total: usize,
    /// One row sums small keys, so the number of keys is unknown.
    pub has_others: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct KeyHeat {
    pub key: KeyOf,
    pub load: KeyShare,
    /// Size and share of the ceiling, where the statistics report them.
    pub size: Option<(f64, f64)>,
    /// Where its hash or the service's list puts it.
    pub place: Option<HashPlace>,
}

/// Which key RU were spent for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyOf {
    /// Compact JSON list, harmless.
    Named(Box<str>),
    NotReported,
    /// Together all keys beyond those that are told apart.
    Others,
}

impl KeyOf {
    /// Its JSON text, and what it is about.
    pub(super) fn json(&self) -> (Option<&str>, &'static str) {
        match self {
            Self::Named(json) => (Some(json), "key"),
            Self::NotReported => (None, "not_reported"),
            Self::Others => (None, "further_keys"),
        }
    }
}

/// The partition that ought to hold a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HashPlace {
    pub partition: String,
    /// `listed by the service` or `computed from its hash`.
    pub how: &'static str,
    /// Whether the log names the same one.
    pub agrees: bool,
}

/// Which partitions' keys are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeysOf {
    /// Those that a verdict names or that stand at 70 % or more; else the hottest.
    HotPartitions,
    AllPartitions,
}

/// How much a format shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Cells of the map, over all containers and in one of them.
    pub columns: usize,
    pub rows: usize,
    pub maps: usize,
    pub partitions: Option<usize>,
    /// Keys of each partition unless `--top` says.
    pub top: Option<usize>,
    pub keys_of: KeysOf,
}

/// One format of `report --view heat`, and of an export of the map.
#[derive(Clone, Copy, Debug)]
pub struct HeatFormat {
    pub name: &'static str,
    pub write: Writer,
    pub extent: Extent,
}

/// What a page can hold: beyond it neighbours are merged, and a cell shows the highest of them.
const PAGE: Extent = Extent {
    columns: 240,
    rows: 200,
    maps: 20,
    partitions: Some(500),
    top: Some(10),
    keys_of: KeysOf::HotPartitions,
};
/// What fits into 80 columns beside the names.
const TERMINAL: Extent =
    Extent { columns: 60, rows: 20, partitions: Some(20), top: Some(5), ..PAGE };
/// Scripts take all partitions and keys; the map has bounds all the same, 1,440 being the minutes of a day.
const SCRIPT: Extent = Extent {
    columns: 1440,
    rows: 1000,
    maps: usize::MAX,
    partitions: None,
    top: None,
    keys_of: KeysOf::AllPartitions,
};

const TABLE: Extent = Extent { maps: 0, ..SCRIPT };

pub const FORMATS: [HeatFormat; 6] = [
    HeatFormat::of("text", TERMINAL, |r, s, to| doc::write(r, Doc::text(s), to)),
    HeatFormat::of("json", SCRIPT, json::write),
    HeatFormat::of("csv", TABLE, csv::write),
    HeatFormat::of("md", TERMINAL, |r, s, to| doc::write(r, Doc::md(s), to)),
    HeatFormat::of("html", PAGE, |r, s, to| doc::write(r, Doc::html(s), to)),
    HeatFormat::of("svg", PAGE, svg::write),
];

type Writer = fn(&HeatReport, Style, &mut dyn Write) -> io::Result<()>;

impl HeatFormat {
    const fn of(name: &'static str, extent: Extent, write: Writer) -> Self {
        Self { name, write, extent }
    }
}

pub fn format(name: &str) -> Option<&'static HeatFormat> {
    FORMATS.iter().find(|f| f.name == name)
}

impl TrackRow {
    /// `RU % of partition (RU log), West Europe`, visible.
    fn title(&self) -> String {
        match &self.region {
            Some(region) => {
                format!("{}, {}", self.measure.title(), crate::model::visible::visible(region))
            }
            None => self.measure.title().to_owned(),
        }
    }
}

impl ContainerHeatRows {
    fn track(&self, index: Option<usize>) -> Option<&TrackRow> {
        self.tracks.get(index?)
    }
}

impl PartitionRow {
    /// Of the requests in the same region.
    pub fn throttled_share(&self) -> Option<f64> {
        let requests = self.requests.filter(|n| *n > 0.0)?;
        Some(self.throttled.unwrap_or(0.0) / requests)
    }
}
