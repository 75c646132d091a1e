//! One bit for each row of a container.

/// Rows that passed a filter: the first of each 64 in the lowest place of its word; behind the last row they are zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The bits of the next 64 rows, or of those that are left.
    pub fn push_word(&mut self, word: u64) {
        self.0.push(word);
    }

    /// The bits of 64 rows from one on, whose number is a multiple of 64.
    pub fn word_from(&self, row: u32) -> u64 {
        self.0.get((row / 64) as usize).copied().unwrap_or(0)
    }

    #[inline]
    pub fn contains(&self, row: u32) -> bool {
        self.word_from(row) >> (row % 64) & 1 == 1
    }

    /// Rows that passed.
    pub fn ones(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Ranges one after another; all but the last are whole words, as `shares` makes them.
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(parts.into_iter().flat_map(|part| part.0).collect())
    }
}
