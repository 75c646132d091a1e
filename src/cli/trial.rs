//! `trial`: documents in, candidate keys side by side out.

use std::io::{self, Read as _};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::output::{self, style};
use super::progress::{self, Names};
use super::{Masking, Output, ask, inspect, run, salt};
use crate::analysis::candidate::{Candidate, Part};
use crate::analysis::mask::{Kind, Masker};
use crate::analysis::placement::{
    Bought, MAX_PARTITIONS, initial_partitions, partitions_for_storage,
};
use crate::analysis::routing;
use crate::analysis::routing::workload::{Access, Request, Workload};
use crate::analysis::rows::Note;
use crate::analysis::trial::routes::routed;
use crate::analysis::trial::{Ground, Settings, Trials};
use crate::config::Config;
use crate::error::{Error, exit};
use crate::model::capture::CaptureBuilder;
use crate::model::path::Path;
use crate::model::visible::{display_width, visible};
use crate::report::Cells;
use crate::report::trial::{self as report, Stands, TrialReport};
use crate::source::documents::{self, Loaded, Options};
use crate::source::watch::Watch;
use crate::source::{input, scenario};

/// Where documents are likely to say when they were written; any other place is named with `--time`.
const TIMES: [&str; 3] = ["/_ts", "/time", "/timestamp"];
/// More text than anyone writes queries.
const MAX_QUERY_BYTES: u64 = 16 << 20;
/// Where neither RU/s nor partitions are given: enough that unevenness shows.
const PARTITIONS: usize = 10;

#[derive(Args, Debug)]
pub struct Trial {
    /// Documents: JSON lines, JSON lists, CSV, Parquet, packed or not; files or folders, `-` is standard input
    #[arg(required_unless_present = "scenario", value_name = "DOCS")]
    pub docs: Vec<PathBuf>,

    /// Instead of files the documents of a built-in scenario
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "docs",
        requires = "container"
    )]
    pub scenario: Option<String>,

    /// The scenario's container
    #[arg(long, value_name = "NAME", requires = "scenario")]
    pub container: Option<String>,

    /// How many documents of the scenario are drawn
    #[arg(long, value_name = "N", requires = "scenario", default_value_t = scenario::SAMPLE_DOCUMENTS)]
    pub sample: u64,

    /// A key to try, such as '/tenantId', '/vin + "-" + month(/time)' or '/tenantId > /userId'; may be given several times
    #[arg(long, value_name = "KEY")]
    pub key: Vec<String>,

    /// The key that the container has [default: none; of a scenario its own]
    #[arg(long, value_name = "KEY")]
    pub current: Option<String>,

    /// Physical partitions [default: as the RU/s and the data need, 10 where neither is known]
    #[arg(long, value_name = "N")]
    pub partitions: Option<usize>,

    /// RU/s that the container is given
    #[arg(long, value_name = "RU/s")]
    pub ru: Option<f64>,

    /// RU/s that are asked of it [default: all that it is given]
    #[arg(long, value_name = "RU/s", requires = "ru")]
    pub load: Option<f64>,

    /// What is stored of the container in all, such as 80GB; the documents are then a sample of it
    #[arg(long, value_name = "SIZE")]
    pub stored: Option<String>,

    /// Bytes that are stored for each byte of a document: indexes count, too
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub storage_factor: f64,

    /// Queries as text or JSON, each with its rate if known
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,

    /// The property that tells when a document was written [default: the likeliest of _ts, time, timestamp and the keys' dates]
    #[arg(long, value_name = "PATH")]
    pub time: Option<String>,

    /// The limit of a logical partition, such as 20GB or 30GiB [default: 20 GiB]
    #[arg(long, value_name = "SIZE")]
    pub ceiling: Option<String>,

    /// Memory to stay within, at least 128MiB; of more documents a uniform sample is kept [default: 2GiB]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// For samples, random suffixes and intervals: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// The largest keys of each candidate
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,

    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// No progress and no warnings on standard error
    #[arg(long)]
    pub quiet: bool,

    #[command(flatten)]
    pub masking: Masking,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Md,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Md => "md",
        }
    }
}

pub(super) fn run(c: &Trial, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let mut inputs = c.docs.clone();
    inputs.extend(c.queries.clone());
    run::prepare(&c.output, &inputs)?;
    check_numbers(c)?;
    let Some(format) = report::format(c.format.name()) else {
        return Err(Error::usage("an unknown format"));
    };
    let keys = keys(c)?;
    let time = c.time.as_deref().map(time_path).transpose()?;
    let workload = workload(c)?;
    let masker = salt::salt(&c.masking)?.map(|salt| Masker::new(&salt));
    let names = if masker.is_some() {
        Names::Hidden
    } else {
        Names::Shown
    };
    let options = options(c, &keys, time.as_ref(), config)?;
    let mut loaded = progress::during(watch, c.quiet, names, || load(c, &options, watch))?;
    if loaded.documents.is_empty() {
        return Err(Error::Input {
            what: "the inputs hold no document".to_owned(),
            next: Some("give documents as JSON lines, a JSON list, CSV or Parquet".to_owned()),
        });
    }
    let settings = settings(c, &loaded, config)?;
    let ground = Ground::new(std::mem::take(&mut loaded.documents), time.as_ref());
    let mut made = tried(ground, settings, &keys, &workload, watch)?;
    made.notes = notes(c, &loaded, &workload);
    if let Some(masker) = &masker {
        let mut masker = masker.clone();
        for source in &mut loaded.sources {
            masker.learn_file(&source.path);
            source.path = masker.name(Kind::File, &source.path);
            source.refused = source.refused.as_ref().map(|why| masker.text(why));
        }
        made.mask(&masker);
    }
    if !c.quiet {
        inspect::tell_partial(&loaded.sources, &mut io::stderr().lock());
    }
    let style = style(&c.output, Cells::Safe);
    output::write(&c.output, &mut |to| (format.write)(&made, style, to))?;
    Ok(exit::DONE)
}

/// Numbers with which nothing can be computed.
fn check_numbers(c: &Trial) -> Result<(), Error> {
    let refuse = |option: &str, wanted: &str| Error::Usage {
        what: format!("{option} cannot have that value"),
        next: Some(format!("give {wanted}")),
    };
    let is_positive = |n: f64| n.is_finite() && n > 0.0;
    if c.partitions
        .is_some_and(|n| !(1..=MAX_PARTITIONS).contains(&n))
    {
        return Err(refuse("--partitions", "a number from 1 to 20,000"));
    }
    for (option, value) in [("--ru", c.ru), ("--load", c.load)] {
        if value.is_some_and(|ru| !is_positive(ru)) {
            return Err(refuse(option, "RU/s above 0, such as 10000"));
        }
    }
    if !is_positive(c.storage_factor) || c.storage_factor > 1000.0 {
        return Err(refuse("--storage-factor", "a factor such as 1.3"));
    }
    Ok(())
}

/// The keys to try, the current one first.
fn keys(c: &Trial) -> Result<Vec<(Candidate, Stands)>, Error> {
    let mut keys = Vec::new();
    match (&c.current, &c.scenario, &c.container) {
        (Some(text), ..) => keys.push((parsed("--current", text)?, Stands::Current)),
        (None, Some(name), Some(container)) => {
            let own = own_key(name, container)?;
            keys.extend(own.map(|key| (key, Stands::Current)));
        }
        _ => {}
    }
    for text in &c.key {
        keys.push((parsed("--key", text)?, Stands::Candidate));
    }
    if keys.is_empty() {
        return Err(Error::Usage {
            what: "there is no key to try".to_owned(),
            next: Some("add --key /tenantId, or any other key".to_owned()),
        });
    }
    Ok(keys)
}

/// Reads a key, or points at the character where it stops being one.
fn parsed(option: &str, text: &str) -> Result<Candidate, Error> {
    Candidate::parse(text).map_err(|expected| {
        let before: String = text.chars().take(expected.column).collect();
        let column = display_width(&visible(&before));
        Error::Usage {
            what: format!(
                "{option} is not a key at character {}: expected {}\n  {}\n  {}^",
                expected.column + 1,
                visible(&expected.what),
                visible(text),
                " ".repeat(column)
            ),
            next: Some(
                "a key is such as /tenantId, /vin + \"-\" + month(/time) or /tenantId > /userId"
                    .to_owned(),
            ),
        }
    })
}

fn time_path(text: &str) -> Result<Path, Error> {
    Path::parse(text).map_err(|fault| Error::Usage {
        what: format!("--time is not a path: expected {}", fault.what),
        next: Some("give a path such as /_ts or /device/time".to_owned()),
    })
}

/// The key of a scenario's container.
fn own_key(name: &str, container: &str) -> Result<Option<Candidate>, Error> {
    let builder = CaptureBuilder::new(salt::seed());
    scenario::load(name, &builder)?;
    let capture = builder.finish();
    let is_it =
        |c: &&crate::model::capture::Container| c.name.container.as_deref() == Some(container);
    let definition = capture
        .containers
        .iter()
        .find(is_it)
        .and_then(|c| c.definition.clone());
    let paths = definition.map(|d| d.paths).unwrap_or_default();
    let paths: Vec<Path> = paths.iter().filter_map(|p| Path::parse(p).ok()).collect();
    Ok((!paths.is_empty()).then(|| Candidate::of_paths(paths)))
}

/// What is read of the documents: no more than the keys need.
fn options(
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
    options.limits.sample_seed = c.seed;
    options.limits.hash_seed = c.seed;
    Ok(options)
}

fn load(c: &Trial, options: &Options, watch: &Watch) -> Result<Loaded, Error> {
    if let (Some(name), Some(container)) = (&c.scenario, &c.container) {
        return documents::of_scenario(name, container, c.sample, options, watch);
    }
    let inputs = input::find(&c.docs, &|| watch.keep_going())?;
    documents::read(&inputs, options, watch)
}

fn workload(c: &Trial) -> Result<Workload, Error> {
    let mut workload = match &c.queries {
        Some(path) => Workload::parse(&text_of(path)?),
        None => Workload::default(),
    };
    let (Some(name), Some(container), None) = (&c.scenario, &c.container, &c.queries) else {
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

fn settings(c: &Trial, loaded: &Loaded, config: &Config) -> Result<Settings, Error> {
    let kept = loaded.documents.kept_bytes();
    let stored = match (&c.stored, &c.scenario, &c.container) {
        (Some(text), ..) => Some(ask::size("--stored", text)?),
        (None, Some(name), Some(container)) => {
            let all = number(scenario::stored_documents(name, container)?);
            let mean = number(kept) / number(loaded.documents.len() as u64);
            Some(all * mean * c.storage_factor)
        }
        _ => None,
    };
    let seen = number(loaded.documents.seen().bytes) * c.storage_factor;
    let by_storage = partitions_for_storage(stored.unwrap_or(seen) / 1024.0);
    let needed = match c.ru {
        Some(ru) => initial_partitions(ru, Bought::Manual).max(by_storage),
        None if stored.is_some() && by_storage > 1 => by_storage,
        None => by_storage.max(PARTITIONS),
    };
    Ok(Settings {
        partitions: c.partitions.unwrap_or(needed),
        ru_per_second: c.ru,
        load_ru_per_second: c.load,
        storage_factor: c.storage_factor,
        stored_bytes: stored,
        ceiling: ask::ceiling(c.ceiling.as_deref(), config)?,
        top: c.top,
        seed: c.seed,
    })
}

fn tried(
    ground: Ground,
    settings: Settings,
    keys: &[(Candidate, Stands)],
    workload: &Workload,
    watch: &Watch,
) -> Result<TrialReport, Error> {
    let trials = Trials::new(Arc::new(ground), settings.clone());
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

fn notes(c: &Trial, loaded: &Loaded, workload: &Workload) -> Vec<Note> {
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
    notes.push(Note::new(format!(
        "a document's size is its text without blanks, times the storage factor {}: indexes count towards 20 GB, too",
        c.storage_factor
    )));
    if c.ru.is_some() && c.load.is_none() {
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
