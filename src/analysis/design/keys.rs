//! What a key comes to by the design alone: how many there are, and what the largest has.

use std::collections::BTreeSet;

use crate::model::design::{Design, Entity, PropertyValues};
use crate::model::path::Path;
use crate::model::units::real;

use super::super::candidate::{Candidate, DateUnit, LevelPart};
use super::super::ceiling::Ceiling;
use super::FillTime;
use super::data_growth::DataCourse;

/// Ranks that are looked at for the largest of their values.
const LOOKED_AT: u64 = 1_000;

/// A key that is made of properties with known shares, and perhaps of a period.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DesignedKey {
    /// At one time; None where each document has its own.
    pub distinct: Option<f64>,
    /// What the largest has of all documents, of a period of those of the period.
    pub largest: f64,
    /// For so long a key is written.
    pub period_days: Option<f64>,
}

impl DesignedKey {
    /// None where documents are needed to tell.
    pub fn of(design: &Design, candidate: &Candidate) -> Option<Self> {
        let mut owners = BTreeSet::new();
        let mut period: Option<f64> = None;
        for part in candidate.parts() {
            let unit = match part {
                LevelPart::Literal(_) => continue,
                LevelPart::Path(path) if path.top_name() == Some("id") => {
                    return Some(Self { distinct: None, largest: 0.0, period_days: None });
                }
                LevelPart::Path(path) => {
                    match design.properties.get(place(design, path)?)?.values {
                        PropertyValues::Drawn(_) => {
                            owners.insert(place(design, path)?);
                            continue;
                        }
                        PropertyValues::Day => DateUnit::Day,
                        PropertyValues::Month => DateUnit::Month,
                    }
                }
                LevelPart::Date { path, unit } => {
                    (path.top_name() == Some("time")).then_some(*unit)?
                }
                _ => return None,
            };
            let days = unit.days();
            period = Some(period.map_or(days, |shorter| shorter.min(days)));
        }
        let [combined, largest] = of_owners(design, &owners)?;
        let after = |e: &Entity| design.documents_after(e, design.age_days);
        let documents: f64 = design.entities.iter().flat_map(after).sum();
        let distinct = combined.min(documents);
        Some(Self { distinct: Some(distinct), largest, period_days: period })
    }

    /// When a key of this share is full.
    pub fn fill_time(&self, design: &Design, share: f64, ceiling: Ceiling) -> FillTime {
        self.course(design, share).fill(ceiling.bytes(), "").0
    }

    /// How a key of this share grows; one of a period has nothing from before it.
    pub(super) fn course(&self, design: &Design, share: f64) -> DataCourse {
        DataCourse::of(design, share, self.period_days)
    }
}

/// Of a property that every document has.
fn place(design: &Design, path: &Path) -> Option<usize> {
    let at = design.place(path.top_name()?)?;
    let has = design.entities.iter().all(|e| e.properties.contains(&at));
    has.then_some(at)
}

/// The property itself and those that it is within, the outermost first.
fn chain(design: &Design, at: usize) -> Vec<usize> {
    let above = |at: &usize| design.shares(*at)?.within;
    let mut chain: Vec<usize> = std::iter::successors(Some(at), above).collect();
    chain.reverse();
    chain
}

/// How many values properties have together, and the share of the largest; None where they depend on each other.
fn of_owners(design: &Design, owners: &BTreeSet<usize>) -> Option<[f64; 2]> {
    let chains: Vec<Vec<usize>> = owners.iter().map(|at| chain(design, *at)).collect();
    let is_inside = |one: &Vec<usize>| {
        let mut others = chains.iter().filter(|other| *other != one);
        others.any(|other| other.starts_with(one))
    };
    let leaves: Vec<&Vec<usize>> = chains.iter().filter(|one| !is_inside(one)).collect();
    let roots: BTreeSet<Option<&usize>> = leaves.iter().map(|leaf| leaf.first()).collect();
    if roots.len() < leaves.len() {
        return None;
    }
    let mut all = [1.0, 1.0];
    for leaf in leaves {
        let shares = design.shares(*leaf.last()?)?;
        all[0] *= real(shares.distinct);
        all[1] *= largest(design, leaf, None)?;
    }
    Some(all)
}

/// The largest share of the last property of a chain, below a value with this share.
fn largest(design: &Design, chain: &[usize], above: Option<f64>) -> Option<f64> {
    let (at, inner) = chain.split_first()?;
    let shares = design.shares(*at)?;
    let values = above.map_or(shares.distinct, |share| shares.children(share));
    let share = |rank: u64| match above {
        Some(above) => above * shares.curve.share(rank, values),
        None => shares.share(rank),
    };
    if inner.is_empty() {
        // A name may have less than the first of the others.
        let named = shares.giants.len() as u64;
        return Some(share(1).max(share((named + 1).min(values))));
    }
    let most = if above.is_some() { 1 } else { LOOKED_AT };
    let ranks = 1..=values.min(most);
    let each = ranks.filter_map(|rank| largest(design, inner, Some(share(rank))));
    each.reduce(f64::max)
}
