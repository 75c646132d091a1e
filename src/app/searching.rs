//! Searches for keys: what is asked, and what was found.

use std::sync::Arc;

use super::msg::Shared;
use super::trying::Sample;
use crate::analysis::candidate::Candidate;
use crate::analysis::crew::Crew;
use crate::analysis::migration::{Facts, Migration};
use crate::analysis::suffix::{self, Goal, Suffix};
use crate::analysis::suggest::{self, Wish};
use crate::analysis::trial::{Settings, Trials};
use crate::report::trial::search::Searched;

/// What is looked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Search {
    /// Keys that may be better than the current one.
    Keys,
    /// The least number of suffixes for a key.
    Suffixes { key: Candidate, suffix: Suffix },
    /// What moving to a key would take.
    Way { key: Candidate },
}

impl Search {
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
    pub sample: Shared<Sample>,
    pub settings: Settings,
    pub current: Option<Candidate>,
    /// What is known of the account and the container, for the way to a key.
    pub facts: Facts,
    pub search: Search,
}

impl SearchAsk {
    /// What was found by the time that `keep_going` says no; `progress` is told what was done, of how much, and what is
    /// done now.
    pub fn answer(
        &self,
        crew: Crew,
        keep_going: &dyn Fn() -> bool,
        progress: &dyn Fn(usize, usize, &str),
    ) -> Searched {
        let trials = Trials::new(Arc::clone(&self.sample.ground), self.settings.clone());
        let trials = trials.with_crew(crew);
        let current = self.current.as_ref();
        match &self.search {
            Search::Keys => Searched {
                suggestions: Some(suggest::suggest(
                    &trials,
                    &self.sample.workload,
                    current,
                    &Wish::default(),
                    keep_going,
                    progress,
                )),
                ..Searched::default()
            },
            Search::Suffixes { key, suffix } => Searched {
                suffixes: vec![suffix::least(
                    &trials,
                    key,
                    suffix,
                    &Goal::of(&self.settings),
                    keep_going,
                    progress,
                )],
                ..Searched::default()
            },
            Search::Way { key } => {
                let trial = trials.trial(key);
                Searched {
                    routes: vec![Migration::of(&trials, &trial, current, self.facts)],
                    ..Searched::default()
                }
            }
        }
    }
}
