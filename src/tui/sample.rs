//! Documents for the trial view: read with every path, dated, with the queries that are asked of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::load::Loader;
use super::work::at_home;
use crate::analysis::candidate::Candidate;
use crate::analysis::candidate::{KnownPath, PathKind};
use crate::analysis::paths::{PathRow, rows};
use crate::analysis::trial::Ground;
use crate::app::msg::Shared;
use crate::app::scanning::Scanned;
use crate::app::trying::{DocumentsOf, Sample, SampleAsk};
use crate::cli::trial as command;
use crate::error::Error;
use crate::model::documents::Sureness;
use crate::model::units::real;
use crate::source::answers::Answer;
use crate::source::documents::{self, Loaded, Options};
use crate::source::live::pages;
use crate::source::live::sampling::Stratum;
use crate::source::watch::Watch;
use crate::source::{input, scenario};

/// Commonest values kept of each path.
const COMMONEST: usize = 10;

impl Loader {
    /// Reads what is not there yet and makes the rest anew.
    pub fn sample(&self, ask: &SampleAsk, watch: &Watch) -> Result<Shared<Sample>, Error> {
        Self::made(ask, &mut || self.documents(&ask.from, watch), None, watch)
    }

    /// The same of pages that an account gave.
    pub fn sampled<'p>(
        &self,
        ask: &SampleAsk,
        pages: impl Iterator<Item = &'p Answer>,
        scanned: Option<Scanned>,
        watch: &Watch,
    ) -> Result<Shared<Sample>, Error> {
        let mut texts = pages
            .filter_map(|page| pages::entries(&page.body))
            .flatten()
            .map(str::to_owned);
        let read = &mut || documents::of_sample(&mut texts, &self.reading(), watch);
        Self::made(ask, read, scanned, watch)
    }

    fn made(
        ask: &SampleAsk,
        read: &mut dyn FnMut() -> Result<Loaded, Error>,
        scanned: Option<Scanned>,
        watch: &Watch,
    ) -> Result<Shared<Sample>, Error> {
        let workload = command::workload(ask.queries.as_deref(), scenario_of(&ask.from))?;
        let held = ask.held.as_ref().filter(|held| held.from == ask.from);
        let scanned = scanned.or_else(|| held?.scanned.clone());
        let (documents, notes) = if let Some(held) = held {
            (Arc::clone(held.ground.documents()), held.notes.clone())
        } else {
            let loaded = read()?;
            let notes = command::notes_of(&loaded, &workload);
            (Arc::new(loaded.documents), notes)
        };
        if documents.is_empty() {
            return Err(Error::Input {
                what: "the inputs hold no document".to_owned(),
                next: Some("give documents as JSON lines, a JSON list, CSV or Parquet".to_owned()),
            });
        }
        let paths = if let Some(held) = held {
            Arc::clone(&held.paths)
        } else {
            let made = rows(&documents, COMMONEST, &|| watch.keep_going());
            Arc::new(made.ok_or(Error::Interrupted)?)
        };
        let known = known(&paths);
        let ground = Ground::new(documents, ask.time.as_ref());
        if let Some(path) = &ask.time
            && ground.time().is_none()
        {
            return Err(Error::Input {
                what: format!("no document has a time at {path}"),
                next: Some("Tab after the command shows the paths".to_owned()),
            });
        }
        Ok(Shared::new(Sample {
            from: ask.from.clone(),
            time: ask.time.clone(),
            queries: ask.queries.clone(),
            ground: Arc::new(ground),
            workload,
            stored_documents: stored(ask)?,
            proposed: proposed(&ask.from),
            paths,
            known,
            notes,
            scanned,
        }))
    }

    fn reading(&self) -> Options {
        let mut options = Options::every();
        options.limits.memory_bytes =
            usize::try_from(self.import.memory_bytes).unwrap_or(usize::MAX);
        options
    }

    fn documents(&self, from: &DocumentsOf, watch: &Watch) -> Result<Loaded, Error> {
        let options = self.reading();
        match from {
            DocumentsOf::Live { .. } => Err(Error::input("an account is asked, not read")),
            DocumentsOf::Scenario { name, container } => {
                let count = self.drawn_documents.unwrap_or(scenario::SAMPLE_DOCUMENTS);
                documents::of_scenario(name, container, count, &options, watch)
            }
            DocumentsOf::Paths(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|p| at_home(p)).collect();
                let inputs = input::find(&paths, &|| watch.keep_going())?;
                documents::read(&inputs, &options, watch)
            }
        }
    }
}

fn scenario_of(from: &DocumentsOf) -> Option<(&str, &str)> {
    match from {
        DocumentsOf::Scenario { name, container } => Some((name, container)),
        DocumentsOf::Paths(_) | DocumentsOf::Live { .. } => None,
    }
}

/// How many documents there are in all, where that tells more than the sizes of partitions.
fn stored(ask: &SampleAsk) -> Result<Option<f64>, Error> {
    let Some((name, container)) = scenario_of(&ask.from) else {
        let strata = ask.scan.as_ref().map(|scan| &scan.field.strata);
        let strata = strata.filter(|strata| strata.iter().any(|s| s.kib.is_none()));
        let counts =
            |strata: &Vec<Stratum>| strata.iter().map(|s| s.documents).sum::<Option<u64>>();
        return Ok(strata.and_then(counts).map(real));
    };
    Ok(Some(real(scenario::stored_documents(name, container)?)))
}

/// Keys that a scenario proposes.
fn proposed(from: &DocumentsOf) -> Vec<Candidate> {
    let Some((name, container)) = scenario_of(from) else {
        return Vec::new();
    };
    let keys = scenario::keys_to_try(name, container);
    keys.iter()
        .filter_map(|key| Candidate::parse(key).ok())
        .collect()
}

/// The paths with what stands there, for completion.
fn known(rows: &[PathRow]) -> Vec<KnownPath> {
    let known = rows.iter().map(|row| KnownPath {
        path: row.path.clone(),
        kind: kind(row),
    });
    known.collect()
}

fn kind(row: &PathRow) -> PathKind {
    let times = row.times.as_ref();
    if times.is_some_and(|times| times.sureness > Sureness::Possible) {
        return PathKind::Time;
    }
    let kinds = &row.kinds;
    let usable = [kinds.texts, kinds.numbers, kinds.bools];
    match usable.map(|n| n > 0) {
        [true, false, false] => PathKind::Text,
        [false, true, false] => PathKind::Number,
        [false, false, true] => PathKind::Bool,
        [false, false, false] if kinds.arrays + kinds.objects + kinds.too_large > 0 => {
            PathKind::Unusable
        }
        _ => PathKind::Mixed,
    }
}
