//! The file of a design: small TOML with units, into plain values. Every field is explained in `assets/designs`.

#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeSet;

use serde::Deserialize;
use toml::value::Datetime;

use crate::model::design::{
    Design, DesignQuery, Entity, MOST_VALUES, Property, PropertyValues, RankCurve, ValueShares,
};
use crate::model::path::Path;
use crate::model::time::{Civil, Stamp};
use crate::model::units::{MOST_RU, PHYSICAL_CEILING_KIB, RU_PER_VISIT};

use super::small_file::toml_fault;
use values::{DayPart, Rate, Size, Span, Units};

/// Every document has these.
pub(super) const IN_EVERY_DOCUMENT: [&str; 4] = ["id", "type", "time", "body"];
const MOST_PARTS: usize = 200;
/// Each is tried on all documents.
const MOST_KEYS: usize = 20;
const MOST_NAME_BYTES: usize = 100;
/// What the service takes.
const MOST_BYTES: f64 = 2_097_152.0;
const MOST_RATE: f64 = 1e9;
const USUAL_AGE_DAYS: f64 = 30.0;
/// A container that nobody said the age of is no larger than fits on so many physical partitions.
const USUAL_PARTITIONS: f64 = 500.0;
const COMPLETE: &str = "cosmoscope design --new prints a complete file with every field";

/// The templates, the simplest first.
pub const TEMPLATES: [(&str, &str); 7] = [
    ("orders", include_str!("../../assets/designs/orders.toml")),
    ("iot", include_str!("../../assets/designs/iot.toml")),
    ("saas", include_str!("../../assets/designs/saas.toml")),
    ("chat", include_str!("../../assets/designs/chat.toml")),
    ("rag", include_str!("../../assets/designs/rag.toml")),
    ("gaming", include_str!("../../assets/designs/gaming.toml")),
    ("event-sourcing", include_str!("../../assets/designs/event-sourcing.toml")),
];

/// What is wrong with a file, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DesignFault {
    pub what: String,
    pub next: String,
}

type Checked<T> = Result<T, DesignFault>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DesignFile {
    #[serde(default)]
    title: String,
    container: String,
    key: String,
    #[serde(default)]
    r#try: Vec<String>,
    ru: Option<f64>,
    #[serde(default)]
    autoscale: bool,
    #[serde(default = "yes")]
    indexed: bool,
    #[serde(default)]
    units: Units,
    starts: Option<Datetime>,
    age: Option<Span>,
    retention: Option<Span>,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    entities: Vec<EntityEntry>,
    #[serde(default)]
    queries: Vec<QueryEntry>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyEntry {
    name: String,
    distinct: Option<u64>,
    #[serde(default)]
    zipf: f64,
    #[serde(default)]
    giants: Vec<Giant>,
    within: Option<String>,
    period: Option<Period>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Giant {
    name: String,
    share: f64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Period {
    Day,
    Month,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntityEntry {
    name: String,
    size: Size,
    #[serde(default)]
    count: f64,
    writes: Option<Rate>,
    updates: Option<Rate>,
    reads: Option<Rate>,
    each: Option<String>,
    active: Option<DayPart>,
    belongs_to: Option<Vec<String>>,
    ttl: Option<Span>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryEntry {
    name: String,
    sql: String,
    rate: Rate,
    ru: Option<f64>,
}

/// Reads a design.
pub fn parse(text: &str) -> Checked<Design> {
    let file: DesignFile = toml::from_str(text)
        .map_err(|e| DesignFault { what: toml_fault(text, &e), next: COMPLETE.to_owned() })?;
    check_counts(&file)?;
    let properties = properties(&file.properties)?;
    let place = |of: &str, name: &str| {
        let found = properties.iter().position(|p| p.name == name);
        let names: Vec<&str> = properties.iter().map(|p| p.name.as_str()).collect();
        found.ok_or_else(|| DesignFault {
            what: format!("{of} names {name}, which is no property"),
            next: format!("the properties are {}", names.join(", ")),
        })
    };
    let entity = |e: &EntityEntry| entity(e, &file, &place, properties.len());
    let entities: Vec<Entity> = file.entities.iter().map(entity).collect::<Result<_, _>>()?;
    let queries = file.queries.iter().map(query).collect::<Result<_, _>>()?;
    let mut design = Design {
        key: key(&file.key, &properties, &entities)?,
        title: file.title,
        container: file.container,
        try_keys: file.r#try,
        ru_per_second: file.ru,
        autoscale: file.autoscale,
        indexed: file.indexed,
        starts: file.starts.map(|date| midnight(&date)).transpose()?,
        age_days: 0.0,
        properties,
        entities,
        queries,
    };
    for entity in design.entities.iter().filter(|e| e.each.is_some()) {
        let owner = entity.each.filter(|at| entity.properties.contains(at));
        let shares = owner.and_then(|at| design.shares(at));
        if shares.is_none_or(|s| !s.curve.is_even() || !s.giants.is_empty()) {
            let next = "give it the rate in all, or name a property of it whose values are alike";
            return fault(format!("{} has a rate of each", entity.name), next);
        }
    }
    let age = file.age.map_or_else(|| usual_age(&design), |age| age.0);
    design.age_days = whole_age(&design, age);
    Ok(design)
}

/// The first day of use.
pub(super) fn first_day(design: &Design) -> Stamp {
    let usual = || Stamp::from_civil(Civil::midnight(2026, 1, 1)).unwrap_or(Stamp::EPOCH);
    design.starts.unwrap_or_else(usual)
}

/// Days; with a month in the key up to the end of one.
fn whole_age(design: &Design, days: f64) -> f64 {
    let days = days.ceil().max(1.0);
    let is_month = |path: &Path| {
        let at = path.top_name().and_then(|name| design.place(name));
        at.and_then(|at| design.properties.get(at))
            .is_some_and(|p| p.values == PropertyValues::Month)
    };
    let start = first_day(design);
    let end = start.plus_seconds(days * 86_400.0).filter(|_| design.key.iter().any(is_month));
    let next = end.and_then(|end| {
        let civil = end.civil();
        let after = i64::from(civil.day != 1);
        let month = civil.year * 12 + i64::from(civil.month) - 1 + after;
        let of_year = u8::try_from(month.rem_euclid(12) + 1).ok()?;
        Stamp::from_civil(Civil::midnight(month.div_euclid(12), of_year, 1))
    });
    next.map_or(days, |next| next.days_since(start))
}

/// A month, behind the longest time to live; less of a container that is very large by then.
fn usual_age(design: &Design) -> f64 {
    let kept = design.entities.iter().filter_map(|e| e.kept_days);
    let mut days = USUAL_AGE_DAYS + kept.fold(0.0, f64::max);
    let most = USUAL_PARTITIONS * PHYSICAL_CEILING_KIB * 1024.0;
    while days > 1.0 && design.bytes_after(days) > most {
        days = (days / 2.0).ceil();
    }
    days
}

fn fault<T>(what: impl Into<String>, next: impl Into<String>) -> Checked<T> {
    Err(DesignFault { what: what.into(), next: next.into() })
}

fn check_counts(file: &DesignFile) -> Checked<()> {
    let parts = [
        ("properties", file.properties.len()),
        ("entities", file.entities.len()),
        ("queries", file.queries.len()),
        ("keys to try", file.r#try.len() * MOST_PARTS / MOST_KEYS),
    ];
    if let Some((name, _)) = parts.into_iter().find(|(_, n)| *n > MOST_PARTS) {
        let next = format!("give at most {MOST_PARTS}, and {MOST_KEYS} keys to try");
        return fault(format!("it has too many {name}"), next);
    }
    let giants = file.properties.iter().flat_map(|p| &p.giants).map(|g| &g.name);
    let names = (file.properties.iter().map(|p| &p.name))
        .chain(file.entities.iter().map(|e| &e.name))
        .chain(giants)
        .chain([&file.container]);
    let is_odd = |name: &&String| {
        let has_sign = name.contains(|c: char| c.is_control() || "{}\"\\/".contains(c));
        name.is_empty() || name.len() > MOST_NAME_BYTES || has_sign
    };
    if let Some(name) = names.into_iter().find(is_odd) {
        return fault(
            format!("`{name}` cannot be a name here"),
            "give a name of 1 to 100 letters, without braces, quotes and slashes",
        );
    }
    let is_sold = |ru: f64| (400.0..=MOST_RU).contains(&ru);
    match file.ru {
        Some(ru) if !is_sold(ru) => fault("ru is no throughput", "give RU/s from 400 to 1,000,000"),
        _ => Ok(()),
    }
}

fn properties(entries: &[PropertyEntry]) -> Checked<Vec<Property>> {
    let mut found: Vec<Property> = Vec::new();
    for entry in entries {
        let name = &entry.name;
        if IN_EVERY_DOCUMENT.contains(&name.as_str()) || found.iter().any(|p| p.name == *name) {
            let next = "give each property a name of its own; id, type, time and body are there";
            return fault(format!("a second property {name}"), next);
        }
        let within = entry.within.as_ref().map(|above| {
            let is_above =
                |p: &Property| p.name == *above && matches!(p.values, PropertyValues::Drawn(_));
            found.iter().position(is_above).ok_or_else(|| DesignFault {
                what: format!("{name} is within {above}, which is no property above it"),
                next: "define the outer property first, with its distinct values".to_owned(),
            })
        });
        let within = within.transpose()?;
        let values = match (entry.period, entry.distinct) {
            (Some(Period::Day), None) => PropertyValues::Day,
            (Some(Period::Month), None) => PropertyValues::Month,
            (None, Some(distinct)) => PropertyValues::Drawn(shares(entry, distinct, within)?),
            _ => {
                let next = "give distinct = 1000, or period = \"day\" or \"month\"";
                return fault(format!("{name} has not one kind of values"), next);
            }
        };
        let name = name.clone();
        found.push(Property { name, values });
    }
    Ok(found)
}

fn shares(entry: &PropertyEntry, distinct: u64, within: Option<usize>) -> Checked<ValueShares> {
    let name = &entry.name;
    if !(1..=MOST_VALUES).contains(&distinct) {
        let next = "give from 1 to 1,000,000,000 distinct values";
        return fault(format!("{name} has {distinct} values"), next);
    }
    if !(0.0..=3.0).contains(&entry.zipf) {
        return fault(format!("zipf of {name}"), "give a number from 0 to 3, such as 1.1");
    }
    let sum: f64 = entry.giants.iter().map(|g| g.share).sum();
    let names: BTreeSet<&String> = entry.giants.iter().map(|g| &g.name).collect();
    let is_share = entry.giants.iter().all(|g| g.share > 0.0) && sum < 1.0;
    let is_few = (entry.giants.len() as u64) < distinct && entry.giants.len() <= MOST_PARTS;
    let is_apart = names.len() == entry.giants.len();
    let is_free = entry.giants.is_empty() || within.is_none();
    if !(is_share && is_few && is_apart && is_free) {
        let next = "giants have different names, shares above 0 that leave some for the others, and no within";
        return fault(format!("the giants of {name}"), next);
    }
    let mut giants: Vec<(String, f64)> =
        (entry.giants.iter()).map(|g| (g.name.clone(), g.share)).collect();
    giants.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(ValueShares { distinct, curve: RankCurve::new(entry.zipf), giants, within })
}

fn entity(
    entry: &EntityEntry,
    file: &DesignFile,
    place: &dyn Fn(&str, &str) -> Checked<usize>,
    all: usize,
) -> Checked<Entity> {
    let name = &entry.name;
    let bytes = entry.size.bytes(file.units);
    if bytes > MOST_BYTES {
        return fault(format!("size of {name}"), "a document has at most 2 MB");
    }
    let rate = |rate: &Option<Rate>| rate.as_ref().map_or(0.0, |r| r.per_second(bytes, file.units));
    let [writes, updates, reads] = [&entry.writes, &entry.updates, &entry.reads].map(rate);
    let is_possible = |n: &f64| (0.0..=MOST_RATE).contains(n);
    let is_counted = (0.0..=1e15).contains(&entry.count);
    if ![writes, updates, reads].iter().all(is_possible) || !is_counted {
        return fault(
            format!("a rate or the count of {name}"),
            "give a number from 0 to 1,000,000,000 a second",
        );
    }
    if entry.count + writes <= 0.0 {
        let next = "give writes = \"1/s\" or count = 1000";
        return fault(format!("{name} has no documents"), next);
    }
    let of = |named: &String| place(name, named);
    let properties = match &entry.belongs_to {
        Some(names) => names.iter().map(of).collect::<Result<_, _>>()?,
        None => (0..all).collect(),
    };
    Ok(Entity {
        name: name.clone(),
        bytes,
        count: entry.count,
        writes,
        updates,
        reads,
        each: entry.each.as_ref().map(of).transpose()?,
        active: entry.active.as_ref().map_or(1.0, |part| part.0),
        properties,
        kept_days: entry.ttl.as_ref().or(file.retention.as_ref()).map(|s| s.0),
    })
}

fn query(entry: &QueryEntry) -> Checked<DesignQuery> {
    let Rate::Documents(per_second) = entry.rate else {
        return fault(format!("rate of {}", entry.name), "give such as \"12/s\"");
    };
    let ru = entry.ru.unwrap_or(RU_PER_VISIT);
    if per_second > MOST_RATE || !(ru > 0.0 && ru <= 1e6) {
        return fault(format!("rate or ru of {}", entry.name), "give such as \"12/s\"");
    }
    Ok(DesignQuery {
        name: entry.name.clone(),
        sql: entry.sql.split_whitespace().collect::<Vec<_>>().join(" "),
        per_second,
        ru,
    })
}

/// Paths of properties that every document has.
fn key(text: &str, properties: &[Property], entities: &[Entity]) -> Checked<Vec<Path>> {
    let levels: Result<Vec<Path>, _> = text.split('>').map(|l| Path::parse(l.trim())).collect();
    let next = "give key = \"/tenantId\" or up to three levels, \"/tenantId > /userId\"";
    let Some(levels) = levels.ok().filter(|levels| levels.len() <= 3) else {
        return fault(format!("`{text}` is no key of a container"), next);
    };
    for level in &levels {
        let name = level.top_name().unwrap_or_default();
        let at = properties.iter().position(|p| p.name == name);
        let lacks = |e: &&Entity| at.is_none_or(|at| !e.properties.contains(&at));
        if name != "id"
            && let Some(entity) = entities.iter().find(lacks)
        {
            return fault(
                format!("{} has no {level}, which the key needs", entity.name),
                format!("add the property {name}, and name it in belongs_to of {}", entity.name),
            );
        }
    }
    Ok(levels)
}

fn midnight(date: &Datetime) -> Checked<Stamp> {
    let stamp =
        date.date.and_then(|d| Stamp::from_civil(Civil::midnight(d.year.into(), d.month, d.day)));
    stamp.ok_or_else(|| DesignFault {
        what: "starts is no date".to_owned(),
        next: "give a date such as starts = 2027-01-01".to_owned(),
    })
}
