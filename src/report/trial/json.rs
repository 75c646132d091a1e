//! Candidate keys for scripts: one JSON object, schema 2.
//!
//! `{"schema":2,"documents","bytes","sampled","candidates":[{"key","levels","distinct","distinct_range","largest_bytes",
//! "top":[{"key","documents","bytes"}],"hot_hour_share","k_eff","load_ratio_storage","load_ratio_ru","throttled_share",
//! "load_ratio_ru_v1","throttled_share_v1","demand_ru","ru_to_buy":{"point","low","high"}|null,"partitions":[{"id","bytes","ru"}],"outcome":{…}|null,"queries":[{"name","routing","visits"}],"findings":[{"rule","severity","message"}]}],
//! "notes":[s]}`. Documents and bytes are of all that the documents stand for, shares are fractions, and what is not
//! known is null: `load_ratio_ru` and `throttled_share` where demand is. `load_ratio_ru_v1` is the meaning of schema 1, by the
//! weight of the documents whatever is demanded; `throttled_share_v1` took all provisioned RU/s for the demand.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::candidate::legality::Finding;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{Basis, PartitionLoad, TopKey, Trial};
use crate::report::Style;
use crate::report::write_json::{
    push_notes, push_number, push_number_or_null, push_text, push_value,
};

use super::{CandidateReport, TrialReport, more};

pub(super) fn write(report: &TrialReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = String::from("{\"schema\":2,\"documents\":");
    let first = report.candidates.first().map(|c| c.trial.basis);
    let is_counted = first.is_none_or(|basis| basis == Basis::Documents);
    let documents = Some(report.whole.documents.round()).filter(|_| is_counted);
    push_number_or_null(documents, &mut out);
    out.push_str(",\"bytes\":");
    push_number(report.whole.bytes.round(), &mut out);
    let _ = write!(out, ",\"sampled\":{}", report.whole.is_sample);
    if let Some(weighed) = report.whole.weighed {
        let _ = write!(out, ",\"weighed\":{weighed}");
    }
    out.push_str(",\"candidates\":[");
    for (i, candidate) in report.candidates.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_candidate(candidate, &mut out);
        to.write_all(out.as_bytes())?;
        out.clear();
    }
    out.push_str("],\n");
    super::search::push_json(report, &mut out);
    push_notes(&report.notes, &mut out);
    out.push_str("}\n");
    to.write_all(out.as_bytes())
}

fn push_candidate(candidate: &CandidateReport, out: &mut String) {
    let trial = &candidate.trial;
    out.push_str("{\"key\":");
    push_text(&trial.candidate.to_string(), out);
    let levels = trial.candidate.levels.len();
    let _ = write!(
        out,
        ",\"levels\":{levels},\"distinct\":{}",
        trial.distinct.seen
    );
    match trial.distinct.range {
        Some([low, high]) => {
            out.push_str(",\"distinct_range\":[");
            push_number(low, out);
            out.push(',');
            push_number(high.round(), out);
            out.push(']');
        }
        None => out.push_str(",\"distinct_range\":null"),
    }
    out.push_str(",\"largest_bytes\":");
    push_number(trial.largest_bytes.round(), out);
    push_list("top", &trial.top, push_top, out);
    let placement = &trial.placement;
    let numbers = [
        (
            "hot_hour_share",
            trial.now.as_ref().map(|now| now.top.share),
        ),
        ("k_eff", trial.k_eff),
        ("load_ratio_storage", placement.load_ratio_storage),
        (
            "load_ratio_ru",
            placement.load_ratio_ru.filter(|_| trial.demand.is_some()),
        ),
        ("throttled_share", placement.throttled_share),
        ("load_ratio_ru_v1", placement.load_ratio_ru_v1),
        ("throttled_share_v1", placement.throttled_share_v1),
        ("demand_ru", trial.demand),
    ];
    for (name, number) in numbers {
        let _ = write!(out, ",\"{name}\":");
        push_number_or_null(number, out);
    }
    push_to_buy(trial, out);
    let named: Vec<(String, PartitionLoad)> = (0..)
        .zip(&placement.partitions)
        .map(|(at, load)| (placement.id(at), *load))
        .collect();
    push_list("partitions", &named, push_partition, out);
    out.push_str(",\n\"outcome\":");
    push_value(&trial.outcome, out);
    more::push(trial, out);
    push_list("queries", &candidate.routed, push_query, out);
    push_list("findings", &trial.findings, push_finding, out);
    out.push('}');
}

/// For the demand, where it is known and some RU/s are enough.
pub(super) fn push_to_buy(trial: &Trial, out: &mut String) {
    out.push_str(",\"ru_to_buy\":");
    let known = trial.to_buy.first().filter(|_| trial.demand.is_some());
    match known.map(|buy| buy.ru) {
        Some(Ok(ru)) => {
            let numbers = [
                ("{\"point\":", ru.point),
                (",\"low\":", ru.low),
                (",\"high\":", ru.high),
            ];
            for (name, number) in numbers {
                out.push_str(name);
                push_number(number, out);
            }
            out.push('}');
        }
        _ => out.push_str("null"),
    }
}

fn push_list<T>(name: &str, items: &[T], push: fn(&T, &mut String), out: &mut String) {
    let _ = write!(out, ",\n\"{name}\":[");
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push(item, out);
    }
    out.push(']');
}

fn push_top(top: &TopKey, out: &mut String) {
    let _ = write!(out, "{{\"key\":{},\"documents\":", top.key.json());
    push_number(top.documents.round(), out);
    out.push_str(",\"bytes\":");
    push_number(top.bytes.round(), out);
    out.push_str(",\"share\":");
    push_number(top.share.share, out);
    more::push_range("share_range", Some(top.share.interval), out);
    out.push_str(",\"share_of_ru\":");
    push_number(top.share_of_ru, out);
    out.push('}');
}

/// Ids are those of a new container: from 0 in the order of the hash space.
fn push_partition((id, load): &(String, PartitionLoad), out: &mut String) {
    out.push_str("{\"id\":");
    push_text(id, out);
    out.push_str(",\"bytes\":");
    push_number(load.bytes.round(), out);
    out.push_str(",\"ru\":");
    push_number_or_null(load.ru_per_second, out);
    out.push('}');
}

fn push_query(routed: &Routed, out: &mut String) {
    out.push_str("{\"name\":");
    push_text(&routed.name, out);
    let _ = write!(
        out,
        ",\"routing\":\"{}\",\"visits\":",
        routed.route.routing.word()
    );
    push_number_or_null(routed.route.visits(), out);
    out.push('}');
}

fn push_finding(finding: &Finding, out: &mut String) {
    let (rule, severity) = (finding.rule, finding.severity.word());
    let _ = write!(
        out,
        "{{\"rule\":\"{rule}\",\"severity\":\"{severity}\",\"message\":"
    );
    push_text(&finding.sentence, out);
    out.push('}');
}
