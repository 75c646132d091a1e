//! What was searched for, for scripts: fields beside the candidates, each only where it was asked for.
//!
//! `"suggestions":{"proposals":[{"key","verdict","why","alike":[s],"front","distinct","largest_bytes","largest_share",
//! "load_ratio","hot_share","refused_share","visits","ru_to_buy":{"point","low","high"}|null,"money_per_month"}],"tried","not_tried","searched_on","complete",
//! "dropped":[{"why","keys"}],"left_out":[{"why","paths":[s]}]}`,
//! `"suffix":[{"key","suffix","least","best","proven","decides","by_division","why":[s],"rows":[{"n","meets",
//! "largest_bytes","busiest_ru","throttled_share","load_ratio","load_ratio_busiest","keys","keys_per_partition","read":{"keys","visits",
//! "ru"}}]}]`,
//! `"route":[{"key","copy","read_ru","write_ru":[low,high],"hours":[low,high]|null,"collisions","parted","why":[s]}]`.

use serde::Serialize;

use crate::analysis::migration::Migration;
use crate::analysis::suffix::{DecidingLimit, Suffix, SuffixAnswer, SuffixPlan, SuffixRow};
use crate::analysis::suggest::{Proposal, Suggestions, load_ratio};
use crate::model::units::real;
use crate::report::write_json::{Json, broken, object};

use super::super::TrialReport;
use super::super::json::with_to_buy;

/// Each field begins a line.
pub(in super::super) fn json(report: &TrialReport) -> Json {
    let searched = &report.searched;
    let plans = Some(&searched.suffixes).filter(|plans| !plans.is_empty());
    let mut routes = searched.routes().map(route).peekable();
    let has_routes = routes.peek().is_some();
    object()
        .with_known("\nsuggestions", searched.suggestions.as_ref().map(suggestions))
        .with_known("\nsuffix", plans.map(|plans| below(plans.iter().map(plan))))
        .with_known("\nroute", has_routes.then(|| below(routes)))
}

fn below(values: impl IntoIterator<Item = impl Serialize>) -> Json {
    broken(b"", values)
}

fn suggestions(found: &Suggestions) -> Json {
    let dropped = found
        .dropped
        .iter()
        .map(|(why, keys)| object().with("why", why.words()).with("keys", keys.len()));
    let unfit = found.unfit.iter().map(|(why, paths)| {
        let paths = below(paths.iter().map(ToString::to_string));
        object().with("why", why.words()).with("paths", paths)
    });
    let proposals = found.proposals.iter();
    let proposals = proposals.map(|one| proposal(one, found.now.as_ref()));
    object()
        .with("proposals", below(proposals))
        .with("\ntried", found.tried)
        .with("not_tried", found.not_tried)
        .with("searched_on", found.searched_on)
        .with("complete", found.is_complete)
        .with("dropped", dropped.collect::<Vec<_>>())
        .with("left_out", unfit.collect::<Vec<_>>())
}

fn proposal(proposal: &Proposal, now: Option<&Proposal>) -> Json {
    let trial = &proposal.trial;
    let alike = proposal.alike.iter().map(ToString::to_string);
    let json = object()
        .with("key", proposal.candidate.to_string())
        .with("verdict", proposal.standing.name())
        .with("why", proposal.why(now))
        .with("alike", below(alike))
        .with("front", proposal.band)
        .with("distinct", trial.distinct.seen)
        .with("largest_bytes", trial.largest_bytes.round())
        .with("largest_share", trial.largest_share_of_ceiling)
        .with("load_ratio", load_ratio(trial))
        .with("hot_share", trial.hot_hour_share.unwrap_or(trial.top_share.share))
        .with("refused_share", trial.placement.throttled_share)
        .with("visits", proposal.visits);
    with_to_buy(trial, json)
}

fn plan(plan: &SuffixPlan) -> Json {
    let suffix = match &plan.suffix {
        Suffix::Random => "random".to_owned(),
        Suffix::Bucket(path) => path.to_string(),
    };
    let (least, is_proven) = match plan.least {
        SuffixAnswer::AsItIs => (Some(1), true),
        SuffixAnswer::Found { n, is_proven } => (Some(n), is_proven),
        SuffixAnswer::None(_) | SuffixAnswer::Stopped => (None, false),
    };
    object()
        .with("key", plan.key.to_string())
        .with("suffix", suffix)
        .with("least", least)
        .with("best", plan.best().map(|key| key.to_string()))
        .with("proven", is_proven)
        .with("decides", plan.decides.map(DecidingLimit::word))
        .with("by_division", plan.by_division)
        .with("why", below([plan.answer(), plan.sentences()].concat()))
        .with("\nrows", below(plan.rows.iter().map(row)))
}

fn row(row: &SuffixRow) -> Json {
    let read = object()
        .with("keys", row.read.keys)
        .with("visits", row.read.visits)
        .with("ru", row.read.ru);
    object()
        .with("n", row.n)
        .with("meets", row.meets)
        .with("largest_bytes", row.worst.bytes.round())
        .with("busiest_ru", row.worst.ru_per_second)
        .with("throttled_share", row.throttled)
        .with("load_ratio", row.load_ratio)
        .with("load_ratio_busiest", row.load_ratio_busiest)
        .with("keys_per_partition", real(row.keys) / real(row.partitions as u64))
        .with("keys", row.keys)
        .with("read", read)
}

fn route(route: &Migration) -> Json {
    let cost = &route.cost;
    object()
        .with("key", route.candidate.to_string())
        .with("copy", route.copy.word())
        .with("read_ru", cost.read_ru.round())
        .with("write_ru", cost.write_ru.map(f64::round))
        .with("hours", cost.hours)
        .with("collisions", route.collisions)
        .with("parted", route.scope.map(|scope| scope.parted))
        .with("why", below(route.sentences()))
}
