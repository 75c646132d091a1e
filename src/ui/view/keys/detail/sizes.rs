//! Sizes of a key: now, by region, over time, and what follows for the ceiling.

use super::DetailInputs;
use crate::analysis::ceiling::Mark;
use crate::analysis::detail::{Detail, RegionDetail};
use crate::analysis::growth::Wall;
use crate::analysis::rows::SizeOf;
use crate::model::sample::Trust;
use crate::model::units::{count_text, kib_text, percent_text, rounded_text};
use crate::model::visible::visible;
use crate::report::limit_name;
use crate::ui::view::keys::lines::{LineRole, PaneLine, fact};
use crate::ui::view::keys::window::growth_sentence;
use crate::work::data::Origin;

/// Regions that are listed; more than any account has in use.
const MAX_REGIONS: usize = 32;

pub fn lines(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let key = of.key;
    let mark = Mark::of(key.share);
    let at_least = match key.size_of {
        SizeOf::Key => "",
        SizeOf::Prefix => "at least ",
    };
    let size = format!(
        "{at_least}{}, {} of {}: {}",
        kib_text(key.size_kib),
        percent_text(key.share),
        limit_name(of.data.report.ceiling),
        mark.word()
    );
    let mut lines = fact("size", LineRole::Mark(mark), &size, of.width);
    let band = format!("{}, {}", kib_text(key.band_kib), key.band_from.words());
    lines.extend(fact("off by", LineRole::Text, &band, of.width));
    for (index, region) in key.regions.iter().enumerate().take(MAX_REGIONS) {
        let label = if index == 0 { "regions" } else { "" };
        lines.extend(fact(
            label,
            LineRole::Outside,
            &region_words(region),
            of.width,
        ));
    }
    if let Some(region) = key.regions.first() {
        let dated = region.samples.iter().filter(|s| s.when.at().is_some());
        let series = dated.map(|sample| Some(sample.kib)).collect();
        lines.push(PaneLine::Series("readings", series));
        lines.extend(fact("", LineRole::Dim, &extent(region), of.width));
    }
    lines.extend(fact("growth", LineRole::Text, &growth(key), of.width));
    let mut wall = wall_sentence(&key.wall, key.growth.is_some());
    if has_passed(of) {
        wall.push_str("; that day has passed since the newest reading, so look at newer data");
    }
    lines.extend(fact("wall", LineRole::Text, &wall, of.width));
    lines
}

fn region_words(region: &RegionDetail) -> String {
    let name = match &region.name {
        Some(name) => visible(name).into_owned(),
        None => "region not said".to_owned(),
    };
    let at = match region.latest_at {
        Some(at) => format!("at {} UTC", at.minute_text()),
        None => "without a time".to_owned(),
    };
    format!(
        "{name}: {} {at}, {}",
        kib_text(region.latest_kib),
        readings(region.readings)
    )
}

pub fn readings(count: u64) -> String {
    let readings = if count == 1 { "reading" } else { "readings" };
    format!("{} {readings}", count_text(count))
}

/// The smallest and the largest reading, and when the first and the last were taken.
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
            format!(" in {} days", rounded_text(last.days_since(first).ceil()))
        }
        _ => String::new(),
    };
    let doubt = match basis.trust {
        Trust::Exact => "",
        Trust::Weak => ", their time or size in doubt",
    };
    let from = format!("{}{span}{doubt}", readings(basis.readings));
    match &key.growth {
        Some(growth) => format!("{}, from {from}", growth_sentence(growth)),
        None if basis.readings < 2 => {
            format!("not known from {} with a time", readings(basis.readings))
        }
        None => format!(
            "unknown from {from}: growth needs readings 15 min apart since the last clean-up; two, or those of one day, \
             must differ by more than {}",
            kib_text(2.0 * key.band_kib)
        ),
    }
}

/// Whether the day of the wall lies before today; a scenario has no today.
fn has_passed(of: &DetailInputs<'_>) -> bool {
    let is_from_files = matches!(of.data.origin, Origin::Paths(_));
    match (&of.key.wall, of.now) {
        (Wall::Date { at, .. }, Some(now)) => is_from_files && *at < now,
        _ => false,
    }
}

/// When the ceiling is met, with the state in words.
pub fn wall_sentence(wall: &Wall, is_growth_known: bool) -> String {
    match wall {
        Wall::Over => "reached: the service refuses writes that add to this key".to_owned(),
        Wall::Date {
            at,
            earliest,
            latest,
        } => {
            let latest = match latest {
                Some(latest) => format!("{} at the latest", latest.date_text()),
                None => "no latest date".to_owned(),
            };
            format!(
                "{} if it goes on like this, {} at the earliest, {latest}",
                at.date_text(),
                earliest.date_text()
            )
        }
        Wall::Never => "none in sight: the key does not grow".to_owned(),
        Wall::Unknown if is_growth_known => {
            "unknown: the error of the sizes hides whether the key grows, or the date lies more than 100 times the span of \
             the readings ahead"
                .to_owned()
        }
        Wall::Unknown => "not known, since growth is not".to_owned(),
    }
}
