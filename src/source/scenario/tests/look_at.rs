//! What the sentences of the scenarios claim, against the numbers they show.

use super::*;
use crate::model::units::count_text;

fn sentence(name: &str) -> String {
    let found = list().into_iter().find(|info| info.name == name);
    found.unwrap().look_at
}

#[track_caller]
fn says(name: &str, part: &str) {
    let sentence = sentence(name);
    assert!(sentence.contains(part), "{part:?} is not in: {sentence}");
}

fn rounded(n: f64) -> String {
    count_text(whole(n.round()))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and positive"
)]
fn whole(n: f64) -> u64 {
    n as u64
}

fn largest_gib(capture: &Capture, container: &str) -> f64 {
    let sizes = sizes(capture, container);
    sizes.values().fold(0.0_f64, |a, b| a.max(*b)) / GIB_KIB
}

fn partitions<'a>(
    capture: &'a Capture,
    container: &str,
) -> &'a [crate::model::physical::PhysicalPartition] {
    &capture.containers[number(capture, container) as usize].partitions
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
fn tenants_and_food() {
    let c = capture("tenants");
    let asked = ru_per_s_by_range(c, "tickets", 900.0);
    says(
        "tenants",
        &format!("{} asked for", rounded(asked.values().sum())),
    );
    let all = statuses(c, "tickets");
    let on_zero = all.values().sum::<u64>() * 15 / 17;
    assert_eq!(all[&429] * 3, on_zero);
    says("tenants", "partition 0 refuses a third of its requests");
    says("tenants", "tenants A, D, E and F hash onto it");
    let of_d = ru(c, "tickets")[&("[\"D\"]".into(), "0".into())] / 900.0;
    says("tenants", &format!("D alone wants {} RU/s", rounded(of_d)));
    assert!((0.95..1.0).contains(&(largest_gib(c, "tickets") / 20.0)));

    let c = capture("food");
    let each = partitions(c, "foods")[0].ru_per_second.unwrap();
    says(
        "food",
        &format!("the three partitions gets {} RU/s", rounded(each)),
    );
    let loads = ru_per_s_by_range(c, "foods", 900.0);
    says("food", &format!("ask for {}", rounded(loads["1"])));
    assert!(loads["0"] < each && loads["2"] < each && loads.len() == 3);
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
    let end = Stamp::from_civil(crate::model::time::Civil {
        year: 2026,
        month: 6,
        day: 29,
        hour: 0,
        minute: 0,
        second: 0,
        ticks: 0,
    });
    let import = end.unwrap().seconds() - 36 * 60;
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
    let refused = c.load.requests.keys().filter(|cell| cell.status == 429);
    let first = refused.filter_map(|cell| cell.second).min().unwrap();
    assert!((import - 300..=import).contains(&first));
    says("night", "429s begin at minute 24");
}

#[test]
fn the_connected_car() {
    let c = capture("car");
    let by_model = sizes(c, "by-model");
    let smallest = by_model.values().fold(f64::MAX, |a, b| a.min(*b)) / GIB_KIB;
    says(
        "car",
        &format!("full at {:.1} GB", largest_gib(c, "by-model")),
    );
    says("car", &format!("the least sold holds {smallest:.1} GB"));
    assert!(statuses(c, "by-model")[&403] > 0);
    assert_eq!(ru_per_s_by_range(c, "by-month", 300.0).len(), 1);
    let two_years_gib = sizes(c, "by-device")["[\"hourly-1\"]"] / GIB_KIB;
    let years = 2.0 * 20.0 / two_years_gib;
    assert!((2.5..3.0).contains(&years), "{years}");
    says("car", "in under three years");
    let largest = largest_gib(c, "by-device-and-month");
    says("car", &format!("no key passes {largest:.2} GB"));
    assert!(largest <= 0.63);
}

#[test]
fn fifteen_plants() {
    let c = capture("plants");
    let stored: f64 = sizes(c, "by-plant").values().sum::<f64>() / GIB_KIB;
    says("plants", &format!("only {} GB are stored", rounded(stored)));
    let day = largest_gib(c, "by-plant-and-date");
    says("plants", &format!("up to {day:.1} GB a day"));
    assert!(day / 20.0 > 0.7);
    let hottest = ru(c, "by-plant-and-epoch");
    let hottest = hottest.values().fold(0.0_f64, |a, b| a.max(*b));
    says("plants", &format!("one key with {} RU/s", rounded(hottest)));
    let loads = ru_per_s_by_range(c, "by-uuid", 300.0);
    let most = loads.values().fold(0.0_f64, |a, b| a.max(*b));
    assert!(loads.len() == 64 && loads.values().all(|ru| most / ru < 1.01));
}

#[test]
fn events_and_customers() {
    let c = capture("events");
    let keys = sizes(c, "events");
    let contoso = keys
        .iter()
        .filter(|(key, _)| key.starts_with("[\"Contoso\","));
    let stored = contoso.clone().map(|(_, kib)| kib).sum::<f64>() / GIB_KIB;
    let largest = contoso.map(|(_, kib)| *kib).fold(0.0, f64::max) / GIB_KIB;
    says("events", &format!("holds {} GB", rounded(stored)));
    says("events", &format!("more than {} GB", rounded(largest)));

    let c = capture("customers");
    let stored = stored_documents("customers", "customers").unwrap();
    says("customers", &format!("{} million", stored / 1_000_000));
    assert!(sizes(c, "customers").values().all(|kib| *kib < 4.0));
    let partitions = partitions(c, "customers");
    says("customers", "all four");
    assert_eq!(partitions.len(), 4);
    let fullest = partitions
        .iter()
        .map(|p| p.kib.unwrap())
        .fold(0.0, f64::max);
    assert!(partitions.iter().all(|p| fullest / p.kib.unwrap() < 1.01));
    let loads = ru_per_s_by_range(c, "customers", 300.0);
    let busiest = loads.values().fold(0.0_f64, |a, b| a.max(*b));
    assert!(loads.values().all(|ru| busiest / ru < 1.05), "{loads:?}");
    assert!(!statuses(c, "customers").contains_key(&429));
}

#[test]
fn suffix_and_users() {
    let c = capture("suffix");
    let count = partitions(c, "by-date").len();
    says(
        "suffix",
        &format!("one of {count} partitions and more than half are refused"),
    );
    says("suffix", &format!("while {} idle", count - 1));
    assert_eq!(ru_per_s_by_range(c, "by-date", 300.0).len(), 1);
    let all = statuses(c, "by-date");
    assert!(all[&429] > all[&201]);
    let spread = ru_per_s_by_range(c, "by-date-and-suffix", 300.0).len();
    says("suffix", &format!("spread over {spread} partitions"));
    assert!(!statuses(c, "by-date-and-suffix").contains_key(&429));

    let c = capture("users");
    let names = sizes(c, "by-username").len();
    says(
        "users",
        &format!("{} user names", count_text(names.try_into().unwrap())),
    );
    let kib = partitions(c, "by-username").iter().map(|p| p.kib.unwrap());
    let mean = kib.clone().sum::<f64>() / 4.0;
    assert!(kib.fold(0.0, f64::max) / mean < 1.1);
    let colors = sizes(c, "by-favorite-color");
    assert_eq!(colors.len(), 8);
    let share = colors["[\"blue\"]"] / colors.values().sum::<f64>();
    says("users", &format!("{:.0} % of the data", share * 100.0));
    let loads = ru(c, "by-favorite-color");
    let blue: f64 = loads
        .iter()
        .filter(|((key, _), _)| key == "[\"blue\"]")
        .map(|(_, ru)| ru)
        .sum();
    let share = blue / loads.values().sum::<f64>();
    assert!((0.395..0.405).contains(&share), "{share}");
}

#[test]
fn ten_thousand_queries() {
    let c = capture("fanout");
    let loads = ru_per_s_by_range(c, "without-key", 300.0);
    let each = loads["0"];
    assert_eq!((loads.len(), each / 10_000.0), (10, 2.5));
    says(
        "fanout",
        &format!("{} RU/s on each of the ten", rounded(each)),
    );
    says("fanout", "two and a half times what any can give");
    assert!(!statuses(c, "with-key").contains_key(&429));
}
