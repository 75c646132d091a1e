//! The answer in sentences.

use super::{JOINT, KnownGrowth, Suffix, SuffixAnswer, SuffixObstacle, SuffixPlan, Worst};
use crate::model::units::{amount_text, count_text, kib_text, percent_text, whole_text};

impl SuffixPlan {
    /// What the least number is and why, then what it costs.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = vec![self.goal_sentence(), self.answer()];
        said.push(self.growth_sentence());
        said.extend(self.price_sentence());
        let is_more = matches!(self.least, SuffixAnswer::Found { n, .. } if n > self.by_division);
        if self.is_sample && is_more {
            said.push(format!(
                "The documents are a sample in which each stands for {}: with few documents a key the largest is \
                 overstated, so the true least number lies between {} and the one found.",
                kib_text(self.document_bytes / 1024.0),
                count_text(self.by_division.into())
            ));
        }
        if !self.is_complete {
            said.push("Stopped before all was tried.".to_owned());
        }
        said
    }

    fn goal_sentence(&self) -> String {
        let bytes = kib_text(self.goal.bytes / 1024.0);
        let ru = whole_text(self.goal.ru_per_second);
        let load = match self.now.ru_per_second {
            Some(_) => format!(" and {ru} RU/s"),
            None => "; RU/s of the busiest key are unknown without --load".to_owned(),
        };
        let until = self.goal.until.map_or(String::new(), |until| {
            format!(" until {}", until.date_text())
        });
        format!("Every key is to stay under {bytes}{load}{until}.")
    }

    fn answer(&self) -> String {
        let now = worst_text(&self.now);
        match self.least {
            SuffixAnswer::AsItIs => self.as_it_is(&now),
            SuffixAnswer::Found { n, is_proven } => self.found(n, is_proven, &now),
            SuffixAnswer::None(obstacle) => self.none(obstacle, &now),
            SuffixAnswer::Stopped if self.by_division == 0 => {
                "Stopped before anything was known of the key.".to_owned()
            }
            SuffixAnswer::Stopped => format!(
                "Stopped before a number was found; as it is {now}, so fewer than {} cannot be enough.",
                count_text(self.by_division.into())
            ),
        }
    }

    /// Keys within their limits may meet on a partition.
    fn as_it_is(&self, now: &str) -> String {
        let row = |n: u32| self.rows.iter().find(|row| row.n == n);
        let advised = self.advised();
        let better = advised.and_then(|n| Some((n, row(1)?.throttled_share?, row(n)?.throttled?)));
        match better {
            Some((n, share, after)) => format!(
                "{} suffixes: {} throttled instead of {}. Each key is within its limits as it is ({now}), but they \
                 share partitions.",
                count_text(n.into()),
                at_most(after),
                percent_text(share)
            ),
            None => format!("No suffix is needed: {now}."),
        }
    }

    fn found(&self, n: u32, is_proven: bool, now: &str) -> String {
        let why = self.decides.map_or("", |d| d.word());
        let sure = if is_proven {
            String::new()
        } else {
            " (found by halving: a smaller one can be enough by chance)".to_owned()
        };
        let with = |n: u32| {
            let row = self.rows.iter().find(|row| row.n == n)?;
            let throttled = row.throttled.map_or(String::new(), |share| {
                format!("; {} throttled", at_most(share))
            });
            let worst = worst_text(&row.worst);
            Some(format!(
                " With {}, {worst}{throttled}.",
                count_text(n.into())
            ))
        };
        let advised = self.advised().filter(|advised| *advised > n);
        let with: String = [Some(n), advised]
            .into_iter()
            .flatten()
            .filter_map(with)
            .collect();
        let n = count_text(n.into());
        let first = advised.map_or_else(
            || format!("{n} suffixes are the least that do"),
            |advised| {
                let advised = count_text(advised.into());
                format!("{advised} suffixes are the least with hardly anything throttled; {n} keep every key under its limits")
            },
        );
        format!(
            "{first}{sure}; {why} decides. As it is, {now}: by division it takes at least {}.{with}",
            count_text(self.by_division.into())
        )
    }

    fn none(&self, obstacle: SuffixObstacle, now: &str) -> String {
        let why = match (obstacle, &self.suffix) {
            (SuffixObstacle::NoValue, _) => {
                "documents without a value share one key, and nothing joined to no value parts them"
                    .to_owned()
            }
            (SuffixObstacle::OneValue, Suffix::Bucket(path)) => format!(
                "documents of one value of {path} are too many by themselves, and always share a bucket; random suffixes \
                 part them"
            ),
            (SuffixObstacle::OneValue, Suffix::Random) => "one value is too large".to_owned(),
            (SuffixObstacle::TooMany, _) => format!(
                "it takes {} by division, more than there are documents or suffixes",
                count_text(self.by_division.into())
            ),
            (SuffixObstacle::SampleTooSmall, _) => format!(
                "by division at least {} are needed, and the sample has too few documents for each: one stands \
                 for {}. A larger sample can show it",
                count_text(self.by_division.into()),
                kib_text(self.document_bytes / 1024.0)
            ),
            (SuffixObstacle::NoRoom, _) => "the last level has as many parts as it can".to_owned(),
        };
        let head = match obstacle {
            SuffixObstacle::SampleTooSmall => "How many suffixes are enough is unknown",
            _ => "No number of suffixes is enough",
        };
        format!("{head}: {why}. As it is, {now}.")
    }

    fn growth_sentence(&self) -> String {
        let from = |from: crate::model::time::Stamp| from.date_text();
        match self.growth {
            KnownGrowth::NotProjected => "Sizes are those of now; --until DATE lets them grow.".to_owned(),
            KnownGrowth::Unknown => {
                "Sizes are those of now: the documents do not show how fast they come (no time, or less than a day of it); \
                 --growth with --as-of does."
                    .to_owned()
            }
            KnownGrowth::Given { days } => format!(
                "Sizes grow for {} as given, each key in proportion to its size.",
                days_text(days)
            ),
            KnownGrowth::GoesOn { from: first, .. } => format!(
                "Sizes grow on as they did since {}: keys that are written now go on until then.",
                from(first)
            ),
            KnownGrowth::LivesDays { from: first, days, .. } => format!(
                "No key is written for more than {} (documents since {}): only those not yet that old grow.",
                days_text(days),
                from(first)
            ),
        }
    }

    fn price_sentence(&self) -> Option<String> {
        let n = self.advised()?;
        let row = self.rows.iter().find(|row| row.n == n)?;
        let keys = count_text(n.into());
        let ask = format!(
            "a query for all of a key's documents names {keys} keys on {} of {} physical partitions, at least {} RU",
            whole_text(row.read.visits),
            count_text(self.partitions as u64),
            amount_text(row.read.ru)
        );
        Some(match &self.suffix {
            Suffix::Random => format!(
                "The price: {ask}; one document whose suffix is not remembered takes up to {keys} point reads. A bucket of \
                 a property that readers know takes 1."
            ),
            Suffix::Bucket(path) => format!(
                "The price: {ask}; a client that knows {path} computes the suffix and reads 1 key (joined by \"{JOINT}\")."
            ),
        })
    }
}

/// `nothing`, or `at most 2.5 %`.
fn at_most(share: f64) -> String {
    if share > 0.0 {
        format!("at most {}", percent_text(share))
    } else {
        "nothing".to_owned()
    }
}

fn worst_text(worst: &Worst) -> String {
    let bytes = kib_text(worst.bytes / 1024.0);
    match worst.ru_per_second {
        Some(ru) => format!(
            "the largest key holds {bytes} and the hottest needs {} RU/s",
            whole_text(ru)
        ),
        None => format!("the largest key holds {bytes}"),
    }
}

fn days_text(days: f64) -> String {
    if days < 1.0 / 24.0 {
        "an hour".to_owned()
    } else if days < 2.0 {
        format!("{} hours", whole_text(days * 24.0))
    } else {
        format!("{} days", whole_text(days))
    }
}
