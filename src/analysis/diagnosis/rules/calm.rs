//! Rules that strike where nothing is wrong: healthy, or not enough data to tell.

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::text::{ru_text, span_text};
use crate::analysis::diagnosis::{Answers, Phrase, Verdict};
use crate::analysis::findings::Severity;
use crate::model::units::{counted, percent_text};

use crate::analysis::rules::Rule;

use super::{bare, fact, seen};

pub(super) fn healthy(picture: &Picture<'_>) -> Option<Verdict> {
    let shares = picture.shares.as_ref()?;
    let hot = picture.hot.as_ref();
    let is_calm = hot.is_none_or(|hot| hot.is_even && is_within_health(picture));
    if !is_calm || picture.is_fan_out() || !knows_enough(picture) {
        return None;
    }
    let attempts = picture.attempts.as_ref();
    let place = shares.hottest(&picture.physical, attempts)?;
    let standing = shares.standing(place)?;
    let throttled = attempts.and_then(|r| r.all.throttled_share());
    let refusals = match throttled {
        Some(share) if share > 0.0 => format!(
            "; {} of requests throttled (429); up to {} is healthy on even partitions",
            percent_text(share),
            percent_text(picture.limits.healthy_throttled)
        ),
        Some(_) => "; no 429s".to_owned(),
        None => "; 429s unknown".to_owned(),
    };
    let window = span_text(shares.window.1.saturating_sub(shares.window.0));
    let remedies = picture.remedies(&[]);
    let now = remedies.as_ref().and_then(|r| r.row("now"));
    let remedies = now.cloned().into_iter().collect();
    let mut evidence = vec![fact(
        "RU/s share of the hottest partition, p99",
        percent_text(standing.p99),
        shares.track.from.clone(),
    )];
    if let Some((attempts, share)) = attempts.zip(throttled) {
        evidence.push(fact("requests throttled (429)", percent_text(share), &attempts.from));
    }
    if let Some(ru) = picture.ru_per_second() {
        evidence.push(fact("RU/s of the container", ru_text(ru), picture.heat.ru_from.words()));
    }
    let headline = Phrase::plain(format!(
        "the hottest of {}, {}, is at {} (p99, {window}){refusals}",
        counted(picture.physical.len() as u64, "partition", "partitions"),
        picture.partition_text(place),
        percent_text(standing.p99)
    ));
    let answers = Answers::all(RemedyEffect::NotNeeded, "nothing is hot");
    Some(Verdict {
        partition: picture.physical.number(place),
        evidence,
        remedies,
        ..seen(picture, Rule::Healthy, Severity::Note, headline, answers)
    })
}

/// Up to so many 429 are healthy on even partitions.
pub(super) fn is_within_health(picture: &Picture<'_>) -> bool {
    let measured = picture.attempts.as_ref().and_then(|r| r.all.throttled_share());
    measured.is_some_and(|share| share <= picture.limits.healthy_throttled)
}

fn knows_enough(picture: &Picture<'_>) -> bool {
    let seconds = picture.limits.enough_minutes * 60.0;
    let reported = picture.shares.as_ref().map(|s| s.window.1.saturating_sub(s.window.0));
    reported.is_some_and(|s| f64::from(i32::try_from(s).unwrap_or(i32::MAX)) >= seconds)
}

/// Which input names the partitions.
fn partitions_from(picture: &Picture<'_>) -> String {
    match picture.heat.tracks.first() {
        _ if !picture.container.partitions.is_empty() => {
            "descriptions of partitions or statistics".to_owned()
        }
        Some(track) => track.from.clone(),
        None => "no input names one".to_owned(),
    }
}

pub(super) fn not_enough_data(picture: &Picture<'_>) -> Option<Verdict> {
    if knows_enough(picture) || picture.hot.is_some() {
        return None;
    }
    let why = picture.why_no_shares();
    let what = if picture.shares.is_some() {
        "load is known for a moment only: too short to judge".to_owned()
    } else if !picture.heat.keys.cells().is_empty() {
        format!("RU are logged; {why}")
    } else if picture.attempts.is_some() {
        format!("requests are logged; {why}")
    } else {
        "no input has load by partition: neither metrics nor RU logs".to_owned()
    };
    let answers = Answers::all(RemedyEffect::Unknown, "load is not known");
    let known = picture.physical.len().to_string();
    Some(Verdict {
        evidence: vec![fact("partitions known", known, partitions_from(picture))],
        as_of: picture.as_of(),
        steps: steps::switch_on(),
        ..bare(Rule::NotEnoughData, Severity::Note, Phrase::plain(what), answers)
    })
}
