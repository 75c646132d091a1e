//! What happened in a recording, moment by moment, and what was known at each.

use std::collections::HashMap;

use serde_json::Value;

use super::read::Recording;
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Observation};
use crate::source::ledger::{Event, EventKind, Ledger};
use crate::source::watch::Watch;

/// Shares of the ceiling that a key passing is worth a mark.
const KEY_MARKS: [f64; 2] = [0.9, 1.0];
/// Marks that one can jump to; more would stand side by side in any window.
const MAX_MARKS: usize = 1_000;
/// Keys whose sizes are followed; statistics list a few for each partition.
const MAX_KEYS: usize = 200_000;
/// What was known is kept at so many places, so that going back needs no reading from the start.
const MAX_KEPT: usize = 8;

/// How many marks each key of a container has passed.
type AnswerPlaces = HashMap<(Inquiry, String), usize>;

/// Something that happened, at a moment of the recording.
#[derive(Clone, PartialEq, Debug)]
pub struct StoryMark {
    /// The moment, counted from the first.
    pub place: usize,
    pub at: Stamp,
    /// Whose it is, as far as it is anyone's.
    pub inquiry: Inquiry,
    pub what: Marked,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Marked {
    Happened(EventKind),
    /// A key passed a share of the ceiling.
    KeyOver(f64),
}

/// A recording as it went on.
#[derive(Clone, Debug, Default)]
pub struct Story {
    account: String,
    pub marks: Vec<StoryMark>,
    /// By the number of lines that are in it.
    ledgers: Vec<(usize, Ledger)>,
}

impl Story {
    /// Goes through the whole recording once. None where it was stopped.
    pub fn of(recording: &Recording, ceiling_kib: f64, watch: &Watch) -> Option<Self> {
        let mut story = Self { account: account(&recording.header.endpoint), ..Self::default() };
        let moments = &recording.moments;
        let every = moments.len().div_ceil(MAX_KEPT).max(1);
        let mut ledger = Ledger::new(&story.account);
        let mut passed = AnswerPlaces::new();
        let mut from = 0;
        for (place, moment) in moments.iter().enumerate() {
            if !watch.keep_going() {
                return None;
            }
            recording.each(from..moment.lines, &mut |seen| {
                story.key_marks(&seen, place, ceiling_kib, &mut passed);
                let known = ledger.events().len();
                ledger.add(seen);
                let new = ledger.events().get(known..).unwrap_or_default();
                story.happened(new, place);
            });
            from = moment.lines;
            if (place + 1) % every == 0 || place + 1 == moments.len() {
                story.ledgers.push((from, ledger.clone()));
            }
        }
        Some(story)
    }

    /// What was known at a moment.
    pub fn at(&self, recording: &Recording, place: usize) -> Ledger {
        let lines = recording.moments.get(place).map_or(0, |m| m.lines);
        let before = self.ledgers.iter().rev().find(|(held, _)| *held <= lines);
        let (from, mut ledger) = match before {
            Some((held, ledger)) => (*held, ledger.clone()),
            None => (0, Ledger::new(&self.account)),
        };
        recording.each(from..lines, &mut |seen| ledger.add(seen));
        ledger
    }

    fn happened(&mut self, events: &[Event], place: usize) {
        for event in events {
            self.mark(StoryMark {
                place,
                at: event.at,
                inquiry: event.inquiry.clone(),
                what: Marked::Happened(event.happened.clone()),
            });
        }
    }

    fn mark(&mut self, mark: StoryMark) {
        if self.marks.len() < MAX_MARKS {
            self.marks.push(mark);
        }
    }

    /// Marks each share of the ceiling once for each key, when the key passes it; at first sight nothing passed.
    fn key_marks(
        &mut self,
        seen: &Observation,
        place: usize,
        ceiling_kib: f64,
        passed: &mut AnswerPlaces,
    ) {
        let Observation::Answer(answer) = seen else {
            return;
        };
        if answer.inquiry.kind != Kind::Container {
            return;
        }
        for (key, kib) in keys(&answer.body) {
            let over = KEY_MARKS.iter().filter(|share| kib >= **share * ceiling_kib);
            let over = over.count();
            let of = (answer.inquiry.clone(), key);
            let Some(before) = passed.get_mut(&of) else {
                if passed.len() < MAX_KEYS {
                    passed.insert(of, over);
                }
                continue;
            };
            let share = KEY_MARKS.get(over.wrapping_sub(1)).copied();
            if let Some(share) = share.filter(|_| over > *before) {
                *before = over;
                self.mark(StoryMark {
                    place,
                    at: answer.at,
                    inquiry: answer.inquiry.clone(),
                    what: Marked::KeyOver(share),
                });
            }
        }
    }
}

/// The account's name as the live screens show it: the first part of the host, or host and port of an emulator.
pub fn account(endpoint: &str) -> String {
    let host = endpoint.split("://").last().unwrap_or_default();
    let host = host.split('/').next().unwrap_or_default();
    let here =
        host.starts_with(|c: char| c.is_ascii_digit() || c == '[') || host.starts_with("localhost");
    if here {
        return host.to_owned();
    }
    host.split(['.', ':']).next().unwrap_or(host).to_owned()
}

/// The keys that statistics list, as JSON text, with their sizes in KiB.
fn keys(body: &[u8]) -> Vec<(String, f64)> {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let partitions = body.get("statistics").and_then(Value::as_array);
    let listed = partitions
        .into_iter()
        .flatten()
        .filter_map(|partition| partition.get("partitionKeys")?.as_array());
    listed
        .flatten()
        .filter_map(|key| {
            let kib = key.get("sizeInKB")?.as_f64()?;
            Some((key.get("partitionKey")?.to_string(), kib))
        })
        .collect()
}
