//! What an export holds, and the report that is written of it.

use std::collections::HashSet;
use std::sync::Arc;

use std::path::PathBuf;

use super::data::Dataset;
use super::whole_file::IfExists;
use crate::analysis::forecast::Forecast;
use crate::analysis::heat::Measure;
use crate::analysis::heat::grid::GridOrder;
use crate::analysis::mask::Masker;
use crate::analysis::rows::{ContainerRows, KeyRow, Note, Report};
use crate::analysis::simulate::TimeLapse;
use crate::model::lesson::Lesson;
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::report::lesson::HandOut;
use crate::report::ru_keys::RuKeys;
use crate::report::trial::search::SearchResults;
use crate::work::arrange::{Arranged, KEYS_PER_ASKING};
use crate::work::shared::Shared;
use crate::work::trial::TrialShown;

/// A view to be written to a file; the ending of the path says in which form.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    pub path: PathBuf,
    pub existing: IfExists,
    pub what: Exported,
}

/// What an export holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Exported {
    Report(ReportShown),
    Keys(KeysShown),
    /// Names and keys as they are to be written.
    RuKeys(Shared<RuKeys>),
    Heat(HeatShown),
    Trial(TrialShown),
    Forecast(ForecastShown),
    /// The plan among what was found.
    Plan(Shared<SearchResults>),
    /// A lesson that is to be played.
    Lesson(Shared<Lesson>),
    /// The same, played.
    HandOut(Shared<HandOut>),
    /// Keys in time, names and keys as they are to be written.
    Lapses(Shared<Vec<TimeLapse>>),
}

/// The limits that come next, names and keys as they are to be written.
#[derive(Clone, PartialEq, Debug)]
pub struct ForecastShown(pub Shared<Forecast>);

/// A list of keys as it is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct KeysShown {
    pub list: Shared<Arranged>,
    /// Only these where there are any.
    pub marked: Vec<KeyId>,
    /// Names and keys are replaced where it is given.
    pub masker: Option<Shared<Masker>>,
}

impl KeysShown {
    /// The keys as a report of their container, in the order of the list; None when `keep_going` said no.
    pub fn report(&self, keep_going: &dyn Fn() -> bool) -> Option<Report> {
        let data = &self.list.data;
        let columns = self.list.columns();
        let ids: Vec<KeyId> = if self.marked.is_empty() {
            let rows = self.list.rows().iter();
            let id = |row: &u32| Some(columns.as_ref()?.key(*row)?.id);
            rows.filter_map(id).collect()
        } else {
            let mut marked: Vec<(usize, KeyId)> = self
                .marked
                .iter()
                .map(|id| (self.list.near_key(*id).unwrap_or(usize::MAX), *id))
                .collect();
            marked.sort_unstable();
            marked.into_iter().map(|(_, id)| id).collect()
        };
        let mut keys: Vec<KeyRow> = Vec::with_capacity(ids.len());
        for (n, id) in ids.iter().enumerate() {
            if n.is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                return None;
            }
            keys.extend(data.lookups.key_row(&data.capture, *id).map(|found| found.0));
        }
        let name = columns.map_or(ContainerName::default(), |c| c.container.name.clone());
        let is_it = |c: &&ContainerRows| c.name.identity() == name.identity();
        let found = data.report.containers.iter().find(is_it)?;
        let mut notes = found.notes.clone();
        notes.extend(self.narrowed(found.keys_total));
        // Field by field: a copy of the whole would hold every key twice.
        let container = ContainerRows {
            name,
            definition: found.definition.clone(),
            keys,
            keys_total: found.keys_total,
            largest_kib: found.largest_kib,
            marks: found.marks,
            skew: found.skew,
            distribution: found.distribution.clone(),
            prefixes: found.prefixes.clone(),
            notes,
        };
        let mut report = Report {
            as_of: data.report.as_of,
            ceiling: data.report.ceiling,
            containers: vec![container],
            notes: data.report.notes.clone(),
            is_partial: data.report.is_partial,
            alarms: Vec::new(),
            has_load: false,
        };
        if let Some(masker) = &self.masker {
            // A masker learns the names of what it masks; the shared one knows those of the whole report already.
            (**masker).clone().report(&mut report);
        }
        Some(report)
    }

    /// What was left out, in a sentence.
    fn narrowed(&self, keys_total: u64) -> Option<Note> {
        let filter = &self.list.filter;
        if !self.marked.is_empty() {
            let marked = self.marked.len();
            return Some(Note::new(format!(
                "only the {marked} keys that were marked, of {keys_total}"
            )));
        }
        (!filter.is_empty()).then(|| {
            let shown = self.list.len();
            // A filter may hold a part of a key, which no masking would know.
            let which = match self.masker {
                None => format!("the filter `{}`", filter.to_string().replace('`', "'")),
                Some(_) => "a filter".to_owned(),
            };
            Note::new(format!("only the {shown} of {keys_total} keys that pass {which}"))
        })
    }
}

/// The load of one container as the heat view shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatShown {
    pub data: Shared<Dataset>,
    pub container: ContainerName,
    pub measure: Option<Measure>,
    /// None = the busiest.
    pub region: Option<Arc<str>>,
    pub order: GridOrder,
    /// Seconds `[from, to)`; None = all there is.
    pub span: Option<(i64, i64)>,
    /// Names and keys are replaced where it is given.
    pub masker: Option<Shared<Masker>>,
}

/// The containers of an overview with their keys.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportShown {
    pub data: Shared<Dataset>,
    /// Only these, by their identity; None = all.
    pub containers: Option<Vec<ContainerName>>,
    /// Names and keys are replaced where it is given.
    pub masker: Option<Shared<Masker>>,
}

impl ReportShown {
    /// A report of the whole dataset as it is to be written.
    #[must_use]
    pub fn narrowed(&self, mut report: Report) -> Report {
        if let Some(shown) = &self.containers {
            let all = report.containers.len();
            let shown: HashSet<&ContainerName> = shown.iter().collect();
            let is_shown = |c: &ContainerRows| shown.contains(&c.name.identity());
            report.containers.retain(is_shown);
            report.notes.push(Note::new(format!(
                "only the {} of {all} containers that the filter shows",
                report.containers.len()
            )));
        }
        if let Some(masker) = &self.masker {
            (**masker).clone().report(&mut report);
        }
        report
    }
}
