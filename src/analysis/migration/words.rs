//! The way in sentences, in the order in which one goes it.

use super::super::candidate::LevelPart;
use super::{Copy, Cost, Migration, MigrationScope, READ_RU, WRITE_RU};
use crate::model::units::{count_text, counted, ratio_text, whole_text};

impl Migration {
    /// How documents move, what is to be checked, what it takes, and what means something else then.
    pub fn sentences(&self) -> Vec<String> {
        if self.copy == Copy::NothingToDo {
            return vec!["This is the key that the container has: nothing moves.".to_owned()];
        }
        let mut said = vec![self.copy_sentence()];
        said.extend(self.creation_sentence());
        said.extend(self.hurdle_sentences());
        said.extend(cost_sentences(&self.cost));
        said.push(self.live_sentence());
        said.extend(self.collision_sentence());
        said.push(self.scope_sentence());
        said.extend(self.unique_sentence());
        said.extend(self.lifetime_sentence());
        said
    }

    fn copy_sentence(&self) -> String {
        let made = "a copy job of the portal copies documents as they are, so it cannot do this";
        let first = "Make a new container with this key; a key cannot be changed in place.";
        match self.copy {
            Copy::NothingToDo => String::new(),
            Copy::AsTheyAre => format!(
                "{first} Every document holds its key already: a container copy job (portal or command line) can copy them \
                 as they are, offline with writes stopped or online while writes go on. The online job needs continuous backup, less \
                 than 4 TB and less than 1,000,000 RU/s."
            ),
            Copy::Transformed => format!(
                "{first} No document holds the key yet: {made}. The copy (Spark, Data Factory, a reader of the change \
                 feed) writes the key into a property of each document. From then on the application does so, too."
            ),
            Copy::Drawn => format!(
                "{first} The suffix is drawn: {made}. The copy draws it once for each document and stores it; \
                 a copy that starts again and draws again makes second documents, unless it looks for the first."
            ),
        }
    }

    /// Of a hierarchical key whose first level is to be divided.
    fn creation_sentence(&self) -> Option<String> {
        let partitions = counted(self.created_with? as u64, "partition", "partitions");
        Some(format!(
            "Create it with the RU/s of {partitions}, copy, then raise the RU/s: splits divide its first level, a new container \
             of many partitions does not."
        ))
    }

    fn hurdle_sentences(&self) -> Vec<String> {
        let (blocks, checks): (Vec<_>, Vec<_>) = self.hurdles.iter().partition(|h| h.is_known);
        let list = |head: &str, some: Vec<&super::Hurdle>| {
            let all: Vec<&str> = some.iter().map(|h| h.sentence.as_str()).collect();
            (!all.is_empty()).then(|| format!("{head}: {}.", all.join("; ")))
        };
        [list("In the way", blocks), list("Check", checks)]
            .into_iter()
            .flatten()
            .collect()
    }

    /// What is written while documents are copied.
    fn live_sentence(&self) -> String {
        let order = "Then let the application write to both, compare counts, read from the new one, and delete the old one \
                     last";
        match self.candidate.parts().find_map(bucket) {
            Some(n) => format!(
                "{order}; every language it is written in computes the bucket of {} by the same hash.",
                count_text(n.into())
            ),
            None => format!("{order}."),
        }
    }

    fn collision_sentence(&self) -> Option<String> {
        Some(match self.collisions? {
            0 => "An id is unique with its key: no two of the documents looked at would meet."
                .to_owned(),
            n => format!(
                "An id is unique with its key: {} documents would have the key and id of another one, and one of \
                 them would be rejected or replaced. Give them other ids first.",
                count_text(n)
            ),
        })
    }

    fn scope_sentence(&self) -> String {
        let what = "Transactional batches and stored procedures reach the documents of one key";
        match self.scope {
            None => format!("{what}: which share one now is not known without --current."),
            Some(scope) => format!("{what}: {}.", scope_text(scope)),
        }
    }

    fn unique_sentence(&self) -> Option<String> {
        let what = "Unique keys hold within one key only";
        match self.facts.unique_keys {
            Some(false) => None,
            Some(true) => Some(format!(
                "{what}: the container's mean something else there."
            )),
            None => Some(format!(
                "{what}; if the container has some, they mean something else there, and are set when it is made."
            )),
        }
    }

    fn lifetime_sentence(&self) -> Option<String> {
        let what = "copied documents count as new, and their time to live starts again";
        match self.facts.time_to_live {
            Some(false) => None,
            Some(true) => Some(format!("The container has a time to live: {what}.")),
            None => Some(format!(
                "If the container has a time to live, {what}; _ts is that of the copy."
            )),
        }
    }
}

fn bucket(part: &LevelPart) -> Option<u32> {
    match part {
        LevelPart::Bucket { buckets, .. } => Some(buckets.get()),
        _ => None,
    }
}

fn scope_text(scope: MigrationScope) -> String {
    let shared = count_text(scope.shared);
    let parted = match (scope.parted, scope.shared) {
        (_, 0) => "no two documents share a key now".to_owned(),
        (0, _) => format!("the documents of all {shared} keys that several share stay together"),
        (n, all) if n == all => format!("the documents of none of {shared} keys stay together"),
        (n, _) => format!(
            "of {shared} keys that several documents share, {} are parted",
            count_text(n)
        ),
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
        "Rough cost: {} RU to read and {low} to {high} RU to write {} documents (for a document of s KiB {READ_RU} RU × √s to \
         read; to write {} RU × √s without an index, {} RU × √s with all indexed).",
        rounded(cost.read_ru),
        rounded(cost.documents),
        WRITE_RU[0],
        WRITE_RU[1],
    )];
    if let (Some([low, high]), Some(ru)) = (cost.hours, cost.ru_per_second) {
        let uneven = if cost.load_ratio > 1.25 {
            format!(
                " and partitions as uneven as here (the busiest is written {} times the mean)",
                ratio_text(cost.load_ratio)
            )
        } else {
            String::new()
        };
        said.push(format!(
            "With all of {} RU/s for the writing{uneven} that is {} to {}.",
            rounded(ru),
            hours_text(low),
            hours_text(high)
        ));
    }
    said
}

/// Two digits tell all that is known.
fn rounded(number: f64) -> String {
    let digits = number.max(1.0).log10().floor();
    let step = 10_f64.powf((digits - 1.0).max(0.0));
    whole_text((number / step).round() * step)
}

fn hours_text(hours: f64) -> String {
    if hours < 1.0 / 60.0 {
        "less than a minute".to_owned()
    } else if hours < 2.0 {
        format!("{} minutes", rounded(hours * 60.0))
    } else if hours < 72.0 {
        format!("{} hours", rounded(hours))
    } else {
        format!("{} days", rounded(hours / 24.0))
    }
}
