//! Where the numbers of a container come from, its row as text, and the query that asks for it again.

use super::paint::age;
use super::rows::{Row, sentences, struck};
use crate::analysis::billing::and_money;
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::KeyRow;
use crate::model::query_text::{OWN_COLUMNS, container_filters};
use crate::model::units::{count_text, counted, kib_text, percent_text, whole_text};
use crate::report::{gib_a_week, limit_date_text, limit_sentence};
use crate::ui::kit::card;
use crate::ui::kit::cx::Cx;
use crate::work::data::Dataset;

/// The container in one line, for a chat or an incident.
pub(super) fn row_lines(cx: &Cx, row: &Row) -> Vec<String> {
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let keys = if row.keys == 1 { "key" } else { "keys" };
    let mut parts = vec![format!("{}: {} {keys}", row.title, count_text(row.keys))];
    if row.keys > 0 {
        let (size, share) = (kib_text(row.largest_kib), percent_text(row.share));
        parts.push(format!("largest {size} = {share} of the limit"));
        let [warn, alarm, full] = [row.marks.warn, row.marks.alarm, row.marks.full].map(count_text);
        let marks = format!("{warn} at 70 % or more, {alarm} at 90 %, {full} at 100 %");
        parts.push(marks);
        let growth = gib_a_week(row.growth.as_ref());
        parts.push(format!("growth {growth} GiB a week"));
        let date = limit_date_text(&row.limit_date, as_of);
        parts.push(format!("{}: {date}", cx.ceiling.heading("20 GB on")));
    }
    parts.push(row.size_words());
    if let Some(newest) = row.newest {
        parts.push(format!("newest sample {} UTC", newest.minute_text()));
    }
    let mut lines = vec![parts.join("; ")];
    let data = cx.data.as_ref();
    lines.extend(data.into_iter().flat_map(|data| sentences(cx, data, row)));
    lines
}

/// The query for the largest keys of a container; what is not known of its name is left out.
pub(super) fn query(cx: &Cx, row: &Row) -> Vec<String> {
    let Some(container) = data_container(cx, row) else {
        return Vec::new();
    };
    let name = cx.mask.container(container);
    let mut lines =
        vec!["CDBPartitionKeyStatistics".to_owned(), "| where TimeGenerated > ago(7d)".to_owned()];
    let filters = container_filters(name.parts(), OWN_COLUMNS);
    lines.extend(filters.map(|line| format!("| {line}")));
    lines.extend(
        [
            "| summarize arg_max(TimeGenerated, SizeKb) by RegionName, PartitionKey",
            "| extend ShareOf20GB = SizeKb / (20.0 * 1024.0 * 1024.0)",
            "| top 100 by SizeKb desc",
        ]
        .map(str::to_owned),
    );
    lines
}

fn data_container<'a>(cx: &'a Cx, row: &Row) -> Option<&'a crate::model::names::ContainerName> {
    let data = cx.data.as_ref()?;
    data.capture.container(row.number).map(|c| &c.name)
}

fn provisioned(data: &Dataset, row: &Row) -> Vec<String> {
    let heat = data.heat.containers.get(row.number as usize);
    let known = heat.and_then(|heat| Some((heat, heat.ru_per_second?)));
    let words = known.map_or("RU/s not known".to_owned(), |(heat, ru)| {
        let money = and_money(data.thresholds.price.as_ref(), ru);
        format!("{} RU/s{money}: {}", whole_text(ru), heat.ru_from.words())
    });
    let found = data.diagnoses.container(row.number);
    let facts = found.map_or(&[][..], |found| &found.provisioned);
    let facts = facts.iter().flat_map(|fact| {
        let what = fact.what.text(|_| String::new());
        [format!("{what}: {}", fact.value), format!("  {}", fact.from)]
    });
    std::iter::once(words).chain(facts).collect()
}

fn counts(keys: u64) -> Vec<String> {
    match keys {
        0 => vec!["no input has sizes of keys".to_owned()],
        keys => vec![
            format!(
                "{} reported; the counts at 70, 90 and 100 % are exact over all of them",
                counted(keys, "key", "keys")
            ),
            "statistics list only large keys: other keys are smaller, not reported".to_owned(),
        ],
    }
}

/// Where each number of a row comes from, in lines for a paper.
pub(super) fn lines(cx: &Cx, row: &Row) -> Vec<String> {
    let mut out = vec![row.title.clone(), String::new()];
    let Some(data) = &cx.data else { return out };
    let mut say = |heading: &str, lines: Vec<String>| {
        out.push(heading.to_owned());
        out.extend(lines.into_iter().map(|line| format!("  {line}")));
        out.push(String::new());
    };
    let found: Vec<Vec<String>> =
        struck(data, row.number).map(|verdict| card::evidence(cx, verdict)).collect();
    let first: Vec<String> = found.iter().filter_map(|of| of.first().cloned()).collect();
    let sizes = || sentences(cx, data, row);
    say("Finding", if first.is_empty() { sizes() } else { first });
    say("Counts", counts(row.keys));
    say("RU/s", provisioned(data, row));
    if !found.is_empty() {
        say("Numbers of the findings", found.concat());
    }
    if let Some(key) = &row.largest {
        say("Largest key", size_lines(cx, data, key));
    }
    let largest = row.largest.as_ref();
    say(
        "Growth",
        match largest.and_then(|key| Some((key, key.growth?))) {
            None => vec!["growth unknown: it takes samples of more than one day that differ by more than their ± error".to_owned()],
            Some((key, growth)) => vec![
                format!("{}: the largest key", cx.mask.key_text(key.key.as_deref())),
                format!(
                    "{} GiB a week, computed: the straight line of least squares through {} samples",
                    gib_a_week(Some(&growth)),
                    count_text(key.samples)
                ),
                format!(
                    "the ± error of the samples allows {} to {} a day",
                    kib_text(growth.lowest),
                    kib_text(growth.highest)
                ),
            ],
        },
    );
    let first = match row.limit_date {
        LimitDate::Over => row.largest.as_deref(),
        _ => row.next.as_deref().or(row.largest.as_deref()),
    };
    say(cx.ceiling.heading("20 GB on"), date_lines(cx, first));
    say("Size", vec![row.size_words()]);
    // Of all inputs, as the line at the top has it.
    let inputs = data.evidence.get(row.number as usize);
    let ages = match inputs.and_then(|inputs| inputs.newest) {
        None => vec!["the inputs carry no time".to_owned()],
        Some(at) => vec![
            format!("newest data {} UTC", at.minute_text()),
            format!("age: {}", age(Some(at), cx.now)),
        ],
    };
    say("Age", ages);
    say("The same as a query (KQL)", query(cx, row));
    out
}

/// Its name, its size and where that comes from.
pub(super) fn size_lines(cx: &Cx, data: &Dataset, key: &KeyRow) -> Vec<String> {
    let region = key.region.as_deref().filter(|region| !region.is_empty());
    let region = region.map_or_else(String::new, |region| {
        format!(" in {}", crate::model::visible::visible(region))
    });
    let at = key
        .sampled_at
        .map_or_else(|| "without a date".to_owned(), |at| format!("of {} UTC", at.minute_text()));
    let samples = counted(key.samples, "sample", "samples");
    vec![
        cx.mask.key_text(key.key.as_deref()),
        format!("{}, the sample {at}{region}; {samples} there", kib_text(key.size_kib)),
        format!(
            "± {}: the service reports sizes in steps of 1 % of the physical partition",
            kib_text(key.band_kib)
        ),
        format!(
            "{} = size / {}; {}",
            percent_text(key.share),
            kib_text(data.report.ceiling.kib()),
            data.report.ceiling.sentence()
        ),
    ]
}

pub(super) fn date_lines(cx: &Cx, key: Option<&KeyRow>) -> Vec<String> {
    let Some(key) = key else {
        return vec!["no key".to_owned()];
    };
    let name = cx.mask.key_text(key.key.as_deref());
    let sentence = limit_sentence(&key.limit_date, key.growth.is_some(), key.period_end);
    let mut lines = vec![format!("{name}, {sentence}")];
    if let LimitDate::Date { .. } = key.limit_date {
        let how = "computed: what is missing to the limit / growth, from the newest sample";
        lines.push(how.to_owned());
    }
    lines
}
