//! Metrics answers.

use super::*;

fn points(read: &Read, dimension: (&str, &str)) -> Vec<f64> {
    let series = read
        .capture
        .load
        .metrics
        .iter()
        .filter(|(name, _)| name.dimension(dimension.0) == Some(dimension.1));
    series.flat_map(|(_, points)| points.iter().map(|p| p.1)).collect()
}

#[test]
fn metrics_hold_the_points_that_have_a_value() {
    let shares = of_sample("metrics/normalized-ru-by-range.json");
    assert_eq!(shares.counts(), ("metrics", 19, 0));
    assert_eq!(shares.outcome.notes, ["1 point without a value"]);
    assert_eq!(shares.capture.load.metrics.len(), 4);
    let largest = |range| {
        let points = points(&shares, ("partitionkeyrangeid", range));
        points.into_iter().fold(0.0, f64::max)
    };
    assert!((largest("3") - 100.0).abs() < 1e-9);
    assert!(["0", "1", "4"].iter().all(|range| largest(range) <= 24.0));
    let name = shares.capture.load.metrics.keys().next().unwrap();
    let texts = [&*name.metric, &*name.unit, &*name.aggregation];
    assert_eq!(texts, ["NormalizedRUConsumption", "Percent", "maximum"]);
    let container = shares.capture.container(name.container).unwrap();
    assert_eq!(container.name.title(), "northpier-prod / shop / orders");
}

#[test]
fn every_series_is_kept_for_its_container() {
    for (file, series) in [
        ("physical-partition-size", 11),
        ("physical-partition-throughput", 11),
        ("container-usage", 9),
    ] {
        let read = of_sample(&format!("metrics/{file}.json"));
        assert_eq!(read.counts(), ("metrics", series as u64, 0), "{file}");
        let held = (read.capture.load.metrics.len(), read.capture.containers.len());
        assert_eq!(held, (series, 3), "{file}");
    }
    let requests = of_sample("metrics/total-requests-by-status.json");
    let all = requests.capture.load.metrics.values().flatten();
    let all: f64 = all.map(|p| p.1).sum();
    let throttled: f64 = points(&requests, ("statuscode", "429")).iter().sum();
    assert_eq!(requests.outcome.other_rows, 20);
    assert_eq!((all.round(), throttled.round()), (288_662.0, 41_350.0));
}

#[test]
fn bytes_of_data_and_index_add_up_for_each_container() {
    let read = of_sample("metrics/container-usage.json");
    let total = |container: &str| {
        let of_it = |c: u32| {
            read.capture
                .container(c)
                .is_some_and(|c| c.name.container.as_deref() == Some(container))
        };
        let metrics = &read.capture.load.metrics;
        let bytes = metrics.iter().filter(|(n, _)| of_it(n.container) && n.unit == "Bytes");
        bytes.flat_map(|(_, p)| p).map(|p| p.1).sum::<f64>().round()
    };
    assert_eq!(
        [total("orders"), total("carts"), total("readings")],
        [73_157_734_400.0, 27_463_298_048.0, 22_541_375_488.0]
    );
}

#[test]
fn what_follows_the_series_counts_and_values_without_end_do_not() {
    let text = "{\"value\":[{\"timeseries\":[{\"data\":[{\"timeStamp\":\"2026-06-22T02:01:00Z\",\"maximum\":2},\
        {\"timeStamp\":\"2026-06-22T02:00:00Z\",\"maximum\":1,\"average\":0.5},{\"timeStamp\":\"2026-06-22T02:02:00Z\",\"maximum\":1e400},\
        {\"timeStamp\":\"2026-06-22T02:03:00Z\",\"maximum\":\"NaN\"},{\"timeStamp\":\"never\",\"maximum\":1},\
        {\"timeStamp\":\"2026-06-22T02:00:00Z\",\"maximum\":9}],\"metadatavalues\":[{\"name\":{\"value\":\"Region\"},\"value\":\"West\"}]}],\
        \"errorCode\":\"Throttled\",\"unit\":\"Count\",\"name\":{\"value\":\"M\"},\"id\":\"/databaseAccounts/NORTH/x\"}],\"timespan\":\"x\"}";
    let read = of(text);
    assert_eq!(read.counts(), ("metrics", 3, 3));
    assert_eq!(read.outcome.tally.repeated_load, 1);
    assert_eq!(read.outcome.notes, ["the metric `M` came with `Throttled`"]);
    assert_eq!(points(&read, ("region", "West")).len(), 3);
    for name in read.capture.load.metrics.keys() {
        assert_eq!((&*name.metric, &*name.unit), ("M", "Count"));
    }
    assert_eq!(read.container().name.account.as_deref(), Some("north"));
}
