//! One row for each key, for spreadsheets and scripts; text cells never run as formulas. What is not known is an empty cell.

use std::io::{self, Write};

use super::{KeyRole, TrialReport};
use crate::analysis::routing::Routing;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{Trial, TrialBasis};
use crate::model::time::Stamp;
use crate::model::units::six_digits;
use crate::report::Style;
use crate::report::csv::Line;

const HEADER: &str = "key,stands,verdict,distinct,distinct_low,distinct_high,coverage,largest_bytes,share_of_ceiling,wall,top_share,k_eff,hot_hour_share,keys_a_second,load_ratio_storage,load_ratio_ru,throttled_share,partitions,partitions_after_splits,colliding_documents,single,targeted,fan_out,unknown,documents,bytes,sampled\n";

pub(super) fn write(report: &TrialReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    for candidate in &report.candidates {
        let stands = match candidate.standing {
            KeyRole::Current => "current",
            KeyRole::Candidate => "candidate",
        };
        let words = [stands, candidate.verdict.standing.name()];
        push_row(&candidate.trial, words, &candidate.routed, &mut line);
        line.end(to)?;
    }
    let proposals = report.searched.suggestions.iter();
    for proposal in proposals.flat_map(|found| &found.proposals) {
        let words = ["proposed", proposal.standing.name()];
        push_row(&proposal.trial, words, &proposal.routed, &mut line);
        line.end(to)?;
    }
    Ok(())
}

fn push_row(trial: &Trial, [stands, verdict]: [&str; 2], routed: &[Routed], line: &mut Line) {
    let range = trial.distinct.range;
    let placement = &trial.placement;
    let splits = placement.after_splits.as_ref();
    let is_counted = trial.basis == TrialBasis::Documents;
    line.text(Some(&trial.candidate.to_string()))
        .plain(Some(stands))
        .plain(Some(verdict))
        .plain(Some(trial.distinct.seen))
        .number(digits(range.map(|[low, _]| low)))
        .number(range.map(|[_, high]| high.round()))
        .number(digits(trial.distinct.coverage))
        .number(Some(trial.largest_bytes.round()))
        .number(digits(Some(trial.largest_share_of_ceiling)))
        .plain(trial.ahead.limit_date.date().map(Stamp::rfc3339));
    for number in [
        Some(trial.top_share.share),
        trial.k_eff,
        trial.hot_hour_share,
        trial.writes.as_ref().and_then(|w| Some(w.active?.mean)),
        placement.load_ratio_storage,
        placement.load_ratio_ru,
        placement.throttled_share,
    ] {
        line.number(digits(number));
    }
    line.plain(Some(placement.partitions.len()))
        .plain(splits.map(|splits| splits.partitions.len()))
        .plain(trial.collisions.as_ref().map(|found| found.documents));
    for count in Routing::counts(routed.iter().map(|r| r.route.routing)) {
        line.plain(Some(count));
    }
    line.number(is_counted.then(|| trial.whole.documents.round()))
        .number(Some(trial.whole.bytes.round()))
        .plain(Some(trial.whole.is_sample));
}

/// Whole numbers stay whole.
fn digits(number: Option<f64>) -> Option<f64> {
    number.map(|n| if n.fract() == 0.0 { n } else { six_digits(n) })
}
