//! Sizes, rates and times of a design, as texts with their units.

use serde::Deserialize;

use crate::model::limits::DAYS;
use crate::model::units::{bytes_of, days_of, plain_amount, rate_per_second, unit_seconds};

#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Units {
    #[default]
    Binary,
    Decimal,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(f64),
    Text(String),
}

impl NumberOrText {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

/// Bytes as a number, or a text such as `1KB`.
#[derive(Deserialize)]
#[serde(try_from = "NumberOrText")]
pub(super) struct Size(String);

impl TryFrom<NumberOrText> for Size {
    type Error = String;

    fn try_from(written: NumberOrText) -> Result<Self, String> {
        let size = Self(written.text());
        let is_size = size.bytes(Units::Binary) > 0.0;
        let wanted = || format!("`{}` is no size: give bytes, or such as \"1KB\"", size.0);
        is_size.then_some(()).ok_or_else(wanted)?;
        Ok(size)
    }
}

impl Size {
    /// 0 where it is none; KiB, MiB and GiB are binary always.
    pub fn bytes(&self, units: Units) -> f64 {
        let is_decimal = units == Units::Decimal && !self.0.to_ascii_lowercase().contains("ib");
        let step = if is_decimal { 1000.0 } else { 1024.0 };
        let plain = self.0.trim().trim_end_matches(['B', 'b']);
        plain_amount(plain).or_else(|| bytes_of(&self.0, step)).unwrap_or(0.0)
    }
}

/// `12/s`, or data such as `70GB/day`.
#[derive(Deserialize)]
#[serde(try_from = "NumberOrText")]
pub(super) enum Rate {
    Documents(f64),
    Data(Size, f64),
}

impl TryFrom<NumberOrText> for Rate {
    type Error = String;

    fn try_from(written: NumberOrText) -> Result<Self, String> {
        let text = written.text();
        let data = || {
            let (size, unit) = text.split_once('/')?;
            let size = Size::try_from(NumberOrText::Text(size.to_owned())).ok()?;
            Some(Self::Data(size, unit_seconds(unit)?))
        };
        let rate = rate_per_second(&text).map(Self::Documents).or_else(data);
        let wanted = || format!("`{text}` is no rate: give such as \"12/s\" or \"360/day\"");
        rate.ok_or_else(wanted)
    }
}

impl Rate {
    /// Documents of this size in a second.
    pub fn per_second(&self, bytes: f64, units: Units) -> f64 {
        match self {
            Self::Documents(per_second) => *per_second,
            Self::Data(size, seconds) => size.bytes(units) / seconds / bytes,
        }
    }
}

/// `30d`
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Span(pub f64);

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let days = days_of(&text).and_then(|days| DAYS.checked(days));
        let wanted = || format!("`{text}` is no time: give such as \"12h\", \"30d\" or \"2y\"");
        days.map(Self).ok_or_else(wanted)
    }
}

/// `360min/day` or `6h/day`, as a share of the day.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct DayPart(pub f64);

impl TryFrom<String> for DayPart {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let read = || {
            let time = text.trim().trim_end_matches("/day").trim();
            let digits = time.find(|c: char| c.is_alphabetic())?;
            let (number, unit) = time.split_at_checked(digits)?;
            Some(plain_amount(number)? * unit_seconds(unit)? / 86_400.0)
        };
        let part = read().filter(|part| *part > 0.0 && *part <= 1.0);
        let wanted = || format!("`{text}` is no part of a day: give such as \"360min/day\"");
        part.map(Self).ok_or_else(wanted)
    }
}
