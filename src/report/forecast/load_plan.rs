//! A load at once: RU/s against hours, the deadline, and the steps.

use std::io::{self, Write};

use crate::analysis::forecast::{FirstLevel, LoadObstacle, LoadPlan, LoadRun};
use crate::model::names::ContainerName;
use crate::model::throughput::{SPLIT_ROUND_HOURS, creation_ru, most_ru};
use crate::model::units::{
    amount_text, as_number, count_text, counted, kib_text, ratio_text, six_digits, three_digits,
    whole_text,
};
use crate::report::Style;
use crate::report::csv::Line;
use crate::report::doc::{Doc, NUMBERS, Point};
use crate::report::layout::title;
use crate::report::write_json::{Json, list, object};

const HEADS: [&str; 5] =
    ["RU/s", "partitions", "rounds of splits", "hours", "lowest RU/s afterwards"];
const SIZES: &str =
    "≈: properties and their index decide what a write costs. The index adds to the size, too.";

/// What comes of the deadline, or what is loaded.
pub(super) fn headline(plan: &LoadPlan) -> String {
    verdict(plan).unwrap_or_else(|| work(plan))
}

pub(super) fn part(doc: &mut Doc, plan: &LoadPlan) {
    doc.part(&name(plan));
    let target = plan.target;
    let now = match (target.ru_per_second, target.partitions) {
        (Some(ru), Some(count)) => super::now_text(target.throughput_mode, ru, count),
        _ if plan.question.first_values.is_some() => "A new container of manual RU/s.".to_owned(),
        _ => "A new container of manual RU/s, whose keys spread evenly.".to_owned(),
    };
    let today = plan.today.as_ref().filter(|_| plan.holding.is_some());
    let mut said = vec![work(plan), now];
    said.extend(today.map(in_time).into_iter().chain(verdict(plan)));
    // Of a new container the headline stands above already.
    said.retain(|sentence| plan.name.is_some() || *sentence != headline(plan));
    for sentence in &said {
        doc.paragraph(sentence, "");
    }
    let held = plan.holding.as_ref().and_then(|held| held.as_ref().ok());
    if let Some(run) = held {
        let steps = steps(plan, run).into_iter().map(Point::Step);
        doc.list(("ol", "  ", "    "), steps);
    }
    let mut runs = held.into_iter().chain(&plan.choices).chain(&plan.today);
    if let Some(first) = runs.find_map(|run| run.first_level) {
        doc.paragraph(&first_level(&first), "");
    }
    if !plan.choices.is_empty() {
        doc.table(NUMBERS, HEADS, plan.choices.iter().map(row));
    }
    doc.aside(SIZES, "");
    doc.part_end();
}

/// `Load of 500 GiB into contoso / shop / orders`
fn name(plan: &LoadPlan) -> String {
    let into = plan.name.as_ref().map(title);
    let into = into.unwrap_or_else(|| "a new container".to_owned());
    format!("Load of {} into {into}", kib_text(plan.question.kib))
}

/// `524 million items of 1 KiB take ≈ 5.24 billion RU: ≈ 10 RU a write with everything indexed, ≈ 5 without an index.`
fn work(plan: &LoadPlan) -> String {
    let (items, ru) = (large(plan.items), large(plan.ru));
    let [bare, indexed] = plan.item_ru.map(amount_text);
    let size = kib_text(plan.question.item_kib);
    format!(
        "{items} items of {size} take ≈ {ru} RU: ≈ {indexed} RU a write with everything indexed, ≈ {bare} without an index."
    )
}

fn large(n: f64) -> String {
    match n {
        1e9.. => format!("{} billion", three_digits(n / 1e9)),
        1e6.. => format!("{} million", three_digits(n / 1e6)),
        _ => whole_text(n),
    }
}

fn hours_text(hours: f64) -> String {
    format!("{} h", amount_text(hours))
}

fn partitions(count: usize) -> String {
    counted(count as u64, "partition", "partitions")
}

/// `24,000 RU/s take 60.7 h: missed by 48.7 h.`
fn in_time(run: &LoadRun) -> String {
    let missed = run.missed_by.map(hours_text);
    let outcome = missed.map_or("in time".to_owned(), |hours| format!("missed by {hours}"));
    let (ru, hours) = (whole_text(run.ru_per_second), hours_text(run.hours));
    format!("{ru} RU/s take {hours}: {outcome}.")
}

fn verdict(plan: &LoadPlan) -> Option<String> {
    let until = hours_text(plan.question.hours?);
    Some(match plan.holding.as_ref()? {
        Ok(run) => {
            let (ru, count) = (whole_text(run.ru_per_second), partitions(run.partitions_after));
            format!("{ru} RU/s hold {until}; {count} at the end.")
        }
        Err(obstacle) => format!("No RU/s hold {until}: {}", reason(*obstacle)),
    })
}

fn reason(obstacle: LoadObstacle) -> String {
    match obstacle {
        LoadObstacle::TooMuch(ru) => {
            let ru = whole_text(ru);
            format!(
                "it takes {ru} RU/s. A container has 1,000,000 at most; more is a support request."
            )
        }
        LoadObstacle::FirstLevel(first) => {
            let ru = whole_text(first.most_ru);
            let values = counted(first.values, "value", "values");
            format!(
                "{values} of the first level can use {ru} RU/s at most before splits. Splits take 4 to 6 h a round."
            )
        }
        LoadObstacle::Splits(ru) => {
            let ru = whole_text(ru);
            format!("{ru} RU/s are there at once. More take splits, 4 to 6 h a round: too long.")
        }
    }
}

/// `5 values of the first level on 10 partitions: 4.10 used on average, at most 50,000 RU/s until these split.`
fn first_level(first: &FirstLevel) -> String {
    let (values, on) = (counted(first.values, "value", "values"), partitions(first.partitions));
    let (used, most) = (ratio_text(first.expected_partitions), whole_text(first.most_ru));
    format!(
        "{values} of the first level on {on}: {used} used on average, at most {most} RU/s until these split."
    )
}

fn steps(plan: &LoadPlan, run: &LoadRun) -> Vec<String> {
    let (target, before, rounds) = (plan.target, run.partitions_before, run.rounds);
    let mut steps = Vec::new();
    let created = run.ru_per_second.min(creation_ru(target.throughput_mode) * as_number(before));
    let mut now = target.partitions.map_or(created, |_| target.ru_per_second.unwrap_or(0.0));
    if target.partitions.is_none() {
        let (ru, count) = (whole_text(created), partitions(before));
        steps.push(format!("Create the container with {ru} RU/s: it has {count}."));
    }
    // RU/s that are more than it takes are left as they are.
    let least = if rounds == 0 { now } else { 0.0 };
    let mut set = |steps: &mut Vec<String>, ru: f64| {
        if (ru - now).abs() > 0.5 {
            steps.push(format!("Set {} RU/s.", whole_text(ru)));
            now = ru;
        }
    };
    if run.first_kib > 0.0 {
        set(&mut steps, most_ru(before, 0));
        let first = kib_text(run.first_kib);
        steps.push(format!("Load about {first}, so that ranges hold data before they split."));
    }
    if rounds > 0 {
        set(&mut steps, most_ru(before, rounds));
        let [from, to] = SPLIT_ROUND_HOURS.map(|hours| hours * rounds);
        let count = partitions(before << rounds);
        steps.push(format!("Wait until there are {count}: {from} to {to} h."));
    }
    set(&mut steps, run.ru_per_second.max(least));
    steps.push(format!("Load. With all steps it takes {} at most.", hours_text(run.hours)));
    let lowest = whole_text(run.lowest_after);
    steps.push(format!("Lower RU/s; {lowest} are the lowest then."));
    steps
}

fn row(run: &LoadRun) -> [String; 5] {
    [
        whole_text(run.ru_per_second),
        count_text(run.partitions_after as u64),
        run.rounds.to_string(),
        amount_text(run.hours),
        whole_text(run.lowest_after),
    ]
}

pub(super) fn json(plan: &LoadPlan) -> Json {
    let question = plan.question;
    let run = |run: &LoadRun| {
        let first = run.first_level;
        object()
            .with("ru_per_second", run.ru_per_second)
            .with("partitions", run.partitions_after)
            .with("rounds_of_splits", run.rounds)
            .with("hours", six_digits(run.hours))
            .with("missed_by_hours", run.missed_by.map(six_digits))
            .with("lowest_afterwards", run.lowest_after)
            .with_known("expected_partitions", first.map(|f| six_digits(f.expected_partitions)))
            .with_known("most_ru_per_second", first.map(|f| f.most_ru))
    };
    let held = plan.holding.as_ref().and_then(|held| held.as_ref().ok());
    let obstacle = plan.holding.as_ref().and_then(|held| held.as_ref().err());
    object()
        .names(&container(plan))
        .with("kib", six_digits(question.kib))
        .with("items", plan.items)
        .with("item_ru", plan.item_ru.map(six_digits))
        .with("ru", six_digits(plan.ru))
        .with("deadline_hours", question.hours.map(six_digits))
        .with("today", plan.today.as_ref().map(run))
        .with("holds_deadline", held.map(run))
        .with("steps", held.map(|run| steps(plan, run)))
        .with("why_none_holds_it", obstacle.map(|obstacle| reason(*obstacle)))
        .with("choices", list(&plan.choices, run))
}

fn container(plan: &LoadPlan) -> ContainerName {
    let new = || ContainerName::new(None, None, Some("new container"));
    plan.name.clone().unwrap_or_else(new)
}

const HEADER: &str = "account,database,container,case,ru_per_second,partitions,rounds_of_splits,hours,missed_by_hours,lowest_afterwards\n";

/// A table of its own.
pub(super) fn csv(plan: &LoadPlan, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    let held = plan.holding.iter().filter_map(|held| held.as_ref().ok());
    let today = plan.today.iter().filter(|_| plan.holding.is_some());
    let all = (today.map(|run| ("today", run)))
        .chain(held.map(|run| ("holds", run)))
        .chain(plan.choices.iter().map(|run| ("choice", run)));
    for (case, run) in all {
        line.names(&container(plan)).plain(Some(case));
        line.number(Some(run.ru_per_second));
        line.plain(Some(run.partitions_after)).plain(Some(run.rounds));
        line.number(Some(six_digits(run.hours)));
        line.number(run.missed_by.map(six_digits));
        line.number(Some(run.lowest_after)).end(to)?;
    }
    Ok(())
}
