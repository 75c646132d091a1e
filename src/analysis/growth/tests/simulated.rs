//! Series whose future is known: how often the stated interval holds the true date, and how wide it is.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and its figures are worth reading"
)]

use super::super::*;
use crate::analysis::forecast::Retention;
use crate::model::sample::{SAMPLES_PER_SERIES, SampleTime, thin};
use crate::model::units::{rare_text, ratio_text};

const GIB: f64 = 1_048_576.0;
const LIMIT: f64 = 20.0;
const SERIES: usize = 400;

/// What happens to a key.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Steady,
    /// Four times the rate from some day on.
    Faster,
    /// A quarter of it.
    Slower,
    /// A part of the documents is deleted at once.
    CleanUp,
    /// Little or nothing is written at weekends.
    Weekly,
    /// Readings are further off than they should be.
    Noisy,
    /// The rate doubles in a third of the time seen, and goes on doing so.
    Accelerated,
    /// Documents are deleted after some days, by the time to live of the container.
    Expiry,
}

/// How a size becomes a reading.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Read {
    /// Whole steps, as the service reports them.
    Steps,
    /// Anywhere within the band.
    Anywhere,
}

struct Dice(u64);

impl Dice {
    fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 32).unwrap()) / 2_f64.powi(32)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    fn one_of(&mut self, these: &[f64]) -> f64 {
        let at = these.iter().enumerate().skip(1).fold(0, |at, (n, _)| {
            if self.part() < 1.0 / f64::from(u32::try_from(n + 1).unwrap()) { n } else { at }
        });
        these[at]
    }
}

struct Series {
    kind: Kind,
    start: f64,
    rate: f64,
    /// The day on which something happens.
    turn: f64,
    dropped: f64,
    quiet: f64,
    span: f64,
}

impl Series {
    fn rate_now(&self) -> f64 {
        match self.kind {
            Kind::Faster => self.rate * 4.0,
            Kind::Slower => self.rate / 4.0,
            Kind::Accelerated => self.rate * 8.0,
            _ => self.rate,
        }
    }

    /// GiB on a day.
    fn size(&self, day: f64) -> f64 {
        let (before, after) = (day.min(self.turn), (day - self.turn).max(0.0));
        match self.kind {
            Kind::Steady | Kind::Noisy => self.start + self.rate * day,
            Kind::Faster | Kind::Slower => {
                self.start + self.rate * before + self.rate_now() * after
            }
            Kind::Accelerated => {
                let doubling = self.span / 3.0;
                let grown = ((day / doubling).exp2() - 1.0) * doubling / std::f64::consts::LN_2;
                self.start + self.rate * grown
            }
            Kind::Expiry => self.start + self.rate * day.min(self.turn),
            Kind::CleanUp if day < self.turn => self.start + self.rate * day,
            Kind::CleanUp => {
                (self.start + self.rate * before) * (1.0 - self.dropped) + self.rate * after
            }
            Kind::Weekly => {
                let busy = 7.0 / (7.0 - 2.0 * self.quiet);
                let done = |day: f64| {
                    let (weeks, of_week) = ((day / 7.0).floor(), day.rem_euclid(7.0));
                    let weekend = (of_week - 5.0).max(0.0) * (1.0 - self.quiet);
                    weeks * 7.0 + (of_week.min(5.0) + weekend) * busy
                };
                self.start + self.rate * (done(day + self.turn) - done(self.turn))
            }
        }
    }

    /// How long documents are kept: the first one that is deleted was written so long before.
    fn retention(&self) -> Option<Retention> {
        let days = self.start / self.rate + self.turn;
        (self.kind == Kind::Expiry).then_some(Retention { days, is_default: true })
    }

    /// Days from the newest reading until the limit.
    fn days_left(&self) -> f64 {
        if self.retention().is_some_and(|kept| self.rate * kept.days < LIMIT) {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (self.span, self.span + 30.0 + LIMIT * 2.0 / self.rate_now());
        for _ in 0..60 {
            let day = f64::midpoint(low, high);
            if self.size(day) < LIMIT {
                low = day;
            } else {
                high = day;
            }
        }
        high - self.span
    }
}

/// What became of a series: the true days left, the days stated, or why there are none.
struct Outcome {
    days_left: f64,
    limit_date: LimitDate,
    newest: Stamp,
}

impl Outcome {
    fn days(&self) -> Option<[f64; 3]> {
        let LimitDate::Date { at, earliest, latest } = self.limit_date else {
            return None;
        };
        let days = |at: Stamp| at.days_since(self.newest);
        Some([days(earliest), days(at), latest.map_or(f64::INFINITY, days)])
    }

    /// None where nothing is stated.
    fn holds(&self) -> Option<bool> {
        match (self.limit_date, self.days()) {
            (LimitDate::Never, _) => Some(self.days_left > 365.0),
            (_, Some([earliest, _, latest])) => {
                Some(earliest <= self.days_left && self.days_left <= latest)
            }
            _ => None,
        }
    }
}

fn drawn(dice: &mut Dice, kind: Kind) -> (Series, f64, f64) {
    loop {
        let band = dice.one_of(&[0.5, 0.5, 0.3, 0.1]);
        let cadence = dice.one_of(&[1.0, 1.0, 7.0, 0.25]);
        let count = match cadence {
            7.0 => dice.between(8.0, 40.0),
            1.0 => dice.between(20.0, 120.0),
            _ => dice.between(60.0, 400.0),
        };
        let span = cadence * count.floor();
        let series = Series {
            kind,
            start: dice.between(0.5, 12.0),
            rate: dice.between(0.01_f64.ln(), 0.6_f64.ln()).exp(),
            turn: dice.between(0.2, 0.85) * if kind == Kind::Expiry { 3.0 * span } else { span },
            dropped: dice.between(0.25, 0.8),
            quiet: dice.between(0.3, 1.0),
            span,
        };
        if (1.0..19.0).contains(&series.size(span))
            && (kind == Kind::Expiry || series.days_left() < 1500.0)
        {
            return (series, band, cadence);
        }
    }
}

fn outcome(dice: &mut Dice, series: &Series, band: f64, cadence: f64, read: Read) -> Outcome {
    let (mut kept, mut all): (Vec<Sample>, Vec<Sample>) = (Vec::new(), Vec::new());
    let origin = Stamp::from_seconds(1_780_279_823).unwrap();
    let mut newest = origin;
    let mut day = 0.0;
    while day <= series.span {
        let noise: f64 = (0..12).map(|_| dice.part() - 0.5).sum();
        let size = match series.kind {
            Kind::Noisy => series.size(day) + noise.clamp(-3.0, 3.0) * 0.5 * band,
            _ => series.size(day),
        };
        let size = match read {
            Read::Steps => (size / band).floor() * band,
            Read::Anywhere => size + dice.between(-band, band),
        };
        newest = origin.plus_seconds(day * 86_400.0).unwrap();
        let when = SampleTime::new(Some(newest), Trust::Exact);
        let sample = Sample { when, kib: size.max(0.0) * GIB };
        if kept.len() == SAMPLES_PER_SERIES {
            let left = thin(&mut kept, |_| {});
            kept.truncate(left);
        }
        kept.push(sample);
        all.push(sample);
        day += cadence;
    }
    let thinned = (all.len() > kept.len()).then(|| SeriesSummary::of(&all));
    let found = trend(&kept, thinned.as_ref(), Trust::Exact, band * GIB);
    let kib = kept.last().unwrap().kib;
    let stated = found.map_or(LimitDate::Unknown, |found| found.limit_date(kib, LIMIT * GIB));
    let growth = found.map(|found| found.growth);
    let (limit_date, _) =
        Retention::date(series.retention(), stated, kib, growth.as_ref(), LIMIT * GIB);
    Outcome { days_left: series.days_left(), limit_date, newest }
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(f64::INFINITY)
}

#[test]
fn the_true_date_lies_in_the_stated_interval() {
    // What holds and what is stated, of every series with readings of each sort.
    for (kind, least) in [
        (Kind::Steady, [0.93, 0.9]),
        (Kind::Faster, [0.93, 0.9]),
        (Kind::Slower, [0.93, 0.9]),
        (Kind::CleanUp, [0.93, 0.8]),
        (Kind::Weekly, [0.93, 0.9]),
        (Kind::Noisy, [0.93, 0.9]),
        (Kind::Accelerated, [0.85, 0.9]),
        (Kind::Expiry, [0.93, 0.7]),
    ] {
        for read in [Read::Steps, Read::Anywhere] {
            let mut dice = Dice(20_260_622);
            let outcomes: Vec<Outcome> = (0..SERIES)
                .map(|_| {
                    let (series, band, cadence) = drawn(&mut dice, kind);
                    outcome(&mut dice, &series, band, cadence, read)
                })
                .collect();
            let held: Vec<bool> = outcomes.iter().filter_map(Outcome::holds).collect();
            let share = |n: usize, of: usize| {
                f64::from(u32::try_from(n).unwrap()) / f64::from(u32::try_from(of).unwrap())
            };
            let holds = share(held.iter().filter(|held| **held).count(), held.len());
            let stated = share(held.len(), SERIES);
            let early = outcomes.iter().filter_map(|o| Some(1.0 - o.days()?[0] / o.days_left));
            let early = median(early.collect());
            println!(
                "{kind:?} {read:?}: holds {} of {stated}, earliest {} before",
                rare_text(holds),
                ratio_text(early)
            );
            assert!(holds >= least[0], "{kind:?} {read:?}: {holds}");
            assert!(stated >= least[1], "{kind:?} {read:?}: {stated}");
        }
    }
}

/// The median half width of the interval, as a part of the days left, of keys that are read once a day while they grow by
/// half of the limit or more.
fn half_width(band: f64) -> f64 {
    let mut dice = Dice(7);
    let mut widths = Vec::new();
    while widths.len() < SERIES {
        let series = Series {
            kind: Kind::Steady,
            start: dice.between(0.5, 4.0),
            rate: dice.between(0.1, 0.3),
            turn: 0.0,
            dropped: 0.0,
            quiet: 0.0,
            span: dice.between(45.0, 120.0).floor(),
        };
        let size = series.size(series.span);
        if size - series.start < LIMIT / 2.0 || size > 17.0 {
            continue;
        }
        let found = outcome(&mut dice, &series, band, 1.0, Read::Steps);
        let [earliest, _, latest] = found.days().unwrap();
        assert!(found.holds().unwrap());
        widths.push((latest - earliest) / 2.0 / found.days_left);
    }
    median(widths)
}

#[test]
fn steady_growth_keeps_a_narrow_interval() {
    // Of a partition of 30 GB; of one of 50 GB, and where its size is unknown.
    for (band, most) in [(0.3, 0.10), (0.5, 0.16)] {
        let width = half_width(band);
        println!("off by {band} GiB: half width {}", rare_text(width));
        assert!(width <= most, "{band}: {width}");
    }
}
