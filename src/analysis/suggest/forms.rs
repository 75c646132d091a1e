//! The keys that are tried: paths alone, joined, with dates and buckets, and as levels.

use std::collections::HashSet;
use std::num::NonZeroU32;

use super::super::candidate::{self, Candidate, DateUnit, Level, LevelPart};
use super::paths::{Role, Usable};
use crate::model::path::Path;

/// Paths that are combined with each other; all that can are tried alone.
pub(super) const COMBINED: usize = 8;
/// What parts two values.
const JOINT: &str = "-";
/// Units that a key may be cut by: years let keys grow too long, minutes part too much.
const UNITS: [DateUnit; 3] = [DateUnit::Month, DateUnit::Day, DateUnit::Hour];
/// Buckets tried where a path alone is not spread enough.
const BUCKETS: [u32; 3] = [10, 50, 200];

/// Every form of key over these paths, the simplest and most asked for first, each once.
pub(super) fn forms(usable: &[Usable], time: Option<&Path>) -> Vec<Candidate> {
    let alone = usable.iter().filter(|u| matches!(u.role, Role::Any | Role::Own));
    let mut found: Vec<Vec<Level>> = alone.map(|one| vec![level([path(one)])]).collect();
    let some: Vec<&Usable> = usable.iter().filter(|u| u.role != Role::Own).take(COMBINED).collect();
    let own: Vec<&Usable> = usable.iter().filter(|u| u.role == Role::Own).collect();
    dates(&some, time, &mut found);
    pairs(&some, &mut found);
    levels(&some, &own, time, &mut found);
    three_levels(&some, &mut found);
    buckets(&some, usable, &mut found);
    let mut known = HashSet::new();
    found.retain(|levels| known.insert(levels.clone()));
    found.into_iter().map(|levels| Candidate { levels }).collect()
}

fn path(usable: &Usable) -> LevelPart {
    LevelPart::Path(usable.path.clone())
}

fn level(parts: impl Into<Vec<LevelPart>>) -> Level {
    Level { parts: parts.into() }
}

fn joined(first: LevelPart, joint: &str, second: LevelPart) -> Level {
    level([first, LevelPart::Literal(joint.into()), second])
}

/// Two joined paths in the other order: their keys lie elsewhere.
pub(super) fn swapped(key: &Candidate) -> Option<Candidate> {
    let [one] = key.levels.as_slice() else { return None };
    let [first @ LevelPart::Path(_), joint, second @ LevelPart::Path(_)] = one.parts.as_slice()
    else {
        return None;
    };
    let parts = [second, joint, first].map(LevelPart::clone);
    Some(Candidate { levels: vec![level(parts)] })
}

fn date(path: &Path, unit: DateUnit) -> LevelPart {
    LevelPart::Date { path: path.clone(), unit }
}

/// A path with a period of the documents' time.
fn dates(some: &[&Usable], time: Option<&Path>, found: &mut Vec<Vec<Level>>) {
    let Some(time) = time else { return };
    for one in some.iter().filter(|u| u.role != Role::Period) {
        for unit in UNITS {
            found.push(vec![joined(path(one), JOINT, date(time, unit))]);
        }
    }
}

fn pairs(some: &[&Usable], found: &mut Vec<Vec<Level>>) {
    for (at, first) in some.iter().enumerate() {
        for second in some.iter().skip(at + 1) {
            // Periods alone are what is written now; together they still are.
            let (first, second) = match (first.role, second.role) {
                (Role::Period, Role::Period) => continue,
                (Role::Period, _) => (second, first),
                _ => (first, second),
            };
            found.push(vec![joined(path(first), JOINT, path(second))]);
        }
    }
}

fn levels(some: &[&Usable], own: &[&Usable], time: Option<&Path>, found: &mut Vec<Vec<Level>>) {
    let is_first =
        |u: &&&Usable| u.role == Role::Any || u.role == Role::Few && u.requests_per_second > 0.0;
    let firsts = || some.iter().filter(is_first);
    for first in firsts() {
        let behind = some.iter().chain(own).filter(|u| u.path != first.path);
        for second in behind {
            found.push(vec![level([path(first)]), level([path(second)])]);
        }
        if let Some(time) = time {
            let month = level([date(time, DateUnit::Month)]);
            found.push(vec![level([path(first)]), month]);
        }
    }
    for first in firsts() {
        for second in some.iter().filter(|u| u.path != first.path) {
            for last in own.iter().filter(|u| u.path.top_name() == Some("id")) {
                let levels = [first, second, last].map(|u| level([path(u)]));
                found.push(levels.into());
            }
        }
    }
}

/// Levels from coarse to fine, each of which requests compare.
fn three_levels(some: &[&Usable], found: &mut Vec<Vec<Level>>) {
    let compared = || some.iter().filter(|u| u.requests_per_second > 0.0);
    for first in compared().filter(|u| u.role == Role::Any) {
        for second in compared().filter(|u| u.distinct > first.distinct) {
            for third in compared().filter(|u| u.distinct > second.distinct) {
                let levels = [first, second, third].map(|u| level([path(u)]));
                found.push(levels.into());
            }
        }
    }
}

/// A path that is not spread enough, with buckets of one that is and that readers know, or of the id.
fn buckets(some: &[&Usable], usable: &[Usable], found: &mut Vec<Vec<Level>>) {
    for base in some.iter().filter(|u| u.role != Role::Period) {
        let finer = usable.iter().filter(|u| {
            matches!(u.role, Role::Any | Role::Own)
                && u.path != base.path
                && u.distinct > base.distinct
        });
        for of in finer.take(2) {
            for buckets in BUCKETS.into_iter().filter_map(NonZeroU32::new) {
                let bucket = LevelPart::Bucket { path: of.path.clone(), buckets };
                found.push(vec![joined(path(base), candidate::JOINT, bucket)]);
            }
        }
    }
}
