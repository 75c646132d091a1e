//! The demand of a container: its logs or metrics, with the requests that were throttled.

use super::Picture;
use crate::analysis::demand::attempts::Attempts;
use crate::analysis::demand::{
    AT_LIMIT, CurrentLoad, Demand, Evidence, Keyless, OutcomeInputs, Repeats,
};
use crate::model::client::Retries;
use crate::model::units::real_seconds;

impl Picture<'_> {
    /// Requested: as logged, with what was throttled. It stays open what that was where partitions stood at their limit and
    /// nothing counts 429s.
    pub(super) fn look_now(&self, whole: Option<Demand>, keyless: Keyless) -> Option<CurrentLoad> {
        let logged = self.logged_demand(whole, keyless)?;
        let retries = self.retries();
        let least = logged.retries.is_none().then(|| {
            let least = Demand { retries: Some(retries.times), ..logged.clone() };
            self.with_throttled(least).0
        });
        let (demand, knows_throttled) = self.with_throttled(logged);
        let share = self.attempts.as_ref().and_then(|attempts| attempts.all.throttled_share());
        let share = share.filter(|share| retries.times > 0.0 && *share > 0.0);
        Some(CurrentLoad::of(&OutcomeInputs {
            partitions: self.physical.clone(),
            demand: &demand,
            region: self.region.as_deref(),
            knows_throttled,
            cured: self.limits.cured_throttled,
            repeats: share.map(|share_of_requests| Repeats {
                retries: retries.times,
                share_of_requests,
                demand: least.as_ref(),
            }),
        }))
    }

    fn retries(&self) -> Retries {
        self.limits.retries(&self.capture.load, self.number)
    }

    /// The retries by which demand is judged. None, as if clients repeated nothing, where their number is not certain and
    /// more of a partition's requests than are healthy are 429s, or the partition of the 429s is not known.
    fn judged_retries(&self) -> Option<f64> {
        let attempts = self.attempts.as_ref().filter(|attempts| attempts.all.throttled > 0.0);
        let Some(attempts) = attempts else { return Some(0.0) };
        let retries = self.retries();
        let mut shares = attempts.partitions().map(|(_, counts)| counts.throttled_share());
        let is_open = !retries.is_certain
            && (!attempts.knows(&self.physical)
                || shares.any(|share| share > Some(self.limits.healthy_throttled)));
        (!is_open).then_some(retries.times)
    }

    /// As logged, to be judged.
    fn logged_demand(&self, whole: Option<Demand>, keyless: Keyless) -> Option<Demand> {
        let logged = match whole {
            Some(whole) => Demand { keyless, ..whole },
            None => self.served(keyless)?,
        };
        Some(Demand { retries: self.judged_retries(), ..logged })
    }

    /// With what was throttled, and whether that is known.
    fn with_throttled(&self, mut demand: Demand) -> (Demand, bool) {
        let knows_throttled = self.add_throttled(&mut demand);
        (demand, knows_throttled)
    }

    /// The demand of all the evidence in the region that is judged, not of the sizing window alone.
    pub fn whole_demand(&self) -> Option<(Demand, bool)> {
        let window = self.shares.as_ref().map(|s| s.window);
        let whole = self.logged_in(self.log_region(window));
        Some(self.with_throttled(self.logged_demand(whole, self.keyless())?))
    }

    /// Whether it is known then what was throttled.
    fn add_throttled(&self, demand: &mut Demand) -> bool {
        let attempts = self.attempts.as_ref();
        if let Some(attempts) = attempts {
            if attempts.knows(&self.physical) {
                demand.with_throttled(&self.physical, attempts);
                return true;
            }
            let full = |place: u32, second: i64| self.is_full(place, second);
            let counted = attempts.unjoined_ru(&self.physical);
            let is_at_most = counted.is_none();
            let unjoined = counted.or_else(|| self.most_ru_of_429s(attempts, demand));
            match unjoined {
                Some(ru) if ru <= 0.0 => return true,
                Some(ru) if demand.with_placed((ru, is_at_most), &self.physical, full) => {
                    return true;
                }
                _ => {}
            }
        }
        let goes_beyond = demand.exceeds(&self.physical);
        let is_at_limit = self.highest().is_some_and(|h| h >= AT_LIMIT)
            || self.hot.as_ref().is_some_and(|h| h.standing.highest >= AT_LIMIT);
        let is_log_whole = demand.evidence == Evidence::RuLog && goes_beyond;
        is_log_whole || !is_at_limit
    }

    /// RU of the container's 429s where no input has what a request costs: requests that were served cost no more than the
    /// busiest second of each step lets through.
    fn most_ru_of_429s(&self, attempts: &Attempts, demand: &Demand) -> Option<f64> {
        let (from, to) = self.heat.whole.span?;
        let (begins, ends) = demand.span;
        let bounds = demand.evidence == Evidence::Metric && begins <= from && to <= ends;
        let served = attempts.all.requests - attempts.all.throttled;
        let seconds = real_seconds(ends.saturating_sub(begins));
        let ru = demand.ru_per_second() * seconds;
        (bounds && served >= 1.0).then(|| attempts.all.throttled * ru / served)
    }

    /// Whether the metric shows a partition at its limit in the step that holds a second.
    fn is_full(&self, place: u32, second: i64) -> bool {
        let track = self.shares.as_ref().map(|s| s.track);
        let series =
            track.and_then(|t| Some((t, t.series.get(self.physical.number(place)? as usize)?)));
        series.is_some_and(|(track, series)| {
            let step = i64::from(track.step_s.max(1));
            let start = second.div_euclid(step) * step;
            let mut points = series.points(start, start.saturating_add(1));
            points.any(|(_, share)| f64::from(share) >= AT_LIMIT)
        })
    }

    /// From the shares alone, without keys.
    fn served(&self, keyless: Keyless) -> Option<Demand> {
        let shares = self.shares.as_ref()?;
        let (track, (from, to)) = (shares.track, shares.window);
        let mut points = Vec::new();
        for (place, number) in (0_u32..).zip(&self.physical.numbers) {
            let series = track.series.get(*number as usize)?;
            let reported = series.points(from, to).filter(|(_, v)| v.is_finite());
            points.extend(reported.map(|(second, share)| (second, place, f64::from(share))));
        }
        let keyless = if self.is_even() { keyless } else { Keyless::Unknown };
        Demand::of_shares(points, &self.physical, track.step_s, keyless)
    }
}
