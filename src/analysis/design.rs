//! What a design comes to: data, requests, physical partitions and the dates of limits, each with its working. No document is
//! needed for any of it.

mod data_growth;
mod keys;
mod requests;
#[cfg(test)]
mod tests;

use crate::model::design::{Design, Entity};
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{
    PARTITION_RU_PER_SECOND, PHYSICAL_CEILING_KIB, counted, figure_text, input_kib_text,
    input_text, kib_text, percent_text, ratio_text, sized, trimmed_text, whole_text, whole_u64,
    with_unit,
};

use super::candidate::Candidate;
use super::ceiling::Ceiling;

use data_growth::DataCourse;
use requests::{keyed_ru, requests, ru};

pub use keys::DesignedKey;
pub use requests::query_visits;

const YEAR_DAYS: f64 = 365.0;
const GB: f64 = 1e9;

/// A number with how it comes about.
#[derive(Clone, PartialEq, Debug)]
pub struct DesignFigure {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    pub text: String,
    pub how: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FigureGroup {
    pub name: &'static str,
    pub figures: Vec<DesignFigure>,
}

/// When something holds so many bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FillTime {
    Days(f64),
    /// Never: it has these bytes at most.
    Level(f64),
}

impl FillTime {
    /// The time from the first document on, and the day where the first is known.
    pub fn text(self, starts: Option<Stamp>) -> String {
        let days = match self {
            Self::Days(days) => days,
            Self::Level(bytes) => return format!("never; at most {}", kib_text(bytes / 1024.0)),
        };
        let at = starts.and_then(|at| at.plus_seconds(days * DAY_S));
        let on = at.map_or(String::new(), |at| format!(", {}", at.date_text()));
        time_text(days) + &on
    }

    pub fn days(self) -> Option<f64> {
        match self {
            Self::Days(days) => Some(days),
            Self::Level(_) => None,
        }
    }
}

/// `20 min`, `14 hours`, `243 days`, `2.66 years`
pub fn time_text(days: f64) -> String {
    match days {
        ..0.08 => format!("{} min", whole_text(days * 1440.0)),
        ..2.0 => counted(whole_u64((days * 24.0).round()), "hour", "hours"),
        ..730.0 => counted(whole_u64(days.round()), "day", "days"),
        ..36_500.0 => format!("{} years", ratio_text(days / YEAR_DAYS)),
        _ => "> 100 years".to_owned(),
    }
}

/// GiB, and GB where they are to be compared with figures of others.
fn both(bytes: f64) -> String {
    format!("{} ({} GB)", kib_text(bytes / 1024.0), figure_text(bytes / GB))
}

fn figure(
    name: impl Into<String>,
    (value, unit): (f64, &'static str),
    text: impl Into<String>,
    how: impl Into<String>,
) -> DesignFigure {
    DesignFigure { name: name.into(), value, unit, text: text.into(), how: how.into() }
}

/// Everything that follows from the design alone.
pub fn figures(design: &Design, ceiling: Ceiling) -> Vec<FigureGroup> {
    let groups = [
        ("Data", data(design)),
        ("Requests", requests(design)),
        ("Physical partitions", partitions(design).unwrap_or_default()),
        ("Limits of the key", limits(design, ceiling)),
    ];
    let groups = groups.into_iter().filter(|(_, figures)| !figures.is_empty());
    groups.map(|(name, figures)| FigureGroup { name, figures }).collect()
}

fn data(design: &Design) -> Vec<DesignFigure> {
    let mut found = Vec::new();
    for entity in &design.entities {
        if let Some(owner) = entity.each.and_then(|at| design.properties.get(at)) {
            found.extend(of_owner(entity, &owner.name));
        }
        found.extend(of_entity(design, entity));
    }
    let of_day = move |e: &Entity| design.a_day(e) * e.bytes;
    let a_day: f64 = design.entities.iter().map(of_day).sum();
    let growing = move || design.entities.iter().filter(move |e| of_day(e) > 0.0);
    let sum: Vec<String> = growing().map(|e| input_kib_text(of_day(e) / 1024.0)).collect();
    let how = format!("{} of all entities", sum.join(" + "));
    found.push(figure("written a day", (a_day, "B/day"), both(a_day), how));
    let year = design.bytes_after(YEAR_DAYS);
    let left = |e: &Entity| design.documents_after(e, YEAR_DAYS)[0] * e.bytes;
    let left: f64 = design.entities.iter().map(left).sum();
    let start = (left > 0.0).then(|| input_kib_text(left / 1024.0) + " at the start");
    let written = growing().map(|e| {
        let days = e.kept_days.unwrap_or(YEAR_DAYS).min(YEAR_DAYS);
        format!("{} × {}", input_text(days), input_kib_text(of_day(e) / 1024.0))
    });
    let parts: Vec<String> = start.into_iter().chain(written).collect();
    found.push(figure("stored after a year", (year, "B"), both(year), parts.join(" + ")));
    found
}

/// Of one owner of an entity whose rates are of each.
fn of_owner(entity: &Entity, owner: &str) -> Vec<DesignFigure> {
    let seconds = entity.active * DAY_S;
    let [per_day, per_year] =
        [1.0, YEAR_DAYS].map(|days| entity.bytes * entity.writes * seconds * days);
    let inputs = [entity.bytes, entity.writes * 60.0, seconds / 60.0];
    let [bytes, a_minute, minutes] = inputs.map(input_text);
    let working = format!("{bytes} B × {a_minute} × {minutes} min");
    let [day, year] = [per_day, per_year].map(|bytes| kib_digits(bytes / 1024.0));
    let one = |period: &str, value: (f64, &'static str), text: String, how: String| {
        figure(format!("{} of one {owner}, a {period}", entity.name), value, text, how)
    };
    let of_day = format!("{working} = {day} a day");
    let of_year = format!("365 × {}", input_kib_text(per_day / 1024.0));
    vec![
        one("day", (per_day, "B/day"), day, of_day),
        one("year", (per_year, "B/year"), year, of_year),
    ]
}

/// With two digits behind the point: figures that people check by hand.
fn kib_digits(kib: f64) -> String {
    let (n, unit) = sized(kib);
    format!("{} {unit}", ratio_text(n))
}

fn of_entity(design: &Design, entity: &Entity) -> Vec<DesignFigure> {
    let rates = design.rates(entity);
    let name = &entity.name;
    let mut found = Vec::new();
    if entity.count > 0.0 {
        let bytes = entity.count * entity.bytes;
        let how = format!("{} × {} B", input_text(entity.count), input_text(entity.bytes));
        let text = kib_text(bytes / 1024.0);
        found.push(figure(format!("{name}, at the start"), (bytes, "B"), text, how));
    }
    if rates.writes <= 0.0 {
        return found;
    }
    let mean = rates.writes * entity.active;
    let is_plain = entity.each.is_none() && entity.active >= 1.0;
    let mut how = if is_plain {
        "as the design gives it".to_owned()
    } else {
        format!("{}/s", input_text(entity.writes))
    };
    if entity.each.is_some() {
        how = format!("{how} × {}", counted(whole_u64(rates.owners), "owner", "owners"));
    }
    if entity.active < 1.0 {
        how = format!("{how} × {} % of the day", input_text(entity.active * 100.0));
    }
    let text = format!("{}/s", figure_text(mean));
    found.push(figure(format!("{name} written"), (mean, "documents/s"), text, how));
    let bytes = mean * DAY_S * entity.bytes;
    let how = format!("{} B × {}/s × 86,400 s", input_text(entity.bytes), input_text(mean));
    found.push(figure(format!("{name} a day"), (bytes, "B/day"), both(bytes), how));
    if let Some(kept) = entity.kept_days {
        let level = bytes * kept;
        let days = with_unit(&input_text(kept), "day", "days");
        let how = format!("{days} × {} a day", input_kib_text(bytes / 1024.0));
        let text =
            format!("{} from day {} on", kib_text(level / 1024.0), trimmed_text(kept.ceil()));
        found.push(figure(format!("{name} stays at"), (level, "B"), text, how));
    }
    found
}

/// A figure, of little that it is little.
pub fn small_text(value: f64) -> String {
    if value < 0.1 { "< 0.1".to_owned() } else { figure_text(value) }
}

/// `12 %`, of little `1 in 200,000`.
pub fn share_text(share: f64) -> String {
    match share {
        0.0 => "one document".to_owned(),
        ..0.001 => format!("1 in {}", whole_text(1.0 / share)),
        _ => percent_text(share),
    }
}

/// None where no RU/s serve the demand.
fn partitions(design: &Design) -> Option<Vec<DesignFigure>> {
    let of_new = if design.autoscale { "10,000" } else { "6,000" };
    let now = design.plan(0.0, query_visits);
    let set = whole_text(now.ru_per_second?);
    let one = |name: &str, days: f64| {
        let stored = input_kib_text(design.bytes_after(days) / 1024.0);
        let how = format!("the larger of {set} RU/s ÷ {of_new} and {stored} ÷ 50 GiB, rounded up");
        let partitions = design.plan(days, query_visits).partitions;
        figure(name, (partitions, "partitions"), format!("≥ {}", whole_text(partitions)), how)
    };
    let full = now.partitions * PHYSICAL_CEILING_KIB * 1024.0;
    let of_all = format!("{} × 50 GiB", whole_text(now.partitions));
    let (splits, how) = DataCourse::of(design, 1.0, None).fill(full, &of_all);
    Some(vec![
        one("partitions at the start", 0.0),
        one("partitions after a year", YEAR_DAYS),
        figure(
            "all are full and split after",
            (splits.days().unwrap_or(f64::NAN), "days"),
            splits.text(design.starts),
            format!("{how}; sooner where keys are uneven"),
        ),
    ])
}

fn limits(design: &Design, ceiling: Ceiling) -> Vec<DesignFigure> {
    let key = Candidate::of_paths(design.key.iter().cloned());
    let Some(of) = DesignedKey::of(design, &key) else { return Vec::new() };
    let limit = input_kib_text(ceiling.bytes() / 1024.0);
    let one = |name: &str, share: f64| {
        let (time, how) = of.course(design, share).fill(ceiling.bytes(), &limit);
        figure(
            format!("{name} is full after"),
            (time.days().unwrap_or(f64::NAN), "days"),
            time.text(design.starts),
            format!("{how}; {} of all data", share_text(share)),
        )
    };
    let mut found = vec![one("the largest key", of.largest)];
    let mean = of.distinct.map(|keys| 1.0 / keys);
    let smaller = mean.filter(|mean| mean * 1.01 < of.largest);
    found.extend(smaller.map(|mean| one("a mean key", mean)));
    let keyed = keyed_ru(design);
    let how = format!(
        "{} % × {} RU/s that go to single keys; the limit of a key is {} RU/s",
        input_text(of.largest * 100.0),
        input_text(keyed),
        whole_text(PARTITION_RU_PER_SECOND)
    );
    found.push(ru("the hottest key", of.largest * keyed, how));
    found
}
