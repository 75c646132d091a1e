//! How a part of the data of a design grows: evenly, until documents of one kind begin to expire.

use super::FillTime;
use crate::model::design::Design;
use crate::model::units::{input_kib_text, input_text};

/// Beyond this nothing is planned.
const FARTHEST_DAYS: f64 = 365_000.0;

/// Days in which it grows evenly.
struct EvenGrowth {
    from: f64,
    to: f64,
    /// At their begin.
    bytes: f64,
    a_day: f64,
}

impl EvenGrowth {
    fn last_bytes(&self) -> f64 {
        self.bytes + (self.to - self.from) * self.a_day
    }

    /// The day on which it has so many bytes.
    fn day(&self, bytes: f64) -> f64 {
        self.from + ((bytes - self.bytes) / self.a_day).max(0.0)
    }
}

/// In the order of time; where documents expire, the next begins with less.
pub(super) struct DataCourse(Vec<EvenGrowth>);

impl DataCourse {
    /// Of a share of all data; of a period only what is written in it.
    pub fn of(design: &Design, share: f64, period_days: Option<f64>) -> Self {
        let last = period_days.unwrap_or(FARTHEST_DAYS);
        let kept = design.entities.iter().filter_map(|e| e.kept_days);
        let mut ends: Vec<f64> = kept.filter(|kept| *kept < last).chain([last]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let mut from = 0.0;
        let stretch = |to: f64| {
            let mut found = EvenGrowth { from, to, bytes: 0.0, a_day: 0.0 };
            for entity in &design.entities {
                let kept = entity.kept_days.unwrap_or(f64::INFINITY);
                let [bytes, a_day] = [share * entity.bytes, design.a_day(entity)];
                found.bytes += bytes * a_day * from.min(kept);
                if kept > from {
                    let at_start = if period_days.is_none() { entity.count } else { 0.0 };
                    found.bytes += bytes * at_start;
                    found.a_day += bytes * a_day;
                }
            }
            from = to;
            found
        };
        Self(ends.into_iter().map(stretch).collect())
    }

    /// When it has so many bytes, which `limit` writes, and the working.
    pub fn fill(&self, bytes: f64, limit: &str) -> (FillTime, String) {
        let size = |bytes: f64| input_kib_text(bytes / 1024.0);
        let filled = |growth: &&EvenGrowth| growth.day(bytes) <= growth.to;
        let endless = self.0.last().filter(|last| last.a_day > 0.0 && last.to >= FARTHEST_DAYS);
        if let Some(growth) = self.0.iter().find(filled).or(endless) {
            let missing = match growth.bytes {
                0.0 => limit.to_owned(),
                start if growth.from > 0.0 => format!("({limit} - {})", size(start)),
                start => format!("({limit} - {} at the start)", size(start)),
            };
            let before = match growth.from {
                0.0 => String::new(),
                days => format!("{} days + ", input_text(days)),
            };
            let how = format!("{before}{missing} ÷ {} a day", size(growth.a_day));
            let days = growth.day(bytes);
            return (FillTime::Days(if days > growth.to { f64::INFINITY } else { days }), how);
        }
        let most = self.0.iter().rev().max_by(|a, b| a.last_bytes().total_cmp(&b.last_bytes()));
        let Some(most) = most else { return (FillTime::Level(0.0), String::new()) };
        let start = if most.bytes > 0.0 { size(most.bytes) + " + " } else { String::new() };
        let days = input_text(most.to - most.from);
        let how = format!("{start}{days} days × {} a day", size(most.a_day));
        (FillTime::Level(most.last_bytes()), how)
    }
}
