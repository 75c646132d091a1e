//! Routing as a whole: texts in, places out.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod properties;
mod reading;
mod routes;
mod workloads;

use crate::model::path::Path;

use super::*;

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// A key of properties, written `/a > /b`.
fn key(text: &str) -> Shape {
    Shape::of_paths(text.split(" > ").map(path))
}

fn routed(sql: &str, shape: &Shape, layout: &Layout) -> Route {
    let query = Query::parse(sql).unwrap();
    route(&query, shape, layout, &Settings::default())
}

/// `single`, `fan-out`, `unknown`, or `3 of 10` with one digit after the point where it is an average.
fn shown(route: &Route) -> String {
    match route.routing {
        Routing::Targeted { visits, of } => {
            format!("{} of {of}", (visits * 10.0).round() / 10.0)
        }
        other => other.word().to_owned(),
    }
}

/// How a condition routes with a key over ten partitions.
fn of_ten(condition: &str, shape: &Shape) -> String {
    let sql = format!("SELECT * FROM c WHERE {condition}");
    shown(&routed(&sql, shape, &Layout::even(10)))
}
