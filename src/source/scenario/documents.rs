//! The documents of a container: a sample by chance, each text made when it is asked for.

use std::collections::BTreeMap;

use super::document_spec::{DocumentKind, Draw, Field, Hours, KeySource, List, Shape};
use super::draws::{chosen, running_sums};
use super::filling::Pool;
use super::keys::{self, PlacedKey, Step};
use super::pattern::Pattern;
use super::random::Random;
use super::spec::{ContainerSpec, KeyGroup, Spec};
use crate::model::key::{Key, KeyDefinition, Part};
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{KIB_PER_GIB, whole_u64};
use crate::model::visible::json_escape_into;

/// Out of the way of the streams of keys, GUIDs and phases.
const DOCUMENT_STREAM: u64 = 3 << 32;
const BYTES_PER_KIB: f64 = 1024.0;
const MOST_DRAWN_BYTES: f64 = 268_435_456.0;
/// The parts of a document's key, as patterns name them.
const OF_KEY: [&str; 3] = ["key1", "key2", "key3"];
/// What its time gives, and a number of its own.
const OF_TIME: [&str; 5] = ["time", "date", "month", "epoch", "uuid"];

/// Compact JSON texts. The first of them are the same whatever their count.
#[derive(Debug)]
pub struct DocumentScenario {
    seed: u64,
    next: u64,
    count: u64,
    keys: Vec<PlacedKey>,
    /// Running sums of the sizes of the keys, or of the documents of each kind.
    up_to: Vec<f64>,
    plans: Vec<Plan>,
    lists: BTreeMap<String, List>,
    times: Times,
    bytes: [u32; 2],
    pool: Pool,
}

/// How documents of one group of keys are made.
#[derive(Debug)]
struct Plan {
    axes: Vec<Vec<Step>>,
    draws: Vec<Draw>,
    hours: Option<Hours>,
    /// Fields alternate with the texts between them: what stands before, and the value.
    fields: Vec<(String, ValueSpot, Pattern)>,
    after: String,
    kind: Option<DocumentKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueSpot {
    Quotes,
    Nothing,
}

#[derive(Debug)]
struct Times {
    end: i64,
    first_reading: i64,
    since: i64,
}

impl DocumentScenario {
    pub(super) fn new(
        spec: &Spec,
        described: &ContainerSpec,
        ends: Stamp,
        seed: u64,
        count: u64,
    ) -> Result<Self, String> {
        let keys = match described.documents.keys {
            KeySource::Listed => {
                keys::of(described, &KeyDefinition::of_new(described.paths.clone()), ends, seed)?
            }
            KeySource::OneEach => Vec::new(),
        };
        let groups = match described.documents.keys {
            KeySource::Listed => described.keys.iter().map(Some).collect(),
            KeySource::OneEach => vec![None],
        };
        let mut plans: Vec<Plan> = groups
            .into_iter()
            .map(|group| Plan::new(spec, described, (group, None), ends))
            .collect::<Result<_, _>>()?;
        let kinds = &described.documents.kinds;
        let mut up_to = running_sums(keys.iter().map(|key| key.kib));
        if !kinds.is_empty() {
            up_to = running_sums(kinds.iter().map(|kind| kind.count));
            let plan = |kind| Plan::new(spec, described, (None, Some(kind)), ends);
            plans = kinds.iter().map(plan).collect::<Result<_, _>>()?;
        }
        Ok(Self {
            seed,
            next: 0,
            count: count.min(most_documents(spec, described)),
            up_to,
            keys,
            plans,
            lists: spec.documents.lists.clone(),
            times: Times::new(described, ends),
            bytes: spec.documents.bytes,
            pool: Pool::new(&spec.documents.filler, spec.documents.bytes[1], seed),
        })
    }

    fn document(&self, number: u64) -> Option<String> {
        let mut random = Random::new(self.seed, DOCUMENT_STREAM + number);
        let share = random.share();
        let place = chosen(&self.up_to, share);
        let key = self.keys.get(place);
        let plan = self.plans.get(key.map_or(place, |key| key.group))?;
        let mut values = key.map_or_else(Vec::new, |key| plan.of_key(key));
        for draw in &plan.draws {
            values.push(draw.draw(number, &values, &self.lists, &mut random));
        }
        let window = plan.hours.as_ref().and_then(|h| h.window(&values));
        let second = match &plan.kind {
            Some(kind) => kind.span[0] + below(kind.span[1] - kind.span[0], &mut random),
            None => self.times.moment(key, window, &mut random),
        };
        let at = Stamp::from_seconds(second)?;
        let date = at.date_text();
        let month = date.get(..7).unwrap_or_default().to_owned();
        values.extend([at.rfc3339(), date, month, second.to_string(), random.uuid()]);
        let mut out = String::new();
        plan.write(&values, &mut out);
        let bytes = plan.kind.as_ref().map_or(self.bytes, |kind| [kind.bytes; 2]);
        let [low, high] = bytes.map(u64::from);
        let target = low + random.below(high.saturating_sub(low) + 1);
        self.pool.fill(target, &mut out, &mut random);
        Some(out)
    }
}

impl Iterator for DocumentScenario {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.next == self.count {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.document(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.count - self.next);
        (0, left.ok())
    }
}

/// How many documents fill the container as far as it is full.
pub(super) fn stored(spec: &Spec, described: &ContainerSpec) -> u64 {
    let kinds = &described.documents.kinds;
    if !kinds.is_empty() {
        return whole_u64(kinds.iter().map(|kind| kind.count).sum::<f64>().round());
    }
    let listed: f64 = described.keys.iter().map(keys::total_kib).sum();
    let [low, high] = spec.documents.bytes.map(f64::from);
    let bytes = (listed + described.unlisted_gib * KIB_PER_GIB) * BYTES_PER_KIB;
    whole_u64((bytes / f64::midpoint(low, high)).round())
}

/// As many as are stored, and of a design no more than are made in a few seconds.
fn most_documents(spec: &Spec, described: &ContainerSpec) -> u64 {
    let kinds = &described.documents.kinds;
    let stored = stored(spec, described);
    let bytes: f64 = kinds.iter().map(|k| k.count * f64::from(k.bytes)).sum();
    if bytes <= MOST_DRAWN_BYTES {
        return stored;
    }
    let part = MOST_DRAWN_BYTES / bytes;
    whole_u64(kinds.iter().map(|k| k.count * part).sum::<f64>()).max(1)
}

impl Plan {
    /// Values are known in this order: parts of the key, axes, draws, and what the time of the document gives.
    fn new(
        spec: &Spec,
        described: &ContainerSpec,
        (group, kind): (Option<&KeyGroup>, Option<&DocumentKind>),
        ends: Stamp,
    ) -> Result<Self, String> {
        let mut names = Vec::new();
        if let Some(group) = group {
            names.extend(OF_KEY.map(str::to_owned));
            names.extend(group.axes.iter().map(|axis| axis.name.clone()));
        }
        let of_group = group.map(|g| g.draws.as_slice()).unwrap_or_default();
        let own = &described.documents;
        let mut draws = Vec::new();
        for draw in of_group.iter().chain(&own.draws).chain(&spec.documents.draws) {
            let mut draw = draw.clone();
            draw.bind(&names, &spec.documents.lists)?;
            names.push(draw.name.clone());
            draws.push(draw);
        }
        let mut hours = spec.documents.hours.clone();
        if let Some(hours) = &mut hours {
            hours.by.bind(&names)?;
            hours.turns.bind(&names)?;
        }
        names.extend(OF_TIME.map(str::to_owned));
        let mut plan = Self {
            axes: group.map(|g| keys::axes(g, ends)).unwrap_or_default(),
            draws,
            hours,
            fields: Vec::new(),
            after: String::new(),
            kind: kind.cloned(),
        };
        let mut before = String::from("{");
        let of_kind = kind.map(|kind| kind.fields.as_slice()).unwrap_or_default();
        let fields = spec.documents.fields.iter().chain(&own.fields);
        for field in fields.chain(of_kind) {
            plan.field(field, &mut before, &names)?;
        }
        plan.after = before;
        Ok(plan)
    }

    fn field(
        &mut self,
        field: &Field,
        before: &mut String,
        names: &[String],
    ) -> Result<(), String> {
        push_name(&field.name, before);
        let (quote, inside, text) = match &field.is {
            Shape::Text(text) => ("\"", ValueSpot::Quotes, text),
            Shape::Number(text) => ("", ValueSpot::Nothing, text),
            Shape::Object(fields) => {
                before.push('{');
                for field in fields {
                    self.field(field, before, names)?;
                }
                before.push('}');
                return Ok(());
            }
        };
        before.push_str(quote);
        let mut pattern = text.clone();
        pattern.bind(names)?;
        self.fields.push((std::mem::take(before), inside, pattern));
        before.push_str(quote);
        Ok(())
    }

    fn of_key(&self, key: &PlacedKey) -> Vec<String> {
        let known = Key::from_canonical(&key.canonical);
        let parts = known.as_ref().map(Key::parts).unwrap_or_default();
        let text = |place: usize| match parts.get(place) {
            Some(Part::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        let mut values: Vec<String> = (0..OF_KEY.len()).map(text).collect();
        let (steps, _) = keys::combination(&self.axes, key.number);
        values.extend(steps.into_iter().map(|step| step.text.clone()));
        values
    }

    fn write(&self, values: &[String], out: &mut String) {
        let mut value = String::new();
        for (before, inside, pattern) in &self.fields {
            out.push_str(before);
            if *inside == ValueSpot::Quotes {
                value.clear();
                pattern.push(values, &mut value);
                json_escape_into(&value, out);
            } else {
                pattern.push(values, out);
            }
        }
        out.push_str(&self.after);
    }
}

/// A comma where a field stands before, and the name.
pub(super) fn push_name(name: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push('"');
    json_escape_into(name, out);
    out.push_str("\":");
}

impl Times {
    fn new(described: &ContainerSpec, ends: Stamp) -> Self {
        let readings = &described.readings;
        let span = i64::from(readings.every_hours) * i64::from(readings.count.saturating_sub(1));
        let since = ends.plus_seconds(-described.documents.since_hours * 3600.0);
        Self {
            end: ends.seconds(),
            first_reading: ends.seconds() - span * 3600,
            since: since.unwrap_or(ends).seconds(),
        }
    }

    /// In the period of its key, or as the key grew: what it gained since the first reading came evenly, and so did the rest before.
    fn moment(
        &self,
        key: Option<&PlacedKey>,
        window: Option<[u32; 2]>,
        random: &mut Random,
    ) -> i64 {
        let (from, to) = match key {
            Some(PlacedKey { period: Some(period), .. }) => *period,
            Some(key) if random.share() < key.gained => (self.first_reading, self.end),
            Some(_) => (self.since, self.first_reading),
            None => (self.since, self.end),
        };
        let second = from + below(to - from, random);
        match window {
            Some([start, minutes]) => {
                let midnight = second.div_euclid(SECONDS_PER_DAY) * SECONDS_PER_DAY;
                midnight + i64::from(start) * 60 + below(i64::from(minutes) * 60, random)
            }
            None => second,
        }
    }
}

impl Hours {
    fn window(&self, values: &[String]) -> Option<[u32; 2]> {
        let windows = self.windows.get(&self.by.fill(values))?;
        let turns = self.turns.fill(values);
        let digits = turns.trim_start_matches(|c: char| !c.is_ascii_digit());
        let turn: usize = digits.parse().unwrap_or_default();
        windows.get(turn.checked_rem(windows.len())?).copied()
    }
}

fn below(seconds: i64, random: &mut Random) -> i64 {
    let chosen = random.below(u64::try_from(seconds).unwrap_or_default());
    i64::try_from(chosen).unwrap_or_default()
}
