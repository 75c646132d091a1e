//! What the mix of reads and writes means for the choice of a key.

use std::collections::BTreeSet;

use super::super::billing::{Price, and_money};
use super::super::routing::Query;
use super::{LoggedWorkload, OperationKind};
use crate::model::path::Path;
use crate::model::units::{amount_text, percent_text, real, whole_text};
use crate::model::visible::visible;

/// From this share of the RU on, reads or writes decide alone.
const DECIDES: f64 = 0.7;
/// Of the RU of a write: 5 of the 10 that 1 KB takes with everything indexed.
const WITHOUT_INDEX: f64 = 0.5;
const SLOW: f64 = 0.01;
/// Paths that are named.
const MOST_PATHS: usize = 8;

words! {
    /// What the RU go to.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum MixKind {
        WriteHeavy = "write-heavy",
        ReadHeavy = "read-heavy",
        Both = "reads and writes",
    }
    fn word
}

/// How likely one of so many equally fast pages is slower than what 99 % of them stay below.
pub fn slow_share(pages: f64) -> f64 {
    1.0 - (1.0 - SLOW).powf(pages.max(0.0))
}

impl LoggedWorkload {
    /// None where no RU of reads and writes are logged.
    pub fn mix(&self) -> Option<(MixKind, f64)> {
        let all = self.reads.ru + self.writes.ru;
        let written = (all > 0.0).then(|| self.writes.ru / all)?;
        let kind = match written {
            share if share >= DECIDES => MixKind::WriteHeavy,
            share if share <= 1.0 - DECIDES => MixKind::ReadHeavy,
            _ => MixKind::Both,
        };
        Some((kind, written))
    }

    /// In the order of their weight.
    pub fn advice(&self, price: Option<&Price>) -> Vec<String> {
        let mut said = Vec::new();
        if let Some((kind, written)) = self.mix() {
            let share = match kind {
                MixKind::WriteHeavy | MixKind::Both => written,
                MixKind::ReadHeavy => 1.0 - written,
            };
            let share = percent_text(share);
            said.push(match kind {
                MixKind::WriteHeavy => format!("Writes are {share} of the RU: choose a key that spreads writes. Queries may be cross-partition."),
                MixKind::ReadHeavy => format!("Reads are {share} of the RU: choose the key that the queries filter by."),
                MixKind::Both => format!("Writes are {share} of the RU: one key has to serve reads and writes."),
            });
            said.extend((kind == MixKind::Both).then(|| self.second_container(price)).flatten());
        }
        said.extend(self.index_sentence());
        said.extend(self.fan_out_sentence());
        said.extend(self.batch_sentence());
        said
    }

    /// A copy that the change feed keeps, or a global secondary index, takes each write once more.
    fn second_container(&self, price: Option<&Price>) -> Option<String> {
        let ru = (self.seconds > 0.0).then(|| self.writes.ru / self.seconds)?;
        Some(format!(
            "If no key serves both: a second container or a global secondary index with the other key. Its writes take {} RU/s more{}, \
             and the data is stored twice.",
            whole_text(ru),
            and_money(price, ru)
        ))
    }

    fn index_sentence(&self) -> Option<String> {
        let writes = self.of_kind(OperationKind::Write);
        let charged = writes.filter_map(|used| {
            Some((real(used.requests - used.throttled.unwrap_or(0)), used.ru_each?))
        });
        let (count, ru) =
            charged.fold((0.0, 0.0), |(n, sum), (count, each)| (n + count, sum + count * each));
        (count > 0.0).then(|| {
            let each = amount_text(ru / count);
            let bare = amount_text(ru / count * WITHOUT_INDEX);
            let used = self.filtered_paths().map_or_else(
                || "Exclude paths that no query uses.".to_owned(),
                |paths| format!("Queries filter by {paths}: exclude paths that they neither filter nor sort by."),
            );
            format!("A write takes {each} RU; about {bare} RU of them without any index. {used}")
        })
    }

    /// None where a query cannot be read, or there are too many to name.
    fn filtered_paths(&self) -> Option<String> {
        let mut paths: BTreeSet<Path> = BTreeSet::new();
        for query in &self.queries {
            paths.extend(Query::parse(&query.sql).ok()?.filtered_paths()?);
        }
        let names: Vec<String> = paths.iter().map(ToString::to_string).collect();
        let is_short = (1..=MOST_PATHS).contains(&names.len());
        is_short.then(|| visible(&names.join(", ")).into_owned())
    }

    fn fan_out_sentence(&self) -> Option<String> {
        let widest = (self.queries.iter()).filter(|query| query.partitions >= 2.0);
        let widest = widest.max_by(|a, b| a.partitions.total_cmp(&b.partitions))?;
        let n = widest.partitions;
        let count = amount_text(n);
        Some(format!(
            "The widest query goes to {count} partitions: one after another takes {count} times as long as one of them, all at once as \
             long as the slowest. The chance that one is slower than its p99 is {}.",
            percent_text(slow_share(n))
        ))
    }

    fn batch_sentence(&self) -> Option<String> {
        let of = |kind| self.of_kind(kind).map(|used| used.requests).sum::<u64>();
        let (batches, procedures) = (of(OperationKind::Batch), of(OperationKind::Procedure));
        (batches + procedures > 0).then(|| {
            format!(
                "Batches ({batches}) and procedures ({procedures}) stay atomic only where their documents share a key: plan \
                 says which do. A batch holds at most 100 operations."
            )
        })
    }
}
