//! Which physical partition each key lies on: one hash for each key, by as many hands as there are.

use super::super::parallelism::Task;
use super::fold::{FoldContext, Groups};
use super::level::SplitText;
use super::pairs::Pairs;
use super::splits::PlacementRanges;
use crate::model::epk::{Epk, HASH_V2_BITS, HASH_V2_BYTES, TextPlaces};
use crate::model::key::{KeyDefinition, KeyVersion};
use crate::model::layout::{Layout, Span};

/// Keys between two looks at whether their places are still wanted: about two milliseconds.
const GRAIN: usize = 1 << 14;

/// The partition of each key.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// Levels by which keys are told apart: what is the same in so many lies together.
    pub depth: usize,
    /// By the groups of so many levels.
    pub of_prefix: Vec<u32>,
    /// Keys whose texts were not kept: they are placed by chance.
    pub by_chance: u64,
}

impl Owners {
    /// The partition of a group of all levels.
    pub fn of(&self, groups: &Groups<'_>, group: u32) -> usize {
        let prefix = groups.prefix(group, self.depth);
        let owner = self.of_prefix.get(prefix as usize).copied();
        owner.unwrap_or(0) as usize
    }
}

/// Boundaries that end with the first level, as those of a new container do, keep all keys of a first level together. Other
/// tasks are done on the way. None where it was not wanted to the end.
pub(super) fn owners<'t>(
    groups: &'t Groups<'_>,
    chosen: &'t PlacementRanges,
    others: Vec<Task<'t>>,
    by: FoldContext<'t>,
) -> Option<Owners> {
    let PlacementRanges { layout, definition, .. } = chosen;
    let levels = groups.levels.len();
    let depth = if layout.cuts_levels(1) { levels } else { levels.min(1) };
    let is_text = depth == 1 && definition.version == KeyVersion::V2;
    let starts = is_text.then(|| starts(layout)).flatten();
    let pairs = depth.checked_sub(1).and_then(|d| groups.depths.get(d));
    let count = pairs.map_or(0, Pairs::len);
    let mut of_prefix = vec![0; count];
    let mut by_chance = vec![Some(0); count.div_ceil(GRAIN)];
    let places = Places { groups, layout, definition, starts: starts.as_deref(), depth };
    let places = &places;
    let tasks = of_prefix.chunks_mut(GRAIN).zip(&mut by_chance).zip((0..).step_by(GRAIN));
    let tasks = tasks.map(|((owners, by_chance), first)| -> Task<'_> {
        Box::new(move || {
            *by_chance = (by.keep_going)().then(|| places.find(first, owners));
        })
    });
    by.workers.all(others.into_iter().map(unless_stopped(by)).chain(tasks).collect());
    let by_chance = by_chance.into_iter().sum::<Option<u64>>()?;
    Some(Owners { depth, of_prefix, by_chance })
}

/// A task that is left out where it is not wanted any more.
fn unless_stopped<'t>(by: FoldContext<'t>) -> impl Fn(Task<'t>) -> Task<'t> {
    move |task| {
        Box::new(move || {
            if (by.keep_going)() {
                task();
            }
        })
    }
}

/// What tells where groups lie.
struct Places<'p> {
    groups: &'p Groups<'p>,
    layout: &'p Layout,
    definition: &'p KeyDefinition,
    /// Where ranges begin, as numbers among which places of texts are found fast.
    starts: Option<&'p [u128]>,
    depth: usize,
}

impl Places<'_> {
    /// Notes the partitions of groups from this one on that have documents, and says how many of them are placed by chance.
    fn find(&self, first: usize, owners: &mut [u32]) -> u64 {
        let (mut by_chance, mut spelled) = (0, SplitText::default());
        let (mut begun, mut places) = (0, TextPlaces::default());
        places.begin("");
        let depth = self.depth.checked_sub(1);
        let Some(pairs) = depth.and_then(|depth| self.groups.depths.get(depth)) else {
            return 0;
        };
        let level = self.groups.levels.first();
        let sizes = self.groups.sizes_at(self.depth);
        sizes.each(first..first + owners.len(), |group, _| {
            let is_text = |_: &&[u128]| {
                level.is_some_and(|level| level.spell(pairs.of(group).1, &mut spelled))
            };
            let owner = if let Some(starts) = self.starts.filter(is_text) {
                if begun != spelled.beginnings {
                    begun = spelled.beginnings;
                    places.begin(&spelled.beginning);
                }
                range_of(starts, places.of_end(&spelled.end))
            } else {
                let (epk, is_computed) = self.groups.place(group, self.depth, self.definition);
                by_chance += u64::from(!is_computed);
                self.layout.owner(&epk).unwrap_or(0)
            };
            if let Some(slot) = owners.get_mut(group as usize - first) {
                *slot = u32::try_from(owner).unwrap_or(0);
            }
        });
        by_chance
    }
}

/// The range that holds a place.
fn range_of(starts: &[u128], place: u128) -> usize {
    // Ranges are mostly even: then the place tells which one it is, or its neighbour.
    let likely = ((place >> (HASH_V2_BITS - 32)) * starts.len() as u128) >> 32;
    let likely = usize::try_from(likely).unwrap_or(0);
    let starts_before = starts.get(likely).is_some_and(|start| *start <= place);
    if starts_before && starts.get(likely + 1).is_none_or(|next| place < *next) {
        return likely;
    }
    starts.partition_point(|start| *start <= place).saturating_sub(1)
}

/// The boundaries of a layout; none where a range is left out, or does not begin with whole bytes of one level.
fn starts(layout: &Layout) -> Option<Vec<u128>> {
    let spans = layout.spans();
    let follows = |pair: &[Span]| matches!(pair, [a, b] if a.max == b.min);
    let is_whole = spans.first()?.min == Epk::MIN && spans.last()?.max == Epk::MAX;
    if !is_whole || !spans.windows(2).all(follows) {
        return None;
    }
    let start = |span: &Span| {
        let mut bytes = [0_u8; HASH_V2_BYTES];
        for (to, from) in bytes.iter_mut().zip(span.min.as_bytes()) {
            *to = *from;
        }
        u128::from_be_bytes(bytes)
    };
    Some(spans.iter().map(start).collect())
}
