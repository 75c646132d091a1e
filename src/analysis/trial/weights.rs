//! What documents weigh when RU are shared out: one each, their bytes, or what logs name for their current key.

use crate::model::documents::Documents;

use super::super::crew::Crew;
use super::fold::{By, Groups};
use super::settings::{Settings, Weight};
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
    Whole(&'g [u64]),
    Parts(Vec<f64>),
}

impl Weights<'_> {
    pub fn of(&self, group: u32) -> f64 {
        let at = group as usize;
        match self {
            Self::Whole(weights) => weights.get(at).map_or(0.0, |n| real(*n)),
            Self::Parts(weights) => weights.get(at).copied().unwrap_or(0.0),
        }
    }

    pub fn total(&self) -> f64 {
        match self {
            Self::Whole(weights) => real(weights.iter().sum()),
            Self::Parts(weights) => weights.iter().sum(),
        }
    }

    pub fn highest(&self) -> f64 {
        match self {
            Self::Whole(weights) => real(weights.iter().max().copied().unwrap_or(0)),
            Self::Parts(weights) => weights.iter().copied().fold(0.0, f64::max),
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
            Weight::Documents => (Self::Documents, None),
            Weight::Bytes => (Self::Bytes, None),
            Weight::Logged => logged(documents, settings)
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
            Self::Documents => Weights::Whole(&groups.counts),
            Self::Bytes => Weights::Whole(&groups.bytes),
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
    let counts = &groups.counts;
    let mut spread = Spread {
        logged_ru: logged.total(),
        logged_keys: logged.by_key.len() as u64,
        ..Spread::default()
    };
    let mut each: Vec<Option<f64>> = Vec::with_capacity(counts.len());
    for (group, count) in (0_u32..).zip(counts) {
        let ru = logged.by_key.get(groups.key(group).canonical().as_str());
        if let Some(ru) = ru {
            spread.matched_ru += ru;
            spread.matched_keys += 1;
        } else {
            spread.unnamed_documents += count;
        }
        each.push(ru.map(|ru| ru / real((*count).max(1))));
    }
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
