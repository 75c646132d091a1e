//! How far from good a figure is. Colours are against fixed limits, never against the other keys.

use super::head;
use crate::analysis::ceiling::Mark;
use crate::analysis::placement::as_number;
use crate::analysis::throttling::keys_needed;
use crate::analysis::trial::Settings;
use crate::analysis::trial::verdict::{
    HOT_ALARM, REFUSED_ALARM, REFUSED_AT_FULL_ALARM, REFUSED_AT_FULL_WARN, REFUSED_WARN, UNEVEN,
    VERY_UNEVEN,
};
use crate::report::trial::CandidateReport;

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
            let low = trial.now.as_ref()?.top.interval[0];
            steps(low, 1.0 / n, HOT_ALARM)
        }
        "load ratio bytes" => steps(placement.load_ratio_storage?, UNEVEN, VERY_UNEVEN),
        "load ratio RU" => steps(placement.load_ratio_ru?, UNEVEN, VERY_UNEVEN),
        "load ratio now" => steps(placement.load_ratio_now?, UNEVEN, VERY_UNEVEN),
        "refused" => refused(placement.throttled_share?, settings),
        "refused now" => refused(placement.throttled_share_now?, settings),
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

fn refused(share: f64, settings: &Settings) -> Mark {
    match settings.load_ru_per_second {
        Some(_) => steps(share, REFUSED_WARN, REFUSED_ALARM),
        None => steps(share, REFUSED_AT_FULL_WARN, REFUSED_AT_FULL_ALARM),
    }
}
