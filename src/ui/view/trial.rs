//! Keys side by side, each tried on documents: what it would do to sizes, load, physical partitions and queries.
//!
//! ```text
//! size [~81 GiB]  growth [0.28 GiB/day]  demand [RU log 19,173 RU/s]  provisioned [40,000]     against what
//! 2 /deviceId: caution · 22,000 RU/s needed, 20,000 provisioned: 4.2 % throttled. …            the chosen key in a sentence
//!                     1 current       ▶ 2              3
//!                     /month          /deviceId        /deviceId + "-" + /month
//! verdict             reject          caution          good                                what decides, a row each
//! why                 20 GB soon      uneven storage   –
//! partitions │ figures │ reasons │ sizes │ queries │ paths                                 one of the panels
//! ```
//!
//! A key that is typed is tried while it is typed; what was there before stays, greyed, until the new result is there.

mod conditions;
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

use super::{OtherViews, View};
use crate::ui::kit::line::Typing;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Hit;
use crate::analysis::candidate::Candidate;
use crate::analysis::demand::remedies::Remedy;
use crate::analysis::trial::Settings;
use crate::model::names::ContainerName;
use crate::report::trial::search::SearchResults;
use crate::report::trial::{CandidateReport, KeyRole, TrialReport};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::further;
use crate::ui::kit::msg::{Effect, Generation, Msg, OnScreen, ViewId};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::text;
use crate::work::data::{Dataset, Exported};
use crate::work::shared::Shared;
use crate::work::simulate::TriedKeys;
use crate::work::trial::{DocumentsOf, TrialSample, TrialShown};

pub use conditions::{field_after, next_ru, set_dial, without_grouping};
pub use documents::{
    date_by, is_busy, is_early, progress, read_documents, read_queries, stop, time_path, times,
};
pub use editor::{
    is_key, keep_typed, key_offers, leave_editor, new_key, on_typed, parsed, try_key,
};
pub use scanning::{
    Dialog, KeyEffect, begin as begin_sample, more as more_documents, on_key as on_dialog_key,
    on_paste as on_dialog_paste,
};
pub use search::{bucket, chosen_key, plan_as, show};

use conditions::Dials;
use documents::DocumentRead;
use editor::Draft;
use entries::TriedKey;
use layout::TrialPane;
use panels::TrialPanel;

/// What the trial view holds from message to message.
#[derive(Debug, Default)]
pub struct TrialState {
    /// Files that were named when the program was started.
    given: Vec<PathBuf>,
    given_queries: Option<PathBuf>,
    /// By its number in the newest capture.
    container: Option<u32>,
    name: Option<ContainerName>,
    sample: Option<Shared<TrialSample>>,
    /// The newest question for what inputs tell, and of what.
    looked: Generation,
    looked_at: Option<(Shared<Dataset>, u32)>,
    reading: Option<DocumentRead>,
    /// A file in place of the queries that the origin of the documents knows.
    queries: Option<PathBuf>,
    /// Whether somebody was asked for a sample of documents.
    is_offered: bool,
    entries: Vec<TriedKey>,
    chosen: usize,
    is_chosen: bool,
    draft: Option<Draft>,
    decided: Option<Candidate>,
    /// The decision of the newest file.
    saved: Option<Candidate>,
    dials: Dials,
    /// The newest question for trials.
    generation: Generation,
    /// What the fresh results were measured against.
    settings: Option<Settings>,
    report: Option<Shared<TrialReport>>,
    /// The place in the report of each entry that has a result.
    places: Vec<Option<usize>>,
    panel: TrialPanel,
    pane: TrialPane,
    zoom: Zoom,
    /// Of the table.
    rows: Scroll,
    searching: Option<search::Searching>,
    /// The proposals, and what they were looked for with.
    found: Option<(Settings, Shared<SearchResults>)>,
    /// The first of the proposals.
    proposed: Option<Candidate>,
    /// It, or the best key that was tried, as a remedy of today's key.
    change_key: Option<Remedy>,
    panels: panels::PanelContents,
    /// The newest question of what a sample of documents may cost.
    dialog: Option<Box<Dialog>>,
    places_in: panels::PanelPlaces,
}

impl TrialState {
    /// The question of what a sample of documents may cost.
    pub fn draw_dialog(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        if let Some(dialog) = &self.dialog {
            scanning::draw_dialog(cx, dialog, body, buffer);
        }
    }

    /// Keys that can be played in time: those that were tried on documents.
    pub fn tried(&self, cx: &Cx) -> Option<TriedKeys> {
        let others = self.entries.iter().filter(|e| e.stands == KeyRole::Candidate);
        let keys: Vec<Candidate> = others.map(|entry| entry.candidate.clone()).collect();
        Some(TriedKeys {
            container: self.name.as_ref()?.identity(),
            sample: self.sample.clone()?,
            settings: conditions::settings(self, cx)?,
            keys,
        })
    }

    /// The best key that was tried in place of that of a container.
    pub fn change_key(&self) -> Option<(u32, Remedy)> {
        self.container.zip(self.change_key.clone())
    }

    /// The key that is decided for, unless a file keeps that.
    pub fn unsaved(&self) -> Option<&Candidate> {
        self.decided.as_ref().filter(|_| self.decided != self.saved)
    }

    /// A file was written; a decision is the only one that ends so.
    pub fn on_exported(&mut self, path: &str) {
        if path.to_ascii_lowercase().ends_with(".toml") {
            self.saved.clone_from(&self.decided);
        }
    }

    /// Files that were named when the program was started can be tried without any other data.
    pub fn needs_no_data(&self) -> bool {
        !self.given.is_empty()
    }

    /// The container on whose documents keys are tried.
    pub fn shown_container(&self) -> Option<u32> {
        self.container
    }

    /// Files whose documents are tried, or are to be.
    pub fn files(&self) -> &[PathBuf] {
        match self.sample.as_ref().map(|sample| &sample.from) {
            Some(DocumentsOf::Paths(paths)) => paths,
            _ => &self.given,
        }
    }

    /// Whether there are documents to look for keys in, or they are being read.
    pub fn can_search(&self) -> bool {
        self.has_documents() || self.reading.is_some()
    }

    /// Whether there are documents, or files that they are read from.
    pub fn has_documents(&self) -> bool {
        self.sample.is_some() || !self.given.is_empty()
    }

    /// The documents that were read.
    pub fn documents(&self) -> Option<&TrialSample> {
        self.sample.as_deref()
    }

    pub fn new(given: Vec<PathBuf>, queries: Option<PathBuf>) -> Self {
        Self { given, given_queries: queries.clone(), queries, ..Self::default() }
    }

    /// The same data from the start: its documents are read already.
    pub fn keep_sample(&mut self, of: &Self) {
        self.sample.clone_from(&of.sample);
    }

    /// For data of another origin.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self::new(self.given.clone(), self.given_queries.clone())
    }

    /// Today's key and the chosen one, where they were tried.
    pub fn results(&self) -> [Option<&CandidateReport>; 2] {
        [self.result(0), self.result(self.chosen)]
    }

    /// What is known of an entry.
    fn result(&self, entry: usize) -> Option<&CandidateReport> {
        let place = (*self.places.get(entry)?)?;
        self.report.as_ref()?.candidates.get(place)
    }
}

/// Among paths the chosen one is tried; else the chosen key is opened.
fn enter(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    if state.pane == TrialPane::Panel
        && let Some(effects) = panels::enter(state, cx)
    {
        return effects;
    }
    editor::edit_chosen(state)
}

fn moved(state: &mut TrialState, cx: &Cx, action: Action) -> Vec<Effect> {
    let body = cx.body();
    let areas = layout::areas(state, cx, body);
    match state.pane {
        TrialPane::Table => {
            let seen = table::rows_seen(state, cx, &areas);
            state.rows.act(action, table::decision_rows(state).len(), seen);
            Vec::new()
        }
        TrialPane::Panel => panels::act(state, action, &areas),
    }
}

/// The formula and the numbers of every figure of the chosen key.
fn explain(state: &TrialState, cx: &Cx) -> Vec<Effect> {
    let lines = panels::explained(state, cx);
    match documents::waiting(state) {
        _ if !lines.is_empty() => {}
        Some(why) => return Effect::say(why),
        None => return Effect::fail("no key has been tried yet", None),
    }
    OnScreen::ReadReport("evidence", lines).alone()
}

/// Whether the way to this view, which is shown already, means documents of an account.
pub fn wants_more(state: &TrialState, cx: &Cx) -> bool {
    is_shown(cx) && scanning::is_live(state, cx) && state.reading.is_none()
}

/// Whether the view is the one that is shown.
fn is_shown(cx: &Cx) -> bool {
    cx.view == ViewId::Trial
}

impl View for TrialState {
    fn is_waiting(&self) -> bool {
        let is_looking = self.entries.is_empty() && self.dials.as_it_is.is_none();
        is_busy(self) || documents::is_trying(self) || self.sample.is_some() && is_looking
    }

    fn container(&self) -> Option<u32> {
        self.container
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        let areas = layout::areas(self, cx, body);
        panels::settle(self, cx, &areas);
        let seen = table::rows_seen(self, cx, &areas);
        self.rows.settle(table::decision_rows(self).len(), seen);
        Vec::new()
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        let areas = layout::areas(self, cx, body);
        head::draw(self, cx, &areas, buffer);
        if self.report.is_none() {
            let sentence = documents::sentence(self, cx);
            text::paragraph(buffer, areas.table, &sentence, cx.theme.text, &cx.theme);
        } else {
            table::draw(self, cx, &areas, buffer);
        }
        panels::draw(self, cx, &areas, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        match action {
            Action::NextKey | Action::PreviousKey if self.entries.is_empty() => {
                let Some(reading) = &mut self.reading else {
                    return documents::waiting(self).map_or_else(Vec::new, Effect::say);
                };
                reading.then.push(action);
                return Effect::say("another key is chosen as soon as the documents are read");
            }
            Action::NextKey => entries::step(self, 1),
            Action::PreviousKey => entries::step(self, -1),
            Action::RemoveKey => return entries::remove(self),
            Action::ChooseKey => return entries::decide(self),
            Action::Enter => return enter(self, cx),
            Action::Suggest | Action::LeastSuffix | Action::Plan => {
                return search::act(self, cx, action);
            }
            Action::SortNext => return panels::sort(self, 1),
            Action::SortPrevious => return panels::sort(self, -1),
            Action::Relative => panels::turn_scale(self),
            Action::Browse if self.sample.is_none() => {
                return match documents::waiting(self) {
                    Some(why) if self.reading.is_some() => Effect::say(why),
                    _ => Effect::fail(
                        "there are no documents whose paths could be listed",
                        Some(":documents FILE reads some"),
                    ),
                };
            }
            Action::Browse => {
                self.panel = TrialPanel::Paths;
                self.pane = TrialPane::Panel;
            }
            Action::ClearFilter => return self.set_filter(cx, "", Typing::Over),
            Action::NextPane | Action::PreviousPane => {
                self.pane = further(&[TrialPane::Table, TrialPane::Panel], &self.pane, 1);
            }
            Action::Zoom => self.zoom = self.zoom.other(),
            Action::NextPanel => self.panel = further(&TrialPanel::ALL, &self.panel, 1),
            Action::PreviousPanel => self.panel = further(&TrialPanel::ALL, &self.panel, -1),
            Action::MorePartitions
            | Action::FewerPartitions
            | Action::MoreRu
            | Action::LessRu
            | Action::NextWeight
            | Action::AsItIs => return conditions::turn_dial(self, cx, action),
            Action::Assume => return conditions::open(self, Action::ExpectedSize),
            Action::ExpectedSize
            | Action::GrowthADay
            | Action::DemandRu
            | Action::KeptDays
            | Action::Documents
            | Action::Queries
            | Action::DatedBy => return conditions::open(self, action),
            Action::Explain | Action::Evidence => return explain(self, cx),
            Action::Copy | Action::CopyQuery => return copying::act(self, cx, action),
            _ => return moved(self, cx, action),
        }
        Vec::new()
    }

    /// The field of the header under a cell, the key whose column it is, or the path.
    fn hit(&self, cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let areas = layout::areas(self, cx, body);
        let at = (column, row).into();
        if let Some(field) = head::field_at(self, cx, &areas, at) {
            return field.edit.map(|(action, _)| Hit::Field(action));
        }
        let entry = table::entry_at(self, &areas, at).map(Hit::Row);
        entry.or_else(|| panels::path_at(self, &areas, column, row).map(Hit::Path))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Field(Action::NextWeight) => {
                return conditions::turn_dial(self, cx, Action::NextWeight);
            }
            Hit::Field(action) => return conditions::open(self, action),
            Hit::Row(entry) if self.chosen == entry => return editor::edit_chosen(self),
            Hit::Row(entry) => entries::choose(self, entry),
            Hit::Path(place) => {
                let was_focused = self.pane == TrialPane::Panel;
                self.pane = TrialPane::Panel;
                if self.places_in.paths.cursor.click(place) && was_focused {
                    return enter(self, cx);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        documents::on_data(self, cx)
    }

    fn answer(&mut self, cx: &Cx, msg: &Msg) -> Vec<Effect> {
        match msg {
            Msg::Sampled(generation, sampled) => {
                return documents::on_sampled(self, cx, *generation, sampled.clone());
            }
            Msg::LookedAt(generation, reported) => {
                return documents::on_looked(self, cx, *generation, reported.clone());
            }
            Msg::Found(generation, found) => return search::on_found(self, cx, *generation, found),
            Msg::Progressed(generation, progress) => {
                documents::on_progress(self, *generation, progress);
            }
            Msg::Metered(generation, meter) => scanning::on_metered(self, *generation, *meter),
            Msg::Tried(generation, tried) => entries::on_tried(self, *generation, tried),
            Msg::Unreported(generation, unreported) => {
                entries::on_unreported(self, *generation, unreported);
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_shown(&mut self, cx: &Cx, others: &OtherViews) -> Vec<Effect> {
        documents::on_shown(self, cx, others)
    }

    fn on_names_changed(&mut self, _cx: &Cx) {
        self.panels = panels::PanelContents::default();
    }

    fn step_back(&mut self, _cx: &Cx) -> Option<Vec<Effect>> {
        if let Some(effects) = scanning::stop(self) {
            return Some(effects);
        }
        if let Some(effects) = search::stop(self) {
            return Some(effects);
        }
        if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if self.pane == TrialPane::Panel {
            self.pane = TrialPane::Table;
        } else {
            return None;
        }
        Some(Vec::new())
    }

    fn filter_text(&self) -> String {
        self.places_in.paths.filter().to_owned()
    }

    fn set_filter(&mut self, _cx: &Cx, text: &str, _typing: Typing) -> Vec<Effect> {
        panels::set_filter(self, text)
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        paths::ORDERS.names
    }

    /// Orders of the list of paths.
    fn sort_by(&mut self, _cx: &Cx, column: &str) -> Vec<Effect> {
        let Some(by) = paths::ORDERS.named(column) else {
            return paths::ORDERS.unknown("paths have no order", column);
        };
        if let Some(sample) = self.sample.clone() {
            self.panel = TrialPanel::Paths;
            self.places_in.paths.sort_by(by, &sample.paths);
        }
        Vec::new()
    }

    fn export_name(&self) -> &'static str {
        if self.unsaved().is_some() { "cosmoscope-key.toml" } else { "cosmoscope-trial.md" }
    }

    /// All keys side by side.
    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str> {
        Ok(Exported::Trial(TrialShown {
            report: self.report.clone().ok_or("no key has been tried yet")?,
            sample: self.sample.clone(),
            logs: copying::logs(self, cx),
            decided: self.decided.clone(),
            now: cx.now,
            masker: cx.mask.shared(),
        }))
    }
}

#[cfg(test)]
mod tests;
