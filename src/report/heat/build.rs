//! From a capture with its load and its diagnosis to a report of heat.

use std::cmp::Reverse;

use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::Diagnoses;
use crate::analysis::diagnosis::thresholds::{TABLE, Threshold, Thresholds};
use crate::analysis::findings::Severity;
use crate::analysis::heat::grid::{GridOrder, TrackStatistics, order, standing};
use crate::analysis::heat::keys::{KeyShare, RecordFilter};
use crate::analysis::heat::{ContainerHeat, Heat, Measure, Partition, Track, Unit};
use crate::analysis::rows::{Note, name_order};
use crate::analysis::summary::ContainerFilter;
use crate::model::capture::{Capture, Container};
use crate::model::load::RuKey;
use crate::model::time::Stamp;

use super::keys::{Sizes, canonical, find_sizes, key_heat, key_of};
use super::map::{HeatMap, Plan};
use super::{
    ContainerHeatRows, Extent, HeatReport, KeysOf, PartitionKeys, PartitionRow, Sources,
    ThresholdRow, TrackRow, VerdictRow,
};
use super::{container_notes, span};

/// Rows that a map keeps however many containers there are.
const FEWEST_ROWS: usize = 10;

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct HeatInputs<'a> {
    pub capture: &'a Capture,
    pub heat: &'a Heat,
    pub diagnoses: &'a Diagnoses,
    pub lookups: &'a Lookups,
    /// What the diagnoses were measured against.
    pub thresholds: &'a Thresholds,
}

/// What of it is wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatSelection {
    /// None given = every container.
    pub containers: Vec<ContainerFilter>,
    /// None = the first that there is, in the order of [`Measure::ALL`].
    pub measure: Option<Measure>,
    /// None = the busiest.
    pub region: Option<String>,
    pub order: GridOrder,
    /// Seconds; None = all there is.
    pub from: Option<i64>,
    pub to: Option<i64>,
    /// Keys of each partition, where the format's own number is not wanted.
    pub top: Option<usize>,
    pub extent: Extent,
    /// The newest size, for a report without load.
    pub as_of: Option<Stamp>,
}

impl HeatSelection {
    pub fn new(extent: Extent) -> Self {
        Self {
            containers: Vec::new(),
            measure: None,
            region: None,
            order: GridOrder::default(),
            from: None,
            to: None,
            top: None,
            extent,
            as_of: None,
        }
    }

    /// As a terminal has it, without maps.
    pub fn without_maps() -> Self {
        Self::new(Extent { maps: 0, ..super::TERMINAL })
    }

    fn takes(&self, track: &Track) -> bool {
        let is_region = self
            .region
            .as_deref()
            .is_none_or(|r| track.region.as_deref().is_some_and(|t| t.eq_ignore_ascii_case(r)));
        is_region && track.span().is_some()
    }

    /// The track that the map shows.
    pub fn track<'a>(&self, heat: &'a ContainerHeat) -> Option<&'a Track> {
        self.shown(heat).and_then(|i| heat.tracks.get(i))
    }

    /// Shares of a limit tell where it is hot; amounts are second best.
    fn shown(&self, heat: &ContainerHeat) -> Option<usize> {
        if self.measure.is_none() && self.region.is_none() {
            let best = heat.best_track()?;
            return heat.tracks.iter().position(|t| std::ptr::eq(t, best));
        }
        let is_measure = |t: &Track| self.measure.is_none_or(|m| t.measure == m);
        let tracks = heat.tracks.iter().enumerate();
        let found = tracks.filter(|(_, t)| is_measure(t) && self.takes(t));
        found.min_by_key(|(_, t)| t.measure.unit() != Unit::Share).map(|(index, _)| index)
    }

    /// The first track of these measures: in the region of the map where there is one, else in the busiest one.
    fn beside(
        &self,
        heat: &ContainerHeat,
        measures: &[Measure],
        shown: Option<&Track>,
    ) -> Option<usize> {
        let find = |fits: &dyn Fn(&Track) -> bool| {
            measures.iter().find_map(|m| {
                let is_it = |t: &Track| t.measure == *m && self.takes(t) && fits(t);
                heat.tracks.iter().position(is_it)
            })
        };
        shown.and_then(|s| find(&|t| t.region == s.region)).or_else(|| find(&|_| true))
    }
}

/// One container on its way, with what its map and keys still need.
struct Draft<'a> {
    number: u32,
    heat: &'a ContainerHeat,
    order: Vec<u32>,
    ranked: Vec<(u32, Vec<KeyShare>)>,
    rows: ContainerHeatRows,
}

impl HeatReport {
    pub fn of(from: HeatInputs<'_>, wanted: &HeatSelection, notes: Vec<Note>) -> Self {
        let mut drafts: Vec<Draft<'_>> = (0_u32..)
            .zip(&from.capture.containers)
            .filter(|(_, c)| {
                let filters = &wanted.containers;
                ContainerFilter::any_fits(filters, &c.name)
            })
            .filter_map(|(number, container)| draft(from, wanted, number, container))
            .collect();
        drafts.sort_by(|a, b| {
            let badness = |d: &Draft<'_>| d.rows.verdicts.first().map(|v| v.verdict.severity);
            let highest = |d: &Draft<'_>| {
                let p99 = |p: &PartitionRow| p.standing.map(|s| s.p99);
                d.rows.partitions.iter().filter_map(p99).fold(-1.0, f64::max)
            };
            let asked = |d: &Draft<'_>| {
                let ru = d.rows.partitions.iter().filter_map(|p| p.ru);
                ru.sum::<f64>()
            };
            (Reverse(badness(a)))
                .cmp(&Reverse(badness(b)))
                .then(highest(b).total_cmp(&highest(a)))
                .then(asked(b).total_cmp(&asked(a)))
                .then_with(|| name_order(&a.rows.name, &b.rows.name))
        });
        let mut sizes = Sizes::new();
        for draft in &drafts {
            let loads = draft.ranked.iter().flat_map(|(_, loads)| loads);
            let keys = loads.filter_map(|load| canonical(from, load.key));
            sizes.extend(keys.map(|key| ((draft.number, key), Default::default())));
        }
        find_sizes(from, &mut sizes);
        let maps = drafts.len().min(wanted.extent.maps).max(1);
        let rows = (wanted.extent.rows / maps).max(FEWEST_ROWS);
        for (index, draft) in drafts.iter_mut().enumerate() {
            draft.fill_keys(from, &sizes);
            if index < wanted.extent.maps {
                draft.fill_map(wanted, rows.min(wanted.extent.rows));
            }
        }
        let containers: Vec<ContainerHeatRows> = drafts.into_iter().map(|d| d.rows).collect();
        let newest = containers.iter().filter_map(|c| Some(c.span?.1)).max();
        Self {
            as_of: newest.and_then(Stamp::from_seconds).or(wanted.as_of),
            ceiling: from.lookups.ceiling,
            containers,
            thresholds: thresholds(from.thresholds),
            price: from.thresholds.price.clone(),
            notes,
        }
    }
}

fn thresholds(all: &Thresholds) -> Vec<ThresholdRow> {
    let row = |row: &Threshold| {
        let value = (row.value)(all);
        ThresholdRow { name: row.name, value, text: row.unit.text(value) }
    };
    TABLE.iter().map(row).collect()
}

fn draft<'a>(
    from: HeatInputs<'a>,
    wanted: &HeatSelection,
    number: u32,
    container: &Container,
) -> Option<Draft<'a>> {
    let heat = from.heat.container(number)?;
    let diagnosis = from.diagnoses.container(number);
    let verdicts = diagnosis.map_or(&[][..], |d| &d.verdicts);
    if verdicts.is_empty() && heat.partitions.is_empty() && heat.tracks.is_empty() {
        return None;
    }
    let load = wanted.shown(heat);
    let shown = load.and_then(|i| heat.tracks.get(i));
    let sources = Sources {
        load,
        ru: wanted.beside(heat, &[Measure::LoggedRu, Measure::RequestRu], shown),
        requests: wanted.beside(heat, &[Measure::Requests], shown),
        throttled: wanted.beside(heat, &[Measure::Throttled], shown),
    };
    let span = span::of_columns(heat, sources, wanted);
    let nothing = Track::default();
    let order = order(heat, shown.unwrap_or(&nothing), container, wanted.order);
    let mut draft = Draft {
        number,
        heat,
        ranked: Vec::new(),
        rows: ContainerHeatRows {
            name: container.name.clone(),
            resource_group: container.resource_group.clone(),
            definition: container.definition.clone(),
            ru_per_second: heat.ru_per_second,
            whole: heat.whole,
            now: diagnosis.and_then(|d| Some(d.now.as_ref()?.outcome.clone())),
            verdicts: verdicts
                .iter()
                .map(|verdict| VerdictRow {
                    partition: verdict.partition.and_then(|p| name_of(heat, p)),
                    verdict: verdict.clone(),
                })
                .collect(),
            span,
            tracks: heat.tracks.iter().map(track_row).collect(),
            sources,
            partitions: Vec::new(),
            partitions_total: heat.partitions.len(),
            physical: heat.physical_partitions().unwrap_or(0),
            map: None,
            keys: Vec::new(),
            notes: Vec::new(),
        },
        order,
    };
    draft.fill_partitions(from, wanted, container);
    draft.rows.notes = container_notes::notes(heat, &draft.rows, wanted);
    Some(draft)
}

impl Draft<'_> {
    fn fill_partitions(
        &mut self,
        from: HeatInputs<'_>,
        wanted: &HeatSelection,
        container: &Container,
    ) {
        let region = self.key_region(from);
        let shown = wanted.extent.partitions.unwrap_or(usize::MAX);
        for index in self.order.iter().take(shown) {
            let Some(partition) = self.heat.partitions.get(*index as usize) else {
                continue;
            };
            let mut row = self.partition_row(wanted, container, partition, *index);
            let which =
                RecordFilter { region, partition: Some(*index), span: span::wanted_span(wanted) };
            let names = &from.capture.load.keys;
            let ranked = self.heat.keys.ranked(which, names);
            if self.ru_is_of_keys() && !ranked.is_empty() {
                // Not of the track: what has no time belongs to it too, and its steps hold fewer digits.
                row.ru = Some(self.heat.keys.total(which).ru);
            }
            let first = ranked.iter().find(|load| load.key != RuKey::Other);
            row.busiest = first.map(|load| (key_of(from, load.key), load.share));
            if !ranked.is_empty() {
                self.ranked.push((*index, ranked));
            }
            self.rows.partitions.push(row);
        }
        if wanted.extent.keys_of == KeysOf::HotPartitions {
            let hot = self.hot();
            self.ranked.retain(|(index, _)| hot.contains(index));
        }
        let top = wanted.top.or(wanted.extent.top).unwrap_or(usize::MAX);
        for (index, ranked) in &mut self.ranked {
            self.rows.keys.push(PartitionKeys {
                partition: name_of(self.heat, *index).unwrap_or_default(),
                region: region.and_then(|r| from.capture.region(r)).map(Into::into),
                keys: Vec::new(),
                keys_total: ranked.len(),
                has_others: ranked.iter().any(|load| load.key == RuKey::Other),
            });
            ranked.truncate(top);
        }
    }

    fn partition_row(
        &self,
        wanted: &HeatSelection,
        container: &Container,
        partition: &Partition,
        index: u32,
    ) -> PartitionRow {
        let known = partition.known.and_then(|i| container.partitions.get(i));
        let sources = self.rows.sources;
        let (from, to) = span::wanted_span(wanted).unwrap_or((i64::MIN, i64::MAX));
        let series = |track: Option<usize>| {
            let track = self.heat.tracks.get(track?)?;
            Some((track, track.series.get(index as usize)?))
        };
        // Values a second times the seconds they stand for.
        let total = |track: Option<usize>| {
            let (track, series) = series(track)?;
            let mut points = series.points(from, to).peekable();
            points.peek()?;
            Some(points.map(|(_, v)| f64::from(v)).sum::<f64>() * f64::from(track.step_s))
        };
        let load = sources.load.and_then(|i| self.heat.tracks.get(i));
        let of_load = load.and_then(|track| Some((track, span::of_track(track, wanted)?)));
        let logged = self.heat.requests.get(index as usize);
        let logged = logged.filter(|r| r.requests > 0);
        PartitionRow {
            named: partition.named.clone(),
            guid: known.and_then(|p| p.guid.clone()),
            min_inclusive: known.and_then(|p| p.min_inclusive.clone()),
            max_exclusive: known.and_then(|p| p.max_exclusive.clone()),
            parents: known.map(|p| p.parents.clone()).unwrap_or_default(),
            status: known.and_then(|p| p.status.clone()),
            capacity: partition.capacity,
            kib: partition.kib,
            standing: of_load.and_then(|(track, (from, to))| {
                let standing = standing(track, index, from, to)?;
                Some(TrackStatistics {
                    // All requests refused is no limit of a partition.
                    saturated_s: standing.saturated_s.filter(|_| is_ru_share(track.measure)),
                    ..standing
                })
            }),
            gaps: of_load.and_then(|(track, (from, to))| {
                let series = track.series.get(index as usize)?;
                Some(series.read(from, to)?.gaps)
            }),
            ru: total(sources.ru),
            requests: total(sources.requests),
            throttled: total(sources.throttled),
            forbidden: logged.map(|r| r.forbidden),
            busiest: None,
        }
    }

    fn ru_is_of_keys(&self) -> bool {
        let track = self.rows.track(self.rows.sources.ru);
        track.is_some_and(|t| t.measure == Measure::LoggedRu)
    }

    /// The region whose keys are told: that of the RU column, so that shares are of one region.
    fn key_region(&self, from: HeatInputs<'_>) -> Option<u16> {
        let track = self.rows.track(self.rows.sources.ru)?;
        let number = from.capture.regions.find(track.region.as_deref().unwrap_or(""))?;
        u16::try_from(number).ok()
    }

    /// Partitions whose keys people want to see.
    fn hot(&self) -> Vec<u32> {
        let named = self.rows.verdicts.iter();
        let mut hot: Vec<u32> = named
            .filter(|v| v.verdict.severity > Severity::Note)
            .filter_map(|v| v.verdict.partition)
            .collect();
        let load = self.rows.track(self.rows.sources.load);
        if load.is_some_and(|t| is_ru_share(t.measure)) {
            let rows = self.order.iter().zip(&self.rows.partitions);
            let is_hot = |row: &PartitionRow| row.standing.is_some_and(|s| s.p99 >= MARK_WARN);
            hot.extend(rows.filter(|(_, row)| is_hot(row)).map(|(i, _)| *i));
        }
        if !self.ranked.iter().any(|(index, _)| hot.contains(index)) {
            hot.extend(self.ranked.first().map(|(index, _)| *index));
        }
        hot
    }

    fn fill_keys(&mut self, from: HeatInputs<'_>, sizes: &Sizes<'_>) {
        for ((index, ranked), shown) in self.ranked.drain(..).zip(&mut self.rows.keys) {
            shown.keys = ranked
                .into_iter()
                .map(|load| key_heat(from, self.number, load, sizes, index))
                .collect();
        }
    }

    fn fill_map(&mut self, wanted: &HeatSelection, rows: usize) {
        let sources = self.rows.sources;
        let track = |index: Option<usize>| self.heat.tracks.get(index?);
        let (Some(shown), Some(row)) = (track(sources.load), self.rows.track(sources.load)) else {
            return;
        };
        let Some(span) = span::of_track(shown, wanted) else {
            return;
        };
        self.rows.map = HeatMap::of(Plan {
            heat: self.heat,
            track: shown,
            row,
            throttled: track(sources.throttled),
            order: &self.order,
            span,
            columns: wanted.extent.columns,
            rows,
        });
    }
}

fn is_ru_share(measure: Measure) -> bool {
    matches!(measure, Measure::NormalizedRu | Measure::LoggedShare)
}

fn name_of(heat: &ContainerHeat, partition: u32) -> Option<String> {
    let partition = heat.partitions.get(partition as usize)?;
    Some(partition.named.text().to_owned())
}

fn track_row(track: &Track) -> TrackRow {
    TrackRow {
        measure: track.measure,
        region: track.region.clone(),
        step_s: track.step_s,
        from: track.from.clone(),
        span: track.span(),
    }
}
