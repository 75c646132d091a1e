//! The numbers of the training material, as the scenarios show them.

use super::*;

#[test]
fn six_tenants() {
    let c = capture("tenants");
    let expected = [("A", 0), ("B", 1), ("C", 1), ("D", 0), ("E", 0), ("F", 0)];
    for (tenant, partition) in expected {
        assert_eq!(
            place(c, "tickets", &format!("[\"{tenant}\"]")),
            partition,
            "{tenant}"
        );
    }
    let loads = ru_per_s_by_range(c, "tickets", 900.0);
    assert_eq!(
        loads,
        BTreeMap::from([("0".into(), 15_000.0), ("1".into(), 2_000.0)])
    );
    let demand = ru(c, "tickets");
    assert_eq!(demand[&("[\"D\"]".into(), "0".into())], 12_000.0 * 900.0);
    let charged: f64 = c.load.requests.values().map(|s| s.ru).sum();
    let throttled_share = 1.0 - charged / (17_000.0 * 900.0);
    assert!(
        (throttled_share - 0.294_118).abs() < 1e-6,
        "{throttled_share}"
    );
    assert!(
        c.containers[0]
            .partitions
            .iter()
            .all(|p| p.ru_per_second == Some(10_000.0))
    );
    let largest = sizes(c, "tickets")["[\"A\"]"] / LOGICAL_CEILING_KIB;
    assert!((0.9..1.0).contains(&largest), "{largest}");
}

#[test]
fn the_staircase_has_steps_of_a_hundredth_of_the_partition() {
    let c = capture("tenants");
    let stair = c.containers[0].partitions[0].kib.unwrap() / 100.0;
    for key in ["[\"A\"]", "[\"D\"]", "[\"E\"]", "[\"F\"]"] {
        let stairs = sizes(c, "tickets")[key] / stair;
        assert!(
            (stairs - stairs.round()).abs() < 1e-9 && stairs >= 1.0,
            "{key} {stairs}"
        );
    }
    let growing = c
        .sizes
        .iter()
        .find(|(_, v)| v.canonical() == "[\"A\"]")
        .unwrap()
        .1;
    let samples = growing.series().next().unwrap().samples;
    assert_eq!(samples.len(), 13);
    assert!(samples.last().unwrap().kib > samples.first().unwrap().kib * 1.3);
}

#[test]
fn food_groups() {
    let c = capture("food");
    let expected = [
        ("Beef Products", 1),
        ("Baked Products", 2),
        ("Sausages and Luncheon Meats", 2),
        ("Vegetable and Vegetable Products", 0),
        ("Soups, Sauces, and Gravies", 1),
    ];
    for (group, partition) in expected {
        assert_eq!(
            place(c, "foods", &format!("[\"{group}\"]")),
            partition,
            "{group}"
        );
    }
    assert!(
        c.containers[0]
            .partitions
            .iter()
            .all(|p| p.ru_per_second == Some(6_000.0))
    );
    let loads = ru_per_s_by_range(c, "foods", 900.0);
    assert!((loads["1"] - 6_500.0).abs() < 1.0, "{loads:?}");
    assert!(statuses(c, "foods")[&429] > 0);
}

#[test]
fn the_connected_car() {
    let c = capture("car");
    let gib = |container: &str, key: &str| sizes(c, container)[key] / GIB_KIB;
    assert!(near(
        gib("by-device", "[\"car-1\"]"),
        2.0 * 1.879_692_077_636_718_8
    ));
    assert!(near(
        gib("by-device", "[\"hourly-1\"]"),
        2.0 * 7.518_768_310_546_875
    ));
    let month = gib("by-device-and-month", "[\"hourly-1-2026-06\"]");
    assert!(near(month, 0.628_280_639_648_437_5));
    assert!(near(month / 20.0, 0.031_414_031_982_421_875));
    assert_eq!(sizes(c, "by-device-and-month").len(), 210 * 24);
    assert_eq!(ru(c, "by-month").len(), 1);
    assert!(statuses(c, "by-month")[&429] > 0);
    assert!(statuses(c, "by-model")[&403] > 0);
}

#[test]
fn fifteen_plants() {
    let c = capture("plants");
    let by_plant = sizes(c, "by-plant");
    assert!(near(by_plant.values().sum::<f64>() / GIB_KIB, 80.0));
    assert_eq!(by_plant["[\"PLANT-1\"]"], LOGICAL_CEILING_KIB);
    assert!(statuses(c, "by-plant")[&403] > 0);
    for (plant, partition) in [(1, 2), (2, 1), (3, 0), (7, 0), (13, 1), (15, 0)] {
        assert_eq!(
            place(c, "by-plant", &format!("[\"PLANT-{plant}\"]")),
            partition
        );
    }
    let dated = number(c, "by-plant-and-date") as usize;
    assert!(near(c.containers[dated].kib().unwrap() / GIB_KIB, 2100.0));
    assert!(c.containers[dated].partitions.len() >= 42);
    let by_date = sizes(c, "by-plant-and-date");
    assert_eq!(by_date.len(), 450);
    let largest = by_date.values().fold(0.0_f64, |a, b| a.max(*b)) / GIB_KIB;
    assert!((17.0..=17.5).contains(&largest), "{largest}");
    let by_epoch = ru(c, "by-plant-and-epoch");
    assert_eq!(by_epoch.len(), 15 * 300);
    let hot = by_epoch
        .iter()
        .filter(|((key, _), _)| key.starts_with("[\"PLANT-1-"));
    assert!(
        hot.map(|(_, ru)| *ru)
            .all(|ru| (ru - 12_500.0).abs() <= 5.0)
    );
    assert!(statuses(c, "by-plant-and-epoch")[&429] > 0);
    assert_eq!(
        statuses(c, "by-uuid").into_keys().collect::<Vec<_>>(),
        [201]
    );
}

#[test]
fn a_giant_tenant_has_several_partitions_and_no_key_is_full() {
    let c = capture("events");
    let keys = sizes(c, "events");
    let contoso = keys
        .iter()
        .filter(|(key, _)| key.starts_with("[\"Contoso\","));
    assert!(near(
        contoso.clone().map(|(_, kib)| kib).sum::<f64>() / GIB_KIB,
        140.0
    ));
    let places: BTreeSet<usize> = contoso.map(|(key, _)| place(c, "events", key)).collect();
    assert!(places.len() >= 3, "{places:?}");
    assert!(keys.values().all(|kib| *kib < LOGICAL_CEILING_KIB));
    assert!(
        c.containers[0]
            .partitions
            .iter()
            .any(|p| p.parents.len() == 2)
    );
}

#[test]
fn customers_are_even() {
    let c = capture("customers");
    assert_eq!(
        statuses(c, "customers").into_keys().collect::<Vec<_>>(),
        [200, 201]
    );
    let loads = ru_per_s_by_range(c, "customers", 300.0);
    let largest = loads.values().fold(0.0_f64, |a, b| a.max(*b));
    assert!(
        largest * 4.0 / loads.values().sum::<f64>() < 1.1,
        "{loads:?}"
    );
}

#[test]
fn four_hundred_suffixes() {
    let c = capture("suffix");
    let mut counts = [0; 20];
    for suffix in 1..=400 {
        counts[place(
            c,
            "by-date-and-suffix",
            &format!("[\"2018-08-09.{suffix}\"]"),
        )] += 1;
    }
    let expected = [
        18, 25, 25, 23, 10, 17, 24, 21, 26, 14, 18, 12, 18, 22, 25, 15, 15, 21, 28, 23,
    ];
    assert_eq!(counts, expected);
    assert_eq!(ru(c, "by-date-and-suffix").len(), 400);
    assert_eq!(ru(c, "by-date").len(), 1);
    assert!(statuses(c, "by-date")[&429] > 0);
    assert_eq!(statuses(c, "by-date-and-suffix").get(&429), None);
}

#[test]
fn user_names_spread_and_colors_do_not() {
    let c = capture("users");
    for (name, partition) in [
        ("Andrew", 0),
        ("Tim", 3),
        ("Thomas", 0),
        ("Theo", 0),
        ("Deborah", 3),
    ] {
        assert_eq!(
            place(c, "by-username", &format!("[\"{name}\"]")),
            partition,
            "{name}"
        );
    }
    assert_eq!(statuses(c, "by-username").get(&429), None);
    assert!(statuses(c, "by-favorite-color")[&429] > 0);
}

#[test]
fn ten_thousand_queries_meet_every_partition() {
    let c = capture("fanout");
    let loads = ru_per_s_by_range(c, "without-key", 300.0);
    assert_eq!(loads.len(), 10);
    assert!(loads.values().all(|ru| *ru == 25_000.0), "{loads:?}");
    let all = statuses(c, "without-key");
    assert_eq!(all[&429] * 2, all[&200] * 3);
    assert_eq!(statuses(c, "with-key").get(&429), None);
}
