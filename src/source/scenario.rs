//! Built-in scenarios: the classic cases of partitioning as captures, computed from short descriptions and a fixed seed.

mod designed;
mod document_spec;
mod documents;
mod draws;
mod filling;
mod keys;
mod pattern;
mod queries;
pub(in crate::source) mod random;
mod ranges;
mod requests;
mod sizes;
mod spec;
#[cfg(test)]
mod tests;

use std::path::Path as FilePath;
use std::sync::{Mutex, PoisonError};

use super::{design, input, small_file};
use crate::error::{Error, usage};
use crate::model::account::{Account, Setting};
use crate::model::capture::{CaptureBuilder, Grade, SourceInfo};
use crate::model::design::{Design, DesignQuery, QueryRouter};
use crate::model::key::KeyDefinition;
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, Throughput, ThroughputSettings, TimeToLive, Usage};
use crate::model::time::Stamp;
use crate::model::units::{KIB_PER_GIB, PARTITION_RU_PER_SECOND, whole_u64};
use crate::model::visible::visible;

pub use documents::DocumentScenario;
pub use queries::QuerySpec;
pub use spec::Operation;

use keys::PlacedKey;
use ranges::Range;
use spec::{ContainerSpec, Spec};

/// What to do with the list of scenarios; the first of them is meant.
pub const START_WITH: &str = "Start with night: a hot partition at peak.";

/// In the order in which they are best told.
const SCENARIOS: [(&str, &str); 14] = [
    ("night", include_str!("../../assets/scenarios/night.toml")),
    ("tenants", include_str!("../../assets/scenarios/tenants.toml")),
    ("launch", include_str!("../../assets/scenarios/launch.toml")),
    ("food", include_str!("../../assets/scenarios/food.toml")),
    ("car", include_str!("../../assets/scenarios/car.toml")),
    ("plants", include_str!("../../assets/scenarios/plants.toml")),
    ("events", include_str!("../../assets/scenarios/events.toml")),
    ("customers", include_str!("../../assets/scenarios/customers.toml")),
    ("suffix", include_str!("../../assets/scenarios/suffix.toml")),
    ("users", include_str!("../../assets/scenarios/users.toml")),
    ("fanout", include_str!("../../assets/scenarios/fanout.toml")),
    ("index", include_str!("../../assets/scenarios/index.toml")),
    ("bucket", include_str!("../../assets/scenarios/bucket.toml")),
    ("burst", include_str!("../../assets/scenarios/burst.toml")),
];

/// For what does not depend on where queries go.
const ONE_PARTITION: QueryRouter = |_: &Design, _: &DesignQuery, _| 1.0;

/// Enough documents to judge a key by: every key with a thousandth of the data is among them.
pub const SAMPLE_DOCUMENTS: u64 = 100_000;

/// What a list of scenarios shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioInfo {
    pub name: &'static str,
    pub title: String,
    /// One or two sentences: what there is to see.
    pub look_at: String,
}

/// Read from their first lines: the screens begin with it.
pub fn list() -> Vec<ScenarioInfo> {
    let info = |(name, text): &(&'static str, &str)| ScenarioInfo {
        name,
        title: small_file::field(text, "title"),
        look_at: small_file::field(text, "look_at"),
    };
    SCENARIOS.iter().map(info).collect()
}

/// Puts a whole scenario into the builder and settles its facts. Nothing else is needed before `finish`.
///
/// RU by key is what clients ask for, throttled requests included and those to full keys not; requests by status carry only what was charged.
/// The queries of a design go where `router` says.
pub fn load(
    name: &str,
    router: QueryRouter,
    builder: &CaptureBuilder,
) -> Result<ScenarioInfo, Error> {
    let (name, spec) = read(name, router)?;
    let broken = |what: String| broken(name, &what);
    let mut info = SourceInfo {
        path: format!("scenario {name}"),
        shape: "scenario".to_owned(),
        ..SourceInfo::default()
    };
    info.grade = Some(Grade::Computed);
    let source = builder.add_source(info);
    let ends = spec.ends().ok_or_else(|| broken("its end is not a date".to_owned()))?;
    let region =
        builder.region(&spec.region).ok_or_else(|| broken("too many regions".to_owned()))?;
    let mut rows = 0;
    for (number, described) in spec.containers.iter().enumerate() {
        let container =
            ContainerName::new(Some(&spec.account), Some(&spec.database), Some(&described.name));
        let id = builder
            .container(&container)
            .ok_or_else(|| broken("too many containers".to_owned()))?;
        let place = Place { container: id, region, source };
        let made =
            PlannedContainer::new(described, place, spec.seed_of(number), ends).map_err(broken)?;
        rows += sizes::write(&made, builder);
        builder.load(|load| requests::write(&made, &spec, load));
        builder.facts(made.facts(container), "", source);
    }
    builder.load(|load| load.retries = Some(spec.retries));
    if spec.containers.iter().any(|c| c.is_burst) {
        let settings = vec![(Setting::Burst, true)];
        builder.account(Account::new(Some(&spec.account), settings, Vec::new()), source);
    }
    builder.update_source(source, |info| {
        info.rows = rows;
        info.notes.clone_from(&spec.notes);
    });
    let pending = builder.settle(None);
    builder.apply_pending(&pending);
    Ok(spec.info(name))
}

/// A sample of the documents of a container, by chance, so that keys have documents as they have data; never more
/// than the container holds.
pub fn documents(name: &str, container: &str, count: u64) -> Result<DocumentScenario, Error> {
    let (name, spec) = read(name, ONE_PARTITION)?;
    let (number, described) = one(name, &spec, container)?;
    let ends = spec.ends().ok_or_else(|| broken(name, "its end is not a date"))?;
    DocumentScenario::new(&spec, described, ends, spec.seed_of(number), count)
        .map_err(|what| broken(name, &what))
}

/// The only container of a scenario; else says which there are.
pub fn only_container(name: &str) -> Result<String, Error> {
    let (name, spec) = read(name, ONE_PARTITION)?;
    let names: Vec<&str> = spec.containers.iter().map(|c| c.name.as_str()).collect();
    match names.as_slice() {
        [only] => Ok((*only).to_owned()),
        _ => Err(usage(
            format!("the scenario {name} has several containers"),
            format!("--container takes one of {}", names.join(", ")),
        )),
    }
}

/// How many documents a container holds at the mean size of those in its sample.
pub fn stored_documents(name: &str, container: &str) -> Result<u64, Error> {
    let (name, spec) = read(name, ONE_PARTITION)?;
    let (_, described) = one(name, &spec, container)?;
    Ok(documents::stored(&spec, described))
}

/// Keys that are worth trying in place of the container's own, as texts.
pub fn keys_to_try(name: &str, container: &str) -> Vec<String> {
    of_container(name, container, |described| described.try_keys.clone())
}

/// What applications ask of a container; nothing where there is no such container.
pub fn queries(name: &str, container: &str) -> Vec<QuerySpec> {
    of_container(name, container, |described| described.queries.clone())
}

fn of_container<T>(
    name: &str,
    container: &str,
    listed: impl Fn(&ContainerSpec) -> Vec<T>,
) -> Vec<T> {
    let found = read(name, ONE_PARTITION)
        .and_then(|(name, spec)| Ok(listed(one(name, &spec, container)?.1)));
    found.unwrap_or_default()
}

/// A built-in scenario, else the file of a design.
fn read(name: &str, router: QueryRouter) -> Result<(&'static str, Spec), Error> {
    let Some((name, text)) = SCENARIOS.iter().find(|(known, _)| *known == name) else {
        let (design, name) = (design_of(name)?, remembered(name));
        let fault = |what| Error::refused(input::shown(FilePath::new(name)), what, HOW_DESIGNED);
        return Ok((name, designed::spec(&design, router).map_err(fault)?));
    };
    let spec = Spec::parse(text).map_err(|what| broken(name, &what))?;
    Ok((name, spec))
}

const HOW_DESIGNED: &str = "cosmoscope design --new prints a complete file with every field";

/// The design behind a name, also a template; of a name that is no file says which scenarios there are.
pub fn design_of(name: &str) -> Result<Design, Error> {
    let templates = || {
        let found = design::TEMPLATES.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned())
    };
    let text = kept_text(name).or_else(templates);
    let text = text.map_or_else(|| design_text(name), Ok)?;
    checked(name, &text)
}

/// The path of a design: whatever it is called, it is no built-in scenario.
pub fn as_path(name: &str) -> String {
    if name.contains(['.', '/']) { name.to_owned() } else { format!("./{name}") }
}

/// The file of a design as it is written, once it is known to be usable.
pub fn design_file(path: &str) -> Result<String, Error> {
    let name = as_path(path);
    let text = design_text(&name)?;
    checked(&name, &text).map(|_| text)
}

fn checked(name: &str, text: &str) -> Result<Design, Error> {
    let path = input::shown(FilePath::new(name));
    design::parse(text).map_err(|fault| Error::refused(path, visible(&fault.what), &fault.next))
}

#[expect(clippy::disallowed_methods, reason = "whether a name is that of a file")]
fn design_text(name: &str) -> Result<String, Error> {
    let path = FilePath::new(name);
    let is_path = name.contains(['.', '/', '\\']) || path.is_file();
    if !is_path {
        return Err(unknown(name));
    }
    let nexts = ["give the file of a design, such as shop.toml", HOW_DESIGNED];
    small_file::text(path, nexts)
}

/// Designs that are in no file, by the names that stand for them wherever a scenario has one.
static KEPT: Mutex<Vec<(&'static str, String)>> = Mutex::new(Vec::new());

/// Gives a design that is in no file a name, the same one to the same text; few are ever opened.
pub fn keep_design(title: &str, text: &str) -> &'static str {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((name, _)) = kept.iter().find(|(_, held)| held == text) {
        return name;
    }
    let name: &'static str = format!("{title} (design {})", kept.len() + 1).leak();
    kept.push((name, text.to_owned()));
    name
}

fn kept_text(name: &str) -> Option<String> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| text.clone())
}

/// The design behind a name; nothing of a built-in scenario.
pub fn assumed(name: &str) -> Result<Option<Design>, Error> {
    if SCENARIOS.iter().any(|(known, _)| *known == name) {
        return Ok(None);
    }
    design_of(name).map(Some)
}

/// A path that lives as long as the names of the built-in scenarios; few are ever opened.
fn remembered(name: &str) -> &'static str {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let kept: &'static str = name.to_owned().leak();
    names.push(kept);
    kept
}

/// The name of a scenario or the path of a design, once it is known to be usable.
pub fn named(name: &str) -> Result<&'static str, Error> {
    read(name, ONE_PARTITION).map(|(name, _)| name)
}

fn broken(name: &str, what: &str) -> Error {
    if !SCENARIOS.iter().any(|(known, _)| *known == name) {
        return Error::refused(input::shown(FilePath::new(name)), what, HOW_DESIGNED);
    }
    Error::input(format!("the built-in scenario {name} cannot be used: {what}"))
}

fn one<'a>(
    name: &str,
    spec: &'a Spec,
    container: &str,
) -> Result<(usize, &'a ContainerSpec), Error> {
    let mut all = spec.containers.iter().enumerate();
    all.find(|(_, described)| described.name == container).ok_or_else(|| {
        let names: Vec<&str> = spec.containers.iter().map(|c| c.name.as_str()).collect();
        let what = format!("the scenario {name} has no container");
        Error::unknown(&what, container, &names, |names| format!("its containers are {names}"))
    })
}

/// Where the rows of a container go.
#[derive(Clone, Copy, Debug)]
struct Place {
    container: u32,
    region: u16,
    source: u16,
}

/// A container worked out: its keys on its physical partitions.
#[derive(Debug)]
struct PlannedContainer<'a> {
    spec: &'a ContainerSpec,
    place: Place,
    definition: KeyDefinition,
    ends: Stamp,
    seed: u64,
    keys: Vec<PlacedKey>,
    ranges: Vec<Range>,
}

impl<'a> PlannedContainer<'a> {
    fn new(spec: &'a ContainerSpec, place: Place, seed: u64, ends: Stamp) -> Result<Self, String> {
        let definition = KeyDefinition::of_new(spec.paths.clone());
        let mut keys = keys::of(spec, &definition, ends, seed)?;
        let ranges = ranges::of(spec, &definition, &mut keys, seed)?;
        Ok(Self { spec, place, definition, ends, seed, keys, ranges })
    }

    /// Documents of a design, without those that full keys did not take.
    fn usage(&self) -> Option<Usage> {
        let kinds = self.spec.documents.kinds.iter();
        let sums = kinds.map(|kind| [kind.count, kind.count * f64::from(kind.bytes)]);
        let [documents, bytes] = sums.fold([0.0; 2], |[n, all], [more, b]| [n + more, all + b]);
        let kib: f64 = self.ranges.iter().map(|r| r.kib).sum();
        (bytes > 0.0).then(|| Usage {
            documents: Some(whole_u64(documents * kib * 1024.0 / bytes)),
            kib: None,
        })
    }

    fn facts(&self, name: ContainerName) -> ContainerFacts {
        ContainerFacts {
            name,
            definition: Some(self.definition.clone()),
            throughput: Some(self.throughput()),
            partitions: self.ranges.iter().map(Range::partition).collect(),
            usage: self.usage(),
            lifetime: (self.spec.is_expiring).then_some(TimeToLive::On { default_seconds: None }),
            at: Some(self.ends),
            ..ContainerFacts::default()
        }
    }

    /// The minimum follows the documented rule: 1 RU/s for each GB stored and a hundredth of the highest ever set, with
    /// autoscale ten times both, and never below 400 or 1,000.
    fn throughput(&self) -> ThroughputSettings {
        let gib: f64 = self.ranges.iter().map(|r| r.kib).sum::<f64>() / KIB_PER_GIB;
        let minimum = match self.spec.throughput {
            Throughput::Manual { ru_per_second } => gib.max(ru_per_second / 100.0).max(400.0),
            Throughput::Autoscale { maximum, .. } => (gib * 10.0).max(maximum / 10.0).max(1000.0),
        };
        let partitions = self.ranges.iter().map(|_| 1.0).sum::<f64>();
        ThroughputSettings {
            throughput: self.spec.throughput,
            minimum: Some(minimum.ceil()),
            instant_maximum: Some(partitions * PARTITION_RU_PER_SECOND),
            key_cap: None,
        }
    }
}

/// Says which scenarios there are, and which one was probably meant.
pub fn unknown(name: &str) -> Error {
    let designs = design::TEMPLATES.map(|(name, _)| name).join(", ");
    let known = SCENARIOS.map(|(known, _)| known);
    Error::unknown("there is no scenario", name, &known, |names| {
        format!("the scenarios are {names}; designs: {designs}; a path names the file of a design")
    })
}
