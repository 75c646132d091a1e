//! The lines above the table: against what keys are measured, and the chosen key in a sentence.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::conditions::{self, HeaderField};
use super::layout::TrialAreas;
use super::{editor, reasons};
use crate::analysis::ceiling::Mark;
use crate::analysis::trial::verdict::Acceptance;
use crate::model::units::{count_text, counted, percent_text};
use crate::model::visible::visible;
use crate::report::trial::CandidateReport;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, Veil};
use crate::ui::kit::text;
use crate::ui::view::trial::TrialState;

const BETWEEN: u16 = 2;
/// Of fields, and of the verdict.
const MOST_LINES: u16 = 2;

pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (shown, left_out) = placed(state, cx, areas.fields.width);
    for (field, place) in &shown {
        let style = match (&field.edit, field.value.starts_with('~')) {
            (Some(_), false) => theme.text,
            (None, _) | (_, true) => theme.warning,
        };
        let value = theme.glyphs.sentence(&field.value).into_owned();
        let spans = [
            Span::styled(format!("{} ", field.label), theme.dim),
            Span::styled(format!("[{value}]"), style),
        ];
        let line = text::row(areas.fields, place.y);
        text::left(buffer, text::column(line, place.x, place.width), &spans, theme);
    }
    let last = shown.last().map(|(_, place)| *place);
    if let Some(last) = last.filter(|_| left_out > 0) {
        draw_left_out(left_out, last, cx, areas.fields, buffer);
    }
    let said = verdict_lines(state, cx, areas.verdict.width.into());
    for (index, line) in (0..areas.verdict.height).zip(said) {
        text::left(buffer, text::row(areas.verdict, index), &line, theme);
    }
}

/// How many fields have no room; the key for assumptions leads to all of them.
fn draw_left_out(more: usize, last: Rect, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let key = cx.keymap.shown(Action::Assume).unwrap_or_default();
    let room = area.width.saturating_sub(last.right() + 1);
    let words = format!("+{more}: {key}");
    let words = if words.len() <= room.into() { words } else { format!("+{more}") };
    let line = text::column(text::row(area, last.y), last.right() + 1, room);
    text::left(buffer, line, &[Span::styled(words, cx.theme.hint)], &cx.theme);
}

/// What goes on, then what keys are measured against, each with its place: as many as there is room for, and how many there is
/// none for.
fn placed(state: &TrialState, cx: &Cx, width: u16) -> (Vec<(HeaderField, Rect)>, usize) {
    let mut place = Rect::new(0, 0, 0, 1);
    let all = in_progress(state).into_iter().chain(conditions::fields(state));
    let all = all.map(|field| {
        let words = format!("{} [{}]", field.label, field.value);
        let taken = u16::try_from(text::width(&words, cx.theme.glyphs)).unwrap_or(u16::MAX);
        let x = match place.right() {
            0 => 0,
            right => right.saturating_add(BETWEEN),
        };
        place = if x > 0 && x.saturating_add(taken) > width {
            Rect::new(0, place.y + 1, taken, 1)
        } else {
            Rect::new(x, place.y, taken, 1)
        };
        (field, place)
    });
    let (shown, left_out): (Vec<_>, Vec<_>) = all.partition(|(_, place)| place.y < MOST_LINES);
    (shown, left_out.len())
}

/// How many lines the fields take.
pub fn lines(state: &TrialState, cx: &Cx, width: u16) -> u16 {
    let (shown, _) = placed(state, cx, width);
    shown.last().map_or(0, |(_, place)| place.y + 1)
}

/// The field under the pointer.
pub fn field_at(
    state: &TrialState,
    cx: &Cx,
    areas: &TrialAreas,
    at: Position,
) -> Option<HeaderField> {
    if !areas.fields.contains(at) {
        return None;
    }
    let inside = Position::new(at.x - areas.fields.x, at.y - areas.fields.y);
    let (shown, _) = placed(state, cx, areas.fields.width);
    let mut all = shown.into_iter();
    all.find_map(|(field, place)| place.contains(inside).then_some(field))
}

fn in_progress(state: &TrialState) -> Vec<HeaderField> {
    let mut fields = Vec::new();
    if let Some(reading) = &state.reading {
        let value = if let Some(meter) = &reading.meter {
            super::scanning::sampled(meter, reading.is_stopping)
        } else {
            let rows = count_text(reading.progress.rows);
            let percent = reading.progress.percent();
            let percent = percent.map_or_else(String::new, |p| format!(", {p} %"));
            format!("{rows} documents{percent}")
        };
        fields.push(HeaderField::progress("reading", value));
    }
    if let Some(search) = &state.searching {
        let p = &search.progress;
        let value = match p.total_bytes {
            0 => "0".to_owned(),
            all => format!("{} of {}", count_text(p.done_bytes), count_text(all)),
        };
        fields.push(HeaderField::progress(search.words, value));
    }
    fields
}

/// `2 /deviceId: caution · the weightiest reason`.
pub fn verdict_lines(state: &TrialState, cx: &Cx, width: usize) -> Vec<Vec<Span<'static>>> {
    let theme = &cx.theme;
    if cx.veil.is_drawn() {
        return vec![vec![Span::styled(Veil::WORDS, theme.dim)]];
    }
    let Some(result) = state.result(state.chosen) else {
        let why = state
            .unreported(state.chosen)
            .map(|(_, because)| format!("{} :documents FILE reads one.", because.sentence));
        return reasons::unreported(&why.unwrap_or_default(), width, theme);
    };
    let key = visible(&result.trial.candidate.to_string()).into_owned();
    let lead = format!("{} {key}: ", state.chosen + 1);
    let lead = theme.glyphs.sentence(&lead).into_owned();
    let (standing, word) = (result.verdict.standing, result.verdict.word());
    let reason = result.verdict.reasons.first();
    let style = reason.map_or(theme.text, |reason| theme.severity(reason.severity));
    let misspelled = editor::misspelled(state, &result.trial.candidate);
    let so_far = (word != standing.word() && state.sample.is_some()).then(|| known_so_far(result));
    let sentence = misspelled.or(so_far);
    let sentence = sentence.or_else(|| Some(visible(&reason?.sentence).into_owned()));
    let mut said = sentence.map_or_else(String::new, |sentence| {
        let between = theme.glyphs.signs().between;
        format!(" {between} {}", theme.glyphs.sentence(&sentence))
    });
    let mut lines = loop {
        let whole = format!("{lead}{word}{said}");
        let lines = text::wrapped(&whole, width.max(1), theme.glyphs);
        // What is said after the first facts stands among the reasons.
        match said.rfind("; ").or_else(|| said.trim_end_matches('.').rfind(". ")) {
            Some(end) if lines.len() > MOST_LINES.into() => said.truncate(end),
            _ => break lines.into_iter(),
        }
    };
    let first = lines.next().unwrap_or_default();
    let rest = first.strip_prefix(&lead);
    let first = match rest.and_then(|rest| rest.strip_prefix(word)) {
        Some(rest) => vec![
            Span::styled(lead, theme.accent),
            Span::styled(word, theme.mark(mark(standing))),
            Span::styled(rest.to_owned(), style),
        ],
        None => vec![Span::styled(first, style)],
    };
    let more = lines.map(|line| vec![Span::styled(line, style)]);
    std::iter::once(first).chain(more).collect()
}

/// Of a key that is good as far as documents show: how its keys are, and what shows the rest.
fn known_so_far(result: &CandidateReport) -> String {
    let trial = &result.trial;
    if trial.candidate.is_id() {
        return "each document is a key: queries without the id are cross-partition; :queries shows how many."
            .to_owned();
    }
    let keys = counted(trial.distinct.seen, "distinct key", "distinct keys");
    if trial.whole.is_assumed {
        let share = percent_text(trial.top_share.share);
        return format!(
            "{keys}, the largest {share} of the documents; what is unknown is listed below."
        );
    }
    let largest = trial.largest_text();
    let cost = match trial.demand {
        None => ":load shows its cost, :queries its",
        Some(_) => ":queries shows its",
    };
    format!("{keys}, the largest {largest}; {cost} reads.")
}

pub fn mark(standing: Acceptance) -> Mark {
    match standing {
        Acceptance::Good => Mark::Below,
        Acceptance::Caution => Mark::Warn,
        Acceptance::Reject => Mark::Alarm,
    }
}
