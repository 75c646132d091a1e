//! The documents that one worker read since it last handed them over: numbered by its own dictionaries, thrown away and
//! filled again piece by piece.

use super::dictionary::{Dictionary, Hashes, Waiting};
use super::moments::second_of;
use super::value::{
    ARRAY, FALSE, FIRST_VALUE, KEPT_TEXT_BYTES, MISSING, NULL, OBJECT, Scalar, TOO_LARGE, TRUE,
};
use crate::model::path::Path;
use crate::model::random::{GOLDEN, mixed};

/// Stands for a second that is not known.
pub(super) const NO_SECOND: u32 = u32::MAX;
/// A local value that the table has not numbered yet.
pub(super) const UNSET: u32 = u32::MAX;
/// Values of a dictionary that stays near the processor.
const SMALL_VALUES: usize = 2_048;
/// In the list of what a document touched: a value at a path that is not kept.
const BEYOND: u32 = u32::MAX;
/// Every document is kept while the share is this.
pub(super) const ALL: u64 = 1 << 32;

/// Where the values of a local column go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Unknown,
    Column(usize),
    /// The table has as many paths as it takes.
    Refused,
}

#[derive(Clone, Debug)]
pub(super) enum Cells {
    Codes(Vec<u32>),
    Hashes {
        hashes: Vec<u64>,
        /// In a column of times, and only then.
        seconds: Option<Vec<u32>>,
    },
}

/// What all values of a column have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extremes {
    pub longest: u32,
    pub least: f64,
    pub greatest: f64,
}

impl Default for Extremes {
    fn default() -> Self {
        Self { longest: 0, least: f64::INFINITY, greatest: f64::NEG_INFINITY }
    }
}

impl Extremes {
    pub fn add(&mut self, other: Self) {
        self.longest = self.longest.max(other.longest);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }
}

#[derive(Debug)]
pub(super) struct Local {
    pub path: Path,
    pub home: Home,
    pub cells: Cells,
    pub dictionary: Dictionary,
    /// Values of the last rows that are not looked up yet; their cells are `UNSET`.
    waiting: Waiting,
    /// The table's numbers of the dictionary's values.
    pub map: Vec<u32>,
    /// The row and the place in its document of the first value since the last hand-over.
    pub first: (u32, u32),
    pub extremes: Extremes,
}

impl Local {
    fn new(path: Path, home: Home) -> Self {
        Self {
            path,
            home,
            cells: Cells::Codes(Vec::new()),
            dictionary: Dictionary::default(),
            waiting: Waiting::default(),
            map: Vec::new(),
            first: (0, 0),
            extremes: Extremes::default(),
        }
    }

    /// Whether the row has a value already: its document names the property twice.
    fn has_row(&self, row: usize) -> bool {
        matches!(&self.cells, Cells::Codes(codes) if codes.len() > row)
    }

    pub fn is_empty(&self) -> bool {
        match &self.cells {
            Cells::Codes(codes) => codes.is_empty(),
            Cells::Hashes { hashes, .. } => hashes.is_empty(),
        }
    }

    /// Looks up what waits for it.
    pub fn resolve(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        if let Cells::Codes(codes) = &mut self.cells {
            self.dictionary.intern_all(&self.waiting, |row, entry| {
                if let Some(code) = codes.get_mut(row) {
                    *code = FIRST_VALUE + entry;
                }
            });
        }
        self.waiting.clear();
    }

    pub fn truncate(&mut self, row: usize) {
        self.resolve();
        // Without a value before the row nothing stays: the next one is the first.
        let row = if self.first.0 as usize >= row { 0 } else { row };
        match &mut self.cells {
            Cells::Codes(codes) => codes.truncate(row),
            Cells::Hashes { hashes, seconds } => {
                hashes.truncate(row);
                if let Some(seconds) = seconds {
                    seconds.truncate(row);
                }
            }
        }
    }

    fn put(&mut self, row: usize, place: u32, scalar: Scalar<'_>, by: &Hashes) {
        if self.is_empty() {
            self.first = (u32::try_from(row).unwrap_or(u32::MAX), place);
        }
        let found = identity(scalar, by);
        if self.has_row(row) {
            self.resolve();
        }
        let mut is_due = false;
        match &mut self.cells {
            Cells::Codes(codes) => {
                let code = found.map_or_else(std::convert::identity, |(hash, text)| {
                    // A small dictionary is near enough to wait for nothing.
                    if self.dictionary.len() < SMALL_VALUES || text.len() > KEPT_TEXT_BYTES {
                        return FIRST_VALUE + self.dictionary.intern(hash, text);
                    }
                    self.dictionary.prefetch(hash);
                    is_due = self.waiting.push(row, hash, text);
                    UNSET
                });
                set(codes, row, code, MISSING);
            }
            Cells::Hashes { hashes, seconds } => {
                let hash = found.map_or_else(u64::from, |(hash, _)| hash);
                set(hashes, row, hash, u64::from(MISSING));
                if let Some(seconds) = seconds {
                    set(seconds, row, second_of(scalar), NO_SECOND);
                }
            }
        }
        if is_due {
            self.resolve();
        }
    }
}

/// The hash and the text of a value; the code of what is none.
fn identity<'a>(scalar: Scalar<'a>, by: &Hashes) -> Result<(u64, &'a str), u32> {
    Err(match scalar {
        Scalar::Null => NULL,
        Scalar::Bool(false) => FALSE,
        Scalar::Bool(true) => TRUE,
        Scalar::Array => ARRAY,
        Scalar::Object => OBJECT,
        Scalar::Number { value, .. } if !value.is_finite() => TOO_LARGE,
        Scalar::Number { text, value } => return Ok((by.number(value), text)),
        Scalar::Text(text) => return Ok((by.text(text), text)),
    })
}

/// Of a property that a document names twice the last value counts.
fn set<T: Copy>(cells: &mut Vec<T>, row: usize, value: T, missing: T) {
    if cells.len() > row {
        if let Some(last) = cells.last_mut() {
            *last = value;
        }
        return;
    }
    if cells.len() < row {
        cells.resize(row, missing);
    }
    cells.push(value);
}

/// What a document holds at a path, before it is known to be sound.
#[derive(Clone, Copy, Debug)]
struct Touch {
    column: u32,
    length: u32,
    number: f64,
}

/// A worker's documents.
#[derive(Debug, Default)]
pub struct Rows {
    pub(super) hashes: Hashes,
    pub(super) columns: Vec<Local>,
    pub(super) bytes: Vec<u32>,
    pub(super) priorities: Vec<u32>,
    /// Of documents that came in windows, and only then.
    pub(super) windows: Vec<u32>,
    window: Option<u32>,
    /// Documents that the table has taken over already.
    pub(super) taken: usize,
    pub(super) seen: u64,
    pub(super) seen_bytes: u64,
    /// Values at paths that the table had no room for.
    pub(super) beyond: u64,
    /// Objects nested deeper than paths go.
    pub(super) deeper: u64,
    pub(super) share: u64,
    pub(super) epoch: u32,
    pub(super) sample_seed: u64,
    pub(super) is_full: bool,
    touched: Vec<Touch>,
    /// Whether the document is in the sample, and its priority; others are only counted.
    open: (bool, u32),
    open_deeper: u64,
}

impl Rows {
    pub(super) fn new(hashes: Hashes, sample_seed: u64) -> Self {
        Self { hashes, share: ALL, sample_seed, ..Self::default() }
    }

    /// Kept documents since the table last took all of them.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A column for a path that this worker meets for the first time.
    pub fn add_column(&mut self, path: Path) -> u32 {
        self.add(path, Home::Unknown)
    }

    pub(super) fn add(&mut self, path: Path, home: Home) -> u32 {
        let number = u32::try_from(self.columns.len()).unwrap_or(u32::MAX);
        self.columns.push(Local::new(path, home));
        number
    }

    /// The columns whose values are kept.
    pub fn columns(&self) -> impl Iterator<Item = (u32, &Path)> {
        let kept = (0..).zip(&self.columns).filter(|(_, local)| local.home != Home::Refused);
        kept.map(|(number, local)| (number, &local.path))
    }

    /// Columns that this worker knows, kept or not: a bound for whoever remembers them.
    pub fn known(&self) -> usize {
        self.columns.len()
    }

    /// Forgets every column, between two pieces: what comes again gets a new one.
    pub fn forget(&mut self) {
        self.columns.clear();
    }

    /// The table takes no further paths: what has none of its columns is only counted.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Begins a document. `number` tells it from all others of the input, whoever reads it and when.
    pub fn begin(&mut self, number: u64) {
        let priority = priority(self.sample_seed, number);
        self.open = (u64::from(priority) < self.share, priority);
        self.touched.clear();
        self.open_deeper = 0;
    }

    pub fn put(&mut self, column: u32, scalar: Scalar<'_>) {
        let (length, number) = match scalar {
            Scalar::Text(text) => (u32::try_from(text.len()).unwrap_or(u32::MAX), f64::NAN),
            Scalar::Number { text, value } => {
                (u32::try_from(text.len()).unwrap_or(u32::MAX), value)
            }
            _ => (0, f64::NAN),
        };
        let place = u32::try_from(self.touched.len()).unwrap_or(u32::MAX);
        self.touched.push(Touch { column, length, number });
        if self.open.0
            && let Some(local) = self.columns.get_mut(column as usize)
            && local.home != Home::Refused
        {
            local.put(self.bytes.len(), place, scalar, &self.hashes);
        }
    }

    /// A value at a path that has no column.
    pub fn pass_over(&mut self) {
        self.touched.push(Touch { column: BEYOND, length: 0, number: f64::NAN });
    }

    /// An object whose properties lie deeper than paths go.
    pub fn pass_over_deeper(&mut self) {
        self.open_deeper += 1;
    }

    /// The document is sound and has this size.
    pub fn end(&mut self, bytes: usize) {
        for touch in &self.touched {
            match self.columns.get_mut(touch.column as usize) {
                Some(local) if local.home != Home::Refused => {
                    local.extremes.longest = local.extremes.longest.max(touch.length);
                    if touch.number.is_finite() {
                        local.extremes.least = local.extremes.least.min(touch.number);
                        local.extremes.greatest = local.extremes.greatest.max(touch.number);
                    }
                }
                _ => self.beyond += 1,
            }
        }
        self.deeper += self.open_deeper;
        self.seen += 1;
        self.seen_bytes += bytes as u64;
        let (is_kept, priority) = self.open;
        if is_kept {
            self.bytes.push(u32::try_from(bytes).unwrap_or(u32::MAX));
            self.priorities.push(priority);
            self.windows.extend(self.window);
        }
    }

    /// The window of the documents that follow. Either all documents of a table have one or none.
    pub fn in_window(&mut self, window: Option<u32>) {
        self.window = window;
    }

    /// The document is broken: nothing of it stays.
    pub fn abandon(&mut self) {
        let row = self.bytes.len();
        for touch in &self.touched {
            if let Some(local) = self.columns.get_mut(touch.column as usize) {
                local.truncate(row);
            }
        }
        self.touched.clear();
    }
}

/// Evenly spread over all numbers and the same in every run: what makes a sample uniform and repeatable.
fn priority(seed: u64, number: u64) -> u32 {
    let mixed = mixed(number.wrapping_add(seed.wrapping_mul(GOLDEN)));
    u32::try_from(mixed >> 32).unwrap_or(u32::MAX)
}
