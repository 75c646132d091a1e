//! Which physical partition each key lies on: one hash for each key, by as many hands as there are.

use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::super::parallelism::Task;
use super::fold::{FoldContext, Groups};
use super::level::SplitText;
use super::pairs::Pairs;
use super::splits::PlacementRanges;
use crate::model::epk::{Epk, HASH_V2_BITS, TextPlaces};
use crate::model::key::{KeyDefinition, KeyVersion};
use crate::model::layout::{Layout, Span};

/// What one level's hash takes in a boundary.
const LEVEL_BYTES: usize = 16;
/// Keys between two looks at whether their places are still wanted: about two milliseconds.
const GRAIN: usize = 1 << 14;
/// A table by value has at most so many cells for each group.
const CELLS_A_GROUP: usize = 16;

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
    let is_long = |bytes: &[u8]| {
        let zeros = bytes.iter().rev().take_while(|b| **b == 0).count();
        bytes.len() - zeros > LEVEL_BYTES
    };
    let is_cut = layout.spans().iter().any(|s| is_long(s.min.as_bytes()));
    let depth = if is_cut { levels } else { levels.min(1) };
    let texts =
        (depth == 1 && definition.version == KeyVersion::V2).then(|| Starts::of(layout)).flatten();
    let pairs = depth.checked_sub(1).and_then(|d| groups.depths.get(d));
    let count = pairs.map_or(0, Pairs::len);
    let mut found: Vec<AtomicU32> = Vec::new();
    found.resize_with(count, AtomicU32::default);
    let mut by_chance = vec![Some(0); count.div_ceil(GRAIN)];
    let places = Places { groups, layout, definition, starts: texts.as_ref(), depth };
    let (places, found_by) = (&places, found.as_slice());
    let order = pairs.and_then(in_order);
    let order = order.as_deref();
    let tasks = by_chance.iter_mut().zip(0..);
    let tasks = tasks.map(|(by_chance, chunk)| -> Task<'_> {
        let range = chunk * GRAIN..((chunk + 1) * GRAIN).min(count);
        Box::new(move || {
            *by_chance = (by.keep_going)().then(|| places.find(range, order, found_by));
        })
    });
    by.workers.all(others.into_iter().map(unless_stopped(by)).chain(tasks).collect());
    Some(Owners {
        depth,
        by_chance: by_chance.into_iter().sum::<Option<u64>>()?,
        of_prefix: found.into_iter().map(AtomicU32::into_inner).collect(),
    })
}

/// Groups that were numbered as they came, in the order of their values: in that order texts lie side by side in memory.
/// None where they are in order, or values lie far apart.
fn in_order(pairs: &Pairs<'_>) -> Option<Vec<u32>> {
    let Pairs::Listed(pairs) = pairs else {
        return None;
    };
    let most = pairs.len().saturating_mul(CELLS_A_GROUP);
    let last = pairs.iter().map(|(_, value)| *value).max()?;
    let cells = usize::try_from(last).ok()?.checked_add(1)?;
    if cells > most {
        return None;
    }
    let mut found = vec![0_u32; cells];
    for (group, (_, value)) in (1_u32..).zip(pairs) {
        let at = usize::try_from(*value).unwrap_or(usize::MAX);
        if let Some(cell) = found.get_mut(at) {
            *cell = group;
        }
    }
    let mut ordered = Vec::with_capacity(pairs.len());
    ordered.extend(found.into_iter().filter(|group| *group > 0).map(|group| group - 1));
    // Of two levels groups may have the same value.
    (ordered.len() == pairs.len()).then_some(ordered)
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
    starts: Option<&'p Starts>,
    depth: usize,
}

impl Places<'_> {
    /// Notes the partitions of groups that have documents, and says how many of them are placed by chance: of a range of
    /// their numbers, or of places in another order.
    fn find(&self, range: Range<usize>, order: Option<&[u32]>, owners: &[AtomicU32]) -> u64 {
        let mut by_chance = 0;
        let mut spelled = SplitText::default();
        let mut places = (0, TextPlaces::default());
        places.1.begin("");
        let depth = self.depth.checked_sub(1);
        let Some(pairs) = depth.and_then(|depth| self.groups.depths.get(depth)) else {
            return 0;
        };
        let level = self.groups.levels.first();
        let mut place = |group: u32| {
            let is_text = |_: &&Starts| {
                level.is_some_and(|level| level.spell(pairs.of(group).1, &mut spelled))
            };
            let owner = if let Some(starts) = self.starts.filter(is_text) {
                if places.0 != spelled.beginnings {
                    places.0 = spelled.beginnings;
                    places.1.begin(&spelled.beginning);
                }
                starts.owner(places.1.of_end(&spelled.end))
            } else {
                let (epk, is_computed) = self.groups.place(group, self.depth, self.definition);
                by_chance += u64::from(!is_computed);
                narrow(self.layout.owner(&epk).unwrap_or(0))
            };
            if let Some(slot) = owners.get(group as usize) {
                slot.store(owner, Relaxed);
            }
        };
        if let Some(order) = order {
            let groups = order.get(range).unwrap_or_default();
            groups.iter().copied().for_each(place);
        } else {
            let sizes = self.groups.sizes_at(self.depth);
            sizes.each(range, |group, _| place(group));
        }
        by_chance
    }
}

/// The boundaries of a layout as numbers, among which places of texts are found fast.
struct Starts {
    starts: Vec<u128>,
}

impl Starts {
    /// None where a range is left out, or does not begin with whole bytes of one level.
    fn of(layout: &Layout) -> Option<Self> {
        let spans = layout.spans();
        let follows = |pair: &[Span]| matches!(pair, [a, b] if a.max == b.min);
        let is_whole = spans.first()?.min == Epk::MIN && spans.last()?.max == Epk::MAX;
        if !is_whole || !spans.windows(2).all(follows) {
            return None;
        }
        let start = |span: &Span| {
            let mut bytes = [0_u8; LEVEL_BYTES];
            for (to, from) in bytes.iter_mut().zip(span.min.as_bytes()) {
                *to = *from;
            }
            u128::from_be_bytes(bytes)
        };
        Some(Self { starts: spans.iter().map(start).collect() })
    }

    fn owner(&self, place: u128) -> u32 {
        // Ranges are mostly even: then the place tells which one it is, or its neighbour.
        let count = self.starts.len() as u128;
        let likely = ((place >> (HASH_V2_BITS - 32)) * count) >> 32;
        let likely = usize::try_from(likely).unwrap_or(0);
        let holds = |at: usize| {
            let starts = self.starts.get(at).is_some_and(|start| *start <= place);
            starts && self.starts.get(at + 1).is_none_or(|next| place < *next)
        };
        if holds(likely) {
            return narrow(likely);
        }
        let after = self.starts.partition_point(|start| *start <= place);
        narrow(after.saturating_sub(1))
    }
}

fn narrow(partition: usize) -> u32 {
    u32::try_from(partition).unwrap_or(0)
}
