//! Fewer documents of the same: a uniform sample of those that were kept, for work that is done many times.

use super::super::{Documents, moments};
use super::{Body, Column, Hashed};
use crate::model::order::keep_first;
use crate::model::random::{GOLDEN, mixed};

impl Documents {
    /// At most `n` of the documents in their order, each as likely as any other; which ones, the seed decides. What was
    /// seen stays the same, so that they stand for all of it.
    #[must_use]
    pub fn thinned(&self, n: usize, seed: u64) -> Self {
        if n >= self.len() {
            return self.clone();
        }
        let rows = chosen(self.len(), n, seed);
        let columns: Vec<Column> = self.columns.iter().map(|c| c.of_rows(&rows)).collect();
        Self {
            times: moments::of_columns(&columns, rows.len()),
            columns,
            bytes: of(&self.bytes, &rows),
            seen: self.seen.clone(),
            windows: self.windows.of_rows(|windows| of(windows, &rows)),
        }
    }
}

impl Column {
    fn of_rows(&self, rows: &[u32]) -> Self {
        let body = match &self.body {
            Body::Codes { codes, dictionary } => {
                let mut codes = of(codes, rows);
                let dictionary = dictionary.left(&mut codes);
                Body::Codes { codes, dictionary }
            }
            Body::Hashes(held) => Body::Hashes(Hashed {
                hashes: of(&held.hashes, rows),
                seconds: held.seconds.as_ref().map(|s| of(s, rows)),
                form: held.form,
                named: held.named.clone(),
            }),
        };
        Self::new(self.path.clone(), body, self.extremes, rows.len())
    }
}

fn of<T: Copy + Default>(values: &[T], rows: &[u32]) -> Vec<T> {
    let value = |row: &u32| values.get(*row as usize).copied().unwrap_or_default();
    rows.iter().map(value).collect()
}

/// Those of the lowest priorities, which the seed gives.
fn chosen(all: usize, n: usize, seed: u64) -> Vec<u32> {
    let priority = |row: u32| mixed(seed.wrapping_add(u64::from(row) + 1).wrapping_mul(GOLDEN));
    let mut ranked: Vec<(u64, u32)> = (0..).take(all).map(|row| (priority(row), row)).collect();
    keep_first(&mut ranked, n, Ord::cmp);
    let mut rows: Vec<u32> = ranked.into_iter().map(|(_, row)| row).collect();
    rows.sort_unstable();
    rows
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::super::super::{Scalar, Table, TableLimits, Value, WantedPaths, statistics};
    use super::*;

    fn numbered(rows: u32) -> Documents {
        let mut table = Table::new(&TableLimits::default(), &WantedPaths::Every);
        let mut worker = table.rows();
        let [tenant, some] =
            ["tenant", "some"].map(|n| worker.add_column([n].into_iter().collect()));
        for row in 0..rows {
            worker.begin(u64::from(row));
            worker.put(tenant, Scalar::Text(&format!("t{}", row % 7)));
            if row % 2 == 0 {
                worker.put(some, Scalar::Text(&format!("v{row}")));
            }
            worker.end(100 + row as usize % 7);
        }
        table.append(&mut worker);
        table.finish()
    }

    #[test]
    fn rows_stay_together_and_stand_for_all() {
        let all = numbered(10_000);
        let some = all.thinned(1_000, 3);
        assert_eq!((some.len(), some.seen()), (1_000, all.seen()));
        assert!(some.is_sampled() && !all.is_sampled());
        let [tenant, other] = [&some.columns()[0], &some.columns()[1]];
        for row in 0..some.len() {
            let Value::Text(text) = tenant.value(row).unwrap() else { unreachable!() };
            assert_eq!(text, format!("t{}", some.bytes()[row] - 100));
        }
        let missing = (0..1_000).filter(|row| other.value(*row) == Some(Value::Missing));
        assert!((400..600).contains(&missing.count()));
        assert!(statistics(tenant, 0).distinct == 7);
    }

    #[test]
    fn the_seed_decides_and_each_document_is_as_likely() {
        let all = numbered(500);
        let sizes = |n, seed| all.thinned(n, seed).bytes().to_vec();
        assert_eq!(sizes(100, 1), sizes(100, 1));
        assert_ne!(sizes(100, 1), sizes(100, 2));
        assert_eq!(sizes(500, 1), all.bytes());
        assert!(sizes(0, 1).is_empty());
        let mut met = vec![0_u32; 500];
        for seed in 0..400 {
            for row in chosen(500, 100, seed) {
                met[row as usize] += 1;
            }
        }
        // 80 expected, with a deviation of 8.
        assert!(met.iter().all(|n| (45..=115).contains(n)), "{met:?}");
    }
}
