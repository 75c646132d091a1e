//! The way in sentences, in the order in which one goes it.

use super::super::candidate::LevelPart;
use super::{Copy, Cost, Migration, MigrationScope, READ_RU, WRITE_RU};
use crate::model::physical::TimeToLive;
use crate::model::units::{
    amount_text, count_text, counted, percent_text, ratio_text, whole_text, with_unit,
};

impl Migration {
    /// How documents move, what is to be checked, what it takes, and what means something else then.
    pub fn sentences(&self) -> Vec<String> {
        if self.copy == Copy::NothingToDo {
            return vec!["This is the key that the container has: nothing moves.".to_owned()];
        }
        if let Some(absent) = &self.absent {
            return vec![format!(
                "No plan: {absent} Name a path that documents have, or try documents that hold it."
            )];
        }
        let mut said: Vec<String> = self.first_sentence().into_iter().collect();
        said.extend(self.bucket_sentence());
        said.extend([self.creation_sentence(), self.copy_sentence().to_owned()]);
        said.extend(self.hurdles.iter().map(|hurdle| {
            let head = if hurdle.is_known { "In the way" } else { "Check" };
            format!("{head}: {}.", hurdle.sentence)
        }));
        said.extend(cost_sentences(&self.cost));
        said.push(self.live_sentence());
        said.extend(self.collision_sentence());
        said.push(self.scope_sentence());
        said.extend(self.unique_sentence());
        said.extend(self.lifetime_sentence());
        said
    }

    /// What speaks against the key as things are.
    fn first_sentence(&self) -> Option<String> {
        let share = percent_text(self.throttled?);
        let stay = format!("{share} of the RU stay throttled");
        Some(match self.ru_to_buy.map(whole_text) {
            Some(ru) => format!("First: with the RU/s of today {stay}; it takes {ru} RU/s."),
            None => format!("First: {stay} with this key; look for another one."),
        })
    }

    /// What spreads as a random suffix does, and can be computed.
    fn bucket_sentence(&self) -> Option<String> {
        let mut key = self.candidate.clone();
        let parts = key.levels.iter_mut().flat_map(|level| &mut level.parts);
        let mut is_drawn = false;
        for part in parts {
            if let LevelPart::Random { buckets } = *part {
                let path = ["id"].into_iter().collect();
                *part = LevelPart::Bucket { path, buckets };
                is_drawn = true;
            }
        }
        is_drawn.then(|| {
            format!("Instead: {key} spreads as well, and readers that know the id query one key.")
        })
    }

    /// Of a hierarchical key whose first level is to be divided it is made small.
    fn creation_sentence(&self) -> String {
        let key = &self.candidate;
        let head = if key.is_stored() {
            format!("Create: a new container with the key {key}")
        } else {
            format!(
                "Create: a new container keyed by a new property, such as /partitionKey, that holds {key}"
            )
        };
        match self.created_with {
            None => {
                let ru = self.ru_to_buy.map_or(String::new(), |ru| {
                    format!(" and {} RU/s, the least with at most 1 % throttled", whole_text(ru))
                });
                format!("{head}{ru}. A key cannot be changed in place.")
            }
            Some(partitions) => format!(
                "{head} and the RU/s of {}{}. Raise them{} after the copy: splits divide its first level, many partitions from the \
                 beginning do not.",
                counted(partitions as u64, "partition", "partitions"),
                (self.cost.ru_per_second)
                    .map_or(String::new(), |ru| format!(" ({})", whole_text(ru))),
                (self.ru_to_buy).map_or(String::new(), |ru| format!(" to {}", whole_text(ru)))
            ),
        }
    }

    fn copy_sentence(&self) -> &'static str {
        match self.copy {
            Copy::NothingToDo => "",
            Copy::AsTheyAre => {
                "Copy: by a container copy job (portal or command line); every document holds the key. Offline writes stop; \
                 online they go on. The online job needs continuous backup, less than 4 TB and less than 1,000,000 RU/s."
            }
            Copy::Transformed => {
                "Copy: by Spark, Data Factory or a reader of the change feed, which writes the key into each document; a copy job \
                 of the portal cannot. From then on the application writes it, too."
            }
            Copy::Drawn => {
                "Copy: by Spark, Data Factory or a reader of the change feed, which draws the suffix once for each document and \
                 stores it; a copy job of the portal cannot. A copy that starts again must look for what it wrote, or there are \
                 second documents."
            }
        }
    }

    /// What is written while documents are copied.
    fn live_sentence(&self) -> String {
        let order =
            "Switch: write to both, compare counts, read from the new one, delete the old one last";
        let bucket = |part: &LevelPart| match part {
            LevelPart::Bucket { buckets, .. } => Some(buckets.get()),
            _ => None,
        };
        match self.candidate.parts().find_map(bucket) {
            Some(n) => format!(
                "{order}. Every language of the application computes the bucket of {} by the same hash \
                 (cosmoscope help buckets).",
                count_text(n.into())
            ),
            None => format!("{order}."),
        }
    }

    fn collision_sentence(&self) -> Option<String> {
        Some(match self.collisions? {
            0 => "Ids: unique within a key; no two of the documents looked at have the same key and id there."
                .to_owned(),
            n => format!(
                "Ids: {} documents would have the key and id of another one, and one of them would be rejected or replaced. \
                 Give them other ids first.",
                count_text(n)
            ),
        })
    }

    fn scope_sentence(&self) -> String {
        let what = "Transactions: batches and stored procedures reach the documents of one key";
        match self.scope {
            None => format!("{what}. Which share one now is not known without --current."),
            Some(scope) => format!("{what}: {}.", scope_text(scope)),
        }
    }

    fn unique_sentence(&self) -> Option<String> {
        let what = "Unique keys: they hold within one key only";
        match self.facts.unique_keys {
            Some(false) => None,
            Some(true) => {
                Some(format!("{what}; those of the container mean something else there."))
            }
            None => Some(format!(
                "{what}. If the container has some, they mean something else there; set them when it is created."
            )),
        }
    }

    fn lifetime_sentence(&self) -> Option<String> {
        let what = "copied documents count as new, and it starts again";
        match self.facts.lifetime.map(|set| set != TimeToLive::Off) {
            Some(false) => None,
            Some(true) => Some(format!("Time to live: {what}.")),
            None => {
                Some(format!("Time to live: if there is one, {what}; _ts is that of the copy."))
            }
        }
    }
}

fn scope_text(scope: MigrationScope) -> String {
    let shared = count_text(scope.shared);
    let parted = match (scope.parted, scope.shared) {
        (_, 0) => "no two documents share a key now".to_owned(),
        (0, _) => format!("the documents of all {shared} keys that several share stay together"),
        (n, all) if n == all => format!("none of today's {shared} keys stays whole"),
        (n, _) => {
            format!("of {shared} keys that several documents share, {} are parted", count_text(n))
        }
    };
    match scope.brought_together {
        0 => parted,
        n => format!(
            "{parted}; {} of {} new keys bring documents of several together",
            count_text(n),
            count_text(scope.new_keys)
        ),
    }
}

fn cost_sentences(cost: &Cost) -> Vec<String> {
    let [low, high] = cost.write_ru.map(rounded);
    let mut said = vec![format!(
        "Cost, roughly: {} RU to read and {low} to {high} RU to write {} documents. Reading loads today's container: limit the reader, or \
         copy when there is little load. A document of s KiB: {READ_RU} RU × √s to \
         read; {} RU × √s to write without an index, {} with all indexed.",
        rounded(cost.read_ru),
        rounded(cost.documents),
        WRITE_RU[0],
        WRITE_RU[1],
    )];
    if let (Some([low, high]), Some(ru)) = (cost.hours, cost.ru_per_second) {
        let ratio = Some(cost.load_ratio).filter(|ratio| *ratio > 1.05);
        let uneven = ratio.map_or(String::new(), |ratio| {
            format!("; the fullest partition gets {} times the mean", ratio_text(ratio))
        });
        let time = hours_range_text([low, high]);
        let ru = whole_text(ru);
        let leaves = |ru| format!(" and the {ru} RU/s that today's load leaves for reading");
        let spare = (cost.spare).map(rounded).map_or(String::new(), leaves);
        said.push(format!(
            "Time: {time} with all of {ru} RU/s of the new container for the copy{spare}{uneven}."
        ));
    }
    said
}

/// `8.4 to 16.7 hours`
pub fn hours_range_text(hours: [f64; 2]) -> String {
    let [low, high] = hours.map(hours_text);
    let unit = high.rsplit_once(' ').map_or("", |(_, unit)| unit);
    let is_number = |text: &&str| text.ends_with(|c: char| c.is_ascii_digit());
    let low = low.strip_suffix(unit).map(str::trim_end).filter(is_number).unwrap_or(&low);
    if low == high.strip_suffix(unit).unwrap_or(&high).trim_end() {
        return high;
    }
    format!("{low} to {high}")
}

/// Two digits tell all that is known.
pub fn rounded(number: f64) -> String {
    let digits = number.max(1.0).log10().floor();
    let step = 10_f64.powf((digits - 1.0).max(0.0));
    whole_text((number / step).round() * step)
}

/// `13 minutes`, `8.4 hours` or `8 days`.
pub fn hours_text(hours: f64) -> String {
    match hours {
        short if short < 1.0 / 60.0 => "less than a minute".to_owned(),
        ..2.0 => with_unit(&rounded(hours * 60.0), "minute", "minutes"),
        ..72.0 => format!("{} hours", amount_text(hours)),
        _ => format!("{} days", rounded(hours / 24.0)),
    }
}
