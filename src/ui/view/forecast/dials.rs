//! What may be otherwise than the inputs report it: growth, load, retention, RU/s, partitions; and how far ahead one looks.

use crate::analysis::forecast::MONTH_DAYS;
use crate::model::layout::MAX_PARTITIONS;
use crate::model::limits::{self, ValueLimits};
use crate::model::units::{percent_text, rounded_text, trimmed_text, whole_text, whole_usize};
use crate::model::visible::visible;
use crate::ui::kit::line::Prompt;
use crate::ui::view::trial;

/// As the inputs report it.
pub(super) const AS_IS: &str = "as is";
/// What keys step through.
const FACTORS: [f64; 10] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0];
const SHARES: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
const PARTS: [f64; 9] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
const DAYS: [f64; 9] = [1.0, 7.0, 14.0, 30.0, 60.0, 90.0, 180.0, 365.0, 730.0];
const MONTHS: [f64; 8] = [1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 60.0, 120.0];

words! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Dial {
        Growth = "growth",
        Load = "load",
        Kept = "kept",
        Ru = "ru",
        Partitions = "partitions",
        OneKey = "key",
        Ahead = "ahead",
    }
    fn name, ALL
}

impl Dial {
    /// On the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ru => "RU/s",
            Self::OneKey => "one key",
            other => other.name(),
        }
    }

    /// Whether it is about one container.
    pub fn is_of_container(self) -> bool {
        matches!(self, Self::Ru | Self::Partitions)
    }
}

/// The container's RU/s and physical partitions, where they are known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct AsReported {
    pub ru: Option<f64>,
    pub partitions: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct ForecastDials {
    pub growth_factor: f64,
    /// By what share load grows in a month.
    pub load_growth: Option<f64>,
    pub kept_days: Option<f64>,
    pub ru: Option<f64>,
    pub partitions: Option<usize>,
    /// What one key takes of the container.
    pub one_key_share: Option<f64>,
    pub months: f64,
}

impl Default for ForecastDials {
    fn default() -> Self {
        Self {
            growth_factor: 1.0,
            load_growth: None,
            kept_days: None,
            ru: None,
            partitions: None,
            one_key_share: None,
            months: 12.0,
        }
    }
}

/// The next of some steps; None below the first one.
fn stepped(steps: &[f64], now: Option<f64>, is_up: bool) -> Option<f64> {
    let Some(now) = now else {
        return steps.first().copied().filter(|_| is_up);
    };
    if is_up {
        let next = steps.iter().find(|step| **step > now);
        next.copied().or(Some(now))
    } else {
        steps.iter().rev().find(|step| **step < now).copied()
    }
}

impl ForecastDials {
    pub fn turn(&mut self, dial: Dial, is_up: bool, reported: AsReported) {
        match dial {
            Dial::Growth => {
                let next = stepped(&FACTORS, Some(self.growth_factor), is_up);
                self.growth_factor = next.unwrap_or(self.growth_factor);
            }
            Dial::Load => self.load_growth = stepped(&SHARES, self.load_growth, is_up),
            Dial::Kept => self.kept_days = stepped(&DAYS, self.kept_days, is_up),
            Dial::Ru => {
                let now = self.ru.or(reported.ru);
                self.ru = Some(trial::next_ru(now, is_up));
            }
            Dial::Partitions => {
                let today = reported.partitions.unwrap_or(1);
                let now = self.partitions.unwrap_or(today);
                let next = if is_up { now + 1 } else { now.saturating_sub(1) };
                // Partitions are split; merging them is not foreseen here.
                self.partitions = Some(next.min(MAX_PARTITIONS)).filter(|next| *next > today);
            }
            Dial::OneKey => {
                self.one_key_share = stepped(&PARTS, self.one_key_share, is_up);
            }
            Dial::Ahead => {
                let next = stepped(&MONTHS, Some(self.months), is_up);
                self.months = next.unwrap_or(self.months);
            }
        }
    }

    /// `×2`, `+10 %/mo`, `30 d`; `as is` where it is as reported.
    pub fn value(&self, dial: Dial) -> String {
        let as_is = || AS_IS.to_owned();
        match dial {
            Dial::Growth => format!("×{}", trimmed_text(self.growth_factor)),
            Dial::Load => self
                .load_growth
                .map_or_else(as_is, |share| format!("+{} %/mo", trimmed_text(share * 100.0))),
            Dial::Kept => {
                self.kept_days.map_or_else(as_is, |days| format!("{} d", trimmed_text(days)))
            }
            Dial::Ru => self.ru.map_or_else(as_is, whole_text),
            Dial::Partitions => self.partitions.map_or_else(as_is, |n| n.to_string()),
            Dial::OneKey => self.one_key_share.map_or_else(as_is, percent_text),
            Dial::Ahead if self.months >= 24.0 => {
                format!("{} y", trimmed_text(self.months / 12.0))
            }
            Dial::Ahead => format!("{} mo", rounded_text(self.months)),
        }
    }

    pub fn is_turned(&self, dial: Dial) -> bool {
        self.value(dial) != Self::default().value(dial)
    }

    pub fn days_ahead(&self) -> f64 {
        self.months * MONTH_DAYS
    }

    /// Sets one by its name, as `growth 3` or `kept 30d`; says what is wrong otherwise.
    pub fn set(&mut self, text: &str) -> Result<Dial, String> {
        let (name, value) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let dial = Dial::ALL.into_iter().find(|dial| dial.name() == name);
        let Some(dial) = dial else {
            let names = Dial::ALL.map(Dial::name).join(", ");
            return Err(format!("there is no dial {}: they are {names}", visible(name)));
        };
        let plain = trial::without_grouping(value).unwrap_or_default();
        let units: &[char] = match dial {
            Dial::Growth => &['x', '×'],
            Dial::Load | Dial::OneKey => &['%', '+'],
            Dial::Kept => &['d'],
            Dial::Ahead => &['m', 'o'],
            Dial::Ru | Dial::Partitions => &[],
        };
        let number = plain.trim_matches(|c: char| c == ' ' || units.contains(&c));
        let number = number.parse::<f64>().ok();
        let within = |limits: ValueLimits| number.and_then(|n| limits.checked(n));
        let share = |limits: ValueLimits| number.and_then(|n| limits.checked(n / 100.0));
        let (found, wanted) = match dial {
            Dial::Growth => (within(limits::FACTOR), "a factor such as 3"),
            Dial::Load => (share(limits::LOAD_GROWTH), "a percentage a month such as 10%"),
            Dial::Kept => (within(limits::DAYS), "days such as 30"),
            Dial::Ru => (within(limits::RU), "RU/s such as 60,000"),
            Dial::Partitions => {
                let whole = within(limits::PARTITIONS).filter(|n| n.fract() == 0.0);
                (whole, limits::PARTITIONS.text)
            }
            Dial::OneKey => (share(limits::KEY_SHARE), "a percentage such as 40%"),
            Dial::Ahead => (within(limits::MONTHS), limits::MONTHS.text),
        };
        let found = found.ok_or_else(|| format!("{} is not {wanted}", visible(value)))?;
        match dial {
            Dial::Growth => self.growth_factor = found,
            Dial::Load => self.load_growth = Some(found),
            Dial::Kept => self.kept_days = Some(found),
            Dial::Ru => self.ru = Some(found),
            Dial::Partitions => self.partitions = Some(whole_usize(found)),
            Dial::OneKey => self.one_key_share = Some(found),
            Dial::Ahead => self.months = found,
        }
        Ok(dial)
    }

    /// The line in which the value of a dial is typed.
    pub fn line(&self, dial: Dial, reported: AsReported) -> Prompt {
        let or_none = |value: Option<f64>| value.map(trimmed_text).unwrap_or_default();
        let value = match dial {
            Dial::Growth => trimmed_text(self.growth_factor),
            Dial::Load => or_none(self.load_growth.map(|share| share * 100.0)),
            Dial::OneKey => or_none(self.one_key_share.map(|share| share * 100.0)),
            Dial::Kept => or_none(self.kept_days),
            Dial::Ru => self.ru.or(reported.ru).map(whole_text).unwrap_or_default(),
            Dial::Partitions => {
                let known = self.partitions.or(reported.partitions);
                known.map(|n| n.to_string()).unwrap_or_default()
            }
            Dial::Ahead => rounded_text(self.months),
        };
        Prompt::of_value(dial.label(), &format!("dial {}", dial.name()), &value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dials_step_and_go_back_to_what_is_reported() {
        let mut dials = ForecastDials::default();
        let reported = AsReported { ru: Some(12_000.0), partitions: Some(3) };
        let mut turned = |dial, is_up| {
            dials.turn(dial, is_up, reported);
            dials.value(dial)
        };
        assert_eq!(turned(Dial::Growth, true), "×1.5");
        assert_eq!(turned(Dial::Load, true), "+2 %/mo");
        assert_eq!(turned(Dial::Load, false), "as is");
        assert_eq!(turned(Dial::Kept, true), "1 d");
        assert_eq!(turned(Dial::Ru, true), "15,000");
        assert_eq!(turned(Dial::Partitions, true), "4");
        assert_eq!(turned(Dial::Partitions, false), "as is");
        assert_eq!(turned(Dial::Partitions, false), "as is");
        assert_eq!(turned(Dial::Ahead, true), "2 y");
    }

    #[test]
    fn what_is_typed_sets_a_dial_or_says_what_is_wanted() {
        let cases = [
            ("growth 3x", Ok((Dial::Growth, "×3"))),
            ("load 10%", Ok((Dial::Load, "+10 %/mo"))),
            ("kept 30d", Ok((Dial::Kept, "30 d"))),
            ("ru 60,000", Ok((Dial::Ru, "60,000"))),
            ("partitions 12", Ok((Dial::Partitions, "12"))),
            ("key 40%", Ok((Dial::OneKey, "40 %"))),
            ("ahead 36", Ok((Dial::Ahead, "3 y"))),
            ("ru much", Err("much is not RU/s such as 60,000")),
            ("kept -1", Err("-1 is not days such as 30")),
            ("partitions 1.5", Err("1.5 is not a number from 1 to 20,000")),
            (
                "colour 1",
                Err(
                    "there is no dial colour: they are growth, load, kept, ru, partitions, key, ahead",
                ),
            ),
        ];
        for (text, expected) in cases {
            let mut dials = ForecastDials::default();
            let set = dials.set(text).map(|dial| (dial, dials.value(dial)));
            let expected = expected.map(|(dial, value)| (dial, value.to_owned()));
            assert_eq!(set, expected.map_err(str::to_owned), "{text}");
        }
    }
}
