//! The numbers of the training material, as the scenarios show them, and what their sentences claim of them.

use super::*;
use crate::model::physical::PhysicalPartition;
use crate::model::time::Civil;
use crate::model::units::count_text;

#[track_caller]
fn says(name: &str, part: &str) {
    let info = list().into_iter().find(|info| info.name == name).unwrap();
    let sentence = info.look_at;
    assert!(sentence.contains(part), "{part:?} is not in: {sentence}");
}

fn rounded(n: f64) -> String {
    count_text(whole(n.round()))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and positive")]
fn whole(n: f64) -> u64 {
    n as u64
}

/// The largest of some sizes, in GiB.
fn largest_gib(capture: &Capture, container: &str) -> f64 {
    max(sizes(capture, container).into_values()) / KIB_PER_GIB
}

fn max(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(0.0, f64::max)
}

fn partitions<'a>(capture: &'a Capture, container: &str) -> &'a [PhysicalPartition] {
    &capture.containers[number(capture, container) as usize].partitions
}

/// Keys of one part are where their hashes say.
fn lie_at(c: &Capture, container: &str, expected: &[(&str, usize)]) {
    for (key, partition) in expected {
        let found = place(c, container, &format!("[\"{key}\"]"));
        assert_eq!(found, *partition, "{key}");
    }
}

fn is_throttled(c: &Capture, container: &str) -> bool {
    statuses(c, container).contains_key(&429)
}

#[test]
fn one_or_two_sentences_each() {
    for info in list() {
        let sentences = info.look_at.matches(". ").count() + 1;
        assert!(sentences <= 2, "{}", info.look_at);
        assert!(info.look_at.len() <= 260, "{}", info.look_at.len());
    }
}

#[test]
fn six_tenants() {
    let c = capture("tenants");
    let places = [("A", 0), ("B", 1), ("C", 1), ("D", 0), ("E", 0), ("F", 0)];
    lie_at(c, "tickets", &places);
    says("tenants", "Tenants A, D, E and F hash onto it");
    let loads = ru_per_s_by_range(c, "tickets", 3_600.0);
    let expected = [("0".into(), 15_000.0), ("1".into(), 2_000.0)];
    assert_eq!(loads, BTreeMap::from(expected));
    let all = rounded(loads.values().sum());
    says("tenants", &format!("Demand is {all} of"));
    let of_d = ru(c, "tickets")[&("[\"D\"]".into(), "0".into())];
    assert_eq!(of_d, 12_000.0 * 3_600.0);
    let of_d = rounded(of_d / 3_600.0);
    says("tenants", &format!("D alone needs {of_d} RU/s"));
    let charged: f64 = c.load.requests.values().map(|s| s.ru).sum();
    let share = 1.0 - charged / (17_000.0 * 3_600.0);
    assert!((share - 0.294_118).abs() < 1e-6, "{share}");
    let all = statuses(c, "tickets");
    assert_eq!(all[&429] * 3, all.values().sum::<u64>() * 15 / 17);
    says("tenants", "partition 0 throttles a third of its requests");
    for p in partitions(c, "tickets") {
        assert_eq!(p.ru_per_second, Some(10_000.0));
    }
    let of_a = sizes(c, "tickets")["[\"A\"]"] / LOGICAL_CEILING_KIB;
    assert!((0.9..1.0).contains(&of_a), "{of_a}");
    assert!((0.95..1.0).contains(&(largest_gib(c, "tickets") / 20.0)));
}

#[test]
fn the_staircase_has_steps_of_a_hundredth_of_the_partition() {
    let c = capture("tenants");
    let stair = c.containers[0].partitions[0].kib.unwrap() / 100.0;
    for key in ["[\"A\"]", "[\"D\"]", "[\"E\"]", "[\"F\"]"] {
        let stairs = sizes(c, "tickets")[key] / stair;
        assert!((stairs - stairs.round()).abs() < 1e-9 && stairs >= 1.0, "{key} {stairs}");
    }
    let growing = c.sizes.iter().find(|(_, v)| v.canonical() == "[\"A\"]").unwrap().1;
    let samples = growing.series().next().unwrap().samples;
    assert_eq!(samples.len(), 13);
    assert!(samples.last().unwrap().kib > samples.first().unwrap().kib * 1.3);
}

#[test]
fn food_groups() {
    let c = capture("food");
    let places = [
        ("Beef Products", 1),
        ("Baked Products", 2),
        ("Sausages and Luncheon Meats", 2),
        ("Vegetable and Vegetable Products", 0),
        ("Soups, Sauces, and Gravies", 1),
    ];
    lie_at(c, "foods", &places);
    for p in partitions(c, "foods") {
        assert_eq!(p.ru_per_second, Some(6_000.0));
    }
    says("food", "the three partitions has 6,000 RU/s");
    let loads = ru_per_s_by_range(c, "foods", 3_600.0);
    assert!((loads["1"] - 6_500.0).abs() < 1.0, "{loads:?}");
    says("food", &format!("needs {}", rounded(loads["1"])));
    assert!(loads["0"] < 6_000.0 && loads["2"] < 6_000.0 && loads.len() == 3);
    assert!(is_throttled(c, "foods"));
}

/// RU asked of each partition second by second, from a second of the log on.
fn asked_since(capture: &Capture, container: &str, from: i64) -> BTreeMap<String, Vec<f64>> {
    let number = number(capture, container);
    let cells = capture.load.ru.iter();
    let cells = cells.filter(|(c, _)| c.container == number);
    let mut sums: BTreeMap<(String, i64), f64> = BTreeMap::new();
    for (cell, sum) in cells {
        let range = capture.load.names.text(cell.range).to_owned();
        let second = cell.second.unwrap();
        if second >= from {
            *sums.entry((range, second)).or_default() += sum.ru;
        }
    }
    let mut out: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for ((range, _), ru) in sums {
        out.entry(range).or_default().push(ru);
    }
    out
}

#[test]
fn the_page_at_night() {
    let c = capture("night");
    let end = Stamp::from_civil(Civil::midnight(2026, 6, 29)).unwrap();
    let import = end.seconds() - 36 * 60;
    let asked = asked_since(c, "orders", import);
    let mean = |seconds: &Vec<f64>| seconds.iter().sum::<f64>() / 2160.0;
    let all: f64 = asked.values().map(mean).sum();
    assert!((17_000.0..18_000.0).contains(&all), "{all}");
    says("night", "fewer than 18,000 requested");
    let owner = place(c, "orders", "[\"contoso\"]").to_string();
    assert!(asked[&owner].iter().all(|ru| *ru > 8_000.0));
    assert!(mean(&asked[&owner]) > 10_600.0);
    for (range, seconds) in asked.iter().filter(|(range, _)| **range != owner) {
        let busiest = seconds.iter().fold(0.0_f64, |a, b| a.max(*b));
        assert!(busiest < 3_000.0, "{range}: {busiest}");
    }
    says("night", "the others stay below 30 %");
    let before = asked_since(c, "orders", import - 24 * 60);
    let before = &before[&owner][..24 * 60];
    assert!(before.iter().all(|ru| *ru < 3_000.0));
    let throttled = c.load.requests.keys().filter(|cell| cell.status == 429);
    let first = throttled.filter_map(|cell| cell.second).min().unwrap();
    assert!((import - 300..=import).contains(&first));
    says("night", "429s begin at minute 24");
    let mut of_contoso: BTreeMap<i64, f64> = BTreeMap::new();
    for (cell, sum) in &c.load.ru {
        if matches!(cell.key, RuKey::Named(key) if c.load.keys.text(key) == "[\"contoso\"]") {
            *of_contoso.entry(cell.second.unwrap()).or_default() += sum.ru;
        }
    }
    let busiest = max(of_contoso.into_values());
    let hundreds = (busiest / 100.0).floor() * 100.0;
    says("night", &format!("contoso needs over {} RU/s", rounded(hundreds)));
    let begins = Stamp::from_seconds(import).unwrap().minute_text();
    let info = list().into_iter().find(|info| info.name == "night").unwrap();
    assert!(begins.ends_with(info.title.split_once(": ").unwrap().0));
}

#[test]
fn the_connected_car() {
    let c = capture("car");
    let gib = |container: &str, key: &str| sizes(c, container)[key] / KIB_PER_GIB;
    let typical = gib("by-device", "[\"car-1\"]");
    assert!(near(typical, 2.0 * 1.879_692_077_636_718_8));
    let hourly = gib("by-device", "[\"hourly-1\"]");
    assert!(near(hourly, 2.0 * 7.518_768_310_546_875));
    let years = 2.0 * 20.0 / hourly;
    assert!((2.5..3.0).contains(&years), "{years}");
    says("car", "in under three years");
    let month = gib("by-device-and-month", "[\"hourly-1-2026-06\"]");
    assert!(near(month, 0.628_280_639_648_437_5));
    assert!(near(month / 20.0, 0.031_414_031_982_421_875));
    assert_eq!(sizes(c, "by-device-and-month").len(), 210 * 24);
    let largest = largest_gib(c, "by-device-and-month");
    says("car", &format!("no key passes {largest:.2} GB"));
    assert!(largest <= 0.63);
    assert_eq!(ru(c, "by-month").len(), 1);
    assert!(is_throttled(c, "by-month"));
    let by_model = sizes(c, "by-model");
    let smallest = by_model.values().fold(f64::MAX, |a, b| a.min(*b)) / KIB_PER_GIB;
    let largest = largest_gib(c, "by-model");
    says("car", &format!("full at {largest:.1} GB"));
    says("car", &format!("the least sold holds {smallest:.1} GB"));
    assert!(statuses(c, "by-model")[&403] > 0);
}

#[test]
fn fifteen_plants() {
    let c = capture("plants");
    let by_plant = sizes(c, "by-plant");
    let stored = by_plant.values().sum::<f64>() / KIB_PER_GIB;
    assert!(near(stored, 80.0));
    says("plants", &format!("only {} GB are stored", rounded(stored)));
    assert_eq!(by_plant["[\"PLANT-1\"]"], LOGICAL_CEILING_KIB);
    assert!(statuses(c, "by-plant")[&403] > 0);
    let places = [1, 2, 3, 7, 13, 15].map(|n| format!("PLANT-{n}"));
    let places: Vec<_> = places.iter().map(String::as_str).zip([2, 1, 0, 0, 1, 0]).collect();
    lie_at(c, "by-plant", &places);
    let dated = number(c, "by-plant-and-date") as usize;
    assert!(near(c.containers[dated].kib().unwrap() / KIB_PER_GIB, 2100.0));
    assert!(c.containers[dated].partitions.len() >= 42);
    assert_eq!(sizes(c, "by-plant-and-date").len(), 450);
    let day = largest_gib(c, "by-plant-and-date");
    assert!((17.0..=17.5).contains(&day), "{day}");
    says("plants", &format!("up to {day:.1} GB a day"));
    let by_epoch = ru(c, "by-plant-and-epoch");
    assert_eq!(by_epoch.len(), 15 * 300);
    for ((key, _), ru) in &by_epoch {
        let is_first = key.starts_with("[\"PLANT-1-");
        assert!(!is_first || (ru - 12_500.0).abs() <= 5.0, "{key} {ru}");
    }
    let hottest = rounded(max(by_epoch.into_values()));
    says("plants", &format!("one key with {hottest} RU/s"));
    assert!(is_throttled(c, "by-plant-and-epoch"));
    assert!(statuses(c, "by-uuid").into_keys().eq([201]));
    let loads = ru_per_s_by_range(c, "by-uuid", 300.0);
    let most = max(loads.values().copied());
    assert!(loads.len() == 64 && loads.values().all(|ru| most / ru < 1.01));
}

#[test]
fn a_giant_tenant_has_several_partitions_and_no_key_is_full() {
    let c = capture("events");
    let keys = sizes(c, "events");
    let of_contoso = |(key, _): &(&String, &f64)| key.starts_with("[\"Contoso\",");
    let contoso = keys.iter().filter(of_contoso);
    let stored = contoso.clone().map(|(_, kib)| kib).sum::<f64>() / KIB_PER_GIB;
    assert!(near(stored, 140.0));
    says("events", &format!("holds {} GB", rounded(stored)));
    let largest = max(contoso.clone().map(|(_, kib)| *kib)) / KIB_PER_GIB;
    says("events", &format!("more than {} GB", rounded(largest)));
    let places: BTreeSet<usize> = contoso.map(|(key, _)| place(c, "events", key)).collect();
    assert!(places.len() >= 3, "{places:?}");
    assert!(keys.values().all(|kib| *kib < LOGICAL_CEILING_KIB));
    let mut partitions = partitions(c, "events").iter();
    assert!(partitions.any(|p| p.parents.len() == 2));
}

#[test]
fn customers_are_even() {
    let c = capture("customers");
    assert!(statuses(c, "customers").into_keys().eq([200, 201]));
    let loads = ru_per_s_by_range(c, "customers", 300.0);
    let busiest = max(loads.values().copied());
    assert!(busiest * 4.0 / loads.values().sum::<f64>() < 1.1);
    assert!(loads.values().all(|ru| busiest / ru < 1.05), "{loads:?}");
    let stored = stored_documents("customers", "customers").unwrap();
    says("customers", &format!("{} million", stored / 1_000_000));
    assert!(sizes(c, "customers").values().all(|kib| *kib < 4.0));
    let kib: Vec<f64> = partitions(c, "customers").iter().map(|p| p.kib.unwrap()).collect();
    says("customers", "All four");
    assert_eq!(kib.len(), 4);
    let fullest = max(kib.iter().copied());
    assert!(kib.iter().all(|kib| fullest / kib < 1.01));
}

#[test]
fn four_hundred_suffixes() {
    let c = capture("suffix");
    let mut counts = [0; 20];
    for suffix in 1..=400 {
        let key = format!("[\"2018-08-09.{suffix}\"]");
        counts[place(c, "by-date-and-suffix", &key)] += 1;
    }
    let expected = [18, 25, 25, 23, 10, 17, 24, 21, 26, 14, 18, 12, 18, 22, 25, 15, 15, 21, 28, 23];
    assert_eq!(counts, expected);
    assert_eq!(ru(c, "by-date-and-suffix").len(), 400);
    assert_eq!(ru(c, "by-date").len(), 1);
    let count = partitions(c, "by-date").len();
    let part = format!("one of {count} partitions: more than half are throttled");
    says("suffix", &part);
    says("suffix", &format!("while {} idle", count - 1));
    let all = statuses(c, "by-date");
    assert!(all[&429] > all[&201]);
    let spread = ru_per_s_by_range(c, "by-date-and-suffix", 300.0).len();
    says("suffix", &format!("spread over {spread} partitions"));
    assert!(!is_throttled(c, "by-date-and-suffix"));
}

#[test]
fn user_names_spread_and_colors_do_not() {
    let c = capture("users");
    let places = [("Andrew", 0), ("Tim", 3), ("Thomas", 0), ("Theo", 0), ("Deborah", 3)];
    lie_at(c, "by-username", &places);
    let names = sizes(c, "by-username").len() as u64;
    says("users", &format!("{} user names", count_text(names)));
    let kib = partitions(c, "by-username").iter().map(|p| p.kib.unwrap());
    let mean = kib.clone().sum::<f64>() / 4.0;
    assert!(max(kib) / mean < 1.1);
    let colors = sizes(c, "by-favorite-color");
    assert_eq!(colors.len(), 8);
    let share = colors["[\"blue\"]"] / colors.values().sum::<f64>();
    says("users", &format!("{:.0} % of the data", share * 100.0));
    let loads = ru(c, "by-favorite-color");
    let blue = loads.iter().filter(|((key, _), _)| key == "[\"blue\"]");
    let share = blue.map(|(_, ru)| ru).sum::<f64>() / loads.values().sum::<f64>();
    assert!((0.395..0.405).contains(&share), "{share}");
    assert!(!is_throttled(c, "by-username") && is_throttled(c, "by-favorite-color"));
}

#[test]
fn ten_thousand_queries_meet_every_partition() {
    let c = capture("fanout");
    let loads = ru_per_s_by_range(c, "without-key", 3_600.0);
    assert_eq!(loads.len(), 10);
    assert!(loads.values().all(|ru| *ru == 25_000.0), "{loads:?}");
    says("fanout", "25,000 RU/s on each of the ten");
    says("fanout", "2.5 times what one can serve");
    let all = statuses(c, "without-key");
    assert_eq!(all[&429] * 2, all[&200] * 3);
    assert!(!is_throttled(c, "with-key"));
}

/// Of each partition the highest percent that the metric has within some minutes of the hour.
fn highest_percents(capture: &Capture, container: &str, minutes: [usize; 2]) -> Vec<f64> {
    let number = number(capture, container);
    let series = capture.load.metrics.iter();
    let of = series
        .filter(|(name, _)| name.container == number && name.metric == "NormalizedRUConsumption");
    let within = |points: &Vec<(Stamp, f64)>| {
        assert_eq!(points.len(), 60);
        max(points[minutes[0]..minutes[1]].iter().map(|(_, v)| *v))
    };
    of.map(|(_, points)| within(points)).collect()
}

/// 429s in each five minutes of the hour.
fn throttled_by_five_minutes(capture: &Capture, container: &str) -> Vec<u64> {
    let number = number(capture, container);
    let mut sums = vec![0; 12];
    let points = capture.load.metrics.values().flatten();
    let start = points.map(|(at, _)| at.seconds()).min().unwrap();
    let cells = capture.load.requests.iter();
    for (cell, sum) in cells.filter(|(c, _)| c.container == number && c.status == 429) {
        let at = (cell.second.unwrap() - start) / 300;
        sums[usize::try_from(at).unwrap()] += sum.requests;
    }
    sums
}

#[test]
fn the_same_load_under_another_key() {
    let c = capture("launch");
    let calm = highest_percents(c, "by-market", [0, 15]);
    assert!(max(calm.into_iter()) < 15.0);
    let sale = highest_percents(c, "by-order", [15, 50]);
    let least = sale.iter().fold(100.0_f64, |a, b| a.min(*b));
    says("launch", &format!("at {least} to {} %", max(sale.into_iter())));
    let throttled = throttled_by_five_minutes(c, "by-market");
    assert!(throttled[..3].iter().chain(&throttled[10..]).all(|n| *n == 0));
    assert!(throttled[3..10].iter().all(|n| *n > 0), "{throttled:?}");
    assert!(!is_throttled(c, "by-order"));
}

#[test]
fn an_index_takes_the_queries_of_every_partition() {
    let c = capture("index");
    let alone = highest_percents(c, "customers-alone", [10, 50]);
    assert_eq!(alone, [100.0; 5]);
    says("index", "visit all five partitions of customers-alone");
    for other in ["customers", "customers-by-email"] {
        assert!(!is_throttled(c, other), "{other}");
        assert!(max(highest_percents(c, other, [0, 60]).into_iter()) < 60.0);
    }
    let throttled = throttled_by_five_minutes(c, "customers-alone");
    assert!(throttled[2..10].iter().all(|n| *n > 0), "{throttled:?}");
    assert_eq!(throttled[..2], throttled[10..]);
    // Every write of the source is one of the index, too.
    let writes = |container: &str| {
        let number = number(c, container);
        let cells = c.load.requests.iter();
        let of = cells.filter(|(cell, _)| cell.container == number);
        let of = of.filter(|(cell, _)| c.load.names.text(cell.operation) == "Replace");
        of.map(|(_, sum)| sum.requests).sum::<u64>()
    };
    assert_eq!(writes("customers"), writes("customers-by-email"));
}

#[test]
fn a_throughput_bucket_throttles_while_no_partition_is_full() {
    let c = capture("bucket");
    let highest = max(highest_percents(c, "cases", [0, 60]).into_iter());
    assert!((60.0..70.0).contains(&highest), "{highest}");
    says("bucket", "no partition is above 70 %");
    let limited = c.load.limited[&number(c, "cases")];
    assert_eq!(limited.of_neither, 0);
    assert_eq!(limited.in_buckets, statuses(c, "cases")[&429]);
    let export = |status: u16| {
        let of = c.load.requests.iter().filter(|(cell, _)| {
            cell.status == status && c.load.names.text(cell.operation) == "Query"
        });
        of.map(|(_, sum)| sum.requests).sum::<u64>()
    };
    let [done, throttled] = [200, 429].map(export);
    assert!(done.abs_diff(throttled) * 100 < done, "{done} {throttled}");
    says("bucket", "half the requests of an export are throttled");
}

#[test]
fn saved_ru_hide_a_hot_partition() {
    let c = capture("burst");
    let throttled = throttled_by_five_minutes(c, "baskets");
    assert!(throttled[..5].iter().all(|n| *n == 0), "{throttled:?}");
    assert!(throttled[6..10].iter().all(|n| *n > 0), "{throttled:?}");
    assert_eq!(throttled[10..], [0, 0]);
    says("burst", "for over ten minutes no request is throttled");
    let asked = asked_since(c, "baskets", 0);
    let peak = max(asked.into_values().map(|of| max(of[900..3000].iter().copied())));
    assert!((1_300.0..1_500.0).contains(&peak), "{peak}");
    let account = c.account_of(&c.containers[0].name).unwrap();
    assert_eq!(account.is(Setting::Burst), Some(true));
}
