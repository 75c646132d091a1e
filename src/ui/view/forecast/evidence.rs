//! Where the numbers of a limit come from.

use super::dials::{Dial, ForecastDials};
use super::future::partition_of;
use crate::analysis::forecast::{Forecast, LimitKind, LimitSubject, NextLimit};
use crate::analysis::growth::LimitDate;
use crate::analysis::mask::NameKind;
use crate::model::time::Stamp;
use crate::model::units::{kib_text, trimmed_text};
use crate::report::forecast as words;
use crate::report::visible_once;
use crate::ui::kit::cx::Cx;

pub(super) fn lines(
    cx: &Cx,
    forecast: &Forecast,
    limit: &NextLimit,
    dials: &ForecastDials,
) -> Vec<String> {
    let mut lines = vec![words::sentence(forecast, limit), String::new()];
    lines.push(format!("now: {}", source(cx, limit)));
    if let Some(growth) = &limit.growth {
        let rates = [growth.lowest, growth.kib_per_day, growth.highest];
        let ([lowest, likely, highest], basis) = (rates.map(words::growth), basis(forecast, limit));
        lines.push(format!("growth: {likely} a day, between {lowest} and {highest}, {basis}"));
        lines.extend(growth.doubling_words());
        let (on, error) = (growth.newest_at.date_text(), kib_text(growth.band_kib));
        lines.push(format!("the newest sample was on {on} and may be off by {error}"));
    }
    if let LimitDate::Date { earliest, latest, .. } = limit.date {
        let until = ["", "; a key that is full before grows no more"];
        let until = until[usize::from(limit.kind == LimitKind::PartitionSize)];
        let formula = format!("date: what is missing to the limit / growth a day{until}");
        lines.extend(Some(formula).filter(|_| limit.kind.is_size()));
        let latest = latest.map_or_else(|| "unknown".to_owned(), Stamp::date_text);
        lines.push(format!("earliest on {}, latest on {latest}", earliest.date_text()));
    }
    if !limit.kind.is_size() && limit.date != LimitDate::Over {
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

/// What the growth is computed from.
fn basis(forecast: &Forecast, limit: &NextLimit) -> &'static str {
    match (&limit.subject, partition_of(forecast, limit)) {
        (LimitSubject::OneKey { .. }, _) => "its share of the growth of all physical partitions",
        (LimitSubject::Partition(_), Some(partition)) if !partition.is_measured => {
            "the sum of its keys, whose errors are independent"
        }
        (LimitSubject::Partition(_), _) => "by the line through its PhysicalPartitionSizeInfo",
        (LimitSubject::Key(_), _) => "by the line through its samples",
    }
}

/// Where the present value comes from; of a key with the input of its sizes.
fn source(cx: &Cx, limit: &NextLimit) -> String {
    let words = match (&limit.subject, limit.kind) {
        (LimitSubject::OneKey { .. }, _) => "its share of all physical partitions",
        (_, LimitKind::KeySize) => "its newest sample",
        (_, LimitKind::PartitionSize) => "the size reported with the physical partitions",
        (_, LimitKind::KeyRu) => "its busiest step in the worst five minutes of the RU log",
        (_, LimitKind::PartitionRu) => {
            "its busiest step in the worst five minutes of the logs and metrics"
        }
    };
    let input = cx.data.as_ref().zip(limit.key_id).and_then(|(data, id)| {
        let (_, series) = data.lookups.key_row(&data.capture, id)?;
        data.capture.sources.get(usize::from(series.source))
    });
    let input = input.map(|input| {
        let path = cx.mask.name(NameKind::File, &input.path);
        format!(", {}: {}", input.grade_word(), visible_once(&path))
    });
    words.to_owned() + &input.unwrap_or_default()
}
