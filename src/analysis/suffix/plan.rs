//! The search for the least number, and the table of numbers around it.

use super::super::candidate::{Candidate, LevelPart, MAX_BUCKETS};
use super::super::routing;
use super::super::trial::verdict::few_at_a_time;
use super::super::trial::{DocumentKeys, KeepGoing, SuffixSpread, Trial, Trials};
use super::field::Field;
use super::projection::{Projection, usual_until};
use super::{
    ChangedLevel, DecidingLimit, Goal, KnownGrowth, ReadBack, STEPS, Suffix, SuffixAnswer,
    SuffixObstacle, SuffixPlan, SuffixRow, Worst, joined, suffixed,
};
use crate::model::key::Key;
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number, whole_u64};

/// Numbers tried one after the other from the least that division allows: nearly always one of them is enough.
const IN_TURN: u32 = 64;
/// Numbers below one found by halving that are tried as well: more suffixes are not always better by chance.
const CHECKED: u32 = 16;
/// The table goes on to this number at least.
const SHOWN_TO: u32 = 400;

/// Looks for the least number of suffixes, in place of those that the key has. `progress` is told what was done, of how much at most, and what is done now;
/// once `keep_going` says no, what was found so far is the answer.
pub fn least(
    trials: &Trials,
    key: &Candidate,
    suffix: &Suffix,
    goal: &Goal,
    keep_going: &KeepGoing<'_>,
    progress: &dyn Fn(usize, usize, &str),
) -> SuffixPlan {
    let settings = trials.settings();
    let bare = Suffix::taken_off(key);
    let key = bare.as_ref().map_or(key, |(bare, _)| bare);
    let own = trials.document_keys_while(key, keep_going);
    let own = own.as_ref();
    let as_it_is = trials.trial_while(key, keep_going).map(|(trial, _)| trial);
    let peak = as_it_is.as_ref().zip(own).and_then(demand_at_peak);
    let load = peak.or(settings.load_ru_per_second);
    let usual = || own.and_then(|own| usual_until(settings, own));
    let goal = &Goal { until: goal.until.or_else(usual), ..*goal };
    let projection = own.map(|own| Projection::of(trials, key, own, goal.until));
    let known = own.zip(projection.as_ref()).zip(as_it_is.as_ref());
    let now = known.map(|((own, projection), trial)| {
        let field = Field::new(trials, key, suffix, own, projection, load);
        field.undivided().shown(trial, goal)
    });
    let mut search = Search {
        trials,
        keep_going,
        progress,
        as_it_is,
        done: 0,
        plan: SuffixPlan {
            key: key.clone(),
            suffix: suffix.clone(),
            goal: *goal,
            now: now.unwrap_or_default(),
            growth: projection.map_or(KnownGrowth::NotProjected, |p| p.growth),
            by_division: now.map_or(0, |now| by_division(&now, goal)),
            decides: None,
            least: SuffixAnswer::AsItIs,
            is_sample: trials.whole().is_sample,
            document_bytes: trials.whole().bytes_scale * trials.document_kib() * 1024.0,
            rows: Vec::new(),
            is_complete: true,
        },
    };
    let Some(now) = now else { return search.stopped() };
    let Some(text) = joined(key, ChangedLevel::Last) else {
        search.plan.least = SuffixAnswer::None(SuffixObstacle::NoRoom);
        return search.plan;
    };
    // Joined to a text, what has no value comes together, and so do 1 and "1".
    let Some(keys) = trials.document_keys_while(&text, keep_going) else { return search.stopped() };
    let projection = Projection::of(trials, key, &keys, goal.until);
    let field = Field::new(trials, &text, suffix, &keys, &projection, load);
    if !now.meets(goal) {
        search.plan.least = search.look(&field, &text);
    }
    search.table(&field, keys.hottest.as_ref());
    search.count_reads();
    search.plan
}

struct Search<'a> {
    trials: &'a Trials,
    keep_going: &'a KeepGoing<'a>,
    progress: &'a dyn Fn(usize, usize, &str),
    /// The trial of the key without a suffix.
    as_it_is: Option<Trial>,
    done: usize,
    plan: SuffixPlan,
}

/// The demand of which the hottest key's share is its measured peak.
fn demand_at_peak((trial, own): (&Trial, &DocumentKeys)) -> Option<f64> {
    let hottest = trial.outcome.as_ref()?.hottest_key.as_ref()?;
    let share = own.load_share.iter().copied().fold(0.0, f64::max);
    (share > 0.0).then(|| hottest.peak / share)
}

impl Worst {
    /// With what reads cost that query every suffix.
    fn with_reads(self, trial: &Trial, now: Option<&Trial>) -> Self {
        let demand_now = now.and_then(|now| now.demand);
        let demands = trial.demand.zip(demand_now.filter(|ru| *ru > 0.0));
        let more = demands.map_or(1.0, |(with, now)| with / now);
        let beyond = trial.beyond_any_ru.filter(|ru| *ru > 0.0);
        let least = beyond.map_or(0.0, |ru| PARTITION_RU_PER_SECOND + ru);
        let ru = self.ru_per_second.map(|ru| (ru * more).max(least));
        Self { ru_per_second: ru, ..self }
    }

    /// With the size that the trial shows: that of one key is found more closely there, as long as it does not grow.
    fn shown(self, trial: &Trial, goal: &Goal) -> Self {
        let bytes = if goal.until.is_none() { trial.largest_bytes } else { self.bytes };
        Self { bytes, ..self }
    }
}

impl Search<'_> {
    fn stopped(mut self) -> SuffixPlan {
        self.plan.least = SuffixAnswer::Stopped;
        self.plan.is_complete = false;
        self.plan
    }

    /// The largest keys with so many suffixes; none once it is stopped, also in the middle.
    fn worst(&mut self, field: &Field<'_>, n: u32) -> Option<Worst> {
        let worst = field.worst(n, self.keep_going);
        self.plan.is_complete &= worst.is_some();
        worst
    }

    fn look(&mut self, field: &Field<'_>, text: &Candidate) -> SuffixAnswer {
        let whole = field.undivided();
        let from = by_division(&whole, &self.plan.goal).max(2);
        self.plan.by_division = from;
        self.plan.decides = Some(weightier(&whole, &self.plan.goal));
        if field.is_stuck(&self.plan.goal) {
            return SuffixAnswer::None(SuffixObstacle::NoValue);
        }
        match self.is_one_value_too_much(text) {
            None => {
                self.plan.is_complete = false;
                return SuffixAnswer::Stopped;
            }
            Some(true) => return SuffixAnswer::None(SuffixObstacle::OneValue),
            Some(false) => {}
        }
        // With more suffixes than documents each more leaves one empty.
        let to = field.most_documents(&self.plan.goal).min(MAX_BUCKETS);
        if from > to {
            return SuffixAnswer::None(self.beyond());
        }
        let found = self.least(field, from, to);
        if let SuffixAnswer::Found { n, .. } = found
            && let Some(worst) = self.worst(field, n - 1)
        {
            self.plan.decides = Some(weightier(&worst, &self.plan.goal));
        }
        found
    }

    fn least(&mut self, field: &Field<'_>, from: u32, to: u32) -> SuffixAnswer {
        let turn_end = from.saturating_add(IN_TURN - 1).min(to);
        for n in from..=turn_end {
            match self.meets(field, n) {
                None => return SuffixAnswer::Stopped,
                Some(true) => return SuffixAnswer::Found { n, is_proven: true },
                Some(false) => {}
            }
        }
        // In growing steps to one that is enough, then by halving between.
        let (mut fails, mut step) = (turn_end, IN_TURN);
        let mut meets = loop {
            if fails >= to {
                return SuffixAnswer::None(self.beyond());
            }
            let n = fails.saturating_add(step).min(to);
            match self.meets(field, n) {
                None => return SuffixAnswer::Stopped,
                Some(true) => break n,
                Some(false) => fails = n,
            }
            step = step.saturating_mul(2);
        };
        while meets - fails > 1 {
            let n = fails + (meets - fails) / 2;
            match self.meets(field, n) {
                None => break,
                Some(true) => meets = n,
                Some(false) => fails = n,
            }
        }
        for n in meets.saturating_sub(CHECKED).max(turn_end + 1)..meets {
            if self.meets(field, n) == Some(true) {
                meets = n;
                break;
            }
        }
        SuffixAnswer::Found { n: meets, is_proven: meets == turn_end + 1 }
    }

    fn beyond(&self) -> SuffixObstacle {
        if self.plan.is_sample { SuffixObstacle::SampleTooSmall } else { SuffixObstacle::TooMany }
    }

    /// None once it is stopped.
    fn meets(&mut self, field: &Field<'_>, n: u32) -> Option<bool> {
        if !self.goes_on(&format!("{n} suffixes")) {
            return None;
        }
        Some(self.worst(field, n)?.meets(&self.plan.goal))
    }

    fn goes_on(&mut self, what: &str) -> bool {
        let all = (self.done + 1).max(IN_TURN as usize);
        (self.progress)(self.done, all, what);
        self.done += 1;
        let goes_on = (self.keep_going)();
        self.plan.is_complete &= goes_on;
        goes_on
    }

    /// Buckets part the values of a property, never the documents of one value.
    fn is_one_value_too_much(&self, text: &Candidate) -> Option<bool> {
        let Suffix::Bucket(path) = &self.plan.suffix else { return Some(false) };
        let mut finest = text.clone();
        if let Some(level) = finest.levels.last_mut() {
            level.parts.push(LevelPart::Path(path.clone()));
        }
        let keys = self.trials.document_keys_while(&finest, self.keep_going)?;
        let projection = Projection::of(self.trials, text, &keys, self.plan.goal.until);
        let mut sizes = keys.bytes.iter().enumerate();
        // What the last hours have of one value is too little to say that its load cannot be parted.
        Some(sizes.any(|(at, bytes)| bytes * projection.factor(at) > self.plan.goal.bytes))
    }

    fn table(&mut self, field: &Field<'_>, hottest: Option<&Key>) {
        let least = if let SuffixAnswer::Found { n, .. } = self.plan.least { n } else { 1 };
        let mut numbers: Vec<u32> = STEPS.to_vec();
        let beyond = STEPS.iter().position(|n| *n > least.max(SHOWN_TO - 1));
        numbers.truncate(beyond.map_or(STEPS.len(), |at| at + 1));
        numbers.push(least);
        numbers.sort_unstable();
        numbers.dedup();
        for n in numbers {
            if !self.goes_on(&format!("the price of {n} suffixes")) {
                return;
            }
            let Some(key) = suffixed(&self.plan.key, &self.plan.suffix, n) else { continue };
            let worst = if n == 1 { Some(self.plan.now) } else { self.worst(field, n) };
            let Some(row) = worst.and_then(|worst| self.row(n, &key, worst, hottest)) else {
                self.plan.is_complete = false;
                return;
            };
            self.plan.rows.push(row);
        }
    }

    /// The least number was found without what reads cost more with it.
    fn count_reads(&mut self) {
        let SuffixAnswer::Found { n, .. } = self.plan.least else { return };
        let first = self.plan.rows.iter().find(|row| row.n >= n && row.meets);
        self.plan.least = match first {
            Some(row) if row.n != n => SuffixAnswer::Found { n: row.n, is_proven: false },
            None if self.plan.is_complete => SuffixAnswer::None(SuffixObstacle::Reads),
            _ => return,
        };
    }

    fn row(
        &mut self,
        n: u32,
        key: &Candidate,
        worst: Worst,
        hottest: Option<&Key>,
    ) -> Option<SuffixRow> {
        let known = (self.as_it_is.as_ref()).filter(|_| n == 1).cloned();
        let tried = || self.trials.trial_while(key, self.keep_going);
        let trial = known.or_else(|| Some(tried()?.0))?;
        let partitions = trial.placement.partitions.len().max(1);
        let spread = if n == 1 {
            Some(SuffixSpread { visits: 1, load_ratio: as_number(partitions) })
        } else {
            // Its text ends with the joint already.
            hottest.and_then(|key| self.trials.suffix_spread(key, n, partitions))
        };
        let worst = if n == 1 { worst } else { worst.with_reads(&trial, self.as_it_is.as_ref()) };
        let placed = &trial.placement;
        let most = placed.throttled_share_interval.map(|[_, high]| high);
        Some(SuffixRow {
            n,
            partitions,
            writes_few_keys: few_at_a_time(&trial).is_some(),
            meets: worst.meets(&self.plan.goal),
            worst: worst.shown(&trial, &self.plan.goal),
            to_buy: trial.demand.and(trial.to_buy.into_iter().next()),
            throttled: most.or(placed.throttled_share),
            throttled_share: placed.throttled_share,
            load_ratio: placed.load_ratio_ru,
            load_ratio_busiest: spread.map(|s| s.load_ratio),
            keys: trial.distinct.seen,
            read: read_back(n, spread, partitions),
        })
    }
}

/// One query for all of `n` keys, which asks each partition once.
fn read_back(n: u32, spread: Option<SuffixSpread>, partitions: usize) -> ReadBack {
    let all = as_number(partitions);
    let expected = || all * (1.0 - (1.0 - 1.0 / all).powf(f64::from(n)));
    let visits = spread.map_or_else(expected, |spread| as_number(spread.visits));
    ReadBack { keys: n, visits, ru: routing::RU_PER_VISIT * visits.max(1.0) }
}

/// The least number for which the worst key's mean part is within the goal.
fn by_division(worst: &Worst, goal: &Goal) -> u32 {
    let times = |value: f64, goal: f64| {
        let times = (value / goal).ceil().clamp(1.0, f64::from(u32::MAX));
        u32::try_from(whole_u64(times)).unwrap_or(u32::MAX)
    };
    let load = worst.ru_per_second.unwrap_or(0.0);
    times(worst.bytes, goal.bytes).max(times(load, goal.ru_per_second))
}

fn weightier(worst: &Worst, goal: &Goal) -> DecidingLimit {
    let load = worst.ru_per_second.unwrap_or(0.0) / goal.ru_per_second;
    if worst.bytes / goal.bytes >= load { DecidingLimit::Storage } else { DecidingLimit::Load }
}
