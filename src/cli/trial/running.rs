//! What a trial is measured against, each key tried, and what is to be said beside the numbers.

use std::sync::Arc;

use super::super::ask;
use super::Trial;
use crate::analysis::candidate::Candidate;
use crate::analysis::placement::{Bought, initial_partitions, partitions_for_storage};
use crate::analysis::routing;
use crate::analysis::routing::workload::Workload;
use crate::analysis::rows::Note;
use crate::analysis::trial::routes::routed;
use crate::analysis::trial::{Ground, Settings, Trials};
use crate::config::Config;
use crate::error::Error;
use crate::report::trial::{Stands, TrialReport};
use crate::source::documents::Loaded;
use crate::source::scenario;
use crate::source::watch::Watch;

/// Where neither RU/s nor partitions are given: enough that unevenness shows.
const PARTITIONS: usize = 10;

pub(super) fn settings(c: &Trial, loaded: &Loaded, config: &Config) -> Result<Settings, Error> {
    let kept = loaded.documents.kept_bytes();
    let stored = match (&c.against.stored, &c.scenario, &c.container) {
        (Some(text), ..) => Some(ask::size("--stored", text)?),
        (None, Some(name), Some(container)) => {
            let all = number(scenario::stored_documents(name, container)?);
            let mean = number(kept) / number(loaded.documents.len() as u64);
            Some(all * mean * c.against.storage_factor)
        }
        _ => None,
    };
    let seen = number(loaded.documents.seen().bytes) * c.against.storage_factor;
    let by_storage = partitions_for_storage(stored.unwrap_or(seen) / 1024.0);
    let needed = match c.against.ru {
        Some(ru) => initial_partitions(ru, Bought::Manual).max(by_storage),
        None if stored.is_some() && by_storage > 1 => by_storage,
        None => by_storage.max(PARTITIONS),
    };
    Ok(Settings {
        partitions: c.against.partitions.unwrap_or(needed),
        ru_per_second: c.against.ru,
        load_ru_per_second: c.against.load,
        storage_factor: c.against.storage_factor,
        stored_bytes: stored,
        ceiling: ask::ceiling(c.ceiling.as_deref(), config)?,
        top: c.top,
        seed: c.against.seed,
        ..Settings::default()
    })
}

pub(super) fn tried(
    ground: &Arc<Ground>,
    settings: Settings,
    keys: &[(Candidate, Stands)],
    workload: &Workload,
    watch: &Watch,
) -> Result<TrialReport, Error> {
    let trials = Trials::new(Arc::clone(ground), settings.clone());
    let mut made = Vec::new();
    for (key, stands) in keys {
        if !watch.keep_going() {
            return Err(Error::Interrupted);
        }
        let (trial, prefixes) = trials.trial_with_prefixes(key);
        let by = routing::Settings::default();
        let routed = routed(workload, key, settings.partitions, &prefixes, &by);
        made.push((trial, *stands, routed));
    }
    Ok(TrialReport::of(settings, trials.whole(), made, Vec::new()))
}

/// What reading told, and what of the queries was not taken.
pub fn notes_of(loaded: &Loaded, workload: &Workload) -> Vec<Note> {
    let mut notes: Vec<Note> = loaded.notes.iter().map(Note::new).collect();
    for source in &loaded.sources {
        let mut say = |text: String| {
            notes.push(Note {
                source: Some(source.path.clone()),
                text,
            });
        };
        source.notes.iter().for_each(|note| say(note.clone()));
        if let Some(why) = &source.refused {
            say(why.clone());
        }
        if source.skipped > 0 {
            say(format!("{} entries could not be used", source.skipped));
        }
    }
    for note in &workload.notes {
        notes.push(Note::new(format!(
            "queries, line {}: {}",
            note.line, note.what
        )));
    }
    notes
}

pub(super) fn notes(c: &Trial, loaded: &Loaded, workload: &Workload) -> Vec<Note> {
    let mut notes = notes_of(loaded, workload);
    notes.push(Note::new(format!(
        "a document's size is its text without blanks, times the storage factor {}: indexes count towards 20 GB, too",
        c.against.storage_factor
    )));
    if c.against.ru.is_some() && c.against.load.is_none() {
        notes.push(Note::new(
            "refused shares are those of a container that is asked for all of its RU/s; --load tells what is asked",
        ));
    }
    notes.push(Note::new(
        "a sample of documents tells nothing of reads: each document is taken to cost the same RU",
    ));
    notes
}

fn number(n: u64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "sizes are shown with few digits"
    )]
    let number = n as f64;
    number
}
