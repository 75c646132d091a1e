//! The forecast as it is painted: nothing is made here.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::dials::{AS_IS, Dial};
use super::future::StripRow;
use super::{ForecastState, Picture, lapse};
use crate::analysis::ceiling::Mark;
use crate::model::units::count_text;
use crate::report::forecast as words;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::fan::FanPart;
use crate::ui::kit::panel::{Panel, Zoom};
use crate::ui::kit::table::{SortMark, headings};
use crate::ui::kit::{sign, text};
use crate::ui::view::no_container;

/// A picture needs so many rows to be worth its frame.
const LEAST_PICTURE: u16 = 7;
const BETWEEN: &str = "  ";

#[derive(Clone, Copy, Debug)]
pub(super) struct ForecastAreas {
    pub head: Rect,
    pub dials: Rect,
    /// Labels and rows.
    pub list: Rect,
    /// Without height where there is no room.
    pub fan: Rect,
    pub strip: Rect,
    pub lapse: Rect,
    pub foot: Rect,
}

impl ForecastAreas {
    pub fn labels(&self) -> Rect {
        text::row(self.list, 0)
    }

    pub fn rows(&self) -> Rect {
        let height = self.list.height.saturating_sub(1);
        text::rows(self.list, 1, height)
    }
}

pub(super) fn areas(
    body: Rect,
    layout: WindowLayout,
    zoom: Zoom,
    picture: Picture,
    rows: usize,
) -> ForecastAreas {
    let foot = match layout {
        WindowLayout::Compact => 1,
        WindowLayout::Normal | WindowLayout::Wide => 2,
    };
    let parts = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(foot),
    ]);
    let [head, dials, middle, foot] = parts.areas(body);
    let below = match zoom {
        Zoom::On => middle.height,
        // A short list leaves its room to the pictures.
        Zoom::Off => {
            let list = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(1);
            middle.height.saturating_sub(list).max(middle.height / 2)
        }
    };
    let below = if below < LEAST_PICTURE { 0 } else { below };
    let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]);
    let [list, pictures] = parts.areas(middle);
    let none = Rect { height: 0, ..pictures };
    let (fan, strip, lapse) = match (layout, picture) {
        (WindowLayout::Wide, _) if zoom == Zoom::Off && picture != Picture::Lapses => {
            let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]);
            let [fan, strip] = halves.areas(pictures);
            if picture == Picture::Lapse { (fan, none, strip) } else { (fan, strip, none) }
        }
        (_, Picture::Fan) => (pictures, none, none),
        (_, Picture::Partitions) => (none, pictures, none),
        (_, Picture::Lapse | Picture::Lapses) => (none, none, pictures),
    };
    ForecastAreas { head, dials, list, fan, strip, lapse, foot }
}

/// Columns and rows inside a frame.
pub(super) fn room(area: Rect) -> (usize, usize) {
    let inner = Panel::inner(area);
    (inner.width.into(), inner.height.into())
}

/// ```text
/// Next: key dev-010 in telemetry / readings reaches 20 GB on 2026-11-29 ±6 d.
/// growth ×1  load as is  kept as is  RU/s as is  partitions as is  ahead 12 mo
///     when             what         container             share   limit
/// ▶   2026-11-29 ±6 d  key dev-010  telemetry / readings   81 %   20 GB
/// ┌ key dev-010 ─────────────────────────────────────────────────────────┐
/// │20 GB │╌╌╌╌╌╌╌╌╌╌╌╌╌╌░░••                                             │
/// └──────────────────────────────────────────────────────────────────────┘
/// ```
pub(super) fn draw(state: &ForecastState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let areas = state.areas(cx, body);
    let aside = aside(state, cx);
    let taken: usize = aside.iter().map(|s| text::width(&s.content, theme.glyphs)).sum();
    let room = usize::from(areas.head.width).saturating_sub(taken + 2);
    text::ends(buffer, areas.head, &head(state, cx, room), &aside, theme);
    let all = dials(state, cx, true);
    let width: usize = all.iter().map(|s| text::width(&s.content, theme.glyphs)).sum();
    let is_wide = width <= usize::from(areas.dials.width) + BETWEEN.len();
    let all = if is_wide { all } else { dials(state, cx, false) };
    text::left(buffer, areas.dials, &all, theme);
    draw_list(state, cx, &areas, buffer);
    if areas.fan.height > 0 {
        draw_fan(state, cx, areas.fan, buffer);
    }
    if areas.strip.height > 0 {
        draw_strip(state, cx, areas.strip, buffer);
    }
    if areas.lapse.height > 0 {
        let place = state.chosen().map(|limit| state.place(limit)).unwrap_or_default();
        lapse::draw(&state.player, cx, &place, areas.lapse, buffer);
    }
    let foot = words::what_is_not_listed(&state.shown).unwrap_or_default();
    let foot = theme.glyphs.sentence(&foot).into_owned();
    text::paragraph(buffer, areas.foot, &foot, theme.dim, theme);
}

fn head(state: &ForecastState, cx: &Cx, room: usize) -> Vec<Span<'static>> {
    let glyphs = cx.theme.glyphs;
    let words = if state.held.is_none() {
        "The forecast is being computed.".to_owned()
    } else {
        let all = words::headlines(&state.shown);
        let fits = |words: &&String| text::width(words, glyphs) <= room;
        all.iter().find(fits).or(all.last()).cloned().unwrap_or_default()
    };
    vec![Span::styled(words, cx.theme.title)]
}

/// Which limits are listed.
fn aside(state: &ForecastState, cx: &Cx) -> Vec<Span<'static>> {
    let mut said = Vec::new();
    if state.held.is_some() && state.asked.is_some() {
        said.push("being computed again".to_owned());
    }
    if !state.filter.is_empty() {
        let shown = count_text(state.order.len() as u64);
        let filter = cx.theme.glyphs.outside(&state.filter).into_owned();
        said.push(format!("{shown} with \"{filter}\""));
    }
    if state.only.is_some() {
        said.push("one container".to_owned());
    }
    vec![Span::styled(said.join(" · "), cx.theme.found)]
}

/// Where there is little room, of those that are as reported only the names.
fn dials(state: &ForecastState, cx: &Cx, is_wide: bool) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let one = |dial: Dial| {
        let value = state.dials.value(dial);
        let is_left_out = !is_wide && value == AS_IS;
        let value = if is_left_out { String::new() } else { value };
        let (label, style) = if dial == state.dial() {
            (theme.selected, theme.selected)
        } else if state.dials.is_turned(dial) {
            (theme.dim, theme.accent)
        } else {
            (theme.dim, theme.text)
        };
        [
            Span::styled(dial.label(), label),
            Span::styled(if value.is_empty() { "" } else { " " }, label),
            Span::styled(value, style),
            Span::raw(BETWEEN),
        ]
    };
    Dial::ALL.into_iter().flat_map(one).collect()
}

fn draw_list(state: &ForecastState, cx: &Cx, areas: &ForecastAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (drawn, rows) = (&state.drawn, areas.rows());
    let sorted = Some((state.sort.column(), SortMark::Descending));
    headings(buffer, areas.labels(), &drawn.placed, |column| column.heading, sorted, theme);
    if drawn.rows.is_empty() && state.held.is_some() {
        let is_empty = cx.data.as_ref().is_some_and(|d| d.capture.containers.is_empty());
        let words = if is_empty {
            no_container(cx)
        } else if state.shown.limits.is_empty() {
            "No key and no partition is at a limit, or reaches one as it grows now.".to_owned()
        } else {
            "No limit has that in the name of its key, partition or container.".to_owned()
        };
        text::paragraph(buffer, rows, &words, theme.text, theme);
    }
    for (row, index) in drawn.rows.iter().zip(0..rows.height) {
        row.draw(buffer, text::row(rows, index), theme);
    }
    let total = state.order.len();
    sign::scroll(buffer, rows, state.cursor.first, total, theme);
}

fn draw_fan(state: &ForecastState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let title = state.chosen().map_or_else(String::new, |limit| {
        let (who, place) = (words::subject(limit), state.place(limit));
        format!("{who} in {place}")
    });
    let aside = state.chosen().map_or_else(String::new, |limit| words::when(&state.shown, limit));
    let inner = Panel::new(title).aside(aside).draw(buffer, area, theme);
    let style = |part| match part {
        FanPart::Frame => theme.dim,
        FanPart::Limit => theme.fill(Mark::Full),
        FanPart::Past => theme.sparkline,
        FanPart::Likely => theme.accent,
        FanPart::Between => theme.bar_track,
    };
    for (line, index) in state.drawn.fan.iter().zip(0..inner.height) {
        let spans: Vec<Span> =
            line.iter().map(|(part, words)| Span::styled(words.as_str(), style(*part))).collect();
        text::left(buffer, text::row(inner, index), &spans, theme);
    }
}

fn draw_strip(state: &ForecastState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let place = state.chosen().map(|limit| state.place(limit)).unwrap_or_default();
    let title = format!("partitions of {place}, of 50 GB");
    let ahead = format!("{} ahead", state.dials.value(Dial::Ahead));
    let inner = Panel::new(title).aside(ahead).draw(buffer, area, theme);
    if state.drawn.strip.is_empty() {
        let words = "The sizes of its physical partitions are not known: the metric PhysicalPartitionSizeInfo has them.";
        text::paragraph(buffer, inner, words, theme.dim, theme);
    }
    for (row, index) in state.drawn.strip.iter().zip(0..inner.height) {
        text::left(buffer, text::row(inner, index), &strip_spans(row, cx), theme);
    }
}

fn strip_spans<'r>(row: &'r StripRow, cx: &Cx) -> Vec<Span<'r>> {
    let head = format!("{:<8} {:>9} ", row.name, row.size);
    let mut spans = vec![Span::styled(head, cx.theme.text)];
    let cells = row.cells.iter();
    spans.extend(cells.map(|(sign, style)| Span::styled(sign.as_str(), *style)));
    spans
}
