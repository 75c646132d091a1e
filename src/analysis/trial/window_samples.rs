//! Documents that a sample read together, window by window of the hash space: of what goes with the container's key each
//! window tells but once. Of that key itself the windows tell how many there are, for hashes are uniform.

use super::estimates::{Z_95, count_range};
use super::fold::Groups;
use crate::model::documents::{BY_ITSELF, Windows};
use crate::model::epk::position;
use crate::model::key::KeyDefinition;
use crate::model::units::real;

/// Keys by the windows in which they are.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowSamples {
    /// Documents of the group in the window of any of its documents, on average.
    inside: Vec<f64>,
    /// The same of all documents, whatever their key.
    pub of_all: f64,
    /// Groups of one window alone, and of two; documents of the former.
    pub once: u64,
    pub twice: u64,
    pub alone: u64,
    /// Of the key of any document: how many others it has in other windows, the square of that, and what of the square
    /// chance adds. Means over all documents.
    pub others: [f64; 3],
    /// Of the container's own key the documents that each has in all.
    pub in_all: Vec<f64>,
    /// How the documents of each group differ from one window to the next.
    steps: Vec<Steps>,
    /// The same of all documents.
    of_windows: Neighbours,
}

/// Documents that windows hold, and what of it differs between neighbours.
#[derive(Clone, Debug, Default)]
struct Neighbours {
    counts: Vec<f64>,
    /// Drawn by themselves, and all.
    singles: f64,
    n: f64,
}

/// Sums over all pairs of neighbours: of squares of a group's steps, and of these times those of all documents.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    own: f64,
    both: f64,
    singles: f64,
}

impl Neighbours {
    fn step(&self, at: usize) -> f64 {
        let count = |at: usize| self.counts.get(at);
        count(at).zip(count(at + 1)).map_or(0.0, |(one, next)| one - next)
    }

    /// A group has so many in a window, and so many in the one before.
    fn add(&self, steps: &mut Steps, at: usize, count: f64, before: f64) {
        let sides = u8::from(at > 0) + u8::from(at + 1 < self.counts.len());
        steps.own += count * (count * f64::from(sides) - 2.0 * before);
        let left = at.checked_sub(1).map_or(0.0, |left| self.step(left));
        steps.both += count * (self.step(at) - left);
    }

    /// The variance of a group's count beside that of as many documents drawn one by one: of windows by how each differs
    /// from the next in hash or in time, so that what changes evenly is none of it. Few windows tell it less surely.
    fn effect(&self, steps: Steps, count: f64) -> Option<f64> {
        let windows = real(self.counts.len() as u64);
        let p = count / self.n;
        let alone = count * (1.0 - p);
        if windows < 2.0 || alone <= 0.0 {
            return None;
        }
        let all: f64 = (0..self.counts.len()).map(|at| self.step(at).powi(2)).sum();
        let differ = (steps.own - 2.0 * p * steps.both + p * p * all).max(0.0) / 2.0;
        let single = steps.singles * (1.0 - p).powi(2) + (self.singles - steps.singles) * p * p;
        let variance = differ * windows / (windows - 1.0) + single;
        let wider = 1.0 + (Z_95 * Z_95 + 1.0) / (4.0 * (windows - 1.0));
        Some((variance / alone).max(1.0) * wider * wider)
    }
}

/// How many keys there are by their hashes.
#[derive(Debug)]
pub(super) struct ByHashes {
    pub range: [f64; 2],
    likely: f64,
    /// Groups that were read by themselves, and those at which a window ended that was not read on.
    apart: Vec<u32>,
    cut: Vec<u32>,
}

/// Whatever came in windows, by these.
fn runs(windows: &Windows, of_row: &[u32], mut visit: impl FnMut(u32, u32, u64)) {
    let pairs = of_row.iter().copied().zip(windows.of_row.iter().copied());
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable();
    for run in pairs.chunk_by(PartialEq::eq) {
        if let Some((group, window)) = run.first() {
            visit(*group, *window, run.len() as u64);
        }
    }
}

impl WindowSamples {
    /// None where every document was drawn by itself. Of the container's own key each document of a stretch of time is taken
    /// for drawn by itself: all others of its key are in the same part of the hash space.
    pub fn of(windows: &Windows, groups: &Groups<'_>, is_own: bool) -> Option<Self> {
        let is_own = is_own && windows.all.iter().any(|window| window.is_of_time);
        let is_clumped = windows.of_row.iter().any(|window| *window != BY_ITSELF);
        let n = real(groups.of_row.len() as u64);
        if !is_clumped {
            return None;
        }
        let mut of_group = vec![(0.0_f64, 0_u64); groups.len()];
        let mut of_windows = Neighbours { counts: vec![0.0; windows.all.len()], singles: n, n };
        for window in &windows.of_row {
            if let Some(count) = of_windows.counts.get_mut(*window as usize) {
                *count += 1.0;
                of_windows.singles -= 1.0;
            }
        }
        let mut steps = vec![Steps::default(); groups.len()];
        let mut before = (0, BY_ITSELF, 0.0);
        runs(windows, &groups.of_row, |group, window, count| {
            let each = real(count);
            if let Some(steps) = steps.get_mut(group as usize) {
                let is_next = (before.0, before.1.wrapping_add(1)) == (group, window);
                match window {
                    BY_ITSELF => steps.singles += each,
                    at => of_windows.add(
                        steps,
                        at as usize,
                        each,
                        if is_next { before.2 } else { 0.0 },
                    ),
                }
            }
            before = (group, window, each);
            let (squares, spread) =
                if window == BY_ITSELF || is_own { (each, count) } else { (each * each, 1) };
            if let Some((sum, windows)) = of_group.get_mut(group as usize) {
                *sum += squares;
                *windows += spread;
            }
        });
        let squares: f64 = of_windows.counts.iter().map(|count| count * count).sum();
        let mut found = Self {
            inside: vec![0.0; groups.len()],
            of_all: if is_own { 1.0 } else { (squares + of_windows.singles) / n },
            steps,
            of_windows,
            ..Self::default()
        };
        groups.sizes.all(|group, [count, _]| {
            let (sum, windows) = of_group.get(group as usize).copied().unwrap_or((1.0, 1));
            let each = real(count);
            let inside = sum / each;
            let others = each - inside;
            if let Some(held) = found.inside.get_mut(group as usize) {
                *held = inside;
            }
            found.once += u64::from(windows == 1);
            found.twice += u64::from(windows == 2);
            found.alone += if windows == 1 { count } else { 0 };
            let parts = [others, others * others, others * inside];
            for (mean, part) in found.others.iter_mut().zip(parts) {
                *mean += part * each / n;
            }
        });
        Some(found)
    }

    pub fn inside(&self, group: u32) -> f64 {
        self.inside.get(group as usize).copied().unwrap_or(1.0).max(1.0)
    }

    /// Of so many documents as a group has fewer drawn one by one would tell as much: the part.
    pub fn effect(&self, group: u32, count: f64) -> f64 {
        let steps = self.steps.get(group as usize).copied().unwrap_or_default();
        self.of_windows.effect(steps, count).unwrap_or_else(|| self.inside(group))
    }

    /// What the container's own keys have in all: of those that were read by themselves their share, of others what was
    /// read; of one that was cut at least what keys have on average.
    pub fn count(&mut self, groups: &Groups<'_>, by_hashes: &ByHashes, documents: f64) {
        let looked_at = real(groups.of_row.len() as u64);
        let count = |group: &u32| real(groups.sizes.count(*group));
        let of_apart: f64 = by_hashes.apart.iter().map(count).sum();
        let scale = documents / looked_at;
        let mean = (looked_at - of_apart) * scale / by_hashes.likely.max(1.0);
        self.in_all = (0..).take(groups.len()).map(|group| count(&group)).collect();
        for group in &by_hashes.apart {
            if let Some(all) = self.in_all.get_mut(*group as usize) {
                *all *= scale;
            }
        }
        for group in &by_hashes.cut {
            if let Some(all) = self.in_all.get_mut(*group as usize) {
                *all = all.max(mean);
            }
        }
    }
}

/// Keys of windows by the part of the hash space in which they lie. None where that is not known, or where keys lie outside
/// of their windows, as masked ones do.
pub(super) fn by_hashes(
    windows: &Windows,
    groups: &Groups<'_>,
    definition: &KeyDefinition,
) -> Option<ByHashes> {
    if groups.levels.len() != 1 || windows.all.is_empty() {
        return None;
    }
    let bounds: Option<Vec<_>> = windows.all.iter().map(|w| w.bounds.as_ref()).collect();
    let bounds = bounds?;
    let (mut apart, mut counted, mut is_known) = (Vec::new(), 0_u64, true);
    // The last key of each window.
    let mut last = vec![None; windows.all.len()];
    runs(windows, &groups.of_row, |group, window, _| {
        if window == BY_ITSELF {
            return apart.push(group);
        }
        let (key, is_computed) = groups.place(group, 1, definition);
        let at = window as usize;
        let is_inside = bounds.get(at).is_some_and(|(start, end)| *start <= key && key < *end);
        is_known &= is_computed && is_inside;
        counted += 1;
        if let Some(last) = last.get_mut(at)
            && last.as_ref().is_none_or(|(held, _)| *held < key)
        {
            *last = Some((key, group));
        }
    });
    if !is_known || counted == 0 {
        return None;
    }
    let (mut measure, mut closed, mut cut) = (0.0, 0.0, Vec::new());
    for ((window, (start, end)), last) in windows.all.iter().zip(bounds).zip(&last) {
        let end = match last {
            _ if window.is_whole => end,
            Some((key, group)) => {
                cut.push(*group);
                key
            }
            None => continue,
        };
        let [start, end] = [start, end].map(|epk| position(epk, definition.version));
        measure += (end - start).max(0.0);
        closed += if window.is_whole { end - start } else { 0.0 };
    }
    let kept = real(apart.len() as u64);
    let likely = real(counted) / measure.clamp(f64::MIN_POSITIVE, 1.0);
    // Of what was read to its end nothing is left open.
    let open = (1.0 - closed).max(0.0).sqrt();
    let [low, high] = count_range(counted).map(|count| count / real(counted) - 1.0);
    Some(ByHashes {
        range: [low, high].map(|off| kept + likely * (1.0 + off * open)),
        likely,
        apart,
        cut,
    })
}

/// The squares of what the documents of each window weigh together, by partition.
pub(super) fn squares(
    windows: &Windows,
    weights: impl Iterator<Item = (usize, f64)>,
    partitions: usize,
) -> Vec<f64> {
    let mut sums = vec![0.0; partitions];
    let rows = windows.of_row.iter().zip(weights);
    let mut rows: Vec<(usize, u32, f64)> =
        rows.map(|(window, (at, weight))| (at, *window, weight)).collect();
    rows.sort_unstable_by_key(|(at, window, _)| (*at, *window));
    for run in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1) && a.1 != BY_ITSELF) {
        let weight: f64 = run.iter().map(|(_, _, weight)| weight).sum();
        if let Some(sum) = run.first().and_then(|(at, ..)| sums.get_mut(*at)) {
            *sum += weight * weight;
        }
    }
    sums
}
