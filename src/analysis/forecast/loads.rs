//! RU/s against what one key and each partition can use: today's demand as it is, at other RU/s, and as it grows.

use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::demand::CurrentLoad;
use crate::analysis::demand::least::is_cured;
use crate::analysis::demand::outcome::Outcome;
use crate::analysis::growth::LimitDate;
use crate::model::layout::{SplitFirst, SplitPoint};
use crate::model::names::ContainerName;
use crate::model::throughput::partitions_after;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::PARTITION_RU_PER_SECOND;

use super::{ForecastQuestion, LimitKind, LimitSubject, NextLimit};

/// Growth of load is given for this time.
pub const MONTH_DAYS: f64 = 365.25 / 12.0;
/// Less is a rounding error.
const LEAST_SHARE: f64 = 1e-9;
/// No date is further away than this.
const MOST_MONTHS: f64 = 1_200.0;

/// The hottest key and the partitions: those that load brings to their limit, else from 70 % of it on.
pub(super) fn loads(
    now: &CurrentLoad,
    container: u32,
    name: &ContainerName,
    asked: &ForecastQuestion,
) -> Vec<NextLimit> {
    let changed = asked.outcome(now);
    let outcome = changed.as_ref().unwrap_or(&now.outcome);
    let at = Stamp::from_seconds(outcome.to);
    let limit = |subject, kind, peak: f64, limit: f64, throttled: Option<f64>| {
        let is_hidden = |share: &f64| peak >= limit && is_cured(*share, now.cured);
        let hidden_share =
            throttled.filter(is_hidden).map(|share| if share < LEAST_SHARE { 0.0 } else { share });
        let date = asked.ru_date(at, peak / limit);
        NextLimit {
            date: hidden_share.map_or(date, |_| LimitDate::Unknown),
            hidden_share,
            ..NextLimit::new(container, name, subject, kind, peak, limit)
        }
    };
    // The hottest key lies on one of them.
    let worst = outcome.partitions.iter().filter_map(|p| p.throttled_share).reduce(f64::max);
    let key = outcome.hottest_key.iter().map(|key| {
        let subject = LimitSubject::Key(Some(key.key.as_str().into()));
        limit(subject, LimitKind::KeyRu, key.peak, PARTITION_RU_PER_SECOND, worst)
    });
    let count = outcome.partitions.len();
    let is_split = count > now.partitions.len();
    let partitions = outcome.partitions.iter().enumerate().filter_map(|(at, p)| {
        // Splits give new ids, which nobody knows yet.
        let id =
            if is_split { format!("{} of {count} after the split", at + 1) } else { p.id.clone() };
        let subject = LimitSubject::Partition(id);
        Some(limit(subject, LimitKind::PartitionRu, p.peak, p.capacity?, p.throttled_share))
    });
    let all = key.chain(partitions);
    let is_listed = |limit: &NextLimit| limit.share() >= MARK_WARN || limit.date.date().is_some();
    all.filter(is_listed).collect()
}

impl ForecastQuestion {
    /// Today's demand at the RU/s and on the partitions asked for. None where that is as it is, or cannot be known.
    fn outcome(&self, now: &CurrentLoad) -> Option<Outcome> {
        let today = now.partitions.len();
        let ru = self.ru_per_second;
        let after = partitions_after(today, ru);
        let wanted = self.partitions.map_or(after, |n| n.max(after));
        let grow = || now.grown(wanted, SplitFirst::Lightest, SplitPoint::Data);
        let grown = if wanted > today { Some(grow()?) } else { None };
        now.at(now.outcome.demand_ru_per_second, ru, grown.as_ref())
    }

    /// When a share that grows by so much a month is the whole.
    pub(super) fn ru_date(&self, from: Option<Stamp>, share: f64) -> LimitDate {
        if share >= 1.0 {
            return LimitDate::Over;
        }
        let (Some(growth), Some(from)) = (self.load_growth, from) else {
            return LimitDate::Unknown;
        };
        let months = share.recip().ln() / growth.ln_1p();
        if growth <= 0.0 || months.is_nan() || months > MOST_MONTHS {
            return LimitDate::Never;
        }
        let at = from.plus_seconds(months * MONTH_DAYS * DAY_S);
        at.map_or(LimitDate::Never, |at| LimitDate::Date { at, earliest: at, latest: Some(at) })
    }
}
