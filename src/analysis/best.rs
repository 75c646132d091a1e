//! The items of the greatest value in a stream.

/// Items of one value that are kept: more are alike for the reader.
const MAX_EQUALS: usize = 256;

/// The items of the greatest value so far.
#[derive(Debug)]
pub(super) struct Best<V, T> {
    value: Option<V>,
    items: Vec<T>,
}

impl<V, T> Default for Best<V, T> {
    fn default() -> Self {
        Self {
            value: None,
            items: Vec::new(),
        }
    }
}

impl<V: Ord + Copy, T> Best<V, T> {
    pub fn offer(&mut self, value: V, item: T) {
        if self.value.is_some_and(|best| value < best) {
            return;
        }
        if self.value != Some(value) {
            self.value = Some(value);
            self.items.clear();
        }
        if self.items.len() < MAX_EQUALS {
            self.items.push(item);
        }
    }

    /// Takes over what another stream had.
    pub fn merge(&mut self, other: Self) {
        if let Some(value) = other.value {
            for item in other.items {
                self.offer(value, item);
            }
        }
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }
}
