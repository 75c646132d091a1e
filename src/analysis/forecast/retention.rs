//! Where sizes stay as older documents are deleted.

use crate::analysis::growth::{Growth, LimitDate};
use crate::analysis::usage;
use crate::model::capture::{Capture, Container};
use crate::model::names::ContainerName;
use crate::model::physical::TimeToLive;
use crate::model::throughput::partitions_for_storage;
use crate::model::time::DAY_S;
use crate::model::units::real;

use super::partitions::{PartitionFuture, whole_growth};

/// Of a rate: a level of 42 partitions is not to take 43.
const ROUNDING: f64 = 1e-9;

/// How long documents are kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Retention {
    pub days: f64,
    /// By the default time to live of the container, not as a what-if.
    pub is_default: bool,
}

/// Where the size of a container stays.
#[derive(Clone, PartialEq, Debug)]
pub struct ContainerLevel {
    pub name: ContainerName,
    pub now_kib: f64,
    pub growth_a_day: f64,
    pub retention: Retention,
    pub level_kib: f64,
    /// Physical partitions that so much data needs at least.
    pub partitions: usize,
}

impl Retention {
    /// As given, else as the container has it.
    pub(in crate::analysis) fn of(container: &Container, kept_days: Option<f64>) -> Option<Self> {
        let given = kept_days.map(|days| (days, false));
        let default = || {
            let TimeToLive::On { default_seconds } = container.lifetime? else { return None };
            Some((real(default_seconds?) / DAY_S, true))
        };
        let (days, is_default) = given.or_else(default)?;
        Some(Self { days, is_default })
    }

    /// What is stored once as much is deleted as is written. What was deleted already is missing in the growth: from a
    /// size beyond the level nothing follows.
    pub(in crate::analysis) fn level(self, now_kib: f64, kib_per_day: f64) -> Option<f64> {
        let level = kib_per_day * self.days;
        let is_filling = !self.is_default || now_kib < level;
        (kib_per_day > 0.0 && is_filling).then_some(level)
    }

    /// The date of a limit where documents are deleted, and the size where it is not reached.
    pub(in crate::analysis) fn date(
        kept: Option<Self>,
        date: LimitDate,
        now_kib: f64,
        growth: Option<&Growth>,
        limit_kib: f64,
    ) -> (LimitDate, Option<f64>) {
        let (Some(kept), Some(growth)) = (kept, growth) else { return (date, None) };
        // Within the growth that readings allow it may stand at its level already.
        let stands = || kept.level(now_kib, growth.highest).map(|_| now_kib);
        let level = kept.level(now_kib, growth.kib_per_day);
        let level = level.or_else(|| stands().filter(|_| growth.kib_per_day > 0.0));
        let (Some(level), true) = (level, date != LimitDate::Over) else { return (date, None) };
        let levels_off = (level < limit_kib).then_some(level);
        let date = match levels_off {
            None => date,
            Some(_) if growth.highest * kept.days < limit_kib => LimitDate::Never,
            Some(_) => LimitDate::Unknown,
        };
        (date, levels_off)
    }
}

impl ContainerLevel {
    /// By the growth of all its partitions, else of its usage; None where neither is known.
    pub(super) fn of(
        capture: &Capture,
        number: u32,
        (retention, factor): (Retention, f64),
        partitions: &[PartitionFuture],
    ) -> Option<Self> {
        let of_partitions = || {
            let container = capture.container(number)?;
            let growth = whole_growth(container, partitions)?;
            Some((container.kib()?, growth.kib_per_day))
        };
        let of_usage = || {
            let (kib, a_day) = usage::growth(capture, number)?;
            Some((kib, a_day * factor))
        };
        let (now_kib, growth_a_day) = of_partitions().or_else(of_usage)?;
        let level_kib = retention.level(now_kib, growth_a_day)?;
        Some(Self {
            name: capture.container(number)?.name.clone(),
            now_kib,
            growth_a_day,
            retention,
            level_kib,
            partitions: partitions_for_storage(level_kib * (1.0 - ROUNDING)),
        })
    }
}
