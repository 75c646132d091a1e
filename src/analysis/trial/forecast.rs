//! How large keys become: what is written to each in a day, until its period ends or its documents are deleted, and the day
//! on which one meets the limit. The date follows the rules by which reports count it.

use crate::model::key::Key;
use crate::model::time::Stamp;

use super::super::candidate::{Candidate, LevelPart};
use super::super::ceiling::MARK_FULL;
use super::super::demand::buy::Shortfall;
use super::super::growth::{Growth, LimitDate, limit_date};
use super::super::rows::KeyRow;
use super::clock::{Clock, KeyTurn, SHORTEST_DAYS, Window, days_between, recent, windows};
use super::estimates::share;
use super::fold::Groups;
use super::settings::Settings;
use super::sizes::Sizes;
use super::tally::Tally;
use super::today::Today;
use super::{PreparedDocuments, Trial, Trials};
use crate::model::units::{count_text, real};

/// Of fewer documents a key's rate is mostly chance: then more time is looked at.
pub(super) const ENOUGH: u64 = 30;
/// A size of the container that is expected and one that is measured are the same within this part.
pub(super) const SAME_SIZE: f64 = 0.05;

/// How the largest key goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyForecast {
    pub limit_date: LimitDate,
    pub because: ForecastReason,
    /// The key that gets there first.
    pub key: Option<Key>,
    /// What is written to it in a day, and where that lies with 95 %.
    pub bytes_per_day: Option<[f64; 3]>,
    /// What is written to all keys in a day.
    pub all_bytes_per_day: Option<f64>,
    /// Of some keys alone, where that of all is not known.
    pub logged: Option<LoggedGrowth>,
    /// What the times of the documents tell instead, where it is twice or half of that.
    pub of_documents_per_day: Option<f64>,
    pub rate: Rate,
    /// For how long each key gets documents.
    pub turn: Option<KeyTurn>,
    /// The size at which a key stops growing.
    pub most_bytes: Option<f64>,
    /// The day for which the sizes hold.
    pub as_of: Option<Stamp>,
}

impl KeyForecast {
    /// Nothing but what is given; `newest` is when sizes were last seen.
    pub(super) fn unknown(
        because: ForecastReason,
        settings: &Settings,
        newest: Option<Stamp>,
    ) -> Self {
        let given = settings.growth_bytes_per_day;
        Self {
            limit_date: LimitDate::Unknown,
            because,
            key: None,
            bytes_per_day: None,
            all_bytes_per_day: given,
            logged: None,
            of_documents_per_day: None,
            rate: given.map_or(Rate::Unknown, |_| Rate::Given),
            turn: None,
            most_bytes: None,
            as_of: settings.as_of.or(newest),
        }
    }
}

/// Growth of the logged keys whose sizes grew.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoggedGrowth {
    pub bytes_per_day: f64,
    pub keys: u64,
    /// Logged keys in all.
    pub of: u64,
}

impl LoggedGrowth {
    /// `/day in 3 of 15 logged keys`, behind the size.
    pub fn of_keys(&self) -> String {
        let [keys, of] = [self.keys, self.of].map(count_text);
        format!("/day in {keys} of {of} logged keys")
    }
}

/// Where the rate is from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Rate {
    #[default]
    Unknown,
    Given,
    /// From the documents of so many days.
    Documents {
        days: f64,
    },
    /// From sizes that logs report.
    Logged,
}

/// Why a key meets the limit or does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForecastReason {
    Full,
    Grows,
    /// Each key gets documents for a period only, and holds less at its end.
    PeriodEnds,
    /// Documents are deleted before.
    Deleted,
    /// No two documents have the same key.
    OneEach,
    /// Nothing tells when documents were written.
    NoTime,
    /// Of some documents of a container of unknown size no rate follows.
    SizeUnknown,
    /// Their time is too short to tell a rate.
    TooShort,
    /// The slowest rate that the documents allow never gets there, or only in thousands of years.
    FarOff,
    /// It gets nothing any more.
    Idle,
    /// The logs do not tell how keys grow.
    NotLogged,
    /// Its measured growth is no more than its sizes may be off.
    WithinError,
}

pub(super) struct ForecastInput<'a> {
    pub trials: &'a Trials,
    pub candidate: &'a Candidate,
    pub groups: &'a Groups<'a>,
    pub tally: &'a Tally,
}

/// A key's rate.
struct Pace {
    group: u32,
    /// Bytes a day: lowest, likeliest, highest.
    rate: [f64; 3],
    all: f64,
    /// The same by the documents' times, where measured sizes tell `all`.
    of_documents: Option<f64>,
    /// The days of which `all` is the mean.
    days: f64,
    /// Whose documents tell the key's part of it.
    window: Window,
}

pub(super) fn ahead(input: &ForecastInput<'_>) -> KeyForecast {
    let Trials { settings, whole, .. } = input.trials;
    let PreparedDocuments { clock, documents, .. } = &*input.trials.prepared;
    let clock = clock.as_ref();
    let known = clock.and_then(Clock::last);
    let mut found = KeyForecast::unknown(ForecastReason::NoTime, settings, known);
    let largest = input.tally.largest.bytes;
    // Documents of one key have different ids.
    let is_id =
        |part: &LevelPart| matches!(part, LevelPart::Path(path) if path.top_name() == Some("id"));
    let is_each = !whole.is_sample || input.candidate.parts().any(is_id);
    found.turn = clock.and_then(|clock| clock.turn(input.candidate, documents));
    let is_open = clock.is_some() && whole.is_assumed && settings.growth_bytes_per_day.is_none();
    let pace = match clock {
        _ if is_open => None,
        Some(clock) => pace(input, clock, found.turn, found.as_of),
        None => settings.growth_bytes_per_day.map(|all| alike(input, all)),
    };
    if let Some(pace) = &pace {
        found.bytes_per_day = Some(pace.rate);
        found.all_bytes_per_day = Some(pace.all);
        found.key = Some(input.groups.key(pace.group));
        let differs = |of: &f64| !(0.5..2.0).contains(&(of / pace.all));
        found.of_documents_per_day = pace.of_documents.filter(differs);
        found.rate = match (settings.growth_bytes_per_day, pace.of_documents) {
            (Some(_), _) => Rate::Given,
            (None, Some(_)) => Rate::Logged,
            (None, None) => Rate::Documents { days: pace.days },
        };
    } else if is_open {
        found.because = ForecastReason::SizeUnknown;
    } else if clock.is_some() {
        found.because = ForecastReason::TooShort;
    }
    if input.tally.commonest.0 < 2 && is_each {
        (found.limit_date, found.because) = (LimitDate::Never, ForecastReason::OneEach);
        (found.key, found.bytes_per_day, found.turn) = (None, None, None);
        return found;
    }
    if largest >= settings.ceiling.bytes() {
        (found.limit_date, found.because) = (LimitDate::Over, ForecastReason::Full);
        found.key = None;
        return found;
    }
    let (Some(pace), Some(as_of)) = (pace, found.as_of) else {
        return found;
    };
    let held = bytes_today(input, &pace, found.turn, as_of);
    (found.limit_date, found.because, found.most_bytes) =
        fullness(settings, pace.rate, held, found.turn, as_of);
    found
}

/// Of the key of today measured sizes count before those of documents, unless another size of the container is expected;
/// a growth or retention that is given counts before both.
pub(super) fn measured(trial: &mut Trial, settings: &Settings) {
    sizes_of_today(trial, settings);
    if trial.is_full() {
        for buy in &mut trial.to_buy {
            (buy.ru, buy.partitions) = (Err(Shortfall::Full), None);
        }
    }
}

fn sizes_of_today(trial: &mut Trial, settings: &Settings) {
    let today = settings.today.as_deref();
    let today = today.filter(|today| today.is_current(&trial.candidate));
    let Some((today, found)) = today.and_then(|t| Some((t, t.measured.as_ref()?))) else {
        return;
    };
    let is_today = !settings.is_size_expected || is_of_today(settings, today);
    if is_today {
        trial.placement.stored(&today.partition_bytes);
    }
    let Some(largest) = found.largest.as_ref().filter(|_| is_today) else {
        return;
    };
    let named = |row: &KeyRow| Key::from_canonical(row.key.as_deref()?);
    let ceiling_share = settings.ceiling.share(largest.size_kib);
    trial.largest_bytes = largest.size_kib * 1024.0;
    trial.largest_range = None;
    trial.largest_share_of_ceiling = ceiling_share;
    let key = named(largest);
    for top in &mut trial.top {
        // What is measured bounds what a sample makes of the others.
        let is_largest = Some(&top.key) == key.as_ref();
        let bytes =
            if is_largest { trial.largest_bytes } else { top.bytes.min(trial.largest_bytes) };
        top.documents *= bytes / top.bytes.max(1.0);
        (top.bytes, top.is_measured) = (bytes, is_largest);
    }
    trial.top.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    if ceiling_share < MARK_FULL && trial.is_full() {
        // What the documents seemed to hold is measured to be less.
        (trial.ahead.limit_date, trial.ahead.because) =
            (LimitDate::Unknown, ForecastReason::NotLogged);
    }
    let is_given = settings.growth_bytes_per_day.is_some() || settings.kept_days.is_some();
    let has_ceiling = (ceiling_share - largest.share).abs() < 1e-9;
    let Some((row, limit_date)) = found.first_at_limit().filter(|_| has_ceiling) else {
        return;
    };
    let rate = |g: Growth| [g.lowest, g.kib_per_day, g.highest].map(|kib| kib * 1024.0);
    // What samples leave open documents may still show, and why a key does not grow.
    let is_same = limit_date == LimitDate::Never && trial.ahead.limit_date == LimitDate::Never;
    let is_open = limit_date == LimitDate::Unknown || is_same;
    let ahead = &mut trial.ahead;
    if let (LimitDate::Unknown, Rate::Logged, Some(growth)) = (limit_date, ahead.rate, row.growth) {
        // No better known by what the documents have of all growth.
        let is_clear = growth.lowest > 0.0;
        let why = if is_clear { ForecastReason::FarOff } else { ForecastReason::WithinError };
        (ahead.limit_date, ahead.because) = (limit_date, why);
        (ahead.key, ahead.bytes_per_day) = (named(row), Some(rate(growth)));
    }
    if is_open || (is_given && limit_date != LimitDate::Over) {
        return;
    }
    trial.ahead = KeyForecast {
        limit_date,
        because: match limit_date {
            LimitDate::Over => ForecastReason::Full,
            LimitDate::Never => ForecastReason::Idle,
            _ => ForecastReason::Grows,
        },
        key: named(row),
        bytes_per_day: row.growth.map(rate),
        rate: Rate::Logged,
        turn: None,
        most_bytes: None,
        as_of: found.newest.or(trial.ahead.as_of),
        ..trial.ahead.clone()
    };
}

/// What a key holds on the day for which sizes hold: of a dated key only if its period goes on.
fn bytes_today(input: &ForecastInput<'_>, pace: &Pace, turn: Option<KeyTurn>, as_of: Stamp) -> f64 {
    let is_same = |turn: KeyTurn| {
        let at = |second: i64| turn.at(second).map(|turn| turn.0);
        at(i64::from(pace.window.to)) == at(as_of.seconds())
    };
    if turn.is_some_and(|turn| !is_same(turn)) {
        return 0.0;
    }
    let has = input.groups.sizes.of(pace.group);
    input.tally.scaling.bytes(pace.group, has)
}

/// When a key of this rate is full, why, and the size at which it stops.
pub(super) fn fullness(
    settings: &Settings,
    [lowest, likely, highest]: [f64; 3],
    held: f64,
    turn: Option<KeyTurn>,
    as_of: Stamp,
) -> (LimitDate, ForecastReason, Option<f64>) {
    let ceiling = settings.ceiling.bytes();
    if likely <= 0.0 {
        return (LimitDate::Never, ForecastReason::Idle, None);
    }
    let of_turn = turn.and_then(|turn| turn.at(as_of.seconds()));
    let days = |(start, end): (i64, i64)| Some(days_between(start, end));
    let most_days = [of_turn.and_then(days), settings.kept_days];
    let most_days = most_days.into_iter().flatten().reduce(f64::min);
    let most = most_days.map(|days| likely * days);
    let date = |held: f64, at: Stamp| {
        let growth = Growth {
            kib_per_day: likely / 1024.0,
            lowest: lowest / 1024.0,
            highest: highest / 1024.0,
            newest_at: at,
            newest_kib: held / 1024.0,
            band_kib: 0.0,
            doubles_in_days: None,
        };
        limit_date(held / 1024.0, Some(&growth), ceiling / 1024.0)
    };
    let grows = |limit_date: LimitDate| match limit_date {
        LimitDate::Unknown => (limit_date, ForecastReason::FarOff, most),
        limit_date => (limit_date, ForecastReason::Grows, most),
    };
    let Some((_, end)) = of_turn else {
        return match most {
            Some(most) if most < ceiling => (LimitDate::Never, ForecastReason::Deleted, Some(most)),
            _ => grows(date(held, as_of)),
        };
    };
    let left = days_between(as_of.seconds(), end);
    let bound = settings.kept_days.map(|days| likely * days);
    let is_bounded = bound.is_some_and(|bound| bound < ceiling);
    if !is_bounded && held + likely * left >= ceiling {
        return grows(date(held, as_of));
    }
    if most.is_some_and(|most| most >= ceiling) {
        return grows(Stamp::from_seconds(end).map_or(LimitDate::Unknown, |at| date(0.0, at)));
    }
    let because = if bound.is_some() && bound <= most {
        ForecastReason::Deleted
    } else {
        ForecastReason::PeriodEnds
    };
    (LimitDate::Never, because, most)
}

/// The rate of the key that gets full first.
fn pace(
    input: &ForecastInput<'_>,
    clock: &Clock,
    turn: Option<KeyTurn>,
    as_of: Option<Stamp>,
) -> Option<Pace> {
    let measured = measured_growth(input, clock);
    let set = input.trials.settings.growth_bytes_per_day;
    let measured = measured.filter(|_| set.is_none());
    let given = set.or(measured);
    let whole = clock.whole();
    if given.is_none() && whole.days() < SHORTEST_DAYS {
        return None;
    }
    let sizes = input.trials.prepared.documents.bytes();
    // One growth of all for every candidate; which part of it a key has, each looks up where it shows.
    let recent = recent(whole);
    let written = real(clock.written(recent, sizes));
    let of_documents = written * input.trials.whole.bytes_scale / recent.days();
    let all = given.unwrap_or(of_documents);
    let mut found = None;
    for window in windows(whole, turn) {
        let sums = clock.sums(window, input.groups, sizes);
        let sums = sums.as_ref().unwrap_or(&input.groups.sizes);
        let (mut documents, mut bytes, mut most) = (0, 0, 0);
        sums.all(|_, [count, size]| {
            documents += count;
            bytes += size;
            most = count.max(most);
        });
        if bytes == 0 {
            continue;
        }
        // Keys of few documents seem fast by chance: none of them, as long as others have enough.
        let enough = if most >= ENOUGH { ENOUGH } else { 1 };
        let group = first_full(input, (sums, enough), turn, all / real(bytes));
        let [count, of_key] = sums.of(group);
        let in_all = input.tally.scaling.part(group, input.groups.sizes.count(group));
        let likely = all * in_all * real(of_key) / real(bytes);
        let [low, high] = share(count, documents).interval;
        let part = real(count.max(1)) / real(documents.max(1));
        let rate = [likely * low / part, likely, likely * high / part];
        found = Some(Pace {
            group,
            rate,
            all,
            of_documents: measured.map(|_| of_documents),
            days: recent.days(),
            window,
        });
        if count >= ENOUGH {
            break;
        }
    }
    found.filter(|_| as_of.is_some())
}

/// What measured sizes tell that all keys gain in a day: how it is shared the newest documents tell. Keys of a period that
/// goes on are too new for their sizes to tell it, and with another size in all it is another growth.
fn measured_growth(input: &ForecastInput<'_>, clock: &Clock) -> Option<f64> {
    let today = input.trials.settings.today.as_deref()?;
    let is_dated = clock.period(today.key.as_ref()?, &input.trials.prepared.documents).is_some();
    let found = today.measured.as_ref()?.growth_kib_per_day?;
    (!is_dated && is_of_today(&input.trials.settings, today)).then_some(found * 1024.0)
}

/// Whether keys are tried at the size that the container has.
fn is_of_today(settings: &Settings, today: &Today) -> bool {
    let expected = settings.stored_bytes.zip(today.stored_bytes);
    expected.is_none_or(|(set, is)| (set / is - 1.0).abs() < SAME_SIZE)
}

/// Without times each key is taken to get what it has of all.
fn alike(input: &ForecastInput<'_>, all: f64) -> Pace {
    let super::tally::Largest { has: [count, bytes], group, .. } = input.tally.largest;
    let total = input.tally.bytes;
    let found = share(count, input.trials.whole.looked_at);
    let likely = all * real(bytes) * input.tally.scaling.part(group, count) / real(total.max(1));
    let part = found.share.max(f64::MIN_POSITIVE);
    let [low, high] = found.interval;
    Pace {
        group,
        rate: [likely * low / part, likely, likely * high / part],
        all,
        of_documents: None,
        days: 0.0,
        window: Window { from: 0, to: 0 },
    }
}

/// Of keys that stop with their period the fastest, of others the one that needs least time.
fn first_full(
    input: &ForecastInput<'_>,
    (sums, enough): (&Sizes<'_>, u64),
    turn: Option<KeyTurn>,
    scale: f64,
) -> u32 {
    let ceiling = input.trials.settings.ceiling.bytes();
    let scaling = &input.tally.scaling;
    let need = |group: u32, bytes: u64| {
        let all = input.groups.sizes.of(group);
        let held = match turn {
            Some(_) => 0.0,
            None => scaling.bytes(group, all),
        };
        (ceiling - held).max(0.0) / (real(bytes) * scale * scaling.part(group, all[0]))
    };
    // Of equal ones the first.
    let mut first: Option<(f64, u32)> = None;
    // What any key still needs at least, with room for rounding: keys that are too slow for that are not looked at closer.
    let left = ceiling - input.tally.largest.bytes;
    let left = left * (1.0 - 1e-9) / scaling.most_part();
    let mut reach = f64::INFINITY;
    sums.all(|group, [count, bytes]| {
        if count < enough || bytes == 0 || real(bytes) * reach < left {
            return;
        }
        let need = need(group, bytes);
        if first.is_none_or(|(least, _)| need.total_cmp(&least).is_lt()) {
            first = Some((need, group));
            reach = need * scale;
        }
    });
    first.map_or(0, |(_, group)| group)
}
