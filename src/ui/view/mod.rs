//! What the screens show: each view with its state, its answers to actions and its drawing.
//!
//! ```text
//! title   account ▸ database ▸ container …                              source, age
//! body    the view; an overlay lies over it
//! status  what happened last, how far reading is, or the line that is typed
//! footer  keys of this view, each one clickable
//! ```
//!
//! Drawing changes nothing and computes nothing of size: what a frame shows was made by [`settle`] after the last message.

pub mod frame;
pub mod heat;
pub mod help;
pub mod keys;
pub mod overview;
pub mod papers;
pub mod pointing;
pub mod prompt;
pub mod replaying;
pub mod start;
#[cfg(test)]
pub mod testing;
pub mod trial;

pub use pointing::{Hit, click, drag, hit, release, wheel_zoom};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::line::Offer;
use crate::ui::kit::msg::Effect;
use crate::work::whole_file::Existing;

/// Smaller windows show one sentence: nothing of use fits into them.
pub const SMALLEST: (u16, u16) = (40, 10);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ViewId {
    #[default]
    Start,
    Overview,
    Keys,
    Heat,
    Trial,
}

/// What is told of a view.
#[derive(Clone, Copy, Debug)]
pub struct AboutView {
    pub id: ViewId,
    pub name: &'static str,
    /// The action that shows it.
    pub action: Action,
    /// Actions worth a place in the footer, the most needed first.
    pub hints: &'static [Action],
}

pub const VIEWS: [AboutView; 5] = [
    AboutView {
        id: ViewId::Start,
        name: "start",
        action: Action::ShowStart,
        hints: &[Action::Enter, Action::Open, Action::Connect],
    },
    AboutView {
        id: ViewId::Overview,
        name: "overview",
        action: Action::ShowOverview,
        hints: &[
            Action::Enter,
            Action::NextPane,
            Action::Filter,
            Action::SortNext,
            Action::Evidence,
            Action::Export,
            Action::Copy,
        ],
    },
    AboutView {
        id: ViewId::Keys,
        name: "keys",
        action: Action::ShowKeys,
        hints: &[
            Action::NextPane,
            Action::Filter,
            Action::SortNext,
            Action::Evidence,
            Action::Export,
            Action::Copy,
            Action::Mark,
        ],
    },
    AboutView {
        id: ViewId::Heat,
        name: "heat",
        action: Action::ShowHeat,
        hints: &[
            Action::NextMeasure,
            Action::NextOrder,
            Action::NextChart,
            Action::Evidence,
            Action::Copy,
            Action::Enter,
            Action::NextPane,
            Action::ZoomIn,
            Action::Export,
            Action::ToggleDense,
            Action::Pin,
        ],
    },
    AboutView {
        id: ViewId::Trial,
        name: "trial",
        action: Action::ShowTrial,
        hints: &[
            Action::TryKey,
            Action::NextKey,
            Action::NextPanel,
            Action::Suggest,
            Action::LeastSuffix,
            Action::Explain,
            Action::MorePartitions,
            Action::MoreRu,
            Action::Browse,
            Action::ChooseKey,
            Action::Export,
            Action::Copy,
        ],
    },
];

impl ViewId {
    pub fn about(self) -> &'static AboutView {
        let [start, overview, keys, heat, trial] = &VIEWS;
        match self {
            Self::Start => start,
            Self::Overview => overview,
            Self::Keys => keys,
            Self::Heat => heat,
            Self::Trial => trial,
        }
    }
}

/// What inputs without any container are answered with.
const NO_CONTAINER: &str = "The inputs name no container. Sizes of keys come from the diagnostic log \
    PartitionKeyStatistics: export its table CDBPartitionKeyStatistics from Log Analytics, or the files of a storage \
    account, and open them here.";

/// Why there is no container to show.
fn no_container(app: &App) -> String {
    let data = app.data.as_ref();
    let Some(watched) = data.and_then(|data| data.watched.as_ref()) else {
        return NO_CONTAINER.to_owned();
    };
    match watched.in_the_way().next() {
        None => "The account has told of no container.".to_owned(),
        Some((_, _, trouble)) => {
            let what = app.mask.text(&trouble.what);
            let next = trouble.next.as_deref().map(|next| app.mask.text(next));
            let next = next.map_or_else(String::new, |next| format!(" – {next}"));
            format!("The account has told of no container: {what}{next}.")
        }
    }
}

/// Whether the window is too small for anything but a sentence.
fn is_small(app: &App) -> bool {
    app.size.width < SMALLEST.0 || app.size.height < SMALLEST.1
}

/// Draws everything into a buffer that begins at the window's first cell.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let area = buffer.area;
    if is_small(app) || area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        frame::too_small(app, area, buffer);
        return;
    }
    let parts = frame::parts(app, area);
    frame::title(app, parts.title, buffer);
    match app.view {
        ViewId::Start => start::draw(app, parts.body, buffer),
        ViewId::Overview => overview::draw(app, parts.body, buffer),
        ViewId::Keys => keys::draw(app, parts.body, buffer),
        ViewId::Heat => heat::draw(app, parts.body, buffer),
        ViewId::Trial => trial::draw(app, parts.body, buffer),
    }
    match &app.overlay {
        None => {}
        Some(Overlay::Help(state)) => help::draw(app, state, parts.body, buffer),
        Some(Overlay::Paper(state)) => papers::draw(app, state, parts.body, buffer),
        Some(Overlay::Sampling(dialog)) => trial::draw_dialog(app, dialog, parts.body, buffer),
        Some(Overlay::Line(line)) => prompt::draw_offers(app, line, parts.body, buffer),
    }
    replaying::draw(app, parts.scrubber, buffer);
    frame::status(app, parts.status, buffer);
    frame::footer(app, parts.footer, buffer);
}

/// Where the cursor of a typed line stands; nowhere else is a cursor shown.
pub fn cursor(app: &App) -> Option<(u16, u16)> {
    match &app.overlay {
        Some(Overlay::Line(line)) if !is_small(app) => {
            let status = frame::parts(app, area(app)).status;
            Some(prompt::cursor(line, status, app.theme.glyphs))
        }
        _ => None,
    }
}

/// The whole window.
pub fn area(app: &App) -> Rect {
    Rect::new(0, 0, app.size.width, app.size.height)
}

/// The part of the window that views have.
pub fn body(app: &App) -> Rect {
    frame::parts(app, area(app)).body
}

/// Makes what the next frame shows, after every message.
pub fn settle(app: &mut App) -> Vec<Effect> {
    let body = body(app);
    match &mut app.overlay {
        Some(Overlay::Help(_)) => help::settle(app, body),
        Some(Overlay::Paper(_)) => papers::settle(app, body),
        Some(Overlay::Sampling(_) | Overlay::Line(_)) | None => {}
    }
    match app.view {
        ViewId::Start => {
            start::settle(app, body);
            Vec::new()
        }
        ViewId::Overview => {
            overview::settle(app, body);
            Vec::new()
        }
        ViewId::Keys => keys::settle(app, body),
        ViewId::Heat => {
            heat::settle(app, body);
            Vec::new()
        }
        ViewId::Trial => trial::settle(app, body),
    }
}

/// Other data is there, or more of the same.
pub fn on_data(app: &mut App) -> Vec<Effect> {
    overview::on_data(app);
    heat::on_data(app);
    let mut effects = trial::on_data(app);
    effects.extend(keys::on_data(app));
    effects
}

/// A view comes up.
pub fn on_shown(app: &mut App) -> Vec<Effect> {
    match app.view {
        ViewId::Keys => keys::on_shown(app),
        ViewId::Heat => {
            heat::on_shown(app);
            Vec::new()
        }
        ViewId::Trial => trial::on_shown(app),
        ViewId::Start | ViewId::Overview => Vec::new(),
    }
}

/// Names are masked from now on, or no more.
pub fn on_names_changed(app: &mut App) {
    // It was written with the names as they were.
    if matches!(app.overlay, Some(Overlay::Paper(_))) {
        app.overlay = None;
    }
    overview::on_data(app);
    keys::on_names_changed(app);
    heat::on_names_changed(app);
    trial::on_names_changed(app);
}

/// What an action means to the view that is shown.
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match app.view {
        ViewId::Start => start::act(app, action),
        ViewId::Overview => overview::act(app, action),
        ViewId::Keys => keys::act(app, action),
        ViewId::Heat => heat::act(app, action),
        ViewId::Trial => trial::act(app, action),
    }
}

/// What an action means to what lies over the view; None if it means something else.
pub fn act_on_overlay(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let body = body(app);
    if action == Action::Filter && matches!(app.overlay, Some(Overlay::Help(_) | Overlay::Paper(_)))
    {
        // The view below would open its own line over the text.
        app.fail("a text has no filter", Some("Esc closes it"));
        return Some(Vec::new());
    }
    match &mut app.overlay {
        Some(Overlay::Help(_)) => help::act(app, action, body),
        Some(Overlay::Paper(_)) => papers::act(app, action, body),
        Some(Overlay::Sampling(_)) => is_of_rows(action).then(Vec::new),
        Some(Overlay::Line(_)) | None => None,
    }
}

/// Whether an action is about rows of a view: nothing to do while something lies over them.
fn is_of_rows(action: Action) -> bool {
    let context = action.about().map(|about| about.context);
    matches!(
        context,
        Some(Context::List | Context::Keys | Context::Heat | Context::Trial)
    )
}

/// A step back inside the view, if there is one: out of a zoomed pane, out of a filter.
pub fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    match app.view {
        ViewId::Start => None,
        ViewId::Overview => overview::step_back(app),
        ViewId::Keys => keys::step_back(app),
        ViewId::Heat => heat::step_back(app),
        ViewId::Trial => trial::step_back(app),
    }
}

/// The filter of the view that is shown.
pub fn filter_text(app: &App) -> String {
    match app.view {
        ViewId::Start => String::new(),
        ViewId::Overview => app.overview.filter.clone(),
        ViewId::Keys => app.keys.filter_text.clone(),
        ViewId::Heat => heat::filter_text(app),
        ViewId::Trial => trial::filter_text(app),
    }
}

/// Narrows the rows; called with every letter that is typed.
pub fn set_filter(app: &mut App, text: &str) -> Vec<Effect> {
    match app.view {
        ViewId::Start => Vec::new(),
        ViewId::Overview => {
            overview::set_filter(app, text);
            Vec::new()
        }
        ViewId::Keys => keys::set_filter(app, text),
        ViewId::Heat => {
            heat::set_filter(app, text);
            Vec::new()
        }
        ViewId::Trial => {
            trial::set_filter(app, text);
            Vec::new()
        }
    }
}

/// How a filter can go on, and what is wrong with it at which character.
pub fn filter_offers(app: &App, text: &str) -> (Vec<Offer>, Option<(usize, String)>) {
    match app.view {
        ViewId::Start | ViewId::Overview | ViewId::Heat | ViewId::Trial => (Vec::new(), None),
        ViewId::Keys => keys::filter_offers(app, text),
    }
}

/// Columns that the rows of the view can be sorted by.
pub fn sort_columns(app: &App) -> &'static [&'static str] {
    match app.view {
        ViewId::Start => &[],
        ViewId::Overview => overview::COLUMNS,
        ViewId::Keys => keys::COLUMNS,
        ViewId::Heat => heat::COLUMNS,
        ViewId::Trial => trial::paths::COLUMNS,
    }
}

pub fn sort_by(app: &mut App, column: &str) -> Vec<Effect> {
    match app.view {
        ViewId::Start => Vec::new(),
        ViewId::Overview => {
            overview::sort_by(app, column);
            Vec::new()
        }
        ViewId::Keys => keys::sort_by(app, column),
        ViewId::Heat => {
            heat::sort_by(app, column);
            Vec::new()
        }
        ViewId::Trial => {
            trial::sort_by(app, column);
            Vec::new()
        }
    }
}

/// The file name that an export of the view offers.
pub fn export_name(app: &App) -> String {
    match app.view {
        ViewId::Start | ViewId::Overview => "cosmoscope-overview.csv".to_owned(),
        ViewId::Keys => keys::export_name(app),
        ViewId::Heat => heat::export_name(app),
        ViewId::Trial => trial::export_name(app),
    }
}

/// Writes what the view shows to a file.
pub fn export(app: &mut App, path: &str, existing: Existing) -> Vec<Effect> {
    match app.view {
        ViewId::Start => {
            app.fail("there is nothing on the start screen to export", None);
            Vec::new()
        }
        ViewId::Overview => overview::export(app, path, existing),
        ViewId::Keys => keys::export(app, path, existing),
        ViewId::Heat => heat::export(app, path, existing),
        ViewId::Trial => trial::export(app, path, existing),
    }
}
