//! Which metrics are asked for and how: a row for each.

use std::time::Duration;

use crate::model::query_text::odata;
use crate::model::time::{Stamp, TICKS_PER_SECOND};

/// Series of one answer where nobody says how many there are. Without a number the service gives ten; a highest one is not
/// documented.
const MIN_SERIES: usize = 1000;
/// A grain may not be complete yet, and one of them says nothing about growth.
const MIN_STEPS: i64 = 3;

/// One question to Azure Monitor: about one metric, or about several that are asked alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// What `Asked::part` says.
    pub name: &'static str,
    names: &'static [&'static str],
    aggregation: &'static str,
    interval: &'static str,
    interval_s: i64,
    /// What tells the series of one container apart.
    dimension: Option<&'static str>,
}

/// In the order in which they matter.
pub const METRICS: [Metric; 7] = [
    Metric {
        name: "NormalizedRUConsumption",
        names: &["NormalizedRUConsumption"],
        aggregation: "Maximum",
        interval: "PT1M",
        interval_s: 60,
        dimension: Some("PartitionKeyRangeId"),
    },
    Metric {
        name: "TotalRequests",
        names: &["TotalRequests"],
        aggregation: "Count",
        interval: "PT1M",
        interval_s: 60,
        dimension: Some("StatusCode"),
    },
    // What was served in all, and how much of it from burst capacity.
    Metric {
        name: "TotalRequestUnits",
        names: &["TotalRequestUnits"],
        aggregation: "Total",
        interval: "PT1M",
        interval_s: 60,
        dimension: Some("CapacityType"),
    },
    Metric {
        name: "PhysicalPartitionThroughputInfo",
        names: &["PhysicalPartitionThroughputInfo"],
        aggregation: "Maximum",
        interval: "PT5M",
        interval_s: 300,
        dimension: Some("PhysicalPartitionId"),
    },
    Metric {
        name: "PhysicalPartitionSizeInfo",
        names: &["PhysicalPartitionSizeInfo"],
        aggregation: "Maximum",
        interval: "PT1H",
        interval_s: 3600,
        dimension: Some("PhysicalPartitionId"),
    },
    Metric {
        name: "Usage",
        names: &["DataUsage", "IndexUsage", "DocumentCount"],
        aggregation: "Total",
        interval: "PT5M",
        interval_s: 300,
        dimension: None,
    },
    Metric {
        name: "AutoscaleMaxThroughput",
        names: &["AutoscaleMaxThroughput"],
        aggregation: "Maximum",
        interval: "PT5M",
        interval_s: 300,
        dimension: None,
    },
];

/// Which time is asked for, and how much may come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub last: Duration,
    /// Physical partitions of what is asked about, as far as known.
    pub ranges: usize,
}

impl Default for Span {
    fn default() -> Self {
        Self {
            last: Duration::from_secs(3600),
            ranges: 0,
        }
    }
}

impl Span {
    /// Room for what a split adds meanwhile, and for regions.
    pub(super) fn series(self) -> usize {
        self.ranges.saturating_mul(4).max(MIN_SERIES)
    }
}

impl Metric {
    /// The question of that name, or that for one metric of those that are usually asked for together.
    pub fn named(name: &str) -> Option<Self> {
        let whole = METRICS.iter().find(|metric| metric.name == name);
        whole.copied().or_else(|| {
            METRICS.iter().find_map(|metric| {
                let at = metric.names.iter().position(|one| *one == name)?;
                let names = metric.names.get(at..=at)?;
                Some(Self {
                    name: names.first()?,
                    names,
                    ..*metric
                })
            })
        })
    }

    /// Whether a minute brings nothing new.
    pub fn is_slow(&self) -> bool {
        self.interval_s > 60
    }

    /// The metrics by themselves, where several are asked for together.
    pub fn alone(&self) -> &'static [&'static str] {
        match self.names {
            [_] => &[],
            several => several,
        }
    }

    /// The query of a request, without the version. Names are whole texts of the filter whatever is in them.
    pub(super) fn query(
        &self,
        container: (Option<&str>, Option<&str>),
        span: Span,
        now: Stamp,
    ) -> Vec<(&'static str, String)> {
        let (database, container) = container;
        let mut filter: Vec<String> = [("DatabaseName", database), ("CollectionName", container)]
            .into_iter()
            .map(|(dimension, name)| match name {
                Some(name) => format!("{dimension} eq {}", odata(name)),
                None => format!("{dimension} eq '*'"),
            })
            .collect();
        filter.extend(
            self.dimension
                .map(|dimension| format!("{dimension} eq '*'")),
        );
        vec![
            ("metricnames", self.names.join(",")),
            ("timespan", self.timespan(span, now)),
            ("interval", self.interval.to_owned()),
            ("aggregation", self.aggregation.to_owned()),
            ("$filter", filter.join(" and ")),
            ("top", span.series().to_string()),
        ]
    }

    /// Whole grains that are over.
    fn timespan(&self, span: Span, now: Stamp) -> String {
        let to = now.seconds() - now.seconds().rem_euclid(self.interval_s);
        let last = i64::try_from(span.last.as_secs()).unwrap_or(i64::MAX);
        let steps = (last / self.interval_s).max(MIN_STEPS);
        let from = to.saturating_sub(steps.saturating_mul(self.interval_s));
        let text = |second: i64| {
            let ticks = second.saturating_mul(TICKS_PER_SECOND);
            Stamp::from_ticks(ticks).unwrap_or(now).rfc3339()
        };
        format!("{}/{}", text(from), text(to))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn query(metric: &str, names: (Option<&str>, Option<&str>), span: Span) -> Vec<String> {
        let now = Stamp::from_seconds(1_782_093_987).unwrap();
        let pairs = Metric::named(metric).unwrap().query(names, span, now);
        pairs
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    #[test]
    fn a_metric_is_asked_by_partition_over_whole_grains() {
        let names = (Some("shop"), Some("orders"));
        assert_eq!(
            query("NormalizedRUConsumption", names, Span::default()),
            [
                "metricnames=NormalizedRUConsumption",
                "timespan=2026-06-22T01:06:00Z/2026-06-22T02:06:00Z",
                "interval=PT1M",
                "aggregation=Maximum",
                "$filter=DatabaseName eq 'shop' and CollectionName eq 'orders' and PartitionKeyRangeId eq '*'",
                "top=1000",
            ]
        );
        let sizes = query("PhysicalPartitionSizeInfo", names, Span::default());
        assert!(sizes.contains(&"timespan=2026-06-21T23:00:00Z/2026-06-22T02:00:00Z".to_owned()));
        let many = Span {
            ranges: 900,
            ..Span::default()
        };
        assert!(query("TotalRequests", names, many).contains(&"top=3600".to_owned()));
    }

    #[test]
    fn a_hostile_name_stays_a_name() {
        let names = (Some("a' or '1' eq '1"), Some("'*'"));
        let usage = query("Usage", names, Span::default());
        assert_eq!(usage[0], "metricnames=DataUsage,IndexUsage,DocumentCount");
        let alone = query("DataUsage", names, Span::default());
        assert_eq!(alone[0], "metricnames=DataUsage");
        assert_eq!(usage[1..], alone[1..]);
        let filter = usage[4].clone();
        assert_eq!(
            filter,
            "$filter=DatabaseName eq 'a'' or ''1'' eq ''1' and CollectionName eq '''*'''"
        );
    }

    #[test]
    fn all_containers_are_asked_about_with_one_question() {
        let filter =
            |names| query("PhysicalPartitionSizeInfo", names, Span::default()).swap_remove(4);
        assert_eq!(
            filter((None, None)),
            "$filter=DatabaseName eq '*' and CollectionName eq '*' and PhysicalPartitionId eq '*'"
        );
        assert_eq!(
            filter((Some("shop"), None)),
            "$filter=DatabaseName eq 'shop' and CollectionName eq '*' and PhysicalPartitionId eq '*'"
        );
        assert_eq!(Metric::named("MongoRequests"), None);
    }

    #[test]
    fn a_span_without_end_is_no_fault() {
        let span = Span {
            last: Duration::MAX,
            ranges: usize::MAX,
        };
        assert_eq!(query("TotalRequests", (None, None), span).len(), 6);
    }
}
