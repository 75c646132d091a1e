//! What documents weigh when RU are shared out: one each, their bytes, or what logs name for their current key.

use crate::model::documents::Documents;

use std::sync::Arc;

use super::super::demand::profiles::LoadProfiles;
use super::clock::Clock;
use super::fold::{FoldContext, Groups};
use super::settings::{Settings, Weight};
use super::sizes::Sizes;
use super::tally::Tally;
use super::times::NO_SECOND;
use crate::model::units::{real, single};

/// Documents that are enough to say which new keys go with a key of today.
const NEWEST: usize = 2_000;
/// More documents without the key of today make what logs measured by it say nothing of other keys.
const MOST_WITHOUT: f64 = 0.5;

/// What logs say of each document.
#[derive(Clone, Debug)]
pub(super) struct RowWeights {
    pub ru: Vec<f32>,
    /// That its current key follows.
    pub profile: Vec<u8>,
    pub profiles: Arc<LoadProfiles>,
}

impl RowWeights {
    /// What places have of each course, a row for each, and what is left.
    pub fn by_profile(
        &self,
        groups: &Groups<'_>,
        places: usize,
        place: impl Fn(u32) -> Option<usize>,
    ) -> [Vec<f64>; 2] {
        let profiles = self.profiles.count();
        let (mut found, mut rest) = (vec![0.0; places * profiles], vec![0.0; profiles]);
        let weights = self.ru.iter().zip(&self.profile);
        for (group, (ru, profile)) in groups.of_row.iter().zip(weights) {
            let profile = usize::from(*profile);
            let slot = match place(*group) {
                Some(place) => found.get_mut(place * profiles + profile),
                None => rest.get_mut(profile),
            };
            if let Some(slot) = slot {
                *slot += f64::from(*ru);
            }
        }
        [found, rest]
    }
}

/// The weight in use.
#[derive(Clone, Debug)]
pub(super) enum Weighing {
    Documents,
    Bytes,
    /// RU of each document.
    Rows(RowWeights),
}

/// The weight of each group.
#[derive(Clone, Debug)]
pub(super) enum Weights<'g> {
    Documents(&'g Sizes<'g>),
    Bytes(&'g Sizes<'g>),
    /// RU of each, of how many documents, and what these have each.
    Parts {
        sums: Vec<f64>,
        documents: Vec<u32>,
        rows: &'g RowWeights,
    },
}

impl Weights<'_> {
    pub fn of(&self, group: u32) -> f64 {
        match self {
            Self::Documents(sizes) => real(sizes.count(group)),
            Self::Bytes(sizes) => real(sizes.bytes(group)),
            Self::Parts { sums, .. } => sums.get(group as usize).copied().unwrap_or(0.0),
        }
    }

    /// Of all groups together.
    pub fn total(&self, tally: &Tally) -> f64 {
        match self {
            Self::Documents(_) => real(tally.documents),
            Self::Bytes(_) => real(tally.bytes),
            Self::Parts { sums, .. } => sums.iter().sum(),
        }
    }

    /// The hottest key, and what it has in all.
    pub fn highest(&self, tally: &Tally) -> (u32, f64) {
        match self {
            Self::Documents(_) => {
                let (count, group) = tally.commonest;
                (group, real(count) * tally.commonest_part())
            }
            Self::Bytes(_) => {
                let [count, bytes] = tally.largest.has;
                let group = tally.largest.group;
                (group, real(bytes) * tally.scaling.part(group, count))
            }
            Self::Parts { sums, .. } => {
                let all = (0_u32..).zip(sums.iter().copied());
                let (group, most) = all
                    .reduce(|most, next| if next.1 > most.1 { next } else { most })
                    .unwrap_or_default();
                (group, most * tally.commonest_part())
            }
        }
    }
}

/// How logged RU were spread over the documents.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LoggedSpread {
    /// RU of all records.
    pub logged_ru: f64,
    /// Of keys that the documents have.
    pub matched_ru: f64,
    pub matched_keys: u64,
    pub logged_keys: u64,
    /// Documents whose key no record names; the rest of the RU is spread over them.
    pub unnamed_documents: u64,
}

/// Whether the demand by keys of today is brought to other keys, through the documents that have both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DemandMapping {
    By(LoggedSpread),
    /// This part of the documents has no key of today.
    Cannot {
        without: f64,
    },
    /// No log names a key of theirs, or documents are to weigh by themselves.
    No,
}

impl Weighing {
    pub fn of(
        documents: &Documents,
        clock: Option<&Clock>,
        settings: &Settings,
    ) -> (Self, DemandMapping) {
        let found = match settings.weight {
            Weight::Bytes => return (Self::Bytes, DemandMapping::No),
            // Where demand by key is measured, documents stand for their keys' part of it.
            Weight::Documents if settings.measured().is_none() => Err(DemandMapping::No),
            Weight::Documents | Weight::Logged => logged(documents, clock, settings),
        };
        match found {
            Ok((rows, spread)) => (Self::Rows(rows), DemandMapping::By(spread)),
            Err(mapped) => (Self::Documents, mapped),
        }
    }

    pub fn weight(&self) -> Weight {
        match self {
            Self::Documents => Weight::Documents,
            Self::Bytes => Weight::Bytes,
            Self::Rows(_) => Weight::Logged,
        }
    }

    /// Those that keys follow.
    pub fn profiles(&self) -> Arc<LoadProfiles> {
        match self {
            Self::Rows(rows) => Arc::clone(&rows.profiles),
            Self::Documents | Self::Bytes => Arc::default(),
        }
    }

    /// What all documents together have of each course.
    pub fn mix(&self, groups: &Groups<'_>) -> Vec<f64> {
        match self {
            Self::Rows(rows) => {
                let [_, mix] = rows.by_profile(groups, 0, |_| None);
                mix
            }
            Self::Documents | Self::Bytes => vec![1.0],
        }
    }

    /// The weight of each group.
    pub fn of_groups<'g>(&'g self, groups: &'g Groups<'_>) -> Weights<'g> {
        match self {
            Self::Documents => Weights::Documents(&groups.sizes),
            Self::Bytes => Weights::Bytes(&groups.sizes),
            Self::Rows(rows) => {
                let mut both = vec![(0.0, 0_u32); groups.len()];
                for (group, weight) in groups.of_row.iter().zip(&rows.ru) {
                    if let Some((sum, documents)) = both.get_mut(*group as usize) {
                        *sum += f64::from(*weight);
                        *documents += u32::from(*weight > 0.0);
                    }
                }
                let (sums, documents) = both.into_iter().unzip();
                Weights::Parts { sums, documents, rows }
            }
        }
    }
}

fn logged(
    documents: &Documents,
    clock: Option<&Clock>,
    settings: &Settings,
) -> Result<(RowWeights, LoggedSpread), DemandMapping> {
    let today = settings.today.as_ref().ok_or(DemandMapping::No)?;
    let (key, logged) = (today.key.as_ref().ok_or(DemandMapping::No)?, &today.logged);
    if logged.by_key.is_empty() {
        return Err(DemandMapping::No);
    }
    let groups =
        Groups::of(documents, key, settings.seed, FoldContext::ALONE).ok_or(DemandMapping::No)?;
    let gaps = groups.levels.iter().map(|level| level.gaps.total());
    let without = real(gaps.max().unwrap_or(0)) / real(documents.len().max(1) as u64);
    if without > MOST_WITHOUT {
        return Err(DemandMapping::Cannot { without });
    }
    let profiles = settings.measured().map(|now| LoadProfiles::of(&now.demand));
    let profiles = profiles.unwrap_or_default();
    let mut spread = LoggedSpread {
        logged_ru: logged.total(),
        logged_keys: logged.by_key.len() as u64,
        ..LoggedSpread::default()
    };
    // The last one stands for all keys that no record names.
    let unnamed = groups.len();
    let mut keys = vec![OfKey::default(); unnamed + 1];
    let mut names = vec![unnamed; unnamed];
    groups.sizes.all(|group, [count, _]| {
        let canonical = groups.key(group).canonical();
        let Some(ru) = logged.by_key.get(canonical.as_str()) else {
            spread.unnamed_documents += count;
            return;
        };
        spread.matched_ru += ru;
        spread.matched_keys += 1;
        let at = group as usize;
        if let (Some(key), Some(name)) = (keys.get_mut(at), names.get_mut(at)) {
            *name = at;
            key.ru = *ru;
            key.profile = profiles.of_key(&canonical);
        }
    });
    if spread.matched_keys == 0 {
        return Err(DemandMapping::No);
    }
    if let Some(others) = keys.last_mut() {
        others.ru = (spread.logged_ru - spread.matched_ru).max(0.0);
        others.profile = profiles.keys.len();
    }
    let name = |group: &u32| names.get(*group as usize).copied().unwrap_or(unnamed);
    let is_new = is_newest(clock);
    for (row, group) in groups.of_row.iter().enumerate() {
        if let Some(key) = keys.get_mut(name(group)) {
            key.documents += 1;
            key.new += u32::from(is_new(row));
        }
    }
    let key = |group: &u32| keys.get(name(group)).copied().unwrap_or_default();
    let rows = groups.of_row.iter().enumerate();
    let ru = rows.map(|(row, group)| key(group).ru_of_document(is_new(row)));
    let profile = |group: &u32| u8::try_from(key(group).profile).unwrap_or(u8::MAX);
    let rows = RowWeights {
        ru: ru.collect(),
        profile: groups.of_row.iter().map(profile).collect(),
        profiles,
    };
    Ok((rows, spread))
}

/// Whether a document is one of the newest.
pub(super) fn is_newest(clock: Option<&Clock>) -> impl Fn(usize) -> bool {
    let newest = clock.map(|clock| (&clock.seconds, clock.newest(NEWEST)));
    move |row| {
        newest.is_none_or(|(seconds, from)| {
            let second = seconds.get(row).filter(|s| **s != NO_SECOND);
            second.is_some_and(|second| *second >= from)
        })
    }
}

/// What a current key has.
#[derive(Clone, Copy, Default)]
struct OfKey {
    ru: f64,
    profile: usize,
    documents: u32,
    /// Those of the newest window.
    new: u32,
}

impl OfKey {
    /// The newest documents say where its requests go; where it has none of them, all it has.
    fn ru_of_document(self, is_new: bool) -> f32 {
        let share = match self.new {
            0 => self.ru / f64::from(self.documents.max(1)),
            new if is_new => self.ru / f64::from(new),
            _ => 0.0,
        };
        single(share)
    }
}
