//! A design as the description of a scenario: the container at a certain age, its largest keys, its load and its documents.

mod owners;

use std::collections::BTreeMap;

use toml::value::{Date, Datetime};

use super::document_spec::{
    ContainerDocuments, DocumentKind, DocumentsSpec, Field, Filler, Filling, KeySource, Shape,
};
use super::pattern::Pattern;
use super::queries::QuerySpec;
use super::spec::{
    Amount, Axis, ContainerSpec, KeyGroup, KeyLoad, KeylessLoad, Operation, Reach, Readings,
    SizePrecision, Spec, Spread, ValueRange,
};
use crate::model::design::{Design, DesignPlan, DesignQuery, Entity, PropertyValues};
use crate::model::path::Path;
use crate::model::physical::Throughput;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{KIB_PER_GIB, LOGICAL_CEILING_KIB, root, whole_u64};
use crate::source::design::first_day;

use owners::{Owner, draws, owners, stem};

pub(super) use owners::OwnerDraw;

/// Keys that are listed one by one.
const LISTED: usize = 1_000;
/// Of smaller keys nothing is logged by key: a sample has too few of their documents to tell one from another.
const LOGGED_SHARE: f64 = 0.000_2;
const MOST_PARTITIONS: f64 = 2_000.0;
const LIMIT_GIB: f64 = LOGICAL_CEILING_KIB / KIB_PER_GIB;
const BYTES_PER_GIB: f64 = KIB_PER_GIB * 1024.0;
const LOAD_MINUTES: u32 = 5;
/// So many that they show how exact they are.
const READINGS: u32 = 13;
const MS_OF_WRITES: f64 = 6.0;
const MS_OF_READS: f64 = 2.5;
pub(super) fn spec(design: &Design) -> Result<Spec, String> {
    let start = first_day(design);
    let ends = start.plus_seconds(design.age_days * 86_400.0);
    let ends = ends.ok_or("its end is not a date")?;
    let container = container(design, start, ends)?;
    let sizes = container.documents.kinds.iter().map(|kind| kind.bytes);
    let longest = sizes.max().unwrap_or_default();
    let civil = ends.civil();
    let year = u16::try_from(civil.year).map_err(|_| "its end is not a date")?;
    let date = Date {
        year,
        month: civil.month,
        day: civil.day,
    };
    let title = if design.title.is_empty() {
        design.container.clone()
    } else {
        design.title.clone()
    };
    let name = |name: &str| name.to_owned();
    Ok(Spec {
        title,
        look_at: format!(
            "A design, {} days after the first document.",
            design.age_days
        ),
        seed: 1,
        account: name("design"),
        database: name("design"),
        region: name("any region"),
        ends: Datetime {
            date: Some(date),
            time: None,
            offset: None,
        },
        load_minutes: LOAD_MINUTES,
        documents: DocumentsSpec {
            bytes: [longest; 2],
            filler: Filler {
                name: name("body"),
                with: Filling::Base64,
            },
            draws: draws(design),
            fields: Vec::new(),
            lists: BTreeMap::new(),
            hours: None,
        },
        containers: vec![container],
    })
}

fn container(design: &Design, start: Stamp, ends: Stamp) -> Result<ContainerSpec, String> {
    let days = design.age_days;
    let gib = design.bytes_after(days) / BYTES_PER_GIB;
    let plan = design.plan(days, &|query| query.is_targeted(&design.key));
    let DesignPlan {
        ru_per_second: ru,
        partitions,
        ..
    } = plan;
    if partitions > MOST_PARTITIONS {
        return Err(format!(
            "after {days} days it has {partitions} physical partitions, too many to be shown: give a shorter age or fewer writes"
        ));
    }
    // Between the first reading and the last sizes grow evenly: no time to live ends there.
    let kept = design.entities.iter().filter_map(|e| e.kept_days);
    let kept = kept.filter(|kept| *kept < days).fold(0.0, f64::max);
    let every_hours = ((days - kept) * 24.0 / f64::from(READINGS + 1)).clamp(1.0, 168.0);
    let every_hours = u32::try_from(whole_u64(every_hours)).unwrap_or(1);
    let window = f64::from((READINGS - 1) * every_hours) / 24.0;
    let before = design.bytes_after((days - window).max(0.0)) / BYTES_PER_GIB;
    let keys = keys(design, [before, gib]);
    let listed: f64 = keys.iter().map(|(_, share)| share).sum();
    let keys: Vec<KeyGroup> = keys.into_iter().map(|(group, _)| group).collect();
    let paths: Vec<String> = design.key.iter().map(ToString::to_string).collect();
    Ok(ContainerSpec {
        name: design.container.clone(),
        throughput: if design.autoscale {
            Throughput::Autoscale {
                maximum: ru,
                now: None,
            }
        } else {
            Throughput::Manual { ru_per_second: ru }
        },
        partitions: u32::try_from(whole_u64(partitions)).unwrap_or(1),
        readings: Readings {
            count: READINGS,
            every_hours,
            shown: SizePrecision::Exact,
        },
        unlisted_gib: (gib * (1.0 - listed)).max(0.0),
        without_key: without_key(design, partitions, &keys),
        keys,
        sway: 0.0,
        documents: ContainerDocuments {
            since_hours: days * 24.0,
            keys: KeySource::OneEach,
            draws: Vec::new(),
            fields: Vec::new(),
            kinds: kinds(design, start, ends)?,
        },
        queries: requests(design, &paths),
        paths,
        try_keys: design.try_keys.clone(),
    })
}

/// The largest keys, each a group of its own; of keys with a period each period is one.
/// Sizes are GiB at the first reading and at the last.
fn keys(design: &Design, gib: [f64; 2]) -> Vec<(KeyGroup, f64)> {
    let days = design
        .kept_days()
        .map_or(design.age_days, |kept| kept.min(design.age_days));
    let count = |days: f64| {
        u32::try_from(whole_u64(days.ceil()))
            .unwrap_or(1)
            .clamp(1, 1_000)
    };
    let period = design.key.iter().find_map(|path| {
        let at = path.top_name().and_then(|name| design.place(name))?;
        match design.properties.get(at)?.values {
            PropertyValues::Day => Some(ValueRange::Days(count(days))),
            PropertyValues::Month => Some(ValueRange::Months(count((days / 30.5).floor()))),
            PropertyValues::Drawn(_) => None,
        }
    });
    let periods = period.as_ref().map_or(1.0, ValueRange::count);
    let most = LISTED
        / usize::try_from(whole_u64(periods))
            .unwrap_or(1)
            .clamp(1, LISTED);
    let loads = key_loads(design);
    let group = |owner: Owner| {
        let axes = period.clone().map(|over| Axis {
            name: "period".to_owned(),
            over,
        });
        let load = |(operation, ru_per_s, ru_each): &(Operation, f64, f64)| KeyLoad {
            operation: *operation,
            ru_per_s: ru_per_s * owner.share,
            ru_each: *ru_each,
            ms_each: ms(*operation),
            spread: Spread::Even,
            minutes: None,
        };
        let is_logged = owner.share >= LOGGED_SHARE;
        // A full key takes no more.
        let [first, last] = gib.map(|gib| (gib * owner.share).min(periods * LIMIT_GIB));
        let group = KeyGroup {
            load: loads.iter().map(load).filter(|_| is_logged).collect(),
            key: owner.key,
            axes: axes.into_iter().collect(),
            gib: Amount::Total(last),
            spread: Spread::Even,
            gained: 1.0 - first / last,
            draws: Vec::new(),
        };
        (group, owner.share)
    };
    owners(design, most.max(1)).into_iter().map(group).collect()
}

fn ms(operation: Operation) -> f64 {
    if operation.adds_data() {
        MS_OF_WRITES
    } else {
        MS_OF_READS
    }
}

/// RU/s of all keys together and RU of one request, by operation.
fn key_loads(design: &Design) -> Vec<(Operation, f64, f64)> {
    let point = |rate: fn(&Design, &Entity) -> f64, ru: &dyn Fn(&Entity) -> f64| {
        let rates = || design.entities.iter().map(|e| (rate(design, e), ru(e)));
        [
            rates().map(|(n, _)| n).sum::<f64>(),
            rates().map(|(n, ru)| n * ru).sum(),
        ]
    };
    let write_ru = |e: &Entity| design.write_ru(e.bytes);
    let read_ru = |e: &Entity| root(e.bytes);
    let targeted = || design.queries.iter().filter(|q| q.is_targeted(&design.key));
    let queries = [
        targeted().map(|q| q.per_second).sum(),
        targeted().map(|q| q.per_second * q.ru).sum(),
    ];
    let all = [
        (
            Operation::Create,
            point(|d, e| d.rates(e).writes, &write_ru),
        ),
        (
            Operation::Replace,
            point(|d, e| d.rates(e).updates, &write_ru),
        ),
        (Operation::Read, point(|d, e| d.rates(e).reads, &read_ru)),
        (Operation::Query, queries),
    ];
    let known = all.into_iter().filter(|(_, [n, ru])| *n > 0.0 && *ru > 0.0);
    known
        .map(|(operation, [n, ru])| (operation, ru, ru / n))
        .collect()
}

/// Requests of keys that are not listed, and those that every partition gets.
fn without_key(design: &Design, partitions: f64, keys: &[KeyGroup]) -> Vec<KeylessLoad> {
    let mut found = Vec::new();
    for (at, (operation, ru, ru_each)) in key_loads(design).into_iter().enumerate() {
        let listed: f64 = keys
            .iter()
            .filter_map(|k| k.load.get(at))
            .map(|l| l.ru_per_s)
            .sum();
        let rest = ru - listed;
        if rest > ru * 1e-9 {
            found.push(KeylessLoad {
                operation,
                reach: Reach::OnePartition,
                requests_per_s: rest / ru_each,
                ru_each,
                ms_each: ms(operation),
            });
        }
    }
    let crossing = design
        .queries
        .iter()
        .filter(|q| !q.is_targeted(&design.key));
    found.extend(
        crossing
            .filter(|q| q.per_second > 0.0)
            .map(|query| KeylessLoad {
                operation: Operation::Query,
                reach: Reach::EveryPartition,
                requests_per_s: query.per_second,
                ru_each: query.charge(partitions) / partitions,
                ms_each: MS_OF_READS,
            }),
    );
    found
}

fn kinds(design: &Design, start: Stamp, ends: Stamp) -> Result<Vec<DocumentKind>, String> {
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
        let [from, to] = [start, ends].map(Stamp::seconds);
        let kept = entity.kept_days.unwrap_or(design.age_days);
        let kept = ends
            .plus_seconds(-kept * 86_400.0)
            .map_or(from, Stamp::seconds);
        let written = design.documents_after(entity, design.age_days) - entity.count;
        let parts = [
            (entity.count, [from - SECONDS_PER_DAY, from]),
            (written, [from.max(kept), to]),
        ];
        kinds.extend(
            parts
                .into_iter()
                .filter(|(count, _)| *count > 0.0)
                .map(|(count, span)| DocumentKind {
                    count,
                    bytes,
                    span,
                    fields: fields.clone(),
                }),
        );
    }
    Ok(kinds)
}

fn fields(design: &Design, entity: &Entity) -> Vec<Field> {
    let field = |name: &str, text: String| Field {
        name: name.to_owned(),
        is: Shape::Text(Pattern::from(text)),
    };
    let mut fields = vec![
        field("id", "{uuid}".to_owned()),
        field("type", entity.name.clone()),
    ];
    for property in entity
        .properties
        .iter()
        .filter_map(|at| design.properties.get(*at))
    {
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
    let mut found = Vec::new();
    for entity in &design.entities {
        let rates = design.rates(entity);
        let write = design.write_ru(entity.bytes);
        let all = [
            (Operation::Create, "create", rates.writes, write),
            (Operation::Replace, "replace", rates.updates, write),
            (Operation::Read, "read", rates.reads, root(entity.bytes)),
        ];
        for (operation, word, per_second, ru) in all.into_iter().filter(|a| a.2 > 0.0) {
            found.push(QuerySpec {
                name: format!("{word} {}", entity.name),
                operation,
                equal_paths: paths.to_vec(),
                range_paths: Vec::new(),
                per_second,
                ru_per_visit: ru,
                sql: format!("-- {word}: by id and key"),
            });
        }
    }
    found.extend(design.queries.iter().map(query));
    found
}

fn query(query: &DesignQuery) -> QuerySpec {
    QuerySpec {
        name: query.name.clone(),
        operation: Operation::Query,
        equal_paths: Vec::new(),
        range_paths: Vec::new(),
        per_second: query.per_second,
        ru_per_visit: query.ru,
        sql: query.sql.clone(),
    }
}

impl DesignQuery {
    /// Whether it compares the first level of a key for equality in all of its alternatives, as far as its text shows.
    fn is_targeted(&self, key: &[Path]) -> bool {
        let has_alternatives = self
            .sql
            .split_whitespace()
            .any(|w| w.eq_ignore_ascii_case("or"));
        let text: String = self.sql.split_whitespace().collect();
        let first = key.first().and_then(Path::top_name).unwrap_or_default();
        let named = [format!(".{first}="), format!("[\"{first}\"]=")];
        !has_alternatives && named.iter().any(|named| text.contains(named))
    }
}
