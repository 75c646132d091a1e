//! Which container is shown, with which of its partitions, and in which chart it begins.

use super::layout::HeatPane;
use super::{Chart, HeatState};
use crate::analysis::heat::grid::{GridOrder, hotter};
use crate::analysis::heat::{Measure, RangeName};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::ViewId;
use crate::ui::view::OtherViews;
use crate::work::data::Dataset;

/// Whether a person asked for the chart and the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChosenByUser {
    #[default]
    No,
    Yes,
}

fn choose(state: &mut HeatState, cx: &Cx, container: u32) {
    let data = cx.data.as_ref();
    let held = data.and_then(|data| data.capture.container(container));
    let name = held.map(|c| c.name.identity());
    if name.is_none() || state.name == name {
        return;
    }
    // An order that was taken because there was no load is not what a person asked for.
    let scope = state.scope.as_ref();
    let had_load = scope.is_none_or(|scope| scope.track.is_some());
    let order = if had_load { state.order } else { GridOrder::default() };
    *state = HeatState {
        container: Some(container),
        name,
        order,
        look: state.look,
        names: state.names,
        ..HeatState::default()
    };
}

/// Which container is shown: the chosen one of the overview, the one whose keys were shown last, the worst.
pub fn on_shown(state: &mut HeatState, cx: &Cx, others: &OtherViews) {
    let (now, before) = (others, &state.seen);
    let chosen = match cx.trail.last() {
        Some(ViewId::Overview) if now.overview != before.overview => now.overview,
        Some(ViewId::Keys) if now.keys != before.keys => now.keys,
        Some(ViewId::Forecast) if now.forecast != before.forecast => now.forecast,
        _ => None,
    };
    let worst = || cx.data.as_ref()?.worst_container().or(Some(0));
    let container = chosen.or(state.container).or(others.keys);
    let container = container.or_else(worst);
    // Whoever has chosen nothing wants to see where it is hot.
    let is_first = others.is_first && others.keys.is_none();
    let is_cold = container.is_none_or(|container| is_cold(cx, container));
    let hottest = || cx.data.as_ref().and_then(|data| hottest(data));
    let hot = if is_first && is_cold { hottest() } else { None };
    if let Some(container) = hot.or(container) {
        choose(state, cx, container);
    }
    state.seen = others.clone();
    // Whoever comes from a key wants to see the partition that holds it; who chose none, the one that the verdict names.
    if cx.trail.last() == Some(&ViewId::Keys) && state.container == others.keys {
        let blamed =
            if others.is_key { None } else { state.anchor.clone().or_else(|| blamed(state, cx)) };
        if let Some(named) = blamed.or_else(|| others.partition.clone()) {
            look_at(state, Some(named));
        }
    }
}

/// Shows a container with the partition that its verdict is about; the list of keys then chooses the key to blame.
pub fn open(state: &mut HeatState, cx: &Cx, container: u32) {
    choose(state, cx, container);
    if let Some(named) = blamed(state, cx) {
        look_at(state, Some(named));
    }
    state.pane = HeatPane::Map;
}

/// The partition that the verdict is about.
fn blamed(state: &HeatState, cx: &Cx) -> Option<RangeName> {
    let (data, container) = (cx.data.as_ref()?, state.container?);
    let worst = data.diagnoses.container(container)?.worst()?;
    let partitions = &data.heat.container(container)?.partitions;
    Some(partitions.get(worst.partition? as usize)?.named.clone())
}

/// The cursor goes to a partition when the order of all is made anew, which is now.
fn look_at(state: &mut HeatState, named: Option<RangeName>) {
    state.anchor = named;
    state.scope = None;
}

/// Whether nothing is known of the physical partitions of a container.
fn is_cold(cx: &Cx, container: u32) -> bool {
    let data = cx.data.as_ref();
    let heat = data.and_then(|data| data.heat.container(container));
    heat.is_none_or(|heat| heat.is_empty() && heat.partitions.is_empty())
}

/// The container with the hottest partition.
fn hottest(data: &Dataset) -> Option<u32> {
    let tracks = (0_u32..).zip(&data.heat.containers);
    let hottest = tracks.filter_map(|(number, heat)| {
        let (_, standing) = heat.best_track()?.hottest()?;
        Some((number, standing))
    });
    hottest.min_by(|a, b| hotter(&a.1, &b.1)).map(|(number, _)| number)
}

/// Without any load over time sizes are what there is to see, the fullest first; a person's choice stays.
pub fn begin(state: &mut HeatState, cx: &Cx) {
    if state.begun == ChosenByUser::Yes {
        return;
    }
    let of_container = || {
        let heat = cx.data.as_ref()?.heat.container(state.container?)?;
        let has_sizes = heat.partitions.iter().any(|p| p.kib.is_some());
        let track = heat.best_track();
        let has_load = track.is_some_and(|track| track.measure != Measure::Storage);
        Some((has_load, has_sizes))
    };
    let (chart, order) = match of_container() {
        Some((false, true)) => (Chart::Storage, GridOrder::Size),
        _ if state.chart == Chart::Storage => (Chart::Time, GridOrder::default()),
        _ => return,
    };
    state.chart = chart;
    state.order = order;
}
