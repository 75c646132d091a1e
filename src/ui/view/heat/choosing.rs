//! Which container is shown, with which of its partitions, and in which chart it begins.

use super::{Chart, State};
use crate::analysis::heat::grid::{Order, hotter};
use crate::analysis::heat::{Measure, Named};
use crate::ui::app::App;
use crate::ui::view::{ViewId, keys, overview};
use crate::work::data::Dataset;

/// Whether a person asked for the chart and the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Begun {
    #[default]
    No,
    Yes,
}

fn choose(app: &mut App, container: u32) {
    let held = app
        .data
        .as_ref()
        .and_then(|data| data.capture.container(container));
    let name = held.map(|c| c.name.identity());
    if name.is_none() || app.heat.name == name {
        return;
    }
    // An order that was taken because there was no load is not what a person asked for.
    let had_load = app
        .heat
        .scope
        .as_ref()
        .is_none_or(|scope| scope.track.is_some());
    let order = if had_load {
        app.heat.order
    } else {
        Order::default()
    };
    app.heat = State {
        container: Some(container),
        name,
        order,
        look: app.heat.look,
        names: app.heat.names,
        ..State::default()
    };
}

/// What other views had chosen when this one was shown last: only another choice leads to another container.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    overview: Option<u32>,
    keys: Option<u32>,
}

impl Seen {
    fn of(app: &App) -> Self {
        Self {
            overview: overview::chosen_container(app),
            keys: app.keys.container,
        }
    }
}

/// Which container is shown: the chosen one of the overview, the one whose keys were shown last, the worst.
pub fn on_shown(app: &mut App) {
    let (now, before) = (Seen::of(app), app.heat.seen);
    let chosen = match app.trail.last() {
        Some(ViewId::Overview) if now.overview != before.overview => now.overview,
        Some(ViewId::Keys) if now.keys != before.keys => now.keys,
        _ => None,
    };
    let worst = || app.data.as_ref()?.worst_container().or(Some(0));
    let container = chosen.or(app.heat.container).or(app.keys.container);
    let container = container.or_else(worst);
    // Whoever has chosen nothing wants to see where it is hot.
    let is_first = app.overview.cursor.chosen == 0 && app.keys.container.is_none();
    let is_cold = container.is_none_or(|container| is_cold(app, container));
    let hottest = || app.data.as_ref().and_then(|data| hottest(data));
    let hot = if is_first && is_cold { hottest() } else { None };
    if let Some(container) = hot.or(container) {
        choose(app, container);
    }
    app.heat.seen = now;
    // Whoever comes from a key wants to see the partition that holds it; who chose none, the one that the verdict names.
    if app.trail.last() == Some(&ViewId::Keys) && app.heat.container == app.keys.container {
        let blamed = if keys::is_chosen(app) {
            None
        } else {
            app.heat.anchor.clone().or_else(|| blamed(app))
        };
        if let Some(named) = blamed.or_else(|| keys::partition_of_chosen(app)) {
            look_at(app, Some(named));
        }
    }
}

/// The partition that the verdict is about.
fn blamed(app: &App) -> Option<Named> {
    let (data, container) = (app.data.as_ref()?, app.heat.container?);
    let worst = data.diagnoses.container(container)?.worst()?;
    let partitions = &data.heat.container(container)?.partitions;
    Some(partitions.get(worst.partition? as usize)?.named.clone())
}

/// The cursor goes to a partition when the order of all is made anew, which is now.
fn look_at(app: &mut App, named: Option<Named>) {
    app.heat.anchor = named;
    app.heat.scope = None;
}

/// Whether nothing is known of the physical partitions of a container.
fn is_cold(app: &App, container: u32) -> bool {
    let heat = app
        .data
        .as_ref()
        .and_then(|data| data.heat.container(container));
    heat.is_none_or(|heat| heat.is_empty() && heat.partitions.is_empty())
}

/// The container with the hottest partition.
fn hottest(data: &Dataset) -> Option<u32> {
    let tracks = (0_u32..).zip(&data.heat.containers);
    let hottest = tracks.filter_map(|(number, heat)| {
        let (_, standing) = heat.best_track()?.hottest()?;
        Some((number, standing))
    });
    hottest
        .min_by(|a, b| hotter(&a.1, &b.1))
        .map(|(number, _)| number)
}

/// Without any load over time sizes are what there is to see, the fullest first; a person's choice stays.
pub fn begin(app: &mut App) {
    if app.heat.begun == Begun::Yes {
        return;
    }
    let of_container = || {
        let heat = app.data.as_ref()?.heat.container(app.heat.container?)?;
        let has_sizes = heat.partitions.iter().any(|p| p.kib.is_some());
        let track = heat.best_track();
        let has_load = track.is_some_and(|track| track.measure != Measure::Storage);
        Some((has_load, has_sizes))
    };
    let (chart, order) = match of_container() {
        Some((false, true)) => (Chart::Storage, Order::Size),
        _ if app.heat.chart == Chart::Storage => (Chart::Time, Order::default()),
        _ => return,
    };
    app.heat.chart = chart;
    app.heat.order = order;
}
