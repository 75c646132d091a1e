//! The search: paths sorted out, keys made of the others, each tried, the best tried again on all documents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::candidate::mutable::is_identity;
use super::super::candidate::{Candidate, LevelPart};
use super::super::demand::least::{CURED, is_cured};
use super::super::growth::HORIZON_DAYS;
use super::super::routing::workload::Workload;
use super::super::trial::routes::Routed;
use super::super::trial::verdict::{Acceptance, KeyVerdict, RoutedTrial};
use super::super::trial::{KeepGoing, PreparedDocuments, Trial, Trials};
use super::forms::{COMBINED, forms, swapped};
use super::paths::{Role, Unfit, Usable, most_asked, sorted_out};
use super::ranking::{
    BAND, PROVISIONED, ScoredKey, costs_reads, gains_nothing, is_clearly_cheaper, is_resort,
    keeps_reads, mean_visits, rank, ranked, set_back, verdicts_on,
};
use super::{Proposal, Rejection, SearchLimits, Suggestions, words};
use crate::model::documents::Documents;
use crate::model::path::Path;
use crate::model::throughput::partitions_for_storage;

/// Keys that are tried again on all documents for each one proposed: a sample hides collisions.
const TRIED_AGAIN: usize = 3;
/// Keys that need more than so many times the RU/s of the cheapest are none to consider.
const MOST_DEARER: f64 = 3.0;
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
    let now = current.and_then(|key| trials.trial_while(key, keep_going));
    let to_come = partitions_to_come(trials, now.as_ref().map(|(trial, _)| trial));
    let is_thinned = documents.len() > limits.documents;
    let thin =
        thinned(trials, to_come.map(|[twice, _]| twice), is_thinned.then_some(limits.documents));
    let workload = &trials.settings().workload;
    let (usable, mut unfit) = sorted_out(trials, &thin, workload, keep_going);
    surplus(&usable, &mut unfit);
    let time = time(documents, &unfit, all.time());
    let mut keys = forms(&usable, time);
    let today = trials.settings().today.as_deref();
    let advised = today.and_then(|today| today.advised.clone());
    if let Some(advised) = &advised {
        keys.retain(|key| key != advised);
        keys.insert(0, advised.clone());
    }
    keys.retain(|key| Some(key) != current);
    let mut by_reason: BTreeMap<Unfit, Vec<Path>> = BTreeMap::new();
    for (path, reason) in unfit {
        by_reason.entry(reason).or_default().push(path);
    }
    let (thin, medians) = (thin.by_median(), trials.by_median());
    let mut search = Search {
        thin: &thin,
        trials: &medians,
        placed: trials,
        workload,
        keep_going,
        progress,
        all: keys.len().min(limits.most_trials) + limits.most * TRIED_AGAIN,
        compared_paths: usable
            .iter()
            .filter(|u| u.requests_per_second > 0.0)
            .map(|u| u.path.clone())
            .collect(),
        advised,
        found: Suggestions {
            partitions: to_come,
            unfit: by_reason,
            searched_on: is_thinned.then_some(thin.prepared().documents().len()),
            is_complete: true,
            not_tried: keys.len().saturating_sub(limits.most_trials),
            ..Suggestions::default()
        },
    };
    keys.truncate(limits.most_trials);
    let tried = search.try_all(&keys);
    let kept = search.sift(tried);
    let now = now.zip(current);
    let now = now.map(|((trial, routed), key)| search.scored(key, trial, routed));
    search.propose(kept, now, limits);
    search.natural(current);
    search.found
}

/// Twice the physical partitions of a new container, and to how many a year of growth leads, where these are as many: only then
/// does it show whether a key spreads.
fn partitions_to_come(trials: &Trials, now: Option<&Trial>) -> Option<[usize; 2]> {
    let settings = trials.settings();
    let known = || now?.ahead.all_bytes_per_day;
    let growth = settings.growth_bytes_per_day.or_else(known)?;
    let bytes = trials.whole().bytes + growth * HORIZON_DAYS;
    let twice = 2 * settings.partitions_of_new();
    let grown = partitions_for_storage(bytes / 1024.0);
    (grown >= twice).then_some([twice, grown])
}

/// What is searched on: so many of the documents, on the partitions to come.
fn thinned(trials: &Trials, to_come: Option<usize>, documents: Option<usize>) -> Trials {
    let mut settings = trials.settings().clone();
    if let Some(partitions) = to_come {
        settings.least_partitions = partitions;
        settings.partitions = settings.partitions.max(partitions);
    }
    let all = trials.prepared();
    let prepared = match documents {
        Some(most) => {
            let few = all.documents().thinned(most, settings.seed);
            Arc::new(PreparedDocuments::new(few, all.time()))
        }
        None if to_come.is_none() => return trials.clone(),
        None => Arc::clone(all),
    };
    Trials::new(prepared, settings).with_parallelism(trials.parallelism())
}

struct Search<'a> {
    thin: &'a Trials,
    trials: &'a Trials,
    /// For those that are proposed.
    placed: &'a Trials,
    workload: &'a Workload,
    keep_going: &'a KeepGoing<'a>,
    progress: &'a dyn Fn(usize, usize, &str),
    all: usize,
    /// Paths that requests compare with one value.
    compared_paths: BTreeSet<Path>,
    /// What the diagnosis advises is in the list unless it is rejected.
    advised: Option<Candidate>,
    found: Suggestions,
}

impl Search<'_> {
    fn drop(&mut self, why: Rejection, key: &Candidate) {
        self.found.dropped.entry(why).or_default().push(key.clone());
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
        Some(self.scored(candidate, trial, routed))
    }

    fn scored(&self, candidate: &Candidate, trial: Trial, routed: Vec<Routed>) -> ScoredKey {
        let partitions = trial.placement.partitions.len();
        ScoredKey {
            visits: mean_visits(&routed, self.workload, partitions),
            strangeness: self.strangeness(candidate),
            candidate: candidate.clone(),
            trial,
            routed,
            band: 0,
            alike: Vec::new(),
        }
    }

    fn is_advised(&self, key: &Candidate) -> bool {
        self.advised.as_ref() == Some(key)
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
            paths().filter(|path| is_known && !self.compared_paths.contains(**path)).count(),
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
            let is_compared = |path: &Path| self.compared_paths.contains(path);
            let parts_nothing = one.parts_nothing(|path| values.get(path).copied(), is_compared);
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
            let like = kept.iter_mut().find(|k| k.is_like(&one));
            if let Some(like) = like.filter(|_| !self.is_advised(&one.candidate)) {
                self.drop(Rejection::Alike, &one.candidate);
                like.alike.push(one.candidate);
            } else {
                kept.push(one);
            }
        }
        kept
    }

    fn propose(&mut self, kept: Vec<ScoredKey>, now: Option<ScoredKey>, limits: &SearchLimits) {
        let now = now.and_then(|now| {
            let verdict = verdicts_on(self.trials, std::slice::from_ref(&now)).pop()?;
            Some(self.proposal(now, &verdict))
        });
        let of_resort = |ones: &[ScoredKey]| -> Vec<Candidate> {
            let resort = ones.iter().filter(|one| is_resort(one, now.as_ref()));
            resort.map(|one| one.candidate.clone()).collect()
        };
        // What all documents tell can turn what a sample told, but not what growth tells.
        let (again, mut resort) = if self.found.partitions.is_some() {
            let resort = of_resort(&kept);
            let kept = self.without_lesser(kept, self.thin, &resort);
            (self.again(kept, limits), resort)
        } else {
            let again = ranked(self.again(kept, limits), PROVISIONED);
            let resort = of_resort(&again);
            let again = self.without_lesser(again, self.trials, &resort);
            (again, resort)
        };
        let fit = self.fit(again, &resort, now.as_ref(), limits.most.max(1));
        let mut taken: Vec<Candidate> = fit.iter().map(|(one, _)| one.candidate.clone()).collect();
        taken.extend(now.as_ref().map(|now| now.candidate.clone()));
        let placed: Vec<_> = fit.into_iter().map(|(one, _)| self.as_placed(one, &taken)).collect();
        let moved = taken.iter().zip(&placed).filter(|(key, _)| resort.contains(key));
        let moved: Vec<_> = moved.map(|(_, one)| one.candidate.clone()).collect();
        resort.extend(moved);
        let verdicts = verdicts_on(self.placed, &placed);
        let set_back = (0..placed.len()).map(|at| set_back(&placed, &verdicts, &resort, at));
        let set_back: Vec<_> = set_back.collect();
        for ((one, verdict), why) in placed.into_iter().zip(verdicts).zip(set_back) {
            let mut proposal = self.proposal(one, &verdict);
            if let Some(why) = why {
                let cause = proposal.because.map_or(String::new(), |cause| cause + "; ");
                proposal.because = Some(cause + &why);
            }
            self.found.proposals.push(proposal);
        }
        self.found.now = now;
        (self.progress)(self.all, self.all, "done");
    }

    /// With RU/s to buy that are enough where its keys lie, as far as demand is known; also of a search that was stopped. Of
    /// two joined paths the order that needs less, unless it is among those `taken`.
    fn as_placed(&self, one: ScoredKey, taken: &[Candidate]) -> ScoredKey {
        let placed = |candidate: &Candidate| {
            one.trial.demand?;
            let (trial, routed) = self.placed.trial_while(candidate, &|| true)?;
            Some(self.scored(candidate, trial, routed))
        };
        let Some(own) = placed(&one.candidate) else { return one };
        let is_free = |key: &Candidate| {
            !taken.contains(key) && !self.is_advised(&one.candidate) && (self.keep_going)()
        };
        let other = swapped(&one.candidate).filter(is_free).and_then(|key| placed(&key));
        let is_better = |key: &ScoredKey| key.out().is_none() && key.ru(0) * BAND < own.ru(0);
        let best = other.filter(is_better).unwrap_or(own);
        ScoredKey { band: one.band, alike: one.alike, ..best }
    }

    fn proposal(&self, mut one: ScoredKey, verdict: &KeyVerdict) -> Proposal {
        one.alike.truncate(ALIKE_NAMED);
        let (trial, routed) = (&one.trial, &one.routed[..]);
        let cause = (RoutedTrial { trial, routed }).cause(verdict);
        Proposal {
            is_advised: self.is_advised(&one.candidate),
            because: cause.and_then(|cause| cause.words(verdict.standing)),
            candidate: one.candidate,
            trial: one.trial,
            routed: one.routed,
            standing: verdict.standing,
            band: one.band,
            visits: one.visits,
            alike: one.alike,
        }
    }

    /// Without keys that are better in nothing than another one.
    fn without_lesser(
        &mut self,
        ones: Vec<ScoredKey>,
        on: &Trials,
        resort: &[Candidate],
    ) -> Vec<ScoredKey> {
        let verdicts = verdicts_on(on, &ones);
        let is_lesser = |(at, one): (usize, &ScoredKey)| {
            let mut others = ones.iter().zip(&verdicts).enumerate();
            let own = verdicts.get(at).map(rank);
            let is_lesser = others.any(|(other, (key, verdict))| {
                let is_counted = other != at && !resort.contains(&key.candidate);
                is_counted && Some(rank(verdict)) <= own && one.is_lesser_than(key, other < at)
            });
            is_lesser && !self.is_advised(&one.candidate)
        };
        let is_lesser: Vec<bool> = ones.iter().enumerate().map(is_lesser).collect();
        let (lesser, kept): (Vec<_>, Vec<_>) =
            ones.into_iter().zip(is_lesser).partition(|(_, is)| *is);
        for (one, _) in lesser {
            self.drop(Rejection::NoBetter, &one.candidate);
        }
        kept.into_iter().map(|(one, _)| one).collect()
    }

    /// Those to propose in their order: not what is rejected while others are not.
    fn fit(
        &mut self,
        ones: Vec<ScoredKey>,
        resort: &[Candidate],
        now: Option<&Proposal>,
        most: usize,
    ) -> Vec<(ScoredKey, KeyVerdict)> {
        let verdicts = verdicts_on(self.trials, &ones);
        let is_any_fit = verdicts.iter().any(|v| v.standing < Acceptance::Reject);
        let all = ones.into_iter().zip(verdicts);
        let (rejected, mut fit): (Vec<_>, Vec<_>) =
            all.partition(|(_, v)| is_any_fit && v.standing == Acceptance::Reject);
        let is_same = |(one, verdict): &mut (ScoredKey, KeyVerdict)| {
            gains_nothing(one, verdict, now) && !self.is_advised(&one.candidate)
        };
        let same: Vec<_> = fit.extract_if(.., is_same).collect();
        for (one, _) in same {
            self.drop(Rejection::NoGain, &one.candidate);
        }
        let mut resort = resort.to_vec();
        // A caution that costs reads, too, is no better.
        let is_worse = |(one, verdict): &&(ScoredKey, KeyVerdict)| {
            one.is_last() || (rank(verdict) > Acceptance::Good && costs_reads(one, now))
        };
        let worse = fit.iter().filter(is_worse);
        resort.extend(worse.map(|(one, _)| one.candidate.clone()));
        let is_resort = |one: &ScoredKey| resort.contains(&one.candidate);
        let least = |is_counted: &dyn Fn(&ScoredKey) -> bool| {
            let counted = fit.iter().filter(|(one, _)| is_counted(one) && !is_resort(one));
            let ru = counted.map(|(one, _)| one.ru(PROVISIONED));
            ru.filter(|ru| ru.is_finite()).reduce(f64::min)
        };
        let served = least(&|_| true);
        // The cheapest that keeps all reads where they are decides what is too dear.
        let least = least(&|one| keeps_reads(one, now)).or(served);
        fit.sort_by_key(|(one, verdict)| {
            let throttled = one.trial.placement.throttled_share;
            let is_dear = one.band > 0 && throttled.is_none_or(|share| !is_cured(share, CURED));
            let is_last = is_resort(one) && !is_clearly_cheaper(one, served);
            ((one.place_unread(), is_dear, is_last), rank(verdict), one.band)
        });
        let most_ru = least.map_or(f64::INFINITY, |ru| ru * MOST_DEARER);
        // Of keys that make reads cross-partition the best one is enough.
        let mut resorts = 0;
        let mut is_in = |one: &ScoredKey| {
            resorts += usize::from(is_resort(one));
            one.ru(PROVISIONED) <= most_ru && !(is_resort(one) && resorts > 1)
        };
        let (mut fit, dearer): (Vec<_>, Vec<_>) =
            fit.into_iter().partition(|(one, _)| is_in(one) || self.is_advised(&one.candidate));
        for (one, _) in dearer {
            self.drop(Rejection::Behind, &one.candidate);
        }
        let mut places = fit.iter();
        let advised = places.position(|(one, _)| self.is_advised(&one.candidate));
        if let Some(at) = advised.filter(|at| *at >= most && most > 1) {
            let advised = fit.remove(at);
            fit.insert(most - 1, advised);
        }
        for (one, _) in fit.split_off(most.min(fit.len())) {
            self.drop(Rejection::Behind, &one.candidate);
        }
        for (one, _) in rejected {
            self.drop(Rejection::Rejected, &one.candidate);
        }
        fit
    }

    /// The first ones, tried on all documents.
    fn again(&mut self, kept: Vec<ScoredKey>, limits: &SearchLimits) -> Vec<ScoredKey> {
        let mut again = Vec::new();
        let most = limits.most.saturating_mul(TRIED_AGAIN);
        for (at, mut one) in kept.into_iter().enumerate() {
            if at >= most && !self.is_advised(&one.candidate) {
                self.drop(Rejection::Behind, &one.candidate);
                continue;
            }
            // What was tried on fewer documents or more partitions.
            if self.found.searched_on.is_some() || self.found.partitions.is_some() {
                let goes_on = self.goes_on(self.found.tried + at, &one.candidate);
                let again = goes_on.then(|| self.one(self.trials, &one.candidate));
                let Some(again) = again.flatten() else {
                    self.drop(Rejection::Behind, &one.candidate);
                    continue;
                };
                let band = self.found.partitions.map_or(0, |_| one.band);
                one = ScoredKey { alike: std::mem::take(&mut one.alike), band, ..again };
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
            let dropped = self.found.dropped.iter().find(|(_, keys)| keys.contains(&key));
            let dropped = dropped.map(|(why, _)| *why);
            let Some(one) = self.one(self.trials, &key) else {
                return;
            };
            words::natural(&one, dropped.or(one.out()))
        };
        let mut first = self.found.proposals.iter().zip(1..);
        let below = first.find(|(p, _)| p.candidate.paths().first() == Some(&&path));
        self.found.natural = Some(words::natural_sentence(&path, share, &why, below));
    }
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
