//! Keys in order: by RU/s to buy in bands, then by what reads query, then the simpler, then the evener.

use super::super::candidate::mutable::is_identity;
use super::super::candidate::{Candidate, Level, LevelPart};
use super::super::demand::buy::Shortfall;
use super::super::demand::outcome::Interval;
use super::super::findings::Severity;
use super::super::growth::HORIZON_DAYS;
use super::super::routing::Routing;
use super::super::routing::workload::{RequestAccess, Workload};
use super::super::rules::Rule;
use super::super::trial::routes::Routed;
use super::super::trial::verdict::{
    Acceptance, KeyVerdict, RoutedTrial, fan_out_part, reads_one_partition, verdicts,
};
use super::super::trial::{Trial, Trials};
use super::paths::asks;
use super::{Proposal, Rejection};
use crate::model::path::Path;
use crate::model::units::{whole_text, whole_u64};

/// The cheapest, and all that may cost so many times as much at most, are one band.
pub(super) const BAND: f64 = 1.10;
/// Of the RU/s of another key: fewer than these make up for a few cross-partition reads.
const CLEARLY: f64 = 0.9;
/// RU/s that are worth no move: the least that are sold.
const LEAST_SAVED: f64 = 400.0;
/// Visits that differ by less are alike.
const VISITS: f64 = 1.05;
/// Imbalances that differ by less are luck.
const EVEN_STEP: f64 = 1.1;
/// Of the limit: keys below it have room for ten times as much.
const SMALL: f64 = 0.1;
/// A terabyte, by the limit of a key.
const LARGE_CONTAINER: f64 = 50.0;
/// Largest over mean: green in every table of the screen.
const EVEN: f64 = 1.25;
/// Differences below are those of chance.
const ALIKE: f64 = 0.02;
/// More of the reads than this are most of them.
const MOST_READS: f64 = 0.5;
/// Fewer are worth little.
const SOME_READS: f64 = 0.1;
/// Of three demands that it may be the one that is provisioned.
pub(super) const PROVISIONED: usize = 1;

/// A key with what it does.
pub(super) struct ScoredKey {
    pub candidate: Candidate,
    pub trial: Trial,
    pub routed: Vec<Routed>,
    /// Partitions that a read queries, by the rates; none without reads.
    pub visits: Option<f64>,
    /// Of its paths those that no request compares, and those whose names do not say that they tell things apart.
    pub strangeness: [usize; 2],
    pub band: usize,
    pub alike: Vec<Candidate>,
}

impl ScoredKey {
    /// RU/s to buy for the demand, or for one of three that it may be; more than any where none are enough.
    pub fn ru(&self, at: usize) -> f64 {
        self.to_buy(at).map_or(f64::INFINITY, |ru| ru.point)
    }

    fn to_buy(&self, at: usize) -> Option<Interval> {
        let known = self.trial.demand.is_some();
        let buy = self.trial.to_buy.get(if known { 0 } else { at })?;
        buy.ru.ok()
    }

    /// Why it is no key for these documents and requests, whatever the others are.
    pub fn out(&self) -> Option<Rejection> {
        let trial = &self.trial;
        if is_illegal(trial) {
            return Some(Rejection::Illegal);
        }
        if trial.collisions.as_ref().is_some_and(|c| c.documents > 0) {
            return Some(Rejection::Collides);
        }
        let is_dated = trial.is_full_within(f64::INFINITY);
        let is_over = !is_dated && trial.largest_share_of_ceiling >= 1.0;
        if is_over || trial.is_full_within(HORIZON_DAYS) {
            return Some(Rejection::TooLarge);
        }
        if trial.to_buy.is_empty() && trial.beyond_any_ru > Some(0.0) {
            return Some(Rejection::TooHot);
        }
        let buy = trial.to_buy.first().filter(|_| trial.demand.is_some())?;
        match buy.ru {
            Ok(_) => None,
            Err(Shortfall::Full) => Some(Rejection::TooLarge),
            Err(Shortfall::Key(_)) => Some(Rejection::TooHot),
            Err(Shortfall::Partition) => Some(Rejection::NoRu),
        }
    }

    /// Its largest key by the limit; where nobody knows how large the container is, as of a terabyte.
    fn size(&self) -> f64 {
        let of_limit = if self.trial.whole.is_assumed {
            self.trial.largest_bytes / self.trial.whole.bytes.max(1.0) * LARGE_CONTAINER
        } else {
            self.trial.largest_share_of_ceiling
        };
        of_limit.max(SMALL)
    }

    /// Whether it does the same as one that comes before it.
    pub fn is_like(&self, other: &Self) -> bool {
        let of = |one: &Self| [one.size(), load_ratio(&one.trial).max(EVEN)];
        let pairs = of(self).into_iter().zip(of(other));
        let mut pairs = pairs.map(|(a, b)| (a - b).abs() <= a.max(b) * ALIKE);
        let routings = |one: &Self| -> Vec<[bool; 2]> {
            let routings = one.routed.iter().map(|routed| routed.route.routing);
            routings.map(|of| [of.is_cross_partition(), of == Routing::Single]).collect()
        };
        let is_same = self.band == other.band
            && visits(self) == visits(other)
            && routings(self) == routings(other);
        is_same && !self.has_more_than(other) && pairs.all(|is| is)
    }

    /// Of a hierarchical key what its first level serves: queries by it may come, as long as no query is known.
    fn own_first_level(&self) -> Option<&Path> {
        let is_open = self.visits.is_none() && self.candidate.levels.len() > 1;
        let first = self.candidate.levels.first().filter(|_| is_open)?.path();
        first.filter(|path| is_identity(path))
    }

    /// Its place as long as no query is known: first what names things, then what else documents share, then the id, under
    /// which every query by something else is cross-partition.
    pub fn place_unread(&self) -> u8 {
        let first = self.candidate.levels.first();
        match first.filter(|_| self.visits.is_none()) {
            None => 0,
            Some(first) if first.is_id() => 2,
            Some(first) => u8::from(!first.path().is_some_and(is_identity)),
        }
    }

    pub fn is_last(&self) -> bool {
        self.place_unread() == 2
    }

    /// Whether it may serve more, or no key of it reaches 20 GB where one of the other does.
    fn has_more_than(&self, other: &Self) -> bool {
        let stays = other.trial.fills_up() && !self.trial.fills_up();
        stays || self.may_serve_more_than(other)
    }

    /// Whether it, or its first level, may be in queries that the other key knows nothing of.
    fn may_serve_more_than(&self, other: &Self) -> bool {
        if other.is_last() {
            return self.candidate.is_stored() && !self.is_last();
        }
        let own = self.own_first_level();
        own.is_some() && own != other.candidate.levels.first().and_then(Level::path)
    }

    /// Whether it is better in nothing, and worse in something or behind it.
    pub fn is_lesser_than(&self, other: &Self, is_behind: bool) -> bool {
        let of = |one: &Self| {
            let size = one.size() / SMALL;
            let ratio = load_ratio(&one.trial).max(EVEN);
            let [size, ratio] = [size, ratio].map(|value| steps(value, EVEN_STEP));
            [visits(one), size, ratio]
        };
        let (own, others) = (of(self), of(other));
        let (simple, other_simple) = (self.simplicity(), other.simplicity());
        let is_no_better = other.band <= self.band
            && other_simple <= simple
            && others.iter().zip(&own).all(|(other, own)| other <= own);
        let is_same = other.band == self.band && other_simple == simple && others == own;
        is_no_better && !self.has_more_than(other) && (is_behind || !is_same)
    }

    /// The place among keys of one band.
    fn order(&self) -> impl Ord + use<> {
        // What is cross-partition and hardly costs anything decides last.
        let cost = if reads_one_partition(&self.routed) { 0 } else { visits(self) };
        let ratio = steps(load_ratio(&self.trial).max(EVEN), EVEN_STEP);
        let seen = self.trial.distinct.seen;
        (cost, self.simplicity(), visits(self), ratio, seen, self.candidate.to_string())
    }

    /// One property before two, what is stored as it is before what the application must make, what requests compare before
    /// the rest.
    fn simplicity(&self) -> (usize, bool, usize, usize) {
        let parts = self.candidate.parts();
        let parts = parts.filter(|p| !matches!(p, LevelPart::Literal(_))).count();
        let [unasked, unnamed] = self.strangeness;
        (parts, !self.candidate.is_stored(), unasked, unnamed)
    }

    /// Whether one of its paths alone has as many values. Of levels of which requests compare the first this is asked of those
    /// before the last: no path alone serves these requests on few partitions.
    pub fn parts_nothing(
        &self,
        values: impl Fn(&Path) -> Option<u64>,
        is_compared: impl Fn(&Path) -> bool,
    ) -> bool {
        if self.own_first_level().is_some() {
            return false;
        }
        let levels = &self.candidate.levels;
        let first = levels.first().and_then(Level::path);
        let before_last = levels.get(..levels.len().saturating_sub(1));
        let serving =
            before_last.filter(|before| !before.is_empty() && first.is_some_and(&is_compared));
        let paths: Vec<&Path> = match serving {
            Some(before) => before.iter().filter_map(Level::path).collect(),
            None => self.candidate.paths(),
        };
        let mut counts = paths.into_iter().filter_map(values);
        // A level that is an id parts every document, whatever stands before it.
        let last = levels.last().and_then(Level::path);
        let ends_with_id = levels.len() > 1 && last.and_then(|path| path.top_name()) == Some("id");
        let is_alone = matches!(levels.as_slice(), [level] if level.path().is_some());
        let seen = self.trial.distinct.seen;
        !is_alone && !ends_with_id && counts.any(|n| n >= seen)
    }
}

/// Largest over mean of the partitions, by bytes or by demand, whichever is worse. Of a sample the low end: what chance
/// explains is no difference.
pub fn load_ratio(trial: &Trial) -> f64 {
    let placement = &trial.placement;
    let low = |ratio: Option<f64>, interval: Option<[f64; 2]>| interval.map(|i| i[0]).or(ratio);
    let storage = low(placement.load_ratio_storage, placement.load_ratio_storage_interval);
    let ru = low(placement.load_ratio_ru, placement.load_ratio_ru_interval);
    storage.into_iter().chain(ru).fold(1.0, f64::max)
}

fn visits(one: &ScoredKey) -> u32 {
    steps(one.visits.unwrap_or(1.0), VISITS)
}

/// How often a factor is in a value: those of one step are alike.
fn steps(value: f64, factor: f64) -> u32 {
    let steps = value.max(1.0).log(factor).round();
    u32::try_from(whole_u64(steps)).unwrap_or(u32::MAX)
}

/// In order, for the demand or one of three that it may be.
pub(super) fn ranked(ones: Vec<ScoredKey>, at: usize) -> Vec<ScoredKey> {
    let (mut ranked, mut left) = (Vec::with_capacity(ones.len()), ones);
    let mut band = 0;
    while let Some(least) = left.iter().map(|one| one.ru(at)).reduce(f64::min) {
        let is_in = |one: &mut ScoredKey| one.ru(at) <= least * BAND;
        let mut members: Vec<ScoredKey> = left.extract_if(.., is_in).collect();
        for one in &mut members {
            one.band = band;
        }
        members.sort_by_cached_key(ScoredKey::order);
        ranked.append(&mut members);
        band += 1;
    }
    ranked
}

/// Partitions or keys that requests query which look for documents, by their rates; what cannot be told is taken to query
/// all partitions.
pub(super) fn mean_visits(
    routed: &[Routed],
    workload: &Workload,
    partitions: usize,
) -> Option<f64> {
    let all = crate::model::units::as_number(partitions);
    let (mut rates, mut visits) = (0.0, 0.0);
    for (request, routed) in workload.requests.iter().zip(routed) {
        if asks(request) {
            let rate = request.per_second.unwrap_or(1.0);
            rates += rate;
            visits += rate * routed.route.queried().unwrap_or(all);
        }
    }
    (rates > 0.0).then(|| visits / rates)
}

/// The verdict without what puts no key behind another: the name of a property that requests look for, RU/s to buy, by which
/// keys are in order anyway, and a limit that is years away.
pub(super) fn rank(verdict: &KeyVerdict) -> Acceptance {
    let is_counted =
        |rule| !matches!(rule, Rule::MutableName | Rule::RuToBuy | Rule::LimitDateNear);
    let counted = verdict.reasons.iter().filter(|r| is_counted(r.rule));
    Acceptance::of(counted.map(|r| r.severity).max())
}

/// Whether moving to it is worth nothing: its verdict is no better than that of today's key, it saves no RU/s to speak of, and
/// reads query as many partitions.
pub(super) fn gains_nothing(one: &ScoredKey, verdict: &KeyVerdict, now: Option<&Proposal>) -> bool {
    let Some((now, own)) = now.and_then(|now| Some((now, now.ru()?.point))) else { return false };
    let saves = own - one.ru(0);
    let queries = |visits: Option<f64>| steps(visits.unwrap_or(1.0), VISITS);
    let is_cheaper = saves > LEAST_SAVED && own > one.ru(0) * BAND;
    // RU/s to buy hold what reads cost on further partitions.
    let is_dearer = own * BAND < one.ru(0);
    let is_alike = visits(one) >= queries(now.visits);
    verdict.standing >= now.standing && !is_cheaper && (is_dearer || is_alike)
}

/// Keys are the last of those for which today's RU/s are enough where they make most reads cross-partition; an id alone where
/// it makes any so.
pub fn is_last_resort(key: &Candidate, routed: &[Routed], now: Option<&[Routed]>) -> bool {
    let [lost, _] = reads_moved(routed, now);
    lost > MOST_READS || (lost > 0.0 && key.is_id())
}

pub(super) fn is_resort(one: &ScoredKey, now: Option<&Proposal>) -> bool {
    is_last_resort(&one.candidate, &one.routed, now.map(|now| &now.routed[..]))
}

/// What puts one of those proposed behind others, beside its verdict, and what it would save: `5,000 RU/s less than proposal 1, but queries
/// become cross-partition`.
pub(super) fn set_back(
    ones: &[ScoredKey],
    verdicts: &[KeyVerdict],
    resort: &[Candidate],
    at: usize,
) -> Option<String> {
    let why = behind(ones, verdicts, resort, at)?;
    let [first, own] = [ones.first()?, ones.get(at)?].map(|one| one.ru(0));
    if first.is_finite() && own * BAND < first {
        let less = whole_text(first - own);
        return Some(format!("{less} RU/s less than proposal 1, but {why}"));
    }
    Some(why.to_owned())
}

/// Reads, or else what decides between keys that cost nearly the same, where it costs less than one before it.
fn behind(
    ones: &[ScoredKey],
    verdicts: &[KeyVerdict],
    resort: &[Candidate],
    at: usize,
) -> Option<&'static str> {
    let (one, own) = (ones.get(at)?, rank(verdicts.get(at)?));
    if one.is_last() {
        return (own == Acceptance::Good).then_some("all other queries are cross-partition");
    }
    if resort.contains(&one.candidate) {
        return (own == Acceptance::Good).then_some("queries become cross-partition");
    }
    one.trial.demand?;
    let mut before = ones.iter().zip(verdicts).take(at);
    let (dearer, _) = before.find(|(key, v)| rank(v) == own && key.ru(0) > one.ru(0))?;
    Some(if visits(one) > visits(dearer) {
        "reads query more partitions"
    } else if one.simplicity().0 > dearer.simplicity().0 {
        "more properties in the key"
    } else if !one.candidate.is_stored() {
        "the application must write it"
    } else {
        "costs no less where keys lie otherwise"
    })
}

/// Whether it makes more of the reads cross-partition than single-partition, by a part worth a word.
pub(super) fn costs_reads(one: &ScoredKey, now: Option<&Proposal>) -> bool {
    let [lost, gained] = reads_moved(&one.routed, now.map(|now| &now.routed[..]));
    lost - gained > SOME_READS
}

/// Whether it makes no read cross-partition.
pub(super) fn keeps_reads(one: &ScoredKey, now: Option<&Proposal>) -> bool {
    let [lost, _] = reads_moved(&one.routed, now.map(|now| &now.routed[..]));
    lost <= 0.0
}

/// Whether it needs clearly fewer RU/s than the cheapest of the others, and what is cross-partition takes little of them.
pub(super) fn is_clearly_cheaper(one: &ScoredKey, least: Option<f64>) -> bool {
    let is_little = fan_out_part(&one.routed).is_some_and(|part| part < SOME_READS);
    is_little && least.is_some_and(|least| one.ru(PROVISIONED) < CLEARLY * least)
}

/// The shares of the reads that it makes cross-partition, and single-partition.
fn reads_moved(of: &[Routed], now: Option<&[Routed]>) -> [f64; 2] {
    let (mut all, mut lost, mut gained) = (0.0, 0.0, 0.0);
    for (at, routed) in of.iter().enumerate() {
        let rate = routed.per_second.unwrap_or(1.0);
        if routed.access == RequestAccess::Read {
            all += rate;
        }
        let before = now.and_then(|now| Some(&now.get(at)?.route.routing));
        if routed.becomes_cross_partition(before) {
            lost += rate;
        } else if routed.becomes_single_partition(before) {
            gained += rate;
        }
    }
    [lost, gained].map(|moved| if moved > 0.0 { moved / all } else { 0.0 })
}

/// Whether a rule forbids it.
fn is_illegal(trial: &Trial) -> bool {
    // Documents that meet are counted by themselves.
    let mut alarms = trial
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Alarm && f.rule != Rule::IdCollisions);
    // What is written now goes to one value, whatever else is good.
    alarms.next().is_some() || trial.findings.iter().any(|f| f.rule == Rule::TimeOnly)
}

pub(super) fn verdicts_on(trials: &Trials, ones: &[ScoredKey]) -> Vec<KeyVerdict> {
    let tried = ones.iter().map(|one| RoutedTrial { trial: &one.trial, routed: &one.routed });
    let tried: Vec<RoutedTrial<'_>> = tried.collect();
    verdicts(&tried, trials.settings())
}
