//! Shares of keys, and what time makes of sizes.

use super::*;
use crate::model::design::{Property, PropertyValues, RankCurve, ValueShares};
use crate::model::path::Path;

fn property(name: &str, distinct: u64, giant: f64, within: Option<usize>) -> Property {
    let giants = (giant > 0.0).then(|| ("contoso".to_owned(), giant));
    Property {
        name: name.to_owned(),
        values: PropertyValues::Drawn(ValueShares {
            distinct,
            curve: RankCurve::new(0.0),
            giants: giants.into_iter().collect(),
            within,
        }),
    }
}

fn design(kept_days: Option<f64>) -> Design {
    Design {
        title: String::new(),
        container: "c".to_owned(),
        key: vec![Path::from_iter(["tenantId"])],
        try_keys: Vec::new(),
        ru_per_second: None,
        autoscale: false,
        indexed: true,
        starts: None,
        age_days: 30.0,
        properties: vec![
            property("tenantId", 100, 0.4, None),
            property("userId", 10_000, 0.0, Some(0)),
            property("colour", 5, 0.0, None),
        ],
        entities: vec![Entity {
            name: "e".to_owned(),
            bytes: 1024.0,
            count: 0.0,
            writes: 1000.0,
            updates: 0.0,
            reads: 0.0,
            each: None,
            active: 1.0,
            properties: vec![0, 1, 2],
            kept_days,
        }],
        queries: Vec::new(),
    }
}

#[test]
fn keys_of_a_design_have_the_shares_of_their_properties() {
    for (key, expected) in [
        ("/tenantId", Some([100.0, 0.4])),
        ("/userId", Some([10_000.0, 0.000_1])),
        ("/tenantId > /userId", Some([10_000.0, 0.000_1])),
        ("/tenantId > /colour", Some([500.0, 0.08])),
        ("/tenantId + \"-\" + month(/time)", Some([100.0, 0.4])),
        ("bucket(/tenantId, 4)", None),
        ("/unknown", None),
    ] {
        let candidate = Candidate::parse(key).ok();
        let found = candidate.and_then(|key| DesignedKey::of(&design(None), &key));
        let is_same = match (found, expected) {
            (Some(found), Some([distinct, largest])) => {
                found.distinct == Some(distinct) && (found.largest / largest - 1.0).abs() < 0.02
            }
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_same, "{key}: {found:?}");
    }
}

#[test]
fn what_is_deleted_in_time_stays_at_a_level() {
    let bytes_a_day = 1024.0 * 1000.0 * 86_400.0;
    let growing = design(None);
    let fills = |design: &Design, bytes: f64| fill_time(bytes, |days| design.bytes_after(days));
    let days = fills(&growing, bytes_a_day * 12.5).days();
    assert!(days.is_some_and(|days| (days - 12.5).abs() < 1e-6), "{days:?}");
    let kept = design(Some(10.0));
    assert_eq!(fills(&kept, bytes_a_day * 12.5), FillTime::Level(bytes_a_day * 10.0));
    assert_eq!(time_text(971.0), "2.66 years");
}

#[test]
fn what_is_stored_sets_the_least_that_is_sold() {
    let least = |design: &Design| {
        let all = figures(design, Ceiling::default());
        let mut all = all.iter().flat_map(|group| &group.figures);
        let found = all.find(|figure| figure.name.starts_with("lowest RU/s"));
        found.map(|figure| figure.value)
    };
    // 1 KiB × 1,000/s × 365 days are 30,076 GiB; 10 RU each need no more than 14,300 RU/s.
    let mut design = design(None);
    assert_eq!(least(&design), Some(30_100.0));
    design.autoscale = true;
    assert_eq!(least(&design), Some(301_000.0));
    design.entities[0].kept_days = Some(30.0);
    design.autoscale = false;
    assert_eq!(least(&design), None);
}
