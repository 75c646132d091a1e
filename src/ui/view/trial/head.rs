//! The lines above the table: whose documents these are and against what keys are measured; the chosen key in a line.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::TrialAreas;
use super::reasons;
use crate::analysis::ceiling::Mark;
use crate::analysis::rows::UNKNOWN_CONTAINER;
use crate::analysis::trial::Settings;
use crate::analysis::trial::verdict::Acceptance;
use crate::model::units::{count_text, rounded_text};
use crate::model::visible::visible;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::ui::view::trial::TrialState;
use crate::work::trial::DocumentsOf;

pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let spans = source_line(state, cx);
    text::left(buffer, areas.head, &spans, theme);
    for (index, line) in
        (0..areas.verdict.height).zip(verdict_lines(state, cx, usize::from(areas.verdict.width)))
    {
        text::left(buffer, text::row(areas.verdict, index), &line, theme);
    }
}

/// `fleet ▸ by-month · 100,000 documents, standing for 394 M · 10 partitions · 2,400 RU/s, asked for 250`.
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
        let stands = stands.map(|whole| format!(" of {}", short(whole.documents)));
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
    if let Some(settings) = super::conditions::settings(state, cx) {
        say(measured_against(&settings), theme.text);
    }
    spans
}

/// `394 M`: how many there are in all is never known to the last one.
fn short(count: f64) -> String {
    for (step, name) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if count >= step * 10.0 {
            return format!("{} {name}", rounded_text(count / step));
        }
    }
    crate::report::trial::amount(count)
}

fn measured_against(settings: &Settings) -> String {
    let amount = crate::report::trial::amount;
    let mut words = match settings.partitions {
        1 => "1 partition".to_owned(),
        n => format!("{} partitions", count_text(n as u64)),
    };
    if let Some(ru) = settings.ru_per_second {
        let _ = write!(words, ", {} RU/s", amount(ru));
    }
    if let Some(load) = settings.load_ru_per_second {
        let _ = write!(words, ", {} asked", amount(load));
    }
    words
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

/// `2 /deviceId: holds with care · the weightiest reason`.
fn verdict_lines(state: &TrialState, cx: &Cx, width: usize) -> Vec<Vec<Span<'static>>> {
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
    let standing = result.verdict.standing;
    let mut lines = vec![vec![
        Span::styled(theme.glyphs.sentence(&lead).into_owned(), theme.accent),
        Span::styled(standing.words(), theme.mark(mark(standing))),
    ]];
    let Some(reason) = result.verdict.reasons.first() else {
        return lines;
    };
    let used = text::width(&lead, theme.glyphs) + standing.words().len() + 3;
    let between = format!(" {} ", theme.glyphs.signs().between);
    let sentence = theme
        .glyphs
        .sentence(&visible(&reason.sentence))
        .into_owned();
    let style = reasons::style(reason.severity, theme);
    // The rest of the sentence stands in a line of its own where there is one.
    let mut pieces = broken(&sentence, width.saturating_sub(used), width, theme);
    if let Some(first) = lines.first_mut() {
        first.push(Span::styled(between, theme.dim));
        first.push(Span::styled(
            if pieces.is_empty() {
                String::new()
            } else {
                pieces.remove(0)
            },
            style,
        ));
    }
    lines.extend(pieces.into_iter().map(|p| vec![Span::styled(p, style)]));
    lines
}

/// A sentence in pieces, the first of which has less room.
fn broken(sentence: &str, first: usize, width: usize, theme: &Theme) -> Vec<String> {
    let mut lines = text::wrapped(sentence, first.max(1), theme.glyphs);
    if lines.len() < 2 {
        return lines;
    }
    let begun = lines.remove(0);
    let rest = lines.join(" ");
    let mut pieces = vec![begun];
    pieces.extend(text::wrapped(&rest, width, theme.glyphs));
    pieces
}

pub fn mark(standing: Acceptance) -> Mark {
    match standing {
        Acceptance::Holds => Mark::Below,
        Acceptance::HoldsWithCare => Mark::Warn,
        Acceptance::Fails => Mark::Alarm,
    }
}
