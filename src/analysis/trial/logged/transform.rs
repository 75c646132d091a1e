//! Keys that are made of the current one: what they do to each of its values needs no document.

use crate::model::path::Path;

use super::super::super::candidate::{Candidate, DateUnit, Level, LevelPart, MAX_LEVELS};

/// What becomes of each current key.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum KeySplit<'a> {
    Same,
    /// A level with the document's id below it: each document is a key of its own.
    ById,
    /// So many values in place of one, and another set of them in each period.
    Divided {
        level: &'a Level,
        parts: u32,
        unit: Option<DateUnit>,
        /// The divisor is a bucket of another property, which must have many values.
        by_property: Option<&'a Path>,
    },
}

pub(super) fn of<'a>(
    current: &Candidate,
    candidate: &'a Candidate,
) -> Result<KeySplit<'a>, String> {
    if current == candidate {
        return Ok(KeySplit::Same);
    }
    if let Some((last, before)) = candidate.levels.split_last()
        && before == current.levels
        && before.len() < MAX_LEVELS
        && last.is_id()
    {
        return Ok(KeySplit::ById);
    }
    let cannot = || {
        Err(format!(
            "{candidate}: unknown without documents, as logs report {current} alone. A sample of documents shows the sizes of \
             its keys and what is hot now."
        ))
    };
    let ([level], [own]) = (candidate.levels.as_slice(), current.levels.as_slice()) else {
        return cannot();
    };
    let (mut is_own, mut parts, mut unit, mut by_property) = (0, 1_u32, None, None);
    for part in &level.parts {
        match part {
            LevelPart::Literal(_) => {}
            LevelPart::Path(path) if own.path() == Some(path) => is_own += 1,
            LevelPart::Random { buckets } => parts = parts.saturating_mul(buckets.get()),
            LevelPart::Bucket { path, buckets } if own.path() != Some(path) => {
                parts = parts.saturating_mul(buckets.get());
                by_property = Some(path);
            }
            LevelPart::Date { path, unit: found } if own.path() != Some(path) => {
                unit = unit.max(Some(*found));
            }
            _ => return cannot(),
        }
    }
    if is_own != 1 {
        return cannot();
    }
    Ok(KeySplit::Divided { level, parts, unit, by_property })
}
