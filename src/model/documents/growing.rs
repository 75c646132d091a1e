//! A column while documents still come: coded until it has too many values, then by hashes alone.

use std::borrow::Cow;

use super::column::{Body, Hashed, counts, most_like_time};
use super::dictionary::Dictionary;
use super::moments::{moment_of, seconds, seconds_of};
use super::rows::{Cells, Extremes, Local, NO_SECOND, UNSET};
use super::table::{NearUnique, TableLimits, retain};
use super::value::{FIRST_VALUE, MISSING};
use super::value_numbers::ALIKE_ROW_BYTES;
use crate::model::order::keep_first;
use crate::model::path::Path;

/// Values after which a column is first asked whether nearly every document has its own; again at every doubling.
const FIRST_LOOK: u64 = 1 << 16;
/// The same by the memory of its values: texts that all differ may be long.
const FIRST_LOOK_BYTES: usize = 16 << 20;
/// Codes that are looked up together.
const AT_ONCE: usize = 32;
/// Common values whose texts outlive the dictionary.
const NAMED_VALUES: usize = 256;

#[derive(Debug)]
pub(super) struct Growing {
    pub path: Path,
    pub body: Body,
    pub extremes: Extremes,
    values: u64,
    next_look: u64,
    next_look_bytes: usize,
}

impl Growing {
    pub fn new(path: Path) -> Self {
        Self {
            path,
            body: Body::Codes { codes: Vec::new(), dictionary: Dictionary::default() },
            extremes: Extremes::default(),
            values: 0,
            next_look: FIRST_LOOK,
            next_look_bytes: FIRST_LOOK_BYTES,
        }
    }

    pub fn memory_bytes(&self, dictionary_copies: usize) -> usize {
        match &self.body {
            Body::Codes { codes, dictionary } => {
                codes.len() * 4 + dictionary.bytes() * dictionary_copies
            }
            Body::Hashes(held) => {
                held.hashes.len() * (8 + ALIKE_ROW_BYTES)
                    + held.seconds.as_ref().map_or(0, |s| s.len() * 4)
            }
        }
    }

    /// Appends the chosen rows of a worker's column, the first of them as `first_row`.
    pub fn take(
        &mut self,
        local: &mut Local,
        chosen: &[usize],
        first_row: usize,
        limits: &TableLimits,
    ) {
        let mut done = 0;
        if let (Body::Codes { .. }, Cells::Codes(cells)) = (&self.body, &local.cells) {
            let cells: Cow<'_, [u32]> = match run(cells, chosen) {
                Some(run) => run.into(),
                None => picked(cells, chosen, MISSING).collect(),
            };
            let mut coded =
                WorkerCodes { cells: &cells, dictionary: &local.dictionary, map: &mut local.map };
            match self.take_codes(&mut coded, first_row, limits) {
                Ok(()) => return,
                Err(TooMany { after }) => done = after,
            }
            self.give_up_texts();
        }
        let Body::Hashes(held) = &mut self.body else {
            return;
        };
        if let Cells::Hashes { hashes, seconds } = &local.cells {
            let missing = u64::from(MISSING);
            append(&mut held.hashes, hashes, chosen, first_row, missing);
            if let Some(all) = &mut held.seconds {
                let seconds = seconds.as_deref().unwrap_or_default();
                append(all, seconds, chosen, first_row, NO_SECOND);
                all.resize(held.hashes.len(), NO_SECOND);
            }
            return;
        }
        for (row, from) in (first_row..).zip(chosen).skip(done) {
            take_hash(held, local, *from, row);
        }
    }

    /// Stops behind the row with which there are too many values.
    fn take_codes(
        &mut self,
        local: &mut WorkerCodes<'_>,
        first_row: usize,
        limits: &TableLimits,
    ) -> Result<(), TooMany> {
        if local.cells.iter().all(|cell| *cell == MISSING) {
            return Ok(());
        }
        if let Body::Codes { codes, .. } = &mut self.body {
            codes.resize(first_row, MISSING);
            codes.reserve(local.cells.len());
        }
        for (number, cells) in local.cells.chunks(AT_ONCE).enumerate() {
            // Most values are known: then nothing is decided here, and what the look-ups wait for comes together.
            let mut found = [UNSET; AT_ONCE];
            let (mut has_new, mut values) = (false, 0);
            for (code, cell) in found.iter_mut().zip(cells) {
                let entry = cell.wrapping_sub(FIRST_VALUE) as usize;
                *code = local.map.get(entry).copied().unwrap_or(*cell);
                has_new |= *code == UNSET;
                values += u64::from(*code != MISSING);
            }
            if !has_new
                && self.values + values < self.next_look
                && let Body::Codes { codes, .. } = &mut self.body
            {
                codes.extend_from_slice(found.get(..cells.len()).unwrap_or_default());
                self.values += values;
                continue;
            }
            let before = number * AT_ONCE;
            self.take_one_by_one(cells, local.dictionary, local.map, limits)
                .map_err(|TooMany { after }| TooMany { after: before + after })?;
        }
        // What has no value at the end is added when one comes, so that the memory counted depends on the documents alone.
        if let Body::Codes { codes, .. } = &mut self.body {
            while codes.last() == Some(&MISSING) {
                codes.pop();
            }
        }
        Ok(())
    }

    fn take_one_by_one(
        &mut self,
        cells: &[u32],
        values: &Dictionary,
        map: &mut [u32],
        limits: &TableLimits,
    ) -> Result<(), TooMany> {
        let Body::Codes { codes, dictionary } = &mut self.body else {
            return Ok(());
        };
        for (done, cell) in cells.iter().enumerate() {
            let mut is_over = false;
            // Codes of no value have no place in the map.
            let entry = cell.wrapping_sub(FIRST_VALUE) as usize;
            let code = match map.get_mut(entry) {
                None => *cell,
                Some(known) => {
                    if *known == UNSET {
                        let text = values.text_at(entry).unwrap_or_default();
                        let hash = values.hash_of(*cell).unwrap_or_default();
                        *known = FIRST_VALUE + dictionary.intern(hash, text);
                        is_over = dictionary.len() > limits.values
                            || dictionary.bytes() > limits.value_bytes;
                    }
                    *known
                }
            };
            codes.push(code);
            self.values += u64::from(code != MISSING);
            if is_over {
                return Err(TooMany { after: done + 1 });
            }
            if self.values == self.next_look || dictionary.bytes() >= self.next_look_bytes {
                self.next_look = self.next_look.max((self.values + 1).next_power_of_two());
                self.next_look_bytes = next_look_bytes(dictionary);
                let is_near_unique = dictionary.len() as u64 * 10 > self.values * 9;
                if is_near_unique && limits.near_unique == NearUnique::Early {
                    return Err(TooMany { after: done + 1 });
                }
            }
        }
        Ok(())
    }

    fn give_up_texts(&mut self) {
        let Body::Codes { codes, dictionary } = &self.body else {
            return;
        };
        let form = most_like_time(dictionary);
        let hash_of = |code: &u32| dictionary.hash_of(*code).unwrap_or(u64::from(*code));
        let seconds = form.map(|_| seconds_of(codes, dictionary));
        self.body = Body::Hashes(Hashed {
            hashes: codes.iter().map(hash_of).collect(),
            seconds,
            form,
            named: commonest(codes, dictionary),
        });
    }

    /// Keeps some rows only, and of the values those that still occur, in the order in which they do.
    pub fn thin(&mut self, kept: &[bool]) {
        match &mut self.body {
            Body::Codes { codes, dictionary } => {
                retain(codes, kept);
                *dictionary = dictionary.left(codes);
                self.values = codes.iter().filter(|c| **c != MISSING).count() as u64;
                self.next_look = FIRST_LOOK.max((self.values + 1).next_power_of_two());
                self.next_look_bytes = next_look_bytes(dictionary);
            }
            Body::Hashes(held) => {
                retain(&mut held.hashes, kept);
                if let Some(seconds) = &mut held.seconds {
                    retain(seconds, kept);
                }
            }
        }
    }
}

fn next_look_bytes(dictionary: &Dictionary) -> usize {
    FIRST_LOOK_BYTES.max((dictionary.bytes() + 1).next_power_of_two())
}

/// Rows that were taken before a column had too many values.
struct TooMany {
    after: usize,
}

/// A worker's codes that are to be taken, and what they mean.
struct WorkerCodes<'a> {
    cells: &'a [u32],
    dictionary: &'a Dictionary,
    map: &'a mut [u32],
}

/// The chosen cells as they stand, where nothing between them is left out.
fn run<'a, T>(cells: &'a [T], chosen: &[usize]) -> Option<&'a [T]> {
    let (first, last) = (*chosen.first()?, *chosen.last()?);
    if last - first + 1 != chosen.len() {
        return None;
    }
    cells.get(first..cells.len().min(last + 1))
}

fn picked<'a, T: Copy>(cells: &'a [T], chosen: &'a [usize], missing: T) -> impl Iterator<Item = T> {
    let cell = move |from: &usize| cells.get(*from).copied().unwrap_or(missing);
    chosen.iter().map(cell)
}

/// Adds the chosen cells behind `first_row` others, up to the last that is not `missing`.
fn append<T: Copy + PartialEq>(
    held: &mut Vec<T>,
    cells: &[T],
    chosen: &[usize],
    first_row: usize,
    missing: T,
) {
    if picked(cells, chosen, missing).all(|cell| cell == missing) {
        return;
    }
    held.resize(first_row, missing);
    match run(cells, chosen) {
        Some(run) => held.extend_from_slice(run),
        None => held.extend(picked(cells, chosen, missing)),
    }
    while held.last() == Some(&missing) {
        held.pop();
    }
}

/// What was read before its worker learned that texts are no longer kept.
fn take_hash(held: &mut Hashed, local: &Local, from: usize, row: usize) {
    let Cells::Codes(codes) = &local.cells else {
        return;
    };
    let Some(&code) = codes.get(from).filter(|c| **c != MISSING) else {
        return;
    };
    let hash = local.dictionary.hash_of(code);
    held.hashes.resize(row, u64::from(MISSING));
    held.hashes.push(hash.unwrap_or(u64::from(code)));
    if let Some(held) = &mut held.seconds {
        held.resize(row, NO_SECOND);
        held.push(seconds(moment_of(local.dictionary.value(code))));
    }
}

fn commonest(codes: &[u32], dictionary: &Dictionary) -> Vec<(u64, Box<str>)> {
    let counts = counts(codes, dictionary.len());
    let mut ranked: Vec<(u64, u32)> =
        (0..).zip(&counts).skip(FIRST_VALUE as usize).map(|(code, count)| (*count, code)).collect();
    let order = |a: &(u64, u32), b: &(u64, u32)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    keep_first(&mut ranked, NAMED_VALUES, order);
    let named = |(_, code): (u64, u32)| {
        let text = dictionary.text_at((code - FIRST_VALUE) as usize)?;
        Some((dictionary.hash_of(code)?, text.into()))
    };
    ranked.into_iter().filter_map(named).collect()
}
