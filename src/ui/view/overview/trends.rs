//! The largest keys of the chosen container over time, each against the 20 GB, and its hottest partition over time.

use ratatui::text::Span;

use super::detail::Line;
use super::rows::{Row, range_text};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::grid::{Window, grid, hotter};
use crate::analysis::heat::{ContainerHeat, Measure, Track, Unit};
use crate::analysis::rows::KeyRow;
use crate::model::logical::{KeyId, SeriesView};
use crate::model::time::Stamp;
use crate::model::units::{figure_text, kib_text, percent_text};
use crate::report::{gib_a_week, limit_date_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit};
use crate::ui::kit::{chart, limit_date, text};
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// The largest keys of a container with their sizes over time, or one that a search found; looked up when another is chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct KeyTrends {
    of: Option<(Shared<Dataset>, u32, Option<KeyId>)>,
    keys: Vec<(KeyRow, Vec<Option<f64>>)>,
}

impl KeyTrends {
    pub fn settle(&mut self, cx: &Cx, container: u32, found: Option<KeyId>) {
        let Some(data) = &cx.data else {
            *self = Self::default();
            return;
        };
        let of = Some((data.clone(), container, found));
        if self.of == of {
            return;
        }
        let mut rows = data.overview.rows.iter();
        let reported = rows.find(|row| row.number == container);
        let largest = reported.map_or(&[][..], |row| &row.standing.largest_keys);
        let ids = found.as_slice().iter().chain(largest.iter().filter(|_| found.is_none()));
        let keys = ids.filter_map(|id| {
            let (row, series) = data.lookups.key_row(&data.capture, *id)?;
            Some((row, sizes(&series)))
        });
        let mut keys: Vec<(KeyRow, Vec<Option<f64>>)> = keys.collect();
        keys.sort_by(|a, b| a.0.order(&b.0));
        *self = Self { of, keys };
    }

    /// The key that a search found.
    pub fn found(&self) -> Option<&KeyRow> {
        let (key, _) = self.keys.first()?;
        self.of.as_ref()?.2.map(|_| key)
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The first dates on which keys reach 20 GB, the first of the container before those of its largest keys.
    pub fn next_dates(&self, cx: &Cx, row: &Row, most: usize) -> Vec<Line> {
        let theme = &cx.theme;
        let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
        let largest = || self.keys.iter().map(|(key, _)| key);
        let is_small = |next: &&KeyRow| largest().all(|key| key.key != next.key);
        let mut dated: Vec<(Stamp, &KeyRow)> = (row.next.as_deref().into_iter().filter(is_small))
            .chain(largest())
            .filter_map(|key| Some((key.limit_date.date()?, key)))
            .collect();
        dated.sort_by_key(|(at, _)| *at);
        let line = |(_, key): (Stamp, &KeyRow)| {
            let date = limit_date_text(&key.limit_date, as_of);
            let name = cx.mask.key_text(key.key.as_deref());
            let mut line = vec![Span::styled(format!("{date:DATE$}"), theme.text)];
            line.extend(text::coded(&name, theme.text, theme));
            line
        };
        dated.into_iter().take(most).map(line).collect()
    }
}

/// The samples of a series in the order of time.
fn sizes(series: &SeriesView<'_>) -> Vec<Option<f64>> {
    let dated = series.samples.iter().filter(|s| s.when.at().is_some());
    let mut dated: Vec<_> = dated.collect();
    dated.sort_by_key(|sample| sample.when.order());
    dated.into_iter().map(|sample| Some(sample.kib)).collect()
}

/// Keys shown where there is no room for more.
pub(super) const LEAST_KEYS: usize = 5;
/// Columns of a date with the gap behind it.
const DATE: usize = limit_date::COLUMNS as usize + 2;
/// Of one key, the blank one below it included.
const MOST_KEY_ROWS: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyColumn {
    Key,
    Trend,
    Percent,
    Date,
    Growth,
}

/// What a name takes before curves are longer; a longer one takes up to two fifths of the width.
const KEY_GOOD: u16 = 28;

const COLUMNS: [ColumnSpec<KeyColumn>; 5] = [
    ColumnSpec::new(KeyColumn::Key, "key", 12, KEY_GOOD, 0, Align::Left),
    ColumnSpec::new(KeyColumn::Trend, "up to 20 GB", 10, 40, 3, Align::Left),
    ColumnSpec::new(KeyColumn::Percent, "%", 6, 6, 1, Align::Right),
    ColumnSpec::new(KeyColumn::Date, "20 GB on", 10, limit_date::COLUMNS, 2, Align::Right),
    ColumnSpec::new(KeyColumn::Growth, "GiB/week", 8, 8, 4, Align::Right),
];

/// How many keys are shown, and how many rows each of them takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Multiples {
    pub keys: usize,
    high: usize,
}

impl Multiples {
    /// Of so many keys as many as fit below a heading, each as high as fits.
    pub fn of(keys: usize, rows: usize) -> Self {
        let rows = rows.saturating_sub(1);
        let keys = keys.min(rows.max(LEAST_KEYS));
        let high = rows / keys.max(1);
        Self { keys, high: high.clamp(1, MOST_KEY_ROWS) }
    }

    /// Rows of the curve: from three on a blank one parts it from the next key.
    fn curve(self) -> usize {
        self.high - usize::from(self.high > 2)
    }
}

/// ```text
/// contoso       ▁▁▂▂▃▃▄▅▅▆   76 %  2026-09-19 ±17 d     +0.42
/// ```
pub(super) fn key_lines(cx: &Cx, trends: &KeyTrends, of: Multiples, width: usize) -> Vec<Line> {
    let theme = &cx.theme;
    let width = u16::try_from(width).unwrap_or(u16::MAX);
    let keys = trends.keys.iter().take(of.keys);
    let names =
        keys.map(|(key, _)| text::width(&cx.mask.key_text(key.key.as_deref()), theme.glyphs));
    let names = u16::try_from(names.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let mut columns = COLUMNS;
    columns[0].most = names.clamp(KEY_GOOD, KEY_GOOD.max(width * 2 / 5));
    let placed = fit(&columns, 0, width);
    let label = |at: &TableColumn<KeyColumn>| {
        let words = cx.ceiling.heading(at.heading);
        padded(*at, vec![Span::styled(words, theme.dim)], cx)
    };
    let head = trimmed(placed.iter().flat_map(label).collect());
    let lines = |(key, sizes): &(KeyRow, Vec<Option<f64>>)| {
        let trend = placed.iter().find(|at| at.id == KeyColumn::Trend);
        let columns = trend.map_or(0, |at| usize::from(at.width));
        let curve = chart::stretched(sizes, columns, of.curve(), cx.ceiling.kib(), theme);
        let row = |(row, curve): (usize, Vec<Span<'static>>)| {
            let cell = |at: &TableColumn<KeyColumn>| {
                let spans = match at.id {
                    KeyColumn::Trend => curve.clone(),
                    _ if row + 1 == of.curve() => cell(cx, key, *at),
                    _ => Vec::new(),
                };
                padded(*at, spans, cx)
            };
            trimmed(placed.iter().flat_map(cell).collect())
        };
        let blank = of.high - of.curve();
        let rows: Vec<Line> = curve.into_iter().enumerate().map(row).collect();
        rows.into_iter().chain(std::iter::repeat_n(Line::new(), blank))
    };
    let keys = trends.keys.iter().take(of.keys).flat_map(lines);
    std::iter::once(head).chain(keys).collect()
}

/// What stands in a column of a key, its curve aside.
fn cell(cx: &Cx, key: &KeyRow, at: TableColumn<KeyColumn>) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let columns = usize::from(at.width);
    match at.id {
        KeyColumn::Key => {
            let name = cx.mask.key_text(key.key.as_deref());
            let name = text::shorten(&name, columns, theme.glyphs);
            text::coded(&name, theme.text, theme)
        }
        KeyColumn::Trend => Vec::new(),
        KeyColumn::Percent => {
            let style = theme.mark(key.mark());
            vec![Span::styled(percent_text(key.share), style)]
        }
        KeyColumn::Date => {
            let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
            let date = limit_date_text(&key.limit_date, as_of);
            let date = limit_date::fitting(&date, columns, theme.glyphs).to_owned();
            vec![Span::styled(date, theme.text)]
        }
        KeyColumn::Growth => vec![Span::styled(gib_a_week(key.growth.as_ref()), theme.dim)],
    }
}

/// Without the gap behind the last cell.
fn trimmed(mut line: Line) -> Line {
    line.pop();
    line
}

/// A cell in its column, with the gap behind it; what is too long is cut at its end.
fn padded(at: TableColumn<KeyColumn>, spans: Vec<Span<'static>>, cx: &Cx) -> Line {
    let columns = usize::from(at.width);
    let used: usize = spans.iter().map(|s| text::width(&s.content, cx.theme.glyphs)).sum();
    if used > columns {
        let words: String = spans.iter().map(|span| span.content.as_ref()).collect();
        let style = spans.first().map(|span| span.style).unwrap_or_default();
        let words = text::shorten(&words, columns, cx.theme.glyphs);
        return vec![Span::styled(words, style), Span::raw(" ")];
    }
    let pad = Span::raw(" ".repeat(columns - used));
    let mut line = match at.align {
        Align::Left => [spans, vec![pad]].concat(),
        Align::Right => [vec![pad], spans].concat(),
    };
    line.push(Span::raw(" "));
    line
}

/// Rows of the strip of one partition, with what is said of it.
pub(super) const LEAST_STRIP_ROWS: usize = 4;
/// Ends of a shorter time are told apart by their seconds.
const SECONDS_SHOWN: i64 = 120;
/// Title and axis.
const STRIP_FRAME: usize = 2;
/// As in the heat view.
const MOST_STRIP_ROWS: usize = 6;
/// `p12 100 %`, `0000a003 100 %`
const LABEL: usize = 15;

/// Load over time of the partitions of a container, the hottest first.
pub struct HeatStrips<'a> {
    heat: &'a ContainerHeat,
    track: &'a Track,
    /// Partitions with their highest value.
    partitions: Vec<(u32, f64)>,
    span: (i64, i64),
    /// Rows of one of them, at most.
    highest: usize,
}

impl<'a> HeatStrips<'a> {
    pub fn of(cx: &'a Cx, container: u32) -> Option<Self> {
        let heat = cx.data.as_ref()?.heat.container(container)?;
        let track = heat.best_track()?;
        let known = (0_u32..).zip(&track.standings);
        let mut known: Vec<_> = known.filter_map(|(at, s)| Some((at, (*s)?))).collect();
        known.sort_by(|a, b| hotter(&a.1, &b.1).then(a.0.cmp(&b.0)));
        let hottest = known.first()?.0;
        Some(Self {
            heat,
            track,
            partitions: known.into_iter().map(|(at, s)| (at, s.highest)).collect(),
            span: track.series.get(hottest as usize)?.span()?,
            highest: MOST_STRIP_ROWS,
        })
    }

    /// Where nothing else takes the room.
    pub fn alone(mut self) -> Self {
        self.highest = 2 * MOST_STRIP_ROWS;
        self
    }

    /// Rows in which each partition is shown, a few of them higher than a line.
    pub fn good_rows(&self) -> usize {
        STRIP_FRAME + 2 * self.partitions.len().min(MOST_STRIP_ROWS)
    }

    /// Rows in which all there is is shown as high as it gets.
    pub fn most_rows(&self) -> usize {
        STRIP_FRAME + self.partitions.len() * (MOST_STRIP_ROWS + 1)
    }

    /// The hottest partition, and others in so many rows, each as high as fits.
    ///
    /// ```text
    /// Load over time: RU % of partition (metric, highest second)
    /// p0  100 %  ▁▁▁▂▂▂▃▃█████████████████████████
    /// 429               [!!!][!!!][!!!][!!!][!!!]
    /// p2   29 %  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂
    ///            2026-06-28 23:00 to 2026-06-29 00:00 UTC
    /// ```
    pub fn lines(&self, cx: &Cx, width: usize, rows: usize) -> Vec<Line> {
        let theme = &cx.theme;
        let (from, to) = self.span;
        let columns = width.saturating_sub(LABEL).max(1);
        let window = Window::around(from, to, columns, self.track.step_s);
        let room = rows.max(LEAST_STRIP_ROWS) - STRIP_FRAME;
        let mut used = 0;
        let strips = self.partitions.iter().enumerate().take(room);
        let strips = strips.map(|(place, (partition, highest))| {
            let throttled = self.throttled(*partition, window);
            let is_shown = |found: &Vec<_>| place == 0 || found.iter().any(Option::is_some);
            (*partition, *highest, throttled.filter(is_shown))
        });
        let strips = strips.take_while(|(.., throttled)| {
            used += 1 + usize::from(throttled.is_some());
            used <= room
        });
        let strips: Vec<_> = strips.collect();
        let used: usize = strips.iter().map(|s| 1 + usize::from(s.2.is_some())).sum();
        let high = 1 + (room - used) / strips.len().max(1);
        let title = format!("Load over time: {}", self.track.measure.title());
        let mut lines = vec![vec![Span::styled(title, theme.title)]];
        for (partition, highest, throttled) in strips {
            let values = cells(self.track, partition, window, to);
            lines.extend(self.strip(cx, (partition, highest), &values, [columns, high]));
            if let Some(throttled) = throttled {
                let at = |column: usize| *throttled.get(column * throttled.len() / columns)?;
                let signs = (0..columns).map(|column| {
                    let before = column.checked_sub(1).and_then(at);
                    match at(column) {
                        None => ' ',
                        here if here == before && here == at(column + 1) => '!',
                        here if here == before => ']',
                        here if here == at(column + 1) => '[',
                        _ => '!',
                    }
                });
                let (signs, style) = match throttled.iter().flatten().next() {
                    Some(_) => (signs.collect(), theme.alarm),
                    None => ("none logged".to_owned(), theme.dim),
                };
                let line = format!("{:LABEL$}{signs}", "429");
                lines.push(vec![Span::styled(line, style)]);
            }
        }
        let (written, zone): (fn(Stamp) -> String, _) = if to - from < SECONDS_SHOWN {
            (Stamp::second_text, "")
        } else {
            (Stamp::minute_text, " UTC")
        };
        let [from, to] =
            [from, to].map(|at| Stamp::from_seconds(at).map_or_else(String::new, written));
        let axis = format!("{:LABEL$}{from} to {to}{zone}", "");
        lines.push(vec![Span::styled(axis, theme.dim)]);
        lines
    }

    /// One partition with its name and its highest value.
    fn strip(
        &self,
        cx: &Cx,
        (partition, highest): (u32, f64),
        values: &[Option<f64>],
        [columns, high]: [usize; 2],
    ) -> impl Iterator<Item = Line> {
        let theme = &cx.theme;
        let is_share = self.track.measure.unit() == Unit::Share;
        let top = self.partitions.first().map_or(0.0, |(_, highest)| *highest);
        let top = if is_share { top.max(1.0) } else { top };
        let (value, style) = match self.track.measure.unit() {
            Unit::Share => (percent_text(highest), theme.mark(Mark::of(highest))),
            Unit::Kib => (kib_text(highest), theme.text),
            _ => (figure_text(highest), theme.text),
        };
        let named = self.heat.partitions.get(partition as usize);
        let named = named.map_or_else(String::new, |partition| range_text(&partition.named));
        let label = format!("{named} {value}");
        let label = text::shorten(&label, LABEL - 1, theme.glyphs);
        let high = high.min(self.highest);
        let rows = chart::stretched(values, columns, high, top, theme);
        rows.into_iter().enumerate().map(move |(row, spans)| {
            let label = if row + 1 == high { &*label } else { "" };
            let mut line = vec![Span::styled(format!("{label:LABEL$}"), style)];
            line.extend(spans);
            line
        })
    }

    /// The steps of the cells in which requests of a partition were throttled: a total is of all of its step. None where no
    /// input says.
    fn throttled(&self, partition: u32, window: Window) -> Option<Vec<Option<i64>>> {
        let region = &self.track.region;
        let mut tracks = self.heat.tracks_of(Measure::Throttled);
        let track = tracks.find(|track| region.is_none() || track.region == *region)?;
        let step = track.step_s.max(window.width_s).max(1);
        let values = (0..).zip(cells(track, partition, window, self.span.1));
        let step_of = |(cell, value): (usize, Option<f64>)| {
            let start = window.cell(cell).0.div_euclid(step.into());
            value.filter(|v| *v > 0.0).map(|_| start)
        };
        Some(values.map(step_of).collect())
    }
}

/// The cells of a window up to the end of what is known.
fn cells(track: &Track, partition: u32, window: Window, to: i64) -> Vec<Option<f64>> {
    let used = (0..window.columns).take_while(|at| window.cell(*at).0 < to).count();
    let grid = grid(track, &[partition], 1, window);
    let values = grid.row(0).iter().take(used);
    values.map(|v| (!v.is_nan()).then(|| f64::from(*v))).collect()
}
