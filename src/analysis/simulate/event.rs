//! What happens in a simulation, and by which figures.

use crate::model::units::{
    PARTITION_RU_PER_SECOND, kib_text, percent_text, rounded_text, whole_text, with_unit,
};

words! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LapseEventKind {
        /// The first 429s of a partition.
        Throttled = "429",
        /// A key needs the 10,000 RU/s that one key can use.
        KeyRu = "key-ru",
        /// A partition has used up the RU that it saved.
        BurstUsed = "burst-used",
        SplitBegins = "split-begins",
        SplitEnds = "split-ends",
        SplitImpossible = "split-impossible",
        /// A key is at 20 GB: writes get 403.
        Forbidden = "403",
        /// A key is at 20 GB: writes go to the next suffix.
        SuffixSwitched = "suffix",
        /// A key is at 20 GB: writes replace its oldest documents.
        BufferRestarts = "buffer-restarts",
        /// As much is deleted as is written.
        LevelsOff = "levels-off",
    }
    fn word
}

/// One thing that happens.
#[derive(Clone, PartialEq, Debug)]
pub struct LapseEvent {
    /// Seconds after the start.
    pub at_s: i64,
    pub kind: LapseEventKind,
    pub partition: Option<String>,
    /// JSON text.
    pub key: Option<Box<str>>,
    pub cause: EventCause,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EventCause {
    /// RU/s requested, and what can be served.
    Load {
        ru_per_second: f64,
        limit: f64,
    },
    Size {
        kib: f64,
        /// What is not taken a day, or would be; None where it is unknown.
        kib_per_day: Option<f64>,
        writes_per_day: Option<f64>,
    },
    /// None where ranges or the key's paths are unknown: it is not followed.
    Split {
        kib: f64,
        hours: Option<f64>,
    },
    Children([SplitChild; 2]),
    /// One key has this part of the partition.
    OneKey {
        share: f64,
    },
    /// The new key and its number in the chain.
    Suffix {
        key: Box<str>,
        number: u32,
    },
    /// Documents that stay, and how far back they reach.
    Buffer {
        slots: Option<f64>,
        days: Option<f64>,
    },
}

/// A partition that came from a split.
#[derive(Clone, PartialEq, Debug)]
pub struct SplitChild {
    pub id: String,
    pub kib: f64,
    pub keys: u64,
    pub ru_per_second: Option<f64>,
}

impl LapseEvent {
    /// What happens, without whom: `429s begin: 15,000 of 10,000 RU/s`. Names of keys are left to `key`.
    pub fn what(&self, key: impl Fn(&str) -> String) -> String {
        match (self.kind, &self.cause) {
            (kind, EventCause::Load { ru_per_second, limit }) => {
                load_words(kind, *ru_per_second, *limit)
            }
            (LapseEventKind::LevelsOff, EventCause::Size { kib, .. }) => {
                format!("levels off at {}, as old documents are deleted", kib_text(*kib))
            }
            (_, EventCause::Size { kib, kib_per_day, writes_per_day }) => {
                let lost = rejected(*kib_per_day, *writes_per_day);
                format!("writes get 403 at {}{lost}", kib_text(*kib))
            }
            (_, EventCause::Split { kib, hours: Some(_) }) => {
                format!("{} stored: a split begins; service goes on", kib_text(*kib))
            }
            (_, EventCause::Split { kib, hours: None }) => format!(
                "{} stored: it would split; its hash range is unknown, so this is not followed",
                kib_text(*kib)
            ),
            (_, EventCause::Children(both)) => {
                let [a, b] = both.each_ref().map(child);
                format!("the split is done: {a}; {b}")
            }
            (_, EventCause::OneKey { share }) => format!(
                "cannot split: one key is {} of it, and a key stays whole",
                percent_text(*share)
            ),
            (_, EventCause::Suffix { key: next, number }) => {
                format!("is full; writes go to {} (key {number} of the chain)", key(next))
            }
            (_, EventCause::Buffer { slots, days }) => {
                let slots = slots.map(|n| format!(" ({} documents)", whole_text(n)));
                let days = days.map(|n| with_unit(&rounded_text(n), "day stays", "days stay"));
                format!(
                    "is full; writes replace the oldest documents{}{}",
                    slots.unwrap_or_default(),
                    days.map(|text| format!(": the last {text}")).unwrap_or_default()
                )
            }
        }
    }
}

fn load_words(kind: LapseEventKind, ru_per_second: f64, limit: f64) -> String {
    let demand = whole_text(ru_per_second);
    let what = match kind {
        LapseEventKind::KeyRu => {
            let most = whole_text(PARTITION_RU_PER_SECOND);
            return format!("needs {demand} RU/s; one key can use {most}");
        }
        LapseEventKind::BurstUsed => "saved RU are used up",
        _ => "429s begin",
    };
    let limit = whole_text(limit);
    format!("{what}: {demand} RU/s requested, {limit} provisioned")
}

/// `; 1,234 writes a day`, or what they hold.
fn rejected(kib_per_day: Option<f64>, writes_per_day: Option<f64>) -> String {
    match (writes_per_day, kib_per_day) {
        (Some(writes), _) => format!("; {} writes a day are lost", whole_text(writes)),
        (None, Some(kib)) => format!("; {} a day are lost", kib_text(kib)),
        (None, None) => "; how much is written is unknown".to_owned(),
    }
}

/// `5 with 25.1 GiB, 12 keys, 5,000 RU/s`
fn child(child: &SplitChild) -> String {
    let ru = child.ru_per_second.map(|ru| format!(", {} RU/s", whole_text(ru)));
    let keys = crate::model::units::counted(child.keys, "reported key", "reported keys");
    let (id, ru) = (crate::model::visible::visible(&child.id), ru.unwrap_or_default());
    format!("{id} with {}, {keys}{ru}", kib_text(child.kib))
}
