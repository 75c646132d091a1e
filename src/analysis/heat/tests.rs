//! Joins, capacities and tracks of small captures made by hand.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]

use super::super::places::Places;
use super::super::testing::{ORDERS, seconds};
use super::grid::{GridOrder, order};
use super::placement::disagreements;
use super::*;
use crate::model::capture::{CaptureBuilder, SourceInfo};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::load::{Load, RequestRecord, RuLog, RuRecord, SeriesName};
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, PhysicalPartition, Throughput, ThroughputSettings};
use crate::model::time::Stamp;

const GUID: &str = "0000A003-0000-4000-8000-00000000A003";
/// 2026-06-22T02:00:00Z, a multiple of 900 s.
const START: i64 = 1_782_093_600;

struct HeatFixture {
    builder: CaptureBuilder,
    facts: ContainerFacts,
}

impl HeatFixture {
    fn new(partitions: Vec<PhysicalPartition>) -> Self {
        let builder = CaptureBuilder::new(7);
        builder.add_source(SourceInfo::default());
        let name = ContainerName::new(Some(ORDERS[0]), Some(ORDERS[1]), Some(ORDERS[2]));
        builder.container(&name).unwrap();
        // Regions 0 and 1.
        builder.region("West Europe").unwrap();
        builder.region("North Europe").unwrap();
        let facts = ContainerFacts { name, partitions, ..ContainerFacts::default() };
        Self { builder, facts }
    }

    fn throughput(mut self, throughput: Throughput) -> Self {
        self.facts.throughput = Some(ThroughputSettings {
            throughput,
            minimum: None,
            instant_maximum: Some(40_000.0),
            key_cap: None,
        });
        self
    }

    fn load(self, work: impl FnOnce(&mut Load)) -> Self {
        self.builder.load(work);
        self
    }

    fn ru(self, range: &str, key: &str, region: u16, second: Option<i64>, ru: f64) -> Self {
        self.load(|load| {
            load.add_ru(&RuRecord {
                container: 0,
                log: RuLog::OwnTable,
                region,
                range,
                key,
                operation: "Read",
                at: second.map(seconds),
                ru,
                mark: None,
            });
        })
    }

    fn requests(self, status: u16, span_s: u32, second: i64, requests: u64) -> Self {
        self.load(|load| {
            load.add_request(&RequestRecord {
                container: 0,
                region: 0,
                partition: GUID,
                operation: "Create",
                status,
                span_s,
                at: Stamp::from_seconds(second),
                requests,
                ru: 1.0,
                duration_ms: 0.0,
                mark: None,
            });
        })
    }

    fn metric(
        self,
        metric: &str,
        aggregation: &str,
        dimensions: &[(&str, &str)],
        points: &[(i64, f64)],
    ) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let series = SeriesName {
            metric: metric.to_owned(),
            aggregation: aggregation.to_owned(),
            dimensions: dimensions.iter().map(owned).collect(),
            ..SeriesName::default()
        };
        self.load(|load| {
            for (second, value) in points {
                load.add_point(&series, seconds(*second), *value);
            }
        })
    }

    fn capture(self) -> Capture {
        self.builder.facts(self.facts, "", 0);
        self.builder.settle(None);
        self.builder.finish()
    }

    fn heat(self) -> ContainerHeat {
        Heat::of(&self.capture()).containers.swap_remove(0)
    }
}

fn partition(id: &str, parents: &[&str]) -> PhysicalPartition {
    PhysicalPartition {
        parents: parents.iter().map(|p| (*p).to_owned()).collect(),
        ..PhysicalPartition::new(id)
    }
}

fn capacities(heat: &ContainerHeat) -> Vec<Option<(f64, CapacityFrom)>> {
    let capacity = |p: &Partition| p.capacity.map(|c| (c.ru_per_second, c.from));
    heat.partitions.iter().map(capacity).collect()
}

fn names(heat: &ContainerHeat) -> Vec<&str> {
    heat.partitions.iter().map(|p| p.named.text()).collect()
}

const MANUAL: Throughput = Throughput::Manual { ru_per_second: 12_000.0 };

#[test]
fn a_range_that_was_split_is_a_partition_of_its_own() {
    let mut lower = partition("3", &["2"]);
    lower.min_inclusive = Some(String::new());
    lower.max_exclusive = Some("20".to_owned());
    let mut upper = partition("4", &["2"]);
    upper.min_inclusive = Some("20".to_owned());
    upper.max_exclusive = Some("FF".to_owned());
    let mut made = HeatFixture::new(vec![lower, upper])
        .throughput(MANUAL)
        .ru("2", r#"["a"]"#, 0, Some(START), 500.0)
        .ru("3", r#"["b"]"#, 0, Some(START), 600.0)
        .ru("10", r#"["b"]"#, 0, Some(START), 1.0)
        .ru("undefined", r#"["a"]"#, 0, None, 3.0)
        .ru("", "", 0, Some(START), 4.0);
    made.facts.definition = Some(KeyDefinition {
        paths: vec!["/tenantId".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V2,
    });
    let capture = made.capture();
    let heat = Heat::of(&capture).containers.swap_remove(0);
    assert_eq!(names(&heat), ["3", "4", "2", "10", "undefined", "not reported"]);
    let known: Vec<Option<usize>> = heat.partitions.iter().map(|p| p.known).collect();
    assert_eq!(known, [Some(0), Some(1), None, None, None, None]);
    let share = Some((6000.0, CapacityFrom::EqualShares));
    assert_eq!(capacities(&heat), [share, share, None, None, None, None]);
    let logged = heat.track(Measure::LoggedRu).unwrap();
    let reported: Vec<bool> = logged.series.iter().map(|s| !s.is_empty()).collect();
    // Without a time it is on no track, and yet among the keys.
    assert_eq!(reported, [true, false, true, true, false, true]);
    assert_eq!(heat.keys.cells().len(), 5);
    let share = heat.track(Measure::LoggedShare).unwrap();
    assert_eq!(share.standing(0).unwrap().highest, f64::from(0.1_f32));
    assert_eq!(share.standing(2), None);

    // `a` was logged where it lay before the split; of `b` one of two agrees.
    let places = Places::of(&capture);
    let found = disagreements(&heat, 0, &capture, &places);
    assert_eq!(found.len(), 1, "{found:?}");
    let (owner, _) = places.owner(0, r#"["b"]"#).unwrap();
    let hash_says = ["3", "4"][owner];
    assert_eq!(found[0].text(&heat), format!("logged on 3, 10, hash says {hash_says}"));
}

#[test]
fn what_a_partition_can_give_is_told_before_it_is_computed() {
    let mut reported = partition("0", &[]);
    reported.ru_per_second = Some(4000.0);
    let mut fraction = partition("1", &[]);
    fraction.throughput_fraction = Some(0.25);
    let huge = Throughput::Autoscale { maximum: 48_000.0, now: Some(4800.0) };
    let partitions = vec![reported, fraction, partition("2", &[]), partition("3", &[])];
    let heat = HeatFixture::new(partitions.clone())
        .throughput(huge)
        .metric(
            "PhysicalPartitionThroughputInfo",
            "maximum",
            &[("physicalpartitionid", "2")],
            &[(START, 1000.0), (START + 300, 2000.0)],
        )
        .heat();
    let expected = [
        Some((4000.0, CapacityFrom::Reported)),
        // 12,000 by either way of counting, and no partition gives more than 10,000.
        Some((10_000.0, CapacityFrom::Fraction)),
        Some((2000.0, CapacityFrom::Reported)),
        Some((10_000.0, CapacityFrom::EqualShares)),
    ];
    assert_eq!(capacities(&heat), expected);
    assert_eq!(heat.ru_per_second, Some(48_000.0));

    let heat = HeatFixture::new(partitions).heat();
    assert_eq!(capacities(&heat)[1..], [None, None, None]);
    assert_eq!(heat.ru_per_second, None);
    let heat = HeatFixture::new(vec![partition("0", &[])])
        .metric("ProvisionedThroughput", "maximum", &[], &[(START, 700.0), (START + 300, 800.0)])
        .heat();
    assert_eq!(capacities(&heat), [Some((800.0, CapacityFrom::EqualShares))]);
    // No input lists the partitions: 40,000 RU/s at once means four of them.
    let heat =
        HeatFixture::new(Vec::new()).throughput(MANUAL).ru("7", "", 0, Some(START), 1.0).heat();
    assert_eq!(capacities(&heat), [Some((3000.0, CapacityFrom::EqualShares))]);
}

#[test]
fn told_partitions_add_up_to_the_container() {
    let reported = |made: HeatFixture, id: &str, ru: f64| {
        let dimensions = [("physicalpartitionid", id)];
        let metric = "PhysicalPartitionThroughputInfo";
        made.metric(metric, "maximum", &dimensions, &[(START, ru)])
    };
    let two = || reported(reported(HeatFixture::new(Vec::new()), "0", 4000.0), "1", 6000.0);
    let heat = two().ru("undefined", "", 0, Some(START), 1.0).heat();
    assert_eq!(heat.ru_per_second, Some(10_000.0));
    assert_eq!(heat.ru_from, RuFrom::SumOfPartitions);
    assert_eq!((heat.partitions.len(), heat.physical_partitions()), (3, Some(2)));
    // One of which nothing is told leaves the sum open.
    let heat = two().ru("2", "", 0, Some(START), 1.0).heat();
    assert_eq!(heat.ru_per_second, None);
    assert_eq!(heat.physical_partitions(), Some(3));
}

#[test]
fn metrics_join_by_range_by_partition_and_by_guid() {
    let mut paired = partition("3", &[]);
    paired.guid = Some(GUID.to_lowercase());
    let other = "0000a004-0000-4000-8000-00000000a004";
    let size = |made: HeatFixture, dimensions: &[(&str, &str)], bytes: f64| {
        made.metric("PhysicalPartitionSizeInfo", "maximum", dimensions, &[(START, bytes)])
    };
    let made = size(HeatFixture::new(vec![paired]), &[("physicalpartitionid", GUID)], 1024.0);
    let made = size(made, &[("partitionkeyrangeid", "4"), ("physicalpartitionid", other)], 2048.0);
    let made = size(made, &[("physicalpartitionid", other)], 4096.0);
    let made = size(made, &[("physicalpartitionid", "5")], 3072.0);
    let heat = size(made, &[("databasename", "shop")], 9e9).heat();
    assert_eq!(names(&heat), ["3", "4", "5"]);
    let kib: Vec<_> = heat.partitions.iter().map(|p| p.kib).collect();
    assert_eq!(kib, [Some(1.0), Some(4.0), Some(3.0)]);
    let storage = heat.track(Measure::Storage).unwrap();
    assert_eq!(storage.together.highest(), Some(8.0));
}

#[test]
fn a_maximum_is_preferred_and_an_average_is_called_so() {
    let metric = "NormalizedRUConsumption";
    let of = |id| [("partitionkeyrangeid", id)];
    let both = HeatFixture::new(Vec::new())
        .metric(metric, "average", &of("0"), &[(START, 20.0), (START + 300, 30.0)])
        .metric(metric, "maximum", &of("0"), &[(START, 100.0), (START + 300, 40.0)]);
    let heat = both.heat();
    let track = heat.best_track().unwrap();
    assert_eq!((track.step_s, track.from.as_str()), (300, "metric NormalizedRUConsumption, 5 min"));
    let standing = track.standing(0).unwrap();
    assert_eq!((standing.highest, standing.saturated_s), (1.0, Some(300)));
    let only = HeatFixture::new(Vec::new()).metric(metric, "average", &of("0"), &[(START, 20.0)]);
    let heat = only.heat();
    let from = &heat.best_track().unwrap().from;
    assert!(from.ends_with("only averages are reported: peaks were higher"), "{from}");
}

#[test]
fn regions_stay_apart_and_the_hottest_comes_first() {
    let heat = HeatFixture::new(vec![partition("0", &[]), partition("1", &[])])
        .throughput(MANUAL)
        .ru("0", "", 0, Some(START), 3000.0)
        .ru("1", "", 0, Some(START), 3000.0)
        .ru("1", "", 1, Some(START), 5400.0)
        .heat();
    let best = heat.best_track().unwrap();
    assert_eq!(best.measure, Measure::LoggedShare);
    assert_eq!(best.region.as_deref(), Some("North Europe"));
    let (hottest, standing) = best.hottest().unwrap();
    assert_eq!((hottest, standing.highest), (1, f64::from(0.9_f32)));
    // By amounts the other region is the busier one.
    let amounts = heat.track(Measure::LoggedRu).unwrap();
    assert_eq!(amounts.region.as_deref(), Some("West Europe"));
    assert_eq!(amounts.together.highest(), Some(6000.0));
}

#[test]
fn requests_told_by_several_inputs_count_once() {
    let heat = HeatFixture::new(Vec::new())
        // Five minutes that single requests tell only in part, then five of which only they tell.
        .requests(201, 0, START + 7, 30)
        .requests(429, 0, START + 7, 10)
        .requests(201, 300, START + 60, 900)
        .requests(429, 300, START + 60, 100)
        .requests(429, 0, START + 400, 50)
        .heat();
    let counted = heat.requests[0];
    assert_eq!((counted.requests, counted.throttled), (1050, 150));
    let shares: Vec<(i64, f32)> =
        heat.track(Measure::ThrottledShare).unwrap().series[0].points(i64::MIN, i64::MAX).collect();
    assert_eq!(shares, [(START, 0.1), (START + 300, 1.0)]);
    let throttled = heat.track(Measure::Throttled).unwrap();
    assert_eq!(throttled.step_s, 300);
    assert!(throttled.from.contains("counts alone"));
    assert_eq!(names(&heat), [GUID.to_lowercase()]);
    // A step in which nothing was refused tells just that.
    let heat = HeatFixture::new(Vec::new()).requests(200, 0, START, 5).heat();
    let throttled = heat.track(Measure::Throttled).unwrap();
    assert_eq!(throttled.together.highest(), Some(0.0));
}

#[test]
fn requests_of_the_whole_container_are_those_by_status() {
    let metric = "TotalRequests";
    let heat = HeatFixture::new(Vec::new())
        .metric(metric, "count", &[("statuscode", "200")], &[(START, 90.0), (START + 60, 5.0)])
        .metric(metric, "count", &[("statuscode", "429")], &[(START, 10.0)])
        .metric(metric, "count", &[], &[(START, 105.0)])
        .metric(metric, "average", &[], &[(START, 9e9)])
        .heat();
    assert_eq!((heat.whole.requests, heat.whole.throttled), (Some(105), Some(10)));
    assert!(heat.is_empty());
    let heat = HeatFixture::new(Vec::new()).metric(metric, "count", &[], &[(START, 7.0)]).heat();
    assert_eq!((heat.whole.requests, heat.whole.throttled), (Some(7), None));
    // Of an answer that was asked for 429 only the others are not all requests.
    let heat = HeatFixture::new(Vec::new())
        .metric(metric, "count", &[], &[(START, 70.0)])
        .metric(metric, "count", &[("statuscode", "429")], &[(START, 5.0)])
        .heat();
    assert_eq!((heat.whole.requests, heat.whole.throttled), (Some(70), Some(5)));
}

#[test]
fn partitions_stand_in_every_order() {
    let bounds = [("9", "20", "FF", 3.0), ("10", "", "10", 1.0), ("2", "10", "20", 2.0)];
    let partitions = bounds.map(|(id, min, max, kib)| PhysicalPartition {
        min_inclusive: Some(min.to_owned()),
        max_exclusive: Some(max.to_owned()),
        kib: Some(kib),
        ..PhysicalPartition::new(id)
    });
    let made = HeatFixture::new(partitions.to_vec())
        .throughput(MANUAL)
        .ru("10", "", 0, Some(START), 100.0)
        .ru("9", "", 0, Some(START), 300.0)
        .ru("1", "", 0, Some(START), 3.0);
    let capture = made.capture();
    let heat = Heat::of(&capture).containers.swap_remove(0);
    let stand = |by: GridOrder| -> Vec<&str> {
        let track = heat.track(Measure::LoggedRu).unwrap();
        let order = order(&heat, track, &capture.containers[0], by);
        let name = |i: u32| heat.partitions[i as usize].named.text();
        order.into_iter().map(name).collect()
    };
    assert_eq!(stand(GridOrder::Hottest), ["9", "10", "1", "2"]);
    assert_eq!(stand(GridOrder::Id), ["1", "2", "9", "10"]);
    assert_eq!(stand(GridOrder::HashRange), ["10", "2", "9", "1"]);
    assert_eq!(stand(GridOrder::Size), ["9", "2", "10", "1"]);
}

#[test]
fn a_capture_without_load_has_partitions_and_nothing_else() {
    let heat = HeatFixture::new(vec![partition("0", &[])]).heat();
    assert!(heat.is_empty() && heat.best_track().is_none());
    assert_eq!(names(&heat), ["0"]);
    assert!(Heat::of(&Capture::default()).container(0).is_none());
}
