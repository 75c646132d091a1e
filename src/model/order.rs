//! Orders: what comes first in one.

use std::cmp::Ordering;

/// Leaves the first `n` of an order, in that order.
pub fn keep_first<T>(values: &mut Vec<T>, n: usize, order: impl Fn(&T, &T) -> Ordering) {
    if values.len() > n {
        values.select_nth_unstable_by(n, &order);
        values.truncate(n);
    }
    values.sort_by(order);
}
