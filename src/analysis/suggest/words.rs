//! Why a key is proposed and what was left out, in sentences.

use std::fmt::Write as _;

use super::super::candidate::{Level, LevelPart};
use super::super::demand::least::{CURED, is_cured};
use super::super::demand::outcome::Interval;
use super::super::demand::remedies::{NEW_CONTAINER, Remedy, RemedyEffect};
use super::super::diagnosis::steps;
use super::super::routing::Routing;
use super::super::rules::Rule;
use super::super::trial::routes::Routed;
use super::super::trial::verdict::Acceptance;
use super::super::trial::{Settings, ToBuy, Trial, TrialBasis};
use super::ranking::{ScoredKey, load_ratio};
use super::{Proposal, Rejection, Suggestions};
use crate::model::path::Path;
use crate::model::units::{count_text, counted, percent_text, ratio_text, whole_text};
use crate::model::visible::visible;

/// Paths and keys named for each reason, and requests for each key.
const NAMED: usize = 4;
const REQUESTS_NAMED: usize = 2;

impl Proposal {
    /// ``12,000 RU/s instead of 46,000; `orders of a tenant` becomes cross-partition``
    pub fn why(&self, now: Option<&Self>) -> String {
        let said = std::iter::once(self.cost(now)).chain(self.remarks(now));
        said.collect::<Vec<_>>().join("; ")
    }

    /// What is good and bad about it but its cost.
    pub fn remarks(&self, now: Option<&Self>) -> Vec<String> {
        let mut said = Vec::new();
        if self.is_advised {
            said.push("also advised by the diagnosis".to_owned());
        }
        if let Some(from) = self.trial.placement.layout.created_with() {
            let is_split = from < self.trial.placement.partitions.len();
            let from = counted(from as u64, "partition", "partitions");
            let divided = if is_split { ": splits divide its first level" } else { "" };
            said.push(format!("create it with {from}, copy, then raise RU/s{divided}"));
        }
        let (placement, levels) = (&self.trial.placement, &self.trial.levels);
        let judged = placement.partitions.len();
        let few = levels.first().filter(|first| {
            levels.len() > 1
                && first.distinct < judged as u64
                && placement.layout.created_with().is_none()
        });
        said.extend(few.map(|first| {
            let values = counted(first.distinct, "value", "values");
            format!("its first level has only {values} for {judged} partitions: some stay empty until splits")
        }));
        said.extend(self.reads(now));
        let first = self.candidate.levels.first().and_then(Level::path);
        let first = first.filter(|_| self.visits.is_none() && self.candidate.levels.len() > 1);
        said.extend(first.map(|path| format!("a query by {path} alone stays on its partitions")));
        for part in self.candidate.parts() {
            if let LevelPart::Bucket { path, buckets } = part {
                let n = count_text(buckets.get().into());
                let mut of = self.routed.iter().map(|one| one.route.routing);
                let is_on_all = of.any(|of| of.is_on_all() && !of.is_cross_partition());
                let on = ["", ", on all partitions"][usize::from(is_on_all)];
                said.push(format!("readers that do not know {path} query {n} keys{on}"));
            }
        }
        if !self.candidate.is_stored() {
            said.push("the application writes it as a property of its own".to_owned());
        }
        said
    }

    /// RU/s to buy for the demand; none where it is not known, or none are enough, as where a key is full.
    pub fn ru(&self) -> Option<Interval> {
        self.trial.demand?;
        self.trial.to_buy.first()?.ru.ok()
    }

    /// RU/s to buy if the demand, which is not known, were one of three.
    fn if_demand(&self) -> Option<String> {
        let trial = &self.trial;
        let buys = trial.to_buy.iter().filter(|_| trial.demand.is_none());
        let needed = buys.map(|buy| {
            let ru = buy.ru.ok().map_or("no number of".to_owned(), |ru| whole_text(ru.point));
            format!("{ru} RU/s at {} of demand", whole_text(buy.demand))
        });
        let needed: Vec<String> = needed.collect();
        let key = self.candidate.to_string();
        (!needed.is_empty()).then(|| {
            let (key, needed) = (visible(&key), needed.join(", "));
            format!("Demand unknown (--load or :load gives it): {key} needs {needed}.")
        })
    }

    /// RU/s to buy, or how even it is.
    pub fn cost(&self, now: Option<&Self>) -> String {
        let Some(ru) = self.ru() else {
            let ratio = load_ratio(&self.trial);
            let used = percent_text(1.0 / ratio);
            let ratio = ratio_text(ratio);
            if self.trial.to_buy.is_empty() {
                return format!("imbalance ×{ratio}");
            }
            return format!("imbalance ×{ratio}, {used} of provisioned RU/s usable");
        };
        let instead = now.and_then(Self::ru).map_or_else(String::new, |now| {
            if whole_text(now.point) == whole_text(ru.point) {
                return ", the same as now".to_owned();
            }
            format!(" instead of {}", whole_text(now.point))
        });
        let range = if ru.point < ru.high {
            format!(" (up to {} by placement)", whole_text(ru.high))
        } else {
            String::new()
        };
        let buy = self.trial.to_buy.first();
        let money = buy.map(ToBuy::money).unwrap_or_default();
        format!("{} RU/s{instead}{range}{money}", whole_text(ru.point))
    }

    /// Requests that are cross-partition, and with the current key were not, or were and are no longer; without one all that
    /// are.
    fn reads(&self, now: Option<&Self>) -> Vec<String> {
        let becomes = now.map_or("is", |_| "becomes");
        let before = |at: usize| now.and_then(|now| Some(&now.routed.get(at)?.route.routing));
        let said = |change: &str, is: fn(&Routed, Option<&Routing>) -> bool| {
            let routed = self.routed.iter().enumerate();
            let changed = routed.filter(|(at, routed)| is(routed, before(*at)));
            let mut said: Vec<String> = changed
                .map(|(_, routed)| format!("`{}` {becomes} {change}", visible(&routed.name)))
                .collect();
            let more = said.len().saturating_sub(REQUESTS_NAMED);
            said.truncate(REQUESTS_NAMED);
            if let Some(last) = said.last_mut().filter(|_| more > 0) {
                _ = write!(last, " and {} more", count_text(more as u64));
            }
            said
        };
        let mut all = said("cross-partition", Routed::becomes_cross_partition);
        all.extend(said("single-partition", Routed::becomes_single_partition));
        all
    }
}

/// What a container with the key of a trial does to what is throttled now, with the RU/s of now where they are enough; None
/// where demand is not known or no RU/s are enough.
pub fn remedy(trial: &Trial, settings: &Settings) -> Option<Remedy> {
    let today = settings.today.as_deref()?;
    let now = today.now.as_deref()?;
    let before = now.throttled()?;
    let ru = trial.to_buy.first()?.ru.ok()?;
    trial.demand?;
    let as_it_is = trial.placement.throttled_share.zip(settings.ru_per_second);
    let as_it_is = as_it_is.filter(|(share, _)| is_cured(*share, now.cured));
    let (share, provisioned) = as_it_is.unwrap_or((CURED, ru.point));
    let after = Interval { point: share, low: 0.0, high: share };
    let key = &trial.candidate;
    let enough = whole_text(ru.point);
    let on = match trial.basis {
        TrialBasis::Documents => "documents",
        TrialBasis::Statistics { .. } => "logged keys",
    };
    let tried = format!("the key {key}: {enough} RU/s are enough, as tried on the {on}");
    Some(Remedy {
        name: "change-key".to_owned(),
        words: format!("a container with the key {key} and {enough} RU/s"),
        throttled: Some(after),
        imbalance: trial.placement.load_ratio_ru,
        ru_per_second: Some(provisioned),
        takes: NEW_CONTAINER,
        effect: if today.is_full() {
            RemedyEffect::Fixes
        } else {
            RemedyEffect::of(before.point, after.high, now.cured)
        },
        detail: Some(key.to_string()),
        how: [tried].into_iter().chain(steps::to_key(key)).collect(),
        ..Remedy::default()
    })
}

/// Why a key by itself is not proposed.
pub(super) fn natural(one: &ScoredKey, dropped: Option<Rejection>) -> String {
    let mut said = Vec::new();
    said.extend(dropped.map(|why| why.words().to_owned()));
    said.push(format!("its largest share is {}", percent_text(one.trial.top_share.share)));
    said.push(format!("imbalance ×{}", ratio_text(load_ratio(&one.trial))));
    if one.trial.demand.is_some() && one.ru(0).is_finite() {
        said.push(format!("{} RU/s to buy", whole_text(one.ru(0))));
    }
    said.join(", ")
}

pub(super) fn natural_sentence(
    path: &Path,
    share: f64,
    why: &str,
    below: Option<(&Proposal, usize)>,
) -> String {
    let path = path.to_string();
    let below = below.map_or_else(String::new, |(proposal, at)| {
        let key = proposal.candidate.to_string();
        let how = if proposal.candidate.levels.len() > 1 {
            "as first level"
        } else {
            "with more in the key"
        };
        format!("; {how}: {} (proposal {at})", visible(&key))
    });
    format!(
        "{} is in {} of the reads, not proposed alone: {why}{below}.",
        visible(&path),
        percent_text(share)
    )
}

impl Suggestions {
    /// What was tried, what not, and why; names of properties are as in the documents.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = Vec::new();
        let is_good = (self.now.as_ref()).is_some_and(|now| now.standing == Acceptance::Good);
        let is_none = self.proposals.is_empty() && self.is_complete;
        let good = if is_none {
            "Today's key is good, and nothing that was tried is better."
        } else {
            "Today's key is good: a move is worth only what another key gains."
        };
        said.extend(is_good.then(|| good.to_owned()));
        said.push(self.tried_sentence());
        said.extend(self.caution_first().map(str::to_owned));
        said.extend(self.natural.clone());
        // Unlike for those proposed.
        let is_only_way =
            (self.now.as_ref()).is_some_and(|now| now.trial.demand.is_some() && now.ru().is_none());
        let is_only_way = is_only_way && self.proposals.iter().any(|one| one.ru().is_some());
        let is_full = self.now.as_ref().is_some_and(|now| now.trial.is_full());
        let why = if is_full {
            "Today's key is full: its writes get 403, whatever the RU/s."
        } else {
            "No RU/s is enough for today's key."
        };
        said.extend(is_only_way.then(|| why.to_owned()));
        said.extend(self.proposals.first().and_then(Proposal::if_demand));
        if !self.dropped.is_empty() {
            let dropped = self.dropped.iter().map(|(why, keys)| match why {
                Rejection::TooLarge | Rejection::TooHot | Rejection::NoRu => {
                    format!("{} ({})", why.words(), named(keys))
                }
                _ => format!("{} ({})", why.words(), count_text(keys.len() as u64)),
            });
            let dropped: Vec<String> = dropped.collect();
            said.push(format!("Not proposed: {}.", dropped.join("; ")));
        }
        let unfit = self.unfit.iter();
        let unfit = unfit.map(|(why, paths)| format!("{} ({})", why.words(), named(paths)));
        let unfit: Vec<String> = unfit.collect();
        if !unfit.is_empty() {
            said.push(format!("Paths left out: {}.", unfit.join("; ")));
        }
        said
    }

    /// What decides, where nobody told what is read.
    pub fn head(&self) -> Option<String> {
        let first = self.proposals.first();
        let unread = first.filter(|first| first.visits.is_none());
        unread.map(|_| {
            "Reads decide, and are unknown: --queries or :queries gives them. Until then properties that documents share are \
             first; /id finds nothing but itself."
                .to_owned()
        })
    }

    /// Why a caution stands before good keys.
    fn caution_first(&self) -> Option<&'static str> {
        let first = self.proposals.first().filter(|one| one.visits.is_some())?;
        let is_serverless = first.trial.to_buy.is_empty();
        let is_good = |one: &&Proposal| one.standing == Acceptance::Good;
        let good = self.proposals.iter().find(is_good)?;
        if is_good(&first) {
            return None;
        }
        let by_name = Rule::MutableName.name().replace('-', " ");
        Some(if first.because == Some(by_name) {
            "A caution is first: only its name speaks against it. Check that its values never change."
        } else if good.because.is_some() {
            "A caution is first: good keys make most reads cross-partition."
        } else if is_serverless {
            return None;
        } else {
            "A caution is first: good keys need more RU/s."
        })
    }

    fn tried_sentence(&self) -> String {
        let keys = match self.tried {
            1 => "1 key was tried".to_owned(),
            n => format!("{} keys were tried", count_text(n as u64)),
        };
        let on = self.searched_on.map_or(String::new(), |n| {
            format!(" on a sample of {} documents, those proposed on all", count_text(n as u64))
        });
        let growth = self.partitions.map_or(String::new(), |[judged, grown]| {
            let [new, judged, grown] = [judged / 2, judged, grown].map(|n| count_text(n as u64));
            format!(
                " Growth leads from {new} partitions to {grown} within a year: keys were compared on {judged}."
            )
        });
        let rest = match (self.not_tried, self.is_complete) {
            (0, _) => String::new(),
            (n, true) => format!("; {} longer ones were not", count_text(n as u64)),
            (n, false) => format!("; stopped with {} to go", count_text(n as u64)),
        };
        let none = if self.proposals.is_empty() { " None of them can be proposed." } else { "" };
        format!("{keys}{on}{rest}.{growth}{none}")
    }
}

fn named<T: ToString>(all: &[T]) -> String {
    let some = all.iter().take(NAMED);
    let some: Vec<String> = some.map(|one| visible(&one.to_string()).into_owned()).collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", count_text(more as u64)),
    };
    some.join(", ") + &more
}
