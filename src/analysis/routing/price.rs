//! What a routed query costs, and how many of it per second the partitions can take.

use crate::model::units::{PARTITION_RU_PER_SECOND, RU_PER_VISIT};

use super::route::{Route, Routing};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RequestPrice {
    /// Of one query, on all partitions that it visits together.
    pub ru_each: f64,
    /// Of one query, on each partition that it visits.
    pub ru_per_visit: f64,
    /// How many of them per second would take the whole of each visited partition.
    pub most_per_s: f64,
    pub cap: Option<Cap>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cap {
    /// The visited partitions can pay for all of them.
    Within,
    /// They cannot if all queries ask for the same keys; spread over many keys they may.
    OverIfOneKey,
    /// They cannot: all of them ask for the same key, and no key has more than a partition.
    OverOneKey,
    /// Each partition is asked for more than it can give, and on more of them each would be asked for less.
    Over,
    /// Asking a partition costs more than it can give, however many there are.
    OverWithAny,
}

/// `base` is the charge of the query if one partition answers it; `None` where the routing cannot be told.
pub fn price(route: &Route, base: f64, per_second: Option<f64>) -> Option<RequestPrice> {
    let visits = route.visits()?.max(1.0);
    let ru_each = base + RU_PER_VISIT * (visits - 1.0);
    let share = ru_each / visits;
    // A partition asked among others costs at least a visit, whatever the rest costs.
    let ru_per_visit = if visits > 1.0 { share.max(RU_PER_VISIT) } else { share };
    let cap = per_second.map(|rate| match route.routing {
        _ if rate * ru_per_visit <= PARTITION_RU_PER_SECOND => Cap::Within,
        Routing::FanOut { .. } if rate * RU_PER_VISIT > PARTITION_RU_PER_SECOND => Cap::OverWithAny,
        Routing::FanOut { .. } => Cap::Over,
        _ if route.names_one_key() => Cap::OverOneKey,
        _ => Cap::OverIfOneKey,
    });
    Some(RequestPrice {
        ru_each,
        ru_per_visit,
        most_per_s: PARTITION_RU_PER_SECOND / ru_per_visit,
        cap,
    })
}
