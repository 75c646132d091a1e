//! The search: paths sorted out, keys made of the others, each tried, the best tried again on all documents.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::candidate::{Candidate, Level, Part};
use super::super::routing;
use super::super::routing::PointOperation;
use super::super::routing::workload::{RequestKind, Workload};
use super::super::trial::routes::{Routed, routed};
use super::super::trial::verdict::{Standing, Tried, verdicts};
use super::super::trial::{Ground, Trial, Trials};
use super::forms::{COMBINED, forms};
use super::measures::{Measures, is_illegal};
use super::paths::{Role, Unfit, Usable, sorted_out};
use super::{Dropped, Proposal, Suggestions, Wish, words};
use crate::model::path::Path;

/// Keys that are tried again on all documents for each one proposed: a sample hides collisions.
const TRIED_AGAIN: usize = 3;
/// Keys named as doing the same.
const ALIKE_NAMED: usize = 4;

/// Looks for keys. `progress` is told what was done, of how much, and what is tried now; once `keep_going` says no, what
/// was found so far is the answer.
pub fn suggest(
    trials: &Trials,
    workload: &Workload,
    current: Option<&Candidate>,
    wish: &Wish,
    keep_going: &dyn Fn() -> bool,
    progress: &dyn Fn(usize, usize, &str),
) -> Suggestions {
    let all = trials.ground();
    let documents = all.documents();
    let is_thinned = documents.len() > wish.documents;
    let thin = if is_thinned {
        let few = documents.thinned(wish.documents, trials.settings().seed);
        let ground = Ground::new(few, all.time());
        Trials::new(Arc::new(ground), trials.settings().clone())
    } else {
        trials.clone()
    };
    let (usable, mut unfit) = sorted_out(trials, &thin, workload);
    surplus(&usable, &mut unfit);
    // What the service sets, the application that makes the key does not know.
    let time = all.time().filter(|path| {
        let is_system = |(p, reason): &(Path, Unfit)| p == *path && *reason == Unfit::System;
        !unfit.iter().any(is_system)
    });
    let mut keys = forms(&usable, time);
    keys.retain(|key| Some(key) != current);
    let mut search = Search {
        thin: &thin,
        trials,
        workload,
        keep_going,
        progress,
        all: keys.len().min(wish.most_trials) + wish.most,
        dropped: BTreeMap::new(),
        found: Suggestions {
            unfit: by_reason(unfit),
            searched_on: is_thinned.then_some(thin.ground().documents().len()),
            mix: mix(workload),
            is_complete: true,
            not_tried: keys.len().saturating_sub(wish.most_trials),
            ..Suggestions::default()
        },
    };
    keys.truncate(wish.most_trials);
    let tried = search.try_all(&keys);
    let kept = search.sift(tried);
    search.propose(kept, current, wish, is_thinned);
    search.found.dropped = search.dropped.into_iter().collect();
    search.found
}

/// A key with what it does.
struct One {
    candidate: Candidate,
    trial: Trial,
    routed: Vec<Routed>,
    measures: Measures,
    alike: Vec<Candidate>,
}

struct Search<'a> {
    thin: &'a Trials,
    trials: &'a Trials,
    workload: &'a Workload,
    keep_going: &'a dyn Fn() -> bool,
    progress: &'a dyn Fn(usize, usize, &str),
    all: usize,
    dropped: BTreeMap<Dropped, usize>,
    found: Suggestions,
}

impl Search<'_> {
    fn drop(&mut self, why: Dropped) {
        *self.dropped.entry(why).or_insert(0) += 1;
    }

    fn goes_on(&mut self, done: usize, key: &Candidate) -> bool {
        (self.progress)(done, self.all, &key.to_string());
        let goes_on = (self.keep_going)();
        self.found.is_complete &= goes_on;
        goes_on
    }

    fn one(&self, trials: &Trials, candidate: &Candidate) -> One {
        let (trial, prefixes) = trials.trial_with_prefixes(candidate);
        let settings = trials.settings();
        let by = routing::Settings::default();
        let routed = routed(
            self.workload,
            candidate,
            settings.partitions,
            &prefixes,
            &by,
        );
        One {
            measures: Measures::of(&trial, &routed, settings),
            candidate: candidate.clone(),
            trial,
            routed,
            alike: Vec::new(),
        }
    }

    fn try_all(&mut self, keys: &[Candidate]) -> Vec<One> {
        let mut tried = Vec::with_capacity(keys.len());
        // How many values each path alone has, which joined ones are to exceed.
        let mut values: BTreeMap<Path, u64> = BTreeMap::new();
        for (at, key) in keys.iter().enumerate() {
            if !self.goes_on(at, key) {
                self.found.not_tried += keys.len() - at;
                break;
            }
            let one = self.one(self.thin, key);
            self.found.tried += 1;
            if let Some(path) = alone(key) {
                values.insert(path.clone(), one.trial.distinct.seen);
            }
            if is_illegal(&one.trial) {
                self.drop(Dropped::Illegal);
            } else if one.parts_nothing(&values) {
                self.drop(Dropped::PartsNothing);
            } else {
                tried.push(one);
            }
        }
        tried
    }

    /// Those that none beats, the most fitting first, of those that do the same the simplest.
    fn sift(&mut self, tried: Vec<One>) -> Vec<One> {
        let n = self.trials.settings().partitions;
        let mut tried = tried;
        tried.sort_by(|a, b| a.simpler(b));
        let mut kept: Vec<One> = Vec::new();
        for one in tried {
            let like = kept
                .iter_mut()
                .find(|k| k.measures.is_like(&one.measures, n));
            if let Some(like) = like {
                like.alike.push(one.candidate);
                self.drop(Dropped::Alike);
            } else {
                kept.push(one);
            }
        }
        self.unbeaten(kept)
    }

    fn unbeaten(&mut self, mut ones: Vec<One>) -> Vec<One> {
        let n = self.trials.settings().partitions;
        let is_beaten: Vec<bool> = ones
            .iter()
            .map(|one| ones.iter().any(|o| o.measures.beats(&one.measures, n)))
            .collect();
        let mut fates = is_beaten.iter();
        ones.retain(|_| !fates.next().copied().unwrap_or(false));
        for _ in is_beaten.iter().filter(|beaten| **beaten) {
            self.drop(Dropped::Beaten);
        }
        ones.sort_by(|a, b| by_order(&a.measures, &b.measures, n).then_with(|| a.simpler(b)));
        ones
    }

    fn propose(
        &mut self,
        kept: Vec<One>,
        current: Option<&Candidate>,
        wish: &Wish,
        is_thinned: bool,
    ) {
        let now = current.map(|key| self.one(self.trials, key));
        let mut again = Vec::new();
        let most = wish.most.saturating_mul(TRIED_AGAIN);
        for (at, mut one) in kept.into_iter().enumerate() {
            if at >= most || !(again.len() < wish.most || is_thinned) {
                self.drop(Dropped::Behind);
                continue;
            }
            if is_thinned {
                if !self.goes_on(self.found.tried + at, &one.candidate) {
                    self.drop(Dropped::Behind);
                    continue;
                }
                let alike = std::mem::take(&mut one.alike);
                one = self.one(self.trials, &one.candidate);
                one.alike = alike;
            }
            if is_illegal(&one.trial) {
                self.drop(Dropped::Illegal);
            } else if one.measures.collisions > 0.0 {
                self.drop(Dropped::Collides);
            } else {
                again.push(one);
            }
        }
        let n = self.trials.settings().partitions;
        // What all documents tell can turn what a sample told.
        let mut again = self.unbeaten(again);
        for _ in wish.most..again.len() {
            self.drop(Dropped::Behind);
        }
        again.truncate(wish.most);
        let standings = self.standings(&again);
        for (mut one, standing) in again.into_iter().zip(standings) {
            one.alike.truncate(ALIKE_NAMED);
            let now = now.as_ref().map(|now| &now.measures);
            self.found.proposals.push(Proposal {
                why: words::why(&one.candidate, &one.measures, now, n),
                candidate: one.candidate,
                trial: one.trial,
                routed: one.routed,
                standing,
                measures: one.measures,
                alike: one.alike,
            });
        }
        (self.progress)(self.all, self.all, "done");
    }

    fn standings(&self, ones: &[One]) -> Vec<Standing> {
        let tried: Vec<Tried<'_>> = ones
            .iter()
            .map(|one| Tried {
                trial: &one.trial,
                routed: &one.routed,
            })
            .collect();
        verdicts(&tried, self.trials.settings())
            .into_iter()
            .map(|verdict| verdict.standing)
            .collect()
    }
}

impl One {
    /// Whether one of its paths alone has as many values.
    fn parts_nothing(&self, values: &BTreeMap<Path, u64>) -> bool {
        let paths = self.candidate.paths();
        let is_as_fine = |path: &&Path| {
            values
                .get(*path)
                .is_some_and(|n| *n >= self.trial.distinct.seen)
        };
        // A level that is an id parts every document, whatever stands before it.
        let ends_with_id = self.candidate.levels.len() > 1
            && self
                .candidate
                .levels
                .last()
                .and_then(Level::path)
                .and_then(Path::top_name)
                == Some("id");
        alone(&self.candidate).is_none() && !ends_with_id && paths.iter().any(is_as_fine)
    }

    /// What copies as it is comes before what must be made, then fewer parts, then fewer values.
    fn simpler(&self, other: &Self) -> Ordering {
        let of = |one: &Self| {
            let parts = one.candidate.parts();
            let parts = parts.filter(|p| !matches!(p, Part::Literal(_))).count();
            (parts, !one.candidate.is_stored(), one.trial.distinct.seen)
        };
        of(self)
            .cmp(&of(other))
            .then_with(|| self.candidate.to_string().cmp(&other.candidate.to_string()))
    }
}

fn alone(key: &Candidate) -> Option<&Path> {
    match key.levels.as_slice() {
        [level] => level.path(),
        _ => None,
    }
}

fn by_order(a: &Measures, b: &Measures, partitions: usize) -> Ordering {
    let (a, b) = (a.order(partitions), b.order(partitions));
    a.iter()
        .zip(&b)
        .map(|(a, b)| a.total_cmp(b))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Those that can take part but are not combined with others.
fn surplus(usable: &[Usable], unfit: &mut Vec<(Path, Unfit)>) {
    let beyond = usable
        .iter()
        .filter(|u| u.role != Role::Own)
        .skip(COMBINED)
        .filter(|u| u.role != Role::Any);
    unfit.extend(beyond.map(|u| (u.path.clone(), Unfit::Surplus)));
}

fn by_reason(unfit: Vec<(Path, Unfit)>) -> Vec<(Unfit, Vec<Path>)> {
    let mut by: BTreeMap<Unfit, Vec<Path>> = BTreeMap::new();
    for (path, reason) in unfit {
        by.entry(reason).or_default().push(path);
    }
    by.into_iter().collect()
}

fn mix(workload: &Workload) -> Option<[f64; 2]> {
    let mut mix = [0.0, 0.0];
    for request in &workload.requests {
        let is_write = match &request.kind {
            RequestKind::Query { .. } | RequestKind::Point(PointOperation::Read) => false,
            RequestKind::Point(_) => true,
        };
        let [reads, writes] = &mut mix;
        let rate = request.per_second.unwrap_or(1.0);
        *(if is_write { writes } else { reads }) += rate;
    }
    (!workload.requests.is_empty()).then_some(mix)
}
