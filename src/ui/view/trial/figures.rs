//! How far from good a figure is. Colours are against fixed limits, never against the other keys.

use super::head;
use crate::analysis::ceiling::Mark;
use crate::analysis::placement::as_number;
use crate::analysis::throttling::keys_needed;
use crate::analysis::trial::Settings;
use crate::analysis::trial::verdict::{
    HOT_ALARM, THROTTLED_ALARM, THROTTLED_WARN, UNEVEN, VERY_UNEVEN,
};
use crate::report::trial::{CandidateReport, CandidateRow, ROWS, filled};

/// What a low window shows: the other figures follow in the order of the reports.
const FIRST: [&str; 7] = [
    "verdict",
    "largest key",
    "of the limit",
    "busiest now",
    "load ratio RU",
    "throttled",
    "full on",
];

/// The figures of the table in their order.
pub fn rows<'a>(results: impl Iterator<Item = &'a CandidateReport>) -> Vec<&'static CandidateRow> {
    let mut rows: Vec<_> = filled(&ROWS, results.map(|result| &result.trial)).collect();
    rows.sort_by_key(|row| {
        FIRST
            .iter()
            .position(|label| *label == row.0)
            .unwrap_or(FIRST.len())
    });
    rows
}

/// The mark of the figure with that label; none where a figure is for information only.
pub fn mark(label: &str, of: &CandidateReport, settings: &Settings) -> Option<Mark> {
    let trial = &of.trial;
    let placement = &trial.placement;
    let n = as_number(settings.partitions.max(1));
    Some(match label {
        "verdict" => head::mark(of.verdict.standing),
        "largest key" | "of the limit" => Mark::of(trial.largest_share_of_ceiling),
        "commonest key" => steps(trial.top_share.interval[0], 0.25 / n, 1.0 / n),
        "worth equal keys" => {
            let wanted = keys_needed(settings.partitions, 1.2);
            match trial.k_eff? {
                k if k >= wanted => Mark::Below,
                k if k >= wanted / 5.0 => Mark::Warn,
                _ => Mark::Alarm,
            }
        }
        "busiest now" => {
            let low = trial.writes.as_ref()?.top.interval[0];
            steps(low, 1.0 / n, HOT_ALARM)
        }
        "load ratio bytes" => steps(placement.load_ratio_storage?, UNEVEN, VERY_UNEVEN),
        "load ratio RU" => steps(placement.load_ratio_ru?, UNEVEN, VERY_UNEVEN),
        "throttled" => steps(placement.throttled_share?, THROTTLED_WARN, THROTTLED_ALARM),
        "id collisions" => match trial.collisions.as_ref()?.documents {
            0 => Mark::Below,
            _ => Mark::Alarm,
        },
        _ => return None,
    })
}

fn steps(value: f64, warn: f64, alarm: f64) -> Mark {
    if value > alarm {
        Mark::Alarm
    } else if value > warn {
        Mark::Warn
    } else {
        Mark::Below
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_that_only_documents_fill_are_left_out_without_them() {
        let rows = rows(std::iter::empty());
        assert_eq!(rows.first().map(|row| row.0), Some("verdict"));
        assert_eq!(rows.len(), ROWS.len() - 2);
        assert!(rows.iter().all(|row| row.0 != "busiest now"));
    }

    #[test]
    fn what_comes_first_are_figures_of_the_reports_each_once() {
        let rows: Vec<&str> = rows(std::iter::empty()).iter().map(|row| row.0).collect();
        assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
        let all: BTreeSet<&str> = ROWS.iter().map(|row| row.0).collect();
        assert_eq!(all.len(), ROWS.len());
        assert!(FIRST.iter().all(|label| all.contains(label)));
    }
}
