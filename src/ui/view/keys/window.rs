//! The rows that are seen, made of their keys once for all frames that show them.

use std::ops::Range;

use super::by_ru;
use super::layout::KeysAreas;
use super::table::{self, KeyColumn, ListedBy};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::filter::FilterRow as _;
use crate::analysis::growth::Growth;
use crate::analysis::rows::{KeyRow, SizeOf};
use crate::model::logical::{KeyId, SeriesView};
use crate::model::time::Stamp;
use crate::model::units::{count_text, percent_text};
use crate::model::visible::{distinct_cells, visible};
use crate::report::key_text::{BETWEEN, key_text};
use crate::report::{gib, gib_a_week, limit_date_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::table::TableColumn;
use crate::ui::kit::text;
use crate::ui::view::keys::KeysState;
use crate::work::data::Arranged;
use crate::work::shared::Shared;

/// One row, ready to be painted; all of it is visible text, empty where it is unknown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyTableRow {
    /// None where no size is reported.
    pub id: Option<KeyId>,
    /// Shortened to the width of its column.
    pub key: String,
    pub share: f64,
    pub percent: String,
    pub size: String,
    pub growth: String,
    pub limit_date: String,
    /// Sizes over time as shares of the limit.
    pub trend: Vec<Option<f64>>,
    pub ru_share: f64,
    pub ru: String,
    pub ru_peak: String,
    pub busy_since: String,
    pub partition: String,
    pub region: String,
    pub samples: String,
    pub newest: String,
}

/// What rows were made of; other rows are made only if this changes.
#[derive(Clone, PartialEq, Debug)]
struct WindowInputs {
    list: Shared<Arranged>,
    places: Range<usize>,
    width: u16,
    first_column: usize,
    names: u64,
    glyphs: Glyphs,
}

#[derive(Debug, Default)]
pub struct KeyWindow {
    made_of: Option<WindowInputs>,
    rows: Vec<KeyTableRow>,
    columns: Vec<TableColumn<KeyColumn>>,
    /// Of all rows of this data so far: columns move to the right while keys get longer, and never back.
    pub longest: u16,
    /// How often rows were made, for tests of the cache.
    #[cfg(test)]
    pub builds: usize,
}

impl KeyWindow {
    pub fn rows(&self) -> &[KeyTableRow] {
        &self.rows
    }

    pub fn columns(&self) -> &[TableColumn<KeyColumn>] {
        &self.columns
    }
}

/// Makes the rows of the window if they are not made yet.
pub fn settle(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
    let Some(list) = state.list.clone() else {
        state.window = KeyWindow::default();
        return;
    };
    let room = areas.list();
    let made_of = WindowInputs {
        places: state.cursor.window(state.rows(), usize::from(room.height)),
        width: room.width,
        first_column: state.first_column,
        names: state.names,
        glyphs: cx.theme.glyphs,
        list: list.clone(),
    };
    let held = state.window.made_of.as_ref();
    if held == Some(&made_of) {
        return;
    }
    if held.is_none_or(|held| held.list.data != list.data || held.names != made_of.names) {
        state.window.longest = 0;
    }
    let glyphs = made_of.glyphs;
    let mut rows: Vec<KeyTableRow> = if state.listed_by() == ListedBy::Ru {
        let seen = state.by_ru.seen(made_of.places.clone());
        seen.map(|key| by_ru::row(key, &cx.mask)).collect()
    } else {
        let ids = made_of.places.clone().filter_map(|place| list.id(place));
        ids.filter_map(|id| row(&list, id, &cx.mask)).collect()
    };
    let widths = rows.iter().map(|row| text::width(&row.key, glyphs));
    let longest = u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX);
    state.window.longest = state.window.longest.max(longest);
    let columns = table::columns(room.width, state.width_inputs(cx));
    let key = columns.iter().find(|c| c.id == KeyColumn::Key);
    let width = key.map_or(0, |column| usize::from(column.width));
    let whole: Vec<&str> = rows.iter().map(|row| row.key.as_str()).collect();
    let keys = distinct_cells(&whole, |_, key, hash| match hash {
        "" => short_key(key, width, glyphs),
        hash => text::shorten_marked(key, width, hash, glyphs),
    });
    for (row, key) in rows.iter_mut().zip(keys) {
        row.key = key;
    }
    state.window.rows = rows;
    state.window.columns = columns;
    state.window.made_of = Some(made_of);
    #[cfg(test)]
    {
        state.window.builds += 1;
    }
}

/// With its key as it is, not shortened yet.
fn row(list: &Arranged, id: KeyId, mask: &Mask) -> Option<KeyTableRow> {
    let data = &list.data;
    let (key, series) = data.lookups.key_row(&data.capture, id)?;
    let columns = list.columns()?;
    let known = columns.row(columns.find(id)?)?;
    let whole_ru = data.lookups.ru.of_container(list.container);
    let ru_share = known.ru().zip(whole_ru.filter(|whole| *whole > 0.0));
    let shown = |text: &str| visible(text).into_owned();
    Some(KeyTableRow {
        id: Some(id),
        key: key_shown(&key, mask),
        share: key.share,
        percent: percent_text(key.share),
        size: match key.size_of {
            SizeOf::Key => gib(key.size_kib),
            SizeOf::Prefix => format!("≥ {}", gib(key.size_kib)),
        },
        growth: gib_a_week(key.growth.as_ref()),
        limit_date: limit_date_text(&key.limit_date, data.report.as_of),
        trend: trend(&series, data.report.ceiling),
        ru: ru_share.map_or_else(String::new, |(ru, whole)| percent_text(ru / whole)),
        partition: known.partition().map_or_else(String::new, shown),
        region: key.region.as_deref().map_or_else(String::new, shown),
        samples: count_text(key.samples),
        newest: key.sampled_at.map_or_else(String::new, Stamp::minute_text),
        ..KeyTableRow::default()
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
    let parts: Vec<String> =
        parts.map(|(part, width)| text::shorten(part, *width, glyphs)).collect();
    parts.join(BETWEEN)
}

/// The samples of a series in the order of time, as shares of the limit.
fn trend(series: &SeriesView<'_>, ceiling: Ceiling) -> Vec<Option<f64>> {
    let mut dated: Vec<_> = series.samples.iter().collect();
    dated.sort_by_key(|sample| sample.when.order());
    let dated = dated.into_iter().filter(|s| s.when.at().is_some());
    dated.map(|sample| Some(ceiling.share(sample.kib))).collect()
}

/// `+1.50 GiB/week (+1.30 to +1.70)`.
pub fn growth_sentence(growth: &Growth) -> String {
    let week = |kib_per_day: f64| gib_a_week(Some(&Growth { kib_per_day, ..*growth }));
    let [likely, low, high] = [growth.kib_per_day, growth.lowest, growth.highest].map(week);
    let faster = growth.doubling_words().map_or_else(String::new, |words| format!("; {words}"));
    format!("{likely} GiB/week ({low} to {high}){faster}")
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
