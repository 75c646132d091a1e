//! Which colour and which glyph stands for a value: against a real limit where there is one, else against the highest shown.

use crate::analysis::ceiling::{MARK_ALARM, MARK_WARN};
use crate::analysis::heat::{Measure, Unit};
use crate::model::units::{PHYSICAL_CEILING_KIB, as_number, whole_usize};

use super::words::value_text;

/// Shares of the limit from which a colour begins, as on the screens.
const WARN: f64 = MARK_WARN;
const ALARM: f64 = MARK_ALARM;
/// Up to 5 % of refused requests are healthy where partitions are even: the colours end there.
const REFUSED_LIMIT: f64 = 0.05;
/// Shades below the first mark, from nearly white to a clear blue that nobody takes for an alarm.
const COOL: [&str; 7] =
    ["#eff6fb", "#d9e9f5", "#c0dcee", "#a3cbe5", "#82b7da", "#629fcd", "#4585bd"];
const WARN_COLOUR: &str = "#fdcb5b";
const ALARM_COLOUR: &str = "#f3813a";
const FULL_COLOUR: &str = "#a50f15";
/// Shades where there is no limit: dark means much and nothing more.
const SHADES: [&str; 8] =
    ["#eff6fb", "#d9e9f5", "#c0dcee", "#a3cbe5", "#82b7da", "#629fcd", "#4585bd", "#2a5f94"];
const GLYPHS: [char; 7] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
pub(super) const GLYPH_FULL: char = '█';
pub(super) const GLYPH_GAP: char = '·';

/// What a full cell stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MapScale {
    pub full: f64,
    pub against: ScaleTop,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScaleTop {
    /// What the partition can give or hold.
    Limit,
    /// The highest value shown: dark is much, and need not be bad.
    Highest,
}

/// How near its limit a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Band {
    None,
    Below,
    Warn,
    Alarm,
    Full,
}

impl MapScale {
    /// `capacities` are what the partitions shown can give a second, where all are known.
    pub fn of(measure: Measure, capacities: &[f64], highest: f64) -> Self {
        let unit = measure.unit();
        let limit = match (measure, unit) {
            (Measure::ThrottledShare, _) => Some(REFUSED_LIMIT),
            (_, Unit::Share) => Some(1.0),
            (_, Unit::Kib) => Some(PHYSICAL_CEILING_KIB),
            (_, Unit::RuPerSecond) => even(capacities),
            (_, Unit::PerSecond) => None,
        };
        match limit {
            Some(full) => Self { full, against: ScaleTop::Limit, unit },
            None => Self {
                full: if highest > 0.0 { highest } else { 1.0 },
                against: ScaleTop::Highest,
                unit,
            },
        }
    }

    fn level(&self, value: f64) -> f64 {
        // Shares such as 0.7 lie a hair below their mark once they were stored in 32 bits.
        value / self.full + 1e-6
    }

    pub(super) fn band(&self, value: f64) -> Band {
        let level = self.level(value);
        match self.against {
            _ if !value.is_finite() => Band::None,
            ScaleTop::Limit if level >= 1.0 => Band::Full,
            ScaleTop::Limit if level >= ALARM => Band::Alarm,
            ScaleTop::Limit if level >= WARN => Band::Warn,
            ScaleTop::Limit | ScaleTop::Highest => Band::Below,
        }
    }

    /// None for a gap.
    pub(super) fn colour(&self, value: f64) -> Option<&'static str> {
        let level = self.level(value);
        Some(match (self.band(value), self.against) {
            (Band::None, _) => return None,
            (Band::Full, _) => FULL_COLOUR,
            (Band::Alarm, _) => ALARM_COLOUR,
            (Band::Warn, _) => WARN_COLOUR,
            (Band::Below, ScaleTop::Limit) => step(&COOL, level / WARN),
            (Band::Below, ScaleTop::Highest) => step(&SHADES, level),
        })
    }

    pub(super) fn glyph(&self, value: f64) -> char {
        let level = self.level(value);
        if !value.is_finite() {
            GLYPH_GAP
        } else if level >= 1.0 {
            GLYPH_FULL
        } else {
            step(&GLYPHS, level)
        }
    }

    /// Colours with what they stand for, low to high.
    pub(super) fn legend(&self) -> Vec<(&'static str, String)> {
        let at = |share: f64| value_text(self.unit, self.full * share);
        match self.against {
            ScaleTop::Limit => vec![
                (step(&COOL, 0.0), "0".to_owned()),
                (step(&COOL, 0.5), at(WARN / 2.0)),
                (WARN_COLOUR, format!("from {}", at(WARN))),
                (ALARM_COLOUR, format!("from {}", at(ALARM))),
                (FULL_COLOUR, format!("from {}", at(1.0))),
            ],
            ScaleTop::Highest => vec![
                (step(&SHADES, 0.0), "0".to_owned()),
                (step(&SHADES, 0.5), at(0.5)),
                (step(&SHADES, 1.0), format!("{}, the highest shown", at(1.0))),
            ],
        }
    }

    /// The legend of the map in letters.
    pub(super) fn glyph_legend(&self) -> String {
        let full = value_text(self.unit, self.full);
        let what = match self.against {
            ScaleTop::Limit => "or more",
            ScaleTop::Highest => "(the highest shown)",
        };
        format!("▁ to ▇ sevenths of {full} · {GLYPH_FULL} {full} {what} · {GLYPH_GAP} no value")
    }
}

/// The one capacity that all partitions have.
fn even(capacities: &[f64]) -> Option<f64> {
    let first = *capacities.first()?;
    let is_even = |c: &f64| (c - first).abs() <= first * 1e-6;
    (first > 0.0 && capacities.iter().all(is_even)).then_some(first)
}

fn step<T: Copy + Default>(steps: &[T], level: f64) -> T {
    let scaled = (level * as_number(steps.len())).max(0.0);
    let index = whole_usize(scaled).min(steps.len().saturating_sub(1));
    steps.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Band::{Alarm, Below, Full, Warn};
    use super::*;

    #[test]
    fn colours_mean_the_real_limit() {
        let scale = MapScale::of(Measure::NormalizedRu, &[], 0.2);
        let bands = [0.0, 0.69, 0.7, 0.9, 0.999, 1.0, 1.3, f64::NAN].map(|v| scale.band(v));
        assert_eq!(bands, [Below, Below, Warn, Alarm, Alarm, Full, Full, Band::None]);
        assert_eq!(scale.colour(f64::from(0.7_f32)), Some(WARN_COLOUR));
        assert_eq!(scale.colour(f64::NAN), None);
        assert_eq!(
            [0.0, 0.5, 1.0, 2.0, f64::NAN].map(|v| scale.glyph(v)),
            ['▁', '▄', '█', '█', '·']
        );
    }

    #[test]
    fn without_a_limit_nothing_is_an_alarm() {
        let scale = MapScale::of(Measure::Requests, &[], 120.0);
        assert_eq!((scale.full, scale.band(120.0)), (120.0, Below));
        assert_eq!(scale.colour(120.0), Some("#2a5f94"));
        assert!(scale.legend().iter().any(|(_, t)| t == "120/s, the highest shown"));
        let none = MapScale::of(Measure::Requests, &[], f64::NAN);
        assert_eq!(none.glyph(0.0), '▁');
    }

    #[test]
    fn ru_are_measured_against_what_all_partitions_can_give() {
        let even = MapScale::of(Measure::LoggedRu, &[6000.0, 6000.0], 5872.5);
        assert_eq!((even.full, even.against), (6000.0, ScaleTop::Limit));
        let uneven = MapScale::of(Measure::LoggedRu, &[6000.0, 3000.0], 5872.5);
        assert_eq!((uneven.full, uneven.against), (5872.5, ScaleTop::Highest));
    }
}
