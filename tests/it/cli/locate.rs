//! `locate`: on which physical partition values lie.

use serde_json::Value;

use super::{Place, STANDARD, sample};

fn json(place: &Place, args: &[&str]) -> Value {
    let all = [&["locate"], args, &["--format", "json"]].concat();
    serde_json::from_str(&place.run(&all).ends_with(0).text()).unwrap()
}

fn partitions(of: &Value) -> Vec<String> {
    let places = of["places"].as_array().unwrap().iter();
    places.map(|place| place["partitions"][0].as_str().unwrap().to_owned()).collect()
}

#[test]
fn names_lie_on_four_partitions_as_the_service_puts_them() {
    let place = Place::new();
    let names = ["Andrew", "Tim", "Thomas", "Theo", "Deborah"];
    let found = json(&place, &[&names[..], &["--partitions", "4"]].concat());
    assert_eq!(partitions(&found), ["0", "3", "0", "0", "3"]);
    for format in ["text", "md", "html", "csv"] {
        let args = ["locate", "Andrew", "--partitions", "4", "--format", format];
        let text = place.run(&args).ends_with(0).text();
        assert!(text.contains("08633A606C1425CA74A29E0C2086BD63"), "{format}: {text}");
    }
}

#[test]
fn keys_of_a_scenario_lie_where_the_heat_view_has_them_and_masks_hide_their_hashes() {
    let place = Place::new();
    let scenario = ["A", "D", "nobody", "--scenario", "tenants"];
    let found = json(&place, &scenario);
    assert_eq!(partitions(&found), ["0", "0", "0"]);
    assert!(found["places"][0]["size_kib"].as_f64().unwrap() > 20e6);
    assert_eq!(found["places"][2]["size_kib"], Value::Null);
    let hash = found["places"][0]["hash"].as_str().unwrap().to_owned();
    let hidden = json(&place, &[&scenario[..], &["--mask"]].concat()).to_string();
    assert!(!hidden.contains(&hash) && !hidden.contains("nobody") && !hidden.contains("tickets"));
}

#[test]
fn what_cannot_be_placed_is_2_with_what_to_give() {
    let place = Place::new();
    let path = sample(STANDARD);
    place.refuses(&[
        &["locate", "A"],
        &["locate", "--partitions", "4"],
        &["locate", "A", "--partitions", "0"],
        &["locate", "A", "--scenario", "car"],
        &["locate", "A", "--scenario", "nothing"],
    ]);
    let refused = place.run(&["locate", "A", "--from", &path]).ends_with(2);
    assert!(refused.err.contains("or give --partitions"), "{}", refused.err);
}
