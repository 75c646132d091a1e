//! What a single key comes to that takes a given part of a container: of its data, its growth and its load.

use std::collections::BTreeMap;

use crate::analysis::demand::CurrentLoad;
use crate::analysis::growth::{Growth, LimitDate, limit_date};
use crate::model::capture::Capture;
use crate::model::time::Stamp;
use crate::model::units::{PARTITION_RU_PER_SECOND, whole_u64};

use super::partitions::{PartitionFuture, whole_growth};
use super::retention::Retention;
use super::{ForecastQuestion, LimitKind, LimitSubject, NextLimit};

/// RU/s of all partitions in the busiest step of the sizing window.
fn peak(now: &CurrentLoad) -> f64 {
    let mut steps: BTreeMap<i64, f64> = BTreeMap::new();
    for load in &now.loads {
        *steps.entry(load.second).or_default() += load.ru_per_second;
    }
    steps.into_values().fold(0.0, f64::max)
}

/// The limits of such a key, where what they follow from is known.
pub(super) fn limits(
    capture: &Capture,
    number: u32,
    (partitions, now): (&[PartitionFuture], Option<&CurrentLoad>),
    asked: &ForecastQuestion,
) -> Vec<NextLimit> {
    let (Some(share), Some(container)) = (asked.one_key_share, capture.container(number)) else {
        return Vec::new();
    };
    let permille = u32::try_from(whole_u64((share * 1_000.0).round())).unwrap_or(0);
    let subject = LimitSubject::OneKey { permille };
    let limit = |kind, now: f64, limit: f64, date| NextLimit {
        date,
        ..NextLimit::new(number, &container.name, subject.clone(), kind, now, limit)
    };
    let size = whole_growth(container, partitions).map(|whole| {
        let (newest_kib, band_kib) = (whole.newest_kib * share, whole.band_kib * share);
        let growth = Growth { newest_kib, band_kib, ..whole.times(share) };
        let ceiling = asked.ceiling.kib();
        let date = limit_date(growth.newest_kib, Some(&growth), ceiling);
        let kept = Retention::of(container, asked.kept_days);
        let (date, levels_off_kib) =
            Retention::date(kept, date, growth.newest_kib, Some(&growth), ceiling);
        NextLimit {
            growth: Some(growth),
            levels_off_kib,
            ..limit(LimitKind::KeySize, growth.newest_kib, ceiling, date)
        }
    });
    let load = now.map(|now| {
        let (peak, most) = (peak(now) * share, PARTITION_RU_PER_SECOND);
        let date = asked.ru_date(Stamp::from_seconds(now.outcome.to), peak / most);
        limit(LimitKind::KeyRu, peak, most, date)
    });
    let is_known = |limit: &NextLimit| limit.date != LimitDate::Unknown || limit.now > 0.0;
    size.into_iter().chain(load).filter(is_known).collect()
}
