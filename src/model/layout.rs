//! Hash ranges of physical partitions: even, split at the median of the data or in the middle, and which one holds a key.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use super::epk::{Epk, HASH_V2_BYTES, epk, even_boundaries, midpoint, position, prefix_range};
use super::key::{KeyDefinition, KeyVersion, Part};

/// No container is thought larger: what is computed for more would take long and tell nothing.
pub const MAX_PARTITIONS: usize = 20_000;

/// A hash range `[min, max)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub min: Epk,
    pub max: Epk,
    /// Which range of the layout that was split it is a part of.
    pub from: usize,
    /// Splits that made it: its part of the origin is taken as 1 in 2 to the power of this.
    pub splits: u32,
}

impl Span {
    fn holds(&self, epk: &Epk) -> bool {
        self.min <= *epk && *epk < self.max
    }

    /// Evenly spaced points, 2 to the power of `halvings`, the first one at its begin.
    pub fn points(&self, halvings: u32, definition: &KeyDefinition) -> Vec<Epk> {
        let mut ends = vec![self.min.clone(), self.max.clone()];
        for _ in 0..halvings {
            let between = |pair: &[Epk]| {
                let [a, b] = pair else { return Vec::new() };
                let middle = midpoint(a, b, definition);
                std::iter::once(a.clone()).chain(middle).collect()
            };
            let mut next: Vec<Epk> = ends.windows(2).flat_map(between).collect();
            next.push(self.max.clone());
            ends = next;
        }
        ends.pop();
        ends
    }

    /// Share of the hash space, by the hash of the first level.
    pub fn width(&self, version: KeyVersion) -> f64 {
        position(&self.max, version) - position(&self.min, version)
    }

    /// What part of its origin's keys falls on it where they are not known one by one.
    pub fn part(&self) -> f64 {
        f64::from(self.splits).exp2().recip()
    }
}

/// Ranges that cover the hash space without gap, in hash order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    spans: Vec<Span>,
}

/// What splits go by: what lies where, how keys are hashed, and where a range is cut.
#[derive(Clone, Copy, Debug)]
pub struct SplitBy<'a> {
    weights: &'a [PlacedWeight],
    /// More weight of each range of the origin, spread over it evenly.
    spread: &'a [f64],
    definition: &'a KeyDefinition,
    how: SplitPoint,
}

impl<'a> SplitBy<'a> {
    pub fn new(
        weights: &'a [PlacedWeight],
        definition: &'a KeyDefinition,
        how: SplitPoint,
    ) -> Self {
        Self { weights, spread: &[], definition, how }
    }

    #[must_use]
    pub fn spread(self, spread: &'a [f64]) -> Self {
        Self { spread, ..self }
    }
}

/// Where a split falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SplitPoint {
    /// At the weighted median of the keys, as real ranges show it.
    #[default]
    Data,
    /// In the middle of the hash range.
    Midpoint,
}

/// A key's place and its weight: RU/s or bytes.
pub type PlacedWeight = (Epk, f64);

impl Layout {
    /// As the service divides a new container.
    pub fn even(count: usize, definition: &KeyDefinition) -> Self {
        let count = u32::try_from(count.clamp(1, MAX_PARTITIONS)).unwrap_or(1);
        let ends = even_boundaries(count, definition).into_iter().chain([Epk::MAX]);
        let mut min = Epk::MIN;
        let span = |(from, max): (usize, Epk)| Span {
            min: std::mem::replace(&mut min, max.clone()),
            max,
            from,
            splits: 0,
        };
        let spans = ends.enumerate().map(span).collect();
        Self { spans }
    }

    /// Of known ranges, each with its number; None unless they cover the whole space without overlap.
    pub fn from_ranges(mut ranges: Vec<(usize, Epk, Epk)>) -> Option<Self> {
        ranges.sort_by(|a, b| a.1.cmp(&b.1));
        let mut expected = Epk::MIN;
        let mut spans = Vec::with_capacity(ranges.len());
        for (from, min, max) in ranges {
            if min != expected || max <= min {
                return None;
            }
            expected = max.clone();
            spans.push(Span { min, max, from, splits: 0 });
        }
        (!spans.is_empty() && expected == Epk::MAX).then_some(Self { spans })
    }

    /// The same ranges, numbered in their order.
    #[must_use]
    pub fn numbered(&self) -> Self {
        let spans = self.spans.iter().enumerate();
        let spans = spans.map(|(from, span)| Span { from, splits: 0, ..span.clone() });
        Self { spans: spans.collect() }
    }

    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Whether a boundary lies inside some value of this many levels, so that its keys can lie on several ranges.
    pub fn cuts_levels(&self, levels: usize) -> bool {
        self.spans.iter().any(|span| {
            let bytes = span.min.as_bytes();
            let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
            bytes.len() - zeros > levels * HASH_V2_BYTES
        })
    }

    /// The index of the range that holds a key.
    pub fn owner(&self, epk: &Epk) -> Option<usize> {
        #[cfg(test)]
        super::work::count(super::work::Work::OwnerFound);
        let after = self.spans.partition_point(|span| span.min <= *epk);
        let at = after.checked_sub(1)?;
        self.spans.get(at).filter(|s| s.holds(epk)).map(|_| at)
    }

    /// The places of the ranges that can hold keys with these first parts; None for a value that no key can have.
    pub fn places(&self, parts: &[Part], definition: &KeyDefinition) -> Option<Range<usize>> {
        if parts.len() >= definition.paths.len() {
            let place = self.owner(&epk(parts, definition)?)?;
            return Some(place..place + 1);
        }
        let (min, max) = prefix_range(parts, definition)?;
        let after = self.spans.partition_point(|span| span.min < max);
        Some(self.owner(&min)?..after)
    }

    /// Splits one range at the median of the data; returns where, None where no cut lies inside.
    pub fn split_at(
        &mut self,
        at: usize,
        weights: &[PlacedWeight],
        definition: &KeyDefinition,
    ) -> Option<Epk> {
        let weights = sorted(weights);
        let by = SplitBy::new(&weights, definition, SplitPoint::Data);
        let both = halves(self.spans.get(at)?, by);
        let cut = both.get(1)?.min.clone();
        self.spans.splice(at..=at, both);
        Some(cut)
    }

    /// Some ranges split once where they can be.
    #[must_use]
    pub fn split_where(&self, is_split: impl Fn(&Span) -> bool, by: SplitBy<'_>) -> Self {
        let weights = sorted(by.weights);
        let by = SplitBy { weights: &weights, ..by };
        let mut spans = Vec::with_capacity(self.spans.len() + 1);
        for span in &self.spans {
            if is_split(span) {
                spans.extend(halves(span, by));
            } else {
                spans.push(span.clone());
            }
        }
        Self { spans }
    }

    /// Split until there are `count` ranges, as a rise of RU/s does: none is split twice before each is split once. Which
    /// ones the service takes first is its own choice.
    #[must_use]
    pub fn grown(&self, count: usize, first: SplitFirst, by: SplitBy<'_>) -> Self {
        let goes_on = |found, _| found < count.min(MAX_PARTITIONS);
        let rank = |span: &Span, keys: &[PlacedWeight]| {
            let spread = by.spread.get(span.from).map_or(0.0, |all| all * span.part());
            let weight = sum(keys) + spread;
            (span.splits, if first == SplitFirst::Heaviest { weight } else { -weight })
        };
        self.split_while(by, rank, goes_on)
    }

    /// The same where the hottest is split first, by its load, at the median of the data.
    #[must_use]
    pub fn cooled(&self, count: usize, load: &[PlacedWeight], by: SplitBy<'_>) -> Self {
        let load = sorted(load);
        let goes_on = |found, _| found < count.min(MAX_PARTITIONS);
        let rank = |span: &Span, _: &[PlacedWeight]| (span.splits, sum(within(span, &load)));
        self.split_while(by, rank, goes_on)
    }

    /// Split until none has more weight than `limit`, as far as keys can be divided.
    #[must_use]
    pub fn split_over(&self, limit: f64, by: SplitBy<'_>) -> Self {
        // A key alone in its range is not worth a split that cannot divide it.
        let divisible =
            |_: &Span, keys: &[PlacedWeight]| (0, if keys.len() > 1 { sum(keys) } else { 0.0 });
        let goes_on = |found, weight| found < MAX_PARTITIONS && weight > limit;
        self.split_while(by, divisible, goes_on)
    }

    /// Splits the heaviest of the lowest round as long as the number of ranges and its weight say so.
    fn split_while(
        &self,
        by: SplitBy<'_>,
        rank: impl Fn(&Span, &[PlacedWeight]) -> (u32, f64),
        goes_on: impl Fn(usize, f64) -> bool,
    ) -> Self {
        let weights = sorted(by.weights);
        let by = SplitBy { weights: &weights, ..by };
        let open = |span: &Span| {
            let (round, weight) = rank(span, within(span, by.weights));
            Open { round: Reverse(round), weight, span: span.clone() }
        };
        let mut can_split: BinaryHeap<Open> = self.spans.iter().map(open).collect();
        let mut done = Vec::new();
        while can_split
            .peek()
            .is_some_and(|heaviest| goes_on(can_split.len() + done.len(), heaviest.weight))
            && let Some(Open { span, .. }) = can_split.pop()
        {
            match halves(&span, by).as_slice() {
                [lower, upper] => can_split.extend([open(lower), open(upper)]),
                _ => done.push(span),
            }
        }
        done.extend(can_split.into_iter().map(|open| open.span));
        done.sort_by(|a, b| a.min.cmp(&b.min));
        Self { spans: done }
    }
}

/// Which of the ranges that were split least is split next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitFirst {
    /// The best that a rise of RU/s can do for a hot partition.
    Heaviest,
    /// The worst: the hottest stays whole as long as any other can be split.
    Lightest,
}

/// A range that may be split yet; the greatest is split first.
struct Open {
    round: Reverse<u32>,
    weight: f64,
    span: Span,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.round.cmp(&other.round))
            .then(self.weight.total_cmp(&other.weight))
            .then(other.span.splits.cmp(&self.span.splits))
            .then_with(|| other.span.min.cmp(&self.span.min))
    }
}

equal_by_order!(Open);

/// In hash order, those of one place together.
fn sorted(weights: &[PlacedWeight]) -> Vec<PlacedWeight> {
    let mut sorted = weights.to_vec();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted.dedup_by(|next, held| {
        let is_same = next.0 == held.0;
        if is_same {
            held.1 += next.1;
        }
        is_same
    });
    sorted
}

/// Of sorted weights those of a range.
fn within<'a>(span: &Span, weights: &'a [PlacedWeight]) -> &'a [PlacedWeight] {
    let from = weights.partition_point(|(epk, _)| *epk < span.min);
    let to = weights.partition_point(|(epk, _)| *epk < span.max);
    weights.get(from..to).unwrap_or_default()
}

fn sum(weights: &[PlacedWeight]) -> f64 {
    weights.iter().map(|w| w.1).sum()
}

fn halves(span: &Span, by: SplitBy<'_>) -> Vec<Span> {
    let Some(middle) = cut(span, by) else {
        return vec![span.clone()];
    };
    let part = |min: &Epk, max: &Epk| Span {
        min: min.clone(),
        max: max.clone(),
        from: span.from,
        splits: span.splits.saturating_add(1),
    };
    vec![part(&span.min, &middle), part(&middle, &span.max)]
}

/// Where a range is cut; None where no boundary lies inside. A single key is never divided: the cut falls beside it, on
/// the side that leaves the halves more alike.
fn cut(span: &Span, by: SplitBy<'_>) -> Option<Epk> {
    let middle = || midpoint(&span.min, &span.max, by.definition);
    let groups = within(span, by.weights);
    let half = groups.iter().map(|g| g.1).sum::<f64>() / 2.0;
    if by.how == SplitPoint::Midpoint || half <= 0.0 {
        return middle();
    }
    let mut before = 0.0;
    for (at, (epk, weight)) in groups.iter().enumerate() {
        let after = before + weight;
        if after < half {
            before = after;
            continue;
        }
        let lower = (span.min < *epk).then(|| epk.clone());
        let upper = || match groups.get(at + 1) {
            Some((next, _)) => Some(next.clone()),
            None => midpoint(epk, &span.max, by.definition),
        };
        return if half - before <= after - half {
            lower.or_else(upper)
        } else {
            upper().or(lower)
        };
    }
    middle()
}

#[cfg(test)]
pub mod tests;
