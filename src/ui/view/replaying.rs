//! The row that tells where in time a recording stands: a line from its start to its end, what happened as signs on it.
//!
//! ```text
//! ▶ 60×  2026-06-22 02:10:41  ━━━━━━━▲━━━●────✗─────  3 of 12  [ ] step  { } event  P play  L end
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::model::units::count_text;
use crate::source::ledger::EventKind;
use crate::source::recording::{Marked, StoryMark};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, PlayMode, Playback};
use crate::ui::kit::text;

/// A line shorter than this tells nothing.
const LEAST_CELLS: u16 = 12;
/// Beyond this, keys have a place beside it.
const MOST_CELLS: u16 = 120;
const GAP: &str = "  ";

/// Where each thing stands.
struct Layout {
    left: Vec<Span<'static>>,
    line: Rect,
    right: Vec<Span<'static>>,
}

fn width(spans: &[Span<'_>]) -> u16 {
    u16::try_from(spans.iter().map(Span::width).sum::<usize>()).unwrap_or(u16::MAX)
}

fn layout(cx: &Cx, replay: &Playback, area: Rect) -> Layout {
    let theme = &cx.theme;
    let own = |words: &str| theme.glyphs.sentence(words).into_owned();
    let (going, style) = match replay.going {
        PlayMode::Playing => (format!("▶ {}×", count_text(replay.speed.into())), theme.good),
        PlayMode::Paused => ("paused".to_owned(), theme.warning),
    };
    let at = replay.at().map_or_else(String::new, |at| {
        let c = at.civil();
        format!("{} {:02}:{:02}:{:02} UTC", at.date_text(), c.hour, c.minute, c.second)
    });
    let left = vec![
        Span::styled(own(&going), style),
        Span::raw(GAP),
        Span::styled(at, theme.accent),
        Span::raw(GAP),
    ];
    let moments = u64::try_from(replay.timeline.moments.len()).unwrap_or(u64::MAX);
    let place = u64::try_from(replay.place + 1).unwrap_or(u64::MAX);
    let mut right = vec![
        Span::raw(GAP),
        Span::styled(format!("{} of {}", count_text(place), count_text(moments)), theme.text),
    ];
    let keys = [
        (Action::PreviousMoment, Action::NextMoment, "step"),
        (Action::PreviousEvent, Action::NextEvent, "event"),
        (Action::Play, Action::Play, "play"),
        (Action::LiveEdge, Action::LiveEdge, "end"),
    ];
    for (back, on, word) in keys {
        let (Some(back), Some(on)) = (cx.keymap.shown(back), cx.keymap.shown(on)) else {
            continue;
        };
        let keys = if back == on { on } else { format!("{back} {on}") };
        let hint = [
            Span::raw(GAP),
            Span::styled(own(&keys), theme.key_hint),
            Span::styled(format!(" {word}"), theme.hint),
        ];
        let room = area.width.saturating_sub(width(&left) + width(&right));
        if room >= LEAST_CELLS * 2 + width(&hint) {
            right.extend(hint);
        }
    }
    let taken = width(&left).saturating_add(width(&right));
    let cells = area.width.saturating_sub(taken).min(MOST_CELLS);
    let line = text::column(area, width(&left), if cells < LEAST_CELLS { 0 } else { cells });
    Layout { left, line, right }
}

/// The cell of a moment: by the time that passed, since rounds may be missing.
fn cell(replay: &Playback, place: usize, cells: u16) -> u16 {
    let millis = |place: usize| {
        let moment = replay.timeline.moments.get(place);
        moment.map_or(0, |moment| moment.at.millis())
    };
    let last = replay.timeline.moments.len().saturating_sub(1);
    let (first, whole) = (millis(0), millis(last).saturating_sub(millis(0)));
    let steps = i64::from(cells.saturating_sub(1));
    let passed = millis(place).saturating_sub(first);
    let at = if whole <= 0 {
        // All at one time: by their number.
        let (place, last) = (as_steps(place), as_steps(last.max(1)));
        place.saturating_mul(steps) / last
    } else {
        i64::try_from(i128::from(passed) * i128::from(steps) / i128::from(whole)).unwrap_or(0)
    };
    u16::try_from(at).unwrap_or(0).min(cells.saturating_sub(1))
}

fn as_steps(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The sign of what happened, the gravest of a cell last.
fn sign(mark: &StoryMark, cx: &Cx) -> (u8, &'static str, Style) {
    let (signs, theme) = (cx.theme.glyphs.signs(), &cx.theme);
    match &mark.what {
        Marked::Happened(EventKind::Recovered) => (0, signs.tick, theme.good),
        Marked::Happened(
            EventKind::Split { .. } | EventKind::Changed { .. } | EventKind::Recreated,
        ) => (1, signs.marked, theme.accent),
        Marked::KeyOver(_) => (2, signs.alarm, theme.alarm),
        Marked::Happened(EventKind::Failed(_)) => (3, signs.cross, theme.warning),
    }
}

pub fn draw(cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let Some(replay) = cx.playback.as_ref().filter(|_| area.height > 0) else {
        return;
    };
    let (signs, theme) = (cx.theme.glyphs.signs(), &cx.theme);
    let layout = layout(cx, replay, area);
    let mut spans = layout.left;
    let here = cell(replay, replay.place, layout.line.width);
    let mut cells: Vec<(u8, &str, Style)> = (0..layout.line.width)
        .map(|at| {
            if at <= here {
                (0, signs.progress_done, theme.accent)
            } else {
                (0, signs.progress_left, theme.bar_track)
            }
        })
        .collect();
    for mark in &replay.timeline.marks {
        let at = usize::from(cell(replay, mark.place, layout.line.width));
        let sign = sign(mark, cx);
        if let Some(held) = cells.get_mut(at)
            && sign.0 >= held.0
        {
            *held = sign;
        }
    }
    if let Some(held) = cells.get_mut(usize::from(here)) {
        // What happens just here keeps its sign, in the look of the chosen.
        let is_plain = held.1 == signs.progress_done;
        *held = (u8::MAX, if is_plain { signs.dot } else { held.1 }, theme.selected);
    }
    spans.extend(cells.into_iter().map(|(_, sign, style)| Span::styled(sign, style)));
    spans.extend(layout.right);
    text::left(buffer, area, &spans, theme);
}

/// The moment under a column: the nearest one to that time.
pub fn place_at(cx: &Cx, area: Rect, column: u16) -> Option<usize> {
    let replay = cx.playback.as_ref()?;
    let line = layout(cx, replay, area).line;
    if !(line.x..line.right()).contains(&column) {
        return None;
    }
    let wanted = column - line.x;
    let distance = |place: &usize| cell(replay, *place, line.width).abs_diff(wanted);
    (0..replay.timeline.moments.len()).min_by_key(distance)
}
