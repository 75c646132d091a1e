//! The rows that are seen, made of their keys once for all frames that show them.

use std::ops::Range;

use super::layout::KeysAreas;
use super::table;
use crate::analysis::ceiling::Mark;
use crate::analysis::filter::FilterRow as _;
use crate::analysis::growth::Growth;
use crate::analysis::rows::{KeyRow, SizeOf};
use crate::model::logical::{KeyId, SeriesView};
use crate::model::time::Stamp;
use crate::model::units::{count_text, percent_text};
use crate::model::visible::{distinct_cells, visible};
use crate::report::key_text::{BETWEEN, key_text};
use crate::report::{gib, gib_a_week, wall_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::text;
use crate::ui::view::keys::KeysState;
use crate::work::data::Arranged;
use crate::work::shared::Shared;

/// One row, ready to be painted; all of it is visible text.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyTableRow {
    pub id: KeyId,
    /// Shortened to the width of its column.
    pub key: String,
    pub share: f64,
    pub mark: Mark,
    pub percent: String,
    pub size: String,
    pub growth: String,
    pub wall: String,
    pub trend: Vec<Option<f64>>,
    pub ru: String,
    pub partition: String,
    pub region: String,
    pub readings: String,
    pub newest: String,
}

/// What rows were made of; other rows are made only if this changes.
#[derive(Clone, PartialEq, Debug)]
struct WindowInputs {
    list: Shared<Arranged>,
    places: Range<usize>,
    key_columns: u16,
    names: u64,
    glyphs: Glyphs,
}

#[derive(Debug, Default)]
pub struct KeyWindow {
    made_of: Option<WindowInputs>,
    rows: Vec<KeyTableRow>,
    /// How often rows were made, for tests of the cache.
    #[cfg(test)]
    pub builds: usize,
}

impl KeyWindow {
    pub fn rows(&self) -> &[KeyTableRow] {
        &self.rows
    }
}

/// Makes the rows of the window if they are not made yet.
pub fn settle(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
    let Some(list) = state.list.clone() else {
        state.window = KeyWindow::default();
        return;
    };
    let room = areas.list();
    let places = state.cursor.window(list.len(), usize::from(room.height));
    let made_of = WindowInputs {
        places: places.clone(),
        key_columns: table::key_columns(
            room,
            state.first_column,
            table::WidthInputs::of(state, cx),
        ),
        names: state.names,
        glyphs: cx.theme.glyphs,
        list: list.clone(),
    };
    if state.window.made_of.as_ref() == Some(&made_of) {
        return;
    }
    let ids = places.filter_map(|place| list.id(place));
    let rows = ids.filter_map(|id| row(&list, id, made_of.glyphs, &cx.mask));
    let mut rows: Vec<KeyTableRow> = rows.collect();
    let whole: Vec<&str> = rows.iter().map(|row| row.key.as_str()).collect();
    let width = usize::from(made_of.key_columns);
    let keys = distinct_cells(&whole, |_, key, hash| match hash {
        "" => short_key(key, width, made_of.glyphs),
        hash => text::shorten_marked(key, width, hash, made_of.glyphs),
    });
    for (row, key) in rows.iter_mut().zip(keys) {
        row.key = key;
    }
    state.window.rows = rows;
    state.window.made_of = Some(made_of);
    #[cfg(test)]
    {
        state.window.builds += 1;
    }
}

/// With its key as it is, not shortened yet.
fn row(list: &Arranged, id: KeyId, glyphs: Glyphs, mask: &Mask) -> Option<KeyTableRow> {
    let data = &list.data;
    let (key, series) = data.lookups.key_row(&data.capture, id)?;
    let columns = list.columns()?;
    let known = columns.row(columns.find(id)?)?;
    let unknown = || glyphs.signs().unknown.to_owned();
    let whole_ru = data.lookups.ru.of_container(list.container);
    let ru_share = known.ru().zip(whole_ru.filter(|whole| *whole > 0.0));
    Some(KeyTableRow {
        id,
        key: key_shown(&key, mask),
        share: key.share,
        mark: Mark::of(key.share),
        percent: percent_text(key.share),
        size: match key.size_of {
            SizeOf::Key => gib(key.size_kib),
            SizeOf::Prefix => format!("≥ {}", gib(key.size_kib)),
        },
        growth: gib_a_week(key.growth.as_ref()),
        wall: wall_text(&key.wall, data.report.as_of),
        trend: trend(&series),
        ru: ru_share.map_or_else(unknown, |(ru, whole)| percent_text(ru / whole)),
        partition: known
            .partition()
            .map_or_else(unknown, |id| visible(id).into_owned()),
        region: key
            .region
            .as_deref()
            .map_or_else(unknown, |name| visible(name).into_owned()),
        readings: count_text(key.samples),
        newest: key.sampled_at.map_or_else(unknown, Stamp::minute_text),
    })
}

/// A key as it is read on the screen, masked where names are.
pub fn key_shown(row: &KeyRow, mask: &Mask) -> String {
    let json = row.key.as_deref().map(|json| mask.key(json));
    key_text(json.as_deref())
}

/// A part of a hierarchical key that has less room than this says nothing.
const LEAST_PART: usize = 4;

/// A key in the room of its column. Where it has several parts each keeps something to tell it by.
fn short_key(shown: &str, width: usize, glyphs: Glyphs) -> String {
    let parts: Vec<&str> = shown.split(BETWEEN).collect();
    let between = BETWEEN.len() * (parts.len() - 1);
    let room = width.saturating_sub(between);
    let is_whole = text::width(shown, glyphs) <= width;
    if is_whole || parts.len() < 2 || room / parts.len() < LEAST_PART {
        return text::shorten(shown, width, glyphs);
    }
    let most = |part: &&str| text::width(part, glyphs).min(room);
    let mut widths: Vec<usize> = parts.iter().map(most).collect();
    // What short parts do not need the others share.
    while widths.iter().sum::<usize>() > room {
        let longest = widths.iter().max().copied().unwrap_or(0);
        if let Some(width) = widths.iter_mut().find(|w| **w == longest) {
            *width -= 1;
        }
    }
    let parts = parts.iter().zip(&widths);
    let parts: Vec<String> = parts
        .map(|(part, width)| text::shorten(part, *width, glyphs))
        .collect();
    parts.join(BETWEEN)
}

/// The readings of a series in the order of time.
pub fn trend(series: &SeriesView<'_>) -> Vec<Option<f64>> {
    let mut dated: Vec<_> = series.samples.iter().collect();
    dated.sort_by_key(|sample| sample.when.order());
    let dated = dated.into_iter().filter(|s| s.when.at().is_some());
    dated.map(|sample| Some(sample.kib)).collect()
}

/// `+1.50 GiB a week (1.30 to 1.70)`.
pub fn growth_sentence(growth: &Growth) -> String {
    let week = |kib_per_day: f64| {
        gib_a_week(Some(&Growth {
            kib_per_day,
            ..*growth
        }))
    };
    format!(
        "{} GiB a week, between {} and {}",
        week(growth.kib_per_day),
        week(growth.lowest),
        week(growth.highest)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_long_key_keeps_something() {
        let short = |shown, width| short_key(shown, width, Glyphs::Unicode);
        let key = "Fabrikam / user-17 / session-000000001";
        assert_eq!(short(key, 60), key);
        assert_eq!(short(key, 32), "Fabrikam / user-17 / sessi…00001");
        assert_eq!(short(key, 26), "Fa…kam / user-17 / ses…001");
        assert_eq!(short(key, 20), "F…am / us…17 / se…01");
        assert_eq!(short(key, 15), "Fabrika…0000001");
        let longest = "x".repeat(2042);
        assert_eq!(short(&longest, 5), "xx…xx");
        assert_eq!(short("", 5), "");
    }
}
