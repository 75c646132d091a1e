//! Rules of load: a hot key, several on one partition, a hot partition of unknown keys, a fan-out, too few RU/s.

use crate::analysis::demand::outcome::Interval;
use crate::analysis::demand::remedies::{NEW_CLIENT, Remedies, Remedy, RemedyEffect};
use crate::analysis::diagnosis::answers::{compared, of_load};
use crate::analysis::diagnosis::card::GAP;
use crate::analysis::diagnosis::evidence;
use crate::analysis::diagnosis::next_steps::StepTime;
use crate::analysis::diagnosis::picture::{HotPlace, Picture};
use crate::analysis::diagnosis::pressure::{KeyPressure, Pressure};
use crate::analysis::diagnosis::since::hot_since;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::text::{json_of, number_text, ru_text, span_text};
use crate::analysis::diagnosis::{Answers, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::prefix::{PrefixTotal, PrefixTotals};
use crate::model::units::{count_text, percent_text, real};

use crate::analysis::rules::Rule;

use super::calm::is_within_health;
use super::{none, remedy_steps, seen};

const NAME_THE_KEY: &str =
    "name the partition key in the filter of the query: it then queries one partition";
/// Keys that are no more than this part of the load are no suspects.
const LEAST_PART: f64 = 0.05;
/// Totals of prefixes count whole numbers: shares are in millionths.
const MILLION: f64 = 1e6;

/// Whether one key at a time takes most of the hot partition, and would be too much for it alone.
fn is_one_key(hot: &HotPlace, pressure: &Pressure, picture: &Picture<'_>) -> bool {
    let alone = hot.fits_alone.is_some_and(|part| part >= 0.5);
    pressure.by_largest >= picture.limits.hot_key_share && !alone
}

fn names_keys(pressure: &Pressure, picture: &Picture<'_>) -> bool {
    1.0 - pressure.keyless >= picture.limits.hot_key_share && !pressure.keys.is_empty()
}

pub(super) fn hot_key(picture: &Picture<'_>) -> Option<Verdict> {
    let is_alone = picture.physical.len() == 1;
    let hot = picture.hot.as_ref().filter(|hot| !hot.is_even || is_alone)?;
    let pressure = hot.pressure.as_ref().filter(|p| is_one_key(hot, p, picture))?;
    let first = pressure.first()?;
    let moves = first.share < picture.limits.hot_key_share;
    // Where each second has a key of its own, the one of the busiest stands for them all.
    let key = match pressure.busiest.and_then(|b| b.key).filter(|_| moves) {
        Some((key, _)) => key,
        None => first.key,
    };
    let blamed = if moves { pressure.leaders.clone() } else { vec![key] };
    let remedies = picture.remedies(&blamed);
    let canonical = picture.key_text(key)?.to_owned();
    let found = *pressure.keys.iter().find(|k| k.key == key)?;
    // More RU/s serve it where there is one partition only.
    let serves = picture.physical.capacity(hot.place).is_some_and(|c| found.peak <= c);
    if is_alone && serves {
        return None;
    }
    let hot = &of_all_that_turn(picture, hot, moves);
    let headline = if moves {
        let place = hot_places_text(picture, hot);
        Phrase::plain(format!("one key after another{GAP}{place}"))
    } else {
        Phrase::default().key(json_of(&canonical)).and(format!(
            "{GAP}{} of {}",
            percent_text(found.share),
            picture.partition_text(hot.place)
        ))
    };
    let mut detail = partition_phrase(picture, hot)
        .and(" · ")
        .key(json_of(&canonical))
        .and(taken_text(picture, hot, at_peak(picture, found, &canonical), moves));
    let cannot_scale = |r: &Remedies| {
        let row = r.scale_up().map(|row| row.effect);
        r.floor > 0.0 && row != Some(RemedyEffect::Fixes)
    };
    if remedies.as_ref().is_some_and(cannot_scale) {
        detail = detail.and(" · no RU/s fixes it: one key cannot use more than 10,000 RU/s");
    }
    let mut verdict = verdict(picture, hot, Rule::HotKey, headline, detail, remedies.as_ref());
    verdict.key = (!moves).then_some(canonical);
    Some(verdict)
}

/// With the peak that every screen shows of the hottest key.
fn at_peak(picture: &Picture<'_>, key: KeyPressure, canonical: &str) -> KeyPressure {
    let now = picture.now.as_ref().and_then(|now| now.outcome.hottest_key.as_ref());
    let peak = now.filter(|of| of.key == canonical).map_or(key.peak, |of| of.peak);
    KeyPressure { peak, ..key }
}

/// ` takes 98 % of the partition's RU/s at its peak`.
fn taken_text(picture: &Picture<'_>, hot: &HotPlace, key: KeyPressure, moves: bool) -> String {
    let width = picture.logged.as_ref().map_or(1, |d| d.step_s);
    let step = match width {
        1 => String::new(),
        width => format!(" (mean of {})", span_text(i64::from(width))),
    };
    let mut text = match picture.physical.capacity(hot.place) {
        Some(capacity) if key.peak > capacity => {
            format!(
                " needs {} at its peak{step}; the partition can serve {} ({} of its RU while hot)",
                ru_text(key.peak),
                number_text(capacity),
                percent_text(key.share)
            )
        }
        Some(capacity) => {
            let part = percent_text(key.peak / capacity);
            let load = picture.loads().get(hot.place as usize);
            let needed = load.map(|load| load.peak).filter(|peak| *peak > capacity);
            let needed = needed.map_or_else(String::new, |peak| {
                let capacity = number_text(capacity);
                format!(", and with the 429s {} are needed of {capacity}", ru_text(peak))
            });
            format!(" takes {part} of the partition's RU/s at its peak{step}{needed}")
        }
        None => format!(" is {} of its RU", percent_text(key.share)),
    };
    if moves {
        text.push_str(", another key the next: at each moment one key takes most");
    }
    text
}

pub(super) fn hot_range(picture: &Picture<'_>) -> Option<Verdict> {
    let hot = picture.hot.as_ref().filter(|hot| !hot.is_even)?;
    let pressure = hot.pressure.as_ref()?;
    if is_one_key(hot, pressure, picture) || !names_keys(pressure, picture) {
        return None;
    }
    let first = pressure.first()?;
    let remedies = picture.remedies(&[first.key]);
    let fits =
        if hot.fits_alone.is_some_and(|part| part >= 0.5) { "; each alone would fit" } else { "" };
    let more = |named: usize| match pressure.keys.len().saturating_sub(named) {
        0 => String::new(),
        n => format!(", {n} more"),
    };
    let with_key = |phrase: Phrase, key: &KeyPressure| {
        let share = percent_text(key.share);
        phrase.key(picture.key_text(key.key).and_then(json_of)).and(format!(" {share}"))
    };
    let mut headline = Phrase::plain(hot_partition_text(picture, hot)).and(GAP);
    let mut detail = partition_phrase(picture, hot).and(" · ");
    if let Some(PrefixTotal { key, kib, keys, .. }) = hot_prefix(picture, pressure) {
        let words = format!(" {}, {} keys", percent_text(kib / MILLION), count_text(keys));
        headline = headline.key(Some(key.clone())).and(words.clone());
        detail = detail.key(Some(key)).and(words + fits);
    } else {
        headline = with_key(headline, &first).and(more(1));
        detail = with_key(detail, &first);
        let second = pressure.keys.get(1).filter(|key| key.share >= LEAST_PART);
        if let Some(second) = second {
            detail = with_key(detail.and(", "), second);
        }
        let named = if second.is_some() { 2 } else { 1 };
        detail = detail.and(format!("{} of its RU{fits}", more(named)));
    }
    let mut verdict = verdict(picture, hot, Rule::HotRange, headline, detail, remedies.as_ref());
    verdict.key = picture.key_text(first.key).map(str::to_owned);
    Some(verdict)
}

/// The longest prefix of a hierarchical key under which most of the partition's RU lie.
fn hot_prefix(picture: &Picture<'_>, pressure: &Pressure) -> Option<PrefixTotal> {
    let mut totals = PrefixTotals::default();
    for key in &pressure.keys {
        totals.add(picture.key_text(key.key)?, key.share * MILLION);
    }
    let is_hot = |of: &PrefixTotal| of.keys > 1 && of.kib >= MILLION * picture.limits.hot_key_share;
    totals.finish().into_iter().rfind(is_hot)
}

pub(super) fn hot_partition(picture: &Picture<'_>) -> Option<Verdict> {
    let hot = picture.hot.as_ref().filter(|hot| !hot.is_even)?;
    let names_any = |p: &Pressure| is_one_key(hot, p, picture) || names_keys(p, picture);
    if hot.pressure.as_ref().is_some_and(names_any) {
        return None;
    }
    let remedies = picture.remedies(&[]);
    let suspects = evidence::suspects(picture, hot.place);
    // The log is there, and leaves the key out.
    let part = picture.unnamed_part;
    let keyless = hot.pressure.as_ref().map_or(0.0, |p| p.keyless * part);
    let is_keyless = keyless >= picture.limits.null_share;
    let unnamed = if is_keyless {
        format!(" · {} of its RU without a key: {}", percent_text(keyless), steps::KEYLESS)
    } else if part < 1.0 {
        " · most of its keys are too small to be listed".to_owned()
    } else {
        " · no log names the keys".to_owned()
    };
    let mut detail = partition_phrase(picture, hot).and(unnamed);
    if let Some(first) = suspects.first() {
        detail = detail.and("; suspect by size alone: ").key(json_of(&first.canonical));
    }
    let headline = Phrase::plain(hot_partition_text(picture, hot));
    let mut verdict =
        verdict(picture, hot, Rule::HotPartition, headline, detail, remedies.as_ref());
    // Without remedies the logs are all there is to do, and are among the steps already.
    if is_keyless {
        verdict.steps.insert(0, Phrase::plain(steps::KEYLESS_FIX));
    } else if remedies.is_some() && part >= 1.0 {
        verdict.steps.extend(steps::switch_on_logs());
    }
    Some(verdict)
}

pub(super) fn under_provisioned(picture: &Picture<'_>) -> Option<Verdict> {
    let hot = picture.hot.as_ref().filter(|hot| hot.is_even)?;
    if picture.is_fan_out() || is_within_health(picture) || hot_key(picture).is_some() {
        return None;
    }
    let remedies = picture.remedies(&[]);
    let (all, whose, hot_words) = match picture.physical.len() {
        1 => ("the only partition".to_owned(), "its", "is hot"),
        n => (format!("all {n} partitions"), "their", "are equally hot"),
    };
    let headline =
        Phrase::plain(format!("{all}{GAP}{} of {whose} RU/s", percent_text(hot.standing.p99)));
    let detail = Phrase::plain(format!(
        "{all} {hot_words}: {} at {} ({}), {} provisioned",
        picture.partition_text(hot.place),
        percent_text(hot.standing.p99),
        over(picture),
        picture.ru_per_second().map_or_else(|| "unknown RU/s".to_owned(), ru_text),
    ));
    let rule = Rule::UnderProvisioned;
    let mut verdict = verdict(picture, hot, rule, headline, detail, remedies.as_ref());
    if verdict.answers.new_key.effect == RemedyEffect::Unknown {
        verdict.answers.new_key =
            none("load is spread evenly already: another key could not spread it better");
    }
    Some(verdict)
}

pub(super) fn fan_out(picture: &Picture<'_>) -> Option<Verdict> {
    if !picture.is_fan_out() {
        return None;
    }
    let shares = picture.shares.as_ref()?;
    let place = shares.hottest(&picture.physical, picture.attempts.as_ref())?;
    let standing = shares.standing(place)?;
    let count = picture.physical.len();
    let remedies = picture.remedies(&[]);
    let each = picture.attempts.as_ref().and_then(|r| r.all.ru_per_request());
    let each = each.map_or_else(String::new, |ru| format!(" of {} RU each", number_text(ru)));
    let demand = picture.loads().iter().map(|load| load.peak).reduce(f64::max);
    let demand = demand.map_or_else(String::new, |ru| format!(", {} on each", ru_text(ru)));
    let headline = Phrase::plain(format!(
        "queries without the key{GAP}{count} partitions at {}",
        percent_text(standing.p99)
    ));
    let detail = Phrase::plain(format!(
        "queries without the key{each} query all {count} partitions: {} at {} ({}){demand}",
        picture.partition_text(place),
        percent_text(standing.p99),
        over(picture),
    ));
    let hot = HotPlace {
        place,
        standing,
        is_even: true,
        pressure: None,
        fits_alone: None,
        span: picture.hot.as_ref().and_then(|h| h.span),
    };
    let mut verdict = verdict(picture, &hot, Rule::FanOut, headline, detail, remedies.as_ref());
    verdict.evidence.extend(evidence::index(picture));
    verdict.partition = None;
    verdict.answers = fan_out_answers(picture, remedies.as_ref(), &mut verdict.remedies);
    verdict.steps = [
        NAME_THE_KEY,
        steps::LIMIT,
        "if the query cannot name it: a container (or a global secondary index, which needs continuous backup and is eventually consistent) keyed by what the query filters by",
        steps::TRY_KEYS,
        steps::KEYLESS_FIX,
    ]
    .map(Phrase::plain)
    .to_vec();
    Some(verdict)
}

/// With the key in their filter queries visit one partition each: that is a remedy of its own.
fn fan_out_answers(
    picture: &Picture<'_>,
    remedies: Option<&Remedies>,
    rows: &mut Vec<Remedy>,
) -> Answers {
    let mut answers = of_load(picture, remedies);
    let Some(now) = remedies.and_then(Remedies::throttled_now) else { return answers };
    let count = picture.physical.len();
    let peaks = picture.loads().iter().map(|load| load.peak);
    let each = peaks.fold(0.0, f64::max) / real(count as u64);
    let capacity =
        picture.physical.capacities.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let after = (1.0 - capacity / each).max(0.0);
    let effect = RemedyEffect::of(now, after, picture.limits.cured_throttled);
    let on_each = ru_text(each);
    let row = Remedy {
        name: "key-in-filter".to_owned(),
        words: format!(
            "a query that names the key queries 1 of {count} partitions, {on_each} on each"
        ),
        throttled: Some(Interval::exact(after)),
        ru_per_second: picture.ru_per_second(),
        takes: NEW_CLIENT,
        effect,
        how: vec![NAME_THE_KEY.to_owned()],
        ..Remedy::default()
    };
    answers.new_key = RemedyAnswer::new(effect, compared(now, &row));
    rows.push(row);
    if answers.split.effect == RemedyEffect::None || answers.split.effect == RemedyEffect::Worse {
        answers.split.why = format!("every partition serves every query; {}", answers.split.why);
    }
    answers
}

/// `partition 3 at 100 % (p99, 5 min), others ≤ 24 %`.
fn partition_phrase(picture: &Picture<'_>, hot: &HotPlace) -> Phrase {
    let others = picture.shares.as_ref().and_then(|s| s.others(hot.place));
    let others = match others.map(percent_text) {
        None => String::new(),
        Some(none) if none == "0 %" => ", others idle".to_owned(),
        Some(most) if most == percent_text(hot.standing.p99) => ", others as hot".to_owned(),
        Some(most) => format!(", others ≤ {most}"),
    };
    let over = over(picture);
    Phrase::plain(format!("{} ({over}){others}", hot_partition_text(picture, hot)))
}

/// `partition 3 at 100 %`.
fn hot_partition_text(picture: &Picture<'_>, hot: &HotPlace) -> String {
    let share = percent_text(hot.standing.p99);
    format!("{} at {share}", picture.partition_text(hot.place))
}

/// Where keys take turns on several partitions, it is about all of them.
fn of_all_that_turn(picture: &Picture<'_>, hot: &HotPlace, moves: bool) -> HotPlace {
    HotPlace { is_even: hot.is_even || (moves && as_hot(picture, hot).len() > 1), ..hot.clone() }
}

/// The share of each partition that is hot, too.
fn as_hot(picture: &Picture<'_>, hot: &HotPlace) -> Vec<f64> {
    let least = picture.limits.hot_share.min(hot.standing.p99);
    let all = (0_u32..).take(picture.physical.len());
    let shares = picture.shares.as_ref();
    let found = all.filter_map(|place| Some(shares?.standing(place)?.p99));
    found.filter(|share| *share >= least).collect()
}

/// `10 partitions at 100 %` of several, `partition 3 at 100 %` of one.
fn hot_places_text(picture: &Picture<'_>, hot: &HotPlace) -> String {
    let found = as_hot(picture, hot);
    if found.len() < 2 {
        return hot_partition_text(picture, hot);
    }
    let least = found.iter().copied().fold(hot.standing.p99, f64::min);
    let [least, most] = [least, hot.standing.p99].map(percent_text);
    let from = if least == most { "" } else { "≥" };
    format!("{} partitions at {from}{least}", found.len())
}

/// `p99, 5 min`.
fn over(picture: &Picture<'_>) -> String {
    let window = picture.shares.as_ref().map_or((0, 0), |s| s.window);
    format!("p99, {}", span_text(window.1.saturating_sub(window.0)))
}

/// `headline` comes without what was throttled and since when.
fn verdict(
    picture: &Picture<'_>,
    hot: &HotPlace,
    rule: Rule,
    headline: Phrase,
    detail: Phrase,
    remedies: Option<&Remedies>,
) -> Verdict {
    let detail = detail.and(picture.other_log().unwrap_or_default());
    let partition = picture.physical.number(hot.place).filter(|_| !hot.is_even);
    let shares = picture.shares.as_ref();
    let (since, until) = (hot.span.map(|s| s.0), hot.span.and_then(|s| s.1));
    let step = since.zip(shares.map(|s| s.track.step_s));
    let attempts = picture.attempts.as_ref();
    let window = shares.map(|s| s.window);
    let headline = headline.and(hot_since(attempts, partition, step, until, window));
    let measured = || picture.measured_share(hot.place).map(evidence::measured);
    let mut rows = remedies.map_or_else(|| measured().into_iter().collect(), |r| r.rows.clone());
    let key = headline.first_key();
    let mut steps = remedy_steps::steps(picture, hot, key, &mut rows);
    let severity = severity(picture, hot, remedies);
    let is_now = |row: &Remedy| StepTime::of_remedy(row.takes) <= StepTime::Client;
    // Something can be done at once about whatever is throttled.
    if severity == Severity::Alarm && !rows.iter().any(|row| !row.how.is_empty() && is_now(row)) {
        steps.push(steps::limit_client(key));
    }
    Verdict {
        partition: picture.physical.number(hot.place),
        detail,
        evidence: evidence::of_load(picture, hot, remedies),
        remedies: rows,
        since,
        until,
        steps,
        ..seen(picture, rule, severity, headline, of_load(picture, remedies))
    }
}

/// Refusals are an alarm; so is a partition at its limit of which nobody knows what it refuses.
fn severity(picture: &Picture<'_>, hot: &HotPlace, remedies: Option<&Remedies>) -> Severity {
    let limits = picture.limits;
    let computed = remedies.and_then(Remedies::throttled_now);
    let counted = picture.measured_share(hot.place);
    let is_refusing = computed.is_some_and(|share| share > limits.cured_throttled)
        || counted.is_some_and(|share| share > limits.healthy_throttled);
    let is_unknown = computed.is_none() && counted.is_none();
    if is_refusing || (is_unknown && hot.standing.p99 >= 1.0) {
        Severity::Alarm
    } else {
        Severity::Warn
    }
}
