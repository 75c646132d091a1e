//! A growing store of plain values in pages of one size. Growing copies nothing and leaves no slack, and a dropped store
//! gives back pieces that fit the next one exactly: both matter where millions of keys must stay within a memory budget.

use prefetch_index::prefetch_index;

/// Bytes of a page: small beside a shard, large beside an allocation's own cost.
const PAGE_BYTES: usize = 16 << 10;

/// Places are numbers: page << shift | place in the page.
#[derive(Debug)]
pub(super) struct Paged<T> {
    pages: Vec<Box<[T]>>,
    /// Values used in the last page.
    used: usize,
    bytes: usize,
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self { pages: Vec::new(), used: 0, bytes: 0 }
    }
}

impl<T: Copy> Paged<T> {
    /// A page holds 1 << `SHIFT` values.
    const SHIFT: u32 = (PAGE_BYTES / size_of::<T>()).ilog2();

    /// Room for `n` values in one piece, filled with `fill`. More than a page get a page of their own.
    pub fn allocate(&mut self, n: usize, fill: T) -> u32 {
        let page_len = 1_usize << Self::SHIFT;
        // Also nothing needs a place: the one behind a full page would be in the next.
        if self.pages.is_empty() || self.used + n.max(1) > page_len {
            let page = vec![fill; page_len.max(n)].into_boxed_slice();
            self.bytes += size_of_val(&*page) + size_of::<Box<[T]>>();
            self.pages.push(page);
            self.used = 0;
        }
        let place = ((self.pages.len() - 1) << Self::SHIFT) | self.used;
        let page = self.pages.last_mut();
        if let Some(piece) = page.and_then(|p| p.get_mut(self.used..self.used + n)) {
            piece.fill(fill);
        }
        // A page of its own is full: nothing else would find its place in it.
        self.used = if n > page_len { page_len } else { self.used + n };
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    pub fn get(&self, place: u32) -> Option<&T> {
        self.pages.get((place >> Self::SHIFT) as usize)?.get(Self::within(place))
    }

    /// Asks for the memory of a place that will be wanted soon.
    pub fn prefetch(&self, place: u32) {
        if let Some(page) = self.pages.get((place >> Self::SHIFT) as usize) {
            prefetch_index(page, Self::within(place));
        }
    }

    pub fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        let within = Self::within(place);
        self.pages.get_mut((place >> Self::SHIFT) as usize)?.get_mut(within)
    }

    /// `n` values that were allocated in one piece.
    pub fn slice(&self, place: u32, n: usize) -> Option<&[T]> {
        self.rest(place)?.get(..n)
    }

    pub fn slice_mut(&mut self, place: u32, n: usize) -> Option<&mut [T]> {
        let from = Self::within(place);
        self.pages.get_mut((place >> Self::SHIFT) as usize)?.get_mut(from..from + n)
    }

    /// From a place to the end of its page.
    pub fn rest(&self, place: u32) -> Option<&[T]> {
        let page = self.pages.get((place >> Self::SHIFT) as usize)?;
        page.get(Self::within(place)..)
    }

    fn within(place: u32) -> usize {
        place as usize & ((1 << Self::SHIFT) - 1)
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn single_values_are_numbered_one_after_the_other() {
        let mut store = Paged::default();
        for i in 0..10_000_u32 {
            assert_eq!(store.allocate(1, i), i);
            assert_eq!(store.get(i), Some(&i));
            *store.get_mut(i).unwrap() = i * 2;
        }
        assert!((0..10_000).all(|i| store.get(i) == Some(&(i * 2))));
        assert_eq!(store.get(20_000), None);
    }

    proptest! {
        #[test]
        fn pieces_stay_whole_and_apart(lengths in prop::collection::vec(prop_oneof![0_usize..40, 16_000..40_000_usize], 1..60)) {
            let mut store: Paged<u8> = Paged::default();
            let mut pieces = Vec::new();
            for (fill, n) in lengths.into_iter().enumerate() {
                let fill = u8::try_from(fill % 251).unwrap();
                let place = store.allocate(n, 0);
                store.slice_mut(place, n).unwrap().fill(fill);
                pieces.push((place, n, fill));
            }
            for (place, n, fill) in pieces {
                prop_assert!(store.slice(place, n).unwrap().iter().all(|b| *b == fill));
            }
        }
    }
}
