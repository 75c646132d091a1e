//! Documents for a trial, from files or from a scenario.

use super::super::option_values;
use super::TrialArguments;
use crate::analysis::candidate::{Candidate, LevelPart};
use crate::analysis::changes::DocumentChanges;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::documents::{Column, Documents, Value, WantedPaths};
use crate::model::near;
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::report::trial::KeyRole;
use crate::source::documents::{self, DocumentOptions, FIRST_DOCUMENTS, LoadedDocuments};
use crate::source::input;
use crate::source::sampled::recorded;
use crate::source::watch::Watch;

/// What is read of the documents: no more than the keys need.
pub(in crate::cli) fn options(
    c: &TrialArguments,
    keys: &[(Candidate, KeyRole)],
    time: Option<&Path>,
    config: &Config,
) -> Result<DocumentOptions, Error> {
    let mut paths: Vec<Path> = Vec::new();
    let named = keys.iter().flat_map(|(key, _)| key.paths()).cloned();
    let id: Path = ["id"].into_iter().collect();
    let rid: Option<Path> = (!c.against.before.is_empty()).then(|| ["_rid"].into_iter().collect());
    for path in named.chain([id]).chain(rid).chain(time.cloned()) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let mut options = DocumentOptions::named(paths);
    // What is read as a time needs no texts, and buckets are even by chance too: as on the screen, which keeps no ids.
    let needs_texts =
        |part: &LevelPart| matches!(part, LevelPart::Prefix { .. } | LevelPart::Lower(_));
    if keys.iter().any(|(key, _)| key.parts().any(needs_texts)) {
        options = options.keeping_texts();
    }
    let memory = option_values::memory(c.memory.as_deref().unwrap_or(&config.memory))?;
    options.limits.memory_bytes = usize::try_from(memory).unwrap_or(usize::MAX);
    options.limits.sample_seed = c.against.seed;
    options.limits.hash_seed = c.against.seed;
    Ok(options)
}

/// Paths of the keys to try that no document has.
pub(in crate::cli) fn absent_paths(
    keys: &[(Candidate, KeyRole)],
    loaded: &LoadedDocuments,
) -> Vec<Path> {
    let candidates = keys.iter().filter(|(_, role)| *role == KeyRole::Candidate);
    let mut paths: Vec<Path> = candidates.flat_map(|(key, _)| key.paths()).cloned().collect();
    let documents = &loaded.documents;
    paths.retain(|path| {
        let is_missing = |column: &Column, row| column.value(row) == Some(Value::Missing);
        documents
            .column(path)
            .is_none_or(|column| (0..documents.len()).all(|row| is_missing(column, row)))
    });
    paths
}

/// Refuses a path that no document has, where the documents have one that is nearly the same. What can be read only once is not
/// looked at again.
pub(in crate::cli) fn refuse_misspelled(
    c: &TrialArguments,
    absent: &[Path],
    config: &Config,
    watch: &Watch,
) -> Result<(), Error> {
    let is_stdin = c.docs.iter().any(|path| path.as_os_str() == "-");
    if absent.is_empty() || is_stdin || (c.docs.is_empty() && c.scenario.is_none()) {
        return Ok(());
    }
    let mut options = options(c, &[], None, config)?;
    options.paths = WantedPaths::Every;
    let loaded = load(c, &options, &[], watch)?;
    let columns = loaded.documents.columns().iter();
    let known: Vec<String> = columns.map(|column| column.path().to_string()).collect();
    for path in absent {
        let path = path.to_string();
        if let Some(question) = near::question(&path, known.iter().map(String::as_str)) {
            let (path, question) = (visible(&path), visible(&question));
            return Err(Error::usage(format!("no document has {path}. {question}")));
        }
    }
    Ok(())
}

/// What changed since these older documents of a container with that key.
pub(in crate::cli) fn changes_since(
    c: &TrialArguments,
    options: &DocumentOptions,
    now: &Documents,
    key: &[Path],
    watch: &Watch,
) -> Result<Option<DocumentChanges>, Error> {
    let older = &c.against.before;
    if older.is_empty() {
        return Ok(None);
    }
    if older.iter().any(|path| c.docs.contains(path)) {
        let what = "--before names a file that is among the documents: nothing changed in it";
        return Err(Error::usage(what));
    }
    let inputs = input::find_documents(older, &|| watch.keep_going())?;
    let mut options = options.clone();
    if let WantedPaths::Named(paths) = &mut options.paths {
        *paths = now.columns().iter().map(|column| column.path().clone()).collect();
    }
    let before = documents::read(&inputs, &options, watch).and_then(filled)?;
    let found = DocumentChanges::of(&before.documents, now, key);
    found.map(Some).ok_or_else(no_pairs)
}

pub(in crate::cli) fn no_pairs() -> Error {
    usage(
        "no document is in both captures: none has the same id or _rid",
        "give two captures of the same container",
    )
}

fn filled(loaded: LoadedDocuments) -> Result<LoadedDocuments, Error> {
    if loaded.documents.is_empty() {
        return Err(Error::unusable(
            "the inputs hold no document",
            "give documents as JSON lines, a JSON list, CSV or Parquet",
        ));
    }
    Ok(loaded)
}

/// Adds the properties that are times in the first documents, in the order of the documents: where every property is read,
/// the same ones are found.
fn dated(
    c: &TrialArguments,
    options: &DocumentOptions,
    first: impl FnOnce(&DocumentOptions) -> Result<Documents, Error>,
) -> Result<DocumentOptions, Error> {
    let mut options = options.clone();
    if let (WantedPaths::Named(wanted), None) = (&mut options.paths, &c.against.time) {
        let first =
            first(&DocumentOptions { limits: options.limits.clone(), ..DocumentOptions::every() })?;
        let known = first.columns().iter().map(Column::path);
        let mut paths: Vec<Path> =
            known.filter(|path| wanted.contains(path) || first.is_time(path)).cloned().collect();
        wanted.retain(|path| !paths.contains(path));
        paths.append(wanted);
        *wanted = paths;
    }
    Ok(options)
}

/// Documents, at least one; `needed` are the properties that keys are made of, which a recorded sample may hold of whole documents only.
pub(in crate::cli) fn load(
    c: &TrialArguments,
    options: &DocumentOptions,
    needed: &[Path],
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    if let (Some(name), Some(container)) = (&c.scenario, &c.container) {
        let sample = |count, options: &DocumentOptions, watch: &Watch| {
            documents::of_scenario(name, container, count, options, watch)
        };
        let first = c.sample.min(FIRST_DOCUMENTS);
        let look = watch.first_rows(u64::MAX);
        let options = dated(c, options, |every| Ok(sample(first, every, &look)?.documents))?;
        return sample(c.sample, &options, watch).and_then(filled);
    }
    let inputs = input::find_documents(&c.docs, &|| watch.keep_going())?;
    if let Some(recorded) = recorded(&inputs, c.container.as_deref(), watch)? {
        let sampled = recorded.sampled();
        let look = watch.first_rows(u64::MAX);
        let options =
            &dated(c, options, |every| documents::first_of_sample(&sampled, every, &look))?;
        let mut loaded = match options.paths {
            // Among every property there is keys are looked for: only whole documents have them.
            WantedPaths::Every => documents::of_sample(&sampled, options, watch),
            WantedPaths::Named(_) => documents::of_needed(&sampled, needed, options, watch),
        }?;
        loaded.notes.extend(recorded.notes);
        return filled(loaded);
    }
    if c.container.is_some() && c.against.logs.is_empty() {
        return Err(Error::usage(
            "--container names the container of --logs, of --scenario or of a recording",
        ));
    }
    let options = dated(c, options, |every| Ok(documents::first(&inputs, every, watch)))?;
    documents::read(&inputs, &options, watch).and_then(filled)
}
