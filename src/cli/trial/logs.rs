//! What logs and reads tell of the container as it is.

use super::super::reading::{CONTAINER_NAMES, followed_bytes, meant_container, scenario_capture};
use super::super::{option_values, settings};
use super::TrialArguments;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::{Diagnoses, Diagnosis};
use crate::analysis::overview::Standouts;
use crate::analysis::summary::ContainerFilter;
use crate::analysis::trial::Today;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::names::ContainerName;
use crate::source::tally::quoted;
use crate::source::watch::Watch;
use crate::source::{import, input};
use crate::work::salt;

/// Containers that a refusal lists.
const LISTED: usize = 8;

/// Everything that the logs tell, and which container is meant.
#[derive(Debug)]
pub(super) struct Logs {
    pub capture: Capture,
    pub container: u32,
    /// As the heat view computes it.
    pub diagnosis: Diagnosis,
    ceiling: Ceiling,
}

impl Logs {
    pub fn place(&self) -> (&Capture, u32) {
        (&self.capture, self.container)
    }

    pub fn today(&self) -> Option<Today> {
        today((&self.capture, self.container), &self.diagnosis, self.ceiling)
    }
}

/// A container as it is, for trials of its keys.
pub(in crate::cli) fn today(
    (capture, container): (&Capture, u32),
    diagnosis: &Diagnosis,
    ceiling: Ceiling,
) -> Option<Today> {
    let today = Today::of(capture, container, diagnosis.now.clone())?;
    Some(today.diagnosed(diagnosis, Standouts::of(capture, container, ceiling)))
}

/// None where neither logs nor a scenario are given.
pub(super) fn read(
    c: &TrialArguments,
    config: &Config,
    watch: &Watch,
) -> Result<Option<Logs>, Error> {
    let filter = c.container.as_deref().map(ContainerFilter::parse);
    let capture = match &c.scenario {
        Some(name) => scenario_capture(name)?,
        None if c.against.logs.is_empty() => return Ok(None),
        None => import(c, filter.as_ref(), config, watch)?,
    };
    let container = meant(&capture, filter.as_ref())?;
    let lookups = Lookups::of(&capture, Ceiling::default());
    let limits = settings::thresholds(config)?;
    let diagnosis = Diagnoses::of_one(&capture, container, &lookups, &limits);
    Ok(Some(Logs {
        capture,
        container,
        diagnosis: diagnosis.unwrap_or_default(),
        ceiling: option_values::ceiling(c.ceiling.as_deref(), config)?,
    }))
}

fn import(
    c: &TrialArguments,
    filter: Option<&ContainerFilter>,
    config: &Config,
    watch: &Watch,
) -> Result<Capture, Error> {
    let zone = Some(config.time_zone.as_str()).filter(|z| !z.is_empty());
    let mut options = import::ImportOptions {
        memory_bytes: option_values::memory(c.memory.as_deref().unwrap_or(&config.memory))?,
        time_zone: option_values::time_zone(zone)?,
        container: filter.map(|filter| filter.0.clone()),
        seed: salt::seed(),
        ..import::ImportOptions::default()
    };
    if c.simulate.is_some() {
        options.held_bytes =
            followed_bytes(options.free_bytes()).saturating_sub(options.kept_bytes());
    }
    let inputs = input::find(&c.against.logs, &|| watch.keep_going())?;
    import::import_largest(&inputs, &options, watch)
}

fn meant(capture: &Capture, filter: Option<&ContainerFilter>) -> Result<u32, Error> {
    let fits = |name: &ContainerName| filter.is_none_or(|f| f.fits(name));
    let all = || (0_u32..).zip(&capture.containers);
    let found: Vec<u32> = all().filter(|(_, c)| fits(&c.name)).map(|(n, _)| n).collect();
    if let [only] = found.as_slice() {
        return Ok(*only);
    }
    let titles = all().filter_map(|(_, c)| c.name.option_text());
    let titles: Vec<String> = titles.collect();
    let mut names: Vec<String> = titles.iter().map(|title| quoted(title)).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    names.truncate(LISTED);
    let held = if names.is_empty() {
        "they name no container".to_owned()
    } else {
        format!("they hold {}{more}", names.join(", "))
    };
    let what = match filter {
        Some(f) if found.is_empty() => format!(
            "there is no container {} in the logs; {held}{}",
            quoted(&f.text()),
            meant_container(&f.text(), titles.iter())
        ),
        _ => format!("the logs are of more than one container, or of none; {held}"),
    };
    Err(usage(what, CONTAINER_NAMES))
}
