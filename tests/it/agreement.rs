//! The matrix of agreement: one figure has one value wherever the program says it. Contradictions that are known stand in
//! `data/agreement.txt`, which may only shrink.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use cosmoscope::analysis::demand::outcome::Outcome;
use cosmoscope::analysis::demand::remedies::Remedy;
use cosmoscope::analysis::diagnosis::Diagnosis;
use cosmoscope::analysis::growth::day_of;
use cosmoscope::model::moment;
use cosmoscope::model::time::Stamp;
use cosmoscope::source::scenario;
use cosmoscope::source::watch::Watch;
use cosmoscope::work::data::{Dataset, Origin};
use cosmoscope::work::load::Loader;
use serde_json::Value;

/// Designs are opened like scenarios.
const DESIGNS: [&str; 7] = ["orders", "iot", "saas", "chat", "rag", "gaming", "event-sourcing"];
const KNOWN: &str = include_str!("data/agreement.txt");

/// A value and its interval; where it is no estimate, the rounding of what is shown.
#[derive(Clone, Copy)]
struct Stated {
    place: &'static str,
    value: f64,
    low: f64,
    high: f64,
}

/// Values by figure and subject.
type Figures = BTreeMap<(String, String), Vec<Stated>>;

const GROWTH: &str = "growth of all keys (KiB/day)";
const FULL_ON: &str = "day on which a key is full";
const SPLITS_ON: &str = "day on which a partition splits";
const OVER: &str = "partitions of which more than 1 % is throttled";
/// Of what is shown with six digits.
const ROUNDING: f64 = 1e-5;
/// Documents of each scenario.
const SAMPLE: &str = "20000";

/// The answer of a command; None where it has none for this container.
fn answer(arguments: &[&str]) -> Option<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosmoscope"));
    let done = command.args(arguments).args(["--format", "json"]).output().unwrap();
    serde_json::from_slice(&done.stdout).ok()
}

fn say(found: &mut Figures, figure: &str, subject: &str, place: &'static str, value: Option<f64>) {
    let exact = value.map(|value| [value * (1.0 - ROUNDING), value * (1.0 + ROUNDING)]);
    say_within(found, figure, subject, place, value.zip(exact));
}

fn say_within(
    found: &mut Figures,
    figure: &str,
    subject: &str,
    place: &'static str,
    value: Option<(f64, [f64; 2])>,
) {
    if let Some((value, [low, high])) = value {
        let values = found.entry((figure.to_owned(), subject.to_owned())).or_default();
        values.push(Stated { place, value, low, high });
    }
}

/// A day by its number, within one on both sides: of a moment some places show the day alone.
fn say_day(
    found: &mut Figures,
    figure: &str,
    subject: &str,
    place: &'static str,
    at: Option<Stamp>,
) {
    let day = at.map(|at| f64::from(day_of(at)));
    say_within(found, figure, subject, place, day.map(|day| (day, [day - 1.0, day + 1.0])));
}

/// A date or a moment of JSON.
fn moment(value: &Value) -> Option<Stamp> {
    moment::of_text(value.as_str()?)
}

/// A key's canonical text as JSON of commands has it.
fn key_text(key: &Value) -> String {
    key.to_string()
}

fn of_heat(outcome: &Outcome, found: &mut Figures) {
    let place = "heat";
    let share = outcome.throttled_share.as_ref().map(|share| share.point);
    say(found, "throttled share", "now", place, share);
    say(found, "RU/s to buy", "today's key", place, outcome.ru_to_buy);
    say(found, "demand", "mean", place, Some(outcome.demand_ru_per_second));
    let mut over = 0.0;
    for partition in &outcome.partitions {
        say(found, "peak of partition", &partition.id, place, Some(partition.peak));
        over += f64::from(partition.throttled_share.is_some_and(|share| share > 0.01));
    }
    say(found, OVER, "now", place, outcome.throttled_share.is_some().then_some(over));
    if let Some(key) = &outcome.hottest_key {
        say(found, "peak of key", &key.key, place, Some(key.peak));
    }
}

fn of_overview(data: &Dataset, number: u32, found: &mut Figures) {
    let row = data.overview.rows.iter().find(|row| row.number == number);
    let Some(standing) = row.map(|row| &row.standing) else { return };
    for key in [&standing.largest, &standing.next_limit_date].into_iter().flatten() {
        let name = key.key.as_deref().unwrap_or_default();
        say(found, "size of key (KiB)", name, "overview", Some(key.size_kib));
        say_day(found, FULL_ON, name, "overview", key.limit_date.date());
    }
    let growth = standing.growth_kib_per_day.filter(|kib| *kib > 0.0);
    say(found, GROWTH, "", "overview", growth);
}

fn of_forecast(answer: &Value, container: &str, found: &mut Figures) {
    let place = "forecast";
    let mut over = 0.0;
    for limit in answer["limits"].as_array().into_iter().flatten() {
        if limit["container"].as_str() != Some(container) {
            continue;
        }
        let now = limit["now"].as_f64();
        match limit["limit"].as_str().unwrap_or_default() {
            "key-size" => {
                let key = key_text(&limit["key"]);
                say(found, "size of key (KiB)", &key, place, now);
                say_day(found, FULL_ON, &key, place, moment(&limit["date"]));
            }
            "partition-size" => {
                let partition = limit["partition"].as_str().unwrap_or_default();
                say_day(found, SPLITS_ON, partition, place, moment(&limit["date"]));
            }
            "key-ru" => say(found, "peak of key", &key_text(&limit["key"]), place, now),
            "partition-ru" => {
                let partition = limit["partition"].as_str().unwrap_or_default();
                say(found, "peak of partition", partition, place, now);
                over += f64::from(limit["state"] == "over");
            }
            _ => {}
        }
    }
    say(found, OVER, "now", place, Some(over));
}

fn of_trial(answer: &Value, found: &mut Figures) {
    let place = "trial";
    let key = &answer["candidates"][0];
    say(found, "throttled share", "now", place, key["throttled_share"].as_f64());
    say(found, "RU/s to buy", "today's key", place, key["ru_to_buy"].as_f64());
    say(found, "demand", "mean", place, key["demand_ru"].as_f64());
    let growth = &key["growth"];
    if growth["rate"] == "logged" {
        let full_on = moment(&growth["wall"]);
        say_day(found, FULL_ON, &key_text(&growth["key"]), place, full_on);
        let all = growth["all_bytes_per_day"].as_f64().map(|bytes| bytes / 1024.0);
        say(found, GROWTH, "", place, all);
    }
    for top in key["top"].as_array().into_iter().flatten() {
        let number = |value: &Value| value.as_f64();
        let (bytes, share) = (number(&top["bytes"]), number(&top["share"]));
        let interval = number(&top["share_range"][0]).zip(number(&top["share_range"][1]));
        let size = bytes.zip(share).filter(|(_, share)| *share > 0.0).map(|(bytes, share)| {
            let kib = bytes / 1024.0;
            let (low, high) = interval.unwrap_or((share, share));
            // One interval in twenty does not hold the truth: all of these are to.
            let [low, high] = [low, high].map(|end| share + 2.0 * (end - share));
            (kib, [kib * low / share, kib * high / share])
        });
        say_within(found, "size of key (KiB)", &key_text(&top["key"]), place, size);
    }
}

/// Keys that are full and partitions that split first in a time that is simulated: the first of each does what its line says.
fn of_simulation(answer: &Value, found: &mut Figures) {
    let events = answer["events"].as_array().into_iter().flatten();
    let first = |name: &str| events.clone().find(|event| event["event"] == name);
    if let Some(full) = first("403") {
        say_day(found, FULL_ON, &key_text(&full["key"]), "simulate", moment(&full["at"]));
    }
    if let Some(split) = first("split-begins") {
        let partition = split["partition"].as_str().unwrap_or_default();
        say_day(found, SPLITS_ON, partition, "simulate", moment(&split["at"]));
    }
}

/// Text of a command's scenario, container and RU/s.
fn at_ru<'a>(command: &'a str, name: &'a str, container: &'a str, ru: &'a str) -> Vec<&'a str> {
    let container = ["--container", container].into_iter().filter(|_| command != "forecast");
    [command, "--scenario", name, "--ru", ru].into_iter().chain(container).collect()
}

/// What each command says of the RU/s that the remedies name: what is throttled, on which partitions, and what these ask.
fn of_more_ru(named: &Diagnosis, name: &str, container: &str, found: &mut Figures) {
    let rows = named.verdicts.iter().flat_map(|verdict| &verdict.remedies);
    let is_in_place = |row: &&Remedy| row.name == "scale-up" && row.throttled.is_some();
    let Some(row) = rows.into_iter().find(is_in_place) else { return };
    let ru = row.ru_per_second.unwrap().to_string();
    let at = format!("{ru} RU/s");
    say(found, "throttled share", &at, "remedies", row.throttled.map(|share| share.point));
    let arguments = [&at_ru("trial", name, container, &ru)[..], &["--sample", SAMPLE]].concat();
    let outcome = answer(&arguments).map(|trial| trial["candidates"][0]["outcome"].clone());
    let mut highest = 0.0_f64;
    if let Some(outcome) = &outcome {
        let share = outcome["throttled_share"]["point"].as_f64();
        say(found, "throttled share", &at, "trial", share);
        let partitions = outcome["partitions"].as_array();
        say_ru(found, &at, "trial", partitions, "capacity");
        for partition in partitions.into_iter().flatten() {
            highest = highest.max(partition["peak"].as_f64().unwrap_or(0.0));
        }
        say(found, "hottest partition", &at, "trial", Some(highest));
    }
    let forecast = answer(&at_ru("forecast", name, container, &ru));
    let limits = forecast.as_ref().and_then(|answer| answer["limits"].as_array());
    let is_it =
        |limit: &&Value| limit["container"] == container && limit["limit"] == "partition-ru";
    let peaks =
        limits.into_iter().flatten().filter(is_it).filter_map(|limit| limit["now"].as_f64());
    say(found, "hottest partition", &at, "forecast", peaks.reduce(f64::max));
    let arguments = [&at_ru("simulate", name, container, &ru)[..], &["--until", "1d"]].concat();
    let simulated = answer(&arguments);
    let last = simulated.as_ref().and_then(|answer| answer["frames"].as_array()?.last());
    let partitions = last.and_then(|frame| frame["partitions"].as_array());
    say_ru(found, &at, "simulate", partitions, "ru_per_second");
}

/// Most first: their order is another in each command.
fn say_ru(
    found: &mut Figures,
    at: &str,
    place: &'static str,
    partitions: Option<&Vec<Value>>,
    name: &str,
) {
    let ru = partitions.into_iter().flatten().filter_map(|partition| partition[name].as_f64());
    let mut ru: Vec<f64> = ru.collect();
    ru.sort_by(|a, b| b.total_cmp(a));
    for (number, ru) in ru.into_iter().enumerate() {
        say(found, "RU/s of partition", &format!("{at}, {number}"), place, Some(ru));
    }
}

/// Whether one value lies in all intervals.
fn agree(values: &[Stated]) -> bool {
    let low = values.iter().map(|of| of.low).fold(0.0, f64::max);
    let high = values.iter().map(|of| of.high).fold(f64::INFINITY, f64::min);
    low <= high * (1.0 + ROUNDING) || high < 0.001
}

fn contradictions() -> String {
    let mut text = String::new();
    let named = scenario::list().into_iter().map(|of| of.name).chain(DESIGNS);
    for name in named {
        let data = Loader::default().load(Origin::Scenario(name), &Watch::default()).unwrap();
        let forecast = answer(&["forecast", "--scenario", name]);
        for (number, container) in (0_u32..).zip(&data.capture.containers) {
            let shown = container.name.container.as_deref().unwrap_or_default();
            let mut found = Figures::new();
            of_overview(&data, number, &mut found);
            let now = data.diagnoses.container(number).and_then(|found| found.now.as_ref());
            if let Some(now) = now {
                of_heat(&now.outcome, &mut found);
            }
            if let Some(forecast) = &forecast {
                of_forecast(forecast, shown, &mut found);
            }
            let trial = ["trial", "--scenario", name, "--sample", SAMPLE, "--container", shown];
            if let Some(trial) = answer(&trial).or_else(|| answer(&trial[..5])) {
                of_trial(&trial, &mut found);
            }
            let simulate =
                ["simulate", "--scenario", name, "--container", shown, "--until", "365d"];
            if let Some(simulated) = answer(&simulate) {
                of_simulation(&simulated, &mut found);
            }
            if let Some(named) = data.diagnoses.container(number) {
                of_more_ru(named, name, shown, &mut found);
            }
            for ((figure, subject), values) in found.into_iter().filter(|(_, of)| !agree(of)) {
                let values: Vec<String> =
                    values.iter().map(|of| format!("{} {:.4e}", of.place, of.value)).collect();
                let _ =
                    writeln!(text, "{name} {shown}: {figure}, {subject}: {}", values.join(" | "));
            }
        }
    }
    text
}

/// A contradiction that is gone leaves the list; a new one fails.
#[test]
fn one_figure_has_one_value() {
    let found = contradictions();
    if std::env::var_os("COSMOSCOPE_UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/agreement.txt");
        assert!(found.lines().count() <= KNOWN.lines().count(), "{found}");
        std::fs::write(path, &found).unwrap();
        return;
    }
    let new: Vec<&str> = found.lines().filter(|line| !KNOWN.lines().any(|k| k == *line)).collect();
    let gone: Vec<&str> = KNOWN.lines().filter(|k| !found.lines().any(|line| line == *k)).collect();
    assert!(new.is_empty(), "two values for one figure:\n{}", new.join("\n"));
    assert!(gone.is_empty(), "no contradiction any more, take out:\n{}", gone.join("\n"));
}
