//! A load at once: RU/s against hours, the deadline, and the steps.

use std::io::{self, Write};

use crate::analysis::forecast::{
    FirstLevel, LoadObstacle, LoadPlan, LoadRun, LoadStep, LoadTarget,
};
use crate::model::names::ContainerName;
use crate::model::units::{
    amount_text, count_text, counted, kib_text, ratio_text, six_digits, three_digits, trimmed_text,
    whole_text,
};
use crate::report::Style;
use crate::report::csv::Line;
use crate::report::doc::{Doc, NUMBERS, Point};
use crate::report::layout::{optional, title};
use crate::report::write_json::{Json, object};

const HEADS: [&str; 5] = [
    "RU/s",
    "partitions",
    "splits first",
    "hours",
    "lowest RU/s afterwards",
];
const SIZES: &str =
    "≈: properties and their index decide what a write costs. The index adds to the size, too.";

/// `Load of 500 GiB into contoso / shop / orders`
pub(super) fn name(plan: &LoadPlan) -> String {
    let what = kib_text(plan.question.kib);
    match &plan.name {
        Some(name) => format!("Load of {what} into {}", title(name)),
        None => format!("Load of {what} into a new container"),
    }
}

/// What comes of the deadline, or what is loaded.
pub(super) fn headline(plan: &LoadPlan) -> String {
    match (plan.question.hours, &plan.holding) {
        (Some(hours), Some(holding)) => verdict(hours, holding),
        _ => format!("{}: {}", name(plan), work(plan)),
    }
}

pub(super) fn part(doc: &mut Doc, plan: &LoadPlan) {
    doc.part(&name(plan));
    doc.paragraph(&work(plan), "");
    doc.paragraph(&target(&plan.target), "");
    if let (Some(hours), Some(holding)) = (plan.question.hours, &plan.holding) {
        if let Some(today) = &plan.today {
            doc.paragraph(&in_time(today, hours), "");
        }
        doc.paragraph(&verdict(hours, holding), "");
        if let Ok(run) = holding {
            let steps = run.steps.iter().map(step_text).map(Point::Step);
            doc.list(("ol", "  ", "    "), steps);
        }
    }
    let runs = plan.choices.iter().chain(&plan.today);
    let held = plan.holding.iter().filter_map(|held| held.as_ref().ok());
    if let Some(first) = held.chain(runs).find_map(|run| run.first_level) {
        doc.paragraph(&first_level(&first), "");
    }
    if !plan.choices.is_empty() {
        doc.table(NUMBERS, HEADS, plan.choices.iter().map(row));
    }
    doc.aside(SIZES, "");
    doc.part_end();
}

/// `524,288,000 items of 1 KiB are ≈ 5.24 billion RU: ≈ 10 RU a write with everything indexed, ≈ 5 without an index.`
fn work(plan: &LoadPlan) -> String {
    let items = large(plan.items);
    let size = match plan.question.item_kib {
        kib if kib < 1024.0 => format!("{} KiB", trimmed_text(kib)),
        kib => kib_text(kib),
    };
    let [bare, indexed] = plan.item_ru.map(amount_text);
    format!(
        "{items} items of {size} take ≈ {} RU: ≈ {indexed} RU a write with everything indexed, ≈ {bare} without an index.",
        large(plan.ru)
    )
}

fn large(n: f64) -> String {
    match n {
        1e9.. => format!("{} billion", three_digits(n / 1e9)),
        1e6.. => format!("{} million", three_digits(n / 1e6)),
        _ => whole_text(n),
    }
}

fn target(target: &LoadTarget) -> String {
    let mode = target.throughput_mode;
    match (target.ru_per_second, target.partitions) {
        (Some(ru), Some(partitions)) => super::now_text(mode, ru, partitions),
        _ => "A new container of manual RU/s, whose keys spread evenly.".to_owned(),
    }
}

/// `24,000 RU/s: 60.7 h, missed by 48.7 h.`
fn in_time(run: &LoadRun, until: f64) -> String {
    let [hours, until] = [run.hours, until].map(hours_text);
    let ru = whole_text(run.ru_per_second);
    let outcome = match run.missed_by {
        Some(missed) => format!("missed by {}", hours_text(missed)),
        None => format!("in time for {until}"),
    };
    format!("{ru} RU/s take {hours}: {outcome}.")
}

fn verdict(until: f64, holding: &Result<LoadRun, LoadObstacle>) -> String {
    let until = hours_text(until);
    match holding {
        Ok(run) => {
            let ru = whole_text(run.ru_per_second);
            let partitions = counted(run.partitions_after as u64, "partition", "partitions");
            format!("{ru} RU/s hold {until}; {partitions} at the end.")
        }
        Err(obstacle) => format!("No RU/s hold {until}: {}", reason(*obstacle)),
    }
}

fn reason(obstacle: LoadObstacle) -> String {
    match obstacle {
        LoadObstacle::TooMuch(ru) => format!(
            "it takes {} RU/s. A container has 1,000,000 at most; more is a support request.",
            whole_text(ru)
        ),
        LoadObstacle::FirstLevel(first) => format!(
            "{} values of the first level use at most {} RU/s before splits, and splits take 4 to 6 h a round.",
            count_text(first.values),
            whole_text(first.most_ru)
        ),
        LoadObstacle::Splits(ru) => format!(
            "{} RU/s are there at once. For more, partitions split, 4 to 6 h a round: that takes too long.",
            whole_text(ru)
        ),
    }
}

/// `5 values of the first level on 10 partitions: 4.10 partitions expected, at most 50,000 RU/s until these split.`
fn first_level(first: &FirstLevel) -> String {
    format!(
        "{} values of the first level on {}: {} expected to be used, at most {} RU/s until these split.",
        count_text(first.values),
        counted(first.partitions as u64, "partition", "partitions"),
        ratio_text(first.expected_partitions),
        whole_text(first.most_ru),
    )
}

fn hours_text(hours: f64) -> String {
    format!("{} h", amount_text(hours))
}

fn step_text(step: &LoadStep) -> String {
    match step {
        LoadStep::Create {
            ru_per_second,
            partitions,
        } => format!(
            "Create the container with {} RU/s: it has {}.",
            whole_text(*ru_per_second),
            counted(*partitions as u64, "partition", "partitions")
        ),
        LoadStep::Set(ru) => format!("Set {} RU/s.", whole_text(*ru)),
        LoadStep::LoadFirst { kib } => format!(
            "Load about {} of it, so that ranges hold data before they split.",
            kib_text(*kib)
        ),
        LoadStep::WaitForSplits { partitions, hours } => {
            let [from, to] = hours;
            let partitions = count_text(*partitions as u64);
            format!("Wait until there are {partitions} partitions: {from} to {to} h.")
        }
        LoadStep::Load { hours } => format!("Load: ≈ {}.", hours_text(*hours)),
        LoadStep::Lower(ru) => format!("Lower RU/s; {} are the lowest then.", whole_text(*ru)),
    }
}

fn row(run: &LoadRun) -> [String; 5] {
    let rounds = u64::from(run.rounds);
    [
        whole_text(run.ru_per_second),
        count_text(run.partitions_after as u64),
        optional(Some(rounds).filter(|n| *n > 0), |n| {
            counted(n, "round", "rounds")
        }),
        amount_text(run.hours),
        whole_text(run.lowest_after),
    ]
}

fn run_json(run: &LoadRun) -> Json {
    let steps: Vec<String> = run.steps.iter().map(step_text).collect();
    object()
        .with("ru_per_second", run.ru_per_second)
        .with("partitions_at_first", run.partitions_before)
        .with("partitions_at_the_end", run.partitions_after)
        .with("rounds_of_splits", run.rounds)
        .with("hours", six_digits(run.hours))
        .with("missed_by_hours", run.missed_by.map(six_digits))
        .with("lowest_afterwards", run.lowest_after)
        .with(
            "first_level",
            run.first_level.map(|first| {
                object()
                    .with("values", first.values)
                    .with("expected_partitions", six_digits(first.expected_partitions))
                    .with("most_ru_per_second", first.most_ru)
            }),
        )
        .with("steps", steps)
}

pub(super) fn json(plan: &LoadPlan) -> Json {
    let question = plan.question;
    let holding = plan.holding.as_ref();
    let held = holding.and_then(|held| held.as_ref().ok());
    let obstacle = holding.and_then(|held| held.as_ref().err().copied());
    let choices: Vec<Json> = plan.choices.iter().map(run_json).collect();
    let [bare, indexed] = plan.item_ru.map(six_digits);
    object()
        .names(&container(plan))
        .with("is_new", plan.target.partitions.is_none())
        .with("kib", six_digits(question.kib))
        .with("items", plan.items)
        .with("item_kib", six_digits(question.item_kib))
        .with("item_ru", [bare, indexed])
        .with("ru", six_digits(plan.ru))
        .with("deadline_hours", question.hours.map(six_digits))
        .with("today", plan.today.as_ref().map(run_json))
        .with("holds_deadline", held.map(run_json))
        .with("why_none_holds_it", obstacle.map(reason))
        .with("choices", choices)
}

fn container(plan: &LoadPlan) -> ContainerName {
    let new = || ContainerName::new(None, None, Some("new container"));
    plan.name.clone().unwrap_or_else(new)
}

const HEADER: &str = "account,database,container,case,ru_per_second,partitions,rounds_of_splits,hours,missed_by_hours,lowest_afterwards\n";

/// A table of its own.
pub(super) fn csv(plan: &LoadPlan, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(HEADER.as_bytes())?;
    let mut line = Line::new(style.cells);
    let held = plan.holding.iter().filter_map(|held| held.as_ref().ok());
    let today = plan.today.iter().filter(|_| plan.holding.is_some());
    let all = (today.map(|run| ("today", run)))
        .chain(held.map(|run| ("holds", run)))
        .chain(plan.choices.iter().map(|run| ("choice", run)));
    for (case, run) in all {
        line.names(&container(plan))
            .plain(Some(case))
            .number(Some(run.ru_per_second))
            .plain(Some(run.partitions_after))
            .plain(Some(run.rounds))
            .number(Some(six_digits(run.hours)))
            .number(run.missed_by.map(six_digits))
            .number(Some(run.lowest_after))
            .end(to)?;
    }
    Ok(())
}
