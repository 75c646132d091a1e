//! The heat of partitions for scripts: one JSON object, schema 1.
//!
//! `{"schema":2,"view":"heat","as_of":T|null,"ceiling_kib":n,"thresholds":{name:n},"containers":[{"account","database","container","key_paths",
//! "key_kind","key_version","ru_per_second":n|null,"whole_requests":n|null,"whole_refused":n|null,"from":T|null,"to":T|null,"verdicts":[…],"tracks":[…],"load":i|null,
//! "ru":i|null,"requests":i|null,"refused":i|null,"partitions":[…],"partitions_total":n,"map":{…}|null,"keys":[…],
//! "notes":[s]}],"notes":[s]}`. Shares are fractions, T is RFC 3339, sizes are KiB, what is not known is null and never
//! 0, and a gap of a series is null. `load`, `ru`, `requests` and `refused` are the indices of the tracks that those
//! columns of `partitions` are from: each is one region's.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::billing::Price;
use crate::analysis::demand::remedies::{Effect, Remedy};
use crate::analysis::heat::{Along, Named, Unit};
use crate::model::key::Key;
use crate::model::time::Stamp;
use crate::model::units::PHYSICAL_CEILING_KIB;

use super::words::capacity_word;
use super::{
    Agreement, ContainerHeatRows, HeatMap, HeatReport, KeyHeat, KeyOf, PartitionKeys, PartitionRow,
    TrackRow, VerdictRow,
};
use crate::report::Style;
use crate::report::json::push_definition;
use crate::report::key_text::key_text;
use crate::report::layout::visible_once;
use crate::report::write_json::{
    push_moment, push_names, push_notes, push_number, push_number_or_null, push_text,
    push_text_or_null, push_value, six_digits,
};

pub(super) fn write(report: &HeatReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = String::from("{\"schema\":2,\"view\":\"heat\",\"as_of\":");
    push_moment(report.as_of, &mut out);
    out.push_str(",\"ceiling_kib\":");
    push_number(report.ceiling.kib(), &mut out);
    out.push_str(",\"thresholds\":{");
    for (i, threshold) in report.thresholds.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\"{}\":", threshold.name);
        push_number(threshold.value, &mut out);
    }
    out.push_str("},\"containers\":[");
    for (i, container) in report.containers.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_head(container, report.price.as_ref(), &mut out);
        push_list(
            "partitions",
            &container.partitions,
            push_partition,
            &mut out,
        );
        let _ = write!(
            out,
            ",\"partitions_total\":{},\n\"map\":",
            container.partitions_total
        );
        match &container.map {
            Some(map) => push_map(map, &mut out),
            None => out.push_str("null"),
        }
        push_list("keys", &container.keys, push_keys, &mut out);
        out.push(',');
        push_notes(&container.notes, &mut out);
        out.push('}');
        to.write_all(out.as_bytes())?;
        out.clear();
    }
    out.push_str("],\n");
    push_notes(&report.notes, &mut out);
    out.push_str("}\n");
    to.write_all(out.as_bytes())
}

fn push_head(container: &ContainerHeatRows, price: Option<&Price>, out: &mut String) {
    out.push('{');
    push_names(&container.name, out);
    push_definition(container.definition.as_ref(), out);
    out.push_str(",\"ru_per_second\":");
    push_number_or_null(container.ru_per_second, out);
    push_count("whole_requests", container.whole.requests, out);
    push_count("whole_refused", container.whole.refused, out);
    push_span(container.span, out);
    out.push_str(",\n\"now\":");
    push_value(&container.now, out);
    let push_row = |row: &VerdictRow, out: &mut String| push_verdict(row, price, out);
    push_list("verdicts", &container.verdicts, push_row, out);
    push_list("tracks", &container.tracks, push_track, out);
    let sources = container.sources;
    for (name, index) in [
        ("load", sources.load),
        ("ru", sources.ru),
        ("requests", sources.requests),
        ("refused", sources.refused),
    ] {
        let index = index.map_or_else(|| "null".to_owned(), |i| i.to_string());
        let _ = write!(out, ",\"{name}\":{index}");
    }
}

/// `,"name":[…]`, each entry on a line of its own.
fn push_list<T>(name: &str, list: &[T], push: impl Fn(&T, &mut String), out: &mut String) {
    let _ = write!(out, ",\n\"{name}\":[");
    for (i, entry) in list.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push(entry, out);
    }
    out.push(']');
}

fn push_seconds(name: &str, second: Option<i64>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    push_moment(second.and_then(Stamp::from_seconds), out);
}

fn push_span(span: Option<(i64, i64)>, out: &mut String) {
    push_seconds("from", span.map(|s| s.0), out);
    push_seconds("to", span.map(|s| s.1), out);
}

fn push_measured(name: &str, value: Option<f64>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    push_number_or_null(value.map(six_digits), out);
}

fn push_count(name: &str, count: Option<u64>, out: &mut String) {
    let count = count.map_or_else(|| "null".to_owned(), |n| n.to_string());
    let _ = write!(out, ",\"{name}\":{count}");
}

fn push_named_text(name: &str, text: Option<&str>, out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    push_text_or_null(text, out);
}

fn push_verdict(row: &VerdictRow, price: Option<&Price>, out: &mut String) {
    let verdict = &row.verdict;
    let words = |phrase: &crate::analysis::diagnosis::Phrase| phrase.text(key_text);
    out.push_str("{\"rule\":");
    push_text(verdict.rule, out);
    let _ = write!(out, ",\"severity\":\"{}\"", verdict.severity.word());
    push_named_text("partition", row.partition.as_deref(), out);
    push_named_text("region", verdict.region.as_deref(), out);
    out.push_str(",\"key\":");
    let key = verdict.key.as_deref().and_then(Key::from_canonical);
    out.push_str(&key.map_or_else(|| "null".to_owned(), |key| key.json()));
    push_named_text("headline", Some(&words(&verdict.headline)), out);
    out.push_str(",\"since\":");
    push_moment(verdict.since, out);
    out.push_str(",\"as_of\":");
    push_moment(verdict.as_of, out);
    for (field, word) in [
        ("answers", Effect::word as fn(Effect) -> &'static str),
        ("answers_v1", word_v1),
    ] {
        let _ = write!(out, ",\"{field}\":{{");
        let names = ["more_ru", "split", "redistribute", "new_key"].iter();
        for (i, (name, (_, answer))) in names.zip(verdict.answers.named()).enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let says = word(answer.says);
            let _ = write!(out, "{comma}\"{name}\":{{\"says\":\"{says}\",\"why\":");
            push_text(&visible_once(&answer.why), out);
            out.push('}');
        }
        out.push('}');
    }
    push_list(
        "evidence",
        &verdict.evidence,
        |fact, out| {
            out.push_str("{\"what\":");
            push_text(&words(&fact.what), out);
            push_named_text("value", Some(&fact.value), out);
            push_named_text("from", Some(&fact.from), out);
            out.push('}');
        },
        out,
    );
    push_list(
        "what_if",
        &verdict.remedies,
        |row, out| push_remedy(row, price, out),
        out,
    );
    push_list(
        "steps",
        &verdict.steps,
        |step, out| push_text(&words(step), out),
        out,
    );
    out.push('}');
}

fn push_remedy(row: &Remedy, price: Option<&Price>, out: &mut String) {
    out.push_str("{\"name\":");
    push_text(&row.name, out);
    push_named_text("words", Some(&row.words), out);
    push_measured("refused_share", row.throttled.map(|t| t.point), out);
    push_measured("refused_share_low", row.throttled.map(|t| t.low), out);
    push_measured("refused_share_high", row.throttled.map(|t| t.high), out);
    push_measured("load_ratio", row.imbalance, out);
    push_measured("ru_per_second", row.ru_per_second, out);
    if let Some(price) = price {
        let money = row.ru_per_second.map(|ru| price.per_month(ru));
        push_measured("per_month", money, out);
        push_named_text("currency", Some(&price.currency), out);
    }
    push_named_text("takes", Some(row.takes), out);
    push_named_text("effect", Some(row.effect.word()), out);
    out.push('}');
}

/// What schema 1 wrote: for one version more.
fn word_v1(effect: Effect) -> &'static str {
    match effect {
        Effect::Fixes => "yes",
        Effect::Helps => "partly",
        Effect::None | Effect::Worse => "no",
        Effect::NotNeeded => "not needed",
        Effect::Unknown => "unknown",
    }
}

fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "share",
        Unit::RuPerSecond => "ru_per_second",
        Unit::PerSecond => "per_second",
        Unit::Kib => "kib",
    }
}

fn push_track(track: &TrackRow, out: &mut String) {
    let (name, unit) = (track.measure.name(), unit_word(track.measure.unit()));
    let _ = write!(out, "{{\"measure\":\"{name}\",\"unit\":\"{unit}\"");
    push_named_text("region", track.region.as_deref(), out);
    let _ = write!(out, ",\"step_s\":{}", track.step_s);
    push_span(track.span, out);
    push_named_text("source", Some(&track.from), out);
    out.push('}');
}

fn push_partition(row: &PartitionRow, out: &mut String) {
    out.push_str("{\"id\":");
    let (id, named) = match &row.named {
        Named::Range(id) => (Some(id.as_str()), "range"),
        Named::Guid(_) => (None, "guid"),
        Named::Undefined => (None, "undefined"),
        Named::NotReported => (None, "not_reported"),
    };
    push_text_or_null(id, out);
    let _ = write!(out, ",\"named\":\"{named}\"");
    let guid = match &row.named {
        Named::Guid(guid) => Some(guid),
        _ => row.guid.as_ref(),
    };
    push_named_text("guid", guid.map(String::as_str), out);
    push_named_text("min_inclusive", row.min_inclusive.as_deref(), out);
    push_named_text("max_exclusive", row.max_exclusive.as_deref(), out);
    push_texts("parents", &row.parents, out);
    push_named_text("status", row.status.as_deref(), out);
    out.push_str(",\"ru_per_second\":");
    push_number_or_null(row.capacity.map(|c| c.ru_per_second), out);
    push_named_text(
        "ru_per_second_from",
        row.capacity.map(|c| capacity_word(c.from)),
        out,
    );
    out.push_str(",\"size_kib\":");
    push_number_or_null(row.kib, out);
    push_measured(
        "share_of_50gb",
        row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB),
        out,
    );
    let standing = row.standing;
    push_measured("p99", standing.map(|s| s.p99), out);
    push_measured("highest", standing.map(|s| s.highest), out);
    push_seconds("highest_at", standing.map(|s| s.highest_at), out);
    for (name, count) in [
        ("saturated_s", standing.and_then(|s| s.saturated_s)),
        ("steps", standing.map(|s| s.steps)),
        ("gaps", row.gaps),
    ] {
        push_count(name, count, out);
    }
    push_measured("ru", row.ru, out);
    push_measured("requests", row.requests, out);
    push_measured("refused", row.refused, out);
    push_measured("refused_share", row.refused_share(), out);
    push_count("forbidden", row.forbidden, out);
    out.push('}');
}

fn push_texts(name: &str, texts: &[String], out: &mut String) {
    let _ = write!(out, ",\"{name}\":");
    push_text_list(texts, out);
}

fn push_text_list(texts: &[String], out: &mut String) {
    out.push('[');
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_text(text, out);
    }
    out.push(']');
}

fn push_map(map: &HeatMap, out: &mut String) {
    let measure = map.track.measure;
    let _ = write!(
        out,
        "{{\"measure\":\"{}\",\"unit\":\"{}\"",
        measure.name(),
        unit_word(measure.unit())
    );
    push_named_text("region", map.track.region.as_deref(), out);
    push_named_text("source", Some(&map.track.from), out);
    push_seconds("from", Some(map.window.from), out);
    let along = match map.along {
        Along::Sum => "sum",
        Along::Highest => "highest",
    };
    let _ = write!(
        out,
        ",\"cell_s\":{},\"columns\":{},\"step_s\":{},\"partitions_per_row\":{},\"partitions_without_values\":{},\"together_is\":\"{along}\"",
        map.window.width_s, map.window.columns, map.track.step_s, map.merged, map.silent
    );
    push_values("together", &map.together, out);
    push_list(
        "rows",
        &map.rows,
        |row, out| {
            out.push_str("{\"partitions\":");
            push_text_list(&row.partitions, out);
            push_values("values", &row.cells, out);
            if row.refused.is_empty() {
                out.push_str(",\"refused_per_second\":null");
            } else {
                push_values("refused_per_second", &row.refused, out);
            }
            out.push('}');
        },
        out,
    );
    out.push('}');
}

fn push_values(name: &str, values: &[f32], out: &mut String) {
    let _ = write!(out, ",\"{name}\":[");
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_number(six_digits(f64::from(*value)), out);
    }
    out.push(']');
}

fn push_keys(keys: &PartitionKeys, out: &mut String) {
    out.push_str("{\"partition\":");
    push_text(&keys.partition, out);
    push_named_text("region", keys.region.as_deref(), out);
    let _ = write!(out, ",\"keys_total\":{}", keys.keys_total);
    push_list("keys", &keys.keys, push_key, out);
    out.push('}');
}

fn push_key(key: &KeyHeat, out: &mut String) {
    let (json, is) = match &key.key {
        KeyOf::Named(json) => (&**json, "key"),
        KeyOf::NotReported => ("null", "not_reported"),
        KeyOf::Others => ("null", "further_keys"),
    };
    let _ = write!(out, "{{\"key\":{json},\"is\":\"{is}\"");
    let load = &key.load;
    push_measured("ru", Some(load.ru), out);
    push_measured("share", Some(load.share), out);
    let _ = write!(out, ",\"records\":{}", load.records);
    push_measured("peak_ru_per_second", Some(load.peak_ru_per_second), out);
    push_seconds("peak_at", load.peak_at, out);
    push_seconds("first", load.first, out);
    push_seconds("last", load.last, out);
    push_seconds("since", load.since, out);
    out.push_str(",\"size_kib\":");
    push_number_or_null(key.size.map(|s| s.0), out);
    push_measured("share_of_ceiling", key.size.map(|s| s.1), out);
    let place = key.place.as_ref();
    push_named_text("belongs_to", place.map(|p| p.partition.as_str()), out);
    push_named_text("belongs_by", place.map(|p| p.how), out);
    let agrees = place.map_or("null", |p| match p.agreement {
        Agreement::Agrees => "true",
        Agreement::Differs => "false",
    });
    let _ = write!(out, ",\"agrees\":{agrees}}}");
}
