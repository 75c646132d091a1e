//! How one file writes its times and numbers, decided from all its rows before any is used.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::columns::text;
use super::numbers::{self, NumberForm, ReadNumber};
use super::times::{self, DateOrder, TimeText};
use crate::model::sample::Trust;
use crate::model::time::{Civil, Stamp};

/// The zone of a file's local times.
#[derive(Clone, PartialEq, Debug)]
pub enum Zone {
    Utc,
    /// Local, zone unknown: read as UTC, marked as a guess.
    Guess,
    Named(TimeZone),
}

/// Why an order was taken that nothing else shows.
pub const BY_FORM: &str = "assumed by their form, no growth from them";

/// First and last time of dates that read both ways, in one of the two readings.
type Reach = Option<[Stamp; 2]>;

/// Milliseconds that records of undecided files may have, and whether a record of another file has them.
pub type Moments = BTreeMap<i64, AtomicBool>;

/// What a file's rows decide together.
#[derive(Clone, Debug)]
pub struct Dialect {
    pub zone: Zone,
    /// None = no row reads both ways; one that does all the same is read by its own form.
    pub order: Option<DateOrder>,
    /// Where rows read both ways and none decides, their times: day first, and month first.
    pub ambiguous: Option<[Reach; 2]>,
    /// By what their order was guessed, and how far such times are to be trusted.
    pub guess: Option<(&'static str, Trust)>,
    /// Moments that decide the order of other files of the import, where a record of this one has them.
    moments: Arc<Moments>,
    pub form: NumberForm,
    /// Whether `form` is more than the default.
    pub form_decided: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            zone: Zone::Utc,
            order: None,
            ambiguous: None,
            guess: None,
            moments: Arc::default(),
            form: NumberForm::Point,
            form_decided: true,
        }
    }
}

/// A cell's time after zone and order were applied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CellTime {
    At(Stamp, Trust),
    /// The cell was empty or missing.
    Missing,
    /// The cell holds something that is no time, or a moment that does not exist.
    Unreadable,
}

impl Dialect {
    pub fn when(&self, cell: Option<&[u8]>) -> CellTime {
        let Some(cell) = cell.filter(|c| !c.is_empty()) else {
            return CellTime::Missing;
        };
        let stamp = match times::read(cell) {
            None => None,
            // An ISO time without a zone is UTC by the label of every table that writes it, unless the label says local.
            Some(TimeText::Utc(stamp)) if self.zone == Zone::Utc || times::has_zone(cell) => {
                Some((stamp, Trust::Exact))
            }
            Some(TimeText::Utc(stamp)) => self.zoned(stamp.civil()),
            Some(TimeText::Local(local)) => {
                let same = local.reads_alike().then_some(DateOrder::DayFirst);
                let (order, doubt) = match (local.order.or(same), self.order) {
                    (Some(order), _) => (order, None),
                    (None, Some(order)) => (order, self.guess.map(|(_, trust)| trust)),
                    (None, None) => (times::assumed_order(text(cell)), Some(Trust::Assumed)),
                };
                let zoned = self.zoned(local.civil(order));
                zoned.map(|(stamp, trust)| (stamp, doubt.unwrap_or(trust)))
            }
        };
        if !self.moments.is_empty()
            && let Some((stamp, Trust::Exact)) = stamp
            && let Some(is_met) = self.moments.get(&stamp.millis())
        {
            is_met.store(true, Ordering::Relaxed);
        }
        stamp.map_or(CellTime::Unreadable, |(stamp, trust)| CellTime::At(stamp, trust))
    }

    fn zoned(&self, civil: Civil) -> Option<(Stamp, Trust)> {
        let naive = Stamp::from_civil(civil)?;
        let zone = match &self.zone {
            Zone::Utc => return Some((naive, Trust::Exact)),
            Zone::Guess => return Some((naive, Trust::Weak)),
            Zone::Named(zone) => zone,
        };
        let small = |n: u8| i8::try_from(n).ok();
        let nanos = i32::try_from(civil.ticks).ok()? * 100;
        let year = i16::try_from(civil.year).ok()?;
        let (month, day) = (small(civil.month)?, small(civil.day)?);
        let (hour, minute, second) =
            (small(civil.hour)?, small(civil.minute)?, small(civil.second.min(59))?);
        let local = DateTime::new(year, month, day, hour, minute, second, nanos).ok()?;
        // An hour that a change of clocks repeats or skips: the first reading, and a guess.
        let at = zone.to_ambiguous_timestamp(local);
        let trust = if at.is_ambiguous() { Trust::Weak } else { Trust::Exact };
        let at = at.compatible().ok()?;
        let ticks = at
            .as_second()
            .checked_mul(10_000_000)?
            .checked_add(i64::from(at.subsec_nanosecond()) / 100)?;
        Some((Stamp::from_ticks(ticks)?, trust))
    }

    /// The order of reading: sure times come first, and what needs them to decide its date order comes last.
    pub fn doubt(&self) -> [bool; 2] {
        let is_open = self.ambiguous.is_some();
        [self.zone == Zone::Guess || is_open, is_open]
    }

    /// Day or month first, where the rows do not show it: as given, else the only reading that was possible when the file
    /// was written.
    pub fn settle_order(&mut self, given: Option<DateOrder>, written: Option<Stamp>) {
        let is_open = self.ambiguous.is_some() || self.order.is_none();
        if given.is_some() && is_open {
            (self.order, self.guess, self.ambiguous) = (given, None, None);
        }
        // Times of the file may be local ones of a zone ahead.
        if let Some(last) = written.and_then(|at| at.plus_seconds(86_400.0)) {
            let why = "the other reading lies after the file was written";
            self.take_only(why, |_, [_, newest]| newest <= last);
        }
    }

    /// The only reading in which another file has records of this one. Records read from here on are compared, too.
    pub fn settle_by(&mut self, moments: &Arc<Moments>) {
        let is_met = |at: i64| moments.get(&at).is_some_and(|met| met.load(Ordering::Relaxed));
        self.take_only("as the same records in another file show", |dialect, reach| {
            dialect.moments_in(reach).any(is_met)
        });
        self.moments = Arc::clone(moments);
    }

    /// Takes the reading that fits, if the other one does not.
    fn take_only(&mut self, why: &'static str, fits: impl Fn(&Self, [Stamp; 2]) -> bool) {
        let Some(both) = self.ambiguous else { return };
        let order = match both.map(|reach| reach.is_some_and(|reach| fits(self, reach))) {
            [true, false] => DateOrder::DayFirst,
            [false, true] => DateOrder::MonthFirst,
            _ => return,
        };
        (self.order, self.guess) = (Some(order), Some((why, Trust::Weak)));
    }

    /// The moments that would decide, if a record of another file has one.
    pub fn moments(&self) -> impl Iterator<Item = (i64, AtomicBool)> + '_ {
        let both = self.ambiguous.into_iter().flatten().flatten();
        both.flat_map(|reach| self.moments_in(reach)).map(|at| (at, AtomicBool::new(false)))
    }

    /// Whole seconds, which many records have, show nothing.
    fn moments_in(&self, reach: [Stamp; 2]) -> impl Iterator<Item = i64> + '_ {
        let zoned = reach.into_iter().filter_map(|at| self.zoned(at.civil()));
        zoned.map(|(at, _)| at.millis()).filter(|at| at % 1_000 != 0)
    }

    pub fn amount(&self, cell: &[u8]) -> Option<(f64, Trust)> {
        let ReadNumber { value, rounded } = numbers::amount(cell, self.form)?;
        let undecided = !self.form_decided && numbers::is_ambiguous(text(cell));
        let trust = if rounded || undecided { Trust::Weak } else { Trust::Exact };
        Some((value, trust))
    }
}

/// Gathers what rows say about a file's dialect.
#[derive(Clone, Debug, Default)]
pub struct DialectEvidence {
    /// Times that read both ways: day first, and month first.
    reach: [Reach; 2],
    /// A time has a form that the portal in English of the United States does not write.
    is_not_us: bool,
    orders: Votes<DateOrder>,
    forms: Votes<NumberForm>,
}

/// What cells say of one of two readings.
#[derive(Clone, Debug)]
struct Votes<T> {
    first: Option<T>,
    contradicted: bool,
    /// A cell that reads both ways.
    ambiguous: bool,
}

impl<T> Default for Votes<T> {
    fn default() -> Self {
        Self { first: None, contradicted: false, ambiguous: false }
    }
}

impl<T: Copy + PartialEq> Votes<T> {
    fn vote(&mut self, reading: T) {
        self.contradicted |= *self.first.get_or_insert(reading) != reading;
    }

    /// Whether reading on could still change the answer.
    fn is_open(&self) -> bool {
        self.ambiguous && self.first.is_none()
    }

    /// Rows that contradict each other decide nothing.
    fn decided(&self) -> Option<T> {
        self.first.filter(|_| !self.contradicted)
    }
}

impl DialectEvidence {
    pub fn time(&mut self, cell: &str) {
        let Some(TimeText::Local(local)) = times::read(cell.as_bytes()) else {
            return;
        };
        self.is_not_us |= times::assumed_order(cell) == DateOrder::DayFirst;
        match local.order {
            Some(order) => self.orders.vote(order),
            None if local.reads_alike() => {}
            None => {
                self.orders.ambiguous = true;
                let orders = [DateOrder::DayFirst, DateOrder::MonthFirst];
                for (reach, order) in self.reach.iter_mut().zip(orders) {
                    if let Some(at) = Stamp::from_civil(local.civil(order)) {
                        let [first, last] = reach.get_or_insert([at; 2]);
                        (*first, *last) = (at.min(*first), at.max(*last));
                    }
                }
            }
        }
    }

    pub fn number(&mut self, cell: &str) {
        match numbers::evidence(cell) {
            Some(form) => self.forms.vote(form),
            None => self.forms.ambiguous |= numbers::is_ambiguous(cell),
        }
    }

    /// Whether reading on could still change the answer.
    pub fn is_open(&self) -> bool {
        self.orders.is_open() || self.forms.is_open()
    }

    /// The dialect, with a default number form where the rows do not tell.
    pub fn decide(&self, zone: Zone, default_form: NumberForm) -> Dialect {
        let form = self.forms.decided();
        let order = self.orders.decided();
        let is_open = order.is_none() && self.orders.ambiguous;
        let assumed = if self.is_not_us { DateOrder::DayFirst } else { DateOrder::MonthFirst };
        Dialect {
            zone,
            order: order.or(is_open.then_some(assumed)),
            ambiguous: is_open.then_some(self.reach),
            guess: is_open.then_some((BY_FORM, Trust::Assumed)),
            moments: Arc::default(),
            form: form.unwrap_or(default_form),
            form_decided: form.is_some() || !self.forms.ambiguous,
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn at(when: CellTime) -> (String, Trust) {
        match when {
            CellTime::At(stamp, trust) => (stamp.rfc3339(), trust),
            other => (format!("{other:?}"), Trust::Weak),
        }
    }

    #[test]
    fn a_zone_is_named_guessed_or_utc() {
        let cell = Some("22/06/2026, 03:10:41.418");
        let mut dialect = Dialect { zone: Zone::Guess, ..Dialect::default() };
        assert_eq!(
            at(dialect.when(cell.map(str::as_bytes))),
            ("2026-06-22T03:10:41.418Z".into(), Trust::Weak)
        );
        dialect.zone = Zone::Named(TimeZone::get("Europe/London").unwrap());
        assert_eq!(
            at(dialect.when(cell.map(str::as_bytes))),
            ("2026-06-22T02:10:41.418Z".into(), Trust::Exact)
        );
        for (cell, wanted) in [
            ("2026-06-22T02:10:41Z", "2026-06-22T02:10:41Z"),
            ("2026-06-22T03:10:41+01:00", "2026-06-22T02:10:41Z"),
            ("2026-06-21 21:10:41.5-0500 ", "2026-06-22T02:10:41.5Z"),
            ("2026-06-22T03:10:41", "2026-06-22T02:10:41Z"),
        ] {
            assert_eq!(
                at(dialect.when(Some(cell.as_bytes()))),
                (wanted.into(), Trust::Exact),
                "{cell}"
            );
        }
        // The hour that the end of summer time repeats, and the one that its beginning skips.
        for (cell, wanted) in [
            ("25/10/2026, 01:30:00.418", "2026-10-25T00:30:00.418Z"),
            ("29/03/2026, 01:30:00.418", "2026-03-29T01:30:00.418Z"),
        ] {
            assert_eq!(
                at(dialect.when(Some(cell.as_bytes()))),
                (wanted.into(), Trust::Weak),
                "{cell}"
            );
        }
    }

    #[test]
    fn an_order_is_given_or_guessed_by_what_is_known_beyond_the_rows() {
        let (day, month) = ("2026-11-03T00:00:00Z", "2026-03-11T00:00:00Z");
        let same = "2026-03-11T02:10:23.4187442Z";
        let other = "2026-11-03T02:10:23.418Z";
        for (given, written, records, expected, trust) in [
            (None, "", &[][..], day, Trust::Assumed),
            (None, "2027-06-22", &[], day, Trust::Assumed),
            (None, "2026-06-22", &[], month, Trust::Weak),
            (None, "2027-06-22", &[same], month, Trust::Weak),
            (None, "2026-06-22", &[other], day, Trust::Weak),
            (None, "", &[same, other], day, Trust::Assumed),
            (Some(DateOrder::MonthFirst), "2027-06-22", &[other], month, Trust::Exact),
        ] {
            let mut evidence = DialectEvidence::default();
            evidence.time("03/11/2026, 02:10:23.418");
            evidence.time("05/05/2026");
            let mut dialect = evidence.decide(Zone::Utc, NumberForm::Point);
            dialect.settle_order(given, times::iso(written.as_bytes()));
            let moments = Arc::new(dialect.moments().collect());
            let mut sure = Dialect::default();
            sure.settle_by(&moments);
            for record in records {
                sure.when(Some(record.as_bytes()));
            }
            dialect.settle_by(&moments);
            let found = at(dialect.when(Some(b"03/11/2026")));
            assert_eq!(found, (expected.into(), trust), "{given:?} {written} {records:?}");
            assert_eq!(dialect.doubt(), [given.is_none(); 2]);
        }
    }

    #[test]
    fn dates_that_read_both_ways_are_assumed_by_the_form_of_all_until_a_row_decides() {
        for (cells, expected, trust) in [
            (&["3/4/2026, 2:10:23.418 AM"][..], "2026-03-04T00:00:00Z", Trust::Assumed),
            (&["3/4/2026, 2:10 AM", "05/05/2026, 2:10 AM"], "2026-04-03T00:00:00Z", Trust::Assumed),
            (&["03/04/2026, 02:10:23.418"], "2026-04-03T00:00:00Z", Trust::Assumed),
            (&["03/04/2026, 02:10", "03/22/2026, 02:10"], "2026-03-04T00:00:00Z", Trust::Exact),
        ] {
            let mut evidence = DialectEvidence::default();
            for cell in cells {
                evidence.time(cell);
            }
            assert_eq!(evidence.is_open(), trust == Trust::Assumed, "{cells:?}");
            let dialect = evidence.decide(Zone::Utc, NumberForm::Point);
            let found = at(dialect.when(Some(b"3/4/2026")));
            assert_eq!(found, (expected.into(), trust), "{cells:?}");
        }
        // A file that was not looked through, such as JSON, has no order of its own.
        let found = at(Dialect::default().when(Some(b"3/4/2026, 2:10:23.418 AM")));
        assert_eq!(found, ("2026-03-04T02:10:23.418Z".into(), Trust::Assumed));
    }

    #[test]
    fn the_number_form_comes_from_the_file() {
        let mut evidence = DialectEvidence::default();
        evidence.number("22.650");
        assert!(evidence.is_open());
        let open = evidence.decide(Zone::Utc, NumberForm::Point);
        assert_eq!(open.amount(b"22.650"), Some((22.65, Trust::Weak)));
        evidence.number("22.650.880");
        assert_eq!(
            evidence.decide(Zone::Utc, NumberForm::Point).amount(b"22.650"),
            Some((22_650.0, Trust::Exact))
        );
    }
}
