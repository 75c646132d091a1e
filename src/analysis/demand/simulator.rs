//! The service in small, second by second: requests that arrive by chance, partitions that serve what they are given, and
//! what is logged of it. The same traffic and seed give the same simulation.

mod random;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::DemandKey;
use crate::model::layout::Layout;
use crate::model::ru_bucket::RuBucket;
use crate::model::units::PARTITION_RU_PER_SECOND;
use random::Random;

/// Requests of one kind, which arrive by chance.
#[derive(Clone, PartialEq, Debug)]
pub struct Stream {
    /// By its number in [`Traffic::keys`]; None is a query without the key, which visits every partition.
    pub key: Option<u32>,
    pub operation: &'static str,
    /// RU of each on each partition that it visits.
    pub ru_each: f64,
    pub per_second: f64,
    /// Seconds in which it flows, `[from, to)`.
    pub during: (u32, u32),
}

/// What clients request.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    pub keys: Vec<DemandKey>,
    pub streams: Vec<Stream>,
    pub seconds: u32,
    /// By how much more or less is requested in each second; as often as streams say beyond the last.
    pub course: Vec<f64>,
    pub seed: u64,
    /// A key whose clients send no more RU in a second.
    pub limited: Option<(u32, f64)>,
}

/// What the requests meet.
#[derive(Clone, PartialEq, Debug)]
pub struct ServiceModel {
    pub layout: Layout,
    /// RU/s of each range of the layout.
    pub capacities: Vec<f64>,
    /// Unused RU of the last five minutes may be used later.
    pub is_burst: bool,
    /// How often clients repeat a throttled request, a second later each time.
    pub retries: u8,
}

/// What became of the requests of one stream on one partition in one second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamAnswers {
    pub second: u32,
    pub partition: u32,
    pub stream: u32,
    pub counts: AnswerCounts,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnswerCounts {
    /// First attempts, and how many of these were throttled.
    pub first: u32,
    pub first_throttled: u32,
    /// Of all attempts.
    pub served: u32,
    pub throttled: u32,
}

/// RU served to a key by one operation in one second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ServedRu {
    pub second: u32,
    pub partition: u32,
    pub key: Option<u32>,
    pub operation: &'static str,
    pub ru: f64,
}

/// Requests by operation on one partition over some seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RequestTotal {
    pub served: u64,
    pub throttled: u64,
    pub ru: f64,
}

/// First attempts in RU, which no log of the service tells.
#[derive(Clone, PartialEq, Debug)]
pub struct Truth {
    pub by_partition: Vec<f64>,
    pub by_key: Vec<f64>,
    pub requested: f64,
    pub throttled: f64,
}

impl Truth {
    pub fn throttled_share(&self) -> f64 {
        self.throttled / self.requested.max(f64::MIN_POSITIVE)
    }
}

/// What came of traffic.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    streams: Vec<Stream>,
    capacities: Vec<f64>,
    keys: usize,
    /// In the order of seconds, partitions and streams.
    pub answered: Vec<StreamAnswers>,
}

#[derive(Clone, Copy)]
struct Attempt {
    stream: u32,
    /// How often it was throttled before.
    throttled: u8,
}

impl ServiceModel {
    pub fn simulate(&self, traffic: &Traffic) -> Simulation {
        let places: Vec<Vec<u32>> =
            traffic.streams.iter().map(|s| self.visited(traffic, s)).collect();
        let mut arrivals = Random::of(traffic.seed);
        let mut order = Random::of(!traffic.seed);
        let new = |ru: &f64| RuBucket::of(*ru, self.is_burst);
        let mut partitions: Vec<RuBucket> = self.capacities.iter().map(new).collect();
        let mut keys = vec![RuBucket::new(PARTITION_RU_PER_SECOND); traffic.keys.len()];
        let mut waiting: Vec<Vec<Attempt>> = vec![Vec::new(); partitions.len()];
        let mut answered = Vec::new();
        for second in 0..traffic.seconds {
            partitions.iter_mut().chain(&mut keys).for_each(RuBucket::begin_second);
            arrive(traffic, second, &places, &mut arrivals, &mut waiting);
            for ((partition, bucket), queue) in (0_u32..).zip(&mut partitions).zip(&mut waiting) {
                order.shuffle(queue);
                let counts = self.answer(traffic, bucket, &mut keys, queue);
                answered.extend(counts.into_iter().map(|(stream, counts)| StreamAnswers {
                    second,
                    partition,
                    stream,
                    counts,
                }));
            }
        }
        Simulation {
            streams: traffic.streams.clone(),
            capacities: self.capacities.clone(),
            keys: traffic.keys.len(),
            answered,
        }
    }

    fn visited(&self, traffic: &Traffic, stream: &Stream) -> Vec<u32> {
        let Some(key) = stream.key else { return (0..).take(self.layout.len()).collect() };
        let key = traffic.keys.get(key as usize);
        let owner = key.and_then(|k| self.layout.owner(k.epk.as_ref()?));
        owner.and_then(|at| u32::try_from(at).ok()).into_iter().collect()
    }

    /// Answers a queue; what is repeated later stays in it.
    fn answer(
        &self,
        traffic: &Traffic,
        bucket: &mut RuBucket,
        keys: &mut [RuBucket],
        queue: &mut Vec<Attempt>,
    ) -> BTreeMap<u32, AnswerCounts> {
        let mut counts: BTreeMap<u32, AnswerCounts> = BTreeMap::new();
        let mut again = Vec::new();
        for attempt in queue.drain(..) {
            let Some(stream) = traffic.streams.get(attempt.stream as usize) else { continue };
            let key = stream.key.and_then(|key| keys.get_mut(key as usize));
            let is_served = bucket.left > 0.0 && key.as_ref().is_none_or(|k| k.left > 0.0);
            let of = counts.entry(attempt.stream).or_default();
            let is_first = attempt.throttled == 0;
            of.first += u32::from(is_first);
            if is_served {
                of.served += 1;
                bucket.left -= stream.ru_each;
                if let Some(key) = key {
                    key.left -= stream.ru_each;
                }
            } else {
                of.throttled += 1;
                of.first_throttled += u32::from(is_first);
                if attempt.throttled < self.retries {
                    again.push(Attempt { throttled: attempt.throttled + 1, ..attempt });
                }
            }
        }
        *queue = again;
        counts
    }
}

/// New requests of a second, on each partition that they visit.
fn arrive(
    traffic: &Traffic,
    second: u32,
    places: &[Vec<u32>],
    arrivals: &mut Random,
    waiting: &mut [Vec<Attempt>],
) {
    let factor = traffic.course.get(second as usize).unwrap_or(&1.0);
    let mut left = traffic.limited.map_or(0.0, |(_, ru)| ru);
    for ((number, stream), places) in (0_u32..).zip(&traffic.streams).zip(places) {
        if !(stream.during.0..stream.during.1).contains(&second) {
            continue;
        }
        let mut count = arrivals.poisson(stream.per_second * factor);
        if stream.key.is_some() && stream.key == traffic.limited.map(|(key, _)| key) {
            while f64::from(count) * stream.ru_each > left {
                count -= 1;
            }
            left -= f64::from(count) * stream.ru_each;
        }
        let attempt = Attempt { stream: number, throttled: 0 };
        for place in places {
            if let Some(queue) = waiting.get_mut(*place as usize) {
                queue.extend(std::iter::repeat_n(attempt, count as usize));
            }
        }
    }
}

impl Simulation {
    fn with_stream(&self) -> impl Iterator<Item = (&StreamAnswers, &Stream)> {
        let stream = |a: &StreamAnswers| self.streams.get(a.stream as usize);
        self.answered.iter().filter_map(move |a| Some((a, stream(a)?)))
    }

    /// The RU log: what was served, by key, operation and second.
    pub fn ru_log(&self) -> Vec<ServedRu> {
        let mut sums: BTreeMap<(u32, u32, Option<u32>, &'static str), f64> = BTreeMap::new();
        for (a, stream) in self.with_stream().filter(|(a, _)| a.counts.served > 0) {
            let place = (a.second, a.partition, stream.key, stream.operation);
            *sums.entry(place).or_default() += f64::from(a.counts.served) * stream.ru_each;
        }
        let record = |((second, partition, key, operation), ru)| ServedRu {
            second,
            partition,
            key,
            operation,
            ru,
        };
        sums.into_iter().map(record).collect()
    }

    /// The request log, in totals of so many seconds by start, partition and operation.
    pub fn requests(&self, total_s: u32) -> BTreeMap<(u32, u32, &'static str), RequestTotal> {
        let mut sums: BTreeMap<(u32, u32, &'static str), RequestTotal> = BTreeMap::new();
        for (a, stream) in self.with_stream() {
            let start = a.second - a.second % total_s.max(1);
            let of = sums.entry((start, a.partition, stream.operation)).or_default();
            of.served += u64::from(a.counts.served);
            of.throttled += u64::from(a.counts.throttled);
            of.ru += f64::from(a.counts.served) * stream.ru_each;
        }
        sums
    }

    /// `NormalizedRUConsumption` by minute and partition: the busiest second, 1 at most.
    pub fn normalized(&self) -> BTreeMap<(u32, u32), f64> {
        let mut seconds: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (a, stream) in self.with_stream() {
            let served = f64::from(a.counts.served) * stream.ru_each;
            *seconds.entry((a.second, a.partition)).or_default() += served;
        }
        let mut minutes: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for ((second, partition), ru) in seconds {
            let capacity = self.capacities.get(partition as usize);
            let share = capacity.map_or(0.0, |c| (ru / c).min(1.0));
            let held = minutes.entry((second - second % 60, partition)).or_default();
            *held = held.max(share);
        }
        minutes
    }

    /// Of the seconds `[from, to)`.
    pub fn truth(&self, from: u32, to: u32) -> Truth {
        let mut truth = Truth {
            by_partition: vec![0.0; self.capacities.len()],
            by_key: vec![0.0; self.keys],
            requested: 0.0,
            throttled: 0.0,
        };
        let is_in = |a: &StreamAnswers| (from..to).contains(&a.second);
        for (a, stream) in self.with_stream().filter(|(a, _)| is_in(a)) {
            let ru = f64::from(a.counts.first) * stream.ru_each;
            truth.requested += ru;
            truth.throttled += f64::from(a.counts.first_throttled) * stream.ru_each;
            let key = stream.key.and_then(|key| truth.by_key.get_mut(key as usize));
            let partition = truth.by_partition.get_mut(a.partition as usize);
            for sum in key.into_iter().chain(partition) {
                *sum += ru;
            }
        }
        truth
    }
}
