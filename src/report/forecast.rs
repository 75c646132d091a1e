//! The limits that keys and physical partitions come to, by date; and which RU/s can be had when.

pub mod alerts;
mod levels;
mod load_plan;

use std::io::{self, Write};

use crate::analysis::forecast::{
    Forecast, LEAST_SHOWN, Ladder, LargestKey, LimitKind, LimitSubject, LoadPlan, NextLimit, Rung,
};
use crate::analysis::growth::{LimitDate, limit_date_words};
use crate::model::names::ContainerName;
use crate::model::throughput::{SPLIT_ROUND_HOURS, ThroughputMode, partitions_after};
use crate::model::time::Stamp;
use crate::model::units::{count_text, counted, kib_text, percent_text, six_digits, whole_text};
use crate::model::visible::visible;

use super::csv::Line;
use super::doc::{Doc, Markup, NUMBERS, WORDS};
use super::key_text::key_text;
use super::layout::{limit_name, optional, page_title, title};
use super::write_json::{Json, as_found, list, object, single, stream};
use super::{Style, Writer, writer};

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<Forecast>> {
    writer(name, page, &[("json", json), ("csv", csv)])
}

const MERGE: &str = "Fewer RU/s later leave the partitions as they are. Merging them is a preview, for partitions under 3,000 RU/s and 20 GB on average.";

const UNEVEN: &str = "Partitions have different RU/s. If they were redistributed, the policy is Custom: set it to Equal to change the RU/s of the container. A split for RU/s gives every partition an equal share again.";

fn page(mut doc: Doc, forecast: &Forecast, to: &mut dyn Write) -> io::Result<()> {
    const HEADS: [&str; 8] =
        ["when", "what", "container", "now", "limit", "share", "a day", "then"];
    doc.title("Forecast", &report_title(forecast), &headline(forecast));
    let cells = |limit: &NextLimit| {
        [
            when(forecast, limit),
            subject(limit),
            title(&limit.name),
            value_text(limit),
            limit_text(forecast, limit),
            percent_text(limit.share()),
            optional(limit.growth_a_day(), growth),
            consequence(limit),
        ]
    };
    if doc.is(Markup::Text) {
        for (number, limit) in forecast.limits.iter().enumerate() {
            if number == 0 {
                doc.gap();
            }
            doc.line(&sentence(forecast, limit), "  ", "    ");
            doc.flush(to)?;
        }
    } else if !forecast.limits.is_empty() {
        doc.table(WORDS, HEADS, forecast.limits.iter().map(cells));
    }
    parts(&mut doc, forecast);
    doc.gap();
    doc.notes(what_is_not_listed(forecast), &forecast.notes);
    doc.end(to)
}

/// `Next: key dev-010 in telemetry / readings reaches 20 GB on 2026-11-29 ±6 d.`, then shorter forms of it.
pub fn headlines(forecast: &Forecast) -> [String; 3] {
    let now = match count_text(forecast.reached) {
        n if n == "0" => [String::new(), String::new()],
        n => [format!("At a limit or over it now: {n}. "), format!("{n} at a limit now. ")],
    };
    let next = |words: &dyn Fn(&NextLimit) -> String| match &forecast.next {
        Some(limit) => format!("Next: {}", words(limit)),
        None if forecast.reached == 0 => "No limit has a date.".to_owned(),
        None => "No further limit has a date.".to_owned(),
    };
    let date = |limit: &NextLimit| when(forecast, limit);
    let what = |limit: &NextLimit| format!("{}.", reaches(forecast, limit));
    let whole = |limit: &NextLimit| {
        let (what, date) = (limit_text(forecast, limit), date(limit));
        format!("{} in {} reaches {what} {date}.", subject(limit), title(&limit.name))
    };
    [
        format!("{}{}", now[0], next(&whole)),
        format!("{}{}", now[1], next(&what)),
        format!("{}{}", now[1], next(&|limit| format!("{} {}", subject(limit), date(limit)))),
    ]
}

/// `key dev-010 reaches 20 GB on 2026-11-29 ±6 d`
fn reaches(forecast: &Forecast, limit: &NextLimit) -> String {
    let (what, date) = (limit_text(forecast, limit), when(forecast, limit));
    format!("{} reaches {what} {date}", subject(limit))
}

/// The next limit in its container; without one the headline.
fn report_title(forecast: &Forecast) -> String {
    let next = forecast.next.as_ref();
    let first = next.or(forecast.limits.first());
    let finding = next.map_or_else(|| headline(forecast), |limit| reaches(forecast, limit));
    page_title(first.map(|limit| &limit.name), finding.trim_end_matches('.'), forecast.as_of)
}

fn headline(forecast: &Forecast) -> String {
    let is_alone = |plan: &&LoadPlan| plan.name.is_none();
    if let Some(plan) = forecast.load_plan.as_ref().filter(is_alone) {
        return load_plan::headline(plan);
    }
    let [headline, ..] = headlines(forecast);
    headline
}

pub fn when(forecast: &Forecast, limit: &NextLimit) -> String {
    match (limit.date, limit.levels_off_kib) {
        (LimitDate::Over, _) => "now".to_owned(),
        (LimitDate::Unknown, _) => "no date".to_owned(),
        (LimitDate::Never, Some(kib)) => format!("never: levels off at {}", kib_text(kib)),
        (date, _) => limit_date_words(&date, forecast.as_of),
    }
}

/// `telemetry / readings`
pub fn place(name: &ContainerName) -> String {
    title(name)
}

pub fn subject(limit: &NextLimit) -> String {
    match &limit.subject {
        LimitSubject::Key(key) => format!("key {}", key_text(key.as_deref())),
        LimitSubject::Partition(id) => format!("partition {}", visible(id)),
        LimitSubject::OneKey { permille } => {
            format!("a key with {}", percent_text(f64::from(*permille) / 1_000.0))
        }
    }
}

/// `it splits in two, which takes 4 to 6 h; a split leaves key dev-010 whole: 83 % of it`
pub fn consequence(limit: &NextLimit) -> String {
    let mut what = limit.consequence();
    if limit.stays_below() {
        return what;
    }
    if let Some(share) = limit.hidden_share.filter(|share| *share > 0.0) {
        what = format!("{what} ({} of RU throttled)", percent_text(share));
    }
    if limit.is_slowed {
        what.push_str("; it grows more slowly once some keys are full");
    }
    if let Some(LargestKey { key, share }) = &limit.largest_key {
        let (key, share) = (key_text(key.as_deref()), percent_text(*share));
        what = format!("{what}; a split leaves key {key} whole: {share} of it");
    }
    what
}

/// `15.1 GiB`; `peak 13,556` RU/s, in the busiest step of the worst five minutes.
pub fn value_text(limit: &NextLimit) -> String {
    let is_size = limit.kind.is_size();
    if is_size { kib_text(limit.now) } else { format!("peak {}", whole_text(limit.now)) }
}

pub fn limit_text(forecast: &Forecast, limit: &NextLimit) -> String {
    match limit.kind {
        LimitKind::KeySize => forecast.ceiling.name(),
        LimitKind::PartitionSize => "50 GB".to_owned(),
        LimitKind::KeyRu | LimitKind::PartitionRu => ru_text(limit.limit),
    }
}

fn ru_text(ru_per_second: f64) -> String {
    format!("{} RU/s", whole_text(ru_per_second))
}

pub fn growth(kib: f64) -> String {
    super::diff::signed(kib, kib_text)
}

/// `on 2026-11-29 ±6 d  key dev-010 in telemetry / readings: 16.1 GiB, 81 % of 20 GB, +102 MiB a day; then writes to it get 403`
pub fn sentence(forecast: &Forecast, limit: &NextLimit) -> String {
    let (date, who, place) = (when(forecast, limit), subject(limit), title(&limit.name));
    let unit = if limit.kind.is_size() { "" } else { " RU/s" };
    let (now, share) = (value_text(limit) + unit, percent_text(limit.share()));
    let a_day = limit.growth_a_day().filter(|kib| kib.abs() >= LEAST_SHOWN);
    let is_less = a_day.is_some_and(|kib| kib < 0.0);
    let a_day = a_day.map_or(String::new(), |kib| format!(", {} a day", growth(kib)));
    let what = consequence(limit);
    let then = match limit.date {
        LimitDate::Never => String::new(),
        LimitDate::Unknown if is_less => String::new(),
        LimitDate::Unknown if limit.stays_below() => format!(", and {what}"),
        LimitDate::Unknown if limit.hidden_share.is_some() => format!("; {what}"),
        LimitDate::Over => format!("; {what}"),
        LimitDate::Date { .. } | LimitDate::Unknown => format!("; then {what}"),
    };
    let of = limit_text(forecast, limit);
    format!("{date}  {who} in {place}: {now}, {share} of {of}{a_day}{then}")
}

pub fn what_is_not_listed(forecast: &Forecast) -> Option<String> {
    let shown = forecast.limits.len() as u64;
    let mut said = Vec::new();
    if shown < forecast.limits_total {
        let [shown, all] = [shown, forecast.limits_total].map(count_text);
        said.push(format!("{shown} of {all} limits are listed (--top N)."));
    }
    if forecast.undated_keys > 0 {
        let keys = counted(forecast.undated_keys, "key", "keys");
        said.push(format!(
            "{keys}: no date, as growth is unknown or within the error (1 % of the partition)."
        ));
    }
    if forecast.calm_keys > 0 {
        let keys = counted(forecast.calm_keys, "key", "keys");
        let limit = limit_name(forecast.ceiling);
        said.push(format!("{keys}: never at {limit} as they grow now."));
    }
    let is_undated = |limit: &NextLimit| !limit.kind.is_size() && limit.date == LimitDate::Unknown;
    if forecast.limits.iter().any(is_undated) {
        said.push("RU/s have no date: how load grows is not known.".to_owned());
    }
    (!said.is_empty()).then(|| said.join(" "))
}

const LADDER_HEADS: [&str; 4] = ["up to", "partitions", "takes", "lowest RU/s afterwards"];

/// What comes behind the limits.
fn parts(doc: &mut Doc, forecast: &Forecast) {
    levels::part(doc, &forecast.levels);
    ladders(doc, forecast);
    if let Some(plan) = &forecast.load_plan {
        load_plan::part(doc, plan);
    }
}

fn ladders(doc: &mut Doc, forecast: &Forecast) {
    for (name, ladder) in &forecast.ladders {
        doc.part(&format!("RU/s of {}", title(name)));
        let (mode, ru) = (ladder.throughput_mode, ladder.ru_per_second);
        doc.paragraph(&now_text(mode, ru, ladder.partitions), "");
        let rung = |rung: &Rung| {
            [
                whole_text(rung.ru_per_second),
                count_text(rung.partitions as u64),
                takes(rung),
                whole_text(rung.lowest_after),
            ]
        };
        if ladder.has_uneven_ru {
            doc.paragraph(UNEVEN, "");
        }
        doc.table(NUMBERS, LADDER_HEADS, ladder.rungs.iter().map(rung));
        if let Some(target) = ladder.then_lower_to
            && let Some(last) = ladder.rungs.last()
        {
            let [most, set] = [last.ru_per_second, target].map(whole_text);
            let now = ladder.partitions;
            let chosen =
                counted((partitions_after(now, Some(target)) - now) as u64, "split", "splits");
            let way = format!(
                "For {set} RU/s on even partitions: set {most}, wait until the splits are done, then set {set}. Set at once, {set} RU/s need {chosen}, of partitions that the service chooses; the limits above hold for the worst choice."
            );
            doc.paragraph(&way, "");
        }
        doc.part_end();
    }
    if !forecast.ladders.is_empty() {
        doc.gap();
        doc.paragraph(MERGE, "");
    }
}

fn now_text(throughput_mode: ThroughputMode, ru_per_second: f64, partitions: usize) -> String {
    let mode = match throughput_mode {
        ThroughputMode::Manual => "manual",
        ThroughputMode::AutoscaleOrShared => "autoscale",
    };
    let partitions = counted(partitions as u64, "partition", "partitions");
    let ru = whole_text(ru_per_second);
    format!("Now {ru} RU/s, {mode}, on {partitions}.")
}

/// At once, or the hours of its rounds of splits.
fn takes(rung: &Rung) -> String {
    if rung.rounds == 0 {
        return "at once".to_owned();
    }
    let [from, to] = SPLIT_ROUND_HOURS.map(|hours| hours * rung.rounds);
    format!("{from} to {to} h")
}

fn subject_json(limit: &NextLimit) -> (Option<&str>, Option<&str>) {
    match &limit.subject {
        LimitSubject::Key(key) => (Some(key.as_deref().unwrap_or("null")), None),
        LimitSubject::Partition(id) => (None, Some(id)),
        LimitSubject::OneKey { .. } => (None, None),
    }
}

/// The day, and its earliest and latest.
fn days(limit: &NextLimit) -> [Option<String>; 3] {
    match limit.date {
        LimitDate::Date { at, earliest, latest } => {
            [Some(at), Some(earliest), latest].map(|at| at.map(Stamp::date_text))
        }
        LimitDate::Over | LimitDate::Never | LimitDate::Unknown => [None, None, None],
    }
}

fn limit_json(limit: &NextLimit) -> Json {
    let (key, partition) = subject_json(limit);
    let [date, earliest, latest] = days(limit);
    let is_one_key = matches!(limit.subject, LimitSubject::OneKey { .. });
    let largest = limit.largest_key.as_ref();
    object()
        .names(&limit.name)
        .with("limit", limit.kind.word())
        .with_known("key", key.map(|key| as_found(Some(key))))
        .with_known("partition", partition)
        .with_known("one_key", is_one_key.then_some(true))
        .with("now", six_digits(limit.now))
        .with("at", six_digits(limit.limit))
        .with("share", six_digits(limit.share()))
        .with("a_day", limit.growth_a_day().map(six_digits))
        .with("state", limit.date.state())
        .with("date", date)
        .with("earliest", earliest)
        .with("latest", latest)
        .with("levels_off_at", limit.levels_off_kib.map(six_digits))
        .with_known("throttled_share", limit.hidden_share.map(six_digits))
        .with_known("largest_key", largest.map(|l| as_found(l.key.as_deref())))
        .with_known("largest_key_share", largest.map(|l| six_digits(l.share)))
}

fn json(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let head = object().with("schema", 1).with("as_of", forecast.as_of.map(Stamp::date_text));
    let rung = |rung: &Rung| {
        let [from, to] = SPLIT_ROUND_HOURS.map(|hours| hours * rung.rounds);
        object()
            .with("ru_per_second", rung.ru_per_second)
            .with("partitions", rung.partitions)
            .with("hours", [from, to])
            .with("lowest_afterwards", rung.lowest_after)
    };
    let ladder = |(name, ladder): &(ContainerName, Ladder)| -> Json {
        let rungs: Vec<Json> = ladder.rungs.iter().map(rung).collect();
        object()
            .names(name)
            .with("ru_per_second", ladder.ru_per_second)
            .with("partitions", ladder.partitions)
            .with("steps", rungs)
            .with("then_lower_to", ladder.then_lower_to)
            .with("has_uneven_ru", ladder.has_uneven_ru)
    };
    let ladders: Vec<Json> = forecast.ladders.iter().map(ladder).collect();
    let tail = object()
        .with("limits_total", forecast.limits_total)
        .with("keys_without_date", forecast.undated_keys)
        .with("keys_that_never_reach_it", forecast.calm_keys)
        .with("containers", list(&forecast.levels, levels::json))
        .with("scaling", single(&ladders))
        .with_known("load", forecast.load_plan.as_ref().map(load_plan::json))
        .notes("notes", &forecast.notes);
    stream(head, "limits", forecast.limits.iter().map(limit_json), &tail, to)?;
    to.write_all(b"\n")
}

const HEADER: &str = "account,database,container,limit,key,partition,now,at,share,a_day,state,date,earliest,latest,levels_off_at,largest_key,largest_key_share\n";

/// One row for each limit; sizes in KiB. What is not known is an empty cell.
fn csv(forecast: &Forecast, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let planned = forecast.load_plan.as_ref();
    if let Some(plan) = planned.filter(|plan| plan.name.is_none()) {
        return load_plan::csv(plan, style, to);
    }
    let mut line = Line::below(HEADER, style, to)?;
    for limit in &forecast.limits {
        let (key, partition) = subject_json(limit);
        line.names(&limit.name)
            .plain(Some(limit.kind.word()))
            .json(key)
            .text(partition)
            .number(Some(six_digits(limit.now)))
            .number(Some(limit.limit))
            .number(Some(six_digits(limit.share())))
            .number(limit.growth_a_day().map(six_digits))
            .plain(Some(limit.date.state()));
        for day in days(limit) {
            line.plain(day);
        }
        let largest = limit.largest_key.as_ref();
        line.number(limit.levels_off_kib.map(six_digits));
        line.json(largest.map(|l| l.key.as_deref().unwrap_or("null")));
        line.number(largest.map(|l| six_digits(l.share))).end(to)?;
    }
    for level in &forecast.levels {
        levels::push_cells(level, &mut line).end(to)?;
    }
    if let Some(plan) = planned {
        to.write_all(b"\n")?;
        load_plan::csv(plan, style, to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
