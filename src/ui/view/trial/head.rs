//! The lines above the table: whose documents these are and against what keys are measured; the chosen key in a line.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::TrialAreas;
use crate::analysis::ceiling::Mark;
use crate::analysis::rows::UNKNOWN_CONTAINER;
use crate::analysis::trial::verdict::Acceptance;
use crate::model::units::count_text;
use crate::model::visible::visible;
use crate::report::trial::short_amount;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::text;
use crate::ui::view::trial::TrialState;
use crate::work::trial::DocumentsOf;

const BETWEEN: &str = "  ";
/// Of assumptions.
const MOST_LINES: usize = 2;

pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let spans = source_line(state, cx);
    text::left(buffer, areas.head, &spans, theme);
    let assumed = assumption_lines(state, cx, areas.assumptions.width);
    let width = match cx.layout() {
        // One line, cut where it ends.
        WindowLayout::Compact => usize::MAX,
        WindowLayout::Normal | WindowLayout::Wide => areas.verdict.width.into(),
    };
    let said = verdict_lines(state, cx, width);
    for (area, lines) in [(areas.assumptions, assumed), (areas.verdict, said)] {
        for (index, line) in (0..area.height).zip(lines) {
            text::left(buffer, text::row(area, index), &line, theme);
        }
    }
}

/// `fleet ▸ by-month · 100,000 of 394 M documents`.
fn source_line(state: &TrialState, cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let mut spans = vec![Span::styled(container(state, cx), theme.accent)];
    let mut say = |text: String, style: Style| {
        spans.push(Span::styled(format!(" {} ", signs.between), theme.dim));
        spans.push(Span::styled(text, style));
    };
    if let Some(reading) = &state.reading
        && let Some(meter) = &reading.meter
    {
        let words = super::scanning::sampled(meter, reading.is_stopping);
        say(theme.glyphs.sentence(&words).into_owned(), theme.warning);
    } else if let Some(reading) = &state.reading {
        let rows = count_text(reading.progress.rows);
        let done = reading.progress.done_bytes * 100;
        let percent = done.checked_div(reading.progress.total_bytes);
        let percent = percent.map_or_else(String::new, |p| format!(", {} %", p.min(100)));
        say(format!("reading: {rows} documents{percent}"), theme.warning);
    }
    if let Some(search) = &state.searching {
        let p = &search.progress;
        let of = match p.total_bytes {
            0 => String::new(),
            all => format!(": {} of {}", count_text(p.done_bytes), count_text(all)),
        };
        say(format!("{}{of}", search.words), theme.warning);
    }
    if let Some(sample) = &state.sample {
        let documents = sample.ground.documents();
        let count = count_text(documents.len() as u64);
        let whole = state.report.as_ref().map(|report| report.whole);
        let stands = whole.filter(|whole| whole.is_sample);
        let stands = stands.map(|whole| format!(" of {}", short_amount(whole.documents)));
        let kind = match sample.from {
            DocumentsOf::Scenario { .. } => "drawn",
            DocumentsOf::Paths(_) => "documents",
            DocumentsOf::Live { .. } | DocumentsOf::Recorded { .. } => "sampled",
        };
        say(
            format!("{count}{} {kind}", stands.unwrap_or_default()),
            theme.text,
        );
    }
    let logged = state
        .dials
        .as_it_is
        .as_ref()
        .and_then(|t| t.logged.as_ref());
    if let (None, Some(logged)) = (&state.sample, logged) {
        let keys = count_text(logged.keys.len() as u64);
        say(format!("no documents: {keys} logged keys"), theme.warning);
    }
    spans
}

/// `growth [~284 MiB/day] :growth  demand [RU log 17,410 RU/s] :load`: what the keys are measured against, each with the
/// command that changes it where there is room; `~` marks what is assumed.
pub fn assumption_lines(state: &TrialState, cx: &Cx, width: u16) -> Vec<Vec<Span<'static>>> {
    let all = super::conditions::assumptions(state);
    let theme = &cx.theme;
    let lines = |with_commands: bool| {
        let mut lines: Vec<Vec<Span<'static>>> = Vec::new();
        let mut used = usize::from(width);
        for (label, value, command) in &all {
            let command = match command {
                Some(command) if with_commands => format!(" :{command}"),
                _ => String::new(),
            };
            let spans = [
                Span::styled(format!("{label} "), theme.dim),
                Span::styled(format!("[{value}]"), theme.text),
                Span::styled(command, theme.accent),
            ];
            let taken: usize = spans
                .iter()
                .map(|span| text::width(&span.content, theme.glyphs))
                .sum();
            match lines.last_mut() {
                Some(line) if used + BETWEEN.len() + taken <= usize::from(width) => {
                    line.push(Span::raw(BETWEEN));
                    line.extend(spans);
                    used += BETWEEN.len() + taken;
                }
                _ => {
                    lines.push(spans.into());
                    used = taken;
                }
            }
        }
        lines
    };
    let most = match cx.layout() {
        WindowLayout::Compact => 1,
        WindowLayout::Normal | WindowLayout::Wide => MOST_LINES,
    };
    Some(lines(true))
        .filter(|lines| lines.len() <= most)
        .unwrap_or_else(|| {
            let mut lines = lines(false);
            lines.truncate(MOST_LINES);
            lines
        })
}

fn container(state: &TrialState, cx: &Cx) -> String {
    let Some(name) = &state.name else {
        return "documents".to_owned();
    };
    // The identity has no letter case: the name as the inputs write it stands in the capture.
    let held = cx.data.as_ref().zip(state.container);
    let held = held.and_then(|(data, at)| data.capture.container(at));
    let shown = cx.mask.container(held.map_or(name, |c| &c.name));
    let names = [shown.database, shown.container];
    let names: Vec<String> = names
        .iter()
        .flatten()
        .map(|name| visible(name).into_owned())
        .collect();
    if names.is_empty() {
        return UNKNOWN_CONTAINER.to_owned();
    }
    names.join(&format!(" {} ", cx.theme.glyphs.signs().path))
}

/// `2 /deviceId: caution · the weightiest reason`.
pub fn verdict_lines(state: &TrialState, cx: &Cx, width: usize) -> Vec<Vec<Span<'static>>> {
    let theme = &cx.theme;
    let Some(result) = state.result(state.chosen) else {
        let untold = state
            .entries
            .get(state.chosen)
            .and_then(|e| e.untold.as_ref());
        let why = theme
            .glyphs
            .sentence(&visible(untold.map_or("", |why| why)))
            .into_owned();
        let lines = text::wrapped(&why, width.max(1), theme.glyphs).into_iter();
        return lines
            .map(|line| vec![Span::styled(line, theme.warning)])
            .collect();
    };
    let key = visible(&result.trial.candidate.to_string()).into_owned();
    let lead = format!("{} {key}: ", state.chosen + 1);
    let lead = theme.glyphs.sentence(&lead).into_owned();
    let standing = result.verdict.standing;
    let reason = result.verdict.reasons.first();
    let style = reason.map_or(theme.text, |reason| theme.severity(reason.severity));
    let said = reason.map_or_else(String::new, |reason| {
        let between = theme.glyphs.signs().between;
        let sentence = visible(&reason.sentence);
        format!(" {between} {}", theme.glyphs.sentence(&sentence))
    });
    let whole = format!("{lead}{}{said}", standing.word());
    let mut lines = text::wrapped(&whole, width.max(1), theme.glyphs).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = first.strip_prefix(&lead);
    let first = match rest.and_then(|rest| rest.strip_prefix(standing.word())) {
        Some(rest) => vec![
            Span::styled(lead, theme.accent),
            Span::styled(standing.word(), theme.mark(mark(standing))),
            Span::styled(rest.to_owned(), style),
        ],
        None => vec![Span::styled(first, style)],
    };
    let more = lines.map(|line| vec![Span::styled(line, style)]);
    std::iter::once(first).chain(more).collect()
}

pub fn mark(standing: Acceptance) -> Mark {
    match standing {
        Acceptance::Good => Mark::Below,
        Acceptance::Caution => Mark::Warn,
        Acceptance::Reject => Mark::Alarm,
    }
}
