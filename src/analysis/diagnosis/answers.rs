//! More RU/s? split? redistribute? another key? Each answer from computed numbers.

use std::fmt::Write as _;

use super::picture::Picture;
use super::text::{ru_text, share_text};
use super::thresholds::Thresholds;
use super::what_if::{Case, Remedies, compared};
use super::{Answer, Answers, Says};

impl Answer {
    pub(super) fn new(says: Says, why: impl Into<String>) -> Self {
        Self {
            says,
            why: why.into(),
        }
    }
}

impl Answers {
    pub(super) fn all(says: Says, why: &str) -> Self {
        let answer = || Answer::new(says, why);
        Self {
            more_ru: answer(),
            split: answer(),
            redistribute: answer(),
            new_key: answer(),
        }
    }
}

/// Whether a remedy cures, from what is refused now and after it.
pub fn judge(now: f64, after: f64, limits: &Thresholds) -> Says {
    if now <= limits.cured_refused {
        Says::NotNeeded
    } else if after <= limits.cured_refused {
        Says::Yes
    } else if after <= now / 2.0 {
        Says::Partly
    } else {
        Says::No
    }
}

/// For load that its partitions may refuse.
pub fn of_load(picture: &Picture<'_>, remedies: Option<&Remedies>) -> Answers {
    let Some(remedies) = remedies else {
        return Answers::all(Says::Unknown, &why_unknown(picture));
    };
    let limits = picture.limits;
    let refused = remedies.now.refused();
    if let Some(now) = refused.filter(|now| *now <= limits.cured_refused) {
        return Answers::all(Says::NotNeeded, &why_not_needed(picture, now));
    }
    Answers {
        more_ru: more_ru(remedies, limits),
        split: split(remedies, limits),
        redistribute: told(
            &remedies.redistributed,
            remedies,
            limits,
            "the load of the partitions is not known",
        ),
        new_key: new_key(picture, remedies),
    }
}

/// `0 % refused by the load as logged; partition 3 asks for 97.9 % of its RU/s at most`.
fn why_not_needed(picture: &Picture<'_>, now: f64) -> String {
    let mut why = format!("{} of the RU refused by this load", share_text(now));
    if let Some(hot) = &picture.hot {
        let partition = picture.partition_text(hot.place);
        let highest = share_text(hot.standing.highest);
        let _ = write!(why, "; {partition} is at {highest} of its RU/s at most");
    }
    why
}

/// Why nothing could be computed.
pub fn why_unknown(picture: &Picture<'_>) -> String {
    if picture.physical.capacities.is_none() {
        picture.why_no_shares().to_owned()
    } else {
        "partitions gave all they could, and no request log tells what they refused".to_owned()
    }
}

fn told(case: &Case, remedies: &Remedies, limits: &Thresholds, unknown: &str) -> Answer {
    match (remedies.now.refused(), case.refused()) {
        (Some(now), Some(after)) => {
            Answer::new(judge(now, after, limits), compared(&remedies.now, case))
        }
        _ => Answer::new(Says::Unknown, unknown),
    }
}

fn more_ru(remedies: &Remedies, limits: &Thresholds) -> Answer {
    let unknown = "it would split partitions, and hash ranges or keys of the load are not known";
    let answer = told(&remedies.double_ru, remedies, limits, unknown);
    if remedies.floor > limits.cured_refused {
        let why = format!(
            "{} stay refused at any RU/s: a key asks for more than the 10,000 RU/s of any partition; {}",
            share_text(remedies.floor),
            answer.why
        );
        return Answer::new(Says::No, why);
    }
    match remedies.needed_ru {
        // Unequal shares refuse what the same RU/s would serve.
        Some(needed) if needed <= remedies.ru_per_second => Answer::new(
            Says::NotNeeded,
            format!(
                "{}, shared equally, would do on the same partitions",
                ru_text(needed.ceil())
            ),
        ),
        Some(needed) if needed < remedies.ru_per_second * 2.0 => {
            let enough = format!("{} would do on the same partitions", ru_text(needed.ceil()));
            let known = remedies.double_ru.refused().map(|_| answer.why);
            let why = known.map_or_else(|| enough.clone(), |known| format!("{known}; {enough}"));
            Answer::new(Says::Yes, why)
        }
        _ => answer,
    }
}

/// The better of the two splits, with the numbers of both.
fn split(remedies: &Remedies, limits: &Thresholds) -> Answer {
    let unknown = "hash ranges or keys of the load are not known";
    let (one, all) = (&remedies.split_hot, &remedies.double_partitions);
    let (best, other) = match (one.refused(), all.refused()) {
        (Some(one_after), Some(all_after)) if all_after < one_after => (all, one),
        (Some(_), _) => (one, all),
        (None, _) => (all, one),
    };
    let mut answer = told(best, remedies, limits, unknown);
    if let Some(after) = other.refused() {
        let more = format!("; {} {}", share_text(after), other.words);
        answer.why.push_str(&more);
    }
    answer
}

fn new_key(picture: &Picture<'_>, remedies: &Remedies) -> Answer {
    match &remedies.spread {
        Some(case) => told(case, remedies, picture.limits, "the key cannot be placed"),
        None => Answer::new(
            Says::Unknown,
            "no key is named whose load could be spread, or hash ranges are not known",
        ),
    }
}
