//! Documents and queries for a trial, from files or from a scenario.

use std::io::Read as _;
use std::path::Path as FilePath;

use super::super::ask;
use super::Trial;
use crate::analysis::candidate::{Candidate, Part};
use crate::analysis::routing::workload::{Access, Request, Workload};
use crate::config::Config;
use crate::error::Error;
use crate::model::path::Path;
use crate::report::trial::Stands;
use crate::source::documents::{self, Loaded, Options};
use crate::source::watch::Watch;
use crate::source::{input, scenario};

/// Where documents are likely to say when they were written; any other place is named with `--time`.
const TIMES: [&str; 3] = ["/_ts", "/time", "/timestamp"];
/// More text than anyone writes queries.
const MAX_QUERY_BYTES: u64 = 16 << 20;

/// What is read of the documents: no more than the keys need.
pub(super) fn options(
    c: &Trial,
    keys: &[(Candidate, Stands)],
    time: Option<&Path>,
    config: &Config,
) -> Result<Options, Error> {
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
    let mut options = Options::named(paths);
    // What is read as a time needs no texts.
    let needs_texts = |part: &Part| {
        matches!(
            part,
            Part::Prefix { .. } | Part::Lower(_) | Part::Bucket { .. }
        )
    };
    if keys.iter().any(|(key, _)| key.parts().any(needs_texts)) {
        options = options.keeping_texts();
    }
    let memory = ask::memory(c.memory.as_deref().unwrap_or(&config.memory))?;
    options.limits.memory_bytes = usize::try_from(memory).unwrap_or(usize::MAX);
    options.limits.sample_seed = c.against.seed;
    options.limits.hash_seed = c.against.seed;
    Ok(options)
}

pub(super) fn load(c: &Trial, options: &Options, watch: &Watch) -> Result<Loaded, Error> {
    if let (Some(name), Some(container)) = (&c.scenario, &c.container) {
        return documents::of_scenario(name, container, c.sample, options, watch);
    }
    let inputs = input::find(&c.docs, &|| watch.keep_going())?;
    documents::read(&inputs, options, watch)
}

pub(super) fn workload(c: &Trial) -> Result<Workload, Error> {
    let mut workload = match &c.against.queries {
        Some(path) => Workload::parse(&text_of(path)?),
        None => Workload::default(),
    };
    let (Some(name), Some(container), None) = (&c.scenario, &c.container, &c.against.queries)
    else {
        return Ok(workload);
    };
    for query in scenario::queries(name, container) {
        let paths = |texts: &[String]| -> Vec<Path> {
            texts.iter().filter_map(|t| Path::parse(t).ok()).collect()
        };
        let access = match query.access {
            scenario::Access::Read => Access::Read,
            scenario::Access::Write => Access::Write,
        };
        let (equal, range) = (paths(&query.equal_paths), paths(&query.range_paths));
        let request = Request::of_paths(query.name, access, equal, range, &query.sql);
        let request = request.at(Some(query.per_second), Some(query.ru_per_visit));
        workload.requests.push(request);
    }
    Ok(workload)
}

#[expect(clippy::disallowed_methods, reason = "the queries are in a file")]
fn text_of(path: &FilePath) -> Result<String, Error> {
    let refused = |why: &str| {
        let next = "give queries as text, separated by `;`, or as JSON";
        Error::refused(input::shown(path), why, next)
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_QUERY_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|e| refused(&format!("cannot be read: {}", input::reason(&e))))?;
    if bytes.len() as u64 > MAX_QUERY_BYTES {
        return Err(refused("has more than 16 MiB of queries"));
    }
    String::from_utf8(bytes).map_err(|_| refused("is no text in UTF-8"))
}
