//! Answers of an account as rows of the sources: one for each kind, since an account with a thousand containers has
//! thousands of answers.

use std::collections::HashMap;

use crate::model::capture::{Capture, Grade, SourceInfo};

/// Puts the sources that are answers into one row for each name they are shown by; `answers` says which are.
pub fn group(capture: &mut Capture, answers: &HashMap<u16, Grade>) {
    if answers.is_empty() {
        return;
    }
    let mut rows: Vec<SourceInfo> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut numbers = Vec::new();
    for (number, info) in std::mem::take(&mut capture.sources).into_iter().enumerate() {
        let grade = u16::try_from(number).ok().and_then(|n| answers.get(&n));
        let place = grade.and_then(|_| places.get(&info.path).copied());
        // Fewer than there were before.
        numbers.push(u16::try_from(place.unwrap_or(rows.len())).unwrap_or(u16::MAX));
        if let Some(held) = place.and_then(|place| rows.get_mut(place)) {
            add(held, info);
            continue;
        }
        if grade.is_some() {
            places.insert(info.path.clone(), rows.len());
        }
        rows.push(SourceInfo {
            grade: grade.copied().or(info.grade),
            ..info
        });
    }
    capture.sources = rows;
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
