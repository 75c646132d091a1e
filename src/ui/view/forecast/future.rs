//! Pictures of what comes: the chosen limit between its ends, and the partitions of its container filling up.

use ratatui::style::Style;

use super::dials::ForecastDials;
use crate::analysis::ceiling::Mark;
use crate::analysis::forecast::{
    Forecast, GrowthEnd, LimitKind, LimitSubject, MONTH_DAYS, NextLimit, PartitionFuture,
};
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{PHYSICAL_CEILING_KIB, as_number, kib_text, real_seconds};
use crate::model::visible::visible;
use crate::report::forecast as words;
use crate::ui::kit::chart::{spark, value_at};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::fan::{FanColumn, FanLine, fan};
use crate::ui::kit::text;

/// The part of the columns that the past may take.
const PAST: f64 = 0.4;
/// Columns of names and sizes before the strip of a partition.
const NAME: usize = 8;
const SIZE: usize = 9;

/// What is drawn of a partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct StripRow {
    pub name: String,
    pub size: String,
    /// Each with the style of its mark.
    pub cells: Vec<(String, Style)>,
}

/// The value of a limit so many days ahead, as shares of it: lowest, likeliest, highest.
fn ahead(
    limit: &NextLimit,
    partition: Option<&PartitionFuture>,
    dials: &ForecastDials,
    days: f64,
) -> [f64; 3] {
    let most = limit.levels_off_kib.unwrap_or(f64::INFINITY).max(limit.now);
    if limit.kind.is_size() {
        let growth = limit.growth;
        let rates = growth.map_or([0.0; 3], |g| [g.lowest, g.kib_per_day, g.highest]);
        let band = growth.map_or(0.0, |g| g.band_kib);
        let line = rates.map(|rate| limit.now + rate * days);
        let ends: [GrowthEnd; 3] = [|g| g.lowest, |g| g.kib_per_day, |g| g.highest];
        let sizes = partition.map_or(line, |p| ends.map(|end| p.kib_after(days, end)));
        let [low, likely, high] = sizes.map(|kib| kib.min(most));
        let bound = |kib: f64| kib.max(0.0) / limit.limit;
        return [bound(low - band), bound(likely), bound((high + band).min(most))];
    }
    let months = days / MONTH_DAYS;
    let grown = (1.0 + dials.load_growth.unwrap_or(0.0)).powf(months);
    [limit.share() * grown; 3]
}

/// What its readings were, as shares of the limit, in the order of time.
fn past(cx: &Cx, limit: &NextLimit) -> Vec<(Stamp, f64)> {
    let found = cx.data.as_ref().zip(limit.key_id);
    let series = found.and_then(|(data, id)| {
        let (_, series) = data.lookups.key_row(&data.capture, id)?;
        let dated = series.samples.iter();
        let dated = dated.filter_map(|s| Some((s.when.at()?, s.kib / limit.limit)));
        Some(dated.collect::<Vec<_>>())
    });
    let mut series = series.unwrap_or_default();
    series.sort_by_key(|(at, _)| *at);
    series
}

/// The partition that a limit is about.
pub(super) fn partition_of<'f>(
    forecast: &'f Forecast,
    limit: &NextLimit,
) -> Option<&'f PartitionFuture> {
    let (LimitSubject::Partition(id), LimitKind::PartitionSize) = (&limit.subject, limit.kind)
    else {
        return None;
    };
    let mut all = forecast.partitions.iter();
    let (_, of) = all.find(|(container, _)| *container == limit.container)?;
    of.iter().find(|partition| partition.id == *id)
}

pub(super) fn fan_lines(
    cx: &Cx,
    forecast: &Forecast,
    limit: &NextLimit,
    dials: &ForecastDials,
    (width, height): (usize, usize),
) -> Vec<FanLine> {
    let glyphs = cx.theme.glyphs;
    let name = words::limit_text(forecast, limit);
    let columns = width.saturating_sub(text::width(&name, glyphs) + 2);
    if columns < 8 {
        return Vec::new();
    }
    let partition = partition_of(forecast, limit);
    let readings = past(cx, limit);
    let span = match (readings.first(), readings.last()) {
        (Some(first), Some(last)) => last.0.days_since(first.0),
        _ => 0.0,
    };
    // Days before the last one.
    let last = readings.last().map(|(at, _)| *at);
    let days = |at: &Stamp| last.map_or(0.0, |last| -last.days_since(*at));
    let points: Vec<(f64, f64)> = readings.iter().map(|(at, share)| (days(at), *share)).collect();
    let ahead_days = dials.days_ahead();
    let wanted = (span / (span + ahead_days)).min(PAST) * as_number(columns);
    let past_columns = crate::model::units::whole_usize(wanted.round());
    let ahead_columns = columns - past_columns;
    let before = (0..past_columns).map(|column| {
        let part = as_number(column) / as_number(past_columns.max(1));
        FanColumn::Past(value_at(&points, (part - 1.0) * span))
    });
    let after = (0..ahead_columns).map(|column| {
        let part = as_number(column) / as_number(ahead_columns.saturating_sub(1).max(1));
        let [low, likely, high] = ahead(limit, partition, dials, part * ahead_days);
        FanColumn::Ahead { low, likely, high }
    });
    let pictured: Vec<FanColumn> = before.chain(after).collect();
    let now = forecast.as_of.or(last);
    let later = now.and_then(|now| now.plus_seconds(ahead_days * real_seconds(SECONDS_PER_DAY)));
    let first = readings.first().filter(|_| past_columns > 12);
    let mut names: Vec<(usize, String)> = Vec::new();
    names.extend(first.map(|(at, _)| (0, at.date_text())));
    names.push((past_columns, now.map_or("now".to_owned(), Stamp::date_text)));
    names.extend(later.map(|at| (columns, at.date_text())));
    fan(&pictured, height, &name, &names, glyphs)
}

/// The partitions of a container over the time ahead, each against 50 GB.
pub(super) fn strip(
    cx: &Cx,
    forecast: &Forecast,
    container: u32,
    dials: &ForecastDials,
    (width, height): (usize, usize),
) -> Vec<StripRow> {
    let found = forecast.partitions.iter().find(|(of, _)| *of == container);
    let Some((_, partitions)) = found else {
        return Vec::new();
    };
    let cells = width.saturating_sub(NAME + SIZE + 2);
    let mut fullest: Vec<&PartitionFuture> = partitions.iter().collect();
    fullest.sort_by(|a, b| b.kib.total_cmp(&a.kib).then_with(|| a.id.cmp(&b.id)));
    let row = |partition: &&PartitionFuture| StripRow {
        name: text::shorten(&format!("p{}", visible(&partition.id)), NAME, cx.theme.glyphs),
        size: kib_text(partition.kib),
        cells: strip_cells(cx, partition, dials, cells),
    };
    fullest.iter().take(height).map(row).collect()
}

/// Where it reaches 50 GB it is split: from there on what is left in one half.
fn strip_cells(
    cx: &Cx,
    partition: &PartitionFuture,
    dials: &ForecastDials,
    cells: usize,
) -> Vec<(String, Style)> {
    let theme = &cx.theme;
    let Some(growth) = &partition.growth else {
        let unknown = theme.glyphs.signs().unknown.to_owned();
        return vec![(unknown, theme.dim); cells];
    };
    let step = dials.days_ahead() / as_number(cells.max(1));
    // Where documents are deleted after a time, no more than that time's is there.
    let rate = growth.kib_per_day.max(0.0);
    let kept = dials.kept_days.map_or(f64::INFINITY, |days| rate * days);
    let most = kept.max(partition.kib);
    let mut parts = 1.0;
    let mut drawn = Vec::with_capacity(cells);
    for cell in 0..cells {
        let days = as_number(cell) * step;
        let kib = partition.kib_after(days, |g| g.kib_per_day).min(most) * parts;
        if kib >= PHYSICAL_CEILING_KIB {
            drawn.push((split_sign(cx).to_owned(), theme.full));
            parts /= 2.0;
        } else {
            let share = (kib / PHYSICAL_CEILING_KIB).max(0.0);
            let sign = spark(share, theme).to_owned();
            drawn.push((sign, theme.fill(Mark::of(share))));
        }
    }
    drawn
}

fn split_sign(cx: &Cx) -> &'static str {
    match cx.theme.glyphs {
        crate::ui::kit::glyphs::Glyphs::Unicode => "÷",
        crate::ui::kit::glyphs::Glyphs::Ascii => "/",
    }
}
