//! Of several RU logs of the same seconds the one that counts.

use std::collections::BTreeMap;

use super::{LeftOutLog, Load, RuCell, RuLog, RuSum};

/// What one log tells of a container in a region.
#[derive(Clone, Copy)]
struct LogCoverage {
    log: RuLog,
    records: u64,
    first: i64,
    end: i64,
}

/// Container, region, the log that is judged by, and the other one.
type Overlap = (u32, u16, RuLog, RuLog);

impl Load {
    /// Keeps of logs that overlap the one with most records, within the time that it covers. The sums of both stay known.
    pub fn choose_logs(&mut self) {
        let ranked = self.ranked();
        if ranked.values().all(|logs| logs.len() < 2) {
            return;
        }
        let judged_by = |cell: &RuCell| {
            let logs = ranked.get(&(cell.container, cell.region))?;
            let before = logs.iter().take_while(|t| t.log != cell.log);
            let covers = |t: &&LogCoverage| cell.second.is_none_or(|s| t.first <= s && s < t.end);
            before.filter(covers).map(|t| t.log).next()
        };
        let mut left_out: BTreeMap<Overlap, (f64, i64, i64)> = BTreeMap::new();
        let mut cells: Vec<(RuCell, RuSum)> = self.ru.drain().collect();
        cells.sort_unstable_by_key(|(cell, _)| *cell);
        for (cell, sum) in cells {
            let Some(judge) = judged_by(&cell) else {
                self.ru.insert(cell, sum);
                continue;
            };
            let key = (cell.container, cell.region, judge, cell.log);
            let second = cell.second.unwrap_or(i64::MIN);
            let held = left_out.entry(key).or_insert((0.0, second, second));
            *held = (held.0 + sum.ru, held.1.min(second), held.2.max(second));
        }
        for ((container, region, judged_by, log), (ru, first, last)) in left_out {
            let is_judge = |cell: &RuCell| {
                (cell.container, cell.region, cell.log) == (container, region, judged_by)
                    && cell.second.is_none_or(|s| first <= s && s <= last)
            };
            let judged = self.ru.iter().filter(|(cell, _)| is_judge(cell));
            let mut judged: Vec<(RuCell, f64)> = judged.map(|(c, s)| (*c, s.ru)).collect();
            judged.sort_unstable_by_key(|(cell, _)| *cell);
            self.left_out.push(LeftOutLog {
                container,
                region,
                judged_by,
                log,
                ru,
                judged_ru: judged.iter().map(|(_, ru)| ru).sum(),
            });
        }
    }

    /// By container and region, the most complete log first.
    fn ranked(&self) -> BTreeMap<(u32, u16), Vec<LogCoverage>> {
        let mut found: BTreeMap<(u32, u16), BTreeMap<RuLog, LogCoverage>> = BTreeMap::new();
        let width = i64::from(self.ru_width_s);
        for (cell, sum) in &self.ru {
            let logs = found.entry((cell.container, cell.region)).or_default();
            let reported = logs.entry(cell.log).or_insert(LogCoverage {
                log: cell.log,
                records: 0,
                first: i64::MAX,
                end: i64::MIN,
            });
            reported.records = reported.records.saturating_add(sum.records);
            if let Some(second) = cell.second {
                reported.first = reported.first.min(second);
                reported.end = reported.end.max(second.saturating_add(width));
            }
        }
        let ranked = found.into_iter().map(|(of, logs)| {
            let mut logs: Vec<LogCoverage> = logs.into_values().collect();
            logs.sort_by_key(|t| (std::cmp::Reverse(t.records), t.log));
            (of, logs)
        });
        ranked.collect()
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::super::RuRecord;
    use super::*;
    use crate::model::time::Stamp;

    fn log(of: RuLog, seconds: std::ops::Range<i64>, ru: f64, load: &mut Load) {
        for second in seconds {
            load.add_ru(&RuRecord {
                container: 0,
                log: of,
                region: 0,
                range: "3",
                key: "[\"a\"]",
                operation: "Create",
                at: Stamp::from_seconds(second),
                ru,
                mark: None,
            });
        }
    }

    fn sum(load: &Load) -> f64 {
        load.ru.values().map(|s| s.ru).sum()
    }

    #[test]
    fn two_logs_of_the_same_seconds_are_never_added() {
        let mut load = Load::default();
        log(RuLog::OwnTable, 0..10, 100.0, &mut load);
        log(RuLog::SharedTable, 2..5, 110.0, &mut load);
        load.choose_logs();
        assert!((sum(&load) - 1000.0).abs() < 1e-9);
        assert_eq!(load.left_out.len(), 1);
        let left_out = &load.left_out[0];
        assert_eq!(left_out.log, RuLog::SharedTable);
        assert!((left_out.ru - 330.0).abs() < 1e-9 && (left_out.judged_ru - 300.0).abs() < 1e-9);
    }

    #[test]
    fn logs_of_other_seconds_follow_each_other() {
        let mut load = Load::default();
        log(RuLog::OwnTable, 0..10, 100.0, &mut load);
        log(RuLog::Archive, 10..15, 100.0, &mut load);
        load.choose_logs();
        assert!((sum(&load) - 1500.0).abs() < 1e-9);
        assert!(load.left_out.is_empty());
    }

    #[test]
    fn one_log_in_two_files_is_one_log() {
        let mut load = Load::default();
        log(RuLog::Archive, 0..10, 60.0, &mut load);
        log(RuLog::Archive, 0..10, 40.0, &mut load);
        load.choose_logs();
        assert!((sum(&load) - 1000.0).abs() < 1e-9);
    }
}
