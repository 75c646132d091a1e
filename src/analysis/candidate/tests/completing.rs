//! Offers at the cursor.

use super::*;

fn known() -> Vec<KnownPath> {
    let path = |text: &str, kind| KnownPath { path: Path::parse(text).unwrap(), kind };
    vec![
        path("/tenantId", PathKind::Text),
        path("/time", PathKind::Time),
        path("/\"plant name\"", PathKind::Text),
        path("/device/id", PathKind::Number),
        path("/tags", PathKind::Unusable),
    ]
}

/// What the text becomes by each offer at its end.
#[track_caller]
fn offered(text: &str) -> Vec<String> {
    let cursor = text.chars().count();
    let taken = |offer: crate::analysis::grammar::Completion| {
        let kept: String = text.chars().take(offer.replaces.start).collect();
        assert_eq!(offer.replaces.end, cursor, "{text}");
        format!("{kept}{}", offer.text)
    };
    complete(text, cursor, &known()).into_iter().map(taken).collect()
}

#[test]
fn parts_are_offered_where_one_stands() {
    let all = offered("");
    assert_eq!(all.len(), 9 + 4);
    assert!(all.contains(&"/device/id".to_owned()));
    assert_eq!(offered("/te"), ["/tenantId"]);
    assert_eq!(offered("ten"), ["/tenantId"]);
    assert_eq!(offered("/TI"), ["/time", "/tenantId"]);
    assert_eq!(offered("/id"), ["/tenantId", "/device/id"]);
    assert_eq!(offered("/\"pl"), ["/\"plant name\""]);
    assert_eq!(offered("pla"), ["/\"plant name\""]);
    assert_eq!(
        offered("/a + m"),
        ["/a + month(", "/a + minute(", "/a + /time", "/a + /\"plant name\""]
    );
}

#[test]
fn after_a_part_the_key_goes_on() {
    assert_eq!(offered("/time"), ["/time", "/time + ", "/time > "]);
    assert_eq!(offered("/time "), ["/time + ", "/time > "]);
    assert_eq!(offered("\"-\""), ["\"-\" + ", "\"-\" > "]);
    assert_eq!(offered("/a > /b > /time"), ["/a > /b > /time", "/a > /b > /time + "]);
    assert_eq!(offered("month(/time)"), ["month(/time) + ", "month(/time) > "]);
}

#[test]
fn functions_are_helped_to_their_end() {
    assert_eq!(offered("month")[0], "month(");
    assert_eq!(offered("month(")[0], "month(/time");
    assert_eq!(offered("lower(")[0], "lower(/tenantId");
    assert_eq!(offered("lower(tim"), ["lower(/time"]);
    assert_eq!(offered("day(/time"), ["day(/time", "day(/time)"]);
    assert_eq!(offered("bucket(/time"), ["bucket(/time", "bucket(/time, "]);
    assert_eq!(offered("bucket(/x "), ["bucket(/x , "]);
    assert_eq!(offered("prefix(/x, "), ["prefix(/x, 2)", "prefix(/x, 3)", "prefix(/x, 4)"]);
    assert_eq!(offered("random("), ["random(10)", "random(100)", "random(400)"]);
    assert_eq!(offered("random(7"), ["random(7)"]);
    assert_eq!(offered("lower(/x "), ["lower(/x )"]);
}

#[test]
fn nothing_is_offered_in_quotes_and_behind_a_slip() {
    for text in ["\"a", "/a + \"x", "/a /b ", "week(", "/a > /b > /c > ", "month(/t,", "random(x"] {
        assert_eq!(offered(text), [""; 0], "{text}");
    }
}

#[test]
fn the_cursor_may_stand_inside() {
    let offers = complete("ä + /te + /x", 7, &known());
    assert_eq!(offers, []);
    let offers = complete("/ä + /te + /x", 8, &known());
    assert_eq!(offers[0].text, "/tenantId");
    assert_eq!(offers[0].replaces, 5..8);
    assert_eq!(offers[0].meaning, "text");
}
