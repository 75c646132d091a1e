//! What counts of documents tell of more documents than were looked at, with the doubt that remains.

use super::super::chance::Chance;
use super::window_samples::{ByHashes, WindowSamples};
use crate::model::order::bisected;
use crate::model::units::{as_number, real};

/// Of a normal distribution 95 % lie within so many deviations.
pub(super) const Z_95: f64 = 1.959_964;
/// Enough for the 2.5 % at each end, which then rest on five drawings each.
const DRAWINGS: usize = 200;
/// Beyond it intervals would take longer than the trial: with so many partitions each drawing is alike.
const MOST_DRAWN: usize = 1_000_000;

/// How many different keys there are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Distinct {
    /// At least so many: those that were seen.
    pub seen: u64,
    /// Keys of one document alone, and of two.
    pub once: u64,
    pub twice: u64,
    /// Of a sample the bounds of all documents' keys.
    pub range: Option<[f64; 2]>,
    /// Of a sample the share of all documents whose key it saw.
    pub coverage: Option<f64>,
    /// Keys are counted by the part of the hash space that was read.
    pub by_hashes: bool,
}

impl Distinct {
    /// From the number of keys, of those of one document, and of those of two; `of` is the number of all documents, if
    /// those looked at are a sample.
    pub fn of([seen, once, twice]: [u64; 3], documents: u64, of: Option<f64>) -> Self {
        let n = real(documents);
        let of = of.filter(|of| *of > n && n > 0.0);
        Self {
            seen,
            once,
            twice,
            range: of.map(|of| [real(seen), real(seen - once) + real(once) * of / n]),
            coverage: of.map(|_| 1.0 - real(once) / n),
            by_hashes: false,
        }
    }

    /// Of documents that came in windows: a key of one window is as one of one document.
    pub(super) fn of_windows(seen: u64, clumps: &WindowSamples, [n, of]: [f64; 2]) -> Self {
        let WindowSamples { once, twice, alone, .. } = clumps;
        let [_, most] = count_range(*once);
        Self {
            seen,
            once: *once,
            twice: *twice,
            range: Some([real(seen), (real(seen - once) + most * of / n).min(of)]),
            coverage: Some(1.0 - real(*alone) / n),
            by_hashes: false,
        }
    }

    pub(super) fn counted(self, by_hashes: &ByHashes, of: f64) -> Self {
        let [low, high] = by_hashes.range.map(|keys| keys.min(of).max(real(self.seen)));
        let [low, high] = [low.floor(), high.ceil()];
        Self {
            range: Some([low, high]),
            coverage: Some(real(self.seen) / f64::midpoint(low, high)),
            by_hashes: true,
            ..self
        }
    }

    /// Chao's estimate: right where rare keys are alike, far too low where they are not. For the evidence only.
    pub fn chao1(&self) -> f64 {
        let once = real(self.once);
        real(self.seen) + once * (once - 1.0).max(0.0) / (2.0 * (real(self.twice) + 1.0))
    }
}

/// Of how many equal keys the keys are worth, by the pairs of documents that each has; none where a sample saw no key twice.
/// Of a sample those documents make no pair with one that were drawn with it, itself included.
pub(super) fn effective(pairs: f64, n: f64, drawn_with: Option<f64>) -> Option<f64> {
    let (others, alike) = match drawn_with {
        Some(drawn_with) => (n - drawn_with, pairs),
        None => (n, pairs + n),
    };
    (alike > 0.0).then(|| n * others / alike)
}

/// A share and where it lies with 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    pub share: f64,
    pub interval: [f64; 2],
}

/// Wilson's interval: right for small counts, too.
pub fn share(count: u64, documents: u64) -> Share {
    counted_share(real(count), real(documents), false)
}

/// The same of a count that may be in parts. Of the largest of many keys the low end holds although it was chosen for its
/// count: of keys with a share of p there are at most 1/p.
pub(super) fn counted_share(count: f64, n: f64, is_largest: bool) -> Share {
    if n <= 0.0 {
        return Share::default();
    }
    let p = count / n;
    let z2 = Z_95 * Z_95;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z_95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let low = if is_largest { low_of_largest(count, n) } else { middle - half };
    Share { share: p, interval: [low.max(0.0).min(p), (middle + half).min(1.0).max(p)] }
}

/// The share p at which the likelihood of so many documents, times the 1/p keys that may have them, is that of an end of
/// the 95 %.
fn low_of_largest(count: f64, n: f64) -> f64 {
    // Of a whole number the half below it counts, too.
    let seen = (count - 0.5) / n;
    if count <= 1.5 {
        return 0.0;
    }
    let is_below = |p: f64| {
        let unlike = seen * (seen / p).ln() + (1.0 - seen) * ((1.0 - seen) / (1.0 - p)).ln();
        n * unlike + p.ln() > Z_95 * Z_95 / 2.0
    };
    let ends = [f64::MIN_POSITIVE.ln(), seen.ln()];
    let [low, _] = bisected(ends, 60, |middle| is_below(middle.exp()));
    low.exp()
}

/// What one partition got, and the sum of the squares of what its documents weigh.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Load {
    pub sum: f64,
    pub squares: f64,
}

/// Largest over mean; none where there is nothing.
pub(super) fn load_ratio(loads: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let sum: f64 = loads.clone().sum();
    let highest = loads.clone().fold(0.0, f64::max);
    (sum > 0.0).then(|| highest * as_number(loads.count()) / sum)
}

/// Where the load ratio of all documents lies with 95 %, from drawing the sample again: each document as often as Poisson
/// gives, which over many documents of a partition is a normal distribution. The fullest of a sample is so by chance, too:
/// the low end holds for partitions no more unlike than what their loads vary beyond chance.
pub(super) fn load_ratio_interval(loads: &[Load], seed: u64) -> Option<[f64; 2]> {
    interval(loads, seed, 1, |loads| load_ratio(loads.iter().copied()))
}

/// The same of anything that follows from what partitions have, and costs `steps` for each of them.
pub(super) fn interval(
    loads: &[Load],
    seed: u64,
    steps: usize,
    of: impl Fn(&[f64]) -> Option<f64>,
) -> Option<[f64; 2]> {
    let sums: Vec<f64> = loads.iter().map(|l| l.sum).collect();
    let found = of(&sums)?;
    let n = as_number(loads.len());
    let mean = loads.iter().map(|l| l.sum).sum::<f64>() / n;
    let varies = loads.iter().map(|l| (l.sum - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let by_chance = loads.iter().map(|l| l.squares).sum::<f64>() / n;
    let mut chance = Chance::new(seed);
    let drawings = (MOST_DRAWN / (loads.len() * steps).max(1)).clamp(20, DRAWINGS);
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    for _ in 0..drawings {
        let unlike = (varies / chance.spread(n - 1.0) - by_chance).max(0.0);
        let trust = unlike / (unlike + by_chance).max(f64::MIN_POSITIVE);
        let drawn = loads.iter().map(|l| {
            let off = l.squares.sqrt() * chance.normal();
            let load = mean + trust * (l.sum - mean);
            let [low, high] = [load + trust.sqrt() * off, l.sum + off];
            (low.max(0.0), high.max(0.0))
        });
        let (low, high): (Vec<f64>, Vec<f64>) = drawn.unzip();
        lows.extend(of(&low));
        highs.extend(of(&high));
    }
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    let low = lows.get(lows.len() / 40).copied()?;
    let high = highs.get(highs.len().checked_sub(highs.len() / 40 + 1)?).copied()?;
    Some([low.min(found), high.max(found)])
}

/// Where a count lies with 95 % that chance makes, by Wilson and Hilferty.
pub(super) fn count_range(count: u64) -> [f64; 2] {
    let at = |count: f64, z: f64| {
        let root = 1.0 - 1.0 / (9.0 * count) + z / (3.0 * count.sqrt());
        count * root.max(0.0).powi(3)
    };
    let low = (count > 0).then(|| at(real(count), -Z_95));
    [low.unwrap_or(0.0), at(real(count) + 1.0, Z_95)]
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_a_sample() {
        // 20,000 of 50 million documents, 3,187 keys of which 1,409 once and 706 twice.
        let counts = [3_187, 1_409, 706];
        let found = Distinct::of(counts, 20_000, Some(50e6));
        let [low, high] = found.range.unwrap();
        assert!((low - 3_187.0).abs() < 1e-9 && (high / 3.52e6 - 1.0).abs() < 0.01, "{high}");
        assert!((found.coverage.unwrap() - 0.93).abs() < 0.005);
        assert!((found.chao1() - 4_590.0).abs() < 2.0, "{}", found.chao1());
        assert_eq!(Distinct::of(counts, 20_000, None).range, None);
    }

    #[test]
    fn shares_have_intervals() {
        let s = share(2_200, 20_000);
        assert!((s.interval[0] - 0.1057).abs() < 5e-4 && (s.interval[1] - 0.1144).abs() < 5e-4);
        assert!(share(0, 10).interval[1] > 0.2 && share(10, 10).interval[0] < 0.8);
        assert_eq!(share(0, 0), Share::default());
    }

    #[test]
    fn equal_keys_count_each() {
        assert!((effective(200.0, 50.0, None).unwrap() - 10.0).abs() < 1e-9);
        assert_eq!(effective(0.0, 3.0, Some(1.0)), None);
        assert!(effective(200.0, 50.0, Some(1.0)).unwrap() > 10.0);
    }

    #[test]
    fn the_interval_of_a_load_ratio_holds_what_other_samples_show() {
        // Ten partitions, one with twice the share of the others: S is 20/11.
        let mut inside = 0;
        for seed in 0..200 {
            let mut chance = Chance::new(seed);
            let mut counts = [0.0_f64; 10];
            for _ in 0..2_000 {
                let at = (chance.unit() * 11.0).floor();
                let place = (0_u8..10).find(|i| f64::from(*i) >= at).unwrap_or(0);
                counts[usize::from(place)] += 1.0;
            }
            let loads = counts.map(|sum| Load { sum, squares: sum });
            let [low, high] = load_ratio_interval(&loads, seed).unwrap();
            assert_eq!(load_ratio_interval(&loads, seed), Some([low, high]));
            inside += u32::from((low..=high).contains(&(20.0 / 11.0)));
        }
        assert!((180..=200).contains(&inside), "{inside} of 200");
    }
}
