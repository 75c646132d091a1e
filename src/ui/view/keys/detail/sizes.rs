//! Sizes of a key: now, by region, over time, and when the limit is reached.

use super::DetailInputs;
use crate::analysis::ceiling::{Ceiling, Mark, Reading};
use crate::analysis::detail::{Detail, RegionDetail};
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::SizeOf;
use crate::model::sample::{Sample, Trust};
use crate::model::units::{counted, kib_text, percent_text, rounded_text, with_unit};
use crate::model::visible::visible;
use crate::report::{limit_name, limit_sentence};
use crate::ui::kit::chart::{ChartPart, GrowthChart, growth_chart};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::view::keys::lines::{LineRole, PaneLine, fact};
use crate::ui::view::keys::window::growth_sentence;

/// Regions that are listed; more than any account has in use.
const MAX_REGIONS: usize = 32;

/// What matters most: how large, how long, how fast.
pub fn summary(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let key = of.key;
    let mark = Mark::of(key.share);
    let at_least = match key.size_of {
        SizeOf::Key => "",
        SizeOf::Prefix => "at least ",
    };
    let (size, share) = (kib_text(key.size_kib), percent_text(key.share));
    let size = format!("{at_least}{size}, {share} of {}", limit_name(of.data.report.ceiling));
    let mut lines = fact("size", LineRole::Mark(mark), &size, of.width);
    let mut limit = limit_sentence(&key.limit_date, key.growth.is_some(), key.period_end);
    if has_passed(of) {
        limit.push_str("; this date has passed: open newer data");
    }
    let heading = of.data.report.ceiling.heading("20 GB on");
    lines.extend(fact(heading, LineRole::Text, &limit, of.width));
    lines.extend(fact("growth", LineRole::Text, &growth(key), of.width));
    lines
}

pub fn lines(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let key = of.key;
    let band = format!("± {}, {}", kib_text(key.band_kib), key.band_from.words());
    let mut lines = fact("error", LineRole::Text, &band, of.width);
    for (index, region) in key.regions.iter().enumerate().take(MAX_REGIONS) {
        let label = if index == 0 { "regions" } else { "" };
        lines.extend(fact(label, LineRole::Outside, &region_words(region), of.width));
    }
    if let Some(region) = key.regions.first() {
        lines.extend(fact("samples", LineRole::Dim, &extent(region), of.width));
    }
    lines
}

/// Rows below which a chart is one line.
const CHART_LEAST: usize = 7;
const CHART_MOST: usize = 24;

/// The samples of the region that counts, and on to the limit; as a line where there is no room for a chart.
pub fn chart(of: &DetailInputs<'_>, rows: usize, glyphs: Glyphs) -> Vec<PaneLine> {
    let ceiling = of.data.report.ceiling;
    let samples = of.key.regions.first().map_or(&[][..], |r| &r.samples);
    if rows < CHART_LEAST {
        let dated = samples.iter().filter(|s| s.when.at().is_some());
        return vec![PaneLine::Series {
            label: "",
            values: dated.map(|s| Some(ceiling.share(s.kib))).collect(),
            top: 1.0,
            rows: 1,
        }];
    }
    let size = (of.width, rows.min(CHART_MOST));
    let rows = chart_rows(ceiling, samples, &of.key.limit_date, size, glyphs);
    rows.into_iter().map(PaneLine::Pieces).collect()
}

/// The rows of a chart of sizes in the order of time, at most so wide and high.
pub fn chart_rows(
    ceiling: Ceiling,
    samples: &[Sample],
    limit_date: &LimitDate,
    (width, rows): (usize, usize),
    glyphs: Glyphs,
) -> Vec<Vec<(LineRole, String)>> {
    let dated = samples.iter();
    let dated = dated.filter_map(|s| Some((s.when.at()?, ceiling.share(s.kib))));
    let samples: Vec<_> = dated.collect();
    let chart = GrowthChart {
        samples: &samples,
        reaches: limit_date.date(),
        limit: match ceiling.reading() {
            Reading::Given => "limit",
            Reading::Binary | Reading::Decimal => "20 GB",
        },
    };
    let role = |part| match part {
        ChartPart::Frame => LineRole::Dim,
        ChartPart::Sample => LineRole::Series,
        ChartPart::Projection => LineRole::Text,
    };
    let rows = growth_chart(&chart, width, rows, glyphs).into_iter();
    rows.map(|pieces| {
        let pieces = pieces.into_iter();
        pieces.map(|(part, text)| (role(part), text)).collect()
    })
    .collect()
}

fn region_words(region: &RegionDetail) -> String {
    let name = match &region.name {
        Some(name) => visible(name).into_owned(),
        None => "region not reported".to_owned(),
    };
    let at = match region.latest_at {
        Some(at) => format!("at {} UTC", at.minute_text()),
        None => "without a time".to_owned(),
    };
    format!("{name}: {} {at}, {}", kib_text(region.latest_kib), samples(region.readings))
}

fn samples(count: u64) -> String {
    counted(count, "sample", "samples")
}

/// The smallest and the largest sample, and when the first and the last were taken.
fn extent(region: &RegionDetail) -> String {
    let (first, largest) = region.first_and_largest.unzip();
    let all = || region.samples.iter().chain(&first).chain(&largest);
    let least = all().map(|s| s.kib).reduce(f64::min).unwrap_or_default();
    let most = all().map(|s| s.kib).reduce(f64::max).unwrap_or_default();
    let from = all().filter_map(|s| s.when.at()).min();
    let to = all().filter_map(|s| s.when.at()).max();
    let span = match (from, to) {
        (Some(from), Some(to)) if from.date_text() != to.date_text() => {
            format!(", {} to {}", from.date_text(), to.date_text())
        }
        (Some(at), _) => format!(", {}", at.date_text()),
        _ => String::new(),
    };
    format!("{} to {}{span}", kib_text(least), kib_text(most))
}

fn growth(key: &Detail) -> String {
    let basis = &key.growth_basis;
    let span = match (basis.from, basis.to) {
        (Some(first), Some(last)) => {
            let days = rounded_text(last.days_since(first).ceil());
            format!(" in {}", with_unit(&days, "day", "days"))
        }
        _ => String::new(),
    };
    let doubt = match basis.trust {
        Trust::Exact => "",
        Trust::Weak | Trust::Assumed => ", their time or size in doubt",
    };
    let from = format!("{}{span}{doubt}", samples(basis.readings));
    match &key.growth {
        Some(growth) => format!("{}, from {from}", growth_sentence(growth)),
        None if basis.readings < 2 && matches!(key.limit_date, LimitDate::Over) => {
            "unknown: in its samples it is full already".to_owned()
        }
        None if basis.readings < 2 => {
            format!("unknown: {} with a time", samples(basis.readings))
        }
        None => format!(
            "unknown from {from}: samples must be 15 min apart since the last clean-up; two, or those of one day, must \
             differ by more than {}",
            kib_text(2.0 * key.band_kib)
        ),
    }
}

/// Whether the date of the limit lies before today.
fn has_passed(of: &DetailInputs<'_>) -> bool {
    let reaches = of.key.limit_date.date().zip(of.now);
    reaches.is_some_and(|(at, now)| at < now)
}
