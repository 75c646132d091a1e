//! A design as the description of a scenario: the container at a certain age, its largest keys, its load and its documents.

use std::collections::BTreeMap;

use toml::value::{Date, Datetime};

use super::document_spec::{
    ContainerDocuments, DocumentKind, DocumentsSpec, Draw, Field, Filler, Filling, KeySource,
    Origin, Shape,
};
use super::pattern::Pattern;
use super::queries::QuerySpec;
use super::random::Random;
use super::spec::{
    Amount, Axis, ContainerSpec, KeyGroup, KeyLoad, KeylessLoad, Operation, Reach, Readings,
    SizePrecision, Spec, Spread, ValueRange,
};
use crate::model::design::{Design, DesignQuery, Entity, PropertyValues, ValueShares};
use crate::model::path::Path;
use crate::model::physical::Throughput;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{
    KIB_PER_GIB, MANUAL_RU_PER_NEW_PARTITION, PARTITION_RU_PER_SECOND, PHYSICAL_CEILING_KIB,
    RU_PER_VISIT, root, whole_u64,
};
use crate::source::design::first_day;

/// Keys that are listed one by one.
const LISTED: usize = 1_000;
const MOST_PARTITIONS: f64 = 2_000.0;
const BYTES_PER_GIB: f64 = KIB_PER_GIB * 1024.0;
const LOAD_MINUTES: u32 = 5;
const READINGS: u32 = 5;
const MS_OF_WRITES: f64 = 6.0;
const MS_OF_READS: f64 = 2.5;
/// Before values of properties: their share of all documents.
const SHARE: &str = "share of ";

/// A value of a property, drawn by the shares that values have.
#[derive(Clone, Debug)]
pub(super) struct OwnerDraw {
    shares: ValueShares,
    stem: String,
    /// Where the value of the property above stands; its share is before it.
    above: Option<usize>,
    /// Where its own rank and share stand, of a text.
    of: Option<usize>,
}

impl OwnerDraw {
    /// Its rank and share, and then its text.
    pub fn draw(&self, values: &[String], random: &mut Random) -> String {
        let at = |place: usize| values.get(place).map_or("", String::as_str);
        if let Some(of) = self.of {
            let rank = at(of).split(' ').next().and_then(|rank| rank.parse().ok());
            return text(&self.shares, &self.stem, rank.unwrap_or(1), self.above.map(at));
        }
        let Some(above) = self.above else {
            let rank = self.shares.rank(random.share());
            return format!("{rank} {}", self.shares.share(rank));
        };
        let share = at(above.saturating_sub(1)).split(' ').nth(1);
        let share = share.and_then(|share| share.parse().ok()).unwrap_or(1.0);
        let values = self.shares.children(share);
        let rank = self.shares.curve.rank(random.share(), values);
        format!("{rank} {}", share * self.shares.curve.share(rank, values))
    }
}

/// `contoso`, `tenant-17`, `contoso-user-3`
fn text(shares: &ValueShares, stem: &str, rank: u64, above: Option<&str>) -> String {
    let at = usize::try_from(rank.saturating_sub(1)).unwrap_or(usize::MAX);
    match (shares.giants.get(at), above) {
        (Some((name, _)), _) => name.clone(),
        (None, Some(above)) => format!("{above}-{stem}-{rank}"),
        (None, None) => format!("{stem}-{rank}"),
    }
}

fn stem(name: &str) -> &str {
    let short = name.strip_suffix("Id").filter(|short| !short.is_empty());
    short.unwrap_or(name)
}

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
        look_at: format!("A design, {} days after the first document.", design.age_days),
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

/// Two draws for each property that has owners: rank and share, and the text.
fn draws(design: &Design) -> Vec<Draw> {
    let mut draws: Vec<Draw> = Vec::new();
    for property in &design.properties {
        let PropertyValues::Drawn(shares) = &property.values else {
            continue;
        };
        let above = shares.within.and_then(|at| design.properties.get(at));
        let above = above.and_then(|above| draws.iter().position(|d| d.name == above.name));
        let of = draws.len();
        let mut push = |name: String, of: Option<usize>| {
            let owner = OwnerDraw {
                shares: shares.clone(),
                stem: stem(&property.name).to_owned(),
                above,
                of,
            };
            let from = Origin::Owner(Box::new(owner));
            draws.push(Draw { name, from });
        };
        push(format!("{SHARE}{}", property.name), None);
        push(property.name.clone(), Some(of));
    }
    draws
}

fn container(design: &Design, start: Stamp, ends: Stamp) -> Result<ContainerSpec, String> {
    let days = design.age_days;
    let gib = design.bytes_after(days) / BYTES_PER_GIB;
    let by_size = (gib * KIB_PER_GIB / PHYSICAL_CEILING_KIB).ceil();
    if by_size > MOST_PARTITIONS {
        return Err(format!(
            "after {days} days it stores {gib:.0} GiB, too much to be shown; give a shorter age"
        ));
    }
    let ru = design.ru_per_second.unwrap_or_else(|| least_ru(design, by_size));
    let of_new = if design.autoscale {
        PARTITION_RU_PER_SECOND
    } else {
        MANUAL_RU_PER_NEW_PARTITION
    };
    let partitions = (ru / of_new).ceil().max(by_size).clamp(1.0, MOST_PARTITIONS);
    let every_hours = (days * 24.0 / f64::from(READINGS + 1)).clamp(1.0, 168.0);
    let every_hours = u32::try_from(whole_u64(every_hours)).unwrap_or(1);
    let window = f64::from((READINGS - 1) * every_hours) / 24.0;
    let before = design.bytes_after((days - window).max(0.0)) / BYTES_PER_GIB;
    let gained = 1.0 - before / gib;
    let keys = keys(design, (gib, gained));
    let listed: f64 = keys.iter().map(|k| match k.gib {
        Amount::Each(gib) | Amount::Total(gib) => gib,
    }).sum();
    let paths: Vec<String> = design.key.iter().map(ToString::to_string).collect();
    Ok(ContainerSpec {
        name: design.container.clone(),
        throughput: if design.autoscale {
            Throughput::Autoscale { maximum: ru, now: None }
        } else {
            Throughput::Manual { ru_per_second: ru }
        },
        partitions: u32::try_from(whole_u64(partitions)).unwrap_or(1),
        readings: Readings {
            count: READINGS,
            every_hours,
            shown: SizePrecision::Exact,
        },
        unlisted_gib: (gib - listed).max(0.0),
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

/// RU/s that suffice if they are spread evenly, in steps as they are sold.
fn least_ru(design: &Design, partitions: f64) -> f64 {
    let queries = design.queries.iter().map(|query| {
        let visits = if query.is_targeted(&design.key) { 1.0 } else { partitions.max(1.0) };
        query.per_second * (query.ru + RU_PER_VISIT * (visits - 1.0))
    });
    let ru = design.point_ru() + queries.sum::<f64>();
    let [step, least] = if design.autoscale { [1_000.0; 2] } else { [100.0, 400.0] };
    (ru.max(least) / step).ceil() * step
}

/// The largest keys, each a group of its own; of keys with a period each period is one.
fn keys(design: &Design, (gib, gained): (f64, f64)) -> Vec<KeyGroup> {
    let days = design.kept_days().map_or(design.age_days, |kept| kept.min(design.age_days));
    let count = |days: f64| u32::try_from(whole_u64(days.ceil())).unwrap_or(1).clamp(1, 1_000);
    let period = design.key.iter().find_map(|path| {
        let at = path.top_name().and_then(|name| design.place(name))?;
        match design.properties.get(at)?.values {
            PropertyValues::Day => Some(ValueRange::Days(count(days))),
            PropertyValues::Month => Some(ValueRange::Months(count((days / 30.5).floor()))),
            PropertyValues::Drawn(_) => None,
        }
    });
    let periods = period.as_ref().map_or(1.0, ValueRange::count);
    let most = LISTED / usize::try_from(whole_u64(periods)).unwrap_or(1).clamp(1, LISTED);
    let loads = key_loads(design);
    let group = |owner: Owner| {
        let over = match &period {
            Some(ValueRange::Months(n)) => Some(ValueRange::Months(*n)),
            Some(ValueRange::Days(n)) => Some(ValueRange::Days(*n)),
            _ => None,
        };
        let axes = over.map(|over| Axis { name: "period".to_owned(), over });
        let load = |(operation, ru_per_s, ru_each): &(Operation, f64, f64)| KeyLoad {
            operation: *operation,
            ru_per_s: ru_per_s * owner.share,
            ru_each: *ru_each,
            ms_each: ms(*operation),
            spread: Spread::Even,
            minutes: None,
        };
        KeyGroup {
            load: loads.iter().map(load).collect(),
            key: owner.key,
            axes: axes.into_iter().collect(),
            gib: Amount::Total(gib * owner.share),
            spread: Spread::Even,
            gained,
            draws: Vec::new(),
        }
    };
    owners(design, most.max(1)).into_iter().map(group).collect()
}

fn ms(operation: Operation) -> f64 {
    if operation.adds_data() { MS_OF_WRITES } else { MS_OF_READS }
}

#[derive(Clone)]
struct Owner {
    key: Vec<String>,
    /// Text and share of the values that are known.
    known: BTreeMap<usize, (String, f64)>,
    share: f64,
}

/// The largest values of the key, as many as are listed; none where each document has its own.
fn owners(design: &Design, most: usize) -> Vec<Owner> {
    let mut found = vec![Owner {
        key: Vec::new(),
        known: BTreeMap::new(),
        share: 1.0,
    }];
    for path in &design.key {
        let Some(at) = path.top_name().and_then(|name| design.place(name)) else {
            return Vec::new();
        };
        if design.shares(at).is_some() {
            found = expanded(design, at, found, most);
        }
        for owner in &mut found {
            let text = owner.known.get(&at).map(|(text, _)| text.clone());
            owner.key.push(text.unwrap_or_else(|| "{period}".to_owned()));
        }
    }
    found
}

fn expanded(design: &Design, at: usize, owners: Vec<Owner>, most: usize) -> Vec<Owner> {
    let Some((shares, property)) = design.shares(at).zip(design.properties.get(at)) else {
        return owners;
    };
    let is_known = |owner: &Owner, at: usize| owner.known.contains_key(&at);
    let owners = match shares.within {
        Some(above) if owners.iter().any(|owner| !is_known(owner, above)) => {
            expanded(design, above, owners, most)
        }
        _ => owners,
    };
    let mut all = Vec::new();
    for owner in owners {
        if is_known(&owner, at) {
            all.push(owner);
            continue;
        }
        let above = shares.within.and_then(|above| owner.known.get(&above)).cloned();
        let of = above.as_ref().map(|(_, share)| shares.children(*share));
        let values = of.unwrap_or(shares.distinct);
        for rank in 1..=values.min(most as u64) {
            let part = match &above {
                Some(_) => shares.curve.share(rank, values),
                None => shares.share(rank),
            };
            let mut next = owner.clone();
            let text = text(shares, stem(&property.name), rank, above.as_ref().map(|a| a.0.as_str()));
            let of_all = part * above.as_ref().map_or(1.0, |(_, share)| *share);
            next.known.insert(at, (text, of_all));
            next.share *= part;
            all.push(next);
        }
    }
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all.truncate(most);
    all
}

/// RU/s of all keys together and RU of one request, by operation.
fn key_loads(design: &Design) -> Vec<(Operation, f64, f64)> {
    let point = |rate: fn(&Design, &Entity) -> f64, ru: &dyn Fn(&Entity) -> f64| {
        let rates = || design.entities.iter().map(|e| (rate(design, e), ru(e)));
        [rates().map(|(n, _)| n).sum::<f64>(), rates().map(|(n, ru)| n * ru).sum()]
    };
    let write_ru = |e: &Entity| design.write_ru(e.bytes);
    let read_ru = |e: &Entity| root(e.bytes);
    let targeted = || design.queries.iter().filter(|q| q.is_targeted(&design.key));
    let queries = [
        targeted().map(|q| q.per_second).sum(),
        targeted().map(|q| q.per_second * q.ru).sum(),
    ];
    let all = [
        (Operation::Create, point(|d, e| d.rates(e).writes, &write_ru)),
        (Operation::Replace, point(|d, e| d.rates(e).updates, &write_ru)),
        (Operation::Read, point(|d, e| d.rates(e).reads, &read_ru)),
        (Operation::Query, queries),
    ];
    let known = all.into_iter().filter(|(_, [n, ru])| *n > 0.0 && *ru > 0.0);
    known.map(|(operation, [n, ru])| (operation, ru, ru / n)).collect()
}

/// Requests of keys that are not listed, and those that every partition gets.
fn without_key(design: &Design, partitions: f64, keys: &[KeyGroup]) -> Vec<KeylessLoad> {
    let mut found = Vec::new();
    for (at, (operation, ru, ru_each)) in key_loads(design).into_iter().enumerate() {
        let listed: f64 = keys.iter().filter_map(|k| k.load.get(at)).map(|l| l.ru_per_s).sum();
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
    let crossing = design.queries.iter().filter(|q| !q.is_targeted(&design.key));
    found.extend(crossing.filter(|q| q.per_second > 0.0).map(|query| KeylessLoad {
        operation: Operation::Query,
        reach: Reach::EveryPartition,
        requests_per_s: query.per_second,
        ru_each: (query.ru + RU_PER_VISIT * (partitions - 1.0)) / partitions,
        ms_each: MS_OF_READS,
    }));
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
        let kept = ends.plus_seconds(-kept * 86_400.0).map_or(from, Stamp::seconds);
        let written = design.documents_after(entity, design.age_days) - entity.count;
        let parts = [
            (entity.count, [from - SECONDS_PER_DAY, from]),
            (written, [from.max(kept), to]),
        ];
        kinds.extend(parts.into_iter().filter(|(count, _)| *count > 0.0).map(
            |(count, span)| DocumentKind {
                count,
                bytes,
                span,
                fields: fields.clone(),
            },
        ));
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
    for property in entity.properties.iter().filter_map(|at| design.properties.get(*at)) {
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
        let has_alternatives = self.sql.split_whitespace().any(|w| w.eq_ignore_ascii_case("or"));
        let text: String = self.sql.split_whitespace().collect();
        let first = key.first().and_then(Path::top_name).unwrap_or_default();
        let named = [format!(".{first}="), format!("[\"{first}\"]=")];
        !has_alternatives && named.iter().any(|named| text.contains(named))
    }
}
