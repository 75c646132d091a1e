//! A container as inputs show it: what the simulation starts from.

use std::collections::HashMap;

use super::{KeyPeriod, LapseStart, SimulateQuestion, StartKey, StartPartition};
use crate::analysis::candidate::Candidate;
use crate::analysis::columns::Lookups;
use crate::analysis::demand::{Demand, Evidence, evidence_text};
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::diagnosis::{Diagnoses, WholeDemand};
use crate::analysis::forecast::{PartitionGrowth, Retention};
use crate::analysis::growth::{Growth, LimitDate};
use crate::analysis::heat::Heat;
use crate::analysis::outlook::Outlook;
use crate::analysis::routing::periods::named_in_key;
use crate::analysis::rows::Note;
use crate::analysis::usage::{item_kib, stored_kib};
use crate::model::account::Setting;
use crate::model::capture::{Capture, Container};
use crate::model::key::Key;
use crate::model::logical::KeyView;
use crate::model::physical::Throughput;
use crate::model::sample::latest;
use crate::model::time::{DAY_S, HOUR_S, SECONDS_PER_HOUR, Stamp};
use crate::model::units::{counted, real_seconds, trimmed_text, whole_text};

const NO_LOAD: &str = "No input shows the RU/s that clients request: throttling is not simulated.";
const NO_RU: &str = "RU/s of the partitions are unknown: throttling is not simulated.";
const PEAKS: &str =
    "Load is the busiest second of each step of the metric: at most so much is throttled.";
const AT_LEAST: &str =
    "Partitions were at their limit and no 429s are known: the load is at least this.";
const DEFAULT: &str = "Documents end by the default time to live of the container.";
const NEW_KEYS: &str = "Keys that do not exist yet are not simulated.";

/// With the index of its partition.
type SeenKey<'a> = (KeyView<'a>, Option<usize>, Outlook<'a>);

/// A size on its line at another moment.
fn at(growth: &Growth, moment: Stamp) -> f64 {
    let kib = growth.newest_kib + growth.kib_per_day * moment.days_since(growth.newest_at);
    kib.max(0.0)
}

/// What of the keys is unknown.
#[derive(Default)]
struct KeyCounts {
    unknown: u64,
    shrinking: u64,
}

impl LapseStart {
    /// Of these containers the one with the largest key; where no keys are known, the one that stores most.
    pub fn worst(capture: &Capture, numbers: &[u32]) -> Option<u32> {
        let mut largest: HashMap<u32, f64> = HashMap::new();
        for (_, view) in capture.sizes.iter() {
            let newest = view.series().filter_map(|series| latest(series.samples));
            let held = largest.entry(view.container()).or_default();
            *held = newest.map(|sample| sample.kib).fold(*held, f64::max);
        }
        let rank = |number: u32| {
            let key = largest.get(&number).copied();
            [key, stored_kib(capture, number)].map(|kib| kib.unwrap_or(0.0))
        };
        let all = numbers.iter().copied();
        all.reduce(|held, other| if rank(other) > rank(held) { other } else { held })
    }

    /// None where there is no such container.
    pub fn of(
        capture: &Capture,
        number: u32,
        (heat, lookups, thresholds): (&Heat, &Lookups, &Thresholds),
        asked: &SimulateQuestion,
        as_of: Option<Stamp>,
    ) -> Option<Self> {
        let container = capture.container(number)?;
        let load = Diagnoses::whole_load(capture, number, (heat, lookups, thresholds))?;
        let seen = load.demand.as_ref().map(|demand| demand.span.1);
        let mut moment = as_of.or(seen.and_then(Stamp::from_seconds));
        let mut found: Vec<SeenKey<'_>> = Vec::new();
        let mut growth = PartitionGrowth::default();
        for (_, view) in capture.sizes.iter().filter(|(_, v)| v.container() == number) {
            let Some((place, outlook)) = lookups.outlook(capture, &view) else {
                continue;
            };
            let owner = place.owner.map(|(owner, _)| owner);
            if let Some(owner) = owner {
                growth.add((number, owner), outlook.now.latest.kib, outlook.gained.as_ref());
            }
            if as_of.is_none() {
                moment = moment.max(outlook.now.newest.at());
            }
            found.push((view, owner, outlook));
        }
        // Tables come in another order each time.
        found.sort_by(|a, b| a.0.canonical().cmp(b.0.canonical()));
        let mut counts = KeyCounts::default();
        let places = load.known.iter().zip(0_u32..);
        let places = places.filter_map(|(known, place)| Some(((*known)?, place)));
        let places: HashMap<usize, u32> = places.collect();
        let keys = found.iter().map(|(view, owner, outlook)| {
            let place = owner.and_then(|owner| places.get(&owner).copied());
            StartKey {
                partition: place,
                epk: lookups.places.epk(number, view.canonical()),
                ..counts.key(view, outlook, moment)
            }
        });
        let keys = keys.collect();
        let key = container.definition.as_ref().and_then(Candidate::of_definition);
        let mut start = Self {
            name: container.name.clone(),
            key: key.map(|key| key.to_string()),
            at: moment,
            definition: container.definition.clone(),
            layout: load.partitions.layout.clone(),
            keys,
            item_kib: item_kib(capture, number),
            provisioned: load.partitions.provisioned,
            autoscale: autoscale(container),
            retention: Retention::of(container, asked.kept_days),
            retries: Some(thresholds.retries(&capture.load, number).whole_times()),
            is_burst: capture
                .account_of(&container.name)
                .is_some_and(|account| account.is(Setting::Burst) == Some(true)),
            ..Self::default()
        };
        start.partitions = start_partitions(&load, capture, number, (&growth, &found), moment);
        start.load_notes = load_notes(&load, asked);
        start.notes = notes(&counts, &start);
        start.demand = load.demand;
        Some(start)
    }
}

fn start_partitions(
    load: &WholeDemand,
    capture: &Capture,
    number: u32,
    (growth, keys): (&PartitionGrowth, &[SeenKey<'_>]),
    moment: Option<Stamp>,
) -> Vec<StartPartition> {
    // What is written to a full key is in no size.
    let mut unstored: HashMap<usize, f64> = HashMap::new();
    for (_, owner, key) in keys.iter().filter(|(.., key)| key.full_since.is_some()) {
        let [written, gained] = [key.growth, key.gained].map(|g| g.map_or(0.0, |g| g.kib_per_day));
        if let Some(owner) = owner {
            *unstored.entry(*owner).or_default() += written - gained;
        }
    }
    let growing = growth.futures(capture, number, (1.0, f64::INFINITY));
    let sizes: HashMap<usize, (Option<f64>, Option<Growth>)> =
        growing.into_iter().map(|p| (p.at, (Some(p.kib), p.growth))).collect();
    let partition = |(place, id): (u32, &String)| {
        let known = load.known.get(place as usize).copied().flatten();
        let more = known.and_then(|at| unstored.get(&at)).unwrap_or(&0.0);
        let (kib, growth) = known.and_then(|at| sizes.get(&at).copied()).unwrap_or_default();
        let now = growth.zip(moment).map(|(growth, moment)| at(&growth, moment));
        StartPartition {
            id: id.clone(),
            kib: now.or(kib),
            kib_per_day: growth.map(|g| g.kib_per_day + more),
            ru_per_second: load.partitions.capacity(place),
        }
    };
    (0_u32..).zip(&load.partitions.ids).map(partition).collect()
}

impl KeyCounts {
    fn key(&mut self, view: &KeyView<'_>, of: &Outlook<'_>, moment: Option<Stamp>) -> StartKey {
        let is_over = of.limit_date == LimitDate::Over;
        let ended = of
            .period_end
            .zip(moment)
            // What was read to the very end of its period goes on with the next one.
            .is_some_and(|(end, now)| end < now);
        let growth = of.growth.filter(|_| !ended);
        let now = growth.zip(moment).map(|(growth, moment)| at(&growth, moment));
        match growth {
            None if !ended => self.unknown += 1,
            Some(growth) if growth.kib_per_day < 0.0 => self.shrinking += 1,
            _ => {}
        }
        let grows = growth.is_some_and(|growth| growth.kib_per_day > 0.0);
        let ends = of.period_end.zip(moment).filter(|_| !ended);
        StartKey {
            canonical: view.canonical().into(),
            kib: now.filter(|_| grows && !is_over).unwrap_or(of.now.latest.kib),
            kib_per_day: growth.map(|g| g.kib_per_day),
            ends_s: ends.map(|(end, now)| end.seconds().saturating_sub(now.seconds())),
            period: of.period_end.and_then(|end| period(view.canonical(), end)),
            is_full: is_over,
            ..StartKey::default()
        }
    }
}

/// The date in a key that ends then.
fn period(canonical: &str, end: Stamp) -> Option<KeyPeriod> {
    let key = Key::from_canonical(canonical)?;
    let (level, (unit, ..)) = named_in_key(&key).find(|(_, (.., ends))| *ends == end)?;
    Some(KeyPeriod { unit, level })
}

fn autoscale(container: &Container) -> Option<f64> {
    match container.throughput?.throughput {
        Throughput::Autoscale { maximum, .. } => Some(maximum),
        Throughput::Manual { .. } => None,
    }
}

fn load_notes(load: &WholeDemand, asked: &SimulateQuestion) -> Vec<Note> {
    let Some(demand) = &load.demand else {
        return vec![Note::new(NO_LOAD)];
    };
    let has_ru = load.partitions.capacities.is_some();
    let is_peak = has_ru && demand.evidence == Evidence::Metric;
    let more = [(!has_ru, NO_RU), (is_peak, PEAKS), (!load.is_known, AT_LEAST)];
    let more = more.into_iter().filter(|(is_so, _)| *is_so).map(|(_, note)| note.to_owned());
    [load_note(demand, asked)].into_iter().chain(more).map(Note::new).collect()
}

fn notes(counts: &KeyCounts, start: &LapseStart) -> Vec<Note> {
    let mut notes = Vec::new();
    if start.retention.is_some_and(|kept| kept.is_default) {
        notes.push(DEFAULT.to_owned());
    }
    if counts.unknown > 0 {
        let keys = counted(counts.unknown, "key", "keys");
        notes.push(format!("{keys} of unknown growth: sizes stay as they are."));
    }
    if counts.shrinking > 0 {
        let keys = counted(counts.shrinking, "key that shrinks", "keys that shrink");
        notes.push(format!("{keys}: sizes stay as they are."));
    }
    let is_known = |p: &&StartPartition| p.kib_per_day.is_none();
    let unknown = start.partitions.iter().filter(is_known).count() as u64;
    if unknown > 0 {
        let partitions = counted(unknown, "partition", "partitions");
        notes.push(format!("{partitions} of unknown growth: only reported keys make them grow."));
    }
    if start.keys.iter().any(|key| key.period.is_none()) {
        notes.push(NEW_KEYS.to_owned());
    }
    notes.into_iter().map(Note::new).collect()
}

/// `Load: RU log, 1 s; its 900 s are repeated, times 10.`
fn load_note(demand: &Demand, asked: &SimulateQuestion) -> String {
    let seconds = demand.span.1.saturating_sub(demand.span.0);
    let span = match seconds {
        s if s >= 2 * 86_400 => format!("{} days", trimmed_text(real_seconds(s) / DAY_S)),
        s if s >= 7_200 => format!("{} h", trimmed_text(real_seconds(s) / HOUR_S)),
        s => format!("{} s", whole_text(real_seconds(s))),
    };
    // Of less no hour is seen as a whole.
    let short = if seconds < SECONDS_PER_HOUR {
        " So short a log shows little of other times."
    } else {
        ""
    };
    let times = if (asked.load_factor - 1.0).abs() < f64::EPSILON {
        String::new()
    } else {
        format!(", times {}", trimmed_text(asked.load_factor))
    };
    format!("Load: {}; its {span} are repeated{times}.{short}", evidence_text(demand))
}
