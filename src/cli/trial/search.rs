//! Searches of `trial`: keys that nobody typed, the least number of suffixes, and the way to each key.

use std::sync::Arc;

use clap::Args;

use super::super::option_values;
use super::super::progress::{self, Steps};
use super::TrialArguments;
use super::keys::parsed;
use crate::analysis::candidate::Candidate;
use crate::analysis::migration::Migration;
use crate::analysis::plan::facts::{PlanFacts, WriteRate};
use crate::analysis::plan::first_route;
use crate::analysis::suffix::{self, Goal, Suffix, SuffixPlan};
use crate::analysis::suggest::{SearchLimits, Suggestions, suggest};
use crate::analysis::trial::{self as tried, PreparedDocuments, Settings, Trials};
use crate::error::{Error, usage};
use crate::model::documents::WantedPaths as Columns;
use crate::model::limits;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::as_number;
use crate::report::plan::of_role;
use crate::report::trial::search::SearchResults;
use crate::report::trial::{CandidateReport, KeyRole, TrialReport};
use crate::source::documents::DocumentOptions;
use crate::source::watch::Watch;
use crate::work::threads::parallelism;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Output")]
pub struct SearchArguments {
    /// Look for better keys over all properties: the N most fitting, what is better and what each costs [default: 5]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5")]
    pub suggest: Option<usize>,

    /// The least number of suffixes with which every key of KEY stays under --max-size and --max-ru; may be given several times
    #[arg(long, value_name = "KEY")]
    pub least_suffix: Vec<String>,

    /// Suffixes are buckets of this property, which readers can compute [default: random suffixes]
    #[arg(long, value_name = "PATH", requires = "least_suffix")]
    pub bucket_of: Option<String>,

    /// The size under which every key is to stay [default: 70 % of the limit]
    #[arg(long, value_name = "SIZE", requires = "least_suffix", help_heading = "Limits")]
    pub max_size: Option<String>,

    /// The RU/s under which the busiest key is to stay; its load is its share of --load or --ru [default: 7000]
    #[arg(long, value_name = "RU/s", requires = "least_suffix", help_heading = "Limits")]
    pub max_ru: Option<f64>,

    /// The date until which keys are to stay under it, growing as the documents or --growth say [default: as they are; with
    /// --growth a year on]
    #[arg(long, value_name = "DATE", requires = "least_suffix", help_heading = "Limits")]
    pub until: Option<String>,

    /// What moving to each key would take: who can copy the documents, RU and hours, what changes its meaning
    #[arg(long)]
    pub route: bool,
}

impl SearchArguments {
    pub(super) fn is_asked(&self) -> bool {
        self.suggest.is_some() || !self.least_suffix.is_empty()
    }
}

/// What is searched for, read and checked before any document is.
#[derive(Debug)]
pub(super) struct SearchOptions {
    proposals: Option<usize>,
    suffixed: Vec<Candidate>,
    suffix: Suffix,
    max_bytes: Option<f64>,
    max_ru: Option<f64>,
    until: Option<Stamp>,
}

pub(super) fn search_options(c: &SearchArguments) -> Result<SearchOptions, Error> {
    let proposals = |n| option_values::number("--suggest", as_number(n), limits::PROPOSALS);
    c.suggest.map(proposals).transpose()?;
    let max_ru = c.max_ru.map(|ru| option_values::number("--max-ru", ru, limits::KEY_RU));
    let suffix = match &c.bucket_of {
        None => Suffix::Random,
        Some(text) => Suffix::Bucket(Path::parse(text).map_err(|fault| {
            usage(
                format!("--bucket-of is not a path: expected {}", fault.what),
                "give a path such as /id or /deviceId",
            )
        })?),
    };
    let keys = c.least_suffix.iter();
    let size = |text: &String| option_values::size("--max-size", text);
    let moment = |text: &String| option_values::moment("--until", text);
    Ok(SearchOptions {
        proposals: c.suggest,
        suffixed: keys.map(|text| parsed("--least-suffix", text)).collect::<Result<_, _>>()?,
        suffix,
        max_bytes: c.max_size.as_ref().map(size).transpose()?,
        max_ru: max_ru.transpose()?,
        until: c.until.as_ref().map(moment).transpose()?,
    })
}

/// What is read of the documents: all paths where keys are to be found among them.
pub(super) fn options(mut options: DocumentOptions, wanted: &SearchOptions) -> DocumentOptions {
    let bucket = match &wanted.suffix {
        Suffix::Bucket(path) => Some(path.clone()),
        Suffix::Random => None,
    };
    if wanted.proposals.is_some() {
        options.paths = Columns::Every;
    } else if let Columns::Named(paths) = &mut options.paths {
        let more = wanted.suffixed.iter().flat_map(Candidate::paths).cloned();
        for path in more.chain(bucket) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    options
}

/// All that is searched for, in the order of the options.
pub(super) fn searched(
    c: &TrialArguments,
    prepared: &Arc<PreparedDocuments>,
    made: &TrialReport,
    wanted: &SearchOptions,
    facts: &PlanFacts,
    watch: &Watch,
) -> Result<SearchResults, Error> {
    let trials =
        Trials::new(Arc::clone(prepared), made.settings.clone()).with_parallelism(parallelism());
    let is_current = |c: &&CandidateReport| c.standing == KeyRole::Current;
    let current = made.candidates.iter().find(is_current);
    let current = current.map(|c| &c.trial.candidate);
    let steps = Steps::default();
    let searched = progress::searching(&steps, c.quiet, || {
        let suggestions =
            wanted.proposals.map(|most| suggestions(&trials, current, most, watch, &steps));
        let proposed = suggestions.iter().flat_map(|s| &s.proposals);
        let proposed: Vec<&tried::Trial> = proposed.map(|p| &p.trial).collect();
        let asked = made.candidates.iter().filter(|c| !is_current(c));
        let asked = asked.map(|c| &c.trial);
        let route = |trial: &tried::Trial| Migration::of(&trials, trial, current, facts.way);
        let routes = |tried: Vec<&tried::Trial>| -> Vec<Migration> {
            let wanted = tried.into_iter().filter(|_| c.search.route);
            wanted.map(route).collect()
        };
        SearchResults {
            first_routes: first_routes(&trials, made, facts),
            routes: routes(asked.collect()),
            routes_proposed: routes(proposed),
            suggestions,
            suffixes: suffixes(&trials, wanted, watch, &steps),
            plan: None,
        }
    });
    watch.check().map(|()| searched)
}

/// The recommended route to each key that is tried.
fn first_routes(
    trials: &Trials,
    made: &TrialReport,
    facts: &PlanFacts,
) -> Vec<(Candidate, String)> {
    let current = of_role(made, KeyRole::Current);
    let key = current.map(|c| &c.trial.candidate);
    let first = |one: &CandidateReport| {
        let migration = Migration::brief(trials, &one.trial, key, facts.way);
        let writes = WriteRate::of(facts, &one.trial, &one.routed, &made.settings);
        let today = current.map(CandidateReport::judged);
        let route = first_route(today, one.judged(), &migration, writes)?;
        Some((one.trial.candidate.clone(), route))
    };
    made.candidates.iter().filter_map(first).collect()
}

fn suggestions(
    trials: &Trials,
    current: Option<&Candidate>,
    most: usize,
    watch: &Watch,
    steps: &Steps,
) -> Suggestions {
    let wanted = SearchLimits { most, ..SearchLimits::default() };
    let goes_on = || watch.keep_going();
    let tell = |done: usize, all: usize, what: &str| steps.tell(done, all, what);
    suggest(trials, current, &wanted, &goes_on, &tell)
}

fn suffixes(
    trials: &Trials,
    wanted: &SearchOptions,
    watch: &Watch,
    steps: &Steps,
) -> Vec<SuffixPlan> {
    let goal = goal(trials.settings(), wanted);
    let goes_on = || watch.keep_going();
    let tell = |done: usize, all: usize, what: &str| steps.tell(done, all, what);
    let keys = wanted.suffixed.iter();
    keys.map(|key| suffix::least(trials, key, &wanted.suffix, &goal, &goes_on, &tell)).collect()
}

fn goal(settings: &Settings, wanted: &SearchOptions) -> Goal {
    let usual = Goal::of(settings);
    Goal {
        bytes: wanted.max_bytes.unwrap_or(usual.bytes),
        ru_per_second: wanted.max_ru.unwrap_or(usual.ru_per_second),
        until: wanted.until,
    }
}
