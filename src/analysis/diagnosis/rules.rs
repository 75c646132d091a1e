//! The rules, one row each.

mod calm;
pub(super) mod cost;
mod load;
mod shape;
mod storage;
mod unjudged;
mod usable;

use super::picture::Picture;
use super::text::{number_text, second_text};
use super::thresholds::TABLE;
use super::{Answers, Fact, Phrase, Severity, Verdict};
use crate::model::units::counted;

/// A row of the table: when it strikes, and the verdict then.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Thresholds it measures against, by name.
    pub measures: &'static [&'static str],
    pub(super) check: fn(&Picture<'_>) -> Option<Verdict>,
}

pub const HOT_KEY: &str = "HOT KEY";
pub const HOT_RANGE: &str = "HOT RANGE";
pub const HOT_PARTITION: &str = "HOT PARTITION";
pub const FAN_OUT: &str = "FAN-OUT";
pub const UNDER_PROVISIONED: &str = "UNDER-PROVISIONED";
pub const PAID_NOT_USABLE: &str = "PAID, NOT USABLE";
pub const THROTTLED_BY_BUCKET: &str = "THROTTLED BY BUCKET";
pub const STORAGE_WALL: &str = "STORAGE WALL";
pub const PARTITION_FILLING: &str = "PARTITION FILLING";
pub const NULL_KEY: &str = "NULL KEY";
pub const UNEVEN_RU_SHARES: &str = "UNEVEN RU SHARES";
pub const HEALTHY: &str = "HEALTHY";
pub const LOW_CARDINALITY: &str = "LOW-CARDINALITY";
pub const OVER_PROVISIONED: &str = "OVER-PROVISIONED";
pub const IDLE: &str = "IDLE";
pub const MANUAL_OR_AUTOSCALE: &str = "MANUAL OR AUTOSCALE";
pub const MERGE_CANDIDATES: &str = "MERGE CANDIDATES";
pub const NOT_ENOUGH_DATA: &str = "NOT ENOUGH DATA";

/// In the order in which equals are told.
pub const RULES: [Rule; 18] = [
    Rule {
        name: HOT_KEY,
        meaning: "one key takes most of a hot partition, and no split divides a key",
        measures: &[
            "hot",
            "saturated-minutes",
            "even",
            "hot-key",
            "worth-ru",
            "window",
            "cured",
        ],
        check: |picture| load::hot_key(picture).or_else(|| unjudged::hot_key(picture)),
    },
    Rule {
        name: HOT_RANGE,
        meaning: "several keys on one partition ask for more than it gives; apart they would fit",
        measures: &[
            "hot",
            "saturated-minutes",
            "even",
            "hot-key",
            "window",
            "cured",
        ],
        check: load::hot_range,
    },
    Rule {
        name: HOT_PARTITION,
        meaning: "one partition is hot, and no log names the keys that load it",
        measures: &[
            "hot",
            "saturated-minutes",
            "others",
            "even",
            "healthy-429",
            "window",
        ],
        check: |picture| load::hot_partition(picture).or_else(|| unjudged::hot_partition(picture)),
    },
    Rule {
        name: FAN_OUT,
        meaning: "queries without the key visit every partition: all are busy alike",
        measures: &["busy", "even", "fan-out-ru", "fan-out-share", "window"],
        check: load::fan_out,
    },
    Rule {
        name: UNDER_PROVISIONED,
        meaning: "all partitions are about as hot: the load is even, and more than what was bought",
        measures: &["hot", "saturated-minutes", "even", "healthy-429", "window"],
        check: load::under_provisioned,
    },
    Rule {
        name: PAID_NOT_USABLE,
        meaning: "the partitions together can serve clearly less than the provisioned RU/s",
        measures: &["unusable", "least-partition-ru"],
        check: usable::paid_not_usable,
    },
    Rule {
        name: THROTTLED_BY_BUCKET,
        meaning: "requests are throttled while no partition is near its RU/s: a throughput bucket or a low priority limits them",
        measures: &["hot", "cured"],
        check: usable::throttled_by_bucket,
    },
    Rule {
        name: STORAGE_WALL,
        meaning: "a logical partition nears its 20 GB, which no RU/s and no split changes",
        measures: &[
            "wall-warn",
            "wall-alarm",
            "wall-full",
            "wall-warn-days",
            "wall-alarm-days",
        ],
        check: storage::wall,
    },
    Rule {
        name: NULL_KEY,
        meaning: "null, missing or empty key values share one logical partition",
        measures: &["null-key", "null-key-ru", "wall-warn"],
        check: shape::null_key,
    },
    Rule {
        name: HEALTHY,
        meaning: "nothing to cure: up to 5 % of requests refused is healthy where partitions are even",
        measures: &["hot", "healthy-429", "window", "enough"],
        check: calm::healthy,
    },
    Rule {
        name: PARTITION_FILLING,
        meaning: "a physical partition nears 50 GB and will be split by the service",
        measures: &["filling-note", "filling-warn", "busy"],
        check: storage::filling,
    },
    Rule {
        name: UNEVEN_RU_SHARES,
        meaning: "partitions are given different RU/s, as after a split or a redistribution",
        measures: &["uneven-ru", "busy"],
        check: shape::uneven_ru_shares,
    },
    Rule {
        name: LOW_CARDINALITY,
        meaning: "too few keys are active at a time to use all partitions",
        measures: &["active-keys", "effective-keys", "busy"],
        check: shape::low_cardinality,
    },
    Rule {
        name: NOT_ENOUGH_DATA,
        meaning: "no input tells of load by partition",
        measures: &["enough"],
        check: calm::not_enough_data,
    },
    Rule {
        name: OVER_PROVISIONED,
        meaning: "over at least a day the fullest partition uses less than half of its RU/s",
        measures: &["over-provisioned"],
        check: cost::over_provisioned,
    },
    Rule {
        name: IDLE,
        meaning: "no request in at least a day, and RU/s are provisioned",
        measures: &[],
        check: cost::idle,
    },
    Rule {
        name: MANUAL_OR_AUTOSCALE,
        meaning: "the other way to provision RU/s would cost less: the break-even is 66 % on average over the hours",
        measures: &[],
        check: cost::manual_or_autoscale,
    },
    Rule {
        name: MERGE_CANDIDATES,
        meaning: "neighbouring partitions have few RU/s and little data, and could be merged",
        measures: &["merge-ru", "merge-gb"],
        check: cost::merge_candidates,
    },
];

/// Everything that strikes, worst first. What is healthy is said only where nothing else is wrong.
pub(super) fn strike(picture: &Picture<'_>) -> Vec<Verdict> {
    let mut struck: Vec<(usize, Verdict)> = RULES
        .iter()
        .enumerate()
        .filter_map(|(order, rule)| Some((order, (rule.check)(picture)?)))
        .collect();
    let is_wrong = |v: &Verdict| v.severity > Severity::Note;
    if struck.iter().any(|(_, v)| is_wrong(v)) {
        struck.retain(|(_, v)| v.rule != HEALTHY);
    }
    let throttled = |v: &Verdict| {
        let now = v.remedies.first().and_then(|row| row.throttled);
        now.map_or(0.0, |t| t.point)
    };
    struck.sort_by(|(a_order, a), (b_order, b)| {
        (b.severity.cmp(&a.severity))
            .then(throttled(b).total_cmp(&throttled(a)))
            .then(a_order.cmp(b_order))
    });
    let told = struck.into_iter().map(|(_, mut verdict)| {
        if let Some(rule) = RULES.iter().find(|rule| rule.name == verdict.rule) {
            verdict.evidence.extend(burst(rule, picture));
            verdict.evidence.extend(measured_against(rule, picture));
        }
        verdict
    });
    told.collect()
}

/// What burst capacity served, where a rule judges by the RU/s of partitions.
fn burst(rule: &Rule, picture: &Picture<'_>) -> Option<Fact> {
    let bursts = &picture.heat.bursts;
    let (first, last) = (bursts.first()?.second, bursts.last()?.second);
    if !rule.measures.contains(&"hot") {
        return None;
    }
    let ru = bursts.iter().map(|burst| burst.ru).sum();
    let seconds: u64 = bursts.iter().map(|burst| u64::from(burst.step_s)).sum();
    let minutes = counted(seconds.div_ceil(60), "minute", "minutes");
    Some(fact(
        "burst capacity",
        format!(
            "served {} RU in {minutes}: provisioned RU/s alone would not have",
            number_text(ru)
        ),
        format!(
            "metric TotalRequestUnits, CapacityType BurstCapacity, {} to {}",
            second_text(first),
            second_text(last)
        ),
    ))
}

/// The thresholds of a rule with their values, as the last fact of its evidence.
fn measured_against(rule: &Rule, picture: &Picture<'_>) -> Option<Fact> {
    let rows = TABLE.iter().filter(|row| rule.measures.contains(&row.name));
    let told: Vec<String> = rows
        .map(|row| {
            format!(
                "{} {}",
                row.name,
                row.unit.text((row.value)(picture.limits))
            )
        })
        .collect();
    (!told.is_empty()).then(|| {
        fact(
            "measured against",
            told.join(", "),
            "thresholds, each of which can be set",
        )
    })
}

/// A verdict with nothing but its line and its answers yet.
fn bare(rule: &'static str, severity: Severity, headline: Phrase, answers: Answers) -> Verdict {
    Verdict {
        rule,
        severity,
        partition: None,
        region: None,
        key: None,
        headline,
        evidence: Vec::new(),
        answers,
        remedies: Vec::new(),
        since: None,
        as_of: None,
        steps: Vec::new(),
    }
}

/// A fact without a key in its name.
fn fact(what: &str, value: impl Into<String>, from: impl Into<String>) -> Fact {
    Fact {
        what: Phrase::plain(what),
        value: value.into(),
        from: from.into(),
    }
}
