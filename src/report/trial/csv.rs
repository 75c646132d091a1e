//! One row for each key, for spreadsheets and scripts; text cells never run as formulas. What is not known is an empty cell.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{CandidateReport, Stands, TrialReport};
use crate::analysis::growth::Wall;
use crate::analysis::routing::Routing;
use crate::analysis::suggest::Proposal;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{Basis, Trial};
use crate::model::units::real;
use crate::report::Style;
use crate::report::csv::{push_cell, push_number};
use crate::report::write_json::six_digits;

const HEADER: &str = "key,stands,verdict,distinct,distinct_low,distinct_high,coverage,largest_bytes,share_of_ceiling,wall,top_share,k_eff,hot_hour_share,keys_a_second,load_ratio_storage,load_ratio_ru,throttled_share,partitions,partitions_after_splits,colliding_documents,single,targeted,fan_out,unknown,documents,bytes,sampled\n";

pub(super) fn write(report: &TrialReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(HEADER.as_bytes())?;
    for candidate in &report.candidates {
        to.write_all(of_candidate(candidate, style).as_bytes())?;
    }
    let proposals = report.searched.suggestions.iter();
    for proposal in proposals.flat_map(|found| &found.proposals) {
        to.write_all(of_proposal(proposal, style).as_bytes())?;
    }
    Ok(())
}

fn of_candidate(candidate: &CandidateReport, style: Style) -> String {
    let stands = match candidate.standing {
        Stands::Current => "current",
        Stands::Candidate => "candidate",
    };
    let words = [stands, candidate.verdict.standing.words()];
    row(&candidate.trial, words, &candidate.routed, style)
}

fn of_proposal(proposal: &Proposal, style: Style) -> String {
    let words = ["proposed", proposal.standing.words()];
    row(&proposal.trial, words, &proposal.routed, style)
}

fn row(trial: &Trial, words: [&str; 2], routed: &[Routed], style: Style) -> String {
    let mut out = String::new();
    push_cell(&trial.candidate.to_string(), style.cells, &mut out);
    let [stands, verdict] = words;
    let _ = write!(out, ",{stands},{verdict},{}", trial.distinct.seen);
    let range = trial.distinct.range;
    push(range.map(|[low, _]| low), &mut out);
    push(range.map(|[_, high]| high.round()), &mut out);
    push(trial.distinct.coverage, &mut out);
    push(Some(trial.largest_bytes.round()), &mut out);
    push(Some(trial.largest_share_of_ceiling), &mut out);
    out.push(',');
    if let Wall::Date { at, .. } = &trial.ahead.wall {
        out.push_str(&at.rfc3339());
    }
    let placement = &trial.placement;
    let splits = placement.after_splits.as_ref();
    let collisions = trial.collisions.as_ref();
    for number in [
        Some(trial.top_share.share),
        trial.k_eff,
        trial.hot_hour_share,
        trial.writes.as_ref().and_then(|w| Some(w.active?.mean)),
        placement.load_ratio_storage,
        placement.load_ratio_ru,
        placement.throttled_share,
        Some(real(placement.partitions.len() as u64)),
        splits.map(|splits| real(splits.partitions.len() as u64)),
        collisions.map(|found| real(found.documents)),
    ] {
        push(number, &mut out);
    }
    for count in routings(routed) {
        let _ = write!(out, ",{count}");
    }
    let is_counted = trial.basis == Basis::Documents;
    let documents = Some(trial.whole.documents.round()).filter(|_| is_counted);
    push(documents, &mut out);
    push(Some(trial.whole.bytes.round()), &mut out);
    let _ = writeln!(out, ",{}", trial.whole.is_sample);
    out
}

/// Requests that ask one partition, some, all, and those of which it cannot be told.
fn routings(routed: &[Routed]) -> [usize; 4] {
    let mut counts = [0; 4];
    for one in routed {
        let [single, targeted, fan_out, unknown] = &mut counts;
        *match one.route.routing {
            Routing::Single => single,
            Routing::Targeted { .. } => targeted,
            Routing::FanOut { .. } => fan_out,
            Routing::Unknown => unknown,
        } += 1;
    }
    counts
}

fn push(number: Option<f64>, out: &mut String) {
    out.push(',');
    if let Some(number) = number.filter(|n| n.is_finite()) {
        let digits = if number.fract() == 0.0 {
            number
        } else {
            six_digits(number)
        };
        push_number(digits, out);
    }
}
