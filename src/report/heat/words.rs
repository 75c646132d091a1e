//! Numbers, moments and names of a heat report in words, the same in every format for people.

use std::cmp::Reverse;

use crate::analysis::demand::remedies::Remedy;
use crate::analysis::diagnosis::card::{GAP, remedy_text};
use crate::analysis::diagnosis::note::filled;
use crate::analysis::diagnosis::{Phrase, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::{CapacityFrom, Unit};
use crate::analysis::rows::ContainerRows;
use crate::model::key::{Key, Part};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, amount_text, count_text, counted, kib_text, percent_text, rare_text, real,
};
use crate::model::visible::visible;

use super::{
    ContainerHeatRows, HashPlace, HeatReport, KeyHeat, KeyOf, PartitionKeys, PartitionRow,
};
use crate::report::key_text::key_text;
use crate::report::layout::{
    self, key_in_sentence, may_be, page_title, paths_text, title, visible_once,
};

/// ` in West Europe`, visible; nothing where the keys are those of all regions.
pub(super) fn in_region(keys: &PartitionKeys) -> String {
    let region = keys.region.as_deref().map(visible);
    region.map_or_else(String::new, |region| format!(" in {region}"))
}

pub(super) fn optional(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    layout::optional(value.filter(|v| v.is_finite()), text)
}

/// `split all: every partition split, 24,000 RU/s on 8 partitions`: what the numbers of its row are of.
pub(super) fn remedy(row: &Remedy, key: Option<&str>) -> String {
    let key = key.and_then(Key::from_canonical);
    let words = match key.as_ref().map(Key::parts) {
        Some([Part::Text(key)]) => row.words.replace("key.", &format!("{}.", visible(key))),
        _ => row.words.clone(),
    };
    format!("{}: {}", remedy_text(&row.name), visible_once(&words))
}

/// A value of a track with its unit.
pub(super) fn value_text(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Share => percent_text(value),
        Unit::RuPerSecond => format!("{} RU/s", amount_text(value)),
        Unit::PerSecond if value > 0.0 && value < 1.0 => format!("{}/s", rare_text(value)),
        Unit::PerSecond => format!("{}/s", amount_text(value)),
        Unit::Kib => kib_text(value),
    }
}

/// `2026-06-22 02:00` or with seconds where it has some; UTC is said once by whoever prints it.
pub(super) fn moment(second: i64) -> String {
    let Some(at) = Stamp::from_seconds(second) else {
        return "–".to_owned();
    };
    match second.rem_euclid(60) {
        0 => at.minute_text(),
        seconds => format!("{}:{seconds:02}", at.minute_text()),
    }
}

/// `02:00` or `02:00:09`.
pub(super) fn clock(second: i64) -> String {
    let moment = moment(second);
    moment.get(11..).unwrap_or(&moment).to_owned()
}

/// `2026-06-22 02:00 to 02:15 UTC`.
pub(super) fn span(from: i64, to: i64) -> String {
    let (start, end) = (moment(from), moment(to));
    let end = match (start.get(..11), end.get(..11)) {
        (Some(a), Some(b)) if a == b => end.get(11..).unwrap_or(&end).to_owned(),
        _ => end,
    };
    format!("{start} to {end} UTC")
}

/// `9 s`, `15 min`, `2 h`, `1.5 days`.
pub(super) fn duration(seconds: u64) -> String {
    let s = real(seconds);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", amount_text(s / 60.0)),
        3600..172_800 => format!("{} h", amount_text(s / 3600.0)),
        _ => format!("{} days", amount_text(s / 86_400.0)),
    }
}

/// Minutes in which the partition was at its limit, as a column has it.
pub(super) fn saturated_minutes(row: &PartitionRow) -> String {
    let minutes = row.standing.and_then(|s| s.saturated_s);
    let minutes = minutes.map(|s| real(s) / 60.0);
    optional(minutes, |m| if m > 0.0 && m < 0.1 { "<0.1".to_owned() } else { amount_text(m) })
}

/// A key as people read it, visible.
pub(in crate::report) fn key_words(key: &KeyOf) -> String {
    match key {
        KeyOf::Named(json) => key_text(Some(json)),
        KeyOf::NotReported => key_text(None),
        KeyOf::Others => "(all further keys)".to_owned(),
    }
}

/// Where a key belongs, beside where it was logged.
pub(super) fn place_words(place: Option<&HashPlace>) -> String {
    layout::optional(place, |place| {
        let partition = visible(&place.partition);
        if place.agrees {
            return partition.into_owned();
        }
        format!("{partition} ({}): the log differs", place.how)
    })
}

/// Size of a key and its share of the ceiling.
pub(super) fn size_words(key: &KeyHeat) -> [String; 2] {
    match key.size {
        Some((kib, share)) => [kib_text(kib), percent_text(share)],
        None => ["–".to_owned(), "–".to_owned()],
    }
}

/// A phrase as one visible text. The gaps between its parts are ours, and pages would draw them as single blanks; all other
/// blanks are those of the values.
pub(super) fn phrase(phrase: &Phrase) -> String {
    visible_parts(&phrase.text(key_in_sentence))
}

/// The parts of a text, visible.
pub(super) fn visible_parts(text: &str) -> String {
    let parts: Vec<_> = text.split(GAP).map(visible_once).collect();
    parts.join(" · ")
}

/// `HOT KEY · partition 3 at 100 % …`.
pub(super) fn headline(verdict: &Verdict) -> String {
    let rest = phrase(&verdict.headline);
    if rest.is_empty() {
        verdict.rule.name().to_owned()
    } else {
        format!("{} · {rest}", verdict.rule.name())
    }
}

impl HeatReport {
    /// Every alarm of load and every key near its limit in a sentence with its container, the worst first, and what fixes it.
    /// Of keys, in the order of the containers in `order`.
    pub fn alarms(&self, order: &[ContainerRows]) -> Vec<(String, Option<String>)> {
        let verdicts = self.containers.iter().flat_map(|container| {
            let verdicts = container.verdicts.iter().map(|row| &row.verdict);
            verdicts.map(|verdict| (verdict, &container.name))
        });
        let mut alarms: Vec<_> = verdicts
            .filter(|(v, name)| {
                let is_twin = v.is_of_size() && self.has_twin(v, name);
                v.severity >= Severity::Warn && !is_twin
            })
            .collect();
        alarms.sort_by_cached_key(|(verdict, name)| {
            let rank = || order.iter().position(|c| c.name == **name);
            let rank = verdict.is_of_size().then(rank);
            (Reverse(verdict.severity), rank)
        });
        let alarm = |(verdict, name): (&Verdict, &ContainerName)| {
            let remedy = verdict.remedy_summaries().into_iter().next();
            let way = (verdict.unknown_remedies())
                .map_or("", |_| "; --view heat has the command that shows them");
            let remedy = remedy.map(|said| said + way);
            let to = verdict
                .as_of
                .map_or(String::new(), |at| format!(" · data to {} UTC", at.minute_text()));
            (of_container(verdict, name) + &to, remedy)
        };
        alarms.into_iter().map(alarm).collect()
    }

    /// Whether a container that is named with its account has the same key near its limit.
    fn has_twin(&self, verdict: &Verdict, name: &ContainerName) -> bool {
        let mut twins = self.containers.iter().filter(|c| may_be(name, &c.name));
        twins.any(|c| {
            let mut verdicts = c.verdicts.iter().map(|row| &row.verdict);
            verdicts.any(|v| v.is_of_size() && v.key == verdict.key)
        })
    }
}

/// The worst verdict of the worst container.
pub(super) fn report_title(report: &HeatReport) -> String {
    let container = report.containers.first();
    let worst = container.and_then(|container| container.verdicts.first());
    let since = worst.and_then(|row| row.verdict.since);
    let finding =
        worst.map_or_else(|| "physical partitions".to_owned(), |row| short_finding(&row.verdict));
    page_title(container.map(|container| &container.name), &finding, since.or(report.as_of))
}

/// `hot key contoso since 23:24`, `key tenant-2 over 20 GB`.
fn short_finding(verdict: &Verdict) -> String {
    let key = verdict.key.as_deref();
    let key = key.map_or_else(String::new, |key| format!(" {}", key_in_sentence(Some(key))));
    let words = verdict.rule.name().split(' ').map(|word| match word {
        "KEY" => format!("key{key}"),
        "GB" | "RU" => word.to_owned(),
        other => other.to_lowercase(),
    });
    let headline = verdict.headline.text(|_| String::new());
    let since = headline.split(GAP).find(|part| part.starts_with("since "));
    let since = since.and_then(|since| since.split(" (").next());
    words.chain(since.map(str::to_owned)).collect::<Vec<_>>().join(" ")
}

fn of_container(verdict: &Verdict, name: &ContainerName) -> String {
    format!("{} · in {}", headline(verdict), title(name))
}

impl ContainerHeatRows {
    /// A step with the names of the container.
    pub(super) fn filled(&self, step: &Phrase, key: fn(Option<&str>) -> String) -> String {
        filled(step, &self.name, self.resource_group.as_deref(), key)
    }

    /// What is known of a partition but its keys, fact by fact.
    pub fn partition_facts(&self, row: &PartitionRow) -> Vec<String> {
        let load = row.standing.zip(self.track(self.sources.load));
        let load = load.map(|(standing, track)| {
            let value = |v| value_text(track.measure.unit(), v);
            let (p99, highest) = (value(standing.p99), value(standing.highest));
            let at = moment(standing.highest_at);
            format!("{}: p99 {p99}, highest {highest} at {at} UTC", track.title())
        });
        let throttled = row.throttled_share().map(percent_text);
        let share = row.kib.map(|kib| percent_text(kib / PHYSICAL_CEILING_KIB));
        let size = row.kib.map(kib_text).zip(share);
        let facts = [
            load,
            throttled.map(|share| format!("{share} of its requests throttled (429)")),
            row.capacity.map(|c| format!("can serve {} RU/s", amount_text(c.ru_per_second))),
            size.map(|(size, share)| format!("{size}, {share} of 50 GB")),
        ];
        facts.into_iter().flatten().collect()
    }
}

/// `RU/s it can give`, and how that is known, in one letter that the notes explain.
pub(super) fn capacity_word(from: CapacityFrom) -> &'static str {
    match from {
        CapacityFrom::Reported => "told",
        CapacityFrom::Fraction => "fraction",
        CapacityFrom::EqualShares => "equal_shares",
    }
}

/// `key /tenantId · 4 partitions · 40,000 RU/s`, visible.
pub(super) fn facts(container: &ContainerHeatRows) -> String {
    let mut facts = Vec::new();
    if let Some(definition) = &container.definition {
        facts.push(format!("key {}", paths_text(definition)));
    }
    facts.push(match container.physical {
        0 => "physical partitions not known".to_owned(),
        n => counted(n as u64, "physical partition", "physical partitions"),
    });
    if let Some(ru) = container.ru_per_second {
        facts.push(format!("{} RU/s", amount_text(ru)));
    }
    if let Some((from, to)) = container.span {
        facts.push(span(from, to));
    }
    facts.join(" · ")
}

/// The one sentence over a whole report.
pub(super) fn summary(report: &HeatReport) -> String {
    let Some(container) = report.containers.first() else {
        return "No container in these inputs.".to_owned();
    };
    if let Some(row) = container.verdicts.first() {
        return of_container(&row.verdict, &container.name);
    }
    let name = title(&container.name);
    format!("No verdict on {name}: the inputs hold neither load nor sizes.")
}

/// What verdicts were measured against, in one sentence; none without any verdict.
pub(super) fn thresholds(report: &HeatReport) -> Option<String> {
    let has_verdict = report.containers.iter().any(|c| !c.verdicts.is_empty());
    let rows = report.thresholds.iter();
    let all: Vec<String> = rows.map(|t| format!("{} {}", t.name, t.text)).collect();
    (has_verdict && !all.is_empty()).then(|| {
        format!(
            "verdicts are measured against: {}; --threshold NAME=VALUE sets one",
            all.join(", ")
        )
    })
}

/// What the columns of partitions are about, in sentences.
pub(super) fn column_notes(container: &ContainerHeatRows) -> Vec<String> {
    let mut notes = Vec::new();
    let sources = container.sources;
    for (columns, index) in [
        ("p99, highest and saturated", sources.load),
        ("RU (request units, added up)", sources.ru),
        ("requests", sources.requests),
        ("429", sources.throttled),
    ] {
        if let Some(track) = container.track(index) {
            let from = visible_once(&track.from).into_owned();
            // Inputs reach differently far.
            let when = track
                .span
                .zip(container.span)
                .map(|(reported, of)| (of, (reported.0.max(of.0), reported.1.min(of.1))))
                .filter(|(of, reported)| of != reported && reported.0 < reported.1)
                .map(|(_, (from, to))| format!(", reported for {}", span(from, to)))
                .unwrap_or_default();
            notes.push(format!("{columns}: {} ({from}{when})", track.title()));
        }
    }
    if let Some(requests) = container.whole.requests {
        let throttled = container
            .whole
            .throttled
            .map(|throttled| format!(", {} of them throttled (429)", count_text(throttled)));
        notes.push(format!(
            "requests of the whole container by the metric TotalRequests: {}{}",
            count_text(requests),
            throttled.unwrap_or_default()
        ));
    }
    let mut known: Vec<CapacityFrom> =
        container.partitions.iter().filter_map(|p| Some(p.capacity?.from)).collect();
    known.sort_unstable();
    known.dedup();
    for from in known {
        notes.push(format!("RU/s of a partition: {}", from.words()));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::rules::Rule;

    #[test]
    fn numbers_keep_a_digit_where_it_matters() {
        let shown = [5_872.5, 30_000.0, 57_206.2, 0.04, 1234.96, -3.5, f64::NAN].map(amount_text);
        assert_eq!(shown, ["5,873", "30,000", "57,206", "0", "1,235", "-3.5", "–"]);
    }

    #[test]
    fn keys_near_their_limit_alarm_without_load_and_once_for_a_twin() {
        let mut report = crate::report::heat::testing::report("a");
        let container = &mut report.containers[0];
        let mut near = container.verdicts[0].clone();
        (near.verdict.rule, near.verdict.partition) = (Rule::KeyNearLimit, None);
        near.verdict.severity = Severity::Warn;
        container.verdicts = vec![near.clone(), container.verdicts[0].clone()];
        let mut twin = container.clone();
        twin.name.account = None;
        twin.verdicts.truncate(1);
        report.containers.insert(0, twin);
        let alarms = report.alarms(&[]);
        let first = |n: usize| alarms.get(n).and_then(|a| a.0.split(" · ").next());
        assert_eq!([first(0), first(1), first(2)], [Some("HOT KEY"), Some("KEY NEAR 20 GB"), None]);
        report.containers[0].verdicts[0].verdict.key = Some("another".to_owned());
        assert_eq!(report.alarms(&[]).len(), 3);
        report.containers[0].verdicts[0].verdict.severity = Severity::Note;
        assert_eq!(report.alarms(&[]).len(), 2);
    }

    #[test]
    fn spans_name_the_day_once() {
        assert_eq!(span(1_782_094_200, 1_782_094_209), "2026-06-22 02:10 to 02:10:09 UTC");
        assert_eq!(span(1_782_094_200, 1_782_180_600), "2026-06-22 02:10 to 2026-06-23 02:10 UTC");
        assert_eq!(clock(1_782_094_209), "02:10:09");
        // The end of the last minute of the calendar is in no year.
        assert_eq!([moment(i64::MAX), clock(253_402_300_800)], ["–", "–"]);
    }

    #[test]
    fn durations_are_read_at_a_glance() {
        let shown = [0, 59, 60, 90, 7200, 172_800, u64::MAX].map(duration);
        assert_eq!(shown[..6], ["0 s", "59 s", "1 min", "1.5 min", "2 h", "2 days"]);
    }
}
