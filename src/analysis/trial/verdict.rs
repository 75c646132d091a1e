//! Candidates in words: reasons in their order of weight, and who is no better than another in anything. No score: what
//! matters more, spread or bounded reads, the application knows.

mod cause;
mod forecast;
mod requests;
mod spread;

use std::cmp::Reverse;
use std::fmt::Write as _;

use super::super::ceiling::{MARK_ALARM, MARK_WARN};
use super::super::demand::buy::Shortfall;
use super::super::demand::least::CURED;
use super::super::findings::{Finding, Severity, ThresholdCheck};
use super::super::growth::LimitDate;
use super::super::rules::Rule;
use super::routes::Routed;
use super::{LayoutFrom, Settings, ToBuy, Today, Trial, TrialBasis};
use crate::model::throughput::{ThroughputMode, initial_partitions};
use crate::model::units::{
    MOST_RU, PARTITION_RU_PER_SECOND, count_text, counted, kib_text, percent_range_text,
    percent_text, ratio_text, real, whole_text,
};
pub use cause::{Cause, READS_UNKNOWN};
pub use forecast::{created_otherwise, few_at_a_time};
pub use requests::{cross_reads, fan_out_part, reads_one_partition};

/// Largest over mean load of partitions: usable throughput is one part in so many.
pub const UNEVEN: f64 = 1.25;
pub const VERY_UNEVEN: f64 = 2.0;
/// Throttled shares that applications live with by retrying, by the documentation of 429.
pub const THROTTLED_WARN: f64 = CURED;
pub const THROTTLED_ALARM: f64 = 0.05;
/// A key that needs more times the RU/s of an even spread leaves a part of them unused: from the first on it is a caution,
/// from the second on rejected.
const DEARER: f64 = 1.25;
const MOST_DEARER: f64 = 2.0;
/// Smaller containers have the same bill whatever the key.
const LEAST_RU: f64 = 1_000.0;
/// Requests beyond what a key can use that are less than this part of the demand condemn none.
const FEW_BEYOND: f64 = 0.001;
/// One key with half of all writes is a container of one partition.
pub const HOT_ALARM: f64 = 0.5;
/// Differences below are those of chance.
const ALIKE: f64 = 0.01;

words! {
    /// Whether a key can be lived with.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Acceptance {
        Good = "good",
        Caution = "caution",
        Reject = "reject",
    }
    fn word, ALL
}

impl Acceptance {
    /// By the weightiest reason.
    pub fn of(severity: Option<Severity>) -> Self {
        match severity {
            Some(Severity::Alarm) => Self::Reject,
            Some(Severity::Warn) => Self::Caution,
            Some(Severity::Note) | None => Self::Good,
        }
    }

    /// As outputs for scripts and decision files name it: names that are out in the world stay.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "holds",
            Self::Caution => "holds with care",
            Self::Reject => "does not hold",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct KeyVerdict {
    pub standing: Acceptance,
    /// Weightiest first.
    pub reasons: Vec<Finding>,
    /// Whether requests are known: else how data spreads is all that is judged.
    pub knows_reads: bool,
    /// A candidate, by its place, that is as good in everything and better in something; None where reads are not known,
    /// since they pay for spread.
    pub dominated_by: Option<usize>,
    /// How many partitions come with hardly more RU/s, and fix what is throttled.
    pub more_partitions: Option<usize>,
}

impl KeyVerdict {
    /// As every screen, report and proposal says it: without requests a key is good for its spread only.
    pub fn word(&self) -> &'static str {
        word(self.standing, self.knows_reads)
    }
}

/// The same, of what stands alone.
pub fn word(standing: Acceptance, knows_reads: bool) -> &'static str {
    match standing {
        Acceptance::Good if !knows_reads => "good for spread",
        standing => standing.word(),
    }
}

/// A trial, and where the queries go; none without a workload.
#[derive(Clone, Copy, Debug)]
pub struct RoutedTrial<'a> {
    pub trial: &'a Trial,
    pub routed: &'a [Routed],
}

/// A verdict for each candidate, in their order.
pub fn verdicts(tried: &[RoutedTrial<'_>], settings: &Settings) -> Vec<KeyVerdict> {
    let measures: Vec<Vec<f64>> = tried.iter().map(|t| measures(*t)).collect();
    let verdict = |(at, one): (usize, &RoutedTrial<'_>)| {
        let mut reasons = reasons(*one, settings);
        // What is throttled now comes before what is full one day, as in the findings.
        let is_now = |rule| matches!(rule, Rule::ThrottledWrites | Rule::BeyondAnyKey);
        let is_full = one.trial.is_full();
        reasons.sort_by_key(|r| (Reverse(r.severity), is_full || !is_now(r.rule)));
        let standing = Acceptance::of(reasons.first().map(|r| r.severity));
        let own = measures.get(at).map_or(&[][..], Vec::as_slice);
        let keeps_reads = |other: &RoutedTrial<'_>| {
            (other.routed.iter().zip(one.routed))
                .all(|(there, here)| !there.becomes_cross_partition(Some(&here.route.routing)))
        };
        let better = |(other, m): (usize, &Vec<f64>)| {
            let is_better = other != at && beats(m, own) && keeps_reads(tried.get(other)?);
            is_better.then_some(other)
        };
        let knows_reads = !one.routed.is_empty();
        let mut others = measures.iter().enumerate();
        KeyVerdict {
            standing,
            knows_reads,
            reasons,
            more_partitions: more_partitions(one.trial, settings),
            // On one partition all keys are alike.
            dominated_by: (others.find_map(better))
                .filter(|_| knows_reads && partitions(one.trial) > 1),
        }
    };
    tried.iter().enumerate().map(verdict).collect()
}

/// What is compared; less is better.
fn measures(tried: RoutedTrial<'_>) -> Vec<f64> {
    let trial = tried.trial;
    let placement = &trial.placement;
    let alarms = trial.findings.iter().filter(|f| f.severity == Severity::Alarm);
    let n = real(partitions(trial));
    // One visit costs the same under every key: with it a busy write would hide what reads pay.
    let visits = |r: &Routed| {
        let further = (r.route.queried().unwrap_or(n) - 1.0).max(0.0);
        further * r.per_second.unwrap_or(1.0)
    };
    let cross = cross_reads(tried.routed);
    vec![
        cross.share.unwrap_or_else(|| real(cross.kinds as u64)),
        trial.largest_bytes,
        placement.load_ratio_storage.unwrap_or(1.0),
        placement.load_ratio_ru.unwrap_or(1.0),
        placement.throttled_share.unwrap_or(0.0),
        trial.writes.as_ref().map_or(0.0, |w| w.top.share),
        tried.routed.iter().map(visits).sum(),
        real(alarms.count() as u64),
    ]
}

fn beats(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    let margin = |b: &f64| b.abs() * ALIKE;
    pairs().all(|(a, b)| *a <= *b + margin(b)) && pairs().any(|(a, b)| *a < *b - margin(b))
}

fn reasons(tried: RoutedTrial<'_>, settings: &Settings) -> Vec<Finding> {
    // That no document has the property explains all that follows from it.
    if tried.trial.findings.iter().any(|f| f.rule == Rule::Absent) {
        return tried.trial.findings.clone();
    }
    let mut found = Vec::new();
    let mut say = |rule, weight: Weight, sentence: String| {
        found.push(Finding { measured: weight.1, ..Finding::new(rule, weight.0, sentence) });
    };
    let trial = tried.trial;
    size(trial, &mut say);
    forecast::growth(trial, settings, &mut say);
    spread::newest(trial, &mut say);
    forecast::active(trial, &mut say);
    throttling(tried, settings, &mut say);
    spread::storage(trial, &mut say);
    forecast::splits(trial, &mut say);
    spread::first_level(trial, &mut say);
    requests::queries(tried.routed, partitions(trial), &mut say);
    requests::mix(tried, &mut say);
    found.extend(trial.findings.iter().cloned());
    found
}

type ReasonSink<'a> = &'a mut dyn FnMut(Rule, Weight, String);

/// How much a reason weighs, and by which number.
struct Weight(Severity, Option<ThresholdCheck>);

impl From<Severity> for Weight {
    fn from(severity: Severity) -> Self {
        Self(severity, None)
    }
}

impl Weight {
    /// By the threshold that belongs to the severity; a note is shown against that of a warning.
    fn by(severity: Severity, value: f64, warn: f64, alarm: f64) -> Self {
        let threshold = match severity {
            Severity::Alarm => alarm,
            Severity::Warn | Severity::Note => warn,
        };
        Self(severity, Some(ThresholdCheck { value, threshold }))
    }

    /// By what a key holds of its limit.
    fn of_limit(share: f64) -> Self {
        let severity = match share {
            s if s >= MARK_ALARM => Severity::Alarm,
            s if s >= MARK_WARN => Severity::Warn,
            _ => Severity::Note,
        };
        Self::by(severity, share, MARK_WARN, MARK_ALARM)
    }
}

fn size(trial: &Trial, say: ReasonSink<'_>) {
    let share = trial.largest_share_of_ceiling;
    let part = percent_text(trial.largest_bytes / trial.whole.bytes.max(1.0));
    // A size of the documents at hand says nothing of the container's.
    let is_assumed = trial.whole.is_assumed;
    let mut sentence = if is_assumed {
        format!("{part} of all data in the largest key")
    } else {
        let [size, of_limit] = [trial.largest_text(), trial.largest_share_text()];
        format!("{size} in the largest key, {of_limit} of the limit")
    };
    if trial.is_full() {
        sentence.push_str("; writes that grow it get 403");
    } else if let Some(stored) = trial.stored_when_full() {
        let stored = kib_text(stored / 1024.0);
        let at = if is_assumed { String::new() } else { format!("at {part} of all data ") };
        let _ = write!(sentence, "; {at}it reaches the limit at {stored} in all");
    }
    say(Rule::LargestKey, Weight::of_limit(share), sentence + ".");
}

/// What is throttled of a known demand, and the RU/s to buy; else what needs no demand.
fn throttling(tried: RoutedTrial<'_>, settings: &Settings, say: ReasonSink<'_>) {
    let trial = tried.trial;
    let Some(demand) = trial.demand else { return unknown_demand(trial, settings, say) };
    throttled(tried, settings, demand, say);
    if let Some(beyond) = trial.beyond_any_ru.filter(|b| *b > 0.0) {
        let more = whole_text(beyond);
        let peak = whole_text(PARTITION_RU_PER_SECOND + beyond);
        let sentence = match trial.outcome {
            Some(_) => format!(
                "At its peak the hottest key needs {peak} RU/s, {more} more than one key can use."
            ),
            None => format!("The hottest key needs {more} RU/s more than one key can use: 10,000."),
        };
        let is_little = beyond < FEW_BEYOND * demand;
        let severity = if is_little { Severity::Warn } else { Severity::Alarm };
        say(Rule::BeyondAnyKey, severity.into(), sentence);
    }
    let Some(buy) = trial.to_buy.first() else { return };
    let (weight, sentence) = match buy.ru {
        Ok(ru) => {
            let [point, high] = [ru.point, ru.high].map(whole_text);
            let range =
                if point == high { String::new() } else { format!(" (up to {high} by placement)") };
            let place = match (&trial.outcome, trial.placement.layout) {
                (Some(_), _) => "on today's partitions and their splits".to_owned(),
                (None, LayoutFrom::CreationSplit { from }) => format!(
                    "in a container that is created with {}; its RU/s are raised once the data is in",
                    counted(from as u64, "partition", "partitions")
                ),
                (None, _) => "in a new container".to_owned(),
            };
            let least = if ru.point <= settings.minimum() {
                "the fewest that its size allows,"
            } else {
                "the least with at most 1 % throttled"
            };
            let unserved = settings.today.as_deref().and_then(Today::unserved);
            let unserved = unserved.filter(|_| trial.outcome.is_none());
            let with = unserved.map_or_else(String::new, |ru| {
                format!(", with {} RU/s of writes that get 403 today", whole_text(ru))
            });
            let weight = dear(trial, settings, buy);
            let dear = weight.1.as_ref().filter(|_| weight.0 != Severity::Note);
            let against = dear.map_or_else(String::new, |dear| {
                let (demand, times) = (whole_text(demand), ratio_text(dear.value));
                format!(" for {demand} RU/s of demand, {times} times what an even spread needs")
            });
            let sentence = format!("RU/s to buy: {point}{range}{against}, {least} {place}{with}.");
            (weight, sentence)
        }
        Err(Shortfall::Partition) => {
            let why = if requests::cross_partition_part(tried.routed) >= requests::CROSS_PARTITION {
                "each partition serves every cross-partition query"
            } else {
                "a few keys together need more than a partition has"
            };
            (
                Severity::Alarm.into(),
                format!("No RU/s up to 1,000,000 keep it under 1 % throttled: {why}."),
            )
        }
        // The key above its limit is said already.
        Err(Shortfall::Key(_) | Shortfall::Full) => return,
    };
    say(Rule::RuToBuy, weight, sentence);
}

/// By how many times the RU/s that the same requests need if no key stands out. What the container has, or today's key needs,
/// rejects no other key. Of today's it is said what is throttled.
fn dear(trial: &Trial, settings: &Settings, buy: &ToBuy) -> Weight {
    let fair = buy.evenly.unwrap_or(buy.demand).max(settings.minimum()).max(LEAST_RU);
    let times = buy.ru.map_or(f64::INFINITY, |ru| ru.point / fair);
    let now = settings.today.as_ref().and_then(|today| today.now.as_ref());
    let needed = now.map_or(0.0, |now| now.outcome.ru_to_buy.unwrap_or(f64::INFINITY));
    let least = needed.max(settings.ru_per_second.unwrap_or(0.0));
    let is_dearer = buy.ru.is_ok_and(|ru| ru.point > least);
    let severity = match times {
        _ if trial.outcome.is_some() => Severity::Note,
        t if t > MOST_DEARER && is_dearer => Severity::Alarm,
        t if t > DEARER => Severity::Warn,
        _ => Severity::Note,
    };
    Weight::by(severity, times, DEARER, MOST_DEARER)
}

/// What is throttled at the RU/s that are provisioned. Of a candidate the RU/s to buy decide: what more RU/s fix is no fault of
/// the key. Today's key throttles now: up to 5 % are a caution.
fn throttled(tried: RoutedTrial<'_>, settings: &Settings, demand: f64, say: ReasonSink<'_>) {
    let trial = tried.trial;
    let share = trial.placement.throttled_share;
    let Some((share, ru)) = share.zip(settings.ru_per_second) else { return };
    let enough = trial.to_buy.first().and_then(|buy| buy.ru.ok());
    let is_candidate = trial.outcome.is_none() && enough.is_some();
    let (severity, why) = match share {
        s if s <= THROTTLED_WARN => (Severity::Note, ""),
        _ if is_candidate => (Severity::Note, " A new container can have enough."),
        s if s > THROTTLED_ALARM => (Severity::Alarm, ""),
        _ => (Severity::Warn, " Retries hide up to 5 %; requests take longer."),
    };
    let short = enough.filter(|enough| share > THROTTLED_WARN && enough.point > ru);
    let more = more_partitions(trial, settings)
        .map_or_else(String::new, |n| format!(" (they make {} partitions)", count_text(n as u64)));
    let (ru, throttled) = (whole_text(ru), percent_text(share));
    let throttled = throttled + &within(trial.placement.throttled_share_interval) + " throttled";
    let said = short.map_or_else(
        || format!("{throttled} at {ru} RU/s"),
        |enough| {
            format!("{} RU/s needed{more}, {ru} provisioned: {throttled}", whole_text(enough.point))
        },
    );
    say(
        Rule::ThrottledWrites,
        Weight::by(severity, share, THROTTLED_WARN, THROTTLED_ALARM),
        format!(
            "{said}; {} RU/s of demand on {}{}.{why}",
            whole_text(demand),
            counted(partitions(trial), "physical partition", "physical partitions"),
            requests::cross_partition_text(tried.routed)
        ),
    );
}

/// Where the RU/s to buy are too few more than what is provisioned to serve what is throttled: that they make more partitions
/// does it.
fn more_partitions(trial: &Trial, settings: &Settings) -> Option<usize> {
    let (demand, ru) = trial.demand.zip(settings.ru_per_second)?;
    let enough = trial.to_buy.first()?.ru.ok()?.point;
    let mode = match trial.placement.layout {
        LayoutFrom::CreationSplit { .. } => ThroughputMode::AutoscaleOrShared,
        _ => settings.throughput_mode,
    };
    let n = initial_partitions(enough, mode);
    let is_more = trial.outcome.is_none() && n > trial.placement.partitions.len();
    let throttled = (trial.placement.throttled_share? - CURED) * demand;
    (is_more && throttled > enough - ru).then_some(n)
}

/// ` (9 to 13 %)`; nothing where both are written alike.
fn within(interval: Option<[f64; 2]>) -> String {
    let ends = interval.filter(|[low, high]| high - low > 0.001);
    let range = ends.map(|[low, high]| percent_range_text(low, high));
    let range = range.filter(|range| range.contains(" to "));
    range.map_or_else(String::new, |range| format!(" ({range})"))
}

fn unknown_demand(trial: &Trial, settings: &Settings, say: ReasonSink<'_>) {
    let ratio = trial.placement.load_ratio_ru.filter(|_| !settings.is_serverless());
    let Some(ratio) = ratio else { return };
    let reached = trial.demand_at_key_limit.filter(|ru| *ru < MOST_RU);
    let limit = reached.map_or_else(String::new, |ru| {
        format!("; the hottest key reaches 10,000 RU/s at {} RU/s in all", whole_text(ru))
    });
    let which = settings.ru_per_second.map_or("any", |_| "the");
    let usable = percent_text(1.0 / ratio.max(1.0));
    let count = counted(partitions(trial), "partition", "partitions");
    let is_assumed = which == "any" && trial.placement.layout == LayoutFrom::Creation;
    let on = is_assumed.then(|| format!(" if there are {count}"));
    let on = on.unwrap_or_default();
    let sentence =
        format!("Demand unknown: {usable} of {which} provisioned RU/s can be used{on}{limit}.");
    say(Rule::DemandUnknown, Severity::Note.into(), sentence);
}

/// Physical partitions on which it is placed.
fn partitions(trial: &Trial) -> u64 {
    trial.placement.partitions.len() as u64
}

impl Trial {
    /// Whether a key is over the limit: its writes fail, whatever RU/s there are.
    pub fn is_full(&self) -> bool {
        self.ahead.limit_date == LimitDate::Over
    }

    /// Whether the documents show that the largest key gets none any more.
    pub fn largest_is_idle(&self) -> bool {
        self.basis == TrialBasis::Documents && !self.largest_grows
    }

    /// All that is stored when the largest key is full, if keys go on in these proportions. One that gets nothing any more,
    /// as that of a past month, does not grow.
    pub fn stored_when_full(&self) -> Option<f64> {
        let is_counted = self.distinct.once < self.distinct.seen;
        let stored = self.whole.bytes / self.largest_share_of_ceiling;
        (self.largest_grows && is_counted && stored.is_finite()).then_some(stored)
    }
}
