//! Keys side by side, each tried on documents: what it would do to sizes, load, physical partitions and queries.
//!
//! ```text
//! fleet ▸ by-month   100,000 documents, standing for 394 M   10 partitions · 2,400 RU/s        on what, against what
//! 2 /deviceId: holds with care · the fullest of 10 physical partitions holds 1.51 times …      the chosen key in a line
//!                     1 current       ▶ 2              3
//!                     /month          /deviceId        /deviceId + "-" + /month
//! verdict             does not hold   holds with care  holds with care                          one row a figure
//! largest key         16.03 GiB       4.08 GiB         250.22 MiB
//! reasons │ sizes │ partitions │ queries                                                       one of the panels
//! ```
//!
//! A key that is typed is tried while it is typed; what was there before stays, greyed, until the new result is there.

mod against;
mod copying;
mod documents;
mod editor;
mod entries;
pub mod explain;
mod figures;
mod head;
mod layout;
pub mod legend;
mod pane;
mod panels;
pub mod paths;
pub mod places;
pub mod queries;
mod reasons;
mod scanning;
mod search;
pub mod sizes;
mod table;
#[cfg(test)]
mod testing;

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Hit, ViewId, papers};
use crate::analysis::candidate::Candidate;
use crate::analysis::demand::remedies::Remedy;
use crate::analysis::trial::Settings;
use crate::model::names::ContainerName;
use crate::model::visible::visible;
use crate::report::trial::{CandidateReport, TrialReport};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::{Effect, Turn};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::text;
use crate::work::data::Dataset;
use crate::work::shared::Shared;
use crate::work::trial::Sample;
use crate::work::whole_file::Existing;

pub use against::set_dial;
pub use documents::{
    date_by, is_busy, needs_no_data, on_data, on_looked, on_progress, on_sampled, on_shown,
    read_documents, read_queries, stop, times,
};
pub use editor::{is_key, keep_typed, key_offers, leave_editor, new_key, on_typed, try_key};
pub use entries::{on_tried, on_untold};
pub use scanning::{
    Dialog, draw_dialog, more as more_documents, on_key as on_dialog_key, on_metered,
    on_paste as on_dialog_paste,
};
pub use search::{bucket, on_found};

use against::Dials;
use documents::Reading;
use editor::Draft;
use entries::Entry;
use layout::Pane;
use panels::Panel;

/// What the trial view holds from message to message.
#[derive(Debug, Default)]
pub struct State {
    /// Files that were named when the program was started.
    given: Vec<PathBuf>,
    /// By its number in the newest capture.
    container: Option<u32>,
    name: Option<ContainerName>,
    sample: Option<Shared<Sample>>,
    /// The newest question for what inputs tell, and of what.
    looked: Turn,
    looked_at: Option<(Shared<Dataset>, u32)>,
    reading: Option<Reading>,
    /// Whether somebody was asked for a sample of documents.
    is_offered: bool,
    entries: Vec<Entry>,
    chosen: usize,
    draft: Option<Draft>,
    decided: Option<Candidate>,
    dials: Dials,
    /// The newest question for trials.
    asked: Turn,
    /// What the fresh results were measured against.
    settings: Option<Settings>,
    report: Option<Shared<TrialReport>>,
    /// The place in the report of each entry that has a result.
    places: Vec<Option<usize>>,
    panel: Panel,
    pane: Pane,
    zoom: Zoom,
    /// Of the table.
    rows: Scroll,
    searching: Option<search::Searching>,
    /// What the last search found, as a remedy of today's key.
    change_key: Option<Remedy>,
    panels: panels::Made,
    places_in: panels::Places,
}

impl State {
    /// What a search over the documents of a container found in place of its key.
    pub fn change_key(&self, container: u32) -> Option<&Remedy> {
        let found = self.change_key.as_ref();
        found.filter(|_| self.container == Some(container))
    }

    pub fn new(given: Vec<PathBuf>) -> Self {
        Self {
            given,
            ..Self::default()
        }
    }

    /// For data of another origin.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self::new(self.given.clone())
    }

    /// What is known of an entry.
    fn result(&self, entry: usize) -> Option<&CandidateReport> {
        let place = (*self.places.get(entry)?)?;
        self.report.as_ref()?.candidates.get(place)
    }
}

pub fn on_names_changed(app: &mut App) {
    app.trial.panels = panels::Made::default();
}

/// Makes what the next frame shows.
pub fn settle(app: &mut App, body: Rect) -> Vec<Effect> {
    let areas = layout::areas(app, body);
    panels::settle(app, &areas);
    let rows = table::rows(app);
    app.trial.rows.settle(rows, areas.table_rows());
    Vec::new()
}

pub fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    if let Some(effects) = scanning::stop(app) {
        return Some(effects);
    }
    if let Some(effects) = search::stop(app) {
        return Some(effects);
    }
    let state = &mut app.trial;
    if state.zoom == Zoom::On {
        state.zoom = Zoom::Off;
    } else if state.pane == Pane::Panel {
        state.pane = Pane::Table;
    } else {
        return None;
    }
    Some(Vec::new())
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::NextKey => entries::step(app, 1),
        Action::PreviousKey => entries::step(app, -1),
        Action::RemoveKey => return entries::remove(app),
        Action::ChooseKey => entries::decide(app),
        Action::Enter => return enter(app),
        Action::Suggest | Action::LeastSuffix | Action::Way => return search::act(app, action),
        Action::SortNext => panels::sort(app, 1),
        Action::SortPrevious => panels::sort(app, -1),
        Action::Relative => panels::turn_scale(app),
        Action::Browse => {
            app.trial.panel = Panel::Paths;
            app.trial.pane = Pane::Panel;
        }
        Action::ClearFilter => set_filter(app, ""),
        Action::NextPane | Action::PreviousPane => {
            app.trial.pane = app.trial.pane.other();
        }
        Action::Zoom => app.trial.zoom = app.trial.zoom.other(),
        Action::NextPanel => turn_panel(app, Panel::next),
        Action::PreviousPanel => turn_panel(app, Panel::before),
        Action::MorePartitions
        | Action::FewerPartitions
        | Action::MoreRu
        | Action::LessRu
        | Action::AskedRu
        | Action::NextWeight
        | Action::GrowthADay
        | Action::KeptDays
        | Action::AsItIs => return against::turn(app, action),
        Action::Explain | Action::Evidence => explain(app),
        Action::Copy | Action::CopyQuery => return copying::act(app, action),
        Action::Documents | Action::Queries | Action::DatedBy => {
            documents::takes_more(app, action);
        }
        _ => return moved(app, action),
    }
    Vec::new()
}

fn turn_panel(app: &mut App, turn: fn(Panel) -> Panel) {
    app.trial.panel = turn(app.trial.panel);
}

/// Among paths the chosen one is tried; else the chosen key is opened.
fn enter(app: &mut App) -> Vec<Effect> {
    if app.trial.pane == Pane::Panel
        && let Some(effects) = panels::enter(app)
    {
        return effects;
    }
    editor::edit_chosen(app)
}

fn moved(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::body(app);
    let areas = layout::areas(app, body);
    match app.trial.pane {
        Pane::Table => {
            let rows = table::rows(app);
            app.trial.rows.act(action, rows, areas.table_rows());
            Vec::new()
        }
        Pane::Panel => panels::act(app, action, &areas),
    }
}

/// The formula and the numbers of every figure of the chosen key.
fn explain(app: &mut App) {
    let lines = panels::explained(app);
    if lines.is_empty() {
        app.fail("no key has been tried yet", None);
        return;
    }
    app.overlay = Some(Overlay::Paper(papers::State::new("evidence", lines)));
}

pub fn filter_text(app: &App) -> String {
    panels::filter_text(app)
}

pub fn set_filter(app: &mut App, text: &str) {
    panels::set_filter(app, text);
}

/// Orders of the list of paths.
pub fn sort_by(app: &mut App, column: &str) {
    let Some(by) = paths::By::named(column) else {
        return app.fail(
            format!("paths have no order {}", visible(column)),
            Some("they are found, path, distinct, missing"),
        );
    };
    if let Some(sample) = app.trial.sample.clone() {
        app.trial.panel = Panel::Paths;
        app.trial.places_in.paths.sort_by(by, &sample.paths);
    }
}

pub fn export_name(_app: &App) -> String {
    "cosmoscope-trial.md".to_owned()
}

/// Writes all keys side by side to a file.
pub fn export(app: &mut App, path: &str, existing: Existing) -> Vec<Effect> {
    copying::export(app, path, existing)
}

/// The key whose column is under a cell, or the path.
pub fn place_at(app: &App, body: Rect, column: u16, row: u16) -> Option<Hit> {
    let areas = layout::areas(app, body);
    let entry = table::entry_at(app, &areas, column, row).map(Hit::Row);
    entry.or_else(|| panels::path_at(app, &areas, column, row).map(Hit::Path))
}

/// A click on a path chooses it, one on the chosen path tries it as a key.
pub fn click_path(app: &mut App, place: usize) -> Vec<Effect> {
    let is_chosen =
        app.trial.pane == Pane::Panel && app.trial.places_in.paths.cursor.chosen == place;
    panels::choose_path(app, place);
    if is_chosen { enter(app) } else { Vec::new() }
}

/// A click on a key chooses it, one on the chosen key opens it for editing.
pub fn click(app: &mut App, entry: usize) -> Vec<Effect> {
    if app.trial.chosen == entry {
        return editor::edit_chosen(app);
    }
    entries::choose(app, entry);
    Vec::new()
}

pub fn draw(app: &App, body: Rect, buffer: &mut Buffer) {
    let areas = layout::areas(app, body);
    head::draw(app, &areas, buffer);
    if app.trial.report.is_none() {
        let sentence = documents::sentence(app);
        text::paragraph(buffer, areas.table, &sentence, app.theme.text, &app.theme);
        return;
    }
    table::draw(app, &areas, buffer);
    panels::draw(app, &areas, buffer);
}

/// Whether the way to this view, which is shown already, means documents of an account.
pub fn wants_more(app: &App) -> bool {
    is_shown(app) && scanning::is_live(app) && app.trial.reading.is_none()
}

/// Whether there is nothing yet on which a key could be tried, and an account could be asked for it.
pub fn wants_documents(app: &App) -> bool {
    wants_more(app) && app.trial.sample.is_none() && app.trial.entries.is_empty()
}

/// Whether the view is the one that is shown.
fn is_shown(app: &App) -> bool {
    app.view == ViewId::Trial
}

#[cfg(test)]
mod tests;
