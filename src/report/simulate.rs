//! A container in time: what happens when and why, and the partitions at the end.

mod compared;
mod pictures;

use std::io::{self, Write};

use crate::analysis::design::time_text;
use crate::analysis::simulate::{
    EventCause, LapseEvent, LapseEventKind, LapseFrame, OverflowPolicy, PartitionFrame, TimeLapse,
};
use crate::model::time::Stamp;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text, real_seconds, six_digits,
    trimmed_text, whole_text, with_unit,
};
use crate::model::visible::visible;

pub use compared::rejected_writes;

use pictures::svg;

use super::Style;
use super::csv::Line;
use super::doc::{Doc, Markup, NUMBERS, WORDS};
use super::key_text::key_text;
use super::layout::{optional, page_title, title};
use super::write_json::{Json, as_found, moment, object, single, stream};

/// One format; with how many events.
pub type LapseWriter = fn(&[TimeLapse], usize, Style, &mut dyn Write) -> io::Result<()>;

/// Events that one goes through on a page: each has a picture of all partitions.
const MOST_MOMENTS: usize = 60;
const UNVERIFIED: &str = "Not verified: that the service takes upserts of a key at its limit.";
const CHAIN: &str =
    "Reads of all of a full key visit each key of its chain; its load stays on the first.";

pub fn format(name: &str) -> Option<LapseWriter> {
    Some(match name {
        "text" => |lapses, top, style, to| page(Doc::text(style), lapses, top, to),
        "md" => |lapses, top, style, to| page(Doc::md(style), lapses, top, to),
        "html" => |lapses, top, style, to| page(Doc::html(style), lapses, top, to),
        "svg" => svg,
        "json" => json,
        "csv" => csv,
        _ => return None,
    })
}

fn page(mut doc: Doc, lapses: &[TimeLapse], top: usize, to: &mut dyn Write) -> io::Result<()> {
    let top = if doc.is(Markup::Html) { top.min(MOST_MOMENTS) } else { top };
    if let [lapse] = lapses {
        let finding = format!("{} in {}", totals(lapse).join(", "), span(lapse));
        let page = page_title([&lapse.name], &finding, lapse.start);
        doc.title("Simulation", &page, &headline(lapse));
    } else {
        compared::head(&mut doc, lapses);
    }
    for (id, lapse) in lapses.iter().enumerate() {
        if lapses.len() > 1 {
            doc.part(&compared::title(lapse));
        }
        events(&mut doc, lapse, id, top);
        end(&mut doc, lapse, top);
        if lapses.len() > 1 {
            doc.part_end();
        }
        doc.flush(to)?;
    }
    doc.end(to)
}

/// A line for each, or a row; on a page a picture for each, and `id` keeps those of several keys apart.
fn events(doc: &mut Doc, lapse: &TimeLapse, id: usize, top: usize) {
    let shown = lapse.events.iter().take(top);
    match doc.kind {
        Markup::Html => doc.raw(pictures::figures(lapse, id, top)),
        _ if lapse.events.is_empty() => {}
        Markup::Md => {
            let cells = |event: &LapseEvent| [when(lapse, event.at_s), who(event), what(event)];
            doc.table(WORDS, ["when", "who", "what"], shown.map(cells));
        }
        Markup::Text => {
            doc.gap();
            for event in shown {
                let line = format!("{}  {}", when(lapse, event.at_s), sentence(event));
                doc.line(&line, "  ", "    ");
            }
        }
    }
}

/// The partitions as they are at the end, and what is not listed.
fn end(doc: &mut Doc, lapse: &TimeLapse, top: usize) {
    const HEADS: [&str; 6] = ["partition", "stored", "of 50 GB", "RU/s", "demand", "429"];
    let last = lapse.frames.last().filter(|f| !f.partitions.is_empty());
    if let Some(frame) = last {
        doc.part(&format!("Partitions {}", when(lapse, frame.at_s)));
        let row = |p: &PartitionFrame| {
            [
                visible(&p.id).into_owned(),
                optional(p.kib, kib_text),
                optional(p.kib, |kib| percent_text(kib / PHYSICAL_CEILING_KIB)),
                optional(p.ru_per_second, whole_text),
                optional(p.demand, whole_text),
                optional(p.throttled_share, percent_text),
            ]
        };
        doc.table(NUMBERS, HEADS, frame.partitions.iter().map(row));
        doc.part_end();
    }
    doc.gap();
    doc.notes(remarks(lapse, top), &lapse.notes);
}

/// `In 30 days from 2026-06-22: … First: …`
fn headline(lapse: &TimeLapse) -> String {
    let first = lapse.events.first().map_or_else(
        || "Nothing happens.".to_owned(),
        |event| format!("First {}: {}.", when(lapse, event.at_s), sentence(event)),
    );
    let span = span(lapse);
    let place = title(&lapse.name);
    format!("{place}, {span}: {}. {first}", totals(lapse).join(", "))
}

/// `30 days`: how long is simulated.
fn span(lapse: &TimeLapse) -> String {
    let days = real_seconds(lapse.seconds) / 86_400.0;
    match days {
        d if d >= 730.0 => format!("{} years", trimmed_text(d / 365.0)),
        d if d >= 1.0 => with_unit(&trimmed_text(d), "day", "days"),
        d => format!("{} h", trimmed_text(d * 24.0)),
    }
}

fn totals(lapse: &TimeLapse) -> Vec<String> {
    let totals = &lapse.totals;
    let load = match totals.load {
        None => "429s unknown".to_owned(),
        Some(load) if load.throttled <= 0.0 => "no 429s".to_owned(),
        Some(load) => {
            let share = percent_text(load.throttled_share());
            format!("{share} of the load throttled (429)")
        }
    };
    let forbidden = match rejected_writes(totals) {
        None => "403s of unknown number".to_owned(),
        Some(none) if none == "0" && lapse.first(LapseEventKind::Forbidden).is_some() => {
            "403s begin".to_owned()
        }
        Some(none) if none == "0" => "no 403s".to_owned(),
        Some(writes) if totals.rejected_writes.is_some() => format!("{writes} writes get 403"),
        Some(data) => format!("writes of {data} get 403"),
    };
    let mut all = vec![load, forbidden];
    if totals.splits > 0 {
        all.push(format!("splits: {}", count_text(totals.splits)));
    }
    all
}

fn remarks(lapse: &TimeLapse, top: usize) -> Option<String> {
    let mut said = Vec::new();
    let shown = lapse.events.len().min(top) as u64;
    if shown < lapse.events_total {
        let [shown, all] = [shown, lapse.events_total].map(count_text);
        // A page lists no more, whatever is given.
        let more = if top < MOST_MOMENTS { "--top N" } else { "--format json" };
        said.push(format!("{shown} of {all} events are listed ({more})."));
    }
    if let Some(load) = lapse.totals.load.filter(|load| load.throttled > 0.0) {
        said.push(format!(
            "With retries, 429s are {} of the attempts; {} of the load fails after the last one.",
            percent_text(load.attempts_throttled_share()),
            percent_text(load.failed_share())
        ));
    }
    if let Some(ru) = lapse.totals.billed_ru_per_second {
        let ru = whole_text(ru);
        said.push(format!(
            "Autoscale bills {ru} RU/s on average, each hour by the busiest partition."
        ));
    }
    match lapse.overflow {
        OverflowPolicy::Stop => {}
        OverflowPolicy::LinkedList => said.push(CHAIN.to_owned()),
        OverflowPolicy::CircularBuffer => said.push(UNVERIFIED.to_owned()),
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// `2026-07-05 03:12`, or the time since the start.
fn when(lapse: &TimeLapse, at_s: i64) -> String {
    lapse.moment(at_s).map_or_else(
        || format!("after {}", time_text(real_seconds(at_s) / 86_400.0)),
        Stamp::minute_text,
    )
}

fn who(event: &LapseEvent) -> String {
    let key = event.key.as_deref().map(|key| format!("key {}", key_text(Some(key))));
    let partition = event.partition.as_deref();
    let partition = partition.map(|id| format!("partition {}", visible(id)));
    match (key, partition) {
        (Some(key), Some(partition)) => format!("{key} on {partition}"),
        (key, partition) => key.or(partition).unwrap_or_default(),
    }
}

fn what(event: &LapseEvent) -> String {
    event.what(|key| key_text(Some(key)))
}

/// `partition 0: 429s begin: 15,000 RU/s requested, 10,000 provisioned`
fn sentence(event: &LapseEvent) -> String {
    format!("{}: {}", who(event), what(event))
}

/// An event with its moment, as a finding says it.
pub fn event_text(lapse: &TimeLapse, event: &LapseEvent) -> String {
    format!("{} {}", when(lapse, event.at_s), sentence(event))
}

fn event_json(lapse: &TimeLapse, event: &LapseEvent) -> Json {
    let json = object()
        .with("seconds", event.at_s)
        .with("at", moment(lapse.moment(event.at_s).map(Stamp::seconds)))
        .with("event", event.kind.word())
        .with_known("partition", event.partition.as_deref())
        .with_known("key", event.key.as_deref().map(|key| as_found(Some(key))));
    match &event.cause {
        EventCause::Load { ru_per_second, limit } => {
            json.with("ru_per_second", six_digits(*ru_per_second)).with("limit", six_digits(*limit))
        }
        EventCause::Size { kib, kib_per_day, writes_per_day } => json
            .with("size_kib", six_digits(*kib))
            .with("kib_per_day", kib_per_day.map(six_digits))
            .with("writes_per_day", writes_per_day.map(six_digits)),
        EventCause::Split { kib, hours } => {
            json.with("size_kib", six_digits(*kib)).with("hours", hours.map(six_digits))
        }
        EventCause::Children(children) => {
            let child = |child: &crate::analysis::simulate::SplitChild| {
                object()
                    .with("partition", &child.id)
                    .with("size_kib", six_digits(child.kib))
                    .with("keys", child.keys)
                    .with("ru_per_second", child.ru_per_second)
            };
            json.with("children", children.each_ref().map(child))
        }
        EventCause::OneKey { share } => json.with("share", six_digits(*share)),
        EventCause::Suffix { key, number } => {
            json.with("next_key", as_found(Some(key))).with("number", number)
        }
        EventCause::Buffer { slots, days } => {
            json.with("documents", slots).with("days", days.map(six_digits))
        }
    }
}

fn frame_json(frame: &LapseFrame) -> Json {
    let partition = |p: &PartitionFrame| {
        object()
            .with("id", &p.id)
            .with("size_kib", p.kib.map(six_digits))
            .with("demand", p.demand.map(six_digits))
            .with("ru_per_second", p.ru_per_second)
            .with("throttled_share", p.throttled_share.map(six_digits))
            .with("splitting", p.is_splitting)
    };
    let partitions: Vec<Json> = frame.partitions.iter().map(partition).collect();
    object()
        .with("seconds", frame.at_s)
        .with("full_keys", frame.full_keys)
        .with("partitions", partitions)
}

/// One object; several below `simulations`.
fn json(lapses: &[TimeLapse], top: usize, _: Style, to: &mut dyn Write) -> io::Result<()> {
    if let [lapse] = lapses {
        lapse_json(lapse, top, to)?;
        return to.write_all(b"\n");
    }
    to.write_all(b"{\"schema\":1,\"simulations\":[")?;
    for (number, lapse) in lapses.iter().enumerate() {
        if number > 0 {
            to.write_all(b",")?;
        }
        lapse_json(lapse, top, to)?;
    }
    to.write_all(b"]}\n")
}

fn lapse_json(lapse: &TimeLapse, top: usize, to: &mut dyn Write) -> io::Result<()> {
    let totals = &lapse.totals;
    let load = totals.load.map(|load| {
        object()
            .with("requested_ru", six_digits(load.requested))
            .with("throttled_share", six_digits(load.throttled_share()))
            .with("throttled_share_of_attempts", six_digits(load.attempts_throttled_share()))
            .with("failed_share", six_digits(load.failed_share()))
            .with("mean_delay_s", six_digits(load.delay_s()))
    });
    let head = object()
        .with("schema", 1)
        .names(&lapse.name)
        .with("key", lapse.key.as_deref())
        .with("new_container", lapse.is_moved)
        .with("start", moment(lapse.start.map(Stamp::seconds)))
        .with("seconds", lapse.seconds)
        .with("overflow", lapse.overflow.word())
        .with("seed", lapse.seed)
        .with("load", load)
        .with("rejected_kib", six_digits(totals.rejected_kib))
        .with("rejected_writes", totals.rejected_writes.map(six_digits))
        .with("full_keys_of_unknown_growth", totals.full_of_unknown_growth)
        .with("billed_ru_per_second", totals.billed_ru_per_second.map(six_digits))
        .with("splits", totals.splits)
        .with("events_total", lapse.events_total);
    let events: Vec<Json> =
        lapse.events.iter().take(top).map(|event| event_json(lapse, event)).collect();
    let head = head.with("events", single(&events));
    let tail = object().notes("notes", &lapse.notes);
    stream(head, "frames", lapse.frames.iter().map(frame_json), &tail, to)
}

const HEADER: &str = "account,database,container,new_container_key,at,seconds,event,key,partition,ru_per_second,limit,size_kib,kib_per_day,writes_per_day,what\n";

/// One row for each event; what is not known is an empty cell.
fn csv(lapses: &[TimeLapse], top: usize, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    let mut lapses = lapses.iter();
    lapses.try_for_each(|lapse| csv_rows(lapse, top, &mut line, to))
}

fn csv_rows(lapse: &TimeLapse, top: usize, line: &mut Line, to: &mut dyn Write) -> io::Result<()> {
    for event in lapse.events.iter().take(top) {
        let figures = match &event.cause {
            EventCause::Load { ru_per_second, limit } => {
                [Some(*ru_per_second), Some(*limit), None, None, None]
            }
            EventCause::Size { kib, kib_per_day, writes_per_day } => {
                [None, None, Some(*kib), *kib_per_day, *writes_per_day]
            }
            EventCause::Split { kib, .. } => [None, None, Some(*kib), None, None],
            _ => [None; 5],
        };
        line.names(&lapse.name)
            .text(lapse.key.as_deref().filter(|_| lapse.is_moved))
            .plain(moment(lapse.moment(event.at_s).map(Stamp::seconds)))
            .plain(Some(event.at_s))
            .plain(Some(event.kind.word()))
            .json(event.key.as_deref())
            .text(event.partition.as_deref());
        for figure in figures {
            line.number(figure.map(six_digits));
        }
        line.text(Some(&what(event))).end(to)?;
    }
    Ok(())
}
