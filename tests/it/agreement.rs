//! The matrix of agreement: one figure has one value wherever the program says it. `data/figures.txt` says where the JSON of
//! commands and the screens have which figure; a number that is missing there fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

use cosmoscope::analysis::demand::outcome::Outcome;
use cosmoscope::analysis::demand::remedies::Remedy;
use cosmoscope::analysis::diagnosis::Diagnosis;
use cosmoscope::analysis::figure::{Figure, FigureId};
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
/// Where each figure stands.
const PLACES: &str = include_str!("data/figures.txt");

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

/// How many there are of which more than 1 % is throttled.
const OVER: &str = "partitions over";
/// Members with a moment.
const DATES: [&str; 3] = [".wall", ".date", ".at"];
/// Numbers that are no figures; only fewer.
const MOST_PLAIN: usize = 225;
/// Of what is shown with six digits.
const ROUNDING: f64 = 1e-5;
/// Documents of each scenario.
const SAMPLE: &str = "20000";

/// A line of the places: a command or a screen, where its figure stands, and the member that says of what it is.
struct Place {
    command: &'static str,
    path: &'static str,
    /// None of what stands in one place only.
    figure: Option<FigureId>,
    subject: Option<&'static str>,
}

fn places() -> impl Iterator<Item = Place> {
    let lines = PLACES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let [command, path, figure, subject] = {
            let mut words = line.split_whitespace();
            [(); 4].map(|()| words.next())
        };
        let figure = figure.unwrap();
        let id = FigureId::named(figure);
        assert!(id.is_some() || figure == "-", "no figure {figure}");
        Place { command: command.unwrap(), path: path.unwrap(), figure: id, subject }
    })
}

/// Whether an element is one of those in brackets: `limit=key-size`; all of `[]`.
fn is_one(element: &Value, condition: &str, container: &str) -> bool {
    let is_equal = |condition: &str| {
        let (name, text) = condition.split_once('=').unwrap();
        element[name].as_str() == Some(text)
    };
    let of_other = element["container"].as_str().is_some_and(|name| name != container);
    let mut conditions = condition.split(',').filter(|of| of.contains('='));
    !of_other && conditions.all(is_equal)
}

/// Values at a path such as `limits[limit=key-size].now`, each with the object that has it. `[0]` and `[event=403,first]` take
/// one element; `growth{rate=logged}` is an object if it is one of those.
fn at_path<'v>(value: &'v Value, path: &str, container: &str) -> Vec<(&'v Value, &'v Value)> {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let (name, condition) = step.split_once(['[', '{']).unwrap_or((step, ""));
    let condition = condition.trim_end_matches([']', '}']);
    let found = &value[name];
    let elements: Vec<&Value> = match (found, condition.parse::<usize>()) {
        (Value::Array(all), Ok(at)) => all.get(at).into_iter().collect(),
        (Value::Array(all), Err(_)) => {
            let most = if condition.ends_with("first") { 1 } else { all.len() };
            all.iter().filter(|of| is_one(of, condition, container)).take(most).collect()
        }
        (Value::Null, _) => Vec::new(),
        (found, _) if is_one(found, condition, container) => vec![found],
        _ => Vec::new(),
    };
    if rest.is_empty() {
        return elements.into_iter().map(|of| (value, of)).collect();
    }
    elements.into_iter().flat_map(|of| at_path(of, rest, container)).collect()
}

fn member<'v>(of: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(of, |of, name| &of[name])
}

/// The path of every number, with `[]` for each list.
fn number_paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let dot = if path.is_empty() { "" } else { "." };
                number_paths(member, &format!("{path}{dot}{name}"), found);
            }
        }
        Value::Array(all) => {
            let path = format!("{path}[]");
            for of in all {
                number_paths(of, &path, found);
            }
        }
        Value::Number(_) => {
            found.insert(path.to_owned());
        }
        _ => {}
    }
}

/// The answer of a command; None where it has none for this container.
fn answer(arguments: &[&str]) -> Option<Value> {
    serde_json::from_str(&printed(&[arguments, &["--format", "json"]].concat())).ok()
}

fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosmoscope"));
    String::from_utf8(command.args(arguments).output().unwrap().stdout).unwrap()
}

fn say(found: &mut Figures, figure: &str, subject: &str, place: &'static str, value: Option<f64>) {
    let exact = value.map(|value| {
        let rounding = value.abs() * ROUNDING;
        [value - rounding, value + rounding]
    });
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
    figure: FigureId,
    subject: &str,
    place: &'static str,
    at: Option<Stamp>,
) {
    let day = at.map(|at| f64::from(day_of(at)));
    say_within(found, figure.name(), subject, place, day.map(|day| (day, [day - 1.0, day + 1.0])));
}

fn say_all<'f>(
    found: &mut Figures,
    place: &'static str,
    figures: impl Iterator<Item = Figure<'f>>,
) {
    for Figure { id, subject, value } in figures {
        say(found, id.name(), subject, place, Some(value));
    }
}

fn of_heat(outcome: &Outcome, found: &mut Figures) {
    say_all(found, "heat", outcome.figures());
    let over = outcome.partitions.iter().filter(|of| of.throttled_share > Some(0.01)).count();
    let is_known = outcome.throttled_share.is_some();
    say(found, OVER, "", "heat", is_known.then(|| f64::from(u32::try_from(over).unwrap())));
}

fn of_overview(data: &Dataset, number: u32, found: &mut Figures) {
    let row = data.overview.rows.iter().find(|row| row.number == number);
    let Some(standing) = row.map(|row| &row.standing) else { return };
    say_all(found, "overview", standing.figures());
    for key in [&standing.largest, &standing.next_limit_date].into_iter().flatten() {
        let name = key.key.as_deref().unwrap_or_default();
        say_day(found, FigureId::FullOn, name, "overview", key.limit_date.date());
    }
    for partition in &data.capture.containers[number as usize].partitions {
        say(found, FigureId::PartitionSize.name(), &partition.id, "heat", partition.kib);
    }
}

/// All figures of an answer, by the places.
fn of_answer(command: &'static str, answer: &Value, container: &str, found: &mut Figures) {
    for place in places().filter(|place| place.command == command) {
        let Some(figure) = place.figure else { continue };
        for (of, value) in at_path(answer, place.path, container) {
            let subject = match place.subject.map(|path| member(of, path)) {
                None => String::new(),
                // Of keys that no log names there are several.
                Some(Value::Null) => continue,
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            if let Some(text) = value.as_str() {
                say_day(found, figure, &subject, command, moment::of_text(text));
                continue;
            }
            let is_bytes = place.path.rsplit('.').next().unwrap().contains("bytes");
            let value = value.as_f64().map(|value| if is_bytes { value / 1024.0 } else { value });
            // Whole bytes are shown.
            let rounded = value.filter(|_| is_bytes).map(|kib| (kib, [kib - 1e-3, kib + 1e-3]));
            match value.zip(range(of)) {
                Some((value, [low, high])) => {
                    let within = Some((value, [value * low, value * high]));
                    say_within(found, figure.name(), &subject, command, within);
                }
                None if rounded.is_some_and(|(kib, _)| kib < 100.0) => {
                    say_within(found, figure.name(), &subject, command, rounded);
                }
                None => say(found, figure.name(), &subject, command, value),
            }
        }
    }
    if command == "forecast" {
        let limits = at_path(answer, "limits[limit=partition-ru,state=over].now", container);
        say(found, OVER, "", command, Some(f64::from(u32::try_from(limits.len()).unwrap())));
    }
}

/// By what factors a size may be off that a sample tells. One interval in twenty does not hold the truth: all of these are to.
fn range(of: &Value) -> Option<[f64; 2]> {
    let share = of["share"].as_f64().filter(|share| *share > 0.0)?;
    let ends = [of["share_range"][0].as_f64()?, of["share_range"][1].as_f64()?];
    Some(ends.map(|end| (share + 2.0 * (end - share)) / share))
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
    say(found, FigureId::Throttled.name(), &at, "remedies", row.throttled.map(|share| share.point));
    let arguments = [&at_ru("trial", name, container, &ru)[..], &["--sample", SAMPLE]].concat();
    let outcome = answer(&arguments).map(|trial| trial["candidates"][0]["outcome"].clone());
    let mut highest = 0.0_f64;
    if let Some(outcome) = &outcome {
        let share = outcome["throttled_share"]["point"].as_f64();
        say(found, FigureId::Throttled.name(), &at, "trial", share);
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
    let low = values.iter().map(|of| of.low).fold(f64::NEG_INFINITY, f64::max);
    let high = values.iter().map(|of| of.high).fold(f64::INFINITY, f64::min);
    low <= high + high.abs() * ROUNDING + 1e-6
}

fn names() -> impl Iterator<Item = &'static str> {
    scenario::list().into_iter().map(|of| of.name).chain(DESIGNS)
}

/// What the screens hold of a container.
fn of_screens(data: &Dataset, number: u32) -> Figures {
    let mut found = Figures::new();
    of_overview(data, number, &mut found);
    let now = data.diagnoses.container(number).and_then(|found| found.now.as_ref());
    if let Some(now) = now {
        of_heat(&now.outcome, &mut found);
    }
    found
}

fn contradictions(of: &str, found: Figures) -> String {
    let mut text = String::new();
    for ((figure, subject), values) in found.into_iter().filter(|(_, of)| !agree(of)) {
        let values: Vec<String> =
            values.iter().map(|of| format!("{} {:.4e}", of.place, of.value)).collect();
        let _ = writeln!(text, "{of}: {figure}, {subject}: {}", values.join(" | "));
    }
    text
}

#[test]
fn one_figure_has_one_value() {
    let mut text = String::new();
    for name in names() {
        let data = Loader::default().load(Origin::Scenario(name), &Watch::default()).unwrap();
        let forecast = answer(&["forecast", "--scenario", name]);
        for (number, container) in (0_u32..).zip(&data.capture.containers) {
            let shown = container.name.container.as_deref().unwrap_or_default();
            let mut found = of_screens(&data, number);
            if let Some(forecast) = &forecast {
                of_answer("forecast", forecast, shown, &mut found);
            }
            let of = ["--scenario", name, "--container", shown];
            let trial = [&["trial"], &of[..], &["--sample", SAMPLE]].concat();
            if let Some(trial) = answer(&trial).or_else(|| answer(&trial[..5])) {
                of_answer("trial", &trial, shown, &mut found);
            }
            let simulate = [&["simulate"], &of[..], &["--until", "365d"]].concat();
            if let Some(simulated) = answer(&simulate) {
                of_answer("simulate", &simulated, shown, &mut found);
            }
            if let Some(named) = data.diagnoses.container(number) {
                of_more_ru(named, name, shown, &mut found);
            }
            text += &contradictions(&format!("{name} {shown}"), found);
        }
    }
    assert!(text.is_empty(), "two values for one figure:\n{text}");
}

/// Exports of one account.
const EXPORTS: [&str; 4] = ["stats/log-analytics", "ru", "arm", "metrics"];

fn exports() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");
    EXPORTS.iter().map(|name| format!("{folder}/{name}")).collect()
}

/// Arguments before and behind the paths of the exports.
fn of_exports(before: &[&str], behind: &[&str]) -> Option<Value> {
    let paths = exports();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    answer(&[before, &paths[..], behind].concat())
}

#[test]
fn exports_have_one_value_for_one_figure() {
    let paths = exports().into_iter().map(Into::into).collect();
    let data = Loader::default().load(Origin::Paths(paths), &Watch::default()).unwrap();
    let heat = of_exports(&["report", "--view", "heat"], &[]).unwrap();
    let report = of_exports(&["report"], &[]).unwrap();
    let forecast = of_exports(&["forecast"], &[]).unwrap();
    let (mut text, mut count) = (String::new(), 0);
    for (number, container) in (0_u32..).zip(&data.capture.containers) {
        let Some(shown) = container.name.container.as_deref() else { continue };
        let mut found = of_screens(&data, number);
        of_answer("heat", &heat, shown, &mut found);
        of_answer("report", &report, shown, &mut found);
        of_answer("forecast", &forecast, shown, &mut found);
        let until = ["--container", shown, "--until", "90d"];
        if let Some(simulated) = of_exports(&["simulate"], &until) {
            of_answer("simulate", &simulated, shown, &mut found);
        }
        count += found.values().filter(|values| values.len() > 1).count();
        text += &contradictions(shown, found);
    }
    assert!(text.is_empty(), "two values for one figure:\n{text}");
    assert!(count > 20, "{count} figures stand in several places");
}

#[test]
fn every_number_of_json_is_a_figure_or_listed_as_plain() {
    let (mut missing, mut met) = (BTreeSet::new(), BTreeSet::new());
    for name in ["tenants", "night", "saas", "burst"] {
        let of = ["--scenario", name];
        let sampled = [&of[..], &["--sample", "3000"]].concat();
        for (command, arguments) in [
            ("forecast", of.to_vec()),
            ("trial", sampled.clone()),
            ("simulate", [&of[..], &["--until", "365d"]].concat()),
            ("plan", [&["/id"], &sampled[..]].concat()),
            ("workload", of.to_vec()),
            ("check", of.to_vec()),
        ] {
            let answer = answer(&[&[command], &arguments[..]].concat()).unwrap();
            let mut numbers = BTreeSet::new();
            number_paths(&answer, "", &mut numbers);
            met.extend(numbers.into_iter().map(|path| format!("{command} {path}")));
        }
    }
    for (command, arguments) in
        [("heat", &["report", "--view", "heat"][..]), ("report", &["report"])]
    {
        let mut numbers = BTreeSet::new();
        number_paths(&of_exports(arguments, &[]).unwrap(), "", &mut numbers);
        met.extend(numbers.into_iter().map(|path| format!("{command} {path}")));
    }
    let full = ["trial", "--scenario", "saas", "--sample", "3000", "--key", "/type"];
    let mut numbers = BTreeSet::new();
    number_paths(&answer(&full).unwrap(), "", &mut numbers);
    met.extend(numbers.into_iter().map(|path| format!("trial {path}")));
    for design in ["saas", "orders"] {
        let path = format!("{}/assets/designs/{design}.toml", env!("CARGO_MANIFEST_DIR"));
        let mut numbers = BTreeSet::new();
        number_paths(&answer(&["design", &path]).unwrap(), "", &mut numbers);
        met.extend(numbers.into_iter().map(|path| format!("design {path}")));
    }
    let plain = |path: &str| {
        let steps =
            path.split('.').map(|step| match (step.split_once('['), step.split_once('{')) {
                (Some((name, _)), _) => format!("{name}[]"),
                (_, Some((name, _))) => name.to_owned(),
                _ => step.to_owned(),
            });
        steps.collect::<Vec<_>>().join(".")
    };
    let listed: BTreeSet<String> =
        places().map(|of| format!("{} {}", of.command, plain(of.path))).collect();
    missing.extend(met.difference(&listed).map(|path| format!("in no line: {path}")));
    // Dates are texts, which are found where figures are compared.
    let is_number = |line: &&String| !DATES.iter().any(|date| line.ends_with(date));
    let gone = listed.difference(&met).filter(|line| !line.starts_with("screen"));
    missing.extend(gone.filter(is_number).map(|line| format!("no number: {line}")));
    let missing: Vec<String> = missing.into_iter().collect();
    assert!(missing.is_empty(), "data/figures.txt:\n{}", missing.join("\n"));
    let plain = places().filter(|place| place.figure.is_none()).count();
    assert!(plain <= MOST_PLAIN, "{plain} numbers are no figures");
}

#[test]
fn screens_show_the_figures_at_their_precision() {
    let (mut missing, mut count) = (String::new(), 0);
    for name in ["tenants", "night", "food", "saas", "burst", "users"] {
        let data = Loader::default().load(Origin::Scenario(name), &Watch::default()).unwrap();
        let number = data.worst_container().unwrap();
        let row = data.overview.rows.iter().find(|row| row.number == number).unwrap();
        let now = data.diagnoses.container(number).unwrap().now.as_ref().unwrap();
        let partitions = data.capture.containers[number as usize].partitions.iter();
        let sizes = partitions.filter_map(|of| {
            let id = FigureId::PartitionSize;
            Some(Figure { id, subject: &of.id, value: of.kib? })
        });
        let figures = now.outcome.figures().chain(row.standing.figures()).chain(sizes);
        let figures: Vec<Figure<'_>> = figures.collect();
        let mut screens: BTreeMap<&str, String> = BTreeMap::new();
        for place in places().filter(|place| place.command == "screen") {
            let print = ["demo", name, "--print", place.path, "--size", "200x60"];
            let screen = screens.entry(place.path).or_insert_with(|| printed(&print));
            for figure in figures.iter().filter(|of| Some(of.id) == place.figure) {
                count += 1;
                let text = figure.text();
                if !screen.replace('\u{a0}', " ").contains(&text) {
                    let (view, id) = (place.path, figure.id.name());
                    let _ =
                        writeln!(missing, "{name} {view}: {id} of {:?}, {text}", figure.subject);
                }
            }
        }
    }
    assert!(missing.is_empty(), "not on the screen:\n{missing}");
    assert!(count > 60, "{count} figures");
}
