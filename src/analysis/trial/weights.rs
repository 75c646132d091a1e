//! What documents weigh when RU are shared out: one each, their bytes, or what logs name for their current key.

use crate::model::documents::Documents;

use super::super::crew::Crew;
use super::fold::{By, Groups};
use super::settings::{Settings, Weight};
use super::sizes::Sizes;
use super::tally::Tally;
use crate::model::units::real;

/// The weight in use.
#[derive(Clone, Debug)]
pub(super) enum Weighing {
    Documents,
    Bytes,
    /// RU of each document.
    Rows(Vec<f32>),
}

/// The weight of each group.
#[derive(Clone, Debug)]
pub(super) enum Weights<'g> {
    Documents(&'g Sizes<'g>),
    Bytes(&'g Sizes<'g>),
    Parts(Vec<f64>),
}

impl Weights<'_> {
    pub fn of(&self, group: u32) -> f64 {
        match self {
            Self::Documents(sizes) => real(sizes.count(group)),
            Self::Bytes(sizes) => real(sizes.bytes(group)),
            Self::Parts(weights) => weights.get(group as usize).copied().unwrap_or(0.0),
        }
    }

    /// Of all groups together.
    pub fn total(&self, tally: &Tally) -> f64 {
        match self {
            Self::Documents(_) => real(tally.documents),
            Self::Bytes(_) => real(tally.bytes),
            Self::Parts(weights) => weights.iter().sum(),
        }
    }

    pub fn highest(&self, tally: &Tally) -> f64 {
        match self {
            Self::Documents(_) => real(tally.commonest.0) * tally.commonest_part(),
            Self::Bytes(_) => {
                let [count, bytes] = tally.largest.has;
                real(bytes) * tally.scaling.part(tally.largest.group, count)
            }
            Self::Parts(weights) => {
                weights.iter().copied().fold(0.0, f64::max) * tally.commonest_part()
            }
        }
    }
}

/// How logged RU were spread over the documents.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// RU of all records.
    pub logged_ru: f64,
    /// Of keys that the documents have.
    pub matched_ru: f64,
    pub matched_keys: u64,
    pub logged_keys: u64,
    /// Documents whose key no record names; the rest of the RU is spread over them.
    pub unnamed_documents: u64,
}

impl Weighing {
    pub fn of(documents: &Documents, settings: &Settings) -> (Self, Option<Spread>) {
        match settings.weight {
            Weight::Bytes => (Self::Bytes, None),
            // Where demand by key is measured, documents stand for their keys' part of it.
            Weight::Documents if settings.measured().is_none() => (Self::Documents, None),
            Weight::Documents | Weight::Logged => logged(documents, settings)
                .map_or((Self::Documents, None), |(rows, spread)| {
                    (Self::Rows(rows), Some(spread))
                }),
        }
    }

    pub fn weight(&self) -> Weight {
        match self {
            Self::Documents => Weight::Documents,
            Self::Bytes => Weight::Bytes,
            Self::Rows(_) => Weight::Logged,
        }
    }

    /// The weight of each group.
    pub fn of_groups<'g>(&self, groups: &'g Groups<'_>) -> Weights<'g> {
        match self {
            Self::Documents => Weights::Documents(&groups.sizes),
            Self::Bytes => Weights::Bytes(&groups.sizes),
            Self::Rows(rows) => {
                let mut sums = vec![0.0; groups.len()];
                for (group, weight) in groups.of_row.iter().zip(rows) {
                    if let Some(sum) = sums.get_mut(*group as usize) {
                        *sum += f64::from(*weight);
                    }
                }
                Weights::Parts(sums)
            }
        }
    }
}

/// None where no log names a key, or the current key is not known.
fn logged(documents: &Documents, settings: &Settings) -> Option<(Vec<f32>, Spread)> {
    let today = settings.today.as_ref()?;
    let (key, logged) = (today.key.as_ref()?, &today.logged);
    if logged.is_empty() {
        return None;
    }
    let by = By {
        crew: Crew::ALONE,
        keep_going: &|| true,
    };
    let groups = Groups::of(documents, key, settings.seed, by)?;
    let mut spread = Spread {
        logged_ru: logged.total(),
        logged_keys: logged.by_key.len() as u64,
        ..Spread::default()
    };
    let mut each: Vec<Option<f64>> = vec![None; groups.len()];
    groups.sizes.all(|group, [count, _]| {
        let ru = logged.by_key.get(groups.key(group).canonical().as_str());
        if let Some(ru) = ru {
            spread.matched_ru += ru;
            spread.matched_keys += 1;
        } else {
            spread.unnamed_documents += count;
        }
        if let Some(slot) = each.get_mut(group as usize) {
            *slot = ru.map(|ru| ru / real(count.max(1)));
        }
    });
    if spread.matched_keys == 0 {
        return None;
    }
    let rest = (spread.logged_ru - spread.matched_ru).max(0.0);
    let rest = rest / real(spread.unnamed_documents.max(1));
    let of = |group: &u32| {
        let found = each.get(*group as usize).copied().flatten();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a document's share of the RU is shown with few digits"
        )]
        let weight = found.unwrap_or(rest) as f32;
        weight
    };
    Some((groups.of_row.iter().map(of).collect(), spread))
}
