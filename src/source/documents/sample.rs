//! Documents that an account gave, a page at a time: the whole ones by themselves, and all of them with the properties that
//! every page has.

use super::{DocumentOptions, FIRST_DOCUMENTS, LoadedDocuments, graded};
use crate::error::Error;
use crate::model::capture::Grade;
use crate::model::documents::{Documents, ReadWindow, WantedPaths};
use crate::model::path::Path;
use crate::model::units::{count_text, kib_text, real, rounded_text, whole_usize};
use crate::source::sampled::{Document, SampledPages, Weights};
use crate::source::watch::Watch;

const NAME: &str = "sample of documents";

/// Whole documents.
pub fn of_sample(
    sampled: &SampledPages<'_>,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    let documents = sampled.whole();
    let documents = documents.map(|(_, one)| (one.text, one.bytes, Some(one.window)));
    let mut loaded = graded(documents, NAME, Grade::Sampled, options, watch)?;
    loaded.documents = loaded.documents.with_windows(sampled.windows_of_whole());
    loaded.notes.extend(provenance(sampled));
    Ok(loaded)
}

/// The first whole documents.
pub fn first_of_sample(
    sampled: &SampledPages<'_>,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<Documents, Error> {
    let first = sampled.whole().take(whole_usize(real(FIRST_DOCUMENTS)));
    let first = first.map(|(_, one)| (one.text, one.bytes, None));
    Ok(graded(first, NAME, Grade::Sampled, options, watch)?.documents)
}

/// All documents, with the properties that were asked of each. What one weighs that is not whole is the mean of whole ones
/// of its physical partition.
pub fn of_rows(
    sampled: &SampledPages<'_>,
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    let options =
        DocumentOptions { paths: WantedPaths::Named(sampled.paths.clone()), ..options.clone() };
    let mut weights = Weights::default();
    let (mut whole, mut rows) = (0, 0);
    for (range, document) in sampled.whole() {
        weights.add(range, weight(&document));
        whole += 1;
    }
    let known = sampled.whole();
    let known = known.map(|(_, one)| (one.text, one.bytes, Some(one.window)));
    let estimated = sampled.narrow().map(|(range, one)| {
        let bytes = (!weights.is_empty()).then(|| weights.of(range));
        rows += 1;
        (one.text, bytes, Some(one.window))
    });
    let mut loaded = graded(known.chain(estimated), NAME, Grade::Sampled, &options, watch)?;
    loaded.documents = loaded.documents.with_windows(sampled.windows.clone());
    loaded.weighed = Some(whole);
    loaded.notes.push(estimate(whole, rows, &weights));
    loaded.notes.extend(provenance(sampled));
    Ok(loaded)
}

/// What is told of sizes that are estimates.
fn estimate(whole: u64, rows: u64, weights: &Weights) -> String {
    let (whole, all) = (count_text(whole), count_text(whole + rows));
    if weights.is_empty() {
        return format!(
            "the size of the {all} documents is unknown: only some properties were read; a sample with whole documents \
             shows it"
        );
    }
    let (mean, doubt) = weights.mean();
    let doubt = doubt.map_or(String::new(), |doubt| format!(" ± {}", bytes_text(doubt)));
    format!(
        "sizes are estimates: {whole} of {all} documents were read whole and weigh {}{doubt} on average, which is what the \
         others of their physical partition are taken to weigh",
        bytes_text(mean)
    )
}

fn weight(document: &Document<'_>) -> usize {
    let of_text = || crate::source::json::read::compact(document.text).len();
    document.bytes.unwrap_or_else(of_text)
}

/// The note for documents in the order of time that were read without stretches of time.
const OLDEST: &str = ": documents come in the order of time, and no stretches of it were read, so that the oldest documents \
    count for all: shares and their intervals hold for these alone";

/// How documents were chosen, and what that leaves open.
fn provenance(sampled: &SampledPages<'_>) -> Option<String> {
    let (some, all) = (sampled.from_start, sampled.partitions);
    if some == 0 {
        let counted = |n: usize, one: &str, several: &str| match n {
            1 => format!("one {one}"),
            n => format!("{} {several}", count_text(n as u64)),
        };
        let places = counted(sampled.places, "place", "places");
        let keys = counted(sampled.keys, "large key", "large keys");
        let places = match (sampled.places, sampled.keys) {
            (0, 0) => return None,
            (_, 0) => format!("at {places} of the hash ranges"),
            (0, _) => format!("of {keys}"),
            _ => format!(
                "of {keys}, each by its share in statistics, and at {places} of the hash ranges"
            ),
        };
        let is_cut = |window: &&ReadWindow| window.bounds.is_some() && !window.is_whole;
        let cut = match sampled.windows.iter().filter(is_cut).count() {
            0 => String::new(),
            cut => format!(
                "; the last key of {} of them is cut: it holds at least what was read of it",
                count_text(cut as u64)
            ),
        };
        if let stretches @ 1.. = sampled.windows.iter().filter(|w| w.is_of_time).count() {
            return Some(format!(
                "read page by page {places}: documents come in the order of time, so {} are stretches of time between the \
                 oldest and the newest document{cut}",
                count_text(stretches as u64)
            ));
        }
        if sampled.is_by_time() {
            return Some(format!("read page by page {places}{OLDEST}{cut}"));
        }
        return Some(format!(
            "read page by page {places}: a large key that statistics do not list gives fewer documents than its share{cut}"
        ));
    }
    let which = match (some, all) {
        (1, 1) => "the physical partition was read from the start of its hash range".to_owned(),
        (some, all) if some == all => {
            "every physical partition was read from the start of its hash range".to_owned()
        }
        (some, all) => format!(
            "{} of {} physical partitions were read from the start of their hash range",
            count_text(some as u64),
            count_text(all as u64)
        ),
    };
    Some(format!(
        "{which}, because the service reads no parts of it: unless all of it was read, its documents are those of the first \
         keys by hash; later keys are missing"
    ))
}

/// All documents where each has the properties that are needed, else the whole ones, and a word about it.
pub fn of_needed(
    sampled: &SampledPages<'_>,
    needed: &[Path],
    options: &DocumentOptions,
    watch: &Watch,
) -> Result<LoadedDocuments, Error> {
    if !sampled.is_narrow() {
        return of_sample(sampled, options, watch);
    }
    let lacking = needed.iter().filter(|path| !sampled.paths.contains(path));
    let lacking: Vec<String> = lacking.map(ToString::to_string).collect();
    if lacking.is_empty() {
        return of_rows(sampled, options, watch);
    }
    let mut loaded = of_sample(sampled, options, watch)?;
    let rows = sampled.narrow().count() as u64;
    loaded.notes.push(format!(
        "only whole documents are looked at: {} was not read of the {} others",
        lacking.join(", "),
        count_text(rows)
    ));
    Ok(loaded)
}

fn bytes_text(bytes: f64) -> String {
    /// Sizes of documents are told to the byte up to here.
    const EXACT: f64 = 10_000.0;
    if bytes < EXACT { format!("{} bytes", rounded_text(bytes)) } else { kib_text(bytes / 1024.0) }
}
