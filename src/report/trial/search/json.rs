//! What was searched for, for scripts: fields beside the candidates, each only where it was asked for.
//!
//! `"suggestions":{"proposals":[{"key","verdict","why","alike":[s],"front","distinct","largest_bytes","largest_share",
//! "load_ratio","hot_share","refused_share","visits","ru_to_buy":{"point","low","high"}|null}],"tried","not_tried","searched_on","complete",
//! "dropped":[{"why","keys"}],"left_out":[{"why","paths":[s]}]}`,
//! `"suffix":[{"key","suffix","least","best","proven","decides","by_division","why":[s],"rows":[{"n","meets",
//! "largest_bytes","busiest_ru","load_ratio","load_ratio_busiest","keys","keys_per_partition","read":{"keys","visits",
//! "ru"}}]}]`,
//! `"route":[{"key","copy","read_ru","write_ru":[low,high],"hours":[low,high]|null,"collisions","parted","why":[s]}]`.

use std::fmt::Write as _;

use crate::analysis::migration::Migration;
use crate::analysis::suffix::{Decides, Least, Plan, Row, Suffix};
use crate::analysis::suggest::{Proposal, Suggestions, load_ratio};
use crate::report::write_json::{push_number, push_number_or_null, push_text, push_text_or_null};

use super::super::TrialReport;
use super::super::json::push_to_buy;

/// Ends with a comma and a line break where there is anything.
pub(in super::super) fn push_json(report: &TrialReport, out: &mut String) {
    let searched = &report.searched;
    if let Some(found) = &searched.suggestions {
        push_suggestions(found, out);
        out.push_str(",\n");
    }
    if !searched.suffixes.is_empty() {
        out.push_str("\"suffix\":");
        push_list(&searched.suffixes, push_plan, out);
        out.push_str(",\n");
    }
    let routes: Vec<&Migration> = searched.routes().collect();
    if !routes.is_empty() {
        out.push_str("\"route\":");
        push_list(&routes, |route, out| push_route(route, out), out);
        out.push_str(",\n");
    }
}

fn push_list<T>(items: &[T], push: fn(&T, &mut String), out: &mut String) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(",\n");
        }
        push(item, out);
    }
    out.push(']');
}

fn push_texts(texts: &[String], out: &mut String) {
    push_list(texts, |text, out| push_text(text, out), out);
}

/// `"a":1,"b":null`
fn push_numbers(numbers: &[(&str, Option<f64>)], out: &mut String) {
    for (i, (name, number)) in numbers.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\"{name}\":");
        push_number_or_null(*number, out);
    }
}

fn push_suggestions(found: &Suggestions, out: &mut String) {
    out.push_str("\"suggestions\":{\"proposals\":");
    push_list(&found.proposals, push_proposal, out);
    let on = found.searched_on;
    let _ = write!(
        out,
        ",\n\"tried\":{},\"not_tried\":{},\"searched_on\":{},\"complete\":{},\"dropped\":[",
        found.tried,
        found.not_tried,
        on.map_or("null".to_owned(), |n| n.to_string()),
        found.is_complete
    );
    for (i, (why, keys)) in found.dropped.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            out,
            "{comma}{{\"why\":\"{}\",\"keys\":{}}}",
            why.words(),
            keys.len()
        );
    }
    out.push_str("],\"left_out\":[");
    for (i, (why, paths)) in found.unfit.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{{\"why\":\"{}\",\"paths\":", why.words());
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        push_texts(&paths, out);
        out.push('}');
    }
    out.push_str("]}");
}

fn push_proposal(proposal: &Proposal, out: &mut String) {
    out.push_str("{\"key\":");
    push_text(&proposal.candidate.to_string(), out);
    let _ = write!(
        out,
        ",\"verdict\":\"{}\",\"why\":",
        proposal.standing.words()
    );
    push_text(&proposal.why(), out);
    out.push_str(",\"alike\":");
    let alike: Vec<String> = proposal.alike.iter().map(ToString::to_string).collect();
    push_texts(&alike, out);
    let _ = write!(
        out,
        ",\"front\":{},\"distinct\":{},",
        proposal.band, proposal.trial.distinct.seen
    );
    let trial = &proposal.trial;
    let numbers = [
        ("largest_bytes", Some(trial.largest_bytes.round())),
        ("largest_share", Some(trial.largest_share_of_ceiling)),
        ("load_ratio", Some(load_ratio(trial))),
        ("hot_share", Some(super::hot_share(proposal))),
        ("refused_share", trial.placement.throttled_share),
        ("visits", proposal.visits),
    ];
    push_numbers(&numbers, out);
    push_to_buy(trial, out);
    out.push('}');
}

fn push_plan(plan: &Plan, out: &mut String) {
    out.push_str("{\"key\":");
    push_text(&plan.key.to_string(), out);
    out.push_str(",\"suffix\":");
    match &plan.suffix {
        Suffix::Random => push_text("random", out),
        Suffix::Bucket(path) => push_text(&path.to_string(), out),
    }
    let (least, is_proven) = match plan.least {
        Least::AsItIs => (Some(1.0), true),
        Least::Found { n, is_proven } => (Some(f64::from(n)), is_proven),
        Least::None(_) | Least::Stopped => (None, false),
    };
    out.push_str(",\"least\":");
    push_number_or_null(least, out);
    out.push_str(",\"best\":");
    let best = plan.best().map(|key| key.to_string());
    push_text_or_null(best.as_deref(), out);
    let _ = write!(out, ",\"proven\":{is_proven},\"decides\":");
    push_text_or_null(plan.decides.map(Decides::word), out);
    let _ = write!(out, ",\"by_division\":{},\"why\":", plan.by_division);
    push_texts(&plan.sentences(), out);
    out.push_str(",\n\"rows\":");
    push_list(&plan.rows, push_row, out);
    out.push('}');
}

fn push_row(row: &Row, out: &mut String) {
    let _ = write!(out, "{{\"n\":{},\"meets\":{},", row.n, row.meets);
    let numbers = [
        ("largest_bytes", Some(row.worst.bytes.round())),
        ("busiest_ru", row.worst.ru_per_second),
        ("load_ratio", row.load_ratio),
        ("load_ratio_busiest", row.load_ratio_busiest),
        ("keys_per_partition", Some(row.keys_per_partition)),
    ];
    push_numbers(&numbers, out);
    let _ = write!(
        out,
        ",\"keys\":{},\"read\":{{\"keys\":{},",
        row.keys, row.read.keys
    );
    let numbers = [("visits", Some(row.read.visits)), ("ru", Some(row.read.ru))];
    push_numbers(&numbers, out);
    out.push_str("}}");
}

fn push_route(route: &Migration, out: &mut String) {
    out.push_str("{\"key\":");
    push_text(&route.candidate.to_string(), out);
    let _ = write!(out, ",\"copy\":\"{}\",\"read_ru\":", route.copy.word());
    push_number(route.cost.read_ru.round(), out);
    let pair = |pair: [f64; 2], out: &mut String| {
        let [low, high] = pair;
        out.push('[');
        push_number(low, out);
        out.push(',');
        push_number(high, out);
        out.push(']');
    };
    out.push_str(",\"write_ru\":");
    pair(route.cost.write_ru.map(f64::round), out);
    out.push_str(",\"hours\":");
    match route.cost.hours {
        Some(hours) => pair(hours, out),
        None => out.push_str("null"),
    }
    let whole = |n: Option<u64>| n.map_or("null".to_owned(), |n| n.to_string());
    let _ = write!(
        out,
        ",\"collisions\":{},\"parted\":{},\"why\":",
        whole(route.collisions),
        whole(route.scope.map(|scope| scope.parted))
    );
    push_texts(&route.sentences(), out);
    out.push('}');
}
