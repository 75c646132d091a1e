//! Searches for keys: what is asked, and what was found.

use crate::analysis::candidate::Candidate;
use crate::analysis::mask::Masker;
use crate::analysis::migration::Migration;
use crate::analysis::parallelism::Parallelism;
use crate::analysis::plan::facts::PlanFacts;
use crate::analysis::suffix::{self, Goal, Suffix};
use crate::analysis::suggest::{self, SearchLimits};
use crate::analysis::trial::{KeepGoing, Settings, Trials};
use crate::report::plan::PlanReport;
use crate::report::trial::search::SearchResults;
use crate::report::trial::{KeyRole, TrialReport};
use crate::work::data::Dataset;
use crate::work::shared::Shared;
use crate::work::trial::TrialSample;

/// What is looked for.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchGoal {
    /// Keys that may be better than the current one.
    Keys,
    /// The least number of suffixes for a key.
    Suffixes { key: Candidate, suffix: Suffix },
    /// What moving to a key would take.
    Way { key: Candidate },
}

impl SearchGoal {
    /// While it goes on.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Keys => "looking for keys",
            Self::Suffixes { .. } => "looking for suffixes",
            Self::Way { .. } => "working out the way",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct SearchAsk {
    pub sample: Shared<TrialSample>,
    pub settings: Settings,
    pub current: Option<Candidate>,
    /// The inputs and the container, for the way to a key.
    pub known: Option<(Shared<Dataset>, u32)>,
    /// Where names are masked.
    pub masker: Option<Shared<Masker>>,
    pub search: SearchGoal,
}

impl SearchAsk {
    /// What was found by the time that `keep_going` says no; `progress` is told what was done, of how much, and what is
    /// done now.
    pub fn answer(
        &self,
        workers: Parallelism,
        keep_going: &KeepGoing<'_>,
        progress: &dyn Fn(usize, usize, &str),
    ) -> SearchResults {
        let sample = &self.sample;
        let (prepared, settings) = match &self.search {
            SearchGoal::Keys => sample.every_path(&self.settings),
            SearchGoal::Suffixes { key, suffix } => {
                let bucket = match suffix {
                    Suffix::Bucket(path) => Some(path),
                    Suffix::Random => None,
                };
                sample.prepared_for(key.paths().into_iter().chain(bucket), &self.settings)
            }
            SearchGoal::Way { key } => {
                let current = self.current.iter().flat_map(Candidate::paths);
                sample.prepared_for(key.paths().into_iter().chain(current), &self.settings)
            }
        };
        let trials = Trials::new(prepared, settings).with_parallelism(workers);
        let current = self.current.as_ref();
        let mut found = SearchResults::default();
        match &self.search {
            SearchGoal::Keys => {
                let limits = SearchLimits::default();
                let made = suggest::suggest(&trials, current, &limits, keep_going, progress);
                found.suggestions = Some(made);
            }
            SearchGoal::Suffixes { key, suffix } => {
                let goal = Goal::of(&self.settings);
                let plan = suffix::least(&trials, key, suffix, &goal, keep_going, progress);
                found.suffixes.push(plan);
            }
            SearchGoal::Way { key } => {
                found.plan = self.plan(&trials, key, keep_going).map(Box::new);
            }
        }
        found
    }

    /// From the current key to another one.
    fn plan(
        &self,
        trials: &Trials,
        key: &Candidate,
        keep_going: &KeepGoing<'_>,
    ) -> Option<PlanReport> {
        let current = self.current.as_ref();
        let today = current.and_then(|key| trials.trial_while(key, keep_going));
        let (trial, routed) = trials.trial_while(key, keep_going)?;
        let known = self.known.as_ref();
        let facts = known.map(|(data, container)| PlanFacts::of(&data.capture, *container));
        let mut facts = facts.unwrap_or_default();
        let migration = Migration::of(trials, &trial, current, facts.way);
        let today = today.map(|(trial, routed)| (trial, KeyRole::Current, routed));
        let both = today.into_iter().chain([(trial, KeyRole::Candidate, routed)]);
        let settings = trials.settings().clone();
        let mut report = TrialReport::of(settings, trials.whole(), both.collect(), Vec::new());
        if let Some(masker) = &self.masker {
            report.mask(masker);
            facts.mask(masker);
        }
        let plan = PlanReport::of(report, &migration, &facts)?;
        let is_masked = self.masker.is_some();
        Some(PlanReport { is_masked, ..plan })
    }
}
