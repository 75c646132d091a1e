//! A container in time: the question, and the answer that a worker thread makes.

use super::data::Dataset;
use crate::analysis::simulate::{LapseStart, SimulateQuestion, TimeLapse};
use crate::work::shared::Shared;

#[derive(Clone, PartialEq, Debug)]
pub struct SimulateAsk {
    pub data: Shared<Dataset>,
    pub container: u32,
    pub question: SimulateQuestion,
}

impl SimulateAsk {
    /// None where there is no such container.
    pub fn answer(&self) -> Option<TimeLapse> {
        let data = &self.data;
        let with = (&data.lookups, &data.thresholds);
        let as_of = data.report.as_of;
        let start = LapseStart::of(&data.capture, self.container, with, &self.question, as_of)?;
        Some(TimeLapse::of(&start, &self.question))
    }
}
