//! Documents for a trial, from files or from a scenario.

use super::super::option_values;
use super::TrialArguments;
use crate::analysis::candidate::{Candidate, LevelPart};
use crate::config::Config;
use crate::error::Error;
use crate::model::documents::WantedPaths;
use crate::model::path::Path;
use crate::report::trial::KeyRole;
use crate::source::documents::{self, DocumentOptions, LoadedDocuments};
use crate::source::input;
use crate::source::sampled::recorded;
use crate::source::watch::Watch;

/// Where documents are likely to say when they were written; any other place is named with `--time`.
const TIMES: [&str; 8] = [
    "/_ts",
    "/time",
    "/timestamp",
    "/createdAt",
    "/created",
    "/eventTime",
    "/ts",
    "/date",
];

/// What is read of the documents: no more than the keys need.
pub(super) fn options(
    c: &TrialArguments,
    keys: &[(Candidate, KeyRole)],
    time: Option<&Path>,
    config: &Config,
) -> Result<DocumentOptions, Error> {
    let mut paths: Vec<Path> = Vec::new();
    let named = keys.iter().flat_map(|(key, _)| key.paths()).cloned();
    let id: Path = ["id"].into_iter().collect();
    let times = match time {
        Some(path) => vec![path.clone()],
        None => TIMES.iter().filter_map(|t| Path::parse(t).ok()).collect(),
    };
    for path in named.chain([id]).chain(times) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let mut options = DocumentOptions::named(paths);
    // What is read as a time needs no texts.
    let needs_texts = |part: &LevelPart| {
        matches!(
            part,
            LevelPart::Prefix { .. } | LevelPart::Lower(_) | LevelPart::Bucket { .. }
        )
    };
    if keys.iter().any(|(key, _)| key.parts().any(needs_texts)) {
        options = options.keeping_texts();
    }
    let memory = option_values::memory(c.memory.as_deref().unwrap_or(&config.memory))?;
    options.limits.memory_bytes = usize::try_from(memory).unwrap_or(usize::MAX);
    options.limits.sample_seed = c.against.seed;
    options.limits.hash_seed = c.against.seed;
    Ok(options)
}

/// Documents; `needed` are the properties that keys are made of, which a recorded sample may hold of whole documents only.
pub(super) fn load(
    c: &TrialArguments,
    options: &DocumentOptions,
    needed: &[Path],
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    if let (Some(name), Some(container)) = (&c.scenario, &c.container) {
        return documents::of_scenario(name, container, c.sample, options, watch);
    }
    let inputs = input::find_documents(&c.docs, &|| watch.keep_going())?;
    if let Some(recorded) = recorded(&inputs, c.container.as_deref(), watch)? {
        let sampled = recorded.sampled();
        let mut loaded = match options.paths {
            // Among every property there is keys are looked for: only whole documents have them.
            WantedPaths::Every => documents::of_sample(&sampled, options, watch),
            WantedPaths::Named(_) => documents::of_needed(&sampled, needed, options, watch),
        }?;
        loaded.notes.extend(recorded.notes);
        return Ok(loaded);
    }
    if c.container.is_some() && c.against.logs.is_empty() {
        return Err(Error::usage(
            "--container names the container of --logs, of --scenario or of a recording",
        ));
    }
    documents::read(&inputs, options, watch)
}
