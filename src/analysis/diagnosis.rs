//! What is wrong with a container and what would help: rules over its load, sizes and partitions, worst first.

mod answers;
pub mod card;
mod evidence;
pub mod next_steps;
pub mod note;
mod picture;
mod pressure;
mod provisioned;
pub mod queries;
mod regions;
mod rules;
mod shares;
pub mod since;
pub mod steps;
mod stored_keys;
#[cfg(test)]
pub(crate) mod testing;
mod text;
pub mod thresholds;

use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::time::Stamp;

use super::candidate::Candidate;
use super::columns::Lookups;
use super::demand::partitions::Partitions;
use super::demand::remedies::{Remedy, RemedyEffect};
use super::demand::{CurrentLoad, Demand};
use super::findings::Severity;
use super::heat::Heat;
use super::rules::Rule;
use super::suffix::{ChangedLevel, spread_by_id};
use picture::Picture;
use stored_keys::StoredKeys;
use thresholds::Thresholds;

/// What every container suffers from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diagnoses {
    /// By the container's number in the capture.
    pub containers: Vec<Diagnosis>,
}

/// What is requested of a container in all the evidence of its worst region.
#[derive(Clone, PartialEq, Debug)]
pub struct WholeDemand {
    /// None where no input shows load by partition.
    pub demand: Option<Demand>,
    /// Whether it is known what was throttled.
    pub is_known: bool,
    pub partitions: Partitions,
    /// By place the index among the partitions of the container.
    pub known: Vec<Option<usize>>,
}

/// Verdicts of one container, worst first; never empty for a container of which anything is known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diagnosis {
    pub verdicts: Vec<Verdict>,
    /// Today's partitions under today's demand; None where nothing tells of load by partition.
    pub now: Option<Arc<CurrentLoad>>,
    /// As the heat view counts them.
    pub physical_partitions: Option<usize>,
    /// How low its RU/s can be set and why, and what an hour of them is billed.
    pub provisioned: Vec<Fact>,
}

/// One rule that struck.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub rule: Rule,
    pub severity: Severity,
    /// Index into the partitions of `ContainerHeat`.
    pub partition: Option<u32>,
    pub region: Option<Arc<str>>,
    /// Canonical text of the key to blame.
    pub key: Option<String>,
    /// Behind the rule's name, who, where, how much and since when: `contoso  93 % of partition 0  429s: 289/s  since 23:24 (36 min)`.
    pub headline: Phrase,
    /// What more there is to say in a sentence; empty where the headline says it all.
    pub detail: Phrase,
    /// In the order of their weight.
    pub evidence: Vec<Fact>,
    pub answers: Answers,
    /// What would be throttled otherwise, the present first.
    pub remedies: Vec<Remedy>,
    pub since: Option<Stamp>,
    /// When that was over; none where it goes on.
    pub until: Option<Stamp>,
    /// The newest moment the verdict rests on.
    pub as_of: Option<Stamp>,
    /// What to do next, in the order to try it; text to run is given as it stands.
    pub steps: Vec<Phrase>,
}

/// Scale up, split, redistribute RU/s, change the key: what each does.
#[derive(Clone, PartialEq, Debug)]
pub struct Answers {
    pub more_ru: RemedyAnswer,
    /// A split of partitions at the same RU/s.
    pub split: RemedyAnswer,
    /// The same RU/s handed out after the load of the partitions.
    pub redistribute: RemedyAnswer,
    pub new_key: RemedyAnswer,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RemedyAnswer {
    pub effect: RemedyEffect,
    /// Why, with the numbers: `29.4 % throttled now → 11.8 % with 60,000 RU/s`.
    pub why: String,
    /// How it is done, where no row of the remedies says it.
    pub how: Vec<String>,
    /// How many suffixes the new key has.
    pub suffixes: Option<u32>,
    /// Whether the new key has the id as a further level.
    pub adds_id: bool,
}

/// One number behind a verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    pub what: Phrase,
    pub value: String,
    /// Measured, logged, computed or assumed, and from which input.
    pub from: String,
}

/// Words with keys in them, which whoever shows them can mask and must make visible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Phrase {
    pub pieces: Vec<PhrasePiece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PhrasePiece {
    Plain(String),
    /// A key's JSON text; None where the log named no key.
    Key(Option<Box<str>>),
}

impl Phrase {
    pub fn plain(text: impl Into<String>) -> Self {
        Self { pieces: vec![PhrasePiece::Plain(text.into())] }
    }

    #[must_use]
    pub fn and(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(PhrasePiece::Plain(text.into()));
        self
    }

    #[must_use]
    pub fn key(mut self, json: Option<Box<str>>) -> Self {
        self.pieces.push(PhrasePiece::Key(json));
        self
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The JSON of the first key in it.
    pub fn first_key(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            PhrasePiece::Key(json) => json.as_deref(),
            PhrasePiece::Plain(_) => None,
        })
    }

    /// One text, keys written by `key`.
    pub fn text(&self, key: impl Fn(Option<&str>) -> String) -> String {
        let piece = |piece: &PhrasePiece| match piece {
            PhrasePiece::Plain(text) => text.clone(),
            PhrasePiece::Key(json) => key(json.as_deref()),
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl Diagnoses {
    pub fn of(capture: &Capture, heat: &Heat, lookups: &Lookups, thresholds: &Thresholds) -> Self {
        let stored = StoredKeys::of(capture, lookups);
        let diagnosis = |(number, stored): (u32, &StoredKeys)| {
            let heat = heat.container(number)?;
            // A container that was only listed has no verdicts.
            let has_load = !heat.partitions.is_empty() || !heat.tracks.is_empty();
            if capture.container(number)?.is_only_listed() && !has_load && stored.keys == 0 {
                return None;
            }
            let picture = Picture::of(capture, number, heat, lookups, stored, thresholds)?;
            Some(Diagnosis::of(picture))
        };
        let numbered = (0_u32..).zip(&stored);
        let containers = numbered.map(|of| diagnosis(of).unwrap_or_default());
        Self { containers: containers.collect() }
    }

    pub fn container(&self, number: u32) -> Option<&Diagnosis> {
        self.containers.get(number as usize)
    }

    /// Load of one container over all the evidence, and the partitions that it meets.
    pub fn whole_load(
        capture: &Capture,
        number: u32,
        (heat, lookups, thresholds): (&Heat, &Lookups, &Thresholds),
    ) -> Option<WholeDemand> {
        let stored = StoredKeys::of(capture, lookups);
        let (heat, stored) = (heat.container(number)?, stored.get(number as usize)?);
        let picture = Picture::of(capture, number, heat, lookups, stored, thresholds)?;
        let (demand, is_known) = picture.whole_demand().unzip();
        let known = |place: &u32| heat.partitions.get(*place as usize)?.known;
        Some(WholeDemand {
            demand,
            is_known: is_known.unwrap_or(false),
            known: picture.physical.numbers.iter().map(known).collect(),
            partitions: picture.physical,
        })
    }

    /// Of one container only.
    pub fn of_one(
        capture: &Capture,
        number: u32,
        lookups: &Lookups,
        thresholds: &Thresholds,
    ) -> Option<Diagnosis> {
        let (heat, stored) = (Heat::of(capture), StoredKeys::of(capture, lookups));
        let (heat, stored) = (heat.container(number)?, stored.get(number as usize)?);
        let picture = Picture::of(capture, number, heat, lookups, stored, thresholds)?;
        Some(Diagnosis::of(picture))
    }
}

impl Diagnosis {
    fn of(picture: Picture<'_>) -> Self {
        let unserved = rules::unserved_ru(&picture);
        let mut found = Self {
            verdicts: rules::strike(&picture),
            physical_partitions: picture.heat.physical_partitions(),
            provisioned: provisioned::facts(&picture),
            now: picture.now,
        };
        // With what is requested behind 403s, where there are some.
        if let Some(now) = found.now.as_mut().filter(|_| unserved.is_some()) {
            Arc::make_mut(now).unserved_ru_per_second = unserved;
        }
        found
    }

    /// The suffixes that the key needs, for load and size.
    fn suffixes(&self) -> Option<u32> {
        self.verdicts.iter().find_map(Verdict::suffixes)
    }

    /// Today's key with the suffixes or the level that it needs.
    pub fn advised(&self, today: &Candidate) -> Option<Candidate> {
        let Some(suffixes) = self.suffixes() else {
            let mut answers = self.verdicts.iter().map(|v| &v.answers.new_key);
            return answers.any(|key| key.adds_id).then(|| today.with_id())?;
        };
        let mut for_load = self.verdicts.iter().filter_map(Verdict::suffixes_for_load);
        let at = ChangedLevel::by(for_load.next().is_some());
        spread_by_id(today, at, suffixes)
    }

    pub fn worst(&self) -> Option<&Verdict> {
        self.verdicts.first()
    }
}

#[cfg(test)]
mod tests;
