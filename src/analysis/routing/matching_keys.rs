//! The keys that one alternative of a filter asks for, and the physical partitions that hold them.

use std::collections::BTreeSet;

use crate::model::key::Part;

use super::super::candidate::Candidate;
use super::constraint::Alternative;
use super::layout::RoutedLayout;
use super::values::{Doubt, MAX_KEYS, Values, level_values};
use crate::model::units::as_number;

/// Keys, or prefixes of a hierarchical key.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Keys {
    /// How many levels from the first on are given.
    pub levels: usize,
    pub count: f64,
    pub known: Option<Vec<Vec<Part>>>,
}

/// An error where not even the first level tells them.
pub(super) fn keys_of(candidate: &Candidate, alternative: &Alternative) -> Result<Keys, Doubt> {
    let mut keys = Keys { levels: 0, count: 1.0, known: Some(vec![Vec::new()]) };
    for level in &candidate.levels {
        match level_values(level, alternative) {
            Ok(values) => keys.extend(values),
            Err(doubt) if keys.levels == 0 => return Err(doubt),
            // The levels before it route already.
            Err(_) => break,
        }
    }
    if keys.levels == 0 {
        return Err(Doubt::Free("the key has no level".to_owned()));
    }
    Ok(keys)
}

impl Keys {
    fn extend(&mut self, values: Values) {
        self.levels += 1;
        self.count *= values.count();
        let known = self.known.take();
        if let (Some(before), Values::Known(parts)) = (known, values)
            && before.len().saturating_mul(parts.len()) <= MAX_KEYS
        {
            let longer = before.iter().flat_map(|key| {
                parts.iter().map(|part| {
                    let mut key = key.clone();
                    key.push(part.clone());
                    key
                })
            });
            let keys: BTreeSet<Vec<Part>> = longer.collect();
            self.count = as_number(keys.len());
            self.known = Some(keys.into_iter().collect());
        }
    }

    /// The visits that one of them takes if its value is not known.
    pub fn visits_of_one(&self, candidate: &Candidate, layout: &RoutedLayout) -> f64 {
        if self.levels >= candidate.levels.len() {
            return 1.0;
        }
        layout.spread(self.levels).map_or(1.0, |spread| spread.mean_visits)
    }
}

/// How many of `of` partitions hold at least one of `keys` keys that each lie on `each` of them by chance.
pub(super) fn expected_visits(of: f64, keys: f64, each: f64) -> f64 {
    if of <= 0.0 || keys <= 0.0 {
        return 0.0;
    }
    if keys <= 1.0 {
        // Exact, where the power would only be near.
        return (each * keys).min(of);
    }
    let missed = (1.0 - (each / of).clamp(0.0, 1.0)).powf(keys);
    of * (1.0 - missed)
}
