//! Values written into a row of the map: its levels are to be read without their colours, too.

use crate::analysis::heat::Unit;

use super::map::short_value;

/// Of the whole: a smaller difference is no other level.
const STEP: f64 = 0.1;

/// The highest value under a column of the map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ColumnLevel {
    pub value: f64,
    /// Of the whole, under the scale in use.
    pub part: f64,
    /// Whether that is all there is, of which a sign tells.
    pub is_full: bool,
}

/// `12 %` at the column from which a level holds, as far as there is room between two of them.
pub fn labels(columns: &[Option<ColumnLevel>], unit: Unit) -> Vec<(usize, String)> {
    let mut made = Vec::new();
    let mut before: Option<ColumnLevel> = None;
    let mut free = 0;
    for (at, level) in columns.iter().enumerate() {
        let Some(level) = level else {
            before = None;
            continue;
        };
        let is_same = |before: ColumnLevel| {
            before.is_full == level.is_full && (level.part - before.part).abs() < STEP
        };
        if at < free || before.is_some_and(is_same) {
            continue;
        }
        before = Some(*level);
        let words = short_value(level.value, unit);
        let end = at + words.chars().count();
        if level.is_full || end > columns.len() {
            continue;
        }
        made.push((at, words));
        free = end + 1;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(percents: &[u32]) -> Vec<(usize, String)> {
        let level = |percent: &u32| {
            let part = f64::from(*percent) / 100.0;
            (*percent < 900).then_some(ColumnLevel { value: part, part, is_full: part >= 1.0 })
        };
        let columns: Vec<_> = percents.iter().map(level).collect();
        labels(&columns, Unit::Share)
    }

    #[test]
    fn a_level_is_named_where_it_begins_and_not_where_it_wavers() {
        let label = |at, words: &str| (at, words.to_owned());
        let wavers = [19, 20, 19, 21, 20, 19, 21, 18, 19, 20];
        assert_eq!(of(&wavers), [label(0, "19 %")]);
        let rises = [12, 12, 12, 12, 12, 12, 45, 45, 45, 45, 45];
        assert_eq!(of(&rises), [label(0, "12 %"), label(6, "45 %")]);
        // What is full has a sign of its own, and after a gap a level begins.
        let full = [100, 100, 100, 98, 98, 98, 98, 999, 98, 98, 98, 98];
        assert_eq!(of(&full), [label(3, "98 %"), label(8, "98 %")]);
    }

    #[test]
    fn no_level_is_cut_or_lies_over_another() {
        assert_eq!(of(&[12, 90, 12]), []);
        let steep = [10, 30, 50, 70, 90, 90, 90, 90, 90];
        assert_eq!(of(&steep), [(0, "10 %".to_owned()), (5, "90 %".to_owned())]);
    }
}
