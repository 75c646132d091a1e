//! The RU/s of a container as they are sold: how low they can be set and why, and what an hour is billed.

use crate::model::physical::ThroughputSettings;
use crate::model::throughput::ThroughputMode;
use crate::model::units::{kib_text, whole_text};

use super::Fact;
use super::picture::Picture;
use super::rules::{cost::billed, fact};

/// What there is to say of its RU/s beside how many there are.
pub fn facts(picture: &Picture<'_>) -> Vec<Fact> {
    let settings = picture.container.throughput;
    let lowest = settings.map(|settings| lowest(&settings, picture.container.kib()));
    lowest.into_iter().chain(billed(picture)).collect()
}

/// The lowest RU/s that can be set, and which of the three rules makes it so.
fn lowest(settings: &ThroughputSettings, kib: Option<f64>) -> Fact {
    let mode = settings.throughput.mode();
    let (what, times) = match mode {
        ThroughputMode::Manual => ("lowest RU/s possible", 1.0),
        ThroughputMode::AutoscaleOrShared => ("lowest autoscale maximum possible", 10.0),
    };
    let [step, least] = mode.sold();
    // Autoscale bills a tenth of its maximum at least: all rules are of that.
    let (for_each_gib, of_highest) = (times, times / 100.0);
    let up = |ru: f64| (ru / step).ceil() * step;
    let stored = kib.map_or(0.0, |kib| mode.minimum(kib));
    let now = up(settings.throughput.highest() * of_highest);
    let known = least.max(stored).max(now);
    let value = match settings.minimum {
        None => format!(
            "\u{2265} {} RU/s: the highest ever provisioned is not known",
            whole_text(known)
        ),
        Some(minimum) => {
            let once = || whole_text(minimum / of_highest);
            let why = if minimum <= least {
                "the least of any container".to_owned()
            } else if minimum <= stored {
                "because of what is stored".to_owned()
            } else if kib.is_none() {
                let gib = whole_text(minimum / for_each_gib);
                format!("because of {gib} GB stored, or {} RU/s provisioned once", once())
            } else {
                format!("because up to {} RU/s were provisioned once", once())
            };
            format!("{} RU/s, {why}", whole_text(minimum))
        }
    };
    let stored =
        kib.map_or_else(|| "size not known".to_owned(), |kib| format!("{} now", kib_text(kib)));
    let from = format!(
        "the highest of {} RU/s, {} RU/s for each GB stored ({stored}), and {} % of the highest RU/s ever provisioned",
        whole_text(least),
        whole_text(for_each_gib),
        whole_text(of_highest * 100.0)
    );
    fact(what, value, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::physical::Throughput;
    use crate::model::units::KIB_PER_GIB;

    fn value(throughput: Throughput, minimum: Option<f64>, gib: Option<f64>) -> String {
        let settings =
            ThroughputSettings { throughput, minimum, instant_maximum: None, key_cap: None };
        lowest(&settings, gib.map(|gib| gib * KIB_PER_GIB)).value
    }

    #[test]
    fn the_lowest_ru_are_said_with_the_rule_that_makes_them_so() {
        let manual = |minimum, gib| {
            let throughput = Throughput::Manual { ru_per_second: 24_000.0 };
            value(throughput, minimum, gib)
        };
        let least = "400 RU/s, the least of any container";
        assert_eq!(manual(Some(400.0), Some(68.0)), least);
        assert_eq!(manual(Some(900.0), Some(812.0)), "900 RU/s, because of what is stored");
        assert_eq!(
            manual(Some(8_200.0), Some(68.0)),
            "8,200 RU/s, because up to 820,000 RU/s were provisioned once"
        );
        assert_eq!(
            manual(Some(8_200.0), None),
            "8,200 RU/s, because of 8,200 GB stored, or 820,000 RU/s provisioned once"
        );
        let unknown = "the highest ever provisioned is not known";
        assert_eq!(manual(None, Some(68.0)), format!("≥ 400 RU/s: {unknown}"));
        assert_eq!(manual(None, Some(812.0)), format!("≥ 900 RU/s: {unknown}"));
        let scaling = |minimum, gib| {
            let throughput = Throughput::Autoscale { maximum: 9_000.0, now: None };
            value(throughput, minimum, gib)
        };
        assert_eq!(scaling(None, Some(20.0)), format!("≥ 1,000 RU/s: {unknown}"));
        assert_eq!(
            scaling(Some(5_000.0), Some(20.0)),
            "5,000 RU/s, because up to 50,000 RU/s were provisioned once"
        );
    }
}
