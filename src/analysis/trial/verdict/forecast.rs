//! What growth, keys within a second and storage splits say of a key.

use super::super::super::design::time_text;
use super::super::super::findings::Severity;
use super::super::super::growth::{FAR_DAYS, HORIZON_DAYS, LimitDate, limit_date_words};
use super::super::super::routing::PointOperation;
use super::super::super::routing::workload::RequestKind;
use super::super::super::rules::Rule;
use super::super::super::throttling::keys_needed;
use super::super::forecast::{ForecastReason, KeyForecast, Rate};
use super::super::rates::factor;
use super::super::routes::Routed;
use super::super::{KeyTurn, Settings, Trial};
use super::{ReasonSink, VERY_UNEVEN, Weight, partitions};
use crate::model::time::{DAY_S, SECONDS_PER_DAY};
use crate::model::units::{
    count_text, counted, kib_text, percent_text, ratio_text, real, real_seconds, rounded_text,
    tenths_text, whole_text,
};

/// A key that reaches its limit sooner is a caution: a container is not moved every few years.
const SAFE_DAYS: f64 = 5.0 * HORIZON_DAYS;
/// Growths that differ by more than this factor are not the same.
const DISAGREE: f64 = 2.0;

pub(super) fn growth(trial: &Trial, settings: &Settings, say: ReasonSink<'_>) {
    let ahead = &trial.ahead;
    match ahead.limit_date {
        LimitDate::Date { at, .. }
            if ahead.as_of.is_some_and(|now| at.days_since(now) > FAR_DAYS) =>
        {
            let gains = format!("The fastest-growing key gains {}", rate(ahead));
            let limit = settings.ceiling.name();
            let sentence = format!("{gains}: it needs over 20 years to reach {limit}.");
            say(Rule::LimitDateNear, Severity::Note.into(), sentence);
        }
        LimitDate::Date { at, .. } => {
            let days = ahead.as_of.map_or(0.0, |now| at.days_since(now));
            let severity = match days {
                d if d <= HORIZON_DAYS => Severity::Alarm,
                d if d <= SAFE_DAYS => Severity::Warn,
                _ => Severity::Note,
            };
            let again = ahead
                .turn
                .map_or_else(String::new, |turn| format!(", and again with every {}", turn.word()));
            say(
                Rule::LimitDateNear,
                Weight::by(severity, days, SAFE_DAYS, HORIZON_DAYS),
                format!(
                    "The fastest-growing key gains {} and reaches {} {}{again}.",
                    rate(ahead),
                    settings.ceiling.name(),
                    limit_date_words(&ahead.limit_date, ahead.as_of)
                ),
            );
        }
        LimitDate::Never => never(ahead, settings, say),
        LimitDate::Unknown => unknown(trial, settings, say),
        LimitDate::Over => {}
    }
}

impl Trial {
    /// Whether a key reaches the limit within 20 years.
    pub fn fills_up(&self) -> bool {
        self.is_full_within(FAR_DAYS)
    }

    /// Whether a key reaches the limit within so many days; of growth that is not known that is not said.
    pub fn is_full_within(&self, days: f64) -> bool {
        match self.ahead.limit_date {
            LimitDate::Over => true,
            LimitDate::Date { at, .. } => {
                (self.ahead.as_of).is_none_or(|now| at.days_since(now) <= days)
            }
            LimitDate::Never | LimitDate::Unknown => false,
        }
    }

    /// Whether the fastest rate that its documents allow needs more than 20 years.
    pub fn is_far_from_limit(&self) -> bool {
        let limit = self.largest_bytes / self.largest_share_of_ceiling;
        let [_, _, fastest] = self.ahead.bytes_per_day.unwrap_or([f64::INFINITY; 3]);
        self.ahead.because == ForecastReason::FarOff
            && (limit - self.largest_bytes) / fastest > FAR_DAYS
    }
}

/// That requests of the workload, scaled to the load, create documents at quite another rate than the growth that is taken.
pub fn created_otherwise(trial: &Trial, routed: &[Routed], settings: &Settings) -> Option<String> {
    let taken = trial.ahead.all_bytes_per_day?;
    let requests = settings.workload.requests.iter();
    let is_rated = requests.clone().all(|r| r.per_second.is_some());
    let load = settings.load_ru_per_second.filter(|_| is_rated);
    let scale = load.and_then(|load| factor(load, routed, settings));
    let writes = requests.filter(|r| r.kind == RequestKind::Point(PointOperation::Create));
    let a_second: f64 = writes.filter_map(|r| r.per_second).sum();
    let a_second = a_second * scale.unwrap_or(1.0);
    let each = trial.whole.bytes / trial.whole.documents;
    let created = a_second * each * real_seconds(SECONDS_PER_DAY);
    let ratio = created / taken;
    let is_other =
        ratio.is_finite() && ratio > 0.0 && !(1.0 / DISAGREE..=DISAGREE).contains(&ratio);
    is_other.then(|| {
        let from = match trial.ahead.rate {
            Rate::Given => "as given",
            Rate::Logged => "from logged sizes",
            Rate::Documents { .. } | Rate::Unknown => "from the dates of documents",
        };
        format!(
            "caution: growth is {}/day {from}, and requests create {}/day: --growth gives the right one",
            of_bytes(taken),
            of_bytes(created)
        )
    })
}

fn of_bytes(bytes: f64) -> String {
    kib_text(bytes / 1024.0)
}

/// `17.5 GiB/day (70.0 GiB/day in all, as given)`.
fn rate(ahead: &KeyForecast) -> String {
    let per_day = ahead.bytes_per_day.map_or(0.0, |[_, likely, _]| likely);
    let from = match ahead.rate {
        Rate::Given | Rate::Unknown => "as given".to_owned(),
        Rate::Documents { days } if days >= 1.95 => {
            format!("from {} days of documents", rounded_text(days))
        }
        Rate::Documents { .. } => "from a day of documents".to_owned(),
        Rate::Logged => "from logged sizes".to_owned(),
    };
    let all = match (ahead.all_bytes_per_day, ahead.logged) {
        (Some(all), _) => format!("{}/day in all, ", of_bytes(all)),
        (None, Some(some)) => format!("{}{}, ", of_bytes(some.bytes_per_day), some.of_keys()),
        (None, None) => String::new(),
    };
    let other = ahead.of_documents_per_day.map_or_else(String::new, |of| {
        format!("; the documents' times show {}/day in all", of_bytes(of))
    });
    format!("{}/day ({all}{from}{other})", of_bytes(per_day))
}

fn never(ahead: &KeyForecast, settings: &Settings, say: ReasonSink<'_>) {
    let most = ahead.most_bytes.unwrap_or(0.0);
    let share = settings.ceiling.share(most / 1024.0);
    let size = format!("{}, {} of the limit", kib_text(most / 1024.0), percent_text(share));
    let sentence = match ahead.because {
        ForecastReason::PeriodEnds => {
            let time = match ahead.turn {
                Some(KeyTurn::Values { seconds, .. }) => time_text(real_seconds(seconds) / DAY_S),
                Some(KeyTurn::Unit(unit)) => format!("one {}", unit.word()),
                None => "one period".to_owned(),
            };
            format!("At {} a key, written for {time} only, ends with {size}.", rate(ahead))
        }
        ForecastReason::Deleted => format!(
            "At {} no key grows beyond {size}: documents are deleted after {}.",
            rate(ahead),
            time_text(settings.kept_days.unwrap_or(0.0))
        ),
        ForecastReason::OneEach => "No two documents have the same key: none grows.".to_owned(),
        _ if ahead.rate == Rate::Logged => stands(ahead, settings),
        _ => "No key gets documents any more: none grows.".to_owned(),
    };
    say(Rule::LimitDateNear, Weight::of_limit(share), sentence);
}

/// Why measured sizes stay as they are.
fn stands(ahead: &KeyForecast, settings: &Settings) -> String {
    let today = settings.today.as_deref();
    let written = ahead.all_bytes_per_day.filter(|bytes| *bytes > 0.0);
    match written.filter(|_| today.is_some_and(|today| today.has_time_to_live)) {
        Some(bytes) => format!(
            "No measured key grows: documents expire as new ones arrive ({}/day in all).",
            of_bytes(bytes)
        ),
        None => "No measured key grows.".to_owned(),
    }
}

fn unknown(trial: &Trial, settings: &Settings, say: ReasonSink<'_>) {
    let ahead = &trial.ahead;
    let sentence = match ahead.because {
        ForecastReason::TooShort => {
            "The documents cover less than a day: give the growth to know when a key is full."
        }
        ForecastReason::NotLogged => {
            "Growth unknown: the logs lack two sizes of a key while it grew."
        }
        ForecastReason::WithinError => {
            "Growth is within the error of measured sizes, 1 % of their partition: no date."
        }
        ForecastReason::FarOff => {
            let missing = settings.ceiling.bytes() - trial.largest_bytes;
            let per_day = ahead.bytes_per_day.map_or(0.0, |[_, likely, _]| likely);
            let days = missing / per_day.max(f64::MIN_POSITIVE);
            let weight = Weight::by(Severity::Note, days, SAFE_DAYS, HORIZON_DAYS);
            let limit = settings.ceiling.name();
            let words = format!("At {} no key reaches {limit} in sight.", rate(ahead));
            return say(Rule::LimitDateNear, weight, words);
        }
        // That no property tells the time is said already.
        _ => return,
    };
    say(Rule::LimitDateUnknown, Severity::Note.into(), sentence.to_owned());
}

/// Keys that are written at a time, those of one date, which are too few for how many partitions, and how many these need.
pub fn few_at_a_time(trial: &Trial) -> Option<(u64, usize, f64)> {
    // For a known demand the partitions of what is to be bought for it.
    let bought = trial.to_buy.first().filter(|_| trial.demand.is_some());
    let n = bought.and_then(|buy| buy.partitions);
    let n = n.unwrap_or(trial.placement.partitions.len());
    let needed = keys_needed(n, VERY_UNEVEN);
    let few = |keys: &u64| *keys == 1 || real(*keys) < needed;
    Some((trial.keys_at_a_time.filter(few)?, n, needed))
}

/// Few keys of one date: whatever else they hold, all writes of a moment go to them.
fn of_one_date(trial: &Trial, say: ReasonSink<'_>) {
    let Some((keys, n, needed)) = few_at_a_time(trial) else { return };
    if keys == 1 {
        // Where the last hours show one key, or the demand what becomes of it, it is said already.
        let is_said = trial.writes.as_ref().is_some_and(|now| now.keys == 1);
        if !is_said && trial.demand.is_none() {
            let sentence = "All writes go to one key at a time, that of the present date; a key is limited to 10,000 RU/s.";
            say(Rule::HotNow, Severity::Alarm.into(), sentence.to_owned());
        }
        return;
    }
    say(
        Rule::ActiveKeys,
        Weight::by(Severity::Warn, real(keys), needed, needed),
        format!(
            "Writes go to {} at a time, those of one date; {} physical partitions need {} (busiest under {} × average).",
            counted(keys, "key", "keys"),
            count_text(n as u64),
            whole_text(needed),
            rounded_text(VERY_UNEVEN)
        ),
    );
}

/// Keys within one second: writes of a second go to so many places at most.
pub(super) fn active(trial: &Trial, say: ReasonSink<'_>) {
    of_one_date(trial, say);
    let Some(active) = trial.writes.as_ref().and_then(|w| w.active) else { return };
    let n = real(partitions(trial));
    // Where fewer documents come than there are partitions, their number says nothing of the key.
    let is_few = active.mean < n && active.documents >= n;
    let severity = if is_few { Severity::Warn } else { Severity::Note };
    let (least, doubt) = match active.interval {
        Some([low, high]) => ("", format!(" ({} to {})", tenths_text(low), tenths_text(high))),
        None => ("at least ", String::new()),
    };
    let few = match active.interval {
        _ if !is_few => String::new(),
        Some(_) => {
            ", fewer than physical partitions: the others are idle in that second".to_owned()
        }
        None => format!("; {} physical partitions need one each", whole_text(n)),
    };
    // Never rounded up to what it does not reach.
    let mean = if is_few { (active.mean * 10.0).floor() / 10.0 } else { active.mean };
    say(
        Rule::ActiveKeys,
        Weight::by(severity, active.mean, n, n),
        format!(
            "Within one second {least}{}{doubt} distinct keys are written on average, over {}{few}.",
            tenths_text(mean),
            counted(active.seconds, "second", "seconds")
        ),
    );
}

/// What storage splits make of it, and keys whose place is not known.
pub(super) fn splits(trial: &Trial, say: ReasonSink<'_>) {
    let placement = &trial.placement;
    if let Some(after) = &placement.after_splits {
        let ratio = after.load_ratio_storage.map_or_else(|| "–".to_owned(), ratio_text);
        let count = count_text(after.partitions.len() as u64);
        let (severity, over) = match after.over {
            0 => (Severity::Note, String::new()),
            1 => (Severity::Alarm, "; one stays above 50 GB: no split divides a key".to_owned()),
            n => (
                Severity::Alarm,
                format!("; {} stay above 50 GB: no split divides a key", count_text(n)),
            ),
        };
        say(
            Rule::Splits,
            Weight::by(severity, real(after.over), 1.0, 1.0),
            format!("Partitions over 50 GB split: {count} then, imbalance ×{ratio}{over}."),
        );
    }
    if placement.by_chance > 0 {
        say(
            Rule::PlacedByChance,
            Severity::Note.into(),
            format!(
                "Keys placed by chance, as their texts were not kept: {}. How even the partitions are holds on average.",
                count_text(placement.by_chance)
            ),
        );
    }
}
