//! The rest of a candidate's JSON: intervals, what is hot now and over which window, growth and the wall, splits.
//!
//! `"basis":"documents"|"statistics" (then with "reported_keys" and "shares"),"top_share","top_share_range","largest_bytes_range","hottest_share","coverage","load_ratio_storage_range","load_ratio_ru_range",
//! "load_ratio_now","throttled_share_now","layout":"creation"|"today"|"today-split","by_chance",
//! "after_splits":{"partitions","load_ratio_storage","load_ratio_ru","throttled_share","over"},
//! "now":{"time","until","hours","documents","keys","share","share_range","worst_hour_share"},
//! "active_keys":{"mean","range","documents","seconds","at_least"},
//! "growth":{"wall_state","wall","wall_earliest","wall_latest","because","bytes_per_day","bytes_per_day_range",
//! "all_bytes_per_day","rate","rate_days","period","most_bytes","as_of","key"}`. What is not known is null.

use std::fmt::Write as _;

use crate::analysis::candidate::DateUnit;
use crate::analysis::growth::Wall;
use crate::analysis::trial::{Active, Ahead, Basis, Because, Now, Rate, Splits, Trial};
use crate::model::time::Stamp;
use crate::report::write_json::{push_number, push_number_or_null, push_text};

pub(super) fn push(trial: &Trial, out: &mut String) {
    let placement = &trial.placement;
    push_field("top_share", Some(trial.top_share.share), out);
    push_range("top_share_range", Some(trial.top_share.interval), out);
    push_range("largest_bytes_range", trial.largest_range, out);
    push_field("hottest_share", Some(trial.hottest_share), out);
    push_field("coverage", trial.distinct.coverage, out);
    push_range(
        "load_ratio_storage_range",
        placement.load_ratio_storage_interval,
        out,
    );
    push_range("load_ratio_ru_range", placement.load_ratio_ru_interval, out);
    push_field("load_ratio_now", placement.load_ratio_now, out);
    push_field("throttled_share_now", placement.throttled_share_now, out);
    match trial.basis {
        Basis::Documents => out.push_str(",\"basis\":\"documents\""),
        Basis::Statistics { keys, of } => {
            let of = of.words();
            let _ = write!(
                out,
                ",\"basis\":\"statistics\",\"reported_keys\":{keys},\"shares\":\"{of}\""
            );
        }
    }
    let layout = placement.layout.name();
    let _ = write!(
        out,
        ",\"layout\":\"{layout}\",\"by_chance\":{}",
        placement.by_chance
    );
    push_object(
        "after_splits",
        placement.after_splits.as_ref(),
        push_splits,
        out,
    );
    push_object("now", trial.now.as_ref(), push_now, out);
    push_object("active_keys", trial.active.as_ref(), push_active, out);
    push_object("growth", Some(&trial.ahead), push_growth, out);
}

pub(super) fn push_range(name: &str, range: Option<[f64; 2]>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    match range {
        Some([low, high]) => {
            out.push('[');
            push_number(low, out);
            out.push(',');
            push_number(high, out);
            out.push(']');
        }
        None => out.push_str("null"),
    }
}

fn push_field(name: &str, number: Option<f64>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    push_number_or_null(number, out);
}

fn push_text_field(name: &str, text: Option<&str>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    match text {
        Some(text) => push_text(text, out),
        None => out.push_str("null"),
    }
}

fn push_object<T>(name: &str, held: Option<&T>, push: fn(&T, &mut String), out: &mut String) {
    let _ = write!(out, ",\n\"{name}\":");
    match held {
        Some(held) => {
            out.push('{');
            push(held, out);
            out.push('}');
        }
        None => out.push_str("null"),
    }
}

fn push_splits(after: &Splits, out: &mut String) {
    let _ = write!(
        out,
        "\"partitions\":{},\"over\":{}",
        after.partitions.len(),
        after.over
    );
    push_field("load_ratio_storage", after.load_ratio_storage, out);
    push_field("load_ratio_ru", after.load_ratio_ru, out);
    push_field("throttled_share", after.throttled_share, out);
}

fn push_now(now: &Now, out: &mut String) {
    let _ = write!(
        out,
        "\"hours\":{},\"documents\":{},\"keys\":{}",
        now.hours, now.documents, now.keys
    );
    push_text_field("time", Some(&now.path.to_string()), out);
    push_text_field("until", now.until.map(Stamp::rfc3339).as_deref(), out);
    push_field("share", Some(now.top.share), out);
    push_range("share_range", Some(now.top.interval), out);
    push_field("worst_hour_share", now.worst_hour, out);
}

fn push_active(active: &Active, out: &mut String) {
    let _ = write!(
        out,
        "\"seconds\":{},\"at_least\":{}",
        active.seconds, active.at_least
    );
    push_field("mean", Some(active.mean), out);
    push_range("range", active.interval, out);
    push_field("documents", Some(active.documents), out);
}

fn push_growth(ahead: &Ahead, out: &mut String) {
    let _ = write!(out, "\"wall_state\":\"{}\"", ahead.wall.state());
    let (at, earliest, latest) = match ahead.wall {
        Wall::Date {
            at,
            earliest,
            latest,
        } => (Some(at), Some(earliest), latest),
        Wall::Over | Wall::Never | Wall::Unknown => (None, None, None),
    };
    let dates = [
        ("wall", at),
        ("wall_earliest", earliest),
        ("wall_latest", latest),
        ("as_of", ahead.as_of),
    ];
    for (name, date) in dates {
        push_text_field(name, date.map(Stamp::rfc3339).as_deref(), out);
    }
    push_text_field("because", Some(because(ahead.because)), out);
    push_field(
        "bytes_per_day",
        ahead.bytes_per_day.map(|[_, likely, _]| likely),
        out,
    );
    let range = ahead.bytes_per_day.map(|[low, _, high]| [low, high]);
    push_range("bytes_per_day_range", range, out);
    push_field("all_bytes_per_day", ahead.all_bytes_per_day, out);
    let (rate, days) = match ahead.rate {
        Rate::Unknown => (None, None),
        Rate::Given => (Some("given"), None),
        Rate::Documents { days } => (Some("documents"), Some(days)),
        Rate::Logged => (Some("logged"), None),
    };
    push_text_field("rate", rate, out);
    push_field("rate_days", days, out);
    push_text_field("period", ahead.period.map(DateUnit::word), out);
    push_field("most_bytes", ahead.most_bytes, out);
    let key = ahead.key.as_ref().map(crate::model::key::Key::json);
    let _ = write!(out, ",\"key\":{}", key.as_deref().unwrap_or("null"));
}

fn because(because: Because) -> &'static str {
    match because {
        Because::Full => "full",
        Because::Grows => "grows",
        Because::PeriodEnds => "period-ends",
        Because::Deleted => "deleted",
        Because::OneEach => "one-each",
        Because::NoTime => "no-time",
        Because::TooShort => "too-short",
        Because::FarOff => "far-off",
        Because::Idle => "idle",
        Because::NotLogged => "not-logged",
    }
}
