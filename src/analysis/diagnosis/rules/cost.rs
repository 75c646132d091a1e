//! RU/s that could cost less: each finding is a note with its formula in the evidence.

use crate::analysis::billing::{
    AUTOSCALE_LEAST, AUTOSCALE_RATE, and_money, autoscale_over_manual, billed_by_partition,
    billed_uniform,
};
use crate::analysis::demand::remedies::{RemedyEffect, partitions_text};
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::text::{number_text, ru_text, span_text};
use crate::analysis::diagnosis::{Answers, Fact, Phrase, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::grid::standing;
use crate::analysis::heat::{Measure, Track};
use crate::model::account::Setting;
use crate::model::throughput::ThroughputMode;
use crate::model::time::{SECONDS_PER_DAY, SECONDS_PER_HOUR};
use crate::model::units::{
    KIB_PER_GIB, as_number, count_text, counted, kib_text, percent_text, ratio_text, whole_text,
};

use crate::analysis::rules::Rule;

use super::{fact, seen};

const WEEK_S: i64 = 7 * SECONDS_PER_DAY;
/// The least manual RU/s of a container, where no input says more.
const LEAST_RU: f64 = 400.0;

fn note(rule: Rule, picture: &Picture<'_>, line: String, evidence: Vec<Fact>) -> Verdict {
    let why = "it is about cost, not about throttling";
    let answers = Answers::all(RemedyEffect::NotNeeded, why);
    Verdict { evidence, ..seen(picture, rule, Severity::Note, Phrase::plain(line), answers) }
}

fn is_autoscale(picture: &Picture<'_>) -> bool {
    picture.physical.throughput_mode == ThroughputMode::AutoscaleOrShared
}

/// Regions of the metric whose highest seconds are known for at least a day of steps.
fn known_days<'p>(picture: &'p Picture<'_>) -> Vec<(&'p Track, (i64, i64))> {
    let tracks = picture.heat.tracks_of(Measure::NormalizedRu);
    let days = tracks.filter_map(|track| {
        let (from, to) = track.together.span()?;
        let window = (from.max(to.saturating_sub(WEEK_S)), to);
        let steps = track.together.read(window.0, window.1)?.steps;
        let known = i64::try_from(steps).ok()?.checked_mul(i64::from(track.step_s))?;
        (known >= SECONDS_PER_DAY).then_some((track, window))
    });
    days.collect()
}

pub(super) fn over_provisioned(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let provisioned = picture.ru_per_second()?;
    let days = known_days(picture);
    // A region of which less is known may be the busier one.
    if is_autoscale(picture) || days.len() < picture.heat.tracks_of(Measure::NormalizedRu).count() {
        return None;
    }
    let mut fullest: Option<(u32, f64, &Track, (i64, i64))> = None;
    for (track, window) in days {
        for number in &picture.physical.numbers {
            let p99 = standing(track, *number, window.0, window.1)?.p99;
            if fullest.is_none_or(|held| p99 > held.1) {
                fullest = Some((*number, p99, track, window));
            }
        }
    }
    let (number, p99, track, (from, to)) = fullest?;
    let least = picture.physical.minimum.unwrap_or(LEAST_RU);
    let half = (provisioned / 200.0).ceil() * 100.0;
    let enough = half.max(least);
    if p99 >= limits.over_provisioned || enough >= provisioned {
        return None;
    }
    let name = picture.name(number);
    let [used, after, most] =
        [p99, p99 * provisioned / enough, limits.over_provisioned].map(percent_text);
    let line = format!(
        "{name}, the fullest, uses {used} of its RU/s (p99, {}): with {} of {} it would use {after}",
        span_text(to.saturating_sub(from)),
        ru_text(enough),
        ru_text(provisioned)
    );
    let how = format!(
        "computed: p99 × provisioned ÷ new = {used} × {} ÷ {}; the least is {}",
        number_text(provisioned),
        number_text(enough),
        ru_text(least)
    );
    let mut evidence = vec![
        fact(format!("p99 of {name}, under {most}"), used, &track.from),
        fact("share with fewer RU/s", after, how),
    ];
    let saved = limits.price.as_ref().map(|price| price.text(provisioned - enough));
    let from = "computed: (provisioned − new) × the price that is set";
    evidence.extend(saved.map(|saved| fact("saved", saved, from)));
    Some(note(Rule::OverProvisioned, picture, line, evidence))
}

pub(super) fn idle(picture: &Picture<'_>) -> Option<Verdict> {
    let whole = picture.heat.whole;
    let (from, to) = whole.span?;
    let seconds = to.saturating_sub(from);
    let is_logged = !picture.heat.keys.cells().is_empty()
        || picture.heat.requests.iter().any(|r| r.requests > 0);
    // The last point stands for a step of its own, at most an hour.
    if whole.requests != Some(0) || is_logged || seconds < SECONDS_PER_DAY - SECONDS_PER_HOUR {
        return None;
    }
    let provisioned = picture.ru_per_second()?;
    let line = format!(
        "no request in {}, {} provisioned{}",
        span_text(seconds / SECONDS_PER_HOUR * SECONDS_PER_HOUR),
        ru_text(provisioned),
        and_money(picture.limits.price.as_ref(), provisioned)
    );
    let from = format!("Σ of the metric TotalRequests over {}", span_text(seconds));
    Some(note(Rule::Idle, picture, line, vec![fact("requests", "0", from)]))
}

/// The highest part of the RU/s in each hour of which a value is known.
fn hourly(track: &Track, (from, to): (i64, i64)) -> Vec<f64> {
    let points: Vec<(i64, f32)> = track.together.points(from, to).collect();
    let hours = points
        .chunk_by(|a, b| a.0.div_euclid(SECONDS_PER_HOUR) == b.0.div_euclid(SECONDS_PER_HOUR));
    hours.map(|hour| hour.iter().map(|p| f64::from(p.1)).fold(0.0, f64::max)).collect()
}

pub(super) fn manual_or_autoscale(picture: &Picture<'_>) -> Option<Verdict> {
    // With several write regions both cost the same for one RU/s.
    if picture.account_is(Setting::SeveralWriteRegions) == Some(true) {
        return None;
    }
    picture.container.throughput?;
    let days = known_days(picture).into_iter();
    let (track, hours) = days
        .filter(|(track, _)| i64::from(track.step_s) <= SECONDS_PER_HOUR)
        .map(|(track, window)| (track, hourly(track, window)))
        .max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)))?;
    let ratio = autoscale_over_manual(&hours)?;
    let is_autoscale = is_autoscale(picture);
    if is_autoscale == (ratio <= 1.0) {
        return None;
    }
    let (cheaper, part) =
        if is_autoscale { ("manual RU/s", 1.0 / ratio) } else { ("autoscale", ratio) };
    let line = format!(
        "{cheaper} would cost {} of today: hours use {} of the RU/s at their highest second, break-even {}",
        percent_text(part),
        percent_text(mean(&hours)),
        percent_text(1.0 / AUTOSCALE_RATE)
    );
    let mut evidence = vec![fact(
        "autoscale ÷ manual",
        ratio_text(ratio),
        format!(
            "computed: {AUTOSCALE_RATE} × mean of {} hourly maxima, each at least {}; {}",
            count_text(hours.len() as u64),
            percent_text(AUTOSCALE_LEAST),
            track.from
        ),
    )];
    evidence.extend(priced(picture, ratio));
    evidence.extend(billed(picture));
    Some(note(Rule::ManualOrAutoscale, picture, line, evidence))
}

/// Manual RU/s and autoscale in money; the price is that of the container's own RU/s.
fn priced(picture: &Picture<'_>, ratio: f64) -> Option<Fact> {
    let price = picture.limits.price.as_ref()?;
    let rate = if is_autoscale(picture) { AUTOSCALE_RATE } else { 1.0 };
    let manual = picture.ru_per_second()? / rate;
    Some(fact(
        "money",
        format!("manual {}, autoscale {}", price.text(manual), price.text(manual * ratio)),
        "computed: RU/s × the price that is set, × autoscale ÷ manual",
    ))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / as_number(values.len().max(1))
}

/// What the last hour of the judged stretch is billed: manual, with autoscale if all partitions scale alike, and if each
/// does by itself. A log tells nothing of a partition that served nothing.
pub(in crate::analysis::diagnosis) fn billed(picture: &Picture<'_>) -> Option<Fact> {
    let shares = picture.shares.as_ref()?;
    let capacities = picture.physical.capacities.as_ref()?;
    let provisioned = picture.ru_per_second()?;
    let track = shares.track;
    let end = shares.window.1;
    let from = end.saturating_sub(SECONDS_PER_HOUR).max(shares.window.0);
    let is_log = track.measure == Measure::LoggedShare;
    let of = picture.physical.numbers.iter().zip(capacities);
    let highest: Option<Vec<f64>> = of
        .map(|(number, capacity)| {
            let highest = standing(track, *number, from, end).map(|s| s.highest);
            let highest = highest.or(is_log.then_some(0.0))?;
            Some(highest.clamp(AUTOSCALE_LEAST, 1.0) * capacity)
        })
        .collect();
    let highest = highest?;
    let rate = match picture.account_is(Setting::SeveralWriteRegions) {
        Some(true) => 1.0,
        Some(false) | None => AUTOSCALE_RATE,
    };
    let today = match picture.account_is(Setting::PartitionAutoscale) {
        Some(true) => "the account scales each partition by itself",
        Some(false) => "the account scales all partitions alike",
        None => "which of the two the account does is not known",
    };
    // What is shorter than an hour may have missed a higher second.
    let least = if end.saturating_sub(from) < SECONDS_PER_HOUR { "\u{2265} " } else { "" };
    Some(fact(
        format!(
            "billed for the last {}, at the price of manual RU/s",
            span_text(end.saturating_sub(from))
        ),
        format!(
            "{} manual; autoscale {least}{} if all partitions scale alike, {least}{} if each scales by itself",
            whole_text(provisioned),
            whole_text(billed_uniform(&highest) * rate),
            whole_text(billed_by_partition(&highest) * rate)
        ),
        format!(
            "computed: {rate} × (N × highest, or Σ highest) of {}, each at least {} of its maximum; {today}; {}",
            partitions_text(highest.len()),
            percent_text(AUTOSCALE_LEAST),
            track.from
        ),
    ))
}

/// Pairs of neighbours that could be one, each partition in one pair at most: their places.
fn pairs(picture: &Picture<'_>) -> Option<Vec<(u32, u32)>> {
    let limits = picture.limits;
    let layout = picture.physical.layout.as_ref()?;
    let is_small = |place: usize| {
        let place = u32::try_from(place).ok()?;
        let ru = picture.physical.capacity(place)?;
        let kib = picture.partition(place)?.kib?;
        let is = ru < limits.merge_ru && kib < limits.merge_gib * KIB_PER_GIB;
        is.then_some(place)
    };
    let mut pairs = Vec::new();
    let mut before = None;
    for span in layout.spans() {
        match (before.take(), is_small(span.from)) {
            (Some(before), Some(place)) => pairs.push((before, place)),
            (_, place) => before = place,
        }
    }
    Some(pairs)
}

pub(super) fn merge_candidates(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let has_several = picture.account_is(Setting::SeveralWriteRegions);
    let pairs = pairs(picture)?;
    let (first, second) = pairs.first().copied()?;
    // A merge needs a single write region, and minutes do not show what a day needs.
    if has_several == Some(true) || known_days(picture).is_empty() {
        return None;
    }
    let partitions = picture.physical.len();
    let name = |place| picture.partition_text(place);
    let others = match pairs.len() - 1 {
        0 => String::new(),
        n => format!(" (and {})", counted(n as u64, "other pair", "other pairs")),
    };
    let (most_ru, most_gib) = (ru_text(limits.merge_ru), number_text(limits.merge_gib));
    let line = format!(
        "{} and {} are small neighbours{others}: {} could be {}",
        name(first),
        name(second),
        partitions_text(partitions),
        count_text(partitions.saturating_sub(pairs.len()) as u64)
    );
    let of = |place: u32| {
        let kib = picture.partition(place)?.kib?;
        let ru = picture.physical.capacity(place)?;
        let value = format!("{}, {}", ru_text(ru), kib_text(kib));
        Some(fact(name(place), value, format!("both under {most_ru} and {most_gib} GB")))
    };
    let evidence = [first, second].into_iter().filter_map(of).collect();
    Some(Verdict {
        steps: vec![Phrase::plain(
            "they could be merged: a preview that needs a single write region, excludes point-in-time restore, takes 5 to 6 hours, and serves only listed SDKs while it is enabled",
        )],
        ..note(Rule::MergeCandidates, picture, line, evidence)
    })
}
