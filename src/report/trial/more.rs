//! The rest of a candidate's JSON: intervals, what is hot now and over which window, growth and the limit date, splits.
//!
//! `"basis":"documents"|"statistics" (then with "reported_keys" and "shares"),"top_share","top_share_range","largest_bytes_range","hottest_share","coverage","load_ratio_storage_range","load_ratio_ru_range","throttled_share_range",
//! "layout":"creation"|"today"|"today-split","by_chance",
//! "after_splits":{"partitions","load_ratio_storage","load_ratio_ru","throttled_share","over"},
//! "now":{"time","until","hours","documents","keys","share","share_range"},
//! "active_keys":{"mean","range","documents","seconds","at_least"},
//! "growth":{"wall_state","wall","wall_earliest","wall_latest","because","bytes_per_day","bytes_per_day_range",
//! "all_bytes_per_day","rate","rate_days","period","most_bytes","as_of","key"}`. What is not known is null.

use crate::analysis::trial::{
    ActiveKeys, ForecastReason, KeyForecast, KeyTurn, Rate, Splits, Trial, TrialBasis, Writes,
};
use crate::model::key::Key;
use crate::model::time::Stamp;
use crate::report::json::dates;
use crate::report::write_json::{Json, as_found, object};

pub(super) fn with(trial: &Trial, json: Json) -> Json {
    let placement = &trial.placement;
    let of_storage = placement.load_ratio_storage_interval;
    let splits = placement.after_splits.as_ref().map(splits);
    let json = json
        .with("top_share", trial.top_share.share)
        .with("top_share_range", trial.top_share.interval)
        .with("largest_bytes_range", trial.largest_range)
        .with("hottest_share", trial.hottest_share)
        .with("coverage", trial.distinct.coverage)
        .with("load_ratio_storage_range", of_storage)
        .with("load_ratio_ru_range", placement.load_ratio_ru_interval)
        .with("throttled_share_range", placement.throttled_share_interval);
    let writes = trial.writes.as_ref();
    let active_keys = writes.and_then(|writes| writes.active.as_ref());
    match trial.basis {
        TrialBasis::Documents => json.with("basis", "documents"),
        TrialBasis::Statistics { keys, of } => {
            json.with("basis", "statistics").with("reported_keys", keys).with("shares", of.words())
        }
    }
    .with("layout", placement.layout.name())
    .with("by_chance", placement.by_chance)
    .with("\nafter_splits", splits)
    .with("\nnow", writes.map(now))
    .with("\nactive_keys", active_keys.map(active))
    .with("\ngrowth", growth(&trial.ahead))
}

fn splits(after: &Splits) -> Json {
    object()
        .with("partitions", after.partitions.len())
        .with("over", after.over)
        .with("load_ratio_storage", after.load_ratio_storage)
        .with("load_ratio_ru", after.load_ratio_ru)
        .with("throttled_share", after.throttled_share)
}

fn now(now: &Writes) -> Json {
    object()
        .with("hours", now.hours)
        .with("documents", now.documents)
        .with("keys", now.keys)
        .with("time", now.path.to_string())
        .with("until", now.until.map(Stamp::rfc3339))
        .with("share", now.top.share)
        .with("share_range", now.top.interval)
}

fn active(active: &ActiveKeys) -> Json {
    object()
        .with("seconds", active.seconds)
        .with("at_least", active.at_least)
        .with("mean", active.mean)
        .with("range", active.interval)
        .with("documents", active.documents)
}

fn growth(ahead: &KeyForecast) -> Json {
    let [at, earliest, latest] = dates(&ahead.limit_date);
    let (rate, days) = match ahead.rate {
        Rate::Unknown => (None, None),
        Rate::Given => (Some("given"), None),
        Rate::Documents { days } => (Some("documents"), Some(days)),
        Rate::Logged => (Some("logged"), None),
    };
    let bytes = ahead.bytes_per_day;
    let key = ahead.key.as_ref().map(Key::json);
    object()
        .with("wall_state", ahead.limit_date.state())
        .with("wall", at)
        .with("wall_earliest", earliest)
        .with("wall_latest", latest)
        .with("as_of", ahead.as_of.map(Stamp::rfc3339))
        .with("because", because(ahead.because))
        .with("bytes_per_day", bytes.map(|[_, likely, _]| likely))
        .with("bytes_per_day_range", bytes.map(|[low, _, high]| [low, high]))
        .with("all_bytes_per_day", ahead.all_bytes_per_day)
        .with("rate", rate)
        .with("rate_days", days)
        .with("period", ahead.turn.map(KeyTurn::word))
        .with("most_bytes", ahead.most_bytes)
        .with("key", as_found(key.as_deref()))
}

fn because(because: ForecastReason) -> &'static str {
    match because {
        ForecastReason::Full => "full",
        ForecastReason::Grows => "grows",
        ForecastReason::PeriodEnds => "period-ends",
        ForecastReason::Deleted => "deleted",
        ForecastReason::OneEach => "one-each",
        ForecastReason::NoTime => "no-time",
        ForecastReason::SizeUnknown => "size-unknown",
        ForecastReason::TooShort => "too-short",
        ForecastReason::FarOff => "far-off",
        ForecastReason::Idle => "idle",
        ForecastReason::NotLogged => "not-logged",
        ForecastReason::WithinError => "within-error",
    }
}
