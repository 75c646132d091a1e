//! Collects the documents of all workers, in the order of the input, into one set of columns that fits its memory.

use std::collections::HashMap;

use super::Documents;
use super::column::{Body, Column};
use super::dictionary::{Hashes, MAX_VALUES};
use super::growing::Growing;
use super::rows::{ALL, Cells, Home, Local, Rows, UNSET};
use super::value::MISSING;
use crate::model::path::Path;

/// Kept documents between two looks at the memory: a fixed number, so that the same input gives the same sample.
const BLOCK_ROWS: usize = 1_024;
/// Fewer documents are no sample.
const FEWEST_KEPT: usize = 1_024;
/// Different values of a column beyond which only their hashes are kept: more than any key shown in a list.
pub const DEFAULT_VALUES: usize = 1 << 20;
/// The same in bytes of their texts.
pub const DEFAULT_VALUE_BYTES: usize = 128 << 20;
/// Paths that get columns; documents whose property names are data would have millions.
pub const DEFAULT_PATHS: usize = 1_024;
/// Levels of nesting that paths go into.
pub const MAX_PATH_NAMES: usize = 16;
/// What buffers, the workers' own dictionaries and the program itself take beside the columns.
const BASE_BYTES: usize = 96 << 20;
/// Each dictionary exists once here and, in part, with every worker: two of them are counted.
const DICTIONARY_COPIES: usize = 3;

/// When the texts of a column with many values are let go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NearUnique {
    /// As soon as nine of ten documents have a value of their own.
    Early,
    /// At the limit of values only: a key may need the texts.
    AtLimit,
}

/// What is collected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WantedPaths {
    /// Every path that the documents have.
    Every,
    Named(Vec<Path>),
}

#[derive(Clone, Debug)]
pub struct TableLimits {
    /// For the columns and all that belongs to them; beyond it a sample is kept.
    pub memory_bytes: usize,
    pub values: usize,
    pub value_bytes: usize,
    pub paths: usize,
    pub near_unique: NearUnique,
    /// Which documents are in a sample.
    pub sample_seed: u64,
    /// Keeps crafted values from meeting; shows where buckets of texts that are not kept are by chance.
    pub hash_seed: u64,
}

impl Default for TableLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 2 << 30,
            values: DEFAULT_VALUES,
            value_bytes: DEFAULT_VALUE_BYTES,
            paths: DEFAULT_PATHS,
            near_unique: NearUnique::Early,
            sample_seed: 1,
            hash_seed: 1,
        }
    }
}

/// What the documents collected so far become.
#[derive(Debug, Default)]
pub struct Table {
    limits: TableLimits,
    hashes: Hashes,
    columns: Vec<Growing>,
    by_path: HashMap<Path, usize>,
    is_closed: bool,
    bytes: Vec<u32>,
    priorities: Vec<u32>,
    windows: Vec<u32>,
    share: u64,
    epoch: u32,
    seen: u64,
    seen_bytes: u64,
    beyond: u64,
    beyond_example: Option<Path>,
    deeper: u64,
}

impl Table {
    pub fn new(limits: &TableLimits, wanted: &WantedPaths) -> Self {
        let limits = TableLimits {
            // A worker's own dictionary can grow to twice as many and what one piece of input holds.
            values: limits.values.clamp(1, MAX_VALUES / 3),
            value_bytes: limits.value_bytes.min(1 << 30),
            ..limits.clone()
        };
        let mut table =
            Self { hashes: Hashes::new(limits.hash_seed), limits, share: ALL, ..Self::default() };
        if let WantedPaths::Named(paths) = wanted {
            for path in paths {
                table.column_of(path);
            }
            table.is_closed = true;
        }
        table
    }

    /// A worker's own documents. Those of a table with named paths know its columns from the start.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows::new(self.hashes.clone(), self.limits.sample_seed);
        for (number, column) in self.columns.iter().enumerate() {
            rows.add(column.path.clone(), Home::Column(number));
        }
        rows
    }

    /// Takes over what a worker read, in the order of the input. The worker goes on with the same `rows`, empty; at its end
    /// it hands them over once more, when all others have handed over theirs.
    pub fn append(&mut self, rows: &mut Rows) {
        self.append_until(rows, rows.len());
    }

    /// Takes over the first of a worker's rows only; the others are the next to come from it, and it may read more.
    pub fn append_until(&mut self, rows: &mut Rows, end: usize) {
        self.seen += std::mem::take(&mut rows.seen);
        self.seen_bytes = self.seen_bytes.saturating_add(std::mem::take(&mut rows.seen_bytes));
        self.beyond += std::mem::take(&mut rows.beyond);
        self.deeper += std::mem::take(&mut rows.deeper);
        self.know(rows);
        rows.columns.iter_mut().for_each(Local::resolve);
        let end = end.min(rows.len());
        let mut at = rows.taken;
        let mut chosen = Vec::with_capacity(BLOCK_ROWS);
        while at < end {
            let room = BLOCK_ROWS - self.bytes.len() % BLOCK_ROWS;
            chosen.clear();
            while at < end
                && let Some(priority) = rows.priorities.get(at).filter(|_| chosen.len() < room)
            {
                if u64::from(*priority) < self.share {
                    chosen.push(at);
                }
                at += 1;
            }
            self.take(rows, &chosen);
            if self.bytes.len().is_multiple_of(BLOCK_ROWS) {
                self.fit();
                self.know(rows);
            }
        }
        rows.taken = at;
        if at == rows.len() {
            self.settle(rows);
        }
    }

    /// Numbers that a worker knows from before the dictionaries were thinned mean nothing any more.
    fn know(&self, rows: &mut Rows) {
        if rows.epoch != self.epoch {
            rows.epoch = self.epoch;
            for local in &mut rows.columns {
                local.map.fill(UNSET);
            }
        }
    }

    fn take(&mut self, rows: &mut Rows, chosen: &[usize]) {
        self.find_homes(&mut rows.columns, chosen);
        let first_row = self.bytes.len();
        for row in chosen {
            self.bytes.push(rows.bytes.get(*row).copied().unwrap_or(0));
            self.priorities.push(rows.priorities.get(*row).copied().unwrap_or(0));
            self.windows.extend(rows.windows.get(*row));
        }
        for local in &mut rows.columns {
            if let Home::Column(number) = local.home
                && !local.is_empty()
                && let Some(column) = self.columns.get_mut(number)
            {
                local.map.resize(local.dictionary.len(), UNSET);
                column.take(local, chosen, first_row, &self.limits);
            }
        }
    }

    /// Gives a column to every path that has none yet, in the order in which the documents name them.
    fn find_homes(&mut self, locals: &mut [Local], chosen: &[usize]) {
        let is_whole = self.share == ALL;
        let mut homeless: Vec<(usize, u32, usize)> = Vec::new();
        for (number, local) in locals.iter().enumerate() {
            if local.home != Home::Unknown || local.is_empty() {
                continue;
            }
            let Some(row) = chosen.iter().copied().find(|row| has_value(local, *row)) else {
                continue;
            };
            // Of what a sample leaves out some workers know the places and some do not.
            let place =
                if is_whole && local.first.0 as usize == row { local.first.1 } else { u32::MAX };
            homeless.push((row, place, number));
        }
        homeless.sort_by(|a, b| {
            let path = |n: usize| locals.get(n).map(|l| &l.path);
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| path(a.2).cmp(&path(b.2)))
        });
        for (_, _, number) in homeless {
            let Some(local) = locals.get_mut(number) else {
                continue;
            };
            local.home = if let Some(column) = self.column_of(&local.path) {
                Home::Column(column)
            } else {
                self.beyond_example.get_or_insert_with(|| local.path.clone());
                Home::Refused
            };
        }
    }

    fn column_of(&mut self, path: &Path) -> Option<usize> {
        if let Some(number) = self.by_path.get(path) {
            return Some(*number);
        }
        if self.is_full() {
            return None;
        }
        let number = self.columns.len();
        self.columns.push(Growing::new(path.clone()));
        self.by_path.insert(path.clone(), number);
        Some(number)
    }

    fn is_full(&self) -> bool {
        self.is_closed || self.columns.len() >= self.limits.paths
    }

    /// Leaves every second document out of the sample until the rest fits.
    fn fit(&mut self) {
        while self.memory_bytes() > self.limits.memory_bytes && self.bytes.len() > FEWEST_KEPT {
            self.share /= 2;
            self.epoch += 1;
            let share = self.share;
            let kept: Vec<bool> = self.priorities.iter().map(|p| u64::from(*p) < share).collect();
            retain(&mut self.bytes, &kept);
            retain(&mut self.priorities, &kept);
            retain(&mut self.windows, &kept);
            for column in &mut self.columns {
                column.thin(&kept);
            }
        }
    }

    /// By lengths alone, so that the same documents always take the same.
    fn memory_bytes(&self) -> usize {
        let rows = self.bytes.len() * 8;
        let columns = self.columns.iter().map(|c| c.memory_bytes(DICTIONARY_COPIES));
        BASE_BYTES + rows + columns.sum::<usize>()
    }

    /// Empties a worker's documents, and lets it know what became of the columns meanwhile.
    fn settle(&mut self, rows: &mut Rows) {
        rows.taken = 0;
        rows.bytes.clear();
        rows.priorities.clear();
        rows.windows.clear();
        rows.share = self.share;
        self.beyond += rows.columns.iter().map(values_refused).sum::<u64>();
        for local in &mut rows.columns {
            self.settle_column(local);
        }
        if self.is_full() && !self.is_closed && !rows.is_full {
            rows.is_full = true;
            for (number, Growing { path, .. }) in self.columns.iter().enumerate() {
                if rows.columns.iter().all(|local| local.path != *path) {
                    rows.add(path.clone(), Home::Column(number));
                }
            }
        }
    }

    fn settle_column(&mut self, local: &mut Local) {
        local.truncate(0);
        if local.home == Home::Unknown
            && let Some(number) = self.by_path.get(&local.path)
        {
            local.home = Home::Column(*number);
        }
        let Home::Column(number) = local.home else {
            return;
        };
        let Some(column) = self.columns.get_mut(number) else {
            return;
        };
        column.extremes.add(std::mem::take(&mut local.extremes));
        match &column.body {
            Body::Hashes(held) => {
                if let Cells::Codes(_) = local.cells {
                    local.cells = Cells::Hashes {
                        hashes: Vec::new(),
                        seconds: held.seconds.as_ref().map(|_| Vec::new()),
                    };
                    local.dictionary = super::dictionary::Dictionary::default();
                    local.map = Vec::new();
                }
            }
            Body::Codes { dictionary, .. } => {
                let own = &local.dictionary;
                // Values that only documents outside the sample have would pile up here.
                if own.len() > 2 * dictionary.len() + BLOCK_ROWS {
                    local.dictionary = super::dictionary::Dictionary::default();
                    local.map.clear();
                }
            }
        }
    }

    pub fn finish(self) -> Documents {
        let rows = self.bytes.len();
        let finished = |c: Growing| Column::new(c.path, c.body, c.extremes, rows);
        Documents::new(
            self.columns.into_iter().map(finished).collect(),
            self.bytes,
            self.windows,
            super::ReadCounts {
                documents: self.seen,
                bytes: self.seen_bytes,
                values_beyond_paths: self.beyond,
                path_beyond: self.beyond_example,
                objects_too_deep: self.deeper,
            },
        )
    }
}

/// A column without a home has codes: only the table decides otherwise.
fn has_value(local: &Local, row: usize) -> bool {
    matches!(&local.cells, Cells::Codes(codes) if codes.get(row).is_some_and(|c| *c != MISSING))
}

/// What a worker read into a column before it knew that there is no room for it.
fn values_refused(local: &Local) -> u64 {
    match (&local.cells, local.home) {
        (Cells::Codes(codes), Home::Refused) => {
            codes.iter().filter(|c| **c != MISSING).count() as u64
        }
        _ => 0,
    }
}

/// What comes behind the end of `kept` goes too.
pub(super) fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut fates = kept.iter();
    values.retain(|_| fates.next().copied().unwrap_or(false));
}
