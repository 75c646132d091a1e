//! Rules where the RU/s of partitions are not known: what is asked and what is refused still tell whom to look at.

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::card::GAP;
use crate::analysis::diagnosis::evidence;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::pressure::Pressure;
use crate::analysis::diagnosis::since::{hot_since, throttled_text};
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::text::{RU_LOG, counts_text, json_of, ru_text, second_text};
use crate::analysis::diagnosis::{Answers, Phrase, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::{Measure, Track};
use crate::model::units::{count_text, percent_text};

use crate::analysis::rules::Rule;

use super::{fact, fact_of_key, seen};

/// One key takes most of the busiest partition, and more than any partition spares.
pub(super) fn hot_key(picture: &Picture<'_>) -> Option<Verdict> {
    if picture.shares.is_some() {
        return None;
    }
    let demand = picture.logged.as_ref()?;
    let loads = demand.highest_by_partition(picture.physical.len());
    let loads = (0_u32..).zip(loads);
    let (place, _) = loads.reduce(|held, found| if found.1 > held.1 { found } else { held })?;
    let pressure = Pressure::of(demand, &picture.physical, place, picture.limits);
    let first = pressure.first()?;
    let busiest = pressure.busiest?;
    let demand = first.peak;
    if first.share < picture.limits.hot_key_share || demand < picture.limits.worth_ru {
        return None;
    }
    let canonical = picture.key_text(first.key)?.to_owned();
    let name = picture.partition_text(place);
    let headline = Phrase::plain(format!("{name} · ")).key(json_of(&canonical)).and(format!(
        " takes {} of its RU, {} in its busiest second; {}",
        percent_text(first.share),
        ru_text(demand),
        picture.why_no_shares()
    ));
    Some(Verdict {
        partition: picture.physical.number(place),
        evidence: vec![
            fact(
                "busiest second of the partition",
                format!("{} at {}", ru_text(busiest.ru_per_second), second_text(busiest.second)),
                RU_LOG,
            ),
            fact_of_key("busiest second of ", Some(&canonical), ru_text(demand), RU_LOG),
        ],
        key: Some(canonical),
        steps: steps::to_judge(),
        ..seen(picture, Rule::HotKey, Severity::Warn, headline, unknown(picture))
    })
}

/// One partition refuses requests, and the container as a whole hardly any beside it.
pub(super) fn hot_partition(picture: &Picture<'_>) -> Option<Verdict> {
    let refusals = picture.attempts.as_ref();
    let refusals = refusals.filter(|_| picture.shares.is_none())?;
    let of = refusals.partitions();
    let reported =
        of.filter_map(|(number, counts)| Some((number, counts, counts.throttled_share()?)));
    let reported: Vec<_> = reported.collect();
    let (number, counts, share) = reported
        .iter()
        .copied()
        .reduce(|held, found| if found.1.throttled > held.1.throttled { found } else { held })?;
    let others = reported.iter().filter(|(other, ..)| *other != number);
    let most = others.map(|(_, _, share)| *share).reduce(f64::max)?;
    let healthy = picture.limits.healthy_throttled;
    if share <= healthy || most > healthy {
        return None;
    }
    let span = picture.heat.track(Measure::Requests).and_then(Track::span);
    let since = refusals.throttled_since(Some(number), i64::MIN, i64::MAX);
    let logged = hot_key(picture);
    let headline = name_and_key(picture, number, logged.as_ref());
    let (name, throttled) = (picture.name(number), throttled_text(None, || counts));
    let lasts = hot_since(None, None, since, None, span);
    let headline = headline.and(format!("{GAP}429s: {throttled}{lasts}"));
    let others = percent_text(most);
    let detail = format!("{name} throttles {throttled} (429), others at most {others} · ");
    let detail = Phrase::plain(detail);
    let detail = with_suspect(picture, detail, number, logged.as_ref());
    let steps = steps::limit_and_judge(headline.first_key());
    Some(Verdict {
        partition: Some(number),
        evidence: [
            ("requests to it throttled (429)", counts_text(&counts, share)),
            ("the others, throttled at most", percent_text(most)),
            ("partitions in requests", count_text(reported.len() as u64)),
        ]
        .map(|(what, value)| fact(what, value, refusals.from.clone()))
        .into(),
        remedies: vec![evidence::measured(share)],
        detail,
        steps,
        key: logged.and_then(|found| found.key),
        ..seen(picture, Rule::HotPartition, Severity::Alarm, headline, unknown(picture))
    })
}

fn unknown(picture: &Picture<'_>) -> Answers {
    Answers::all(RemedyEffect::Unknown, picture.why_no_shares())
}

/// `partition 1  likely tenant-0001`.
fn name_and_key(picture: &Picture<'_>, number: u32, logged: Option<&Verdict>) -> Phrase {
    let name = Phrase::plain(picture.name(number));
    let Some(found) = logged else { return name };
    let is_other = found.partition.is_some_and(|place| place != number);
    let sure = if is_other { "likely " } else { "" };
    let json = found.key.as_deref().and_then(json_of);
    name.and(format!("{GAP}{sure}")).key(json)
}

/// Whose load it is by the RU log. Where that names partitions by other ids it is likely the same one, not known.
fn with_suspect(
    picture: &Picture<'_>,
    said: Phrase,
    number: u32,
    logged: Option<&Verdict>,
) -> Phrase {
    let Some(found) = logged else { return said.and("no log names the keys") };
    let json = found.key.as_deref().and_then(json_of);
    let place = found.partition.filter(|place| *place != number);
    match place.map(|place| picture.name(place)) {
        None => said.key(json).and(" takes most of its RU"),
        Some(place) => said.and("likely ").key(json).and(format!(
            ": {place} of the RU log; which of its partitions this is, no input says"
        )),
    }
}
