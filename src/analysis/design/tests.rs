//! Shares of keys, and what time makes of sizes.

use super::*;
use crate::model::design::{
    DesignQuery, Property, PropertyValues, RankCurve, UNSERVED, ValueShares,
};
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
    let fills = |design: &Design, bytes: f64| DataCourse::of(design, 1.0, None).fill(bytes, "").0;
    let days = fills(&growing, bytes_a_day * 12.5).days();
    assert!(days.is_some_and(|days| (days - 12.5).abs() < 1e-6), "{days:?}");
    let mut kept = design(Some(10.0));
    assert_eq!(fills(&kept, bytes_a_day * 12.5), FillTime::Level(bytes_a_day * 10.0));
    // Documents at the start expire, too: until then they are there besides the others.
    kept.entities[0].count = 1000.0 * 86_400.0 * 5.0;
    let days = fills(&kept, bytes_a_day * 12.5).days();
    assert!(days.is_some_and(|days| (days - 7.5).abs() < 1e-6), "{days:?}");
    let most = fills(&kept, bytes_a_day * 16.0);
    assert!(matches!(most, FillTime::Level(most) if (most / bytes_a_day - 15.0).abs() < 1e-6));
    let left = [10.0, 11.0].map(|days| kept.bytes_after(days) / bytes_a_day);
    assert!((left[0] - 15.0).abs() + (left[1] - 10.0).abs() < 1e-6, "{left:?}");
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

/// 200/s written and 50/s read of 2 KB, with a query of 5 RU.
fn queried(condition: &str, per_second: f64) -> Design {
    let mut design = design(None);
    design.entities[0].bytes = 2048.0;
    design.entities[0].writes = 200.0;
    design.entities[0].reads = 50.0;
    let sql = format!("SELECT * FROM c WHERE {condition}");
    design.queries = vec![DesignQuery { name: "q".to_owned(), sql, per_second, ru: 5.0 }];
    design
}

#[test]
fn ru_are_the_least_that_serve_queries_of_all_partitions_that_they_make() {
    for (per_second, expected, partitions) in [
        (0.0, Some(4_200.0), 1.0),
        (1_500.0, Some(89_900.0), 15.0),
        (1_600.0, Some(209_900.0), 35.0),
        (1_680.0, None, 167.0),
        (3_000.0, None, 167.0),
    ] {
        let design = queried("c.other = @other", per_second);
        let plan = design.plan(0.0, query_visits);
        assert_eq!((plan.ru_per_second, plan.partitions), (expected, partitions), "{per_second}");
        // What they need on these partitions is what was found.
        let needed = expected.map(|ru| plan.demand / ru);
        assert!(needed.is_none_or(|used| used <= 0.7), "{per_second}: {needed:?}");
        let all = figures(&design, Ceiling::default());
        let shown = all.iter().flat_map(|group| &group.figures);
        let shown: Vec<_> = shown.filter(|f| f.name == "RU/s to provide").collect();
        assert_eq!(shown[0].value.is_nan(), expected.is_none());
        assert_eq!(shown[0].text == UNSERVED, expected.is_none());
        let has_partitions = all.iter().any(|group| group.name == "Physical partitions");
        assert_eq!(has_partitions, expected.is_some());
    }
}

#[test]
fn queries_go_where_the_router_of_trials_sends_them() {
    for (condition, visits) in [
        ("c.tenantId = @t", 1.0),
        ("@t = c.tenantId", 1.0),
        ("c.tenantId IN (@t)", 1.0),
        ("c[\"tenantId\"] = @t AND c.a = 1", 1.0),
        ("c.note = 'c.tenantId='", 8.0),
        ("c.tenantId = @t OR c.a = 1", 8.0),
    ] {
        let design = queried(condition, 1.0);
        let found = query_visits(&design, &design.queries[0], 8.0);
        assert!((found - visits).abs() < 1e-9, "{condition}: {found}");
    }
}
