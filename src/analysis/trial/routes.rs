//! Where the queries of a workload go under a candidate.

use super::super::candidate::Candidate;
use super::super::routing::workload::{Request, RequestAccess};
use super::super::routing::{
    RequestPrice, Route, RoutedLayout, Routing, SecondaryIndex, secondary_index,
};
use crate::model::key::Part;
use crate::model::units::real;

use super::fold::Groups;
use super::keys::KeyPart;
use super::settings::Settings;

/// Prefixes whose places are looked up: enough for a mean.
const MOST_PREFIXES: usize = 10_000;

/// One kind of request under one candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Routed {
    pub name: String,
    pub access: RequestAccess,
    pub route: Route,
    pub per_second: Option<f64>,
    /// The charge of one where one partition answers.
    pub ru: f64,
    pub price: Option<RequestPrice>,
    /// Where it queries several partitions.
    pub secondary: Option<SecondaryIndex>,
}

impl Routed {
    /// Whether it is cross-partition, and before, where that is known, was not.
    pub fn becomes_cross_partition(&self, before: Option<&Routing>) -> bool {
        let was = before.is_some_and(|before| before.is_on_all());
        self.route.routing.is_cross_partition() && !was
    }

    /// Whether it queries one partition, and before was cross-partition.
    pub fn becomes_single_partition(&self, before: Option<&Routing>) -> bool {
        let is_single = self.route.routing == Routing::Single;
        is_single && before.is_some_and(|before| before.is_on_all())
    }

    /// Why it goes there, and what an index would change.
    pub fn reason(&self) -> String {
        let index = self.secondary.as_ref().map(SecondaryIndex::sentence);
        let why = Some(self.route.why.clone()).filter(|why| !why.is_empty());
        why.into_iter().chain(index).collect::<Vec<_>>().join("; ")
    }
}

/// Every prefix of a hierarchical key that the documents have, as far as its values are known, and how many have it:
/// requests are taken to meet a prefix as often as documents do.
pub(super) fn prefixes(groups: &Groups<'_>) -> Vec<(Vec<Part>, f64)> {
    let mut found = Vec::new();
    for depth in 1..groups.depths.len() {
        for group in groups.first(depth, MOST_PREFIXES) {
            let parts = groups.known(group, depth).into_iter().map(|part| match part {
                KeyPart::Part(part) => Some(part),
                KeyPart::Hash(_) => None,
            });
            let parts = parts.collect::<Option<Vec<Part>>>();
            let documents = groups.sizes_at(depth).count(group);
            found.extend(parts.map(|parts| (parts, real(documents))));
        }
    }
    found
}

/// Each request of the workload, in its order; only requests need the prefixes.
pub(super) fn routed(
    settings: &Settings,
    candidate: &Candidate,
    layout: RoutedLayout,
    prefixes: impl FnOnce() -> Vec<(Vec<Part>, f64)>,
    document_kib: f64,
) -> Vec<Routed> {
    let workload = &settings.workload;
    if workload.requests.is_empty() {
        return Vec::new();
    }
    let levels = candidate.levels.len();
    let prefixes = prefixes();
    let weighted = prefixes.iter().map(|(p, weight)| (p.as_slice(), *weight));
    let layout = layout.with_prefixes(levels, weighted);
    // An index with today's key would be as hot as today's container.
    let today = settings.today.as_deref();
    let is_new = |index: &SecondaryIndex| !today.is_some_and(|today| today.is_current(&index.key));
    let one = |request: &Request| {
        let route = request.route(candidate, &layout);
        Routed {
            name: request.name.clone(),
            access: request.access(),
            price: request.price(&route, document_kib),
            per_second: request.per_second,
            ru: request.charge(document_kib),
            secondary: secondary_index(request, &route, workload, &layout, document_kib)
                .filter(is_new),
            route,
        }
    };
    workload.requests.iter().map(one).collect()
}
