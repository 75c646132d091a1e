//! The figures of a container by their names: each has one value and one text wherever it stands.

use crate::model::units::{as_number, figure_text, kib_text, percent_text, ratio_text};

use super::demand::outcome::Outcome;
use super::overview::Standouts;

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum FigureId {
        /// RU/s that clients request, mean of the worst five minutes.
        Demand = "demand",
        /// The throttled part of the demand.
        Throttled = "throttled",
        /// RU/s that are provisioned.
        Ru = "ru",
        RuToBuy = "ru-to-buy",
        /// Fullest over average partition, by load.
        Imbalance = "imbalance",
        HotKeyRu = "hot-key-ru",
        HotKeyShare = "hot-key-share",
        /// RU/s in the busiest step.
        KeyPeak = "key-peak",
        PartitionLoad = "partition-load",
        PartitionPeak = "partition-peak",
        /// RU/s that a partition can serve.
        PartitionCapacity = "partition-capacity",
        PartitionThrottled = "partition-throttled",
        LargestSize = "largest-size",
        KeySize = "key-size",
        KeyGrowth = "key-growth",
        PartitionSize = "partition-size",
        Partitions = "partitions",
        /// Of all keys, a day.
        Growth = "growth",
        FullOn = "full-on",
        SplitsOn = "splits-on",
    }
    fn name, ALL
}

/// A figure, and which key or partition it is of: a key by its canonical text, a partition by its id.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure<'a> {
    pub id: FigureId,
    pub subject: &'a str,
    /// KiB, RU/s or a part of 1.
    pub value: f64,
}

impl FigureId {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }
}

impl<'a> Figure<'a> {
    fn new(id: FigureId, subject: &'a str, value: f64) -> Self {
        Self { id, subject, value }
    }

    /// As every screen and report shows it.
    pub fn text(self) -> String {
        use FigureId::{
            Growth, HotKeyShare, Imbalance, KeyGrowth, KeySize, LargestSize, PartitionSize,
            PartitionThrottled, Throttled,
        };
        match self.id {
            Throttled | PartitionThrottled | HotKeyShare => percent_text(self.value),
            LargestSize | KeySize | KeyGrowth | PartitionSize | Growth => kib_text(self.value),
            Imbalance => ratio_text(self.value),
            _ => figure_text(self.value),
        }
    }
}

impl Outcome {
    pub fn figures(&self) -> impl Iterator<Item = Figure<'_>> {
        let partitions = as_number(self.partitions.len());
        let of_all = [
            (FigureId::Partitions, Some(partitions)),
            (FigureId::Demand, Some(self.demand_ru_per_second)),
            (FigureId::Throttled, self.throttled_share.map(|share| share.point)),
            (FigureId::Ru, self.provisioned_ru_per_second),
            (FigureId::RuToBuy, self.ru_to_buy),
            (FigureId::Imbalance, self.imbalance),
        ];
        let of_all = of_all.into_iter().filter_map(|(id, value)| Some(Figure::new(id, "", value?)));
        let of_key = self.hottest_key.iter().flat_map(|key| {
            [
                Figure::new(FigureId::HotKeyRu, &key.key, key.mean),
                Figure::new(FigureId::HotKeyShare, &key.key, key.share),
                Figure::new(FigureId::KeyPeak, &key.key, key.peak),
            ]
        });
        let of_partitions = self.partitions.iter().flat_map(|of| {
            let each = [
                (FigureId::PartitionLoad, Some(of.mean)),
                (FigureId::PartitionPeak, Some(of.peak)),
                (FigureId::PartitionCapacity, of.capacity),
                (FigureId::PartitionThrottled, of.throttled_share),
            ];
            each.into_iter().filter_map(|(id, value)| Some(Figure::new(id, &of.id, value?)))
        });
        of_all.chain(of_key).chain(of_partitions)
    }
}

impl Standouts {
    pub fn figures(&self) -> impl Iterator<Item = Figure<'_>> {
        let all = self.growth_kib_per_day.map(|kib| Figure::new(FigureId::Growth, "", kib));
        let largest = self.largest.as_ref().map(|row| row.size_kib);
        let largest = largest.map(|kib| Figure::new(FigureId::LargestSize, "", kib));
        let keys = [&self.largest, &self.next_limit_date].into_iter().flatten();
        let of_keys = keys.flat_map(|row| {
            let key = row.key.as_deref().unwrap_or_default();
            let growth = row.growth.as_ref();
            let growth = growth.map(|of| Figure::new(FigureId::KeyGrowth, key, of.kib_per_day));
            [Some(Figure::new(FigureId::KeySize, key, row.size_kib)), growth].into_iter().flatten()
        });
        all.into_iter().chain(largest).chain(of_keys)
    }
}
