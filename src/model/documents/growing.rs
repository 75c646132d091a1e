//! A column while documents still come: coded until it has too many values, then by hashes alone.

use super::column::{Body, Hashed, counts, most_like_time};
use super::dictionary::Dictionary;
use super::moments::{moment_of, seconds};
use super::rows::{Cells, Extremes, Local, NO_SECOND, UNSET};
use super::table::{Limits, NearUnique, retain};
use super::value::{FIRST_VALUE, MISSING};
use crate::model::path::Path;

/// Values after which a column is first asked whether nearly every document has its own; again at every doubling.
const FIRST_LOOK: u64 = 1 << 16;
/// Common values whose texts outlive the dictionary.
const NAMED_VALUES: usize = 256;

#[derive(Debug)]
pub(super) struct Growing {
    pub path: Path,
    pub body: Body,
    pub extremes: Extremes,
    values: u64,
    next_look: u64,
}

impl Growing {
    pub fn new(path: Path) -> Self {
        Self {
            path,
            body: Body::Codes {
                codes: Vec::new(),
                dictionary: Dictionary::default(),
            },
            extremes: Extremes::default(),
            values: 0,
            next_look: FIRST_LOOK,
        }
    }

    pub fn memory_bytes(&self, dictionary_copies: usize) -> usize {
        match &self.body {
            Body::Codes { codes, dictionary } => {
                codes.len() * 4 + dictionary.bytes() * dictionary_copies
            }
            Body::Hashes(held) => {
                held.hashes.len() * 8 + held.seconds.as_ref().map_or(0, |s| s.len() * 4)
            }
        }
    }

    /// Appends the chosen rows of a worker's column, the first of them as `first_row`.
    pub fn take(&mut self, local: &mut Local, chosen: &[usize], first_row: usize, limits: &Limits) {
        let mut done = 0;
        if let (Body::Codes { .. }, Cells::Codes(cells)) = (&self.body, &local.cells) {
            let mut cells = Coded {
                cells,
                dictionary: &local.dictionary,
                map: &mut local.map,
            };
            match self.take_codes(&mut cells, chosen, first_row, limits) {
                Ok(()) => return,
                Err(TooMany { after }) => done = after,
            }
            self.give_up_texts();
        }
        if let Body::Hashes(held) = &mut self.body {
            for (row, from) in (first_row..).zip(chosen).skip(done) {
                take_hash(held, local, *from, row);
            }
        }
    }

    /// Stops behind the row with which there are too many values.
    fn take_codes(
        &mut self,
        local: &mut Coded<'_>,
        chosen: &[usize],
        first_row: usize,
        limits: &Limits,
    ) -> Result<(), TooMany> {
        let Body::Codes { codes, dictionary } = &mut self.body else {
            return Ok(());
        };
        for (done, from) in chosen.iter().enumerate() {
            let Some(&cell) = local.cells.get(*from).filter(|c| **c != MISSING) else {
                continue;
            };
            let mut code = cell;
            if let Some(entry) = cell.checked_sub(FIRST_VALUE)
                && let Some(known) = local.map.get_mut(entry as usize)
            {
                if *known == UNSET {
                    let text = local.dictionary.text_at(entry as usize).unwrap_or_default();
                    let hash = local.dictionary.hash_of(cell).unwrap_or_default();
                    *known = FIRST_VALUE + dictionary.intern(hash, text);
                }
                code = *known;
            }
            if codes.len() < first_row + done {
                codes.resize(first_row + done, MISSING);
            }
            codes.push(code);
            self.values += 1;
            if dictionary.len() > limits.values || dictionary.bytes() > limits.value_bytes {
                return Err(TooMany { after: done + 1 });
            }
            if self.values == self.next_look {
                self.next_look *= 2;
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
        let seconds = form.map(|_| {
            let table: Vec<u32> = dictionary
                .values()
                .map(|(_, value)| seconds(moment_of(value)))
                .collect();
            let of = |code: &u32| table.get(code.checked_sub(FIRST_VALUE)? as usize).copied();
            codes.iter().map(|c| of(c).unwrap_or(NO_SECOND)).collect()
        });
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
                let mut left = Dictionary::default();
                let mut map = vec![UNSET; dictionary.len()];
                for code in codes.iter_mut() {
                    let Some(entry) = code.checked_sub(FIRST_VALUE) else {
                        continue;
                    };
                    let Some(known) = map.get_mut(entry as usize) else {
                        continue;
                    };
                    if *known == UNSET {
                        let text = dictionary.text_at(entry as usize).unwrap_or_default();
                        let hash = dictionary.hash_of(*code).unwrap_or_default();
                        *known = FIRST_VALUE + left.intern(hash, text);
                    }
                    *code = *known;
                }
                *dictionary = left;
                self.values = codes.iter().filter(|c| **c != MISSING).count() as u64;
                self.next_look = FIRST_LOOK.max((self.values + 1).next_power_of_two());
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

/// Rows that were taken before a column had too many values.
struct TooMany {
    after: usize,
}

/// A worker's coded column.
struct Coded<'a> {
    cells: &'a [u32],
    dictionary: &'a Dictionary,
    map: &'a mut [u32],
}

fn take_hash(held: &mut Hashed, local: &Local, from: usize, row: usize) {
    let (hash, second) = match &local.cells {
        Cells::Hashes { hashes, seconds } => {
            let second = seconds.as_ref().and_then(|s| s.get(from));
            (hashes.get(from).copied(), second.copied())
        }
        // What was read before its worker learned that texts are no longer kept.
        Cells::Codes(codes) => {
            let code = codes.get(from).copied().unwrap_or(MISSING);
            let hash = local.dictionary.hash_of(code).unwrap_or(u64::from(code));
            let second = held
                .seconds
                .is_some()
                .then(|| seconds(moment_of(local.dictionary.value(code))));
            (Some(hash), second)
        }
    };
    let Some(hash) = hash.filter(|h| *h != u64::from(MISSING)) else {
        return;
    };
    if held.hashes.len() < row {
        held.hashes.resize(row, u64::from(MISSING));
    }
    held.hashes.push(hash);
    if let Some(seconds) = &mut held.seconds {
        if seconds.len() < row {
            seconds.resize(row, NO_SECOND);
        }
        seconds.push(second.unwrap_or(NO_SECOND));
    }
}

fn commonest(codes: &[u32], dictionary: &Dictionary) -> Vec<(u64, Box<str>)> {
    let counts = counts(codes, dictionary.len());
    let mut ranked: Vec<(u64, u32)> = (0..)
        .zip(&counts)
        .skip(FIRST_VALUE as usize)
        .map(|(code, count)| (*count, code))
        .collect();
    let order = |a: &(u64, u32), b: &(u64, u32)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    if ranked.len() > NAMED_VALUES {
        ranked.select_nth_unstable_by(NAMED_VALUES, order);
        ranked.truncate(NAMED_VALUES);
    }
    ranked.sort_by(order);
    let named = |(_, code): (u64, u32)| {
        let text = dictionary.text_at((code - FIRST_VALUE) as usize)?;
        Some((dictionary.hash_of(code)?, text.into()))
    };
    ranked.into_iter().filter_map(named).collect()
}
