//! RU/s to buy against the places that keys have by their hashes: what is bought is to be enough once it is tried.

use super::super::candidate::Candidate;
use super::super::demand::least::{CURED, DemandSpread, ThroughputTerms};
use super::super::demand::outcome::Interval;
use super::Trials;
use super::fold::{FoldContext, Groups};
use super::key_placement::{self, LayoutFrom, Placement, PlacementInput};
use super::load::{Bill, CandidateDemand};
use super::owners::owners;
use super::running::{Moment, Sums};
use super::settings::Settings;
use crate::model::throughput::creation_ru;
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number};

/// More than so many times what the worst of 32 placements needs is not tried.
const MOST_ABOVE: f64 = 2.0;

/// Whether the keys of another day lie elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyPlaces {
    Stay,
    Change,
}

impl Bill {
    /// RU/s to buy are enough where they are tried, too: `shares` gives what is throttled at RU/s on the partitions that
    /// other settings make.
    pub(super) fn as_placed<S: Fn(f64) -> f64>(
        &mut self,
        settings: &Settings,
        places: KeyPlaces,
        mut shares: impl FnMut(&Settings) -> Option<(S, LayoutFrom)>,
    ) {
        let is_known = self.demand.is_some();
        let Some(buy) = self.to_buy.first_mut().filter(|_| is_known) else {
            return;
        };
        let Ok(ru) = buy.ru else { return };
        let mut on = settings.at(ru.point);
        let Some((_, from)) = shares(&on) else {
            return;
        };
        let ru_of_one = match from {
            LayoutFrom::CreationSplit { .. } => PARTITION_RU_PER_SECOND,
            _ => creation_ru(settings.throughput_mode),
        };
        let terms = ThroughputTerms {
            throughput_mode: settings.throughput_mode,
            least: settings.least_of_new(),
            ru_of_one,
            from: buy.demand.max(settings.minimum()),
        };
        let found = terms.least(CURED, |partitions| {
            let highest = as_number(partitions) * ru_of_one;
            if partitions > terms.least && highest - ru_of_one > ru.high * MOST_ABOVE {
                return None;
            }
            on = settings.at(highest);
            let (share, _) = shares(&on)?;
            Some(AsTried { share, partitions })
        });
        if let Ok(found) = found {
            let point = found.ru_per_second;
            // Where keys stay where they are, other placements cost nothing.
            let [low, high] = match places {
                KeyPlaces::Change => [ru.low.min(point), ru.high.max(point)],
                KeyPlaces::Stay => [point; 2],
            };
            buy.ru = Ok(Interval { point, low, high });
            buy.partitions = Some(terms.partitions(found.ru_per_second));
        }
    }
}

/// What is throttled where keys lie, by the RU/s.
struct AsTried<S> {
    share: S,
    partitions: usize,
}

impl<S: Fn(f64) -> f64> DemandSpread for AsTried<S> {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        (self.share)(ru_per_second)
    }

    fn next(&self) -> Option<usize> {
        Some(self.partitions + 1)
    }
}

impl CandidateDemand {
    fn throttled_share(&self, moment: &Moment, partitions: usize, ru: f64) -> Option<f64> {
        self.demand(&moment.shares).throttled_share(partitions, ru)
    }
}

impl Trials {
    /// Of dated keys the mean over placements: with every period they lie elsewhere.
    pub(super) fn averaged(
        &self,
        placement: &mut Placement,
        load: Option<&CandidateDemand>,
        moment: &Moment,
    ) {
        if moment.dated_keys.is_some() {
            let demand = load.zip(self.settings.ru_per_second);
            placement.averaged(|n| demand.and_then(|(of, ru)| of.throttled_share(moment, n, ru)));
        }
    }

    /// RU/s to buy by what is throttled once they are set: where the hashes lie, and of dated keys on average.
    pub(super) fn as_placed(
        &self,
        bill: &mut Bill,
        candidate: &Candidate,
        (groups, sums, moment): (&Groups<'_>, Sums<'_>, &Moment),
        by: FoldContext<'_>,
    ) {
        let settings = &self.settings;
        if !self.is_as_placed || settings.is_current(candidate) {
            return;
        }
        if moment.dated_keys.is_some() {
            return bill.as_placed(settings, KeyPlaces::Change, |on| {
                let (layout, _, load) = self.laid_out(candidate, on, groups, sums, moment);
                let (load, partitions) = (load?, layout.layout.len());
                let share = move |ru| load.throttled_share(moment, partitions, ru).unwrap_or(0.0);
                Some((share, layout.from))
            });
        }
        bill.as_placed(settings, KeyPlaces::Stay, |on| {
            let (layout, _, load) = self.laid_out(candidate, on, groups, sums, moment);
            let owners = owners(groups, &layout, Vec::new(), by)?;
            let flows = key_placement::flows(&PlacementInput {
                trials: self,
                groups,
                ranges: &layout,
                owners: &owners,
                weights: sums.weights,
                settings: on,
                newest: None,
                load: load.as_ref(),
            })?;
            let share = move |ru| flows.throttled_share(ru).unwrap_or(0.0);
            Some((share, layout.from))
        });
    }
}
