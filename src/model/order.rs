//! Orders: what comes first in one, and where a condition stops holding.

use std::cmp::Ordering;

/// Leaves the first `n` of an order, in that order.
pub fn keep_first<T>(values: &mut Vec<T>, n: usize, order: impl Fn(&T, &T) -> Ordering) {
    if values.len() > n {
        values.select_nth_unstable_by(n, &order);
        values.truncate(n);
    }
    values.sort_by(order);
}

/// Between which values a condition that holds at the low end stops holding, after a number of halvings.
pub fn bisected(
    [mut low, mut high]: [f64; 2],
    halvings: u32,
    mut holds: impl FnMut(f64) -> bool,
) -> [f64; 2] {
    for _ in 0..halvings {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}
