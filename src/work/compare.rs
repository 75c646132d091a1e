//! What changed between an export and what is open.

use std::path::PathBuf;

use super::data::{Dataset, Origin};
use super::load::Loader;
use crate::analysis::diff::{KeyChange, diff};
use crate::analysis::rows::Report;
use crate::analysis::select::Selection;
use crate::analysis::summary::{Summary, SummaryOptions};
use crate::error::Error;
use crate::model::time::Stamp;
use crate::model::units::count_text;
use crate::source::watch::Watch;
use crate::work::shared::Shared;

/// Keys of both together: each takes a row in memory while they are compared.
const MOST_KEYS: usize = 2_000_000;

#[derive(Clone, PartialEq, Debug)]
pub struct CompareAsk {
    pub data: Shared<Dataset>,
    pub paths: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct Comparison {
    /// The name of the file, or of the first of them, that is compared with what is open.
    pub with: String,
    /// The newest sample of the earlier and of the later one.
    pub newest: [Option<Stamp>; 2],
    /// The worst first.
    pub changes: Vec<KeyChange>,
}

impl Loader {
    /// Reads the export; of the two the one with the newer samples is the later one.
    pub fn compare(&self, ask: &CompareAsk, watch: &Watch) -> Result<Shared<Comparison>, Error> {
        let other = self.load(Origin::Paths(ask.paths.clone()), watch)?;
        let keys = other.columns.key_count() + ask.data.columns.key_count();
        if keys > MOST_KEYS {
            return Err(Error::unusable(
                format!("{} keys are too many to compare on screen", count_text(keys as u64)),
                "cosmoscope diff BEFORE AFTER compares any number of keys",
            ));
        }
        let newest = |data: &Dataset| data.overview.totals.newest;
        let is_newer = newest(&other) > newest(&ask.data);
        let (before, after) = if is_newer { (&*ask.data, &*other) } else { (&*other, &*ask.data) };
        let name = ask.paths.first().and_then(|path| path.file_name());
        Ok(Shared::new(Comparison {
            with: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            newest: [newest(before), newest(after)],
            changes: diff(&self.all_keys(before), &self.all_keys(after)),
        }))
    }

    fn all_keys(&self, data: &Dataset) -> Report {
        let mut summary =
            Summary::new(SummaryOptions { selection: Selection::All, ..self.summary.clone() });
        summary.absorb(&data.capture);
        summary.finish()
    }
}
