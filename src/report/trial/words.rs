//! What text and Markdown share: the rows of the comparison and the sentences around it.

use crate::analysis::candidate::{Candidate, LevelPart};
use crate::analysis::demand::buy::Shortfall;
use crate::analysis::demand::outcome::Interval;
use crate::analysis::growth::LimitDate;
use crate::analysis::routing::Routing;
use crate::analysis::routing::workload::RequestAccess;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::verdict::{Cause, RoutedTrial, cross_reads, fan_out_part};
use crate::analysis::trial::{Share, ToBuy, Today, TopKey, Trial, TrialBasis, Writes};
use crate::model::units::{
    count_text, counted, kib_text, percent_text, range_text, ratio_text, rounded_text, tenths_text,
    whole_text, with_unit,
};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::report::layout::{limit_date_text, optional};

use super::{CandidateReport, KeyRole, TrialReport};

/// A line of the comparison: what is compared, and the cell of a candidate.
pub type CandidateRow = (&'static str, fn(&CandidateReport) -> String);

/// The label of a row by which its figure and its mark are found, too: 429s of requests are another share.
pub const THROTTLED: &str = "throttled, of RU";
pub const CROSS_PARTITION: &str = "cross-partition";
pub const KEYS_PER_QUERY: &str = "keys per query";

/// Those that decide come first.
pub const ROWS: [CandidateRow; 18] = [
    ("verdict", |c| c.verdict.word().to_owned()),
    ("why", |c| c.why(|key| key.into())),
    ("RU/s to buy", |c| ru_to_buy(&c.trial)),
    (THROTTLED, |c| throttled(&c.trial)),
    ("largest key", |c| largest(&c.trial)),
    ("20 GB on", |c| full_on(&c.trial)),
    (CROSS_PARTITION, |c| cross_partition(&c.routed)),
    (KEYS_PER_QUERY, |c| keys_per_query(&c.trial.candidate, &c.routed)),
    ("distinct keys", |c| distinct(&c.trial)),
    ("sample coverage", |c| optional(c.trial.distinct.coverage, percent_text)),
    ("largest share", |c| share_text(&c.trial, c.trial.top_share)),
    ("effective keys, size", |c| optional(c.trial.k_eff, amount)),
    ("hottest key, newest", |c| optional(c.trial.writes.as_ref(), Writes::text)),
    ("active keys/s", |c| {
        let active = c.trial.writes.as_ref().and_then(|w| w.active);
        let least = active.filter(|a| a.at_least).map_or("", |_| "≥ ");
        optional(active.map(|a| a.mean), |mean| format!("{least}{}", amount(mean)))
    }),
    ("imbalance, storage", |c| {
        let placement = &c.trial.placement;
        ratio_within(placement.load_ratio_storage, placement.load_ratio_storage_interval)
    }),
    ("imbalance, RU/s", |c| {
        let placement = &c.trial.placement;
        ratio_within(placement.load_ratio_ru, placement.load_ratio_ru_interval)
    }),
    ("after splits", |c| {
        optional(c.trial.placement.after_splits.as_ref(), |after| {
            let partitions = count_text(after.partitions.len() as u64);
            format!("{partitions} at {}", ratio(after.load_ratio_storage))
        })
    }),
    ("id collisions", |c| {
        let found = c.trial.collisions.as_ref();
        optional(found, |found| count_text(found.documents))
    }),
];

/// How many of the rows decide.
pub const DECISION_ROWS: usize = 8;

/// Rows that documents fill only where no demand is measured.
const OF_WRITES: [&str; 2] = ["hottest key, newest", "active keys/s"];

/// The rows of a comparison that these trials can fill.
pub fn filled<'a, T>(
    rows: &'static [(&'static str, T)],
    mut trials: impl Iterator<Item = &'a Trial>,
) -> impl Iterator<Item = &'static (&'static str, T)> + Clone {
    let has_writes = trials.any(|trial| trial.writes.is_some());
    let is_filled = move |row: &&(&str, T)| has_writes || !OF_WRITES.contains(&row.0);
    rows.iter().filter(is_filled)
}

/// `current /tenantId`, visible.
pub(super) fn name(candidate: &CandidateReport) -> String {
    let key = candidate.trial.candidate.to_string();
    let key = visible(&key);
    match candidate.standing {
        KeyRole::Current => format!("current: {key}"),
        KeyRole::Candidate => key.into_owned(),
    }
}

/// `candidate keys /tenantId reject, /userId good`
pub fn verdicts(report: &TrialReport) -> String {
    const SHOWN: usize = 3;
    let verdict = |c: &CandidateReport| {
        let key = c.trial.candidate.to_string();
        format!("{} {}", visible(&key), c.verdict.word())
    };
    let shown: Vec<String> = report.candidates.iter().take(SHOWN).map(verdict).collect();
    let more = if report.candidates.len() > SHOWN { ", …" } else { "" };
    format!("candidate keys {}{more}", shown.join(", "))
}

/// What was looked at, and on what it is placed.
pub fn summary(report: &TrialReport) -> String {
    let whole = &report.whole;
    let settings = &report.settings;
    let basis = report.candidates.first().map(|c| c.trial.basis);
    let (looked_at, size) = (count_text(whole.looked_at), kib_text(whole.bytes / 1024.0));
    let documents = if let Some(TrialBasis::Statistics { keys, .. }) = basis {
        let keys = count_text(keys);
        format!("Sizes and RU of {keys} logged keys of {size}, without documents")
    } else if whole.is_sample {
        let stands_for = amount(whole.documents);
        let looked_at = with_unit(&looked_at, "document", "documents");
        format!("A sample of {looked_at}, standing for {stands_for} of {size}")
    } else {
        format!("{} of {size}", with_unit(&looked_at, "document", "documents"))
    };
    let weighed = whole.weighed_sentence();
    let weighed = weighed.map_or(String::new(), |said| format!("; {said}"));
    let factor = format!("storage factor {}{weighed}", settings.storage_factor);
    let ru_text = |ru: Option<f64>, before: &str, after: &str| {
        ru.map_or(String::new(), |ru| format!("{before}{} {after}", amount(ru)))
    };
    let ru = ru_text(settings.ru_per_second, " with ", "RU/s provisioned");
    let demand = ru_text(settings.load_ru_per_second, ", ", "RU/s of demand");
    let today = settings.today.as_deref();
    let today = today.filter(|today| today.demand() == settings.load_ru_per_second);
    let behind = ru_text(today.and_then(Today::unserved), ", ", "behind 403s");
    let partitions = settings.partitions as u64;
    let partitions = counted(partitions, "physical partition", "physical partitions");
    format!("{documents} ({factor}), on {partitions}{ru}{demand}{behind}.")
}

/// Whose key is no better than another in anything.
pub fn dominated(report: &TrialReport, candidate: &CandidateReport) -> Option<String> {
    let other = report.candidates.get(candidate.verdict.dominated_by?)?;
    let key = other.trial.candidate.to_string();
    Some(format!("No figure is better than with {}, and some are worse.", visible(&key)))
}

/// Where the queries go.
pub(super) fn routes(candidate: &CandidateReport) -> Vec<[String; 3]> {
    let routed = candidate.routed.iter().map(|routed| {
        [
            visible(&routed.name).into_owned(),
            routing_text(routed.route.routing),
            visible(&routed.reason()).into_owned(),
        ]
    });
    routed.collect()
}

/// Which partitions a request queries: `single-partition`, `targeted (2 of 40)`, `cross-partition (4 of 4)`.
pub fn routing_text(routing: Routing) -> String {
    match routing {
        Routing::Single => "single-partition".to_owned(),
        Routing::Targeted { visits, of } if !routing.is_on_all() => {
            format!("targeted ({} of {})", amount(visits), count_text(of.into()))
        }
        Routing::Targeted { of, .. } | Routing::FanOut { of } => {
            let n = count_text(of.into());
            format!("cross-partition ({n} of {n})")
        }
        Routing::Unknown => "unknown".to_owned(),
    }
}

/// The largest keys: key, size, documents, their share.
pub(super) fn top(trial: &Trial) -> Vec<[String; 4]> {
    let row = |top: &TopKey| {
        [
            key_text(Some(&top.key.json())),
            top.size_text(),
            match trial.basis {
                TrialBasis::Documents => amount(top.documents),
                TrialBasis::Statistics { .. } => "–".to_owned(),
            },
            share_text(trial, top.share),
        ]
    };
    trial.top.iter().map(row).collect()
}

/// Documents that would meet.
pub fn collisions(trial: &Trial) -> Vec<String> {
    let examples = trial.collisions.iter().flat_map(|c| &c.examples);
    let line = |e: &crate::analysis::candidate::legality::IdCollision| {
        let (key, id) = (key_text(Some(&e.key.json())), visible(&e.id));
        format!("{} documents: key {key}, id {id}", count_text(e.documents))
    };
    examples.map(line).collect()
}

pub fn distinct(trial: &Trial) -> String {
    let seen = count_text(trial.distinct.seen);
    if trial.basis != TrialBasis::Documents {
        return format!("≥ {seen}");
    }
    match trial.distinct.range {
        Some([low, high]) if trial.distinct.once > 0 => {
            format!("{} to {}", whole_text(low), short_amount(high))
        }
        _ => seen,
    }
}

/// The date, or the size at which a key stops.
pub(super) fn full_on(trial: &Trial) -> String {
    let ahead = &trial.ahead;
    match (ahead.limit_date, ahead.most_bytes) {
        (LimitDate::Never, Some(_)) => "never".to_owned(),
        (LimitDate::Unknown, _) if trial.is_far_from_limit() => "> 20 years".to_owned(),
        (LimitDate::Unknown, _) if trial.whole.is_assumed => {
            let stored = trial.stored_when_full();
            let at = |bytes: f64| format!("at {} in all", kib_text(bytes / 1024.0));
            stored.map_or_else(|| "unknown".to_owned(), at)
        }
        (limit_date, _) => limit_date_text(&limit_date, ahead.as_of),
    }
}

impl CandidateReport {
    /// What decides the verdict, in a few words; `shown` masks the JSON text of a key where it must be.
    pub fn why(&self, shown: impl Fn(&str) -> Box<str>) -> String {
        let (trial, routed) = (&self.trial, &self.routed[..]);
        match (RoutedTrial { trial, routed }).cause(&self.verdict) {
            None => "–".to_owned(),
            Some(Cause::Words(words)) => words,
            Some(Cause::HotKey(key)) => format!("hot key {}", key_text(Some(&shown(&key)))),
        }
    }
}

pub(super) fn throttled(trial: &Trial) -> String {
    optional(trial.placement.throttled_share, percent_text)
}

/// `15.3 GiB  76 %`, of documents alone `26 % of all`.
pub(super) fn largest(trial: &Trial) -> String {
    if trial.whole.is_assumed {
        let share = trial.largest_bytes / trial.whole.bytes.max(1.0);
        return format!("{} of all", percent_text(share));
    }
    format!("{}  {}", trial.largest_text(), trial.largest_share_text())
}

/// What cross-partition requests take, `46 % of RU`; without rates how many kinds of reads they are, `1 of 4 kinds`.
pub fn cross_partition(routed: &[Routed]) -> String {
    let cross = cross_reads(routed);
    let reads = || routed.iter().filter(|r| r.access == RequestAccess::Read);
    let has = |is: fn(&Routing) -> bool| reads().any(|one| is(&one.route.routing));
    match (cross.of, cross.kinds, fan_out_part(routed)) {
        (0, ..) => "–".to_owned(),
        (_, 0, _) if has(|of| *of == Routing::Unknown) => "unknown".to_owned(),
        (_, 0, _) if has(|of| *of != Routing::Single) => "none; targeted".to_owned(),
        (_, 0, _) => "none".to_owned(),
        (_, _, Some(part)) => format!("{} of RU", percent_text(part)),
        (of, kinds, None) => format!("{kinds} of {of} kinds"),
    }
}

/// How many keys a query for one of today's reads, where suffixes divide it.
fn keys_per_query(candidate: &Candidate, routed: &[Routed]) -> String {
    let reads = routed.iter().filter(|r| r.access == RequestAccess::Read);
    let most = reads.filter_map(|r| r.route.keys).fold(1.0, f64::max);
    let is_suffix =
        |p: &LevelPart| matches!(p, LevelPart::Bucket { .. } | LevelPart::Random { .. });
    let has_suffix = most > 1.0 && candidate.parts().any(is_suffix);
    optional(has_suffix.then_some(most), amount)
}

/// `24,100 (≤ 36,100)`: enough for the keys where they lie and in half of the placements, and in all of them.
pub(super) fn ru_to_buy(trial: &Trial) -> String {
    buy_text(trial.demand.and(trial.to_buy.first()))
}

/// Of a demand that is known.
pub(super) fn buy_text(buy: Option<&ToBuy>) -> String {
    let range = |ru: Interval, least: Option<f64>| {
        let point = range_text(least, ru.point);
        let worst = (ru.high > ru.point * 1.01).then(|| format!(" (≤ {})", whole_text(ru.high)));
        point + &worst.unwrap_or_default()
    };
    match buy.map(|buy| (buy, buy.ru)) {
        Some((buy, Ok(ru))) => range(ru, buy.least) + &buy.money(),
        Some((_, Err(Shortfall::Full))) => "403: no RU/s helps".to_owned(),
        Some(_) => "no RU/s is enough".to_owned(),
        None => "–".to_owned(),
    }
}

/// Of a sample with how far it may be off.
fn ratio_within(value: Option<f64>, interval: Option<[f64; 2]>) -> String {
    let doubt = |([low, high], value): ([f64; 2], f64)| {
        format!(" ±{}", ratio_text((high - value).max(value - low).max(0.0)))
    };
    ratio(value) + &interval.zip(value).map_or(String::new(), doubt)
}

/// Of a sample with how far it may be off.
pub(super) fn share_text(trial: &Trial, found: Share) -> String {
    let text = percent_text(found.share);
    if !trial.whole.is_sample || trial.basis != TrialBasis::Documents {
        return text;
    }
    let [low, high] = found.interval;
    let doubt = (high - found.share).max(found.share - low) * 100.0;
    format!("{text} ±{}", tenths_text(doubt))
}

pub fn ratio(value: Option<f64>) -> String {
    optional(value, ratio_text)
}

/// `394 M`: how many there are in all is never known to the last one.
pub fn short_amount(count: f64) -> String {
    let (step, name) = match count {
        1e9.. => (1e9, "G"),
        1e6.. => (1e6, "M"),
        1e4.. => (1e3, "k"),
        _ => return amount(count),
    };
    let text = match count / step {
        few @ ..10.0 => tenths_text(few),
        many => rounded_text(many),
    };
    format!("{text} {name}")
}

/// One digit after the point while it tells something, then whole and grouped.
pub fn amount(value: f64) -> String {
    if value < 100.0 && (value - value.round()).abs() > 0.05 {
        return tenths_text(value);
    }
    whole_text(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::routing::Route;
    use crate::analysis::trial::verdict::Acceptance;

    #[test]
    fn routing_is_in_terms_of_partitions() {
        let targeted = Routing::Targeted { visits: 2.0, of: 40 };
        let all = [
            (Routing::Single, "single-partition"),
            (targeted, "targeted (2 of 40)"),
            (Routing::FanOut { of: 4 }, "cross-partition (4 of 4)"),
            (Routing::Unknown, "unknown"),
        ];
        for (routing, words) in all {
            assert_eq!(routing_text(routing), words);
        }
    }

    fn read(routing: Routing, keys: f64, per_second: Option<f64>) -> Routed {
        let route = Route { routing, keys: Some(keys), known: Vec::new(), why: String::new() };
        Routed {
            name: "q".to_owned(),
            access: RequestAccess::Read,
            route,
            per_second,
            ru: 10.0,
            price: None,
            secondary: None,
        }
    }

    #[test]
    fn what_crosses_partitions_is_of_ru_where_rates_are_known() {
        let targeted = Routing::Targeted { visits: 2.0, of: 4 };
        let all = Routing::FanOut { of: 1 };
        for (routings, rate, words) in [
            (&[][..], None, "–"),
            (&[Routing::Single], None, "none"),
            (&[Routing::Single, targeted], Some(1.0), "none; targeted"),
            (&[Routing::Single, Routing::Unknown], None, "unknown"),
            (&[Routing::Single, all], None, "1 of 2 kinds"),
            (&[Routing::Single, all], Some(3.0), "50 % of RU"),
        ] {
            let routed = routings.iter().map(|of| read(*of, 1.0, rate));
            assert_eq!(cross_partition(&routed.collect::<Vec<_>>()), words);
        }
    }

    #[test]
    fn keys_per_query_are_those_of_suffixes() {
        let routed = [read(Routing::Single, 10.0, None)];
        for (key, words) in [("/a", "–"), ("/a + \".\" + bucket(/id, 10)", "10")] {
            let found = Candidate::parse(key).map(|key| keys_per_query(&key, &routed));
            assert_eq!(found.ok().as_deref(), Some(words));
        }
    }

    #[test]
    fn verdicts_have_a_word_for_people_and_a_name_for_scripts() {
        for (name, word) in
            [("holds", "good"), ("holds with care", "caution"), ("does not hold", "reject")]
        {
            let found = Acceptance::named(name).map(|known| (known.word(), known.name()));
            assert_eq!(found, Some((word, name)));
        }
        assert_eq!(Acceptance::named("good"), None);
    }

    #[test]
    fn large_amounts_are_short() {
        let texts = [394e6, 8.389e6, 12_345.0, 99.5, 7.0].map(short_amount);
        assert_eq!(texts, ["394 M", "8.4 M", "12 k", "99.5", "7"]);
    }
}
