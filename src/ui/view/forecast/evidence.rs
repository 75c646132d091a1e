//! Where the numbers of a limit come from.

use super::dials::{Dial, ForecastDials};
use crate::analysis::forecast::{Forecast, LimitKind, NextLimit};
use crate::analysis::growth::LimitDate;
use crate::model::time::Stamp;
use crate::model::units::{kib_text, trimmed_text};
use crate::report::forecast as words;
use crate::ui::kit::cx::Cx;

pub(super) fn lines(
    cx: &Cx,
    forecast: &Forecast,
    limit: &NextLimit,
    dials: &ForecastDials,
) -> Vec<String> {
    let mut lines = vec![words::sentence(forecast, limit), String::new()];
    lines.push(format!("now: {}", source(limit.kind)));
    if let Some(growth) = &limit.growth {
        let [lowest, likely, highest] = [growth.lowest, growth.kib_per_day, growth.highest];
        lines.push(format!(
            "growth: {} a day, between {} and {}, by the line through its readings",
            words::growth(likely),
            words::growth(lowest),
            words::growth(highest)
        ));
        lines.push(format!(
            "the newest reading was on {} and may be off by {}",
            growth.newest_at.date_text(),
            kib_text(growth.band_kib)
        ));
        lines.push("date: what is missing to the limit, divided by the growth a day".to_owned());
    }
    if let LimitDate::Date { earliest, latest, .. } = limit.date {
        let latest = latest.map_or_else(|| "unknown".to_owned(), Stamp::date_text);
        lines.push(format!("earliest on {}, latest on {latest}", earliest.date_text()));
    }
    if !limit.kind.is_size() {
        lines.push(match dials.load_growth {
            Some(share) => format!(
                "date: load grows by {} % a month, as the dial says",
                trimmed_text(share * 100.0)
            ),
            None => "no date: how load grows is not known; the dial load says it".to_owned(),
        });
    }
    if let Some(kib) = limit.levels_off_kib {
        lines.push(format!(
            "levels off at {}: growth a day times the days that documents are kept",
            kib_text(kib)
        ));
    }
    let turned = Dial::ALL.into_iter().filter(|dial| dials.is_turned(*dial));
    let turned: Vec<String> =
        turned.map(|dial| format!("{} {}", dial.label(), dials.value(dial))).collect();
    if !turned.is_empty() {
        lines.push(String::new());
        lines.push(format!("dials: {}", turned.join(", ")));
    }
    lines.iter().map(|line| cx.theme.glyphs.sentence(line).into_owned()).collect()
}

fn source(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::KeySize => "the newest size of PartitionKeyStatistics",
        LimitKind::PartitionSize => "the newest PhysicalPartitionSizeInfo",
        LimitKind::KeyRu => "its busiest step in the worst five minutes of the RU log",
        LimitKind::PartitionRu => {
            "its busiest step in the worst five minutes of the logs and metrics"
        }
    }
}
