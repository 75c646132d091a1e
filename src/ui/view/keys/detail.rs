//! The pane with everything known of the chosen key.

mod load;
mod parts;
mod place;
mod sizes;

use ratatui::buffer::Buffer;
use ratatui::text::Span;

use super::layout::{Frames, KeysAreas, KeysPane, with_marker};
use super::lines::{LineRole, PaneLine, broken};
use super::tree::{self, ListShape};
use super::{by_ru, head};
use crate::analysis::detail::{Detail, detail};
use crate::model::load::RuKey;
use crate::model::logical::KeyId;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::report::key_text::key_text;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::sign::scroll;
use crate::ui::kit::text;
use crate::ui::view::keys::KeysState;
use crate::work::data::{Arranged, Dataset};
use crate::work::shared::Shared;

pub use load::{story, story_lines};
pub use place::ru_text;
pub use sizes::chart_rows;

/// Rows below the facts of a key of the RU log in which the load of the partitions is shown.
const LOAD_LEAST: u16 = 8;
/// Lines of a key's text; of what a hostile cell holds beyond that the two ends are shown.
const MAX_KEY_LINES: usize = 64;

/// The key under the cursor, by what reports it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum ChosenKey {
    Sized(KeyId),
    Logged(RuKey),
}

fn chosen(state: &KeysState) -> Option<ChosenKey> {
    let logged = state.by_ru.get(state.cursor.chosen);
    let logged = logged.map(|logged| ChosenKey::Logged(logged.load.key));
    state.chosen().map(ChosenKey::Sized).or(logged)
}

/// What the lines are of; other lines are made only if this changes.
#[derive(Clone, PartialEq, Debug)]
pub struct DetailLines {
    list: Shared<Arranged>,
    key: ChosenKey,
    width: u16,
    height: u16,
    names: u64,
    glyphs: Glyphs,
    /// The age of a sample is shown in days.
    today: Option<i64>,
}

pub fn settle(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
    let room = areas.text(areas.detail);
    let chosen = state.list.clone().zip(chosen(state));
    let Some((list, key)) = chosen.filter(|_| !room.is_empty()) else {
        state.detail.clear();
        return;
    };
    let made = DetailLines {
        list,
        key,
        width: room.width,
        height: room.height,
        names: state.names,
        glyphs: cx.theme.glyphs,
        today: cx.now.map(|now| now.seconds().div_euclid(SECONDS_PER_DAY)),
    };
    if state.detail.made_of().is_none_or(|held| held.key != key) {
        state.detail.rewind();
    }
    let (mask, now) = (&cx.mask, cx.now);
    let height = usize::from(room.height);
    state.detail.settle(made.clone(), height, || lines(&made, mask, now).unwrap_or_default());
}

/// What all parts of the pane are made from.
struct DetailInputs<'a> {
    data: &'a Dataset,
    container: u32,
    key: &'a Detail,
    width: usize,
    mask: &'a Mask,
    now: Option<Stamp>,
}

fn lines(made: &DetailLines, mask: &Mask, now: Option<Stamp>) -> Option<Vec<PaneLine>> {
    let data = &made.list.data;
    let width = usize::from(made.width);
    let id = match made.key {
        ChosenKey::Sized(id) => id,
        ChosenKey::Logged(key) => {
            let mut lines = name_lines(&by_ru::name(data, key, mask), width, made.glyphs);
            let left = usize::from(made.height).saturating_sub(lines.len());
            lines.extend(by_ru::lines(&made.list, key, (width, left)));
            return Some(lines);
        }
    };
    let key = detail(&data.capture, &data.lookups, id)?;
    let of = DetailInputs { data, container: made.list.container, key: &key, width, mask, now };
    let json = key.json.as_deref().map(|json| mask.key(json));
    let mut lines = name_lines(&key_text(json.as_deref()), width, made.glyphs);
    lines.extend(sizes::summary(&of));
    let chart_at = lines.len();
    lines.extend(place::lines(&of));
    lines.extend(load::lines(&of));
    lines.extend(sizes::lines(&of));
    lines.extend(place::hashes(&of));
    lines.extend(place::source(&of));
    lines.extend(parts::lines(&of));
    // The chart takes what the facts leave, and in a high pane something of it in any case.
    let height = usize::from(made.height);
    let room = height.saturating_sub(lines.len() + 1).max(height / 4);
    let chart = sizes::chart(&of, room, made.glyphs);
    lines.splice(chart_at..chart_at, chart);
    Some(lines)
}

/// A key's text, which may take many lines.
fn name_lines(key: &str, width: usize, glyphs: Glyphs) -> Vec<PaneLine> {
    let mut text = broken(&glyphs.shown(key), width);
    if text.len() > MAX_KEY_LINES {
        text.drain(MAX_KEY_LINES / 2..text.len() - MAX_KEY_LINES / 2);
        text.insert(MAX_KEY_LINES / 2, glyphs.ellipsis().to_owned());
    }
    let text = text.into_iter();
    text.map(|line| PaneLine::of(LineRole::Outside, line)).collect()
}

pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    if areas.detail.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let inner = areas.text(areas.detail);
    if areas.frames == Frames::Drawn {
        let focus = if state.pane == KeysPane::Detail { Focus::Here } else { Focus::Away };
        let panel = Panel::new("chosen key").focus(focus);
        panel.draw(buffer, areas.detail, theme);
    }
    let (first, total) = state.detail.extent();
    if total == 0 {
        let ceiling = cx.data.as_ref().map(|data| data.report.ceiling);
        let prefix = ceiling
            .filter(|_| state.shape == ListShape::Tree)
            .and_then(|ceiling| tree::prefix_sentence(state, ceiling));
        let sentence = prefix.unwrap_or_else(|| "No key is chosen.".to_owned());
        text::paragraph(buffer, inner, &sentence, theme.text, theme);
    }
    state.detail.draw(inner, buffer, theme);
    let used = u16::try_from(total + 1).unwrap_or(u16::MAX);
    if !state.by_ru.is_empty() && used + LOAD_LEAST <= inner.height {
        let rest = text::rows(inner, used, inner.height);
        head::draw_load(state, cx, rest, buffer);
    }
    if areas.frames == Frames::Left && !areas.table.is_empty() {
        // Its name stands on the line that parts it from the list.
        let row = text::row(inner, 0);
        let is_blank = |x: &u16| buffer.cell((*x, row.y)).is_none_or(|cell| cell.symbol() == " ");
        let room = (row.left()..row.right()).rev().take_while(is_blank).count();
        let rule = theme.glyphs.signs().frame.horizontal;
        let rule = rule.repeat(room.saturating_sub(1));
        text::right(buffer, row, &[Span::styled(rule, theme.border)], theme);
    }
    let side = with_marker(inner);
    scroll(buffer, side, first, total, theme);
}
