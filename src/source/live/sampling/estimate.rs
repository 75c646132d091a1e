//! What a sample costs, before anything is asked: by the size of documents, as the service charges reads of them.

use super::strata::{self, Stratum, quotas};
use super::{UNKNOWN_KIB, page_size};
use crate::model::units::{real, whole_u64};
use crate::source::live::pages::PageBody;

/// RU for a KiB that is read, and for a page beside what it holds.
const RU_PER_KIB: f64 = 1.0;
const RU_PER_PAGE: f64 = 2.5;
/// Pages by which it is known what parts of hash ranges cost, and how many times what was planned is too much.
const JUDGED_PAGES: u64 = 4;
const MOST_TIMES: f64 = 4.0;
/// Sizes of a sample that are proposed.
const STEPS: [u64; 10] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

/// What a sample would take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub documents: u64,
    pub partitions: usize,
    pub ru: f64,
    pub ru_per_second: f64,
    pub seconds: f64,
}

/// Of `documents` documents at the rate that is left to it.
pub fn estimate(strata: &[Stratum], documents: u64, ru_per_second: f64) -> Estimate {
    let kib = strata::mean_kib(strata).unwrap_or(UNKNOWN_KIB);
    // A page costs at most the RU of one second: a low rate makes small pages.
    let paid = (ru_per_second - RU_PER_PAGE) / (kib * RU_PER_KIB);
    let page = u64::from(page_size(strata)).min(whole_u64(paid.max(1.0)));
    let quotas = quotas(strata, documents, page);
    let read: u64 = quotas.iter().sum();
    // A large key has pages of its own.
    let pages = strata
        .iter()
        .zip(&quotas)
        .map(|(stratum, quota)| quota.div_ceil(page) + stratum.large_keys(*quota).len() as u64);
    let pages: u64 = pages.sum();
    // Documents in the order of time need a query for the oldest and the newest of each partition.
    let ru = planned(read, kib, pages + 2 * strata.len() as u64);
    Estimate {
        documents: read,
        partitions: strata.len(),
        ru,
        ru_per_second,
        seconds: ru / ru_per_second.max(f64::MIN_POSITIVE),
    }
}

/// What parts of hash ranges cost so far: the service may look through all of a partition for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WindowCosts {
    pub pages: u64,
    pub documents: u64,
    pub ru: f64,
    /// Of a document; where that is not known, there is nothing to compare with.
    pub kib: Option<f64>,
    /// How many times what was planned, where that is too much.
    pub too_much: Option<f64>,
}

impl WindowCosts {
    /// Whether it is found out now.
    pub(super) fn are_too_much(&mut self, body: &PageBody) -> bool {
        let (Some(kib), Some(ru), None) = (self.kib, body.ru, self.too_much) else {
            return false;
        };
        self.pages += 1;
        self.documents += body.entries;
        self.ru += ru;
        let times = self.ru / planned(self.documents, kib, self.pages);
        self.too_much = (self.pages >= JUDGED_PAGES && times > MOST_TIMES).then_some(times);
        self.too_much.is_some()
    }
}

/// RU of so many documents on so many pages.
fn planned(documents: u64, kib: f64, pages: u64) -> f64 {
    real(documents) * kib * RU_PER_KIB + real(pages) * RU_PER_PAGE
}

/// The largest of the usual sizes that the budget may hold; the next ones up and down are a step away.
pub fn suggested(strata: &[Stratum], limit_ru: f64, ru_per_second: f64) -> u64 {
    let fits = |documents: &&u64| estimate(strata, **documents, ru_per_second).ru <= limit_ru;
    STEPS.iter().rev().find(fits).copied().unwrap_or(STEPS[0])
}

impl Estimate {
    /// The next usual size up or down.
    pub fn stepped(documents: u64, up: bool) -> u64 {
        let next = if up {
            STEPS.iter().find(|step| **step > documents)
        } else {
            STEPS.iter().rev().find(|step| **step < documents)
        };
        next.copied().unwrap_or(documents)
    }
}
