//! From the keys that a query asks for to the physical partitions it visits, with the sentence that says why.

use std::collections::BTreeSet;

use crate::model::key::Part;
use crate::model::units::{amount_text, as_number, count_text};

use super::super::candidate::Candidate;
use super::constraint::Alternative;
use super::filter::{MAX_ALTERNATIVES, Parameters, PathSelection};
use super::layout::RoutedLayout;
use super::matching_keys::{Keys, expected_visits, keys_of};
use super::query::Query;
use super::values::Doubt;

/// From this part of the partitions on a query is as good as one of all.
const ALL: f64 = 0.95;
const NOTHING_FOUND: &str = "no document can meet its condition";

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Routing {
    /// One key, and with it one physical partition.
    Single,
    /// Some of the physical partitions; on average if the values are not known.
    Targeted {
        visits: f64,
        of: u32,
    },
    FanOut {
        of: u32,
    },
    /// Cannot be told.
    Unknown,
}

impl Routing {
    /// As reports name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Targeted { .. } if !self.is_on_all() => "targeted",
            Self::Targeted { .. } | Self::FanOut { .. } => "fan-out",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it queries all partitions of today, if only by the many keys it asks for.
    pub fn is_on_all(self) -> bool {
        match self {
            Self::Targeted { visits, of } => of > 1 && visits >= ALL * f64::from(of),
            other => other.is_cross_partition(),
        }
    }

    /// Counts of those that query one partition, some, all, and of unknown ones.
    pub fn counts(routings: impl Iterator<Item = Self>) -> [u64; 4] {
        let mut counts = [0; 4];
        for routing in routings {
            let [single, targeted, all, unknown] = &mut counts;
            *match routing {
                Self::Single => single,
                Self::Unknown => unknown,
                _ if routing.is_on_all() => all,
                Self::Targeted { .. } | Self::FanOut { .. } => targeted,
            } += 1;
        }
        counts
    }

    /// Whether it queries all partitions, of which there may be more tomorrow.
    pub fn is_cross_partition(self) -> bool {
        matches!(self, Self::FanOut { .. })
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    pub routing: Routing,
    /// Key values, or prefixes, that it asks for.
    pub keys: Option<f64>,
    /// The whole keys, where constants name them.
    pub known: Vec<Vec<Part>>,
    /// One sentence without its full stop. It holds names from outside.
    pub why: String,
}

impl Route {
    pub(super) fn new(routing: Routing, keys: Option<f64>, why: String) -> Self {
        Self { routing, keys, known: Vec::new(), why }
    }

    pub fn unknown(why: impl Into<String>) -> Self {
        Self::new(Routing::Unknown, None, why.into())
    }

    /// Whether its own text names one whole key: each of these requests asks for the same one.
    pub fn names_one_key(&self) -> bool {
        self.routing == Routing::Single && self.known.len() == 1
    }

    /// Physical partitions visited, or the keys that it asks for there one by one, whichever are more.
    pub fn queried(&self) -> Option<f64> {
        let keys = self.keys.filter(|_| !self.routing.is_cross_partition());
        Some(self.visits()?.max(keys.unwrap_or(1.0)))
    }

    /// Physical partitions visited.
    pub fn visits(&self) -> Option<f64> {
        match self.routing {
            Routing::Single => Some(1.0),
            Routing::Targeted { visits, .. } => Some(visits),
            Routing::FanOut { of } => Some(f64::from(of)),
            Routing::Unknown => None,
        }
    }
}

/// Where a query goes if the container has this key and lies on these physical partitions.
///
/// A key that is put together from properties is taken as given where all of them are: the application then sends it.
/// Where a bucket's property is not given it asks all buckets; documents without that property are in none of them.
pub fn route(query: &Query, candidate: &Candidate, layout: &RoutedLayout) -> Route {
    let paths = candidate.paths().into_iter().collect();
    let Ok(alternatives) = query.alternatives(&query.parameters, Some(&paths)) else {
        return Route::unknown(format!(
            "its condition has more than {MAX_ALTERNATIVES} alternatives"
        ));
    };
    if alternatives.is_empty() {
        return Route::unknown(NOTHING_FOUND);
    }
    let several = alternatives.len() > 1;
    let mut all_keys = Vec::new();
    let mut unclear = None;
    for alternative in &alternatives {
        match keys_of(candidate, alternative) {
            // A range that ends before it begins.
            Ok(keys) if keys.count <= 0.0 => {}
            Ok(keys) => all_keys.push(keys),
            Err(Doubt::Free(why)) => return fan_out(candidate, layout, &why, several),
            Err(Doubt::Unclear(why)) => unclear = Some(why),
        }
    }
    match unclear {
        Some(why) => Route::unknown(why),
        None if all_keys.is_empty() => Route::unknown(NOTHING_FOUND),
        None => Route {
            known: constant_keys(query, candidate, Some(&paths)),
            ..targeted(&all_keys, candidate, layout)
        },
    }
}

/// The keys that its own text names, without parameters; none unless each of them is whole.
fn constant_keys(
    query: &Query,
    candidate: &Candidate,
    wanted: PathSelection<'_>,
) -> Vec<Vec<Part>> {
    let levels = candidate.levels.len();
    let alternatives = query.alternatives(&Parameters::new(), wanted).unwrap_or_default();
    let whole = |alternative: &Alternative| {
        let keys = keys_of(candidate, alternative).ok()?;
        keys.known.filter(|_| keys.levels == levels)
    };
    let known: Option<Vec<_>> = alternatives.iter().map(whole).collect();
    let distinct: BTreeSet<Vec<Part>> = known.into_iter().flatten().flatten().collect();
    distinct.into_iter().collect()
}

fn fan_out(candidate: &Candidate, layout: &RoutedLayout, why: &str, several: bool) -> Route {
    let of = layout.partitions();
    let place = if several { "in one of its alternatives: " } else { "" };
    let level = match candidate.levels.len() {
        0 | 1 => String::new(),
        _ => ", the first level, without which the others do not route".to_owned(),
    };
    let all = match of {
        1 => "the only physical partition is queried".to_owned(),
        _ => format!("all {} physical partitions are queried", count_text(of.into())),
    };
    Route::new(Routing::FanOut { of }, None, format!("{place}{why}{level}: {all}"))
}

/// What the keys of all alternatives come to together.
struct Sum {
    keys: f64,
    visits: f64,
    /// The places were computed from the keys themselves.
    placed: bool,
}

fn targeted(all: &[Keys], candidate: &Candidate, layout: &RoutedLayout) -> Route {
    let of = layout.partitions();
    let levels = candidate.levels.len();
    let fewest = all.iter().map(|keys| keys.levels).min().unwrap_or(0);
    let sum =
        known_sum(all, layout, levels).unwrap_or_else(|| expected_sum(all, candidate, layout));
    let given = given_text(candidate, fewest);
    if fewest == levels && sum.keys <= 1.0 {
        let why = format!("{given}: one key, on one physical partition");
        return Route::new(Routing::Single, Some(1.0), why + sent(candidate));
    }
    let visits = sum.visits.clamp(0.0, f64::from(of));
    let routing = Routing::Targeted { visits, of };
    let why = if fewest == levels {
        let keys = amount_text(sum.keys);
        let lie = partitions_text(visits, of, sum.placed);
        format!("{given}: up to {keys} keys, which lie on {lie}{}", sent(candidate))
    } else {
        let lie = partitions_text(visits, of, sum.placed);
        let doubt = doubt(fewest, &sum, layout);
        let prefixes = if sum.keys > 1.0 {
            format!("{} values, whose keys lie", amount_text(sum.keys))
        } else {
            "its keys lie".to_owned()
        };
        format!(
            "only {given}: {prefixes} on {lie}{doubt}; name it in WHERE, not as an SDK option alone"
        )
    };
    Route::new(routing, Some(sum.keys), why)
}

/// Exact, if all values are known.
fn known_sum(all: &[Keys], layout: &RoutedLayout, levels: usize) -> Option<Sum> {
    let mut keys: BTreeSet<&Vec<Part>> = BTreeSet::new();
    for one in all {
        keys.extend(one.known.as_ref()?);
    }
    let places = keys.iter().filter_map(|parts| layout.places(parts, levels));
    let places: BTreeSet<usize> = places.flatten().collect();
    Some(Sum { keys: as_number(keys.len()), visits: as_number(places.len()), placed: true })
}

fn expected_sum(all: &[Keys], candidate: &Candidate, layout: &RoutedLayout) -> Sum {
    let of = f64::from(layout.partitions());
    let visits =
        |keys: &Keys| expected_visits(of, keys.count, keys.visits_of_one(candidate, layout));
    let missed = |keys: &Keys| 1.0 - (visits(keys) / of).clamp(0.0, 1.0);
    let visits = match all {
        [only] => visits(only),
        _ => of * (1.0 - all.iter().map(missed).product::<f64>()),
    };
    Sum { keys: all.iter().map(|keys| keys.count).sum(), visits, placed: false }
}

/// What stands behind a number of partitions that no known value gave.
fn doubt(levels: usize, sum: &Sum, layout: &RoutedLayout) -> String {
    if sum.placed {
        return String::new();
    }
    match layout.spread(levels) {
        Some(spread) => format!(
            ", the mean by data of {} known values of which one lies on {}",
            count_text(spread.prefixes),
            count_text(spread.most_visits)
        ),
        None if layout.layout.cuts_levels(levels) => {
            ", more where a boundary lies inside the value".to_owned()
        }
        None => ", until a split cuts the value".to_owned(),
    }
}

/// `/a, /b and /c are given`.
fn given_text(candidate: &Candidate, levels: usize) -> String {
    let names: Vec<String> =
        candidate.levels.iter().take(levels).map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, [])) => format!("{last} is given"),
        Some((last, before)) => format!("{} and {last} are given", before.join(", ")),
        None => String::new(),
    }
}

/// A property that only the key holds must be in the query, too.
fn sent(candidate: &Candidate) -> &'static str {
    if candidate.is_stored() { "" } else { "; the query must also send the key made of it" }
}

fn partitions_text(visits: f64, of: u32, placed: bool) -> String {
    let of_text = count_text(of.into());
    let noun = if of == 1 { "partition" } else { "partitions" };
    let about = if placed || visits <= 1.0 { "" } else { "about " };
    format!("{about}{} of {of_text} physical {noun}", amount_text(visits))
}
