//! Candidate keys side by side: in five formats, from one plain [`TrialReport`], which is masked as a whole.

mod csv;
mod doc;
mod json;
mod more;
pub mod search;
mod words;

use std::sync::Arc;

use crate::analysis::mask::{Masker, NameKind};
use crate::analysis::rows::Note;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::verdict::{self, KeyVerdict, RoutedTrial};
use crate::analysis::trial::{Settings, Trial, Whole};
use crate::model::key::Key;
use crate::model::time::Stamp;

use super::{Writer, writer};

pub(super) use doc::push_side_by_side;
pub use words::{
    CROSS_PARTITION, CandidateRow, DECISION_ROWS, KEYS_PER_QUERY, ROWS, THROTTLED, amount,
    collisions, cross_partition, distinct, dominated, filled, ratio, routing_text, short_amount,
    summary, verdicts,
};

/// Everything a report of trials tells.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialReport {
    pub settings: Settings,
    pub whole: Whole,
    /// The key that the container has comes first, if it is known.
    pub candidates: Vec<CandidateReport>,
    pub searched: search::SearchResults,
    pub notes: Vec<Note>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CandidateReport {
    pub trial: Trial,
    pub standing: KeyRole,
    pub routed: Vec<Routed>,
    pub verdict: KeyVerdict,
}

/// Whether a container has the key already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyRole {
    Current,
    Candidate,
}

impl TrialReport {
    /// Gives each candidate its verdict.
    pub fn of(
        settings: Settings,
        whole: Whole,
        trials: Vec<(Trial, KeyRole, Vec<Routed>)>,
        notes: Vec<Note>,
    ) -> Self {
        let tried: Vec<RoutedTrial<'_>> =
            trials.iter().map(|(trial, _, routed)| RoutedTrial { trial, routed }).collect();
        let verdicts = verdict::verdicts(&tried, &settings);
        let candidate = |((trial, standing, routed), verdict)| CandidateReport {
            trial,
            standing,
            routed,
            verdict,
        };
        Self {
            candidates: trials.into_iter().zip(verdicts).map(candidate).collect(),
            searched: search::SearchResults::default(),
            settings,
            whole,
            notes,
        }
    }

    /// The moment for which the sizes hold.
    pub(super) fn as_of(&self) -> Option<Stamp> {
        self.candidates.first()?.trial.ahead.as_of
    }

    /// Invented values in place of those of documents and queries; names of properties stay, as in the keys asked for.
    pub fn mask(&mut self, masker: &Masker) {
        let invented = |key: &Key| {
            let json = masker.key(&key.json());
            Key::from_canonical(&json).unwrap_or_else(|| key.clone())
        };
        self.searched.mask();
        if let Some(today) = &mut self.settings.today {
            Arc::make_mut(today).name = masker.container(&today.name);
        }
        for candidate in &mut self.candidates {
            for top in &mut candidate.trial.top {
                top.key = invented(&top.key);
            }
            if let Some(outcome) = &mut candidate.trial.outcome {
                outcome.mask(|key| masker.key(key).into());
            }
            let first_full = &mut candidate.trial.ahead.key;
            *first_full = first_full.as_ref().map(invented);
            for example in candidate.trial.collisions.iter_mut().flat_map(|c| &mut c.examples) {
                example.key = invented(&example.key);
                example.id = masker.name(NameKind::Key, &example.id).into();
            }
            for (number, routed) in (1..).zip(&mut candidate.routed) {
                // Names and reasons may quote values of the query.
                routed.name = format!("request {number}");
                routed.route.why = String::new();
            }
        }
        for note in &mut self.notes {
            note.source = note.source.as_ref().map(|path| masker.name(NameKind::File, path));
            // In our own sentences `RU/s` is no path; what others wrote stands in quotes or beside its source.
            note.text = if note.source.is_some() || note.text.contains(['`', '"']) {
                masker.text(&note.text)
            } else {
                masker.own_sentence(&note.text)
            };
        }
    }
}

/// What writes the format of that name.
pub fn format(name: &str) -> Option<Writer<TrialReport>> {
    writer(name, doc::write, &[("json", json::write), ("csv", csv::write)])
}
