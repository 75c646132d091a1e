//! Routing as a whole: texts in, places out.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

mod properties;
mod reading;
mod routes;
mod workloads;

use crate::model::path::Path;

use super::super::candidate::Candidate;
use super::*;

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn key(text: &str) -> Candidate {
    Candidate::parse(text).unwrap()
}

fn routed(sql: &str, candidate: &Candidate, layout: &RoutedLayout) -> Route {
    let query = Query::parse(sql).unwrap();
    route(&query, candidate, layout)
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
fn of_ten(condition: &str, candidate: &Candidate) -> String {
    let sql = format!("SELECT * FROM c WHERE {condition}");
    shown(&routed(&sql, candidate, &RoutedLayout::even(10)))
}
