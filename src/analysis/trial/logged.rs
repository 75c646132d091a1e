//! Trials without documents: what sizes and RU of logged keys tell of keys that are made of the current one.
//!
//! Logs list large keys only. What they do not list is smaller, and where the container's size is known it is taken to lie
//! evenly; shares are of the container where its size is known, else of the reported keys.

mod findings;
mod new_keys;
mod placing;
mod transform;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::key::{Key, Part};
use crate::model::time::Stamp;

use super::super::candidate::Candidate;
use super::super::ceiling::Ceiling;
use super::super::columns::Lookups;
use super::super::demand::CurrentLoad;
use super::super::growth::Growth;
use super::super::routing::RoutedLayout;
use super::super::skew::WholeOf;
use super::Trial;
use super::forecast::LoggedGrowth;
use super::routes::{self, Routed};
use super::settings::{Settings, Whole};
use super::today::Today;

/// What a trial rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialBasis {
    Documents,
    /// Sizes and RU of so many reported keys; shares are of the container or of these keys alone.
    Statistics {
        keys: u64,
        of: WholeOf,
    },
}

/// A candidate of which sizes and RU by key tell nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct CannotTell {
    /// Why, and what a sample of documents would add.
    pub sentence: String,
    /// Where queries go needs no document.
    pub routed: Vec<Routed>,
}

/// A logged key of a container.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedKey {
    pub key: Key,
    /// None for a key of which only RU are logged: it is smaller than those whose sizes are.
    pub bytes: Option<f64>,
    pub ru: f64,
    pub growth: Option<Growth>,
    /// Writes to it get 403.
    pub is_full: bool,
}

/// The logged keys of a container, the largest first.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyLog {
    pub keys: Vec<LoggedKey>,
    pub today: Today,
    /// The key as its definition has it.
    pub current: Candidate,
    /// The newest of the sizes.
    pub newest: Option<Stamp>,
}

impl KeyLog {
    /// None where the key of the container is not known or no log names a key.
    pub fn of(capture: &Capture, container: u32, now: Option<Arc<CurrentLoad>>) -> Option<Self> {
        let today = Today::of(capture, container, now)?;
        let current = today.key.clone()?;
        let mut ru = today.logged.by_key.clone();
        let lookups = Lookups::of(capture, Ceiling::default());
        let mut keys = Vec::new();
        let views = capture.sizes.iter().map(|(_, view)| view);
        for view in views.filter(|view| view.container() == container) {
            let Some(key) = Key::from_canonical(view.canonical()) else {
                continue;
            };
            let Some((_, found)) = lookups.outlook(capture, &view) else {
                continue;
            };
            keys.push(LoggedKey {
                ru: ru.remove(view.canonical()).unwrap_or(0.0),
                key,
                bytes: Some(found.now.latest.kib * 1024.0),
                growth: found.growth,
                is_full: found.full_since.is_some(),
            });
        }
        let unsized_keys = ru.into_iter().filter_map(|(canonical, ru)| {
            Some(LoggedKey {
                key: Key::from_canonical(&canonical)?,
                bytes: None,
                ru,
                growth: None,
                is_full: false,
            })
        });
        keys.extend(unsized_keys);
        let levels = current.levels.len();
        keys.retain(|k| k.key.parts().len() == levels);
        let size = |k: &LoggedKey| k.bytes.unwrap_or(0.0);
        keys.sort_by(|a, b| {
            let order = size(b).total_cmp(&size(a)).then(b.ru.total_cmp(&a.ru));
            order.then_with(|| a.key.json().cmp(&b.key.json()))
        });
        let grown = keys.iter().filter_map(|k| k.growth.map(|g| g.newest_at));
        Some(Self { newest: grown.max(), today, current, keys })
            .filter(|logged| !logged.keys.is_empty())
    }

    /// Bytes of the keys whose sizes are reported.
    pub fn reported_bytes(&self) -> f64 {
        self.keys.iter().filter_map(|k| k.bytes).sum()
    }

    /// Of the keys that grow; None where no log shows two sizes of one.
    pub fn growth(&self) -> Option<LoggedGrowth> {
        let grown = self.keys.iter().filter_map(|k| k.growth);
        let grown: Vec<f64> = grown.map(|g| g.kib_per_day * 1024.0).filter(|b| *b > 0.0).collect();
        Some(LoggedGrowth {
            bytes_per_day: grown.iter().sum(),
            keys: grown.len() as u64,
            of: self.keys.len() as u64,
        })
        .filter(|growth| growth.keys > 0)
    }

    pub fn whole(&self, settings: &Settings) -> Whole {
        let stored = settings.stored_bytes.or(self.today.stored_bytes);
        Whole {
            documents: 0.0,
            bytes: stored.unwrap_or(0.0).max(self.reported_bytes()),
            looked_at: 0,
            is_sample: true,
            is_assumed: false,
            weighed: None,
            documents_scale: 1.0,
            bytes_scale: 1.0,
        }
    }

    pub fn basis(&self, settings: &Settings) -> TrialBasis {
        let is_known = settings.stored_bytes.or(self.today.stored_bytes).is_some();
        TrialBasis::Statistics {
            keys: self.keys.len() as u64,
            of: if is_known { WholeOf::Container } else { WholeOf::ReportedKeys },
        }
    }

    /// What a key does that is made of the current one, and where the queries go.
    pub fn trial_with_routes(
        &self,
        candidate: &Candidate,
        settings: &Settings,
    ) -> Result<(Trial, Vec<Routed>), CannotTell> {
        match transform::of(&self.current, candidate) {
            Ok(made) => Ok(placing::trial(self, candidate, &made, settings)),
            Err(sentence) => {
                let count = u32::try_from(settings.partitions_of_new()).unwrap_or(u32::MAX);
                let routed = self.routed(candidate, settings, RoutedLayout::even(count));
                Err(CannotTell { sentence, routed })
            }
        }
    }

    fn routed(&self, candidate: &Candidate, settings: &Settings, on: RoutedLayout) -> Vec<Routed> {
        routes::routed(settings, candidate, on, || self.prefixes(candidate), 1.0)
    }

    /// Prefixes that begin as today's key does lie where the logged keys lie; each counts as its load, else as its data.
    fn prefixes(&self, candidate: &Candidate) -> Vec<(Vec<Part>, f64)> {
        let levels = candidate.levels.iter().zip(&self.current.levels);
        let shared = levels.take_while(|(new, today)| new == today).count();
        let is_loaded = self.keys.iter().any(|k| k.ru > 0.0);
        let mut prefixes: BTreeMap<Vec<Part>, f64> = BTreeMap::new();
        for key in &self.keys {
            let weight = key.bytes.filter(|_| !is_loaded).unwrap_or(key.ru);
            for depth in 1..=shared.min(candidate.levels.len().saturating_sub(1)) {
                if let Some(first) = key.key.parts().get(..depth) {
                    *prefixes.entry(first.to_vec()).or_default() += weight;
                }
            }
        }
        prefixes.into_iter().collect()
    }
}
