//! Where values of a key lie: hash, range, physical partition; also values that no input has.

use std::collections::HashMap;

use super::candidate::legality::MAX_BYTES_V2;
use super::columns::Lookups;
use super::mask::Masker;
use super::rows::Note;
use super::trial::today;
use crate::model::capture::Capture;
use crate::model::epk::{Epk, epk, position};
use crate::model::key::{Key, KeyDefinition, Part};
use crate::model::layout::Layout;
use crate::model::names::ContainerName;
use crate::model::units::{as_number, counted, trimmed_text};

/// Hash ranges, and whose they are.
#[derive(Clone, PartialEq, Debug)]
pub struct LocateRanges {
    /// Of a container that there is.
    pub name: Option<ContainerName>,
    pub definition: KeyDefinition,
    pub layout: Layout,
    /// Of the ranges, in their order.
    pub ids: Vec<String>,
}

/// A value and where it lies.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedKey {
    pub key: Key,
    /// None where the value has not as many levels as the key, or is none that a key may have.
    pub epk: Option<Epk>,
    /// From 0 to 1, by the hash of the first level.
    pub position: Option<f64>,
    /// One; of the first levels alone each on which keys with them may lie.
    pub partitions: Vec<String>,
    /// `[from, to)` of these.
    pub range: Option<(Epk, Epk)>,
    /// Where the inputs report it.
    pub stored_kib: Option<f64>,
}

/// The answer for all values.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    pub ranges: LocateRanges,
    pub keys: Vec<LocatedKey>,
    pub notes: Vec<Note>,
}

impl LocateRanges {
    /// As the service divides a new container.
    pub fn even(partitions: usize, levels: usize) -> Self {
        let definition = KeyDefinition::of_levels(levels.max(1));
        let layout = Layout::even(partitions, &definition);
        Self {
            name: None,
            ids: (0..layout.len()).map(|n| n.to_string()).collect(),
            definition,
            layout,
        }
    }

    /// Those of a container; None where its key or its ranges are not known.
    pub fn of(capture: &Capture, number: u32) -> Option<Self> {
        let container = capture.container(number)?;
        let layout = today::ranges(container)?;
        Some(Self {
            name: Some(container.name.clone()),
            definition: container.definition.clone()?,
            ids: today::ids(container, Some(&layout)),
            layout,
        })
    }

    fn locate(&self, key: Key) -> LocatedKey {
        let levels = self.definition.paths.len();
        let is_short = key
            .parts()
            .iter()
            .all(|part| !matches!(part, Part::Text(text) if text.len() as u64 > MAX_BYTES_V2));
        let is_key = key.parts().len() <= levels && is_short;
        let epk = epk(key.parts(), &self.definition).filter(|_| is_key);
        let places = epk.as_ref().and_then(|_| self.layout.places(key.parts(), &self.definition));
        let places = places.unwrap_or_default();
        let spans = self.layout.spans().get(places.clone()).unwrap_or_default();
        let range = spans.first().zip(spans.last());
        LocatedKey {
            position: epk.as_ref().map(|epk| position(epk, self.definition.version)),
            range: range.map(|(first, last)| (first.min.clone(), last.max.clone())),
            partitions: self.ids.get(places).unwrap_or_default().to_vec(),
            epk,
            stored_kib: None,
            key,
        }
    }
}

impl Located {
    pub fn of(ranges: LocateRanges, keys: Vec<Key>) -> Self {
        let keys: Vec<LocatedKey> = keys.into_iter().map(|key| ranges.locate(key)).collect();
        let mut located = Self { keys, notes: Vec::new(), ranges };
        located.notes = located.remarks();
        located
    }

    /// Sizes of the values that the inputs report.
    #[must_use]
    pub fn with_sizes(mut self, capture: &Capture, number: u32, lookups: &Lookups) -> Self {
        let mut wanted: HashMap<String, Vec<&mut LocatedKey>> = HashMap::new();
        for found in &mut self.keys {
            wanted.entry(found.key.canonical()).or_default().push(found);
        }
        for (_, view) in capture.sizes.iter().filter(|(_, view)| view.container() == number) {
            if let Some(same) = wanted.get_mut(view.canonical()) {
                let outlook = lookups.outlook(capture, &view);
                let kib = outlook.map(|(_, outlook)| outlook.now.latest.kib);
                for found in same.iter_mut() {
                    found.stored_kib = kib;
                }
            }
        }
        self
    }

    /// Replaces every name.
    pub fn mask(&mut self, masker: &Masker) {
        if let Some(name) = &mut self.ranges.name {
            *name = masker.container(name);
        }
        for found in &mut self.keys {
            let invented = Key::from_cell(&masker.key(&found.key.json()));
            found.key = invented.unwrap_or_else(|| Key::from(Vec::new()));
            // A hash would tell whoever guesses the value that it is right.
            (found.epk, found.position) = (None, None);
        }
    }

    /// Values that share a partition, against what chance brings.
    fn remarks(&self) -> Vec<Note> {
        let partitions = self.ranges.layout.len();
        let levels = self.ranges.definition.paths.len();
        let mut notes = Vec::new();
        let mut placed: Vec<&LocatedKey> = Vec::new();
        for key in self.keys.iter().filter(|key| !key.partitions.is_empty()) {
            if placed.iter().all(|other| other.key != key.key) {
                placed.push(key);
            }
        }
        let mut used: Vec<&String> = placed.iter().flat_map(|key| &key.partitions).collect();
        used.sort_unstable();
        used.dedup();
        if placed.len() > 1 && partitions > 1 && placed.iter().all(|key| key.partitions.len() == 1)
        {
            let n = as_number(partitions);
            let expected = n * (1.0 - (1.0 - 1.0 / n).powf(as_number(placed.len())));
            notes.push(Note::new(format!(
                "{} on {} of {}; by chance {} on average.",
                counted(placed.len() as u64, "value", "values"),
                used.len(),
                counted(partitions as u64, "partition", "partitions"),
                trimmed_text((expected * 10.0).round() / 10.0),
            )));
        }
        let unplaced = || self.keys.iter().filter(|key| key.partitions.is_empty());
        let has_more = |key: &&LocatedKey| key.key.parts().len() > levels;
        let levels = counted(levels as u64, "level", "levels");
        let reasons = [
            (unplaced().filter(has_more).count(), format!("the key has {levels}.")),
            (
                unplaced().filter(|key| !has_more(key)).count(),
                "a key is a text of at most 2,048 bytes, a number, true, false or null.".to_owned(),
            ),
        ];
        for (count, why) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            let values = counted(count as u64, "value", "values");
            notes.push(Note::new(format!("{values} cannot be placed: {why}")));
        }
        let is_text = |key: &&LocatedKey| matches!(key.key.parts(), [Part::Text(text)] if text.starts_with('['));
        let texts = self.keys.iter().filter(is_text).count() as u64;
        if texts > 0 {
            let texts = counted(texts, "value is no list", "values are no lists");
            notes.push(Note::new(format!("{texts} in JSON: taken as text.")));
        }
        if self.ranges.name.is_none() {
            notes.push(Note::new(format!(
                "Ranges of a new container with {}; after a split they differ.",
                counted(partitions as u64, "partition", "partitions")
            )));
        }
        notes
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::work::{Work, done};

    #[test]
    fn names_lie_where_the_service_puts_them() {
        let names = ["Andrew", "Tim", "Thomas", "Theo", "Deborah"];
        let keys = names.iter().filter_map(|name| Key::from_cell(name));
        let found = Located::of(LocateRanges::even(4, 1), keys.collect());
        let places: Vec<&[String]> =
            found.keys.iter().map(|key| key.partitions.as_slice()).collect();
        assert_eq!(places, [["0"], ["3"], ["0"], ["0"], ["3"]]);
        let text = &found.notes[0].text;
        assert_eq!(text, "5 values on 2 of 4 partitions; by chance 3.1 on average.");
    }

    #[test]
    fn sizes_are_found_by_one_look_at_each_key() {
        let capture = crate::analysis::testing::northpier();
        let names = ["tenant-0001", "nobody", "tenant-0002", "tenant-0001"];
        let keys = names.iter().filter_map(|name| Key::from_cell(name));
        let found = Located::of(LocateRanges::even(4, 1), keys.collect());
        let lookups = Lookups::of(&capture, crate::analysis::ceiling::Ceiling::BINARY);
        let before = done(Work::KeyWritten);
        let found = found.with_sizes(&capture, 0, &lookups);
        assert_eq!(done(Work::KeyWritten) - before, 4);
        let is_known: Vec<bool> = found.keys.iter().map(|key| key.stored_kib.is_some()).collect();
        assert_eq!(is_known, [true, false, true, true]);
        assert_eq!(found.keys[0].stored_kib, found.keys[3].stored_kib);
    }

    #[test]
    fn a_first_level_alone_may_lie_on_several_partitions_and_too_many_levels_nowhere() {
        let mut ranges = LocateRanges::even(1, 2);
        let list = |text: &str| Key::from_cell(text).unwrap();
        // Split in the middle of one tenant.
        let inner = epk(list(r#"["t","u"]"#).parts(), &ranges.definition).unwrap();
        let parts = vec![(0, Epk::MIN, inner.clone()), (1, inner, Epk::MAX)];
        ranges.layout = Layout::from_ranges(parts).unwrap();
        ranges.ids = vec!["a".to_owned(), "b".to_owned()];
        let keys = [r#"["t"]"#, r#"["t","u"]"#, r#"["t","u","v"]"#].map(list);
        let found = Located::of(ranges, keys.to_vec());
        let places: Vec<&[String]> =
            found.keys.iter().map(|key| key.partitions.as_slice()).collect();
        assert_eq!(places, [&["a".to_owned(), "b".to_owned()][..], &["b".to_owned()], &[]]);
        assert_eq!(found.keys[2].epk, None);
        let text = &found.notes[0].text;
        assert_eq!(text, "1 value cannot be placed: the key has 2 levels.");
    }
}
