//! One bit for each row of a container.

/// Rows that passed a filter, by row number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    rows: u32,
    ones: u32,
}

impl Bits {
    /// The bit of the next row.
    pub fn push(&mut self, is_set: bool) {
        if self.rows.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= u64::from(is_set) << (self.rows % 64);
        }
        self.rows += 1;
        self.ones += u32::from(is_set);
    }

    /// The bits of the next `rows` rows, at most 64, the first in the lowest place.
    pub fn push_word(&mut self, word: u64, rows: u32) {
        if self.rows.is_multiple_of(64) && rows <= 64 {
            let word = word & low_bits(rows);
            self.words.push(word);
            self.rows += rows;
            self.ones += word.count_ones();
        } else {
            (0..rows.min(64)).for_each(|n| self.push(word >> n & 1 == 1));
        }
    }

    /// The bits of 64 rows from one on; behind the last row they are zero.
    pub fn word_from(&self, row: u32) -> u64 {
        let at = (row / 64) as usize;
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        match row % 64 {
            0 => word(at),
            shift => word(at) >> shift | word(at + 1) << (64 - shift),
        }
    }

    #[inline]
    pub fn contains(&self, row: u32) -> bool {
        let word = self.words.get((row / 64) as usize);
        word.is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Rows that passed.
    pub fn ones(&self) -> u32 {
        self.ones
    }

    /// Ranges one after another; cheap where all but the last are whole words, as `shares` makes them.
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut out = Self::default();
        for part in parts {
            if out.rows.is_multiple_of(64) {
                out.words.extend(part.words);
                out.rows += part.rows;
                out.ones += part.ones;
            } else {
                (0..part.rows).for_each(|row| out.push(part.contains(row)));
            }
        }
        out
    }
}

fn low_bits(count: u32) -> u64 {
    match count {
        0 => 0,
        1..=63 => (1 << count) - 1,
        _ => u64::MAX,
    }
}
