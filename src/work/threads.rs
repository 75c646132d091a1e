//! Threads for work that can be done in parts.

use std::num::NonZero;
use std::thread;

use crate::analysis::parallelism::{Parallelism, WorkPart};

/// More threads would mostly wait for memory, and for one of them to put together what all have found.
const MOST_WORKERS: usize = 4;

/// As many hands as the machine has, within reason.
pub fn parallelism() -> Parallelism {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    Parallelism::new(workers.min(MOST_WORKERS), side_by_side)
}

/// The first part is done here, where it begins without delay.
pub fn side_by_side(parts: &mut [&mut WorkPart<'_>]) {
    let Some((first, others)) = parts.split_first_mut() else {
        return;
    };
    thread::scope(|scope| {
        for part in others {
            scope.spawn(part);
        }
        first();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        for count in 0..5 {
            let mut done = vec![0; count];
            let mut parts: Vec<_> = done.iter_mut().map(|n| move || *n += 1).collect();
            let mut parts: Vec<&mut WorkPart<'_>> = parts.iter_mut().map(|p| p as _).collect();
            side_by_side(&mut parts);
            drop(parts);
            assert_eq!(done, vec![1; count]);
        }
        assert!((1..=MOST_WORKERS).contains(&parallelism().workers()));
    }
}
