//! Answers in the shapes in which the service was recorded to give them, with names and values of our own.

use cosmoscope::model::account::Setting;
use cosmoscope::model::physical::Throughput;

use super::{container, open, try_open};

fn recorded(name: &str) -> String {
    format!("../recorded/{name}.json")
}

#[test]
fn each_recorded_answer_is_known_by_its_shape() {
    for (name, shape, rows) in [
        ("account-changed-to-provisioned", "settings of an account", 1),
        ("account-list", "settings of an account", 2),
        ("account-partition-autoscale", "settings of an account", 1),
        ("account-serverless-preview", "settings of an account", 1),
        ("account-two-regions", "settings of an account", 1),
        // A size without documents is normal.
        ("container-restored", "container read", 0),
        ("container-statistics", "container read", 14),
        ("container-three-partitions", "container read", 0),
        ("distribution", "throughput of physical partitions", 3),
        ("merge-database", "dry run of a merge", 1),
        ("metrics-failed-one-by-one", "metrics", 0),
        // Of five points two have no value: a gap is no row.
        ("metrics-points-without-values", "metrics", 3),
        ("metrics-without-series", "metrics", 0),
        ("pkranges-after-splits", "partition key ranges", 2),
        ("throughput-autoscale", "throughput settings", 1),
        ("throughput-buckets", "throughput settings", 1),
        ("throughput-manual", "throughput settings", 1),
    ] {
        let capture = open(&[&recorded(name)]);
        let source = &capture.sources[0];
        assert_eq!((source.shape.as_str(), source.rows), (shape, rows), "{name}");
        assert_eq!(source.refused, None, "{name}");
    }
}

#[test]
fn answers_without_figures_are_refused_with_a_next_step() {
    for (name, what) in [
        ("account-data-plane", "not a known kind"),
        ("container-list", "not a known kind"),
        ("logs-schema-of-a-table", "none of the 3 records can be used"),
        ("operation-enqueued", "not a known kind"),
        ("operation-failed", "the answer is an error (`BadRequest`)"),
        ("operation-succeeded", "not a known kind"),
    ] {
        let refused = try_open(&[&recorded(name)]).unwrap_err().to_string();
        assert!(refused.contains(what), "{name}: {refused}");
    }
}

#[test]
fn an_account_is_set_as_its_answer_says() {
    let is = |name: &str, setting| open(&[&recorded(name)]).accounts[0].is(setting);
    // No capability says so: the mode does.
    assert_eq!(is("account-serverless-preview", Setting::Serverless), Some(true));
    assert_eq!(is("account-changed-to-provisioned", Setting::Serverless), Some(false));
    assert_eq!(is("account-partition-autoscale", Setting::PartitionAutoscale), Some(true));
    // The opt-in is on, and the setting is not.
    assert_eq!(is("account-serverless-preview", Setting::PartitionAutoscale), Some(false));
    assert_eq!(open(&[&recorded("account-two-regions")]).accounts[0].regions.len(), 2);
}

#[test]
fn a_container_has_what_its_answers_say_together() {
    let names = ["container-three-partitions", "distribution", "throughput-autoscale"];
    let paths = names.map(recorded);
    let capture = open(&paths.each_ref().map(String::as_str));
    let orders = container(&capture, "orders");
    // The order of partitions differs between two answers.
    let ids = orders.current_partitions().map(|(_, partition)| partition.id.clone());
    let mut ids: Vec<_> = ids.collect();
    ids.sort();
    assert_eq!(ids.len(), 3, "{ids:?}");
    let throughput = orders.throughput.unwrap().throughput;
    assert_eq!(throughput, Throughput::Autoscale { maximum: 5_000.0, now: Some(100.0) });
}
