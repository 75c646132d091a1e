//! Each region has all of the RU/s and is judged apart: the one that suffers most is what verdicts are about.

use std::sync::Arc;

use crate::analysis::demand::outcome::RegionOutcome;

use super::picture::Picture;
use super::shares::Shares;

impl Picture<'_> {
    /// The throttled share, the hottest partition's share of its RU/s, and the demand.
    fn badness(&self) -> [f64; 3] {
        let outcome = self.now.as_ref().map(|now| &now.outcome);
        let throttled = outcome.and_then(|o| o.throttled_share);
        [
            throttled.map_or(0.0, |t| t.point),
            self.shares.as_ref().map_or(-1.0, Shares::hottest_share),
            outcome.map_or(0.0, |o| o.demand_ru_per_second),
        ]
    }
}

/// Of the regions that suffer alike the first; what becomes of demand in the others is kept with its outcome.
pub(super) fn worst(mut all: Vec<Picture<'_>>) -> Option<Picture<'_>> {
    let is_worse = |a: &[f64; 3], b: &[f64; 3]| {
        let mut differ = a.iter().zip(b).filter(|(a, b)| (*a - *b).abs() > 1e-9);
        differ.next().is_some_and(|(a, b)| a > b)
    };
    let ranks = all.iter().map(Picture::badness).enumerate();
    let worst = ranks.reduce(|held, found| if is_worse(&found.1, &held.1) { found } else { held });
    let mut picture = all.remove(worst?.0);
    let others = all.iter().filter_map(|other| {
        let outcome = &other.now.as_ref()?.outcome;
        let is_other = outcome.region.as_deref() != picture.region.as_deref();
        is_other.then(|| RegionOutcome {
            region: outcome.region.clone(),
            demand_ru_per_second: outcome.demand_ru_per_second,
            throttled_share: outcome.throttled_share,
        })
    });
    if let Some(now) = &mut picture.now {
        Arc::make_mut(now).outcome.other_regions = others.collect();
    }
    Some(picture)
}
