//! Which metrics are asked for and how: a row for each.

use std::time::Duration;

use crate::model::query_text::odata;
use crate::model::time::{Stamp, TICKS_PER_SECOND};

/// Series of one answer where nobody says how many there are. Without a number the service gives ten.
const MIN_SERIES: usize = 1000;
/// A grain may not be complete yet, and one of them says nothing about growth.
const MIN_STEPS: i64 = 3;

/// One question to Azure Monitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// What `Asked::part` says.
    pub name: &'static str,
    aggregation: &'static str,
    interval: &'static str,
    interval_s: i64,
    /// What tells the series of one container apart.
    dimension: Option<&'static str>,
}

/// In the order in which they matter.
pub const METRICS: [Metric; 8] = [
    Metric {
        name: "NormalizedRUConsumption",
        aggregation: "Maximum",
        interval: "PT1M",
        interval_s: 60,
        dimension: Some("PartitionKeyRangeId"),
    },
    Metric {
        name: "TotalRequests",
        aggregation: "Count",
        interval: "PT1M",
        interval_s: 60,
        dimension: Some("StatusCode"),
    },
    Metric {
        name: "PhysicalPartitionThroughputInfo",
        aggregation: "Maximum",
        interval: "PT5M",
        interval_s: 300,
        dimension: Some("PhysicalPartitionId"),
    },
    Metric {
        name: "PhysicalPartitionSizeInfo",
        aggregation: "Maximum",
        interval: "PT1H",
        interval_s: 3600,
        dimension: Some("PhysicalPartitionId"),
    },
    Metric {
        name: "DataUsage",
        aggregation: "Total",
        interval: "PT5M",
        interval_s: 300,
        dimension: None,
    },
    Metric {
        name: "IndexUsage",
        aggregation: "Total",
        interval: "PT5M",
        interval_s: 300,
        dimension: None,
    },
    Metric {
        name: "DocumentCount",
        aggregation: "Total",
        interval: "PT5M",
        interval_s: 300,
        dimension: None,
    },
    Metric {
        name: "AutoscaleMaxThroughput",
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
    /// Physical partitions of the container, as far as known.
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

impl Metric {
    pub fn named(name: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.name == name)
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
        // Room for what a split adds meanwhile, and for regions.
        let top = span.ranges.saturating_mul(4).max(MIN_SERIES);
        vec![
            ("metricnames", self.name.to_owned()),
            ("timespan", self.timespan(span, now)),
            ("interval", self.interval.to_owned()),
            ("aggregation", self.aggregation.to_owned()),
            ("$filter", filter.join(" and ")),
            ("top", top.to_string()),
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
        let filter = query("DataUsage", names, Span::default()).swap_remove(4);
        assert_eq!(
            filter,
            "$filter=DatabaseName eq 'a'' or ''1'' eq ''1' and CollectionName eq '''*'''"
        );
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
