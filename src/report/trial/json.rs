//! Candidate keys for scripts: one JSON object, schema 2.
//!
//! `{"schema":2,"documents","bytes","sampled","candidates":[{"key","levels","distinct","distinct_range","largest_bytes",
//! "top":[{"key","documents","bytes"}],"hot_hour_share","k_eff","load_ratio_storage","load_ratio_ru","throttled_share",
//! "load_ratio_ru_v1","throttled_share_v1","demand_ru","ru_to_buy":{"point","low","high"}|null,"money_per_month","partitions":[{"id","bytes","ru"}],"outcome":{…}|null,"queries":[{"name","routing","visits"}],"findings":[{"rule","severity","message"}]}],
//! "notes":[s]}`. Documents and bytes are of all that the documents stand for, shares are fractions, and what is not
//! known is null: `load_ratio_ru` and `throttled_share` where demand is. `load_ratio_ru_v1` is the meaning of schema 1, by the
//! weight of the documents whatever is demanded; `throttled_share_v1` took all provisioned RU/s for the demand.

use std::io::{self, Write};

use crate::analysis::findings::Finding;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{PartitionLoad, TopKey, Trial, TrialBasis};
use crate::report::Style;
use crate::report::write_json::{Json, as_found, list, object, stream};

use super::{CandidateReport, TrialReport, more};

pub(super) fn write(report: &TrialReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let whole = &report.whole;
    let first = report.candidates.first().map(|c| c.trial.basis);
    let is_counted = first.is_none_or(|basis| basis == TrialBasis::Documents);
    let head = object()
        .with("schema", 2)
        .with("documents", is_counted.then(|| whole.documents.round()))
        .with("bytes", whole.bytes.round())
        .with("sampled", whole.is_sample)
        .with_known("weighed", whole.weighed);
    let tail = super::search::json(report).notes("\nnotes", &report.notes);
    let candidates = report.candidates.iter().map(candidate);
    stream(head, "candidates", candidates, &tail, to)?;
    to.write_all(b"\n")
}

fn candidate(candidate: &CandidateReport) -> Json {
    let trial = &candidate.trial;
    let placement = &trial.placement;
    let key = trial.candidate.to_string();
    let ratio = placement.load_ratio_ru.filter(|_| trial.demand.is_some());
    let range = trial.distinct.range;
    let range = range.map(|[low, high]| [low, high.round()]);
    let partitions = (0..).zip(&placement.partitions);
    let partitions = partitions.map(|(at, load)| partition(placement.id(at), *load));
    let head = object()
        .with("key", key)
        .with("levels", trial.candidate.levels.len())
        .with("distinct", trial.distinct.seen)
        .with("distinct_range", range)
        .with("largest_bytes", trial.largest_bytes.round())
        .with("\ntop", list(&trial.top, top))
        .with("hot_hour_share", trial.hot_hour_share)
        .with("k_eff", trial.k_eff)
        .with("load_ratio_storage", placement.load_ratio_storage)
        .with("load_ratio_ru", ratio)
        .with("throttled_share", placement.throttled_share)
        .with("load_ratio_ru_v1", placement.load_ratio_ru_v1)
        .with("throttled_share_v1", placement.throttled_share_v1)
        .with("demand_ru", trial.demand);
    let head = with_to_buy(trial, head)
        .with("\npartitions", partitions.collect::<Vec<Json>>())
        .with("\noutcome", &trial.outcome);
    more::with(trial, head)
        .with("\nqueries", list(&candidate.routed, query))
        .with("\nfindings", list(&trial.findings, finding))
}

/// For the demand, where it is known and some RU/s are enough: those RU/s, and what they cost where a price is set.
pub(super) fn with_to_buy(trial: &Trial, json: Json) -> Json {
    let known = trial.to_buy.first().filter(|_| trial.demand.is_some());
    let ru = known.and_then(|buy| buy.ru.ok());
    let range = ru.map(|ru| {
        let least = known.and_then(|buy| buy.least).unwrap_or(ru.low);
        let json = object().with("point", ru.point).with("low", ru.low.min(least));
        json.with("high", ru.high)
    });
    let price = known.and_then(|buy| buy.price.as_ref());
    let money = price.zip(ru).map(|(price, ru)| price.per_month(ru.point));
    json.with("ru_to_buy", range).with("money_per_month", money)
}

fn top(top: &TopKey) -> Json {
    object()
        .with("key", as_found(Some(&top.key.json())))
        .with("documents", top.documents.round())
        .with("bytes", top.bytes.round())
        .with("share", top.share.share)
        .with("share_range", top.share.interval)
        .with("share_of_ru", top.share_of_ru)
}

/// Ids are those of a new container: from 0 in the order of the hash space.
fn partition(id: String, load: PartitionLoad) -> Json {
    object().with("id", id).with("bytes", load.bytes.round()).with("ru", load.ru_per_second)
}

fn query(routed: &Routed) -> Json {
    object()
        .with("name", &routed.name)
        .with("routing", routed.route.routing.word())
        .with("visits", routed.route.visits())
}

fn finding(finding: &Finding) -> Json {
    object()
        .with("rule", finding.rule.name())
        .with("severity", finding.severity.word())
        .with("message", &finding.sentence)
}
