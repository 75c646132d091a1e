//! What was opened, and the tables made of it once, off the screen's own thread.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::analysis::columns::{Columns, ColumnsPart, Lookups, join};
use crate::analysis::diagnosis::Diagnoses;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::evidence::{self, InputEvidence};
use crate::analysis::findings::Limits;
use crate::analysis::heat::Heat;
use crate::analysis::overview::{Overview, overview};
use crate::analysis::rows::Report;
use crate::model::capture::Capture;
use crate::model::time::Stamp;
use crate::report::heat::HeatInputs;
use crate::source::answers::{Kind, Obstacle, Trouble};
use crate::source::ledger::{Access, Event, Ledger};
use crate::source::live::target::Target;

pub use crate::work::arrange::{Arranged, Ask};
pub use crate::work::branch::{Branch, Grown};
pub use crate::work::export::Exported;
use crate::work::replay::ReplayPosition;

/// Where data comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Paths(Vec<PathBuf>),
    Scenario(&'static str),
    /// An account, or one database or container of it.
    Live(Box<Target>),
    /// What an account told, at a moment of the time it was recorded.
    Recording(PathBuf),
}

/// What is known of an account beside its data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Watched {
    pub access: Vec<Access>,
    pub events: Vec<Event>,
    /// Containers that were read, and those that there are.
    pub containers: (u64, u64),
    /// RU that answers said they cost.
    pub spent_ru: f64,
    /// When the newest answer came.
    pub newest: Option<Stamp>,
    /// Containers that are no longer there, by database and container.
    pub deleted: BTreeSet<(String, String)>,
    /// Containers of which documents were asked, by database and container, and how many pages are there.
    pub sampled: BTreeMap<(String, String), usize>,
}

impl Watched {
    pub fn of(ledger: &Ledger) -> Self {
        let access = ledger.access();
        let read = access.iter().find(|of| of.kind == Kind::Container);
        Self {
            containers: (read.map_or(0, |of| of.answered), ledger.containers().len() as u64),
            newest: access.iter().filter_map(|access| access.newest).max(),
            access,
            events: ledger.events().to_vec(),
            spent_ru: ledger.spent_ru(),
            deleted: ledger.deleted(),
            sampled: ledger.sampled(),
        }
    }

    /// What stands in the way of views, and since its last try when; what matters most comes first.
    pub fn in_the_way(&self) -> impl Iterator<Item = (Kind, Stamp, &Trouble)> {
        let failing = self.access.iter().filter_map(|access| {
            let (at, trouble) = access.trouble.as_ref()?;
            Some((access.kind, *at, trouble))
        });
        failing.filter(|(kind, _, trouble)| is_in_the_way(*kind, trouble.obstacle))
    }
}

/// Whether a failure is worth a word of its own, or only how this account or this sign-in is.
fn is_in_the_way(kind: Kind, obstacle: Obstacle) -> bool {
    let is_needed = !kind.is_elsewhere() && kind != Kind::Offer;
    match obstacle {
        // A scan tells by itself how it ended.
        _ if matches!(kind, Kind::Documents | Kind::Counts) => false,
        Obstacle::Unsupported | Obstacle::Held => false,
        // Many may not read these; the paper on the account says which role they lack.
        Obstacle::Forbidden | Obstacle::NotFound | Obstacle::SignIn => is_needed,
        _ => true,
    }
}

/// How much of the inputs a dataset holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Still being read: the largest keys so far, and how many there were in all.
    Reading {
        keys_so_far: u64,
    },
    Whole,
    /// Reading was stopped; the largest keys that were there by then.
    Stopped {
        keys_so_far: u64,
    },
    /// More keys than the memory budget holds: the largest, counts exact.
    Largest {
        keys_total: u64,
    },
}

/// Everything a screen shows of one opening.
#[derive(Debug)]
pub struct Dataset {
    pub origin: Origin,
    pub stage: Stage,
    pub capture: Capture,
    pub report: Report,
    /// What is looked up for single keys, such as the partition that holds them.
    pub lookups: Lookups,
    pub columns: Columns,
    /// Load over time by physical partition.
    pub heat: Heat,
    /// What the diagnoses measure against.
    pub thresholds: Thresholds,
    pub diagnoses: Diagnoses,
    /// One row for each container.
    pub overview: Overview,
    /// Which inputs there are of each container.
    pub evidence: Vec<InputEvidence>,
    /// Of an account: what was asked, and what stands in the way.
    pub watched: Option<Watched>,
    /// Of a recording: the moment that is shown.
    pub replayed: Option<ReplayPosition>,
}

impl Dataset {
    /// What a report of the load is made from.
    pub fn heat_inputs(&self) -> HeatInputs<'_> {
        HeatInputs {
            capture: &self.capture,
            heat: &self.heat,
            diagnoses: &self.diagnoses,
            lookups: &self.lookups,
            thresholds: &self.thresholds,
        }
    }

    /// Makes the tables of parts that several threads made, in their order.
    pub fn joined(
        origin: Origin,
        stage: Stage,
        capture: Capture,
        report: Report,
        lookups: Lookups,
        parts: Vec<ColumnsPart>,
        thresholds: Thresholds,
    ) -> Self {
        let columns = join(parts, &capture, lookups.ceiling);
        let max_logical = Limits::DEFAULT_MAX_LOGICAL;
        let heat = Heat::of(&capture);
        let diagnoses = Diagnoses::of(&capture, &heat, &lookups, &thresholds);
        let overview = overview(&report, &capture, &columns, &lookups, &diagnoses, max_logical);
        let evidence = evidence::of_containers(&capture, &overview);
        Self {
            evidence,
            origin,
            stage,
            capture,
            report,
            lookups,
            columns,
            heat,
            thresholds,
            diagnoses,
            overview,
            watched: None,
            replayed: None,
        }
    }

    /// The number of the container that stands first in the report: the one with the largest key.
    pub fn worst_container(&self) -> Option<u32> {
        let worst = self.report.containers.first()?;
        self.container_named(&worst.name.identity())
    }

    /// The number of a container by its name's identity.
    pub fn container_named(&self, identity: &crate::model::names::ContainerName) -> Option<u32> {
        let is_it = |c: &crate::model::capture::Container| c.name.identity() == *identity;
        let at = self.capture.containers.iter().position(is_it)?;
        u32::try_from(at).ok()
    }
}
