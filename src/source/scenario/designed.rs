//! A design as the description of a scenario: the container at a certain age, its largest keys, its load and its documents.

mod owners;

use super::document_spec::{DocumentKind, Field, Shape};
use super::pattern::Pattern;
use super::queries::QuerySpec;
use super::spec::{
    Amount, Axis, ContainerSpec, KeyGroup, KeyLoad, KeylessLoad, Operation, Reach, Spec, Spread,
    ValueRange,
};
use crate::model::design::{Design, Entity, EntityRates, PropertyValues, QueryRouter, UNSERVED};
use crate::model::physical::Throughput;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{
    KIB_PER_GIB, LOGICAL_CEILING_KIB, MOST_RU, root, whole_u64, whole_usize, with_unit,
};
use crate::source::design::first_day;

use owners::{Owner, draws, owners, stem};

pub(super) use owners::OwnerDraw;

/// What holds for every design.
const FRAME: &str = include_str!("../../../assets/designs/frame.toml");
/// Keys that are listed one by one.
const LISTED: usize = 1_000;
/// Of smaller keys nothing is logged by key: a sample has too few of their documents to tell one from another.
const LOGGED_SHARE: f64 = 0.000_2;
const MOST_PARTITIONS: f64 = 2_000.0;
const LIMIT_GIB: f64 = LOGICAL_CEILING_KIB / KIB_PER_GIB;
const BYTES_PER_GIB: f64 = KIB_PER_GIB * 1024.0;
const MS_OF_WRITES: f64 = 6.0;
const MS_OF_READS: f64 = 2.5;

pub(super) fn spec(design: &Design, router: QueryRouter) -> Result<Spec, String> {
    const NO_DATE: &str = "its end is not a date";
    let start = first_day(design);
    let days = design.age_days;
    let ends = start.plus_seconds(days * 86_400.0).ok_or(NO_DATE)?;
    let mut spec = Spec::parse(FRAME)?;
    let titles = [&design.title, &design.container];
    let title = titles.into_iter().find(|title| !title.is_empty());
    spec.title = title.cloned().unwrap_or_default();
    let after = with_unit(&days.to_string(), "day", "days");
    spec.look_at = format!("A design, {after} after the first document.");
    spec.ends = ends.date_text().parse().map_err(|_| NO_DATE)?;
    spec.documents.draws = draws(design);
    let shortfall = design.plan(0.0, router).shortfall();
    spec.notes.extend(shortfall.map(|why| format!("{UNSERVED}: {why}; it is shown with these")));
    for container in &mut spec.containers {
        describe(container, design, [start, ends], router)?;
        let sizes = container.documents.kinds.iter().map(|kind| kind.bytes);
        spec.documents.bytes = [sizes.max().unwrap_or_default(); 2];
    }
    Ok(spec)
}

fn describe(
    container: &mut ContainerSpec,
    design: &Design,
    span: [Stamp; 2],
    router: QueryRouter,
) -> Result<(), String> {
    let days = design.age_days;
    let gib = design.bytes_after(days) / BYTES_PER_GIB;
    let plan = design.plan(days, router);
    let (ru_per_second, partitions) = (plan.ru_per_second.unwrap_or(MOST_RU), plan.partitions);
    if partitions > MOST_PARTITIONS {
        return Err(format!(
            "after {days} days it has {partitions} physical partitions, too many to be shown: give a shorter age or fewer writes"
        ));
    }
    // Between the first reading and the last sizes grow evenly: no time to live ends there.
    let kept = design.entities.iter().filter_map(|e| e.kept_days);
    let kept = kept.filter(|kept| *kept < days).fold(0.0, f64::max);
    let readings = &mut container.readings;
    let every_hours = ((days - kept) * 24.0 / f64::from(readings.count + 1)).clamp(1.0, 168.0);
    readings.every_hours = u32::try_from(whole_u64(every_hours)).unwrap_or(1);
    let window = f64::from((readings.count - 1) * readings.every_hours) / 24.0;
    let before = design.bytes_after((days - window).max(0.0)) / BYTES_PER_GIB;
    let loads = key_loads(design, router);
    let keys = keys(design, [before, gib], &loads);
    let listed: f64 = keys.iter().map(|(_, share)| share).sum();
    container.name.clone_from(&design.container);
    container.throughput = if design.autoscale {
        Throughput::Autoscale { maximum: ru_per_second, now: None }
    } else {
        Throughput::Manual { ru_per_second }
    };
    container.partitions = u32::try_from(whole_u64(partitions)).unwrap_or(1);
    container.unlisted_gib = (gib * (1.0 - listed)).max(0.0);
    container.unlisted_gained = Some(1.0 - before / gib);
    container.keys = keys.into_iter().map(|(group, _)| group).collect();
    container.without_key = without_key(design, partitions, router, &container.keys, &loads);
    container.documents.since_hours = days * 24.0;
    container.documents.kinds = kinds(design, span)?;
    container.is_expiring = design.entities.iter().any(|e| e.kept_days.is_some());
    container.paths = design.key.iter().map(ToString::to_string).collect();
    container.queries = requests(design, &container.paths);
    container.try_keys.clone_from(&design.try_keys);
    Ok(())
}

/// The largest keys, each a group of its own; of keys with a period each period is one.
/// Sizes are GiB at the first reading and at the last.
fn keys(design: &Design, gib: [f64; 2], loads: &[(Operation, f64, f64)]) -> Vec<(KeyGroup, f64)> {
    let kept = design.kept_days().unwrap_or(f64::INFINITY);
    let days = design.age_days.min(kept);
    let count = |days: f64| u32::try_from(whole_u64(days.ceil().clamp(1.0, 1_000.0))).unwrap_or(1);
    let period = design.key.iter().find_map(|path| {
        let at = path.top_name().and_then(|name| design.place(name))?;
        match design.properties.get(at)?.values {
            PropertyValues::Day => Some(ValueRange::Days(count(days))),
            PropertyValues::Month => Some(ValueRange::Months(count((days / 30.5).floor()))),
            PropertyValues::Drawn(_) => None,
        }
    });
    let periods = period.as_ref().map_or(1.0, ValueRange::count);
    let most = LISTED / whole_usize(periods).clamp(1, LISTED);
    let group = |owner: Owner| {
        let axes = period.clone().map(|over| Axis { name: "period".to_owned(), over });
        let load = |(operation, ru_per_s, ru_each): &(Operation, f64, f64)| KeyLoad {
            operation: *operation,
            ru_per_s: ru_per_s * owner.share,
            ru_each: *ru_each,
            ms_each: ms(*operation),
            spread: Spread::Even,
            minutes: None,
            is_in_bucket: false,
        };
        let is_logged = owner.share >= LOGGED_SHARE;
        let [first, last] = gib.map(|gib| gib * owner.share);
        // A full key takes no more.
        let kept = last.min(periods * LIMIT_GIB);
        let group = KeyGroup {
            load: loads.iter().map(load).filter(|_| is_logged).collect(),
            key: owner.key,
            axes: axes.into_iter().collect(),
            gib: Amount::Total(kept),
            spread: Spread::Even,
            gained: 1.0 - first / last,
            written: last / kept,
            draws: Vec::new(),
        };
        (group, owner.share)
    };
    owners(design, most.max(1)).into_iter().map(group).collect()
}

fn ms(operation: Operation) -> f64 {
    if operation.adds_data() { MS_OF_WRITES } else { MS_OF_READS }
}

/// Requests a second on single documents, and the RU of one.
fn point_requests(design: &Design) -> impl Iterator<Item = (&Entity, Operation, f64, f64)> {
    let of_entity = |entity| {
        let EntityRates { writes, updates, reads, .. } = design.rates(entity);
        let write_ru = design.write_ru(entity.bytes);
        [
            (entity, Operation::Create, writes, write_ru),
            (entity, Operation::Replace, updates, write_ru),
            (entity, Operation::Read, reads, root(entity.bytes)),
        ]
    };
    design.entities.iter().flat_map(of_entity)
}

/// RU/s of all keys together and RU of one request, by operation.
fn key_loads(design: &Design, router: QueryRouter) -> Vec<(Operation, f64, f64)> {
    let keyed = design.queries.iter().filter(|q| design.is_keyed(q, router));
    let all: Vec<_> = point_requests(design)
        .map(|(_, operation, per_second, ru)| (operation, per_second, ru))
        .chain(keyed.map(|q| (Operation::Query, q.per_second, q.ru)))
        .collect();
    let load = |operation| {
        let of = || all.iter().filter(|(of, ..)| *of == operation);
        let per_second: f64 = of().map(|(_, n, _)| n).sum();
        let ru: f64 = of().map(|(_, n, ru)| n * ru).sum();
        (per_second > 0.0 && ru > 0.0).then(|| (operation, ru, ru / per_second))
    };
    let operations = [Operation::Create, Operation::Replace, Operation::Read, Operation::Query];
    let operations = operations.into_iter();
    operations.filter_map(load).collect()
}

/// Requests of keys that are not listed, and those of queries that go to several partitions, as each of these gets them.
fn without_key(
    design: &Design,
    partitions: f64,
    router: QueryRouter,
    keys: &[KeyGroup],
    loads: &[(Operation, f64, f64)],
) -> Vec<KeylessLoad> {
    let unlisted = loads.iter().enumerate().filter_map(|(at, (operation, ru, ru_each))| {
        let listed = keys.iter().filter_map(|key| key.load.get(at));
        let rest = ru - listed.map(|load| load.ru_per_s).sum::<f64>();
        (rest > ru * 1e-9).then(|| (*operation, Reach::OnePartition, rest / ru_each, *ru_each))
    });
    let crossing = design.queries.iter();
    let crossing = crossing.filter(|q| !design.is_keyed(q, router) && q.per_second > 0.0);
    let crossing = crossing.map(|query| {
        let visits = router(design, query, partitions);
        let of_each = query.per_second * visits / partitions;
        (Operation::Query, Reach::EveryPartition, of_each, query.charge(visits) / visits)
    });
    let load = |(operation, reach, requests_per_s, ru_each)| {
        let ms_each = ms(operation);
        KeylessLoad { operation, reach, requests_per_s, ru_each, ms_each, minutes: None }
    };
    unlisted.chain(crossing).map(load).collect()
}

fn kinds(design: &Design, span: [Stamp; 2]) -> Result<Vec<DocumentKind>, String> {
    let mut kinds = Vec::new();
    for entity in &design.entities {
        let fields = fields(design, entity);
        let bytes = u32::try_from(whole_u64(entity.bytes.round())).unwrap_or(u32::MAX);
        let least = least_bytes(design, entity);
        if bytes < least {
            return Err(format!(
                "{} has {bytes} B; with its properties it takes at least {least} B",
                entity.name
            ));
        }
        let [from, to] = span.map(Stamp::seconds);
        let kept = entity.kept_days.unwrap_or(design.age_days);
        let [_, ends] = span;
        let kept = ends.plus_seconds(-kept * 86_400.0);
        let kept = kept.map_or(from, Stamp::seconds);
        let [at_start, written] = design.documents_after(entity, design.age_days);
        let parts = [(at_start, [from - SECONDS_PER_DAY, from]), (written, [from.max(kept), to])];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0.0);
        kinds.extend(parts.map(|(count, span)| DocumentKind {
            count,
            bytes,
            span,
            fields: fields.clone(),
        }));
    }
    Ok(kinds)
}

fn fields(design: &Design, entity: &Entity) -> Vec<Field> {
    let field = |name: &str, text: String| Field {
        name: name.to_owned(),
        is: Shape::Text(Pattern::from(text)),
    };
    let mut fields = vec![field("id", "{uuid}".to_owned()), field("type", entity.name.clone())];
    let properties = entity.properties.iter();
    for property in properties.filter_map(|at| design.properties.get(*at)) {
        let text = match property.values {
            PropertyValues::Drawn(_) => format!("{{{}}}", property.name),
            PropertyValues::Day => "{date}".to_owned(),
            PropertyValues::Month => "{month}".to_owned(),
        };
        fields.push(field(&property.name, text));
    }
    fields.push(field("time", "{time}".to_owned()));
    fields
}

/// What the longest values take, with an empty body.
fn least_bytes(design: &Design, entity: &Entity) -> u32 {
    let value = |at: usize| -> usize {
        let mut bytes = 0;
        let mut next = Some(at);
        while let Some(at) = next {
            let Some((shares, property)) = design.shares(at).zip(design.properties.get(at)) else {
                return 10;
            };
            let giants = shares.giants.iter().map(|(name, _)| name.len());
            let last = format!("-{}-{}", stem(&property.name), shares.distinct);
            bytes += giants.max().unwrap_or(0).max(last.len());
            next = shares.within;
        }
        bytes
    };
    let of = |at: &usize| {
        let name = design.properties.get(*at).map_or(0, |p| p.name.len());
        name + value(*at) + 6
    };
    let properties: usize = entity.properties.iter().map(of).sum();
    let frame = r#"{"id":"","type":"","time":"","body":""}"#.len() + 36 + 20;
    u32::try_from(frame + entity.name.len() + properties).unwrap_or(u32::MAX)
}

/// What applications ask, as routes and prices are computed from it.
fn requests(design: &Design, paths: &[String]) -> Vec<QuerySpec> {
    let points = point_requests(design).filter(|(_, _, per_second, _)| *per_second > 0.0);
    let points = points.map(|(entity, operation, per_second, ru)| {
        let word = operation.word().to_lowercase();
        QuerySpec {
            name: format!("{word} {}", entity.name),
            operation,
            equal_paths: paths.to_vec(),
            range_paths: Vec::new(),
            per_second,
            ru_per_visit: ru,
            sql: format!("-- {word}: by id and key"),
        }
    });
    let queries = design.queries.iter().map(|query| QuerySpec {
        name: query.name.clone(),
        operation: Operation::Query,
        equal_paths: Vec::new(),
        range_paths: Vec::new(),
        per_second: query.per_second,
        ru_per_visit: query.ru,
        sql: query.sql.clone(),
    });
    points.chain(queries).collect()
}
