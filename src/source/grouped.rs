//! Answers of an account as rows of the sources: one for each kind, since an account with a thousand containers has
//! thousands of answers.

use std::collections::{BTreeMap, HashMap};

use super::answers::Kind;
use crate::model::capture::{Capture, SourceInfo};

/// Puts the sources that are answers into one row for each name they are shown by; `answers` says which are.
pub fn group(capture: &mut Capture, answers: &BTreeMap<u16, Kind>) {
    if answers.is_empty() {
        return;
    }
    let mut rows: Vec<(Option<Kind>, SourceInfo)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut numbers = Vec::new();
    for (number, info) in std::mem::take(&mut capture.sources).into_iter().enumerate() {
        let kind = u16::try_from(number).ok().and_then(|n| answers.get(&n));
        let place = kind.and_then(|_| places.get(&info.path).copied());
        // Fewer than there were before.
        numbers.push(u16::try_from(place.unwrap_or(rows.len())).unwrap_or(u16::MAX));
        if let Some((_, held)) = place.and_then(|place| rows.get_mut(place)) {
            add(held, info);
            continue;
        }
        if kind.is_some() {
            places.insert(info.path.clone(), rows.len());
        }
        let grade = kind.map(|kind| kind.grade());
        let info = SourceInfo { grade: grade.or(info.grade), ..info };
        rows.push((kind.copied(), info));
    }
    let reported = rows.into_iter().map(|(kind, info)| match kind {
        Some(kind) => kind.with_kind(info),
        None => info,
    });
    capture.sources = reported.collect();
    capture.sizes.renumber_sources(&numbers);
}

fn add(held: &mut SourceInfo, info: SourceInfo) {
    held.rows += info.rows;
    held.skipped += info.skipped;
    held.repeated += info.repeated;
    held.other_kinds += info.other_kinds;
    held.incomplete |= info.incomplete;
    held.row_errors.extend(info.row_errors);
    for note in info.notes {
        if !held.notes.contains(&note) {
            held.notes.push(note);
        }
    }
    // One that could be read tells more than one that could not.
    if info.refused.is_none() {
        held.refused = None;
        held.shape = info.shape;
    }
}
