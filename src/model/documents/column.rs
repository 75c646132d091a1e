//! The values at one path of all kept documents, row by row.

mod thinned;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use super::dictionary::Dictionary;
use super::moments::{TimeForm, form_of, moment_of, seconds_of};
use super::rows::{Extremes, NO_SECOND};
use super::value::{FIRST_VALUE, MISSING, Value, ValueKind};
use super::value_numbers::ValueNumbers;
use crate::model::path::Path;
use crate::model::time::Stamp;

/// No document.
const NO_ROW: u32 = u32::MAX;
/// Values that are looked at to see whether a column is worth counting as one of times.
const LOOKED_AT: usize = 256;

/// How a column holds its values.
#[derive(Clone, Debug)]
pub(super) enum Body {
    Codes { codes: Vec<u32>, dictionary: Dictionary },
    Hashes(Hashed),
}

/// A column with nearly as many values as documents: only what tells them apart is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Hashed {
    pub hashes: Vec<u64>,
    pub seconds: Option<Vec<u32>>,
    pub form: Option<TimeForm>,
    /// Texts of the commonest values, as far as they were common when texts were last kept.
    pub named: Vec<(u64, Box<str>)>,
}

/// What a column gives to whoever groups documents by it.
#[derive(Clone, Copy, Debug)]
pub enum ColumnCells<'a> {
    /// A code for each document: below `FIRST_VALUE` those of `value`, from there on the dictionary's.
    Codes { codes: &'a [u32], dictionary: &'a Dictionary },
    /// A number for each document, equal where the values are: below `FIRST_VALUE` those of `value`, else a hash.
    /// Texts are not kept; seconds since 1970 are where the column holds times, `u32::MAX` for none.
    Hashes { hashes: &'a [u64], seconds: Option<&'a [u32]> },
}

/// The values at one path.
#[derive(Clone)]
pub struct Column {
    path: Path,
    body: Body,
    extremes: Extremes,
    /// Worked out when it is first asked for.
    counts: OnceLock<Vec<u64>>,
    firsts: OnceLock<Vec<u32>>,
    alike: OnceLock<ValueNumbers>,
    seconds: OnceLock<Option<[u32; 2]>>,
}

/// What was read; what was worked out of it since says nothing more.
impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("path", &self.path)
            .field("body", &self.body)
            .field("extremes", &self.extremes)
            .finish_non_exhaustive()
    }
}

impl Column {
    pub(super) fn new(path: Path, mut body: Body, extremes: Extremes, rows: usize) -> Self {
        match &mut body {
            Body::Codes { codes, dictionary } => {
                if codes.is_empty() {
                    // Zeros that nobody has written take no memory: most paths that were asked for, no document has.
                    const { assert!(MISSING == 0) };
                    *codes = vec![MISSING; rows];
                }
                codes.resize(rows, MISSING);
                codes.shrink_to_fit();
                dictionary.close();
            }
            Body::Hashes(held) => {
                held.hashes.resize(rows, u64::from(MISSING));
                held.hashes.shrink_to_fit();
                if let Some(seconds) = &mut held.seconds {
                    seconds.resize(rows, NO_SECOND);
                    seconds.shrink_to_fit();
                }
            }
        }
        Self {
            path,
            body,
            extremes,
            counts: OnceLock::new(),
            firsts: OnceLock::new(),
            alike: OnceLock::new(),
            seconds: OnceLock::new(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn cells(&self) -> ColumnCells<'_> {
        match &self.body {
            Body::Codes { codes, dictionary } => ColumnCells::Codes { codes, dictionary },
            Body::Hashes(held) => {
                ColumnCells::Hashes { hashes: &held.hashes, seconds: held.seconds.as_deref() }
            }
        }
    }

    /// How many documents have each code. Of a column of hashes only codes that are no value are told apart; behind them
    /// stand texts, numbers and texts longer than any key.
    pub fn counts(&self) -> &[u64] {
        self.counts.get_or_init(|| match &self.body {
            Body::Codes { codes, dictionary } => counts(codes, dictionary.len()),
            Body::Hashes(held) => {
                let mut found = vec![0; FIRST_VALUE as usize + 3];
                for hash in &held.hashes {
                    let at = match usize::try_from(*hash) {
                        Ok(code) if code < FIRST_VALUE as usize => code,
                        _ => FIRST_VALUE as usize + ValueKind::of_hash(*hash) as usize,
                    };
                    if let Some(count) = found.get_mut(at) {
                        *count += 1;
                    }
                }
                found
            }
        })
    }

    /// Numbers for the values of a column of hashes; empty where they have codes.
    pub fn alike(&self) -> &ValueNumbers {
        self.alike.get_or_init(|| match &self.body {
            Body::Codes { .. } => ValueNumbers::default(),
            Body::Hashes(held) => ValueNumbers::of(&held.hashes),
        })
    }

    /// The first document that has a code, or a number of those that hashes have.
    pub fn first(&self, code: u32) -> Option<u32> {
        match &self.body {
            Body::Codes { codes, dictionary } => {
                let firsts = self.firsts.get_or_init(|| first_rows(codes, dictionary.len()));
                let first = firsts.get(code as usize).copied();
                first.filter(|row| *row != NO_ROW)
            }
            Body::Hashes(_) => self.alike().first(code),
        }
    }

    /// The first and the last second of a column of hashes that holds times.
    pub fn second_range(&self) -> Option<[u32; 2]> {
        *self.seconds.get_or_init(|| {
            let Body::Hashes(held) = &self.body else {
                return None;
            };
            let known = held.seconds.as_ref()?.iter().filter(|s| **s != NO_SECOND);
            known.fold(None, |range, second| {
                let [first, last] = range.unwrap_or([*second; 2]);
                Some([first.min(*second), last.max(*second)])
            })
        })
    }

    /// The value of a document; none where only its hash was kept.
    pub fn value(&self, row: usize) -> Option<Value<'_>> {
        match &self.body {
            Body::Codes { codes, dictionary } => {
                Some(dictionary.value(codes.get(row).copied().unwrap_or(MISSING)))
            }
            Body::Hashes(held) => self.value_of_hash(*held.hashes.get(row)?),
        }
    }

    /// The hash of a document's value in a column of hashes.
    pub fn hash(&self, row: usize) -> Option<u64> {
        match &self.body {
            Body::Codes { .. } => None,
            Body::Hashes(held) => held.hashes.get(row).copied(),
        }
    }

    /// The value behind a hash, where its text was kept.
    pub fn value_of_hash(&self, hash: u64) -> Option<Value<'_>> {
        let Body::Hashes(held) = &self.body else {
            return None;
        };
        if hash < u64::from(FIRST_VALUE) {
            return Some(Value::of_code(u32::try_from(hash).unwrap_or(MISSING)));
        }
        let (hash, text) = held.named.iter().find(|(h, _)| *h == hash)?;
        Some(ValueKind::of_hash(*hash).value(text))
    }

    /// The longest value in bytes as found, over all documents that were seen.
    pub fn longest_bytes(&self) -> u32 {
        self.extremes.longest
    }

    /// The least and the greatest number, over all documents that were seen.
    pub fn number_range(&self) -> Option<[f64; 2]> {
        let Extremes { least, greatest, .. } = self.extremes;
        (least <= greatest).then_some([least, greatest])
    }

    /// The second of every document since 1970; `u32::MAX` where its value means no moment from then until 2106.
    pub fn seconds(&self) -> Vec<u32> {
        match &self.body {
            Body::Codes { codes, dictionary } => seconds_of(codes, dictionary),
            Body::Hashes(held) => match &held.seconds {
                Some(seconds) => seconds.clone(),
                None => vec![NO_SECOND; held.hashes.len()],
            },
        }
    }

    /// The earliest and the latest moment of a column of times.
    pub fn time_range(&self) -> Option<[Stamp; 2]> {
        match &self.body {
            Body::Codes { dictionary, .. } => {
                let mut moments = dictionary.values().filter_map(|(_, v)| moment_of(v));
                let first = moments.next()?;
                let grown = |[a, b]: [Stamp; 2], m: Stamp| [a.min(m), b.max(m)];
                Some(moments.fold([first, first], grown))
            }
            Body::Hashes(_) => {
                let [first, last] = self.second_range()?;
                let at = |second: u32| Stamp::from_seconds(i64::from(second));
                Some([at(first)?, at(last)?])
            }
        }
    }

    /// The commonest form of time, the documents whose value has it, and those with any value.
    pub(super) fn time_form(&self) -> Option<(TimeForm, u64, u64)> {
        match &self.body {
            Body::Codes { codes, dictionary } => {
                most_like_time(dictionary)?;
                let mut by_form: BTreeMap<TimeForm, u64> = BTreeMap::new();
                let counts = counts(codes, dictionary.len());
                let mut present = 0;
                for (code, count) in (0..).zip(&counts) {
                    present += if code == MISSING { 0 } else { *count };
                    if let Some(form) = form_of(dictionary.value(code)) {
                        *by_form.entry(form).or_default() += count;
                    }
                }
                let readable = by_form.values().sum();
                let (form, _) = by_form.into_iter().max_by_key(|(f, n)| (*n, *f))?;
                Some((form, readable, present))
            }
            Body::Hashes(held) => {
                let seconds = held.seconds.as_ref()?;
                let readable = seconds.iter().filter(|s| **s != NO_SECOND).count();
                let missing = u64::from(MISSING);
                let present = held.hashes.iter().filter(|h| **h != missing).count();
                Some((held.form?, readable as u64, present as u64))
            }
        }
    }
}

/// The form that at least half of the first values have, if there is one.
pub(super) fn most_like_time(dictionary: &Dictionary) -> Option<TimeForm> {
    let looked_at = dictionary.len().min(LOOKED_AT);
    let mut forms: Vec<TimeForm> =
        dictionary.values().take(looked_at).filter_map(|(_, value)| form_of(value)).collect();
    if forms.is_empty() || forms.len() * 2 < looked_at {
        return None;
    }
    forms.sort_unstable();
    forms.get(forms.len() / 2).copied()
}

/// How many documents have each code.
pub(super) fn counts(codes: &[u32], values: usize) -> Vec<u64> {
    let mut counts = vec![0; FIRST_VALUE as usize + values];
    for code in codes {
        if let Some(count) = counts.get_mut(*code as usize) {
            *count += 1;
        }
    }
    counts
}

/// The first document of each code.
fn first_rows(codes: &[u32], values: usize) -> Vec<u32> {
    let mut firsts = vec![NO_ROW; FIRST_VALUE as usize + values];
    for (row, code) in codes.iter().enumerate().rev() {
        if let Some(first) = firsts.get_mut(*code as usize) {
            *first = u32::try_from(row).unwrap_or(NO_ROW);
        }
    }
    firsts
}
