//! The answer in sentences.

use super::{
    DecidingLimit, KnownGrowth, Suffix, SuffixAnswer, SuffixObstacle, SuffixPlan, SuffixRow,
    VERY_UNEVEN, Worst, is_healthy,
};
use crate::analysis::candidate::JOINT;
use crate::analysis::design::time_text;
use crate::model::query_text::shell_word;
use crate::model::units::{
    amount_text, count_text, kib_text, percent_text, rounded_text, whole_text,
};

impl SuffixPlan {
    /// How many suffixes to take and what they do: read before the table.
    pub fn answer(&self) -> Vec<String> {
        match self.least {
            SuffixAnswer::AsItIs => self.as_it_is(),
            SuffixAnswer::Found { n, .. } => self.found(n),
            SuffixAnswer::None(why @ SuffixObstacle::Reads) => self.not_cured(self.none(why)),
            SuffixAnswer::None(obstacle) => vec![self.none(obstacle)],
            SuffixAnswer::Stopped if self.by_division == 0 => {
                vec!["Stopped before anything was known of the key.".to_owned()]
            }
            SuffixAnswer::Stopped => vec!["Stopped before a number was found.".to_owned()],
        }
    }

    /// Why no fewer, how sure it is and what it costs.
    pub fn sentences(&self) -> Vec<String> {
        let limits = match self.now.ru_per_second {
            Some(_) => "",
            None => "; RU/s of the hottest key are unknown without --load",
        };
        let mut said = vec![format!("Limits of a key here: {}{limits}.", self.limits())];
        said.push(self.at_least());
        let is_cured = self.cures();
        let is_open = matches!(self.least, SuffixAnswer::Found { is_proven: false, .. });
        if is_open && is_cured {
            said.push("Fewer can be enough: not every number was tried.".to_owned());
        }
        said.push(self.growth_sentence());
        if is_cured {
            said.extend(self.price());
        }
        if self.suffix == Suffix::Random && !self.rows.is_empty() {
            said.push(format!(
                "Tried as a text joined by \"{JOINT}\"; another separator gives other hashes, and few keys then share \
                 partitions in another way."
            ));
        }
        let is_more = matches!(self.least, SuffixAnswer::Found { n, .. } if n > self.by_division);
        if self.is_sample && is_more && is_cured {
            said.push(format!(
                "One document of the sample stands for {}: sizes of the largest keys are overstated, and fewer suffixes \
                 can be enough.",
                kib_text(self.document_bytes / 1024.0)
            ));
        }
        if !self.is_complete {
            said.push("Stopped before all was tried.".to_owned());
        }
        said
    }

    /// `14.0 GiB and 7,000 RU/s until 2027-01-01`
    fn limits(&self) -> String {
        let bytes = kib_text(self.goal.bytes / 1024.0);
        let load = (self.now.ru_per_second).map_or(String::new(), |_| {
            format!(" and {} RU/s", whole_text(self.goal.ru_per_second))
        });
        let until = (self.goal.until)
            .map_or(String::new(), |until| format!(" until {}", until.date_text()));
        format!("{bytes}{load}{until}")
    }

    /// What the worst key needs as it is; of a later date as large as it is then.
    fn at_least(&self) -> String {
        let n = count_text(self.by_division.into());
        let of = match (self.decides, self.now.ru_per_second) {
            (Some(DecidingLimit::Load), Some(ru)) => {
                format!("the hottest key needs {} RU/s", whole_text(ru))
            }
            (Some(_), _) => format!("the largest key holds {}", kib_text(self.now.bytes / 1024.0)),
            (None, _) => return format!("Without a suffix {}.", worst_text(&self.now)),
        };
        let then = (self.goal.until).map_or(String::new(), |at| format!(" on {}", at.date_text()));
        format!("Without a suffix {of}{then}: at least {n} suffixes.")
    }

    /// Keys within their limits may meet on a partition.
    fn as_it_is(&self) -> Vec<String> {
        let throttled = self.row(1).and_then(|row| row.throttled_share);
        let throttled = throttled.filter(|share| !is_healthy(Some(*share)));
        let better = self.advised().and_then(|n| {
            let shares = [self.row(1)?.throttled_share?, self.row(n)?.throttled?];
            let most = if shares[1] > 0.0 { "at most " } else { "" };
            let [share, after] = shares.map(percent_text);
            Some((n, [share, most.to_owned() + &after]))
        });
        match (better, throttled) {
            (Some((n, [share, after])), _) => vec![format!(
                "{} suffixes: {after} throttled instead of {share}. Each key is within its limits as it is, but \
                 they share partitions.",
                count_text(n.into())
            )],
            (None, Some(share)) => self.not_cured(format!(
                "No number here cures the {} throttled today. Each key is within its limits: {}.",
                percent_text(share),
                worst_text(&self.now)
            )),
            (None, None) => vec![format!("No suffix is needed: {}.", worst_text(&self.now))],
        }
    }

    fn not_cured(&self, said: String) -> Vec<String> {
        let way = format!(
            "Reads that do not know a random suffix query every one. Buckets of a property that readers know avoid it: \
             trial --least-suffix {} --bucket-of /id.",
            shell_word(&self.key.to_string())
        );
        let way = (self.suffix == Suffix::Random).then_some(way);
        let today = self.row(1).and_then(|row| row.to_buy.as_ref());
        let buy = today.and_then(|buy| buy.ru.ok()).map(|ru| {
            let ru = whole_text(ru.point);
            format!("Without a suffix {ru} RU/s are enough: at most 1 % throttled.")
        });
        std::iter::once(said).chain(way).chain(buy).collect()
    }

    fn found(&self, n: u32) -> Vec<String> {
        let limits = self.limits();
        let advised = self.advised().unwrap_or(n);
        let [least, count] = [n, advised].map(|n| count_text(n.into()));
        let Some(row) = self.row(advised) else {
            return vec![format!("{least} suffixes keep every key under {limits}.")];
        };
        let worst = worst_text(&row.worst);
        if !self.cures() {
            let share = percent_text(row.throttled_share.unwrap_or_default());
            let before = self.row(1).and_then(|row| row.throttled_share);
            let before = before.map_or(String::new(), |share| {
                format!(" ({} with today's key)", percent_text(share))
            });
            return self.not_cured(format!(
                "No number here cures it: {count} suffixes keep every key under {limits}, but {share} of the RU are \
                 throttled{before}."
            ));
        }
        if advised == n {
            return vec![format!("{count} suffixes keep every key under {limits}: {worst}.")];
        }
        let closer = self.row_of_estimate(n).map_or(String::new(), |row| {
            if is_healthy(row.throttled) {
                let mean = rounded_text(VERY_UNEVEN);
                return format!(
                    " With fewer than {count}, writes go to too few keys at a time, or a partition gets more than {mean} × the mean load."
                );
            }
            let n = count_text(row.n.into());
            format!(" {n} can be enough, but a sample does not show it.")
        });
        let throttled = row.throttled.map_or("", |_| "at most 1 % throttled; ");
        let shares = self.rows.iter().map(|row| row.throttled_share);
        let mut pairs = shares.clone().zip(shares.skip(1));
        let more = " More can throttle more: hashes decide which keys share a partition.";
        let chance = if pairs.any(|(fewer, more)| fewer < more) { more } else { "" };
        vec![
            format!("{count} suffixes: {throttled}{worst}."),
            format!("From {least} on every key stays under {limits}.{closer}{chance}"),
        ]
    }

    /// The first number that throttles no more than is healthy by what the sample shows, without what it leaves open.
    fn row_of_estimate(&self, least: u32) -> Option<&SuffixRow> {
        let mut rows = self.rows.iter().filter(|row| row.n >= least && row.meets);
        let first = rows.find(|row| is_healthy(row.throttled_share))?;
        (self.advised() > Some(first.n)).then_some(first)
    }

    fn none(&self, obstacle: SuffixObstacle) -> String {
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
            (SuffixObstacle::Reads, _) => format!(
                "reads that do not know the suffix query every one, and with them a key needs more than {} RU/s again",
                whole_text(self.goal.ru_per_second)
            ),
        };
        let head = match obstacle {
            SuffixObstacle::SampleTooSmall => "How many suffixes are enough is unknown",
            _ => "No number of suffixes is enough",
        };
        format!("{head}: {why}.")
    }

    fn growth_sentence(&self) -> String {
        match self.growth {
            KnownGrowth::NotProjected => "Sizes are those of now; trial --until DATE lets them grow.".to_owned(),
            KnownGrowth::Unknown => {
                "Sizes are those of now: the documents do not show how fast they come (no time, or less than a day of it); \
                 --growth with --as-of does."
                    .to_owned()
            }
            KnownGrowth::Given { days } => format!(
                "Sizes grow for {} as given, each key in proportion to its size.",
                time_text(days)
            ),
            KnownGrowth::GoesOn { from: first, .. } => format!(
                "Sizes grow on as they did since {}: keys that are written now go on until then.",
                first.date_text()
            ),
            KnownGrowth::LivesDays { from: first, days, is_kept, .. } => {
                let what = ["No key is written for more than", "Documents are deleted after"];
                let what = what[usize::from(is_kept)];
                let (days, first) = (time_text(days), first.date_text());
                format!("{what} {days} (documents since {first}): only keys not yet that old grow.")
            }
        }
    }

    fn price(&self) -> Vec<String> {
        let Some(row) = self.advised().and_then(|n| self.row(n)) else { return Vec::new() };
        let keys = count_text(row.n.into());
        let reads = format!(
            "Price: reading all documents of a key queries {keys} keys on {} of {} physical partitions, at least {} RU.",
            whole_text(row.read.visits),
            count_text(row.partitions as u64),
            amount_text(row.read.ru)
        );
        let point = match &self.suffix {
            Suffix::Random => format!(
                "A point read without the suffix takes up to {keys} reads; with a bucket of a property that readers know, 1."
            ),
            Suffix::Bucket(path) => format!(
                "A client that knows {path} computes the suffix (joined by \"{JOINT}\") and reads 1 key."
            ),
        };
        vec![reads, point]
    }
}

fn worst_text(worst: &Worst) -> String {
    let bytes = kib_text(worst.bytes / 1024.0);
    match worst.ru_per_second {
        Some(ru) => {
            format!("the largest key holds {bytes} and the hottest needs {} RU/s", whole_text(ru))
        }
        None => format!("the largest key holds {bytes}"),
    }
}
