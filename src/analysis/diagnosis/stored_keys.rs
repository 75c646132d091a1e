//! Sizes of logical partitions, by container: the large ones with their limit dates, and what null and empty keys hold.

use crate::analysis::columns::Lookups;
use crate::analysis::growth::LimitDate;
use crate::model::capture::Capture;
use crate::model::key::{Key, Part};
use crate::model::logical::{KeyId, KeyView};
use crate::model::order::keep_first;
use crate::model::sample::latest;
use crate::model::time::Stamp;

/// Smaller keys are far from any limit date that matters here.
const LEAST_SHARE: f64 = 0.2;
/// Large keys looked at for a container; the largest are among them.
const MAX_LARGE: usize = 200;

/// A large logical partition.
#[derive(Clone, PartialEq, Debug)]
pub struct LargeKey {
    pub canonical: String,
    pub kib: f64,
    /// Of the ceiling.
    pub share: f64,
    pub limit_date: LimitDate,
    pub kib_per_day: Option<f64>,
    /// Where the month or day ends that it names.
    pub period_end: Option<Stamp>,
    pub newest: Option<Stamp>,
    /// Index of the partition that holds it among the container's.
    pub partition_at: Option<usize>,
}

/// What is stored in one container, as far as sizes of keys tell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoredKeys {
    pub keys: u64,
    pub reported_kib: f64,
    pub newest: Option<Stamp>,
    /// Largest first.
    pub large: Vec<LargeKey>,
    /// The largest null, missing or empty key, and what all of them hold.
    pub blank: Option<(String, f64)>,
    pub blank_kib: f64,
    /// Sizes of keys above the least share, to be looked at closer.
    candidates: Vec<(f64, KeyId)>,
}

impl StoredKeys {
    /// One for each container.
    pub fn of(capture: &Capture, lookups: &Lookups) -> Vec<Self> {
        let mut all: Vec<Self> = capture.containers.iter().map(|_| Self::default()).collect();
        for (id, view) in capture.sizes.iter() {
            if let Some(stored) = all.get_mut(view.container() as usize) {
                stored.add(id, &view, capture, lookups);
            }
        }
        for stored in &mut all {
            stored.look_closer(capture, lookups);
        }
        all
    }

    fn add(&mut self, id: KeyId, view: &KeyView<'_>, capture: &Capture, lookups: &Lookups) {
        let newest = view.series().filter_map(|s| latest(s.samples));
        let Some(largest) = newest.reduce(|a, b| if b.kib > a.kib { b } else { a }) else {
            return;
        };
        self.keys += 1;
        self.reported_kib += largest.kib;
        self.newest = self.newest.max(largest.when.at());
        if is_blank(view.canonical()) {
            self.blank_kib += largest.kib;
            if self.blank.as_ref().is_none_or(|held| largest.kib > held.1) {
                self.blank = Some((view.canonical().to_owned(), largest.kib));
            }
        }
        if lookups.ceiling.share(largest.kib) >= LEAST_SHARE {
            self.candidates.push((largest.kib, id));
            // Twice as many as are kept, so that sorting stays rare.
            if self.candidates.len() >= 2 * MAX_LARGE {
                self.keep_largest(capture);
            }
        }
    }

    fn keep_largest(&mut self, capture: &Capture) {
        keep_first(&mut self.candidates, MAX_LARGE, |a, b| {
            b.0.total_cmp(&a.0).then_with(|| capture.sizes.text_order(a.1, b.1))
        });
    }

    fn look_closer(&mut self, capture: &Capture, lookups: &Lookups) {
        self.keep_largest(capture);
        let candidates = std::mem::take(&mut self.candidates);
        let large = candidates.into_iter().filter_map(|(_, id)| {
            let view = capture.sizes.view(id)?;
            let (place, outlook) = lookups.outlook(capture, &view)?;
            let kib = outlook.now.latest.kib;
            Some(LargeKey {
                canonical: view.canonical().to_owned(),
                kib,
                share: lookups.ceiling.share(kib),
                limit_date: outlook.limit_date,
                kib_per_day: outlook.growth.map(|g| g.kib_per_day),
                period_end: outlook.period_end,
                newest: outlook.now.newest.at(),
                partition_at: place.owner.map(|(at, _)| at),
            })
        });
        self.large = large.collect();
        self.large
            .sort_by(|a, b| b.kib.total_cmp(&a.kib).then_with(|| a.canonical.cmp(&b.canonical)));
    }
}

/// Null, missing and empty values, alone or in all parts of a hierarchical key.
pub fn is_blank(canonical: &str) -> bool {
    // Nearly all keys are text that is not empty: no need to read them.
    if canonical.is_empty() || !["[{}", "[null", "[\"\""].iter().any(|s| canonical.starts_with(s)) {
        return false;
    }
    let blank = |part: &Part| match part {
        Part::Undefined | Part::Null => true,
        Part::Text(text) => text.is_empty(),
        Part::Bool(_) | Part::Number(_) | Part::Other(_) => false,
    };
    Key::from_canonical(canonical).is_some_and(|key| key.parts().iter().all(blank))
}
