//! A global secondary index for a query of several partitions: the reads it saves, and what its copy costs.

use crate::model::path::Path;
use crate::model::units::{tenths_text, whole_text};

use super::super::candidate::{Candidate, mutable};
use super::workload::{Request, RequestAccess, RequestKind, Workload};
use super::{Route, RoutedLayout, Routing};

/// A second container with the same documents, keyed by a property that the query filters by.
#[derive(Clone, PartialEq, Debug)]
pub struct SecondaryIndex {
    pub key: Candidate,
    /// Partitions that the query visits on the container and on the index.
    pub visits: [f64; 2],
    /// RU/s of the query on both; None without a rate.
    pub reads: Option<[f64; 2]>,
    /// RU/s of the writes that the index repeats; None where the rate or the charge of a write is unknown.
    pub writes: Option<f64>,
}

/// The index that visits fewest partitions; None where no property in the filter leads to fewer.
pub fn secondary_index(
    request: &Request,
    route: &Route,
    workload: &Workload,
    layout: &RoutedLayout,
    document_kib: f64,
) -> Option<SecondaryIndex> {
    let RequestKind::Query { query: Ok(query), .. } = &request.kind else {
        return None;
    };
    let today = route.visits()?;
    if route.routing == Routing::Single || today <= 1.0 {
        return None;
    }
    let keyed = query.equal_paths().into_iter().filter_map(|path| {
        let key = Candidate::of_paths([path]);
        let route = request.route(&key, layout);
        Some((key, route.visits()?, route))
    });
    let (key, visits, after) = keyed
        .filter(|(_, visits, _)| *visits < today)
        .min_by(|a, b| a.1.total_cmp(&b.1).then(doubt(&a.0).cmp(&doubt(&b.0))))?;
    let on = |route: &Route| {
        let price = request.price(route, document_kib)?;
        Some(request.per_second? * price.ru_each)
    };
    Some(SecondaryIndex {
        key,
        visits: [today, visits],
        reads: on(route).zip(on(&after)).map(<[f64; 2]>::from),
        writes: workload.written(),
    })
}

/// By its name: what changes is no key, and by an identity things are told apart best.
fn doubt(key: &Candidate) -> (bool, bool) {
    let any = |is: fn(&Path) -> bool| key.paths().into_iter().any(is);
    (any(|path| mutable::changes(path).is_some()), !any(mutable::is_identity))
}

impl Workload {
    /// RU/s of all writes; None where there is none, or one of unknown rate or charge.
    fn written(&self) -> Option<f64> {
        let writes = self.requests.iter();
        let writes = writes.filter(|request| request.access() == RequestAccess::Write);
        let each = writes.map(|write| Some(write.per_second? * write.ru?));
        let each: Vec<f64> = each.collect::<Option<_>>()?;
        (!each.is_empty()).then(|| each.iter().sum())
    }
}

impl SecondaryIndex {
    /// `global secondary index keyed by /status: queries 1 instead of 4 partitions; …`
    pub fn sentence(&self) -> String {
        let visits = self.visits.map(tenths_text);
        let [today, after] = visits.each_ref().map(|n| n.trim_end_matches(".0"));
        let key = &self.key;
        if let Some(net) = net(self.reads, self.writes).filter(|net| *net > 0.0) {
            let net = amount(net);
            return format!(
                "a global secondary index keyed by {key} would cost {net} RU/s more than it saves"
            );
        }
        let text = format!(
            "global secondary index keyed by {key}: queries {after} instead of {today} partitions; "
        );
        text + &cost_text(self.reads, self.writes)
    }
}

/// RU/s added on both containers together.
fn net(reads: Option<[f64; 2]>, writes: Option<f64>) -> Option<f64> {
    let [today, after] = reads?;
    Some(after - today + writes?)
}

/// Small ones with a digit after the point.
fn amount(ru_per_second: f64) -> String {
    match ru_per_second {
        0.05..10.0 => tenths_text(ru_per_second),
        _ => whole_text(ru_per_second),
    }
}

/// `reads 10,500 → 3,000 RU/s, no longer on this container; writes +1,200 RU/s on the index; net -6,300 RU/s; …`
pub fn cost_text(reads: Option<[f64; 2]>, writes: Option<f64>) -> String {
    let reads_text = reads.map(|[today, after]| {
        let (today, after) = (amount(today), amount(after));
        format!("reads {today} → {after} RU/s, no longer on this container")
    });
    let writes_text = match writes {
        None => "each write costs once more on the index".to_owned(),
        Some(writes) => format!("writes +{} RU/s on the index", amount(writes)),
    };
    let net_text = net(reads, writes).map(|net| {
        let sign = if net < 0.0 { '-' } else { '+' };
        format!("net {sign}{} RU/s", amount(net.abs()))
    });
    let needs = "eventually consistent, needs continuous backup".to_owned();
    let all = [reads_text, Some(writes_text), net_text, Some(needs)];
    all.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
