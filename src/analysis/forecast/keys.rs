//! Which keys come to their limit when: what the readings of each tell is looked up once, then asked as often as needed.

use std::cmp::Ordering;

use crate::analysis::columns::{KEYS_PER_ASKING, Lookups};
use crate::analysis::growth::{Growth, LimitDate, limit_date};
use crate::model::capture::Capture;
use crate::model::logical::KeyId;
use crate::model::time::Stamp;

use super::partitions::{PartitionGrowth, SizedKey};
use super::retention::Retention;
use super::{ForecastQuestion, LimitKind, LimitSubject, NextLimit, Scope, rank};

/// Keys that are held beyond those wanted before the later ones go.
const SPARE_KEYS: usize = 1_024;

/// What the readings of a key say, whatever is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyReading {
    Over,
    Unknown,
    /// It is of a day or a month that is past.
    Ended,
    Grows,
}

/// A key that may come to its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyTrend {
    pub id: KeyId,
    pub container: u32,
    kib: f64,
    growth: Option<Growth>,
    said: KeyReading,
    period_end: Option<Stamp>,
}

/// What there is to say of all keys together, by the number of the container.
#[derive(Debug, Default)]
pub(super) struct KeySums {
    pub growth: PartitionGrowth,
    /// Keys without a date, and calm ones.
    of: Vec<[u64; 2]>,
}

impl KeySums {
    pub fn of_none(capture: &Capture) -> Self {
        Self { growth: PartitionGrowth::default(), of: vec![[0; 2]; capture.containers.len()] }
    }

    /// One of `parts` even shares of the keys; those that may come to a limit are handed on. None when `keep_going` said no.
    pub fn walk(
        &mut self,
        capture: &Capture,
        lookups: &Lookups,
        (part, parts): (usize, usize),
        keep_going: &dyn Fn() -> bool,
        take: &mut dyn FnMut(KeyTrend),
    ) -> Option<()> {
        for (n, id) in capture.sizes.ids_of_part(part, parts).enumerate() {
            if n.is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                return None;
            }
            if let Some(trend) = self.trend(capture, lookups, id) {
                take(trend);
            }
        }
        Some(())
    }

    fn trend(&mut self, capture: &Capture, lookups: &Lookups, id: KeyId) -> Option<KeyTrend> {
        let view = capture.sizes.view(id)?;
        let container = view.container();
        let (place, outlook) = lookups.outlook(capture, &view)?;
        let [undated, calm] = self.of.get_mut(container as usize)?;
        let kib = outlook.now.latest.kib;
        // A full key gains no more; one whose newest size is the largest may have a higher limit.
        let is_full = outlook.full_since.is_some_and(|since| Some(since) < outlook.now.newest.at());
        let growth = outlook.growth.filter(|_| !is_full);
        if let Some((owner, _)) = place.owner {
            let key = SizedKey { kib, growth: outlook.gained, is_full };
            self.growth.weigh((container, owner), (key, id), capture);
            let gained = key.growth.map(|gained| gained.times(if is_full { 0.0 } else { 1.0 }));
            self.growth.add((container, owner), kib, gained.as_ref());
        }
        let grows = growth.is_some_and(|g| g.kib_per_day > 0.0);
        let said = match (outlook.limit_date, outlook.period_end) {
            (LimitDate::Over, _) => KeyReading::Over,
            (LimitDate::Unknown, _) if growth.is_none() => {
                *undated += 1;
                return None;
            }
            (LimitDate::Unknown, _) => KeyReading::Unknown,
            _ if !grows => {
                *calm += 1;
                return None;
            }
            (_, Some(end)) if growth.is_some_and(|g| end <= g.newest_at) => KeyReading::Ended,
            _ => KeyReading::Grows,
        };
        Some(KeyTrend { id, container, kib, growth, said, period_end: outlook.period_end })
    }

    pub fn merge(&mut self, other: Self, capture: &Capture) {
        self.growth.merge(other.growth, capture);
        for (sums, more) in self.of.iter_mut().zip(other.of) {
            sums[0] += more[0];
            sums[1] += more[1];
        }
    }

    /// How many keys of some containers have no date, and how many never need one.
    pub fn totals(&self, has: impl Fn(u32) -> bool) -> (u64, u64) {
        let of = (0_u32..).zip(&self.of).filter(|(number, _)| has(*number));
        of.fold((0, 0), |(undated, calm), (_, sums)| (undated + sums[0], calm + sums[1]))
    }
}

impl KeyTrend {
    /// When it reaches the limit at the growth asked for, and where it stays if documents are deleted before.
    fn date(
        &self,
        asked: &ForecastQuestion,
        retention: Option<Retention>,
    ) -> (LimitDate, Option<f64>) {
        let growth = self.growth.map(|g| g.times(asked.growth_factor));
        let date = match self.said {
            KeyReading::Over => LimitDate::Over,
            KeyReading::Unknown => LimitDate::Unknown,
            KeyReading::Ended => LimitDate::Never,
            KeyReading::Grows => {
                let date = limit_date(self.kib, growth.as_ref(), asked.ceiling.kib());
                match (date.date(), self.period_end) {
                    (Some(at), Some(end)) if end < at => LimitDate::Never,
                    _ => date,
                }
            }
        };
        Retention::date(retention, date, self.kib, growth.as_ref(), asked.ceiling.kib())
    }
}

/// A key with a date, before its texts are looked up.
#[derive(Clone, Copy)]
struct DatedKey {
    id: KeyId,
    kib: f64,
    growth: Option<Growth>,
    date: LimitDate,
    levels_off_kib: Option<f64>,
}

impl DatedKey {
    /// As limits are ordered: all keys have the same one.
    fn order(&self, other: &Self, scope: &Scope<'_>) -> Ordering {
        rank(&self.date, scope.as_of)
            .cmp(&rank(&other.date, scope.as_of))
            .then(other.kib.total_cmp(&self.kib))
            .then_with(|| scope.capture.sizes.text_order(self.id, other.id))
    }
}

/// The first keys, which of them is next, and how many others there are.
pub(super) struct KeyPicks<'a> {
    scope: &'a Scope<'a>,
    /// By the number of the container.
    retentions: Vec<Option<Retention>>,
    keys: Vec<DatedKey>,
    next: Option<DatedKey>,
    pub left_out: u64,
    pub reached: u64,
    pub undated: u64,
    pub calm: u64,
}

impl<'a> KeyPicks<'a> {
    pub fn new(scope: &'a Scope<'a>) -> Self {
        let retention = |c| Retention::of(c, scope.asked.kept_days);
        Self {
            scope,
            retentions: scope.capture.containers.iter().map(retention).collect(),
            keys: Vec::new(),
            next: None,
            left_out: 0,
            reached: 0,
            undated: 0,
            calm: 0,
        }
    }

    pub fn add(&mut self, trend: &KeyTrend) {
        let retention = self.retentions.get(trend.container as usize);
        let (date, levels_off_kib) = trend.date(self.scope.asked, retention.copied().flatten());
        match date {
            LimitDate::Unknown => self.undated += 1,
            LimitDate::Never if levels_off_kib.is_none() => self.calm += 1,
            _ => {
                let key = DatedKey {
                    id: trend.id,
                    kib: trend.kib,
                    growth: trend.growth.map(|g| g.times(self.scope.asked.growth_factor)),
                    date,
                    levels_off_kib,
                };
                self.reached += u64::from(date == LimitDate::Over);
                if date.date().is_some() {
                    self.offer_next(key);
                }
                self.keys.push(key);
            }
        }
        let most = self.scope.asked.top.map(|top| top.saturating_mul(2) + SPARE_KEYS);
        if most.is_some_and(|most| self.keys.len() > most) {
            self.shorten();
        }
    }

    fn offer_next(&mut self, key: DatedKey) {
        let is_next = |held: &DatedKey| key.order(held, self.scope).is_lt();
        if self.next.as_ref().is_none_or(is_next) {
            self.next = Some(key);
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.left_out += other.left_out;
        self.reached += other.reached;
        self.undated += other.undated;
        self.calm += other.calm;
        if let Some(next) = other.next {
            self.offer_next(next);
        }
    }

    /// Leaves the first ones.
    fn shorten(&mut self) {
        let top = self.scope.asked.top.unwrap_or(usize::MAX);
        if top < self.keys.len() {
            self.keys.select_nth_unstable_by(top, |a, b| a.order(b, self.scope));
            self.left_out += (self.keys.len() - top) as u64;
            self.keys.truncate(top);
        }
    }

    /// The limits that are listed, and the next one.
    pub fn limits(&mut self) -> (Vec<NextLimit>, Option<NextLimit>) {
        self.shorten();
        let limits = self.keys.iter().filter_map(|key| self.limit(key));
        let next = self.next.as_ref().and_then(|key| self.limit(key));
        (limits.collect(), next)
    }

    fn limit(&self, key: &DatedKey) -> Option<NextLimit> {
        let Scope { capture, asked, .. } = self.scope;
        let view = capture.sizes.view(key.id)?;
        let (number, subject) = (view.container(), view.json_text().map(Into::into));
        let (name, most) = (&capture.container(number)?.name, asked.ceiling.kib());
        let (subject, kind) = (LimitSubject::Key(subject), LimitKind::KeySize);
        Some(NextLimit {
            key_id: Some(key.id),
            growth: key.growth,
            date: key.date,
            levels_off_kib: key.levels_off_kib,
            ..NextLimit::new(number, name, subject, kind, key.kib, most)
        })
    }
}
