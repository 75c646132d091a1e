//! Which keys a list shows and in which order: the question, its steps for worker threads, and the answer.
//!
//! A caller with one thread calls [`arrange`]. One with several calls [`Ask::order`] in one of them and [`Ask::pass`]
//! for each of [`Ask::ranges`] in the others, and joins what comes back by [`Ask::answer`].

use std::collections::HashMap;
use std::ops::Range;

use super::data::Dataset;
use crate::analysis::arrange::{Bits, Sort, matching, narrow, order, shares};
use crate::analysis::columns::ContainerColumns;
use crate::analysis::distribution::Distribution;
use crate::analysis::filter::Filter;
use crate::analysis::skew::WholeOf;
use crate::model::logical::KeyId;
use crate::work::shared::Shared;

/// Keys between two questions whether to go on.
pub(super) const KEYS_PER_ASKING: usize = 1024;

/// Which keys in which order.
#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    pub data: Shared<Dataset>,
    /// The container's number in the capture.
    pub container: u32,
    pub sort: Sort,
    pub filter: Filter,
    /// The answer that is shown so far; what of it still holds is not made again.
    pub before: Option<Shared<Arranged>>,
    /// Keys of other data by their canonical text, whose rows in this one are wanted.
    pub follow: Vec<Box<str>>,
}

/// All rows of a container in an order, and the place of each row in it.
#[derive(Debug, Default)]
pub struct RowOrder {
    rows: Vec<u32>,
    places: Vec<u32>,
}

impl RowOrder {
    pub fn new(rows: Vec<u32>) -> Self {
        let mut places = vec![0; rows.len()];
        for (place, row) in (0_u32..).zip(&rows) {
            if let Some(slot) = places.get_mut(*row as usize) {
                *slot = place;
            }
        }
        Self { rows, places }
    }

    fn place(&self, row: u32) -> Option<u32> {
        self.places.get(row as usize).copied()
    }
}

/// The answer to an [`Ask`].
#[derive(Debug)]
pub struct Arranged {
    pub data: Shared<Dataset>,
    pub container: u32,
    pub sort: Sort,
    pub filter: Filter,
    order: Shared<RowOrder>,
    /// None where every row passed.
    passed: Option<Shared<FilteredRows>>,
    /// Of all keys of the container, shown or not.
    pub distribution: Shared<Distribution>,
    /// The row of each key that was to be followed.
    pub followed: Vec<Option<u32>>,
}

/// The rows that a filter let through: as a set, and in order.
#[derive(Debug)]
struct FilteredRows {
    bits: Bits,
    rows: Vec<u32>,
}

impl Arranged {
    pub fn columns(&self) -> Option<ContainerColumns<'_>> {
        self.data.columns.container(&self.data.capture, self.container)
    }

    /// The rows that are shown, in order.
    pub fn rows(&self) -> &[u32] {
        match &self.passed {
            Some(passed) => &passed.rows,
            None => &self.order.rows,
        }
    }

    pub fn len(&self) -> usize {
        self.rows().len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows().is_empty()
    }

    /// Keys of the container, shown or not.
    pub fn len_unfiltered(&self) -> usize {
        self.order.rows.len()
    }

    /// The key at a place of the list.
    pub fn id(&self, place: usize) -> Option<KeyId> {
        let row = *self.rows().get(place)?;
        Some(self.columns()?.key(row)?.id)
    }

    /// Where a row stands in the list; of one that did not pass where the next one stands that did, else the last.
    pub fn near(&self, row: u32) -> Option<usize> {
        let place = self.order.place(row)?;
        let last = self.len().checked_sub(1)?;
        let is_before = |other: &u32| self.order.place(*other).is_some_and(|p| p < place);
        Some(self.rows().partition_point(is_before).min(last))
    }

    /// The place of a key of this data.
    pub fn near_key(&self, id: KeyId) -> Option<usize> {
        self.near(self.columns()?.find(id)?)
    }

    /// Whether a key of this data is in the list.
    pub fn holds(&self, id: KeyId) -> bool {
        let place = self.near_key(id);
        place.is_some_and(|place| self.id(place) == Some(id))
    }
}

impl Ask {
    fn columns(&self) -> Option<ContainerColumns<'_>> {
        self.data.columns.container(&self.data.capture, self.container)
    }

    /// The answer before if it is of the same keys.
    fn same_keys(&self) -> Option<&Arranged> {
        let before = self.before.as_deref()?;
        (before.data == self.data && before.container == self.container).then_some(before)
    }

    /// All rows in order; None when `keep_going` said no.
    pub fn order(&self, keep_going: &dyn Fn() -> bool) -> Option<Shared<RowOrder>> {
        if let Some(before) = self.same_keys().filter(|b| b.sort == self.sort) {
            return Some(before.order.clone());
        }
        let rows = match self.columns() {
            Some(columns) => order(&columns, self.sort, keep_going)?,
            None => Vec::new(),
        };
        Some(Shared::new(RowOrder::new(rows)))
    }

    /// Even shares of the rows for `pass`; none where there is nothing to try.
    pub fn ranges(&self, parts: u32) -> Vec<Range<u32>> {
        if self.filter.is_empty() || self.same_filter().is_some() {
            return Vec::new();
        }
        self.columns().map_or(Vec::new(), |columns| shares(columns.len(), parts))
    }

    fn same_filter(&self) -> Option<&Shared<FilteredRows>> {
        let before = self.same_keys().filter(|b| b.filter == self.filter)?;
        before.passed.as_ref()
    }

    /// The rows of a range that the filter lets through; None when `keep_going` said no.
    pub fn pass(&self, rows: Range<u32>, keep_going: &dyn Fn() -> bool) -> Option<Bits> {
        let columns = self.columns()?;
        // With every further letter only what passed before is tried.
        let wider = self
            .same_keys()
            .filter(|b| self.filter.extends(&b.filter))
            .and_then(|b| b.passed.as_deref());
        let among = wider.map(|passed| &passed.bits);
        matching(&columns, rows, among, |row| self.filter.passes(row), keep_going)
    }

    /// Puts together what the steps gave; `bits` in the order of the ranges. None when `keep_going` said no.
    pub fn answer(
        &self,
        order: Shared<RowOrder>,
        bits: Vec<Bits>,
        keep_going: &dyn Fn() -> bool,
    ) -> Option<Arranged> {
        let same_order = self.same_keys().is_some_and(|b| b.order == order);
        let passed = match self.same_filter() {
            Some(held) if same_order => Some(held.clone()),
            None if self.filter.is_empty() => None,
            held => {
                let held = held.map(|passed| passed.bits.clone());
                let bits = held.unwrap_or_else(|| Bits::join(bits));
                let rows = narrow(&order.rows, &bits);
                Some(Shared::new(FilteredRows { bits, rows }))
            }
        };
        Some(Arranged {
            data: self.data.clone(),
            container: self.container,
            sort: self.sort,
            filter: self.filter.clone(),
            order,
            passed,
            distribution: self.distribution(),
            followed: self.followed(keep_going)?,
        })
    }

    fn distribution(&self) -> Shared<Distribution> {
        if let Some(before) = self.same_keys() {
            return before.distribution.clone();
        }
        let columns = self.columns();
        let keys = columns.as_ref().map_or(&[][..], |c| c.keys);
        let name = columns.as_ref().map(|c| c.container.name.identity());
        let mut rows = self.data.report.containers.iter();
        let rows = rows.find(|rows| Some(rows.name.identity()) == name);
        let whole = rows.filter(|rows| rows.skew.whole_of == WholeOf::Container);
        let whole_kib = whole.map(|rows| rows.skew.total_kib);
        Shared::new(Distribution::of(keys.iter().map(|key| key.size_kib), whole_kib))
    }

    fn followed(&self, keep_going: &dyn Fn() -> bool) -> Option<Vec<Option<u32>>> {
        let mut found = vec![None; self.follow.len()];
        let Some(columns) = self.columns().filter(|_| !self.follow.is_empty()) else {
            return Some(found);
        };
        let wanted: HashMap<&str, usize> =
            self.follow.iter().map(|t| &**t).zip(0_usize..).collect();
        for (row, key) in (0_u32..).zip(columns.keys) {
            if (row as usize).is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                return None;
            }
            let view = columns.capture.sizes.view(key.id);
            let at = view.and_then(|view| wanted.get(view.canonical()));
            if let Some(slot) = at.and_then(|at| found.get_mut(*at)) {
                *slot = Some(row);
            }
        }
        Some(found)
    }
}
