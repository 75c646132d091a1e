//! Which RU/s can be had when: at once, and after each round of splits.

use crate::model::capture::Container;
use crate::model::throughput::ThroughputMode;
use crate::model::units::{MOST_RU, PARTITION_RU_PER_SECOND, as_number, whole_usize};

/// Rounds that are listed where no RU/s are asked for.
const ROUNDS: u32 = 3;

/// The RU/s of a container, step by step. Each round splits every partition, so that they stay even.
#[derive(Clone, PartialEq, Debug)]
pub struct Ladder {
    pub throughput_mode: ThroughputMode,
    pub ru_per_second: f64,
    pub partitions: usize,
    pub rungs: Vec<Rung>,
    /// RU/s to set after the last round, where they are fewer than those of its rung.
    pub then_lower_to: Option<f64>,
    /// Partitions have different RU/s, as after a redistribution or a split.
    pub has_uneven_ru: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rung {
    /// The most that can be set.
    pub ru_per_second: f64,
    pub partitions: usize,
    /// Rounds of splits before.
    pub rounds: u32,
    /// As low as it can be set afterwards.
    pub lowest_after: f64,
}

impl Ladder {
    /// None where RU/s or partitions are not known.
    pub fn of_container(container: &Container, target: Option<f64>) -> Option<Self> {
        let settings = container.throughput?;
        let current = container.current_partitions().count();
        let told = || settings.partitions().map_or(0, whole_usize);
        let partitions = if current > 0 { current } else { told() };
        (partitions > 0).then(|| {
            let ru = settings.throughput.highest();
            let shares = container
                .current_partitions()
                .filter_map(|(_, p)| p.ru_per_second.or(p.throughput_fraction));
            Self {
                has_uneven_ru: is_uneven(shares),
                ..Self::of(settings.throughput.mode(), (ru, partitions), container.kib(), target)
            }
        })
    }

    /// Of a container with RU/s and partitions as now.
    pub fn of(
        mode: ThroughputMode,
        (ru_per_second, partitions): (f64, usize),
        stored_kib: Option<f64>,
        target: Option<f64>,
    ) -> Self {
        let mut rungs: Vec<Rung> = Vec::new();
        for rounds in 0..=u32::BITS {
            let count = partitions << rounds;
            let most = PARTITION_RU_PER_SECOND * as_number(count);
            let is_enough =
                |last: &Rung| target.map_or(rounds > ROUNDS, |target| last.ru_per_second >= target);
            if rungs.last().is_some_and(|last| most > MOST_RU || is_enough(last)) {
                break;
            }
            rungs.push(Rung {
                ru_per_second: most,
                partitions: count,
                rounds,
                lowest_after: mode.minimum_after(most, stored_kib.unwrap_or(0.0)),
            });
        }
        let last = rungs.last().filter(|last| last.rounds > 0);
        let then_lower_to = target.filter(|t| last.is_some_and(|last| last.ru_per_second > *t));
        Self {
            throughput_mode: mode,
            ru_per_second,
            partitions,
            rungs,
            then_lower_to,
            has_uneven_ru: false,
        }
    }
}

/// Whether shares of RU/s differ by more than their digits.
pub(super) fn is_uneven(shares: impl Iterator<Item = f64>) -> bool {
    let [least, most] = shares
        .fold([f64::INFINITY, 0.0], |[least, most], share| [least.min(share), most.max(share)]);
    most > least * 1.01
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::throughput::{initial_partitions, partitions_for_storage};
    use crate::model::units::KIB_PER_GIB;

    fn rows(ladder: &Ladder) -> Vec<(f64, usize, u32, f64)> {
        let row = |r: &Rung| (r.ru_per_second, r.partitions, r.rounds, r.lowest_after);
        ladder.rungs.iter().map(row).collect()
    }

    #[test]
    fn a_new_container_has_partitions_by_its_ru_and_by_what_it_stores() {
        let [manual, autoscale] = [ThroughputMode::Manual, ThroughputMode::AutoscaleOrShared];
        assert_eq!(initial_partitions(30_000.0, manual), 5);
        assert_eq!(initial_partitions(30_000.0, autoscale), 3);
        assert_eq!(partitions_for_storage(2_100.0 * KIB_PER_GIB), 42);
    }

    #[test]
    fn from_24_000_to_150_000_there_are_two_rounds_of_splits() {
        let now = (24_000.0, initial_partitions(24_000.0, ThroughputMode::Manual));
        let stored = Some(120.0 * KIB_PER_GIB);
        let ladder = Ladder::of(ThroughputMode::Manual, now, stored, Some(150_000.0));
        assert_eq!(
            rows(&ladder),
            [(40_000.0, 4, 0, 400.0), (80_000.0, 8, 1, 800.0), (160_000.0, 16, 2, 1_600.0),]
        );
        assert_eq!(ladder.then_lower_to, Some(150_000.0));
    }

    #[test]
    fn shares_that_differ_are_uneven() {
        for (shares, uneven) in
            [(&[0.25, 0.25, 0.5] as &[f64], true), (&[0.333_3, 0.333_4], false), (&[], false)]
        {
            assert_eq!(is_uneven(shares.iter().copied()), uneven, "{shares:?}");
        }
    }

    #[test]
    fn what_fits_needs_no_split_and_autoscale_keeps_a_tenth() {
        let autoscale = ThroughputMode::AutoscaleOrShared;
        let ladder = Ladder::of(autoscale, (9_000.0, 2), None, Some(20_000.0));
        assert_eq!(rows(&ladder), [(20_000.0, 2, 0, 2_000.0)]);
        assert_eq!(ladder.then_lower_to, None);
        let ladder = Ladder::of(autoscale, (9_000.0, 2), Some(900.0 * KIB_PER_GIB), None);
        let last = ladder.rungs.last().copied();
        assert_eq!(ladder.rungs.len(), 4);
        assert_eq!(last.map(|l| (l.partitions, l.lowest_after)), Some((16, 16_000.0)));
        assert_eq!(rows(&ladder).first(), Some(&(20_000.0, 2, 0, 9_000.0)));
    }
}
