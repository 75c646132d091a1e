//! Hands that work on parts of one thing at the same time. Whoever asks lends them: nothing here starts a thread, and what
//! comes of the parts does not depend on how many hands there are.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A part of the work: to be called once, from any thread.
pub type WorkPart<'a> = dyn FnMut() + Send + 'a;
/// Calls every part once, each from a thread of its own where there is one, and comes back when all are done.
pub type WorkRunner = fn(&mut [&mut WorkPart<'_>]);
/// What any hand may do.
pub(super) type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Who works.
#[derive(Clone, Copy)]
pub struct Parallelism {
    workers: usize,
    work: WorkRunner,
    /// Grains are not coarser than this.
    grain: usize,
}

impl fmt::Debug for Parallelism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("hands", &self.workers).finish_non_exhaustive()
    }
}

impl Default for Parallelism {
    fn default() -> Self {
        Self::ALONE
    }
}

impl Parallelism {
    /// Whoever asks does all of it.
    pub const ALONE: Self = Self { workers: 1, work: one_after_another, grain: usize::MAX };

    pub fn new(workers: usize, work: WorkRunner) -> Self {
        Self { workers: workers.max(1), work, grain: usize::MAX }
    }

    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The length of parts, in whole grains, of which there is about one for each hand.
    pub(super) fn share(&self, length: usize, grain: usize) -> usize {
        let grain = grain.min(self.grain).max(1);
        let each = length.div_ceil(self.workers);
        each.div_ceil(grain).saturating_mul(grain).max(1)
    }

    /// Each task once: a hand that is done takes the next.
    pub(super) fn all(&self, tasks: Vec<Task<'_>>) {
        let workers = self.workers.min(tasks.len());
        let queue = Mutex::new(tasks.into_iter());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let hand = || {
            while let Some(task) = next() {
                task();
            }
        };
        if workers > 1 {
            let mut each = vec![hand; workers];
            let mut parts: Vec<&mut WorkPart<'_>> = Vec::with_capacity(workers);
            for part in &mut each {
                parts.push(part);
            }
            (self.work)(&mut parts);
        }
        // What no hand has taken.
        hand();
    }

    /// What comes of each item, in their order.
    pub(super) fn each<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        let items: Vec<T> = items.into_iter().collect();
        let mut found: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let work = &work;
        let tasks = items.into_iter().zip(&mut found);
        let tasks =
            tasks.map(|(item, slot)| -> Task<'_> { Box::new(move || *slot = Some(work(item))) });
        self.all(tasks.collect());
        found.into_iter().flatten().collect()
    }
}

fn one_after_another(parts: &mut [&mut WorkPart<'_>]) {
    for part in parts {
        part();
    }
}

/// Hands for tests.
#[cfg(test)]
pub(super) mod testing {
    use super::*;

    fn last_first(parts: &mut [&mut WorkPart<'_>]) {
        for part in parts.iter_mut().rev() {
            part();
        }
    }

    /// Hands that take turns, the last of them first, and do not mind how little there is for each.
    pub fn parallelism(workers: usize) -> Parallelism {
        Parallelism { grain: 1, ..Parallelism::new(workers, last_first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_the_parts_is_in_their_order_whoever_works() {
        let forgets: WorkRunner = |_| {};
        for workers in [
            Parallelism::ALONE,
            testing::parallelism(3),
            Parallelism::new(2, forgets),
            Parallelism::new(0, forgets),
        ] {
            let found = workers.each(0..10, |n| n * n);
            assert_eq!(found, (0..10).map(|n| n * n).collect::<Vec<i32>>());
            assert_eq!(workers.each(Vec::<i32>::new(), |n| n), Vec::<i32>::new());
        }
        assert_eq!(Parallelism::new(3, forgets).share(10, 4), 4);
        assert_eq!(Parallelism::new(2, forgets).share(11, 4), 8);
        assert_eq!(testing::parallelism(3).share(10, 4), 4);
        assert_eq!(testing::parallelism(2).share(0, 4), 1);
    }
}
