//! Which container, measure and region are shown, of which tracks, and its partitions in their order.

use crate::ui::kit::list::further;
use crate::ui::kit::msg::Effect;
use std::sync::Arc;

use super::throttled::forbidden;
use super::{Chart, names};
use crate::analysis::heat::grid::{self, GridOrder};
use crate::analysis::heat::series::Series;
use crate::analysis::heat::{ContainerHeat, Measure, Partition, RangeName, Track, Unit};
use crate::model::capture::Container;
use crate::model::units::PHYSICAL_CEILING_KIB;
use crate::model::visible::visible;
use crate::ui::kit::cx::Cx;
use crate::ui::view::heat::HeatState;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// Which region is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RegionChoice {
    #[default]
    Busiest,
    /// None: the track whose input names no region.
    Of(Option<Arc<str>>),
}

/// What a person asked for; None: what comes first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScopeRequest {
    pub measure: Option<Measure>,
    pub region: RegionChoice,
}

/// What is shown; made anew only if one of the first four changes.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatScope {
    pub data: Shared<Dataset>,
    pub container: u32,
    pub request: ScopeRequest,
    pub order: GridOrder,
    pub track: Option<usize>,
    /// Tracks of 429 whose requests the track tells of too: of the same region, or of all where it names none.
    pub throttled: Vec<usize>,
    pub measures: Vec<Measure>,
    /// Regions in which the measure is told.
    pub regions: Vec<Option<Arc<str>>>,
    /// From the first step to the end of the last one.
    pub span: Option<(i64, i64)>,
    /// The highest value of all partitions.
    pub highest: f64,
    /// Whether any partition has a ceiling that the measure can be held against.
    pub has_ceiling: bool,
    /// What it is shown in.
    pub chart: Chart,
    /// Indices of partitions.
    pub rows: Vec<u32>,
    /// Those of which that map tells nothing at any time: they have no rows in it.
    pub silent: Vec<u32>,
    /// GUIDs in logs that are not counted as partitions of their own.
    pub uncounted: usize,
    pub label_columns: usize,
    /// Whether anything was refused with 429 at any time.
    pub is_throttled: bool,
    /// Whether logs tell the RU of keys over time.
    pub has_key_loads: bool,
}

impl HeatScope {
    pub fn heat(&self) -> Option<&ContainerHeat> {
        self.data.heat.container(self.container)
    }

    pub fn track(&self) -> Option<&Track> {
        self.heat()?.tracks.get(self.track?)
    }

    /// The tracks of 429 that lie over the shown one.
    pub fn throttled(&self) -> impl Iterator<Item = &Track> {
        let tracks = self.heat().map_or(&[][..], |heat| &heat.tracks);
        let others = self.throttled.iter().filter(|at| self.track != Some(**at));
        others.filter_map(|at| tracks.get(*at))
    }

    pub fn measure(&self) -> Option<Measure> {
        Some(self.track()?.measure)
    }

    pub fn series(&self, partition: u32) -> Option<&Series> {
        self.track()?.series.get(partition as usize)
    }

    pub fn partition(&self, index: u32) -> Option<&Partition> {
        self.heat()?.partitions.get(index as usize)
    }

    pub fn capture_container(&self) -> Option<&Container> {
        self.data.capture.container(self.container)
    }

    /// The value of the track that is all a partition has; None where no ceiling is known.
    pub fn full(&self, partition: u32) -> Option<f64> {
        match self.measure()? {
            Measure::NormalizedRu | Measure::LoggedShare => Some(1.0),
            Measure::Storage => Some(PHYSICAL_CEILING_KIB),
            Measure::LoggedRu | Measure::RequestRu => {
                let capacity = self.partition(partition)?.capacity?;
                Some(capacity.ru_per_second).filter(|ru| *ru > 0.0)
            }
            Measure::Throttled | Measure::ThrottledShare | Measure::Requests => None,
        }
    }

    pub fn unit(&self) -> Option<Unit> {
        self.measure().map(Measure::unit)
    }
}

/// Finds what is shown if it was not found yet.
pub fn settle(state: &mut HeatState, cx: &Cx) {
    let (Some(data), Some(container)) = (cx.data.clone(), state.container) else {
        state.scope = None;
        return;
    };
    let is_it = |scope: &HeatScope| {
        scope.data == data
            && scope.container == container
            && scope.request == state.request
            && scope.order == state.order
            && scope.chart == state.chart
            && !scope.silent.iter().any(|at| Some(*at) == wanted(state, scope))
    };
    if state.scope.as_ref().is_some_and(is_it) {
        return;
    }
    let mut scope = new_scope(&data, container, state.request.clone(), state.order);
    scope.chart = state.chart;
    if scope.chart == Chart::Time {
        set_apart(state, &mut scope);
    }
    scope.label_columns = label_columns(&scope);
    place_cursor(state, &scope);
    state.scope = Some(scope);
}

/// The partition that a person chose, or else the one that the verdict is about.
fn wanted(state: &HeatState, scope: &HeatScope) -> Option<u32> {
    let Some(anchor) = &state.anchor else {
        return blamed(scope);
    };
    let mut all = (0..).zip(&scope.heat()?.partitions);
    all.find_map(|(at, partition)| (partition.named == *anchor).then_some(at))
}

/// Rows without any value would take the room of the others; one that is wanted stays for its keys.
fn set_apart(state: &HeatState, scope: &mut HeatScope) {
    let (Some(heat), Some(track)) = (scope.heat(), scope.track()) else {
        return;
    };
    let wanted = wanted(state, scope);
    let is_told = |row: &u32| {
        let refused = |track: &Track| track.standing(*row).is_some_and(|s| s.highest > 0.0);
        wanted == Some(*row)
            || track.standing(*row).is_some()
            || scope.throttled().any(refused)
            || forbidden(heat, &[*row]).is_some()
    };
    let (rows, silent): (Vec<u32>, _) = scope.rows.iter().partition(|row| is_told(row));
    if !rows.is_empty() {
        (scope.rows, scope.silent) = (rows, silent);
    }
}

fn uncounted(heat: &ContainerHeat) -> usize {
    let is_guid = |p: &&Partition| matches!(p.named, RangeName::Guid(_));
    let counted = heat.physical().filter_map(|at| heat.partitions.get(at as usize));
    heat.partitions.iter().filter(is_guid).count() - counted.filter(is_guid).count()
}

fn label_columns(scope: &HeatScope) -> usize {
    let columns = |at: &u32| {
        let forbidden = forbidden(scope.heat()?, &[*at]).map_or(0, |[rate, _]| rate.len() + 2);
        Some(names::columns(&scope.partition(*at)?.named) + forbidden)
    };
    scope.rows.iter().filter_map(columns).max().unwrap_or(0)
}

/// The cursor stays on its partition; until a person moved it, it stands on the one that the verdict is about, or on the
/// first.
fn place_cursor(state: &mut HeatState, scope: &HeatScope) {
    let group = state.map.group.max(1);
    let wanted = wanted(state, scope);
    let place = wanted.and_then(|at| scope.rows.iter().position(|row| *row == at));
    match place {
        Some(place) => state.cursor.chosen = place / group,
        None if state.anchor.is_none() => state.cursor.chosen = 0,
        None => {}
    }
}

/// The partition of the worst verdict, or of the key that it blames.
fn blamed(scope: &HeatScope) -> Option<u32> {
    let data = &scope.data;
    let verdict = data.diagnoses.container(scope.container)?.worst()?;
    if verdict.partition.is_some() {
        return verdict.partition;
    }
    let key = verdict.key.as_deref()?;
    let (known, _) = data.lookups.places.owner(scope.container, key)?;
    let partitions = &scope.heat()?.partitions;
    let at = partitions.iter().position(|p| p.known == Some(known))?;
    u32::try_from(at).ok()
}

/// Whether any partition that is shown ever throttled.
fn has_throttled(scope: &HeatScope) -> bool {
    let is_throttled = |track: &Track| {
        let mut standings = scope.rows.iter().filter_map(|row| track.standing(*row));
        standings.any(|found| found.highest > 0.0)
    };
    scope.throttled().any(is_throttled)
}

fn new_scope(
    data: &Shared<Dataset>,
    container: u32,
    wanted: ScopeRequest,
    order: GridOrder,
) -> HeatScope {
    let mut scope = HeatScope {
        data: data.clone(),
        container,
        request: wanted,
        order,
        track: None,
        throttled: Vec::new(),
        measures: Vec::new(),
        regions: Vec::new(),
        span: None,
        highest: 0.0,
        has_ceiling: false,
        chart: Chart::default(),
        rows: Vec::new(),
        silent: Vec::new(),
        uncounted: 0,
        label_columns: 0,
        is_throttled: false,
        has_key_loads: false,
    };
    let Some(heat) = data.heat.container(container) else {
        return scope;
    };
    for measure in heat.tracks.iter().map(|track| track.measure) {
        if !scope.measures.contains(&measure) {
            scope.measures.push(measure);
        }
    }
    let wanted_by = scope.request.measure.filter(|m| scope.measures.contains(m));
    let measure = wanted_by.or(heat.best_track().map(|track| track.measure));
    let tracks = heat.tracks.iter().filter(|t| Some(t.measure) == measure);
    scope.regions = tracks.map(|track| track.region.clone()).collect();
    let wanted_by = match &scope.request.region {
        RegionChoice::Of(region) if scope.regions.contains(region) => Some(region),
        RegionChoice::Of(_) | RegionChoice::Busiest => None,
    };
    // What the verdict is about comes first.
    let diagnosis = data.diagnoses.container(container);
    let now = diagnosis.and_then(|d| d.now.as_ref()?.outcome.region.as_deref());
    let worst = scope.regions.iter().find(|r| r.as_deref() == now);
    let region = wanted_by.or(worst).or(scope.regions.first()).cloned();
    let find = |measure: Measure| {
        let is_it = |t: &Track| t.measure == measure && Some(&t.region) == region.as_ref();
        heat.tracks.iter().position(is_it)
    };
    scope.track = measure.and_then(find);
    scope.throttled = throttled(heat, region.as_ref().and_then(Option::as_deref));
    let none = Track::default();
    let track = scope.track.and_then(|at| heat.tracks.get(at));
    let track = track.unwrap_or(&none);
    if let Some(held) = data.capture.container(container) {
        scope.rows = grid::order(heat, track, held, order);
    }
    scope.span = span(track);
    let standings = scope.rows.iter().filter_map(|row| track.standing(*row));
    scope.highest = standings.map(|s| s.highest).fold(0.0, f64::max);
    scope.has_ceiling = scope.rows.iter().any(|row| scope.full(*row).is_some());
    scope.uncounted = uncounted(heat);
    scope.is_throttled = has_throttled(&scope);
    scope.has_key_loads = heat.keys.cells().iter().any(|cell| cell.second.is_some());
    scope
}

/// A metric that was not split by region is the highest of all regions: a refusal in any of them belongs to it. Of a log
/// that names no region nothing better is known.
fn throttled(heat: &ContainerHeat, region: Option<&str>) -> Vec<usize> {
    fn named(region: Option<&str>) -> Option<&str> {
        region.filter(|region| !region.is_empty())
    }
    let all = heat.tracks.iter().enumerate();
    let all = all.filter(|(_, track)| track.measure == Measure::Throttled);
    let of = |wanted: Option<&str>| -> Vec<usize> {
        let is_it = |track: &Track| named(track.region.as_deref()) == wanted;
        let found = all.clone().filter(|(_, track)| is_it(track));
        found.map(|(at, _)| at).collect()
    };
    let Some(region) = named(region) else {
        return all.clone().map(|(at, _)| at).collect();
    };
    let of_region = of(Some(region));
    if of_region.is_empty() { of(None) } else { of_region }
}

fn span(track: &Track) -> Option<(i64, i64)> {
    let all = track.series.iter().chain([&track.together]);
    let spans = all.filter_map(Series::span);
    spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

pub fn turn_measure(state: &mut HeatState, step: isize) -> Vec<Effect> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let now = scope.measure();
    let known = now.filter(|now| scope.measures.contains(now));
    let next = known.map(|now| further(&scope.measures, &now, step));
    match next {
        Some(measure) if Some(measure) != now => {
            state.request.measure = Some(measure);
            Effect::say(measure.title())
        }
        Some(measure) => {
            Effect::say(format!("the inputs have no other measure than {}", measure.title()))
        }
        None => Effect::fail("the inputs have no load over time", None),
    }
}

pub fn next_region(state: &mut HeatState) -> Vec<Effect> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let now = scope.track().map(|track| track.region.clone());
    let known = now.filter(|now| scope.regions.contains(now));
    let next = known.map(|now| further(&scope.regions, &now, 1));
    match next {
        Some(region) if scope.regions.len() > 1 => state.request.region = RegionChoice::Of(region),
        _ => {
            let named = scope.track().and_then(|track| track.region.as_deref());
            let words = match named.filter(|region| !region.is_empty()) {
                Some(region) => {
                    format!("the inputs have this measure for {} only", visible(region))
                }
                None => "the inputs name no region for this measure".to_owned(),
            };
            return Effect::say(words);
        }
    }
    Vec::new()
}

pub fn next_order(state: &mut HeatState) -> Vec<Effect> {
    state.order = further(&GridOrder::ALL, &state.order, 1);
    Effect::say(format!("partitions by {}", state.order.name()))
}
