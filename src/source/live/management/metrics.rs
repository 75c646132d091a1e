//! Which metrics are asked for and how: a row for each.

use std::time::Duration;

use crate::model::query_text::odata;
use crate::model::time::Stamp;
use crate::source::live::clock;

/// Series of one answer where nobody says how many there are. Without a number the service gives ten; a highest one is not
/// documented.
const MIN_SERIES: usize = 1000;
/// A grain may not be complete yet, and one of them says nothing about growth.
const MIN_STEPS: u64 = 3;

/// The time that is asked for, but for what is told too seldom in it.
const LAST: Duration = Duration::from_secs(3600);

/// One question to Azure Monitor: about one metric, or about several that are asked alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// What `Asked::part` says.
    pub name: &'static str,
    /// The metrics by themselves, where several are asked for together.
    pub alone: &'static [&'static str],
    aggregation: &'static str,
    grain: Grain,
    /// The dimension that separates the series of one container, and the wanted value; `*` is any.
    dimension: Option<(&'static str, &'static str)>,
}

/// How much time a value is of: as the service writes it, and in seconds.
type Grain = (&'static str, u64);
const MINUTE: Grain = ("PT1M", 60);
const FIVE_MINUTES: Grain = ("PT5M", 300);
const HOUR: Grain = ("PT1H", 3600);

/// In the order in which they matter.
pub const METRICS: [Metric; 7] = [
    Metric::of("NormalizedRUConsumption", "Maximum", MINUTE).by("PartitionKeyRangeId"),
    Metric::of("TotalRequests", "Count", MINUTE).by("StatusCode"),
    // What was served in all, and how much of it from burst capacity.
    Metric::of("TotalRequestUnits", "Total", MINUTE).by("CapacityType"),
    Metric::of("PhysicalPartitionThroughputInfo", "Maximum", FIVE_MINUTES)
        .by("PhysicalPartitionId"),
    Metric::of("PhysicalPartitionSizeInfo", "Maximum", HOUR).by("PhysicalPartitionId"),
    Metric {
        alone: &["DataUsage", "IndexUsage", "DocumentCount"],
        ..Metric::of("Usage", "Total", FIVE_MINUTES)
    },
    Metric::of("AutoscaleMaxThroughput", "Maximum", FIVE_MINUTES),
];

/// Containers with throttled requests (429) in the last hours, the most throttled first. It only ranks the containers to
/// read; the screens show the requests of `METRICS`.
pub const THROTTLED: Metric = Metric {
    alone: &["TotalRequests"],
    dimension: Some(("StatusCode", "429")),
    ..Metric::of("ThrottledRequests", "Count", HOUR)
};

/// Series that an answer may have. Room for what a split adds meanwhile, and for regions.
pub(super) fn series(ranges: usize) -> usize {
    ranges.saturating_mul(4).max(MIN_SERIES)
}

impl Metric {
    const fn of(name: &'static str, aggregation: &'static str, grain: Grain) -> Self {
        Self { name, alone: &[], aggregation, grain, dimension: None }
    }

    const fn by(self, dimension: &'static str) -> Self {
        Self { dimension: Some((dimension, "*")), ..self }
    }

    /// The question of that name, or that for one metric of those that are usually asked for together.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = METRICS.iter().chain([&THROTTLED]);
        let whole = all.find(|metric| metric.name == name);
        whole.copied().or_else(|| {
            METRICS.iter().find_map(|metric| {
                let name = metric.alone.iter().find(|one| **one == name)?;
                Some(Self { name, alone: &[], ..*metric })
            })
        })
    }

    /// Whether a minute brings nothing new.
    pub fn is_slow(&self) -> bool {
        self.grain != MINUTE
    }

    /// The query of a request, without the version. Names are whole texts of the filter whatever is in them.
    pub(super) fn query(
        &self,
        (database, container): (Option<&str>, Option<&str>),
        ranges: usize,
        now: Stamp,
    ) -> Vec<(&'static str, String)> {
        let (interval, seconds) = self.grain;
        let names = match self.alone {
            [] => self.name.to_owned(),
            several => several.join(","),
        };
        let only = |(dimension, value): (&str, &str)| format!("{dimension} eq {}", odata(value));
        let of = [("DatabaseName", database), ("CollectionName", container)];
        let mut filter: Vec<String> = of
            .into_iter()
            .map(|(dimension, name)| only((dimension, name.unwrap_or("*"))))
            .collect();
        filter.extend(self.dimension.map(only));
        let last = LAST.max(Duration::from_secs(seconds * MIN_STEPS));
        let mut query = vec![
            ("metricnames", names),
            ("timespan", clock::whole_steps(now, last, seconds)),
            ("interval", interval.to_owned()),
            ("aggregation", self.aggregation.to_owned()),
            ("$filter", filter.join(" and ")),
            ("top", series(ranges).to_string()),
        ];
        if *self == THROTTLED {
            query.push(("orderby", "count desc".to_owned()));
        }
        query
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn query(metric: &str, names: (Option<&str>, Option<&str>), ranges: usize) -> Vec<String> {
        let now = Stamp::from_seconds(1_782_093_987).unwrap();
        let pairs = Metric::named(metric).unwrap().query(names, ranges, now);
        pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn a_metric_is_asked_by_partition_over_whole_grains() {
        let names = (Some("shop"), Some("orders"));
        assert_eq!(
            query("NormalizedRUConsumption", names, 0),
            [
                "metricnames=NormalizedRUConsumption",
                "timespan=2026-06-22T01:06:00Z/2026-06-22T02:06:00Z",
                "interval=PT1M",
                "aggregation=Maximum",
                "$filter=DatabaseName eq 'shop' and CollectionName eq 'orders' and PartitionKeyRangeId eq '*'",
                "top=1000",
            ]
        );
        let sizes = query("PhysicalPartitionSizeInfo", names, 0);
        assert!(sizes.contains(&"timespan=2026-06-21T23:00:00Z/2026-06-22T02:00:00Z".to_owned()));
        assert!(query("TotalRequests", names, 900).contains(&"top=3600".to_owned()));
    }

    #[test]
    fn a_hostile_name_stays_a_name() {
        let names = (Some("a' or '1' eq '1"), Some("'*'"));
        let usage = query("Usage", names, 0);
        assert_eq!(usage[0], "metricnames=DataUsage,IndexUsage,DocumentCount");
        let alone = query("DataUsage", names, 0);
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
        let filter = |names| query("PhysicalPartitionSizeInfo", names, 0).swap_remove(4);
        assert_eq!(
            filter((None, None)),
            "$filter=DatabaseName eq '*' and CollectionName eq '*' and PhysicalPartitionId eq '*'"
        );
        assert_eq!(
            filter((Some("shop"), None)),
            "$filter=DatabaseName eq 'shop' and CollectionName eq '*' and PhysicalPartitionId eq '*'"
        );
        assert_eq!(Metric::named("MongoRequests"), None);
        let throttled = query(THROTTLED.name, (None, None), 0);
        assert_eq!(throttled[0], "metricnames=TotalRequests");
        assert_eq!(
            throttled[4..],
            [
                "$filter=DatabaseName eq '*' and CollectionName eq '*' and StatusCode eq '429'",
                "top=1000",
                "orderby=count desc"
            ]
        );
    }
}
