//! Conditions, keys and layouts: where queries go, what that costs and what is said of it.

use std::collections::BTreeSet;

use crate::model::epk::{Epk, epk, prefix_range};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion, Part};
use crate::model::layout::Layout;

use super::*;

const HIERARCHY: &str = "/TenantId > /UserId > /SessionId";

fn text(text: &str) -> Part {
    Part::Text(text.into())
}

/// The partition of each text, by hashing alone.
fn owners(texts: &[&str], partitions: u32) -> usize {
    let definition = KeyDefinition {
        paths: vec!["/a".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V2,
    };
    let bounds = crate::model::epk::even_boundaries(partitions, &definition);
    let owner = |value: &&str| {
        let place = epk(&[text(value)], &definition).unwrap();
        bounds.iter().filter(|bound| **bound <= place).count()
    };
    texts.iter().map(owner).collect::<BTreeSet<usize>>().len()
}

/// 1,000 physical partitions, on five of which one tenant lies.
fn tenant_on_five() -> RoutedLayout {
    let definition = KeyDefinition {
        paths: vec![String::new(); 3],
        kind: KeyKind::MultiHash,
        version: KeyVersion::V2,
    };
    let (low, high) = prefix_range(&[text("big")], &definition).unwrap();
    let mut bounds = crate::model::epk::even_boundaries(996, &definition);
    for level in [0x08_u8, 0x10, 0x20, 0x30] {
        let mut inside = low.as_bytes().to_vec();
        inside.push(level);
        let inside = Epk::from(inside);
        assert!(low < inside && inside < high);
        bounds.push(inside);
    }
    bounds.sort();
    let starts = std::iter::once(Epk::MIN).chain(bounds.clone());
    let ends = bounds.into_iter().chain(std::iter::once(Epk::MAX));
    let layout = Layout::from_ranges(
        (0..).zip(starts).zip(ends).map(|((at, min), max)| (at, min, max)).collect(),
    )
    .unwrap();
    RoutedLayout::of(layout, KeyVersion::V2)
}

#[test]
fn a_key_of_one_property() {
    let key = key("/a");
    for (condition, expected) in [
        ("c.a = @p", "single"),
        ("c.a = 7 AND c.b > 1", "single"),
        ("c.a = 'x' AND c.a > 'b'", "single"),
        ("c.a IN (@p, @q, @r)", "2.7 of 10"),
        ("c.a = @p OR c.a = @q", "1.9 of 10"),
        ("c.a = @p AND (c.b = 1 OR c.d = 2)", "single"),
        ("c.a > @p", "fan-out"),
        ("c.a BETWEEN 1 AND 2", "fan-out"),
        ("STARTSWITH(c.a, 'x')", "fan-out"),
        ("c.a != 1", "fan-out"),
        ("c.b = @p", "fan-out"),
        ("c.a = @p OR c.b = @q", "fan-out"),
        ("LOWER(c.a) = 'x'", "fan-out"),
        ("c.x.a = 1", "fan-out"),
        ("ARRAY_CONTAINS(@list, c.a)", "unknown"),
        ("c.a = 1 AND c.a = 2", "unknown"),
    ] {
        assert_eq!(of_ten(condition, &key), expected, "{condition}");
    }
    assert_eq!(shown(&routed("SELECT * FROM c", &key, &RoutedLayout::even(10))), "fan-out");
}

#[test]
fn known_values_are_placed() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for few in 2..names.len() {
        let listed = names.get(..few).unwrap();
        let condition = format!("c.a IN ('{}')", listed.join("', '"));
        let expected = format!("{} of 10", owners(listed, 10));
        assert_eq!(of_ten(&condition, &key("/a")), expected, "{condition}");
    }
}

#[test]
fn levels_route_from_the_first_on() {
    let hierarchy = key(HIERARCHY);
    for (condition, expected) in [
        ("c.TenantId = @t AND c.UserId = @u AND c.SessionId = @s", "single"),
        ("c.TenantId = @t AND c.UserId = @u", "1 of 10"),
        ("c.TenantId = @t", "1 of 10"),
        ("c.TenantId = @t AND c.SessionId = @s", "1 of 10"),
        ("c.UserId = @u", "fan-out"),
        ("c.SessionId = @s", "fan-out"),
        ("c.UserId = @u AND c.SessionId = @s", "fan-out"),
        ("c.TenantId > @t AND c.UserId = @u", "fan-out"),
        ("c.TenantId = @t AND ARRAY_CONTAINS(@list, c.UserId)", "1 of 10"),
        ("c.TenantId IN (@t, @u)", "1.9 of 10"),
    ] {
        assert_eq!(of_ten(condition, &hierarchy), expected, "{condition}");
    }
}

#[test]
fn a_prefix_visits_the_ranges_that_hold_it() {
    let (hierarchy, layout) = (key(HIERARCHY), tenant_on_five());
    let sql = |condition: &str| format!("SELECT * FROM c WHERE {condition}");
    let known = routed(&sql("c.TenantId = 'big'"), &hierarchy, &layout);
    assert_eq!(shown(&known), "5 of 1000");
    assert_eq!(
        known.why,
        "only /TenantId is given: its keys lie on 5 of 1,000 physical partitions; name it in WHERE, not as an SDK option alone"
    );
    let small = routed(&sql("c.TenantId = 'small'"), &hierarchy, &layout);
    assert_eq!(shown(&small), "1 of 1000");
    let any = routed(&sql("c.TenantId = @t"), &hierarchy, &layout);
    assert_eq!(
        any.why,
        "only /TenantId is given: its keys lie on 1 of 1,000 physical partitions, more where a boundary lies inside the value; name it in WHERE, not as an SDK option alone"
    );
    let prefixes = [vec![text("big")], vec![text("small")]];
    let layout = layout.with_prefixes(3, prefixes.iter().map(Vec::as_slice).zip([3.0, 1.0]));
    let mean = routed(&sql("c.TenantId = @t"), &hierarchy, &layout);
    assert_eq!(shown(&mean), "4 of 1000");
    assert_eq!(
        mean.why,
        "only /TenantId is given: its keys lie on about 4 of 1,000 physical partitions, the mean by data of 2 known values of which one lies on 5; name it in WHERE, not as an SDK option alone"
    );
    let every = routed(&sql("c.UserId = @u"), &hierarchy, &layout);
    let cost = |route: &Route| price(route, 2.5, None).unwrap().ru_each;
    assert_eq!((cost(&every), cost(&known)), (2500.0, 12.5));
}

/// The end of a range that is said with < is outside of it, whichever way round it is written.
#[test]
fn a_range_of_months_ends_before_its_end() {
    let monthly = key("/a + \"-\" + month(/t)");
    for (condition, expected) in [
        ("c.a = @a AND c.t >= '2026-06-01' AND c.t < '2026-07-01'", "single"),
        (
            "c.a = @a AND c.t >= '2026-06-01' AND '2026-07-01' > c.t AND c.t <= '2026-07-01'",
            "single",
        ),
        ("c.a = @a AND c.t >= '2026-06-01' AND NOT (c.t >= '2026-07-01')", "single"),
        ("c.a = @a AND c.t >= 1780272000 AND c.t < 1782864000", "single"),
        ("c.a = @a AND c.t >= '2026-06-01' AND c.t <= '2026-07-01'", "1.9 of 10"),
        (
            "c.a = @a AND c.t >= '2026-06-01' AND c.t < '2026-07-01' AND c.t <= '2026-06-15'",
            "single",
        ),
    ] {
        assert_eq!(of_ten(condition, &monthly), expected, "{condition}");
    }
}

#[test]
fn a_key_put_together_needs_all_of_its_properties() {
    let monthly = key("/a + \"-\" + month(/t)");
    for (condition, expected) in [
        ("c.a = @a AND c.t = @t", "single"),
        ("c.a = @a AND c.t >= '2026-06-01' AND c.t < '2026-06-30'", "single"),
        ("c.a = @a AND c.t BETWEEN '2026-01-15' AND '2026-03-20T10:00:00Z'", "2.7 of 10"),
        ("c.a = @a AND c.t BETWEEN 1768435200 AND 1774000000", "2.7 of 10"),
        ("c.a = @a AND c.t LIKE '2026-06-2%'", "single"),
        ("c.a = @a AND STARTSWITH(c.t, '2026')", "7.2 of 10"),
        ("c.a = @a AND c.t >= '2026-01-15'", "fan-out"),
        ("c.a = @a AND c.t >= @from AND c.t < @to", "unknown"),
        ("c.a = @a AND c.t BETWEEN '2026-03-20' AND '2026-01-15'", "unknown"),
        ("c.a = @a", "fan-out"),
        ("c.t = @t", "fan-out"),
    ] {
        assert_eq!(of_ten(condition, &monthly), expected, "{condition}");
    }
    let known = "SELECT * FROM c WHERE c.a = 'x' AND c.t BETWEEN '2026-01-15' AND '2026-03-20'";
    let route = routed(known, &monthly, &RoutedLayout::even(10));
    let placed = owners(&["x-2026-01", "x-2026-02", "x-2026-03"], 10);
    assert_eq!((shown(&route), route.keys), (format!("{placed} of 10"), Some(3.0)));
    assert_eq!(of_ten("c.code = @p", &key("prefix(/code, 3)")), "single");
    assert_eq!(of_ten("STARTSWITH(c.code, '98101')", &key("prefix(/code, 3)")), "single");
    assert_eq!(of_ten("c.code LIKE '98%'", &key("prefix(/code, 3)")), "fan-out");
    assert_eq!(of_ten("c.country = 'DE'", &key("lower(/country)")), "single");
    assert_eq!(of_ten("c.country IN ('DE', 'de', 'De')", &key("lower(/country)")), "single");
}

#[test]
fn suffixes_are_all_asked_for_unless_they_can_be_computed() {
    let (random, bucket) =
        (key("/date + \".\" + random(400)"), key("/date + \".\" + bucket(/vin, 400)"));
    let layout = RoutedLayout::even(20);
    let day = "SELECT * FROM c WHERE c.date = '2018-08-09'";
    for key in [&random, &bucket] {
        let route = routed(day, key, &layout);
        assert_eq!((shown(&route).as_str(), route.keys), ("20 of 20", Some(400.0)));
    }
    let vehicle = "SELECT * FROM c WHERE c.date = @date AND c.vin = @vin";
    assert_eq!(shown(&routed(vehicle, &bucket, &layout)), "single");
    assert_eq!(routed(vehicle, &random, &layout).keys, Some(400.0));
    let few = key("/date + \".\" + random(4)");
    assert_eq!(of_ten("c.date = @date", &few), "3.4 of 10");
    assert_eq!(of_ten("c.vin = @vin", &few), "fan-out");
    assert_eq!(
        of_ten("c.b = 1", &key("bucket(/vin, 3)")),
        format!("{} of 10", owners(&["1", "2", "3"], 10))
    );
    assert_eq!(of_ten("c.vin IN (@a, @b, @c, @d)", &key("bucket(/vin, 3)")), "2.7 of 10");
}

/// What is said of a condition with a key over ten partitions.
#[track_caller]
fn says(condition: &str, key_text: &str, expected: &str) {
    let sql = format!("SELECT * FROM c WHERE {condition}");
    let route = routed(&sql, &key(key_text), &RoutedLayout::even(10));
    assert_eq!(route.why, expected, "{condition} {key_text}");
}

#[test]
fn the_reason_names_what_is_given() {
    for (condition, key, expected) in [
        ("c.a = 1", "/a", "/a is given: one key, on one physical partition"),
        (
            "c.a = 1 AND c.b = 2",
            "/a > /b",
            "/a and /b are given: one key, on one physical partition",
        ),
        (
            "c.a = @a AND c.t = @t",
            "/a + \"-\" + day(/t)",
            "/a + \"-\" + day(/t) is given: one key, on one physical partition; the query must also send the key made of it",
        ),
        (
            "c.a IN (@p, @q)",
            "/a",
            "/a is given: up to 2 keys, which lie on about 1.9 of 10 physical partitions",
        ),
        (
            "c.a = @t",
            "/a > /b",
            "only /a is given: its keys lie on 1 of 10 physical partitions, until a split cuts the value; name it in WHERE, not as an SDK option alone",
        ),
    ] {
        says(condition, key, expected);
    }
}

#[test]
fn the_reason_names_what_is_missing() {
    for (condition, key, expected) in [
        ("c.b = 1", "/a", "no filter on /a: all 10 physical partitions are queried"),
        (
            "c.a > 1",
            "/a",
            "/a is compared with a range only: all 10 physical partitions are queried",
        ),
        (
            "c.b = 1",
            "/a > /b",
            "no filter on /a, the first level, without which the others do not route: all 10 physical partitions are queried",
        ),
        ("c.a = 1 OR c.b = 1", "/a", "no filter on /a: all 10 physical partitions are queried"),
        (
            "(c.a = 1 AND c.b = 1) OR (c.b = 2 AND c.d = 1)",
            "/a > /b",
            "in one of its alternatives: no filter on /a, the first level, without which the others do not route: all 10 physical partitions are queried",
        ),
    ] {
        says(condition, key, expected);
    }
    let alone = routed("SELECT * FROM c", &key("/a"), &RoutedLayout::even(1));
    assert_eq!(alone.why, "no filter on /a: the only physical partition is queried");
}

#[test]
fn the_reason_names_what_cannot_be_told() {
    for (condition, key, expected) in [
        ("ARRAY_CONTAINS(@ids, c.a)", "/a", "how many values the list @ids has is not given"),
        (
            "c.t BETWEEN @from AND @to",
            "month(/t)",
            "how many months the range of /t touches depends on values that are not given",
        ),
        ("c.a = 1 AND c.a = 2", "/a", "no document can meet its condition"),
    ] {
        says(condition, key, expected);
    }
}

#[test]
fn operations_on_one_document_need_its_key() {
    let layout = RoutedLayout::even(20);
    let all = [
        PointOperation::Create,
        PointOperation::Read,
        PointOperation::Replace,
        PointOperation::Upsert,
        PointOperation::Delete,
    ];
    for operation in all {
        for stored in ["/a", HIERARCHY, "/a + \"-\" + month(/t)", "/a + bucket(/vin, 400)"] {
            let route = route_point(operation, &key(stored), &layout);
            assert_eq!(route.routing, Routing::Single, "{operation:?} {stored}");
        }
        let route = route_point(operation, &key("/date + \".\" + random(400)"), &layout);
        let expected = if operation == PointOperation::Create { 1.0 } else { 400.0 };
        assert_eq!(route.keys, Some(expected), "{operation:?}");
    }
}

#[test]
fn a_fan_out_has_a_price_on_every_partition() {
    let every = |partitions| routed("SELECT * FROM c", &key("/a"), &RoutedLayout::even(partitions));
    for partitions in [2, 10, 1000] {
        let price = price(&every(partitions), 2.5, Some(10_000.0)).unwrap();
        assert_eq!(price.cap, Some(Cap::OverWithAny));
        assert!((price.most_per_s - 4_000.0).abs() < 1e-9);
    }
    let heavy = price(&every(2), 100.0, Some(200.0)).unwrap();
    assert!((heavy.ru_each - 102.5).abs() < 1e-9);
    assert_eq!(heavy.cap, Some(Cap::Over));
    assert_eq!(price(&every(20), 100.0, Some(200.0)).unwrap().cap, Some(Cap::Within));
    let single = routed("SELECT * FROM c WHERE c.a = 1", &key("/a"), &RoutedLayout::even(10));
    let single = price(&single, 2.5, Some(10_000.0)).unwrap();
    assert_eq!((single.ru_each, single.cap), (2.5, Some(Cap::OverOneKey)));
    for (condition, cap) in [
        ("c.a = @a", Cap::OverIfOneKey),
        ("c.a = 'hot' AND c.t > @from", Cap::OverOneKey),
        ("c.a = 'hot' AND c.b = @b OR c.a = 'hot' AND c.t > 1", Cap::OverOneKey),
        ("c.a IN ('hot', 'hot')", Cap::OverOneKey),
    ] {
        let mut query = Query::parse(&format!("SELECT * FROM c WHERE {condition}")).unwrap();
        query.parameters.insert("a".into(), filter::ParameterValue::One(text("x")));
        let found = route(&query, &key("/a"), &RoutedLayout::even(10));
        let found = price(&found, 2.5, Some(10_000.0)).unwrap();
        assert_eq!(found.cap, Some(cap), "{condition}");
    }
    assert_eq!(price(&Route::unknown("x"), 2.5, None), None);
}

#[test]
fn a_layout_holds_every_key_once() {
    for partitions in [0, 1, 3, 10, 1000] {
        let layout = RoutedLayout::even(partitions);
        assert_eq!(layout.partitions(), partitions.max(1));
        assert_eq!(layout.places(&[], 3), Some(0..usize::try_from(layout.partitions()).unwrap()));
    }
    assert_eq!(RoutedLayout::even(u32::MAX).partitions(), 20_000);
    assert_eq!(RoutedLayout::even(3).places(&[Part::Other("[1]".into())], 1), None);
}
