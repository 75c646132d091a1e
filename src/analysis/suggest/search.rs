//! The search: paths sorted out, keys made of the others, each tried, the best tried again on all documents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::candidate::{Candidate, Level, LevelPart};
use super::super::routing::workload::Workload;
use super::super::trial::verdict::{Acceptance, RoutedTrial, verdicts};
use super::super::trial::{KeepGoing, PreparedDocuments, Today, Trials};
use super::forms::{COMBINED, forms};
use super::paths::{Role, Unfit, Usable, is_identity, most_asked, sorted_out};
use super::ranking::{PROVISIONED, ScoredKey, mean_visits, ranked};
use super::{Baseline, Proposal, Rejection, SearchLimits, Suggestions, words};
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
    current: Option<&Candidate>,
    limits: &SearchLimits,
    keep_going: &KeepGoing<'_>,
    progress: &dyn Fn(usize, usize, &str),
) -> Suggestions {
    let all = trials.prepared();
    let documents = all.documents();
    let is_thinned = documents.len() > limits.documents;
    let thin = if is_thinned {
        let few = documents.thinned(limits.documents, trials.settings().seed);
        let prepared = PreparedDocuments::new(few, all.time());
        let thin = Trials::new(Arc::new(prepared), trials.settings().clone());
        thin.with_parallelism(trials.parallelism())
    } else {
        trials.clone()
    };
    let workload = &trials.settings().workload;
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
        all: keys.len().min(limits.most_trials) + limits.most * TRIED_AGAIN,
        compared_paths: usable
            .iter()
            .filter(|u| u.requests_per_second > 0.0)
            .map(|u| u.path.clone())
            .collect(),
        dropped: BTreeMap::new(),
        found: Suggestions {
            unfit: by_reason(unfit),
            searched_on: is_thinned.then_some(thin.prepared().documents().len()),
            is_complete: true,
            not_tried: keys.len().saturating_sub(limits.most_trials),
            ..Suggestions::default()
        },
    };
    keys.truncate(limits.most_trials);
    let tried = search.try_all(&keys);
    let kept = search.sift(tried);
    search.propose(kept, current, limits, is_thinned);
    search.natural(current);
    search.found.dropped = search.dropped.into_iter().collect();
    search.found
}

struct Search<'a> {
    thin: &'a Trials,
    trials: &'a Trials,
    workload: &'a Workload,
    keep_going: &'a KeepGoing<'a>,
    progress: &'a dyn Fn(usize, usize, &str),
    all: usize,
    /// Paths that requests compare with one value.
    compared_paths: BTreeSet<Path>,
    dropped: BTreeMap<Rejection, Vec<Candidate>>,
    found: Suggestions,
}

impl Search<'_> {
    fn drop(&mut self, why: Rejection, key: &Candidate) {
        self.dropped.entry(why).or_default().push(key.clone());
    }

    fn goes_on(&mut self, done: usize, key: &Candidate) -> bool {
        (self.progress)(done, self.all, &key.to_string());
        let goes_on = (self.keep_going)();
        self.found.is_complete &= goes_on;
        goes_on
    }

    /// None once it is stopped, also in the middle of the trial.
    fn one(&mut self, trials: &Trials, candidate: &Candidate) -> Option<ScoredKey> {
        let Some((trial, routed)) = trials.trial_while(candidate, self.keep_going) else {
            self.found.is_complete = false;
            return None;
        };
        let partitions = trial.placement.partitions.len();
        Some(ScoredKey {
            visits: mean_visits(&routed, self.workload, partitions),
            strangeness: self.strangeness(candidate),
            candidate: candidate.clone(),
            trial,
            routed,
            band: 0,
            alike: Vec::new(),
        })
    }

    fn strangeness(&self, candidate: &Candidate) -> [usize; 2] {
        let is_date = |path: &Path| {
            let mut parts = candidate.parts();
            parts.any(|p| matches!(p, LevelPart::Date { path: dated, .. } if dated == path))
        };
        let paths = candidate.paths();
        let paths = || paths.iter().filter(|path| !is_date(path));
        let is_known = !self.compared_paths.is_empty();
        [
            paths()
                .filter(|path| is_known && !self.compared_paths.contains(**path))
                .count(),
            paths().filter(|path| !is_identity(path)).count(),
        ]
    }

    fn try_all(&mut self, keys: &[Candidate]) -> Vec<ScoredKey> {
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
            if let [level] = key.levels.as_slice()
                && let Some(path) = level.path()
            {
                values.insert(path.clone(), one.trial.distinct.seen);
            }
            let parts_nothing = one.parts_nothing(|path| values.get(path).copied());
            let parts_nothing = parts_nothing.then_some(Rejection::PartsNothing);
            match one.out().or(parts_nothing) {
                Some(why) => self.drop(why, key),
                None => tried.push(one),
            }
        }
        tried
    }

    /// In order, and of those that do the same the first.
    fn sift(&mut self, tried: Vec<ScoredKey>) -> Vec<ScoredKey> {
        let mut kept: Vec<ScoredKey> = Vec::new();
        for one in ranked(tried, PROVISIONED) {
            if let Some(like) = kept.iter_mut().find(|k| k.is_like(&one)) {
                self.dropped
                    .entry(Rejection::Alike)
                    .or_default()
                    .push(one.candidate.clone());
                like.alike.push(one.candidate);
            } else {
                kept.push(one);
            }
        }
        kept
    }

    fn propose(
        &mut self,
        kept: Vec<ScoredKey>,
        current: Option<&Candidate>,
        limits: &SearchLimits,
        is_thinned: bool,
    ) {
        let now = current.and_then(|key| self.one(self.trials, key));
        let instead = now.as_ref().map(|now| Baseline {
            ru: Some(now.ru(0)).filter(|ru| ru.is_finite() && now.trial.demand.is_some()),
            visits: now.routed.iter().map(|r| r.route.visits()).collect(),
        });
        let again = self.again(kept, limits, is_thinned);
        // What all documents tell can turn what a sample told.
        let again = ranked(again, PROVISIONED);
        self.found.ifs = words::ifs(&again);
        let standings = self.standings(&again);
        let is_any_fit = standings.iter().any(|s| *s < Acceptance::Reject);
        let mut again: Vec<_> = again.into_iter().zip(standings).collect();
        again.sort_by_key(|(one, verdict)| (one.band, is_resort(one, instead.as_ref()), *verdict));
        for (mut one, standing) in again {
            if standing == Acceptance::Reject && is_any_fit {
                self.drop(Rejection::Rejected, &one.candidate);
                continue;
            }
            if self.found.proposals.len() >= limits.most {
                self.drop(Rejection::Behind, &one.candidate);
                continue;
            }
            one.alike.truncate(ALIKE_NAMED);
            self.found.proposals.push(Proposal {
                candidate: one.candidate,
                trial: one.trial,
                routed: one.routed,
                standing,
                band: one.band,
                visits: one.visits,
                alike: one.alike,
                instead: instead.clone(),
            });
        }
        let today = self.trials.settings().today.as_deref();
        let now = today.and_then(|today| today.now.as_deref());
        let first = self.found.proposals.first().zip(now);
        let is_full = today.is_some_and(Today::is_full);
        self.found.remedy = first.and_then(|(first, now)| first.remedy(now, is_full));
        (self.progress)(self.all, self.all, "done");
    }

    /// The first ones, tried on all documents.
    fn again(
        &mut self,
        kept: Vec<ScoredKey>,
        limits: &SearchLimits,
        is_thinned: bool,
    ) -> Vec<ScoredKey> {
        let mut again = Vec::new();
        let most = limits.most.saturating_mul(TRIED_AGAIN);
        for (at, mut one) in kept.into_iter().enumerate() {
            if at >= most {
                self.drop(Rejection::Behind, &one.candidate);
                continue;
            }
            if is_thinned {
                let goes_on = self.goes_on(self.found.tried + at, &one.candidate);
                let again = goes_on.then(|| self.one(self.trials, &one.candidate));
                let Some(again) = again.flatten() else {
                    self.drop(Rejection::Behind, &one.candidate);
                    continue;
                };
                one = ScoredKey {
                    alike: std::mem::take(&mut one.alike),
                    ..again
                };
            }
            match one.out() {
                Some(why) => self.drop(why, &one.candidate),
                None => again.push(one),
            }
        }
        again
    }

    /// Says why the property in most filters is not proposed by itself: a list without it is not believed.
    fn natural(&mut self, current: Option<&Candidate>) {
        let Some((path, share)) = most_asked(self.workload) else {
            return;
        };
        let key = Candidate::of_paths([path.clone()]);
        let is_proposed = self.found.proposals.iter().any(|p| p.candidate == key);
        if is_proposed || current == Some(&key) {
            return;
        }
        let unfit = &self.found.unfit;
        let unfit = unfit.iter().find(|(_, paths)| paths.contains(&path));
        let why = if let Some((why, _)) = unfit {
            why.words().to_owned()
        } else {
            let dropped = self.dropped.iter().find(|(_, keys)| keys.contains(&key));
            let dropped = dropped.map(|(why, _)| *why);
            let Some(one) = self.one(self.trials, &key) else {
                return;
            };
            words::natural(&one, dropped.or(one.out()))
        };
        let mut first = self.found.proposals.iter().zip(1..);
        let below = first.find(|(p, _)| {
            let levels = &p.candidate.levels;
            levels.len() > 1 && levels.first().and_then(Level::path) == Some(&path)
        });
        self.found.natural = Some(words::natural_sentence(&path, share, &why, below));
    }

    fn standings(&self, ones: &[ScoredKey]) -> Vec<Acceptance> {
        let tried: Vec<RoutedTrial<'_>> = ones
            .iter()
            .map(|one| RoutedTrial {
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

/// An id alone is the last of its band where it makes reads cross-partition: RU/s to buy go before reads.
fn is_resort(one: &ScoredKey, instead: Option<&Baseline>) -> bool {
    let before = |at: usize| instead?.visits.get(at).copied().flatten();
    let mut routed = one.routed.iter().enumerate();
    let is_id = matches!(one.candidate.levels.as_slice(), [level] if level.is_id());
    is_id && routed.any(|(at, routed)| routed.becomes_cross_partition(before(at)))
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
    let is_set = |path: &&Path| is(path, Unfit::System) || is(path, Unfit::Mutable);
    moments.or_else(|| dated_by.filter(|path| !is_set(path)))
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
