//! Every number a rule measures against, in one table: printed with the verdict, and each can be set.

use std::fmt;

use crate::analysis::billing::Price;
use crate::analysis::ceiling::{MARK_ALARM, MARK_FULL, MARK_WARN};
use crate::analysis::demand::least::CURED;
use crate::analysis::findings::{LIMIT_DATE_ALARM_DAYS, LIMIT_DATE_WARN_DAYS};
use crate::model::client::Retries;
use crate::model::load::Load;
use crate::model::units::{trimmed_text, with_unit};

words! {
    /// How a threshold is written.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ThresholdUnit {
        /// A part of something: `90 %`, also read as `0.9`.
        Share = "a share such as 90% or 0.9",
        /// A multiple.
        Ratio = "a ratio such as 1.5",
        Count = "a number",
        Minutes = "minutes",
        Days = "days",
        RuPerSecond = "RU/s",
        /// RU for one request.
        Ru = "RU",
    }
    fn words
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// As options and configuration name it.
    pub name: &'static str,
    pub unit: ThresholdUnit,
    pub words: &'static str,
    /// Where the number comes from.
    pub source: &'static str,
    pub value: fn(&Thresholds) -> f64,
    set: fn(&mut Thresholds, f64),
}

const DOCS_429: &str =
    "product documentation: 1 to 5 % throttled requests are healthy if latency is acceptable";
const DOCS_HOT: &str =
    "product documentation: one range near 100 % while the others are at 30 % or less";
const DOCS_ALERT: &str = "product documentation: alert level for logical partitions";
const DOCS_MERGE: &str =
    "product documentation: merging is useful below 3,000 RU/s and 20 GB a partition";
const OURS: &str = "our choice";

/// Makes the struct, its defaults and the table from one list, so that none can lack what another has.
macro_rules! thresholds {
    ($($field:ident $name:literal $default:expr, $unit:ident, $words:literal, $source:expr;)*) => {
        /// All thresholds.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Thresholds {
            $(#[doc = $words] pub $field: f64,)*
            /// What RU/s cost; None shows RU/s only.
            pub price: Option<Price>,
        }

        impl Default for Thresholds {
            fn default() -> Self {
                Self { $($field: $default,)* price: None }
            }
        }

        pub const TABLE: &[Threshold] = &[
            $(Threshold {
                name: $name,
                unit: ThresholdUnit::$unit,
                words: $words,
                source: $source,
                value: |t| t.$field,
                set: |t, value| t.$field = value,
            },)*
        ];
    };
}

thresholds! {
    hot_share "hot" 0.9, Share,
        "a partition is hot when the 99th percentile of its RU/s share reaches this", OURS;
    saturated_minutes "saturated-minutes" 1.0, Minutes,
        "or when it was at 100 % of its RU/s for this many minutes", OURS;
    calm_share "others" 0.3, Share,
        "the others are calm up to this share", DOCS_HOT;
    even_ratio "even" 1.5, Ratio,
        "load is even while the largest partition is at most this many times the usual one", OURS;
    hot_key_share "hot-key" 0.5, Share,
        "a key is the cause from this share of its partition's RU on", OURS;
    healthy_throttled "healthy-429" 0.05, Share,
        "up to this share of throttled requests is healthy where partitions are even", DOCS_429;
    cured_throttled "cured" CURED, Share,
        "a remedy fixes if at most this share of the demand is throttled after it", DOCS_429;
    window_minutes "window" 60.0, Minutes,
        "load is judged over this many minutes, up to the last at which a partition was at 100 % of its RU/s", OURS;
    enough_minutes "enough" 1.0, Minutes,
        "load is called healthy from this many known minutes on", OURS;
    limit_warn "20gb-warn" MARK_WARN, Share,
        "a logical partition warns from this share of the 20 GB limit on", DOCS_ALERT;
    limit_alarm "20gb-alarm" MARK_ALARM, Share,
        "and raises an alarm from this share on", OURS;
    limit_full "20gb-full" MARK_FULL, Share,
        "and is full at this one", "product limit: writes are answered with 403";
    limit_warn_days "20gb-warn-days" LIMIT_DATE_WARN_DAYS, Days,
        "a logical partition that reaches 20 GB within this many days warns", OURS;
    limit_alarm_days "20gb-alarm-days" LIMIT_DATE_ALARM_DAYS, Days,
        "and raises an alarm within this many", OURS;
    filling_note "filling-note" 0.7, Share,
        "a physical partition is filling from this share of 50 GB on", OURS;
    filling_warn "filling-warn" 0.9, Share,
        "and warns from this one on, where it is busy too: a split leaves fewer RU/s for each", OURS;
    fan_out_ru "fan-out-ru" 5.0, Ru,
        "requests of a cross-partition query cost at most this on a partition",
        "product documentation: about 2.5 RU for each partition visited";
    fan_out_share "fan-out-share" 0.5, Share,
        "cross-partition queries take at least this share of the RU, without a key", OURS;
    busy_share "busy" 0.7, Share,
        "a partition is busy from this share of its RU/s on", OURS;
    active_keys "active-keys" 10.0, Count,
        "this many keys should be active for each partition", OURS;
    effective_keys "effective-keys" 1.0, Count,
        "this many effective keys should share the load of each partition", OURS;
    null_share "null-key" 0.2, Share,
        "null, missing and empty key values hold or take at least this share", OURS;
    null_ru "null-key-ru" 100.0, RuPerSecond,
        "and take this much on average over at least a minute, or it is only noted", OURS;
    worth_ru "worth-ru" 1000.0, RuPerSecond,
        "where RU/s of partitions are not known, a key warns from this many in its busiest second on", OURS;
    uneven_capacity "uneven-ru" 0.1, Share,
        "partitions' RU/s differ by more than this share of the mean", OURS;
    unusable_share "unusable" 0.05, Share,
        "provisioned RU/s that no partition can serve are a finding from this share on", OURS;
    over_provisioned "over-provisioned" 0.5, Share,
        "RU/s are over-provisioned while the fullest partition uses less than this share (p99 of a day to a week)", OURS;
    merge_ru "merge-ru" 3000.0, RuPerSecond,
        "partitions with fewer RU/s than this could be merged", DOCS_MERGE;
    merge_gib "merge-gb" 20.0, Count,
        "and with less data than this many GB each", DOCS_MERGE;
    retries "retries" f64::INFINITY, Count,
        "times that clients repeat a request after a 429; unknown: as the SDK in the request log does, 9 for most. While more than 5 % of the requests are 429s, it is judged as if none were repeated", OURS;
    fleet_pool "fleet-pool" 0.0, Count,
        "1 where the account is in a fleet pool, which no input shows: a row says what the pool serves", OURS;
    least_partition_ru "least-partition-ru" 100.0, RuPerSecond,
        "redistribution leaves every partition at least this", OURS;
}

impl Thresholds {
    /// How often clients repeat a request: as it is set, as the capture states it, or as their SDK does.
    pub fn retries(&self, load: &Load, container: u32) -> Retries {
        let set = Some(self.retries).filter(|n| n.is_finite()).map(Retries::certain);
        set.unwrap_or_else(|| load.retries_of(container))
    }

    /// Takes `name=value`; what is wrong with it otherwise.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| format!("{text} is not name=value"))?;
        let row = row(name.trim())?;
        let value = read(value.trim(), row.unit)
            .ok_or_else(|| format!("{} takes {}, not {value}", row.name, row.unit.words()))?;
        if let (ThresholdUnit::Share, true) = (row.unit, value > 1.0) {
            let percent = trimmed_text(value * 100.0);
            return Err(format!(
                "{} is a share of something and no more than 100 %, not {percent} %",
                row.name
            ));
        }
        (row.set)(self, value);
        Ok(())
    }
}

fn row(name: &str) -> Result<&'static Threshold, String> {
    let name = &name.replace("wall-", "20gb-"); // as older configurations have it
    TABLE.iter().find(|row| row.name == name).ok_or_else(|| {
        let names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        format!("there is no threshold {name}; there are {}", names.join(", "))
    })
}

fn read(text: &str, unit: ThresholdUnit) -> Option<f64> {
    let (digits, scale) = match (unit, text.strip_suffix('%')) {
        (ThresholdUnit::Share, Some(percent)) => (percent.trim(), 100.0),
        (_, Some(_)) => return None,
        (_, None) => (text, 1.0),
    };
    let value: f64 = digits.parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value / scale)
}

impl ThresholdUnit {
    /// `90 %`, `1.5 times`, `30 days`.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Share => format!("{} %", trimmed_text(value * 100.0)),
            Self::Ratio => with_unit(&trimmed_text(value), "time", "times"),
            Self::Count if value.is_infinite() => "unknown".to_owned(),
            Self::Count => trimmed_text(value),
            Self::Minutes => format!("{} min", trimmed_text(value)),
            Self::Days => with_unit(&trimmed_text(value), "day", "days"),
            Self::RuPerSecond => format!("{} RU/s", trimmed_text(value)),
            Self::Ru => format!("{} RU", trimmed_text(value)),
        }
    }
}

/// One line for each: `hot = 90 %: a partition is hot when … (our choice)`.
impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in TABLE {
            let value = row.unit.text((row.value)(self));
            writeln!(f, "{} = {value}: {} ({})", row.name, row.words, row.source)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_and_reads_what_it_prints() {
        let mut names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
        for row in TABLE {
            let mut set = Thresholds::default();
            set.set(&format!("{}=0.125", row.name)).unwrap();
            assert_eq!((row.value)(&set), 0.125, "{}", row.name);
        }
        let printed = Thresholds::default().to_string();
        assert_eq!(printed.lines().count(), TABLE.len());
        assert!(printed.contains("hot = 90 %: "), "{printed}");
        assert!(printed.contains("even = 1.5 times: "), "{printed}");
    }

    #[test]
    fn shares_are_written_in_percent_or_as_parts() {
        let mut set = Thresholds::default();
        set.set("hot=85%").unwrap();
        set.set(" others = 0.25 ").unwrap();
        assert_eq!((set.hot_share, set.calm_share), (0.85, 0.25));
        set.set("20gb-warn=60%").unwrap();
        set.set("wall-alarm=80%").unwrap();
        assert_eq!((set.limit_warn, set.limit_alarm), (0.6, 0.8));
        assert!(!set.to_string().contains("wall"));
    }

    #[test]
    fn what_cannot_be_set_is_said() {
        let mut set = Thresholds::default();
        for wrong in [
            "hot", "hot=", "hot=x", "hot=-1", "hot=NaN", "hot=inf", "even=5%", "hot=90", "hot=130%",
        ] {
            assert!(set.set(wrong).is_err(), "{wrong}");
        }
        assert!(set.set("warm=1").unwrap_err().contains("saturated-minutes"));
        assert_eq!(set, Thresholds::default());
    }
}
