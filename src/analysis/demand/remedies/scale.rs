//! Scaling up: the least RU/s, as they are sold, with which no more is throttled than is healthy.

use super::{AT_ONCE, Case, Question, Remedy, SPLIT_HOURS, partitions_text, ru_text};
use crate::analysis::demand::outcome::{Between, StepLoad, overload, throttled};
use crate::analysis::demand::{Now, outcome::Route, outcome::routed};
use crate::analysis::placement::{Bought, Cut, MOST_RU, as_number};
use crate::model::units::PARTITION_RU_PER_SECOND;

/// What is left of a share counts as no better from here on.
const NEAR: f64 = 0.001;

/// So many RU/s, on so many partitions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Scaled {
    pub ru_per_second: f64,
    pub partitions: usize,
    pub throttled: Between,
}

/// How RU/s become what partitions serve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Each partition keeps its fraction.
    AsToday,
    /// Redistributed by demand.
    ByDemand(u32),
}

/// None where none does it, or it is not known what was throttled.
pub fn least_ru(now: &Now, cured: f64) -> Option<f64> {
    if !now.is_known {
        return None;
    }
    let [step, least] = sold(now);
    let from = now.partitions.minimum.unwrap_or(least);
    let found = search(now, &now.loads, from.max(step), cured, Sharing::AsToday);
    found.0.map(|s| s.ru_per_second)
}

fn sold(now: &Now) -> [f64; 2] {
    let bought = if now.partitions.is_autoscale {
        Bought::AutoscaleOrShared
    } else {
        Bought::Manual
    };
    bought.sold()
}

/// RU/s of each partition at other RU/s of the container. Fractions persist until partitions are split, which makes all
/// shares equal.
pub fn capacities(now: &Now, ru_per_second: f64, partitions: usize) -> Vec<f64> {
    let today = now.partitions.capacities.as_deref().unwrap_or_default();
    let provisioned = now.partitions.provisioned.filter(|ru| *ru > 0.0);
    match provisioned {
        Some(provisioned) if partitions == today.len() => {
            let part = |c: &f64| (c / provisioned * ru_per_second).min(PARTITION_RU_PER_SECOND);
            today.iter().map(part).collect()
        }
        _ => {
            let each = ru_per_second / as_number(partitions.max(1));
            vec![each.min(PARTITION_RU_PER_SECOND); partitions]
        }
    }
}

/// The least RU/s from `from` on that cure, and the best there is: T is not monotone where partitions are split, so every
/// number of partitions is looked at by itself.
pub(super) fn search(
    now: &Now,
    today: &[StepLoad],
    from: f64,
    cured: f64,
    sharing: Sharing,
) -> (Option<Scaled>, Option<Scaled>) {
    let count = now.partitions.len();
    let mut best: Option<Scaled> = None;
    let mut partitions = count;
    while partitions > 0 {
        let most = PARTITION_RU_PER_SECOND * as_number(partitions);
        let least = if partitions == count {
            from
        } else {
            from.max(PARTITION_RU_PER_SECOND * as_number(partitions - 1) + 1.0)
        };
        let loads = if partitions == count {
            Some(today.to_vec())
        } else {
            split_up(now, partitions)
        };
        // Of requests whose keys are not known nobody can say where a split leaves them.
        let Some(loads) = loads else { break };
        if least <= most {
            let on = On {
                now,
                loads: &loads,
                partitions,
                sharing,
            };
            if let Some(found) = on.least(least, most, cured) {
                return (Some(found), best);
            }
            let highest = on.at(most);
            let is_better = |held: Scaled| highest.throttled.high < held.throttled.high - NEAR;
            if best.is_none_or(is_better) {
                best = on
                    .least(least, most, highest.throttled.high + NEAR)
                    .or(Some(highest));
            }
            if is_parted(&on) {
                break;
            }
        }
        partitions += 1 + partitions / 8;
        if as_number(partitions) * PARTITION_RU_PER_SECOND > MOST_RU {
            break;
        }
    }
    (None, best)
}

/// Whether only keys beyond what one key can use are left: more partitions part nothing any more.
fn is_parted(on: &On<'_>) -> bool {
    let most = PARTITION_RU_PER_SECOND * as_number(on.partitions);
    let all = capacities(on.now, most, on.partitions);
    if all.iter().any(|c| *c < PARTITION_RU_PER_SECOND - 1.0) {
        return false;
    }
    let floor = super::beyond_one_key(&on.now.demand.loads);
    overload(on.loads, &all, None, |l| l.ru_per_second).share <= floor + NEAR
}

struct On<'a> {
    now: &'a Now,
    loads: &'a [StepLoad],
    partitions: usize,
    sharing: Sharing,
}

impl On<'_> {
    fn at(&self, ru_per_second: f64) -> Scaled {
        let mut capacities = capacities(self.now, ru_per_second, self.partitions);
        if let Sharing::ByDemand(least) = self.sharing {
            let highest = super::highest(self.loads, self.partitions);
            capacities = super::redistributed(ru_per_second, &highest, f64::from(least));
        }
        Scaled {
            ru_per_second,
            partitions: self.partitions,
            throttled: throttled(self.loads, &capacities, self.now.demand.charge),
        }
    }

    /// Within one number of partitions more RU/s never throttle more.
    fn least(&self, from: f64, most: f64, share: f64) -> Option<Scaled> {
        let [step, _] = sold(self.now);
        let (mut low, mut high) = ((from / step).ceil(), (most / step).floor());
        if low > high || self.at(high * step).throttled.high > share {
            return None;
        }
        while low < high {
            let middle = f64::midpoint(low, high).floor();
            if self.at(middle * step).throttled.high <= share {
                high = middle;
            } else {
                low = middle + 1.0;
            }
        }
        Some(self.at(low * step))
    }
}

/// Loads once partitions are split until there are so many; None where it is not known where keys go.
pub fn split_up(now: &Now, partitions: usize) -> Option<Vec<StepLoad>> {
    let definition = now.partitions.definition.as_ref()?;
    let layout = now.partitions.layout.as_ref()?;
    let grown = layout.grown(partitions, &now.weights(), definition, Cut::Data);
    let route = now.route(&grown)?;
    Some(routed(&now.demand.loads, &route, grown.len()))
}

impl Question<'_> {
    pub(super) fn scale_up(&self) -> Remedy {
        let provisioned = self.now.partitions.provisioned.unwrap_or(0.0);
        let [step, _] = sold(self.now);
        let next = (provisioned / step).floor() * step + step;
        let (found, best) = search(
            self.now,
            &self.now.loads,
            next,
            self.cured,
            Sharing::AsToday,
        );
        let scaled = found.or(best);
        let Some(scaled) = scaled else {
            let words = "RU/s beyond today's partitions: keys of the load are not known";
            return self.row("scale-up", words.to_owned(), None, None, SPLIT_HOURS);
        };
        self.scaled("scale-up", scaled, "", found.is_some())
    }

    pub(super) fn scaled(&self, name: &str, at: Scaled, with: &str, is_found: bool) -> Remedy {
        let count = self.now.partitions.len();
        let is_split = at.partitions > count;
        let none = if is_found { "" } else { "; no RU/s fix it" };
        let words = format!(
            "{} on {}{with}{none}",
            ru_text(at.ru_per_second),
            partitions_text(at.partitions)
        );
        let takes = if is_split { SPLIT_HOURS } else { AT_ONCE };
        let loads = if is_split {
            split_up(self.now, at.partitions)
        } else {
            Some(self.now.loads.clone())
        };
        let capacities = capacities(self.now, at.ru_per_second, at.partitions);
        let case = loads.as_ref().map(|loads| Case {
            loads,
            capacities: &capacities,
        });
        let mut row = self.row(name, words, case, Some(at.ru_per_second), takes);
        row.throttled = Some(at.throttled);
        row.effect = self.effect(at.throttled);
        row
    }

    fn effect(&self, after: Between) -> super::Effect {
        let now = self.now.throttled().map_or(0.0, |t| t.point);
        super::Effect::of(now, after.high, self.cured)
    }

    /// The cheapest two remedies together.
    pub(super) fn pair(&self, capacities: &[f64]) -> Option<Remedy> {
        let provisioned = self.now.partitions.provisioned?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a threshold of some RU/s; the cast saturates"
        )]
        let least = self.least_partition_ru as u32;
        let by_demand = Sharing::ByDemand(least);
        let redistributed = search(
            self.now,
            &self.now.loads,
            provisioned,
            self.cured,
            by_demand,
        );
        let with_suffixes = self.suffixed_loads().and_then(|(count, loads)| {
            let found = search(self.now, &loads, provisioned, self.cured, Sharing::AsToday).0?;
            // Where suffixed keys would go on other partitions is not looked at.
            (found.partitions == capacities.len()).then_some((count, found))
        });
        let rows = [
            redistributed.0.map(|at| {
                self.scaled(
                    "scale-up+redistribute",
                    at,
                    ", redistributed by demand",
                    true,
                )
            }),
            with_suffixes.map(|(count, at)| {
                let with = format!(", the key with {count} suffixes");
                let mut row = self.scaled("suffixes+scale-up", at, &with, true);
                row.takes = super::NEW_CONTAINER;
                row
            }),
        ];
        let rows = rows.into_iter().flatten();
        rows.min_by(|a, b| {
            let ru = |r: &Remedy| r.ru_per_second.unwrap_or(f64::INFINITY);
            ru(a).total_cmp(&ru(b))
        })
    }

    /// The loads with the most suffixes.
    fn suffixed_loads(&self) -> Option<(u32, Vec<StepLoad>)> {
        let count = *super::SUFFIXES.last()?;
        let route: Route = self.suffix_route(count)?;
        let loads = routed(&self.now.demand.loads, &route, self.now.partitions.len());
        Some((count, loads))
    }
}
