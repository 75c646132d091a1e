//! The limits that come next: the question, and the answer that a worker thread makes.

use super::data::Dataset;
use crate::analysis::forecast::{Forecast, ForecastQuestion, KeyTrends};
use crate::analysis::parallelism::Parallelism;
use crate::work::shared::Shared;

#[derive(Clone, PartialEq, Debug)]
pub struct ForecastAsk {
    pub data: Shared<Dataset>,
    pub question: ForecastQuestion,
    /// Of an earlier answer about the same data.
    pub trends: Option<Shared<KeyTrends>>,
}

#[derive(Debug)]
pub struct ForecastAnswer {
    pub data: Shared<Dataset>,
    pub forecast: Forecast,
    /// For the next question.
    pub trends: Shared<KeyTrends>,
}

impl ForecastAsk {
    /// None when `keep_going` said no.
    pub fn answer(
        &self,
        hands: Parallelism,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Option<ForecastAnswer> {
        let data = &self.data;
        let trends = if let Some(held) = &self.trends {
            held.clone()
        } else {
            let found = KeyTrends::of(&data.capture, &data.lookups, hands, keep_going)?;
            Shared::new(found)
        };
        let forecast = trends.forecast(&data.capture, &data.diagnoses, &self.question, hands);
        Some(ForecastAnswer { data: data.clone(), forecast, trends })
    }
}
