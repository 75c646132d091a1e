//! The way to another key for people, as one document to hand over, for scripts, and as artefacts to copy.
//!
//! ```text
//! Move shop/orders from /tenantId to /tenantId > /userId: container copy job, online.
//!
//! Before and after
//!                    today         new
//!   verdict         reject     caution
//!   …
//! Routes
//!   …
//! ```

pub mod artefact;
mod doc;
mod json;

use crate::analysis::migration::Migration;
use crate::analysis::plan::facts::PlanFacts;
use crate::analysis::plan::{JudgedKey, MovePlan};
use crate::model::names::ContainerName;

use super::doc::Doc;
use super::trial::{CandidateReport, KeyRole, TrialReport};
use super::{Writer, writer};

/// A plan with the trial that it rests on.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanReport {
    pub plan: MovePlan,
    /// Today's key, where it is known, and the new one.
    pub trial: TrialReport,
    pub name: ContainerName,
    /// The file that the decision is written to.
    pub decision: Option<String>,
    pub is_masked: bool,
}

impl PlanReport {
    /// Of a trial of today's key, where it is known, and of the new one. None without the new one.
    pub fn of(trial: TrialReport, migration: &Migration, facts: &PlanFacts) -> Option<Self> {
        let today = of_role(&trial, KeyRole::Current).map(CandidateReport::judged);
        let new = of_role(&trial, KeyRole::Candidate)?.judged();
        let plan = MovePlan::of(today, new, migration, facts, &trial.settings);
        Some(Self { decision: None, name: facts.name.clone(), trial, plan, is_masked: false })
    }

    pub(super) fn push(&self, doc: &mut Doc) {
        doc::push(self, doc);
    }

    pub fn today(&self) -> Option<&CandidateReport> {
        of_role(&self.trial, KeyRole::Current)
    }

    pub fn new_key(&self) -> Option<&CandidateReport> {
        of_role(&self.trial, KeyRole::Candidate).or_else(|| self.today())
    }
}

/// The key of a trial in that role.
pub fn of_role(trial: &TrialReport, role: KeyRole) -> Option<&CandidateReport> {
    trial.candidates.iter().find(|c| c.standing == role)
}

impl CandidateReport {
    /// As a plan takes it.
    pub fn judged(&self) -> JudgedKey<'_> {
        JudgedKey { trial: &self.trial, routed: &self.routed, verdict: &self.verdict }
    }
}

pub const FORMATS: [&str; 4] = ["text", "md", "html", "json"];

/// What writes the format of that name.
pub fn format(name: &str) -> Option<Writer<PlanReport>> {
    writer(name, doc::write, &[("json", json::write)])
}
