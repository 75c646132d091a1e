//! What a query text says of single properties.

use crate::analysis::routing::constraint::{Alternative, Constraint, Operand};
use crate::model::key::{Key, Part};

use super::*;

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Known(part) => {
            let json = Key::from(vec![part.clone()]).json();
            json.trim_matches(['[', ']']).to_owned()
        }
        Operand::Parameter(name) => format!("@{name}"),
        Operand::Computed(_) => "computed".to_owned(),
    }
}

fn alternative(alternative: &Alternative) -> String {
    let one = |(path, constraint): (&Path, &Constraint)| match constraint {
        Constraint::OneOf(set) => {
            let values = set.values.iter().map(operand);
            let lists = set.lists.iter().map(|name| format!("@{name}…"));
            let all: Vec<String> = values.chain(lists).collect();
            format!("{path}={}", all.join("|"))
        }
        Constraint::Range(range) => {
            let end = |end: &Option<Operand>| end.as_ref().map(operand).unwrap_or_default();
            let prefix = range.prefix.as_deref().unwrap_or_default();
            let text = format!("{path}={}..{}", end(&range.low), end(&range.high));
            if prefix.is_empty() { text } else { format!("{path}={prefix}*") }
        }
    };
    let all: Vec<String> = alternative.iter().map(one).collect();
    if all.is_empty() { "any".to_owned() } else { all.join(" ") }
}

/// The alternatives of a query, ` or ` between them.
fn read(sql: &str) -> String {
    let query = Query::parse(sql).unwrap_or_else(|fault| panic!("{sql}: {}", fault.sentence(sql)));
    match query.alternatives(&query.parameters, None) {
        Ok(all) if all.is_empty() => "none".to_owned(),
        Ok(all) => {
            let all: Vec<String> = all.iter().map(alternative).collect();
            all.join(" or ")
        }
        Err(_) => "too many".to_owned(),
    }
}

#[track_caller]
fn reads(condition: &str, expected: &str) {
    assert_eq!(read(&format!("SELECT * FROM c WHERE {condition}")), expected, "{condition}");
}

#[test]
fn comparisons_with_values() {
    reads("c.a = 1", "/a=1");
    reads("1.0 = c.a", "/a=1.0");
    reads("c.a = -5", "/a=-5");
    reads("c.a = 'x' AND c.b = @p", "/a=\"x\" /b=@p");
    reads("c.a = null", "/a=null");
    reads("c.a = true", "/a=true");
    reads("c.a != 1", "any");
    reads("c.a <> 1", "any");
    reads("c.a > 1 and c.a <= 10", "/a=1..10");
    reads("5 < c.a", "/a=5..");
    reads("c.a BETWEEN 1 AND 3 AND c.b = 2", "/a=1..3 /b=2");
    reads("c.a NOT BETWEEN 1 AND 3", "any");
    reads("c.a IN (1, 2, 2.0, @p)", "/a=1|2|@p");
    reads("c.a NOT IN (1, 2)", "any");
    reads("c.a = 1 AND c.a IN (1, 2)", "/a=1");
    reads("c.a = 1 AND c.a = 2", "none");
    reads("c.a IN ()", "none");
    reads("c.a = 1 AND c.a > 0", "/a=1");
    reads("c.a = undefined", "any");
    reads("c.a = [1]", "any");
    reads("c.a = c.b", "any");
    reads("c.a = 1 AND false", "none");
    reads("true", "any");
}

#[test]
fn texts_that_begin_so() {
    reads("STARTSWITH(c.a, 'x')", "/a=x*");
    reads("startswith(c.a, 'x', false)", "/a=x*");
    reads("STARTSWITH(c.a, 'x', true)", "any");
    reads("STARTSWITH(c.a, @p)", "/a=@p..");
    reads("c.a LIKE 'x%'", "/a=x*");
    reads("c.a LIKE 'x_z'", "/a=x*");
    reads("c.a LIKE '%x'", "any");
    reads("c.a LIKE '50!%%' ESCAPE '!'", "/a=50%*");
    reads("c.a NOT LIKE 'x%'", "any");
    reads("c.a LIKE @p", "any");
}

#[test]
fn lists_that_hold_the_property() {
    reads("ARRAY_CONTAINS(['x', 'y'], c.a)", "/a=\"x\"|\"y\"");
    reads("ARRAY_CONTAINS(@list, c.a)", "/a=@list…");
    reads("ARRAY_CONTAINS(c.tags, 'x')", "any");
    reads("ARRAY_CONTAINS(@list, c.a, true)", "any");
}

#[test]
fn names_in_every_spelling() {
    reads("c[\"a b\"] = 1", "/\"a b\"=1");
    reads("c['x'].y = 1", "/x/y=1");
    reads("c.x[\"y\"].z = 1", "/x/y/z=1");
    reads("c.order = 1 AND c.value = 2", "/order=1 /value=2");
    reads("c.tags[0] = 1", "any");
    reads("c[@p] = 1", "any");
    assert_eq!(read("SELECT * FROM Fleet f WHERE f.a = 1"), "/a=1");
    assert_eq!(read("select value f.x from Fleet as f where f.a = 1"), "/a=1");
    assert_eq!(read("SELECT * FROM root WHERE root.a = 1"), "/a=1");
    assert_eq!(read("SELECT * FROM c.address WHERE address.city = 1"), "/address/city=1");
    assert_eq!(read("SELECT * FROM c.address a WHERE a.city = 1"), "/address/city=1");
    assert_eq!(read("SELECT c.from, {\"FROM\": c.x} FROM c WHERE c.a = 1"), "/a=1");
    assert_eq!(read("SELECT TOP 5 * FROM c"), "any");
}

#[test]
fn items_joined_bind_nothing() {
    for sql in [
        "SELECT * FROM c JOIN t IN c.tags WHERE c.a = 1 AND t.name = 'x'",
        "SELECT * FROM c JOIN t IN c.tags JOIN u IN t.users WHERE u.b = 2 AND c.a = 1",
        "SELECT * FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t.a = 7) AS s WHERE s.a = 3 AND c.a = 1",
        "SELECT * FROM c WHERE c.a = 1 AND EXISTS (SELECT VALUE t FROM t IN c.tags WHERE t.b = 2)",
        "SELECT * FROM c WHERE c.a = 1 AND ARRAY_LENGTH(ARRAY(SELECT VALUE t FROM t IN c.tags)) > 1",
        "SELECT * FROM c WHERE c.a = 1 AND c.b IN (SELECT VALUE 1)",
    ] {
        assert_eq!(read(sql), "/a=1", "{sql}");
    }
    assert_eq!(read("SELECT * FROM t IN c.tags WHERE t.a = 1"), "any");
    assert_eq!(read("SELECT * FROM c JOIN c.address a WHERE a.city = 1"), "/address/city=1");
}

#[test]
fn clauses_after_the_condition_do_not_route() {
    for end in [
        "ORDER BY c.b DESC, c.d",
        "GROUP BY c.b",
        "OFFSET 10 LIMIT 5",
        "order by rank VectorDistance(c.v, [1, 2])",
        ";",
        "-- the end",
    ] {
        reads(&format!("c.a = 1 {end}"), "/a=1");
    }
}

#[test]
fn functions_and_arithmetic_are_left_alone() {
    reads("LOWER(c.a) = 'x' AND c.b = 1", "/b=1");
    reads("c.a + 1 = 2", "any");
    reads("c.a = 1 + 2", "/a=computed");
    reads("c.a = CONCAT(@x, '-', @y)", "/a=computed");
    reads("c.a >= GetCurrentTimestamp() - 60", "/a=computed..");
    reads("c.a = CONCAT(c.b, 'x')", "any");
    reads("udf.isHot(c.a) AND c.b = 1", "/b=1");
    reads("IS_DEFINED(c.a) AND c.b = 1", "/b=1");
    reads("(c.a ?? 'x') = 'x'", "any");
    reads("c.a = 1 ? true : false", "any");
    reads("c.a || 'x' = 'yx'", "any");
    reads("c.a.b.c & 3 = 1", "any");
    reads("{\"a\": c.a} = 1 OR c.b = 1", "any");
}

#[test]
fn not_turns_a_bracket_around() {
    reads("NOT (c.a != 1)", "/a=1");
    reads("NOT (c.a = 1)", "any");
    reads("NOT (c.a < 1 OR c.b != 2)", "/a=1.. /b=2");
    reads("NOT (c.a != 1 AND c.b != 2)", "/a=1 or /b=2");
    reads("NOT NOT (c.a = 1)", "/a=1");
    reads("NOT (c.a IN (1))", "any");
    // Which of the two the NOT belongs to is not agreed on, so nothing is taken from it.
    reads("NOT c.a != 1", "any");
    reads("NOT c.flag AND c.a = 1", "/a=1");
}

#[test]
fn alternatives_are_joined_where_they_can_be() {
    reads("c.a = 1 OR c.a = 2 OR c.a = 3", "/a=1|2|3");
    reads("c.a = 1 OR c.b = 2", "/a=1 or /b=2");
    reads("(c.a = 1 OR c.a = 2) AND c.b = 3", "/a=1|2 /b=3");
    reads("(c.a = 1 OR c.b = 2) AND (c.a = 3 OR c.b = 4)", "/a=1 /b=4 or /a=3 /b=2");
    reads("c.a = 1 OR f(c.b)", "any");
    reads("c.a = 1 AND c.b = 1 OR c.a = 1 AND c.b = 2", "/a=1 /b=1|2");
    let many: Vec<String> = (0..70).map(|n| format!("c.p{n} = 1")).collect();
    reads(&many.join(" OR "), "too many");
    let same: Vec<String> = (0..3000).map(|n| format!("c.a = {n}")).collect();
    let query = Query::parse(&format!("SELECT * FROM c WHERE {}", same.join(" OR "))).unwrap();
    assert_eq!(query.alternatives(&query.parameters, None).unwrap().len(), 1);
}

#[test]
fn paths_that_every_document_found_is_compared_by() {
    let query = Query::parse(
        "SELECT * FROM c WHERE (c.a = 1 AND c.b = 2 OR c.a = 2) AND c.t > 5 AND c.x.y IN (1, 2)",
    );
    let query = query.unwrap();
    assert_eq!(query.equal_paths(), [path("/a"), path("/x/y")].into());
}

#[test]
fn what_is_no_query_says_where() {
    for (sql, sentence) in [
        ("", "not understood at character 1: only a SELECT can be routed"),
        ("UPDATE c", "not understood at character 1: only a SELECT can be routed"),
        ("SELECT 1", "not understood at character 9: FROM is missing: it reads no container"),
        ("SELECT * FROM c WHERE", "not understood at character 22: the condition ends too early"),
        (
            "SELECT * FROM c\nWHERE c.a = 'x",
            "not understood at line 2, character 13: this text has no closing quote",
        ),
        (
            "SELECT * FROM c WHERE d.a = 1",
            "not understood at character 23: neither the container nor joined to it has this name",
        ),
        (
            "SELECT * FROM c WHERE (c.a = 1",
            "not understood at character 31: expected the closing bracket )",
        ),
        (
            "SELECT * FROM c WHERE c.a = 1 c.b",
            "not understood at character 31: expected AND, OR or the end of the condition",
        ),
        (
            "SELECT * FROM c; SELECT * FROM d",
            "not understood at character 16: expected AND, OR or the end of the condition",
        ),
        (
            "SELECT (1] FROM c",
            "not understood at character 10: this bracket closes none that is open",
        ),
    ] {
        assert_eq!(Query::parse(sql).unwrap_err().sentence(sql), sentence, "{sql}");
    }
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [("(", ")"), ("NOT ", ""), ("- ", ""), ("f(", ")"), ("[", "]")] {
        for depth in [50, 200, 100_000] {
            let condition = format!("{}c.a = 1{}", open.repeat(depth), close.repeat(depth));
            let read = Query::parse(&format!("SELECT * FROM c WHERE {condition}"));
            assert_eq!(read.is_ok(), depth < 100, "{open} {depth}");
        }
    }
    let long = "c.a = 1 AND ".repeat(30_000);
    assert!(Query::parse(&format!("SELECT * FROM c WHERE {long} c.b = 2")).is_ok());
    let sum = "1 + ".repeat(50_000);
    assert!(Query::parse(&format!("SELECT * FROM c WHERE c.a = {sum} 2")).is_ok());
}

#[test]
fn given_parameters_are_values() {
    let mut query = Query::parse(
        "SELECT * FROM c WHERE c.a = @a AND ARRAY_CONTAINS(@list, c.b) AND c.d = @unknown",
    )
    .unwrap();
    let text = |text: &str| Part::Text(text.into());
    query.parameters = [
        ("a".into(), filter::ParameterValue::One(text("x"))),
        ("list".into(), filter::ParameterValue::List(vec![text("y"), text("z")])),
    ]
    .into();
    let all = query.alternatives(&query.parameters, None).unwrap();
    let all: Vec<String> = all.iter().map(alternative).collect();
    assert_eq!(all, ["/a=\"x\" /b=\"y\"|\"z\" /d=@unknown"]);
}
