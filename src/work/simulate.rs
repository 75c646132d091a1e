//! A container in time: the question, and the answer that a worker thread makes.

use super::data::Dataset;
use super::trial::TrialSample;
use crate::analysis::candidate::Candidate;
use crate::analysis::parallelism::Parallelism;
use crate::analysis::simulate::{LapseStart, SimulateQuestion, TimeLapse};
use crate::analysis::trial::{KeepGoing, Settings, Trials};
use crate::model::names::ContainerName;
use crate::work::shared::Shared;

/// Keys other than its own that were tried on the documents of a container.
#[derive(Clone, PartialEq, Debug)]
pub struct TriedKeys {
    /// By its identity: numbers change with the data.
    pub container: ContainerName,
    pub sample: Shared<TrialSample>,
    pub settings: Settings,
    pub keys: Vec<Candidate>,
}

/// A new container with another key.
#[derive(Clone, PartialEq, Debug)]
pub struct MovedTo {
    pub key: Candidate,
    pub sample: Shared<TrialSample>,
    pub settings: Settings,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SimulateAsk {
    pub data: Shared<Dataset>,
    pub container: u32,
    pub question: SimulateQuestion,
    /// None simulates the container as it is.
    pub moved: Option<MovedTo>,
}

impl SimulateAsk {
    /// None where there is no such container, or the answer is not wanted any more.
    pub fn answer(&self, workers: Parallelism, keep_going: &KeepGoing<'_>) -> Option<TimeLapse> {
        let data = &self.data;
        let with = (&data.heat, &data.lookups, &data.thresholds);
        let as_of = data.report.as_of;
        let start = LapseStart::of(&data.capture, self.container, with, &self.question, as_of)?;
        let start = match &self.moved {
            None => start,
            Some(to) => {
                let ru = self.question.ru_per_second;
                let settings = ru.map_or_else(|| to.settings.clone(), |ru| to.settings.at(ru));
                let (prepared, settings) = to.sample.prepared_for(to.key.paths(), &settings);
                let trials = Trials::new(prepared, settings).with_parallelism(workers);
                trials.start_of(&to.key, (&start, self.question.until_s), keep_going)?
            }
        };
        Some(TimeLapse::of(&start, &self.question))
    }
}
