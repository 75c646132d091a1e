//! How far from good a figure is. Colours are against fixed limits, never against the other keys.

use super::head;
use crate::analysis::ceiling::Mark;
use crate::analysis::findings::LIMIT_DATE_ALARM_DAYS;
use crate::analysis::growth::{HORIZON_DAYS, LimitDate};
use crate::analysis::throttling::keys_needed;
use crate::analysis::trial::Settings;
use crate::analysis::trial::verdict::{
    HOT_ALARM, THROTTLED_ALARM, THROTTLED_WARN, UNEVEN, VERY_UNEVEN,
};
use crate::model::units::as_number;
use crate::report::trial::{CandidateReport, THROTTLED};

/// The mark of the figure with that label; none where a figure is for information only.
pub fn mark(label: &str, of: &CandidateReport, settings: &Settings) -> Option<Mark> {
    let trial = &of.trial;
    let placement = &trial.placement;
    let n = as_number(settings.partitions.max(1));
    Some(match label {
        "verdict" | "why" => head::mark(of.verdict.standing),
        "RU/s to buy" => match trial.to_buy.first()?.ru {
            Err(_) if trial.demand.is_some() => Mark::Alarm,
            _ => return None,
        },
        "largest key" => Mark::of(trial.largest_share_of_ceiling),
        "20 GB on" => match trial.ahead.limit_date {
            LimitDate::Over => Mark::Full,
            LimitDate::Date { at, .. } => {
                let days = at.days_since(trial.ahead.as_of?);
                steps(-days, -HORIZON_DAYS, -LIMIT_DATE_ALARM_DAYS)
            }
            LimitDate::Never | LimitDate::Unknown => return None,
        },
        "largest share" => steps(trial.top_share.interval[0], 0.25 / n, 1.0 / n),
        "effective keys, size" => {
            let wanted = keys_needed(settings.partitions, 1.2);
            match trial.k_eff? {
                k if k >= wanted => Mark::Below,
                k if k >= wanted / 5.0 => Mark::Warn,
                _ => Mark::Alarm,
            }
        }
        "hottest key, newest" => {
            let low = trial.writes.as_ref()?.top.interval[0];
            steps(low, 1.0 / n, HOT_ALARM)
        }
        "imbalance, storage" => steps(placement.load_ratio_storage?, UNEVEN, VERY_UNEVEN),
        "imbalance, RU/s" => steps(placement.load_ratio_ru?, UNEVEN, VERY_UNEVEN),
        THROTTLED => steps(placement.throttled_share?, THROTTLED_WARN, THROTTLED_ALARM),
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

    use crate::report::trial::{DECISION_ROWS, KEYS_PER_QUERY, ROWS, filled};

    #[test]
    fn rows_that_only_documents_fill_are_left_out_without_them() {
        let rows: Vec<_> = filled(&ROWS, std::iter::empty()).collect();
        assert_eq!(rows.first().map(|row| row.0), Some("verdict"));
        assert_eq!(rows.len(), ROWS.len() - 2);
        assert!(rows.iter().all(|row| row.0 != "hottest key, newest"));
    }

    #[test]
    fn what_decides_comes_first_and_no_figure_twice() {
        let all: BTreeSet<&str> = ROWS.iter().map(|row| row.0).collect();
        assert_eq!(all.len(), ROWS.len());
        let first: Vec<&str> = ROWS.iter().map(|row| row.0).take(DECISION_ROWS).collect();
        assert_eq!(first.last(), Some(&KEYS_PER_QUERY));
    }
}
