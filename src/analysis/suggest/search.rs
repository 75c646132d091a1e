//! The search: paths sorted out, keys made of the others, each tried, the best tried again on all documents.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::candidate::{Candidate, Level, Part};
use super::super::routing;
use super::super::routing::PointOperation;
use super::super::routing::workload::{RequestKind, Workload};
use super::super::trial::routes::{Routed, routed};
use super::super::trial::verdict::{Standing, Tried, verdicts};
use super::super::trial::{Ground, KeepGoing, Trial, Trials};
use super::forms::{COMBINED, forms};
use super::measures::{Measures, is_illegal};
use super::paths::{Role, Unfit, Usable, is_identity, sorted_out};
use super::{Dropped, Proposal, Suggestions, Wish, words};
use crate::model::documents::Documents;
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
    keep_going: &KeepGoing<'_>,
    progress: &dyn Fn(usize, usize, &str),
) -> Suggestions {
    let all = trials.ground();
    let documents = all.documents();
    let is_thinned = documents.len() > wish.documents;
    let thin = if is_thinned {
        let few = documents.thinned(wish.documents, trials.settings().seed);
        let ground = Ground::new(few, all.time());
        let thin = Trials::new(Arc::new(ground), trials.settings().clone());
        thin.with_crew(trials.crew())
    } else {
        trials.clone()
    };
    let (usable, mut unfit) = sorted_out(trials, &thin, workload, keep_going);
    surplus(&usable, &mut unfit);
    let time = time(documents, &unfit, all.time());
    let mut keys = forms(&usable, time);
    keys.retain(|key| Some(key) != current);
    let mut search = Search {
        thin: &thin,
        trials,
        workload,
        keep_going,
        progress,
        all: keys.len().min(wish.most_trials) + wish.most * TRIED_AGAIN,
        asked: usable
            .iter()
            .filter(|u| u.asked > 0.0)
            .map(|u| u.path.clone())
            .collect(),
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
    let kept = search.sift(tried, wish.most.saturating_mul(TRIED_AGAIN));
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
    /// Of its paths those that no request asks for, and those whose names do not say that they tell things apart.
    strangeness: [usize; 2],
    layer: usize,
    alike: Vec<Candidate>,
}

struct Search<'a> {
    thin: &'a Trials,
    trials: &'a Trials,
    workload: &'a Workload,
    keep_going: &'a KeepGoing<'a>,
    progress: &'a dyn Fn(usize, usize, &str),
    all: usize,
    /// Paths that requests compare with one value.
    asked: BTreeSet<Path>,
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

    /// None once it is stopped, also in the middle of the trial.
    fn one(&mut self, trials: &Trials, candidate: &Candidate) -> Option<One> {
        let Some((trial, prefixes)) = trials.trial_while(candidate, self.keep_going) else {
            self.found.is_complete = false;
            return None;
        };
        let settings = trials.settings();
        let by = routing::Settings::default();
        let routed = routed(
            self.workload,
            candidate,
            settings.partitions,
            &prefixes,
            &by,
        );
        Some(One {
            measures: Measures::of(&trial, &routed, self.workload, settings),
            strangeness: self.strangeness(candidate),
            candidate: candidate.clone(),
            trial,
            routed,
            layer: 0,
            alike: Vec::new(),
        })
    }

    fn strangeness(&self, candidate: &Candidate) -> [usize; 2] {
        let is_date = |path: &Path| {
            let mut parts = candidate.parts();
            parts.any(|p| matches!(p, Part::Date { path: dated, .. } if dated == path))
        };
        let paths = candidate.paths();
        let paths = || paths.iter().filter(|path| !is_date(path));
        let is_known = !self.asked.is_empty();
        [
            paths()
                .filter(|path| is_known && !self.asked.contains(**path))
                .count(),
            paths().filter(|path| !is_identity(path)).count(),
        ]
    }

    fn try_all(&mut self, keys: &[Candidate]) -> Vec<One> {
        let mut tried = Vec::with_capacity(keys.len());
        // How many values each path alone has, which joined ones are to exceed.
        let mut values: BTreeMap<Path, u64> = BTreeMap::new();
        for (at, key) in keys.iter().enumerate() {
            let goes_on = self.goes_on(at, key);
            let Some(one) = goes_on.then(|| self.one(self.thin, key)).flatten() else {
                self.found.not_tried += keys.len() - at;
                break;
            };
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

    /// Of those that do the same the simplest, in their layers.
    fn sift(&mut self, tried: Vec<One>, most: usize) -> Vec<One> {
        let n = self.trials.settings().partitions;
        let mut tried = tried;
        tried.sort_by(One::simpler);
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
        self.ranked(kept, most)
    }

    /// Those that none beats, then those that only these beat, and so on until there are enough; each such layer in the
    /// order of what matters.
    fn ranked(&mut self, ones: Vec<One>, enough: usize) -> Vec<One> {
        let n = self.trials.settings().partitions;
        let mix = self.found.mix;
        let mut left = ones;
        let mut ranked: Vec<One> = Vec::new();
        let mut layer = 0;
        while !left.is_empty() && ranked.len() < enough {
            let beats = |one: &One| left.iter().any(|o| o.measures.beats(&one.measures, n));
            let is_beaten: Vec<bool> = left.iter().map(beats).collect();
            let (mut front, mut beaten) = (Vec::new(), Vec::new());
            for (mut one, is_beaten) in left.into_iter().zip(is_beaten) {
                one.layer = layer;
                if is_beaten { &mut beaten } else { &mut front }.push(one);
            }
            front.sort_by(|a, b| {
                by_order(&a.measures, &b.measures, n, mix).then_with(|| a.simpler(b))
            });
            ranked.append(&mut front);
            left = beaten;
            layer += 1;
        }
        for _ in left {
            self.drop(Dropped::Beaten);
        }
        ranked
    }

    fn propose(
        &mut self,
        kept: Vec<One>,
        current: Option<&Candidate>,
        wish: &Wish,
        is_thinned: bool,
    ) {
        let now = current.and_then(|key| self.one(self.trials, key));
        let mut again = Vec::new();
        let most = wish.most.saturating_mul(TRIED_AGAIN);
        for (at, mut one) in kept.into_iter().enumerate() {
            if at >= most {
                self.drop(Dropped::Behind);
                continue;
            }
            if is_thinned {
                let goes_on = self.goes_on(self.found.tried + at, &one.candidate);
                let again = goes_on.then(|| self.one(self.trials, &one.candidate));
                let Some(again) = again.flatten() else {
                    self.drop(Dropped::Behind);
                    continue;
                };
                one = One {
                    alike: std::mem::take(&mut one.alike),
                    ..again
                };
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
        let again = self.ranked(again, usize::MAX);
        let standings = self.standings(&again);
        let is_any_fit = standings.iter().any(|s| *s < Standing::Fails);
        for (mut one, standing) in again.into_iter().zip(standings) {
            let is_fit = standing < Standing::Fails || !is_any_fit;
            if self.found.proposals.len() >= wish.most || !is_fit {
                self.drop(Dropped::Behind);
                continue;
            }
            one.alike.truncate(ALIKE_NAMED);
            let now = now.as_ref().map(|now| &now.measures);
            self.found.proposals.push(Proposal {
                why: words::why(&one.candidate, &one.measures, now, n),
                candidate: one.candidate,
                trial: one.trial,
                routed: one.routed,
                standing,
                layer: one.layer,
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

    /// What requests ask for comes first, what copies as it is comes before what must be made, then fewer parts, then fewer values.
    fn simpler(&self, other: &Self) -> Ordering {
        let of = |one: &Self| {
            let parts = one.candidate.parts();
            let parts = parts.filter(|p| !matches!(p, Part::Literal(_))).count();
            let [unasked, unnamed] = one.strangeness;
            let made = !one.candidate.is_stored();
            (unasked, parts, made, unnamed, one.trial.distinct.seen)
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

fn by_order(a: &Measures, b: &Measures, partitions: usize, mix: Option<[f64; 2]>) -> Ordering {
    let (a, b) = (a.order(partitions, mix), b.order(partitions, mix));
    a.iter()
        .zip(&b)
        .map(|(a, b)| a.total_cmp(b))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The property that dates are cut from: the likeliest that holds moments, else the one that documents are dated by. What
/// the service sets, the application that makes the key does not know.
fn time<'a>(
    documents: &'a Documents,
    unfit: &[(Path, Unfit)],
    dated_by: Option<&'a Path>,
) -> Option<&'a Path> {
    let is = |path: &Path, reason: Unfit| unfit.iter().any(|(p, why)| p == path && *why == reason);
    let times = documents.time_columns().iter();
    let mut paths = times.filter_map(|t| Some(documents.columns().get(t.column)?.path()));
    let moments = paths.find(|path| is(path, Unfit::Moment));
    moments.or_else(|| dated_by.filter(|path| !is(path, Unfit::System)))
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
        let is_read = matches!(
            request.kind,
            RequestKind::Query { .. } | RequestKind::Point(PointOperation::Read)
        );
        let [reads, writes] = &mut mix;
        let rate = request.per_second.unwrap_or(1.0);
        *(if is_read { reads } else { writes }) += rate;
    }
    (!workload.requests.is_empty()).then_some(mix)
}
