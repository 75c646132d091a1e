//! Scale up, split, redistribute RU/s, change the key: what each does, from computed numbers.

use std::fmt::Write as _;

use crate::analysis::demand::remedies::{Remedies, Remedy, RemedyEffect};

use super::picture::Picture;
use super::{Answers, RemedyAnswer};
use crate::model::units::percent_text;

impl RemedyAnswer {
    pub(super) fn new(says: RemedyEffect, why: impl Into<String>) -> Self {
        Self { effect: says, why: why.into(), how: Vec::new(), suffixes: None, adds_id: false }
    }
}

impl Answers {
    /// As people name them.
    pub fn named(&self) -> [(&'static str, &RemedyAnswer); 4] {
        [
            ("scale up", &self.more_ru),
            ("split", &self.split),
            ("redistribute RU/s", &self.redistribute),
            ("change key", &self.new_key),
        ]
    }

    pub(super) fn all(says: RemedyEffect, why: &str) -> Self {
        let answer = || RemedyAnswer::new(says, why);
        Self { more_ru: answer(), split: answer(), redistribute: answer(), new_key: answer() }
    }
}

/// For load that partitions may throttle.
pub fn of_load(picture: &Picture<'_>, remedies: Option<&Remedies>) -> Answers {
    let Some((remedies, now)) = remedies.and_then(|r| Some((r, r.throttled_now()?))) else {
        return Answers::all(RemedyEffect::Unknown, &why_unknown(picture));
    };
    if now <= picture.limits.cured_throttled {
        return Answers::all(RemedyEffect::NotNeeded, &why_not_needed(picture, now));
    }
    let keys = "hash ranges or keys of the load are unknown";
    let named = "no key of the load is reported, or hash ranges are unknown";
    Answers {
        more_ru: scale_up(remedies, now),
        split: split(remedies, now, keys),
        redistribute: of_row(remedies.row("redistribute"), now, keys),
        new_key: of_row(remedies.starting("suffixes-"), now, named),
    }
}

/// `0 % of the RU throttled by this load; partition 3 reaches 97.9 % of its RU/s`.
fn why_not_needed(picture: &Picture<'_>, now: f64) -> String {
    let mut why = format!("{} of the RU throttled", percent_text(now));
    if let Some(hot) = &picture.hot {
        let partition = picture.partition_text(hot.place);
        let highest = percent_text(hot.standing.highest);
        let _ = write!(why, "; {partition} reaches {highest} of its RU/s");
    }
    why
}

/// Why nothing could be computed.
pub fn why_unknown(picture: &Picture<'_>) -> String {
    if picture.physical.capacities.is_none() {
        picture.why_no_shares().to_owned()
    } else {
        "no request log counts the 429s of each partition".to_owned()
    }
}

/// `29 % of RU throttled now → 12 % with 60,000 RU/s on 6 partitions`.
pub fn compared(now: f64, row: &Remedy) -> String {
    let after = row.throttled.map(|t| t.point);
    let after = after.map_or_else(|| "unknown".to_owned(), percent_text);
    format!("{} of RU throttled now → {after} with {}", percent_text(now), row.words)
}

fn of_row(row: Option<&Remedy>, now: f64, unknown: &str) -> RemedyAnswer {
    match row {
        Some(row) if row.throttled.is_some() => RemedyAnswer::new(row.effect, compared(now, row)),
        _ => RemedyAnswer::new(RemedyEffect::Unknown, unknown),
    }
}

fn scale_up(remedies: &Remedies, now: f64) -> RemedyAnswer {
    let unknown = "it would split partitions, and hash ranges or keys of the load are unknown";
    let mut answer = of_row(remedies.scale_up(), now, unknown);
    if remedies.floor > 0.0 && answer.effect != RemedyEffect::Fixes {
        let _ = write!(
            answer.why,
            "; {} stay throttled at any RU/s: one key cannot use more than 10,000 RU/s",
            percent_text(remedies.floor)
        );
    }
    answer
}

/// The better of the two splits, with the numbers of both.
fn split(remedies: &Remedies, now: f64, unknown: &str) -> RemedyAnswer {
    let share = |row: Option<&Remedy>| row?.throttled;
    let (one, all) = (remedies.row("split-hot"), remedies.row("split-all"));
    let (best, other) = match (share(one), share(all)) {
        (Some(of_one), Some(of_all)) if of_all.high < of_one.high => (all, one),
        (Some(_), _) => (one, all),
        (None, _) => (all, one),
    };
    let mut answer = of_row(best, now, unknown);
    if let Some((after, row)) = share(other).zip(other) {
        let after = percent_text(after.point);
        let _ = write!(answer.why, "; {after} with {}", row.words);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::outcome::Interval;

    #[test]
    fn both_splits_have_the_figure_of_the_table() {
        let row = |name: &str, point, high| Remedy {
            name: name.to_owned(),
            words: name.to_owned(),
            throttled: Some(Interval { low: 0.0, point, high }),
            ..Remedy::default()
        };
        let remedies = Remedies {
            rows: vec![row("split-hot", 0.29, 0.3), row("split-all", 0.544, 0.551)],
            floor: 0.0,
        };
        let why = split(&remedies, 0.13, "").why;
        let expected = "13 % of RU throttled now → 29 % with split-hot; 54 % with split-all";
        assert_eq!(why, expected);
    }
}
