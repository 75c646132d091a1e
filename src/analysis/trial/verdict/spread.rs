//! How keys fill physical partitions, and how they spread what is written now.

use super::super::super::findings::Severity;
use super::super::super::rules::Rule;
use super::super::{LayoutFrom, Trial, TrialBasis};
use super::{HOT_ALARM, ReasonSink, UNEVEN, Weight, partitions};
use crate::model::units::{PARTITION_RU_PER_SECOND, count_text, percent_text, ratio_text, real};

/// First levels with fewer values are pointed out.
const MANY_VALUES: u64 = 1_000;

pub(super) fn storage(trial: &Trial, say: ReasonSink<'_>) {
    let n = partitions(trial);
    if trial.distinct.seen < n && trial.whole.looked_at > n {
        say(
            Rule::TooFewKeys,
            Weight::by(Severity::Alarm, real(trial.distinct.seen), real(n), real(n)),
            format!(
                "There {} for {} physical partitions: some stay empty.",
                match trial.distinct.seen {
                    1 => "is 1 key".to_owned(),
                    keys => format!("are {} keys", count_text(keys)),
                },
                count_text(n)
            ),
        );
    }
    let placement = &trial.placement;
    let Some(ratio) = placement.load_ratio_storage else {
        return;
    };
    let doubt = placement.load_ratio_storage_interval;
    let sure = doubt.map_or(ratio, |[low, _]| low);
    // A partition that fills up is split, and what load it brings is known with the demand: it rejects no key. Without a
    // demand it is all there is to tell how load will lie.
    let severity =
        if sure > UNEVEN && trial.demand.is_none() { Severity::Warn } else { Severity::Note };
    let doubt = doubt.map_or_else(String::new, |[low, high]| {
        format!(" ({} to {})", ratio_text(low), ratio_text(high))
    });
    say(
        Rule::UnevenStorage,
        Weight::by(severity, ratio, UNEVEN, UNEVEN),
        format!(
            "The fullest of {} physical partitions holds {} times the average{doubt}.",
            count_text(n),
            ratio_text(ratio),
        ),
    );
}

pub(super) fn first_level(trial: &Trial, say: ReasonSink<'_>) {
    let n = partitions(trial);
    let (Some(first), true) = (trial.levels.first(), trial.levels.len() > 1) else {
        return;
    };
    if first.distinct < n {
        let is_split = matches!(
            trial.placement.layout,
            LayoutFrom::CreationSplit { .. } | LayoutFrom::StorageSplit { .. }
        );
        let severity = if is_split { Severity::Note } else { Severity::Warn };
        say(
            Rule::FewFirstValues,
            Weight::by(severity, real(first.distinct), real(n), real(n)),
            format!(
                "The first level has {} values for {} physical partitions: until splits cut them, the others stay empty. A \
                 synthetic key of the same properties spreads from the start.",
                count_text(first.distinct),
                count_text(n)
            ),
        );
    } else if first.distinct < MANY_VALUES || first.largest_share > 1.0 / real(n) {
        say(
            Rule::FewFirstValues,
            Severity::Note.into(),
            format!(
                "The first level has {} values, the largest with {} of the data: each lies on one physical partition until a split \
                 cuts it. Thousands of values spread well.",
                count_text(first.distinct),
                percent_text(first.largest_share)
            ),
        );
    }
}

/// Whether the key that gets most of the newest writes is far from what one can use, by a known demand: then the RU/s to buy
/// decide.
pub(super) fn is_served(trial: &Trial) -> bool {
    let hottest = trial.demand.zip(trial.writes.as_ref()).map(|(ru, now)| ru * now.top.share);
    hottest.is_some_and(|ru| ru <= HOT_ALARM * PARTITION_RU_PER_SECOND)
}

/// Which part of what is written now goes to one key.
pub(super) fn newest(trial: &Trial, say: ReasonSink<'_>) {
    let Some(now) = &trial.writes else {
        if trial.basis != TrialBasis::Documents || trial.hot_hour_share.is_some() {
            return;
        }
        return say(
            Rule::TimeUnknown,
            Severity::Note.into(),
            "No property shows when documents were written: the hottest key of the last hour is unknown."
                .to_owned(),
        );
    };
    let fair = 1.0 / real(partitions(trial).max(1));
    // By the low end of the interval: a few documents alone make no key hot.
    let severity = match now.top.interval[0] {
        _ if is_served(trial) => Severity::Note,
        s if s >= HOT_ALARM => Severity::Alarm,
        s if s > fair => Severity::Warn,
        _ => Severity::Note,
    };
    let hours = match now.hours {
        1 => "hour".to_owned(),
        n => format!("{} hours", count_text(n.into())),
    };
    let limit = if severity == Severity::Note { "" } else { "; a key is limited to 10,000 RU/s" };
    let documents = count_text(now.documents);
    let sentence = match now.keys {
        1 => format!("All {documents} writes of the last {hours} go to one key{limit}."),
        keys => format!(
            "{} of {documents} writes of the last {hours} go to the hottest of {} keys{limit}.",
            percent_text(now.top.share),
            count_text(keys),
        ),
    };
    let weight = Weight::by(severity, now.top.share, fair, HOT_ALARM);
    say(Rule::HotNow, weight, sentence);
}
