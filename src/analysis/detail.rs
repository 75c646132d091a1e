//! Everything known of one key, for the pane beside a list and for the evidence behind its numbers.

mod part;

use crate::model::capture::{Capture, SourceInfo};
use crate::model::epk::Epk;
use crate::model::key::Key;
use crate::model::logical::{KeyId, KeyView, SeriesView};
use crate::model::physical::PhysicalPartition;
use crate::model::sample::{Sample, Trust, latest};
use crate::model::time::Stamp;
use crate::model::units::whole_u64;

use super::columns::Lookups;
use super::growth::{Growth, LimitDate};
use super::outlook::{Outlook, trust};
use super::places::{HowKnown, KeyRange};
use super::rows::SizeOf;
use super::tally::size_of;

pub use part::{CodePoint, PartDetail};

#[derive(Clone, PartialEq, Debug)]
pub struct Detail {
    /// Compact JSON list, harmless; None where the log named no key.
    pub json: Option<Box<str>>,
    pub canonical: String,
    pub parts: Vec<PartDetail>,
    pub size_of: SizeOf,
    pub size_kib: f64,
    /// Of the ceiling.
    pub share: f64,
    /// The region that counts first, the others by size.
    pub regions: Vec<RegionDetail>,
    pub growth: Option<Growth>,
    /// What the growth rests on, or would rest on if it were enough.
    pub growth_basis: GrowthBasis,
    pub limit_date: LimitDate,
    /// Where the month or day ends that it names.
    pub period_end: Option<Stamp>,
    pub band_kib: f64,
    pub band_from: BandFrom,
    /// Of a hierarchical key with fewer parts than levels the start of its range.
    pub epk: Option<Epk>,
    pub owner: Option<Owner>,
    /// RU in all logs together.
    pub ru: Option<f64>,
    /// Of the RU of all records of the container.
    pub ru_share: Option<f64>,
}

/// One region's sizes of a key.
#[derive(Clone, PartialEq, Debug)]
pub struct RegionDetail {
    pub name: Option<String>,
    pub latest_kib: f64,
    pub latest_at: Option<Stamp>,
    /// Different readings, kept or not.
    pub readings: u64,
    /// The readings that are kept, in time order, those without a time first.
    pub samples: Vec<Sample>,
    /// Where readings were thinned away: the first and the largest of all.
    pub first_and_largest: Option<(Sample, Sample)>,
    /// The input that gave the newest reading.
    pub source: Option<SourceInfo>,
}

/// The readings behind a growth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrowthBasis {
    /// Dated readings of the region whose growth counts, of the trust that counts.
    pub readings: u64,
    pub from: Option<Stamp>,
    pub to: Option<Stamp>,
    pub trust: Trust,
}

words! {
    /// Where the band of a size comes from.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BandFrom {
        /// The size of the physical partition that holds the key.
        Owner = "1 % of the physical partition that holds the key",
        /// The largest partition of the container: no key lies in a larger one.
        LargestPartition = "1 % of the largest physical partition of the container",
        /// No size of a partition is known: the most that one can hold is assumed.
        Assumed = "1 % of 50 GB: no size of a physical partition is known",
    }
    fn words
}

/// The physical partition that holds a key.
#[derive(Clone, PartialEq, Debug)]
pub struct Owner {
    /// Index into the container's partitions.
    pub index: usize,
    pub partition: PhysicalPartition,
    pub how_known: HowKnown,
}

/// None for a key that the capture does not hold.
pub fn detail(capture: &Capture, lookups: &Lookups, id: KeyId) -> Option<Detail> {
    let view = capture.sizes.view(id)?;
    let (place, outlook) = lookups.outlook(capture, &view)?;
    let (number, canonical) = (view.container(), view.canonical());
    let container = capture.container(number)?;
    let owner = place.owner.and_then(|(index, how_known)| {
        Some(Owner { index, partition: container.partitions.get(index)?.clone(), how_known })
    });
    let ru = lookups.ru.of_key(&capture.load, number, canonical);
    let of_all = lookups.ru.of_container(number).filter(|all| *all > 0.0);
    let shown = Key::from_canonical(view.as_found().unwrap_or(canonical));
    Some(Detail {
        json: view.json_text().map(Into::into),
        canonical: canonical.to_owned(),
        parts: shown.map_or_else(Vec::new, |key| key.parts().iter().map(PartDetail::of).collect()),
        size_of: size_of(canonical, container.definition.as_ref()),
        size_kib: outlook.now.latest.kib,
        share: lookups.ceiling.share(outlook.now.latest.kib),
        regions: regions(capture, &view, &outlook),
        growth: outlook.growth,
        growth_basis: basis(&view, &outlook),
        limit_date: outlook.limit_date,
        period_end: outlook.period_end,
        band_kib: outlook.band_kib,
        band_from: band_from(&place, owner.as_ref()),
        epk: lookups.places.epk(number, canonical),
        owner,
        ru,
        ru_share: ru.and_then(|ru| Some(ru / of_all?)),
    })
}

fn regions(capture: &Capture, view: &KeyView<'_>, outlook: &Outlook<'_>) -> Vec<RegionDetail> {
    let counting = outlook.now.series.region;
    let mut series: Vec<(SeriesView<'_>, Sample)> =
        view.series().filter_map(|s| Some((s, latest(s.samples)?))).collect();
    let name = |s: &SeriesView<'_>| capture.region(s.region);
    series.sort_by(|(a, a_latest), (b, b_latest)| {
        let counts = |s: &SeriesView<'_>| s.region == counting;
        counts(b)
            .cmp(&counts(a))
            .then(b_latest.kib.total_cmp(&a_latest.kib))
            .then_with(|| name(a).cmp(&name(b)))
    });
    let detail = |(series, latest): (SeriesView<'_>, Sample)| {
        let mut kept = series.samples.to_vec();
        kept.sort_by(|a, b| {
            let by_time = a.when.order().cmp(&b.when.order());
            by_time.then(a.kib.total_cmp(&b.kib))
        });
        let source = capture.sources.get(usize::from(series.source));
        RegionDetail {
            name: name(&series).map(str::to_owned),
            latest_kib: latest.kib,
            latest_at: latest.when.at(),
            readings: series.count(),
            samples: kept,
            first_and_largest: series.thinned().map(|t| (t.first, t.largest)),
            source: source.cloned(),
        }
    };
    series.into_iter().map(detail).collect()
}

fn basis(view: &KeyView<'_>, outlook: &Outlook<'_>) -> GrowthBasis {
    let (trust, series) = (trust(view), outlook.followed);
    let of_trust = series.samples.iter().filter(|s| s.when.trust() == trust);
    let is_meant = |at: &Stamp| outlook.full_since.is_none_or(|since| *at < since);
    let times: Vec<Stamp> = of_trust.filter_map(|s| s.when.at()).filter(is_meant).collect();
    let all = series.thinned().filter(|_| outlook.full_since.is_none());
    let summed = all.map(|t| match trust {
        Trust::Exact => t.exact.n,
        Trust::Weak | Trust::Assumed => t.weak.n,
    });
    let first = all.map(|t| t.first);
    let first = first.filter(|f| f.when.trust() == trust);
    let from = times.iter().copied().chain(first.and_then(|f| f.when.at()));
    GrowthBasis {
        readings: summed.map_or(times.len() as u64, whole_u64),
        from: from.min(),
        to: times.iter().copied().max(),
        trust,
    }
}

fn band_from(place: &KeyRange, owner: Option<&Owner>) -> BandFrom {
    let is_usable = |kib: f64| kib.is_finite() && kib > 0.0;
    if !place.partition_kib.is_some_and(is_usable) {
        return BandFrom::Assumed;
    }
    let is_owner = owner.is_some_and(|o| o.partition.kib == place.partition_kib);
    if is_owner { BandFrom::Owner } else { BandFrom::LargestPartition }
}

#[cfg(test)]
mod tests;
