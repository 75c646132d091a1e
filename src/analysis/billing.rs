//! What RU/s cost: RU/s billed by the hour, and money where a price is set.

use serde::Deserialize;

use crate::model::units::{ratio_text, whole_text};
use crate::model::visible::visible;

/// Hours in a month, as price lists count them.
const HOURS_A_MONTH: f64 = 730.0;
/// What one RU/s costs with autoscale, against manual RU/s.
pub const AUTOSCALE_RATE: f64 = 1.5;
/// Autoscale never bills less than this part of its maximum.
pub const AUTOSCALE_LEAST: f64 = 0.1;

/// What 100 RU/s cost in an hour. None is built in: it depends on the region, the agreement and the year.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub per_100_ru_hour: f64,
    /// As it is to be shown, such as `EUR`.
    #[serde(default)]
    pub currency: String,
}

impl Price {
    /// Of RU/s that are provisioned all month.
    pub fn per_month(&self, ru_per_second: f64) -> f64 {
        ru_per_second / 100.0 * self.per_100_ru_hour * HOURS_A_MONTH
    }

    /// `876 EUR a month`
    pub fn text(&self, ru_per_second: f64) -> String {
        let month = self.per_month(ru_per_second);
        let amount = match month {
            0.0..100.0 => ratio_text(month),
            _ => whole_text(month),
        };
        let money = format!("{amount} {}", visible(&self.currency));
        format!("{} a month", money.trim_end())
    }
}

/// `, 876 EUR a month` behind RU/s; nothing without a price.
pub fn and_money(price: Option<&Price>, ru_per_second: f64) -> String {
    price.map_or_else(String::new, |price| format!(", {}", price.text(ru_per_second)))
}

/// RU/s billed for an hour where all partitions scale alike: each as the highest one.
pub fn billed_uniform(highest: &[f64]) -> f64 {
    let most = highest.iter().copied().fold(0.0, f64::max);
    most * crate::model::units::as_number(highest.len())
}

/// RU/s billed for an hour where each partition scales by itself.
pub fn billed_by_partition(highest: &[f64]) -> f64 {
    highest.iter().sum()
}

/// Whether autoscale or manual RU/s cost less: mean part of the RU/s that the highest second of each hour uses, times the
/// rate. Above 1 manual RU/s cost less.
pub fn autoscale_over_manual(hourly: &[f64]) -> Option<f64> {
    let billed = hourly.iter().map(|part| part.clamp(AUTOSCALE_LEAST, 1.0));
    let hours = crate::model::units::as_number(hourly.len());
    (!hourly.is_empty()).then(|| billed.sum::<f64>() / hours * AUTOSCALE_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found}, expected {wanted}");
    }

    #[test]
    fn a_month_has_730_hours() {
        let price = Price { per_100_ru_hour: 0.008, currency: "EUR".to_owned() };
        close(price.per_month(400.0), 23.36);
        close(price.per_month(10_000.0), 584.0);
        assert_eq!(price.text(10_000.0), "584 EUR a month");
        assert_eq!(and_money(Some(&price), 400.0), ", 23.36 EUR a month");
        assert_eq!(and_money(None, 400.0), "");
        let bare = Price { currency: String::new(), ..price };
        assert_eq!(bare.text(1_000_000.0), "58,400 a month");
    }

    #[test]
    fn one_busy_partition_bills_them_all_or_only_itself() {
        let highest = [500.0, 200.0, 100.0, 100.0];
        close(billed_uniform(&highest), 2_000.0);
        close(billed_by_partition(&highest), 900.0);
        close(billed_uniform(&[]), 0.0);
    }

    #[test]
    fn the_break_even_lies_at_two_thirds() {
        let over = |part: f64| autoscale_over_manual(&[part; 24]).unwrap_or_default();
        close(over(2.0 / 3.0), 1.0);
        assert!(over(0.66) < 1.0 && over(0.67) > 1.0);
        // The least that autoscale bills, and nothing above its maximum.
        close(over(0.0), 0.15);
        close(over(1.4), 1.5);
        assert_eq!(autoscale_over_manual(&[]), None);
    }
}
