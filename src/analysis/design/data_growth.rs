//! How a part of the data of a design grows: evenly, until documents of one kind begin to expire.

use super::FillTime;
use crate::model::design::Design;
use crate::model::units::{input_kib_text, input_text, six_digits};

/// Days in which it grows evenly.
struct EvenGrowth {
    from: f64,
    to: f64,
    /// At their begin.
    bytes: f64,
    a_day: f64,
}

impl EvenGrowth {
    /// At their end, which never comes for what stays.
    fn last_bytes(&self) -> f64 {
        if self.a_day > 0.0 { self.bytes + (self.to - self.from) * self.a_day } else { self.bytes }
    }

    /// The day on which it reaches this size.
    fn day(&self, bytes: f64) -> f64 {
        self.from + ((bytes - self.bytes) / self.a_day).max(0.0)
    }
}

/// In the order of time; where documents expire, the next begins with less.
pub(super) struct DataCourse(Vec<EvenGrowth>);

impl DataCourse {
    /// Of a share of all data; of a period only what is written in it.
    pub fn of(design: &Design, share: f64, period_days: Option<f64>) -> Self {
        let last = period_days.unwrap_or(f64::INFINITY);
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

    /// When it reaches this size, which `limit` writes, and the working.
    pub fn fill(&self, bytes: f64, limit: &str) -> (FillTime, String) {
        let size = |bytes: f64| input_kib_text(bytes / 1024.0);
        if let Some(growth) = self.0.iter().find(|g| g.day(bytes) <= g.to.min(f64::MAX)) {
            let at_start = if growth.from > 0.0 { "" } else { " at the start" };
            let missing = match growth.bytes {
                0.0 => limit.to_owned(),
                start => format!("({limit} - {}{at_start})", size(start)),
            };
            let how = match growth.from {
                _ if growth.bytes >= bytes => format!("0 days with {}", size(growth.bytes)),
                0.0 => format!("{missing} ÷ {} a day", size(growth.a_day)),
                from => {
                    format!("{missing} ÷ {} a day + {} days", size(growth.a_day), input_text(from))
                }
            };
            return (FillTime::Days(growth.day(bytes)), how);
        }
        // Of equals the first: the last is what is left when nothing is written any more.
        let reached = |growth: &EvenGrowth| six_digits(growth.last_bytes());
        let most = self.0.iter().rev().max_by(|a, b| reached(a).total_cmp(&reached(b)));
        let Some(most) = most else { return (FillTime::Level(0.0), String::new()) };
        let written =
            || format!("{} days × {} a day", input_text(most.to - most.from), size(most.a_day));
        let how = match (most.bytes, most.a_day) {
            (start, 0.0) => size(start),
            (0.0, _) => written(),
            (start, _) => format!("{} + {}", size(start), written()),
        };
        (FillTime::Level(most.last_bytes()), how)
    }
}
