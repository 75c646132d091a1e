//! Documents in: JSON lines, lists of documents, answers of queries, CSV and Parquet, packed or not, read by all cores into
//! columns.

mod judge;
mod parquet;
mod parse;
mod read;
mod sample;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod turns;
mod walk;

use std::sync::atomic::Ordering;

use self::parse::JsonParser;
use self::read::{DocumentJob, ReadEnd};
use self::tree::NameRule;
use self::turns::OrderedTable;
use super::input::{FileChange, Inputs, OpenInput, unreadable};
use super::notes::change_text;
use super::sniff::Refusal;
use super::watch::Watch;
use crate::error::Error;
use crate::model::capture::{Grade, SourceInfo};
use crate::model::documents::{Documents, NearUnique, Table, TableLimits, WantedPaths};
use crate::model::path::Path;

pub use sample::{first_of_sample, of_needed, of_rows, of_sample};

/// Below it not even a small sample has room beside the buffers.
pub const MIN_MEMORY_BYTES: usize = 128 << 20;

/// Documents of an input that show which properties are times.
pub const FIRST_DOCUMENTS: u64 = 1_000;

/// What is read of the documents, and with what.
#[derive(Clone, Debug)]
pub struct DocumentOptions {
    pub paths: WantedPaths,
    pub limits: TableLimits,
    pub threads: usize,
}

impl DocumentOptions {
    /// Every path that the documents have, as a screen needs them.
    pub fn every() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { paths: WantedPaths::Every, limits: TableLimits::default(), threads: threads.min(16) }
    }

    /// Only some paths: much faster, and less memory.
    pub fn named(paths: Vec<Path>) -> Self {
        Self { paths: WantedPaths::Named(paths), ..Self::every() }
    }

    /// Keeps the texts of near-unique paths too, up to four million: for keys that cut or change them. What is compared
    /// and counted, and what is read as a time, needs no texts.
    #[must_use]
    pub fn keeping_texts(self) -> Self {
        let limits = TableLimits {
            near_unique: NearUnique::AtLimit,
            values: 4 << 20,
            value_bytes: 512 << 20,
            ..self.limits
        };
        Self { limits, ..self }
    }

    fn unlisted(&self) -> NameRule {
        match self.paths {
            WantedPaths::Every => NameRule::Add,
            WantedPaths::Named(_) => NameRule::Ignore,
        }
    }

    fn table(&self) -> Table {
        let limits = TableLimits {
            memory_bytes: self.limits.memory_bytes.max(MIN_MEMORY_BYTES),
            ..self.limits.clone()
        };
        Table::new(&limits, &self.paths)
    }
}

/// Documents, what each input gave, and what is to be said of all.
#[derive(Clone, Debug, Default)]
pub struct LoadedDocuments {
    pub documents: Documents,
    pub sources: Vec<SourceInfo>,
    pub notes: Vec<String>,
    /// So many of the documents were weighed, where the sizes of others are estimates.
    pub weighed: Option<u64>,
}

/// Reads all inputs. Ends with an error where every one of them is refused, or when it is stopped.
pub fn read(
    inputs: &Inputs,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    let turns = OrderedTable::new(options.table());
    let mut loaded = LoadedDocuments { notes: inputs.notes.clone(), ..LoadedDocuments::default() };
    let mut hint = None;
    let sizes = inputs.readable().filter_map(|i| Some(i.open().ok()?.bytes));
    watch.total_bytes.fetch_add(sizes.sum(), Ordering::Relaxed);
    let mut number = 0;
    for input in &inputs.inputs {
        let input = match input {
            Ok(input) => input,
            Err(refused) => {
                loaded.refuse(refused.shown.clone(), refused.refusal.clone(), &mut hint);
                continue;
            }
        };
        watch.check()?;
        watch.begin(&input.shown);
        let opened = input.open().map_err(|e| unreadable("cannot be opened", &e));
        let mut change = None;
        let ended = opened.and_then(|opened| {
            let ended = read_one(&opened, number, options, &turns, watch);
            change = opened.change();
            ended
        });
        number += 1;
        match ended {
            Ok(ReadEnd::Stopped) => return Err(Error::Interrupted),
            Ok(ReadEnd::Read(mut info)) => {
                info.path.clone_from(&input.shown);
                info.incomplete |= change == Some(FileChange::CutShort);
                info.notes.extend(change.map(change_text));
                loaded.sources.push(*info);
            }
            Err(refusal) => loaded.refuse(input.shown.clone(), refusal, &mut hint),
        }
    }
    if loaded.sources.iter().all(|s| s.refused.is_some()) {
        let refused = loaded.sources.into_iter();
        return Err(Error::Refused {
            refused: refused.filter_map(|s| Some((s.path, s.refused?))).collect(),
            next: hint,
        });
    }
    loaded.documents = turns.finish();
    loaded.describe();
    Ok(loaded)
}

/// The first documents of the first inputs, as far as they can be read. Inputs are refused where all is read.
pub fn first(inputs: &Inputs, options: &DocumentOptions, watch: &Watch) -> Documents {
    const MOST_INPUTS: usize = 64;
    let options = DocumentOptions { threads: 1, ..options.clone() };
    let turns = OrderedTable::new(options.table());
    for (number, input) in inputs.readable().take(MOST_INPUTS).enumerate() {
        if let Ok(opened) = input.open() {
            let look = watch.first_rows(FIRST_DOCUMENTS);
            drop(read_one(&opened, number, &options, &turns, &look));
        }
    }
    turns.finish()
}

fn read_one(
    opened: &OpenInput,
    file: usize,
    options: &DocumentOptions,
    turns: &OrderedTable,
    watch: &Watch,
) -> Result<ReadEnd, Refusal> {
    let job = DocumentJob {
        opened,
        file,
        unlisted: options.unlisted(),
        threads: options.threads.max(1),
        turns,
        watch,
    };
    job.run().map_err(judge::not_documents)
}

/// Documents that are made as texts, such as those of a scenario. They are kept as those of a file would be.
pub fn of_texts(
    texts: impl IntoIterator<Item = String>,
    name: &str,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    let documents = texts.into_iter().map(|text| (text, None, None));
    graded(documents, name, Grade::Computed, options, watch)
}

/// Documents with what they weigh, where their texts do not tell, and their windows, if they came in such.
fn graded(
    documents: impl IntoIterator<Item = (impl AsRef<str>, Option<usize>, Option<u32>)>,
    name: &str,
    grade: Grade,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    /// Documents between two looks at whether they are still wanted.
    const PIECE: u64 = 1_024;
    let turns = OrderedTable::new(options.table());
    let mut parser = JsonParser::new(turns.rows(), options.unlisted(), 0);
    let mut reported = 0;
    for (place, (text, bytes, window)) in (1..).zip(documents) {
        parser.rows.in_window(window);
        parser.take_sized(text.as_ref(), (place, place), bytes);
        if place % PIECE == 0 {
            watch.check()?;
            turns.append(&mut parser.rows);
            parser.renew();
            watch.count_rows(parser.tally.sizes, &mut reported);
        }
    }
    turns.append(&mut parser.rows);
    watch.count_rows(parser.tally.sizes, &mut reported);
    let mut info = read::info_of("documents as JSON", parser.tally);
    name.clone_into(&mut info.path);
    info.grade = Some(grade);
    let mut loaded = LoadedDocuments {
        documents: turns.finish(),
        sources: vec![info],
        ..LoadedDocuments::default()
    };
    loaded.describe();
    Ok(loaded)
}

/// A sample of the documents of a scenario's container.
pub fn of_scenario(
    name: &str,
    container: &str,
    count: u64,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    let texts = super::scenario::documents(name, container, count)?;
    of_texts(texts, &format!("scenario {name}"), options, watch)
}

impl LoadedDocuments {
    fn refuse(&mut self, path: String, refusal: Refusal, hint: &mut Option<String>) {
        if hint.is_none() {
            *hint = refusal.next;
        }
        self.sources.push(SourceInfo {
            path,
            refused: Some(refusal.what),
            ..SourceInfo::default()
        });
    }

    /// What holds for all inputs together.
    fn describe(&mut self) {
        let seen = self.documents.seen();
        if self.documents.is_sampled() {
            self.notes.push(format!(
                "{} documents are more than fit into the memory: a uniform sample of {} is kept",
                seen.documents,
                self.documents.len()
            ));
        }
        if let Some(path) = &seen.path_beyond {
            self.notes.push(format!(
                "only the first {} paths have columns; {} values stand at others, the first at `{}`",
                self.documents.columns().len(),
                seen.values_beyond_paths,
                super::tally::shown(&path.to_string())
            ));
        }
        if seen.objects_too_deep > 0 {
            self.notes.push(format!(
                "{} objects lie inside more than {} others: what they hold has no path",
                seen.objects_too_deep,
                crate::model::documents::MAX_PATH_NAMES
            ));
        }
    }
}
