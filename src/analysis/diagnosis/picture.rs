//! Everything the rules look at, worked out once for a container.

mod requested;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analysis::columns::Lookups;
use crate::analysis::demand::attempts::Attempts;
use crate::analysis::demand::outcome::PartitionOutcome;
use crate::analysis::demand::partitions::Partitions;
use crate::analysis::demand::remedies::{Question, Remedies, remedies};
use crate::analysis::demand::{CurrentLoad, Demand, Keyless};
use crate::analysis::heat::grid::TrackStatistics;
use crate::analysis::heat::keys::RecordFilter;
use crate::analysis::heat::{ContainerHeat, Measure, Partition, RangeName, Track};
use crate::analysis::provisioning::RuOwner;
use crate::analysis::routing::periods::named_in;
use crate::model::account::Setting;
use crate::model::capture::{Capture, Container};
use crate::model::key::{Key, Part};
use crate::model::load::{LeftOutLog, RuKey};
use crate::model::time::Stamp;
use crate::model::units::real;
use crate::model::visible::visible;

use super::card::PRESENT;
use super::pressure::{Pressure, fits_alone};
use super::regions::worst;
use super::rules::suffixes_for_size;
use super::shares::{Shares, hot_span};
use super::stored_keys::StoredKeys;
use super::text::{number_text, span_text};
use super::thresholds::Thresholds;

/// Logs of the same seconds that differ by more than this part are a caution.
const DISAGREES: f64 = 0.05;

/// A partition that is hot, and what goes with it.
#[derive(Clone, PartialEq, Debug)]
pub struct HotPlace {
    pub place: u32,
    pub standing: TrackStatistics,
    /// All partitions are about as hot.
    pub is_even: bool,
    /// What the RU log tells of it.
    pub pressure: Option<Pressure>,
    /// The part of its overloaded steps in which the largest key alone would fit.
    pub fits_alone: Option<f64>,
    /// Since when it is hot, and until when where that is over.
    pub span: Option<(Stamp, Option<Stamp>)>,
}

/// A container as rules see it.
#[derive(Debug)]
pub struct Picture<'a> {
    pub capture: &'a Capture,
    pub container: &'a Container,
    pub number: u32,
    pub heat: &'a ContainerHeat,
    pub lookups: &'a Lookups,
    pub limits: &'a Thresholds,
    pub stored: &'a StoredKeys,
    pub physical: Partitions,
    pub region: Option<Arc<str>>,
    pub shares: Option<Shares<'a>>,
    /// As the RU log has it, in the stretch that is judged.
    pub logged: Option<Demand>,
    /// Share of the RU without a listed key that has no key at all; the rest belongs to small keys.
    pub unnamed_part: f64,
    /// Over the sizing window; None if no input reports load by partition.
    pub now: Option<Arc<CurrentLoad>>,
    pub attempts: Option<Attempts>,
    pub hot: Option<HotPlace>,
}

impl<'a> Picture<'a> {
    pub fn of(
        capture: &'a Capture,
        number: u32,
        heat: &'a ContainerHeat,
        lookups: &'a Lookups,
        stored: &'a StoredKeys,
        limits: &'a Thresholds,
    ) -> Option<Self> {
        let container = capture.container(number)?;
        let physical = Partitions::of(capture, number, heat)?;
        let look = |shares: Option<Shares<'a>>, region: Option<Arc<str>>| {
            let mut picture = Self {
                capture,
                container,
                number,
                heat,
                lookups,
                limits,
                stored,
                region,
                physical: physical.clone(),
                shares,
                logged: None,
                unnamed_part: 1.0,
                now: None,
                attempts: None,
                hot: None,
            };
            picture.look_at_load();
            picture
        };
        let by_region = Shares::by_region(heat, &physical, limits).into_iter();
        let mut all: Vec<Self> = by_region
            .map(|shares| {
                let region = shares.track.region.clone();
                look(Some(shares), region)
            })
            .collect();
        if all.is_empty() {
            let cells = heat.keys.cells().iter();
            let names = cells.map(|cell| capture.region(cell.region).map(Into::into));
            let names: BTreeSet<Option<Arc<str>>> = names.collect();
            all.extend(names.into_iter().map(|region| look(None, region)));
        }
        Some(worst(all).unwrap_or_else(|| look(None, None)))
    }

    /// Why nothing is told against the RU/s of its partitions.
    pub fn why_no_shares(&self) -> &'static str {
        let account = self.capture.account_of(&self.container.name);
        RuOwner::of(self.container, account).why_unknown()
    }

    fn look_at_load(&mut self) {
        let window = self.shares.as_ref().map(|s| s.window);
        let region = self.log_region(window);
        let whole = self.logged_in(region);
        if self.region.is_none() {
            self.region = region.and_then(|r| self.capture.region(r)).map(Into::into);
        }
        // A log of another time than the metric still names keys.
        let judged =
            |whole: &Demand| window.and_then(|w| whole.within(w)).unwrap_or_else(|| whole.clone());
        self.logged = whole.as_ref().map(judged);
        let window = window.or_else(|| self.logged.as_ref().map(|d| d.span));
        self.attempts = Attempts::of(self.heat, self.region.as_ref(), window);
        let which = RecordFilter { region, ..RecordFilter::default() };
        let ru = |key| self.heat.keys.total_of(key, which).ru;
        let small = ru(RuKey::Other);
        self.unnamed_part =
            if small > 0.0 { 1.0 - small / (small + ru(RuKey::NotReported)) } else { 1.0 };
        self.hot = self.find_hot();
        let keyless = self.keyless();
        if let Some(logged) = &mut self.logged {
            logged.keyless = keyless;
        }
        self.now = self.look_now(whole, keyless).map(Arc::new);
        let fits = self.hot.as_ref().and_then(|hot| fits_alone(self.known_now()?, hot.place));
        if let Some(hot) = &mut self.hot {
            hot.fits_alone = fits;
        }
    }

    fn logged_in(&self, region: Option<u16>) -> Option<Demand> {
        let places = &self.lookups.places;
        let of = (self.capture, self.number, self.heat);
        Demand::logged(of.0, of.1, of.2, &self.physical, places, region)
    }

    /// Where it is known what was throttled.
    pub fn known_now(&self) -> Option<&CurrentLoad> {
        self.now.as_deref().filter(|now| now.is_known)
    }

    /// What becomes of each partition; empty where it is not known what was throttled.
    pub fn loads(&self) -> &[PartitionOutcome] {
        self.known_now().map_or(&[], |now| &now.outcome.partitions)
    }

    /// The region of the shares; else the one in which most RU was logged.
    fn log_region(&self, window: Option<(i64, i64)>) -> Option<u16> {
        if let Some(name) = &self.region {
            let number = self.capture.regions.find(name)?;
            return u16::try_from(number).ok();
        }
        let is_in = |second: Option<i64>| match (window, second) {
            (Some((from, to)), Some(second)) => from <= second && second < to,
            _ => true,
        };
        let mut sums: BTreeMap<u16, f64> = BTreeMap::new();
        for cell in self.heat.keys.cells().iter().filter(|c| is_in(c.second)) {
            *sums.entry(cell.region).or_default() += cell.ru;
        }
        let sums = sums.into_iter();
        let most = sums.reduce(|held, found| if found.1 > held.1 { found } else { held });
        most.map(|(region, _)| region)
    }

    fn find_hot(&self) -> Option<HotPlace> {
        let shares = self.shares.as_ref()?;
        let place = shares.hottest(&self.physical, self.attempts.as_ref())?;
        if !shares.is_hot(place, self.limits) {
            return None;
        }
        let standing = shares.standing(place)?;
        let pressure = |demand| Pressure::of(demand, &self.physical, place, self.limits);
        let pressure = self.logged.as_ref().map(pressure);
        let reported = pressure.as_ref().and_then(|p| p.unevenness);
        let ratio = reported.or_else(|| shares.ratio(place));
        let number = self.physical.number(place)?;
        let span = hot_span(shares.track, number, shares.window, self.limits.hot_share);
        // By the metric alone calm others are enough; the RU log sees seconds in which the load may lie elsewhere.
        let is_calm =
            reported.is_none() && shares.others(place).is_some_and(|o| o <= self.limits.calm_share);
        Some(HotPlace {
            place,
            standing,
            is_even: !is_calm && ratio.is_none_or(|r| r <= self.limits.even_ratio),
            pressure,
            fits_alone: None,
            span,
        })
    }

    /// Whom requests without a key reach, as far as the load shows.
    fn keyless(&self) -> Keyless {
        let share = self.keyless_share().unwrap_or(1.0);
        if self.is_fan_out() {
            Keyless::Everywhere
        } else if share >= self.limits.fan_out_share && !self.is_even() {
            Keyless::Unknown
        } else {
            Keyless::Divided
        }
    }

    fn keyless_share(&self) -> Option<f64> {
        self.logged.as_ref().map(|logged| logged.keyless_share() * self.unnamed_part)
    }

    pub fn is_even(&self) -> bool {
        if let Some(hot) = &self.hot {
            return hot.is_even;
        }
        let shares = self.shares.as_ref();
        let ratio = shares.and_then(|s| s.ratio(s.hottest(&self.physical, None)?));
        ratio.is_none_or(|r| r <= self.limits.even_ratio)
    }

    /// The highest share of a partition that the judged stretch shows.
    pub fn highest(&self) -> Option<f64> {
        let reported = self.shares.as_ref()?.standings.iter().flatten();
        reported.map(|s| s.p99).reduce(f64::max)
    }

    /// All partitions are busy alike with small queries that name no key.
    pub fn is_fan_out(&self) -> bool {
        let limits = self.limits;
        let is_busy = self.highest().is_some_and(|h| h >= limits.busy_share);
        if self.physical.len() < 2 || !is_busy || !self.is_even() {
            return false;
        }
        let each = self.attempts.as_ref().and_then(|r| r.all.ru_per_request());
        let is_small = each.is_none_or(|ru| ru > 0.0 && ru <= limits.fan_out_ru);
        let keyless = self.keyless_share();
        let is_keyless = keyless.is_none_or(|share| share >= limits.fan_out_share);
        // One of the two must be known, or every even load would be one.
        let is_reported = keyless.is_some() || each.is_some();
        is_reported && is_small && is_keyless && self.queries_lead()
    }

    /// Queries take most of the RU that names no key, or send most of the requests where there is no RU log.
    fn queries_lead(&self) -> bool {
        let names = &self.capture.load.names;
        let is_query =
            |operation: u32| names.text(operation).to_ascii_lowercase().contains("query");
        let (mut queries, mut all) = (0.0, 0.0);
        for cell in self.heat.keys.cells() {
            if cell.key == RuKey::NotReported {
                all += cell.ru;
                queries += if is_query(cell.operation) { cell.ru } else { 0.0 };
            }
        }
        if all <= 0.0 {
            let of = self.capture.load.requests.iter();
            for (cell, sum) in of.filter(|(cell, _)| cell.container == self.number) {
                let requests = real(sum.requests);
                all += requests;
                queries += if is_query(cell.operation) { requests } else { 0.0 };
            }
        }
        all > 0.0 && queries >= all * self.limits.fan_out_share
    }

    /// Logs of the same seconds that do not count, in this region.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOutLog> {
        let is_here = move |log: &&LeftOutLog| {
            let region = self.capture.region(log.region);
            log.container == self.number && region == self.region.as_deref()
        };
        self.capture.load.left_out.iter().filter(is_here)
    }

    /// A caution where another log of the same seconds counts otherwise.
    pub fn other_log(&self) -> Option<String> {
        let mut others = self.left_out();
        let other = others.find(|o| (o.ru / o.judged_ru - 1.0).abs() > DISAGREES)?;
        Some(format!(
            " · judged by {} ({} RU); {} has {} RU of the same seconds",
            other.judged_by.name(),
            number_text(other.judged_ru.round()),
            other.log.name(),
            number_text(other.ru.round()),
        ))
    }

    /// The share of 429s that is counted on a partition, else on all of them.
    pub fn measured_share(&self, place: u32) -> Option<f64> {
        let attempts = self.attempts.as_ref()?;
        let on_it = self.physical.number(place).and_then(|number| attempts.on(number));
        on_it.and_then(|of| of.throttled_share()).or_else(|| attempts.all.throttled_share())
    }

    /// All RU/s of the container.
    pub fn ru_per_second(&self) -> Option<f64> {
        self.physical.provisioned
    }

    /// Whether the service can throttle one key below the RU/s of its partition.
    pub fn caps_keys(&self) -> bool {
        self.account_is(Setting::KeyThrottling) == Some(true)
    }

    /// A setting of the container's account; None where no input has it.
    pub fn account_is(&self, setting: Setting) -> Option<bool> {
        self.capture.account_of(&self.container.name)?.is(setting)
    }

    pub fn partition(&self, place: u32) -> Option<&'a Partition> {
        self.heat.partitions.get(self.physical.number(place)? as usize)
    }

    /// What would be refused otherwise; `blamed` are keys among those of the demand.
    pub fn remedies(&self, blamed: &[usize]) -> Option<Remedies> {
        let now = self.known_now()?;
        let mut found = remedies(&Question {
            now,
            hot: self.hot.as_ref().map(|hot| hot.place),
            blamed,
            next_key_at: blamed.first().and_then(|key| self.next_key_at(*key, now)),
            cured: self.limits.cured_throttled,
            least_partition_ru: self.limits.least_partition_ru,
            is_pooled: self.limits.fleet_pool > 0.0,
            caps_keys: self.caps_keys(),
            least_suffixes: suffixes_for_size(self).unwrap_or(0),
        })?;
        // What all shares of the rows are shares of: 429s of requests are others.
        if let Some(present) = found.rows.first_mut() {
            let (from, to) = now.demand.span;
            let worst = span_text(to.saturating_sub(from));
            present.words = format!("{PRESENT}worst {worst}");
        }
        Some(found)
    }

    /// When the day or month of the load ends that a key names in its first level.
    fn next_key_at(&self, key: usize, now: &CurrentLoad) -> Option<Stamp> {
        let key = Key::from_canonical(self.key_text(key)?)?;
        let Part::Text(first) = key.parts().first()? else {
            return None;
        };
        let (_, from, end) = named_in(first)?;
        let is_now = from.seconds() <= now.demand.span.0 && now.demand.span.0 < end.seconds();
        is_now.then_some(end)
    }

    /// `partition 3`, or what the log says instead of a number.
    pub fn partition_text(&self, place: u32) -> String {
        self.name(self.physical.number(place).unwrap_or(u32::MAX))
    }

    /// The same by the number in `ContainerHeat`.
    pub fn name(&self, number: u32) -> String {
        let partition = self.heat.partitions.get(number as usize);
        match partition.map(|p| &p.named) {
            Some(RangeName::Range(id) | RangeName::Guid(id)) => {
                format!("partition {}", visible(id))
            }
            Some(RangeName::Undefined) => "the partition logged as undefined".to_owned(),
            Some(RangeName::NotReported) | None => "a partition that is not named".to_owned(),
        }
    }

    /// The end of the newest load looked at.
    pub fn as_of(&self) -> Option<Stamp> {
        let shares = self.shares.as_ref().map(|s| s.window.1);
        let logged = self.logged.as_ref().map(|d| d.span.1);
        let requests = self.heat.track(Measure::Requests).and_then(Track::span);
        let load = shares.max(logged).max(requests.map(|span| span.1));
        load.and_then(Stamp::from_seconds).or(self.stored.newest)
    }

    /// Whether the load was told by a metric, in whose steps the highest second counts.
    pub fn is_metric(&self) -> bool {
        self.shares.as_ref().is_some_and(|s| s.track.measure == Measure::NormalizedRu)
    }

    pub fn key_text(&self, key: usize) -> Option<&str> {
        let demand = self.logged.as_ref()?;
        demand.keys.get(key).map(|k| k.canonical.as_str())
    }
}
