//! Load by physical partition, of the samples: what their description states.

use std::path::{Path, PathBuf};

use cosmoscope::analysis::heat::keys::RecordFilter;
use cosmoscope::analysis::heat::placement::disagreements;
use cosmoscope::analysis::heat::{CapacityFrom, ContainerHeat, Heat, Measure, RangeName, Track};
use cosmoscope::analysis::places::Places;
use cosmoscope::model::capture::Capture;
use cosmoscope::model::load::RuKey;
use cosmoscope::model::time::Stamp;
use cosmoscope::source::import::{ImportOptions, import};
use cosmoscope::source::input::find;
use cosmoscope::source::watch::Watch;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");
const RU: &str = "ru/partition-key-ru-consumption.portal-us.csv";
const USAGES: &str = "arm/partitions-usages.orders.json";
const TOTALS: &str = "ru/data-plane-requests-5m.portal-us.csv";
const SINGLE: &str = "ru/data-plane-requests.portal-us.csv";
/// Names the containers, which most management answers do not.
const LOG: &str = "stats/log-analytics/resource-specific.portal-us.csv";

fn open(paths: &[&str]) -> Capture {
    let paths: Vec<PathBuf> = paths.iter().map(|p| Path::new(SAMPLES).join(p)).collect();
    let inputs = find(&paths, &|| true).unwrap();
    import(&inputs, &ImportOptions::default(), &Watch::default(), &mut |_| Ok(())).unwrap()
}

fn number(capture: &Capture, name: &str) -> u32 {
    let is_it = |c: &cosmoscope::model::capture::Container| {
        c.name.container.as_deref() == Some(name) && c.name.database.is_some()
    };
    capture.containers.iter().position(is_it).unwrap().try_into().unwrap()
}

fn orders(capture: &Capture) -> (ContainerHeat, u32) {
    let number = number(capture, "orders");
    let mut heat = Heat::of(capture);
    (heat.containers.swap_remove(number as usize), number)
}

fn track<'h>(heat: &'h ContainerHeat, measure: Measure, region: Option<&str>) -> &'h Track {
    let is_it = |t: &&Track| t.region.as_deref() == region;
    let found = heat.tracks_of(measure).find(is_it);
    found.unwrap_or_else(|| panic!("no {} in {region:?}", measure.name()))
}

#[track_caller]
fn assert_close(found: f64, wanted: f64) {
    let near = (found - wanted).abs() <= wanted.abs() * 1e-6;
    assert!(near, "{found}, expected {wanted}");
}

fn at(text: &str) -> i64 {
    let seconds = (0..600).map(|s| Stamp::from_seconds(1_782_093_600 + s).unwrap());
    let mut seconds = seconds.filter(|s| s.rfc3339() == text);
    seconds.next().unwrap().seconds()
}

#[test]
fn the_whole_folder_shows_partition_three_at_its_limit() {
    let capture = open(&[""]);
    let (heat, _) = orders(&capture);
    let ids: Vec<&str> = heat.partitions.iter().map(|p| p.named.text()).collect();
    assert_eq!(ids, ["0", "1", "3", "4", "undefined"]);
    let best = heat.best_track().unwrap();
    assert_eq!((best.measure, best.step_s), (Measure::NormalizedRu, 60));
    assert_eq!(best.from, "metric NormalizedRUConsumption, 60 s");
    let (hottest, standing) = best.hottest().unwrap();
    assert_eq!(heat.partition_of_range("3"), Some(hottest));
    assert_close(standing.highest, 1.0);
    assert!(standing.saturated_s.unwrap() >= 60);
    let (from, to) = best.span().unwrap();
    assert_eq!(to - from, 300);
    for (partition, series) in heat.partitions.iter().zip(&best.series) {
        let Some(read) = series.read(from, to) else {
            assert_eq!(partition.named, RangeName::Undefined);
            continue;
        };
        let id = partition.named.text();
        assert_eq!(read.gaps, u64::from(id == "4"), "{id}");
        assert!(id == "3" || read.highest <= 0.24 + 1e-6, "{id}");
    }
    for partition in heat.partitions.iter().filter(|p| p.known.is_some()) {
        let capacity = partition.capacity.unwrap();
        assert_close(capacity.ru_per_second, 6000.0);
        assert_eq!(capacity.from, CapacityFrom::Reported);
        assert!(partition.kib.is_some());
    }
    assert_eq!(heat.ru_per_second, Some(24_000.0));
    assert_eq!(heat.whole.requests, Some(288_662));
    assert_eq!(heat.whole.throttled, Some(41_350));
    let storage = heat.track(Measure::Storage).unwrap();
    let largest = storage.hottest().unwrap();
    assert_eq!(largest.0, 0);
    assert_close(largest.1.highest, 30_454_899.0);
}

#[test]
fn the_ru_log_by_partition_and_key() {
    let capture = open(&[RU, USAGES, "arm/throughput-settings.orders.json", LOG]);
    let (heat, container) = orders(&capture);
    let three = heat.partition_of_range("3").unwrap();
    let of_three = RecordFilter { partition: Some(three), ..RecordFilter::default() };
    assert_close(heat.keys.total(of_three).ru, 57_206.2);
    let tenant = RuKey::Named(capture.load.keys.find("[\"tenant-0001\"]").unwrap());
    let ranked = heat.keys.ranked(RecordFilter::default(), &capture.load.keys);
    assert_eq!(ranked[0].key, tenant);
    assert_close(ranked[0].ru, 57_145.0);
    assert_close(ranked[0].peak_ru_per_second, 5_872.5);
    assert_eq!(ranked[0].peak_at, Some(at("2026-06-22T02:00:09Z")));
    assert_eq!(ranked[0].since, Some(at("2026-06-22T02:00:00Z")));
    let story = heat.keys.story(tenant).unwrap();
    let region = story.region.unwrap();
    assert_eq!(capture.regions.text(u32::from(region)), "West Europe");
    assert_eq!(story.partitions.len(), 1);

    // 24,000 RU/s in four equal shares.
    let capacity = heat.partitions[three as usize].capacity.unwrap();
    assert_eq!(capacity.from, CapacityFrom::EqualShares);
    assert_close(ranked[0].peak_ru_per_second / capacity.ru_per_second, 0.97875);
    let share = track(&heat, Measure::LoggedShare, Some("West Europe"));
    assert_eq!(share.step_s, 1);
    assert_eq!(share.hottest().unwrap().0, three);
    assert!(share.from.contains("an equal share"), "{}", share.from);
    let rate = track(&heat, Measure::LoggedRu, Some("West Europe"));
    let logged: f64 = rate.together.points(i64::MIN, i64::MAX).map(|p| f64::from(p.1)).sum();
    let region = RecordFilter { region: Some(region), ..RecordFilter::default() };
    assert_close(logged, heat.keys.total(region).ru);

    let nobody = heat.keys.total_of(RuKey::NotReported, RecordFilter::default());
    assert_eq!(nobody.records, 3);
    assert_close(nobody.ru, 122.7);
    let undefined = heat.partitions.iter().position(|p| p.named == RangeName::Undefined);
    let undefined = heat.keys.total(RecordFilter {
        partition: undefined.map(|at| at.try_into().unwrap()),
        ..RecordFilter::default()
    });
    assert_eq!(undefined.records, 1);
    assert_close(undefined.ru, 3.1);
    assert!(disagreements(&heat, container, &capture, &Places::of(&capture)).is_empty());
}

#[test]
fn requests_join_by_guid_and_count_once() {
    for paths in [&[TOTALS, USAGES, LOG][..], &[SINGLE, TOTALS, USAGES, LOG]] {
        let capture = open(paths);
        let (heat, _) = orders(&capture);
        let ids: Vec<&str> = heat.partitions.iter().map(|p| p.named.text()).collect();
        assert_eq!(ids, ["0", "1", "3", "4"], "{paths:?}");
        let requests: u64 = heat.requests.iter().map(|r| r.requests).sum();
        assert_eq!(requests, 288_812, "{paths:?}");
        let three = heat.partition_of_range("3").unwrap() as usize;
        assert_eq!(heat.requests[three].throttled, 41_000);
        assert_eq!(heat.requests[three].requests, 231_600);
        assert_eq!(heat.requests[0].forbidden, 12);
        let ru: f64 = heat.requests.iter().map(|r| r.ru).sum();
        assert_close(ru, 1_840_682.88);
        let refused = track(&heat, Measure::ThrottledShare, Some("West Europe"));
        assert_eq!(refused.step_s, 300);
        let (hottest, standing) = refused.hottest().unwrap();
        assert_eq!(hottest as usize, three);
        assert_close(standing.highest, 41_000.0 / 231_600.0);
        let rate = track(&heat, Measure::Requests, Some("West Europe"));
        let (from, to) = rate.span().unwrap();
        let together = rate.together.read(from, to).unwrap();
        assert_close(together.mean * 300.0, 288_812.0);
        assert_eq!(paths.len() == 4, rate.from.contains("counts alone"));
    }
    let capture = open(&[SINGLE]);
    let (heat, _) = orders(&capture);
    let requests: u64 = heat.requests.iter().map(|r| r.requests).sum();
    assert_eq!(requests, 24);
    assert_eq!(heat.track(Measure::Throttled).unwrap().step_s, 1);
    assert!(heat.partitions.iter().all(|p| matches!(p.named, RangeName::Guid(_))));
}
