//! The heat of partitions for scripts: one JSON object, schema 1.
//!
//! `{"schema":2,"view":"heat","as_of":T|null,"ceiling_kib":n,"thresholds":{name:n},"containers":[{"account","database","container","key_paths",
//! "key_kind","key_version","ru_per_second":n|null,"whole_requests":n|null,"whole_refused":n|null,"from":T|null,"to":T|null,"verdicts":[…],"tracks":[…],"load":i|null,
//! "ru":i|null,"requests":i|null,"refused":i|null,"partitions":[…],"partitions_total":n,"map":{…}|null,"keys":[…],
//! "notes":[s]}],"notes":[s]}`. Shares are fractions, T is RFC 3339, sizes are KiB, what is not known is null and never
//! 0, and a gap of a series is null. `load`, `ru`, `requests` and `refused` are the indices of the tracks that those
//! columns of `partitions` are from: each is one region's.

use std::io::{self, Write};

use crate::analysis::billing::Price;
use crate::analysis::demand::remedies::{Remedy, RemedyEffect};
use crate::analysis::diagnosis::{Fact, Phrase};
use crate::analysis::heat::{Aggregate, RangeName, Unit};
use crate::model::key::Key;
use crate::model::time::Stamp;
use crate::model::units::{PHYSICAL_CEILING_KIB, six_digits};

use super::words::capacity_word;
use super::{
    ContainerHeatRows, HeatMap, HeatReport, KeyHeat, MapRow, PartitionKeys, PartitionRow, TrackRow,
    VerdictRow,
};
use crate::report::Style;
use crate::report::key_text::key_text;
use crate::report::layout::visible_once;
use crate::report::write_json::{Json, as_found, lines, moment, object, stream};

pub(super) fn write(report: &HeatReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let finite = |value: f64| Some(value).filter(|v| v.is_finite());
    let thresholds = report.thresholds.iter();
    let thresholds = thresholds.map(|t| (t.name, finite(t.value)));
    let head = object()
        .with("schema", 2)
        .with("view", "heat")
        .with("as_of", report.as_of.map(Stamp::rfc3339))
        .with("ceiling_kib", report.ceiling.kib())
        .with("thresholds", object().with_all(thresholds));
    let containers = report.containers.iter();
    let containers = containers.map(|c| container(c, report.price.as_ref()));
    let tail = object().notes("\nnotes", &report.notes);
    stream(head, "containers", containers, &tail, to)?;
    to.write_all(b"\n")
}

fn container(container: &ContainerHeatRows, price: Option<&Price>) -> Json {
    let sources = container.sources;
    let partitions = container.partitions.iter().map(partition);
    let verdicts = container.verdicts.iter().map(|row| verdict(row, container, price));
    object()
        .names(&container.name)
        .definition(container.definition.as_ref())
        .with("ru_per_second", container.ru_per_second)
        .with("whole_requests", container.whole.requests)
        .with("whole_refused", container.whole.throttled)
        .with_all(span(container.span))
        .with("\nnow", &container.now)
        .with("\nverdicts", lines(verdicts))
        .with("\ntracks", lines(container.tracks.iter().map(track)))
        .with("load", sources.load)
        .with("ru", sources.ru)
        .with("requests", sources.requests)
        .with("refused", sources.throttled)
        .with("\npartitions", lines(partitions))
        .with("partitions_total", container.partitions_total)
        .with("\nmap", container.map.as_ref().map(map))
        .with("\nkeys", lines(container.keys.iter().map(keys)))
        .notes("notes", &container.notes)
}

fn span(span: Option<(i64, i64)>) -> [(&'static str, Option<String>); 2] {
    [("from", moment(span.map(|s| s.0))), ("to", moment(span.map(|s| s.1)))]
}

fn measured(value: Option<f64>) -> Option<f64> {
    value.map(six_digits)
}

fn verdict(row: &VerdictRow, of: &ContainerHeatRows, price: Option<&Price>) -> Json {
    let verdict = &row.verdict;
    let words = |phrase: &Phrase| phrase.text(key_text);
    let key = verdict.key.as_deref().and_then(Key::from_canonical);
    let answers = |word: fn(RemedyEffect) -> &'static str| {
        let names = ["more_ru", "split", "redistribute", "new_key"].into_iter();
        object().with_all(names.zip(verdict.answers.named()).map(|(name, (_, answer))| {
            let says = object().with("says", word(answer.effect));
            (name, says.with("why", visible_once(&answer.why)))
        }))
    };
    let fact = |fact: &Fact| {
        object().with("what", words(&fact.what)).with("value", &fact.value).with("from", &fact.from)
    };
    let remedies = verdict.remedies.iter().map(|row| remedy(row, price));
    let steps = verdict.steps.iter();
    let steps = steps.map(|step| of.filled(step, key_text));
    object()
        .with("rule", verdict.rule.json_name())
        .with("severity", verdict.severity.word())
        .with("partition", row.partition.as_deref())
        .with("region", verdict.region.as_deref())
        .with("key", as_found(key.map(|key| key.json()).as_deref()))
        .with("headline", words(&verdict.headline))
        .with("detail", words(&verdict.detail))
        .with("since", verdict.since.map(Stamp::rfc3339))
        .with("until", verdict.until.map(Stamp::rfc3339))
        .with("as_of", verdict.as_of.map(Stamp::rfc3339))
        .with("answers", answers(RemedyEffect::word))
        .with("answers_v1", answers(word_v1))
        .with("\nevidence", lines(verdict.evidence.iter().map(fact)))
        .with("\nwhat_if", lines(remedies))
        .with("\nsteps", lines(steps))
}

fn remedy(row: &Remedy, price: Option<&Price>) -> Json {
    let ru = row.ru_per_second;
    let money = price.map(|price| measured(ru.map(|ru| price.per_month(ru))));
    let share = row.throttled;
    object()
        .with("name", &row.name)
        .with("words", &row.words)
        .with("refused_share", measured(share.map(|s| s.point)))
        .with("refused_share_low", measured(share.map(|s| s.low)))
        .with("refused_share_high", measured(share.map(|s| s.high)))
        .with("load_ratio", measured(row.imbalance))
        .with("ru_per_second", measured(ru))
        .with("money_per_month", money.flatten())
        .with_known("currency", price.map(|price| &price.currency))
        .with("takes", row.takes)
        .with("effect", row.effect.word())
}

/// What schema 1 wrote: for one version more.
fn word_v1(effect: RemedyEffect) -> &'static str {
    match effect {
        RemedyEffect::Fixes => "yes",
        RemedyEffect::Helps | RemedyEffect::InPart => "partly",
        RemedyEffect::None | RemedyEffect::Worse => "no",
        RemedyEffect::NotNeeded => "not needed",
        RemedyEffect::Unknown => "unknown",
    }
}

fn of_track(track: &TrackRow) -> Json {
    let unit = match track.measure.unit() {
        Unit::Share => "share",
        Unit::RuPerSecond => "ru_per_second",
        Unit::PerSecond => "per_second",
        Unit::Kib => "kib",
    };
    object()
        .with("measure", track.measure.name())
        .with("unit", unit)
        .with("region", track.region.as_deref())
}

fn track(track: &TrackRow) -> Json {
    of_track(track)
        .with("step_s", track.step_s)
        .with_all(span(track.span))
        .with("source", &track.from)
}

fn partition(row: &PartitionRow) -> Json {
    let (id, named) = match &row.named {
        RangeName::Range(id) => (Some(id), "range"),
        RangeName::Guid(_) => (None, "guid"),
        RangeName::Undefined => (None, "undefined"),
        RangeName::NotReported => (None, "not_reported"),
    };
    let guid = match &row.named {
        RangeName::Guid(guid) => Some(guid),
        _ => row.guid.as_ref(),
    };
    let from = row.capacity.map(|c| capacity_word(c.from));
    let standing = row.standing;
    let of_50gb = row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB);
    object()
        .with("id", id)
        .with("named", named)
        .with("guid", guid)
        .with("min_inclusive", row.min_inclusive.as_deref())
        .with("max_exclusive", row.max_exclusive.as_deref())
        .with("parents", &row.parents)
        .with("status", row.status.as_deref())
        .with("ru_per_second", row.capacity.map(|c| c.ru_per_second))
        .with("ru_per_second_from", from)
        .with("size_kib", row.kib)
        .with("share_of_50gb", measured(of_50gb))
        .with("p99", measured(standing.map(|s| s.p99)))
        .with("highest", measured(standing.map(|s| s.highest)))
        .with("highest_at", moment(standing.map(|s| s.highest_at)))
        .with("saturated_s", standing.and_then(|s| s.saturated_s))
        .with("steps", standing.map(|s| s.steps))
        .with("gaps", row.gaps)
        .with("ru", measured(row.ru))
        .with("requests", measured(row.requests))
        .with("refused", measured(row.throttled))
        .with("refused_share", measured(row.throttled_share()))
        .with("forbidden", row.forbidden)
}

fn map(map: &HeatMap) -> Json {
    let along = match map.along {
        Aggregate::Sum => "sum",
        Aggregate::Highest => "highest",
    };
    let row = |row: &MapRow| {
        let throttled = Some(values(&row.throttled)).filter(|cells| !cells.is_empty());
        object()
            .with("partitions", &row.partitions)
            .with("values", values(&row.cells))
            .with("refused_per_second", throttled)
    };
    of_track(&map.track)
        .with("source", &map.track.from)
        .with("from", moment(Some(map.window.from)))
        .with("cell_s", map.window.width_s)
        .with("columns", map.window.columns)
        .with("step_s", map.track.step_s)
        .with("partitions_per_row", map.merged)
        .with("partitions_without_values", map.silent)
        .with("together_is", along)
        .with("together", values(&map.together))
        .with("\nrows", lines(map.rows.iter().map(row)))
}

fn values(values: &[f32]) -> Vec<f64> {
    let digits = |value: &f32| six_digits(f64::from(*value));
    values.iter().map(digits).collect()
}

fn keys(keys: &PartitionKeys) -> Json {
    object()
        .with("partition", &keys.partition)
        .with("region", keys.region.as_deref())
        .with("keys_total", (!keys.has_others).then_some(keys.keys_total))
        .with("\nkeys", lines(keys.keys.iter().map(key)))
}

fn key(key: &KeyHeat) -> Json {
    let (json, is) = key.key.json();
    let load = &key.load;
    let place = key.place.as_ref();
    object()
        .with("key", as_found(json))
        .with("is", is)
        .with("ru", six_digits(load.ru))
        .with("share", six_digits(load.share))
        .with("records", load.records)
        .with("peak_ru_per_second", six_digits(load.peak_ru_per_second))
        .with("peak_at", moment(load.peak_at))
        .with("first", moment(load.first))
        .with("last", moment(load.last))
        .with("since", moment(load.since))
        .with("size_kib", key.size.map(|s| s.0))
        .with("share_of_ceiling", measured(key.size.map(|s| s.1)))
        .with("belongs_to", place.map(|p| &p.partition))
        .with("belongs_by", place.map(|p| p.how))
        .with("agrees", place.map(|p| p.agrees))
}
