//! How one file writes its times and numbers, decided from all its rows before any is used.

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

/// What a file's rows decide together.
#[derive(Clone, PartialEq, Debug)]
pub struct Dialect {
    pub zone: Zone,
    /// None = nothing rules one reading out; such times are not used.
    pub order: Option<DateOrder>,
    /// Where rows read both ways and none tells, the newest of their times: day first, and month first.
    pub ambiguous: Option<[Option<Stamp>; 2]>,
    /// By what their order was guessed.
    pub guess: Option<&'static str>,
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
    /// Day or month first: nothing in the file tells.
    Undecided,
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
                let is_guess = self.guess.is_some() && local.order.or(same).is_none();
                let Some(order) = local.order.or(self.order).or(same) else {
                    return CellTime::Undecided;
                };
                let zoned = self.zoned(local.civil(order));
                zoned.map(|(stamp, trust)| (stamp, if is_guess { Trust::Weak } else { trust }))
            }
        };
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

    /// Whether its times may be wrong: what else is known of the same records comes first.
    pub fn is_unsure(&self) -> bool {
        self.zone == Zone::Guess || self.ambiguous.is_some()
    }

    /// Day or month first, where the rows do not tell: as given, else the reading that was possible when the file was
    /// written, else that of its neighbours.
    pub fn settle_order(
        &mut self,
        given: Option<DateOrder>,
        written: Option<Stamp>,
        neighbours: Option<DateOrder>,
    ) {
        let Some(newest) = self.ambiguous else { return };
        if given.is_some() {
            (self.order, self.ambiguous) = (given, None);
            return;
        }
        // Times of the file may be local ones of a zone ahead.
        let last = written.and_then(|at| at.plus_seconds(86_400.0));
        let was = |at: Option<Stamp>| at.is_some_and(|at| last.is_none_or(|last| at <= last));
        let possible = match newest.map(was) {
            [true, false] => Some(DateOrder::DayFirst),
            [false, true] => Some(DateOrder::MonthFirst),
            _ => None,
        };
        let guess = match possible {
            Some(_) => "the other reading lies after the file was written",
            None => "as in the other files of the folder",
        };
        self.order = possible.or(neighbours);
        self.guess = self.order.map(|_| guess);
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
    /// Of times that read both ways the newest: day first, and month first.
    newest: [Option<Stamp>; 2],
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
        match local.order {
            Some(order) => self.orders.vote(order),
            None if local.reads_alike() => {}
            None => {
                self.orders.ambiguous = true;
                let orders = [DateOrder::DayFirst, DateOrder::MonthFirst];
                for (newest, order) in self.newest.iter_mut().zip(orders) {
                    *newest = (*newest).max(Stamp::from_civil(local.civil(order)));
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
        Dialect {
            zone,
            order,
            ambiguous: (order.is_none() && self.orders.ambiguous).then_some(self.newest),
            guess: None,
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
    fn an_order_is_given_or_guessed_by_what_is_known_beside_the_rows() {
        let dialect = |given, written: &str, neighbours| {
            let mut evidence = DialectEvidence::default();
            evidence.time("03/11/2026, 02:10:23.418");
            evidence.time("05/05/2026");
            let mut dialect = evidence.decide(Zone::Utc, NumberForm::Point);
            dialect.settle_order(given, times::iso(written.as_bytes()), neighbours);
            dialect
        };
        let (day, month) = (Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst));
        let of = |dialect: &Dialect| at(dialect.when(Some(b"03/11/2026")));
        let guessed = dialect(None, "2026-06-22", None);
        assert_eq!(of(&guessed), ("2026-03-11T00:00:00Z".into(), Trust::Weak));
        assert!(guessed.is_unsure());
        let guessed = dialect(None, "2027-06-22", day);
        assert_eq!(of(&guessed), ("2026-11-03T00:00:00Z".into(), Trust::Weak));
        let given = dialect(month, "2027-06-22", day);
        assert_eq!(of(&given), ("2026-03-11T00:00:00Z".into(), Trust::Exact));
        assert!(!given.is_unsure());
        let open = dialect(None, "", None);
        assert_eq!(open.when(Some(b"03/11/2026")), CellTime::Undecided);
    }

    #[test]
    fn dates_that_read_both_ways_stay_undecided_until_a_row_tells() {
        let mut evidence = DialectEvidence::default();
        evidence.time("03/04/2026, 02:10:23.418");
        assert!(evidence.is_open());
        assert_eq!(
            evidence.decide(Zone::Utc, NumberForm::Point).when(Some(b"03/04/2026")),
            CellTime::Undecided
        );
        evidence.time("03/22/2026, 02:10:23.418");
        assert!(!evidence.is_open());
        let dialect = evidence.decide(Zone::Utc, NumberForm::Point);
        assert_eq!(at(dialect.when(Some(b"03/04/2026"))).0, "2026-03-04T00:00:00Z");
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
