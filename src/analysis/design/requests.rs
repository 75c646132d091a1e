//! What the requests of a design cost, and the RU/s that they need.

use super::super::candidate::Candidate;
use super::super::routing::workload::Request;
use super::super::routing::{RU_PER_VISIT, RoutedLayout};
use super::{DesignFigure, YEAR_DAYS, figure, small_text};
use crate::model::design::{Design, DesignQuery, PLANNED_USE, UNSERVED};
use crate::model::throughput::ThroughputMode;
use crate::model::units::{
    KIB_PER_GIB, WRITE_RU, input_text, percent_text, root, trimmed_text, whole_text, whole_u64,
};

pub fn requests(design: &Design) -> Vec<DesignFigure> {
    let mut found = Vec::new();
    let [without, indexed] = WRITE_RU;
    let (usual, index) =
        if design.indexed { (indexed, "everything indexed") } else { (without, "no index") };
    for entity in &design.entities {
        let rates = design.rates(entity);
        let [write, read] = [design.write_ru(entity.bytes), root(entity.bytes)];
        let all = [
            ("create", rates.writes, write, usual, index),
            ("replace", rates.updates, write, usual, index),
            ("read", rates.reads, read, 1.0, "by id and key"),
        ];
        for (word, rate, each, base, said) in all.into_iter().filter(|one| one.1 > 0.0) {
            let [rate_text, kib] = [rate, (entity.bytes / 1024.0).max(1.0)].map(input_text);
            let how = format!("{rate_text}/s × {base} RU × √{kib} KiB, {said}");
            found.push(ru(format!("{word} {}", entity.name), rate * each, how));
        }
    }
    let plan = design.plan(0.0, query_visits);
    for query in &design.queries {
        let visits = query_visits(design, query, plan.partitions);
        let charge = query.charge(visits);
        let more = if visits > 1.0 {
            format!(
                " on {} physical partitions, {RU_PER_VISIT} RU for each more",
                input_text(visits)
            )
        } else {
            " on one physical partition".to_owned()
        };
        let how = format!("{}/s × {} RU{more}", input_text(query.per_second), input_text(charge));
        found.push(ru(query.name.clone(), query.per_second * charge, how));
    }
    found.push(ru("all at the busiest time", plan.demand, busiest(design)));
    let name = "RU/s to provide";
    found.push(match (plan.ru_per_second, plan.shortfall()) {
        (None, why) => figure(name, (f64::NAN, "RU/s"), UNSERVED, why.unwrap_or_default()),
        (Some(set), _) if design.ru_per_second.is_some() => ru(name, set, "as the design gives it"),
        (Some(needed), _) => {
            let (demand, planned) = (input_text(plan.demand), percent_text(PLANNED_USE));
            let how = format!("{demand} RU/s ÷ {planned}, as keys never lie quite evenly, in the steps in which it is sold");
            ru(name, needed, how)
        }
    });
    let least = plan.ru_per_second.and_then(|ru| least_after_a_year(design, ru));
    found.extend(least);
    found
}

/// The service asks for RU/s by what is stored, whatever requests need; None where other rules decide.
fn least_after_a_year(design: &Design, provided: f64) -> Option<DesignFigure> {
    let mode =
        if design.autoscale { ThroughputMode::AutoscaleOrShared } else { ThroughputMode::Manual };
    let stored = design.bytes_after(YEAR_DAYS) / 1024.0;
    let least = mode.minimum(stored);
    let [step, _] = mode.sold();
    let how = format!(
        "{} GiB stored × {} RU/s, in steps of {}; RU/s cannot be set lower",
        input_text(stored / KIB_PER_GIB),
        trimmed_text(step / 100.0),
        whole_text(step)
    );
    let name = "lowest RU/s after a year";
    (least > provided).then(|| ru(name, least, how))
}

fn busiest(design: &Design) -> String {
    let is_partly = design.entities.iter().any(|e| e.active < 1.0);
    let all = "the sum of the requests";
    if is_partly { format!("{all}; all owners active at once") } else { all.to_owned() }
}

pub fn ru(name: impl Into<String>, value: f64, how: impl Into<String>) -> DesignFigure {
    figure(name, (value, "RU/s"), format!("{} RU/s", small_text(value)), how)
}

/// How the first level of the key routes a query, on this number of physical partitions.
pub fn query_visits(design: &Design, query: &DesignQuery, partitions: f64) -> f64 {
    let of = u32::try_from(whole_u64(partitions)).unwrap_or(u32::MAX);
    let key = Candidate::of_paths(design.key.iter().cloned());
    let layout = RoutedLayout::even(of);
    let route = Request::query("", &query.sql).route(&key, &layout);
    route.visits().unwrap_or(f64::from(of))
}

/// RU/s of requests that go to one key each: a fan-out is of none.
pub fn keyed_ru(design: &Design) -> f64 {
    let keyed = design.queries.iter().filter(|q| design.is_keyed(q, query_visits));
    design.point_ru() + keyed.map(|q| q.per_second * q.ru).sum::<f64>()
}
