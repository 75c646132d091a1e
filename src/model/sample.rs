//! One reading of one key's size, packed into 16 bytes, and what is kept of a long series of them.

use super::time::Stamp;
use super::units::real;

/// A reading kept per key and region beyond which a series is thinned.
pub const SAMPLES_PER_SERIES: usize = 16;
/// The newest readings of a series are never thinned away: they decide the size that is shown.
pub const NEWEST_KEPT: usize = 8;

/// Whether a reading may be used for growth beside exact ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    Exact,
    /// The zone or the date order is a guess, or a spreadsheet rounded the size.
    Weak,
    /// Day or month first is assumed: good for the newest reading, never for growth.
    Assumed,
}

/// Time and trust in one word: bit 63 = weak, bit 62 = assumed, the rest = ticks since 1601 + 1, 0 = no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleTime(u64);

const WEAK: u64 = 1 << 63;
const ASSUMED: u64 = 1 << 62;
const TICKS_PER_MS: u64 = 10_000;
/// The farthest that a time zone lies ahead of UTC, in ticks.
const FARTHEST_ZONE: u64 = 14 * 3600 * 10_000_000;
/// Ticks between 1601 and 1970.
const SHIFT: i64 = 11_644_473_600 * 10_000_000;

impl SampleTime {
    pub fn new(at: Option<Stamp>, trust: Trust) -> Self {
        let time = at.map_or(0, |s| u64::try_from(s.ticks() + SHIFT).unwrap_or(0) + 1);
        Self(match trust {
            Trust::Exact => time,
            Trust::Weak => time | WEAK,
            Trust::Assumed => time | ASSUMED,
        })
    }

    pub fn at(self) -> Option<Stamp> {
        let time = self.order();
        if time == 0 {
            return None;
        }
        Stamp::from_ticks(i64::try_from(time - 1).ok()? - SHIFT)
    }

    pub fn trust(self) -> Trust {
        match self.0 & (WEAK | ASSUMED) {
            0 => Trust::Exact,
            ASSUMED => Trust::Assumed,
            _ => Trust::Weak,
        }
    }

    /// Sorts by time; no time comes first.
    pub fn order(self) -> u64 {
        self.0 & !(WEAK | ASSUMED)
    }

    /// The order of the earliest moment it may be: a local time read as UTC lies up to 14 hours before it.
    pub fn earliest(self) -> u64 {
        match self.trust() {
            Trust::Exact => self.order(),
            Trust::Weak | Trust::Assumed => {
                self.order().saturating_sub(FARTHEST_ZONE).max(self.order().min(1))
            }
        }
    }

    /// Portals cut times to milliseconds, so two exports of one record agree only down to there.
    pub fn same_moment(self, other: Self) -> bool {
        let (one, two) = (self.order(), other.order());
        // Most are days apart, which needs no division.
        one.abs_diff(two) < TICKS_PER_MS
            && one / TICKS_PER_MS == two / TICKS_PER_MS
            && (one == 0) == (two == 0)
    }
}

/// The size of one logical partition in one region at one moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    pub when: SampleTime,
    pub kib: f64,
}

impl Sample {
    pub const NONE: Self = Self { when: SampleTime(0), kib: 0.0 };
}

/// Exact sums of a least-squares line over every reading of a series, also those no longer kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineSums {
    pub n: f64,
    /// Days since `origin_ticks`, so that the squares stay small.
    pub t: f64,
    pub s: f64,
    pub tt: f64,
    pub ts: f64,
    /// Ticks since 1970 of the first reading summed.
    pub origin_ticks: i64,
}

/// No moment: nothing was summed yet.
const NO_ORIGIN: i64 = i64::MIN;

impl Default for LineSums {
    fn default() -> Self {
        Self { n: 0.0, t: 0.0, s: 0.0, tt: 0.0, ts: 0.0, origin_ticks: NO_ORIGIN }
    }
}

impl LineSums {
    pub fn add(&mut self, at: Stamp, kib: f64) {
        if self.origin_ticks == NO_ORIGIN {
            self.origin_ticks = at.ticks();
        }
        let origin = Stamp::from_ticks(self.origin_ticks).unwrap_or(at);
        let t = at.days_since(origin);
        self.n += 1.0;
        self.t += t;
        self.s += kib;
        self.tt += t * t;
        self.ts += t * kib;
    }
}

/// What is known of many readings without keeping them: the first, the largest, the count and the line.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SeriesSummary {
    pub count: u64,
    pub first: Sample,
    pub largest: Sample,
    pub exact: LineSums,
    pub weak: LineSums,
}

/// Readings that the packed form of `SeriesSummary` takes the room of, where one line holds all of them.
pub const PACKED_LINE: usize = 4;
/// The same with both lines.
pub const PACKED_LINES: usize = 8;

impl SeriesSummary {
    /// Packed where readings are kept, less than the first one, which is always kept itself. What follows `PACKED_LINE`
    /// says nothing new where there is one line.
    pub fn pack(&self) -> [Sample; PACKED_LINES] {
        let weak_only = self.weak.n > 0.0 && self.exact.n <= 0.0;
        let (one, other) =
            if weak_only { (&self.weak, &self.exact) } else { (&self.exact, &self.weak) };
        let two = |a: u64, b: f64| Sample { when: SampleTime(a), kib: b };
        let weak = if weak_only { WEAK } else { 0 };
        [
            self.largest,
            two(weak | self.count, f64::from_bits(one.origin_ticks.cast_unsigned())),
            two(one.t.to_bits(), one.s),
            two(one.tt.to_bits(), one.ts),
            two(other.t.to_bits(), other.s),
            two(other.tt.to_bits(), other.ts),
            two(one.n.to_bits(), other.n),
            Sample::NONE,
        ]
    }

    /// How many readings of the packed form are needed.
    pub fn packed_len(&self) -> usize {
        let count = real(self.count);
        if self.exact.n >= count || self.weak.n >= count { PACKED_LINE } else { PACKED_LINES }
    }

    pub fn unpack(packed: &[Sample]) -> Option<Self> {
        let (first, rest) = packed.split_first_chunk::<PACKED_LINE>()?;
        let [largest, counts, sums, squares] = *first;
        let bits = |s: Sample| f64::from_bits(s.when.0);
        let origin_ticks = counts.kib.to_bits().cast_signed();
        let line = |n, sums: Sample, squares: Sample| LineSums {
            n,
            t: bits(sums),
            s: sums.kib,
            tt: bits(squares),
            ts: squares.kib,
            origin_ticks,
        };
        let count = counts.when.order();
        let both = match rest {
            [more, more_squares, each, _] => {
                (line(bits(*each), sums, squares), line(each.kib, *more, *more_squares))
            }
            _ => (line(real(count), sums, squares), line(0.0, Sample::NONE, Sample::NONE)),
        };
        let is_exact = counts.when.trust() == Trust::Exact;
        let (exact, weak) = if is_exact { both } else { (both.1, both.0) };
        Some(Self { count, first: Sample::NONE, largest, exact, weak })
    }

    pub fn of(samples: &[Sample]) -> Self {
        let mut out = Self::default();
        for sample in samples {
            out.add(*sample);
        }
        out
    }

    pub fn add(&mut self, sample: Sample) {
        let dated = sample.when.order() > 0;
        if dated && (self.first.when.order() == 0 || sample.when.order() < self.first.when.order())
        {
            self.first = sample;
        }
        if self.count == 0 || sample.kib > self.largest.kib {
            self.largest = sample;
        }
        self.count += 1;
        if let Some(at) = sample.when.at()
            && sample.when.trust() != Trust::Assumed
        {
            self.line(sample).add(at, sample.kib);
        }
    }

    /// The line of a reading. Both lines count from the same moment, so that one number keeps it for both.
    fn line(&mut self, sample: Sample) -> &mut LineSums {
        let origin =
            [self.exact.origin_ticks, self.weak.origin_ticks].into_iter().find(|o| *o != NO_ORIGIN);
        let origin = origin.or(sample.when.at().map(Stamp::ticks)).unwrap_or(NO_ORIGIN);
        (self.exact.origin_ticks, self.weak.origin_ticks) = (origin, origin);
        match sample.when.trust() {
            Trust::Exact => &mut self.exact,
            Trust::Weak | Trust::Assumed => &mut self.weak,
        }
    }
}

/// Takes half of the older readings out of a full series so that those left lie evenly in time; the first and the newest
/// stay. `take` gets each one that goes. Returns how many are left.
pub fn thin(samples: &mut [Sample], mut take: impl FnMut(Sample)) -> usize {
    samples.sort_by_key(|s| s.when.order());
    let mut kept = samples.len();
    let older = kept.saturating_sub(NEWEST_KEPT);
    for _ in 0..older / 2 {
        // The reading whose neighbours are closest is missed least.
        let gap = |i: usize| {
            let time = |i: usize| samples.get(i).map_or(0, |s| s.when.order());
            time(i + 1) - time(i - 1)
        };
        let closest = (1..kept.saturating_sub(NEWEST_KEPT)).min_by_key(|i| gap(*i));
        let Some((at, closest)) = closest.and_then(|c| Some((c, *samples.get(c)?))) else {
            break;
        };
        take(closest);
        samples.copy_within(at + 1..kept, at);
        kept -= 1;
    }
    kept
}

/// The reading that counts as the size now: the newest dated one, where a guessed time counts as early as it may be; of
/// two at one moment the exact, then the larger; undated ones only where nothing is dated.
pub fn latest(samples: &[Sample]) -> Option<Sample> {
    samples.iter().copied().reduce(|best, s| if supersedes(s, best) { s } else { best })
}

fn supersedes(new: Sample, old: Sample) -> bool {
    if !new.when.same_moment(old.when) {
        return new.when.earliest() > old.when.earliest();
    }
    match (new.when.trust(), old.when.trust()) {
        (Trust::Exact, Trust::Weak | Trust::Assumed) => true,
        (Trust::Weak | Trust::Assumed, Trust::Exact) => false,
        // Of equal sizes the later tick, which is the one not cut to milliseconds: the same whatever came first.
        _ => (new.kib, new.when.order()) > (old.kib, old.when.order()),
    }
}

/// Of two readings for one moment the one to keep.
pub fn better(new: Sample, old: Sample) -> Sample {
    if supersedes(new, old) { new } else { old }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and sizes are kept, never computed"
)]
mod tests {
    use super::*;

    fn sample(seconds: i64, kib: f64, trust: Trust) -> Sample {
        Sample { when: SampleTime::new(Stamp::from_seconds(seconds), trust), kib }
    }

    #[test]
    fn time_and_trust_fit_one_word() {
        let at = Stamp::from_seconds(1_782_000_000).unwrap();
        for trust in [Trust::Exact, Trust::Weak, Trust::Assumed] {
            let when = SampleTime::new(Some(at), trust);
            assert_eq!((when.at(), when.trust()), (Some(at), trust));
            assert_eq!(SampleTime::new(None, trust).at(), None);
        }
    }

    #[test]
    fn one_record_cut_to_milliseconds_is_the_same_moment() {
        let at = |ticks| SampleTime::new(Stamp::from_ticks(ticks), Trust::Exact);
        assert!(at(17_820_000_004_187_442).same_moment(at(17_820_000_004_180_000)));
        assert!(!at(17_820_000_004_187_442).same_moment(at(17_820_000_004_190_000)));
        assert!(!at(-116_444_736_000_000_000).same_moment(SampleTime::new(None, Trust::Exact)));
    }

    #[test]
    fn the_newest_reading_counts_and_undated_ones_only_alone() {
        let undated = Sample { when: SampleTime::new(None, Trust::Exact), kib: 900.0 };
        let old = sample(100, 10.0, Trust::Exact);
        let new = sample(200, 5.0, Trust::Exact);
        assert_eq!(latest(&[undated, old, new]).unwrap().kib, 5.0);
        // A local time of an unknown zone may be up to 14 hours earlier than it is read.
        let guessed = |hours: i64| sample(200 + hours * 3600, 7.0, Trust::Weak);
        assert_eq!(latest(&[guessed(13), new]).unwrap().kib, 5.0);
        assert_eq!(latest(&[new, guessed(15)]).unwrap().kib, 7.0);
        assert_eq!(latest(&[undated]).unwrap().kib, 900.0);
        let exact = sample(200, 4.0, Trust::Exact);
        assert_eq!(latest(&[guessed(0), exact]).unwrap().kib, 4.0);
        assert_eq!(better(sample(1, 7.0, Trust::Exact), sample(1, 6.0, Trust::Exact)).kib, 7.0);
    }

    #[test]
    fn thinning_keeps_the_ends() {
        let mut samples: Vec<Sample> =
            (0..32).rev().map(|i| sample(i, 1.0, Trust::Exact)).collect();
        let mut gone = Vec::new();
        let kept = thin(&mut samples, |sample| gone.push(sample));
        assert_eq!((kept, gone.len()), (20, 12));
        assert!(gone.iter().all(|sample| !samples[..kept].contains(sample)));
        let seconds: Vec<i64> =
            samples[..kept].iter().map(|s| s.when.at().unwrap().seconds()).collect();
        assert_eq!(seconds[0], 0);
        assert_eq!(seconds[12..], [24, 25, 26, 27, 28, 29, 30, 31]);
    }

    #[test]
    fn a_long_series_is_thinned_evenly() {
        let mut held: Vec<Sample> = Vec::new();
        for i in 0..1000 {
            if held.len() == SAMPLES_PER_SERIES {
                let kept = thin(&mut held, |_| {});
                held.truncate(kept);
            }
            held.push(sample(i, 1.0, Trust::Exact));
        }
        let seconds: Vec<i64> = held.iter().map(|s| s.when.at().unwrap().seconds()).collect();
        assert_eq!((seconds.first(), seconds.last()), (Some(&0), Some(&999)));
        let older = &seconds[..seconds.len() - NEWEST_KEPT];
        let widest = older.windows(2).map(|w| w[1] - w[0]).max().unwrap();
        assert!(widest < 500, "{seconds:?}");
    }

    #[test]
    fn a_thinned_series_is_unpacked_as_it_was() {
        let trusts = [Trust::Exact, Trust::Weak];
        let at = |i: i32| {
            sample(i64::from(i) * 9_000 + 7, f64::from(i * i), trusts[usize::from(i % 3 == 0)])
        };
        let undated = Sample { when: SampleTime::new(None, Trust::Weak), kib: 3.5 };
        let of_trust = |trust| (0..40).map(at).filter(move |s| s.when.trust() == trust);
        let all = || (0..40).map(at);
        let assumed = |i: i64| sample(i * 9_000, 2.0, Trust::Assumed);
        for (samples, len) in [
            (Vec::new(), PACKED_LINE),
            (vec![undated], PACKED_LINES),
            (of_trust(Trust::Exact).collect(), PACKED_LINE),
            (of_trust(Trust::Weak).collect(), PACKED_LINE),
            (of_trust(Trust::Weak).chain([undated]).collect(), PACKED_LINES),
            (all().collect(), PACKED_LINES),
            (all().chain([undated]).collect(), PACKED_LINES),
            ((0..40).map(assumed).collect(), PACKED_LINES),
            (all().chain((0..9).map(assumed)).collect(), PACKED_LINES),
        ] {
            let mut thinned = SeriesSummary::of(&samples);
            let packed = thinned.pack();
            assert_eq!(thinned.packed_len(), len, "{samples:?}");
            thinned.first = Sample::NONE;
            assert_eq!(SeriesSummary::unpack(&packed[..len]), Some(thinned));
            assert_eq!(SeriesSummary::unpack(&packed), Some(thinned));
        }
        assert_eq!(SeriesSummary::unpack(&[]), None);
    }

    #[test]
    fn sums_cover_readings_that_are_no_longer_kept() {
        let samples: Vec<Sample> = (0..10_i32)
            .map(|i| sample(i64::from(i) * 86_400, f64::from(i) * 3.0, Trust::Exact))
            .collect();
        let thinned = SeriesSummary::of(&samples);
        let sums = thinned.exact;
        let slope = (sums.n * sums.ts - sums.t * sums.s) / (sums.n * sums.tt - sums.t * sums.t);
        assert!((slope - 3.0).abs() < 1e-9, "{slope}");
        assert_eq!((thinned.count, thinned.largest.kib), (10, 27.0));
    }
}
