//! Options of a load at once.

use clap::Args;

use crate::analysis::forecast::{LoadPlan, LoadQuestion, LoadTarget};
use crate::analysis::summary::ContainerFilter;
use crate::cli::option_values::{moment, number, size};
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::limits::LOAD_HOURS;
use crate::model::time::Stamp;
use crate::tui::clock;

/// Items fewer or smaller than these are no load to plan.
const LEAST_BYTES: f64 = 1024.0 * 1024.0;
/// What one item of the service may have.
const MOST_ITEM_BYTES: f64 = 2.0 * 1024.0 * 1024.0;
const HOURS_PER_DAY: f64 = 24.0;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Limits")]
pub struct LoadArguments {
    /// Plan the load of this much data at once, such as 500GB: into the container that is read, or into a new one
    #[arg(long, value_name = "SIZE")]
    pub import: Option<String>,

    /// Size of one item of --import
    #[arg(long, value_name = "SIZE", default_value = "1KB", requires = "import")]
    pub item: String,

    /// Hours until --import is to be done
    #[arg(long, value_name = "HOURS", requires = "import", conflicts_with = "by")]
    pub hours: Option<f64>,

    /// The time when --import is to be done, such as 2026-12-01T06:00Z; it starts now, or at --as-of
    #[arg(long, value_name = "TIME", requires = "import")]
    pub by: Option<String>,

    /// Distinct values of the first level of the key in --import, where they are few, such as tenants
    #[arg(long, value_name = "N", requires = "import", value_parser = clap::value_parser!(u64).range(1..))]
    pub first_level_values: Option<u64>,
}

impl LoadArguments {
    pub fn question(&self, as_of: Option<Stamp>) -> Result<Option<LoadQuestion>, Error> {
        let Some(import) = &self.import else {
            return Ok(None);
        };
        let bytes = size("--import", import)?;
        let item = size("--item", &self.item)?;
        let until = self.by.as_deref().map(|by| moment("--by", by));
        let until = until.transpose()?.map(|until| {
            let now = as_of.or_else(clock::now).unwrap_or(Stamp::EPOCH);
            until.days_since(now) * HOURS_PER_DAY
        });
        let hours = self.hours.or(until);
        let hours = hours.map(|hours| number("the time for --import", hours, LOAD_HOURS));
        if bytes < LEAST_BYTES || bytes < item {
            return Err(usage(
                "--import is less than 1 MB or one item",
                "give a size such as 500GB",
            ));
        }
        if item > MOST_ITEM_BYTES {
            return Err(usage(
                "--item is more than the 2 MB of an item",
                "give a size such as 1KB",
            ));
        }
        Ok(Some(LoadQuestion {
            kib: bytes / 1024.0,
            item_kib: item / 1024.0,
            hours: hours.transpose()?,
            first_values: self.first_level_values,
        }))
    }
}

pub(super) fn into_new(ru_per_second: Option<f64>, question: LoadQuestion) -> LoadPlan {
    let target = LoadTarget { ru_per_second, ..LoadTarget::default() };
    LoadPlan::of(None, target, question)
}

/// Into the one container that the inputs hold, or that is named.
pub(super) fn into_container(
    capture: &Capture,
    named: &[ContainerFilter],
    question: LoadQuestion,
) -> Result<LoadPlan, Error> {
    let mut found = capture.containers.iter().filter(|c| ContainerFilter::any_fits(named, &c.name));
    let (Some(container), None) = (found.next(), found.next()) else {
        return Err(usage("--import goes into one container", "name it with --container"));
    };
    let Some(target) = LoadTarget::of_container(container) else {
        return Err(usage(
            "--import needs RU/s and physical partitions of the container, and the inputs do not have both",
            "add the answer of az cosmosdb sql container throughput show, or leave out PATH for a new container",
        ));
    };
    Ok(LoadPlan::of(Some(container.name.clone()), target, question))
}
