//! The pane with everything known of the chosen key.

mod parts;
mod sizes;

use ratatui::buffer::Buffer;

use super::layout::{Areas, Frames, Pane};
use super::lines::{Line, Role, broken, fact, wrapped};
use super::window::key_shown;
use crate::analysis::key_row::key_row;
use crate::app::App;
use crate::app::data::Arranged;
use crate::app::masking::Mask;
use crate::app::msg::Shared;
use crate::model::key::Key;
use crate::model::logical::KeyId;
use crate::model::time::Stamp;
use crate::model::visible::visible;
use crate::view::glyphs::Glyphs;
use crate::view::panel::{Focus, Panel};
use crate::view::sign::scroll;
use crate::view::text;

/// Lines of a key's text; the largest key the service takes fits in any window.
const MAX_KEY_LINES: usize = 64;

/// What the lines are of; other lines are made only if this changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    list: Shared<Arranged>,
    id: KeyId,
    width: u16,
    names: u64,
    glyphs: Glyphs,
    /// The age of a reading is told in days.
    today: Option<i64>,
}

const SECONDS_PER_DAY: i64 = 86_400;

pub fn settle(app: &mut App, areas: &Areas) {
    let room = areas.inner(areas.detail);
    let chosen = app.keys.list.clone().zip(app.keys.chosen());
    let Some((list, id)) = chosen.filter(|_| !room.is_empty()) else {
        app.keys.detail.clear();
        return;
    };
    let made = Made {
        list,
        id,
        width: room.width,
        names: app.keys.names,
        glyphs: app.theme.glyphs,
        today: app.now.map(|now| now.seconds().div_euclid(SECONDS_PER_DAY)),
    };
    let is_other = app.keys.detail.made_of().is_none_or(|held| held.id != id);
    if is_other {
        app.keys.detail.to_top();
    }
    let (mask, now) = (&app.mask, app.now);
    let height = usize::from(room.height);
    let make = || lines(&made, mask, now).unwrap_or_default();
    let held = &mut app.keys.detail;
    held.settle(made.clone(), height, make);
}

/// What all parts of the pane are made from.
struct Of<'a> {
    list: &'a Arranged,
    id: KeyId,
    row: &'a crate::analysis::rows::KeyRow,
    series: &'a crate::model::logical::SeriesView<'a>,
    width: usize,
    mask: &'a Mask,
    now: Option<Stamp>,
}

fn lines(made: &Made, mask: &Mask, now: Option<Stamp>) -> Option<Vec<Line>> {
    let data = &made.list.data;
    let found = key_row(&data.capture, &data.lookups, made.id)?;
    let of = Of {
        list: &made.list,
        id: made.id,
        row: &found.row,
        series: &found.series,
        width: usize::from(made.width),
        mask,
        now,
    };
    let mut lines: Vec<Line> = Vec::new();
    let text = key_shown(of.row, mask);
    let shown = made.glyphs.shown(&text).into_owned();
    let mut key = broken(&shown, of.width);
    if key.len() > MAX_KEY_LINES {
        // Both ends tell keys apart.
        key.drain(MAX_KEY_LINES / 2..key.len() - MAX_KEY_LINES / 2);
        key.insert(MAX_KEY_LINES / 2, made.glyphs.ellipsis().to_owned());
    }
    lines.extend(key.into_iter().map(|line| Line::of(Role::Outside, line)));
    lines.push(Line::blank());
    lines.extend(parts::lines(&of));
    lines.extend(sizes::lines(&of));
    lines.extend(place(&of));
    lines.extend(source(&of));
    Some(lines)
}

/// Hash, physical partition and request units.
fn place(of: &Of<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let data = &of.list.data;
    let Some(view) = data.capture.sizes.view(of.id) else {
        return lines;
    };
    let (container, canonical) = (view.container(), view.canonical());
    if !of.mask.is_on()
        && let Some(epk) = data.lookups.places.epk(container, canonical)
    {
        lines.extend(fact("epk", Role::Outside, &epk.to_string(), of.width));
    }
    let partitions = data.capture.container(container).map(|c| &c.partitions);
    let owner = data.lookups.places.owner(container, canonical);
    let owner = owner.and_then(|(index, how)| Some((partitions?.get(index)?, how)));
    let sentence = match owner {
        Some((partition, how)) => {
            let mut words = format!("{}, {}", visible(&partition.id), how.words());
            if let Some(kib) = partition.kib {
                words += &format!("; holds {}", crate::model::units::kib_text(kib));
            }
            if let Some(ru) = partition.ru_per_second {
                words += &format!("; {ru:.0} RU/s");
            }
            if let Some(part) = partition.throughput_fraction {
                let share = crate::model::units::percent_text(part);
                words += &format!("; {share} of the throughput");
            }
            words
        }
        None if partitions.is_none_or(Vec::is_empty) => {
            "not known: the inputs list no physical partitions".to_owned()
        }
        None => "not known: the key cannot be placed in the ranges given".to_owned(),
    };
    lines.extend(fact("partition", Role::Text, &sentence, of.width));
    if let Some((partition, _)) = owner
        && let (Some(min), Some(max)) = (&partition.min_inclusive, &partition.max_exclusive)
    {
        let range = format!("from {} to {}", visible(min), visible(max));
        lines.extend(fact("range", Role::Outside, &range, of.width));
    }
    let ru = data
        .lookups
        .ru
        .of_key(&data.capture.load, container, canonical);
    let whole = data
        .lookups
        .ru
        .of_container(container)
        .filter(|ru| *ru > 0.0);
    let sentence = match (ru, whole) {
        (Some(ru), Some(whole)) => format!(
            "{ru:.1} in the logs, {} of the container's",
            crate::model::units::percent_text(ru / whole)
        ),
        (Some(ru), None) => format!("{ru:.1} in the logs"),
        (None, Some(_)) => "no record names this key; that is not zero".to_owned(),
        (None, None) => "not known: no log of request units is open".to_owned(),
    };
    lines.extend(fact("RU", Role::Text, &sentence, of.width));
    lines
}

/// The input that the size comes from, how it was known there, and how old it is.
fn source(of: &Of<'_>) -> Vec<Line> {
    let data = &of.list.data;
    let Some(info) = data.capture.sources.get(usize::from(of.series.source)) else {
        return Vec::new();
    };
    let path = of.mask.name(crate::analysis::mask::Kind::File, &info.path);
    let path = crate::report::visible_once(&path).into_owned();
    let mut lines = fact("source", Role::Outside, &path, of.width);
    let grade = info.grade.map_or("not said how", |grade| grade.word());
    let age = match (of.now, of.row.sampled_at) {
        (Some(now), Some(at)) => match now.days_since(at) {
            days if days < 1.0 => ", less than a day old".to_owned(),
            days => format!(", {days:.0} days old"),
        },
        (_, None) => ", without a time".to_owned(),
        (None, Some(_)) => String::new(),
    };
    lines.extend(fact("", Role::Text, &format!("{grade}{age}"), of.width));
    lines
}

/// The parts of the key that a masked name may not tell.
fn hidden(width: usize) -> Vec<Line> {
    let sentence = "names are masked: code points and hash are not shown";
    let lines = wrapped(sentence, width).into_iter();
    lines.map(|line| Line::of(Role::Dim, line)).collect()
}

/// The key's parts, if the log named a key.
fn key_of(of: &Of<'_>) -> Option<Key> {
    Key::from_canonical(of.row.key.as_deref()?)
}

pub fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    if areas.detail.is_empty() {
        return;
    }
    let theme = &app.theme;
    let inner = areas.inner(areas.detail);
    if areas.frames == Frames::Drawn {
        let focus = if app.keys.pane == Pane::Detail {
            Focus::Here
        } else {
            Focus::Away
        };
        Panel::new("key")
            .focus(focus)
            .draw(buffer, areas.detail, theme);
    }
    let (first, total) = app.keys.detail.extent();
    if total == 0 {
        text::paragraph(buffer, inner, "No key is chosen.", theme.dim, theme);
    }
    app.keys.detail.draw(inner, buffer, theme);
    let side = ratatui::layout::Rect {
        width: inner.width + u16::from(areas.frames == Frames::Drawn),
        ..inner
    };
    scroll(buffer, side, first, total, theme);
}
