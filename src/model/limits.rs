//! The values that options, dials and files of designs may have: one row for each quantity.

use super::units::{MOST_RU, PARTITION_RU_PER_SECOND};

/// A range with both ends, and the words in which errors give it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueLimits {
    pub least: f64,
    pub most: f64,
    pub text: &'static str,
}

impl ValueLimits {
    /// The value where it lies within; what is no number does not.
    pub fn checked(self, value: f64) -> Option<f64> {
        (self.least..=self.most).contains(&value).then_some(value)
    }
}

const fn within(least: f64, most: f64, text: &'static str) -> ValueLimits {
    ValueLimits { least, most, text }
}

pub const RU: ValueLimits = within(1.0, MOST_RU, "RU/s from 1 to 1,000,000");
/// RU/s that clients request.
pub const DEMAND: ValueLimits = within(0.001, 1e9, "RU/s from 0.001 to 1,000,000,000");
/// What a visit may spend.
pub const SPENT_RU: ValueLimits =
    within(1.0, 1e9, "a number such as 1000, from 1 to 1,000,000,000");
/// RU/s of one key.
pub const KEY_RU: ValueLimits = within(0.001, PARTITION_RU_PER_SECOND, "RU/s from 0.001 to 10,000");
pub const PARTITIONS: ValueLimits = within(1.0, 20_000.0, "a number from 1 to 20,000");
/// Keys that are proposed.
pub const PROPOSALS: ValueLimits = within(1.0, 50.0, "a number of keys from 1 to 50");
pub const FACTOR: ValueLimits = within(0.0, 1e6, "a number such as 2 or 0.5, from 0 to 1,000,000");
/// Bytes stored for each byte of a document.
pub const STORAGE_FACTOR: ValueLimits = within(0.01, 1e3, "a factor from 0.01 to 1,000");
/// Of load, a month.
pub const LOAD_GROWTH: ValueLimits = within(0.0, 10.0, "a share such as 10%, from 0% to 1000%");
/// What load grows to, as a factor.
pub const GROWN_LOAD: ValueLimits = within(0.0, 1e6, "growth to at most 1,000,000 times the load");
/// Of data and load, in one key.
pub const KEY_SHARE: ValueLimits = within(0.001, 1.0, "a share such as 40%, from 0.1% to 100%");
pub const SHARE_OF_LIMIT: ValueLimits =
    within(0.000_1, 10.0, "a share such as 80% or 0.8, from 0.01% to 1000%");
pub const DAYS: ValueLimits =
    within(1.0 / 86_400.0, 36_500.0, "a time such as 12h, 30d, 8w or 10y, from 1s to 100y");
pub const MONTHS: ValueLimits = within(1.0, 240.0, "months from 1 to 240");
/// Of a load at once.
pub const LOAD_HOURS: ValueLimits =
    within(0.1, 8_760.0, "--hours 12 or --by 2026-12-01T06:00Z, from 0.1 to 8,760 hours");
pub const BYTES: ValueLimits =
    within(1.0, 1e18, "a size such as 80GB or 2TB, from 0.001KB to 900000TB");
pub const MEMORY: ValueLimits =
    within(134_217_728.0, 1e15, "a size such as 4GiB, at least 128MiB and at most 900TiB");
/// Documents that a scenario draws.
pub const MOST_SAMPLE: u64 = 10_000_000;
